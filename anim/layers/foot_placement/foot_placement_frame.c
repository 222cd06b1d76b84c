// How an animated foot is mapped from the animation's level ground to the true ground: turned, shifted, tilted, rolled
// over an edge, and limited in speed. Both standing and swinging feet use this.
#include <math.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

// ---- Poses ----

// m by which a sole is raised that is `depth` m below the animation's own ground: for large depths by all but
// FOOT_SINKS, with a continuous slope, since otherwise the leg would turn suddenly.
static double raise_for(double depth) {
  const double half = FOOT_SINKS / 2, beyond = depth - half;
  if (beyond <= 0)
    return 0;
  return beyond < 2 * half ? beyond * beyond / (4 * half) : beyond - half;
}

FootPose foot_pose(const PlacedLeg *leg, const ModelPose *model, double level) {
  FootPose pose = {.ankle = model->position[leg->leg.ankle], .rotation = model->rotation[leg->leg.ankle]};
  FootPoints points = foot_points(&leg->leg, pose.ankle, pose.rotation);
  vec3_to_doubles(points.heel, pose.heel);
  vec3_to_doubles(points.toe, pose.toe);
  vec3_to_doubles(points.sole, pose.middle);
  foot_print(&leg->leg, &points, pose.print, &pose.print_yaw);
  pose.yaw = pose.print_yaw;
  pose.clearance = min_d(min_d(pose.heel[1], pose.toe[1]), pose.middle[1]) - level;
  pose.sunk = raise_for(-pose.clearance);
  return pose;
}

// ---- The way from the animation's level to the ground ----

// A point of the animated foot, turned and shifted horizontally: x and z. sine, cosine: of the foot's turn.
static void shift_point(const PlacedFoot *foot, const FootPose *pose, double sine, double cosine, const double point[3],
                        double shifted[2]) {
  const double arm[2] = {point[0] - pose->middle[0], point[2] - pose->middle[2]};
  turn_level_by(sine, cosine, arm, shifted);
  shifted[0] += pose->middle[0] + foot->shift[0] + foot->lead[0];
  shifted[1] += pose->middle[2] + foot->shift[1] + foot->lead[1];
}

void foot_shift_point(const PlacedFoot *foot, const FootPose *pose, const double point[3], double shifted[2]) {
  double sine, cosine;
  sincos(foot->turn, &sine, &cosine);
  shift_point(foot, pose, sine, cosine, point, shifted);
}

// Left, up and front of a foot on a plane: seen from above, the front still points along the foot's yaw.
static void sole_axes(const double normal[3], double sine, double cosine, double axes[3][3]) {
  double forward[3] = {sine, 0, cosine};
  forward[1] = -(normal[0] * forward[0] + normal[2] * forward[2]) / max_d(normal[1], 1e-3);
  double size = length3(forward);
  for (int k = 0; k < 3; k++) {
    axes[1][k] = normal[k];
    axes[2][k] = forward[k] / size;
  }
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    axes[0][k] = axes[1][a] * axes[2][b] - axes[1][b] * axes[2][a];
  }
}

FootFrame foot_frame(const PlacedFoot *foot, const FootPose *pose) {
  FootFrame frame;
  sincos(pose->yaw + foot->turn, &frame.sine, &frame.cosine);
  sincos(foot->turn, &frame.turn_sine, &frame.turn_cosine);
  sole_axes(foot->normal, frame.sine, frame.cosine, frame.axes);
  return frame;
}

void foot_carry(const FootFrame *frame, const PlacedFoot *foot, const FootPose *pose, double level,
                const double point[3], double carried[3]) {
  double shifted[2];
  shift_point(foot, pose, frame->turn_sine, frame->turn_cosine, point, shifted);
  const double way[2] = {shifted[0] - foot->place[0], shifted[1] - foot->place[2]};
  const double along[3] = {way[0] * frame->cosine - way[1] * frame->sine, point[1] - level + pose->sunk - foot->dip,
                           way[0] * frame->sine + way[1] * frame->cosine};
  for (int k = 0; k < 3; k++)
    carried[k] = foot->place[k] + foot->nudge[k] + along[0] * frame->axes[0][k] + along[1] * frame->axes[1][k] +
                 along[2] * frame->axes[2][k];
}

// Where the mapping puts the middle of the sole.
void foot_carry_middle(const PlacedFoot *foot, const FootPose *pose, double level, double carried[3]) {
  const FootFrame frame = foot_frame(foot, pose);
  foot_carry(&frame, foot, pose, level, pose->middle, carried);
}

static versors axes_rotation(const double axes[3][3]) {
  mat3s m;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      m.raw[i][k] = (float)axes[i][k];
  return glms_mat3_quat(m);
}

static versors carry_rotation(const FootFrame *frame, const FootPose *pose) {
  const versors back = quat_about(1, -pose->yaw);
  return glms_quat_normalize(glms_quat_mul(axes_rotation(frame->axes), glms_quat_mul(back, pose->rotation)));
}

void foot_place(const PlacedFoot *foot, const FootPose *pose, double level, vec3s *ankle, versors *rotation) {
  double point[3], carried[3];
  const FootFrame frame = foot_frame(foot, pose);
  vec3_to_doubles(pose->ankle, point);
  foot_carry(&frame, foot, pose, level, point, carried);
  for (int k = 0; k < 3; k++)
    ankle->raw[k] = (float)(point[k] + foot->weight * (carried[k] - point[k]));
  *rotation = quat_slerp(pose->rotation, carry_rotation(&frame, pose), (float)foot->weight);
}

// Sets the normal, limited by the largest tilt of a foot.
void foot_set_normal(PlacedFoot *foot, const FootPlacementDef *def, const double normal[3]) {
  double most = def->rotation_limit * RAD_PER_DEGREE, level = length_2d((double[2]){normal[0], normal[2]});
  double tilt = atan2(level, normal[1]);
  double share = tilt > most && level > 0 ? sin(most) / level : 1;
  foot->normal[0] = normal[0] * share;
  foot->normal[2] = normal[2] * share;
  foot->normal[1] = share < 1 ? cos(most) : normal[1];
}

// ---- Edges under the sole ----

void foot_support_ends(const FootPose *pose, const double support_span[2], double ends[2][3]) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      ends[i][k] = pose->heel[k] + support_span[i] * (pose->toe[k] - pose->heel[k]);
}

// A foot rolls over the supported part of its sole: returns the height in m of that part above the sole's lower end. An
// end beyond an edge is not lower than the ground there.
double foot_dip(const FootPose *pose, const double support_span[2], const double drop[2]) {
  double ends[2][3];
  foot_support_ends(pose, support_span, ends);
  double support_height = min_d(ends[0][1], ends[1][1]);
  if (support_span[0] > 0)
    support_height = min_d(support_height, pose->heel[1] + drop[0]);
  if (support_span[1] < 1)
    support_height = min_d(support_height, pose->toe[1] + drop[1]);
  return support_height - min_d(pose->heel[1], pose->toe[1]);
}

// ---- Speed ----

double foot_most_way(const PlacedFoot *foot, const FootPose *pose, const LayerStep *step) {
  double move[3];
  for (int k = 0; k < 3; k++)
    move[k] = pose->middle[k] - foot->animated[k];
  return length3(move) + FOOT_FASTEST * step->dt;
}

// A foot that is too fast uses the allowed motion first to rise, then to move ahead.
bool foot_limit_speed(PlacedFoot *foot, const FootFrame *frame, const FootPose *pose, double level,
                      const double before[3], double most) {
  double now[3], move[3];
  foot_carry(frame, foot, pose, level, pose->middle, now);
  for (int k = 0; k < 3; k++)
    move[k] = now[k] - before[k];
  double size = length3(move), way = length_2d((double[2]){move[0], move[2]});
  if (size <= most)
    return false;
  double rise = move[1] > 0 ? min_d(move[1], most) : move[1] * most / size;
  double share = way > 0 ? min_d(sqrt(max_d(most * most - rise * rise, 0)) / way, 1) : 0;
  foot->nudge[0] += (share - 1) * move[0];
  foot->nudge[1] += rise - move[1];
  foot->nudge[2] += (share - 1) * move[2];
  return true;
}
