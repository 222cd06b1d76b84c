// What metrics, hits and responses come to in runs of numbers that are drawn: bodies that walk, stand, are struck,
// fall, lie and rise as no body does. To nine digits, so that any limit, window or sign of a metric changes them.
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/metrics_run.h"

enum { JOINTS = 4, PARTS = 3, STEPS = 6000, EVERY = 8, RUNS = 12 };

// What a run is like.
typedef struct Kind {
  const char *name;
  double speed, size; // m/s; of disturbances
  double margin;      // m, usual
  int stands, hits;   // one of so many stretches stands; steps between hits, on average; 0: none
  bool balances, falls, onset;
} Kind;

static const Kind KINDS[] = {{"walks", 1.3, 0.2, 0.05, 0, 700, true, false, false},
                             {"stands", 0.03, 0.3, 0.05, 1, 900, true, false, true},
                             {"hangs over", 0.03, 0.3, -0.03, 1, 700, true, false, true},
                             {"is struck often", 1, 1, 0.05, 3, 60, false, true, false},
                             {"falls", 2, 2, 0, 4, 1500, true, true, true},
                             {"runs", 3.5, 0.3, 0.05, 0, 800, false, false, false},
                             {"is left alone", 1, 0.4, 0.05, 3, 0, false, false, false}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

enum { VALUES, KNOWN, HITS, RESPONSES, SUMS };
static const char *const NAMES[SUMS] = {"values", "known", "hits", "responses"};
static const double OUTCOMES[KIND_COUNT][SUMS] = {
    {21.541127037, -18.351828128, -1465.1321823, 1510.6259228},
    {20.403071292, -34.558864552, -2391.2837732, 0},
    {14.756740184, -29.696309631, -1952.2207516, 0},
    {36.811745605, -23.467909006, -1627.1590991, 1508.4555848},
    {36.068454263, -17.061311404, -1781.8467, 1455.0937181},
    {25.154593046, -20.524933363, -1882.6136927, 1498.6266806},
    {15.692632241, -1.8991219638, 0, 1417.931328},
};

typedef struct Course {
  const Kind *kind;
  Rng rng;
  Metrics *metrics;
  MetricsStep step;
  MetricsFrame frame;
  float error[JOINTS], torque[JOINTS][3], rotation[3][JOINTS + 1][4], position[2][PARTS][3], turned[2][PARTS][4];
  double wanted[2], disturbed, phase;
} Course;

static double within(Course *c, double range) { return rng_range(&c->rng, -range, range); }
static bool one_in(Course *c, int count) { return rng_index(&c->rng, count) == 0; }

// Once in a while everything changes.
static void change(Course *c) {
  MetricsStep *step = &c->step;
  const Kind *kind = c->kind;
  const bool stands = kind->stands > 0 && one_in(c, kind->stands);
  for (int k = 0; k < 2; k++)
    c->wanted[k] = stands ? 0 : within(c, kind->speed);
  c->disturbed = one_in(c, 2) ? 0 : kind->size * rng_unit(&c->rng);
  step->intended_turn_rate = one_in(c, 2) ? 0 : within(c, 1);
  step->fallen = kind->falls && one_in(c, 5);
  step->settled = step->fallen && one_in(c, 2);
  step->rising = kind->falls && !step->fallen && one_in(c, 4);
  step->stride_time = one_in(c, 4) ? 0 : rng_range(&c->rng, 0.4, 1.2);
}

static void take_step(Course *c, int number) {
  MetricsStep *step = &c->step;
  const double size = c->disturbed;
  step->time += step->dt;
  c->phase += step->dt * 2 * M_PI / 1.1;
  step->wanted_velocity[0] = c->wanted[0], step->wanted_velocity[2] = c->wanted[1];
  for (int k = 0; k < 3; k++) {
    step->intended_velocity[k] += 0.03 * (step->wanted_velocity[k] - step->intended_velocity[k]);
    step->com_velocity[k] +=
        0.02 * (step->intended_velocity[k] - step->com_velocity[k]) + 0.01 * within(c, size + 0.02);
    step->com[k] += step->com_velocity[k] * step->dt;
    step->assist_force[k] = within(c, 100 * size);
    step->assist_torque[k] = within(c, 30 * size);
    step->angular_momentum[k] = within(c, 5 + 20 * size);
    step->head.velocity[k] = step->com_velocity[k] + within(c, size);
    step->head.spin[k] = within(c, 0.2 + 4 * size);
  }
  step->heading += step->intended_turn_rate * step->dt;
  step->ground_height = 0.05 * sin(step->com[2]);
  for (int i = 0; i < JOINTS; i++) {
    c->error[i] = (float)(0.03 * rng_unit(&c->rng) + 0.15 * size * rng_unit(&c->rng));
    for (int k = 0; k < 3; k++)
      c->torque[i][k] = (float)within(c, 20 + 100 * size);
  }
  step->power = 100 * rng_unit(&c->rng);
  for (int i = 0; i < METRICS_JOINT_GROUPS; i++)
    step->absorbed_power[i] = fmax(0, within(c, 50));
  step->support_margin = one_in(c, 200) ? NAN : c->kind->margin + 0.02 * sin(c->phase) - 0.1 * size * rng_unit(&c->rng);
  step->balance.margin = step->support_margin + 0.01;
  step->balance.steps += one_in(c, 150);
  step->depth = fmax(0, within(c, 0.003));
  for (int i = 0; i < step->foot_count; i++) {
    const bool loaded = sin(c->phase + M_PI * i) > -0.2 && !(size > 0.5 && one_in(c, 4));
    if (!loaded)
      for (int k = 0; k < 2; k++)
        step->foot_place[i][k] += 2 * step->intended_velocity[2 * k] * step->dt + within(c, 0.002);
    step->foot_loaded[i] = loaded;
    step->foot_caught[i] = one_in(c, 400);
    for (int k = 0; k < 4; k++) {
      step->foot_corner[i][k][0] = step->foot_place[i][0] + (k % 2 ? -0.04 : 0.04);
      step->foot_corner[i][k][1] = step->foot_place[i][1] + (k / 2 ? 0.15 : -0.1);
    }
  }
  MetricsLanding *landing = &step->landing;
  landing->pelvis_touches = step->fallen && number % 7 > 0;
  landing->head_touches = step->settled && one_in(c, 50);
  landing->pelvis_speed = within(c, 2);
  landing->head_speed = within(c, 3);
  landing->knee = fabs(within(c, 1.5));
  landing->hip = fabs(within(c, 1.5));
  for (int i = 0; i < METRICS_HANDS; i++) {
    landing->hand_touches[i] = step->fallen && one_in(c, 5);
    landing->hand_speed[i] = within(c, 3);
    landing->reach_speed[i] = fabs(within(c, 4));
  }
  metrics_step(c->metrics, step);
}

static void turn_a_little(Course *c, float rotation[4], double most) {
  const double angle = within(c, most), axis = within(c, 1);
  const versors by = quat_exp((vec3s){{(float)angle, (float)(angle * axis), 0}});
  const versors now =
      glms_quat_normalize(glms_quat_mul((versors){{rotation[0], rotation[1], rotation[2], rotation[3]}}, by));
  memcpy(rotation, now.raw, sizeof now.raw);
}

static MetricsFoot foot_of(Course *c, int i) {
  MetricsFoot foot = {.heel_clearance = within(c, 0.03),
                      .toe_clearance = within(c, 0.03),
                      .sole_clearance = within(c, 0.02),
                      .knee_angle = fabs(within(c, 1)),
                      .standing = c->step.foot_loaded[i],
                      .planted = c->step.foot_loaded[i] && !one_in(c, 4),
                      .depth = fmax(0, within(c, 0.005)),
                      .lift = fmax(0, within(c, 0.01)),
                      .gap = fmax(0, within(c, 0.02)),
                      .angle_error = fabs(within(c, 0.1))};
  for (int k = 0; k < 3; k++) {
    foot.sole[k] = (k == 1 ? 0 : c->step.foot_place[i][k / 2]) + within(c, 0.001);
    foot.ankle[k] = foot.sole[k] + (k == 1 ? 0.08 : 0);
  }
  return foot;
}

static void take_frame(Course *c) {
  MetricsFrame *frame = &c->frame;
  frame->time = c->step.time;
  frame->ground_height = c->step.ground_height;
  frame->lost = c->step.fallen;
  for (int p = 0; p < 3; p++) {
    for (int k = 0; k < 3; k++)
      frame->root_position[p][k] = (float)(c->step.com[k] + within(c, 0.01));
    for (int i = 0; i <= JOINTS; i++)
      turn_a_little(c, c->rotation[p][i], 0.05);
    frame->rotation[p] = (const float(*)[4])c->rotation[p];
  }
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < PARTS; i++) {
      for (int k = 0; k < 3; k++)
        c->position[p][i][k] = (float)(c->step.com[k] + 0.1 * i + within(c, 0.02));
      turn_a_little(c, c->turned[p][i], 0.05);
    }
    frame->part_position[p] = (const float(*)[3])c->position[p];
    frame->part_rotation[p] = (const float(*)[4])c->turned[p];
  }
  for (int i = 0; i < frame->foot_count; i++) {
    frame->measured_feet[i] = foot_of(c, i);
    frame->output_feet[i] = foot_of(c, i);
    MetricsPlan *plan = &frame->plans[i];
    plan->known = !one_in(c, 10);
    plan->progress = fmod(c->phase / M_PI + i, 1);
    plan->clearance = fabs(within(c, 0.1));
    plan->heel = fabs(within(c, 0.1));
    plan->toe = fabs(within(c, 0.1));
    plan->physical = one_in(c, 2);
    for (int k = 0; k < 3; k++)
      plan->animated[k] = frame->output_feet[i].sole[k] + within(c, 0.01);
  }
  metrics_frame(c->metrics, frame);
}

static void begin(Course *c, const Kind *kind, int seed) {
  memset(c, 0, sizeof *c);
  c->kind = kind;
  c->rng = rng_make((uint64_t)seed, kind->name);
  c->metrics = metrics_create(70);
  assert_non_null(c->metrics);
  c->step = (MetricsStep){.dt = 1.0 / 240, .joint_count = JOINTS, .com = {0, 1, 0}, .foot_count = 2};
  c->step.joint_error = c->error;
  c->step.joint_torque = (const float(*)[3])c->torque;
  c->step.balance.known = kind->balances;
  c->step.landing.known = kind->falls;
  c->step.head.known = kind->size > 0.25;
  c->frame = (MetricsFrame){.joint_count = JOINTS + 1, .part_count = kind->falls ? PARTS : 0, .foot_count = 2};
  for (int i = 0; i < 3 * (JOINTS + 1); i++)
    c->rotation[i / (JOINTS + 1)][i % (JOINTS + 1)][3] = 1;
  for (int i = 0; i < 2 * PARTS; i++)
    c->turned[i / PARTS][i % PARTS][3] = 1;
  if (kind->onset)
    metrics_set_onset(c->metrics, 2.5);
}

static void run(const Kind *kind, int seed, double sums_of[SUMS]) {
  static Course course;
  Course *c = &course;
  static const char *const parts[] = {"chest", "thigh_r", "head"};
  begin(c, kind, seed);
  for (int i = 0; i < STEPS; i++) {
    if (i % 120 == 0 && one_in(c, 2))
      change(c);
    if (kind->hits > 0 && one_in(c, kind->hits)) {
      const int pushes = 1 + rng_index(&c->rng, 3);
      for (int k = 0; k < pushes; k++) {
        const double impulse = rng_range(&c->rng, 1, 20);
        metrics_hit(c->metrics, c->step.time, impulse, parts[rng_index(&c->rng, 3)]);
      }
      c->disturbed = kind->size;
    }
    take_step(c, i);
    if (i % 1000 == 700) {
      Metrics *fresh = metrics_create(70);
      assert_non_null(fresh);
      DRILL_RENEW(c->metrics, fresh, metrics_state);
      metrics_destroy(c->metrics);
      c->metrics = fresh;
    }
    if (i % EVERY == 0)
      take_frame(c);
    if (one_in(c, 500))
      metrics_refusal(c->metrics, (FootRefusal)rng_index(&c->rng, FOOT_REFUSAL_COUNT));
  }
  metrics_finish(c->metrics);
  DrillSum sums[SUMS] = {{0}};
  for (int i = 0; i < metric_row_count; i++) {
    const double is = value(c->metrics, metric_rows[i].name), scaled = isnan(is) ? 0 : is / (1 + fabs(is));
    drill_add(&sums[VALUES], scaled);
    drill_add(&sums[KNOWN], !isnan(is));
  }
  int count;
  const MetricsHit *hits = metrics_hits(c->metrics, &count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < METRIC_HIT_ROWS; k++) {
      const double figure = metric_hit_figure(&hits[i], k);
      drill_add(&sums[HITS], isnan(figure) ? -1 : figure / (1 + fabs(figure)));
    }
    drill_add(&sums[HITS], hits[i].part[0] + hits[i].strategy[0] + hits[i].strategy[1]);
  }
  const MetricsResponse *responses = metrics_responses(c->metrics, &count);
  for (int i = 0; i < count; i++) {
    const MetricsResponse *r = &responses[i];
    const double figures[] = {r->time,
                              r->from[0],
                              r->from[1],
                              r->to[0],
                              r->to[1],
                              isnan(r->root_latency) ? -1 : r->root_latency,
                              isnan(r->body_latency) ? -1 : r->body_latency};
    drill_add_all(&sums[RESPONSES], figures, 7);
  }
  metrics_destroy(c->metrics);
  for (int k = 0; k < SUMS; k++)
    sums_of[k] += sums[k].sum;
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < KIND_COUNT; i++) {
    double sums[SUMS] = {0};
    for (int seed = 1; seed <= RUNS; seed++)
      run(&KINDS[i], seed, sums);
    wrong += !drill_is_kept(KINDS[i].name, NAMES, sums, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
