// The body of a rigged figure: a figure with limbs, trunk, feet and head of known sizes gives a body of these sizes.
#include "anim/motion/motion.h"
#include "ragdoll/body/body_def_internal.h"
#include "ragdoll/body/body_rig.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/body_drill.h"
#include "tests/unit/text_digest.h"

enum { MOST_VERTICES = 2000 };

static FileSet files;
static BodyDef *human;

static int begin(void **state) {
  (void)state;
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  human = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  return 0;
}

static int end(void **state) {
  (void)state;
  body_free(human);
  files_free(&files);
  return 0;
}

static void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

// A figure in T-pose, m; places and sizes of its left side.
typedef struct Figure {
  double knee[3], hip[3], ankle[3]; // joints
  double neck, shoulder[2];         // height; x and height
  double upper_arm, forearm, hand;  // lengths
  double thigh_radius, shin_radius, upper_radius, fore_radius;
  double foot[2][2];   // of the sole from the ankle: x, z
  double trunk[3][2];  // widths and depths of pelvis, abdomen, chest
  double head[2], top; // half width and half depth; height
  const char *bare;    // a part without vertices, NULL: none
} Figure;

static const Figure SOMEBODY = {.knee = {0.1, 0.5, 0},
                                .hip = {0.1, 0.95, 0},
                                .ankle = {0.1, 0.09, 0},
                                .neck = 1.6,
                                .shoulder = {0.2, 1.5},
                                .upper_arm = 0.3,
                                .forearm = 0.25,
                                .hand = 0.18,
                                .thigh_radius = 0.07,
                                .shin_radius = 0.05,
                                .upper_radius = 0.045,
                                .fore_radius = 0.035,
                                .foot = {{-0.04, 0.06}, {-0.06, 0.2}},
                                .trunk = {{0.34, 0.24}, {0.3, 0.22}, {0.32, 0.26}},
                                .head = {0.09, 0.1},
                                .top = 1.85};

static Motion rig;
static RetargetMap map;
static MotionJoint joints[SKELETON_MAX_JOINTS];
static MotionVertex vertices[MOST_VERTICES];
static vec3s places[SKELETON_MAX_JOINTS];

static int part(const char *name) { return skeleton_find(&human->skeleton, name); }

// Both twins, mirrored.
static void put_joint(const char *name, double x, double y, double z) {
  const int index = part(name), twin = human->parts[index].twin;
  places[index] = (vec3s){{(float)x, (float)y, (float)z}};
  if (twin != index)
    places[twin] = (vec3s){{(float)-x, (float)y, (float)z}};
}

// A vertex there, of the left side; and its mirror image.
static void put_vertex(const Figure *figure, const char *name, double x, double y, double z) {
  if (figure->bare && strcmp(name, figure->bare) == 0)
    return;
  const int index = part(name), twin = human->parts[index].twin;
  for (int side = 0; side < 2; side++) {
    const int joint = side == 0 ? index : twin;
    const vec3s place = {{(float)(side == 0 ? x : -x), (float)y, (float)z}};
    assert_true(rig.vertex_count < MOST_VERTICES);
    vertices[rig.vertex_count++] = (MotionVertex){joint, glms_vec3_sub(place, places[joint])};
  }
}

// Rings about a straight bone; beyond its tenth at either end they are twice as wide, which does not count.
static void put_limb(const Figure *figure, const char *name, const char *next, double radius) {
  const vec3s from = places[part(name)], axis = glms_vec3_sub(places[part(next)], from);
  const vec3s side =
      glms_vec3_normalize(glms_vec3_cross(axis, fabsf(axis.x) < 0.1f ? (vec3s){{1, 0, 0}} : (vec3s){{0, 1, 0}}));
  for (int i = 0; i <= 20; i++)
    for (int k = 0; k < 4; k++) {
      const float r = (float)(i < 3 || i > 17 ? 2 * radius : radius);
      const vec3s out = glms_vec3_rotate(side, (float)(k * M_PI_2), axis);
      const vec3s at =
          glms_vec3_add(glms_vec3_add(from, glms_vec3_scale(axis, (float)i / 20)), glms_vec3_scale(out, r));
      put_vertex(figure, name, (double)at.x, (double)at.y, (double)at.z);
    }
}

// A height of the trunk of a body whose hips and neck are at these heights, by the human's shares.
static double trunk_height(const char *name, double hip, double neck) {
  const double old_hip = human->parts[part("thigh_l")].joint.position[1];
  const double old_neck = human->parts[part("head")].joint.position[1];
  return hip + (human->parts[part(name)].joint.position[1] - old_hip) / (old_neck - old_hip) * (neck - hip);
}

static void build_rig(const Figure *figure) {
  const Skeleton *skeleton = &human->skeleton;
  static const char *const trunk[] = {"pelvis", "abdomen", "chest", "head"};
  const double x = figure->shoulder[0], y = figure->shoulder[1], hip = figure->hip[1];
  rig = (Motion){.joint_count = skeleton->count, .joints = joints, .vertices = vertices, .frame_count = 1};
  snprintf(map.rig, sizeof map.rig, "names");
  for (int i = 0; i < 4; i++)
    put_joint(trunk[i], 0, i == 3 ? figure->neck : trunk_height(trunk[i], hip, figure->neck), 0);
  put_joint("upper_arm_l", x, y, 0);
  put_joint("forearm_l", x + figure->upper_arm, y, 0);
  put_joint("hand_l", x + figure->upper_arm + figure->forearm, y, 0);
  put_joint("thigh_l", figure->hip[0], figure->hip[1], figure->hip[2]);
  put_joint("shin_l", figure->knee[0], figure->knee[1], figure->knee[2]);
  put_joint("foot_l", figure->ankle[0], figure->ankle[1], figure->ankle[2]);
  for (int i = 0; i < skeleton->count; i++) {
    const int parent = skeleton->parent[i];
    map.source[i] = i;
    joints[i] = (MotionJoint){.parent = parent,
                              .bind_position_l = parent < 0 ? places[i] : glms_vec3_sub(places[i], places[parent]),
                              .bind_rotation_l = glms_quat_identity()};
    snprintf(joints[i].name, sizeof joints[i].name, "%s", skeleton->names[i]);
  }
  put_limb(figure, "thigh_l", "shin_l", figure->thigh_radius);
  put_limb(figure, "shin_l", "foot_l", figure->shin_radius);
  put_limb(figure, "upper_arm_l", "forearm_l", figure->upper_radius);
  put_limb(figure, "forearm_l", "hand_l", figure->fore_radius);
  for (int i = 0; i < 40; i++) {
    const int a = i & 1, b = i >> 1 & 1;
    put_vertex(figure, "foot_l", figure->ankle[0] + figure->foot[0][a], i & 4 ? 0 : 0.05,
               figure->ankle[2] + figure->foot[1][b]);
    put_vertex(figure, "hand_l", x + figure->upper_arm + figure->forearm + (i & 4 ? 0 : figure->hand), y, 0.02 * a);
    put_vertex(figure, "head", figure->head[0], i & 4 ? figure->top : figure->neck + 0.05,
               b ? figure->head[1] : -figure->head[1]);
  }
  for (int k = 0; k < 3; k++) {
    const double from = k == 0 ? hip : trunk_height(trunk[k], hip, figure->neck);
    const double to = k == 2 ? figure->neck : trunk_height(trunk[k + 1], hip, figure->neck);
    for (int i = 0; i < 40; i++)
      put_vertex(figure, trunk[k], figure->trunk[k][0] / 2, from + (to - from) * (0.2 + 0.6 * (i / 39.0)),
                 i & 1 ? figure->trunk[k][1] / 2 : -figure->trunk[k][1] / 2);
  }
}

// The body of a figure; free with body_free.
static BodyDef *body_of(const Figure *figure, double height, double mass) {
  Error error = {0};
  const RigOptions options = {.height = height, .mass = mass};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  build_rig(figure);
  if (!body_from_rig(body, &rig, &map, &options, &error))
    fail_msg("%s", error.text);
  return body;
}

static void check_place(const BodyDef *body, const char *name, double x, double y, int line) {
  const double *place = body->parts[part(name)].joint.position;
  near_at(place[0], x, 1e-5, line);
  near_at(place[1], y, 1e-5, line);
  near_at(place[2], 0, 1e-9, line);
  const int twin = human->parts[part(name)].twin;
  if (twin != part(name))
    near_at(body->parts[twin].joint.position[0], -x, 1e-5, line);
}
#define assert_place(body, name, x, y) check_place(body, name, x, y, __LINE__)

static double size_of(const BodyDef *body, const char *name, int axis) {
  return body->parts[part(name)].shapes[0].size[axis];
}

// ---- Sizes ----

// Lengths are those between joints, arms hang beside the chest, and breadths are those of the vertices.
static void body_has_the_sizes_of_the_figure(void **state) {
  (void)state;
  for (int scaled = 0; scaled < 2; scaled++) {
    const double s = scaled ? 1.6 / 1.85 : 1;
    BodyDef *body = body_of(&SOMEBODY, scaled ? 1.6 : 0, 0);
    assert_place(body, "foot_l", s * 0.1, s * 0.09);
    assert_place(body, "shin_l", s * 0.1, s * 0.5);
    assert_place(body, "thigh_l", s * 0.1, s * 0.95);
    assert_place(body, "head", 0, s * 1.6);
    assert_place(body, "chest", 0, s * trunk_height("chest", 0.95, 1.6));
    assert_place(body, "abdomen", 0, s * trunk_height("abdomen", 0.95, 1.6));
    const double x = fmax(s * 0.2, s * (0.16 + 0.045) + 0.01);
    assert_place(body, "upper_arm_l", x, s * 1.5);
    assert_place(body, "forearm_l", x, s * 1.2);
    assert_place(body, "hand_l", x, s * 0.95);
    assert_near(body_top(body), s * 1.85, 0.02);
    const double radii[] = {0.07, 0.05, 0.045, 0.035, 0.09};
    const char *const limbs[] = {"thigh_l", "shin_l", "upper_arm_l", "forearm_l", "head"};
    for (int i = 0; i < 5; i++)
      assert_near(size_of(body, limbs[i], 0), s * radii[i], 1e-5);
    const char *const trunk[] = {"pelvis", "abdomen", "chest"};
    for (int i = 0; i < 3; i++) {
      assert_near(size_of(body, trunk[i], 0), s * SOMEBODY.trunk[i][0], 1e-5);
      assert_near(size_of(body, trunk[i], 2), s * SOMEBODY.trunk[i][1], 1e-5);
    }
    assert_near(size_of(body, "foot_l", 0), s * 0.1, 1e-5);
    assert_near(size_of(body, "foot_l", 2), s * 0.26, 1e-5);
    assert_near(body->parts[part("foot_l")].shapes[0].center_m[2], s * 0.07, 1e-5);
    const Leg *leg = &body->skeleton.legs[0];
    assert_near((double)leg->heel_l.z, s * -0.06, 1e-5);
    assert_near((double)leg->toe_l.z, s * 0.2, 1e-5);
    assert_near((double)leg->sole_l.z, s * 0.07, 1e-5);
    assert_near((double)leg->sole_l.y, s * -0.09, 1e-5);
    assert_near((double)leg->half_width, s * 0.05, 1e-5);
    assert_near((double)body->skeleton.clip_scale, s * 0.95 / human->parts[part("thigh_l")].joint.position[1], 1e-5);
    const double hand = size_of(human, "hand_l", 1) / human->parts[part("hand_l")].shapes[0].size[1];
    assert_near(size_of(body, "hand_l", 1) / hand,
                s * 0.18 * size_of(human, "hand_l", 1) /
                    (human->parts[part("hand_l")].joint.position[1] -
                     human->parts[part("hand_l")].shapes[0].center_m[1] + size_of(human, "hand_l", 1) / 2),
                1e-4);
    body_free(body);
  }
}

// The mass goes with the square of the height unless it is given; strength with mass and height; damping times with the
// root of the height.
static void mass_and_strength_follow(void **state) {
  (void)state;
  for (int given = 0; given < 2; given++) {
    BodyDef *body = body_of(&SOMEBODY, 0, given ? 60 : 0);
    const double tall = 1.85 / body_top(human), mass = given ? 60 / human->mass : tall * tall;
    assert_near(body->mass, human->mass * mass, 1e-3);
    for (int i = 1; i < human->part_count; i++) {
      const JointDef *joint = &body->parts[i].joint, *old = &human->parts[i].joint;
      assert_near(body->parts[i].mass, human->parts[i].mass * mass, 1e-4);
      assert_near(joint->strength, old->strength * mass * tall, 1e-2);
      assert_near(joint->stiffness, old->stiffness * mass * tall, 1e-2);
      assert_near(joint->damping, old->damping * mass * tall * sqrt(tall), 1e-2);
    }
    body_free(body);
  }
}

// Bent legs are straightened, which raises the trunk; and a wanted height is that of the straight body.
static void bent_legs_are_straightened(void **state) {
  (void)state;
  Figure bent = SOMEBODY;
  bent.knee[2] = 0.2;
  const double thigh = hypot(0.45, 0.2), shin = hypot(0.41, 0.2), raised = thigh + shin + 0.09 - 0.95;
  BodyDef *body = body_of(&bent, 0, 0);
  assert_place(body, "shin_l", 0.1, 0.09 + shin);
  assert_place(body, "thigh_l", 0.1, 0.95 + raised);
  assert_place(body, "head", 0, 1.6 + raised);
  assert_place(body, "upper_arm_l", fmax(0.2, 0.16 + 0.055), 1.5 + raised);
  body_free(body);
  body = body_of(&bent, 1.7, 0);
  const double s = 1.7 / (1.85 + raised);
  assert_place(body, "thigh_l", 0.1 * s, (0.95 + raised) * s);
  assert_near(size_of(body, "thigh_l", 0), 0.07 * s, 1e-5);
  body_free(body);
}

// What would not fit is limited: the chest to 1.7 of half the shoulders' distance, thighs to 0.95 of half the hips',
// feet to 1.8 of it, the head's breadth to 1.2 of its length; and arms hang 1 cm beside the chest.
static void sizes_are_limited(void **state) {
  (void)state;
  Figure stout = SOMEBODY;
  stout.trunk[2][0] = 0.5;
  stout.thigh_radius = 0.13;
  stout.foot[0][0] = -0.1;
  stout.foot[0][1] = 0.12;
  stout.head[0] = stout.head[1] = 0.3;
  BodyDef *body = body_of(&stout, 0, 0);
  assert_near(size_of(body, "chest", 0), 0.34, 1e-5);
  assert_near(size_of(body, "thigh_l", 0), 0.095, 1e-5);
  assert_near(size_of(body, "foot_l", 0), 0.18, 1e-5);
  const PartDef *head = &human->parts[part("head")];
  const double along = 0.25 / (body_top(human) - head->joint.position[1]);
  assert_near(size_of(body, "head", 0), 1.2 * along * head->shapes[0].size[0], 1e-5);
  assert_place(body, "upper_arm_l", 0.17 + 0.045 + 0.01, 1.5);
  body_free(body);
  Figure thin = SOMEBODY;
  thin.hip[0] = thin.knee[0] = thin.ankle[0] = 0.01;
  thin.ankle[1] = 0.01;
  body = body_of(&thin, 0, 0);
  const double ankle = 0.015 * 1.85; // which raises the body
  assert_place(body, "foot_l", 0.02 * (1.85 + ankle - 0.01), ankle);
  body_free(body);
}

// A part without vertices is as thick as it is long, in the human's proportions; a hand has at least 2 % of the height.
static void parts_without_vertices_have_the_humans_proportions(void **state) {
  (void)state;
  const struct {
    const char *name;
    double length, old_length;
  } limbs[] = {{"thigh_l", 0.45, 0}, {"shin_l", 0.41, 0}, {"upper_arm_l", 0.3, 0}, {"forearm_l", 0.25, 0}};
  const char *const next[] = {"shin_l", "foot_l", "forearm_l", "hand_l"};
  for (int i = 0; i < 4; i++) {
    Figure figure = SOMEBODY;
    figure.bare = limbs[i].name;
    BodyDef *body = body_of(&figure, 0, 0);
    const double old =
        human->parts[part(limbs[i].name)].joint.position[1] - human->parts[part(next[i])].joint.position[1];
    assert_near(size_of(body, limbs[i].name, 0), size_of(human, limbs[i].name, 0) * limbs[i].length / old, 1e-5);
    body_free(body);
  }
  Figure figure = SOMEBODY;
  figure.bare = "abdomen";
  BodyDef *body = body_of(&figure, 0, 0);
  assert_near(size_of(body, "abdomen", 0), size_of(human, "abdomen", 0) * 1.85 / body_top(human), 1e-5);
  assert_near(size_of(body, "abdomen", 2), size_of(human, "abdomen", 2) * 1.85 / body_top(human), 1e-5);
  body_free(body);
  figure.bare = "hand_l";
  body = body_of(&figure, 0, 0);
  const PartDef *hand = &human->parts[part("hand_l")];
  const double reach = hand->joint.position[1] - hand->shapes[0].center_m[1] + hand->shapes[0].size[1] / 2;
  assert_near(size_of(body, "hand_l", 1), hand->shapes[0].size[1] * 0.02 * 1.85 / reach, 1e-5);
  body_free(body);
}

// ---- Errors ----

static void assert_refused(const Figure *figure, const char *why) {
  Error error = {0};
  const RigOptions options = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  build_rig(figure);
  assert_false(body_from_rig(body, &rig, &map, &options, &error));
  if (!strstr(error.text, why))
    fail_msg("'%s' does not say '%s'", error.text, why);
  body_free(body);
}

static void figures_that_are_none_are_refused(void **state) {
  (void)state;
  Figure figure = SOMEBODY;
  figure.bare = "foot_l";
  assert_refused(&figure, "no vertices belong to its feet");
  figure.bare = "head";
  assert_refused(&figure, "no vertices belong to its head");
  figure = SOMEBODY;
  figure.shoulder[1] = 0.9;
  assert_refused(&figure, "does not stand");
  figure = SOMEBODY;
  figure.hip[1] = 0.36;
  assert_refused(&figure, "does not stand");
  figure.hip[1] = 0.38;
  body_free(body_of(&figure, 0, 0));
  figure = SOMEBODY;
  figure.knee[1] = 0.95 - 0.036; // 2 % of the height are 37 mm
  assert_refused(&figure, "the joints 'thigh_l' and 'shin_l' are at the same place");
  figure.knee[1] = 0.95 - 0.038;
  body_free(body_of(&figure, 0, 0));
  figure = SOMEBODY;
  figure.knee[1] = 0.09 + 0.036;
  assert_refused(&figure, "the joints 'shin_l' and 'foot_l' are at the same place");
  figure = SOMEBODY;
  figure.upper_arm = 0.036;
  assert_refused(&figure, "the joints 'upper_arm_l' and 'forearm_l' are at the same place");
  figure = SOMEBODY;
  figure.forearm = 0.036;
  assert_refused(&figure, "the joints 'forearm_l' and 'hand_l' are at the same place");
}

// ---- Drawn figures ----

static void vary(double values[], int count, double share, Rng *rng) {
  for (int i = 0; i < count; i++)
    values[i] *= rng_range(rng, 1 - share, 1 + share);
}

static Figure draw_figure(Rng *rng) {
  static const char *const bare[] = {"hand_l", "head", "foot_l", "abdomen", "shin_l", "forearm_l", "chest"};
  Figure figure = SOMEBODY;
  figure.hip[2] = rng_range(rng, -0.03, 0.03);
  figure.knee[2] = rng_range(rng, -0.02, 0.06);
  double *const lengths[] = {&figure.upper_arm,   &figure.forearm,      &figure.hand,       &figure.thigh_radius,
                             &figure.shin_radius, &figure.upper_radius, &figure.fore_radius};
  for (int i = 0; i < 7; i++)
    vary(lengths[i], 1, 0.4, rng);
  vary(&figure.foot[0][0], 4, 0.5, rng);
  vary(&figure.trunk[0][0], 6, 0.4, rng);
  vary(figure.head, 2, 0.3, rng);
  vary(figure.shoulder, 1, 0.3, rng);
  figure.top *= rng_range(rng, 0.9, 1.1);
  figure.bare = rng_index(rng, 3) == 0 ? bare[rng_index(rng, 7)] : NULL;
  return figure;
}

static void drawn_figures_come_to(void **state) {
  (void)state;
  enum { FIGURES = 40, TEXTS = BODY_SUMS, SUMS };
  static const char *const names[SUMS] = {BODY_SUM_NAMES, "texts"};
  static const double kept[SUMS] = {73.735179593,  40.885166617,  8.6272656861,  -12.562711153,
                                    0.87520601064, -14.597921671, 0.028859040094};
  double means[SUMS] = {0};
  Rng rng = rng_make(1, "figures");
  for (int n = 0; n < FIGURES; n++) {
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    const Figure figure = draw_figure(&rng);
    const RigOptions options = {.height = rng_index(&rng, 2) ? rng_range(&rng, 1.2, 2.3) : 0,
                                .mass = rng_index(&rng, 2) ? rng_range(&rng, 30, 130) : 0};
    BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
    fixture_check(&error);
    build_rig(&figure);
    if (body_from_rig(body, &rig, &map, &options, &error))
      drill_add_body(body, sums);
    drill_add(&sums[TEXTS], (double)(text_digest(error.text) % 1000) / 1000);
    drill_add(&sums[TEXTS], (double)(text_digest(body->warnings) % 1000) / 1000);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / FIGURES;
    body_free(body);
  }
  assert_true(drill_is_kept("figures", names, means, kept, SUMS));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(body_has_the_sizes_of_the_figure),
      cmocka_unit_test(mass_and_strength_follow),
      cmocka_unit_test(bent_legs_are_straightened),
      cmocka_unit_test(sizes_are_limited),
      cmocka_unit_test(parts_without_vertices_have_the_humans_proportions),
      cmocka_unit_test(figures_that_are_none_are_refused),
      cmocka_unit_test(drawn_figures_come_to),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
