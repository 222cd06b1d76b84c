// Looking: turns neck and head of a pose toward a direction, on top of what the animation does with them.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_H

#include "anim/pose.h"
#include "sim/base/debug_draw.h"
#include "sim/base/state.h"

enum { LOOK_MAX_JOINTS = 2 };

typedef struct Look {
  int chain[LOOK_MAX_JOINTS], count;   // joints "neck" and "head", as far as the skeleton has them
  double goal_yaw, goal_pitch;         // rad against the heading: positive left, positive up
  double yaw, pitch;                   // rad: where it looks now
  double yaw_velocity, pitch_velocity; // rad/s
} Look;

// Finds the chain. Looks straight ahead, at rest; without neck and head it never turns anything.
void look_init(Look *look, const Skeleton *skeleton);

// The angles follow their goals like a critically damped spring.
void look_step(Look *look, double dt);

// The turn that takes forward (+Z) to a direction, without roll. rad.
versors look_rotation(double yaw, double pitch);

// Turns the chain in equal shares; of a pose whose root is at rest in a frame that faces along the heading. A look
// straight ahead leaves the pose alone, bit for bit.
void look_apply(const Look *look, const Skeleton *skeleton, Pose *pose_m);

// Draws, in group DEBUG_LOOK, the goal of the gaze 2 m from the eyes and, thinner, where it looks now. heading: rad
// about up.
void look_debug(const Look *look, vec3s eyes_w, double heading, DebugDraw *draw);

// Saves or restores.
void look_state(Look *look, StateStream *stream);

#endif
