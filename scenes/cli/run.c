// stagger run: runs a scene.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenes/cli/cli.h"
#include "scenes/metrics_report.h"

static const char HELP[] =
    "usage: stagger run SCENE.yaml [options]\n\n"
    "Runs a scene, prints what the hits did, the metrics, and whether the scene's expectations held.\n"
    "The scene is looked up as it stands, then among the scenes that come with Stagger (`stagger list`).\n\n"
    "  --set KEY=VALUE    overrides a parameter, e.g. world.dt=1/480; may be given several times\n"
    "  --seed N           the same as --set seed=N\n"
    "  --duration S       the same as --set duration=S, in seconds\n"
    "  --trace FILE.h5    records the run; an older trace of that name is replaced\n"
    "  --metrics FILE     writes the metrics as JSON; - for standard output in place of the table\n"
    "  --quiet            no table and no progress\n"
    "  --help             this text\n\n"
    "exit status: 0 expectations held, 1 one did not, 2 bad input, 3 stopped, 130 interrupted\n\n"
    "example: stagger run hit_run.yaml --seed 7 --set characters.runner.drive.strength=0.5 --trace hit.h5 --metrics "
    "-\n";

enum { MAX_OVERRIDES = 256 };

typedef struct RunOptions {
  const char *scene, *trace, *metrics;
  const char *overrides[MAX_OVERRIDES];
  int override_count;
  char *owned[2]; // the overrides made from --seed and --duration
  bool quiet;
} RunOptions;

// A run and the files that it writes.
typedef struct Run {
  RunOptions options;
  SceneDef *def;
  Scene *scene;
  TraceWriter *trace;
  char *metrics_path, *metrics_temporary; // the temporary file lies beside the other and is renamed at the end
  FILE *metrics;
} Run;

static bool add_override(RunOptions *options, const char *text) {
  if (options->override_count == MAX_OVERRIDES) {
    cli_usage_error("stagger run", "more than %d overrides", MAX_OVERRIDES);
    return false;
  }
  options->overrides[options->override_count++] = text;
  return true;
}

// --seed 7 is seed=7.
static bool add_number(RunOptions *options, int slot, const char *key, const char *value) {
  char *end;
  errno = 0;
  double number = strtod(value, &end);
  if (end == value || *end != '\0' || errno != 0 || number < 0) {
    cli_usage_error("stagger run", "--%s: '%s' is not a number of 0 or more", key, value);
    return false;
  }
  size_t size = strlen(key) + strlen(value) + 2;
  char *text = malloc(size);
  if (text == NULL) {
    cli_usage_error("stagger run", "out of memory");
    return false;
  }
  snprintf(text, size, "%s=%s", key, value);
  // The last of several counts: it takes the place of the one before.
  const char *before = options->owned[slot];
  for (int i = 0; before != NULL && i < options->override_count; i++)
    if (options->overrides[i] == before)
      options->overrides[i] = text;
  bool added = before != NULL || add_override(options, text);
  free(options->owned[slot]);
  options->owned[slot] = text;
  return added;
}

// True to go on; else *code is the exit code.
static bool read_options(RunOptions *options, int argc, char **argv, int *code) {
  static const struct option known[] = {
      {"set", required_argument, NULL, 's'},      {"seed", required_argument, NULL, 'r'},
      {"duration", required_argument, NULL, 'd'}, {"trace", required_argument, NULL, 't'},
      {"metrics", required_argument, NULL, 'm'},  {"quiet", no_argument, NULL, 'q'},
      {"help", no_argument, NULL, 'h'},           {0},
  };
  *code = EXIT_BAD_INPUT;
  for (int option; (option = getopt_long(argc, argv, "hq", known, NULL)) != -1;) {
    bool good = true;
    switch (option) {
    case 's':
      good = add_override(options, optarg);
      break;
    case 'r':
      good = add_number(options, 0, "seed", optarg);
      break;
    case 'd':
      good = add_number(options, 1, "duration", optarg);
      break;
    case 't':
      options->trace = optarg;
      break;
    case 'm':
      options->metrics = optarg;
      break;
    case 'q':
      options->quiet = true;
      break;
    case 'h':
      fputs(HELP, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
    if (!good)
      return false;
  }
  if (argc - optind == 1) {
    options->scene = argv[optind];
    return true;
  }
  cli_usage_error(argv[0], argc == optind ? "the scene is missing" : "more than one scene: %s",
                  argc == optind ? "" : argv[argc - 1]);
  return false;
}

// Opens a temporary file beside the metrics file, so that a run that cannot report does not start. Only a regular file
// is ever replaced: a device or a pipe is written as it is, a link stays a link.
static bool open_metrics(Run *run, Error *error) {
  const char *path = run->options.metrics;
  if (path == NULL || strcmp(path, "-") == 0)
    return true;
  struct stat found;
  bool exists = stat(path, &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) {
    run->metrics = fopen(path, "w");
    return run->metrics != NULL || error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  }
  run->metrics_path = exists ? realpath(path, NULL) : strdup(path);
  size_t size = run->metrics_path != NULL ? strlen(run->metrics_path) + sizeof ".XXXXXX" : 0;
  char *temporary = malloc(size + 1);
  if (run->metrics_path == NULL || temporary == NULL) {
    free(temporary);
    return error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  }
  snprintf(temporary, size, "%s.XXXXXX", run->metrics_path);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) {
    free(temporary);
    return error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  }
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  run->metrics_temporary = temporary;
  run->metrics = fdopen(descriptor, "w");
  return run->metrics != NULL || error_set(error, "%s: cannot be written: %s", path, strerror(errno));
}

// Removes the temporary file of a run that does not report.
static void drop_metrics(Run *run) {
  if (run->metrics != NULL)
    fclose(run->metrics);
  if (run->metrics_temporary != NULL)
    unlink(run->metrics_temporary);
  free(run->metrics_temporary);
  free(run->metrics_path);
  run->metrics = NULL;
  run->metrics_temporary = run->metrics_path = NULL;
}

static bool write_metrics(Run *run, const RunOutcome *outcome, Error *error) {
  const char *path = run->options.metrics;
  if (path == NULL)
    return true;
  char *text = report_json(run->scene, outcome);
  if (text == NULL)
    return error_set(error, "%s: out of memory", path);
  FILE *out = run->metrics != NULL ? run->metrics : stdout;
  bool good = fprintf(out, "%s\n", text) > 0 && fflush(out) == 0;
  free(text);
  if (run->metrics != NULL) {
    good = fclose(run->metrics) == 0 && good;
    run->metrics = NULL;
  }
  if (good && run->metrics_temporary != NULL) {
    good = rename(run->metrics_temporary, run->metrics_path) == 0;
    if (good) {
      free(run->metrics_temporary);
      run->metrics_temporary = NULL;
    }
  }
  return good || error_set(error, "%s: cannot be written: %s", path, strerror(errno));
}

// A mistyped --trace must not cost a scene file, and a device is no place for a trace.
static bool check_trace_path(const char *path, Error *error) {
  struct stat found;
  if (stat(path, &found) != 0 || (S_ISREG(found.st_mode) && (found.st_size == 0 || trace_is_hdf5(path))))
    return true;
  return error_set(error, "%s: exists and is not a trace, so it is not replaced", path);
}

static bool open_trace(Run *run, Error *error) {
  const char *path = run->options.trace;
  if (path == NULL)
    return true;
  TraceInfo info = scene_trace_info(run->def);
  if (!check_trace_path(path, error))
    return false;
  run->trace = trace_create(path, &info, error);
  return run->trace != NULL && scene_record(run->scene, run->trace, error);
}

static bool prepare(Run *run, Error *error) {
  const RunOptions *options = &run->options;
  run->def = scene_def_read(options->scene, options->overrides, options->override_count, error);
  if (run->def == NULL)
    return false;
  run->scene = scene_create(run->def, error);
  return run->scene != NULL && open_metrics(run, error) && open_trace(run, error);
}

// Steps the scene to its end. status: how it ended.
static int simulate(Run *run, char *status, size_t size) {
  Progress progress = progress_begin(!run->options.quiet);
  int code = EXIT_DONE;
  snprintf(status, size, "complete");
  const World *world = run->scene->world;
  while (world->steps < run->def->step_count && code == EXIT_DONE) {
    if (interrupt_requested()) {
      snprintf(status, size, "interrupted");
      code = EXIT_INTERRUPTED;
    } else if (!scene_step(run->scene)) {
      snprintf(status, size, "stopped: %s", world->stopped ? world->stop_reason : "the trace cannot be written");
      code = EXIT_STOPPED;
    }
    progress_update(&progress, (double)world->steps / (double)run->def->step_count);
  }
  progress_end(&progress);
  return code;
}

static int run_scene(Run *run) {
  char status[320];
  double started = wall_seconds();
  interrupt_catch();
  int code = simulate(run, status, sizeof status);
  double elapsed = wall_seconds() - started;
  scene_finish(run->scene);

  Error error = {0};
  bool written = true;
  if (run->trace != NULL)
    written = trace_close(run->trace, status, &error);
  run->trace = NULL;

  RunOutcome outcome = {.status = status, .realtime_factor = elapsed > 0 ? run->scene->world->time / elapsed : 0};
  for (int i = 0; i < run->scene->character_count; i++)
    metrics_set_realtime_factor(run->scene->characters[i]->metrics, outcome.realtime_factor);
  written = write_metrics(run, &outcome, &error) && written;
  if (!run->options.quiet && (run->options.metrics == NULL || strcmp(run->options.metrics, "-") != 0))
    report_table(stdout, run->scene, &outcome);

  if (code == EXIT_STOPPED)
    fprintf(stderr, "%s: %s, after %.4f s\n", run->def->path, status, run->scene->world->time);
  if (!written) {
    cli_error(&error);
    return code == EXIT_INTERRUPTED ? code : EXIT_STOPPED;
  }
  return code == EXIT_DONE && !report_holds(run->scene) ? EXIT_UNEXPECTED : code;
}

static void run_free(Run *run) {
  drop_metrics(run);
  if (run->trace != NULL) {
    trace_close(run->trace, "stopped: could not be recorded", NULL);
    unlink(run->options.trace);
  }
  scene_destroy(run->scene);
  scene_def_free(run->def);
  for (int i = 0; i < 2; i++)
    free(run->options.owned[i]);
}

int command_run(int argc, char **argv) {
  Run run = {0};
  int code;
  if (read_options(&run.options, argc, argv, &code)) {
    Error error = {0};
    code = prepare(&run, &error) ? run_scene(&run) : cli_error(&error);
  }
  run_free(&run);
  return code;
}
