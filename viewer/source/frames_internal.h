// Frames from within: what those of a trace and those of a run share.
#ifndef STAGGER_VIEWER_SOURCE_FRAMES_INTERNAL_H
#define STAGGER_VIEWER_SOURCE_FRAMES_INTERNAL_H

#include "viewer/source/frames.h"

typedef struct FramesKind {
  // The values of a channel in one frame; good until the next call. NULL and an error.
  const float *(*values)(Frames *frames, int channel, int frame, Error *error);
  double (*time)(const Frames *frames, int frame);
  int (*contacts)(Frames *frames, int frame, FrameContact *contacts, int most, Error *error);
  void (*free)(Frames *frames); // what is not shared
} FramesKind;

typedef struct StoredChannel {
  FrameChannel shown;
  size_t place;                 // of a run: its first value in a frame's values
  float *block;                 // of a trace: some frames' values, read together
  int block_first, block_count; // frames
} StoredChannel;

// One value of a channel over all frames, see frames_series.
typedef struct Series {
  int channel, row, column;
  float *values;
  int first, end, capacity; // frames
  long used;                // when, in calls
} Series;

enum { MAX_SERIES = 64 };

// The first member of each kind.
struct Frames {
  const FramesKind *kind;
  StoredChannel *channels; // in the order of their paths
  int channel_count, channel_capacity;
  int first, end;
  Series series[MAX_SERIES];
  long series_calls;
};

// Appends a channel, without names. The shape is as in TraceChannel; `named`: its rows have names. NULL: no memory.
StoredChannel *frames_add_channel(Frames *frames, const TraceChannel *channel, bool named);

// Puts the channels in order, once all are there.
void frames_sort_channels(Frames *frames);

static inline size_t channel_size(const FrameChannel *channel) {
  return (size_t)channel->rows * (size_t)channel->width;
}

#endif
