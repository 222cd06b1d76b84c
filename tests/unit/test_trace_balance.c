// From the file alone, momentum balances: between any two frames of a trace it changes by gravity, contacts, events and
// assist, for characters and objects, linear and angular, and for a man who balances without assist. Torques of drives
// are within their limits.
#include "tests/unit/small_scene.h"

#include "sim/world/projectile.h"
#include "tests/trace_balance.h"

enum { MOST_PARTS = 32, MOST_FRAMES = 200 };

// A run with bullets, a push, and a ball that strikes the runner.

static const char *const RUN[] = {
    "duration=2.5", "terrain.x=[-5, 5]", "expect=[]",
    "events=[{every: [0.15, 0.4], from: 0.3, part: any, impulse: [2, 12], direction: [0, 360]},"
    " {kind: push, time: 1.2, part: chest, impulse: 20, direction: 60, duration: 0.2}]"};

// A man walks by balance alone and is pushed.

static const char *const WALK[] = {
    "duration=3.3", "expect=[]", "characters.man.responses.enabled=false",
    "characters.man.script=[{time: 0.1, speed: 1}]",
    "events=[{kind: push, character: man, part: chest, time: 2, impulse: 55, direction: 70, duration: 0.2}]"};

// A man who is moved by animation alone walks into a box, and is shot at and pushed.
#define SOLID "characters.man.drive={kinematic: true}"
#define MEETS_A_BOX "props=[{name: box, size: [0.8, 1, 0.5], mass: 40, center: [0, 0.51, 1.2]}]"
static const char HITS[] = "events=[{every: 0.1, from: 0.3, part: any, impulse: [2, 12], direction: [0, 360]},"
                           " {kind: push, time: 1, part: chest, impulse: 20, direction: 60, duration: 0.2}]";

static void throw_ball(Scene *scene) {
  const double *com = scene->characters[0]->sensed.com;
  Projectile ball = {3, 0.11, {com[0] + 3, com[1] + 0.5, com[2] + 1}, {-12, 0, 0}, 1000, 0};
  ball.velocity[2] = 3.5 - 1 / 0.25;
  assert_true(projectile_create(scene->world, &ball) >= 0);
}

// throw_at: the step before which a ball is thrown, -1: none.
static void record_run(const char *path, const char *name, const char *const *overrides, int count, long throw_at) {
  Error error = {0};
  SceneDef *def = scene_def_read(name, overrides, count, &error);
  assert_string_equal(error.text, "");
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  for (long i = 0; i < def->step_count; i++) {
    if (i == throw_at)
      throw_ball(scene);
    assert_true(scene_step(scene));
  }
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);
}

// What is read from a run.
typedef struct Data {
  BalanceTrace trace;
  BalanceBodies man, ball;
} Data;

static TraceReader *reader;

static void read_rows(const char *path, TraceType type, long rows, void *values) {
  Error error = {0};
  if (!trace_read(reader, path, type, 0, rows, values, &error))
    fail_msg("%s", error.text);
}

static void free_data(Data *data) {
  balance_close(&data->trace);
  balance_free(&data->man);
  balance_free(&data->ball);
  free(data);
}

// The trace of a run, which is removed, and a character in it.
static Data *read_data(const char *path, const char *name, int parts) {
  Error error = {0};
  reader = trace_open(path, &error);
  remove(path);
  assert_string_equal(error.text, "");
  Data *data = calloc(1, sizeof *data);
  data->trace = balance_open(reader);
  assert_true(data->trace.frames > 100);
  data->man = balance_character(&data->trace, name, 0);
  assert_int_equal(data->man.count, parts);
  return data;
}

// Over the frames: the largest momentum in N s, and the RMS of angular momentum in N m s; worst ones are random.
typedef struct Worst {
  double change, turning; // of momentum and angular momentum
  double linear, angular; // the unexplained part
  double share;           // the largest share of what is allowed
} Worst;

// arm, m: how far joints may be open.
static Worst weigh_frames(const Data *data, const BalanceBodies *bodies, double arm) {
  Worst worst = {0};
  const int frames = data->trace.frames;
  for (int i = 1; i < frames; i++) {
    const BalanceFrame frame = balance_frame(&data->trace, bodies, i);
    const double linear = length3(frame.rest.linear), angular = length3(frame.rest.angular);
    assert_true(isfinite(linear) && isfinite(angular));
    worst.change = fmax(worst.change, length3(frame.change.linear));
    worst.linear = fmax(worst.linear, linear);
    worst.turning += dot3(frame.change.angular, frame.change.angular) / (frames - 1);
    worst.angular += angular * angular / (frames - 1);
    worst.share = fmax(worst.share, linear / balance_allowed_linear(&frame));
    worst.share = fmax(worst.share, angular / balance_allowed_angular(&frame, arm));
  }
  worst.turning = sqrt(worst.turning);
  worst.angular = sqrt(worst.angular);
  print_message(
      "in a frame: linear %.2g of %.3g N s at most, angular %.2g of %.3g N m s RMS, %.2g of what is allowed\n",
      worst.linear, worst.change, worst.angular, worst.turning, worst.share);
  return worst;
}

static void test_characters_balance(void **state) {
  const Data *data = *state;
  assert_int_equal(data->trace.frames, 151);
  assert_true(data->trace.event_count > 40);
  Worst worst = weigh_frames(data, &data->man, 1e-5);
  assert_true(worst.change > 15 && worst.turning > 1);
  assert_true(worst.share < 1);
  assert_true(worst.linear < 2e-6);                   // events are in single precision
  assert_true(worst.angular < 0.006 * worst.turning); // steps turn bodies by their spin at the end, joints give way
                                                      // by micrometres
}

// Runs a scene and examines another trace than that of most tests.
static Data *begin_other(const char *name, const char *const *overrides, int count, const char *who, int parts) {
  char path[32];
  small_file(path);
  record_run(path, name, overrides, count, -1);
  return read_data(path, who, parts);
}

static void end_other(Data *data, TraceReader *other) {
  free_data(data);
  trace_reader_close(reader);
  reader = other;
}

// Weight, ground and the push explain all motion of a man who balances by himself: the trace has no other hand.
static void test_a_walker_is_moved_by_ground_and_push_alone(void **state) {
  (void)state;
  TraceReader *other = reader;
  Data *data = begin_other("walk_push", WALK, sizeof WALK / sizeof WALK[0], "man", 16);
  const BalanceBodies *man = &data->man;
  double way = man->position[(data->trace.frames - 1) * man->count][2] - man->position[0][2], assist = 0;
  for (int frame = 0; frame < data->trace.frames; frame++)
    assist = fmax(assist, length3(man->force[frame]) + length3(man->torque[frame]));
  Worst worst = weigh_frames(data, man, 1e-5);
  assert_true(way > 1.5 && data->trace.event_count > 0);
  assert_true(assist == 0);
  assert_true(worst.change > 10 && worst.turning > 0.5);
  assert_true(worst.share < 1);
  assert_true(worst.linear < 2e-6);
  assert_true(worst.angular < 0.002 * worst.turning); // feet that roll are struck at heel and toes
  end_other(data, other);
}

// The hand of a kinematic body balances all contacts and hits on it, to the last digits, in frames of one step and of
// four.
static void test_the_hand_answers_what_a_kinematic_body_meets(void **state) {
  (void)state;
  TraceReader *other = reader;
  static const char *const rates[] = {"trace.rate=240", "trace.rate=60"};
  for (int i = 0; i < 2; i++) {
    const char *const overrides[] = {
        rates[i], SOLID, "characters.man.responses.enabled=false", "duration=2.5", "expect=[]", MEETS_A_BOX, HITS};
    Data *data = begin_other("walk_push", overrides, sizeof overrides / sizeof overrides[0], "man", 16);
    Worst worst = weigh_frames(data, &data->man, 0);
    assert_true(data->man.kinematic && worst.share < 1);
    assert_true(data->trace.event_count > 20);
    double pushed = 0; // N s: impulse by the box
    for (int k = 0; k < data->trace.first[data->trace.frames - 1]; k++)
      pushed += length3(data->trace.impulse[k]) * (data->trace.part[k] < 16 && data->trace.other[k] >= 16);
    assert_true(pushed > 20);
    end_other(data, other);
  }
}

static void test_objects_balance(void **state) {
  const Data *data = *state;
  const BalanceBodies *ball = &data->ball;
  int came = 0, hit_frames = 0;
  while (came < data->trace.frames && isnan(ball->position[came][0]))
    came++;
  assert_int_equal(came, 46); // steps 184 of 4 a frame, the first after it was thrown
  double linear = 0, angular = 0;
  for (int i = came + 1; i < data->trace.frames; i++) {
    const BalanceFrame frame = balance_frame(&data->trace, ball, i);
    const double weight = ball->mass[0] * (data->trace.time[i] - data->trace.time[i - 1]) * 9.81;
    hit_frames += fabs(length3(frame.change.linear) - weight) > 1e-6;
    assert_true(finite3(frame.rest.linear) && finite3(frame.rest.angular));
    linear = fmax(linear, length3(frame.rest.linear));
    // Its spin fades (see projectile.h), which only the balance of its contacts would show.
    if (i < came + 12)
      angular = fmax(angular, length3(frame.rest.angular));
  }
  print_message("ball: linear %.2g N s, angular %.2g N m s in a frame at most\n", linear, angular);
  assert_true(hit_frames > 0 && linear < 1e-9 && angular < 0.01);
}

static void test_objects_are_described(void **state) {
  Data *data = *state;
  char names[MOST_PARTS][TRACE_NAME_SIZE];
  assert_int_equal(trace_row_names(reader, "/contacts/other", names, MOST_PARTS), 16);
  assert_int_equal(data->ball.first_number, 16);
  double size[3];
  assert_int_equal(trace_values(reader, "/objects/ball_1", "size", size, 3), 3);
  for (int k = 0; k < 3; k++) {
    assert_near(size[k], 0.22, 1e-12);
    assert_near(data->ball.inertia[0][k], 0.4 * 3 * 0.11 * 0.11, 1e-12);
  }
  assert_near(data->ball.mass[0], 3, 1e-12);
  int struck = 0;
  for (int i = 0; i < data->trace.event_count; i++)
    struck += strcmp(data->trace.events[i].kind, "projectile") == 0;
  assert_true(struck > 0);
}

// Cosine of the angle between the two axes of a universal joint, one in the parent and one in the child: 0 but for the
// error of the joint, which a blow opens. q: child in the parent's frame, x y z w.
static double between_axes(const float q[4]) { return 2 * fabs((double)(q[0] * q[2] + q[3] * q[1])); }

// The drives give at most their share of the limit: as the norm of torques about axes at right angles.
static void test_strength_bounds_torque(void **state) {
  Data *data = *state;
  enum { JOINTS = 15 };
  double limit[JOINTS];
  static const bool universal[JOINTS] = {[7] = true, [8] = true, [13] = true, [14] = true}; // hands and feet
  static float torque[MOST_FRAMES][JOINTS][3], strength[MOST_FRAMES][JOINTS], rotation[MOST_FRAMES][JOINTS][4];
  assert_int_equal(trace_values(reader, "/characters/runner/joints/torque", "limit", limit, JOINTS), JOINTS);
  read_rows("/characters/runner/joints/torque", TRACE_FLOAT32, data->trace.frames, torque);
  read_rows("/characters/runner/joints/strength", TRACE_FLOAT32, data->trace.frames, strength);
  read_rows("/characters/runner/pose/measured/rotation", TRACE_FLOAT32, data->trace.frames, rotation);
  double most = 0;
  for (int i = 1; i < data->trace.frames; i++)
    for (int k = 0; k < JOINTS; k++) {
      const float *t = torque[i][k];
      double size = sqrt((double)(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])), had = limit[k] * (double)strength[i][k];
      double cosine = universal[k] ? fmax(between_axes(rotation[i - 1][k]), between_axes(rotation[i][k])) : 0;
      if (size > 1.0001 * sqrt(1 + cosine) * had)
        fail_msg("joint %d in frame %d: %g of %g N m", k, i, size, had);
      most = fmax(most, size / had);
    }
  assert_true(most > 0.9); // the bound is reached
}

static int read_trace(void **state) {
  char path[32];
  small_file(path);
  record_run(path, "hit_run", RUN, sizeof RUN / sizeof RUN[0], 182); // between two frames
  Data *data = read_data(path, "runner", 16);
  data->ball = balance_object(&data->trace, "ball_1");
  *state = data;
  return 0;
}

static int close_trace(void **state) {
  free_data(*state);
  trace_reader_close(reader);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_characters_balance),
      cmocka_unit_test(test_a_walker_is_moved_by_ground_and_push_alone),
      cmocka_unit_test(test_the_hand_answers_what_a_kinematic_body_meets),
      cmocka_unit_test(test_objects_balance),
      cmocka_unit_test(test_objects_are_described),
      cmocka_unit_test(test_strength_bounds_torque),
  };
  return cmocka_run_group_tests(tests, read_trace, close_trace);
}
