// Triangles of bodies and ground: closed, facing outward, and where shapes and terrain are.
#include "tests/fixture.h"

#include "scenes/export/body_mesh.h"
#include "scenes/export/ground_mesh.h"

#define assert_near(a, b, tolerance) check_near(a, b, tolerance, __FILE__, __LINE__)
static void check_near(double a, double b, double tolerance, const char *file, int line) {
  if (!(fabs(a - b) <= tolerance)) {
    print_error("%.17g is not within %g of %.17g\n", a, tolerance, b);
    _fail(file, line);
  }
}

// The volume inside (m^3), by the divergence theorem. Checks normals and winding.
static double mesh_volume(const BodyMesh *mesh) {
  double volume = 0;
  for (int i = 0; i < mesh->vertex_count; i++)
    assert_near((double)glms_vec3_norm(mesh->normals[i]), 1, 1e-5);
  for (int i = 0; i < mesh->index_count; i += 3) {
    vec3s p[3], outward = {{0, 0, 0}};
    for (int k = 0; k < 3; k++) {
      assert_true(mesh->indices[i + k] < mesh->vertex_count);
      p[k] = mesh->positions[mesh->indices[i + k]];
      outward = glms_vec3_add(outward, mesh->normals[mesh->indices[i + k]]);
    }
    const vec3s normal = glms_vec3_cross(glms_vec3_sub(p[1], p[0]), glms_vec3_sub(p[2], p[0]));
    assert_true(glms_vec3_norm(normal) > 0);
    assert_true(glms_vec3_dot(glms_vec3_normalize(normal), glms_vec3_normalize(outward)) > 0.9f);
    volume += (double)glms_vec3_dot(p[0], glms_vec3_cross(p[1], p[2])) / 6;
  }
  return volume;
}

static double surface_distance(const ShapeDef *shape, const PartDef *part, vec3s point) {
  double p[3];
  for (int k = 0; k < 3; k++)
    p[k] = (double)point.raw[k] + part->joint.position[k] - shape->center_m[k];
  if (shape->kind == SHAPE_BOX) {
    double out = 0;
    for (int k = 0; k < 3; k++)
      out = fmax(out, fabs(fabs(p[k]) - 0.5 * shape->size[k]));
    return out;
  }
  if (shape->kind == SHAPE_CAPSULE) {
    const double half = 0.5 * shape->size[1];
    p[shape->axis] -= fmax(-half, fmin(half, p[shape->axis]));
  }
  return fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - shape->size[0]);
}

static void test_shapes(void **state) {
  (void)state;
  PartDef part = {.joint = {.position = {0.1, 1, -0.2}}, .shape_count = 1};
  static BodyMesh mesh;
  for (int kind = SHAPE_BOX; kind <= SHAPE_SPHERE; kind++)
    for (int axis = 0; axis < 3; axis++) {
      ShapeDef *shape = &part.shapes[0];
      *shape =
          (ShapeDef){.kind = (ShapeKind)kind, .size = {0.1, 0.3, 0.2}, .center_m = {0.15, 0.7, -0.1}, .axis = axis};
      body_mesh(&part, &mesh);
      for (int i = 0; i < mesh.vertex_count; i++)
        assert_near(surface_distance(shape, &part, mesh.positions[i]), 0, 1e-6);
      const double ball = 4 * M_PI / 3 * 1e-3, cylinder = M_PI * 0.01 * 0.3;
      const double volume = kind == SHAPE_BOX ? 0.006 : kind == SHAPE_SPHERE ? ball : ball + cylinder;
      assert_near(mesh_volume(&mesh) / volume, kind == SHAPE_BOX ? 1 : 0.975, kind == SHAPE_BOX ? 1e-5 : 0.02);
    }
  // Two shapes in one mesh; and no shape.
  part.shape_count = 2;
  part.shapes[1] = (ShapeDef){.kind = SHAPE_BOX, .size = {1, 1, 1}};
  body_mesh(&part, &mesh);
  assert_true(mesh_volume(&mesh) > 1);
  part.shape_count = 0;
  body_mesh(&part, &mesh);
  assert_int_equal(mesh.index_count, 0);
}

static void test_human(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  static BodyMesh mesh;
  for (int i = 0; i < f.body->part_count; i++) {
    body_mesh(&f.body->parts[i], &mesh);
    assert_true(mesh_volume(&mesh) > 1e-4);
  }
  fixture_end(&f);
}

// ---- Ground ----

static Terrain *make_terrain(TerrainDef *def) {
  static FileSet files;
  Error error = {0};
  Terrain *terrain = terrain_create(def, 3, &files, &error);
  fixture_check(&error);
  return terrain;
}

static TerrainDef terrain_def(TerrainKind kind) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = kind;
  return def;
}

// Vertices and the middles of triangles lie on the ground, and triangles face up. Returns the area seen from above.
static double check_ground(const Terrain *terrain, const GroundMesh *mesh, double tolerance) {
  double area = 0;
  for (int color = 0; color < 2; color++)
    for (int i = 0; i < mesh->index_counts[color]; i += 3) {
      const float *p[3];
      double middle[3] = {0, 0, 0}, height;
      for (int k = 0; k < 3; k++) {
        const int index = mesh->indices[color][i + k];
        assert_true(index < mesh->columns * mesh->rows && index < 65535);
        p[k] = mesh->positions[index];
        for (int d = 0; d < 3; d++)
          middle[d] += (double)p[k][d] / 3;
      }
      const double up = (double)((p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]));
      assert_true(up > 0);
      area += up / 2;
      assert_true(terrain_height(terrain, middle[0], middle[2], &height, NULL));
      assert_near(middle[1], height, tolerance);
    }
  for (int i = 0; i < mesh->columns * mesh->rows; i++) {
    const float *n = mesh->normals[i];
    assert_near((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-5);
    assert_true(n[1] > 0);
  }
  return area;
}

static const double X[2] = {-0.5, 0.7}, Z[2] = {0, 20};

static void test_rough_ground(void **state) {
  (void)state;
  TerrainDef def = terrain_def(TERRAIN_NOISE);
  def.x[0] = -20, def.x[1] = 20;
  Terrain *terrain = make_terrain(&def);
  GroundMesh mesh;
  assert_true(ground_mesh_make(terrain, X, Z, &mesh));
  assert_near(mesh.spacing, 0.25, 1e-12);
  assert_true(check_ground(terrain, &mesh, 2e-6) > 13 * 32);
  ground_mesh_free(&mesh);
  terrain_destroy(terrain);
}

static void test_flat_ground_is_squares(void **state) {
  (void)state;
  TerrainDef def = terrain_def(TERRAIN_FLAT);
  def.height = 0.3;
  Terrain *terrain = make_terrain(&def);
  GroundMesh mesh;
  assert_true(ground_mesh_make(terrain, X, Z, &mesh));
  assert_near(mesh.spacing, 1, 1e-12);
  assert_true(mesh.columns <= 16 && mesh.rows <= 35);
  assert_true(check_ground(terrain, &mesh, 1e-6) > 13 * 32);
  assert_true(abs(mesh.index_counts[0] - mesh.index_counts[1]) <= 6 * mesh.rows); // a chessboard
  ground_mesh_free(&mesh);

  // A plain beside a grid of another height is not flat.
  terrain->outside_height = 0;
  const double beside[2] = {7, 8};
  assert_true(ground_mesh_make(terrain, beside, Z, &mesh));
  assert_near(mesh.spacing, 0.25, 1e-12);
  ground_mesh_free(&mesh);
  terrain_destroy(terrain);
}

static void test_long_ways_are_thinned(void **state) {
  (void)state;
  TerrainDef def = terrain_def(TERRAIN_NOISE);
  def.cell = 0.06;
  def.x[0] = -100, def.x[1] = 100, def.z[0] = -10, def.z[1] = 190;
  Terrain *terrain = make_terrain(&def);
  GroundMesh mesh;
  const double x[2] = {-90, 90}, z[2] = {0, 180};
  assert_true(ground_mesh_make(terrain, x, z, &mesh));
  assert_true(mesh.columns * mesh.rows <= GROUND_MESH_VERTICES && mesh.spacing > 0.5);
  assert_near(mesh.spacing, 0.96, 1e-12); // 16 cells
  assert_true(check_ground(terrain, &mesh, 0.05) > 180 * 180);
  ground_mesh_free(&mesh);
  const double far[2] = {-1e30, 1e30};
  assert_true(ground_mesh_make(terrain, far, far, &mesh));
  assert_true(mesh.columns * mesh.rows <= GROUND_MESH_VERTICES && mesh.columns > 1);
  ground_mesh_free(&mesh);
  const double farther[2] = {1e30, 1e31};
  assert_true(ground_mesh_make(terrain, farther, z, &mesh));
  assert_true(mesh.columns <= 2);
  ground_mesh_free(&mesh);
  terrain_destroy(terrain);
}

static void test_ground_that_ends(void **state) {
  (void)state;
  TerrainDef def = terrain_def(TERRAIN_STAIRS);
  def.endless = false;
  def.cell = 0.1;
  def.x[0] = -1, def.x[1] = 1, def.z[0] = -1, def.z[1] = 6.05;
  Terrain *terrain = make_terrain(&def);
  GroundMesh mesh;
  assert_true(ground_mesh_make(terrain, X, Z, &mesh));
  assert_near(check_ground(terrain, &mesh, 2e-6), (terrain->columns - 1) * (terrain->rows - 1) * 0.01, 1e-3);
  ground_mesh_free(&mesh);
  const double beyond[2] = {50, 60};
  assert_true(ground_mesh_make(terrain, beyond, Z, &mesh));
  assert_int_equal(mesh.columns, 0);
  ground_mesh_free(&mesh);
  terrain_destroy(terrain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_human),
      cmocka_unit_test(test_rough_ground),
      cmocka_unit_test(test_flat_ground_is_squares),
      cmocka_unit_test(test_long_ways_are_thinned),
      cmocka_unit_test(test_ground_that_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
