// For foot placement: grounds with the one feature that a test is about, and a human that stands there.
#ifndef STAGGER_TESTS_FOOT_PLACEMENT_FIXTURE_H
#define STAGGER_TESTS_FOOT_PLACEMENT_FIXTURE_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "anim/ik.h"
#include "sim/base/plane2.h"
#include "tests/unit/foot_placement_stroll.h"

// ---- Grounds ----

typedef struct Stage {
  double pitch, roll;            // rad: rises ahead and to the left
  double wave;                   // m
  double step_at, step_rise;     // m: ground beyond this z is higher; no step when 0
  double ridge_from, ridge_to;   // m of z: between them it is higher by ridge_rise
  double ridge_rise;             // m
  double hole_from, hole_to;     // m of z without ground; none if equal
  double cliff_from, cliff_at;   // m: beyond this z there is no ground to the left of that x; 0: there is
  double raised;                 // m
  double velocity[3], turn_rate; // of all of it, about the origin
  double body;                   // m over the ground: props everywhere, as an own leg would be; 0: none
  bool mirrored;                 // left is right
  double heading, at[2];         // rad, m: all of it is turned about up, from z toward x, and then moved
  double shortest, longest;      // m: rays asked for
  long rays;
} Stage;

static inline bool stage_height(const void *context, double x, double z, double from, double *height,
                                double normal[3]) {
  (void)from;
  const Stage *stage = context;
  double place[2] = {x - stage->at[0], z - stage->at[1]};
  turn_level(-stage->heading, place, place);
  x = place[0];
  z = place[1];
  if (z > stage->hole_from && z < stage->hole_to)
    return false;
  double side = stage->mirrored ? -x : x;
  if (stage->cliff_from > 0 && z > stage->cliff_from && side > stage->cliff_at)
    return false;
  double slope[2] = {tan(stage->roll), tan(stage->pitch)};
  *height = slope[0] * side + slope[1] * z + stage->raised +
            (stage->step_rise != 0 && z > stage->step_at ? stage->step_rise : 0);
  *height += z > stage->ridge_from && z < stage->ridge_to ? stage->ridge_rise : 0;
  *height += stage->wave * (sin(7 * side + 0.3) + sin(9 * z + 1) + sin(5 * (side + z)));
  slope[0] += stage->wave * (7 * cos(7 * side + 0.3) + 5 * cos(5 * (side + z)));
  slope[1] += stage->wave * (9 * cos(9 * z + 1) + 5 * cos(5 * (side + z)));
  if (!normal)
    return true;
  double size = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  slope[0] *= stage->mirrored ? -1 : 1;
  turn_level(stage->heading, slope, slope);
  normal[0] = -slope[0] / size;
  normal[1] = 1 / size;
  normal[2] = -slope[1] / size;
  return true;
}

static inline bool stage_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                             double length, GroundHit *hit) {
  Stage *stage = (Stage *)(uintptr_t)context; // counts
  double height;
  assert_true(direction[0] == 0 && direction[1] == -1 && direction[2] == 0);
  stage->rays++;
  stage->shortest = fmin(stage->shortest, length);
  stage->longest = fmax(stage->longest, length);
  if (!stage_height(stage, origin[0], origin[2], GROUND_HIGHEST, &height, hit->normal_w))
    return false;
  if (stage->body > 0 && (mask & GROUND_PROPS))
    height += stage->body;
  else if (!(mask & (GROUND_TERRAIN | GROUND_PLATFORMS)))
    return false;
  if (origin[1] - height > length)
    return false;
  hit->distance = fmax(origin[1] - height, 0);
  const double at[3] = {origin[0], origin[1] - hit->distance, origin[2]};
  memcpy(hit->position_w, at, sizeof at);
  hit->velocity_w[0] = stage->velocity[0] + stage->turn_rate * at[2];
  hit->velocity_w[1] = stage->velocity[1];
  hit->velocity_w[2] = stage->velocity[2] - stage->turn_rate * at[0];
  hit->turn_rate = stage->turn_rate;
  return true;
}

// ---- A body that stands ----

typedef struct Stand {
  FileSet files;
  BodyDef *body;
  Stage stage;
  Ground ground;
  FootPlacementDef def;
  FootPlacement placement;
  double crouch; // m by which the pelvis is lower than in the bind pose, with its feet in place
  double sink;   // m by which all of the animation is lower: as if made for another ground
  double turn;   // rad: the body's rotation about up, beside the heading
  LayerStep step;
  FootPlan plans[SKELETON_MAX_LEGS];
  Pose pose;
  ModelPose animated, shown;
} Stand;

static inline void set_up(Stand *stand) {
  Error error = {0};
  memset(stand, 0, sizeof *stand);
  snprintf(stand->files.folder, sizeof stand->files.folder, "%s", files_scenes_folder());
  stand->body = body_read(&stand->files, "bodies/human.yaml", &error);
  if (!stand->body)
    fail_msg("%s", error.text);
  param_defaults(&foot_placement_params, &stand->def);
  assert_true(foot_placement_read(&stand->def, NULL, &stand->body->skeleton, &error));
  stand->ground = (Ground){.context = &stand->stage, .ray = stage_ray, .height = stage_height};
  stand->step = (LayerStep){.skeleton = &stand->body->skeleton, .ground = &stand->ground, .pose_w = &stand->pose};
  stand->crouch = 0.05;
}

static inline void reread(Stand *stand) {
  Error error = {0};
  assert_true(foot_placement_read(&stand->def, NULL, &stand->body->skeleton, &error));
}

static inline void tear_down(Stand *stand) {
  body_free(stand->body);
  files_free(&stand->files);
}

static inline void animate(Stand *stand) {
  const Skeleton *skeleton = &stand->body->skeleton;
  LayerStep *step = &stand->step;
  Pose pose = pose_bind(skeleton);
  ModelPose model;
  pose_to_model(skeleton, &pose, &model);
  pose.position[0].y -= (float)stand->crouch;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    leg_reach(skeleton, leg, model.position[leg->ankle], model.rotation[leg->ankle], &pose);
  }
  double heading = step->heading + stand->turn;
  stand->pose = pose;
  pose_transform(&stand->pose,
                 (vec3s){{(float)step->root_position[0], (float)(step->root_position[1] - stand->sink),
                          (float)step->root_position[2]}},
                 (versors){{0, (float)sin(heading / 2), 0, (float)cos(heading / 2)}});
  pose_to_model(skeleton, &stand->pose, &stand->animated);
  if (step->plans)
    foot_plan_standing(skeleton, &stand->pose, step->plans);
}

static inline void apply(Stand *stand, double dt) {
  animate(stand);
  stand->step.dt = dt;
  foot_placement_apply(&stand->def, &stand->placement, &stand->step);
  pose_to_model(&stand->body->skeleton, &stand->pose, &stand->shown);
}

static inline void begin(Stand *stand) {
  animate(stand);
  stand->step.dt = 0;
  stand->placement = (FootPlacement){.begun = false};
  foot_placement_init(&stand->def, &stand->placement, &stand->step);
}

// Until springs and fades are over.
static inline void stand_still(Stand *stand) {
  begin(stand);
  for (int i = 0; i < 180; i++)
    apply(stand, 1.0 / 60);
}

static inline double ground_at(const Stand *stand, const double point[3]) {
  double height = NAN;
  stage_height(&stand->stage, point[0], point[2], GROUND_HIGHEST, &height, NULL);
  return height;
}

static inline vec3s foot_axis(const Stand *stand, int leg, vec3s axis) {
  return glms_quat_rotatev(stand->shown.rotation[stand->body->skeleton.legs[leg].ankle], axis);
}

// Heel, toe and the four corners of a sole against the ground.
static inline double sole_error(const Stand *stand, int leg) {
  const Leg *l = &stand->body->skeleton.legs[leg];
  double worst = 0;
  for (int i = 0; i < 6; i++) {
    vec3s point = i % 2 ? l->toe_l : l->heel_l;
    double p[3];
    int across = i / 2 - 1; // heel and toe at the right, in the middle, at the left
    point.x += (float)across * l->half_width;
    sole_point(&stand->shown, l, point, p);
    worst = fmax(worst, fabs(p[1] - ground_at(stand, p)));
  }
  return worst;
}

// Angles of the sole's up against the normal under its middle: pitch and roll, rad.
static inline void tilt_errors(const Stand *stand, int leg, double errors[2]) {
  const Leg *l = &stand->body->skeleton.legs[leg];
  double middle[3], normal[3] = {0}, height;
  sole_point(&stand->shown, l, l->sole_l, middle);
  assert_true(stage_height(&stand->stage, middle[0], middle[2], GROUND_HIGHEST, &height, normal));
  vec3s ahead = foot_axis(stand, leg, (vec3s){{0, 0, 1}}), left = foot_axis(stand, leg, (vec3s){{1, 0, 0}});
  errors[0] = errors[1] = 0;
  for (int k = 0; k < 3; k++) {
    errors[0] += normal[k] * (double)ahead.raw[k];
    errors[1] += normal[k] * (double)left.raw[k];
  }
}

#endif
