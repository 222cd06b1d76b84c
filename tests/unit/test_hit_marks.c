// Impulses of single steps are joined to hits; the caption of each hit, and which arrows the picture gets.
#include "tests/unit/small_scene.h"

#include "viewer/source/hit_marks.h"

enum { CAPACITY = 4 };
static const double STEP = 1.0 / 240; // s

static HitMark impulse(double time, int part, float newton_seconds) {
  return (HitMark){.part = part, .push = true, .start = time, .end = time, .impulse_w = {{0, 0, newton_seconds}}};
}

// A push of 40 N s from 5.0 to 5.2 s, one impulse a step.
static int add_push(HitMark *hits, int count) {
  for (int i = 0; i < 48; i++) {
    HitMark row = impulse(5 + i * STEP, 2, 40.0f / 48);
    count = hits_add(hits, count, CAPACITY, &row);
  }
  return count;
}

static void push_is_one_hit(void **state) {
  (void)state;
  HitMark hits[CAPACITY];
  assert_int_equal(add_push(hits, 0), 1);
  assert_near(hits[0].start, 5, 0);
  assert_near(hits[0].end, 5 + 47 * STEP, 1e-12);
  assert_near((double)hits[0].impulse_w.z, 40, 1e-4);
}

static void gap_ends_a_hit(void **state) {
  (void)state;
  HitMark hits[CAPACITY];
  const HitMark rows[] = {impulse(1, 2, 3), impulse(1.025, 2, 3), impulse(1.051, 2, 4)};
  int count = 0;
  for (int i = 0; i < 3; i++)
    count = hits_add(hits, count, CAPACITY, &rows[i]);
  assert_int_equal(count, 2);
  assert_near((double)hits[0].impulse_w.z, 6, 0);
  assert_near((double)hits[1].impulse_w.z, 4, 0);
}

static void other_part_character_or_kind_is_another_hit(void **state) {
  (void)state;
  HitMark hits[CAPACITY], rows[4];
  for (int i = 0; i < 4; i++)
    rows[i] = impulse(1, 2, (float)(i + 1));
  rows[1].part = 3;
  rows[2].character = 1;
  rows[3].push = false;
  int count = 0;
  for (int i = 0; i < 8; i++) { // step by step all at once
    rows[i % 4].start = rows[i % 4].end = 1 + (i < 4 ? 0 : STEP);
    count = hits_add(hits, count, CAPACITY, &rows[i % 4]);
  }
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; i++)
    assert_near((double)hits[i].impulse_w.z, 2 * (i + 1), 0);
}

static void full_list_drops_what_ended_first(void **state) {
  (void)state;
  HitMark hits[CAPACITY];
  int count = 0;
  const double times[] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 5; i++) {
    HitMark row = impulse(times[i], i, 1);
    count = hits_add(hits, count, CAPACITY, &row);
  }
  assert_int_equal(count, CAPACITY);
  assert_null(hits_latest(hits, count, 1.5));
  assert_int_equal(hits_latest(hits, count, 2.5)->part, 1);
  assert_int_equal(hits_latest(hits, count, 5)->part, 4);
}

static void hit_is_shown_from_its_start_to_a_second_after_its_end(void **state) {
  (void)state;
  HitMark hits[CAPACITY];
  int count = add_push(hits, 0);
  assert_null(hits_latest(hits, count, 4.999));
  assert_ptr_equal(hits_latest(hits, count, 5), &hits[0]);
  assert_ptr_equal(hits_latest(hits, count, 6.19), &hits[0]);
  assert_null(hits_latest(hits, count, 6.21));

  HitMark bullet = impulse(5.1, 0, 2); // during the push
  count = hits_add(hits, count, CAPACITY, &bullet);
  assert_ptr_equal(hits_latest(hits, count, 5.05), &hits[0]);
  assert_ptr_equal(hits_latest(hits, count, 5.15), &hits[1]);
  assert_ptr_equal(hits_latest(hits, count, 6.15), &hits[0]);
}

static void check_text(const HitMark *hit, double time, const char *who, const char *wanted) {
  char text[PICTURE_TEXT_SIZE];
  hit_describe(hit, time, who, "chest", text, sizeof text);
  assert_string_equal(text, wanted);
}

static void text_has_the_whole_impulse_and_the_time_since_the_start(void **state) {
  (void)state;
  HitMark hits[CAPACITY];
  add_push(hits, 0);
  check_text(&hits[0], 5, NULL, "40 N s on chest, +0.00 s");
  check_text(&hits[0], 5.1, NULL, "40 N s on chest, +0.10 s");
  check_text(&hits[0], 5.25, "man", "man: 40 N s on chest, +0.25 s");
  HitMark weak = impulse(0, 0, 9.94f), weaker = impulse(0, 0, 0.04f);
  check_text(&weak, 0, NULL, "9.9 N s on chest, +0.00 s");
  check_text(&weaker, 0, NULL, "0.04 N s on chest, +0.00 s");
}

// The length of the only arrow.
static double arrow_length(const Picture *picture) {
  const DebugItem *arrow = NULL;
  for (int i = 0; i < picture->debug.count; i++) {
    if (picture->debug.items[i].shape != DEBUG_ARROW)
      continue;
    assert_null(arrow);
    arrow = &picture->debug.items[i];
  }
  assert_non_null(arrow);
  if (!arrow)
    return 0;
  const float *a = arrow->a, *b = arrow->b;
  return hypot(hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])), (double)(a[2] - b[2]));
}

static void arrow_lasts_as_long_as_the_push_and_stays_short(void **state) {
  (void)state;
  static Picture picture; // large
  HitMark hits[CAPACITY];
  int count = add_push(hits, 0);
  vec3s positions[3] = {{{0, 0, 0}}};
  versors rotations[3] = {glms_quat_identity(), glms_quat_identity(), glms_quat_identity()};
  const struct {
    double time;
    bool shown;
  } cases[] = {{4.99, false}, {5, true}, {5.19, true}, {5.49, true}, {5.51, false}};
  for (int i = 0; i < 5; i++) {
    picture_clear(&picture);
    picture.time = cases[i].time;
    hits_show(hits, count, 0, positions, rotations, &picture);
    assert_int_equal(picture.debug.count, cases[i].shown);
    if (cases[i].shown)
      assert_near(arrow_length(&picture), 1.2, 1e-5); // 40 N s would be 2 m
    hits_show(hits, count, 1, positions, rotations, &picture);
    assert_int_equal(picture.debug.count, cases[i].shown); // of another character there is none
  }
  picture_clear(&picture);
  picture_add_hit(&picture, (vec3s){{0, 0, 0}}, (vec3s){{12, 0, 0}}, 1);
  assert_near(arrow_length(&picture), 0.6, 1e-5);
}

// A cable that holds is drawn from the point along its pull, as long as it pulls: no arrow and no caption. One that
// draws the body has both as well.
static void cables_are_drawn_while_they_pull(void **state) {
  (void)state;
  static Picture picture; // large
  vec3s positions[3] = {{{0, 0, 0}}, {{0, 0, 0}}, {{0, 1, 0}}};
  versors rotations[3] = {glms_quat_identity(), glms_quat_identity(), glms_quat_identity()};
  for (int holds = 0; holds < 2; holds++) {
    HitMark hits[CAPACITY];
    int count = 0;
    for (int i = 0; i < 48; i++) {
      HitMark row = impulse(5 + i * STEP, 2, -2);
      row.cable = true;
      row.holds = holds != 0;
      row.push = !holds;
      count = hits_add(hits, count, CAPACITY, &row);
    }
    assert_int_equal(count, 1);
    assert_int_equal(!hits_latest(hits, count, 5.1), holds);
    picture_clear(&picture);
    picture.time = 5.1;
    hits_show(hits, count, 0, positions, rotations, &picture);
    assert_int_equal(picture.debug.count, holds ? 1 : 2);
    const DebugItem *line = &picture.debug.items[0];
    assert_int_equal(line->shape, DEBUG_LINE);
    assert_near((double)line->a[1], 1, 1e-6);
    assert_near((double)line->b[2], -1.5, 1e-6);
    picture_clear(&picture);
    picture.time = 5.25; // it has let go
    hits_show(hits, count, 0, positions, rotations, &picture);
    assert_int_equal(picture.debug.count, holds ? 0 : 1);
  }
}

// A ghost that lies on the output's part is marked; moved by 5 mm or turned by 2 degrees it is not.
static void ghosts_on_the_output_are_marked(void **state) {
  (void)state;
  static Picture picture; // large
  SceneDef *def = small_def("terrain: {kind: flat}\n" SMALL_FLIGHT);
  const BodyDef *body = def->characters[0].body;
  Pose output = pose_bind(&body->skeleton), target = output;
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
  picture_place_parts(body, &output, positions, rotations);
  positions[0].x += 0.003f;
  positions[1].x += 0.005f;
  target.rotation[1] = glms_quatv(2 * 0.0174533f, (vec3s){{0, 0, 1}});
  PictureCharacter look = {.body = body,
                           .output = &output,
                           .target = &target,
                           .part_positions = positions,
                           .part_rotations = rotations,
                           .assist_force = {{0, 3000, 0}}};
  picture_clear(&picture);
  picture_add_character(&picture, &look);
  const bool marked[] = {false, false, true, false, true, false}; // output, target, measured
  assert_int_equal(picture.shape_count, 6);
  for (int i = 0; i < 6; i++)
    assert_int_equal(picture.shapes[i].on_output, marked[i]);
  assert_near(arrow_length(&picture), 1.2, 1e-5); // 3000 N would be 6 m

  look.output = NULL; // nothing to lie on
  picture_clear(&picture);
  picture_add_character(&picture, &look);
  for (int i = 0; i < 4; i++)
    assert_false(picture.shapes[i].on_output);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(push_is_one_hit),
      cmocka_unit_test(gap_ends_a_hit),
      cmocka_unit_test(other_part_character_or_kind_is_another_hit),
      cmocka_unit_test(full_list_drops_what_ended_first),
      cmocka_unit_test(hit_is_shown_from_its_start_to_a_second_after_its_end),
      cmocka_unit_test(text_has_the_whole_impulse_and_the_time_since_the_start),
      cmocka_unit_test(arrow_lasts_as_long_as_the_push_and_stays_short),
      cmocka_unit_test(cables_are_drawn_while_they_pull),
      cmocka_unit_test(ghosts_on_the_output_are_marked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
