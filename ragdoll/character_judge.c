// How a character's feet stand, and what its metrics see of each frame.
#include <math.h>
#include <string.h>

#include "ragdoll/character.h"
#include "sim/convert.h"

// A foot stands flat when heel and toe are equally high over the ground within this.
static const double FLAT_FOOT = 0.02; // m

static void place_on_foot(const ModelPose *pose_w, int ankle, vec3s point_l, double point_w[3]) {
  vec3s turned = glms_quat_rotatev(pose_w->rotation[ankle], point_l);
  vec3_to_ode(glms_vec3_add(pose_w->position[ankle], turned), point_w);
}

static double clearance(const Ground *ground, const double point[3]) {
  double height;
  return ground->height(ground->context, point[0], point[2], &height, NULL) ? point[1] - height : HUGE_VAL;
}

static MetricsFoot measure_foot(const Character *character, const ModelPose *pose_w, const Leg *leg) {
  const Ground *ground = &character->ground;
  MetricsFoot foot = {0};
  double heel[3], toe[3];
  place_on_foot(pose_w, leg->ankle, leg->sole_l, foot.sole);
  place_on_foot(pose_w, leg->ankle, leg->heel_l, heel);
  place_on_foot(pose_w, leg->ankle, leg->toe_l, toe);
  foot.heel_clearance = clearance(ground, heel);
  foot.toe_clearance = clearance(ground, toe);
  double height, normal[3] = {0, 1, 0}, up[3];
  ground->height(ground->context, foot.sole[0], foot.sole[2], &height, normal);
  vec3_to_ode(glms_quat_rotatev(pose_w->rotation[leg->ankle], (vec3s){{0, 1, 0}}), up);
  double cosine = up[0] * normal[0] + up[1] * normal[1] + up[2] * normal[2];
  foot.angle_error = acos(fmax(-1, fmin(1, cosine)));
  versors knee = glms_quat_mul(glms_quat_conjugate(pose_w->rotation[leg->hip]), pose_w->rotation[leg->knee]);
  foot.knee_angle = (double)quat_angle_between(knee, glms_quat_identity());
  return foot;
}

// Whether a standing foot is flat on the ground: slip, float and angle of a sole mean nothing while it rolls off.
static bool is_flat(const MetricsFoot *foot) { return fabs(foot->heel_clearance - foot->toe_clearance) < FLAT_FOOT; }

// Share of the cycle since the leg's last touch-down in the move clip; 0 where there is none.
static float foot_phase(const Character *character, int leg) {
  double time, pace;
  const Clip *clip = character_stepping_clip(character, &time, &pace);
  const ClipContact *contact = clip ? clip_first_contact(clip, leg) : NULL;
  if (!contact)
    return 0;
  float phase = ((float)time - contact->begin) / clip->duration;
  return phase - floorf(phase);
}

void character_measure_feet(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose measured;
  pose_to_model(skeleton, &character->measured, &measured);
  for (int i = 0; i < skeleton->leg_count; i++) {
    MetricsFoot foot = measure_foot(character, &measured, &skeleton->legs[i]);
    FootState *state = &character->feet[i];
    memcpy(state->position, foot.sole, sizeof state->position);
    state->clearance = fmin(foot.heel_clearance, foot.toe_clearance);
    state->ground_height = state->position[1] - clearance(&character->ground, state->position);
    state->planted = character->foot_loaded[i];
    state->flat = character->foot_loaded[i] && is_flat(&foot);
    state->phase = foot_phase(character, i);
  }
}

void character_judge(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose measured, output;
  pose_to_model(skeleton, &character->measured, &measured);
  pose_to_model(skeleton, &character->output, &output);
  const Pose *poses[3] = {&character->target, &character->measured, &character->output};
  MetricsFrame frame = {
      .time = character->world->time, .joint_count = skeleton->count, .foot_count = skeleton->leg_count};
  for (int i = 0; i < 3; i++) {
    frame.rotation[i] = (const float(*)[4])(const void *)poses[i]->rotation;
    memcpy(frame.root_position[i], poses[i]->position[0].raw, sizeof frame.root_position[i]);
  }
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    frame.measured_feet[i] = measure_foot(character, &measured, leg);
    frame.output_feet[i] = measure_foot(character, &output, leg);
    bool animated_contact = character->foot_plans[i].standing;
    frame.measured_feet[i].planted = character->foot_loaded[i] && is_flat(&frame.measured_feet[i]);
    frame.output_feet[i].planted = animated_contact && is_flat(&frame.output_feet[i]);
  }
  metrics_frame(character->metrics, &frame);
}
