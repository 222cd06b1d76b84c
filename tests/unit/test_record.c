// What a trace records: merged contacts keep impulse and moment; frames add up to the change of momentum.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "scenes/record/contact_sums.h"
#include "sim/world/projectile.h"

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static Contact contact_at(double x, double z, double jx, double jy, double jz) {
  return (Contact){
      .body = 1, .other = WORLD_GROUND, .position = {x, 0.1, z}, .normal = {0, 1, 0}, .impulse = {jx, jy, jz}};
}

static void test_one_contact_stays_as_it_is(void **state) {
  (void)state;
  ContactSums *sums = calloc(1, sizeof *sums);
  Contact contact = contact_at(3, 60, 0.5, 2, -0.25);
  contact_sums_add(sums, &contact);
  assert_int_equal(sums->count, 1);
  double position[3], normal[3];
  contact_sum_result(&sums->sums[0], position, normal);
  for (int k = 0; k < 3; k++) {
    assert_near(position[k], contact.position[k], 1e-15);
    assert_near(normal[k], contact.normal[k], 1e-15);
    assert_true(sums->sums[0].impulse[k] == contact.impulse[k]);
  }
  free(sums);
}

static void test_places_and_pairs_stay_apart(void **state) {
  (void)state;
  ContactSums *sums = calloc(1, sizeof *sums);
  Contact a = contact_at(0, 0, 0, 1, 0), near_a = contact_at(0.029, 0, 0, 1, 0), far = contact_at(0.031, 0, 0, 1, 0);
  Contact other_body = a, other_pair = a;
  other_body.body = 2;
  other_pair.other = 0;
  const Contact *all[] = {&a, &near_a, &far, &other_body, &other_pair};
  for (int i = 0; i < 5; i++)
    contact_sums_add(sums, all[i]);
  assert_int_equal(sums->count, 4);
  assert_true(sums->sums[0].impulse[1] == 2);
  free(sums);
}

// The merged impulse at the merged position has the total impulse and, perpendicular to it, the total moment.
static void test_merging_keeps_impulse_and_moment(void **state) {
  (void)state;
  ContactSums *sums = calloc(1, sizeof *sums);
  double impulse[3] = {0}, moment[3] = {0};
  for (int i = 0; i < 8; i++) {
    Contact contact = contact_at(2 + 0.002 * i, 50 - 0.0003 * i * i, 0.1 * i, 1 + 0.3 * i, 0.4 - 0.1 * i);
    double part[3];
    cross(contact.position, contact.impulse, part);
    for (int k = 0; k < 3; k++) {
      impulse[k] += contact.impulse[k];
      moment[k] += part[k];
    }
    contact_sums_add(sums, &contact);
  }
  assert_int_equal(sums->count, 1);
  double position[3], normal[3], merged[3], rest[3], along = 0, size = 0;
  contact_sum_result(&sums->sums[0], position, normal);
  cross(position, sums->sums[0].impulse, merged);
  contact_sum_moment(&sums->sums[0], position, rest);
  for (int k = 0; k < 3; k++) {
    assert_near(sums->sums[0].impulse[k], impulse[k], 1e-12);
    along += (moment[k] - merged[k]) * impulse[k];
    size += impulse[k] * impulse[k];
  }
  for (int k = 0; k < 3; k++) {
    assert_near(moment[k] - merged[k], along / size * impulse[k], 1e-10);
    assert_near(merged[k] + rest[k], moment[k], 1e-10);
  }
  assert_true(fabs(position[0] - 2.007) < 0.02 && fabs(position[1] - 0.1) < 0.02);
  free(sums);
}

static void test_impulses_that_cancel_stay_in_place(void **state) {
  (void)state;
  ContactSums *sums = calloc(1, sizeof *sums);
  Contact up = contact_at(0, 0, 0, 1, 0), down = contact_at(0.01, 0, 0, -1, 0), none = contact_at(1, 1, 0, 0, 0);
  contact_sums_add(sums, &up);
  contact_sums_add(sums, &down);
  contact_sums_add(sums, &none);
  double position[3], normal[3];
  contact_sum_result(&sums->sums[0], position, normal);
  assert_near(position[0], 0.005, 1e-12);
  contact_sum_result(&sums->sums[1], position, normal);
  assert_near(position[0], 1, 1e-15);
  assert_near(normal[1], 1, 1e-15);
  free(sums);
}

// Frames.

static const char BALANCE[] =
    "duration: 1\n"
    "characters:\n"
    "  - {name: doll, body: boxes.yaml, start: {position: [0, -0.6, 0]}, drive: {enabled: false},\n"
    "     assist: {enabled: true, part: top, force: 30, torque: 1}}\n"
    "events:\n"
    "  - {every: 0.21, part: any, impulse: [1, 3], direction: [0, 360]}\n"
    "  - {kind: push, time: 0.3, part: base, impulse: 6, direction: 40, duration: 0.13}\n";

static void read_all(TraceReader *reader, const char *path, long rows, void *values, TraceType type) {
  Error error = {0};
  if (!trace_read(reader, path, type, 0, rows, values, &error))
    fail_msg("%s", error.text);
}

// Between any two frames, momentum changes by weight, contacts, events and assist, from the file alone.
static void test_frames_balance(void **state) {
  (void)state;
  enum { FRAMES = 61, PARTS = 2, MOST = 4096 };
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = small_def(BALANCE);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  for (int i = 0; i < 240; i++)
    assert_true(scene_step(scene));
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));

  TraceReader *reader = trace_open(path, &error);
  assert_int_equal(trace_frame_count(reader), FRAMES);
  static double time[FRAMES], velocity[FRAMES][PARTS][3], assist[FRAMES][3], impulse[MOST][3];
  static int first[FRAMES], count[FRAMES], other[MOST], part[MOST];
  long contacts;
  int width;
  assert_true(trace_shape(reader, "/contacts/impulse", &contacts, &width));
  assert_true(contacts > 60 && contacts < MOST && width == 3);
  read_all(reader, "/time", FRAMES, time, TRACE_FLOAT64);
  read_all(reader, "/characters/doll/parts/linear_velocity", FRAMES, velocity, TRACE_FLOAT64);
  read_all(reader, "/characters/doll/assist/force", FRAMES, assist, TRACE_FLOAT64);
  read_all(reader, "/contacts/first", FRAMES, first, TRACE_INT32);
  read_all(reader, "/contacts/count", FRAMES, count, TRACE_INT32);
  read_all(reader, "/contacts/impulse", contacts, impulse, TRACE_FLOAT64);
  read_all(reader, "/contacts/part", contacts, part, TRACE_INT32);
  read_all(reader, "/contacts/other", contacts, other, TRACE_INT32);
  int event_count;
  TraceEvent *events = trace_events(reader, &event_count);
  assert_true(event_count > 30);

  static const double mass[PARTS] = {4, 2};
  bool helped = false;
  for (int i = 1; i < FRAMES; i++) {
    double change[3] = {0, 0, 0}, given[3] = {0, -6 * 9.81 * (time[i] - time[i - 1]), 0};
    for (int k = 0; k < 3; k++) {
      for (int n = 0; n < PARTS; n++)
        change[k] += mass[n] * (velocity[i][n][k] - velocity[i - 1][n][k]);
      for (int n = first[i]; n < first[i] + count[i]; n++)
        given[k] += other[n] == WORLD_GROUND ? impulse[n][k] : 0;
      for (int n = 0; n < event_count; n++)
        if (events[n].time > time[i - 1] - 1e-6 && events[n].time < time[i] - 1e-6)
          given[k] += (double)events[n].impulse[k];
      given[k] += assist[i][k] * (time[i] - time[i - 1]);
      helped = helped || assist[i][k] != 0;
      assert_near(change[k], given[k], 1e-5); // events are in single precision
    }
  }
  assert_true(helped);
  assert_int_equal(first[FRAMES - 1] + count[FRAMES - 1], contacts);

  // Names and attributes.
  char names[8][TRACE_NAME_SIZE];
  assert_int_equal(trace_row_names(reader, "/contacts/part", names, 8), 2);
  assert_string_equal(names[0], "doll/base");
  assert_string_equal(names[1], "doll/top");
  assert_int_equal(trace_row_names(reader, "/characters/doll/parts/position", names, 8), 2);
  assert_string_equal(names[1], "top");
  assert_int_equal(trace_row_names(reader, "/characters/doll/joints/torque", names, 8), 1);
  assert_string_equal(names[0], "top");
  free(events);
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_def_free(def);
  remove(path);
}

// A body that lies has a fifth of its strength, and without a drive there is none.
static void check_strength(const char *enabled, float lying) {
  enum { FRAMES = 91 };
  char path[32], override[64];
  small_file(path);
  Error error = {0};
  snprintf(override, sizeof override, "characters.doll.drive.enabled=%s", enabled);
  const char *const overrides[] = {override, "events=[]", "characters.doll.assist.enabled=false", "duration=2"};
  SceneDef *def = small_def_try(BALANCE, overrides, 4, &error);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  for (int i = 0; i < 4 * (FRAMES - 1); i++)
    assert_true(scene_step(scene));
  assert_true(trace_close(writer, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  static float strength[FRAMES];
  static int state[FRAMES];
  static double point[FRAMES][3];
  read_all(reader, "/characters/doll/joints/strength", FRAMES, strength, TRACE_FLOAT32);
  read_all(reader, "/characters/doll/state", FRAMES, state, TRACE_INT32);
  read_all(reader, "/characters/doll/assist/point", FRAMES, point, TRACE_FLOAT64);
  int changes = 0;
  for (int i = 1; i < FRAMES; i++) {
    changes += state[i] != state[i - 1];
    if (state[i] == state[i - 1])
      assert_true(strength[i] == (state[i] != 0 ? lying : lying > 0 ? 1 : 0)); // this one does not guard itself
    assert_true(isnan(point[i][0]));
  }
  assert_true(changes == 2 && state[FRAMES - 1] == 1); // it falls, it lies
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_def_free(def);
  remove(path);
}

static void test_strength_is_that_of_the_drive(void **state) {
  (void)state;
  check_strength("true", 0.2f);
  check_strength("false", 0);
}

// Limits of the joints, masses and inertias are those of the bodies that move: of weaker drives, and of heavier parts.
static void test_limits_and_masses(void **state) {
  (void)state;
  static const char *const overrides[] = {"characters.doll.drive.strength=0.5", "characters.doll.actual.mass=1.5",
                                          "duration=0.1", "events=[]"};
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = small_def_try(BALANCE, overrides, 4, &error);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  assert_true(scene_step(scene) && trace_close(writer, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  double limit[4] = {0}, mass[4] = {0}, inertia[8] = {0};
  assert_int_equal(trace_values(reader, "/characters/doll/joints/torque", "limit", limit, 4), 1);
  assert_int_equal(trace_values(reader, "/characters/doll/parts/position", "mass", mass, 4), 2);
  assert_int_equal(trace_values(reader, "/characters/doll/parts/position", "inertia", inertia, 8), 6);
  static const double inertias[] = {0.05, 0.06, 0.07, 0.02, 0.02, 0.02};
  assert_near(limit[0], 0.5 * 50, 1e-9);
  for (int i = 0; i < 2; i++)
    assert_near(mass[i], 1.5 * (i == 0 ? 4 : 2), 1e-9);
  for (int i = 0; i < 6; i++)
    assert_near(inertia[i], 1.5 * inertias[i], 1e-9);
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_def_free(def);
  remove(path);
}

// A ball that is thrown again continues; with another size it is a new object, and the old one is gone.
static void test_balls_thrown_again(void **state) {
  (void)state;
  enum { FRAMES = 46 };
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = small_def(SMALL_FLIGHT);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  Projectile ball = {1, 0.1, {9, 5, 0}, {1, 0, 0}, 1000, 0};
  int body = -1;
  for (int i = 0; i < 4 * (FRAMES - 1); i++) {
    if (i == 40)
      body = projectile_create(scene->world, &ball);
    if (i == 80 || i == 120) {
      ball.radius = i == 120 ? 0.2 : 0.1;
      assert_true(projectile_relaunch(scene->world, body, &ball));
    }
    assert_true(scene_step(scene));
  }
  assert_true(trace_close(writer, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  static double first[FRAMES][3], second[FRAMES][3];
  read_all(reader, "/objects/ball_1/position", FRAMES, first, TRACE_FLOAT64);
  read_all(reader, "/objects/ball_2/position", FRAMES, second, TRACE_FLOAT64);
  for (int i = 0; i < FRAMES; i++) {
    assert_true(isnan(first[i][0]) == (i <= 10 || i > 30));
    assert_true(isnan(second[i][2]) == (i <= 30));
  }
  assert_near(first[11][0], 9 + 4 / 240.0, 1e-9);
  assert_near(first[21][0], 9 + 4 / 240.0, 1e-9); // thrown again
  assert_near(second[31][0], 9 + 4 / 240.0, 1e-9);
  double size[3], number;
  assert_int_equal(trace_values(reader, "/objects/ball_2", "size", size, 3), 3);
  assert_near(size[1], 0.4, 1e-12);
  assert_int_equal(trace_values(reader, "/objects/ball_2", "number", &number, 1), 1);
  assert_near(number, 3, 0); // after two parts and the first ball
  long rows;
  int width;
  assert_false(trace_shape(reader, "/objects/ball_3/position", &rows, &width));
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_def_free(def);
  remove(path);
}

// A run with and without a trace is the same.
static void test_recording_changes_nothing(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = small_def(BALANCE);
  Scene *recorded = small_scene(def), *alone = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(recorded, writer, &error));
  for (int i = 0; i < 240; i++) {
    assert_true(scene_step(recorded) && scene_step(alone));
    assert_true(world_hash(recorded->world) == world_hash(alone->world));
  }
  scene_finish(recorded);
  scene_finish(alone);
  for (int i = 0; i < metric_row_count; i++) {
    double a, b;
    metrics_value(recorded->characters[0]->judged->metrics, metric_rows[i].name, &a);
    metrics_value(alone->characters[0]->judged->metrics, metric_rows[i].name, &b);
    assert_true(a == b || (isnan(a) && isnan(b)));
  }
  trace_close(writer, "complete", &error);
  scene_destroy(recorded);
  scene_destroy(alone);
  scene_def_free(def);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_contact_stays_as_it_is),
      cmocka_unit_test(test_places_and_pairs_stay_apart),
      cmocka_unit_test(test_merging_keeps_impulse_and_moment),
      cmocka_unit_test(test_impulses_that_cancel_stay_in_place),
      cmocka_unit_test(test_frames_balance),
      cmocka_unit_test(test_strength_is_that_of_the_drive),
      cmocka_unit_test(test_limits_and_masses),
      cmocka_unit_test(test_balls_thrown_again),
      cmocka_unit_test(test_recording_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
