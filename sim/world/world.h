// The physical world: ODE's world and space, one step of it, the contacts and impulses of the last step, and checks
// that keep invalid numbers out and stop a run that diverges. Y up, SI units, double precision.
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
      "step: ODE's exact stepper; iterative: ODE's QuickStep, reseeded in every step; reduced: ODE's bodies in "       \
      "reduced coordinates, the fastest.")                                                                             \
  ROW(T, CHOICE, motor_limits, "reached", 0, 0, "reached|always",                                                      \
      "step: limits of motors and friction are part of the solution only where they are nearly reached, or always, "   \
      "which is slower.")                                                                                              \
  ROW(T, INT, iterations, "50", 5, 500, "-", "iterative: iterations per step.")                                        \
  ROW(T, REAL, friction, "0.9", 0, 10, "-", "Coulomb friction of all contacts.")                                       \
  ROW(T, REAL, contact_erp, "0.2", 0, 0.8, "-", "Share of a contact's depth that is corrected in one step.")           \
  ROW(T, REAL, contact_cfm, "1e-5", 1e-7, 1e-2, "s/kg",                                                                \
      "Softness of contacts; with 0, redundant contacts make the solver fail.")                                        \
  ROW(T, REAL, correction_speed, "1", 0.01, 100, "m/s", "Largest speed at which a penetration is corrected.")          \
  ROW(T, INT, contacts_per_pair, "4", 1, 16, "-", "Largest number of contacts between two shapes.")                    \
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
  WORLD_MAX_ROPES = 256,
  WORLD_AHEAD_KINDS = 3,
  WORLD_GROUND = -1, // stands for the terrain in place of a body's index
};

// The owner and other data of a body, by which contacts and impulses are classified.
typedef struct WorldBody {
  dBodyID ode;
  int owner;            // index of the character, or WORLD_NO_OWNER: such bodies touch everything
  int part;             // index of the part in its owner
  int event;            // without owner: the event to which its hits belong, see Impulse
  const char *name;     // of the part
  const bool *collides; // for each part: which parts of the same owner it may touch; NULL: none
  double mass;          // kg; 0 for a platform that no force moves
  bool ground;          // without owner: counts as ground, on which bodies stand, see sim/world/platform.h
  double friction;      // of ground: Coulomb friction of what touches it; below 0: the world's
  bool prop;            // without owner: see sim/world/prop.h
  bool passes;          // without owner: characters pass through it, as if it were not there
} WorldBody;

enum { WORLD_NO_OWNER = -1 };

// m below the lowest point of the terrain at which a character counts as fallen off, which ends the run.
#define WORLD_FALL_LIMIT 20.0

// A box that is ground, for rays.
typedef struct WorldPlatform {
  int body;
  double half[3], radius;                             // m, of the box and of its bounding sphere
  const dReal *position, *rotation, *velocity, *spin; // of the body, in ODE's memory
} WorldPlatform;

// The body that a character, or another body, touches instead of a platform: see sim/world/platform_contact.h.
typedef struct WorldStandIn {
  int toucher;  // owner, or -1 - index for a body without one
  int platform; // index of its body
  int before;   // number of the world's bodies when it was made
  dBodyID ode;
  bool moving; // whether it moves in this step
} WorldStandIn;

// See sim/world/rope.h.
typedef struct WorldRope {
  int bodies[2];         // indices; the second may be WORLD_GROUND
  double points_l[2][3]; // m, of the bodies from their centres along their axes; of the world in its coordinates
  double length, stiffness, damping; // m, N/m, N s/m
  dJointFeedback feedback;           // f1: its force in the last step, N
} WorldRope;

// A contact of the last step. The impulse is that on `body` (opposite on `other`).
typedef struct Contact {
  int body, other;               // indices into bodies; other may be WORLD_GROUND; if just one is ground it is `other`
  double position[3], normal[3]; // world; the normal points from `other` toward `body`
  double depth;                  // m; negative when it was made ahead of time, see sim/world/world_ahead.h
  double approach;               // m/s at which the two approached each other before the step, along the normal
  double impulse[3];             // N s in this step
} Contact;

// The hit of a ray.
typedef struct WorldHit {
  int body;                   // index into bodies, or WORLD_GROUND
  double point[3], normal[3]; // world; the unit normal points out of what was hit
  double distance;            // m along the ray
} WorldHit;

typedef enum ImpulseSource {
  IMPULSE_BULLET,
  IMPULSE_PUSH,
  IMPULSE_CONTACT, // found by world_step among the contacts, see world_step
  IMPULSE_DRAG,    // the user's steady pull, which is not a hit
  IMPULSE_CABLE,   // of a cable that holds a character at a lean, which is not a hit
} ImpulseSource;

// An impulse of one step.
typedef struct Impulse {
  int body;          // index into bodies
  double point[3];   // world, m
  double impulse[3]; // world, N s
  ImpulseSource source;
  int event;   // number of its event: impulses of one event in several steps have the same number
  int striker; // IMPULSE_CONTACT: the body that caused it, or one of several
} Impulse;

// Counts of problems that did not stop the run.
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
  dGeomID ray;                      // for casts; in no space, so that steps do not see it
  dGeomID ahead[WORLD_AHEAD_KINDS]; // in no space either, see sim/world/world_ahead.h
  dJointGroupID contact_group;
  dThreadingImplementationID threading;
  Exact *exact;
  Reduced *reduced; // created by the first step that needs it
  const Terrain *terrain;
  uint64_t seed;
  long steps;  // number of steps done
  double time; // s, steps * dt
  WorldBody bodies[WORLD_MAX_BODIES];
  int body_count;
  int loose[WORLD_MAX_BODIES]; // bodies without owner that are not ground
  int loose_count;
  WorldPlatform platforms[WORLD_MAX_PLATFORMS];
  int platform_count;
  WorldStandIn stand_ins[WORLD_MAX_STAND_INS];
  int stand_in_count;
  WorldRope ropes[WORLD_MAX_ROPES];
  int rope_count;
  Contact contacts[WORLD_MAX_CONTACTS]; // of the last step
  dJointFeedback contact_feedback[WORLD_MAX_CONTACTS];
  int contact_count;
  const Contact *picked[WORLD_MAX_CONTACTS]; // scratch memory for code that filters the contacts
  Impulse impulses[WORLD_MAX_IMPULSES];      // of the last step
  int impulse_count;
  Impulse pending[WORLD_MAX_IMPULSES]; // for the next step
  int pending_count;
  dBodyID listed[WORLD_MAX_BODIES + WORLD_MAX_STAND_INS]; // bodies of the present step, for its solver
  WorldWarnings warnings;
  bool stopped;
  char stop_reason[256];
  bool broken;               // ODE was left in an unfinished step
  struct World *next_broken; // see world_destroy
} World;

// The terrain remains the caller's and must outlive the world. NULL and an error when ODE cannot be set up.
World *world_create(const WorldDef *def, const Terrain *terrain, uint64_t seed, Error *error);
void world_destroy(World *world);

// Replaces the description between two steps, except for dt, on which running computations depend.
void world_retune(World *world, const WorldDef *def);

// Registers a body that the caller has made in world->ode, with geoms in world->space; geoms of one owner that can
// touch each other must be in a sub-space of it. `body` is filled in except for mass, which is read from ODE. Returns
// its index, or -1 when the world is full.
int world_add_body(World *world, WorldBody body);

// Queues an impulse for the next step, applied as a force over that step. False, counted, and nothing queued when a
// number is not finite, the body does not exist, or the list is full.
bool world_apply_impulse(World *world, const Impulse *impulse);

// Makes one step: collision, contacts, queued impulses, ODE's step, contact impulses, checks. Allocates nothing itself,
// except at the first contact with a platform.
// When an owned body runs into another body, or is run into, the impulse is added to the impulses as IMPULSE_CONTACT:
// the sum, by event, over all contacts with bodies of another owner or without one at which the two approached each
// other at more than 0.5 m/s. The event is that of a body without owner; for an owner it is a negative number below -1
// of its own. A body that lies, rolls or is squeezed between others does not approach, however hard it presses, so that
// is not a hit; nor are contacts with a body that is ground. These impulses are already included in the contacts.
// Returns false when the run is stopped: a number is not finite, a part is too fast, a part of a character is
// WORLD_FALL_LIMIT below the terrain, or there is no memory for the step (see stop_reason). A stopped world must not be
// stepped any more. How a step that takes long is interrupted: see sim/world/ode_net.h.
bool world_step(World *world);

// The first shape of a body or ground hit by the ray origin + t * direction, 0 < t <= length in m. The direction need
// not have unit length. A ray that starts inside a shape hits its far side; one that starts inside the ground hits it
// at distance 0. False when nothing is hit, a number is not finite, or the direction is zero. Does not affect the
// simulation.
bool world_cast(const World *world, const double origin[3], const double direction[3], double length, WorldHit *hit);

// The same for one body only, if it is nearer than the present `hit`: hit->distance is the length. The direction must
// have unit length, and all numbers must be finite.
bool world_cast_body(const World *world, int body, const double origin[3], const double direction_unit[3],
                     WorldHit *hit);

// A hash of the positions, rotations and velocities of all bodies; equal states have equal hashes.
uint64_t world_hash(const World *world);

#endif
