// Mirroring: the human body and its clips, a rig of 300 joints, and differences from the published node.
#include "anim/mirror.h"
#include "tests/fixture.h"

static const float DEG = 0.0174532925f;

static FileSet files;
static BodyDef *body;
static Clip *walk, *stagger_left, *stagger_right;

static Clip *load(const char *name) {
  Error error = {0};
  Clip *clip = clip_read(&files, name, &body->skeleton, &error);
  fixture_check(&error);
  return clip;
}

static int start(void **state) {
  (void)state;
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  body = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  walk = load("clips/walk.yaml");
  stagger_left = load("clips/run_stagger_left.yaml");
  stagger_right = load("clips/run_stagger_right.yaml");
  return 0;
}

static int finish(void **state) {
  (void)state;
  clip_free(walk);
  clip_free(stagger_left);
  clip_free(stagger_right);
  body_free(body);
  files_free(&files);
  return 0;
}

static float distance_of_poses(const Pose *a, const Pose *b) {
  float largest = 0;
  for (int i = 0; i < a->count; i++)
    largest = fmaxf(largest, fmaxf(glms_vec3_distance(a->position[i], b->position[i]),
                                   quat_angle_between(a->rotation[i], b->rotation[i])));
  return largest;
}

static void assert_same(const Pose *a, const Pose *b) {
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->position, b->position, (size_t)a->count * sizeof a->position[0]);
  assert_memory_equal(a->rotation, b->rotation, (size_t)a->count * sizeof a->rotation[0]);
}

// Angle about up of the rotated frame's forward axis.
static float yaw_of(versors q) {
  vec3s forward = glms_quat_rotatev(q, (vec3s){{0, 0, 1}});
  return atan2f(forward.x, forward.z);
}

// All bones, with translations.
static void test_twice_is_the_identity(void **state) {
  (void)state;
  Rng rng = rng_make(1, "mirror");
  for (int n = 0; n < 1000; n++) {
    Pose pose = pose_bind(&body->skeleton), once, twice;
    for (int i = 0; i < pose.count; i++)
      for (int k = 0; k < 3; k++) {
        pose.position[i].raw[k] += (float)rng_range(&rng, -0.1, 0.1);
        pose.rotation[i] = glms_quat_mul(pose.rotation[i], glms_quat((float)rng_range(&rng, -2, 2), (float)(k == 0),
                                                                     (float)(k == 1), (float)(k == 2)));
      }
    mirror_pose(&body->skeleton, &pose, &once);
    mirror_pose(&body->skeleton, &once, &twice);
    assert_true(distance_of_poses(&pose, &twice) <= 1e-6f);
    assert_true(distance_of_poses(&pose, &once) > 0.1f);
    mirror_pose(&body->skeleton, &pose, &pose); // in place
    assert_same(&pose, &once);
  }
}

// Feet over a cycle, and heights. All joints, in fact.
static void test_paths_are_reflections(void **state) {
  (void)state;
  const Skeleton *skeleton = &body->skeleton;
  for (int n = 0; n < 200; n++) {
    Pose pose, mirrored;
    ModelPose before, after;
    clip_sample(stagger_left, stagger_left->duration * (float)n / 200, &pose);
    mirror_pose(skeleton, &pose, &mirrored);
    pose_to_model(skeleton, &pose, &before);
    pose_to_model(skeleton, &mirrored, &after);
    for (int i = 0; i < pose.count; i++) {
      vec3s wanted = mirror_vector(before.position[skeleton->twin[i]]);
      assert_true(glms_vec3_distance(after.position[i], wanted) < 1e-5f);
      assert_true(fabsf(after.position[i].y - wanted.y) <= 1e-6f);
    }
    for (int leg = 0; leg < skeleton->leg_count; leg++) {
      const Leg *to = &skeleton->legs[mirror_leg(skeleton, leg)], *from = &skeleton->legs[leg];
      vec3s toe_m = glms_vec3_add(after.position[to->ankle], glms_quat_rotatev(after.rotation[to->ankle], to->toe_l));
      vec3s twin_m =
          glms_vec3_add(before.position[from->ankle], glms_quat_rotatev(before.rotation[from->ankle], from->toe_l));
      assert_true(glms_vec3_distance(toe_m, mirror_vector(twin_m)) < 1e-5f);
    }
  }
}

// A clip to the left, mirrored, is the clip to the right half a cycle later.
static void test_left_clip_becomes_the_right_one(void **state) {
  (void)state;
  int half = stagger_left->key_count / 2;
  for (int k = 0; k < stagger_left->key_count; k++) {
    Pose mirrored;
    mirror_pose(&body->skeleton, &stagger_left->keys[k], &mirrored);
    assert_true(distance_of_poses(&mirrored, &stagger_right->keys[(k + half) % stagger_right->key_count]) < 2e-6f);
  }
}

// A pose that faces forward still does, also in rigs whose root frame is rotated, and a yaw changes its sign.
static void test_facing(void **state) {
  (void)state;
  Rng rng = rng_make(3, "facing");
  Skeleton skeleton = body->skeleton;
  for (int n = 0; n < 200; n++) {
    if (n > 0) // any frame for the root; its children keep their places in the model
      skeleton.bind_rotation_l[0] =
          quat_exp((vec3s){{(float)rng_range(&rng, -3, 3), (float)rng_range(&rng, -3, 3), 1}});
    versors bind = skeleton.bind_rotation_l[0], to_frame = glms_quat_conjugate(bind);
    for (int i = 1; i < skeleton.count; i++)
      if (skeleton.parent[i] == 0) {
        skeleton.bind_position_l[i] = glms_quat_rotatev(to_frame, body->skeleton.bind_position_l[i]);
        skeleton.bind_rotation_l[i] = to_frame;
      }
    Pose pose = pose_bind(&skeleton), mirrored;
    mirror_pose(&skeleton, &pose, &mirrored);
    assert_true(distance_of_poses(&pose, &mirrored) < 2e-6f);

    float yaw = (float)rng_range(&rng, -3, 3);
    pose.rotation[0] = glms_quat_mul(glms_quat(yaw, 0, 1, 0), bind);
    mirror_pose(&skeleton, &pose, &mirrored);
    float after = yaw_of(glms_quat_mul(mirrored.rotation[0], to_frame));
    assert_true(fabsf(after + yaw) <= 0.01f * DEG);
  }
}

static void test_root_motion(void **state) {
  (void)state;
  vec3s velocity = mirror_vector((vec3s){{0.4f, 0.1f, 1.3f}});
  assert_true(velocity.x == -0.4f && velocity.y == 0.1f && velocity.z == 1.3f);
  versors turn = mirror_rotation(glms_quat(0.3f, 0, 1, 0));
  assert_true(fabsf(yaw_of(turn) + 0.3f) < 1e-6f);
}

// Contacts and marks move to the other side, and the feet that then stand are those of the flags.
static void test_contacts_and_marks_swap(void **state) {
  (void)state;
  const Skeleton *skeleton = &body->skeleton;
  assert_int_equal(mirror_leg(skeleton, 0), 1);
  assert_int_equal(mirror_leg(skeleton, 1), 0);
  for (int n = 0; n < 100; n++) {
    float time = walk->duration * (float)n / 100;
    Pose pose;
    ModelPose model;
    clip_sample(walk, time, &pose);
    mirror_pose(skeleton, &pose, &pose);
    pose_to_model(skeleton, &pose, &model);
    for (int leg = 0; leg < skeleton->leg_count; leg++) {
      const Leg *l = &skeleton->legs[leg];
      float heel = model.position[l->ankle].y + glms_quat_rotatev(model.rotation[l->ankle], l->heel_l).y;
      float toe = model.position[l->ankle].y + glms_quat_rotatev(model.rotation[l->ankle], l->toe_l).y;
      if (clip_contact(walk, mirror_leg(skeleton, leg), time))
        assert_true(fminf(heel, toe) < 0.015f);
    }
  }

  char name[SKELETON_NAME_SIZE];
  mirror_mark_name("left_strike", name);
  assert_string_equal(name, "right_strike");
  mirror_mark_name(name, name);
  assert_string_equal(name, "left_strike");
  mirror_mark_name("land", name);
  assert_string_equal(name, "land");
  mirror_mark_name("leftover", name);
  assert_string_equal(name, "leftover");
  mirror_mark_name("left_234567890123456789012345678", name); // one letter too long then
  assert_string_equal(name, "right_2345678901234567890123456");
}

// A leg without a twin is its own image.
static void test_lone_leg(void **state) {
  (void)state;
  Skeleton skeleton = {.count = 2, .parent = {-1, 0}, .twin = {0, 1}, .leg_count = 1};
  skeleton.legs[0].ankle = 1;
  assert_int_equal(mirror_leg(&skeleton, 0), 0);
}

// Off, the pose is the input bit for bit; on, the mirrored one; in between it is a blend.
static void test_switching(void **state) {
  (void)state;
  Pose pose, mirrored, shown;
  clip_sample(walk, 0.3f, &pose);
  mirror_pose(&body->skeleton, &pose, &mirrored);
  pose_blend(&pose, &mirrored, 0, NULL, &shown);
  assert_same(&shown, &pose);
  pose_blend(&pose, &mirrored, 1, NULL, &shown);
  assert_same(&shown, &mirrored);
  pose_blend(&pose, &mirrored, 0.5f, NULL, &shown); // half of each is the same on both sides
  Pose again;
  mirror_pose(&body->skeleton, &shown, &again);
  assert_true(distance_of_poses(&shown, &again) < 1e-5f);
}

// A spine and two arms of 100 joints each, every frame rotated differently.
enum { MANY = 300 };
static void test_300_joints(void **state) {
  (void)state;
  static int parent[MANY], twin[MANY];
  static vec3s bind[MANY], pose[MANY], once[MANY], twice[MANY], place[MANY], place_once[MANY];
  static versors bind_q[MANY], pose_q[MANY], once_q[MANY], twice_q[MANY], model[MANY], scratch[2 * MANY];
  Rng rng = rng_make(7, "many");
  for (int i = 0; i < MANY; i++) {
    int chain = i / 100;
    parent[i] = i == 0 ? -1 : i == 200 ? 99 : i - 1;
    twin[i] = chain == 0 ? i : chain == 1 ? i + 100 : i - 100;
    versors any = quat_exp((vec3s){{(float)rng_range(&rng, -2, 2), (float)rng_range(&rng, -2, 2), 1}});
    versors above = i ? model[parent[i]] : glms_quat_identity();
    vec3s step = chain == 0   ? (vec3s){{0, 0.01f, 0}}
                 : chain == 1 ? (vec3s){{0.01f, 0, 0.002f}}
                              : (vec3s){{-0.01f, 0, 0.002f}};
    model[i] = any;
    bind[i] = glms_quat_rotatev(glms_quat_conjugate(above), step);
    bind_q[i] = glms_quat_mul(glms_quat_conjugate(above), any);
    vec3s turn = {{(float)rng_range(&rng, -0.1, 0.1), (float)rng_range(&rng, -0.1, 0.1), 0.05f}};
    pose[i] = glms_vec3_adds(bind[i], 0.001f);
    pose_q[i] = glms_quat_mul(bind_q[i], quat_exp(turn));
  }
  MirrorJob job = {MANY, parent, twin, bind, bind_q, pose, pose_q, once, once_q, scratch};
  mirror_solve(&job);
  MirrorJob back = {MANY, parent, twin, bind, bind_q, once, once_q, twice, twice_q, scratch};
  mirror_solve(&back);
  for (int i = 0; i < MANY; i++) {
    assert_true(glms_vec3_distance(pose[i], twice[i]) <= 1e-6f);
    assert_true(quat_angle_between(pose_q[i], twice_q[i]) <= 1e-6f);
  }
  versors model_once[MANY];
  for (int i = 0; i < MANY; i++) {
    versors a = i ? model[parent[i]] : glms_quat_identity(), b = i ? model_once[parent[i]] : a;
    model[i] = glms_quat_normalize(glms_quat_mul(a, pose_q[i]));
    model_once[i] = glms_quat_normalize(glms_quat_mul(b, once_q[i]));
    place[i] = glms_vec3_add(i ? place[parent[i]] : glms_vec3_zero(), glms_quat_rotatev(a, pose[i]));
    place_once[i] = glms_vec3_add(i ? place_once[parent[i]] : glms_vec3_zero(), glms_quat_rotatev(b, once[i]));
  }
  for (int i = 0; i < MANY; i++)
    assert_true(glms_vec3_distance(place_once[i], mirror_vector(place[twin[i]])) < 1e-5f);
}

// ---- Bind poses that are not symmetric ----

static void test_asymmetry_is_reported_by_name(void **state) {
  (void)state;
  char names[128], few[6];
  assert_int_equal(mirror_asymmetry(&body->skeleton, names, sizeof names), 0);
  assert_string_equal(names, "");

  Skeleton skeleton = body->skeleton;
  int foot = skeleton_find(&skeleton, "foot_l"), head = skeleton_find(&skeleton, "head");
  skeleton.bind_position_l[foot].y -= 0.0008f; // below 1 mm
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 0);
  skeleton.bind_position_l[foot].y -= 0.0008f;
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 2);
  assert_string_equal(names, "foot_l, foot_r");
  assert_int_equal(mirror_asymmetry(&skeleton, few, sizeof few), 2); // as many names as fit
  assert_string_equal(few, "");
  assert_int_equal(mirror_asymmetry(&skeleton, NULL, 0), 2);

  skeleton = body->skeleton;
  skeleton.bind_rotation_l[head] = glms_quat(0.3f, 1, 0, 0); // a nod is symmetric
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 0);
  for (int i = -300; i <= 300; i++) { // however far it goes
    skeleton.bind_rotation_l[head] = glms_quat(0.01f * (float)i, 1, 0, 0);
    assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 0);
  }
  skeleton.bind_rotation_l[head] = glms_quat(0.2f * DEG, 0, 1, 0); // counts twice: against its own image
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 0);
  skeleton.bind_rotation_l[head] = glms_quat(0.3f * DEG, 0, 1, 0);
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 1);
  assert_string_equal(names, "head");

  skeleton = body->skeleton; // different axes on one side
  skeleton.bind_rotation_l[foot] = glms_quat_mul(glms_quat(GLM_PI_2f, 0, 1, 0), glms_quat(GLM_PI_2f, 1, 0, 0));
  assert_int_equal(mirror_asymmetry(&skeleton, names, sizeof names), 0);

  skeleton = body->skeleton; // the arms have different parents
  skeleton.parent[skeleton_find(&skeleton, "upper_arm_l")] = skeleton_find(&skeleton, "abdomen");
  assert_true(mirror_asymmetry(&skeleton, names, sizeof names) >= 2);
  assert_non_null(strstr(names, "upper_arm_l"));
}

// All 24 rotations that permute the axes, on one side, are no asymmetry; nor is a little more, up to half a degree.
static void test_axes_may_be_named_otherwise_on_one_side(void **state) {
  (void)state;
  const int hand = skeleton_find(&body->skeleton, "hand_l");
  const vec3s aside = glms_vec3_normalize((vec3s){{0.3f, -0.8f, 0.5f}});
  for (int i = 0; i < 24; i++) {
    static const float tilts[6][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {0, 3}}; // quarter turns about x, or z
    const versors turned = glms_quat_mul(glms_quat((float)(i % 4) * GLM_PI_2f, 0, 1, 0),
                                         glms_quat_mul(glms_quat(tilts[i / 4][0] * GLM_PI_2f, 1, 0, 0),
                                                       glms_quat(tilts[i / 4][1] * GLM_PI_2f, 0, 0, 1)));
    for (int k = 0; k < 2; k++) {
      Skeleton skeleton = body->skeleton;
      skeleton.bind_rotation_l[hand] = glms_quat_mul(turned, glms_quatv((k ? 0.53f : 0.47f) * DEG, aside));
      assert_int_equal(mirror_asymmetry(&skeleton, NULL, 0), k ? 2 : 0);
    }
  }
}

// A longer shin on the left: bones keep their lengths, and so does the bind pose.
static void test_asymmetric_bones_keep_their_lengths(void **state) {
  (void)state;
  Skeleton skeleton = body->skeleton;
  int foot = skeleton_find(&skeleton, "foot_l");
  skeleton.bind_position_l[foot].y -= 0.05f;
  Pose pose = pose_bind(&skeleton), mirrored;
  mirror_pose(&skeleton, &pose, &mirrored);
  assert_true(distance_of_poses(&pose, &mirrored) < 1e-6f);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = quat_exp((vec3s){{0.1f * (float)i, 0.3f, -0.2f}});
  mirror_pose(&skeleton, &pose, &mirrored);
  for (int i = 1; i < pose.count; i++)
    assert_true(glms_vec3_distance(mirrored.position[i], skeleton.bind_position_l[i]) < 1e-6f);
}

// ---- The published formulas ----
// Twins: q1' = ref1 ref2^-1 q2, p1' = ref2^-1 q2 (p2 - refp2) + refp1. Joints in the middle: the rotation from the
// reference loses the signs of y and z. They assume a rig whose joints on the right have the left ones' axes rotated by
// half a turn around X, as rigs are often made; for such rigs, and for rotations, they agree with this code.

static Skeleton published_rig(bool turned) {
  Skeleton s = {.count = 4, .parent = {-1, 0, 0, 0}, .twin = {0, 1, 3, 2}};
  for (int i = 0; i < s.count; i++)
    s.bind_rotation_l[i] = glms_quat_identity();
  s.bind_rotation_l[0] = s.bind_rotation_l[1] = glms_quat(0.4f, 1, 0, 0);
  s.bind_position_l[1] = (vec3s){{0, 0.3f, 0}};
  s.bind_position_l[2] = (vec3s){{0.2f, 0.1f, 0}};
  s.bind_position_l[3] = (vec3s){{-0.2f, 0.1f, 0}};
  s.bind_rotation_l[2] = glms_quat(0.7f, 0.6f, 0.8f, 0);
  s.bind_rotation_l[3] = mirror_rotation(s.bind_rotation_l[2]);
  if (turned)
    s.bind_rotation_l[3] = glms_quat_mul(s.bind_rotation_l[3], glms_quat(GLM_PIf, 1, 0, 0));
  return s;
}

static Pose mirror_as_published(const Skeleton *s, const Pose *pose) {
  Pose out = *pose;
  for (int i = 0; i < s->count; i++) {
    int twin = s->twin[i];
    versors ref = s->bind_rotation_l[i], delta;
    if (twin == i) {
      delta = mirror_rotation(glms_quat_mul(glms_quat_conjugate(ref), pose->rotation[i]));
      out.rotation[i] = glms_quat_mul(ref, delta);
    } else {
      delta = glms_quat_mul(glms_quat_conjugate(s->bind_rotation_l[twin]), pose->rotation[twin]);
      vec3s moved = glms_vec3_sub(pose->position[twin], s->bind_position_l[twin]);
      out.rotation[i] = glms_quat_mul(ref, delta);
      out.position[i] = glms_vec3_add(glms_quat_rotatev(delta, moved), s->bind_position_l[i]);
    }
  }
  return out;
}

static void test_as_published(void **state) {
  (void)state;
  Skeleton turned = published_rig(true), straight = published_rig(false);
  Rng rng = rng_make(8, "published");
  float wrong = 0, moved = 0;
  for (int n = 0; n < 100; n++) {
    Pose turns = pose_bind(&turned), other = pose_bind(&straight), ours;
    for (int i = 0; i < turns.count; i++) {
      versors turn = quat_exp(
          (vec3s){{(float)rng_range(&rng, -1, 1), (float)rng_range(&rng, -1, 1), (float)rng_range(&rng, -1, 1)}});
      turns.rotation[i] = glms_quat_mul(turns.rotation[i], turn);
      other.rotation[i] = glms_quat_mul(other.rotation[i], turn);
    }
    Pose published = mirror_as_published(&turned, &turns);
    mirror_pose(&turned, &turns, &ours);
    for (int i = 0; i < ours.count; i++)
      assert_true(quat_angle_between(published.rotation[i], ours.rotation[i]) < 3e-6f);

    // With frames that are mirror images the published twins turn the wrong way: the results differ.
    published = mirror_as_published(&straight, &other);
    mirror_pose(&straight, &other, &ours);
    wrong = fmaxf(wrong, quat_angle_between(published.rotation[2], ours.rotation[2]));

    // And its translations are not involutive: the present rotation is applied to them.
    for (int i = 0; i < turns.count; i++)
      turns.position[i] = glms_vec3_adds(turns.position[i], 0.1f);
    published = mirror_as_published(&turned, &turns);
    published = mirror_as_published(&turned, &published);
    for (int i = 0; i < turns.count; i++) {
      assert_true(quat_angle_between(published.rotation[i], turns.rotation[i]) < 2e-6f);
      moved = fmaxf(moved, glms_vec3_distance(published.position[i], turns.position[i]));
    }
  }
  assert_true(wrong > 1);
  assert_true(moved > 0.05f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twice_is_the_identity),
      cmocka_unit_test(test_paths_are_reflections),
      cmocka_unit_test(test_left_clip_becomes_the_right_one),
      cmocka_unit_test(test_facing),
      cmocka_unit_test(test_root_motion),
      cmocka_unit_test(test_contacts_and_marks_swap),
      cmocka_unit_test(test_lone_leg),
      cmocka_unit_test(test_switching),
      cmocka_unit_test(test_300_joints),
      cmocka_unit_test(test_asymmetry_is_reported_by_name),
      cmocka_unit_test(test_axes_may_be_named_otherwise_on_one_side),
      cmocka_unit_test(test_asymmetric_bones_keep_their_lengths),
      cmocka_unit_test(test_as_published),
  };
  return cmocka_run_group_tests(tests, start, finish);
}
