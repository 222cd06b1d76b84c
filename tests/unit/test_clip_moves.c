// The clips besides the gaits: standing and its parts, additive ones, single moves, getting up. Standing feet stay,
// nothing sinks into the ground, joints keep to their ranges, sides mirror each other, moves begin and end where others
// continue.
#include "clip_set.h"

enum { CLIPS = 31 };

typedef enum Kind { STAND, THROWN, LOOK, OVERLAY, STEPS, TURNS, GROUND } Kind;

typedef struct Entry {
  const char *name;
  Kind kind;
  const Clip *clip;
} Entry;

static Entry set[CLIPS] = {{"idle_breathe", STAND, NULL},
                           {"idle_shift_left", STAND, NULL},
                           {"idle_shift_right", STAND, NULL},
                           {"stand_stagger_left", THROWN, NULL},
                           {"stand_stagger_forward", THROWN, NULL},
                           {"stand_stagger_right", THROWN, NULL},
                           {"stand_stagger_backward", THROWN, NULL},
                           {"look_left", LOOK, NULL},
                           {"look_right", LOOK, NULL},
                           {"look_up", LOOK, NULL},
                           {"look_down", LOOK, NULL},
                           {"overlay_shrug", OVERLAY, NULL},
                           {"overlay_scratch", OVERLAY, NULL},
                           {"overlay_stretch", OVERLAY, NULL},
                           {"overlay_landing", OVERLAY, NULL},
                           {"overlay_windmill", OVERLAY, NULL},
                           {"walk_start", STEPS, NULL},
                           {"walk_stop", STEPS, NULL},
                           {"run_start", STEPS, NULL},
                           {"run_stop", STEPS, NULL},
                           {"side_step_left", STEPS, NULL},
                           {"side_step_right", STEPS, NULL},
                           {"punch", STEPS, NULL},
                           {"turn_90_left", TURNS, NULL},
                           {"turn_90_right", TURNS, NULL},
                           {"turn_180_left", TURNS, NULL},
                           {"turn_180_right", TURNS, NULL},
                           {"run_turn_180_left_foot", TURNS, NULL},
                           {"run_turn_180_right_foot", TURNS, NULL},
                           {"get_up_prone", GROUND, NULL},
                           {"get_up_supine", GROUND, NULL}};
static Clip *walk, *run;
static const vec3s UP = {{0, 1, 0}}, AHEAD = {{0, 0, 1}};

static int load(void **state) {
  (void)state;
  bool good = load_body() && (walk = load_clip("walk")) && (run = load_clip("run"));
  for (int i = 0; i < CLIPS && good; i++)
    good = (set[i].clip = load_clip(set[i].name)) != NULL;
  return !good;
}

static int unload(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    clip_free((Clip *)set[i].clip);
  clip_free(walk);
  clip_free(run);
  free_body();
  return 0;
}

static const Clip *find(const char *name) {
  for (int i = 0; i < CLIPS; i++)
    if (strcmp(set[i].name, name) == 0)
      return set[i].clip;
  fail_msg("no clip %s", name);
  return NULL;
}

static const Pose *first_key(const Clip *clip) { return &clip->keys[0]; }
static const Pose *last_key(const Clip *clip) { return &clip->keys[clip->key_count - 1]; }

static void assert_same_pose(const char *what, const Pose *a, const Pose *b, float most_m, float most_rad) {
  for (int j = 0; j < a->count; j++) {
    float turned = quat_angle_between(a->rotation[j], b->rotation[j]);
    float moved = glms_vec3_distance(a->position[j], b->position[j]);
    if (turned > most_rad || moved > most_m)
      fail_msg("%s: %s is %.3f deg, %.4f m off", what, body->skeleton.names[j], (double)(turned / RAD), (double)moved);
  }
}

static void test_standing_feet_stay(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    float slip = set[i].kind <= LOOK || set[i].kind == STEPS ? 0.003f : 0.01f;
    assert_feet_stay(set[i].clip, slip, set[i].kind == OVERLAY ? 0.005f : 0.002f);
  }
}

// The lowest point of a part in a pose of the model, m.
static float lowest(const ModelPose *model, int part) {
  const PartDef *def = &body->parts[part];
  float low = 9;
  for (int s = 0; s < def->shape_count; s++) {
    const ShapeDef *shape = &def->shapes[s];
    vec3s center, up = glms_quat_rotatev(glms_quat_conjugate(model->rotation[part]), UP); // in the part's frame
    for (int a = 0; a < 3; a++)
      center.raw[a] = (float)(shape->center_m[a] - def->joint.position[a]);
    float reach = 0; // of the shape, downward
    if (shape->kind == SHAPE_BOX)
      for (int a = 0; a < 3; a++)
        reach += (float)shape->size[a] / 2 * fabsf(up.raw[a]);
    else
      reach = (float)shape->size[0] +
              (shape->kind == SHAPE_CAPSULE ? (float)shape->size[1] / 2 * fabsf(up.raw[shape->axis]) : 0);
    vec3s at = glms_vec3_add(model->position[part], glms_quat_rotatev(model->rotation[part], center));
    low = fminf(low, at.y - reach);
  }
  return low;
}

static void test_nothing_sinks_into_the_ground(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int k = 0; k <= 200; k++) {
      ModelPose model = model_at(set[i].clip, set[i].clip->duration * (float)k / 200);
      for (int part = 0; part < body->part_count; part++) {
        float most = body->parts[part].foot ? 0.005f : set[i].kind == GROUND ? 0.02f : 0;
        if (lowest(&model, part) < -most)
          fail_msg("%s: %s is at %.4f m in %d/200 of the clip", set[i].name, body->parts[part].name,
                   (double)lowest(&model, part), k);
      }
    }
}

static void test_joints_stay_in_their_limits(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    assert_joints_in_limits(set[i].clip, 0);
}

// A loop's seam is a key interval like any other: values and velocities are continuous across it.
static void test_motion_is_smooth(void **state) {
  (void)state;
  static const float most[] = {
      [STAND] = 200, [THROWN] = 1000, [OVERLAY] = 20000, [STEPS] = 100000, [TURNS] = 70000, [GROUND] = 25000};
  for (int i = 0; i < CLIPS; i++) {
    const Clip *clip = set[i].clip;
    float dt = key_interval(clip);
    for (int k = 0; k + (clip->loop ? 0 : 2) < clip->key_count; k++) {
      const Pose *a = &clip->keys[k], *b = &clip->keys[(k + 1) % clip->key_count],
                 *c = &clip->keys[(k + 2) % clip->key_count];
      for (int j = 0; j < a->count; j++) {
        vec3s first = quat_log(glms_quat_mul(glms_quat_conjugate(a->rotation[j]), b->rotation[j]));
        vec3s second = quat_log(glms_quat_mul(glms_quat_conjugate(b->rotation[j]), c->rotation[j]));
        float change = glms_vec3_distance(first, second) / (dt * dt) / RAD;
        if (change > most[set[i].kind])
          fail_msg("%s: %s changes its angular velocity by %.0f deg/s^2 after key %d", clip->name,
                   body->skeleton.names[j], (double)change, k);
      }
    }
  }
}

static void test_sides_mirror_each_other(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"idle_breathe", "idle_breathe"},
                                         {"idle_shift_left", "idle_shift_right"},
                                         {"stand_stagger_left", "stand_stagger_right"},
                                         {"look_left", "look_right"},
                                         {"look_up", "look_up"},
                                         {"overlay_landing", "overlay_landing"},
                                         {"turn_90_left", "turn_90_right"},
                                         {"turn_180_left", "turn_180_right"},
                                         {"run_turn_180_left_foot", "run_turn_180_right_foot"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const Clip *a = find(pairs[i][0]), *b = find(pairs[i][1]);
    assert_mirrors(a, b, 0);
    assert_true(a->root_turn_rate == -b->root_turn_rate);
    assert_int_equal(a->contact_count, b->contact_count);
  }
  const Clip *left = find("side_step_left"), *right = find("side_step_right");
  assert_mirrors(left, right, left->key_count / 2); // half a cycle later
  assert_true(fabsf(left->root_velocity_l.x - 0.5f) < 1e-6f && fabsf(right->root_velocity_l.x + 0.5f) < 1e-6f);
}

// The idle randomizer's parts: 70 frames at 30 Hz, the same breath for any shift; looks are one frame.
static void test_idle_parts(void **state) {
  (void)state;
  static const char *const standing[] = {"idle_breathe", "idle_shift_left", "idle_shift_right"};
  for (int i = 0; i < 3; i++) {
    const Clip *clip = find(standing[i]);
    assert_true(clip->loop && clip->key_count == 70 && fabsf(clip->duration - 70 / 30.0f) < 1e-4f);
  }
  Pose difference;
  int head = skeleton_find(&body->skeleton, "head"), chest = skeleton_find(&body->skeleton, "chest");
  static const char *const looks[] = {"look_left", "look_right", "look_up", "look_down"};
  for (int i = 0; i < 4; i++) {
    const Clip *look = find(looks[i]);
    assert_int_equal(look->key_count, 1);
    pose_difference(first_key(look), first_key(find("idle_breathe")), &difference);
    for (int j = 0; j < difference.count; j++) { // of the trunk and the head alone
      float turned = quat_angle_between(difference.rotation[j], glms_quat_identity()) / RAD;
      bool free = j == head || j == chest || j == body->skeleton.parent[chest];
      assert_true(j == head ? turned > 20 : free || turned < 0.02f);
    }
    ModelPose model = model_at(look, 0);
    vec3s gaze = glms_quat_rotatev(model.rotation[head], AHEAD);
    assert_true(i == 0 ? gaze.x > 0.8f : i == 1 ? gaze.x < -0.8f : i == 2 ? gaze.y > 0.4f : gaze.y < -0.4f);
  }
}

// Additive clips begin and end with the breathing's first pose, so that they add nothing there.
static void test_overlays_begin_and_end_with_nothing(void **state) {
  (void)state;
  const Pose *reference = first_key(find("idle_breathe"));
  for (int i = 0; i < CLIPS; i++)
    if (set[i].kind == OVERLAY) {
      assert_same_pose(set[i].name, first_key(set[i].clip), reference, 0, 1e-6f);
      assert_same_pose(set[i].name, last_key(set[i].clip), reference, 1e-6f, 1e-6f);
    }
}

// A landing adds nothing to the root's velocity and at least 5 deg to the spine.
static void test_landing_moves_the_spine_alone(void **state) {
  (void)state;
  const Clip *landing = find("overlay_landing");
  assert_true(glms_vec3_norm(landing->root_velocity_l) == 0 && landing->root_turn_rate == 0);
  int chest = skeleton_find(&body->skeleton, "chest");
  float most = 0;
  for (int k = 0; k < landing->key_count; k++) {
    ModelPose model = model_at(landing, key_interval(landing) * (float)k);
    vec3s up = glms_quat_rotatev(model.rotation[chest], UP);
    most = fmaxf(most, acosf(fminf(1, up.y)) / RAD);
  }
  assert_true(most > 20 && most < 35);
}

static vec3s root_speed(const Clip *clip, int key) {
  float dt = key_interval(clip);
  vec3s a = over_ground(clip, clip->keys[key].position[0], (float)key * dt);
  vec3s b = over_ground(clip, clip->keys[(key + 1) % clip->key_count].position[0], (float)(key + 1) * dt);
  return glms_vec3_divs(glms_vec3_sub(b, a), dt);
}

// Starts end with the first pose of the gait, at its speed; stops begin with it; both stand at the other end.
static void test_starts_and_stops_meet_their_gaits(void **state) {
  (void)state;
  const Pose *stand = first_key(find("idle_breathe"));
  for (int gait = 0; gait < 2; gait++) {
    const Clip *cycle = gait ? run : walk, *start = find(gait ? "run_start" : "walk_start"),
               *stop = find(gait ? "run_stop" : "walk_stop");
    assert_same_pose(start->name, first_key(start), stand, 1e-4f, 0.1f * RAD);
    assert_same_pose(start->name, last_key(start), first_key(cycle), 1e-3f, 0.2f * RAD);
    assert_same_pose(stop->name, first_key(stop), first_key(cycle), 1e-3f, 0.2f * RAD);
    assert_same_pose(stop->name, last_key(stop), stand, 1e-4f, 0.1f * RAD);
    float speed = cycle->root_velocity_l.z;
    assert_true(fabsf(root_speed(start, start->key_count - 2).z - root_speed(cycle, cycle->key_count - 1).z) <
                0.05f * speed);
    assert_true(fabsf(root_speed(stop, 0).z - root_speed(cycle, 0).z) < 0.05f * speed);
    assert_true(glms_vec3_norm(root_speed(start, 0)) < 0.05f &&
                glms_vec3_norm(root_speed(stop, stop->key_count - 2)) < 0.03f);
  }
}

static void test_turns_turn_and_end_standing(void **state) {
  (void)state;
  static const struct {
    const char *name;
    float angle, duration; // deg, s
  } turns[] = {{"turn_90_left", 90, 1.6f},
               {"turn_90_right", -90, 1.6f},
               {"turn_180_left", 180, 2.3f},
               {"turn_180_right", -180, 2.3f}};
  const Pose *stand = first_key(find("idle_breathe"));
  int head = skeleton_find(&body->skeleton, "head");
  for (int i = 0; i < 4; i++) {
    const Clip *clip = find(turns[i].name);
    assert_true(fabsf(clip->root_turn_rate * clip->duration / RAD - turns[i].angle) < 0.01f);
    assert_true(fabsf(clip->duration - turns[i].duration) < 1e-6f);
    assert_same_pose(clip->name, first_key(clip), stand, 1e-4f, 0.1f * RAD);
    assert_same_pose(clip->name, last_key(clip), stand, 1e-4f, 0.1f * RAD);
    // The head leads.
    ModelPose model = model_at(clip, 0.4f);
    vec3s gaze = glms_quat_rotatev(model.rotation[head], AHEAD), front = glms_quat_rotatev(model.rotation[0], AHEAD);
    float lead = (atan2f(gaze.x, gaze.z) - atan2f(front.x, front.z)) / RAD;
    assert_true(copysignf(lead, turns[i].angle * lead) > 10);
  }
}

// The root turns round in one frame, up to a quarter of a cycle before a strike; seen in the world the run goes on
// until that strike, as it does at the end.
static void test_one_frame_turns_continue_the_run(void **state) {
  (void)state;
  versors round = {{0, 1, 0, 0}};
  for (int side = 0; side < 2; side++) {
    const Clip *clip = find(side ? "run_turn_180_right_foot" : "run_turn_180_left_foot");
    int strike = side ? run->key_count / 2 : 0;
    for (int k = 0; k <= 4; k++) {
      float to_strike = run->duration / 16 * (float)k;
      Pose before, shown;
      clip_sample(run, run->duration * ((float)strike / (float)run->key_count + 1) - to_strike, &before);
      clip_sample(clip, clip->change_from - to_strike, &shown);
      before.position[0] = glms_quat_rotatev(round, before.position[0]);
      before.rotation[0] = glms_quat_mul(round, before.rotation[0]);
      assert_same_pose(clip->name, &shown, &before, 2e-3f, 1.5f * RAD); // two clips, sampled between their keys
    }
    assert_same_pose(clip->name, last_key(clip), &run->keys[strike], 1e-3f, 0.3f * RAD);
    assert_true(glms_vec3_norm(clip->root_velocity_l) == 0); // the root is the character's own
    // The pelvis keeps its direction at first: its speed over the ground does not jump.
    assert_true(fabsf(root_speed(clip, 0).z + 3.5f) < 0.3f);
    assert_true(fabsf(root_speed(clip, clip->key_count - 2).z - 3.5f) < 0.3f);
  }
}

// Over the feet: between the outer edges, from heels to toes.
static void assert_balanced(const char *name, const Pose *pose, float from_x, float to_x) {
  vec3s center = center_of_mass(pose);
  if (center.x < from_x || center.x > to_x || center.z < -0.05f || center.z > 0.15f)
    fail_msg("%s: the centre of mass is at x %.3f, z %.3f m", name, (double)center.x, (double)center.z);
}

static void test_standing_is_balanced(void **state) {
  (void)state;
  assert_balanced("idle_breathe", first_key(find("idle_breathe")), -0.01f, 0.01f);
  assert_balanced("idle_shift_left", first_key(find("idle_shift_left")), 0.03f, 0.148f); // moving to the left foot
  assert_balanced("idle_shift_right", first_key(find("idle_shift_right")), -0.148f, -0.03f);
  assert_balanced("get_up_prone", last_key(find("get_up_prone")), -0.02f, 0.02f);
  assert_balanced("punch", last_key(find("punch")), -0.02f, 0.02f);
  for (int k = 0; k < 70; k += 7)
    assert_balanced("idle_breathe", &find("idle_breathe")->keys[k], -0.01f, 0.01f);
}

static void test_getting_up_ends_standing(void **state) {
  (void)state;
  const Pose *stand = first_key(find("idle_breathe"));
  static const char *const names[] = {"get_up_prone", "get_up_supine"};
  for (int i = 0; i < 2; i++) {
    const Clip *clip = find(names[i]);
    assert_same_pose(clip->name, last_key(clip), stand, 1e-3f, 0.5f * RAD);
    assert_true(clip->duration >= 3 && clip->duration <= 5.5f);
    assert_true(first_key(clip)->position[0].y < 0.13f);
    // Prone he faces the ground, supine the sky.
    vec3s front = glms_quat_rotatev(first_key(clip)->rotation[0], AHEAD);
    assert_true(i ? front.y > 0.9f : front.y < -0.9f);
    for (int leg = 0; leg < 2; leg++) // both feet stand in the end
      assert_true(clip_contact(clip, leg, clip->duration - 0.05f));
  }
}

// The fist is farthest ahead of the pelvis at the time of the mark.
static void test_punches_hit(void **state) {
  (void)state;
  const Clip *clips[] = {find("punch"), load_clip("run_punch")};
  int hand = skeleton_find(&body->skeleton, "hand_r");
  for (int i = 0; i < 2; i++) {
    float best = 0, best_time = 0, hit = -1;
    for (int k = 0; k < 300; k++) {
      float time = clips[i]->duration * (float)k / 300;
      ModelPose model = model_at(clips[i], time);
      float ahead = model.position[hand].z - model.position[0].z;
      if (ahead > best) {
        best = ahead;
        best_time = time;
      }
    }
    for (int m = 0; m < clips[i]->mark_count; m++)
      if (strcmp(clips[i]->marks[m].name, "hit") == 0)
        hit = clips[i]->marks[m].time;
    assert_true(best > 0.6f && fabsf(best_time - hit) < 0.06f);
    assert_true(clips[i]->safe_from > hit); // it may be left after the hit
  }
  clip_free((Clip *)clips[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_standing_feet_stay),
      cmocka_unit_test(test_nothing_sinks_into_the_ground),
      cmocka_unit_test(test_joints_stay_in_their_limits),
      cmocka_unit_test(test_motion_is_smooth),
      cmocka_unit_test(test_sides_mirror_each_other),
      cmocka_unit_test(test_idle_parts),
      cmocka_unit_test(test_overlays_begin_and_end_with_nothing),
      cmocka_unit_test(test_landing_moves_the_spine_alone),
      cmocka_unit_test(test_starts_and_stops_meet_their_gaits),
      cmocka_unit_test(test_turns_turn_and_end_standing),
      cmocka_unit_test(test_one_frame_turns_continue_the_run),
      cmocka_unit_test(test_standing_is_balanced),
      cmocka_unit_test(test_getting_up_ends_standing),
      cmocka_unit_test(test_punches_hit),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
