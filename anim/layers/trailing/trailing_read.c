// Reads the joints and chains of a trailing layer.
#include <string.h>

#include "anim/layers/trailing/trailing.h"
#include "sim/base/numbers.h"

typedef struct Reader {
  TrailingDef *def;
  const Skeleton *skeleton;
  const Node *nodes[SKELETON_MAX_JOINTS]; // for each joint, where the file names it; NULL for joints that do not trail
  TrailingMember found[SKELETON_MAX_JOINTS];
  Error *error;
} Reader;

// The joint that a node names; -1 and an error when there is none, or when it cannot trail.
static int read_joint(Reader *reader, const Node *node) {
  const Skeleton *skeleton = reader->skeleton;
  const int joint = skeleton_read_joint(skeleton, node, reader->error);
  if (joint != 0)
    return joint;
  node_error(node, reader->error, "'%s' is the root joint, which has no parent", skeleton->names[0]);
  return -1;
}

static const Node *required(Reader *reader, const Node *map, const char *key, const char *form) {
  const Node *node = node_find(map, key);
  if (!node)
    node_error(map, reader->error, "'%s' is missing, expected %s", key, form);
  return node;
}

// Adds the joint in `member`, which the file names at the node.
static bool add_member(Reader *reader, const Node *node, const TrailingMember *member) {
  const Node *first = reader->nodes[member->joint];
  if (first)
    return node_error(node, reader->error, "the joint '%s' trails already, by line %d",
                      reader->skeleton->names[member->joint], first->line);
  reader->nodes[member->joint] = node;
  reader->found[member->joint] = *member;
  return true;
}

// Reads the values that a joint or a chain may have of its own.
static bool read_own_figures(Reader *reader, const Node *map, TrailingMember *member) {
  const Node *damp_seconds = node_find(map, "damp_seconds"), *angle_limit = node_find(map, "angle_limit");
  TrailingDef own;
  if (damp_seconds) {
    if (!param_read_row(param_find(&trailing_params, "damp_seconds"), &own, damp_seconds, reader->error))
      return false;
    member->damp_seconds = own.damp_seconds;
  }
  if (angle_limit) {
    if (!param_read_row(param_find(&trailing_params, "angle_limit"), &own, angle_limit, reader->error))
      return false;
    member->angle_limit = own.angle_limit;
  }
  return true;
}

static bool read_rest_offset(Reader *reader, const Node *node, double offset[3]) {
  static const double FARTHEST = 100; // m
  if (!node_reals(node, offset, 3, reader->error))
    return false;
  double length = length3(offset);
  if (length < TRAILING_SHORTEST_OFFSET || length > FARTHEST)
    return node_error(node, reader->error, "rest_offset is %g m long, allowed are %g to %g m", length,
                      TRAILING_SHORTEST_OFFSET, FARTHEST);
  return true;
}

// Reads a name, or a map {joint: name, ...}.
static bool read_member(Reader *reader, const Node *node) {
  static const char *const keys[] = {"joint", "rest_offset", "damp_seconds", "angle_limit", NULL};
  TrailingMember member = {.angle_limit = -1};
  const Node *name = node;
  if (node->kind == NODE_MAP) {
    if (!node_check_keys(node, keys, reader->error))
      return false;
    name = required(reader, node, "joint", "{joint: tail_1, rest_offset: [0, 0, -0.1], ...}");
    const Node *offset = node_find(node, "rest_offset");
    if (!name || !read_own_figures(reader, node, &member) ||
        (offset && !read_rest_offset(reader, offset, member.rest_offset)))
      return false;
  }
  member.joint = read_joint(reader, name);
  return member.joint >= 0 && add_member(reader, name, &member);
}

static bool read_members(Reader *reader, const Node *list) {
  if (list->kind != NODE_LIST || list->count == 0)
    return node_error(list, reader->error, "expected a list of joints, [tail_1, {joint: tail_2, angle_limit: 45}]");
  for (const Node *item = list->first; item; item = item->next)
    if (!read_member(reader, item))
      return false;
  return true;
}

static const char CHAIN_FORM[] = "{from: tail_1, to: tail_6}";

// Reads {from: joint, to: joint below it}, going up from the lower end.
static bool read_chain(Reader *reader, const Node *map) {
  static const char *const keys[] = {"from", "to", "damp_seconds", "angle_limit", NULL};
  TrailingMember member = {.angle_limit = -1};
  if (map->kind != NODE_MAP)
    return node_error(map, reader->error, "expected a chain of joints, %s", CHAIN_FORM);
  if (!node_check_keys(map, keys, reader->error) || !read_own_figures(reader, map, &member))
    return false;
  const Node *from_node = required(reader, map, "from", CHAIN_FORM), *to_node = required(reader, map, "to", CHAIN_FORM);
  if (!from_node || !to_node)
    return false;
  int from = read_joint(reader, from_node), to = from >= 0 ? read_joint(reader, to_node) : -1;
  if (from < 0 || to < 0)
    return false;
  for (member.joint = to; member.joint >= 0; member.joint = reader->skeleton->parent[member.joint]) {
    if (!add_member(reader, to_node, &member))
      return false;
    if (member.joint == from)
      return true;
  }
  return node_error(to_node, reader->error,
                    "'%s' is not a descendant of '%s', so there is no chain from one to the other", to_node->text,
                    from_node->text);
}

// A chain, or a list of them.
static bool read_chains(Reader *reader, const Node *node) {
  if (node->kind != NODE_LIST || node->count == 0)
    return read_chain(reader, node);
  for (const Node *item = node->first; item; item = item->next)
    if (!read_chain(reader, item))
      return false;
  return true;
}

static int find_child(const Reader *reader, int joint, bool trails) {
  const Skeleton *skeleton = reader->skeleton;
  for (int i = joint + 1; i < skeleton->count; i++)
    if (skeleton->parent[i] == joint && (!trails || reader->nodes[i]))
      return i;
  return -1;
}

// The direction of a joint's bone in the bind pose, in the joint's frame; shorter than TRAILING_SHORTEST_OFFSET when
// there is none.
static void find_bone(const Reader *reader, int joint, double bone[3]) {
  const Skeleton *skeleton = reader->skeleton;
  int child = find_child(reader, joint, true);
  if (child < 0)
    child = find_child(reader, joint, false);
  vec3s lead = child >= 0 ? skeleton->bind_position_l[child] : glms_vec3_zero();
  // the direction from its parent
  if (glms_vec3_norm(lead) < (float)TRAILING_SHORTEST_OFFSET && skeleton->parent[joint] >= 0)
    lead = glms_quat_rotatev(glms_quat_conjugate(skeleton->bind_rotation_l[joint]), skeleton->bind_position_l[joint]);
  for (int k = 0; k < 3; k++)
    bone[k] = (double)lead.raw[k];
}

// The members in the skeleton's order, parents first, each with a rest offset.
static bool collect(Reader *reader) {
  TrailingDef *def = reader->def;
  for (int i = 0; i < reader->skeleton->count; i++) {
    if (!reader->nodes[i])
      continue;
    TrailingMember *member = &def->members[def->count++];
    *member = reader->found[i];
    if (length3(member->rest_offset) == 0)
      find_bone(reader, i, member->rest_offset);
    if (length3(member->rest_offset) < TRAILING_SHORTEST_OFFSET)
      return node_error(reader->nodes[i], reader->error,
                        "the bone of '%s' has no length: give its end by {joint: %s, rest_offset: [x, y, z]}",
                        reader->skeleton->names[i], reader->skeleton->names[i]);
    for (int above = i; above >= 0; above = reader->skeleton->parent[above])
      def->is_needed[above] = true;
  }
  return true;
}

bool trailing_read(TrailingDef *def, const Node *map, const Skeleton *skeleton, Error *error) {
  Reader reader = {.def = def, .skeleton = skeleton, .error = error};
  const Node *joints = node_find(map, "joints"), *chain = node_find(map, "chain"), *distance;
  def->count = 0;
  memset(def->is_needed, 0, sizeof def->is_needed);
  if (!joints && !chain)
    return node_error(map, error,
                      "no joints are given: expected 'joints: [ear_l, ear_r]' or 'chain: {from: tail_1, to: tail_6}'");
  if ((distance = node_find(map, "distance")) && !(def->distance[0] <= 1 && def->distance[1] >= 1))
    return node_error(distance, error, "distance is [%g, %g], but 1, where it rests, must lie within", def->distance[0],
                      def->distance[1]);
  return (!joints || read_members(&reader, joints)) && (!chain || read_chains(&reader, chain)) && collect(&reader);
}
