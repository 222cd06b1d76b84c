// Poses of falling and getting up: the guarding pose of arms, head and knees, the moment of a get-up clip that fits a
// lying body best, and interpolation between two poses.
#include "ragdoll/reaction/fall_pose.h"

#include <math.h>

#include "anim/mirror.h"
#include "sim/base/numbers.h"

// Guard, in degrees.
static const double HEAD_AWAY = 38, FACE_ASIDE = 30, TRUNK_AWAY = 12, ELBOW = 25;
static const double HIP_FORWARD = 15, HIP_BACKWARD = 55, KNEE_FORWARD = 25, KNEE_BACKWARD = 80;

// In a fall to the side the leg of that side bends under the body; the other leg stays behind, apart from it.
static const double HIP_NEAR = 50, KNEE_NEAR = 90, HIP_FAR = 15, KNEE_FAR = 35, APART = 15;
static const double RANGE_MARGIN = 4;

// The direction in which the arms reach: shares of the fall's direction, of down, and of outward.
static const float REACH_WAY = 0.75f, REACH_DOWN = 0.65f, REACH_APART = 0.2f;
static const float REACH_FRONT = 0.5f; // of arms that reach to a side, so that none is caught behind the back

// Weights of the match: rad per m of the pelvis' height, and of the mean turn of the joints.
static const float HEIGHT_WEIGHT = 4, JOINTS_WEIGHT = 0.7f;
static const float MATCH_INTERVAL = 1 / 30.0f; // s between the moments that are looked at

static const vec3s UP = {{0, 1, 0}};

bool fall_body_find(FallBody *fall, const BodyDef *body) {
  const Skeleton *skeleton = &body->skeleton;
  static const char *const sides[2][2] = {{"upper_arm_l", "forearm_l"}, {"upper_arm_r", "forearm_r"}};
  *fall = (FallBody){.body = body, .head = skeleton_find(skeleton, "head")};
  for (int i = 0; i < 2; i++) {
    fall->arms[i] = skeleton_find(skeleton, sides[i][0]);
    fall->forearms[i] = skeleton_find(skeleton, sides[i][1]);
    if (fall->arms[i] < 0 || fall->forearms[i] < 0)
      return false;
  }
  if (fall->head < 0 || skeleton->leg_count != 2) // what has more lies on its belly when it stands
    return false;
  fall->chest = skeleton->parent[fall->arms[0]];
  ModelPose bind;
  Pose pose = pose_bind(skeleton);
  pose_to_model(skeleton, &pose, &bind);
  const Leg *leg = &skeleton->legs[0];
  fall->leg_length = (double)(bind.position[leg->hip].y - bind.position[leg->ankle].y - leg->sole_l.y);
  return true;
}

// A joint's rotation by a rotation vector, rad, limited to its ranges.
static void bend(const FallBody *fall, int joint, vec3s turn, Pose *pose) {
  const JointDef *def = &fall->body->parts[joint].joint;
  float margin = (float)(RANGE_MARGIN * RAD_PER_DEGREE);
  for (int i = 0; i < 3 && def->limited; i++) {
    float low = (float)def->limit[i][0] + margin, high = (float)def->limit[i][1] - margin;
    turn.raw[i] = low < high ? fmaxf(low, fminf(turn.raw[i], high)) : 0;
  }
  pose->rotation[joint] = quat_exp(turn);
}

static vec3s degrees_about(double x, double y, double z) {
  return glms_vec3_scale((vec3s){{(float)x, (float)y, (float)z}}, (float)RAD_PER_DEGREE);
}

static void reach_with_arms(const FallBody *fall, vec3s way_w, versors chest_w, Pose *pose) {
  vec3s aim_w = glms_vec3_sub(glms_vec3_scale(way_w, REACH_WAY), glms_vec3_scale(UP, REACH_DOWN));
  vec3s aim = glms_quat_rotatev(glms_quat_conjugate(chest_w), aim_w);
  for (int i = 0; i < 2; i++) {
    vec3s apart = {{i == 0 ? REACH_APART : -REACH_APART, 0, REACH_FRONT * fabsf(aim.x)}};
    vec3s arm = glms_vec3_normalize(glms_vec3_add(aim, apart));
    versors turn = quat_shortest_arc(glms_vec3_negate(UP), arm);
    bend(fall, fall->arms[i], quat_log(turn), pose);
    bend(fall, fall->forearms[i], degrees_about(-ELBOW, 0, 0), pose);
  }
}

// Head and trunk bend away from the direction of the fall.
static void bend_away(const FallBody *fall, vec3s way_w, versors chest_w, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  vec3s way = glms_quat_rotatev(glms_quat_conjugate(chest_w), way_w);
  double forward = (double)way.z, left = (double)way.x;
  double aside = (left < 0 ? FACE_ASIDE : -FACE_ASIDE) * fmax(0, forward);
  bend(fall, fall->head, degrees_about(-HEAD_AWAY * forward, aside, HEAD_AWAY * left), pose);
  for (int joint = fall->chest; joint > 0; joint = skeleton->parent[joint])
    bend(fall, joint, degrees_about(-TRUNK_AWAY * forward, 0, TRUNK_AWAY * left), pose);
}

static void bend_legs(const FallBody *fall, vec3s way_w, versors pelvis_w, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  vec3s way = glms_quat_rotatev(glms_quat_conjugate(pelvis_w), way_w);
  double forward = fmax(0, (double)way.z), backward = fmax(0, -(double)way.z);
  double sum = fmax(forward + backward + fabs((double)way.x), 1e-6);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    double side = skeleton->bind_position_l[leg->hip].x < 0 ? -1 : 1; // 1: left
    double near = fmax(0, side * (double)way.x), far = fmax(0, -side * (double)way.x);
    double hip = HIP_FORWARD * forward + HIP_BACKWARD * backward + HIP_NEAR * near + HIP_FAR * far;
    double knee = KNEE_FORWARD * forward + KNEE_BACKWARD * backward + KNEE_NEAR * near + KNEE_FAR * far;
    bend(fall, leg->hip, degrees_about(-hip / sum, 0, side * APART * far / sum), pose);
    bend(fall, leg->knee, degrees_about(knee / sum, 0, 0), pose);
  }
}

void fall_guard(const FallBody *fall, vec3s way_w, versors pelvis_w, versors chest_w, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  for (int i = 1; i < skeleton->count; i++)
    pose->rotation[i] = skeleton->bind_rotation_l[i];
  reach_with_arms(fall, way_w, chest_w, pose);
  bend_away(fall, way_w, chest_w, pose);
  bend_legs(fall, way_w, pelvis_w, pose);
}

// The features by which poses on the ground are compared.
typedef struct Lying {
  vec3s up_pelvis, up_chest; // up in their frames
  float height;              // m, of the pelvis over the ground
} Lying;

static Lying look_at_lying(const FallBody *fall, const Pose *pose, double ground_height) {
  vec3s position;
  versors chest;
  pose_joint_transform(&fall->body->skeleton, pose, fall->chest, &position, &chest);
  return (Lying){.up_pelvis = glms_quat_rotatev(glms_quat_conjugate(pose->rotation[0]), UP),
                 .up_chest = glms_quat_rotatev(glms_quat_conjugate(chest), UP),
                 .height = (float)((double)pose->position[0].y - ground_height)};
}

static float mismatch(const FallBody *fall, const Lying *lying, const Pose *pose_w, const Pose *clip_m) {
  Lying other = look_at_lying(fall, clip_m, 0);
  float joints = 0;
  for (int i = 1; i < pose_w->count; i++)
    joints += quat_angle_between(pose_w->rotation[i], clip_m->rotation[i]);
  return vec3_angle_between(lying->up_pelvis, other.up_pelvis) + vec3_angle_between(lying->up_chest, other.up_chest) +
         HEIGHT_WEIGHT * fabsf(lying->height - other.height) + JOINTS_WEIGHT * joints / (float)pose_w->count;
}

void get_up_sample(const GetUpEntry *entry, float time, Pose *pose_m) {
  clip_sample(entry->clip, time, pose_m);
  if (entry->mirrored)
    mirror_pose(entry->clip->skeleton, pose_m, pose_m);
}

float get_up_first_stand(const Clip *clip) {
  float first = clip->duration;
  for (int i = 0; i < clip->contact_count; i++)
    first = fminf(first, clip->contacts[i].begin);
  return first;
}

GetUpEntry get_up_match(const FallBody *fall, const Clip *const clips[GET_UP_COUNT], const Pose *pose_w,
                        double ground_height) {
  Lying lying = look_at_lying(fall, pose_w, ground_height);
  GetUpEntry best = {.cost = INFINITY};
  for (int i = 0; i < 2 * GET_UP_COUNT; i++) {
    GetUpEntry entry = {.clip = clips[i / 2], .mirrored = i % 2 == 1};
    float end = get_up_first_stand(entry.clip);
    for (int k = 0; (float)k * MATCH_INTERVAL < end; k++) {
      Pose pose_m;
      entry.time = (float)k * MATCH_INTERVAL;
      get_up_sample(&entry, entry.time, &pose_m);
      entry.cost = mismatch(fall, &lying, pose_w, &pose_m);
      if (entry.cost < best.cost)
        best = entry;
    }
  }
  return best;
}

// rad: how far a rotation vector is out of a joint's ranges.
static float out_of_range(const JointDef *joint, vec3s turn) {
  float sum = 0;
  for (int i = 0; i < 3; i++)
    sum += fmaxf(0, fmaxf((float)joint->limit[i][0] - turn.raw[i], turn.raw[i] - (float)joint->limit[i][1]));
  return sum;
}

// The rotation vector of a joint: of the two ways to its rotation the one inside its ranges.
static vec3s joint_turn(const BodyDef *body, int part, versors rotation) {
  const JointDef *joint = &body->parts[part].joint;
  vec3s turn = quat_log(rotation);
  float angle = glms_vec3_norm(turn);
  if (!joint->limited || angle < GLM_PI_2f)
    return turn;
  vec3s other = glms_vec3_scale(turn, 1 - 2 * GLM_PIf / angle);
  return out_of_range(joint, other) < out_of_range(joint, turn) ? other : turn;
}

void fall_pose_between(const BodyDef *body, const Pose *from, const Pose *to, float share, Pose *out) {
  Pose between;
  pose_blend(from, to, share, NULL, &between);
  for (int i = 1; i < from->count; i++) {
    vec3s begin = joint_turn(body, i, from->rotation[i]), end = joint_turn(body, i, to->rotation[i]);
    between.rotation[i] = quat_exp(glms_vec3_lerp(begin, end, share));
  }
  *out = between;
}

float fall_pose_distance(const BodyDef *body, const Pose *from, const Pose *to) {
  enum { PIECES = 8 };
  float most = 0;
  Pose before = *from;
  for (int k = 1; k <= PIECES; k++) {
    Pose now;
    fall_pose_between(body, from, to, (float)k / PIECES, &now);
    for (int i = 0; i < from->count; i++)
      most = fmaxf(most, PIECES * quat_angle_between(before.rotation[i], now.rotation[i]));
    before = now;
  }
  return most;
}
