// Reads the keys of a stepper that are not in its table, and derives legs, stance and groups from the skeleton.
#include <math.h>
#include <string.h>

#include "anim/ik.h"
#include "anim/layers/stepper/stepper_internal.h"
#include "sim/base/numbers.h"

static const double LEG_SHARE = 0.2;     // one unit, as a share of a leg's length or of the gap between feet
static const double OUTWARD_SHARE = 0.5; // one unit, as a share of the reach beyond the rest position: an allowed 1.25
                                         // units, and as much again for late steps
static const double LEAST_SHARE = 0.5;   // of the usual unit: least automatic unit
static const double REACH = 0.985, EASY_REACH = 0.95; // of the leg's length
static const float STRAIGHT = 0.02f;                  // sine of the bend below which a leg is straight

static const CurveRow curve_rows[] = {
    {"offset", offsetof(StepperDef, offset), -1, 1, 0.01, 100, false,
     "foot from its rest: cosine, -1 behind, 0 beside, 1 before", "distance at which it steps, in units of scale"},
    {"height", offsetof(StepperDef, height), 0, 1, 0, 100, true, "share of the step",
     "height of the foot, in units of scale, times lift"},
};
const CurveTable stepper_curves = {curve_rows, (int)(sizeof curve_rows / sizeof curve_rows[0])};

static const Curve DEFAULT_OFFSET = {.count = 3, .x = {-1, 0, 1}, .y = {1.5, 1.25, 1}};
static const Curve DEFAULT_HEIGHT = {.count = 3, .smooth = true, .x = {0, 0.5, 1}, .y = {0, 0.5, 0}};

// ---- Legs ----

static vec3s part_across(vec3s v, vec3s axis) {
  float length2 = glms_vec3_norm2(axis);
  return length2 > 0 ? glms_vec3_sub(v, glms_vec3_scale(axis, glms_vec3_dot(v, axis) / length2)) : v;
}

// The side to which the middle of a leg points, in the frame of the hip's parent. Straight legs bend as in the bind
// pose; if they are straight there, too, they bend forward as a knee does.
static vec3s find_pole(const StepperDef *def, const Skeleton *skeleton, const ModelPose *model, int index) {
  const Leg *leg = &def->legs[index].leg;
  vec3s hip = model->position[leg->hip], knee = model->position[leg->knee];
  vec3s thigh = glms_vec3_sub(knee, hip), shin = glms_vec3_sub(model->position[leg->ankle], knee);
  float bend = glms_vec3_norm(glms_vec3_cross(thigh, shin));
  bool straight = bend <= STRAIGHT * glms_vec3_norm(thigh) * glms_vec3_norm(shin);
  vec3s bind_pole = def->bind.legs[index].pole_p; // zero in the bind pose itself
  if (straight && glms_vec3_norm2(bind_pole) > 0)
    return bind_pole;
  vec3s hinge = glms_quat_rotatev(model->rotation[leg->knee], (vec3s){{1, 0, 0}});
  vec3s pole = straight ? glms_vec3_cross(hinge, thigh) : part_across(thigh, glms_vec3_add(thigh, shin));
  int carrier = skeleton->parent[leg->hip];
  versors carrier_m = carrier >= 0 ? model->rotation[carrier] : glms_quat_identity();
  return glms_vec3_normalize(glms_quat_rotatev(glms_quat_conjugate(carrier_m), pole));
}

static void find_legs(StepperDef *def, const Skeleton *skeleton, const Pose *bind) {
  ModelPose model;
  pose_to_model(skeleton, bind, &model);
  def->count = skeleton->leg_count;
  def->leg_length = 0;
  for (int i = 0; i < def->count; i++) {
    StepperLeg *leg = &def->legs[i];
    *leg = (StepperLeg){.leg = skeleton->legs[i]};
    leg->hinge = def->knee == STEPPER_KNEE_AUTO ? leg_is_hinged(skeleton, &leg->leg) : def->knee == STEPPER_KNEE_HINGE;
    leg->length = pose_leg_length(&model, &leg->leg);
    leg->reach = REACH * leg->length;
    def->leg_length += leg->length / def->count;
  }
}

// ---- How they stand ----

static bool is_left(const StepperRestLeg *leg) { return leg->reference[0] > 0; }

// The smallest gap between the feet of one side; it limits the unit so that a stride does not reach the next foot.
static double smallest_gap(const StepperDef *def, const StepperStance *stance) {
  double gap = INFINITY;
  for (int i = 0; i < def->count; i++)
    for (int k = 0; k < i; k++)
      if (is_left(&stance->legs[i]) == is_left(&stance->legs[k])) {
        const double *a = stance->legs[i].reference, *b = stance->legs[k].reference;
        gap = fmin(gap, hypot(a[0] - b[0], a[1] - b[1]));
      }
  return gap;
}

// How far a foot reaches outward beyond its rest position. Legs that are almost straight at rest do not count: the body
// is lowered for them.
static double outward_reach(const StepperDef *def, const StepperStance *stance, const ModelPose *model) {
  double least = INFINITY;
  for (int i = 0; i < def->count; i++) {
    const StepperLeg *leg = &def->legs[i];
    vec3s way = glms_vec3_sub(model->position[leg->leg.ankle], model->position[leg->leg.hip]);
    double level = hypot((double)way.x, (double)way.z), height = (double)way.y;
    double easy = stance->legs[i].easy_reach;
    if (level * level + height * height < easy * easy)
      least = fmin(least, sqrt(fmax(leg->reach * leg->reach - height * height, 0)) - level);
  }
  return least;
}

static double automatic_unit(const StepperDef *def, const StepperStance *stance, const ModelPose *model) {
  double usual = LEG_SHARE * def->leg_length;
  double outward = fmax(OUTWARD_SHARE * outward_reach(def, stance, model), LEAST_SHARE * usual);
  return fmin(fmin(usual, LEG_SHARE * smallest_gap(def, stance)), outward);
}

void stepper_find_stance(const StepperDef *def, const Skeleton *skeleton, const Pose *pose, StepperStance *stance) {
  ModelPose model;
  pose_to_model(skeleton, pose, &model);
  double ground = 0, forward = 0;
  for (int i = 0; i < def->count; i++) {
    const StepperLeg *leg = &def->legs[i];
    StepperRestLeg *rest = &stance->legs[i];
    int hip = leg->leg.hip, foot = leg->leg.ankle;
    vec3s sole = glms_vec3_add(model.position[foot], glms_quat_rotatev(model.rotation[foot], leg->leg.sole_l));
    rest->reference[0] = (double)sole.x;
    rest->reference[1] = (double)sole.z;
    rest->foot_rotation_m = model.rotation[foot];
    rest->pole_p = find_pole(def, skeleton, &model, i);
    double distance = (double)glms_vec3_distance(model.position[hip], model.position[foot]);
    rest->easy_reach = fmin(fmax(EASY_REACH * leg->length, distance), leg->reach);
    ground += (double)sole.y / def->count;
    forward += (double)sole.z / def->count;
  }
  for (int i = 0; i < def->count; i++)
    stance->legs[i].front = stance->legs[i].reference[1] > forward;
  stance->hip_height = (double)model.position[0].y - ground;
  stance->unit = def->scale > 0 ? def->scale : automatic_unit(def, stance, &model);
}

// ---- Groups ----

// Legs of a side are numbered from front to back; neighbours along and across the body take turns.
static void make_groups(StepperDef *def) {
  const StepperRestLeg *legs = def->bind.legs;
  def->group_count = def->count > 1 ? 2 : 1;
  for (int i = 0; i < def->count; i++) {
    int ahead = 0;
    for (int k = 0; k < def->count; k++)
      if (k != i && is_left(&legs[k]) == is_left(&legs[i])) {
        double lead = legs[k].reference[1] - legs[i].reference[1];
        ahead += lead > 0 || (lead == 0 && k < i);
      }
    def->legs[i].group = (ahead + !is_left(&legs[i])) % def->group_count;
  }
}

static int find_leg(const StepperDef *def, const Node *node, Error *error) {
  char name[SKELETON_NAME_SIZE];
  const char *names[SKELETON_MAX_LEGS];
  if (!node_text(node, name, sizeof name, error))
    return -1;
  for (int i = 0; i < def->count; i++) {
    names[i] = def->legs[i].leg.name;
    if (strcmp(names[i], name) == 0)
      return i;
  }
  node_error(node, error, "there is no leg '%s'%s", name, name_hint(name, names, def->count).text);
  return -1;
}

static bool read_group(StepperDef *def, const Node *list, int group, Error *error) {
  if (list->kind != NODE_LIST || list->count == 0)
    return node_error(list, error, "expected a group of legs, [front_l, hind_r]");
  for (const Node *item = list->first; item; item = item->next) {
    int leg = find_leg(def, item, error);
    if (leg < 0)
      return false;
    if (def->legs[leg].group >= 0)
      return node_error(item, error, "the leg '%s' is in a group already", def->legs[leg].leg.name);
    def->legs[leg].group = group;
  }
  return true;
}

static bool read_groups(StepperDef *def, const Node *node, Error *error) {
  if (node->kind != NODE_LIST || node->count == 0 || node->count > SKELETON_MAX_LEGS)
    return node_error(node, error, "expected 1 to %d groups of legs, [[front_l, hind_r], [front_r, hind_l]]",
                      SKELETON_MAX_LEGS);
  for (int i = 0; i < def->count; i++)
    def->legs[i].group = -1;
  def->group_count = 0;
  for (const Node *item = node->first; item; item = item->next)
    if (!read_group(def, item, def->group_count++, error))
      return false;
  return true;
}

// ---- Spine and curves ----

static bool hangs_on(const Skeleton *skeleton, int joint, int above) {
  for (joint = skeleton->parent[joint]; joint >= 0; joint = skeleton->parent[joint])
    if (joint == above)
      return true;
  return false;
}

// Whether the joint is between legs: it carries some of them, but not all.
static bool is_between_legs(const StepperDef *def, const Skeleton *skeleton, int joint) {
  int carried = 0;
  for (int i = 0; i < def->count; i++)
    carried += hangs_on(skeleton, def->legs[i].leg.hip, joint);
  return carried > 0 && carried < def->count;
}

static bool read_spine(StepperDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  if (node->kind != NODE_LIST || node->count > STEPPER_MAX_SPINE)
    return node_error(node, error, "expected up to %d joints from the hind legs to the front legs, [back_1, back_2]",
                      STEPPER_MAX_SPINE);
  for (const Node *item = node->first; item; item = item->next) {
    const int joint = skeleton_read_joint(skeleton, item, error);
    const int last = def->spine_count ? def->spine[def->spine_count - 1] : 0;
    if (joint < 0)
      return false;
    if (joint <= last)
      return node_error(item, error, "'%s' does not lie behind '%s': name the joints of the spine from the root on",
                        skeleton->names[joint], skeleton->names[last]);
    if (!is_between_legs(def, skeleton, joint))
      return node_error(item, error, "'%s' is not on the way from the hind legs to the front legs",
                        skeleton->names[joint]);
    def->spine[def->spine_count++] = joint;
  }
  return true;
}

// Each row of the table is in its range already; this checks that step_time_min is not above step_time.
static bool check_times(const StepperDef *def, const Node *map, Error *error) {
  const Node *least = node_find(map, "step_time_min"), *usual = node_find(map, "step_time");
  return def->step_time_min <= def->step_time ||
         node_error(least ? least : usual, error, "step_time_min is %g s, more than step_time, %g s",
                    def->step_time_min, def->step_time);
}

bool stepper_read(StepperDef *def, const Node *map, const Skeleton *skeleton, Error *error) {
  if (skeleton->leg_count == 0) {
    const char *text = "'%s' has no legs, so it cannot step";
    return map ? node_error(map, error, text, skeleton->name) : error_set(error, text, skeleton->name);
  }
  def->offset = DEFAULT_OFFSET;
  def->height = DEFAULT_HEIGHT;
  def->spine_count = 0;
  Pose bind = pose_bind(skeleton);
  find_legs(def, skeleton, &bind);
  def->bind = (StepperStance){.unit = 0};
  stepper_find_stance(def, skeleton, &bind, &def->bind);
  make_groups(def);
  const Node *groups = node_find(map, "groups"), *spine = node_find(map, "spine");
  return check_times(def, map, error) && curve_table_read(&stepper_curves, def, map, error) &&
         (!groups || read_groups(def, groups, error)) && (!spine || read_spine(def, spine, skeleton, error));
}
