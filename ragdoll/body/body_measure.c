// Bodies of another height, mass, sex and age. Figures and their sources: scenes/bodies/README.md.
#include "ragdoll/body/body_measure.h"

#include <stdio.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"
#include "sim/base/numbers.h"

PARAM_TABLE(measure_params, BodyMeasures, MEASURE_PARAMS, "body", "Measures of a human body.")

enum { MALE, FEMALE, SEXES };
typedef enum Muscles { TRUNK, ARMS, LEGS, ANKLES, MUSCLES } Muscles;

// Body mass in kg over height in m squared. Beyond these, the parts would not be those of people.
static const double BMI_LEAST = 12, BMI_MOST = 60;

static const double LEAST_HEIGHT = 1.2; // m, of a grown person

// Whose strength the base has, years.
static const double BASE_AGE = 25;

// Strength of women relative to men of the same mass: knee extension 2.4 against 3.2 N m/kg (Sarabon 2021); trunk and
// arms by the ratio of their shares to that of the legs, 63.8 and 55.8 to 71.9 % (Laubach 1976).
static const double FEMALE_LEGS = 2.4 / 3.2;
static const double FEMALE_STRENGTH[MUSCLES] = {[TRUNK] = FEMALE_LEGS * 63.8 / 71.9,
                                                [ARMS] = FEMALE_LEGS * 55.8 / 71.9,
                                                [LEGS] = FEMALE_LEGS,
                                                [ANKLES] = FEMALE_LEGS};

// Strength that women lose, 1/year (Hunter 2000: knee extensors, plantar flexors, grip; the trunk's is assumed).
static const double FEMALE_LOSS[MUSCLES] = {[TRUNK] = 0.0093, [ARMS] = 0.0062, [LEGS] = 0.0093, [ANKLES] = 0.0074};

// Strength that men lose, 1/year, up to an age and after it (leg press, Front Physiol 2018 9:1524).
static const double MALE_LOSS_YOUNG = 0.0015, MALE_LOSS_OLD = 0.013, MALE_TURN = 52;

// A part of `human` and its segment of de Leva (1996): by sex the share of the body's mass, the place of the centre of
// mass from the upper joint as a share of the length, radii of gyration about x, y, z as shares of the length.
typedef struct Segment {
  const char *part;
  const char *next; // the part at its lower end, NULL: its centre of mass stays where the base has it
  double mass[SEXES], com[SEXES], gyration[SEXES][3];
  Muscles muscles;
  bool slim; // its breadth depends on the height alone
} Segment;

static const Segment segments[] = {
    {"pelvis", NULL, {0.1117, 0.1247}, {0}, {{0.551, 0.587, 0.615}, {0.402, 0.444, 0.433}}, TRUNK, false},
    {"abdomen", NULL, {0.1633, 0.1465}, {0}, {{0.383, 0.468, 0.482}, {0.354, 0.415, 0.433}}, TRUNK, false},
    {"chest", NULL, {0.1596, 0.1545}, {0}, {{0.454, 0.659, 0.716}, {0.502, 0.718, 0.746}}, TRUNK, false},
    {"head", NULL, {0.0694, 0.0668}, {0}, {{0.376, 0.312, 0.362}, {0.359, 0.318, 0.330}}, TRUNK, true},
    {"upper_arm",
     "forearm",
     {0.0271, 0.0255},
     {0.5772, 0.5754},
     {{0.269, 0.158, 0.285}, {0.260, 0.148, 0.278}},
     ARMS,
     false},
    {"forearm",
     "hand",
     {0.0162, 0.0138},
     {0.4574, 0.4559},
     {{0.265, 0.121, 0.276}, {0.257, 0.094, 0.261}},
     ARMS,
     false},
    {"hand", NULL, {0.0061, 0.0056}, {0}, {{0.513, 0.401, 0.628}, {0.454, 0.335, 0.531}}, ARMS, true},
    {"thigh", "shin", {0.1416, 0.1478}, {0.4095, 0.3612}, {{0.329, 0.149, 0.329}, {0.364, 0.162, 0.369}}, LEGS, false},
    {"shin", "foot", {0.0433, 0.0481}, {0.4395, 0.4352}, {{0.246, 0.102, 0.251}, {0.263, 0.092, 0.267}}, LEGS, false},
    {"foot", NULL, {0.0137, 0.0129}, {0}, {{0.245, 0.257, 0.124}, {0.279, 0.299, 0.139}}, ANKLES, true},
};
enum { SEGMENTS = sizeof segments / sizeof segments[0] };

// How an end of a range about x depends on sex and age: women's share of men's, and the share of it that is lost per
// year from RANGE_AGE on.
static const double RANGE_AGE = 32; // years, middle of the youngest adults that were measured
typedef struct RangeShare {
  const char *part;
  int end; // 0 low, 1 high
  double female, loss[SEXES];
} RangeShare;

static const RangeShare range_shares[] = {
    {"thigh", 1, 1, {0.20 / 35, 0.20 / 35}},                             // extension
    {"thigh", 0, 1, {4.0 / 120 / 35, 4.0 / 120 / 35}},                   // flexion
    {"shin", 1, 141.9 / 137.7, {4.0 / 138 / 35, 4.0 / 138 / 35}},        // flexion
    {"foot", 0, 13.8 / 12.7, {0.8 / 12.7 / 25, 2.2 / 13.8 / 25}},        // dorsiflexion
    {"upper_arm", 0, 172.0 / 168.8, {15.0 / 169 / 40, 15.0 / 169 / 40}}, // flexion
    {"forearm", 0, 150.0 / 144.6, {0, 0}},                               // flexion
};

bool body_measures_read(BodyMeasures *measures, const Node *map, Error *error) {
  static const char *const others[] = {"base", NULL};
  param_defaults(&measure_params, measures);
  if (!param_read(&measure_params, measures, map, others, error))
    return false;
  if (!node_find(map, "base"))
    return node_error(map, error, "a body by measure needs a 'base', such as bodies/human.yaml");
  return measures->height <= 0 || measures->height >= LEAST_HEIGHT ||
         node_error(node_find(map, "height"), error, "%g m is too small, allowed is %g to 2.3 m", measures->height,
                    LEAST_HEIGHT);
}

bool body_measures_equal(const BodyMeasures *a, const BodyMeasures *b) {
  for (int i = 0; i < measure_params.count; i++)
    if (!param_is_equal(&measure_params.rows[i], a, b))
      return false;
  return true;
}

// Whether a part is of that name, or the one of its sides.
static bool is_named(const char *part, const char *name) {
  const size_t length = strlen(name);
  return strncmp(part, name, length) == 0 &&
         (part[length] == '\0' || strcmp(part + length, "_l") == 0 || strcmp(part + length, "_r") == 0);
}

static const Segment *segment_of(const char *part) {
  for (int i = 0; i < SEGMENTS; i++)
    if (is_named(part, segments[i].part))
      return &segments[i];
  return NULL; // a part that people do not have, such as a scarf's
}

static bool check_parts(const BodyDef *body, const Node *node, Error *error) {
  for (int i = 0; i < SEGMENTS; i++) {
    bool found = false;
    for (int k = 0; k < body->part_count && !found; k++)
      found = is_named(body->parts[k].name, segments[i].part);
    if (!found)
      return node_error(node, error, "measures are for bodies with the parts of bodies/human.yaml; '%s' has no %s",
                        body->name, segments[i].part);
  }
  return true;
}

// The factors of a change from the base.
typedef struct Change {
  double height, mass, breadth;
  double torque, time; // of a body of the same build
  int sex;
  double age;
} Change;

// The measures with those of the base in place of 0.
static BodyMeasures whole_measures(const BodyDef *base, const BodyMeasures *measures) {
  BodyMeasures whole = *measures;
  const double height = body_top(base);
  if (whole.height <= 0)
    whole.height = height;
  if (whole.mass <= 0)
    whole.mass = base->mass * pow(whole.height / height, 2);
  return whole;
}

static bool check_mass(const BodyMeasures *measures, const Node *node, Error *error) {
  const double square = measures->height * measures->height;
  return (measures->mass >= BMI_LEAST * square && measures->mass <= BMI_MOST * square) ||
         node_error(node, error, "%g kg do not suit a height of %g m, for which %.3g to %.3g kg are allowed",
                    measures->mass, measures->height, BMI_LEAST * square, BMI_MOST * square);
}

static Change change_from(const BodyDef *base, const BodyMeasures *measures) {
  const double height = measures->height / body_top(base), mass = measures->mass / base->mass;
  return (Change){.height = height,
                  .mass = mass,
                  .breadth = sqrt(mass / height),
                  .torque = mass * height,
                  .time = sqrt(height),
                  .sex = measures->sex,
                  .age = measures->age};
}

// Radii of gyration of the other sex; no moment becomes larger than the sum of the other two.
static void change_gyration(double inertia[3], const Segment *segment, int sex) {
  for (int i = 0; i < 3; i++)
    inertia[i] *= pow(segment->gyration[sex][i] / segment->gyration[MALE][i], 2);
  for (int i = 0; i < 3; i++)
    inertia[i] = fmin(inertia[i], inertia[(i + 1) % 3] + inertia[(i + 2) % 3]);
}

static void change_places(PartDef *part, const Change *change, bool slim) {
  const double *joint = part->joint.position, across = slim ? change->height : change->breadth;
  const double place[3] = {joint[0] * change->breadth, joint[1] * change->height, joint[2] * change->breadth};
  body_scale_part(part, place, (const double[3]){across, change->height, across}, change->mass);
}

static double strength_share(Muscles muscles, int sex, double age) {
  if (sex == FEMALE)
    return FEMALE_STRENGTH[muscles] * (1 - FEMALE_LOSS[muscles] * fmax(age - BASE_AGE, 0));
  return 1 - MALE_LOSS_YOUNG * fmax(fmin(age, MALE_TURN) - BASE_AGE, 0) - MALE_LOSS_OLD * fmax(age - MALE_TURN, 0);
}

static void change_joint(PartDef *part, const Change *change, const Segment *segment) {
  JointDef *joint = &part->joint;
  body_scale_drive(joint, change->torque, change->time);
  if (segment)
    joint->strength *= strength_share(segment->muscles, change->sex, change->age);
  for (size_t i = 0; i < sizeof range_shares / sizeof range_shares[0]; i++) {
    const RangeShare *share = &range_shares[i];
    if (!is_named(part->name, share->part))
      continue;
    double *end = &joint->x[share->end];
    *end *=
        (change->sex == FEMALE ? share->female : 1) * (1 - share->loss[change->sex] * fmax(change->age - RANGE_AGE, 0));
    *end = fmin(fmax(*end, -180), 180);
    joint->limit[0][share->end] = *end * RAD_PER_DEGREE;
  }
}

static void scale_tensor(PartDef *part, double ratio) {
  for (int k = 0; k < 3; k++) {
    part->inertia[k] *= ratio;
    part->products[k] *= ratio;
  }
}

// Gives women's parts their shares of the mass. Parts that are no segments keep theirs; the sum stays.
static void change_shares(BodyDef *body, double mass) {
  double others = 0, sum = 0;
  for (int i = 0; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    const Segment *segment = segment_of(part->name);
    const double ratio = segment ? segment->mass[FEMALE] / segment->mass[MALE] : 1;
    part->mass *= ratio;
    scale_tensor(part, ratio);
    *(segment ? &sum : &others) += part->mass;
  }
  for (int i = 0; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    const double ratio = segment_of(part->name) ? (mass - others) / sum : 1;
    part->mass *= ratio;
    scale_tensor(part, ratio);
  }
}

// Centres of mass of the other sex, along the bones of the limbs.
static void change_center(BodyDef *body, int index, const Segment *segment, int sex) {
  for (int i = index + 1; segment->next && i < body->part_count; i++) {
    const PartDef *next = &body->parts[i];
    if (next->parent != index || !is_named(next->name, segment->next))
      continue;
    PartDef *part = &body->parts[index];
    for (int k = 0; k < 3; k++)
      part->com[k] += (segment->com[sex] - segment->com[MALE]) * (next->joint.position[k] - part->joint.position[k]);
  }
}

static void change_legs(Skeleton *skeleton, double height) {
  for (int i = 0; i < skeleton->leg_count; i++) {
    Leg *leg = &skeleton->legs[i];
    vec3s *const points[] = {&leg->sole_l, &leg->heel_l, &leg->toe_l};
    for (int k = 0; k < 3; k++)
      *points[k] = glms_vec3_scale(*points[k], (float)height);
    leg->half_width *= (float)height;
  }
}

static void name_body(BodyDef *body, const BodyMeasures *measures) {
  char name[SKELETON_NAME_SIZE];
  snprintf(name, sizeof name, "%.9s_%.0fcm_%.0fkg_%c%.0f", body->name, 100 * measures->height, measures->mass,
           measures->sex == FEMALE ? 'f' : 'm', measures->age);
  memcpy(body->name, name, sizeof name);
}

bool body_measure(BodyDef *body, const BodyMeasures *measures, const Node *node, Error *error) {
  const BodyMeasures whole = whole_measures(body, measures);
  if (!check_parts(body, node, error) || !check_mass(&whole, node, error))
    return false;
  const Change change = change_from(body, &whole);
  for (int i = 0; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    const Segment *segment = segment_of(part->name);
    change_places(part, &change, segment && segment->slim);
    change_joint(part, &change, segment);
    if (segment)
      change_gyration(part->inertia, segment, change.sex);
  }
  if (change.sex == FEMALE)
    change_shares(body, whole.mass);
  for (int i = 0; i < body->part_count; i++)
    if (segment_of(body->parts[i].name))
      change_center(body, i, segment_of(body->parts[i].name), change.sex);
  change_legs(&body->skeleton, change.height);
  body->skeleton.clip_scale = (float)change.height * skeleton_clip_scale(&body->skeleton);
  body->measures = *measures;
  name_body(body, &whole);
  body_derive(body);
  return true;
}
