// Platforms of scenes: where they are, what is refused, and how they appear in traces, exports and pictures.
#include "tests/unit/recorded_run.h"

#include <cjson/cJSON.h>

#include "scenes/export/export.h"
#include "scenes/export/ground_reaction.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"
#include "sim/world/projectile.h"
#include "viewer/source/source.h"

static const char HEAD[] =
    "duration: 2\ncharacters: [{name: doll, body: boxes.yaml, start: {position: [0, -0.3, 0]}}]\n";

static SceneDef *read_scene(const char *platforms, const char *override, Error *error) {
  char text[1024];
  snprintf(text, sizeof text, "%s%s", HEAD, platforms);
  return small_def_try(text, &override, override ? 1 : 0, error);
}

static SceneDef *good_scene(const char *platforms, const char *override) {
  Error error = {0};
  SceneDef *def = read_scene(platforms, override, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return def;
}

static void assert_refused(const char *platforms, const char *text) {
  Error error = {0};
  assert_null(read_scene(platforms, NULL, &error));
  if (!strstr(error.text, text))
    fail_msg("\"%s\" is not in \"%s\"", text, error.text);
}

// ---- Motion ----

static void assert_place(const PlatformDef *platform, double time, double x, double y, double z, double yaw) {
  double position[3], rotation[4];
  platform_def_place(platform, time, position, rotation);
  assert_near(position[0], x, 1e-12);
  assert_near(position[1], y, 1e-12);
  assert_near(position[2], z, 1e-12);
  assert_near(rotation[0], cos(yaw * RAD_PER_DEGREE / 2), 1e-12);
  assert_near(rotation[2], sin(yaw * RAD_PER_DEGREE / 2), 1e-12);
  assert_near(rotation[1], 0, 0);
  assert_near(rotation[3], 0, 0);
}

static void test_rounds_and_turns(void **state) {
  (void)state;
  SceneDef *def = good_scene("platforms: [{name: a, center: [1, 2, 3], radius: 4, rise: 0.5, period: 8, yaw: 10, "
                             "turn: 20, ease: 2}]\n",
                             NULL);
  const PlatformDef *platform = &def->platforms[0];
  assert_place(platform, 0, 1, 2, 7, 10);
  assert_place(platform, 3, 5, 2.5, 3, 50); // half of the ease is lost: 2 s of circles
  assert_place(platform, 5, 1, 2, -1, 90);
  // The motion begins without a jump of velocity, and is never faster than its steady part.
  double last[3], rotation[4], fastest = 0, before = 0;
  platform_def_place(platform, 0, last, rotation);
  for (double time = 0.001; time < 4; time += 0.001) {
    double place[3], way[3];
    platform_def_place(platform, time, place, rotation);
    for (int i = 0; i < 3; i++)
      way[i] = place[i] - last[i];
    memcpy(last, place, sizeof last);
    double speed = length3(way) / 0.001;
    assert_true(fabs(speed - before) < 0.01);
    before = speed;
    fastest = fmax(fastest, speed);
  }
  assert_true(fastest > 2 * M_PI / 8 * 4 - 0.01 && fastest < 2 * M_PI / 8 * hypot(4, 0.5) + 0.01);
  scene_def_free(def);
}

static void test_paths(void **state) {
  (void)state;
  SceneDef *def = good_scene("platforms: [{name: a, center: [0, 1, 0], path: [[1, 0, 0, 0], [3, 4, 0, 2], [4, 0, 0, "
                             "0]], loop: true}]\n",
                             NULL);
  const PlatformDef *platform = &def->platforms[0];
  assert_place(platform, 0, 0, 1, 0, 0);
  assert_place(platform, 1.5, 4 * 0.15625, 1, 2 * 0.15625, 0); // 3 x^2 - 2 x^3 of a quarter
  assert_place(platform, 2, 2, 1, 1, 0);
  assert_place(platform, 3, 4, 1, 2, 0);
  assert_place(platform, 5, 2, 1, 1, 0); // the second round
  scene_def_free(def);
}

// A belt: 0.5 m/s until 1 s, evenly to 2.5 m/s at 2 s, to 0 at 2.5 s, where it stays; on top of a path.
static void test_speeds(void **state) {
  (void)state;
  SceneDef *def =
      good_scene("platforms: [{name: a, center: [0, 1, 0], speeds: [[1, 0, 0, 0.5], [2, 0, 0, 2.5], [2.5, 0, "
                 "0, 0]], path: [[0, 0, 0, 0], [2, 3, 0, 0]]}]\n",
                 NULL);
  const PlatformDef *platform = &def->platforms[0];
  assert_place(platform, 0, 0, 1, 0, 0);
  assert_place(platform, 0.5, 3 * 0.15625, 1, 0.25, 0);
  assert_place(platform, 1, 1.5, 1, 0.5, 0);
  assert_place(platform, 1.5, 3 * 0.84375, 1, 0.5 + 0.5 * (0.5 + 1.5) / 2, 0);
  assert_place(platform, 2, 3, 1, 2, 0);
  assert_place(platform, 2.2, 3, 1, 2 + 0.2 * (2.5 + 1.5) / 2, 0);
  assert_place(platform, 9, 3, 1, 2 + 0.625, 0);
  scene_def_free(def);
}

// The place of a point of the platform, given from its middle along its own axes.
static void assert_point(const PlatformDef *platform, double time, const double point[3], double x, double y,
                         double z) {
  double position[3], rotation[4], turned[3];
  platform_def_place(platform, time, position, rotation);
  quaternion_turn(rotation, point, turned);
  assert_near(position[0] + turned[0], x, 1e-12);
  assert_near(position[1] + turned[1], y, 1e-12);
  assert_near(position[2] + turned[2], z, 1e-12);
}

// It rises by 30 deg within 2 s, as smoothly as a path, about a hinge that stays where it is; ahead is where it faces.
static void test_tilts(void **state) {
  (void)state;
  SceneDef *def =
      good_scene("platforms: [{name: a, center: [1, 2, 3], hinge: [0, 0.5, -1], tilts: [[1, 0, 0], [3, 30, 0]]},"
                 " {name: b, yaw: 90, center: [0, 0, 0], tilts: [[1, 0, 0], [3, 30, 0]]},"
                 " {name: c, center: [0, 0, 0], tilts: [[0, 0, 20]]},"
                 " {name: d, center: [0, 0, 0], tilts: [[0, 3, 4]]}]\n",
                 NULL);
  const PlatformDef *a = &def->platforms[0];
  const double hinge[3] = {0, 0.5, -1}, front[3] = {0, 0.5, 1}, ahead[3] = {0, 0, 1}, left[3] = {1, 0, 0};
  const double times[] = {0, 1, 1.5, 2, 3, 9}, angles[] = {0, 0, 30 * 0.15625, 15, 30, 30};
  for (int i = 0; i < 6; i++) {
    double angle = angles[i] * RAD_PER_DEGREE;
    assert_point(a, times[i], hinge, 1, 2.5, 2);
    assert_point(a, times[i], front, 1, 2.5 + 2 * sin(angle), 2 + 2 * cos(angle));
  }
  double thirty = 30 * RAD_PER_DEGREE, twenty = 20 * RAD_PER_DEGREE, slope = sin(5 * RAD_PER_DEGREE);
  assert_point(&def->platforms[1], 3, ahead, cos(thirty), sin(thirty), 0); // it faces left
  assert_point(&def->platforms[2], 0, left, cos(twenty), sin(twenty), 0);
  // 3 deg ahead and 4 to the left: 5 deg about one axis.
  double steepest[3] = {0.8, 0, 0.6};
  assert_point(&def->platforms[3], 0, steepest, 0.8 * cos(5 * RAD_PER_DEGREE), slope, 0.6 * cos(5 * RAD_PER_DEGREE));
  scene_def_free(def);
}

static void test_overrides(void **state) {
  (void)state;
  SceneDef *def = good_scene("platforms: [{name: a}, {name: b}]\n", "platforms.1.size=[1, 2, 3]");
  assert_near(def->platforms[0].size[1], 0.2, 0);
  assert_near(def->platforms[1].size[1], 2, 0);
  scene_def_free(def);
  def = good_scene("platforms: [{name: a}, {name: b}]\n", "platforms.b.turn=15");
  assert_near(def->platforms[1].turn, 15, 0);
  scene_def_free(def);
}

static void test_what_is_refused(void **state) {
  (void)state;
  assert_refused("platforms: {name: a}\n", "small.yaml:3:12: 'platforms' must be a list");
  assert_refused("platforms: [3]\n", "small.yaml:3:13:");
  assert_refused("platforms: [{size: [1, 1, 1]}]\n", "small.yaml:3:13: a platform needs a 'name'");
  assert_refused("platforms: [{name: a b}]\n", "small.yaml:3:20:");
  assert_refused("platforms: [{name: ball_3}]\n", "small.yaml:3:20: 'ball_3' is what traces call a ball");
  assert_refused("platforms: [{name: a}, {name: a}]\n", "small.yaml:3:31: there is a platform 'a' already");
  assert_refused("platforms: [{name: a, size: [1, 0, 1]}]\n", "small.yaml:3:29:");
  assert_refused("platforms: [{name: a, size: 1}]\n", "small.yaml:3:29:");
  assert_refused("platforms: [{name: a, turned: 1}]\n", "did you mean 'turn'?");
  assert_refused("platforms: [{name: a, path: [[0, 0, 0]]}]\n", "small.yaml:3:30:");
  assert_refused("platforms: [{name: a, path: [[1, 0, 0, 0], [0, 0, 0, 0]]}]\n", "comes before");
  assert_refused("platforms: [{name: a, path: [[1, 0, 0, 0], [1, 0, 2, 0]]}]\n",
                 "small.yaml:3:44: a platform cannot jump: two keys at 1 s");
  assert_refused("platforms: [{name: a, loop: true, path: [[1, 0, 0, 0], [2, 0, 2, 0]]}]\n",
                 "small.yaml:3:56: a path with 'loop' ends where it begins, at [0, 0, 0]");
  assert_refused("platforms: [{name: a, speeds: [[1, 0, 0, 0], [1, 0, 0, 1]]}]\n",
                 "small.yaml:3:46: a platform's speed cannot jump: two keys at 1 s");
  assert_refused("platforms: [{name: a, tilts: [[1, 0, 0], [1, 5, 0]]}]\n",
                 "small.yaml:3:42: a platform cannot jump: two keys at 1 s");
  assert_refused("platforms: [{name: a, tilts: [[1, 0, 46]]}]\n", "46 is out of range, allowed is -45 to 45");
  assert_refused("platforms: [{name: a, tilts: [[1, 0, 0, 0]]}]\n", "small.yaml:3:31:");
  assert_refused("platforms: [{name: a, tilts: 3}]\n", "'tilts' is a list of up to 64 keys [time, pitch, roll]");
  assert_refused("platforms: [{name: a, loop: true, tilts: [[1, 0, 0], [2, 5, 0]]}]\n",
                 "a path with 'loop' ends where it begins, at [0, 0, 0]");
  assert_refused("platforms: [{name: a, friction: 11}]\n", "allowed are -1 to 10");
  static const char *const motions[][2] = {
      {"turn", "1"},           {"radius", "1"}, {"rise", "1"}, {"path", "[[0, 0, 0, 0]]"}, {"speeds", "[[0, 0, 0, 0]]"},
      {"tilts", "[[0, 0, 0]]"}};
  for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
    char platform[128], problem[128];
    snprintf(platform, sizeof platform, "platforms: [{name: a, mass: 5, %s: %s}]\n", motions[i][0], motions[i][1]);
    snprintf(problem, sizeof problem, "small.yaml:3:32: '%s' belongs to a platform without a 'mass'", motions[i][0]);
    assert_refused(platform, problem);
  }
  char many[4096] = "platforms:\n";
  for (int i = 0; i <= SCENE_MAX_PLATFORMS; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), "  - {name: p%d}\n", i);
  Error error = {0};
  char text[8192];
  snprintf(text, sizeof text, "%s%s", HEAD, many);
  assert_null(small_def_try(text, NULL, 0, &error));
  assert_non_null(strstr(error.text, "65 platforms, allowed are up to 64"));
}

// ---- Traces, exports and pictures ----

enum { FRAMES = 121, THROWN_AT = 40 };

static const char FERRY[] =
    "platforms: [{name: mill, center: [5, 1, 5], size: [1, 2, 3], turn: 90, tilts: [[0, 0, 0], [2, 20, -9]]},\n"
    "  {name: ferry, size: [3, 0.2, 3], center: [0, 0.6, 0], path: [[0, 0, 0, 0], [2, 1, 0, "
    "0.5]]}]\n";

static void throw_a_ball(Scene *scene, long step) {
  const Projectile ball = {.mass = 1, .radius = 0.1, .position = {0.6, 1, 0.9}, .event = 5};
  if (step == THROWN_AT)
    assert_true(projectile_create(scene->world, &ball) >= 0);
}

static RecordedRun record_ferry(void) {
  RecordedRun run;
  recorded_run_with(&run, good_scene(FERRY, NULL), throw_a_ball);
  return run;
}

static double attribute(TraceReader *reader, const char *group, const char *name) {
  double value = NAN;
  assert_int_equal(trace_values(reader, group, name, &value, 1), 1);
  return value;
}

static void test_a_trace_has_them(void **state) {
  (void)state;
  RecordedRun run = record_ferry();
  Error error = {0};
  static double places[FRAMES][3], rotations[FRAMES][4];
  double size[3];
  assert_int_equal(run.def->platform_count, 2);
  for (int i = 0; i < 2; i++) {
    const PlatformDef *platform = &run.def->platforms[i];
    char group[64], path[128];
    snprintf(group, sizeof group, "/objects/%s", platform->name);
    assert_int_equal(trace_values(run.reader, group, "size", size, 3), 3);
    assert_memory_equal(size, platform->size, sizeof size);
    assert_near(attribute(run.reader, group, "ground"), 1, 0);
    assert_near(attribute(run.reader, group, "mass"), 0, 0);
    assert_near(attribute(run.reader, group, "number"), 2 + i, 0); // after the doll's two parts
    snprintf(path, sizeof path, "%s/position", group);
    assert_true(trace_read(run.reader, path, TRACE_FLOAT64, 0, FRAMES, places, &error));
    snprintf(path, sizeof path, "%s/rotation", group);
    assert_true(trace_read(run.reader, path, TRACE_FLOAT64, 0, FRAMES, rotations, &error));
    for (int f = 0; f < FRAMES; f++) {
      double place[3], rotation[4];
      platform_def_place(platform, f / 60.0, place, rotation);
      for (int k = 0; k < 3; k++) {
        assert_near(places[f][k], place[k], 1e-12);
        assert_near(rotations[f][k], rotation[1 + k], 1e-12);
      }
      assert_near(rotations[f][3], rotation[0], 1e-12);
    }
  }
  assert_near(attribute(run.reader, "/objects/ball_1", "ground"), 0, 0);
  assert_near(attribute(run.reader, "/objects/ball_1", "number"), 4, 0);
  recorded_run_end(&run);
}

// Contacts of the doll's standing parts, and of the ball: with the ferry, under the indices of the trace.
static void test_contacts_are_with_the_platform(void **state) {
  (void)state;
  RecordedRun run = record_ferry();
  Error error = {0};
  static int first[FRAMES], count[FRAMES], part[4096], other[4096];
  assert_true(trace_read(run.reader, "/contacts/first", TRACE_INT32, 0, FRAMES, first, &error));
  assert_true(trace_read(run.reader, "/contacts/count", TRACE_INT32, 0, FRAMES, count, &error));
  int rows = first[FRAMES - 1] + count[FRAMES - 1], of_doll = 0, of_ball = 0;
  assert_in_range(rows, 100, 4096);
  assert_true(trace_read(run.reader, "/contacts/part", TRACE_INT32, 0, rows, part, &error));
  assert_true(trace_read(run.reader, "/contacts/other", TRACE_INT32, 0, rows, other, &error));
  for (int r = 0; r < rows; r++) {
    assert_true(part[r] == 0 || part[r] == 1 || part[r] == 4);
    assert_true(other[r] == 3 || (part[r] == 4 && other[r] <= 1) || (part[r] <= 1 && other[r] == 4));
    of_doll += part[r] <= 1 && other[r] == 3;
    of_ball += part[r] == 4 && other[r] == 3;
  }
  assert_true(of_doll > 100 && of_ball > 10);
  char names[8][TRACE_NAME_SIZE];
  assert_int_equal(trace_row_names(run.reader, "/contacts/other", names, 8), 4);
  assert_string_equal(names[0], "doll/base");
  assert_string_equal(names[3], "ferry");

  // Exports of forces treat the ferry as ground: it carries the weight.
  static double time[FRAMES], places[FRAMES][1][3];
  for (int f = 0; f < FRAMES; f++)
    time[f] = f / 60.0;
  const BodyDef *body = run.def->characters[0].body;
  GroundReactions *reactions =
      ground_reactions_read(run.reader, "doll", body, time, (const double(*)[3])places, &error);
  assert_non_null(reactions);
  double mean = 0;
  for (int f = 60; f < FRAMES; f++)
    mean += reactions->values[f].force[1] / (FRAMES - 60);
  assert_near(mean, 6 * 9.81, 3);
  ground_reactions_free(reactions);
  recorded_run_end(&run);
}

static void test_a_replay_is_the_same(void **state) {
  (void)state;
  RecordedRun run = record_ferry(), again;
  Error error = {0};
  SceneDef *def = scene_def_from_trace(run.reader, &error);
  assert_non_null(def);
  recorded_run_with(&again, def, throw_a_ball);
  static double one[FRAMES][2][3], two[FRAMES][2][3];
  assert_true(trace_read(run.reader, "/characters/doll/parts/position", TRACE_FLOAT64, 0, FRAMES, one, &error));
  assert_true(trace_read(again.reader, "/characters/doll/parts/position", TRACE_FLOAT64, 0, FRAMES, two, &error));
  assert_memory_equal(one, two, sizeof one);
  assert_true(one[FRAMES - 1][0][0] > 0.5); // it went along
  recorded_run_end(&again);
  recorded_run_end(&run);
}

static void test_a_glb_has_boxes(void **state) {
  (void)state;
  RecordedRun run = record_ferry();
  Error error = {0};
  const ExportOptions options = {.pose = TRACE_POSE_MEASURED};
  ExportResult result;
  assert_true(export_glb(run.reader, run.def, &options, &result, &error));
  assert_non_null(strstr(result.contents, "3 objects"));
  uint32_t json_size;
  memcpy(&json_size, (const char *)result.bytes + 12, sizeof json_size);
  cJSON *root = cJSON_ParseWithLength((const char *)result.bytes + 20, json_size), *node, *found = NULL;
  cJSON_ArrayForEach(node, cJSON_GetObjectItem(root, "nodes")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(node, "name")), "ferry") == 0)
      found = node;
  }
  assert_non_null(found);
  const int mesh = (int)cJSON_GetNumberValue(cJSON_GetObjectItem(found, "mesh"));
  const cJSON *primitive = cJSON_GetArrayItem(
      cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "meshes"), mesh), "primitives"), 0);
  const int accessor =
      (int)cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(primitive, "attributes"), "POSITION"));
  const cJSON *most = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "accessors"), accessor), "max");
  const double half[3] = {1.5, 0.1, 1.5};
  for (int k = 0; k < 3; k++)
    assert_near(cJSON_GetNumberValue(cJSON_GetArrayItem(most, k)), half[k], 1e-6);
  cJSON_Delete(root);
  free(result.bytes);
  recorded_run_end(&run);
}

static void test_pictures_show_them(void **state) {
  (void)state;
  RecordedRun run = record_ferry();
  Error error = {0};
  Source *source = source_open(run.path, NULL, 0, &error);
  if (!source) {
    fail_msg("%s", error.text);
    exit(1);
  }
  static Picture picture;
  SourceLook look = {0};
  for (int i = 0; i < 2; i++) {
    picture_clear(&picture);
    assert_true(source_picture(source, 1 + 0.5 * i, &look, &picture, &error));
    for (int p = 0; p < 2; p++) {
      const PlatformDef *platform = &run.def->platforms[p];
      double place[3], rotation[4];
      platform_def_place(platform, picture.time, place, rotation);
      int seen = 0;
      for (int k = 0; k < picture.shape_count; k++) {
        const PictureShape *shape = &picture.shapes[k];
        bool is_it = glms_vec3_distance(shape->position_w, vec3_from_ode(place)) < 1e-6f &&
                     fabsf(glms_quat_dot(shape->rotation, quat_from_ode(rotation))) > 1 - 1e-6f;
        seen += is_it && shape->half_size.x == (float)platform->size[0] / 2;
      }
      assert_int_equal(seen, 1);
    }
  }
  assert_true(source_close(source, &error));
  recorded_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds_and_turns),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_speeds),
      cmocka_unit_test(test_tilts),
      cmocka_unit_test(test_overrides),
      cmocka_unit_test(test_what_is_refused),
      cmocka_unit_test(test_a_trace_has_them),
      cmocka_unit_test(test_contacts_are_with_the_platform),
      cmocka_unit_test(test_a_replay_is_the_same),
      cmocka_unit_test(test_a_glb_has_boxes),
      cmocka_unit_test(test_pictures_show_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
