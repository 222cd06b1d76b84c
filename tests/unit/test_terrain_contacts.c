// Contacts of shapes with the terrain: positions, directions, depths and number.

#include <string.h>

#include "tests/terrain_fixture.h"

// 5 by 5 samples, cells of 0.25 m around the origin, the middle one raised by 10 cm. Flat and endless around it.
static float spike_heights[25] = {[12] = 0.1f};
static const Terrain spike = {5, 5, -0.5, -0.5, 0.25, 0, true, 0, 0.1, spike_heights, NULL};

enum { MANY = 32 };

// Collides a shape with a terrain and destroys both. The normals are returned as pointing out of the ground.
static int touch(const Terrain *terrain, dGeomID shape, int max, dContactGeom *contacts) {
  dGeomID ground = terrain_add_geom(terrain, NULL);
  int count = dCollide(shape, ground, max, contacts, sizeof *contacts);
  dContactGeom turned[MANY];
  assert_int_equal(dCollide(ground, shape, max, turned, sizeof *turned), count);
  for (int i = 0; i < count; i++) {
    assert_true(contacts[i].g1 == shape && contacts[i].g2 == ground);
    assert_true(turned[i].g1 == ground && turned[i].g2 == shape);
    for (int axis = 0; axis < 3; axis++) {
      assert_near(contacts[i].pos[axis], turned[i].pos[axis], 0);
      assert_near(contacts[i].normal[axis], -turned[i].normal[axis], 0);
    }
    assert_near(contacts[i].depth, turned[i].depth, 0);
    assert_true(contacts[i].depth > 0);
    assert_near(dCalcVectorLength3(contacts[i].normal), 1, 1e-12);
  }
  dGeomDestroy(ground);
  dGeomDestroy(shape);
  return count;
}

static dGeomID at(dGeomID geom, double x, double y, double z) {
  dGeomSetPosition(geom, x, y, z);
  return geom;
}

// The lower side of an axis given as a rotation about an axis.
static dGeomID turned(dGeomID geom, double x, double y, double z, double degrees) {
  dMatrix3 rotation;
  dRFromAxisAndAngle(rotation, x, y, z, degrees * M_PI / 180);
  dGeomSetRotation(geom, rotation);
  return geom;
}

static void test_sphere_contacts(void **state) {
  (void)state;
  dContactGeom contacts[MANY];
  assert_int_equal(touch(&spike, at(dCreateSphere(NULL, 0.1), 0.4, 0.101, 0.4), MANY, contacts), 0);
  assert_int_equal(touch(&spike, at(dCreateSphere(NULL, 0.1), 0.4, 0.09, 0.4), MANY, contacts), 1);
  assert_near(contacts[0].depth, 0.01, 1e-12);
  assert_near(contacts[0].normal[1], 1, 1e-12);
  assert_near(contacts[0].pos[1], -0.01, 1e-12);
  // On the tip: straight up, for any slope of the triangles.
  assert_int_equal(touch(&spike, at(dCreateSphere(NULL, 0.05), 0, 0.14, 0), MANY, contacts), 1);
  assert_near(contacts[0].depth, 0.01, 1e-7);
  assert_near(contacts[0].normal[1], 1, 1e-6);
  // Outside the grid, deep in the ground, and above no ground.
  assert_int_equal(touch(&spike, at(dCreateSphere(NULL, 0.1), 50, 0.05, -70), MANY, contacts), 1);
  assert_int_equal(touch(&spike, at(dCreateSphere(NULL, 0.1), 0.4, -3, 0.4), MANY, contacts), 1);
  assert_near(contacts[0].depth, 3.1, 1e-12);
  Terrain island = spike;
  island.endless = false;
  assert_int_equal(touch(&island, at(dCreateSphere(NULL, 0.1), 50, 0.05, -70), MANY, contacts), 0);
  assert_int_equal(touch(&island, at(dCreateSphere(NULL, 0.1), 0.55, -0.5, 0), MANY, contacts), 0);
}

// In a valley a sphere has two contacts.
static void test_sphere_in_valley(void **state) {
  (void)state;
  float heights[9] = {1, 0, 1, 1, 0, 1, 1, 0, 1};
  const Terrain valley = {3, 3, -1, -1, 1, 0, false, 0, 1, heights, NULL};
  dContactGeom contacts[MANY];
  assert_int_equal(touch(&valley, at(dCreateSphere(NULL, 0.2), 0.01, 0.27, 0.1), MANY, contacts), 2);
  for (int i = 0; i < 2; i++)
    assert_near(fabs(contacts[i].normal[0]), sqrt(0.5), 1e-12);
  assert_true(contacts[0].normal[0] * contacts[1].normal[0] < 0);
}

static void test_resting_box(void **state) {
  (void)state;
  TerrainDef def = default_def();
  dContactGeom contacts[MANY];
  def.kind = TERRAIN_SLOPE;
  def.cell = 0.1;
  const double pitches[] = {0, 0.01, 1, 30};
  for (int i = 0; i < 4; i++) {
    def.pitch = pitches[i];
    Terrain *terrain = create(&def, 1);
    double z = 4.03, height = height_at(terrain, 0.07, z), angle = def.pitch * M_PI / 180;
    dGeomID box = turned(dCreateBox(NULL, 0.096, 0.08, 0.26), -1, 0, 0, def.pitch);
    double up = 0.04 - 0.001;
    at(box, 0.07, height + up * cos(angle), z - up * sin(angle));
    assert_int_equal(touch(terrain, box, MANY, contacts), 4);
    for (int c = 0; c < 4; c++) {
      assert_near(contacts[c].depth, 0.001, 1e-5);
      assert_near(contacts[c].normal[1], cos(angle), 1e-5);
    }
    terrain_destroy(terrain);
  }
}

// A capsule beside the tip, above one of the four edges that go down from it: nearest to the tip, not to the edge's
// line beyond it.
static void test_capsule_beside_the_tip(void **state) {
  (void)state;
  const double aside = 0.02, up = 0.092, away = hypot(aside, up);
  for (int side = 0; side < 4; side++) {
    const double sign = side % 2 ? 1 : -1, x = side < 2 ? sign * aside : 0, z = side < 2 ? 0 : sign * aside;
    dContactGeom contacts[MANY];
    dGeomID capsule = dCreateCapsule(NULL, 0.1, 0.4); // along z
    if (side >= 2)
      turned(capsule, 0, 1, 0, 90);
    const int count = touch(&spike, at(capsule, x, 0.1 + up, z), MANY, contacts);
    int deepest = 0;
    assert_true(count > 0);
    for (int i = 1; i < count; i++)
      deepest = contacts[i].depth > contacts[deepest].depth ? i : deepest;
    assert_near(contacts[deepest].depth, 0.1 - away, 1e-7);
    assert_near(contacts[deepest].normal[0], x / away, 1e-6);
    assert_near(contacts[deepest].normal[1], up / away, 1e-6);
    assert_near(contacts[deepest].normal[2], z / away, 1e-6);
    for (int i = 0; i < count; i++) { // all are on the capsule's lower side
      assert_near(hypot(side < 2 ? contacts[i].pos[0] - x : contacts[i].pos[2] - z, contacts[i].pos[1] - 0.1 - up), 0.1,
                  1e-7);
      assert_true(contacts[i].pos[1] < 0.1 + up);
    }
  }
}

// Pressed in over its top a box still keeps its four lower corners.
static void test_kept_contacts_span_the_support(void **state) {
  (void)state;
  dContactGeom contacts[MANY];
  dGeomID box = at(dCreateBox(NULL, 0.1, 0.02, 0.3), 3, -0.05, 3);
  assert_int_equal(touch(&spike, box, 4, contacts), 4);
  double reach[4] = {0};
  for (int c = 0; c < 4; c++) {
    assert_near(contacts[c].pos[1], -0.06, 1e-12);
    reach[(contacts[c].pos[0] > 3) + 2 * (contacts[c].pos[2] > 3)] = 1;
  }
  assert_near(reach[0] + reach[1] + reach[2] + reach[3], 4, 0);
  // One contact: the deepest.
  box = turned(at(dCreateBox(NULL, 0.1, 0.02, 0.3), 3, 0, 3), 0, 0, 1, 10);
  assert_int_equal(touch(&spike, box, 1, contacts), 1);
  assert_near(contacts[0].pos[0], 3 - 0.05 * cos(10 * M_PI / 180) + 0.01 * sin(10 * M_PI / 180), 1e-12);
}

// Contacts are written with the caller's stride and no more of them than requested.
static void test_flags_and_skip(void **state) {
  (void)state;
  struct Slot {
    dContactGeom contact;
    char guard[24];
  } slots[4];
  memset(slots, 0x5a, sizeof slots);
  dGeomID ground = terrain_add_geom(&spike, NULL), box = at(dCreateBox(NULL, 1, 1, 1), 3, 0.4, 3);
  assert_int_equal(dCollide(ground, box, 3, &slots[0].contact, sizeof slots[0]), 3);
  for (size_t i = 0; i < sizeof slots[0].guard; i++)
    assert_true(slots[0].guard[i] == 0x5a && slots[1].guard[i] == 0x5a && slots[2].guard[i] == 0x5a);
  for (size_t i = 0; i < sizeof slots[3]; i++)
    assert_int_equal(((char *)&slots[3])[i], 0x5a);
  dGeomDestroy(box);
  dGeomDestroy(ground);
}

// A tip between the corners of a box: the tip supports it, straight up.
static void test_peak_under_box(void **state) {
  (void)state;
  dContactGeom contacts[MANY];
  assert_int_equal(touch(&spike, at(dCreateBox(NULL, 0.26, 0.08, 0.2), 0.02, 0.135, 0.03), MANY, contacts), 1);
  assert_near(contacts[0].depth, 0.005, 1e-7);
  assert_near(contacts[0].normal[1], 1, 1e-12);
  assert_near(contacts[0].pos[0], 0, 1e-12);
  // Even after the box has passed over it completely.
  assert_int_equal(touch(&spike, at(dCreateBox(NULL, 0.26, 0.01, 0.2), 0.02, 0.03, 0.03), 1, contacts), 1);
  assert_near(contacts[0].depth, 0.075, 1e-7);
  // Beside the box it does not count.
  assert_int_equal(touch(&spike, at(dCreateBox(NULL, 0.26, 0.08, 0.2), 0.02, 0.145, 0.103), MANY, contacts), 0);
}

// A ridge under the edges of a box, away from its corners and without a vertex under it.
static void test_ridge_under_box(void **state) {
  (void)state;
  float heights[9] = {0, 0.5f, 0, 0, 0.5f, 0, 0, 0.5f, 0};
  const Terrain ridge = {3, 3, -1, 0, 1, 0, false, 0, 0.5, heights, NULL};
  dContactGeom contacts[MANY];
  assert_int_equal(touch(&ridge, at(dCreateBox(NULL, 0.3, 0.1, 0.2), 0.02, 0.545, 0.5), MANY, contacts), 2);
  for (int i = 0; i < 2; i++) {
    assert_near(contacts[i].depth, 0.005, 1e-7);
    assert_near(contacts[i].normal[1], 1, 1e-12);
    assert_near(contacts[i].pos[0], 0, 1e-12);
    assert_near(fabs(contacts[i].pos[2] - 0.5), 0.1, 1e-12);
  }
}

// The same where the ridge ends at the border of the grid, which half of the box is beyond: the edge inside touches it,
// and the end of the ridge the lower side.
static void test_ridge_under_box_at_the_border(void **state) {
  (void)state;
  float heights[9] = {0, 0.5f, 0, 0, 0.5f, 0, 0, 0.5f, 0};
  const Terrain ridge = {3, 3, -1, 0, 1, 0, false, 0, 0.5, heights, NULL};
  for (int side = 0; side < 2; side++) { // its edges run along x and against it
    dContactGeom contacts[MANY];
    dGeomID box = turned(dCreateBox(NULL, 0.3, 0.1, 0.2), 0, 1, 0, 180 * side);
    assert_int_equal(touch(&ridge, at(box, 0.02, 0.545, 0), MANY, contacts), 2);
    for (int i = 0; i < 2; i++) {
      assert_near(contacts[i].pos[0], 0, 1e-12);
      assert_near(contacts[i].depth, 0.005, 1e-7);
    }
    assert_near(contacts[0].pos[2] + contacts[1].pos[2], 0.1 + 0, 1e-12);
  }
}

static void test_capsule_contacts(void **state) {
  (void)state;
  dContactGeom contacts[MANY];
  // Flat: its two ends. Upright: one.
  assert_int_equal(touch(&spike, at(dCreateCapsule(NULL, 0.05, 0.3), 4, 0.045, 4), MANY, contacts), 2);
  for (int i = 0; i < 2; i++) {
    assert_near(contacts[i].depth, 0.005, 1e-12);
    assert_near(fabs(contacts[i].pos[2] - 4), 0.15, 1e-12);
  }
  dGeomID upright = turned(at(dCreateCapsule(NULL, 0.05, 0.3), 4, 0.195, 4), 1, 0, 0, 90);
  assert_int_equal(touch(&spike, upright, MANY, contacts), 1);
  assert_near(contacts[0].pos[1], -0.005, 1e-12);
  // Over the tip, and beside it.
  assert_int_not_equal(touch(&spike, at(dCreateCapsule(NULL, 0.05, 0.4), 0, 0.145, 0), MANY, contacts), 0);
  assert_near(contacts[0].depth, 0.005, 1e-7);
  assert_near(contacts[0].normal[1], 1, 1e-6);
  int count = touch(&spike, at(dCreateCapsule(NULL, 0.05, 0.4), 0.03, 0.135, 0.05), MANY, contacts);
  assert_int_not_equal(count, 0);
  double deepest = 0;
  for (int i = 0; i < count; i++)
    deepest = fmax(deepest, contacts[i].depth);
  assert_near(deepest, 0.05 - (0.03 * 0.4 + 0.035) / sqrt(1.16), 1e-7); // the ridge that leads up to the tip
  assert_int_equal(touch(&spike, at(dCreateCapsule(NULL, 0.05, 0.4), 0.04, 0.14, 0.05), MANY, contacts), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere_contacts),
      cmocka_unit_test(test_sphere_in_valley),
      cmocka_unit_test(test_capsule_beside_the_tip),
      cmocka_unit_test(test_resting_box),
      cmocka_unit_test(test_kept_contacts_span_the_support),
      cmocka_unit_test(test_flags_and_skip),
      cmocka_unit_test(test_peak_under_box),
      cmocka_unit_test(test_ridge_under_box),
      cmocka_unit_test(test_ridge_under_box_at_the_border),
      cmocka_unit_test(test_capsule_contacts),
  };
  dInitODE2(0);
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  dCloseODE();
  return failures;
}
