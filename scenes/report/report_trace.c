// The object TRACE of a report's data: a run's curves, hits and metrics, and its motion for the replay.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/trace_motion.h"
#include "scenes/report/report_data.h"
#include "scenes/report/report_json.h"
#include "scenes/report/report_terrain.h"
#include "scenes/run/outcome.h"

enum { MOST_EVENTS = 20000, MOST_CONTACTS = 200000 };

// Values of the frames that are kept.
static bool add_curve(cJSON *object, const char *name, const float *values, int count) {
  return json_add_array(object, name, ARRAY_F32, count, 0, 0, 1, values);
}

// The same in 16 bits, where all is finite: for plots of many curves.
static bool add_short_curve(cJSON *object, const char *name, const float *values, int count) {
  float most = 0;
  for (int i = 0; i < count; i++) {
    if (!isfinite(values[i]))
      return add_curve(object, name, values, count);
    most = fmaxf(most, fabsf(values[i]));
  }
  int16_t *shorts = malloc((size_t)count * sizeof *shorts);
  const float scale = most > 0 ? INT16_MAX / most : 0;
  for (int i = 0; shorts && i < count; i++)
    shorts[i] = (int16_t)lroundf(values[i] * scale);
  bool good =
      shorts && json_add_array(object, name, ARRAY_I16, count, 0, 0, most > 0 ? (double)most / INT16_MAX : 1, shorts);
  free(shorts);
  return good;
}

static bool add_time(cJSON *trace, const ReportRun *run) {
  float *time = calloc((size_t)run->kept_count, sizeof *time);
  for (int i = 0; time && i < run->kept_count; i++)
    time[i] = (float)run->time[(size_t)i * (size_t)run->stride];
  bool good = time && add_curve(trace, "time", time, run->kept_count);
  free(time);
  return good && json_add_number(trace, "frame_rate", run->frame_rate / run->stride);
}

// Curves, metrics, hits.

static bool add_plot(cJSON *plots, const ReportPlot *plot, int count) {
  cJSON *object = cJSON_CreateObject(), *list = NULL;
  bool good = object && cJSON_AddItemToArray(plots, object) && json_add_text(object, "group", plot->group) &&
              json_add_text(object, "label", plot->label) && json_add_text(object, "unit", plot->unit) &&
              json_add_text(object, "path", plot->path) && cJSON_AddBoolToObject(object, "log", false) &&
              (list = cJSON_AddArrayToObject(object, "series")) != NULL;
  for (int s = 0; good && s < plot->series_count; s++) {
    cJSON *series = cJSON_CreateObject();
    good = series && cJSON_AddItemToArray(list, series) && json_add_text(series, "name", plot->series[s].name) &&
           (plot->is_summary ? add_curve : add_short_curve)(series, "data", plot->series[s].values, count);
  }
  return good;
}

static bool add_plots(cJSON *object, const ReportRun *run, const ReportCharacter *character) {
  cJSON *plots = cJSON_AddArrayToObject(object, "plots");
  bool good = plots != NULL;
  for (int i = 0; good && i < character->plot_count; i++)
    good = add_plot(plots, &character->plots[i], run->kept_count);
  return good;
}

static bool add_metrics(cJSON *object, const ReportCharacter *character) {
  cJSON *metrics = cJSON_AddArrayToObject(object, "metrics");
  bool good = metrics != NULL;
  for (int i = 0; good && i < metric_row_count; i++) {
    const MetricRow *row = &metric_rows[i];
    if (isnan(character->metrics[i]))
      continue;
    char text[64];
    const char *unit;
    outcome_metric_text(row, character->metrics[i], text, sizeof text, &unit);
    cJSON *metric = cJSON_CreateObject();
    good = metric && cJSON_AddItemToArray(metrics, metric) && json_add_text(metric, "group", row->group) &&
           json_add_text(metric, "name", row->name) && json_add_text(metric, "text", text) &&
           json_add_text(metric, "unit", unit) && json_add_number(metric, "value", character->metrics[i]) &&
           json_add_text(metric, "doc", row->doc);
  }
  return good;
}

static bool add_hits(cJSON *object, const ReportRun *run, const ReportCharacter *character) {
  if (!run->hits_are_judged)
    return true;
  cJSON *hits = cJSON_AddArrayToObject(object, "hits");
  bool good = hits != NULL;
  for (int i = 0; good && i < run->hit_count; i++) {
    const MetricsHit *hit = &run->hits[i].hit;
    if (strcmp(run->hits[i].character, character->def->name) != 0)
      continue;
    cJSON *row = cJSON_CreateObject();
    good = row && cJSON_AddItemToArray(hits, row) && json_add_number(row, "time", hit->time) &&
           json_add_text(row, "part", hit->part) && json_add_number(row, "impulse", hit->impulse) &&
           json_add_text(row, "recovery_strategy", hit->strategy);
    for (int k = METRIC_HIT_FIRST_EFFECT; good && k < METRIC_HIT_ROWS; k++)
      good = json_add_number(row, metric_hit_rows[k].name, metric_hit_figure(hit, k));
  }
  return good;
}

// Bodies and their motion.

// Joint frames are parallel to the model's in the bind pose.
static bool add_shape(cJSON *shapes, const PartDef *part, const ShapeDef *shape) {
  static const char *const kinds[] = {"box", "capsule", "sphere"};
  static const int sizes[] = {3, 2, 1};
  double position[3], turn[4];
  shape_rotation(shape, turn);
  const double rotation[4] = {turn[1], turn[2], turn[3], turn[0]};
  for (int k = 0; k < 3; k++)
    position[k] = shape->center_m[k] - part->joint.position[k];
  cJSON *object = cJSON_CreateObject();
  return object && cJSON_AddItemToArray(shapes, object) && json_add_text(object, "kind", kinds[shape->kind]) &&
         json_add_numbers(object, "size", shape->size, sizes[shape->kind]) &&
         json_add_number(object, "axis", shape->axis) && json_add_numbers(object, "position", position, 3) &&
         json_add_numbers(object, "rotation", rotation, 4);
}

static bool add_parts(cJSON *object, const BodyDef *body) {
  cJSON *parts = cJSON_AddArrayToObject(object, "parts");
  bool good = parts != NULL;
  for (int i = 0; good && i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    cJSON *entry = cJSON_CreateObject(), *shapes = NULL;
    good = entry && cJSON_AddItemToArray(parts, entry) && json_add_text(entry, "name", part->name) &&
           (shapes = cJSON_AddArrayToObject(entry, "shapes")) != NULL;
    for (int k = 0; good && k < part->shape_count; k++)
      good = add_shape(shapes, part, &part->shapes[k]);
  }
  return good;
}

static int16_t rotation_number(float value) { return (int16_t)lroundf(fminf(fmaxf(value, -1), 1) * INT16_MAX); }

// Joint frames in the frames of the run that are kept.
typedef struct PoseRows {
  float (*position)[3];
  int16_t (*rotation)[4];
} PoseRows;

static void place_frame(const TraceMotion *motion, int frame, const PoseRows *rows, size_t row) {
  vec3s positions[SKELETON_MAX_JOINTS];
  versors rotations[SKELETON_MAX_JOINTS];
  trace_motion_place(motion, frame, positions, rotations);
  for (int j = 0; j < motion->joint_count; j++, row++) {
    memcpy(rows->position[row], positions[j].raw, sizeof rows->position[row]);
    for (int k = 0; k < 4; k++)
      rows->rotation[row][k] = rotation_number(rotations[j].raw[k]);
  }
}

// Goes through all frames, piece by piece, since a motion is shown only when all of it is sound.
static bool place_frames(TraceMotion *motion, const ReportRun *run, const PoseRows *rows) {
  for (int first = 0; first < run->frame_count; first += motion->frame_count) {
    if (!trace_motion_load(motion, first, TRACE_MOTION_PIECE, NULL))
      return false;
    for (int i = 0; i < motion->frame_count; i++)
      if ((first + i) % run->stride == 0)
        place_frame(motion, i, rows, (size_t)((first + i) / run->stride) * (size_t)motion->joint_count);
  }
  return true;
}

static bool add_pose(cJSON *poses, const ReportRun *run, TraceMotion *motion) {
  const size_t count = (size_t)run->kept_count * (size_t)motion->joint_count;
  const PoseRows rows = {malloc(count * sizeof *rows.position), malloc(count * sizeof *rows.rotation)};
  const int parts = motion->joint_count;
  bool good = rows.position && rows.rotation;
  if (good && place_frames(motion, run, &rows)) {
    cJSON *pose = cJSON_AddObjectToObject(poses, trace_pose_names[motion->pose]);
    good = pose && json_add_array(pose, "position", ARRAY_F32, run->kept_count, parts, 3, 1, rows.position) &&
           json_add_array(pose, "rotation", ARRAY_I16, run->kept_count, parts, 4, 1.0 / INT16_MAX, rows.rotation);
  }
  free(rows.position);
  free(rows.rotation);
  return good;
}

// A motion that cannot be read (of a run that diverged) leaves the character without that pose, which is no error.
static bool add_poses(cJSON *object, const ReportRun *run, const ReportCharacter *character) {
  cJSON *poses = cJSON_AddObjectToObject(object, "poses");
  bool good = poses != NULL;
  for (int pose = 0; good && pose < TRACE_POSE_COUNT; pose++) {
    TraceMotion *motion = trace_motion_open(run->reader, run->def, character->def->name, (TracePose)pose, NULL);
    good = !motion || add_pose(poses, run, motion);
    trace_motion_free(motion);
  }
  return good;
}

// A channel of one point a frame; left out when the trace does not have it.
static bool add_points(cJSON *object, const char *name, const ReportRun *run, const ReportCharacter *character,
                       const char *channel) {
  char path[2 * TRACE_NAME_SIZE];
  snprintf(path, sizeof path, "/characters/%s/%s", character->def->name, channel);
  float(*points)[3] = malloc((size_t)run->kept_count * sizeof *points);
  if (!points)
    return false;
  int shape[2];
  bool there = trace_channel_shape(run->reader, path, shape) && shape[0] == 3 && shape[1] == 0 &&
               trace_read_every(run->reader, path, TRACE_FLOAT32, run->stride, run->kept_count, points, NULL);
  bool good = !there || json_add_array(object, name, ARRAY_F32, run->kept_count, 3, 0, 1, points);
  free(points);
  return good;
}

static bool add_character(cJSON *characters, const ReportRun *run, const ReportCharacter *character) {
  const BodyDef *body = character->def->body;
  cJSON *object = cJSON_CreateObject();
  return object && cJSON_AddItemToArray(characters, object) && json_add_text(object, "name", character->def->name) &&
         json_add_number(object, "mass", character->def->actual.mass * body->mass) && add_parts(object, body) &&
         add_poses(object, run, character) && add_points(object, "com", run, character, "com/position") &&
         add_points(object, "assist_point", run, character, "assist/point") && add_plots(object, run, character) &&
         add_metrics(object, character) && add_hits(object, run, character);
}

// Objects: platforms, props and balls, see scenes/record/record_objects.h.

typedef struct ObjectVisit {
  cJSON *list;
  const ReportRun *run;
  bool good;
} ObjectVisit;

// A channel of an object in the frames that are in the data, NAN while it is not there. False: no memory.
static bool add_object_channel(cJSON *object, const ObjectVisit *visit, const char *group, const char *name,
                               int width) {
  char path[3 * TRACE_NAME_SIZE];
  int shape[2];
  const ReportRun *run = visit->run;
  const size_t count = (size_t)run->kept_count * (size_t)width;
  snprintf(path, sizeof path, "%s/%s", group, name);
  float *values = malloc(count * sizeof *values);
  bool good = values != NULL;
  for (size_t i = 0; good && i < count; i++)
    values[i] = NAN;
  if (good && trace_channel_shape(run->reader, path, shape) && shape[0] == width && shape[1] == 0)
    trace_read_every(run->reader, path, TRACE_FLOAT32, run->stride, run->kept_count, values, NULL);
  good = good && json_add_array(object, name, ARRAY_F32, run->kept_count, width, 0, 1, values);
  free(values);
  return good;
}

static void add_object(void *context, const char *path) {
  ObjectVisit *visit = context;
  char group[TRACE_NAME_SIZE + 16];
  const char *end = strrchr(path, '/');
  double size[3];
  if (!visit->good || strncmp(path, "/objects/", 9) != 0 || strcmp(end, "/position") != 0 || end - path < 10 ||
      (size_t)(end - path) >= sizeof group)
    return;
  snprintf(group, sizeof group, "%.*s", (int)(end - path), path);
  if (trace_values(visit->run->reader, group, "size", size, 3) != 3)
    return;
  char kind[16];
  trace_value_text(visit->run->reader, group, "shape", kind, sizeof kind);
  const bool is_box = strcmp(kind, "box") == 0;
  const double radius = 0.5 * size[0];
  cJSON *object = cJSON_CreateObject(), *shape = NULL;
  visit->good = object && cJSON_AddItemToArray(visit->list, object) && json_add_text(object, "name", group + 9) &&
                (shape = cJSON_AddObjectToObject(object, "shape")) &&
                json_add_text(shape, "kind", is_box ? "box" : "sphere") &&
                json_add_numbers(shape, "size", is_box ? size : &radius, is_box ? 3 : 1) &&
                add_object_channel(object, visit, group, "position", 3) &&
                add_object_channel(object, visit, group, "rotation", 4);
}

static bool add_objects(cJSON *trace, const ReportRun *run) {
  ObjectVisit visit = {cJSON_AddArrayToObject(trace, "objects"), run, true};
  visit.good = visit.list != NULL;
  trace_visit(run->reader, add_object, &visit);
  return visit.good;
}

// Events and contacts.

static bool add_events(cJSON *trace, const ReportRun *run) {
  cJSON *events = cJSON_AddArrayToObject(trace, "events");
  bool good = events != NULL;
  for (int i = 0; good && i < run->event_count && i < MOST_EVENTS; i++) {
    const TraceEvent *event = &run->events[i];
    double point[3], impulse[3];
    for (int k = 0; k < 3; k++) {
      point[k] = (double)event->point[k];
      impulse[k] = (double)event->impulse[k];
    }
    cJSON *object = cJSON_CreateObject();
    good = object && cJSON_AddItemToArray(events, object) && json_add_number(object, "time", event->time) &&
           json_add_text(object, "kind", event->kind) && json_add_text(object, "character", event->character) &&
           json_add_text(object, "part", event->part) && json_add_numbers(object, "point", point, 3) &&
           json_add_numbers(object, "impulse", impulse, 3);
  }
  return good;
}

static bool add_expects(cJSON *trace, const ReportRun *run) {
  cJSON *expects = cJSON_AddArrayToObject(trace, "expect");
  bool good = expects != NULL;
  for (int i = 0; good && i < run->expect_count; i++) {
    const ReportExpect *expect = &run->expects[i];
    cJSON *object = cJSON_CreateObject();
    good = object && cJSON_AddItemToArray(expects, object) && json_add_text(object, "text", expect->text) &&
           json_add_number(object, "value", expect->value) &&
           (expect->known ? cJSON_AddBoolToObject(object, "ok", expect->holds) : cJSON_AddNullToObject(object, "ok")) !=
               NULL;
  }
  return good;
}

// Contacts of the frames that are kept. A frame that stands for several has its impulses for all of them, so that
// impulse over time stays the force.
typedef struct Contacts {
  int32_t *first, *count;              // [kept_count] rows of each frame
  float (*position)[3], (*impulse)[3]; // [MOST_CONTACTS]
  long kept;
} Contacts;

// Whether the trace has contacts, in `rows`.
static bool has_contacts(TraceReader *reader, long *rows) {
  static const char *const paths[] = {"/contacts/first", "/contacts/count", "/contacts/position", "/contacts/impulse"};
  static const int widths[] = {1, 1, 3, 3};
  long counts[4];
  int width;
  for (int i = 0; i < 4; i++)
    if (!trace_shape(reader, paths[i], &counts[i], &width) || width != widths[i])
      return false;
  *rows = counts[2] < counts[3] ? counts[2] : counts[3];
  return true;
}

// Puts the contacts of a frame behind those of the frames before.
static bool read_frame_contacts(const ReportRun *run, long rows, int frame, Contacts *contacts) {
  const long begin = contacts->first[frame], told = contacts->count[frame];
  const long room = MOST_CONTACTS - contacts->kept, left = begin >= contacts->kept ? rows - begin : 0;
  const long most = room < left ? room : left, count = told < most ? told : most;
  contacts->first[frame] = (int32_t)contacts->kept;
  contacts->count[frame] = (int32_t)(count > 0 ? count : 0);
  if (count <= 0)
    return true;
  float(*position)[3] = &contacts->position[contacts->kept], (*impulse)[3] = &contacts->impulse[contacts->kept];
  const bool good = trace_read(run->reader, "/contacts/position", TRACE_FLOAT32, begin, count, position, NULL) &&
                    trace_read(run->reader, "/contacts/impulse", TRACE_FLOAT32, begin, count, impulse, NULL);
  for (long k = 0; good && k < count; k++)
    for (int axis = 0; axis < 3; axis++)
      impulse[k][axis] *= (float)run->stride;
  contacts->kept += count;
  return good;
}

static bool read_contacts(const ReportRun *run, long rows, Contacts *contacts) {
  const long frames = run->kept_count;
  bool good =
      trace_read_every(run->reader, "/contacts/first", TRACE_INT32, run->stride, frames, contacts->first, NULL) &&
      trace_read_every(run->reader, "/contacts/count", TRACE_INT32, run->stride, frames, contacts->count, NULL);
  for (int i = 0; good && i < frames; i++)
    good = read_frame_contacts(run, rows, i, contacts);
  return good;
}

static bool add_contacts(cJSON *trace, const ReportRun *run) {
  const size_t frames = (size_t)run->kept_count;
  long rows;
  if (!has_contacts(run->reader, &rows))
    return true;
  Contacts contacts = {malloc(frames * sizeof *contacts.first), malloc(frames * sizeof *contacts.count),
                       malloc(MOST_CONTACTS * sizeof *contacts.position),
                       malloc(MOST_CONTACTS * sizeof *contacts.impulse), 0};
  bool good = contacts.first && contacts.count && contacts.position && contacts.impulse;
  if (good && read_contacts(run, rows, &contacts)) {
    cJSON *object = cJSON_AddObjectToObject(trace, "contacts");
    good = object && json_add_array(object, "first", ARRAY_I32, run->kept_count, 0, 0, 1, contacts.first) &&
           json_add_array(object, "count", ARRAY_I32, run->kept_count, 0, 0, 1, contacts.count) &&
           json_add_array(object, "position", ARRAY_F32, contacts.kept, 3, 0, 1, contacts.position) &&
           json_add_array(object, "impulse", ARRAY_F32, contacts.kept, 3, 0, 1, contacts.impulse);
  }
  free(contacts.first);
  free(contacts.count);
  free(contacts.position);
  free(contacts.impulse);
  return good;
}

cJSON *report_trace(const ReportRun *run, Error *error) {
  cJSON *trace = cJSON_CreateObject(), *characters = NULL;
  bool good = trace && json_add_text(trace, "name", run->name) && json_add_text(trace, "status", run->status) &&
              json_add_number(trace, "seed", run->def->run.seed) &&
              (run->trial < 0 || json_add_number(trace, "trial", (double)run->trial)) && add_time(trace, run) &&
              report_terrain_add(trace, run) && (characters = cJSON_AddArrayToObject(trace, "characters")) != NULL;
  for (int i = 0; good && i < run->character_count; i++)
    good = add_character(characters, run, &run->characters[i]);
  if (good && add_objects(trace, run) && add_contacts(trace, run) && add_events(trace, run) && add_expects(trace, run))
    return trace;
  cJSON_Delete(trace);
  error_set(error, "out of memory");
  return NULL;
}
