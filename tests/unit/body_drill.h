// What a body comes to, in sums of which each depends on all of its parts.
#ifndef STAGGER_TESTS_BODY_DRILL_H
#define STAGGER_TESTS_BODY_DRILL_H

#include "ragdoll/body/body_def.h"
#include "tests/unit/drill.h"

enum { PLACES, MASSES, RANGES, DRIVES, SHAPES, LEGS, BODY_SUMS };
#define BODY_SUM_NAMES "places", "masses", "ranges", "drives", "shapes", "legs"

static inline void drill_add_part(const PartDef *part, DrillSum sums[]) {
  const JointDef *joint = &part->joint;
  drill_add_all(&sums[PLACES], joint->position, 3);
  drill_add_all(&sums[PLACES], part->com, 3);
  drill_add(&sums[PLACES], part->parent + 0.1 * part->twin);
  drill_add(&sums[MASSES], part->mass);
  drill_add_all(&sums[MASSES], part->inertia, 3);
  drill_add_all(&sums[MASSES], part->products, 3);
  drill_add_all(&sums[RANGES], joint->limit[0], 6);
  drill_add_all(&sums[RANGES], joint->frame, 4);
  const double kinds[] = {(double)joint->kind, joint->twist_axis, joint->limited, part->carries, part->foot};
  drill_add_all(&sums[RANGES], kinds, 5);
  for (int axis = 0; axis < 3; axis++)
    drill_add(&sums[DRIVES], joint_axis_strength(joint, axis) / 100);
  drill_add_all(&sums[DRIVES], joint->armature, 3);
  const double drive[] = {joint->stiffness / 1000, joint->damping / 100, joint->strength / 100};
  drill_add_all(&sums[DRIVES], drive, 3);
  for (int s = 0; s < part->shape_count; s++) {
    drill_add_all(&sums[SHAPES], part->shapes[s].size, 3);
    drill_add_all(&sums[SHAPES], part->shapes[s].center_m, 3);
    drill_add_all(&sums[SHAPES], part->shapes[s].turn, 3);
    drill_add(&sums[SHAPES], (double)part->shapes[s].kind + 0.1 * part->shapes[s].axis);
  }
}

static inline void drill_add_body(const BodyDef *body, DrillSum sums[]) {
  for (int i = 0; i < body->part_count; i++)
    drill_add_part(&body->parts[i], sums);
  const Skeleton *skeleton = &body->skeleton;
  drill_add(&sums[LEGS], (double)skeleton->clip_scale);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    drill_add(&sums[LEGS], leg->hip + leg->knee + leg->ankle);
    drill_add_floats(&sums[LEGS], leg->sole_l.raw, 3);
    drill_add_floats(&sums[LEGS], leg->heel_l.raw, 3);
    drill_add_floats(&sums[LEGS], leg->toe_l.raw, 3);
  }
  for (int i = 0; i < skeleton->count; i++)
    drill_add_floats(&sums[LEGS], skeleton->bind_position_l[i].raw, 3);
}

#endif
