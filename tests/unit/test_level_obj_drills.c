// What drawn OBJ files become: stars, combs and crossed polygons in all planes, with corners on the edges of others and
// twice in one place, named in all ways, now and then wrong. Triangles to nine digits, errors to the letter; and that a
// simple polygon keeps its area.
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "sim/terrain/level.h"
#include "tests/terrain_fixture.h"
#include "tests/unit/drill.h"
#include "tests/unit/text_digest.h"

typedef enum Outline { STAR, COMB, GRID, CROSSED } Outline;

typedef struct Drill {
  const char *name;
  Outline outline;
  int corners;
  double bad, scale, height; // share of lines that are wrong; -; m
} Drill;

static const Drill DRILLS[] = {{"triangles", STAR, 3, 0, 1, 0},     {"stars", STAR, 9, 0, 0.5, 2},
                               {"combs", COMB, 10, 0, 2, -1},       {"on a grid", GRID, 8, 0, 1, 0},
                               {"crossed", CROSSED, 7, 0, 1, 0.5},  {"mistakes", STAR, 5, 0.05, 1, 0},
                               {"far away", STAR, 4, 0, 1000, -100}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS, MOST = 64 };

enum { TRIANGLES, AREAS, BOUNDS, SEAMS, ERRORS, SUMS };
static const char *const NAMES[SUMS] = {"triangles", "areas", "bounds", "seams", "errors"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.23100030162, 3.620654945, -0.5133127783, 0, 0.022999568826},
    {15.071485997, 8.514641641, -0.90320395883, -1.8583809283, 0.022999568826},
    {22.896272368, 5.7021783967, -0.67252752773, -3.5616968073, 0.022999568826},
    {16.367849279, 20.203619197, -0.13435421418, -2.2245401613, 0.022999568826},
    {11.631805256, 11.540393875, -0.32858596864, -0.90651692127, 0.022999568826},
    {4.8039534521, 5.0729914316, 0.034039957354, -2.3940818407, 0.072979600317},
    {4.4195778384, 4.9725372574, -689.30627929, -2.397016347, 0.05048508959},
};

// The corners of an outline in its plane, counter-clockwise. Returns how many.
static int draw_outline(const Drill *drill, Rng *rng, double corners[MOST][2]) {
  const int count = drill->outline == COMB ? 2 * (drill->corners / 2) + 2 : drill->corners;
  for (int i = 0; i < count; i++) {
    const double angle = 2 * M_PI * i / count, far = rng_range(rng, 0.3, 2);
    corners[i][0] = far * cos(angle);
    corners[i][1] = far * sin(angle);
    if (drill->outline == GRID) { // rounded, so that corners fall on edges and on each other
      corners[i][0] = round(1.5 * corners[i][0]);
      corners[i][1] = round(1.5 * corners[i][1]);
    } else if (drill->outline == COMB) {
      corners[i][0] = i < 2 ? 3.0 * i : 3 - 3.0 * (i - 1.5) / (count - 2.5);
      corners[i][1] = i < 2 ? 0 : i % 2 ? rng_range(rng, 0.1, 0.4) : rng_range(rng, 1, 2);
    } else if (drill->outline == CROSSED) {
      corners[i][0] = rng_range(rng, -2, 2);
      corners[i][1] = rng_range(rng, -2, 2);
    }
  }
  return count;
}

static double area_of(double corners[MOST][2], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double *a = corners[i], *b = corners[(i + 1) % count];
    sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return sum;
}

static void put_corner(TextBuffer *text, long number, int form) {
  static const char *const forms[] = {" %ld", " %ld/1", " %ld//2", " %ld/1/3"};
  char corner[40];
  snprintf(corner, sizeof corner, forms[form], number);
  text_print(text, "%s", corner);
}

// Adds a polygon in a plane of its own; gives its area.
static double put_polygon(TextBuffer *text, const Drill *drill, Rng *rng, long *vertices) {
  static const char *const mistakes[] = {"v 1 2\n",   "f 1 2\n",       "f 1 2 x\n",
                                         "f 0 1 2\n", "f 1 2 99999\n", "v 1 nan 3\n"};
  double corners[MOST][2], axis[3], turn[4];
  const int count = draw_outline(drill, rng, corners), form = rng_index(rng, 4);
  const double place[3] = {rng_range(rng, -9, 9), rng_range(rng, -1, 3), rng_range(rng, -9, 9)};
  rng_direction(rng, axis);
  dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], rng_range(rng, -3, 3));
  if (rng_index(rng, 6) == 0)
    text_print(text, "# polygon\ng part\nvn 0 1 0\nvt 0 0\n\n");
  for (int i = 0; i < count; i++) {
    const double flat[3] = {corners[i][0], 0, -corners[i][1]};
    double at[3];
    quaternion_turn(turn, flat, at);
    text_print(text, "v%s%.9g %.9g\t%.9g%s\n", rng_index(rng, 2) ? " " : "\t", at[0] + place[0], at[1] + place[1],
               at[2] + place[2], rng_index(rng, 3) ? "" : " 1.0\r");
  }
  if (rng_unit(rng) < drill->bad)
    text_print(text, "%s", mistakes[rng_index(rng, 6)]);
  text_print(text, "f");
  const bool backward = rng_index(rng, 2);
  for (int i = 0; i < count; i++)
    put_corner(text, backward ? (long)i - count : *vertices + i + 1, form);
  text_print(text, "%s\n", rng_index(rng, 3) ? "" : " # a face");
  *vertices += count;
  return fabs(area_of(corners, count));
}

static double triangle_area(const LevelTriangle *triangle) {
  double sides[2][3], across[3];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      sides[i][k] = (double)(*triangle)[i + 1][k] - (double)(*triangle)[0][k];
  cross3(sides[0], sides[1], across);
  return 0.5 * length3(across);
}

static void add_level(const Level *level, double wanted, const Drill *drill, DrillSum sums[SUMS]) {
  double area = 0;
  drill_add(&sums[TRIANGLES], level->count);
  for (int i = 0; i < level->count; i++) {
    const LevelTriangle *triangle = (const LevelTriangle *)&level->triangles[i];
    for (int v = 0; v < 3; v++)
      for (int k = 0; k < 3; k++)
        drill_add(&sums[TRIANGLES], (double)(*triangle)[v][k] / drill->scale);
    area += triangle_area(triangle) / (drill->scale * drill->scale);
    drill_add(&sums[SEAMS], level->continued[i]);
  }
  drill_add(&sums[AREAS], area);
  if (drill->outline == STAR || drill->outline == COMB)
    assert_near(area, wanted, 1e-3 * wanted);
  drill_add_all(&sums[BOUNDS], level->low, 3);
  drill_add_all(&sums[BOUNDS], level->high, 3);
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { FILES = 240 };
  Rng rng = rng_make(1, drill->name);
  int good = 0;
  for (int n = 0; n < FILES; n++) {
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    TextBuffer text = {0};
    long vertices = 0;
    double area = 0;
    for (int i = 0, count = 1 + rng_index(&rng, 6); i < count; i++)
      area += put_polygon(&text, drill, &rng, &vertices);
    char name[] = "drawn.obj";
    const File file = {.name = name, .path = name, .bytes = text.bytes, .size = text.size};
    Level *level = level_read(&file, drill->scale, drill->height, &error);
    if (level)
      add_level(level, area, drill, sums);
    good += level != NULL;
    drill_add(&sums[ERRORS], (double)(text_digest(error.text) % 1000) / 1000);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / FILES;
    level_destroy(level);
    text_free(&text);
  }
  assert_true(good > 3 && (drill->bad == 0 || good < FILES));
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
