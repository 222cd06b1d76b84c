// Finds when the feet of a clip stand: heel or toe is close to the ground and slow over it. Hysteresis keeps a foot
// near the thresholds from switching often.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/retarget/retarget_internal.h"

// Thresholds for legs of 0.86 m; heights scale with the length of the legs, speeds with its square root.
static const float LEG_LENGTH = 0.86f;                               // m
static const float ENTER_HEIGHT = 0.03f, LEAVE_HEIGHT = 0.05f;       // m over the ground
static const float ENTER_SPEED = 0.4f, LEAVE_SPEED = 0.8f;           // m/s over the ground
static const float HIGHEST_DRAG = 0.1f;                              // m over the ground: a higher foot swings
static const float LEAST_WAY = 0.1f;                                 // m: a root that goes less tells nothing of feet
static const float SHORTEST_CONTACT = 0.08f, SHORTEST_SWING = 0.07f; // s: shorter spans are noise

void clip_root_at(const Clip *clip, double time, vec3s *position, versors *rotation) {
  // Coordinates along the root's path: a straight line, or an arc.
  double w = (double)clip->root_turn_rate, turn = w * time, along = time, aside = 0;
  if (fabs(turn) > 1e-6) {
    along = sin(turn) / w;
    aside = (1 - cos(turn)) / w;
  }
  double vx = (double)clip->root_velocity_l.x, vz = (double)clip->root_velocity_l.z;
  *position = (vec3s){{(float)(along * vx + aside * vz), (float)(time * (double)clip->root_velocity_l.y),
                       (float)(along * vz - aside * vx)}};
  *rotation = quat_about(1, turn);
}

void sole_points(const Skeleton *skeleton, const Leg *leg, const Pose *pose, vec3s points[2]) {
  vec3s local[2] = {leg->heel_l, leg->toe_l};
  for (int p = 0; p < 2; p++) {
    points[p] = local[p];
    for (int i = leg->ankle; i >= 0; i = skeleton->parent[i])
      points[p] = glms_vec3_add(pose->position[i], glms_quat_rotatev(pose->rotation[i], points[p]));
  }
}

double clip_key_step(const Clip *clip) {
  int spans = clip->loop ? clip->key_count : clip->key_count - 1;
  return spans > 0 ? (double)clip->duration / spans : 0;
}

// The sole at a key in the space in which the clip's root moves. Keys of a loop continue before its beginning and past
// its end.
static void sole_over_ground(const Clip *clip, const Leg *leg, int key, vec3s points[2]) {
  int count = clip->key_count;
  if (!clip->loop)
    key = key < 0 ? 0 : key >= count ? count - 1 : key;
  sole_points(clip->skeleton, leg, &clip->keys[((key % count) + count) % count], points);
  vec3s position;
  versors rotation;
  clip_root_at(clip, key * clip_key_step(clip), &position, &rotation);
  for (int p = 0; p < 2; p++)
    points[p] = glms_vec3_add(position, glms_quat_rotatev(rotation, points[p]));
}

// Whether an end of the sole (heel or toe) stands: it is near the ground and slow.
static bool bears(const Clip *clip, const Leg *leg, int key, bool stood) {
  vec3s before[2], here[2], after[2];
  sole_over_ground(clip, leg, key - 1, before);
  sole_over_ground(clip, leg, key, here);
  sole_over_ground(clip, leg, key + 1, after);
  bool ends = !clip->loop && (key == 0 || key == clip->key_count - 1);
  float time = (float)clip_key_step(clip) * (ends ? 1 : 2),
        size = skeleton_leg_length(clip->skeleton, leg) / LEG_LENGTH;
  float height = size * (stood ? LEAVE_HEIGHT : ENTER_HEIGHT);
  float speed = sqrtf(size) * (stood ? LEAVE_SPEED : ENTER_SPEED);
  for (int p = 0; p < 2; p++)
    if (here[p].y < height && glms_vec3_distance(after[p], before[p]) <= speed * time)
      return true;
  return false;
}

// Turns spans of `value` that are shorter than `least` keys into the other value.
static void drop_short(bool *stands, int count, bool loop, bool value, int least) {
  int start = 0; // start of the search; for a loop just behind a change, so that no span is cut by the loop's end
  while (loop && start < count && stands[start] == stands[(start + count - 1) % count])
    start++;
  if (start == count)
    return;
  for (int i = 0; i < count;) {
    int length = 0;
    bool here = stands[(start + i) % count];
    while (i + length < count && stands[(start + i + length) % count] == here)
      length++;
    bool cut = !loop && (i == 0 || i + length == count); // cut by the clip's ends, so the span may have been longer
    for (int k = 0; k < length && here == value && length < least && !cut; k++)
      stands[(start + i + k) % count] = !value;
    i += length;
  }
}

// Whether a foot swings from one key to another: then it is lifted, or goes on with the root. A foot that does neither
// drags, as standing feet of hand-made walks on the spot do, which do not go backward as evenly as the root goes ahead.
static bool swings(const Clip *clip, const Leg *leg, int from, int to) {
  const float least = 0.25f; // of the root's way
  float size = skeleton_leg_length(clip->skeleton, leg) / LEG_LENGTH;
  vec3s root[2], points[2], middle[2];
  versors rotation;
  for (int i = 0; i < 2; i++) {
    int key = i ? to : from;
    clip_root_at(clip, key * clip_key_step(clip), &root[i], &rotation);
    sole_over_ground(clip, leg, key, points);
    middle[i] = glms_vec3_lerp(points[0], points[1], 0.5f);
  }
  vec3s way = glms_vec3_sub(root[1], root[0]);
  float length = glms_vec3_norm(way), gone = glms_vec3_dot(glms_vec3_sub(middle[1], middle[0]), way);
  if (length < LEAST_WAY * size || gone > least * length * length)
    return true;
  for (int key = from; key <= to; key++) {
    sole_over_ground(clip, leg, key, points);
    if (fminf(points[0].y, points[1].y) > HIGHEST_DRAG * size)
      return true;
  }
  return false;
}

// Joins contacts between which the foot does not swing.
static void join_dragged(const Clip *clip, const Leg *leg, bool *stands) {
  int count = clip->key_count;
  for (int start = 0; start < count; start++) {
    int next = start + 1, end = clip->loop ? start + count : count - 1;
    if (!stands[start] || (next > end) || stands[next % count])
      continue;
    while (next < end && !stands[next % count])
      next++;
    if (!stands[next % count] || swings(clip, leg, start, next))
      continue;
    for (int key = start + 1; key < next; key++)
      stands[key % count] = true;
  }
}

void contacts_find_keys(const Clip *clip, int leg, bool *stands) {
  int count = clip->key_count;
  double step = clip_key_step(clip);
  bool stood = false;
  for (int lap = clip->loop ? -1 : 0; lap < 1; lap++) // the first lap of a loop only determines the state at its start
    for (int k = 0; k < count; k++)
      stood = stands[k] = bears(clip, &clip->skeleton->legs[leg], k, stood);
  int gap = step > 0 ? (int)ceil((double)SHORTEST_SWING / step) : 0;
  drop_short(stands, count, clip->loop, false, gap);
  join_dragged(clip, &clip->skeleton->legs[leg], stands);
  contacts_drop_short(clip, stands);
}

void contacts_drop_short(const Clip *clip, bool *stands) {
  double step = clip_key_step(clip);
  int least = step > 0 ? (int)ceil((double)SHORTEST_CONTACT / step) : 0;
  drop_short(stands, clip->key_count, clip->loop, true, least);
}

float contact_length(const Clip *clip, const ClipContact *contact) {
  return contact->end - contact->begin + (contact->end < contact->begin ? clip->duration : 0);
}

static void add_contact(Clip *clip, int leg, double begin, double end) {
  if (clip->contact_count == CLIP_MAX_MARKS)
    return; // the clip's list is full: a long clip keeps its first contacts
  clip->contacts[clip->contact_count++] = (ClipContact){.leg = leg, .begin = (float)begin, .end = (float)end};
}

void contacts_add(Clip *clip, int leg, const bool *stands) {
  int count = clip->key_count;
  double step = clip_key_step(clip), duration = (double)clip->duration;
  for (int k = 0; k < count; k++) {
    bool before = clip->loop ? stands[(k + count - 1) % count] : k > 0 && stands[k - 1];
    if (!stands[k] || before)
      continue;
    int length = 1;
    while (length < count && (clip->loop || k + length < count) && stands[(k + length) % count])
      length++;
    double end = (k + length) * step;
    if (clip->loop && end >= duration + step / 2)
      end -= duration;
    add_contact(clip, leg, k * step, fmin(end, duration));
  }
  bool always = true;
  for (int k = 0; k < count; k++)
    always = always && stands[k];
  if (always && clip->loop)
    add_contact(clip, leg, 0, duration);
}

void contacts_mark(Clip *clip) {
  clip->mark_count = 0;
  for (int c = 0; c < clip->contact_count; c++) {
    const ClipContact *contact = &clip->contacts[c];
    bool cut = !clip->loop && contact->begin == 0; // the foot stood before the clip began
    bool always = contact_length(clip, contact) >= clip->duration;
    if (cut || always)
      continue;
    int at = clip->mark_count++; // insertion keeps marks in order of time
    for (; at > 0 && clip->marks[at - 1].time > contact->begin; at--)
      clip->marks[at] = clip->marks[at - 1];
    snprintf(clip->marks[at].name, sizeof clip->marks[at].name, "%s_strike", clip->skeleton->legs[contact->leg].name);
    clip->marks[at].time = contact->begin;
  }
}

void clip_find_contacts(Clip *clip) {
  clip->contact_count = 0;
  bool *stands = malloc((size_t)clip->key_count * sizeof *stands);
  if (!stands)
    return;
  for (int leg = 0; leg < clip->skeleton->leg_count; leg++) {
    contacts_find_keys(clip, leg, stands);
    contacts_add(clip, leg, stands);
  }
  free(stands);
}
