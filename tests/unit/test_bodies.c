// The shipped bodies: all of them are read without warnings and stand by their drives alone; the clips of those that
// are not human keep their feet on the ground.
#include <dirent.h>

#include "ragdoll/character/character_metrics.h"
#include "tests/fixture.h"

#include "clip_set.h"

enum { STEPS = 480 }; // 2 s

static const char *const new_bodies[] = {"lizard", "spider", "winged", "human_scarf"};
enum { NEW_BODIES = sizeof new_bodies / sizeof new_bodies[0] };

static const char *const gaits[] = {"lizard_idle", "lizard_walk", "lizard_walk_backward", "lizard_walk_left",
                                    "lizard_walk_right"};
enum { GAITS = sizeof gaits / sizeof gaits[0] };

// Loads a body for the functions of clip_set.h.
static void use_body(const char *name) {
  Error error = {0};
  char path[300];
  snprintf(path, sizeof path, "bodies/%s.yaml", name);
  body = body_read(&files, path, &error);
  fixture_check(&error);
}

static Clip *use_clip(const char *name) {
  Clip *clip = load_clip(name);
  assert_non_null(clip);
  return clip;
}

static void leave_body(void) {
  body_free(body);
  body = NULL;
  files_free(&files);
}

static int lines(const char *text) {
  int count = 0;
  for (; *text != '\0'; text++)
    count += *text == '\n';
  return count;
}

static void test_every_body_reads_without_warnings(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s/bodies", files_scenes_folder());
  DIR *folder = opendir(path);
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char name[256];
    snprintf(name, sizeof name, "%s", entry->d_name);
    char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".yaml") != 0)
      continue;
    *dot = '\0';
    use_body(name);
    assert_string_equal(body->name, name);
    assert_string_equal(body->warnings, "");
    // A human's arms and hands are light; a scarf is lighter still.
    if (strncmp(name, "human", 5) != 0)
      assert_string_equal(body->mass_warnings, "");
    assert_true(body->skeleton.leg_count >= 2);
    leave_body();
    count++;
  }
  closedir(folder);
  assert_true(count >= 5);
}

// The scarf adds one warning to the human's: for its part that is attached to the chest.
static void test_only_the_end_of_the_scarf_is_too_light(void **state) {
  (void)state;
  use_body("human");
  int human = lines(body->mass_warnings);
  leave_body();
  use_body("human_scarf");
  assert_int_equal(lines(body->mass_warnings), human + 1);
  assert_non_null(strstr(body->mass_warnings, "scarf_1: chest"));
  leave_body();
}

static void test_figures(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int parts, legs;
    double mass[2]; // kg, from and to
  } figures[NEW_BODIES] = {{"lizard", 24, 4, {20, 40}},
                           {"spider", 26, 8, {8, 12}},
                           {"winged", 19, 2, {10, 16}},
                           {"human_scarf", 22, 2, {75, 77}}};
  for (int i = 0; i < NEW_BODIES; i++) {
    use_body(figures[i].name);
    assert_int_equal(body->part_count, figures[i].parts);
    assert_int_equal(body->skeleton.leg_count, figures[i].legs);
    assert_true(body->mass >= figures[i].mass[0] && body->mass <= figures[i].mass[1]);
    leave_body();
  }
}

// Lowest height that a part's shapes reach, for shapes upright as in the bind pose.
static double lowest(const PartDef *part, double raised) {
  double low = INFINITY;
  for (int i = 0; i < part->shape_count; i++)
    low = fmin(low, part->shapes[i].center_m[1] - shape_half_size(&part->shapes[i], 1));
  return low + raised;
}

static void stand(const char *name) {
  Fixture f;
  Error error = {0};
  char path[64];
  fixture_init(&f);
  body_free(f.body);
  snprintf(path, sizeof path, "bodies/%s.yaml", name);
  f.character_def.body = f.body = body_read(&f.files, path, &error);
  fixture_check(&error);
  fixture_start(&f);
  const Character *character = f.character;
  const Skeleton *skeleton = &f.body->skeleton;
  double start[SKELETON_MAX_LEGS][3];
  character_measure_feet(f.character);
  for (int i = 0; i < skeleton->leg_count; i++)
    memcpy(start[i], character->judged->feet[i].position, sizeof start[i]);
  for (int step = 0; step < STEPS; step++) {
    assert_true(fixture_step(&f));
    if (character->sensed.fallen)
      fail_msg("%s fell at %.3f s", name, step / 240.0);
  }
  character_measure_feet(f.character);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const double *now = character->judged->feet[i].position;
    assert_true(character->sensed.foot_loaded[i]);
    assert_true(hypot(now[0] - start[i][0], now[2] - start[i][2]) < 0.001);
  }
  for (int i = 1; i < f.body->part_count; i++)
    if (character->sensed.joint_error[i] > 0.5f * RAD)
      fail_msg("%s: %s is %.2f deg off", name, f.body->parts[i].name, (double)(character->sensed.joint_error[i] / RAD));
  // It hardly sinks; all parts but the feet stay off the ground.
  double sunk = (double)character->sensed.pose.position[0].y - f.body->parts[0].joint.position[1];
  assert_true(fabs(sunk) < 0.005);
  for (int i = 0; i < f.body->part_count; i++)
    assert_true(f.body->parts[i].foot || lowest(&f.body->parts[i], sunk) > 0.02);
  fixture_end(&f);
}

static void test_bodies_stand_on_their_drives_alone(void **state) {
  (void)state;
  for (int i = 0; i < NEW_BODIES; i++)
    stand(new_bodies[i]);
}

static void test_lizard_feet_stay(void **state) {
  (void)state;
  use_body("lizard");
  for (int i = 0; i < GAITS; i++) {
    Clip *clip = use_clip(gaits[i]);
    assert_int_equal(clip->contact_count, 4);
    assert_feet_stay(clip, 0.001f, 0.0005f);
    clip_free(clip);
  }
  leave_body();
}

static void test_lizard_feet_swing_over_the_ground(void **state) {
  (void)state;
  enum { SAMPLES = 400 };
  use_body("lizard");
  for (int i = 1; i < GAITS; i++) {
    Clip *clip = use_clip(gaits[i]);
    for (int l = 0; l < 4; l++) {
      const Leg *leg = &body->skeleton.legs[l];
      float highest = 0;
      for (int k = 0; k < SAMPLES; k++) {
        float time = clip->duration * (float)k / SAMPLES;
        float low = fminf(sole_point(clip, leg, leg->heel_l, time).y, sole_point(clip, leg, leg->toe_l, time).y);
        assert_true(low > -0.0005f);
        highest = fmaxf(highest, low);
      }
      assert_true(fabsf(highest - 0.05f) < 0.002f);
    }
    clip_free(clip);
  }
  leave_body();
}

// At any time at least two feet stand, and diagonal ones together.
static void test_lizard_walks_by_diagonals(void **state) {
  (void)state;
  enum { SAMPLES = 400 };
  use_body("lizard");
  const Skeleton *skeleton = &body->skeleton;
  static const char *const names[4] = {"front_left", "hind_right", "front_right", "hind_left"};
  int order[4] = {-1, -1, -1, -1};
  for (int n = 0; n < 4; n++)
    for (int l = 0; l < skeleton->leg_count; l++)
      if (strcmp(skeleton->legs[l].name, names[n]) == 0)
        order[n] = l;
  for (int i = 1; i < GAITS; i++) {
    Clip *clip = use_clip(gaits[i]);
    int both = 0;
    for (int k = 0; k < SAMPLES; k++) {
      float time = clip->duration * ((float)k + 0.5f) / SAMPLES;
      bool stands[4];
      for (int n = 0; n < 4; n++)
        stands[n] = clip_contact(clip, order[n], time);
      assert_true(stands[0] == stands[1] && stands[2] == stands[3] && (stands[0] || stands[2]));
      both += stands[0] && stands[2];
    }
    assert_true(abs(both - SAMPLES * 24 / 100) < 4); // twice 12 % more than half of the cycle
    clip_free(clip);
  }
  leave_body();
}

static void test_lizard_sides_mirror_each_other(void **state) {
  (void)state;
  use_body("lizard");
  Clip *left = use_clip("lizard_walk_left"), *right = use_clip("lizard_walk_right"), *ahead = use_clip("lizard_walk");
  assert_mirrors(left, right, left->key_count / 2);
  assert_mirrors(ahead, ahead, ahead->key_count / 2);
  assert_true(left->root_velocity_l.x == -right->root_velocity_l.x);
  clip_free(left);
  clip_free(right);
  clip_free(ahead);
  leave_body();
}

static void test_joints_stay_in_their_limits(void **state) {
  (void)state;
  static const struct {
    const char *body;
    const char *clips[9]; // NULL ends them
  } sets[] = {
      {"lizard", {"lizard_idle", "lizard_walk", "lizard_walk_backward", "lizard_walk_left", "lizard_walk_right"}},
      {"human", {"dash_forward", "dash_back", "dash_left", "dash_right"}},
      {"winged", {"dash_winged_forward", "dash_winged_back", "dash_winged_left", "dash_winged_right", "winged_stand"}},
      {"spider", {"spider_stand"}},
  };
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    use_body(sets[i].body);
    for (const char *const *name = sets[i].clips; *name; name++) {
      Clip *clip = use_clip(*name);
      assert_joints_in_limits(clip, 2 * RAD);
      clip_free(clip);
    }
    leave_body();
  }
}

// Height of the lowest corner of all soles.
static float lowest_sole(const Clip *clip) {
  float low = INFINITY;
  ModelPose model = model_at(clip, 0);
  for (int l = 0; l < body->skeleton.leg_count; l++) {
    const Leg *leg = &body->skeleton.legs[l];
    for (int corner = 0; corner < 4; corner++) {
      vec3s point = corner < 2 ? leg->heel_l : leg->toe_l;
      point.x += corner % 2 ? leg->half_width : -leg->half_width;
      low = fminf(low, model.position[leg->ankle].y + glms_quat_rotatev(model.rotation[leg->ankle], point).y);
    }
  }
  return low;
}

// A dash is one pose that touches the ground; right is the mirror image of left.
static void test_dashes_are_single_poses(void **state) {
  (void)state;
  static const char *const sets[][5] = {
      {"human", "dash_forward", "dash_back", "dash_left", "dash_right"},
      {"winged", "dash_winged_forward", "dash_winged_back", "dash_winged_left", "dash_winged_right"}};
  for (int i = 0; i < 2; i++) {
    use_body(sets[i][0]);
    Clip *clips[4];
    for (int k = 0; k < 4; k++) {
      clips[k] = use_clip(sets[i][k + 1]);
      assert_int_equal(clips[k]->key_count, 1);
      assert_int_equal(clips[k]->contact_count, 0);
      assert_true(fabsf(lowest_sole(clips[k])) < 1e-4f);
    }
    assert_mirrors(clips[2], clips[3], 0);
    for (int k = 0; k < 4; k++)
      clip_free(clips[k]);
    leave_body();
  }
}

static void test_standing_poses_have_all_soles_on_the_ground(void **state) {
  (void)state;
  static const char *const sets[][2] = {{"winged", "winged_stand"}, {"spider", "spider_stand"}};
  for (int i = 0; i < 2; i++) {
    use_body(sets[i][0]);
    Clip *clip = use_clip(sets[i][1]);
    assert_int_equal(clip->contact_count, body->skeleton.leg_count);
    assert_feet_stay(clip, 1e-5f, 1e-4f);
    clip_free(clip);
    leave_body();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_body_reads_without_warnings),
      cmocka_unit_test(test_only_the_end_of_the_scarf_is_too_light),
      cmocka_unit_test(test_figures),
      cmocka_unit_test(test_bodies_stand_on_their_drives_alone),
      cmocka_unit_test(test_lizard_feet_stay),
      cmocka_unit_test(test_lizard_feet_swing_over_the_ground),
      cmocka_unit_test(test_lizard_walks_by_diagonals),
      cmocka_unit_test(test_lizard_sides_mirror_each_other),
      cmocka_unit_test(test_joints_stay_in_their_limits),
      cmocka_unit_test(test_dashes_are_single_poses),
      cmocka_unit_test(test_standing_poses_have_all_soles_on_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
