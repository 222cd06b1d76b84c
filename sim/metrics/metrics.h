// The metrics of a run, computed while it runs from plain numbers: one call for each physics step, one for each trace
// frame, one for each hit. Metrics do not use bodies or poses; a character fills in the samples. One list (metric_rows)
// has every metric with its unit and meaning; JSON, tables, expectations and the reference are made from it.
#ifndef STAGGER_SIM_METRICS_METRICS_H
#define STAGGER_SIM_METRICS_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/foot_refusal.h"
#include "sim/base/state.h"

enum {
  METRICS_MAX_RESPONSES = 64,
  METRICS_MAX_JOINTS = 64,
  METRICS_MAX_FEET = 8,
  METRICS_MAX_HITS = 4096,
  METRICS_HANDS = 2,
  METRICS_NAME_SIZE = 32
};

// Groups of joints, left and right together.
enum { METRICS_ANKLES, METRICS_KNEES, METRICS_HIPS, METRICS_OTHER_JOINTS, METRICS_JOINT_GROUPS };

// Reported by a body that balances by itself.
typedef struct MetricsBalance {
  bool known;    // the other fields are valid only then
  int steps;     // number of steps begun so far, to avoid a fall or to walk; without steps that only bring the feet
                 // side by side
  double margin; // m, as support_margin, but for both soles whether they carry load or not
} MetricsBalance;

// How a body with head, arms and two legs moves and touches the ground as it falls. Speeds are downward, of the centre
// of mass of a part, over the ground.
typedef struct MetricsLanding {
  bool known;                                       // the other fields are valid only then
  bool hand_touches[METRICS_HANDS], pelvis_touches; // the ground presses on it
  bool head_touches;
  double hand_speed[METRICS_HANDS], pelvis_speed; // m/s
  double head_speed;                              // m/s
  double reach_speed[METRICS_HANDS]; // m/s of a hand past the chest, in any direction, in the chest's frame
  double knee, hip;                  // rad of flexion, mean of both legs; 0 unless the ground presses on the pelvis
} MetricsLanding;

// The head's centre of mass, of a body that has a head; world frame.
typedef struct MetricsHead {
  bool known;                  // the other fields are valid only then
  double velocity[3], spin[3]; // m/s, rad/s
} MetricsHead;

// Filled after every physics step. SI units, world frame.
typedef struct MetricsStep {
  double time, dt;                          // s
  int joint_count;                          // without the root
  const float *joint_error;                 // [joint_count] rad, between measured pose and target
  const float (*joint_torque)[3];           // [joint_count] N m
  double power;                             // W, sum over joints of |torque . relative angular velocity|
  double com[3], com_velocity[3];           // m, m/s
  double ground_height;                     // m, height of the ground under the centre of mass
  double stride_time;                       // s, one stride (two steps) of the animation; 0: unknown, 0.7 is used
  double intended_velocity[3];              // m/s, of the leading root, without the correction that keeps it with its
                                            // body
  double intended_turn_rate;                // rad/s, of that root about up
  double wanted_velocity[3];                // m/s, the intent, which may change at once
  double assist_force[3], assist_torque[3]; // N, N m
  double support_margin;                    // m, see support_margin; NAN when no foot carries load
  MetricsBalance balance;
  bool fallen;          // a part other than a foot bears weight
  bool settled, rising; // it lies still after a fall; it is getting up
  double depth;         // m, of the deepest point of any part in the ground
  MetricsLanding landing;
  MetricsHead head;
  double heading;                              // rad about up, of the leading root: 0 is toward z, positive to x
  double angular_momentum[3];                  // N m s, of the whole body about its centre of mass, in a reaction
  double absorbed_power[METRICS_JOINT_GROUPS]; // W, not negative: that motion puts into the motors of these joints
  int foot_count;
  bool foot_loaded[METRICS_MAX_FEET];     // the foot touches something that carries it
  bool foot_caught[METRICS_MAX_FEET];     // an obstacle stops it
  double foot_place[METRICS_MAX_FEET][2]; // m, x and z of its sole
  // m, x and z of the sole's corners: left and right of the heel, then of the toes. Read while metrics_awaits_strike.
  double foot_corner[METRICS_MAX_FEET][4][2];
} MetricsStep;

// Positions on moving ground have x and z in a frame that moves with that ground.
typedef struct MetricsFoot {
  double sole[3], ankle[3];                             // m; sole: its middle
  double heel_clearance, toe_clearance, sole_clearance; // m above the true ground under each point, negative inside
  double knee_angle;                                    // rad
  bool standing;      // a body's foot carries load, an animation's foot should stand: the following fields are valid
                      // only then
  bool planted;       // lies flat on its support
  double depth;       // m, depth of its deepest part in the ground, walls included
  double lift;        // m, height of its lowest part above ground that could support it
  double gap;         // m, height above that ground of the higher end for which ground is within reach
  double angle_error; // rad between the normals of sole and support
} MetricsFoot;

// The animation's plan of a foot, before foot placement.
typedef struct MetricsPlan {
  bool known;         // the other fields are valid only then
  double progress;    // 0 .. 1: share of its swing's time
  double animated[3]; // m: middle of its sole
  double clearance;   // m of the sole's lowest point above the animation's own ground
  double heel, toe;   // m, height of its ends above it
  bool physical;      // the output pose shows the leg, or a part that carries it, at least partly from the body
} MetricsPlan;

// Filled at every trace frame. Poses: index 0 is the root in the world, the others are local to their parents.
typedef struct MetricsFrame {
  double time;                        // s
  int joint_count;                    // entries of the rotations, including the root
  float root_position[3][3];          // target, measured, output: m
  const float (*rotation[3])[4];      // target, measured, output: [joint_count] x y z w
  double ground_height;               // m, height of the ground under the leading root
  int part_count;                     // 0: there is no physical body, so the two poses below are meaningless
  const float (*part_position[2])[3]; // measured, output: [part_count] m, position of the parts' joints in the world
  const float (*part_rotation[2])[4]; // measured, output: [part_count] x y z w, in the world
  bool lost;                          // the character is falling, so the state of its feet is meaningless
  int foot_count;
  MetricsFoot measured_feet[METRICS_MAX_FEET], output_feet[METRICS_MAX_FEET];
  MetricsPlan plans[METRICS_MAX_FEET];
} MetricsFrame;

// The effects of one hit, from the hit until its recovery is certain, the next hit, or the end: the hit's time.
// Impulses that follow each other within 25 ms (a push, a burst, a projectile that stays in contact) are one hit: their
// magnitudes are added, and the part is that of the largest.
//
// Recovered: from a moment on no part but the feet bears weight, the RMS pose error is below 5 deg, or at most 1 deg
// above that of the undisturbed stride (a character that walks by its joints alone always lags behind its target), the
// error of the centre of mass' velocity is below 0.1 m/s, and a character that should stand is in balance. The recovery
// time ends at this moment. It is certain once all of this has held for 0.25 s and a whole stride has passed since the
// hit's last impulse (0.7 s where no stride is known, as when standing): the effect of a hit on a swinging foot appears
// only at its touchdown. If the next hit or the end comes first, the hit counts as recovered if all conditions have
// held for the last 0.25 s.
//
// A later fall, before any other hit and within 10 s, revokes the recovery: the fall is attributed to the hit, whose
// figures are then those of a hit without recovery. (No toppling takes longer: even an inverted pendulum of 10 m falls
// within 9 s from 1 mm off balance.)
//
// In balance: the extrapolated centre of mass is beyond the base of support by at most 1 cm, or at least no farther
// than in the undisturbed stride. This is required if the intended velocity is below 0.1 m/s: a standing body whose
// extrapolated centre of mass is beyond its feet topples unless something holds it, however slowly it moves. In gait it
// is beyond them in every step, so a character that topples while walking or running is detected by pose and velocity,
// and by its fall.
//
// The velocity error. Within each stride the velocity oscillates about the intended one by more than 0.1 m/s, and a
// body may have a constant lag; neither is an effect of the hit. The reference is therefore the character's own
// undisturbed stride: its deviation from the intended velocity over the last stride before the hit, repeated. The error
// is the mean horizontal velocity relative to this reference since the hit, or over the last stride once one has passed
// (at least over 0.1 s). After a stride it is the mean velocity of a stride relative to that before the hit: whether
// steps come sooner or later than without the hit no longer matters, and the hit's own effect has left the window.
// Unless one whole stride has passed since the recovery from the previous hit, the older reference is kept; without
// any, as at the start of a run, the intended velocity is the reference.
// One row for each figure: the field of MetricsHit, its name in traces, JSON and reports, its unit, whether it is an
// integer, and its column in tables for people: heading, position from the left (0: not shown), width and digits. A new
// figure needs a row here and code in metrics_hits.c that computes it.
#define HIT_ROWS(ROW)                                                                                                  \
  ROW(time, "s", "s", false, "time", 0, 7, 3, "Time of the hit")                                                       \
  ROW(impulse, "N s", "N s", false, "impulse", 1, 7, 2, "Magnitude of the impulse")                                    \
  ROW(recovery_time, "s", "s", false, "recovery", 6, 8, 2,                                                             \
      "Time until recovery, NaN: no recovery before the next hit or the end")                                          \
  ROW(peak_pose_error, "deg", "deg RMS", false, "pose error", 2, 10, 2,                                                \
      "Peak of the RMS over joints of the angle between measured and target pose")                                     \
  ROW(peak_com_displacement, "m", "m", false, "com moved", 3, 9, 3,                                                    \
      "Largest horizontal displacement of the centre of mass relative to its expected motion")                         \
  ROW(peak_assist_force, "N", "N", false, "most assist", 0, 11, 0, "Largest force of the assist until recovery")       \
  ROW(assist_impulse, "N s", "N s", false, "assist", 4, 7, 2, "Impulse of the assist until recovery")                  \
  ROW(assist_angular_impulse, "N m s", "N m s", false, "assist", 5, 7, 2,                                              \
      "Angular impulse of the assist until recovery")                                                                  \
  ROW(support_margin_min, "m", "m", false, "margin", 0, 7, 3,                                                          \
      "Smallest margin of stability until recovery, negative outside, NaN: no foot carried load")                      \
  ROW(steps_taken, "-", "-", true, "steps", 0, 5, 0,                                                                   \
      "Touch-downs away from where the foot stood; for a character that balances by itself, its own steps")

#define HIT_FIELD(field, ...) double field;

typedef struct MetricsHit {
  char part[METRICS_NAME_SIZE];
  // "fall"; "steps" or "step": number of steps taken, including those of the gait; without steps "hip" if the
  // extrapolated centre of mass left the base of support, else "ankle". Ankles move the centre of pressure within the
  // base of support, which suffices while the extrapolated centre of mass is inside it; to bring it back from outside,
  // parts of the body must rotate against each other, which is the hip strategy (Horak and Nashner 1986, J.
  // Neurophysiol. 55; Hof 2007, The equations of motion for a standing human reveal three mechanisms for balance, J.
  // Biomech. 40). For a character that balances by itself the base is that of both soles: a heel that rises by a
  // millimetre does not make it smaller.
  char strategy[16];
  HIT_ROWS(HIT_FIELD)
} MetricsHit;

typedef struct MetricHitRow {
  const char *name, *unit, *shown_unit;
  size_t offset; // of the double in MetricsHit
  bool whole;
  const char *heading;
  int column, width, digits;
  const char *doc;
} MetricHitRow;

#define HIT_NUMBER(field, ...) METRIC_HIT_##field,

// Indices of the rows. The first two describe the hit, the others its effects.
enum { HIT_ROWS(HIT_NUMBER) METRIC_HIT_ROWS, METRIC_HIT_FIRST_EFFECT = METRIC_HIT_recovery_time };

extern const MetricHitRow metric_hit_rows[METRIC_HIT_ROWS];

static inline double metric_hit_figure(const MetricsHit *hit, int row) {
  return *(const double *)(const void *)((const char *)hit + metric_hit_rows[row].offset);
}

// The response to one change of the wanted velocity (by more than 0.2 m/s): the time until the leading root began to
// follow, and until the centre of mass had made half of the change.
typedef struct MetricsResponse {
  double time;                       // s, of the change
  double from[2], to[2];             // m/s, x and z
  double root_latency, body_latency; // s; NAN when the next change or the end came first
} MetricsResponse;

// The response to the first hit, found by the caller, who knows the same run without that hit; see
// scenes/run/hit_response.h. NAN: does not apply.
typedef struct MetricsHitResponse {
  double size, peak, peak_time;                 // deg, deg, s: of the mean over joints
  double trunk_peak, trunk_peak_time;           // deg, s: of the trunk's rotation in the world
  double head_peak, head_peak_time;             // deg, s: of the head's
  double torque_onset, neck_onset, leg_onset;   // s: first change of the torque of any joint, the neck, a leg's joint
  double pressure_shift, pressure_onset;        // m, s: of the centre of pressure, across the heading
  double struck_leg_torque, struck_leg_command; // s: first change of a torque in the struck leg, and of what is asked
  double placement_time, placement_shift;       // s, m: first landing, and its shift across the heading
  double removed_ahead, removed_side;           // shares of an error of velocity that the next stance removes
} MetricsHitResponse;

extern const MetricsHitResponse metrics_no_hit_response; // all NAN

typedef struct Metrics Metrics;

// Rows of a group are consecutive.
typedef struct MetricRow {
  const char *group, *name, *unit, *doc;
} MetricRow;

enum { METRIC_ROW_COUNT = 137 }; // known here, so that the sanitised build sees a row beyond the last one
extern const MetricRow metric_rows[METRIC_ROW_COUNT];
extern const int metric_row_count;

// mass in kg, for the cost of transport (with STANDARD_GRAVITY). NULL when out of memory. Nothing is allocated later.
Metrics *metrics_create(double mass);
void metrics_destroy(Metrics *metrics);

void metrics_step(Metrics *metrics, const MetricsStep *step);
void metrics_frame(Metrics *metrics, const MetricsFrame *frame);
// Reports an impulse: once for each impulse (each step of a push), before the metrics_step that first shows its effect.
// time: s, of the previous step; impulse in N s; part may be NULL. Hits beyond METRICS_MAX_HITS are counted, but not
// recorded.
void metrics_hit(Metrics *metrics, double time, double impulse, const char *part);
// The onset of the blow in a laboratory's protocol, s, from which reactions are counted; without a call from the first
// hit. To be called before the first step.
void metrics_set_onset(Metrics *metrics, double time);
// Whether the step that ends at `time` (s) is part of a reaction: it wants the angular momentum.
bool metrics_follows_reaction(const Metrics *metrics, double time);
// Whether a reaction has begun in which no foot has landed yet: the next step wants the corners of the soles.
bool metrics_awaits_strike(const Metrics *metrics);
// A cable that held the body lets go: its lean, rad, and the cable's force over the body's weight.
void metrics_release(Metrics *metrics, double lean, double force);
void metrics_refusal(Metrics *metrics, FootRefusal reason); // once for each stance that is refused at its beginning
// Number of transitions that the animation graph has refused so far. Without a call the metric does not apply.
void metrics_set_graph_refusals(Metrics *metrics, long count);
// For a planned character: goals reached, the least distance so far (m) to an obstacle (NAN: there was none), changes
// of clips, time in s without a way to the goal. Without a call these metrics do not apply.
void metrics_set_plan(Metrics *metrics, int goals, double clearance, long changes, double stuck_time);
// Simulated time divided by wall-clock time, known only to the caller.
void metrics_set_realtime_factor(Metrics *metrics, double factor);
// Of the character that was struck first, once the run has ended. Without a call these metrics do not apply.
void metrics_set_hit_response(Metrics *metrics, const MetricsHitResponse *response);
void metrics_finish(Metrics *metrics); // completes the last hit and stances; call once, before reading

// A metric's value by name (see metric_rows); NAN when it does not apply to the run. False when the name is unknown.
bool metrics_value(const Metrics *metrics, const char *name, double *value);

const MetricsHit *metrics_hits(const Metrics *metrics, int *count);
const MetricsResponse *metrics_responses(const Metrics *metrics, int *count); // the first METRICS_MAX_RESPONSES
const char *metrics_strategy(const Metrics *metrics);                         // of the worst hit, "" without hits

// Saves or restores all sums and what is in progress; before metrics_finish. Only hits so far are written.
void metrics_state(Metrics *metrics, StateStream *stream);

#endif
