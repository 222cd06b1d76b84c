#include "viewer/scene_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"
#include "sim/convert.h"
#include "viewer/hit_marks.h"

struct SceneSource {
  SceneDef *def;
  Scene *scene;
  HitMarks hits; // so far
};

SceneSource *scene_source_open(const char *path, Error *error) {
  SceneSource *source = calloc(1, sizeof *source);
  if (!source) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  source->def = scene_def_read(path, NULL, 0, error);
  if (source->def)
    source->scene = scene_create(source->def, error);
  if (!source->scene) {
    scene_source_close(source);
    return NULL;
  }
  return source;
}

void scene_source_close(SceneSource *source) {
  if (!source)
    return;
  scene_destroy(source->scene);
  scene_def_free(source->def);
  free(source);
}

double scene_source_end(const SceneSource *source) { return (double)source->def->step_count * source->def->world.dt; }

// Remembers the impulses of the last step. The step has moved the part by then; over one step that is not seen.
static void collect_hits(SceneSource *source) {
  const World *world = source->scene->world;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    const WorldBody *body = &world->bodies[impulse->body];
    if (body->owner == WORLD_NO_OWNER)
      continue;
    vec3s position = vec3_from_ode(dBodyGetPosition(body->ode));
    versors rotation = quat_from_ode(dBodyGetQuaternion(body->ode));
    HitMark hit = {.character = body->owner,
                   .part = body->part,
                   .time = world->time,
                   .offset_l = hit_offset(vec3_from_ode(impulse->point), position, rotation),
                   .impulse_w = vec3_from_ode(impulse->impulse)};
    hit_marks_add(&source->hits, &hit, source->def->world.dt);
  }
}

static bool run_to(SceneSource *source, double time, Error *error) {
  long steps = lround(time / source->def->world.dt);
  if (source->scene->world->steps > steps) {
    scene_destroy(source->scene);
    source->hits.count = 0;
    source->scene = scene_create(source->def, error);
    if (!source->scene)
      return false;
  }
  World *world = source->scene->world;
  while (world->steps < steps) {
    if (!scene_step(source->scene))
      return error_set(error, "%s: the simulation stopped at %.3f s: %s", source->def->path, world->time,
                       world->stop_reason);
    collect_hits(source);
  }
  return true;
}

static void show_character(const SceneSource *source, int index, Picture *picture) {
  const Character *character = source->scene->characters[index];
  const BodyDef *body = character->def->body;
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
  float blend[BODY_MAX_PARTS] = {0};
  for (int i = 0; i < body->part_count; i++) {
    dBodyID ode = character->ragdoll->ode[i];
    positions[i] = vec3_from_ode(dBodyGetPosition(ode));
    rotations[i] = quat_from_ode(dBodyGetQuaternion(ode));
  }
  for (int i = 1; i < body->part_count; i++)
    blend[i - 1] = character->blend[i];

  PictureCharacter look = {
      .body = body,
      .output = &character->output,
      .target = &character->target,
      .part_positions = positions,
      .part_rotations = rotations,
      .blend = blend,
      .assist_force = vec3_from_ode(character->assist.force_w),
  };
  picture_add_character(picture, &look);
  hit_marks_show(&source->hits, index, body, positions, rotations, picture);
  if (index > 0)
    return;
  double center[3], velocity[3];
  ragdoll_center_of_mass(character->ragdoll, center, velocity);
  picture->speed = (float)hypot(velocity[0], velocity[2]);
  picture_look_at(picture, character->output.position[0], (float)character->root_heading, body);
}

bool scene_source_picture(SceneSource *source, double time, Picture *picture, Error *error) {
  picture_clear(picture);
  if (!run_to(source, time, error))
    return false;
  picture->terrain = source->scene->terrain;
  picture->time = source->scene->world->time;
  snprintf(picture->scene, sizeof picture->scene, "%s", source->def->name);
  for (int i = 0; i < source->scene->character_count; i++)
    show_character(source, i, picture);
  return true;
}
