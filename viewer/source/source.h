// Where pictures come from: a recorded trace, or a scene that runs. Both are frames of the same channels; a run has a
// Live behind it.
#ifndef STAGGER_VIEWER_SOURCE_SOURCE_H
#define STAGGER_VIEWER_SOURCE_SOURCE_H

#include "viewer/draw/camera_rig.h"
#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"
#include "viewer/source/hit_marks.h"
#include "viewer/source/live.h"

// To be read by everybody, changed by source_... and live_... only.
typedef struct Source {
  char path[512];
  const SceneDef *def;
  const Terrain *terrain;
  Frames *frames;
  const HitMark *hits; // in the order of their beginning, but for runs of many hits
  int hit_count;
  Live *live;          // NULL: a trace
  TraceReader *reader; // NULL: no trace
  struct SourceOwned *owned;
} Source;

// Opens a trace (HDF5), a scene (YAML, looked up as `stagger run` does), or a motion file or clip, which has no
// characters. overrides: of a scene's parameters (see scene_def_read). NULL and an error.
Source *source_open(const char *path, const char *const *overrides, int override_count, Error *error);

// False when a trace that was recorded could not be written to its end. source may be NULL.
bool source_close(Source *source, Error *error);

// A live run has made new frames, hits, or another scene: brings the fields above up to date. Cheap. Error: no memory.
bool source_refresh(Source *source, Error *error);

// The layers that a source needs beside those that are asked for: of a motion file its skeleton.
unsigned source_layers(const Source *source);

// By name, for options. Errors name what there is.
bool source_find_character(const Source *source, const char *name, int *character, Error *error);
bool source_find_camera(const Source *source, const char *name, const Subject *subject, CameraRig *rig, Error *error);

// The last moment of a trace, or of a scene's duration, s.
double source_end(const Source *source);

// Makes sure that there is a frame at a time: a scene is run up to there, from its beginning when the time lies before
// the kept frames. Errors: outside of 0 .. source_end, a simulation that stops before.
bool source_run_to(Source *source, double time, Error *error);

// How a source is shown.
typedef struct SourceLook {
  int subject; // the character that the caption and the camera follow
  PictureColoring coloring;
  vec4s tint; // of all its characters, see PictureCharacter
} SourceLook;

// Adds the moment next to a time to a picture: bodies, terrain, hits, balance and debug items, caption and subject. The
// picture points into the source. Error: an unreadable trace.
bool source_picture(Source *source, double time, const SourceLook *look, Picture *picture, Error *error);

// The value of metric_rows[row] for a character so far, or of the whole trace. NAN when it does not apply.
double source_metric(const Source *source, int character, int row);

#endif
