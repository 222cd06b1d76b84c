// Exact heights and rays on small hand-made grids, the kinds of ground, and height images.

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "sim/terrain/terrain_triangles.h"
#include "tests/terrain_fixture.h"

// One cell of 1 m: the left far corner is raised by 1 m, the others are level.
static float one_cell[4] = {0, 0, 0, 1};
static const Terrain raised_corner = {2, 2, 0, 0, 1, 0, false, 0, 1, one_cell, NULL};

// 5 by 5 samples, cells of 0.25 m around the origin, the middle one raised by 10 cm. Flat and endless around it.
static float spike_heights[25] = {[12] = 0.1f};
static const Terrain spike = {5, 5, -0.5, -0.5, 0.25, 0, true, 0, 0.1, spike_heights, NULL};

// ---- Heights ----

static void test_diagonal(void **state) {
  (void)state;
  double normal[3], height;
  assert_near(height_at(&raised_corner, 0.25, 0.25), 0, 0);
  assert_near(height_at(&raised_corner, 0.5, 0.5), 0, 0);
  assert_near(height_at(&raised_corner, 0.75, 0.25), 0, 0);
  assert_near(height_at(&raised_corner, 0.75, 0.75), 0.5, 1e-15);
  assert_near(height_at(&raised_corner, 1, 1), 1, 0);
  assert_true(terrain_height(&raised_corner, 0.9, 0.9, &height, normal));
  double root = 1 / sqrt(3);
  assert_near(height, 0.8, 1e-15);
  assert_near(normal[0], -root, 1e-15);
  assert_near(normal[1], root, 1e-15);
  assert_near(normal[2], -root, 1e-15);
}

static void test_border_and_outside(void **state) {
  (void)state;
  double height;
  assert_true(terrain_height(&raised_corner, 0, 0, &height, NULL));
  assert_true(terrain_height(&raised_corner, 1, 0.5, &height, NULL));
  assert_false(terrain_height(&raised_corner, 1.001, 0.5, &height, NULL));
  assert_false(terrain_height(&raised_corner, 0.5, -0.001, &height, NULL));
  assert_false(terrain_height(&raised_corner, NAN, 0.5, &height, NULL));
  Terrain endless = raised_corner;
  endless.endless = true;
  endless.outside_height = -2;
  assert_near(height_at(&endless, 1.001, 0.5), -2, 0);
  assert_near(height_at(&endless, 1e9, -1e9), -2, 0);
  assert_false(terrain_height(&endless, NAN, 0.5, &height, NULL));
  assert_false(terrain_height(&endless, 0, INFINITY, &height, NULL));
}

// ---- Triangles ----

enum { SPIKE_COLUMNS = 9, SPIKE_ROWS = 7 };

// From two samples before the grid of the spike to two behind it, and from one to one. Endless or not.
static void sample_spike(bool endless, float position[SPIKE_ROWS * SPIKE_COLUMNS][3]) {
  Terrain terrain = spike;
  terrain.endless = endless;
  const TerrainRange columns = {-2, 6, 1}, rows = {-1, 5, 1};
  assert_int_equal(terrain_range_count(&columns), SPIKE_COLUMNS);
  assert_int_equal(terrain_range_count(&rows), SPIKE_ROWS);
  terrain_vertices(&terrain, &columns, &rows, position);
}

static void test_vertices(void **state) {
  (void)state;
  float position[SPIKE_ROWS * SPIKE_COLUMNS][3];
  for (int endless = 0; endless < 2; endless++) {
    sample_spike(endless, position);
    for (int i = 0; i < SPIKE_ROWS * SPIKE_COLUMNS; i++) {
      const int column = i % SPIKE_COLUMNS - 2, row = i / SPIKE_COLUMNS - 1;
      const bool inside = column >= 0 && row >= 0 && column < 5 && row < 5;
      assert_near((double)position[i][0], -0.5 + 0.25 * column, 0);
      assert_near((double)position[i][2], -0.5 + 0.25 * row, 0);
      if (!inside && !endless)
        assert_true(isnan(position[i][1]));
      else
        assert_near((double)position[i][1], column == 2 && row == 2 ? (double)0.1f : 0, 0);
    }
  }
}

static void test_last_sample_is_taken(void **state) {
  (void)state;
  const TerrainRange range = {-3, 4, 3}, none = {2, 1, 1}, one = {5, 5, 2};
  const long expected[] = {-3, 0, 3, 4};
  assert_int_equal(terrain_range_count(&range), 4);
  for (int i = 0; i < 4; i++)
    assert_int_equal(terrain_range_at(&range, i), expected[i]);
  assert_int_equal(terrain_range_count(&none), 0);
  assert_int_equal(terrain_range_count(&one), 1);
}

// The middle of each triangle lies on the surface of heights and contacts, and its front is above.
static void test_triangles_are_the_surface(void **state) {
  (void)state;
  float position[SPIKE_ROWS * SPIKE_COLUMNS][3];
  sample_spike(true, position);
  for (int cell = 0; cell < (SPIKE_ROWS - 1) * (SPIKE_COLUMNS - 1); cell++) {
    const int corner = cell / (SPIKE_COLUMNS - 1) * SPIKE_COLUMNS + cell % (SPIKE_COLUMNS - 1);
    uint32_t triangles[2][3];
    terrain_cell_triangles((uint32_t)corner, SPIKE_COLUMNS, triangles);
    for (int t = 0; t < 2; t++) {
      double v[3][3], middle[3];
      for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++)
          v[k][axis] = (double)position[triangles[t][k]][axis];
        middle[axis] = (v[0][axis] + v[1][axis] + v[2][axis]) / 3;
      }
      assert_near(middle[1], height_at(&spike, middle[0], middle[2]), 1e-9);
      const double up = (v[1][2] - v[0][2]) * (v[2][0] - v[0][0]) - (v[1][0] - v[0][0]) * (v[2][2] - v[0][2]);
      assert_near(up, 0.25 * 0.25, 1e-12);
    }
  }
}

// ---- Rays ----

static bool cast(const Terrain *terrain, double x, double y, double z, double dx, double dy, double dz, double length,
                 GroundHit *hit) {
  const double origin[3] = {x, y, z}, direction[3] = {dx, dy, dz};
  return terrain_ray(terrain, origin, direction, length, hit);
}

static void test_vertical_rays(void **state) {
  (void)state;
  GroundHit hit;
  assert_true(cast(&spike, 0, 1, 0, 0, -1, 0, 2, &hit));
  assert_near(hit.distance, 0.9, 1e-8);
  assert_near(hit.position_w[1], 0.1, 1e-8);
  assert_false(cast(&spike, 0, 1, 0, 0, -1, 0, 0.8, &hit));
  assert_false(cast(&spike, 0, 1, 0, 0, 1, 0, 5, &hit));
  // Every sample and the middle of every cell's border, on the outer border too.
  for (int k = 0; k <= 8; k++)
    for (int i = 0; i <= 8; i++) {
      double x = -0.5 + 0.125 * i, z = -0.5 + 0.125 * k;
      assert_true(cast(&spike, x, 1, z, 0, -1, 0, 2, &hit));
      assert_near(hit.position_w[1], height_at(&spike, x, z), 1e-15);
    }
}

static void test_slanted_rays(void **state) {
  (void)state;
  GroundHit hit;
  double root = sqrt(0.5);
  // Down the middle onto the spike's flank, which rises 0.1 m in 0.25 m.
  assert_true(cast(&spike, -1, 0.9, 0, root, -root, 0, 3, &hit));
  double x = hit.position_w[0], y = hit.position_w[1];
  assert_near(y, 0.1 + x * 0.4, 1e-8); // on the flank
  assert_near(y, -0.1 - x, 1e-15);     // on the ray
  assert_near(hit.distance, (x + 1) / root, 1e-15);
  assert_near(hit.normal_w[0], -0.4 / sqrt(1.16), 1e-7);
  // Past the end, upward, over the top.
  assert_false(cast(&spike, -1, 0.9, 0, root, -root, 0, 1.2, &hit));
  assert_false(cast(&spike, -1, 0.9, 0, root, root, 0, 9, &hit));
  assert_false(cast(&spike, -1, 0.11, 0, 1, 0, 0, 9, &hit));
  // Level, through the spike 1 cm under its tip, along x, z and across.
  assert_true(cast(&spike, -1, 0.09, 0, 1, 0, 0, 9, &hit));
  assert_near(hit.distance, 0.975, 1e-7);
  assert_true(cast(&spike, 0, 0.09, 1, 0, 0, -1, 9, &hit));
  assert_near(hit.position_w[2], 0.025, 1e-7);
  assert_true(cast(&spike, -1, 0.09, -1, root, 0, root, 9, &hit));
  assert_near(hit.position_w[0], -0.0125, 1e-7); // the flank over the diagonal is twice as steep
}

static void test_rays_from_inside(void **state) {
  (void)state;
  GroundHit hit;
  assert_true(cast(&spike, 0, 0.05, 0, 0, -1, 0, 2, &hit));
  assert_near(hit.distance, 0, 0);
  assert_true(cast(&spike, 0, 0.05, 0, 0, 1, 0, 2, &hit));
  assert_near(hit.distance, 0, 0);
  assert_true(cast(&spike, 0.3, -4, 0.1, 0.6, 0.8, 0, 2, &hit));
  assert_near(hit.distance, 0, 0);
  assert_near(hit.position_w[1], -4, 0);
  assert_true(cast(&spike, 30, -4, 0.1, 0.6, 0.8, 0, 2, &hit));
  assert_near(hit.distance, 0, 0);
  assert_true(cast(&spike, 0.4, 0, 0.4, 1, 0, 0, 2, &hit)); // on the ground counts as inside
  assert_near(hit.distance, 0, 0);
}

static void test_rays_outside(void **state) {
  (void)state;
  GroundHit hit;
  Terrain table = spike; // the flat ground around lies 1 m below the grid
  table.outside_height = -1;
  assert_true(cast(&table, 5, 1, 0, 0, -1, 0, 3, &hit));
  assert_near(hit.position_w[1], -1, 0);
  // Into the wall at the border, over it, and down behind it.
  assert_true(cast(&table, -2, -0.5, 0, 1, 0, 0, 9, &hit));
  assert_near(hit.position_w[0], -0.5, 1e-8);
  assert_near(hit.normal_w[0], -1, 0);
  assert_false(cast(&table, -2, 0.2, 0, 1, 0, 0, 9, &hit));
  assert_true(cast(&table, -1, 0.35, 0.3, 0.8, -0.2, 0, 99, &hit));
  assert_near(hit.position_w[0], 0.4, 1e-7);
  assert_true(cast(&table, -1, 0.5, 0.3, 0.8, -0.2, 0, 99, &hit));
  assert_near(hit.position_w[0], 5, 1e-12);
  assert_near(hit.position_w[1], -1, 1e-12);
  // Out of a pit.
  table.outside_height = 1;
  assert_true(cast(&table, 0, 0.5, 0, 0, 0, 1, 9, &hit));
  assert_near(hit.position_w[2], 0.5, 1e-8);
  assert_near(hit.normal_w[2], -1, 0);
  // No ground outside: only the side of the grid remains.
  table.endless = false;
  assert_false(cast(&table, 5, 1, 0, 0, -1, 0, 30, &hit));
  assert_false(cast(&table, 5, 1, 0, 0.6, -0.8, 0, 30, &hit));
  assert_true(cast(&table, 5, -1, 0, -1, 0, 0, 30, &hit));
  assert_near(hit.position_w[0], 0.5, 1e-8);
  // A flush border is no wall.
  GroundHit flush;
  assert_true(cast(&spike, -1, 0.5, 0.1, sqrt(0.5), -sqrt(0.5), 0, 9, &flush));
  assert_near(flush.normal_w[1], 1, 1e-12);
}

static void test_bad_rays(void **state) {
  (void)state;
  GroundHit hit;
  assert_false(cast(&spike, 0, 1, 0, 0, 0, 0, 2, &hit));
  assert_false(cast(&spike, 0, 1, 0, NAN, -1, 0, 2, &hit));
  assert_false(cast(&spike, 0, 1, 0, 0, -INFINITY, 0, 2, &hit));
  assert_false(cast(&spike, 0, NAN, 0, 0, -1, 0, 2, &hit));
  assert_false(cast(&spike, INFINITY, 1, 0, 0, -1, 0, 2, &hit));
  assert_false(cast(&spike, 0, 1, 0, 0, -1, 0, NAN, &hit));
  assert_false(cast(&spike, 0, 1, 0, 0, -1, 0, -1, &hit));
  assert_false(cast(&spike, 0, 1, 0, 0, -1, 0, 0, &hit));
  assert_true(cast(&spike, 0, 0, 0, 0, -1, 0, 0, &hit));
  assert_true(cast(&spike, 0.3, 1, 0.3, 1e-200, -1, 1e-14, 2, &hit));
  assert_true(cast(&spike, -3, 1, 0.01, 0.8, -0.6, 0, INFINITY, &hit));
  assert_false(cast(&spike, -3, 1, 0.01, 0.8, 0.6, 0, INFINITY, &hit));
  assert_false(cast(&spike, 1e300, 1, 1e300, -1, 0, 0, INFINITY, &hit));
}

// ---- Kinds ----

static void test_slope(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.kind = TERRAIN_SLOPE;
  def.pitch = 10;
  def.roll = -5;
  def.height = 0.5;
  Terrain *terrain = create(&def, 1);
  double up = tan(10 * M_PI / 180), left = -tan(5 * M_PI / 180);
  assert_near(height_at(terrain, 3, 1.9), 0.5, 0);
  assert_near(height_at(terrain, 0, 5.1), 0.5 + 3.1 * up, 1e-6);
  assert_near(height_at(terrain, 3.3, 5.1), 0.5 + 3.1 * up + 3.3 * left, 1e-6);
  assert_near(terrain->outside_height, 0.5, 0);
  terrain_destroy(terrain);
}

static void test_stairs(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.kind = TERRAIN_STAIRS;
  def.cell = 0.1;
  def.run = 0.3;
  def.steps = 4;
  Terrain *terrain = create(&def, 1);
  for (int step = 0; step < 6; step++) {
    double edge = def.start + step * def.run, level = fmin(step + 1, 4) * def.rise;
    assert_near(height_at(terrain, 1.23, edge + 0.0001), level, 1e-6);
    assert_near(height_at(terrain, -4, edge + 0.1999), level, 1e-6);
  }
  assert_near(height_at(terrain, 0, def.start - 0.1001), 0, 1e-6);
  assert_near(height_at(terrain, 0, def.start - 0.05), def.rise / 2, 1e-6); // a riser is one cell wide
  assert_near(terrain->highest, 4 * def.rise, 1e-6);
  terrain_destroy(terrain);
}

static void test_blocks(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.kind = TERRAIN_BLOCKS;
  def.cell = 0.1;
  def.amplitude = 0.2;
  def.flat_radius = 1.5;
  Terrain *terrain = create(&def, 7);
  assert_true(terrain->highest > 0.15 && terrain->highest <= 0.2);
  assert_true(terrain->lowest < -0.15 && terrain->lowest >= -0.2);
  // Level tops, and flat in the circle.
  assert_near(height_at(terrain, 5.05, 20.02), height_at(terrain, 5.85, 20.88), 0);
  for (int i = 0; i < 100; i++)
    assert_near(height_at(terrain, 1.5 * cos(i), 1.5 * sin(i)), 0, 0);
  // The place decides, not the extent.
  double before = height_at(terrain, 5.05, 20.02);
  terrain_destroy(terrain);
  def.z[1] = 30;
  def.x[0] = -20;
  terrain = create(&def, 7);
  assert_near(height_at(terrain, 5.05, 20.02), before, 0);
  terrain_destroy(terrain);
}

static void test_noise(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.kind = TERRAIN_NOISE;
  def.cell = 0.05;
  def.x[0] = def.z[0] = -8;
  def.x[1] = def.z[1] = 8;
  def.amplitude = 0.3;
  def.wavelength = 2;
  def.height = 1;
  Terrain *terrain = create(&def, 3);
  assert_near(terrain->highest, 1.3, 1e-6);
  assert_near(terrain->lowest, 0.7, 1e-6);
  // About the base, and spread out.
  double sum = 0, squares = 0;
  int count = terrain->columns * terrain->rows;
  for (int i = 0; i < count; i++) {
    double h = (double)terrain->heights[i] - 1;
    sum += h;
    squares += h * h;
  }
  assert_true(fabs(sum / count) < 0.06);
  assert_true(sqrt(squares / count) > 0.06 && sqrt(squares / count) < 0.2);
  // Smooth: neighbouring slopes differ little (a jump of slope would show as a difference of order 1).
  for (int i = 1; i < terrain->columns - 1; i++) {
    const float *row = terrain->heights + 100 * terrain->columns + i;
    assert_true(fabs((double)row[1] - 2 * (double)row[0] + (double)row[-1]) / def.cell < 0.25);
  }
  // The same numbers from the same seed only.
  Terrain *same = create(&def, 3), *other = create(&def, 4);
  assert_memory_equal(terrain->heights, same->heights, sizeof(float) * (size_t)count);
  assert_memory_not_equal(terrain->heights, other->heights, sizeof(float) * (size_t)count);
  terrain_destroy(other);
  terrain_destroy(same);
  terrain_destroy(terrain);
  def.flat_radius = 3;
  terrain = create(&def, 3);
  for (int i = 0; i < 100; i++)
    assert_near(height_at(terrain, 2.9 * cos(i), 2.9 * sin(i)), 1, 0);
  assert_true(terrain->highest <= 1.3000001 && terrain->lowest >= 0.6999999 && terrain->highest > 1.2);
  terrain_destroy(terrain);
}

static void test_bad_descriptions(void **state) {
  (void)state;
  TerrainDef def = default_def();
  Error error = {0};
  def.x[0] = def.x[1] = 1;
  assert_null(terrain_create(&def, 1, NULL, &error));
  assert_non_null(strstr(error.text, "terrain.x"));
  def = default_def();
  def.cell = 0.01;
  def.z[1] = 2000;
  error.text[0] = '\0';
  assert_null(terrain_create(&def, 1, NULL, &error));
  assert_non_null(strstr(error.text, "terrain.cell"));
  def = default_def();
  def.kind = TERRAIN_IMAGE;
  error.text[0] = '\0';
  assert_null(terrain_create(&def, 1, NULL, &error));
  assert_non_null(strstr(error.text, "terrain.image"));
  def = default_def();
  def.z[0] = NAN;
  assert_null(terrain_create(&def, 1, NULL, NULL));
}

// ---- Images ----

typedef struct Bytes {
  char data[4096];
  size_t size;
} Bytes;

static void append_bytes(png_structp png, png_bytep data, size_t size) {
  Bytes *bytes = png_get_io_ptr(png);
  if (bytes->size + size > sizeof bytes->data)
    png_error(png, "too large");
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

static void flush_bytes(png_structp png) { (void)png; }

// 3 by 2 pixels of the given depth and type.
static Bytes make_png(int depth, int type, const png_byte *first, const png_byte *second) {
  Bytes bytes = {.size = 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append_bytes, flush_bytes);
  png_set_IHDR(png, info, 3, 2, depth, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_write_row(png, first);
  png_write_row(png, second);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

static TerrainDef image_def(void) {
  TerrainDef def = default_def();
  def.kind = TERRAIN_IMAGE;
  strcpy(def.image, "hill.png");
  def.x[0] = 0, def.x[1] = 4;
  def.z[0] = 0, def.z[1] = 1;
  def.cell = 0.5;
  def.image_height = 2;
  return def;
}

static Terrain *create_from_png(const char *data, size_t size, Error *error) {
  FileSet files = {.sealed = true};
  files_put(&files, "hill.png", data, size);
  TerrainDef def = image_def();
  Terrain *terrain = terrain_create(&def, 1, &files, error);
  files_free(&files);
  return terrain;
}

static void check_image(Bytes bytes, double half) {
  Error error = {0};
  Terrain *terrain = create_from_png(bytes.data, bytes.size, &error);
  if (!terrain)
    fail_msg("%s", error.text);
  assert_near(height_at(terrain, 0, 0), 0, 1e-6);
  assert_near(height_at(terrain, 2, 0), 2 * half, 1e-6);
  assert_near(height_at(terrain, 1, 0), half, 1e-6); // between two pixels
  assert_near(height_at(terrain, 4, 0), 2, 1e-6);
  assert_near(height_at(terrain, 0, 1), 2, 1e-6);
  assert_near(height_at(terrain, 4, 1), 0, 1e-6);
  terrain_destroy(terrain);
}

static void test_images(void **state) {
  (void)state;
  check_image(make_png(8, PNG_COLOR_TYPE_GRAY, (png_byte[]){0, 128, 255}, (png_byte[]){255, 0, 0}), 128 / 255.0);
  check_image(make_png(16, PNG_COLOR_TYPE_GRAY, (png_byte[]){0, 0, 0x12, 0x34, 0xff, 0xff},
                       (png_byte[]){0xff, 0xff, 0, 0, 0, 0}),
              0x1234 / 65535.0);
  check_image(make_png(8, PNG_COLOR_TYPE_RGB, (png_byte[]){0, 0, 0, 128, 128, 128, 255, 255, 255},
                       (png_byte[]){255, 255, 255, 0, 0, 0, 0, 0, 0}),
              128 / 255.0);
  check_image(
      make_png(8, PNG_COLOR_TYPE_GRAY_ALPHA, (png_byte[]){0, 9, 128, 0, 255, 77}, (png_byte[]){255, 255, 0, 0, 0, 255}),
      128 / 255.0);
  check_image(make_png(2, PNG_COLOR_TYPE_GRAY, (png_byte[]){0x1c}, (png_byte[]){0xc0}), 1 / 3.0); // pixels 0, 1, 3
}

static void test_broken_images(void **state) {
  (void)state;
  Bytes good = make_png(8, PNG_COLOR_TYPE_GRAY, (png_byte[]){0, 128, 255}, (png_byte[]){255, 0, 0});
  Error error = {0};
  assert_null(create_from_png("kind: noise\n", 12, &error));
  assert_non_null(strstr(error.text, "hill.png"));
  assert_non_null(strstr(error.text, "not a PNG"));
  error.text[0] = '\0';
  assert_null(create_from_png(good.data, good.size / 2, &error));
  assert_non_null(strstr(error.text, "hill.png"));
  assert_non_null(strstr(error.text, "ends too early"));
  // Sizes beyond reason: the width is at byte 16 (the checksum is wrong then too; either is reason enough).
  Bytes huge = good;
  huge.data[16] = 0x7f;
  error.text[0] = '\0';
  assert_null(create_from_png(huge.data, huge.size, &error));
  assert_non_null(strstr(error.text, "hill.png"));
  // A missing file.
  FileSet files = {.sealed = true};
  TerrainDef def = image_def();
  error.text[0] = '\0';
  assert_null(terrain_create(&def, 1, &files, &error));
  assert_non_null(strstr(error.text, "hill.png"));
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_diagonal),
      cmocka_unit_test(test_border_and_outside),
      cmocka_unit_test(test_vertices),
      cmocka_unit_test(test_last_sample_is_taken),
      cmocka_unit_test(test_triangles_are_the_surface),
      cmocka_unit_test(test_vertical_rays),
      cmocka_unit_test(test_slanted_rays),
      cmocka_unit_test(test_rays_from_inside),
      cmocka_unit_test(test_rays_outside),
      cmocka_unit_test(test_bad_rays),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_stairs),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_bad_descriptions),
      cmocka_unit_test(test_images),
      cmocka_unit_test(test_broken_images),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
