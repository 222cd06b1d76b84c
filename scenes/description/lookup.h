// Names in scene files: finding what they stand for, and saying what else could have been meant.
#ifndef STAGGER_SCENES_DESCRIPTION_LOOKUP_H
#define STAGGER_SCENES_DESCRIPTION_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "ragdoll/character/character.h"

// The index of a name among those that are allowed. -1 and an error when it is none of them, with one that is close or
// with all. what: "camera"; where: " in hit_run", may be "".
int lookup_name(const char *what, const char *name, const char *where, const char *const *names, int count,
                Error *error);

// The index of a character or part by its name. -1 and an error at the node when there is none, with a name that is
// close or with all that are allowed.
int lookup_character(const char *name, const CharacterDef *characters, int count, const Node *node, Error *error);
int lookup_part(const char *name, const BodyDef *body, const Node *node, Error *error);

// The file whose name is closest to one that is missing, in the same subfolder of the folders ("" is the working one),
// relative to them as the name is; bare: without ".yaml" when the name has no ending, as commands take it. False: none.
bool lookup_file(const char *name, const char *const *folders, int count, bool bare, char *close, size_t size);

#endif
