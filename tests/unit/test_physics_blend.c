// Legs that are partly physical: how far a mixed foot is from its hip when both legs are straight, all but straight,
// and bent.
#include "ragdoll/shown/physics_blend.h"
#include "tests/fixture.h"

static const float TOLERANCE = 3e-5f; // m

// A pose whose left leg is turned forward, with the knee bent, rad, and its bones longer by a factor.
static Pose leg_pose(const Skeleton *skeleton, float forward, float bent, float longer) {
  const Leg *leg = &skeleton->legs[0];
  Pose pose = pose_bind(skeleton);
  pose.rotation[leg->hip] = quat_exp((vec3s){{-forward, 0, 0}});
  pose.rotation[leg->knee] = quat_exp((vec3s){{bent, 0, 0}});
  pose.position[leg->knee] = glms_vec3_scale(pose.position[leg->knee], longer);
  pose.position[leg->ankle] = glms_vec3_scale(pose.position[leg->ankle], longer);
  return pose;
}

static vec3s hip_to_ankle(const Skeleton *skeleton, const Pose *pose) {
  ModelPose model;
  pose_to_model(skeleton, pose, &model);
  return glms_vec3_sub(model.position[skeleton->legs[0].ankle], model.position[skeleton->legs[0].hip]);
}

// By the formula in words: a leg that would be shorter by s than by its joints' angles becomes so by s^2 / (s + 16 mm)
// if it is straight; below 93 % of its length it is shorter by s, and between both it goes over.
static float expected(const Skeleton *skeleton, const Pose *a, const Pose *b, float weight) {
  Pose mixed;
  float weights[BODY_MAX_PARTS];
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    weights[i] = weight;
  pose_blend(a, b, 0, weights, &mixed);
  const float length = glms_vec3_norm(hip_to_ankle(skeleton, &mixed));
  const float wanted = glms_vec3_norm(glms_vec3_lerp(hip_to_ankle(skeleton, a), hip_to_ankle(skeleton, b), weight));
  const float share = length / skeleton_leg_length(skeleton, &skeleton->legs[0]), s = length - wanted;
  const float straight = share < 0.93f ? 0 : share > 1 ? 1 : (share - 0.93f) / 0.07f;
  return straight > 0 && s > 0 ? length - s * s / (s + straight * 0.016f) : wanted;
}

static void straight_legs_bend_little(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  // Turned forward and backward, bent, longer.
  static const float cases[][4] = {{0.15f, 0.15f, 0.02f, 1},  {0.3f, 0.1f, 0.1f, 1},    {0.2f, 0.2f, 0.5f, 1},
                                   {0.2f, 0.2f, 0.7f, 1},     {0.2f, 0.2f, 0.8f, 1},    {0.3f, 0.3f, 1.5f, 1},
                                   {0.2f, 0.2f, 0.05f, 1.1f}, {0.2f, 0.2f, 0.4f, 1.3f}, {0.25f, 0, 0.3f, 0.9f}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (float weight = 0.25f; weight < 0.9f; weight += 0.25f) {
      const float *c = cases[i];
      Pose a = leg_pose(skeleton, c[0], c[2], c[3]), b = leg_pose(skeleton, -c[1], c[2], c[3]), output;
      float weights[BODY_MAX_PARTS];
      for (int k = 0; k < BODY_MAX_PARTS; k++)
        weights[k] = weight;
      physics_blend(skeleton, &a, &b, weights, &output);
      const float length = glms_vec3_norm(hip_to_ankle(skeleton, &output)), right = expected(skeleton, &a, &b, weight);
      if (!(fabsf(length - right) < TOLERANCE))
        fail_msg("case %d, weight %g: %.6f m, not %.6f", (int)i, (double)weight, (double)length, (double)right);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(straight_legs_bend_little)};
  return cmocka_run_group_tests(tests, fixture_set_up_body, fixture_tear_down_body);
}
