// Unit, up and front of motions that do not say them: figures that lie in the file in all 24 ways, of all sizes, with
// and without names that tell, some with a first frame in T-pose. What is found, why, and where the figure is then, to
// nine digits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "anim/motion/motion_internal.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/motion_fixture.h"
#include "tests/unit/text_digest.h"

// What the joints are called.
typedef enum Naming { TELLING, SILENT, TOES, PEOPLE } Naming;

typedef struct Drill {
  const char *name, *clip;
  Naming naming;
} Drill;

static const Drill DRILLS[] = {{"walks, with names", "walk", TELLING},
                               {"walks, without names", "walk", SILENT},
                               {"walks, with toes", "walk", TOES},
                               {"stands, with names", "idle", TELLING},
                               {"stands, without names", "idle", SILENT},
                               {"leaps, without names", "jump", SILENT},
                               {"gets up, with names", "get_up_prone", TELLING},
                               {"runs, without sides", "run", PEOPLE}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { FOUND, REASONS, FRAMES, REST, SUMS };
static const char *const NAMES[SUMS] = {"found", "reasons", "frames", "rest pose"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-60.954576281, -0.20382480727, -0.43868617216, 15.230223481},
    {-61.357593363, -0.64162482993, -0.30277325288, 16.337304351},
    {-61.30924376, -0.11005396312, -0.47178521351, 15.43783706},
    {-432.88080681, -0.12894347861, -0.020376170244, 15.180539898},
    {-432.58455447, -0.56636459652, -0.015152447869, 15.516481781},
    {-122.672309, -0.59787395961, -0.20187889657, 16.41388091},
    {-196.33051724, -0.22332021765, 0.19855208415, 15.213969888},
    {-40.495764506, -0.56208106296, -0.6372532478, 16.219339444},
};

static FileSet files;
static BodyDef *body;

static int load(void **state) {
  (void)state;
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  body = body_read(&files, "bodies/human.yaml", &error);
  if (!body)
    fail_msg("%s", error.text);
  return 0;
}

static int unload(void **state) {
  (void)state;
  body_free(body);
  files_free(&files);
  return 0;
}

static void rename_joints(Motion *motion, Naming naming) {
  for (int i = 0; i < motion->joint_count; i++) {
    char *name = motion->joints[i].name;
    const bool foot = strncmp(name, "foot", 4) == 0;
    char *side = strrchr(name, '_');
    if (naming == SILENT || naming == TOES)
      snprintf(name, sizeof motion->joints[i].name, foot && naming == TOES ? "toe %d" : "bone %d", i);
    else if (naming == PEOPLE && side && side[2] == '\0')
      snprintf(side, 4, "_%d", i % 10);
  }
}

// Turns it all by one of the 24 turns of a cube, and about up; and begins in the rest pose if it is to.
static void place(Motion *motion, int turn, double heading, bool rest_first) {
  static const float quarter = (float)M_PI_2;
  const vec3s axes[6] = {{{0, 0, 0}},        {{quarter, 0, 0}}, {{2 * quarter, 0, 0}},
                         {{-quarter, 0, 0}}, {{0, 0, quarter}}, {{0, 0, -quarter}}};
  const versors way =
      glms_quat_mul(quat_exp(axes[turn / 4]), quat_exp((vec3s){{0, (float)(turn % 4) * quarter + (float)heading, 0}}));
  for (int f = 0; f < motion->frame_count; f++) {
    vec3s *position = &motion->position_l[f * motion->joint_count];
    versors *rotation = &motion->rotation_l[f * motion->joint_count];
    if (f == 0 && rest_first)
      for (int i = 0; i < motion->joint_count; i++)
        rotation[i] = motion->joints[i].bind_rotation_l;
    *position = glms_quat_rotatev(way, *position);
    *rotation = glms_quat_mul(way, *rotation);
  }
  if (turn % 2) { // the rest pose, too, or not
    motion->joints[0].bind_position_l = glms_quat_rotatev(way, motion->joints[0].bind_position_l);
    motion->joints[0].bind_rotation_l = glms_quat_mul(way, motion->joints[0].bind_rotation_l);
  }
}

static void add_motion(const Motion *motion, DrillSum sums[SUMS]) {
  const double found[] = {motion->found.unit, motion->found.up_axis, motion->found.front_axis, motion->frame_count};
  drill_add_all(&sums[FOUND], found, 4);
  const char *const reasons[] = {motion->unit_reason, motion->up_reason, motion->front_reason, motion->warnings};
  for (int i = 0; i < 4; i++)
    drill_add(&sums[REASONS], (double)(text_digest(reasons[i]) % 1000) / 1000);
  DrillSum frames = {0};
  for (int i = 0; i < motion->frame_count * motion->joint_count; i++) {
    drill_add_floats(&frames, motion->position_l[i].raw, 3);
    drill_add_floats(&frames, motion->rotation_l[i].raw, 4);
  }
  drill_add(&sums[FRAMES], frames.sum / motion->frame_count);
  for (int i = 0; i < motion->joint_count; i++) {
    drill_add_floats(&sums[REST], motion->joints[i].bind_position_l.raw, 3);
    drill_add_floats(&sums[REST], motion->joints[i].bind_rotation_l.raw, 4);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { TURNS = 24 };
  Rng rng = rng_make(1, drill->name);
  char path[64];
  Error error = {0};
  snprintf(path, sizeof path, "clips/%s.yaml", drill->clip);
  Clip *clip = clip_read(&files, path, &body->skeleton, &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  for (int turn = 0; turn < TURNS; turn++) {
    static const float sizes[] = {1, 100, 39.4f, 0.3f, 1000, 8};
    const float unit = sizes[rng_index(&rng, 6)], size = unit * (float)rng_range(&rng, 0.8, 1.2);
    const float arms = rng_index(&rng, 2) ? 1.5f : 0;
    Motion *motion = motion_from_clip(clip, 2, 30, size, arms, rng_index(&rng, 2));
    rename_joints(motion, drill->naming);
    const double heading = rng_index(&rng, 2) ? 0 : rng_range(&rng, -0.7, 0.7);
    place(motion, turn, heading, rng_index(&rng, 2));
    MotionOptions options = motion_options_default();
    const MotionSource source = {.declared_unit = rng_index(&rng, 3) ? 0 : rng_index(&rng, 2) ? 0.01 : 1};
    motion_drop_rest_frame(motion);
    motion_to_our_frame(motion, &options, &source);
    DrillSum sums[SUMS] = {{0}};
    add_motion(motion, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / TURNS;
    motion_free(motion);
  }
  clip_free(clip);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

// Turns a frame of it all to the axis y, on which it stood before it was placed along z, or to x.
static void turn_frame(Motion *motion, int frame, int axis) {
  const float quarter = (float)M_PI_2;
  const vec3s toward = axis == 1 ? (vec3s){{-quarter, 0, 0}} : (vec3s){{0, quarter, 0}};
  versors *root = &motion->rotation_l[frame * motion->joint_count];
  *root = glms_quat_mul(quat_exp(toward), *root);
}

// A figure whose rest pose stands along y and whose frames stand along z may lie. It walks if it goes on across z by
// more than half of its stature, and climbs by less than a fifth of its way; if it stands along z in more than six
// tenths of the frames, and along y in less than one.
static void who_walks_does_not_lie(void **state) {
  (void)state;
  static const struct {
    double way, climb; // statures; of the way
    int axis;          // along which some of the frames stand
    double share;      // of the frames
    bool walks;
  } cases[] = {{0.45, 0, 1, 0, false},    {0.55, 0, 1, 0, true},       {0.55, 0.15, 1, 0, true},
               {0.55, 0.26, 1, 0, false}, {0.4955, 0.17, 1, 0, false}, {0.55, 0, 1, 0.08, true},
               {0.55, 0, 1, 0.12, false}, {0.55, 0, 0, 0.37, true},    {0.55, 0, 0, 0.43, false}};
  Error error = {0};
  Clip *clip = clip_read(&files, "clips/walk.yaml", &body->skeleton, &error);
  assert_non_null(clip);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Motion *motion = motion_from_clip(clip, 1, 300, 1, 0, true);
    const double stature = motion_stature(motion);
    place(motion, 4, 0, false);
    const vec3s first = motion->position_l[0];
    int last = 0;
    double gone = 0;
    while (gone < cases[i].way * stature && last + 1 < motion->frame_count) {
      vec3s *root = &motion->position_l[++last * motion->joint_count];
      gone = hypot((double)(root->x - first.x), (double)(root->y - first.y));
      root->z += (float)(cases[i].climb * gone);
    }
    motion->frame_count = last + 1;
    for (int f = 0; f < cases[i].share * motion->frame_count; f++)
      turn_frame(motion, f + last / 4, cases[i].axis);
    MotionOptions options = motion_options_default();
    const MotionSource source = {.declared_unit = 1};
    motion_to_our_frame(motion, &options, &source);
    if ((motion->found.up_axis == 2) != cases[i].walks ||
        (strstr(motion->up_reason, "walks across it") != NULL) != cases[i].walks)
      fail_msg("case %zu: up is %d, %s", i, motion->found.up_axis, motion->up_reason);
    motion_free(motion);
  }
  clip_free(clip);
}

// A figure of which a joint turns from each frame to the next by these angles (deg), and is off its rest pose by `off`
// deg in the first one.
static Motion *make_jumps(int joints, int frames, double off, const double jumps[], int jump_count) {
  Motion *motion = motion_of_size(joints, frames, 30);
  double angle = off;
  for (int i = 0; i < joints; i++) {
    motion->joints[i].parent = i - 1;
    motion->joints[i].bind_rotation_l = glms_quat_identity();
  }
  for (int f = 0; f < frames; f++) {
    for (int i = 0; i < joints; i++)
      motion->rotation_l[f * joints + i] = glms_quat_identity();
    motion->rotation_l[f * joints + 2] = quat_exp((vec3s){{(float)(angle * M_PI / 180), 0, 0}});
    motion->position_l[f * joints] = (vec3s){{(float)f, 0, 0}};
    angle += f < jump_count ? jumps[f] : 1;
  }
  return motion;
}

#define ONE "The first frame is a reference pose, "
#define SEVERAL "The first frames come from a reference pose, by "

// Where a motion begins with a pose that is none of it: a change that is far larger than those that follow.
static void reference_poses_are_dropped(void **state) {
  (void)state;
  static const struct {
    int joints, frames, dropped;
    double off;
    const char *warning;
    double jumps[14];
  } cases[] = {
      {5, 30, 1, 0, ONE "50 deg from the second: it is dropped.", {50, 1}},
      {5, 30, 3, 0, SEVERAL "50 deg a frame: 3 are dropped.", {30, 50, 20, 1}},
      {5, 30, 1, 0, ONE "50 deg from the second: it is dropped.", {50, 9.9}},
      {5, 30, 2, 0, SEVERAL "50 deg a frame: 2 are dropped.", {50, 10.1}},
      {5, 30, 0, 0, "", {40, 1, 1, 1, 10.1}},
      {5, 30, 1, 0, ONE "40 deg from the second: it is dropped.", {40, 1, 1, 1, 9.9}},
      {5, 30, 0, 0, "", {50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 20}},
      {5, 30, 1, 0, ONE "50 deg from the second: it is dropped.", {50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 20}},
      {5, 30, 1, 1.14, ONE "50 deg from the second: it is dropped.", {50}},
      {5, 30, 0, 1.15, "", {50}},
      {5, 30, 0, 5, "", {57.2}},
      {5, 30, 1, 5, ONE "57 deg from the second: it is dropped.", {57.4}},
      {5, 30, 1, 0, ONE "12 deg from the second: it is dropped.", {11.6}},
      {5, 30, 0, 0, "", {11.4}},
      {5, 30, 8, 0, SEVERAL "30 deg a frame: 8 are dropped.", {30, 30, 30, 30, 30, 30, 30, 30}},
      {5, 30, 0, 0, "", {30, 30, 30, 30, 30, 30, 30, 30, 30}},
      {5, 4, 0, 0, "", {50}},
      {5, 5, 1, 0, ONE "50 deg from the second: it is dropped.", {50}},
      {5, 6, 2, 0, SEVERAL "50 deg a frame: 2 are dropped.", {50, 50}},
      {5, 6, 0, 0, "", {50, 50, 50}},
      {4, 30, 0, 0, "", {50}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char warning[200];
    int count = 0;
    snprintf(warning, sizeof warning, "%s%s", cases[i].warning, cases[i].warning[0] != '\0' ? "\n" : "");
    while (count < 14 && cases[i].jumps[count] > 0)
      count++;
    Motion *motion = make_jumps(cases[i].joints, cases[i].frames, cases[i].off, cases[i].jumps, count);
    motion_drop_rest_frame(motion);
    if (motion->frame_count != cases[i].frames - cases[i].dropped || strcmp(motion->warnings, warning) != 0)
      fail_msg("case %d: %d frames are left: %s", (int)i, motion->frame_count, motion->warnings);
    for (int f = 0; f < motion->frame_count; f++)
      assert_true(motion->position_l[f * cases[i].joints].x == (float)(f + cases[i].dropped));
    motion_free(motion);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(reference_poses_are_dropped),
      cmocka_unit_test(who_walks_does_not_lie),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
