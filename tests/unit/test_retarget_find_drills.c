// What is found in motions before they are retargeted: their cycles, whether these are of gaits, how their figures
// stand, and the pose that stands for the bind pose. Of drawn motions, to nine digits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ragdoll/body/body_def.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/drill.h"
#include "tests/unit/motion_fixture.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *body, *clip; // NULL: the bind pose
  double swing, trunk;            // rad: how far joints swing, and the hips are bent in addition
  double fastest, slowest;        // Hz
  int motions;
} Drill;

static const Drill DRILLS[] = {
    {"walks", "bodies/human.yaml", "clips/walk.yaml", 0.15, 0.3, 0.3, 1.5, 24},
    {"shaking", "bodies/human.yaml", NULL, 0.4, 0.2, 1.5, 6, 24},
    {"strides", "bodies/human.yaml", NULL, 0.7, 0.1, 0.5, 2, 40},
    {"folded", "bodies/human.yaml", NULL, 0.3, 1.6, 0.3, 1, 40},
    {"nearly straight", "bodies/human.yaml", NULL, 0.02, 0.06, 0.5, 1, 24},
    {"lizards", "bodies/lizard.yaml", NULL, 0.4, 0.8, 0.5, 2, 16},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { CYCLES, GAITS, POSTURES, REFERENCES, SUMS };
static const char *const NAMES[SUMS] = {"cycles", "gaits", "postures", "references"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.59075901881, -0.81769351483, -1.317997291, -0.68890574096},
    {0.048985791464, -0.20059085461, -1.214654433, -0.59040557164},
    {-0.39032075297, -0.41737894801, -1.4167517058, -0.30205165531},
    {-0.40629055829, -0.20093716867, -1.3806486666, -0.48655277543},
    {-0.44642388729, 0, -1.2858527143, -0.53102554389},
    {-0.58253597947, -0.099104901631, -0.39489359247, -1.8109952617},
};

static Motion *still(const Skeleton *skeleton, double seconds, double rate) {
  const Pose bind = pose_bind(skeleton);
  const int frames = (int)(seconds * rate) + 1;
  Motion *motion = motion_of_size(skeleton->count, frames, rate);
  for (int j = 0; j < skeleton->count; j++) {
    MotionJoint *joint = &motion->joints[j];
    snprintf(joint->name, sizeof joint->name, "%s", skeleton->names[j]);
    joint->parent = skeleton->parent[j];
    joint->bind_position_l = skeleton->bind_position_l[j];
    joint->bind_rotation_l = skeleton->bind_rotation_l[j];
    for (int f = 0; f < frames; f++) {
      motion->position_l[f * skeleton->count + j] = bind.position[j];
      motion->rotation_l[f * skeleton->count + j] = bind.rotation[j];
    }
  }
  return motion;
}

static vec3s drawn(Rng *rng, double range) {
  vec3s v;
  for (int k = 0; k < 3; k++)
    v.raw[k] = (float)rng_range(rng, -range, range);
  return v;
}

// Some joints swing, twins against each other; more and more, or less and less.
static void swing(const Drill *drill, Motion *motion, const Skeleton *skeleton, Rng *rng) {
  const double rate = rng_range(rng, drill->fastest, drill->slowest), grows = rng_range(rng, -0.3, 0.6);
  for (int j = 1; j < skeleton->count; j++) {
    const bool swings = rng_index(rng, 3) > 0;
    const int twin = skeleton->twin[j];
    Rng own = rng_make((uint64_t)(j < twin ? j : twin) + 7, drill->name);
    const vec3s axis = glms_vec3_add(drawn(&own, drill->swing), drawn(rng, 0.3 * drill->swing));
    const double phase = rng_range(&own, 0, 2 * M_PI) + (j < twin ? M_PI : 0);
    for (int f = 0; swings && f < motion->frame_count; f++) {
      const double time = f / motion->frame_rate, share = (1 + grows * time) * sin(2 * M_PI * rate * time + phase);
      versors *rotation = &motion->rotation_l[f * motion->joint_count + j];
      *rotation = glms_quat_mul(*rotation, quat_exp(glms_vec3_scale(axis, (float)share)));
    }
  }
}

static void turn(Motion *motion, int joint, int from, int to, versors turned) {
  for (int f = from; f < to; f++) {
    versors *rotation = &motion->rotation_l[f * motion->joint_count + joint];
    *rotation = glms_quat_mul(*rotation, turned);
  }
}

// Hips and knees are bent, each leg by its own angle, from one frame to another and often in the rest pose.
static void bend(const Drill *drill, Motion *motion, const Skeleton *skeleton, Rng *rng) {
  int from = rng_index(rng, motion->frame_count), to = from + rng_index(rng, motion->frame_count);
  if (rng_index(rng, 3) == 0)
    from = 0, to = motion->frame_count;
  to = to < motion->frame_count ? to : motion->frame_count;
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    const versors hip = quat_exp((vec3s){{(float)rng_range(rng, -1.5 * drill->trunk, 0.3 * drill->trunk), 0, 0}});
    const versors knee = quat_exp((vec3s){{(float)rng_range(rng, 0, 2 * drill->trunk), 0, 0}});
    turn(motion, leg->hip, from, to, hip);
    turn(motion, leg->knee, from, to, knee);
    if (rng_index(rng, 2)) {
      motion->joints[leg->hip].bind_rotation_l = glms_quat_mul(motion->joints[leg->hip].bind_rotation_l, hip);
      motion->joints[leg->knee].bind_rotation_l = glms_quat_mul(motion->joints[leg->knee].bind_rotation_l, knee);
    }
  }
  turn(motion, 0, from, to, quat_exp(drawn(rng, 0.5 * drill->trunk)));
}

// A figure whose trunk is a point between the hips, or whose joint is not where others have it.
static void deform(Motion *motion, const Skeleton *skeleton, Rng *rng) {
  const bool no_trunk = rng_index(rng, 3) == 0;
  vec3s between = glms_vec3_zero();
  for (int l = 0; l < skeleton->leg_count; l++)
    between =
        glms_vec3_muladds(skeleton->bind_position_l[skeleton->legs[l].hip], 1.0f / (float)skeleton->leg_count, between);
  for (int j = 1; j < skeleton->count; j++) {
    const bool middle = skeleton->twin[j] == j, own = rng_index(rng, 8) == 0;
    vec3s place = drawn(rng, no_trunk ? 8e-6 : 0.2);
    if (no_trunk && skeleton->parent[j] == 0)
      place = glms_vec3_add(place, between);
    if (!(middle && no_trunk) && !own)
      continue;
    motion->joints[j].bind_position_l = place;
    for (int f = 0; f < motion->frame_count; f++)
      motion->position_l[f * motion->joint_count + j] = place;
  }
}

// Some joints have no source; now and then none of the middle has one.
static void lose_sources(RetargetMap *map, const Skeleton *skeleton, Rng *rng) {
  const bool no_middle = rng_index(rng, 4) == 0;
  for (int i = 1; i < skeleton->count; i++) {
    bool is_leg = false;
    for (int l = 0; l < skeleton->leg_count; l++)
      is_leg = is_leg || i == skeleton->legs[l].hip || i == skeleton->legs[l].knee || i == skeleton->legs[l].ankle;
    if (!is_leg && (rng_index(rng, 5) == 0 || (no_middle && skeleton->twin[i] == i)))
      map->source[i] = -1;
  }
}

static void add_cycles(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, Rng *rng,
                       DrillSum sums[SUMS]) {
  const double length = (motion->frame_count - 1) / motion->frame_rate;
  for (int n = 0; n < 3; n++) {
    const double from = n > 0 ? rng_range(rng, -0.1, 0.6) * length : 0,
                 to = n > 0 ? rng_range(rng, 0, 1.2) * length : 0;
    double cycle[2] = {-1, -1};
    drill_add(&sums[CYCLES], motion_find_cycle(motion, map, skeleton, from, to, &cycle[0], &cycle[1]));
    drill_add_all(&sums[CYCLES], cycle, 2);
    const double begin = n > 0 && cycle[0] >= 0 ? cycle[0] : rng_range(rng, 0, 0.5) * length;
    const double end = n > 0 && cycle[0] >= 0 ? cycle[1] : begin + rng_range(rng, 0, 0.5) * length;
    drill_add(&sums[GAITS], motion_cycle_is_gait(motion, map, skeleton, from, to, begin, end));
  }
}

static void add_posture(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, DrillSum *sum) {
  char how[RETARGET_HOW_SIZE];
  const RetargetPosture posture = retarget_motion_posture(motion, map, skeleton),
                        ours = retarget_skeleton_posture(skeleton);
  drill_add(sum, posture.trunk);
  drill_add(sum, posture.hands);
  drill_add(sum, ours.trunk - ours.hands);
  drill_add(sum, retarget_posture_fits(motion, map, skeleton, how));
  drill_add(sum, (double)(text_digest(how) % 1000) / 1000);
}

static void add_reference(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, Rng *rng,
                          DrillSum *sum) {
  Error error = {0};
  RetargetOptions options = retarget_options_default();
  options.reference = rng_index(rng, 6) ? RETARGET_FIND : rng_index(rng, 2) ? RETARGET_REST : 0.2;
  RetargetRig rig;
  const bool good = retarget_rig_init(&rig, motion, map, skeleton, &options, &error);
  drill_add(sum, good);
  if (!good)
    return;
  drill_add(sum, rig.reference);
  drill_add(sum, rig.scale);
  for (int i = 0; i < rig.limb_count; i++) {
    drill_add_floats(sum, rig.limbs[i].source_hinge_l.raw, 3);
    drill_add(sum, (double)rig.limbs[i].bind_bend);
  }
  for (int i = 0; i < skeleton->count; i++)
    drill_add_floats(sum, rig.correction[i].raw, 4);
  retarget_rig_free(&rig);
}

static void add_motion(const Drill *drill, const Skeleton *skeleton, const Clip *clip, Rng *rng, double means[SUMS]) {
  Error error = {0};
  DrillSum sums[SUMS] = {{0}};
  const double rate = rng_range(rng, 20, 90);
  Motion *motion = clip ? motion_from_clip(clip, 1 + rng_index(rng, 3), rate, 1, 0, rng_index(rng, 2))
                        : still(skeleton, rng_range(rng, 0.3, 3.5), rate);
  swing(drill, motion, skeleton, rng);
  bend(drill, motion, skeleton, rng);
  if (rng_index(rng, 2))
    deform(motion, skeleton, rng);
  RetargetMap map;
  if (!retarget_map(&map, motion, skeleton, NULL, &error))
    fail_msg("%s", error.text);
  if (rng_index(rng, 2))
    lose_sources(&map, skeleton, rng);
  add_cycles(motion, &map, skeleton, rng, sums);
  add_posture(motion, &map, skeleton, &sums[POSTURES]);
  add_reference(motion, &map, skeleton, rng, &sums[REFERENCES]);
  motion_free(motion);
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum / drill->motions;
}

static void run(const Drill *drill, double means[SUMS]) {
  FileSet files = {0};
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  BodyDef *body = body_read(&files, drill->body, &error);
  Clip *clip = body && drill->clip ? clip_read(&files, drill->clip, &body->skeleton, &error) : NULL;
  if (!body || error.text[0] != '\0') {
    fail_msg("%s", error.text);
    return;
  }
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < drill->motions; n++)
    add_motion(drill, &body->skeleton, clip, &rng, means);
  clip_free(clip);
  body_free(body);
  files_free(&files);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

// A side that is along its direction says nothing: x is the side then.
static void sides_along_their_directions(void **state) {
  (void)state;
  const vec3s x = {{1, 0, 0}}, up = {{0, 1, 0}}, down = {{0, -1, 0}};
  const struct {
    vec3s from, from_side, to, to_side;
    versors turn;
  } cases[] = {{up, up, up, x, {{0, 0, 0, 1}}},
               {up, x, up, down, {{0, 0, 0, 1}}},
               {up, down, down, up, {{1, 0, 0, 0}}},
               {up, up, down, glms_vec3_negate(x), {{0, 0, 1, 0}}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const versors turn = retarget_frame_turn(cases[i].from, cases[i].from_side, cases[i].to, cases[i].to_side);
    assert_true(fabsf(glms_quat_dot(turn, cases[i].turn)) > 1 - 1e-6f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to), cmocka_unit_test(sides_along_their_directions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
