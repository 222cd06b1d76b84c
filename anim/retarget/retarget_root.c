// The clip's root: extracts the horizontal motion and the turn from the poses, and brings the ends of loops together.
#include <math.h>

#include "anim/retarget/retarget_internal.h"

static const double LEAST_TURN = 0.35;  // rad over the whole clip (20 deg); less counts as none
static const double LEAST_SPEED = 0.2;  // m/s: slower motions count as on the spot
static const double ALONG_FACING = 0.6; // rad: motion within this angle of the facing direction is forward
static const double LYING = 0.5;        // horizontal length of the facing vector below which the body lies and its
                                        // facing says little

// Heading of a pose's root about the up axis; weight: horizontal length of its unit facing vector.
static double facing_of(const Skeleton *skeleton, const Pose *pose, double *weight) {
  versors turn = glms_quat_mul(pose->rotation[0], glms_quat_conjugate(skeleton->bind_rotation_l[0]));
  vec3s forward = glms_quat_rotatev(turn, (vec3s){{0, 0, 1}});
  // Lying: the heading is the direction from the feet to the head.
  if (hypot((double)forward.x, (double)forward.z) < LYING) {
    vec3s up = glms_quat_rotatev(turn, (vec3s){{0, 1, 0}});
    forward = forward.y > 0 ? glms_vec3_negate(up) : up;
  }
  *weight = hypot((double)forward.x, (double)forward.z);
  return atan2((double)forward.x, (double)forward.z);
}

static double wrap(double angle) { return remainder(angle, 2 * GLM_PI); }

static vec3s turned(vec3s v, double yaw) { return glms_quat_rotatev(quat_about(1, yaw), v); }

// The turn from the first pose to the last; whole turns are counted.
static double total_turn(const Skeleton *skeleton, const Pose *poses, int count) {
  double weight, last = facing_of(skeleton, &poses[0], &weight), sum = 0;
  for (int k = 1; k < count; k++) {
    double facing = facing_of(skeleton, &poses[k], &weight);
    sum += wrap(facing - last);
    last = facing;
  }
  return sum;
}

// The mean heading, minus half of a turn at a constant rate: the heading at its beginning.
static double mean_facing(const Skeleton *skeleton, const Pose *poses, int count, double turn) {
  double x = 0, z = 0;
  for (int k = 0; k < count; k++) {
    double weight, facing = facing_of(skeleton, &poses[k], &weight) - (count > 1 ? turn * k / (count - 1) : 0);
    x += weight * sin(facing);
    z += weight * cos(facing);
  }
  return atan2(x, z);
}

// The constant velocity in the root's frame whose displacement, while the root turns, is `way` (in the frame at the
// start).
static vec3s velocity_for(vec3s way, double turn, double duration) {
  double along = 1, aside = 0; // shares of an arc's displacement, see clip_root_at
  if (fabs(turn) > 1e-6) {
    along = sin(turn) / turn;
    aside = (1 - cos(turn)) / turn;
  }
  double square = along * along + aside * aside, x = (double)way.x / duration, z = (double)way.z / duration;
  return (vec3s){{(float)((along * x - aside * z) / square), 0, (float)((along * z + aside * x) / square)}};
}

// The length of the pelvis' path over the ground, m.
static double path_length(const Pose *poses, int count) {
  double sum = 0;
  for (int k = 1; k < count; k++)
    sum += hypot((double)(poses[k].position[0].x - poses[k - 1].position[0].x),
                 (double)(poses[k].position[0].z - poses[k - 1].position[0].z));
  return sum;
}

// A root that moves at a constant velocity in its own frame while it turns describes an arc, whose ends nearly meet
// after a whole turn. To follow a body that spins while moving straight it would have to be faster than the body, at
// 360 deg infinitely fast. In that case the root leaves whole turns to the poses and keeps the rest, at most half a
// turn.
static double root_turn_for(vec3s way, double turn, double duration, double own_speed) {
  if (fabs(turn) <= GLM_PI)
    return turn;
  double arc_speed = (double)glms_vec3_norm(velocity_for(way, turn, duration));
  return arc_speed <= own_speed ? turn : wrap(turn);
}

// Chooses the beginning of the root's path so that the body stays centred on it, and makes the poses relative to the
// path.
static void take_out_root(Clip *clip, Pose *poses, int count, double heading) {
  double step = count > 1 ? (double)clip->duration / (count - 1) : 0, start[2] = {0, 0};
  bool moves = clip->root_velocity_l.x != 0 || clip->root_velocity_l.z != 0 || clip->root_turn_rate != 0;
  for (int k = 0; k < (moves ? count : 1); k++) {
    vec3s position;
    versors rotation;
    clip_root_at(clip, k * step, &position, &rotation);
    position = turned(position, heading);
    start[0] += (double)(poses[k].position[0].x - position.x) / (moves ? count : 1);
    start[1] += (double)(poses[k].position[0].z - position.z) / (moves ? count : 1);
  }
  for (int k = 0; k < count; k++) {
    vec3s position, offset = {{(float)start[0], 0, (float)start[1]}};
    versors rotation, yaw = quat_about(1, heading);
    clip_root_at(clip, k * step, &position, &rotation);
    position = glms_vec3_add(offset, turned(position, heading));
    rotation = glms_quat_conjugate(glms_quat_mul(yaw, rotation));
    poses[k].position[0] = glms_quat_rotatev(rotation, glms_vec3_sub(poses[k].position[0], position));
    poses[k].rotation[0] = glms_quat_normalize(glms_quat_mul(rotation, poses[k].rotation[0]));
  }
}

static float smooth(float t) { return t * t * (3 - 2 * t); } // t: 0 .. 1

// Corrects either end of a loop by half of their difference, fading out toward its middle.
static void close_loop(Pose *poses, int count, double seconds, double step) {
  Pose gap;
  pose_difference(&poses[0], &poses[count - 1], &gap);
  float keys = fminf(step > 0 ? (float)(seconds / step) : 0, 0.5f * (float)(count - 1));
  for (int k = 0; k < count; k++) {
    float to_end = (float)(count - 1 - k), from_start = (float)k;
    float w = 0;
    if (to_end < keys || to_end == 0)
      w = 0.5f * smooth(keys > 0 ? 1 - to_end / keys : 1);
    else if (from_start < keys || from_start == 0)
      w = -0.5f * smooth(keys > 0 ? 1 - from_start / keys : 1);
    Pose in = poses[k];
    pose_add(&in, &gap, w, &poses[k]);
  }
}

void retarget_root(Clip *clip, Pose *poses, int pose_count, const RetargetOptions *options) {
  const Skeleton *skeleton = clip->skeleton;
  double duration = (double)clip->duration, turn = total_turn(skeleton, poses, pose_count);
  // A loop that kept its horizontal motion in the keys would jump back at its end.
  bool in_place = options->keep_root && !options->loop;
  if (in_place || fabs(turn) < LEAST_TURN)
    turn = 0;
  vec3s way = glms_vec3_sub(poses[pose_count - 1].position[0], poses[0].position[0]);
  way.y = 0;
  double speed = (double)glms_vec3_norm(way) / duration;
  if (!in_place && speed > LEAST_SPEED)
    turn = root_turn_for(way, turn, duration, path_length(poses, pose_count) / duration);
  double heading = mean_facing(skeleton, poses, in_place ? 1 : pose_count, turn);
  if (!in_place && speed > LEAST_SPEED) {
    double course = atan2((double)way.x, (double)way.z);
    if (turn == 0 && fabs(wrap(course - heading)) < ALONG_FACING)
      heading = course;
    clip->root_velocity_l = velocity_for(turned(way, -heading), turn, duration);
    if (turn == 0 && heading == course)
      clip->root_velocity_l = (vec3s){{0, 0, (float)speed}};
  }
  clip->root_turn_rate = (float)(turn / duration);
  take_out_root(clip, poses, pose_count, heading);
  if (options->loop)
    close_loop(poses, pose_count, options->loop_blend, duration / (pose_count - 1));
}
