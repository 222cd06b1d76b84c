// C3D files of markers (The C3D File Format User Guide, c3d.org), of Intel's byte order with real numbers: a header,
// the parameters, and four numbers for each marker in each frame, its place in mm and 0 for "computed, not measured".
// Axes are those of most laboratories: x forward, y to the left, z up (Stagger's z, x and y). There are no analog
// channels and no force platforms, which would have to lie still under feet that run away: .sto has the ground's
// forces.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_markers.h"
#include "sim/base/text_buffer.h"

// All numbers are appended as they lie in memory: the machines that this runs on are little-endian.
enum { BLOCK_SIZE = 512, PARAMETER_BLOCK = 2, KEY = 0x50, INTEL = 84, MOST_FRAMES_16 = UINT16_MAX, POINT_SIZE = 4 };
enum { DATA_START_AT = 16 }; // byte of the header, of the number of the block with the first frame

typedef enum ParameterType { TYPE_TEXT = -1, TYPE_INT16 = 2, TYPE_FLOAT = 4 } ParameterType;

static_assert(MARKERS_MAX <= UINT8_MAX, "a parameter's dimension is a byte");

static void point_of(vec3s place, float point[POINT_SIZE]) {
  static const float MM_PER_M = 1000;
  point[0] = MM_PER_M * place.z;
  point[1] = MM_PER_M * place.x;
  point[2] = MM_PER_M * place.y;
  point[3] = 0;
}

static void put(TextBuffer *bytes, const void *values, size_t size) { text_append(bytes, values, size); }

static void fill_block(TextBuffer *bytes) {
  static const char zeros[BLOCK_SIZE];
  text_append(bytes, zeros, (BLOCK_SIZE - bytes->size % BLOCK_SIZE) % BLOCK_SIZE);
}

// By this factor the places would have to be divided to fit into 16 bits. It is negative where they are real numbers.
static float negative_scale(const TraceMarkers *markers) {
  const size_t count = (size_t)markers->motion->frame_count * (size_t)markers->count;
  float largest = 1;
  for (size_t i = 0; i < count; i++) {
    float point[POINT_SIZE];
    point_of(markers->places[i], point);
    for (int k = 0; k < 3; k++)
      largest = fmaxf(largest, fabsf(point[k]));
  }
  return -largest / 32000;
}

// ---- Parameters ----

// Names have at most 127 characters. The name is followed by the distance to the next record.
static void put_name(TextBuffer *bytes, const char *name, int id, size_t rest) {
  put(bytes, (const int8_t[]){(int8_t)strlen(name), (int8_t)id}, 2);
  put(bytes, name, strlen(name));
  put(bytes, &(uint16_t){(uint16_t)(sizeof(uint16_t) + rest)}, sizeof(uint16_t));
}

static void put_group(TextBuffer *bytes, int id, const char *name) {
  put_name(bytes, name, -id, 1);
  put(bytes, "", 1); // no description
}

// A value, a list of `first` values (second 0), or `second` such lists.
static void put_parameter(TextBuffer *bytes, int id, const char *name, ParameterType type, size_t first, size_t second,
                          const void *values) {
  const uint8_t dimensions[] = {(uint8_t)first, (uint8_t)second};
  const size_t rank = (size_t)(first > 0) + (second > 0);
  const size_t size = (size_t)abs((int)type) * (first > 0 ? first : 1) * (second > 0 ? second : 1);
  put_name(bytes, name, id, 2 + rank + size + 1);
  put(bytes, (const int8_t[]){(int8_t)type, (int8_t)rank}, 2);
  put(bytes, dimensions, rank);
  put(bytes, values, size);
  put(bytes, "", 1); // no description
}

static void put_text(TextBuffer *bytes, int id, const char *name, const char *text) {
  put_parameter(bytes, id, name, TYPE_TEXT, strlen(text), 0, text);
}

static void put_integer(TextBuffer *bytes, int id, const char *name, int value) {
  put_parameter(bytes, id, name, TYPE_INT16, 0, 0, &(uint16_t){(uint16_t)value});
}

static void put_real(TextBuffer *bytes, int id, const char *name, double value) {
  put_parameter(bytes, id, name, TYPE_FLOAT, 0, 0, &(float){(float)value});
}

// A number of 32 bits as two of 16, the lower first.
static void put_long(TextBuffer *bytes, int id, const char *name, int value) {
  put_parameter(bytes, id, name, TYPE_INT16, 2, 0, &(int32_t){value});
}

static void put_labels(TextBuffer *bytes, int id, const TraceMarkers *markers) {
  char labels[MARKERS_MAX * MARKER_NAME_SIZE];
  memset(labels, ' ', sizeof labels);
  for (int m = 0; m < markers->count; m++)
    memcpy(&labels[m * MARKER_NAME_SIZE], markers->markers[m].name, strlen(markers->markers[m].name));
  put_parameter(bytes, id, "LABELS", TYPE_TEXT, MARKER_NAME_SIZE, (size_t)markers->count, labels);
}

// The number of frames stands in 16 bits, which are full when there are more, then in TRIAL and LONG_FRAMES alone.
static void put_parameters(TextBuffer *bytes, const TraceMarkers *markers, int blocks) {
  enum { MANUFACTURER = 1, POINT, ANALOG, FORCE_PLATFORM, TRIAL };
  const int frames = markers->motion->frame_count;
  const double rate = markers->motion->frame_rate;
  put(bytes, (const uint8_t[]){1, KEY, (uint8_t)blocks, INTEL}, 4);
  put_group(bytes, MANUFACTURER, "MANUFACTURER");
  put_text(bytes, MANUFACTURER, "SOFTWARE", "Stagger");
  put_text(bytes, MANUFACTURER, "VERSION_LABEL", STAGGER_VERSION);
  put_group(bytes, POINT, "POINT");
  put_integer(bytes, POINT, "USED", markers->count);
  put_real(bytes, POINT, "SCALE", (double)negative_scale(markers));
  put_real(bytes, POINT, "RATE", rate);
  put_integer(bytes, POINT, "DATA_START", PARAMETER_BLOCK + blocks);
  put_integer(bytes, POINT, "FRAMES", frames < MOST_FRAMES_16 ? frames : MOST_FRAMES_16);
  put_real(bytes, POINT, "LONG_FRAMES", frames);
  put_labels(bytes, POINT, markers);
  put_text(bytes, POINT, "UNITS", "mm");
  put_text(bytes, POINT, "X_SCREEN", "+X");
  put_text(bytes, POINT, "Y_SCREEN", "+Z");
  put_group(bytes, ANALOG, "ANALOG");
  put_integer(bytes, ANALOG, "USED", 0);
  put_real(bytes, ANALOG, "RATE", rate);
  put_real(bytes, ANALOG, "GEN_SCALE", 1);
  put_group(bytes, FORCE_PLATFORM, "FORCE_PLATFORM");
  put_integer(bytes, FORCE_PLATFORM, "USED", 0);
  put_group(bytes, TRIAL, "TRIAL");
  put_long(bytes, TRIAL, "ACTUAL_START_FIELD", 1);
  put_long(bytes, TRIAL, "ACTUAL_END_FIELD", frames);
  put_real(bytes, TRIAL, "CAMERA_RATE", rate);
  put(bytes, "\0", 2); // a record whose name has no characters: the end
  fill_block(bytes);
}

// ---- The file ----

// Numbers of the header: points, analog values, first and last frame, longest gap, scale, first block of the frames,
// analog values a frame, rate. Without its last part, which is of events.
static void put_header(TextBuffer *bytes, const TraceMarkers *markers, int blocks) {
  const int frames = markers->motion->frame_count;
  const uint16_t last = (uint16_t)(frames < MOST_FRAMES_16 ? frames : MOST_FRAMES_16);
  const float scale = negative_scale(markers), rate = (float)markers->motion->frame_rate;
  put(bytes, (const uint8_t[]){PARAMETER_BLOCK, KEY}, 2);
  put(bytes, (const uint16_t[]){(uint16_t)markers->count, 0, 1, last, 0}, 5 * sizeof(uint16_t));
  put(bytes, &scale, sizeof scale);
  put(bytes, (const uint16_t[]){(uint16_t)(PARAMETER_BLOCK + blocks), 0}, 2 * sizeof(uint16_t));
  put(bytes, &rate, sizeof rate);
  fill_block(bytes);
}

// Parameters have the same size for any number of blocks.
static int count_blocks(const TraceMarkers *markers) {
  TextBuffer bytes = {0};
  put_parameters(&bytes, markers, 0);
  const int blocks = (int)(bytes.size / BLOCK_SIZE);
  text_free(&bytes);
  return blocks;
}

static void put_frames(TextBuffer *bytes, const TraceMarkers *markers) {
  const size_t count = (size_t)markers->motion->frame_count * (size_t)markers->count;
  text_reserve(bytes, count * POINT_SIZE * sizeof(float));
  for (size_t i = 0; i < count; i++) {
    float point[POINT_SIZE];
    point_of(markers->places[i], point);
    put(bytes, point, sizeof point);
  }
  fill_block(bytes);
}

// Finds the frames as a reader does, and counts the numbers that are not the trace's.
static long count_differences(const TextBuffer *bytes, const TraceMarkers *markers) {
  const size_t count = (size_t)markers->motion->frame_count * (size_t)markers->count;
  uint16_t block;
  memcpy(&block, bytes->bytes + DATA_START_AT, sizeof block);
  const size_t start = ((size_t)block - 1) * BLOCK_SIZE;
  long differences = 0;
  for (size_t i = 0; i < count; i++) {
    float point[POINT_SIZE], found[POINT_SIZE];
    point_of(markers->places[i], point);
    memcpy(found, bytes->bytes + start + i * sizeof found, sizeof found);
    for (int k = 0; k < POINT_SIZE; k++)
      differences += !text_same_float32(point[k], found[k]);
  }
  return differences;
}

bool export_c3d(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  TraceMarkers markers;
  if (!trace_markers_read(&markers, reader, def, options->character, options->pose, error))
    return false;
  TextBuffer bytes = {0};
  const int blocks = count_blocks(&markers);
  put_header(&bytes, &markers, blocks);
  put_parameters(&bytes, &markers, blocks);
  put_frames(&bytes, &markers);
  const bool good = !bytes.failed || error_set(error, "out of memory");
  if (good) {
    *result = (ExportResult){.bytes = bytes.bytes, .size = bytes.size};
    trace_markers_describe(&markers, result->contents, sizeof result->contents);
    round_trip_tell_bits((long)markers.motion->frame_count * markers.count * POINT_SIZE,
                         count_differences(&bytes, &markers), result->round_trip, sizeof result->round_trip);
  } else {
    text_free(&bytes);
  }
  trace_markers_free(&markers);
  return good;
}
