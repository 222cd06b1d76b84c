// Creates scenes without a hit, and finds the hits of a step.
#include "scenes/run/twin.h"

const Impulse *twin_next_hit(const World *world, int *next) {
  while (*next < world->impulse_count) {
    const Impulse *impulse = &world->impulses[(*next)++];
    const bool given = impulse->source == IMPULSE_BULLET || impulse->source == IMPULSE_PUSH;
    if (given && world->bodies[impulse->body].owner != WORLD_NO_OWNER)
      return impulse;
  }
  return NULL;
}

Scene *twin_create(SceneDef *def, int event, Error *error) {
  Scene *scene = scene_create(def, error);
  if (scene)
    scene->events.muted = event;
  return scene;
}
