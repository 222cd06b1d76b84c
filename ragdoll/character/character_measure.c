// Reads what the step did to the body: pose, torques, contacts of the feet, load on other parts; and hands the figures
// of the step to the metrics.
#include "ragdoll/character/character_measure.h"

#include <math.h>
#include <string.h>

#include "anim/spring.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_ride.h"
#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"

// Parts other than feet that carry more than this share of the body's weight mean a fall: on average over a time in
// which a body that nothing holds sinks by 5 cm. So a hand or a shin that grazes the ground is none: of a body of 75 kg
// with up to 1.5 N s.
static const double FALLEN_LOAD = 0.02;
static const double FALLEN_TIME = 0.1; // s

// Time in which the body's sag below its animation is noticed.
static const double SAG_SMOOTHING = 0.03; // s

// What stands in a foot's way: it is steeper than this and pushes harder.
static const double WALL_NORMAL = 0.7; // of the normal, upward
static const double WALL_FORCE = 30;   // N

// The contacts of the character among those of the world, in their order.
typedef struct OwnContacts {
  const Contact *list[WORLD_MAX_CONTACTS];
  int count;
} OwnContacts;

static void find_contacts(const Character *character, OwnContacts *own) {
  const World *world = character->world;
  own->count = 0;
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    if (world->bodies[contact->body].owner == character->index ||
        (contact->other != WORLD_GROUND && world->bodies[contact->other].owner == character->index))
      own->list[own->count++] = contact;
  }
}

// A foot touches something: the impulse that it gets (sign: 1 when it is the contact's body) carries it, or stops it.
static void feel_foot(Character *character, int body, const Contact *contact, double sign) {
  const World *world = character->world;
  const WorldBody *foot = &world->bodies[body];
  int leg = foot->owner == character->index ? skeleton_leg_of_ankle(&character->def->body->skeleton, foot->part) : -1;
  if (leg < 0)
    return;
  if (sign * contact->normal[1] < WALL_NORMAL)
    character->foot_caught[leg] |= hypot(contact->impulse[0], contact->impulse[2]) > WALL_FORCE * world->def.dt;
  else if (sign * contact->impulse[1] > 0)
    character->foot_loaded[leg] = true;
  for (int i = 0; i < 3; i++)
    character->foot_force[leg][i] += sign * contact->impulse[i] / world->def.dt;
}

static void feel_feet(Character *character, const OwnContacts *own) {
  const WorldBody *bodies = character->world->bodies;
  memset(character->foot_loaded, 0, sizeof character->foot_loaded);
  memset(character->foot_caught, 0, sizeof character->foot_caught);
  memset(character->foot_force, 0, sizeof character->foot_force);
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    bool ground = contact->other == WORLD_GROUND;
    if (!ground && bodies[contact->body].owner == bodies[contact->other].owner) // the other leg
      continue;
    feel_foot(character, contact->body, contact, 1);
    if (!ground)
      feel_foot(character, contact->other, contact, -1);
  }
}

// Whether something other than the feet bears weight, which gets that impulse (N s) from the ground in this step.
static void feel_fall(Character *character, double impulse) {
  const World *world = character->world;
  double dt = world->def.dt, weight = character->def->body->mass * fabs(world->def.gravity[1]);
  character->other_load += -expm1(-dt / FALLEN_TIME) * (impulse / dt - character->other_load);
  character->fallen = character->other_load > FALLEN_LOAD * weight;
}

// Where feet carry, and whether anything else does. Returns how many points carry, at most `most`.
static int feel_contacts(Character *character, const OwnContacts *own, double points[][3], int most) {
  const World *world = character->world;
  double other_impulse = 0;
  int count = 0;
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    const WorldBody *body = &world->bodies[contact->body];
    bool on_ground = contact->other == WORLD_GROUND || world->bodies[contact->other].ground;
    if (body->owner != character->index || !on_ground)
      continue;
    if (!character->def->body->parts[body->part].foot) {
      other_impulse += contact->impulse[1];
      continue;
    }
    if (contact->impulse[1] > 0 && count < most)
      memcpy(points[count++], contact->position, sizeof contact->position);
  }
  feel_fall(character, other_impulse);
  return count;
}

// Also while it lies: its steps are counted over the whole run.
static bool balances_itself(const Character *character) {
  return character->balance.def.enabled && !character->drive.def.kinematic;
}

// s, 0: not known. Two steps of balance, as long as those that it takes now.
static double own_stride_time(const Character *character) {
  const Balancer *balance = &character->balance;
  if (balances_itself(character))
    return balance->walking ? 2 * balance->duration : 0;
  if (character_plans(character))
    return character_plan_stride(character);
  return character->graph ? character->play.cycle : character->def->move ? (double)character->def->move->duration : 0;
}

static MetricsBalance own_balance(const Character *character) {
  const Balancer *balance = &character->balance;
  if (!balances_itself(character))
    return (MetricsBalance){.known = false};
  return (MetricsBalance){.known = true, .steps = balance->steps, .margin = balance->margin};
}

// Of the deepest point of the body in the ground, m.
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

void character_measure(Character *character) {
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
  OwnContacts own;
  find_contacts(character, &own);
  feel_feet(character, &own);
  int count = feel_contacts(character, &own, points, MOST_POINTS);
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
  step.balance = own_balance(character);
  memcpy(step.foot_loaded, character->foot_loaded, sizeof character->foot_loaded);
  locate_feet(character, step.foot_place);
  step.fallen = character->fallen;
  step.settled = character->fall.machine.state == FALL_LYING && character->fall.guards;
  step.rising = character->fall.machine.state == FALL_RISING;
  step.depth = deepest_contact(character, &own);
  step.ground_height = character->root_position[1];
  step.stride_time = own_stride_time(character);
  character_root_own_velocity(character, step.intended_velocity);
  step.intended_turn_rate = character->root_turn_rate;
  if (!character_plans(character)) // of whom nothing is asked
    character_wanted_velocity(character, step.wanted_velocity);
  memcpy(step.assist_force, character->assist.force_w, sizeof step.assist_force);
  memcpy(step.assist_torque, character->assist.torque_w, sizeof step.assist_torque);
  metrics_step(character->metrics, &step);
  if (character->graph)
    metrics_set_graph_refusals(character->metrics, graph_refusals(character->graph));
}
