// Measures the body after a step, as sensors on it would: pose, centre of mass, torques, contacts of the feet, and load
// on other parts. Control uses only these values of the body.
#include "ragdoll/character/character_sense.h"

#include <math.h>
#include <string.h>

#include "anim/spring.h"
#include "ragdoll/character/character_hand.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/own_contacts_internal.h"
#include "sim/base/numbers.h"

// A load on parts other than feet of more than this share of the body's weight means a fall. It is the mean over a time
// in which an unsupported body sinks by 5 cm, so a short touch by a hand or a shin does not count: for a body of 75 kg
// up to 1.5 N s.
static const double FALLEN_LOAD = 0.02;
static const double FALLEN_TIME = 0.1; // s

// s: smoothing time of the pelvis' height below its animation.
static const double DROP_SMOOTHING = 0.03;

// An obstacle to a foot: its surface is steeper than this and it pushes harder than this.
static const double WALL_NORMAL = 0.7; // vertical component of the normal
static const double WALL_FORCE = 30;   // N

// After the last pull of a drag the body is shown as physics has it for this time, which counts only while the body is
// close to its animation.
static const double DRAG_TIME = 0.5; // s
static const double NEAR_GAP = 0.1;  // m

// Adds a contact of a foot: its impulse on the foot (sign: 1 when the foot is the contact's body) carries or stops the
// foot.
static void sense_foot(Character *character, int body, const Contact *contact, double sign) {
  const World *world = character->world;
  const WorldBody *foot = &world->bodies[body];
  int leg = foot->owner == character->index ? skeleton_leg_of_ankle(&character->def->body->skeleton, foot->part) : -1;
  if (leg < 0)
    return;
  if (sign * contact->normal[1] < WALL_NORMAL)
    character->sensed.foot_caught[leg] |= hypot(contact->impulse[0], contact->impulse[2]) > WALL_FORCE * world->def.dt;
  else if (sign * contact->impulse[1] > 0)
    character->sensed.foot_loaded[leg] = true;
  for (int i = 0; i < 3; i++)
    character->sensed.foot_force[leg][i] += sign * contact->impulse[i] / world->def.dt;
}

static void sense_feet(Character *character, const OwnContacts *own) {
  const WorldBody *bodies = character->world->bodies;
  memset(character->sensed.foot_loaded, 0, sizeof character->sensed.foot_loaded);
  memset(character->sensed.foot_caught, 0, sizeof character->sensed.foot_caught);
  memset(character->sensed.foot_force, 0, sizeof character->sensed.foot_force);
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    bool ground = contact->other == WORLD_GROUND;
    if (!ground && bodies[contact->body].owner == bodies[contact->other].owner) // the other leg
      continue;
    sense_foot(character, contact->body, contact, 1);
    if (!ground)
      sense_foot(character, contact->other, contact, -1);
  }
}

// Updates the load on parts other than feet from their impulse (N s) by the ground in this step.
static void sense_fall(Character *character, double impulse) {
  const World *world = character->world;
  double dt = world->def.dt, weight = character->def->body->mass * fabs(world->def.gravity[1]);
  const double change = impulse / dt - character->sensed.other_load;
  if (change != 0) // usually nothing else is loaded
    character->sensed.other_load += -expm1(-dt / FALLEN_TIME) * change;
  character->sensed.fallen = character->sensed.other_load > FALLEN_LOAD * weight;
}

// The impulse (N s) of the ground on parts other than feet in this step; as long as the character has not fallen, also
// other than those that its clip brings to the ground.
static double other_impulse(const Character *character, const OwnContacts *own) {
  const World *world = character->world;
  const bool follows = character->fall.machine.state == FALL_UPRIGHT;
  double impulse = 0;
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    const WorldBody *body = &world->bodies[contact->body];
    bool on_ground = contact->other == WORLD_GROUND || world->bodies[contact->other].ground;
    if (body->owner == character->index && on_ground && !character->def->body->parts[body->part].foot &&
        !(follows && character->def->on_floor[body->part]))
      impulse += contact->impulse[1];
  }
  return impulse;
}

// A cable that holds the body is felt at its belt: its moment about the ground is that of the weight moved by this.
static void sense_cable(Character *character) {
  const World *world = character->world;
  const double weight_dt = character->def->body->mass * fabs(world->def.gravity[1]) * world->def.dt;
  double *held = character->sensed.held;
  held[0] = held[1] = 0;
  for (int i = 0; i < world->impulse_count && weight_dt > 0; i++) {
    const Impulse *impulse = &world->impulses[i];
    if (impulse->source != IMPULSE_CABLE || world->bodies[impulse->body].owner != character->index)
      continue;
    const double arm = (impulse->point[1] - character->root.position[1]) / weight_dt;
    held[0] += arm * impulse->impulse[0];
    held[1] += arm * impulse->impulse[2];
  }
}

static void sense_joints(Character *character) {
  BodyState *sensed = &character->sensed;
  for (int i = 1; i < character->def->body->part_count; i++)
    sensed->joint_error[i] = quat_angle_between(character->target.rotation[i], sensed->pose.rotation[i]);
}

void character_sense_init(Character *character) { character->sensed.pose = character->target; }

void character_sense_mass(Character *character) {
  ragdoll_center_of_mass(character->ragdoll, character->sensed.com, character->sensed.com_velocity);
}

void character_sense(Character *character) {
  BodyState *sensed = &character->sensed;
  double dt = character->world->def.dt;
  ragdoll_measure(character->ragdoll, &sensed->pose);
  double drop = (double)(character->target.position[0].y - sensed->pose.position[0].y);
  spring_step(&sensed->pelvis_drop, &sensed->pelvis_drop_velocity, drop, DROP_SMOOTHING, dt);
  ragdoll_read_torques(character->ragdoll);
  assist_read(&character->assist);
  character_sense_mass(character);
  sense_joints(character);
  OwnContacts own;
  find_contacts(character, &own);
  if (character->drive.def.kinematic)
    character_hand_weigh(character, &own);
  sense_feet(character, &own);
  sense_fall(character, other_impulse(character, &own));
  sense_cable(character);
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++)
    sensed->air_time[i] = sensed->foot_loaded[i] ? 0 : sensed->air_time[i] + dt;
}

void character_sense_drag(Character *character) {
  const World *world = character->world;
  BodyState *sensed = &character->sensed;
  if (character_root_gap(character) < NEAR_GAP)
    sensed->drag_time = fmax(0, sensed->drag_time - world->def.dt);
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    if (world->bodies[impulse->body].owner == character->index && impulse->source == IMPULSE_DRAG)
      sensed->drag_time = DRAG_TIME;
  }
}
