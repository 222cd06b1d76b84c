// The meshes of a rig of another program on the bodies of characters, by the rig's bones (linear blend skinning).
#ifndef STAGGER_VIEWER_SOURCE_SKIN_H
#define STAGGER_VIEWER_SOURCE_SKIN_H

#include "viewer/draw/picture.h"

typedef struct Skin Skin;

// Reads the meshes of a rig (.glb, .gltf, .fbx, .dae). NULL and an error with the file's name: not readable, no mesh.
Skin *skin_create(const char *path, Error *error);
void skin_destroy(Skin *skin); // NULL is fine

// Adds the skin on a body, whose joints are found by their names, to a picture: scaled to the body by the length of the
// legs. The picture then points into the skin, until as many characters have been added to other pictures. False and an
// error: its joints do not fit the body.
bool skin_show(Skin *skin, const BodyDef *body, const Pose *pose, Picture *picture, Error *error);

// Whether a rig fits any character of a scene; an error that says what the first one lacks.
bool skin_check(Skin *skin, const SceneDef *def, Error *error);

#endif
