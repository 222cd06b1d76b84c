// A step of the world: collision, contacts, queued impulses, the solver, impulses of contacts, and the check of limits;
// inside a net that catches ODE's errors.
#include "sim/world/world.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/ode_net.h"
#include "sim/world/platform_contact.h"
#include "sim/world/rope.h"
#include "sim/world/world_ahead.h"
#include "sim/world/world_internal.h"

PARAM_TABLE(world_params, WorldDef, WORLD_PARAMS, "world", "The physical world and how it is stepped.")

// Error reduction and softness of ODE's own constraints (not of contacts). The tiny softness keeps the exact stepper's
// matrix well conditioned without a visible gap.
static const double JOINT_ERP = 0.2, JOINT_CFM = 1e-9;

// m/s: bodies that approach each other faster than this hit each other. The jitter of resting contacts is far below.
static const double HIT_APPROACH = 0.5;

// ODE's working memory for a step, allocated at once so that a fall with many contacts allocates no more. Only the used
// part becomes resident.
enum { STEP_MEMORY = 8 << 20 }; // bytes, enough for some 500 constraint rows in one island

void world_retune(World *world, const WorldDef *def) {
  double dt = world->def.dt;
  world->def = *def;
  world->def.dt = dt;
  dWorldSetGravity(world->ode, def->gravity[0], def->gravity[1], def->gravity[2]);
  dWorldSetQuickStepNumIterations(world->ode, def->iterations);
  dWorldSetContactMaxCorrectingVel(world->ode, def->correction_speed);
}

World *world_create(const WorldDef *def, const Terrain *terrain, uint64_t seed, Error *error) {
  World *world = ode_prepare() ? calloc(1, sizeof *world) : NULL;
  if (world && !(world->exact = exact_create())) {
    free(world);
    world = NULL;
  }
  if (!world) {
    error_set(error, "out of memory for the physical world");
    return NULL;
  }
  world->def = *def;
  world->terrain = terrain;
  world->seed = seed;
  world->ode = dWorldCreate();
  // Each world has its own threading implementation, since worlds that share ODE's default one crash when stepped in
  // two threads.
  world->threading = dThreadingAllocateSelfThreadedImplementation();
  dWorldSetStepThreadingImplementation(world->ode, dThreadingImplementationGetFunctions(world->threading),
                                       world->threading);
  dWorldSetERP(world->ode, JOINT_ERP);
  dWorldSetCFM(world->ode, JOINT_CFM);
  world_retune(world, def);
  dWorldSetAutoDisableFlag(world->ode, 0);
  dWorldStepReserveInfo reserve = {sizeof reserve, dWORLDSTEP_RESERVEFACTOR_DEFAULT, STEP_MEMORY};
  dWorldSetStepMemoryReservationPolicy(world->ode, &reserve);
  world->space = dSimpleSpaceCreate(0);
  dSpaceSetCleanup(world->space, 1);
  world->contact_group = dJointGroupCreate(0);
  world->ray = dCreateRay(0, 1);
  world_ahead_create(world);
  if (terrain)
    world->ground = terrain_add_geom(terrain, world->space);
  return world;
}

// ODE cannot destroy a world whose step was left unfinished (its job lists are not empty): such a world is kept in this
// list, unused, until the process ends.
static World *broken_worlds;

void world_destroy(World *world) {
  if (!world)
    return;
  if (world->broken) {
    world->next_broken = broken_worlds;
    broken_worlds = world;
    return;
  }
  dJointGroupDestroy(world->contact_group);
  dGeomDestroy(world->ray);
  world_ahead_destroy(world);
  dSpaceDestroy(world->space);
  dWorldDestroy(world->ode);
  dThreadingFreeImplementation(world->threading);
  exact_destroy(world->exact);
  reduced_destroy(world->reduced);
  free(world);
}

int world_add_body(World *world, WorldBody body) {
  if (world->body_count == WORLD_MAX_BODIES)
    return -1;
  dMass mass;
  dBodyGetMass(body.ode, &mass);
  body.mass = mass.mass;
  int index = world->body_count++;
  world->bodies[index] = body;
  if (body.owner == WORLD_NO_OWNER && !body.ground)
    world->loose[world->loose_count++] = index;
  dBodySetData(body.ode, &world->bodies[index]);
  return index;
}

bool world_apply_impulse(World *world, const Impulse *impulse) {
  bool body_exists = impulse->body >= 0 && impulse->body < world->body_count;
  if (!body_exists || !finite3(impulse->point) || !finite3(impulse->impulse) ||
      world->pending_count == WORLD_MAX_IMPULSES) {
    world->warnings.impulses_refused++;
    return false;
  }
  world->pending[world->pending_count++] = *impulse;
  return true;
}

static const WorldBody *body_of_geom(dGeomID geom) {
  dBodyID body = dGeomGetBody(geom);
  return body ? dBodyGetData(body) : NULL;
}

static bool may_touch(const WorldBody *a, const WorldBody *b) {
  if (!a && !b)
    return false;
  if (a && b && ((a->passes && b->owner != WORLD_NO_OWNER) || (b->passes && a->owner != WORLD_NO_OWNER)))
    return false;
  if (!a || !b || a->owner != b->owner || a->owner == WORLD_NO_OWNER)
    return true;
  return a->collides && a->collides[b->part];
}

bool world_is_moved(const WorldBody *body) { return body && !dBodyIsKinematic(body->ode); }

bool world_bodies_collide(const WorldBody *a, const WorldBody *b) {
  return may_touch(a, b) && (world_is_moved(a) || world_is_moved(b));
}

// The speed at which two bodies (b may be NULL) approach each other at a point, along the normal out of b.
static double approach_speed(const WorldBody *a, const WorldBody *b, const double point[3], const double normal[3]) {
  dVector3 velocity, other = {0};
  dBodyGetPointVel(a->ode, point[0], point[1], point[2], velocity);
  if (b)
    dBodyGetPointVel(b->ode, point[0], point[1], point[2], other);
  double speed = 0;
  for (int i = 0; i < 3; i++)
    speed -= (velocity[i] - other[i]) * normal[i];
  return speed;
}

static void stop_without_memory(World *world) {
  world->stopped = true;
  snprintf(world->stop_reason, sizeof world->stop_reason, "out of memory for a step with %d contacts",
           world->contact_count);
}

bool world_join(World *world, const WorldBody *a, const WorldBody *b, dBodyID second, const dContact *contact,
                dJointFeedback *feedback) {
  if (world->def.solver == SOLVER_REDUCED) {
    int other = b && b->ode == second ? (int)(b - world->bodies) : -1;
    return reduced_add_contact(world->reduced, (int)(a - world->bodies), other, a->ode, second, contact, feedback);
  }
  if (world->def.solver == SOLVER_STEP && world->def.motor_limits == LIMITS_REACHED)
    return exact_add_contact(world->exact, a->ode, second, contact, feedback);
  dJointID joint = dJointCreateContact(world->ode, world->contact_group, contact);
  dJointAttach(joint, a->ode, second);
  dJointSetFeedback(joint, feedback);
  return true;
}

static bool is_ground(const WorldBody *body) { return !body || body->ground; }

// Ground comes second; where both are, what forces do not move.
static bool comes_second(const WorldBody *a, const WorldBody *b) {
  return is_ground(a) && !(is_ground(b) && world_is_moved(a));
}

// Makes a contact joint whose first body is ground only where both are, so that its feedback's first force is that on
// `body`.
static void add_contact(World *world, const WorldBody *a, const WorldBody *b, dContact *joint_def) {
  if (world->contact_count == WORLD_MAX_CONTACTS) {
    world->warnings.contacts_dropped++;
    return;
  }
  if (comes_second(a, b)) {
    const WorldBody *ground = a;
    a = b;
    b = ground;
    for (int i = 0; i < 3; i++)
      joint_def->geom.normal[i] = -joint_def->geom.normal[i];
  }
  int index = world->contact_count++;
  bool stands = b && b->ground && !world_is_moved(b);
  dBodyID second = stands ? platform_contact(world, a, b, joint_def) : b ? b->ode : 0;
  if (!world_join(world, a, b, second, joint_def, &world->contact_feedback[index]))
    stop_without_memory(world);
  Contact *contact = &world->contacts[index];
  contact->body = (int)(a - world->bodies);
  contact->other = b ? (int)(b - world->bodies) : WORLD_GROUND;
  contact->depth = joint_def->geom.depth;
  for (int i = 0; i < 3; i++) {
    contact->position[i] = joint_def->geom.pos[i];
    contact->normal[i] = joint_def->geom.normal[i];
  }
  contact->approach = approach_speed(a, b, contact->position, contact->normal);
}

// A platform's own friction, or the world's.
static double friction_between(const World *world, const WorldBody *a, const WorldBody *b) {
  const WorldBody *ground = b && b->ground ? b : a->ground ? a : NULL;
  return ground && ground->friction >= 0 ? ground->friction : world->def.friction;
}

static void add_contacts(World *world, const WorldBody *a, const WorldBody *b, dContact contacts[], int count) {
  for (int i = 0; i < count; i++) {
    dSurfaceParameters *surface = &contacts[i].surface;
    surface->mode |= dContactApprox1 | dContactSoftERP | dContactSoftCFM;
    surface->mu = friction_between(world, a, b);
    surface->soft_erp = world->def.contact_erp;
    surface->soft_cfm = world->def.contact_cfm;
    add_contact(world, a, b, &contacts[i]);
  }
}

static void collide_shapes(World *world, dGeomID geom_a, const WorldBody *a, dGeomID geom_b, const WorldBody *b) {
  if (!world_bodies_collide(a, b))
    return;
  dContact contacts[WORLD_PAIR_CONTACTS];
  assert(world->def.contacts_per_pair <= WORLD_PAIR_CONTACTS);
  int count = dCollide(geom_a, geom_b, world->def.contacts_per_pair, &contacts[0].geom, sizeof contacts[0]);
  for (int i = 0; i < count; i++)
    contacts[i].surface.mode = 0;
  add_contacts(world, a, b, contacts, count);
}

static void collide_pair(void *world, dGeomID a, dGeomID b) {
  if (dGeomIsSpace(a) || dGeomIsSpace(b))
    dSpaceCollide2(a, b, world, collide_pair);
  else
    collide_shapes(world, a, body_of_geom(a), b, body_of_geom(b));
}

// A shape of an owner and the box around it, lowest and highest x, y and z.
typedef struct OwnShape {
  dGeomID geom;
  const WorldBody *body;
  double box[6];
} OwnShape;

// Heights first: parts that stand on one another are most often apart by them.
static inline bool boxes_meet(const double a[6], const double b[6]) {
  return !(a[2] > b[3] || a[3] < b[2] || a[0] > b[1] || a[1] < b[0] || a[4] > b[5] || a[5] < b[4]);
}

// Collides the shapes of an owner with each other, in the order of dSpaceCollide, which asks more of each pair.
static void collide_own(World *world, dSpaceID space) {
  enum { MOST = 64 };
  OwnShape shapes[MOST];
  const int count = dSpaceGetNumGeoms(space);
  if (count > MOST) {
    dSpaceCollide(space, world, collide_pair);
    return;
  }
  for (int i = 0; i < count; i++) {
    shapes[i].geom = dSpaceGetGeom(space, i);
    shapes[i].body = body_of_geom(shapes[i].geom);
    dGeomGetAABB(shapes[i].geom, shapes[i].box);
  }
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count; k++)
      if (boxes_meet(shapes[i].box, shapes[k].box) && shapes[i].body != shapes[k].body)
        collide_shapes(world, shapes[i].geom, shapes[i].body, shapes[k].geom, shapes[k].body);
}

// Makes contacts ahead of time for bodies so fast that a step could bring them deep into the terrain.
static void collide_ahead(World *world) {
  dContact contacts[WORLD_PAIR_CONTACTS];
  const double way = world_way_ahead(world);
  for (int i = 0; i < world->body_count && way >= WORLD_AHEAD_WAY; i++) {
    const WorldBody *body = &world->bodies[i];
    if (!world_is_moved(body))
      continue;
    for (dGeomID shape = dBodyGetFirstGeom(body->ode); shape; shape = dBodyGetNextGeom(shape)) {
      int count = world_contacts_ahead(world, shape, way, contacts, WORLD_PAIR_CONTACTS);
      add_contacts(world, body, NULL, contacts, count);
    }
  }
}

// Collides all pairs: owners with each other and the ground, then each owner with itself.
static void collide(World *world) {
  world->contact_count = 0;
  dSpaceCollide(world->space, world, collide_pair);
  int count = dSpaceGetNumGeoms(world->space);
  for (int i = 0; i < count; i++) {
    dGeomID geom = dSpaceGetGeom(world->space, i);
    if (dGeomIsSpace(geom))
      collide_own(world, (dSpaceID)geom);
  }
  collide_ahead(world);
}

static void apply_pending(World *world) {
  double per_second = 1 / world->def.dt;
  for (int i = 0; i < world->pending_count; i++) {
    const Impulse *p = &world->pending[i];
    dBodyAddForceAtPos(world->bodies[p->body].ode, p->impulse[0] * per_second, p->impulse[1] * per_second,
                       p->impulse[2] * per_second, p->point[0], p->point[1], p->point[2]);
    world->impulses[i] = *p;
  }
  world->impulse_count = world->pending_count;
  world->pending_count = 0;
}

// Contacts made ahead of time that were not reached in the step are removed.
static void read_contact_impulses(World *world) {
  int count = 0;
  for (int i = 0; i < world->contact_count; i++) {
    Contact *contact = &world->contacts[i];
    for (int k = 0; k < 3; k++)
      contact->impulse[k] = world->contact_feedback[i].f1[k] * world->def.dt;
    if (contact->depth >= 0 || length3(contact->impulse) > 0)
      world->contacts[count++] = *contact;
  }
  world->contact_count = count;
}

// The impulse of this step on a body from an event; a new entry when there is none yet.
static Impulse *find_hit(World *world, int first, int body, int event) {
  for (int i = first; i < world->impulse_count; i++)
    if (world->impulses[i].body == body && world->impulses[i].event == event)
      return &world->impulses[i];
  if (world->impulse_count == WORLD_MAX_IMPULSES) {
    world->warnings.impulses_refused++;
    return NULL;
  }
  Impulse *hit = &world->impulses[world->impulse_count++];
  *hit = (Impulse){.body = body, .source = IMPULSE_CONTACT, .event = event};
  return hit;
}

// Adds a contact's impulse to that on one of its bodies. sign: 1 for `body` of the contact, -1 for `other`. The point
// is the mean over the contacts, weighted by magnitude.
static void add_hit(World *world, int first, const Contact *contact, double sign) {
  int struck = sign > 0 ? contact->body : contact->other, striker = sign > 0 ? contact->other : contact->body;
  const WorldBody *by = &world->bodies[striker];
  double size = length3(contact->impulse);
  if (world->bodies[struck].owner == WORLD_NO_OWNER || !(size > 0))
    return;
  int event = by->owner == WORLD_NO_OWNER ? by->event : -2 - by->owner;
  Impulse *hit = find_hit(world, first, struck, event);
  if (!hit)
    return;
  double share = size / (size + length3(hit->impulse));
  hit->striker = striker;
  for (int k = 0; k < 3; k++) {
    hit->point[k] += share * (contact->position[k] - hit->point[k]);
    hit->impulse[k] += sign * contact->impulse[k];
  }
}

// Appends the impulses on owned bodies from bodies of other owners or without one.
static void collect_hits(World *world) {
  int first = world->impulse_count;
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    if (contact->other == WORLD_GROUND || !(contact->approach > HIT_APPROACH))
      continue;
    if (world->bodies[contact->other].ground ||
        world->bodies[contact->body].owner == world->bodies[contact->other].owner)
      continue;
    add_hit(world, first, contact, 1);
    add_hit(world, first, contact, -1);
  }
}

// Whether a part of a character is so far below all ground that it must have fallen off.
static bool has_fallen_off(const World *world, int body, double height) {
  return world->terrain && world->bodies[body].owner != WORLD_NO_OWNER &&
         height < world->terrain->lowest - WORLD_FALL_LIMIT;
}

static void stop_fallen(World *world, int body) {
  world->stopped = true;
  snprintf(world->stop_reason, sizeof world->stop_reason,
           "fallen off the terrain at %.4f s: %s is %g m below its lowest place", world->time, world->bodies[body].name,
           WORLD_FALL_LIMIT);
}

// Comparisons are written so that NaN makes them false.
static void check_bodies(World *world) {
  double speed_limit = world->def.max_speed * world->def.max_speed;
  double spin_limit = world->def.max_angular_speed * world->def.max_angular_speed;
  for (int i = 0; i < world->body_count; i++) {
    dBodyID body = world->bodies[i].ode;
    const dReal *p = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    double speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    double spin = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    if (has_fallen_off(world, i, p[1])) {
      stop_fallen(world, i);
      return;
    }
    if (speed <= speed_limit && spin <= spin_limit && isfinite(p[0] + p[1] + p[2]))
      continue;
    world->stopped = true;
    snprintf(world->stop_reason, sizeof world->stop_reason,
             "runaway at %.4f s: %s moves at %.3g m/s and turns at %.3g rad/s (allowed %g and %g)", world->time,
             world->bodies[i].name, sqrt(speed), sqrt(spin), world->def.max_speed, world->def.max_angular_speed);
    return;
  }
}

// A seed for QuickStep's shuffling that depends only on the scene's seed and the step.
static unsigned long shuffle_seed(const World *world) {
  return (unsigned long)((world->seed + (uint64_t)world->steps) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

static int list_bodies(const World *world, dBodyID bodies[WORLD_MAX_BODIES]) {
  for (int i = 0; i < world->body_count; i++)
    bodies[i] = world->bodies[i].ode;
  return world->body_count;
}

static bool step_exactly(World *world) {
  if (world->def.motor_limits == LIMITS_ALWAYS)
    return ode_step(world->ode, world->def.dt);
  dBodyID *bodies = world->listed;
  int count = list_bodies(world, bodies);
  for (int i = 0; i < world->stand_in_count; i++)
    bodies[count++] = world->stand_ins[i].ode;
  return exact_step(world->exact, world->ode, world->contact_group, bodies, count, world->def.dt);
}

// The reduced solver's step. False when it fails: stop_reason has the cause.
static bool step_reduced(World *world) {
  Error error;
  error_clear(&error);
  int count = list_bodies(world, world->listed);
  if (reduced_step(world->reduced, world->ode, world->listed, count, world->def.dt, &error))
    return true;
  snprintf(world->stop_reason, sizeof world->stop_reason, "world.solver: %s", error.text);
  return false;
}

// Makes the step with the chosen solver.
static void step_bodies(World *world) {
  bool done;
  if (world->def.solver == SOLVER_REDUCED) {
    world->stopped = !step_reduced(world);
    return;
  }
  if (world->def.solver == SOLVER_ITERATIVE) {
    dRandSetSeed(shuffle_seed(world));
    done = ode_quick_step(world->ode, world->def.dt);
  } else {
    done = step_exactly(world);
  }
  if (!done)
    stop_without_memory(world);
}

static void step_inside(void *context) {
  World *world = context;
  collide(world);
  if (!ropes_pull(world))
    stop_without_memory(world);
  apply_pending(world);
  if (!world->stopped)
    step_bodies(world);
  platform_contacts_end(world);
  read_contact_impulses(world);
  collect_hits(world);
  dJointGroupEmpty(world->contact_group);
}

// False when ODE failed, or was interrupted.
static bool step_guarded(World *world) {
  return ode_guard(step_inside, world, &world->warnings.lcp_messages, world->stop_reason, sizeof world->stop_reason);
}

// ODE's random numbers, by which the iterative solver shuffles its rows, are one sequence for the whole process: worlds
// of other threads wait, otherwise the rows would be shuffled by chance.
static bool step_iteratively(World *world) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const bool good = step_guarded(world);
  pthread_mutex_unlock(&lock);
  return good;
}

bool world_step(World *world) {
  if (world->stopped)
    return false;
  if (world->def.solver == SOLVER_REDUCED && !world->reduced && !(world->reduced = reduced_create())) {
    world->stopped = true;
    snprintf(world->stop_reason, sizeof world->stop_reason, "out of memory for the reduced solver");
    return false;
  }
  if (!(world->def.solver == SOLVER_ITERATIVE ? step_iteratively(world) : step_guarded(world))) {
    world->stopped = world->broken = true;
    return false;
  }
  if (world->stopped) // nothing has moved
    return false;
  world->steps++;
  world->time = (double)world->steps * world->def.dt;
  check_bodies(world);
  return !world->stopped;
}

// FNV-1a over 64-bit words.
static inline uint64_t hash_words(uint64_t hash, const dReal *numbers, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x100000001B3);
    hash ^= hash >> 29; // lets high bits affect low ones
  }
  return hash;
}

uint64_t world_hash(const World *world) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (int i = 0; i < world->body_count; i++) {
    dBodyID body = world->bodies[i].ode;
    hash = hash_words(hash, dBodyGetPosition(body), 3);
    hash = hash_words(hash, dBodyGetQuaternion(body), 4);
    hash = hash_words(hash, dBodyGetLinearVel(body), 3);
    hash = hash_words(hash, dBodyGetAngularVel(body), 3);
  }
  return hash;
}
