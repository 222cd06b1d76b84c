#include "sim/reduced/reduced.h"

#include <math.h>

#include "sim/reduced/contacts.h"
#include "sim/reduced/lcp.h"
#include "sim/reduced/motors.h"
#include "sim/reduced/spatial.h"

// Motors that turn out to be saturated become rows, and the step begins again; the last time all become rows.
enum { MOST_ROUNDS = 5 };

// Sway is found again with the rates solved for when it would change more than this in a step.
static const double SAME_SWAY = 0.01; // m/s over lengths of 1 m

struct Reduced {
  Forest forest;
  Motors motors;
  Contacts contacts;
  Rows rows;
  Lcp lcp;
  double *matrix, *factor;           // packed
  double *u, *sway_u, *free_u, *sum; // by dof: rates; those that sway is for; without rows; see lcp_solve
  int *island, *order;               // by forest body: where the island of the root begins; by row: see there
  int matrix_capacity, factor_capacity, u_capacity, sway_capacity, free_capacity, sum_capacity;
  int island_capacity, order_capacity;
  int *signature; // what the trees were built from
  int signature_count, signature_capacity;
  ReducedStats stats;
};

Reduced *reduced_create(void) { return calloc(1, sizeof(Reduced)); }

void reduced_free(Reduced *reduced) {
  if (!reduced)
    return;
  forest_free(&reduced->forest);
  motors_free(&reduced->motors);
  contacts_free(&reduced->contacts);
  rows_free(&reduced->rows);
  lcp_free(&reduced->lcp);
  double *numbers[] = {reduced->matrix, reduced->factor, reduced->u, reduced->sway_u, reduced->free_u, reduced->sum};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    free(numbers[i]);
  free(reduced->island);
  free(reduced->order);
  free(reduced->signature);
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

// ---- Trees, found again when bodies or joints are others

static bool note(Reduced *reduced, int *count, int value, bool *same) {
  if (!reserve(&reduced->signature, &reduced->signature_capacity, *count + 1, sizeof *reduced->signature))
    return false;
  if (*count >= reduced->signature_count || reduced->signature[*count] != value)
    *same = false;
  reduced->signature[(*count)++] = value;
  return true;
}

// What a body hangs on, as a number: its joints, how many of them hold, and whether it is moved by hand.
static int joint_signature(dBodyID body) {
  int joints = dBodyGetNumJoints(body), enabled = 0;
  for (int i = 0; i < joints; i++)
    enabled += dJointIsEnabled(dBodyGetJoint(body, i));
  return (joints << 16) + 2 * enabled + dBodyIsKinematic(body);
}

// Whether the trees are still those that were built.
static bool is_unchanged(Reduced *reduced, const dBodyID bodies[], int count, bool *same) {
  int numbers = 0;
  *same = count == reduced->forest.outer_count;
  for (int i = 0; i < count; i++)
    if (!note(reduced, &numbers, joint_signature(bodies[i]), same))
      return false;
  *same = *same && numbers == reduced->signature_count;
  reduced->signature_count = numbers;
  return true;
}

// Memory for what a fall of a body needs, so that it asks for none when it comes.
static bool reserve_rows(Reduced *reduced) {
  enum { ROWS = 192, LENGTH = 32 };
  return rows_reserve(&reduced->rows, ROWS, ROWS * LENGTH, ROWS * LENGTH) && lcp_reserve(&reduced->lcp, ROWS) &&
         reserve_contacts(&reduced->contacts, ROWS / 3) &&
         reserve(&reduced->order, &reduced->order_capacity, ROWS, sizeof(int));
}

static bool reserve_numbers(Reduced *reduced) {
  int dofs = reduced->forest.dof_count, packed = reduced->forest.packed_count;
  return reserve(&reduced->matrix, &reduced->matrix_capacity, packed, sizeof(double)) &&
         reserve(&reduced->factor, &reduced->factor_capacity, packed, sizeof(double)) &&
         reserve(&reduced->u, &reduced->u_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->sway_u, &reduced->sway_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->free_u, &reduced->free_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->sum, &reduced->sum_capacity, dofs, sizeof(double)) &&
         reserve(&reduced->island, &reduced->island_capacity, 2 * reduced->forest.body_count + 1, sizeof(int));
}

static bool find_trees(Reduced *reduced, const dBodyID bodies[], int count, double h, Error *error) {
  bool same;
  if (!is_unchanged(reduced, bodies, count, &same))
    return error_set(error, "out of memory for the reduced solver");
  if (same)
    return true;
  reduced->contacts.past_count = 0; // whose bodies have other numbers now
  reduced->signature_count = 0;     // until all went well
  if (!forest_build(&reduced->forest, bodies, count, error))
    return false;
  if (!reserve_numbers(reduced) || !reserve_rows(reduced))
    return error_set(error, "out of memory for the reduced solver");
  forest_read(&reduced->forest, h, reduced->u);
  if (!motors_build(&reduced->motors, &reduced->forest, error))
    return false;
  return is_unchanged(reduced, bodies, count, &same);
}

// Contacts to the numbers of the forest; those between bodies that no force moves go.
static void number_contacts(Reduced *reduced) {
  Contacts *contacts = &reduced->contacts;
  int count = 0;
  for (int i = 0; i < contacts->count; i++) {
    ReducedContact contact = contacts->contacts[i];
    int body = contact.body < 0 ? -1 : reduced->forest.of_outer[contact.body];
    int other = contact.other < 0 ? -1 : reduced->forest.of_outer[contact.other];
    contact.body = body < 0 ? other : body;
    contact.other = body < 0 ? -1 : other;
    contact.sign = body < 0 ? -1 : 1;
    *contact.feedback = (dJointFeedback){0};
    if (contact.body >= 0)
      contacts->contacts[count++] = contact;
  }
  contacts->count = count;
}

// ---- Islands: trees that touch each other are solved together

static int island_of(int *island, int root) {
  while (island[root] != root)
    root = island[root] = island[island[root]];
  return root;
}

// Lists the rows island by island in reduced->order, each island's in their order.
static void sort_rows(Reduced *reduced) {
  Forest *forest = &reduced->forest;
  Rows *rows = &reduced->rows;
  int *island = reduced->island, *start = island + forest->body_count;
  for (int i = 0; i < forest->body_count; i++)
    island[i] = i;
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

// Impulses of all rows, and with them u from free_u.
static bool solve_rows(Reduced *reduced, bool is_new) {
  const Forest *forest = &reduced->forest;
  Rows *rows = &reduced->rows;
  int dofs = forest->dof_count;
  memset(reduced->sum, 0, (size_t)dofs * sizeof *reduced->sum);
  for (int from = 0, to; from < rows->count; from = to) {
    int label = island_of(reduced->island, rows->rows[reduced->order[from]].root);
    for (to = from; to < rows->count; to++)
      if (island_of(reduced->island, rows->rows[reduced->order[to]].root) != label)
        break;
    bool alone = from == 0 && to == rows->count;
    if (!lcp_solve(&reduced->lcp, rows, &reduced->order[from], to - from, reduced->free_u, reduced->sum,
                   is_new || !alone))
      return false;
  }
  memcpy(reduced->u, reduced->free_u, (size_t)dofs * sizeof *reduced->u);
  if (rows->count == 0)
    return true;
  for (int k = 0; k < dofs; k++)
    reduced->sum[k] *= sqrt(reduced->factor[forest->rows[k].start + forest->rows[k].depth]);
  factor_solve_lower(reduced->factor, forest->rows, dofs, reduced->sum);
  for (int k = 0; k < dofs; k++)
    reduced->u[k] += reduced->sum[k];
  return true;
}

// ---- The step

static void copy(double *to, const double *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

// The sway of all bodies at these rates.
static void set_sway(Reduced *reduced, const double *u, double h) {
  forest_move(&reduced->forest, u, h);
  copy(reduced->sway_u, u, reduced->forest.dof_count);
}

// The rates without rows, at the present sway; the matrix is factored.
static void move_freely(Reduced *reduced, double h) {
  const Forest *forest = &reduced->forest;
  forest_project(&reduced->forest, h, reduced->free_u);
  motors_push(&reduced->motors, h, reduced->free_u);
  factor_solve(reduced->factor, forest->rows, forest->dof_count, reduced->free_u);
}

static void factor_matrix(Reduced *reduced, double h) {
  const Forest *forest = &reduced->forest;
  copy(reduced->factor, reduced->matrix, forest->packed_count);
  motors_stiffen(&reduced->motors, forest, h, reduced->factor);
  factor_packed(reduced->factor, forest->rows, forest->dof_count);
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
  memset(reduced->sum, 0, (size_t)reduced->forest.dof_count * sizeof *reduced->sum);
  rows_whiten(rows, &reduced->forest, reduced->factor, reduced->sum);
  sort_rows(reduced);
  return true;
}

// Solves once more with the sway at the rates found, if that is another one: the step is of second order then.
static bool correct_sway(Reduced *reduced, double h) {
  double change = 0, fastest = 0;
  for (int k = 0; k < reduced->forest.dof_count; k++) {
    double now = fabs(reduced->u[k]), before = fabs(reduced->sway_u[k]);
    change = fmax(change, fabs(reduced->u[k] - reduced->sway_u[k]));
    fastest = fmax(fastest, fmax(now, before));
  }
  if (!(h * change * fastest > SAME_SWAY))
    return true;
  set_sway(reduced, reduced->u, h);
  move_freely(reduced, h);
  contacts_aim(&reduced->contacts, &reduced->rows, &reduced->forest, h);
  return solve_rows(reduced, false);
}

static bool solve(Reduced *reduced, dWorldID world, double h) {
  for (int round = 1;; round++) {
    factor_matrix(reduced, h);
    move_freely(reduced, h);
    if (!add_rows(reduced, world, h) || !solve_rows(reduced, true) || !correct_sway(reduced, h))
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
  forest_mass(forest, reduced->matrix);
  motors_read(&reduced->motors, forest);
  set_sway(reduced, reduced->u, h);
  if (!solve(reduced, world, h))
    return error_set(error, "out of memory for the reduced solver");
  motors_tell(&reduced->motors, &reduced->rows, reduced->u, h);
  contacts_tell(&reduced->contacts, &reduced->rows, forest, h);
  forest_write(forest, reduced->matrix, reduced->u, h);
  for (int i = 0; i < count; i++)
    if (forest->of_outer[i] < 0)
      move_kinematic(bodies[i], h);
  reduced->stats.steps++;
  return true;
}
