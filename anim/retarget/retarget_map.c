// Finds which joint of a motion drives which joint of the skeleton.
#include <stdio.h>
#include <string.h>

#include "anim/retarget/retarget_internal.h"

bool retarget_is_above(const Motion *motion, int above, int joint) {
  for (int i = joint; i >= 0; i = motion->joints[i].parent)
    if (i == above)
      return true;
  return false;
}

static int depth_of(const Motion *motion, int joint) {
  int depth = 0;
  for (int i = joint; i >= 0; i = motion->joints[i].parent)
    depth++;
  return depth;
}

// The nearest common ancestor of both; -1 when there is none.
static int common_parent(const Motion *motion, int a, int b) {
  if (a < 0 || b < 0)
    return -1;
  while (a >= 0 && !retarget_is_above(motion, a, b))
    a = motion->joints[a].parent;
  return a;
}

// ---- The motion's joints by their names ----

// The length of what all names begin with up to a separator, such as that of an actor: John_Hips, John_LeftUpLeg. The
// first joint, often a mere root, need not have it.
static size_t common_prefix(const Motion *motion) {
  if (motion->joint_count < 3)
    return 0;
  const char *first = motion->joints[1].name;
  size_t same = strlen(first);
  for (int i = 2; i < motion->joint_count; i++) {
    if (strncmp(motion->joints[i].name, "EndSite_", 8) == 0) // a name by the reader
      continue;
    size_t k = 0;
    while (k < same && motion->joints[i].name[k] == first[k])
      k++;
    same = k;
  }
  while (same > 0 && !strchr("_:|./- ", first[same - 1]))
    same--;
  return same;
}

// Of joints with the same meaning the one with the less ambiguous word is taken, then the upper one (a wrist rather
// than the hand below it); of thighs the lower one, since some rigs have an extra joint in the hip.
static void rig_from_names(SourceRig *rig, const Motion *motion) {
  int rank[ROLE_COUNT][SIDE_COUNT];
  for (int r = 0; r < ROLE_COUNT; r++)
    for (int s = 0; s < SIDE_COUNT; s++)
      rig->joint[r][s] = -1;
  const size_t prefix = common_prefix(motion);
  for (int i = 0; i < motion->joint_count; i++) {
    JointMeaning meanings[4];
    const char *name = motion->joints[i].name;
    const bool prefixed = prefix > 0 && strncmp(name, motion->joints[1].name, prefix) == 0;
    int count = joint_meanings(prefixed ? name + prefix : name, meanings, 4);
    for (int m = 0; m < count; m++) {
      Role role = meanings[m].role;
      Side side = meanings[m].side;
      int *best = &rig->joint[role][side];
      int depth = depth_of(motion, i), best_depth = *best >= 0 ? depth_of(motion, *best) : 0;
      bool better =
          *best < 0 || meanings[m].rank < rank[role][side] ||
          (meanings[m].rank == rank[role][side] && (role == ROLE_THIGH ? depth > best_depth : depth < best_depth));
      if (better) {
        *best = i;
        rank[role][side] = meanings[m].rank;
      }
    }
  }
}

static bool has_legs(const SourceRig *rig, const Motion *motion) {
  for (int s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
    int thigh = rig->joint[ROLE_THIGH][s], shin = rig->joint[ROLE_SHIN][s], foot = rig->joint[ROLE_FOOT][s];
    if (thigh < 0 || shin < 0 || foot < 0 || thigh == shin || !retarget_is_above(motion, thigh, shin))
      return false;
  }
  return true;
}

// Names the kind of rig that it looks like, for messages.
static void name_rig(RetargetMap *map, const Motion *motion, bool by_names) {
  static const struct {
    const char *joint, *rig;
  } telling[] = {{"LHipJoint", "cmu"},         {"LeftFootThumb", "biped"}, {"Bip01", "biped"},
                 {"mixamorig", "mixamo"},      {"lButtock", "daz"},        {"left_knee", "deepmimic"},
                 {"LowerLeg.L", "quaternius"}, {"L_Collar", "smpl"},       {"calf_l", "unreal"},
                 {"LeftLowerLeg", "unity"},    {"thigh.L", "rigify"},      {"LeftUpLeg", "motionbuilder"}};
  snprintf(map->rig, sizeof map->rig, "%s", by_names ? "names" : "shape");
  for (size_t t = 0; by_names && t < sizeof telling / sizeof telling[0]; t++)
    for (int i = 0; i < motion->joint_count; i++)
      if (strstr(motion->joints[i].name, telling[t].joint)) {
        snprintf(map->rig, sizeof map->rig, "%s", telling[t].rig);
        return;
      }
}

// ---- Our joints ----

static JointMeaning our_meaning(const char *name) {
  JointMeaning meaning = {.role = ROLE_NONE};
  return joint_meanings(name, &meaning, 1) > 0 ? meaning : (JointMeaning){.role = ROLE_NONE};
}

static int our_joint(const Skeleton *skeleton, Role role, Side side) {
  for (int i = 0; i < skeleton->count; i++) {
    JointMeaning meaning = our_meaning(skeleton->names[i]);
    if (meaning.role == role && meaning.side == side)
      return i;
  }
  return -1;
}

static void map_limbs(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const SourceRig *rig) {
  for (int i = 0; i < skeleton->count; i++) {
    JointMeaning meaning = our_meaning(skeleton->names[i]);
    if (meaning.side != SIDE_NONE)
      map->source[i] = rig->joint[meaning.role][meaning.side];
    else if (meaning.role == ROLE_HEAD || meaning.role == ROLE_NECK)
      map->source[i] = rig->joint[meaning.role][SIDE_NONE];
  }
  // An arm needs two bones; with one it has no elbow.
  for (int s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
    int upper = our_joint(skeleton, ROLE_UPPER_ARM, (Side)s), lower = our_joint(skeleton, ROLE_FOREARM, (Side)s);
    if (upper < 0 || lower < 0)
      continue;
    int a = map->source[upper], b = map->source[lower];
    if (a < 0 || b < 0 || a == b || !retarget_is_above(motion, a, b))
      map->source[upper] = map->source[lower] = -1;
  }
}

// The pelvis carries the thighs, the chest the arms. Where the source has more trunk joints between them than we have,
// several are combined.
static void map_trunk(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const SourceRig *rig) {
  int thighs[2] = {our_joint(skeleton, ROLE_THIGH, SIDE_LEFT), our_joint(skeleton, ROLE_THIGH, SIDE_RIGHT)};
  int arms[2] = {our_joint(skeleton, ROLE_UPPER_ARM, SIDE_LEFT), our_joint(skeleton, ROLE_UPPER_ARM, SIDE_RIGHT)};
  int chest = our_joint(skeleton, ROLE_CHEST, SIDE_NONE);
  if (thighs[0] < 0 || thighs[1] < 0)
    return;

  int pelvis = common_parent(motion, map->source[thighs[0]], map->source[thighs[1]]);
  int named = rig->joint[ROLE_PELVIS][SIDE_NONE];
  map->source[0] = named >= 0 && pelvis >= 0 && retarget_is_above(motion, named, pelvis) ? named : pelvis;
  if (chest < 0)
    return;

  int top = arms[0] >= 0 && arms[1] >= 0 ? common_parent(motion, map->source[arms[0]], map->source[arms[1]]) : -1;
  if (top >= 0 && top == rig->joint[ROLE_NECK][SIDE_NONE]) // some rigs attach the collar bones to the neck
    top = motion->joints[top].parent;
  if (top < 0 || retarget_is_above(motion, top, map->source[0])) {
    top = rig->joint[ROLE_CHEST][SIDE_NONE];
    if (top < 0)
      top = rig->joint[ROLE_SPINE][SIDE_NONE];
  }
  map->source[chest] = top;
  int theirs[MOTION_MAX_JOINTS], ours[SKELETON_MAX_JOINTS], their_count = 0, our_count = 0;
  for (int i = top; i >= 0 && !retarget_is_above(motion, i, map->source[0]); i = motion->joints[i].parent)
    theirs[their_count++] = i;
  for (int i = chest; i > 0; i = skeleton->parent[i])
    ours[our_count++] = i;
  for (int i = 1; i < our_count; i++) { // from the second joint on; both lists begin with the chest
    int down = (i * their_count) / our_count;
    map->source[ours[i]] = down > 0 ? theirs[down] : -1;
  }
}

// ---- What the user says ----

static int find_source(const Motion *motion, const char *name) {
  for (int i = 0; i < motion->joint_count; i++)
    if (strcmp(motion->joints[i].name, name) == 0)
      return i;
  return -1;
}

static bool read_override(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *node,
                          Error *error) {
  const char *theirs[MOTION_MAX_JOINTS];
  for (int i = 0; i < motion->joint_count; i++)
    theirs[i] = motion->joints[i].name;

  int joint = skeleton_find(skeleton, node->key);
  if (joint < 0)
    return node_key_error(node, error, "'%s' has no joint '%s'%s", skeleton->name, node->key,
                          skeleton_joint_hint(skeleton, node->key).text);
  char name[MOTION_NAME_SIZE];
  if (!node_text(node, name, sizeof name, error))
    return false;
  map->source[joint] = strcmp(name, "none") != 0 ? find_source(motion, name) : -1;
  if (map->source[joint] < 0 && strcmp(name, "none") != 0)
    return node_error(node, error, "the motion has no joint '%s'%s", name,
                      name_hint(name, theirs, motion->joint_count).text);
  return true;
}

static bool read_overrides(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *overrides,
                           Error *error) {
  if (!overrides)
    return true;
  if (overrides->kind != NODE_MAP)
    return node_error(overrides, error, "expected a map {our_joint: their_joint}");
  for (const Node *node = overrides->first; node; node = node->next)
    if (!read_override(map, motion, skeleton, node, error))
      return false;
  return true;
}

// ---- Checks ----

static bool map_error(const Node *overrides, Error *error, const Motion *motion, const char *ours, const char *what) {
  char names[400] = "";
  size_t used = 0;
  for (int i = 0; i < motion->joint_count && used < sizeof names - MOTION_NAME_SIZE - 8; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", motion->joints[i].name);
  const char *format = "%s for our '%s'; name it in 'joints: {%s: ...}'. The motion's joints: %s";
  if (overrides)
    return node_error(overrides, error, format, what, ours, ours, names);
  return error_set(error, format, what, ours, ours, names);
}

static bool check_map(const RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *overrides,
                      Error *error) {
  if (skeleton->leg_count == 0)
    return error_set(error, "'%s' has no legs; recorded motion needs them for its scale", skeleton->name);
  if (map->source[0] < 0)
    return map_error(overrides, error, motion, skeleton->names[0], "no joint was found");
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    int chain[3] = {leg->hip, leg->knee, leg->ankle};
    for (int i = 0; i < 3; i++)
      if (map->source[chain[i]] < 0)
        return map_error(overrides, error, motion, skeleton->names[chain[i]], "no joint was found");
    int hip = map->source[leg->hip], knee = map->source[leg->knee];
    if (hip == knee || !retarget_is_above(motion, hip, knee)) {
      char what[2 * MOTION_NAME_SIZE + 40];
      snprintf(what, sizeof what, "'%s' does not hang on '%s',", motion->joints[knee].name, motion->joints[hip].name);
      return map_error(overrides, error, motion, skeleton->names[leg->knee], what);
    }
  }
  return true;
}

bool retarget_map(RetargetMap *map, const Motion *motion, const Skeleton *skeleton, const Node *overrides,
                  Error *error) {
  for (int i = 0; i < SKELETON_MAX_JOINTS; i++)
    map->source[i] = -1;
  SourceRig rig, shape;
  rig_from_names(&rig, motion);
  bool by_names = has_legs(&rig, motion) || overrides || !rig_from_shape(&shape, motion);
  if (!by_names)
    rig = shape;
  name_rig(map, motion, by_names);

  map_limbs(map, motion, skeleton, &rig);
  if (!read_overrides(map, motion, skeleton, overrides, error))
    return false;
  map_trunk(map, motion, skeleton, &rig);
  // A second time, since the user's entries take precedence.
  return read_overrides(map, motion, skeleton, overrides, error) && check_map(map, motion, skeleton, overrides, error);
}
