// Reads the definition of the layer: which arms there are, and how their elbows bend.
#include <stdio.h>
#include <string.h>

#include "anim/layers/arm_aim/arm_aim_internal.h"
#include "sim/base/numbers.h"

static const double NOWHERE = 1e-6; // shorter vectors have no direction
static const float UNBENT = 0.02f;  // sine of the bend below which an arm is straight in the bind pose
static const float ALONG = 0.2f;    // sine of an angle below which an axis lies along a bone

// ---- Elbows ----

// The vector from shoulder to elbow in the bind pose, in the forearm's frame.
static vec3s upper_bone(const Skeleton *skeleton, const int joints[3]) {
  versors to_forearm = glms_quat_conjugate(skeleton->bind_rotation_l[joints[ELBOW]]);
  return glms_quat_rotatev(to_forearm, skeleton->bind_position_l[joints[ELBOW]]);
}

// The axis about which an arm bends, in the forearm's frame. An arm that is straight in the bind pose bends forward (as
// a human arm that hangs or points sideways does) or, if it points forward already, up.
static vec3s bind_axis(const Skeleton *skeleton, const int joints[3]) {
  versors to_world = glms_quat_identity();
  for (int i = joints[ELBOW]; i >= 0; i = skeleton->parent[i])
    to_world = glms_quat_mul(skeleton->bind_rotation_l[i], to_world);
  versors to_forearm = glms_quat_conjugate(to_world);
  vec3s upper = glms_vec3_normalize(upper_bone(skeleton, joints));
  const vec3s bends[] = {glms_vec3_normalize(skeleton->bind_position_l[joints[WRIST]]),
                         glms_quat_rotatev(to_forearm, (vec3s){{0, 0, 1}}),
                         glms_quat_rotatev(to_forearm, (vec3s){{0, 1, 0}})};
  const float least[] = {UNBENT, ALONG, 0};
  for (int i = 0; i < 3; i++) {
    vec3s axis = glms_vec3_cross(upper, bends[i]);
    if (glms_vec3_norm(axis) > least[i])
      return glms_vec3_normalize(axis);
  }
  return (vec3s){{-1, 0, 0}}; // the upper arm has no length
}

// An arm cannot bend about an axis along one of its bones; near such an axis rounding would decide the side.
static bool find_hinge(AimingArm *arm, const Node *node, const Skeleton *skeleton, Error *error) {
  if (!(length3(arm->elbow_axis) > NOWHERE)) {
    arm->hinge = bind_axis(skeleton, arm->joints);
    return true;
  }
  arm->hinge = glms_vec3_normalize(vec3_from_doubles(arm->elbow_axis));
  const vec3s bones[] = {upper_bone(skeleton, arm->joints), skeleton->bind_position_l[arm->joints[WRIST]]};
  for (int i = 0; i < 2; i++)
    if (glms_vec3_norm(glms_vec3_cross(bones[i], arm->hinge)) < ALONG * glms_vec3_norm(bones[i]))
      return node_error(
          node, error,
          "'elbow_axis' lies along '%s': the elbow cannot bend about it; without it the bind pose's is taken",
          i == 0 ? arm->upper_arm : arm->forearm);
  return true;
}

// ---- Arms ----

static bool read_arm(AimingArm *arm, const Node *item, const Skeleton *skeleton, Error *error) {
  static const char *const keys[] = {"upper_arm", "forearm", "hand"};
  const char *const names[] = {arm->upper_arm, arm->forearm, arm->hand};
  param_defaults(&arm_params, arm);
  if (!param_read(&arm_params, arm, item, NULL, error))
    return false;
  for (int i = 0; i < 3; i++) {
    const Node *node = node_find(item, keys[i]);
    if (!node)
      return node_error(item, error, "an arm needs '%s'", keys[i]);
    arm->joints[i] = skeleton_read_joint(skeleton, node, error);
    if (arm->joints[i] < 0)
      return false;
    if (i == 0 && arm->joints[0] == 0)
      return node_error(node, error, "'%s' is the root joint, which has no parent", names[0]);
    if (i > 0 && skeleton->parent[arm->joints[i]] != arm->joints[i - 1])
      return node_error(node, error, "'%s' is no child of '%s'", names[i], names[i - 1]);
  }
  if (!find_hinge(arm, node_find(item, "elbow_axis"), skeleton, error))
    return false;
  if (!(length3(arm->cone_axis) > NOWHERE))
    return node_error(node_find(item, "cone_axis"), error, "'cone_axis' has no direction");
  return true;
}

// Two arms must not turn the same joint, since one would undo the other.
static bool is_first(const ArmAimDef *def, const Node *item, Error *error) {
  const AimingArm *arm = &def->arms[def->arm_count];
  for (int i = 0; i < def->arm_count; i++)
    for (int k = 0; k < 4; k++)
      if (def->arms[i].joints[k / 2] == arm->joints[k % 2])
        return node_error(item, error, "'%s' is turned by the arm of '%s' already",
                          k % 2 == 0 ? arm->upper_arm : arm->forearm, def->arms[i].upper_arm);
  return true;
}

// The arms of a human, those that the skeleton has.
static bool find_arms(ArmAimDef *def, const Node *map, const Skeleton *skeleton, Error *error) {
  static const char *const sides[] = {"l", "r"};
  for (int side = 0; side < 2; side++) {
    AimingArm *arm = &def->arms[def->arm_count];
    param_defaults(&arm_params, arm);
    snprintf(arm->upper_arm, sizeof arm->upper_arm, "upper_arm_%s", sides[side]);
    snprintf(arm->forearm, sizeof arm->forearm, "forearm_%s", sides[side]);
    snprintf(arm->hand, sizeof arm->hand, "hand_%s", sides[side]);
    const char *const names[] = {arm->upper_arm, arm->forearm, arm->hand};
    int found = 0;
    for (int i = 0; i < 3; i++) {
      arm->joints[i] = skeleton_find(skeleton, names[i]);
      found += arm->joints[i] > 0 && (i == 0 || skeleton->parent[arm->joints[i]] == arm->joints[i - 1]);
    }
    if (found < 3)
      continue;
    arm->hinge = bind_axis(skeleton, arm->joints);
    def->arm_count++;
  }
  return def->arm_count > 0 || node_error(map, error, "'%s' has no arms of a human: say which 'arms'", skeleton->name);
}

bool arm_aim_read(void *definition, const Node *map, const Skeleton *skeleton, Error *error) {
  ArmAimDef *def = definition;
  const Node *list = node_find(map, "arms");
  def->target_index = -1;
  def->arm_count = 0;
  if (strcmp(def->target, "none") == 0)
    def->target[0] = '\0';
  if (!(length3(def->direction) > NOWHERE))
    return node_error(node_find(map, "direction"), error, "'direction' has no direction");
  if (!list)
    return find_arms(def, map, skeleton, error);
  if (list->kind != NODE_LIST || list->count < 1 || list->count > ARM_AIM_MOST_ARMS)
    return node_error(list, error, "expected a list of 1 to %d arms: [{upper_arm: ..., forearm: ..., hand: ...}]",
                      ARM_AIM_MOST_ARMS);
  for (const Node *item = list->first; item; item = item->next) {
    if (item->kind != NODE_MAP)
      return node_error(item, error, "an arm is a map: {upper_arm: ..., forearm: ..., hand: ...}");
    if (!read_arm(&def->arms[def->arm_count], item, skeleton, error) || !is_first(def, item, error))
      return false;
    def->arm_count++;
  }
  return true;
}
