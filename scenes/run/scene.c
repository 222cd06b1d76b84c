// Builds a running scene from its description, and steps it: events, targets, platforms, characters, the world,
// recording, metrics.
#include "scenes/run/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_plan.h"
#include "scenes/run/scene_plan.h"
#include "scenes/run/trace_states.h"
#include "sim/base/numbers.h"
#include "sim/world/ode_net.h"
#include "sim/world/rope.h"
#include "sim/world/world_body.h"
#include "sim/world/world_ground.h"

// Metrics that compare frames sample the character at this rate, whatever the trace records.
static const double JUDGEMENT_RATE = 60; // Hz

// Computes the positions at a time of the points at which layers look.
static void place_targets(Scene *scene, double time) {
  for (int i = 0; i < scene->def->target_count; i++) {
    const TargetDef *target = &scene->def->targets[i];
    int subject = target->subject;
    const double *root = subject < 0                  ? NULL
                         : scene->characters[subject] ? scene->characters[subject]->root.position
                                                      : scene->def->characters[subject].start.position;
    target_place(target, time, root, scene->targets[i]);
  }
}

// Lets forces move a platform that has a mass.
static bool release_platform(const Scene *scene, int index) {
  const PlatformDef *platform = &scene->def->platforms[index];
  const int body = scene->platforms[index];
  PlatformAxle axle;
  world_body_point_to_world(scene->world, body, platform->hinge, axle.pivot_w);
  world_body_vector_to_world(scene->world, body, platform->axle, axle.axis_w);
  bool turns = length3(platform->axle) > 0;
  return platform_release(scene->world, body, platform->mass, turns ? &axle : NULL, platform->decay);
}

// Creates platforms at rest in their first positions; before the characters, who stand on them.
static bool create_platforms(Scene *scene, Error *error) {
  for (int i = 0; i < scene->def->platform_count; i++) {
    const PlatformDef *platform = &scene->def->platforms[i];
    double position[3], rotation[4];
    platform_def_place(platform, 0, position, rotation);
    scene->platforms[i] = platform_create(scene->world, platform->name, platform->size, position, rotation);
    if (scene->platforms[i] < 0 || (platform->mass > 0 && !release_platform(scene, i)))
      return error_set(error, "the world is full: no room for the platform %s", platform->name);
    platform_set_friction(scene->world, scene->platforms[i], platform->friction);
  }
  return true;
}

// Sets the velocities with which platforms reach their positions at the end of the coming step.
static void move_platforms(Scene *scene) {
  World *world = scene->world;
  for (int i = 0; i < scene->def->platform_count; i++) {
    double position[3], rotation[4];
    if (scene->def->platforms[i].mass > 0)
      continue;
    platform_def_place(&scene->def->platforms[i], (double)(world->steps + 1) * world->def.dt, position, rotation);
    platform_move(world, scene->platforms[i], position, rotation);
  }
}

// Creates props after the characters, since a trace numbers the parts of characters first.
static bool create_props(Scene *scene, Error *error) {
  for (int i = 0; i < scene->def->prop_count; i++) {
    Prop prop = prop_def_prop(&scene->def->props[i], events_number(&scene->events));
    scene->props[i] = prop_create(scene->world, &prop);
    scene->props_struck[i] = -1;
    if (scene->props[i] < 0)
      return error_set(error, "the world is full: no room for the prop %s", prop.name);
  }
  return true;
}

static int rope_end(const Scene *scene, int end) {
  return end < 0                     ? WORLD_GROUND
         : end < SCENE_MAX_PLATFORMS ? scene->platforms[end]
                                     : scene->props[end - SCENE_MAX_PLATFORMS];
}

// Ties ropes, after what they hold has been made.
static bool create_ropes(Scene *scene, Error *error) {
  for (int i = 0; i < scene->def->rope_count; i++) {
    const RopeDef *rope = &scene->def->ropes[i];
    const int bodies[2] = {rope_end(scene, rope->ends[0]), rope_end(scene, rope->ends[1])};
    double points_l[2][3];
    memcpy(points_l[0], rope->at, sizeof points_l[0]);
    memcpy(points_l[1], rope->to_at, sizeof points_l[1]);
    if (!rope_create(scene->world, bodies, (const double(*)[3])points_l, rope->length, rope->stiffness, rope->damping))
      return error_set(error, "the world is full: no room for the rope of %s", rope->from);
  }
  return true;
}

// Releases the props whose time has come.
static void release_props(Scene *scene) {
  const World *world = scene->world;
  double dt = world->def.dt;
  for (int i = 0; i < scene->def->prop_count; i++) {
    const PropDef *prop = &scene->def->props[i];
    if (!prop->fixed && world->steps == lround(prop->release / dt))
      prop_release(scene->world, scene->props[i], prop->velocity);
  }
}

// Notes in the step that began at `start` which props struck a character.
static void note_strikes(Scene *scene, double start) {
  const World *world = scene->world;
  for (int i = 0; i < world->impulse_count; i++)
    for (int k = 0; k < scene->def->prop_count && world->impulses[i].source == IMPULSE_CONTACT; k++)
      if (world->impulses[i].striker == scene->props[k] && scene->props_struck[k] < 0)
        scene->props_struck[k] = start;
}

// Lets characters through the props that have blocked them long enough.
static void give_way(Scene *scene) {
  static const double ROUNDING = 1e-9; // s
  const double time = scene->world->time;
  for (int i = 0; i < scene->def->prop_count; i++) {
    const double blocks = scene->def->props[i].blocks, struck = scene->props_struck[i];
    WorldBody *body = &scene->world->bodies[scene->props[i]];
    if (blocks > 0)
      body->passes = body->event == scene->events.muted || (struck >= 0 && time >= struck + blocks - ROUNDING);
  }
}

// The steps of making bodies, joints and shapes.
typedef struct Building {
  Scene *scene;
  Error *error;
  bool done;
} Building;

static bool create_characters(Scene *scene, Error *error) {
  const SceneDef *def = scene->def;
  const Ground ground = world_ground(scene->world);
  for (int i = 0; i < def->character_count; i++) {
    scene->characters[i] = character_create(&def->characters[i], scene->world, ground,
                                            (const double(*)[3])scene->targets, def->target_count, i, error);
    if (!scene->characters[i])
      return false;
    scene->character_count++;
    if (def->protocol.onset > 0)
      metrics_set_onset(scene->characters[i]->judged->metrics, def->protocol.onset);
    if (def->characters[i].planner && !scene->surroundings && !(scene->surroundings = scene_plan_create(error)))
      return false;
  }
  for (int i = 0; i < scene->character_count; i++)
    character_sample_metrics(scene->characters[i]);
  return true;
}

static void build(void *context) {
  Building *building = context;
  Scene *scene = building->scene;
  const SceneDef *def = scene->def;
  const uint64_t seed = (uint64_t)def->run.seed;
  scene->world = world_create(&def->world, scene->terrain, seed, building->error);
  if (!scene->world || !create_platforms(scene, building->error))
    return;
  place_targets(scene, 0);
  if (!create_characters(scene, building->error))
    return;
  // The metrics have a clock of their own, so that they do not depend on what is recorded.
  scene->steps_per_judgement = (int)fmax(1, round(1 / (JUDGEMENT_RATE * def->world.dt)));
  scene->steps_per_plan = (int)fmax(1, round(1 / (PLAN_SENSE_RATE * def->world.dt)));
  events_init(&scene->events, def->events, def->event_count, seed);
  events_time_reactions(&scene->events, scene->characters);
  building->done = create_props(scene, building->error) && create_ropes(scene, building->error);
}

Scene *scene_create(SceneDef *def, Error *error) {
  Scene *scene = calloc(1, sizeof *scene);
  if (!scene) {
    error_set(error, "%s: out of memory", def->path);
    return NULL;
  }
  scene->def = def;
  scene->terrain = terrain_create(&def->terrain, (uint64_t)def->run.seed, &def->files, error);
  Building building = {scene, error, false};
  char reason[256] = "";
  if (scene->terrain && !ode_guard(build, &building, NULL, reason, sizeof reason)) {
    error_set(error, "%s: %s", def->path, reason);
    // cppcheck-suppress memleak; after a failure in ODE the unfinished scene cannot be destroyed
    return NULL;
  }
  if (building.done)
    return scene;
  scene_destroy(scene);
  return NULL;
}

void scene_destroy(Scene *scene) {
  if (!scene)
    return;
  recorder_destroy(scene->recorder);
  trace_states_destroy(scene->states);
  for (int i = 0; i < scene->character_count; i++)
    character_destroy(scene->characters[i]);
  world_destroy(scene->world);
  terrain_destroy(scene->terrain);
  scene_plan_destroy(scene->surroundings);
  free(scene);
}

TraceInfo scene_trace_info(const SceneDef *def) {
  const char *slash = strrchr(def->path, '/');
  return (TraceInfo){.scene_name = slash ? slash + 1 : def->path,
                     .scene = def->text,
                     .files = &def->files,
                     .seed = (uint64_t)def->run.seed,
                     .dt = def->world.dt,
                     .frame_rate = 1 / (def->steps_per_frame * def->world.dt)};
}

bool scene_watch(Scene *scene, Error *error) {
  if (!scene->recorder)
    scene->recorder = recorder_create_silent(scene->world, scene->characters, scene->character_count, error);
  return scene->recorder != NULL;
}

// Whether frame metrics sample the scene at this moment.
static bool is_judged(const Scene *scene) {
  return !scene->unseen && scene->world->steps > 0 && scene->world->steps % scene->steps_per_judgement == 0;
}

bool scene_record(Scene *scene, TraceWriter *trace, Error *error) {
  Recorder *silent = scene->recorder;
  scene->recorder = silent ? recorder_create_after(silent, trace, error)
                           : recorder_create(trace, scene->world, scene->characters, scene->character_count, error);
  recorder_destroy(silent);
  if (scene->recorder && scene->def->steps_per_state > 0)
    scene->states = trace_states_create(trace, error);
  if (!scene->recorder || (scene->def->steps_per_state > 0 && !scene->states))
    return false;
  if (scene->states)
    trace_states_append(scene->states, scene);
  scene->record_failed = !recorder_frame(scene->recorder, is_judged(scene));
  return true;
}

void scene_stop_recording(Scene *scene) {
  recorder_destroy(scene->recorder);
  trace_states_destroy(scene->states);
  scene->recorder = NULL;
  scene->states = NULL;
  scene->record_failed = false;
}

// The kind of a hit by contact: "projectile" for a thrown ball, "prop", or "collision" with another character.
static const char *kind_of_striker(const WorldBody *striker) {
  return striker->owner != WORLD_NO_OWNER ? "collision" : striker->prop ? "prop" : "projectile";
}

// Reports hits by contact in the step that began at `start` to the metrics and the trace.
static void report_contacts(Scene *scene, double start) {
  const World *world = scene->world;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    if (impulse->source != IMPULSE_CONTACT)
      continue;
    const WorldBody *body = &world->bodies[impulse->body];
    metrics_hit(scene->characters[body->owner]->judged->metrics, start, length3(impulse->impulse), body->name);
    event_report(kind_of_striker(&world->bodies[impulse->striker]), start, world, scene->characters, impulse,
                 recorder_trace(scene->recorder));
  }
}

bool scene_step(Scene *scene) {
  World *world = scene->world;
  if (world->stopped || scene->record_failed)
    return false;
  double start = world->time;
  events_step(&scene->events, world, scene->characters, recorder_trace(scene->recorder));
  place_targets(scene, world->time + world->def.dt);
  move_platforms(scene);
  release_props(scene);
  give_way(scene);
  if (world->steps % scene->steps_per_plan == 0)
    scene_plan(scene);
  for (int i = 0; i < scene->character_count; i++)
    character_pre_step(scene->characters[i]);
  if (!world_step(world))
    return false;
  report_contacts(scene, start);
  note_strikes(scene, start);
  for (int i = 0; i < scene->character_count; i++)
    character_post_step(scene->characters[i]);
  if (scene->recorder)
    recorder_step(scene->recorder);

  const bool judged = is_judged(scene);
  if (judged)
    for (int i = 0; i < scene->character_count; i++)
      character_sample_metrics(scene->characters[i]);
  if (scene->states && world->steps % scene->def->steps_per_state == 0)
    trace_states_append(scene->states, scene);
  if (scene->recorder && world->steps % scene->def->steps_per_frame == 0)
    scene->record_failed = !recorder_frame(scene->recorder, judged);
  return !scene->record_failed;
}

void scene_finish(Scene *scene) {
  TraceWriter *trace = recorder_trace(scene->recorder);
  for (int i = 0; i < scene->character_count; i++) {
    const Character *character = scene->characters[i];
    metrics_finish(character->judged->metrics);
    for (int k = 0; k < metric_row_count && trace; k++) {
      char name[2 * METRICS_NAME_SIZE];
      double value;
      snprintf(name, sizeof name, "%s.%s", character->def->name, metric_rows[k].name);
      if (metrics_value(character->judged->metrics, metric_rows[k].name, &value))
        trace_metric(trace, name, value);
    }
    char name[2 * METRICS_NAME_SIZE];
    snprintf(name, sizeof name, "%s.recovery_strategy", character->def->name);
    if (trace)
      trace_text_metric(trace, name, metrics_strategy(character->judged->metrics));
  }
  if (scene->recorder)
    recorder_finish(scene->recorder);
}
