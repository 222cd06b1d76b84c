// The physical world: ODE's world and space, one step of it, the contacts and impulses of the last step, and the
// containment that keeps bad numbers out and stops a run that runs away. Y up, SI units, double precision.
#ifndef STAGGER_SIM_WORLD_WORLD_H
#define STAGGER_SIM_WORLD_WORLD_H

#include <ode/ode.h>
#include <stdint.h>

#include "sim/base/param.h"
#include "sim/reduced/reduced.h"
#include "sim/terrain/terrain.h"
#include "sim/world/exact.h"

typedef enum LimitsWhen { LIMITS_REACHED, LIMITS_ALWAYS } LimitsWhen;
typedef enum Solver { SOLVER_STEP, SOLVER_ITERATIVE, SOLVER_REDUCED } Solver;

#define WORLD_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, dt, "1/240", 0.0001, 0.02, "s", "Length of one physics step.")                                          \
  ROW(T, VECTOR, gravity, "[0, -9.81, 0]", -100, 100, "m/s^2", "Acceleration of free fall.")                           \
  ROW(T, CHOICE, solver, "step", 0, 0, "step|iterative|reduced",                                                       \
      "ODE's exact stepper; QuickStep, reseeded every step; or reduced coordinates on ODE's bodies: the fast one.")    \
  ROW(T, CHOICE, motor_limits, "reached", 0, 0, "reached|always",                                                      \
      "step: limits of motors and friction are part of a solution where they are near, or always, which is slower.")   \
  ROW(T, INT, iterations, "50", 5, 500, "-", "iterative: iterations per step.")                                        \
  ROW(T, REAL, friction, "0.9", 0, 10, "-", "Coulomb friction of all contacts.")                                       \
  ROW(T, REAL, contact_erp, "0.2", 0, 0.8, "-", "Share of a contact's depth that is corrected in one step.")           \
  ROW(T, REAL, contact_cfm, "1e-5", 1e-7, 1e-2, "s/kg", "Softness of contacts; 0 makes redundant contacts blow up.")   \
  ROW(T, REAL, correction_speed, "1", 0.01, 100, "m/s", "Largest speed at which a penetration is pushed out.")         \
  ROW(T, INT, contacts_per_pair, "4", 1, 16, "-", "Most contacts between two shapes.")                                 \
  ROW(T, REAL, max_speed, "100", 1, 1000, "m/s", "A part faster than this stops the run as a runaway.")                \
  ROW(T, REAL, max_angular_speed, "500", 1, 10000, "rad/s", "A part that spins faster than this stops the run.")

typedef struct WorldDef {
  WORLD_PARAMS(PARAM_FIELD, WorldDef)
} WorldDef;

extern const ParamTable world_params;

enum {
  WORLD_MAX_BODIES = 5120,
  WORLD_MAX_CONTACTS = 16384,
  WORLD_MAX_IMPULSES = 256,
  WORLD_MAX_PLATFORMS = 64,
  WORLD_MAX_STAND_INS = 1024,
  WORLD_AHEAD_KINDS = 3,
  WORLD_GROUND = -1, // stands for the terrain where a body's index is expected
};

// What a body belongs to, so that contacts and impulses can be told apart.
typedef struct WorldBody {
  dBodyID ode;
  int owner;            // index of the character, or WORLD_NO_OWNER: such bodies touch everything
  int part;             // index of the part in its owner
  int event;            // without owner: the happening that its hits belong to, see Impulse
  const char *name;     // of the part
  const bool *collides; // by part: which parts of the same owner it may touch; NULL: none
  double mass;          // kg
  bool ground;          // without owner: counts as ground, what touches it stands on it, see sim/world/platform.h
  bool prop;            // without owner: see sim/world/prop.h
} WorldBody;

enum { WORLD_NO_OWNER = -1 };

// m below the lowest place of the terrain at which a character has fallen off it, which ends the run.
#define WORLD_FALL_LIMIT 20.0

// A box that is ground, as rays see it.
typedef struct WorldPlatform {
  int body;
  double half[3], radius;                             // m, of the box and of the ball around it
  const dReal *position, *rotation, *velocity, *spin; // of the body, where ODE keeps them
} WorldPlatform;

// What a character, or another body, touches in place of a platform: see sim/world/platform_contact.h.
typedef struct WorldStandIn {
  int toucher;  // owner, or -1 - index of a body without one
  int platform; // index of its body
  int before;   // it was made when the world had so many bodies
  dBodyID ode;
  bool moving; // in this step
} WorldStandIn;

// A contact of the last step. The impulse is what `body` received (`other` received the opposite).
typedef struct Contact {
  int body, other;               // indices into bodies; other may be WORLD_GROUND; a body that is ground is the other
  double position[3], normal[3]; // world; the normal points out of `other` toward `body`
  double depth;                  // m; below 0 when it is made ahead of time, see sim/world/world_ahead.h
  double approach;               // m/s at which the two came together there before the step, along the normal
  double impulse[3];             // N s in this step
} Contact;

// What a ray met.
typedef struct WorldHit {
  int body;                   // index into bodies, or WORLD_GROUND
  double point[3], normal[3]; // world; the unit normal points out of what was hit
  double distance;            // m along the ray
} WorldHit;

typedef enum ImpulseSource {
  IMPULSE_BULLET,
  IMPULSE_PUSH,
  IMPULSE_CONTACT, // found by world_step among the contacts, see there
  IMPULSE_DRAG,    // the user's steady pull: no hit
} ImpulseSource;

// An impulse of one step.
typedef struct Impulse {
  int body;          // index into bodies
  double point[3];   // world, m
  double impulse[3]; // world, N s
  ImpulseSource source;
  int event;   // which happening it belongs to: impulses spread over several steps carry the same number
  int striker; // IMPULSE_CONTACT: the body that gave it, one of those that did
} Impulse;

// What went wrong without stopping the run, counted.
typedef struct WorldWarnings {
  long lcp_messages;     // ODE's "LCP internal error" and other messages
  long contacts_dropped; // more than WORLD_MAX_CONTACTS in a step
  long impulses_refused; // not finite, or more than WORLD_MAX_IMPULSES in a step
  long drives_refused;   // targets of drives or assists that were not finite, and were ignored
} WorldWarnings;

typedef struct World {
  WorldDef def;
  dWorldID ode;
  dSpaceID space;
  dGeomID ground;                   // the terrain's; NULL without
  dGeomID ray;                      // for casts, in no space: no step ever sees it
  dGeomID ahead[WORLD_AHEAD_KINDS]; // in no space either: see sim/world/world_ahead.h
  dJointGroupID contact_group;
  dThreadingImplementationID threading;
  Exact *exact;
  Reduced *reduced; // made by the first step that needs it
  const Terrain *terrain;
  uint64_t seed;
  long steps;  // done so far
  double time; // s, steps * dt
  WorldBody bodies[WORLD_MAX_BODIES];
  int body_count;
  int loose[WORLD_MAX_BODIES]; // those without owner that are not ground
  int loose_count;
  WorldPlatform platforms[WORLD_MAX_PLATFORMS];
  int platform_count;
  WorldStandIn stand_ins[WORLD_MAX_STAND_INS];
  int stand_in_count;
  Contact contacts[WORLD_MAX_CONTACTS]; // of the last step
  dJointFeedback contact_feedback[WORLD_MAX_CONTACTS];
  int contact_count;
  const Contact *picked[WORLD_MAX_CONTACTS]; // for whoever looks through the contacts, while he does
  Impulse impulses[WORLD_MAX_IMPULSES];      // of the last step
  int impulse_count;
  Impulse pending[WORLD_MAX_IMPULSES]; // for the next step
  int pending_count;
  dBodyID listed[WORLD_MAX_BODIES + WORLD_MAX_STAND_INS]; // of the present step, for its solver
  WorldWarnings warnings;
  bool stopped;
  char stop_reason[256];
  bool broken;               // ODE was left in the middle of a step
  struct World *next_broken; // see world_destroy
} World;

// The terrain stays the caller's and must outlive the world. NULL and an error when ODE cannot be set up.
World *world_create(const WorldDef *def, const Terrain *terrain, uint64_t seed, Error *error);
void world_destroy(World *world);

// Takes over another description between two steps, all but dt, which everything that runs has counted with.
void world_retune(World *world, const WorldDef *def);

// Registers a body that the caller made in world->ode with geoms in world->space or, so that they can touch each other,
// those of one owner in a sub-space of it. `body` is filled in but for mass, which is read from ODE. Returns its index,
// or -1 when the world is full.
int world_add_body(World *world, WorldBody body);

// Queues an impulse for the next step, applied as a force over that step. False, counted, and nothing queued when a
// number is not finite, the body does not exist, or the list is full.
bool world_apply_impulse(World *world, const Impulse *impulse);

// One step: collide, contacts, queued impulses, ODE's step, contact impulses, check. Allocates nothing of its own
// but for the first touch of a platform.
// What an owned body got by being run into, or by running into another one, is added to the impulses as
// IMPULSE_CONTACT: all contacts with bodies of another owner, or without one, at which the two came together at more
// than 0.5 m/s, summed by event. The event is that of a body without owner; an owner's are all one, with a number below
// -1 of its own. What lies, rolls or is squeezed between others does not approach, however hard it presses: no hit. Nor
// is anything that a body which is ground does.
// These impulses are among the contacts already.
// Returns false when the run is stopped: some number is not finite, some part moves too fast, a part of a character is
// WORLD_FALL_LIMIT below the terrain, or there is no memory for the step (stop_reason says which). A stopped world is
// not stepped any more. See sim/world/ode_net.h for how a step that takes long is broken off.
bool world_step(World *world);

// The first shape of a body or ground that the ray origin + t * direction meets, 0 < t <= length in m. The direction
// need not be of unit length. A ray that starts inside a shape meets its far side, one that starts inside the ground
// meets it at distance 0. False when nothing is hit, when a number is not finite, or when the direction is zero.
// Changes nothing that the simulation depends on.
bool world_cast(const World *world, const double origin[3], const double direction[3], double length, WorldHit *hit);

// The same for one body alone, which may be nearer than `hit` says so far: hit->distance is the length. The direction
// is of unit length, and all numbers are finite.
bool world_cast_body(const World *world, int body, const double origin[3], const double direction_unit[3],
                     WorldHit *hit);

// A hash of the positions, rotations and velocities of all bodies: equal states, equal hashes.
uint64_t world_hash(const World *world);

#endif
