// What the controller takes from the animation while the character stands: the shift of weight over the feet and the
// tilt of the pelvis. Arms, head and the bend of the spine come from the animation's pose directly.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/world/convert.h"

static const double TILT_TIME = 0.3;                         // s in which the pelvis follows
static const double FASTEST_BEND = 1.0;                      // rad/s of each joint of the spine
static const double LARGEST_TILT = 0.2, LARGEST_TWIST = 0.2; // rad
// m ahead of the middle; share of half the distance between the soles. At 1 one leg would carry all the weight.
static const double LARGEST_AHEAD = 0.05, LARGEST_SIDE = 0.8;

void balance_read_animation(const Balancer *balance, const Ragdoll *ragdoll, const Pose *animation_m,
                            BalanceCommand *command) {
  command->shift = plane2_sub(balance_pose_shift(&balance->body, ragdoll, animation_m), balance->body.rest_shift);
  command->tilt = quat_log(animation_m->rotation[0]);
}

static double limit(double value, double most) { return fmax(-most, fmin(most, value)); }

void balance_follow_animation(Balancer *balance, const BalanceCommand *command, double h) {
  const BalanceBody *body = &balance->body;
  bool stands = balance->mode == BALANCE_STANDING && !balance_steps_on_purpose(balance);
  Plane2 apart = plane2_sub(plane2_of(balance->feet[0].sole), plane2_of(balance->feet[1].sole));
  double side = LARGEST_SIDE * plane2_length(apart) / 2;
  balance->shift = stands ? plane2_clamp(command->shift, side, LARGEST_AHEAD * body->length) : (Plane2){.x = 0, .z = 0};
  const double wanted[3] = {limit((double)command->tilt.x, LARGEST_TILT), limit((double)command->tilt.y, LARGEST_TWIST),
                            limit((double)command->tilt.z, LARGEST_TILT)};
  double share = fmin(1, h / (TILT_TIME * body->time));
  for (int i = 0; i < 3; i++)
    balance->tilt[i] += share * ((stands ? wanted[i] : 0) - balance->tilt[i]);
}

void balance_calm_spine(const Balancer *balance, Pose *pose_w, const Pose *previous_w, double h) {
  double most = FASTEST_BEND / balance->body.time * h;
  for (int i = 0; i < balance->body.spine_count; i++) {
    int joint = balance->body.spine[i];
    versors from = previous_w->rotation[joint], to = pose_w->rotation[joint];
    double angle = (double)quat_angle_between(from, to);
    if (angle > most)
      pose_w->rotation[joint] = quat_slerp(from, to, (float)(most / angle));
  }
}
