// Motion files: how the reader treats units, axes, channel orders, rest poses and broken files.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "anim/motion/motion_internal.h"
#include "anim/pose.h"

static const char MODELS[] = "/usr/share/assimp/models";

static Motion *read_bytes(const char *name, const char *text, size_t size, MotionOptions options, Error *error) {
  char path[64], *bytes = malloc(size + 1);
  assert_non_null(bytes);
  memcpy(bytes, text, size);
  bytes[size] = '\0';
  snprintf(path, sizeof path, "%s", name);
  const File file = {.name = path, .path = path, .bytes = bytes, .size = size};
  Motion *motion = motion_read(&file, &options, error);
  free(bytes);
  assert_true((!motion) == (error->text[0] != '\0'));
  return motion;
}

static Motion *read_text(const char *name, const char *text, MotionOptions options) {
  Error error = {0};
  Motion *motion = read_bytes(name, text, strlen(text), options, &error);
  if (!motion) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  return motion;
}

static const MotionOptions AS_IT_IS = {.unit = 1, .up_axis = 1, .front_axis = 2};

static int find(const Motion *motion, const char *name) {
  for (int j = 0; j < motion->joint_count; j++)
    if (strcmp(motion->joints[j].name, name) == 0)
      return j;
  fail_msg("no joint %s", name);
  return -1;
}

static vec3s place_of(const Motion *motion, int frame, const char *joint) {
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  if (frame < 0)
    motion_place_bind(motion, positions, rotations);
  else
    motion_place(motion, frame, positions, rotations);
  return positions[find(motion, joint)];
}

static void assert_close(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.9g, wanted %.9g", value, wanted);
}

static void assert_near(vec3s a, float x, float y, float z, float tolerance) {
  if (!(glms_vec3_distance(a, (vec3s){{x, y, z}}) <= tolerance))
    fail_msg("at %g %g %g, wanted %g %g %g", (double)a.x, (double)a.y, (double)a.z, (double)x, (double)y, (double)z);
}

// ---- A figure of 1.73 m in any unit and axes ----

typedef struct Figurine {
  double scale;    // units per m
  int axes[3];     // the file's axis of our X, Y, Z, 1-based, negative: the other way
  bool rest_first; // the rest pose comes before the first frame
  const char *newline;
  int said_frames; // after "Frames:"; 0: the true number
} Figurine;

enum { FIGURINE_FRAMES = 30 };

typedef struct Buffer {
  char bytes[1 << 16];
  size_t length;
} Buffer;

static void put(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  buffer->length +=
      (size_t)vsnprintf(buffer->bytes + buffer->length, sizeof buffer->bytes - buffer->length, format, arguments);
  va_end(arguments);
  assert_true(buffer->length < sizeof buffer->bytes);
}

static void put_vector(Buffer *buffer, const Figurine *figurine, double x, double y, double z) {
  const double ours[3] = {x, y, z};
  double theirs[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    theirs[abs(figurine->axes[i]) - 1] = ours[i] * (figurine->axes[i] < 0 ? -1 : 1) * figurine->scale;
  put(buffer, "%.9g %.9g %.9g", theirs[0], theirs[1], theirs[2]);
}

static const struct {
  const char *name;
  int depth;
  double offset[3];
} BONES[] = {{"Hips", 0, {0, 0, 0}},         {"LeftUpLeg", 1, {0.08, 0, 0}},   {"LeftLeg", 2, {0, -0.40, 0}},
             {"LeftFoot", 3, {0, -0.40, 0}}, {"LeftToe", 4, {0, -0.05, 0.15}}, {"RightUpLeg", 1, {-0.08, 0, 0}},
             {"RightLeg", 2, {0, -0.40, 0}}, {"RightFoot", 3, {0, -0.40, 0}},  {"RightToe", 4, {0, -0.05, 0.15}},
             {"Spine", 1, {0, 0.25, 0}},     {"Neck", 2, {0, 0.25, 0}},        {"Head", 3, {0, 0.07, 0}},
             {"LeftArm", 2, {0.18, 0.2, 0}}, {"LeftHand", 3, {0.5, 0, 0}},     {"RightArm", 2, {-0.18, 0.2, 0}},
             {"RightHand", 3, {-0.5, 0, 0}}};
enum { BONE_COUNT = sizeof BONES / sizeof BONES[0] };

// It walks 0.1 m forward in each frame, both knees turned by 20 deg about the file's first axis.
static void write_figurine(Buffer *buffer, const Figurine *figurine) {
  const char *newline = figurine->newline ? figurine->newline : "\n";
  buffer->length = 0;
  put(buffer, "HIERARCHY%s", newline);
  int depth = 0;
  for (int b = 0; b < BONE_COUNT; b++) {
    for (; depth > BONES[b].depth; depth--)
      put(buffer, "}%s", newline);
    put(buffer, "%s %s%s{%sOFFSET ", b == 0 ? "ROOT" : "JOINT", BONES[b].name, newline, newline);
    put_vector(buffer, figurine, BONES[b].offset[0], BONES[b].offset[1], BONES[b].offset[2]);
    put(buffer, "%sCHANNELS %s%s", newline,
        b == 0 ? "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation" : "3 Xrotation Yrotation Zrotation",
        newline);
    depth = BONES[b].depth + 1;
  }
  for (; depth > 0; depth--)
    put(buffer, "}%s", newline);
  const int frames = FIGURINE_FRAMES + (figurine->rest_first ? 1 : 0);
  put(buffer, "MOTION%sFrames: %d%sFrame Time: 0.0333333%s", newline,
      figurine->said_frames != 0 ? figurine->said_frames : frames, newline, newline);
  for (int f = 0; f < frames; f++) {
    const bool is_rest = figurine->rest_first && f == 0;
    put_vector(buffer, figurine, 0, 0.85, is_rest ? 0 : 0.1 * f);
    put(buffer, " 0 0 0");
    for (int b = 1; b < BONE_COUNT; b++)
      put(buffer, " %d 0 0", !is_rest && strstr(BONES[b].name, "Leg") ? 20 : 0);
    put(buffer, "%s", newline);
  }
}

static const Figurine PLAIN = {.scale = 1, .axes = {1, 2, 3}};

static Motion *read_figurine(const Figurine *figurine) {
  static Buffer buffer;
  write_figurine(&buffer, figurine);
  return read_text("figurine.bvh", buffer.bytes, motion_options_default());
}

// The unit is derived from the height of the figure.
static void test_units(void **state) {
  (void)state;
  static const struct {
    double per_metre, unit;
  } cases[] = {{1, 1}, {100, 0.01}, {1 / 0.0254, 0.0254}, {0.45 / 0.0254, 0.0254 / 0.45}, {1000, 0.001}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Figurine figurine = PLAIN;
    figurine.scale = cases[i].per_metre;
    Motion *motion = read_figurine(&figurine);
    assert_close(motion->found.unit, cases[i].unit, 1e-9);
    assert_int_equal(motion->frame_count, FIGURINE_FRAMES);
    assert_close(motion->frame_rate, 30, 0);
    assert_near(place_of(motion, 0, "Head"), 0, 1.42f, 0, 1e-4f);
    assert_near(place_of(motion, 5, "Hips"), 0, 0.85f, 0.5f, 1e-4f);
    assert_string_equal(motion->warnings, "");
    motion_free(motion);
  }
}

// A figure that is much smaller or larger than any unit allows is scaled to 1.7 m; one with a given unit is kept.
static void test_odd_unit(void **state) {
  (void)state;
  Figurine figurine = PLAIN;
  figurine.scale = 7e-5;
  Motion *motion = read_figurine(&figurine);
  assert_close(motion_stature(motion), 1.7, 1e-3);
  assert_non_null(strstr(motion->warnings, "No known unit"));
  motion_free(motion);

  static Buffer buffer;
  write_figurine(&buffer, &figurine);
  MotionOptions options = motion_options_default();
  options.unit = 2;
  motion = read_text("figurine.bvh", buffer.bytes, options);
  assert_close(motion->found.unit, 2, 0);
  assert_string_equal(motion->unit_reason, "given");
  assert_near(place_of(motion, 0, "Hips"), 0, 2 * 0.85f * 7e-5f, 0, 1e-6f);
  motion_free(motion);
}

// For any axes of the file, the figure stands along Y, faces +Z, has its left at +X, and walks forward.
static void test_axes(void **state) {
  (void)state;
  static const struct {
    int axes[3], up, front;
  } cases[] = {{{1, 2, 3}, 1, 2},  {{-1, 2, -3}, 1, 5}, {{-3, 2, 1}, 1, 0}, {{3, 2, -1}, 1, 3},
               {{1, 3, -2}, 2, 4}, {{-1, 3, 2}, 2, 1},  {{2, 3, 1}, 2, 0},  {{3, 1, 2}, 0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Figurine figurine = PLAIN;
    figurine.scale = 100;
    memcpy(figurine.axes, cases[i].axes, sizeof figurine.axes);
    Motion *motion = read_figurine(&figurine);
    assert_int_equal(motion->found.up_axis, cases[i].up);
    assert_int_equal(motion->found.front_axis, cases[i].front);
    assert_near(place_of(motion, -1, "LeftHand"), 0.68f, 0.45f, 0, 1e-4f);
    assert_near(place_of(motion, -1, "RightToe"), -0.08f, -0.85f, 0.15f, 1e-4f);
    assert_near(place_of(motion, 9, "Hips"), 0, 0.85f, 0.9f, 1e-4f);
    motion_free(motion);
  }
}

// The rotations of BVH apply in the order of their channels, the first outermost.
static void test_channel_orders(void **state) {
  (void)state;
  static const struct {
    const char *order;
    vec3s tip; // of (0, 1, 0), turned by 90 deg about both of the first two axes
  } cases[] = {{"Zrotation Xrotation Yrotation", {{0, 0, 1}}}, // Rz Rx
               {"Xrotation Zrotation Yrotation", {{-1, 0, 0}}},
               {"Yrotation Xrotation Zrotation", {{1, 0, 0}}},
               {"Xrotation Yrotation Zrotation", {{0, 0, 1}}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition %s\n"
        "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 0.5 0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.01\n1 2 3 90 90 0 0 0 0\n1 2 3 90 90 0 0 0 0\n",
        cases[i].order);
    Motion *motion = read_text("orders.bvh", text, AS_IT_IS);
    assert_int_equal(motion->joint_count, 3);
    const vec3s tip = cases[i].tip;
    assert_near(place_of(motion, 1, "a"), 1, 2, 3, 1e-6f);
    assert_near(place_of(motion, 1, "b"), 1 + tip.x, 2 + tip.y, 3 + tip.z, 1e-5f);
    assert_near(place_of(motion, 1, "EndSite_b"), 1 + 1.5f * tip.x, 2 + 1.5f * tip.y, 3 + 1.5f * tip.z, 1e-5f);
    motion_free(motion);
  }
}

// Position channels of a joint replace its offset.
static void test_positions_everywhere(void **state) {
  (void)state;
  Motion *motion = read_text("positions.bvh",
                             "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n"
                             "CHANNELS 6 Zposition Yposition Xposition Zrotation Xrotation Yrotation\nJOINT b\n{\n"
                             "OFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\n"
                             "End Site\n{\nOFFSET 0 0 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n"
                             "1 2 3 0 0 0 0 1 0 0 0 0\n1 2 3 0 0 0 0.5 1.5 0 0 0 0\n",
                             AS_IT_IS);
  assert_int_equal(motion->joint_count, 2); // an End Site of length zero is none
  assert_near(place_of(motion, 0, "b"), 3, 3, 1, 1e-6f);
  assert_near(place_of(motion, 1, "b"), 3.5f, 3.5f, 1, 1e-6f);
  assert_near(place_of(motion, -1, "b"), 0, 1, 0, 1e-6f);
  motion_free(motion);
}

static void test_rest_frame_dropped(void **state) {
  (void)state;
  Figurine figurine = PLAIN;
  figurine.rest_first = true;
  Motion *motion = read_figurine(&figurine);
  assert_int_equal(motion->frame_count, FIGURINE_FRAMES);
  assert_near(place_of(motion, 0, "Hips"), 0, 0.85f, 0.1f, 1e-5f);
  assert_non_null(strstr(motion->warnings, "first frame is a reference pose"));
  motion_free(motion);
}

static void test_newlines(void **state) {
  (void)state;
  Figurine figurine = PLAIN;
  Motion *unix_lines = read_figurine(&figurine);
  figurine.newline = "\r\n";
  Motion *dos_lines = read_figurine(&figurine);
  const size_t samples = (size_t)unix_lines->frame_count * (size_t)unix_lines->joint_count;
  assert_int_equal(unix_lines->frame_count, dos_lines->frame_count);
  assert_int_equal(unix_lines->joint_count, dos_lines->joint_count);
  assert_memory_equal(unix_lines->position_l, dos_lines->position_l, samples * sizeof(vec3s));
  assert_memory_equal(unix_lines->rotation_l, dos_lines->rotation_l, samples * sizeof(versors));
  motion_free(unix_lines);
  motion_free(dos_lines);
}

static void test_wrong_frame_counts(void **state) {
  (void)state;
  static const int said[] = {1, FIGURINE_FRAMES - 1, FIGURINE_FRAMES + 7, 2000000000, -5};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
    Figurine figurine = PLAIN;
    figurine.said_frames = said[i];
    Motion *motion = read_figurine(&figurine);
    assert_int_equal(motion->frame_count, FIGURINE_FRAMES);
    assert_non_null(strstr(motion->warnings, "there are 30"));
    motion_free(motion);
  }
}

// ---- glTF, made here ----

static void put_base64(Buffer *buffer, const void *bytes, size_t size) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  for (size_t i = 0; i < size; i += 3) {
    unsigned char three[3] = {0};
    memcpy(three, b + i, size - i < 3 ? size - i : 3);
    const unsigned word = (unsigned)three[0] << 16 | (unsigned)three[1] << 8 | three[2];
    put(buffer, "%c%c%c%c", letters[word >> 18], letters[word >> 12 & 63], i + 1 < size ? letters[word >> 6 & 63] : '=',
        i + 2 < size ? letters[word & 63] : '=');
  }
}

// Two joints under a node of the given scale, in cm; the animation "turn" turns the upper one by 90 deg about z from 0
// to 0.25 s and holds it until 1 s, "still" does nothing for 0.5 s.
static void write_gltf(Buffer *buffer, const char *scale, float poison) {
  const float h = sqrtf(0.5f);
  const float data[] = {0, 0.25f, 1, 0, 0.5f, 0, 0, 0, 1, 0, 0, h, h, 0, 0, h, h, 0, 0, poison, 1, 0, 0, 0, 1};
  buffer->length = 0;
  put(buffer,
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
      "{\"name\":\"Armature\",\"scale\":%s,\"children\":[1]},"
      "{\"name\":\"hip\",\"translation\":[0,100,0],\"children\":[2]},"
      "{\"name\":\"knee\",\"translation\":[0,-40,0]}],\"buffers\":[{\"byteLength\":%zu,"
      "\"uri\":\"data:application/octet-stream;base64,",
      scale, sizeof data);
  put_base64(buffer, data, sizeof data);
  put(buffer,
      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu}],\"accessors\":["
      "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
      "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
      "{\"bufferView\":0,\"byteOffset\":20,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
      "{\"bufferView\":0,\"byteOffset\":68,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],"
      "\"animations\":[{\"name\":\"turn\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":"
      "\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":2}]},{\"name\":\"rig|still\",\"channels\":"
      "[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
      "\"samplers\":[{\"input\":1,\"output\":3}]}]}",
      sizeof data);
}

static void test_gltf(void **state) {
  (void)state;
  static Buffer buffer;
  write_gltf(&buffer, "[0.01,0.01,0.01]", 0);
  Motion *motion = read_text("two.gltf", buffer.bytes, AS_IT_IS);
  assert_string_equal(motion->name, "turn");
  assert_int_equal(motion->joint_count, 2);
  assert_close(motion->frame_rate, 24, 1e-6); // a multiple of the keys' own
  assert_int_equal(motion->frame_count, 25);
  // The scale of the node above applies to the positions: 1 m and 0.4 m. Between keys rotations are slerped.
  assert_near(place_of(motion, 0, "knee"), 0, 0.6f, 0, 1e-5f);
  const float c = 0.4f * cosf((float)M_PI / 4);
  assert_near(place_of(motion, 3, "knee"), c, 1 - c, 0, 1e-5f);
  assert_near(place_of(motion, 6, "knee"), 0.4f, 1, 0, 1e-5f);
  assert_near(place_of(motion, 24, "knee"), 0.4f, 1, 0, 1e-5f);
  assert_string_equal(motion->warnings, "");
  motion_free(motion);

  MotionOptions options = AS_IT_IS;
  snprintf(options.animation, sizeof options.animation, "still");
  motion = read_text("two.gltf", buffer.bytes, options);
  assert_string_equal(motion->name, "rig|still");
  assert_near(place_of(motion, 0, "knee"), 0, 0.6f, 0, 1e-5f);
  motion_free(motion);

  Error error = {0};
  snprintf(options.animation, sizeof options.animation, "dance");
  assert_null(read_bytes("two.gltf", buffer.bytes, buffer.length, options, &error));
  assert_string_equal(error.text, "two.gltf: no animation 'dance', there are: turn, still");

  char name[] = "two.gltf", names[4][MOTION_NAME_SIZE];
  const File file = {.name = name, .path = name, .bytes = buffer.bytes, .size = buffer.length};
  assert_int_equal(motion_list(&file, names, 4, NULL), 2);
  assert_string_equal(names[0], "turn");
  assert_string_equal(names[1], "rig|still");
}

// A hip that moves and turns, the one from 0 to 0.5 s and the other from 0.25 to 0.75 s.
static void write_late_keys(Buffer *buffer, bool turns_late) {
  const float h = sqrtf(0.5f);
  const float data[] = {0, 0.5f, 0.25f, 0.75f, 0, 0, 0, 1, 0, 0, h, h, 0, 1, 0, 0, 1, 0.5f};
  const int late = turns_late;
  buffer->length = 0;
  put(buffer,
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
      "{\"name\":\"hip\",\"translation\":[0,1,0],\"children\":[1]},"
      "{\"name\":\"knee\",\"translation\":[0,-0.4,0]}],\"buffers\":[{\"byteLength\":%zu,"
      "\"uri\":\"data:application/octet-stream;base64,",
      sizeof data);
  put_base64(buffer, data, sizeof data);
  put(buffer,
      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu}],\"accessors\":["
      "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
      "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
      "{\"bufferView\":0,\"byteOffset\":16,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
      "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
      "\"animations\":[{\"name\":\"step\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
      "\"rotation\"}},{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
      "\"samplers\":[{\"input\":%d,\"output\":2},{\"input\":%d,\"output\":3}]}]}",
      sizeof data, late, 1 - late);
}

// The motion lasts from the first of all keys to the last one; before its own first key a channel is as in that.
static void test_channels_that_begin_and_end_by_turns(void **state) {
  (void)state;
  static Buffer buffer;
  for (int late = 0; late < 2; late++) {
    write_late_keys(&buffer, late == 1);
    Motion *motion = read_text("late.gltf", buffer.bytes, AS_IT_IS);
    assert_close((motion->frame_count - 1) / motion->frame_rate, 0.75, 1e-6);
    const int middle = (motion->frame_count - 1) / 3, last = motion->frame_count - 1; // 0.25 s
    assert_near(place_of(motion, 0, "hip"), 0, 1, 0, 1e-5f);
    assert_near(place_of(motion, middle, "hip"), 0, 1, late == 1 ? 0.25f : 0, 1e-5f);
    assert_near(place_of(motion, last, "hip"), 0, 1, 0.5f, 1e-5f);
    const float angle = late == 1 ? 0 : (float)M_PI / 4;
    assert_near(place_of(motion, middle, "knee"), 0.4f * sinf(angle), 1 - 0.4f * cosf(angle), late == 1 ? 0.25f : 0,
                1e-5f);
    assert_near(place_of(motion, last, "knee"), 0.4f, 1, 0.5f, 1e-5f);
    motion_free(motion);
  }
}

static void test_uneven_scale_is_reported(void **state) {
  (void)state;
  static Buffer buffer;
  write_gltf(&buffer, "[0.01,0.02,0.01]", 0);
  Motion *motion = read_text("two.gltf", buffer.bytes, AS_IT_IS);
  assert_near(place_of(motion, 0, "hip"), 0, 2, 0, 1e-5f);
  assert_non_null(strstr(motion->warnings, "scaled unevenly"));
  motion_free(motion);
}

static void test_nan_key(void **state) {
  (void)state;
  static Buffer buffer;
  Error error = {0};
  write_gltf(&buffer, "[1,1,1]", NAN);
  MotionOptions options = AS_IT_IS;
  snprintf(options.animation, sizeof options.animation, "still");
  assert_null(read_bytes("two.gltf", buffer.bytes, buffer.length, options, &error));
  assert_string_equal(error.text, "two.gltf: key 1 of 'knee' is not finite");
}

// A skinned bone whose node lies on its side in the file's rest pose: the skin stores its bind pose. The mesh has the
// name of a bone, and there is a camera.
static void test_skin(void **state) {
  (void)state;
  static Buffer buffer;
  const float h = sqrtf(0.5f), s30 = sinf((float)M_PI / 12), c30 = cosf((float)M_PI / 12);
  struct {
    float inverse_bind[2][16], places[9];
    unsigned char joints[12];
    float weights[12], times[2], turns[8];
  } data = {.inverse_bind = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
                             {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1}},
            .places = {0, 0, 0, 1, 0, 0, 0, 1, 0},
            .joints = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
            .weights = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
            .times = {0, 1},
            .turns = {0, 0, s30, c30, 0, 0, h, h}};
  buffer.length = 0;
  put(&buffer,
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
      "{\"name\":\"top\",\"children\":[1,2,4]},{\"name\":\"b\",\"mesh\":0,\"skin\":0},"
      "{\"name\":\"a\",\"translation\":[0,1,0],\"rotation\":[0,0,%.9g,%.9g],\"children\":[3]},"
      "{\"name\":\"b\",\"translation\":[0,1,0]},{\"name\":\"eye\",\"camera\":0}],"
      "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":0.1}}],"
      "\"skins\":[{\"joints\":[2,3],\"inverseBindMatrices\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
      "{\"POSITION\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}],\"buffers\":[{\"byteLength\":%zu,"
      "\"uri\":\"data:application/octet-stream;base64,",
      (double)h, (double)h, sizeof data);
  put_base64(&buffer, &data, sizeof data);
  put(&buffer, "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"accessors\":[", sizeof data);
  static const struct {
    int offset, component, count;
    const char *type;
  } accessors[] = {{0, 5126, 2, "MAT4"},   {128, 5126, 3, "VEC3"},   {164, 5121, 3, "VEC4"},
                   {176, 5126, 3, "VEC4"}, {224, 5126, 2, "SCALAR"}, {232, 5126, 2, "VEC4"}};
  for (int i = 0; i < 6; i++)
    put(&buffer, "%s{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"}",
        i > 0 ? "," : "", accessors[i].offset, accessors[i].component, accessors[i].count, accessors[i].type);
  put(&buffer, "],\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
               "\"samplers\":[{\"input\":4,\"output\":5}]}]}");
  Motion *motion = read_text("skin.gltf", buffer.bytes, AS_IT_IS);
  assert_int_equal(motion->joint_count, 2);
  assert_near(place_of(motion, -1, "b"), 0, 2, 0, 1e-5f);
  assert_near(place_of(motion, 0, "b"), -0.5f, 1 + sqrtf(0.75f), 0, 1e-5f);
  assert_near(place_of(motion, motion->frame_count - 1, "b"), -1, 1, 0, 1e-5f);
  motion_free(motion);
}

// ---- Broken files ----

static void test_broken_files(void **state) {
  (void)state;
#define HEAD "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\n"
  static const struct {
    const char *name, *text, *error; // error: its beginning
  } cases[] = {
      {"a.bvh", "", "a.bvh: the file is empty"},
      {"a.yaml", "name: a",
       "a.yaml: is no motion file by its ending, allowed are .bvh, .fbx, .gltf, .glb, .vrm, .vrma, .dae, .json and "
       ".npz"},
      {"a", "x", "a: is no motion file by its ending"},
      {"a.bvh", "hello", "a.bvh: not a whole BVH file: 'Frames:' or 'Frame Time:' is missing"},
      {"a.bvh", HEAD "Frames: 2\n", "a.bvh: not a whole BVH file"},
      {"a.bvh", HEAD "Frames: 2\nFrame Time: 0.1\n", "a.bvh: has no whole frame of numbers"},
      {"a.bvh", HEAD "Frames: 2\nFrame Time: 0.1\n1 2", "a.bvh: has no whole frame of numbers"},
      {"a.bvh", HEAD "Frames: 1\nFrame Time: 0.1\n1 x 3", "a.bvh: "},
      {"a.bvh", HEAD "Frames: 2\nFrame Time: 0\n1 2 3 1 2 3", "a.bvh: "},
      {"a.bvh", "HIERARCHY\nROOT a\n{\nFrames: 1\nFrame Time: 1\n1", "a.bvh: not a BVH file: it has no channels"},
      {"a.bvh", "CHANNELS 99999999\nFrames: 1\nFrame Time: 1\n1", "a.bvh: not a BVH file: it has no channels, or too"},
      {"a.fbx", "hello", "a.fbx: cannot be read: "},
      {"a.glb", "hello", "a.glb: cannot be read: "},
      {"a.dae", "<COLLADA></COLLADA>", "a.dae: "},
      {"a.gltf", "{\"asset\":{\"version\":\"2.0\"}}", "a.gltf: "},
      {"a.gltf",
       "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"n\"}]}",
       "a.gltf: there is no skeleton in it"},
      {"a.gltf",
       "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"n\","
       "\"children\":[1]},{\"name\":\"m\",\"children\":[0]}]}",
       "a.gltf: "}, // a cycle
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    Motion *motion = read_bytes(cases[i].name, cases[i].text, strlen(cases[i].text), motion_options_default(), &error);
    if (motion || strncmp(error.text, cases[i].error, strlen(cases[i].error)) != 0)
      fail_msg("case %zu: %s, wanted %s", i, error.text, cases[i].error);
  }
}

static void test_too_many_joints(void **state) {
  (void)state;
  static Buffer buffer;
  for (int deep = 0; deep < 2; deep++) {
    Error error = {0};
    buffer.length = 0;
    put(&buffer, "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for (int j = 0; j < MOTION_MAX_JOINTS + 50; j++)
      put(&buffer, "JOINT j%d\n{\nOFFSET 0 1 0\nCHANNELS 0\n%s", j, deep ? "" : "}\n");
    for (int j = 0; j < (deep ? MOTION_MAX_JOINTS + 50 : 0); j++)
      put(&buffer, "}\n");
    put(&buffer, "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0\n");
    assert_null(read_bytes("many.bvh", buffer.bytes, buffer.length, motion_options_default(), &error));
    assert_non_null(strstr(error.text, deep ? "nested too deeply" : "too many joints"));
  }
}

// Any truncated file gives a motion or an error.
static void test_truncated(void **state) {
  (void)state;
  static Buffer bvh, gltf;
  write_figurine(&bvh, &PLAIN);
  write_gltf(&gltf, "[1,1,1]", 0);
  for (int i = 0; i < 20; i++) {
    Error error = {0};
    motion_free(read_bytes("cut.bvh", bvh.bytes, bvh.length * (size_t)i / 20, motion_options_default(), &error));
    error.text[0] = '\0';
    assert_null(read_bytes("cut.gltf", gltf.bytes, gltf.length * (size_t)i / 20, motion_options_default(), &error));
  }
}

static void test_known_endings(void **state) {
  (void)state;
  assert_true(motion_is_known("a/b.bvh") && motion_is_known("B.FBX") && motion_is_known("c.glTF"));
  assert_true(motion_is_known("d.glb") && motion_is_known("e.dae"));
  assert_false(motion_is_known("a.yaml") || motion_is_known("bvh") || motion_is_known("a.bvh.txt"));
}

static void test_sides(void **state) {
  (void)state;
  static const char *const left[] = {"LeftFoot",     "lThigh",    "LHipJoint",         "Foot.L",
                                     "Bip01 L Foot", "left_knee", "mixamorig:LeftArm", "b_l_arm"};
  static const char *const right[] = {"RightFoot", "rShin", "RHipJoint", "Hand.R", "Bip01 R Hand", "right_elbow"};
  static const char *const middle[] = {"Head", "LowerBack", "Root", "root", "lowerback", "Neck", "Spine1", "rig"};
  for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
    assert_int_equal(motion_side(left[i]), 1);
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
    assert_int_equal(motion_side(right[i]), -1);
  for (size_t i = 0; i < sizeof middle / sizeof middle[0]; i++)
    assert_int_equal(motion_side(middle[i]), 0);
}

// ---- Real files ----

// Import, BVH, import: no joint moves by more than 1 mm (A4); here 0.1 mm is enough.
static void check_round_trip(const Motion *motion, const char *name) {
  char *text = motion_write_bvh(motion);
  assert_non_null(text);
  Motion *again = read_text("again.bvh", text, AS_IT_IS);
  free(text);
  assert_int_equal(again->joint_count, motion->joint_count);
  assert_int_equal(again->frame_count, motion->frame_count);
  assert_close(again->frame_rate, motion->frame_rate, 1e-3 * motion->frame_rate);
  vec3s a[MOTION_MAX_JOINTS], b[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  // BVH is written depth first, motions are breadth first: joints are found by name.
  int twin[MOTION_MAX_JOINTS];
  for (int j = 0; j < motion->joint_count; j++) {
    char word[MOTION_NAME_SIZE];
    snprintf(word, sizeof word, "%s", motion->joints[j].name);
    for (char *c = word; *c != '\0'; c++)
      *c = *c == ' ' ? '_' : *c;
    twin[j] = find(again, word);
  }
  for (int f = 0; f < motion->frame_count; f++) {
    motion_place(motion, f, a, rotations);
    motion_place(again, f, b, rotations);
    for (int j = 0; j < motion->joint_count; j++)
      if (glms_vec3_distance(a[j], b[twin[j]]) > 1e-4f)
        fail_msg("%s: joint %s moved by %g m in frame %d", name, motion->joints[j].name,
                 (double)glms_vec3_distance(a[j], b[twin[j]]), f);
  }
  motion_free(again);
}

// Frames that are added in pieces make the text that they make at once, also where angles wind up beyond a turn.
static void test_bvh_in_pieces(void **state) {
  (void)state;
  enum { JOINTS = 2, FRAMES = 50, PIECE = 7 };
  MotionJoint joints[JOINTS] = {
      {.name = "hip", .parent = -1, .bind_rotation_l = glms_quat_identity()},
      {.name = "knee", .parent = 0, .bind_position_l = {{0, -0.4f, 0}}, .bind_rotation_l = glms_quat_identity()}};
  vec3s positions[FRAMES * JOINTS];
  versors rotations[FRAMES * JOINTS];
  for (int i = 0; i < FRAMES * JOINTS; i++) {
    positions[i] = i % JOINTS == 0 ? (vec3s){{0.01f * (float)i, 1, 0}} : joints[1].bind_position_l;
    rotations[i] = glms_quatv(0.37f * (float)i, (vec3s){{0, i % JOINTS == 0, i % JOINTS == 1}});
  }
  Motion whole = {.joint_count = JOINTS, .joints = joints, .frame_count = FRAMES, .frame_rate = 60};
  whole.position_l = positions, whole.rotation_l = rotations;
  char *text = motion_write_bvh(&whole);
  assert_non_null(text);
  TextBuffer pieces = {0};
  Motion piece = {.joint_count = JOINTS, .joints = joints, .frame_rate = 60};
  BvhWriter *writer = bvh_begin(&piece, FRAMES, &pieces);
  assert_non_null(writer);
  for (int first = 0; first < FRAMES; first += PIECE) {
    piece.frame_count = FRAMES - first < PIECE ? FRAMES - first : PIECE;
    piece.position_l = positions + (ptrdiff_t)first * JOINTS, piece.rotation_l = rotations + (ptrdiff_t)first * JOINTS;
    bvh_add(writer, &piece);
  }
  bvh_end(writer);
  assert_string_equal(pieces.bytes, text);
  assert_non_null(strstr(text, "Frames: 50\n"));
  text_free(&pieces);
  free(text);
}

static void test_real_files(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int joints, frames;
    double rate, unit;
  } cases[] = {
      {"BVH/01_01.bvh", 38, 2751, 120, 0.0254 / 0.45},    {"BVH/Boxing_Toes.bvh", 26, 3070, 100, 0.01},
      {"FBX/animation_with_skeleton.fbx", 17, 21, 24, 0}, {"FBX/huesitos.fbx", 12, 40, 25, 0.01},
      {"Collada/box_nested_animation.dae", 1, 40, 24, 1}, {"Collada/library_animation_clips.dae", 6, 15, 24, 0},
  };
  if (access(MODELS, R_OK) != 0)
    skip();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[256];
    Error error = {0};
    FileSet files = {0};
    snprintf(path, sizeof path, "%s/%s", MODELS, cases[i].name);
    const File *file = files_read(&files, path, &error);
    const MotionOptions options = motion_options_default();
    Motion *motion = file ? motion_read(file, &options, &error) : NULL;
    if (!motion) {
      fail_msg("%s", error.text);
      return;
    }
    assert_int_equal(motion->joint_count, cases[i].joints);
    assert_int_equal(motion->frame_count, cases[i].frames);
    assert_close(motion->frame_rate, cases[i].rate, 1e-6);
    if (cases[i].unit > 0)
      assert_close(motion->found.unit, cases[i].unit, 1e-9);
    check_round_trip(motion, cases[i].name);
    motion_free(motion);
    files_free(&files);
  }
}

static void test_real_files_without_motion(void **state) {
  (void)state;
  static const char *const names[] = {"FBX/box.fbx",        "FBX/spider.fbx",
                                      "Collada/duck.dae",   "Collada/cameras.dae",
                                      "Collada/lights.dae", "glTF2/BoxTextured-glTF-Binary/BoxTextured.glb"};
  if (access(MODELS, R_OK) != 0)
    skip();
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[256], wanted[320];
    Error error = {0};
    FileSet files = {0};
    snprintf(path, sizeof path, "%s/%s", MODELS, names[i]);
    snprintf(wanted, sizeof wanted, "%s: there is no skeleton in it", path);
    const File *file = files_read(&files, path, &error);
    const MotionOptions options = motion_options_default();
    assert_non_null(file);
    assert_null(motion_read(file, &options, &error));
    assert_string_equal(error.text, wanted);
    files_free(&files);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_odd_unit),
      cmocka_unit_test(test_axes),
      cmocka_unit_test(test_channel_orders),
      cmocka_unit_test(test_positions_everywhere),
      cmocka_unit_test(test_rest_frame_dropped),
      cmocka_unit_test(test_newlines),
      cmocka_unit_test(test_wrong_frame_counts),
      cmocka_unit_test(test_gltf),
      cmocka_unit_test(test_channels_that_begin_and_end_by_turns),
      cmocka_unit_test(test_uneven_scale_is_reported),
      cmocka_unit_test(test_nan_key),
      cmocka_unit_test(test_skin),
      cmocka_unit_test(test_broken_files),
      cmocka_unit_test(test_too_many_joints),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_known_endings),
      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_bvh_in_pieces),
      cmocka_unit_test(test_real_files),
      cmocka_unit_test(test_real_files_without_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
