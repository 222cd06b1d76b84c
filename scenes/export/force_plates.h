// Ground reactions of a character as the force plates of a laboratory would have them: one plate under each leg's feet,
// and one for all other parts. All lie in the same place and are as large as the way is long, since no foot of a
// simulation has to meet a plate.
#ifndef STAGGER_SCENES_EXPORT_FORCE_PLATES_H
#define STAGGER_SCENES_EXPORT_FORCE_PLATES_H

#include "scenes/description/trace_motion.h"

enum { FORCE_PLATES_MAX = SKELETON_MAX_LEGS + 1, FORCE_PLATE_CHANNELS = 6, FORCE_PLATE_CORNERS = 4 };

// The laboratory's axes are x forward, y to the left, z up; those of a plate x forward, y to the right, z down.
typedef struct ForcePlates {
  char names[FORCE_PLATES_MAX][SKELETON_NAME_SIZE]; // the part that stands on it: "foot_l", or "others"
  int count;                                        // 0: the trace has no contacts
  int frame_count;
  float corners[FORCE_PLATE_CORNERS][3]; // mm, laboratory: in the plate's quadrants +x +y, -x +y, -x -y, +x -y
  float (*values)[FORCE_PLATE_CHANNELS]; // [frame_count * count] N, N mm: the ground's force on the body, and its
                                         // moment about the middle of the surface, in the plate's axes
} ForcePlates;

// Errors: the trace's contacts are invalid; out of memory. Free with force_plates_free in either case.
bool force_plates_read(ForcePlates *plates, TraceReader *reader, const TraceMotion *motion, Error *error);
void force_plates_free(ForcePlates *plates);

#endif
