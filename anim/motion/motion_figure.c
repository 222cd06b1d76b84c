// Identifies a skeleton's joints by their names and estimates how large the figure is.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "anim/motion/motion_internal.h"

// ---- Names ----

static const char *skip_prefix(const char *name) { // "mixamorig:"
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

bool motion_has_word(const char *name, const char *const *words) {
  char lower[MOTION_NAME_SIZE];
  size_t i = 0;
  for (name = skip_prefix(name); name[i] != '\0' && i + 1 < sizeof lower; i++)
    lower[i] = (char)tolower((unsigned char)name[i]);
  lower[i] = '\0';
  for (; *words; words++)
    if (strstr(lower, *words))
      return true;
  return false;
}

// The side by a single letter that is a word of its own: "lThigh", "LHipJoint", "Foot.L", "Bip01 L Foot", "b_l_arm".
static int lone_letter_side(const char *name) {
  for (size_t i = 0; name[i] != '\0'; i++) {
    const char letter = (char)tolower((unsigned char)name[i]);
    const bool begins = i == 0 || strchr("._- ", name[i - 1]);
    const bool ends = name[i + 1] == '\0' || strchr("._- ", name[i + 1]) ||
                      (i == 0 && isupper((unsigned char)name[1]) && !isupper((unsigned char)name[2]));
    if ((letter == 'l' || letter == 'r') && begins && ends)
      return letter == 'l' ? 1 : -1;
  }
  return 0;
}

int motion_side(const char *name) {
  name = skip_prefix(name);
  const bool left = motion_has_word(name, (const char *const[]){"left", NULL});
  const bool right = motion_has_word(name, (const char *const[]){"right", NULL});
  return left != right ? (left ? 1 : -1) : lone_letter_side(name);
}

// ---- The figure ----

static int find_joint(const Motion *motion, int side, const char *const *words) {
  for (int j = 0; j < motion->joint_count; j++)
    if ((side == 0 || motion_side(motion->joints[j].name) == side) && motion_has_word(motion->joints[j].name, words))
      return j;
  return -1;
}

static int common_joint(const Motion *motion, int a, int b) {
  while (a != b && a >= 0 && b >= 0)
    if (a > b)
      a = motion->joints[a].parent;
    else
      b = motion->joints[b].parent;
  return a == b ? a : -1;
}

vec3s figure_feet(const Figure *figure, const vec3s *positions) {
  return glms_vec3_scale(glms_vec3_add(positions[figure->feet[0]], positions[figure->feet[1]]), 0.5f);
}

// Whether the rest pose is that of a human figure: the trunk continues the line of the legs, and hands are not feet.
static bool stands_like_a_human(const Motion *motion, const Figure *figure, const int hands[2]) {
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  motion_place_bind(motion, positions, rotations);
  const vec3s feet = figure_feet(figure, positions), head = glms_vec3_sub(positions[figure->head], feet);
  const vec3s legs = glms_vec3_sub(positions[figure->hips], feet);
  const vec3s trunk = glms_vec3_sub(positions[figure->head], positions[figure->hips]);
  const float leg_length = glms_vec3_norm(legs), trunk_length = glms_vec3_norm(trunk);
  // Rigs whose feet are children of a root on the ground have no legs to compare with.
  const bool has_legs = leg_length > 0.1f * trunk_length;
  if (has_legs && glms_vec3_dot(legs, trunk) < 0.8f * leg_length * trunk_length)
    return false;
  const vec3s up = glms_vec3_normalize(has_legs ? legs : head);
  for (int side = 0; side < 2; side++)
    if (glms_vec3_dot(glms_vec3_sub(positions[hands[side]], feet), up) < 0.3f * glms_vec3_dot(head, up))
      return false;
  return true;
}

Figure motion_figure(const Motion *motion) {
  static const char *const FEET[] = {"foot", "ankle", NULL}, *const HEAD[] = {"head", NULL},
                           *const NECK[] = {"neck", NULL}, *const HANDS[] = {"hand",    "wrist",    "elbow",
                                                                             "forearm", "lowerarm", NULL};
  const int hands[2] = {find_joint(motion, 1, HANDS), find_joint(motion, -1, HANDS)};
  Figure figure = {.feet = {find_joint(motion, 1, FEET), find_joint(motion, -1, FEET)},
                   .head = find_joint(motion, 0, HEAD)};
  if (figure.head < 0)
    figure.head = find_joint(motion, 0, NECK);
  if (figure.feet[0] < 0 || figure.feet[1] < 0)
    figure.feet[0] = figure.feet[1] = -1;
  else
    figure.hips = common_joint(motion, figure.feet[0], figure.feet[1]);
  figure.hips = figure.hips < 0 ? 0 : figure.hips;
  figure.is_human = figure.feet[0] >= 0 && figure.head >= 0 && hands[0] >= 0 && hands[1] >= 0 &&
                    stands_like_a_human(motion, &figure, hands);
  return figure;
}

// Length of the bones from a joint up to one of its ancestors.
static double path_length(const Motion *motion, int from, int to) {
  double length = 0;
  for (int j = from; j >= 0 && j != to; j = motion->joints[j].parent)
    length += (double)glms_vec3_norm(motion->joints[j].bind_position_l);
  return length;
}

double figure_stature(const Motion *motion, const Figure *figure) {
  if (!figure->is_human)
    return 0;
  const int top = common_joint(motion, figure->feet[0], figure->head);
  const double path = path_length(motion, figure->feet[0], top) + path_length(motion, figure->head, top);
  // Ankle to skull base is 0.84 of the stature, ankle to neck 0.79 (Winter 2009, figure 4.1: ankle 0.039, chin 0.870,
  // shoulders 0.818; bones do not run straight).
  const bool has_head = motion_has_word(motion->joints[figure->head].name, (const char *const[]){"head", NULL});
  return path / (has_head ? 0.84 : 0.79);
}

double motion_stature(const Motion *motion) {
  const Figure figure = motion_figure(motion);
  return figure_stature(motion, &figure);
}

double motion_extent(const Motion *motion) {
  vec3s positions[MOTION_MAX_JOINTS], low = {{INFINITY, INFINITY, INFINITY}},
                                      high = {{-INFINITY, -INFINITY, -INFINITY}};
  versors rotations[MOTION_MAX_JOINTS];
  motion_place_bind(motion, positions, rotations);
  for (int j = 0; j < motion->joint_count; j++) {
    low = glms_vec3_minv(low, positions[j]);
    high = glms_vec3_maxv(high, positions[j]);
  }
  return (double)glms_vec3_distance(low, high);
}
