// Motions of DeepMimic (.json) and AMASS (.npz): what is read, and what is said of broken files. The files are made
// here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <math.h>
#include <cmocka.h>

#include "anim/motion/motion_internal.h"

static Motion *read_bytes(const char *name, const char *bytes, size_t size, Error *error) {
  char path[32];
  snprintf(path, sizeof path, "%s", name);
  const File file = {.name = path, .path = path, .bytes = (char *)(uintptr_t)bytes, .size = size};
  const MotionOptions options = motion_options_default();
  *error = (Error){0};
  Motion *motion = motion_read_here(&file, &options, error);
  assert_true((motion != NULL) == (error->text[0] == '\0'));
  return motion;
}

static void check_refused(const char *name, const char *bytes, size_t size, const char *why) {
  Error error;
  assert_null(read_bytes(name, bytes, size, &error));
  if (!strstr(error.text, why) || !strstr(error.text, name))
    fail_msg("'%s', wanted '%s'", error.text, why);
}

static int find(const Motion *motion, const char *name) {
  for (int i = 0; i < motion->joint_count; i++)
    if (strcmp(motion->joints[i].name, name) == 0)
      return i;
  fail_msg("no joint %s", name);
  return -1;
}

static void check_near(vec3s is, float x, float y, float z) {
  if (fabsf(is.x - x) > 1e-4f || fabsf(is.y - y) > 1e-4f || fabsf(is.z - z) > 1e-4f)
    fail_msg("(%g, %g, %g), wanted (%g, %g, %g)", (double)is.x, (double)is.y, (double)is.z, (double)x, (double)y,
             (double)z);
}

// ---- DeepMimic ----

// A frame of humanoid3d at a place, with one knee bent by an angle.
static void add_frame_at(char *text, size_t size, const double place[3], double knee) {
  size_t length = strlen(text);
  snprintf(text + length, size - length,
           "%s[0.02,%g,%g,%g,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,%g,1,0,0,0,1,0,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0]",
           length > 12 ? "," : "", place[0], place[1], place[2], knee);
}

// One that stands at x.
static void add_frame(char *text, size_t size, double x, double knee) {
  add_frame_at(text, size, (const double[]){x, 0.9, 0}, knee);
}

static void test_a_motion_of_deepmimic(void **state) {
  (void)state;
  char text[2000] = "{\"Frames\":[";
  add_frame(text, sizeof text, 0, 0);
  add_frame(text, sizeof text, 0.1, -1);
  add_frame(text, sizeof text, 0.3, 0);
  strcat(text, "],\"Loop\":\"wrap\"}");
  Error error;
  Motion *motion = read_bytes("a.json", text, strlen(text), &error);
  if (!motion) {
    fail_msg("%s", error.text);
    return;
  }
  assert_string_equal(motion->format, "DeepMimic");
  assert_int_equal(motion->frame_count, 3);
  assert_int_equal(motion->repeats, 1);
  assert_true(fabs(motion->frame_rate - 50) < 1e-9 && motion->found.unit == 1);
  vec3s at[MOTION_MAX_JOINTS];
  versors turns[MOTION_MAX_JOINTS];
  motion_place(motion, 2, at, turns); // it walks along its x, which is our z
  check_near(at[0], 0, 0.9f, 0.3f);
  check_near(at[find(motion, "left_ankle")], 0.084887f, 0.9f - 0.421546f - 0.40987f, 0.3f);
  motion_place(motion, 1, at, turns); // a negative angle bends the knee back
  check_near(at[find(motion, "right_ankle")], -0.084887f, 0.9f - 0.421546f - 0.40987f * cosf(1),
             0.1f - 0.40987f * sinf(1));
  motion_free(motion);
}

static void test_broken_files_of_deepmimic(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"{\"Frames\":[[1,", "not a JSON file"},
      {"{\"Loop\":\"wrap\"}", "it has no list 'Frames'"},
      {"{\"Frames\":[]}", "it has no list 'Frames'"},
      {"{\"Frames\":[[1,2,3]]}", "frame 1 has 3 numbers; known are DeepMimic's humanoid3d with 44 and dog3d with 84"},
      {"{\"Frames\":[7]}", "frame 1 has 0 numbers"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    check_refused("a.json", bad[i].text, strlen(bad[i].text), bad[i].why);
  char text[2000] = "{\"Frames\":[";
  add_frame(text, sizeof text, 0, 0);
  strcat(text, ",[0.02]]}");
  check_refused("a.json", text, strlen(text), "frame 2 is no list of as many numbers as the first");
  char other[2000] = "{\"Frames\":[";
  add_frame(other, sizeof other, 0, 0);
  strcat(other, "]}");
  char *number = strstr(other, "0.9");
  number[0] = number[2] = '"';
  number[1] = 'a';
  check_refused("a.json", other, strlen(other), "frame 1 has something that is no number");
  // A joint's angle far beyond any, just below 1e6 and not.
  char large[2000] = "{\"Frames\":[", larger[2000] = "{\"Frames\":[";
  add_frame(large, sizeof large, 0, 999999);
  add_frame(larger, sizeof larger, 0, 1e6);
  strcat(large, "]}");
  strcat(larger, "]}");
  Error error;
  Motion *motion = read_bytes("a.json", large, strlen(large), &error);
  assert_non_null(motion);
  motion_free(motion);
  check_refused("a.json", larger, strlen(larger), "frame 1 has something that is no number below 1e6");
  char unit[2000] = "{\"Frames\":[";
  add_frame(unit, sizeof unit, 0, 0);
  strcat(unit, "]}");
  *(strstr(unit, "0.9,0,1") + 6) = '5';
  check_refused("a.json", unit, strlen(unit), "frame 1 has a rotation that is no unit quaternion");
}

// Along each axis, to both sides, in a file whose unit is said to be 4 m.
static void test_places_within_1000_km(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    const double far = i < 6 ? 0.99e6 / 4 : 1.01e6 / 4;
    double place[3] = {0, 0.9, 0};
    place[i % 3] = i / 3 % 2 ? -far : far;
    char text[2000] = "{\"Frames\":[", name[] = "a.json";
    add_frame(text, sizeof text, 0, 0);
    add_frame_at(text, sizeof text, place, 0);
    strcat(text, "]}");
    const File file = {.name = name, .path = name, .bytes = text, .size = strlen(text)};
    MotionOptions options = motion_options_default();
    options.unit = 4;
    Error error = {0};
    Motion *motion = motion_read_here(&file, &options, &error);
    assert_true((motion != NULL) == (i < 6));
    assert_string_equal(error.text, i < 6 ? ""
                                          : "a.json: joint 'root' is too far away from its parent in frame 2, "
                                            "allowed: 1000 km");
    motion_free(motion);
  }
}

// Frames of unlike lengths are read as equally long, and it is said how long they are, whichever is the longest; those
// that differ by less than 5 % are not worth it. What the last one lasts does not count.
static void test_frames_of_unlike_lengths(void **state) {
  (void)state;
  static const struct {
    const char *lengths[4]; // s
    const char *warning;
    double rate;
  } cases[] = {{{"0.05", "0.01", "0.02", "1"}, "0.01 to 0.05", 37.5},
               {{"0.01", "0.02", "0.05", "0"}, "0.01 to 0.05", 37.5},
               {{"0.02", "0.05", "0.01", "3"}, "0.01 to 0.05", 37.5},
               {{"0.0208", "0.02", "0.0192", "0"}, "0.0192 to 0.0208", 50},
               {{"0.0204", "0.02", "0.0196", "0"}, NULL, 50}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4000] = "{\"Frames\":[";
    for (int k = 0; k < 4; k++) {
      const size_t at = strlen(text) + (k > 0);
      add_frame(text, sizeof text, 0, 0);
      char *length = strchr(text + at, '[') + 1, rest[4000]; // the first number of a frame
      snprintf(rest, sizeof rest, "%s", strchr(length, ','));
      snprintf(length, sizeof text - (size_t)(length - text), "%s%s", cases[i].lengths[k], rest);
    }
    strcat(text, "]}");
    Error error;
    Motion *motion = read_bytes("a.json", text, strlen(text), &error);
    assert_non_null(motion);
    assert_true(fabs(motion->frame_rate - cases[i].rate) < 1e-9);
    const char *found = strstr(motion->warnings, "The frames last from ");
    if (cases[i].warning) {
      char wanted[128];
      snprintf(wanted, sizeof wanted, "The frames last from %s s: they are read as equally long.\n", cases[i].warning);
      assert_non_null(found);
      assert_memory_equal(found, wanted, strlen(wanted));
    } else {
      assert_null(found);
    }
    motion_free(motion);
  }
}

// Frames that last no longer than 0.1 ms on average, of all with the last one, are no motion.
static void test_frames_that_last_no_time(void **state) {
  (void)state;
  static const struct {
    const char *length; // s
    bool is_read;
  } cases[] = {{"0.000124", false}, {"0.000126", true}, {"0", false}, {"0.0005", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    enum { FRAMES = 5 };
    char text[4000] = "{\"Frames\":[";
    for (int k = 0; k < FRAMES; k++) {
      const size_t at = strlen(text) + (k > 0);
      add_frame(text, sizeof text, 0, 0);
      char *length = strchr(text + at, '[') + 1, rest[4000]; // the first number of a frame
      snprintf(rest, sizeof rest, "%s", strchr(length, ','));
      snprintf(length, sizeof text - (size_t)(length - text), "%s%s", cases[i].length, rest);
    }
    strcat(text, "]}");
    Error error = {0};
    Motion *motion = read_bytes("a.json", text, strlen(text), &error);
    assert_int_equal(motion != NULL, cases[i].is_read);
    if (!motion)
      assert_non_null(strstr(error.text, "its frames last "));
    motion_free(motion);
  }
}

static void test_limits_of_size(void **state) {
  (void)state;
  static const struct {
    double frames;
    int joints;
    bool fits;
  } sizes[] = {{1, 1, true},       {0, 1, false},       {1, 0, false},      {-1, -1, false},
               {360000, 23, true}, {360001, 1, false},  {349525, 24, true}, {349526, 24, false},
               {8192, 1024, true}, {8193, 1024, false}, {1, 1025, false},   {(double)NAN, 1, false}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (motion_fits(sizes[i].frames, sizes[i].joints) != sizes[i].fits)
      fail_msg("%g frames of %d joints", sizes[i].frames, sizes[i].joints);
}

// ---- AMASS ----

typedef struct Bytes {
  unsigned char data[16384];
  size_t size;
} Bytes;

static void put(Bytes *to, const void *bytes, size_t size) {
  assert_true(to->size + size <= sizeof to->data);
  memcpy(to->data + to->size, bytes, size);
  to->size += size;
}

static void put_number(Bytes *to, size_t number, size_t width) {
  for (size_t i = 0; i < width; i++) {
    unsigned char byte = 0;
    if (i < sizeof number)
      byte = (unsigned char)(number >> (8 * i));
    put(to, &byte, 1);
  }
}

// A zip while it is written, with the entries of its directory.
typedef struct Zip {
  Bytes file, directory;
  size_t count;
} Zip;

// The directory says more about each member than the file does: a field of 5 bytes and a comment of 3.
static void put_member(Zip *zip, const char *name, const Bytes *content, bool deflated) {
  Bytes packed = *content;
  if (deflated) {
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)content->data,
                       .avail_in = (uInt)content->size,
                       .next_out = packed.data,
                       .avail_out = sizeof packed.data};
    deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.size = stream.total_out;
    deflateEnd(&stream);
  }
  const size_t offset = zip->file.size, length = strlen(name);
  for (int central = 0; central < 2; central++) {
    Bytes *to = central ? &zip->directory : &zip->file;
    put(to, central ? "PK\1\2\24\0\24\0\0" : "PK\3\4\24\0\0", central ? 9 : 7);
    put_number(to, 0, 1);
    put_number(to, deflated ? 8 : 0, 2);
    put_number(to, 0, 4);
    put_number(to, crc32(0, content->data, (uInt)content->size), 4);
    put_number(to, packed.size, 4);
    put_number(to, content->size, 4);
    put_number(to, length, 2);
    put_number(to, central ? 5 : 0, 2);
    if (central) {
      put_number(to, 3, 2);
      put_number(to, 0, 8);
      put_number(to, offset, 4);
    }
    put(to, name, length);
    if (central)
      put(to, "\1\1\1\0\0odd", 8);
    else
      put(to, packed.data, packed.size);
  }
  zip->count++;
}

static void end_zip(Zip *zip) {
  const size_t offset = zip->file.size;
  put(&zip->file, zip->directory.data, zip->directory.size);
  put(&zip->file, "PK\5\6\0\0\0\0", 8);
  put_number(&zip->file, zip->count, 2);
  put_number(&zip->file, zip->count, 2);
  put_number(&zip->file, zip->directory.size, 4);
  put_number(&zip->file, offset, 4);
  put_number(&zip->file, 0, 2);
}

// version: of NumPy's format; 2 has a longer field for the header's length.
static Bytes array_bytes(int version, const char *type, const char *order, const char *shape, const void *values,
                         size_t size) {
  Bytes bytes = {.size = 0};
  char header[128];
  const int length =
      snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", type, order, shape);
  put(&bytes, "\x93NUMPY", 6);
  put_number(&bytes, (size_t)version, 2);
  put_number(&bytes, (size_t)length, version == 1 ? 2 : 4);
  put(&bytes, header, (size_t)length);
  put(&bytes, values, size);
  return bytes;
}

enum { FRAMES = 4, COLUMNS = 72 };

typedef struct AmassFile {
  int version;
  const char *type, *order, *shape; // of `poses`
  double poses[FRAMES][COLUMNS];
  bool has_way;
} AmassFile;

// Who stands along z and goes ahead, which without a turn about z is along -y; both knees bent by 0.5 rad in frame 2.
static AmassFile standing(void) {
  AmassFile amass = {.version = 1, .type = "<f8", .order = "False", .shape = "(4, 72)", .has_way = true};
  for (int f = 0; f < FRAMES; f++)
    amass.poses[f][0] = M_PI / 2;
  amass.poses[2][3 * 4] = amass.poses[2][3 * 5] = 0.5;
  return amass;
}

static Zip zip_of(const AmassFile *amass) {
  Zip zip = {.count = 0};
  float way[FRAMES][3];
  for (int f = 0; f < FRAMES; f++)
    memcpy(way[f], (float[3]){0, -0.1f * (float)f, 1}, sizeof way[f]);
  const double rate = 120;
  Bytes poses = array_bytes(amass->version, amass->type, amass->order, amass->shape, amass->poses, sizeof amass->poses),
        trans = array_bytes(amass->version, "<f4", "False", "(4, 3)", way, sizeof way),
        rates = array_bytes(amass->version, "<f8", "False", "()", &rate, sizeof rate);
  put_member(&zip, "mocap_framerate.npy", &rates, false);
  put_member(&zip, "poses.npy", &poses, true);
  if (amass->has_way)
    put_member(&zip, "trans.npy", &trans, false);
  end_zip(&zip);
  return zip;
}

static void check_a_motion_of_amass(int version) {
  AmassFile amass = standing();
  amass.version = version;
  const Zip zip = zip_of(&amass);
  Error error;
  Motion *motion = read_bytes("a.npz", (const char *)zip.file.data, zip.file.size, &error);
  if (!motion) {
    fail_msg("%s", error.text);
    return;
  }
  assert_string_equal(motion->format, "AMASS");
  assert_string_equal(motion->up_reason, "as the format says");
  assert_true(motion->frame_count == FRAMES && motion->joint_count == 24 && motion->frame_rate == 120);
  assert_true(motion->found.up_axis == 2 && motion->found.unit == 1);
  vec3s at[MOTION_MAX_JOINTS];
  versors turns[MOTION_MAX_JOINTS];
  motion_place(motion, 3, at, turns);
  check_near(at[0], 0, 1, 0.3f);
  check_near(at[find(motion, "L_Knee")], 0.1f, 1 - 0.47f, 0.3f);
  motion_place(motion, 2, at, turns); // a positive angle bends the knee back
  assert_true(at[find(motion, "L_Ankle")].z < at[find(motion, "L_Knee")].z - 0.15f);
  motion_free(motion);
}

static void test_a_motion_of_amass(void **state) {
  (void)state;
  check_a_motion_of_amass(1);
  check_a_motion_of_amass(2);
}

static void check_amass(const AmassFile *amass, const char *why) {
  const Zip zip = zip_of(amass);
  check_refused("a.npz", (const char *)zip.file.data, zip.file.size, why);
}

static void test_broken_files_of_amass(void **state) {
  (void)state;
  AmassFile amass = standing();
  amass.has_way = false;
  check_amass(&amass, "array 'trans' is not in the file");
  amass = standing();
  amass.shape = "(72, 4)";
  check_amass(&amass, "array 'poses' has no rows of 66 or more numbers");
  amass.shape = "(3, 72)";
  check_amass(&amass, "array 'trans' has no row of 3 numbers for each of the 3 rows of 'poses'");
  amass.shape = "(5, 72)";
  check_amass(&amass, "array 'poses' has fewer values than its shape says");
  amass.shape = "(99999999999, 72)";
  check_amass(&amass, "array 'poses' has a header without a type, an order or a shape");
  amass = standing();
  amass.type = "|O";
  check_amass(&amass, "array 'poses' is not of little-endian numbers");
  amass.type = ">f8";
  check_amass(&amass, "array 'poses' is not of little-endian numbers");
  amass = standing();
  amass.order = "True";
  check_amass(&amass, "array 'poses' is stored by columns");
  amass = standing();
  amass.poses[1][5] = (double)NAN;
  check_amass(&amass, "array 'poses' has a value that is not finite");
}

// No cut and no changed byte does more than give an error, or a motion of finite numbers.
static void test_damaged_files_of_amass(void **state) {
  (void)state;
  const AmassFile amass = standing();
  const Zip zip = zip_of(&amass);
  Error error;
  for (size_t size = 0; size < zip.file.size; size++)
    assert_null(read_bytes("a.npz", (const char *)zip.file.data, size, &error));
  for (size_t i = 0; i < zip.file.size; i++) {
    Bytes bytes = zip.file;
    bytes.data[i] ^= 0x55;
    Motion *motion = read_bytes("a.npz", (const char *)bytes.data, bytes.size, &error);
    for (int k = 0; motion && k < motion->frame_count * motion->joint_count; k++)
      assert_true(isfinite(glms_vec3_norm(motion->position_l[k]) + glms_quat_norm(motion->rotation_l[k])));
    motion_free(motion);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frames_of_unlike_lengths), cmocka_unit_test(test_frames_that_last_no_time),
      cmocka_unit_test(test_a_motion_of_deepmimic),    cmocka_unit_test(test_broken_files_of_deepmimic),
      cmocka_unit_test(test_places_within_1000_km),    cmocka_unit_test(test_limits_of_size),
      cmocka_unit_test(test_a_motion_of_amass),        cmocka_unit_test(test_broken_files_of_amass),
      cmocka_unit_test(test_damaged_files_of_amass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
