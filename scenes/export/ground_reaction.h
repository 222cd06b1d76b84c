// What the ground does to the feet of a character, as force plates tell it: from the contacts of a trace.
#ifndef STAGGER_SCENES_EXPORT_GROUND_REACTION_H
#define STAGGER_SCENES_EXPORT_GROUND_REACTION_H

#include "scenes/description/scene_def.h"

// Mean over the steps since the frame before, in Stagger's world. Force at a point and torque together are all
// contacts.
typedef struct GroundReaction {
  double force[3];  // N
  double point[3];  // m, centre of pressure: where the contacts have no moment about horizontal axes
  double torque[3]; // N m, what is left about the point: the free moment about the vertical
} GroundReaction;

typedef struct GroundReactions {
  int frame_count, group_count; // one group a leg of the body, then one for all other parts
  GroundReaction *values;       // [frame_count * group_count]
} GroundReactions;

// In groups that bear nothing, force and torque are 0 and the point is where contacts_at had it: [frame_count *
// group_count] points (m) that are near, such as the middles of the soles. NULL and an error when the trace has no
// contacts.
GroundReactions *ground_reactions_read(TraceReader *reader, const char *character, const BodyDef *body,
                                       const double *time, const double (*contacts_at)[3], Error *error);
void ground_reactions_free(GroundReactions *reactions); // NULL is fine

#endif
