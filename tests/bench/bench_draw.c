// Cost of pictures of 1280 x 720 pixels with 1 and 20 characters - output, both ghosts, debug items - in both
// qualities; and of the window at 960 x 540 (`small`), whole and without one thing at a time, which shows what limits
// it: without ghosts, debug items, both, with coarser shapes, hardly any shadow, and a quarter of the pixels. Prints
// CSV: median and smallest time of a picture in ms, by the clock and summed over the processor's cores (which is more
// useful where the processor draws and is also in use by others), pictures per second, and triangles. Needs no display.
//
//   bench_draw
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/terrain/terrain.h"
#include "tests/bench/measure.h"
#include "viewer/draw/draw.h"

enum { PICTURES = 15, MOST_CHARACTERS = 20, SHAPES = 18, CROWD_COLUMNS = 5 };

// A man of about 1.8 m: middle and half size of his parts, m.
static const float PARTS[SHAPES][6] = {
    {0, 0.96f, 0, 0.16f, 0.09f, 0.10f},          {0, 1.12f, 0, 0.14f, 0.09f, 0.09f},
    {0, 1.33f, 0, 0.17f, 0.14f, 0.11f},          {0, 1.50f, 0, 0.05f, 0.06f, 0.05f},
    {0, 1.68f, 0, 0.09f, 0.12f, 0.10f},          {0.10f, 0.70f, 0, 0.08f, 0.22f, 0.08f},
    {-0.10f, 0.70f, 0, 0.08f, 0.22f, 0.08f},     {0.10f, 0.29f, 0, 0.05f, 0.21f, 0.05f},
    {-0.10f, 0.29f, 0, 0.05f, 0.21f, 0.05f},     {0.10f, 0.04f, 0.04f, 0.05f, 0.04f, 0.10f},
    {-0.10f, 0.04f, 0.04f, 0.05f, 0.04f, 0.10f}, {0.10f, 0.03f, 0.17f, 0.05f, 0.03f, 0.04f},
    {-0.10f, 0.03f, 0.17f, 0.05f, 0.03f, 0.04f}, {0.23f, 1.25f, 0, 0.05f, 0.16f, 0.05f},
    {-0.23f, 1.25f, 0, 0.05f, 0.16f, 0.05f},     {0.23f, 0.97f, 0.02f, 0.04f, 0.14f, 0.04f},
    {-0.23f, 0.97f, 0.02f, 0.04f, 0.14f, 0.04f}, {0.23f, 0.76f, 0.04f, 0.04f, 0.08f, 0.03f},
};

static void add_pose(Picture *picture, PictureLayer layer, vec3s place, vec4s color) {
  for (int i = 0; i < SHAPES; i++) {
    const float *part = PARTS[i];
    float round = 0.8f * fminf(part[3], fminf(part[4], part[5]));
    picture->shapes[picture->shape_count++] = (PictureShape){
        .layer = layer,
        .position_w = glms_vec3_add(place, (vec3s){{part[0], part[1], part[2]}}),
        .rotation = glms_quat_identity(),
        .half_size = {{part[3], part[4], part[5]}},
        .radius = {{round, round, round}},
        .taper = 1,
        .color = color,
    };
  }
}

// The ghosts stand a hand beside and before the man.
static void add_character(Picture *picture, vec3s place) {
  add_pose(picture, LAYER_OUTPUT, place, picture_heat_color(COLORING_BLEND, 0.3f));
  add_pose(picture, LAYER_TARGET, glms_vec3_add(place, (vec3s){{0.05f, 0, 0}}), picture_layer_color(LAYER_TARGET));
  add_pose(picture, LAYER_MEASURED, glms_vec3_add(place, (vec3s){{0, 0, 0.05f}}), picture_layer_color(LAYER_MEASURED));
  debug_group(&picture->debug, DEBUG_SKELETON);
  for (int i = 0; i < SHAPES; i++) {
    double a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
      a[axis] = (double)(place.raw[axis] + PARTS[i][axis]);
      b[axis] = a[axis] + 0.1 * (axis == 2);
    }
    debug_arrow(&picture->debug, a, b, 0.008f, 0xd01c6bff);
    debug_point(&picture->debug, a, 0.012f, 0x7a3fd0ff);
  }
}

static void make_picture(Picture *picture, const Terrain *terrain, int characters) {
  picture_clear(picture);
  picture->terrain = terrain;
  for (int i = 0; i < characters; i++) {
    int row = i / CROWD_COLUMNS, column = i % CROWD_COLUMNS;
    add_character(picture, (vec3s){{1.2f * (float)column, 0, 1.5f * (float)row}});
  }
  picture->subject.center_w = characters > 1 ? (vec3s){{2.4f, 0.9f, 2.2f}} : (vec3s){{0, 0.9f, 0}};
  picture->subject.height = characters > 1 ? 4 : 1.8f;
  picture->subject.width = characters > 1 ? 8 : 1.2f;
}

static Terrain *make_terrain(void) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = TERRAIN_NOISE;
  def.amplitude = 0.015;
  def.wavelength = 0.8;
  def.cell = 0.1;
  return terrain_create(&def, 1, NULL, &(Error){0});
}

// ---- Measuring ----

static double read_clock(clockid_t clock) { // ms
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void print_times(const char *quality, int characters, const char *unit, double times[PICTURES]) {
  qsort(times, PICTURES, sizeof times[0], compare_doubles);
  printf("draw,%s_%d,%s,%.2f,%.2f,\n", quality, characters, unit, times[PICTURES / 2], times[0]);
}

// What is drawn of a picture, and how.
typedef struct Variant {
  const char *name;
  int width, height; // pixels
  unsigned layers;
  DrawQuality quality;
} Variant;

static bool measure(Drawer *drawer, const Variant *variant, const Picture *picture, int characters, Error *error) {
  GlTarget target = {0};
  const char *name = variant->name;
  Camera camera = camera_for(CAMERA_SIDE, &picture->subject, (float)variant->width / (float)variant->height);
  double wall[PICTURES], processor[PICTURES];
  drawer_set_quality(drawer, variant->quality);
  bool ok = gl_target_init(&target, variant->width, variant->height, variant->quality.samples, error);
  for (int i = -2; i < PICTURES && ok; i++) { // two to warm up
    double wall_start = read_clock(CLOCK_MONOTONIC), processor_start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    ok = draw_picture(drawer, picture, &camera, variant->layers, &target, error);
    gl_target_resolve(&target);
    glFinish();
    if (i >= 0) {
      wall[i] = read_clock(CLOCK_MONOTONIC) - wall_start;
      processor[i] = read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor_start;
    }
  }
  if (ok) {
    print_times(name, characters, "ms", wall);
    print_times(name, characters, "cpu_ms", processor);
    printf("draw,%s_%d,fps,%.1f,%.1f,\n", name, characters, 1e3 / wall[PICTURES / 2], 1e3 / wall[0]);
    printf("draw,%s_%d,triangles,%ld,%ld,\n", name, characters, drawer_triangles(drawer), drawer_triangles(drawer));
    fflush(stdout);
  }
  gl_target_free(&target);
  return ok;
}

// The window at 960 x 540, whole and without one thing at a time.
static bool measure_small(Drawer *drawer, const Picture *picture, int characters, Error *error) {
  const unsigned ghosts = 1u << LAYER_TARGET | 1u << LAYER_MEASURED, solid = 1u << LAYER_OUTPUT;
  const DrawQuality window = draw_quality_window();
  DrawQuality coarse = window, dark = window;
  coarse.outline_error = 4;
  dark.shadow_size = 256;
  dark.shadow_taps = 1;
  dark.contact_size = 64;
  const Variant variants[] = {
      {"small", 960, 540, ALL_LAYERS, window},
      {"small_no_ghosts", 960, 540, ALL_LAYERS & ~ghosts, window},
      {"small_no_debug", 960, 540, solid | ghosts, window},
      {"small_bodies", 960, 540, solid, window},
      {"small_coarse", 960, 540, ALL_LAYERS, coarse},
      {"small_no_shadow", 960, 540, ALL_LAYERS, dark},
      {"small_quarter", 480, 270, ALL_LAYERS, window},
  };
  bool ok = true;
  for (size_t i = 0; i < sizeof variants / sizeof variants[0] && ok; i++)
    ok = measure(drawer, &variants[i], picture, characters, error);
  return ok;
}

int main(void) {
  static Picture picture;
  static Drawer drawer;
  GlContext gl = {0};
  Error error = {0};
  Terrain *terrain = make_terrain();
  bool ok = terrain && gl_open(&gl, true, &error) && drawer_open(&drawer, &error);
  for (int characters = 1; characters <= MOST_CHARACTERS && ok; characters += MOST_CHARACTERS - 1) {
    make_picture(&picture, terrain, characters);
    const Variant picture_variant = {"picture", 1280, 720, ALL_LAYERS, draw_quality_best()};
    const Variant window_variant = {"window", 1280, 720, ALL_LAYERS, draw_quality_window()};
    ok = measure(&drawer, &picture_variant, &picture, characters, &error) &&
         measure(&drawer, &window_variant, &picture, characters, &error) &&
         measure_small(&drawer, &picture, characters, &error);
  }
  if (!ok)
    fprintf(stderr, "bench_draw: %s\n", error.text);
  if (gl.context)
    drawer_close(&drawer);
  gl_close(&gl);
  terrain_destroy(terrain);
  return !ok;
}
