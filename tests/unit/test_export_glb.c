// GLB files: their contents by the format's specification, and that they read back to the trace.
#include "tests/unit/recorded_run.h"
#include "tests/unit/trace_fixture.h"

#include <cjson/cJSON.h>

#include "anim/motion/motion.h"
#include "scenes/export/export.h"
#include "scenes/export/glb_scene.h"
#include "scenes/export/round_trip.h"
#include "sim/world/projectile.h"

// A parsed GLB file.
typedef struct Glb {
  ExportResult result;
  cJSON *root;
  const unsigned char *bin;
  uint32_t bin_size;
} Glb;

static uint32_t number_at(const char *bytes) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

static Glb export(const RecordedRun *run, const char *character, TracePose pose) {
  Error error = {0};
  Glb glb = {0};
  const ExportOptions options = {.character = character, .pose = pose};
  if (!export_glb(run->reader, run->def, &options, &glb.result, &error)) {
    fail_msg("%s", error.text);
    exit(1);
  }
  const char *bytes = glb.result.bytes;
  assert_memory_equal(bytes, "glTF\2\0\0\0", 8);
  assert_int_equal(number_at(bytes + 8), glb.result.size);
  const uint32_t json_size = number_at(bytes + 12);
  assert_memory_equal(bytes + 16, "JSON", 4);
  assert_int_equal(json_size % 4, 0);
  glb.root = cJSON_ParseWithLength(bytes + 20, json_size);
  assert_non_null(glb.root);
  const char *chunk = bytes + 20 + json_size;
  glb.bin_size = number_at(chunk);
  assert_memory_equal(chunk + 4, "BIN", 4);
  assert_int_equal(glb.bin_size % 4, 0);
  assert_int_equal(28 + json_size + glb.bin_size, glb.result.size);
  glb.bin = (const unsigned char *)chunk + 8;
  return glb;
}

static void glb_free(Glb *glb) {
  cJSON_Delete(glb->root);
  free(glb->result.bytes);
}

static const cJSON *get(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!item)
    fail_msg("no %s", name);
  return item;
}

static int get_int(const cJSON *object, const char *name) { return get(object, name)->valueint; }

static const cJSON *item(const Glb *glb, const char *list, int index) {
  const cJSON *found = cJSON_GetArrayItem(get(glb->root, list), index);
  if (!found)
    fail_msg("no %s %d", list, index);
  return found;
}

// The values of an accessor, and their number; checks that they lie inside its view and the buffer.
static const void *accessor(const Glb *glb, int index, int *count, int *width) {
  const cJSON *accessor = item(glb, "accessors", index);
  const cJSON *view = item(glb, "bufferViews", get_int(accessor, "bufferView"));
  const char *type = get(accessor, "type")->valuestring;
  const int offset = get_int(view, "byteOffset"), length = get_int(view, "byteLength");
  *width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
  *count = get_int(accessor, "count");
  assert_int_equal(*count * *width * (get_int(accessor, "componentType") == 5126 ? 4 : 2), length);
  assert_int_equal(offset % 4, 0);
  assert_true((uint32_t)(offset + length) <= glb->bin_size);
  return glb->bin + offset;
}

static void check_bounds(const cJSON *accessor, const float *values, int count, int width) {
  for (int k = 0; k < width; k++) {
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
      low = fminf(low, values[i * width + k]);
      high = fmaxf(high, values[i * width + k]);
    }
    assert_true((float)cJSON_GetArrayItem(get(accessor, "min"), k)->valuedouble == low);
    assert_true((float)cJSON_GetArrayItem(get(accessor, "max"), k)->valuedouble == high);
  }
}

static int find_node(const Glb *glb, const char *name) {
  int index = 0;
  const cJSON *node;
  cJSON_ArrayForEach(node, get(glb->root, "nodes")) {
    if (strcmp(get(node, "name")->valuestring, name) == 0)
      return index;
    index++;
  }
  fail_msg("no node %s", name);
  return -1;
}

static bool is_child(const Glb *glb, int parent, int child) {
  const cJSON *number;
  cJSON_ArrayForEach(number, cJSON_GetObjectItemCaseSensitive(item(glb, "nodes", parent), "children")) {
    if (number->valueint == child)
      return true;
  }
  return false;
}

static void test_all_poses_read_back(void **state) {
  const RecordedRun *run = *state;
  for (int p = 0; p < TRACE_POSE_COUNT; p++) {
    Glb glb = export(run, NULL, (TracePose)p);
    Error error = {0};
    TraceMotion *motion = trace_motion_read(run->reader, run->def, NULL, (TracePose)p, &error);
    RoundTrip trip = {0};
    assert_true(round_trip_measure("x.glb", glb.result.bytes, glb.result.size, 1, motion, &trip, &error));
    assert_int_equal(trip.moments, 211);
    assert_true(trip.distance < 5e-5 && trip.angle < 1e-4);
    char text[256];
    round_trip_tell(&trip, &error, text, sizeof text);
    assert_string_equal(text, glb.result.round_trip);
    assert_non_null(strstr(glb.result.contents, trace_pose_names[p]));

    // Differences are noticed.
    motion->root_position[100].x += 0.01f;
    RoundTrip moved = {0};
    assert_true(round_trip_measure("x.glb", glb.result.bytes, glb.result.size, 1, motion, &moved, &error));
    assert_near(moved.distance, 0.01, 1e-4);
    motion->frame_count -= 20;
    assert_false(round_trip_measure("x.glb", glb.result.bytes, glb.result.size, 1, motion, &moved, &error));
    assert_non_null(strstr(error.text, "211 frames are read back"));
    trace_motion_free(motion);
    glb_free(&glb);
  }
}

static void test_nodes_are_the_skeleton(void **state) {
  const RecordedRun *run = *state;
  Glb glb = export(run, "runner", TRACE_POSE_OUTPUT);
  const Skeleton *skeleton = &run->def->characters[0].body->skeleton;
  for (int j = 0; j < skeleton->count; j++) {
    int node = find_node(&glb, skeleton->names[j]);
    const char *parent = j > 0 ? skeleton->names[skeleton->parent[j]] : "runner";
    assert_true(is_child(&glb, find_node(&glb, parent), node));
    for (int k = 0; k < 3; k++) {
      const cJSON *translation = get(item(&glb, "nodes", node), "translation");
      assert_true((float)cJSON_GetArrayItem(translation, k)->valuedouble == skeleton->bind_position_l[j].raw[k]);
    }
    char shape[64];
    snprintf(shape, sizeof shape, "%s_shape", skeleton->names[j]);
    assert_true(is_child(&glb, node, find_node(&glb, shape)));
  }
  const cJSON *scene = item(&glb, "scenes", 0), *extras = get(scene, "extras");
  assert_string_equal(get(scene, "name")->valuestring, "hit_run");
  assert_string_equal(get(extras, "pose")->valuestring, "output");
  assert_string_equal(get(extras, "status")->valuestring, "complete");
  assert_int_equal(get_int(extras, "seed"), 1);
  assert_memory_equal(get(get(glb.root, "asset"), "generator")->valuestring, "Stagger ", 8);
  find_node(&glb, "ground");
  find_node(&glb, "roadside");
  assert_int_equal(cJSON_GetArraySize(get(glb.root, "cameras")), run->def->camera_count);
  glb_free(&glb);
}

static void test_keys_are_the_frames(void **state) {
  const RecordedRun *run = *state;
  Glb glb = export(run, NULL, TRACE_POSE_MEASURED);
  const cJSON *animation = item(&glb, "animations", 0), *channel, *sampler;
  int time = -1, rotations = 0, translations = 0, count, width;
  cJSON_ArrayForEach(sampler, get(animation, "samplers")) {
    time = time < 0 ? get_int(sampler, "input") : time;
    assert_int_equal(get_int(sampler, "input"), time); // one for all
  }
  const float *times = accessor(&glb, time, &count, &width);
  assert_int_equal(count, 211);
  for (int i = 0; i < count; i++)
    assert_near((double)times[i], i / 60.0, 1e-6);
  cJSON_ArrayForEach(channel, get(animation, "channels")) {
    sampler = cJSON_GetArrayItem(get(animation, "samplers"), get_int(channel, "sampler"));
    const float *values = accessor(&glb, get_int(sampler, "output"), &count, &width);
    assert_int_equal(count, 211);
    if (strcmp(get(get(channel, "target"), "path")->valuestring, "translation") == 0) {
      translations++;
      continue;
    }
    rotations++;
    assert_int_equal(width, 4);
    for (int i = 0; i < count; i++) {
      const float *q = values + 4 * i, *before = values + 4 * (i > 0 ? i - 1 : 0);
      assert_near((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1, 1e-5);
      assert_true(q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] > 0);
    }
  }
  assert_int_equal(rotations, 16);
  assert_int_equal(translations, 2); // the root, and the camera that follows
  glb_free(&glb);
}

static void check_primitive(const Glb *glb, const cJSON *primitive) {
  int vertices, count, width;
  const int position = get_int(get(primitive, "attributes"), "POSITION");
  accessor(glb, position, &vertices, &width);
  assert_true(cJSON_HasObjectItem(item(glb, "accessors", position), "min"));
  const uint16_t *indices = accessor(glb, get_int(primitive, "indices"), &count, &width);
  assert_true(vertices <= 65535 && count > 0 && count % 3 == 0);
  for (int i = 0; i < count; i++)
    assert_true(indices[i] < vertices);
  item(glb, "materials", get_int(primitive, "material"));
}

// Every accessor, its bounds, and the indices of every mesh.
static void test_accessors_hold(void **state) {
  const RecordedRun *run = *state;
  Glb glb = export(run, NULL, TRACE_POSE_TARGET);
  for (int i = 0; i < cJSON_GetArraySize(get(glb.root, "accessors")); i++) {
    int count, width;
    const void *values = accessor(&glb, i, &count, &width);
    if (cJSON_HasObjectItem(item(&glb, "accessors", i), "min"))
      check_bounds(item(&glb, "accessors", i), values, count, width);
  }
  for (int m = 0; m < cJSON_GetArraySize(get(glb.root, "meshes")); m++) {
    const cJSON *primitives = get(item(&glb, "meshes", m), "primitives");
    for (int p = 0; p < cJSON_GetArraySize(primitives); p++)
      check_primitive(&glb, cJSON_GetArrayItem(primitives, p));
  }
  glb_free(&glb);
}

static const char TWO[] = "duration: 0.5\n"
                          "characters:\n"
                          "  - {name: a, body: boxes.yaml, animation: {move: nod.yaml}}\n"
                          "  - {name: top, body: boxes.yaml, start: {position: [3, 0, 0]}}\n"
                          "cameras:\n"
                          "  - {name: base, follow: top, eye: [0, 5, 0], target: [0, 0, 0]}\n";

static void test_several_characters(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, small_def(TWO));
  Glb all = export(&run, NULL, TRACE_POSE_OUTPUT), one = export(&run, "top", TRACE_POSE_OUTPUT);
  assert_true(is_child(&all, find_node(&all, "a"), find_node(&all, "a_base")));
  assert_true(is_child(&all, find_node(&all, "a_base"), find_node(&all, "a_top")));
  assert_true(is_child(&all, find_node(&all, "top"), find_node(&all, "top_base")));
  assert_non_null(strstr(all.result.round_trip, "at 31 moments"));
  assert_int_equal(cJSON_GetArraySize(get(item(&all, "scenes", 0), "nodes")), 4); // with ground and camera

  // Names in use get a number: the character's and the camera's, not those of joints.
  assert_true(is_child(&one, find_node(&one, "top_2"), find_node(&one, "base")));
  assert_true(is_child(&one, find_node(&one, "base"), find_node(&one, "top")));
  get(item(&one, "nodes", find_node(&one, "base_2")), "camera");
  assert_non_null(strstr(one.result.round_trip, "at 31 moments"));
  glb_free(&all);
  glb_free(&one);

  Error error = {0};
  ExportResult result = {0};
  const ExportOptions options = {.character = "tip"};
  assert_false(export_glb(run.reader, run.def, &options, &result, &error));
  assert_non_null(strstr(error.text, "did you mean 'top'?"));
  assert_null(result.bytes);
  recorded_run_end(&run);
}

// ---- Balls ----

enum { THROW_STEP = 60 }; // of 240 a second: 15 frames of the trace

static void throw_a_ball(Scene *scene, long step) {
  const Projectile ball = {.mass = 2, .radius = 0.11, .position = {0.4, 1.2, 5}, .velocity = {0, 1, -8}};
  if (step == THROW_STEP)
    assert_true(projectile_create(scene->world, &ball) >= 0);
}

static const void *track(const Glb *glb, int node, const char *path) {
  const cJSON *animation = item(glb, "animations", 0), *channel;
  cJSON_ArrayForEach(channel, get(animation, "channels")) {
    const cJSON *target = get(channel, "target");
    int count, width;
    if (get_int(target, "node") == node && strcmp(get(target, "path")->valuestring, path) == 0)
      return accessor(glb,
                      get_int(cJSON_GetArrayItem(get(animation, "samplers"), get_int(channel, "sampler")), "output"),
                      &count, &width);
  }
  fail_msg("node %d has no %s", node, path);
  return NULL;
}

static void test_balls_come_when_they_are_thrown(void **state) {
  (void)state;
  enum { FRAMES = 31 };
  RecordedRun run;
  recorded_run_with(&run,
                    small_def("duration: 0.5\n"
                              "characters: [{name: doll, body: boxes.yaml}]\n"),
                    throw_a_ball);
  Glb glb = export(&run, NULL, TRACE_POSE_MEASURED);
  assert_non_null(strstr(glb.result.contents, "1 object"));
  assert_non_null(strstr(glb.result.round_trip, "at 31 moments"));
  static double positions[FRAMES][3];
  Error error = {0};
  assert_true(trace_read(run.reader, "/objects/ball_1/position", TRACE_FLOAT64, 0, FRAMES, positions, &error));
  const int node = find_node(&glb, "ball_1");
  const float *translation = track(&glb, node, "translation"), *scale = track(&glb, node, "scale");
  int first = 0;
  while (first < FRAMES && isnan(positions[first][0]))
    first++;
  assert_in_range(first, THROW_STEP / 4, THROW_STEP / 4 + 1);
  for (int f = 0; f < FRAMES; f++)
    for (int k = 0; k < 3; k++) {
      assert_true(scale[3 * f + k] == (f < first ? 0 : 1));
      assert_near((double)translation[3 * f + k], positions[f < first ? first : f][k], 1e-6);
    }
  glb_free(&glb);
  recorded_run_end(&run);
}

static int record(void **state) {
  static RecordedRun run;
  recorded_run(&run, "hit_run", "duration=3.5");
  *state = &run;
  return 0;
}

static int end(void **state) {
  recorded_run_end(*state);
  return 0;
}

// More triangles of a level than 16-bit indices reach go into several meshes, each triangle into one: triangle t is at
// x = t, which the bounds of the meshes show.
static void test_a_large_level_has_all_its_triangles(void **state) {
  (void)state;
  enum { COUNT = 50000, MOST = GROUND_MESH_VERTICES / 3 };
  GroundMesh mesh = {.triangle_count = COUNT, .triangles = calloc(COUNT, sizeof *mesh.triangles)};
  for (int t = 0; t < COUNT; t++)
    for (int corner = 0; corner < 3; corner++)
      mesh.triangles[t][corner][0] = (float)t;
  const double time = 0;
  GlbScene scene;
  glb_scene_begin(&scene, "level", &time, 1);
  glb_scene_level(&scene, &mesh);
  int found = 0;
  const cJSON *accessor;
  cJSON_ArrayForEach(accessor, get(scene.glb.root, "accessors")) {
    if (strcmp(get(accessor, "type")->valuestring, "VEC3") != 0)
      continue;
    int first = found, count = get_int(accessor, "count");
    found += count / 3;
    assert_true(count <= 3 * MOST);
    assert_int_equal((int)cJSON_GetArrayItem(get(accessor, "min"), 0)->valuedouble, first);
    assert_int_equal((int)cJSON_GetArrayItem(get(accessor, "max"), 0)->valuedouble, found - 1);
  }
  assert_int_equal(found, COUNT);
  const cJSON *meshes = get(scene.glb.root, "meshes"), *nodes = get(scene.glb.root, "nodes");
  assert_int_equal(cJSON_GetArraySize(meshes), (COUNT + MOST - 1) / MOST);
  assert_int_equal(cJSON_GetArraySize(nodes), cJSON_GetArraySize(meshes)); // each is shown, once
  for (int i = 0; i < cJSON_GetArraySize(nodes); i++) {
    assert_int_equal(get_int(cJSON_GetArrayItem(nodes, i), "mesh"), i);
    const cJSON *primitive = cJSON_GetArrayItem(get(cJSON_GetArrayItem(meshes, i), "primitives"), 0);
    assert_int_equal(cJSON_GetArraySize(get(primitive, "attributes")), 1); // places alone: its facets are flat
  }
  char *bytes = NULL;
  size_t size;
  assert_true(glb_end(&scene.glb, &bytes, &size));
  free(bytes);
  free(mesh.triangles);
}

static bool times_differ(const double *time, int count, Error *error) {
  double times[4] = {0};
  memcpy(times, time, (size_t)count * sizeof *time);
  const TraceMotion motion = {.time = times, .frame_count = count, .frame_rate = 100};
  return glb_scene_times_differ(&motion, error);
}

// As floats, of 24 bits, from the first frame on: 2^24 and 2^24 + 1 are two numbers only if they are counted from
// elsewhere.
static void test_times_that_floats_tell_apart(void **state) {
  (void)state;
  Error error = {0};
  const double half = 0x1p24;
  assert_true(times_differ((double[]){0}, 1, &error));
  assert_true(times_differ((double[]){0, 0.01, 0.02}, 3, &error));
  assert_true(times_differ((double[]){0, half - 1, half}, 3, &error));
  assert_true(times_differ((double[]){half, half + 1, half + 2}, 3, &error));
  assert_true(times_differ((double[]){1, half, half + 1}, 3, &error));
  assert_string_equal(error.text, "");
  const double same[3] = {0, half, half + 1}, equal[2] = {1, 1}, falling[3] = {0, 2, 1};
  assert_false(times_differ(same, 3, &error));
  assert_string_equal(error.text, "the run is too long for a GLB file, whose times are 32 bits wide: at 1.67772e+07 s "
                                  "two frames at 100 Hz cannot be told apart");
  assert_false(times_differ(equal, 2, &error) || times_differ(falling, 3, &error));

  // A recording that begins late is written; one that is too long is not.
  SceneDef *def = trace_fixture_def("stand.yaml");
  const double late[3] = {half, half + 1, half + 2};
  for (int i = 0; i < 2; i++) {
    TraceFixture trace;
    ExportResult result = {0};
    Error cause = {0};
    const ExportOptions options = {.pose = TRACE_POSE_MEASURED};
    trace_fixture_standing_at(&trace, def, 3, 0, i == 0 ? late : same);
    assert_int_equal(export_glb(trace.reader, def, &options, &result, &cause), i == 0);
    assert_int_equal(strncmp(cause.text, "the run is too long for a GLB file", 34) == 0, i == 1);
    free(result.bytes);
    trace_fixture_end(&trace);
  }
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_poses_read_back),
      cmocka_unit_test(test_nodes_are_the_skeleton),
      cmocka_unit_test(test_keys_are_the_frames),
      cmocka_unit_test(test_accessors_hold),
      cmocka_unit_test(test_several_characters),
      cmocka_unit_test(test_balls_come_when_they_are_thrown),
      cmocka_unit_test(test_a_large_level_has_all_its_triangles),
      cmocka_unit_test(test_times_that_floats_tell_apart),
  };
  return cmocka_run_group_tests(tests, record, end);
}
