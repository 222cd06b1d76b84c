// What reactions to blows come to that are drawn, on drawn bodies: responses, strength and physical share after hits,
// tone of muscles, and the course of falls. To nine digits, so that they change with any figure, limit or sign.
#include "ragdoll/reaction/fall.h"
#include "ragdoll/reaction/fall_tone.h"
#include "ragdoll/reaction/muscle_tone.h"
#include "ragdoll/response/responses.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

static Fixture f;

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  fixture_start(&f);
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static bool one_in(Rng *rng, int count) { return rng_index(rng, count) == 0; }

// A number of a parameter's order: at its default, a share or a multiple of it, or none.
static void vary(Rng *rng, double *value) {
  if (one_in(rng, 2))
    *value *= one_in(rng, 6) ? 0 : rng_range(rng, 0.3, 2);
}

static vec3s drawn(Rng *rng, double range) {
  vec3s v;
  for (int k = 0; k < 3; k++)
    v.raw[k] = (float)rng_range(rng, -range, range);
  return v;
}

// The body bent and turned, in motion.
static Pose draw_body(Rng *rng) {
  Pose pose = pose_bind(&f.body->skeleton);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = glms_quat_mul(pose.rotation[i], quat_exp(drawn(rng, one_in(rng, 5) ? 1 : 0.3)));
  Pose next = pose;
  for (int i = 0; i < pose.count; i++)
    next.rotation[i] = glms_quat_mul(next.rotation[i], quat_exp(drawn(rng, 0.02)));
  ragdoll_set_pose(f.character->ragdoll, &pose, &next, 0.01);
  return pose;
}

// ---- Responses ----

enum { POSE, TENSION, STRENGTH, LIFTS, ARMS, RESPONSE_SUMS };
static const char *const RESPONSE_NAMES[RESPONSE_SUMS] = {"pose", "tension", "strength", "lifts", "arms"};

static void strike(Responses *responses, Rng *rng, int event) {
  const int part = rng_index(rng, f.body->part_count);
  double impulse[3], point[3], way[3];
  rng_direction(rng, way);
  ragdoll_point(f.character->ragdoll, part, drawn(rng, 0.1), point);
  for (int k = 0; k < 3; k++)
    impulse[k] = way[k] * rng_range(rng, 0, 60);
  responses_strike(responses, f.character->ragdoll, part, event, impulse, point);
}

static void add_responses(const Responses *responses, const Pose *pose, double means[RESPONSE_SUMS], int count) {
  DrillSum sums[RESPONSE_SUMS] = {{0}};
  for (int i = 0; i < pose->count; i++)
    drill_add_floats(&sums[POSE], pose->rotation[i].raw, 4);
  drill_add_floats(&sums[TENSION], responses->tension, f.body->part_count);
  drill_add_floats(&sums[STRENGTH], responses->strength, f.body->part_count);
  drill_add(&sums[LIFTS], responses->lifts[0]);
  drill_add(&sums[LIFTS], responses->lifts[1]);
  drill_add_all(&sums[ARMS], responses->arms_out, 2);
  drill_add_all(&sums[ARMS], responses->arms_velocity, 2);
  drill_add(&sums[ARMS], responses->thrown.x);
  drill_add(&sums[ARMS], responses->busy);
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++) {
    const Blow *blow = &responses->blows[i];
    const double figures[] = {blow->pain, blow->jolt, blow->late, blow->size, blow->active ? 1.0 + blow->hand : 0};
    drill_add_all(&sums[STRENGTH], figures, 5);
  }
  for (int k = 0; k < RESPONSE_SUMS; k++)
    means[k] += sums[k].sum / count;
}

static ResponsesDef draw_responses(Rng *rng) {
  ResponsesDef def = f.character_def.responses;
  def.enabled = true;
  double *const values[] = {&def.tolerance,    &def.startle,       &def.tension,     &def.arms,        &def.reach,
                            &def.bow,          &def.buckle,        &def.hop,         &def.look,        &def.guard,
                            &def.arms_latency, &def.reach_latency, &def.bow_latency, &def.look_latency};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    vary(rng, values[i]);
  def.tolerance = fmax(def.tolerance, 1);
  def.arms_latency = fmax(def.arms_latency, 0.05);
  return def;
}

static void run_responses(double means[RESPONSE_SUMS]) {
  enum { DRAWS = 250, STEPS = 40 };
  Rng rng = rng_make(1, "responses");
  for (int n = 0; n < DRAWS; n++) {
    static Responses responses;
    const ResponsesDef def = draw_responses(&rng);
    const Pose target = draw_body(&rng);
    responses_init(&responses, &def, f.body, (uint64_t)n, 0);
    const double h = one_in(&rng, 4) ? 0.15 : 1.0 / 60;
    for (int i = 0; i < STEPS; i++) {
      if (i == 0 || one_in(&rng, 15))
        strike(&responses, &rng, rng_index(&rng, 3));
      Pose pose = target;
      const ResponseStep step = {.ragdoll = f.character->ragdoll,
                                 .heading = rng_range(&rng, -0.3, 0.3),
                                 .h = h,
                                 .off = {.x = rng_range(&rng, -0.3, 0.3), .z = rng_range(&rng, -0.3, 0.3)},
                                 .beyond = one_in(&rng, 2) ? 0 : rng_unit(&rng),
                                 .pose_w = &pose};
      responses_step(&responses, &step);
      if (i == STEPS / 2) {
        static Responses fresh;
        responses_init(&fresh, &def, f.body, 77, 1);
        DRILL_RENEW(&responses, &fresh, responses_state);
        responses = fresh;
      }
      add_responses(&responses, &pose, means, DRAWS * STEPS);
    }
  }
}

// ---- Strength and physical share ----

enum { HELD, SHOWN, STAGGERS, TONE, HIT_SUMS };
static const char *const HIT_NAMES[HIT_SUMS] = {"strength", "share", "stagger", "tone"};

static void save_tone(MuscleTone *tone, StateStream *stream) { muscle_tone_state(tone, f.body->part_count, stream); }

static void run_hits(double means[HIT_SUMS]) {
  enum { DRAWS = 150, STEPS = 60 };
  Rng rng = rng_make(1, "hits");
  for (int n = 0; n < DRAWS; n++) {
    static HitReaction reaction;
    MuscleTone tone;
    HitReactionDef def = hit_reaction_def_default();
    double *const values[] = {&def.falloff,      &def.blend_falloff, &def.recovery,        &def.reflex,
                              &def.reflex_delay, &def.min_strength,  &def.voluntary_delay, &def.stagger_attack};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
      vary(&rng, values[i]);
    def.falloff = fmin(def.falloff, 1);
    def.blend_falloff = fmin(def.blend_falloff, 1);
    def.recovery = fmax(def.recovery, 0.01);
    def.stagger_attack = fmax(def.stagger_attack, 0.001);
    def.delay = one_in(&rng, 2) ? 0 : rng_range(&rng, 0, 0.2);
    def.immunity = one_in(&rng, 2) ? 0 : rng_range(&rng, 0, 0.3);
    def.tone = one_in(&rng, 2) ? 0 : rng_range(&rng, -1, 1);
    for (int i = 0; i < f.body->part_count; i++) {
      def.mask[i] = one_in(&rng, 3) ? (float)rng_unit(&rng) : 1;
      def.tones[i] = one_in(&rng, 3) ? (float)rng_range(&rng, -1, 1) : 0;
    }
    hit_reaction_init(&reaction, &def, f.body);
    muscle_tone_init(&tone, &def);
    for (int i = 0; i < STEPS; i++) {
      const double dt = one_in(&rng, 5) ? 0.1 : 1.0 / 120;
      if (i == 0 || one_in(&rng, 12)) {
        const int part = rng_index(&rng, f.body->part_count), event = rng_index(&rng, 4);
        hit_reaction_hit(&reaction, part, event, drawn(&rng, 40));
      }
      hit_reaction_step(&reaction, dt);
      muscle_tone_step(&tone, f.body->part_count, dt);
      if (i == STEPS / 2) {
        static HitReaction fresh;
        MuscleTone fresh_tone;
        hit_reaction_init(&fresh, &def, f.body);
        muscle_tone_init(&fresh_tone, &def);
        DRILL_RENEW(&reaction, &fresh, hit_reaction_state);
        DRILL_RENEW(&tone, &fresh_tone, save_tone);
        reaction = fresh;
        tone = fresh_tone;
      }
      DrillSum sums[HIT_SUMS] = {{0}};
      drill_add_floats(&sums[HELD], reaction.strength, f.body->part_count);
      drill_add_floats(&sums[SHOWN], reaction.blend, f.body->part_count);
      drill_add_floats(&sums[STAGGERS], reaction.stagger, STAGGER_COUNT);
      for (int k = 1; k < f.body->part_count; k++) {
        double stiffness = 300, damping = 20;
        muscle_tone_slacken(&tone, k, rng_range(&rng, -200, 200), &stiffness, &damping);
        const double figures[] = {(double)muscle_tone_strength(&tone, k, (float)rng_unit(&rng)),
                                  muscle_tone_stiffness(&tone, k), (double)muscle_tone_reflex(&tone, k),
                                  1e-2 * stiffness, 1e-1 * damping};
        drill_add_all(&sums[TONE], figures, 5);
      }
      for (int k = 0; k < HIT_SUMS; k++)
        means[k] += sums[k].sum / (DRAWS * STEPS);
    }
  }
}

// ---- Falls ----

enum { STATE, REASON, TIMES, MUSCLES, FALL_SUMS };
static const char *const FALL_NAMES[FALL_SUMS] = {"state", "reason", "times", "muscles"};

// What is sensed keeps for a while.
static void sense_anew(FallSense *sense, Rng *rng) {
  sense->lost = one_in(rng, 4);
  sense->loaded = one_in(rng, 2);
  sense->at_ease = one_in(rng, 2);
  sense->speed = one_in(rng, 2) ? rng_range(rng, 0, 0.3) : rng_range(rng, 0, 3);
  sense->can_rise = !one_in(rng, 4);
  sense->waits = one_in(rng, 2);
  sense->thrown = one_in(rng, 6);
  sense->risen = one_in(rng, 4);
}

static void run_falls(double means[FALL_SUMS]) {
  enum { STEPS = 20000 };
  Rng rng = rng_make(1, "falls");
  FallMachine machine = {.state = FALL_UPRIGHT};
  FallSense sense = {.speed = 0};
  FallDef def = f.character_def.fall;
  FallBody body;
  assert_true(fall_body_find(&body, f.body));
  for (int i = 0; i < STEPS; i++) {
    if (one_in(&rng, 25))
      sense_anew(&sense, &rng);
    if (one_in(&rng, 1000)) {
      def.get_up = !one_in(&rng, 3);
      def.enabled = !one_in(&rng, 3);
    }
    const bool changed = fall_step(&machine, &def, &sense, one_in(&rng, 5) ? 0.05 : 0.01);
    if (i % 100 == 50) {
      FallMachine fresh = {.state = FALL_UPRIGHT};
      DRILL_RENEW(&machine, &fresh, fall_state);
      machine = fresh;
    }
    DrillSum sums[FALL_SUMS] = {{0}};
    drill_add(&sums[STATE], machine.state);
    drill_add(&sums[STATE], changed);
    drill_add(&sums[REASON], machine.reason);
    const double times[] = {machine.time, machine.loaded, machine.still, machine.stuck, machine.tries};
    drill_add_all(&sums[TIMES], times, 5);
    if (i < 200)
      for (int k = 1; k < f.body->part_count; k++) {
        const FallTone tone = fall_tone(&body, k, rng_range(&rng, 0.1, 20));
        const double figures[] = {tone.stiffness, tone.damping, tone.rate};
        drill_add_all(&sums[MUSCLES], figures, 3);
      }
    for (int k = 0; k < FALL_SUMS; k++)
      means[k] += sums[k].sum * cos(0.01 * i) / STEPS;
  }
}

// ---- All ----

enum { MOST = 5 };
static const struct {
  const char *name;
  void (*run)(double means[]);
  const char *const *names;
  int count;
} DRILLS[] = {{"responses", run_responses, RESPONSE_NAMES, RESPONSE_SUMS},
              {"hits", run_hits, HIT_NAMES, HIT_SUMS},
              {"falls", run_falls, FALL_NAMES, FALL_SUMS}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static const double OUTCOMES[DRILL_COUNT][MOST] = {
    {-0.13397173342, -0.74735950411, 0.46255055341, 0.050012673216, -0.3842087185},
    {0.35190449779, 0.13694322134, -0.22291992299, -2.8542552786},
    {0.046957810159, -0.03924898023, -0.07634445184, -0.32740706673},
};

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[MOST] = {0};
    DRILLS[i].run(means);
    wrong += !drill_is_kept(DRILLS[i].name, DRILLS[i].names, means, OUTCOMES[i], DRILLS[i].count);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, begin, end);
}
