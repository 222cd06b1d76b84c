// Poses of falling and getting up: the guarding pose of arms, head and knees, the moment of a get-up clip that fits a
// lying body best, and interpolation between two poses.
#include "ragdoll/reaction/fall_pose.h"

#include <math.h>

#include "anim/mirror.h"
#include "sim/base/numbers.h"
#include "sim/base/support.h"

// Guard, in degrees. Backward the trunk curls by CURL in each of its joints.
static const double HEAD_AWAY = 38, FACE_ASIDE = 30, TRUNK_AWAY = 12, CURL = 18, TWIST = 14, ELBOW = 25;
static const double HIP_FORWARD = 25, HIP_BACKWARD = 70, KNEE_FORWARD = 50, KNEE_BACKWARD = 95, ANKLE = 10;

// In a fall to the side the leg of that side bends under the body; the other leg stays behind, apart from it.
static const double HIP_NEAR = 45, KNEE_NEAR = 85, HIP_FAR = 20, KNEE_FAR = 40, APART = 15;
static const double RANGE_MARGIN = 4;

// The hands reach this share of the way that the shoulders go until they come down, so that they are before the body;
// outward, by a share of the shoulder's height; and those that reach to a side before the body as well, so that none is
// caught behind the back.
static const float REACH_WAY = 1.0f, REACH_APART = 0.15f, REACH_FRONT = 0.4f;
static const float LEAST_HEIGHT = 0.1f; // m, of a shoulder over the ground

static const double SHIN_RATE = 2.5, KNEE_AT_REST = 10; // rad/s, deg: of who lies on his belly

static const double APPROACH_TIME = 0.06; // s in which the last part of a way is gone

// Weights of the match: rad per m of the pelvis' height, and of the mean turn of the joints.
static const float HEIGHT_WEIGHT = 4, JOINTS_WEIGHT = 0.7f;
static const float MATCH_INTERVAL = 1 / 30.0f; // s between the moments that are looked at

static const vec3s UP = {{0, 1, 0}}, FRONT = {{0, 0, 1}};

static int child_of(const Skeleton *skeleton, int joint) {
  for (int i = joint + 1; i < skeleton->count; i++)
    if (skeleton->parent[i] == joint)
      return i;
  return -1;
}

bool fall_body_find(FallBody *fall, const BodyDef *body) {
  const Skeleton *skeleton = &body->skeleton;
  static const char *const sides[2][2] = {{"upper_arm_l", "forearm_l"}, {"upper_arm_r", "forearm_r"}};
  *fall = (FallBody){.body = body, .head = skeleton_find(skeleton, "head")};
  for (int i = 0; i < 2; i++) {
    fall->arms[i] = skeleton_find(skeleton, sides[i][0]);
    fall->forearms[i] = skeleton_find(skeleton, sides[i][1]);
    if (fall->arms[i] < 0 || fall->forearms[i] < 0)
      return false;
    fall->hands[i] = child_of(skeleton, fall->forearms[i]);
  }
  if (fall->head < 0 || skeleton->leg_count != 2) // what has more lies on its belly when it stands
    return false;
  fall->chest = skeleton->parent[fall->arms[0]];
  fall->arm_length = (double)glms_vec3_norm(skeleton->bind_position_l[fall->forearms[0]]);
  if (fall->hands[0] >= 0)
    fall->arm_length += (double)glms_vec3_norm(skeleton->bind_position_l[fall->hands[0]]);
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
  turn = joint_point_in(def, turn);
  for (int i = 0; i < 3 && def->limited; i++) {
    float low = (float)def->limit[i][0] + margin, high = (float)def->limit[i][1] - margin;
    turn.raw[i] = low < high ? fmaxf(low, fminf(turn.raw[i], high)) : 0;
  }
  pose->rotation[joint] = quat_exp(joint_point_out(def, turn));
}

static vec3s degrees_about(double x, double y, double z) {
  return glms_vec3_scale((vec3s){{(float)x, (float)y, (float)z}}, (float)RAD_PER_DEGREE);
}

// s until what is so high (m) and rises so fast (m/s) falls to the ground.
static float time_to_fall(float height, float rise) {
  const float g = (float)STANDARD_GRAVITY;
  return (rise + sqrtf(rise * rise + 2 * g * height)) / g;
}

static void reach_with_arms(const FallBody *fall, const FallView *view, versors chest_w, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  for (int i = 0; i < 2; i++) {
    vec3s shoulder;
    versors rotation;
    pose_joint_transform(skeleton, view->pose_w, fall->arms[i], &shoulder, &rotation);
    float height = fmaxf(shoulder.y - (float)view->ground_height, LEAST_HEIGHT);
    float speed = fmaxf(0, glms_vec3_dot(view->chest_velocity_w, view->way_w));
    float ahead = REACH_WAY * speed * time_to_fall(height, view->chest_velocity_w.y);
    vec3s aim_w = glms_vec3_sub(glms_vec3_scale(view->way_w, ahead), glms_vec3_scale(UP, height));
    vec3s aim = glms_vec3_normalize(glms_quat_rotatev(glms_quat_conjugate(chest_w), aim_w));
    vec3s apart = {{i == 0 ? REACH_APART : -REACH_APART, 0, REACH_FRONT * fabsf(aim.x)}};
    versors turn = quat_shortest_arc(glms_vec3_negate(UP), glms_vec3_normalize(glms_vec3_add(aim, apart)));
    bend(fall, fall->arms[i], quat_log(turn), pose);
    bend(fall, fall->forearms[i], degrees_about(-ELBOW, 0, 0), pose);
  }
}

// Where the ground comes from, in a trunk's frame, as a level direction of it: where an upright trunk falls to, and
// what a lying one lies on. The way of the fall alone would vanish as the trunk becomes level, and with it the tucked
// chin.
static vec3s way_to_ground(vec3s way_w, versors trunk_w) {
  vec3s way = glms_quat_rotatev(glms_quat_conjugate(trunk_w), glms_vec3_sub(way_w, UP));
  way.y = 0;
  return glms_vec3_scale(way, 1 / fmaxf(1, glms_vec3_norm(way)));
}

// Head and trunk bend away from the ground, and turn to it.
static void bend_away(const FallBody *fall, vec3s way_w, versors chest_w, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  vec3s way = way_to_ground(way_w, chest_w);
  double forward = (double)way.z, left = (double)way.x;
  double aside = (left < 0 ? FACE_ASIDE : -FACE_ASIDE) * fmax(0, forward);
  double curl = forward > 0 ? TRUNK_AWAY : CURL;
  bend(fall, fall->head, degrees_about(-HEAD_AWAY * forward, aside, HEAD_AWAY * left), pose);
  for (int joint = fall->chest; joint > 0; joint = skeleton->parent[joint])
    bend(fall, joint, degrees_about(-curl * forward, TWIST * left, TRUNK_AWAY * left), pose);
}

static void bend_legs(const FallBody *fall, const FallView *view, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  const Pose *now = view->pose_w;
  vec3s way = glms_quat_rotatev(glms_quat_conjugate(now->rotation[0]), view->way_w);
  double forward = fmax(0, (double)way.z), backward = fmax(0, -(double)way.z);
  double sum = fmax(forward + backward + fabs((double)way.x), 1e-6);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    double side = skeleton->bind_position_l[leg->hip].x < 0 ? -1 : 1; // 1: left
    double near = fmax(0, side * (double)way.x), far = fmax(0, -side * (double)way.x);
    double hip = HIP_FORWARD * forward + HIP_BACKWARD * backward + HIP_NEAR * near + HIP_FAR * far;
    double knee = KNEE_FORWARD * forward + KNEE_BACKWARD * backward + KNEE_NEAR * near + KNEE_FAR * far;
    vec3s hip_now = quat_log(now->rotation[leg->hip]), knee_now = quat_log(now->rotation[leg->knee]);
    hip = fmax(hip / sum, -(double)hip_now.x / RAD_PER_DEGREE);
    knee = fmax(knee / sum, (double)knee_now.x / RAD_PER_DEGREE);
    bend(fall, leg->hip, degrees_about(-hip, 0, side * APART * far / sum), pose);
    bend(fall, leg->knee, degrees_about(knee, 0, 0), pose);
    bend(fall, leg->ankle, degrees_about(-ANKLE * backward / sum, 0, 0), pose);
  }
}

void fall_guard(const FallBody *fall, const FallView *view, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  vec3s position;
  versors chest_w;
  pose_joint_transform(skeleton, view->pose_w, fall->chest, &position, &chest_w);
  for (int i = 1; i < skeleton->count; i++)
    pose->rotation[i] = skeleton->bind_rotation_l[i];
  reach_with_arms(fall, view, chest_w, pose);
  bend_away(fall, view->way_w, chest_w, pose);
  bend_legs(fall, view, pose);
}

// A clip is entered only until its pelvis has rolled over, within 20 deg: from there on it shows what another clip
// shows from its beginning on. The vertical share of where the pelvis faces.
static const float ROLLED = 0.94f;

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
    float end = get_up_first_stand(entry.clip), begins = 0;
    for (int k = 0; (float)k * MATCH_INTERVAL < end; k++) {
      Pose pose_m;
      entry.time = (float)k * MATCH_INTERVAL;
      get_up_sample(&entry, entry.time, &pose_m);
      float faces = glms_quat_rotatev(pose_m.rotation[0], FRONT).y;
      begins = k == 0 ? faces : begins;
      if (faces * begins < -ROLLED * fabsf(begins))
        break;
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
  turn = joint_point_in(joint, turn);
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

// Moves a joint a share of the way.
static void move_joint(const BodyDef *body, int joint, const Pose *to, float share, Pose *pose) {
  vec3s begin = joint_turn(body, joint, pose->rotation[joint]), end = joint_turn(body, joint, to->rotation[joint]);
  pose->rotation[joint] = quat_exp(glms_vec3_lerp(begin, end, share));
}

void fall_pose_approach(const BodyDef *body, const Pose *goal, const double rates[], double h, Pose *pose) {
  for (int i = 1; i < pose->count; i++) {
    vec3s begin = joint_turn(body, i, pose->rotation[i]), end = joint_turn(body, i, goal->rotation[i]);
    double way = (double)glms_vec3_distance(begin, end);
    double share = way > 0 ? fmin(h / APPROACH_TIME, rates[i] * h / way) : 1;
    move_joint(body, i, goal, (float)fmin(share, 1), pose);
  }
}

void fall_pose_yield(const FallBody *fall, const Pose *is_w, double h, double time, bool head_up, Pose *pose) {
  const Skeleton *skeleton = &fall->body->skeleton;
  for (int i = 1; i < pose->count; i++)
    if (!head_up || i != fall->head)
      move_joint(fall->body, i, is_w, (float)-expm1(-h / time), pose);
  vec3s front = glms_quat_rotatev(is_w->rotation[0], (vec3s){{0, 0, 1}});
  float lower = (float)(SHIN_RATE * h) * fmaxf(0, -front.y);
  for (int i = 0; i < skeleton->leg_count; i++) {
    vec3s knee = quat_log(pose->rotation[skeleton->legs[i].knee]);
    knee.x = fminf(knee.x, fmaxf(knee.x - lower, (float)(KNEE_AT_REST * RAD_PER_DEGREE)));
    pose->rotation[skeleton->legs[i].knee] = quat_exp(knee);
  }
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
