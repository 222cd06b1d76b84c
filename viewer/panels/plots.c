// The chosen curves: channels by name, their values over time, and the points to draw.
#include "viewer/panels/plots.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

static const char CHARACTERS[] = "/characters/";

void plots_init(Plots *plots) { *plots = (Plots){.span = 10}; }

bool plots_add(Plots *plots, const PlotCurve *curve) {
  for (int i = 0; i < plots->count; i++) {
    const PlotCurve *other = &plots->curves[i];
    if (strcmp(other->channel, curve->channel) == 0 && other->row == curve->row && other->column == curve->column)
      return false;
  }
  if (plots->count == PLOTS_MAX_CURVES)
    return false;
  plots->curves[plots->count++] = *curve;
  return true;
}

void plots_remove(Plots *plots, int index) {
  if (index < 0 || index >= plots->count)
    return;
  plots->count--;
  memmove(&plots->curves[index], &plots->curves[index + 1], (size_t)(plots->count - index) * sizeof plots->curves[0]);
}

// ---- Names and units ----

// Whether the unit is "rad", "rad/s" or the like.
static bool is_angle(const FrameChannel *channel) {
  return strncmp(channel->unit, "rad", 3) == 0 && strchr("/ ^", channel->unit[3]);
}

// x, y, z, w of a vector with two to four components; NULL: columns are numbered.
static const char *column_name(const FrameChannel *channel, int column) {
  static const char *const NAMES[] = {"x", "y", "z", "w"};
  return channel->width >= 2 && channel->width <= 4 && column >= 0 && column < channel->width ? NAMES[column] : NULL;
}

void plots_label(const PlotCurve *curve, Frames *frames, char *text, size_t size, char unit[32]) {
  int index = frames_find(frames, curve->channel);
  const FrameChannel *channel = index >= 0 ? frames_channel(frames, index) : NULL;
  bool fits = channel && curve->row >= 0 && curve->row < channel->rows;

  const char *path = curve->channel + (curve->channel[0] == '/');
  char owner[64] = "";
  if (strncmp(curve->channel, CHARACTERS, sizeof CHARACTERS - 1) == 0) {
    path = curve->channel + sizeof CHARACTERS - 1;
    size_t length = strcspn(path, "/");
    if (path[length] == '/') {
      snprintf(owner, sizeof owner, "%.*s ", (int)length, path);
      path += length + 1;
    }
  }
  char row[TRACE_NAME_SIZE + 2] = "", column[16] = "";
  if (fits && channel->names)
    snprintf(row, sizeof row, " %s", channel->names[curve->row]);
  else if (!fits || channel->rows > 1)
    snprintf(row, sizeof row, " %d", curve->row);
  if (curve->column == FRAMES_NORM && (!fits || channel->width > 1))
    snprintf(column, sizeof column, " norm");
  else if (fits && column_name(channel, curve->column))
    snprintf(column, sizeof column, " %s", column_name(channel, curve->column));
  else if (curve->column >= 0 && (!fits || channel->width > 1))
    snprintf(column, sizeof column, " %d", curve->column);
  snprintf(text, size, "%s%s%s%s", owner, path, row, column);

  if (channel && curve->degrees && is_angle(channel))
    snprintf(unit, 32, "deg%s", channel->unit + 3);
  else
    snprintf(unit, 32, "%s", channel ? channel->unit : "");
}

// ---- Points ----

// The first frame at or after a time; frames_end when there is none.
static int first_frame_from(const Frames *frames, double time) {
  int low = frames_first(frames), high = frames_end(frames);
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (frames_time(frames, middle) < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The frames of a group that are shown: those of the smallest and the largest value in order of time; one frame if they
// are equal; the first frame if there is no value. Returns their number.
static int pick_extremes(const float *series, int from, int to, int picked[2]) {
  int smallest = from, largest = from;
  for (int i = from + 1; i < to; i++) {
    // Any value replaces NAN.
    if (series[i] < series[smallest] || isnan(series[smallest]))
      smallest = i;
    if (series[i] > series[largest] || isnan(series[largest]))
      largest = i;
  }
  picked[0] = smallest < largest ? smallest : largest;
  picked[1] = smallest < largest ? largest : smallest;
  return picked[0] == picked[1] ? 1 : 2;
}

int plots_points(const PlotCurve *curve, Frames *frames, double from, double to, int most, float *times,
                 float *values) {
  int channel = frames_find(frames, curve->channel);
  const float *series = channel >= 0 ? frames_series(frames, channel, curve->row, curve->column, NULL) : NULL;
  if (!series)
    return -1;
  int first = first_frame_from(frames, from), end = first_frame_from(frames, nextafter(to, INFINITY));
  if (first >= end || most < 2)
    return 0;
  series -= frames_first(frames);

  // Groups of 1, 2, 4 ... frames, counted from frame 0. Two points of each must fit.
  long group = 1;
  if (end - first > most)
    while (2 * ((end - 1) / group - first / group + 1) > most)
      group *= 2;

  float scale = curve->degrees && is_angle(frames_channel(frames, channel)) ? (float)(1 / RAD_PER_DEGREE) : 1;
  int count = 0;
  for (long start = first; start < end; start = (start / group + 1) * group) {
    long stop = (start / group + 1) * group;
    int picked[2], picked_count = pick_extremes(series, (int)start, (int)(stop < end ? stop : end), picked);
    for (int i = 0; i < picked_count; i++) {
      times[count] = (float)frames_time(frames, picked[i]);
      values[count++] = scale * series[picked[i]];
    }
  }
  return count;
}

// ---- Parsing ----

// Sets an error with similar channels: those that contain the end of the path, otherwise all, as many as fit.
static bool set_unknown_channel(const char *path, const Frames *frames, Error *error) {
  char list[512] = "";
  size_t used = 0;
  for (int pass = 0; pass < 2 && used == 0; pass++)
    for (int i = 0; i < frames_channel_count(frames); i++) {
      const char *there = frames_channel(frames, i)->path;
      const char *last = strrchr(path, '/');
      if (pass == 0 && !strstr(there, last ? last : path))
        continue;
      size_t length = strlen(there) + 2;
      if (used + length + 4 > sizeof list) {
        snprintf(list + used, sizeof list - used, " ...");
        break;
      }
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", there);
    }
  return error_set(error, "%s: there is no such channel; there are %s", path, list);
}

// Reads an integer from 0 to count - 1. False when the text is not one.
static bool parse_index(const char *text, int count, int *index) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number < 0 || number >= count)
    return false;
  *index = (int)number;
  return true;
}

static bool parse_row(const char *text, const FrameChannel *channel, int *row, Error *error) {
  for (int i = 0; channel->names && i < channel->rows; i++)
    if (strcmp(channel->names[i], text) == 0) {
      *row = i;
      return true;
    }
  if (parse_index(text, channel->rows, row))
    return true;
  return error_set(error, "%s: there is no row \"%s\", wanted is 0 to %d%s%s%s%s", channel->path, text,
                   channel->rows - 1, channel->names ? " or a name (" : "", channel->names ? channel->names[0] : "",
                   channel->names && channel->rows > 1 ? ", ..." : "", channel->names ? ")" : "");
}

static bool parse_column(const char *text, const FrameChannel *channel, int *column, Error *error) {
  *column = FRAMES_NORM;
  if (strcmp(text, "norm") == 0 || strcmp(text, "-1") == 0)
    return true;
  for (int i = 0; i < channel->width; i++)
    if (column_name(channel, i) && strcmp(column_name(channel, i), text) == 0) {
      *column = i;
      return true;
    }
  if (parse_index(text, channel->width, column))
    return true;
  return error_set(error, "%s: there is no column \"%s\", wanted is 0 to %d%s or norm", channel->path, text,
                   channel->width - 1, column_name(channel, 0) ? ", a letter (x, y, ...)" : "");
}

// Splits "path[row,column]"; missing parts become "".
static bool split(const char *text, char path[160], char row[TRACE_NAME_SIZE], char column[TRACE_NAME_SIZE]) {
  row[0] = column[0] = '\0';
  size_t length = strcspn(text, "[");
  if (length == 0 || length >= 160)
    return false;
  memcpy(path, text, length);
  path[length] = '\0';
  if (text[length] == '\0')
    return true;
  const char *inside = text + length + 1;
  size_t row_length = strcspn(inside, ",]");
  if (row_length == 0 || row_length >= TRACE_NAME_SIZE)
    return false;
  memcpy(row, inside, row_length);
  row[row_length] = '\0';
  const char *rest = inside + row_length;
  if (*rest == ',') {
    size_t column_length = strcspn(++rest, ",]");
    if (column_length == 0 || column_length >= TRACE_NAME_SIZE)
      return false;
    memcpy(column, rest, column_length);
    column[column_length] = '\0';
    rest += column_length;
  }
  return strcmp(rest, "]") == 0;
}

bool plots_parse(const char *text, Frames *frames, PlotCurve *curve, Error *error) {
  char path[160], row[TRACE_NAME_SIZE], column[TRACE_NAME_SIZE];
  if (!split(text, path, row, column))
    return error_set(error, "\"%s\": wanted is channel[row,column], channel[row] or channel", text);
  int index = frames_find(frames, path);
  if (index < 0 && path[0] != '/') {
    char longer[sizeof path + sizeof CHARACTERS];
    snprintf(longer, sizeof longer, "%s%s", CHARACTERS, path);
    index = frames_find(frames, longer);
  }
  if (index < 0)
    return set_unknown_channel(path, frames, error);
  const FrameChannel *channel = frames_channel(frames, index);
  PlotCurve parsed = {.column = channel->width > 1 ? FRAMES_NORM : 0, .degrees = is_angle(channel)};
  memcpy(parsed.channel, channel->path, sizeof parsed.channel);
  if (row[0] == '\0' && channel->rows > 1)
    return error_set(error, "%s: has %d rows, wanted is %s[row] or %s[row,column]", channel->path, channel->rows, path,
                     path);
  if ((row[0] != '\0' && !parse_row(row, channel, &parsed.row, error)) ||
      (column[0] != '\0' && !parse_column(column, channel, &parsed.column, error)))
    return false;
  *curve = parsed;
  return true;
}
