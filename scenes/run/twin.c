// Creates scenes without a hit, and finds the hits of a step.
#include "scenes/run/twin.h"

// Hits by contact have the number of an event unless a character gave them.
static bool is_blow(const World *world, const Impulse *impulse, bool contacts) {
  const bool given = impulse->source == IMPULSE_BULLET || impulse->source == IMPULSE_PUSH;
  const bool struck = contacts && impulse->source == IMPULSE_CONTACT && impulse->event >= 0;
  return (given || struck) && world->bodies[impulse->body].owner != WORLD_NO_OWNER;
}

static const Impulse *next_of(const World *world, int *next, bool contacts) {
  while (*next < world->impulse_count) {
    const Impulse *impulse = &world->impulses[(*next)++];
    if (is_blow(world, impulse, contacts))
      return impulse;
  }
  return NULL;
}

const Impulse *twin_next_hit(const World *world, int *next) { return next_of(world, next, false); }

const Impulse *twin_next_blow(const World *world, int *next) { return next_of(world, next, true); }

Scene *twin_create(SceneDef *def, int event, Error *error) {
  Scene *scene = scene_create(def, error);
  if (scene)
    twin_mute(scene, event);
  return scene;
}

void twin_mute(Scene *scene, int event) {
  World *world = scene->world;
  scene->events.muted = event;
  for (int i = 0; i < world->loose_count; i++) {
    WorldBody *body = &world->bodies[world->loose[i]];
    body->passes |= event >= 0 && body->event == event;
  }
}
