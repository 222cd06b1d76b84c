// Looking up names in scene files, with suggestions for wrong names.
#ifndef STAGGER_SCENES_DESCRIPTION_LOOKUP_H
#define STAGGER_SCENES_DESCRIPTION_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "ragdoll/character/character.h"

// The index of a name among the allowed ones. -1 and an error, with a similar name or all of them, when it is none of
// them. what: "camera"; where: " in hit_run", may be "".
int lookup_name(const char *what, const char *name, const char *where, const char *const *names, int count,
                Error *error);

// The index of a character or part by its name. -1 and an error at the node, with a similar name or all allowed ones,
// when there is none.
int lookup_character(const char *name, const CharacterDef *characters, int count, const Node *node, Error *error);
int lookup_part(const char *name, const BodyDef *body, const Node *node, Error *error);

// Finds the file with the name most similar to that of a missing one, in the same subfolder of the folders ("" is the
// working folder). The result is relative to them as the name is. bare: without ".yaml" when the name has no ending, as
// commands accept it. False: none is similar.
bool lookup_file(const char *name, const char *const *folders, int count, bool bare, char *close, size_t size);

#endif
