// The command line of stagger-view: its meaning, and errors with their text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "viewer/headless.h"

enum { MAX_WORDS = 32 };

// Splits a line at its blanks; the options point into it.
static bool read_line(Options *options, char *line, Error *error) {
  char *words[MAX_WORDS + 1] = {"stagger-view"};
  int count = 1;
  for (char *word = strtok(line, " "); word && count < MAX_WORDS; word = strtok(NULL, " "))
    words[count++] = word;
  *error = (Error){0};
  return options_read(options, count, words, error);
}

static char text[512]; // of the last line

static Options read(const char *line) {
  Options options;
  Error error;
  snprintf(text, sizeof text, "%s", line);
  if (!read_line(&options, text, &error))
    fail_msg("%s: %s", line, error.text);
  return options;
}

static void defaults(void **state) {
  (void)state;
  Options options = read("");
  assert_int_equal(options.task, TASK_WINDOW);
  assert_int_equal(options.input_count, 0);
  assert_int_equal(options.width, 1280);
  assert_int_equal(options.height, 720);
  assert_int_equal(options.layers, DEFAULT_LAYERS);
  assert_int_equal(options.coloring, COLORING_BLEND);
  assert_int_equal(options.layout, LAYOUT_SIDE_BY_SIDE);
  assert_null(options.camera);
  assert_null(options.follow);
  assert_false(options.paused);
}

static void window(void **state) {
  (void)state;
  Options options = read("hit.yaml --paused --trace run.h5 --set world.dt=0.002 --set seed=3 --camera gate --follow b "
                         "--size 800x600 --color torque");
  assert_int_equal(options.task, TASK_WINDOW);
  assert_int_equal(options.input_count, 1);
  assert_string_equal(options.inputs[0], "hit.yaml");
  assert_true(options.paused);
  assert_string_equal(options.trace, "run.h5");
  assert_int_equal(options.override_count, 2);
  assert_string_equal(options.overrides[0], "world.dt=0.002");
  assert_string_equal(options.overrides[1], "seed=3");
  assert_string_equal(options.camera, "gate");
  assert_string_equal(options.follow, "b");
  assert_int_equal(options.width, 800);
  assert_int_equal(options.coloring, COLORING_TORQUE);
  options = read("a.h5 --layout overlay b.h5 c.h5 d.h5");
  assert_int_equal(options.input_count, 4);
  assert_string_equal(options.inputs[1], "b.h5");
  assert_int_equal(options.layout, LAYOUT_OVERLAY);
}

static void single_pictures(void **state) {
  (void)state;
  Options options = read("a.h5 --offscreen --png a.png --from 1.5");
  assert_int_equal(options.task, TASK_PICTURE);
  assert_true(options.from == 1.5);
  assert_int_equal(options.moment_count, 0);
  options = read("a.h5 --offscreen --png a.png --moments 0.5,1,2e-1");
  assert_int_equal(options.task, TASK_PICTURE);
  assert_int_equal(options.moment_count, 3);
  assert_true(options.moments[0] == 0.5 && options.moments[1] == 1 && options.moments[2] == 0.2);
  options = read("a.h5 --offscreen --png a.png --sheet 4x3 --from 1 --to 2");
  assert_true(options.sheet && options.columns == 4 && options.rows == 3 && options.to == 2);
}

static void sequences_and_films(void **state) {
  (void)state;
  Options options = read("a.h5 --offscreen --png a_%04d.png");
  assert_int_equal(options.task, TASK_SEQUENCE);
  assert_int_equal(options.fps, 60);
  assert_true(options.pace == 1 && options.to < 0);
  options = read("a.h5 --offscreen --film a.mp4 --fps 30 --pace 0.25 --from 1 --to 1");
  assert_int_equal(options.task, TASK_FILM);
  assert_int_equal(options.fps, 30);
  assert_true(options.pace == 0.25 && options.from == 1 && options.to == 1);
  assert_int_equal(read("a.h5 --offscreen --film a.gif").fps, 25);
  assert_int_equal(read("a.h5 --offscreen --film A.MKV").fps, 60);
}

// In the order of the command line.
static void layers(void **state) {
  (void)state;
  unsigned labels = 1u << LAYER_LABELS, output = 1u << LAYER_OUTPUT;
  assert_int_equal(read("--hide labels,output").layers, DEFAULT_LAYERS & ~(labels | output));
  assert_int_equal(read("--show debug").layers, DEFAULT_LAYERS | DEBUG_LAYERS);
  assert_int_equal(read("--hide output,target,measured,debug,labels,names,skin --show labels").layers, labels);
  assert_int_equal(read("--show output --hide output").layers, DEFAULT_LAYERS & ~output);
}

static void help_comes_first(void **state) {
  (void)state;
  assert_int_equal(read("a.h5 --png a.png --help --nonsense").task, TASK_HELP);
  assert_int_equal(read("--version").task, TASK_VERSION);
}

// Every option is in the help, and nothing else.
static void help_has_every_option(void **state) {
  (void)state;
  static const char *const options[] = {"--offscreen", "--png",   "--film",    "--size",    "--from",       "--to",
                                        "--fps",       "--pace",  "--moments", "--sheet",   "--camera",     "--follow",
                                        "--hide",      "--show",  "--color",   "--layout",  "--set",        "--trace",
                                        "--paused",    "--scale", "--help",    "--version", "--completion", "--man"};
  char *help = NULL;
  size_t size;
  FILE *memory = open_memstream(&help, &size);
  usage_print(&options_usage, memory);
  fclose(memory);
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (!strstr(help, options[i]))
      fail_msg("%s is not in the help", options[i]);
  for (int i = 0; i < LAYER_COUNT; i++)
    if (!strstr(help, picture_layer_name((PictureLayer)i)))
      fail_msg("layer %s is not in the help", picture_layer_name((PictureLayer)i));
  for (const char *line = help; line; line = strchr(line + 1, '\n'))
    assert_true(strcspn(line + 1, "\n") <= 120);
  free(help);
}

static void refused(void **state) {
  (void)state;
#define ALL_LAYER_NAMES                                                                                                \
  "debug, output, target, measured, hits, assist, skeleton, balance, contacts, feet, ik, look, path, poke, labels, "   \
  "names, skin"
  static const struct {
    const char *line, *error;
  } cases[] = {
      {"--nonsense", "there is no option '--nonsense'"},
      {"--flim a.mp4", "there is no option '--flim', did you mean '--film'?"},
      {"-x", "there is no option '-x'"},
      {"--png", "'--png' needs a value"},
      {"--offscreen=1", "'--offscreen' takes no value"},
      {"a b c d e", "at most 4 traces at a time"},
      {"--offscreen --png a.png", "a trace or a scene is missing"},
      {"a.h5 --png a.png", "--png needs --offscreen"},
      {"a.h5 --film a.mp4", "--film needs --offscreen"},
      {"a.h5 --from 1", "--from needs --offscreen"},
      {"a.h5 --offscreen", "--offscreen needs --png FILE or --film FILE"},
      {"a.h5 --offscreen --png a.png --film a.mp4", "--png and --film exclude each other"},
      {"a.h5 --offscreen --png a.png --trace b.h5", "--trace belongs to the window, not to --offscreen"},
      {"a.h5 --offscreen --png a.png --paused", "--paused belongs to the window, not to --offscreen"},
      {"--trace b.h5", "--trace records one scene, there are 0"},
      {"a.yaml b.yaml --trace b.h5", "--trace records one scene, there are 2"},
      {"--size 320", "--size: '320' is not two numbers of 1 to 8192 like 4x3"},
      {"--size 0x180", "--size: '0x180' is not two numbers of 1 to 8192 like 4x3"},
      {"--size 9000x180", "--size: '9000x180' is not two numbers of 1 to 8192 like 4x3"},
      {"--size 4x3x2", "--size: '4x3x2' is not two numbers of 1 to 8192 like 4x3"},
      {"--from -1", "--from: '-1' is not a time in s of 0 or more"},
      {"--from nan", "--from: 'nan' is not a time in s of 0 or more"},
      {"--to inf", "--to: 'inf' is not a time in s of 0 or more"},
      {"--to 1s", "--to: '1s' is not a time in s"},
      {"--moments 0.1,,0.2", "--moments: ',0.2' is not a time in s of 0 or more"},
      {"--moments 0.1;0.2", "--moments: times in s, separated by commas, not '0.1;0.2'"},
      {"--fps 0", "--fps: '0' is not a whole number of 1 to 1000"},
      {"--fps 29.97", "--fps: '29.97' is not a whole number of 1 to 1000"},
      {"--pace 0", "--pace: '0' is not a number of 0.001 to 1000"},
      {"--pace nan", "--pace: 'nan' is not a number of 0.001 to 1000"},
      {"--scale 0.2", "--scale: '0.2' is not a number of 0.25 to 1"},
      {"a.h5 --offscreen --png a.png --scale 0.5", "--scale belongs to the window, not to --offscreen"},
      {"--color red", "--color: 'red' is none of blend, torque, strength, error, none"},
      {"--layout top", "--layout: 'top' is none of side, overlay"},
      {"--hide output,shadow", "--hide: 'shadow' is no layer, allowed are " ALL_LAYER_NAMES},
      {"--show output,", "--show: '' is no layer, allowed are " ALL_LAYER_NAMES},
      {"a --offscreen --png a.png --from 2 --to 1 --sheet 2x1", "--to: 1 s is before --from, 2 s"},
      {"a --offscreen --png a.png --to 1", "--to needs --sheet, --film, or a numbered --png"},
      {"a --offscreen --png a.png --fps 30", "--fps needs --film FILE, or --png with a number such as frame_%04d.png"},
      {"a --offscreen --png a.png --moments 1,2 --sheet 2x1", "--moments and --sheet exclude each other"},
      {"a --offscreen --png a.png --sheet 2x1 --moments 1,2", "--moments and --sheet exclude each other"},
      {"a --offscreen --png a.png --moments 1,2 --from 1", "--moments and --from exclude each other"},
      {"a --offscreen --png a%d.png --sheet 2x1", "--sheet makes one picture: --png needs a name without a number"},
      {"a --offscreen --png a.yaml", "--png: 'a.yaml' does not end with .png"},
      {"a --offscreen --png a_%d.h5", "--png: 'a_%d.h5' does not end with .png"},
      {"a --offscreen --png .png", "--png: '.png' does not end with .png"},
      {"a --offscreen --png a%x.png",
       "--png: 'a%x.png' needs one %d or %04d for the number, and %% for a percent sign"},
      {"a --offscreen --png a%d%d.png",
       "--png: 'a%d%d.png' needs one %d or %04d for the number, and %% for a percent sign"},
      {"a --offscreen --film a.avi", "--film: 'a.avi' does not end with .mp4, .mkv, .webm or .gif"},
      {"a --offscreen --film mp4", "--film: 'mp4' does not end with .mp4, .mkv, .webm or .gif"},
      {"a --offscreen --film a.gif --fps 60", "--fps: a GIF has at most 50 frames per second"},
      {"a --offscreen --film a.mp4 --moments 1", "--moments and --film exclude each other"},
      {"a --offscreen --png a.png --sheet 9x8", "--sheet: at most 64 pictures"},
      {"a b --offscreen --png a.png --sheet 2x1", "--sheet shows one run, or several with --layout overlay"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Options options;
    Error error;
    snprintf(text, sizeof text, "%s", cases[i].line);
    if (read_line(&options, text, &error))
      fail_msg("%s is taken", cases[i].line);
    assert_string_equal(error.text, cases[i].error);
  }
}

static void too_many_moments_and_overrides(void **state) {
  (void)state;
  char moments[4 * OPTIONS_MAX_MOMENTS] = "1";
  for (int i = 0; i < OPTIONS_MAX_MOMENTS; i++)
    strcat(moments, ",1");
  Options options;
  Error error = {0};
  char *words[] = {"stagger-view", "--moments", moments, NULL};
  assert_false(options_read(&options, 3, words, &error));
  assert_string_equal(error.text, "--moments: at most 64");

  static char *many[2 * OPTIONS_MAX_OVERRIDES + 4] = {"stagger-view"};
  for (int i = 0; i <= OPTIONS_MAX_OVERRIDES; i++) {
    many[2 * i + 1] = "--set";
    many[2 * i + 2] = "seed=1";
  }
  error = (Error){0};
  assert_false(options_read(&options, 2 * OPTIONS_MAX_OVERRIDES + 3, many, &error));
  assert_string_equal(error.text, "--set: more than 256 overrides");
}

static void picture_names(void **state) {
  (void)state;
  static const struct {
    const char *pattern;
    int number;
    const char *name; // NULL: no pattern
  } cases[] = {
      {"a_%d.png", 7, "a_7.png"},
      {"a_%04d.png", 7, "a_0007.png"},
      {"a_%04d.png", 123456, "a_123456.png"},
      {"%d", 0, "0"},
      {"100%%_%02d", 3, "100%_03"},
      {"a.png", 0, NULL},
      {"a%%.png", 0, NULL},
      {"a%", 0, NULL},
      {"a%s.png", 0, NULL},
      {"%d_%d.png", 0, NULL},
      {"%4d.png", 0, NULL},
      {"%-4d.png", 0, NULL},
      {"%0d.png", 0, NULL},
      {"%012d.png", 0, NULL},
      {"%n%d.png", 0, NULL},
  };
  char name[64];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bool good = options_picture_name(cases[i].pattern, cases[i].number, name, sizeof name);
    assert_int_equal(good, cases[i].name != NULL);
    if (good)
      assert_string_equal(name, cases[i].name);
  }
  assert_false(options_picture_name("12345_%d", 6, name, 7)); // no room for the end
  assert_true(options_picture_name("1234_%d", 6, name, 7));
}

static void frames_are_counted_with_both_ends(void **state) {
  (void)state;
  assert_int_equal(headless_frame_count(0, 1, 60, 1), 61);
  assert_int_equal(headless_frame_count(0, 1, 60, 0.25), 241);
  assert_int_equal(headless_frame_count(2, 2, 60, 1), 1);
  assert_int_equal(headless_frame_count(0, 0.1, 60, 0.1), 61); // 0.1 has no exact bits
  assert_int_equal(headless_frame_count(0, 0.99, 10, 1), 10);
  assert_int_equal(headless_frame_count(0, 20, 60, 2), 601);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(window),
      cmocka_unit_test(single_pictures),
      cmocka_unit_test(sequences_and_films),
      cmocka_unit_test(layers),
      cmocka_unit_test(help_comes_first),
      cmocka_unit_test(help_has_every_option),
      cmocka_unit_test(refused),
      cmocka_unit_test(too_many_moments_and_overrides),
      cmocka_unit_test(picture_names),
      cmocka_unit_test(frames_are_counted_with_both_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
