// A scene running in the viewer: it is stepped, its frames are stored, and the user can interact with it. It does not
// use wall-clock time: the same calls at the same steps give the same run, bit for bit.
#ifndef STAGGER_VIEWER_SOURCE_LIVE_H
#define STAGGER_VIEWER_SOURCE_LIVE_H

#include "scenes/run/edits.h"
#include "scenes/run/poke.h"
#include "scenes/run/scene.h"
#include "viewer/source/frames.h"
#include "viewer/source/hit_marks.h"
#include "viewer/source/objects.h"

enum { LIVE_MAX_HITS = 256, LIVE_OBJECT_FRAMES = 4096 };

typedef struct Live {
  SceneDef *def;
  Scene *scene;
  Frames *frames;
  Edits *edits; // changed parameters, kept across resets
  Poke poke;
  HitMark hits[LIVE_MAX_HITS]; // the latest
  int hit_count;
  ObjectList *objects; // [LIVE_OBJECT_FRAMES], frame n at n % LIVE_OBJECT_FRAMES
  double touched;      // s: when the user first interacted with this run; < 0: not yet
  long generation;     // counts resets
  bool stopped;        // the run cannot continue; see stop_reason
  char stop_reason[320];
  TraceWriter *trace; // NULL: not recorded to a file
  char trace_path[512];
} Live;

// Opens a scene at its first frame. overrides as in scene_def_read. NULL and an error.
Live *live_open(const char *path, const char *const *overrides, int override_count, Error *error);

// Ends the trace, if there is one, and frees everything. False when the trace could not be written completely.
bool live_close(Live *live, Error *error);

// Restarts with all edits. seed < 0: the present seed. On error the present run continues. Ends the trace, if there is
// one.
bool live_reset(Live *live, int seed, Error *error);

// Makes up to `steps` physics steps, with a frame wherever the scene's trace has one, and at the end. Returns the
// number made, which is lower once the run has stopped. Continues after the scene's duration.
long live_advance(Live *live, long steps);

// To be called when the user interacts: a poke, a changed parameter, steering. A recorded trace stores the first time.
void live_touch(Live *live);

// Applies a changed parameter to the running scene (see scenes/run/edits.h).
bool live_retune(Live *live, const EditGroup *group, const Param *row, Error *error);

// Records the run into a trace file from its beginning, after a reset. NULL: ends the recording.
bool live_record(Live *live, const char *path, Error *error);

// Props and balls of a frame; NULL when the frame is forgotten or had none.
const ObjectList *live_objects(const Live *live, int frame);

#endif
