// A trace as BVH in centimetres, as most programs expect. Joints have the names of the body's parts. A part without
// children gets an End Site at its far end, so that its bone has a length.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion.h"
#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_markers.h"

static const double UNIT = 0.01; // m per unit of the file

static const char END_SITE[] = "EndSite_"; // prefix from which motion_write_bvh makes an End Site

static MotionJoint make_joint(const char *prefix, const char *name, int parent, vec3s position, versors rotation) {
  MotionJoint joint = {
      .parent = parent, .bind_position_l = glms_vec3_scale(position, (float)(1 / UNIT)), .bind_rotation_l = rotation};
  snprintf(joint.name, sizeof joint.name, "%s%s", prefix, name);
  return joint;
}

static void make_joints(const BodyDef *body, Motion *bvh) {
  const Skeleton *skeleton = &body->skeleton;
  for (int j = 0; j < skeleton->count; j++)
    bvh->joints[bvh->joint_count++] = make_joint("", skeleton->names[j], skeleton->parent[j],
                                                 skeleton->bind_position_l[j], skeleton->bind_rotation_l[j]);
  for (int j = 0; j < skeleton->count; j++)
    if (part_is_last(body, j))
      bvh->joints[bvh->joint_count++] =
          make_joint(END_SITE, skeleton->names[j], j, part_far_end(&body->parts[j]), glms_quat_identity());
}

static void fill_frame(const TraceMotion *motion, int frame, Motion *bvh) {
  const size_t first = (size_t)frame * (size_t)bvh->joint_count;
  Pose local;
  trace_motion_pose(motion, frame, &local);
  for (int j = 0; j < bvh->joint_count; j++) {
    const bool is_joint = j < motion->joint_count; // false: an End Site
    bvh->position_l[first + (size_t)j] = bvh->joints[j].bind_position_l;
    bvh->rotation_l[first + (size_t)j] = is_joint ? local.rotation[j] : glms_quat_identity();
  }
  bvh->position_l[first] = glms_vec3_scale(local.position[0], (float)(1 / UNIT));
}

static Motion *make_motion(const TraceMotion *motion) {
  Motion *bvh = calloc(1, sizeof *bvh);
  if (!bvh)
    return NULL;
  bvh->frame_count = motion->frame_count;
  bvh->frame_rate = motion->frame_rate;
  const size_t most = 2 * (size_t)motion->joint_count, samples = (size_t)motion->frame_count * most; // with End Sites
  bvh->joints = malloc(most * sizeof *bvh->joints);
  bvh->position_l = malloc(samples * sizeof *bvh->position_l);
  bvh->rotation_l = malloc(samples * sizeof *bvh->rotation_l);
  if (!bvh->joints || !bvh->position_l || !bvh->rotation_l) {
    motion_free(bvh);
    return NULL;
  }
  make_joints(motion->body, bvh);
  for (int f = 0; f < bvh->frame_count; f++)
    fill_frame(motion, f, bvh);
  return bvh;
}

static void describe(const TraceMotion *motion, bool is_first, ExportResult *result) {
  snprintf(result->contents, sizeof result->contents, "%s%s, %s pose, %d frames at %g Hz, cm", motion->character,
           is_first ? ", the first of several" : "", trace_pose_names[motion->pose], motion->frame_count,
           motion->frame_rate);
  RoundTrip trip = {0};
  Error problem = {0};
  round_trip_measure("export.bvh", result->bytes, result->size, UNIT, motion, &trip, &problem);
  round_trip_tell(&trip, &problem, result->round_trip, sizeof result->round_trip);
}

bool export_bvh(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  TraceMotion *motion = trace_motion_read(reader, def, options->character, options->pose, error);
  if (!motion)
    return false;
  Motion *bvh = make_motion(motion);
  char *text = bvh ? motion_write_bvh(bvh) : NULL;
  motion_free(bvh);
  if (text) {
    result->bytes = text;
    result->size = strlen(text);
    describe(motion, !options->character && def->character_count > 1, result);
  }
  trace_motion_free(motion);
  return text || error_set(error, "out of memory");
}
