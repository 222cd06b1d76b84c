// stagger replay: runs the scene of a trace again and compares every step and all recorded data with the trace.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/cli/cli.h"
#include "scenes/output/output_file.h"
#include "scenes/run/scene.h"
#include "scenes/run/trace_states.h"
#include "sim/world/ode_net.h"
#include "sim/world/world_body.h"

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage replay_usage = {
    .name = "stagger replay",
    .summary = "runs the scene of a trace again and compares every step and channel",
    .forms = {"TRACE.h5"},
    .argument = "TRACE.h5",
    .text =
        "Runs the scene stored in a trace again, from the text and files in the trace, and compares the state\n"
        "after every physics step with the recorded hash. Prints the first step that differs, and the distance\n"
        "between the bodies in the frame that follows. If all steps are the same, the new run is recorded into a\n"
        "temporary file in TMPDIR or /tmp, and all that was recorded - channels, contacts, events, hits, metrics -\n"
        "is compared bit for bit, as by `stagger compare`. For a run that was killed, the recorded part is\n"
        "compared.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 identical, 1 something differs or no step was recorded, 2 not readable, 3 the\n"
             "temporary file cannot be written, 130 interrupted",
    .examples = {"stagger replay hit_run.h5"},
};

// Reads the recorded hashes, which the caller frees. NULL with an error.
static uint64_t *read_hashes(TraceReader *reader, const char *path, long *count, Error *error) {
  int row_size;
  if (!trace_shape(reader, "/step_hash", count, &row_size)) {
    error_set(error, "%s: has no step hashes to compare with", path);
    return NULL;
  }
  uint64_t *hashes = calloc((size_t)*count + 1, sizeof *hashes);
  if (!hashes)
    error_set(error, "%s: out of memory", path);
  else if (*count > 0 && !trace_read_column(reader, "/step_hash", TRACE_UINT64, 0, *count, hashes, error)) {
    free(hashes);
    return NULL;
  }
  return hashes;
}

// A run of the scene that is compared with the trace.
typedef struct Replay {
  TraceReader *reader;
  Scene *scene;
  const uint64_t *hashes;
  long count;         // number of steps
  long begin;         // number of steps made before the recording began
  TraceWriter *again; // the recording of the new run
  const char *path;   // its file
} Replay;

// The part of a character that is farthest from its place in a frame of the trace.
typedef struct Farthest {
  double distance; // m
  const char *character, *part;
} Farthest;

// False when the trace has no such frame, or other bodies.
static bool find_farthest(const Replay *replay, long frame, Farthest *farthest) {
  double positions[BODY_MAX_PARTS][3];
  for (int i = 0; i < replay->scene->character_count; i++) {
    const Character *character = replay->scene->characters[i];
    int parts = character->def->body->part_count, width;
    char path[2 * TRACE_NAME_SIZE + 32];
    long rows;
    snprintf(path, sizeof path, "/characters/%s/parts/position", character->def->name);
    if (frame >= trace_frame_count(replay->reader) || !trace_shape(replay->reader, path, &rows, &width) ||
        width != 3 * parts || !trace_read(replay->reader, path, TRACE_FLOAT64, frame, 1, positions, NULL))
      return false;
    for (int k = 0; k < parts; k++) {
      const double *now = world_body_position(replay->scene->world, character->ragdoll->body[k]);
      double distance =
          sqrt(pow(now[0] - positions[k][0], 2) + pow(now[1] - positions[k][1], 2) + pow(now[2] - positions[k][2], 2));
      if (!(distance <= farthest->distance)) // also true for NaN
        *farthest = (Farthest){distance, character->def->name, character->def->body->parts[k].name};
    }
  }
  return true;
}

// After a step that differs: continues to the next frame and prints how far apart the bodies are then.
static void explain(const Replay *replay) {
  Scene *scene = replay->scene;
  int steps = scene->def->steps_per_frame;
  while (scene->world->steps % steps != 0 && scene_step(scene))
    continue;
  long frame = (scene->world->steps - replay->begin) / steps;
  Farthest farthest = {0};
  if (scene->world->stopped || !find_farthest(replay, frame, &farthest))
    return;
  printf("in frame %ld, at %.6f s, ", frame, scene->world->time);
  if (!farthest.part)
    puts("all parts are at their places in the trace");
  else
    printf("%s of %s is %.3g m from its place in the trace, other parts less\n", farthest.part, farthest.character,
           farthest.distance);
}

static int tell_difference(const Replay *replay, long step) {
  const World *world = replay->scene->world;
  printf("step %ld of %ld, which ends at %.6f s, is the first that differs from the trace%s%s\n", step + 1,
         replay->count, (double)(replay->begin + step + 1) * world->def.dt, world->stopped ? ": " : "",
         world->stop_reason);
  if (!world->stopped)
    explain(replay);
  const char *touched = strstr(trace_text(replay->reader, "status"), "touched by hand");
  if (touched)
    printf("the recorded run was %s, in the viewer\n", touched);
  return EXIT_UNEXPECTED;
}

// Whether the recorded run reached its end, so that its trace is complete.
static bool is_whole(const Replay *replay) {
  const char *status = trace_text(replay->reader, "status");
  return strcmp(status, "complete") == 0 || strcmp(status, "interrupted") == 0;
}

// Ends the run as the recorded one ended, since that is compared, too. A step that stopped the run has no hash.
static bool end_run(Replay *replay, Error *error) {
  const char *status = trace_text(replay->reader, "status");
  if (strncmp(status, "stopped", strlen("stopped")) == 0)
    scene_step(replay->scene);
  scene_finish(replay->scene);
  bool good = trace_close(replay->again, status, error);
  replay->again = NULL;
  return good;
}

// After equal steps: compares the trace with the recording of the new run.
static int compare_recorded(Replay *replay) {
  static char report[1 << 16];
  Error error = {0};
  TraceReader *again = end_run(replay, &error) ? trace_open(replay->path, &error) : NULL;
  if (!again) {
    cli_error(&error);
    return EXIT_STOPPED;
  }
  bool whole = is_whole(replay);
  bool same = whole ? trace_compare(replay->reader, again, report, sizeof report)
                    : trace_compare_begun(replay->reader, again, report, sizeof report);
  trace_reader_close(again);
  if (!same)
    printf(
        "but the recorded data differ from those of the new run; the first are the trace's, the second the run's:\n%s",
        report);
  else
    printf("what was recorded is the same, too: %d frames%s\n", trace_frame_count(replay->reader),
           whole ? ", contacts, events, hits and metrics" : ", contacts and events");
  return same ? EXIT_DONE : EXIT_UNEXPECTED;
}

// Steps to the first different hash or to an interruption; returns replay->count when all are equal.
static long step_while_same(const Replay *replay, bool *same) {
  Progress progress = progress_begin(true);
  long step = 0;
  *same = true;
  while (step < replay->count && *same && !interrupt_requested()) {
    const bool stepped = scene_step(replay->scene);
    if (!stepped && interrupt_requested()) // interrupted during the step
      break;
    *same = stepped && world_hash(replay->scene->world) == replay->hashes[step];
    step += *same;
    progress_update(&progress, (double)step / (double)replay->count);
  }
  progress_end(&progress);
  return step;
}

static int replay_steps(Replay *replay) {
  if (replay->count == 0) {
    puts("no step was recorded");
    return EXIT_UNEXPECTED;
  }
  const Scene *scene = replay->scene;
  bool same;
  long step = step_while_same(replay, &same), count = replay->count;
  if (scene->record_failed) {
    Error error = {0};
    trace_close(replay->again, "stopped", &error);
    replay->again = NULL;
    cli_error(&error);
    return EXIT_STOPPED;
  }
  if (!same)
    return tell_difference(replay, step);
  printf("%ld of %ld steps, %.3f s: %s\n", step, count, (double)step * scene->def->world.dt,
         step == count ? "every step is the same" : "interrupted, the same up to there");
  if (step < count)
    return EXIT_INTERRUPTED;
  if (strcmp(trace_text(replay->reader, "status"), "complete") != 0)
    printf("the recorded run is not complete, its status is: %s\n", trace_text(replay->reader, "status"));
  return compare_recorded(replay);
}

// Creates an empty file for the new recording. The caller frees the name; NULL with an error.
static char *temporary_file(Error *error) {
  const char *folder = getenv("TMPDIR");
  char path[1024];
  snprintf(path, sizeof path, "%s/stagger_replay.h5", folder && folder[0] != '\0' ? folder : "/tmp");
  return output_temporary(path, error);
}

// The time of the first frame, s.
static double begin_of(TraceReader *reader) {
  double first = 0;
  if (trace_frame_count(reader) > 0)
    trace_read_column(reader, trace_time_channel.path, TRACE_FLOAT64, 0, 1, &first, NULL);
  return first;
}

// The scene at the beginning of the recording: a run continued from a moment of another one begins with a state.
static Scene *begin_scene(Replay *replay, SceneDef *def, Error *error) {
  const double begin = begin_of(replay->reader);
  double first, last;
  if (begin > 0 && trace_states_count(replay->reader, &first, &last) == 0) {
    error_set(error, "%s: begins %g s after its scene and has no state to begin with", def->path, begin);
    return NULL;
  }
  Scene *scene = scene_create(def, error);
  if (scene && begin > 0 && !trace_states_go_to(replay->reader, scene, begin, error)) {
    scene_destroy(scene);
    return NULL;
  }
  return scene;
}

// Runs the scene of a trace again and records it into a temporary file.
static int replay_scene(Replay *replay, SceneDef *def) {
  Error error = {0};
  replay->scene = begin_scene(replay, def, &error);
  if (!replay->scene)
    return cli_error(&error);
  replay->begin = replay->scene->world->steps;
  char *path = temporary_file(&error);
  TraceInfo info = scene_trace_info(def);
  replay->path = path;
  replay->again = path ? trace_create(path, &info, &error) : NULL;
  int code = EXIT_STOPPED;
  if (replay->again && scene_record(replay->scene, replay->again, &error))
    code = replay_steps(replay);
  else
    cli_error(&error);
  if (replay->again)
    trace_close(replay->again, "not needed", NULL);
  if (path)
    unlink(path);
  free(path);
  scene_destroy(replay->scene);
  return code;
}

int command_replay(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, &replay_usage, 1, 1, &code))
    return code;
  Error error = {0};
  long count = 0;
  TraceReader *reader = trace_open(argv[optind], &error);
  uint64_t *hashes = reader ? read_hashes(reader, argv[optind], &count, &error) : NULL;
  SceneDef *def = hashes ? scene_def_from_trace(reader, &error) : NULL;
  interrupt_catch_with(ode_break);
  Replay replay = {.reader = reader, .hashes = hashes, .count = count};
  code = def ? replay_scene(&replay, def) : cli_error(&error);
  scene_def_free(def);
  free(hashes);
  trace_reader_close(reader);
  return code;
}
