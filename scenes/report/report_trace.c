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

// Which frames are in the data: every `stride`-th.
typedef struct Thinning {
  int stride, count;
} Thinning;

static Thinning thin(const ReportRun *run, long most_frames) {
  long parts = 0;
  for (int i = 0; i < run->character_count; i++)
    parts += run->characters[i].def->body->part_count;
  const long by_parts = REPORT_MOST_POSES / (parts > 0 ? parts : 1);
  const long most = by_parts < 2 ? 2 : by_parts < most_frames ? by_parts : most_frames;
  const int stride = (int)((run->frame_count + most - 1) / most);
  return (Thinning){stride, (run->frame_count - 1) / stride + 1};
}

int report_trace_stride(const ReportRun *run, long most_frames) { return thin(run, most_frames).stride; }

static bool add_curve(cJSON *object, const char *name, const float *values, const Thinning *thinning) {
  float *kept = malloc((size_t)thinning->count * sizeof *kept);
  for (int i = 0; kept && i < thinning->count; i++)
    kept[i] = values[(size_t)i * (size_t)thinning->stride];
  bool good = kept && json_add_array(object, name, ARRAY_F32, thinning->count, 0, 0, 1, kept);
  free(kept);
  return good;
}

// The same in 16 bits, where all is finite: for plots of many curves.
static bool add_short_curve(cJSON *object, const char *name, const float *values, const Thinning *thinning) {
  float most = 0;
  for (int i = 0; i < thinning->count; i++) {
    const float value = values[(size_t)i * (size_t)thinning->stride];
    if (!isfinite(value))
      return add_curve(object, name, values, thinning);
    most = fmaxf(most, fabsf(value));
  }
  int16_t *kept = malloc((size_t)thinning->count * sizeof *kept);
  const float scale = most > 0 ? INT16_MAX / most : 0;
  for (int i = 0; kept && i < thinning->count; i++)
    kept[i] = (int16_t)lroundf(values[(size_t)i * (size_t)thinning->stride] * scale);
  bool good = kept && json_add_array(object, name, ARRAY_I16, thinning->count, 0, 0,
                                     most > 0 ? (double)most / INT16_MAX : 1, kept);
  free(kept);
  return good;
}

static bool add_time(cJSON *trace, const ReportRun *run, const Thinning *thinning) {
  float *time = calloc((size_t)run->frame_count, sizeof *time);
  for (int i = 0; time && i < run->frame_count; i++)
    time[i] = (float)run->time[i];
  bool good = time && add_curve(trace, "time", time, thinning);
  free(time);
  return good && json_add_number(trace, "frame_rate", run->frame_rate / thinning->stride);
}

// Curves, metrics, hits.

static bool add_plot(cJSON *plots, const ReportPlot *plot, const Thinning *thinning) {
  cJSON *object = cJSON_CreateObject(), *list = NULL;
  bool good = object && cJSON_AddItemToArray(plots, object) && json_add_text(object, "group", plot->group) &&
              json_add_text(object, "label", plot->label) && json_add_text(object, "unit", plot->unit) &&
              json_add_text(object, "path", plot->path) && cJSON_AddBoolToObject(object, "log", false) &&
              (list = cJSON_AddArrayToObject(object, "series")) != NULL;
  for (int s = 0; good && s < plot->series_count; s++) {
    cJSON *series = cJSON_CreateObject();
    good = series && cJSON_AddItemToArray(list, series) && json_add_text(series, "name", plot->series[s].name) &&
           (plot->is_summary ? add_curve : add_short_curve)(series, "data", plot->series[s].values, thinning);
  }
  return good;
}

static bool add_plots(cJSON *object, const ReportCharacter *character, const Thinning *thinning) {
  cJSON *plots = cJSON_AddArrayToObject(object, "plots");
  bool good = plots != NULL;
  for (int i = 0; good && i < character->plot_count; i++)
    good = add_plot(plots, &character->plots[i], thinning);
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

static bool add_pose(cJSON *poses, const TraceMotion *motion, const Thinning *thinning) {
  const size_t parts = (size_t)motion->joint_count, count = (size_t)thinning->count * parts;
  float(*position)[3] = malloc(count * sizeof *position);
  int16_t(*rotation)[4] = malloc(count * sizeof *rotation);
  bool good = position && rotation;
  vec3s positions[SKELETON_MAX_JOINTS];
  versors rotations[SKELETON_MAX_JOINTS];
  for (int i = 0; good && i < thinning->count; i++) {
    trace_motion_place(motion, i * thinning->stride, positions, rotations);
    for (size_t j = 0; j < parts; j++) {
      const size_t row = (size_t)i * parts + j;
      memcpy(position[row], positions[j].raw, sizeof position[row]);
      for (int k = 0; k < 4; k++)
        rotation[row][k] = rotation_number(rotations[j].raw[k]);
    }
  }
  cJSON *pose = good ? cJSON_AddObjectToObject(poses, trace_pose_names[motion->pose]) : NULL;
  good =
      pose && json_add_array(pose, "position", ARRAY_F32, thinning->count, motion->joint_count, 3, 1, position) &&
      json_add_array(pose, "rotation", ARRAY_I16, thinning->count, motion->joint_count, 4, 1.0 / INT16_MAX, rotation);
  free(position);
  free(rotation);
  return good;
}

// A motion that cannot be read (of a run that diverged) leaves the character without poses, which is no error.
static bool add_poses(cJSON *object, const ReportRun *run, const ReportCharacter *character, const Thinning *thinning) {
  cJSON *poses = cJSON_AddObjectToObject(object, "poses");
  bool good = poses != NULL;
  for (int pose = 0; good && pose < TRACE_POSE_COUNT; pose++) {
    TraceMotion *motion = trace_motion_read(run->reader, run->def, character->def->name, (TracePose)pose, NULL);
    good = !motion || add_pose(poses, motion, thinning);
    trace_motion_free(motion);
  }
  return good;
}

// A channel of one point a frame; left out when the trace does not have it.
static bool add_points(cJSON *object, const char *name, const ReportRun *run, const ReportCharacter *character,
                       const char *channel, const Thinning *thinning) {
  char path[2 * TRACE_NAME_SIZE];
  snprintf(path, sizeof path, "/characters/%s/%s", character->def->name, channel);
  float(*points)[3] = malloc((size_t)run->frame_count * sizeof *points);
  if (!points)
    return false;
  int shape[2];
  bool there = trace_channel_shape(run->reader, path, shape) && shape[0] == 3 && shape[1] == 0 &&
               trace_read(run->reader, path, TRACE_FLOAT32, 0, run->frame_count, points, NULL);
  for (int i = 0; there && i < thinning->count; i++)
    memmove(points[i], points[(size_t)i * (size_t)thinning->stride], sizeof points[i]);
  bool good = !there || json_add_array(object, name, ARRAY_F32, thinning->count, 3, 0, 1, points);
  free(points);
  return good;
}

static bool add_character(cJSON *characters, const ReportRun *run, const ReportCharacter *character,
                          const Thinning *thinning) {
  const BodyDef *body = character->def->body;
  cJSON *object = cJSON_CreateObject();
  return object && cJSON_AddItemToArray(characters, object) && json_add_text(object, "name", character->def->name) &&
         json_add_number(object, "mass", character->def->actual.mass * body->mass) && add_parts(object, body) &&
         add_poses(object, run, character, thinning) &&
         add_points(object, "com", run, character, "com/position", thinning) &&
         add_points(object, "assist_point", run, character, "assist/point", thinning) &&
         add_plots(object, character, thinning) && add_metrics(object, character) && add_hits(object, run, character);
}

// Objects: platforms, props and balls, see scenes/record/record_objects.h.

typedef struct ObjectVisit {
  cJSON *list;
  const ReportRun *run;
  const Thinning *thinning;
  bool good;
} ObjectVisit;

// A channel of an object in the frames that are in the data, NAN while it is not there. False: no memory.
static bool add_object_channel(cJSON *object, const ObjectVisit *visit, const char *group, const char *name,
                               int width) {
  char path[3 * TRACE_NAME_SIZE];
  int shape[2];
  const Thinning *thinning = visit->thinning;
  const size_t frames = (size_t)visit->run->frame_count, row = (size_t)width;
  snprintf(path, sizeof path, "%s/%s", group, name);
  float *values = malloc(frames * row * sizeof *values);
  bool good = values != NULL;
  for (size_t i = 0; good && i < frames * row; i++)
    values[i] = NAN;
  if (good && trace_channel_shape(visit->run->reader, path, shape) && shape[0] == width && shape[1] == 0)
    trace_read(visit->run->reader, path, TRACE_FLOAT32, 0, visit->run->frame_count, values, NULL);
  for (size_t i = 0; good && i < (size_t)thinning->count; i++)
    memmove(&values[i * row], &values[i * (size_t)thinning->stride * row], row * sizeof *values);
  good = good && json_add_array(object, name, ARRAY_F32, thinning->count, width, 0, 1, values);
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

static bool add_objects(cJSON *trace, const ReportRun *run, const Thinning *thinning) {
  ObjectVisit visit = {cJSON_AddArrayToObject(trace, "objects"), run, thinning, true};
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

// Contacts of the frames that are in the data. A frame that stands for several has its impulses for all of them, so
// that impulse over time stays the force.
static bool add_contacts(cJSON *trace, const ReportRun *run, const Thinning *thinning) {
  const size_t frames = (size_t)run->frame_count;
  long rows, impulses;
  int width[2];
  if (!trace_shape(run->reader, "/contacts/position", &rows, &width[0]) || width[0] != 3 ||
      !trace_shape(run->reader, "/contacts/impulse", &impulses, &width[1]) || width[1] != 3)
    return true;
  rows = impulses < rows ? impulses : rows;
  int32_t *first = calloc(frames, sizeof *first), *count = calloc(frames, sizeof *count);
  float(*position)[3] = calloc((size_t)rows + 1, sizeof *position), (*impulse)[3] = calloc((size_t)rows + 1, 12);
  bool good = first && count && position && impulse;
  bool readable = good &&
                  trace_read_column(run->reader, "/contacts/first", TRACE_INT32, 0, run->frame_count, first, NULL) &&
                  trace_read_column(run->reader, "/contacts/count", TRACE_INT32, 0, run->frame_count, count, NULL) &&
                  trace_read(run->reader, "/contacts/position", TRACE_FLOAT32, 0, rows, position, NULL) &&
                  trace_read(run->reader, "/contacts/impulse", TRACE_FLOAT32, 0, rows, impulse, NULL);
  long kept = 0;
  for (int i = 0; readable && i < thinning->count; i++) {
    const size_t frame = (size_t)i * (size_t)thinning->stride;
    const long begin = first[frame], end = begin + count[frame];
    first[i] = (int32_t)kept;
    count[i] = 0;
    for (long k = begin; k >= kept && k < end && k < rows && kept < MOST_CONTACTS; k++, kept++, count[i]++)
      for (int axis = 0; axis < 3; axis++) {
        position[kept][axis] = position[k][axis];
        impulse[kept][axis] = impulse[k][axis] * (float)thinning->stride;
      }
  }
  cJSON *contacts = readable ? cJSON_AddObjectToObject(trace, "contacts") : NULL;
  if (readable)
    good = contacts && json_add_array(contacts, "first", ARRAY_I32, thinning->count, 0, 0, 1, first) &&
           json_add_array(contacts, "count", ARRAY_I32, thinning->count, 0, 0, 1, count) &&
           json_add_array(contacts, "position", ARRAY_F32, kept, 3, 0, 1, position) &&
           json_add_array(contacts, "impulse", ARRAY_F32, kept, 3, 0, 1, impulse);
  free(first);
  free(count);
  free(position);
  free(impulse);
  return good;
}

cJSON *report_trace(const ReportRun *run, long most_frames, Error *error) {
  const Thinning thinning = thin(run, most_frames);
  cJSON *trace = cJSON_CreateObject(), *characters = NULL;
  bool good = trace && json_add_text(trace, "name", run->name) && json_add_text(trace, "status", run->status) &&
              json_add_number(trace, "seed", run->def->run.seed) &&
              (run->trial < 0 || json_add_number(trace, "trial", (double)run->trial)) &&
              add_time(trace, run, &thinning) && report_terrain_add(trace, run) &&
              (characters = cJSON_AddArrayToObject(trace, "characters")) != NULL;
  for (int i = 0; good && i < run->character_count; i++)
    good = add_character(characters, run, &run->characters[i], &thinning);
  if (good && add_objects(trace, run, &thinning) && add_contacts(trace, run, &thinning) && add_events(trace, run) &&
      add_expects(trace, run))
    return trace;
  cJSON_Delete(trace);
  error_set(error, "out of memory");
  return NULL;
}
