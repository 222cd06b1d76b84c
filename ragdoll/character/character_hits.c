// Passes impulses of the last step to the hit reaction, and sets muscle tones from scripts.
#include "ragdoll/character/character_hits.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_root.h"
#include "sim/world/convert.h"

// m: the arms begin to go out when the extrapolated centre of mass is this close to the border of the soles or, in
// walking, this far from its planned path; they are fully out after LOST m more.
static const double STANDING_CALM = 0.01, WALKING_CALM = 0.08, LOST = 0.22;

void character_hits_init(Character *character) {
  hit_reaction_init(&character->hit_reaction, &character->def->hit_reaction, character->def->body);
  muscle_tone_init(&character->tone, &character->def->hit_reaction);
  responses_init(&character->responses, &character->def->responses, character->def->body, character->world->seed,
                 character->index);
}

void character_hits_tone(void *context, const char *joint, double tone) {
  Character *character = context;
  int index = skeleton_find(&character->def->body->skeleton, joint);
  if (strcmp(joint, INTENT_WHOLE_BODY) == 0)
    character->tone.whole = tone;
  else if (index >= 0)
    character->tone.joint[index] = (float)tone;
}

// How far the extrapolated centre of mass of a balancing character is from its wanted place, and whether it can still
// be controlled.
static void find_loss_of_balance(const Character *character, ResponseStep *step) {
  const Balancer *balance = &character->balance;
  if (!character_balances(character))
    return;
  double length = balance->body.length, lost = LOST * length;
  if (balance->walking) {
    step->off = plane2_turn(balance->error, -step->heading);
    bool steps = balance->mode == BALANCE_STEPPING;
    step->beyond = steps ? (plane2_length(step->off) - WALKING_CALM * length) / lost : 0;
  } else {
    Plane2 feet = plane2_between(plane2_of(balance->feet[0].sole), plane2_of(balance->feet[1].sole), 0.5);
    step->off = plane2_turn(plane2_sub(balance->xi, feet), -step->heading);
    step->beyond = (STANDING_CALM * length - balance->margin) / lost;
  }
  step->beyond = fmax(0, fmin(1, step->beyond));
}

void character_hits_respond(Character *character, double dt) {
  if (character->down)
    return;
  ResponseStep step = {
      .ragdoll = character->ragdoll, .heading = character->root.heading, .h = dt, .pose_w = &character->target};
  find_loss_of_balance(character, &step);
  responses_step(&character->responses, &step);
}

void character_hits_update(Character *character) {
  versors to_character = character_heading_rotation(-character->root.heading);
  double dt = character->world->def.dt;
  for (int i = 0; i < character->world->impulse_count; i++) {
    const Impulse *impulse = &character->world->impulses[i];
    const WorldBody *body = &character->world->bodies[impulse->body];
    const bool hits = impulse->source != IMPULSE_DRAG && impulse->source != IMPULSE_CABLE;
    if (body->owner != character->index || !hits)
      continue;
    vec3s impulse_m = glms_quat_rotatev(to_character, vec3_from_ode(impulse->impulse));
    hit_reaction_hit(&character->hit_reaction, body->part, impulse->event, impulse_m);
    responses_strike(&character->responses, character->ragdoll, body->part, impulse->event, impulse->impulse,
                     impulse->point);
  }
  hit_reaction_step(&character->hit_reaction, dt);
  muscle_tone_step(&character->tone, character->def->body->part_count, dt);
}
