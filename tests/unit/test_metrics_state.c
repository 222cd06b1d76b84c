// Metrics that are saved at any moment of an eventful run, and restored into fresh ones, go on as if nothing had
// happened.
#include "tests/unit/metrics_run.h"

#include <stdlib.h>

#include "sim/base/rng.h"
#include "sim/base/state.h"

enum { STEPS = 3000, FEET = 2, JOINTS = 3, PARTS = 2, FRAME_EVERY = 4 };

static double swing(Rng *rng, double most) { return rng_range(rng, -most, most); }

static bool chance(Rng *rng, double share) { return rng_range(rng, 0, 1) < share; }

// What happens in a step: the same for all metrics. He stands, walks, is hit, falls, gets up, is hit again.
static void fill_step(MetricsStep *step, int i) {
  Rng rng = rng_make((uint64_t)i, "step");
  double time = (i + 1) * DT, cycle = fmod(time, 0.5) / 0.5;
  bool walks = fmod(time, 4) > 1.5, down = time > 7 && time < 9.5;
  *step = (MetricsStep){.time = time, .dt = DT, .joint_count = JOINTS - 1, .foot_count = FEET, .power = swing(&rng, 9)};
  step->fallen = down && time < 8.6;
  step->settled = down && time > 8;
  step->rising = down && time > 8.3;
  step->com[1] = step->fallen ? 0.3 : 1;
  step->com[2] = time;
  step->stride_time = 1;
  step->support_margin = swing(&rng, 0.1);
  step->intended_turn_rate = swing(&rng, 0.05);
  step->balance = (MetricsBalance){.known = time > 5, .steps = (int)(2 * time), .margin = swing(&rng, 0.1)};
  step->depth = rng_range(&rng, 0, 0.01);
  step->heading = swing(&rng, 0.2);
  step->landing = (MetricsLanding){.known = true, .pelvis_speed = 0.3 + time / 10, .head_speed = 1};
  step->landing.hand_touches[0] = step->landing.pelvis_touches = step->landing.head_touches = down && time > 7.3;
  step->head.known = true;
  for (int k = 0; k < 3; k++) {
    step->com_velocity[k] = (k == 2 && walks ? 1 : 0) + swing(&rng, 0.02);
    step->intended_velocity[k] = k == 2 && walks ? 1 : 0;
    step->wanted_velocity[k] = step->intended_velocity[k];
    step->assist_force[k] = swing(&rng, 50);
    step->assist_torque[k] = swing(&rng, 5);
    step->angular_momentum[k] = swing(&rng, 3);
    step->head.velocity[k] = swing(&rng, 1);
    step->head.spin[k] = swing(&rng, 1);
  }
  for (int k = 0; k < METRICS_JOINT_GROUPS; k++)
    step->absorbed_power[k] = rng_range(&rng, 0, 10);
  for (int foot = 0; foot < FEET; foot++) {
    step->foot_loaded[foot] = !walks || (foot == 0 ? cycle < 0.6 : cycle > 0.4);
    step->foot_caught[foot] = chance(&rng, 0.005);
    step->foot_place[foot][0] = foot ? -0.1 : 0.1;
    step->foot_place[foot][1] = floor(time * 2 + 0.5 * foot) * 0.5;
  }
}

static void fill_foot(MetricsFoot *foot, Rng *rng, bool stands, double ahead) {
  *foot = (MetricsFoot){.standing = stands, .planted = stands && chance(rng, 0.97)};
  const double height = stands ? 0 : rng_range(rng, 0, 0.1);
  foot->heel_clearance = height + swing(rng, 0.004);
  foot->toe_clearance = height + swing(rng, 0.004);
  foot->sole_clearance = height + swing(rng, 0.004);
  foot->knee_angle = swing(rng, 0.5);
  foot->depth = rng_range(rng, 0, 0.003);
  foot->lift = chance(rng, 0.1) ? 0.004 : 0;
  foot->gap = rng_range(rng, 0, 0.008);
  foot->angle_error = swing(rng, 0.1);
  for (int k = 0; k < 3; k++) {
    foot->sole[k] = (k == 2 ? ahead : 0) + swing(rng, 0.004);
    foot->ankle[k] = foot->sole[k] + swing(rng, 0.001);
  }
}

static void fill_rotations(Rng *rng, float rotations[][4], int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 4; k++)
      rotations[i][k] = k == 3 ? 1 : (float)swing(rng, 0.2);
}

static void feed_frame(Metrics *metrics, const MetricsStep *step, int i) {
  Rng rng = rng_make((uint64_t)i, "frame");
  float rotation[3][JOINTS][4], part_rotation[2][PARTS][4], part_position[2][PARTS][3];
  MetricsFrame frame = {.time = step->time, .joint_count = JOINTS, .part_count = PARTS, .foot_count = FEET};
  for (int pose = 0; pose < 3; pose++) {
    fill_rotations(&rng, rotation[pose], JOINTS);
    frame.rotation[pose] = (const float(*)[4])rotation[pose];
    for (int k = 0; k < 3; k++)
      frame.root_position[pose][k] = (float)swing(&rng, 0.1);
  }
  for (int pose = 0; pose < 2; pose++) {
    fill_rotations(&rng, part_rotation[pose], PARTS);
    for (int k = 0; k < 3 * PARTS; k++)
      part_position[pose][k / 3][k % 3] = (float)swing(&rng, 0.05);
    frame.part_rotation[pose] = (const float(*)[4])part_rotation[pose];
    frame.part_position[pose] = (const float(*)[3])part_position[pose];
  }
  for (int foot = 0; foot < FEET; foot++) {
    const bool stands = step->foot_loaded[foot];
    fill_foot(&frame.measured_feet[foot], &rng, stands, step->foot_place[foot][1]);
    fill_foot(&frame.output_feet[foot], &rng, stands, step->foot_place[foot][1]);
    frame.plans[foot] = (MetricsPlan){.known = true,
                                      .progress = rng_range(&rng, 0, 1),
                                      .clearance = rng_range(&rng, 0, 0.1),
                                      .heel = stands ? 0 : 0.1,
                                      .toe = stands ? 0 : 0.1};
  }
  metrics_frame(metrics, &frame);
}

static void feed(Metrics *metrics, int i) {
  MetricsStep step;
  Rng rng = rng_make((uint64_t)i, "joints");
  float error[JOINTS], torque[JOINTS][3];
  fill_step(&step, i);
  for (int k = 0; k < JOINTS; k++) {
    error[k] = (float)swing(&rng, 0.1);
    for (int axis = 0; axis < 3; axis++)
      torque[k][axis] = (float)swing(&rng, 100);
  }
  step.joint_error = error;
  step.joint_torque = (const float(*)[3])torque;
  if (i % 700 == 350)
    metrics_hit(metrics, i * DT, 1 + i / 1000.0, i % 1400 == 350 ? "chest" : "head");
  metrics_step(metrics, &step);
  if (i % FRAME_EVERY == 0)
    feed_frame(metrics, &step, i);
}

typedef struct Saved {
  unsigned char *bytes;
  size_t size;
} Saved;

static Saved save(Metrics *metrics) {
  StateStream counter = state_stream_count();
  metrics_state(metrics, &counter);
  Saved saved = {.bytes = malloc(counter.at), .size = counter.at};
  assert_non_null(saved.bytes);
  StateStream stream = state_stream_save(saved.bytes, saved.size, NULL);
  metrics_state(metrics, &stream);
  assert_true(!stream.failed && stream.at == saved.size);
  return saved;
}

static Metrics *restore(const Saved *saved) {
  Error error = {0};
  Metrics *metrics = metrics_create(50);
  StateStream stream = state_stream_restore(saved->bytes, saved->size, &error);
  metrics_state(metrics, &stream);
  assert_string_equal(error.text, "");
  assert_int_equal(stream.at, saved->size);
  return metrics;
}

static void assert_same(const Metrics *one, const Metrics *other, int moment) {
  for (int i = 0; i < metric_row_count; i++) {
    double a = value(one, metric_rows[i].name), b = value(other, metric_rows[i].name);
    if (!(a == b || (isnan(a) && isnan(b))))
      fail_msg("saved after %d steps, %s is %.17g instead of %.17g", moment, metric_rows[i].name, b, a);
  }
}

static void test_metrics_go_on(void **state) {
  (void)state;
  static const int moments[] = {0, 1, 5, 401, 800, 1053, 1500, 1802, 2250, 2441, 2800};
  enum { MOMENTS = sizeof moments / sizeof *moments };
  Metrics *whole = metrics_create(50), *restored[MOMENTS] = {NULL};
  for (int i = 0; i < STEPS; i++) {
    for (int k = 0; k < MOMENTS; k++) {
      if (moments[k] == i) {
        Saved saved = save(whole);
        restored[k] = restore(&saved);
        Saved again = save(restored[k]);
        assert_memory_equal(saved.bytes, again.bytes, saved.size);
        free(saved.bytes);
        free(again.bytes);
      }
      if (restored[k])
        feed(restored[k], i);
    }
    feed(whole, i);
  }
  metrics_finish(whole);
  // The run has what there is to save.
  static const char *const happened[] = {"foot_slip_max", "knee_pop_max",     "fell",          "hits",
                                         "cadence",       "first_step_width", "rms_pose_error"};
  for (size_t i = 0; i < sizeof happened / sizeof *happened; i++)
    if (!(value(whole, happened[i]) > 0))
      fail_msg("%s is %g", happened[i], value(whole, happened[i]));
  Saved end = save(whole);
  for (int k = 0; k < MOMENTS; k++) {
    metrics_finish(restored[k]);
    assert_same(whole, restored[k], moments[k]);
    Saved other = save(restored[k]);
    assert_int_equal(end.size, other.size);
    assert_memory_equal(end.bytes, other.bytes, end.size);
    free(other.bytes);
    metrics_destroy(restored[k]);
  }
  free(end.bytes);
  metrics_destroy(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_metrics_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
