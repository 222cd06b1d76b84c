// Advances the root, the gait with its phase, and the feet: which foot stands, which swings, and where it will land.
#include <math.h>
#include <string.h>

#include "anim/layers/biped/biped_internal.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

static const double STILL_SPEED = 0.05, STILL_TURN = 0.05; // m/s, rad/s: below both the body stops
static const double SET_OUT_SPEED = 0.08, SET_OUT_TURN = 0.1;
// Distance to its rest position at which a foot is in place, and at which a standing foot steps again.
static const double IN_PLACE = 0.015, OUT_OF_PLACE = 0.05; // m
static const double IN_TURN = 4 * RAD_PER_DEGREE, OUT_OF_TURN = 12 * RAD_PER_DEGREE;
static const double AT_REST = 1e-6;            // m/s
static const double STOPPING = 0.4;            // s: if the body stops sooner, the last steps are faster
static const double FLAT = 3 * RAD_PER_DEGREE; // rad of pitch at which a foot may stay
static const double SETTLING_CADENCE = 2.6;    // steps/s: both feet are in place within 1 s
static const double CADENCE_DAMP = 0.1, RUN_DAMP = 0.2, TURN_DAMP = 0.1; // s
static const double LEAST_STANCE = 0.2;                                  // of the cycle
static const double LEAST_GAP = 0.7;                 // of the distance of resting feet: least distance of landing feet
static const double TURN_LEAD = 30 * RAD_PER_DEGREE; // rad: largest turn of landing feet ahead of the body
static const double FOOT_SPEED = 3, FOOT_SPEED_MORE = 1.5; // fastest foot: factor of the body's speed, and m/s added
static const double LANDED = 1e-9, LAST_PROGRESS = 1e-3, LAST_HEIGHT = 1e-3; // shares of a swing's progress, m: below
                                                                             // these differences a swing is over
static const double GAP_FADE = 0.5, RATE_FADE = 0.3; // shares of a swing over which the initial differences of pitch
                                                     // and pitch rate fade out

double biped_foot_phase(double hip_phase, double offset) {
  double phase = 0.5 * hip_phase + offset;
  phase -= floor(phase);
  return phase < 1 ? phase : 0;
}

// ---- Root ----

static void follow_root(const BipedDef *def, Biped *biped, const LayerStep *step) {
  for (int k = 0; k < 2; k++)
    spring_follow(&biped->velocity[k], step->root_velocity[2 * k], def->velocity_damp, step->dt);
  const double acceleration[2] = {biped->velocity[0].velocity, biped->velocity[1].velocity};
  double size = length_2d(acceleration), limit = def->lean_limit * RAD_PER_DEGREE;
  double angle = fmin(def->lean * atan(size / BIPED_GRAVITY), limit);
  for (int k = 0; k < 2; k++)
    spring_follow(&biped->lean[k], size > 0 ? angle * acceleration[k] / size : 0, def->lean_damp, step->dt);
}

static BipedGait find_gait(const BipedDef *def, const Biped *biped, const LayerStep *step) {
  const double velocity[2] = {biped->velocity[0].value, biped->velocity[1].value};
  double level[2];
  turn_level(-step->heading, velocity, level);
  return biped_gait(def, level, biped->turning.value, biped->running.value);
}

static void choose_gait(const BipedDef *def, Biped *biped, const LayerStep *step) {
  const double velocity[2] = {biped->velocity[0].value, biped->velocity[1].value};
  double level[2];
  turn_level(-step->heading, velocity, level);
  double change = sqrt(def->froude * BIPED_GRAVITY * (def->leg_length + def->ankle_height));
  biped->runs = level[1] > change * (1 + (biped->runs ? -1 : 1) * def->hysteresis);
  spring_follow(&biped->running, biped->runs, RUN_DAMP, step->dt);
  spring_follow(&biped->turning, step->turn_rate, TURN_DAMP, step->dt);
  biped->gait = find_gait(def, biped, step);
}

static bool is_still(const LayerStep *step) {
  return hypot(step->root_velocity[0], step->root_velocity[2]) < STILL_SPEED && fabs(step->turn_rate) < STILL_TURN;
}

double biped_most_speed(const LayerStep *step) {
  return FOOT_SPEED * hypot(step->root_velocity[0], step->root_velocity[2]) + FOOT_SPEED_MORE;
}

// ---- Places ----

void biped_rest(const BipedDef *def, const BipedGait *gait, int leg, const double position[3], double heading,
                double rest[2]) {
  const double *bind = def->legs[leg].rest, level[2] = {bind[0] * gait->narrow, bind[1]};
  turn_level(heading, level, rest);
  rest[0] += position[0];
  rest[1] += position[2];
}

static double rest_yaw(const BipedDef *def, const BipedGait *gait, int leg, double heading) {
  const BipedLeg *l = &def->legs[leg];
  return heading + l->yaw + l->side * def->toe_out * RAD_PER_DEGREE * gait->moving;
}

static void off_rest(const BipedDef *def, const Biped *biped, const LayerStep *step, int leg, double *away,
                     double *turned) {
  const BipedFoot *foot = &biped->feet[leg];
  double rest[2];
  biped_rest(def, &biped->gait, leg, step->root_position, step->heading, rest);
  *away = hypot(foot->place[0] - rest[0], foot->place[1] - rest[1]);
  *turned = fabs(wrap_angle(foot->yaw - rest_yaw(def, &biped->gait, leg, step->heading)));
}

static bool is_in_place(const BipedDef *def, const Biped *biped, const LayerStep *step, int leg, double most_away,
                        double most_turned) {
  double away, turned;
  off_rest(def, biped, step, leg, &away, &turned);
  return away <= most_away && turned <= most_turned;
}

// Time in s until the root is at rest at its present deceleration; infinite when it does not brake.
static double time_to_rest(const Biped *biped, const LayerStep *step) {
  const double v[2] = {step->root_velocity[0], step->root_velocity[2]};
  double against = -(v[0] * biped->velocity[0].velocity + v[1] * biped->velocity[1].velocity);
  return against > 0 ? (v[0] * v[0] + v[1] * v[1]) / against : INFINITY;
}

// Predicted position of the root: it keeps braking as now until it is at rest. An acceleration is not extrapolated,
// since its duration is unknown.
static void predict_root(const Biped *biped, const LayerStep *step, double time, double position[3]) {
  double rest = time_to_rest(biped, step), braking = isfinite(rest) ? fmin(time, rest) : 0;
  for (int k = 0; k < 2; k++) {
    double v = step->root_velocity[2 * k], later = v + biped->velocity[k].velocity * braking;
    position[2 * k] = step->root_position[2 * k] + 0.5 * (v + later) * braking + later * (time - braking);
  }
  position[1] = step->root_position[1];
}

// Keeps a landing foot on its own side of the other one.
static void keep_apart(const BipedDef *def, const Biped *biped, int leg, double heading, double landing[2]) {
  const BipedFoot *other = &biped->feet[1 - leg];
  const double *stand = other->swinging ? other->landing : other->place;
  const double offset[2] = {landing[0] - stand[0], landing[1] - stand[1]};
  double level[2], side = def->legs[leg].side, rest = fabs(def->legs[0].rest[0] - def->legs[1].rest[0]);
  turn_level(-heading, offset, level);
  double missing = LEAST_GAP * rest * biped->gait.narrow - side * level[0];
  if (missing <= 0)
    return;
  const double push[2] = {side * missing, 0};
  double world[2];
  turn_level(heading, push, world);
  landing[0] += world[0];
  landing[1] += world[1];
}

// Share of its velocity that the root will have after `time` s if it keeps braking.
static double velocity_left(const Biped *biped, const LayerStep *step, double time) {
  if (hypot(step->root_velocity[0], step->root_velocity[2]) < AT_REST)
    return 0;
  return fmax(1 - fmax(time, 0) / time_to_rest(biped, step), 0);
}

static void find_landing(const BipedDef *def, Biped *biped, const LayerStep *step, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  BipedGait gait = biped->gait; // the gait at the time of landing
  double position[3], time = foot->time_left, left = velocity_left(biped, step, time);
  gait.narrow = mix_d(1, gait.narrow, left);
  gait.moving *= left;
  predict_root(biped, step, time, position);
  double heading = step->heading + step->turn_rate * time;
  biped_rest(def, &gait, leg, position, heading, foot->landing);
  for (int k = 0; k < 2; k++)
    foot->landing[k] += gait.lead * left * biped->velocity[k].value;
  keep_apart(def, biped, leg, heading, foot->landing);
  double turned = 0.5 * step->turn_rate * gait.duty * 2 / gait.cadence; // rad, in half a stance
  foot->landing_yaw = rest_yaw(def, &gait, leg, heading + fmin(fmax(turned, -TURN_LEAD), TURN_LEAD));
}

// ---- Swing ----

void biped_lift_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double lift_phase,
                     double land_phase) {
  BipedFoot *foot = &biped->feet[leg];
  const BipedGait *gait = &biped->gait;
  foot->swinging = true;
  foot->progress = foot->lift = 0;
  foot->lift_phase = lift_phase;
  foot->land_phase = land_phase;
  foot->from_yaw = foot->yaw;
  foot->height = gait->step_height;
  for (int k = 0; k < 2; k++)
    foot->from[k] = foot->place[k];
  if (def->swing == BIPED_SWING_PUBLISHED) {
    const double offset[2] = {foot->place[0] - step->root_position[0], foot->place[1] - step->root_position[2]};
    turn_level(-step->heading, offset, foot->from);
    foot->from_yaw -= step->heading;
  }
  double duration = fmax((land_phase - foot->lift_phase) * 2 / gait->cadence, 0.05);
  foot->pitch_gap = foot->shown_pitch - biped_swing_pitch(gait, 0);
  foot->pitch_gap_rate = foot->pitch_rate * duration - biped_swing_pitch_slope(gait, 0);
}

// The published path: from lift-off, moving along with the body's frame, to where the foot would land now.
static void swing_in_body(Biped *biped, const LayerStep *step, int leg, double way) {
  BipedFoot *foot = &biped->feet[leg];
  double from[2];
  turn_level(step->heading, foot->from, from);
  foot->place[0] = mix_d(step->root_position[0] + from[0], foot->landing[0], way);
  foot->place[1] = mix_d(step->root_position[2] + from[1], foot->landing[1], way);
  double from_yaw = foot->from_yaw + step->heading;
  foot->yaw = from_yaw + way * wrap_angle(foot->landing_yaw - from_yaw);
}

// The remaining path shrinks with the progress: for a fixed landing point this gives the path from lift-off; a moving
// one is followed smoothly. Moves no farther than `most`, m.
static void swing_in_world(BipedFoot *foot, double way_before, double way, double most) {
  double share = way_before < 1 ? fmin((way - way_before) / (1 - way_before), 1) : 1;
  double move[2] = {share * (foot->landing[0] - foot->place[0]), share * (foot->landing[1] - foot->place[1])};
  double length = length_2d(move), cut = length > most ? most / length : 1;
  foot->place[0] += cut * move[0];
  foot->place[1] += cut * move[1];
  foot->yaw += share * wrap_angle(foot->landing_yaw - foot->yaw);
}

// Moves the foot to its place at a progress. most: m, limit of the motion.
static void swing_to(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double progress, double most) {
  const BipedGait *gait = &biped->gait;
  BipedFoot *foot = &biped->feet[leg];
  BipedSwingKind kind = (BipedSwingKind)def->swing;
  BipedSwing before = biped_swing(kind, def->stompiness, gait->running, foot->progress);
  BipedSwing now = biped_swing(kind, def->stompiness, gait->running, progress);
  foot->progress = progress;
  if (kind == BIPED_SWING_PUBLISHED)
    swing_in_body(biped, step, leg, now.way);
  else
    swing_in_world(foot, before.way, now.way, most);
  foot->lift = fmax(now.lift, 0) * foot->height;
  double late = fmin(progress / RATE_FADE, 1);
  double fading = foot->pitch_gap * (1 - smooth_step(progress / GAP_FADE));
  fading += foot->pitch_gap_rate * progress * (1 - late) * (1 - late);
  foot->pitch = biped_swing_pitch(gait, progress) + fading;
}

// Distance in m that any point of the sole moved, at most.
static double way_gone(const BipedLeg *leg, const BipedFoot *before, const BipedFoot *now) {
  double level = hypot(now->place[0] - before->place[0], now->place[1] - before->place[1]);
  double arm = (double)glms_vec3_norm(glms_vec3_sub(leg->toe, leg->sole));
  return hypot(level, fabs(now->lift - before->lift) + arm * fabs(now->pitch - before->pitch));
}

// Limits a foot's speed; a swing so limited ends late.
static void swing_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double progress) {
  BipedFoot *foot = &biped->feet[leg], before = *foot;
  double most = biped_most_speed(step) * step->dt;
  find_landing(def, biped, step, leg);
  swing_to(def, biped, step, leg, progress, most);
  double gone = way_gone(&def->legs[leg], &before, foot);
  if (gone <= most || def->swing == BIPED_SWING_PUBLISHED)
    return;
  before.time_left = foot->time_left;
  memcpy(before.landing, foot->landing, sizeof before.landing);
  before.landing_yaw = foot->landing_yaw;
  double cut = most / gone;
  most = cut * hypot(foot->place[0] - before.place[0], foot->place[1] - before.place[1]);
  *foot = before;
  swing_to(def, biped, step, leg, before.progress + cut * (progress - before.progress), most);
}

// A foot that let go early and lands when it should lift stands until the next lift-off of its cycle.
static void land_foot(Biped *biped, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  foot->swung = foot->phase > biped->gait.duty - LEAST_STANCE;
  foot->stand_phase = foot->phase - (foot->swung ? 1 : 0);
  foot->swinging = foot->mid_passed = false;
  foot->lift = foot->time_left = 0;
  foot->yaw = wrap_angle(foot->yaw);
  biped->steps++;
}

// ---- Stance ----

double biped_stance_progress(const BipedGait *gait, const BipedFoot *foot) {
  double phase = foot->phase - (foot->swung ? 1 : 0), all = gait->duty - foot->stand_phase;
  return all > 0 ? fmin(fmax((phase - foot->stand_phase) / all, 0), 1) : 1;
}

static void measure_asymmetry(const BipedDef *def, Biped *biped, const LayerStep *step, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  if (foot->mid_passed || foot->phase < 0.5 * biped->gait.duty || foot->phase > biped->gait.duty)
    return;
  foot->mid_passed = true;
  double rest[2], v[2] = {step->root_velocity[0], step->root_velocity[2]}, speed = length_2d(v);
  double since = (foot->phase - 0.5 * biped->gait.duty) * 2 / biped->gait.cadence;
  biped_rest(def, &biped->gait, leg, step->root_position, step->heading, rest);
  double ahead = (foot->place[0] - rest[0]) * v[0] + (foot->place[1] - rest[1]) * v[1];
  foot->asymmetry = speed > 0 ? ahead / speed + speed * since : 0;
}

static void stand_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  foot->landing[0] = foot->place[0];
  foot->landing[1] = foot->place[1];
  foot->landing_yaw = foot->yaw;
  foot->pitch = biped_stance_pitch(&biped->gait, biped_stance_progress(&biped->gait, foot));
  measure_asymmetry(def, biped, step, leg);
}

// ---- Phase ----

// The foot that steps first: the one on the side to which the body moves or turns, or the one farther from its rest
// position.
static int first_foot(const BipedDef *def, const Biped *biped, const LayerStep *step) {
  const double velocity[2] = {step->root_velocity[0], step->root_velocity[2]};
  double level[2], away[BIPED_LEGS] = {0}, turned;
  turn_level(-step->heading, velocity, level);
  double aside = level[0] + 0.1 * step->turn_rate;
  for (int i = 0; i < BIPED_LEGS; i++) {
    off_rest(def, biped, step, i, &away[i], &turned);
    if (fabs(aside) > 0.5 * fabs(level[1]) && aside * def->legs[i].side > 0)
      return i;
  }
  if (away[0] > IN_PLACE || away[1] > IN_PLACE)
    return away[1] > away[0];
  return biped->feet[1].phase > biped->feet[0].phase;
}

// A standing body stays until it has a reason to step; then the first foot lifts at once, since a standing body shows
// no phase that would have to continue.
static void stand_or_set_out(const BipedDef *def, Biped *biped, const LayerStep *step) {
  bool swings = biped->feet[0].swinging || biped->feet[1].swinging, off = false, out = false;
  for (int i = 0; i < BIPED_LEGS; i++) {
    off |= !is_in_place(def, biped, step, i, IN_PLACE, IN_TURN);
    out |= !is_in_place(def, biped, step, i, OUT_OF_PLACE, OUT_OF_TURN);
  }
  if (!biped->standing) {
    biped->standing = !swings && !off && is_still(step);
    return;
  }
  double speed = hypot(step->root_velocity[0], step->root_velocity[2]);
  if (!out && speed < SET_OUT_SPEED && fabs(step->turn_rate) < SET_OUT_TURN)
    return;
  biped->standing = false;
  int first = first_foot(def, biped, step);
  biped->hip_phase = 2 * (biped->gait.duty - def->legs[first].offset);
  biped->hip_phase -= 2 * floor(0.5 * biped->hip_phase);
  biped->turning = (Spring){.value = step->turn_rate};
  biped->gait = find_gait(def, biped, step);
  biped->cadence = (Spring){.value = fmax(biped->gait.cadence, SETTLING_CADENCE / sqrt(def->size))};
  for (int i = 0; i < BIPED_LEGS; i++) {
    biped->feet[i].phase = biped_foot_phase(biped->hip_phase, def->legs[i].offset);
    biped->feet[i].swung = false;
    biped->feet[i].stand_phase = 0;
  }
}

static void advance_phase(const BipedDef *def, Biped *biped, const LayerStep *step) {
  double goal = biped->gait.cadence;
  if (is_still(step) || time_to_rest(biped, step) < STOPPING)
    goal = fmax(goal, SETTLING_CADENCE / sqrt(def->size));
  spring_follow(&biped->cadence, goal, CADENCE_DAMP, step->dt);
  biped->gait.cadence = biped->cadence.value;
  if (biped->standing)
    return;
  biped->hip_phase += biped->cadence.value * step->dt;
  biped->hip_phase -= 2 * floor(0.5 * biped->hip_phase);
}

// A foot that is in place need not step again before the body stands.
static bool may_stay(const BipedDef *def, const Biped *biped, const LayerStep *step, int leg) {
  bool flat = fabs(biped->feet[leg].shown_pitch) < FLAT;
  return flat && is_still(step) && is_in_place(def, biped, step, leg, IN_PLACE, IN_TURN);
}

// Continues a swing from the phase before this step. A swing that has been delayed ends later than its land_phase.
static void go_on_swinging(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double before) {
  BipedFoot *foot = &biped->feet[leg];
  double all = foot->land_phase - foot->lift_phase, cycle = 2 / biped->gait.cadence;
  double gone = foot->phase - before;
  gone -= floor(gone);
  double progress = foot->progress + gone / all;
  foot->time_left = (1 - progress) * all * cycle;
  if (progress > 1 - LANDED) // a swing does not end before the leg reaches the ground
    progress = foot->extra > LAST_HEIGHT ? fmax(foot->progress, 1 - LAST_PROGRESS) : 1;
  swing_foot(def, biped, step, leg, progress);
  if (foot->progress >= 1)
    land_foot(biped, leg);
}

static void step_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg) {
  BipedFoot *foot = &biped->feet[leg];
  double before = foot->phase;
  foot->phase = biped_foot_phase(biped->hip_phase, def->legs[leg].offset);
  bool wrapped = foot->phase < before - 0.5;
  foot->swung &= !wrapped;
  if (!foot->swinging && !foot->swung && foot->phase >= biped->gait.duty && !biped->standing) {
    foot->swung = true;
    if (may_stay(def, biped, step, leg))
      foot->stand_phase = foot->phase - 1;
    else
      biped_lift_foot(def, biped, step, leg, before, 1); // the place where it stood last
  }
  if (foot->swinging)
    go_on_swinging(def, biped, step, leg, before);
  if (!foot->swinging)
    stand_foot(def, biped, step, leg);
}

// Moving ground carries standing feet along, and swinging feet above it, too.
static void ride_ground(Biped *biped, const LayerStep *step) {
  for (int i = 0; i < BIPED_LEGS; i++)
    for (int k = 0; k < 2; k++)
      biped->feet[i].place[k] += step->ground_velocity[2 * k] * step->dt;
}

void biped_walk(const BipedDef *def, Biped *biped, const LayerStep *step) {
  follow_root(def, biped, step);
  choose_gait(def, biped, step);
  ride_ground(biped, step);
  stand_or_set_out(def, biped, step);
  advance_phase(def, biped, step);
  for (int i = 0; i < BIPED_LEGS; i++)
    step_foot(def, biped, step, i);
}
