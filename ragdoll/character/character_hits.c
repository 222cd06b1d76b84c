// Impulses of the last step become hits of the reaction and tensions of the muscles; and animation and body are mixed
// into the shown pose.
#include "ragdoll/character/character_hits.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_root.h"
#include "ragdoll/shown/physics_blend.h"
#include "sim/world/convert.h"

// Fastest change of the shown pose that a change of its physical share may cause.
static const double BLEND_TURN = 1.2;   // rad/s
static const double BLEND_SHIFT = 0.15; // m/s: a straight knee over a planted foot turns by 5 deg for a millimetre

// For so long after the last pull of a drag the body is still shown as physics has it, counted while it is close to its
// animation.
static const double HELD_TIME = 0.5; // s
static const double NEAR_GAP = 0.1;  // m

// A foot whose heel the animation has so much higher than its toe is on its way up: it is held no longer.
static const double ROLLS_OFF = 0.02; // m

// A foot that is shown more than so much as the body's does not stand while the body's has been in the air for so long;
// shorter ones are chatter.
static const float SHOWS_BODY = 0.9f;
static const double IN_THE_AIR = 0.01; // s

void character_hits_init(Character *character) {
  hit_reaction_init(&character->hit_reaction, &character->def->hit_reaction, character->def->body);
  muscle_tone_init(&character->tone, &character->def->hit_reaction);
  foot_lock_init(&character->foot_lock);
}

void character_hits_tone(void *context, const char *joint, double tone) {
  Character *character = context;
  int index = skeleton_find(&character->def->body->skeleton, joint);
  if (strcmp(joint, INTENT_WHOLE_BODY) == 0)
    character->tone.whole = tone;
  else if (index >= 0)
    character->tone.joint[index] = (float)tone;
}

void character_sense_impulses(Character *character) {
  versors to_character = character_heading_rotation(-character->root_heading);
  double dt = character->world->def.dt;
  if (character_root_gap(character) < NEAR_GAP)
    character->held_time = fmax(0, character->held_time - dt);
  for (int i = 0; i < character->world->impulse_count; i++) {
    const Impulse *impulse = &character->world->impulses[i];
    const WorldBody *body = &character->world->bodies[impulse->body];
    if (body->owner != character->index)
      continue;
    if (impulse->source == IMPULSE_DRAG) {
      character->held_time = HELD_TIME;
      continue;
    }
    vec3s impulse_m = glms_quat_rotatev(to_character, vec3_from_ode(impulse->impulse));
    hit_reaction_hit(&character->hit_reaction, body->part, impulse->event, impulse_m);
  }
  hit_reaction_step(&character->hit_reaction, dt);
  muscle_tone_step(&character->tone, character->def->body->part_count, dt);
}

// Whether the animation has its foot on the ground, and that says something of the shown one.
static bool foot_stands(const Character *character, int leg) {
  const FootPlan *plan = &character->foot_plans[leg];
  int ankle = character->def->body->skeleton.legs[leg].ankle;
  if (character->blend[ankle] > SHOWS_BODY && character->air_time[leg] > IN_THE_AIR)
    return false;
  return plan->known && plan->standing && plan->heel - plan->toe < ROLLS_OFF;
}

void character_blend_output(Character *character, const Pose *measured_before, bool lost) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  double dt = character->world->def.dt;
  float goals[BODY_MAX_PARTS];
  for (int i = 0; i < skeleton->count; i++)
    goals[i] = lost ? 1 : character->hit_reaction.blend[i];
  BlendPair before = {&character->previous_target, measured_before}, now = {&character->target, &character->measured};
  physics_blend_follow(skeleton, &before, &now, goals, (float)(BLEND_TURN * dt), (float)(BLEND_SHIFT * dt),
                       character->blend);
  physics_blend(skeleton, &character->target, &character->measured, character->blend, &character->output);

  bool standing[SKELETON_MAX_LEGS];
  for (int i = 0; i < skeleton->leg_count; i++) {
    character->air_time[i] = character->foot_loaded[i] ? 0 : character->air_time[i] + dt;
    standing[i] = !lost && foot_stands(character, i);
  }
  foot_lock_apply(&character->foot_lock, skeleton, &character->ground, &character->target, standing, dt,
                  &character->output);
}
