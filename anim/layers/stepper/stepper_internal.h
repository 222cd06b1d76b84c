// Declarations shared by the stepper's files: the parts of its step.
#ifndef STAGGER_ANIM_LAYERS_STEPPER_STEPPER_INTERNAL_H
#define STAGGER_ANIM_LAYERS_STEPPER_STEPPER_INTERNAL_H

#include "anim/layers/stepper/stepper.h"
#include "sim/base/plane2.h"

typedef struct Heading {
  double angle, sine, cosine; // rad about up
} Heading;

// The root over the ground. Horizontal vectors are {x to the left, z forward} of a heading, or {x, z} of the world.
typedef struct StepperRoot {
  double position[3], velocity[2]; // world: m; x, z in m/s
  Heading heading;
  double turn_rate, speed;
  Heading lead;         // direction of feet that land now: ahead of the heading in a turn
  double step_duration; // s: of steps that begin now
} StepperRoot;

StepperRoot stepper_root(const StepperDef *def, const Stepper *stepper, const LayerStep *step);

Heading stepper_heading(double angle);

// Converts a horizontal vector from a heading's frame to the world, and back.
static inline void level_to_world(Heading heading, const double level[2], double world[2]) {
  turn_level_by(heading.sine, heading.cosine, level, world);
}

static inline void level_from_world(Heading heading, const double world[2], double level[2]) {
  turn_level_by(-heading.sine, heading.cosine, world, level);
}

// Horizontal offset from the reference to the foot, world frame.
void stepper_foot_offset(const StepperFoot *foot, double offset[2]);

// Velocity of a leg's reference over the ground: horizontal, world frame.
void stepper_reference_velocity(const Stepper *stepper, const StepperRoot *root, int leg, double velocity[2]);

// Finds where the foot will land in `time_left` s: sets foot->landing, normal, landing_yaw, refusal.
void stepper_find_landing(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root,
                          int leg, double time_left);

// Horizontal offset of landing points from the reference, in the body's frame.
void stepper_landing_offset(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg,
                            double offset[2]);

// Finds the ground for a foot at x, z. If none supports it, returns the reason and leaves place and normal unchanged.
FootRefusal stepper_ground(const StepperDef *def, const LayerStep *step, double x, double z, double place[3],
                           double normal[3]);

// The rotation of a foot on the ground.
versors stepper_foot_rotation(const StepperRestLeg *rest, const double normal[3], double yaw);

// Computes the distances of feet from their references, and which feet have escaped.
void stepper_measure(const StepperDef *def, Stepper *stepper, const StepperRoot *root);

// Duration of a step in s, short enough for all groups to have their turn while a foot stands.
double stepper_step_duration(const StepperDef *def, const Stepper *stepper, const StepperRoot *root);

// Legs: continues the present steps and lands feet; then the legs whose turn it is begin to step.
void stepper_walk(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root);

// Body: computes goals from the feet, advances the springs by dt, and writes the pose.
void stepper_react(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root);
void stepper_place_body(const StepperDef *def, const Stepper *stepper, const LayerStep *step, const StepperRoot *root);

// How far the body must be lowered so that legs reach: smoothly by a spring, and at once where they would not reach.
void stepper_find_sink(const StepperDef *def, Stepper *stepper, const LayerStep *step);
void stepper_place_legs(const StepperDef *def, Stepper *stepper, const LayerStep *step);

#endif
