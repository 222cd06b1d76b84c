// Measures the feet of the measured and of the output pose against the ground, for traces and metrics, and counts
// refused stances.
#include "ragdoll/character/character_feet.h"

#include <math.h>
#include <string.h>

#include "anim/mirror.h"
#include "ragdoll/character/character_metrics.h"
#include "ragdoll/shown/sole_fit.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// m: a foot stands flat when the heights of heel and toe above their support differ by less than this, and likewise in
// the animation above its own ground (a foot across an edge may look flat while it still rolls).
static const double FLAT_FOOT = 0.02; // m

// m: some part of the sole of a planted foot is closer to the ground than this.
static const double ON_GROUND = 0.005; // m

// m: height of a sole above the ground above which a stance is in the air; height of the animation's sole above its own
// ground above which it is lifted.
static const double IN_AIR = 0.05, LIFTED = 0.003;

static FootPoints points_of(const ModelPose *pose_w, const Leg *leg) {
  return foot_points(leg, pose_w->position[leg->ankle], pose_w->rotation[leg->ankle]);
}

static double clearance(const Ground *ground, const double point[3]) {
  double height;
  return ground->height(ground->context, point[0], point[2], point[1] + GROUND_OVER_SOLE, &height, NULL)
             ? point[1] - height
             : HUGE_VAL;
}

// The position of a foot, standing or not.
static MetricsFoot measure_foot(const Character *character, const ModelPose *pose_w, const Leg *leg,
                                const FootPoints *points) {
  const Ground *ground = &character->ground;
  MetricsFoot foot = {.standing = false};
  double heel[3], toe[3];
  vec3_to_ode(points->sole, foot.sole);
  vec3_to_ode(points->heel, heel);
  vec3_to_ode(points->toe, toe);
  vec3_to_ode(pose_w->position[leg->ankle], foot.ankle);
  foot.heel_clearance = clearance(ground, heel);
  foot.toe_clearance = clearance(ground, toe);
  foot.sole_clearance = clearance(ground, foot.sole);
  versors knee = glms_quat_mul(glms_quat_conjugate(pose_w->rotation[leg->hip]), pose_w->rotation[leg->knee]);
  foot.knee_angle = (double)quat_angle_between(knee, glms_quat_identity());
  return foot;
}

// Adds the measurements of a standing foot. place: m, x and z of the point that carries it. The slip of a sole is
// meaningless while it rolls.
static void measure_stance(const Character *character, const ModelPose *pose_w, int index, const FootPoints *points,
                           MetricsFoot *foot, double place[2]) {
  const Leg *leg = &character->def->body->skeleton.legs[index];
  const FootPlan *plan = &character->foot_plans[index];
  double heel[3], toe[3], up[3];
  vec3_to_ode(points->heel, heel);
  vec3_to_ode(points->toe, toe);
  vec3_to_ode(glms_quat_rotatev(pose_w->rotation[leg->ankle], (vec3s){{0, 1, 0}}), up);
  SoleFit fit = sole_fit(&character->ground, heel, toe);
  double cosine = up[0] * fit.normal[0] + up[1] * fit.normal[1] + up[2] * fit.normal[2];
  bool flat = fabs(fit.rise) < FLAT_FOOT && fabs(plan->heel - plan->toe) < FLAT_FOOT;
  foot->planted = flat && fit.lift <= ON_GROUND;
  foot->depth = fit.depth;
  foot->lift = fit.lift;
  foot->gap = fit.gap;
  foot->angle_error = angle_of_cosine(cosine);
  place[0] = fit.place[0];
  place[1] = fit.place[1];
}

// Share of the cycle since the leg's last touchdown in the move clip; 0 without one.
static float foot_phase(const Character *character, int leg) {
  SteppingClip stepping = character_stepping_clip(character);
  const Clip *clip = stepping.clip;
  if (!clip)
    return 0;
  const ClipContact *contact = clip_first_contact(clip, stepping.mirrored ? mirror_leg(clip->skeleton, leg) : leg);
  if (!contact)
    return 0;
  float phase = ((float)stepping.time - contact->begin) / clip->duration;
  return phase - floorf(phase);
}

// Whether a foot may stand in any of the poses: the animation lets it stand, or the foot of the body carries load. The
// answer is the same for all poses, so that equal poses have equal stances. Load alone would miss a foot of the body
// that still slides and hardly touches the ground. The contacts of a kinematic body carry no load.
static bool may_stand(const Character *character, int index) {
  bool loaded = character->sensed.foot_loaded[index] && !character->drive.def.kinematic;
  return character->foot_plans[index].standing || loaded;
}

// Measures a foot of a pose. place: m, x and z of the point that carries it; a swinging foot is measured relative to
// the ground that moves with the root.
static MetricsFoot find_foot(const Character *character, const ModelPose *pose_w, int index, bool standing,
                             double place[2]) {
  const Leg *leg = &character->def->body->skeleton.legs[index];
  FootPoints points = points_of(pose_w, leg);
  MetricsFoot foot = measure_foot(character, pose_w, leg, &points);
  foot.standing = standing;
  place[0] = character->root.position[0];
  place[1] = character->root.position[2];
  if (standing || may_stand(character, index))
    measure_stance(character, pose_w, index, &points, &foot, place);
  return foot;
}

// Measures a foot of the body; also stores its state for others than the metrics.
static MetricsFoot find_measured_foot(Character *character, const ModelPose *measured, int index, double place[2]) {
  MetricsFoot foot = find_foot(character, measured, index, character->sensed.foot_loaded[index], place);
  FootState *state = &character->judged->feet[index];
  memcpy(state->position, foot.sole, sizeof state->position);
  state->clearance = fmin(foot.heel_clearance, foot.toe_clearance);
  state->ground_height = foot.sole[1] - foot.sole_clearance;
  state->planted = foot.standing;
  state->flat = foot.planted;
  state->phase = foot_phase(character, index);
  return foot;
}

void character_measure_feet(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose measured;
  pose_legs_to_model(skeleton, &character->sensed.pose, &measured);
  double place[2];
  for (int i = 0; i < skeleton->leg_count; i++)
    find_measured_foot(character, &measured, i, place);
}

void character_count_refusals(const Character *character) {
  if (character->down || character->root.airborne)
    return;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++) {
    const FootPlan *plan = &character->foot_plans[i];
    bool refused = plan->known && plan->refused_now && plan->refusal != FOOT_NOT_REFUSED;
    if (refused)
      metrics_refusal(character->judged->metrics, plan->refusal);
    bool *counted = &character->judged->refused[i];
    *counted = refused || (*counted && plan->known && plan->standing);
  }
}

// Whether the output pose shows the leg, or a part that carries it, at least partly from the body, or has moved its
// foot away from the animation's.
static bool is_physical(const Character *character, int leg) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  int joint = skeleton->legs[leg].ankle;
  if (character->shown.foot_lock.active[leg])
    return true;
  while (joint >= 0 && character->shown.blend[joint] <= 0)
    joint = skeleton->parent[joint];
  return joint >= 0;
}

// Whether the plan contains the foot's place before foot placement; otherwise these fields are 0.
static bool tells_animated(const FootPlan *plan) {
  return !plan->on_ground && (plan->animated[0] != 0 || plan->animated[1] != 0 || plan->animated[2] != 0);
}

// Fills the plan of a foot that was not moved from the target's place: on the animation's ground or, by its layer, on
// the true one.
static void plan_from_target(const Character *character, const ModelPose *target, const Leg *leg, bool on_ground,
                             MetricsPlan *plan) {
  FootPoints points = points_of(target, leg);
  MetricsFoot foot = measure_foot(character, target, leg, &points);
  memcpy(plan->animated, foot.sole, sizeof plan->animated);
  if (on_ground) {
    plan->heel = foot.heel_clearance;
    plan->toe = foot.toe_clearance;
    plan->clearance = fmin(fmin(plan->heel, plan->toe), foot.sole_clearance);
    return;
  }
  plan->heel = (double)points.heel.y - character->root.position[1];
  plan->toe = (double)points.toe.y - character->root.position[1];
  plan->clearance = fmin(plan->heel, plan->toe);
}

static void judge_plans(const Character *character, MetricsPlan plans[]) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose target;
  bool made = false;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const FootPlan *plan = &character->foot_plans[i];
    plans[i] = (MetricsPlan){.known = plan->known,
                             .progress = plan->progress,
                             .clearance = plan->clearance,
                             .heel = plan->heel,
                             .toe = plan->toe};
    memcpy(plans[i].animated, plan->animated, sizeof plans[i].animated);
    plans[i].physical = is_physical(character, i);
    if (!plan->known || tells_animated(plan))
      continue;
    if (!made)
      pose_legs_to_model(skeleton, &character->target, &target);
    made = true;
    plan_from_target(character, &target, &skeleton->legs[i], plan->on_ground, &plans[i]);
  }
}

// Counts a stance that is shown in the air although it was not refused.
static void count_stance_in_air(const Character *character, int index, const MetricsFoot *foot) {
  const FootPlan *plan = &character->foot_plans[index];
  bool *counted = &character->judged->refused[index];
  bool stands = plan->known && plan->standing && tells_animated(plan) && fmin(plan->heel, plan->toe) < LIFTED;
  if (!stands || *counted || !(foot->lift > IN_AIR) || is_physical(character, index))
    return;
  *counted = true;
  metrics_refusal(character->judged->metrics, FOOT_NO_GROUND);
}

// Moves a foot's measurements into a frame that moves with its ground.
static void foot_on_platform(const Character *character, const double place[2], FootPlatform *platform,
                             MetricsFoot *foot) {
  double from = foot->sole[1] + GROUND_OVER_SOLE;
  foot_platform_frame(platform, character->world, place, from);
  foot_platform_point(platform, foot->sole);
  foot_platform_point(platform, foot->ankle);
}

void character_sample_feet(Character *character, const ModelPose *measured, const ModelPose *output,
                           MetricsFrame *frame) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  frame->foot_count = skeleton->leg_count;
  judge_plans(character, frame->plans);
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootPlatform *on_output = &character->judged->output_platforms[i];
    double measured_place[2], output_place[2];
    MetricsFoot *body_foot = &frame->measured_feet[i], *shown_foot = &frame->output_feet[i];
    bool standing = character->foot_plans[i].standing;
    *body_foot = find_measured_foot(character, measured, i, measured_place);
    if (output == measured) { // the output pose is that of the body
      *shown_foot = *body_foot;
      shown_foot->standing = standing;
      memcpy(output_place, measured_place, sizeof output_place);
    } else {
      *shown_foot = find_foot(character, output, i, standing, output_place);
    }
    if (!frame->lost)
      count_stance_in_air(character, i, shown_foot);
    foot_on_platform(character, measured_place, &character->judged->measured_platforms[i], body_foot);
    foot_on_platform(character, output_place, on_output, shown_foot);
    foot_platform_point(on_output, frame->plans[i].animated); // so that motion of the ground is not taken for a jump
  }
}
