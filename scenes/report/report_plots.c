// The curves of a character, made from the channels of its trace. Values are read block by block, and of each curve
// only what the page draws and what goes into its data stays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_run.h"
#include "sim/base/numbers.h"

enum {
  BLOCK_VALUES = 1 << 18,
  PATH_SIZE = 160,
  MAX_ROWS = 256,
  MAX_SERIES = MAX_ROWS + 1,
  MAX_BODIES = 4096,
  CONTACT_FRAMES = 4096, // whose contacts are in memory at once
  MAX_NAMES = 4
};

// A maker turns one frame of a channel (`rows` rows of `width` values) into one value of each curve.

typedef void (*CurveMaker)(const float *values, int rows, int width, float *curves);

static double row_size(const float *values, int width) {
  double sum = 0;
  for (int k = 0; k < width; k++)
    sum += (double)values[k] * (double)values[k];
  return sqrt(sum);
}

static void make_rms_and_most(const float *values, int rows, int width, float *curves) {
  double most = 0;
  for (int i = 0; i < rows; i++)
    most = fmax(most, row_size(&values[i * width], width));
  curves[0] = (float)(row_size(values, rows * width) / sqrt(rows) / RAD_PER_DEGREE);
  curves[1] = (float)(most / RAD_PER_DEGREE);
}

static void make_degrees(const float *values, int rows, int width, float *curves) {
  for (int i = 0; i < rows; i++)
    curves[i] = (float)((double)values[i * width] / RAD_PER_DEGREE);
}

static void make_sum_and_most(const float *values, int rows, int width, float *curves) {
  double sum = 0, most = 0;
  for (int i = 0; i < rows; i++) {
    const double size = row_size(&values[i * width], width);
    sum += size;
    most = fmax(most, size);
  }
  curves[0] = (float)sum;
  curves[1] = (float)most;
}

static void make_sizes(const float *values, int rows, int width, float *curves) {
  for (int i = 0; i < rows; i++)
    curves[i] = (float)row_size(&values[i * width], width);
}

static void make_values(const float *values, int rows, int width, float *curves) {
  memcpy(curves, values, (size_t)(rows * width) * sizeof *values);
}

// A vector: its size, then its axes.
static void make_vector(const float *values, int rows, int width, float *curves) {
  (void)rows;
  curves[0] = (float)row_size(values, width);
  memcpy(&curves[1], values, 3 * sizeof *values);
}

static void make_speed(const float *values, int rows, int width, float *curves) {
  (void)rows, (void)width;
  curves[0] = hypotf(values[0], values[2]);
  curves[1] = values[1];
}

static void make_height(const float *values, int rows, int width, float *curves) {
  (void)rows, (void)width;
  curves[0] = values[1];
}

static void make_least(const float *values, int rows, int width, float *curves) {
  curves[0] = INFINITY;
  for (int i = 0; i < rows * width; i++)
    curves[0] = fminf(curves[0], values[i]);
}

static void make_most(const float *values, int rows, int width, float *curves) {
  curves[0] = -INFINITY;
  for (int i = 0; i < rows * width; i++)
    curves[0] = fmaxf(curves[0], values[i]);
}

// What is plotted. Curves without names have those of the channel's rows (joints, feet); without a label they belong to
// the plot before.
typedef struct CurveSpec {
  const char *group, *label, *unit, *channel;
  int width; // values in a row of the channel
  CurveMaker make;
  bool is_summary;
  const char *names[MAX_NAMES];
} CurveSpec;

// clang-format off
static const CurveSpec specs[] = {
    {"Pose", "pose error", "deg", "joints/error", 1, make_rms_and_most, true,
     {"RMS over joints", "largest joint"}},
    {"Assist", "assist force", "N", "assist/force", 3, make_vector, true, {"size", "x", "y", "z"}},
    {"Assist", "assist torque", "N m", "assist/torque", 3, make_vector, true, {"size", "x", "y", "z"}},
    {"Balance", "speed of the centre of mass", "m/s", "com/velocity", 3, make_speed, true, {"horizontal", "upward"}},
    {"Balance", "height of the centre of mass", "m", "com/position", 3, make_height, true, {"height"}},
    {"Balance", "margin of stability", "m", "com/support_margin", 1, make_values, true, {"margin"}},
    {"Drives", "drive torque", "N m", "joints/torque", 3, make_sum_and_most, true,
     {"sum over joints", "largest joint"}},
    {"Hit reaction", "strength left and physical share", "-", "joints/strength", 1, make_least, true,
     {"strength of the weakest joint"}},
    {NULL, NULL, "-", "joints/blend", 1, make_most, true, {"largest physical share"}},
    {"Feet", "clearance of the feet", "m", "feet/clearance", 1, make_values, true, {NULL}},
    {"Joints", "pose error by joint", "deg", "joints/error", 1, make_degrees, false, {NULL}},
    {"Joints", "drive torque by joint", "N m", "joints/torque", 3, make_sizes, false, {NULL}},
    {"Joints", "strength by joint", "-", "joints/strength", 1, make_values, false, {NULL}},
    {"Joints", "physical share by joint", "-", "joints/blend", 1, make_values, false, {NULL}},
    {"Animation", "what plays", "-", "graph/weight", 1, make_values, false, {NULL}},
};
// clang-format on

// Adding plots.

// A plot or, without a label, the one before. NULL: no room.
static ReportPlot *plot_of(ReportCharacter *character, const CurveSpec *spec) {
  if (!spec->label)
    return character->plot_count > 0 ? &character->plots[character->plot_count - 1] : NULL;
  if (character->plot_count == REPORT_MAX_PLOTS)
    return NULL;
  ReportPlot *plot = &character->plots[character->plot_count++];
  *plot = (ReportPlot){.group = spec->group,
                       .label = spec->label,
                       .unit = spec->unit,
                       .path = spec->channel,
                       .is_summary = spec->is_summary};
  return plot;
}

// `count` more curves, without values. Returns the first; NULL: no memory.
static ReportSeries *add_series(const ReportRun *run, ReportPlot *plot, char (*names)[TRACE_NAME_SIZE], int count) {
  if (!plot->series)
    plot->series = calloc(MAX_SERIES, sizeof *plot->series);
  if (!plot->series || plot->series_count + count > MAX_SERIES)
    return NULL;
  for (int s = 0; s < count; s++) {
    ReportSeries *one = &plot->series[plot->series_count++];
    snprintf(one->name, sizeof one->name, "%s", names[s]);
    one->is_zero = true;
    one->values = calloc((size_t)run->kept_count, sizeof *one->values);
    one->line = plot->is_summary ? malloc(sizeof *one->line) : NULL;
    if (!one->values || (plot->is_summary && !one->line))
      return NULL;
    if (one->line)
      svg_line_begin(one->line, run->frame_count);
  }
  return &plot->series[plot->series_count - count];
}

static void free_series(ReportSeries *series) {
  free(series->values);
  free(series->line);
}

void report_plots_free(ReportCharacter *character) {
  for (int i = 0; i < character->plot_count; i++) {
    for (int s = 0; s < character->plots[i].series_count; s++)
      free_series(&character->plots[i].series[s]);
    free(character->plots[i].series);
  }
  character->plot_count = 0;
}

static void drop_zeros(ReportPlot *plot) {
  int kept = 0;
  for (int s = 0; s < plot->series_count; s++)
    if (plot->series[s].is_zero)
      free_series(&plot->series[s]);
    else
      plot->series[kept++] = plot->series[s];
  plot->series_count = kept;
}

// The values of the next frame, one of each curve.
static void add_frame(const ReportRun *run, int frame, const float *curves, ReportSeries *series, int count) {
  for (int s = 0; s < count; s++) {
    if (frame % run->stride == 0)
      series[s].values[frame / run->stride] = curves[s];
    if (series[s].line)
      svg_line_add(series[s].line, run->time[frame], curves[s]);
    series[s].is_zero = series[s].is_zero && curves[s] == 0;
  }
}

// Channels.

// Makes the curves of a channel, block by block.
static bool fill(const ReportRun *run, const CurveSpec *spec, const char *path, int row_values, ReportSeries *series,
                 int count, Error *error) {
  const int most = BLOCK_VALUES / row_values + 1;
  float *block = malloc((size_t)most * (size_t)row_values * sizeof *block), curves[MAX_ROWS];
  bool good = block || error_set(error, "out of memory");
  for (int begin = 0; good && begin < run->frame_count; begin += most) {
    const int some = run->frame_count - begin < most ? run->frame_count - begin : most;
    good = trace_read(run->reader, path, TRACE_FLOAT32, begin, some, block, error);
    for (int i = 0; good && i < some; i++) {
      spec->make(&block[(size_t)i * (size_t)row_values], row_values / spec->width, spec->width, curves);
      add_frame(run, begin + i, curves, series, count);
    }
  }
  free(block);
  return good;
}

static bool read_curves(ReportRun *run, ReportCharacter *character, const CurveSpec *spec, Error *error) {
  char path[PATH_SIZE], names[MAX_ROWS][TRACE_NAME_SIZE];
  long frames;
  int row_values, shape[2];
  snprintf(path, sizeof path, "/characters/%s/%s", character->def->name, spec->channel);
  if (!trace_channel_shape(run->reader, path, shape) || !trace_shape(run->reader, path, &frames, &row_values))
    return true; // a body without feet, a character without a graph
  if (row_values < 1 || row_values % spec->width != 0 || row_values / spec->width > MAX_ROWS)
    return error_set(error, "%s: the trace has %d numbers a frame there, which fits no body", path, row_values);
  int count = 0;
  for (; count < MAX_NAMES && spec->names[count]; count++)
    snprintf(names[count], sizeof names[count], "%s", spec->names[count]);
  if (count == 0)
    for (int known = trace_row_names(run->reader, path, names, MAX_ROWS); count < row_values / spec->width; count++)
      if (count >= known)
        snprintf(names[count], sizeof names[count], "%d", count);
  ReportPlot *plot = plot_of(character, spec);
  ReportSeries *series = plot ? add_series(run, plot, names, count) : NULL;
  if (!series)
    return error_set(error, "out of memory");
  if (!fill(run, spec, path, row_values, series, count, error))
    return false;
  if (strcmp(spec->channel, "graph/weight") == 0) // most of a graph's nodes never play
    drop_zeros(plot);
  return true;
}

// Contacts: the vertical force on each foot, mean over the time since the frame before.

// Those of a block of frames, since an hour has millions.
typedef struct Contacts {
  int32_t first[CONTACT_FRAMES], count[CONTACT_FRAMES]; // of the frames
  long begin, end;                                      // rows of the trace
  int32_t *part;
  double (*impulse)[3]; // N s
} Contacts;

static void contacts_free(Contacts *contacts) {
  free(contacts->part);
  free(contacts->impulse);
}

// Whether the trace has contacts, in `rows`.
static bool contacts_find(const ReportRun *run, bool *found, long *rows, Error *error) {
  int width, part_width;
  long parts;
  *found = trace_shape(run->reader, "/contacts/impulse", rows, &width) &&
           trace_shape(run->reader, "/contacts/part", &parts, &part_width);
  if (*found && (width != 3 || part_width != 1))
    return error_set(error, "/contacts: the trace is damaged");
  *rows = *found && parts < *rows ? parts : *rows;
  return true;
}

static bool contacts_read(const ReportRun *run, long rows, int frame, int count, Contacts *contacts, Error *error) {
  TraceReader *reader = run->reader;
  if (!trace_read_column(reader, "/contacts/first", TRACE_INT32, frame, count, contacts->first, error) ||
      !trace_read_column(reader, "/contacts/count", TRACE_INT32, frame, count, contacts->count, error))
    return false;
  const long end = (long)contacts->first[count - 1] + contacts->count[count - 1];
  contacts->begin = contacts->first[0] > 0 ? contacts->first[0] : 0;
  contacts->end = end < rows ? end : rows;
  const long some = contacts->end - contacts->begin;
  if (some <= 0)
    return true;
  contacts_free(contacts);
  contacts->part = calloc((size_t)some, sizeof *contacts->part);
  contacts->impulse = calloc((size_t)some, sizeof *contacts->impulse);
  if (!contacts->part || !contacts->impulse)
    return error_set(error, "out of memory");
  return trace_read(reader, "/contacts/part", TRACE_INT32, contacts->begin, some, contacts->part, error) &&
         trace_read(reader, "/contacts/impulse", TRACE_FLOAT64, contacts->begin, some, contacts->impulse, error);
}

// Which leg of the character each of the contacts' bodies belongs to; -1: none.
static void find_feet(const ReportRun *run, const ReportCharacter *character, int legs[MAX_BODIES], int *bodies) {
  static char names[MAX_BODIES][TRACE_NAME_SIZE];
  const Skeleton *skeleton = &character->def->body->skeleton;
  *bodies = trace_row_names(run->reader, "/contacts/part", names, MAX_BODIES);
  for (int i = 0; i < *bodies; i++) {
    legs[i] = -1;
    const char *part = strchr(names[i], '/');
    const size_t owner = part ? (size_t)(part - names[i]) : 0;
    if (!part || strlen(character->def->name) != owner || memcmp(names[i], character->def->name, owner) != 0)
      continue;
    // The foot and all parts below it, such as toes.
    for (int joint = skeleton_find(skeleton, part + 1); joint >= 0 && legs[i] < 0; joint = skeleton->parent[joint])
      for (int k = 0; k < skeleton->leg_count; k++)
        legs[i] = skeleton->legs[k].ankle == joint ? k : legs[i];
  }
}

// Adds a block's forces on each foot, mean over the time since the frame before, which the first frame has not.
static void add_forces(const ReportRun *run, const Contacts *contacts, int frame, int count, const int legs[MAX_BODIES],
                       int bodies, ReportSeries *series, int leg_count) {
  for (int i = 0; i < count; i++) {
    const int at = frame + i;
    const double interval = at > 0 ? run->time[at] - run->time[at - 1] : 0;
    const long first = contacts->first[i], end = first + contacts->count[i];
    float forces[SKELETON_MAX_LEGS];
    for (int k = 0; k < leg_count; k++)
      forces[k] = at > 0 ? 0 : NAN;
    for (long k = first > contacts->begin ? first : contacts->begin; at > 0 && k < end && k < contacts->end; k++) {
      const int32_t body = contacts->part[k - contacts->begin];
      if (body >= 0 && body < bodies && legs[body] >= 0)
        forces[legs[body]] += (float)(contacts->impulse[k - contacts->begin][1] / interval);
    }
    add_frame(run, at, forces, series, leg_count);
  }
}

static bool sum_forces(const ReportRun *run, const ReportCharacter *character, long rows, ReportSeries *series,
                       Error *error) {
  int legs[MAX_BODIES], bodies;
  find_feet(run, character, legs, &bodies);
  Contacts *contacts = calloc(1, sizeof *contacts);
  bool good = contacts != NULL;
  if (!good)
    error_set(error, "out of memory");
  for (int frame = 0; good && frame < run->frame_count; frame += CONTACT_FRAMES) {
    const int left = run->frame_count - frame, count = left < CONTACT_FRAMES ? left : CONTACT_FRAMES;
    good = contacts_read(run, rows, frame, count, contacts, error);
    if (good)
      add_forces(run, contacts, frame, count, legs, bodies, series, character->def->body->skeleton.leg_count);
  }
  if (contacts)
    contacts_free(contacts);
  free(contacts);
  return good;
}

static bool read_foot_forces(ReportRun *run, ReportCharacter *character, Error *error) {
  static const CurveSpec SPEC = {"Feet", "vertical contact force on the feet", "N", "/contacts/impulse", 3, NULL, true,
                                 {NULL}};
  const Skeleton *skeleton = &character->def->body->skeleton;
  bool found;
  long rows = 0;
  if (!contacts_find(run, &found, &rows, error))
    return false;
  if (!found || skeleton->leg_count == 0)
    return true;
  char names[SKELETON_MAX_LEGS][TRACE_NAME_SIZE];
  for (int i = 0; i < skeleton->leg_count; i++)
    snprintf(names[i], sizeof names[i], "%s", skeleton->legs[i].name);
  ReportPlot *plot = plot_of(character, &SPEC);
  ReportSeries *series = plot ? add_series(run, plot, names, skeleton->leg_count) : NULL;
  if (!series)
    return error_set(error, "out of memory");
  return sum_forces(run, character, rows, series, error);
}

bool report_plots_read(ReportRun *run, ReportCharacter *character, Error *error) {
  bool good = true;
  for (size_t i = 0; good && i < sizeof specs / sizeof specs[0]; i++)
    good = read_curves(run, character, &specs[i], error);
  return good && read_foot_forces(run, character, error);
}
