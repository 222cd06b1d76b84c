// C3D files of markers (The C3D File Format User Guide, c3d.org), of Intel's byte order with real numbers: a header,
// the parameters, and in each frame four numbers for each marker, its place in mm and 0 for "computed, not measured",
// and one for each analog channel. Axes are those of most laboratories: x forward, y to the left, z up (Stagger's z, x
// and y). The analog channels are those of force platforms of type 2, whose axes x forward, y to the right, z down
// follow from their corners: forces (N) of the ground on the body, so that Fz is negative, and moments (N mm) about the
// middle of the surface, each the mean since the frame before.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/force_plates.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_markers.h"
#include "sim/base/text_buffer.h"

// All numbers are appended as they lie in memory: the machines that this runs on are little-endian.
enum { BLOCK_SIZE = 512, PARAMETER_BLOCK = 2, KEY = 0x50, INTEL = 84, MOST_FRAMES_16 = UINT16_MAX, POINT_SIZE = 4 };
enum { FRAME_NUMBERS = MARKERS_MAX * POINT_SIZE + FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS };
enum { DATA_START_AT = 16 }; // byte of the header, of the number of the block with the first frame

typedef enum ParameterType { TYPE_TEXT = -1, TYPE_INT16 = 2, TYPE_FLOAT = 4 } ParameterType;

static_assert(MARKERS_MAX <= UINT8_MAX, "a parameter's dimension is a byte");
static_assert(FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS <= UINT8_MAX, "and so is that of the channels");

typedef struct C3d {
  TraceMarkers markers;
  ForcePlates plates;
} C3d;

static int channels_of(const C3d *c3d) { return c3d->plates.count * FORCE_PLATE_CHANNELS; }

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

// Values of up to three dimensions, the first of which runs fastest; those from the first 0 on are none.
static void put_block(TextBuffer *bytes, int id, const char *name, ParameterType type, const size_t sizes[3],
                      const void *values) {
  uint8_t dimensions[3];
  size_t rank = 0, size = (size_t)abs((int)type);
  for (; rank < 3 && sizes[rank] > 0; rank++) {
    dimensions[rank] = (uint8_t)sizes[rank];
    size *= sizes[rank];
  }
  put_name(bytes, name, id, 2 + rank + size + 1);
  put(bytes, (const int8_t[]){(int8_t)type, (int8_t)rank}, 2);
  put(bytes, dimensions, rank);
  put(bytes, values, size);
  put(bytes, "", 1); // no description
}

// A value, a list of `first` values (second 0), or `second` such lists.
static void put_parameter(TextBuffer *bytes, int id, const char *name, ParameterType type, size_t first, size_t second,
                          const void *values) {
  put_block(bytes, id, name, type, (const size_t[]){first, second, 0}, values);
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

// Labels "Fx1" to "Mz1" of the first plate, then those of the second; what each is; and their units.
static void put_channel_texts(TextBuffer *bytes, int id, const ForcePlates *plates) {
  enum { LABEL = 4, UNIT = 4, DESCRIPTION = SKELETON_NAME_SIZE + 4, MOST = FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS };
  static const char *const names[FORCE_PLATE_CHANNELS] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  char labels[MOST][LABEL], descriptions[MOST][DESCRIPTION], units[MOST][UNIT];
  memset(labels, ' ', sizeof labels);
  memset(descriptions, ' ', sizeof descriptions);
  memset(units, ' ', sizeof units);
  const size_t count = (size_t)plates->count * FORCE_PLATE_CHANNELS;
  for (size_t i = 0; i < count; i++) {
    const size_t plate = i / FORCE_PLATE_CHANNELS, channel = i % FORCE_PLATE_CHANNELS;
    char text[DESCRIPTION + 1];
    memcpy(labels[i], text, (size_t)snprintf(text, sizeof text, "%s%zu", names[channel], plate + 1));
    memcpy(descriptions[i], text, (size_t)snprintf(text, sizeof text, "%s %s", names[channel], plates->names[plate]));
    memcpy(units[i], channel < 3 ? "N" : "Nmm", channel < 3 ? 1 : 3);
  }
  put_parameter(bytes, id, "LABELS", TYPE_TEXT, LABEL, count, labels);
  put_parameter(bytes, id, "DESCRIPTIONS", TYPE_TEXT, DESCRIPTION, count, descriptions);
  put_parameter(bytes, id, "UNITS", TYPE_TEXT, UNIT, count, units);
}

static void put_analog(TextBuffer *bytes, int id, const ForcePlates *plates, double rate) {
  float scales[FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS];
  const int16_t offsets[FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS] = {0};
  const size_t count = (size_t)plates->count * FORCE_PLATE_CHANNELS;
  for (size_t i = 0; i < count; i++)
    scales[i] = 1;
  put_group(bytes, id, "ANALOG");
  put_integer(bytes, id, "USED", (int)count);
  put_real(bytes, id, "RATE", rate);
  put_real(bytes, id, "GEN_SCALE", 1);
  if (count == 0)
    return;
  put_parameter(bytes, id, "SCALE", TYPE_FLOAT, count, 0, scales);
  put_parameter(bytes, id, "OFFSET", TYPE_INT16, count, 0, offsets);
  put_channel_texts(bytes, id, plates);
}

// The origins of the plates are in their surfaces, and no frames are without load for finding a zero.
static void put_platforms(TextBuffer *bytes, int id, const ForcePlates *plates) {
  int16_t types[FORCE_PLATES_MAX], channels[FORCE_PLATES_MAX * FORCE_PLATE_CHANNELS];
  float corners[FORCE_PLATES_MAX][FORCE_PLATE_CORNERS][3];
  const float origins[FORCE_PLATES_MAX][3] = {{0}};
  const size_t count = (size_t)plates->count;
  for (size_t i = 0; i < count; i++) {
    types[i] = 2;
    memcpy(corners[i], plates->corners, sizeof corners[i]);
  }
  for (size_t i = 0; i < count * FORCE_PLATE_CHANNELS; i++)
    channels[i] = (int16_t)(i + 1);
  put_group(bytes, id, "FORCE_PLATFORM");
  put_integer(bytes, id, "USED", plates->count);
  if (count == 0)
    return;
  put_parameter(bytes, id, "TYPE", TYPE_INT16, count, 0, types);
  put_parameter(bytes, id, "ZERO", TYPE_INT16, 2, 0, (const int16_t[]){0, 0});
  put_block(bytes, id, "CORNERS", TYPE_FLOAT, (const size_t[]){3, FORCE_PLATE_CORNERS, count}, corners);
  put_parameter(bytes, id, "ORIGIN", TYPE_FLOAT, 3, count, origins);
  put_parameter(bytes, id, "CHANNEL", TYPE_INT16, FORCE_PLATE_CHANNELS, count, channels);
  put_text(bytes, id, "UNITS", "N");
}

// The number of frames stands in 16 bits, which are full when there are more, then in TRIAL and LONG_FRAMES alone.
static void put_parameters(TextBuffer *bytes, const C3d *c3d, int blocks) {
  enum { MANUFACTURER = 1, POINT, ANALOG, FORCE_PLATFORM, TRIAL };
  const TraceMarkers *markers = &c3d->markers;
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
  put_analog(bytes, ANALOG, &c3d->plates, rate);
  put_platforms(bytes, FORCE_PLATFORM, &c3d->plates);
  put_group(bytes, TRIAL, "TRIAL");
  put_long(bytes, TRIAL, "ACTUAL_START_FIELD", 1);
  put_long(bytes, TRIAL, "ACTUAL_END_FIELD", frames);
  put_real(bytes, TRIAL, "CAMERA_RATE", rate);
  put(bytes, "\0", 2); // a record whose name has no characters: the end
  fill_block(bytes);
}

// ---- The file ----

// Numbers of the header: points, analog values of a frame, first and last frame, longest gap, scale, first block of the
// frames, samples of each channel in a frame, rate. Without its last part, which is of events.
static void put_header(TextBuffer *bytes, const C3d *c3d, int blocks) {
  const TraceMarkers *markers = &c3d->markers;
  const uint16_t channels = (uint16_t)channels_of(c3d);
  const int frames = markers->motion->frame_count;
  const uint16_t last = (uint16_t)(frames < MOST_FRAMES_16 ? frames : MOST_FRAMES_16);
  const float scale = negative_scale(markers), rate = (float)markers->motion->frame_rate;
  put(bytes, (const uint8_t[]){PARAMETER_BLOCK, KEY}, 2);
  put(bytes, (const uint16_t[]){(uint16_t)markers->count, channels, 1, last, 0}, 5 * sizeof(uint16_t));
  put(bytes, &scale, sizeof scale);
  put(bytes, (const uint16_t[]){(uint16_t)(PARAMETER_BLOCK + blocks), channels > 0}, 2 * sizeof(uint16_t));
  put(bytes, &rate, sizeof rate);
  fill_block(bytes);
}

// Parameters have the same size for any number of blocks.
static int count_blocks(const C3d *c3d) {
  TextBuffer bytes = {0};
  put_parameters(&bytes, c3d, 0);
  const int blocks = (int)(bytes.size / BLOCK_SIZE);
  text_free(&bytes);
  return blocks;
}

// The numbers of a frame: those of all points, then one of each channel. Returns their number.
static size_t frame_numbers(const C3d *c3d, int frame, float numbers[]) {
  const TraceMarkers *markers = &c3d->markers;
  size_t count = 0;
  for (int m = 0; m < markers->count; m++, count += POINT_SIZE)
    point_of(markers->places[(size_t)frame * (size_t)markers->count + (size_t)m], &numbers[count]);
  for (int p = 0; p < c3d->plates.count; p++, count += FORCE_PLATE_CHANNELS)
    memcpy(&numbers[count], c3d->plates.values[(size_t)frame * (size_t)c3d->plates.count + (size_t)p],
           sizeof c3d->plates.values[0]);
  return count;
}

static void put_frames(TextBuffer *bytes, const C3d *c3d) {
  float numbers[FRAME_NUMBERS];
  for (int f = 0; f < c3d->markers.motion->frame_count; f++)
    put(bytes, numbers, frame_numbers(c3d, f, numbers) * sizeof(float));
  fill_block(bytes);
}

// Finds the frames as a reader does, and counts the numbers that are not the trace's. count: of all numbers.
static long count_differences(const TextBuffer *bytes, const C3d *c3d, long *count) {
  uint16_t block;
  memcpy(&block, bytes->bytes + DATA_START_AT, sizeof block);
  const char *at = bytes->bytes + ((size_t)block - 1) * BLOCK_SIZE;
  long differences = 0;
  *count = 0;
  for (int f = 0; f < c3d->markers.motion->frame_count; f++) {
    float numbers[FRAME_NUMBERS], found[FRAME_NUMBERS];
    const size_t size = frame_numbers(c3d, f, numbers);
    memcpy(found, at, size * sizeof *found);
    at += size * sizeof *found;
    *count += (long)size;
    for (size_t k = 0; k < size; k++)
      differences += !text_same_float32(numbers[k], found[k]);
  }
  return differences;
}

static void describe(const C3d *c3d, char *text, size_t size) {
  trace_markers_describe(&c3d->markers, text, size);
  const size_t end = strlen(text);
  if (c3d->plates.count > 0)
    snprintf(text + end, size - end, ", %d force plates", c3d->plates.count);
}

static bool make_file(const C3d *c3d, ExportResult *result, Error *error) {
  TextBuffer bytes = {0};
  const int blocks = count_blocks(c3d);
  put_header(&bytes, c3d, blocks);
  put_parameters(&bytes, c3d, blocks);
  put_frames(&bytes, c3d);
  if (bytes.failed) {
    text_free(&bytes);
    return error_set(error, "out of memory");
  }
  *result = (ExportResult){.bytes = bytes.bytes, .size = bytes.size};
  describe(c3d, result->contents, sizeof result->contents);
  long count;
  const long differences = count_differences(&bytes, c3d, &count);
  round_trip_tell_bits(count, differences, result->round_trip, sizeof result->round_trip);
  return true;
}

bool export_c3d(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  C3d c3d;
  if (!trace_markers_read(&c3d.markers, reader, def, options->character, options->pose, error))
    return false;
  const bool good = force_plates_read(&c3d.plates, reader, c3d.markers.motion, error) && make_file(&c3d, result, error);
  force_plates_free(&c3d.plates);
  trace_markers_free(&c3d.markers);
  return good;
}
