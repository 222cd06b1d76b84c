// Models with a human's limbs: the pelvis becomes the first link, parts get the names of `human`, and the arms hang as
// human's do, so that clips, balance and reactions apply.
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/retarget/retarget.h"
#include "ragdoll/body/link_body.h"
#include "sim/base/numbers.h"

// The direction from a place to another one, unit.
static void direction(const double from[3], const double to[3], double out[3]) {
  double length = 0;
  for (int i = 0; i < 3; i++)
    out[i] = to[i] - from[i];
  length = length3(out);
  for (int i = 0; i < 3; i++)
    out[i] /= length > 0 ? length : 1;
}

// ---- Which link is which part ----

// The length of the word that a name begins with: up to an underscore or a capital after a small letter.
static size_t word_length(const char *name) {
  size_t length = name[0] != '\0' && name[0] != '_' ? 1 : 0;
  while (length > 0 && name[length] != '\0' && name[length] != '_' &&
         !(isupper((unsigned char)name[length]) && islower((unsigned char)name[length - 1])))
    length++;
  return length;
}

// The name without the words that robots' links have for their axes, and with underscores between the others.
static void plain_name(const char *name, char plain[MOTION_NAME_SIZE]) {
  static const char *const words[] = {"link", "pitch", "roll", "yaw"};
  size_t length = 0;
  while (*name != '\0') {
    const size_t word = word_length(name);
    bool dropped = word == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      dropped |= word == strlen(words[i]) && strncasecmp(name, words[i], word) == 0;
    if (!dropped && length + word + 2 < MOTION_NAME_SIZE)
      length +=
          (size_t)snprintf(plain + length, MOTION_NAME_SIZE - length, "%s%.*s", length > 0 ? "_" : "", (int)word, name);
    name += word + (name[word] == '_');
  }
  plain[length] = '\0';
}

// Robots face forward in their files: if the left thigh is to the right of the other one, the sides are exchanged.
static void order_sides(RetargetMap *map, const LinkModel *model, const BodyDef *human) {
  const int left = skeleton_find(&human->skeleton, "thigh_l"), right = skeleton_find(&human->skeleton, "thigh_r");
  if (left < 0 || right < 0 || model->links[map->source[left]].place[0] >= model->links[map->source[right]].place[0])
    return;
  for (int i = 0; i < human->part_count; i++) {
    const int twin = human->parts[i].twin, source = map->source[i];
    if (twin <= i)
      continue;
    map->source[i] = map->source[twin];
    map->source[twin] = source;
  }
}

// Matches the links with the human's parts by the user's table, by their names, or by their shape: two chains stand on
// the ground, two others hang above them. False and an error: they are not a human's.
static bool match_parts(const LinkModel *model, const BodyDef *human, bool by_names, RetargetMap *map, Error *error) {
  static _Thread_local MotionJoint joints[LINKS_MOST];
  static _Thread_local vec3s positions[LINKS_MOST];
  static _Thread_local versors rotations[LINKS_MOST];
  for (int i = 0; i < model->count; i++) {
    const Link *link = &model->links[i];
    joints[i] = (MotionJoint){.parent = link->parent, .bind_rotation_l = glms_quat_identity()};
    if (model->joints)
      snprintf(joints[i].name, sizeof joints[i].name, "%s", link->name);
    else if (by_names)
      plain_name(link->name, joints[i].name);
    for (int k = 0; k < 3; k++)
      joints[i].bind_position_l.raw[k] =
          (float)(link->place[k] - (link->parent >= 0 ? model->links[link->parent].place[k] : 0));
    positions[i] = joints[i].bind_position_l;
    rotations[i] = glms_quat_identity();
  }
  const Motion motion = {.joint_count = model->count,
                         .joints = joints,
                         .frame_count = 1,
                         .frame_rate = 1,
                         .position_l = positions,
                         .rotation_l = rotations};
  if (!retarget_map(map, &motion, &human->skeleton, model->joints, error))
    return false;
  const bool is_by_names = strcmp(map->rig, "shape") != 0;
  if (!is_by_names)
    order_sides(map, model, human);
  return is_by_names == by_names;
}

static int find_link(const RetargetMap *map, const BodyDef *human, const char *part) {
  const int index = skeleton_find(&human->skeleton, part);
  return index >= 0 ? map->source[index] : -1;
}

static int find_side(const RetargetMap *map, const BodyDef *human, const char *part, int side) {
  char name[SKELETON_NAME_SIZE];
  snprintf(name, sizeof name, "%s_%c", part, "lr"[side]);
  return find_link(map, human, name);
}

static bool has_limbs(const RetargetMap *map, const BodyDef *human) {
  static const char *const parts[] = {"thigh", "shin", "foot", "upper_arm", "forearm"};
  bool all = find_link(map, human, "pelvis") >= 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    all = all && find_side(map, human, parts[i], 0) >= 0 && find_side(map, human, parts[i], 1) >= 0;
  return all;
}

// Whether the shoulders are above the hips: animals have limbs of the same names.
static bool is_upright(const LinkModel *model, const RetargetMap *map, const BodyDef *human) {
  double trunk[3];
  direction(model->links[find_side(map, human, "thigh", 0)].place,
            model->links[find_side(map, human, "upper_arm", 0)].place, trunk);
  return trunk[1] > 0.7;
}

// Whether nothing hangs on the feet, as may on what stands third in a longer chain.
static bool ends_with_feet(const LinkModel *model, const RetargetMap *map, const BodyDef *human) {
  return links_count_children(model, find_side(map, human, "foot", 0)) == 0 &&
         links_count_children(model, find_side(map, human, "foot", 1)) == 0;
}

static bool is_human(const LinkModel *model, const BodyDef *human, RetargetMap *map) {
  for (int by_shape = 0; by_shape < 2; by_shape++) {
    Error none = {0};
    if (match_parts(model, human, !by_shape, map, &none) && has_limbs(map, human) && is_upright(model, map, human) &&
        (!by_shape || ends_with_feet(model, map, human)))
      return true;
  }
  return false;
}

static void name_parts(LinkModel *model, const BodyDef *human, const RetargetMap *map) {
  int renamed = 0;
  for (int i = 0; i < human->part_count; i++) {
    const int link = map->source[i];
    if (link < 0 || strcmp(model->links[link].name, human->parts[i].name) == 0)
      continue;
    snprintf(model->links[link].name, sizeof model->links[link].name, "%s", human->parts[i].name);
    renamed++;
  }
  if (renamed > 0)
    link_note(model, "%d parts are named as those of %s", renamed, human->name);
}

// ---- Hands and feet ----

static const double END_STRENGTH = 1; // N m; it only holds what is locked

static bool is_fixed_end(const LinkModel *model, int index, const char *name, const char *other_name) {
  const Link *link = &model->links[index], *limb = link->parent >= 0 ? &model->links[link->parent] : NULL;
  return limb && (strstr(link->name, name) || strstr(link->name, other_name)) && link->joint_count == 0 &&
         limb->joint_count == 1 && !limb->joints[0].ball && link->mass > 0;
}

static void keep_end(LinkModel *model, int index) {
  Link *end = &model->links[index];
  const Link *limb = &model->links[end->parent];
  end->joints[0] = (LinkJoint){.limited = true, .strength = END_STRENGTH, .node = end->node};
  memcpy(end->joints[0].axis, limb->joints[0].axis, sizeof limb->joints[0].axis);
  memcpy(end->joints[0].place, end->place, sizeof end->place);
  end->joint_count = 1;
  link_note(model, "%s, fixed to %s, stays a part, on a locked hinge", end->name, limb->name);
}

void links_keep_ends(LinkModel *model) {
  int feet = 0;
  for (int i = 1; i < model->count; i++)
    feet += is_fixed_end(model, i, "foot", "Foot");
  for (int i = 1; i < model->count; i++)
    if (is_fixed_end(model, i, "hand", "Hand") || (feet == 2 && is_fixed_end(model, i, "foot", "Foot")))
      keep_end(model, i);
}

// ---- Hanging arms ----

static void about_axis(const double axis[3], double angle, double q[4]) {
  q[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    q[1 + i] = sin(angle / 2) * axis[i];
}

static const double STRAIGHT = 0.1 * RAD_PER_DEGREE; // limbs that are off by less are straight
static const double BENT = 20 * RAD_PER_DEGREE;      // elbows that are bent by more show which way they bend

// Which way the elbow between two directions bends: its axis, such that positive angles bend it.
static void bending_axis(const LinkJoint *elbow, const double upper[3], const double lower[3], double axis[3]) {
  double across[3];
  cross3(upper, lower, across);
  double sign = fabs(elbow->range[1]) >= fabs(elbow->range[0]) ? 1 : -1;
  if (length3(across) > sin(BENT))
    sign = dot3(across, elbow->axis) >= 0 ? 1 : -1;
  for (int i = 0; i < 3; i++)
    axis[i] = sign * elbow->axis[i];
}

// The rotation after which the upper arm hangs and the elbow bends forward, about -x.
static void hanging_turn(const double arm[3], const double bends[3], double q[4]) {
  const double down[3] = {0, -1, 0};
  double first[4], axis[3], second[4];
  rotation_between(arm, down, first);
  quaternion_turn(first, bends, axis);
  about_axis((const double[3]){0, 1, 0}, atan2(-axis[2], -axis[0]), second);
  quaternion_times(second, first, q);
}

// Turns about y and across it, as in body_def.h, of a rotation.
static void split(const double q[4], double *twist, double swing[2]) {
  const double sign = q[0] < 0 ? -1 : 1, length = sqrt(q[0] * q[0] + q[2] * q[2]);
  double turn[4] = {1, 0, 0, 0}, rest[4], inverse[4];
  if (length > 1e-9) {
    turn[0] = q[0] / length;
    turn[2] = q[2] / length;
  }
  *twist = 2 * atan2(sign * q[2], sign * q[0]);
  memcpy(inverse, (double[4]){turn[0], 0, -turn[2], 0}, sizeof inverse);
  quaternion_times(q, inverse, rest);
  const double across = sqrt(rest[1] * rest[1] + rest[3] * rest[3]);
  const double angle = 2 * atan2(across, rest[0]), share = across > 1e-9 ? angle / across : 0; // rest[0] is `length`
  swing[0] = share * rest[1];
  swing[1] = share * rest[3];
}

enum { SAMPLES = 13 }; // of each hinge's range

typedef struct Reach {
  double low[3], high[3]; // rad about x, y, z
} Reach;

static void widen(Reach *reach, int axis, double angle) {
  reach->low[axis] = fmin(reach->low[axis], angle);
  reach->high[axis] = fmax(reach->high[axis], angle);
}

// The ranges of a shoulder of hinges, as a ball's from the pose in which it is turned by `bind`: of each axis where the
// others are small.
static Reach find_reach(const Link *link, const double bind[4]) {
  const double beside = 0.35; // rad
  const double inverse[4] = {bind[0], -bind[1], -bind[2], -bind[3]};
  Reach reach = {{0}, {0}};
  int total = 1;
  for (int k = 0; k < link->joint_count; k++)
    total *= SAMPLES;
  for (int n = 0; n < total; n++) {
    double q[4] = {1, 0, 0, 0}, twist, swing[2];
    for (int k = 0, rest = n; k < link->joint_count; k++, rest /= SAMPLES) {
      const LinkJoint *joint = &link->joints[k];
      const double low = joint->limited ? joint->range[0] : -M_PI, high = joint->limited ? joint->range[1] : M_PI;
      double turn[4], old[4];
      about_axis(joint->axis, low + (high - low) * (rest % SAMPLES) / (SAMPLES - 1), turn);
      memcpy(old, q, sizeof old);
      quaternion_times(old, turn, q);
    }
    double now[4];
    quaternion_times(q, inverse, now);
    split(now, &twist, swing);
    if (fabs(swing[1]) < beside)
      widen(&reach, 0, swing[0]);
    if (fabs(swing[0]) < beside)
      widen(&reach, 2, swing[1]);
    if (fabs(swing[0]) < beside && fabs(swing[1]) < beside)
      widen(&reach, 1, twist);
  }
  return reach;
}

// Three hinges about x, z and y, the last one the twist.
static void set_shoulder(Link *link, const double place[3], const Reach *reach) {
  static const int axes[3] = {2, 0, 1};
  const LinkJoint first = link->joints[0];
  double strength = 0, stiffness = 0, damping = 0;
  for (int k = 0; k < link->joint_count; k++) {
    strength = fmax(strength, link->joints[k].strength);
    stiffness = fmax(stiffness, link->joints[k].stiffness);
    damping = fmax(damping, link->joints[k].damping);
  }
  for (int k = 0; k < 3; k++) {
    LinkJoint *joint = &link->joints[k];
    *joint = first;
    joint->limited = true;
    joint->strength = strength;
    joint->stiffness = stiffness;
    joint->damping = damping;
    memcpy(joint->place, place, sizeof joint->place);
    memset(joint->axis, 0, sizeof joint->axis);
    joint->axis[axes[k]] = 1;
    joint->range[0] = reach->low[axes[k]];
    joint->range[1] = reach->high[axes[k]];
  }
  link->joint_count = 3;
}

// Straightens the elbow, a hinge, as far as its range allows. False: it is as straight as it can be.
static bool straighten(LinkModel *model, int forearm, const double end[3]) {
  LinkJoint *elbow = &model->links[forearm].joints[0];
  const double down[3] = {0, -1, 0};
  double along[3], across[3];
  direction(elbow->place, end, along);
  cross3(along, down, across);
  double angle = atan2(dot3(across, elbow->axis), dot3(along, down)), turn[4];
  if (elbow->limited)
    angle = fmin(fmax(angle, elbow->range[0]), elbow->range[1]);
  if (fabs(angle) < STRAIGHT)
    return false;
  about_axis(elbow->axis, angle, turn);
  const double place[3] = {elbow->place[0], elbow->place[1], elbow->place[2]};
  links_turn(model, forearm, place, turn);
  for (int i = 0; i < 2; i++)
    elbow->range[i] -= angle;
  return true;
}

static const double HANGS = 5 * RAD_PER_DEGREE; // arms that are off by less stay

static bool hang_arm(LinkModel *model, int upper, int forearm, int hand) {
  Link *arm = &model->links[upper], *fore = &model->links[forearm];
  if (arm->joint_count == 0 || arm->joints[0].ball || fore->joint_count != 1 || fore->joints[0].ball)
    return false;
  const double *end = hand >= 0 ? model->links[hand].place : fore->com;
  double along[3], lower[3], bends[3], turn[4], shoulder[3];
  link_joint_place(arm, shoulder);
  direction(shoulder, fore->joints[0].place, along);
  direction(fore->joints[0].place, end, lower);
  bending_axis(&fore->joints[0], along, lower, bends);
  hanging_turn(along, bends, turn);
  const bool lifted = 2 * angle_of_cosine(fabs(turn[0])) > HANGS;
  if (lifted) {
    const Reach reach = find_reach(arm, turn);
    links_turn(model, upper, shoulder, turn);
    set_shoulder(arm, shoulder, &reach);
  }
  direction(fore->joints[0].place, end, lower);
  const bool straightened = -lower[1] < cos(HANGS) && straighten(model, forearm, end);
  return lifted || straightened;
}

// ---- Straight legs ----

static const double SLANTED = 6 * RAD_PER_DEGREE; // legs that are off by more stay

// Turns a link so that the bone to a joint below it is upright, if it nearly is. What is below keeps its direction.
static bool straighten_bone(LinkModel *model, int link, int below) {
  const double down[3] = {0, -1, 0};
  Link *upper = &model->links[link], *lower = &model->links[below];
  if (upper->joint_count == 0 || lower->joint_count == 0)
    return false;
  double along[3], turn[4], place[3], end[3];
  link_joint_place(upper, place);
  link_joint_place(lower, end);
  direction(place, end, along);
  const double off = angle_of_cosine(-along[1]);
  if (off < STRAIGHT || off > SLANTED)
    return false;
  rotation_between(along, down, turn);
  links_turn(model, link, place, turn);
  const double back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
  link_joint_place(lower, place);
  links_turn(model, below, place, back);
  links_turn_joints(lower, place, back);
  return true;
}

static const double STRADDLES = 40 * RAD_PER_DEGREE; // legs that are off by more are no standing ones

// Lets a straight leg that straddles hang: it turns as a whole about the hip, whose ranges become a ball's.
static bool hang_leg(LinkModel *model, int thigh, int shin, int foot) {
  const double down[3] = {0, -1, 0};
  Link *upper = &model->links[thigh];
  double hip[3], knee[3], ankle[3], first[3], second[3], turn[4];
  if (upper->joint_count == 0 || upper->joints[0].ball || model->links[shin].joint_count == 0 ||
      model->links[foot].joint_count == 0)
    return false;
  link_joint_place(upper, hip);
  link_joint_place(&model->links[shin], knee);
  link_joint_place(&model->links[foot], ankle);
  direction(hip, knee, first);
  direction(knee, ankle, second);
  const double off = angle_of_cosine(-first[1]);
  if (off <= SLANTED || off > STRADDLES || dot3(first, second) < cos(SLANTED / 2))
    return false;
  rotation_between(first, down, turn);
  const Reach reach = find_reach(upper, turn);
  links_turn(model, thigh, hip, turn);
  set_shoulder(upper, hip, &reach);
  link_note(model, "%s: the leg straddles by %.0f deg and hangs in the bind pose; the hip's ranges are a ball's",
            upper->name, off / RAD_PER_DEGREE);
  return true;
}

static const double ASIDE = 0.15, BELOW = 0.02; // m

// Hips of robots lie beside their legs: they move over the knees, since a leg hangs straight.
static bool move_hip(LinkModel *model, int thigh, int shin) {
  Link *upper = &model->links[thigh];
  const Link *lower = &model->links[shin];
  if (upper->joint_count == 0 || lower->joint_count == 0)
    return false;
  double way[3], hip[3];
  link_joint_place(upper, hip);
  for (int i = 0; i < 3; i++)
    way[i] = i == 1 ? 0 : lower->joints[0].place[i] - hip[i];
  if (length3(way) < BELOW || length3(way) > ASIDE)
    return false;
  for (int k = 0; k < upper->joint_count; k++)
    for (int i = 0; i < 3; i++)
      upper->joints[k].place[i] = hip[i] + way[i];
  link_note(model, "%s: its joint moves by %.0f mm, to above the next one", upper->name, 1000 * length3(way));
  return true;
}

// m from a leg's first hinge to its hip, over which the hinge does not stand for the hip.
static const double FAR = 0.05;

static void hip_place(const Link *thigh, double place[3]) {
  double off[3];
  link_joint_place(thigh, place);
  for (int i = 0; i < 3; i++)
    off[i] = thigh->joints[0].place[i] - place[i];
  if (length3(off) < FAR)
    memcpy(place, thigh->joints[0].place, sizeof thigh->joints[0].place);
}

// The pelvis moves as human's does, about the middle of the hips.
static void center_pelvis(LinkModel *model, int left, int right) {
  Link *pelvis = &model->links[0];
  const Link *a = &model->links[left], *b = &model->links[right];
  if (a->joint_count == 0 || b->joint_count == 0)
    return;
  double one[3], other[3];
  hip_place(a, one);
  hip_place(b, other);
  for (int i = 0; i < 3; i++)
    pelvis->place[i] = (one[i] + other[i]) / 2;
}

// ---- The whole ----

// The link that carries both thighs.
static int common_link(const LinkModel *model, int a, int b) {
  bool above[LINKS_MOST] = {false};
  for (int i = a; i >= 0; i = model->links[i].parent)
    above[i] = true;
  while (b >= 0 && !above[b])
    b = model->links[b].parent;
  return b;
}

// Toes become parts of their feet, as human has no toes. Returns whether there were any.
static bool join_toes(LinkModel *model, const int feet[2]) {
  int count = 0;
  for (int i = 0; i < model->count; i++) {
    const int parent = model->links[i].parent;
    if (parent < 0 || (parent != feet[0] && parent != feet[1]) || model->links[i].joint_count == 0)
      continue;
    model->links[i].joint_count = 0;
    link_note(model, "%s becomes a part of %s", model->links[i].name, model->links[parent].name);
    count++;
  }
  links_merge_fixed(model);
  return count > 0;
}

// Turns the whole model about up until the left hip is to the left of the right one.
static void face_forward(LinkModel *model, int left, int right) {
  double way[3], turn[4];
  direction(model->links[right].place, model->links[left].place, way);
  const double angle = atan2(way[2], way[0]), about[3] = {0};
  if (fabs(angle) < STRAIGHT)
    return;
  about_axis((const double[]){0, 1, 0}, angle, turn);
  links_turn(model, 0, about, turn);
  link_note(model, "the model faces aside; it is turned by %.0f deg", fabs(angle) / RAD_PER_DEGREE);
}

// Whether the model is a human's when another link is the first one, which then becomes it: the trunk of some robots
// carries a waist with the legs, and shapes are found from the pelvis up.
static bool is_human_from_below(LinkModel *model, const BodyDef *human, RetargetMap *map) {
  LinkModel *copy = malloc(sizeof *copy);
  bool found = false;
  for (int i = 1; copy && i < model->count && !found; i++) {
    if (links_count_children(model, i) < 2)
      continue;
    *copy = *model;
    links_make_root(copy, i);
    found = is_human(copy, human, map);
    if (found) {
      link_note(model, "%s, which carries the legs, becomes the first part", model->links[i].name);
      links_make_root(model, i);
    }
  }
  free(copy);
  return found;
}

// Whether it is what the user's table says. False and an error: it is not.
static bool obeys_table(const LinkModel *model, const BodyDef *human, RetargetMap *map, Error *error) {
  if (!match_parts(model, human, true, map, error))
    return false;
  if (!has_limbs(map, human) || !is_upright(model, map, human))
    return node_error(
        model->joints, error,
        "the links are no human's: needed are thigh, shin, foot, upper_arm and forearm of both sides, with "
        "the shoulders above the hips");
  return true;
}

bool links_as_human(LinkModel *model, const BodyDef *human, Error *error) {
  RetargetMap map;
  if (model->joints && !obeys_table(model, human, &map, error))
    return false;
  if (!is_human(model, human, &map) && !is_human_from_below(model, human, &map))
    return false;
  const int feet[2] = {find_side(&map, human, "foot", 0), find_side(&map, human, "foot", 1)};
  if (join_toes(model, feet) && !is_human(model, human, &map))
    return false;
  face_forward(model, find_side(&map, human, "thigh", 0), find_side(&map, human, "thigh", 1));
  const int pelvis = common_link(model, find_side(&map, human, "thigh", 0), find_side(&map, human, "thigh", 1));
  if (pelvis > 0) {
    link_note(model, "%s, which carries the legs, becomes the first part", model->links[pelvis].name);
    links_make_root(model, pelvis);
    if (!is_human(model, human, &map))
      return false;
  }
  bool hung = false;
  for (int side = 0; side < 2; side++)
    hung |= hang_arm(model, find_side(&map, human, "upper_arm", side), find_side(&map, human, "forearm", side),
                     find_side(&map, human, "hand", side));
  if (hung)
    link_note(model, "the arms hang in the bind pose; the shoulders' ranges are a ball's about the same");
  bool slanted = false;
  for (int side = 0; side < 2; side++) {
    const int thigh = find_side(&map, human, "thigh", side), shin = find_side(&map, human, "shin", side);
    const int foot = find_side(&map, human, "foot", side);
    if (!hang_leg(model, thigh, shin, foot) && !move_hip(model, thigh, shin))
      slanted |= straighten_bone(model, thigh, shin);
    slanted |= straighten_bone(model, shin, foot);
  }
  if (slanted)
    link_note(model, "the legs, a few deg oblique, stand straight in the bind pose");
  center_pelvis(model, find_side(&map, human, "thigh", 0), find_side(&map, human, "thigh", 1));
  name_parts(model, human, &map);
  return true;
}
