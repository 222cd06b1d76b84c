// Synchronized clips: phases by marks, weights of blends, and the feet of walk and run at every speed between.
#include "tests/unit/graph_fixture.h"

#include "anim/graph/blend_weights.h"
#include "anim/graph/sync.h"
#include "sim/base/rng.h"

// ---- Tracks ----

static SyncTrack track_of(const Clip *clip) {
  SyncTrack track;
  const char *why = NULL;
  if (!sync_track_read(&track, clip, &why))
    fail_msg("%s", why);
  return track;
}

static Clip marked(bool loop, float duration, int count, const char *sides, const float *times) {
  Clip clip = {.loop = loop, .duration = duration, .mark_count = count};
  for (int i = 0; i < count; i++) {
    strcpy(clip.marks[i].name, sides[i] == 'l' ? "left_strike" : "right_strike");
    clip.marks[i].time = times[i];
  }
  return clip;
}

static void test_phase_is_linear_between_marks(void **state) {
  (void)state;
  Clip clip = marked(true, 2, 2, "lr", (float[]){0.5f, 1.0f});
  SyncTrack track = track_of(&clip);
  assert_int_equal(track.cycles, 1);
  assert_true(track.cycle == 2);
  assert_true(sync_time(&track, 0) == 0.5 && sync_time(&track, 0.5) == 1);
  assert_true(fabs(sync_time(&track, 0.25) - 0.75) < 1e-12);
  assert_true(fabs(sync_time(&track, 0.75) - 1.75) < 1e-12); // half of the 1.5 s from the right strike to the left
  assert_true(fabs(sync_time(&track, 0.9) - 0.2) < 1e-12);   // around the loop's end
  assert_true(fabs(sync_time(&track, 7.25) - 0.75) < 1e-12 && fabs(sync_time(&track, -0.75) - 0.75) < 1e-12);
}

static void test_time_and_phase_are_inverse(void **state) {
  (void)state;
  Clip clips[] = {marked(true, 1.1f, 2, "rl", (float[]){0.2f, 0.8f}), marked(true, 3, 1, "l", (float[]){1.0f}),
                  marked(true, 2, 4, "lrlr", (float[]){0.1f, 0.6f, 1.1f, 1.7f}),
                  marked(false, 2, 3, "lrl", (float[]){0.4f, 0.9f, 1.6f})};
  for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
    SyncTrack track = track_of(&clips[i]);
    for (double time = 0; time < clips[i].duration; time += 0.013)
      assert_true(fabs(sync_time(&track, sync_phase(&track, time)) - time) < 1e-9);
    for (int m = 0; m < clips[i].mark_count; m++) { // left strikes lie at whole phases, right ones at half phases
      double phase = sync_phase(&track, clips[i].marks[m].time);
      double want = strcmp(clips[i].marks[m].name, "left_strike") == 0 ? 0 : 0.5;
      assert_true(fabs(phase - want - round(phase - want)) < 1e-9);
    }
  }
  assert_int_equal(track_of(&clips[2]).cycles, 2);
}

static void test_bad_marks_are_refused(void **state) {
  (void)state;
  SyncTrack track;
  const char *why = NULL;
  Clip none = marked(true, 1, 1, "r", (float[]){0.5f}), twice = marked(true, 1, 3, "llr", (float[]){0, 0.2f, 0.5f});
  Clip same = marked(true, 1, 2, "lr", (float[]){0.5f, 0.5f});
  assert_false(sync_track_read(&track, &none, &why));
  assert_string_equal(why, "it has no mark 'left_strike'");
  assert_false(sync_track_read(&track, &twice, &why));
  assert_string_equal(why, "its marks 'left_strike' and 'right_strike' do not alternate");
  assert_false(sync_track_read(&track, &same, &why));
}

// ---- Weights ----

static void test_weights_of_one_parameter(void **state) {
  (void)state;
  const float positions[] = {-1, 0.5f, 2};
  float w[3];
  blend_weights(positions, 3, -5, w);
  assert_true(w[0] == 1 && w[1] == 0 && w[2] == 0);
  blend_weights(positions, 3, 0.5f, w);
  assert_true(w[0] == 0 && w[1] == 1 && w[2] == 0);
  blend_weights(positions, 3, 1.625f, w);
  assert_true(w[0] == 0 && w[1] == 0.25f && w[2] == 0.75f);
  blend_weights(positions, 3, 9, w);
  assert_true(w[2] == 1 && w[0] == 0 && w[1] == 0);
  blend_weights(positions, 1, 9, w);
  assert_true(w[0] == 1);
}

static void weigh(bool polar, float (*at)[2], int count, float x, float y, float *weights) {
  (polar ? blend_weights_polar : blend_weights_flat)((const float(*)[2])at, count, (float[]){x, y}, weights);
}

// For random sets of points: weights sum to 1, belong to one child at its own point, and change without jumps.
static void test_weights_of_two_parameters(void **state) {
  (void)state;
  Rng rng = rng_make(7, "directions");
  for (int set = 0; set < 200; set++) {
    int count = 1 + rng_index(&rng, 8);
    float at[8][2], w[8], before[8];
    for (int i = 0; i < count; i++) { // around the circle, each at its own speed
      double angle = 2 * GLM_PI * (i + 0.6 * rng_unit(&rng)) / count, radius = rng_range(&rng, 0.7, 1.5);
      at[i][0] = (float)(radius * sin(angle));
      at[i][1] = (float)(radius * cos(angle));
    }
    if (set % 2 && count > 1)
      at[0][0] = at[0][1] = 0;
    for (int i = 0; i < count; i++) {
      weigh(set % 3 > 0, at, count, at[i][0], at[i][1], w);
      for (int j = 0; j < count; j++)
        assert_true(fabsf(w[j] - (float)(i == j)) < 1e-5f);
    }
    float x = -2, y = (float)rng_range(&rng, -1, 1), dx = 0.002f;
    for (int step = 0; x < 2; step++, x += dx) { // a straight path through the middle
      weigh(set % 3 > 0, at, count, x, y * x / 2, w);
      float sum = 0, jump = 0;
      for (int i = 0; i < count; i++) {
        assert_true(w[i] >= 0);
        sum += w[i];
        jump = fmaxf(jump, step ? fabsf(w[i] - before[i]) : 0);
        before[i] = w[i];
      }
      assert_true(fabsf(sum - 1) < 1e-5f);
      if (jump > 0.1f)
        fail_msg("set %d: a weight jumps by %g at %g", set, (double)jump, (double)x);
    }
  }
}

// All round the circle, where an angle begins anew as elsewhere, weights change without jumps; and what is mirrored has
// mirrored weights.
static void test_weights_go_round(void **state) {
  (void)state;
  Rng rng = rng_make(8, "directions");
  for (int set = 0; set < 100; set++) {
    int count = 2 + rng_index(&rng, 4);
    float at[8][2], mirrored[8][2], w[8], image[8], before[8] = {0};
    for (int i = 0; i < count; i++) { // some far from their neighbours
      double angle = 2 * GLM_PI * (i + 0.9 * rng_unit(&rng)) / count, radius = rng_range(&rng, 0.4, 2);
      at[i][0] = (float)(radius * sin(angle));
      at[i][1] = (float)(radius * cos(angle));
      mirrored[i][0] = -at[i][0];
      mirrored[i][1] = at[i][1];
    }
    for (int step = 0; step <= 1440; step++) {
      float angle = (float)(step * GLM_PI / 720);
      weigh(true, at, count, sinf(angle), cosf(angle), w);
      weigh(true, mirrored, count, -sinf(angle), cosf(angle), image);
      for (int i = 0; i < count; i++) {
        assert_true(fabsf(w[i] - image[i]) < 1e-3f);
        if (step > 0 && fabsf(w[i] - before[i]) > 0.07f)
          fail_msg("set %d: a weight jumps by %g at %g deg", set, (double)(w[i] - before[i]), step / 4.0);
        before[i] = w[i];
      }
    }
  }
}

// Between two neighbours only they count, half each.
static void test_directions_between_neighbours(void **state) {
  (void)state;
  const float at[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  float w[4];
  blend_weights_polar(at, 4, (float[]){0.6f, 0.6f}, w);
  assert_true(fabsf(w[0] - 0.5f) < 1e-3f && fabsf(w[1] - 0.5f) < 1e-3f && w[2] == 0 && w[3] == 0);
}

// ---- Synchronized feet ----

static const double DT = 1.0 / 240;

static double phase_error(double phase, double want) {
  double error = phase - want;
  return fabs(error - round(error));
}

// Phase of the first harmonic of a foot's motion forth and back, in cycles.
typedef struct Harmonic {
  double re, im;
} Harmonic;

static void harmonic_add(Harmonic *h, double phase, double value) {
  h->re += value * cos(2 * GLM_PI * phase);
  h->im -= value * sin(2 * GLM_PI * phase);
}
static double harmonic_phase(const Harmonic *h) { return atan2(-h->im, h->re) / (2 * GLM_PI); }

static void test_walk_and_run_keep_step(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/walk_run.yaml");
  SyncTrack walk = track_of(fixture_clip(f, "clips/walk.yaml")), run = track_of(fixture_clip(f, "clips/run.yaml"));
  const Leg *legs = f->skeleton->legs;
  double worst = 0, worst_feet = 0, left_before = 0;
  for (double speed = 1.3; speed <= 3.5; speed += 0.1) {
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, "speed", speed);
    GraphOutput o = fixture_step_graph(graph, DT);
    bool before[2] = {o.contact[0], o.contact[1]};
    double cycle = o.cycle;
    int strikes = 0, steps = (int)round(cycle * 5 / DT);
    Harmonic left = {0}, right = {0};
    for (int i = 0; i < steps; i++) {
      o = fixture_step_graph(graph, DT);
      for (int leg = 0; leg < 2; leg++) {
        if (o.contact[leg] && !before[leg]) {
          worst = fmax(worst, phase_error(o.phase, leg * 0.5) - DT / cycle); // detected a step late at most
          strikes++;
        }
        before[leg] = o.contact[leg];
      }
      GraphActive w = fixture_active(graph, "walk", "clip"), r = fixture_active(graph, "run", "clip");
      if (w.weight > 0)
        worst = fmax(worst, phase_error(sync_phase(&walk, (double)w.time), o.phase));
      if (r.weight > 0)
        worst = fmax(worst, phase_error(sync_phase(&run, (double)r.time), o.phase));
      ModelPose model;
      pose_to_model(f->skeleton, &o.pose, &model);
      harmonic_add(&left, o.phase, (double)model.position[legs[0].ankle].z);
      harmonic_add(&right, o.phase, (double)model.position[legs[1].ankle].z);
    }
    assert_true(strikes >= 8);
    double at = harmonic_phase(&left);
    worst_feet = fmax(worst_feet, phase_error(harmonic_phase(&right), at + 0.5));
    if (speed > 1.35) // between the speeds the foot's own phase is blended from the walk's to the run's
      assert_true(phase_error(at, left_before) < 0.02);
    left_before = at;
    graph_destroy(graph);
  }
  printf("largest phase error %.5f of a cycle, of the feet against each other %.5f\n", worst, worst_feet);
  assert_true(worst < 0.02 && worst_feet < 0.02);
  graph_def_free(def);
}

// Faster and slower all the time: the phase never jumps and never runs back.
static void test_phase_goes_on_while_the_speed_changes(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/walk_run.yaml");
  Graph *graph = fixture_start_graph(def);
  double before = fixture_step_graph(graph, DT).phase;
  for (int i = 0; i < 2400; i++) {
    fixture_set(graph, def, "speed", 2.4 + 1.5 * sin(0.02 * i));
    GraphOutput o = fixture_step_graph(graph, DT);
    double step = o.phase - before;
    step -= floor(step);
    assert_true(step > 0 && step < 1.01 * DT / 0.7);
    before = o.phase;
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// Between walk and run a foot stands for a share of the cycle between theirs, 61 % and 37 %; and while the speed
// changes it comes down and leaves the ground once in a cycle.
static void test_contacts_are_blended(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/walk_run.yaml");
  for (int k = 0; k <= 10; k++) {
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, "speed", 1.3 + 0.22 * k);
    int stands = 0, steps = (int)round(fixture_step_graph(graph, 0).cycle * 10 / DT);
    for (int i = 0; i < steps; i++)
      stands += fixture_step_graph(graph, DT).contact[0];
    assert_true(fabs((double)stands / steps - (0.61 - 0.024 * k)) < DT / 0.7); // to a step
    graph_destroy(graph);
  }

  Graph *graph = fixture_start_graph(def);
  bool before = fixture_step_graph(graph, DT).contact[0];
  double age = 0;
  for (int i = 0; i < 7200; i++) {
    fixture_set(graph, def, "speed", 2.4 + 1.3 * sin(0.005 * i));
    bool stands = fixture_step_graph(graph, DT).contact[0];
    assert_true(stands == before || i < 100 || age > 0.2); // s: the shortest stance and swing
    age = stands == before ? age + DT : 0;
    before = stands;
  }
  graph_destroy(graph);
  graph_def_free(def);
}

// Two clips of 1 s in which the left foot stands from 0.3 s to 0.9 s and from 0.5 s to 0.7 s: half way between, from
// 0.4 s to 0.8 s; with a share of 1/4 of the second one, from 0.35 s to 0.85 s.
static void test_contacts_lie_between_those_of_the_clips(void **state) {
  GraphFixture *f = *state;
  static const char *const names[2] = {"long_stance", "short_stance"};
  for (int i = 0; i < 2; i++) {
    Clip *clip = fixture_make_clip(f, names[i], true, 1, 2);
    clip->contacts[clip->contact_count++] = (ClipContact){.leg = 0, .begin = i ? 0.5f : 0.3f, .end = i ? 0.7f : 0.9f};
    fixture_mark(clip, "left_strike", 0);
    fixture_mark(clip, "right_strike", 0.5f);
  }
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters: {x: 0}\n"
                                   "output:\n"
                                   "  blend: x\n"
                                   "  sync: true\n"
                                   "  children: [{at: 0, clip: long_stance}, {at: 1, clip: short_stance}]\n");
  for (int share = 0; share <= 4; share++) {
    Graph *graph = fixture_start_graph(def);
    fixture_set(graph, def, "x", share / 4.0);
    for (int i = 0; i < 300; i++) {
      const GraphOutput o = fixture_step_graph(graph, 1.0 / 128);
      const double begin = 0.3 + 0.05 * share, end = 0.9 - 0.05 * share;
      if (fabs(o.phase - begin) > 1e-4 && fabs(o.phase - end) > 1e-4)
        assert_int_equal(o.contact[0], o.phase > begin && o.phase < end);
    }
    graph_destroy(graph);
  }
  graph_def_free(def);
}

// pace 2 plays twice as fast, pace 0 stands; the velocity at pace 1 is stride over cycle, so that feet do not slip.
static void test_pace(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph_file(f, "graphs/walk_run.yaml");
  Graph *graph = fixture_start_graph(def);
  fixture_set(graph, def, "speed", 2.4);
  GraphOutput a, b;
  graph_step(graph, 0.1, 1, &a);
  assert_true(fabs(a.cycle - (1.08 + 0.7) / 2) < 1e-6);
  assert_true(fabs((double)a.root_velocity_l.z - (1.3 * 1.08 + 3.5 * 0.7) / 2 / a.cycle) < 1e-5);
  graph_step(graph, 0.1, 2, &b);
  assert_true(fabs(b.cycle - a.cycle / 2) < 1e-9);
  assert_true(fabs(b.phase - a.phase - 0.2 / a.cycle) < 1e-9);
  graph_step(graph, 0.1, 0, &a);
  assert_true(a.phase == b.phase && a.cycle == 0);
  assert_poses_equal(&a.pose, &b.pose);
  graph_destroy(graph);
  graph_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_phase_is_linear_between_marks),
      cmocka_unit_test(test_time_and_phase_are_inverse),
      cmocka_unit_test(test_bad_marks_are_refused),
      cmocka_unit_test(test_weights_of_one_parameter),
      cmocka_unit_test(test_weights_of_two_parameters),
      cmocka_unit_test(test_weights_go_round),
      cmocka_unit_test(test_directions_between_neighbours),
      cmocka_unit_test(test_walk_and_run_keep_step),
      cmocka_unit_test(test_phase_goes_on_while_the_speed_changes),
      cmocka_unit_test(test_contacts_are_blended),
      cmocka_unit_test(test_contacts_lie_between_those_of_the_clips),
      cmocka_unit_test(test_pace),
  };
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
