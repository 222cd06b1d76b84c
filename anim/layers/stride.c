// Scales the strides of a pose: blends it with the bind pose, and then puts the feet where shorter strides have them.
#include "anim/layers/stride.h"

#include <math.h>

#include "anim/ik.h"
#include "anim/layers/foot_plan.h"

// Strides are not shorter than this, in shares of the clip's. Without a least one a man who slows down evenly to rest
// would draw his feet in ever faster: the length changes with the root of the speed.
static const double LEAST_SHARE = 0.35;

double stride_share(double speed, double own, double exponent) {
  return exponent > 0 && speed < own ? fmax(LEAST_SHARE, pow(fmax(speed, 0) / own, exponent)) : 1;
}

// m: up to this height over the ground a sole is lifted as in long strides, above it less, as toes clear the ground by
// about the same at any speed: 0.01 to 0.02 m of people in a laboratory (Schulz 2011, J Biomech 44:1277-84), 0.03 m in
// the clips of this project.
static const float CLEARANCE = 0.03f;

// Where a foot stands or, in a swing, would: x and z of its print, and the height of its sole's lowest point, m.
typedef struct Footing {
  float aside, ahead, height;
} Footing;

static Footing footing(const Leg *leg, vec3s ankle, versors foot) {
  FootPoints points = foot_points(leg, ankle, foot);
  double middle[2], yaw;
  foot_print(leg, &points, middle, &yaw);
  return (Footing){.aside = (float)middle[0], .ahead = (float)middle[1], .height = fminf(points.heel.y, points.toe.y)};
}

// The prints are scaled, not the ankles: a foot then rolls over its heel and toes without slipping, however it is
// tilted.
static void scale_leg(const Skeleton *skeleton, const Leg *leg, const ModelPose *full, const ModelPose *stance,
                      float share, Pose *pose) {
  vec3s ankle = full->position[leg->ankle];
  versors foot = quat_slerp(stance->rotation[leg->ankle], full->rotation[leg->ankle], share);
  Footing rest = footing(leg, stance->position[leg->ankle], stance->rotation[leg->ankle]);
  Footing before = footing(leg, ankle, full->rotation[leg->ankle]), now = footing(leg, ankle, foot);
  ankle.x += before.aside - now.aside;
  ankle.z += rest.ahead + share * (before.ahead - rest.ahead) - now.ahead;
  ankle.y += fminf(before.height, CLEARANCE) + share * fmaxf(before.height - CLEARANCE, 0) - now.height;
  leg_reach(skeleton, leg, ankle, foot, pose);
}

void stride_scale(const Skeleton *skeleton, double share, Pose *pose) {
  if (share >= 1)
    return;
  Pose stance = pose_bind(skeleton);
  ModelPose full, still;
  pose_legs_to_model(skeleton, pose, &full);
  pose_legs_to_model(skeleton, &stance, &still);
  float aside = pose->position[0].x;
  pose_blend(&stance, pose, (float)share, NULL, pose);
  pose->position[0].x = aside;
  for (int i = 0; i < skeleton->leg_count; i++)
    scale_leg(skeleton, &skeleton->legs[i], &full, &still, (float)share, pose);
}
