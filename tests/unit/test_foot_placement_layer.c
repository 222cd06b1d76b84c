// Foot placement: what else it promises, beside the numbered checks.
#include "tests/unit/foot_placement_fixture.h"

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "anim/layers/layer_list.h"

static const double DEG = RAD_PER_DEGREE;

static void test_level_ground_changes_nothing(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.pitch = 0};
  const char *const clips[] = {"clips/walk.yaml", "clips/run.yaml", "clips/idle.yaml"};
  const double speeds[] = {1.3, 3.5, 0};
  for (int c = 0; c < 3; c++) {
    stroll_load(&stroll, clips[c]);
    stroll.speed = speeds[c];
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, 0, 0.3, 0.1);
    for (int i = 0; i < 240; i++) {
      stroll_on(&stroll, 1.0 / 60);
      for (int l = 0; l < 2; l++) {
        int ankle = stroll.body->skeleton.legs[l].ankle;
        assert_true(glms_vec3_distance(stroll.shown.position[ankle], stroll.animated.position[ankle]) < 2e-3f);
      }
    }
    stroll_free(&stroll);
  }
}

static void test_no_time_no_change(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.wave = 0.02};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1.3;
  stroll_start(&stroll, 0, 0, 0, 0);
  for (int i = 0; i < 100; i++) {
    stroll_on(&stroll, 1.0 / 60);
    Pose pose = stroll.pose;
    FootPlacement placement = stroll.placement;
    stroll.pose = stroll.animation;
    stroll.step.dt = 0;
    foot_placement_apply(&stroll.def, &stroll.placement, &stroll.step);
    assert_memory_equal(pose.rotation, stroll.pose.rotation, (size_t)pose.count * sizeof pose.rotation[0]);
    assert_memory_equal(pose.position, stroll.pose.position, (size_t)pose.count * sizeof pose.position[0]);
    assert_memory_equal(placement.feet[0].place, stroll.placement.feet[0].place, sizeof placement.feet[0].place);
  }
  stroll_free(&stroll);
}

static void test_feet_on_the_ground_are_left_alone(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.stage.raised = 0.1;
  begin(&stand);
  for (int i = 0; i < 30; i++) {
    animate(&stand);
    stand.plans[0].on_ground = stand.plans[1].on_ground = true;
    stand.step.dt = 1.0 / 60;
    Pose before = stand.pose;
    foot_placement_apply(&stand.def, &stand.placement, &stand.step);
    assert_memory_equal(before.rotation, stand.pose.rotation, (size_t)before.count * sizeof before.rotation[0]);
  }
  // With one foot placed and the pelvis lower, the other stays at its place.
  stand.stage.raised = -0.1;
  for (int i = 0; i < 120; i++) {
    animate(&stand);
    stand.plans[0].on_ground = true;
    foot_placement_apply(&stand.def, &stand.placement, &stand.step);
  }
  pose_to_model(&stand.body->skeleton, &stand.pose, &stand.shown);
  int ankle = stand.body->skeleton.legs[0].ankle;
  assert_true(stand.placement.drop > 0.01);
  assert_true(glms_vec3_distance(stand.shown.position[ankle], stand.animated.position[ankle]) < 1e-4f);
  tear_down(&stand);
}

// The share of its path at which a foot leaves: none where the animation has it behind the place that it leaves, at
// most a half.
static void test_where_a_swing_begins(void **state) {
  (void)state;
  static const double gone[][2] = {{-0.05, 0}, {0, 0}, {0.06, 0.2}, {0.12, 0.4}, {0.149, 0.149 / 0.3}, {0.2, 0.5}};
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
    Stand stand;
    set_up(&stand);
    stand.step.plans = stand.plans;
    stand_still(&stand);
    PlacedFoot *foot = &stand.placement.feet[0];
    const double from[2] = {foot->place[0], foot->place[2]};
    stand.step.root_position[2] = gone[i][0];
    animate(&stand);
    stand.plans[0].standing = false;
    stand.plans[0].progress = 0.1;
    stand.plans[0].time_left = 0.5;
    stand.plans[0].landing[0] = from[0];
    stand.plans[0].landing[1] = from[1] + 0.3;
    foot_placement_apply(&stand.def, &stand.placement, &stand.step);
    assert_false(foot->standing);
    assert_true(fabs(foot->begin - gone[i][1]) < 1e-6);
    tear_down(&stand);
  }
}

// A foot over the void is left out of the pelvis' solution, and the result does not depend on its history.
static void test_void_has_one_answer(void **state) {
  (void)state;
  Stand stand;
  double drops[2];
  for (int side = 0; side < 2; side++) {
    set_up(&stand);
    stand.step.heading = 90 * DEG; // the right foot is behind z = 0
    stand.step.plans = stand.plans;
    stand.crouch = 0.02;
    stand.stage = (Stage){.raised = -0.05};
    if (side) { // comes from ground that existed
      stand_still(&stand);
      stand.stage = (Stage){.raised = -0.05, .hole_from = 0, .hole_to = 9};
      for (int i = 0; i < 900; i++)
        apply(&stand, 1.0 / 60);
    } else { // comes from the void
      stand.stage = (Stage){.raised = -0.05, .hole_from = -9, .hole_to = 9};
      stand_still(&stand);
      stand.stage.hole_from = 0;
      for (int i = 0; i < 900; i++)
        apply(&stand, 1.0 / 60);
    }
    drops[side] = stand.placement.drop;
    int over = stand.plans[0].refusal == FOOT_NO_GROUND ? 0 : 1;
    assert_true(stand.plans[over].refusal == FOOT_NO_GROUND && stand.plans[1 - over].refusal == FOOT_NOT_REFUSED);
    assert_true(stand.placement.feet[over].weight == 0 && stand.placement.feet[1 - over].weight == 1);
    tear_down(&stand);
  }
  assert_true(fabs(drops[0] - drops[1]) < 1e-6);
}

static void test_refusals_are_reported_at_touch_down(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.hole_from = 2, .hole_to = 3};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1.3;
  stroll_start(&stroll, 0, 0, 0, 0);
  int refused = 0;
  for (int i = 0; i < 300; i++) {
    bool stood[2] = {stroll.plans[0].standing, stroll.plans[1].standing};
    stroll_on(&stroll, 1.0 / 60);
    for (int l = 0; l < 2; l++) {
      refused += stroll.plans[l].refused_now;
      assert_true(!stroll.plans[l].refused_now || (stroll.plans[l].standing && !stood[l]));
      assert_true(!stroll.plans[l].refused_now || stroll.plans[l].refusal == FOOT_NO_GROUND);
    }
  }
  assert_true(refused >= 1 && refused <= 3);
  stroll_free(&stroll);
}

// The only ground for the left foot is on the other side of the right one.
static void test_no_foot_crosses_the_other(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.cliff_from = 1.25, .cliff_at = -0.12};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1.3;
  stroll_start(&stroll, 0, 0, 0, 0);
  int crosses = 0;
  for (int i = 0; i < 240; i++) {
    stroll_on(&stroll, 1.0 / 60);
    crosses += stroll.plans[0].refused_now && stroll.plans[0].refusal == FOOT_CROSSES;
    assert_true(stroll.plans[1].refusal != FOOT_CROSSES);
    if (stroll.placement.feet[0].weight > 0) // it is not put across
      assert_true(stroll.placement.feet[0].place[0] > stroll.placement.feet[1].place[0]);
  }
  assert_true(crosses >= 1);
  assert_string_equal(foot_refusal_name(FOOT_CROSSES), "crosses a leg");
  stroll_free(&stroll);
}

// The landing place of the left foot, planned `ahead` m before the standing right one and 9 cm to its left.
static double gap_beside(Stand *stand, double ahead, double heading, bool stands) {
  const double left[2] = {cos(heading), -sin(heading)}, forward[2] = {sin(heading), cos(heading)};
  double place[2];
  PlacedFoot *other = &stand->placement.feet[1];
  other->standing = stands;
  other->held_yaw = heading;
  for (int k = 0; k < 2; k++)
    place[k] = other->place[2 * k] + 0.09 * left[k] + ahead * forward[k];
  foot_keep_apart(&stand->def, &stand->placement, heading, 0, heading, place);
  const double way[2] = {place[0] - other->place[0], place[1] - other->place[2]};
  assert_true(fabs(way[0] * forward[0] + way[1] * forward[1] - ahead) < 1e-9); // moved to the side only
  return way[0] * left[0] + way[1] * left[1];
}

// A sole that is turned takes more room to the side: its length by the sine of the angle, its width by the cosine.
static void test_turned_soles_keep_apart(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  begin(&stand);
  const PlacedLeg *leg = &stand.def.legs[1];
  double width = (double)stand.body->skeleton.legs[0].half_width, straight = gap_beside(&stand, 0, 0.4, true);
  for (double turned = -0.3; turned < 0.35; turned += 0.1) {
    PlacedFoot *other = &stand.placement.feet[1];
    double place[2] = {other->place[0] + 0.09 * cos(0.4), other->place[2] - 0.09 * sin(0.4)};
    other->held_yaw = 0.4 + turned;
    foot_keep_apart(&stand.def, &stand.placement, 0.4, 0, 0.4, place);
    double gap = hypot(place[0] - other->place[0], place[1] - other->place[2]);
    double more = width * (cos(turned) - 1) + 0.5 * leg->length * fabs(sin(turned));
    assert_true(fabs(gap - straight - more) < 1e-6);
  }
  tear_down(&stand);
}

// Soles of 9.6 cm do not land on each other: beside another foot one lands farther out, behind it nothing is changed.
static void test_soles_keep_apart(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  begin(&stand);
  double width = 2 * (double)stand.body->skeleton.legs[0].half_width;
  for (int i = 0; i < 12; i++) {
    double heading = i * 30 * DEG;
    for (int way = -1; way <= 1; way += 2) {
      for (int k = 0; k <= 5; k++)
        assert_true(gap_beside(&stand, 0.05 * k * way, heading, true) > width + 0.005);
      assert_true(fabs(gap_beside(&stand, 0.32 * way, heading, true) - 0.09) < 1e-9);
    }
    assert_true(fabs(gap_beside(&stand, 0, heading, false) - 0.09) < 1e-9);
  }
  tear_down(&stand);
}

// A landing place that is moved shifts the pelvis, by less than the foot, and back with the next steps.
static void test_pelvis_shifts_with_the_landing(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.speed = 1.3;
  double farthest = 0, moved = 0, last = 0;
  for (int i = 0; i < 12; i++) {
    Stage stage = {.step_at = 2 + 0.06 * i, .step_rise = 0.12};
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, 0, 0, 0);
    for (int k = 0; k < 420; k++) {
      stroll_on(&stroll, 1.0 / 60);
      for (int l = 0; l < 2; l++)
        moved = fmax(moved, length_2d(stroll.placement.feet[l].base_shift));
      vec3s way = glms_vec3_sub(stroll.pose.position[0], stroll.animation.position[0]);
      last = length_2d((double[2]){(double)way.x, (double)way.z});
      farthest = fmax(farthest, last);
    }
    assert_true(last < 0.005);
  }
  assert_true(moved > 0.03 && farthest > 0.2 * moved && farthest < moved);
  stroll_free(&stroll);
}

// With its toes over an edge a foot rolls over the edge, not over its toes in the air.
static void test_rolls_over_an_edge(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.speed = 1.1;
  const Leg *leg = &stroll.body->skeleton.legs[0];
  int rolled = 0;
  for (int overhang = 2; overhang <= 8; overhang += 2) { // cm
    stroll.ground = (Ground){.context = NULL, .ray = stage_ray, .height = stage_height};
    Stage stage = {.raised = 0};
    stroll.ground.context = &stage;
    stroll_start(&stroll, 0, 0, 0, 0.05); // the left foot stands
    double heel[3], toe[3];
    sole_point(&stroll.shown, leg, leg->toe_l, toe);
    stage.step_at = toe[2] - overhang / 100.0;
    stage.step_rise = -0.2;
    stroll_start(&stroll, 0, 0, 0, 0.05);
    for (int i = 0; i < 60 && stroll.plans[0].standing; i++) {
      sole_point(&stroll.shown, leg, leg->heel_l, heel);
      sole_point(&stroll.shown, leg, leg->toe_l, toe);
      double share = (stage.step_at - heel[2]) / (toe[2] - heel[2]);
      double edge = heel[1] + share * (toe[1] - heel[1]);
      if (heel[1] > 0.05 && share > 0 && share < 1) { // on the toes
        rolled++;
        if (!(fabs(edge) < 0.005))
          fail_msg("%d cm over the edge: %.1f mm off it", overhang, 1e3 * edge);
      }
      stroll_on(&stroll, 1.0 / 60);
    }
  }
  assert_true(rolled >= 8);
  stroll_free(&stroll);
}

// A landing place on an edge is moved to where the whole sole fits, as near as possible.
static void test_landing_moves_off_an_edge(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.speed = 1.3;
  int moved = 0;
  for (int i = 0; i < 12; i++) {
    Stage stage = {.step_at = 2 + 0.06 * i, .step_rise = 0.12};
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, 0, 0, 0);
    for (int k = 0; k < 240; k++) {
      stroll_on(&stroll, 1.0 / 60);
      for (int l = 0; l < 2; l++) {
        const PlacedFoot *foot = &stroll.placement.feet[l];
        moved += foot->touched && foot->spot_moved;
        if (foot->touched)
          assert_true(foot->ground.supported == FOOT_RAYS && !foot->ground.blocked);
        assert_true(length_2d(foot->shift) < 0.25);
      }
    }
  }
  assert_true(moved >= 3);
  stroll_free(&stroll);
}

static void test_pelvis_drop_lifts_the_swinging_foot(void **state) {
  (void)state;
  static Stroll stroll;
  Stage stage = {.pitch = 0};
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = 1.3;
  stroll_start(&stroll, 0, 0, 0, 0);
  stroll.step.pelvis_drop = 0.3; // more than it is lifted
  double highest = 0;
  for (int k = 0; k < 130; k++) {
    stroll_on(&stroll, 1.0 / 60);
    for (int l = 0; l < 2; l++) {
      int ankle = stroll.body->skeleton.legs[l].ankle;
      double lift = (double)(stroll.shown.position[ankle].y - stroll.animated.position[ankle].y);
      highest = fmax(highest, lift);
      if (stroll.plans[l].standing)
        assert_true(fabs(lift) < 2e-3);
    }
  }
  assert_true(highest > 0.14 && highest <= 0.1501);
  stroll_free(&stroll);
}

static void test_rebase_takes_feet_along(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.stage.wave = 0;
  stand_still(&stand);
  const Leg *leg = &stand.body->skeleton.legs[0];
  double before[3], after[3];
  sole_point(&stand.shown, leg, leg->heel_l, before);
  RootRebase rebase = {.pivot = {0.3, 0, -0.2}, .turn = 0.4, .shift = {0.5, 0, 0.7}};
  foot_placement_layer.rebase(&stand.def, &stand.placement, &rebase);
  root_rebase_point(&rebase, before);
  root_rebase_point(&rebase, stand.step.root_position);
  stand.step.heading += rebase.turn;
  apply(&stand, 1.0 / 60);
  sole_point(&stand.shown, leg, leg->heel_l, after);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(before[k] - after[k]) < 1e-5);
  assert_true(length_2d(stand.placement.feet[0].shift) < 1e-5);
  tear_down(&stand);
}

static void test_teleport_starts_anew(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand_still(&stand);
  foot_placement_set_plant_weight(&stand.placement, 0, 0.5);
  stand.step.root_position[2] = 5;
  stand.step.teleported = true;
  apply(&stand, 1.0 / 60);
  assert_true(sole_error(&stand, 0) < 1e-5 && length_2d(stand.placement.feet[0].shift) < 1e-9);
  assert_true(glms_vec3_distance(stand.shown.position[0], stand.animated.position[0]) < 1e-5f);
  tear_down(&stand);
}

// On a wall it works as on the ground.

static bool wall_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                     double length, GroundHit *hit) {
  // The wall is the plane x = 0, its up is +x: turned by 90 deg about z from the ground.
  const double o[3] = {-origin[1], origin[0], origin[2]}, d[3] = {-direction[1], direction[0], direction[2]};
  const double down[3] = {0, -1, 0};
  assert_true(fabs(d[1] + 1) < 1e-6);
  if (!stage_ray(context, mask, o, down, length, hit))
    return false;
  double *vectors[] = {hit->position_w, hit->normal_w, hit->velocity_w};
  for (int i = 0; i < 3; i++) {
    const double v[3] = {vectors[i][0], vectors[i][1], vectors[i][2]};
    vectors[i][0] = v[1];
    vectors[i][1] = -v[0];
    vectors[i][2] = v[2];
  }
  return true;
}

static void test_walls_are_ground_with_another_up(void **state) {
  (void)state;
  Stand ground, wall;
  set_up(&ground);
  set_up(&wall);
  ground.stage.wave = wall.stage.wave = 0.01;
  wall.ground.ray = wall_ray;
  wall.def.up[0] = 0.5; // of any length
  wall.def.up[1] = 0;
  stand_still(&ground);
  versors over = glms_quatv(-(float)M_PI / 2, (vec3s){{0, 0, 1}});
  for (int i = 0; i <= 180; i++) {
    animate(&wall);
    wall.pose.position[0] = glms_quat_rotatev(over, wall.pose.position[0]);
    wall.pose.rotation[0] = glms_quat_mul(over, wall.pose.rotation[0]);
    wall.step.dt = 1.0 / 60;
    if (i == 0)
      foot_placement_init(&wall.def, &wall.placement, &wall.step);
    else
      foot_placement_apply(&wall.def, &wall.placement, &wall.step);
  }
  pose_to_model(&wall.body->skeleton, &wall.pose, &wall.shown);
  for (int l = 0; l < 2; l++) {
    int ankle = wall.body->skeleton.legs[l].ankle;
    vec3s expected = glms_quat_rotatev(over, ground.shown.position[ankle]);
    assert_true(glms_vec3_distance(expected, wall.shown.position[ankle]) < 1e-4f);
  }
  tear_down(&ground);
  tear_down(&wall);
}

static void test_hint_turns_the_knees(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand_still(&stand);
  const Leg *leg = &stand.body->skeleton.legs[0];
  vec3s knee = stand.shown.position[leg->knee], ankle = stand.shown.position[leg->ankle];
  stand.def.hint_offset[0] = 0.5; // to the left
  stand_still(&stand);
  assert_true(stand.shown.position[leg->knee].x > knee.x + 0.03f);
  assert_true(glms_vec3_distance(stand.shown.position[leg->ankle], ankle) < 1e-4f);
  assert_true(sole_error(&stand, 0) < 1e-4);
  tear_down(&stand);
}

static void test_layer_is_read_and_recorded(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  Document document;
  Error error = {0};
  const char *yaml = "layers:\n  - {kind: foot_placement, rotation_limit: 30, plant: false, fade: 0}\n";
  LayerListDef def;
  LayerList list;
  assert_true(document_parse(&document, "test.yaml", yaml, &error));
  if (!layer_list_read(&def, node_find(document.root, "layers"), &stand.body->skeleton, &error))
    fail_msg("%s", error.text);
  animate(&stand);
  stand.stage.raised = 0.05;
  assert_true(layers_init(&list, &def, &stand.step));
  for (int i = 0; i < 60; i++) {
    animate(&stand);
    stand.step.dt = 1.0 / 60;
    layers_apply(&list, &stand.step);
  }
  const LayerKind *kind = def.layers[0].kind;
  assert_true(kind->channel_count <= LAYER_MAX_CHANNELS && kind->rows(def.layers[0].values) == 2);
  assert_string_equal(kind->row_name(def.layers[0].values, &stand.body->skeleton, 1), "right");
  float values[2] = {0};
  kind->record(def.layers[0].values, list.layers[0].state, 0, values);
  assert_true(fabs((double)values[0] - 0.05) < 1e-4);
  static DebugDraw draw;
  layers_debug(&list, &stand.step, &draw);
  int feet = 0, ik = 0;
  for (int i = 0; i < draw.count; i++) {
    feet += draw.items[i].group == DEBUG_FEET;
    ik += draw.items[i].group == DEBUG_IK;
  }
  assert_true(feet >= 2 * FOOT_RAYS && ik >= 2);
  layers_free(&list);
  layer_list_free(&def);
  document_free(&document);

  Skeleton snake = {.name = "snake", .count = 1, .parent = {-1}};
  assert_true(document_parse(&document, "test.yaml", yaml, &error));
  assert_false(layer_list_read(&def, node_find(document.root, "layers"), &snake, &error));
  assert_non_null(strstr(error.text, "test.yaml:2"));
  assert_non_null(strstr(error.text, "'snake' has no legs"));
  document_free(&document);
  tear_down(&stand);
}

// Toes beyond a low edge come down to the ground there, and not through it.
static void test_rolls_down_to_the_ground(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.speed = 1.1;
  const Leg *leg = &stroll.body->skeleton.legs[0];
  Stage stage = {.raised = 0};
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll_start(&stroll, 0, 0, 0, 0.05); // the left foot stands
  double toe[3], lowest = 0;
  sole_point(&stroll.shown, leg, leg->toe_l, toe);
  stage.step_at = toe[2] - 0.08;
  stage.step_rise = -0.03;
  stroll_start(&stroll, 0, 0, 0, 0.05);
  for (int i = 0; i < 60 && stroll.plans[0].standing; i++) {
    sole_point(&stroll.shown, leg, leg->toe_l, toe);
    lowest = fmin(lowest, toe[1]);
    stroll_on(&stroll, 1.0 / 60);
  }
  if (!(lowest < -0.025 && lowest > -0.032))
    fail_msg("toes come down to %.1f mm", 1e3 * lowest);
  stroll_free(&stroll);
}

// On ground that makes a swing steep, the foot stays between its start and its landing.
static void test_swing_stays_between_its_ends(void **state) {
  (void)state;
  static Stroll stroll;
  double least = 1, most = 0;
  long swings = 0;
  for (int i = 0; i < 48; i++) {
    Stage stage = {.step_at = 1.2 + 0.03 * i, .step_rise = i % 2 ? 0.16 : -0.16, .ridge_rise = i % 3 ? 0 : 0.06};
    stage.ridge_from = stage.step_at - 0.4;
    stage.ridge_to = stage.ridge_from + 0.05;
    stroll_load(&stroll, "clips/walk.yaml");
    stroll.speed = i % 4 < 2 ? 1.3 : 0.9;
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, 0, 0, 0.1);
    for (int k = 0; k < 240; k++) {
      stroll_on(&stroll, 1.0 / 60);
      for (int l = 0; l < 2; l++) {
        const PlacedFoot *foot = &stroll.placement.feet[l];
        double way[2] = {foot->ground.place[0] - foot->from[0], foot->ground.place[2] - foot->from[2]};
        double length = length_2d(way);
        if (foot->standing || foot->progress < 0.02 || foot->progress > 0.98 || length < 0.2)
          continue;
        double at = ((foot->place[0] - foot->from[0]) * way[0] + (foot->place[2] - foot->from[2]) * way[1]);
        least = fmin(least, at / (length * length));
        most = fmax(most, at / (length * length));
        swings++;
      }
    }
    stroll_free(&stroll);
  }
  print_message("%ld: %.6f .. %.6f\n", swings, least, most);
  assert_true(swings > 5000);
  assert_true(least > -1e-6 && most < 1 + 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_level_ground_changes_nothing),
      cmocka_unit_test(test_no_time_no_change),
      cmocka_unit_test(test_feet_on_the_ground_are_left_alone),
      cmocka_unit_test(test_where_a_swing_begins),
      cmocka_unit_test(test_void_has_one_answer),
      cmocka_unit_test(test_refusals_are_reported_at_touch_down),
      cmocka_unit_test(test_no_foot_crosses_the_other),
      cmocka_unit_test(test_turned_soles_keep_apart),
      cmocka_unit_test(test_soles_keep_apart),
      cmocka_unit_test(test_pelvis_shifts_with_the_landing),
      cmocka_unit_test(test_rolls_over_an_edge),
      cmocka_unit_test(test_rolls_down_to_the_ground),
      cmocka_unit_test(test_landing_moves_off_an_edge),
      cmocka_unit_test(test_pelvis_drop_lifts_the_swinging_foot),
      cmocka_unit_test(test_rebase_takes_feet_along),
      cmocka_unit_test(test_teleport_starts_anew),
      cmocka_unit_test(test_walls_are_ground_with_another_up),
      cmocka_unit_test(test_hint_turns_the_knees),
      cmocka_unit_test(test_layer_is_read_and_recorded),
      cmocka_unit_test(test_swing_stays_between_its_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
