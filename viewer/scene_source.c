#include "viewer/scene_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene.h"
#include "sim/convert.h"
#include "viewer/hit_marks.h"

enum { MAX_HITS = 32 };

struct SceneSource {
  SceneDef *def;
  Scene *scene;
  HitMark hits[MAX_HITS]; // the latest
  int hit_count;
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
  double start = world->time - world->def.dt;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    const WorldBody *body = &world->bodies[impulse->body];
    if (body->owner == WORLD_NO_OWNER)
      continue;
    vec3s position = vec3_from_ode(dBodyGetPosition(body->ode));
    versors rotation = quat_from_ode(dBodyGetQuaternion(body->ode));
    HitMark hit = {.character = body->owner,
                   .part = body->part,
                   .push = impulse->source == IMPULSE_PUSH,
                   .start = start,
                   .end = start,
                   .offset_l = hit_offset(vec3_from_ode(impulse->point), position, rotation),
                   .impulse_w = vec3_from_ode(impulse->impulse)};
    source->hit_count = hits_add(source->hits, source->hit_count, MAX_HITS, &hit);
  }
}

// The hits with all of their impulse: those that last get what the next steps will give. Returns how many.
static int complete_hits(const SceneSource *source, HitMark hits[MAX_HITS]) {
  const Events *events = &source->scene->events;
  double time = source->scene->world->time;
  int count = source->hit_count;
  memcpy(hits, source->hits, sizeof source->hits);
  for (int i = 0; i < events->active_count; i++) {
    const ActiveEvent *event = &events->active[i];
    vec3s impulse = vec3_from_ode(event->impulse_w);
    HitMark rest = {.character = event->def->target,
                    .part = event->part,
                    .push = event->def->kind == EVENT_PUSH,
                    .start = time,
                    .end = time,
                    .impulse_w = glms_vec3_scale(impulse, (float)(1 - event->given))};
    count = hits_add(hits, count, MAX_HITS, &rest);
  }
  return count;
}

static bool run_to(SceneSource *source, double time, Error *error) {
  long steps = lround(time / source->def->world.dt);
  if (source->scene->world->steps > steps) {
    scene_destroy(source->scene);
    source->hit_count = 0;
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

static void show_character(const SceneSource *source, int index, const HitMark *hits, int hit_count, Picture *picture) {
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
  hits_show(hits, hit_count, index, positions, rotations, picture);
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
  picture_describe(picture, source->def);
  HitMark hits[MAX_HITS];
  int hit_count = complete_hits(source, hits);
  hits_write_caption(hits, hit_count, source->def, picture);
  for (int i = 0; i < source->scene->character_count; i++)
    show_character(source, i, hits, hit_count, picture);
  return true;
}
