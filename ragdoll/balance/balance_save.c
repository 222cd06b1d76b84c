// Saving and restoring the balance controller: its last measurements, and its state in standing or in a step.
#include "ragdoll/balance/balance.h"

static void foot_state(BalanceFoot *foot, StateStream *stream) {
  STATE(stream, foot->hip, foot->knee, foot->ankle, foot->sole, foot->yaw, foot->place, foot->loaded, foot->force,
        foot->lowest, foot->hangs);
}

static void sway_state(BalanceSway *sway, StateStream *stream) {
  state_rng(&sway->rng, stream);
  STATE(stream, sway->rambling.z, sway->rambling.x, sway->smooth.z, sway->smooth.x, sway->trembling.z,
        sway->trembling.x);
}

static void nerves_state(BalanceNerves *nerves, StateStream *stream) {
  state_int(stream, &nerves->count, 0, BALANCE_MOST_LATE);
  state_int(stream, &nerves->newest, 0, BALANCE_MOST_LATE - 1);
  for (int i = 0; i < nerves->count; i++) { // not yet full, they begin at 1
    BalanceSample *sample = &nerves->samples[(i + 1) % BALANCE_MOST_LATE];
    STATE(stream, sample->com.x, sample->com.z, sample->velocity.x, sample->velocity.z, sample->pressure.x,
          sample->pressure.z, sample->held.x, sample->held.z);
  }
}

static void noise_state(BalanceNoise *noise, StateStream *stream) {
  state_rng(&noise->rng, stream);
  state_finite(stream, noise->value, BALANCE_NOISES);
}

static void standing_state(Balancer *balance, StateStream *stream) {
  STATE(stream, balance->reference.z, balance->reference.x, balance->recovering, balance->settling, balance->staggered,
        balance->realigning_feet, balance->shift.z, balance->shift.x, balance->tilt, balance->arms_spread,
        balance->lean.z, balance->lean.x);
  state_int(stream, &balance->shifting_to_swing, -1, BALANCE_LEGS - 1);
  state_int(stream, &balance->to_lift, -1, BALANCE_LEGS - 1);
  STATE(stream, balance->lift_wanted);
  state_int(stream, &balance->last_swing, 0, BALANCE_LEGS - 1);
  sway_state(&balance->sway, stream);
}

static void stepping_state(Balancer *balance, StateStream *stream) {
  BalanceTrip *trip = &balance->trip;
  state_int(stream, &balance->swing, 0, BALANCE_LEGS - 1);
  STATE(stream, balance->step_time, balance->duration, balance->double_support, balance->rolled, balance->evenness,
        balance->step_start.z, balance->step_start.x, balance->step_speed.z, balance->step_speed.x, balance->error.z,
        balance->error.x, balance->landing.ankle, balance->landing.yaw, balance->landing.normal, balance->landing.hangs,
        balance->landing.sloped);
  STATE(stream, balance->swing_ankle, balance->swing_velocity, balance->lift_yaw, balance->swing_yaw,
        balance->swing_goal[0].raw, balance->swing_goal[1].raw, balance->has_swing_goal);
  STATE(stream, trip->caught, trip->time, trip->raising, trip->high_steps, trip->unseen, trip->place.z, trip->place.x);
  STATE(stream, balance->steps, balance->realigning_steps, balance->hip_height, balance->landed_pitch,
        balance->calmness, balance->trust, balance->trusted_velocity);
}

void balance_state(Balancer *balance, StateStream *stream) {
  state_section(stream, "balance", 10);
  STATE(stream, balance->com, balance->velocity, balance->ground_velocity, balance->omega, balance->held.z,
        balance->held.x, balance->xi.z, balance->xi.x, balance->margin, balance->pelvis.raw);
  for (int i = 0; i < BALANCE_LEGS; i++)
    foot_state(&balance->feet[i], stream);
  nerves_state(&balance->nerves, stream);
  noise_state(&balance->noise, stream);
  STATE_CHOICE(stream, balance->mode, BALANCE_STEPPING + 1);
  STATE(stream, balance->mode_time, balance->heading, balance->turn_rate, balance->speed.z, balance->speed.x,
        balance->speed_excess.z, balance->speed_excess.x, balance->walking, balance->wanted_to_step);
  standing_state(balance, stream);
  stepping_state(balance, stream);
}
