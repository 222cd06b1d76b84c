// Contacts summed over the physics steps between two frames of a trace.
#ifndef STAGGER_SCENES_RECORD_CONTACT_SUMS_H
#define STAGGER_SCENES_RECORD_CONTACT_SUMS_H

#include "sim/base/state.h"
#include "sim/world/world.h"

enum { CONTACT_SUMS_MAX = 4096 };

// Contacts of several steps, merged into one for each pair of bodies and place (within 3 cm). Impulses are summed; the
// position is that at which their sum has the moment of all of them, as far as a single point can.
typedef struct ContactSum {
  int body, other;
  bool anchored;
  double anchor[3];   // m, position of the first contact
  double weight;      // sum of |J|, N s
  double centroid[3]; // sum of |J| (p - anchor)
  double normal[3];   // sum of |J| n
  double impulse[3];  // sum of J, N s
  double moment[3];   // sum of (p - anchor) x J, N m s
} ContactSum;

typedef struct ContactSums {
  ContactSum sums[CONTACT_SUMS_MAX];
  int count;
  long dropped;
} ContactSums;

// Adds a contact of one step; it is counted as dropped when there is no room for another place.
void contact_sums_add(ContactSums *sums, const Contact *contact);

// Adds a contact to one sum; for an empty sum ({0}) the contact's position becomes the anchor.
void contact_sum_add(ContactSum *sum, const Contact *contact);

// contact_sum_result: where the summed impulse acts (m), and its unit normal, world frame. contact_sum_moment: the
// remaining moment (N m s), which no single impulse there has, such as of friction that resists turning on the spot.
void contact_sum_result(const ContactSum *sum, double position[3], double normal[3]);
void contact_sum_moment(const ContactSum *sum, const double position[3], double moment[3]);

// Saves or restores sums of a world with `body_count` bodies.
void contact_sum_state(ContactSum *sum, int body_count, StateStream *stream);
void contact_sums_state(ContactSums *sums, int body_count, StateStream *stream);

#endif
