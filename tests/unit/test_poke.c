// Interaction with a scene: drags pull without striking, strikes are restored from their text, balls are reused.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "scenes/run/poke.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

// A man who stands, or falls limp when the drive is off, unless he floats.
static const char MAN[] = "characters: [{name: man, body: bodies/human.yaml, drive: {enabled: true}}]\n";
static const char WEIGHTLESS_MAN[] =
    "world: {gravity: [0, 0, 0]}\n"
    "characters: [{name: man, body: bodies/human.yaml, start: {position: [0, 4, 0]}, drive: {enabled: false}}]\n";

typedef struct Run {
  SceneDef *def;
  Scene *scene;
  Poke poke;
} Run;

// The scene of a text beside the scenes of this tree, as `stagger run` would read it.
static Run run_start(const char *text) {
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Run run = {.def = scene_def_from_text("poked.yaml", text, &files, NULL, 0, &error)};
  fixture_check(&error);
  run.scene = small_scene(run.def);
  poke_init(&run.poke);
  run.poke.def.ball_speed = 8;
  return run;
}

static void run_end(Run *run) {
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

static void run_step(Run *run) {
  poke_step(&run->poke, run->scene);
  if (!scene_step(run->scene))
    fail_msg("%s", run->scene->world->stop_reason);
}

static WorldHit hit_on(const Run *run, const char *part) {
  const Character *man = run->scene->characters[0];
  int index = skeleton_find(&man->def->body->skeleton, part);
  if (index < 0)
    fail_msg("no part %s", part);
  WorldHit hit = {.body = man->ragdoll->body[index]};
  memcpy(hit.point, dBodyGetPosition(run->scene->world->bodies[hit.body].ode), sizeof hit.point);
  return hit;
}

static double distance(const double a[3], const double b[3]) {
  const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return length3(apart);
}

// Drags a part of a floating man to a goal; returns the point's distance from it at the end, as a share of the whole.
static double rest_of_way(const char *part, double seconds) {
  Run run = run_start(WEIGHTLESS_MAN);
  WorldHit hit = hit_on(&run, part);
  hit.point[0] += 0.02; // not in the middle
  poke_drag_begin(&run.poke, run.scene, &hit);
  const double goal[3] = {hit.point[0] + 1.5, hit.point[1] + 0.5, hit.point[2] - 1};
  poke_drag_move(&run.poke, goal);
  double largest = 0;
  for (int i = 0; i < seconds * 240; i++) {
    run_step(&run);
    largest = fmax(largest, length3(run.poke.drag.force_w));
    assert_int_equal(run.scene->world->impulse_count, 1);
    assert_int_equal(run.scene->world->impulses[0].source, IMPULSE_DRAG);
  }
  assert_true(largest > 100 && largest <= run.poke.def.drag_force * (1 + 1e-12));
  dVector3 point;
  const double *l = run.poke.drag.point_l;
  dBodyGetRelPointPos(run.scene->world->bodies[hit.body].ode, l[0], l[1], l[2], point);
  double rest = distance(point, goal) / distance(hit.point, goal);
  run_end(&run);
  return rest;
}

static void test_a_drag_brings_a_part_to_its_goal(void **state) {
  (void)state;
  assert_true(rest_of_way("chest", 5) < 0.03);
  assert_true(rest_of_way("hand_l", 10) < 0.15); // the limp body still swings about it
}

// The goal jumps by metres: nothing diverges, the force keeps its limit.
static void test_a_drag_is_stable_on_a_hand(void **state) {
  (void)state;
  const char *const scenes[] = {WEIGHTLESS_MAN, MAN};
  const double most[] = {60, 5}; // m/s: limp limbs whip against their joints' limits
  for (int s = 0; s < 2; s++) {
    Run run = run_start(scenes[s]);
    WorldHit hit = hit_on(&run, "hand_r");
    assert_true(run.scene->world->bodies[hit.body].mass < 0.5);
    poke_drag_begin(&run.poke, run.scene, &hit);
    double largest = 0, fastest = 0;
    dBodyID hand = run.scene->world->bodies[hit.body].ode;
    for (int i = 0; i < 6 * 240; i++) {
      double side = i / 120 % 2 == 0 ? 1 : -1;
      const double goal[3] = {hit.point[0] + 2 * side, hit.point[1] + 0.3, hit.point[2] + side};
      poke_drag_move(&run.poke, goal);
      run_step(&run);
      largest = fmax(largest, length3(run.poke.drag.force_w));
      fastest = fmax(fastest, length3(dBodyGetLinearVel(hand)));
    }
    assert_true(largest <= 600 * (1 + 1e-12));
    assert_true(fastest < most[s]);
    for (int i = 0; i < 10 * 240; i++) // and with the goal held still the hand comes to rest
      run_step(&run);
    assert_true(length3(dBodyGetLinearVel(hand)) < 1);
    run_end(&run);
  }
}

// A pull without limits is cut to the limit: only the drag acts on the hand, so that its momentum shows the force.
static void test_the_force_is_limited(void **state) {
  (void)state;
  Run run = run_start(WEIGHTLESS_MAN);
  run.poke.def.drag_frequency = 10;
  run.poke.def.drag_force = 50;
  WorldHit hit = hit_on(&run, "hand_l");
  poke_drag_begin(&run.poke, run.scene, &hit);
  poke_drag_move(&run.poke, (double[]){hit.point[0] + 500, hit.point[1], hit.point[2]});
  double before[3], after[3], spin[3];
  fixture_momentum(run.scene->world, before, spin);
  for (int i = 0; i < 24; i++) {
    run_step(&run);
    assert_near(length3(run.poke.drag.force_w), 50, 1e-9);
  }
  fixture_momentum(run.scene->world, after, spin);
  assert_near(after[0] - before[0], 50 * 24 * DT, 0.02 * 5);
  run_end(&run);
}

// The implicit spring on a free ball: critically damped, so that it never overshoots by more than rounding, and exact
// in its first step: v = k x h / (m + (c + k h) h).
static void test_a_ball_on_the_spring(void **state) {
  (void)state;
  Run run = run_start(WEIGHTLESS_MAN);
  assert_true(poke_throw(&run.poke, run.scene, (double[]){5, 3, 0}, (double[]){1, 0, 0}));
  int ball = run.poke.balls.bodies[0];
  dBodyID body = run.scene->world->bodies[ball].ode;
  dBodySetLinearVel(body, 0, 0, 0);
  WorldHit hit = {.body = ball, .point = {5, 3, 0}};
  poke_drag_begin(&run.poke, run.scene, &hit);
  poke_drag_move(&run.poke, (double[]){5.4, 3, 0});
  double omega = 2 * M_PI * 1.5, m = 3, k = m * omega * omega, c = 2 * m * omega;
  run_step(&run);
  assert_near(dBodyGetLinearVel(body)[0], 0.4 * k * DT / (m + (c + k * DT) * DT), 1e-9);
  for (int i = 0; i < 480; i++) {
    run_step(&run);
    assert_true(dBodyGetPosition(body)[0] <= 5.4 + 1e-9);
  }
  assert_near(dBodyGetPosition(body)[0], 5.4, 1e-5);
  poke_drag_end(&run.poke);
  assert_false(run.poke.drag.active);
  run_step(&run);
  assert_int_equal(run.scene->world->impulse_count, 0);
  run_end(&run);
}

static void test_a_drag_is_no_hit(void **state) {
  (void)state;
  Run run = run_start(MAN);
  WorldHit hit = hit_on(&run, "hand_l");
  poke_drag_begin(&run.poke, run.scene, &hit);
  poke_drag_move(&run.poke, (double[]){hit.point[0] + 0.4, hit.point[1], hit.point[2]});
  const Character *man = run.scene->characters[0];
  for (int i = 0; i < 120; i++) {
    run_step(&run);
    assert_true(length3(run.poke.drag.force_w) > 0);
    for (int k = 0; k < man->def->body->part_count; k++)
      assert_true(man->hit_reaction.strength[k] == 1 && man->hit_reaction.blend[k] == 0);
  }
  int hits;
  metrics_hits(man->judged->metrics, &hits);
  assert_int_equal(hits, 0);

  hit = hit_on(&run, "hand_l");
  run.poke.def.impulse = 1;
  assert_true(poke_shoot(&run.poke, run.scene, &hit, (double[]){0, 0, 1}, NULL, 0)); // a bullet is one
  for (int i = 0; i < 12; i++)
    run_step(&run);
  assert_true(man->hit_reaction.strength[skeleton_find(&man->def->body->skeleton, "hand_l")] < 1);
  metrics_hits(man->judged->metrics, &hits);
  assert_int_equal(hits, 1);
  run_end(&run);
}

// A held character is shown as physics; released, he is animated again when the pull is over.
static void test_a_held_man_is_shown_as_his_body(void **state) {
  (void)state;
  Run run = run_start(MAN);
  const Character *man = run.scene->characters[0];
  WorldHit hit = hit_on(&run, "chest");
  poke_drag_begin(&run.poke, run.scene, &hit);
  double goal[3] = {hit.point[0], hit.point[1], hit.point[2] + 0.05};
  poke_drag_move(&run.poke, goal);
  for (int i = 0; i < 240; i++)
    run_step(&run);
  assert_memory_equal(&man->shown.pose.rotation[1], &man->sensed.pose.rotation[1], sizeof(versors));
  assert_true(quat_angle_between(man->shown.pose.rotation[0], man->target.rotation[0]) > 0.005f);
  poke_drag_end(&run.poke);
  for (int i = 0; i < 600; i++)
    run_step(&run);
  assert_memory_equal(&man->shown.pose.rotation[1], &man->target.rotation[1], sizeof(versors));
  run_end(&run);
}

// The same strikes by the mouse and by the scene's list: the same run, to the last bit.
static void check_texts(const char *scene_text, bool push) {
  Run poked = run_start(scene_text);
  static const double ways[3][3] = {{0.6, 0.48, -0.64}, {0, 1, 0}, {-0.1, -0.2, 0.97}};
  static const char *const parts[3] = {"chest", "hand_l", "shin_r"};
  char events[3][512], text[4096];
  for (int i = 0; i < 480; i++) {
    int n = i / 60;
    if (i % 60 == 37 && n < 3) {
      WorldHit hit = hit_on(&poked, parts[n]);
      hit.point[0] += 0.01 * n, hit.point[1] += 1.0 / 300;
      double way[3], length = length3(ways[n]);
      for (int k = 0; k < 3; k++)
        way[k] = ways[n][k] / length;
      poked.poke.def.impulse = 2 + n / 3.0;
      poked.poke.def.push_force = 40 + n / 7.0;
      assert_true((push ? poke_push : poke_shoot)(&poked.poke, poked.scene, &hit, way, events[n], sizeof events[n]));
      assert_null(strchr(events[n], '\n'));
    }
    run_step(&poked);
  }
  int length = snprintf(text, sizeof text, "%sevents:\n", scene_text);
  for (int n = 0; n < 3; n++)
    length += snprintf(text + length, sizeof text - (size_t)length, "  - %s\n", events[n]);
  Run listed = run_start(text), calm = run_start(scene_text);
  for (int i = 0; i < 480; i++) {
    run_step(&listed);
    run_step(&calm);
  }
  assert_true(world_hash(listed.scene->world) == world_hash(poked.scene->world));
  assert_true(world_hash(calm.scene->world) != world_hash(poked.scene->world));
  run_end(&poked);
  run_end(&listed);
  run_end(&calm);
}

static void test_strikes_are_restored_from_their_text(void **state) {
  (void)state;
  static const char RUNNER[] = "characters:\n"
                               "  - name: man\n"
                               "    body: bodies/human.yaml\n"
                               "    start: {heading: 77}\n"
                               "    animation: {move: clips/run.yaml}\n"
                               "    intent: {speed: 3.5, heading: 20}\n"
                               "    hit_reaction: {spread: 0.03}\n";
  check_texts(MAN, false);
  check_texts(RUNNER, false);
  check_texts(RUNNER, true);
}

static void test_the_impulse_is_what_was_asked_for(void **state) {
  (void)state;
  Run run = run_start(WEIGHTLESS_MAN);
  WorldHit hit = hit_on(&run, "chest");
  const double way[3] = {0.6, 0.48, -0.64};
  assert_true(poke_shoot(&run.poke, run.scene, &hit, way, NULL, 0));
  double before[3], after[3], spin[3];
  fixture_momentum(run.scene->world, before, spin);
  run_step(&run);
  fixture_momentum(run.scene->world, after, spin);
  for (int k = 0; k < 3; k++)
    assert_near(after[k] - before[k], 10 * way[k], 1e-9);

  assert_true(poke_push(&run.poke, run.scene, &hit, way, NULL, 0));
  for (int i = 0; i < 90; i++)
    run_step(&run);
  memcpy(before, after, sizeof before);
  fixture_momentum(run.scene->world, after, spin);
  for (int k = 0; k < 3; k++)
    assert_near(after[k] - before[k], 150 * 0.3 * way[k], 1e-8);
  run_end(&run);
}

static void test_a_text_that_does_not_fit_is_empty(void **state) {
  (void)state;
  Run run = run_start(MAN);
  WorldHit hit = hit_on(&run, "chest");
  char text[40];
  memset(text, 'x', sizeof text);
  assert_true(poke_shoot(&run.poke, run.scene, &hit, (double[]){0, 0, 1}, text, sizeof text));
  assert_string_equal(text, "");
  run_end(&run);
}

static void test_bad_pokes_are_refused(void **state) {
  (void)state;
  Run run = run_start(MAN);
  const double forward[3] = {0, 0, 1};
  WorldHit ground = {.body = WORLD_GROUND}, far = {.body = 999}, good = hit_on(&run, "chest"), nan = good, away = good;
  nan.point[1] = NAN;
  away.point[1] = 1000;
  const WorldHit *const hits[] = {&ground, &far, &nan, &away};
  for (int i = 0; i < 4; i++) {
    assert_false(poke_shoot(&run.poke, run.scene, hits[i], forward, NULL, 0));
    assert_false(poke_push(&run.poke, run.scene, hits[i], forward, NULL, 0));
    if (i < 3) {
      poke_drag_begin(&run.poke, run.scene, hits[i]);
      assert_false(run.poke.drag.active);
    }
  }
  const double ways[3][3] = {{NAN, 0, 1}, {0, INFINITY, 0}, {0, 0, 0}};
  for (int i = 0; i < 3; i++) {
    assert_false(poke_shoot(&run.poke, run.scene, &good, ways[i], NULL, 0));
    assert_false(poke_throw(&run.poke, run.scene, (double[]){0, 1, 3}, ways[i]));
  }
  assert_false(poke_throw(&run.poke, run.scene, (double[]){0, NAN, 3}, forward));
  assert_int_equal(run.poke.balls.count, 0);
  assert_int_equal(run.scene->world->body_count, run.scene->characters[0]->def->body->part_count);

  poke_drag_begin(&run.poke, run.scene, &good);
  const double goals[3][3] = {{NAN, 0, 0}, {0, -INFINITY, 0}, {0, 1e300, 0}};
  for (int i = 0; i < 3; i++) {
    poke_drag_move(&run.poke, goals[i]);
    run_step(&run);
    assert_true(finite3(run.poke.drag.force_w));
  }
  assert_int_equal(run.scene->world->warnings.impulses_refused, 0);

  // The number of simultaneous pokes is limited.
  for (int i = 0; i < EVENTS_MAX_ACTIVE; i++)
    assert_true(poke_shoot(&run.poke, run.scene, &good, forward, NULL, 0));
  assert_false(poke_shoot(&run.poke, run.scene, &good, forward, NULL, 0));
  run_end(&run);
}

// The seventeenth ball reuses the first one's body; a drag of that ball ends.
static void test_balls_are_reused(void **state) {
  (void)state;
  Run run = run_start(MAN);
  int parts = run.scene->world->body_count;
  uint64_t before = world_hash(run.scene->world);
  for (int i = 0; i < PROJECTILE_KEPT; i++)
    assert_true(poke_throw(&run.poke, run.scene, (double[]){5 + i, 2, 0}, (double[]){0, 0, -2}));
  assert_true(world_hash(run.scene->world) != before);
  assert_int_equal(run.poke.balls.count, PROJECTILE_KEPT);
  assert_int_equal(run.scene->world->body_count, parts + PROJECTILE_KEPT);
  for (int i = 0; i < 60; i++)
    run_step(&run);
  WorldHit hit = {.body = run.poke.balls.bodies[0]};
  poke_drag_begin(&run.poke, run.scene, &hit);
  assert_true(run.poke.drag.active);
  for (int i = 0; i < 2 * PROJECTILE_KEPT; i++) {
    assert_true(poke_throw(&run.poke, run.scene, (double[]){5, 3 + i, 0}, (double[]){0, 0, -2}));
    const World *world = run.scene->world;
    dBodyID ball = world->bodies[run.poke.balls.bodies[i % PROJECTILE_KEPT]].ode;
    assert_near(dBodyGetPosition(ball)[1], 3 + i, 0);
    assert_near(dBodyGetLinearVel(ball)[2], -8, 1e-12);
    assert_false(run.poke.drag.active);
  }
  assert_int_equal(run.scene->world->body_count, parts + PROJECTILE_KEPT);
  poke_reset(&run.poke);
  assert_int_equal(run.poke.balls.count, 0);
  assert_near(run.poke.def.ball_speed, 8, 0);
  run_end(&run);
}

// In a world without room the existing balls are thrown again; without any there is no throw.
static void test_a_full_world(void **state) {
  (void)state;
  Run run = run_start(MAN);
  const Projectile filler = {.mass = 1, .radius = 0.01, .position = {50, 50, 50}};
  assert_true(poke_throw(&run.poke, run.scene, (double[]){5, 2, 0}, (double[]){0, 0, -1}));
  while (run.scene->world->body_count < WORLD_MAX_BODIES)
    projectile_create(run.scene->world, &filler);
  for (int i = 0; i < 3; i++)
    assert_true(poke_throw(&run.poke, run.scene, (double[]){5, 3, 0}, (double[]){0, 0, -1}));
  assert_int_equal(run.poke.balls.count, 1);
  Poke other;
  poke_init(&other);
  assert_false(poke_throw(&other, run.scene, (double[]){5, 3, 0}, (double[]){0, 0, -1}));
  run_end(&run);
}

// Thrown at the chest it hits, is felt as one hit, and disturbs nothing else in the scene.
static void test_a_thrown_ball_hits(void **state) {
  (void)state;
  Run run = run_start(MAN);
  WorldHit chest = hit_on(&run, "chest"), seen;
  const double from[3] = {chest.point[0], chest.point[1], chest.point[2] + 3}, way[3] = {0, 0.1, -1};
  assert_true(poke_pick(run.scene, from, (double[]){0, 0, -1}, 10, &seen));
  assert_int_equal(seen.body, chest.body);
  assert_true(poke_throw(&run.poke, run.scene, from, way));
  double given = 0;
  for (int i = 0; i < 240; i++) {
    run_step(&run);
    for (int k = 0; k < run.scene->world->impulse_count; k++) {
      const Impulse *impulse = &run.scene->world->impulses[k];
      assert_int_equal(impulse->source, IMPULSE_CONTACT);
      assert_int_equal(run.scene->world->bodies[impulse->body].owner, 0);
      given -= impulse->impulse[2];
    }
  }
  // 3 kg at 8 m/s: most of 24 N s.
  assert_true(given > 12 && given < 30);
  int hits;
  metrics_hits(run.scene->characters[0]->judged->metrics, &hits);
  assert_true(hits >= 1);
  run_end(&run);
}

// An aimed ball meets the part that was picked: under gravity, on a body that moves, and where its usual speed does not
// reach.
static void test_an_aimed_ball_meets_its_point(void **state) {
  (void)state;
  const struct {
    const char *scene;
    double speed, velocity; // m/s: of the ball, of the man
  } cases[] = {{MAN, 12, 0}, {MAN, 1, 0}, {WEIGHTLESS_MAN, 12, 3.5}};
  for (int i = 0; i < 3; i++) {
    Run run = run_start(cases[i].scene);
    const Character *man = run.scene->characters[0];
    for (int k = 0; k < man->def->body->part_count; k++)
      dBodySetLinearVel(man->ragdoll->ode[k], 0, 0, cases[i].velocity);
    run_step(&run); // the man now knows his motion
    WorldHit hit = hit_on(&run, "chest");
    run.poke.def.ball_speed = cases[i].speed;
    const double from[3] = {hit.point[0] + 1, hit.point[1] + 0.5, hit.point[2] + 6};
    assert_true(poke_throw_at(&run.poke, run.scene, from, &hit));
    int ball = run.poke.balls.bodies[0], struck = WORLD_GROUND;
    for (int k = 0; k < 480 && struck == WORLD_GROUND; k++) {
      run_step(&run);
      for (int c = 0; c < run.scene->world->contact_count; c++) {
        const Contact *contact = &run.scene->world->contacts[c];
        if (contact->body == ball || contact->other == ball)
          struck = contact->body == ball ? contact->other : contact->body;
      }
    }
    assert_int_equal(struck, hit.body);
    run_end(&run);
  }
}

// A spring whose goal moves with a moving body does not hold it back.
static void test_a_carried_drag_holds_nobody_back(void **state) {
  (void)state;
  double speeds[2];
  for (int carried = 0; carried < 2; carried++) {
    Run run = run_start(WEIGHTLESS_MAN);
    const Character *man = run.scene->characters[0];
    for (int k = 0; k < man->def->body->part_count; k++)
      dBodySetLinearVel(man->ragdoll->ode[k], 0, 0, 3.5);
    WorldHit hit = hit_on(&run, "chest");
    poke_drag_begin(&run.poke, run.scene, &hit);
    poke_drag_carry(&run.poke, (double[]){0, 0, carried ? 3.5 : 0});
    poke_drag_carry(&run.poke, (double[]){0, NAN, 0}); // ignored
    for (int k = 0; k < 120; k++) {
      run_step(&run);
      if (carried)
        assert_true(length3(run.poke.drag.force_w) < 1);
    }
    speeds[carried] = man->sensed.com_velocity[2];
    run_end(&run);
  }
  assert_near(speeds[1], 3.5, 0.01);
  assert_true(speeds[0] < 2);
}

// All of it is in the trace: whose part was struck, how, and by how much.
static void test_strikes_are_in_the_trace(void **state) {
  (void)state;
  Error error = {0};
  Run run = run_start(WEIGHTLESS_MAN);
  char path[32];
  small_file(path);
  TraceInfo info = scene_trace_info(run.def);
  TraceWriter *trace = trace_create(path, &info, &error);
  fixture_check(&error);
  assert_true(scene_record(run.scene, trace, &error));
  WorldHit chest = hit_on(&run, "chest"), hand = hit_on(&run, "hand_l");
  assert_true(poke_shoot(&run.poke, run.scene, &chest, (double[]){1, 0, 0}, NULL, 0));
  run.poke.def.push_time = 5 * DT;
  assert_true(poke_push(&run.poke, run.scene, &chest, (double[]){0, 0, 1}, NULL, 0));
  poke_drag_begin(&run.poke, run.scene, &hand);
  poke_drag_move(&run.poke, (double[]){2, 3, 0});
  for (int i = 0; i < 10; i++)
    run_step(&run);
  poke_drag_end(&run.poke);
  chest = hit_on(&run, "chest");
  const double from[3] = {chest.point[0], chest.point[1], chest.point[2] + 0.5};
  assert_true(poke_throw(&run.poke, run.scene, from, (double[]){0, 0, -1}));
  double thrown = 0, start = 0;
  for (int i = 0; i < 60; i++) {
    double time = run.scene->world->time;
    run_step(&run);
    for (int k = 0; k < run.scene->world->impulse_count; k++) {
      start = thrown > 0 ? start : time;
      thrown += length3(run.scene->world->impulses[k].impulse);
    }
  }
  WorldHit ball = {.body = run.poke.balls.bodies[0]};
  poke_drag_begin(&run.poke, run.scene, &ball);
  run_step(&run);
  scene_finish(run.scene);
  assert_true(trace_close(trace, "complete", &error));
  run_end(&run);

  TraceReader *reader = trace_open(path, &error);
  fixture_check(&error);
  int count, bullets = 0, pushes = 0, drags = 0, hits = 0, ball_drags = 0;
  TraceEvent *events = trace_events(reader, &count);
  double pushed = 0, hit = 0;
  for (int i = 0; i < count; i++) {
    const TraceEvent *event = &events[i];
    const double impulse[3] = {(double)event->impulse[0], (double)event->impulse[1], (double)event->impulse[2]};
    if (strcmp(event->part, "ball") == 0) {
      assert_string_equal(event->kind, "drag");
      assert_string_equal(event->character, "");
      ball_drags++;
      continue;
    }
    assert_string_equal(event->character, "man");
    if (strcmp(event->kind, "impulse") == 0) {
      assert_string_equal(event->part, "chest");
      assert_near(impulse[0], 10, 1e-5);
      bullets++;
    } else if (strcmp(event->kind, "push") == 0) {
      pushed += impulse[2];
      pushes++;
    } else if (strcmp(event->kind, "drag") == 0) {
      assert_string_equal(event->part, "hand_l");
      assert_near(event->time, drags * DT, 1e-9);
      drags++;
    } else {
      assert_string_equal(event->kind, "projectile");
      if (hits++ == 0)
        assert_near(event->time, start, 1e-9);
      hit += length3(impulse);
    }
  }
  assert_int_equal(bullets, 1);
  assert_int_equal(pushes, 5);
  assert_int_equal(drags, 10);
  assert_int_equal(ball_drags, 1);
  assert_true(hits >= 1);
  assert_near(pushed, 150 * 5 * DT, 1e-5);
  assert_near(hit, thrown, 1e-5);
  free(events);
  trace_reader_close(reader);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_drag_brings_a_part_to_its_goal),
      cmocka_unit_test(test_a_drag_is_stable_on_a_hand),
      cmocka_unit_test(test_the_force_is_limited),
      cmocka_unit_test(test_a_ball_on_the_spring),
      cmocka_unit_test(test_a_drag_is_no_hit),
      cmocka_unit_test(test_a_held_man_is_shown_as_his_body),
      cmocka_unit_test(test_strikes_are_restored_from_their_text),
      cmocka_unit_test(test_the_impulse_is_what_was_asked_for),
      cmocka_unit_test(test_a_text_that_does_not_fit_is_empty),
      cmocka_unit_test(test_bad_pokes_are_refused),
      cmocka_unit_test(test_balls_are_reused),
      cmocka_unit_test(test_a_full_world),
      cmocka_unit_test(test_a_thrown_ball_hits),
      cmocka_unit_test(test_an_aimed_ball_meets_its_point),
      cmocka_unit_test(test_a_carried_drag_holds_nobody_back),
      cmocka_unit_test(test_strikes_are_in_the_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
