#include "ragdoll/character.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/curve.h"
#include "ragdoll/character_balance.h"
#include "ragdoll/character_feet.h"
#include "ragdoll/character_graph.h"
#include "ragdoll/character_layers.h"
#include "ragdoll/character_ride.h"
#include "ragdoll/physics_blend.h"
#include "sim/convert.h"
#include "sim/numbers.h"

PARAM_TABLE(start_params, StartDef, START_PARAMS, "start", "Where the character is at first.")
PARAM_TABLE(root_params, RootDef, ROOT_PARAMS, "root", "How the leading root follows intent, ground and body.")

// A part other than a foot that carries more than this share of the body's weight means a fall.
static const double FALLEN_LOAD = 0.02;

// Fastest change of the shown pose that a change of its physical share may cause.
static const double BLEND_TURN = 1.2;  // rad/s
static const double BLEND_SHIFT = 0.5; // m/s

// Time in which the body's sag below its animation is noticed.
static const double SAG_SMOOTHING = 0.03; // s

// Weight on more than the feet for so long means that the character is down; the assist lets go in the same time.
static const double FALL_TIME = 0.3; // s

// Share of their strength that the joints keep while the character lies.
static const float LYING_STRENGTH = 0.2f;

// For so long after the last pull of a drag the body is still shown as physics has it, counted while it is close to its
// animation.
static const double HELD_TIME = 0.5; // s
static const double NEAR_GAP = 0.1;  // m

// Beyond this distance of the root the animation says nothing about the body any more.
static const double LOST_GAP = 0.25; // m

// A clip that moves slower than this is one that stays on the spot.
static const float SLOWEST_CLIP = 0.05f; // m/s

// Below this share of its clip's speed a character goes over from the clip to standing, and takes this time for it.
static const double STRIDING_SPEED = 0.3;
static const double STRIDING_SMOOTHING = 0.15; // s
static const double STRIDING_SETTLED = 1e-4;   // of the share

// Time in which the root gives in to a body that has left its leash.
static const double LEASH_TIME = 0.2; // s

versors character_heading_rotation(double heading) {
  return (versors){{0, (float)sin(heading / 2), 0, (float)cos(heading / 2)}};
}

// Height of the ground under the root; keeps the present one where there is no ground.
static double ground_under_root(const Character *character) {
  double height;
  const double *p = character->root_position;
  return character->ground.height(character->ground.context, p[0], p[2], &height, NULL) ? height : p[1];
}

static bool clip_moves(const Clip *clip) { return clip && fabsf(clip->root_velocity_l.z) > SLOWEST_CLIP; }

// Seconds of the move clip that pass in a second. Going sideways takes steps as well.
static double clip_pace(const Character *character) {
  const Clip *clip = character->def->move;
  const double *speed = character->root_speed;
  return clip_moves(clip) ? copysign(hypot(speed[0], speed[1]), speed[0]) / (double)clip->root_velocity_l.z : 1;
}

double character_wanted_heading(const Character *character) {
  return character->intent.heading * RAD_PER_DEGREE + character->intent_turn;
}

// Heading and speeds after dt: as intended, as far as the root can turn and accelerate. What lies on the ground wants
// nothing.
static void follow_intent(const Character *character, double dt, double *heading, double speed[2]) {
  const RootDef *def = &character->def->root;
  const Intent *intent = &character->intent;
  double turn = remainder(character_wanted_heading(character) - *heading, 2 * M_PI);
  double left = 1 - (double)character->play.root_motion.share; // of the root's way: the rest is the clips'
  double most = left * def->turn_rate * RAD_PER_DEGREE * dt, own;
  *heading += character_graph_turns(character, &own) ? own * dt : fmax(-most, fmin(most, turn));

  double goal[2] = {left * intent->speed, left * intent->strafe};
  double change = hypot(goal[0] - speed[0], goal[1] - speed[1]);
  double share = change > def->acceleration * dt ? def->acceleration * dt / change : 1;
  for (int i = 0; i < 2; i++)
    speed[i] = character->down ? 0 : share < 1 ? speed[i] + share * (goal[i] - speed[i]) : goal[i];
}

// Velocity over the ground, x and z.
static void root_velocity(double heading, const double speed[2], double velocity[2]) {
  velocity[0] = speed[0] * sin(heading) + speed[1] * cos(heading);
  velocity[1] = speed[0] * cos(heading) - speed[1] * sin(heading);
}

static void advance_phase(Character *character, double dt) {
  const CharacterDef *def = character->def;
  character->phase_time += dt * clip_pace(character);
  if (def->move && def->move->loop)
    character->phase_time -= floor(character->phase_time / (double)def->move->duration) * (double)def->move->duration;
}

// Goes with the ground, turns toward the intended heading and moves at the intended speed; waits for a body that lags
// behind.
static void advance_root(Character *character, double dt) {
  const CharacterDef *def = character->def;
  double velocity[2], ground = character_ride(character, dt);
  double heading = character->root_heading;
  follow_intent(character, dt, &character->root_heading, character->root_speed);
  character->root_turn_rate = remainder(character->root_heading - heading, 2 * M_PI) / dt;
  root_velocity(character->root_heading, character->root_speed, velocity);
  double gap[2] = {(double)(character->measured.position[0].x - character->target.position[0].x),
                   (double)(character->measured.position[0].z - character->target.position[0].z)};
  double distance = hypot(gap[0], gap[1]), excess = distance - def->root.leash;
  if (excess > 0)
    for (int i = 0; i < 2; i++)
      velocity[i] += gap[i] / distance * excess / LEASH_TIME;

  double height = character->root_position[1];
  spring_step(&character->root_position[1], &character->root_velocity[1], ground, def->root.ground_smoothing, dt);
  character->root_velocity[0] = velocity[0];
  character->root_velocity[2] = velocity[1];
  character->root_position[0] += velocity[0] * dt;
  character->root_position[2] += velocity[1] * dt;
  character->root_velocity[1] = (character->root_position[1] - height) / dt;
  advance_phase(character, dt);
}

// Turn about up from one rotation to another, rad.
static double turn_between(versors from, versors to) {
  versors turn = glms_quat_mul(to, glms_quat_conjugate(from));
  return remainder(2 * atan2((double)turn.y, (double)turn.w), 2 * M_PI);
}

// The root goes a part of the way to where its body is: no force holds that at the place that animation has for it.
static void stay_with_body(Character *character, double dt) {
  double time = character->def->root.follow;
  character->carry = (LayerCarry){.turn = 0};
  if (time <= 0 || character->drive.def.kinematic)
    return;
  double share = -expm1(-dt / time);
  LayerCarry *carry = &character->carry;
  vec3s from = character->target.position[0], to = character->measured.position[0];
  carry->turn = share * turn_between(character->target.rotation[0], character->measured.rotation[0]);
  vec3_to_ode(from, carry->pivot);
  carry->shift[0] = share * (double)(to.x - from.x);
  carry->shift[2] = share * (double)(to.z - from.z);
  character->root_heading += carry->turn;
  layer_carry_point(carry, character->root_position);
}

// Share of the move clip that fits the root's speed: none at rest.
static double moving_goal(const Character *character) {
  const Clip *clip = character->def->move;
  if (character->graph)
    return character->play.lead ? 1 : 0;
  if (!clip_moves(clip))
    return 1;
  double speed = hypot(character->root_speed[0], character->root_speed[1]);
  return smooth_step(speed / (STRIDING_SPEED * fabs((double)clip->root_velocity_l.z)));
}

static void advance_moving(Character *character, double dt) {
  double goal = moving_goal(character);
  spring_step(&character->moving, &character->moving_velocity, goal, STRIDING_SMOOTHING, dt);
  character->moving = fmax(0, fmin(character->moving, 1)); // a goal that turns back makes it swing past the end
  if (fabs(character->moving - goal) < STRIDING_SETTLED) {
    character->moving = goal;
    character->moving_velocity = 0;
  }
}

// Looks where it is asked to, as far as the joints of neck and head turn.
static void aim_look(Character *character) {
  Look *look = &character->look;
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
  look->goal_pitch = fmax(-high[0], fmin(-low[0], pitch)); // a turn about x, which is left, looks down
  look->goal_yaw = fmax(low[1], fmin(high[1], yaw));
}

// The move clip, mixed with its unstable variants in the same phase by what hits ask for.
static void play_clips(Character *character) {
  const CharacterDef *def = character->def;
  Pose poses[1 + STAGGER_COUNT];
  const Pose *mixed[1 + STAGGER_COUNT];
  float weights[1 + STAGGER_COUNT] = {1};
  int count = 1;
  clip_sample(def->move, (float)character->phase_time, &poses[0]);
  mixed[0] = &poses[0];
  for (int i = 0; i < STAGGER_COUNT; i++) {
    float weight = character->hit_reaction.stagger[i];
    if (!def->stagger[i] || weight <= 0)
      continue;
    double phase = character->phase_time / (double)def->move->duration;
    clip_sample(def->stagger[i], (float)(phase * (double)def->stagger[i]->duration), &poses[count]);
    mixed[count] = &poses[count];
    weights[count++] = weight;
    weights[0] -= weight;
  }
  if (weights[0] < 0)
    weights[0] = 0;
  if (count == 1)
    character->animation_m = poses[0];
  else
    pose_blend_many(mixed, weights, count, &character->animation_m);
}

// The clips as far as it moves, the bind pose as far as it stands; and where it looks.
static void animate(Character *character, double dt) {
  const CharacterDef *def = character->def;
  const Skeleton *skeleton = &def->body->skeleton;
  if (character->graph) {
    character_graph_step(character, dt);
    look_apply(&character->look, skeleton, &character->animation_m);
    return;
  }
  Pose stance = pose_bind(skeleton);
  if (def->move && character->moving > 0)
    play_clips(character);
  else
    character->animation_m = stance;
  if (character->moving > 0 && character->moving < 1) {
    Pose clip = character->animation_m;
    pose_blend(&stance, &clip, (float)character->moving, NULL, &character->animation_m);
  }
  look_apply(&character->look, skeleton, &character->animation_m);
}

static void place_target(Character *character) {
  vec3s position = vec3_from_ode(character->root_position);
  character->target = character->animation_m;
  pose_place(&character->target, position, character_heading_rotation(character->root_heading));
}

// Where one joint stands in its pose's frame: the chain up to the root, without the rest of the body.
static void place_joint(const Skeleton *skeleton, const Pose *local, int joint, vec3s *position, versors *rotation) {
  *position = local->position[joint];
  *rotation = local->rotation[joint];
  for (int i = skeleton->parent[joint]; i >= 0; i = skeleton->parent[i]) {
    *position = glms_vec3_add(local->position[i], glms_quat_rotatev(local->rotation[i], *position));
    *rotation = glms_quat_normalize(glms_quat_mul(local->rotation[i], *rotation));
  }
}

// The assisted part's target, in double precision so that no rounding far from the origin turns into force.
static void place_assist_target(Character *character, double dt) {
  AssistTarget *target = &character->assist_target;
  int part = character->assist.part;
  if (part < 0)
    return;
  const double *com = character->ragdoll->com_l[part];
  vec3s joint_m;
  versors rotation_m;
  place_joint(&character->def->body->skeleton, &character->animation_m, part, &joint_m, &rotation_m);
  versors heading = character_heading_rotation(character->root_heading);
  vec3s offset = {{(float)com[0], (float)com[1], (float)com[2]}};
  vec3s center_m = glms_vec3_add(joint_m, glms_quat_rotatev(rotation_m, offset));
  vec3s from_root = glms_quat_rotatev(heading, center_m);
  versors rotation = glms_quat_mul(heading, rotation_m);
  vec3s turn = quat_log(glms_quat_mul(rotation, glms_quat_conjugate(target->rotation)));
  target->angular_velocity = glms_vec3_scale(turn, (float)(1 / dt));
  target->rotation = rotation;
  for (int i = 0; i < 3; i++) {
    double position = character->root_position[i] + (double)from_root.raw[i];
    target->velocity[i] = (position - target->position[i]) / dt;
    target->position[i] = position;
  }
}

// Distance in m between where the animation has the root and where the body has it.
static double root_gap(const Character *character) {
  return (double)glms_vec3_distance(character->target.position[0], character->measured.position[0]);
}

const Clip *character_stepping_clip(const Character *character, double *time, double *pace) {
  *time = character->graph ? character->play.lead_time : character->phase_time;
  *pace = character->graph ? character->play.lead_pace : clip_pace(character);
  return character->graph ? character->play.lead : character->def->move;
}

static FootRoot foot_root(const Character *character) {
  FootRoot root = {.rotation = character_heading_rotation(character->root_heading), .still = 1 - character->moving};
  memcpy(root.position, character->root_position, sizeof root.position);
  for (int i = 0; i < 3; i++)
    root.velocity[i] = character->root_velocity[i] + character->ground_velocity[i];
  return root;
}

// Feet that a graph lifts without a clip that leads it: by root motion, or mirrored. Where they land it does not say.
static void lift_feet(Character *character) {
  bool moves = character->play.root_motion.share > 0 ||
               hypot(character->root_speed[0], character->root_speed[1]) > (double)SLOWEST_CLIP;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++)
    if (character->graph && moves && !character->play.contact[i])
      character->foot_plans[i] = (FootPlan){.known = false};
}

// What the animation says of its feet: the clip that leads knows, and who stands still stands.
static void plan_feet(Character *character) {
  double time, pace;
  const Clip *clip = character_stepping_clip(character, &time, &pace);
  if (!clip) {
    foot_plan_standing(&character->def->body->skeleton, &character->target, character->foot_plans);
    lift_feet(character);
    return;
  }
  if (character->landings_clip != clip)
    foot_landings_find(&character->landings, clip);
  character->landings_clip = clip;
  FootRoot root = foot_root(character);
  foot_plan_from_clip(&character->landings, clip, time, pace, &root, &character->target, character->foot_plans);
}

static void prepare_target(Character *character, double dt) {
  character->previous_target = character->target;
  if (character_balances(character)) {
    character_balance_root(character, dt);
    advance_phase(character, dt);
  } else {
    stay_with_body(character, dt);
    advance_root(character, dt);
  }
  advance_moving(character, dt);
  aim_look(character);
  look_step(&character->look, dt);
  animate(character, dt);
  place_target(character);
  plan_feet(character);
  character_layers_apply(character, dt);
  if (character_balances(character))
    character_balance_step(character, dt);
  else
    drive_follow(character->def->body, &character->target, &character->previous_target, dt, character->joint_goals);
  place_assist_target(character, dt);
}

// The body starts with the velocity that its animation has: one step of it, looked at and taken back.
static bool start_moving(Character *character, Error *error) {
  double dt = character->world->def.dt;
  Character first = *character;
  first.metrics = NULL; // nothing of it counts
  if (character->graph) {
    first.graph = character_graph_create(character, error);
    if (!first.graph)
      return false;
    animate(&first, 0);
  }
  bool good = layers_copy(&first.layers, &character->layers) ||
              error_set(error, "out of memory for the layers of character %s", character->def->name);
  if (good)
    prepare_target(&first, dt);
  layers_free(&first.layers);
  graph_destroy(first.graph != character->graph ? first.graph : NULL);
  if (!good)
    return false;
  if (!character->balance.def.enabled) // which begins at rest
    ragdoll_set_pose(character->ragdoll, &character->target, &first.target, dt);
  ragdoll_center_of_mass(character->ragdoll, character->com, character->com_velocity);
  return true;
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
  character->root_speed[0] = character->intent.speed;
  character->root_speed[1] = character->intent.strafe;
  character->root_heading = def->start.heading * RAD_PER_DEGREE;
  character->root_position[0] = def->start.position[0];
  character->root_position[2] = def->start.position[2];
  character->root_position[1] = def->start.position[1] + ground_under_root(character);
  character->support_margin = NAN;
  hit_reaction_init(&character->hit_reaction, &def->hit_reaction, def->body);
  drive_init(&character->drive, &def->drive);
  look_init(&character->look, &def->body->skeleton);
  aim_look(character);
  character->look.yaw = character->look.goal_yaw;
  character->look.pitch = character->look.goal_pitch;
  character_graph_inputs(character);
  if (def->graph)
    character->graph = character_graph_create(character, error);
  if (def->graph && !character->graph) {
    character_destroy(character);
    return NULL;
  }
  character->moving = moving_goal(character);
  animate(character, 0);
  character->moving = moving_goal(character);
  place_target(character);
  plan_feet(character);
  if (!character_layers_init(character, error)) {
    character_destroy(character);
    return NULL;
  }
  character_layers_apply(character, world->def.dt); // what a layer does at first is no motion
  character->previous_target = character->measured = character->output = character->target;
  character->ragdoll = ragdoll_create(def->body, world, index, &character->target, error);
  character->metrics = metrics_create(def->body->mass);
  if (!character->metrics)
    error_set(error, "out of memory for the metrics of character %s", def->name);
  if (!character->ragdoll || !character->metrics ||
      !assist_init(&character->assist, &def->assist, character->ragdoll, error) ||
      !balance_init(&character->balance, &def->balance, character->ragdoll, character->root_heading, error)) {
    character_destroy(character);
    return NULL;
  }
  if (def->drive.kinematic)
    ragdoll_set_kinematic(character->ragdoll);
  place_assist_target(character, world->def.dt);
  memset(character->assist_target.velocity, 0, sizeof character->assist_target.velocity);
  character->assist_target.angular_velocity = GLMS_VEC3_ZERO;
  if (start_moving(character, error))
    return character;
  character_destroy(character);
  return NULL;
}

void character_path(const Character *character, double interval, double points_w[][3], int count) {
  double heading = character->root_heading, place[3], speed[2], velocity[2];
  memcpy(place, character->root_position, sizeof place);
  memcpy(speed, character->root_speed, sizeof speed);
  for (int i = 0; i < count; i++) {
    character->ground.height(character->ground.context, place[0], place[2], &place[1], NULL);
    memcpy(points_w[i], place, sizeof place);
    follow_intent(character, interval, &heading, speed);
    root_velocity(heading, speed, velocity);
    place[0] += velocity[0] * interval;
    place[2] += velocity[1] * interval;
  }
}

void character_destroy(Character *character) {
  if (!character)
    return;
  metrics_destroy(character->metrics);
  ragdoll_destroy(character->ragdoll);
  graph_destroy(character->graph);
  layers_free(&character->layers);
  free(character);
}

bool character_retune(Character *character, Error *error) {
  const CharacterDef *def = character->def;
  character->drive.def = def->drive;
  character->hit_reaction.def = def->hit_reaction;
  balance_retune(&character->balance, &def->balance);
  bool held = character->assist.part >= 0;
  double fade = character->assist.fade;
  if (!assist_retune(&character->assist, &def->assist, character->ragdoll, error))
    return false;
  if (!held && character->assist.part >= 0) {
    character->assist.fade = fade;
    place_assist_target(character, character->world->def.dt); // its velocity counts from here
  }
  return true;
}

void character_pre_step(Character *character) {
  double dt = character->world->def.dt;
  IntentListener listener = {character, character_graph_event, character_layers_fade};
  intent_script_apply(&character->def->script, character->world->time, &character->script_next, &character->intent,
                      &listener);
  intent_check(&character->intent);
  prepare_target(character, dt);
  character_count_refusals(character);
  if (character->drive.def.kinematic) {
    ragdoll_set_pose(character->ragdoll, &character->previous_target, &character->target, dt);
    return;
  }
  for (int i = 0; i < character->def->body->part_count; i++)
    character->drive.strength[i] = character->hit_reaction.strength[i] * (character->down ? LYING_STRENGTH : 1);
  drive_apply(&character->drive, character->ragdoll, character->joint_goals, dt);
  assist_apply(&character->assist, character->ragdoll, &character->assist_target, dt);
  ragdoll_update_limits(character->ragdoll);
}

// Every hit on an own part in the last step, turned into the character's frame. A drag is none, but whoever is held
// shows his body.
static void feel_impulses(Character *character) {
  versors to_character = character_heading_rotation(-character->root_heading);
  if (root_gap(character) < NEAR_GAP)
    character->held_time = fmax(0, character->held_time - character->world->def.dt);
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
  hit_reaction_step(&character->hit_reaction, character->world->def.dt);
}

// Which feet carry, where, and whether anything else does. Returns how many points carry, at most `most`.
static int feel_contacts(Character *character, double points[][3], int most) {
  const World *world = character->world;
  const Skeleton *skeleton = &character->def->body->skeleton;
  double other_load = 0;
  int count = 0;
  memset(character->foot_loaded, 0, sizeof character->foot_loaded);
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    const WorldBody *body = &world->bodies[contact->body];
    bool on_ground = contact->other == WORLD_GROUND || world->bodies[contact->other].ground;
    if (body->owner != character->index || !on_ground)
      continue;
    if (!character->def->body->parts[body->part].foot) {
      other_load += contact->impulse[1];
      continue;
    }
    if (!(contact->impulse[1] > 0))
      continue;
    for (int k = 0; k < skeleton->leg_count; k++)
      if (skeleton->legs[k].ankle == body->part)
        character->foot_loaded[k] = true;
    if (count < most)
      memcpy(points[count++], contact->position, sizeof contact->position);
  }
  double weight = character->def->body->mass * fabs(world->def.gravity[1]);
  character->fallen = other_load > FALLEN_LOAD * weight * world->def.dt;
  return count;
}

// What is wanted, as if the root obeyed at once.
void character_wanted_velocity(const Character *character, double velocity[3]) {
  const Intent *intent = &character->intent;
  const double speed[2] = {intent->speed, intent->strafe};
  double ground[2];
  root_velocity(character_wanted_heading(character), speed, ground);
  velocity[0] = ground[0];
  velocity[1] = 0;
  velocity[2] = ground[1];
}

// What the root does by itself: without its leash, on which a body that is struck or falls drags it along.
static void own_root_velocity(const Character *character, double velocity[3]) {
  double ground[2];
  root_velocity(character->root_heading, character->root_speed, ground);
  vec3s shift =
      glms_quat_rotatev(character_heading_rotation(character->root_heading), character->play.root_motion.shift_l);
  velocity[0] = ground[0] + (double)shift.x / character->world->def.dt;
  velocity[1] = character->root_velocity[1];
  velocity[2] = ground[1] + (double)shift.z / character->world->def.dt;
}

// Where the soles are over the ground, x and z.
static void locate_feet(const Character *character, double places[][2]) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  for (int i = 0; i < skeleton->leg_count; i++) {
    double sole[3];
    ragdoll_point(character->ragdoll, skeleton->legs[i].ankle, skeleton->legs[i].sole_l, sole);
    character_ride_point(character, sole);
    places[i][0] = sole[0];
    places[i][1] = sole[2];
  }
}

// A body that is moved by hand: the hand carries and accelerates all of it. That is reported as the assist's force.
static void weigh_kinematic(Character *character, const double velocity_before[3]) {
  const WorldDef *world = &character->world->def;
  for (int i = 0; i < 3; i++) {
    double acceleration = (character->com_velocity[i] - velocity_before[i]) / world->dt;
    character->assist.force_w[i] = character->def->body->mass * (acceleration - world->gravity[i]);
  }
}

static void measure_step(Character *character) {
  enum { MOST_POINTS = 64 };
  const BodyDef *body = character->def->body;
  Ragdoll *ragdoll = character->ragdoll;
  ragdoll_measure(ragdoll, &character->measured);
  double sag = (double)(character->target.position[0].y - character->measured.position[0].y);
  spring_step(&character->sag, &character->sag_velocity, sag, SAG_SMOOTHING, character->world->def.dt);
  ragdoll_read_torques(ragdoll);
  assist_read(&character->assist);
  double velocity_before[3];
  memcpy(velocity_before, character->com_velocity, sizeof velocity_before);
  ragdoll_center_of_mass(ragdoll, character->com, character->com_velocity);
  if (character->drive.def.kinematic)
    weigh_kinematic(character, velocity_before);

  MetricsStep step = {.time = character->world->time,
                      .dt = character->world->def.dt,
                      .joint_count = body->part_count - 1,
                      .foot_count = body->skeleton.leg_count};
  float torque[BODY_MAX_PARTS][3];
  for (int i = 1; i < body->part_count; i++) {
    character->joint_error[i] = quat_angle_between(character->target.rotation[i], character->measured.rotation[i]);
    step.power += fabs(ragdoll->joints[i].power);
    for (int k = 0; k < 3; k++)
      torque[i][k] = (float)ragdoll->joints[i].torque_w[k];
  }
  double points[MOST_POINTS][3];
  int count = feel_contacts(character, points, MOST_POINTS);
  memcpy(step.com, character->com, sizeof step.com);
  memcpy(step.com_velocity, character->com_velocity, sizeof step.com_velocity);
  character_ride_point(character, step.com);
  step.com[1] = character->com[1]; // over ground_height
  character_ride_velocity(character, step.com_velocity);
  character->support_margin = metrics_support_margin(character->com, step.com_velocity, character->root_position[1],
                                                     (const double(*)[3])points, count);
  step.joint_error = &character->joint_error[1];
  step.joint_torque = (const float(*)[3]) & torque[1];
  step.support_margin = character->support_margin;
  memcpy(step.foot_loaded, character->foot_loaded, sizeof character->foot_loaded);
  locate_feet(character, step.foot_place);
  step.fallen = character->fallen;
  step.ground_height = character->root_position[1];
  step.stride_time = character->graph       ? character->play.cycle
                     : character->def->move ? (double)character->def->move->duration
                                            : 0;
  own_root_velocity(character, step.intended_velocity);
  step.intended_turn_rate = character->root_turn_rate;
  character_wanted_velocity(character, step.wanted_velocity);
  memcpy(step.assist_force, character->assist.force_w, sizeof step.assist_force);
  memcpy(step.assist_torque, character->assist.torque_w, sizeof step.assist_torque);
  metrics_step(character->metrics, &step);
  if (character->graph)
    metrics_set_graph_refusals(character->metrics, graph_refusals(character->graph));
}

// Who has borne weight on more than the feet for a while is down, and up again when that is over and the body is back
// at its animation. Whoever is down wants nothing, hangs loosely in its joints, and is let go by the assist.
static void notice_fall(Character *character) {
  double dt = character->world->def.dt;
  character->lying_time += character->fallen ? dt : -dt;
  character->lying_time = fmax(0, fmin(character->lying_time, FALL_TIME));
  if (character->lying_time >= FALL_TIME)
    character->down = true;
  else if (character->lying_time <= 0 && root_gap(character) < LOST_GAP)
    character->down = false;
  if (character->down && character->balance.def.enabled)
    balance_restart(&character->balance, character->root_heading, character->com);
  double fade = character->assist.fade + (character->down ? -dt : dt) / FALL_TIME;
  character->assist.fade = fmax(0, fmin(fade, 1));
}

// How far each joint shall be shown as physics: as hits ask, and all of it where animation does not describe the body.
static void find_blend_goals(const Character *character, float goals[BODY_MAX_PARTS]) {
  bool lost = character->down || character->held_time > 0 || !character->def->drive.enabled ||
              character->balance.def.enabled || root_gap(character) > LOST_GAP;
  for (int i = 0; i < character->def->body->part_count; i++)
    goals[i] = lost ? 1 : character->hit_reaction.blend[i];
}

void character_post_step(Character *character) {
  Pose measured_before = character->measured;
  measure_step(character);
  notice_fall(character);
  feel_impulses(character);
  const Skeleton *skeleton = &character->def->body->skeleton;
  double dt = character->world->def.dt;
  float goals[BODY_MAX_PARTS];
  find_blend_goals(character, goals);
  BlendPair before = {&character->previous_target, &measured_before}, now = {&character->target, &character->measured};
  physics_blend_follow(skeleton, &before, &now, goals, (float)(BLEND_TURN * dt), (float)(BLEND_SHIFT * dt),
                       character->blend);
  physics_blend(skeleton, &character->target, &character->measured, character->blend, &character->output);
}
