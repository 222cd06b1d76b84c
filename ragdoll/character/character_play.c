// The animation of a character: the graph, or its clip blended with standing and with the unstable variants of a
// stagger; and the resulting plans of the feet.
#include "ragdoll/character/character_play.h"

#include <math.h>
#include <string.h>

#include "anim/layers/stride.h"
#include "anim/spring.h"
#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_graph.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/character_skill.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// m/s: a slower clip counts as on the spot.
static const float SLOWEST_CLIP = 0.05f;

// Below this pace of its clip a character blends from the clip to standing, in this time.
static const double STRIDING_PACE = 0.3;
static const double STRIDING_SMOOTHING = 0.15; // s
static const double STRIDING_SETTLED = 1e-4;   // of the share

// s for which who has got up stands before he goes.
static const double STEADY_TIME = 1;

// m/s: slower counts as at rest.
static const double SPEED_OF_REST = 0.01;

// Landing places are found anew when the length of the strides, in shares of the clip's, changes by this: some 2 mm.
static const double LANDING_GRAIN = 0.01;

static bool clip_moves(const Clip *clip) { return clip && fabsf(clip->root_velocity_l.z) > SLOWEST_CLIP; }

// The length of strides, in shares of the move clip's own, that suits the root's speed. A clip that plays in reverse
// keeps its strides: landing on the toes, it is further from how people walk the shorter they are (mean force of the
// assist at -0.8 m/s with the clip of 1.3 m/s: 81 N, with shorter strides 129 N). So does one who balances by himself:
// his steps are his own, at much the same cadence at all speeds, and his arms swing as in the clip.
static double clip_stride(const Character *character) {
  const Clip *clip = character->def->move;
  const double *speed = character->root.speed;
  if (!clip_moves(clip) || character_balances(character) || speed[0] * (double)clip->root_velocity_l.z < 0)
    return 1;
  return stride_share(hypot(speed[0], speed[1]), fabs((double)clip->root_velocity_l.z), (double)clip->stride_exponent);
}

// Pace of the move clip at which the feet do not slip, clip seconds per second. Moving sideways takes steps, too.
static double striding_pace(const Character *character) {
  const Clip *clip = character->def->move;
  const double *speed = character->root.speed, stride = clip_stride(character);
  if (!clip_moves(clip))
    return 1;
  return copysign(hypot(speed[0], speed[1]), speed[0]) / (double)clip->root_velocity_l.z / stride;
}

static double clip_pace(const Character *character) {
  return character_skill_pace(character) * striding_pace(character);
}

// m/s: the slowest that the skill of the move clip can go; without one a character comes to rest by its animation.
static double slowest_going(const Character *character) {
  const CharacterDef *def = character->def;
  const int index = character_skill_index(def, def->move);
  return index < 0 ? 0 : def->skills[index]->params.speed[0];
}

// Whether the character has just got up, and steadies itself.
static bool has_just_risen(const Character *character) {
  const FallMachine *machine = &character->fall.machine;
  return machine->state == FALL_UPRIGHT && machine->reason == FALL_STANDING && machine->time < STEADY_TIME;
}

bool character_rests(const Character *character) {
  if (!character->def->stand)
    return false;
  const Intent *intent = &character->intent;
  const double *speed = character->root.speed, slowest = slowest_going(character);
  bool goes = hypot(intent->speed, intent->strafe) >= fmax(SPEED_OF_REST, slowest / 2);
  return (!goes || has_just_risen(character) || character_jumps(character)) &&
         hypot(speed[0], speed[1]) <= fmax(SPEED_OF_REST, slowest);
}

// Where in its cycle the move clip begins after a rest, s: in the middle of a swing, as the foot passes the other one,
// beside which it stands.
static double starting_phase(const Clip *clip) {
  const ClipContact *contact = clip_first_contact(clip, 0);
  const double cycle = (double)clip->duration;
  if (!contact)
    return 0;
  const double swing = fmod((double)contact->begin - (double)contact->end + cycle, cycle);
  return fmod((double)contact->end + swing / 2, cycle);
}

static void advance_stand(Character *character, double dt) {
  const Clip *clip = character->def->stand;
  if (!clip)
    return;
  double time = character->play.stand_time + dt;
  character->play.stand_time = clip->loop ? time - floor(time / (double)clip->duration) * (double)clip->duration : time;
  if (character_rests(character) && character->play.moving <= 0)
    character->play.phase_time = starting_phase(character->def->move);
}

static void advance_phase(Character *character, double dt) {
  const CharacterDef *def = character->def;
  character->play.phase_time += dt * clip_pace(character);
  if (def->move && def->move->loop)
    character->play.phase_time -=
        floor(character->play.phase_time / (double)def->move->duration) * (double)def->move->duration;
}

// Share of the move clip that suits the root's speed: 0 at rest.
static double moving_goal(const Character *character) {
  const Clip *clip = character->def->move;
  if (character->graph)
    return character->play.graph.lead ? 1 : 0;
  if (character_rests(character))
    return 0;
  if (!clip_moves(clip))
    return 1;
  return smooth_step(fabs(striding_pace(character)) / STRIDING_PACE);
}

static void advance_moving(Character *character, double dt) {
  double goal = moving_goal(character);
  spring_step(&character->play.moving, &character->play.moving_velocity, goal, STRIDING_SMOOTHING, dt);
  character->play.moving = fmax(0, fmin(character->play.moving, 1)); // the spring may overshoot when its goal reverses
  if (fabs(character->play.moving - goal) < STRIDING_SETTLED) {
    character->play.moving = goal;
    character->play.moving_velocity = 0;
  }
}

// Sets the gaze to the intent's, limited by the joints of neck and head.
static void aim_look(Character *character) {
  Look *look = &character->play.look;
  double low[2] = {0}, high[2] = {0}; // rad about x and y
  for (int i = 0; i < look->count; i++) {
    const JointDef *joint = &character->def->body->parts[look->chain[i]].joint;
    for (int axis = 0; axis < 2; axis++) {
      low[axis] += joint->limit[axis][0];
      high[axis] += joint->limit[axis][1];
    }
  }
  double pitch = character->down ? 0 : character->intent.look_pitch * RAD_PER_DEGREE;
  double yaw = character->down ? 0 : character->intent.look_yaw * RAD_PER_DEGREE;
  look->goal_pitch = fmax(-high[0], fmin(-low[0], pitch)); // a positive rotation about x, which points left, looks down
  look->goal_yaw = fmax(low[1], fmin(high[1], yaw));
}

// The move clip, blended with its unstable variants of the same phase as hits require.
static void play_clips(Character *character) {
  const CharacterDef *def = character->def;
  Pose poses[1 + STAGGER_COUNT];
  const Pose *mixed[1 + STAGGER_COUNT];
  float weights[1 + STAGGER_COUNT] = {1};
  int count = 1;
  clip_sample(def->move, (float)character->play.phase_time, &poses[0]);
  mixed[0] = &poses[0];
  for (int i = 0; i < STAGGER_COUNT; i++) {
    float weight = character->hit_reaction.stagger[i];
    if (!def->stagger[i] || weight <= 0)
      continue;
    double phase = character->play.phase_time / (double)def->move->duration;
    clip_sample(def->stagger[i], (float)(phase * (double)def->stagger[i]->duration), &poses[count]);
    mixed[count] = &poses[count];
    weights[count++] = weight;
    weights[0] -= weight;
  }
  if (weights[0] < 0)
    weights[0] = 0;
  if (count == 1)
    pose_copy(&poses[0], &character->animation_m);
  else
    pose_blend_many(mixed, weights, count, &character->animation_m);
  stride_scale(&def->body->skeleton, clip_stride(character), &character->animation_m);
}

// The pose of a character at rest.
static Pose stance_pose(const Character *character) {
  const CharacterDef *def = character->def;
  Pose pose = pose_bind(&def->body->skeleton);
  if (def->stand)
    clip_sample(def->stand, (float)character->play.stand_time, &pose);
  return pose;
}

// The move clip by its share, the pose of rest by the rest; and the gaze.
void character_animate(Character *character, double dt) {
  const CharacterDef *def = character->def;
  const Skeleton *skeleton = &def->body->skeleton;
  if (character_plans(character) || character->graph) {
    if (character_plans(character)) {
      character_plan_animate(character);
    } else {
      character_graph_step(character, dt);
      if (!character_jumps(character)) // then the root goes its own way
        character_root_add_clips(character, dt);
    }
    look_apply(&character->play.look, skeleton, &character->animation_m);
    return;
  }
  if (def->move && character->play.moving > 0)
    play_clips(character);
  else
    character->animation_m = stance_pose(character);
  if (character->play.moving > 0 && character->play.moving < 1) {
    Pose stance = stance_pose(character), clip = character->animation_m;
    pose_blend(&stance, &clip, (float)character->play.moving, NULL, &character->animation_m);
  }
  look_apply(&character->play.look, skeleton, &character->animation_m);
}

static void place_target(Character *character) {
  vec3s position = vec3_from_ode(character->root.position);
  pose_copy(&character->animation_m, &character->target);
  pose_transform(&character->target, position, character_heading_rotation(character->root.heading));
}

SteppingClip character_stepping_clip(const Character *character) {
  const GraphOutput *play = &character->play.graph;
  if (character->graph)
    return (SteppingClip){play->lead, play->lead_mirrored, play->lead_time, play->lead_pace};
  return (SteppingClip){character->def->move, false, character->play.phase_time, clip_pace(character)};
}

static FootRoot foot_root(const Character *character) {
  FootRoot root = {.rotation = character_heading_rotation(character->root.heading),
                   .still = 1 - character->play.moving};
  memcpy(root.position, character->root.position, sizeof root.position);
  for (int i = 0; i < 3; i++)
    root.velocity[i] = character->root.velocity[i] + character->root.ground_velocity[i];
  return root;
}

// Plans of feet that are lifted by a graph without a leading clip (root motion) or by a planner. Their landing places
// are unknown.
static void lift_feet(Character *character) {
  bool moves = character->play.graph.root_motion.share > 0 || character_plans(character) ||
               hypot(character->root.speed[0], character->root.speed[1]) > (double)SLOWEST_CLIP;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++)
    if (moves && character_tells_contact(character) && !character->play.graph.contact[i])
      character->foot_plans[i] = (FootPlan){.known = false};
}

// A planner bends the path of its moves, so standing feet move with the root by some cm. If they were locked they would
// stand in each other's way, and a body's swinging legs would strike them.
static void let_feet_slide(Character *character) {
  bool slide = character_plans(character) && !character->drive.def.kinematic;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++)
    character->foot_plans[i].slides = slide;
}

// No foot stands while the root falls.
static void lift_in_fall(Character *character) {
  const double soon = 0.3; // s
  for (int i = 0; i < character->def->body->skeleton.leg_count && character->root.airborne; i++) {
    FootPlan *plan = &character->foot_plans[i];
    plan->known = true;
    if (!plan->standing)
      continue;
    plan->standing = false;
    plan->progress = 0.5;
    plan->time_left = soon;
  }
}

// Whoever balances plans his feet himself, and asks of those of his animation only whether they stand; layers and jumps
// ask where.
static bool plans_places(const Character *character) {
  return !character_balances(character) || character->layers.count > 0 || character->jump.active;
}

// The plans of the feet from the animation: those of the leading clip, or standing feet.
static void plan_feet(Character *character) {
  const Pose *pose_w = plans_places(character) ? &character->target : NULL;
  SteppingClip stepping = character_stepping_clip(character);
  if (!stepping.clip) {
    foot_plan_standing(&character->def->body->skeleton, pose_w, character->foot_plans);
    lift_feet(character);
    let_feet_slide(character);
    lift_in_fall(character);
    return;
  }
  FootLandings *landings = &character->play.landings;
  const double stride = character->graph ? 1 : round(clip_stride(character) / LANDING_GRAIN) * LANDING_GRAIN;
  if (landings->clip != stepping.clip || landings->mirrored != stepping.mirrored || landings->stride != stride)
    foot_landings_find(landings, stepping.clip, stepping.mirrored, stride);
  FootRoot root = foot_root(character);
  foot_plan_from_clip(landings, stepping.time, stepping.pace, &root, pose_w, character->foot_plans);
  lift_in_fall(character);
}

bool character_tells_contact(const Character *character) { return character->graph || character_plans(character); }

bool character_play_init(Character *character, Error *error) {
  if (character_plans(character))
    character_plan_init(character);
  look_init(&character->play.look, &character->def->body->skeleton);
  aim_look(character);
  character->play.look.yaw = character->play.look.goal_yaw;
  character->play.look.pitch = character->play.look.goal_pitch;
  character_graph_inputs(character);
  if (character->def->graph)
    character->graph = character_graph_create(character, error);
  if (character->def->graph && !character->graph)
    return false;
  character_play_begin(character);
  return true;
}

void character_play_begin(Character *character) {
  character->play.moving = moving_goal(character);
  character->play.moving_velocity = 0;
  character_animate(character, 0);
  character->play.moving = moving_goal(character); // needs the graph's leading clip
  place_target(character);
  plan_feet(character);
}

void character_play_resume(Character *character) {
  place_target(character);
  pose_copy(&character->target, &character->previous_target);
}

void character_play_step(Character *character, double dt) {
  if (!character_balances(character) || !character_balance_phase(character, dt))
    advance_phase(character, dt);
  advance_stand(character, dt);
  advance_moving(character, dt);
  aim_look(character);
  look_step(&character->play.look, dt);
  character_animate(character, dt);
  place_target(character);
  plan_feet(character);
}
