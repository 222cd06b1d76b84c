// Characters that play a graph: they obey in one step, their feet keep step, mirrored ones are mirror images, and the
// trace records what plays.
#include "tests/unit/small_scene.h"

#include "anim/graph/graph_internal.h"
#include "ragdoll/character/character_graph.h"
#include "ragdoll/character/character_metrics.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

#define WORLD "terrain: {kind: flat}\n"
#define HELP "assist: {enabled: true, force: 600, torque: 150}"

static SceneDef *read_def(const char *text, Error *error) {
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  return scene_def_from_text("graph.yaml", text, &files, NULL, 0, error);
}

static SceneDef *good_def(const char *text) {
  Error error = {0};
  SceneDef *def = read_def(text, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static float track_weight(const Character *character, const char *wanted) {
  float weights[GRAPH_MAX_TRACKS];
  graph_track_weights(character->graph, weights);
  for (int i = 0; i < graph_track_count(character->def->graph); i++) {
    char name[GRAPH_TRACK_NAME_SIZE];
    graph_track_name(character->def->graph, i, name);
    if (strcmp(name, wanted) == 0)
      return weights[i];
  }
  fail_msg("no track %s", wanted);
  return 0;
}

// The root moves in the very step in which the script asks for it; the graph leaves its standing state as soon as the
// speed is set, and the weights of the states always sum to 1.
static void test_it_obeys_in_one_step(void **state) {
  (void)state;
  SceneDef *def =
      good_def(WORLD "characters:\n"
                     "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/locomotion.yaml}, " HELP
                     ", root: {acceleration: 4}, script: [{time: 0.5, speed: 1.3}]}\n");
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  for (int i = 0; i < 120; i++)
    assert_true(scene_step(scene));
  assert_true(man->root.speed[0] == 0);
  assert_near((double)track_weight(man, "whole.standing"), 1, 0);
  assert_true(scene_step(scene)); // the step that begins at 0.5 s
  assert_near(man->root.speed[0], 4.0 / 240, 1e-12);
  for (int i = 0; i < 240; i++) {
    assert_true(scene_step(scene));
    assert_near((double)(track_weight(man, "whole.standing") + track_weight(man, "whole.moving")), 1, 1e-5);
  }
  assert_near((double)track_weight(man, "whole.moving"), 1, 0);
  assert_near(man->root.speed[0], 1.3, 0);
  assert_false(man->sensed.fallen);
  scene_destroy(scene);
  scene_def_free(def);
}

// Feet keep step with the root at any speed: standing ones hardly move over the ground while the root moves.
static void test_feet_keep_step_with_the_root(void **state) {
  (void)state;
  static const double speeds[] = {1.0, 1.3, 2.2, 3.3};
  for (int i = 0; i < 4; i++) {
    char text[512];
    snprintf(text, sizeof text,
             WORLD "characters:\n"
                   "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/walk_run.yaml}, " HELP
                   ", intent: {speed: %g}}\n",
             speeds[i]);
    SceneDef *def = good_def(text);
    Scene *scene = small_scene(def);
    const Character *man = scene->characters[0];
    const Skeleton *skeleton = &man->def->body->skeleton;
    double way = 0, time = 0; // of standing feet
    ModelPose before, now;
    for (int k = 0; k < 480; k++) {
      pose_to_model(skeleton, &man->target, &before);
      assert_true(scene_step(scene));
      pose_to_model(skeleton, &man->target, &now);
      for (int leg = 0; leg < skeleton->leg_count; leg++) {
        int ankle = skeleton->legs[leg].ankle;
        if (!man->play.graph.contact[leg])
          continue;
        way += (double)glms_vec3_distance(before.position[ankle], now.position[ankle]);
        time += scene->world->def.dt;
      }
    }
    assert_true(time > 0.5);
    assert_true(way / time < 0.3 * speeds[i]);                               // the ankle rolls over the foot
    assert_true(man->play.graph.cycle > 0.6 && man->play.graph.cycle < 1.6); // s, a stride of a human
    scene_destroy(scene);
    scene_def_free(def);
  }
}

// On the powered body: one walk and its mirror image, after two seconds of physics.
static void test_a_mirrored_character_is_a_mirror_image(void **state) {
  (void)state;
  SceneDef *def = good_def(WORLD "characters:\n"
                                 "  - {name: a, body: bodies/human.yaml, start: {position: [1, 0, 0]}, " HELP
                                 ", intent: {speed: 1.3}, animation: {graph: graphs/mirrored_walk.yaml}}\n"
                                 "  - {name: b, body: bodies/human.yaml, start: {position: [-1, 0, 0]}, " HELP
                                 ", intent: {speed: 1.3}, animation: {graph: graphs/mirrored_walk.yaml, "
                                 "parameters: {mirrored: 1}}}\n");
  Scene *scene = small_scene(def);
  const Character *a = scene->characters[0], *b = scene->characters[1];
  double farthest = 0;
  for (int i = 0; i < 480; i++) {
    assert_true(scene_step(scene));
    for (int part = 0; part < a->def->body->part_count; part++) {
      const dReal *p = dBodyGetPosition(a->ragdoll->ode[part]);
      const dReal *q = dBodyGetPosition(b->ragdoll->ode[a->def->body->parts[part].twin]);
      const double apart[3] = {p[0] + q[0], p[1] - q[1], p[2] - q[2]};
      farthest = fmax(farthest, length3(apart));
    }
  }
  assert_true(farthest < 0.01); // m
  scene_destroy(scene);
  scene_def_free(def);
}

// An event of a script reaches the graph.
static void test_a_script_sends_events(void **state) {
  (void)state;
  SceneDef *def = good_def(WORLD "characters:\n"
                                 "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml}, " HELP
                                 ", script: [{time: 0.2, event: punch}]}\n");
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  for (int i = 0; i < 48; i++)
    assert_true(scene_step(scene));
  assert_near((double)track_weight(man, "acting.striking"), 0, 0);
  for (int i = 0; i < 72; i++)
    assert_true(scene_step(scene));
  assert_true(track_weight(man, "acting.striking") > 0.9f);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_what_plays_is_recorded(void **state) {
  (void)state;
  SceneDef *def =
      good_def(WORLD "duration: 0.5\ncharacters:\n"
                     "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/walk_run.yaml}, " HELP
                     ", intent: {speed: 2.4}}\n");
  Scene *scene = small_scene(def);
  char path[32];
  small_file(path);
  unlink(path);
  Error error = {0};
  TraceInfo info = scene_trace_info(def);
  TraceWriter *trace = trace_create(path, &info, &error);
  assert_non_null(trace);
  assert_true(scene_record(scene, trace, &error));
  for (int i = 0; i < 120; i++)
    assert_true(scene_step(scene));
  scene_finish(scene);
  assert_true(trace_close(trace, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  assert_non_null(reader);
  char names[8][TRACE_NAME_SIZE];
  float weights[8];
  static const char CHANNEL[] = "/characters/man/graph/weight";
  assert_int_equal(trace_row_names(reader, CHANNEL, names, 8), 2);
  assert_true(trace_read(reader, CHANNEL, TRACE_FLOAT32, trace_frame_count(reader) - 1, 1, weights, &error));
  assert_string_equal(names[0], "walk");
  assert_near((double)weights[0], (3.5 - 2.4) / 2.2, 1e-3); // by speed
  assert_near((double)(weights[0] + weights[1]), 1, 1e-6);
  trace_reader_close(reader);
  unlink(path);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_bad_animations_are_refused(void **state) {
  (void)state;
  const struct {
    const char *animation, *message;
  } cases[] = {
      {"{graph: graphs/walk_run.yaml, move: clips/run.yaml}", "either 'graph' or 'move' plays, not both"},
      {"{graph: graphs/walk_rum.yaml}", "did you mean 'graphs/walk_run.yaml'?"},
      {"{graph: graphs/walk_run.yaml, parameters: {sped: 1}}", "did you mean 'speed'?"},
      {"{move: clips/run.yaml, parameters: {speed: 1}}", "'parameters' belong to a 'graph'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text, WORLD "characters: [{name: man, body: bodies/human.yaml, animation: %s}]\n",
             cases[i].animation);
    Error error = {0};
    assert_null(read_def(text, &error));
    if (!strstr(error.text, cases[i].message) || strncmp(error.text, "graph.yaml:2:", 13) != 0)
      fail_msg("%s", error.text);
  }
}

// A standing character gestures: the shown arm moves by far more than shifts and looks move it.
static void test_gestures_are_shown(void **state) {
  (void)state;
  SceneDef *def = good_def(WORLD "world: {dt: 1/60}\n"
                                 "characters:\n"
                                 "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml},\n"
                                 "     drive: {kinematic: true}}\n");
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  int arm = skeleton_find(&man->def->body->skeleton, "forearm_r");
  versors first = man->shown.pose.rotation[arm];
  float largest = 0, fastest = 0;
  for (int i = 0; i < 60 * 60; i++) {
    versors before = man->shown.pose.rotation[arm];
    assert_true(scene_step(scene));
    largest = fmaxf(largest, quat_angle_between(first, man->shown.pose.rotation[arm]));
    fastest = fmaxf(fastest, quat_angle_between(before, man->shown.pose.rotation[arm]));
  }
  printf("the forearm bends by up to %.0f deg, by %.1f deg in a step\n", (double)largest / RAD_PER_DEGREE,
         (double)fastest / RAD_PER_DEGREE);
  assert_true((double)largest > 60 * RAD_PER_DEGREE);
  assert_true((double)fastest < 8 * RAD_PER_DEGREE); // it blends in and out
  scene_destroy(scene);
  scene_def_free(def);
}

// Where the joints of the shown pose are.
static void shown_joints(const Character *man, ModelPose *model) {
  pose_to_model(&man->def->body->skeleton, &man->shown.pose, model);
}

// The root keeps its velocity until the clip lets it brake, brakes by no more than it may, and has the velocity it
// wants when the clip's change is over; faster than 3.5 m/s its acceleration is too small for that. before: its speed
// ahead a step earlier.
static void assert_brakes_with_the_clip(const Character *man, double before, const GraphVelocityChange *clip) {
  double change = fabs(man->root.speed[0] - before), most = man->def->root.acceleration / 240;
  if (clip->left > 0 && clip->wait > 0)
    assert_true(change == 0);
  assert_true(change < most * 1.0001);
  if (man->intent.speed < 3.5 && clip->left > 0 && man->play.graph.change.left <= 0)
    assert_near(man->root.speed[0], man->intent.speed, 0.03);
}

// A runner turns back when `begin` is over: the heading turns in one step, the shown joints go on in the world. Returns
// how far a joint is from where it was going, in m, and the largest change of the pelvis' velocity in a step of the
// turn, in m/s.
static float turn_back(double speed, int begin, float *change) {
  char text[512];
  snprintf(text, sizeof text,
           WORLD "characters:\n"
                 "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml},\n"
                 "     drive: {kinematic: true}, root: {acceleration: 5}, intent: {speed: %g}, script: [{time: %.9f, "
                 "event: turn_back},\n"
                 "     {time: %.9f, heading: 180}]}\n",
           speed, begin / 240.0, begin / 240.0);
  SceneDef *def = good_def(text);
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  ModelPose joints[3];
  float worst = 0;
  *change = 0;
  for (int i = 0; i < begin + 480; i++) {
    double heading = man->root.heading, ahead = man->root.speed[0];
    GraphVelocityChange clip = man->play.graph.change;
    joints[0] = joints[1];
    joints[1] = joints[2];
    assert_true(scene_step(scene));
    shown_joints(man, &joints[2]);
    if (i > begin)
      assert_brakes_with_the_clip(man, ahead, &clip);
    if (i == begin)
      assert_true(cos(man->root.heading - heading) < -0.99);
    for (int j = 0; i >= begin && j < joints[2].count; j++) {
      vec3s expected = glms_vec3_sub(glms_vec3_scale(joints[1].position[j], 2), joints[0].position[j]);
      float off = glms_vec3_distance(joints[2].position[j], expected);
      if (i == begin)
        worst = fmaxf(worst, off);
      if (j == 0)
        *change = fmaxf(*change, 240 * off);
    }
  }
  assert_true(man->root.velocity[2] < -0.9 * speed); // he runs back
  scene_destroy(scene);
  scene_def_free(def);
  return worst;
}

static void test_a_turn_back_is_continuous_in_the_world(void **state) {
  (void)state;
  float worst = 0, fastest = 0;
  for (int k = 0; k < 12; k++) {
    float change;
    worst = fmaxf(worst, turn_back(2.4 + 0.8 * (k % 3), 300 + 15 * k, &change));
    fastest = fmaxf(fastest, change);
  }
  printf("joints are within %.1f mm of where they were going, the pelvis changes its velocity by %.2f m/s in a step\n",
         1000 * (double)worst, (double)fastest);
  assert_true(worst < 0.01f); // a foot that strikes: 6.4 mm
  assert_true(fastest < 0.5f);
}

// m: a joint's distance in the last of three frames from its motion in the other two, continued.
static float off_its_way(const ModelPose frames[3], int joint) {
  vec3s expected = glms_vec3_sub(glms_vec3_scale(frames[1].position[joint], 2), frames[0].position[joint]);
  return glms_vec3_distance(frames[2].position[joint], expected);
}

// Two physical runners, of whom the second turns back: the drives' target changes in the step of the input, the body
// itself within a frame of 1/60 s, and the shown feet continue in the world to 2 cm in each frame beyond the body's
// feet.
static void test_a_body_turns_back_within_a_frame(void **state) {
  (void)state;
  enum { BEGIN = 480, FRAME = 4 };
  static const char TEXT[] = WORLD "characters:\n"
                                   "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml},\n"
                                   "     root: {acceleration: 5}, intent: {speed: 3.3}, " HELP "%s}\n";
  char on[512], back[512];
  snprintf(on, sizeof on, TEXT, "");
  snprintf(back, sizeof back, TEXT, ", script: [{time: 2, event: turn_back}, {time: 2, heading: 180}]");
  SceneDef *defs[2] = {good_def(on), good_def(back)};
  Scene *scenes[2] = {small_scene(defs[0]), small_scene(defs[1])};
  const Character *men[2] = {scenes[0]->characters[0], scenes[1]->characters[0]};
  const Skeleton *skeleton = &men[1]->def->body->skeleton;
  int moment = 0, target = -1, body = -1;
  ModelPose frames[3], bodies[3];
  float off = 0;
  for (int i = 0; i < BEGIN + 360; i++) {
    for (int k = 0; k < 2; k++)
      assert_true(scene_step(scenes[k]));
    for (int j = 1; i >= BEGIN && i < BEGIN + 60 && j < skeleton->count; j++) {
      if (target < 0 &&
          quat_angle_between(men[0]->target.rotation[j], men[1]->target.rotation[j]) > 0.05f * (float)RAD_PER_DEGREE)
        target = i - BEGIN;
      if (body < 0 && quat_angle_between(men[0]->sensed.pose.rotation[j], men[1]->sensed.pose.rotation[j]) >
                          0.05f * (float)RAD_PER_DEGREE)
        body = i - BEGIN;
    }
    if (i % FRAME != FRAME - 1)
      continue;
    frames[0] = frames[1];
    frames[1] = frames[2];
    bodies[0] = bodies[1];
    bodies[1] = bodies[2];
    shown_joints(men[1], &frames[2]);
    pose_to_model(skeleton, &men[1]->sensed.pose, &bodies[2]);
    bool turns = moment++ > 2 && i >= BEGIN && i < BEGIN + 2 * FRAME;
    for (int leg = 0; turns && leg < skeleton->leg_count; leg++) {
      int ankle = skeleton->legs[leg].ankle;
      off = fmaxf(off, off_its_way(frames, ankle) - off_its_way(bodies, ankle));
    }
  }
  printf("the target changes %d steps after the input, the body %d; feet go on to %.1f mm in a frame\n", target, body,
         1000 * (double)off);
  assert_int_equal(target, 0);
  assert_true(body >= 0 && body <= FRAME);
  assert_true(off < 0.02f);
  assert_true(men[1]->root.velocity[2] < -2.5 && !men[1]->sensed.fallen);
  for (int k = 0; k < 2; k++) {
    scene_destroy(scenes[k]);
    scene_def_free(defs[k]);
  }
}

// At any phase of his stride a physical runner turns back and runs on, with what a limited hand gives him.
static void test_a_body_turns_back_at_any_phase(void **state) {
  (void)state;
  enum { PHASES = 16 };
  static const double STRIDE = 0.72; // s
  char text[512], fell[8 * PHASES] = "";
  int falls = 0;
  for (int k = 0; k < PHASES; k++) {
    double when = 1.5 + STRIDE * k / PHASES;
    snprintf(text, sizeof text,
             WORLD "world: {solver: reduced}\ncharacters:\n"
                   "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml}, " HELP ",\n"
                   "     root: {acceleration: %d}, intent: {speed: 3.3}, layers: [{kind: foot_placement}],\n"
                   "     script: [{time: %.9f, event: turn_back}, {time: %.9f, heading: 180}]}\n",
             k % 2 ? 4 : 5, when, when);
    SceneDef *def = good_def(text);
    Scene *scene = small_scene(def);
    const Character *man = scene->characters[0];
    bool fallen = false;
    for (int i = 0; i < (int)((when + 3) * 240) && !fallen; i++) {
      assert_true(scene_step(scene));
      fallen = man->sensed.fallen;
    }
    if (fallen)
      snprintf(fell + strlen(fell), sizeof fell - strlen(fell), " %d", k);
    else
      assert_true(man->root.velocity[2] < -2.5);
    falls += fallen;
    scene_destroy(scene);
    scene_def_free(def);
  }
  if (falls)
    fail_msg("fell when he began at these sixteenths of his stride:%s", fell);
}

// A blow may be broken off from 0.6 s to 1.3 s of its clip alone: who is told to go before that
// strikes on, it is counted once, and he goes as soon as he may; what is shown of his feet slips by no more than 2 cm
// beyond what they do.
static void test_a_body_breaks_off_only_when_it_may(void **state) {
  (void)state;
  for (int early = 0; early < 2; early++) {
    char text[512];
    double told = early ? 1.2 : 1.9; // s: 0.2 s or 0.9 s after the blow begins
    snprintf(text, sizeof text,
             WORLD "characters:\n"
                   "  - {name: man, body: bodies/human.yaml, animation: {graph: graphs/human.yaml}, " HELP
                   ", root: {acceleration: 2}, layers: [{kind: foot_placement}],\n"
                   "     script: [{time: 1, event: punch}, {time: %g, speed: 1.3}]}\n",
             told);
    SceneDef *def = good_def(text);
    Scene *scene = small_scene(def);
    const Character *man = scene->characters[0];
    double struck = -1, left = -1;
    for (int i = 0; i < 4 * 240; i++) {
      float before = track_weight(man, "acting.striking"), after;
      assert_true(scene_step(scene));
      after = track_weight(man, "acting.striking");
      if (struck < 0 && after > before)
        struck = scene->world->time;
      if (left < 0 && struck >= 0 && after < before)
        left = scene->world->time;
    }
    double slip = 0, body = 0;
    assert_true(metrics_value(man->judged->metrics, "output_foot_slip_max", &slip));
    assert_true(metrics_value(man->judged->metrics, "foot_slip_max", &body));
    printf("told %.1f s after the blow began: left after %.3f s, %ld refused; feet slip by %.1f mm, the body's by %.1f "
           "mm\n",
           told - struck, left - struck, graph_refusals(man->graph), 1000 * slip, 1000 * body);
    assert_near(struck, 1, 0.01);
    assert_true(early ? left - struck >= 0.59 && left - struck < 0.65 : left - struck > 0.95 && left - struck < 1.3);
    assert_int_equal(graph_refusals(man->graph), early);
    assert_true(slip < body + 0.02);
    assert_false(man->sensed.fallen);
    scene_destroy(scene);
    scene_def_free(def);
  }
}

// Gestures end where a step catches him and while a response to a blow lasts; walking, and putting the feet straight
// afterwards, disturb nobody, nor does a balancer that is switched off.
static void test_what_ends_gestures(void **state) {
  (void)state;
  SceneDef *def = good_def(WORLD "characters:\n  - {name: man, body: bodies/human.yaml, animation: {graph: "
                                 "graphs/human.yaml}, balance: {enabled: true}, responses: {enabled: true}}\n");
  Scene *scene = small_scene(def);
  Character *man = scene->characters[0];
  static const struct {
    bool enabled, steps, walks, straightens;
    int blow; // -1: none
    bool ends;
  } cases[] = {
      {true, false, false, false, -1, false},
      {true, true, false, false, -1, true},
      {true, true, true, false, -1, false},
      {true, true, false, true, -1, false},
      {false, true, false, false, -1, false},
      {false, false, false, false, 0, true},
      {true, true, true, false, RESPONSES_MAX_BLOWS - 1, true},
      {true, false, false, false, RESPONSES_MAX_BLOWS - 1, true},
      {true, true, false, true, 1, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    man->balance.def.enabled = cases[i].enabled;
    man->balance.mode = cases[i].steps ? BALANCE_STEPPING : BALANCE_STANDING;
    man->balance.walking = cases[i].walks;
    man->balance.realigning_feet = cases[i].straightens;
    for (int k = 0; k < RESPONSES_MAX_BLOWS; k++)
      man->responses.blows[k].active = k == cases[i].blow;
    character_graph_step(man, scene->world->def.dt);
    if (man->graph->disturbed != cases[i].ends)
      fail_msg("case %zu", i);
  }
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_it_obeys_in_one_step),
      cmocka_unit_test(test_feet_keep_step_with_the_root),
      cmocka_unit_test(test_a_mirrored_character_is_a_mirror_image),
      cmocka_unit_test(test_a_script_sends_events),
      cmocka_unit_test(test_what_plays_is_recorded),
      cmocka_unit_test(test_bad_animations_are_refused),
      cmocka_unit_test(test_what_ends_gestures),
      cmocka_unit_test(test_gestures_are_shown),
      cmocka_unit_test(test_a_turn_back_is_continuous_in_the_world),
      cmocka_unit_test(test_a_body_turns_back_within_a_frame),
      cmocka_unit_test(test_a_body_turns_back_at_any_phase),
      cmocka_unit_test(test_a_body_breaks_off_only_when_it_may),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
