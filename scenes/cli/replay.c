// stagger replay: runs the scene of a trace again and holds every step against the recorded one.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/scene.h"

static const char HELP[] =
    "usage: stagger replay TRACE.h5\n\n"
    "Runs the scene stored in a trace again, from the text and files that the trace carries, and\n"
    "compares the state after every physics step with the recorded hash. The first step that differs is\n"
    "told, and how far apart the bodies are in the frame that follows. Of a run that was killed or\n"
    "interrupted, what was recorded is compared.\n\n"
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

// What is held against the trace.
typedef struct Replay {
  TraceReader *reader;
  Scene *scene;
  const uint64_t *hashes;
  long count; // of steps
} Replay;

// The part of a character that is farthest from where a frame of the trace has it.
typedef struct Farthest {
  double distance; // m
  const char *character, *part;
} Farthest;

// False when the trace has no such frame, or not these bodies.
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
      const dReal *now = dBodyGetPosition(character->ragdoll->ode[k]);
      double distance =
          sqrt(pow(now[0] - positions[k][0], 2) + pow(now[1] - positions[k][1], 2) + pow(now[2] - positions[k][2], 2));
      if (!(distance <= farthest->distance)) // also when it is not a number
        *farthest = (Farthest){distance, character->def->name, character->def->body->parts[k].name};
    }
  }
  return true;
}

// After a step that differs: goes on to the next frame and says how far apart the bodies are by then.
static void explain(const Replay *replay) {
  Scene *scene = replay->scene;
  int steps = scene->def->steps_per_frame;
  while (scene->world->steps % steps != 0 && scene_step(scene))
    continue;
  long frame = scene->world->steps / steps;
  Farthest farthest = {0};
  if (scene->world->stopped || !find_farthest(replay, frame, &farthest))
    return;
  printf("in frame %ld, at %.6f s, ", frame, scene->world->time);
  if (farthest.part == NULL)
    puts("all parts are where the trace has them");
  else
    printf("%s of %s is %.3g m from where the trace has it, other parts less\n", farthest.part, farthest.character,
           farthest.distance);
}

static int tell_difference(const Replay *replay, long step) {
  const World *world = replay->scene->world;
  printf("step %ld of %ld, which ends at %.6f s, is the first that differs from the trace%s%s\n", step + 1,
         replay->count, (double)(step + 1) * world->def.dt, world->stopped ? ": " : "", world->stop_reason);
  if (!world->stopped)
    explain(replay);
  const char *touched = strstr(trace_text(replay->reader, "status"), "touched by hand");
  if (touched != NULL)
    printf("the recorded run was %s, in the viewer\n", touched);
  return EXIT_UNEXPECTED;
}

static int replay_steps(const Replay *replay) {
  if (replay->count == 0) {
    puts("no step was recorded");
    return EXIT_UNEXPECTED;
  }
  Scene *scene = replay->scene;
  Progress progress = progress_begin(true);
  long step = 0, count = replay->count;
  bool same = true;
  while (step < count && same && !interrupt_requested()) {
    same = scene_step(scene) && world_hash(scene->world) == replay->hashes[step];
    step += same;
    progress_update(&progress, (double)step / (double)count);
  }
  progress_end(&progress);
  if (!same)
    return tell_difference(replay, step);
  printf("%ld of %ld steps, %.3f s: %s\n", step, count, (double)step * scene->def->world.dt,
         step == count ? "every step is the same" : "interrupted, the same up to there");
  if (step == count && strcmp(trace_text(replay->reader, "status"), "complete") != 0)
    printf("the recorded run is not complete, its status is: %s\n", trace_text(replay->reader, "status"));
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
  Replay replay = {reader, scene, hashes, count};
  code = scene != NULL ? replay_steps(&replay) : cli_error(&error);
  scene_destroy(scene);
  scene_def_free(def);
  free(hashes);
  trace_reader_close(reader);
  return code;
}
