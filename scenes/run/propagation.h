// Where the momentum of a bullet or a push goes: a scene is run twice by the same seed, with a hit and without it, and
// the momenta of all parts of the struck body are compared over the time that follows. Everything else happens in both
// runs.
#ifndef STAGGER_SCENES_RUN_PROPAGATION_H
#define STAGGER_SCENES_RUN_PROPAGATION_H

#include <stdio.h>

#include "scenes/run/scene.h"

enum { PROPAGATION_MOST_HITS = 32 };

#define PROPAGATION_WINDOW 0.3 // s after a hit

// A part counts as reached when its momentum differs by this share of the impulse.
#define PROPAGATION_ARRIVAL 0.01

typedef struct Propagation {
  int event;         // its number
  double time;       // s: beginning of the first step that it acts in
  double impulse[3]; // N s, world: all that it gave within the window
  const CharacterDef *struck;
  int character, part;                // index in the scene; which part was struck
  int step_count;                     // fewer than the window has when the run ends in it
  double dt;                          // s
  float (*change)[BODY_MAX_PARTS][3]; // [step_count] N s, world: how much more momentum a part has than without the
                                      // hit, at (i + 1) * dt after `time`
} Propagation;

typedef struct PropagationList {
  Propagation hits[PROPAGATION_MOST_HITS];
  int count;
  int left_out; // hits beyond PROPAGATION_MOST_HITS
  int latest;   // number of the last of all
} PropagationList;

// Runs the scene and, for each bullet and push that strikes a character, once more without it. def must outlive the
// list, which is freed with propagation_free, also after an error: the scene cannot be built, no memory. The simulation
// being stopped is none: what was before it counts.
bool propagation_measure(SceneDef *def, PropagationList *list, Error *error);
void propagation_free(PropagationList *list);

// How a part was reached by a hit.
typedef struct PartArrival {
  double first;           // s after the hit; NAN: not reached
  double peak, peak_time; // N s, s: largest difference of momentum, its norm, and when
} PartArrival;

PartArrival propagation_arrival(const Propagation *hit, int part);

// N s: the difference of a part's momentum after a step, its norm.
double propagation_size(const Propagation *hit, int step, int part);

// All of it as CSV: a line for each hit, part and step. The caller frees it; NULL: no memory.
char *propagation_csv(const PropagationList *list);

// A table for people: for each hit first arrival, peak and its time for each part.
void propagation_print(FILE *file, const PropagationList *list);

#endif
