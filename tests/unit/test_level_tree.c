// The tree of a level's triangles: which boxes hold which triangles in drawn levels, to nine digits, that each triangle
// lies in one leaf and in all boxes above it, and that no level makes it deep.
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/terrain/level.h"
#include "tests/terrain_fixture.h"
#include "tests/unit/drill.h"

typedef enum Layout { SCATTERED, FLOOR, CLOSER, ONE_PLACE } Layout;

typedef struct Drill {
  const char *name;
  Layout layout;
  int count;
  double size; // m, of triangles
} Drill;

static const Drill DRILLS[] = {{"one", SCATTERED, 1, 1},
                               {"four", SCATTERED, 4, 1},
                               {"five", SCATTERED, 5, 1},
                               {"scattered", SCATTERED, 300, 1},
                               {"large", SCATTERED, 300, 30},
                               {"a floor", FLOOR, 400, 0.5},
                               {"closer and closer", CLOSER, 270, 3000},
                               {"all alike", ONE_PLACE, 90, 1}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { NODES, DEPTH, TRIANGLES, BOXES, LEAVES, SUMS };
static const char *const NAMES[SUMS] = {"nodes", "depth", "triangles", "boxes", "leaves"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {1, 1, 13.276747101, 4.9381183713, -0.22720209469}, {1, 1, 19.788215061, 31.458122721, -1.3215893665},
    {1, 1, 12.0051655, 21.781635357, -2.9116241254},    {55, 4, -63.89873338, 54.113734801, 157.70461189},
    {49, 5, -67.81214221, 42.972919517, 886.53501729},  {65, 4, -35.294596212, 5.4019390401, 1013.9039486},
    {38, 24, 6597.049193, -14302.116921, 97.97531648},  {13, 4, -2.8677460158, -0.66473808381, 7.0452158615},
};

static void add_corner(const Drill *drill, int triangle, int corner, const double middle[3], Rng *rng, float place[3]) {
  const int column = triangle / 2 % 20, row = triangle / 40;
  for (int k = 0; k < 3; k++)
    place[k] = (float)(middle[k] + rng_range(rng, -0.5, 0.5) * drill->size);
  if (drill->layout == FLOOR) {
    static const int aside[2][3] = {{0, 1, 0}, {1, 1, 0}}, ahead[2][3] = {{0, 0, 1}, {0, 1, 1}};
    place[0] = (float)(drill->size * (column + aside[triangle % 2][corner]));
    place[2] = (float)(drill->size * (row + ahead[triangle % 2][corner]));
    place[1] = (float)(0.05 * sin(3.0 * (double)place[0]));
  } else if (drill->layout == CLOSER) {
    const int scale = triangle / 8;
    place[0] = (float)(drill->size * pow(0.08, scale) * (1 - 0.08 * (triangle % 8)));
    place[1] = corner == 1 ? 3e-14f : 0;
    place[2] = corner == 2 ? 9000 : 0;
  } else if (drill->layout == ONE_PLACE) {
    for (int k = 0; k < 3; k++)
      place[k] = k == corner;
  }
}

static Level *make_level(const Drill *drill) {
  Error error = {0};
  Rng rng = rng_make(1, drill->name);
  LevelTriangle *triangles = malloc((size_t)drill->count * sizeof *triangles);
  assert_non_null(triangles);
  for (int i = 0; i < drill->count; i++) {
    const double middle[3] = {rng_range(&rng, -20, 20), rng_range(&rng, 0, 3), rng_range(&rng, -10, 15)};
    for (int v = 0; v < 3; v++)
      add_corner(drill, i, v, middle, &rng, triangles[i][v]);
  }
  Level *level = level_create(triangles, drill->count, &error);
  if (!level)
    fail_msg("%s", error.text);
  return level;
}

// A box, and how often its triangles were met.
typedef struct Visit {
  const Level *level;
  int *met;
  int deepest, nodes;
  DrillSum boxes, leaves;
} Visit;

static void assert_holds(const Level *level, const LevelNode *node, int child, int triangle) {
  for (int v = 0; v < 3; v++)
    for (int axis = 0; axis < 3; axis++) {
      const float place = level->triangles[triangle][v][axis];
      assert_true(node->low[axis][child] <= place && place <= node->high[axis][child]);
    }
}

// All triangles below a child lie in its box.
static void visit(Visit *tree, uint32_t index, int depth) {
  const LevelNode *node = &tree->level->nodes[index];
  tree->nodes++;
  tree->deepest = depth > tree->deepest ? depth : tree->deepest;
  for (int i = 0; i < LEVEL_WIDTH; i++) {
    if (!(node->low[0][i] <= node->high[0][i])) { // there is no such child
      assert_true(node->first[i] == 0 && node->count[i] == 0);
      continue;
    }
    for (int axis = 0; axis < 3; axis++) {
      drill_add(&tree->boxes, (double)node->low[axis][i]);
      drill_add(&tree->boxes, (double)node->high[axis][i]);
    }
    drill_add(&tree->leaves, node->first[i]);
    drill_add(&tree->leaves, node->count[i]);
    for (uint32_t t = 0; t < node->count[i]; t++) {
      assert_holds(tree->level, node, i, (int)(node->first[i] + t));
      tree->met[node->first[i] + t]++;
    }
    if (node->count[i] == 0)
      visit(tree, node->first[i], depth + 1);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  Level *level = make_level(drill);
  Visit tree = {.level = level, .met = calloc((size_t)level->count, sizeof *tree.met)};
  DrillSum triangles = {0};
  visit(&tree, 0, 1);
  for (int i = 0; i < level->count; i++) {
    assert_int_equal(tree.met[i], 1);
    drill_add(&triangles, (double)level->triangles[i][0][0] + (double)level->triangles[i][1][2]);
    drill_add(&triangles, level->continued[i]);
  }
  drill_add_all(&triangles, level->low, 3);
  drill_add_all(&triangles, level->high, 3);
  means[NODES] = tree.nodes;
  means[DEPTH] = tree.deepest;
  means[TRIANGLES] = triangles.sum;
  means[BOXES] = tree.boxes.sum;
  means[LEAVES] = tree.leaves.sum;
  free(tree.met);
  level_destroy(level);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

// A triangle of a little less than 1e-10 m^2 is left out, one of a little more is kept.
static void tiny_triangles_are_left_out(void **state) {
  (void)state;
  for (int kept = 0; kept < 2; kept++) {
    Error error = {0};
    const float side = kept ? 1.45e-5f : 1.4e-5f;
    LevelTriangle *triangles = calloc(2, sizeof *triangles);
    triangles[0][1][0] = triangles[0][2][2] = side;
    triangles[1][1][0] = triangles[1][2][2] = 1;
    Level *level = level_create(triangles, 2, &error);
    assert_int_equal(level->count, 1 + kept);
    level_destroy(level);
  }
}

// Of the triangles over a rectangle as many are given as there is room for, and all are counted.
static void crops_have_room(void **state) {
  (void)state;
  const double x[2] = {2.1, 4.4}, z[2] = {1.1, 1.4};
  LevelTriangle triangles[4];
  Level *level = make_level(&DRILLS[5]);
  const long count = level_crop(level, x, z, NULL, 0);
  assert_int_equal(count, 10);
  for (int most = 0; most < 4; most++) {
    for (int i = 0; i < 4; i++)
      triangles[i][0][0] = -77;
    assert_int_equal(level_crop(level, x, z, triangles, most), count);
    for (int i = 0; i < 4; i++)
      assert_int_equal(triangles[i][0][0] >= 0, i < most);
  }
  level_destroy(level);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(tiny_triangles_are_left_out),
      cmocka_unit_test(crops_have_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
