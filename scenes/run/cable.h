// A cable that holds a standing character at a lean, and lets go: the experiment "lean and release". It is level, runs
// from a point of a part against the direction of the lean, pulls only, and is a stiff damped spring whose far end
// gives way until the lean is reached. Its force is an impulse of every step like that of a push, and in the trace.
#ifndef STAGGER_SCENES_RUN_CABLE_H
#define STAGGER_SCENES_RUN_CABLE_H

#include "ragdoll/character/character.h"
#include "sim/base/plane2.h"

typedef struct Cable {
  bool attached, reached; // reached: it leans as far as it should, and the far end rests
  int part;
  double point_l[3]; // m, from the part's centre of mass, part's frame
  Plane2 way;        // unit, world: where the character leans to
  double lean;       // rad
  double end;        // m along `way`: where the point is when the cable just does not pull
  double force;      // N, mean of the last steps
} Cable;

// Attaches the cable; it does not yet pull. lean: rad, of the line from the middle of the ankles to the centre of mass.
void cable_attach(Cable *cable, const World *world, const Character *character, int part, const double point_l[3],
                  Plane2 way, double lean);

// The force of a level cable on a point of a body in the coming step, N: of a stiff damped spring that pulls against
// `way` (unit, world), and by `least` N at least. end: m along `way`, of the place of the point at which it just does
// not pull; rate: m/s at which that moves along it; mass: kg, for which the spring is critically damped.
double cable_force(const World *world, int body, const double point[3], Plane2 way, double end, double rate,
                   double mass, double least);

// Finds the impulse of the coming step.
void cable_pull(Cable *cable, const World *world, const Character *character, Impulse *impulse);

// Lets go, and reports lean and force to the metrics of the character.
void cable_release(Cable *cable, const World *world, const Character *character);

// Saves or restores.
void cable_state(Cable *cable, int part_count, StateStream *stream);

#endif
