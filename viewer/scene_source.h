// Pictures of a scene that runs.
#ifndef STAGGER_VIEWER_SCENE_SOURCE_H
#define STAGGER_VIEWER_SCENE_SOURCE_H

#include "viewer/picture.h"

typedef struct SceneSource SceneSource;

SceneSource *scene_source_open(const char *path, Error *error);
void scene_source_close(SceneSource *source);
double scene_source_end(const SceneSource *source); // s
bool scene_source_picture(SceneSource *source, double time, Picture *picture, Error *error);

#endif
