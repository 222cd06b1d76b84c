// Walkers of 2 to 8 legs built in code, grounds given by a height function, and a body that is moved over them.
#ifndef STAGGER_TESTS_STEPPER_FIXTURE_H
#define STAGGER_TESTS_STEPPER_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/stepper/stepper.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

// ---- Walkers ----

static inline int add_joint(Skeleton *s, const char *name, int parent, float x, float y, float z) {
  int joint = s->count++;
  snprintf(s->names[joint], sizeof s->names[joint], "%s", name);
  s->parent[joint] = parent;
  s->twin[joint] = joint;
  s->bind_position_l[joint] = (vec3s){{x, y, z}};
  s->bind_rotation_l[joint] = glms_quat_identity();
  return joint;
}

static inline void add_leg(Skeleton *s, const char *name, int parent, vec3s hip, vec3s knee, vec3s ankle, float sole) {
  static const char *const parts[] = {"thigh", "shin", "foot"};
  const vec3s places[] = {hip, knee, ankle};
  Leg *leg = &s->legs[s->leg_count++];
  snprintf(leg->name, sizeof leg->name, "%s", name);
  int *joints[] = {&leg->hip, &leg->knee, &leg->ankle};
  for (int i = 0; i < 3; i++) {
    char joint[SKELETON_NAME_SIZE];
    snprintf(joint, sizeof joint, "%s_%.20s", parts[i], name);
    parent = *joints[i] = add_joint(s, joint, parent, places[i].x, places[i].y, places[i].z);
  }
  leg->sole_l = (vec3s){{0, -sole, 0}};
}

// Sprawled, like a lizard's or a spider's: the thigh outward and level, the shin down. 4, 6 or 8 legs on a trunk of two
// joints, the hind part and `chest`; the root is in the middle. size: 1 is a trunk of 0.4 m on legs of 0.2 m.
static inline Skeleton make_sprawler(int legs, float size) {
  static const char *const rows[][4] = {
      {"front", "hind", NULL, NULL}, {"front", "mid", "hind", NULL}, {"first", "second", "third", "fourth"}};
  int pairs = legs / 2;
  Skeleton s = {.name = "sprawler"};
  float height = 0.11f * size, length = 0.3f * size, hind = -length / 2;
  int trunk = add_joint(&s, "body", -1, 0, height, hind);
  int chest = add_joint(&s, "chest", trunk, 0, 0, -hind);
  for (int i = 0; i < pairs; i++)
    for (int side = 1; side >= -1; side -= 2) {
      char name[SKELETON_NAME_SIZE];
      snprintf(name, sizeof name, "%s_%c", rows[pairs - 2][i], side > 0 ? 'l' : 'r');
      float z = length * (0.5f - (float)i / (float)(pairs - 1)), x = (float)side;
      int parent = z > 0 ? chest : trunk;
      vec3s hip = {{0.04f * size * x, 0, z - (parent == chest ? 0 : hind)}};
      add_leg(&s, name, parent, hip, (vec3s){{0.1f * size * x, 0, 0}}, (vec3s){{0, -0.1f * size, 0}}, 0.01f * size);
    }
  return s;
}

// Two legs of 0.9 m with knees that are a little bent, like a human's.
static inline Skeleton make_biped(void) {
  Skeleton s = {.name = "biped"};
  int pelvis = add_joint(&s, "pelvis", -1, 0, 0.92f, 0);
  for (int side = 1; side >= -1; side -= 2)
    add_leg(&s, side > 0 ? "left" : "right", pelvis, (vec3s){{0.1f * (float)side, 0, 0}}, (vec3s){{0, -0.42f, 0.08f}},
            (vec3s){{0, -0.42f, -0.08f}}, 0.08f);
  return s;
}

static inline Skeleton make_walker(int legs) { return legs == 2 ? make_biped() : make_sprawler(legs, 1); }

// ---- Grounds ----

typedef struct TestGround {
  double pitch; // rad: rises toward +z
  double rough; // m: height of its waves
  double edge;  // m: there is no ground beyond this z; 0: everywhere
  double turn;  // rad: all of it is turned about up, from z toward x, and then
  double at[2]; // m: moved by this
} TestGround;

static inline bool test_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  const TestGround *ground = context;
  double place[2] = {x - ground->at[0], z - ground->at[1]};
  turn_level(-ground->turn, place, place);
  x = place[0];
  z = place[1];
  if (ground->edge != 0 && z > ground->edge)
    return false;
  const double wave[3] = {17, 23, 9}; // rad/m
  double a = ground->rough / 3, slope[2];
  *height = z * tan(ground->pitch) + a * (sin(wave[0] * x) + sin(wave[1] * z) + sin(wave[2] * (x + z)));
  if (!normal)
    return true;
  slope[0] = a * (wave[0] * cos(wave[0] * x) + wave[2] * cos(wave[2] * (x + z)));
  slope[1] = tan(ground->pitch) + a * (wave[1] * cos(wave[1] * z) + wave[2] * cos(wave[2] * (x + z)));
  double length = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  turn_level(ground->turn, slope, slope);
  normal[0] = -slope[0] / length;
  normal[1] = 1 / length;
  normal[2] = -slope[1] / length;
  return true;
}

// Rays straight down, as the stepper casts them.
static inline bool test_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                            double length, GroundHit *hit) {
  double height;
  if (direction[1] != -1 || !(mask & GROUND_TERRAIN))
    abort();
  if (!test_height(context, origin[0], origin[2], GROUND_HIGHEST, &height, hit->normal_w) ||
      origin[1] - height > length)
    return false;
  hit->distance = fmax(origin[1] - height, 0);
  for (int k = 0; k < 3; k++)
    hit->position_w[k] = origin[k];
  hit->position_w[1] = origin[1] - hit->distance;
  memset(hit->velocity_w, 0, sizeof hit->velocity_w);
  return true;
}

// ---- A body that is moved ----

typedef struct Walk {
  Skeleton skeleton;
  TestGround shape;
  Ground ground;
  StepperDef def;
  Stepper stepper;
  LayerStep step;
  Pose pose;       // last output
  ModelPose shown; // the same, every joint in the world
  double time;
} Walk;

// Reads a definition from YAML ("": all defaults); false with an error.
static inline bool read_stepper(StepperDef *def, const Skeleton *skeleton, const char *yaml, Error *error) {
  Document document;
  memset(def, 0, sizeof *def);
  param_defaults(&stepper_params, def);
  if (yaml[0] == 0)
    return stepper_read(def, NULL, skeleton, error);
  if (!document_parse(&document, "walker.yaml", yaml, error))
    return false;
  bool read = param_read(&stepper_params, def, document.root, stepper_layer.other_keys, error) &&
              stepper_read(def, document.root, skeleton, error);
  document_free(&document);
  return read;
}

// The bind pose at the root.
static inline void place_bind(Walk *walk) {
  LayerStep *step = &walk->step;
  versors turn = {{0, (float)sin(step->heading / 2), 0, (float)cos(step->heading / 2)}};
  walk->pose = pose_bind(&walk->skeleton);
  pose_transform(&walk->pose,
                 (vec3s){{(float)step->root_position[0], (float)step->root_position[1], (float)step->root_position[2]}},
                 turn);
}

// Starts in its bind pose over x = z = 0. The walk must stay at its place in memory.
static inline void walk_init(Walk *walk, Skeleton skeleton, TestGround shape, const char *yaml) {
  Error error = {0};
  *walk = (Walk){.skeleton = skeleton, .shape = shape};
  walk->ground = (Ground){.context = &walk->shape, .ray = test_ray, .height = test_height};
  if (!read_stepper(&walk->def, &walk->skeleton, yaml, &error)) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  walk->step = (LayerStep){.skeleton = &walk->skeleton, .ground = &walk->ground, .pose_w = &walk->pose};
  test_height(&walk->shape, 0, 0, GROUND_HIGHEST, &walk->step.root_position[1], NULL);
  place_bind(walk);
  stepper_init(&walk->def, &walk->stepper, &walk->step);
}

// A step of dt with a velocity in the world (x, z) and a turn rate, both at the end of the step.
static inline void walk_on(Walk *walk, double dt, double velocity_x, double velocity_z, double turn_rate) {
  LayerStep *step = &walk->step;
  step->dt = dt;
  step->root_velocity[0] = velocity_x;
  step->root_velocity[2] = velocity_z;
  step->turn_rate = turn_rate;
  step->root_position[0] += velocity_x * dt;
  step->root_position[2] += velocity_z * dt;
  step->heading += turn_rate * dt;
  test_height(&walk->shape, step->root_position[0], step->root_position[2], GROUND_HIGHEST, &step->root_position[1],
              NULL);
  place_bind(walk);
  stepper_layer.apply(&walk->def, &walk->stepper, step);
  pose_to_model(&walk->skeleton, &walk->pose, &walk->shown);
  walk->time += dt;
}

// The sole of a leg in the last output pose.
static inline vec3s shown_sole(const Walk *walk, int leg) {
  const Leg *annotated = &walk->skeleton.legs[leg];
  versors rotation = walk->shown.rotation[annotated->ankle];
  return glms_vec3_add(walk->shown.position[annotated->ankle], glms_quat_rotatev(rotation, annotated->sole_l));
}

static inline int count_planted(const Walk *walk) {
  int planted = 0;
  for (int i = 0; i < walk->def.count; i++)
    planted += !walk->stepper.feet[i].stepping;
  return planted;
}

// The offset of a foot from its reference, in the frame of the body: x to the left, z forward.
static inline void body_offset(const Walk *walk, int leg, double *x, double *z) {
  const StepperFoot *foot = &walk->stepper.feet[leg];
  double dx = foot->place[0] - foot->reference[0], dz = foot->place[2] - foot->reference[2];
  double c = cos(walk->step.heading), s = sin(walk->step.heading);
  *x = c * dx - s * dz;
  *z = c * dz + s * dx;
}

#endif
