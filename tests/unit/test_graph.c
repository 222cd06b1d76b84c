// Blend graphs: weights, layers, additive and mirrored nodes, the idle, and that a step is safe, allocates nothing and
// is reproducible.
#include "tests/unit/graph_fixture.h"

#include "anim/mirror.h"

#include "sim/base/rng.h"

static const double DT = 1.0 / 240;

// ---- Counting allocations ----

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
static volatile long allocations;
void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
#else
static volatile long allocations;
#endif

static const char *const EXAMPLES[] = {"graphs/walk_run.yaml", "graphs/locomotion.yaml", "graphs/layers.yaml",
                                       "graphs/standing.yaml", "graphs/human.yaml",      "graphs/start_stop.yaml"};
enum { EXAMPLE_COUNT = sizeof EXAMPLES / sizeof EXAMPLES[0] };

// ---- Weights ----

// The sum over clips that are not added on top.
static double clip_weights(const Graph *graph) {
  GraphActive active[GRAPH_MAX_ACTIVE];
  int count = graph_active(graph, active, GRAPH_MAX_ACTIVE);
  double sum = 0;
  for (int i = 0; i < count; i++)
    if (strcmp(active[i].kind, "clip") == 0)
      sum += (double)active[i].weight;
  return sum;
}

static void test_weights_sum_to_one(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/locomotion.yaml");
  Graph *graph = fixture_start_graph(def);
  Rng rng = rng_make(3, "weights");
  for (int i = 0; i < 3000; i++) {
    if (i % 7 == 0)
      for (int p = 0; p < graph_parameter_count(def); p++)
        graph_set(graph, p, rng_range(&rng, -2, 6));
    fixture_step_graph(graph, DT);
    double sum = clip_weights(graph);
    if (fabs(sum - 1) > 1e-5)
      fail_msg("step %d: the weights sum to %.7f", i, sum);
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// At a child's position the graph gives that child's pose bit for bit, here at the ends and in the middle.
static void test_a_child_alone_comes_out_bit_for_bit(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {x: 0, y: 0}\n"
                                   "output:\n"
                                   "  blend: x\n"
                                   "  children:\n"
                                   "    - {at: 0, clip: clips/walk.yaml}\n"
                                   "    - at: 1\n"
                                   "      node:\n"
                                   "        blend2: [x, y]\n"
                                   "        children:\n"
                                   "          - {at: [1, 0], clip: clips/run.yaml}\n"
                                   "          - {at: [2, 1], clip: clips/idle.yaml}\n"
                                   "          - {at: [-1, 1], clip: clips/run_stagger_left.yaml}\n");
  static const struct {
    double x, y;
    const char *clip;
  } cases[] = {{0, 0, "walk"}, {1, 0, "run"}, {2, 1, "idle"}};
  for (size_t i = 0; i < 3; i++) {
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, "x", cases[i].x);
    fixture_set(graph, def, "y", cases[i].y);
    for (int step = 0; step < 50; step++) {
      GraphOutput o = fixture_step_graph(graph, DT);
      GraphActive active = fixture_active(graph, cases[i].clip, "clip");
      assert_true(active.weight == 1);
      char name[64];
      snprintf(name, sizeof name, "clips/%s.yaml", cases[i].clip);
      Pose pose;
      clip_sample(fixture_clip(f, name), active.time, &pose);
      assert_poses_equal(&o.pose, &pose);
    }
    graph_destroy(graph);
  }
  graph_def_free(def);
}

// ---- Additive ----

static Clip *make_landing(GraphFixture *f) {
  Clip *clip = fixture_make_clip(f, "landing", false, 0.5f, 3);
  int chest = skeleton_find(f->skeleton, "chest");
  clip->keys[1].rotation[chest] = quat_exp((vec3s){{0.5f, 0, 0}}); // rad, bent forward
  clip->keys[1].position[0].y -= 0.1f;
  clip->root_velocity_l = (vec3s){{1, 2, 3}}; // which must not appear
  clip->root_turn_rate = 4;
  return clip;
}

// A landing on top of a run bends the spine and changes nothing of the root's motion, bit for bit.
static void test_additive_leaves_the_root_alone(void **state) {
  GraphFixture *f = *state;
  make_landing(f);
  GraphDef *plain = fixture_graph(f, "name: g\noutput: {clip: clips/run.yaml, sync: true}\n");
  GraphDef *with = fixture_graph(
      f, "name: g\noutput: {add: {clip: landing}, to: {clip: clips/run.yaml, sync: true}, event: land}\n");
  Graph *a = fixture_start_graph(plain), *b = fixture_start_graph(with);
  int chest = skeleton_find(f->skeleton, "chest");
  float bent = 0;
  for (int i = 0; i < 240; i++) {
    if (i == 24)
      graph_event(b, "land");
    GraphOutput x = fixture_step_graph(a, DT), y = fixture_step_graph(b, DT);
    assert_memory_equal(&x.root_velocity_l, &y.root_velocity_l, sizeof x.root_velocity_l);
    assert_true(x.root_turn_rate == y.root_turn_rate && x.phase == y.phase && x.cycle == y.cycle);
    assert_memory_equal(x.contact, y.contact, sizeof x.contact);
    if (i < 24 || i > 24 + 121)
      assert_poses_equal(&x.pose, &y.pose);
    bent = fmaxf(bent, quat_angle_between(x.pose.rotation[chest], y.pose.rotation[chest]));
  }
  assert_true(bent > 5 * (float)GLM_PI / 180);
  graph_destroy(a);
  graph_destroy(b);
  graph_def_free(plain);
  graph_def_free(with);
}

// The reference itself adds nothing; a parameter scales what is added.
static void test_additive_weight(void **state) {
  GraphFixture *f = *state;
  Clip *nod = fixture_make_clip(f, "nod", true, 1, 1);
  int head = skeleton_find(f->skeleton, "head");
  nod->keys[0].rotation[head] = quat_exp((vec3s){{0.4f, 0, 0}});
  fixture_make_clip(f, "straight", true, 1, 1);
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {w: {default: 0, range: [0, 1]}}\n"
                                   "output: {add: {clip: nod}, to: {clip: straight}, weight: w,\n"
                                   "         reference: {clip: straight}}\n");
  Graph *graph = fixture_start_graph(def);
  Pose bind = pose_bind(f->skeleton);
  for (int i = 0; i <= 4; i++) {
    fixture_set(graph, def, "w", i / 4.0);
    GraphOutput o = fixture_step_graph(graph, DT);
    float angle = quat_angle_between(o.pose.rotation[head], bind.rotation[head]);
    assert_true(fabsf(angle - 0.1f * (float)i) < 1e-5f);
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// ---- Masked layers ----

static void test_layer_moves_only_its_joints(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {w: {default: 1, range: [0, 1]}}\n"
                                   "output: {layer: {clip: clips/run.yaml}, over: {clip: clips/idle.yaml}, weight: w,\n"
                                   "         joints: [upper_arm_l.., head]}\n");
  Graph *graph = fixture_start_graph(def);
  for (int i = 0; i < 100; i++) {
    GraphOutput o = fixture_step_graph(graph, DT);
    Pose run, idle;
    clip_sample(fixture_clip(f, "clips/run.yaml"), fixture_active(graph, "run", "clip").time, &run);
    clip_sample(fixture_clip(f, "clips/idle.yaml"), fixture_active(graph, "idle", "clip").time, &idle);
    for (int j = 0; j < o.pose.count; j++) {
      const char *name = f->skeleton->names[j];
      bool masked = strcmp(name, "upper_arm_l") == 0 || strcmp(name, "forearm_l") == 0 || strcmp(name, "hand_l") == 0 ||
                    strcmp(name, "head") == 0;
      assert_memory_equal(&o.pose.rotation[j], masked ? &run.rotation[j] : &idle.rotation[j], sizeof(versors));
    }
    assert_true(glms_vec3_norm(o.root_velocity_l) == 0 && o.contact[0] && o.contact[1]); // of the idle
  }
  fixture_set(graph, def, "w", 0);
  GraphOutput o = fixture_step_graph(graph, DT);
  Pose idle;
  clip_sample(fixture_clip(f, "clips/idle.yaml"), fixture_active(graph, "idle", "clip").time, &idle);
  assert_poses_equal(&o.pose, &idle);
  graph_destroy(graph);
  graph_def_free(def);
}

// ---- Mirrored ----

// Off it is its child bit for bit; on, contacts, phase and the sideways motion of the root are swapped.
static void test_mirrored_node_swaps(void **state) {
  GraphFixture *f = *state;
  Clip *side = fixture_make_clip(f, "side_step", true, 1, 4);
  side->root_velocity_l = (vec3s){{0.5f, 0, 1}};
  side->root_turn_rate = 0.3f;
  side->contacts[side->contact_count++] = (ClipContact){.leg = 0, .begin = 0, .end = 0.6f};
  side->contacts[side->contact_count++] = (ClipContact){.leg = 1, .begin = 0.5f, .end = 0.9f};
  fixture_mark(side, "left_strike", 0);
  fixture_mark(side, "right_strike", 0.5f);
  side->keys[1].rotation[skeleton_find(f->skeleton, "thigh_l")] = quat_exp((vec3s){{-0.5f, 0, 0.2f}});

  GraphDef *plain = fixture_graph(f, "name: g\noutput: {clip: side_step, sync: true}\n");
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {flip: 0}\n"
                                   "output: {mirror: {clip: side_step, sync: true}, weight: flip}\n");
  for (int on = 0; on <= 1; on++) {
    Graph *a = fixture_start_graph(plain), *b = fixture_start_graph(def);
    fixture_set(b, def, "flip", on);
    for (int i = 0; i < 300; i++) {
      GraphOutput x = fixture_step_graph(a, DT), y = fixture_step_graph(b, DT);
      if (!on) {
        assert_poses_equal(&x.pose, &y.pose);
        assert_true(x.phase == y.phase && x.root_velocity_l.x == y.root_velocity_l.x);
        continue;
      }
      assert_true(x.contact[0] == y.contact[1] && x.contact[1] == y.contact[0]);
      double shifted = x.phase + 0.5 - floor(x.phase + 0.5);
      assert_true(fabs(y.phase - shifted) < 1e-9);
      assert_true(y.root_velocity_l.x == -x.root_velocity_l.x && y.root_velocity_l.z == x.root_velocity_l.z);
      assert_true(y.root_turn_rate == -x.root_turn_rate);
      Pose twice;
      mirror_pose(f->skeleton, &y.pose, &twice);
      assert_true(pose_distance(&x.pose, &twice) < 1e-5f);
    }
    graph_destroy(a);
    graph_destroy(b);
  }
  graph_def_free(plain);
  graph_def_free(def);
}

// In a synced group the mirrored clip plays half a cycle later: its feet keep step with the others, at any weight.
static void test_mirrored_node_keeps_step(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {flip: 0}\n"
                                   "output: {mirror: {clip: clips/walk.yaml}, weight: flip, sync: true, time: 0.5}\n");
  Graph *graph = fixture_start_graph(def);
  bool before[2] = {true, true};
  int strikes = 0;
  for (int i = 0; i < 2400; i++) {
    fixture_set(graph, def, "flip", i / 300 % 2);
    GraphOutput o = fixture_step_graph(graph, DT);
    for (int leg = 0; leg < 2; leg++) {
      double error = o.phase - leg * 0.5;
      if (o.contact[leg] && !before[leg]) {
        assert_true(fabs(error - round(error)) < 0.02);
        strikes++;
      }
      before[leg] = o.contact[leg];
    }
    assert_pose_is_sound(&o.pose);
  }
  assert_int_equal(strikes, 18); // 10 s of 1.08 s, both feet, the first and last ones cut off
  graph_destroy(graph);
  graph_def_free(def);
}

// The share of the mirror image changes at a steady rate, over the given time, and stays at its goal.
static void test_mirroring_fades_at_a_steady_rate(void **state) {
  GraphFixture *f = *state;
  fixture_make_clip(f, "sideways", true, 1, 2)->root_velocity_l.x = 1;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {flip: 0}\n"
                                   "output: {mirror: {clip: sideways}, weight: flip, time: 0.5}\n");
  Graph *graph = fixture_start_graph(def);
  for (int direction = 1; direction >= 0; direction--) {
    fixture_set(graph, def, "flip", direction);
    for (int i = 1; i < 200; i++) {
      const double gone = fmin(i * DT / 0.5, 1), share = direction == 1 ? gone : 1 - gone;
      assert_true(fabs((double)fixture_step_graph(graph, DT).root_velocity_l.x - (1 - 2 * share)) < 1e-4);
    }
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// ---- The idle ----

// 10 minutes: weights keep to the ranges, the pose moves without jumps, and both sides are used.
static void test_idle_keeps_its_ranges(void **state) {
  GraphFixture *f = *state;
  int chest = skeleton_find(f->skeleton, "chest"), head = skeleton_find(f->skeleton, "head");
  static const char *const names[] = {"left", "breath", "right", "look_l", "look_r", "look_u", "look_d", "stretch"};
  for (int i = 0; i < 8; i++) {
    Clip *clip = fixture_make_clip(f, names[i], true, 2.333f, 2);
    for (int k = 0; k < 2; k++) {
      Pose *key = &clip->keys[k];
      key->rotation[chest] = quat_exp((vec3s){{0.02f * (float)k, 0, i < 3 ? 0.1f * (float)(i - 1) : 0}});
      if (i >= 3 && i < 7)
        key->rotation[head] =
            quat_exp((vec3s){{i > 4 ? 0.5f * (float)(2 * i - 11) : 0, i < 5 ? (float)(7 - 2 * i) : 0, 0}});
    }
  }
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "output:\n"
                                   "  idle:\n"
                                   "    left: {clip: left}\n"
                                   "    breathing: {clip: breath}\n"
                                   "    right: {clip: right}\n"
                                   "    looks:\n"
                                   "      - {at: [-1, 0], clip: look_l}\n"
                                   "      - {at: [1, 0], clip: look_r}\n"
                                   "      - {at: [0, 1], clip: look_u}\n"
                                   "      - {at: [0, -1], clip: look_d}\n"
                                   "    overlays: [{clip: stretch}]\n");
  Graph *graph = fixture_start_graph(def);
  Pose before = fixture_step_graph(graph, 1.0 / 60).pose;
  float most[2] = {0, 0}, fastest = 0, look = 0;
  for (int i = 0; i < 600 * 60; i++) {
    GraphOutput o = fixture_step_graph(graph, 1.0 / 60);
    float left = fixture_active(graph, "left", "clip").weight, right = fixture_active(graph, "right", "clip").weight;
    float breath = fixture_active(graph, "breath", "clip").weight;
    most[0] = fmaxf(most[0], left);
    most[1] = fmaxf(most[1], right);
    look = fmaxf(look, fabsf(quat_log(o.pose.rotation[head]).y));
    assert_true(fabsf(left + breath + right - 1) < 1e-6f && breath > 0.1f);
    assert_true(o.cycle == 0 && glms_vec3_norm(o.root_velocity_l) == 0);
    fastest = fmaxf(fastest, pose_distance(&before, &o.pose));
    before = o.pose;
  }
  assert_true(most[0] > 0.5f && most[0] <= 0.8f + 1e-6f && most[1] > 0.5f && most[1] <= 0.8f + 1e-6f);
  assert_true(look > 0.4f && look < 0.9f);
  printf("idle: fastest %g, look %g\n", (double)fastest, (double)look);
  assert_true(fastest < 0.03f); // rad in 1/60 s: no faster than 1.6 over 2 s
  graph_destroy(graph);
  graph_def_free(def);
}

// ---- Steps ----

static void disturb(Graph *graph, const GraphDef *def, Rng *rng) {
  static const char *const events[] = {"punch", "land", "turn_back", "stumble", "no_such_event"};
  for (int p = 0; p < graph_parameter_count(def); p++)
    if (rng_unit(rng) < 0.05)
      graph_set(graph, p, rng_range(rng, -2, 5));
  if (rng_unit(rng) < 0.05)
    graph_event(graph, events[rng_index(rng, 5)]);
}

static void test_steps_of_any_length_are_safe(void **state) {
  GraphFixture *f = *state;
  static const double lengths[] = {0, 1, 1e-4, 1.0 / 60, NAN, INFINITY, -1, 3600, 1e-300};
  for (int e = 0; e < EXAMPLE_COUNT; e++) {
    GraphDef *def = fixture_graph_file(f, EXAMPLES[e]);
    Graph *graph = fixture_start_graph(def);
    Rng rng = rng_make(5, EXAMPLES[e]);
    for (int i = 0; i < 1000; i++) {
      disturb(graph, def, &rng);
      graph_set(graph, 0, i % 50 ? graph_get(graph, 0) : NAN);
      GraphOutput o;
      graph_step(graph, lengths[rng_index(&rng, 9)], i % 11 ? 1 : NAN, &o);
      assert_pose_is_sound(&o.pose);
      assert_true(o.phase >= 0 && o.phase < 1 && o.cycle >= 0 && o.cycle < 10);
      assert_true(isfinite(glms_vec3_norm(o.root_velocity_l)) && o.clip_speed >= 0 && o.clip_speed < 10);
    }
    graph_destroy(graph);
    graph_def_free(def);
  }
}

// A step of zero time gives the same pose again.
static void test_no_time_no_change(void **state) {
  GraphFixture *f = *state;
  for (int e = 0; e < EXAMPLE_COUNT; e++) {
    GraphDef *def = fixture_graph_file(f, EXAMPLES[e]);
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, graph_parameter_name(def, 0), 2);
    for (int i = 0; i < 20; i++)
      fixture_step_graph(graph, DT);
    GraphOutput a = fixture_step_graph(graph, DT), b = fixture_step_graph(graph, 0);
    assert_poses_equal(&a.pose, &b.pose);
    assert_true(a.phase == b.phase);
    graph_destroy(graph);
    graph_def_free(def);
  }
}

static void test_steps_allocate_nothing(void **state) {
  GraphFixture *f = *state;
  for (int e = 0; e < EXAMPLE_COUNT; e++) {
    GraphDef *def = fixture_graph_file(f, EXAMPLES[e]);
    Graph *graph = fixture_start_graph(def);
    Rng rng = rng_make(6, EXAMPLES[e]);
    long before = allocations;
    for (int i = 0; i < 2000; i++) {
      disturb(graph, def, &rng);
      fixture_step_graph(graph, DT);
    }
    assert_int_equal(allocations - before, 0);
    graph_destroy(graph);
    graph_def_free(def);
  }
}

// The same requests give the same poses bit for bit, in another instance and after a reset.
static void test_same_again(void **state) {
  GraphFixture *f = *state;
  for (int e = 0; e < EXAMPLE_COUNT; e++) {
    GraphDef *def = fixture_graph_file(f, EXAMPLES[e]);
    Graph *a = fixture_start_graph(def), *b = fixture_start_graph(def);
    Rng stray = rng_make(9, "stray");
    for (int i = 0; i < 500; i++) { // b has a past
      disturb(b, def, &stray);
      fixture_step_graph(b, DT);
    }
    graph_reset(b);
    Rng rng_a = rng_make(8, "again"), rng_b = rng_make(8, "again");
    for (int i = 0; i < 2000; i++) {
      disturb(a, def, &rng_a);
      disturb(b, def, &rng_b);
      GraphOutput x = fixture_step_graph(a, DT), y = fixture_step_graph(b, DT);
      assert_poses_equal(&x.pose, &y.pose);
      assert_true(x.phase == y.phase && x.cycle == y.cycle);
    }
    assert_int_equal(graph_refusals(a), graph_refusals(b));
    graph_destroy(a);
    graph_destroy(b);
    graph_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_weights_sum_to_one),
      cmocka_unit_test(test_a_child_alone_comes_out_bit_for_bit),
      cmocka_unit_test(test_additive_leaves_the_root_alone),
      cmocka_unit_test(test_additive_weight),
      cmocka_unit_test(test_layer_moves_only_its_joints),
      cmocka_unit_test(test_mirrored_node_swaps),
      cmocka_unit_test(test_mirrored_node_keeps_step),
      cmocka_unit_test(test_mirroring_fades_at_a_steady_rate),
      cmocka_unit_test(test_idle_keeps_its_ranges),
      cmocka_unit_test(test_steps_of_any_length_are_safe),
      cmocka_unit_test(test_no_time_no_change),
      cmocka_unit_test(test_steps_allocate_nothing),
      cmocka_unit_test(test_same_again),
  };
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
