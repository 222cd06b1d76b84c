// Props: boxes and balls of a scene that are not ground. They fall, swing on a rod, or are fixed obstacles; when a prop
// and a character run into each other that is a hit (see world_step).
#ifndef STAGGER_SIM_WORLD_PROP_H
#define STAGGER_SIM_WORLD_PROP_H

#include "sim/world/world.h"

typedef enum PropShape { PROP_BOX, PROP_BALL } PropShape;

typedef struct Prop {
  const char *name; // must outlive the world
  PropShape shape;
  double size[3];     // m, along its own x, y, z; for a ball the first is the diameter
  double mass;        // kg, 0.001 to 1e5, distributed evenly
  double position[3]; // m, world, of its middle
  double yaw;         // rad about up
  bool hangs;         // on a massless rod that turns freely about `anchor`
  double anchor[3];   // m, world
  int event;          // number of the event to which its hits belong, see Impulse
} Prop;

// Adds it to the world, held in place until it is released. Returns the index of its body; -1 when the world is full or
// a number is not finite or out of range.
int prop_create(World *world, const Prop *prop);

// Releases it with that velocity, m/s, world. A hanging prop keeps the part of the velocity that its rod allows. False
// when the body is not a prop, or the velocity is not finite or beyond the world's max_speed.
bool prop_release(World *world, int body, const double velocity[3]);

#endif
