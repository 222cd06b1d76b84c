// The gaze of the intent: yaw and pitch follow their goals by damped springs and are shared by neck and head.
#include "anim/layers/look_at/look.h"

#include <math.h>

#include "anim/spring.h"

static const double SMOOTHING = 0.15; // s, of the angles
static const double AT_REST = 1e-6;   // rad and rad/s below which the gaze is at its goal

static const double SHOWN_DISTANCE = 2; // m
static const uint32_t GOAL_COLOR = 0x1899b8ff, PRESENT_COLOR = 0x1899b880;

void look_init(Look *look, const Skeleton *skeleton) {
  static const char *const names[LOOK_MAX_JOINTS] = {"neck", "head"};
  *look = (Look){0};
  for (int i = 0; i < LOOK_MAX_JOINTS; i++) {
    int joint = skeleton_find(skeleton, names[i]);
    if (joint > 0)
      look->chain[look->count++] = joint;
  }
}

static void follow(double *angle, double *velocity, double goal, double dt) {
  spring_step(angle, velocity, goal, SMOOTHING, dt);
  if (fabs(*angle - goal) < AT_REST && fabs(*velocity) < AT_REST) {
    *angle = goal;
    *velocity = 0;
  }
}

void look_step(Look *look, double dt) {
  follow(&look->yaw, &look->yaw_velocity, look->goal_yaw, dt);
  follow(&look->pitch, &look->pitch_velocity, look->goal_pitch, dt);
}

versors look_rotation(double yaw, double pitch) { return glms_quat_mul(quat_about(1, yaw), quat_about(0, -pitch)); }

void look_apply(const Look *look, const Skeleton *skeleton, Pose *pose_m) {
  if (look->count == 0 || (look->yaw == 0 && look->pitch == 0))
    return;
  vec3s turn = quat_log(look_rotation(look->yaw, look->pitch));
  versors share = quat_exp(glms_vec3_scale(turn, 1.0f / (float)look->count));
  // Each joint of the chain carries the next one, so equal shares add up to the whole turn.
  for (int i = 0; i < look->count; i++) {
    int joint = look->chain[i];
    vec3s place;
    versors parent;
    pose_joint_transform(skeleton, pose_m, skeleton->parent[joint], &place, &parent);
    versors turned = glms_quat_mul(share, glms_quat_mul(parent, pose_m->rotation[joint]));
    pose_m->rotation[joint] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent), turned));
  }
}

static void gaze_point(vec3s eyes_w, double heading, double yaw, double pitch, double point[3]) {
  double level = SHOWN_DISTANCE * cos(pitch);
  point[0] = (double)eyes_w.x + level * sin(heading + yaw);
  point[1] = (double)eyes_w.y + SHOWN_DISTANCE * sin(pitch);
  point[2] = (double)eyes_w.z + level * cos(heading + yaw);
}

void look_debug(const Look *look, vec3s eyes_w, double heading, DebugDraw *draw) {
  if (look->count == 0)
    return;
  const double eyes[3] = {(double)eyes_w.x, (double)eyes_w.y, (double)eyes_w.z};
  double goal[3], present[3];
  gaze_point(eyes_w, heading, look->goal_yaw, look->goal_pitch, goal);
  gaze_point(eyes_w, heading, look->yaw, look->pitch, present);
  debug_group(draw, DEBUG_LOOK);
  debug_line(draw, eyes, goal, 0.008f, GOAL_COLOR);
  debug_point(draw, goal, 0.03f, GOAL_COLOR);
  debug_line(draw, eyes, present, 0.004f, PRESENT_COLOR);
}

void look_state(Look *look, StateStream *stream) {
  STATE(stream, look->goal_yaw, look->goal_pitch, look->yaw, look->pitch, look->yaw_velocity, look->pitch_velocity);
}
