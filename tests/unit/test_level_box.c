// Boxes on the edges and corners of a level: where they touch, in which direction, and how deep.
#include <stdlib.h>
#include <string.h>

#include "tests/terrain_fixture.h"

enum { MOST = 16 };

static Terrain *ground_of(const LevelTriangle *triangles, int count) {
  Error error = {0};
  LevelTriangle *copy = malloc((size_t)count * sizeof *copy);
  Terrain *terrain = calloc(1, sizeof *terrain);
  assert_non_null(terrain);
  assert_non_null(copy);
  memcpy(copy, triangles, (size_t)count * sizeof *copy);
  terrain->level = level_create(copy, count, &error);
  if (!terrain->level)
    fail_msg("%s", error.text);
  return terrain;
}

// A roof with its ridge along z at the height 0; its sides fall by 45 deg to x = -2 and 2.
static Terrain *roof(void) {
  const LevelTriangle triangles[] = {{{0, 0, -2}, {0, 0, 2}, {2, -2, 2}},
                                     {{0, 0, -2}, {2, -2, 2}, {2, -2, -2}},
                                     {{0, 0, 2}, {0, 0, -2}, {-2, -2, -2}},
                                     {{0, 0, 2}, {-2, -2, -2}, {-2, -2, 2}}};
  return ground_of(triangles, 4);
}

// Contacts of a box of 0.4 by 0.2 by 0.2 m. turn: about the vertical (rad), of a box that first rolls about its long
// axis, x, by `roll`.
static int touch_box(const Terrain *terrain, const double middle[3], double turn, double roll, dContactGeom *contacts) {
  dGeomID ground = terrain_add_geom(terrain, NULL), box = dCreateBox(NULL, 0.4, 0.2, 0.2);
  dMatrix3 rolled, turned, both;
  dRFromAxisAndAngle(rolled, 1, 0, 0, roll);
  dRFromAxisAndAngle(turned, 0, 1, 0, turn);
  dMultiply0_333(both, turned, rolled);
  dGeomSetRotation(box, both);
  dGeomSetPosition(box, middle[0], middle[1], middle[2]);
  const int count = dCollide(box, ground, MOST, contacts, sizeof *contacts);
  dGeomDestroy(box);
  dGeomDestroy(ground);
  return count;
}

// A box that stands on its long edge across a ridge is held there by one contact, straight up, at the crossing: without
// it the box would sink until its faces meet the sides of the roof.
static void edge_across_a_ridge_is_held_at_the_crossing(void **state) {
  (void)state;
  Terrain *ground = roof();
  const double low = 0.1 * sqrt(2), depth = 0.004; // m: from the middle down to the edge
  for (double turn = -1; turn <= 1; turn += 0.25) {
    dContactGeom contacts[MOST];
    const double middle[3] = {0.03, low - depth, 0.2};
    const int count = touch_box(ground, middle, turn, M_PI / 4, contacts);
    const double crossing = middle[2] + middle[0] * tan(turn); // the edge runs along (cos turn, 0, -sin turn)
    assert_true(count >= 1);
    for (int i = 0; i < count; i++) {
      assert_near(contacts[i].normal[1], 1, 1e-6);
      assert_near(contacts[i].depth, depth, 1e-6);
      assert_near(contacts[i].pos[0], 0, 1e-6);
      assert_near(contacts[i].pos[2], crossing, 1e-6);
    }
  }
  terrain_destroy(ground);
}

// Above the ridge nothing touches, nor beyond the end of the box or of the ridge.
static void edge_apart_from_a_ridge_is_free(void **state) {
  (void)state;
  Terrain *ground = roof();
  dContactGeom contacts[MOST];
  const double low = 0.1 * sqrt(2);
  assert_int_equal(touch_box(ground, (double[3]){0, low + 0.001, 0}, 0.5, M_PI / 4, contacts), 0);
  assert_int_equal(touch_box(ground, (double[3]){0.21, low - 0.004, 0}, 0, M_PI / 4, contacts), 0);
  assert_true(touch_box(ground, (double[3]){0.19, low - 0.004, 0}, 0, M_PI / 4, contacts) > 0);
  assert_int_equal(touch_box(ground, (double[3]){0, low - 0.004, 2.01}, 0, M_PI / 4, contacts), 0);
  assert_true(touch_box(ground, (double[3]){0, low - 0.004, 1.99}, 0, M_PI / 4, contacts) > 0);
  terrain_destroy(ground);
}

// A box that lies flat across a ridge touches it along its lower face, from side to side.
static void face_lies_on_a_ridge(void **state) {
  (void)state;
  Terrain *ground = roof();
  dContactGeom contacts[MOST];
  const int count = touch_box(ground, (double[3]){0.05, 0.1 - 0.003, 0.3}, 0, 0, contacts);
  double low = INFINITY, high = -INFINITY;
  assert_true(count >= 2);
  for (int i = 0; i < count; i++) {
    assert_near(contacts[i].normal[1], 1, 1e-6);
    assert_near(contacts[i].depth, 0.003, 1e-6);
    assert_near(contacts[i].pos[0], 0, 1e-6);
    low = fmin(low, contacts[i].pos[2]);
    high = fmax(high, contacts[i].pos[2]);
  }
  assert_near(low, 0.2, 1e-6);
  assert_near(high, 0.4, 1e-6);
  terrain_destroy(ground);
}

// A box's face on the tip of a pyramid: one contact there, along the face's normal.
static void face_rests_on_a_tip(void **state) {
  (void)state;
  const LevelTriangle triangles[] = {{{0, 0, 0}, {-1, -1, 1}, {1, -1, 1}},
                                     {{0, 0, 0}, {1, -1, 1}, {1, -1, -1}},
                                     {{0, 0, 0}, {1, -1, -1}, {-1, -1, -1}},
                                     {{0, 0, 0}, {-1, -1, -1}, {-1, -1, 1}}};
  Terrain *ground = ground_of(triangles, 4);
  dContactGeom contacts[MOST];
  const int count = touch_box(ground, (double[3]){0.12, 0.1 - 0.002, -0.05}, 0.3, 0, contacts);
  assert_true(count >= 1);
  for (int i = 0; i < count; i++) {
    assert_near(contacts[i].normal[1], 1, 1e-6);
    assert_near(contacts[i].depth, 0.002, 1e-6);
    assert_near(contacts[i].pos[0], 0, 1e-6);
    assert_near(contacts[i].pos[2], 0, 1e-6);
  }
  assert_int_equal(touch_box(ground, (double[3]){0.25, 0.1 - 0.002, 0}, 0, 0, contacts), 0); // beside the tip
  terrain_destroy(ground);
}

// A box that stands on a corner, an edge or a face on the side of a slope: it touches with what is lowest there.
static void lowest_parts_touch_a_slope(void **state) {
  (void)state;
  Terrain *ground = roof();
  dContactGeom contacts[MOST];
  const double slope = sqrt(0.5);
  // Turned by 45 deg about z it lies on the side x > 0 with its face; about y by a quarter first, so it lies across.
  dGeomID geom = terrain_add_geom(ground, NULL), box = dCreateBox(NULL, 0.4, 0.2, 0.2);
  dMatrix3 turn;
  dRFromAxisAndAngle(turn, 0, 0, 1, -M_PI / 4);
  dGeomSetRotation(box, turn);
  dGeomSetPosition(box, 1 + slope * 0.098, -1 + slope * 0.098, 0);
  int count = dCollide(box, geom, MOST, contacts, sizeof *contacts);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; i++) {
    assert_near(contacts[i].normal[0], slope, 1e-6);
    assert_near(contacts[i].depth, 0.002, 1e-6);
    assert_near(fabs(contacts[i].pos[2]), 0.1, 1e-6);
    assert_near(fabs(contacts[i].pos[0] - contacts[i].pos[1] - 2), 0.2 / slope, 1e-6);
  }
  dGeomDestroy(box);
  dGeomDestroy(geom);
  count = touch_box(ground, (double[3]){1, -1 + 0.3 / 1 - 0.002, 0}, 0, 0, contacts); // its lower edge at x = 0.8
  assert_int_equal(count, 2);
  for (int i = 0; i < count; i++) {
    assert_near(contacts[i].normal[0], slope, 1e-6);
    assert_near(contacts[i].depth, 0.002 * slope, 1e-6);
    assert_near(contacts[i].pos[0], 0.8, 1e-6);
    assert_near(fabs(contacts[i].pos[2]), 0.1, 1e-6);
  }
  terrain_destroy(ground);
}

int main(void) {
  dInitODE2(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edge_across_a_ridge_is_held_at_the_crossing),
      cmocka_unit_test(edge_apart_from_a_ridge_is_free),
      cmocka_unit_test(face_lies_on_a_ridge),
      cmocka_unit_test(face_rests_on_a_tip),
      cmocka_unit_test(lowest_parts_touch_a_slope),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dCloseODE();
  return failed;
}
