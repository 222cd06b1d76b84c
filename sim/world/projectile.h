// Balls that are thrown: bodies of their own that belong to nobody and touch everything.
#ifndef STAGGER_SIM_WORLD_PROJECTILE_H
#define STAGGER_SIM_WORLD_PROJECTILE_H

#include "sim/base/state.h"
#include "sim/world/world.h"

// Balls of one thrower: so many at most, and so many before the oldest that is not in flight is thrown again.
enum { PROJECTILE_MAX = 256, PROJECTILE_KEPT = 16 };

// A throw. Each has to be a happening of its own: its hits carry the number, see Impulse. A ball that flies farther
// than a part is thick in one step may pass through it.
typedef struct Projectile {
  double mass;        // kg, 0.001 to 1000
  double radius;      // m, 0.005 to 5
  double position[3]; // m, world, of the centre
  double velocity[3]; // m/s, world, at most the world's max_speed
  int event;
  double arrival; // s from now until it is where it was aimed at, for projectiles_throw; 0: it was aimed at nothing
} Projectile;

// The velocity with which a ball is where a point will be after a time (s), if that moves on evenly; under gravity.
void projectile_aim(const double from[3], const double at[3], const double moving[3], const double gravity[3],
                    double time, double velocity[3]);

// Adds a ball to the world. Returns the index of its body; -1 when the world is full or the throw is out of range, or
// without memory, which stops the world. To
// be made when it is first thrown: a world without balls is not changed by those that might come.
//
// A ball that rolls comes to rest (its spin fades in 2 s), and one that falls off the edge of the world or spins fast
// stays below the speeds that stop a run.
int projectile_create(World *world, const Projectile *ball);

// Throws a ball again that projectile_create has made, wherever it is. False when the body is no such ball or the throw
// is out of range.
bool projectile_relaunch(World *world, int body, const Projectile *ball);

// The balls of one thrower, from the one that was thrown first to the last, in a ring that begins at `oldest`. Zero:
// none yet.
typedef struct Projectiles {
  int bodies[PROJECTILE_MAX];
  double busy_until[PROJECTILE_MAX]; // s: in flight up to there, of the world's time
  int count, oldest;
} Projectiles;

// Throws a new ball; from PROJECTILE_KEPT balls on, or in a world without room for more bodies, the one again that was
// thrown first, unless it is in flight: until 0.25 s after it was to arrive. Returns its body; -1 when that is not
// possible: the world, or the thrower, has no room for another one.
int projectiles_throw(Projectiles *balls, World *world, const Projectile *ball);

// Saves or restores which balls there are, after the world: their bodies are the world's.
void projectiles_state(Projectiles *balls, const World *world, StateStream *stream);

#endif
