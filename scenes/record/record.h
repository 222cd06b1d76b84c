// Records a run: declares the channels of a trace for the characters of a scene and fills in its frames.
#ifndef STAGGER_SCENES_RECORD_RECORD_H
#define STAGGER_SCENES_RECORD_RECORD_H

#include "ragdoll/character/character.h"
#include "sim/trace/trace.h"

// Number of values of a channel in one frame: one row of `width` values, or one row for each joint (without the root),
// part, foot, or node of the graph. ROWS_GRAPH: one row, for a character with a graph.
typedef enum RecordRows { ROWS_ONE, ROWS_JOINTS, ROWS_PARTS, ROWS_FEET, ROWS_TRACKS, ROWS_GRAPH } RecordRows;

typedef struct RecordChannel {
  const char *path; // relative to /characters/<name> or /objects/<name>, or to the file's root
  TraceType type;
  RecordRows rows;
  int width; // 1 for scalars
  const char *unit, *description;
} RecordChannel;

// Tables used by the recorder and by the reference.
extern const RecordChannel character_channels[], world_channels[], object_channels[];
extern const RecordChannel rope_channel; // one row for each rope, in a trace with ropes
extern const int character_channel_count, world_channel_count, object_channel_count;

// The attributes that the recorder adds to the channels, for the reference.
extern const TraceAttribute record_attributes[];
extern const int record_attribute_count;

// A contact of a frame, see world_channels. For a sink other than a trace, part and other are indices of the world's
// bodies.
typedef struct RecordContact {
  int part, other;
  double position[3]; // m
  float normal[3];
  double impulse[3], moment[3]; // N s, N m s
} RecordContact;

// A destination of frames other than a trace: the same channels, but without /time, step hashes and lists.
typedef struct RecordSink {
  void *context; // passed to the functions
  // Declares a channel with one row per frame. Returns its index, -1 on error.
  int (*declare)(void *context, const TraceChannel *channel, Error *error);
  void *(*row)(void *context, int channel); // where to write the current frame's values; as trace_row
  void (*contact)(void *context, const RecordContact *contact);
  bool (*end_frame)(void *context, double time);
} RecordSink;

typedef struct Recorder Recorder;

// Declares all channels. The writer remains the caller's. Nothing is allocated afterwards, except in a trace for an
// object (see record_objects.h) that enters the world later. Several recorders may record the same run, in any order.
Recorder *recorder_create(TraceWriter *writer, const World *world, Character *const *characters, int count,
                          Error *error);
Recorder *recorder_create_for(const RecordSink *sink, const World *world, Character *const *characters, int count,
                              Error *error);
void recorder_destroy(Recorder *recorder);

// A recorder that writes no frames but accumulates their sums: a continued run begins to record in the middle, and its
// first frame needs the sums since the frame before.
Recorder *recorder_create_silent(const World *world, Character *const *characters, int count, Error *error);

// A recorder into a trace that continues the sums of a silent one, which remains the caller's.
Recorder *recorder_create_after(const Recorder *silent, TraceWriter *writer, Error *error);

// Saves or restores the sums since the last frame, and the list of objects so far.
void recorder_state(Recorder *recorder, StateStream *stream);

// NULL and 0 without a recorder; a sink other than a trace has no trace. Dropped: contacts beyond CONTACT_SUMS_MAX in
// one frame.
TraceWriter *recorder_trace(const Recorder *recorder);
long recorder_dropped(const Recorder *recorder);

// Call after every physics step: accumulates contacts and assist; writes the step's hash to a trace.
void recorder_step(Recorder *recorder);

// Writes a frame; a silent recorder only begins new sums. judged: character_sample_metrics has been called for all
// characters since the last step, so that the state of their feet is known. False once writing has failed.
bool recorder_frame(Recorder *recorder, bool judged);

// Call after the last frame, when the metrics are finished: writes the table of hits to a trace.
void recorder_finish(Recorder *recorder);

#endif
