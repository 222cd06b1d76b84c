// Impulses of the last step become hits of the reaction; tones that a script sets tense and slacken the muscles.
#include "ragdoll/character/character_hits.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_root.h"
#include "sim/world/convert.h"

void character_hits_init(Character *character) {
  hit_reaction_init(&character->hit_reaction, &character->def->hit_reaction, character->def->body);
  muscle_tone_init(&character->tone, &character->def->hit_reaction);
}

void character_hits_tone(void *context, const char *joint, double tone) {
  Character *character = context;
  int index = skeleton_find(&character->def->body->skeleton, joint);
  if (strcmp(joint, INTENT_WHOLE_BODY) == 0)
    character->tone.whole = tone;
  else if (index >= 0)
    character->tone.joint[index] = (float)tone;
}

void character_hits_update(Character *character) {
  versors to_character = character_heading_rotation(-character->root.heading);
  double dt = character->world->def.dt;
  for (int i = 0; i < character->world->impulse_count; i++) {
    const Impulse *impulse = &character->world->impulses[i];
    const WorldBody *body = &character->world->bodies[impulse->body];
    if (body->owner != character->index || impulse->source == IMPULSE_DRAG)
      continue;
    vec3s impulse_m = glms_quat_rotatev(to_character, vec3_from_ode(impulse->impulse));
    hit_reaction_hit(&character->hit_reaction, body->part, impulse->event, impulse_m);
  }
  hit_reaction_step(&character->hit_reaction, dt);
  muscle_tone_step(&character->tone, character->def->body->part_count, dt);
}
