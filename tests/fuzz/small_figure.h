// A skeleton of four joints and a walk for it, on which clips, graphs and planners are fuzzed.
#ifndef STAGGER_TESTS_SMALL_FIGURE_H
#define STAGGER_TESTS_SMALL_FIGURE_H

#include <math.h>
#include <stdio.h>

#include "fuzzer.h"

#include "anim/clip.h"

// Pelvis, chest and two legs of one joint each.
static inline const Skeleton *small_skeleton(void) {
  static Skeleton s;
  static const char *const names[] = {"pelvis", "chest", "thigh_l", "thigh_r"};
  for (int i = 0; s.count < 4; i++, s.count++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = i > 0 ? 0 : -1;
    s.twin[i] = i < 2 ? i : 5 - i;
    s.bind_position_l[i] = (vec3s){{i < 2 ? 0 : 2.5f - (float)i, 0.5f, 0}};
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.legs[0] = (Leg){.name = "left", .hip = 2, .knee = 2, .ankle = 2};
  s.legs[1] = (Leg){.name = "right", .hip = 3, .knee = 3, .ankle = 3};
  s.leg_count = 2;
  return &s;
}

// A cycle of a second at 1 m/s, with the marks of a walk.
static inline const Clip *small_walk(void) {
  static Pose keys[3];
  static Clip walk = {.name = "walk", .loop = true, .duration = 1, .safe_to = 1, .root_velocity_l = {{0, 0, 1}}};
  if (walk.skeleton)
    return &walk;
  for (int k = 0; k < 3; k++) {
    keys[k] = pose_bind(small_skeleton());
    keys[k].rotation[1 + k] = quat_exp((vec3s){{0.5f, 0.2f * (float)k, 0}});
  }
  walk.keys = keys;
  walk.key_count = 3;
  walk.marks[walk.mark_count++] = (ClipMark){"left_strike", 0.1f};
  walk.marks[walk.mark_count++] = (ClipMark){"right_strike", 0.6f};
  walk.contacts[walk.contact_count++] = (ClipContact){.leg = 0, .begin = 0.1f, .end = 0.7f};
  walk.skeleton = small_skeleton();
  return &walk;
}

// Rotations are of unit length, positions finite.
static inline void check_pose(const Pose *pose) {
  for (int i = 0; i < pose->count; i++)
    check(fabsf(glms_quat_norm(pose->rotation[i]) - 1) < 1e-3f && isfinite(glms_vec3_norm(pose->position[i])));
}

#endif
