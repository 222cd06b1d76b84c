// Bodies by measure: what height, mass, sex and age change, and what is refused.
#include "tests/fixture.h"

#include "clip_set.h"
#include "ragdoll/body/body_measure.h"
#include "scenes/description/scene_def.h"

static const double DEGREE = 3.14159265358979323846 / 180;
static const double HUMAN_HEIGHT = 1.75; // m

static BodyDef *read_base(const char *base) {
  FileSet set = {0};
  Error error = {0};
  snprintf(set.folder, sizeof set.folder, "%s", files_scenes_folder());
  BodyDef *read = body_read(&set, base, &error);
  files_free(&set);
  fixture_check(&error);
  return read;
}

// A body, which it takes over, changed to measures such as "{base: b, height: 1.6}".
static BodyDef *change(BodyDef *changed, const char *text, Error *error) {
  char yaml[200];
  snprintf(yaml, sizeof yaml, "body: %s\n", text);
  Document document;
  assert_true(document_parse(&document, "m.yaml", yaml, error));
  BodyMeasures measures;
  const Node *map = node_find(document.root, "body");
  bool good = body_measures_read(&measures, map, error) && body_measure(changed, &measures, map, error);
  document_free(&document);
  if (good)
    return changed;
  body_free(changed);
  return NULL;
}

static BodyDef *measured(const char *base, const char *text, Error *error) {
  return change(read_base(base), text, error);
}

static BodyDef *human(const char *text) {
  Error error = {0};
  BodyDef *changed = measured("bodies/human.yaml", text, &error);
  fixture_check(&error);
  return changed;
}

static const PartDef *part(const BodyDef *of, const char *name) {
  int index = skeleton_find(&of->skeleton, name);
  assert_true(index >= 0);
  return &of->parts[index];
}

static double top(const BodyDef *of) {
  const ShapeDef *head = &part(of, "head")->shapes[0];
  return head->center_m[1] + shape_half_size(head, 1);
}

static void assert_near(double value, double expected, double within) {
  if (!(fabs(value - expected) <= within))
    fail_msg("%.9g is not %.9g", value, expected);
}

static void without_measures_it_is_the_base(void **state) {
  (void)state;
  BodyDef *same = human("{base: b}"), *plain = human("{base: b, height: 1.75, sex: male, age: 25}");
  Fixture f;
  fixture_init(&f);
  for (int i = 0; i < f.body->part_count; i++) {
    const PartDef *a = &same->parts[i], *b = &f.body->parts[i];
    assert_near(a->mass, b->mass, 1e-12);
    assert_near(a->joint.strength, b->joint.strength, 1e-12);
    assert_near(a->joint.limit[0][1], b->joint.limit[0][1], 1e-12);
    for (int k = 0; k < 3; k++) {
      assert_near(a->inertia[k], b->inertia[k], 1e-12);
      assert_near(a->com[k], b->com[k], 1e-12);
      assert_near(plain->parts[i].joint.position[k], b->joint.position[k], 1e-12);
    }
  }
  assert_string_equal(same->name, "human_175cm_75kg_m25");
  body_free(f.body);
  files_free(&f.files);
  body_free(same);
  body_free(plain);
}

static void lengths_grow_with_height_and_breadth_with_mass(void **state) {
  (void)state;
  BodyDef *tall = human("{base: b, height: 1.925, mass: 110}"), *base = human("{base: b}");
  const double height = 1.1, mass = 110 / base->mass, breadth = sqrt(mass / height);
  assert_near(top(base), HUMAN_HEIGHT, 1e-12);
  assert_near(top(tall), 1.925, 1e-12);
  assert_near(tall->mass, 110, 1e-9);
  const PartDef *thigh = part(tall, "thigh_l"), *base_thigh = part(base, "thigh_l");
  assert_near(thigh->joint.position[1], height * base_thigh->joint.position[1], 1e-12);
  assert_near(thigh->joint.position[0], breadth * base_thigh->joint.position[0], 1e-12);
  assert_near(thigh->shapes[0].size[0], breadth * base_thigh->shapes[0].size[0], 1e-12);
  assert_near(shape_half_size(&thigh->shapes[0], 1), height * shape_half_size(&base_thigh->shapes[0], 1), 1e-12);
  assert_near(part(tall, "head")->shapes[0].size[0], height * 0.09, 1e-12); // heads do not become fat
  assert_near((double)tall->skeleton.legs[0].toe_l.z, height * (double)base->skeleton.legs[0].toe_l.z, 1e-6);
  // A similar body stands and falls alike: torques as mass times length, damping also by the time that it takes.
  assert_near(thigh->joint.strength, 300 * mass * height, 1e-9);
  assert_near(thigh->joint.stiffness, 6000 * mass * height, 1e-8);
  assert_near(thigh->joint.damping, 300 * mass * height * sqrt(height), 1e-8);
  BodyDef *lean = human("{base: b, height: 1.6}"); // the mass follows at the same ratio to height squared
  assert_near(lean->mass, base->mass * pow(1.6 / 1.75, 2), 1e-9);
  body_free(lean);
  body_free(tall);
  body_free(base);
}

// de Leva (1996), women: shares of mass, and the thigh's centre of mass at 36.1 % of its length (men: 41.0 %).
static void women_have_their_own_shares(void **state) {
  (void)state;
  static const struct {
    const char *part;
    double share;
  } shares[] = {{"thigh_l", 0.1478}, {"shin_r", 0.0481}, {"foot_l", 0.0129}, {"upper_arm_r", 0.0255},
                {"head", 0.0668},    {"pelvis", 0.1247}, {"chest", 0.1545}};
  BodyDef *woman = human("{base: b, height: 1.65, mass: 60, sex: female}"),
          *man = human("{base: b, height: 1.65, mass: 60}");
  assert_near(woman->mass, 60, 1e-9);
  for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
    assert_near(part(woman, shares[i].part)->mass / 60, shares[i].share, 2e-4);
  const PartDef *thigh = part(woman, "thigh_l"), *his = part(man, "thigh_l");
  const double length = his->joint.position[1] - part(man, "shin_l")->joint.position[1];
  assert_near((his->com[1] - thigh->com[1]) / length, 0.3612 - 0.4095, 1e-12);
  assert_near(thigh->joint.strength / his->joint.strength, 0.75, 1e-12);
  assert_near(part(woman, "hand_l")->joint.strength / part(man, "hand_l")->joint.strength, 0.75 * 55.8 / 71.9, 1e-12);
  body_free(woman);
  body_free(man);
}

// de Leva (1996): how far from the upper joint the centre of mass is, as a share of the bone, women's less men's.
static void womens_limbs_have_their_centres_of_mass(void **state) {
  (void)state;
  static const struct {
    const char *part, *next;
    double off;
  } bones[] = {{"upper_arm_l", "forearm_l", 0.5754 - 0.5772}, {"upper_arm_r", "forearm_r", 0.5754 - 0.5772},
               {"forearm_l", "hand_l", 0.4559 - 0.4574},      {"forearm_r", "hand_r", 0.4559 - 0.4574},
               {"thigh_l", "shin_l", 0.3612 - 0.4095},        {"thigh_r", "shin_r", 0.3612 - 0.4095},
               {"shin_l", "foot_l", 0.4352 - 0.4395},         {"shin_r", "foot_r", 0.4352 - 0.4395}};
  static const char *const others[] = {"pelvis", "abdomen", "chest", "head", "hand_l", "foot_r"};
  Error error = {0};
  BodyDef *bodies[2];
  for (int sex = 0; sex < 2; sex++) { // whose bones lean to all sides
    BodyDef *base = read_base("bodies/human.yaml");
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++) {
      double *joint = base->parts[skeleton_find(&base->skeleton, bones[i].next)].joint.position;
      joint[0] += 0.03;
      joint[2] -= 0.02;
    }
    bodies[sex] = change(base, sex == 0 ? "{base: b}" : "{base: b, sex: female}", &error);
    fixture_check(&error);
  }
  BodyDef *man = bodies[0], *woman = bodies[1];
  for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++)
    for (int k = 0; k < 3; k++) {
      const double bone = part(man, bones[i].next)->joint.position[k] - part(man, bones[i].part)->joint.position[k];
      assert_near(part(woman, bones[i].part)->com[k] - part(man, bones[i].part)->com[k], bones[i].off * bone, 1e-12);
    }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    for (int k = 0; k < 3; k++)
      assert_near(part(woman, others[i])->com[k], part(man, others[i])->com[k], 1e-12);
  body_free(woman);
  body_free(man);
}

// As many parts as a body can have, most of them a scarf's: they have no share of a woman's mass, and keep theirs.
static void what_people_do_not_have_keeps_its_mass(void **state) {
  (void)state;
  BodyDef *base = read_base("bodies/human.yaml");
  const int own = base->part_count, chest = skeleton_find(&base->skeleton, "chest");
  for (int i = own; i < BODY_MAX_PARTS; i++) {
    PartDef *added = &base->parts[i];
    *added = *part(base, "head");
    snprintf(added->name, sizeof added->name, "scarf_%d", i);
    added->parent = i == own ? chest : i - 1;
    added->mass = 0.1 + 0.01 * i;
    added->products[1] = 1e-3;
    base->mass += added->mass;
  }
  base->part_count = BODY_MAX_PARTS;
  const BodyDef before = *base;
  Error error = {0};
  BodyDef *woman = change(base, "{base: b, sex: female}", &error);
  if (!woman) {
    fail_msg("%s", error.text);
    return;
  }
  double mass = 0;
  for (int i = 0; i < BODY_MAX_PARTS; i++) {
    const PartDef *is = &woman->parts[i], *was = &before.parts[i];
    mass += is->mass;
    for (int k = 0; k < 3 && i >= own; k++) {
      assert_near(is->mass, was->mass, 1e-12);
      assert_near(is->inertia[k], was->inertia[k], 1e-12);
      assert_near(is->products[k], was->products[k], 1e-12);
      assert_near(is->com[k], was->com[k], 1e-12);
    }
  }
  assert_near(mass, before.mass, 1e-9);
  const double thigh = part(woman, "thigh_l")->mass, arm = part(woman, "upper_arm_r")->mass;
  assert_near(thigh / arm,
              0.1478 / 0.0255 * part(&before, "thigh_l")->mass / part(&before, "upper_arm_r")->mass * 0.0271 / 0.1416,
              1e-9);
  body_free(woman);
}

// A foot that has as large a moment about an axis as a body can have keeps a possible one; the tables' ratios of
// women's radii of gyration to men's alone would make it too large about y.
static void no_moment_exceeds_the_other_two(void **state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++) {
    BodyDef *base = read_base("bodies/human.yaml");
    double *moments = base->parts[skeleton_find(&base->skeleton, "foot_l")].inertia;
    for (int k = 0; k < 3; k++)
      moments[k] = k == axis ? 0.006 : 0.003;
    Error error = {0};
    BodyDef *woman = change(base, "{base: b, sex: female}", &error);
    if (!woman) {
      fail_msg("%s", error.text);
      return;
    }
    const double *is = part(woman, "foot_l")->inertia, others = is[(axis + 1) % 3] + is[(axis + 2) % 3];
    assert_true(is[axis] <= others * (1 + 1e-12));
    assert_true((is[axis] > others * (1 - 1e-12)) == (axis == 1));
    body_free(woman);
  }
}

static void strength_and_ranges_become_less_with_age(void **state) {
  (void)state;
  BodyDef *young = human("{base: b}"), *old = human("{base: b, age: 67}"), *woman = human("{base: b, sex: female}"),
          *old_woman = human("{base: b, sex: female, age: 67}");
  const double lost = 0.0015 * 27 + 0.013 * 15;
  assert_near(part(old, "shin_l")->joint.strength, (1 - lost) * part(young, "shin_l")->joint.strength, 1e-9);
  assert_near(part(old_woman, "foot_r")->joint.strength / part(woman, "foot_r")->joint.strength, 1 - 0.0074 * 42, 1e-9);
  assert_near(part(old, "thigh_r")->joint.x[1], 0.8 * 30, 1e-9); // hips extend a fifth less
  assert_near(part(old, "thigh_r")->joint.limit[0][1], 24 * DEGREE, 1e-9);
  assert_near(part(woman, "shin_l")->joint.x[1], 145 * 141.9 / 137.7, 1e-9);
  body_free(young);
  body_free(old);
  body_free(woman);
  body_free(old_woman);
}

// Bodies of all sizes can be simulated: finite, moments of inertia that a body can have, 0 within every range.
static void all_measures_make_bodies(void **state) {
  (void)state;
  static const double heights[] = {1.2, 1.5, 1.9, 2.3}, indices[] = {12.1, 24, 56};
  for (int i = 0; i < 4 * 3 * 2 * 2; i++) {
    char text[120];
    const double height = heights[i % 4];
    snprintf(text, sizeof text, "{base: b, height: %g, mass: %g, sex: %s, age: %d}", height,
             indices[i / 4 % 3] * height * height, i / 12 % 2 ? "female" : "male", i / 24 ? 90 : 18);
    BodyDef *body_of = human(text);
    double mass = 0;
    for (int k = 0; k < body_of->part_count; k++) {
      const PartDef *p = &body_of->parts[k];
      mass += p->mass;
      for (int axis = 0; axis < 3; axis++) {
        assert_true(p->inertia[axis] > 0 && isfinite(p->inertia[axis]) && isfinite(p->com[axis]));
        assert_true(p->inertia[axis] <= p->inertia[(axis + 1) % 3] + p->inertia[(axis + 2) % 3]);
        assert_true(p->joint.limit[axis][0] <= 0 && p->joint.limit[axis][1] >= 0);
      }
      assert_true(p->shapes[0].size[0] > 0 && p->shapes[0].size[1] > 0);
    }
    assert_near(mass, body_of->mass, 1e-9);
    body_free(body_of);
  }
}

// A clip's lengths follow the body: with the same build, the feet stand as well as the human's.
static void clips_fit(void **state) {
  (void)state;
  static const char *const names[] = {"walk", "run", "get_up_supine"};
  BodyDef *small = human("{base: b, height: 1.4, mass: 38.4}");
  for (int i = 0; i < 3; i++) {
    snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
    Error error = {0};
    char path[64];
    snprintf(path, sizeof path, "clips/%s.yaml", names[i]);
    body = small;
    Clip *clip = clip_read(&files, path, &small->skeleton, &error);
    fixture_check(&error);
    if (i == 0) {
      assert_true(fabsf(clip->root_velocity_l.z - 1.3f * 0.8f) < 0.02f);
      assert_feet_stay(clip, 0.001f, 0.001f);
    }
    assert_true(clip->keys[0].position[0].y < 0.8f);
    clip_free(clip);
    files_free(&files);
  }
  body_free(small);
}

static void bad_measures_are_told(void **state) {
  (void)state;
  static const struct {
    const char *base, *text, *error;
  } bad[] = {
      {"bodies/human.yaml", "{height: 1.7}", "m.yaml:1:7: a body by measure needs a 'base', such as bodies/human.yaml"},
      {"bodies/human.yaml", "{base: b, height: 0.9}", "m.yaml:1:25: 0.9 m is too small, allowed is 1.2 to 2.3 m"},
      {"bodies/human.yaml", "{base: b, height: 2, mass: 40}",
       "m.yaml:1:7: 40 kg do not suit a height of 2 m, for which 48 to 240 kg are allowed"},
      {"bodies/human.yaml", "{base: b, hight: 2}", "m.yaml:1:17: unknown key 'hight' in body, did you mean 'height'?"},
      {"bodies/human.yaml", "{base: b, sex: man}", "m.yaml:1:22: body.sex is man, allowed are male, female"},
      {"bodies/lizard.yaml", "{base: b}",
       "m.yaml:1:7: measures are for bodies with the parts of bodies/human.yaml; 'lizard' has no abdomen"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    Error error = {0};
    assert_null(measured(bad[i].base, bad[i].text, &error));
    assert_string_equal(error.text, bad[i].error);
  }
}

// Characters of a scene with equal measures share a body; a text after overrides gives the same scene.
static void scenes_have_bodies_by_measure(void **state) {
  (void)state;
  static const char text[] = "duration: 1\n"
                             "characters:\n"
                             "  - {name: a, body: {base: bodies/human.yaml, height: 1.6}}\n"
                             "  - {name: b, body: {base: bodies/human.yaml, height: 1.6}}\n"
                             "  - {name: c, body: {base: bodies/human.yaml, height: 1.8}}\n"
                             "  - {name: d, body: bodies/human.yaml}\n";
  static const char *const overrides[] = {"characters.c.body.sex=female"};
  Error error = {0};
  FileSet set = {0};
  snprintf(set.folder, sizeof set.folder, "%s", files_scenes_folder());
  SceneDef *def = scene_def_from_text("s.yaml", text, &set, overrides, 1, &error);
  fixture_check(&error);
  const CharacterDef *c = def->characters;
  assert_ptr_equal(c[0].body, c[1].body);
  assert_ptr_not_equal(c[0].body, c[2].body);
  assert_ptr_not_equal(c[0].body, c[3].body);
  assert_string_equal(c[2].body->name, "human_180cm_79kg_f25");
  FileSet sealed = {.sealed = true};
  assert_true(files_copy(&sealed, &def->files));
  sealed.sealed = true;
  SceneDef *again = scene_def_from_text("s.yaml", def->text, &sealed, NULL, 0, &error); // as a replay reads it
  fixture_check(&error);
  assert_near(again->characters[2].body->mass, c[2].body->mass, 0);
  scene_def_free(again);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_measures_it_is_the_base),
      cmocka_unit_test(lengths_grow_with_height_and_breadth_with_mass),
      cmocka_unit_test(women_have_their_own_shares),
      cmocka_unit_test(womens_limbs_have_their_centres_of_mass),
      cmocka_unit_test(what_people_do_not_have_keeps_its_mass),
      cmocka_unit_test(no_moment_exceeds_the_other_two),
      cmocka_unit_test(strength_and_ranges_become_less_with_age),
      cmocka_unit_test(all_measures_make_bodies),
      cmocka_unit_test(clips_fit),
      cmocka_unit_test(bad_measures_are_told),
      cmocka_unit_test(scenes_have_bodies_by_measure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
