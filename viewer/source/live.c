// Runs a scene in the viewer: steps it, records frames in memory, and applies edits and pokes.
#include "viewer/source/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/output_file.h"
#include "sim/world/world_body.h"

// Memory for past frames: some minutes for one character.
static const size_t FRAMES_BYTES = (size_t)128 << 20;

enum { SEED_TEXT_SIZE = 32 };

static bool is_pull(const Events *events, int number) {
  for (int i = 0; i < events->active_count; i++)
    if (events->active[i].number == number)
      return events->active[i].kind == EVENT_PULL;
  return false;
}

// Collects the impulses of the last step. The part's position is that after the step; the difference is not visible.
static void collect_hits(Live *live) {
  const World *world = live->scene->world;
  double start = world->time - world->def.dt;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    const WorldBody *body = &world->bodies[impulse->body];
    if (body->owner == WORLD_NO_OWNER || impulse->source == IMPULSE_DRAG)
      continue;
    vec3s position = vec3_from_doubles(world_body_position(world, impulse->body));
    versors rotation = object_rotation(world, impulse->body);
    HitMark hit = {.character = body->owner,
                   .part = body->part,
                   .push = impulse->source == IMPULSE_PUSH,
                   .cable = impulse->source == IMPULSE_CABLE || is_pull(&live->scene->events, impulse->event),
                   .holds = impulse->source == IMPULSE_CABLE,
                   .start = start,
                   .end = start,
                   .offset_l = hit_offset(vec3_from_doubles(impulse->point), position, rotation),
                   .impulse_w = vec3_from_doubles(impulse->impulse)};
    live->hit_count = hits_add(live->hits, live->hit_count, LIVE_MAX_HITS, &hit);
  }
}

static void keep_objects(Live *live) {
  int frame = frames_end(live->frames) - 1;
  ObjectList *list = &live->objects[frame % LIVE_OBJECT_FRAMES];
  objects_of_world(list, live->scene->world);
  list->frame = frame;
}

const ObjectList *live_objects(const Live *live, int frame) {
  const ObjectList *list = &live->objects[frame % LIVE_OBJECT_FRAMES];
  return list->count > 0 && list->frame == frame ? list : NULL;
}

static void add_frame(Live *live) {
  frames_add(live->frames);
  keep_objects(live);
}

long live_advance(Live *live, long steps) {
  Scene *scene = live->scene;
  long done = 0;
  while (done < steps && !live->stopped) {
    poke_step(&live->poke, scene);
    if (!scene_step(scene)) {
      live->stopped = true;
      const char *reason = scene->world->stopped ? scene->world->stop_reason : "the trace cannot be written";
      snprintf(live->stop_reason, sizeof live->stop_reason, "%s", reason);
      break;
    }
    done++;
    frames_step(live->frames);
    collect_hits(live);
    if (done == steps || scene->world->steps % live->def->steps_per_frame == 0)
      add_frame(live);
  }
  return done;
}

void live_touch(Live *live) {
  if (live->touched < 0)
    live->touched = live->scene->world->time;
}

bool live_retune(Live *live, const EditGroup *group, const Param *row, Error *error) {
  live_touch(live);
  return scene_retune(live->scene, group, row, error);
}

// The objects of one run, which a reset recreates.
typedef struct Run {
  SceneDef *def;
  Scene *scene;
  Frames *frames;
} Run;

static void run_close(Run *run) {
  frames_free(run->frames);
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

// Reads the scene again with all overrides: those given at the start, the edits, the seed.
static SceneDef *reread_scene(const Live *live, int seed, Error *error) {
  const char *const *edits = NULL;
  int count = edits_overrides(live->edits, &edits);
  const char **all = malloc(sizeof *all * (size_t)(count + 1));
  if (!all) {
    error_set(error, "%s: out of memory", live->def->path);
    return NULL;
  }
  for (int i = 0; i < count; i++)
    all[i] = edits[i];
  char text[SEED_TEXT_SIZE];
  snprintf(text, sizeof text, "seed=%d", seed < 0 ? live->def->run.seed : seed);
  all[count++] = text;
  SceneDef *def = scene_def_reread(live->def, all, count, error);
  free(all);
  return def;
}

// def: is taken over, also on error. NULL: an error has been set before.
static bool run_open(Run *run, SceneDef *def, Error *error) {
  *run = (Run){.def = def};
  if (run->def)
    run->scene = scene_create(run->def, error);
  if (run->scene)
    run->frames =
        frames_of_run(run->scene->world, run->scene->characters, run->scene->character_count, FRAMES_BYTES, error);
  if (run->frames)
    return true;
  run_close(run);
  return false;
}

// Replaces the present run.
static void set_run(Live *live, const Run *run) {
  Run before = {live->def, live->scene, live->frames};
  live->def = run->def;
  live->scene = run->scene;
  live->frames = run->frames;
  run_close(&before);
  poke_reset(&live->poke);
  live->hit_count = 0;
  for (int i = 0; i < LIVE_OBJECT_FRAMES; i++)
    live->objects[i].count = 0;
  live->stopped = false;
  live->touched = -1;
  live->generation++;
  add_frame(live);
}

static bool end_trace(Live *live, Error *error) {
  if (!live->trace)
    return true;
  const World *world = live->scene->world;
  char status[480];
  if (live->stopped)
    snprintf(status, sizeof status, "stopped: %s", live->stop_reason);
  else
    snprintf(status, sizeof status, world->steps >= live->def->step_count ? "complete" : "interrupted");
  size_t length = strlen(status);
  if (live->touched >= 0)
    snprintf(status + length, sizeof status - length, "; touched by hand since %.3f s", live->touched);
  scene_finish(live->scene);
  TraceWriter *trace = live->trace;
  live->trace = NULL;
  return trace_close(trace, status, error);
}

bool live_reset(Live *live, int seed, Error *error) {
  Run run;
  if (!run_open(&run, reread_scene(live, seed, error), error))
    return false;
  bool ended = end_trace(live, error);
  if (!edits_attach(live->edits, run.def, error)) {
    run_close(&run);
    return false;
  }
  set_run(live, &run);
  return ended;
}

bool live_record(Live *live, const char *path, Error *error) {
  if (!path)
    return live_reset(live, -1, error);
  if (!output_check(path, OUTPUT_TRACE, error) || !live_reset(live, -1, error))
    return false;
  TraceInfo info = scene_trace_info(live->def);
  live->trace = trace_create(path, &info, error);
  bool ok = live->trace && scene_record(live->scene, live->trace, error);
  snprintf(live->trace_path, sizeof live->trace_path, "%s", path);
  return ok;
}

static bool open_scene(Live *live, const char *path, const char *const *overrides, int count, Error *error) {
  Run run;
  if (!run_open(&run, scene_def_read(path, overrides, count, error), error))
    return false;
  set_run(live, &run);
  live->edits = edits_create(live->def, error);
  return live->edits != NULL;
}

Live *live_open(const char *path, const char *const *overrides, int override_count, Error *error) {
  Live *live = calloc(1, sizeof *live);
  if (live)
    live->objects = calloc(LIVE_OBJECT_FRAMES, sizeof *live->objects);
  if (!live || !live->objects) {
    error_set(error, "%s: out of memory", path);
  } else {
    poke_init(&live->poke);
    if (open_scene(live, path, overrides, override_count, error))
      return live;
  }
  live_close(live, NULL);
  return NULL;
}

bool live_close(Live *live, Error *error) {
  if (!live)
    return true;
  bool ended = end_trace(live, error);
  edits_destroy(live->edits);
  run_close(&(Run){live->def, live->scene, live->frames});
  free(live->objects);
  free(live);
  return ended;
}
