// How the momentum of a bullet or a push spreads through the body: a scene is run twice with the same seed, with a hit
// and without it, and the momenta of all parts of the struck body are compared for some time. All other events happen
// in both runs.
#ifndef STAGGER_SCENES_RUN_PROPAGATION_H
#define STAGGER_SCENES_RUN_PROPAGATION_H

#include <stdio.h>

#include "scenes/run/scene.h"

enum { PROPAGATION_MOST_HITS = 32 };

#define PROPAGATION_WINDOW 0.3 // s after a hit

// A part counts as reached when its momentum differs by this share of the impulse.
#define PROPAGATION_ARRIVAL 0.01

typedef struct Propagation {
  int event;         // the event's number
  double time;       // s: beginning of the first step in which it acts
  double impulse[3]; // N s, world: total within the window
  const CharacterDef *struck;
  int character, part;                // index of the character in the scene, and of the struck part
  int step_count;                     // smaller than in the full window when the run ends within it
  double dt;                          // s
  float (*change)[BODY_MAX_PARTS][3]; // [step_count] N s, world: momentum of a part minus that without the hit, at (i +
                                      // 1) * dt after `time`
} Propagation;

typedef struct PropagationList {
  Propagation hits[PROPAGATION_MOST_HITS];
  int count;
  int left_out; // hits beyond PROPAGATION_MOST_HITS
  int latest;   // number of the last hit, including those left out
} PropagationList;

// Runs the scene and, for each bullet and push that strikes a character, runs it again without that hit. def must
// outlive the list. Free the list with propagation_free, also after an error: the scene cannot be built, or no memory.
// If the simulation stops early that is not an error; what was recorded before is used.
bool propagation_measure(SceneDef *def, PropagationList *list, Error *error);
void propagation_free(PropagationList *list);

// How a hit reached a part.
typedef struct PartArrival {
  double first;           // s after the hit; NAN: not reached
  double peak, peak_time; // N s, s: norm of the largest difference of momentum, and its time
} PartArrival;

PartArrival propagation_arrival(const Propagation *hit, int part);

// Norm of the difference of a part's momentum after a step, N s.
double propagation_size(const Propagation *hit, int step, int part);

// The complete result as CSV: a line for each hit, part and step. The caller frees it; NULL: no memory.
char *propagation_csv(const PropagationList *list);

// Prints a table for people: for each hit and part the time of arrival, the peak and its time.
void propagation_print(FILE *file, const PropagationList *list);

#endif
