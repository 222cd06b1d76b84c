// A skeleton: joints in flat arrays with parents before children, mirror twins, and annotated legs. Immutable after
// loading. Joint 0 is the root joint (the pelvis of a human).
#ifndef STAGGER_ANIM_SKELETON_H
#define STAGGER_ANIM_SKELETON_H

#include <cglm/struct.h>
#include <stdbool.h>

#include "sim/base/document.h"

enum { SKELETON_MAX_JOINTS = 64, SKELETON_NAME_SIZE = 32, SKELETON_MAX_LEGS = 8, SKELETON_MAX_ABSENT = 16 };

// A leg from hip to sole, for IK, foot placement and foot metrics.
typedef struct Leg {
  char name[SKELETON_NAME_SIZE]; // "left"
  int hip, knee, ankle;          // joints: thigh, shin, foot (a joint is named after the part it moves)
  vec3s sole_l;                  // middle of the sole in the foot joint's frame, m
  vec3s heel_l, toe_l;           // middle of the back and the front edge of the sole, in the foot joint's frame, m
  float half_width;              // of the sole, m
} Leg;

typedef struct Skeleton {
  char name[SKELETON_NAME_SIZE];
  int count; // joints, 1 .. SKELETON_MAX_JOINTS
  char names[SKELETON_MAX_JOINTS][SKELETON_NAME_SIZE];
  int parent[SKELETON_MAX_JOINTS];              // -1 for joint 0
  int twin[SKELETON_MAX_JOINTS];                // the joint on the other side; itself for joints in the middle
  vec3s bind_position_l[SKELETON_MAX_JOINTS];   // in the parent's frame, m; joint 0: in the model's frame
  versors bind_rotation_l[SKELETON_MAX_JOINTS]; // x y z w
  Leg legs[SKELETON_MAX_LEGS];
  int leg_count;
  // Joints that keyframe clips may name though the skeleton lacks them; their keys are left out.
  char absent[SKELETON_MAX_ABSENT][SKELETON_NAME_SIZE];
  int absent_count;
  float clip_scale; // lengths in keyframe clips are multiplied by it; 0 counts as 1
} Skeleton;

// By which lengths in keyframe clips are multiplied, since they were made for a body of another size.
float skeleton_clip_scale(const Skeleton *skeleton);

// The index of the joint with this name, or -1.
int skeleton_find(const Skeleton *skeleton, const char *name);

// Whether the skeleton lacks a joint with this name that clips may nonetheless name.
bool skeleton_lacks(const Skeleton *skeleton, const char *name);

// skeleton_find for a joint that a file names; if there is none, -1 and an error at the node.
int skeleton_read_joint(const Skeleton *skeleton, const Node *node, Error *error);

// The end of an error about a joint or a leg that the skeleton does not have: see name_hint.
NameHint skeleton_joint_hint(const Skeleton *skeleton, const char *name);
NameHint skeleton_leg_hint(const Skeleton *skeleton, const char *name);

// The leg with this name, or with this ankle; -1 if there is none.
int skeleton_find_leg(const Skeleton *skeleton, const char *name);
int skeleton_leg_of_ankle(const Skeleton *skeleton, int ankle);

// Length from hip to ankle along the bones, m.
float skeleton_leg_length(const Skeleton *skeleton, const Leg *leg);

#endif
