// Foxglove's messages, read back field by field: axes, shapes of a part, arrows of hits and contacts.
#include "tests/fixture.h"

#include "scenes/export/foxglove.h"

typedef struct Bytes {
  const unsigned char *at;
  size_t size;
} Bytes;

static uint64_t take_integer(Bytes *bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    assert_true(bytes->size > 0);
    const unsigned char byte = *bytes->at++;
    bytes->size--;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
}

// The content of the nth field of a number; false: there are not so many.
static bool find_field(Bytes message, int number, int nth, Bytes *content) {
  while (message.size > 0) {
    const uint64_t key = take_integer(&message);
    Bytes whole = message;
    if ((key & 7) == 0)
      take_integer(&message), whole.size -= message.size;
    else {
      const size_t size = (key & 7) == 1 ? 8 : (size_t)take_integer(&message);
      assert_true((key & 7) <= 2 && size <= message.size);
      whole = (Bytes){message.at, size};
      message = (Bytes){message.at + size, message.size - size};
    }
    if ((int)(key >> 3) == number && nth-- == 0) {
      *content = whole;
      return true;
    }
  }
  return false;
}

// A field by its path through messages, as "2.7.1": of a list its first, or as "2.9#1" its second.
static bool has(const TextBuffer *buffer, const char *path, Bytes *found) {
  *found = (Bytes){(const unsigned char *)buffer->bytes, buffer->size};
  for (const char *at = path; *at;) {
    char *end;
    const int number = (int)strtol(at, &end, 10);
    const int nth = *end == '#' ? (int)strtol(end + 1, &end, 10) : 0;
    if (!find_field(*found, number, nth, found))
      return false;
    at = *end == '.' ? end + 1 : end;
  }
  return true;
}

// ---- Values ----

static double number_of(const TextBuffer *buffer, const char *path) {
  Bytes found;
  double value;
  if (!has(buffer, path, &found))
    return 0; // as a number of 0 is written
  assert_int_equal(found.size, sizeof value);
  memcpy(&value, found.at, sizeof value);
  return value;
}

static long integer_of(const TextBuffer *buffer, const char *path) {
  Bytes found;
  return has(buffer, path, &found) ? (long)take_integer(&found) : 0;
}

static void check_numbers(const TextBuffer *buffer, const char *path, const double *wanted, int count, int line) {
  for (int i = 0; i < count; i++) {
    char one[64];
    snprintf(one, sizeof one, "%s.%d", path, i + 1);
    const double is = number_of(buffer, one);
    if (!(fabs(is - wanted[i]) < 1e-6))
      fail_msg("line %d: %s is %g, not %g", line, one, is, wanted[i]);
  }
}
#define assert_numbers(buffer, path, ...)                                                                              \
  check_numbers(buffer, path, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double), __LINE__)

static void assert_text(const TextBuffer *buffer, const char *path, const char *text) {
  Bytes found = {0};
  assert_true(has(buffer, path, &found));
  assert_int_equal(found.size, strlen(text));
  assert_memory_equal(found.at, text, found.size);
}

// ---- Messages ----

// x forward, y to the left and z up are Stagger's z, x and y.
static void transform_turns_the_axes(void **state) {
  (void)state;
  TextBuffer buffer = {0};
  foxglove_add_transform(&buffer, 3500000007, "foot", (vec3s){{1, 2, 3}}, (versors){{0.1f, 0.2f, 0.3f, 0.9f}});
  assert_int_equal(integer_of(&buffer, "1.1.1"), 3);
  assert_int_equal(integer_of(&buffer, "1.1.2"), 500000007);
  assert_text(&buffer, "1.2", "world");
  assert_text(&buffer, "1.3", "foot");
  assert_numbers(&buffer, "1.4", 3, 1, 2);
  assert_numbers(&buffer, "1.5", (double)0.3f, (double)0.1f, (double)0.2f, (double)0.9f);
  free(buffer.bytes);
}

// A box, a ball and a capsule of a part, in its frame; the capsule lies along x, between two balls.
static void part_has_its_shapes(void **state) {
  (void)state;
  ShapeDef shapes[3] = {{.kind = SHAPE_BOX, .size = {0.1, 0.2, 0.3}, .center_m = {0, 1.5, 0}},
                        {.kind = SHAPE_SPHERE, .size = {0.07}, .center_m = {0.2, 1, 0}},
                        {.kind = SHAPE_CAPSULE, .size = {0.05, 0.4}, .axis = 0, .center_m = {0, 1, 0.3}}};
  PartDef part = {.joint.position = {0, 1, 0}, .shape_count = 3};
  for (int i = 0; i < 3; i++)
    part.shapes[i] = shapes[i];
  TextBuffer buffer = {0};
  foxglove_add_part(&buffer, 0, "man/foot", &part);
  assert_text(&buffer, "2.2", "man/foot");
  assert_text(&buffer, "2.3", "man/foot");
  assert_int_equal(integer_of(&buffer, "2.5"), 1);
  assert_numbers(&buffer, "2.8.1.1", 0, 0, 0.5);
  assert_numbers(&buffer, "2.8.1.2", 0, 0, 0, 1);
  assert_numbers(&buffer, "2.8.2", 0.3, 0.1, 0.2);
  assert_numbers(&buffer, "2.8.3", 0.9, 0.8, 0.65, 1);
  assert_numbers(&buffer, "2.9.1.1", 0, 0.2, 0);
  assert_numbers(&buffer, "2.9.2", 0.14, 0.14, 0.14);
  assert_numbers(&buffer, "2.10.1.1", 0.3, 0, 0);
  assert_numbers(&buffer, "2.10.2", 0.1, 0.1, 0.4); // upright before it is turned
  assert_numbers(&buffer, "2.10.5", 0.9, 0.8, 0.65, 1);
  assert_true(number_of(&buffer, "2.10.3") == 1 && number_of(&buffer, "2.10.4") == 1);
  assert_numbers(&buffer, "2.10.1.2", -sqrt(0.5), 0, 0, sqrt(0.5)); // upright to x: about -z, which is -x there
  assert_numbers(&buffer, "2.9#1.1.1", 0.3, -0.2, 0);
  assert_numbers(&buffer, "2.9#2.1.1", 0.3, 0.2, 0);
  assert_numbers(&buffer, "2.9#1.2", 0.1, 0.1, 0.1);
  Bytes none;
  assert_false(has(&buffer, "2.9#3", &none) || has(&buffer, "2.8#1", &none) || has(&buffer, "2.10#1", &none));
  free(buffer.bytes);
}

// m: length and diameter of an arrow's shaft and of its head.
static void check_arrow(const TextBuffer *buffer, const char *path, const double wanted[4], int line) {
  for (int i = 0; i < 4; i++) {
    char one[64];
    snprintf(one, sizeof one, "%s.%d", path, i + 2);
    if (!(fabs(number_of(buffer, one) - wanted[i]) < 1e-6))
      fail_msg("line %d: %s is %g, not %g", line, one, number_of(buffer, one), wanted[i]);
  }
}
#define assert_arrow(buffer, path, ...) check_arrow(buffer, path, (const double[]){__VA_ARGS__}, __LINE__)

// An arrow to where an impulse acts: 20 cm and 2 cm more for each N s, red, for half a second.
static void hit_is_an_arrow_to_its_point(void **state) {
  (void)state;
  TextBuffer buffer = {0};
  foxglove_add_hit(&buffer, 2000000000, "hit", (vec3s){{1, 2, 3}}, (vec3s){{0, 0, 10}});
  assert_int_equal(integer_of(&buffer, "2.1.1"), 2);
  assert_text(&buffer, "2.2", "world");
  assert_text(&buffer, "2.3", "hit");
  assert_int_equal(integer_of(&buffer, "2.4.1"), 0);
  assert_int_equal(integer_of(&buffer, "2.4.2"), 500000000);
  assert_numbers(&buffer, "2.7.1.1", 3 - 0.4, 1, 2);
  assert_numbers(&buffer, "2.7.1.2", 0, 0, 0, 1);
  assert_arrow(&buffer, "2.7", 0.4 - 0.08, 0.02, 0.08, 0.04);
  assert_numbers(&buffer, "2.7.6", 0.9, 0.15, 0.1, 1);
  free(buffer.bytes);
  buffer = (TextBuffer){0};
  foxglove_add_hit(&buffer, 0, "none", GLMS_VEC3_ZERO, GLMS_VEC3_ZERO);
  assert_int_equal(buffer.size, 0);
}

// An arrow from where a force acts, 1 m for 1000 N; short ones have a head of 0.4 of their length.
static void contacts_are_arrows_from_their_places(void **state) {
  (void)state;
  TextBuffer buffer = {0}, contacts = foxglove_begin_contacts(1500000000);
  foxglove_add_contact(&contacts, (vec3s){{1, 0, 2}}, (vec3s){{0, 0, 500}});
  foxglove_add_contact(&contacts, (vec3s){{1, 0, 2}}, GLMS_VEC3_ZERO);
  foxglove_add_contact(&contacts, (vec3s){{1, 0, 2}}, (vec3s){{INFINITY, 0, 0}});
  foxglove_add_contact(&contacts, (vec3s){{4, 0, 5}}, (vec3s){{0, 100, 0}});
  foxglove_end_contacts(&buffer, &contacts);
  assert_int_equal(integer_of(&buffer, "2.1.1"), 1);
  assert_int_equal(integer_of(&buffer, "2.1.2"), 500000000);
  assert_text(&buffer, "2.3", "contacts");
  assert_numbers(&buffer, "2.7.1.1", 2, 1, 0);
  assert_arrow(&buffer, "2.7", 0.5 - 0.08, 0.015, 0.08, 0.03);
  assert_numbers(&buffer, "2.7.6", 0.15, 0.6, 0.9, 1);
  assert_numbers(&buffer, "2.7#1.1.1", 5, 4, 0);
  assert_arrow(&buffer, "2.7#1", 0.06, 0.015, 0.04, 0.03);
  assert_numbers(&buffer, "2.7#1.1.2", 0, -sqrt(0.5), 0, sqrt(0.5)); // from ahead to up
  Bytes none;
  assert_false(has(&buffer, "2.7#2", &none));
  free(buffer.bytes);
}

static void ground_and_boxes(void **state) {
  (void)state;
  TextBuffer buffer = {0}, triangles = {0};
  const uint16_t indices[] = {2, 1, 0};
  foxglove_add_vertex(&triangles, (vec3s){{1, 2, 3}});
  foxglove_add_vertex(&triangles, (vec3s){{4, 5, 6}});
  foxglove_add_indices(&triangles, indices, 3);
  foxglove_add_ground(&buffer, &triangles);
  foxglove_add_box(&buffer, "lift", (vec3s){{1, 2, 3}});
  assert_text(&buffer, "2.3", "ground");
  assert_numbers(&buffer, "2.12.2", 3, 1, 2);
  assert_numbers(&buffer, "2.12.2#1", 6, 4, 5);
  assert_numbers(&buffer, "2.12.1.2", 0, 0, 0, 1);
  assert_numbers(&buffer, "2.12.3", 0.45, 0.47, 0.45, 1);
  Bytes packed = {0};
  assert_true(has(&buffer, "2.12.5", &packed));
  assert_int_equal(packed.size, 3 * sizeof(uint32_t));
  for (int i = 0; i < 3; i++)
    assert_int_equal(packed.at[4 * i], indices[i]);
  assert_text(&buffer, "2#1.3", "lift");
  assert_int_equal(integer_of(&buffer, "2#1.5"), 1);
  assert_numbers(&buffer, "2#1.8.2", 3, 1, 2);
  assert_numbers(&buffer, "2#1.8.3", 0.45, 0.47, 0.45, 1);
  free(buffer.bytes);
}

// The schema describes three files; of each field name, number, type and whether it is a list.
static void schema_describes_the_messages(void **state) {
  (void)state;
  TextBuffer schema = {0};
  foxglove_schema(&schema);
  assert_text(&schema, "1.1", "google/protobuf/timestamp.proto");
  assert_text(&schema, "1.2", "google.protobuf");
  assert_text(&schema, "1.4.1", "Timestamp");
  assert_text(&schema, "1.4.2#1.1", "nanos");
  assert_int_equal(integer_of(&schema, "1.4.2#1.3"), 2);
  assert_int_equal(integer_of(&schema, "1.4.2#1.4"), 1);
  assert_int_equal(integer_of(&schema, "1.4.2#1.5"), 5);
  assert_text(&schema, "1#1.4.1", "Duration");
  assert_text(&schema, "1#2.1", "foxglove/stagger.proto");
  assert_text(&schema, "1#2.3#1", "google/protobuf/duration.proto");
  assert_text(&schema, "1#2.12", "proto3");
  assert_text(&schema, "1#2.4.1", "Vector3");
  assert_text(&schema, "1#2.4.2#2.1", "z");
  assert_text(&schema, "1#2.4#1.1", "Point3");
  Bytes last = {0}, none;
  int messages = 0;
  for (char path[32]; snprintf(path, sizeof path, "1#2.4#%d.1", messages), has(&schema, path, &none); messages++)
    last = none;
  assert_memory_equal(last.at, "SceneUpdate", last.size);
  char path[64];
  snprintf(path, sizeof path, "1#2.4#%d.2.4", messages - 1);
  assert_int_equal(integer_of(&schema, path), 3); // its entities are a list
  snprintf(path, sizeof path, "1#2.4#%d.2.6", messages - 1);
  assert_text(&schema, path, ".foxglove.SceneEntity");
  assert_false(has(&schema, "1#3", &none) || has(&schema, "1#2.4.2#3", &none) || has(&schema, "1.4.2.6", &none));
  free(schema.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transform_turns_the_axes),
      cmocka_unit_test(part_has_its_shapes),
      cmocka_unit_test(hit_is_an_arrow_to_its_point),
      cmocka_unit_test(contacts_are_arrows_from_their_places),
      cmocka_unit_test(ground_and_boxes),
      cmocka_unit_test(schema_describes_the_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
