// Turns a model of links into a body: joints of one to three hinges, shapes along the axes, twins, legs.
#include "ragdoll/body/link_body.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"
#include "ragdoll/body/body_write.h"
#include "sim/base/numbers.h"

static const double SATURATION = 3 * RAD_PER_DEGREE; // at which drives of unknown stiffness reach their strength
static const double DAMPING_TIME = 0.05;             // s: damping of these over stiffness, as of human's legs
static const double UNKNOWN_STRENGTH = 100;          // N m
static const double OBLIQUE = 1 * RAD_PER_DEGREE;    // an axis that is off by more is noted
static const double STRAIGHT = 1e-9;                 // rad: less is rounding
static const double PARALLEL = 1e-6;                 // sine between hinges that have no common frame
static const double ALIKE = 0.005;                   // m: left and right differ by less
static const double ON_GROUND = 0.03;                // m: feet reach down to this over the lowest point

// ---- Names ----

// A name of the file with the characters that names may have, which no link before it has.
static void clean_name(const LinkModel *model, int index, char name[SKELETON_NAME_SIZE]) {
  size_t length = 0;
  for (const char *c = model->links[index].name; *c != '\0' && length < SKELETON_NAME_SIZE - 1; c++)
    if (length > 0 || isalpha((unsigned char)*c))
      name[length++] = isalnum((unsigned char)*c) || *c == '-' ? *c : '_';
  name[length] = '\0';
  if (length == 0)
    snprintf(name, SKELETON_NAME_SIZE, "part");
}

static void make_unique(const BodyDef *body, int count, char name[SKELETON_NAME_SIZE]) {
  char plain[SKELETON_NAME_SIZE];
  snprintf(plain, sizeof plain, "%.*s", SKELETON_NAME_SIZE - 8, name);
  for (int i = 0, number = 2; i < count; i++)
    if (strcmp(body->parts[i].name, name) == 0) {
      snprintf(name, SKELETON_NAME_SIZE, "%s_%d", plain, number++);
      i = -1;
    }
}

// ---- Joints ----

static void rotation_vector(const double rotation[4], double vector[3]) {
  const double sign = rotation[0] < 0 ? -1 : 1, length = length3(rotation + 1);
  const double angle = 2 * atan2(length, sign * rotation[0]);
  for (int i = 0; i < 3; i++)
    vector[i] = length > 0 ? sign * rotation[1 + i] / length * angle : 0;
}

// The axis of the model that is nearest to a direction, among those that are free.
static int nearest_axis(const double direction[3], const bool taken[3]) {
  int best = !taken[0] ? 0 : !taken[1] ? 1 : 2;
  for (int i = best + 1; i < 3; i++)
    if (!taken[i] && fabs(direction[i]) > fabs(direction[best]) + 1e-9)
      best = i;
  return best;
}

// Sets the range of an axis, deg. It must hold the bind pose.
static void set_range(LinkModel *model, const Link *link, JointDef *joint, int axis, const double range[2]) {
  double *const ranges[] = {joint->x, joint->y, joint->z};
  double low = range[0] / RAD_PER_DEGREE, high = range[1] / RAD_PER_DEGREE;
  if (low > 1e-6 || high < -1e-6)
    link_note(model, "%s: its range about %c, %.4g to %.4g deg, is widened to the bind pose at 0", link->name,
              "xyz"[axis], low, high);
  if (low < -180.001 || high > 180.001)
    link_note(model, "%s: its range about %c, %.4g to %.4g deg, is cut to -180 to 180 deg", link->name, "xyz"[axis],
              low, high);
  ranges[axis][0] = fmin(fmax(low, -180), 0);
  ranges[axis][1] = fmax(fmin(high, 180), 0);
}

static void note_oblique(LinkModel *model, const Link *link, const LinkJoint *joint, const double axis[3]) {
  const double off = angle_of_cosine(fabs(dot3(joint->axis, axis)));
  if (off > OBLIQUE)
    link_note(model, "%s: the axis of %s is not perpendicular to the others; it is turned by %.0f deg", link->name,
              joint->name, off / RAD_PER_DEGREE);
}

// Sets range, strength and armature of one axis of the joint by a hinge.
static void set_hinge(LinkModel *model, const Link *link, JointDef *def, const LinkJoint *joint, int axis) {
  double direction[3], range[2] = {-M_PI, M_PI};
  joint_axis(def, axis, direction);
  note_oblique(model, link, joint, direction);
  if (joint->limited)
    memcpy(range, joint->range, sizeof range);
  if (dot3(joint->axis, direction) < 0) {
    const double low = range[0];
    range[0] = -range[1];
    range[1] = -low;
  }
  set_range(model, link, def, axis, range);
  def->armature[axis] = joint->armature;
}

// The limits of hinges that are all known stay those of their axes, and hold alone unless the file has a limit of the
// norm over them.
static void set_strengths(const Link *link, JointDef *def, const int axes[], double largest) {
  bool known = link->joint_count > 1;
  for (int i = 0; i < link->joint_count; i++)
    known &= link->joints[i].strength > 0;
  for (int i = 0; i < link->joint_count && known; i++) {
    const double own = link->joints[i].strength;
    def->axis_strength[axes[i]] = link->norm_strength > 0 && own >= link->norm_strength * (1 - 1e-7) ? 0 : own;
  }
  def->strength = fmin(link->norm_strength > 0 ? link->norm_strength
                       : known                 ? length3(def->axis_strength)
                                               : largest,
                       10000);
}

static void set_drive(LinkModel *model, const Link *link, JointDef *def, const int axes[]) {
  double strength = 0, stiffness = 0, damping = 0;
  for (int i = 0; i < link->joint_count; i++) {
    strength = fmax(strength, link->joints[i].strength);
    stiffness = fmax(stiffness, link->joints[i].stiffness);
    damping = fmax(damping, link->joints[i].damping);
  }
  if (!(strength > 0)) {
    link_note(model, "%s: no actuator says how strong its joint is; %g N m are taken", link->name, UNKNOWN_STRENGTH);
    strength = UNKNOWN_STRENGTH;
  }
  strength = fmin(strength, 10000);
  set_strengths(link, def, axes, strength);
  def->stiffness = fmin(stiffness > 0 ? stiffness : strength / SATURATION, 1e6);
  def->damping = fmin(stiffness > 0 ? damping : fmax(damping, def->stiffness * DAMPING_TIME), 1e5);
}

// In the least squares; along the axes near the middle of the places.
void link_joint_place(const Link *link, double place[3]) {
  const double along = 1e-9; // weight of distances along an axis
  double left[3][3] = {{0}}, right[3] = {0}, middle[3] = {0};
  for (int k = 0; k < link->joint_count; k++)
    for (int i = 0; i < 3; i++)
      middle[i] += link->joints[k].place[i] / link->joint_count;
  for (int k = 0; k < link->joint_count; k++) {
    const LinkJoint *joint = &link->joints[k];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double weight = (i == j) - (1 - along) * joint->axis[i] * joint->axis[j];
        left[j][i] += weight;
        right[i] += weight * (joint->place[j] - middle[j]);
      }
  }
  double off[3];
  solve_columns3((const double(*)[3])left, right, off);
  for (int i = 0; i < 3; i++)
    place[i] = middle[i] + off[i];
}

// Which axes of the joint its hinges are: those of the model that are nearest.
static void find_axes(const Link *link, int axes[]) {
  bool taken[3] = {false};
  for (int k = 0; k < link->joint_count; k++) {
    axes[k] = nearest_axis(link->joints[k].axis, taken);
    taken[axes[k]] = true;
  }
}

static void unit3(double v[3]) {
  const double length = length3(v);
  for (int i = 0; i < 3; i++)
    v[i] /= length;
}

// Turns an orientation in which an axis is `first` about it, until another axis is toward a direction, as far as that
// is across.
static void turn_about_first(const double first[3], int axis, const double toward[3], double whole[4]) {
  double across[3], own[3] = {0}, turn[4], before[4];
  const double along = dot3(toward, first);
  for (int i = 0; i < 3; i++)
    across[i] = toward[i] - along * first[i];
  if (length3(across) < PARALLEL)
    return;
  unit3(across);
  own[axis] = 1;
  quaternion_turn(whole, own, own);
  const double sign = dot3(own, across) < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++)
    own[i] *= sign;
  rotation_between(own, across, turn);
  memcpy(before, whole, sizeof before);
  quaternion_times(turn, before, whole);
}

// Turns the joint's axes onto its hinges: exactly onto the first one, and onto the part of the second one that is
// across.
static void turn_joint(const Link *link, JointDef *def, const int axes[]) {
  const double *first = link->joints[0].axis;
  double from[3] = {0}, whole[4];
  from[axes[0]] = first[axes[0]] < 0 ? -1 : 1;
  rotation_between(from, first, whole);
  if (link->joint_count > 1)
    turn_about_first(first, axes[1], link->joints[1].axis, whole);
  rotation_vector(whole, def->turn);
  for (int i = 0; i < 3; i++)
    def->turn[i] = fabs(def->turn[i]) > STRAIGHT ? def->turn[i] / RAD_PER_DEGREE : 0;
  joint_set_frame(def);
}

static void set_joint(LinkModel *model, const Link *link, JointDef *def) {
  param_defaults(&joint_params, def);
  if (link->parent < 0) {
    def->kind = JOINT_ROOT;
    memcpy(def->position, link->place, sizeof def->position);
    return;
  }
  const int count = link->joint_count;
  int axes[LINK_MOST_JOINTS] = {0};
  link_joint_place(link, def->position);
  if (link->joints[0].ball) {
    def->kind = JOINT_BALL;
    def->twist_axis = 1;
    joint_set_frame(def);
    set_drive(model, link, def, axes);
    for (int i = 0; i < 3; i++) {
      def->armature[i] = link->joints[0].armature;
      if (link->joints[0].limited)
        set_range(model, link, def, i, (const double[2]){-link->joints[0].range[1], link->joints[0].range[1]});
    }
    return;
  }
  find_axes(link, axes);
  turn_joint(link, def, axes);
  for (int k = 0; k < count; k++)
    set_hinge(model, link, def, &link->joints[k], axes[k]);
  set_drive(model, link, def, axes);
  def->kind = count == 1 ? JOINT_HINGE : count == 2 ? JOINT_UNIVERSAL : JOINT_BALL;
  def->twist_axis = count == 2 ? 3 - axes[0] - axes[1] : axes[count - 1];
}

// ---- Shapes ----

// Small turns are those of rounding.
static void set_turn(ShapeDef *shape, const double rotation[4]) {
  double turn[3];
  rotation_vector(rotation, turn);
  shape->turned = length3(turn) > 1e-5;
  if (shape->turned)
    memcpy(shape->turn, turn, sizeof turn);
}

// Capsules are along the nearest axis, and turned from there.
static void set_capsule(ShapeDef *shape, const LinkShape *from) {
  const double upright[3] = {0, 1, 0};
  double along[3], axis[3] = {0}, rotation[4];
  quaternion_turn(from->frame.rotation, upright, along);
  shape->axis = nearest_axis(along, (const bool[3]){false});
  axis[shape->axis] = along[shape->axis] < 0 ? -1 : 1;
  rotation_between(axis, along, rotation);
  set_turn(shape, rotation);
}

// Boxes that are turned by right angles are boxes along the axes with other edges.
static void set_box(ShapeDef *shape, const LinkShape *from) {
  int to[3];
  bool taken[3] = {false}, straight = true;
  for (int k = 0; k < 3; k++) {
    double edge[3] = {0};
    edge[k] = 1;
    quaternion_turn(from->frame.rotation, edge, edge);
    to[k] = nearest_axis(edge, taken);
    taken[to[k]] = true;
    straight &= fabs(edge[to[k]]) > 1 - 1e-10;
  }
  for (int k = 0; k < 3; k++)
    shape->size[straight ? to[k] : k] = from->size[k];
  if (!straight)
    set_turn(shape, from->frame.rotation);
}

static void set_shape(ShapeDef *shape, const LinkShape *from) {
  *shape = (ShapeDef){.kind = from->kind, .axis = 1};
  memcpy(shape->size, from->size, sizeof shape->size);
  memcpy(shape->center_m, from->frame.place, sizeof shape->center_m);
  if (from->kind == SHAPE_CAPSULE)
    set_capsule(shape, from);
  else if (from->kind == SHAPE_BOX)
    set_box(shape, from);
}

static bool set_part(LinkModel *model, int index, PartDef *part, Error *error) {
  Link *link = &model->links[index];
  param_defaults(&part_params, part);
  if (!(link->mass > 0))
    return xml_error(link->node, error, "'%s' has no mass; needed is an inertial, or shapes with a density",
                     link->name);
  if (link->shape_count == 0)
    link_add_inertia_box(model, link, "its missing shape is replaced");
  if (link->shapes_left_out > 0)
    link_note(model, "%s: %d shapes beyond the first %d are left out", link->name, link->shapes_left_out,
              BODY_MAX_SHAPES);
  part->mass = link->mass;
  memcpy(part->com, link->com, sizeof part->com);
  for (int i = 0; i < 3; i++)
    part->inertia[i] = fmax(link->inertia[i][i], 1e-7);
  part->products[0] = link->inertia[0][1];
  part->products[1] = link->inertia[0][2];
  part->products[2] = link->inertia[1][2];
  for (int i = 0; i < 3; i++)
    if (fabs(part->products[i]) < 1e-7 * (part->inertia[0] + part->inertia[1] + part->inertia[2]))
      part->products[i] = 0;
  set_joint(model, link, &part->joint);
  part->shape_count = link->shape_count;
  for (int i = 0; i < link->shape_count; i++)
    set_shape(&part->shapes[i], &link->shapes[i]);
  return true;
}

// ---- Twins ----

static bool is_mirrored(const double a[3], const double b[3], double tolerance) {
  return fabs(a[0] + b[0]) < tolerance && fabs(a[1] - b[1]) < tolerance && fabs(a[2] - b[2]) < tolerance;
}

static bool are_alike(const PartDef *a, const PartDef *b) {
  return a->joint.kind == b->joint.kind && a->joint.twist_axis == b->joint.twist_axis &&
         a->shape_count == b->shape_count && fabs(a->mass - b->mass) < 0.02 * (a->mass + b->mass) &&
         is_mirrored(a->joint.position, b->joint.position, ALIKE) && is_mirrored(a->com, b->com, 2 * ALIKE);
}

// parts in the order of the links. A part in the middle is its own twin.
static void find_twins(PartDef parts[], int count) {
  for (int i = 0; i < count; i++)
    parts[i].twin = i;
  for (int i = 1; i < count; i++)
    for (int k = 1; k < count; k++)
      if (parts[i].twin == i && parts[k].twin == k && i != k && parts[i].joint.position[0] > 2 * ALIKE &&
          parts[parts[i].parent].twin == parts[k].parent && are_alike(&parts[i], &parts[k])) {
        parts[i].twin = k;
        parts[k].twin = i;
      }
}

// ---- The order of parts: right ones follow their left twins ----

static int find_order(const PartDef parts[], int count, int order[]) {
  bool done[LINKS_MOST] = {false};
  int used = 0;
  for (int i = 0; i < count; i++) {
    const int twin = parts[i].twin;
    if (done[i])
      continue;
    const bool first = twin == i || parts[i].joint.position[0] > 0;
    order[used++] = first ? i : twin;
    if (twin != i)
      order[used++] = first ? twin : i;
    done[i] = done[twin] = true;
  }
  return used;
}

// ---- Legs ----

static double lowest_of(const PartDef *part) {
  double low = DBL_MAX;
  for (int i = 0; i < part->shape_count; i++)
    low = fmin(low, part->shapes[i].center_m[1] - shape_half_size(&part->shapes[i], 1));
  return low;
}

// The end of the sole in front and behind, from the shapes that reach down.
static void find_sole(const PartDef *foot, double heel[3], double toe[3], double *half_width) {
  double low[3] = {DBL_MAX, 0, DBL_MAX}, high[3] = {-DBL_MAX, 0, -DBL_MAX};
  const double ground = lowest_of(foot);
  for (int i = 0; i < foot->shape_count; i++) {
    const ShapeDef *shape = &foot->shapes[i];
    if (shape->center_m[1] - shape_half_size(shape, 1) > ground + ON_GROUND)
      continue;
    for (int axis = 0; axis < 3; axis += 2) {
      const double half = shape_half_size(shape, axis);
      low[axis] = fmin(low[axis], shape->center_m[axis] - half);
      high[axis] = fmax(high[axis], shape->center_m[axis] + half);
    }
  }
  for (int i = 0; i < 3; i++) {
    heel[i] = i == 0 ? (low[0] + high[0]) / 2 : i == 1 ? ground : low[2];
    toe[i] = i == 0 ? (low[0] + high[0]) / 2 : i == 1 ? ground : high[2];
  }
  *half_width = (high[0] - low[0]) / 2;
}

static bool has_children(const BodyDef *body, int part) {
  for (int i = part + 1; i < body->part_count; i++)
    if (body->parts[i].parent == part)
      return true;
  return false;
}

static void add_leg(BodyDef *body, int foot, const Link *link) {
  Skeleton *skeleton = &body->skeleton;
  const int knee = body->parts[foot].parent, hip = knee > 0 ? body->parts[knee].parent : 0;
  if (hip <= 0 || skeleton->leg_count == SKELETON_MAX_LEGS)
    return;
  if (body->parts[hip].twin == hip && body->parts[foot].twin != foot)
    return; // two chains of two parts hang on it: it is a pelvis
  double heel[3], toe[3], half_width;
  find_sole(&body->parts[foot], heel, toe, &half_width);
  if (link->has_heel && link->has_toe) {
    memcpy(heel, link->heel, sizeof heel);
    memcpy(toe, link->toe, sizeof toe);
    half_width = link->half_width > 0 ? link->half_width : half_width;
  }
  Leg leg = {.hip = hip, .knee = knee, .ankle = foot, .half_width = (float)half_width};
  snprintf(leg.name, sizeof leg.name, "%s", link->leg[0] != '\0' ? link->leg : body->parts[foot].name);
  for (int i = 0; i < 3; i++) {
    leg.heel_l.raw[i] = (float)(heel[i] - body->parts[foot].joint.position[i]);
    leg.toe_l.raw[i] = (float)(toe[i] - body->parts[foot].joint.position[i]);
  }
  body->parts[foot].foot = true;
  skeleton->legs[skeleton->leg_count++] = leg;
}

// order: the link of each part.
static void find_legs(BodyDef *body, const LinkModel *model, const int order[]) {
  bool marked = false;
  double ground = DBL_MAX;
  for (int i = 0; i < body->part_count; i++) {
    marked |= model->links[order[i]].has_heel && model->links[order[i]].has_toe;
    ground = fmin(ground, lowest_of(&body->parts[i]));
  }
  for (int i = 1; i < body->part_count; i++) {
    const Link *link = &model->links[order[i]];
    const bool stands = lowest_of(&body->parts[i]) < ground + ON_GROUND && !has_children(body, i);
    if (marked ? link->has_heel && link->has_toe : stands)
      add_leg(body, i, link);
  }
  Leg *legs = body->skeleton.legs;
  if (!marked && body->skeleton.leg_count == 2 && body->parts[legs[0].ankle].twin == legs[1].ankle) {
    snprintf(legs[0].name, sizeof legs[0].name, "left");
    snprintf(legs[1].name, sizeof legs[1].name, "right");
  }
}

// ---- The whole ----

static void stand_on_ground(LinkModel *model) {
  double low = DBL_MAX, tolerance = 1e-6;
  for (int i = 0; i < model->count; i++) {
    if (model->links[i].has_heel)
      tolerance = 1e-3; // one of ours, whose soles may be rounded
    for (int k = 0; k < model->links[i].shape_count; k++) {
      ShapeDef shape;
      set_shape(&shape, &model->links[i].shapes[k]);
      low = fmin(low, shape.center_m[1] - shape_half_size(&shape, 1));
    }
  }
  if (low < DBL_MAX && fabs(low) > tolerance)
    links_move(model, (const double[3]){0, -low, 0});
}

static const double STANDS = 0.05; // m between the heights of hips by two ways to scale

// The height of a hip over the sole, m.
static double hip_height(const BodyDef *body, const Leg *leg) {
  return body->parts[leg->hip].joint.position[1] - body->parts[leg->ankle].joint.position[1] - (double)leg->heel_l.y;
}

// The length of a leg over a human's. Where ankles are so much higher or lower over their soles that a standing human
// so scaled would be in the ground or in the air, the heights of the hips.
static double leg_scale(const BodyDef *body, const BodyDef *human) {
  const Leg *leg = &body->skeleton.legs[0], *human_leg = &human->skeleton.legs[0];
  const double by_length =
      (double)skeleton_leg_length(&body->skeleton, leg) / (double)skeleton_leg_length(&human->skeleton, human_leg);
  const double height = hip_height(body, leg), wanted = hip_height(human, human_leg);
  return fabs(by_length * wanted - height) > STANDS ? height / wanted : by_length;
}

// Clips of the human apply, with lengths by those of the legs and without the joints that are not there.
static void follow_human(BodyDef *body, const BodyDef *human) {
  Skeleton *skeleton = &body->skeleton;
  if (skeleton->leg_count > 0 && human->skeleton.leg_count > 0)
    skeleton->clip_scale = (float)leg_scale(body, human);
  if (fabsf(skeleton->clip_scale - 1) < 1e-4f)
    skeleton->clip_scale = 0;
  for (int i = 0; i < human->part_count && skeleton->absent_count < SKELETON_MAX_ABSENT; i++)
    if (skeleton_find(skeleton, human->parts[i].name) < 0)
      snprintf(skeleton->absent[skeleton->absent_count++], SKELETON_NAME_SIZE, "%s", human->parts[i].name);
}

// human: NULL unless the model is one.
static bool build(BodyDef *body, LinkModel *model, const BodyDef *human, Error *error) {
  static _Thread_local PartDef parts[LINKS_MOST];
  int order[LINKS_MOST] = {0}, now[LINKS_MOST] = {0};
  if (model->count > BODY_MAX_PARTS)
    return xml_error(model->links[BODY_MAX_PARTS].node, error, "there are %d links with joints, allowed are %d",
                     model->count, BODY_MAX_PARTS);
  for (int i = 0; i < model->count; i++) {
    parts[i] = (PartDef){.parent = model->links[i].parent};
    if (!set_part(model, i, &parts[i], error))
      return false;
  }
  find_twins(parts, model->count);
  body->part_count = find_order(parts, model->count, order);
  for (int i = 0; i < body->part_count; i++)
    now[order[i]] = i;
  for (int i = 0; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    *part = parts[order[i]];
    clean_name(model, order[i], part->name);
    make_unique(body, i, part->name);
    part->parent = part->parent >= 0 ? now[part->parent] : -1;
    part->twin = now[part->twin];
  }
  find_legs(body, model, order);
  if (body->skeleton.leg_count == 0 && !model->as_is)
    link_note(model, "no legs are found, which are three parts in a row of which the last one stands on the ground: "
                     "balance and footsteps do not apply");
  body_derive(body);
  if (human)
    follow_human(body, human);
  return true;
}

// The body as its file says it, which checks it, too.
static BodyDef *read_again(const BodyDef *body, Error *error) {
  TextBuffer text = {0};
  FileSet files = {.sealed = true};
  Error cause = {0};
  body_write(body, NULL, &text);
  BodyDef *read = NULL;
  if (text.failed || !files_put(&files, body->name, text.bytes, text.size))
    error_set(&cause, "out of memory");
  else
    read = body_read(&files, body->name, &cause);
  if (!read)
    error_set(error, "the body that it makes is not a valid one: %s", cause.text);
  files_free(&files);
  text_free(&text);
  return read;
}

BodyDef *link_body(LinkModel *model, const BodyDef *human, Error *error) {
  if (human)
    links_keep_ends(model);
  links_merge_fixed(model);
  if (!model->as_is)
    links_join_hinges(model);
  links_repair_masses(model);
  if (!model->as_is)
    links_drop_lightest(model, BODY_MAX_PARTS);
  links_repair_inertias(model);
  Error why = {0};
  const bool is_human = human && links_as_human(model, human, &why);
  if (why.text[0] != '\0') {
    error_set(error, "%s", why.text);
    return NULL;
  }
  stand_on_ground(model);
  BodyDef *body = calloc(1, sizeof *body), *read = NULL;
  if (!body) {
    error_set(error, "out of memory");
    return NULL;
  }
  snprintf(body->name, sizeof body->name, "%s", model->name);
  if (build(body, model, is_human ? human : NULL, error))
    read = read_again(body, error);
  free(body);
  return read;
}
