// Where pictures come from: a recorded trace, or a scene that is run up to the wanted time.
#ifndef STAGGER_VIEWER_SOURCE_H
#define STAGGER_VIEWER_SOURCE_H

#include "viewer/picture.h"

typedef struct Source Source;

// Opens a trace (HDF5) or a scene (YAML, looked up as `stagger run` does). NULL and an error.
Source *source_open(const char *path, Error *error);
void source_close(Source *source);

// The last moment that can be shown, s. Traces begin at 0.
double source_end(const Source *source);

// Fills the picture with the moment next to a time, 0 .. source_end. The picture points into the source. A scene is run
// up to there, from its beginning when the time lies before the last one. Errors: outside of the range, unreadable
// trace, a simulation that stops before that time.
bool source_picture(Source *source, double time, Picture *picture, Error *error);

#endif
