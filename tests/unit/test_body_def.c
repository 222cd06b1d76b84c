// Body files: the human, what mirror makes, the exact error of every kind of bad file, the warnings.
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

// Two lines, so that a third part stands in line 5.
#define HEAD "name: b\nparts:\n"
#define PELVIS                                                                                                         \
  "- {name: pelvis, mass: 6, com: [0, 1, 0], inertia: [1, 1, 1], joint: {kind: root, position: [0, 1, 0]}, "           \
  "shapes: [{sphere: 0.1, center: [0, 1, 0]}]}\n"
#define MASS "mass: 2, com: [0.1, 0.5, 0], inertia: [1, 1, 1]"
#define SHAPE "shapes: [{sphere: 0.1, center: [0.1, 0.5, 0]}]"
#define JOINT "joint: {position: [0.1, 0.9, 0]}"
#define THIGH "- {name: thigh_l, mirror: thigh_r, parent: pelvis, " MASS ", " JOINT ", " SHAPE "}\n"
#define SHIN "- {name: shin_l, mirror: shin_r, parent: thigh_l, " MASS ", " JOINT ", " SHAPE "}\n"
#define FOOT "- {name: foot_l, mirror: foot_r, parent: shin_l, foot: true, " MASS ", " JOINT ", " SHAPE "}\n"
#define LEGS HEAD PELVIS THIGH SHIN FOOT "legs:\n" // lines 1 to 7
#define CHAIN "hip: thigh_l, knee: shin_l, ankle: foot_l"
#define SOLE "heel: [0.1, 0, -0.1], toe: [0.1, 0, 0.2], half_width: 0.05"

static BodyDef *read_text(const char *text, Error *error) {
  FileSet files = {0};
  files_put(&files, "b.yaml", text, strlen(text));
  BodyDef *body = body_read(&files, "b.yaml", error);
  files_free(&files);
  return body;
}

static BodyDef *read_good(const char *text) {
  Error error = {0};
  BodyDef *body = read_text(text, &error);
  fixture_check(&error);
  assert_non_null(body);
  return body;
}

typedef struct BadFile {
  const char *text, *error;
} BadFile;

static void check_errors(const BadFile *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Error error = {0};
    BodyDef *body = read_text(files[i].text, &error);
    if (body)
      fail_msg("no error for:\n%s", files[i].text);
    assert_string_equal(error.text, files[i].error);
  }
}

#define CHECK_ERRORS(files) check_errors((files), sizeof(files) / sizeof(files)[0])

static const PartDef *find_part(const BodyDef *body, const char *name) {
  int index = skeleton_find(&body->skeleton, name);
  if (index < 0)
    fail_msg("no part %s", name);
  return &body->parts[index];
}

static void test_human_is_whole(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const BodyDef *body = f.body;
  assert_int_equal(body->part_count, 16);
  assert_true(fabs(body->mass - 75) < 0.1);
  int feet = 0;
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    feet += part->foot;
    assert_true(part->parent < i); // parents before children
    assert_int_equal(part->parent, body->skeleton.parent[i]);
    assert_int_equal(part->twin, body->skeleton.twin[i]);
    assert_int_equal(body->parts[part->twin].twin, i);
    assert_string_equal(part->name, body->skeleton.names[i]);
    for (int k = 0; k < body->part_count; k++)
      assert_int_equal(body->collides[i][k], body->collides[k][i]);
    assert_false(body->collides[i][i]);
    assert_true((i == 0) == (part->joint.kind == JOINT_ROOT));
  }
  assert_int_equal(feet, 2);
  assert_false(body->collides[fixture_part(&f, "pelvis")][fixture_part(&f, "abdomen")]); // neighbours
  assert_true(body->collides[fixture_part(&f, "hand_l")][fixture_part(&f, "hand_r")]);
  assert_true(body->collides[fixture_part(&f, "foot_l")][fixture_part(&f, "foot_r")]);
  body_free(f.body);
  files_free(&f.files);
}

// The bind pose is consistent: a joint's offsets from the root on add up to its position in the file.
static void test_human_skeleton_stands_where_the_file_says(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  for (int i = 0; i < f.body->part_count; i++) {
    double sum[3] = {0};
    for (int k = i; k >= 0; k = f.body->parts[k].parent)
      for (int axis = 0; axis < 3; axis++)
        sum[axis] += (double)f.body->skeleton.bind_position_l[k].raw[axis];
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs(sum[axis] - f.body->parts[i].joint.position[axis]) < 1e-6);
  }
  body_free(f.body);
  files_free(&f.files);
}

static void check_mirrored(const double left[2], const double right[2], bool same_sign) {
  assert_true(right[0] == (same_sign ? left[0] : -left[1]));
  assert_true(right[1] == (same_sign ? left[1] : -left[0]));
}

static void test_mirrored_parts_are_mirror_images(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  int pairs = 0;
  for (int i = 0; i < f.body->part_count; i++) {
    const PartDef *left = &f.body->parts[i], *right = &f.body->parts[left->twin];
    if (left->twin <= i)
      continue;
    pairs++;
    assert_int_equal(left->twin, i + 1);
    assert_int_equal(right->parent, f.body->parts[left->parent].twin); // itself in the middle
    assert_true(right->mass == left->mass && right->foot == left->foot);
    assert_memory_equal(right->inertia, left->inertia, sizeof left->inertia);
    for (int axis = 0; axis < 3; axis++) {
      double sign = axis == 0 ? -1 : 1;
      assert_true(right->com[axis] == sign * left->com[axis]);
      assert_true(right->joint.position[axis] == sign * left->joint.position[axis]);
      assert_true(right->shapes[0].center_m[axis] == sign * left->shapes[0].center_m[axis]);
      check_mirrored(left->joint.limit[axis], right->joint.limit[axis], axis == 0);
    }
    check_mirrored(left->joint.x, right->joint.x, true);
    check_mirrored(left->joint.y, right->joint.y, false);
    check_mirrored(left->joint.z, right->joint.z, false);
    assert_true(right->joint.kind == left->joint.kind && right->joint.strength == left->joint.strength);
    assert_int_equal(right->shape_count, left->shape_count);
  }
  assert_int_equal(pairs, 6);

  const JointDef *arm = &find_part(f.body, "upper_arm_r")->joint;
  const double expected[3][2] = {{-170 * DEG, 60 * DEG}, {-70 * DEG, 90 * DEG}, {-170 * DEG, 30 * DEG}};
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++)
      assert_true(fabs(arm->limit[axis][side] - expected[axis][side]) < 1e-12);
  body_free(f.body);
  files_free(&f.files);
}

static void test_human_has_legs_on_both_sides(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  assert_int_equal(skeleton->leg_count, 2);
  static const char *const expected[2][4] = {{"left", "thigh_l", "shin_l", "foot_l"},
                                             {"right", "thigh_r", "shin_r", "foot_r"}};
  for (int i = 0; i < 2; i++) {
    const Leg *leg = &skeleton->legs[i];
    float side = i == 0 ? 1 : -1;
    assert_string_equal(leg->name, expected[i][0]);
    assert_string_equal(skeleton->names[leg->hip], expected[i][1]);
    assert_string_equal(skeleton->names[leg->knee], expected[i][2]);
    assert_string_equal(skeleton->names[leg->ankle], expected[i][3]);
    // From the ankle joint at [0.09, 0.07, 0]: heel, toe and their middle on the ground.
    const vec3s points[3] = {leg->heel_l, leg->toe_l, leg->sole_l};
    static const float ahead[3] = {-0.08f, 0.18f, 0.05f};
    for (int k = 0; k < 3; k++) {
      assert_true(fabsf(points[k].x * side) < 1e-6f);
      assert_true(fabsf(points[k].y + 0.07f) < 1e-6f);
      assert_true(fabsf(points[k].z - ahead[k]) < 1e-6f);
    }
    assert_true(fabsf(leg->half_width - 0.048f) < 1e-6f);
  }
  body_free(f.body);
  files_free(&f.files);
}

// A sole beside its ankle is on the other side of the other ankle.
static void test_mirrored_soles(void **state) {
  (void)state;
  BodyDef *body = read_good(LEGS "- {name: left, mirror: right, " CHAIN
                                 ", heel: [0.11, 0, -0.1], toe: [0.13, 0, 0.2], half_width: 0.05}\n");
  const Skeleton *skeleton = &body->skeleton;
  assert_int_equal(skeleton->leg_count, 2);
  for (int i = 0; i < 2; i++) {
    const vec3s points[3] = {skeleton->legs[i].heel_l, skeleton->legs[i].toe_l, skeleton->legs[i].sole_l};
    static const float aside[3] = {0.01f, 0.03f, 0.02f}, ahead[3] = {-0.1f, 0.2f, 0.05f};
    for (int k = 0; k < 3; k++) {
      assert_true(fabsf(points[k].x - (i == 0 ? aside[k] : -aside[k])) < 1e-6f);
      assert_true(fabsf(points[k].y + 0.9f) < 1e-6f && fabsf(points[k].z - ahead[k]) < 1e-6f);
    }
  }
  body_free(body);
}

static void test_shapes_and_ranges_are_read(void **state) {
  (void)state;
  BodyDef *body =
      read_good(HEAD PELVIS "- {name: a, parent: pelvis, " MASS ", joint: {kind: hinge, position: [0, 0.9, 0], "
                            "twist_axis: z, z: [-90, 45]}, shapes: [{box: [1, 2, 3], center: [4, 5, 6]}, "
                            "{capsule: [0.1, 0.4], axis: x, center: [0, 0, 0]}]}\n"
                            "- {name: c, parent: a, " MASS ", joint: {position: [0, 0, 0], x: 0}, "
                            "shapes: [{capsule: [0.1, 0.4], center: [0, 0, 0]}]}\n"
                            "- {name: d, parent: a, " MASS ", " JOINT ", " SHAPE "}\n");
  const PartDef *a = find_part(body, "a"), *c = find_part(body, "c");
  assert_int_equal(a->shape_count, 2);
  assert_int_equal(a->shapes[0].kind, SHAPE_BOX);
  assert_true(a->shapes[0].size[0] == 1 && a->shapes[0].size[1] == 2 && a->shapes[0].size[2] == 3);
  assert_true(a->shapes[0].center_m[0] == 4 && a->shapes[0].center_m[2] == 6);
  assert_int_equal(a->shapes[1].kind, SHAPE_CAPSULE);
  assert_int_equal(a->shapes[1].axis, 0);
  assert_true(a->shapes[1].size[0] == 0.1 && a->shapes[1].size[1] == 0.4);
  assert_int_equal(c->shapes[0].axis, 1); // y if it is not given
  assert_int_equal(body->parts[0].shapes[0].kind, SHAPE_SPHERE);

  assert_int_equal(a->joint.kind, JOINT_HINGE);
  assert_int_equal(a->joint.twist_axis, 2);
  assert_true(fabs(a->joint.limit[2][0] + 90 * DEG) < 1e-12 && fabs(a->joint.limit[2][1] - 45 * DEG) < 1e-12);
  assert_int_equal(c->joint.kind, JOINT_BALL);
  assert_true(c->joint.limit[0][0] == 0 && c->joint.limit[0][1] == 0); // one number: a locked axis
  assert_true(a->joint.limited && c->joint.limited && !find_part(body, "d")->joint.limited);
  body_free(body);
}

static void test_a_leg_without_mirror_and_a_full_set_of_legs(void **state) {
  (void)state;
  BodyDef *body = read_good(LEGS "- {name: one, " CHAIN ", " SOLE "}\n");
  assert_int_equal(body->skeleton.leg_count, 1);
  body_free(body);
  body = read_good(LEGS "- {name: l1, mirror: r1, " CHAIN ", " SOLE "}\n- {name: l2, mirror: r2, " CHAIN ", " SOLE "}\n"
                        "- {name: l3, mirror: r3, " CHAIN ", " SOLE "}\n- {name: l4, " CHAIN ", " SOLE "}\n"
                        "- {name: l5, " CHAIN ", " SOLE "}\n");
  assert_int_equal(body->skeleton.leg_count, SKELETON_MAX_LEGS);
  body_free(body);
}

// Parts that stand too close in the bind pose never touch each other, nor do neighbours.
static void test_which_parts_touch(void **state) {
  (void)state;
#define BALL(name, parent, x)                                                                                          \
  "- {name: " name ", parent: " parent ", " MASS ", " JOINT ", shapes: [{sphere: 0.1, center: [" x ", 5, 0]}]}\n"
  BodyDef *body = read_good(HEAD PELVIS BALL("a", "pelvis", "0") BALL("near", "pelvis", "0.203")
                                BALL("far", "pelvis", "-0.206") BALL("child", "a", "2"));
  assert_false(body->collides[1][2]); // a and near: 3 mm apart
  assert_true(body->collides[1][3]);  // a and far: 6 mm
  assert_true(body->collides[2][3]);
  assert_false(body->collides[1][4]); // a and its child
  assert_true(body->collides[2][4]);
  body_free(body);
}

static void test_errors_of_parts(void **state) {
  (void)state;
  static const BadFile files[] = {
      {"parts: []\n", "b.yaml:1:1: missing 'name'"},
      {"name: ''\nparts: []\n", "b.yaml:1:7: 'name' is empty"},
      {"name: a_name_that_is_longer_than_thirty_one_bytes\nparts: []\n",
       "b.yaml:1:7: the text is 43 bytes long, at most 31 are allowed"},
      {"name: b\n", "b.yaml:1:1: 'parts' is a list with at least one part"},
      {"name: b\nparts: []\n", "b.yaml:2:8: 'parts' is a list with at least one part"},
      {"name: b\nparts: {pelvis: 1}\n", "b.yaml:2:8: 'parts' is a list with at least one part"},
      {"name: b\npart: []\n", "b.yaml:2:1: unknown key 'part', did you mean 'parts'?"},
      {HEAD "- pelvis\n", "b.yaml:3:3: a part is a map"},
      {HEAD "- {mass: 1}\n", "b.yaml:3:3: missing 'name'"},
      {HEAD "- {name: pelvis, com: [0, 1, 0]}\n", "b.yaml:3:3: missing 'mass'"},
      {HEAD "- {name: pelvis, mass: 1}\n", "b.yaml:3:3: missing 'com'"},
      {HEAD "- {name: pelvis, mass: 1, com: [0, 1, 0]}\n", "b.yaml:3:3: missing 'inertia'"},
      {HEAD "- {name: pelvis, mas: 1}\n", "b.yaml:3:18: unknown key 'mas', did you mean 'mass'?"},
      {HEAD "- {name: pelvis, mass: 0}\n", "b.yaml:3:24: part.mass is 0, allowed are 0.001 to 1000 kg"},
      {HEAD "- {name: pelvis, mass: heavy}\n", "b.yaml:3:24: part.mass is heavy, allowed are 0.001 to 1000 kg"},
      {HEAD "- {name: pelvis, com: [0, 1]}\n",
       "b.yaml:3:23: part.com is [0, 1], allowed are [x, y, z], each from -10 to 10 m"},
      {HEAD "- {name: pelvis, inertia: [0, 1, 1]}\n",
       "b.yaml:3:27: part.inertia is [0, 1, 1], allowed are [x, y, z], each from 1e-07 to 1000 kg m^2"},
      {HEAD PELVIS PELVIS, "b.yaml:4:10: a second part 'pelvis'"},
      {"name: a b\nparts: []\n", "b.yaml:1:7: 'a b' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {HEAD PELVIS "- {name: '=1+1', " MASS "}\n",
       "b.yaml:4:10: '=1+1' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {HEAD PELVIS "- {name: \"a\\nb\", " MASS "}\n",
       "b.yaml:4:10: 'a\nb' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {HEAD PELVIS "- {name: a, mirror: a/b, parent: pelvis, " MASS ", " JOINT ", " SHAPE "}\n",
       "b.yaml:4:21: 'a/b' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {LEGS "- {name: '1', " CHAIN ", " SOLE "}\n",
       "b.yaml:8:10: '1' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {HEAD PELVIS "- {name: a, " MASS "}\n", "b.yaml:4:3: missing 'parent': an earlier part"},
      {HEAD PELVIS "- {name: a, parent: pelvs, " MASS "}\n",
       "b.yaml:4:21: no part 'pelvs' above this line, did you mean 'pelvis'?"},
      {HEAD PELVIS "- {name: a, parent: tail, " MASS "}\n",
       "b.yaml:4:21: no part 'tail' above this line, allowed are pelvis"},
      {HEAD PELVIS "- {name: a, parent: a, " MASS "}\n",
       "b.yaml:4:21: no part 'a' above this line, allowed are pelvis"},
      {HEAD "- {name: pelvis, parent: pelvis, " MASS "}\n", "b.yaml:3:18: the first part has no parent"},
      {HEAD "- {name: pelvis, mirror: other, " MASS "}\n", "b.yaml:3:18: the first part has no mirror image"},
      {HEAD PELVIS THIGH "- {name: thigh_r, parent: pelvis, " MASS "}\n", "b.yaml:5:10: a second part 'thigh_r'"},
      {HEAD PELVIS "- {name: a, mirror: a, parent: pelvis, " MASS ", " JOINT ", " SHAPE "}\n",
       "b.yaml:4:21: a second part 'a'"},
      {HEAD PELVIS "- {name: a, mirror: [b], parent: pelvis, " MASS ", " JOINT ", " SHAPE "}\n",
       "b.yaml:4:21: expected text, got a list"},
      {HEAD PELVIS "- {name: a, parent: pelvis, mass: 1, com: [0, 0, 0], inertia: [1, 1, 2.1], " JOINT ", " SHAPE "}\n",
       "b.yaml:4:63: inertia of 'a': no body has one moment larger than the sum of the other two"},
  };
  CHECK_ERRORS(files);
}

static void test_errors_of_joints(void **state) {
  (void)state;
#define WITH_JOINT(joint) HEAD PELVIS "- {name: a, parent: pelvis, " MASS ", joint: " joint ", " SHAPE "}\n"
#define WITH_ROOT_JOINT(joint) HEAD "- {name: pelvis, " MASS ", joint: " joint ", " SHAPE "}\n"
  static const BadFile files[] = {
      {HEAD PELVIS "- {name: a, parent: pelvis, " MASS "}\n", "b.yaml:4:3: 'joint' is a map"},
      {WITH_JOINT("ball"), "b.yaml:4:85: 'joint' is a map"},
      {WITH_JOINT("{kind: ball}"), "b.yaml:4:85: missing 'position' of the joint"},
      {WITH_JOINT("{kind: bal, position: [0, 0, 0]}"),
       "b.yaml:4:92: joint.kind is bal, allowed are root, ball, universal, hinge"},
      {WITH_JOINT("{position: [0, 11, 0]}"),
       "b.yaml:4:96: joint.position is [0, 11, 0], allowed are [x, y, z], each from -10 to 10 m"},
      {WITH_JOINT("{position: [0, 0, 0], knd: ball}"),
       "b.yaml:4:107: unknown key 'knd' in joint, did you mean 'kind'?"},
      {WITH_JOINT("{kind: root, position: [0, 0, 0]}"), "b.yaml:4:85: only the first part is the root"},
      {WITH_ROOT_JOINT("{position: [0, 0, 0]}"), "b.yaml:3:74: the first part's joint has kind root"},
      {WITH_ROOT_JOINT("{kind: root, position: [0, 0, 0], strength: 5}"),
       "b.yaml:3:108: unknown key 'strength' in joint, allowed are kind, position"},
      {WITH_JOINT("{position: [0, 0, 0], twist_axis: w}"), "b.yaml:4:119: joint.twist_axis is w, allowed are x, y, z"},
      {WITH_JOINT("{position: [0, 0, 0], x: [5, 30]}"),
       "b.yaml:4:110: the range of x leaves out the bind pose (0 deg)"},
      {WITH_JOINT("{position: [0, 0, 0], y: [-30, -5]}"),
       "b.yaml:4:110: the range of y leaves out the bind pose (0 deg)"},
      {WITH_JOINT("{position: [0, 0, 0], z: [30, -5]}"),
       "b.yaml:4:110: joint.z is [30, -5], but low must not be above high"},
      {WITH_JOINT("{position: [0, 0, 0], z: [-200, 5]}"),
       "b.yaml:4:110: joint.z is [-200, 5], allowed are a number or [low, high], from -180 to 180 deg"},
      {WITH_JOINT("{kind: hinge, position: [0, 0, 0], twist_axis: x, y: [-5, 5]}"),
       "b.yaml:4:135: this joint does not turn about y, so it has no range there"},
      {WITH_JOINT("{kind: universal, position: [0, 0, 0], twist_axis: y, y: [-5, 5]}"),
       "b.yaml:4:139: this joint does not turn about y, so it has no range there"},
      {WITH_JOINT("{position: [0, 0, 0], strength: -1}"),
       "b.yaml:4:117: joint.strength is -1, allowed are 0 to 10000 N m"},
      {WITH_JOINT("{position: [0, 0, 0], stiffness: -1}"),
       "b.yaml:4:118: joint.stiffness is -1, allowed are 0 to 1000000 N m/rad"},
      {WITH_JOINT("{position: [0, 0, 0], damping: .nan}"),
       "b.yaml:4:116: joint.damping is .nan, allowed are 0 to 100000 N m s/rad"},
  };
  CHECK_ERRORS(files);
}

static void test_errors_of_shapes(void **state) {
  (void)state;
#define THREE "{sphere: 1, center: [0, 0, 0]}, {sphere: 1, center: [0, 0, 0]}, {sphere: 1, center: [0, 0, 0]}"
#define WITH_SHAPES(shapes) HEAD PELVIS "- {name: a, parent: pelvis, " MASS ", " JOINT ",\n   shapes: " shapes "}\n"
  static const BadFile files[] = {
      {HEAD PELVIS "- {name: a, parent: pelvis, " MASS ", " JOINT "}\n",
       "b.yaml:4:3: 'shapes' is a list of 1 to 8 shapes"},
      {WITH_SHAPES("{sphere: 1, center: [0, 0, 0]}"), "b.yaml:5:12: 'shapes' is a list of 1 to 8 shapes"},
      {WITH_SHAPES("[]"), "b.yaml:5:12: 'shapes' is a list of 1 to 8 shapes"},
      {WITH_SHAPES("[" THREE ", " THREE ", " THREE "]"), "b.yaml:5:12: 'shapes' is a list of 1 to 8 shapes"},
      {WITH_SHAPES("[sphere]"), "b.yaml:5:13: a shape is a map such as {sphere: 0.1, center: [0, 1, 0]}"},
      {WITH_SHAPES("[{ball: 1, center: [0, 0, 0]}]"),
       "b.yaml:5:14: unknown key 'ball', allowed are box, capsule, sphere, axis, center, turn"},
      {WITH_SHAPES("[{center: [0, 0, 0]}]"),
       "b.yaml:5:13: a shape has exactly one of box: [x, y, z], capsule: [radius, length], sphere: radius"},
      {WITH_SHAPES("[{sphere: 1, box: [1, 1, 1], center: [0, 0, 0]}]"),
       "b.yaml:5:13: a shape has exactly one of box: [x, y, z], capsule: [radius, length], sphere: radius"},
      {WITH_SHAPES("[{sphere: 1}]"), "b.yaml:5:13: missing 'center'"},
      {WITH_SHAPES("[{sphere: 1, center: [0, 0]}]"), "b.yaml:5:33: expected a list of 3 numbers, got a list of 2"},
      {WITH_SHAPES("[{sphere: 1, center: [0, 1e300, 0]}]"), "b.yaml:5:33: 'center' lies within 10 m of the origin"},
      {WITH_SHAPES("[{sphere: 1, axis: x, center: [0, 0, 0]}]"), "b.yaml:5:25: only capsules have an axis"},
      {WITH_SHAPES("[{capsule: [1, 1], axis: up, center: [0, 0, 0]}]"), "b.yaml:5:37: axis is x, y or z"},
      {WITH_SHAPES("[{capsule: [1, 1], axis: [0, 1, 0], center: [0, 0, 0]}]"),
       "b.yaml:5:37: expected text, got a list"},
      {WITH_SHAPES("[{sphere: -0.1, center: [0, 0, 0]}]"), "b.yaml:5:22: sizes lie above 0 and up to 10 m"},
      {WITH_SHAPES("[{sphere: big, center: [0, 0, 0]}]"), "b.yaml:5:22: expected a number, got big"},
      {WITH_SHAPES("[{box: [1, 0, 1], center: [0, 0, 0]}]"), "b.yaml:5:19: sizes lie above 0 and up to 10 m"},
      {WITH_SHAPES("[{box: [1, 1], center: [0, 0, 0]}]"), "b.yaml:5:19: expected a list of 3 numbers, got a list of 2"},
      {WITH_SHAPES("[{capsule: [0.1, 11], center: [0, 0, 0]}]"), "b.yaml:5:23: sizes lie above 0 and up to 10 m"},
  };
  CHECK_ERRORS(files);
}

static void test_errors_of_legs(void **state) {
  (void)state;
#define PAIR(l, r) "- {name: " l ", mirror: " r ", " CHAIN ", " SOLE "}\n"
  static const BadFile files[] = {
      {LEGS "  left: thigh_l\n", "b.yaml:8:3: 'legs' is a list"},
      {LEGS "- left\n", "b.yaml:8:3: a leg is a map"},
      {LEGS "- {name: left, hips: thigh_l}\n", "b.yaml:8:16: unknown key 'hips', did you mean 'hip'?"},
      {LEGS "- {name: left, hip: thigh_l, knee: shin_l}\n", "b.yaml:8:3: missing 'ankle'"},
      {LEGS "- {name: left, hip: thigh_l, knee: shim_l, ankle: foot_l}\n",
       "b.yaml:8:36: no part 'shim_l' above this line, did you mean 'shin_l'?"},
      {LEGS "- {name: left, hip: thigh_l, knee: shin_r, ankle: foot_r, " SOLE "}\n",
       "b.yaml:8:36: 'shin_r' does not hang on the hip's part 'thigh_l'"},
      {LEGS "- {name: left, hip: thigh_l, knee: shin_l, ankle: shin_r, " SOLE "}\n",
       "b.yaml:8:51: 'shin_r' does not hang on the knee's part 'shin_l'"},
      {LEGS "- {name: left, hip: pelvis, knee: thigh_l, ankle: shin_l, " SOLE "}\n",
       "b.yaml:8:51: 'shin_l' bears no weight: it needs 'foot: true'"},
      {LEGS "- {name: left, " CHAIN ", toe: [0, 0, 0], half_width: 0.05}\n", "b.yaml:8:3: missing 'heel'"},
      {LEGS "- {name: left, " CHAIN ", heel: [0, 0], toe: [0, 0, 0], half_width: 0.05}\n",
       "b.yaml:8:65: expected a list of 3 numbers, got a list of 2"},
      {LEGS "- {name: left, " CHAIN ", heel: [0, 0, 0], toe: [0, 0, 20], half_width: 0.05}\n",
       "b.yaml:8:81: 'toe' lies within 10 m of the origin"},
      {LEGS "- {name: left, " CHAIN ", heel: [0, 0, 0], toe: [0, 0, 0]}\n", "b.yaml:8:3: missing 'half_width'"},
      {LEGS "- {name: left, " CHAIN ", heel: [0, 0, 0], toe: [0, 0, 0], half_width: -1}\n",
       "b.yaml:8:104: 'half_width' lies above 0 and up to 10 m"},
      {LEGS "- {" CHAIN ", " SOLE "}\n", "b.yaml:8:3: missing 'name'"},
      {LEGS "- {name: left, mirror: left, " CHAIN ", " SOLE "}\n", "b.yaml:8:24: a second leg 'left'"},
      {LEGS "- {name: left, " CHAIN ", " SOLE "}\n- {name: left, " CHAIN ", " SOLE "}\n",
       "b.yaml:9:10: a second leg 'left'"},
      {LEGS PAIR("l1", "r1") PAIR("l2", "r2") PAIR("l3", "r3") PAIR("l4", "r4") PAIR("l5", "r5"),
       "b.yaml:12:3: more than 8 legs"},
      {HEAD PELVIS "- {name: u, parent: pelvis, " MASS ", " JOINT ", " SHAPE "}\n"
                   "- {name: s, parent: u, " MASS ", " JOINT ", " SHAPE "}\n"
                   "- {name: f, parent: s, foot: true, " MASS ", " JOINT ", " SHAPE "}\n"
                   "legs:\n- {name: left, mirror: right, hip: u, knee: s, ankle: f, " SOLE "}\n",
       "b.yaml:8:24: 'u' has no mirror image"},
  };
  CHECK_ERRORS(files);
}

// A chain of `count` parts, the last one with a mirror image if asked for.
static void write_chain(char *text, size_t size, int count, bool mirror) {
  size_t length = (size_t)snprintf(text, size, HEAD PELVIS);
  for (int i = 1; i < count; i++) {
    char parent[16] = "pelvis", image[16] = "";
    if (i > 1)
      snprintf(parent, sizeof parent, "p%d", i - 1);
    if (mirror && i == count - 1)
      snprintf(image, sizeof image, "mirror: q, ");
    length += (size_t)snprintf(text + length, size - length,
                               "- {name: p%d, %sparent: %s, " MASS ", " JOINT ", " SHAPE "}\n", i, image, parent);
  }
}

static void test_most_parts(void **state) {
  (void)state;
  char text[16384];
  write_chain(text, sizeof text, BODY_MAX_PARTS, false);
  BodyDef *body = read_good(text);
  assert_int_equal(body->part_count, BODY_MAX_PARTS);
  assert_true(fabs(body->mass - (6 + 2.0 * (BODY_MAX_PARTS - 1))) < 1e-12);
  body_free(body);

  Error error = {0};
  write_chain(text, sizeof text, BODY_MAX_PARTS + 1, false);
  assert_null(read_text(text, &error));
  assert_string_equal(error.text, "b.yaml:35:3: more than 32 parts");
  error = (Error){0};
  write_chain(text, sizeof text, BODY_MAX_PARTS, true);
  assert_null(read_text(text, &error));
  assert_string_equal(error.text, "b.yaml:34:3: more than 32 parts");
}

static void test_errors_of_files(void **state) {
  (void)state;
  Error error = {0};
  FileSet files = {.sealed = true};
  assert_null(body_read(&files, "nobody.yaml", &error));
  assert_string_equal(error.text, "nobody.yaml: is not among the files in the trace");
  static const BadFile bad[] = {
      {"", "b.yaml:1:1: the file is empty, expected keys and values (key: value)"},
      {"- name: b\n", "b.yaml:1:1: expected keys and values (key: value)"},
  };
  CHECK_ERRORS(bad);
}

static void test_warnings(void **state) {
  (void)state;
#define PART(name, mass, gains)                                                                                        \
  "- {name: " name ", parent: pelvis, mass: " mass ", com: [0, 0, 0], inertia: [1, 1, 1], "                            \
  "joint: {position: [0, 0, 0], " gains "}, " SHAPE "}\n"
  static const struct {
    const char *text, *warnings;
  } cases[] = {
      {HEAD PELVIS PART("a", "2", "strength: 100, stiffness: 1000"), ""}, // 1:3 and 5.7 deg
      {HEAD PELVIS PART("a", "1.5", "strength: 100, stiffness: 1000"),
       "a: pelvis weighs 4.0 times as much; the iterative solver wants a factor of 3 at most (2.00 kg or more)\n"},
      {HEAD PELVIS PART("a", "24", "strength: 100, stiffness: 1000"),
       "pelvis: a weighs 4.0 times as much; the iterative solver wants a factor of 3 at most (8.00 kg or more)\n"},
      {HEAD PELVIS PART("a", "6", "strength: 10, stiffness: 2000"),
       "a: stiffness 2000 N m/rad reaches the strength of 10 N m at 0.286 deg; try 191 N m/rad\n"},
      {HEAD PELVIS PART("a", "6", "strength: 100, stiffness: 20"),
       "a: stiffness 20 N m/rad reaches the strength of 100 N m at 286 deg; try 1910 N m/rad\n"},
      // On either side of 0.5 deg and of 180 deg.
      {HEAD PELVIS PART("a", "6", "strength: 18, stiffness: 2000"), ""},
      {HEAD PELVIS PART("a", "6", "strength: 17, stiffness: 2000"),
       "a: stiffness 2000 N m/rad reaches the strength of 17 N m at 0.487 deg; try 324.7 N m/rad\n"},
      {HEAD PELVIS PART("a", "6", "strength: 100, stiffness: 32"), ""},
      {HEAD PELVIS PART("a", "6", "strength: 100, stiffness: 31"),
       "a: stiffness 31 N m/rad reaches the strength of 100 N m at 185 deg; try 1910 N m/rad\n"},
      {HEAD PELVIS PART("a", "6", "strength: 100, stiffness: 0"), ""}, // limp on purpose
      {HEAD PELVIS PART("a, mirror: b", "1.5", "strength: 100, stiffness: 1000"),
       "a: pelvis weighs 4.0 times as much; the iterative solver wants a factor of 3 at most (2.00 kg or more)\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    BodyDef *body = read_good(cases[i].text);
    char all[2 * BODY_WARNINGS_SIZE];
    snprintf(all, sizeof all, "%s%s", body->mass_warnings, body->warnings);
    assert_string_equal(all, cases[i].warnings);
    body_free(body);
  }
}

// More warnings than fit: whole sentences only.
static void test_warnings_that_do_not_fit_are_left_out_whole(void **state) {
  (void)state;
  char text[16384];
  size_t length = (size_t)snprintf(text, sizeof text, HEAD PELVIS);
  for (int i = 1; i < BODY_MAX_PARTS; i++)
    length +=
        (size_t)snprintf(text + length, sizeof text - length, PART("p%d", "1", "strength: 100, stiffness: 10"), i);
  BodyDef *body = read_good(text);
  size_t used = strlen(body->warnings);
  assert_true(used > sizeof body->warnings - 200);
  assert_int_equal(body->warnings[used - 1], '\n');
  body_free(body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_human_is_whole),
      cmocka_unit_test(test_human_skeleton_stands_where_the_file_says),
      cmocka_unit_test(test_mirrored_parts_are_mirror_images),
      cmocka_unit_test(test_human_has_legs_on_both_sides),
      cmocka_unit_test(test_mirrored_soles),
      cmocka_unit_test(test_shapes_and_ranges_are_read),
      cmocka_unit_test(test_a_leg_without_mirror_and_a_full_set_of_legs),
      cmocka_unit_test(test_which_parts_touch),
      cmocka_unit_test(test_errors_of_parts),
      cmocka_unit_test(test_errors_of_joints),
      cmocka_unit_test(test_errors_of_shapes),
      cmocka_unit_test(test_errors_of_legs),
      cmocka_unit_test(test_most_parts),
      cmocka_unit_test(test_errors_of_files),
      cmocka_unit_test(test_warnings),
      cmocka_unit_test(test_warnings_that_do_not_fit_are_left_out_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
