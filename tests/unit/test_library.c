// The public interface: what a program outside the tree relies on. Only what such a program would include is included.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <stagger/stagger.h>
#include <stagger/unstable/ground.h>

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not %.17g to %g", value, wanted, tolerance);
}

// A man who floats at rest, so that impulses alone move him.
static const char *const FLOATING[] = {"world.gravity=[0, 0, 0]", "characters.man.start.position=[0, 5, 0]",
                                       "characters.man.balance.enabled=false", "events=[]", "expect=[]"};
static const char *const QUIET[] = {"events=[]", "expect=[]"};

enum { FLOATING_COUNT = 5, QUIET_COUNT = 2 };

static StaggerScene *open_scene(const char *path, const char *const *overrides, int count) {
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open(path, overrides, count, &error);
  if (!scene)
    fail_msg("%s", stagger_error_text(error));
  return scene;
}

static StaggerView view_of(StaggerScene *scene, int character, const char *name) {
  StaggerError *error = NULL;
  StaggerView view;
  if (!stagger_scene_view(scene, character, name, &view, &error))
    fail_msg("%s", stagger_error_text(error));
  return view;
}

// Fails unless the error contains that; frees it.
static void assert_says(StaggerError **error, const char *text) {
  if (!strstr(stagger_error_text(*error), text))
    fail_msg("'%s' is not in '%s'", text, stagger_error_text(*error));
  stagger_error_free(*error);
  *error = NULL;
}

// All positions, rotations and velocities: equal only if the states are.
static uint64_t hash_state(StaggerScene *scene) {
  static const char *const NAMES[] = {"parts/position", "parts/rotation", "parts/linear_velocity",
                                      "parts/angular_velocity"};
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < 4; i++) {
    StaggerView view = view_of(scene, 0, NAMES[i]);
    const unsigned char *bytes = view.data;
    for (size_t k = 0; k < (size_t)view.rows * (size_t)view.columns * sizeof(double); k++)
      hash = (hash ^ bytes[k]) * 1099511628211u;
  }
  return hash;
}

// ---- Opening ----

static void test_what_cannot_be_opened_says_why(void **state) {
  (void)state;
  StaggerError *error = NULL;
  assert_null(stagger_scene_open("no_such_scene", NULL, 0, &error));
  assert_says(&error, "no_such_scene");
  const char *const wrong[] = {"world.dt=1"};
  assert_null(stagger_scene_open("stand", wrong, 1, &error));
  assert_says(&error, "world.dt");
  assert_null(stagger_scene_open("no_such_scene", NULL, 0, NULL));
  assert_null(
      stagger_scene_parse("characters: [{name: man, body: bodies/human.yaml, nose: 1}]", "made.yaml", NULL, 0, &error));
  assert_says(&error, "made.yaml:1:");
  assert_string_equal(stagger_error_text(NULL), "");
  stagger_error_free(NULL);
  stagger_scene_close(NULL);
}

static void test_scene_from_text(void **state) {
  (void)state;
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_parse("duration: 2\nseed: 5\nworld: {dt: 1/480}\n"
                                            "characters:\n  - {name: one, body: bodies/human.yaml}\n"
                                            "  - {name: two, body: bodies/human.yaml, start: {position: [3, 0, 0]}}\n",
                                            "made.yaml", NULL, 0, &error);
  if (!scene)
    fail_msg("%s", stagger_error_text(error));
  assert_int_equal(stagger_character_count(scene), 2);
  assert_string_equal(stagger_character_name(scene, 1), "two");
  assert_int_equal(stagger_character_index(scene, "two"), 1);
  assert_int_equal(stagger_character_index(scene, "three"), -1);
  assert_null(stagger_character_name(scene, 2));
  assert_null(stagger_character_name(scene, -1));
  const int parts = stagger_part_count(scene, 1);
  assert_true(parts > 10);
  assert_string_equal(stagger_part_name(scene, 1, 0), "pelvis");
  assert_int_equal(stagger_part_index(scene, 0, stagger_part_name(scene, 0, parts - 1)), parts - 1);
  assert_int_equal(stagger_part_index(scene, 0, "tail"), -1);
  assert_null(stagger_part_name(scene, 0, parts));
  assert_int_equal(stagger_part_count(scene, 2), 0);
  assert_int_equal(stagger_scene_seed(scene), 5);
  assert_near(stagger_scene_duration(scene), 2, 1e-12);
  assert_near(stagger_scene_time_step(scene), 1.0 / 480, 1e-15);
  assert_int_equal(stagger_scene_step(scene, 48), 48);
  assert_near(stagger_scene_time(scene), 0.1, 1e-12);
  assert_string_equal(stagger_scene_stop_reason(scene), "");
  stagger_scene_close(scene);
}

// ---- Views ----

static void test_views_stay_where_they_are_and_change_nothing(void **state) {
  (void)state;
  StaggerScene *seen = open_scene("hit_stand", NULL, 0), *unseen = open_scene("hit_stand", NULL, 0);
  StaggerView position = view_of(seen, 0, "parts/position"), planted = view_of(seen, 0, "feet/planted");
  assert_int_equal(position.type, STAGGER_FLOAT64);
  assert_int_equal(position.rows, stagger_part_count(seen, 0));
  assert_int_equal(position.columns, 3);
  assert_string_equal(position.unit, "m");
  assert_int_equal(planted.type, STAGGER_UINT8);
  const double *data = position.data;
  const double height = data[1];
  assert_true(height > 0.8 && height < 1.2); // of the pelvis, at the beginning
  for (int i = 0; i < 600; i++) {
    StaggerContact contacts[4];
    stagger_scene_contacts(seen, contacts, 4);
    assert_int_equal(stagger_scene_step(seen, 1), 1);
  }
  assert_true(data[1] != height);
  assert_int_equal(stagger_scene_step(unseen, 600), 600);
  assert_int_equal(hash_state(seen), hash_state(unseen));
  StaggerError *error = NULL;
  assert_true(stagger_scene_reset(seen, -1, &error));
  assert_ptr_equal(view_of(seen, 0, "parts/position").data, data);
  assert_true(data[1] == height);
  stagger_scene_close(seen);
  stagger_scene_close(unseen);
}

// All views after one call of many steps have the values of one after each step.
static void test_views_show_the_last_step_of_a_call(void **state) {
  (void)state;
  StaggerScene *once = open_scene("hit_stand", NULL, 0), *each = open_scene("hit_stand", NULL, 0);
  view_of(once, 0, "parts/position");
  view_of(each, 0, "parts/position");
  for (int call = 0; call < 40; call++) {
    assert_int_equal(stagger_scene_step(once, 30), 30);
    for (int i = 0; i < 30; i++)
      assert_int_equal(stagger_scene_step(each, 1), 1);
    const char *name;
    for (int i = 0; (name = stagger_view_name(once, 0, i)); i++) {
      static const size_t SIZES[] = {
          [STAGGER_FLOAT32] = 4, [STAGGER_FLOAT64] = 8, [STAGGER_UINT8] = 1, [STAGGER_INT32] = 4, [STAGGER_UINT64] = 8};
      const StaggerView a = view_of(once, 0, name), b = view_of(each, 0, name);
      const size_t size = (size_t)a.rows * (size_t)a.columns * SIZES[a.type];
      if (memcmp(a.data, b.data, size) != 0)
        fail_msg("%s differs after %d steps", name, 30 * (call + 1));
    }
  }
  stagger_scene_close(once);
  stagger_scene_close(each);
}

static void test_views_have_names(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0);
  StaggerError *error = NULL;
  StaggerView view;
  int count = 0;
  bool has_angle = false;
  for (const char *name; (name = stagger_view_name(scene, 0, count)); count++) {
    has_angle |= strcmp(name, "joints/angle") == 0;
    view = view_of(scene, 0, name);
    assert_non_null(view.data);
    assert_true(view.rows > 0 && view.columns > 0 && strlen(view.description) > 0);
  }
  assert_true(count > 20 && has_angle);
  assert_null(stagger_view_name(scene, 1, 0));
  assert_false(stagger_scene_view(scene, 0, "parts/colour", &view, &error));
  assert_says(&error, "parts/colour");
  assert_false(stagger_scene_view(scene, 7, "parts/position", &view, &error));
  assert_says(&error, "there is no character 7");
  stagger_scene_close(scene);
}

// A joint's angle and velocity belong together: the angle's change over a step is the velocity, for small steps.
static void test_joint_angles_change_by_their_velocity(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("hit_stand", NULL, 0);
  StaggerView angle = view_of(scene, 0, "joints/angle"), velocity = view_of(scene, 0, "joints/velocity");
  const double *now = angle.data, *rate = velocity.data, dt = stagger_scene_time_step(scene);
  double before[256], fastest = 0;
  stagger_scene_step(scene, 240);
  assert_true(stagger_apply_impulse(scene, 0, stagger_part_index(scene, 0, "hand_r"), (double[]){0, 0, 4}, NULL, NULL));
  for (int step = 0; step < 60; step++) {
    memcpy(before, now, (size_t)angle.rows * 3 * sizeof *before);
    stagger_scene_step(scene, 1);
    for (int i = 0; i < angle.rows; i++) {
      double change = 0, turned = 0, size = 0;
      for (int k = 0; k < 3; k++) {
        change += pow((now[3 * i + k] - before[3 * i + k]) / dt - rate[3 * i + k], 2);
        turned += pow(rate[3 * i + k], 2);
        size = fmax(size, fabs(now[3 * i + k]));
      }
      if (size < 0.5) // the rotation vector is additive for small angles alone
        assert_true(sqrt(change) < 0.05 + 0.3 * sqrt(turned));
      fastest = fmax(fastest, sqrt(turned));
    }
  }
  assert_true(fastest > 0.5);
  stagger_scene_close(scene);
}

static void test_contacts_carry_the_weight(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0);
  StaggerContact contacts[64];
  double sum = 0;
  stagger_scene_step(scene, 480);
  for (int step = 0; step < 240; step++) {
    stagger_scene_step(scene, 1);
    int count = stagger_scene_contacts(scene, contacts, 64);
    assert_true(count > 0 && count <= 64);
    for (int i = 0; i < count; i++) {
      assert_int_equal(contacts[i].character, 0);
      assert_int_equal(contacts[i].other_character, -1);
      sum += contacts[i].impulse[1];
    }
  }
  assert_near(sum, 75 * 9.81, 10); // N s in one second
  assert_int_equal(stagger_scene_contacts(scene, NULL, 0) > 0, 1);
  stagger_scene_close(scene);
}

// ---- Strikes ----

static const double MASS = 75.003; // kg, of bodies/human.yaml

// Momentum of the man, N s.
static void momentum(StaggerScene *scene, double sum[3]) {
  const double *velocity = view_of(scene, 0, "com/velocity").data;
  for (int k = 0; k < 3; k++)
    sum[k] = MASS * velocity[k];
}

static void test_impulses_arrive_whole(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand_push", FLOATING, FLOATING_COUNT);
  StaggerError *error = NULL;
  double before[3], after[3];
  const double impulse[3] = {3, -2, 5};
  stagger_scene_step(scene, 10);
  momentum(scene, before);
  assert_true(stagger_apply_impulse(scene, 0, stagger_part_index(scene, 0, "chest"), impulse, NULL, &error));
  stagger_scene_step(scene, 1);
  momentum(scene, after);
  for (int k = 0; k < 3; k++)
    assert_near(after[k] - before[k], impulse[k], 1e-6);

  assert_true(stagger_push(scene, 0, 0, impulse, NULL, 0.1, &error));
  stagger_scene_step(scene, 12);
  momentum(scene, before);
  for (int k = 0; k < 3; k++)
    assert_near(before[k] - after[k], impulse[k] / 2, 1e-6);
  stagger_scene_step(scene, 20);
  momentum(scene, before);
  for (int k = 0; k < 3; k++)
    assert_near(before[k] - after[k], impulse[k], 1e-6);
  stagger_scene_close(scene);
}

static void test_bad_strikes_change_nothing(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand_push", QUIET, QUIET_COUNT),
               *other = open_scene("stand_push", QUIET, QUIET_COUNT);
  StaggerError *error = NULL;
  const double good[3] = {1, 0, 0}, bad[3] = {NAN, 0, 0}, none[3] = {0};
  assert_false(stagger_apply_impulse(scene, 0, 99, good, NULL, &error));
  assert_says(&error, "there is no part 99");
  assert_false(stagger_apply_impulse(scene, 1, 0, good, NULL, &error));
  assert_says(&error, "there is no character 1");
  assert_false(stagger_apply_impulse(scene, 0, 0, bad, NULL, &error));
  assert_says(&error, "finite");
  assert_false(stagger_apply_impulse(scene, 0, 0, good, bad, &error));
  assert_says(&error, "finite");
  assert_false(stagger_push(scene, 0, 0, good, NULL, 0, &error));
  assert_says(&error, "up to 60 s");
  assert_false(stagger_push(scene, 0, 0, good, NULL, NAN, NULL));
  assert_false(stagger_set_intent(scene, 0, INFINITY, 0, 0, &error));
  assert_says(&error, "finite");
  assert_true(stagger_apply_impulse(scene, 0, 0, none, NULL, &error)); // nothing, bit for bit
  stagger_scene_step(scene, 100);
  stagger_scene_step(other, 100);
  assert_int_equal(hash_state(scene), hash_state(other));
  stagger_scene_close(scene);
  stagger_scene_close(other);
}

static void test_intent_makes_him_walk(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand_push", QUIET, QUIET_COUNT);
  StaggerError *error = NULL;
  const double *com = view_of(scene, 0, "com/position").data;
  stagger_scene_step(scene, 240);
  const double start = com[0];
  assert_true(stagger_set_intent(scene, 0, 0.8, 0, 1.5707963, &error)); // toward +x
  stagger_scene_step(scene, 1440);
  assert_true(com[0] - start > 2);
  stagger_scene_close(scene);
}

static void test_joints_and_their_drives(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", (const char *const[]){"characters.stander.drive.strength=0.5"}, 1);
  StaggerError *error = NULL;
  StaggerJoint joint;
  const int knee = stagger_part_index(scene, 0, "shin_r"), ankle = stagger_part_index(scene, 0, "foot_l");
  assert_true(stagger_joint(scene, 0, knee, &joint, &error));
  assert_int_equal(joint.parent, stagger_part_index(scene, 0, "thigh_r"));
  assert_true(joint.turns[0] && !joint.turns[1] && !joint.turns[2]);
  assert_near(joint.lower[0], 0, 1e-9);
  assert_near(joint.upper[0], 145 * 3.14159265358979 / 180, 1e-9);
  assert_near(joint.upper[1], 0, 0);
  assert_near(joint.torque, 125, 1e-9);
  assert_near(joint.stiffness, 4800, 1e-9);
  assert_near(joint.damping, 240, 1e-9);
  assert_true(stagger_joint(scene, 0, ankle, &joint, &error));
  assert_true(joint.turns[0] && !joint.turns[1] && joint.turns[2]);
  assert_false(stagger_joint(scene, 0, 0, &joint, &error));
  assert_says(&error, "has no joint");
  assert_false(stagger_joint(scene, 0, 99, &joint, &error));
  assert_says(&error, "there is no part 99");
  assert_false(stagger_joint(scene, 5, knee, &joint, NULL));
  stagger_scene_close(scene);
}

// The residual of a controller: an arm is held out by a little more than in the animation.
static void test_joint_offsets(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0), *other = open_scene("stand", NULL, 0);
  StaggerError *error = NULL;
  const int forearm = stagger_part_index(scene, 0, "forearm_r");
  const double *angle = (const double *)view_of(scene, 0, "joints/angle").data + 3 * (forearm - 1);
  stagger_scene_step(scene, 240);
  const double before[3] = {angle[0], angle[1], angle[2]};
  double bent = 0;
  assert_true(stagger_set_joint_offset(scene, 0, forearm, (double[]){-0.4, 0, 0}, &error));
  stagger_scene_step(scene, 240);
  for (int k = 0; k < 3; k++)
    bent += pow(angle[k] - before[k], 2);
  assert_true(sqrt(bent) > 0.3 && sqrt(bent) < 0.5);

  assert_true(stagger_set_joint_offset(other, 0, forearm, (double[]){0, 0, 0}, &error)); // nothing, bit for bit
  stagger_scene_step(other, 100);
  assert_true(stagger_scene_reset(scene, -1, &error)); // which removes offsets
  stagger_scene_step(scene, 100);
  assert_int_equal(hash_state(scene), hash_state(other));

  assert_false(stagger_set_joint_offset(scene, 0, 0, before, &error));
  assert_says(&error, "has no joint");
  assert_false(stagger_set_joint_offset(scene, 0, forearm, (double[]){4, 0, 0}, &error));
  assert_says(&error, "at most pi");
  assert_false(stagger_set_joint_offset(scene, 0, forearm, (double[]){NAN, 0, 0}, NULL));
  stagger_scene_close(scene);
  stagger_scene_close(other);
}

// ---- Parameters and resets ----

static void test_parameters(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0);
  StaggerError *error = NULL;
  bool live;
  assert_true(stagger_scene_set(scene, "characters.stander.drive.strength", "0", &live, &error));
  assert_true(live);
  assert_true(stagger_scene_set(scene, "duration", "7", &live, &error));
  assert_false(live);
  assert_false(stagger_scene_set(scene, "characters.stander.drive.colour", "1", &live, &error));
  assert_says(&error, "colour");
  assert_false(stagger_scene_set(scene, "characters.stander.drive.strength", "-1", NULL, &error));
  assert_says(&error, "strength");
  const double *com = view_of(scene, 0, "com/position").data;
  stagger_scene_step(scene, 480);
  assert_true(com[1] < 0.6); // without strength he sinks
  assert_true(stagger_scene_reset(scene, -1, &error));
  assert_near(stagger_scene_duration(scene), 7, 1e-9);
  stagger_scene_step(scene, 480);
  assert_true(com[1] < 0.6); // what was set stays
  stagger_scene_close(scene);
}

static void test_resets_repeat_to_the_bit(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("hit_run", NULL, 0);
  StaggerError *error = NULL;
  stagger_scene_step(scene, 900); // some random bullets
  const uint64_t first = hash_state(scene);
  assert_true(stagger_scene_reset(scene, -1, &error));
  assert_true(stagger_scene_time(scene) == 0);
  stagger_scene_step(scene, 900);
  assert_int_equal(hash_state(scene), first);
  assert_true(stagger_scene_reset(scene, 77, &error));
  assert_int_equal(stagger_scene_seed(scene), 77);
  stagger_scene_step(scene, 900);
  assert_true(hash_state(scene) != first);
  assert_false(stagger_scene_reset(scene, -2, &error));
  assert_says(&error, "a seed is from 0");
  assert_int_equal(stagger_scene_seed(scene), 77);
  stagger_scene_close(scene);
}

// ---- Results ----

static void test_metrics_are_there_when_the_run_is_finished(void **state) {
  (void)state;
  const char *const hit[] = {"duration=3"};
  StaggerScene *scene = open_scene("hit_stand", hit, 1);
  StaggerError *error = NULL;
  double value = -1;
  assert_false(stagger_metric(scene, 0, "fell", &value, &error));
  assert_says(&error, "stagger_scene_finish");
  assert_null(stagger_scene_outcome(scene, NULL));
  assert_int_equal(stagger_hit_count(scene, 0), 0);
  stagger_scene_step(scene, 720);
  assert_true(stagger_scene_finish(scene, &error));
  assert_true(stagger_scene_finish(scene, &error)); // once is enough
  assert_int_equal(stagger_scene_step(scene, 1), 0);
  assert_true(stagger_metric(scene, 0, "fell", &value, &error));
  assert_true(value == 0);
  assert_int_equal(stagger_hit_count(scene, 0), 1);
  assert_true(stagger_hit_figure(scene, 0, 0, "impulse", &value, &error));
  assert_true(value > 1 && value < 100);
  assert_false(stagger_hit_figure(scene, 0, 1, "impulse", &value, &error));
  assert_says(&error, "there is no hit 1");
  assert_false(stagger_hit_figure(scene, 0, 0, "colour", &value, &error));
  assert_says(&error, "colour");
  assert_false(stagger_metric(scene, 0, "beauty", &value, &error));
  assert_says(&error, "beauty");
  char *text = stagger_scene_outcome(scene, &error);
  assert_non_null(strstr(text, "\"recovery_time\""));
  stagger_text_free(text);
  const char *unit = NULL, *name;
  int count = 0;
  for (; (name = stagger_metric_name(count, &unit)); count++)
    assert_true(stagger_metric(scene, 0, name, &value, &error));
  assert_true(count > 50);
  assert_true(stagger_scene_reset(scene, -1, &error)); // and it can go on
  assert_int_equal(stagger_scene_step(scene, 1), 1);
  stagger_scene_close(scene);
}

static void test_recordings_are_read_back(void **state) {
  (void)state;
  char file[] = "/tmp/stagger-library-XXXXXX";
  close(mkstemp(file));
  StaggerScene *scene = open_scene("hit_stand", NULL, 0);
  StaggerError *error = NULL;
  stagger_scene_step(scene, 240);
  if (!stagger_scene_record(scene, file, &error))
    fail_msg("%s", stagger_error_text(error));
  assert_false(stagger_scene_record(scene, file, &error));
  assert_says(&error, "under way");
  stagger_scene_step(scene, 240);
  const double *com = view_of(scene, 0, "com/position").data;
  const double last[3] = {com[0], com[1], com[2]};
  assert_true(stagger_scene_finish(scene, &error));

  StaggerTrace *trace = stagger_trace_open(file, &error);
  if (!trace)
    fail_msg("%s", stagger_error_text(error));
  assert_int_equal(stagger_trace_frame_count(trace), 61); // one second at 60 Hz, with the first
  assert_string_equal(stagger_trace_attribute(trace, "status"), "complete");
  assert_string_equal(stagger_trace_attribute(trace, "colour"), "");
  char path[128];
  snprintf(path, sizeof path, "/characters/%s/com/position", stagger_character_name(scene, 0));
  int64_t rows;
  StaggerView shape;
  assert_true(stagger_trace_shape(trace, path, &rows, &shape, &error));
  assert_int_equal(rows, 61);
  assert_int_equal(shape.columns, 3);
  assert_string_equal(shape.unit, "m");
  double read[3], time;
  assert_true(stagger_trace_read(trace, path, 60, 1, read, &error));
  assert_memory_equal(read, last, sizeof last);
  assert_true(stagger_trace_read(trace, "/time", 0, 1, &time, &error));
  assert_near(time, 1, 1e-12);
  assert_false(stagger_trace_read(trace, path, 60, 2, read, &error));
  assert_says(&error, "has the rows 0 to 60");
  assert_false(stagger_trace_read(trace, "/nothing", 0, 1, read, &error));
  assert_says(&error, "/nothing");
  bool found = false;
  for (int i = 0; stagger_trace_dataset(trace, i); i++)
    found |= strcmp(stagger_trace_dataset(trace, i), path) == 0;
  assert_true(found);
  stagger_trace_close(trace);
  stagger_scene_close(scene);
  unlink(file);
}

static void test_what_cannot_be_recorded_or_read(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0);
  StaggerError *error = NULL;
  assert_false(stagger_scene_record(scene, "/nowhere/at/all.h5", &error));
  assert_says(&error, "/nowhere/at/all.h5");
  assert_int_equal(stagger_scene_step(scene, 1), 1); // the run continues
  assert_null(stagger_trace_open("/nowhere/at/all.h5", &error));
  assert_says(&error, "/nowhere/at/all.h5");
  stagger_trace_close(NULL);
  stagger_scene_close(scene);
}

// ---- States ----

// One moment, two continuations: with and without a push, and back again.
static void test_a_moment_is_begun_again(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand_push", QUIET, QUIET_COUNT),
               *other = open_scene("stand_push", QUIET, QUIET_COUNT);
  StaggerError *error = NULL;
  const double *com = view_of(scene, 0, "com/position").data;
  stagger_scene_step(scene, 200);
  const double height = com[1];
  const size_t size = stagger_scene_state_size(scene);
  void *moment = malloc(size);
  assert_true(stagger_scene_save(scene, moment, size, &error));
  assert_false(stagger_scene_save(scene, moment, size - 1, &error));
  assert_says(&error, "a state needs");
  stagger_scene_step(scene, 100);
  const uint64_t quiet = hash_state(scene);

  assert_true(stagger_scene_restore(scene, moment, size, &error));
  assert_true(com[1] == height && fabs(stagger_scene_time(scene) - 200.0 / 240) < 1e-12);
  assert_true(stagger_push(scene, 0, 0, (double[]){0, 0, 30}, NULL, 0.1, &error));
  stagger_scene_step(scene, 100);
  assert_true(hash_state(scene) != quiet);

  assert_true(stagger_scene_restore(other, moment, size, &error)); // another scene of the same text
  stagger_scene_step(other, 100);
  assert_int_equal(hash_state(other), quiet);
  assert_true(stagger_scene_finish(scene, &error));
  assert_true(stagger_scene_restore(scene, moment, size, &error)); // and after the end
  stagger_scene_step(scene, 100);
  assert_int_equal(hash_state(scene), quiet);

  ((char *)moment)[size / 2] ^= 1;
  assert_false(stagger_scene_restore(scene, moment, size, &error));
  assert_says(&error, "damaged");
  assert_int_equal(hash_state(scene), quiet);
  free(moment);
  stagger_scene_close(scene);
  stagger_scene_close(other);
}

// ---- The ground ----

static void test_rays_and_heights(void **state) {
  (void)state;
  StaggerScene *scene = open_scene("stand", NULL, 0);
  double height = -1, normal[3];
  assert_true(stagger_ground_height(scene, 3, 4, &height, normal));
  assert_near(height, 0, 1e-9);
  assert_near(normal[1], 1, 1e-9);
  StaggerRayHit hit;
  assert_true(stagger_cast_ray(scene, (double[]){3, 2, 4}, (double[]){0, -2, 0}, 5, &hit));
  assert_int_equal(hit.character, -1);
  assert_near(hit.distance, 2, 1e-9);
  assert_true(stagger_cast_ray(scene, (double[]){0, 5, 0}, (double[]){0, -1, 0}, 9, &hit));
  assert_int_equal(hit.character, 0); // his head is in the way
  assert_false(stagger_cast_ray(scene, (double[]){0, 5, 0}, (double[]){0, 1, 0}, 9, &hit));
  assert_false(stagger_cast_ray(scene, (double[]){NAN, 5, 0}, (double[]){0, -1, 0}, 9, &hit));
  stagger_scene_close(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_cannot_be_opened_says_why),
      cmocka_unit_test(test_scene_from_text),
      cmocka_unit_test(test_views_stay_where_they_are_and_change_nothing),
      cmocka_unit_test(test_views_show_the_last_step_of_a_call),
      cmocka_unit_test(test_views_have_names),
      cmocka_unit_test(test_joint_angles_change_by_their_velocity),
      cmocka_unit_test(test_contacts_carry_the_weight),
      cmocka_unit_test(test_impulses_arrive_whole),
      cmocka_unit_test(test_bad_strikes_change_nothing),
      cmocka_unit_test(test_intent_makes_him_walk),
      cmocka_unit_test(test_joints_and_their_drives),
      cmocka_unit_test(test_joint_offsets),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_resets_repeat_to_the_bit),
      cmocka_unit_test(test_metrics_are_there_when_the_run_is_finished),
      cmocka_unit_test(test_recordings_are_read_back),
      cmocka_unit_test(test_what_cannot_be_recorded_or_read),
      cmocka_unit_test(test_a_moment_is_begun_again),
      cmocka_unit_test(test_rays_and_heights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
