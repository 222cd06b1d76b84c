// The force and torque that the motion of a kinematic body would require: the change of its momentum and angular
// momentum in a step, minus the effect of gravity, contacts and hits.
#include "ragdoll/character/character_hand.h"

#include "sim/base/numbers.h"

// Impulse (N s) and moment (N m s) about a point.
typedef struct Account {
  double about[3], linear[3], angular[3];
} Account;

static void add_impulse(Account *account, const double point[3], const double impulse[3], double sign) {
  double arm[3], moment[3];
  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - account->about[k];
  cross3(arm, impulse, moment);
  for (int k = 0; k < 3; k++) {
    account->linear[k] += sign * impulse[k];
    account->angular[k] += sign * moment[k];
  }
}

static bool owns(const Character *character, int body) {
  return body != WORLD_GROUND && character->world->bodies[body].owner == character->index;
}

static void subtract_contacts(const Character *character, const OwnContacts *own, Account *account) {
  for (int i = 0; i < own->count; i++) {
    const Contact *contact = own->list[i];
    if (owns(character, contact->body))
      add_impulse(account, contact->position, contact->impulse, -1);
    if (owns(character, contact->other))
      add_impulse(account, contact->position, contact->impulse, 1);
  }
}

// Hits found among contacts are subtracted as contacts.
static void subtract_hits(const Character *character, Account *account) {
  const World *world = character->world;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *hit = &world->impulses[i];
    if (hit->source != IMPULSE_CONTACT && owns(character, hit->body))
      add_impulse(account, hit->point, hit->impulse, -1);
  }
}

void character_hand_begin(Character *character) {
  Hand *hand = &character->hand;
  double velocity[3];
  ragdoll_center_of_mass(character->ragdoll, hand->com, velocity);
  ragdoll_momentum(character->ragdoll, hand->com, hand->linear, hand->angular);
}

void character_hand_weigh(Character *character, const OwnContacts *own) {
  const WorldDef *world = &character->world->def;
  const Hand *before = &character->hand;
  Account account = {{0}, {0}, {0}};
  double weight[3];
  for (int k = 0; k < 3; k++) {
    account.about[k] = character->sensed.com[k] - world->dt * character->sensed.com_velocity[k];
    weight[k] = ragdoll_mass(character->ragdoll) * world->gravity[k] * world->dt;
  }
  ragdoll_momentum(character->ragdoll, account.about, account.linear, account.angular);
  add_impulse(&account, before->com, before->linear, -1);
  for (int k = 0; k < 3; k++)
    account.angular[k] -= before->angular[k];
  add_impulse(&account, before->com, weight, -1);
  subtract_contacts(character, own, &account);
  subtract_hits(character, &account);
  for (int k = 0; k < 3; k++) {
    character->assist.force_w[k] = account.linear[k] / world->dt;
    character->assist.torque_w[k] = account.angular[k] / world->dt;
  }
}
