// Hands the lead over between a skill and balance.
#include "ragdoll/character/character_lead.h"

#include <math.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_play.h"
#include "ragdoll/character/character_skill.h"

// s: time constant with which a body comes to the speed that its root has.
static const double LAG = 0.5;

// Whether a skill is one of an upright body, not of getting up.
static bool is_upright(const CharacterDef *def, const SkillDef *skill) {
  return skill && (skill->clip == def->move || skill->clip == def->stand);
}

bool character_only_balances(const Character *character) {
  const CharacterDef *def = character->def;
  bool skilled = false;
  for (int i = 0; i < def->skill_count; i++)
    skilled = skilled || is_upright(def, def->skills[i]);
  return def->balance.enabled && !def->drive.kinematic && !skilled;
}

static bool can_balance(const Character *character) {
  return character->balance.def.enabled && character->ragdoll && !character->down && !character->drive.def.kinematic;
}

static void root_velocity(const RootState *root, double velocity[2]) {
  double x = sin(root->heading), z = cos(root->heading);
  velocity[0] = root->speed[0] * x + root->speed[1] * z;
  velocity[1] = root->speed[0] * z - root->speed[1] * x;
}

// m/s: by how much the centre of mass moves otherwise than that of a body would that follows the root.
static double velocity_error(Character *character, double dt) {
  double *follows = character->lead.velocity, wanted[2], share = -expm1(-dt / LAG);
  root_velocity(&character->root, wanted);
  for (int i = 0; i < 2; i++)
    follows[i] += share * (wanted[i] - follows[i]);
  const double *velocity = character->sensed.com_velocity, *ground = character->root.ground_velocity;
  return hypot(velocity[0] - ground[0] - follows[0], velocity[2] - ground[2] - follows[1]);
}

// Balance catches a body that a skill cannot keep in its motion.
static void catch_body(Character *character, double dt) {
  CharacterLead *lead = &character->lead;
  const BalanceDef *def = &character->balance.def;
  double error = velocity_error(character, dt);
  if (lead->catches) {
    lead->calm_time = error < def->give_back ? lead->calm_time + dt : 0;
    lead->catches = lead->calm_time < def->calm_time;
  } else if (is_upright(character->def, character->skill.active) && error > def->take_over) {
    lead->catches = true;
    lead->calm_time = 0;
  }
}

void character_lead_init(Character *character) {
  character->lead.balance = can_balance(character) && !character_skill_of_clip(character);
  root_velocity(&character->root, character->lead.velocity);
}

void character_lead_step(Character *character, double dt) {
  CharacterLead *lead = &character->lead;
  bool led = lead->balance, can = can_balance(character);
  if (can && character->def->skill_count > 0)
    catch_body(character, dt);
  else
    lead->catches = false;
  lead->balance = can && !character_skill_of_clip(character);
  if (lead->balance && !led && is_upright(character->def, character->skill.active))
    character_balance_take_over(character, dt);
  if (led && can && !lead->balance)
    character_play_resume(character);
}

void character_lead_state(Character *character, StateStream *stream) {
  CharacterLead *lead = &character->lead;
  STATE(stream, lead->balance, lead->catches, lead->calm_time, lead->velocity);
}
