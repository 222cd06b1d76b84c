// Links of models of other programs: their masses, merging of those that are fixed, and turning parts of the tree.
#include "ragdoll/body/link_model.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/numbers.h"

Frame frame_within(const Frame *outer, const Frame *inner) {
  Frame frame;
  frame_point(outer, inner->place, frame.place);
  quaternion_times(outer->rotation, inner->rotation, frame.rotation);
  return frame;
}

void frame_point(const Frame *frame, const double point[3], double out[3]) {
  quaternion_turn(frame->rotation, point, out);
  for (int i = 0; i < 3; i++)
    out[i] += frame->place[i];
}

void link_note(LinkModel *model, const char *format, ...) {
  char note[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
  text_print(&model->notes, "%s\n", note);
}

// ---- Masses ----

// Adds the inertia of a mass at a place relative to the point that the tensor is about.
static void add_distant(double inertia[3][3], double mass, const double place[3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      inertia[i][k] += mass * ((i == k ? dot3(place, place) : 0) - place[i] * place[k]);
}

void link_add_mass(Link *link, double mass, const double com[3], double inertia[3][3]) {
  const double whole = link->mass + mass;
  if (!(whole > 0))
    return;
  double middle[3], to_old[3], to_new[3];
  for (int i = 0; i < 3; i++) {
    middle[i] = (link->mass * link->com[i] + mass * com[i]) / whole;
    to_old[i] = link->com[i] - middle[i];
    to_new[i] = com[i] - middle[i];
  }
  add_distant(link->inertia, link->mass, to_old);
  add_distant(link->inertia, mass, to_new);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      link->inertia[i][k] += inertia[i][k];
    link->com[i] = middle[i];
  }
  link->mass = whole;
}

double solid_volume(ShapeKind kind, const double size[3]) {
  if (kind == SHAPE_BOX)
    return size[0] * size[1] * size[2];
  const double r = size[0], ball = 4.0 / 3 * M_PI * r * r * r;
  return kind == SHAPE_SPHERE ? ball : ball + M_PI * r * r * size[1];
}

void cylinder_inertia(double radius, double length, double mass, double moments[3]) {
  moments[0] = moments[2] = mass * (3 * radius * radius + length * length) / 12;
  moments[1] = mass * radius * radius / 2;
}

// A capsule is a cylinder between two half balls, whose centres of mass lie 3/8 r from their flat sides.
static void capsule_inertia(double r, double length, double mass, double moments[3]) {
  const double cylinder = M_PI * r * r * length, balls = 4.0 / 3 * M_PI * r * r * r;
  const double share = balls / (cylinder + balls), of_balls = mass * share;
  cylinder_inertia(r, length, mass - of_balls, moments);
  moments[1] += 0.4 * of_balls * r * r;
  const double aside = of_balls * (0.4 * r * r + length * length / 4 + 3.0 / 8 * length * r);
  moments[0] += aside;
  moments[2] += aside;
}

void solid_inertia(ShapeKind kind, const double size[3], double mass, double moments[3]) {
  if (kind == SHAPE_CAPSULE) {
    capsule_inertia(size[0], size[1], mass, moments);
    return;
  }
  for (int i = 0; i < 3; i++) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    moments[i] = kind == SHAPE_BOX ? mass * (a * a + b * b) / 12 : 0.4 * mass * size[0] * size[0];
  }
}

void tensor_turn(double tensor[3][3], const double rotation[4]) {
  double turned[3][3];
  for (int pass = 0; pass < 2; pass++) { // (R T)^T, then (R (R T)^T)^T = R T R^T
    for (int column = 0; column < 3; column++) {
      const double v[3] = {tensor[0][column], tensor[1][column], tensor[2][column]};
      quaternion_turn(rotation, v, turned[column]);
    }
    memcpy(tensor, turned, sizeof turned);
  }
}

void turned_inertia(const double moments[3], const double rotation[4], double out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = i == k ? moments[i] : 0;
  tensor_turn(out, rotation);
}

void rotation_between(const double from[3], const double to[3], double rotation[4]) {
  const double lengths = length3(from) * length3(to), along = dot3(from, to) / lengths;
  double axis[3];
  cross3(from, to, axis);
  if (along < -1 + 1e-12) { // half a turn about any axis across
    const double aside[3] = {fabs(from[0]) < 0.6 * length3(from), fabs(from[0]) >= 0.6 * length3(from), 0};
    cross3(from, aside, axis);
  }
  rotation[0] = sqrt(max_d(0, (1 + along) / 2));
  const double length = length3(axis), share = length > 0 ? sqrt(max_d(0, (1 - along) / 2)) / length : 0;
  for (int i = 0; i < 3; i++)
    rotation[1 + i] = share * axis[i];
}

void link_cylinder_shape(double radius, double length, LinkShape *shape) {
  if (length > 2 * radius) {
    shape->kind = SHAPE_CAPSULE;
    shape->size[0] = radius;
    shape->size[1] = length - 2 * radius;
    return;
  }
  shape->kind = SHAPE_BOX;
  shape->size[0] = shape->size[2] = radius * sqrt(M_PI);
  shape->size[1] = length;
}

void link_add_shape(Link *link, const LinkShape *shape) {
  if (link->shape_count < BODY_MAX_SHAPES)
    link->shapes[link->shape_count++] = *shape;
  else
    link->shapes_left_out++;
}

void link_add_inertia_box(LinkModel *model, Link *link, const char *why) {
  LinkShape box = {.kind = SHAPE_BOX, .frame = FRAME_NONE};
  const double half = (link->inertia[0][0] + link->inertia[1][1] + link->inertia[2][2]) / 2;
  for (int i = 0; i < 3; i++)
    box.size[i] = min_d(sqrt(max_d(12 * (half - link->inertia[i][i]) / link->mass, 1e-4)), 10);
  memcpy(box.frame.place, link->com, sizeof link->com);
  link_add_shape(link, &box);
  link_note(model, "%s: %s by a box with the link's inertia, %.3g x %.3g x %.3g m", link->name, why, box.size[0],
            box.size[1], box.size[2]);
}

// ---- The tree ----

// A parent that is only a place, as in chains of hinges of one axis each, takes the name of what is fixed to it.
static void merge_into(Link *parent, Link *link) {
  if (!(parent->mass > 0) && parent->shape_count == 0 && link->mass > 0)
    memcpy(parent->name, link->name, sizeof parent->name);
  link_add_mass(parent, link->mass, link->com, link->inertia);
  for (int i = 0; i < link->shape_count; i++)
    link_add_shape(parent, &link->shapes[i]);
  parent->shapes_left_out += link->shapes_left_out;
  if (link->has_heel && !parent->has_heel)
    memcpy(parent->heel, link->heel, sizeof parent->heel);
  if (link->has_toe && !parent->has_toe)
    memcpy(parent->toe, link->toe, sizeof parent->toe);
  if ((link->has_heel || link->has_toe) && parent->leg[0] == '\0') {
    memcpy(parent->leg, link->leg, sizeof parent->leg);
    parent->half_width = link->half_width;
  }
  parent->has_heel |= link->has_heel;
  parent->has_toe |= link->has_toe;
}

void links_merge_fixed(LinkModel *model) {
  int now[LINKS_MOST] = {0}, count = 0;
  for (int i = 0; i < model->count; i++) {
    Link *link = &model->links[i];
    const int parent = link->parent >= 0 ? now[link->parent] : -1;
    if (parent >= 0 && link->joint_count == 0) {
      merge_into(&model->links[parent], link);
      now[i] = parent;
      continue;
    }
    link->parent = parent;
    now[i] = count;
    if (count != i)
      model->links[count] = *link;
    count++;
  }
  model->count = count;
}

static const double NEAR = 0.2;   // m between hinges of the same name that are joined
static const double CLOSE = 0.08; // m between others
static const double ACROSS = 0.5; // cosine between their axes, at most

static double hanging_mass(const LinkModel *model, int link) {
  double mass = 0;
  bool hangs[LINKS_MOST] = {false};
  for (int i = link; i < model->count; i++) {
    hangs[i] = i == link || (model->links[i].parent >= 0 && hangs[model->links[i].parent]);
    mass += hangs[i] ? model->links[i].mass : 0;
  }
  return mass;
}

int links_count_children(const LinkModel *model, int link) {
  int count = 0;
  for (int i = link + 1; i < model->count; i++)
    count += model->links[i].parent == link;
  return count;
}

// The name of a joint without the words for its axis, letters only: hip_yaw and hip_roll are both hip.
static void limb_name(const char *name, char limb[LINK_NAME_SIZE]) {
  static const char *const words[] = {"pitch", "roll", "yaw", "joint", "link"};
  size_t length = 0;
  while (*name != '\0') {
    size_t skip = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (strncasecmp(name, words[i], strlen(words[i])) == 0)
        skip = strlen(words[i]);
    if (skip == 0 && isalpha((unsigned char)*name))
      limb[length++] = (char)tolower((unsigned char)*name);
    name += skip > 0 ? skip : 1;
  }
  limb[length] = '\0';
}

// Whether a name is of three letters, as in Japanese and Korean humanoids: side, limb, and pitch, roll or yaw (LHY,
// RAP).
static bool is_short_name(const char *name) {
  return strlen(name) == 3 && strchr("LR", name[0]) && isupper((unsigned char)name[1]) && strchr("PRY", name[2]);
}

static bool are_of_one_limb(const LinkJoint *a, const LinkJoint *b) {
  char one[LINK_NAME_SIZE], other[LINK_NAME_SIZE];
  if (is_short_name(a->name) && is_short_name(b->name))
    return strncmp(a->name, b->name, 2) == 0;
  limb_name(a->name, one);
  limb_name(b->name, other);
  return strcmp(one, other) == 0;
}

// Of links that are joined, the most mass over what hangs on it: of others, and of joints with short names.
static const double HEAVIER[2] = {1.5, 2};

static bool can_join(const LinkModel *model, int index) {
  const Link *link = &model->links[index], *parent = &model->links[link->parent];
  if (link->parent == 0 || link->joint_count + parent->joint_count > LINK_MOST_JOINTS || parent->joint_count == 0 ||
      links_count_children(model, link->parent) != 1)
    return false;
  bool have_short_names = true;
  for (int i = 0; i < parent->joint_count; i++)
    for (int k = 0; k < link->joint_count; k++) {
      const LinkJoint *a = &parent->joints[i], *b = &link->joints[k];
      double apart[3];
      for (int axis = 0; axis < 3; axis++)
        apart[axis] = b->place[axis] - a->place[axis];
      if (a->ball || b->ball || fabs(dot3(a->axis, b->axis)) > ACROSS ||
          length3(apart) > (are_of_one_limb(a, b) ? NEAR : CLOSE))
        return false;
      have_short_names &= is_short_name(a->name) && is_short_name(b->name);
    }
  return parent->mass <= HEAVIER[have_short_names] * hanging_mass(model, index);
}

// The parent's joints come first; its mass and shapes move with the link. The parent is left empty, without children.
static void join(LinkModel *model, int index) {
  Link *link = &model->links[index], *parent = &model->links[link->parent];
  for (int i = link->joint_count - 1; i >= 0; i--)
    link->joints[parent->joint_count + i] = link->joints[i];
  memcpy(link->joints, parent->joints, (size_t)parent->joint_count * sizeof *link->joints);
  link->joint_count += parent->joint_count;
  merge_into(link, parent);
  link->parent = parent->parent;
  link_note(model, "%s and %s are one part, with a joint of %d axes", parent->name, link->name, link->joint_count);
}

void links_join_hinges(LinkModel *model) {
  int now[LINKS_MOST] = {0}, count = 0;
  bool joined[LINKS_MOST] = {false};
  for (int i = 0; i < model->count; i++)
    if (model->links[i].joint_count > 1)
      return;
  for (int i = 1; i < model->count; i++)
    if (can_join(model, i)) {
      joined[model->links[i].parent] = true;
      join(model, i);
    }
  for (int i = 0; i < model->count; i++) {
    if (joined[i])
      continue;
    now[i] = count;
    model->links[count] = model->links[i];
    model->links[count].parent = i > 0 ? now[model->links[i].parent] : -1;
    count++;
  }
  model->count = count;
}

static void turn_about(const double about[3], const double rotation[4], double point[3]) {
  double arm[3];
  for (int i = 0; i < 3; i++)
    arm[i] = point[i] - about[i];
  quaternion_turn(rotation, arm, arm);
  for (int i = 0; i < 3; i++)
    point[i] = about[i] + arm[i];
}

void links_turn_joints(Link *link, const double about[3], const double rotation[4]) {
  for (int i = 0; i < link->joint_count; i++) {
    turn_about(about, rotation, link->joints[i].place);
    quaternion_turn(rotation, link->joints[i].axis, link->joints[i].axis);
  }
}

static void turn_link(Link *link, const double about[3], const double rotation[4]) {
  turn_about(about, rotation, link->place);
  turn_about(about, rotation, link->com);
  turn_about(about, rotation, link->heel);
  turn_about(about, rotation, link->toe);
  tensor_turn(link->inertia, rotation);
  for (int i = 0; i < link->shape_count; i++) {
    Frame *frame = &link->shapes[i].frame;
    double turned[4];
    turn_about(about, rotation, frame->place);
    quaternion_times(rotation, frame->rotation, turned);
    memcpy(frame->rotation, turned, sizeof turned);
  }
}

static bool hangs_on(const LinkModel *model, int link, int above) {
  while (link >= 0 && link != above)
    link = model->links[link].parent;
  return link == above;
}

void links_turn(LinkModel *model, int link, const double about[3], const double rotation[4]) {
  for (int i = link; i < model->count; i++)
    if (hangs_on(model, i, link)) {
      turn_link(&model->links[i], about, rotation);
      if (i != link)
        links_turn_joints(&model->links[i], about, rotation);
    }
}

void links_move(LinkModel *model, const double by[3]) {
  for (int i = 0; i < model->count; i++) {
    Link *link = &model->links[i];
    for (int k = 0; k < 3; k++) {
      link->place[k] += by[k];
      link->com[k] += by[k];
      link->heel[k] += by[k];
      link->toe[k] += by[k];
      for (int j = 0; j < link->joint_count; j++)
        link->joints[j].place[k] += by[k];
      for (int j = 0; j < link->shape_count; j++)
        link->shapes[j].frame.place[k] += by[k];
    }
  }
}

// Joints seen from the other side: the last one first, with opposite angles.
static void turn_joints_round(const Link *from, Link *to) {
  for (int i = 0; i < from->joint_count; i++) {
    LinkJoint *joint = &to->joints[from->joint_count - 1 - i];
    *joint = from->joints[i];
    if (!joint->ball) {
      joint->range[0] = -from->joints[i].range[1];
      joint->range[1] = -from->joints[i].range[0];
    }
  }
  to->joint_count = from->joint_count;
}

// Puts parents before children, and the rest in the order that it had.
static void sort_links(LinkModel *model, int root) {
  static _Thread_local Link sorted[LINKS_MOST];
  int now[LINKS_MOST] = {0}, count = 0;
  for (int i = 0; i < model->count; i++)
    now[i] = -1;
  sorted[count] = model->links[root];
  now[root] = count++;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < model->count && !more; i++)
      if (now[i] < 0 && now[model->links[i].parent] >= 0) {
        sorted[count] = model->links[i];
        sorted[count].parent = now[model->links[i].parent];
        now[i] = count++;
        more = true;
      }
  }
  memcpy(model->links, sorted, (size_t)count * sizeof *sorted);
}

void links_make_root(LinkModel *model, int link) {
  if (link == 0)
    return;
  Link below = {.parent = -1};
  int parent = -1;
  for (int i = link; i >= 0;) {
    Link *here = &model->links[i];
    const Link before = *here;
    here->parent = parent;
    here->joint_count = 0;
    if (parent >= 0)
      turn_joints_round(&below, here);
    below = before;
    parent = i;
    i = before.parent;
  }
  sort_links(model, link);
}
