// Films of the window, made with a stand-in for ffmpeg that writes what it is sent.
#include "tests/window/window.h"

#include <sys/stat.h>

static const char FFMPEG[] = "#!/bin/sh\n"
                             "case \"$*\" in *-encoders*) echo ' V....D libx264 x'; exit 0 ;; esac\n"
                             "for last; do :; done\n"
                             "/bin/cat >\"$last\"\n";

enum { FRAME_SIZE = 3 * WINDOW_WIDTH * WINDOW_HEIGHT };

static int write_all(void **state) {
  write_scenes(state);
  write_file("ffmpeg", FFMPEG);
  return chmod("ffmpeg", 0755);
}

static int remove_films(void **state) {
  (void)state;
  unlink("stagger-1.mp4");
  unlink("stagger-2.mp4");
  return 0;
}

static long size_of(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? (long)found.st_size : -1;
}

static App *open_with_ffmpeg(bool there) {
  char folder[1024];
  assert_non_null(getcwd(folder, sizeof folder));
  setenv("PATH", there ? folder : "/nonexistent", 1);
  App *app = window_open("standing.yaml");
  window_settle(app);
  return app;
}

static void a_key_begins_and_ends_a_film(void **state) {
  (void)state;
  App *app = open_with_ffmpeg(true);
  write_file("stagger-1.mp4", "another film");
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 12); // 12 of 60 Hz are 6 of the film
  assert_non_null(app->film);
  assert_non_null(strstr(app->message, "stagger-2.mp4"));
  assert_non_null(strstr(SDL_GetWindowTitle(app->gl.window), "stagger-2.mp4"));
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 1);
  assert_null(app->film);
  assert_string_equal(SDL_GetWindowTitle(app->gl.window), "Stagger");
  assert_int_equal(size_of("stagger-2.mp4"), 6 * FRAME_SIZE);
  assert_int_equal(size_of("stagger-1.mp4"), 12); // stays
  window_close(app);
}

// Panels and messages are not in it; the picture is upright.
static void the_film_shows_the_picture(void **state) {
  (void)state;
  App *app = open_with_ffmpeg(true);
  app->show_panels = true;
  app->playback.playing = false;
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 2);
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 1);
  Shot shot = take_shot(app);
  uint8_t *pixels = malloc(FRAME_SIZE);
  FILE *file = fopen("stagger-1.mp4", "rb");
  assert_true(pixels && file);
  assert_int_equal(fread(pixels, 1, FRAME_SIZE, file), FRAME_SIZE);
  fclose(file);
  long row = 3L * WINDOW_WIDTH, differences = 0;
  for (int y = 0; y < WINDOW_HEIGHT; y++)
    differences += memcmp(pixels + y * row, shot.pixels + (WINDOW_HEIGHT - 1 - y) * row, (size_t)row) != 0;
  assert_int_equal(differences, 0);
  free(pixels);
  free_shot(&shot);
  window_close(app);
}

static void closing_the_window_ends_the_film(void **state) {
  (void)state;
  App *app = open_with_ffmpeg(true);
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 4);
  assert_int_equal(size_of("stagger-1.mp4"), -1); // whole or not at all
  window_close(app);
  assert_int_equal(size_of("stagger-1.mp4"), 2 * FRAME_SIZE);
}

static void without_ffmpeg_a_message_says_so(void **state) {
  (void)state;
  App *app = open_with_ffmpeg(false);
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 4);
  assert_null(app->film);
  assert_non_null(strstr(app->message, "ffmpeg"));
  assert_int_equal(size_of("stagger-1.mp4"), -1);
  window_close(app);
}

// ffmpeg may end at any time, for example when the disk is full.
static void a_failed_film_does_not_end_the_viewer(void **state) {
  (void)state;
  write_file("ffmpeg", "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V....D libx264 x' ;; *) exit 1 ;; esac\n");
  App *app = open_with_ffmpeg(true);
  type_key(SDLK_F9, KMOD_NONE);
  frames(app, 60);
  assert_null(app->film);
  assert_non_null(strstr(app->message, "ffmpeg has failed"));
  assert_int_equal(size_of("stagger-1.mp4"), -1);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(a_key_begins_and_ends_a_film, remove_films),
      cmocka_unit_test_teardown(the_film_shows_the_picture, remove_films),
      cmocka_unit_test_teardown(closing_the_window_ends_the_film, remove_films),
      cmocka_unit_test_teardown(without_ffmpeg_a_message_says_so, remove_films),
      cmocka_unit_test_teardown(a_failed_film_does_not_end_the_viewer, remove_films),
  };
  return cmocka_run_group_tests(tests, write_all, NULL);
}
