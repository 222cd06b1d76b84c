// The frames of a run as numbers: channels by name, frame by frame, from a trace or from the memory of a live run.
// Channels have the names of those of the trace (see scenes/record/record.h): "/characters/runner/parts/position".
#ifndef STAGGER_VIEWER_SOURCE_FRAMES_H
#define STAGGER_VIEWER_SOURCE_FRAMES_H

#include <cglm/struct.h>

#include "ragdoll/character/character.h"
#include "sim/trace/trace.h"

typedef struct FrameChannel {
  char path[160];
  char unit[32], description[256];
  int rows, width;                // a frame has rows x width values
  char (*names)[TRACE_NAME_SIZE]; // [rows], name of each row; NULL: rows have no names
} FrameChannel;

// A contact of a frame: the impulse on a body since the previous frame.
typedef struct FrameContact {
  int body, other; // indices of the world's bodies; other may be WORLD_GROUND. In a damaged trace any number
  vec3s position_w, normal_w, impulse_w; // m, unit vector out of `other`, N s
} FrameContact;

typedef struct Frames Frames;

// The frames of a trace. The reader remains the caller's and must outlive them. NULL and an error: no frames, no
// memory, unreadable times or contacts. Channels with rows of more than 65536 values are left out.
Frames *frames_of_trace(TraceReader *reader, Error *error);

// The frames of a run in memory: the latest ones that fit into `bytes`, at least two (with up to some 600 KB besides).
// World and characters must outlive them. Only the used part of `bytes` becomes resident.
Frames *frames_of_run(const World *world, Character *const *characters, int count, size_t bytes, Error *error);
void frames_free(Frames *frames); // NULL is fine

// For a run: call frames_step after every physics step, which accumulates contacts and assist, and frames_add whenever
// a frame is wanted. Neither allocates. Bodies may be added to the world in between.
void frames_step(Frames *frames);
void frames_add(Frames *frames);

// Frames [first, end) can be read: 0 is the first of the run; first > 0 when the oldest have been forgotten. A run has
// no frame before the first frames_add.
int frames_first(const Frames *frames);
int frames_end(const Frames *frames);
double frames_time(const Frames *frames, int frame); // s; NAN when there is no such frame
int frames_near(const Frames *frames, double time);  // the frame nearest to a time; needs at least one frame

// Channels, sorted by path; every value is read as a float. frames_find: -1 when there is none.
int frames_channel_count(const Frames *frames);
const FrameChannel *frames_channel(const Frames *frames, int channel);
int frames_find(const Frames *frames, const char *path);

// The values of one frame: values[rows * width]. Error: no such frame, the trace cannot be read.
bool frames_read(Frames *frames, int channel, int frame, float *values, Error *error);

enum { FRAMES_NORM = -1 }; // as a column: the length of the row's vector

// One value of a channel over frames [first, first + count): row and column (or FRAMES_NORM) of the frame's values.
bool frames_read_series(Frames *frames, int channel, int row, int column, int first, int count, float *values,
                        Error *error);

// The same over all frames: [0] is that of frames_first. The result is cached, so that later calls read only new
// frames; the 64 series used last are kept. Valid until the next call of this file that changes or reads frames.
const float *frames_series(Frames *frames, int channel, int row, int column, Error *error);

// The contacts of a frame, at most `most`. Returns how many, -1 on error.
int frames_contacts(Frames *frames, int frame, FrameContact *contacts, int most, Error *error);

#endif
