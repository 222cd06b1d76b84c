// The keys of a character's `hit_reaction` that are no single numbers: curves, masks, tones.
#ifndef STAGGER_SCENES_DESCRIPTION_HIT_REACTION_READ_H
#define STAGGER_SCENES_DESCRIPTION_HIT_REACTION_READ_H

#include "ragdoll/reaction/hit_reaction.h"

extern const char *const hit_reaction_keys[]; // those keys, NULL-terminated

// Reads them from a section whose numbers are read already; NULL: there is none. An effect (`strength_drop`, `blend`,
// `stagger`) is a curve over dv, or {dv: CURVE, direction: CURVE}; `mask` a list of joints, or a map of joints to
// shares; `tones` a map of joints to tones. What is not given stays as it is, but joints that a mask does not name are
// out of it.
bool hit_reaction_read(HitReactionDef *def, const Node *section, const BodyDef *body, Error *error);

#endif
