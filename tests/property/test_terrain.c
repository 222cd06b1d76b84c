// Rays against a search through all triangles, contacts against dense sampling of the shapes, and broken images.

#include <string.h>

#include "sim/base/rng.h"
#include "tests/terrain_fixture.h"

enum { MANY = 64 };

static void fill_random(float *heights, int count, double amplitude, Rng *rng) {
  for (int i = 0; i < count; i++)
    heights[i] = (float)rng_range(rng, -amplitude, amplitude);
}

// ---- Rays ----

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = a[axis] - b[axis];
}

// The point at which a ray meets a triangle, after Moller and Trumbore 1997; infinite if it misses. Edges belong to it.
static double hit_triangle(const double origin[3], const double direction[3], const double a[3], const double b[3],
                           const double c[3]) {
  double ab[3], ac[3], ao[3], p[3], q[3];
  subtract(b, a, ab);
  subtract(c, a, ac);
  subtract(origin, a, ao);
  dCalcVectorCross3(p, direction, ac);
  double det = dCalcVectorDot3(ab, p);
  if (fabs(det) < 1e-14)
    return INFINITY;
  double u = dCalcVectorDot3(ao, p) / det;
  dCalcVectorCross3(q, ao, ab);
  double v = dCalcVectorDot3(direction, q) / det;
  double t = dCalcVectorDot3(ac, q) / det;
  return u >= -1e-12 && v >= -1e-12 && u + v <= 1 + 1e-12 && t >= 0 ? t : INFINITY;
}

static double search_triangles(const Terrain *terrain, const double origin[3], const double direction[3]) {
  double nearest = INFINITY;
  for (int k = 0; k < terrain->rows - 1; k++)
    for (int i = 0; i < terrain->columns - 1; i++) {
      double corners[4][3];
      for (int c = 0; c < 4; c++) {
        int a = i + (c & 1), b = k + (c >> 1);
        corners[c][0] = terrain->origin_x + a * terrain->cell;
        corners[c][1] = (double)terrain->heights[b * terrain->columns + a];
        corners[c][2] = terrain->origin_z + b * terrain->cell;
      }
      nearest = fmin(nearest, hit_triangle(origin, direction, corners[0], corners[1], corners[2]));
      nearest = fmin(nearest, hit_triangle(origin, direction, corners[3], corners[1], corners[2]));
    }
  return nearest;
}

// Points from ordinary ones to those exactly on vertices, edges, diagonals and the border.
static void make_point(const Terrain *terrain, Rng *rng, double point[3]) {
  double last = terrain->columns - 1;
  double u = rng_range(rng, 0, last), v = rng_range(rng, 0, last);
  switch (rng_index(rng, 5)) {
  case 0:
    u = floor(u);
    break;
  case 1:
    u = floor(u);
    v = floor(v);
    break;
  case 2:
    v = fmin(floor(u) + 1 - (u - floor(u)), last);
    break;
  case 3:
    u = rng_index(rng, 2) * last;
    break;
  default:
    break;
  }
  point[0] = terrain->origin_x + u * terrain->cell;
  point[2] = terrain->origin_z + v * terrain->cell;
  point[1] = rng_range(rng, -1.2, 1.2);
}

static void test_rays(void **state) {
  (void)state;
  Rng rng = rng_make(1, "rays");
  float heights[13 * 13];
  int hits = 0, misses = 0;
  for (int round = 0; round < 40; round++) {
    fill_random(heights, 13 * 13, round % 4 == 0 ? 0.02 : 0.5, &rng);
    Terrain terrain = make_terrain(heights, 13, 0.25);
    for (int n = 0; n < 250; n++) {
      double from[3], to[3], direction[3], length = 0, height = 0;
      make_point(&terrain, &rng, from);
      make_point(&terrain, &rng, to);
      if (n % 5 == 0) { // straight down or up
        to[0] = from[0];
        to[2] = from[2];
      } else if (n % 5 == 1) {
        to[1] = from[1]; // level
      }
      subtract(to, from, direction);
      length = dCalcVectorLength3(direction);
      if (length < 0.01)
        continue;
      for (int axis = 0; axis < 3; axis++)
        direction[axis] /= length;
      assert_true(terrain_height(&terrain, from[0], from[2], &height, NULL));
      GroundHit hit;
      bool found = terrain_ray(&terrain, from, direction, length, &hit);
      if (from[1] <= height) {
        assert_true(found);
        assert_true(hit.distance == 0);
        continue;
      }
      double expected = search_triangles(&terrain, from, direction);
      if (fabs(expected - length) < 1e-9)
        continue;
      if (expected < length) {
        hits++;
        if (!found || fabs(hit.distance - expected) > 1e-9) {
          // A ray along a crest may pass it on either side because of rounding.
          double above = found ? hit.position_w[1] : NAN, ground = NAN;
          if (found)
            terrain_height(&terrain, hit.position_w[0], hit.position_w[2], &ground, NULL);
          fail_msg("round %d ray %d: %s at %.12g, expected %.12g (y %.12g, ground %.12g)", round, n,
                   found ? "hit" : "none", found ? hit.distance : NAN, expected, above, ground);
        }
        // On the ground that bodies touch, with the normal of a triangle at that place.
        terrain_height(&terrain, hit.position_w[0], hit.position_w[2], &height, NULL);
        assert_true(fabs(height - hit.position_w[1]) < 1e-9);
        assert_true(fabs(dCalcVectorLength3(hit.normal_w) - 1) < 1e-12 && hit.normal_w[1] > 0);
        assert_true(dCalcVectorDot3(hit.normal_w, direction) < 1e-9);
      } else {
        misses++;
        assert_false(found);
      }
    }
  }
  assert_true(hits > 2000 && misses > 500);
}

// ---- Contacts against dense sampling ----

// A shape whose points are given by three numbers in -1..1, in the shape's frame.
typedef struct Sampled {
  void (*point)(const double size[3], const double share[3], double point[3]);
  double size[3]; // m
  int steps[3];   // of the three numbers
} Sampled;

static void box_point(const double size[3], const double share[3], double point[3]) {
  for (int axis = 0; axis < 3; axis++)
    point[axis] = share[axis] * size[axis] / 2;
}

// size: radius, length along z.
static void capsule_point(const double size[3], const double share[3], double point[3]) {
  double angle = share[0] * M_PI, tilt = share[1] * M_PI / 2;
  point[0] = size[0] * cos(angle) * cos(tilt);
  point[1] = size[0] * sin(angle) * cos(tilt);
  point[2] = size[0] * sin(tilt) + share[2] * size[1] / 2;
}

// The deepest of a grid of points of the shape, m below the ground.
static double sample_depth(const Terrain *terrain, dGeomID geom, const Sampled *shape) {
  double deepest = -INFINITY;
  const dReal *position = dGeomGetPosition(geom), *rotation = dGeomGetRotation(geom);
  const int *steps = shape->steps;
  for (int a = 0; a <= steps[0]; a++)
    for (int b = 0; b <= steps[1]; b++)
      for (int c = 0; c <= steps[2]; c++) {
        const double share[3] = {2.0 * a / steps[0] - 1, 2.0 * b / steps[1] - 1, 2.0 * c / steps[2] - 1};
        double local[3], point[3], height = -INFINITY;
        shape->point(shape->size, share, local);
        dMultiply0_331(point, rotation, local);
        terrain_height(terrain, point[0] + position[0], point[2] + position[2], &height, NULL);
        deepest = fmax(deepest, height - point[1] - position[1]);
      }
  return deepest;
}

// Random shapes near rough ground: one without contacts has no point in the ground, one with contacts is near it.
static void check_contacts(dGeomID geom, const Sampled *shape, double cell, double slack) {
  Rng rng = rng_make(2, "contacts");
  float heights[17 * 17];
  int touching = 0, free = 0;
  dGeomID ground = NULL;
  for (int n = 0; n < 250; n++) {
    fill_random(heights, 17 * 17, 0.4 * cell, &rng);
    Terrain terrain = make_terrain(heights, 17, cell);
    ground = terrain_add_geom(&terrain, NULL);
    double turn[4] = {rng_normal(&rng), rng_normal(&rng), rng_normal(&rng), rng_normal(&rng)};
    dNormalize4(turn);
    dGeomSetQuaternion(geom, turn);
    dGeomSetPosition(geom, rng_range(&rng, -cell, cell), 0, rng_range(&rng, -cell, cell));
    // Lifted until it just touches, then a little up or down.
    const dReal *position = dGeomGetPosition(geom);
    double lift = sample_depth(&terrain, geom, shape) + rng_range(&rng, -0.1, 0.1) * cell;
    dGeomSetPosition(geom, position[0], lift, position[2]);
    double depth = sample_depth(&terrain, geom, shape);
    dContactGeom contacts[MANY];
    int count = dCollide(geom, ground, MANY, contacts, sizeof contacts[0]);
    if (depth > slack) {
      touching++;
      if (count == 0)
        fail_msg("pose %d: %g m in the ground and no contact", n, depth);
    } else if (depth < -0.05 * cell) {
      free++;
      if (count > 0)
        fail_msg("pose %d: %g m above the ground and a contact %g m deep", n, -depth, contacts[0].depth);
    }
    dReal bounds[6];
    dGeomGetAABB(geom, bounds);
    for (int i = 0; i < count; i++) {
      assert_true(contacts[i].normal[1] > 0);
      assert_true(contacts[i].depth > 0 && contacts[i].depth <= depth + 0.1 * cell + slack);
    }
    // Twice the same.
    dContactGeom again[MANY];
    assert_int_equal(dCollide(geom, ground, MANY, again, sizeof again[0]), count);
    assert_memory_equal(contacts, again, sizeof contacts[0] * (size_t)count);
    dGeomDestroy(ground);
  }
  dGeomDestroy(geom);
  assert_true(touching > 50 && free > 50);
}

static void test_box_contacts(void **state) {
  (void)state;
  const Sampled foot = {box_point, {0.1, 0.08, 0.26}, {20, 16, 40}}, block = {box_point, {0.5, 0.4, 0.7}, {30, 20, 40}};
  check_contacts(dCreateBox(NULL, 0.1, 0.08, 0.26), &foot, 0.25, 1e-4);
  check_contacts(dCreateBox(NULL, 0.1, 0.08, 0.26), &foot, 0.1, 1e-4);
  check_contacts(dCreateBox(NULL, 0.5, 0.4, 0.7), &block, 0.1, 1e-4);
}

static void test_capsule_contacts(void **state) {
  (void)state;
  const Sampled shin = {capsule_point, {0.05, 0.32, 0}, {32, 16, 32}},
                thigh = {capsule_point, {0.08, 0.3, 0}, {32, 16, 32}};
  check_contacts(dCreateCapsule(NULL, 0.05, 0.32), &shin, 0.25, 1e-3);
  check_contacts(dCreateCapsule(NULL, 0.08, 0.3), &thigh, 0.1, 1e-3);
}

static void test_sphere_contacts(void **state) {
  (void)state;
  const Sampled ball = {capsule_point, {0.05, 0, 0}, {120, 120, 1}},
                head = {capsule_point, {0.15, 0, 0}, {120, 120, 1}};
  check_contacts(dCreateSphere(NULL, 0.05), &ball, 0.25, 1e-4);
  check_contacts(dCreateSphere(NULL, 0.15), &head, 0.1, 1e-4);
}

// ---- Broken images ----

// An 8-bit grey image of 4 by 3 pixels.
static const unsigned char image[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x00, 0x91, 0x9f, 0xf1,
    0x1a, 0x00, 0x00, 0x00, 0x17, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x30, 0x4a, 0x99,
    0xc6, 0x70, 0xe2, 0xbf, 0x08, 0x33, 0x03, 0x23, 0x13, 0x0b, 0x07, 0x00, 0x1d, 0x73, 0x03, 0x1a,
    0xd6, 0x9b, 0x61, 0x41, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static bool load_image(const char *bytes, size_t size, Error *error) {
  FileSet files = {.sealed = true};
  files_put(&files, "hill.png", bytes, size);
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = TERRAIN_IMAGE;
  strcpy(def.image, "hill.png");
  def.cell = 5;
  Terrain *terrain = terrain_create(&def, 1, &files, error);
  bool loaded = terrain != NULL;
  terrain_destroy(terrain);
  files_free(&files);
  return loaded;
}

// Every truncation and every flipped byte: a terrain or an error, never a crash.
static void test_broken_images(void **state) {
  (void)state;
  char bytes[sizeof image];
  memcpy(bytes, image, sizeof image);
  Error error = {0};
  if (!load_image(bytes, sizeof bytes, &error))
    fail_msg("%s", error.text);
  for (size_t size = 0; size < sizeof image - 12; size++) { // without its last chunk the image is whole
    error.text[0] = '\0';
    assert_false(load_image(bytes, size, &error));
    assert_non_null(strstr(error.text, "hill.png: "));
  }
  for (size_t i = 0; i < sizeof image; i++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[i] = (char)(image[i] ^ (1 << bit));
      error.text[0] = '\0';
      assert_true(load_image(bytes, sizeof bytes, &error) == (error.text[0] == '\0'));
      bytes[i] = (char)image[i];
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rays),
      cmocka_unit_test(test_box_contacts),
      cmocka_unit_test(test_capsule_contacts),
      cmocka_unit_test(test_sphere_contacts),
      cmocka_unit_test(test_broken_images),
  };
  dInitODE2(0);
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  dCloseODE();
  return failures;
}
