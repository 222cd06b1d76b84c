// One character of a scene file. Its reading is only for scene_def.c, which reads all other parts.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_CHARACTER_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_CHARACTER_H

#include "scenes/description/scene_def.h"

// Reads an item of `characters`, the scene's next one, with the files that it names. Errors: no name or body, a name
// that is taken, errors of its sections.
bool scene_character_read(SceneDef *def, CharacterDef *character, const Node *map, Error *error);

// Whether the character ever plays a clip that a skill can have: its `move`, or one for getting up.
bool scene_character_plays(const CharacterDef *character, const Clip *clip);

// Checks that a node is of the kind that a key requires; otherwise sets an error.
bool scene_expect_kind(const Node *node, NodeKind kind, const char *what, Error *error);

// Reads a section by its table; values that the map does not give are unchanged. other_keys: keys allowed besides.
bool scene_read_section(const SceneSection *section, char *values, const Node *map, const char *const *other_keys,
                        Error *error);

#endif
