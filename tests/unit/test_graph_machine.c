// State machines: which transition is taken and when, that interruptions cause no jump, that turns take one step.
#include "tests/unit/graph_fixture.h"

static const double DT = 1.0 / 240;

static const char *state_of(const Graph *graph) {
  static char name[SKELETON_NAME_SIZE];
  GraphActive active[GRAPH_MAX_ACTIVE];
  int count = graph_active(graph, active, GRAPH_MAX_ACTIVE);
  for (int i = 0; i < count; i++)
    if (strcmp(active[i].kind, "state") == 0) {
      snprintf(name, sizeof name, "%s", active[i].name);
      return name;
    }
  return "";
}

static void step_for(Graph *graph, double time) {
  for (int i = 0; i < (int)round(time / DT); i++)
    fixture_step_graph(graph, DT);
}

// The pose in the world: the root moves and turns, the pose stands in its frame.
typedef struct Walker {
  vec3s position;
  double yaw; // rad
} Walker;

static ModelPose walker_step(Walker *walker, const GraphFixture *f, const GraphOutput *o, double dt) {
  walker->yaw += o->root_turn + o->root_turn_rate * dt;
  versors facing = glms_quat((float)walker->yaw, 0, 1, 0);
  vec3s velocity = glms_quat_rotatev(facing, o->root_velocity_l);
  walker->position = glms_vec3_muladds(velocity, (float)dt, walker->position);
  Pose pose = o->pose;
  ModelPose world;
  pose_transform(&pose, walker->position, facing);
  pose_to_model(f->skeleton, &pose, &world);
  return world;
}

// ---- Which ----

static void test_conditions_events_time_and_end(void **state) {
  GraphFixture *f = *state;
  fixture_make_clip(f, "jump", false, 0.5f, 2);
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {speed: 0, air: 0}\n"
                                   "output:\n"
                                   "  machine:\n"
                                   "    start: stand\n"
                                   "    states:\n"
                                   "      stand: {clip: clips/idle.yaml}\n"
                                   "      move: {clip: clips/walk.yaml}\n"
                                   "      jump: {clip: jump}\n"
                                   "      bored: {clip: clips/idle.yaml}\n"
                                   "    transitions:\n"
                                   "      - {from: [stand, move, bored], to: jump, event: jump}\n"
                                   "      - {from: any, to: move, when: [speed > 0.5, air <= 0]}\n"
                                   "      - {from: move, to: stand, when: speed < 0.2}\n"
                                   "      - {from: jump, to: stand, end: 0.1}\n"
                                   "      - {from: stand, to: bored, after: 2}\n");
  assert_string_equal(graph_warnings(def), "");
  Graph *graph = fixture_start_graph(def);
  fixture_step_graph(graph, DT);
  assert_string_equal(state_of(graph), "stand");
  fixture_set(graph, def, "speed", 1);
  fixture_set(graph, def, "air", 1);
  step_for(graph, 0.1);
  assert_string_equal(state_of(graph), "stand"); // only one of two conditions
  fixture_set(graph, def, "air", 0);
  fixture_step_graph(graph, DT); // it shows in the same step
  assert_string_equal(state_of(graph), "move");
  graph_event(graph, "jump"); // comes first in the file, though both are requested
  fixture_set(graph, def, "speed", 0);
  fixture_step_graph(graph, DT);
  assert_string_equal(state_of(graph), "jump");
  step_for(graph, 0.38);
  assert_string_equal(state_of(graph), "jump");
  step_for(graph, 0.04); // 0.1 s before its end
  assert_string_equal(state_of(graph), "stand");
  step_for(graph, 1.9);
  assert_string_equal(state_of(graph), "stand");
  step_for(graph, 0.15);
  assert_string_equal(state_of(graph), "bored");
  graph_event(graph, "jumpp"); // unknown
  step_for(graph, 0.1);
  assert_string_equal(state_of(graph), "bored");
  graph_event(graph, "jump");
  graph_reset(graph); // what was asked for before is forgotten
  fixture_step_graph(graph, DT);
  assert_string_equal(state_of(graph), "stand");
  graph_destroy(graph);
  graph_def_free(def);
}

// Outside the safe interval a request is refused and counted, once for as long as it lasts.
static void test_cancel_only_when_safe(void **state) {
  GraphFixture *f = *state;
  Clip *attack = fixture_make_clip(f, "attack", false, 1, 2);
  attack->safe_from = 0;
  attack->safe_to = 0.5f;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {block: 0}\n"
                                   "output:\n"
                                   "  machine:\n"
                                   "    start: attack\n"
                                   "    states: {attack: {clip: attack}, stand: {clip: clips/idle.yaml},\n"
                                   "             fall: {clip: clips/idle.yaml}}\n"
                                   "    transitions:\n"
                                   "      - {from: attack, to: stand, event: cancel}\n"
                                   "      - {from: attack, to: stand, when: block > 0}\n"
                                   "      - {from: attack, to: fall, event: hit, safe: false}\n");
  for (int i = 1; i < 240; i += 7) {
    Graph *graph = fixture_start_graph(def);
    GraphOutput o = {0};
    for (int k = 0; k < i; k++)
      o = fixture_step_graph(graph, DT);
    bool safe = i * DT <= 0.5;
    assert_true(o.may_cancel == safe);
    graph_event(graph, "cancel");
    fixture_step_graph(graph, DT);
    assert_string_equal(state_of(graph), safe ? "stand" : "attack");
    assert_int_equal(graph_refusals(graph), !safe);
    if (!safe && i < 200) {
      fixture_set(graph, def, "block", 1);
      step_for(graph, 0.05);
      assert_int_equal(graph_refusals(graph), 2); // held for 12 steps, one request
      graph_event(graph, "cancel");
      fixture_step_graph(graph, DT);
      assert_int_equal(graph_refusals(graph), 3);
      graph_event(graph, "hit");
      fixture_step_graph(graph, DT);
      assert_string_equal(state_of(graph), "fall");
      assert_int_equal(graph_refusals(graph), 3);
    }
    graph_destroy(graph);
  }
  graph_def_free(def);
}

// The foot phase chooses: one state with the left foot in front, the other with the right one.
static void test_phase_chooses_the_state(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "output:\n"
                                   "  machine:\n"
                                   "    start: walk\n"
                                   "    states: {walk: {clip: clips/walk.yaml, sync: true},\n"
                                   "             left: {clip: clips/idle.yaml}, right: {clip: clips/idle.yaml}}\n"
                                   "    transitions:\n"
                                   "      - {from: walk, to: right, event: stop, phase: [0.25, 0.75]}\n"
                                   "      - {from: walk, to: left, event: stop, phase: [0.75, 0.25]}\n");
  for (int i = 1; i < 260; i++) {
    Graph *graph = fixture_start_graph(def);
    double phase = 0;
    for (int k = 0; k < i; k++)
      phase = fixture_step_graph(graph, DT).phase;
    graph_event(graph, "stop");
    fixture_step_graph(graph, DT);
    assert_string_equal(state_of(graph), phase >= 0.25 && phase < 0.75 ? "right" : "left");
    graph_destroy(graph);
  }
  graph_def_free(def);
}

// ---- How ----

static const char INTERRUPTED[] = "name: g\n"
                                  "output:\n"
                                  "  machine:\n"
                                  "    states: {a: {clip: %s}, b: {clip: %s}, c: {clip: %s}}\n"
                                  "    transitions:\n"
                                  "      - {from: a, to: b, event: go, %s}\n"
                                  "      - {from: b, to: c, event: hit, start: beginning, %s}\n"
                                  "      - {from: [b, c], to: a, event: stop, %s}\n";

// The largest change of a joint's velocity between two steps, of rotations in rad/s, and the largest velocity.
typedef struct Motion3 {
  Pose before, last;
  int count;
} Motion3;

static float rotation_step(const Pose *a, const Pose *b, int joint, vec3s *step) {
  *step = quat_log(glms_quat_mul(glms_quat_conjugate(a->rotation[joint]), b->rotation[joint]));
  return glms_vec3_norm(*step);
}

static void watch(Motion3 *m, const Pose *pose, float dt, float *speed, float *change) {
  for (int j = 0; m->count >= 2 && j < pose->count; j++) {
    vec3s first, second;
    *speed = fmaxf(*speed, rotation_step(&m->before, &m->last, j, &first) / dt);
    rotation_step(&m->last, pose, j, &second);
    *change = fmaxf(*change, glms_vec3_distance(first, second) / dt);
  }
  m->before = m->last;
  m->last = *pose;
  m->count++;
}

// A8: after an interruption at any time, joints continue where they are, at their speed within 5 % of how fast they
// move; beside the changes of the clips themselves.
static void check_interruptions(GraphFixture *f, const char *const clips[3], const char *how) {
  char text[1024];
  snprintf(text, sizeof text, INTERRUPTED, clips[0], clips[1], clips[2], how, how, how);
  GraphDef *def = fixture_graph(f, text);
  const float dt = 1.0f / 960;
  float speed = 0, own = 0, worst = 0;
  for (int i = 0; i < 3; i++) { // each clip alone
    Motion3 m = {0};
    for (int k = 0; k < 1100; k++) {
      Pose pose;
      clip_sample(fixture_clip(f, clips[i]), (float)k * dt, &pose);
      watch(&m, &pose, dt, &speed, &own);
    }
  }
  for (int i = 3; i < 1000; i += 9) { // a, at any time b, soon after c, soon after a again
    Graph *graph = fixture_start_graph(def);
    Motion3 m = {0};
    const int moments[] = {i, i + 20 + i % 100, i + 150 + i % 70};
    static const char *const events[] = {"go", "hit", "stop"};
    for (int k = 0, e = 0; k < i + 500; k++) {
      if (e < 3 && k == moments[e])
        graph_event(graph, events[e++]);
      GraphOutput o = fixture_step_graph(graph, (double)dt);
      float fastest = 0, change = 0;
      watch(&m, &o.pose, dt, &fastest, &change);
      if (e > 0 && k - moments[e - 1] < 3) // later it is the decay, smooth but at times quick
        worst = fmaxf(worst, change);
      assert_pose_is_sound(&o.pose);
    }
    graph_destroy(graph);
  }
  graph_def_free(def);
  printf("%s, %s: velocity changes by %.3f rad/s in a step, within the clips by %.3f; they move at up to %.1f rad/s\n",
         clips[0], how, (double)worst, (double)own, (double)speed);
  assert_true(worst < own + 0.05f * speed);
}

// All joints swing, each at its own phase; with enough keys for a smooth velocity.
static void make_swing(GraphFixture *f, const char *name, float duration, float phase, float size) {
  Clip *clip = fixture_make_clip(f, name, true, duration, 1200);
  fixture_mark(clip, "left_strike", 0);
  for (int k = 0; k < clip->key_count; k++)
    for (int j = 0; j < f->skeleton->count; j++) {
      float angle = 2 * (float)GLM_PI * ((float)k / (float)clip->key_count + 0.13f * (float)j + phase);
      clip->keys[k].rotation[j] = quat_exp((vec3s){{size * sinf(angle), 0.3f * size * cosf(angle), 0.2f * phase}});
    }
}

static void test_interruption_shows_no_jump(void **state) {
  GraphFixture *f = *state;
  static const char *const made[] = {"swing", "swing_fast", "swing_other"};
  static const char *const gaits[] = {"clips/walk.yaml", "clips/run.yaml", "clips/run_stagger_left.yaml"};
  make_swing(f, made[0], 1.1f, 0, 0.4f);
  make_swing(f, made[1], 0.7f, 0.3f, 0.6f);
  make_swing(f, made[2], 0.8f, 0.6f, 0.3f);
  check_interruptions(f, made, "time: 0.3");
  check_interruptions(f, made, "kind: fade, time: 0.3");
  check_interruptions(f, gaits, "time: 0.3");
  check_interruptions(f, gaits, "kind: fade, time: 0.3");
}

// A fade progresses linearly or smoothly from 0 to 1; the poses at its ends are the states' own.
static void test_fade(void **state) {
  GraphFixture *f = *state;
  fixture_make_clip(f, "zero", true, 1, 1);
  Clip *one = fixture_make_clip(f, "one", true, 1, 1);
  int head = skeleton_find(f->skeleton, "head");
  one->keys[0].rotation[head] = quat_exp((vec3s){{0, 0.5f, 0}});
  for (int smooth = 0; smooth <= 1; smooth++) {
    char text[512];
    snprintf(text, sizeof text,
             "name: g\n"
             "output:\n"
             "  machine:\n"
             "    states: {a: {clip: zero}, b: {clip: one}}\n"
             "    transitions: [{from: a, to: b, after: 0.095, kind: fade, time: 0.4, curve: %s}]\n",
             smooth ? "smooth" : "linear");
    GraphDef *def = fixture_graph(f, text);
    Graph *graph = fixture_start_graph(def);
    for (int i = 1; i <= 80; i++) {
      GraphOutput o = fixture_step_graph(graph, 0.01);
      double t = fmin(fmax((i - 10) / 40.0, 0), 1), want = 0.5 * (smooth ? t * t * (3 - 2 * t) : t);
      double angle = (double)quat_log(o.pose.rotation[head]).y;
      assert_true(fabs(angle - want) < 0.005); // blending rotations linearly is not exactly uniform
      float a = fixture_active(graph, "a", "state").weight, b = fixture_active(graph, "b", "state").weight;
      assert_true(fabsf(a + b - 1) < 1e-6f);
    }
    graph_destroy(graph);
    graph_def_free(def);
  }
}

// The velocity of the root is blended as the pose is: without a jump, and without losing distance.
static void test_root_velocity_is_blended(void **state) {
  GraphFixture *f = *state;
  char text[1024];
  snprintf(text, sizeof text, INTERRUPTED, "clips/walk.yaml", "clips/run.yaml", "clips/idle.yaml", "time: 0.3",
           "time: 0.3", "time: 0.3");
  GraphDef *def = fixture_graph(f, text);
  Graph *graph = fixture_start_graph(def);
  step_for(graph, 0.2);
  float before = fixture_step_graph(graph, DT).root_velocity_l.z, lost = 0;
  assert_true(before == 1.3f);
  graph_event(graph, "go");
  for (int i = 0; i < 80; i++) {
    GraphOutput o = fixture_step_graph(graph, DT);
    assert_true(o.clip_speed == 3.5);
    assert_true(fabsf(o.root_velocity_l.z - before) < 2.2f * 6 * (float)DT / 0.3f);
    before = o.root_velocity_l.z;
    lost += (3.5f - before) * (float)DT;
  }
  assert_true(before == 3.5f);
  assert_true(fabsf(lost) < 2.2f * (float)DT); // m
  graph_destroy(graph);
  graph_def_free(def);
}

static const char LEAP[] = "name: g\n"
                           "output:\n"
                           "  %s\n"
                           "    machine:\n"
                           "      states:\n"
                           "        stand: {clip: clips/idle.yaml}\n"
                           "        leap: {clip: %s, layers: {legs: 0.25, tail: 0}, root_motion: true}\n"
                           "      transitions:\n"
                           "        - {from: stand, to: leap, event: leap, %s}\n"
                           "        - {from: leap, to: stand, end: 0, %s}\n";

// The requested motion of the root is exactly that of the clip, however it begins and ends and whether steps divide it
// evenly, and layers are faded for the same time.
static void test_a_state_takes_root_and_layers(void **state) {
  GraphFixture *f = *state;
  const struct {
    const char *node, *clip, *in, *out;
    double dt, side;
  } cases[] = {
      {"add: {clip: clips/overlay_shrug.yaml}\n  to:", "leap", "kind: cut", "kind: cut", 1.0 / 240, 1},
      {"add: {clip: clips/overlay_shrug.yaml}\n  to:", "leap_long", "kind: cut", "kind: cut", 1.0 / 60, 1},
      {"add: {clip: clips/overlay_shrug.yaml}\n  to:", "leap_long", "time: 0.2", "time: 0.3", 1.0 / 240, 1},
      {"mirror:", "leap", "kind: fade, time: 0", "kind: cut", 1.0 / 240, -1},
  };
  Clip *leap = fixture_make_clip(f, "leap", false, 0.5f, 2),
       *longer = fixture_make_clip(f, "leap_long", false, 0.51f, 2);
  leap->root_velocity_l = longer->root_velocity_l = (vec3s){{0.5f, 0, 2}};
  leap->root_turn_rate = longer->root_turn_rate = 1;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, LEAP, cases[i].node, cases[i].clip, cases[i].in, cases[i].out);
    GraphDef *def = fixture_graph(f, text);
    Graph *graph = fixture_start_graph(def);
    double way[2] = {0}, turn = 0, length = strcmp(cases[i].clip, "leap") == 0 ? 0.5 : (double)0.51f;
    assert_int_equal(graph_layer_count(def), 2);
    assert_string_equal(graph_layer_name(def, 1), "tail");
    step_for(graph, 0.1);
    for (int k = 0; k < (int)(1.2 / cases[i].dt); k++) {
      if (k == 5)
        graph_event(graph, "leap");
      GraphOutput o = fixture_step_graph(graph, cases[i].dt);
      bool leaps = fixture_active(graph, "leap", "state").weight > 0;
      assert_true(o.root_motion.share == (leaps ? 1 : 0));
      assert_true(o.layers[0] == (leaps ? 0.25f : 1) && o.layers[1] == (leaps ? 0 : 1));
      way[0] += (double)o.root_motion.shift_l.x;
      way[1] += (double)o.root_motion.shift_l.z;
      turn += o.root_motion.turn;
    }
    double exact = strstr(cases[i].in, "time: 0.2") ? 2.2 * cases[i].dt : 1e-5; // velocities are blended in steps
    assert_true(fabs(way[0] - cases[i].side * 0.5 * length) < exact && fabs(way[1] - 2 * length) < exact);
    assert_true(fabs(turn - cases[i].side * length) < exact);
    graph_destroy(graph);
    graph_def_free(def);
  }
}

// A root that moves as the clips do: from standing into a start, into the walk, into a stop; standing feet stand in the
// world, to 2 cm.
static void test_feet_stand_through_transitions(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/start_stop.yaml");
  Graph *graph = fixture_start_graph(def);
  Walker walker = {0};
  vec3s planted[2] = {0};
  bool stood[2] = {false, false};
  float worst = 0;
  for (int i = 0; i < 9 * 240; i++) {
    fixture_set(graph, def, "walking", i > 240 && i < 1250);
    GraphOutput o = fixture_step_graph(graph, DT);
    ModelPose world = walker_step(&walker, f, &o, DT);
    for (int k = 0; k < 2; k++) {
      const Leg *leg = &f->skeleton->legs[k];
      vec3s toe = glms_vec3_add(world.position[leg->ankle], glms_quat_rotatev(world.rotation[leg->ankle], leg->toe_l));
      if (o.contact[k] && stood[k])
        worst = fmaxf(worst, hypotf(toe.x - planted[k].x, toe.z - planted[k].z));
      else
        planted[k] = toe;
      stood[k] = o.contact[k];
    }
  }
  assert_string_equal(state_of(graph), "standing");
  printf("start, walk, stop: standing toes move by at most %.1f mm\n", (double)(1000 * worst));
  assert_true(worst < 0.02f);
  graph_destroy(graph);
  graph_def_free(def);
}

// From walk to run with the phase kept: no foot skips its step.
static void test_phase_is_kept(void **state) {
  GraphFixture *f = *state;
  GraphDef *def =
      fixture_graph(f, "name: g\n"
                       "output:\n"
                       "  machine:\n"
                       "    states: {walk: {clip: clips/walk.yaml, sync: true}, run: {clip: clips/run.yaml}}\n"
                       "    transitions: [{from: walk, to: run, event: go}, {from: run, to: walk, event: go}]\n");
  Graph *graph = fixture_start_graph(def);
  double before = fixture_step_graph(graph, DT).phase;
  for (int i = 0; i < 3000; i++) {
    if (i % 97 == 50)
      graph_event(graph, "go");
    double phase = fixture_step_graph(graph, DT).phase, step = phase - before - floor(phase - before);
    assert_true(step > 0 && step < 1.01 * DT / 0.7);
    before = phase;
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// ---- Turns ----

// The walk from a foot's strike on, first turned around, then less and less, in one cycle.
static Clip *make_turn(GraphFixture *f, const char *name, float phase) {
  const Clip *walk = fixture_clip(f, "clips/walk.yaml");
  enum { KEYS = 109 };
  Clip *turn = fixture_make_clip(f, name, false, walk->duration, KEYS);
  turn->root_velocity_l = walk->root_velocity_l;
  for (int k = 0; k < KEYS; k++) {
    float s = (float)k / (KEYS - 1), left = 1 - s * s * (3 - 2 * s);
    clip_sample(walk, (phase + s) * walk->duration, &turn->keys[k]);
    pose_transform(&turn->keys[k], glms_vec3_zero(), glms_quat(-(float)GLM_PI * left, 0, 1, 0));
  }
  return turn;
}

// The root turns in the very step of the request; the turn clip for the foot that just stepped starts in the old
// direction, so that feet and all joints continue in the world within 2 cm, and 2 cm more for the root's motion back,
// which begins at once.
static void test_turn_in_one_step(void **state) {
  GraphFixture *f = *state;
  make_turn(f, "turn_left_foot", 0);
  make_turn(f, "turn_right_foot", 0.5f);
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "output:\n"
                                   "  machine:\n"
                                   "    states: {walk: {clip: clips/walk.yaml, sync: true},\n"
                                   "             left: {clip: turn_left_foot}, right: {clip: turn_right_foot}}\n"
                                   "    transitions:\n"
                                   "      - {from: walk, to: left, event: back, turn: 180, phase: [0, 0.01]}\n"
                                   "      - {from: walk, to: right, event: back, turn: 180, phase: [0.5, 0.51]}\n"
                                   "      - {from: [left, right], to: walk, end: 0, time: 0.2}\n");
  for (int side = 0; side <= 1; side++) {
    Graph *graph = fixture_start_graph(def);
    Walker walker = {0};
    ModelPose before = {0};
    double phase = 0, turned = 0;
    float worst = 0;
    bool asked = false;
    for (int i = 0; i < 900; i++) {
      bool now = !asked && i > 300 && phase >= 0.5 * side && phase < 0.5 * side + 0.01;
      if (now)
        graph_event(graph, "back");
      GraphOutput o = fixture_step_graph(graph, DT);
      assert_true(o.root_turn == (now ? (double)(float)GLM_PI : 0) || fabs(o.root_turn - GLM_PI) < 1e-6);
      asked |= now;
      turned += o.root_turn;
      if (now)
        assert_string_equal(state_of(graph), side ? "right" : "left");
      ModelPose world = walker_step(&walker, f, &o, DT);
      for (int j = 0; i > 0 && j < world.count; j++)
        if (now)
          worst = fmaxf(worst, glms_vec3_distance(world.position[j], before.position[j]));
      before = world;
      phase = o.phase;
    }
    printf("turn on the %s foot: joints move by at most %.1f mm in its step\n", side ? "right" : "left",
           (double)(1000 * worst));
    assert_true(fabs(turned - GLM_PI) < 1e-6);
    assert_true(worst < 0.02f);
    assert_string_equal(state_of(graph), "walk");
    assert_true(fabs(cos(walker.yaw) + 1) < 1e-6);
    graph_destroy(graph);
  }
  graph_def_free(def);
}

// The same with the shipped clips, requested at any moment of a run: the root turns in the next step, and every joint
// continues in the world at its position and speed.
static void test_runner_turns_back(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/human.yaml");
  const double dt = 1.0 / 480;
  float worst = 0;
  for (int k = 0; k < 40; k++) {
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, "forward", 3.5);
    fixture_set(graph, def, "speed", 3.5);
    Walker walker = {0};
    ModelPose before[2] = {0};
    for (int i = 0; i < 800; i++) {
      bool now = i == 400 + 8 * k;
      if (now)
        graph_event(graph, "turn_back");
      GraphOutput o = fixture_step_graph(graph, dt);
      assert_true((fabs(o.root_turn) > 3.14) == now);
      ModelPose world = walker_step(&walker, f, &o, dt);
      for (int j = 0; now && j < world.count; j++) {
        vec3s expected = glms_vec3_sub(glms_vec3_scale(before[1].position[j], 2), before[0].position[j]);
        worst = fmaxf(worst, glms_vec3_distance(world.position[j], expected));
      }
      before[0] = before[1];
      before[1] = world;
    }
    assert_true(fabs(cos(walker.yaw) + 1) < 1e-4);
    graph_destroy(graph);
  }
  printf("a runner turns back: joints are within %.2f mm of where they would have been\n", (double)(1000 * worst));
  assert_true(worst < 0.001f);
  graph_def_free(def);
}

// A machine inside of a machine turns while the outer one still fades: the shown pose does not jump in the world.
static void test_turn_inside_of_a_transition(void **state) {
  GraphFixture *f = *state;
  Clip *still = fixture_make_clip(f, "still", true, 1, 1), *back = fixture_make_clip(f, "back", true, 1, 1);
  Clip *bent = fixture_make_clip(f, "bent", true, 1, 1);
  still->keys[0].position[0].z = 0.1f;
  back->keys[0] = still->keys[0];
  pose_transform(&back->keys[0], glms_vec3_zero(), glms_quat(-(float)GLM_PI, 0, 1, 0));
  bent->keys[0].rotation[0] = quat_exp((vec3s){{0.4f, 0, 0.3f}});
  bent->keys[0].position[0].x = 0.2f;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "nodes:\n"
                                   "  inner:\n"
                                   "    machine:\n"
                                   "      states: {ahead: {clip: still}, around: {clip: back}}\n"
                                   "      transitions: [{from: ahead, to: around, event: turn, turn: 180}]\n"
                                   "output:\n"
                                   "  machine:\n"
                                   "    states: {first: {clip: bent}, second: inner}\n"
                                   "    transitions: [{from: first, to: second, event: go, time: 0.4}]\n");
  Graph *graph = fixture_start_graph(def);
  Walker walker = {0};
  ModelPose before = {0};
  for (int i = 0; i < 200; i++) {
    if (i == 10)
      graph_event(graph, "go");
    if (i == 40)
      graph_event(graph, "turn");
    GraphOutput o = fixture_step_graph(graph, DT);
    ModelPose world = walker_step(&walker, f, &o, DT);
    for (int j = 0; i > 0 && j < world.count; j++) {
      assert_true(glms_vec3_distance(world.position[j], before.position[j]) < 0.012f);
      assert_true(quat_angle_between(world.rotation[j], before.rotation[j]) < 0.02f);
    }
    before = world;
  }
  assert_true(fabs(walker.yaw - GLM_PI) < 1e-6);
  graph_destroy(graph);
  graph_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conditions_events_time_and_end),
      cmocka_unit_test(test_cancel_only_when_safe),
      cmocka_unit_test(test_phase_chooses_the_state),
      cmocka_unit_test(test_interruption_shows_no_jump),
      cmocka_unit_test(test_fade),
      cmocka_unit_test(test_root_velocity_is_blended),
      cmocka_unit_test(test_a_state_takes_root_and_layers),
      cmocka_unit_test(test_feet_stand_through_transitions),
      cmocka_unit_test(test_phase_is_kept),
      cmocka_unit_test(test_turn_in_one_step),
      cmocka_unit_test(test_runner_turns_back),
      cmocka_unit_test(test_turn_inside_of_a_transition),
  };
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
