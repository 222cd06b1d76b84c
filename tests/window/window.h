// What the tests of the window need: a folder with scenes, the window itself, and a user who presses keys, moves the
// mouse and reads the picture. The test advances the time frame by frame, so that every run is the same.
#ifndef STAGGER_TESTS_WINDOW_H
#define STAGGER_TESTS_WINDOW_H

#define _GNU_SOURCE // dl_iterate_phdr

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/run/scene.h"
#include "sim/world/convert.h"
#include "viewer/input.h"
#include "viewer/shell.h"

#define WINDOW_FRAME (1.0 / 60) // s, of wall-clock time
#define WINDOW_STEP (1.0 / 240) // s, of the scenes

enum { WINDOW_WIDTH = 480, WINDOW_HEIGHT = 320 }; // points, which are pixels here

static const char STANDING[] = "purpose: A man stands.\n"
                               "duration: 2\n"
                               "terrain: {kind: flat}\n"
                               "characters: [{name: man, body: bodies/human.yaml}]\n";

// His arms follow a hand.
static const char WEAK[] = "purpose: A man with weak joints.\n"
                           "duration: 2\n"
                           "terrain: {kind: flat}\n"
                           "characters: [{name: man, body: bodies/human.yaml, drive: {strength: 0.05}}]\n";

// Falls, while its target stands.
static const char LIMP[] = "purpose: A man falls.\n"
                           "duration: 2\n"
                           "terrain: {kind: flat}\n"
                           "characters: [{name: man, body: bodies/human.yaml, drive: {enabled: false}}]\n";

// Bends under a push, and rises again.
static const char PUSHED[] = "purpose: A man is pushed.\n"
                             "duration: 2\n"
                             "terrain: {kind: flat}\n"
                             "characters: [{name: man, body: bodies/human.yaml}]\n"
                             "events: [{kind: push, character: man, part: chest, time: 0.1, impulse: 15,\n"
                             "          duration: 0.3, direction: 0}]\n";

static const char TWO[] = "purpose: Two men, and bullets at random.\n"
                          "duration: 2\n"
                          "terrain: {kind: flat}\n"
                          "characters:\n"
                          "  - {name: first, body: bodies/human.yaml}\n"
                          "  - {name: second, body: bodies/human.yaml, start: {position: [2, 0, 0]}}\n"
                          "cameras: [{name: gate, eye: [0, 1, 6], target: [0, 1, 0]}]\n"
                          "events:\n"
                          "  - {kind: impulse, character: first, part: any, every: [0.05, 0.1], impulse: [2, 9],\n"
                          "     direction: [0, 360], elevation: [-20, 20]}\n";

// cmocka's own comparison works in single precision.
#define assert_near(a, b, tolerance) check_near(a, b, tolerance, __FILE__, __LINE__)
static inline void check_near(double a, double b, double tolerance, const char *file, int line) {
  if (!(fabs(a - b) <= tolerance)) {
    print_error("%.17g is not within %g of %.17g\n", a, tolerance, b);
    _fail(file, line);
  }
}

// The present folder is one in which the test starts and that is removed afterwards (see with_display.sh).
static inline void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static inline int write_scenes(void **state) {
  (void)state;
  write_file("standing.yaml", STANDING);
  write_file("limp.yaml", LIMP);
  write_file("weak.yaml", WEAK);
  write_file("pushed.yaml", PUSHED);
  write_file("two.yaml", TWO);
  return 0;
}

// The window.

static inline int keep_library(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (library)
    dlclose(library);
  return 0;
}

static inline App *window_open_with(AppOptions options, const char *first, const char *second) {
  const char *inputs[] = {first, second};
  options.inputs = inputs;
  options.input_count = !first ? 0 : !second ? 1 : 2;
  options.width = options.width > 0 ? options.width : WINDOW_WIDTH;
  options.height = options.height > 0 ? options.height : WINDOW_HEIGHT;
  Error error = {0};
  App *app = shell_open(&options, &error);
  if (!app) {
    fail_msg("%s", error.text);
    return NULL;
  }
  // The drivers leak a few bytes. While they are loaded, lsan.supp matches them by name.
  dl_iterate_phdr(keep_library, NULL);
  app->step_budget = 1e9;   // no step is dropped, however slow the machine is
  app->show_panels = false; // the mouse acts on the picture
  return app;
}

static inline App *window_open(const char *scene) { return window_open_with((AppOptions){0}, scene, NULL); }

static inline void frames(App *app, int count) {
  for (int i = 0; i < count; i++)
    assert_true(shell_frame(app, WINDOW_FRAME));
}

// Only events from here move anything: what the X server reports of its own pointer is ignored.
static inline void window_settle(App *app) {
  bool playing = app->playback.playing;
  app->playback.playing = false;
  frames(app, 2);
  app->playback.playing = playing;
  SDL_FlushEvents(SDL_MOUSEMOTION, SDL_MOUSEWHEEL);
}

static inline void window_close(App *app) { assert_true(shell_close(app)); }

// The user's hand. Events arrive with the next frame.

static inline void push_key(SDL_EventType type, SDL_Keycode key, SDL_Keymod held) {
  SDL_Event event = {.key = {.type = type, .keysym = {.sym = key, .mod = held}}};
  event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
  event.key.state = type == SDL_KEYDOWN ? SDL_PRESSED : SDL_RELEASED;
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void type_key(SDL_Keycode key, SDL_Keymod held) {
  push_key(SDL_KEYDOWN, key, held);
  push_key(SDL_KEYUP, key, held);
}

static inline void move_mouse(float x, float y, float dx, float dy) {
  SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION}};
  event.motion.x = (Sint32)lroundf(x);
  event.motion.y = (Sint32)lroundf(y);
  event.motion.xrel = (Sint32)lroundf(dx);
  event.motion.yrel = (Sint32)lroundf(dy);
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void push_button(SDL_EventType type, Uint8 button, float x, float y) {
  SDL_Event event = {.button = {.type = type, .button = button, .clicks = 1}};
  event.button.state = type == SDL_MOUSEBUTTONDOWN ? SDL_PRESSED : SDL_RELEASED;
  event.button.x = (Sint32)lroundf(x);
  event.button.y = (Sint32)lroundf(y);
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void push_wheel(int y) {
  SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .y = y, .preciseY = (float)y}};
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void push_plain(SDL_EventType type) {
  SDL_Event event = {.type = type};
  assert_int_equal(SDL_PushEvent(&event), 1);
}

// The simulation.

static inline World *world_of(const App *app) {
  assert_non_null(app_live(app));
  return app_live(app)->scene->world;
}

static inline int find_body(const App *app, const char *part) {
  const World *world = world_of(app);
  for (int i = 0; i < world->body_count; i++)
    if (strcmp(world->bodies[i].name, part) == 0)
      return i;
  fail_msg("no part %s", part);
  return -1;
}

static inline vec3s body_position(const App *app, const char *part) {
  return vec3_from_ode(dBodyGetPosition(world_of(app)->bodies[find_body(app, part)].ode));
}

static inline double metric(const App *app, const char *name) {
  for (int row = 0; row < metric_row_count; row++)
    if (strcmp(metric_rows[row].name, name) == 0)
      return source_metric(app->sources[0], app->subject, row);
  fail_msg("no metric %s", name);
  return NAN;
}

// The state of an undisturbed scene after that many steps.
static inline uint64_t undisturbed(const char *scene, const char *override, long steps) {
  Error error = {0};
  SceneDef *def = scene_def_read(scene, &override, override != NULL, &error);
  Scene *run = def ? scene_create(def, &error) : NULL;
  if (!run)
    fail_msg("%s", error.text);
  for (long i = 0; i < steps; i++)
    assert_true(scene_step(run));
  uint64_t hash = world_hash(run->world);
  scene_destroy(run);
  scene_def_free(def);
  return hash;
}

// The picture of the last frame, without the panels.

typedef struct Spot {
  int red, green, blue; // 0 .. 255
} Spot;

typedef struct Shot {
  int width, height;
  uint8_t *pixels; // RGB, from the bottom left
} Shot;

static inline Shot take_shot(const App *app) {
  const GlTarget *target = &app->target;
  Shot shot = {target->width, target->height, malloc(3 * (size_t)target->width * (size_t)target->height)};
  assert_non_null(shot.pixels);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->plain_framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, shot.width, shot.height, GL_RGB, GL_UNSIGNED_BYTE, shot.pixels);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  return shot;
}

static inline void free_shot(Shot *shot) { free(shot->pixels); }

static inline Spot spot_of(const Shot *shot, float x, float y) {
  int column = (int)x, row = shot->height - 1 - (int)y;
  assert_in_range(column, 0, shot->width - 1);
  assert_in_range(row, 0, shot->height - 1);
  const uint8_t *pixel = shot->pixels + 3 * (row * shot->width + column);
  return (Spot){pixel[0], pixel[1], pixel[2]};
}

static inline Spot look_at(const App *app, float x, float y) {
  Shot shot = take_shot(app);
  Spot spot = spot_of(&shot, x, y);
  free_shot(&shot);
  return spot;
}

// Classes of colours that lighting does not change. The skin alone is warm; sky and ground are cool and pale. A body is
// of skin, or a little green where it is physical; a second run is greener.
static inline bool is_skin(Spot s) { return s.red > s.blue + 12 && s.red >= s.green; }
static inline bool is_body(Spot s) { return is_skin(s) || (s.green > s.red + s.red / 8 && s.green > s.blue); }
static inline bool is_pale(Spot s) { return s.blue >= s.red && abs(s.red - s.green) < 30 && abs(s.blue - s.red) < 40; }
static inline bool is_blue(Spot s) { return s.blue > s.red + 45 && s.blue > s.green + 12; }
static inline bool is_green(Spot s) { return s.green > 2 * s.red && s.green > s.blue; }
static inline bool is_hit(Spot s) { return s.red > s.green + 70 && s.blue > s.green + 25; }

static inline int count_spots(const App *app, bool (*is)(Spot)) {
  Shot shot = take_shot(app);
  int count = 0;
  for (int i = 0; i < shot.width * shot.height; i++)
    count += is((Spot){shot.pixels[3 * i], shot.pixels[3 * i + 1], shot.pixels[3 * i + 2]});
  free_shot(&shot);
  return count;
}

// The number of pixels that differ by more than a threshold in a colour.
static inline int count_changes(const Shot *a, const Shot *b, int most) {
  assert_int_equal(a->width, b->width);
  assert_int_equal(a->height, b->height);
  int count = 0;
  for (int i = 0; i < a->width * a->height; i++) {
    bool differs = false;
    for (int k = 0; k < 3; k++)
      differs |= abs(a->pixels[3 * i + k] - b->pixels[3 * i + k]) > most;
    count += differs;
  }
  return count;
}

// The position of a point in the window.
static inline void project_in(const App *app, int view, vec3s point, float *x, float *y) {
  const AppView *shown = &app->views[view];
  assert_true(camera_project(&shown->camera, point, shown->part.width, shown->part.height, x, y));
  *x += (float)shown->part.x;
  *y += (float)shown->part.y;
}

static inline void project(const App *app, vec3s point, float *x, float *y) { project_in(app, 0, point, x, y); }

static inline void mouse_to_part(const App *app, const char *part, float *x, float *y) {
  project(app, body_position(app, part), x, y);
  move_mouse(*x, *y, 0, 0);
}

#endif
