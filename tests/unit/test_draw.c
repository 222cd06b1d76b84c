// Pictures drawn without a display: what is in them, where, and what is kept from one to the next. Skipped where there
// is no OpenGL 3.3.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "viewer/draw/draw.h"
#include "viewer/draw/overlay.h"

enum { WIDTH = 96, HEIGHT = 64 };

typedef struct Pixels {
  uint8_t rgb[HEIGHT][WIDTH][3]; // from the bottom
} Pixels;

static GlContext gl;
static Drawer drawer;
static Overlay overlay;
static GlTarget target;
static Picture picture;
static Pixels pixels, other_pixels;
static Error error;

// The driver itself leaks when it is closed.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

// ---- Help ----

static void open_all(void) {
  assert_true(drawer_open(&drawer, &error));
  assert_true(overlay_open(&overlay, &error));
  assert_true(gl_target_init(&target, WIDTH, HEIGHT, 1, &error));
}

static void close_all(void) {
  drawer_close(&drawer);
  overlay_close(&overlay);
  gl_target_free(&target);
}

static int set_up(void **state) {
  (void)state;
  picture_clear(&picture);
  picture.subject = (Subject){.center_w = {{0, 1, 0}}, .height = 2, .width = 2};
  if (gl.context)
    open_all();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  if (gl.context) {
    assert_int_equal(glGetError(), GL_NO_ERROR);
    close_all();
  }
  return 0;
}

static void need_opengl(void) {
  if (!gl.context)
    skip();
}

static Camera front_camera(void) { return camera_for(CAMERA_FRONT, &picture.subject, (float)WIDTH / HEIGHT); }

static void add_ball(PictureLayer layer, vec3s place, float radius, vec4s color) {
  picture.shapes[picture.shape_count++] = (PictureShape){.layer = layer,
                                                         .position_w = place,
                                                         .rotation = glms_quat_identity(),
                                                         .half_size = {{radius, radius, radius}},
                                                         .radius = {{radius, radius, radius}},
                                                         .taper = 1,
                                                         .color = color};
}

static const vec4s RED = {{0.9f, 0.1f, 0.1f, 1}}, BLUE = {{0.1f, 0.2f, 0.9f, 1}};

static void read_target(Pixels *result) {
  gl_target_resolve(&target);
  glBindFramebuffer(GL_FRAMEBUFFER, target.plain_framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, result->rgb);
}

static void draw(unsigned layers, Pixels *result) {
  Camera camera = front_camera();
  assert_true(draw_picture(&drawer, &picture, &camera, layers, &target, &error));
  read_target(result);
}

static bool is_red(const uint8_t *rgb) { return rgb[0] > 2 * rgb[1] && rgb[0] > 2 * rgb[2]; }
static bool is_blue(const uint8_t *rgb) { return rgb[2] > rgb[0] + 40; }
static const uint8_t *middle(const Pixels *from) { return from->rgb[HEIGHT / 2][WIDTH / 2]; }

static Terrain *make_terrain(TerrainKind kind, uint64_t seed) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = kind;
  def.x[0] = def.z[0] = -10;
  def.x[1] = def.z[1] = 10;
  def.cell = 0.1;
  def.amplitude = 0.2;
  return terrain_create(&def, seed, NULL, &error);
}

// ---- What is in a picture ----

static void shapes_are_where_they_are(void **state) {
  (void)state;
  need_opengl();
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  draw(ALL_LAYERS, &pixels);
  assert_true(is_red(middle(&pixels)));
  assert_false(is_red(pixels.rgb[HEIGHT / 2][2]));
  draw((unsigned)ALL_LAYERS & ~(1u << LAYER_OUTPUT), &pixels);
  assert_false(is_red(middle(&pixels)));
}

static void near_shapes_hide_far_ones(void **state) {
  (void)state;
  need_opengl();
  vec3s behind = {{0, 1, -1}}; // the front camera stands at +Z
  add_ball(LAYER_OUTPUT, behind, 0.3f, BLUE);
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  draw(ALL_LAYERS, &pixels);
  assert_true(is_red(middle(&pixels)));
  picture.shapes[0].position_w.z = 1;
  draw(ALL_LAYERS, &pixels);
  assert_true(is_blue(middle(&pixels)));
}

// The levels of detail differ only in their outlines.
static void many_shapes_of_all_sizes_are_drawn(void **state) {
  (void)state;
  need_opengl();
  for (int i = 0; i < 40; i++) {
    float x = -1 + 0.05f * (float)i;
    add_ball(LAYER_OUTPUT, (vec3s){{x, 1, 0}}, i % 2 ? 0.002f : 0.2f, RED);
  }
  draw(ALL_LAYERS, &pixels);
  for (int column = WIDTH / 2 - 20; column < WIDTH / 2 + 20; column++)
    assert_true(is_red(pixels.rgb[HEIGHT / 2][column]));
}

static void small_shapes_take_fewer_triangles(void **state) {
  (void)state;
  need_opengl();
  PictureShape ball = {.half_size = {{0.2f, 0.2f, 0.2f}}, .radius = {{0.2f, 0.2f, 0.2f}}};
  int last = 0;
  for (float tolerance = 1e-4f; tolerance < 1; tolerance *= 1.5f) {
    int level = instances_level(&ball, tolerance);
    assert_true(level >= last);
    last = level;
  }
  assert_int_equal(instances_level(&ball, 1e-5f), 0);
  assert_int_equal(last, INSTANCE_LEVELS - 1);

  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.9f, RED);
  draw(ALL_LAYERS, &pixels);
  long near = drawer_triangles(&drawer);
  picture.shapes[0].half_size = picture.shapes[0].radius = (vec3s){{0.02f, 0.02f, 0.02f}};
  draw(ALL_LAYERS, &pixels);
  assert_true(drawer_triangles(&drawer) < near / 2);
}

static void draw_ghost_ball(float left, float radius, Pixels *result) {
  picture.shape_count = 0;
  add_ball(LAYER_TARGET, (vec3s){{left, 1, 0}}, radius, BLUE);
  draw(ALL_LAYERS, result);
}

// A ghost is drawn apart and blended over the picture: no pixel of an older, larger one appears at its border.
static void a_ghost_leaves_nothing_to_the_next(void **state) {
  (void)state;
  need_opengl();
  gl_target_free(&target);
  assert_true(gl_target_init(&target, WIDTH, HEIGHT, 4, &error));
  for (int i = 0; i < 8; i++) {
    float left = 0.03f * (float)i;
    draw_ghost_ball(0, 0.9f, &pixels);
    draw_ghost_ball(left, 0.2f, &pixels);
    drawer_close(&drawer);
    assert_true(drawer_open(&drawer, &error));
    draw_ghost_ball(left, 0.2f, &other_pixels);
    assert_memory_equal(&pixels, &other_pixels, sizeof pixels);
  }
}

static void ghosts_are_seen_through(void **state) {
  (void)state;
  need_opengl();
  draw(ALL_LAYERS, &other_pixels);
  add_ball(LAYER_TARGET, picture.subject.center_w, 0.3f, BLUE);
  draw(ALL_LAYERS, &pixels);
  assert_true(is_blue(middle(&pixels)));
  assert_true(middle(&pixels)[0] > 40); // the sky shines through
  assert_memory_equal(pixels.rgb[2], other_pixels.rgb[2], sizeof pixels.rgb[2]);

  // A solid body in front hides it; where both coincide, the solid one is seen.
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  draw(ALL_LAYERS, &pixels);
  assert_true(is_red(middle(&pixels)));

  // A ghost that lies on the output is left out beside it, but not without it.
  picture.shapes[0].half_size = picture.shapes[0].radius = (vec3s){{0.6f, 0.6f, 0.6f}};
  picture.shapes[0].on_output = true;
  draw(ALL_LAYERS, &pixels);
  assert_true(is_red(middle(&pixels)));
  draw(1u << LAYER_TARGET, &pixels);
  assert_true(is_blue(middle(&pixels)));
}

static void debug_groups_are_shown_one_by_one(void **state) {
  (void)state;
  need_opengl();
  double a[3] = {-0.5, 1, 0}, b[3] = {0.5, 1, 0};
  debug_group(&picture.debug, DEBUG_CONTACTS);
  debug_line(&picture.debug, a, b, 0.2f, 0xe01010ff);
  draw(1u << (LAYER_DEBUG + DEBUG_CONTACTS), &pixels);
  assert_true(is_red(middle(&pixels)));
  draw((unsigned)DEBUG_LAYERS & ~(1u << (LAYER_DEBUG + DEBUG_CONTACTS)), &pixels);
  assert_false(is_red(middle(&pixels)));

  // Behind a body it shines through weakly.
  add_ball(LAYER_OUTPUT, (vec3s){{0, 1, 0.5f}}, 0.4f, BLUE);
  draw(ALL_LAYERS, &pixels);
  picture.debug.count = 0;
  draw(ALL_LAYERS, &other_pixels);
  assert_true(is_blue(middle(&pixels)));
  assert_true(middle(&pixels)[0] > middle(&other_pixels)[0] + 10);
}

static int differing_pixels(int left, int right) {
  int count = 0;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = left; x < right; x++)
      count += memcmp(pixels.rgb[y][x], other_pixels.rgb[y][x], 3) != 0;
  }
  return count;
}

static void labels_are_written_where_they_belong(void **state) {
  (void)state;
  need_opengl();
  Camera camera = front_camera();
  double at[3] = {0, 1, 0};
  debug_group(&picture.debug, DEBUG_BALANCE);
  debug_label(&picture.debug, at, 0xffcc00ff, "me");
  debug_label(&picture.debug, at, 0xffcc00ff, "too");
  draw(0, &other_pixels);
  overlay_draw_labels(&overlay, &picture, &camera, 1u << LAYER_LABELS, &target, gl_target_rect(&target));
  overlay_draw_labels(&overlay, &picture, &camera, DEBUG_LAYERS, &target, gl_target_rect(&target));
  read_target(&pixels);
  assert_int_equal(differing_pixels(0, WIDTH), 0); // the group or the labels are hidden
  overlay_draw_labels(&overlay, &picture, &camera, ALL_LAYERS, &target, gl_target_rect(&target));
  read_target(&pixels);
  assert_int_equal(differing_pixels(0, WIDTH / 2 - 2), 0);
  int both = differing_pixels(WIDTH / 2 - 2, WIDTH);

  // The second was moved aside: it adds about as many pixels as the first, not none.
  picture.debug.count = 1;
  draw(0, &other_pixels);
  overlay_draw_labels(&overlay, &picture, &camera, ALL_LAYERS, &target, gl_target_rect(&target));
  read_target(&pixels);
  int one = differing_pixels(WIDTH / 2 - 2, WIDTH);
  assert_true(one > 50);
  assert_true(both > one + one / 2);
}

// ---- Targets ----

static void a_part_leaves_the_rest(void **state) {
  (void)state;
  need_opengl();
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.4f, RED);
  draw(0, &other_pixels);
  Camera camera = camera_for(CAMERA_FRONT, &picture.subject, 0.5f);
  GlRect part = {WIDTH - 32, 0, 32, HEIGHT};
  assert_true(draw_picture_part(&drawer, &picture, &camera, ALL_LAYERS, &target, part, &error));
  read_target(&pixels);
  assert_int_equal(differing_pixels(0, WIDTH - 32), 0);
  assert_true(is_red(pixels.rgb[HEIGHT / 2][WIDTH - 16]));
}

static void the_same_picture_comes_twice(void **state) {
  (void)state;
  need_opengl();
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  add_ball(LAYER_MEASURED, (vec3s){{0.2f, 1.2f, 0}}, 0.3f, BLUE);
  draw(ALL_LAYERS, &other_pixels);
  draw(ALL_LAYERS, &pixels);
  assert_memory_equal(&pixels, &other_pixels, sizeof pixels);
}

static void targets_follow_a_size(void **state) {
  (void)state;
  need_opengl();
  GLuint before = target.framebuffer;
  assert_true(gl_target_fit(&target, WIDTH, HEIGHT, 1, &error));
  assert_int_equal(target.framebuffer, before);
  assert_true(gl_target_fit(&target, WIDTH, HEIGHT, GL_TARGET_SAMPLES, &error));
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  draw(ALL_LAYERS, &pixels);
  assert_true(is_red(middle(&pixels)));
  assert_true(gl_target_fit(&target, 2 * WIDTH, HEIGHT, 1, &error));
  assert_int_equal(target.width, 2 * WIDTH);
}

static void a_lost_context_is_replaced(void **state) {
  (void)state;
  need_opengl();
  add_ball(LAYER_OUTPUT, picture.subject.center_w, 0.3f, RED);
  draw(ALL_LAYERS, &other_pixels);
  assert_false(gl_lost(&gl));
  close_all();
  assert_true(gl_reopen(&gl, &error));
  open_all();
  draw(ALL_LAYERS, &pixels);
  assert_memory_equal(&pixels, &other_pixels, sizeof pixels);
}

// ---- Ground ----

static void ground_has_no_gaps(void **state) {
  (void)state;
  need_opengl();
  Terrain *terrain = make_terrain(TERRAIN_NOISE, 3);
  assert_non_null(terrain);
  picture.terrain = terrain;
  for (int i = 0; i < 4; i++) { // from above and from farther and farther away: coarse and fine tiles side by side
    float height = 2 * powf(3, (float)i);
    Camera camera = {.eye_w = {{1, height, 3}},
                     .target_w = {{1.1f, 0, 2}},
                     .up_w = {{0, 0, 1}},
                     .fov_y = 0.9f,
                     .aspect = (float)WIDTH / HEIGHT,
                     .near_plane = 0.1f,
                     .far_plane = 400};
    assert_true(draw_picture(&drawer, &picture, &camera, 0, &target, &error));
    float depth[HEIGHT][WIDTH];
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
        assert_true(depth[y][x] < 1);
    }
  }
  terrain_destroy(terrain);
}

static void flat_ground_takes_few_triangles(void **state) {
  (void)state;
  need_opengl();
  Terrain *flat = make_terrain(TERRAIN_FLAT, 1), *rough = make_terrain(TERRAIN_NOISE, 1);
  picture.terrain = flat;
  draw(0, &pixels);
  long few = drawer_triangles(&drawer);
  picture.terrain = rough;
  draw(0, &pixels);
  assert_true(drawer_triangles(&drawer) > 2 * few);
  terrain_destroy(flat);
  terrain_destroy(rough);
}

// Feet darken the ground under them, in the sun and in the shade.
static void bodies_darken_the_ground(void **state) {
  (void)state;
  need_opengl();
  Terrain *terrain = make_terrain(TERRAIN_FLAT, 1);
  picture.terrain = terrain;
  Camera camera = camera_for(CAMERA_CHASE, &picture.subject, (float)WIDTH / HEIGHT);
  assert_true(draw_picture(&drawer, &picture, &camera, ALL_LAYERS, &target, &error));
  read_target(&other_pixels);
  add_ball(LAYER_OUTPUT, (vec3s){{0, 0.5f, 0}}, 0.5f, RED);
  assert_true(draw_picture(&drawer, &picture, &camera, ALL_LAYERS, &target, &error));
  read_target(&pixels);
  int darker = 0;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++)
      darker += !is_red(pixels.rgb[y][x]) && pixels.rgb[y][x][1] + 10 < other_pixels.rgb[y][x][1];
  }
  assert_true(darker > 30);
  terrain_destroy(terrain);
}

static void four_grounds_are_kept(void **state) {
  (void)state;
  need_opengl();
  Terrain *terrains[DRAW_MAX_TERRAINS];
  GLuint meshes[DRAW_MAX_TERRAINS];
  for (int i = 0; i < DRAW_MAX_TERRAINS; i++) {
    terrains[i] = make_terrain(TERRAIN_NOISE, (uint64_t)i);
    picture.terrain = terrains[i];
    draw(0, &pixels);
    meshes[i] = drawer.grounds[i].mesh.mesh.vertex_array;
  }
  for (int i = DRAW_MAX_TERRAINS - 1; i >= 0; i--) {
    picture.terrain = terrains[i];
    draw(0, &pixels);
    assert_int_equal(drawer.grounds[i].mesh.mesh.vertex_array, meshes[i]);
    assert_ptr_equal(drawer.grounds[i].mesh.terrain, terrains[i]);
  }
  // A fifth takes the place of the one that was not drawn for longest: now the last.
  Terrain *fifth = make_terrain(TERRAIN_FLAT, 1);
  picture.terrain = fifth;
  draw(0, &pixels);
  assert_ptr_equal(drawer.grounds[DRAW_MAX_TERRAINS - 1].mesh.terrain, fifth);
  for (int i = 0; i < DRAW_MAX_TERRAINS; i++)
    terrain_destroy(terrains[i]);
  terrain_destroy(fifth);
}

static void another_ground_in_the_same_memory_is_noticed(void **state) {
  (void)state;
  need_opengl();
  Terrain *a = make_terrain(TERRAIN_NOISE, 1), *b = make_terrain(TERRAIN_NOISE, 2);
  Terrain place = *a;
  picture.terrain = &place;
  draw(0, &pixels);
  assert_true(terrain_mesh_shows(&drawer.grounds[0].mesh, &place));
  place.heights = b->heights;
  assert_false(terrain_mesh_shows(&drawer.grounds[0].mesh, &place));
  terrain_destroy(a);
  terrain_destroy(b);
}

int main(void) {
  if (!gl_open(&gl, true, &error)) {
    printf("%s\n", error.text);
    gl_close(&gl);
  }
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(shapes_are_where_they_are),
      TEST(near_shapes_hide_far_ones),
      TEST(many_shapes_of_all_sizes_are_drawn),
      TEST(small_shapes_take_fewer_triangles),
      TEST(a_ghost_leaves_nothing_to_the_next),
      TEST(ghosts_are_seen_through),
      TEST(debug_groups_are_shown_one_by_one),
      TEST(labels_are_written_where_they_belong),
      TEST(a_part_leaves_the_rest),
      TEST(the_same_picture_comes_twice),
      TEST(targets_follow_a_size),
      TEST(a_lost_context_is_replaced),
      TEST(ground_has_no_gaps),
      TEST(flat_ground_takes_few_triangles),
      TEST(bodies_darken_the_ground),
      TEST(four_grounds_are_kept),
      TEST(another_ground_in_the_same_memory_is_noticed),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (gl.context)
    gl_close(&gl);
  return failed;
}
