// Passes values of each step and of each frame to the metrics. Controllers do not know what is computed here.
#include "ragdoll/character/character_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_feet.h"
#include "ragdoll/character/character_lead.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_platform.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/own_contacts_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/support.h"

enum { MOST_POINTS = 64 };

CharacterMetrics *character_metrics_create(const CharacterDef *def, Error *error) {
  CharacterMetrics *judged = calloc(1, sizeof *judged);
  Metrics *metrics = metrics_create(def->actual.mass * def->body->mass);
  if (!judged || !metrics) {
    error_set(error, "out of memory for the metrics of character %s", def->name);
    metrics_destroy(metrics);
    free(judged);
    return NULL;
  }
  judged->metrics = metrics;
  judged->support_margin = judged->pressure[0] = judged->pressure[1] = NAN;
  return judged;
}

void character_metrics_destroy(CharacterMetrics *judged) {
  if (!judged)
    return;
  metrics_destroy(judged->metrics);
  free(judged);
}

// The points at which the ground carries a foot. Returns their number, at most MOST_POINTS. pressure: x and z of their
// mean, by the upward impulses there, m; NAN: there are none.
static int find_support(const Character *character, const OwnContacts *own, double points[MOST_POINTS][3],
                        double pressure[2]) {
  const World *world = character->world;
  double sum[2] = {0}, impulse = 0;
  int count = 0;
  for (int i = 0; i < own->count && count < MOST_POINTS; i++) {
    const Contact *contact = own->list[i];
    const WorldBody *body = &world->bodies[contact->body];
    bool on_ground = contact->other == WORLD_GROUND || world->bodies[contact->other].ground;
    if (body->owner != character->index || !on_ground || !character->def->body->parts[body->part].foot ||
        !(contact->impulse[1] > 0))
      continue;
    memcpy(points[count++], contact->position, sizeof contact->position);
    impulse += contact->impulse[1];
    sum[0] += contact->impulse[1] * contact->position[0];
    sum[1] += contact->impulse[1] * contact->position[2];
  }
  for (int k = 0; k < 2; k++)
    pressure[k] = impulse > 0 ? sum[k] / impulse : NAN;
  return count;
}

// Time of two steps of the balance controller, at their present duration, s; 0: unknown.
static double own_stride_time(const Character *character) {
  const Balancer *balance = &character->balance;
  if (character_only_balances(character))
    return balance->walking ? 2 * balance->duration : 0;
  if (character_plans(character))
    return character_plan_stride(character);
  return character->graph       ? character->play.graph.cycle
         : character->def->move ? (double)character->def->move->duration
                                : 0;
}

static MetricsBalance own_balance(const Character *character) {
  const Balancer *balance = &character->balance;
  if (!character_only_balances(character))
    return (MetricsBalance){.known = false};
  return (MetricsBalance){.known = true, .steps = balance->steps, .margin = balance->margin};
}

// Depth of the deepest point of the body in the ground, m.
static double deepest_contact(const Character *character, const OwnContacts *own) {
  const World *world = character->world;
  double deepest = 0;
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    if (contact->other == WORLD_GROUND && world->bodies[contact->body].owner == character->index)
      deepest = fmax(deepest, contact->depth);
  }
  return deepest;
}

// m/s: downward speed of a part's centre of mass over the ground.
static double descent_of(const Character *character, int part) {
  return character->root.ground_velocity[1] - dBodyGetLinearVel(character->ragdoll->ode[part])[1];
}

// m/s of a part past the chest, as seen from it.
static double speed_past_chest(const Character *character, int part) {
  dBodyID chest = character->ragdoll->ode[character->fall.body.chest], body = character->ragdoll->ode[part];
  const dReal *place = dBodyGetPosition(body), *velocity = dBodyGetLinearVel(body);
  dVector3 carried;
  dBodyGetPointVel(chest, place[0], place[1], place[2], carried);
  return length3((const double[3]){velocity[0] - carried[0], velocity[1] - carried[1], velocity[2] - carried[2]});
}

// Whether the ground presses on a part from below.
static bool ground_presses(const Character *character, const OwnContacts *own, int part) {
  const World *world = character->world;
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    const WorldBody *body = &world->bodies[contact->body];
    bool on_ground = contact->other == WORLD_GROUND || world->bodies[contact->other].ground;
    if (on_ground && body->owner == character->index && body->part == part && contact->impulse[1] > 0)
      return true;
  }
  return false;
}

// How hands, pelvis and head come down, of a body that has them.
static void judge_landing(const Character *character, const OwnContacts *own, MetricsLanding *landing) {
  const FallBody *fall = &character->fall.body;
  const Skeleton *skeleton = &character->def->body->skeleton;
  landing->known = character->fall.guards && fall->hands[0] >= 0 && fall->hands[1] >= 0;
  if (!landing->known)
    return;
  for (int i = 0; i < METRICS_HANDS; i++) {
    landing->hand_touches[i] = ground_presses(character, own, fall->hands[i]);
    landing->hand_speed[i] = descent_of(character, fall->hands[i]);
    landing->reach_speed[i] = speed_past_chest(character, fall->hands[i]);
  }
  landing->pelvis_touches = ground_presses(character, own, 0);
  landing->pelvis_speed = descent_of(character, 0);
  landing->head_touches = ground_presses(character, own, fall->head);
  landing->head_speed = descent_of(character, fall->head);
  for (int i = 0; i < skeleton->leg_count && landing->pelvis_touches; i++) {
    const versors *rotation = character->sensed.pose.rotation;
    landing->knee += (double)quat_log(rotation[skeleton->legs[i].knee]).x / skeleton->leg_count;
    landing->hip -= (double)quat_log(rotation[skeleton->legs[i].hip]).x / skeleton->leg_count;
  }
}

// How the head moves, of a body that has one.
static void judge_head(const Character *character, MetricsHead *head) {
  const FallBody *fall = &character->fall.body;
  head->known = fall->body && fall->head >= 0 && !character->drive.def.kinematic;
  if (!head->known)
    return;
  const dReal *velocity = dBodyGetLinearVel(character->ragdoll->ode[fall->head]);
  const dReal *spin = dBodyGetAngularVel(character->ragdoll->ode[fall->head]);
  for (int k = 0; k < 3; k++) {
    head->velocity[k] = velocity[k];
    head->spin[k] = spin[k];
  }
}

static int joint_group(const Skeleton *skeleton, int joint) {
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (joint == leg->ankle)
      return METRICS_ANKLES;
    if (joint == leg->knee)
      return METRICS_KNEES;
    if (joint == leg->hip)
      return METRICS_HIPS;
  }
  return METRICS_OTHER_JOINTS;
}

// Torques and powers of the joints. torque: [part_count], entry 0 is unused.
static void judge_joints(const Character *character, float torque[][3], MetricsStep *step) {
  const BodyDef *body = character->def->body;
  for (int i = 1; i < body->part_count; i++) {
    const RagdollJoint *joint = &character->ragdoll->joints[i];
    step->power += fabs(joint->power);
    if (joint->power < 0)
      step->absorbed_power[joint_group(&body->skeleton, i)] -= joint->power;
    for (int k = 0; k < 3; k++)
      torque[i][k] = (float)joint->torque_w[k];
  }
  step->joint_torque = (const float(*)[3]) & torque[1];
}

// x and z over the ground of a point in a foot's frame.
static void locate(const Character *character, const Leg *leg, vec3s point_l, double place[2]) {
  double point[3];
  ragdoll_point(character->ragdoll, leg->ankle, point_l, point);
  character_platform_point(character, point);
  place[0] = point[0];
  place[1] = point[2];
}

// Positions of the soles over the ground, and of their corners where they are wanted.
static void locate_feet(const Character *character, MetricsStep *step) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const bool with_corners = metrics_awaits_strike(character->judged->metrics);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    locate(character, leg, leg->sole_l, step->foot_place[i]);
    for (int k = 0; k < 4 && with_corners; k++) {
      const vec3s end = k < 2 ? leg->heel_l : leg->toe_l;
      const float side = k % 2 == 0 ? leg->half_width : -leg->half_width;
      locate(character, leg, (vec3s){{end.x + side, end.y, end.z}}, step->foot_corner[i][k]);
    }
  }
}

// The margin of stability, and the centre of mass for the metrics: relative to the ground that carries the character.
static void judge_support(Character *character, const OwnContacts *own, MetricsStep *step) {
  const BodyState *sensed = &character->sensed;
  double points[MOST_POINTS][3];
  int count = find_support(character, own, points, character->judged->pressure);
  memcpy(step->com, sensed->com, sizeof step->com);
  memcpy(step->com_velocity, sensed->com_velocity, sizeof step->com_velocity);
  character_platform_point(character, step->com);
  step->com[1] = sensed->com[1]; // above ground_height
  character_platform_velocity(character, step->com_velocity);
  character->judged->support_margin =
      support_margin(sensed->com, step->com_velocity, character->root.position[1], (const double(*)[3])points, count);
  step->support_margin = character->judged->support_margin;
}

// The command to the character in this step.
static void judge_command(const Character *character, MetricsStep *step) {
  character_root_own_velocity(character, step->intended_velocity);
  step->intended_turn_rate = character->root.turn_rate;
  if (!character_plans(character)) // a planned character has no command
    character_wanted_velocity(character, step->wanted_velocity);
}

void character_metrics_step(Character *character) {
  const BodyDef *body = character->def->body;
  const BodyState *sensed = &character->sensed;
  const CharacterFall *fall = &character->fall;
  MetricsStep step = {.time = character->world->time,
                      .dt = character->world->def.dt,
                      .joint_count = body->part_count - 1,
                      .foot_count = body->skeleton.leg_count,
                      .joint_error = &sensed->joint_error[1],
                      .balance = own_balance(character),
                      .fallen = sensed->fallen,
                      .settled = fall->machine.state == FALL_LYING && fall->guards,
                      .rising = fall->machine.state == FALL_RISING,
                      .ground_height = character->root.position[1],
                      .heading = character->root.heading,
                      .stride_time = own_stride_time(character)};
  float torque[BODY_MAX_PARTS][3];
  double momentum[3];
  judge_joints(character, torque, &step);
  if (metrics_follows_reaction(character->judged->metrics, step.time))
    ragdoll_momentum(character->ragdoll, sensed->com, momentum, step.angular_momentum);
  judge_head(character, &step.head);
  OwnContacts own;
  find_contacts(character, &own);
  judge_support(character, &own, &step);
  step.depth = deepest_contact(character, &own);
  judge_landing(character, &own, &step.landing);
  memcpy(step.foot_loaded, sensed->foot_loaded, sizeof sensed->foot_loaded);
  memcpy(step.foot_caught, sensed->foot_caught, sizeof sensed->foot_caught);
  locate_feet(character, &step);
  judge_command(character, &step);
  memcpy(step.assist_force, character->assist.force_w, sizeof step.assist_force);
  memcpy(step.assist_torque, character->assist.torque_w, sizeof step.assist_torque);
  metrics_step(character->judged->metrics, &step);
  if (character->graph)
    metrics_set_graph_refusals(character->judged->metrics, graph_refusals(character->graph));
}

void character_metrics_plan(Character *character) {
  const CharacterPlan *plan = &character->plan;
  metrics_set_plan(character->judged->metrics, plan->reached, plan->clearance, plan->changes, plan->stuck_time);
}

// Whether the root falls freely, or the body topples.
static bool falls(const Character *character) {
  const float topples = 0.5f; // rad
  float tilt = quat_angle_between(character->target.rotation[0], character->sensed.pose.rotation[0]);
  return character->root.airborne || tilt > topples;
}

void character_sample_metrics(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  bool shows_body = pose_is_same(&character->sensed.pose, &character->shown.pose);
  const bool is_physical = !character->drive.def.kinematic; // of others only feet are judged, the shown pose is all
  void (*place)(const Skeleton *, const Pose *, ModelPose *) = is_physical ? pose_to_model : pose_legs_to_model;
  ModelPose measured, shown;
  place(skeleton, &character->sensed.pose, &measured);
  if (!shows_body)
    place(skeleton, &character->shown.pose, &shown);
  const ModelPose *output = shows_body ? &measured : &shown;
  const Pose *poses[3] = {&character->target, &character->sensed.pose, &character->shown.pose};
  MetricsFrame frame = {
      .time = character->world->time, .joint_count = skeleton->count, .ground_height = character->root.position[1]};
  for (int i = 0; i < 3; i++) {
    frame.rotation[i] = (const float(*)[4])(const void *)poses[i]->rotation;
    memcpy(frame.root_position[i], poses[i]->position[0].raw, sizeof frame.root_position[i]);
  }
  const ModelPose *compared[2] = {&measured, output};
  for (int i = 0; i < 2; i++) {
    frame.part_position[i] = (const float(*)[3])(const void *)compared[i]->position;
    frame.part_rotation[i] = (const float(*)[4])(const void *)compared[i]->rotation;
  }
  frame.part_count = is_physical ? skeleton->count : 0;
  frame.lost = falls(character);
  character_sample_feet(character, &measured, output, &frame);
  metrics_frame(character->judged->metrics, &frame);
}
