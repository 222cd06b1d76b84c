// Motions as if recorded: made of the clips that come with Stagger.
#ifndef STAGGER_TESTS_MOTION_FIXTURE_H
#define STAGGER_TESTS_MOTION_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static inline Motion *motion_of_size(int joints, int frames, double rate) {
  Motion *motion = calloc(1, sizeof *motion);
  snprintf(motion->name, sizeof motion->name, "made");
  motion->joint_count = joints;
  motion->frame_count = frames;
  motion->frame_rate = rate;
  motion->joints = calloc((size_t)joints + 1, sizeof *motion->joints);
  motion->position_l = calloc((size_t)joints * (size_t)frames + 1, sizeof *motion->position_l);
  motion->rotation_l = calloc((size_t)joints * (size_t)frames + 1, sizeof *motion->rotation_l);
  return motion;
}

// A clip as if recorded: `cycles` of it over the ground, a figure `size` times as large. In the rest pose its arms are
// held out by `arms` rad (90 deg: a T-pose).
static inline Motion *motion_from_clip(const Clip *clip, int cycles, double rate, float size, float arms, bool moves) {
  const Skeleton *skeleton = clip->skeleton;
  int left = skeleton_find(skeleton, "upper_arm_l"), right = skeleton_find(skeleton, "upper_arm_r");
  int frames = (int)floor(cycles * (double)clip->duration * rate + 0.5) + 1;
  Motion *motion = motion_of_size(skeleton->count, frames, rate);
  for (int i = 0; i < skeleton->count; i++) {
    MotionJoint *to = &motion->joints[i];
    snprintf(to->name, sizeof to->name, "%s", skeleton->names[i]);
    to->parent = skeleton->parent[i];
    to->bind_position_l = glms_vec3_scale(skeleton->bind_position_l[i], size);
    float lift = i == left ? arms : i == right ? -arms : 0;
    to->bind_rotation_l = glms_quat_mul(skeleton->bind_rotation_l[i], quat_exp((vec3s){{0, 0, lift}}));
  }
  for (int f = 0; f < frames; f++) {
    Pose pose;
    clip_sample(clip, (float)(f / rate), &pose);
    vec3s position = glms_vec3_zero();
    versors rotation = glms_quat_identity();
    if (moves)
      clip_root_at(clip, f / rate, &position, &rotation);
    pose_transform(&pose, position, rotation);
    for (int i = 0; i < skeleton->count; i++) {
      motion->position_l[f * skeleton->count + i] = glms_vec3_scale(pose.position[i], size);
      motion->rotation_l[f * skeleton->count + i] = pose.rotation[i];
    }
  }
  return motion;
}

#endif
