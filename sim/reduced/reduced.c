// The reduced-coordinate step: finds the trees, reads the state, factors, adds rows, solves island by island, repeats
// for saturated motors, and writes the state.
#include "sim/reduced/reduced.h"

#include <limits.h>
#include <math.h>

#include "sim/base/reserve.h"
#include "sim/reduced/articulated.h"
#include "sim/reduced/contacts.h"
#include "sim/reduced/lcp.h"
#include "sim/reduced/motors.h"
#include "sim/reduced/spatial.h"

// Motors that turn out to be saturated become rows and the solution is repeated; in the last round all become rows.
enum { MOST_ROUNDS = 5 };

// Bias accelerations are computed again from the new rates if velocities would change by more than this in a step.
static const double SAME_BIAS = 0.01; // m/s, at a distance of 1 m

typedef struct BodySignature {
  dBodyID body;
  dJointID first_joint; // 0: none
  int joint_count;
  bool kinematic;
} BodySignature;

typedef struct JointSignature {
  dJointID joint;
  bool enabled;
} JointSignature;

struct Reduced {
  Forest forest;
  Motors motors;
  Contacts contacts;
  Rows rows;
  Lcp lcp;
  double *u, *bias_u;        // for each dof: rates; the rates for which bias acceleration was computed
  double *stiffness, *drive; // for each dof, see motors_drive
  double *z, *sum;           // for each dof: see articulated_gather, without rows; see lcp_solve
  double *wrenches;          // for each body, see forest_bring
  double *motions;           // for each body, at the last rates
  int *island, *order;       // for each forest body: root of its island; for each row: see sort_rows
  int u_capacity, bias_capacity, stiffness_capacity, drive_capacity, z_capacity, sum_capacity;
  int wrench_capacity, motion_capacity, island_capacity, order_capacity;
  BodySignature *signature; // of the bodies and joints from which the trees were built
  JointSignature *joints;
  int signature_count, joint_count, signature_capacity, joint_capacity;
  ReducedStats stats;
};

Reduced *reduced_create(void) { return calloc(1, sizeof(Reduced)); }

void reduced_destroy(Reduced *reduced) {
  if (!reduced)
    return;
  forest_free(&reduced->forest);
  motors_free(&reduced->motors);
  contacts_free(&reduced->contacts);
  rows_free(&reduced->rows);
  lcp_free(&reduced->lcp);
  double *numbers[] = {reduced->u, reduced->bias_u, reduced->stiffness, reduced->drive,
                       reduced->z, reduced->sum,    reduced->wrenches,  reduced->motions};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    free(numbers[i]);
  free(reduced->island);
  free(reduced->order);
  free(reduced->signature);
  free(reduced->joints);
  free(reduced);
}

ReducedStats reduced_stats(const Reduced *reduced) {
  ReducedStats stats = reduced->stats;
  stats.pivots = reduced->lcp.factorings;
  stats.problems = reduced->lcp.solves;
  stats.swept = reduced->lcp.swept;
  return stats;
}

static bool reserve_contacts(Contacts *contacts, int count) {
  return reserve(&contacts->contacts, &contacts->capacity, count, sizeof *contacts->contacts) &&
         reserve(&contacts->past, &contacts->past_capacity, count, sizeof *contacts->past);
}

bool reduced_add_contact(Reduced *reduced, int first, int second, dBodyID first_ode, dBodyID second_ode,
                         const dContact *contact, dJointFeedback *feedback) {
  Contacts *contacts = &reduced->contacts;
  int count = contacts->count + 1;
  if (!reserve_contacts(contacts, count))
    return false;
  contacts->contacts[contacts->count++] = (ReducedContact){.body = first,
                                                           .other = second,
                                                           .moving = first < 0    ? first_ode
                                                                     : second < 0 ? second_ode
                                                                                  : NULL,
                                                           .sign = 1,
                                                           .ode = *contact,
                                                           .feedback = feedback};
  return true;
}

// ---- Trees, rebuilt when bodies or joints have changed ----

static BodySignature sign_body(dBodyID body) {
  return (BodySignature){body, dBodyGetJoint(body, 0), dBodyGetNumJoints(body), dBodyIsKinematic(body)};
}

// ODE puts a new joint first, and joints stay as long as their bodies.
static bool is_signed(const BodySignature *was, dBodyID body) {
  return was->body == body && dBodyGetJoint(body, 0) == was->first_joint &&
         (bool)dBodyIsKinematic(body) == was->kinematic;
}

// Whether the trees are still valid: the same bodies with the same joints, enabled as before.
static bool is_unchanged(const Reduced *reduced, const dBodyID bodies[], int count) {
  if (count != reduced->signature_count)
    return false;
  for (int i = 0; i < count; i++)
    if (!is_signed(&reduced->signature[i], bodies[i]))
      return false;
  for (int i = 0; i < reduced->joint_count; i++)
    if (dJointIsEnabled(reduced->joints[i].joint) != reduced->joints[i].enabled)
      return false;
  return true;
}

static bool note_signature(Reduced *reduced, const dBodyID bodies[], int count) {
  if (!reserve(&reduced->signature, &reduced->signature_capacity, count, sizeof *reduced->signature))
    return false;
  reduced->joint_count = 0;
  for (int i = 0; i < count; i++) {
    reduced->signature[i] = sign_body(bodies[i]);
    for (int k = 0; k < reduced->signature[i].joint_count; k++) {
      dJointID joint = dBodyGetJoint(bodies[i], k);
      if (dJointGetBody(joint, 0) && dJointGetBody(joint, 0) != bodies[i])
        continue; // counted with its first body
      if (!reserve(&reduced->joints, &reduced->joint_capacity, reduced->joint_count + 1, sizeof *reduced->joints))
        return false;
      reduced->joints[reduced->joint_count++] = (JointSignature){joint, dJointIsEnabled(joint)};
    }
  }
  reduced->signature_count = count;
  return true;
}

// Allocates memory for what a fallen body needs, so that nothing is allocated at a fall.
static bool reserve_rows(Reduced *reduced) {
  enum { ROWS = 192, LENGTH = 32 };
  return rows_reserve(&reduced->rows, ROWS, ROWS * LENGTH) && lcp_reserve(&reduced->lcp, ROWS) &&
         reserve_contacts(&reduced->contacts, ROWS / 3) &&
         reserve(&reduced->order, &reduced->order_capacity, ROWS, sizeof(int));
}

static bool reserve_numbers(Reduced *reduced) {
  int dofs = reduced->forest.dof_count, bodies = reduced->forest.body_count;
  return reserve(&reduced->u, &reduced->u_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->bias_u, &reduced->bias_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->stiffness, &reduced->stiffness_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->drive, &reduced->drive_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->z, &reduced->z_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->sum, &reduced->sum_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->wrenches, &reduced->wrench_capacity, 6 * bodies, sizeof(double)) &&
         reserve(&reduced->motions, &reduced->motion_capacity, 6 * bodies, sizeof(double)) &&
         reserve(&reduced->contacts.first_past, &reduced->contacts.body_capacity, bodies, sizeof(int)) &&
         reserve(&reduced->island, &reduced->island_capacity, 2 * bodies + 1, sizeof(int));
}

static bool find_trees(Reduced *reduced, const dBodyID bodies[], int count, double h, Error *error) {
  if (is_unchanged(reduced, bodies, count))
    return true;
  reduced->contacts.past_count = 0; // their bodies' indices have changed
  reduced->signature_count = -1;    // until the build has succeeded
  if (!forest_build(&reduced->forest, bodies, count, error))
    return false;
  if (!reserve_numbers(reduced) || !reserve_rows(reduced))
    return error_set(error, "out of memory for the reduced solver");
  forest_read(&reduced->forest, h, reduced->u);
  if (!motors_build(&reduced->motors, &reduced->forest, error))
    return false;
  if (!note_signature(reduced, bodies, count))
    return error_set(error, "out of memory for the reduced solver");
  return true;
}

// Converts contacts to indices of the forest; those between bodies that no force moves are removed.
static void number_contacts(Reduced *reduced) {
  Contacts *contacts = &reduced->contacts;
  int count = 0;
  for (int i = 0; i < contacts->count; i++) {
    ReducedContact *contact = &contacts->contacts[i];
    int body = contact->body < 0 ? -1 : reduced->forest.of_outer[contact->body];
    int other = contact->other < 0 ? -1 : reduced->forest.of_outer[contact->other];
    contact->body = body < 0 ? other : body;
    contact->other = body < 0 ? -1 : other;
    contact->sign = body < 0 ? -1 : 1;
    *contact->feedback = (dJointFeedback){0};
    if (contact->body < 0)
      continue;
    if (count < i)
      contacts->contacts[count] = *contact;
    count++;
  }
  contacts->count = count;
}

// ---- Islands: trees that touch each other are solved together ----

static int island_of(int *island, int root) {
  while (island[root] != root)
    root = island[root] = island[island[root]];
  return root;
}

// Lists the rows island by island in reduced->order, each island's rows in their order.
static void sort_rows(Reduced *reduced) {
  Forest *forest = &reduced->forest;
  Rows *rows = &reduced->rows;
  int *island = reduced->island, *start = island + forest->body_count;
  for (int i = 0; i < forest->body_count; i++)
    island[i] = i;
  for (int i = 0; i < rows->count; i++)
    reduced->order[i] = i;
  if (forest->bodies[forest->body_count - 1].root == 0) // a single tree
    return;
  for (int i = 0; i < rows->count; i++) {
    const Row *row = &rows->rows[i];
    int first = island_of(island, row->root), last = island_of(island, row->other_root);
    island[first > last ? first : last] = first > last ? last : first;
  }
  memset(start, 0, ((size_t)forest->body_count + 1) * sizeof *start);
  for (int i = 0; i < rows->count; i++)
    start[island_of(island, rows->rows[i].root) + 1]++;
  for (int i = 0; i < forest->body_count; i++)
    start[i + 1] += start[i];
  for (int i = 0; i < rows->count; i++)
    reduced->order[start[island_of(island, rows->rows[i].root)]++] = i;
}

// Computes the impulses of all rows, and with them u and the bodies' motions.
static bool solve_rows(Reduced *reduced, bool is_new) {
  const Forest *forest = &reduced->forest;
  Rows *rows = &reduced->rows;
  if (rows->count == 0)
    return true;
  memset(reduced->sum, 0, (size_t)forest->dof_count * sizeof *reduced->sum);
  for (int from = 0, to; from < rows->count; from = to) {
    int label = island_of(reduced->island, rows->rows[reduced->order[from]].root);
    for (to = from; to < rows->count; to++)
      if (island_of(reduced->island, rows->rows[reduced->order[to]].root) != label)
        break;
    bool alone = from == 0 && to == rows->count;
    if (!lcp_solve(&reduced->lcp, rows, &reduced->order[from], to - from, reduced->motions, reduced->sum,
                   is_new || !alone))
      return false;
  }
  for (int k = 0; k < forest->dof_count; k++)
    reduced->z[k] += forest->dofs[k].whitener * reduced->sum[k];
  articulated_spread(forest, reduced->z, reduced->motions, reduced->u);
  return true;
}

// ---- The step ----

// Computes the bias acceleration of all bodies at the present rates.
static void set_bias(Reduced *reduced, double h) {
  forest_move(&reduced->forest, reduced->u, h);
  memcpy(reduced->bias_u, reduced->u, (size_t)reduced->forest.dof_count * sizeof *reduced->u);
}

// Computes u and motions without rows, at the present bias acceleration.
static void move_freely(Reduced *reduced, double h) {
  const Forest *forest = &reduced->forest;
  forest_bring(forest, h, reduced->wrenches);
  articulated_gather(forest, reduced->wrenches, reduced->drive, reduced->z);
  articulated_spread(forest, reduced->z, reduced->motions, reduced->u);
}

static void factor(Reduced *reduced, double h) {
  Forest *forest = &reduced->forest;
  motors_drive(&reduced->motors, forest->dof_count, h, reduced->stiffness, reduced->drive);
  articulated_factor(forest, reduced->stiffness);
  reduced->stats.factorings++;
}

static bool add_rows(Reduced *reduced, dWorldID world, double h) {
  Rows *rows = &reduced->rows;
  rows_clear(rows);
  motors_add_rows(&reduced->motors, rows, &reduced->forest, h);
  contacts_add_rows(&reduced->contacts, rows, &reduced->forest, world, h);
  if (rows->out_of_memory || !reserve(&reduced->order, &reduced->order_capacity, rows->count, sizeof(int)))
    return false;
  contacts_aim(&reduced->contacts, rows, &reduced->forest, h);
  rows_whiten(rows, &reduced->forest);
  sort_rows(reduced);
  return true;
}

// Solves once more with the bias acceleration at the new rates if it has changed: the step is then of second order. The
// comparison uses rates only.
static bool correct_bias(Reduced *reduced, double h) {
  double change = 0, fastest = 0;
  for (int k = 0; k < reduced->forest.dof_count; k++) {
    double now = fabs(reduced->u[k]), before = fabs(reduced->bias_u[k]);
    change = max_d(change, fabs(reduced->u[k] - reduced->bias_u[k]));
    fastest = max_d(fastest, max_d(now, before));
  }
  if (!(h * change * fastest > SAME_BIAS) || !forest_move_again(&reduced->forest, reduced->u, h, SAME_BIAS))
    return true;
  memcpy(reduced->bias_u, reduced->u, (size_t)reduced->forest.dof_count * sizeof *reduced->u);
  move_freely(reduced, h);
  contacts_aim(&reduced->contacts, &reduced->rows, &reduced->forest, h);
  return solve_rows(reduced, false);
}

static bool solve(Reduced *reduced, dWorldID world, double h) {
  for (int round = 1;; round++) {
    factor(reduced, h);
    move_freely(reduced, h);
    if (!add_rows(reduced, world, h) || !solve_rows(reduced, true) || !correct_bias(reduced, h))
      return false;
    if (motors_find_saturated(&reduced->motors, reduced->u, round == MOST_ROUNDS - 1) == 0)
      return true;
  }
}

static void move_kinematic(dBodyID body, double h) {
  const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
  if (v[0] != 0 || v[1] != 0 || v[2] != 0)
    dBodySetPosition(body, x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2]);
  if (w[0] != 0 || w[1] != 0 || w[2] != 0)
    forest_turn(body, w, h);
  dBodySetForce(body, 0, 0, 0);
  dBodySetTorque(body, 0, 0, 0);
}

bool reduced_step(Reduced *reduced, dWorldID world, const dBodyID bodies[], int count, double h, Error *error) {
  if (!find_trees(reduced, bodies, count, h, error))
    return false;
  Forest *forest = &reduced->forest;
  number_contacts(reduced);
  forest_read(forest, h, reduced->u);
  motors_read(&reduced->motors, forest);
  if (forest->dof_count > 0) { // otherwise all bodies are kinematic
    set_bias(reduced, h);
    if (!solve(reduced, world, h))
      return error_set(error, "out of memory for the reduced solver");
  }
  motors_tell(&reduced->motors, &reduced->rows, h);
  contacts_tell(&reduced->contacts, &reduced->rows, forest, h);
  forest_write(forest, reduced->u, reduced->motions, h);
  for (int i = 0; i < count; i++)
    if (forest->of_outer[i] < 0)
      move_kinematic(bodies[i], h);
  reduced->stats.steps++;
  return true;
}

// ---- Saving and restoring ----

// Data derived from the bodies when the trees were built; derived from later poses it would have other rounding.
static void forest_state(Forest *forest, StateStream *stream) {
  state_same(stream, forest->body_count, "bodies in trees");
  state_same(stream, forest->dof_count, "degrees of freedom");
  for (int i = 0; i < forest->body_count && !stream->failed; i++) {
    ForestBody *body = &forest->bodies[i];
    state_finite(stream, body->anchor_l, 3);
    state_finite(stream, body->anchor_parent_l, 3);
    state_finite(stream, body->axis_parent_l, 3);
    state_finite(stream, body->axis_l, 3);
  }
}

static void row_state_state(RowState *state, StateStream *stream) {
  int value = *state;
  state_int(stream, &value, ROW_LOW, ROW_HIGH);
  if (state_restores(stream))
    *state = (RowState)value;
}

static void motors_state(Motors *motors, const Forest *forest, StateStream *stream) {
  state_same(stream, motors->count, "motors");
  for (int i = 0; i < motors->count && !stream->failed; i++) {
    Motor *motor = &motors->motors[i];
    state_int(stream, &motor->first_dof, -1, forest->dof_count - motor->axis_count);
    STATE(stream, motor->stops);
    for (int k = 0; k < motor->axis_count; k++) {
      STATE(stream, motor->axes[k].around_zero, motor->axes[k].saturated);
      row_state_state(&motor->axes[k].state, stream);
    }
  }
}

static void past_contact_state(PastContact *past, int contact_count, int body_count, StateStream *stream) {
  state_int(stream, &past->body, 0, body_count - 1);
  state_int(stream, &past->other, -1, body_count - 1);
  state_int(stream, &past->next, -1, contact_count - 1);
  STATE(stream, past->position, past->impulse, past->smooth_impulse);
  for (int k = 0; k < 3; k++)
    row_state_state(&past->state[k], stream);
  row_state_state(&past->smooth_state, stream);
}

static void contacts_state(Contacts *contacts, const Forest *forest, StateStream *stream) {
  int count = state_count(stream, &contacts->past_count, INT_MAX, sizeof(double));
  if (state_restores(stream) && !reserve_contacts(contacts, count)) {
    state_fail(stream, "out of memory");
    contacts->past_count = 0;
    return;
  }
  for (int i = 0; i < count; i++)
    past_contact_state(&contacts->past[i], count, forest->body_count, stream);
  for (int i = 0; i < forest->body_count && count > 0; i++)
    state_int(stream, &contacts->first_past[i], -1, count - 1);
  if (state_restores(stream) && stream->failed)
    contacts->past_count = 0;
}

// Whether the chains of contacts end: each entry must refer to a later contact.
static bool chains_end(const Contacts *contacts) {
  for (int i = 0; i < contacts->past_count; i++)
    if (contacts->past[i].next >= 0 && contacts->past[i].next <= i)
      return false;
  return true;
}

void reduced_state(Reduced *reduced, const dBodyID bodies[], int count, double h, StateStream *stream) {
  state_section(stream, "reduced", 1);
  STATE(stream, reduced->stats.steps, reduced->stats.factorings, reduced->lcp.factorings, reduced->lcp.solves,
        reduced->lcp.swept);
  bool built = !state_restores(stream) && is_unchanged(reduced, bodies, count);
  STATE(stream, built);
  if (state_restores(stream)) {
    Error error = {0};
    reduced->contacts.count = reduced->contacts.past_count = 0;
    if (built && !stream->failed && !find_trees(reduced, bodies, count, h, &error))
      state_fail(stream, "%s", error.text);
    if (!built || stream->failed)
      reduced->signature_count = -1; // makes the next step rebuild the trees
  }
  if (!built || stream->failed)
    return;
  forest_state(&reduced->forest, stream);
  motors_state(&reduced->motors, &reduced->forest, stream);
  contacts_state(&reduced->contacts, &reduced->forest, stream);
  if (state_restores(stream) && !chains_end(&reduced->contacts))
    state_fail(stream, "contacts are chained in a circle");
  if (stream->failed && state_restores(stream))
    reduced->signature_count = -1;
}
