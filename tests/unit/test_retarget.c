// Recorded motion on our body (A5): joints by name, corrected rest poses, root motion by leg length, joints' ranges,
// planted feet. Motions are our own clips under other names, sizes and rest poses, and Debian's assimp test models.
// STAGGER_MOTIONS may name a folder with more: cmu_12_01_walk.bvh, deepmimic_walk.bvh, fair_zombie_walk.bvh, ...
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <math.h>
#include <cmocka.h>

#include "anim/retarget/clip_import.h"
#include "anim/retarget/retarget_internal.h"
#include "ragdoll/body/body_def.h"
#include "tests/unit/motion_fixture.h"

static const float RAD = (float)(GLM_PI / 180);

static FileSet files;
static BodyDef *body;
static RetargetLimits limits;

static int load(void **state) {
  (void)state;
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  if (!body) {
    print_error("%s\n", error.text);
    return 1;
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

static int joint(const char *name) { return skeleton_find(&body->skeleton, name); }

// ---- Clips ----

static Clip *our_clip(const char *name) {
  Error error = {0};
  Clip *clip = clip_read(&files, name, &body->skeleton, &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return NULL;
  }
  return clip;
}

static Clip *retargeted(const Motion *motion, const RetargetOptions *options, RetargetReport *report) {
  RetargetMap map;
  Error error = {0};
  if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
    fail_msg("%s", error.text);
  Clip *clip = retarget(motion, &map, &body->skeleton, &limits, options, report, &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return NULL;
  }
  return clip;
}

// ---- The map ----

typedef struct NamedRig {
  const char *rig;
  const char *chain[24]; // "parent>joint"
  const char *ours[16];  // "our joint=theirs"
} NamedRig;

// Names as the rigs' makers publish them, reduced to the relevant ones.
static const NamedRig rigs[] = {
    {"cmu",
     {">Hips",
      "Hips>LHipJoint",
      "LHipJoint>LeftUpLeg",
      "LeftUpLeg>LeftLeg",
      "LeftLeg>LeftFoot",
      "Hips>RHipJoint",
      "RHipJoint>RightUpLeg",
      "RightUpLeg>RightLeg",
      "RightLeg>RightFoot",
      "Hips>LowerBack",
      "LowerBack>Spine",
      "Spine>Spine1",
      "Spine1>Neck",
      "Neck>Head",
      "Spine1>LeftShoulder",
      "LeftShoulder>LeftArm",
      "LeftArm>LeftForeArm",
      "LeftForeArm>LeftHand",
      "Spine1>RightShoulder",
      "RightShoulder>RightArm",
      "RightArm>RightForeArm"},
     {"pelvis=Hips", "abdomen=Spine", "chest=Spine1", "head=Head", "thigh_l=LeftUpLeg", "shin_r=RightLeg",
      "foot_l=LeftFoot", "upper_arm_l=LeftArm", "forearm_r=RightForeArm", "hand_l=LeftHand"}},
    {"cmu",
     {">Hips",
      "Hips>LHipJoint",
      "LHipJoint>LeftHip",
      "LeftHip>LeftKnee",
      "LeftKnee>LeftAnkle",
      "LeftAnkle>LeftToe",
      "Hips>RHipJoint",
      "RHipJoint>RightHip",
      "RightHip>RightKnee",
      "RightKnee>RightAnkle",
      "Hips>lowerback",
      "lowerback>Chest",
      "Chest>Chest2",
      "Chest2>LeftCollar",
      "LeftCollar>LeftShoulder",
      "LeftShoulder>LeftElbow",
      "LeftElbow>LeftWrist",
      "LeftWrist>lhand",
      "Chest2>RightCollar",
      "RightCollar>RightShoulder",
      "RightShoulder>RightElbow"},
     {"abdomen=Chest", "chest=Chest2", "thigh_l=LeftHip", "thigh_r=RightHip", "shin_l=LeftKnee", "foot_r=RightAnkle",
      "upper_arm_l=LeftShoulder", "forearm_r=RightElbow", "hand_l=LeftWrist", "hand_r="}},
    {"daz",
     {">hip",
      "hip>abdomen",
      "abdomen>chest",
      "chest>neck",
      "neck>head",
      "chest>rCollar",
      "rCollar>rShldr",
      "rShldr>rForeArm",
      "rForeArm>rHand",
      "rHand>rThumb1",
      "chest>lCollar",
      "lCollar>lShldr",
      "lShldr>lForeArm",
      "lForeArm>lHand",
      "hip>rButtock",
      "rButtock>rThigh",
      "rThigh>rShin",
      "rShin>rFoot",
      "hip>lButtock",
      "lButtock>lThigh",
      "lThigh>lShin",
      "lShin>lFoot"},
     {"pelvis=hip", "abdomen=abdomen", "chest=chest", "head=head", "upper_arm_r=rShldr", "hand_l=lHand",
      "thigh_r=rThigh", "shin_l=lShin", "foot_r=rFoot"}},
    {"deepmimic",
     {">root", "root>chest", "chest>neck", "chest>right_shoulder", "right_shoulder>right_elbow", "chest>left_shoulder",
      "left_shoulder>left_elbow", "root>right_hip", "right_hip>right_knee", "right_knee>right_ankle", "root>left_hip",
      "left_hip>left_knee", "left_knee>left_ankle"},
     {"pelvis=root", "abdomen=", "chest=chest", "upper_arm_l=left_shoulder", "forearm_r=right_elbow",
      "thigh_l=left_hip", "shin_r=right_knee", "foot_l=left_ankle", "hand_l="}},
    {"mixamo",
     {">mixamorig:Hips", "mixamorig:Hips>mixamorig:Spine", "mixamorig:Spine>mixamorig:Spine1",
      "mixamorig:Spine1>mixamorig:Spine2", "mixamorig:Spine2>mixamorig:Neck", "mixamorig:Neck>mixamorig:Head",
      "mixamorig:Spine2>mixamorig:LeftShoulder", "mixamorig:LeftShoulder>mixamorig:LeftArm",
      "mixamorig:LeftArm>mixamorig:LeftForeArm", "mixamorig:LeftForeArm>mixamorig:LeftHand",
      "mixamorig:Spine2>mixamorig:RightShoulder", "mixamorig:RightShoulder>mixamorig:RightArm",
      "mixamorig:RightArm>mixamorig:RightForeArm", "mixamorig:Hips>mixamorig:LeftUpLeg",
      "mixamorig:LeftUpLeg>mixamorig:LeftLeg", "mixamorig:LeftLeg>mixamorig:LeftFoot",
      "mixamorig:Hips>mixamorig:RightUpLeg", "mixamorig:RightUpLeg>mixamorig:RightLeg",
      "mixamorig:RightLeg>mixamorig:RightFoot"},
     {"pelvis=mixamorig:Hips", "abdomen=mixamorig:Spine1", "chest=mixamorig:Spine2", "upper_arm_l=mixamorig:LeftArm",
      "thigh_r=mixamorig:RightUpLeg", "shin_l=mixamorig:LeftLeg"}},
    {"unreal",
     {">root",
      "root>pelvis",
      "pelvis>spine_01",
      "spine_01>spine_02",
      "spine_02>spine_03",
      "spine_03>neck_01",
      "neck_01>head",
      "spine_03>clavicle_l",
      "clavicle_l>upperarm_l",
      "upperarm_l>upperarm_twist_01_l",
      "upperarm_l>lowerarm_l",
      "lowerarm_l>hand_l",
      "spine_03>clavicle_r",
      "clavicle_r>upperarm_r",
      "upperarm_r>lowerarm_r",
      "pelvis>thigh_l",
      "thigh_l>calf_l",
      "calf_l>foot_l",
      "foot_l>ball_l",
      "pelvis>thigh_r",
      "thigh_r>calf_r",
      "calf_r>foot_r",
      "root>ik_foot_l"},
     {"pelvis=pelvis", "abdomen=spine_02", "chest=spine_03", "upper_arm_l=upperarm_l", "forearm_r=lowerarm_r",
      "shin_l=calf_l", "foot_l=foot_l", "thigh_r=thigh_r"}},
    {"quaternius",
     {">Root",
      "Root>Foot.L",
      "Root>Foot.R",
      "Root>Body",
      "Body>Hips",
      "Hips>Abdomen",
      "Abdomen>Torso",
      "Torso>Neck",
      "Neck>Head",
      "Torso>Shoulder.L",
      "Shoulder.L>UpperArm.L",
      "UpperArm.L>LowerArm.L",
      "LowerArm.L>Fist.L",
      "Torso>Shoulder.R",
      "Shoulder.R>UpperArm.R",
      "UpperArm.R>LowerArm.R",
      "Body>UpperLeg.L",
      "UpperLeg.L>LowerLeg.L",
      "LowerLeg.L>LowerLeg.L_end",
      "Body>UpperLeg.R",
      "UpperLeg.R>LowerLeg.R",
      "Root>PoleTarget.L"},
     {"pelvis=Body", "chest=Torso", "upper_arm_r=UpperArm.R", "hand_l=Fist.L", "thigh_l=UpperLeg.L",
      "shin_r=LowerLeg.R", "foot_l=Foot.L"}},
    {"biped",
     {">Bip01", "Bip01>Bip01 Pelvis", "Bip01 Pelvis>Bip01 Spine", "Bip01 Spine>Bip01 Spine1", "Bip01 Spine1>Bip01 Neck",
      "Bip01 Neck>Bip01 Head", "Bip01 Neck>Bip01 L Clavicle", "Bip01 L Clavicle>Bip01 L UpperArm",
      "Bip01 L UpperArm>Bip01 L Forearm", "Bip01 Neck>Bip01 R Clavicle", "Bip01 R Clavicle>Bip01 R UpperArm",
      "Bip01 R UpperArm>Bip01 R Forearm", "Bip01 Spine>Bip01 L Thigh", "Bip01 L Thigh>Bip01 L Calf",
      "Bip01 L Calf>Bip01 L Foot", "Bip01 Spine>Bip01 R Thigh", "Bip01 R Thigh>Bip01 R Calf",
      "Bip01 R Calf>Bip01 R Foot"},
     {"pelvis=Bip01 Pelvis", "abdomen=Bip01 Spine", "chest=Bip01 Spine1", "upper_arm_l=Bip01 L UpperArm",
      "shin_r=Bip01 R Calf"}},
    {"smpl",
     {">Pelvis",           "Pelvis>L_Hip",    "L_Hip>L_Knee",        "L_Knee>L_Ankle",
      "L_Ankle>L_Foot",    "Pelvis>R_Hip",    "R_Hip>R_Knee",        "R_Knee>R_Ankle",
      "Pelvis>Spine1",     "Spine1>Spine2",   "Spine2>Spine3",       "Spine3>Neck",
      "Neck>Head",         "Spine3>L_Collar", "L_Collar>L_Shoulder", "L_Shoulder>L_Elbow",
      "L_Elbow>L_Wrist",   "L_Wrist>L_Hand",  "Spine3>R_Collar",     "R_Collar>R_Shoulder",
      "R_Shoulder>R_Elbow"},
     {"abdomen=Spine2", "chest=Spine3", "foot_l=L_Ankle", "hand_l=L_Wrist", "upper_arm_r=R_Shoulder"}},
};

static int find_joint(const Motion *motion, const char *name) {
  for (int i = 0; i < motion->joint_count; i++)
    if (strcmp(motion->joints[i].name, name) == 0)
      return i;
  return -1;
}

static Motion *motion_from_names(const char *const *chain) {
  int count = 0;
  while (count < 24 && chain[count])
    count++;
  Motion *motion = motion_of_size(count, 1, 30);
  for (int i = 0; i < count; i++) {
    const char *mark = strchr(chain[i], '>');
    char parent[MOTION_NAME_SIZE];
    snprintf(parent, sizeof parent, "%.*s", (int)(mark - chain[i]), chain[i]);
    snprintf(motion->joints[i].name, sizeof motion->joints[i].name, "%s", mark + 1);
    motion->joints[i].parent = parent[0] ? find_joint(motion, parent) : -1;
    motion->joints[i].bind_position_l = (vec3s){{0, 0.1f, 0}};
    motion->joints[i].bind_rotation_l = motion->rotation_l[i] = glms_quat_identity();
  }
  return motion;
}

// wanted: "our joint=theirs", as many as there are of `most`.
static void check_sources(const RetargetMap *map, const Motion *motion, const char *rig, const char *const *wanted,
                          int most) {
  for (int i = 0; i < most && wanted[i]; i++) {
    const char *mark = strchr(wanted[i], '=');
    char ours[MOTION_NAME_SIZE];
    snprintf(ours, sizeof ours, "%.*s", (int)(mark - wanted[i]), wanted[i]);
    int source = map->source[joint(ours)];
    const char *found = source < 0 ? "" : motion->joints[source].name;
    if (strcmp(found, mark + 1) != 0)
      fail_msg("%s: '%s' is driven by '%s', not '%s'", rig, ours, found, mark + 1);
  }
}

static void test_names_of_common_rigs(void **state) {
  (void)state;
  for (size_t r = 0; r < sizeof rigs / sizeof rigs[0]; r++) {
    Motion *motion = motion_from_names(rigs[r].chain);
    RetargetMap map;
    Error error = {0};
    if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
      fail_msg("%s: %s", rigs[r].rig, error.text);
    assert_string_equal(map.rig, rigs[r].rig);
    check_sources(&map, motion, rigs[r].rig, rigs[r].ours, 16);
    motion_free(motion);
  }
}

static void test_missing_joints(void **state) {
  (void)state;
  static const char *const chain[24] = {
      ">Hips", "Hips>LeftUpLeg", "LeftUpLeg>LeftLeg", "LeftLeg>LeftFoot", "Hips>RightUpLeg", "RightUpLeg>RightLeg"};
  Motion *motion = motion_from_names(chain);
  RetargetMap map;
  Error error = {0};
  assert_false(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  assert_non_null(strstr(error.text, "'foot_r'"));
  assert_non_null(strstr(error.text, "RightLeg")); // the motion's joints are listed
  motion_free(motion);
}

static bool map_with(const char *yaml, const Motion *motion, RetargetMap *map, Error *error) {
  Document document;
  if (!document_parse(&document, "map.yaml", yaml, error))
    return false;
  bool good = retarget_map(map, motion, &body->skeleton, document.root, error);
  document_free(&document);
  return good;
}

static void test_overrides(void **state) {
  (void)state;
  Motion *motion = motion_from_names(rigs[0].chain);
  RetargetMap map;
  Error error = {0};
  assert_true(map_with("{hand_l: none, chest: Spine, head: Neck}", motion, &map, &error));
  assert_int_equal(map.source[joint("hand_l")], -1);
  assert_int_equal(map.source[joint("chest")], find_joint(motion, "Spine"));
  assert_int_equal(map.source[joint("head")], find_joint(motion, "Neck"));

  assert_false(map_with("{thihg_l: LeftUpLeg}", motion, &map, &error));
  assert_string_equal(error.text, "map.yaml:1:2: 'human' has no joint 'thihg_l', did you mean 'thigh_l'?");
  error = (Error){0};
  assert_false(map_with("thigh_l: LeftUpLegs", motion, &map, &error));
  assert_string_equal(error.text, "map.yaml:1:10: the motion has no joint 'LeftUpLegs', did you mean 'LeftUpLeg'?");
  error = (Error){0};
  assert_false(map_with("{thigh_l: LeftLeg, shin_l: LeftUpLeg}", motion, &map, &error)); // upside down
  assert_non_null(strstr(error.text, "'LeftUpLeg' does not hang on 'LeftLeg'"));
  motion_free(motion);
}

// A body of which a joint has a name that says nothing: what would be found by that joint is found otherwise, or not.
static void test_bodies_without_a_joint(void **state) {
  (void)state;
  static const struct {
    int rig;
    const char *without;
    const char *ours[6]; // "joint=source" as above
  } bodies[] = {
      {2, "upper_arm_l", {"upper_arm_l=", "forearm_l=lForeArm", "upper_arm_r=rShldr", "chest=chest", "pelvis=hip"}},
      {2, "forearm_r", {"upper_arm_r=rShldr", "forearm_r=", "upper_arm_l=lShldr", "chest=chest", "abdomen=abdomen"}},
      {2, "chest", {"chest=", "abdomen=", "upper_arm_l=lShldr", "head=head", "pelvis=hip"}},
      {2, "head", {"head=", "chest=chest", "abdomen=abdomen", "pelvis=hip"}},
      {0, "upper_arm_l", {"upper_arm_l=", "chest=LowerBack", "pelvis=Hips"}}}; // none is named chest

  for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++) {
    Motion *motion = motion_from_names(rigs[bodies[b].rig].chain);
    Skeleton skeleton = body->skeleton;
    snprintf(skeleton.names[joint(bodies[b].without)], sizeof skeleton.names[0], "part");
    RetargetMap map;
    Error error = {0};
    if (!retarget_map(&map, motion, &skeleton, NULL, &error))
      fail_msg("without %s: %s", bodies[b].without, error.text);
    check_sources(&map, motion, bodies[b].without, bodies[b].ours, 6);
    motion_free(motion);
  }
  Motion *motion = motion_from_names(rigs[2].chain);
  static const char *const thighs[] = {"thigh_l", "thigh_r"};
  for (int side = 0; side < 2; side++) {
    Skeleton skeleton = body->skeleton;
    snprintf(skeleton.names[joint(thighs[side])], sizeof skeleton.names[0], "part");
    RetargetMap map;
    Error error = {0};
    assert_false(retarget_map(&map, motion, &skeleton, NULL, &error));
    assert_int_equal(strncmp(error.text, "no joint was found for our 'pelvis'", 35), 0);
  }
  motion_free(motion);
}

// An arm of one bone has no elbow, so that neither of our two is driven by it.
static void test_motions_without_a_joint(void **state) {
  (void)state;
  static const struct {
    int rig;
    const char *without;
    const char *ours[6]; // "joint=source" as above
  } motions[] = {
      {2, "lForeArm", {"upper_arm_l=", "forearm_l=", "upper_arm_r=rShldr", "forearm_r=rForeArm", "chest=chest"}},
      {2, "rForeArm", {"upper_arm_r=", "forearm_r=", "upper_arm_l=lShldr", "forearm_l=lForeArm"}}};
  for (size_t m = 0; m < sizeof motions / sizeof motions[0]; m++) {
    Motion *motion = motion_from_names(rigs[motions[m].rig].chain);
    snprintf(motion->joints[find_joint(motion, motions[m].without)].name, MOTION_NAME_SIZE, "part");
    RetargetMap map;
    Error error = {0};
    if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
      fail_msg("without %s: %s", motions[m].without, error.text);
    check_sources(&map, motion, motions[m].without, motions[m].ours, 6);
    motion_free(motion);
  }
}

// Without names the shape of the rest pose identifies the joints; left and right follow from the bend of the knees.
static void test_joints_by_shape(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  for (int facing = 0; facing < 2; facing++) {
    Motion *motion = motion_from_clip(walk, 1, 60, 1, 0.3f, true);
    for (int i = 0; i < motion->joint_count; i++)
      snprintf(motion->joints[i].name, sizeof motion->joints[i].name, "node%d", i);
    versors about = {{0, 1, 0, 0}}; // half a turn
    for (int f = 0; facing == 1 && f < motion->frame_count; f++)
      motion->rotation_l[f * motion->joint_count] = glms_quat_mul(about, motion->rotation_l[f * motion->joint_count]);
    if (facing == 1)
      motion->joints[0].bind_rotation_l = about;
    RetargetMap map;
    Error error = {0};
    if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
      fail_msg("%s", error.text);
    assert_string_equal(map.rig, "shape");
    for (int i = 0; i < body->skeleton.count; i++)
      if (map.source[i] != i)
        fail_msg("facing %d: %s is driven by %d", facing, body->skeleton.names[i], map.source[i]);
    motion_free(motion);
  }
  clip_free(walk);
}

// ---- Poses ----

// Largest distance between the same joints of two clips at the same times, over the ground.
static float largest_distance(const Clip *a, const Clip *b) {
  float largest = 0;
  for (int k = 0; k < a->key_count; k++) {
    float time = (float)(k * clip_key_step(a));
    Pose pose[2];
    ModelPose model[2];
    clip_sample(a, time, &pose[0]);
    clip_sample(b, time, &pose[1]);
    for (int i = 0; i < 2; i++)
      pose_to_model(&body->skeleton, &pose[i], &model[i]);
    for (int i = 0; i < model[0].count; i++)
      largest = fmaxf(largest, glms_vec3_distance(model[0].position[i], model[1].position[i]));
  }
  return largest;
}

// The shipped walk, larger, in a T-pose, recorded over three cycles, is recovered.
static void test_own_walk_comes_back(void **state) {
  (void)state;
  static const float sizes[] = {1, 0.5f, 1.4f}, arms[] = {0, 90, 45};
  Clip *walk = our_clip("clips/walk.yaml");
  for (int i = 0; i < 3; i++) {
    Motion *motion = motion_from_clip(walk, 3, 1 / clip_key_step(walk), sizes[i], arms[i] * RAD, true);
    RetargetOptions options = retarget_options_default();
    options.loop = true;
    options.to = (double)walk->duration;
    options.rate = 1 / clip_key_step(walk);
    options.clearance = 0; // the walk has its own
    RetargetReport report;
    Clip *clip = retargeted(motion, &options, &report);
    assert_true(fabs(report.scale * (double)sizes[i] - 1) < 1e-4);
    assert_true(fabsf(clip->root_velocity_l.z - walk->root_velocity_l.z) < 0.002f);
    assert_true(clip->root_turn_rate == 0);
    float distance = largest_distance(walk, clip);
    if (distance > 0.05f) // soles that are nearly flat have been laid flat, and knees with them
      fail_msg("size %.1f, arms %.0f deg: joints come back %.4f m away", (double)sizes[i], (double)arms[i],
               (double)distance);
    assert_true(report.slip_max < 0.005 && report.ground_gap_max < 0.005);
    assert_int_equal(clip->contact_count, 2);
    assert_int_equal(clip->mark_count, 2);
    for (int m = 0; m < 2; m++) {
      assert_string_equal(clip->marks[m].name, walk->marks[m].name);
      assert_true(fabsf(clip->marks[m].time - walk->marks[m].time) < 0.035f);
    }
    clip_free(clip);

    options.plant = false; // then nothing is left to differ
    clip = retargeted(motion, &options, NULL);
    distance = largest_distance(walk, clip);
    if (distance > 0.006f)
      fail_msg("size %.1f, arms %.0f deg, not planted: joints come back %.4f m away", (double)sizes[i], (double)arms[i],
               (double)distance);
    clip_free(clip);
    motion_free(motion);
  }
  clip_free(walk);
}

// Motions of games are on the spot: the speed comes from the feet.
static void test_speed_of_a_walk_on_the_spot(void **state) {
  (void)state;
  static const char *const names[] = {"clips/walk.yaml", "clips/run.yaml", "clips/idle.yaml"};
  for (int i = 0; i < 3; i++) {
    Clip *own = our_clip(names[i]);
    Motion *motion = motion_from_clip(own, 1, 60, 1, 0, false);
    RetargetOptions options = retarget_options_default();
    options.loop = true;
    Clip *clip = retargeted(motion, &options, NULL);
    float wanted = own->root_velocity_l.z;
    if (fabsf(clip->root_velocity_l.z - wanted) > 0.05f * wanted || clip->root_velocity_l.x != 0)
      fail_msg("%s: %.3f m/s to the side, %.3f ahead", names[i], (double)clip->root_velocity_l.x,
               (double)clip->root_velocity_l.z);
    clip_free(clip);
    motion_free(motion);
    clip_free(own);
  }
}

// A rest pose is taken to stand along the axis of the world that its trunk is nearest to, or along the trunk where that
// leans more than 32 deg from all axes: what it leans less comes into the motion.
static void test_rest_poses_that_lean(void **state) {
  (void)state;
  static const struct {
    vec3s turn; // deg, of the whole rest pose
    float lean; // deg, of the clip
  } rests[] = {
      {{{0, 0, 0}}, 0},   {{{90, 0, 0}}, 0},  {{{-90, 0, 0}}, 0},          {{{0, 0, 90}}, 0},  {{{0, 0, -90}}, 0},
      {{{180, 0, 0}}, 0}, {{{25, 0, 0}}, 25}, {{{-25, 0, 0}}, 25},         {{{0, 0, 25}}, 25}, {{{0, 0, -65}}, 25},
      {{{45, 0, 0}}, 0},  {{{0, 0, 45}}, 0},  {{{81.57f, 0, -38.04f}}, 25}};
  Clip *walk = our_clip("clips/walk.yaml"), *straight = NULL;
  for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
    Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
    motion->joints[0].bind_rotation_l = quat_exp(glms_vec3_scale(rests[i].turn, RAD));
    RetargetOptions options = retarget_options_default();
    options.plant = false;
    Clip *clip = retargeted(motion, &options, NULL);
    if (!straight)
      straight = clip;
    const float lean = quat_angle_between(clip->keys[10].rotation[0], straight->keys[10].rotation[0]) / RAD;
    if (fabsf(lean - rests[i].lean) > (rests[i].turn.x == 45 || rests[i].turn.z == 45 ? 4 : 0.1f))
      fail_msg("a rest pose turned by (%g, %g, %g) deg leans the clip by %g deg", (double)rests[i].turn.x,
               (double)rests[i].turn.y, (double)rests[i].turn.z, (double)lean);
    if (clip != straight)
      clip_free(clip);
    motion_free(motion);
  }
  clip_free(straight);
  clip_free(walk);
}

// A part that no joint of the motion moves is on its parent as in the bind pose.
static void test_parts_without_a_source(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  const int head = joint("head"), chest = joint("chest");
  for (int f = 0; f < motion->frame_count; f++)
    motion->rotation_l[f * motion->joint_count + chest] = quat_exp((vec3s){{0.3f, 0.1f, 0}});
  snprintf(motion->joints[head].name, sizeof motion->joints[head].name, "sensor");
  RetargetOptions options = retarget_options_default();
  Clip *clip = retargeted(motion, &options, NULL);
  for (int k = 0; k < clip->key_count; k++) {
    assert_true(quat_angle_between(clip->keys[k].rotation[head], body->skeleton.bind_rotation_l[head]) < 1e-3f);
    assert_true(quat_angle_between(clip->keys[k].rotation[chest], body->skeleton.bind_rotation_l[chest]) > 0.1f);
  }
  clip_free(clip);
  motion_free(motion);
  clip_free(walk);
}

// An arm far across the body counts as far beyond its range, though the forearm, about which it is turned back, stays.
static void test_what_turns_about_the_next_bone_is_seen(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  const int arm = joint("upper_arm_l"), forearm = joint("forearm_l");
  for (int f = 0; f < motion->frame_count; f++) {
    motion->rotation_l[f * motion->joint_count + arm] = quat_exp((vec3s){{0, 0, -130 * RAD}});
    motion->rotation_l[f * motion->joint_count + forearm] = quat_exp((vec3s){{-90 * RAD, 0, 0}});
  }
  RetargetOptions options = retarget_options_default();
  RetargetReport report;
  Clip *clip = retargeted(motion, &options, &report);
  assert_true(report.joint_far[arm] > 0.99);
  assert_true(report.joint_far[forearm] == 0 && report.joint_far[joint("upper_arm_r")] == 0);
  clip_free(clip);
  motion_free(motion);
  clip_free(walk);
}

// A knee that is bent backward stays straight; rotations beyond a range are reported and left out.
static void test_ranges(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  int knee = joint("shin_l"), head = joint("head"), count = motion->joint_count;
  for (int f = 0; f < motion->frame_count; f++) {
    if (f % 4 == 0)
      motion->rotation_l[f * count + knee] = quat_exp((vec3s){{-20 * RAD, 0, 0}});
    motion->rotation_l[f * count + head] = quat_exp((vec3s){{0, 100 * RAD, 0}});
  }
  RetargetOptions options = retarget_options_default();
  RetargetReport report;
  Clip *clip = retargeted(motion, &options, &report);
  char text[200];
  assert_true(retarget_excess_text(&report, &body->skeleton, 20 * (double)RAD, text, sizeof text));
  assert_non_null(strstr(text, "head "));
  assert_null(strstr(text, "foot"));
  assert_false(retarget_excess_text(&report, &body->skeleton, 60 * (double)RAD, text, sizeof text));
  assert_true(report.limit_excess_max > 0.9 * 30 * (double)RAD && report.limit_excess_max < 40 * (double)RAD);
  for (int k = 0; k < clip->key_count; k++)
    for (int i = 1; i < body->part_count; i++) {
      vec3s axis = {{0, 0, 0}};
      int twist_axis = limits.twist_axis[i];
      axis.raw[twist_axis] = 1;
      versors swing, twist;
      quat_swing_twist(clip->keys[k].rotation[i], axis, &swing, &twist);
      vec3s s = quat_log(swing), t = quat_log(twist);
      bool universal = !limits.hinge[i] && limits.range[i][1][0] == limits.range[i][1][1];
      for (int a = 0; a < 3; a++) {
        float angle = a == twist_axis ? t.raw[a] : s.raw[a], slack = universal ? 5 * RAD : 0.01f * RAD;
        if (limits.hinge[i] && a != twist_axis)
          assert_true(fabsf(angle) < 0.01f * RAD);
        else if (angle < (float)limits.range[i][a][0] - slack || angle > (float)limits.range[i][a][1] + slack)
          fail_msg("%s, key %d: %.2f deg about %c", body->parts[i].name, k, (double)(angle / RAD), 'x' + a);
      }
    }
  clip_free(clip);
  motion_free(motion);
  clip_free(walk);
}

// The least distance of the ankles to the side, m, as a foot swings past the standing other one.
static float passing_distance(const Clip *clip, int swinging) {
  const Skeleton *skeleton = clip->skeleton;
  float least = INFINITY;
  for (int k = 0; k < clip->key_count; k++) {
    ModelPose model;
    pose_to_model(skeleton, &clip->keys[k], &model);
    const vec3s apart = glms_vec3_sub(model.position[skeleton->legs[0].ankle], model.position[skeleton->legs[1].ankle]);
    const float time = (float)k * (float)clip_key_step(clip);
    if (fabsf(apart.z) < 0.05f && !clip_contact(clip, swinging, time))
      least = fminf(least, apart.x);
  }
  return least;
}

// Who walks on a line: each foot goes around the other one, until there are 3 cm between their edges, but by no more
// than 10 cm.
static void test_narrow_feet_pass_each_other(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  const Leg *legs = body->skeleton.legs;
  const float wide = legs[0].half_width + legs[1].half_width + 0.03f;
  for (int narrow = 0; narrow < 2; narrow++) {
    const float angle = (narrow ? 5 : 2) * RAD;
    Motion *motion = motion_from_clip(walk, 2, 60, 1, 0, true);
    for (int f = 0; f < motion->frame_count; f++)
      for (int side = 0; side < 2; side++) {
        versors *thigh = &motion->rotation_l[f * motion->joint_count + joint(side ? "thigh_r" : "thigh_l")];
        *thigh = glms_quat_mul(quat_exp((vec3s){{0, 0, side ? angle : -angle}}), *thigh);
      }
    RetargetOptions options = retarget_options_default();
    Clip *aside = retargeted(motion, &options, NULL);
    options.clearance = 0;
    Clip *straight = retargeted(motion, &options, NULL);
    for (int side = 0; side < 2; side++) {
      const float before = passing_distance(straight, side), is = passing_distance(aside, side);
      assert_true(fabsf(is - fminf(before + 0.1f, wide)) < 0.003f);
      assert_true((before + 0.1f < wide) == (narrow == 1) && before < wide - 0.03f);
    }
    clip_free(straight);
    clip_free(aside);
    motion_free(motion);
  }
  clip_free(walk);
}

// A loop's ends meet: no key is farther from its neighbour than twice the largest step elsewhere.
static void test_loops_close(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 3, 60, 1, 0, true);
  for (int f = 0; f < motion->frame_count; f++) // a slow drift, as recorded cycles have
    motion->rotation_l[f * motion->joint_count + joint("chest")] = quat_exp((vec3s){{0.1f * (float)f / 60, 0, 0}});
  RetargetOptions options = retarget_options_default();
  options.loop = true;
  options.from = 0.3;
  options.to = 0.3 + (double)walk->duration;
  Clip *clip = retargeted(motion, &options, NULL);
  for (int i = 0; i < clip->skeleton->count; i++) {
    float largest = 0;
    for (int k = 0; k + 1 < clip->key_count; k++)
      largest = fmaxf(largest, quat_angle_between(clip->keys[k].rotation[i], clip->keys[k + 1].rotation[i]));
    float end = quat_angle_between(clip->keys[clip->key_count - 1].rotation[i], clip->keys[0].rotation[i]);
    if (end > 2 * largest + 0.002f)
      fail_msg("%s jumps by %.3f rad at the end, %.3f elsewhere", clip->skeleton->names[i], (double)end,
               (double)largest);
  }
  double from, to;
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  assert_true(motion_find_cycle(motion, &map, &body->skeleton, 0, 0, &from, &to));
  double cycles = (to - from) / (double)walk->duration;
  assert_true(fabs(cycles - round(cycles)) < 0.05);
  clip_free(clip);
  motion_free(motion);
  clip_free(walk);
}

// The one span whose ends, and the frames 70 ms before and after them, are alike: a chest that circles from frame 8 to
// 42 in 30 frames, and turns away before and after that.
static void test_the_cycle_is_found_to_the_frame(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 2, 30, 1, 0, true);
  motion->frame_count = 60;
  for (int f = 0; f < motion->frame_count; f++) {
    for (int j = 0; j < motion->joint_count; j++)
      motion->rotation_l[f * motion->joint_count + j] = motion->joints[j].bind_rotation_l;
    const float angle = (float)f * 12 * RAD, away = 0.1f * fmaxf(fmaxf((float)(8 - f), (float)(f - 42)), 0);
    motion->rotation_l[f * motion->joint_count + joint("chest")] =
        quat_exp((vec3s){{0.4f * sinf(angle), away, 0.4f * cosf(angle)}});
  }
  double from, to;
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  assert_true(motion_find_cycle(motion, &map, &body->skeleton, 0, 0, &from, &to));
  assert_true(fabs(from - 10.0 / 30) < 1e-9 && fabs(to - 40.0 / 30) < 1e-9);
  motion_free(motion);
  clip_free(walk);
}

static void test_spans_outside_the_motion(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  RetargetOptions options = retarget_options_default();
  options.to = 7;
  assert_null(retarget(motion, &map, &body->skeleton, NULL, &options, NULL, &error));
  assert_non_null(strstr(error.text, "0 .. 7 s lies outside"));
  motion->frame_count = 1; // a single frame is a still clip
  options.to = 0;
  error = (Error){0};
  Clip *clip = retarget(motion, &map, &body->skeleton, NULL, &options, NULL, &error);
  assert_non_null(clip);
  clip_free(clip);
  motion_free(motion);
  clip_free(walk);
}

// A body whose knees bend about another axis than recorded ones cannot follow; the error names them.
static void test_knees_about_another_axis_are_refused(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  RetargetOptions options = retarget_options_default();
  RetargetLimits sprawled = limits;
  sprawled.twist_axis[joint("shin_r")] = 2;
  assert_null(retarget(motion, &map, &body->skeleton, &sprawled, &options, NULL, &error));
  assert_non_null(strstr(error.text, "its own bend otherwise: shin_r about z"));
  assert_null(strstr(error.text, "shin_l"));
  motion_free(motion);
  clip_free(walk);
}

// A standing foot that a recording lets float for a while stands on; the swing of the other one stays a swing.
static void test_a_foot_that_drags_stands(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  clip_find_contacts(walk);
  ClipContact before[2] = {walk->contacts[0], walk->contacts[1]};
  assert_int_equal(walk->contact_count, 2);
  float middle = before[0].begin + contact_length(walk, &before[0]) / 2;
  for (int k = 0; k < walk->key_count; k++) {
    float off = fabsf((float)k / (float)walk->key_count * walk->duration - fmodf(middle, walk->duration));
    if (off < 0.1f)
      walk->keys[k].position[0].y += 0.07f; // m
  }
  clip_find_contacts(walk);
  assert_int_equal(walk->contact_count, 2);
  for (int c = 0; c < 2; c++) {
    assert_int_equal(walk->contacts[c].leg, before[c].leg);
    assert_true(fabsf(walk->contacts[c].begin - before[c].begin) < 0.03f);
    assert_true(fabsf(walk->contacts[c].end - before[c].end) < 0.03f);
  }
  clip_free(walk);
}

// ---- Files ----

static Clip *import(FileSet *set, const char *yaml, Error *error) {
  FileSet local = {.sealed = false};
  assert_true(files_copy(&local, set));
  files_put(&local, "clips/test.yaml", yaml, strlen(yaml));
  local.sealed = true;
  Clip *clip = clip_load(&local, "clips/test.yaml", &body->skeleton, &limits, NULL, error);
  files_free(&local);
  return clip;
}

static void test_import_files(void **state) {
  (void)state;
  Clip *walk = our_clip("clips/walk.yaml");
  Motion *motion = motion_from_clip(walk, 3, 60, 1, 1.5f, true);
  char *bvh = motion_write_bvh(motion);
  assert_non_null(bvh);
  FileSet set = {.sealed = false};
  files_put(&set, "clips/strides.bvh", bvh, strlen(bvh));
  set.sealed = true;
  Error error = {0};

  Clip *clip = clip_load(&set, "clips/strides.bvh", &body->skeleton, &limits, NULL, &error); // by itself
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  assert_string_equal(clip->name, "strides");
  assert_true(clip->loop);
  assert_true(fabsf(clip->root_velocity_l.z - 1.3f) < 0.03f);
  clip_free(clip);

  clip = import(&set, "{import: strides.bvh, name: mine, loop: false, from: 0.5, to: 1.5, rate: 30}", &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  assert_string_equal(clip->name, "mine");
  assert_false(clip->loop);
  assert_int_equal(clip->key_count, 31);
  assert_true(fabsf(clip->duration - 1) < 1e-5f);
  clip_free(clip);

  static const struct {
    const char *yaml, *error;
  } bad[] = {
      {"{import: stride.bvh}", "clips/test.yaml:1:10: "},
      {"{import: strides.bvh, lop: true}", "clips/test.yaml:1:23: "},
      {"{import: strides.bvh, loop: maybe}", "clips/test.yaml:1:29: expected true, false or cycle"},
      {"{import: strides.bvh, up: w}", "clips/test.yaml:1:27: there is no 'w', allowed are x, y, z"},
      {"{import: strides.bvh, up: y, front: -y}", "clips/test.yaml:1:37: the front cannot lie"},
      {"{import: strides.bvh, from: 2, to: 1}", "clips/test.yaml:1:36: 'to' must lie behind 'from'"},
      {"{import: strides.bvh, to: 99}", "clips/test.yaml:1:27: the motion ends at"},
      {"{import: strides.bvh, unit: 0.9e-6}", "clips/test.yaml:1:29: 'unit' must lie within"},
      {"{import: strides.bvh, unit: 1001}", "clips/test.yaml:1:29: 'unit' must lie within"},
      {"{import: strides.bvh, from: -0.01}", "clips/test.yaml:1:29: 'from' must lie within"},
      {"{import: strides.bvh, from: 86401}", "clips/test.yaml:1:29: 'from' must lie within"},
      {"{import: strides.bvh, to: -0.01}", "clips/test.yaml:1:27: 'to' must lie within"},
      {"{import: strides.bvh, to: 86401}", "clips/test.yaml:1:27: 'to' must lie within"},
      {"{import: strides.bvh, loop_blend: -0.01}", "clips/test.yaml:1:35: 'loop_blend' must lie within"},
      {"{import: strides.bvh, loop_blend: 10.1}", "clips/test.yaml:1:35: 'loop_blend' must lie within"},
      {"{import: strides.bvh, clearance: -0.01}", "clips/test.yaml:1:34: 'clearance' must lie within"},
      {"{import: strides.bvh, clearance: 0.51}", "clips/test.yaml:1:34: 'clearance' must lie within"},
      {"{import: strides.bvh, rate: 0.9}", "clips/test.yaml:1:29: 'rate' must lie within"},
      {"{import: strides.bvh, rate: 1001}", "clips/test.yaml:1:29: 'rate' must lie within"},
      {"{import: strides.bvh, joints: {foo: bar}}", "clips/test.yaml:1:32: 'human' has no joint 'foo'"},
      {"{import: strides.bvh, to: 0.6, loop: cycle}", "clips/test.yaml:1:38: nothing in this motion repeats"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    error = (Error){0};
    assert_null(import(&set, bad[i].yaml, &error));
    if (strncmp(error.text, bad[i].error, strlen(bad[i].error)) != 0)
      fail_msg("%s: \"%s\" does not begin with \"%s\"", bad[i].yaml, error.text, bad[i].error);
  }
  free(bvh);
  files_free(&set);
  motion_free(motion);
  clip_free(walk);
}

// Requirements for every recorded walk (systems A5): feet on the ground, no slip, no knee backward, left on the left.
static void check_walk(const char *path, double from, double to, bool loop) {
  FileSet set = {.sealed = false};
  Error error = {0};
  const File *file = files_read(&set, path, &error);
  if (!file) {
    print_message("%s is not here\n", path);
    files_free(&set);
    return;
  }
  MotionOptions understood = motion_options_default();
  Motion *motion = motion_read(file, &understood, &error);
  if (!motion)
    fail_msg("%s", error.text);
  RetargetOptions options = retarget_options_default();
  options.loop = loop;
  options.from = from;
  options.to = to;
  RetargetReport report;
  Clip *clip = retargeted(motion, &options, &report);
  print_message("%s: slip %.1f mm, gap %.1f mm, %d contacts\n", path, report.slip_max * 1000,
                report.ground_gap_max * 1000, report.contact_count);
  assert_true(report.contact_count >= 2);
  assert_true(report.slip_max < 0.02);
  assert_true(report.ground_gap_max < 0.01);
  double left_of_pelvis = 0;
  for (int k = 0; k < clip->key_count; k++) {
    ModelPose model;
    pose_to_model(&body->skeleton, &clip->keys[k], &model);
    vec3s across = glms_vec3_sub(model.position[joint("foot_l")], model.position[joint("foot_r")]);
    versors pelvis = glms_quat_conjugate(model.rotation[0]);
    left_of_pelvis += (double)glms_quat_rotatev(pelvis, across).x / clip->key_count;
    for (int l = 0; l < body->skeleton.leg_count; l++) {
      versors knee = clip->keys[k].rotation[body->skeleton.legs[l].knee];
      assert_true(2 * asinf(copysignf(knee.x, knee.x * knee.w)) > -0.01f * RAD);
      assert_true(fabsf(knee.y) < 1e-4f && fabsf(knee.z) < 1e-4f);
    }
  }
  assert_true(left_of_pelvis > 0.03);
  clip_free(clip);
  motion_free(motion);
  files_free(&set);
}

static void test_recorded_walks(void **state) {
  (void)state;
  check_walk("/usr/share/assimp/models/BVH/01_01.bvh", 0, 8, false); // jumps forward
  static const struct {
    const char *name;
    bool loop;
  } more[] = {{"cmu_12_01_walk.bvh", false}, {"cmu_10_03_kick.bvh", false},   {"deepmimic_walk.bvh", true},
              {"deepmimic_run.bvh", true},   {"fair_zombie_walk.bvh", false}, {"ozz_pab_walk.glb", true},
              {"CesiumMan.gltf", true}};
  const char *folder = getenv("STAGGER_MOTIONS");
  for (size_t i = 0; folder && i < sizeof more / sizeof more[0]; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, more[i].name);
    check_walk(path, 0, 0, more[i].loop);
  }
}

// ---- Turning roots ----

enum { SPIN_POSES = 121 };

// Makes a loop of a motion that turns by that many degrees at a constant rate while it goes straight ahead, or along an
// arc as it faces. Returns the root's speed, m/s.
static double loop_speed(double turn, double speed, bool arc) {
  Pose poses[SPIN_POSES];
  double duration = 2, z = 0, x = 0, step = duration / (SPIN_POSES - 1);
  for (int k = 0; k < SPIN_POSES; k++) {
    double yaw = turn * k / (SPIN_POSES - 1), course = arc ? yaw + turn / (SPIN_POSES - 1) / 2 : 0;
    poses[k] = pose_bind(&body->skeleton);
    pose_transform(&poses[k], (vec3s){{(float)x, 0, (float)z}}, glms_quat((float)yaw, 0, 1, 0));
    x += speed * step * sin(course);
    z += speed * step * cos(course);
  }
  vec3s way = glms_vec3_sub(poses[SPIN_POSES - 1].position[0], poses[0].position[0]);
  Clip clip = {.skeleton = &body->skeleton, .loop = true, .duration = (float)duration};
  RetargetOptions options = {.loop = true};
  retarget_root(&clip, poses, SPIN_POSES, &options);
  double root_speed = (double)glms_vec3_norm(clip.root_velocity_l);
  vec3s root;
  versors rotation;
  clip_root_at(&clip, duration, &root, &rotation);
  assert_true(isfinite(root_speed) && isfinite(clip.root_turn_rate));
  if (root_speed > 0) // it gets as far as the body
    assert_true(fabs((double)glms_vec3_norm(root) - (double)glms_vec3_norm(way)) < 1e-3);
  for (int k = 0; k < SPIN_POSES; k++)
    assert_true(isfinite(glms_vec3_norm(poses[k].position[0])) && isfinite(glms_quat_norm(poses[k].rotation[0])));
  return root_speed;
}

// For any net turn of a loop, its root moves no faster than the body's own speed, times the ratio of half a circle to
// its diameter where it has to go along an arc; and a body that moves along an arc keeps its speed.
static void test_roots_of_turning_loops(void **state) {
  (void)state;
  double worst = 0;
  for (int degrees = -720; degrees <= 720; degrees += 5) {
    double turn = degrees * GLM_PI / 180;
    assert_true(loop_speed(turn, 0, false) == 0);
    double straight = loop_speed(turn, 1.2, false), arc = loop_speed(turn, 1.2, true);
    worst = fmax(worst, straight / 1.2);
    assert_true(straight > 0.5 * 1.2 && straight <= GLM_PI / 2 * 1.2 * 1.001);
    assert_true(arc <= 1.2 * 1.01);
    if (abs(degrees) <= 180)
      assert_true(fabs(arc - 1.2) < 0.02);
  }
  printf("roots of turning loops go up to %.2f times as fast as the body\n", worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_of_common_rigs),
      cmocka_unit_test(test_missing_joints),
      cmocka_unit_test(test_bodies_without_a_joint),
      cmocka_unit_test(test_motions_without_a_joint),
      cmocka_unit_test(test_rest_poses_that_lean),
      cmocka_unit_test(test_overrides),
      cmocka_unit_test(test_joints_by_shape),
      cmocka_unit_test(test_own_walk_comes_back),
      cmocka_unit_test(test_speed_of_a_walk_on_the_spot),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_parts_without_a_source),
      cmocka_unit_test(test_what_turns_about_the_next_bone_is_seen),
      cmocka_unit_test(test_narrow_feet_pass_each_other),
      cmocka_unit_test(test_loops_close),
      cmocka_unit_test(test_the_cycle_is_found_to_the_frame),
      cmocka_unit_test(test_spans_outside_the_motion),
      cmocka_unit_test(test_knees_about_another_axis_are_refused),
      cmocka_unit_test(test_a_foot_that_drags_stands),
      cmocka_unit_test(test_import_files),
      cmocka_unit_test(test_recorded_walks),
      cmocka_unit_test(test_roots_of_turning_loops),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
