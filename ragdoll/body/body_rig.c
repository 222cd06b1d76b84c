// Measures a rigged figure and changes the human body to it.
#include "ragdoll/body/body_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"

// The joints that a figure needs, by their parts of the human.
enum { PELVIS, HEAD, UPPER_ARM, FOREARM, HAND, THIGH, SHIN, FOOT, NAMED };
static const char *const NAMES[NAMED] = {"pelvis", "head",    "upper_arm_l", "forearm_l",
                                         "hand_l", "thigh_l", "shin_l",      "foot_l"};

static const double LEAST_LENGTH = 0.02; // of a limb's bone and a hand, as a share of the height

// What was measured of a figure; m, in its rest pose; places of joints with x as on the left side.
typedef struct Figure {
  const Motion *rig;
  const BodyDef *human;
  vec3s *places; // [joint_count], in the world
  versors *rotations;
  int joint[NAMED][2]; // of the rig, left and right; of the middle twice the same
  int neck;            // the lowest joint between trunk and head
  int *kind;           // [joint_count] the part to which a joint's vertices belong; -1: none
  double *samples;     // scratch memory, [vertex_count]
  double floor, top;
  double scale; // from the figure to the body
} Figure;

// ---- Joints ----

static double across(const Figure *figure, int named) { // half the distance of both sides
  const vec3s a = figure->places[figure->joint[named][0]], b = figure->places[figure->joint[named][1]];
  return fabs((double)(a.x - b.x)) / 2;
}

static double height_of(const Figure *figure, int named) {
  const vec3s a = figure->places[figure->joint[named][0]], b = figure->places[figure->joint[named][1]];
  return ((double)a.y + (double)b.y) / 2 - figure->floor;
}

// Mean of both sides.
static double bone(const Figure *figure, int from, int to) {
  double sum = 0;
  for (int s = 0; s < 2; s++)
    sum += (double)glms_vec3_distance(figure->places[figure->joint[from][s]], figure->places[figure->joint[to][s]]);
  return sum / 2;
}

static bool missing_joints(const Figure *figure, const char *parts, Error *error) {
  char names[500] = "";
  size_t used = 0;
  for (int i = 0; i < figure->rig->joint_count && used < sizeof names - MOTION_NAME_SIZE - 8; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", figure->rig->joints[i].name);
  return error_set(error, "no joint was found for our %s; name each in 'joints: {%.*s: ...}'. The rig's joints: %s",
                   parts, (int)strcspn(parts, ","), parts, names);
}

static bool find_joints(Figure *figure, const RetargetMap *map, Error *error) {
  char missing[300] = "";
  for (int n = 0; n < NAMED; n++) {
    const int part = skeleton_find(&figure->human->skeleton, NAMES[n]);
    if (part < 0)
      return error_set(error, "%s has no part %s, as bodies/human.yaml has", figure->human->name, NAMES[n]);
    const int sides[2] = {part, figure->human->parts[part].twin};
    for (int s = 0; s < 2; s++) {
      figure->joint[n][s] = map->source[sides[s]];
      if (map->source[sides[s]] < 0 && (s == 0 || sides[1] != sides[0]))
        snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", missing[0] ? ", " : "",
                 figure->human->parts[sides[s]].name);
    }
  }
  return missing[0] == '\0' || missing_joints(figure, missing, error);
}

static void place_rest(Figure *figure) {
  const Motion *rig = figure->rig;
  for (int j = 0; j < rig->joint_count; j++) {
    const MotionJoint *joint = &rig->joints[j];
    figure->places[j] = joint->bind_position_l;
    figure->rotations[j] = joint->bind_rotation_l;
    if (joint->parent < 0)
      continue;
    figure->places[j] = glms_vec3_add(figure->places[joint->parent],
                                      glms_quat_rotatev(figure->rotations[joint->parent], joint->bind_position_l));
    figure->rotations[j] = glms_quat_mul(figure->rotations[joint->parent], joint->bind_rotation_l);
  }
}

// The lowest joint between the trunk and the head: the one on the way up that is last above the shoulders' branch.
static void find_neck(Figure *figure) {
  const Motion *rig = figure->rig;
  figure->neck = figure->joint[HEAD][0];
  for (int j = rig->joints[figure->neck].parent; j >= 0; j = rig->joints[j].parent) {
    for (int k = figure->joint[UPPER_ARM][0]; k >= 0; k = rig->joints[k].parent)
      if (k == j)
        return; // the arms branch off here
    figure->neck = j;
  }
}

// Gives each joint the part of the nearest named joint above it. Joints of the trunk are of the pelvis.
static void find_kinds(Figure *figure) {
  for (int j = 0; j < figure->rig->joint_count; j++) {
    const int parent = figure->rig->joints[j].parent;
    figure->kind[j] = parent >= 0 ? figure->kind[parent] : -1;
    for (int n = 0; n < NAMED; n++)
      if (j == figure->joint[n][0] || j == figure->joint[n][1])
        figure->kind[j] = n;
    if (j == figure->neck)
      figure->kind[j] = HEAD;
  }
}

// ---- Vertices ----

static vec3s place_of(const Figure *figure, int vertex) {
  const MotionVertex *v = &figure->rig->vertices[vertex];
  return glms_vec3_add(figure->places[v->joint], glms_quat_rotatev(figure->rotations[v->joint], v->position_l));
}

// The side of a vertex' limb: 0 left, 1 right.
static int side_of(const Figure *figure, int kind, int vertex) {
  for (int j = figure->rig->vertices[vertex].joint; j >= 0; j = figure->rig->joints[j].parent)
    for (int s = 0; s < 2; s++)
      if (j == figure->joint[kind][s])
        return s;
  return 0;
}

static void find_ends(Figure *figure) {
  figure->floor = HUGE_VAL;
  figure->top = -HUGE_VAL;
  for (int v = 0; v < figure->rig->vertex_count; v++) {
    const int kind = figure->kind[figure->rig->vertices[v].joint];
    const double y = (double)place_of(figure, v).y;
    if (kind == FOOT)
      figure->floor = fmin(figure->floor, y);
    if (kind == HEAD)
      figure->top = fmax(figure->top, y);
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The value below which a share of the samples lies; sorts them.
static double quantile(double *samples, int count, double share) {
  qsort(samples, (size_t)count, sizeof *samples, compare);
  return samples[(int)(share * (count - 1) + 0.5)];
}

// Coordinates of a part's vertices relative to its joint, x as on the left side. from, to: of the trunk only vertices
// between these heights. Returns their number.
static int gather(Figure *figure, int kind, int axis, double from, double to) {
  int count = 0;
  for (int v = 0; v < figure->rig->vertex_count; v++) {
    if (figure->kind[figure->rig->vertices[v].joint] != kind)
      continue;
    const vec3s place = place_of(figure, v);
    const double y = (double)place.y - figure->floor;
    if (y < from || y > to)
      continue;
    const int side = side_of(figure, kind, v);
    const double offset = (double)(place.raw[axis] - figure->places[figure->joint[kind][side]].raw[axis]);
    figure->samples[count++] = axis == 0 && side == 1 ? -offset : offset;
  }
  return count;
}

// Median distance of a limb's vertices from its bone, away from its ends; 0: too few vertices.
static double thickness(Figure *figure, int kind, int next) {
  int count = 0;
  for (int v = 0; v < figure->rig->vertex_count; v++) {
    if (figure->kind[figure->rig->vertices[v].joint] != kind)
      continue;
    const int side = side_of(figure, kind, v);
    const vec3s from = figure->places[figure->joint[kind][side]], to = figure->places[figure->joint[next][side]];
    const vec3s axis = glms_vec3_sub(to, from), offset = glms_vec3_sub(place_of(figure, v), from);
    const float along = glms_vec3_dot(offset, axis) / glms_vec3_norm2(axis);
    if (along > 0.1f && along < 0.9f)
      figure->samples[count++] = (double)glms_vec3_norm(glms_vec3_sub(offset, glms_vec3_scale(axis, along)));
  }
  return count >= 4 ? quantile(figure->samples, count, 0.5) : 0;
}

// How far the hand reaches beyond the wrist, along the forearm.
static double hand_length(Figure *figure) {
  int count = 0;
  for (int v = 0; v < figure->rig->vertex_count; v++) {
    if (figure->kind[figure->rig->vertices[v].joint] != HAND)
      continue;
    const int side = side_of(figure, HAND, v);
    const vec3s wrist = figure->places[figure->joint[HAND][side]];
    const vec3s way = glms_vec3_normalize(glms_vec3_sub(wrist, figure->places[figure->joint[FOREARM][side]]));
    figure->samples[count++] = (double)glms_vec3_dot(glms_vec3_sub(place_of(figure, v), wrist), way);
  }
  return count >= 4 ? quantile(figure->samples, count, 0.97) : 0;
}

// ---- The body ----

// The changed human's parts: its left and middle ones are set, the right ones are mirrored.
typedef struct Build {
  BodyDef *body;
  BodyDef old; // as it was
  double mass; // factors against the human
  double torque, time;
} Build;

static const PartDef *old_part(const Build *build, const char *name) {
  return &build->old.parts[skeleton_find(&build->old.skeleton, name)];
}

static void set_part(Build *build, const char *name, const double place[3], const double scale[3]) {
  const int index = skeleton_find(&build->old.skeleton, name), twin = build->old.parts[index].twin;
  const double mirrored[3] = {-place[0], place[1], place[2]};
  body_scale_part(&build->body->parts[index], place, scale, build->mass);
  if (twin != index)
    body_scale_part(&build->body->parts[twin], mirrored, scale, build->mass);
}

// The ratio of a limb's bone and thickness to the human's; a limb without vertices is as thick as it is long.
static void set_limb(Build *build, const char *name, double x, double y, double length, double old_length,
                     double radius) {
  const ShapeDef *shape = &old_part(build, name)->shapes[0];
  const double along = length / old_length, wide = radius > 0 ? radius / shape->size[0] : along;
  set_part(build, name, (const double[3]){x, y, 0}, (const double[3]){wide, along, wide});
}

static double old_height(const Build *build, const char *name) { return old_part(build, name)->joint.position[1]; }

// Lengths and thicknesses in metres of the body.
typedef struct Sizes {
  double ankle, knee, hip, neck, top, shoulder; // heights
  double hips, shoulders;                       // half distances of both sides
  double upper_arm, forearm, hand;              // lengths
  double thigh_radius, shin_radius, upper_radius, fore_radius;
  double foot[3][2];  // extents of a foot about the ankle: x, -, z
  double trunk[3][2]; // widths and depths of pelvis, abdomen, chest
  double head;        // radius
} Sizes;

static double extent(Figure *figure, int kind, int axis, double from, double to, double share, double otherwise) {
  const int count = gather(figure, kind, axis, from, to);
  if (count < 8)
    return otherwise;
  const double low = quantile(figure->samples, count, 1 - share);
  return quantile(figure->samples, count, share) - low;
}

// Heights of the joints of abdomen and chest above the hips, as shares of the trunk, are the human's.
static double trunk_height(const Build *build, const Sizes *sizes, const char *name) {
  const double hip = old_height(build, "thigh_l"), neck = old_height(build, "head");
  return sizes->hip + (old_height(build, name) - hip) / (neck - hip) * (sizes->neck - sizes->hip);
}

static void measure_trunk(Figure *figure, const Build *build, Sizes *sizes, double raised) {
  static const char *const names[] = {"pelvis", "abdomen", "chest", "head"};
  const double s = figure->scale;
  for (int i = 0; i < 3; i++) {
    const ShapeDef *box = &old_part(build, names[i])->shapes[0];
    const double from = i == 0 ? 0 : trunk_height(build, sizes, names[i]),
                 to = i == 2 ? sizes->neck : trunk_height(build, sizes, names[i + 1]);
    for (int k = 0; k < 2; k++)
      sizes->trunk[i][k] = s * extent(figure, PELVIS, 2 * k, (from - raised) / s, (to - raised) / s, 0.95, 0);
    const double widest = i == 2 ? 1.7 * sizes->shoulders : HUGE_VAL; // the shoulders are not of the chest
    sizes->trunk[i][0] = fmin(sizes->trunk[i][0], widest);
    for (int k = 0; k < 2; k++)
      if (sizes->trunk[i][k] <= 0)
        sizes->trunk[i][k] = box->size[2 * k] * (sizes->top / body_top(&build->old));
  }
}

static Sizes measure(Figure *figure, const Build *build) {
  const double s = figure->scale, thigh = s * bone(figure, THIGH, SHIN), shin = s * bone(figure, SHIN, FOOT);
  Sizes sizes = {.ankle = fmax(s * height_of(figure, FOOT), 0.015 * s * (figure->top - figure->floor)),
                 .hips = s * across(figure, THIGH),
                 .shoulders = s * across(figure, UPPER_ARM),
                 .upper_arm = s * bone(figure, UPPER_ARM, FOREARM),
                 .forearm = s * bone(figure, FOREARM, HAND),
                 .hand = s * hand_length(figure),
                 .thigh_radius = s * thickness(figure, THIGH, SHIN),
                 .shin_radius = s * thickness(figure, SHIN, FOOT),
                 .upper_radius = s * thickness(figure, UPPER_ARM, FOREARM),
                 .fore_radius = s * thickness(figure, FOREARM, HAND)};
  sizes.knee = sizes.ankle + shin;
  sizes.hip = sizes.knee + thigh;
  const double raised = sizes.hip - s * height_of(figure, THIGH); // by straight legs
  sizes.neck = s * ((double)figure->places[figure->neck].y - figure->floor) + raised;
  sizes.top = s * (figure->top - figure->floor) + raised;
  sizes.shoulder = s * height_of(figure, UPPER_ARM) + raised;
  sizes.hips = fmax(sizes.hips, 0.02 * sizes.top);
  sizes.thigh_radius = fmin(sizes.thigh_radius, 0.95 * sizes.hips);
  for (int axis = 0; axis < 3; axis += 2) {
    const int count = gather(figure, FOOT, axis, -HUGE_VAL, HUGE_VAL);
    sizes.foot[axis][0] = count >= 4 ? s * quantile(figure->samples, count, 0.02) : -0.045 * sizes.ankle / 0.07;
    sizes.foot[axis][1] = count >= 4 ? s * quantile(figure->samples, count, 0.98) : 0.045 * sizes.ankle / 0.07;
  }
  measure_trunk(figure, build, &sizes, raised);
  sizes.head = s *
               fmin(extent(figure, HEAD, 0, -HUGE_VAL, HUGE_VAL, 0.98, 0.18 / s),
                    extent(figure, HEAD, 2, -HUGE_VAL, HUGE_VAL, 0.98, 0.18 / s)) /
               2;
  return sizes;
}

static void build_legs(Build *build, const Sizes *sizes) {
  const double hip = old_height(build, "thigh_l"), knee = old_height(build, "shin_l"),
               ankle = old_height(build, "foot_l");
  set_limb(build, "thigh_l", sizes->hips, sizes->hip, sizes->hip - sizes->knee, hip - knee, sizes->thigh_radius);
  set_limb(build, "shin_l", sizes->hips, sizes->knee, sizes->knee - sizes->ankle, knee - ankle, sizes->shin_radius);
  const double *box = old_part(build, "foot_l")->shapes[0].size, length = sizes->foot[2][1] - sizes->foot[2][0];
  const double width = fmin(sizes->foot[0][1] - sizes->foot[0][0], 1.8 * sizes->hips);
  set_part(build, "foot_l", (const double[3]){sizes->hips, sizes->ankle, 0},
           (const double[3]){width / box[0], sizes->ankle / ankle, length / box[2]});
  Skeleton *skeleton = &build->body->skeleton;
  const double middle = (sizes->foot[2][0] + sizes->foot[2][1]) / 2;
  for (int i = 0; i < skeleton->leg_count; i++) {
    Leg *leg = &skeleton->legs[i];
    PartDef *foot = &build->body->parts[leg->ankle];
    foot->com[2] += middle - foot->shapes[0].center_m[2];
    foot->shapes[0].center_m[2] = middle;
    leg->heel_l = (vec3s){{0, (float)-sizes->ankle, (float)sizes->foot[2][0]}};
    leg->toe_l = (vec3s){{0, (float)-sizes->ankle, (float)sizes->foot[2][1]}};
    leg->sole_l = glms_vec3_scale(glms_vec3_add(leg->heel_l, leg->toe_l), 0.5f);
    leg->half_width = (float)(width / 2);
  }
  skeleton->clip_scale = (float)(sizes->hip / hip);
}

static void build_arms(Build *build, const Sizes *sizes) {
  const double shoulder = old_height(build, "upper_arm_l"), elbow = old_height(build, "forearm_l"),
               wrist = old_height(build, "hand_l");
  // Hanging arms must not lie in the chest.
  const double x = fmax(sizes->shoulders, sizes->trunk[2][0] / 2 + sizes->upper_radius + 0.01);
  const double lower = sizes->shoulder - sizes->upper_arm, end = lower - sizes->forearm;
  set_limb(build, "upper_arm_l", x, sizes->shoulder, sizes->upper_arm, shoulder - elbow, sizes->upper_radius);
  set_limb(build, "forearm_l", x, lower, sizes->forearm, elbow - wrist, sizes->fore_radius);
  const ShapeDef *palm = &old_part(build, "hand_l")->shapes[0];
  const double old_hand = wrist - (palm->center_m[1] - shape_half_size(palm, 1)),
               size = fmax(sizes->hand, LEAST_LENGTH * sizes->top) / old_hand;
  set_part(build, "hand_l", (const double[3]){x, end, 0}, (const double[3]){size, size, size});
}

static void build_trunk(Build *build, const Sizes *sizes) {
  static const char *const names[] = {"pelvis", "abdomen", "chest", "head"};
  for (int i = 0; i < 3; i++) {
    const PartDef *old = old_part(build, names[i]);
    const double from = i == 0 ? sizes->hip : trunk_height(build, sizes, names[i]);
    const double to = i == 2 ? sizes->neck : trunk_height(build, sizes, names[i + 1]);
    const double old_from = i == 0 ? old_height(build, "thigh_l") : old->joint.position[1];
    const double scale[3] = {sizes->trunk[i][0] / old->shapes[0].size[0],
                             (to - from) / (old_height(build, names[i + 1]) - old_from),
                             sizes->trunk[i][1] / old->shapes[0].size[2]};
    set_part(build, names[i], (const double[3]){0, from, 0}, scale);
  }
  const PartDef *head = old_part(build, "head");
  const double along = (sizes->top - sizes->neck) / (body_top(&build->old) - head->joint.position[1]);
  const double wide = fmin(sizes->head / head->shapes[0].size[0], 1.2 * along);
  set_part(build, "head", (const double[3]){0, sizes->neck, 0}, (const double[3]){wide, along, wide});
}

static bool check_figure(const Figure *figure, Error *error) {
  const double height = figure->top - figure->floor;
  if (!(figure->floor < HUGE_VAL) || !(figure->top > -HUGE_VAL))
    return error_set(error, "no vertices belong to its %s: a body is made of a skin",
                     figure->top > -HUGE_VAL ? "feet" : "head");
  if (!(height > 0) || !(height_of(figure, THIGH) > 0.2 * height) ||
      !(height_of(figure, UPPER_ARM) > height_of(figure, THIGH)))
    return error_set(error, "its rest pose does not stand: head above shoulders above hips above feet");
  static const int bones[][2] = {{THIGH, SHIN}, {SHIN, FOOT}, {UPPER_ARM, FOREARM}, {FOREARM, HAND}};
  for (int i = 0; i < 4; i++)
    if (bone(figure, bones[i][0], bones[i][1]) < LEAST_LENGTH * height)
      return error_set(error, "the joints '%s' and '%s' are at the same place",
                       figure->rig->joints[figure->joint[bones[i][0]][0]].name,
                       figure->rig->joints[figure->joint[bones[i][1]][0]].name);
  return true;
}

static void build_body(BodyDef *body, Figure *figure, const RigOptions *options) {
  Build build = {.body = body, .old = *body};
  const double height = figure->top - figure->floor, old_top = body_top(body);
  figure->scale = options->height > 0 ? options->height / height : 1;
  Sizes sizes = measure(figure, &build);
  if (options->height > 0) { // straight legs may have raised the top
    figure->scale *= options->height / sizes.top;
    sizes = measure(figure, &build);
  }
  const double mass = options->mass > 0 ? options->mass : body->mass * pow(sizes.top / old_top, 2);
  build.mass = mass / body->mass;
  build.torque = build.mass * sizes.top / old_top;
  build.time = sqrt(sizes.top / old_top);
  build_trunk(&build, &sizes);
  build_arms(&build, &sizes);
  build_legs(&build, &sizes);
  for (int i = 1; i < body->part_count; i++)
    body_scale_drive(&body->parts[i].joint, build.torque, build.time);
  body_derive(body);
}

bool body_from_rig(BodyDef *human, const Motion *rig, const RetargetMap *map, const RigOptions *options, Error *error) {
  if (rig->vertex_count == 0)
    return error_set(error, "there are no meshes at its joints: a body is made of a skin");
  const size_t joints = (size_t)rig->joint_count;
  Figure figure = {.rig = rig,
                   .human = human,
                   .places = calloc(joints, sizeof *figure.places),
                   .rotations = calloc(joints, sizeof *figure.rotations),
                   .kind = calloc(joints, sizeof *figure.kind),
                   .samples = calloc((size_t)rig->vertex_count, sizeof *figure.samples)};
  bool good = figure.places && figure.rotations && figure.kind && figure.samples;
  if (!good)
    error_set(error, "out of memory");
  if (good && (good = find_joints(&figure, map, error))) {
    place_rest(&figure);
    find_neck(&figure);
    find_kinds(&figure);
    find_ends(&figure);
    good = check_figure(&figure, error);
    if (good)
      build_body(human, &figure, options);
  }
  free(figure.places);
  free(figure.rotations);
  free(figure.kind);
  free(figure.samples);
  return good;
}
