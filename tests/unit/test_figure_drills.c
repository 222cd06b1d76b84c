// What is found in drawn skeletons: legs, trunk, head and arms by the biped, groups, spine and stance by the stepper,
// and how a figure stands. Without arms, hands, neck or head, with collar bones, twisted joints and other names. To
// nine digits, errors to the letter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "anim/layers/biped/biped.h"
#include "anim/retarget/retarget.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/stepper_fixture.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name;
  int spine, arm, legs; // joints of the trunk and of an arm, at most; legs
  bool collars, named, turned;
} Drill;

static const Drill DRILLS[] = {
    {"no trunk", 0, 0, 2, false, true, false},     {"a trunk alone", 4, 0, 2, false, true, false},
    {"arms", 3, 3, 2, false, true, false},         {"collar bones", 5, 4, 2, true, true, true},
    {"without names", 3, 3, 2, true, false, true}, {"four legs", 4, 0, 4, false, true, true},
    {"a centaur", 2, 3, 4, false, true, false},    {"six legs", 2, 0, 6, false, false, false}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { LEGS, TRUNK, ARMS, STEPPER, STANCE, POSTURE, ERRORS, SUMS };
static const char *const NAMES[SUMS] = {"legs", "trunk", "arms", "stepper", "stance", "posture", "errors"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {1.8368915755, -0.46030280938, 0, -0.1720460962, -0.17225112406, 0.33654802638, 0.014593091322},
    {1.7312695097, -0.44819252258, 0, -0.15925142081, -0.18021470807, 1.2906782942, 0.014593091322},
    {1.7255682979, -1.4334925563, -5.856687849, -0.17901840045, -0.18103017302, 1.6038242678, 0.014593091322},
    {1.6195630818, -2.4337943998, -8.8442322388, -0.30055829165, -0.18802642338, 1.577835197, 0.014593091322},
    {1.776970333, -1.4017048321, -6.5059678514, -0.302426651, -0.17965255779, -0.39440787358, 0.014593091322},
    {0, 0, 0, 2.5313771841, 0.0088126990483, 1.0149157704, 0.55539376372},
    {0, 0, 0, 2.4742638625, -0.15071871193, 1.1285822758, 0.55539376372},
    {0, 0, 0, 1.2046953804, 0.080874343952, -0.39440787358, 0.47458446784},
};

static vec3s draw_place(Rng *rng, double x, double y, double z, double apart) {
  return (vec3s){{(float)(x + rng_range(rng, -1, 1) * apart), (float)(y + rng_range(rng, -1, 1) * apart),
                  (float)(z + rng_range(rng, -1, 1) * apart)}};
}

static int add(Skeleton *skeleton, const Drill *drill, const char *name, int parent, vec3s place) {
  char other[SKELETON_NAME_SIZE];
  snprintf(other, sizeof other, "bone_%d", skeleton->count);
  return add_joint(skeleton, drill->named ? name : other, parent, place.x, place.y, place.z);
}

// A limb on both sides, of which the right one mirrors the left; the first joints of both.
static void add_pair(Skeleton *skeleton, const Drill *drill, const char *const names[], int count, int parent,
                     const vec3s places[], int first[2]) {
  int last[2] = {parent, parent};
  for (int i = 0; i < count; i++)
    for (int side = 0; side < 2; side++) {
      char name[SKELETON_NAME_SIZE];
      vec3s place = places[i];
      snprintf(name, sizeof name, "%s_%c", names[i], "lr"[side]);
      place.x *= side ? -1 : 1;
      last[side] = add(skeleton, drill, name, last[side], place);
      if (i == 0)
        first[side] = last[side];
      if (side == 1) {
        skeleton->twin[last[0]] = last[1];
        skeleton->twin[last[1]] = last[0];
      }
    }
}

static void add_legs(Skeleton *skeleton, const Drill *drill, int parent, double z, Rng *rng) {
  static const char *const names[] = {"thigh", "shin", "foot"};
  const vec3s places[] = {draw_place(rng, 0.1, -0.05, z, 0.02), draw_place(rng, 0, -0.4, 0.02, 0.05),
                          draw_place(rng, 0, -0.4, -0.02, 0.05)};
  const vec3s sole = draw_place(rng, 0, -0.08, 0.05, 0.02), way = draw_place(rng, 0, 0, 0.1, 0.01);
  const bool edges = rng_index(rng, 3);
  int first[2];
  add_pair(skeleton, drill, names, 3, parent, places, first);
  for (int side = 0; side < 2; side++) {
    Leg *leg = &skeleton->legs[skeleton->leg_count++];
    snprintf(leg->name, sizeof leg->name, "%s_%c", z < 0 ? "hind" : "front", "lr"[side]);
    leg->hip = first[side];
    leg->knee = leg->hip + 2;
    leg->ankle = leg->hip + 4;
    leg->sole_l = sole;
    leg->sole_l.x *= side ? -1 : 1;
    leg->heel_l = edges ? glms_vec3_sub(leg->sole_l, way) : glms_vec3_zero();
    leg->toe_l = edges ? glms_vec3_add(leg->sole_l, way) : glms_vec3_zero();
  }
}

static void add_trunk(Skeleton *skeleton, const Drill *drill, Rng *rng) {
  static const char *const names[] = {"abdomen", "spine", "chest", "upper_chest", "back"};
  static const char *const collared[] = {"clavicle", "upper_arm", "forearm", "hand"};
  const int spine = drill->spine > 0 ? 1 + rng_index(rng, drill->spine) : 0;
  int parent = 0, first[2];
  for (int i = 0; i < spine; i++)
    parent = add(skeleton, drill, names[i], parent, draw_place(rng, 0, 0.15, 0, i == 0 ? 0.05 : 0.02));
  for (int i = 0; i < skeleton->count; i++)
    skeleton->bind_position_l[i].x = i > 0 && skeleton->twin[i] == i ? 0 : skeleton->bind_position_l[i].x;
  const int arm = drill->arm > 0 ? rng_index(rng, drill->arm + 1) : 0;
  if (arm > 0) {
    const vec3s places[] = {draw_place(rng, drill->collars ? 0.05 : 0.2, 0.2, 0, 0.02),
                            draw_place(rng, drill->collars ? 0.12 : 0, drill->collars ? 0 : -0.3, 0, 0.05),
                            draw_place(rng, 0.05, -0.27, 0, 0.05), draw_place(rng, 0, -0.1, 0, 0.02)};
    add_pair(skeleton, drill, collared + (drill->collars ? 0 : 1), arm < 4 ? arm : 4, parent, places, first);
  }
  if (rng_index(rng, 3)) {
    const int neck = rng_index(rng, 2) ? add(skeleton, drill, "neck", parent, draw_place(rng, 0, 0.2, 0, 0)) : parent;
    add(skeleton, drill, "head", neck, draw_place(rng, 0, 0.1, 0.02, 0));
  }
}

static Skeleton draw_skeleton(const Drill *drill, Rng *rng) {
  Skeleton skeleton = {.name = "figure"};
  const double size = rng_range(rng, 0.5, 1.5);
  add(&skeleton, drill, "pelvis", -1, draw_place(rng, 0, 0.93, 0, 0));
  const bool legs_first = rng_index(rng, 2);
  for (int pair = 0; pair < drill->legs / 2 && legs_first; pair++)
    add_legs(&skeleton, drill, 0, drill->legs == 2 ? 0 : 0.5 * (1 - pair), rng);
  add_trunk(&skeleton, drill, rng);
  for (int pair = 0; pair < drill->legs / 2 && !legs_first; pair++)
    add_legs(&skeleton, drill, 0, drill->legs == 2 ? 0 : 0.5 * (1 - pair), rng);
  for (int i = 0; i < skeleton.count; i++) {
    skeleton.bind_position_l[i] = glms_vec3_scale(skeleton.bind_position_l[i], (float)size);
    if (drill->turned && i > 0 && skeleton.twin[i] >= i) {
      const vec3s turn = draw_place(rng, 0, 0, 0, 0.3);
      const int twin = skeleton.twin[i];
      skeleton.bind_rotation_l[i] = quat_exp(twin == i ? (vec3s){{turn.x, 0, 0}} : turn);
      if (twin != i)
        skeleton.bind_rotation_l[twin] = quat_exp((vec3s){{turn.x, -turn.y, -turn.z}});
    }
  }
  return skeleton;
}

static void add_found(DrillSum *sum, const BipedJoint *joint) {
  drill_add(sum, joint->joint);
  drill_add_floats(sum, joint->parent_m.raw, 4);
  drill_add_floats(sum, joint->bind_m.raw, 4);
}

static void add_biped(const BipedDef *def, DrillSum sums[SUMS]) {
  for (int i = 0; i < BIPED_LEGS; i++) {
    const BipedLeg *leg = &def->legs[i];
    const double values[] = {leg->side, leg->offset, leg->rest[0], leg->rest[1], leg->yaw, leg->length, leg->hinge};
    drill_add_all(&sums[LEGS], values, 7);
    const vec3s *const points[] = {&leg->hip_m, &leg->knee_m, &leg->ankle_m, &leg->sole, &leg->heel, &leg->toe};
    for (int k = 0; k < 6; k++)
      drill_add_floats(&sums[LEGS], points[k]->raw, 3);
    const versors *const turns[] = {&leg->carrier_m, &leg->thigh_m, &leg->shin_m, &leg->foot_m};
    for (int k = 0; k < 4; k++)
      drill_add_floats(&sums[LEGS], turns[k]->raw, 4);
  }
  const double sizes[] = {def->leg_length, def->ankle_height, def->size, def->hips_z, def->spine_count};
  drill_add_all(&sums[TRUNK], sizes, 5);
  drill_add_floats(&sums[TRUNK], def->root_to_hips_m.raw, 3);
  for (int i = 0; i < def->spine_count; i++)
    add_found(&sums[TRUNK], &def->spine[i]);
  add_found(&sums[TRUNK], &def->head);
  drill_add(&sums[ARMS], def->arm_count);
  for (int i = 0; i < def->arm_count; i++) {
    const BipedArm *arm = &def->arms[i];
    drill_add(&sums[ARMS], arm->side);
    add_found(&sums[ARMS], &arm->upper);
    add_found(&sums[ARMS], &arm->lower);
    drill_add_floats(&sums[ARMS], arm->hang.raw, 4);
    drill_add_floats(&sums[ARMS], arm->elbow_m.raw, 3);
  }
}

static void add_stepper(const StepperDef *def, DrillSum sums[SUMS]) {
  const double counts[] = {def->count, def->group_count, def->spine_count, def->leg_length};
  drill_add_all(&sums[STEPPER], counts, 4);
  for (int i = 0; i < def->spine_count; i++)
    drill_add(&sums[STEPPER], def->spine[i]);
  drill_add(&sums[STANCE], def->bind.unit);
  drill_add(&sums[STANCE], def->bind.hip_height);
  for (int i = 0; i < def->count; i++) {
    const StepperLeg *leg = &def->legs[i];
    const StepperRestLeg *rest = &def->bind.legs[i];
    const double values[] = {leg->length, leg->reach, leg->hinge, leg->group, rest->front};
    drill_add_all(&sums[STEPPER], values, 5);
    drill_add_all(&sums[STANCE], rest->reference, 2);
    drill_add_floats(&sums[STANCE], rest->foot_rotation_m.raw, 4);
    drill_add_floats(&sums[STANCE], rest->pole_p.raw, 3);
    drill_add(&sums[STANCE], rest->easy_reach);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { FIGURES = 400 };
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < FIGURES; n++) {
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    const Skeleton skeleton = draw_skeleton(drill, &rng);
    // What a definition has from before plays no part.
    static BipedDef biped;
    static StepperDef stepper;
    param_defaults(&biped_params, &biped);
    if (biped_read(&biped, NULL, &skeleton, &error))
      add_biped(&biped, sums);
    drill_add(&sums[ERRORS], (double)(text_digest(error.text) % 1000) / 1000);
    error = (Error){0};
    if (read_stepper(&stepper, &skeleton, "", &error))
      add_stepper(&stepper, sums);
    drill_add(&sums[ERRORS], (double)(text_digest(error.text) % 1000) / 1000);
    const RetargetPosture posture = retarget_skeleton_posture(&skeleton);
    drill_add(&sums[POSTURE], posture.trunk);
    drill_add(&sums[POSTURE], posture.hands);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / FIGURES;
  }
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
