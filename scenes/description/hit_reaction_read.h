// The keys of a character's `hit_reaction` that are not single numbers: curves, masks, tones.
#ifndef STAGGER_SCENES_DESCRIPTION_HIT_REACTION_READ_H
#define STAGGER_SCENES_DESCRIPTION_HIT_REACTION_READ_H

#include "ragdoll/reaction/hit_reaction.h"

extern const char *const hit_reaction_keys[]; // those keys, NULL-terminated

// Reads these keys of a section whose numbers have been read already; NULL: no section. An effect (`strength_drop`,
// `blend`, `stagger`) is a curve over dv, or {dv: CURVE, direction: CURVE}; `mask` a list of joints, or a map of joints
// to shares; `tones` a map of joints to tones. Values that are not given are unchanged, except that a mask excludes the
// joints that it does not name.
bool hit_reaction_read(HitReactionDef *def, const Node *section, const BodyDef *body, Error *error);

#endif
