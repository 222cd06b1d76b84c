// Saving and restoring a character: its plain values at once, then what hangs on it. What belongs to the description
// (parameters, bodies, clips) and to the world stays as it is.
#include "ragdoll/character/character.h"

// The clips that a character may show, as numbers: those of its graph, then its own. -1: none of them.
static int clip_number(const Character *character, const Clip *clip) {
  const CharacterDef *def = character->def;
  for (int i = 0; i < GET_UP_COUNT; i++)
    if (clip && def->get_up[i] == clip)
      return GRAPH_MAX_NODES + i;
  return def->graph ? graph_clip_number(def->graph, clip) : -1;
}

static const Clip *clip_of(const Character *character, int number) {
  const CharacterDef *def = character->def;
  if (number >= GRAPH_MAX_NODES)
    return number < GRAPH_MAX_NODES + GET_UP_COUNT ? def->get_up[number - GRAPH_MAX_NODES] : NULL;
  return def->graph ? graph_clip(def->graph, number) : NULL;
}

static void clip_state(const Character *character, const Clip **clip, StateStream *stream) {
  int number = state_number(stream, state_restores(stream) ? -1 : clip_number(character, *clip), -1,
                            GRAPH_MAX_NODES + GET_UP_COUNT - 1);
  if (state_restores(stream) && !state_failed(stream))
    *clip = clip_of(character, number);
}

// What has carried a foot is a number among the world's platforms; -1: nothing.
static void foot_platform_state(Character *character, FootPlatform *foot, StateStream *stream) {
  const World *world = character->world;
  const int now = state_restores(stream) || !foot->platform ? -1 : (int)(foot->platform - world->platforms);
  const int number = state_number(stream, now, -1, world->platform_count - 1);
  state_struct(stream, foot, sizeof *foot, (StateKept[]){STATE_KEEP(foot->platform)}, 1);
  if (state_restores(stream) && !state_failed(stream))
    foot->platform = number < 0 ? NULL : &world->platforms[number];
}

// Everything that is no pointer and no parameter.
static void values_state(Character *character, StateStream *stream) {
  Assist *assist = &character->assist;
  Balancer *balance = &character->balance;
  HitReaction *reaction = &character->hit_reaction;
  Planner *planner = &character->plan.planner;
  const StateKept kept[] = {
      STATE_KEEP(character->def),
      STATE_KEEP(character->world),
      STATE_KEEP(character->ground),
      STATE_KEEP(character->index),
      STATE_KEEP(character->ragdoll),
      STATE_KEEP(character->drive.def),
      STATE_KEEP(assist->def),
      STATE_KEEP(assist->linear),
      STATE_KEEP(assist->angular),
      STATE_KEEP(balance->def),
      STATE_KEEP(balance->body),
      STATE_KEEP(reaction->def),
      STATE_KEEP(reaction->body),
      STATE_KEEP(character->fall.body),
      STATE_KEEP(character->fall.entry),
      STATE_KEEP(character->graph),
      STATE_KEEP(character->play.lead),
      STATE_KEEP(planner->def),
      STATE_KEEP(planner->table),
      STATE_KEEP(planner->choose),
      STATE_KEEP(planner->context),
      STATE_KEEP(character->layers),
      STATE_KEEP(character->targets),
      STATE_KEEP(character->target_count),
      STATE_KEEP(character->landings),
      STATE_KEEP(character->measured_rides),
      STATE_KEEP(character->output_rides),
      STATE_KEEP(character->metrics),
      STATE_KEEP(character->joint_goals),
      STATE_KEEP(character->play.pose),
      STATE_KEEP(character->fall.held),
      STATE_KEEP(character->fall.from_m),
      STATE_KEEP(planner->offset),
      STATE_KEEP(character->animation_m),
      STATE_KEEP(character->target),
      STATE_KEEP(character->previous_target),
      STATE_KEEP(character->measured),
      STATE_KEEP(character->output),
  };
  state_struct(stream, character, sizeof *character, kept, sizeof kept / sizeof kept[0]);
}

// Poses, and the goals of joints: only what the body has of them.
static void poses_state(Character *character, StateStream *stream) {
  Pose *const poses[] = {&character->play.pose,           &character->fall.held,   &character->fall.from_m,
                         &character->plan.planner.offset, &character->animation_m, &character->target,
                         &character->previous_target,     &character->measured,    &character->output};
  for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++)
    pose_state(poses[i], stream);
  for (int i = 1; i < character->def->body->part_count; i++) {
    JointGoal *goal = &character->joint_goals[i];
    STATE(stream, goal->rotation);
    STATE(stream, goal->angular_velocity_l);
    STATE(stream, goal->feed_forward_l);
    STATE(stream, goal->stiffness);
    STATE(stream, goal->damping);
  }
}

void character_state(Character *character, StateStream *stream) {
  state_section(stream, character->def->name, sizeof *character);
  values_state(character, stream);
  poses_state(character, stream);
  GetUpEntry *entry = &character->fall.entry;
  clip_state(character, &entry->clip, stream);
  STATE(stream, entry->mirrored);
  STATE(stream, entry->time);
  STATE(stream, entry->cost);
  clip_state(character, &character->play.lead, stream);
  if (state_restores(stream))
    character->landings.clip = NULL; // they are found again
  for (int i = 0; i < SKELETON_MAX_LEGS && !state_failed(stream); i++) {
    foot_platform_state(character, &character->measured_rides[i], stream);
    foot_platform_state(character, &character->output_rides[i], stream);
  }
  ragdoll_state(character->ragdoll, stream);
  if (character->graph)
    graph_state(character->graph, stream);
  layers_state(&character->layers, stream);
  metrics_state(character->metrics, stream);
}
