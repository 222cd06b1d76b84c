// Frames of a run are those of its trace, bit for bit; the oldest are discarded; traces that do not fit are errors.
#include "tests/unit/small_scene.h"

#include "viewer/source/frames.h"

// The doll falls, is shot and pushed: contacts, assist and NaN in the air.
static const char FALL[] =
    "duration: 1.5\n"
    "characters:\n"
    "  - {name: doll, body: boxes.yaml, start: {position: [0, -0.3, 0]},\n"
    "     assist: {enabled: true, part: top, force: 30, torque: 1}}\n"
    "  - {name: limp, body: boxes.yaml, start: {position: [2, 0.5, 0]}, drive: {enabled: false}}\n"
    "events:\n"
    "  - {every: 0.21, character: limp, part: any, impulse: [1, 3], direction: [0, 360]}\n";

enum { STEPS = 360, EVERY = 4, FRAMES = STEPS / EVERY + 1, BIG = 64 << 20 };

// A run, with its frames in memory and, with a path, in a trace.
typedef struct Run {
  SceneDef *def;
  Scene *scene;
  Frames *frames;
  TraceWriter *writer;
} Run;

static Run run_begin(const char *path, size_t bytes) {
  Error error = {0};
  Run run = {.def = small_def(FALL)};
  run.scene = small_scene(run.def);
  const Scene *scene = run.scene;
  run.frames = frames_of_run(scene->world, scene->characters, scene->character_count, bytes, &error);
  assert_non_null(run.frames);
  assert_int_equal(frames_end(run.frames), 0);
  if (path) {
    TraceInfo info = scene_trace_info(run.def);
    run.writer = trace_create(path, &info, &error);
    assert_true(scene_record(run.scene, run.writer, &error));
  }
  frames_add(run.frames);
  return run;
}

static void run_steps(Run *run, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_true(scene_step(run->scene));
    frames_step(run->frames);
    if (run->scene->world->steps % EVERY == 0)
      frames_add(run->frames);
  }
}

static void run_end(Run *run) {
  Error error = {0};
  if (run->writer) {
    scene_finish(run->scene);
    assert_true(trace_close(run->writer, "complete", &error));
  }
  frames_free(run->frames);
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

// A trace of the whole run, opened.
static TraceReader *recorded(char path[32], Run *run) {
  Error error = {0};
  small_file(path);
  *run = run_begin(path, BIG);
  run_steps(run, STEPS);
  scene_finish(run->scene);
  assert_true(trace_close(run->writer, "complete", &error));
  run->writer = NULL;
  TraceReader *reader = trace_open(path, &error);
  assert_non_null(reader);
  return reader;
}

static void check_same_channel(const FrameChannel *a, const FrameChannel *b) {
  assert_string_equal(a->path, b->path);
  assert_string_equal(a->unit, b->unit);
  assert_string_equal(a->description, b->description);
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->width, b->width);
  assert_true((!a->names) == (!b->names));
  for (int i = 0; a->names && i < a->rows; i++)
    assert_string_equal(a->names[i], b->names[i]);
}

static void test_a_run_has_the_frames_of_its_trace(void **state) {
  (void)state;
  char path[32];
  Run run;
  Error error = {0};
  TraceReader *reader = recorded(path, &run);
  Frames *trace = frames_of_trace(reader, &error), *live = run.frames;
  assert_non_null(trace);
  assert_int_equal(frames_first(trace), 0);
  assert_int_equal(frames_end(trace), FRAMES);
  assert_int_equal(frames_first(live), 0);
  assert_int_equal(frames_end(live), FRAMES);
  assert_int_equal(frames_channel_count(live), frames_channel_count(trace));
  assert_int_equal(frames_channel_count(live),
                   2 * (character_channel_count - 11) + 3); // no feet, no graph; /time and two more
  int gaps = 0, different = 0;
  for (int i = 0; i < frames_channel_count(trace); i++) {
    const FrameChannel *channel = frames_channel(trace, i);
    check_same_channel(channel, frames_channel(live, i));
    assert_true(i == 0 || strcmp(frames_channel(trace, i - 1)->path, channel->path) < 0);
    assert_int_equal(frames_find(trace, channel->path), i);
    float a[64], b[64], before[64] = {0};
    size_t size = sizeof(float) * (size_t)(channel->rows * channel->width);
    assert_true(size <= sizeof a);
    for (int frame = FRAMES - 1; frame >= 0; frame--) {
      assert_true(frames_read(trace, i, frame, a, &error) && frames_read(live, i, frame, b, &error));
      assert_memory_equal(a, b, size);
      gaps += isnan(a[0]);
      different += memcmp(a, before, size) != 0;
      memcpy(before, a, size);
    }
  }
  assert_true(gaps > 10);        // the margin of support in the air
  assert_true(different > 1000); // something changes
  for (int frame = 0; frame < FRAMES; frame++)
    assert_true(frames_time(trace, frame) == frames_time(live, frame));

  const FrameChannel *torque = frames_channel(trace, frames_find(trace, "/characters/doll/joints/torque"));
  assert_int_equal(torque->rows, 1);
  assert_int_equal(torque->width, 3);
  assert_string_equal(torque->names[0], "top");
  assert_string_equal(torque->unit, "N m");
  const FrameChannel *com = frames_channel(live, frames_find(live, "/characters/limp/com/position"));
  assert_int_equal(com->rows, 1);
  assert_int_equal(com->width, 3);
  assert_null(com->names);
  assert_int_equal(frames_find(live, "/contacts/part"), -1);
  assert_int_equal(frames_find(live, ""), -1);
  frames_free(trace);
  trace_reader_close(reader);
  run_end(&run);
  remove(path);
}

static void test_contacts_are_the_same(void **state) {
  (void)state;
  enum { MOST = 64 };
  char path[32];
  Run run;
  Error error = {0};
  TraceReader *reader = recorded(path, &run);
  Frames *trace = frames_of_trace(reader, &error);
  int count_channel = frames_find(trace, "/contacts/count"), total = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    FrameContact a[MOST], b[MOST];
    float expected;
    memset(a, 1, sizeof a);
    memset(b, 2, sizeof b);
    int count = frames_contacts(trace, frame, a, MOST, &error);
    assert_true(frames_read(trace, count_channel, frame, &expected, &error));
    assert_int_equal(count, (int)expected);
    assert_int_equal(frames_contacts(run.frames, frame, b, MOST, &error), count);
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
    for (int i = 0; i < count; i++)
      assert_near((double)glms_vec3_norm(a[i].normal_w), 1, 1e-6);
    if (count > 1)
      assert_int_equal(frames_contacts(trace, frame, b, 1, &error), 1);
    total += count;
  }
  assert_true(total > 100);
  assert_int_equal(frames_contacts(trace, FRAMES, NULL, 0, &error), -1);
  assert_int_equal(frames_contacts(run.frames, -1, NULL, 0, &error), -1);
  frames_free(trace);
  trace_reader_close(reader);
  run_end(&run);
  remove(path);
}

// A small memory, which wraps around several times, holds the latest frames, equal to those of a large one.
static void check_small_memory(size_t bytes, int least) {
  Run all = run_begin(NULL, BIG), few = run_begin(NULL, bytes);
  for (int round = 0; round < 40; round++) {
    run_steps(&all, EVERY * 50);
    run_steps(&few, EVERY * 50);
    int end = frames_end(few.frames), first = frames_first(few.frames);
    assert_int_equal(end, 1 + 50 * (round + 1));
    assert_int_equal(frames_end(all.frames), end);
    assert_true(end - first >= (end < least ? end : least));
    int channel = frames_find(few.frames, "/characters/limp/parts/position");
    float a[8], b[8];
    for (int frame = first; frame < end; frame++) {
      assert_true(frames_read(all.frames, channel, frame, a, NULL) && frames_read(few.frames, channel, frame, b, NULL));
      assert_memory_equal(a, b, 6 * sizeof *a);
      FrameContact touching[2][64];
      int count = frames_contacts(all.frames, frame, touching[0], 64, NULL);
      assert_int_equal(frames_contacts(few.frames, frame, touching[1], 64, NULL), count);
      assert_memory_equal(touching[0], touching[1], (size_t)count * sizeof(FrameContact));
    }
    // A series stays valid while frames are discarded.
    const float *series = frames_series(few.frames, channel, 1, 1, NULL);
    for (int frame = first; frame < end; frame++) {
      assert_true(frames_read(all.frames, channel, frame, a, NULL));
      assert_true(series[frame - first] == a[4]);
    }
  }
  Error error = {0};
  float value[8];
  assert_true(frames_first(few.frames) > 0);
  assert_false(frames_read(few.frames, 0, frames_first(few.frames) - 1, value, &error));
  assert_non_null(strstr(error.text, "there are frames"));
  assert_true(isnan(frames_time(few.frames, 0)));
  int near = frames_near(few.frames, 0);
  assert_int_equal(near, frames_first(few.frames));
  run_end(&all);
  run_end(&few);
}

static void test_the_oldest_are_discarded(void **state) {
  (void)state;
  check_small_memory(0, 2);
  check_small_memory(700000, 400);
}

// Frames of very different sizes, up to the largest: what is kept is complete, and at least one is kept.
static void test_any_number_of_contacts(void **state) {
  (void)state;
  enum { MOST = 4096 };
  static const int COUNTS[] = {0, 500, 3, 20, 300, 0, 0, 700, 1, 90};
  static FrameContact contacts[MOST];
  Run run = run_begin(NULL, 600000);
  World *world = run.scene->world;
  int channel = frames_find(run.frames, "/contacts/count");
  for (int frame = 1; frame < 1000; frame++) {
    world->contact_count = frame % 97 == 96 ? MOST : COUNTS[frame * frame % 101 % 10];
    for (int i = 0; i < world->contact_count; i++)
      world->contacts[i] = (Contact){.body = i, .other = -1, .position = {i, 0, 0}, .impulse = {frame, i + 1, 0}};
    frames_step(run.frames);
    frames_add(run.frames);
    int first = frames_first(run.frames);
    assert_int_equal(frames_end(run.frames), frame + 1);
    assert_true(first < frame);
    for (int kept = first > 0 ? first : 1; kept <= frame; kept += frame % 20 == 0 ? 1 : frame - first) {
      int count = frames_contacts(run.frames, kept, contacts, MOST, NULL);
      float value;
      assert_true(frames_read(run.frames, channel, kept, &value, NULL));
      assert_int_equal(count, (int)value);
      assert_int_equal(count, kept % 97 == 96 ? MOST : COUNTS[kept * kept % 101 % 10]);
      for (int i = 0; i < count; i++)
        assert_true(contacts[i].body == i && contacts[i].impulse_w.x == (float)kept &&
                    contacts[i].impulse_w.y == (float)(i + 1));
    }
  }
  run_end(&run);
}

static void test_frames_by_time(void **state) {
  (void)state;
  Run run = run_begin(NULL, BIG);
  run_steps(&run, 40);
  Frames *frames = run.frames;
  assert_int_equal(frames_near(frames, -5), 0);
  assert_int_equal(frames_near(frames, 100), 10);
  assert_int_equal(frames_near(frames, NAN), 0);
  for (int i = 0; i <= 10; i++) {
    double time = frames_time(frames, i);
    assert_near(time, i / 60.0, 1e-9);
    assert_int_equal(frames_near(frames, time), i);
    assert_int_equal(frames_near(frames, time + 0.4 / 60), i);
    assert_int_equal(frames_near(frames, time + 0.6 / 60), i < 10 ? i + 1 : 10);
  }
  run_end(&run);
}

static void test_series_are_the_values(void **state) {
  (void)state;
  char path[32];
  Run run;
  Error error = {0};
  TraceReader *reader = recorded(path, &run);
  Frames *sources[] = {frames_of_trace(reader, &error), run.frames};
  for (int k = 0; k < 2; k++) {
    Frames *frames = sources[k];
    int channel = frames_find(frames, "/characters/doll/parts/linear_velocity");
    float values[FRAMES], row[6];
    const float *kept_norm = frames_series(frames, channel, 1, FRAMES_NORM, &error);
    const float *kept = frames_series(frames, channel, 1, 2, &error);
    assert_true(frames_read_series(frames, channel, 1, 2, 0, FRAMES, values, &error));
    for (int i = 0; i < FRAMES; i++) {
      assert_true(frames_read(frames, channel, i, row, &error));
      assert_true(values[i] == row[5] && kept[i] == row[5]);
      assert_near((double)kept_norm[i], (double)sqrtf(row[3] * row[3] + row[4] * row[4] + row[5] * row[5]), 1e-6);
    }
    assert_true(frames_read_series(frames, channel, 1, 2, 50, 0, values, &error));
    assert_true(frames_read_series(frames, channel, 1, 2, 40, FRAMES - 40, values, &error));
    assert_true(values[0] == kept[40] && values[FRAMES - 41] == kept[FRAMES - 1]);

    assert_false(frames_read_series(frames, channel, 1, 2, 0, FRAMES + 1, values, NULL));
    assert_false(frames_read_series(frames, channel, 1, 2, -1, 2, values, NULL));
    assert_false(frames_read_series(frames, channel, 2, 2, 0, 1, values, NULL));
    assert_false(frames_read_series(frames, channel, 1, 3, 0, 1, values, NULL));
    assert_null(frames_series(frames, -1, 0, 0, NULL));
    assert_null(frames_series(frames, 1000, 0, 0, NULL));
    assert_false(frames_read(frames, -1, 0, row, NULL));

    // More series than are kept.
    int position = frames_find(frames, "/characters/doll/parts/position"), asked = 0;
    for (int i = 0; i < frames_channel_count(frames); i++)
      for (int n = 0; n < frames_channel(frames, i)->width; n++, asked++)
        assert_non_null(frames_series(frames, i, 0, n, &error));
    assert_true(asked > 64);
    kept = frames_series(frames, position, 0, 1, &error);
    assert_true(frames_read(frames, position, FRAMES - 1, row, &error) && kept[FRAMES - 1] == row[1]);
  }
  frames_free(sources[0]);
  trace_reader_close(reader);
  run_end(&run);
  remove(path);
}

// A thrown ball: a body that no recorder knows.
static void test_later_bodies_are_harmless(void **state) {
  (void)state;
  Run run = run_begin(NULL, BIG);
  World *world = run.scene->world;
  dBodyID ball = dBodyCreate(world->ode);
  dMass mass;
  dMassSetSphereTotal(&mass, 3, 0.1);
  dBodySetMass(ball, &mass);
  dBodySetPosition(ball, 5, 0.09, 0);
  dSpaceID space = dSimpleSpaceCreate(world->space);
  dGeomSetBody(dCreateSphere(space, 0.1), ball);
  int body = world_add_body(world, (WorldBody){.ode = ball, .owner = WORLD_NO_OWNER, .name = "ball"});
  assert_int_equal(body, 4);
  run_steps(&run, 40);
  FrameContact contacts[64];
  int count = frames_contacts(run.frames, 10, contacts, 64, NULL), of_ball = 0;
  for (int i = 0; i < count; i++)
    if (contacts[i].body == body) {
      assert_int_equal(contacts[i].other, WORLD_GROUND);
      assert_near((double)contacts[i].impulse_w.y, 3 * 9.81 / 60, 0.05);
      of_ball++;
    }
  assert_int_equal(of_ball, 1);

  // A recorder created now knows the ball by its name.
  char path[32], names[8][TRACE_NAME_SIZE];
  Error error = {0};
  small_file(path);
  TraceInfo info = scene_trace_info(run.def);
  run.writer = trace_create(path, &info, &error);
  assert_true(scene_record(run.scene, run.writer, &error));
  run_steps(&run, 8);
  run_end(&run);
  TraceReader *reader = trace_open(path, &error);
  assert_int_equal(trace_row_names(reader, "/contacts/part", names, 8), 5);
  assert_string_equal(names[3], "limp/top");
  assert_string_equal(names[4], "ball_1");
  trace_reader_close(reader);
  remove(path);
}

// Traces of no run.

static const TraceInfo INFO = {.scene_name = "none.yaml", .scene = "", .dt = 0.01, .frame_rate = 100};

static Frames *open_frames(const char *path, TraceReader **reader, Error *error) {
  *reader = trace_open(path, error);
  assert_non_null(*reader);
  return frames_of_trace(*reader, error);
}

static void test_unfitting_traces(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  Error error = {0};
  TraceReader *reader;

  // Without frames.
  assert_true(trace_close(trace_create(path, &INFO, &error), "complete", &error));
  assert_null(open_frames(path, &reader, &error));
  assert_string_equal(error.text, "the trace has no frames");
  trace_reader_close(reader);

  // Without contacts, with large rows, with names of other rows than it has.
  error = (Error){0};
  TraceWriter *writer = trace_create(path, &INFO, &error);
  const char *names[] = {"one", "two"};
  int large = trace_channel(writer, &(TraceChannel){.path = "/large", .shape = {70000}}, &error);
  int tall = trace_channel(writer, &(TraceChannel){.path = "/tall", .shape = {60000}}, &error);
  trace_channel(writer, &(TraceChannel){.path = "/pair", .shape = {2}, .row_names = names}, &error);
  trace_channel(writer, &(TraceChannel){.path = "/few", .shape = {3, 2}}, &error);
  assert_true(trace_names(writer, "/few", names, 2, &error));
  for (int frame = 0; frame < 130; frame++) {
    *(float *)trace_row(writer, large) = 1;
    ((float *)trace_row(writer, tall))[59999] = (float)frame;
    assert_true(trace_end_frame(writer, frame));
  }
  assert_true(trace_close(writer, "complete", &error));
  Frames *frames = open_frames(path, &reader, &error);
  assert_non_null(frames);
  assert_int_equal(frames_channel_count(frames), 4);
  assert_int_equal(frames_find(frames, "/large"), -1);
  const FrameChannel *pair = frames_channel(frames, frames_find(frames, "/pair"));
  assert_int_equal(pair->rows, 2);
  assert_int_equal(pair->width, 1);
  assert_string_equal(pair->names[1], "two");
  const FrameChannel *few = frames_channel(frames, frames_find(frames, "/few"));
  assert_int_equal(few->rows, 3);
  assert_string_equal(few->names[2], "");
  float values[130];
  assert_true(frames_read_series(frames, frames_find(frames, "/tall"), 0, 59999, 0, 130, values, &error));
  for (int i = 0; i < 130; i++)
    assert_true(values[i] == (float)i);
  FrameContact contact;
  assert_int_equal(frames_contacts(frames, 5, &contact, 1, &error), 0);
  assert_string_equal(error.text, "");
  frames_free(frames);
  trace_reader_close(reader);

  // Contacts beyond the lists, negative ones, and lists of another shape.
  writer = trace_create(path, &INFO, &error);
  int first = trace_channel(writer, &(TraceChannel){.path = "/contacts/first", .type = TRACE_INT32}, &error);
  int count = trace_channel(writer, &(TraceChannel){.path = "/contacts/count", .type = TRACE_INT32}, &error);
  int part = trace_list(writer, &(TraceChannel){.path = "/contacts/part", .type = TRACE_INT32}, &error);
  int other = trace_list(writer, &(TraceChannel){.path = "/contacts/other", .type = TRACE_INT32, .shape = {9}}, &error);
  const int firsts[] = {0, 1, -1, 0, INT32_MAX}, counts[] = {1, INT32_MAX, 1, -7, INT32_MAX}, zero[9] = {0};
  for (int frame = 0; frame < 5; frame++) {
    *(int *)trace_row(writer, first) = firsts[frame];
    *(int *)trace_row(writer, count) = counts[frame];
    trace_append(writer, part, zero, 1);
    trace_append(writer, other, zero, 1);
    trace_end_frame(writer, frame);
  }
  assert_true(trace_close(writer, "complete", &error));
  frames = open_frames(path, &reader, &error);
  assert_non_null(frames);
  static FrameContact contacts[1000];
  for (int frame = 0; frame < 5; frame++) {
    error = (Error){0};
    assert_int_equal(frames_contacts(frames, frame, contacts, 1000, &error), frame == 3 ? 0 : -1);
    assert_true((error.text[0] == '\0') == (frame == 3));
  }
  error = (Error){0};
  frames_contacts(frames, 0, contacts, 1, &error);
  assert_string_equal(error.text, "/contacts/other: a contact has 9 values there, not 1");
  frames_free(frames);
  trace_reader_close(reader);

  // A row of more than one number where one is wanted, and a channel that is missing.
  error = (Error){0};
  writer = trace_create(path, &INFO, &error);
  trace_channel(writer, &(TraceChannel){.path = "/contacts/first", .type = TRACE_INT32, .shape = {2}}, &error);
  trace_end_frame(writer, 0);
  assert_true(trace_close(writer, "complete", &error));
  assert_null(open_frames(path, &reader, &error));
  assert_string_equal(error.text, "/contacts/first: the trace has 2 values a frame there, not one");
  trace_reader_close(reader);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_run_has_the_frames_of_its_trace),
      cmocka_unit_test(test_contacts_are_the_same),
      cmocka_unit_test(test_the_oldest_are_discarded),
      cmocka_unit_test(test_any_number_of_contacts),
      cmocka_unit_test(test_frames_by_time),
      cmocka_unit_test(test_series_are_the_values),
      cmocka_unit_test(test_later_bodies_are_harmless),
      cmocka_unit_test(test_unfitting_traces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
