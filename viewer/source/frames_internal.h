// Internals of frames, common to those of a trace and those of a run.
#ifndef STAGGER_VIEWER_SOURCE_FRAMES_INTERNAL_H
#define STAGGER_VIEWER_SOURCE_FRAMES_INTERNAL_H

#include "viewer/source/frames.h"

typedef struct FramesKind {
  // The values of a channel in one frame; valid until the next call. NULL and an error.
  const float *(*values)(Frames *frames, int channel, int frame, Error *error);
  double (*time)(const Frames *frames, int frame);
  int (*contacts)(Frames *frames, int frame, FrameContact *contacts, int most, Error *error);
  void (*free)(Frames *frames); // frees what is specific to the kind
} FramesKind;

typedef struct StoredChannel {
  FrameChannel shown;
  size_t place;                 // for a run: index of its first value in a frame's values
  float *block;                 // for a trace: the values of some frames, read together
  int block_first, block_count; // frames
} StoredChannel;

// One value of a channel over all frames, see frames_series.
typedef struct Series {
  int channel, row, column;
  float *values;
  int first, end, capacity; // frames
  long used;                // number of the call
} Series;

enum { MAX_SERIES = 64 };

// The first member of each kind's struct.
struct Frames {
  const FramesKind *kind;
  StoredChannel *channels; // in the order of their paths
  int channel_count, channel_capacity;
  int first, end;
  Series series[MAX_SERIES];
  long series_calls;
};

// Appends a channel, without names. The shape is as in TraceChannel; `named`: its rows will have names. NULL: no
// memory.
StoredChannel *frames_add_channel(Frames *frames, const TraceChannel *channel, bool named);

// Sorts the channels, once all have been added.
void frames_sort_channels(Frames *frames);

static inline size_t channel_size(const FrameChannel *channel) {
  return (size_t)channel->rows * (size_t)channel->width;
}

#endif
