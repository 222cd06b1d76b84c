// The state of a character: its leading root, animation, layers, controllers, falling, the poses of the last step and
// the measurements. Values that are recomputed in every step before they are used are left out.
#include "ragdoll/character/character_state.h"

#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_lead.h"
#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_skill.h"

// Whether the state of falling has the poses and the clip that it requires.
static bool has_what_it_needs(const Character *character) {
  const CharacterFall *fall = &character->fall;
  FallState state = fall->machine.state;
  if (!fall->guards || !character->def->fall.enabled)
    return true;
  if ((state == FALL_FALLING || state == FALL_LYING) && fall->held_pose.count == 0)
    return false;
  return !(state == FALL_RISING && !fall->entry.clip) && !(fall->since < fall->match && fall->from_m.count == 0);
}

// Falling and getting up; a clip is written as its index in the description, -1 for none.
static void falling_state(Character *character, StateStream *stream) {
  CharacterFall *fall = &character->fall;
  const CharacterDef *def = character->def;
  int joints = def->body->skeleton.count, clip = -1;
  for (int i = 0; i < GET_UP_COUNT; i++)
    if (fall->entry.clip && fall->entry.clip == def->get_up[i])
      clip = i;
  fall_state(&fall->machine, stream);
  state_int(stream, &clip, -1, GET_UP_COUNT - 1);
  if (state_restores(stream) && !stream->failed)
    fall->entry.clip = clip < 0 ? NULL : def->get_up[clip];
  STATE(stream, fall->entry.mirrored, fall->entry.time, fall->entry.cost);
  STATE(stream, fall->landed, fall->fall_direction, fall->clip_time, fall->assisted, fall->tilt.raw, fall->lift,
        fall->clip_gap, fall->facing, fall->kept_heading, fall->intended, fall->since, fall->match, fall->strength);
  pose_state(&fall->held_pose, joints, stream);
  pose_state(&fall->from_m, joints, stream);
  if (state_restores(stream) && !has_what_it_needs(character))
    state_fail(stream, "a clip or a pose of the fall is missing");
}

static void plan_state(CharacterPlan *plan, const CharacterDef *def, StateStream *stream) {
  planner_run_state(&plan->planner, stream);
  sense_state(&plan->sense, stream);
  state_int(stream, &plan->reached, 0, def->goal_count);
  STATE(stream, plan->fresh, plan->detours, plan->stuck, plan->stuck_time, plan->clearance, plan->changes);
}

static void root_state(Character *character, StateStream *stream) {
  STATE(stream, character->root.position, character->root.velocity, character->root.heading, character->root.turn_rate,
        character->root.speed, character->play.phase_time, character->play.stand_time, character->play.moving,
        character->play.moving_velocity);
  STATE(stream, character->root.ground_velocity, character->root.ground_turn, character->root.intent_turn,
        character->root.platform_travel, character->root.platform_turn, character->sensed.pelvis_drop,
        character->sensed.pelvis_drop_velocity);
  STATE(stream, character->root.airborne, character->root.rebase.pivot, character->root.rebase.turn,
        character->root.rebase.shift);
}

// The animation, and the layers on top of it.
static void animation_state(Character *character, StateStream *stream) {
  const CharacterDef *def = character->def;
  look_state(&character->play.look, stream);
  if (character->graph) {
    graph_state(character->graph, stream);
    graph_output_state(character->graph, &character->play.graph, stream);
  } else {
    STATE(stream, character->play.graph.contact);
  }
  if (def->planner)
    plan_state(&character->plan, def, stream);
  layers_state(&character->layers, stream);
  state_bytes(stream, character->layer_wanted, (size_t)character->layers.count * sizeof *character->layer_wanted);
  for (int i = 0; i < def->body->skeleton.leg_count; i++)
    foot_plan_state(&character->foot_plans[i], stream);
  if (state_restores(stream))
    character->play.landings.clip = NULL; // looked up again
}

static void poses_state(Character *character, StateStream *stream) {
  const BodyDef *body = character->def->body;
  Pose *const poses[] = {&character->animation_m, &character->target, &character->previous_target,
                         &character->sensed.pose, &character->shown.pose};
  for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
    pose_state(poses[i], body->skeleton.count, stream);
    if (state_restores(stream) && poses[i]->count == 0)
      state_fail(stream, "a pose is missing");
  }
  state_bytes(stream, character->shown.blend, (size_t)body->part_count * sizeof *character->shown.blend);
  foot_lock_state(&character->shown.foot_lock, &body->skeleton, stream);
  AssistTarget *target = &character->assist_target;
  STATE(stream, target->position, target->velocity, target->rotation.raw, target->angular_velocity.raw);
}

// The platform that carries a foot is written as its index, -1 for none.
static void foot_platform_state(FootPlatform *foot, const World *world, StateStream *stream) {
  int platform = foot->platform ? (int)(foot->platform - world->platforms) : -1;
  state_int(stream, &platform, -1, world->platform_count - 1);
  if (state_restores(stream) && !stream->failed)
    foot->platform = platform < 0 ? NULL : &world->platforms[platform];
  STATE(stream, foot->position, foot->rotation, foot->travel, foot->turn);
}

static void measured_state(Character *character, StateStream *stream) {
  const BodyDef *body = character->def->body;
  STATE(stream, character->sensed.com, character->sensed.com_velocity, character->judged->support_margin,
        character->sensed.held, character->sensed.other_load, character->sensed.fallen, character->sensed.drag_time,
        character->down);
  state_bytes(stream, character->sensed.joint_error, (size_t)body->part_count * sizeof *character->sensed.joint_error);
  for (int i = 0; i < body->skeleton.leg_count; i++) {
    FootState *foot = &character->judged->feet[i];
    STATE(stream, character->sensed.foot_loaded[i], character->sensed.air_time[i], character->sensed.foot_caught[i],
          character->sensed.foot_force[i]);
    STATE(stream, character->judged->refused[i], foot->position, foot->ground_height, foot->clearance, foot->planted,
          foot->flat, foot->phase);
    foot_platform_state(&character->judged->measured_platforms[i], character->world, stream);
    foot_platform_state(&character->judged->output_platforms[i], character->world, stream);
  }
}

void character_state(Character *character, StateStream *stream) {
  const BodyDef *body = character->def->body;
  state_section(stream, "character", 4);
  intent_state(&character->intent, stream);
  state_int(stream, &character->script_next, 0, character->def->script.count);
  root_state(character, stream);
  animation_state(character, stream);
  state_section(stream, "controllers", 4);
  state_bytes(stream, character->joint_offset, (size_t)body->part_count * sizeof *character->joint_offset);
  hit_reaction_state(&character->hit_reaction, stream);
  muscle_tone_state(&character->tone, body->part_count, stream);
  responses_state(&character->responses, stream);
  pose_motion_state(&character->motion, body->part_count, stream);
  sense_noise_state(&character->senses, &character->drive.def, body->part_count, stream);
  reflexes_state(&character->reflexes, body, stream);
  drive_state(&character->drive, body, stream);
  falling_state(character, stream);
  if (character->def->jump)
    character_jump_state(character, stream);
  if (character->def->skill_count > 0)
    character_skill_state(character, stream);
  if (character->balance.def.enabled) {
    character_lead_state(character, stream);
    balance_state(&character->balance, stream);
  }
  ragdoll_state(character->ragdoll, stream);
  assist_state(&character->assist, stream);
  state_section(stream, "poses", 1);
  poses_state(character, stream);
  measured_state(character, stream);
  metrics_state(character->judged->metrics, stream);
}
