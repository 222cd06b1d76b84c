// What motions of other figures come to on our body: clips as if recorded of figures of other sizes and proportions, in
// other rest poses, trembling, turned and lifted, with joints missing. To nine digits, so that they change with any
// figure, limit or sign on the way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "anim/retarget/retarget_back.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/motion_fixture.h"

enum { CLIPS = 7, VARIATIONS = 6 };

static const char *const names[CLIPS] = {"walk", "run", "idle", "punch", "turn_90_left", "jump", "side_step_left"};

enum { POSE, ROOT, TIMES, CONTACTS, REPORT, BACK, SUMS };
static const char *const NAMES[SUMS] = {"pose", "root", "times", "contacts", "report", "back"};
static const double OUTCOMES[CLIPS][SUMS] = {
    {0.0030162797835, -0.75896729695, 34.305485604, -0.61449951643, 3.7250088316, 2.9615306196},
    {0.0027797186199, -2.0601495639, 42.624127896, -0.98543751011, 7.1551364245, -11.832846177},
    {-0.00019929290021, 0, 378.85817789, -2.2855712032, -0.7250091743, -28.123199839},
    {0.00032831214032, -0.081518753448, 47.038013054, -1.2946192548, 7.1890357524, 3.149823408},
    {-0.00080352540634, -0.5868252656, 78.404432987, -1.3283966973, 7.4523658673, -33.16196732},
    {-0.00095876790641, -0.08140246552, 88.522005168, 0.60395543537, 4.7044822349, -28.036281802},
    {0.0019935619993, 0.19898311578, 35.324746581, -1.3184010875, 5.603013221, -4.9599471612},
};

static FileSet files;
static BodyDef *body;
static RetargetLimits limits;

static int load(void **state) {
  (void)state;
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  body = body_read(&files, "bodies/human.yaml", &error);
  if (!body) {
    fail_msg("%s", error.text);
    return -1;
  }
  for (int i = 0; i < body->part_count; i++) {
    const JointDef *joint = &body->parts[i].joint;
    limits.hinge[i] = joint->kind == JOINT_HINGE;
    limits.twist_axis[i] = joint->twist_axis;
    memcpy(limits.range[i], joint->limit, sizeof limits.range[i]);
    if (joint->kind == JOINT_UNIVERSAL)
      limits.range[i][joint->twist_axis][0] = limits.range[i][joint->twist_axis][1] = 0;
  }
  return 0;
}

static int unload(void **state) {
  (void)state;
  body_free(body);
  files_free(&files);
  return 0;
}

static vec3s drawn(Rng *rng, float range) {
  vec3s v;
  for (int k = 0; k < 3; k++)
    v.raw[k] = (float)rng_range(rng, -(double)range, (double)range);
  return v;
}

// Another figure: bones of other lengths, joints that are turned in the rest pose and all along, frames that tremble.
static void alter(Motion *motion, Rng *rng) {
  const float trembles = rng_index(rng, 2) ? 0.02f : 0, turned = rng_index(rng, 2) ? 0.2f : 0;
  const vec3s place = drawn(rng, 2);
  const versors heading = quat_exp((vec3s){{0, (float)rng_range(rng, -3, 3), 0}});
  for (int i = 0; i < motion->joint_count; i++) {
    MotionJoint *joint = &motion->joints[i];
    const float longer = i == 0 ? 1 : (float)rng_range(rng, 0.8, 1.2);
    const versors turn = i == 0 ? glms_quat_identity() : quat_exp(drawn(rng, turned));
    joint->bind_position_l = glms_vec3_scale(joint->bind_position_l, longer);
    joint->bind_rotation_l = glms_quat_mul(joint->bind_rotation_l, turn);
    for (int f = 0; f < motion->frame_count; f++) {
      vec3s *position = &motion->position_l[f * motion->joint_count + i];
      versors *rotation = &motion->rotation_l[f * motion->joint_count + i];
      *position = glms_vec3_scale(*position, longer);
      *rotation = glms_quat_mul(*rotation, quat_exp(drawn(rng, trembles)));
      if (i == 0) {
        *position = glms_vec3_add(place, glms_quat_rotatev(heading, *position));
        *rotation = glms_quat_mul(heading, *rotation);
      }
    }
  }
  static const char *const missing[] = {"abdomen", "hand_l", "chest", "head"};
  const char *lost = missing[rng_index(rng, 4)];
  for (int i = 0; i < motion->joint_count && rng_index(rng, 2); i++)
    if (strcmp(motion->joints[i].name, lost) == 0)
      snprintf(motion->joints[i].name, sizeof motion->joints[i].name, "thing");
}

static RetargetOptions drawn_options(Rng *rng, double duration) {
  RetargetOptions options = retarget_options_default();
  options.loop = rng_index(rng, 2);
  options.loop_blend = rng_index(rng, 4) ? rng_range(rng, 0, 0.3) : 0;
  if (rng_index(rng, 3) == 0) {
    options.from = 0.2 * duration;
    options.to = rng_range(rng, 0.5, 1) * duration;
  }
  options.rate = rng_index(rng, 2) ? 0 : rng_range(rng, 10, 60);
  options.keep_root = rng_index(rng, 3) == 0;
  options.plant = rng_index(rng, 4) > 0;
  options.clearance = rng_range(rng, 0, 0.08);
  options.reference = rng_index(rng, 2) ? RETARGET_REST : RETARGET_FIND;
  return options;
}

static void add_clip(const Clip *clip, DrillSum sums[SUMS]) {
  DrillSum pose = {0};
  for (int k = 0; k < clip->key_count; k++) {
    drill_add_floats(&pose, clip->keys[k].position[0].raw, 3);
    for (int i = 0; i < clip->keys[k].count; i++)
      drill_add_floats(&pose, clip->keys[k].rotation[i].raw, 4);
  }
  drill_add(&sums[POSE], pose.sum / clip->key_count);
  drill_add_floats(&sums[ROOT], clip->root_velocity_l.raw, 3);
  drill_add(&sums[ROOT], (double)clip->root_turn_rate);
  const double times[] = {(double)clip->duration, (double)clip->safe_from, (double)clip->safe_to, clip->loop,
                          clip->key_count,        clip->mark_count};
  drill_add_all(&sums[TIMES], times, 6);
  for (int i = 0; i < clip->mark_count; i++)
    drill_add(&sums[TIMES], (double)clip->marks[i].time);
  for (int i = 0; i < clip->contact_count; i++) {
    drill_add(&sums[CONTACTS], (double)clip->contacts[i].begin);
    drill_add(&sums[CONTACTS], (double)clip->contacts[i].end + clip->contacts[i].leg);
  }
}

static void add_report(const RetargetReport *report, DrillSum *sum) {
  const double values[] = {report->is_cut,
                           report->reference,
                           report->sole_tilt_max,
                           report->tread_speed,
                           report->from,
                           report->to,
                           report->recorded,
                           report->scale,
                           report->slip_max,
                           report->ground_gap_max,
                           report->limit_excess_max,
                           report->contact_count};
  drill_add_all(sum, values, 12);
  drill_add_all(sum, report->joint_excess, body->skeleton.count);
  drill_add_all(sum, report->joint_far, body->skeleton.count);
}

// How far joints of narrow ranges would have to go beyond them to plant the clip's feet.
static void add_planted(Clip *clip, DrillSum *sum) {
  RetargetLimits narrow = limits;
  Error error = {0};
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < 3; k++)
      for (int end = 0; end < 2; end++)
        narrow.range[i][k][end] *= 0.2;
  for (int n = 0; n < 2; n++) {
    double excess = n > 0 ? 9 : 0;
    assert_true(retarget_plant(clip, &narrow, 0.02, &excess, &error));
    drill_add(sum, excess);
    drill_add(sum, clip->contact_count);
  }
}

// What is learnt of soles that slowly tilt and roll, each in its own way.
static void add_levelled(Clip *clip, DrillSum *sum) {
  Error error = {0};
  double tilt = 0;
  for (int k = 0; k < clip->key_count; k++)
    for (int l = 0; l < 2; l++) {
      const float share = (float)k / (float)clip->key_count, side = l == 0 ? 1 : -0.7f;
      versors *foot = &clip->keys[k].rotation[body->skeleton.legs[l].ankle];
      *foot = glms_quat_mul(*foot, quat_exp((vec3s){{0.15f * share * share, 0, 0.1f * side * share}}));
    }
  assert_true(retarget_level_soles(clip, &tilt, &error));
  drill_add(sum, tilt);
  for (int l = 0; l < 2; l++)
    drill_add_floats(sum, clip->keys[0].rotation[body->skeleton.legs[l].ankle].raw, 4);
}

// Poses of the clip on the figure, which was there before; and how far off they count once they tremble.
static void add_back(const Motion *figure, const RetargetMap *map, const Clip *clip, Rng *rng, DrillSum *sum) {
  Error error = {0};
  RetargetBack *back = retarget_back_create(figure, map, &body->skeleton, &error);
  drill_add(sum, back != NULL);
  for (int n = 0; back && n < 7; n++) { // the last two have their joints in place
    vec3s positions[MOTION_MAX_JOINTS];
    versors rotations[MOTION_MAX_JOINTS];
    RetargetDeviation deviation = {0};
    Pose pose;
    ModelPose model;
    clip_sample(clip, clip->duration * (float)n / 5, &pose);
    pose_transform(&pose, drawn(rng, 3), quat_exp((vec3s){{0, (float)rng_range(rng, -3, 3), 0}}));
    pose_to_model(&body->skeleton, &pose, &model);
    retarget_back_pose(back, &model, positions, rotations);
    for (int j = 0; j < figure->joint_count; j++) {
      drill_add_floats(sum, positions[j].raw, 3);
      drill_add_floats(sum, rotations[j].raw, 4);
      drill_add(sum, retarget_back_moves(back, j));
      positions[j] = glms_vec3_add(positions[j], drawn(rng, n == 3 || n == 4 ? 0.05f : 0));
      rotations[j] = glms_quat_mul(rotations[j], quat_exp(drawn(rng, n < 3 ? 0 : 0.1f)));
    }
    retarget_back_compare(back, &model, positions, rotations, &deviation);
    const double off[] = {deviation.angle, deviation.legs, deviation.arms, deviation.ground, retarget_back_scale(back)};
    drill_add_all(sum, off, 5);
  }
  retarget_back_destroy(back);
}

static void add_variation(const char *name, Rng *rng, double means[SUMS]) {
  char path[64];
  Error error = {0};
  DrillSum sums[SUMS] = {{0}};
  RetargetMap map;
  RetargetReport report;
  snprintf(path, sizeof path, "clips/%s.yaml", name);
  Clip *clip = clip_read(&files, path, &body->skeleton, &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  const int cycles = 1 + rng_index(rng, 3);
  const double rate = rng_range(rng, 25, 100);
  const float size = (float)rng_range(rng, 0.5, 1.5), arms = (float)rng_range(rng, 0, 1.5);
  Motion *motion = motion_from_clip(clip, cycles, rate, size, arms, rng_index(rng, 2));
  alter(motion, rng);
  const RetargetOptions options = drawn_options(rng, motion->frame_count / motion->frame_rate);
  if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
    fail_msg("%s", error.text);
  for (int i = 1; i < body->skeleton.count; i++) // some joints have no source
    if (map.source[i] >= 0 && rng_index(rng, 12) == 0 &&
        (body->skeleton.twin[i] == i || strstr(body->skeleton.names[i], "hand")))
      map.source[i] = -1;
  double cycle[2] = {0, 0};
  drill_add(&sums[TIMES], motion_find_cycle(motion, &map, &body->skeleton, 0, motion->frame_count / motion->frame_rate,
                                            &cycle[0], &cycle[1]));
  drill_add_all(&sums[TIMES], cycle, 2);
  const RetargetPosture posture = retarget_motion_posture(motion, &map, &body->skeleton);
  drill_add(&sums[REPORT], posture.trunk);
  drill_add(&sums[REPORT], posture.hands);
  Rng other = rng_make(2, name);
  add_back(motion, &map, clip, &other, &sums[BACK]);
  Clip *found = retarget(motion, &map, &body->skeleton, &limits, &options, &report, &error);
  drill_add(&sums[REPORT], found != NULL);
  if (found) {
    add_clip(found, sums);
    add_report(&report, &sums[REPORT]);
    add_planted(found, &sums[REPORT]);
    add_levelled(found, &sums[REPORT]);
  }
  clip_free(found);
  motion_free(motion);
  clip_free(clip);
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum / VARIATIONS;
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < CLIPS; i++) {
    Rng rng = rng_make(1, names[i]);
    double means[SUMS] = {0};
    for (int n = 0; n < VARIATIONS; n++)
      add_variation(names[i], &rng, means);
    wrong += !drill_is_kept(names[i], NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, load, unload);
}
