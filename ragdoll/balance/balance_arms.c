// Arms: in walking they swing against the legs. When a step in walking has to catch the body they go out to the sides:
// a fast swing leg would turn the trunk about the stance foot, whose friction is too weak to prevent it, and spread
// arms increase the trunk's inertia (people who trip use their arms so: Pijnappels, Kingma, Wezenberg, Reurink and van
// Dieen 2010, Exp. Brain Res. 201:689-699).
#include <math.h>

#include "ragdoll/balance/balance_internal.h"

static const double LARGEST_SWING = 0.7; // rad
static const double OUT_BY_SWING = 0.1;  // rad outward per rad of swing: hands pass the thighs without touching them
// Error of xi: up to CALM_ERROR (m) at speeds up to CALM_SPEED (m/s), and CALM_BY_SPEED (m per m/s) more above it, is
// quiet walking. The arms are fully spread at an error GREAT_ERROR (m) beyond that.
static const double CALM_ERROR = 0.1, CALM_SPEED = 1, CALM_BY_SPEED = 0.2, GREAT_ERROR = 0.15;
static const double SPREADING_TIME = 0.15; // s to spread the arms fully
static const double LOWERING_TIME = 1;     // s to lower the arms again

static void spread(Balancer *balance, double h) {
  double length = balance->body.length, time = balance->body.time;
  double fast = fmax(0, plane2_length(balance->speed) - CALM_SPEED * length / time);
  double gained = plane2_length(plane2_sub(balance->speed, balance->step_speed)); // in this step; xi follows by its end
  double calm = CALM_ERROR * length + CALM_BY_SPEED * time * fast + gained / balance->omega;
  bool walks = balance->walking && balance->mode == BALANCE_STEPPING;
  double off = walks ? plane2_length(balance->error) : 0;
  double wanted = fmax(0, fmin(1, (off - calm) / (GREAT_ERROR * length)));
  double up = h / (SPREADING_TIME * time), down = h / (LOWERING_TIME * time);
  balance->arms_spread += fmax(-down, fmin(up, wanted - balance->arms_spread));
}

void balance_move_arms(Balancer *balance, double share, double h, Pose *pose_w) {
  const BalanceBody *body = &balance->body;
  spread(balance, h);
  Plane2 apart =
      plane2_sub(plane2_of(balance->feet[BALANCE_LEFT].ankle), plane2_of(balance->feet[BALANCE_RIGHT].ankle));
  double ahead = plane2_turn(apart, -balance->heading).z / body->length;
  double angle = fmax(-LARGEST_SWING, fmin(LARGEST_SWING, share * balance->def.arm_swing * ahead));
  for (int i = 0; i < 2; i++) {
    if (body->arms[i] < 0)
      continue;
    double side = i == BALANCE_LEFT ? 1 : -1;
    double out = side * (balance->def.arm_spread * balance->arms_spread + OUT_BY_SWING * fabs(angle));
    versors swing = quat_about(0, side * angle), abduct = quat_about(2, out);
    versors *arm = &pose_w->rotation[body->arms[i]];
    *arm = glms_quat_mul(abduct, glms_quat_mul(swing, *arm));
  }
}
