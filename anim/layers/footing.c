#include "anim/layers/footing.h"

#include <math.h>

#include "anim/ik.h"
#include "sim/numbers.h"

// Largest lift of a swinging foot over a sagging body.
static const double HIGHEST_LIFT = 0.15; // m
static const double LIFTING = 0.2;       // share of a swing in which the foot rises, and again in which it comes down

// A foot that lands farther than this from where it should stand has been refused its place.
static const float OUT_OF_REACH = 0.01f; // m

// The height that carries a foot: the highest of the ground under its heel, middle and toe.
static double ground_under_foot(const Leg *leg, vec3s ankle_w, versors foot_w, const Ground *ground, double fallback) {
  const vec3s points[3] = {leg->heel_l, leg->sole_l, leg->toe_l};
  double highest = -HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    double height;
    vec3s point = glms_vec3_add(ankle_w, glms_quat_rotatev(foot_w, points[i]));
    if (ground->height(ground->context, (double)point.x, (double)point.z, &height, NULL))
      highest = fmax(highest, height);
  }
  return highest > -HUGE_VAL ? highest : fallback;
}

// Where a leg's ankle is at touch-down. The foot lands heel first and then stands flat: level it.
static void learn_landing(Footing *footing, const Clip *clip, int index) {
  const ClipContact *contact = clip_first_contact(clip, index);
  if (!contact)
    return;
  int ankle = clip->skeleton->legs[index].ankle;
  Pose landing;
  ModelPose model;
  clip_sample(clip, contact->begin, &landing);
  pose_to_model(clip->skeleton, &landing, &model);
  vec3s forward = glms_quat_rotatev(model.rotation[ankle], (vec3s){{0, 0, 1}});
  forward.y = 0;
  footing->landing_ankle[index] = model.position[ankle];
  footing->landing_foot[index] = quat_shortest_arc((vec3s){{0, 0, 1}}, glms_vec3_normalize(forward));
}

void footing_init(Footing *footing, const Clip *clip, const Pose *pose_w, const Ground *ground) {
  const Skeleton *skeleton = clip->skeleton;
  ModelPose model;
  pose_to_model(skeleton, pose_w, &model);
  *footing = (Footing){0};
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    double foot_height = (double)(model.position[leg->ankle].y + leg->sole_l.y);
    footing->from[i] =
        ground_under_foot(leg, model.position[leg->ankle], model.rotation[leg->ankle], ground, foot_height);
    learn_landing(footing, clip, i);
  }
}

// Seconds of clip from one time to the next occurrence of another.
static double time_until(const Clip *clip, double from, double to) {
  double duration = (double)clip->duration, wait = fmod(to - from, duration);
  return wait < 0 ? wait + duration : wait;
}

// The ground where a swinging foot will land in that many seconds, if the root goes on as it does.
static double landing_ground(const Footing *footing, const Leg *leg, int index, double seconds, const FootingRoot *root,
                             const Ground *ground) {
  vec3s ahead = {{(float)(root->position[0] + root->velocity[0] * seconds), (float)root->position[1],
                  (float)(root->position[2] + root->velocity[2] * seconds)}};
  vec3s ankle = glms_vec3_add(ahead, glms_quat_rotatev(root->rotation, footing->landing_ankle[index]));
  versors foot = glms_quat_mul(root->rotation, footing->landing_foot[index]);
  return ground_under_foot(leg, ankle, foot, ground, root->position[1]);
}

// The height on which a foot's clip motion is based at this time. share: how far it is through its swing, 1 when
// standing.
static double base_height(Footing *footing, const Clip *clip, int index, double time, double pace,
                          const FootingRoot *root, const Ground *ground, double *share) {
  const ClipContact *contact = clip_first_contact(clip, index);
  double swing = time_until(clip, (double)contact->end, (double)contact->begin);
  double wait = time_until(clip, time, (double)contact->begin);
  bool standing = clip_contact(clip, index, (float)time);
  *share = standing || swing <= 0 ? 1 : fmin(fmax(1 - wait / swing, 0), 1);
  if (standing && footing->standing[index])
    return footing->from[index];
  if (standing)
    wait = 0; // has just landed
  double to = landing_ground(footing, &clip->skeleton->legs[index], index, pace > 0 ? wait / pace : 0, root, ground);
  footing->standing[index] = standing;
  if (standing)
    return footing->from[index] = to;
  return footing->from[index] + smooth_step(*share) * (to - footing->from[index]);
}

// A swinging foot rises within the first fifth of its way and comes down again in the last one.
static double lifted_share(double swing_share) {
  return smooth_step(swing_share / LIFTING) * smooth_step((1 - swing_share) / LIFTING);
}

int footing_apply(Footing *footing, const Clip *clip, double time, double pace, const FootingRoot *root, double sag,
                  const Ground *ground, Pose *pose_w) {
  const Skeleton *skeleton = clip->skeleton;
  ModelPose model;
  int refused = 0;
  pose_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (!clip_first_contact(clip, i))
      continue;
    bool stood = footing->standing[i];
    double share, height = base_height(footing, clip, i, time, pace, root, ground, &share);
    height += lifted_share(share) * fmin(fmax(sag, 0), HIGHEST_LIFT);
    vec3s ankle = model.position[leg->ankle];
    ankle.y += (float)(height - root->position[1]);
    float missing = leg_reach(skeleton, leg, ankle, model.rotation[leg->ankle], pose_w);
    if (footing->standing[i] && !stood && missing > OUT_OF_REACH)
      refused++;
  }
  return refused;
}
