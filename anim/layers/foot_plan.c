#include "anim/layers/foot_plan.h"

#include <math.h>

#include "sim/numbers.h"

// A pose that shows more of standing than of its clip stands.
static const double STANDS = 0.5;

const char *foot_refusal_name(FootRefusal refusal) {
  static const char *const names[FOOT_REFUSAL_COUNT] = {
      [FOOT_NOT_REFUSED] = "",          [FOOT_NO_GROUND] = "no ground", [FOOT_TOO_HIGH] = "too high",
      [FOOT_TOO_LOW] = "too low",       [FOOT_TOO_STEEP] = "too steep", [FOOT_OUT_OF_REACH] = "out of reach",
      [FOOT_CROSSES] = "crosses a leg",
  };
  return names[refusal];
}

static double yaw_of(versors foot) {
  vec3s forward = glms_quat_rotatev(foot, (vec3s){{0, 0, 1}});
  return atan2((double)forward.x, (double)forward.z);
}

// Where a leg's ankle is at touch-down. The foot lands heel first and then stands flat: level it.
static void find_landing(FootLandings *landings, const Clip *clip, int index, const ClipContact *contact) {
  int ankle = clip->skeleton->legs[index].ankle;
  Pose landing;
  ModelPose model;
  clip_sample(clip, contact->begin, &landing);
  pose_to_model(clip->skeleton, &landing, &model);
  double yaw = yaw_of(model.rotation[ankle]);
  landings->ankle_m[index] = model.position[ankle];
  landings->foot_m[index] = (versors){{0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)}};
}

// Seconds of clip from one time to the next occurrence of another.
static double time_until(const Clip *clip, double from, double to) {
  double duration = (double)clip->duration, wait = fmod(to - from, duration);
  return wait < 0 ? wait + duration : wait;
}

void foot_landings_find(FootLandings *landings, const Clip *clip) {
  *landings = (FootLandings){0};
  for (int i = 0; i < clip->skeleton->leg_count; i++) {
    const ClipContact *contact = clip_first_contact(clip, i);
    if (!contact)
      continue;
    landings->known[i] = true;
    landings->swing_time[i] = (float)time_until(clip, (double)contact->end, (double)contact->begin);
    find_landing(landings, clip, i, contact);
  }
}

static void stand_here(FootPlan *plan, const Leg *leg, const ModelPose *model) {
  vec3s sole = glms_vec3_add(model->position[leg->ankle], glms_quat_rotatev(model->rotation[leg->ankle], leg->sole_l));
  plan->standing = true;
  plan->progress = 1;
  plan->time_left = 0;
  plan->landing[0] = (double)sole.x;
  plan->landing[1] = (double)sole.z;
  plan->landing_yaw = yaw_of(model->rotation[leg->ankle]);
}

// Where a swinging foot will land in that many seconds, if the root goes on as it does.
static void land_ahead(FootPlan *plan, const FootLandings *landings, const Leg *leg, int index, const FootRoot *root) {
  versors foot = glms_quat_mul(root->rotation, landings->foot_m[index]);
  vec3s sole =
      glms_vec3_add(glms_quat_rotatev(root->rotation, landings->ankle_m[index]), glms_quat_rotatev(foot, leg->sole_l));
  plan->landing[0] = root->position[0] + root->velocity[0] * plan->time_left + (double)sole.x;
  plan->landing[1] = root->position[2] + root->velocity[2] * plan->time_left + (double)sole.z;
  plan->landing_yaw = yaw_of(foot);
}

void foot_plan_from_clip(const FootLandings *landings, const Clip *clip, double time, double pace, const FootRoot *root,
                         const Pose *pose_w, FootPlan *plans) {
  const Skeleton *skeleton = clip->skeleton;
  ModelPose model;
  pose_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootPlan *plan = &plans[i];
    *plan = (FootPlan){.known = landings->known[i] || root->still > STANDS};
    if (!plan->known)
      continue;
    const ClipContact *contact = clip_first_contact(clip, i);
    double swing = (double)landings->swing_time[i];
    if (root->still > STANDS || swing <= 0 || clip_contact(clip, i, (float)time)) {
      stand_here(plan, &skeleton->legs[i], &model);
      continue;
    }
    double wait = time_until(clip, time, (double)contact->begin);
    plan->progress = fmin(fmax(1 - wait / swing, 0), 1);
    plan->time_left = pace > 0 ? wait / pace : 0;
    land_ahead(plan, landings, &skeleton->legs[i], i, root);
  }
}

void foot_plan_standing(const Skeleton *skeleton, const Pose *pose_w, FootPlan *plans) {
  ModelPose model;
  pose_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    plans[i] = (FootPlan){.known = true};
    stand_here(&plans[i], &skeleton->legs[i], &model);
  }
}
