// Finds legs, arms and head from the shape of the rest pose, for files whose joints have no telling names: two chains
// that reach the ground on both sides of a joint are legs; two chains beside each other above it are arms.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static const float GROUND_BAND = 0.25f; // of the height: how much the feet may differ in height (the rest pose may be a
                                        // stride)
static const float ASIDE = 0.02f;       // of the height: a joint further from the middle plane belongs to a side
static const float SHORT = 0.4f;        // of the longest bone: shorter bones at a limb's beginning belong to the trunk
static const float EQUAL = 0.75f;       // of the longer one: least length of the other limb of a pair
static const float SHORTEST_LEG = 0.16f; // of the height

typedef struct Shape {
  const Motion *motion;
  vec3s *positions;
  int *lowest, *farthest; // in each joint's subtree: the lowest joint, and the one with the longest path to it
  float *reach;           // m: length of that path, 0 at first
  float height;
} Shape;

// Goes from the last joint to the first: children come after their parents, so their values are known.
static void measure(Shape *shape) {
  const Motion *motion = shape->motion;
  float low = FLT_MAX, high = -FLT_MAX;
  for (int i = 0; i < motion->joint_count; i++) {
    shape->lowest[i] = shape->farthest[i] = i;
    low = fminf(low, shape->positions[i].y);
    high = fmaxf(high, shape->positions[i].y);
  }
  shape->height = high - low;
  for (int i = motion->joint_count - 1; i >= 0; i--) {
    int parent = motion->joints[i].parent;
    if (parent < 0)
      continue;
    float way = shape->reach[i] + glms_vec3_norm(motion->joints[i].bind_position_l);
    if (way > shape->reach[parent]) {
      shape->reach[parent] = way;
      shape->farthest[parent] = shape->farthest[i];
    }
    if (shape->positions[shape->lowest[i]].y < shape->positions[shape->lowest[parent]].y)
      shape->lowest[parent] = shape->lowest[i];
  }
}

// The joints on the path from `from` down to `to`; returns their number.
static int chain_to(const Motion *motion, int from, int to, int *chain, int most) {
  int count = 0;
  for (int i = to; i >= 0; i = motion->joints[i].parent) {
    count++;
    if (i == from)
      break;
  }
  int at = count;
  for (int i = to; at > 0; i = motion->joints[i].parent)
    if (--at < most)
      chain[at] = i;
  return count < most ? count : most;
}

// The three joints of a limb that begins with joint `from` and ends with `to`.
static bool limb_of(const Shape *shape, int from, int to, int limb[3]) {
  enum { MOST = 16 };
  int chain[MOST], count = chain_to(shape->motion, from, to, chain, MOST), first = 0;
  float longest = 0;
  for (int i = 0; i + 1 < count; i++)
    longest = fmaxf(longest, glms_vec3_distance(shape->positions[chain[i]], shape->positions[chain[i + 1]]));
  while (first + 3 < count &&
         glms_vec3_distance(shape->positions[chain[first]], shape->positions[chain[first + 1]]) < SHORT * longest)
    first++;
  if (first + 2 >= count)
    return false;
  for (int i = 0; i < 3; i++)
    limb[i] = chain[first + i];
  return true;
}

static bool in_subtree(const Motion *motion, int top, int joint) {
  for (int i = joint; i >= 0; i = motion->joints[i].parent)
    if (i == top)
      return true;
  return false;
}

// Whether a joint's branch has joints on both sides of a middle, as a neck with ears or horns.
static bool is_on_both_sides(const Shape *shape, int joint, float middle) {
  float left = 0, right = 0;
  for (int i = joint; i < shape->motion->joint_count; i++)
    if (in_subtree(shape->motion, joint, i)) {
      left = fmaxf(left, shape->positions[i].x - middle);
      right = fmaxf(right, middle - shape->positions[i].x);
    }
  return fminf(left, right) > 0.5f * fmaxf(left, right);
}

// Finds two children of a joint whose branches end farthest to the left and to the right. end: the last joint of the
// branch below each joint.
static bool find_pair(const Shape *shape, int joint, const int *end, float lowest_end, int not_below, int pair[2]) {
  const Motion *motion = shape->motion;
  float most[2] = {ASIDE * shape->height, ASIDE * shape->height}, middle = shape->positions[joint].x;
  pair[0] = pair[1] = -1;
  for (int i = joint + 1; i < motion->joint_count; i++) {
    if (motion->joints[i].parent != joint || shape->positions[end[i]].y > lowest_end)
      continue;
    if ((not_below >= 0 && in_subtree(motion, i, not_below)) || is_on_both_sides(shape, i, middle))
      continue;
    float aside = shape->positions[end[i]].x - middle;
    int s = aside > 0 ? 0 : 1;
    if (fabsf(aside) > most[s]) {
      most[s] = fabsf(aside);
      pair[s] = i;
    }
  }
  return pair[0] >= 0 && pair[1] >= 0;
}

static float limb_length(const Motion *motion, const int limb[3]) {
  return glms_vec3_norm(motion->joints[limb[1]].bind_position_l) +
         glms_vec3_norm(motion->joints[limb[2]].bind_position_l);
}

// Whether two chains can be a pair of limbs: about as long as each other, and legs no short handles, as rigs have for
// feet.
static bool is_pair(const Shape *shape, int limbs[2][3], Role first) {
  float left = limb_length(shape->motion, limbs[0]), right = limb_length(shape->motion, limbs[1]);
  return fminf(left, right) > EQUAL * fmaxf(left, right) &&
         (first != ROLE_THIGH || left > SHORTEST_LEG * shape->height);
}

static bool set_limbs(SourceRig *rig, const Shape *shape, const int pair[2], const int *end, Role first) {
  int limbs[2][3];
  for (int s = 0; s < 2; s++)
    if (!limb_of(shape, pair[s], end[pair[s]], limbs[s]))
      return false;
  if (!is_pair(shape, limbs, first))
    return false;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++)
      rig->joint[(int)first + i][SIDE_LEFT + s] = limbs[s][i];
  return true;
}

static bool find_parts(SourceRig *rig, const Shape *shape) {
  const Motion *motion = shape->motion;
  float ground = shape->positions[shape->lowest[0]].y + GROUND_BAND * shape->height;
  int pelvis = -1, chest = -1, pair[2];
  for (int i = 0; i < motion->joint_count && pelvis < 0; i++)
    if (find_pair(shape, i, shape->lowest, ground, -1, pair) && set_limbs(rig, shape, pair, shape->lowest, ROLE_THIGH))
      pelvis = i;
  if (pelvis < 0)
    return false;
  rig->joint[ROLE_PELVIS][SIDE_NONE] = pelvis;

  for (int i = 0; i < motion->joint_count && chest < 0; i++) {
    bool is_leg = in_subtree(motion, pair[0], i) || in_subtree(motion, pair[1], i);
    int arms[2];
    if (i != pelvis && !is_leg && !in_subtree(motion, i, pelvis) &&
        find_pair(shape, i, shape->farthest, FLT_MAX, pelvis, arms) &&
        set_limbs(rig, shape, arms, shape->farthest, ROLE_UPPER_ARM))
      chest = i;
  }
  rig->joint[ROLE_CHEST][SIDE_NONE] = chest;
  // The neck is the child near the middle plane, the head the next joint.
  for (int i = chest + 1; chest >= 0 && i < motion->joint_count; i++)
    if (motion->joints[i].parent == chest &&
        fabsf(shape->positions[i].x - shape->positions[chest].x) < ASIDE * shape->height &&
        shape->positions[i].y > shape->positions[chest].y) {
      int chain[2], count = chain_to(motion, i, shape->farthest[i], chain, 2);
      rig->joint[ROLE_HEAD][SIDE_NONE] = chain[count - 1];
    }
  return true;
}

// Knees bend backward. If they bend forward, summed over all frames, left and right have been confused and are swapped.
static void swap_sides_by_knees(SourceRig *rig, const Motion *motion, vec3s *positions, versors *rotations) {
  float forward = 0;
  int step = motion->frame_count / 200 + 1;
  for (int f = 0; f < motion->frame_count; f += step) {
    motion_place(motion, f, positions, rotations);
    vec3s left =
        glms_vec3_sub(positions[rig->joint[ROLE_THIGH][SIDE_LEFT]], positions[rig->joint[ROLE_THIGH][SIDE_RIGHT]]);
    for (int s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
      vec3s knee = positions[rig->joint[ROLE_SHIN][s]];
      vec3s upper = glms_vec3_sub(knee, positions[rig->joint[ROLE_THIGH][s]]);
      vec3s lower = glms_vec3_sub(positions[rig->joint[ROLE_FOOT][s]], knee);
      forward += glms_vec3_dot(glms_vec3_cross(upper, lower), left);
    }
  }
  for (int r = 0; r < ROLE_COUNT && forward < 0; r++) {
    int swap = rig->joint[r][SIDE_LEFT];
    rig->joint[r][SIDE_LEFT] = rig->joint[r][SIDE_RIGHT];
    rig->joint[r][SIDE_RIGHT] = swap;
  }
}

bool rig_from_shape(SourceRig *rig, const Motion *motion) {
  for (int r = 0; r < ROLE_COUNT; r++)
    for (int s = 0; s < SIDE_COUNT; s++)
      rig->joint[r][s] = -1;
  size_t count = (size_t)motion->joint_count;
  Shape shape = {.motion = motion,
                 .positions = malloc(count * sizeof *shape.positions),
                 .lowest = malloc(count * sizeof *shape.lowest),
                 .farthest = malloc(count * sizeof *shape.farthest),
                 .reach = calloc(count, sizeof *shape.reach)};
  versors *rotations = malloc(count * sizeof *rotations);
  bool found = false;
  if (shape.positions && shape.lowest && shape.farthest && shape.reach && rotations && count > 0) {
    retarget_place_rest(motion, shape.positions, rotations);
    measure(&shape);
    found = find_parts(rig, &shape);
    if (found)
      swap_sides_by_knees(rig, motion, shape.positions, rotations);
  }
  free(shape.positions);
  free(shape.lowest);
  free(shape.farthest);
  free(shape.reach);
  free(rotations);
  return found;
}
