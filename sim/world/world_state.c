// Saving and restoring the world. ODE has no such thing, so it is done from outside: a body's numbers are written back
// where ODE keeps them, since setting a quaternion would normalise it; bodies that came while the scene ran (balls,
// stand-ins of platforms) are destroyed and made anew in the order in which they came, since ODE's lists, and with them
// the rounding of its sums, depend on it; shapes are put back into the order that their space had them in, since it
// decides in which order contacts are found.
#include "sim/world/world_state.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/platform_contact.h"
#include "sim/world/projectile.h"

// ---- Bodies that come while the scene runs ----

static bool is_ball(const WorldBody *body) { return body->owner == WORLD_NO_OWNER && !body->ground && !body->prop; }

static int count_built(const World *world) {
  int count = world->body_count;
  while (count > 0 && is_ball(&world->bodies[count - 1]))
    count--;
  return count;
}

// Takes away all balls and stand-ins.
static void remove_latecomers(World *world, int built) {
  while (world->body_count > built) {
    dBodyID body = world->bodies[--world->body_count].ode;
    dGeomDestroy(dBodyGetFirstGeom(body));
    dBodyDestroy(body);
    world->loose_count--;
  }
  while (world->stand_in_count > 0)
    dBodyDestroy(world->stand_ins[--world->stand_in_count].ode);
}

// What a ball is made of, and a stand-in stands for.
typedef struct Latecomer {
  long came; // see World.came
  double mass, radius;
  int32_t toucher, platform; // of a stand-in
  int32_t is_ball;
} Latecomer;

static bool can_be_made(const World *world, const Latecomer *one) {
  if (one->is_ball)
    return world->body_count < WORLD_MAX_BODIES && one->mass >= 0.001 && one->mass <= 1000 && one->radius >= 0.005 &&
           one->radius <= 5;
  return world->stand_in_count < WORLD_MAX_STAND_INS && one->platform >= 0 && one->platform < world->body_count &&
         world->bodies[one->platform].ground;
}

static void make(World *world, const Latecomer *one) {
  if (one->is_ball) {
    const Projectile ball = {.mass = one->mass, .radius = one->radius, .event = -1};
    projectile_create(world, &ball);
  } else {
    platform_stand_in_create(world, one->toucher, one->platform);
  }
}

// Those of the world in the order in which they came. Returns how many.
static int list_latecomers(const World *world, int built, Latecomer list[]) {
  int count = 0, ball = built, stand_in = 0;
  while (ball < world->body_count || stand_in < world->stand_in_count) {
    bool takes_ball = stand_in == world->stand_in_count ||
                      (ball < world->body_count && world->bodies[ball].came < world->stand_ins[stand_in].came);
    if (takes_ball) {
      const WorldBody *body = &world->bodies[ball++];
      list[count++] = (Latecomer){.came = body->came,
                                  .mass = body->mass,
                                  .radius = dGeomSphereGetRadius(dBodyGetFirstGeom(body->ode)),
                                  .is_ball = true};
    } else {
      const WorldStandIn *found = &world->stand_ins[stand_in++];
      list[count++] = (Latecomer){.came = found->came, .toucher = found->toucher, .platform = found->platform};
    }
  }
  return count;
}

static void latecomers_state(World *world, StateStream *stream) {
  enum { MOST = WORLD_MAX_BODIES + WORLD_MAX_STAND_INS };
  Latecomer list[MOST];
  const int built = count_built(world);
  if (state_number(stream, built, 0, WORLD_MAX_BODIES) != built && !state_failed(stream))
    state_fail(stream, "has another number of bodies");
  if (state_failed(stream))
    return;
  const int present = state_restores(stream) ? 0 : list_latecomers(world, built, list);
  const int count = state_number(stream, present, 0, MOST);
  state_bytes(stream, list, (size_t)count * sizeof *list);
  if (!state_restores(stream) || state_failed(stream))
    return;
  remove_latecomers(world, built);
  for (int i = 0; i < count; i++) {
    if (!can_be_made(world, &list[i])) {
      state_fail(stream, "has a ball or a stand-in that cannot be");
      return;
    }
    world->came = list[i].came;
    make(world, &list[i]);
  }
}

// ---- Bodies ----

// Where ODE keeps a body's numbers.
typedef struct BodyNumbers {
  dReal position[3], quaternion[4], matrix[12], velocity[3], spin[3];
} BodyNumbers;

static void read_body(dBodyID body, BodyNumbers *numbers) {
  memcpy(numbers->position, dBodyGetPosition(body), sizeof numbers->position);
  memcpy(numbers->quaternion, dBodyGetQuaternion(body), sizeof numbers->quaternion);
  memcpy(numbers->matrix, dBodyGetRotation(body), sizeof numbers->matrix);
  memcpy(numbers->velocity, dBodyGetLinearVel(body), sizeof numbers->velocity);
  memcpy(numbers->spin, dBodyGetAngularVel(body), sizeof numbers->spin);
}

static bool is_sane(const BodyNumbers *numbers) {
  double sum = 0, length2 = 0;
  for (int i = 0; i < 12; i++)
    sum += numbers->matrix[i];
  for (int i = 0; i < 4; i++)
    length2 += numbers->quaternion[i] * numbers->quaternion[i];
  return isfinite(sum) && fabs(length2 - 1) < 1e-6 && finite3(numbers->position) && finite3(numbers->velocity) &&
         finite3(numbers->spin);
}

// Set as ODE sets them, so that it knows that the shapes have moved; then written to the bit.
static void write_body(dBodyID body, const BodyNumbers *numbers) {
  const dReal *p = numbers->position, *v = numbers->velocity, *w = numbers->spin;
  dBodySetPosition(body, p[0], p[1], p[2]);
  dBodySetQuaternion(body, numbers->quaternion);
  dBodySetLinearVel(body, v[0], v[1], v[2]);
  dBodySetAngularVel(body, w[0], w[1], w[2]);
  dBodySetForce(body, 0, 0, 0);
  dBodySetTorque(body, 0, 0, 0);
  memcpy((dReal *)dBodyGetQuaternion(body), numbers->quaternion, sizeof numbers->quaternion);
  memcpy((dReal *)dBodyGetRotation(body), numbers->matrix, sizeof numbers->matrix);
}

static void body_state(dBodyID body, StateStream *stream) {
  BodyNumbers numbers;
  if (!state_restores(stream))
    read_body(body, &numbers);
  STATE(stream, numbers);
  if (!state_restores(stream) || state_failed(stream))
    return;
  if (is_sane(&numbers))
    write_body(body, &numbers);
  else
    state_fail(stream, "has a body whose numbers are none");
}

static void bodies_state(World *world, StateStream *stream) {
  for (int i = 0; i < world->body_count && !state_failed(stream); i++) {
    WorldBody *body = &world->bodies[i];
    body->event = state_number(stream, body->event, INT32_MIN, INT32_MAX);
    STATE(stream, body->came);
    // Props hang still until they are let go.
    const int still = state_number(stream, dBodyIsKinematic(body->ode), 0, 1);
    if (state_restores(stream) && body->prop && still != dBodyIsKinematic(body->ode))
      (still ? dBodySetKinematic : dBodySetDynamic)(body->ode);
    body_state(body->ode, stream);
  }
  for (int i = 0; i < world->stand_in_count && !state_failed(stream); i++)
    body_state(world->stand_ins[i].ode, stream);
}

// ---- The order of shapes ----

enum { MOST_SHAPES = 4 * WORLD_MAX_BODIES };

// All shapes that are in a space, in an order that does not depend on time: the ground, then those of each body, then
// the spaces in which those are.
typedef struct Shapes {
  dGeomID list[MOST_SHAPES];
  int count;
  dSpaceID spaces[WORLD_MAX_BODIES + 1]; // inner ones first
  int space_count;
} Shapes;

static void add_shape(Shapes *shapes, dGeomID shape) {
  if (shapes->count < MOST_SHAPES)
    shapes->list[shapes->count++] = shape;
}

static void add_space(Shapes *shapes, dSpaceID space) {
  for (int i = 0; i < shapes->space_count; i++)
    if (shapes->spaces[i] == space)
      return;
  shapes->spaces[shapes->space_count++] = space;
}

static void list_shapes(const World *world, Shapes *shapes) {
  shapes->count = shapes->space_count = 0;
  if (world->ground)
    add_shape(shapes, world->ground);
  for (int i = 0; i < world->body_count; i++)
    for (dGeomID shape = dBodyGetFirstGeom(world->bodies[i].ode); shape; shape = dBodyGetNextGeom(shape)) {
      add_shape(shapes, shape);
      if (dGeomGetSpace(shape) != world->space)
        add_space(shapes, dGeomGetSpace(shape));
    }
  for (int i = 0; i < shapes->space_count; i++)
    add_shape(shapes, (dGeomID)shapes->spaces[i]);
  shapes->spaces[shapes->space_count++] = world->space;
}

static int shape_index(const Shapes *shapes, dGeomID shape) {
  for (int i = 0; i < shapes->count; i++)
    if (shapes->list[i] == shape)
      return i;
  return -1;
}

// The shapes of a space from its first on.
static void space_state(const Shapes *shapes, dSpaceID space, StateStream *stream) {
  const int count = dSpaceGetNumGeoms(space);
  int order[MOST_SHAPES];
  if (state_number(stream, count, 0, MOST_SHAPES) != count)
    state_fail(stream, "has other shapes");
  for (int i = 0; i < count && !state_failed(stream); i++) {
    int index = state_restores(stream) ? 0 : shape_index(shapes, dSpaceGetGeom(space, i));
    order[i] = state_number(stream, index, 0, shapes->count - 1);
    if (state_restores(stream) && dGeomGetSpace(shapes->list[order[i]]) != space)
      state_fail(stream, "has other shapes");
  }
  if (!state_restores(stream) || state_failed(stream))
    return;
  for (int i = count - 1; i >= 0; i--) { // what is added comes first
    dSpaceRemove(space, shapes->list[order[i]]);
    dSpaceAdd(space, shapes->list[order[i]]);
  }
}

static void shapes_state(const World *world, StateStream *stream) {
  Shapes shapes;
  list_shapes(world, &shapes);
  for (int i = 0; i < shapes.space_count && !state_failed(stream); i++)
    space_state(&shapes, shapes.spaces[i], stream);
}

// ---- The last step ----

// A list of a fixed size of which `count` are in use.
static void list_state(StateStream *stream, void *list, size_t size, int *count, int most) {
  *count = state_number(stream, *count, 0, most);
  state_bytes(stream, list, (size_t)*count * size);
}

// Whether the bodies that contacts and impulses name are there.
static bool names_bodies(const World *world) {
  bool good = true;
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    good &= contact->body >= 0 && contact->body < world->body_count && contact->other >= WORLD_GROUND &&
            contact->other < world->body_count;
  }
  for (int i = 0; i < world->impulse_count; i++)
    good &= world->impulses[i].body >= 0 && world->impulses[i].body < world->body_count;
  for (int i = 0; i < world->pending_count; i++)
    good &= world->pending[i].body >= 0 && world->pending[i].body < world->body_count &&
            finite3(world->pending[i].impulse) && finite3(world->pending[i].point);
  return good;
}

static void last_step_state(World *world, StateStream *stream) {
  list_state(stream, world->contacts, sizeof *world->contacts, &world->contact_count, WORLD_MAX_CONTACTS);
  list_state(stream, world->impulses, sizeof *world->impulses, &world->impulse_count, WORLD_MAX_IMPULSES);
  list_state(stream, world->pending, sizeof *world->pending, &world->pending_count, WORLD_MAX_IMPULSES);
  STATE(stream, world->warnings);
  if (state_restores(stream) && !state_failed(stream) && !names_bodies(world))
    state_fail(stream, "names bodies that are not there");
}

// The bodies of a step, as the solvers get them.
static int step_bodies(const World *world, dBodyID bodies[WORLD_MAX_BODIES + WORLD_MAX_STAND_INS]) {
  int count = 0;
  for (int i = 0; i < world->body_count; i++)
    bodies[count++] = world->bodies[i].ode;
  for (int i = 0; i < world->stand_in_count; i++)
    bodies[count++] = world->stand_ins[i].ode;
  return count;
}

static void solvers_state(World *world, StateStream *stream) {
  dBodyID bodies[WORLD_MAX_BODIES + WORLD_MAX_STAND_INS];
  const int count = step_bodies(world, bodies);
  exact_state(world->exact, bodies, count, stream);
  const int has_reduced = state_number(stream, world->reduced != NULL, 0, 1);
  if (state_restores(stream) && has_reduced && !world->reduced)
    world->reduced = reduced_create();
  if (has_reduced && !world->reduced)
    state_fail(stream, "needs memory for the reduced solver");
  else if (has_reduced)
    reduced_state(world->reduced, bodies, world->body_count, world->def.dt, stream);
  else if (state_restores(stream) && world->reduced) {
    reduced_free(world->reduced); // it was not there yet
    world->reduced = NULL;
  }
}

void world_state(World *world, StateStream *stream) {
  state_section(stream, "the physical world", sizeof *world);
  int64_t steps = world->steps, came = world->came;
  STATE(stream, steps);
  STATE(stream, came);
  latecomers_state(world, stream);
  bodies_state(world, stream);
  shapes_state(world, stream);
  last_step_state(world, stream);
  solvers_state(world, stream);
  if (!state_restores(stream) || state_failed(stream))
    return;
  world->steps = steps;
  world->came = came;
  world->time = (double)steps * world->def.dt;
  world->stopped = false;
  world->stop_reason[0] = '\0';
}
