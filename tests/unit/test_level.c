// Levels made of triangles: reading files, heights between floors, rays, and contacts.

#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/terrain_fixture.h"

enum { MANY = 32 };

static Level *read_text(const char *name, const char *text, size_t size, Error *error) {
  char *bytes = malloc(size + 1); // as FileSet stores files
  assert_non_null(bytes);
  memcpy(bytes, text, size);
  bytes[size] = '\0';
  File file = {(char *)(uintptr_t)name, (char *)(uintptr_t)name, bytes, size};
  Level *level = level_read(&file, 1, 0, error);
  free(bytes);
  return level;
}

static Level *read_obj(const char *text) {
  Error error = {0};
  Level *level = read_text("level.obj", text, strlen(text), &error);
  if (!level)
    fail_msg("%s", error.text);
  return level;
}

// A terrain around a level, which it takes over.
static Terrain *wrap(Level *level) {
  Terrain *terrain = calloc(1, sizeof *terrain);
  assert_non_null(terrain);
  terrain->level = level;
  return terrain;
}

static double area_of(const Level *level) {
  double sum = 0;
  for (int i = 0; i < level->count; i++) {
    double sides[2][3], across[3];
    for (int v = 0; v < 2; v++)
      for (int axis = 0; axis < 3; axis++)
        sides[v][axis] = (double)level->triangles[i][v + 1][axis] - (double)level->triangles[i][0][axis];
    cross3(sides[0], sides[1], across);
    sum += across[1] / 2;
  }
  return sum;
}

// ---- Files ----

static const char floor_obj[] = "# a floor of 4 by 4 m at y = 0\n"
                                "v -2 0 -2\nv -2 0 2\nv 2 0 2\nv 2 0 -2\n"
                                "vn 0 1 0\nvt 0 0\no floor\nusemtl wood\ns off\n"
                                "f 1/1/1 2/1/1 3/1/1 4/1/1\n";

static void test_obj(void **state) {
  (void)state;
  Level *level = read_obj(floor_obj);
  assert_int_equal(level->count, 2);
  assert_near(area_of(level), 16, 1e-5);
  level_destroy(level);
  // Numbers that count back, blanks and tabs, ends of lines of another system, no end of the last line.
  static const char *const faces[] = {"  f -3// -2// -1//", "\tf\t-3//\t-2//\t-1//"};
  for (int i = 0; i < 2; i++) {
    char text[80];
    snprintf(text, sizeof text, "v  0 0 0\r\nv\t0 0 1\r\nv 1 0 0\r\nv0\t9\r\nf1\t9\r\n%s", faces[i]);
    level = read_obj(text);
    assert_int_equal(level->count, 1);
    assert_near(area_of(level), 0.5, 1e-7);
    level_destroy(level);
  }
  // A polygon with a notch is cut into triangles that do not cover the notch, wherever it lies.
  static const double places[][2] = {{0, 0}, {9, 9}, {9, -9}, {-9, 9}, {-9, -9}}; // m
  for (int i = 0; i < 5; i++) {
    const double x = places[i][0], z = places[i][1];
    char text[160];
    snprintf(text, sizeof text, "v %g 0 %g\nv %g 0 %g\nv %g 0 %g\nv %g 0 %g\nv %g 0 %g\nf 1 2 3 4 5\n", x, z, x, z + 2,
             x + 1, z + 0.5, x + 2, z + 2, x + 2, z);
    level = read_obj(text);
    assert_int_equal(level->count, 3);
    assert_near(area_of(level), 2.5, 1e-5);
    double height;
    assert_false(level_height(level, x + 1, z + 1, 1, &height, NULL));
    assert_true(level_height(level, x + 0.1, z + 1, 1, &height, NULL));
    level_destroy(level);
  }
}

// A frame about a hole, whose outline goes to the hole and back along the same corners, or along copies of them.
static void test_frames(void **state) {
  (void)state;
  static const char *const outlines[] = {"1 2 3 4 1 5 6 7 8 5",  "2 3 4 1 5 6 7 8 5 1",  "4 1 5 6 7 8 5 1 2 3",
                                         "7 8 5 1 2 3 4 1 5 6",  "1 2 3 4 9 10 6 7 8 5", "2 3 4 9 10 6 7 8 5 1",
                                         "4 9 10 6 7 8 5 1 2 3", "7 8 5 1 2 3 4 9 10 6"};
  static const int sides[] = {3, 4, 9};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) {
      const int side = sides[k];
      char text[256];
      snprintf(text, sizeof text,
               "v 0 0 0\nv 0 0 %d\nv %d 0 %d\nv %d 0 0\nv 1 0 1\nv 2 0 1\nv 2 0 2\nv 1 0 2\nv 0 0 0\nv 1 0 1\nf %s\n",
               side, side, side, side, outlines[i]);
      Level *level = read_obj(text);
      double height;
      assert_int_equal(level->count, 8);
      assert_near(area_of(level), side * side - 1, 1e-4);
      assert_false(level_height(level, 1.4, 1.6, 1, &height, NULL));
      assert_true(level_height(level, 1.4, 0.6, 1, &height, NULL));
      assert_true(level_height(level, 1.4, 2.3, 1, &height, NULL));
      assert_true(level_height(level, 0.7, 1.4, 1, &height, NULL));
      assert_true(level_height(level, 2.4, 1.6, 1, &height, NULL));
      level_destroy(level);
    }
}

// Skylines, whose corners often lie on lines between others, are cut into triangles that cover them once; and always
// into the same.
static void test_skylines(void **state) {
  (void)state;
  enum { COLUMNS = 9 };
  Rng rng = rng_make(1, "skylines");
  double sum = 0;
  for (int k = 0; k < 300; k++) {
    TextBuffer text = {0};
    const int columns = 2 + rng_index(&rng, COLUMNS - 1);
    int corners = 2, before = 0, covered = 0;
    text_print(&text, "v 0 0 0\n");
    for (int i = 0; i < columns; i++) {
      const int height = 1 + rng_index(&rng, 4);
      if (height != before)
        text_print(&text, "v %d 0 %d\n", i, height);
      text_print(&text, "v %d 0 %d\n", i + 1, height);
      corners += 1 + (height != before);
      covered += height;
      before = height;
    }
    text_print(&text, "v %d 0 0\nf", columns);
    for (int i = 0, first = rng_index(&rng, corners); i < corners; i++)
      text_print(&text, " %d", 1 + (first + i) % corners);
    Level *level = read_obj(text.bytes);
    text_free(&text);
    assert_near(area_of(level), covered, 1e-4);
    for (int i = 0; i < level->count; i++) { // in any order
      double of_three = 0;
      for (int v = 0; v < 3; v++)
        of_three += (v + 1.3) * (double)level->triangles[i][v][0] + (v + 5.1) * (double)level->triangles[i][v][2];
      sum += sin(of_three);
    }
    level_destroy(level);
  }
  assert_near(sum, -428.631632, 1e-7);
}

static void assert_refused(const char *name, const char *text, size_t size, const char *cause) {
  Error error = {0};
  assert_null(read_text(name, text, size, &error));
  if (!strstr(error.text, cause) || !strstr(error.text, name))
    fail_msg("'%s' without '%s'", error.text, cause);
}

static void test_bad_obj(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", "no triangle in it"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\n", "no triangle in it"},
      {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangle in it that has an area"},
      {"v 0 0\nv 1 0 0\n", "level.obj:1:1: a vertex needs three finite coordinates"},
      {"v 0 0 0\nv nan 0 0\n", "level.obj:2:1: a vertex needs three finite"},
      {"v 0 0 0\nv 0 1e999 0\n", "level.obj:2:1: a vertex needs three finite"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 99999\nf 1 2 3\n", "a vertex at 99999 m"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n", "level.obj:4:1: vertex 4 of a face does not exist; there are 3"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 -4\n", "vertex -4 of a face does not exist"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 0 1 2\n", "vertex 0 of a face does not exist"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2\n", "level.obj:4:1: a face needs three vertices"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 x\n", "a face needs numbers of vertices"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_refused("level.obj", cases[i][0], strlen(cases[i][0]), cases[i][1]);
  assert_refused("level.fbx", "x", 1, "ends in .glb or .obj");
}

// A binary glTF file with one triangle. json: for what is tested; the place of the buffer's size is %d.
static size_t make_glb(char *bytes, const char *json, const float vertices[9], const uint16_t indices[3]) {
  size_t length = strlen(json), padded = (length + 3) / 4 * 4;
  const uint32_t header[5] = {0x46546c67, 2, (uint32_t)(28 + padded + 44), (uint32_t)padded, 0x4e4f534a};
  const uint32_t chunk[2] = {44, 0x004e4942};
  memcpy(bytes, header, sizeof header);
  memset(bytes + 20, ' ', padded);
  memcpy(bytes + 20, json, length); // NOLINT(bugprone-not-null-terminated-result): blanks follow
  memcpy(bytes + 20 + padded, chunk, sizeof chunk);
  memset(bytes + 28 + padded, 0, 44);
  memcpy(bytes + 28 + padded, vertices, 36);
  memcpy(bytes + 28 + padded + 36, indices, 6);
  return 28 + padded + 44;
}

#define GLB_JSON(node, positions, indices)                                                                             \
  "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" node "],"                                \
  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[" positions          \
  "," indices "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"                   \
  "\"byteLength\":6}],\"buffers\":[{\"byteLength\":44}]}"
#define GLB_POSITIONS "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"
#define GLB_INDICES "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}"

static const float glb_vertices[9] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
static const uint16_t glb_indices[3] = {0, 1, 2};

static void test_glb(void **state) {
  (void)state;
  char bytes[2048];
  Error error = {0};
  // Placed by its node: turned about up by 90 degrees, moved, twice or half as large, mirrored or not; it still faces
  // up.
#define NODE(scale)                                                                                                    \
  GLB_JSON("{\"mesh\":0,\"translation\":[10,1,0],\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[" scale "]}",     \
           GLB_POSITIONS, GLB_INDICES)
  static const char *const nodes[] = {NODE("2,2,2"), NODE("-2,2,2"), NODE("0.5,0.5,0.5"), NODE("-0.5,0.5,0.5")};
  static const double along_x[] = {2, 2, 0.5, 0.5}, along_z[] = {-2, 2, -0.5, 0.5};
  for (int i = 0; i < 4; i++) {
    const size_t size = make_glb(bytes, nodes[i], glb_vertices, glb_indices);
    Level *level = read_text("level.glb", bytes, size, &error);
    if (!level) {
      fail_msg("%s", error.text);
      return;
    }
    double height, normal[3];
    assert_int_equal(level->count, 1);
    assert_true(level_height(level, 10 + 0.25 * along_x[i], 0.25 * along_z[i], 5, &height, normal));
    assert_near(height, 1, 1e-6);
    assert_near(normal[1], 1, 1e-6);
    assert_false(level_height(level, 10 + 0.55 * along_x[i], 0.55 * along_z[i], 5, &height, normal));
    level_destroy(level);
  }
#undef NODE
}

static void test_bad_glb(void **state) {
  (void)state;
  char bytes[2048];
  static const char *const cases[][2] = {
      {GLB_JSON("{\"mesh\":3}", GLB_POSITIONS, GLB_INDICES), "nodes[0]: it refers to a mesh that does not exist"},
      {GLB_JSON("{\"mesh\":0,\"children\":[0]}", GLB_POSITIONS, GLB_INDICES), "nested more than 64 deep"},
      {GLB_JSON("{\"mesh\":0,\"children\":[7]}", GLB_POSITIONS, GLB_INDICES), "a node that does not exist"},
      {GLB_JSON("{\"mesh\":0,\"scale\":[1,1]}", GLB_POSITIONS, GLB_INDICES), "no list of finite numbers"},
      {GLB_JSON("{\"mesh\":0}", "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}", GLB_INDICES),
       "meshes[0].primitives[0]: an accessor reaches beyond the end"},
      {GLB_JSON("{\"mesh\":0}", "{\"bufferView\":0,\"componentType\":5123,\"count\":3,\"type\":\"VEC3\"}", GLB_INDICES),
       "its positions are not floats"},
      {GLB_JSON("{\"mesh\":0}", GLB_POSITIONS, "{\"bufferView\":1,\"componentType\":5123,\"count\":2}"),
       "no multiple of 3"},
      {GLB_JSON("{\"mesh\":0}", GLB_POSITIONS, "{\"bufferView\":9,\"componentType\":5123,\"count\":3}"), "sparse"},
      {GLB_JSON("{\"mesh\":0}", GLB_POSITIONS, "{\"bufferView\":1,\"componentType\":5123,\"count\":-3}"),
       "missing or out of range"},
      {"{\"asset\":{}}", "it has no scene"},
      {"{\"asset\":", "its JSON part cannot be read"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_refused("level.glb", bytes, make_glb(bytes, cases[i][0], glb_vertices, glb_indices), cases[i][1]);
  const char *good = GLB_JSON("{\"mesh\":0}", GLB_POSITIONS, GLB_INDICES);
  const float bad_vertices[9] = {0, 0, 0, NAN, 0, 1, 1, 0, 0};
  const uint16_t bad_indices[3] = {0, 1, 17};
  assert_refused("level.glb", bytes, make_glb(bytes, good, bad_vertices, glb_indices), "vertex 1 is not finite");
  assert_refused("level.glb", bytes, make_glb(bytes, good, glb_vertices, bad_indices),
                 "triangle 0 refers to vertex 17; there are 3");
  assert_refused("level.glb", "glTF", 4, "no binary glTF 2.0 file");
  // Cut off anywhere, or with a bit turned over, it is read or refused.
  size_t size = make_glb(bytes, good, glb_vertices, glb_indices);
  for (size_t cut = 0; cut < size; cut++) {
    Error error = {0};
    level_destroy(read_text("level.glb", bytes, cut, &error));
  }
  for (size_t bit = 0; bit < 8 * size; bit++) {
    Error error = {0};
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    level_destroy(read_text("level.glb", bytes, size, &error));
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
  }
}

// Skins and animations tell a figure from a level.
static void test_glb_count(void **state) {
  (void)state;
  char bytes[512];
  size_t size = make_glb(bytes, "{\"skins\":[{},{}],\"animations\":[{}],\"meshes\":{}}", glb_vertices, glb_indices);
  File file = {"figure.glb", "figure.glb", bytes, size};
  assert_int_equal(level_glb_count(&file, "skins"), 2);
  assert_int_equal(level_glb_count(&file, "animations"), 1);
  assert_int_equal(level_glb_count(&file, "cameras"), 0);
  for (file.size = 0; file.size < size; file.size++)
    assert_in_range(level_glb_count(&file, "skins"), 0, 2);
}

// A file of copies of one triangle is read in reasonable time.
static void test_copies(void **state) {
  (void)state;
  enum { COPIES = 20000 };
  LevelTriangle *triangles = calloc(COPIES, sizeof *triangles);
  assert_non_null(triangles);
  for (int i = 0; i < COPIES; i++)
    triangles[i][1][2] = triangles[i][2][0] = 1;
  Error error = {0};
  Level *level = level_create(triangles, COPIES, &error);
  assert_non_null(level);
  double height;
  assert_true(level_height(level, 0.2, 0.2, 1, &height, NULL));
  level_destroy(level);
}

// ---- Heights and rays ----

static Terrain *make_house(void) {
  FileSet files = {0};
  TerrainDef def = default_def();
  Error error = {0};
  def.kind = TERRAIN_MESH;
  snprintf(def.file, sizeof def.file, "terrain/house.glb");
  Terrain *terrain = terrain_create(&def, 1, &files, &error);
  files_free(&files);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

static void test_storeys(void **state) {
  (void)state;
  Terrain *house = make_house();
  double height, normal[3];
  const double expected[][2] = {{1, 0}, {2.5, 0}, {2.8, 2.72}, {5, 2.72}, {10, 6.253333}, {INFINITY, 6.253333}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    assert_true(terrain_height_below(house, 0.5, 4, expected[i][0], &height, normal));
    assert_near(height, expected[i][1], 1e-5);
    assert_true(normal[1] > 0.8);
  }
  assert_false(terrain_height_below(house, 0.5, 4, -0.1, &height, NULL));
  assert_false(terrain_height_below(house, 50, 4, 5, &height, NULL));
  assert_false(terrain_height_below(house, NAN, 4, 5, &height, NULL));
  assert_true(terrain_height(house, 0.5, 4, &height, NULL));
  assert_near(height, 6.253333, 1e-5);
  terrain_destroy(house);
}

static void test_rays(void **state) {
  (void)state;
  Terrain *house = make_house();
  GroundHit hit;
  const double forward[3] = {0, 0, 1}, up[3] = {0, 1, 0}, down[3] = {0, -1, 0};
  // Beside the door against the wall's front, through the door to the back of the house.
  assert_true(terrain_ray(house, (double[3]){-1, 1, 0}, forward, 20, &hit));
  assert_near(hit.distance, 2, 1e-6);
  assert_near(hit.normal_w[2], -1, 0);
  assert_int_equal(hit.kind, GROUND_TERRAIN);
  assert_true(terrain_ray(house, (double[3]){0, 1, 0}, forward, 20, &hit));
  assert_near(hit.position_w[2], 9.3, 1e-6);
  assert_false(terrain_ray(house, (double[3]){0, 1, 0}, forward, 9, &hit));
  // Ceilings are hit from below. A ray that starts a little below a floor hits it at once, one from below passes it.
  assert_true(terrain_ray(house, (double[3]){0.5, 1, 4}, up, 20, &hit));
  assert_near(hit.distance, 1.55, 1e-6);
  assert_near(hit.normal_w[1], -1, 0);
  assert_true(terrain_ray(house, (double[3]){0.5, 2.715, 4}, down, 1, &hit));
  assert_near(hit.distance, 0, 0);
  assert_true(terrain_ray(house, (double[3]){0.5, 2.6, 4}, down, 5, &hit));
  assert_near(hit.distance, 2.6, 1e-6);
  // From very far, and with numbers that are none.
  assert_true(terrain_ray(house, (double[3]){0.5, 1e9, 4}, down, 2e9, &hit));
  assert_near(hit.distance, 1e9, 10);
  assert_false(terrain_ray(house, (double[3]){0.5, NAN, 4}, down, 5, &hit));
  assert_false(terrain_ray(house, (double[3]){0.5, 1, 4}, down, NAN, &hit));
  terrain_destroy(house);
}

// A level of the triangles of a height field.
static Level *level_of(const Terrain *field) {
  LevelTriangle *triangles = malloc(2 * (size_t)(field->columns * field->rows) * sizeof *triangles);
  assert_non_null(triangles);
  int count = 0;
  for (int k = 0; k + 1 < field->rows; k++)
    for (int i = 0; i + 1 < field->columns; i++) {
      const int corners[2][3][2] = {{{i, k}, {i, k + 1}, {i + 1, k}}, {{i + 1, k}, {i, k + 1}, {i + 1, k + 1}}};
      for (int t = 0; t < 2; t++, count++)
        for (int v = 0; v < 3; v++) {
          const int *c = corners[t][v];
          triangles[count][v][0] = (float)(field->origin_x + c[0] * field->cell);
          triangles[count][v][1] = field->heights[c[1] * field->columns + c[0]];
          triangles[count][v][2] = (float)(field->origin_z + c[1] * field->cell);
        }
    }
  Error error = {0};
  Level *level = level_create(triangles, count, &error);
  assert_non_null(level);
  return level;
}

// Rays, also those through vertices and edges, hit a level where they hit the height field of the same triangles.
static void test_same_as_field(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.kind = TERRAIN_NOISE;
  def.amplitude = 0.2;
  def.endless = false;
  def.x[0] = def.z[0] = -4;
  def.x[1] = def.z[1] = 4;
  Terrain *field = create(&def, 1), *level = wrap(level_of(field));
  Rng rng = rng_make(3, "rays");
  for (int i = 0; i < 20000; i++) {
    double origin[3] = {rng_range(&rng, -3.5, 3.5), rng_range(&rng, 0.5, 1.5), rng_range(&rng, -3.5, 3.5)};
    double direction[3] = {0, -1, 0};
    if (i % 4 < 2) // on the lines of the grid
      origin[0] = 0.25 * round(origin[0] / 0.25);
    if (i % 4 == 1)
      origin[2] = 0.25 * round(origin[2] / 0.25);
    if (i % 8 >= 4) {
      direction[0] = i % 3 == 0 ? 0 : rng_range(&rng, -1, 1);
      direction[2] = rng_range(&rng, -1, 1);
    }
    double size = length3(direction);
    for (int axis = 0; axis < 3; axis++)
      direction[axis] /= size;
    GroundHit a = {0}, b = {0};
    bool met = terrain_ray(field, origin, direction, 3, &a);
    if (!met || fabs(a.position_w[0]) > 3.9 || fabs(a.position_w[2]) > 3.9)
      continue; // near the border
    assert_true(terrain_ray(level, origin, direction, 3, &b));
    assert_near(a.distance, b.distance, 1e-6);
    double height;
    assert_true(terrain_height(level, origin[0], origin[2], &height, NULL));
    assert_near(height, height_at(field, origin[0], origin[2]), 1e-6);
  }
  terrain_destroy(field);
  terrain_destroy(level);
}

// Slanting rays to points beside the seams of a floor, 2 km away to either side, where floats are 0.1 mm apart: none
// gets through.
static void test_far_floor(void **state) {
  (void)state;
  static float heights[33 * 33];
  for (int side = -1; side <= 1; side += 2) {
    const Terrain field = {33, 33, side * 2004 - 4, side * 2004 - 4, 0.25, 0, false, 0, 0, heights, NULL};
    Terrain *level = wrap(level_of(&field));
    Rng rng = rng_make(5, "seams");
    for (int i = 0; i < 20000; i++) {
      const double place[3] = {side * 2004 + 0.25 * (rng_index(&rng, 31) - 15) + rng_range(&rng, -1e-4, 1e-4), 0,
                               side * 2004 + 0.25 * (rng_index(&rng, 31) - 15) + rng_range(&rng, -1e-4, 1e-4)};
      double direction[3] = {rng_range(&rng, -1, 1), -1, rng_range(&rng, -1, 1)}, origin[3];
      const double size = length3(direction);
      for (int axis = 0; axis < 3; axis++) {
        direction[axis] /= size;
        origin[axis] = place[axis] - direction[axis];
      }
      GroundHit hit;
      assert_true(terrain_ray(level, origin, direction, 2, &hit));
      assert_near(hit.distance, 1, 1e-9);
    }
    terrain_destroy(level);
  }
}

// ---- Contacts ----

static int touch(const Terrain *terrain, dGeomID shape, const double place[3], int max, dContactGeom *contacts) {
  dGeomID ground = terrain_add_geom(terrain, NULL);
  dGeomSetPosition(shape, place[0], place[1], place[2]);
  int count = dCollide(shape, ground, max, contacts, sizeof *contacts);
  for (int i = 0; i < count; i++) {
    assert_true(contacts[i].g1 == shape && contacts[i].g2 == ground);
    assert_near(dCalcVectorLength3(contacts[i].normal), 1, 1e-6);
    assert_true(contacts[i].depth > 0);
  }
  dGeomDestroy(ground);
  dGeomDestroy(shape);
  return count;
}

// Two squares that meet at an edge: each continues the other if it rises from it by less than 45 deg, and does not
// fall.
static void test_what_goes_on_beyond_an_edge(void **state) {
  (void)state;
  static const struct {
    double rise; // deg: of the second square
    bool goes_on;
  } cases[] = {{0, true},   {10, true},   {30, true},  {44, true},   {46, false}, {60, false},
               {90, false}, {120, false}, {-1, false}, {-30, false}, {-90, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int turn = 0; turn < 4; turn++) {
      const double up = sin(cases[i].rise * RAD_PER_DEGREE), ahead = cos(cases[i].rise * RAD_PER_DEGREE);
      const double ends[6][3] = {{-1, 0, -1}, {-1, 0, 0}, {1, 0, 0}, {1, 0, -1}, {-1, up, ahead}, {1, up, ahead}};
      char text[400] = "";
      for (int v = 0; v < 6; v++) {
        const double s = turn == 1 ? 1 : turn == 3 ? -1 : 0, c = turn == 0 ? 1 : turn == 2 ? -1 : 0;
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "v %.9g %.9g %.9g\n", c * ends[v][0] + s * ends[v][2], ends[v][1],
                 c * ends[v][2] - s * ends[v][0]);
      }
      strcat(text, "f 1 2 3 4\nf 2 5 6 3\n");
      Level *level = read_obj(text);
      assert_int_equal(level->count, 4);
      int edges = 0;
      for (int t = 0; t < 4; t++)
        for (int edge = 0; edge < 3; edge++)
          edges += level->continued[t] >> edge & 1;
      if (edges != (cases[i].goes_on ? 6 : 4)) // the diagonals of both squares, to either side, go on
        fail_msg("%g deg, turned by %d quarters: %d edges go on", cases[i].rise, turn, edges);
      level_destroy(level);
    }
}

// Nothing catches at the seams of a flat floor, wherever a shape lies on it.
static void test_flat_floor(void **state) {
  (void)state;
  TerrainDef def = default_def();
  def.endless = false;
  def.x[0] = def.z[0] = -2;
  def.x[1] = def.z[1] = 2;
  Terrain *field = create(&def, 1), *floors[] = {wrap(level_of(field)), wrap(read_obj(floor_obj))};
  Rng rng = rng_make(4, "places");
  dContactGeom contacts[MANY];
  for (int i = 0; i < 300; i++) {
    double x = rng_range(&rng, -1, 1), z = rng_range(&rng, -1, 1);
    for (int f = 0; f < 2; f++) {
      dGeomID box = dCreateBox(NULL, 0.3, 0.1, 0.2);
      dMatrix3 turn;
      dRFromAxisAndAngle(turn, 0, 1, 0, rng_range(&rng, 0, 6));
      dGeomSetRotation(box, turn);
      int counts[] = {touch(floors[f], box, (double[3]){x, 0.049, z}, MANY, contacts), 0, 0};
      for (int c = 0; c < counts[0]; c++) {
        assert_near(contacts[c].normal[1], 1, 1e-9);
        assert_near(contacts[c].depth, 0.001, 1e-7);
      }
      counts[1] = touch(floors[f], dCreateSphere(NULL, 0.1), (double[3]){x, 0.099, z}, MANY, contacts);
      assert_near(contacts[0].normal[1], 1, 1e-9);
      dGeomID capsule = dCreateCapsule(NULL, 0.1, 0.5); // lies along z
      counts[2] = touch(floors[f], capsule, (double[3]){x, 0.099, z}, MANY, contacts);
      assert_int_equal(counts[0], 4);
      assert_int_equal(counts[1], 1);
      assert_int_equal(counts[2], 2);
    }
  }
  terrain_destroy(field);
  terrain_destroy(floors[0]);
  terrain_destroy(floors[1]);
}

// Shapes turned in any way have the same contacts on a floor of two triangles as on the height field.
static void test_turned_shapes(void **state) {
  (void)state;
  TerrainDef def = default_def();
  Terrain *field = create(&def, 1), *floor = wrap(read_obj(floor_obj));
  Rng rng = rng_make(1, "turned");
  for (int i = 0; i < 3000; i++) {
    dGeomID shape = i % 3 == 0   ? dCreateBox(NULL, 0.096, 0.08, 0.26)
                    : i % 3 == 1 ? dCreateCapsule(NULL, 0.05, 0.3)
                                 : dCreateSphere(NULL, 0.05);
    dMatrix3 yaw, tilt, rotation;
    dReal bounds[6];
    dRFromAxisAndAngle(yaw, 0, 1, 0, rng_range(&rng, 0, 6));
    dRFromAxisAndAngle(tilt, rng_range(&rng, -1, 1), 0, rng_range(&rng, -1, 1), rng_range(&rng, -0.5, 0.5) * (i % 5));
    dMultiply0_333(rotation, tilt, yaw);
    dGeomSetRotation(shape, rotation);
    dGeomGetAABB(shape, bounds);
    dGeomSetPosition(shape, rng_range(&rng, -1, 1), -bounds[2] - rng_range(&rng, 0, 0.006), rng_range(&rng, -1, 1));
    double sums[2] = {0};
    int counts[2];
    for (int ground = 0; ground < 2; ground++) {
      dContactGeom contacts[4];
      dGeomID geom = terrain_add_geom(ground ? floor : field, NULL);
      counts[ground] = dCollide(shape, geom, 4, contacts, sizeof *contacts);
      for (int c = 0; c < counts[ground]; c++) {
        sums[ground] += contacts[c].depth;
        assert_near(contacts[c].normal[1], 1, 1e-9);
      }
      dGeomDestroy(geom);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_near(sums[0], sums[1], 1e-6);
    dGeomDestroy(shape);
  }
  terrain_destroy(field);
  terrain_destroy(floor);
}

// In the corner of a room a ball has three contacts; a box that leans on nothing but the corner's floor and walls is
// held in all three directions.
static void test_corner(void **state) {
  (void)state;
  Terrain *house = make_house();
  dContactGeom contacts[MANY];
  const double r = 0.1, in = r - 0.001, corner[3] = {-2.8 + in, in, 2.2 + in};
  assert_int_equal(touch(house, dCreateSphere(NULL, r), corner, 4, contacts), 3);
  double sum[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int axis = 0; axis < 3; axis++)
      sum[axis] += contacts[i].normal[axis];
  for (int axis = 0; axis < 3; axis++)
    assert_near(sum[axis], 1, 1e-5);
  int count = touch(house, dCreateBox(NULL, 2 * r, 2 * r, 2 * r), corner, 4, contacts);
  assert_int_equal(count, 4);
  double most[3] = {0};
  for (int i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++)
      most[axis] = fmax(most[axis], contacts[i].normal[axis]);
  for (int axis = 0; axis < 3; axis++)
    assert_near(most[axis], 1, 1e-5);
  terrain_destroy(house);
}

// Across the edge of a floor slab: a box and a capsule lie on it, a ball beside it touches its rim.
static void test_edges(void **state) {
  (void)state;
  Terrain *house = make_house();
  dContactGeom contacts[MANY];
  // The upper floor ends at x = 1.6 over the stairs.
  int count = touch(house, dCreateBox(NULL, 0.4, 0.1, 0.3), (double[3]){1.55, 2.72 + 0.049, 5}, MANY, contacts);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; i++) {
    assert_near(contacts[i].normal[1], 1, 1e-5);
    assert_true(contacts[i].pos[0] < 1.6 + 1e-5);
  }
  assert_int_equal(touch(house, dCreateSphere(NULL, 0.1), (double[3]){1.65, 2.77, 5}, MANY, contacts), 1);
  assert_near(contacts[0].normal[0], sqrt(0.5), 1e-4);
  assert_near(contacts[0].depth, 0.1 - 0.05 * sqrt(2), 1e-5);
  dGeomID capsule = dCreateCapsule(NULL, 0.05, 0.4);
  dMatrix3 turn;
  dRFromAxisAndAngle(turn, 0, 1, 0, M_PI / 2);
  dGeomSetRotation(capsule, turn);
  count = touch(house, capsule, (double[3]){1.55, 2.72 + 0.049, 5}, MANY, contacts);
  assert_int_equal(count, 2); // its end over the floor, and the rim
  for (int i = 0; i < count; i++)
    assert_near(contacts[i].normal[1], 1, 1e-5);
  terrain_destroy(house);
}

// Shapes that are apart have contacts within reach, of negative depth.
static void test_contacts_near(void **state) {
  (void)state;
  Terrain *floor = wrap(read_obj(floor_obj));
  dGeomID ground = terrain_add_geom(floor, NULL), ball = dCreateSphere(NULL, 0.1);
  dContactGeom contact;
  dGeomSetPosition(ball, 0.3, 0.3, 0.1);
  assert_int_equal(terrain_contacts_near(ground, ball, 0.19, 1, &contact, sizeof contact), 0);
  assert_int_equal(terrain_contacts_near(ground, ball, 0.21, 1, &contact, sizeof contact), 1);
  assert_near(contact.depth, -0.2, 1e-9);
  assert_near(contact.normal[1], 1, 1e-9);
  assert_true(contact.g1 == ball && contact.g2 == ground);
  dGeomDestroy(ball);
  dGeomDestroy(ground);
  terrain_destroy(floor);
}

int main(void) {
  dInitODE2(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_obj),           cmocka_unit_test(test_bad_obj),
      cmocka_unit_test(test_glb),           cmocka_unit_test(test_bad_glb),
      cmocka_unit_test(test_glb_count),     cmocka_unit_test(test_copies),
      cmocka_unit_test(test_storeys),       cmocka_unit_test(test_rays),
      cmocka_unit_test(test_same_as_field), cmocka_unit_test(test_far_floor),
      cmocka_unit_test(test_flat_floor),    cmocka_unit_test(test_turned_shapes),
      cmocka_unit_test(test_corner),        cmocka_unit_test(test_edges),
      cmocka_unit_test(test_contacts_near), cmocka_unit_test(test_what_goes_on_beyond_an_edge),
      cmocka_unit_test(test_skylines),      cmocka_unit_test(test_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
