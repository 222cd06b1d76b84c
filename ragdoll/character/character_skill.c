// Lets a skill lead the body: measures what it sees, runs its network, and turns the goals of the joints.
#include "ragdoll/character/character_skill.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_play.h"
#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"

bool character_has_skill(const Character *character) { return character->skill.active != NULL; }

int character_skill_index(const CharacterDef *def, const Clip *clip) {
  for (int i = 0; i < def->skill_count; i++)
    if (def->skills[i]->clip == clip)
      return i;
  return -1;
}

// The clip that plays at present, and the share of it that has passed.
static const Clip *present_clip(const Character *character, double *phase, bool *mirrored) {
  const CharacterFall *fall = &character->fall;
  bool rises = character->down && fall->machine.state == FALL_RISING && fall->guards;
  const bool rests = character_rests(character);
  const Clip *upright = rests ? character->def->stand : character->def->move;
  const Clip *clip = rises ? fall->entry.clip : character->down ? NULL : upright;
  double time = rises ? (double)fall->clip_time : rests ? character->play.stand_time : character->play.phase_time;
  *mirrored = rises && fall->entry.mirrored;
  *phase = clip ? fmin(time / (double)clip->duration, 1) : 0;
  return clip;
}

const SkillDef *character_skill_of_clip(const Character *character) {
  double phase;
  bool mirrored;
  const DriveDef *drive = &character->drive.def;
  if (character->lead.catches)
    return NULL;
  const Clip *clip = present_clip(character, &phase, &mirrored);
  const int index = drive->enabled && !drive->kinematic ? character_skill_index(character->def, clip) : -1;
  return index < 0 ? NULL : character->def->skills[index];
}

// A skill that has just begun changes nothing until its first decision.
static void begin(CharacterSkill *skill, const SkillDef *def) {
  *skill = (CharacterSkill){.active = def, .pace = 1, .delay = def ? def->params.delay : 0};
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    skill->turns[i] = glms_quat_identity();
}

static int steps_of(const Character *character, double seconds) {
  return (int)round(seconds / character->world->def.dt);
}

static int steps_per_decision(const Character *character) {
  return (int)fmax(1, steps_of(character, 1 / character->skill.active->params.rate));
}

static int late_steps(const Character *character) {
  int most = SKILL_MOST_LATE * steps_per_decision(character);
  return (int)fmin(steps_of(character, character->skill.delay), most);
}

// Height of the target's pelvis over the ground, m. Who gets up has it away from his root, where the ground may be
// higher or lower.
static double target_height(const Character *character) {
  double height = (double)character->animation_m.position[0].y, ground;
  vec3s pelvis = character->target.position[0];
  const Ground *under = &character->ground;
  if (character->down &&
      under->height(under->context, (double)pelvis.x, (double)pelvis.z, (double)pelvis.y, &ground, NULL))
    height = (double)pelvis.y - ground;
  return height;
}

static void observe(Character *character, SkillSight *sight) {
  const CharacterSkill *skill = &character->skill;
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
                    .pelvis_height = target_height(character),
                    .target_m = &character->animation_m,
                    .heading = root->heading,
                    .turn_rate = root->turn_rate,
                    .speed = root->speed[0]};
  if (sense_noise_is_on(&character->drive.def)) {
    view.noise = &character->senses;
    view.senses = &character->drive.def;
  }
  present_clip(character, &view.phase, &view.mirrored);
  view.mirrored = view.mirrored != skill->sways_left;
  sight->mirrored = skill_sees_mirror(skill->active, &view);
  skill_observe(skill->active, &view, skill->actions, sight->inputs);
}

// Notices to which side the pelvis moves.
static void watch_sway(Character *character) {
  CharacterSkill *skill = &character->skill;
  double least = skill->active->params.mirror_sway, place[3];
  if (least <= 0)
    return;
  dVector3 velocity;
  ragdoll_point(character->ragdoll, 0, GLMS_VEC3_ZERO, place);
  dBodyGetPointVel(character->ragdoll->ode[0], place[0], place[1], place[2], velocity);
  double left = velocity[0] * cos(character->root.heading) - velocity[2] * sin(character->root.heading);
  if (fabs(left) > least)
    skill->sways_left = left > 0;
}

// Keeps what is seen now behind what was seen before, and forgets what has become too old for the coming decision.
static void keep_sight(Character *character, int needed) {
  CharacterSkill *skill = &character->skill;
  int forgotten = skill->sight_count - needed + 1;
  if (forgotten > 0) {
    skill->sight_count -= forgotten;
    memmove(&skill->sights[0], &skill->sights[forgotten], (size_t)skill->sight_count * sizeof *skill->sights);
  }
  watch_sway(character);
  observe(character, &skill->sights[skill->sight_count++]);
}

const float *character_skill_inputs(const Character *character) { return character->skill.sights[0].inputs; }

void character_skill_measure(Character *character, float inputs[]) {
  SkillSight now;
  observe(character, &now);
  memcpy(inputs, now.inputs, (size_t)character->skill.active->table.input_count * sizeof *inputs);
}

void character_skill_look(Character *character) {
  CharacterSkill *skill = &character->skill;
  const SkillDef *def = character_skill_of_clip(character);
  if (def != skill->active) {
    begin(skill, def);
    skill->pelvis_before = character->animation_m.position[0];
  }
  if (!def || skill->looked)
    return;
  int period = steps_per_decision(character), late = late_steps(character);
  bool is_used = skill->steps_left % period == late % period; // by the decision that comes `late` steps after it
  if (is_used || skill->sight_count == 0)
    keep_sight(character, late / period + 1);
  skill->looked = true;
}

void character_skill_decide(Character *character, const float outputs[]) {
  CharacterSkill *skill = &character->skill;
  skill_actions(skill->active, skill->sights[0].mirrored, outputs, skill->actions);
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
      skill_network_run(&def->network, character_skill_inputs(character), outputs);
      character_skill_decide(character, outputs);
    }
    skill_interpret(def, skill->actions, skill->turns, &skill->pace);
    skill->steps_left = steps_per_decision(character);
    skill->decided = false;
  }
  skill->steps_left--;
  skill->looked = false;
}

void character_skill_goals(Character *character, double h) {
  const BodyDef *body = character->def->body;
  drive_follow(body, &character->target, &character->previous_target, h, character->joint_goals);
  skill_turn_goals(character->skill.active, character->skill.turns, character->joint_goals);
}

double character_skill_pace(const Character *character) { return character->skill.active ? character->skill.pace : 1; }

// What was seen for the coming decisions. Without a delay it is measured again.
static void sights_state(CharacterSkill *skill, StateStream *stream) {
  STATE(stream, skill->delay);
  if (skill->delay <= 0)
    return;
  size_t size = (size_t)skill->active->table.input_count * sizeof(float);
  state_int(stream, &skill->sight_count, 0, SKILL_MOST_LATE + 1);
  STATE(stream, skill->looked);
  for (int i = 0; i < skill->sight_count && !stream->failed; i++) {
    STATE(stream, skill->sights[i].mirrored);
    state_bytes(stream, skill->sights[i].inputs, size);
  }
}

// The skill that leads is written as its index in the description, -1 for none.
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
  STATE(stream, skill->sways_left);
  state_bytes(stream, skill->actions, (size_t)skill->active->table.action_count * sizeof *skill->actions);
  state_bytes(stream, skill->turns, (size_t)def->body->part_count * sizeof *skill->turns);
  sights_state(skill, stream);
}
