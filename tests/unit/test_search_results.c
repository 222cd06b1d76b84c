// What searches write and say at their end, to the letter: thresholds with islands, with none, and beyond all sizes;
// effects of axes; two controllers compared; the best parameters found.
#include "tests/fixture.h"

#include <dirent.h>
#include <fcntl.h>

#include "scenes/search/compare.h"
#include "scenes/search/morris.h"
#include "scenes/search/optimise.h"
#include "scenes/search/threshold.h"
#include "tests/unit/search_fixture.h"
#include "tests/unit/text_digest.h"

typedef struct Search {
  const char *name, *study;
  const SweepMethod *method;
  // Whether a trial is ok, and its metric.
  double (*world)(const StudyDef *study, long trial, bool *ok);
  uint64_t kept; // digest
} Search;

// Every angle has a limit; one has none, one withstands all, and one an island.
static double thresholds(const StudyDef *study, long trial, bool *ok) {
  static const int limits[] = {3, 17, -1, 99, 8};
  const long cell = trial / study->run.repeats;
  const int angle = study_cell_value(study, 0, cell), size = study_cell_value(study, 1, cell);
  *ok = size <= limits[angle] || (angle == 4 && size == 12) || (size == limits[angle] + 1 && trial % 3 == 0);
  return size;
}

// Of all angles some sizes are withstood, of the middle one the fewest.
static double all_found(const StudyDef *study, long trial, bool *ok) {
  static const int limits[] = {9, 3, 17};
  const long cell = trial / study->run.repeats;
  *ok = study_cell_value(study, 1, cell) <= limits[study_cell_value(study, 0, cell)];
  return 1;
}

static double effects(const StudyDef *study, long trial, bool *ok) {
  double place[5];
  for (int i = 0; i < 5; i++)
    place[i] = (double)study_cell_value(study, i, trial / study->run.repeats) / (study->axes[i].count - 1);
  *ok = place[0] < 0.5;
  return 3 * place[0] - 2 * place[1] + 4 * place[2] * place[3] + (trial % 2 ? 0.25 : -0.25);
}

static double controllers(const StudyDef *study, long trial, bool *ok) {
  char name[64];
  const long cell = trial / study->run.repeats;
  const int angle = study_cell_value(study, 0, cell), second = study_cell_value(study, 1, cell);
  snprintf(name, sizeof name, "%d %ld", angle, trial % study->run.repeats);
  Rng blow = rng_make(1, name), own = rng_make(2 + (uint64_t)second, name);
  const double size = 100 * rng_normal(&blow);
  *ok = true;
  return size + rng_normal(&own) + 0.6 * second;
}

static Optimisation state;

// A bowl with its lowest point at an impulse of 3 and a friction of 1.7.
static double bowl(const StudyDef *study, long trial, bool *ok) {
  (void)trial;
  const double *values = study->optimise.point, x = log10(values[0] / 3) / 2, y = (values[1] - 1.7) / 2;
  *ok = x > 0;
  return 5 + 10 * (x * x + 4 * y * y);
}

static const Search SEARCHES[] = {
    {"threshold",
     "scene: small.yaml\nrepeats: 8\naxes:\n"
     "  events.0.direction: {values: [0, 45, 90, 135, 180], name: angle}\n"
     "  events.0.impulse: {from: 1, to: 20, steps: 20, name: size}\n"
     "threshold: {axis: size, withstood: ok == 1, share: 0.5}\nmetrics: [doll.fell]\n",
     &threshold_method, thresholds, 0xe2355b355708b725},
    {"thresholds that are found",
     "scene: small.yaml\nrepeats: 4\naxes:\n"
     "  events.0.direction: {values: [0, 45, 90], name: angle}\n"
     "  events.0.impulse: {from: 1, to: 20, steps: 20, name: size}\n"
     "threshold: {axis: size, withstood: ok == 1, share: 0.9}\nmetrics: [doll.fell]\n",
     &threshold_method, all_found, 0xdd93c4a6f2f3ea70},
    {"sensitivity",
     "scene: small.yaml\nrepeats: 2\naxes:\n"
     "  events.0.direction: {from: 0, to: 90, steps: 4, name: linear}\n"
     "  events.0.impulse: {from: 1, to: 2, steps: 6, name: falling}\n"
     "  world.friction: {from: 0.5, to: 1, steps: 4, name: square}\n"
     "  world.dt: {values: [1/240, 1/480], name: partner}\n"
     "  events.0.time: {from: 0.05, to: 0.1, steps: 3, name: nothing}\n"
     "metrics: [doll.peak_pose_error]\nsensitivity: {trajectories: 20}\n",
     &sensitivity_method, effects, 0xe308c4f5ee1b0572},
    {"compare",
     "scene: small.yaml\nrepeats: 40\naxes:\n"
     "  events.0.direction: {values: [0, 90, 180], name: angle}\n"
     "  world.friction: {values: [0.5, 1], name: ground}\n"
     "metrics: [doll.peak_pose_error]\ncompare: {axis: ground, metric: doll.peak_pose_error, block: 10}\n",
     &compare_method, controllers, 0x50bf428d7fc933d6},
    {"optimise",
     "scene: small.yaml\nrepeats: 2\naxes:\n"
     "  events.0.direction: {values: [0, 90], name: angle}\n"
     "metrics: [doll.peak_pose_error]\noptimise:\n  parameters:\n"
     "    events.0.impulse: {low: 0.1, high: 10, scale: log, name: size}\n"
     "    world.friction: {low: 0, high: 2, start: 0.2, name: friction}\n"
     "  cost: [{metric: doll.peak_pose_error, goal: 5, side: above, weight: 2}]\n  generations: 12\n  restarts: 1\n",
     &optimise_method, bowl, 0x29865def4963447a},
};

static Table *run(StudyDef *study, const Search *search) {
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  Error error = {0};
  for (long count = 1; count > 0;) {
    long *trials = search->method->next(study, table, &count, &error);
    if (!trials) {
      fail_msg("%s", error.text);
      return NULL;
    }
    if (search->world == bowl) {
      optimise_begin(&state, study);
      while (!state.ended && optimise_step(&state, study, table, &error)) {
      }
    }
    for (long i = 0; i < count; i++) {
      bool ok = true;
      if (search->world == bowl)
        optimise_values(study, state.points[trials[i] / 4 - state.first], study->optimise.point);
      const double metric = search->world(study, trials[i], &ok);
      search_add_row(study, trials[i], ok, metric, &rows);
    }
    free(trials);
    table_free(table);
    table = search_table(study, &rows);
  }
  text_free(&rows);
  return table;
}

static void add_file(const char *path, TextBuffer *told) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char bytes[4096];
  for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
    text_append(told, bytes, size);
  fclose(file);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

// Adds all files of a folder by their names, and removes them with it.
static void take_files(const char *folder, TextBuffer *told) {
  struct dirent **found;
  const int count = scandir(folder, &found, NULL, by_name);
  assert_true(count > 2);
  for (int i = 0; i < count; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, found[i]->d_name);
    if (found[i]->d_name[0] != '.') {
      text_print(told, "\n-- %s\n", found[i]->d_name);
      add_file(path, told);
      unlink(path);
    }
    free(found[i]);
  }
  free(found);
  rmdir(folder);
}

// What the method's end prints and writes.
static void finish(const Search *search, const StudyDef *study, const Table *table, TextBuffer *told) {
  SweepFolder folder = {.study = study, .lock = -1, .rows = -1};
  snprintf(folder.path, sizeof folder.path, "/tmp/stagger_search_XXXXXX");
  char printed[] = "/tmp/stagger_printed_XXXXXX";
  Error error = {0};
  assert_non_null(mkdtemp(folder.path));
  study_write_file(folder.path, "boxes.yaml", BOXES); // which the scene with the best parameters is of
  study_write_file(folder.path, "nod.yaml", NOD);
  const int file = mkstemp(printed);
  fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  assert_true(file >= 0 && before >= 0 && dup2(file, STDOUT_FILENO) >= 0);
  const bool good = search->method->finish(&folder, table, false, &error);
  fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  close(file);
  if (!good)
    fail_msg("%s", error.text);
  add_file(printed, told);
  unlink(printed);
  take_files(folder.path, told);
  if (!told->bytes) {
    fail_msg("the search has told nothing");
    return;
  }
  // The folder is another one in every run, so its path is written over.
  for (char *at = strstr(told->bytes, folder.path); at; at = strstr(at, folder.path))
    memset(at, 'x', strlen(folder.path));
}

static void searches_to_the_letter(void **unused) {
  (void)unused;
  int wrong = 0;
  for (size_t i = 0; i < sizeof SEARCHES / sizeof *SEARCHES; i++) {
    StudyDef *study = study_of(SEARCHES[i].study);
    Table *table = run(study, &SEARCHES[i]);
    TextBuffer told = {0};
    finish(&SEARCHES[i], study, table, &told);
    assert_false(told.failed);
    wrong += !text_is_kept(SEARCHES[i].name, told.bytes, SEARCHES[i].kept);
    text_free(&told);
    table_free(table);
    study_free(study);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(searches_to_the_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
