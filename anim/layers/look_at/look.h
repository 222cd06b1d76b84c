// Gaze: turns neck and head of a pose toward a direction, relative to the animation.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_H

#include "anim/pose.h"
#include "sim/base/debug_draw.h"
#include "sim/base/state.h"

enum { LOOK_MAX_JOINTS = 2 };

typedef struct Look {
  int chain[LOOK_MAX_JOINTS], count;   // joints "neck" and "head", if the skeleton has them
  double goal_yaw, goal_pitch;         // rad relative to the heading: positive left, positive up
  double yaw, pitch;                   // rad: present gaze
  double yaw_velocity, pitch_velocity; // rad/s
} Look;

// Finds the chain and starts straight ahead, at rest. Without neck and head nothing is ever turned.
void look_init(Look *look, const Skeleton *skeleton);

// The angles follow their goals like a critically damped spring.
void look_step(Look *look, double dt);

// The rotation, without roll, that takes forward (+Z) to a direction. rad.
versors look_rotation(double yaw, double pitch);

// Turns the chain in equal shares. The pose must be in a frame that faces along the heading. For a gaze straight ahead
// the pose is unchanged to the bit.
void look_apply(const Look *look, const Skeleton *skeleton, Pose *pose_m);

// Draws, in group DEBUG_LOOK, the goal of the gaze 2 m from the eyes and, thinner, the present gaze. heading: rad about
// up.
void look_debug(const Look *look, vec3s eyes_w, double heading, DebugDraw *draw);

// Saves or restores.
void look_state(Look *look, StateStream *stream);

#endif
