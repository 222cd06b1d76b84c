// Reads an exported motion back through the importer and measures the largest deviation of its joints from the trace.
#include "scenes/export/round_trip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anim/motion/motion.h"

enum {
  MOST_DROPPED = 8
}; // frames: the reader may take a first frame in a reference pose for a rest frame and drop it
   // (motion_drop_rest_frame)

static bool find_joints(const Motion *back, const Skeleton *skeleton, int joints[], Error *error) {
  for (int j = 0; j < skeleton->count; j++) {
    joints[j] = -1;
    for (int k = 0; k < back->joint_count; k++)
      if (strcmp(back->joints[k].name, skeleton->names[j]) == 0)
        joints[j] = k;
    if (joints[j] < 0)
      return error_set(error, "joint '%s' is missing", skeleton->names[j]);
  }
  return true;
}

void round_trip_place(const TraceMotion *motion, double time, int *frame, ModelPose *model) {
  const double at = motion->time[0] + time;
  while (*frame + 2 < motion->frame_count && motion->time[*frame + 1] <= at)
    (*frame)++;
  Pose local, next;
  trace_motion_pose(motion, *frame, &local);
  if (*frame + 1 < motion->frame_count) {
    const double before = motion->time[*frame], after = motion->time[*frame + 1];
    trace_motion_pose(motion, *frame + 1, &next);
    pose_blend(&local, &next, (float)fmax(0, fmin(1, (at - before) / (after - before))), NULL, &local);
  }
  pose_to_model(&motion->body->skeleton, &local, model);
}

static void compare_frame(const Motion *back, int frame, const int joints[], const ModelPose *model, RoundTrip *trip) {
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  motion_place(back, frame, positions, rotations);
  for (int j = 0; j < model->count; j++) {
    const float distance = glms_vec3_distance(positions[joints[j]], model->position[j]);
    const float angle = quat_angle_between(rotations[joints[j]], model->rotation[j]);
    trip->distance = fmax(trip->distance, (double)distance);
    trip->angle = fmax(trip->angle, (double)angle);
  }
}

int round_trip_dropped(const Motion *back, const TraceMotion *motion, Error *error) {
  const double duration = motion->time[motion->frame_count - 1] - motion->time[0];
  const double expected = floor(duration * back->frame_rate + 0.5) + 1, missing = expected - back->frame_count;
  if (missing >= 0 && missing <= MOST_DROPPED)
    return (int)missing;
  error_set(error, "%d frames are read back at %g Hz, not %g", back->frame_count, back->frame_rate, expected);
  return -1;
}

static bool compare(const Motion *back, const TraceMotion *motion, RoundTrip *trip, Error *error) {
  int joints[SKELETON_MAX_JOINTS] = {0}, frame = 0;
  if (!find_joints(back, &motion->body->skeleton, joints, error))
    return false;
  const int dropped = round_trip_dropped(back, motion, error);
  if (dropped < 0)
    return false;
  for (int f = 0; f < back->frame_count; f++) {
    ModelPose model;
    round_trip_place(motion, (f + dropped) / back->frame_rate, &frame, &model);
    compare_frame(back, f, joints, &model, trip);
  }
  trip->moments = back->frame_count > trip->moments ? back->frame_count : trip->moments;
  return true;
}

bool round_trip_measure(const char *name, char *bytes, size_t size, double unit, const TraceMotion *motion,
                        RoundTrip *trip, Error *error) {
  char file_name[64];
  snprintf(file_name, sizeof file_name, "%s", name);
  const File file = {.name = file_name, .path = file_name, .bytes = bytes, .size = size};
  const MotionOptions as_written = {.unit = unit, .up_axis = 1, .front_axis = 2};
  Motion *back = motion_read(&file, &as_written, error);
  const bool good = back && compare(back, motion, trip, error);
  motion_free(back);
  return good;
}

void round_trip_tell(const RoundTrip *trip, const Error *error, char *text, size_t size) {
  if (error->text[0] != '\0')
    snprintf(text, size, "could not be read back to compare it: %s", error->text);
  else
    snprintf(text, size, "read back through assimp: joints within %.3g mm and %.2g deg at %d moments",
             1000 * trip->distance, trip->angle * 180 / M_PI, trip->moments);
}

void round_trip_tell_bits(long numbers, long differences, char *text, size_t size) {
  if (differences > 0)
    snprintf(text, size, "read back: %ld numbers, %ld differ", numbers, differences);
  else
    snprintf(text, size, "read back: %ld numbers, all the same bits", numbers);
}
