// Keeps planted feet of the shown pose at their places while the share of physics changes, and releases them when they
// are lifted.
#include "ragdoll/shown/foot_lock.h"

#include <math.h>
#include <string.h>

#include "anim/ik.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// Damping time, s, with which a lifted foot moves to its place in the blend.
static const double LETTING_GO = 0.08; // s

// Time, s, in which a foot that lands with a speed comes to rest.
static const double STOPPING = 0.012; // s

// A planted foot's error of height and tilt decays with this time, at a limited angular velocity, because a struck foot
// may land far from level.
static const double SETTLING = 0.08;    // s
static const double FASTEST_TURN = 1.2; // rad/s

// Largest speed relative to the blend of a released foot: a blow that moves the blend should not throw the foot.
static const double FASTEST_SHIFT = 0.5; // m/s

// Time, s, over which a foot's offset from the blend and its rate are smoothed: a struck body may jolt in the very step
// in which the foot is released.
static const double JOLT = 0.015; // s

// A foot of the body that is farther than this from the animation's does not stand where the animation has it.
static const float LOST_FOOT = 0.04f;                        // m
static const float LARGEST_TURN = 7 * (float)RAD_PER_DEGREE; // of a planted foot beside the blend

// Longest leg, as a share of its length, to which a foot's place may stretch it: closer to 1 the knee would snap.
static const float LONGEST = 0.99f;
static const float LEAST_GIVE = 0.003f; // m

// Largest angular velocity of the shown knee relative to that of the blend. It is needed near a straight knee, which
// turns by 5 deg for a millimetre.
static const double FASTEST_BEND = 1.5; // rad/s

// A lifted foot closer than this to its place in the blend has arrived. A standing foot has no such limit: it would
// creep.
static const double NEAR_SHIFT = 1e-4, NEAR_TURN = 1e-3;  // m, rad
static const float SAME_SHIFT = 1e-6f, SAME_TURN = 1e-6f; // m, rad

void foot_lock_init(FootLock *foot_lock) {
  for (int i = 0; i < SKELETON_MAX_LEGS; i++) {
    foot_lock->shown[i] = (FootOffset){GLMS_VEC3_ZERO, glms_quat_identity()};
    foot_lock->rest[i] = (FootRelease){0};
    foot_lock->active[i] = false;
  }
  foot_lock->passes = foot_lock->newest = 0;
}

static versors turn_between(versors from, versors to) { return glms_quat_mul(to, glms_quat_conjugate(from)); }

// The part of a turn that is about up.
static versors level_part(versors turn) {
  float length = hypotf(turn.y, turn.w);
  return length > 0 ? (versors){{0, turn.y / length, 0, turn.w / length}} : glms_quat_identity();
}

// m: how much higher the ground is under a shifted foot.
static float ground_rise(const Ground *ground, vec3s foot_w, vec3s shift_w) {
  double here, there, from = (double)foot_w.y + GROUND_OVER_SOLE;
  vec3s shifted = glms_vec3_add(foot_w, shift_w);
  if (!ground->height(ground->context, (double)foot_w.x, (double)foot_w.z, from, &here, NULL) ||
      !ground->height(ground->context, (double)shifted.x, (double)shifted.z, from, &there, NULL))
    return shift_w.y;
  return (float)(there - here);
}

// m: the shift of the ankle that keeps the lower end of a sole in its place as the foot turns.
static vec3s pivot_shift(const Leg *leg, versors target_w, versors turn_before, versors turn_now) {
  const versors before = glms_quat_mul(turn_before, target_w), now = glms_quat_mul(turn_now, target_w);
  const vec3s heel = glms_quat_rotatev(now, leg->heel_l), toe = glms_quat_rotatev(now, leg->toe_l);
  const bool on_heel = heel.y < toe.y;
  return glms_vec3_sub(glms_quat_rotatev(before, on_heel ? leg->heel_l : leg->toe_l), on_heel ? heel : toe);
}

// The rotation of a standing foot: its tilt settles to that of the blend, and it keeps its heading, unless the body's
// own foot pivots.
static versors hold_turn(versors turn_w, versors mixed_w, double dt) {
  const float share = (float)(1 - exp(-dt / SETTLING)), most = (float)(FASTEST_TURN * dt);
  const versors tilt = turn_between(level_part(mixed_w), mixed_w);
  const versors wanted = glms_quat_mul(tilt, level_part(turn_w));
  const float angle = quat_angle_between(turn_w, wanted);
  turn_w = quat_slerp(turn_w, wanted, share * angle > most ? most / angle : share);
  const float beside = quat_angle_between(turn_w, mixed_w);
  return beside > LARGEST_TURN ? quat_slerp(turn_w, mixed_w, fminf(beside - LARGEST_TURN, most) / beside) : turn_w;
}

// Keeps the foot at its place over the ground, and settles its height and tilt to those of the blend.
static void hold_foot(FootOffset *foot, FootRelease *rest, const Ground *ground, const Leg *leg,
                      const ModelPose *target, const FootOffset *mixed, double dt) {
  const vec3s target_w = target->position[leg->ankle];
  const versors turned_w = foot->turn_w;
  float share = (float)(1 - exp(-dt / SETTLING));
  rest->slide_w = glms_vec3_scale(rest->slide_w, (float)exp(-dt / STOPPING));
  foot->shift_w.x += rest->slide_w.x * (float)dt;
  foot->shift_w.z += rest->slide_w.z * (float)dt;
  const vec3s mixed_w = glms_vec3_add(target_w, mixed->shift_w);
  const vec3s beside = glms_vec3_sub(foot->shift_w, mixed->shift_w);
  foot->shift_w.y += share * (mixed->shift_w.y + ground_rise(ground, mixed_w, beside) - foot->shift_w.y);
  foot->turn_w = rest->turns ? mixed->turn_w : hold_turn(foot->turn_w, mixed->turn_w, dt);
  const vec3s slid = pivot_shift(leg, target->rotation[leg->ankle], turned_w, foot->turn_w);
  foot->shift_w.x += slid.x;
  foot->shift_w.z += slid.z;
}

// A filter with fading memory (alpha-beta; Morrison 1969): steady motion has no lag, a jolt of one step has little
// effect.
static void follow(double value[3], double velocity[3], vec3s now, double dt) {
  const double fade = exp(-dt / JOLT);
  for (int k = 0; k < 3; k++) {
    double guess = value[k] + velocity[k] * dt, beyond = (double)now.raw[k] - guess;
    value[k] = guess + (1 - fade * fade) * beyond;
    velocity[k] += (1 - fade) * (1 - fade) * beyond / dt;
  }
}

static void limit_speed(double velocity[3], double most) {
  double speed = length3(velocity);
  for (int k = 0; k < 3 && speed > most; k++)
    velocity[k] *= most / speed;
}

// Whether a released foot has no offset from the blend any more.
static bool is_at_rest(const FootRelease *rest) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += fabs(rest->shift[k]) + fabs(rest->shift_velocity[k]) + fabs(rest->turn[k]) + fabs(rest->turn_velocity[k]);
  return sum == 0;
}

// Moves with the blend; the offset from it fades, starting at its present velocity: a blow to a leg shows at once.
static void release_foot(FootOffset *foot, FootRelease *rest, const FootOffset *mixed, double dt) {
  if (is_at_rest(rest)) {
    *foot = *mixed;
    return;
  }
  const SpringStep spring = spring_over(LETTING_GO, dt);
  if (rest->held) {
    limit_speed(rest->shift_velocity, FASTEST_SHIFT);
    limit_speed(rest->turn_velocity, FASTEST_TURN);
  }
  for (int k = 0; k < 3; k++) {
    spring_apply(&spring, &rest->shift[k], &rest->shift_velocity[k], 0);
    spring_apply(&spring, &rest->turn[k], &rest->turn_velocity[k], 0);
  }
  foot->shift_w = glms_vec3_add(mixed->shift_w, vec3_from_ode(rest->shift));
  foot->turn_w = glms_quat_mul(quat_exp(vec3_from_ode(rest->turn)), mixed->turn_w);
}

// Where the ankle may be: farther from the hip than the blend has it only as far as the leg gives.
static vec3s within_reach(const Skeleton *skeleton, const Leg *leg, const ModelPose *mixed, vec3s ankle) {
  vec3s hip = mixed->position[leg->hip], way = glms_vec3_sub(ankle, hip);
  float now = glms_vec3_distance(mixed->position[leg->ankle], hip), wanted = glms_vec3_norm(way);
  float give = fmaxf(LEAST_GIVE, LONGEST * skeleton_leg_length(skeleton, leg) - now);
  if (wanted <= now)
    return ankle;
  return glms_vec3_add(hip, glms_vec3_scale(way, (now + give * (1 - expf((now - wanted) / give))) / wanted));
}

// Angle between thigh and shin of a leg whose ankle is so far from its hip, rad: 0 when it is straight.
static float bend_at(float thigh, float shin, float distance) {
  float cosine = (distance * distance - thigh * thigh - shin * shin) / (2 * thigh * shin);
  return (float)angle_of_cosine((double)cosine);
}

// The ankle's place, nearer or farther along its line from the hip so that the knee does not turn too fast.
static vec3s bend_softly(const Skeleton *skeleton, const Leg *leg, const ModelPose *mixed, FootRelease *rest, double dt,
                         vec3s ankle) {
  float thigh = glms_vec3_norm(skeleton->bind_position_l[leg->knee]);
  float shin = glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
  vec3s hip = mixed->position[leg->hip], way = glms_vec3_sub(ankle, hip);
  float wanted = glms_vec3_norm(way);
  double mix = (double)bend_at(thigh, shin, glms_vec3_distance(mixed->position[leg->ankle], hip));
  double bend = (double)bend_at(thigh, shin, wanted) - mix, most = FASTEST_BEND * dt;
  if (fabs(bend - rest->bend) <= most) {
    rest->bend = bend;
    return ankle;
  }
  rest->bend = fmax(rest->bend - most, fmin(bend, rest->bend + most));
  float knee = (float)fmax(0, mix + rest->bend);
  float distance = sqrtf(thigh * thigh + shin * shin + 2 * thigh * shin * cosf(knee));
  return glms_vec3_add(hip, glms_vec3_scale(way, distance / wanted));
}

static void place_feet(FootLock *foot_lock, const Skeleton *skeleton, const Ground *ground, const Pose *target_w,
                       const bool standing[], const bool turns[], double dt, Pose *output_w) {
  ModelPose target, output;
  pose_legs_to_model(skeleton, target_w, &target);
  if (pose_is_same(target_w, output_w)) // nothing but the animation is shown
    output = target;
  else
    pose_legs_to_model(skeleton, output_w, &output);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    FootOffset *foot = &foot_lock->shown[i];
    FootRelease *rest = &foot_lock->rest[i];
    vec3s animated = target.position[leg->ankle];
    const FootOffset mixed = {glms_vec3_sub(output.position[leg->ankle], animated),
                              turn_between(target.rotation[leg->ankle], output.rotation[leg->ankle])};
    const vec3s before = foot->shift_w;
    const bool held = standing[i] && glms_vec3_distance(foot->shift_w, mixed.shift_w) < LOST_FOOT;
    if (held) {
      if (!rest->held)
        rest->turns = turns[i] && !foot_lock->active[i];
      hold_foot(foot, rest, ground, leg, &target, &mixed, dt);
      vec3s shift = glms_vec3_sub(foot->shift_w, mixed.shift_w);
      vec3s turn = quat_log(turn_between(mixed.turn_w, foot->turn_w));
      follow(rest->shift, rest->shift_velocity, shift, dt);
      follow(rest->turn, rest->turn_velocity, turn, dt);
      foot_lock->active[i] = glms_vec3_norm(shift) >= SAME_SHIFT || glms_vec3_norm(turn) >= SAME_TURN;
    } else {
      release_foot(foot, rest, &mixed, dt);
      foot_lock->active[i] = length3(rest->shift) >= NEAR_SHIFT || length3(rest->turn) >= NEAR_TURN;
    }
    if (foot_lock->active[i]) {
      vec3s ankle = within_reach(skeleton, leg, &output, glms_vec3_add(animated, foot->shift_w));
      ankle = bend_softly(skeleton, leg, &output, rest, dt, ankle);
      leg_reach(skeleton, leg, ankle, glms_quat_mul(foot->turn_w, target.rotation[leg->ankle]), output_w);
    } else if (!held) {
      *foot = mixed;
      *rest = (FootRelease){0};
    }
    rest->held = held;
    if (!held)
      rest->slide_w = glms_vec3_scale(glms_vec3_sub(foot->shift_w, before), (float)(1 / dt));
  }
}

// Whether no foot is held, nor goes back to its place in the blend, nor will be held.
static bool is_passed(const FootLock *foot_lock, int legs, const bool standing[]) {
  for (int i = 0; i < legs; i++)
    if (standing[i] || foot_lock->rest[i].held || foot_lock->active[i])
      return false;
  return true;
}

// In such a step nothing but the feet's offsets and their rates change, which depend on it and the step before alone:
// they are found when they are needed, from these two.
static void pass(FootLock *foot_lock, const Pose *target_w, const Pose *output_w, double dt) {
  foot_lock->newest = 1 - foot_lock->newest;
  foot_lock->passes += foot_lock->passes < 2;
  FootPass *passed = &foot_lock->passed[foot_lock->newest];
  pose_copy(target_w, &passed->target_w);
  pose_copy(output_w, &passed->output_w);
  passed->dt = dt;
}

static void catch_up(FootLock *foot_lock, const Skeleton *skeleton) {
  const bool standing[SKELETON_MAX_LEGS] = {false};
  for (; foot_lock->passes > 0; foot_lock->passes--) {
    const int newest = foot_lock->newest;
    FootPass *passed = &foot_lock->passed[foot_lock->passes == 2 ? 1 - newest : newest];
    place_feet(foot_lock, skeleton, NULL, &passed->target_w, standing, standing, passed->dt, &passed->output_w);
  }
}

void foot_lock_apply(FootLock *foot_lock, const Skeleton *skeleton, const Ground *ground, const Pose *target_w,
                     const bool standing[], const bool turns[], double dt, Pose *output_w) {
  if (is_passed(foot_lock, skeleton->leg_count, standing)) {
    pass(foot_lock, target_w, output_w, dt);
    return;
  }
  catch_up(foot_lock, skeleton);
  place_feet(foot_lock, skeleton, ground, target_w, standing, turns, dt, output_w);
}

static bool holds_any(const FootLock *foot_lock, int legs) {
  for (int i = 0; i < legs; i++)
    if (foot_lock->rest[i].held)
      return true;
  return false;
}

void foot_lock_rebase(FootLock *foot_lock, const Skeleton *skeleton, const Pose *target_w, const RootRebase *rebase) {
  if ((rebase->turn == 0 && rebase->shift[0] == 0 && rebase->shift[2] == 0) ||
      !holds_any(foot_lock, skeleton->leg_count))
    return;
  ModelPose target;
  pose_legs_to_model(skeleton, target_w, &target);
  const versors back = glms_quat(-(float)rebase->turn, 0, 1, 0);
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootOffset *foot = &foot_lock->shown[i];
    if (!foot_lock->rest[i].held)
      continue;
    const vec3s moved = {{(float)rebase->shift[0], 0, (float)rebase->shift[2]}};
    const vec3s pivot = vec3_from_ode(rebase->pivot), now = target.position[skeleton->legs[i].ankle];
    const vec3s arm = glms_vec3_sub(glms_vec3_sub(now, moved), pivot);
    const vec3s before = glms_vec3_add(pivot, glms_quat_rotatev(back, arm));
    foot->shift_w = glms_vec3_add(foot->shift_w, glms_vec3_sub(before, now));
    foot->turn_w = glms_quat_mul(foot->turn_w, back);
  }
}

void foot_lock_state(FootLock *foot_lock, const Skeleton *skeleton, StateStream *stream) {
  if (!state_restores(stream))
    catch_up(foot_lock, skeleton);
  foot_lock->passes = 0;
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootOffset *shown = &foot_lock->shown[i];
    FootRelease *rest = &foot_lock->rest[i];
    STATE(stream, shown->shift_w.raw, shown->turn_w.raw, foot_lock->active[i], rest->slide_w.raw, rest->shift,
          rest->shift_velocity, rest->turn, rest->turn_velocity, rest->held, rest->turns, rest->bend);
  }
}
