// The heading and the velocity that a character is to have, before the limits of its root.
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"

double character_wanted_heading(const Character *character) {
  const Intent *intent = &character->intent;
  const CharacterFall *fall = &character->fall;
  if (character_plans(character) ||
      // otherwise its graph would begin to turn while it lies, and end the turn on its feet
      character_fall_leads(character))
    return character->root.heading;
  if (fall->facing && intent->speed == 0 && intent->strafe == 0 && intent->heading == fall->intended)
    return fall->kept_heading + character->root.intent_turn;
  return character->intent.heading * RAD_PER_DEGREE + character->root.intent_turn;
}

// The wanted velocity, before the limits of the root; for a planned character its present one.
void character_wanted_velocity(const Character *character, double velocity[3]) {
  const Intent *intent = &character->intent;
  const double speed[2] = {intent->speed, intent->strafe};
  double ground[2];
  character_root_velocity(character_wanted_heading(character),
                          character_plans(character) ? character->root.speed : speed, ground);
  velocity[0] = ground[0];
  velocity[1] = 0;
  velocity[2] = ground[1];
}
