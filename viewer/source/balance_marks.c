// Marks of the centre of mass, the extrapolated centre of mass, the support polygon and contact forces.
#include "viewer/source/balance_marks.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/support.h"
#include "sim/metrics/metrics.h"

static const uint32_t COM_COLOR = 0xe0a800ff, XCOM_COLOR = 0x1f5fd0ff, SUPPORT_COLOR = 0x1f5fd0c0;
static const uint32_t INSIDE_COLOR = 0x1f9d4aff, OUTSIDE_COLOR = 0xd62728ff, CONTACT_COLOR = 0x0e8c8cff;
static const float COM_RADIUS = 0.035f, GROUND_RADIUS = 0.02f, CONTACT_RADIUS = 0.012f; // m
static const float PLUMB_THICKNESS = 0.005f, LINE_THICKNESS = 0.01f;                    // m
static const double LABEL_HEIGHT = 0.08;                                                // m above the labelled point
static const double SMALLEST_FORCE = 1; // N; a weaker force has no arrow

static void take_contact(Balance *balance, const FrameContact *contact, const BodyDef *body, int part, double sign) {
  if (part < 0 || part >= body->part_count || balance->contact_count >= BALANCE_MAX_CONTACTS)
    return;
  BalanceContact *taken = &balance->contacts[balance->contact_count++];
  vec3_to_doubles(contact->position_w, taken->position);
  vec3_to_doubles(contact->impulse_w, taken->impulse);
  for (int k = 0; k < 3; k++)
    taken->impulse[k] *= sign;
  taken->leg = skeleton_leg_of_ankle(&body->skeleton, part);
  taken->ground = contact->other == WORLD_GROUND;
}

void balance_take_contacts(Balance *balance, const FrameContact *contacts, int count, const BodyDef *body,
                           int first_body) {
  balance->contact_count = 0;
  for (int i = 0; i < count; i++) {
    take_contact(balance, &contacts[i], body, contacts[i].body - first_body, 1);
    if (contacts[i].other != WORLD_GROUND) // for the other body the impulse is opposite
      take_contact(balance, &contacts[i], body, contacts[i].other - first_body, -1);
  }
}

static bool contact_is_usable(const BalanceContact *contact) {
  return finite3(contact->position) && finite3(contact->impulse);
}

// ---- Balance ----

static void raise(const double point[3], double raised[3]) {
  memcpy(raised, point, 3 * sizeof raised[0]);
  raised[1] += LABEL_HEIGHT;
}

static void mark_com(const Balance *balance, DebugDraw *draw) {
  const double below[3] = {balance->com[0], balance->ground_height, balance->com[2]};
  double label[3];
  raise(balance->com, label);
  debug_point(draw, balance->com, COM_RADIUS, COM_COLOR);
  debug_line(draw, balance->com, below, PLUMB_THICKNESS, COM_COLOR);
  debug_point(draw, below, GROUND_RADIUS, COM_COLOR);
  debug_label(draw, label, COM_COLOR, "CoM");
}

// The points at which feet press on the ground.
static int find_support(const Balance *balance, double points[][3]) {
  int count = 0;
  for (int i = 0; i < balance->contact_count; i++) {
    const BalanceContact *contact = &balance->contacts[i];
    if (contact->leg >= 0 && contact->ground && contact->impulse[1] > 0 && contact_is_usable(contact))
      memcpy(points[count++], contact->position, sizeof contact->position);
  }
  return count;
}

static void mark_support(const double (*points)[3], int count, DebugDraw *draw) {
  int corners[BALANCE_MAX_CONTACTS];
  int corner_count = support_hull(points, count, corners);
  int edges = corner_count > 2 ? corner_count : corner_count - 1;
  for (int i = 0; i < edges; i++)
    debug_line(draw, points[corners[i]], points[corners[(i + 1) % corner_count]], LINE_THICKNESS, SUPPORT_COLOR);
}

static void mark_margin(const double xcom[3], const double (*points)[3], int count, DebugDraw *draw) {
  double border[3], middle[3];
  double margin = support_distance(xcom, points, count, border);
  uint32_t color = margin > 0 ? INSIDE_COLOR : OUTSIDE_COLOR;
  for (int k = 0; k < 3; k++)
    middle[k] = (xcom[k] + border[k]) / 2;
  debug_line(draw, xcom, border, LINE_THICKNESS, color);
  debug_point(draw, border, CONTACT_RADIUS, color);
  debug_label(draw, middle, color, "margin %+.1f cm", 100 * margin);
}

static void mark_balance(const Balance *balance, DebugDraw *draw) {
  if (!finite3(balance->com) || !finite3(balance->com_velocity) || !isfinite(balance->ground_height))
    return;
  debug_group(draw, DEBUG_BALANCE);
  mark_com(balance, draw);

  double xcom[3], label[3], points[BALANCE_MAX_CONTACTS][3];
  support_extrapolated_com(balance->com, balance->com_velocity, balance->ground_height, xcom);
  raise(xcom, label);
  debug_point(draw, xcom, GROUND_RADIUS, XCOM_COLOR);
  debug_label(draw, label, XCOM_COLOR, "XCoM = capture point");

  int count = find_support(balance, points);
  if (count == 0)
    return;
  mark_support((const double(*)[3])points, count, draw);
  mark_margin(xcom, (const double(*)[3])points, count, draw);
}

// ---- Contacts ----

static void mark_force(const double point[3], const double force[3], DebugDraw *draw) {
  double size = length3(force), tip[3];
  if (!(size > SMALLEST_FORCE) || !isfinite(size))
    return;
  double length = fmin(size / BALANCE_NEWTONS_PER_METRE, BALANCE_LONGEST_ARROW);
  for (int k = 0; k < 3; k++)
    tip[k] = point[k] + force[k] * length / size;
  debug_arrow(draw, point, tip, LINE_THICKNESS, CONTACT_COLOR);
}

// Vertical force of all contacts of a foot, at its centre of pressure.
static void mark_load(const Balance *balance, int leg, DebugDraw *draw) {
  double load = 0, place[3] = {0};
  for (int i = 0; i < balance->contact_count; i++) {
    const BalanceContact *contact = &balance->contacts[i];
    if (contact->leg != leg || !(contact->impulse[1] > 0) || !contact_is_usable(contact))
      continue;
    load += contact->impulse[1];
    for (int k = 0; k < 3; k++)
      place[k] += contact->impulse[1] * contact->position[k];
  }
  if (!(load > 0))
    return;
  for (int k = 0; k < 3; k++)
    place[k] /= load;
  debug_label(draw, place, CONTACT_COLOR, "%.2f BW", load / balance->time / balance->weight);
}

static void mark_contacts(const Balance *balance, DebugDraw *draw) {
  debug_group(draw, DEBUG_CONTACTS);
  for (int i = 0; i < balance->contact_count; i++) {
    const BalanceContact *contact = &balance->contacts[i];
    if (!contact_is_usable(contact))
      continue;
    debug_point(draw, contact->position, CONTACT_RADIUS, CONTACT_COLOR);
    double force[3];
    for (int k = 0; k < 3; k++)
      force[k] = contact->impulse[k] / balance->time;
    if (balance->time > 0)
      mark_force(contact->position, force, draw);
  }
  for (int leg = 0; leg < SKELETON_MAX_LEGS && balance->time > 0 && balance->weight > 0; leg++)
    mark_load(balance, leg, draw);
}

void balance_mark(const Balance *balance, DebugDraw *draw) {
  mark_balance(balance, draw);
  mark_contacts(balance, draw);
}
