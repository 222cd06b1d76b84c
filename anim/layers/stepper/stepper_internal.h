// Between the stepper's files: how a step of it is made.
#ifndef STAGGER_ANIM_LAYERS_STEPPER_STEPPER_INTERNAL_H
#define STAGGER_ANIM_LAYERS_STEPPER_STEPPER_INTERNAL_H

#include "anim/layers/stepper/stepper.h"
#include "sim/base/plane2.h"

typedef struct Heading {
  double angle, sine, cosine; // rad about up
} Heading;

// The root over the ground. Level vectors are {x to the left, z forward} of a heading, or {x, z} of the world.
typedef struct StepperRoot {
  double position[3], velocity[2]; // world: m; x, z in m/s
  Heading heading;
  double turn_rate, speed;
  Heading lead;         // feet land turned ahead by it
  double step_duration; // s: of steps that begin now
} StepperRoot;

StepperRoot stepper_root(const StepperDef *def, const Stepper *stepper, const LayerStep *step);

Heading heading_of(double angle);

// A level vector from a heading's frame into the world, and back.
static inline void level_to_world(Heading heading, const double level[2], double world[2]) {
  turn_level_by(heading.sine, heading.cosine, level, world);
}

static inline void level_from_world(Heading heading, const double world[2], double level[2]) {
  turn_level_by(-heading.sine, heading.cosine, world, level);
}

// A level offset in the world, from the reference to the foot.
void stepper_foot_offset(const StepperFoot *foot, double offset[2]);

// Velocity of a leg's reference over the ground: level, world.
void stepper_reference_velocity(const Stepper *stepper, const StepperRoot *root, int leg, double velocity[2]);

// Where the foot of a leg is to land in `time_left` s: foot->landing, normal, landing_yaw, refusal.
void stepper_find_landing(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root,
                          int leg, double time_left);

// Level offset of landing points from the reference, in the body's frame.
void stepper_landing_offset(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg,
                            double offset[2]);

// The ground for a foot at x, z. When there is none that carries: why, and place and normal as they were.
FootRefusal stepper_ground(const StepperDef *def, const LayerStep *step, double x, double z, double place[3],
                           double normal[3]);

// The rotation of a foot on the ground.
versors stepper_foot_rotation(const StepperRestLeg *rest, const double normal[3], double yaw);

// How far feet are from their references, and which of them have escaped.
void stepper_measure(const StepperDef *def, Stepper *stepper, const StepperRoot *root);

// Time of a step, so short that all groups get their turn while a foot stands. s
double stepper_step_duration(const StepperDef *def, const Stepper *stepper, const StepperRoot *root);

// Legs: steps under way go on and land; then those begin whose turn it is.
void stepper_walk(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root);

// Body: goals from the feet, the springs on by dt, and the pose.
void stepper_react(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root);
void stepper_place_body(const StepperDef *def, const Stepper *stepper, const LayerStep *step, const StepperRoot *root);

// How far the body has to sink so that legs reach: by a spring early on, and at once where they would not.
void stepper_find_sink(const StepperDef *def, Stepper *stepper, const LayerStep *step);
void stepper_place_legs(const StepperDef *def, Stepper *stepper, const LayerStep *step);

#endif
