// Makes rows for contacts, starts each from the impulses of a nearby contact of the last step, and writes forces to
// ODE's feedback.
#include "sim/reduced/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/reduced/spatial.h"

// A contact of the last step between the same bodies within this distance is taken to be the same.
static const double SAME_PLACE = 0.02; // m

void contacts_free(Contacts *contacts) {
  free(contacts->contacts);
  free(contacts->past);
  free(contacts->first_past);
  *contacts = (Contacts){0};
}

// A point of the world relative to O of a body's tree.
static void from_origin(const Forest *forest, int body, const double point[3], double local[3]) {
  const dReal *origin = forest->bodies[forest->bodies[body].root].position;
  for (int i = 0; i < 3; i++)
    local[i] = point[i] - origin[i];
}

static void set_directions(ReducedContact *contact) {
  const dContact *ode = &contact->ode;
  dVector3 first, second;
  if (ode->surface.mode & dContactFDir1) {
    memcpy(first, ode->fdir1, sizeof first);
    cross3(ode->geom.normal, first, second);
  } else {
    dPlaneSpace(ode->geom.normal, first, second);
  }
  for (int i = 0; i < 3; i++) {
    contact->directions[0][i] = contact->sign * ode->geom.normal[i];
    contact->directions[1][i] = contact->sign * first[i];
    contact->directions[2][i] = contact->sign * second[i];
  }
}

// The rates for the rows: correction of the depth, the surface's own motion, and the motion of a kinematic body there.
static void set_targets(ReducedContact *contact, dWorldID world, double h) {
  const dSurfaceParameters *surface = &contact->ode.surface;
  double depth = max_d(contact->ode.geom.depth - dWorldGetContactSurfaceLayer(world), 0);
  double erp = surface->mode & dContactSoftERP ? surface->soft_erp : dWorldGetERP(world);
  double motion = surface->mode & dContactMotionN ? surface->motionN : 0;
  contact->target[0] = min_d(erp * depth / h + motion, dWorldGetContactMaxCorrectingVel(world));
  contact->target[1] = surface->mode & dContactMotion1 ? surface->motion1 : 0;
  contact->target[2] = surface->mode & dContactMotion2 ? surface->motion2 : 0;
  if (!contact->moving)
    return;
  dVector3 velocity;
  const dReal *p = contact->ode.geom.pos;
  dBodyGetPointVel(contact->moving, p[0], p[1], p[2], velocity);
  for (int i = 0; i < 3; i++)
    contact->target[i] += dot3(contact->directions[i], velocity);
}

static const PastContact *find_past(const Contacts *contacts, const ReducedContact *contact) {
  const PastContact *nearest = NULL;
  double least = SAME_PLACE * SAME_PLACE;
  for (int i = contacts->past_count > 0 ? contacts->first_past[contact->body] : -1; i >= 0;
       i = contacts->past[i].next) {
    const PastContact *past = &contacts->past[i];
    if (past->other != contact->other)
      continue;
    double apart[3] = {past->position[0] - contact->ode.geom.pos[0], past->position[1] - contact->ode.geom.pos[1],
                       past->position[2] - contact->ode.geom.pos[2]};
    double distance2 = dot3(apart, apart);
    if (distance2 < least) {
      least = distance2;
      nearest = past;
    }
  }
  return nearest;
}

static void fill_rows(const Contacts *contacts, ReducedContact *contact, Rows *rows, dWorldID world, double h) {
  const PastContact *past = find_past(contacts, contact);
  const dSurfaceParameters *surface = &contact->ode.surface;
  double softness = (surface->mode & dContactSoftCFM ? surface->soft_cfm : dWorldGetCFM(world)) / h;
  for (int i = 0; i < 3; i++) {
    Row *row = &rows->rows[contact->row + i];
    row->softness = i == 0 ? softness : dWorldGetCFM(world) / h;
    row->high = dInfinity;
    if (i > 0) {
      row->normal = contact->row;
      row->friction = surface->mu;
    }
    if (past) {
      row->impulse = past->impulse[i];
      row->state = past->state[i];
    }
    if (past && i == 0) {
      row->smooth_impulse = past->smooth_impulse;
      row->smooth_state = past->smooth_state;
    }
  }
}

void contacts_add_rows(Contacts *contacts, Rows *rows, const Forest *forest, dWorldID world, double h) {
  for (int i = 0; i < contacts->count; i++) {
    ReducedContact *contact = &contacts->contacts[i];
    set_directions(contact);
    set_targets(contact, world, h);
    contact->row = rows_add(rows, forest, contact->body, contact->other, 3);
    if (contact->row < 0)
      return;
    double point[3], other_point[3] = {0};
    from_origin(forest, contact->body, contact->ode.geom.pos, point);
    if (contact->other >= 0)
      from_origin(forest, contact->other, contact->ode.geom.pos, other_point);
    for (int k = 0; k < 3; k++)
      rows_move(rows, contact->row + k, point, other_point, contact->directions[k]);
    fill_rows(contacts, contact, rows, world, h);
  }
}

// m/s: the largest speed at which the rotation of a body may be expected to lift a touching point off the ground within
// a step. The point of a ball that rolls at 20 m/s rises much faster, but at the end of the step another point is down
// there, and the ball would sink.
#define MOST_LIFT 0.25

// The contribution of a body's bias acceleration to the mean velocity of a point in a step.
static void point_bias_velocity(const Forest *forest, int index, const double position[3], double h,
                                double velocity[3]) {
  const ForestBody *body = &forest->bodies[index];
  double arm[3], along[3], bias_acceleration[3];
  from_origin(forest, index, position, arm);
  add_scaled3(arm, -1, body->center);
  cross3(body->rate, arm, along);
  cross3(body->rate, along, bias_acceleration);
  add_cross3(bias_acceleration, body->bias_spin, arm);
  add_scaled3(bias_acceleration, 1, body->bias_acceleration);
  for (int i = 0; i < 3; i++)
    velocity[i] = h / 2 * bias_acceleration[i];
}

void contacts_aim(const Contacts *contacts, Rows *rows, const Forest *forest, double h) {
  for (int i = 0; i < contacts->count; i++) {
    const ReducedContact *contact = &contacts->contacts[i];
    double velocity[3], other[3] = {0};
    point_bias_velocity(forest, contact->body, contact->ode.geom.pos, h, velocity);
    if (contact->other >= 0)
      point_bias_velocity(forest, contact->other, contact->ode.geom.pos, h, other);
    add_scaled3(velocity, -1, other);
    for (int k = 0; k < 3; k++) {
      double bias = dot3(contact->directions[k], velocity);
      rows->rows[contact->row + k].target = contact->target[k] - (k == 0 ? min_d(bias, MOST_LIFT) : bias);
    }
  }
}

// Writes the force on the first of the two bodies as given.
static void tell(const ReducedContact *contact, const Rows *rows, double h) {
  dReal *force = contact->feedback->f1;
  for (int k = 0; k < 3; k++)
    add_scaled3(force, contact->sign * rows->rows[contact->row + k].impulse / h, contact->directions[k]);
}

void contacts_tell(Contacts *contacts, const Rows *rows, const Forest *forest, double h) {
  for (int i = 0; i < forest->body_count; i++)
    contacts->first_past[i] = -1;
  for (int i = contacts->count - 1; i >= 0; i--) { // backward, so that the contacts of a body are chained in order
    const ReducedContact *contact = &contacts->contacts[i];
    PastContact *past = &contacts->past[i];
    tell(contact, rows, h);
    *past = (PastContact){.body = contact->body, .other = contact->other, .next = contacts->first_past[contact->body]};
    contacts->first_past[contact->body] = i;
    for (int k = 0; k < 3; k++) {
      past->position[k] = contact->ode.geom.pos[k];
      past->impulse[k] = rows->rows[contact->row + k].impulse;
      past->state[k] = rows->rows[contact->row + k].state;
    }
    past->smooth_impulse = rows->rows[contact->row].smooth_impulse;
    past->smooth_state = rows->rows[contact->row].smooth_state;
  }
  contacts->past_count = contacts->count;
  contacts->count = 0;
}
