// Effects of hits on strength, on the shown pose and on the animation.
#include "ragdoll/shown/physics_blend.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

static HitReaction fresh(const Fixture *f) {
  HitReaction reaction;
  hit_reaction_init(&reaction, &f->character_def.hit_reaction, f->body);
  return reaction;
}

static void run_for(HitReaction *reaction, double seconds) {
  for (int i = 0; i < (int)(seconds / DT + 0.5); i++)
    hit_reaction_step(reaction, DT);
}

// A full blow to any of four sides gives weight to that unstable clip alone; weights sum to 1 with the normal one.
static void test_direction_chooses_the_clip(void **state) {
  const Fixture *f = *state;
  int chest = fixture_part(f, "chest");
  static const vec3s blows[STAGGER_COUNT] = {{{30, 0, 0}}, {{0, 0, 30}}, {{-30, 0, 0}}, {{0, 0, -30}}};
  for (int k = 0; k < STAGGER_COUNT; k++) {
    HitReaction reaction = fresh(f);
    hit_reaction_hit(&reaction, chest, 1, blows[k]);
    run_for(&reaction, 0.18);
    for (int i = 0; i < STAGGER_COUNT; i++)
      assert_float_equal(reaction.stagger[i], i == k ? 1 : 0, 1e-6);
  }
  HitReaction reaction = fresh(f);
  hit_reaction_hit(&reaction, chest, 1, (vec3s){{3, 1, 5}});
  hit_reaction_hit(&reaction, chest, 2, (vec3s){{-14, 0, 2}});
  run_for(&reaction, 0.18);
  float sum = 0;
  for (int i = 0; i < STAGGER_COUNT; i++)
    sum += reaction.stagger[i];
  assert_true(sum > 0 && sum <= 1 + 1e-6f);
}

// The second curve of an effect: its factor over the direction of the blow, the same for either side.
static void test_direction_scales_each_effect(void **state) {
  const Fixture *f = *state;
  Fixture changed = *f;
  HitReactionDef *def = &changed.character_def.hit_reaction;
  def->blend.by_direction = (Curve){.count = 3, .x = {0, 90, 180}, .y = {1, 0.5, 0}};
  int chest = fixture_part(f, "chest");
  static const vec3s blows[4] = {{{0, 0, 30}}, {{30, 0, 0}}, {{-30, 0, 0}}, {{0, 0, -30}}};
  static const float wanted[4] = {1, 0.5f, 0.5f, 0};
  for (int k = 0; k < 4; k++) {
    HitReaction plain = fresh(f), scaled = fresh(&changed);
    hit_reaction_hit(&plain, chest, 1, blows[k]);
    hit_reaction_hit(&scaled, chest, 1, blows[k]);
    run_for(&plain, 0.18);
    run_for(&scaled, 0.18);
    assert_float_equal(scaled.blend[chest], wanted[k] * plain.blend[chest], 1e-6);
    assert_true(scaled.strength[chest] == plain.strength[chest]);
  }
}

// 80 to 120 ms after the hit a reflex gives strength back, at 150 to 250 ms recovery begins; neither sooner.
static void test_reflex_then_voluntary_reaction(void **state) {
  const Fixture *f = *state;
  const HitReactionDef *def = &f->character_def.hit_reaction;
  HitReaction reaction = fresh(f);
  int chest = fixture_part(f, "chest");
  hit_reaction_hit(&reaction, chest, 1, (vec3s){{0, 0, 20}});
  run_for(&reaction, 0.03);
  float weak = reaction.strength[chest], lost = 1 - weak, full = reaction.blend[chest];
  run_for(&reaction, def->reflex_delay - 0.03 - DT);
  assert_true(reaction.strength[chest] == weak);
  run_for(&reaction, def->reflex_attack + 2 * DT);
  assert_float_equal(reaction.strength[chest], weak + (float)def->reflex * lost, 1e-5);
  assert_true(reaction.blend[chest] == full); // still shown as physics
  float stiffened = reaction.strength[chest];
  run_for(&reaction, 0.2 - 0.1 - def->reflex_attack - 2 * DT);
  assert_float_equal(reaction.strength[chest], stiffened, 1e-5);
  run_for(&reaction, 0.1);
  assert_true(reaction.strength[chest] > stiffened + 0.01f);
  assert_true(reaction.blend[chest] < full);
}

static void test_mask_leaves_all_else_alone(void **state) {
  const Fixture *f = *state;
  Fixture partial = *f;
  int hand = fixture_part(f, "hand_r"), forearm = fixture_part(f, "forearm_r");
  memset(partial.character_def.hit_reaction.mask, 0, sizeof partial.character_def.hit_reaction.mask);
  partial.character_def.hit_reaction.mask[hand] = 1;
  partial.character_def.hit_reaction.mask[forearm] = 0.5f;
  HitReaction whole = fresh(f), masked = fresh(&partial);
  hit_reaction_hit(&whole, forearm, 1, (vec3s){{0, 0, 3}});
  hit_reaction_hit(&masked, forearm, 1, (vec3s){{0, 0, 3}});
  run_for(&whole, 0.1);
  run_for(&masked, 0.1);
  for (int k = 0; k < f->body->part_count; k++) {
    float share = k == hand ? 1 : k == forearm ? 0.5f : 0;
    assert_float_equal(masked.blend[k], share * whole.blend[k], 1e-6);
  }
  assert_true(masked.strength[fixture_part(f, "chest")] == 1);
}

// Opposite blows cancel in the graph's parameters; each direction fades by itself.
static void test_repeated_hits_add(void **state) {
  const Fixture *f = *state;
  int chest = fixture_part(f, "chest");
  float last = 0;
  HitReaction reaction = fresh(f);
  for (int i = 0; i < 3; i++) {
    hit_reaction_hit(&reaction, chest, i, (vec3s){{3, 0, 0}});
    run_for(&reaction, 0.18);
    assert_true(reaction.stagger[STAGGER_LEFT] > last);
    last = reaction.stagger[STAGGER_LEFT];
  }
  HitReaction once = fresh(f);
  hit_reaction_hit(&once, chest, 1, (vec3s){{3, 0, 0}});
  run_for(&once, 0.18);
  assert_true(last > 1.5f * once.stagger[STAGGER_LEFT]);
}

// When as many hits as are remembered still act, the next one takes the place of the oldest.
static void test_the_oldest_hit_gives_way(void **state) {
  const Fixture *f = *state;
  const int chest = fixture_part(f, "chest");
  HitReaction reaction = fresh(f);
  reaction.def.immunity = 0;
  for (int i = 0; i < HIT_MAX_ACTIVE; i++) {
    hit_reaction_hit(&reaction, chest, i, (vec3s){{1, 0, 0}});
    hit_reaction_step(&reaction, DT);
  }
  assert_int_equal(reaction.count, HIT_MAX_ACTIVE);
  for (int next = 0; next < 3; next++) { // not only the first in the list
    hit_reaction_hit(&reaction, chest, HIT_MAX_ACTIVE + next, (vec3s){{1, 0, 0}});
    hit_reaction_step(&reaction, DT);
    assert_int_equal(reaction.count, HIT_MAX_ACTIVE);
    for (int i = 0; i < HIT_MAX_ACTIVE; i++)
      assert_int_equal(reaction.hits[i].event, i <= next ? HIT_MAX_ACTIVE + i : i);
  }
}

// A harder hit weakens more, up to 40 N s on the chest, and shows more physics, until physics alone is shown.
static void test_effect_grows_with_impulse(void **state) {
  const Fixture *f = *state;
  int chest = fixture_part(f, "chest");
  float last_strength = 1, last_blend = 0;
  for (float impulse = 1.25f; impulse <= 40; impulse *= 2) {
    HitReaction reaction = fresh(f);
    hit_reaction_hit(&reaction, chest, 1, (vec3s){{0, 0, impulse}});
    run_for(&reaction, 0.18);
    assert_true(reaction.strength[chest] < last_strength);
    assert_true(reaction.blend[chest] > last_blend || reaction.blend[chest] == 1);
    last_strength = reaction.strength[chest];
    last_blend = reaction.blend[chest];
  }
  assert_true(last_blend == 1);
}

static void test_effect_falls_off_along_the_chain(void **state) {
  const Fixture *f = *state;
  HitReaction reaction = fresh(f);
  int chain[] = {fixture_part(f, "forearm_l"), fixture_part(f, "upper_arm_l"), fixture_part(f, "chest"),
                 fixture_part(f, "abdomen"), 0};
  hit_reaction_hit(&reaction, chain[0], 1, (vec3s){{0, 0, 5}});
  run_for(&reaction, 0.18);
  for (int i = 1; i < 5; i++) {
    assert_true(reaction.blend[chain[i]] < reaction.blend[chain[i - 1]]);
    assert_true(reaction.strength[chain[i]] > reaction.strength[chain[i - 1]]);
    float share = (float)f->character_def.hit_reaction.blend_falloff;
    assert_float_equal(reaction.blend[chain[i]], reaction.blend[chain[i - 1]] * share, 1e-6);
  }
}

static void test_it_is_over_after_its_time(void **state) {
  const Fixture *f = *state;
  HitReaction reaction = fresh(f), untouched = fresh(f);
  hit_reaction_hit(&reaction, 2, 1, (vec3s){{4, 2, 5}});
  run_for(&reaction, 0.2 + 0.6 + 0.01);
  assert_int_equal(reaction.count, 0);
  assert_memory_equal(reaction.strength, untouched.strength, sizeof reaction.strength);
  assert_memory_equal(reaction.blend, untouched.blend, sizeof reaction.blend);
}

static void test_zero_impulse_changes_nothing(void **state) {
  const Fixture *f = *state;
  HitReaction reaction = fresh(f), untouched = fresh(f);
  hit_reaction_hit(&reaction, 2, 1, GLMS_VEC3_ZERO);
  hit_reaction_step(&reaction, DT);
  hit_reaction_step(&untouched, DT);
  assert_int_equal(reaction.count, 0);
  assert_memory_equal(reaction.strength, untouched.strength, sizeof reaction.strength);
  assert_memory_equal(reaction.stagger, untouched.stagger, sizeof reaction.stagger);
}

// A hundred hits in ten seconds: finite, in range, and never a jump from one step to the next.
static void test_many_hits_never_pop(void **state) {
  Fixture slow = *(const Fixture *)*state;
  slow.character_def.hit_reaction.blend_attack = 0.05;
  const Fixture *f = &slow;
  HitReaction reaction = fresh(f);
  Rng rng = rng_make(7, "hits");
  float fastest =
      (float)(DT / f->character_def.hit_reaction.blend_attack * 1.5 * 1.01); // steepest slope of the envelope
  for (int i = 0; i < 2400; i++) {
    float before[BODY_MAX_PARTS];
    memcpy(before, reaction.blend, sizeof before);
    if (i % 24 == 0)
      hit_reaction_hit(&reaction, rng_index(&rng, f->body->part_count), i,
                       (vec3s){{(float)rng_range(&rng, -15, 15), 0, (float)rng_range(&rng, -15, 15)}});
    hit_reaction_step(&reaction, DT);
    for (int k = 0; k < f->body->part_count; k++) {
      assert_true(reaction.blend[k] >= 0 && reaction.blend[k] <= 1);
      assert_true(reaction.strength[k] > 0 && reaction.strength[k] <= 1);
      assert_true(fabsf(reaction.blend[k] - before[k]) <= fastest);
    }
  }
}

// A push of many small impulses is one hit, as strong as their sum.
static void test_a_push_is_one_hit(void **state) {
  const Fixture *f = *state;
  HitReaction pushed = fresh(f), struck = fresh(f);
  for (int i = 0; i < 24; i++) {
    hit_reaction_hit(&pushed, 2, 5, (vec3s){{0.5f, 0, 0}});
    hit_reaction_step(&pushed, DT);
  }
  hit_reaction_hit(&struck, 2, 5, (vec3s){{12, 0, 0}});
  run_for(&struck, 0.18);
  assert_int_equal(pushed.count, 1);
  for (int k = 0; k < f->body->part_count; k++)
    assert_float_equal(pushed.blend[k], struck.blend[k], 1e-5);
}

static void test_immunity_ignores_the_second_hit(void **state) {
  const Fixture *f = *state;
  Fixture immune = *f;
  immune.character_def.hit_reaction.immunity = 0.5;
  HitReaction reaction = fresh(&immune);
  hit_reaction_hit(&reaction, 2, 1, (vec3s){{5, 0, 0}});
  run_for(&reaction, 0.2);
  hit_reaction_hit(&reaction, 2, 2, (vec3s){{5, 0, 0}});
  assert_int_equal(reaction.count, 1);
  run_for(&reaction, 0.4);
  hit_reaction_hit(&reaction, 2, 3, (vec3s){{5, 0, 0}});
  assert_int_equal(reaction.count, 2);
}

static void test_mirrored_hit_mirrored_reaction(void **state) {
  const Fixture *f = *state;
  HitReaction left = fresh(f), right = fresh(f);
  int part = fixture_part(f, "thigh_l");
  hit_reaction_hit(&left, part, 1, (vec3s){{6, 1, 3}});
  hit_reaction_hit(&right, f->body->parts[part].twin, 1, (vec3s){{-6, 1, 3}});
  run_for(&left, 0.2);
  run_for(&right, 0.2);
  for (int k = 0; k < f->body->part_count; k++) {
    assert_true(left.blend[k] == right.blend[f->body->parts[k].twin]);
    assert_true(left.strength[k] == right.strength[f->body->parts[k].twin]);
  }
  assert_true(left.stagger[STAGGER_LEFT] == right.stagger[STAGGER_RIGHT]);
}

static void random_pose(const Fixture *f, Rng *rng, Pose *pose) {
  *pose = pose_bind(&f->body->skeleton);
  for (int i = 0; i < pose->count; i++) {
    double d[3];
    rng_direction(rng, d);
    float angle = (float)rng_range(rng, 0, 0.5);
    pose->rotation[i] = quat_exp((vec3s){{(float)d[0] * angle, (float)d[1] * angle, (float)d[2] * angle}});
  }
  pose->position[0].x += (float)rng_range(rng, -0.1, 0.1);
}

// Weight 0: the shown pose is the animation bit for bit; full weight: it is the measured one.
static void test_weights_0_and_1_are_exact(void **state) {
  const Fixture *f = *state;
  Rng rng = rng_make(3, "poses");
  Pose target, measured, output;
  float none[BODY_MAX_PARTS] = {0}, all[BODY_MAX_PARTS];
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    all[i] = 1;
  random_pose(f, &rng, &target);
  random_pose(f, &rng, &measured);
  size_t rotations = (size_t)target.count * sizeof target.rotation[0];
  physics_blend(&f->body->skeleton, &target, &measured, none, &output);
  assert_memory_equal(output.rotation, target.rotation, rotations);
  assert_memory_equal(&output.position[0], &target.position[0], sizeof output.position[0]);
  physics_blend(&f->body->skeleton, &target, &measured, all, &output);
  assert_memory_equal(output.rotation, measured.rotation, rotations);
}

// Blended legs: the ankle of the shown pose is the mean of both ankles by its weight, to a tenth of a millimetre.
static void test_mixed_legs_keep_their_feet(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  Rng rng = rng_make(4, "legs");
  for (int n = 0; n < 50; n++) {
    Pose target = pose_bind(skeleton), measured, output;
    for (int i = 0; i < skeleton->leg_count; i++) { // knees bent, as in running
      target.rotation[skeleton->legs[i].hip] = quat_exp((vec3s){{-0.5f, 0, 0}});
      target.rotation[skeleton->legs[i].knee] = quat_exp((vec3s){{0.9f, 0, 0}});
    }
    measured = target;
    for (int i = 0; i < skeleton->leg_count; i++) {
      float change = (float)rng_range(&rng, -0.15, 0.15);
      measured.rotation[skeleton->legs[i].hip] = quat_exp((vec3s){{-0.5f + change, 0, 0.1f * change}});
      measured.rotation[skeleton->legs[i].knee] = quat_exp((vec3s){{0.9f - change, 0, 0}});
    }
    float weights[BODY_MAX_PARTS];
    for (int i = 0; i < BODY_MAX_PARTS; i++)
      weights[i] = (float)rng_unit(&rng);
    physics_blend(skeleton, &target, &measured, weights, &output);
    ModelPose t, m, o;
    pose_to_model(skeleton, &target, &t);
    pose_to_model(skeleton, &measured, &m);
    pose_to_model(skeleton, &output, &o);
    for (int i = 0; i < skeleton->leg_count; i++) {
      int ankle = skeleton->legs[i].ankle;
      vec3s mean = glms_vec3_lerp(t.position[ankle], m.position[ankle], weights[ankle]);
      assert_true(glms_vec3_distance(mean, o.position[ankle]) < 1e-4f);
    }
  }
}

// In the running world: an impulse of 0 N s changes no bit of the run.
static uint64_t hash_after(bool with_zero_impulse) {
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 120; i++) {
    if (with_zero_impulse && i == 20) {
      Impulse nothing = {.body = 2, .point = {0, 1.3, 0}, .event = 1};
      world_apply_impulse(f.world, &nothing);
    }
    fixture_step(&f);
  }
  uint64_t hash = world_hash(f.world);
  fixture_end(&f);
  return hash;
}

static void test_zero_impulse_leaves_the_world_bit_identical(void **state) {
  (void)state;
  assert_true(hash_after(false) == hash_after(true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direction_chooses_the_clip),
      cmocka_unit_test(test_direction_scales_each_effect),
      cmocka_unit_test(test_reflex_then_voluntary_reaction),
      cmocka_unit_test(test_mask_leaves_all_else_alone),
      cmocka_unit_test(test_repeated_hits_add),
      cmocka_unit_test(test_the_oldest_hit_gives_way),
      cmocka_unit_test(test_effect_grows_with_impulse),
      cmocka_unit_test(test_effect_falls_off_along_the_chain),
      cmocka_unit_test(test_it_is_over_after_its_time),
      cmocka_unit_test(test_zero_impulse_changes_nothing),
      cmocka_unit_test(test_many_hits_never_pop),
      cmocka_unit_test(test_a_push_is_one_hit),
      cmocka_unit_test(test_immunity_ignores_the_second_hit),
      cmocka_unit_test(test_mirrored_hit_mirrored_reaction),
      cmocka_unit_test(test_weights_0_and_1_are_exact),
      cmocka_unit_test(test_mixed_legs_keep_their_feet),
      cmocka_unit_test(test_zero_impulse_leaves_the_world_bit_identical),
  };
  return cmocka_run_group_tests(tests, fixture_set_up_body, fixture_tear_down_body);
}
