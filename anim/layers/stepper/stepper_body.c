// How the body follows the feet: it rises with them, leans with the ground under them, turns and bends after them.
#include <math.h>

#include "anim/lanes.h"
#include "anim/layers/stepper/stepper_internal.h"
#include "sim/base/numbers.h"

static const double RIDGE = 1e-3; // of the feet's spread: feet that are this nearly in a line define no slope across it

// An angle as cosine and sine, which needs no arc tangent.
typedef struct Direction {
  double cosine, sine;
} Direction;

static double mean_angle(const Direction *directions, int count) {
  double x = 0, y = 0;
  for (int i = 0; i < count; i++) {
    x += directions[i].cosine;
    y += directions[i].sine;
  }
  return length_2d((double[2]){x, y}) > 1e-9 * count ? atan2(y, x) : 0;
}

double stepper_mean_angle(const double *angles, int count) {
  Direction directions[SKELETON_MAX_LEGS];
  for (int i = 0; i < count; i++)
    directions[i] = (Direction){cos(angles[i]), sin(angles[i])};
  return mean_angle(directions, count);
}

// ---- The ground under the feet ----

typedef struct Plane {
  double height, left, forward; // height in m over the root; slopes toward the left and toward the front
} Plane;

// The plane fitted to the feet, without their lifts.
static Plane fit_plane(const StepperDef *def, const Stepper *stepper, const StepperRoot *root) {
  double points[SKELETON_MAX_LEGS][3], mean[3] = {0};
  for (int i = 0; i < def->count; i++) {
    const double *place = stepper->feet[i].place;
    double offset[2] = {place[0] - root->position[0], place[2] - root->position[2]}, level[2];
    level_from_world(root->heading, offset, level);
    const double point[3] = {level[0], place[1] - root->position[1], level[1]};
    for (int k = 0; k < 3; k++) {
      points[i][k] = point[k];
      mean[k] += point[k] / def->count;
    }
  }
  double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0;
  for (int i = 0; i < def->count; i++) {
    double x = points[i][0] - mean[0], y = points[i][1] - mean[1], z = points[i][2] - mean[2];
    xx += x * x;
    xz += x * z;
    zz += z * z;
    xy += x * y;
    zy += z * y;
  }
  double ridge = RIDGE * (xx + zz);
  xx += ridge;
  zz += ridge;
  double determinant = xx * zz - xz * xz;
  Plane plane = {.height = mean[1]};
  if (determinant > 0) {
    plane.left = (xy * zz - zy * xz) / determinant;
    plane.forward = (zy * xx - xy * xz) / determinant;
    plane.height -= plane.left * mean[0] + plane.forward * mean[2];
  }
  return plane;
}

// ---- Sway ----

// The angle from {x, y} to {to_x, to_y}; 0 where one of them has no direction.
static Direction direction_from(double x, double y, double to_x, double to_y) {
  double along = x * to_x + y * to_y, across = x * to_y - y * to_x, length = length_2d((double[2]){along, across});
  return length > 0 ? (Direction){along / length, across / length} : (Direction){1, 0};
}

// Angles by which feet are ahead of their references, seen from the middle of the body: about the up, left and front
// axes.
typedef struct FootAngles {
  Direction yaw[SKELETON_MAX_LEGS], pitch[SKELETON_MAX_LEGS], roll[SKELETON_MAX_LEGS];
} FootAngles;

static void find_foot_angles(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg,
                             FootAngles *angles) {
  const StepperFoot *foot = &stepper->feet[leg];
  const double *rest = stepper->stance.legs[leg].reference;
  double height = fmax(stepper->stance.hip_height, 1e-3 * def->leg_length);
  double offset[2], level[2];
  stepper_foot_offset(foot, offset);
  level_from_world(root->heading, offset, level);
  double x = rest[0] + level[0], z = rest[1] + level[1], y = foot->lift - height;
  angles->yaw[leg] = direction_from(rest[1], rest[0], z, x);
  angles->pitch[leg] = direction_from(-height, rest[1], y, z);
  angles->roll[leg] = direction_from(rest[0], -height, x, y);
}

static double limited(double value, double limit) { return fmin(fmax(value, -limit), limit); }

static double scaled_mean(const Direction *directions, int count, double gain, double limit) {
  return limited(gain * mean_angle(directions, count), limit);
}

static void find_sway(const StepperDef *def, Stepper *stepper, const StepperRoot *root) {
  FootAngles angles;
  Direction ends[2][SKELETON_MAX_LEGS] = {{{0}}};
  double limit = def->sway_limit * RAD_PER_DEGREE;
  int counts[2] = {0, 0};
  for (int i = 0; i < def->count; i++) {
    find_foot_angles(def, stepper, root, i, &angles);
    bool front = stepper->stance.legs[i].front;
    ends[front][counts[front]++] = angles.yaw[i];
  }
  stepper->sway[0].goal = scaled_mean(angles.yaw, def->count, def->sway[0], limit);
  stepper->sway[1].goal = scaled_mean(angles.pitch, def->count, def->sway[1], limit);
  stepper->sway[2].goal = scaled_mean(angles.roll, def->count, def->sway[2], limit);
  // of the front feet relative to the hind feet
  double twist = mean_angle(ends[1], counts[1]) - mean_angle(ends[0], counts[0]);
  stepper->bend.goal = def->spine_count ? limited(def->bend * wrap_angle(twist), limit) : 0;
}

// ---- Reaction ----

// The lean is smoothed in the world frame, so that it is not delayed when a body turns on a slope.
static void find_lean(const StepperDef *def, Stepper *stepper, const StepperRoot *root, const Plane *plane) {
  double rise[2], steepness = length_2d((double[2]){plane->left, plane->forward});
  level_to_world(root->heading, (double[2]){plane->left, plane->forward}, rise);
  double angle = limited(def->slope * atan(steepness), def->slope_limit * RAD_PER_DEGREE);
  double scale = steepness > 0 ? angle / steepness : 0;
  stepper->lean[0].goal = -rise[1] * scale; // the product of up and the normal
  stepper->lean[1].goal = rise[0] * scale;
}

void stepper_react(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root) {
  double lift = 0;
  for (int i = 0; i < def->count; i++)
    lift += stepper->feet[i].lift / def->count;
  Plane plane = fit_plane(def, stepper, root);
  stepper->bob.goal = plane.height + def->bob * lift;
  find_lean(def, stepper, root, &plane);
  find_sway(def, stepper, root);

  SpringStep bob = spring_over(def->bob_damp, step->dt), lean = spring_over(def->slope_damp, step->dt);
  SpringStep sway = spring_over(def->sway_damp, step->dt);
  spring_go_on(&bob, &stepper->bob);
  for (int axis = 0; axis < 2; axis++)
    spring_go_on(&lean, &stepper->lean[axis]);
  for (int axis = 0; axis < 3; axis++)
    spring_go_on(&sway, &stepper->sway[axis]);
  spring_go_on(&sway, &stepper->bend);
}

// ---- Pose ----

// Distributes the bend among the joints of the spine, about the body's up axis.
static void bend_spine(const StepperDef *def, const Stepper *stepper, const Skeleton *skeleton, vec3s up, Pose *pose) {
  if (stepper->bend.value == 0)
    return;
  versors share = quat_exp(glms_vec3_scale(up, (float)(stepper->bend.value / def->spine_count)));
  for (int i = 0; i < def->spine_count; i++) {
    int joint = def->spine[i];
    vec3s place;
    versors parent;
    pose_joint_transform(skeleton, pose, skeleton->parent[joint], &place, &parent);
    versors turned = glms_quat_mul(share, glms_quat_mul(parent, pose->rotation[joint]));
    pose->rotation[joint] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent), turned));
  }
}

// Turns the body about a point over the root, half-way up to its root joint. On a slope the body is then half-way
// between vertically above its feet, where the downhill legs become too short, and perpendicular to the slope.
void stepper_place_body(const StepperDef *def, const Stepper *stepper, const LayerStep *step, const StepperRoot *root) {
  const Spring *sway = stepper->sway;
  // Half of the bend belongs to the hind end, with the opposite sign.
  versors heading = quat_about(1, root->heading.angle), yaw = quat_about(1, sway[0].value - stepper->bend.value / 2);
  versors pitch_roll = glms_quat_mul(quat_about(0, sway[1].value), quat_about(2, sway[2].value));
  versors swayed = glms_quat_mul(glms_quat_mul(heading, pitch_roll), glms_quat_conjugate(heading));
  versors lean = quat_exp((vec3s){{(float)stepper->lean[0].value, 0, (float)stepper->lean[1].value}});
  lean = glms_quat_mul(lean, swayed);
  versors turn = glms_quat_normalize(glms_quat_mul(lean, yaw));

  Pose *pose = step->pose_w;
  vec3s arm = {{pose->position[0].x - (float)root->position[0], (float)(stepper->stance.hip_height / 2),
                pose->position[0].z - (float)root->position[2]}};
  vec3s moved = glms_vec3_sub(quat_turn(turn, arm), arm);
  pose->position[0] = glms_vec3_add(pose->position[0], moved);
  pose->position[0].y += (float)stepper->bob.value;
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(turn, pose->rotation[0]));
  bend_spine(def, stepper, step->skeleton, quat_turn(lean, (vec3s){{0, 1, 0}}), pose);
}
