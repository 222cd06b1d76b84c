// OpenSim's files of markers, .trc (Motion Analysis' Track Row Column, type 4): a header, and a tab-separated line for
// each frame with its number from 1 on, its time and three coordinates of each marker. Lengths are in mm, as
// laboratories have them; axes are those of .mot and .sto: x forward, y up, z to the right.
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/opensim_file.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_markers.h"

static const float MM_PER_M = 1000;

static void coordinates(vec3s place, float out[3]) {
  out[0] = MM_PER_M * place.z;
  out[1] = MM_PER_M * place.y;
  out[2] = 0 - MM_PER_M * place.x; // 0 has no sign
}

static void write_header(const TraceMarkers *markers, const char *scene, TextBuffer *text) {
  const TraceMotion *motion = markers->motion;
  char title[3 * TRACE_NAME_SIZE], rate[32];
  opensim_title(scene, motion->character, trace_pose_names[motion->pose], title, sizeof title);
  snprintf(rate, sizeof rate, "%.9g", motion->frame_rate);
  text_print(text, "PathFileType\t4\t(X/Y/Z)\t%s.trc\n", title);
  text_print(text, "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t"
                   "OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n");
  text_print(text, "%s\t%s\t%d\t%d\tmm\t%s\t1\t%d\n", rate, rate, motion->frame_count, markers->count, rate,
             motion->frame_count);
  text_print(text, "Frame#\tTime");
  for (int m = 0; m < markers->count; m++)
    text_print(text, "\t%s\t\t", markers->markers[m].name);
  text_print(text, "\n\t");
  for (int m = 1; m <= markers->count; m++)
    text_print(text, "\tX%d\tY%d\tZ%d", m, m, m);
  text_print(text, "\n\n");
}

static void write_frames(const TraceMarkers *markers, TextBuffer *text) {
  const vec3s *place = markers->places;
  for (int f = 0; f < markers->motion->frame_count; f++) {
    text_print(text, "%d\t", f + 1);
    text_float64(text, markers->motion->time[f]);
    for (int m = 0; m < markers->count; m++) {
      float values[3];
      coordinates(*place++, values);
      for (int k = 0; k < 3; k++) {
        text_append(text, "\t", 1);
        text_float32(text, values[k]);
      }
    }
    text_append(text, "\n", 1);
  }
}

// Reads the lines after the header and counts the numbers that are not the trace's.
static long count_differences(const TraceMarkers *markers, const char *text) {
  static const char END_OF_HEADER[] = "\n\n";
  const vec3s *place = markers->places;
  char *cursor = strstr(text, END_OF_HEADER) + strlen(END_OF_HEADER);
  long differences = 0;
  for (int f = 0; f < markers->motion->frame_count; f++) {
    differences += strtol(cursor, &cursor, 10) != f + 1;
    differences += !text_same_float64(strtod(cursor, &cursor), markers->motion->time[f]);
    for (int m = 0; m < markers->count; m++) {
      float values[3];
      coordinates(*place++, values);
      for (int k = 0; k < 3; k++)
        differences += !text_same_float32(strtof(cursor, &cursor), values[k]);
    }
  }
  return differences + (strcmp(cursor, "\n") != 0);
}

bool export_trc(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  TraceMarkers markers;
  if (!trace_markers_read(&markers, reader, def, options->character, options->pose, error))
    return false;
  TextBuffer text = {0};
  write_header(&markers, trace_text(reader, "scene_name"), &text);
  write_frames(&markers, &text);
  const bool good = !text.failed || error_set(error, "out of memory");
  if (good) {
    *result = (ExportResult){.bytes = text.bytes, .size = text.size};
    trace_markers_describe(&markers, result->contents, sizeof result->contents);
    round_trip_tell_bits((long)markers.motion->frame_count * (2 + 3 * markers.count),
                         count_differences(&markers, text.bytes), result->round_trip, sizeof result->round_trip);
  } else {
    text_free(&text);
  }
  trace_markers_free(&markers);
  return good;
}
