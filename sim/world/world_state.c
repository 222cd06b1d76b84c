// The state of a world that its description does not contain: the bodies to the last bit, those created at run time,
// the order in which ODE stores shapes (it determines the order of contacts, on which solvers depend), the last step's
// contacts and impulses, and the warm starts of the solvers.
#include "sim/world/world_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/projectile.h"

// ---- Bodies created at run time: balls, which are last, and stand-ins ----

static bool is_ball(const WorldBody *body) { return body->owner == WORLD_NO_OWNER && !body->ground && !body->prop; }

// Number of bodies of the scene, which come first.
static int count_fixed(const World *world) {
  int count = world->body_count;
  while (count > 0 && is_ball(&world->bodies[count - 1]))
    count--;
  return count;
}

typedef struct Made {
  Projectile balls[PROJECTILE_MAX * 4]; // of several throwers
  WorldStandIn stand_ins[WORLD_MAX_STAND_INS];
  int fixed_count, ball_count, stand_in_count;
} Made;

enum { MOST_BALLS = sizeof((Made *)0)->balls / sizeof(Projectile) };

static void read_ball(const World *world, int index, Projectile *ball) {
  const WorldBody *body = &world->bodies[index];
  *ball = (Projectile){
      .mass = body->mass, .radius = dGeomSphereGetRadius(dBodyGetFirstGeom(body->ode)), .event = body->event};
}

static void find_made(const World *world, Made *made) {
  made->fixed_count = count_fixed(world);
  made->ball_count = world->body_count - made->fixed_count;
  made->stand_in_count = world->stand_in_count;
  for (int i = 0; i < made->ball_count && i < MOST_BALLS; i++)
    read_ball(world, made->fixed_count + i, &made->balls[i]);
  memcpy(made->stand_ins, world->stand_ins, (size_t)world->stand_in_count * sizeof *made->stand_ins);
}

// Where a ball is and how it moves is restored with the other bodies.
static void ball_state(Projectile *ball, StateStream *stream) {
  if (state_restores(stream))
    *ball = (Projectile){.mass = 0};
  state_finite(stream, &ball->mass, 1);
  state_finite(stream, &ball->radius, 1);
  STATE(stream, ball->event);
}

static void stand_in_state(WorldStandIn *stand_in, int body_count, int least_before, StateStream *stream) {
  state_int(stream, &stand_in->toucher, -1 - body_count, body_count);
  state_int(stream, &stand_in->platform, 0, body_count - 1);
  state_int(stream, &stand_in->before, least_before, body_count);
}

static void list_state(Made *made, StateStream *stream) {
  state_same(stream, made->fixed_count, "bodies of the scene");
  state_count(stream, &made->ball_count, MOST_BALLS, sizeof(double));
  for (int i = 0; i < made->ball_count; i++)
    ball_state(&made->balls[i], stream);
  int before = 0, bodies = made->fixed_count + made->ball_count;
  state_count(stream, &made->stand_in_count, WORLD_MAX_STAND_INS, sizeof(int));
  for (int i = 0; i < made->stand_in_count; i++) {
    stand_in_state(&made->stand_ins[i], bodies, before, stream);
    before = made->stand_ins[i].before;
  }
}

static bool same_made(const Made *a, const Made *b) {
  if (a->ball_count != b->ball_count || a->stand_in_count != b->stand_in_count)
    return false;
  for (int i = 0; i < a->stand_in_count; i++)
    if (a->stand_ins[i].before != b->stand_ins[i].before)
      return false;
  return true;
}

static void remove_made(World *world, int fixed_count) {
  while (world->body_count > fixed_count) {
    dBodyID ode = world->bodies[--world->body_count].ode;
    dGeomID shape = dBodyGetFirstGeom(ode);
    dBodyDestroy(ode);
    dGeomDestroy(shape);
    world->loose_count--;
  }
  for (int i = 0; i < world->stand_in_count; i++)
    dBodyDestroy(world->stand_ins[i].ode);
  world->stand_in_count = 0;
}

static void make_stand_ins(World *world, const Made *made) {
  while (world->stand_in_count < made->stand_in_count &&
         made->stand_ins[world->stand_in_count].before <= world->body_count) {
    WorldStandIn *stand_in = &world->stand_ins[world->stand_in_count];
    *stand_in = made->stand_ins[world->stand_in_count++];
    stand_in->moving = false;
    stand_in->ode = dBodyCreate(world->ode);
    dBodySetKinematic(stand_in->ode);
  }
}

// Creates them in the original order, which is ODE's order of bodies.
static void make_again(World *world, const Made *made, StateStream *stream) {
  remove_made(world, made->fixed_count);
  make_stand_ins(world, made);
  for (int i = 0; i < made->ball_count; i++) {
    if (projectile_create(world, &made->balls[i]) < 0) {
      state_fail(stream, "a ball is out of range");
      return;
    }
    make_stand_ins(world, made);
  }
}

static void reuse(World *world, const Made *made, StateStream *stream) {
  for (int i = 0; i < made->ball_count; i++)
    if (!projectile_relaunch(world, made->fixed_count + i, &made->balls[i]))
      state_fail(stream, "a ball is out of range");
  for (int i = 0; i < made->stand_in_count; i++) {
    world->stand_ins[i].toucher = made->stand_ins[i].toucher;
    world->stand_ins[i].platform = made->stand_ins[i].platform;
  }
}

static void lists_of_made(World *world, Made *present, Made *made, StateStream *stream) {
  find_made(world, present);
  if (present->ball_count > MOST_BALLS) {
    state_fail(stream, "more than %d balls", MOST_BALLS);
    return;
  }
  *made = *present;
  list_state(made, stream);
  if (!state_restores(stream) || stream->failed)
    return;
  for (int i = 0; i < made->stand_in_count; i++)
    if (made->stand_ins[i].platform >= made->fixed_count || !world->bodies[made->stand_ins[i].platform].ground)
      state_fail(stream, "body %d is no platform", made->stand_ins[i].platform);
  if (stream->failed)
    return;
  if (same_made(present, made))
    reuse(world, made, stream);
  else
    make_again(world, made, stream);
}

static void made_state(World *world, StateStream *stream) {
  Made *lists = malloc(2 * sizeof *lists);
  if (lists)
    lists_of_made(world, &lists[0], &lists[1], stream);
  else
    state_fail(stream, "out of memory");
  free(lists);
}

// ---- Bodies ----

// Where ODE stores the numbers of a body; its setters would normalise a quaternion again.
static double *numbers_at(const dReal *where) { return (double *)where; }

static void set_kinematic(dBodyID body, bool kinematic) {
  if (kinematic == (dBodyIsKinematic(body) != 0))
    return;
  if (kinematic)
    dBodySetKinematic(body);
  else
    dBodySetDynamic(body);
}

static bool is_unit(const double q[4]) {
  return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6;
}

static void body_state(dBodyID body, StateStream *stream) {
  double position[3], rotation[4], numbers[4][3];
  bool kinematic = dBodyIsKinematic(body) != 0;
  const dReal *const places[4] = {dBodyGetLinearVel(body), dBodyGetAngularVel(body), dBodyGetForce(body),
                                  dBodyGetTorque(body)};
  memcpy(position, dBodyGetPosition(body), sizeof position);
  memcpy(rotation, dBodyGetQuaternion(body), sizeof rotation);
  for (int i = 0; i < 4; i++)
    memcpy(numbers[i], places[i], sizeof numbers[i]);
  state_finite(stream, position, 3);
  state_finite(stream, rotation, 4);
  state_finite(stream, numbers[0], 12);
  STATE(stream, kinematic);
  if (!state_restores(stream) || stream->failed)
    return;
  if (!is_unit(rotation)) {
    state_fail(stream, "a rotation is none");
    return;
  }
  set_kinematic(body, kinematic);
  dBodySetPosition(body, position[0], position[1], position[2]); // updates its shapes
  memcpy(numbers_at(dBodyGetQuaternion(body)), rotation, sizeof rotation);
  dQtoR(rotation, numbers_at(dBodyGetRotation(body)));
  for (int i = 0; i < 4; i++)
    memcpy(numbers_at(places[i]), numbers[i], sizeof numbers[i]);
}

static void bodies_state(World *world, StateStream *stream) {
  for (int i = 0; i < world->body_count; i++)
    body_state(world->bodies[i].ode, stream);
  for (int i = 0; i < world->stand_in_count; i++)
    body_state(world->stand_ins[i].ode, stream);
}

// ---- The order of shapes ----
//
// A shape that moves is put at the front of its space's list, unless it has already moved since the space was last
// processed. So the state includes both the order and which of the shapes have moved: those at the front.

enum { MOST_SHAPES = 64, TERRAIN = -1, FIRST_OWNER = -2 }; // of a body; numbers for the terrain and for owners' spaces

// The number of a shape: from its body and its index there; TERRAIN; or a character's space.
static int number_of(const World *world, dGeomID geom) {
  if (dGeomIsSpace(geom)) {
    const WorldBody *body = dBodyGetData(dGeomGetBody(dSpaceGetGeom((dSpaceID)geom, 0)));
    return FIRST_OWNER - body->owner;
  }
  dBodyID ode = dGeomGetBody(geom);
  if (!ode)
    return TERRAIN;
  const WorldBody *body = dBodyGetData(ode);
  int place = 0;
  for (dGeomID shape = dBodyGetFirstGeom(ode); shape != geom; shape = dBodyGetNextGeom(shape))
    place++;
  return (int)(body - world->bodies) * MOST_SHAPES + place;
}

static dSpaceID space_of_owner(const World *world, int owner) {
  for (int i = 0; i < world->body_count; i++)
    if (world->bodies[i].owner == owner)
      return dGeomGetSpace(dBodyGetFirstGeom(world->bodies[i].ode));
  return 0;
}

// The shape for a number given by number_of.
static dGeomID shape_of(const World *world, int number) {
  if (number == TERRAIN)
    return world->ground;
  if (number <= FIRST_OWNER)
    return (dGeomID)space_of_owner(world, FIRST_OWNER - number);
  dGeomID shape = dBodyGetFirstGeom(world->bodies[number / MOST_SHAPES].ode);
  for (int i = 0; i < number % MOST_SHAPES; i++)
    shape = dBodyGetNextGeom(shape);
  return shape;
}

static bool is_still(const dReal *v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

// Whether a shape did not move in the last step. ODE's steppers move all bodies, including resting ones.
static bool has_rested(const World *world, dGeomID geom) {
  if (world->steps == 0)
    return false;
  if (dGeomIsSpace(geom)) {
    for (int i = 0; i < dSpaceGetNumGeoms((dSpaceID)geom); i++)
      if (!has_rested(world, dSpaceGetGeom((dSpaceID)geom, i)))
        return false;
    return true;
  }
  dBodyID body = dGeomGetBody(geom);
  return !body || (world->def.solver == SOLVER_REDUCED && dBodyIsKinematic(body) && is_still(dBodyGetLinearVel(body)) &&
                   is_still(dBodyGetAngularVel(body)));
}

static int compare_numbers(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

// Whether two lists contain the same numbers; sorts both.
static bool same_numbers(int *a, int *b, int count) {
  qsort(a, (size_t)count, sizeof *a, compare_numbers);
  qsort(b, (size_t)count, sizeof *b, compare_numbers);
  return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// Puts a space's shapes in an order in which the first `moved` have moved. A shape that joins a space goes to the front
// and counts as moved until the space is cleaned.
static void put_in_order(const World *world, dSpaceID space, const int *numbers, int count, int moved) {
  while (dSpaceGetNumGeoms(space) > 0)
    dSpaceRemove(space, dSpaceGetGeom(space, 0));
  for (int i = count - 1; i >= 0; i--) {
    dSpaceAdd(space, shape_of(world, numbers[i]));
    if (i == moved)
      dSpaceClean(space);
  }
}

// scratch: 3 lists of the numbers of a space's shapes.
static void order_state(World *world, dSpaceID space, int *scratch, StateStream *stream) {
  int count = dSpaceGetNumGeoms(space), moved = 0;
  int *numbers = scratch, *present = scratch + count, *sorted = scratch + 2 * (size_t)count;
  for (int i = 0; i < count; i++) {
    dGeomID geom = dSpaceGetGeom(space, i);
    numbers[i] = present[i] = number_of(world, geom);
    moved += !has_rested(world, geom);
  }
  state_same(stream, count, "shapes");
  state_int(stream, &moved, 0, count);
  state_bytes(stream, numbers, (size_t)count * sizeof *numbers);
  if (!state_restores(stream) || stream->failed)
    return;
  memcpy(sorted, numbers, (size_t)count * sizeof *numbers);
  if (same_numbers(sorted, present, count))
    put_in_order(world, space, numbers, count, moved);
  else
    state_fail(stream, "shapes are listed that are not there");
}

static int count_shapes(const World *world) {
  int count = dSpaceGetNumGeoms(world->space), most = count;
  for (int i = 0; i < count; i++) {
    dGeomID geom = dSpaceGetGeom(world->space, i);
    int inside = dGeomIsSpace(geom) ? dSpaceGetNumGeoms((dSpaceID)geom) : 0;
    most = inside > most ? inside : most;
  }
  return most;
}

// The spaces of characters first: changes in them bring them to the front of the world's list.
static void orders_state(World *world, StateStream *stream) {
  int *scratch = malloc(3 * (size_t)count_shapes(world) * sizeof *scratch + sizeof *scratch);
  if (!scratch) {
    state_fail(stream, "out of memory");
    return;
  }
  int owner = -1;
  for (int i = 0; i < world->body_count; i++) {
    if (world->bodies[i].owner == WORLD_NO_OWNER || world->bodies[i].owner == owner)
      continue;
    owner = world->bodies[i].owner;
    order_state(world, space_of_owner(world, owner), scratch, stream);
  }
  order_state(world, world->space, scratch, stream);
  free(scratch);
}

// ---- Contacts and impulses of the last step, impulses of the next one ----

static void contact_state(Contact *contact, int body_count, StateStream *stream) {
  state_int(stream, &contact->body, 0, body_count - 1);
  state_int(stream, &contact->other, WORLD_GROUND, body_count - 1);
  STATE(stream, contact->position, contact->normal, contact->depth, contact->approach, contact->impulse);
}

static void impulse_state(Impulse *impulse, int body_count, StateStream *stream) {
  state_int(stream, &impulse->body, 0, body_count - 1);
  state_finite(stream, impulse->point, 3);
  state_finite(stream, impulse->impulse, 3);
  STATE_CHOICE(stream, impulse->source, IMPULSE_CABLE + 1);
  STATE(stream, impulse->event);
  state_int(stream, &impulse->striker, 0, body_count > 0 ? body_count - 1 : 0);
}

static void lists_state(World *world, StateStream *stream) {
  int bodies = world->body_count;
  int count = state_count(stream, &world->contact_count, WORLD_MAX_CONTACTS, sizeof(double));
  for (int i = 0; i < count; i++)
    contact_state(&world->contacts[i], bodies, stream);
  count = state_count(stream, &world->impulse_count, WORLD_MAX_IMPULSES, sizeof(double));
  for (int i = 0; i < count; i++)
    impulse_state(&world->impulses[i], bodies, stream);
  count = state_count(stream, &world->pending_count, WORLD_MAX_IMPULSES, sizeof(double));
  for (int i = 0; i < count; i++)
    impulse_state(&world->pending[i], bodies, stream);
}

// ---- Solvers ----

static void solvers_state(World *world, StateStream *stream) {
  static _Thread_local dBodyID bodies[WORLD_MAX_BODIES + WORLD_MAX_STAND_INS];
  int count = 0;
  for (int i = 0; i < world->body_count; i++)
    bodies[count++] = world->bodies[i].ode;
  for (int i = 0; i < world->stand_in_count; i++)
    bodies[count++] = world->stand_ins[i].ode;
  exact_state(world->exact, bodies, count, stream);

  bool reduced = world->reduced;
  STATE(stream, reduced);
  if (state_restores(stream) && !reduced && world->reduced) {
    reduced_destroy(world->reduced);
    world->reduced = NULL;
  }
  if (reduced && !world->reduced && !stream->failed && !(world->reduced = reduced_create()))
    state_fail(stream, "out of memory");
  if (reduced && !stream->failed)
    reduced_state(world->reduced, bodies, world->body_count, world->def.dt, stream);
}

void world_state(World *world, StateStream *stream) {
  state_section(stream, "world", 2);
  if (world->broken) {
    state_fail(stream, "the run ended in the middle of a step");
    return;
  }
  STATE(stream, world->steps, world->stopped);
  STATE(stream, world->warnings.lcp_messages, world->warnings.contacts_dropped, world->warnings.impulses_refused,
        world->warnings.drives_refused);
  state_text(stream, world->stop_reason, sizeof world->stop_reason);
  made_state(world, stream);
  bodies_state(world, stream);
  orders_state(world, stream);
  lists_state(world, stream);
  state_same(stream, world->rope_count, "ropes");
  for (int i = 0; i < world->rope_count; i++)
    state_finite(stream, world->ropes[i].feedback.f1, 3);
  solvers_state(world, stream);
  if (state_restores(stream) && !stream->failed)
    world->time = (double)world->steps * world->def.dt;
}
