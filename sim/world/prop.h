// Props: boxes and balls of a scene that are no ground. They fall, swing on a rod, or stand fast in the way; what they
// do to characters by running into them, or by being run into, are hits (see world_step).
#ifndef STAGGER_SIM_WORLD_PROP_H
#define STAGGER_SIM_WORLD_PROP_H

#include "sim/world/world.h"

typedef enum PropShape { PROP_BOX, PROP_BALL } PropShape;

typedef struct Prop {
  const char *name; // outlives the world
  PropShape shape;
  double size[3];     // m, along its own x, y, z; of a ball the first is its diameter
  double mass;        // kg, 0.001 to 1e5, spread evenly
  double position[3]; // m, world, of its middle
  double yaw;         // rad about up
  bool hangs;         // on a rod without mass that turns freely about `anchor`
  double anchor[3];   // m, world
  int event;          // the happening that its hits belong to, see Impulse
} Prop;

// Adds it to the world, held where it is: nothing moves it until it is released. Returns the index of its body; -1 when
// the world is full or a number is not finite or out of range.
int prop_create(World *world, const Prop *prop);

// Lets go of it with that velocity, m/s, world. One that hangs keeps the part of it that its rod allows. False when the
// body is no prop, or the velocity is not finite or beyond the world's max_speed.
bool prop_release(World *world, int body, const double velocity[3]);

#endif
