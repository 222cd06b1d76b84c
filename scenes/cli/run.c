// stagger run: runs a scene.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ragdoll/character/character_metrics.h"
#include "scenes/cli/cli.h"
#include "scenes/cli/explain.h"
#include "scenes/description/scene_warnings.h"
#include "scenes/output/explanations.h"
#include "scenes/output/output_file.h"
#include "scenes/run/outcome.h"
#include "scenes/run/propagation.h"
#include "scenes/run/start_warnings.h"
#include "scenes/run/trace_states.h"
#include "scenes/sweep/study.h"
#include "sim/base/wall_clock.h"
#include "sim/world/ode_net.h"

static const UsageOption OPTIONS[] = {
    {.name = "set",
     .code = 's',
     .value = "KEY=VALUE",
     .doc = "overrides a parameter, e.g. world.dt=1/480; may be given several times"},
    {.name = "seed", .code = 'r', .value = "N", .doc = "the same as --set seed=N"},
    {.name = "duration", .code = 'd', .value = "S", .doc = "the same as --set duration=S, in seconds"},
    {.name = "trace",
     .code = 't',
     .value = "FILE.h5",
     .doc = "records the run; an older trace of that name is replaced"},
    {.name = "metrics",
     .code = 'm',
     .value = "FILE",
     .doc = "writes the metrics as JSON, and replaces older metrics; - prints them instead of the table"},
    {.name = "propagation",
     .code = 'p',
     .value = "FILE",
     .doc = "writes the momentum that each bullet and push brought to each part over time as CSV, and prints when the "
            "parts were reached. For this the scene is run again with the same seed, once without each bullet and "
            "push"},
    {.name = "from",
     .code = 'f',
     .value = "TRACE.h5@S",
     .doc = "continues a recorded run at the time S (s after its beginning) with the scene in the trace. The results "
            "are the same to the bit. The run must have been recorded with states, e.g. with --set trace.states=1. "
            "Metrics and expectations are those of the whole run, and --duration counts from its beginning; a new "
            "trace begins with the last frame before S. --set and --seed must not change the scene"},
    {.name = "quiet",
     .code = 'q',
     .letter = true,
     .doc = "prints no table and no progress; expectations that do not hold go to standard error"},
    {.name = "explain",
     .code = 'e',
     .value = "CODE",
     .doc =
         "runs nothing, but prints cause and cure of an error, a warning or the end of a run: by its code, or by the "
         "text of the message; `all` prints them all"},
    USAGE_HELP_ROW,
};

const Usage run_usage = {
    .name = "stagger run",
    .summary = "runs a scene, with trace and metrics",
    .forms = {"SCENE [options]", "--from TRACE.h5@SECONDS [options]", "--explain CODE"},
    .argument = "SCENE",
    .text = "Runs a scene and prints the effects of hits, the metrics, and whether the scene's expectations held.\n"
            "SCENE is a file or the name of a scene that comes with Stagger (`stagger list`);\n"
            "its \".yaml\" may be left out.",
    USAGE_OPTIONS(OPTIONS),
    .notes =
        "exit status: 0 expectations held, 1 one did not, 2 bad input, 3 stopped or a result could not be written,\n"
        "130 interrupted",
    .examples =
        {"stagger run hit_run.yaml --seed 7 --set characters.runner.drive.strength=0.5 --trace hit.h5 --metrics -"},
};

enum { MAX_OVERRIDES = 256 };

typedef struct RunOptions {
  const char *scene, *trace, *metrics, *propagation;
  const char *from; // "TRACE.h5@12.5"; NULL: from the beginning
  char *overrides[MAX_OVERRIDES];
  int override_count;
  bool quiet;
} RunOptions;

typedef struct Run {
  RunOptions options;
  SceneDef *def;
  Scene *scene;
  TraceWriter *trace;
  bool told_slow;
} Run;

// Adds an override from the command line: "KEY=VALUE", or the value of an option such as --seed with `prefix` before
// it.
static bool add_override(RunOptions *options, const char *prefix, const char *value) {
  if (options->override_count == MAX_OVERRIDES) {
    cli_usage_error("stagger run", "more than %d overrides", MAX_OVERRIDES);
    return false;
  }
  size_t size = strlen(prefix) + strlen(value) + 1;
  char *text = malloc(size);
  if (!text) {
    cli_usage_error("stagger run", "out of memory");
    return false;
  }
  snprintf(text, size, "%s%s", prefix, value);
  options->overrides[options->override_count++] = text;
  return true;
}

// With --from no scene is named, since the trace contains it.
static bool check_from(const RunOptions *options, int argc) {
  if (optind < argc)
    cli_usage_error("stagger run", "both a scene and --from: with --from the scene is that of the trace");
  else if (options->propagation)
    cli_usage_error("stagger run",
                    "both --from and --propagation: propagation can only be measured from the beginning of a run");
  else
    return true;
  return false;
}

// True to continue; otherwise *code is the exit code.
static bool read_options(RunOptions *options, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, &run_usage)) != -1;) {
    bool good = true;
    switch (option) {
    case 's':
      good = add_override(options, "", optarg);
      break;
    case 'r':
      good = add_override(options, "--seed ", optarg);
      break;
    case 'd':
      good = add_override(options, "--duration ", optarg);
      break;
    case 'f':
      options->from = optarg;
      break;
    case 't':
      options->trace = optarg;
      break;
    case 'm':
      options->metrics = optarg;
      break;
    case 'p':
      options->propagation = optarg;
      break;
    case 'q':
      options->quiet = true;
      break;
    case 'e':
      *code = explain_print(argv[0], optarg);
      return false;
    case 'h':
      usage_print(&run_usage, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
    if (!good)
      return false;
  }
  if (options->from)
    return check_from(options, argc) || (*code = EXIT_BAD_INPUT, false);
  options->scene = cli_only_argument(argc, argv, "scene");
  return options->scene != NULL;
}

// Checks all output files before the run starts. - is standard output, for the metrics only.
static bool check_outputs(const RunOptions *options, Error *error) {
  const char *trace = options->trace, *metrics = options->metrics;
  const char *const names[] = {"--trace", "--metrics", "--propagation"};
  const char *const paths[] = {trace, metrics, options->propagation};
  if (trace && strcmp(trace, "-") == 0)
    return error_set(error, "--trace -: a trace needs a file");
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < i; k++)
      if (paths[k] && paths[i] && output_is_same(paths[k], paths[i]))
        return error_set(error, "%s and %s name the same file: %s", names[k], names[i], paths[k]);
  return (!trace || output_check(trace, OUTPUT_TRACE, error)) &&
         (!options->propagation || output_check(options->propagation, OUTPUT_CSV, error)) &&
         (!metrics || strcmp(metrics, "-") == 0 || output_check(metrics, OUTPUT_JSON, error));
}

static bool open_trace(Run *run, Error *error) {
  if (!run->options.trace)
    return true;
  TraceInfo info = scene_trace_info(run->def);
  run->trace = trace_create(run->options.trace, &info, error);
  return run->trace && scene_record(run->scene, run->trace, error);
}

// Errors of standard output are detected when the command ends.
static bool write_metrics(const Run *run, const RunOutcome *outcome, Error *error) {
  const char *path = run->options.metrics;
  if (!path)
    return true;
  char *text = outcome_json(run->scene, outcome);
  if (!text)
    return error_set(error, "%s: out of memory", path);
  size_t size = strlen(text);
  text[size++] = '\n'; // replaces the terminating zero
  bool good = true;
  if (strcmp(path, "-") == 0)
    fwrite(text, 1, size, stdout);
  else
    good = output_write(path, text, size, error);
  free(text);
  return good;
}

// Splits "TRACE.h5@12.5" into path and time.
static bool read_moment(const char *text, char *path, size_t size, double *time, Error *error) {
  const char *at = strrchr(text, '@');
  char *end = NULL;
  *time = at ? strtod(at + 1, &end) : 0;
  if (!at || at == text || end == at + 1 || *end != '\0' || !(*time >= 0))
    return error_set(error, "--from %s: expected a trace and a time in s, e.g. hit.h5@12.5", text);
  if ((size_t)snprintf(path, size, "%.*s", (int)(at - text), text) >= size)
    return error_set(error, "--from %s: the path is too long", text);
  return true;
}

// Reads the scene of a trace with the overrides of the command line, which must be ones that its saved states allow.
static SceneDef *read_recorded(TraceReader *reader, const RunOptions *options, double from, Error *error) {
  SceneDef *recorded = scene_def_from_trace(reader, error);
  if (!recorded || options->override_count == 0)
    return recorded;
  const uint64_t hash = recorded->hash;
  scene_def_free(recorded);
  SceneDef *def =
      scene_def_from_trace_with(reader, (const char *const *)options->overrides, options->override_count, error);
  bool good = def != NULL;
  if (def && def->hash != hash)
    good = error_set(error, "--from goes on with the scene as it was recorded: --set may change no more than what is "
                            "said of the run, duration, trace, expect and cameras");
  else if (def && (double)def->step_count * def->world.dt <= from)
    good = error_set(error, "--duration %g: counts from the beginning, and with --from it is longer than %g s",
                     def->run.duration, from);
  if (good)
    return def;
  scene_def_free(def);
  return NULL;
}

// Brings the scene of a trace to a moment of its run.
static bool continue_run(Run *run, Error *error) {
  const RunOptions *options = &run->options;
  char path[4096];
  double time;
  if (!read_moment(options->from, path, sizeof path, &time, error))
    return false;
  if (options->trace && output_is_same(path, options->trace))
    return error_set(error, "--trace %s: is the trace that the run goes on from", options->trace);
  TraceReader *reader = trace_open(path, error);
  Error cause = {0};
  run->def = reader ? read_recorded(reader, options, time, error) : NULL;
  run->scene = run->def ? scene_create(run->def, error) : NULL;
  bool good = run->scene &&
              (trace_states_go_to(reader, run->scene, time, &cause) || error_set(error, "%s: %s", path, cause.text));
  trace_reader_close(reader);
  if (good && !options->trace)
    scene_stop_recording(run->scene);
  return good && check_outputs(options, error) && open_trace(run, error);
}

static bool prepare(Run *run, Error *error) {
  const RunOptions *options = &run->options;
  const char *path = options->scene;
  if (options->from)
    return continue_run(run, error);
  if (study_is_study(path))
    error_set(error, "%s: is a study, not a scene: 'stagger sweep %s' runs its trials", path, path);
  else if (trace_is_hdf5(path))
    error_set(error, "%s: is a trace, not a scene: 'stagger replay %s' runs its scene again", path, path);
  else
    run->def = scene_def_read(path, (const char *const *)options->overrides, options->override_count, error);
  if (!run->def)
    return false;
  run->scene = scene_create(run->def, error);
  return run->scene && check_outputs(options, error) && open_trace(run, error);
}

// Writes how the momentum of the hits spread: the CSV and, unless --quiet is given, a table.
static bool write_propagation(const Run *run, Error *error) {
  const char *path = run->options.propagation;
  if (!path)
    return true;
  static PropagationList list;
  bool good = propagation_measure(run->def, &list, error);
  char *text = good ? propagation_csv(&list) : NULL;
  if (good)
    good = text ? output_write(path, text, strlen(text), error) : error_set(error, "%s: out of memory", path);
  if (good && !run->options.quiet)
    propagation_print(stdout, &list);
  free(text);
  propagation_free(&list);
  return good;
}

// Duration of a step above which a message, once, names the faster solver.
static const double LONG_STEP = 1; // s

static void note_long_step(Run *run, double seconds) {
  if (seconds < LONG_STEP || run->told_slow || run->def->world.solver != SOLVER_STEP)
    return;
  run->told_slow = true;
  explained_printf(
      stderr,
      "%s: the step at %.4f s took %.1f s, with %d contacts: for heaps of bodies 'world.solver: reduced' and "
      "'iterative' are far faster",
      run->def->path, run->scene->world->time, seconds, run->scene->world->contact_count);
}

// Steps the scene to its end. status: receives how it ended.
static int simulate(Run *run, char *status, size_t size) {
  Progress progress = progress_begin(!run->options.quiet);
  int code = EXIT_DONE;
  snprintf(status, size, "complete");
  const World *world = run->scene->world;
  double before = wall_seconds();
  while (world->steps < run->def->step_count && code == EXIT_DONE) {
    const bool stepped = !interrupt_requested() && scene_step(run->scene);
    if (!stepped && interrupt_requested()) { // also after an interruption during a step
      snprintf(status, size, "interrupted");
      code = EXIT_INTERRUPTED;
    } else if (!stepped) {
      snprintf(status, size, "stopped: %s", world->stopped ? world->stop_reason : "the trace cannot be written");
      code = EXIT_STOPPED;
    }
    const double now = wall_seconds();
    note_long_step(run, now - before);
    before = now;
    progress_update(&progress, (double)world->steps / (double)run->def->step_count);
  }
  progress_end(&progress);
  return code;
}

// Says why the run ended early, and how to learn more.
static void report_stop(const Run *run, const char *status) {
  const Explanation *explained = explanation_of(status);
  fprintf(stderr, "%s: %s, after %.4f s\n", run->def->path, status, run->scene->world->time);
  if (explained)
    fprintf(stderr, "cause and cure: stagger run --explain %s\n", explained->code);
}

static int run_scene(Run *run) {
  char status[320];
  double started = wall_seconds(), begin = run->scene->world->time;
  interrupt_catch_with(ode_break);
  int code = simulate(run, status, sizeof status);
  double elapsed = wall_seconds() - started;
  scene_finish(run->scene);

  Error error = {0};
  bool written = true;
  if (run->trace)
    written = trace_close(run->trace, status, &error);
  run->trace = NULL;

  RunOutcome outcome = {.status = status,
                        .realtime_factor = elapsed > 0 ? (run->scene->world->time - begin) / elapsed : 0};
  for (int i = 0; i < run->scene->character_count; i++)
    metrics_set_realtime_factor(run->scene->characters[i]->judged->metrics, outcome.realtime_factor);
  written = write_metrics(run, &outcome, &error) && written;
  written = written && (code != EXIT_DONE || write_propagation(run, &error));
  if (!run->options.quiet && (!run->options.metrics || strcmp(run->options.metrics, "-") != 0))
    outcome_table(stdout, run->scene, &outcome);
  else
    outcome_failures(stderr, run->scene, &outcome);

  if (code == EXIT_STOPPED)
    report_stop(run, status);
  if (!written) {
    cli_error(&error);
    return code == EXIT_INTERRUPTED ? code : EXIT_STOPPED;
  }
  return code == EXIT_DONE && !outcome_holds(run->scene) ? EXIT_UNEXPECTED : code;
}

static void run_free(Run *run) {
  if (run->trace) {
    trace_close(run->trace, "stopped: could not be recorded", NULL);
    unlink(run->options.trace);
  }
  scene_destroy(run->scene);
  scene_def_free(run->def);
  for (int i = 0; i < run->options.override_count; i++)
    free(run->options.overrides[i]);
}

int command_run(int argc, char **argv) {
  Run run = {0};
  int code;
  if (read_options(&run.options, argc, argv, &code)) {
    Error error = {0};
    if (prepare(&run, &error)) {
      scene_warnings(run.def, stderr);
      if (!run.options.from)
        start_warnings(run.scene, stderr);
      code = run_scene(&run);
    } else {
      code = cli_error(&error);
    }
  }
  run_free(&run);
  return code;
}
