// Films: kinds, what is refused before anything is written, and, if ffmpeg is installed, that they are complete and
// reproducible. A stand-in for ffmpeg fails in several ways.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "viewer/draw/film.h"

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 12 };

static char folder[] = "/tmp/stagger_film_XXXXXX", start[4096], path_of_programs[8192];

static int enter_folder(void **state) {
  (void)state;
  const char *path = getenv("PATH");
  snprintf(path_of_programs, sizeof path_of_programs, "%s", path ? path : "");
  return getcwd(start, sizeof start) && mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state) {
  (void)state;
  static const char *const files[] = {"a.mp4", "b.mp4", "a.mkv", "a.webm", "a.gif", "text.mp4", "ffmpeg", "link.mp4"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    unlink(files[i]);
  return chdir(start) == 0 ? rmdir(folder) : -1; // fails if any other file remains
}

static int restore_path(void **state) {
  (void)state;
  unlink("ffmpeg");
  return setenv("PATH", path_of_programs, 1);
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// A program in place of ffmpeg.
static void put_ffmpeg(const char *script) {
  static char path[sizeof folder + sizeof path_of_programs + 2];
  put("ffmpeg", script);
  assert_int_equal(chmod("ffmpeg", 0755), 0);
  snprintf(path, sizeof path, "%s:%s", folder, path_of_programs);
  setenv("PATH", path, 1);
}

static long size_of(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? (long)found.st_size : -1;
}

static bool same_files(const char *a, const char *b) {
  static char first[1 << 20], second[1 << 20];
  FILE *file_a = fopen(a, "rb"), *file_b = fopen(b, "rb");
  assert_non_null(file_a);
  assert_non_null(file_b);
  size_t size_a = fread(first, 1, sizeof first, file_a), size_b = fread(second, 1, sizeof second, file_b);
  fclose(file_a);
  fclose(file_b);
  return size_a == size_b && memcmp(first, second, size_a) == 0;
}

// A bright bar that moves over a gradient.
static void draw_frame(uint8_t *pixels, int frame) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < 3; c++)
        pixels[3 * (y * WIDTH + x) + c] = (uint8_t)(x / 4 == frame ? 255 : 2 * x + 2 * y + 20 * c);
}

static bool make_film(const char *path, Error *error) {
  static uint8_t pixels[3 * WIDTH * HEIGHT];
  Film *film = film_open(path, WIDTH, HEIGHT, 25, error);
  for (int i = 0; film && i < FRAMES; i++) {
    draw_frame(pixels, i);
    if (!film_add(film, pixels, error)) {
      film_abort(film);
      return false;
    }
  }
  return film && film_close(film, error);
}

static bool has_ffmpeg(void) {
  Error error = {0};
  return film_check("a.mp4", &error);
}

static void kinds_by_the_end_of_the_name(void **state) {
  (void)state;
  FilmKind kind;
  assert_true(film_kind_from_path("a.mp4", &kind) && kind == FILM_MP4);
  assert_true(film_kind_from_path("x/a.b.MKV", &kind) && kind == FILM_MKV);
  assert_true(film_kind_from_path("a.webm", &kind) && kind == FILM_WEBM);
  assert_true(film_kind_from_path("a.gif", &kind) && kind == FILM_GIF);
  assert_false(film_kind_from_path("a.avi", &kind));
  assert_false(film_kind_from_path(".mp4", &kind));
  assert_false(film_kind_from_path("mp4", &kind));
  assert_false(film_kind_from_path("", &kind));
}

static void without_ffmpeg_it_says_what_to_do(void **state) {
  (void)state;
  static const char wanted[] = "a film needs the program ffmpeg (Debian: apt-get install ffmpeg); --offscreen "
                               "--png 'frame_%04d.png' writes pictures without it";
  setenv("PATH", "/nonexistent", 1);
  Error error = {0};
  assert_false(film_check("a.mp4", &error));
  assert_string_equal(error.text, wanted);
  error = (Error){0};
  assert_null(film_open("a.mp4", WIDTH, HEIGHT, 25, &error));
  assert_string_equal(error.text, wanted);
  assert_int_equal(size_of("a.mp4"), -1);
}

static void other_files_are_kept(void **state) {
  (void)state;
  put("text.mp4", "no film\n");
  Error error = {0};
  assert_false(film_check("text.mp4", &error));
  assert_string_equal(error.text, "text.mp4: exists and is not an MP4 film, so it is not replaced");
  error = (Error){0};
  assert_null(film_open("text.mp4", WIDTH, HEIGHT, 25, &error));
  assert_string_equal(error.text, "text.mp4: exists and is not an MP4 film, so it is not replaced");
  assert_int_equal(size_of("text.mp4"), 8);
  error = (Error){0};
  assert_false(film_check("missing/a.mp4", &error));
  assert_string_equal(error.text, "missing/a.mp4: cannot be written: No such file or directory");
  error = (Error){0};
  assert_false(film_check("a.avi", &error));
  assert_string_equal(error.text, "a.avi: the name of a film ends with .mp4, .mkv, .webm or .gif");
}

#define LISTS_ENCODERS "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V....D libx264 x'; exit 0;; esac\n"

static void its_last_words_are_reported(void **state) {
  (void)state;
  put_ffmpeg(LISTS_ENCODERS "cat >/dev/null\necho first >&2\necho 'no space left' >&2\nexit 1\n");
  Error error = {0};
  assert_false(make_film("a.mp4", &error));
  assert_string_equal(error.text, "a.mp4: ffmpeg has failed: no space left");
  assert_int_equal(size_of("a.mp4"), -1);
}

// It ends while frames are written: no SIGPIPE.
static void an_early_end_is_an_error(void **state) {
  (void)state;
  put_ffmpeg(LISTS_ENCODERS "exit 3\n");
  static uint8_t pixels[3 * WIDTH * HEIGHT];
  Error error = {0};
  Film *film = film_open("a.mp4", WIDTH, HEIGHT, 25, &error);
  assert_non_null(film);
  bool good = true;
  for (int i = 0; i < 1000 && good; i++)
    good = film_add(film, pixels, &error);
  assert_false(good);
  assert_string_equal(error.text, "a.mp4: ffmpeg has failed: it says nothing");
  film_abort(film);
  assert_int_equal(size_of("a.mp4"), -1);
}

static void an_ffmpeg_without_encoders_is_refused(void **state) {
  (void)state;
  put_ffmpeg("#!/bin/sh\necho ' V....D mpeg2video x'\n");
  Error error = {0};
  assert_false(film_check("a.webm", &error));
  assert_string_equal(error.text, "this ffmpeg has no encoder for .webm films (libvpx-vp9)");
  put_ffmpeg("#!/bin/sh\necho ' V....D mpeg4 x'\n"); // replaces libx264
  error = (Error){0};
  assert_true(film_check("a.mp4", &error));
}

static void given_up_films_leave_nothing(void **state) {
  (void)state;
  put_ffmpeg(LISTS_ENCODERS "cat >/dev/null\n");
  Error error = {0};
  static uint8_t pixels[3 * WIDTH * HEIGHT];
  Film *film = film_open("a.mp4", WIDTH, HEIGHT, 25, &error);
  assert_non_null(film);
  assert_true(film_add(film, pixels, &error));
  film_abort(film);
  film_abort(NULL);
  assert_int_equal(size_of("a.mp4"), -1);
}

static void films_are_whole_and_the_same_twice(void **state) {
  (void)state;
  static const struct {
    const char *path, *begin;
    int offset;
  } kinds[] = {{"a.mp4", "ftyp", 4},
               {"a.mkv", "\x1a\x45\xdf\xa3", 0},
               {"a.webm", "\x1a\x45\xdf\xa3", 0},
               {"a.gif", "GIF89a", 0}};
  if (!has_ffmpeg())
    skip();
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    Error error = {0};
    if (!film_check(kinds[i].path, &error))
      continue; // no encoder
    if (!make_film(kinds[i].path, &error))
      fail_msg("%s", error.text);
    char bytes[16];
    FILE *file = fopen(kinds[i].path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
    assert_memory_equal(bytes + kinds[i].offset, kinds[i].begin, strlen(kinds[i].begin));
  }
  Error error = {0};
  assert_true(make_film("b.mp4", &error));
  assert_true(same_files("a.mp4", "b.mp4"));
  // An older film is replaced, also through a link, which remains one.
  assert_int_equal(symlink("b.mp4", "link.mp4"), 0);
  assert_true(make_film("link.mp4", &error));
  struct stat found;
  assert_true(lstat("link.mp4", &found) == 0 && S_ISLNK(found.st_mode));
  assert_true(same_files("a.mp4", "b.mp4"));
}

// Odd sizes do not fit yuv420p: ffmpeg reports it, and no file remains.
static void ffmpegs_own_errors_are_reported(void **state) {
  (void)state;
  if (!has_ffmpeg())
    skip();
  unlink("a.mp4");
  static uint8_t pixels[3 * 63 * 47];
  Error error = {0};
  Film *film = film_open("a.mp4", 63, 47, 25, &error);
  assert_non_null(film);
  bool good = film_add(film, pixels, &error);
  if (good)
    good = film_close(film, &error);
  else
    film_abort(film);
  if (!good)
    assert_non_null(strstr(error.text, "a.mp4: ffmpeg has failed: "));
  assert_int_equal(size_of("a.mp4") > 0, good);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_by_the_end_of_the_name),
      cmocka_unit_test_teardown(without_ffmpeg_it_says_what_to_do, restore_path),
      cmocka_unit_test(other_files_are_kept),
      cmocka_unit_test_teardown(its_last_words_are_reported, restore_path),
      cmocka_unit_test_teardown(an_early_end_is_an_error, restore_path),
      cmocka_unit_test_teardown(an_ffmpeg_without_encoders_is_refused, restore_path),
      cmocka_unit_test_teardown(given_up_films_leave_nothing, restore_path),
      cmocka_unit_test(films_are_whole_and_the_same_twice),
      cmocka_unit_test(ffmpegs_own_errors_are_reported),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
