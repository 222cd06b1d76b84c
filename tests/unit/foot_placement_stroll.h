// A human that plays a clip over some ground, moved by the test as a character's root is, with its feet placed.
#ifndef STAGGER_TESTS_FOOT_PLACEMENT_STROLL_H
#define STAGGER_TESTS_FOOT_PLACEMENT_STROLL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/clip.h"
#include "anim/layers/foot_placement/foot_placement.h"
#include "anim/spring.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/numbers.h"

enum { STROLL_LEGS = 2 };

// All of it stays at its place in memory.
typedef struct Stroll {
  FileSet files;
  BodyDef *body;
  Clip *clip;
  FootLandings landings;
  Ground ground;
  FootPlacementDef def;
  FootPlacement placement;
  bool placed;                       // whether feet are placed
  double time, speed, turn_rate;     // s of the clip; m/s, rad/s
  double drift[2];                   // m/s in addition, as of moving ground
  double height_velocity, smoothing; // of the root's height
  LayerStep step;
  FootPlan plans[SKELETON_MAX_LEGS];
  Pose animation, pose;
  ModelPose animated, shown;
} Stroll;

static inline void stroll_fail(const Error *error) {
  fprintf(stderr, "%s\n", error->text);
  abort();
}

static inline void stroll_load(Stroll *stroll, const char *clip) {
  Error error = {0};
  memset(stroll, 0, sizeof *stroll);
  snprintf(stroll->files.folder, sizeof stroll->files.folder, "%s", files_scenes_folder());
  stroll->body = body_read(&stroll->files, "bodies/human.yaml", &error);
  if (stroll->body)
    stroll->clip = clip_read(&stroll->files, clip, &stroll->body->skeleton, &error);
  if (!stroll->clip)
    stroll_fail(&error);
  foot_landings_find(&stroll->landings, stroll->clip, false, 1);
  param_defaults(&foot_placement_params, &stroll->def);
  if (!foot_placement_read(&stroll->def, NULL, &stroll->body->skeleton, &error))
    stroll_fail(&error);
  stroll->placed = true;
  stroll->smoothing = 0.15; // like a character's root
}

static inline void stroll_free(Stroll *stroll) {
  clip_free(stroll->clip);
  body_free(stroll->body);
  files_free(&stroll->files);
}

static inline double stroll_pace(const Stroll *stroll) {
  double clip_speed = (double)stroll->clip->root_velocity_l.z;
  return clip_speed > 0 ? stroll->speed / clip_speed : 1;
}

// The animation at this time, and the plans of its feet.
static inline void stroll_animate(Stroll *stroll) {
  LayerStep *step = &stroll->step;
  const Skeleton *skeleton = &stroll->body->skeleton;
  FootRoot root = {.rotation = {{0, (float)sin(step->heading / 2), 0, (float)cos(step->heading / 2)}}};
  for (int k = 0; k < 3; k++) {
    root.position[k] = step->root_position[k];
    root.velocity[k] = step->root_velocity[k] + (k != 1 ? step->ground_velocity[k] : 0);
  }
  clip_sample(stroll->clip, (float)stroll->time, &stroll->animation);
  vec3s place = {{(float)root.position[0], (float)root.position[1], (float)root.position[2]}};
  pose_transform(&stroll->animation, place, root.rotation);
  stroll->pose = stroll->animation;
  pose_to_model(skeleton, &stroll->pose, &stroll->animated);
  foot_plan_from_clip(&stroll->landings, stroll->time, stroll_pace(stroll), &root, &stroll->pose, stroll->plans);
}

// Starts at x, z at this time of the clip.
static inline void stroll_start(Stroll *stroll, double x, double z, double heading, double time) {
  LayerStep *step = &stroll->step;
  FootPlan *plans = stroll->step.plans;
  bool told = plans || !stroll->step.skeleton;
  *step = (LayerStep){.skeleton = &stroll->body->skeleton, .ground = &stroll->ground, .pose_w = &stroll->pose};
  step->plans = told ? stroll->plans : NULL;
  step->root_position[0] = x;
  step->root_position[2] = z;
  step->heading = heading;
  stroll->ground.height(stroll->ground.context, x, z, GROUND_HIGHEST, &step->root_position[1], NULL);
  stroll->time = time;
  stroll->height_velocity = 0;
  stroll_animate(stroll);
  stroll->placement = (FootPlacement){.begun = false};
  foot_placement_init(&stroll->def, &stroll->placement, step);
  if (stroll->placed)
    foot_placement_apply(&stroll->def, &stroll->placement, step);
  pose_to_model(&stroll->body->skeleton, &stroll->pose, &stroll->shown);
}

static inline void stroll_on(Stroll *stroll, double dt) {
  LayerStep *step = &stroll->step;
  step->dt = dt;
  step->heading += stroll->turn_rate * dt;
  step->turn_rate = stroll->turn_rate;
  step->root_velocity[0] = stroll->speed * sin(step->heading);
  step->root_velocity[2] = stroll->speed * cos(step->heading);
  for (int k = 0; k < 2; k++)
    step->ground_velocity[2 * k] = stroll->drift[k];
  for (int k = 0; k < 3; k += 2)
    step->root_position[k] += (step->root_velocity[k] + step->ground_velocity[k]) * dt;
  double height = step->root_position[1], before = height;
  stroll->ground.height(stroll->ground.context, step->root_position[0], step->root_position[2], GROUND_HIGHEST, &height,
                        NULL);
  spring_step(&step->root_position[1], &stroll->height_velocity, height, stroll->smoothing, dt);
  step->root_velocity[1] = (step->root_position[1] - before) / dt;
  double duration = (double)stroll->clip->duration;
  stroll->time = fmod(stroll->time + dt * stroll_pace(stroll), duration);
  stroll_animate(stroll);
  if (stroll->placed)
    foot_placement_apply(&stroll->def, &stroll->placement, step);
  pose_to_model(&stroll->body->skeleton, &stroll->pose, &stroll->shown);
}

// A point of a foot's sole in a pose.
static inline void sole_point(const ModelPose *pose, const Leg *leg, vec3s point_l, double point[3]) {
  vec3s p = glms_vec3_add(pose->position[leg->ankle], glms_quat_rotatev(pose->rotation[leg->ankle], point_l));
  for (int k = 0; k < 3; k++)
    point[k] = (double)p.raw[k];
}

#endif
