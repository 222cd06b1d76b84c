// A rig keeps its file and gets an animation for each trace, however its nodes are written; broken rigs give errors
// that name the element. The rig is an export of the run itself, so that the animation must be the run to the
// millimetre.
#include "tests/unit/recorded_run.h"
#include "tests/unit/trace_fixture.h"

#include <cjson/cJSON.h>

#include "anim/motion/motion.h"
#include "scenes/export/export_rig.h"
#include "scenes/export/rig_file.h"

static const float FAR = 2e-4f; // m; tracks that move less than 0.1 mm are not written

// A GLB file as a tree and its buffer.
typedef struct Rig {
  cJSON *root;
  char *bytes;
  size_t size;
  char path[40];
} Rig;

static uint32_t number_at(const char *bytes) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

static cJSON *tree_of(const char *bytes, size_t size) {
  assert_true(size > 20 && memcmp(bytes, "glTF", 4) == 0);
  cJSON *root = cJSON_ParseWithLength(bytes + 20, number_at(bytes + 12));
  assert_non_null(root);
  return root;
}

static void begin_rig(Rig *rig, const RecordedRun *run) {
  Error error = {0};
  ExportResult result = {0};
  const ExportOptions options = {.pose = TRACE_POSE_OUTPUT};
  assert_true(export_glb(run->reader, run->def, &options, &result, &error));
  rig->root = tree_of(result.bytes, result.size);
  const size_t json = number_at(result.bytes + 12);
  rig->size = number_at(result.bytes + 20 + json);
  rig->bytes = malloc(rig->size);
  memcpy(rig->bytes, result.bytes + 28 + json, rig->size);
  free(result.bytes);
  small_file(rig->path);
  remove(rig->path);
  strcat(rig->path, ".glb");
}

// The rig as a file, again.
static void write_rig(const Rig *rig) {
  char *json = cJSON_PrintUnformatted(rig->root);
  const size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
  const uint32_t head[] = {0x46546c67, 2, (uint32_t)(28 + padded + rig->size), (uint32_t)padded, 0x4e4f534a};
  const uint32_t bin[] = {(uint32_t)rig->size, 0x004e4942};
  FILE *file = fopen(rig->path, "wb");
  assert_non_null(file);
  fwrite(head, 1, sizeof head, file);
  fprintf(file, "%-*s", (int)padded, json);
  fwrite(bin, 1, sizeof bin, file);
  fwrite(rig->bytes, 1, rig->size, file);
  assert_int_equal(fclose(file), 0);
  cJSON_free(json);
}

static void end_rig(Rig *rig) {
  remove(rig->path);
  cJSON_Delete(rig->root);
  free(rig->bytes);
}

static cJSON *member(const cJSON *object, const char *name) { return cJSON_GetObjectItemCaseSensitive(object, name); }

static bool export_on(const Rig *rig, const RecordedRun *run, int traces, ExportResult *result, Error *error) {
  const char *const paths[] = {run->path, run->path}, *const settings[] = {"impulse 60 N s", ""};
  const RigExport options = {.rig = rig->path, .pose = TRACE_POSE_OUTPUT};
  return export_rig(paths, settings, traces, &options, result, error);
}

// Exports onto the rig and compares the joints, as a user of the file would read them, with the trace. far: m.
static void check_motion(const Rig *rig, const RecordedRun *run, float far) {
  Error error = {0};
  ExportResult result = {0};
  if (!export_on(rig, run, 1, &result, &error))
    fail_msg("%s", error.text);
  char name[] = "rig.glb";
  const File file = {.name = name, .path = name, .bytes = result.bytes, .size = result.size};
  const MotionOptions as_written = {.unit = 1, .up_axis = 1, .front_axis = 2};
  Motion *back = motion_read(&file, &as_written, &error);
  TraceMotion *motion = trace_motion_read(run->reader, run->def, NULL, TRACE_POSE_OUTPUT, &error);
  if (!back || !motion) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  assert_int_equal(back->frame_count, motion->frame_count);
  vec3s want[SKELETON_MAX_JOINTS], got[MOTION_MAX_JOINTS];
  versors want_turn[SKELETON_MAX_JOINTS], got_turn[MOTION_MAX_JOINTS];
  for (int f = 0; f < back->frame_count; f += 7) {
    trace_motion_place(motion, f, want, want_turn);
    motion_place(back, f, got, got_turn);
    for (int j = 0; j < motion->joint_count; j++)
      for (int k = 0; k < back->joint_count; k++)
        if (strcmp(back->joints[k].name, motion->body->skeleton.names[j]) == 0) {
          assert_true(glms_vec3_distance(want[j], got[k]) < far);
          assert_true(quat_angle_between(want_turn[j], got_turn[k]) < 1e-3f);
        }
  }
  trace_motion_free(motion);
  motion_free(back);
  free(result.bytes);
}

static void test_the_file_is_the_rigs(void **state) {
  const RecordedRun *run = *state;
  Rig rig = {0};
  begin_rig(&rig, run);
  write_rig(&rig);
  Error error = {0};
  ExportResult result = {0}, again = {0};
  assert_true(export_on(&rig, run, 2, &result, &error) && export_on(&rig, run, 2, &again, &error));
  assert_int_equal(result.size, again.size);
  assert_memory_equal(result.bytes, again.bytes, result.size);
  cJSON *root = tree_of(result.bytes, result.size);
  static const char *const kept[] = {"nodes", "meshes", "materials", "scenes"};
  for (int i = 0; i < 4; i++)
    assert_true(cJSON_Compare(member(root, kept[i]), member(rig.root, kept[i]), true));

  // One animation for each trace in place of the rig's, named after it, with what a study has set.
  const cJSON *animations = member(root, "animations"), *first = animations->child, *second = first->next;
  assert_int_equal(cJSON_GetArraySize(animations), 2);
  assert_string_equal(member(first, "name")->valuestring, strrchr(run->path, '/') + 1);
  assert_string_equal(member(member(first, "extras"), "settings")->valuestring, "impulse 60 N s");
  assert_null(member(member(second, "extras"), "settings"));
  assert_string_equal(member(member(first, "extras"), "scene")->valuestring, run->def->name);
  assert_memory_equal(member(member(root, "asset"), "generator")->valuestring, "Stagger ", 8);
  // A channel for each joint that turns, and one that moves.
  int moves = 0, turns = 0;
  const cJSON *channel;
  cJSON_ArrayForEach(channel, member(first, "channels")) {
    const bool is_move = strcmp(member(member(channel, "target"), "path")->valuestring, "translation") == 0;
    moves += is_move;
    turns += !is_move;
  }
  assert_int_equal(moves, 1);
  assert_true(turns > 10 && turns <= run->def->characters[0].body->part_count);
  assert_non_null(strstr(result.contents, "2 animations of"));
  double off[4];
  const int told = sscanf(result.round_trip,
                          "read back through assimp: bones and feet turned within %lf deg of the body's; knees and "
                          "ankles, from the hips, within %lf mm; elbows and wrists, from the shoulders, within %lf mm; "
                          "heights of feet within %lf mm",
                          &off[0], &off[1], &off[2], &off[3]);
  assert_int_equal(told, 4);
  assert_true(off[0] < 1e-3 && off[1] < 0.01 && off[2] < 0.01 && off[3] < 0.01);
  cJSON_Delete(root);
  free(result.bytes);
  free(again.bytes);
  check_motion(&rig, run, FAR);
  end_rig(&rig);
}

static bool is_joint(const RecordedRun *run, const cJSON *node) {
  return skeleton_find(&run->def->characters[0].body->skeleton, member(node, "name")->valuestring) >= 0;
}

static void set_numbers(cJSON *node, const char *name, const float *values, int count) {
  cJSON_DeleteItemFromObject(node, name);
  cJSON_AddItemToObject(node, name, cJSON_CreateFloatArray(values, count));
}

static vec3s translation_of(const cJSON *node) {
  const cJSON *list = member(node, "translation");
  vec3s v = glms_vec3_zero();
  for (int i = 0; i < 3 && list; i++)
    v.raw[i] = (float)cJSON_GetArrayItem(list, i)->valuedouble;
  return v;
}

// Puts the joints below an armature that is turned and scaled, as many programs write it: bones in other units, the
// same figure. Returns the node of the root.
static int put_under_armature(Rig *rig, const RecordedRun *run, versors turn, float scale) {
  const versors back = glms_quat_conjugate(turn);
  const char *root_name = run->def->characters[0].body->skeleton.names[0];
  int root = -1, index = 0;
  cJSON *nodes = member(rig->root, "nodes"), *node;
  cJSON_ArrayForEach(node, nodes) {
    vec3s place = glms_vec3_scale(translation_of(node), 1 / scale);
    if (is_joint(run, node)) {
      if (strcmp(member(node, "name")->valuestring, root_name) == 0) {
        root = index;
        place = glms_quat_rotatev(back, place);
        set_numbers(node, "rotation", back.raw, 4);
      }
      set_numbers(node, "translation", place.raw, 3);
      // Its mesh keeps its size.
      const cJSON *child;
      cJSON_ArrayForEach(child, member(node, "children")) {
        cJSON *below = cJSON_GetArrayItem(nodes, child->valueint);
        if (!is_joint(run, below))
          set_numbers(below, "scale", (const float[3]){1 / scale, 1 / scale, 1 / scale}, 3);
      }
    }
    index++;
  }
  cJSON *armature = cJSON_CreateObject();
  cJSON_AddStringToObject(armature, "name", "Armature");
  set_numbers(armature, "rotation", turn.raw, 4);
  set_numbers(armature, "scale", (const float[3]){scale, scale, scale}, 3);
  cJSON_AddItemToObject(armature, "children", cJSON_CreateIntArray(&root, 1));
  cJSON_ArrayForEach(node, nodes) { // it takes the root's place
    cJSON *child;
    cJSON_ArrayForEach(child, member(node, "children")) {
      if (child->valueint == root)
        cJSON_SetNumberValue(child, index);
    }
  }
  cJSON_AddItemToArray(nodes, armature);
  return root;
}

static void test_a_scaled_armature(void **state) {
  const RecordedRun *run = *state;
  Rig rig = {0};
  begin_rig(&rig, run);
  const versors turn = quat_exp((vec3s){{-1.2f, 0.3f, 0.2f}}), back = glms_quat_conjugate(turn);
  const int root = put_under_armature(&rig, run, turn, 2);
  cJSON *nodes = member(rig.root, "nodes");
  write_rig(&rig);
  check_motion(&rig, run, FAR);

  // Nodes with matrices: those that move must not have one in the file that is written.
  const mat4s matrix =
      glms_mat4_mul(glms_translate_make(translation_of(cJSON_GetArrayItem(nodes, root))), glms_quat_mat4(back));
  cJSON_DeleteItemFromObject(cJSON_GetArrayItem(nodes, root), "translation");
  cJSON_DeleteItemFromObject(cJSON_GetArrayItem(nodes, root), "rotation");
  set_numbers(cJSON_GetArrayItem(nodes, root), "matrix", &matrix.raw[0][0], 16);
  write_rig(&rig);
  check_motion(&rig, run, FAR);
  Error error = {0};
  ExportResult result = {0};
  assert_true(export_on(&rig, run, 1, &result, &error));
  cJSON *written = tree_of(result.bytes, result.size);
  const cJSON *moved = cJSON_GetArrayItem(member(written, "nodes"), root);
  assert_null(member(moved, "matrix"));
  assert_non_null(member(moved, "translation"));
  cJSON_Delete(written);
  free(result.bytes);
  end_rig(&rig);
}

static void check_refused(const Rig *rig, const RecordedRun *run, const char *cause) {
  Error error = {0};
  ExportResult result = {0};
  write_rig(rig);
  assert_false(export_on(rig, run, 1, &result, &error));
  assert_null(result.bytes);
  if (!strstr(error.text, cause) || strncmp(error.text, rig->path, strlen(rig->path)) != 0)
    fail_msg("'%s' instead of '%s'", error.text, cause);
}

static void test_rigs_that_cannot_be_moved(void **state) {
  const RecordedRun *run = *state;
  Rig rig = {0};
  begin_rig(&rig, run);
  cJSON *node, *shin = NULL, *pelvis = NULL;
  cJSON_ArrayForEach(node, member(rig.root, "nodes")) {
    if (strcmp(member(node, "name")->valuestring, "shin_l") == 0)
      shin = node;
    if (strcmp(member(node, "name")->valuestring, "pelvis") == 0)
      pelvis = node;
  }
  set_numbers(pelvis, "scale", (const float[3]){1, 1, -1}, 3);
  check_refused(&rig, run, "its joint 'pelvis' has a scale with no length that makes sense");
  cJSON_DeleteItemFromObject(pelvis, "scale");
  set_numbers(shin, "scale", (const float[3]){-1, 1, 1}, 3);
  check_refused(&rig, run, "its joint 'shin_l' has a scale with no length that makes sense: it is mirrored or flat");
  // Without meaning names, and without its place in the figure.
  cJSON_DeleteItemFromObject(shin, "scale");
  cJSON_DeleteItemFromObject(shin, "children");
  cJSON_SetValuestring(member(shin, "name"), "part_42");
  check_refused(&rig, run, "no joint was found for our 'shin_l'; name it in 'joints: {shin_l: ...}'");
  end_rig(&rig);
}

// Without assimp: what is wrong with the file itself.
static void test_broken_files(void **state) {
  (void)state;
  static const struct {
    const char *text, *cause;
  } files[] = {
      {"{}", "is not of a known format: a rig is a file of glTF, version 2"},
      {"{\"asset\":{\"version\":\"1.0\"}}", "is not of a known format: a rig is a file of glTF, version 2"},
      {"glTF\1", "is not of a known format: a rig is a file of glTF, version 2"},
      {"glTF\2\0\0\0\100\0\0\0\377\0\0\0JSON{}", "is cut short: its description has no end"},
      {"{\"asset\":{\"version\":\"2.0\"}}", "has 0 nodes, allowed are 1 to 65536"},
      {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":4}],\"nodes\":[{}]}",
       "'a.bin' is not in the file's own buffer"},
      {"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"data:x;base64,AAAA\",\"byteLength\":4}],\"nodes\":[{}]"
       "}",
       "is cut short: its first buffer is shorter than it says"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}",
       "broken file: its nodes are no tree of finite places"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[1]}]}",
       "broken file: its nodes are no tree of finite places"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1],\"scale\":[1e30,1,1]},{\"scale\":[1e30,1,1]}]}",
       "broken file: its nodes are no tree of finite places"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[7]}]}",
       "broken file: its nodes are no tree of finite places"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{\"rotation\":[0,0,0,0]}]}", "node 1: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"rotation\":[0,1e30,0,1]}]}", "node 0: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"rotation\":[0,0,0,1.11]}]}", "node 0: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"rotation\":[0,0,0,0.89]}]}", "node 0: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[0,1e20,0]}]}",
       "broken file: its nodes are no tree of finite places"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[0,1e300,0]}]}", "node 0: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[1,1]}]}", "node 0: its place must be"},
      {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1]}]}",
       "node 0: its place must be"},
  };
  char name[] = "a.gltf";
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char bytes[256] = "";
    memcpy(bytes, files[i].text, i == 3 ? 22 : strlen(files[i].text));
    const File file = {.name = name, .path = name, .bytes = bytes, .size = i == 3 ? 22 : strlen(files[i].text)};
    RigFile rig;
    Error error = {0};
    assert_false(rig_file_read(&rig, &file, &error));
    if (!strstr(error.text, files[i].cause) || strncmp(error.text, "a.gltf: ", 8) != 0)
      fail_msg("%zu: '%s' instead of '%s'", i, error.text, files[i].cause);
    rig_file_free(&rig);
  }
  // What is embedded becomes the buffer; parents may stand behind their children.
  char good[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"data:x;base64,AAH/gA==\",\"byteLength\":4}],"
                "\"nodes\":[{\"name\":\"b\",\"translation\":[0,1,0]},{\"children\":[0],\"scale\":[2,2,2],"
                "\"rotation\":[0.77,0,0,0.77]}]}";
  const File file = {.name = name, .path = name, .bytes = good, .size = strlen(good)};
  RigFile rig;
  Error error = {0};
  assert_true(rig_file_read(&rig, &file, &error));
  assert_int_equal(rig.size, 4);
  assert_memory_equal(rig.bytes, "\0\1\377\200", 4);
  assert_int_equal(rig.nodes[0].parent, 1);
  const vec3s at = glms_vec3(rig.nodes[0].world.col[3]);
  assert_true(glms_vec3_distance(at, (vec3s){{0, 0, 2}}) < 1e-5f);
  assert_float_equal(rig.nodes[0].world_scale.y, 2, 1e-6);
  rig_file_free(&rig);
}

// A file with some bytes changed at random is read, with finite places, or refused with an error.
static void test_edited_files(void **state) {
  (void)state;
  static const char TEXT[] =
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"data:x;base64,AAH/gA==\",\"byteLength\":4}],\"nodes\":["
      "{\"name\":\"a\",\"children\":[1,2],\"scale\":[2,2,2]},{\"translation\":[0,1,0]},{\"children\":[3],\"matrix\":"
      "[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]},{\"rotation\":[0,0,1,0]}]}";
  static const char BYTES[] = "0123456789-.e,:[]{}\" ax";
  char name[] = "a.gltf", bytes[sizeof TEXT];
  uint32_t random = 1;
  int read = 0;
  enum { EDITS = 20000 };
  for (int i = 0; i < EDITS; i++) {
    memcpy(bytes, TEXT, sizeof TEXT);
    for (int k = 0; k <= i % 3; k++) {
      random = random * 1664525 + 1013904223;
      bytes[(random >> 8) % (sizeof TEXT - 1)] = BYTES[(random >> 24) % (sizeof BYTES - 1)];
    }
    const size_t size = i % 7 == 0 ? (random >> 4) % sizeof TEXT : sizeof TEXT - 1;
    const File file = {.name = name, .path = name, .bytes = bytes, .size = size};
    RigFile rig;
    Error error = {0};
    const bool good = rig_file_read(&rig, &file, &error);
    assert_int_equal(good, error.text[0] == '\0');
    for (int n = 0; good && n < rig.count; n++)
      assert_true(isfinite(glms_vec3_norm(glms_vec3(rig.nodes[n].world.col[3]))) && rig.nodes[n].parent < rig.count);
    read += good;
    rig_file_free(&rig);
  }
  assert_true(read > EDITS / 50 && read < EDITS);
}

// ---- Tracks ----

// Fifteen frames of a man who stands, but in one of them `way` m ahead, with his head turned by `turn` rad.
static void record_standing(RecordedRun *run, int frame, double way, double turn) {
  enum { FRAMES = 15 };
  TraceFixture trace;
  char path[128];
  *run = (RecordedRun){.def = trace_fixture_def("stand")};
  const CharacterDef *man = &run->def->characters[0];
  const int joints = man->body->skeleton.count, head = skeleton_find(&man->body->skeleton, "head");
  static const char *const names[] = {"root_position", "root_rotation", "rotation"};
  const int rows[] = {3, 4, joints - 1}, widths[] = {0, 0, 4};
  int channels[3];
  Error error = {0};
  const TraceInfo info = scene_trace_info(run->def);
  trace = (TraceFixture){.reader = NULL};
  small_file(trace.path);
  trace.writer = trace_create(trace.path, &info, &error);
  trace_check(&error);
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "/characters/%s/pose/output/%s", man->name, names[i]);
    channels[i] = trace_fixture_channel(&trace, path, TRACE_FLOAT32, rows[i], widths[i], "", NULL);
  }
  for (int f = 0; f < FRAMES; f++) {
    float *root = trace_row(trace.writer, channels[0]), *turns = trace_row(trace.writer, channels[2]);
    const bool is_moved = f == frame;
    memcpy(root, man->body->skeleton.bind_position_l[0].raw, 3 * sizeof *root);
    root[2] += is_moved ? (float)way : 0;
    ((float *)trace_row(trace.writer, channels[1]))[3] = 1;
    for (int j = 1; j < joints; j++) {
      turns[4 * (j - 1) + 1] = is_moved && j == head ? (float)sin(turn / 2) : 0;
      turns[4 * (j - 1) + 3] = is_moved && j == head ? (float)cos(turn / 2) : 1;
    }
    trace_end_frame(trace.writer, f / info.frame_rate);
  }
  trace_fixture_read(&trace);
  memcpy(run->path, trace.path, sizeof run->path);
  run->reader = trace.reader;
}

// The number of keys of a track, 0: there is none.
static int keys_of(const cJSON *root, const char *joint, const char *path) {
  const cJSON *animation = member(root, "animations")->child, *channel;
  cJSON_ArrayForEach(channel, member(animation, "channels")) {
    const cJSON *target = member(channel, "target");
    const cJSON *node = cJSON_GetArrayItem(member(root, "nodes"), member(target, "node")->valueint);
    if (strcmp(member(target, "path")->valuestring, path) != 0 || strcmp(member(node, "name")->valuestring, joint) != 0)
      continue;
    const cJSON *sampler = cJSON_GetArrayItem(member(animation, "samplers"), member(channel, "sampler")->valueint);
    return member(cJSON_GetArrayItem(member(root, "accessors"), member(sampler, "output")->valueint), "count")
        ->valueint;
  }
  return 0;
}

// A joint that moves and comes back, or begins elsewhere, has a key for each frame; what moves by less than 0.1 mm of
// the world, or turns by less than 2e-4 rad, has none.
static void test_what_comes_back_has_its_keys(void **state) {
  (void)state;
  static const struct {
    int frame;
    double way, turn; // m, rad
    float scale;      // of the armature
    int root_keys, head_keys;
  } cases[] = {{7, 0.05, 0, 1, 15, 0},       {7, 0, 0.3, 1, 0, 15},         {7, 0.05, 0.3, 1, 15, 15},
               {0, 0.05, 0.3, 1, 15, 15},    {7, 5e-5, 1e-4, 1, 0, 0},      {7, 1.5e-4, 4e-4, 1, 15, 15},
               {7, 1.5e-4, 4e-4, 8, 15, 15}, {7, 5e-5, 4e-4, 0.125f, 0, 15}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RecordedRun run;
    Rig rig = {0};
    Error error = {0};
    ExportResult result = {0};
    record_standing(&run, cases[i].frame, cases[i].way, cases[i].turn);
    begin_rig(&rig, &run);
    if (cases[i].scale != 1)
      put_under_armature(&rig, &run, glms_quat_identity(), cases[i].scale);
    write_rig(&rig);
    if (cases[i].root_keys > 0 && cases[i].head_keys > 0) // otherwise nobody takes it for a figure's
      check_motion(&rig, &run, FAR);
    if (!export_on(&rig, &run, 1, &result, &error))
      fail_msg("%s", error.text);
    cJSON *root = tree_of(result.bytes, result.size);
    const char *pelvis = run.def->characters[0].body->skeleton.names[0];
    assert_int_equal(keys_of(root, pelvis, "translation"), cases[i].root_keys);
    assert_int_equal(keys_of(root, pelvis, "rotation"), 0);
    assert_int_equal(keys_of(root, "head", "rotation"), cases[i].head_keys);
    assert_int_equal(keys_of(root, "chest", "rotation"), 0);
    cJSON_Delete(root);
    free(result.bytes);
    end_rig(&rig);
    recorded_run_end(&run);
  }
}

static int record(void **state) {
  static RecordedRun run;
  recorded_run(&run, "hit_run", "duration=1.5");
  *state = &run;
  return 0;
}

static int end(void **state) {
  recorded_run_end(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_file_is_the_rigs),
      cmocka_unit_test(test_a_scaled_armature),
      cmocka_unit_test(test_rigs_that_cannot_be_moved),
      cmocka_unit_test(test_broken_files),
      cmocka_unit_test(test_edited_files),
      cmocka_unit_test(test_what_comes_back_has_its_keys),
  };
  return cmocka_run_group_tests(tests, record, end);
}
