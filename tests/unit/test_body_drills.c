// What drawn bodies come to that are read from YAML: parts of all kinds, turned joints and shapes, mirrored sides,
// legs; bodies to nine digits, errors, warnings and what is written again to the letter. And what the human comes to by
// drawn measures of people.
#include "tests/fixture.h"

#include "ragdoll/body/body_measure.h"
#include "ragdoll/body/body_write.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/body_drill.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name;
  int parts;
  double turn, products, bad; // deg: of joints and shapes; kg m^2; share of values beyond what is allowed
} Drill;

static const Drill DRILLS[] = {
    {"a single part", 1, 60, 0.006, 0.02}, {"a chain", 4, 0, 0, 0},    {"turned", 5, 170, 0, 0},
    {"with products", 3, 30, 0.004, 0},    {"many", 14, 90, 0.001, 0}, {"with mistakes", 4, 90, 0.002, 0.006}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { TEXTS = BODY_SUMS, AXES, SUMS };
static const char *const NAMES[SUMS] = {BODY_SUM_NAMES, "texts", "axes"};
static const double OUTCOMES[DRILL_COUNT + 1][SUMS] = {
    {-0.62822568455, 1.4149567525, 0.35241881934, -0.044271182966, -0.33107464752, -0.1819861325, -0.037510814001,
     0.40044399539},
    {-0.22971641189, 14.450350112, 6.7645235558, -1.0795616651, -0.81503933886, -0.66371873174, -0.56789918232,
     5.2439716363},
    {2.4095813592, 17.174499382, 5.0167271372, -1.9072577745, 0.21343283105, -0.31770389219, -1.6966550518,
     5.2184084823},
    {-1.2012593293, 9.9741267735, 7.0776067779, -0.57794430353, -0.49951359969, -0.32310325625, 0.21587419973,
     3.3884382479},
    {62.401661441, 38.994604989, 5.786654097, -1.4642320562, -0.65489014169, -0.42029211492, 0.021857628934,
     19.284152809},
    {-0.051464489388, 5.1376517061, 2.639307454, -0.41865564721, -0.17025040311, -0.085585440698, -0.040264828525,
     1.6869124485},
    {77.943607516, 93.39848127, 8.985121519, -10.691334773, 1.1552781257, -15.341168354, 1.8740480808, 18.023720346},
};

// A number that is now and then too large.
static double draw(const Drill *drill, Rng *rng, double low, double high) {
  return rng_range(rng, low, high) * (rng_unit(rng) < drill->bad ? 1000 : 1);
}

static void add_vector(TextBuffer *text, const char *key, const Drill *drill, Rng *rng, double low, double high) {
  text_print(text, "%s: [%.5g, %.5g, %.5g]", key, draw(drill, rng, low, high), draw(drill, rng, low, high),
             draw(drill, rng, low, high));
}

static void add_shapes(TextBuffer *text, const Drill *drill, Rng *rng) {
  text_print(text, "    shapes: [");
  for (int i = 0, count = 1 + rng_index(rng, 3); i < count; i++) {
    const int kind = rng_index(rng, 3);
    text_print(text, "%s{", i > 0 ? ", " : "");
    if (kind == 0)
      add_vector(text, "box", drill, rng, 0.05, 0.4);
    else if (kind == 1)
      text_print(text, "capsule: [%.5g, %.5g], axis: %c", draw(drill, rng, 0.02, 0.2), draw(drill, rng, 0, 0.5),
                 "xyz"[rng_index(rng, 3)]);
    else
      text_print(text, "sphere: %.5g", draw(drill, rng, 0.02, 0.3));
    text_print(text, ", ");
    add_vector(text, "center", drill, rng, -0.5, 1.5);
    if (kind < 2 && drill->turn > 0 && rng_index(rng, 2)) {
      text_print(text, ", ");
      add_vector(text, "turn", drill, rng, -0.6 * drill->turn, 0.6 * drill->turn);
    }
    text_print(text, "}");
  }
  text_print(text, "]\n");
}

// Ranges, strengths and gains of the axes about which a joint turns.
static void add_joint_keys(TextBuffer *text, const Drill *drill, int kind, int twist, Rng *rng) {
  for (int axis = 0; axis < 3; axis++) {
    const bool turns = kind == 0 || (kind == 1) == (axis != twist);
    if (turns && rng_index(rng, 3))
      text_print(text, ", %c: [%.5g, %.5g]", "xyz"[axis], draw(drill, rng, -120, 0), draw(drill, rng, 0, 120));
  }
  if (rng_index(rng, 2))
    text_print(text, ", stiffness: %.5g, damping: %.5g", draw(drill, rng, 0, 500), draw(drill, rng, 0, 30));
  if (rng_index(rng, 2))
    text_print(text, ", strength: %.5g", draw(drill, rng, 0, 200));
  if (drill->turn > 0 && rng_index(rng, 2)) {
    text_print(text, ", ");
    add_vector(text, "turn", drill, rng, -0.6 * drill->turn, 0.6 * drill->turn);
  }
}

static void add_part(TextBuffer *text, const Drill *drill, int index, Rng *rng) {
  static const char *const kinds[] = {"ball", "universal", "hinge"};
  const int parent = index > 0 ? rng_index(rng, index) : 0;
  text_print(text, "  - name: part_%d\n", index);
  if (index > 0)
    text_print(text, "    parent: part_%d\n", parent);
  if (index > 0 && rng_index(rng, 4) == 0)
    text_print(text, "    mirror: other_%d\n", index);
  text_print(text, "    mass: %.5g\n    ", draw(drill, rng, 0.2, 5));
  add_vector(text, "com", drill, rng, -0.5, 1.5);
  text_print(text, "\n    ");
  add_vector(text, "inertia", drill, rng, 0.01, drill->bad > 0 ? 0.03 : 0.019);
  if (drill->products > 0) {
    text_print(text, "\n    ");
    add_vector(text, "products", drill, rng, -drill->products, drill->products);
  }
  const int kind = rng_index(rng, 3), twist = rng_index(rng, 3);
  text_print(text, "\n    joint: {kind: %s, ", index > 0 ? kinds[kind] : "root");
  add_vector(text, "position", drill, rng, -0.5, 1.5);
  if (index > 0) {
    text_print(text, ", twist_axis: %c", "xyz"[twist]);
    add_joint_keys(text, drill, kind, twist, rng);
  }
  text_print(text, "}\n");
  add_shapes(text, drill, rng);
}

static void add_text(DrillSum *sum, const char *text) { drill_add(sum, (double)(text_digest(text) % 1000) / 1000); }

// What a joint makes of a vector and an axis.
static void add_axes(const JointDef *joint, Rng *rng, DrillSum *sum) {
  double vector[3], other[3];
  for (int axis = 0; axis < 3; axis++) {
    joint_axis(joint, axis, vector);
    drill_add_all(sum, vector, 3);
    drill_add(sum, joint_turns(joint, axis));
  }
  rng_direction(rng, vector);
  joint_vector_in(joint, vector, other);
  drill_add_all(sum, other, 3);
  joint_vector_out(joint, vector, other);
  drill_add_all(sum, other, 3);
  const vec3s point = {{(float)vector[0], (float)vector[1], (float)vector[2]}};
  drill_add_floats(sum, joint_point_in(joint, point).raw, 3);
  drill_add_floats(sum, joint_point_out(joint, point).raw, 3);
  drill_add_floats(sum, joint_versor(joint).raw, 4);
}

static void add_whole(const BodyDef *body, Rng *rng, DrillSum sums[SUMS]) {
  TextBuffer text = {0};
  drill_add_body(body, sums);
  drill_add(&sums[MASSES], body->mass);
  for (int i = 0; i < body->part_count; i++) {
    add_axes(&body->parts[i].joint, rng, &sums[AXES]);
    for (int k = 0; k < body->part_count; k++)
      drill_add(&sums[TEXTS], body->collides[i][k]);
  }
  add_text(&sums[TEXTS], body->warnings);
  add_text(&sums[TEXTS], body->mass_warnings);
  body_write(body, "a drill", &text);
  add_text(&sums[TEXTS], text.bytes);
  text_free(&text);
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { BODIES = 240 };
  Rng rng = rng_make(1, drill->name);
  int good = 0;
  for (int n = 0; n < BODIES; n++) {
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    FileSet files = {0};
    TextBuffer text = {0};
    text_print(&text, "name: drawn\nparts:\n");
    for (int i = 0; i < drill->parts; i++)
      add_part(&text, drill, i, &rng);
    files_put(&files, "drawn.yaml", text.bytes, text.size);
    files.sealed = true;
    BodyDef *body = body_read(&files, "drawn.yaml", &error);
    if (body)
      add_whole(body, &rng, sums);
    good += body != NULL;
    add_text(&sums[TEXTS], error.text);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / BODIES;
    body_free(body);
    files_free(&files);
    text_free(&text);
  }
  assert_true(good > BODIES / 10 && (drill->bad == 0 || good < BODIES));
}

// Men and women of all heights, weights and ages.
static void run_measures(double means[SUMS]) {
  enum { PEOPLE = 160 };
  Rng rng = rng_make(1, "people");
  FileSet files = {0};
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  for (int n = 0; n < PEOPLE; n++) {
    DrillSum sums[SUMS] = {{0}};
    BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
    fixture_check(&error);
    BodyMeasures measures = {.age = n % 7 == 0 ? 25 : rng_range(&rng, 18, 90)};
    measures.sex = rng_index(&rng, 2);
    measures.height = rng_index(&rng, 4) ? rng_range(&rng, 1.3, 2.2) : 0;
    const double height = measures.height > 0 ? measures.height : 1.75;
    measures.mass = rng_index(&rng, 4) ? height * height * rng_range(&rng, 12.5, 59.5) : 0;
    if (body_measure(body, &measures, NULL, &error))
      add_whole(body, &rng, sums);
    add_text(&sums[TEXTS], error.text);
    error = (Error){0};
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / PEOPLE;
    body_free(body);
  }
  files_free(&files);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i <= DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    if (i < DRILL_COUNT)
      run(&DRILLS[i], means);
    else
      run_measures(means);
    wrong += !drill_is_kept(i < DRILL_COUNT ? DRILLS[i].name : "people", NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

// A plate has moments of inertia of which one is the sum of the others, and a product up to its spread: just less is
// accepted, just more is not, though all but one of the minors of its tensor are 0.
static void plates_have_products_up_to_their_spread(void **state) {
  (void)state;
  static const char *const inertias[3] = {"0.01, 0.01, 0.02", "0.01, 0.02, 0.01", "0.02, 0.01, 0.01"};
  for (int plane = 0; plane < 3; plane++)
    for (int good = 0; good < 2; good++) {
      const double product = good ? -0.00999 : 0.01001;
      char text[400];
      FileSet files = {0};
      Error error = {0};
      snprintf(
          text, sizeof text,
          "name: plate\nparts:\n  - {name: p, mass: 1, com: [0, 1, 0], inertia: [%s], products: [%g, %g, %g], joint: "
          "{kind: root, position: [0, 1, 0]}, shapes: [{sphere: 0.1, center: [0, 1, 0]}]}\n",
          inertias[plane], plane == 0 ? product : 0, plane == 1 ? product : 0, plane == 2 ? product : 0);
      files_put(&files, "plate.yaml", text, strlen(text));
      files.sealed = true;
      BodyDef *body = body_read(&files, "plate.yaml", &error);
      if (good)
        fixture_check(&error);
      else
        assert_non_null(strstr(error.text, "no body has the moments and products of inertia of 'p'"));
      body_free(body);
      files_free(&files);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(plates_have_products_up_to_their_spread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
