// A man with two legs on level ground, moved by the test.
#ifndef STAGGER_TESTS_BIPED_FIXTURE_H
#define STAGGER_TESTS_BIPED_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/biped/biped.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/numbers.h"

typedef struct BipedWalk {
  const BodyDef *body;
  Skeleton skeleton;
  BipedDef def;
  Biped biped;
  LayerStep step;
  FootPlan plans[SKELETON_MAX_LEGS];
  Pose pose;       // last output
  ModelPose shown; // the same, every joint in the world
  double time;
} BipedWalk;

// The human body; free with body_free.
static inline BodyDef *read_man(void) {
  FileSet files = {.count = 0};
  Error error = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  files_free(&files);
  if (!body) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  return body;
}

// Reads a definition from YAML ("": all defaults); false with an error.
static inline bool read_biped(BipedDef *def, const Skeleton *skeleton, const char *yaml, Error *error) {
  Document document;
  memset(def, 0, sizeof *def);
  param_defaults(&biped_params, def);
  if (yaml[0] == 0)
    return biped_read(def, NULL, skeleton, error);
  if (!document_parse(&document, "biped.yaml", yaml, error))
    return false;
  bool read =
      param_read(&biped_params, def, document.root, NULL, error) && biped_read(def, document.root, skeleton, error);
  document_free(&document);
  return read;
}

// The bind pose at the root.
static inline void place_bind(BipedWalk *walk) {
  const LayerStep *step = &walk->step;
  versors turn = {{0, (float)sin(step->heading / 2), 0, (float)cos(step->heading / 2)}};
  walk->pose = pose_bind(&walk->skeleton);
  pose_transform(&walk->pose,
                 (vec3s){{(float)step->root_position[0], (float)step->root_position[1], (float)step->root_position[2]}},
                 turn);
}

// Starts in its bind pose over x = z = 0, at rest. The walk must stay at its place in memory.
static inline void biped_start(BipedWalk *walk, const BodyDef *body, const char *yaml) {
  Error error = {0};
  *walk = (BipedWalk){.body = body, .skeleton = body->skeleton};
  if (!read_biped(&walk->def, &walk->skeleton, yaml, &error)) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  walk->step = (LayerStep){.skeleton = &walk->skeleton, .pose_w = &walk->pose, .plans = walk->plans};
  place_bind(walk);
  biped_init(&walk->def, &walk->biped, &walk->step);
}

// A step of dt with a velocity in the world (x, z) and a turn rate, both at the end of the step.
static inline void biped_go(BipedWalk *walk, double dt, double velocity_x, double velocity_z, double turn_rate) {
  LayerStep *step = &walk->step;
  step->dt = dt;
  step->root_velocity[0] = velocity_x;
  step->root_velocity[2] = velocity_z;
  step->wanted_velocity[0] = velocity_x;
  step->wanted_velocity[1] = velocity_z;
  step->turn_rate = turn_rate;
  for (int k = 0; k < 3; k++)
    step->root_position[k] += (step->root_velocity[k] + step->ground_velocity[k]) * dt;
  step->heading += turn_rate * dt;
  place_bind(walk);
  biped_apply(&walk->def, &walk->biped, step);
  pose_to_model(&walk->skeleton, &walk->pose, &walk->shown);
  walk->time += dt;
}

// Straight ahead at a speed for some seconds.
static inline void biped_go_on(BipedWalk *walk, double dt, double seconds, double speed) {
  for (int k = 0; k < (int)lround(seconds / dt); k++)
    biped_go(walk, dt, speed * sin(walk->step.heading), speed * cos(walk->step.heading), 0);
}

// Starts at that speed, and continues until the gait is steady.
static inline void biped_start_at(BipedWalk *walk, const BodyDef *body, const char *yaml, double dt, double speed) {
  biped_start(walk, body, yaml);
  walk->step.root_velocity[2] = speed;
  biped_init(&walk->def, &walk->biped, &walk->step);
  biped_go_on(walk, dt, 6, speed);
}

// A point of a foot in the last output pose.
static inline vec3s shown_point(const BipedWalk *walk, int leg, vec3s point_l) {
  int ankle = walk->skeleton.legs[leg].ankle;
  return glms_vec3_add(walk->shown.position[ankle], glms_quat_rotatev(walk->shown.rotation[ankle], point_l));
}

static inline vec3s shown_sole(const BipedWalk *walk, int leg) {
  return shown_point(walk, leg, walk->skeleton.legs[leg].sole_l);
}

static inline double shown_stretch(const BipedWalk *walk, int leg) {
  const Leg *l = &walk->skeleton.legs[leg];
  return (double)glms_vec3_distance(walk->shown.position[l->hip], walk->shown.position[l->ankle]) /
         walk->def.legs[leg].length;
}

// Thigh against the vertical, knee and ankle, deg: flexion and toes up positive.
static inline void leg_angles(const BipedWalk *walk, int leg, double angles[3]) {
  const Leg *l = &walk->skeleton.legs[leg];
  double heading = walk->step.heading, pitch[2];
  const vec3s ends[3] = {walk->shown.position[l->hip], walk->shown.position[l->knee], walk->shown.position[l->ankle]};
  for (int i = 0; i < 2; i++) {
    vec3s way = glms_vec3_sub(ends[i + 1], ends[i]);
    double forward = sin(heading) * (double)way.x + cos(heading) * (double)way.z;
    pitch[i] = atan2(forward, -(double)way.y) / RAD_PER_DEGREE;
  }
  vec3s toe = glms_quat_rotatev(walk->shown.rotation[l->ankle], (vec3s){{0, 0, 1}});
  double foot = asin((double)toe.y) / RAD_PER_DEGREE;
  angles[0] = pitch[0];
  angles[1] = pitch[0] - pitch[1];
  angles[2] = foot - pitch[1];
}

static inline vec3s center_of_mass(const BipedWalk *walk) {
  vec3s sum = glms_vec3_zero();
  Pose bind_pose = pose_bind(&walk->skeleton);
  ModelPose bind;
  pose_to_model(&walk->skeleton, &bind_pose, &bind);
  for (int i = 0; i < walk->body->part_count; i++) {
    const PartDef *part = &walk->body->parts[i];
    vec3s com = {{(float)part->com[0], (float)part->com[1], (float)part->com[2]}};
    vec3s local = glms_quat_rotatev(glms_quat_conjugate(bind.rotation[i]), glms_vec3_sub(com, bind.position[i]));
    vec3s place = glms_vec3_add(walk->shown.position[i], glms_quat_rotatev(walk->shown.rotation[i], local));
    sum = glms_vec3_add(sum, glms_vec3_scale(place, (float)(part->mass / walk->body->mass)));
  }
  return sum;
}

#endif
