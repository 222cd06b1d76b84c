// One character of a scene file. Only for scene_def.c, which reads the rest.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_CHARACTER_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_CHARACTER_H

#include "scenes/description/scene_def.h"

// Reads an item of `characters`, with the files that it names; it is to be the scene's next one. Errors: no name or
// body, a name that is taken, whatever its sections refuse.
bool scene_character_read(SceneDef *def, CharacterDef *character, const Node *map, Error *error);

// An error where a node is not of the kind that belongs to a key.
bool scene_expect_kind(const Node *node, NodeKind kind, const char *what, Error *error);

// A section by its table, as far as the map has it: values beside those are left as they are.
bool scene_read_section(const SceneSection *section, char *values, const Node *map, const char *const *other_keys,
                        Error *error);

#endif
