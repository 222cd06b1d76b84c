// The contacts of one character, for the files that sense and measure it.
#ifndef STAGGER_RAGDOLL_CHARACTER_OWN_CONTACTS_INTERNAL_H
#define STAGGER_RAGDOLL_CHARACTER_OWN_CONTACTS_INTERNAL_H

#include "ragdoll/character/character.h"

// The contacts of the character among those of the world, in order. The list is memory of the world, valid until the
// next call of find_contacts for any character.
typedef struct OwnContacts {
  const Contact **list;
  int count;
} OwnContacts;

static inline void find_contacts(const Character *character, OwnContacts *own) {
  World *world = character->world;
  *own = (OwnContacts){.list = world->picked};
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    if (world->bodies[contact->body].owner == character->index ||
        (contact->other != WORLD_GROUND && world->bodies[contact->other].owner == character->index))
      own->list[own->count++] = contact;
  }
}

#endif
