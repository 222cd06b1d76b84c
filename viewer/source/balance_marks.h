// Marks of balance and contact, computed from plain numbers, so that frames of old traces have them, too.
#ifndef STAGGER_VIEWER_SOURCE_BALANCE_MARKS_H
#define STAGGER_VIEWER_SOURCE_BALANCE_MARKS_H

#include "ragdoll/body/body_def.h"
#include "sim/base/debug_draw.h"
#include "viewer/source/frames.h"

enum { BALANCE_MAX_CONTACTS = 256, BALANCE_NEWTONS_PER_METRE = 1000 };
#define BALANCE_LONGEST_ARROW 1.2 // m

// A contact of a character.
typedef struct BalanceContact {
  double position[3], impulse[3]; // world: m; N s on the character
  int leg;                        // leg of the foot, -1: another part
  bool ground;                    // with the ground, not with a body
} BalanceContact;

// A character at one moment. World.
typedef struct Balance {
  double com[3], com_velocity[3]; // m, m/s
  double ground_height;           // m, of the ground under the centre of mass
  double weight;                  // N
  double time;                    // s over which the impulses are summed
  BalanceContact contacts[BALANCE_MAX_CONTACTS];
  int contact_count;
} Balance;

// Selects a character's contacts from those of a frame. first_body: index of its first part among the world's bodies,
// after the parts of all previous characters. Contacts beyond BALANCE_MAX_CONTACTS are left out.
void balance_take_contacts(Balance *balance, const FrameContact *contacts, int count, const BodyDef *body,
                           int first_body);

// Adds the marks:
// DEBUG_BALANCE: the centre of mass above its projection on the ground; the extrapolated centre of mass, which for an
// inverted pendulum is the instantaneous capture point (see support_extrapolated_com); the base of support, which is
// the convex hull of all contacts at which feet press on the ground; and the margin of stability, a line from the
// extrapolated centre of mass to the nearest border, green inside, red outside. In the air there is no support and no
// margin. The contacts of a frame are those of all its steps, so the margin may differ slightly from that of the last
// step alone.
// DEBUG_CONTACTS: every contact and its mean force over the time, 1 m for 1000 N, at most 1.2 m; at each foot's centre
// of pressure its vertical force in body weights ("0.52 BW").
// Values that are not finite are left out.
void balance_mark(const Balance *balance, DebugDraw *draw);

#endif
