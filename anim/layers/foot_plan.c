// Makes plans of feet from a clip's contacts: whether a foot stands or swings, for how long, and where it will land on
// the path of the root.
#include "anim/layers/foot_plan.h"

#include <math.h>

#include "anim/layers/stride.h"
#include "anim/mirror.h"
#include "sim/base/numbers.h"

// share of standing in the pose above which all feet stand
static const double STANDS = 0.5;

// m: height difference of heel and toe below which the supporting end changes gradually from one to the other
static const double FLAT = 0.005;

static double heading_of(vec3s left) { return atan2(-(double)left.z, (double)left.x); }

double foot_plan_heading(versors rotation) { return heading_of(glms_quat_rotatev(rotation, (vec3s){{1, 0, 0}})); }

// Equal to glms_quat_rotatev to the bit, but without that function's normalising of the quaternion in each call.
static vec3s turn(versors unit, vec3s point) {
  vec3s v = {{unit.x, unit.y, unit.z}}, along = glms_vec3_scale(v, 2 * glms_vec3_dot(v, point));
  vec3s across = glms_vec3_scale(point, unit.w * unit.w - glms_vec3_dot(v, v));
  return glms_vec3_add(glms_vec3_add(along, across), glms_vec3_scale(glms_vec3_cross(v, point), 2 * unit.w));
}

FootPoints foot_points(const Leg *leg, vec3s ankle_w, versors foot_w) {
  versors unit = glms_quat_normalize(foot_w);
  return (FootPoints){.heel = glms_vec3_add(ankle_w, turn(unit, leg->heel_l)),
                      .toe = glms_vec3_add(ankle_w, turn(unit, leg->toe_l)),
                      .sole = glms_vec3_add(ankle_w, turn(unit, leg->sole_l)),
                      .left = turn(unit, (vec3s){{1, 0, 0}})};
}

static FootPoints leg_points(const Leg *leg, const ModelPose *model) {
  return foot_points(leg, model->position[leg->ankle], model->rotation[leg->ankle]);
}

void foot_print(const Leg *leg, const FootPoints *points, double middle[2], double *yaw) {
  vec3s heel = points->heel, toe = points->toe;
  double heading = *yaw = heading_of(points->left);
  // The lower end stands, and the middle is half a sole away from it. Near level the result changes gradually from one
  // end to the other.
  double length = (double)glms_vec3_distance(leg->heel_l, leg->toe_l);
  double on_toe = smooth_step(0.5 + 0.5 * (double)(heel.y - toe.y) / FLAT);
  double ahead = (0.5 - on_toe) * length;
  middle[0] = (double)heel.x + on_toe * (double)(toe.x - heel.x) + ahead * sin(heading);
  middle[1] = (double)heel.z + on_toe * (double)(toe.z - heel.z) + ahead * cos(heading);
}

// The leg of the clip that moves this leg.
static int clip_leg(const FootLandings *landings, int leg) {
  return landings->mirrored ? mirror_leg(landings->clip->skeleton, leg) : leg;
}

// The print of a foot that touches down at a time of the clip.
static void find_landing(FootLandings *landings, int index, float time) {
  const Clip *clip = landings->clip;
  const Leg *leg = &clip->skeleton->legs[index];
  Pose landing;
  ModelPose model;
  clip_sample(clip, time, &landing);
  if (landings->mirrored)
    mirror_pose(clip->skeleton, &landing, &landing);
  stride_scale(clip->skeleton, landings->stride, &landing);
  pose_legs_to_model(clip->skeleton, &landing, &model);
  double middle[2], yaw;
  FootPoints points = leg_points(leg, &model);
  foot_print(leg, &points, middle, &yaw);
  landings->sole_m[index] = (vec3s){{(float)middle[0], 0, (float)middle[1]}};
  landings->yaw_m[index] = (float)yaw;
}

// Time in s of the clip from one moment to the next occurrence of another.
static double time_until(const Clip *clip, double from, double to) {
  double duration = (double)clip->duration, wait = fmod(to - from, duration);
  return wait < 0 ? wait + duration : wait;
}

void foot_landings_find(FootLandings *landings, const Clip *clip, bool mirrored, double stride) {
  *landings = (FootLandings){.clip = clip, .mirrored = mirrored, .stride = stride};
  for (int i = 0; i < clip->skeleton->leg_count; i++) {
    const ClipContact *contact = clip_first_contact(clip, clip_leg(landings, i));
    if (!contact)
      continue;
    landings->known[i] = true;
    landings->swing_time[i] = (float)time_until(clip, (double)contact->end, (double)contact->begin);
    find_landing(landings, i, contact->begin);
  }
}

// points: NULL: not known.
static void stand_here(FootPlan *plan, const Leg *leg, const FootPoints *points) {
  plan->standing = true;
  plan->progress = 1;
  plan->time_left = 0;
  if (points)
    foot_print(leg, points, plan->landing, &plan->landing_yaw);
}

// Stores where the animation has the foot; it stands on level ground at height `ground` (m).
static void note_animated(FootPlan *plan, const FootPoints *points, double ground) {
  for (int i = 0; i < 3; i++)
    plan->animated[i] = (double)points->sole.raw[i];
  plan->heel = (double)points->heel.y - ground;
  plan->toe = (double)points->toe.y - ground;
  plan->clearance = fmin(plan->heel, plan->toe);
}

// Where a swinging foot will land, if the root keeps its velocity and turn rate.
static void land_ahead(FootPlan *plan, const FootLandings *landings, int index, const FootRoot *root) {
  vec3s sole = glms_quat_rotatev(root->rotation, landings->sole_m[index]);
  plan->landing[0] = root->position[0] + root->velocity[0] * plan->time_left + (double)sole.x;
  plan->landing[1] = root->position[2] + root->velocity[2] * plan->time_left + (double)sole.z;
  plan->landing_yaw = wrap_angle(foot_plan_heading(root->rotation) + (double)landings->yaw_m[index]);
}

void foot_plan_from_clip(const FootLandings *landings, double time, double pace, const FootRoot *root,
                         const Pose *pose_w, FootPlan *plans) {
  const Clip *clip = landings->clip;
  const Skeleton *skeleton = clip->skeleton;
  ModelPose model;
  if (pose_w)
    pose_legs_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootPlan *plan = &plans[i];
    FootPoints points;
    *plan = (FootPlan){.known = landings->known[i] || root->still > STANDS};
    if (!plan->known)
      continue;
    if (pose_w) {
      points = leg_points(&skeleton->legs[i], &model);
      note_animated(plan, &points, root->position[1]);
    }
    int leg = clip_leg(landings, i);
    const ClipContact *contact = clip_first_contact(clip, leg);
    double swing = (double)landings->swing_time[i];
    if (root->still > STANDS || swing <= 0 || clip_contact(clip, leg, (float)time)) {
      stand_here(plan, &skeleton->legs[i], pose_w ? &points : NULL);
      continue;
    }
    double wait = time_until(clip, time, (double)contact->begin);
    plan->progress = fmin(fmax(1 - wait / swing, 0), 1);
    plan->time_left = pace > 0 ? wait / pace : 0;
    land_ahead(plan, landings, i, root);
  }
}

void foot_plan_standing(const Skeleton *skeleton, const Pose *pose_w, FootPlan *plans) {
  ModelPose model;
  if (pose_w)
    pose_legs_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    plans[i] = (FootPlan){.known = true};
    if (!pose_w) {
      stand_here(&plans[i], leg, NULL);
      continue;
    }
    FootPoints points = leg_points(leg, &model);
    stand_here(&plans[i], leg, &points);
  }
}

// ---- Saving and restoring ----

void foot_plan_state(FootPlan *plan, StateStream *stream) {
  STATE(stream, plan->known, plan->on_ground, plan->standing, plan->slides, plan->progress, plan->time_left,
        plan->landing, plan->landing_yaw, plan->refused_now, plan->animated, plan->clearance, plan->heel, plan->toe);
  STATE_CHOICE(stream, plan->refusal, FOOT_REFUSAL_COUNT);
}
