// A clip's plans of its feet: whether they stand, how far their swings are, where they will land.
#include "anim/mirror.h"
#include "tests/unit/foot_placement_fixture.h"

static void load(Stroll *stroll, const char *clip, double speed, double heading) {
  static Stage stage;
  stroll_load(stroll, clip);
  stroll->placed = false;
  stroll->ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll->speed = speed;
  stroll_start(stroll, 1, -2, heading, 0);
}

static void test_landings_are_where_feet_then_stand(void **state) {
  (void)state;
  static Stroll stroll;
  const struct {
    const char *clip;
    double speed, heading;
  } walks[] = {{"clips/walk.yaml", 1.3, 0.4}, {"clips/walk.yaml", 0.6, -2}, {"clips/run.yaml", 3.5, 1}};
  for (int w = 0; w < 3; w++) {
    load(&stroll, walks[w].clip, walks[w].speed, walks[w].heading);
    double foreseen[2][3], progress[2] = {0};
    int landings = 0;
    stroll_on(&stroll, 1.0 / 60);
    bool swings[2] = {!stroll.plans[0].standing, !stroll.plans[1].standing};
    for (int l = 0; l < 2; l++) {
      const FootPlan *plan = &stroll.plans[l];
      memcpy(foreseen[l], (double[3]){plan->landing[0], plan->landing[1], plan->landing_yaw}, sizeof foreseen[l]);
    }
    for (int i = 0; i < 300; i++) {
      bool swung[2] = {swings[0], swings[1]};
      stroll_on(&stroll, 1.0 / 60);
      for (int l = 0; l < 2; l++) {
        const FootPlan *plan = &stroll.plans[l];
        swings[l] = !plan->standing;
        assert_true(plan->known && !plan->on_ground);
        assert_true(plan->progress >= 0 && plan->progress <= 1);
        if (swings[l] && !swung[l]) { // lift-off: the whole swing lies ahead
          memcpy(foreseen[l], (double[3]){plan->landing[0], plan->landing[1], plan->landing_yaw}, sizeof foreseen[l]);
          assert_true(plan->progress < 0.1 && plan->time_left > 0.2);
        } else if (swings[l]) {
          assert_true(plan->progress > progress[l] && plan->time_left > 0);
          assert_true(fabs(plan->landing[0] - foreseen[l][0]) < 1e-3 && fabs(plan->landing[1] - foreseen[l][1]) < 1e-3);
        } else if (swung[l]) {
          assert_true(plan->time_left == 0 && plan->progress == 1);
          assert_true(hypot(plan->landing[0] - foreseen[l][0], plan->landing[1] - foreseen[l][1]) < 0.005);
          assert_true(fabs(wrap_angle(plan->landing_yaw - foreseen[l][2])) < 0.02);
          landings++;
        }
        progress[l] = plan->progress;
      }
    }
    assert_true(landings >= 4);
    stroll_free(&stroll);
  }
}

// From the heel's strike to the toes' leave it is one footprint.
static void test_a_stance_is_one_print(void **state) {
  (void)state;
  static Stroll stroll;
  load(&stroll, "clips/walk.yaml", 1.3, 0);
  double print[2][2];
  bool stood[2] = {false, false};
  for (int i = 0; i < 300; i++) {
    stroll_on(&stroll, 1.0 / 60);
    for (int l = 0; l < 2; l++) {
      const FootPlan *plan = &stroll.plans[l];
      if (plan->standing && !stood[l])
        memcpy(print[l], plan->landing, sizeof print[l]);
      if (plan->standing)
        assert_true(hypot(plan->landing[0] - print[l][0], plan->landing[1] - print[l][1]) < 0.005);
      stood[l] = plan->standing;
    }
  }
  stroll_free(&stroll);
}

static void test_a_foot_that_stays_stands(void **state) {
  (void)state;
  static Stroll stroll;
  load(&stroll, "clips/walk.yaml", 1.3, 0);
  FootRoot root = {.rotation = glms_quat_identity(), .velocity = {0, 0, 1.3}, .still = 1};
  FootPlan plans[2];
  for (int i = 0; i < 10; i++) {
    foot_plan_from_clip(&stroll.landings, 0.1 * i, 1, &root, &stroll.pose, plans);
    assert_true(plans[0].known && plans[0].standing && plans[1].known && plans[1].standing);
  }
  foot_plan_from_clip(&stroll.landings, 0, 1, &root, NULL, plans);
  assert_true(plans[0].standing && plans[1].standing && plans[0].landing_yaw == 0 && plans[0].heel == 0);
  foot_plan_standing(&stroll.body->skeleton, NULL, plans);
  assert_true(plans[0].known && plans[0].standing && plans[1].known && plans[1].standing);
  foot_plan_standing(&stroll.body->skeleton, &stroll.pose, plans);
  for (int l = 0; l < 2; l++) {
    const Leg *leg = &stroll.body->skeleton.legs[l];
    double middle[2], yaw;
    FootPoints points = foot_points(leg, stroll.animated.position[leg->ankle], stroll.animated.rotation[leg->ankle]);
    foot_print(leg, &points, middle, &yaw);
    assert_true(plans[l].known && plans[l].standing && plans[l].progress == 1 && plans[l].time_left == 0);
    assert_true(plans[l].landing[0] == middle[0] && plans[l].landing[1] == middle[1] && plans[l].landing_yaw == yaw);
  }
  stroll_free(&stroll);
}

static void test_clips_without_contacts_have_no_plans(void **state) {
  (void)state;
  static Stroll stroll;
  load(&stroll, "clips/punch.yaml", 0, 0);
  Clip clip = *stroll.clip;
  clip.contact_count = 0;
  FootLandings landings;
  FootPlan plans[2];
  FootRoot root = {.rotation = glms_quat_identity()};
  foot_landings_find(&landings, &clip, false, 1);
  foot_plan_from_clip(&landings, 0.1, 1, &root, &stroll.pose, plans);
  assert_false(plans[0].known || plans[1].known || landings.known[0]);
  stroll_free(&stroll);
}

// A mirrored clip's plan of a foot is the mirror image of the clip's plan of its twin.
static void test_mirrored_clips_plan_mirrored_steps(void **state) {
  (void)state;
  static Stroll stroll;
  load(&stroll, "clips/walk.yaml", 1.3, 0);
  const Skeleton *skeleton = &stroll.body->skeleton;
  const FootRoot root = {.position = {0.5, 0, 1}, .rotation = glms_quat_identity(), .velocity = {0.2, 0, 1.3}};
  const FootRoot image_root = {.position = {-0.5, 0, 1}, .rotation = glms_quat_identity(), .velocity = {-0.2, 0, 1.3}};
  FootLandings mirrored;
  foot_landings_find(&mirrored, stroll.clip, true, 1);
  int swings = 0;
  for (float time = 0; time < stroll.clip->duration; time += 0.02f) {
    Pose pose, image;
    FootPlan plans[2], images[2];
    clip_sample(stroll.clip, time, &pose);
    mirror_pose(skeleton, &pose, &image);
    pose_transform(&pose, (vec3s){{0.5f, 0, 1}}, root.rotation);
    pose_transform(&image, (vec3s){{-0.5f, 0, 1}}, image_root.rotation);
    foot_plan_from_clip(&stroll.landings, (double)time, 1, &root, &pose, plans);
    foot_plan_from_clip(&mirrored, (double)time, 1, &image_root, &image, images);
    for (int l = 0; l < 2; l++) {
      const FootPlan *plan = &plans[l], *other = &images[mirror_leg(skeleton, l)];
      assert_true(other->known && other->standing == plan->standing);
      assert_true(other->progress == plan->progress && other->time_left == plan->time_left);
      assert_true(hypot(other->landing[0] + plan->landing[0], other->landing[1] - plan->landing[1]) < 1e-5);
      assert_true(fabs(wrap_angle(other->landing_yaw + plan->landing_yaw)) < 1e-5);
      swings += !plan->standing;
    }
  }
  assert_true(swings > 10);
  stroll_free(&stroll);
}

static void test_prints_pivot_about_the_supported_end(void **state) {
  (void)state;
  const Leg leg = {.heel_l = {{0, -0.07f, -0.08f}}, .toe_l = {{0, -0.07f, 0.18f}}, .sole_l = {{0, -0.07f, 0.05f}}};
  for (int pitch = -60; pitch <= 85; pitch += 5) {
    // Toes down for positive angles; the supported end stays at its place.
    versors turn = glms_quatv((float)(pitch * RAD_PER_DEGREE), (vec3s){{1, 0, 0}});
    versors heading = glms_quatv(0.6f, (vec3s){{0, 1, 0}});
    versors foot = glms_quat_mul(heading, turn);
    vec3s end = pitch > 0 ? leg.toe_l : leg.heel_l;
    vec3s place = glms_quat_rotatev(heading, end);
    vec3s ankle = glms_vec3_sub(place, glms_quat_rotatev(foot, end));
    double middle[2], yaw;
    FootPoints points = foot_points(&leg, ankle, foot);
    foot_print(&leg, &points, middle, &yaw);
    vec3s flat = glms_quat_rotatev(heading, leg.sole_l);
    assert_true(fabs(yaw - 0.6) < 1e-5);
    assert_true(hypot(middle[0] - (double)flat.x, middle[1] - (double)flat.z) < 1e-5);
  }
}

static void test_refusals_have_names(void **state) {
  (void)state;
  assert_string_equal(foot_refusal_name(FOOT_NOT_REFUSED), "");
  for (int i = FOOT_NOT_REFUSED + 1; i < FOOT_REFUSAL_COUNT; i++)
    assert_true(strlen(foot_refusal_name((FootRefusal)i)) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_landings_are_where_feet_then_stand),
      cmocka_unit_test(test_a_stance_is_one_print),
      cmocka_unit_test(test_a_foot_that_stays_stands),
      cmocka_unit_test(test_clips_without_contacts_have_no_plans),
      cmocka_unit_test(test_mirrored_clips_plan_mirrored_steps),
      cmocka_unit_test(test_prints_pivot_about_the_supported_end),
      cmocka_unit_test(test_refusals_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
