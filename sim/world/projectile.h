// Thrown balls: bodies that belong to no character and touch everything.
#ifndef STAGGER_SIM_WORLD_PROJECTILE_H
#define STAGGER_SIM_WORLD_PROJECTILE_H

#include "sim/base/state.h"
#include "sim/world/world.h"

// Balls of one thrower: the largest number, and the number from which the oldest one not in flight is reused.
enum { PROJECTILE_MAX = 256, PROJECTILE_KEPT = 16 };

// A throw. Each throw needs an event number of its own, which its hits carry, see Impulse. A ball that moves farther in
// one step than a part is thick may pass through it.
typedef struct Projectile {
  double mass;        // kg, 0.001 to 1000
  double radius;      // m, 0.005 to 5
  double position[3]; // m, world, of the centre
  double velocity[3]; // m/s, world, at most the world's max_speed
  int event;
  double arrival; // s from now until the planned arrival, for projectiles_throw; 0: it is not aimed
} Projectile;

// The velocity with which a ball, under gravity, reaches a point with constant velocity `moving` after a time (s).
void projectile_aim(const double from[3], const double at[3], const double moving[3], const double gravity[3],
                    double time, double velocity[3]);

// Adds a ball to the world. Returns the index of its body; -1 when the world is full, the throw is out of range, or
// there is no memory, which stops the world. Balls should be created when they are first thrown, since even a waiting
// ball changes a world.
//
// A rolling ball comes to rest (its spin decays in 2 s), and a ball that falls off the world or spins fast stays below
// the speeds that stop a run.
int projectile_create(World *world, const Projectile *ball);

// Throws a ball made by projectile_create again, wherever it is. False when the body is not such a ball or the throw is
// out of range.
bool projectile_relaunch(World *world, int body, const Projectile *ball);

// The balls of one thrower in the order of throwing, in a ring that begins at `oldest`. Zero: none yet.
typedef struct Projectiles {
  int bodies[PROJECTILE_MAX];
  double busy_until[PROJECTILE_MAX]; // s, in the world's time: in flight until then
  int count, oldest;
} Projectiles;

// Throws a new ball; from PROJECTILE_KEPT balls on, or in a world without room for more bodies, reuses the one thrown
// first, unless it is in flight: until 0.25 s after its planned arrival. Returns its body; -1 when there is no room for
// another ball.
int projectiles_throw(Projectiles *balls, World *world, const Projectile *ball);

// Saves or restores the list of balls, after the world, which has their bodies.
void projectiles_state(Projectiles *balls, const World *world, StateStream *stream);

#endif
