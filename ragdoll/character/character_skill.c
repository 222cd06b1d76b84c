// Lets a skill lead the body: measures what it sees, runs its network, and turns the goals of the joints.
#include "ragdoll/character/character_skill.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"

bool character_has_skill(const Character *character) { return character->skill.active != NULL; }

// The clip that plays at present, and the share of it that has passed.
static const Clip *present_clip(const Character *character, double *phase, bool *mirrored) {
  const CharacterFall *fall = &character->fall;
  bool rises = character->down && fall->machine.state == FALL_RISING && fall->guards;
  const Clip *clip = rises ? fall->entry.clip : character->down ? NULL : character->def->move;
  double time = rises ? (double)fall->clip_time : character->play.phase_time;
  *mirrored = rises && fall->entry.mirrored;
  *phase = clip ? fmin(time / (double)clip->duration, 1) : 0;
  return clip;
}

static const SkillDef *find_skill(const Character *character) {
  double phase;
  bool mirrored;
  const DriveDef *drive = &character->drive.def;
  const Clip *clip = present_clip(character, &phase, &mirrored);
  for (int i = 0; i < character->def->skill_count && clip && drive->enabled && !drive->kinematic; i++)
    if (character->def->skills[i]->clip == clip)
      return character->def->skills[i];
  return NULL;
}

// A skill that has just begun changes nothing until its first decision.
static void begin(CharacterSkill *skill, const SkillDef *def) { *skill = (CharacterSkill){.active = def, .pace = 1}; }

static void observe(Character *character) {
  CharacterSkill *skill = &character->skill;
  const BodyDef *body = character->def->body;
  const RootState *root = &character->root;
  double h = character->world->def.dt;
  JointGoal goals[BODY_MAX_PARTS];
  drive_follow(body, &character->target, &character->previous_target, h, goals);
  versors back = character_heading_rotation(-root->heading);
  vec3s turn = quat_log(
      glms_quat_mul(character->target.rotation[0], glms_quat_conjugate(character->previous_target.rotation[0])));
  vec3s shift = glms_vec3_sub(character->animation_m.position[0], skill->pelvis_before);
  vec3s velocity = glms_vec3_scale(shift, (float)(1 / h));
  velocity.x += (float)root->speed[1];
  velocity.z += (float)root->speed[0];
  SkillView view = {.ragdoll = character->ragdoll,
                    .ground = &character->ground,
                    .goals = goals,
                    .strength = character->drive.strength,
                    .foot_force = (const double(*)[3])character->sensed.foot_force,
                    .pelvis = character->animation_m.rotation[0],
                    .pelvis_turn = glms_quat_rotatev(back, glms_vec3_scale(turn, (float)(1 / h))),
                    .pelvis_velocity = velocity,
                    .pelvis_height = (double)character->animation_m.position[0].y,
                    .target_m = &character->animation_m,
                    .heading = root->heading,
                    .turn_rate = root->turn_rate,
                    .speed = root->speed[0]};
  present_clip(character, &view.phase, &view.mirrored);
  skill->mirrored = skill_sees_mirror(skill->active, &view);
  skill_observe(skill->active, &view, skill->actions, skill->inputs);
}

void character_skill_look(Character *character) {
  CharacterSkill *skill = &character->skill;
  const SkillDef *def = find_skill(character);
  if (def != skill->active) {
    begin(skill, def);
    skill->pelvis_before = character->animation_m.position[0];
  }
  if (!def || skill->steps_left > 0 || skill->seen)
    return;
  observe(character);
  skill->seen = true;
}

void character_skill_decide(Character *character, const float outputs[]) {
  CharacterSkill *skill = &character->skill;
  skill_actions(skill->active, skill->mirrored, outputs, skill->actions);
  skill->decided = true;
}

void character_skill_step(Character *character) {
  CharacterSkill *skill = &character->skill;
  const SkillDef *def = skill->active;
  skill->pelvis_before = character->animation_m.position[0];
  if (!def)
    return;
  if (skill->steps_left == 0) {
    if (!skill->decided) {
      float outputs[SKILL_MAX_ACTIONS] = {0}; // without a network, as before a training, it does nothing
      skill_network_run(&def->network, skill->inputs, outputs);
      character_skill_decide(character, outputs);
    }
    skill_interpret(def, skill->actions, skill->turns, &skill->pace);
    skill->steps_left = (int)fmax(1, round(1 / (def->params.rate * character->world->def.dt)));
    skill->seen = skill->decided = false;
  }
  skill->steps_left--;
}

void character_skill_goals(Character *character, double h) {
  const BodyDef *body = character->def->body;
  drive_follow(body, &character->target, &character->previous_target, h, character->joint_goals);
  skill_turn_goals(character->skill.active, character->skill.turns, character->joint_goals);
}

double character_skill_pace(const Character *character) { return character->skill.active ? character->skill.pace : 1; }

// The skill that leads is written as its index in the description, -1 for none. What it has seen of the coming decision
// is measured again.
void character_skill_state(Character *character, StateStream *stream) {
  CharacterSkill *skill = &character->skill;
  const CharacterDef *def = character->def;
  int index = -1;
  for (int i = 0; i < def->skill_count; i++)
    if (skill->active == def->skills[i])
      index = i;
  state_int(stream, &index, -1, def->skill_count - 1);
  if (state_restores(stream) && !stream->failed)
    begin(skill, index < 0 ? NULL : def->skills[index]);
  state_int(stream, &skill->steps_left, 0, 1000000);
  STATE(stream, skill->pelvis_before.raw, skill->pace);
  if (!skill->active)
    return;
  state_bytes(stream, skill->actions, (size_t)skill->active->table.action_count * sizeof *skill->actions);
  state_bytes(stream, skill->turns, (size_t)def->body->part_count * sizeof *skill->turns);
}
