// The ground under a character that gets up, and its get-up poses on slopes and bumps.
#include "ragdoll/character/character_fall_ground.h"

#include <math.h>

#include "anim/ik.h"
#include "ragdoll/character/character_floor.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

// m: the ground on which the character gets up is sampled in a square around a point behind its feet.
static const double PATCH = 0.45, PATCH_BACK = 0.35;

// The trunk leaves the tilt of the ground as the pelvis rises above its height in kneeling, a share of the legs'
// length, or before, as it becomes upright: from one cosine of its angle to the vertical to the other.
static const double KNEELING = 0.55, LEANING = 0.5, ERECT = 0.9;

// A knee is on the ground below the one height, and surely not above the other; shares of the legs' length.
static const double KNEE_DOWN = 0.1, KNEE_UP = 0.2;

double character_ground_under(const Character *character, double x, double z, double otherwise) {
  double height, from = character->root.position[1] + GROUND_OVER_ROOT;
  return character->ground.height(character->ground.context, x, z, from, &height, NULL) ? height : otherwise;
}

void character_fall_find_ground(Character *character, const double root[3], double heading) {
  enum { SIDE = 3 };
  CharacterFall *fall = &character->fall;
  double height[SIDE][SIDE], slope[2] = {0}, mean = 0, square = 0, bump = 0;
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++) {
      double at[2];
      turn_level(heading, (const double[2]){(i - 1) * PATCH, (k - 1) * PATCH - PATCH_BACK}, at);
      height[i][k] = character_ground_under(character, root[0] + at[0], root[2] + at[1], root[1]);
      mean += height[i][k] / (SIDE * SIDE);
      slope[0] += (i - 1) * height[i][k];
      slope[1] += (k - 1) * height[i][k];
      square += (i - 1) * (i - 1);
    }
  for (int i = 0; i < 2; i++)
    slope[i] /= square * PATCH;
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++)
      bump = fmax(bump, height[i][k] - mean - ((i - 1) * slope[0] + (k - 1) * slope[1]) * PATCH);
  vec3s normal = glms_vec3_normalize((vec3s){{(float)-slope[0], 1, (float)-slope[1]}});
  fall->tilt = quat_shortest_arc((vec3s){{0, 1, 0}}, normal);
  fall->lift = mean + slope[1] * PATCH_BACK + bump - character_ground_under(character, root[0], root[2], root[1]);
}

// Moves the pelvis of a kneeling pose so that its thighs reach from it to the knees of another pose, which kneels on
// the ground. `level`: the same pose on level ground.
static void keep_knees_down(const CharacterFall *fall, const Pose *level, const Pose *grounded, Pose *pose_m) {
  const Skeleton *skeleton = &fall->body.body->skeleton;
  vec3s moves = GLMS_VEC3_ZERO;
  float shares = 0, most = 0;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    vec3s hip, knee;
    versors rotation;
    pose_joint_transform(skeleton, level, leg->knee, &knee, &rotation);
    double knee_height = (double)knee.y / fall->body.leg_length;
    float share = (float)smooth_step((KNEE_UP - knee_height) / (KNEE_UP - KNEE_DOWN));
    pose_joint_transform(skeleton, pose_m, leg->hip, &hip, &rotation);
    pose_joint_transform(skeleton, grounded, leg->knee, &knee, &rotation);
    vec3s thigh = glms_vec3_sub(hip, knee);
    float length = glms_vec3_norm(level->position[leg->knee]);
    vec3s move = glms_vec3_scale(thigh, length / fmaxf(glms_vec3_norm(thigh), 0.1f * length) - 1);
    moves = glms_vec3_add(moves, glms_vec3_scale(move, share));
    shares += share;
    most = fmaxf(most, share);
  }
  if (shares > 0)
    pose_m->position[0] = glms_vec3_add(pose_m->position[0], glms_vec3_scale(moves, most / shares));
}

void character_fall_fit(const Character *character, Pose *pose_m) {
  const CharacterFall *fall = &character->fall;
  const Skeleton *skeleton = &character->def->body->skeleton;
  const vec3s up = {{0, 1, 0}}, pelvis = pose_m->position[0];
  vec3s normal = glms_quat_rotatev(fall->tilt, up);
  float ground = -(normal.x * pelvis.x + normal.z * pelvis.z) / normal.y;
  double upright = (double)glms_quat_rotatev(pose_m->rotation[0], up).y;
  double height = (double)pelvis.y / fall->body.leg_length;
  float share = (float)fmax(smooth_step((upright - LEANING) / (ERECT - LEANING)),
                            smooth_step((height - KNEELING) / (1 - KNEELING)));
  const Pose level = *pose_m;
  Pose tilted = level;
  pose_transform(&tilted, GLMS_VEC3_ZERO, fall->tilt);
  vec3s above = {{pelvis.x, ground + pelvis.y, pelvis.z}};
  pose_m->rotation[0] = quat_slerp(tilted.rotation[0], level.rotation[0], share);
  pose_m->position[0] = glms_vec3_lerp(tilted.position[0], above, share);
  keep_knees_down(fall, &level, &tilted, pose_m);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    vec3s hip, knee, ankle;
    versors carrier, shin, foot;
    pose_joint_transform(skeleton, pose_m, leg->hip, &hip, &carrier);
    pose_joint_transform(skeleton, pose_m, skeleton->parent[leg->hip], &ankle, &carrier);
    pose_joint_transform(skeleton, &tilted, leg->knee, &knee, &shin);
    pose_joint_transform(skeleton, &tilted, leg->ankle, &ankle, &foot);
    vec3s bent = glms_quat_rotatev(glms_quat_conjugate(carrier), glms_vec3_sub(knee, hip));
    leg_reach_sprawled(skeleton, leg, ankle, foot, bent, pose_m);
  }
}
