#include "anim/layers/footing.h"

#include <math.h>
#include <string.h>

#include "anim/ik.h"
#include "sim/numbers.h"

// Largest lift of a swinging foot over a sagging body.
static const double HIGHEST_LIFT = 0.15; // m
static const double LIFTING = 0.2;       // share of a swing in which the foot rises, and again in which it comes down

// A foot that lands farther than this from where it should stand has been refused its place.
static const float OUT_OF_REACH = 0.01f; // m

static const uint32_t RAY_COLOR = 0x2f7d4fff, REFUSED_COLOR = 0xd62728ff, IK_COLOR = 0xb8651bff;
static const float RAY_THICKNESS = 0.006f, NORMAL_LENGTH = 0.12f, POLE_LENGTH = 0.15f; // m
static const float SHOWN_MISSING = 0.001f;                                             // m

// The height that carries a foot: the highest of the ground under its heel, middle and toe. Notes in `placed` which
// point of the ground that is; without any ground it is the fallback under the middle.
static double ground_under_foot(const Leg *leg, vec3s ankle_w, versors foot_w, const Ground *ground, double fallback,
                                FootPlacement *placed) {
  const vec3s points[3] = {leg->heel_l, leg->sole_l, leg->toe_l};
  double highest = -HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    double height, normal[3];
    vec3s point = glms_vec3_add(ankle_w, glms_quat_rotatev(foot_w, points[i]));
    if (!ground->height(ground->context, (double)point.x, (double)point.z, &height, normal) || !(height > highest))
      continue;
    highest = height;
    memcpy(placed->hit, (double[3]){(double)point.x, height, (double)point.z}, sizeof placed->hit);
    memcpy(placed->normal, normal, sizeof placed->normal);
  }
  placed->refusal = highest > -HUGE_VAL ? FOOT_NOT_REFUSED : FOOT_NO_GROUND;
  if (placed->refusal == FOOT_NOT_REFUSED)
    return highest;
  vec3s middle = glms_vec3_add(ankle_w, glms_quat_rotatev(foot_w, leg->sole_l));
  memcpy(placed->hit, (double[3]){(double)middle.x, fallback, (double)middle.z}, sizeof placed->hit);
  memcpy(placed->normal, (double[3]){0, 1, 0}, sizeof placed->normal);
  return fallback;
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
    footing->from[i] = ground_under_foot(leg, model.position[leg->ankle], model.rotation[leg->ankle], ground,
                                         foot_height, &footing->placed[i]);
    learn_landing(footing, clip, i);
  }
}

void footing_change(Footing *footing, const Clip *clip) {
  for (int i = 0; i < clip->skeleton->leg_count; i++)
    learn_landing(footing, clip, i);
}

// Seconds of clip from one time to the next occurrence of another.
static double time_until(const Clip *clip, double from, double to) {
  double duration = (double)clip->duration, wait = fmod(to - from, duration);
  return wait < 0 ? wait + duration : wait;
}

// The ground where a swinging foot will land in that many seconds, if the root goes on as it does.
static double landing_ground(Footing *footing, const Leg *leg, int index, double seconds, const FootRoot *root,
                             const Ground *ground) {
  vec3s ahead = {{(float)(root->position[0] + root->velocity[0] * seconds), (float)root->position[1],
                  (float)(root->position[2] + root->velocity[2] * seconds)}};
  vec3s ankle = glms_vec3_add(ahead, glms_quat_rotatev(root->rotation, footing->landing_ankle[index]));
  versors foot = glms_quat_mul(root->rotation, footing->landing_foot[index]);
  return ground_under_foot(leg, ankle, foot, ground, root->position[1], &footing->placed[index]);
}

// The height on which a foot's clip motion is based at this time. share: how far it is through its swing, 1 when
// standing.
static double base_height(Footing *footing, const Clip *clip, int index, double time, double pace, const FootRoot *root,
                          const Ground *ground, double *share) {
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

// Notes what became of a foot. Returns whether it has just touched down out of reach of its place.
static bool note_placement(FootPlacement *placed, vec3s hip, vec3s ankle_goal, float missing, bool touched_down) {
  placed->used = true;
  placed->hip = hip;
  placed->ankle_goal = ankle_goal;
  placed->missing = missing;
  bool refused = touched_down && missing > OUT_OF_REACH;
  if (refused)
    placed->refusal = FOOT_OUT_OF_REACH;
  return refused;
}

int footing_apply(Footing *footing, const Clip *clip, double time, double pace, const FootRoot *root, double sag,
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
    versors foot = model.rotation[leg->ankle];
    if (root->still > 0) { // a foot of a body that stands has its ground right below
      double below = ground_under_foot(leg, ankle, foot, ground, root->position[1], &footing->placed[i]);
      height += root->still * (below - height);
    }
    ankle.y += (float)(height - root->position[1]);
    float missing = leg_reach(skeleton, leg, ankle, foot, pose_w);
    bool touched_down = footing->standing[i] && !stood;
    refused += note_placement(&footing->placed[i], model.position[leg->hip], ankle, missing, touched_down);
  }
  return refused;
}

static void debug_ray(const FootPlacement *placed, DebugDraw *draw) {
  bool refused = placed->refusal != FOOT_NOT_REFUSED;
  uint32_t color = refused ? REFUSED_COLOR : RAY_COLOR;
  const double origin[3] = {placed->hit[0], (double)placed->hip.y, placed->hit[2]};
  double tip[3];
  for (int k = 0; k < 3; k++)
    tip[k] = placed->hit[k] + (double)NORMAL_LENGTH * placed->normal[k];
  debug_line(draw, origin, placed->hit, RAY_THICKNESS, color);
  debug_point(draw, placed->hit, 2 * RAY_THICKNESS, color);
  debug_arrow(draw, placed->hit, tip, 1.5f * RAY_THICKNESS, color);
  if (refused)
    debug_label(draw, tip, color, "%s", foot_refusal_name(placed->refusal));
}

// The knee bends about its x axis, so the thigh's z axis is where it points.
static void debug_leg(const FootPlacement *placed, const Leg *leg, const ModelPose *model, DebugDraw *draw) {
  vec3s forward = glms_quat_rotatev(model->rotation[leg->hip], (vec3s){{0, 0, POLE_LENGTH}});
  double goal[3], knee[3], pole[3];
  for (int k = 0; k < 3; k++) {
    goal[k] = (double)placed->ankle_goal.raw[k];
    knee[k] = (double)model->position[leg->knee].raw[k];
    pole[k] = knee[k] + (double)forward.raw[k];
  }
  debug_point(draw, goal, 0.02f, IK_COLOR);
  debug_arrow(draw, knee, pole, 0.01f, IK_COLOR);
  if (placed->missing > SHOWN_MISSING)
    debug_label(draw, goal, IK_COLOR, "%.0f mm short", 1000 * (double)placed->missing);
}

void footing_debug(const Footing *footing, const Skeleton *skeleton, const Pose *pose_w, DebugDraw *draw) {
  ModelPose model;
  pose_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    if (!footing->placed[i].used)
      continue;
    debug_group(draw, DEBUG_FEET);
    debug_ray(&footing->placed[i], draw);
    debug_group(draw, DEBUG_IK);
    debug_leg(&footing->placed[i], &skeleton->legs[i], &model, draw);
  }
}
