// Reads the frames of one of a character's poses from a trace, and computes world positions of its joints.
#include "scenes/description/trace_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"

const char *const trace_pose_names[TRACE_POSE_COUNT] = {"target", "measured", "output"};

enum { PATH_SIZE = 128, BLOCK = TRACE_MOTION_PIECE };

static const float UNIT_TOLERANCE = 1e-3f; // of a quaternion's norm; poses in memory are within 1e-6

static const CharacterDef *find_character(const SceneDef *def, const char *name, Error *error) {
  if (!name)
    return &def->characters[0]; // a scene has at least one
  const char *names[SCENE_MAX_CHARACTERS];
  for (int i = 0; i < def->character_count; i++)
    names[i] = def->characters[i].name;
  int index = lookup_name("character", name, " in the trace", names, def->character_count, error);
  return index >= 0 ? &def->characters[index] : NULL;
}

void trace_pose_join(const float root[4], const float *rest, int joint_count, versors *rotation) {
  memcpy(rotation[0].raw, root, 4 * sizeof *root);
  for (int j = 1; j < joint_count; j++)
    memcpy(rotation[j].raw, &rest[4 * (j - 1)], 4 * sizeof *rest);
}

// Makes room for frames, in place of those that were in memory.
static bool make_room(TraceMotion *motion, int frames) {
  if (frames <= motion->capacity)
    return true;
  const size_t count = (size_t)frames, samples = count * (size_t)motion->joint_count;
  free(motion->time);
  free(motion->root_position);
  free(motion->rotation);
  motion->time = calloc(count, sizeof *motion->time);
  motion->root_position = calloc(count, sizeof *motion->root_position);
  motion->rotation = calloc(samples, sizeof *motion->rotation);
  const bool good = motion->time && motion->root_position && motion->rotation;
  motion->capacity = good ? frames : 0;
  return good;
}

// Reads rows of a channel of the pose, `width` numbers each.
static bool read_rows(const TraceMotion *motion, const char *channel, int width, int first, int count, float *values,
                      Error *error) {
  char path[PATH_SIZE];
  long rows;
  int row_size;
  snprintf(path, sizeof path, "/characters/%s/pose/%s/%s", motion->character, trace_pose_names[motion->pose], channel);
  if (!trace_shape(motion->reader, path, &rows, &row_size))
    return error_set(error, "the trace has no %s", path);
  if (row_size != width)
    return error_set(error, "the trace's %s does not fit its body: %d numbers a frame, not %d", path, row_size, width);
  return trace_read(motion->reader, path, TRACE_FLOAT32, first, count, values, error);
}

// The rotations of the root and those of the other joints are in two channels; they become one array, the root first.
// Block by block, so that those of a whole trace are in memory once.
static bool read_rotations(TraceMotion *motion, Error *error) {
  const size_t joints = (size_t)motion->joint_count;
  float *root = malloc(4 * sizeof *root * BLOCK), *rest = malloc(4 * sizeof *rest * BLOCK * joints);
  bool good = root && rest;
  if (!good)
    error_set(error, "out of memory");
  for (int begin = 0; good && begin < motion->frame_count; begin += BLOCK) {
    const int left = motion->frame_count - begin, count = left < BLOCK ? left : BLOCK, first = motion->first + begin;
    good = read_rows(motion, "root_rotation", 4, first, count, root, error) &&
           (joints == 1 || read_rows(motion, "rotation", 4 * (motion->joint_count - 1), first, count, rest, error));
    for (int f = 0; good && f < count; f++)
      trace_pose_join(&root[4 * f], &rest[4 * (size_t)f * (joints - 1)], motion->joint_count,
                      &motion->rotation[(size_t)(begin + f) * joints]);
  }
  free(root);
  free(rest);
  return good;
}

static bool read_values(TraceMotion *motion, Error *error) {
  return trace_read_column(motion->reader, trace_time_channel.path, TRACE_FLOAT64, motion->first, motion->frame_count,
                           motion->time, error) &&
         read_rows(motion, "root_position", 3, motion->first, motion->frame_count, motion->root_position[0].raw,
                   error) &&
         read_rotations(motion, error);
}

// A run that was stopped because it diverged may have recorded poses that are not usable.
static bool refuse(const TraceMotion *motion, int frame, const char *joint, const char *what, Error *error) {
  return error_set(error, "the %s pose of '%s' has %s of '%s' in frame %d, at %g s", trace_pose_names[motion->pose],
                   motion->character, what, joint, motion->first + frame, motion->time[frame]);
}

static bool check_frame(TraceMotion *motion, int frame, Error *error) {
  const Skeleton *skeleton = &motion->body->skeleton;
  vec3s root = motion->root_position[frame];
  if (!isfinite(root.x) || !isfinite(root.y) || !isfinite(root.z))
    return refuse(motion, frame, skeleton->names[0], "a position that is not finite", error);
  for (int j = 0; j < motion->joint_count; j++) {
    versors *q = &motion->rotation[(size_t)frame * (size_t)motion->joint_count + (size_t)j];
    float length = glms_quat_norm(*q);
    if (!(fabsf(length - 1) <= UNIT_TOLERANCE)) // also true for NaN
      return refuse(motion, frame, skeleton->names[j], "no unit rotation", error);
    *q = glms_quat_normalize(*q);
  }
  return true;
}

static bool check(TraceMotion *motion, Error *error) {
  for (int f = 0; f < motion->frame_count; f++)
    if (!check_frame(motion, f, error))
      return false;
  return true;
}

TraceMotion *trace_motion_open(TraceReader *reader, const SceneDef *def, const char *character, TracePose pose,
                               Error *error) {
  if ((unsigned)pose >= TRACE_POSE_COUNT) {
    error_set(error, "there is no pose number %d, there are %d", (int)pose, TRACE_POSE_COUNT);
    return NULL;
  }
  const CharacterDef *found = find_character(def, character, error);
  if (!found)
    return NULL;
  const double frame_rate = trace_number(reader, "frame_rate");
  TraceMotion *motion = NULL;
  if (trace_frame_count(reader) == 0)
    error_set(error, "the trace has no frames");
  else if (!(frame_rate > 0 && isfinite(frame_rate)))
    error_set(error, "the trace has no frame_rate");
  else if (!(motion = calloc(1, sizeof *motion)))
    error_set(error, "out of memory");
  else
    *motion = (TraceMotion){.reader = reader,
                            .pose = pose,
                            .body = found->body,
                            .joint_count = found->body->skeleton.count,
                            .frame_rate = frame_rate};
  if (motion)
    snprintf(motion->character, sizeof motion->character, "%s", found->name);
  return motion;
}

bool trace_motion_load(TraceMotion *motion, int first, int count, Error *error) {
  const int left = trace_frame_count(motion->reader) - first;
  motion->first = first;
  motion->frame_count = count < left ? count : left;
  return (make_room(motion, motion->frame_count) || error_set(error, "out of memory")) && read_values(motion, error) &&
         check(motion, error);
}

TraceMotion *trace_motion_read(TraceReader *reader, const SceneDef *def, const char *character, TracePose pose,
                               Error *error) {
  TraceMotion *motion = trace_motion_open(reader, def, character, pose, error);
  if (motion && trace_motion_load(motion, 0, trace_frame_count(reader), error))
    return motion;
  trace_motion_free(motion);
  return NULL;
}

void trace_motion_free(TraceMotion *motion) {
  if (!motion)
    return;
  free(motion->time);
  free(motion->root_position);
  free(motion->rotation);
  free(motion);
}

void trace_motion_pose(const TraceMotion *motion, int frame, Pose *local) {
  *local = pose_bind(&motion->body->skeleton);
  local->position[0] = motion->root_position[frame];
  memcpy(local->rotation, &motion->rotation[(size_t)frame * (size_t)motion->joint_count],
         (size_t)motion->joint_count * sizeof *local->rotation);
}

void trace_motion_place(const TraceMotion *motion, int frame, vec3s *positions, versors *rotations) {
  Pose local, model;
  trace_motion_pose(motion, frame, &local);
  pose_to_model(&motion->body->skeleton, &local, &model);
  memcpy(positions, model.position, (size_t)motion->joint_count * sizeof *positions);
  if (rotations)
    memcpy(rotations, model.rotation, (size_t)motion->joint_count * sizeof *rotations);
}

void trace_motion_bounds(const TraceMotion *motion, double x[2], double z[2]) {
  for (int f = 0; f < motion->frame_count; f++) {
    const vec3s root = motion->root_position[f];
    x[0] = fmin(x[0], (double)root.x);
    x[1] = fmax(x[1], (double)root.x);
    z[0] = fmin(z[0], (double)root.z);
    z[1] = fmax(z[1], (double)root.z);
  }
}
