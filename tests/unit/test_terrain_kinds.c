// Difficult grounds: stepping stones, gaps, kerbs, stairs that lead down again.
#include "tests/terrain_fixture.h"

static TerrainDef fine_def(TerrainKind kind) {
  TerrainDef def = default_def();
  def.kind = kind;
  def.cell = 0.05;
  def.x[0] = -2;
  def.x[1] = 2;
  def.z[0] = -1;
  def.z[1] = 8;
  def.height = 0.5;
  return def;
}

static void test_stairs_lead_down_again(void **state) {
  (void)state;
  TerrainDef def = fine_def(TERRAIN_STAIRS);
  def.rise = 0.2;
  def.run = 0.3;
  def.steps = 3;
  def.start = 1;
  Terrain *up = create(&def, 1);
  def.landing = 1;
  Terrain *both = create(&def, 1);
  // Treads of 0.3 m from 1 m on, the landing from 1.6 to 2.6 m, treads down to 3.2 m: symmetric from both ends.
  for (double z = -0.9; z < 2.5; z += 0.1) {
    assert_near(height_at(both, 0.3, z), height_at(up, 0.3, z), 0);
    assert_near(height_at(both, 0.3, z), height_at(both, 0.3, 4.2 - z), 1e-6);
  }
  assert_near(height_at(both, 0, 1.02), 0.7, 1e-6);
  assert_near(height_at(both, 0, 1.6), 1.1, 1e-6);
  assert_near(height_at(both, 0, 2.6), 1.1, 1e-6);
  assert_near(height_at(both, 0, 2.66), 0.9, 1e-6);
  assert_near(height_at(both, 0, 3.2), 0.7, 1e-6);
  assert_near(height_at(both, 0, 3.26), 0.5, 1e-6);
  assert_near(both->highest, 1.1, 1e-6);
  terrain_destroy(both);
  terrain_destroy(up);
}

static void test_kerb(void **state) {
  (void)state;
  TerrainDef def = fine_def(TERRAIN_KERB);
  def.rise = 0.12;
  def.run = 0.4;
  def.start = 2;
  def.across[0] = -1;
  def.across[1] = 0.5;
  Terrain *terrain = create(&def, 1);
  const double inside[][2] = {{0, 2}, {0, 2.2}, {0, 2.4}, {-1, 2.1}, {0.5, 2.3}};
  const double outside[][2] = {{0, 1.95}, {0, 2.45}, {-1.05, 2.1}, {0.55, 2.3}};
  for (int i = 0; i < 5; i++)
    assert_near(height_at(terrain, inside[i][0], inside[i][1]), 0.62, 1e-6);
  for (int i = 0; i < 4; i++)
    assert_near(height_at(terrain, outside[i][0], outside[i][1]), 0.5, 1e-6);
  terrain_destroy(terrain);
}

static void test_gap_under_one_foot(void **state) {
  (void)state;
  TerrainDef def = fine_def(TERRAIN_GAP);
  def.start = 1;
  def.length = 0.5;
  def.depth = 3;
  def.across[0] = 0;
  def.across[1] = 0.3;
  Terrain *terrain = create(&def, 1);
  // Its edges are firm ground; one cell inside it is as deep as can be.
  const double firm[][2] = {{0.1, 1}, {0.1, 1.5}, {0, 1.2}, {0.3, 1.2}, {-0.1, 1.2}, {0.1, 0.9}};
  const double deep[][2] = {{0.1, 1.05}, {0.1, 1.45}, {0.05, 1.2}, {0.25, 1.2}};
  for (int i = 0; i < 6; i++)
    assert_near(height_at(terrain, firm[i][0], firm[i][1]), 0.5, 1e-6);
  for (int i = 0; i < 4; i++)
    assert_near(height_at(terrain, deep[i][0], deep[i][1]), -2.5, 1e-6);
  GroundHit hit;
  assert_false(terrain_ray(terrain, (const double[3]){0.1, 1.5, 1.2}, (const double[3]){0, -1, 0}, 2, &hit));
  assert_true(terrain_ray(terrain, (const double[3]){-0.1, 1.5, 1.2}, (const double[3]){0, -1, 0}, 2, &hit));
  assert_int_equal(hit.kind, GROUND_TERRAIN);
  terrain_destroy(terrain);

  def.across[0] = -1000;
  def.across[1] = 1000;
  terrain = create(&def, 1);
  for (double x = -2; x <= 2; x += 0.25)
    assert_near(height_at(terrain, x, 1.25), -2.5, 1e-6);
  terrain_destroy(terrain);
}

// Level pads of the requested size, apart from each other, the middle row at its place.
static void test_stones(void **state) {
  (void)state;
  TerrainDef def = fine_def(TERRAIN_STONES);
  def.start = 1;
  def.length = 6;
  def.size = 0.4;
  def.spacing = 0.6;
  def.depth = 0.8;
  def.cell = 0.02;
  def.jitter = 5; // no stone leaves its square
  Terrain *terrain = create(&def, 7);
  assert_near(terrain->lowest, -0.3, 1e-6);
  assert_near(terrain->highest, 0.5, 1e-6);
  assert_near(height_at(terrain, 1.7, 1), 0.5, 1e-6); // flat before and behind
  assert_near(height_at(terrain, 1.7, 7.01), 0.5, 1e-6);
  int shifted = 0;
  for (int k = 0; k < 10; k++) {
    double middle = 1 + (k + 0.5) * 0.6;
    for (double z = -0.2; z < 0.21; z += 0.04)
      for (double x = -0.2; x < 0.21; x += 0.04)
        assert_near(height_at(terrain, x, middle + z), 0.5, 1e-6);
    assert_near(height_at(terrain, 0, middle + 0.26), -0.3, 1e-6);
    shifted += height_at(terrain, 0.6, middle + 0.18) < 0.49 || height_at(terrain, 0.78, middle) < 0.49 ||
               height_at(terrain, 0.42, middle) < 0.49;
  }
  assert_true(shifted >= 8); // of the next row

  // A square's area is its stone's for any jitter, except for the samples at the edges.
  int tops = 0;
  for (int k = 0; k < 30; k++)
    for (int i = 0; i < 30; i++)
      tops += height_at(terrain, 0.91 + i * 0.02, 1.01 + k * 0.02) > 0.49;
  assert_true(tops >= 18 * 18 && tops <= 21 * 21);

  def.size = 0.6; // no gaps are left
  Terrain *level = create(&def, 7);
  assert_near(level->lowest, 0.5, 1e-6);
  terrain_destroy(level);
  def.size = 0.4;
  Terrain *same = create(&def, 7), *other = create(&def, 8);
  size_t bytes = sizeof(float) * (size_t)terrain->columns * (size_t)terrain->rows;
  assert_memory_equal(same->heights, terrain->heights, bytes);
  assert_memory_not_equal(other->heights, terrain->heights, bytes);
  terrain_destroy(other);
  terrain_destroy(same);
  terrain_destroy(terrain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stairs_lead_down_again),
      cmocka_unit_test(test_kerb),
      cmocka_unit_test(test_gap_under_one_foot),
      cmocka_unit_test(test_stones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
