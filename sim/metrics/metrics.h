// What a run is judged by, computed while it runs from plain numbers: one call each physics step, one each trace frame,
// one for each hit. Metrics know nothing of bodies or poses; a character fills in the samples. One list (metric_rows)
// names every metric with its unit and meaning; JSON, tables, expectations and the reference are made from it.
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
  METRICS_NAME_SIZE = 32
};

// What a body says of itself that keeps its balance by itself.
typedef struct MetricsBalance {
  bool known;    // the rest counts only then
  int steps;     // begun so far, to stay up or to walk; without those that only bring its feet side by side
  double margin; // m, as support_margin, but of both soles, whether they carry or not
} MetricsBalance;

// After every physics step. SI units, world frame.
typedef struct MetricsStep {
  double time, dt;                          // s
  int joint_count;                          // without the root
  const float *joint_error;                 // [joint_count] rad, measured against target
  const float (*joint_torque)[3];           // [joint_count] N m
  double power;                             // W, sum over joints of |torque . relative angular velocity|
  double com[3], com_velocity[3];           // m, m/s
  double ground_height;                     // m, of the ground under the centre of mass
  double stride_time;                       // s, one stride (two steps) of the animation; 0: unknown, taken as 0.7
  double intended_velocity[3];              // m/s, of the root that leads the character, not what the body pulls it by
  double intended_turn_rate;                // rad/s, of that root about up
  double wanted_velocity[3];                // m/s, what is wanted of it, at once
  double assist_force[3], assist_torque[3]; // N, N m
  double support_margin;                    // m, see support_margin; NAN when no foot carries
  MetricsBalance balance;
  bool fallen;          // a part other than a foot bears weight
  bool settled, rising; // it lies still after a fall; it gets up
  double depth;         // m, of the deepest point of any part in the ground
  int foot_count;
  bool foot_loaded[METRICS_MAX_FEET];     // the foot touches something that carries
  double foot_place[METRICS_MAX_FEET][2]; // m, x and z of its sole
} MetricsStep;

// Places on ground that moves: x and z are those for who goes with it.
typedef struct MetricsFoot {
  double sole[3], ankle[3];                             // m, of the sole its middle
  double heel_clearance, toe_clearance, sole_clearance; // m above the true ground under them, negative inside
  double knee_angle;                                    // rad
  bool standing;      // a body's foot carries load, an animation's is to stand: the rest counts only then
  bool planted;       // lies flat on what supports it
  double depth;       // m, of its deepest part in the ground, walls included
  double lift;        // m above the ground that could carry it, of its lowest part
  double gap;         // m above it, of its higher end that has some within reach
  double angle_error; // rad between the normals of sole and support
} MetricsFoot;

// What the animation says of a foot, before it was put on the true ground.
typedef struct MetricsPlan {
  bool known;         // the rest counts only then
  double progress;    // 0 .. 1: share of its swing's time
  double animated[3]; // m: middle of its sole
  double clearance;   // m of the sole's lowest point above the animation's own ground
  double heel, toe;   // m of its ends above it
  bool physical;      // the output shows the leg, or what it hangs on, partly as the body is
} MetricsPlan;

// At every trace frame. Poses: index 0 is the root in the world, the others local to their parents.
typedef struct MetricsFrame {
  double time;                        // s
  int joint_count;                    // entries of the rotations, with the root
  float root_position[3][3];          // target, measured, output: m
  const float (*rotation[3])[4];      // target, measured, output: [joint_count] x y z w
  double ground_height;               // m, of the ground under the leading root
  int part_count;                     // 0: there is no physical body, so that the two poses below say nothing
  const float (*part_position[2])[3]; // measured, output: [part_count] m, of the parts' joints in the world
  const float (*part_rotation[2])[4]; // the same: x y z w, in the world
  bool lost;                          // the character falls: how its feet stand means nothing
  int foot_count;
  MetricsFoot measured_feet[METRICS_MAX_FEET], output_feet[METRICS_MAX_FEET];
  MetricsPlan plans[METRICS_MAX_FEET];
} MetricsFrame;

// What one hit did, from the hit until its recovery is certain, the next hit, or the end: the hit's time. Impulses that
// follow each other within 25 ms (a push, a burst, a projectile that stays in contact) are one hit: their sizes add up,
// the part is that of the largest.
//
// Recovered: from a moment on no part but the feet bears weight, the RMS pose error is below 5 deg, or at most 1 deg
// above that of the undisturbed stride (who walks by his joints alone is always behind what they aim at), the error of
// the centre of mass' velocity is below 0.1 m/s, and who is to stand is in balance. The recovery time ends at this
// moment. It is certain once all of this held for 0.25 s and a whole stride has passed since the hit's last impulse
// (0.7 s where no stride is known, as when standing): what strikes a swinging foot shows when it touches down. When the
// next hit or the end comes first, what was seen decides: it has recovered if all held for the last 0.25 s.
//
// A fall later on, before any other hit and within 10 s, revokes the recovery: the hit is the fall's, and its figures
// are those of a hit that was never recovered from. (No topple takes longer: even an inverted pendulum of 10 m is down
// 9 s after it was 1 mm off balance.)
//
// In balance: the extrapolated centre of mass is not beyond the base of support by more than 1 cm, or at least not
// farther than in the undisturbed stride. It is asked for where the intended velocity is below 0.1 m/s; there, a body
// whose extrapolated centre of mass is beyond its feet topples unless something holds it, however slowly it moves. Gait
// carries it beyond them in every step, so whoever topples while he walks or runs is told by pose and velocity, and by
// his fall.
//
// The velocity error. Within each stride, velocity swings around the intended one by more than 0.1 m/s, and a body may
// lag steadily; neither is an effect of the hit. So the reference is the character's own undisturbed stride: its
// deviation from the intended velocity over the last stride before the hit, repeated. The error is the mean of the
// horizontal velocity beyond this reference since the hit, or over the last stride once one has passed (at least over
// 0.1 s). A stride later it is just the mean velocity of a stride against that before the hit: steps that come sooner
// or later than without the hit no longer matter, and what the hit itself did has left the window. Unless one whole
// stride passed since the recovery from the hit before, the older reference stays; with none at all, as at the start of
// a run, the intended velocity itself is the reference.
// One row for each figure: the field of MetricsHit, its name in traces, JSON and reports, its unit, whether it is a
// whole number, and how tables for people show it: heading, place from the left (0: not there), width and digits. A new
// figure is a row here and the code in metrics_hits.c that fills it in.
#define HIT_ROWS(ROW)                                                                                                  \
  ROW(time, "s", "s", false, "time", 0, 7, 3, "When it struck")                                                        \
  ROW(impulse, "N s", "N s", false, "impulse", 1, 7, 2, "Its size")                                                    \
  ROW(recovery_time, "s", "s", false, "recovery", 6, 8, 2, "Until recovery, NaN: none before the next hit or end")     \
  ROW(peak_pose_error, "deg", "deg RMS", false, "pose error", 2, 10, 2, "Peak of the RMS over joints")                 \
  ROW(peak_com_displacement, "m", "m", false, "com moved", 3, 9, 3,                                                    \
      "Farthest from where the centre of mass would have been, horizontally")                                          \
  ROW(peak_assist_force, "N", "N", false, "most assist", 0, 11, 0, "Largest until recovery")                           \
  ROW(assist_impulse, "N s", "N s", false, "assist", 4, 7, 2, "Of the assist until recovery")                          \
  ROW(assist_angular_impulse, "N m s", "N m s", false, "assist", 5, 7, 2, "Of the assist until recovery")              \
  ROW(support_margin_min, "m", "m", false, "margin", 0, 7, 3,                                                          \
      "Smallest until recovery, NaN: no foot carried, negative outside")                                               \
  ROW(steps_taken, "-", "-", true, "steps", 0, 5, 0,                                                                   \
      "Touch-downs away from where the foot stood; own steps of who balances by himself")

#define HIT_FIELD(field, ...) double field;

typedef struct MetricsHit {
  char part[METRICS_NAME_SIZE];
  // "fall"; "steps" or "step": steps taken, those of the gait as well; without any, "hip" when the extrapolated centre
  // of mass left the base of support, else "ankle". Ankles move the pressure within the base of support, and while it
  // reaches beyond the extrapolated centre of mass they are enough; to bring that back from outside takes parts that
  // turn against each other, which is what the hip strategy does (Horak and Nashner 1986, J. Neurophysiol. 55; Hof
  // 2007, The equations of motion for a standing human reveal three mechanisms for balance, J. Biomech. 40). The base
  // of who balances by himself is that of both soles as they stand: a heel that rises by a millimetre makes it no
  // smaller.
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

extern const MetricHitRow metric_hit_rows[];

#define HIT_NUMBER(field, ...) METRIC_HIT_##field,

// The rows by number. The first two say what the hit was, the others what it did.
enum { HIT_ROWS(HIT_NUMBER) METRIC_HIT_ROWS, METRIC_HIT_FIRST_EFFECT = METRIC_HIT_recovery_time };

static inline double metric_hit_figure(const MetricsHit *hit, int row) {
  return *(const double *)(const void *)((const char *)hit + metric_hit_rows[row].offset);
}

// What came of one change of the wanted velocity (by more than 0.2 m/s): how long it took until the leading root began
// to follow, and until the centre of mass had made half of the change.
typedef struct MetricsResponse {
  double time;                       // s, of the change
  double from[2], to[2];             // m/s, x and z
  double root_latency, body_latency; // s; NAN when the next change or the end came first
} MetricsResponse;

typedef struct Metrics Metrics;

// Rows of a group stand together.
typedef struct MetricRow {
  const char *group, *name, *unit, *doc;
} MetricRow;

extern const MetricRow metric_rows[];
extern const int metric_row_count;

// mass in kg, for the cost of transport; with STANDARD_GRAVITY. NULL when out of memory. Nothing is allocated
// later.
Metrics *metrics_create(double mass);
void metrics_destroy(Metrics *metrics);

void metrics_step(Metrics *metrics, const MetricsStep *step);
void metrics_frame(Metrics *metrics, const MetricsFrame *frame);
// Once for each impulse (each step of a push), before the metrics_step that first shows its effect. time: s, of the
// step before that one; impulse in N s; part may be NULL. Beyond METRICS_MAX_HITS hits are counted, not recorded.
void metrics_hit(Metrics *metrics, double time, double impulse, const char *part);
void metrics_refusal(Metrics *metrics, FootRefusal reason); // once for each stance that begins refused
// Transitions that the animation's graph has refused so far. Without any call the metric does not apply.
void metrics_set_graph_refusals(Metrics *metrics, long count);
// Of who goes by a planner: goals reached, the least distance (m) to what was in the way so far (NAN: nothing was),
// changes from one clip to another, s in which no way led to the goal. Without any call these metrics do not apply.
void metrics_set_plan(Metrics *metrics, int goals, double clearance, long changes, double stuck_time);
// Simulated over wall-clock time of the run, known only to the one that runs it.
void metrics_set_realtime_factor(Metrics *metrics, double factor);
void metrics_finish(Metrics *metrics); // closes the last hit and stances; call once, before reading

// A metric's value by name (see metric_rows); NAN when it does not apply to the run. False when there is no such name.
bool metrics_value(const Metrics *metrics, const char *name, double *value);

const MetricsHit *metrics_hits(const Metrics *metrics, int *count);
const MetricsResponse *metrics_responses(const Metrics *metrics, int *count); // the first METRICS_MAX_RESPONSES
const char *metrics_strategy(const Metrics *metrics); // the strategy label of the worst hit, "" when unhit

// Saves or restores all sums and what is under way; before metrics_finish. Of hits only those there are.
void metrics_state(Metrics *metrics, StateStream *stream);

#endif
