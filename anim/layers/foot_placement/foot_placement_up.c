// Feet on walls: a step whose `up` is not the world's is turned so that it is, and turned back afterwards.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

static const double UPRIGHT = 1e-9; // 1 - cosine

// The unit vector of `up`; the world's if none is given.
static void unit_up(const FootPlacementDef *def, double up[3]) {
  double size = length3(def->up);
  for (int k = 0; k < 3; k++)
    up[k] = size > 0 ? def->up[k] / size : (k == 1);
}

bool foot_up_is_worlds(const FootPlacementDef *def) {
  double up[3];
  unit_up(def, up);
  return 1 - up[1] < UPRIGHT;
}

// Rodrigues' rotation, the shortest from `up` to Y; for the opposite direction half a turn about X.
FootAxes foot_up_axes(const FootPlacementDef *def) {
  double up[3];
  unit_up(def, up);
  double c = up[1], x = -up[2], z = up[0]; // up x Y, whose length is the sine
  bool hangs = 1 + c < UPRIGHT;
  double share = hangs ? 0 : 1 / (1 + c);
  const FootAxes turn = {{
      {c + share * x * x, -z, share * x * z},
      {z, c, -x},
      {share * x * z, x, c + share * z * z},
  }};
  const FootAxes over = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  return hangs ? over : turn;
}

void foot_up_turn(const FootAxes *axes, bool back, const double v[3], double turned[3]) {
  double result[3];
  for (int i = 0; i < 3; i++)
    result[i] = back ? axes->row[0][i] * v[0] + axes->row[1][i] * v[1] + axes->row[2][i] * v[2]
                     : axes->row[i][0] * v[0] + axes->row[i][1] * v[1] + axes->row[i][2] * v[2];
  memcpy(turned, result, sizeof result);
}

static bool turned_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                       double length, GroundHit *hit) {
  const FootUp *up = context;
  double start[3], way[3];
  foot_up_turn(&up->axes, true, origin, start);
  foot_up_turn(&up->axes, true, direction, way);
  if (!up->ground->ray(up->ground->context, mask, start, way, length, hit))
    return false;
  foot_up_turn(&up->axes, false, hit->position_w, hit->position_w);
  foot_up_turn(&up->axes, false, hit->normal_w, hit->normal_w);
  foot_up_turn(&up->axes, false, hit->velocity_w, hit->velocity_w);
  return true;
}

static void turn_pose(const FootAxes *axes, bool back, Pose *pose) {
  double place[3], turned[3];
  mat3s m;
  for (int k = 0; k < 3; k++) {
    place[k] = (double)pose->position[0].raw[k];
    for (int i = 0; i < 3; i++)
      m.raw[k][i] = (float)(back ? axes->row[k][i] : axes->row[i][k]); // cglm matrices are stored by columns
  }
  foot_up_turn(axes, back, place, turned);
  for (int k = 0; k < 3; k++)
    pose->position[0].raw[k] = (float)turned[k];
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(glms_mat3_quat(m), pose->rotation[0]));
}

LayerStep foot_up_begin(const FootPlacementDef *def, const LayerStep *step, FootUp *up) {
  LayerStep turned = *step;
  up->ground = step->ground;
  up->axes = foot_up_axes(def);
  up->turned = (Ground){.context = up, .ray = turned_ray};
  turned.ground = &up->turned;
  turned.plans = NULL;
  foot_up_turn(&up->axes, false, step->root_position, turned.root_position);
  foot_up_turn(&up->axes, false, step->root_velocity, turned.root_velocity);
  foot_up_turn(&up->axes, false, step->ground_velocity, turned.ground_velocity);
  turn_pose(&up->axes, false, step->pose_w);
  return turned;
}

void foot_up_end(const FootUp *up, const LayerStep *step) { turn_pose(&up->axes, true, step->pose_w); }
