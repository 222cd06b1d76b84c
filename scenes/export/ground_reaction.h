// Ground reactions at the feet of a character, as force plates measure them, from the contacts of a trace.
#ifndef STAGGER_SCENES_EXPORT_GROUND_REACTION_H
#define STAGGER_SCENES_EXPORT_GROUND_REACTION_H

#include "scenes/description/trace_motion.h"

// Mean over the steps since the previous frame, in Stagger's world frame. The force at the point and the torque
// together are equivalent to all contacts.
typedef struct GroundReaction {
  double force[3];  // N
  double point[3];  // m, centre of pressure: point about which the contacts have no horizontal moment
  double torque[3]; // N m, remaining moment about the point: the free moment about the vertical
} GroundReaction;

typedef struct GroundReactions {
  int frame_count, group_count; // one group for each leg of the body, and one for all other parts
  GroundReaction *values;       // [frame_count * group_count]
} GroundReactions;

// For groups without contacts, force and torque are 0 and the point is taken from contacts_at: [frame_count *
// group_count] points (m) nearby, such as the middles of the soles. NULL and an error when the trace has no contacts.
GroundReactions *ground_reactions_read(TraceReader *reader, const char *character, const BodyDef *body,
                                       const double *time, const double (*contacts_at)[3], Error *error);

// The same for the character of a motion, with points under the middles of its soles and, for other parts, at its root.
GroundReactions *ground_reactions_under(TraceReader *reader, const TraceMotion *motion, Error *error);
void ground_reactions_free(GroundReactions *reactions); // NULL is fine

#endif
