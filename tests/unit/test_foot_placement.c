// Foot placement: its numbered checks.
#include "tests/unit/foot_placement_fixture.h"

#include <pthread.h>

#include "anim/mirror.h"

static const double DEG = RAD_PER_DEGREE;

static void length_of_rays(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.def.foot_height = 0.1;
  stand.def.foot_length = 0.22;
  stand.def.foot_half_width = 0.05;
  stand.def.extra_ray_distance = 0;
  reread(&stand);
  stand.stage.shortest = INFINITY;
  animate(&stand);
  const PlacedLeg *leg = &stand.def.legs[0];
  FootRange range = foot_range(&stand.def, leg, 0);
  double middle[2] = {0, 0};
  foot_ground_find(&stand.def, leg, GROUND_ALL, &stand.step, middle, 0, &range);
  assert_true(stand.stage.rays == FOOT_RAYS);
  assert_true(fabs(stand.stage.shortest - 0.6) < 1e-12 && fabs(stand.stage.longest - 0.6) < 1e-12);
  tear_down(&stand);
}

static void check_plane(Stand *stand, double most_mm, double most_deg) {
  stand_still(stand);
  for (int leg = 0; leg < 2; leg++) {
    double errors[2], sole = sole_error(stand, leg);
    tilt_errors(stand, leg, errors);
    if (!(1e3 * sole <= most_mm) || !(fabs(errors[0]) <= most_deg * DEG) || !(fabs(errors[1]) <= most_deg * DEG))
      fail_msg("pitch %.0f roll %.0f heading %.0f, leg %d: %.2f mm off the ground, %.2f and %.2f deg",
               stand->stage.pitch / DEG, stand->stage.roll / DEG, stand->step.heading / DEG, leg, 1e3 * sole,
               errors[0] / DEG, errors[1] / DEG);
  }
}

static void soles_on_planes_stairs_noise(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  for (int slope = 0; slope <= 45; slope += 5)
    for (int way = 0; way < 12; way++) {
      double gradient = tan(slope * DEG), angle = way * 30 * DEG;
      stand.stage = (Stage){.pitch = atan(gradient * cos(angle)), .roll = atan(gradient * sin(angle))};
      stand.step.heading = way * 77 * DEG;
      check_plane(&stand, 5, 1);
    }
  // A foot beside the edge of a stair of 17 cm, on top and below.
  for (int i = 0; i < 2; i++) {
    stand.stage = (Stage){.step_at = i ? -0.09 : 0.2, .step_rise = 0.17};
    stand.step.heading = 0;
    check_plane(&stand, 5, 1);
  }
  // Waves of 1 cm: the sole spans them, so that its tilt in the middle is not the local normal's; its ends are on them.
  stand.stage = (Stage){.wave = 0.004};
  for (int i = 0; i < 20; i++) {
    stand.step.root_position[0] = 0.13 * i;
    stand.step.root_position[2] = 0.29 * i;
    stand_still(&stand);
    for (int leg = 0; leg < 2; leg++)
      assert_true(sole_error(&stand, leg) <= 0.005);
  }
  tear_down(&stand);
}

static void rotation_has_a_limit(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.def.steepest = 80;
  stand.stage.pitch = 60 * DEG;
  stand_still(&stand);
  for (int leg = 0; leg < 2; leg++) {
    double tilt = acos((double)foot_axis(&stand, leg, (vec3s){{0, 1, 0}}).y) / DEG;
    assert_true(fabs(tilt - 45) <= 0.1);
  }
  tear_down(&stand);
}

static void yaw_stays(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  for (int slope = 10; slope <= 40; slope += 10)
    for (int way = 0; way < 12; way++) {
      double gradient = tan(slope * DEG), angle = way * 30 * DEG;
      stand.stage = (Stage){.pitch = atan(gradient * cos(angle)), .roll = atan(gradient * sin(angle))};
      stand.step.heading = 0.7;
      stand_still(&stand);
      for (int leg = 0; leg < 2; leg++) {
        vec3s ahead = foot_axis(&stand, leg, (vec3s){{0, 0, 1}});
        double yaw = atan2((double)ahead.x, (double)ahead.z);
        assert_true(fabs(wrap_angle(yaw - 0.7)) <= 0.1 * DEG);
      }
    }
  tear_down(&stand);
}

static void fade_is_linear(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.def.plant = false;
  const double dt = 1.0 / 60, height = 0.1;
  stand.stage = (Stage){.raised = height};
  stand_still(&stand);
  const Leg *leg = &stand.body->skeleton.legs[0];
  for (int found = 0; found < 2; found++) {
    stand.stage.hole_from = found ? 0 : -10;
    stand.stage.hole_to = found ? 0 : 10;
    double before = (double)stand.shown.position[leg->ankle].y;
    for (int i = 1; i <= 20; i++) {
      apply(&stand, dt);
      double gone = fmin(i * dt / 0.2, 1), weight = found ? gone : 1 - gone;
      assert_true(fabs(stand.placement.feet[0].weight - weight) <= dt / 0.2 + 1e-9);
      double now = (double)stand.shown.position[leg->ankle].y;
      assert_true(fabs(now - before) <= height / 0.2 * dt * 1.001 + 1e-5);
      before = now;
    }
  }
  tear_down(&stand);
}

// Largest displacement of the supported part in any stance of a walk, m.
static double walk_slip(Stroll *stroll, double dt, double duration) {
  double worst = 0, start[STROLL_LEGS][2][2];
  bool bears[STROLL_LEGS][2] = {{false}};
  for (double time = 0; time < duration; time += dt) {
    stroll_on(stroll, dt);
    for (int l = 0; l < STROLL_LEGS; l++)
      for (int end = 0; end < 2; end++) {
        const Leg *leg = &stroll->body->skeleton.legs[l];
        double animated[3], shown[3];
        sole_point(&stroll->animated, leg, end ? leg->toe_l : leg->heel_l, animated);
        sole_point(&stroll->shown, leg, end ? leg->toe_l : leg->heel_l, shown);
        bool bearing = stroll->plans[l].standing && animated[1] - stroll->step.root_position[1] < 0.001;
        if (bearing && !bears[l][end]) {
          start[l][end][0] = shown[0];
          start[l][end][1] = shown[2];
        }
        bears[l][end] = bearing;
        if (bearing)
          worst = fmax(worst, hypot(shown[0] - start[l][end][0], shown[2] - start[l][end][1]));
      }
  }
  return worst;
}

static void planted_feet_do_not_slip(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.wave = 0.01};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1.3;
  const double turns[] = {0, 0.3};
  for (int i = 0; i < 2; i++) {
    stroll.turn_rate = turns[i];
    stroll_start(&stroll, 0, 0, 0, 0.2);
    double slip = walk_slip(&stroll, 1.0 / 60, 8);
    if (!(slip <= 0.001))
      fail_msg("turning at %.1f rad/s: slip %.2f mm", turns[i], 1e3 * slip);
  }
  // Without planting a turn drags the feet along.
  stroll.def.plant = false;
  stroll_start(&stroll, 0, 0, 0, 0.2);
  assert_true(walk_slip(&stroll, 1.0 / 60, 8) > 0.005);
  stroll_free(&stroll);

  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.crouch = 0.1;
  stand_still(&stand);
  stand.stage.raised = 0.05;
  apply(&stand, 1.0 / 60);
  assert_true(sole_error(&stand, 0) < 1e-4 && sole_error(&stand, 1) < 1e-4);
  tear_down(&stand);
}

static FootGround find_ground(Stand *stand, unsigned mask) {
  const double middle[2] = {0.1, 0.05};
  FootRange range = foot_range(&stand->def, &stand->def.legs[0], 0);
  return foot_ground_find(&stand->def, &stand->def.legs[0], mask, &stand->step, middle, 0, &range);
}

static void toe_over_a_ledge(void **state) { // the normals of the other rays give the pitch
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.stage = (Stage){.pitch = 10 * DEG, .hole_from = 0.15, .hole_to = 9};
  FootGround ground = find_ground(&stand, GROUND_ALL);
  assert_true(ground.found && ground.supported == 4 && !ground.met[1]);
  assert_true(fabs(acos(ground.normal[1]) - 10 * DEG) < 1e-6);
  tear_down(&stand);
}

static void heel_over_a_ledge(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.stage = (Stage){.pitch = 10 * DEG, .hole_from = -9, .hole_to = -0.05};
  FootGround ground = find_ground(&stand, GROUND_ALL);
  assert_true(ground.found && ground.supported == 4 && !ground.met[2]);
  assert_true(fabs(acos(ground.normal[1]) - 10 * DEG) < 1e-6);
  tear_down(&stand);
}

static void foot_over_a_ledge_stays_level(void **state) { // no false pitch: it stands level on the higher side
  (void)state;
  Stand stand;
  set_up(&stand);
  for (int i = 0; i < 2; i++) {
    stand.stage = (Stage){.step_at = i ? 0.1 : -0.05, .step_rise = 0.17};
    FootGround ground = find_ground(&stand, GROUND_ALL);
    assert_true(ground.found && ground.supported < FOOT_RAYS);
    assert_true(ground.normal[1] == 1 && fabs(ground.place[1] - 0.17) < 1e-12);
  }
  tear_down(&stand);
}

static void rays_miss_the_own_body(void **state) { // the mask excludes what is not ground
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.stage.body = 0.2;
  assert_true(fabs(find_ground(&stand, GROUND_ALL).place[1] - 0.2) < 1e-12);
  assert_true(fabs(find_ground(&stand, GROUND_TERRAIN | GROUND_PLATFORMS).place[1]) < 1e-12);
  begin(&stand);
  foot_placement_set_ray_mask(&stand.placement, GROUND_TERRAIN);
  for (int i = 0; i < 60; i++)
    apply(&stand, 1.0 / 60);
  assert_true(sole_error(&stand, 0) < 1e-4);
  tear_down(&stand);
}

static void ground_too_high(void **state) { // a step of 0.6 m: refused, the animation stays
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.stage.raised = 0.6;
  FootGround ground = find_ground(&stand, GROUND_ALL);
  assert_true(!ground.found && ground.refusal == FOOT_TOO_HIGH);
  stand_still(&stand);
  for (int i = 0; i < stand.pose.count; i++)
    assert_true(glms_vec3_distance(stand.shown.position[i], stand.animated.position[i]) < 1e-6f);
  assert_true(stand.plans[0].refusal == FOOT_TOO_HIGH);
  assert_string_equal(foot_refusal_name(stand.plans[0].refusal), "too high");
  tear_down(&stand);
}

static void ground_too_steep(void **state) { // a wall
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.stage.pitch = 65 * DEG;
  FootGround ground = find_ground(&stand, GROUND_ALL);
  assert_true(!ground.found && ground.refusal == FOOT_TOO_STEEP);
  stand.stage.pitch = 59 * DEG;
  assert_true(find_ground(&stand, GROUND_ALL).found);
  tear_down(&stand);
}

static void ground_that_moves(void **state) { // carries a planted foot along, turns it, lifts it
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.stage.velocity[0] = 0.5;
  stand.stage.velocity[1] = 0.2;
  stand.stage.velocity[2] = -0.3;
  begin(&stand);
  const Leg *leg = &stand.body->skeleton.legs[0];
  const double dt = 1.0 / 60;
  double heel[3], now[3];
  apply(&stand, 0);
  sole_point(&stand.shown, leg, leg->heel_l, heel);
  for (int i = 0; i < 30; i++) { // half a second; the root moves along
    for (int k = 0; k < 3; k++)
      stand.step.root_position[k] += stand.stage.velocity[k] * dt;
    apply(&stand, dt);
    stand.stage.raised += stand.stage.velocity[1] * dt;
    sole_point(&stand.shown, leg, leg->heel_l, now);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(now[k] - heel[k] - stand.stage.velocity[k] * dt * (i + 1)) < 1e-4);
  }
  // The root stands while the ground moves: the foot moves with the ground.
  for (int i = 0; i < 20; i++) {
    apply(&stand, dt);
    stand.stage.raised += stand.stage.velocity[1] * dt;
  }
  double before = now[0];
  sole_point(&stand.shown, leg, leg->heel_l, now);
  assert_true(fabs(now[0] - before - 0.5 * 20 * dt) < 1e-3);
  // A carousel turns it.
  stand.stage = (Stage){.turn_rate = 1};
  memset(stand.step.root_position, 0, sizeof stand.step.root_position);
  stand_still(&stand); // long enough for the foot to be released
  begin(&stand);
  for (int i = 0; i < 30; i++)
    apply(&stand, dt);
  vec3s ahead = foot_axis(&stand, 0, (vec3s){{0, 0, 1}});
  assert_true(fabs(atan2((double)ahead.x, (double)ahead.z) - 0.5) < 0.02);
  tear_down(&stand);
}

static double leg_extension(const Stand *stand, int leg) {
  const Leg *l = &stand->body->skeleton.legs[leg];
  return (double)glms_vec3_distance(stand->shown.position[l->hip], stand->shown.position[l->ankle]) /
         stand->def.legs[leg].reach;
}

static void pelvis_drops_for_the_lower_foot(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.step.heading = 90 * DEG; // across the edge: the right foot is behind it
  for (int rise = 5; rise <= 25; rise += 5) {
    stand.stage = (Stage){.raised = 0};
    begin(&stand);
    apply(&stand, 1.0 / 60);
    stand.stage.step_rise = -rise / 100.0; // it is lowered
    double before = stand.placement.drop;
    for (int i = 0; i < 300; i++) {
      apply(&stand, 1.0 / 60);
      double drop = stand.placement.drop;
      assert_true(fabs(drop - before) <= 1.0 / 60 + 1e-9);
      before = drop;
    }
    for (int leg = 0; leg < 2; leg++) {
      if (!(sole_error(&stand, leg) < 1e-3) || !(leg_extension(&stand, leg) <= 0.99 + 1e-6))
        fail_msg("%d cm, leg %d: %.2f mm off the ground, %.4f of the leg", rise, leg, 1e3 * sole_error(&stand, leg),
                 leg_extension(&stand, leg));
    }
    assert_true(stand.placement.drop > 0 && stand.placement.drop < rise / 100.0);
  }
  // It is never raised.
  stand.stage = (Stage){.raised = 0.2};
  stand_still(&stand);
  assert_true(stand.placement.drop == 0);
  tear_down(&stand);
}

static void no_jitter_standing(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/idle.yaml");
  const Stage stages[] = {{.wave = 0.01}, {.pitch = 0.3, .roll = 0.2}, {.step_at = 0.1, .step_rise = 0.17}};
  for (int s = 0; s < 3; s++) {
    Stage stage = stages[s];
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, -0.3, 0, 0);
    for (int i = 0; i < 120; i++)
      stroll_on(&stroll, 1.0 / 60);
    enum { STEPS = 960 };
    for (int l = 0; l < 2; l++) {
      double sum[3] = {0}, squares[3] = {0}, jitter = 0;
      const Leg *leg = &stroll.body->skeleton.legs[l];
      for (int i = 0; i < STEPS; i++) {
        stroll_on(&stroll, 1.0 / 60);
        for (int k = 0; k < 3; k++) {
          double p = (double)stroll.shown.position[leg->ankle].raw[k];
          sum[k] += p;
          squares[k] += p * p;
        }
      }
      for (int k = 0; k < 3; k++)
        jitter += fmax(squares[k] / STEPS - sum[k] / STEPS * sum[k] / STEPS, 0);
      if (!(sqrt(jitter) <= 0.0005))
        fail_msg("stage %d, leg %d: %.3f mm RMS", s, l, 1e3 * sqrt(jitter));
      assert_true(stroll.placement.feet[l].ground.found && stroll.plans[l].refusal == FOOT_NOT_REFUSED);
    }
  }
  stroll_free(&stroll);
}

// The same walk over mirrored ground, mirrored.
static void mirror_walk(const Stroll *from, Stroll *to) {
  const Skeleton *skeleton = &from->body->skeleton;
  to->step = from->step;
  to->step.ground = &to->ground;
  to->step.pose_w = &to->pose;
  to->step.plans = to->plans;
  to->step.root_position[0] = -from->step.root_position[0];
  to->step.root_velocity[0] = -from->step.root_velocity[0];
  to->step.heading = -from->step.heading;
  to->step.turn_rate = -from->step.turn_rate;
  mirror_pose(skeleton, &from->animation, &to->pose);
  pose_to_model(skeleton, &to->pose, &to->animated);
  for (int i = 0; i < skeleton->leg_count; i++) {
    FootPlan *plan = &to->plans[mirror_leg(skeleton, i)];
    *plan = from->plans[i];
    plan->landing[0] = -plan->landing[0];
    plan->landing_yaw = -plan->landing_yaw;
  }
}

// How far any joint of the image is off the mirror image of the walk, m.
static double off_mirrored(const Stroll *stroll, const Stroll *image) {
  Pose mirrored;
  ModelPose model, shown;
  double worst = 0;
  mirror_pose(&stroll->body->skeleton, &image->pose, &mirrored);
  pose_to_model(&stroll->body->skeleton, &mirrored, &model);
  pose_to_model(&stroll->body->skeleton, &stroll->pose, &shown);
  for (int i = 0; i < shown.count; i++)
    worst = fmax(worst, (double)glms_vec3_distance(model.position[i], shown.position[i]));
  return worst;
}

static void mirrored_ground_mirrors_the_feet(void **state) {
  (void)state;
  static Stroll stroll, image;
  Stage stage = {.wave = 0.02, .step_at = 2, .step_rise = 0.12}, reflected = stage;
  reflected.mirrored = true;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll_load(&image, "clips/walk.yaml");
  const Skeleton *skeleton = &stroll.body->skeleton;
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  image.ground = (Ground){.context = &reflected, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1;
  for (int run = 0; run < 4; run++) {
    bool told = run % 2 == 1;
    stroll.turn_rate = run < 2 ? 0 : 0.5;
    stroll_start(&stroll, 0, 0, 0, 0.2);
    stroll_animate(&stroll);
    stroll.step.plans = told ? stroll.plans : NULL;
    foot_placement_init(&stroll.def, &stroll.placement, &stroll.step);
    mirror_walk(&stroll, &image);
    image.placement = (FootPlacement){.begun = false};
    image.step.plans = told ? image.plans : NULL;
    foot_placement_init(&image.def, &image.placement, &image.step);
    double worst = 0, joints = 0;
    for (int i = 0; i < 240; i++) {
      stroll_on(&stroll, 1.0 / 60);
      mirror_walk(&stroll, &image);
      image.step.plans = told ? image.plans : NULL;
      foot_placement_apply(&image.def, &image.placement, &image.step);
      for (int l = 0; l < 2; l++) {
        const PlacedFoot *a = &stroll.placement.feet[l], *b = &image.placement.feet[mirror_leg(skeleton, l)];
        worst = fmax(worst, fabs((double)(a->goal.x + b->goal.x)));
        worst = fmax(worst, fabs((double)(a->goal.y - b->goal.y)));
        worst = fmax(worst, fabs((double)(a->goal.z - b->goal.z)));
      }
      joints = fmax(joints, off_mirrored(&stroll, &image));
    }
    if (!(worst <= 2e-6 && joints <= 2e-5))
      fail_msg("%s plans, turning by %g rad/s: goals %.2g m, joints %.2g m", told ? "with" : "without",
               stroll.turn_rate, worst, joints);
  }
  stroll_free(&stroll);
  stroll_free(&image);
}

// The same ground elsewhere and turned, the same walk over it: the body is where the first one is, turned and moved.
static void turned_ground_turns_the_walk(void **state) {
  (void)state;
  static Stroll stroll, image;
  static const double headings[] = {0.7, -1.4};
  Stage stage = {.wave = 0.02, .step_at = 2, .step_rise = 0.12, .pitch = 0.1, .roll = -0.06};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll_load(&image, "clips/walk.yaml");
  for (int run = 0; run < 2; run++) {
    Stage turned = stage;
    turned.heading = headings[run];
    turned.at[0] = 1.5;
    turned.at[1] = -0.5;
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    image.ground = (Ground){.context = &turned, .ray = stage_ray, .height = stage_height};
    stroll.speed = image.speed = 1;
    stroll_start(&stroll, 0, 0, 0, 0.2);
    stroll_start(&image, turned.at[0], turned.at[1], turned.heading, 0.2);
    for (int i = 0; i < 240; i++) {
      stroll_on(&stroll, 1.0 / 60);
      stroll_on(&image, 1.0 / 60);
      for (int k = 0; k < stroll.pose.count; k++) {
        vec3s a = stroll.shown.position[k], b = image.shown.position[k];
        double place[2] = {(double)a.x, (double)a.z};
        turn_level(turned.heading, place, place);
        double x = place[0] + turned.at[0] - (double)b.x, z = place[1] + turned.at[1] - (double)b.z;
        double apart = hypot(hypot(x, z), (double)(a.y - b.y));
        if (!(apart <= 2e-5))
          fail_msg("heading %g, step %d: joint %d is %.2g m off", turned.heading, i, k, apart);
      }
    }
  }
  stroll_free(&stroll);
  stroll_free(&image);
}

static void plant_is_released(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  const Leg *leg = &stand.body->skeleton.legs[0];
  double start[3], now[3];
  stand_still(&stand);
  sole_point(&stand.shown, leg, leg->heel_l, start);
  for (int mm = 5; mm <= 400; mm += 5) {
    stand.step.root_position[2] = mm / 1000.0;
    apply(&stand, 1.0 / 60);
    bool held = !stand.placement.feet[0].let_go;
    assert_true(held == (mm <= 300));
    sole_point(&stand.shown, leg, leg->heel_l, now);
    if (held)
      assert_true(fabs(stand.placement.feet[0].place[2] - stand.placement.feet[0].ground.place[2]) < 1e-9);
  }
  for (int i = 0; i < 60; i++)
    apply(&stand, 1.0 / 60);
  sole_point(&stand.shown, leg, leg->heel_l, now);
  assert_true(fabs(now[2] - start[2] - 0.4) < 1e-3); // with the animation again

  stand_still(&stand);
  for (int degrees = 1; degrees <= 80; degrees++) {
    stand.turn = degrees * DEG;
    stand.def.plant_distance = 10;
    apply(&stand, 1.0 / 60);
    assert_true(!stand.placement.feet[0].let_go == (degrees <= 60));
  }
  tear_down(&stand);
}

typedef struct MaskRun {
  Stand stand;
  unsigned mask;
} MaskRun;

static void *run_with_mask(void *context) {
  MaskRun *run = context;
  begin(&run->stand);
  for (int i = 0; i < 200; i++) {
    foot_placement_set_ray_mask(&run->stand.placement, run->mask);
    apply(&run->stand, 1.0 / 60);
  }
  return NULL;
}

static void eight_functions(void **state) {
  (void)state;
  static MaskRun runs[2];
  Stand *stand = &runs[0].stand;
  FootPlacement *placement = &stand->placement;
  set_up(stand);
  stand->stage.raised = 0.1;
  stand_still(stand);
  assert_true(foot_placement_get_ray_mask(placement) == GROUND_ALL);
  assert_true(foot_placement_is_active(placement, 0) && foot_placement_is_active(placement, 1));
  assert_true(foot_placement_get_plant_weight(placement, 0) == 1);

  // Weights change at the given rate.
  foot_placement_disable_plant(placement, 0, 2);
  for (int i = 1; i <= 60; i++) {
    apply(stand, 1.0 / 60);
    assert_true(fabs(foot_placement_get_plant_weight(placement, 0) - fmax(1 - 2 * i / 60.0, 0)) < 1e-9);
    assert_true(foot_placement_get_plant_weight(placement, 1) == 1);
  }
  foot_placement_enable_plant(placement, 0, 4);
  for (int i = 1; i <= 60; i++) {
    apply(stand, 1.0 / 60);
    assert_true(fabs(foot_placement_get_plant_weight(placement, 0) - fmin(4 * i / 60.0, 1)) < 1e-9);
  }
  foot_placement_set_plant_weight(placement, 1, 0.25);
  assert_true(foot_placement_get_plant_weight(placement, 1) == 0.25);
  apply(stand, 1.0 / 60);
  assert_true(foot_placement_get_plant_weight(placement, 1) == 0.25);
  foot_placement_set_plant_weight(placement, 1, 7);
  assert_true(foot_placement_get_plant_weight(placement, 1) == 1);

  // An inactive foot is the animation's; the other is still placed.
  foot_placement_set_active(placement, 0, false);
  assert_false(foot_placement_is_active(placement, 0));
  for (int i = 0; i < 60; i++)
    apply(stand, 1.0 / 60);
  const Skeleton *skeleton = &stand->body->skeleton;
  int ankle = skeleton->legs[0].ankle, other = skeleton->legs[1].ankle;
  assert_true(glms_vec3_distance(stand->shown.position[ankle], stand->animated.position[ankle]) < 1e-5f);
  assert_true(fabs((double)(stand->shown.position[other].y - stand->animated.position[other].y) - 0.1) < 1e-4);

  // Feet that do not exist.
  foot_placement_set_active(placement, -1, true);
  foot_placement_set_plant_weight(placement, 99, 1);
  assert_false(foot_placement_is_active(placement, 99));
  assert_true(foot_placement_get_plant_weight(placement, -1) == 0);
  tear_down(stand);

  // Masks belong to a state: two threads with different ones do not interfere.
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    set_up(&runs[i].stand);
    runs[i].stand.stage.body = 0.2;
    runs[i].mask = i ? GROUND_ALL : GROUND_TERRAIN;
    assert_int_equal(pthread_create(&threads[i], NULL, run_with_mask, &runs[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    const PlacedFoot *foot = &runs[i].stand.placement.feet[0];
    assert_true(fabs(foot->place[1] - (i ? 0.2 : 0)) < 1e-9);
    tear_down(&runs[i].stand);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(length_of_rays),
      cmocka_unit_test(soles_on_planes_stairs_noise),
      cmocka_unit_test(rotation_has_a_limit),
      cmocka_unit_test(yaw_stays),
      cmocka_unit_test(fade_is_linear),
      cmocka_unit_test(planted_feet_do_not_slip),
      cmocka_unit_test(toe_over_a_ledge),
      cmocka_unit_test(heel_over_a_ledge),
      cmocka_unit_test(foot_over_a_ledge_stays_level),
      cmocka_unit_test(rays_miss_the_own_body),
      cmocka_unit_test(ground_too_high),
      cmocka_unit_test(ground_too_steep),
      cmocka_unit_test(ground_that_moves),
      cmocka_unit_test(pelvis_drops_for_the_lower_foot),
      cmocka_unit_test(no_jitter_standing),
      cmocka_unit_test(mirrored_ground_mirrors_the_feet),
      cmocka_unit_test(turned_ground_turns_the_walk),
      cmocka_unit_test(plant_is_released),
      cmocka_unit_test(eight_functions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
