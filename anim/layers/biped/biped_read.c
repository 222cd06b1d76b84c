// What the biped derives from the skeleton: its two legs and, by their positions, trunk, head and arms.
#include <math.h>

#include "anim/layers/biped/biped_internal.h"

static const double MAN_HIP_HEIGHT = 0.93; // m over the soles
static const float STRAIGHT = 0.02f;       // sine of the bend below which a limb is straight
static const float HINGE = 0.94f;          // cosine of the angle between bend axis and the knee's x axis up to which
                                           // the knee is a hinge

static versors rotation_of(const ModelPose *bind, int joint) {
  return joint >= 0 ? bind->rotation[joint] : glms_quat_identity();
}

static BipedJoint find_joint(const Skeleton *skeleton, const ModelPose *bind, int joint) {
  BipedJoint found = {.joint = joint, .parent_m = glms_quat_identity(), .bind_m = glms_quat_identity()};
  if (joint >= 0) {
    found.parent_m = rotation_of(bind, skeleton->parent[joint]);
    found.bind_m = bind->rotation[joint];
  }
  return found;
}

// ---- Legs ----

static bool bends_about_x(const BipedLeg *leg, versors knee_m) {
  vec3s thigh = glms_vec3_sub(leg->knee_m, leg->hip_m), shin = glms_vec3_sub(leg->ankle_m, leg->knee_m);
  vec3s axis = glms_vec3_cross(thigh, shin), x = glms_quat_rotatev(knee_m, (vec3s){{1, 0, 0}});
  float bend = glms_vec3_norm(axis), straight = STRAIGHT * glms_vec3_norm(thigh) * glms_vec3_norm(shin);
  return bend <= straight || glms_vec3_dot(axis, x) > HINGE * bend;
}

static void find_leg(BipedLeg *leg, const Skeleton *skeleton, const ModelPose *bind, const Leg *annotated) {
  int foot = annotated->ankle;
  *leg = (BipedLeg){.leg = *annotated};
  leg->hip_m = bind->position[annotated->hip];
  leg->knee_m = bind->position[annotated->knee];
  leg->ankle_m = bind->position[foot];
  leg->sole = glms_quat_rotatev(bind->rotation[foot], annotated->sole_l);
  leg->heel = glms_quat_rotatev(bind->rotation[foot], annotated->heel_l);
  leg->toe = glms_quat_rotatev(bind->rotation[foot], annotated->toe_l);
  vec3s forward = glms_vec3_sub(leg->toe, leg->heel);
  if (glms_vec3_norm(forward) > 0) {
    leg->yaw = atan2((double)forward.x, (double)forward.z);
  } else { // without known edges the foot stands on the middle of its sole
    leg->heel = leg->toe = leg->sole;
  }
  leg->rest[0] = (double)(leg->ankle_m.x + leg->sole.x);
  leg->rest[1] = (double)(leg->ankle_m.z + leg->sole.z);
  leg->carrier_m = rotation_of(bind, skeleton->parent[annotated->hip]);
  leg->thigh_m = bind->rotation[annotated->hip];
  leg->shin_m = bind->rotation[annotated->knee];
  leg->foot_m = bind->rotation[foot];
  leg->length = pose_leg_length(bind, annotated);
  leg->hinge = bends_about_x(leg, leg->shin_m);
}

static void find_legs(BipedDef *def, const Skeleton *skeleton, const ModelPose *bind) {
  vec3s hips = glms_vec3_zero();
  def->leg_length = def->ankle_height = 0;
  for (int i = 0; i < BIPED_LEGS; i++) {
    BipedLeg *leg = &def->legs[i];
    find_leg(leg, skeleton, bind, &skeleton->legs[i]);
    hips = glms_vec3_add(hips, glms_vec3_scale(leg->hip_m, 1.0f / BIPED_LEGS));
    def->leg_length += leg->length / BIPED_LEGS;
    def->ankle_height -= (double)leg->sole.y / BIPED_LEGS;
  }
  bool first_is_left = def->legs[0].rest[0] >= def->legs[1].rest[0];
  for (int i = 0; i < BIPED_LEGS; i++) {
    bool left = first_is_left == (i == 0);
    def->legs[i].side = left ? 1 : -1;
    def->legs[i].offset = left ? 0 : 0.5;
  }
  def->root_m = bind->rotation[0];
  def->root_to_hips_m = glms_vec3_sub(hips, bind->position[0]);
  def->hips_z = (double)hips.z;
  def->size = (def->leg_length + def->ankle_height) / MAN_HIP_HEIGHT;
}

// ---- Trunk and arms ----

static bool is_leg(const Skeleton *skeleton, int joint) {
  for (int i = 0; i < skeleton->leg_count; i++)
    if (skeleton->legs[i].hip == joint)
      return true;
  return false;
}

static int first_child(const Skeleton *skeleton, int parent) {
  for (int i = parent + 1; i < skeleton->count; i++)
    if (skeleton->parent[i] == parent)
      return i;
  return -1;
}

// Joints in the middle plane, between the root joint and one of two symmetric joints, are the trunk.
static bool hangs_on_trunk(const Skeleton *skeleton, int joint) {
  int i = skeleton->parent[joint];
  for (; i > 0 && skeleton->twin[i] == i; i = skeleton->parent[i])
    ;
  return i == 0;
}

// The last joint of the trunk above the legs, to which the shoulders are attached. Arms may begin with collar bones.
static int find_chest(const Skeleton *skeleton, int *shoulder) {
  for (int i = 1; i < skeleton->count; i++) {
    bool twin = skeleton->twin[i] != i, on_trunk = twin && skeleton->parent[i] > 0 && hangs_on_trunk(skeleton, i);
    if (on_trunk && !is_leg(skeleton, i) && first_child(skeleton, i) >= 0) {
      *shoulder = i;
      return skeleton->parent[i];
    }
  }
  return -1;
}

static void find_spine(BipedDef *def, const Skeleton *skeleton, const ModelPose *bind, int chest) {
  int joints[SKELETON_MAX_JOINTS], count = 0;
  for (int i = chest; i > 0; i = skeleton->parent[i])
    joints[count++] = i;
  def->spine_count = count < BIPED_MAX_SPINE ? count : BIPED_MAX_SPINE;
  for (int i = 0; i < def->spine_count; i++)
    def->spine[i] = find_joint(skeleton, bind, joints[count - 1 - i]);
  def->head = find_joint(skeleton, bind, -1);
  for (int i = chest + 1; chest >= 0 && i < skeleton->count && def->head.joint < 0; i++)
    if (skeleton->parent[i] == chest && skeleton->twin[i] == i)
      def->head = find_joint(skeleton, bind, i);
}

// The bone that ends at the elbow is the longest of the arm's first three; those before it are collar bones.
static int find_upper_arm(const Skeleton *skeleton, int shoulder) {
  int best = shoulder;
  float longest = 0;
  for (int i = shoulder, k = 0; i >= 0 && k < 3; i = first_child(skeleton, i), k++) {
    int child = first_child(skeleton, i);
    float length = child >= 0 ? glms_vec3_norm(skeleton->bind_position_l[child]) : 0;
    if (length > 1.2f * longest) {
      best = i;
      longest = length;
    }
  }
  return best;
}

static void find_arm(BipedDef *def, const Skeleton *skeleton, const ModelPose *bind, int upper) {
  int lower = first_child(skeleton, upper);
  vec3s along = lower >= 0 ? glms_vec3_sub(bind->position[lower], bind->position[upper]) : glms_vec3_zero();
  if (!(glms_vec3_norm(along) > 0))
    return;
  BipedArm *arm = &def->arms[def->arm_count++];
  arm->side = (double)bind->position[upper].x >= 0 ? 1 : -1;
  arm->upper = find_joint(skeleton, bind, upper);
  arm->lower = find_joint(skeleton, bind, lower);
  arm->hang = quat_shortest_arc(glms_vec3_normalize(along), (vec3s){{0, -1, 0}});
  arm->elbow_m = glms_quat_rotatev(glms_quat_conjugate(arm->hang), (vec3s){{1, 0, 0}});
}

bool biped_read(BipedDef *def, const Node *map, const Skeleton *skeleton, Error *error) {
  if (skeleton->leg_count != BIPED_LEGS) {
    const char *text = "'%s' has %d legs, a biped has two";
    return map ? node_error(map, error, text, skeleton->name, skeleton->leg_count)
               : error_set(error, text, skeleton->name, skeleton->leg_count);
  }
  Pose bind_pose = pose_bind(skeleton);
  ModelPose bind;
  pose_to_model(skeleton, &bind_pose, &bind);
  find_legs(def, skeleton, &bind);
  if (!(def->leg_length > 0 && def->size > 0)) {
    const char *text = "the legs of '%s' have no length";
    return map ? node_error(map, error, text, skeleton->name) : error_set(error, text, skeleton->name);
  }
  int shoulder = -1, chest = find_chest(skeleton, &shoulder);
  def->arm_count = 0;
  find_spine(def, skeleton, &bind, chest);
  if (chest >= 0) {
    int upper = find_upper_arm(skeleton, shoulder);
    find_arm(def, skeleton, &bind, upper);
    if (skeleton->twin[upper] != upper)
      find_arm(def, skeleton, &bind, skeleton->twin[upper]);
  }
  return true;
}
