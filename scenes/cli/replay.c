// stagger replay: runs the scene of a trace again and holds every step against the recorded one.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/scene.h"

static const char HELP[] =
    "usage: stagger replay TRACE.h5\n\n"
    "Runs the scene stored in a trace again, from the text and files that the trace carries, and\n"
    "compares the state after every physics step with the recorded hash.\n\n"
    "exit status: 0 every step is the same, 1 a step differs or none was recorded, 2 not readable, 130 interrupted\n\n"
    "example: stagger replay hit_run.h5\n";

// The recorded hashes; the caller frees them. NULL with an error.
static uint64_t *read_hashes(TraceReader *reader, const char *path, long *count, Error *error) {
  int row_size;
  if (!trace_shape(reader, "/step_hash", count, &row_size)) {
    error_set(error, "%s: has no step hashes to compare with", path);
    return NULL;
  }
  uint64_t *hashes = calloc((size_t)*count + 1, sizeof *hashes);
  if (hashes == NULL)
    error_set(error, "%s: out of memory", path);
  else if (*count > 0 && !trace_read(reader, "/step_hash", TRACE_UINT64, 0, *count, hashes, error)) {
    free(hashes);
    return NULL;
  }
  return hashes;
}

static int replay_steps(Scene *scene, const uint64_t *hashes, long count, const char *status) {
  if (count == 0) {
    puts("no step was recorded");
    return EXIT_UNEXPECTED;
  }
  Progress progress = progress_begin(true);
  long step = 0;
  bool same = true;
  while (step < count && same && !interrupt_requested()) {
    same = scene_step(scene) && world_hash(scene->world) == hashes[step];
    step += same;
    progress_update(&progress, (double)step / (double)count);
  }
  progress_end(&progress);
  double dt = scene->def->world.dt;
  if (!same) {
    printf("step %ld of %ld, at %.6f s, differs from the trace%s%s\n", step + 1, count, (double)(step + 1) * dt,
           scene->world->stopped ? ": " : "", scene->world->stop_reason);
    const char *touched = strstr(status, "touched by hand");
    if (touched != NULL)
      printf("the recorded run was %s, in the viewer\n", touched);
    return EXIT_UNEXPECTED;
  }
  printf("%ld of %ld steps, %.3f s: %s\n", step, count, (double)step * dt,
         step == count ? "every step is the same" : "interrupted, the same up to there");
  return step == count ? EXIT_DONE : EXIT_INTERRUPTED;
}

int command_replay(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, HELP, 1, 1, &code))
    return code;
  Error error = {0};
  long count = 0;
  TraceReader *reader = trace_open(argv[optind], &error);
  uint64_t *hashes = reader != NULL ? read_hashes(reader, argv[optind], &count, &error) : NULL;
  SceneDef *def = hashes != NULL ? scene_def_from_trace(reader, &error) : NULL;
  Scene *scene = def != NULL ? scene_create(def, &error) : NULL;
  interrupt_catch();
  code = scene != NULL ? replay_steps(scene, hashes, count, trace_text(reader, "status")) : cli_error(&error);
  scene_destroy(scene);
  scene_def_free(def);
  free(hashes);
  trace_reader_close(reader);
  return code;
}
