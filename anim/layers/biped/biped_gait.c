// The gait: cadence, duty factor, heights and roll as functions of speed, and the curves of a cycle.
#include <math.h>

#include "anim/layers/biped/biped_internal.h"
#include "sim/base/numbers.h"

// ---- Swing ----

// With the digits of 256/27 as published.
double biped_step_arc(double x) { return 9.481481481481481 * (1 - x) * (1 - x) * (1 - x) * x; }

static const double RUN_SKEW = 0.25; // increase of the progress' exponent: how much later feet move forward in a run

BipedSwing biped_swing(BipedSwingKind kind, double stompiness, double skew, double u) {
  u = fmin(fmax(u, 0), 1);
  double circle = sin(M_PI * u), round = 0.5 - 0.5 * cos(M_PI * u);
  if (kind == BIPED_SWING_PUBLISHED) {
    double way = mix_d(u, round, stompiness);
    return (BipedSwing){way, way * mix_d(biped_step_arc(u), circle, stompiness)};
  }
  if (u < 0.5) // the rise is smooth, the descent as published
    circle = smooth_step(2 * u);
  double way = smooth_step(pow(u, 1 + RUN_SKEW * skew * smooth_step(2 * u)));
  return (BipedSwing){way, mix_d(biped_step_arc(way), circle, stompiness)};
}

// ---- Foot angles ----

// Pitch of the foot, toes up, in deg, over its stance and over its swing: from the clips walk (1.3 m/s) and run (3.5
// m/s), which follow Schwartz et al. 2008 (free speed) and Hamner et al. 2010. In the swing of walking it is some
// degrees lower, so that knees never stretch completely.
enum { PITCH_KEYS = 11 };
static const double WALK_STANCE[PITCH_KEYS] = {13.8, 4.3, 0.2, 0, -0.1, -1.2, -3.2, -6.2, -14.1, -28.2, -59.1};
static const double WALK_SWING[PITCH_KEYS] = {-59.1, -73.8, -67, -55, -43, -29, -14, 0, 9.5, 14.5, 13.8};
static const double RUN_STANCE[PITCH_KEYS] = {13.8, 9, 4.1, 0.2, -0.4, -2.9, -5.8, -10, -19.3, -36.5, -56.2};
static const double RUN_SWING[PITCH_KEYS] = {-56.2, -82.5, -94.3, -103.8, -100.4, -82.3, -54.2, -24.5, 1.2, 13.9, 13.8};

static const double BACKWARD_ROLL = 0.45; // of the forward roll: walking backward, the toes land first and the foot
                                          // rolls less

// Slope at a key of evenly spaced keys, from its neighbours (Catmull-Rom); one-sided at the ends.
static double key_slope(const double *keys, int i) {
  int before = i > 0 ? i - 1 : 0, after = i < PITCH_KEYS - 1 ? i + 1 : i;
  return (keys[after] - keys[before]) / (after - before);
}

static double key_curve(const double *keys, double x, double *slope) {
  double at = fmin(fmax(x, 0), 1) * (PITCH_KEYS - 1);
  int i = (int)at;
  i = i > PITCH_KEYS - 2 ? PITCH_KEYS - 2 : i;
  double t = at - i, a = keys[i], b = keys[i + 1], da = key_slope(keys, i), db = key_slope(keys, i + 1);
  double c2 = 3 * (b - a) - 2 * da - db, c3 = 2 * (a - b) + da + db;
  *slope = (da + t * (2 * c2 + t * 3 * c3)) * (PITCH_KEYS - 1);
  return a + t * (da + t * (c2 + t * c3));
}

// Blends the curves of walking and running; for backward motion they are reversed in time and roll less.
static double mixed_curve(const BipedGait *gait, const double *walk, const double *run, const double *walk_back,
                          double x, double *slope) {
  double walk_slope, run_slope, back_slope;
  double ahead = fmax(gait->ahead, 0), back = fmax(-gait->ahead, 0) * BACKWARD_ROLL;
  double value = ahead * mix_d(key_curve(walk, x, &walk_slope), key_curve(run, x, &run_slope), gait->vigor);
  value += back * key_curve(walk_back, 1 - x, &back_slope);
  double scale = gait->roll * RAD_PER_DEGREE;
  *slope = scale * (ahead * mix_d(walk_slope, run_slope, gait->vigor) - back * back_slope);
  return scale * value;
}

double biped_stance_pitch(const BipedGait *gait, double progress) {
  double slope;
  return mixed_curve(gait, WALK_STANCE, RUN_STANCE, WALK_STANCE, progress, &slope);
}

double biped_swing_pitch(const BipedGait *gait, double progress) {
  double slope;
  return mixed_curve(gait, WALK_SWING, RUN_SWING, WALK_SWING, progress, &slope);
}

double biped_swing_pitch_slope(const BipedGait *gait, double progress) {
  double slope;
  mixed_curve(gait, WALK_SWING, RUN_SWING, WALK_SWING, progress, &slope);
  return slope;
}

void biped_roll(const BipedLeg *leg, double pitch, double *y, double *z) {
  vec3s edge = pitch > 0 ? leg->heel : leg->toe; // from the ankle
  double up = -(double)edge.y, c = cos(pitch), s = sin(pitch), cy = cos(leg->yaw), sy = sin(leg->yaw);
  double forward = sy * (double)edge.x + cy * (double)edge.z;
  double middle = sy * (double)leg->sole.x + cy * (double)leg->sole.z;
  *y = up * c - forward * s;
  *z = forward - middle - forward * c - up * s;
}

// ---- Cadence and stance ----

// Steps per s when walking: step length is proportional to cadence (walk ratio 0.4 m s), 0.70 m at 1.86 steps/s and 1.3
// m/s; near rest at least 1.1 steps/s. Within the normal ranges of adults at slow, normal and fast pace.
static const double WALK_RATIO = 0.40, SLOWEST_CADENCE = 1.1;
// When running: 2.70 at 2.5 m/s, 2.84 at 3.5 m/s, 3.05 at 5 m/s.
static const double RUN_CADENCE = 2.35, RUN_CADENCE_RISE = 0.14, FASTEST_CADENCE = 3.2;
// Steps to the side and backward are shorter: speeds in these directions are multiplied by these factors.
static const double SIDE_STEPS = 3.6, BACK_STEPS = 1.35;
// A standing foot turns by at most this angle relative to the body; for a faster turn the cadence rises.
static const double TURN_IN_STANCE = 40 * RAD_PER_DEGREE, FASTEST_TURNING = 4.5;

static double walk_cadence(const double velocity[2]) {
  double forward = velocity[1] < 0 ? BACK_STEPS * velocity[1] : velocity[1], aside = SIDE_STEPS * velocity[0];
  double squared = (forward * forward + aside * aside) / (WALK_RATIO * WALK_RATIO);
  return fmin(sqrt(sqrt(squared + pow(SLOWEST_CADENCE, 4))), FASTEST_CADENCE);
}

static double find_cadence(const double velocity[2], double turn_rate, const BipedGait *gait) {
  double run = fmin(RUN_CADENCE + RUN_CADENCE_RISE * length_2d(velocity), FASTEST_CADENCE);
  double straight = mix_d(walk_cadence(velocity), run, gait->running);
  // A walking body turns within its steps, so turning adds less.
  double turning = 2 * gait->duty * fabs(turn_rate) / TURN_IN_STANCE * (1 - 0.6 * gait->moving);
  double both = sqrt(sqrt(pow(straight, 4) + pow(turning, 4)));
  return fmin(both, fmax(FASTEST_TURNING * (1 - gait->moving), FASTEST_CADENCE));
}

// Duty factor, share of the cycle. Walking: 0.62 at 1.3 m/s, decreasing by 0.05 per m/s. Running: 0.37 at 3.5 m/s,
// limited by the reach of the leg during stance.
static double find_duty(double speed, const BipedGait *gait, double cycle) {
  double walk = fmin(fmax(0.62 - 0.05 * (speed - 1.3), 0.56), 0.67);
  double run = fmin(fmax(0.37 - 0.035 * (speed - 3.5), 0.355), 0.42), reach = 0.955 / fmax(speed * cycle, 1e-6);
  return mix_d(walk, fmin(run, reach), gait->running);
}

// ---- Heights ----

// Share of the leg's length that is used at touchdown and at mid-stance, so that knees stay slightly bent.
static const double LANDING_REACH = 0.985, RUN_LANDING_REACH = 0.972, STANDING_REACH = 0.988, MIDDLE_REACH = 0.986;
static const double LONGEST_LEAD = 0.45; // of the leg: largest distance of landing ahead of the hip

static double height_over(const BipedDef *def, double reach, double ankle, double away) {
  double leg = reach * def->leg_length;
  return ankle + sqrt(fmax(leg * leg - away * away, 0.25 * leg * leg));
}

// Sets the heights of the hips. stance: s.
static void find_heights(const BipedDef *def, double speed, const double velocity[2], double stance, BipedGait *gait) {
  double y, z;
  const BipedLeg *leg = &def->legs[0];
  biped_roll(leg, biped_stance_pitch(gait, 0), &y, &z);
  double forward = leg->rest[1] - def->hips_z + gait->lead * velocity[1] + z, aside = gait->lead * velocity[0];
  double away = hypot(forward, aside);
  gait->strike = height_over(def, RUN_LANDING_REACH, y, away);
  gait->rise = def->bounce * def->size * fmin(0.027 * speed, 0.045) * (0.4 + 0.6 * fabs(gait->ahead)) * gait->moving;
  double reach = mix_d(STANDING_REACH, LANDING_REACH, gait->moving);
  double top = def->ankle_height + mix_d(STANDING_REACH, MIDDLE_REACH, gait->moving) * def->leg_length;
  gait->low = fmin(height_over(def, reach, y, away), top - gait->rise);
  if (gait->ahead >= 0)
    return; // a trailing foot rises onto its toes instead
  // Walking backward, a stance ends with the foot in front, on its heel.
  biped_roll(leg, biped_stance_pitch(gait, 1), &y, &z);
  forward = leg->rest[1] - def->hips_z + (gait->lead - stance) * velocity[1] + z;
  aside = (gait->lead - stance) * velocity[0];
  gait->low += gait->ahead * fmax(gait->low - height_over(def, reach, y, hypot(forward, aside)), 0);
}

// ---- All of it ----

static const double WALK_LEAD = 0.16, RUN_LEAD = 0.19; // of the stance's duration; with full roll feet land less far
                                                       // ahead
static const double FULL_ROLL = 0.7;                   // m: step length with full roll

static double step_height(double speed, const BipedGait *gait) {
  double walk = fmin(0.035 + 0.015 * speed, 0.065), run = 0.28;
  return mix_d(walk, run, gait->vigor);
}

BipedGait biped_gait(const BipedDef *def, const double velocity[2], double turn_rate, double running) {
  BipedGait gait = {.speed = length_2d(velocity), .running = running};
  // From here on for a man of the usual size: speeds and times scale with the square root of length.
  double time = sqrt(def->size), v[2] = {velocity[0] / time, velocity[1] / time}, speed = gait.speed / time;
  gait.ahead = v[1] / sqrt(speed * speed + 0.01);
  gait.moving = smooth_step((speed - 0.1) / 0.5);
  gait.vigor = running * fmin(fmax((speed - 1) / 2.5, 0), 1);
  gait.duty = find_duty(speed, &gait, 2 / fmin(RUN_CADENCE + RUN_CADENCE_RISE * speed, FASTEST_CADENCE));
  double cadence = find_cadence(v, turn_rate * time, &gait);
  double length = speed / cadence, stance = gait.duty * 2 / cadence;
  gait.roll = def->roll * mix_d(fmin(length / FULL_ROLL, 1), 1, running);
  double bias = mix_d(WALK_LEAD, RUN_LEAD, running) * gait.roll * (gait.ahead > 0 ? gait.ahead : 0.5 * gait.ahead);
  double lead = def->step_lead > 0 ? def->step_lead / time : (0.5 - bias) * stance;
  lead = fmin(lead, LONGEST_LEAD * def->leg_length / def->size / fmax(speed, 1e-6));
  gait.cadence = def->cadence * cadence / time;
  gait.lead = lead * time;
  gait.step_height = def->step_height * def->size * step_height(speed, &gait);
  gait.narrow = mix_d(1, def->width, gait.moving * gait.ahead * gait.ahead);
  find_heights(def, speed, velocity, stance * time, &gait);
  return gait;
}

// ---- Running ----

double biped_run_bounce(double time, double stance, double flight) {
  double speed = BIPED_GRAVITY * flight / 2; // m/s: downward at touchdown, upward at lift-off
  if (time > stance)
    return speed * (time - stance) - BIPED_GRAVITY * (time - stance) * (time - stance) / 2;
  if (!(stance > 0))
    return 0;
  double w = M_PI / stance, push = (BIPED_GRAVITY + 2 * speed / stance) * M_PI / 2;
  return -speed * time + push * (time - sin(w * time) / w) / w - BIPED_GRAVITY * time * time / 2;
}
