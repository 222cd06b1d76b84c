#include "viewer/trace_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene_def.h"
#include "sim/trace.h"
#include "viewer/hit_marks.h"

static const double MOTION_WINDOW = 0.35; // s before and after a moment, over which speed and heading are taken
static const float SLOW = 0.3f;           // m/s; below, the body's own heading counts

enum { PATH_SIZE = 192, MAX_ROW = 4 * SKELETON_MAX_JOINTS };

struct TraceSource {
  TraceReader *reader;
  SceneDef *def; // the recorded scene
  Terrain *terrain;
  double *times; // s
  int frame_count;
  HitMark *hits;
  int hit_count;
};

static bool read_times(TraceSource *source, const char *path, Error *error) {
  source->frame_count = trace_frame_count(source->reader);
  if (source->frame_count < 1)
    return error_set(error, "%s: the trace has no frames", path);
  source->times = malloc(sizeof(double) * (size_t)source->frame_count);
  if (!source->times)
    return error_set(error, "%s: out of memory", path);
  return trace_read(source->reader, "/time", TRACE_FLOAT64, 0, source->frame_count, source->times, error);
}

double trace_source_end(const TraceSource *source) { return source->times[source->frame_count - 1]; }

// The frame nearest to a time.
static int find_frame(const TraceSource *source, double time) {
  int low = 0, high = source->frame_count - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (source->times[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && time - source->times[low - 1] < source->times[low] - time ? low - 1 : low;
}

// One row of a character's dataset, `size` numbers.
static bool read_row(TraceSource *source, const char *character, const char *name, int frame, int size, float *values,
                     Error *error) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/characters/%s/%s", character, name);
  long rows;
  int row_size;
  if (!trace_shape(source->reader, path, &rows, &row_size))
    return error_set(error, "the trace has no %s", path);
  if (row_size != size || frame >= rows)
    return error_set(error, "the trace's %s does not fit its body: %d numbers a frame, not %d", path, row_size, size);
  return trace_read(source->reader, path, TRACE_FLOAT32, frame, 1, values, error);
}

static bool read_pose(TraceSource *source, const CharacterDef *character, const char *which, int frame, Pose *pose,
                      Error *error) {
  int joints = character->body->skeleton.count - 1;
  char position[64], root[64], rotation[64];
  snprintf(position, sizeof position, "pose/%s/root_position", which);
  snprintf(root, sizeof root, "pose/%s/root_rotation", which);
  snprintf(rotation, sizeof rotation, "pose/%s/rotation", which);
  *pose = pose_bind(&character->body->skeleton);
  float rotations[MAX_ROW];
  if (!read_row(source, character->name, position, frame, 3, pose->position[0].raw, error) ||
      !read_row(source, character->name, root, frame, 4, pose->rotation[0].raw, error) ||
      (joints > 0 && !read_row(source, character->name, rotation, frame, 4 * joints, rotations, error)))
    return false;
  for (int i = 0; i < joints; i++)
    memcpy(pose->rotation[i + 1].raw, rotations + 4 * i, 4 * sizeof(float));
  return true;
}

static bool read_parts(TraceSource *source, const CharacterDef *character, int frame, vec3s *positions,
                       versors *rotations, Error *error) {
  int count = character->body->part_count;
  float values[MAX_ROW];
  if (!read_row(source, character->name, "parts/position", frame, 3 * count, values, error))
    return false;
  for (int i = 0; i < count; i++)
    memcpy(positions[i].raw, values + 3 * i, 3 * sizeof(float));
  if (!read_row(source, character->name, "parts/rotation", frame, 4 * count, values, error))
    return false;
  for (int i = 0; i < count; i++)
    memcpy(rotations[i].raw, values + 4 * i, 4 * sizeof(float));
  return true;
}

// The character and the part that an event strikes; false when the scene does not have them.
static bool find_struck(const SceneDef *def, const TraceEvent *event, HitMark *hit) {
  for (int i = 0; i < def->character_count; i++) {
    if (strcmp(event->character, def->characters[i].name) != 0)
      continue;
    hit->character = i;
    hit->part = skeleton_find(&def->characters[i].body->skeleton, event->part);
    return hit->part >= 0;
  }
  return false;
}

// Where a hit struck, by the part's place in the frame nearest to its start.
static bool find_offset(TraceSource *source, HitMark *hit, vec3s point_w, Error *error) {
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
  const CharacterDef *character = &source->def->characters[hit->character];
  if (!read_parts(source, character, find_frame(source, hit->start), positions, rotations, error))
    return false;
  hit->offset_l = hit_offset(point_w, positions[hit->part], rotations[hit->part]);
  return true;
}

static bool collect_hits(TraceSource *source, const TraceEvent *events, int count, Error *error) {
  for (int i = 0; i < count; i++) {
    const TraceEvent *event = &events[i];
    HitMark hit = {.push = strcmp(event->kind, "push") == 0,
                   .start = event->time,
                   .end = event->time,
                   .impulse_w = {{event->impulse[0], event->impulse[1], event->impulse[2]}}};
    if (!find_struck(source->def, event, &hit))
      continue;
    int before = source->hit_count;
    source->hit_count = hits_add(source->hits, before, count, &hit);
    vec3s point = {{event->point[0], event->point[1], event->point[2]}};
    if (source->hit_count > before && !find_offset(source, &source->hits[before], point, error))
      return false;
  }
  return true;
}

static bool read_hits(TraceSource *source, const char *path, Error *error) {
  int count;
  TraceEvent *events = trace_events(source->reader, &count);
  if (count == 0)
    return true;
  source->hits = calloc((size_t)count, sizeof(HitMark));
  bool ok = source->hits ? collect_hits(source, events, count, error) : error_set(error, "%s: out of memory", path);
  free(events);
  return ok;
}

TraceSource *trace_source_open(const char *path, Error *error) {
  TraceSource *source = calloc(1, sizeof *source);
  if (!source) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  source->reader = trace_open(path, error);
  if (source->reader && read_times(source, path, error))
    source->def = scene_def_from_trace(source->reader, error);
  if (source->def) {
    uint64_t seed = (uint64_t)source->def->run.seed;
    source->terrain = terrain_create(&source->def->terrain, seed, &source->def->files, error);
  }
  if (!source->terrain || !read_hits(source, path, error)) {
    trace_source_close(source);
    return NULL;
  }
  return source;
}

void trace_source_close(TraceSource *source) {
  if (!source)
    return;
  free(source->hits);
  free(source->times);
  terrain_destroy(source->terrain);
  scene_def_free(source->def);
  trace_reader_close(source->reader);
  free(source);
}

// How the root moves around a moment: speed over the ground, and the heading of that or of the root at rest.
static bool find_motion(TraceSource *source, const CharacterDef *character, int frame, float *speed, float *heading,
                        Error *error) {
  int before = find_frame(source, source->times[frame] - MOTION_WINDOW);
  int after = find_frame(source, source->times[frame] + MOTION_WINDOW);
  vec3s from, to;
  versors rotation;
  if (!read_row(source, character->name, "pose/output/root_position", before, 3, from.raw, error) ||
      !read_row(source, character->name, "pose/output/root_position", after, 3, to.raw, error) ||
      !read_row(source, character->name, "pose/output/root_rotation", 0, 4, rotation.raw, error))
    return false;
  vec3s way = glms_vec3_sub(to, from);
  double duration = source->times[after] - source->times[before];
  *speed = duration > 0 ? (float)(hypot((double)way.x, (double)way.z) / duration) : 0;
  vec3s forward = *speed > SLOW ? way : glms_quat_rotatev(rotation, (vec3s){{0, 0, 1}});
  *heading = atan2f(forward.x, forward.z);
  return true;
}

static bool show_character(TraceSource *source, int index, int frame, Picture *picture, Error *error) {
  const CharacterDef *character = &source->def->characters[index];
  const BodyDef *body = character->body;
  Pose output, target;
  vec3s positions[BODY_MAX_PARTS], assist_force = {{0, 0, 0}};
  versors rotations[BODY_MAX_PARTS];
  float blend[MAX_ROW] = {0};
  if (!read_pose(source, character, "output", frame, &output, error) ||
      !read_pose(source, character, "target", frame, &target, error) ||
      !read_parts(source, character, frame, positions, rotations, error) ||
      (body->part_count > 1 &&
       !read_row(source, character->name, "joints/blend", frame, body->part_count - 1, blend, error)) ||
      !read_row(source, character->name, "assist/force", frame, 3, assist_force.raw, error))
    return false;

  PictureCharacter look = {
      .body = body,
      .output = &output,
      .target = &target,
      .part_positions = positions,
      .part_rotations = rotations,
      .blend = blend,
      .assist_force = assist_force,
  };
  picture_add_character(picture, &look);
  hits_show(source->hits, source->hit_count, index, positions, rotations, picture);
  if (index > 0)
    return true;
  float heading;
  if (!find_motion(source, character, frame, &picture->speed, &heading, error))
    return false;
  picture_look_at(picture, output.position[0], heading, body);
  return true;
}

bool trace_source_picture(TraceSource *source, double time, Picture *picture, Error *error) {
  int frame = find_frame(source, time);
  picture_clear(picture);
  picture->terrain = source->terrain;
  picture->time = source->times[frame];
  picture_describe(picture, source->def);
  picture->has_hits = source->hit_count > 0;
  hits_write_caption(source->hits, source->hit_count, source->def, picture);
  for (int i = 0; i < source->def->character_count; i++) {
    if (!show_character(source, i, frame, picture, error))
      return false;
  }
  return true;
}
