// Debug drawing of a character: gaze, path and assist.
#include <math.h>

#include "ragdoll/character/character_layers.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

enum { PATH_POINTS = 21 };
static const double PATH_INTERVAL = 0.1;   // s
static const double PATH_HEIGHT = 0.02;    // m over the ground, so that it is visible
static const double SHORTEST_PATH = 0.05;  // m; a standing character has no path
static const double RAD_PER_TORQUE = 0.02; // rad of arc for 1 N m
static const double LONGEST_ARC = 5;       // rad
static const double SMALLEST_TORQUE = 1;   // N m; smaller ones are not drawn
static const double ARC_RADIUS = 0.3;      // m
static const uint32_t PATH_COLOR = 0x2d6fd2ff, ASSIST_COLOR = 0x7a3fd0ff;

// The gaze begins in the middle of the head.
static void debug_gaze(const Character *character, const ModelPose *target_w, DebugDraw *draw) {
  const Look *look = &character->play.look;
  if (look->count == 0)
    return;
  int head = look->chain[look->count - 1];
  vec3s middle = glms_quat_rotatev(target_w->rotation[head], vec3_from_ode(character->ragdoll->com_l[head]));
  look_debug(look, glms_vec3_add(target_w->position[head], middle), character->root.heading, draw);
}

static void debug_path(const Character *character, DebugDraw *draw) {
  double points[PATH_POINTS][3];
  character_path(character, PATH_INTERVAL, points, PATH_POINTS);
  const double *from = points[0], *to = points[PATH_POINTS - 1];
  if (hypot(to[0] - from[0], to[2] - from[2]) < SHORTEST_PATH)
    return;
  debug_group(draw, DEBUG_PATH);
  for (int i = 0; i < PATH_POINTS; i++)
    points[i][1] += PATH_HEIGHT;
  for (int i = 1; i < PATH_POINTS - 1; i++)
    debug_line(draw, points[i - 1], points[i], 0.01f, PATH_COLOR);
  debug_arrow(draw, points[PATH_POINTS - 2], points[PATH_POINTS - 1], 0.02f, PATH_COLOR);
}

// About the centre of mass of the held part. The force is drawn by the viewer.
static void debug_assist_torque(const Character *character, DebugDraw *draw) {
  const Assist *assist = &character->assist;
  double size = length3(assist->torque_w);
  if (assist->part < 0 || !(size > SMALLEST_TORQUE))
    return;
  const dReal *center = dBodyGetPosition(character->ragdoll->ode[assist->part]);
  const double label[3] = {center[0], center[1] + ARC_RADIUS, center[2]};
  debug_group(draw, DEBUG_ASSIST);
  debug_arc(draw, center, assist->torque_w, ARC_RADIUS, fmin(RAD_PER_TORQUE * size, LONGEST_ARC), 0.015f, ASSIST_COLOR);
  debug_label(draw, label, ASSIST_COLOR, "%.0f N m", size);
}

void character_debug(const Character *character, DebugDraw *draw) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose target_w;
  pose_to_model(skeleton, &character->target, &target_w);
  debug_gaze(character, &target_w, draw);
  debug_path(character, draw);
  debug_assist_torque(character, draw);
  Pose pose_w = character->target;
  FootPlan plans[SKELETON_MAX_LEGS];
  memcpy(plans, character->foot_plans, sizeof plans);
  LayerStep step = character_layer_step(character, 0, &pose_w, plans);
  layers_debug(&character->layers, &step, draw);
}
