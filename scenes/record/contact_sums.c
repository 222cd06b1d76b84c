// Sums contacts by pair of bodies and place, and finds the point at which one impulse has the moment of all of them.
#include "scenes/record/contact_sums.h"

#include <string.h>

#include "sim/base/numbers.h"

static const double SAME_PLACE = 0.03; // m: contacts nearer than this are merged

static ContactSum *find_sum(ContactSums *sums, const Contact *contact) {
  for (int i = 0; i < sums->count; i++) {
    ContactSum *sum = &sums->sums[i];
    if (sum->body != contact->body || sum->other != contact->other)
      continue;
    double apart[3];
    for (int k = 0; k < 3; k++)
      apart[k] = contact->position[k] - sum->anchor[k];
    if (length3(apart) < SAME_PLACE)
      return sum;
  }
  if (sums->count == CONTACT_SUMS_MAX)
    return NULL;
  ContactSum *sum = &sums->sums[sums->count++];
  *sum = (ContactSum){.body = contact->body, .other = contact->other};
  return sum;
}

static void place_anchor(ContactSum *sum, const Contact *contact) {
  memcpy(sum->anchor, contact->position, sizeof sum->anchor);
  memcpy(sum->normal, contact->normal, sizeof sum->normal);
  for (int k = 0; k < 3; k++)
    sum->normal[k] *= 1e-12; // determines the direction until an impulse has been added
  sum->anchored = true;
}

void contact_sums_add(ContactSums *sums, const Contact *contact) {
  ContactSum *sum = find_sum(sums, contact);
  if (sum)
    contact_sum_add(sum, contact);
  else
    sums->dropped++;
}

void contact_sum_add(ContactSum *sum, const Contact *contact) {
  if (!sum->anchored)
    place_anchor(sum, contact);
  double weight = length3(contact->impulse), arm[3], moment[3];
  for (int k = 0; k < 3; k++)
    arm[k] = contact->position[k] - sum->anchor[k];
  cross3(arm, contact->impulse, moment);
  sum->weight += weight;
  for (int k = 0; k < 3; k++) {
    sum->centroid[k] += weight * arm[k];
    sum->normal[k] += weight * contact->normal[k];
    sum->impulse[k] += contact->impulse[k];
    sum->moment[k] += moment[k];
  }
}

// The centroid p0, weighted by |J|, is moved by (J x T) / |J|^2, where T is the moment about p0, so that J has the
// moment T there (except for the component of T along J, which no single force can have).
void contact_sum_result(const ContactSum *sum, double position[3], double normal[3]) {
  double length = length3(sum->normal), size = length3(sum->impulse);
  double offset[3] = {0}, held[3], missing[3], shift[3] = {0};
  if (sum->weight > 0)
    for (int k = 0; k < 3; k++)
      offset[k] = sum->centroid[k] / sum->weight;
  // The point is undefined if the impulses cancel each other.
  if (size > 1e-6 * sum->weight && size > 0) {
    cross3(offset, sum->impulse, held);
    for (int k = 0; k < 3; k++)
      missing[k] = sum->moment[k] - held[k];
    cross3(sum->impulse, missing, shift);
  }
  for (int k = 0; k < 3; k++) {
    position[k] = sum->anchor[k] + offset[k] + (size > 0 ? shift[k] / (size * size) : 0);
    normal[k] = length > 0 ? sum->normal[k] / length : 0;
  }
}

void contact_sum_moment(const ContactSum *sum, const double position[3], double moment[3]) {
  double arm[3], held[3];
  for (int k = 0; k < 3; k++)
    arm[k] = position[k] - sum->anchor[k];
  cross3(arm, sum->impulse, held);
  for (int k = 0; k < 3; k++)
    moment[k] = sum->moment[k] - held[k];
}

void contact_sum_state(ContactSum *sum, int body_count, StateStream *stream) {
  state_int(stream, &sum->body, -1, body_count - 1);
  state_int(stream, &sum->other, WORLD_GROUND, body_count - 1);
  STATE(stream, sum->anchored, sum->anchor, sum->weight, sum->centroid, sum->normal, sum->impulse, sum->moment);
}

void contact_sums_state(ContactSums *sums, int body_count, StateStream *stream) {
  int count = state_count(stream, &sums->count, CONTACT_SUMS_MAX, sizeof(double));
  for (int i = 0; i < count; i++)
    contact_sum_state(&sums->sums[i], body_count, stream);
  STATE(stream, sums->dropped);
}
