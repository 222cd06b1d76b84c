// Channels and values of frames, found by name and read by frame, independent of how they are stored.
#include "viewer/source/frames_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Channels ----

StoredChannel *frames_add_channel(Frames *frames, const TraceChannel *channel, bool named) {
  if (frames->channel_count == frames->channel_capacity) {
    int capacity = frames->channel_capacity > 0 ? 2 * frames->channel_capacity : 64;
    StoredChannel *grown = realloc(frames->channels, (size_t)capacity * sizeof *grown);
    if (!grown)
      return NULL;
    frames->channels = grown;
    frames->channel_capacity = capacity;
  }
  StoredChannel *stored = &frames->channels[frames->channel_count++];
  *stored = (StoredChannel){.shown = {.rows = 1, .width = 1}};
  FrameChannel *shown = &stored->shown;
  snprintf(shown->path, sizeof shown->path, "%s", channel->path);
  snprintf(shown->unit, sizeof shown->unit, "%s", channel->unit);
  snprintf(shown->description, sizeof shown->description, "%s", channel->description);
  // One dimension after the rows: a vector, or that number of named scalars.
  if (channel->shape[1] > 0) {
    shown->rows = channel->shape[0];
    shown->width = channel->shape[1];
  } else if (channel->shape[0] > 0)
    *(named ? &shown->rows : &shown->width) = channel->shape[0];
  return stored;
}

static int compare_channels(const void *a, const void *b) {
  return strcmp(((const StoredChannel *)a)->shown.path, ((const StoredChannel *)b)->shown.path);
}

void frames_sort_channels(Frames *frames) {
  if (frames->channel_count > 0)
    qsort(frames->channels, (size_t)frames->channel_count, sizeof *frames->channels, compare_channels);
}

int frames_channel_count(const Frames *frames) { return frames->channel_count; }

const FrameChannel *frames_channel(const Frames *frames, int channel) { return &frames->channels[channel].shown; }

int frames_find(const Frames *frames, const char *path) {
  int low = 0, high = frames->channel_count - 1;
  while (low <= high) {
    int middle = (low + high) / 2, order = strcmp(frames->channels[middle].shown.path, path);
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

// ---- Times ----

int frames_first(const Frames *frames) { return frames->first; }

int frames_end(const Frames *frames) { return frames->end; }

static bool has_frame(const Frames *frames, int frame) { return frame >= frames->first && frame < frames->end; }

double frames_time(const Frames *frames, int frame) {
  return has_frame(frames, frame) ? frames->kind->time(frames, frame) : NAN;
}

int frames_near(const Frames *frames, double time) {
  int low = frames->first, high = frames->end - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (frames_time(frames, middle) < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low > frames->first && time - frames_time(frames, low - 1) < frames_time(frames, low) - time ? low - 1 : low;
}

// ---- Values ----

static bool check_frames(const Frames *frames, int first, int count, Error *error) {
  if (count >= 0 && first >= frames->first && first <= frames->end && count <= frames->end - first)
    return true;
  return error_set(error, "%d frames from frame %d on are asked for, there are frames %d to %d", count, first,
                   frames->first, frames->end - 1);
}

static bool check_value(const Frames *frames, int channel, int row, int column, Error *error) {
  if (channel < 0 || channel >= frames->channel_count)
    return error_set(error, "there is no channel %d, there are %d", channel, frames->channel_count);
  const FrameChannel *shown = &frames->channels[channel].shown;
  if (row >= 0 && row < shown->rows && column >= FRAMES_NORM && column < shown->width)
    return true;
  return error_set(error, "%s: there is no value [%d,%d], a frame has %d rows of %d", shown->path, row, column,
                   shown->rows, shown->width);
}

bool frames_read(Frames *frames, int channel, int frame, float *values, Error *error) {
  if (!check_frames(frames, frame, 1, error) || !check_value(frames, channel, 0, 0, error))
    return false;
  const float *stored = frames->kind->values(frames, channel, frame, error);
  if (stored)
    memcpy(values, stored, channel_size(&frames->channels[channel].shown) * sizeof *values);
  return stored != NULL;
}

static float pick_value(const float *row, int column, int width) {
  if (column != FRAMES_NORM)
    return row[column];
  double sum = 0;
  for (int i = 0; i < width; i++)
    sum += (double)row[i] * (double)row[i];
  return (float)sqrt(sum);
}

// The same without checks.
static bool read_series(Frames *frames, int channel, int row, int column, int first, int count, float *values,
                        Error *error) {
  int width = frames->channels[channel].shown.width;
  for (int i = 0; i < count; i++) {
    const float *stored = frames->kind->values(frames, channel, first + i, error);
    if (!stored)
      return false;
    values[i] = pick_value(&stored[row * width], column, width);
  }
  return true;
}

bool frames_read_series(Frames *frames, int channel, int row, int column, int first, int count, float *values,
                        Error *error) {
  return check_frames(frames, first, count, error) && check_value(frames, channel, row, column, error) &&
         read_series(frames, channel, row, column, first, count, values, error);
}

// ---- Cached series ----

// The cached series of a value, or the one that was used longest ago, emptied.
static Series *find_series(Frames *frames, int channel, int row, int column) {
  Series *oldest = &frames->series[0];
  for (int i = 0; i < MAX_SERIES; i++) {
    Series *series = &frames->series[i];
    if (series->values && series->channel == channel && series->row == row && series->column == column)
      return series;
    if (series->used < oldest->used)
      oldest = series;
  }
  free(oldest->values);
  *oldest = (Series){.channel = channel, .row = row, .column = column};
  return oldest;
}

// Makes room for all frames and removes forgotten ones. A reserve makes both rare.
static bool make_series_room(const Frames *frames, Series *series) {
  if (series->end < frames->first)
    series->first = series->end = frames->first;
  if (series->values && frames->end - series->first <= series->capacity)
    return true;
  int forgotten = frames->first - series->first, needed = frames->end - frames->first;
  if (series->values && forgotten > 0)
    memmove(series->values, series->values + forgotten, (size_t)(series->end - frames->first) * sizeof(float));
  series->first = frames->first;
  if (series->values && needed + needed / 4 <= series->capacity)
    return true;
  size_t capacity = (size_t)needed + (size_t)needed / 2 + 64;
  float *values = capacity <= INT_MAX ? realloc(series->values, capacity * sizeof *values) : NULL;
  if (!values)
    return false;
  series->values = values;
  series->capacity = (int)capacity;
  return true;
}

const float *frames_series(Frames *frames, int channel, int row, int column, Error *error) {
  if (!check_value(frames, channel, row, column, error))
    return NULL;
  Series *series = find_series(frames, channel, row, column);
  series->used = ++frames->series_calls;
  if (!make_series_room(frames, series)) {
    error_set(error, "%s: out of memory", frames->channels[channel].shown.path);
    return NULL;
  }
  float *missing = series->values + (series->end - series->first);
  if (!read_series(frames, channel, row, column, series->end, frames->end - series->end, missing, error))
    return NULL;
  series->end = frames->end;
  return series->values + (frames->first - series->first);
}

int frames_contacts(Frames *frames, int frame, FrameContact *contacts, int most, Error *error) {
  return check_frames(frames, frame, 1, error) ? frames->kind->contacts(frames, frame, contacts, most, error) : -1;
}

void frames_free(Frames *frames) {
  if (!frames)
    return;
  frames->kind->free(frames);
  for (int i = 0; i < frames->channel_count; i++) {
    free(frames->channels[i].shown.names);
    free(frames->channels[i].block);
  }
  for (int i = 0; i < MAX_SERIES; i++)
    free(frames->series[i].values);
  free(frames->channels);
  free(frames);
}
