// What a run leaves behind: declares the channels of a trace for the characters of a scene and fills in its frames.
#ifndef STAGGER_SCENES_RECORD_RECORD_H
#define STAGGER_SCENES_RECORD_RECORD_H

#include "ragdoll/character/character.h"
#include "sim/trace/trace.h"

// How many values a channel has in one frame: one row of `width` values, or one row for each joint (without the
// root), part, foot, or node of the graph. ROWS_GRAPH: one row of a character that plays a graph.
typedef enum RecordRows { ROWS_ONE, ROWS_JOINTS, ROWS_PARTS, ROWS_FEET, ROWS_TRACKS, ROWS_GRAPH } RecordRows;

typedef struct RecordChannel {
  const char *path; // below /characters/<name> or /objects/<name>, or in the file
  TraceType type;
  RecordRows rows;
  int width; // 1 for scalars
  const char *unit, *description;
} RecordChannel;

// One list for the recorder and for the reference.
extern const RecordChannel character_channels[], world_channels[], object_channels[];
extern const int character_channel_count, world_channel_count, object_channel_count;

// The attributes that the recorder adds to them, for the reference.
extern const TraceAttribute record_attributes[];
extern const int record_attribute_count;

// A contact of a frame, see world_channels. For a sink that is no trace, part and other are the world's bodies.
typedef struct RecordContact {
  int part, other;
  double position[3]; // m
  float normal[3];
  double impulse[3], moment[3]; // N s, N m s
} RecordContact;

// Where frames go when they do not go into a trace: the same channels, without /time, step hashes and lists.
typedef struct RecordSink {
  void *context; // of the functions
  // Declares a channel with one row a frame. Returns its index, -1 on error.
  int (*declare)(void *context, const TraceChannel *channel, Error *error);
  void *(*row)(void *context, int channel); // where to write the current frame's values, as trace_row
  void (*contact)(void *context, const RecordContact *contact);
  bool (*end_frame)(void *context, double time);
} RecordSink;

typedef struct Recorder Recorder;

// Declares all channels. The writer stays the caller's; nothing is allocated after this, but in a trace for an object
// (see record_objects.h) that comes into the world later. Several recorders can be at the same run, in any order.
Recorder *recorder_create(TraceWriter *writer, const World *world, Character *const *characters, int count,
                          Error *error);
Recorder *recorder_create_for(const RecordSink *sink, const World *world, Character *const *characters, int count,
                              Error *error);
void recorder_destroy(Recorder *recorder);

// A recorder that writes no frames but sums what they would sum, from one to the next: a run that is continued begins
// to record in the middle, and its first frame has what was before.
Recorder *recorder_create_silent(const World *world, Character *const *characters, int count, Error *error);

// A recorder into a trace that goes on with the sums of a silent one, which stays the caller's.
Recorder *recorder_create_after(const Recorder *silent, TraceWriter *writer, Error *error);

// Saves or restores the sums since the last frame, and which objects there have been.
void recorder_state(Recorder *recorder, StateStream *stream);

// NULL and 0 without a recorder; no trace with a sink. Dropped: contacts beyond CONTACT_SUMS_MAX in one frame.
TraceWriter *recorder_trace(const Recorder *recorder);
long recorder_dropped(const Recorder *recorder);

// After every physics step: adds up what a frame sums over its steps (contacts, assist); a trace gets the step's hash.
void recorder_step(Recorder *recorder);

// Writes a frame; a silent recorder begins to sum anew. judged: character_sample_metrics has been called for all since
// the last step, so that their feet are known. False once writing has failed.
bool recorder_frame(Recorder *recorder, bool judged);

// After the last frame, when the metrics are finished: a trace gets the table of hits.
void recorder_finish(Recorder *recorder);

#endif
