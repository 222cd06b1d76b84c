// Creation of a character, and the order of its step: root, animation, layers, fall or balance, drives; then
// measurement of the body and the output pose.
#include "ragdoll/character/character.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_feet.h"
#include "ragdoll/character/character_goals.h"
#include "ragdoll/character/character_graph.h"
#include "ragdoll/character/character_hand.h"
#include "ragdoll/character/character_hits.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_layers.h"
#include "ragdoll/character/character_lead.h"
#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_play.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/character_sense.h"
#include "ragdoll/character/character_shown.h"
#include "ragdoll/character/character_skill.h"
#include "ragdoll/character/character_state.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

PARAM_TABLE(start_params, StartDef, START_PARAMS, "start", "Initial position and heading of the character.")
PARAM_TABLE(actual_params, ActualDef, ACTUAL_PARAMS, "actual", "How the body differs from its description.")

// rad: beyond this tilt of the root the animation does not describe the body any more.
static const float LOST_TILT = 0.5f;

// The assisted part's target, in double precision, so that rounding far from the origin causes no force.
static void place_assist_target(Character *character, double dt) {
  AssistTarget *target = &character->assist_target;
  int part = character->assist.part;
  if (part < 0)
    return;
  const double *com = character->ragdoll->com_l[part];
  vec3s joint_m;
  versors rotation_m;
  pose_joint_transform(&character->def->body->skeleton, &character->animation_m, part, &joint_m, &rotation_m);
  versors heading = character_heading_rotation(character->root.heading);
  vec3s offset = {{(float)com[0], (float)com[1], (float)com[2]}};
  vec3s center_m = glms_vec3_add(joint_m, glms_quat_rotatev(rotation_m, offset));
  vec3s from_root = glms_quat_rotatev(heading, center_m);
  versors rotation = glms_quat_mul(heading, rotation_m);
  vec3s turn = quat_log(glms_quat_mul(rotation, glms_quat_conjugate(target->rotation)));
  target->angular_velocity = glms_vec3_scale(turn, (float)(1 / dt));
  target->rotation = rotation;
  for (int i = 0; i < 3; i++) {
    double position = character->root.position[i] + (double)from_root.raw[i];
    target->velocity[i] = (position - target->position[i]) / dt;
    target->position[i] = position;
  }
}

static void prepare_target(Character *character, double dt) {
  pose_copy(&character->target, &character->previous_target);
  character_root_step(character, dt);
  character_play_step(character, dt);
  character_jump_return(character, dt);
  character_layers_apply(character, dt);
  character_jump_pose(character, dt);
  character_fall_pose(character, dt);
  character_hits_respond(character, dt);
  if (character_balances(character))
    character_balance_step(character, dt);
  else if (character_has_skill(character))
    character_skill_goals(character, dt);
  else
    character_goals_follow(character, dt);
  place_assist_target(character, dt);
}

// The state of a character in memory that the caller frees; NULL: out of memory.
static void *save_state(Character *character, size_t *size) {
  StateStream count = state_stream_count();
  character_state(character, &count);
  *size = count.at;
  void *bytes = malloc(count.at);
  StateStream save = state_stream_save(bytes, count.at, NULL);
  if (bytes)
    character_state(character, &save);
  return bytes;
}

// Gives the body the initial velocity of its animation, found by making one step and restoring the state. If the ground
// is below or above the start, the character starts at rest.
static bool start_moving(Character *character, Error *error) {
  double dt = character->world->def.dt;
  size_t size;
  void *bytes = save_state(character, &size);
  if (!bytes)
    return error_set(error, "out of memory for character %s", character->def->name);
  character->held_up = character->def->start.position[1] != 0;
  prepare_target(character, dt);
  character->held_up = false;
  Pose next = character->target;
  StateStream restore = state_stream_restore(bytes, size, error);
  character_state(character, &restore);
  free(bytes);
  if (restore.failed)
    return false;
  if (!character->lead.balance) // balance begins at rest
    ragdoll_set_pose(character->ragdoll, &character->target, &next, dt);
  character_sense_mass(character);
  return true;
}

// The assist's target begins where the animation is, at rest.
static void begin_assist_target(Character *character) {
  place_assist_target(character, character->world->def.dt);
  memset(character->assist_target.velocity, 0, sizeof character->assist_target.velocity);
  character->assist_target.angular_velocity = GLMS_VEC3_ZERO;
}

// Puts the body where its animation is, moving as that does.
static bool begin_with_animation(Character *character, Error *error) {
  character_layers_apply(character, character->world->def.dt); // changes made by layers in the first step are no motion
  character->previous_target = character->target;
  character_sense_init(character);
  character_shown_init(character);
  ragdoll_set_pose(character->ragdoll, &character->target, NULL, character->world->def.dt);
  begin_assist_target(character);
  return start_moving(character, error);
}

bool character_place(Character *character, const CharacterPlace *place, Error *error) {
  const Clip *clip = character->def->move;
  if (!clip)
    return error_set(error, "character %s plays no clip", character->def->name);
  character->root.heading = place->heading;
  character->root.speed[0] = character->intent.speed = place->speed;
  character->root.speed[1] = character->intent.strafe = 0;
  character->intent.heading = place->heading / RAD_PER_DEGREE;
  character->play.phase_time = place->phase * (double)clip->duration;
  character_root_stand(character, place->position);
  character_play_begin(character);
  character_lead_init(character);
  return begin_with_animation(character, error);
}

Character *character_create(const CharacterDef *def, World *world, Ground ground, const double (*targets)[3],
                            int target_count, int index, Error *error) {
  Character *character = calloc(1, sizeof *character);
  if (!character) {
    error_set(error, "out of memory for character %s", def->name);
    return NULL;
  }
  character->def = def;
  character->world = world;
  character->ground = ground;
  character->targets = targets;
  character->target_count = target_count;
  character->index = index;
  character->intent = def->intent;
  intent_check(&character->intent);
  character_root_init(character);
  character_hits_init(character);
  drive_init(&character->drive, &def->drive);
  sense_noise_init(&character->senses, world->seed, index);
  character_fall_init(character);
  if (!character_play_init(character, error)) {
    character_destroy(character);
    return NULL;
  }
  if (!character_layers_init(character, error)) {
    character_destroy(character);
    return NULL;
  }
  character_layers_apply(character, world->def.dt); // changes made by layers in the first step are not motion
  character_balance_stand(character);
  character->previous_target = character->target;
  character_sense_init(character);
  character_shown_init(character);
  character->ragdoll = ragdoll_create(def->body, world, index, &character->target, error);
  character->judged = character_metrics_create(def, error);
  if (!character->ragdoll || !character->judged ||
      !assist_init(&character->assist, &def->assist, character->ragdoll, error) ||
      !balance_init(&character->balance, &def->balance, character->ragdoll, character->root.heading, error)) {
    character_destroy(character);
    return NULL;
  }
  ragdoll_set_mass(character->ragdoll, def->actual.mass);
  if (def->drive.kinematic)
    ragdoll_set_kinematic(character->ragdoll);
  character_lead_init(character);
  begin_assist_target(character);
  if (start_moving(character, error))
    return character;
  character_destroy(character);
  return NULL;
}

void character_destroy(Character *character) {
  if (!character)
    return;
  character_metrics_destroy(character->judged);
  ragdoll_destroy(character->ragdoll);
  graph_destroy(character->graph);
  layers_free(&character->layers);
  free(character);
}

bool character_retune(Character *character, Error *error) {
  const CharacterDef *def = character->def;
  character->drive.def = def->drive;
  if (character->hit_reaction.def.tone != def->hit_reaction.tone)
    character_hits_tone(character, INTENT_WHOLE_BODY, def->hit_reaction.tone);
  character->hit_reaction.def = def->hit_reaction;
  character->responses.def = def->responses;
  balance_retune(&character->balance, &def->balance);
  bool held = character->assist.part >= 0;
  double fade = character->assist.fade;
  if (!assist_retune(&character->assist, &def->assist, character->ragdoll, error))
    return false;
  if (!held && character->assist.part >= 0) {
    character->assist.fade = fade;
    place_assist_target(character, character->world->def.dt); // its velocity is relative to this
  }
  return true;
}

void character_set_joint_offset(Character *character, int joint, vec3s offset) {
  character->joint_offset[joint] = offset;
}

void character_pre_step(Character *character) {
  double dt = character->world->def.dt;
  IntentListener listener = {character, character_graph_event, character_layers_fade, character_hits_tone,
                             character_jump};
  intent_script_apply(&character->def->script, character->world->time, &character->script_next, &character->intent,
                      &listener);
  intent_check(&character->intent);
  sense_noise_step(&character->senses, &character->drive.def, character->def->body->part_count, dt);
  character_lead_step(character, dt);
  character_skill_look(character);
  character_skill_step(character);
  character_jump_step(character, dt);
  prepare_target(character, dt);
  character_count_refusals(character);
  if (character->drive.def.kinematic) {
    character_hand_begin(character);
    ragdoll_set_pose(character->ragdoll, &character->previous_target, &character->target, dt);
    return;
  }
  for (int i = 0; i < character->def->body->part_count; i++)
    character->drive.strength[i] = muscle_tone_strength(&character->tone, i, character->hit_reaction.strength[i]) *
                                   character_fall_strength(character, i) * character->responses.strength[i];
  character_goals_complete(character, dt);
  drive_apply(&character->drive, character->ragdoll, character->joint_goals, dt);
  assist_apply(&character->assist, character->ragdoll, &character->assist_target, dt);
  ragdoll_update_limits(character->ragdoll);
  ragdoll_hold_rotors(character->ragdoll, dt);
}

// Whether the animation does not describe the body, which is then shown as it is; so is a body that holds itself up.
static bool is_lost(const Character *character) {
  float tilt = quat_angle_between(character->target.rotation[0], character->sensed.pose.rotation[0]);
  return character->down || character->sensed.drag_time > 0 || !character->def->drive.enabled ||
         character->balance.def.enabled || character_has_skill(character) || tilt > LOST_TILT ||
         character_root_gap(character) > CHARACTER_LOST_GAP;
}

void character_post_step(Character *character) {
  Pose measured_before;
  pose_copy(&character->sensed.pose, &measured_before);
  character_sense(character);
  if (!character->unseen)
    character_metrics_step(character);
  character_fall_update(character);
  character_sense_drag(character);
  character_hits_update(character);
  if (!character->unseen)
    character_blend_output(character, &measured_before, is_lost(character));
}
