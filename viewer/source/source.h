// Sources of images: a recorded trace, or a running scene. Both provide frames with the same channels; a run has a Live
// in addition.
#ifndef STAGGER_VIEWER_SOURCE_SOURCE_H
#define STAGGER_VIEWER_SOURCE_SOURCE_H

#include "viewer/draw/camera_rig.h"
#include "viewer/draw/picture.h"
#include "viewer/source/frames.h"
#include "viewer/source/hit_marks.h"
#include "viewer/source/live.h"
#include "viewer/source/skin.h"

// Fields may be read anywhere, and are changed by source_... and live_... only.
typedef struct Source {
  char path[512];
  const SceneDef *def;
  const Terrain *terrain;
  Frames *frames;
  const HitMark *hits; // in order of their beginnings, except in runs with very many hits
  int hit_count;
  Live *live;          // NULL: not a run
  TraceReader *reader; // NULL: not a trace
  struct SourceOwned *owned;
} Source;

// Opens a trace (HDF5), a scene (YAML, looked up as by `stagger run`), or a motion file or clip, which has no
// characters. overrides: of a scene's parameters (see scene_def_read). NULL and an error.
Source *source_open(const char *path, const char *const *overrides, int override_count, Error *error);

// False when a recorded trace could not be written completely. source may be NULL.
bool source_close(Source *source, Error *error);

// Updates the fields above after a live run has made new frames or hits, or another scene. Cheap. Error: no memory.
bool source_refresh(Source *source, Error *error);

// Layers that a source shows in addition to the requested ones: for a motion file its skeleton.
unsigned source_layers(const Source *source);

// Look-ups by name, for options. Errors list the existing names.
bool source_find_character(const Source *source, const char *name, int *character, Error *error);
bool source_find_camera(const Source *source, const char *name, const Subject *subject, CameraRig *rig, Error *error);

// The last time of a trace, or a scene's duration, s.
double source_end(const Source *source);

// Ensures that there is a frame at a time: runs a scene up to it, from the beginning when the time is before the stored
// frames. Errors: outside 0 .. source_end, or the simulation stops earlier.
bool source_run_to(Source *source, double time, Error *error);

// How a source is shown.
typedef struct SourceLook {
  int subject; // the character that the caption and the camera follow
  PictureColoring coloring;
  vec4s tint; // for all its characters, see PictureCharacter
  Skin *skin; // drawn on all characters that its rig fits; NULL: none
} SourceLook;

// Adds the frame nearest to a time to a picture: bodies, terrain, hits, balance and debug items, caption and subject.
// The picture then points into the source. Error: an unreadable trace.
bool source_picture(Source *source, double time, const SourceLook *look, Picture *picture, Error *error);

// The name of the skill that leads a character at a time; NULL: none does, or it is not known, as for a trace and for
// the past of a run.
const char *source_skill(const Source *source, int character, double time);

// The value of metric_rows[row] for a character up to now, or for the whole trace. NAN when it does not apply.
double source_metric(const Source *source, int character, int row);

#endif
