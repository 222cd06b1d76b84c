// Where points are that go along drawn circles and paths, how far drawn speeds bring them, to nine digits; where
// platforms are by them, and what is refused, to the letter.
#include "tests/unit/small_scene.h"

#include "scenes/description/platform_def.h"
#include "scenes/description/point_motion.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name;
  int keys;
  bool loop, jumps; // two keys of one time
  double ease, radius;
} Drill;

static const Drill DRILLS[] = {{"a circle", 0, false, false, 1, 2}, {"at full speed", 0, false, false, 0, 2},
                               {"one key", 1, true, false, 0, 0},   {"two keys", 2, false, false, 0.5, 0.3},
                               {"a round", 5, true, false, 0, 0},   {"a round with rests", 6, true, false, 0.4, 0},
                               {"jumps", 6, false, true, 0, 0.1},   {"jumps, again and again", 6, true, true, 2, 0}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { OFFSETS, TRAVELS, ROUNDS, PLATFORMS, SUMS };
static const char *const NAMES[SUMS] = {"offsets", "travels", "rounds", "platforms"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.037684422923, 0, 4.4046046268, -2.7271927783},
    {0.012142014134, 0, 4.7174326726, -2.6764972494},
    {0.1435783145, 0.95224598666, 4.7579069708, -1.5378801322},
    {-0.20424324449, 0.58398642881, 4.5834564227, -2.2522142883},
    {0.08591585195, -0.12848510901, 4.7463657004, -2.6968637481},
    {-0.073042036365, -0.20127765386, 4.6495023056, -2.9160665777},
    {0.039168371276, 0.0087112669517, 4.7169787969, -2.6036339207},
    {-0.015735893788, 0.52855601648, 4.2184131713, -2.1146853064},
};

static void draw_path(MotionPath *path, const Drill *drill, double most, Rng *rng) {
  double time = rng_index(rng, 2);
  path->count = drill->keys;
  for (int i = drill->keys; i < MOTION_MAX_KEYS; i++)
    path->keys[i][0] = path->keys[i][1] = NAN; // nothing reads what lies behind the last key
  for (int i = 0; i < drill->keys; i++) {
    path->keys[i][0] = time;
    time += drill->jumps && i % 2 ? 0 : 0.5 * (1 + rng_index(rng, 4));
    for (int k = 1; k < 4; k++)
      path->keys[i][k] = rng_range(rng, -most, most);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { PATHS = 200, TIMES = 40 };
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < PATHS * TIMES; n++) {
    static PlatformDef platform;
    DrillSum sums[SUMS] = {{0}};
    double value[3], place[3], rotation[4];
    if (n % TIMES == 0) {
      platform = (PlatformDef){.yaw = 30,
                               .turn = n % 3 ? 40 : 0,
                               .loop = drill->loop,
                               .ease = fmax(drill->ease, 0.01),
                               .radius = drill->radius,
                               .rise = 0.5 * drill->radius,
                               .period = 3,
                               .center = {1, 2, 3},
                               .hinge = {0.5, -0.2, 0.1}};
      draw_path(&platform.path, drill, 5, &rng);
      draw_path(&platform.speeds, drill, 2, &rng);
      draw_path(&platform.tilts, drill, 45, &rng);
    }
    // Half of the times are those of keys.
    const double time = rng_index(&rng, 2) ? rng_range(&rng, 0, 16) : 0.5 * rng_index(&rng, 30);
    const PointMotion motion = {.radius = drill->radius,
                                .rise = 2 * drill->radius,
                                .period = 4,
                                .loop = drill->loop,
                                .path = &platform.path,
                                .ease = drill->ease};
    point_motion_offset(&motion, time, value);
    drill_add_all(&sums[OFFSETS], value, 3);
    motion_path_travel(&platform.speeds, time, value);
    drill_add_all(&sums[TRAVELS], value, 3);
    drill_add(&sums[ROUNDS], point_motion_rounds_time(time, drill->ease));
    platform_def_place(&platform, time, place, rotation);
    drill_add_all(&sums[PLATFORMS], place, 3);
    drill_add_all(&sums[PLATFORMS], rotation, 4);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (PATHS * TIMES);
  }
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

// A path that is read has the keys of its list alone, whatever it had before.
static void paths_are_read(void **state) {
  (void)state;
  static const struct {
    const char *yaml, *error;
    int keys;
    double last; // of the last key's numbers
  } cases[] = {
      {"path: [[0, 1, 2, 3], [0, 4, 5, 6], [2, 0, 0, -360000]]", "", 3, -360000},
      {"path: [[-360000, 1, 2, 3], [360000, 4, 5, 360000]]", "", 2, 360000},
      {"other: 1", "", 0, 0},
      {"path: []", "", 0, 0},
      {"path: 3", "p.yaml:1:7: 'way' is a list of up to 64 keys [time, x, y, z]", 0, 0},
      {"path: [[1, 0, 0, 0], [0.5, 0, 0, 0]]", "p.yaml:1:22: 0.5 s comes before 1 s, the key above it", 0, 0},
      {"path: [[0, 0, 0, 360001]]", "p.yaml:1:8: 360001 is out of range, allowed is -360000 to 360000", 0, 0},
      {"path: [[0, 0, -360001, 0]]", "p.yaml:1:8: -360001 is out of range, allowed is -360000 to 360000", 0, 0},
      {"path: [[400000, 0, 0, 0]]", "p.yaml:1:8: 400000 is out of range, allowed is -360000 to 360000", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    Document document;
    static MotionPath path;
    path = (MotionPath){.count = 5};
    assert_true(document_parse(&document, "p.yaml", cases[i].yaml, &error));
    const bool read = motion_path_read(&path, "way", node_find(document.root, "path"), &error);
    assert_string_equal(error.text, cases[i].error);
    assert_int_equal(read, cases[i].error[0] == '\0');
    if (read)
      assert_int_equal(path.count, cases[i].keys);
    if (path.count > 0 && read)
      assert_near(path.keys[path.count - 1][3], cases[i].last, 0);
    document_free(&document);
  }
}

static void tilts_are_read(void **state) {
  (void)state;
  static const char *const lists[] = {"t: [[0, -45, 45]]", "t: [[0, 45.1, 0]]", "t: [[0, 0, -46]]",
                                      "t: [[360000, 0, 0]]"};
  static const char *const errors[] = {"", "t.yaml:1:5: 45.1 is out of range, allowed is -45 to 45",
                                       "t.yaml:1:5: -46 is out of range, allowed is -45 to 45", ""};
  for (int i = 0; i < 4; i++) {
    Error error = {0};
    Document document;
    static MotionPath tilts;
    tilts.count = 2;
    assert_true(document_parse(&document, "t.yaml", lists[i], &error));
    assert_int_equal(motion_tilts_read(&tilts, "tilts", node_find(document.root, "t"), &error), errors[i][0] == '\0');
    assert_string_equal(error.text, errors[i]);
    document_free(&document);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(paths_are_read),
      cmocka_unit_test(tilts_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
