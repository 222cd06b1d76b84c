// Safetensors files: a round trip to the bit, the layout that others write, each file that is refused and its reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/safetensors.h"

static Tensors tensors; // many names: not for the stack

// A file of that header and those values, at an odd address; the caller frees it.
static char *make_file(const char *header, const float *values, int count, size_t *size) {
  const size_t length = strlen(header), data = (size_t)count * sizeof *values;
  *size = 8 + length + data;
  char *bytes = calloc(1 + *size, 1);
  assert_non_null(bytes);
  for (int i = 0; i < 8; i++)
    bytes[1 + i] = (char)((uint64_t)length >> 8 * i & 0xff);
  for (size_t i = 0; i < length; i++)
    bytes[9 + i] = header[i];
  if (data > 0)
    memcpy(bytes + 9 + length, values, data);
  return bytes;
}

static bool read_made(const char *header, const float *values, int count, Error *error) {
  size_t size;
  char *bytes = make_file(header, values, count, &size);
  bool good = tensors_read(&tensors, bytes + 1, size, "net.safetensors", error);
  free(bytes);
  return good;
}

static void assert_refused(const char *header, const float *values, int count, const char *problem) {
  Error error = {0};
  assert_false(read_made(header, values, count, &error));
  if (!strstr(error.text, problem) || strncmp(error.text, "net.safetensors: ", 17) != 0)
    fail_msg("'%s' is not '%s'", error.text, problem);
  assert_true(tensors.count == 0 && !tensors.values && !tensors.header);
}

static void test_round_trip_is_exact(void **state) {
  (void)state;
  static const float weights[] = {1, -0.0f, 1e-45f, 3.4028235e38f, 0.1f, -7}, bias[] = {0.5f, -2};
  static Tensors written;
  written = (Tensors){.count = 2,
                      .tensors = {{"layer.weight", 2, {2, 3}, weights}, {"layer \"bias\"", 1, {2}, bias}},
                      .metadata_count = 2,
                      .metadata = {{"body", "human \xc3\xa9 \"\n"}, {"hash", "9007199254740993"}}};
  size_t size, again_size;
  char *bytes = tensors_write(&written, &size);
  assert_non_null(bytes);
  assert_true(tensors_read(&tensors, bytes, size, "net.safetensors", NULL));
  const Tensor *weight = tensors_find(&tensors, "layer.weight", 2, (int[]){2, 3}, NULL);
  const Tensor *offset = tensors_find(&tensors, "layer \"bias\"", 1, (int[]){2}, NULL);
  assert_true(weight && offset);
  assert_memory_equal(weight->values, weights, sizeof weights);
  assert_memory_equal(offset->values, bias, sizeof bias);
  assert_string_equal(tensors_metadata(&tensors, "body"), "human \xc3\xa9 \"\n");
  assert_string_equal(tensors_metadata(&tensors, "hash"), "9007199254740993");
  assert_null(tensors_metadata(&tensors, "clip"));
  char *again = tensors_write(&tensors, &again_size);
  assert_true(again && again_size == size && memcmp(again, bytes, size) == 0);
  free(again);
  tensors_free(&tensors);
  free(bytes);
}

// The header is what other programs write and expect: its size, then compact JSON, with spaces up to whole 8 bytes.
static void test_written_layout(void **state) {
  (void)state;
  static const char wanted[] = "{\"__metadata__\":{\"a\":\"b\"},\"x\":{\"dtype\":\"F32\",\"shape\":[2],"
                               "\"data_offsets\":[0,8]}}";
  static const float values[] = {1, 2};
  static Tensors written;
  written = (Tensors){.count = 1, .tensors = {{"x", 1, {2}, values}}, .metadata_count = 1, .metadata = {{"a", "b"}}};
  size_t size;
  char *bytes = tensors_write(&written, &size);
  assert_non_null(bytes);
  const size_t length = strlen(wanted), header = (length + 7) / 8 * 8;
  assert_true(header > length); // there are spaces
  assert_int_equal(size, 8 + header + sizeof values);
  assert_memory_equal(bytes, ((char[]){(char)header, 0, 0, 0, 0, 0, 0, 0}), 8);
  assert_memory_equal(bytes + 8, wanted, length);
  for (size_t i = length; i < header; i++)
    assert_true(bytes[8 + i] == ' ');
  assert_memory_equal(bytes + 8 + header, values, sizeof values);
  written.tensors[1] = (Tensor){"y", 1, {2}, values}; // what is beyond their number is not written
  written.metadata[1] = (TensorText){"c", "d"};
  size_t same_size;
  char *same = tensors_write(&written, &same_size);
  assert_true(same && same_size == size && memcmp(same, bytes, size) == 0);
  free(same);
  free(bytes);
}

// The names in any order, spaces behind the header, an unknown key, no metadata: as the format allows.
static void test_files_of_others(void **state) {
  (void)state;
  static const float values[] = {1, 2, 3, 4, 5, 6, 7};
  assert_true(read_made("{\"b\": {\"dtype\": \"F32\", \"shape\": [3], \"data_offsets\": [16, 28], \"note\": null},\n"
                        " \"a\": {\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}     ",
                        values, 7, NULL));
  assert_int_equal(tensors.count, 2);
  assert_string_equal(tensors.tensors[0].name, "a");
  const Tensor *a = tensors_find(&tensors, "a", 2, (int[]){2, 2}, NULL);
  const Tensor *b = tensors_find(&tensors, "b", 1, (int[]){3}, NULL);
  assert_true(a && b);
  assert_memory_equal(a->values, values, 4 * sizeof *values);
  assert_memory_equal(b->values, values + 4, 3 * sizeof *values);
  tensors_free(&tensors);
  assert_true(read_made("{}", NULL, 0, NULL));
  assert_int_equal(tensors.count, 0);
  tensors_free(&tensors);
}

static void test_another_shape_is_named(void **state) {
  (void)state;
  static const float values[] = {1, 2, 3, 4, 5, 6};
  assert_true(read_made("{\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}", values, 6, NULL));
  const struct {
    const char *name;
    int rank, shape[2];
    const char *problem;
  } cases[] = {{"w", 2, {3, 2}, "net.safetensors: tensor 'w' has the shape 2 x 3, wanted is 3 x 2"},
               {"w", 1, {2}, "net.safetensors: tensor 'w' has the shape 2 x 3, wanted is 2"},
               {"v", 1, {6}, "net.safetensors: there is no tensor 'v'"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    assert_null(tensors_find(&tensors, cases[i].name, cases[i].rank, cases[i].shape, &error));
    assert_string_equal(error.text, cases[i].problem);
  }
  tensors_free(&tensors);
}

static void test_bad_headers(void **state) {
  (void)state;
  static const char *const headers[] = {"", "[]", "{", "{} x", "null", "{\"a\":1"};
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    assert_refused(headers[i], NULL, 0, "the header is not a JSON object");
  assert_refused("{\"__metadata__\":7}", NULL, 0, "__metadata__ is not an object of texts");
  assert_refused("{\"__metadata__\":{\"k\":7}}", NULL, 0, "'k' in __metadata__ is not a text");
  assert_refused("{\"__metadata__\":{\"k\":\"a\",\"k\":\"b\"}}", NULL, 0, "'k' is twice in __metadata__");
}

#define F32 "\"dtype\":\"F32\","

static void test_bad_tensors(void **state) {
  (void)state;
  static const float values[] = {1, 2, 3, 4};
  static const struct {
    const char *header, *problem;
  } cases[] = {
      {"{\"a\":7}", "tensor 'a' has the dtype of no text, allowed is F32"},
      {"{\"a\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[0,16]}}",
       "tensor 'a' has the dtype F16, allowed is F32"},
      {"{\"a\":{" F32 "\"shape\":[],\"data_offsets\":[0,16]}}", "tensor 'a' has no shape of one or two lengths"},
      {"{\"a\":{" F32 "\"shape\":[1,2,2],\"data_offsets\":[0,16]}}", "tensor 'a' has no shape of one or two lengths"},
      {"{\"a\":{" F32 "\"shape\":4,\"data_offsets\":[0,16]}}", "tensor 'a' has no shape of one or two lengths"},
      {"{\"a\":{" F32 "\"shape\":[0],\"data_offsets\":[0,0]}}", "tensor 'a' has a shape that is not of whole numbers"},
      {"{\"a\":{" F32 "\"shape\":[-4],\"data_offsets\":[0,16]}}", "tensor 'a' has a shape that is not of whole"},
      {"{\"a\":{" F32 "\"shape\":[1e10],\"data_offsets\":[0,16]}}", "tensor 'a' has a shape that is not of whole"},
      {"{\"a\":{" F32 "\"shape\":[4]}}", "tensor 'a' has no data_offsets"},
      {"{\"a\":{" F32 "\"shape\":[4],\"data_offsets\":[0,8,16]}}", "tensor 'a' has no data_offsets"},
      {"{\"a\":{" F32 "\"shape\":[4],\"data_offsets\":[16,0]}}", "tensor 'a' has no data_offsets"},
      {"{\"a\":{" F32 "\"shape\":[4],\"data_offsets\":[0.5,16]}}", "tensor 'a' has no data_offsets"},
      {"{\"a\":{" F32 "\"shape\":[4],\"data_offsets\":[0,1e300]}}", "tensor 'a' has no data_offsets"},
      {"{\"a\":{" F32 "\"shape\":[5],\"data_offsets\":[0,20]}}", "tensor 'a' reaches beyond the end of the file"},
      {"{\"a\":{" F32 "\"shape\":[3],\"data_offsets\":[0,16]}}", "tensor 'a' has another number of values"},
      {"{\"a\":{" F32 "\"shape\":[4],\"data_offsets\":[0,15]}}", "tensor 'a' has another number of values"},
      {"{\"a\":{" F32 "\"shape\":[2147483647,2147483647],\"data_offsets\":[0,16]}}",
       "tensor 'a' has another number of values"},
      {"{\"a\":{" F32 "\"shape\":[3],\"data_offsets\":[0,12]},\"b\":{" F32 "\"shape\":[2],\"data_offsets\":[8,16]}}",
       "tensor 'b' overlaps another one"},
      {"{\"a\":{" F32 "\"shape\":[1],\"data_offsets\":[0,4]},\"b\":{" F32 "\"shape\":[2],\"data_offsets\":[8,16]}}",
       "tensor 'b' begins after bytes that belong to none"},
      {"{\"a\":{" F32 "\"shape\":[3],\"data_offsets\":[0,12]}}", "the last 4 bytes belong to no tensor"},
      {"{\"a\":{" F32 "\"shape\":[2],\"data_offsets\":[0,8]},\"a\":{" F32 "\"shape\":[2],\"data_offsets\":[8,16]}}",
       "tensor 'a' is there twice"},
      {"{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":{" F32
       "\"shape\":[4],\"data_offsets\":[0,16]}}",
       "has a name that is too long"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_refused(cases[i].header, values, 4, cases[i].problem);
}

static void test_values_are_finite(void **state) {
  (void)state;
  static const char header[] = "{\"w\":{" F32 "\"shape\":[2],\"data_offsets\":[0,8]},"
                               "\"v\":{" F32 "\"shape\":[2],\"data_offsets\":[8,16]}}";
  assert_refused(header, (float[]){1, 2, 3, NAN}, 4, "value 1 of tensor 'v' is not finite");
  assert_refused(header, (float[]){-INFINITY, 2, 3, 4}, 4, "value 0 of tensor 'w' is not finite");
}

// As many tensors or texts as there is room for are read, one more is refused.
static void test_at_most(void **state) {
  (void)state;
  static float values[TENSORS_MOST + 1];
  for (int count = TENSORS_MOST; count <= TENSORS_MOST + 1; count++) {
    char header[8192] = "{", texts[8192] = "{\"__metadata__\":{";
    for (int i = 0; i < count; i++) {
      const char *comma = i > 0 ? "," : "";
      snprintf(header + strlen(header), sizeof header - strlen(header),
               "%s\"t%d\":{" F32 "\"shape\":[1],\"data_offsets\":[%d,%d]}", comma, i, 4 * i, 4 * i + 4);
      snprintf(texts + strlen(texts), sizeof texts - strlen(texts), "%s\"k%d\":\"\"", comma, i);
    }
    strcat(header, "}");
    strcat(texts, "}}");
    if (count > TENSORS_MOST) {
      assert_refused(header, values, count, "more than 64 tensors");
      assert_refused(texts, NULL, 0, "more than 64 texts in __metadata__");
      continue;
    }
    assert_true(read_made(header, values, count, NULL));
    assert_int_equal(tensors.count, TENSORS_MOST);
    tensors_free(&tensors);
    assert_true(read_made(texts, NULL, 0, NULL));
    assert_int_equal(tensors.metadata_count, TENSORS_MOST);
    tensors_free(&tensors);
  }
}

// Cut off anywhere, a file is refused; nothing behind its end is read.
static void test_cut_off(void **state) {
  (void)state;
  size_t size;
  char *bytes = make_file("{\"a\":{" F32 "\"shape\":[2],\"data_offsets\":[0,8]}}", (float[]){1, 2}, 2, &size);
  for (size_t part = 0; part < size; part++) {
    char *cut = malloc(part > 0 ? part : 1);
    assert_non_null(cut);
    memcpy(cut, bytes + 1, part);
    Error error = {0};
    assert_false(tensors_read(&tensors, cut, part, "net.safetensors", &error));
    const char *problem = part < 8 ? "bytes only" : part < size - 8 ? "cut off" : "beyond the end";
    assert_non_null(strstr(error.text, problem));
    free(cut);
  }
  memset(bytes + 1, 0xff, 8); // a header of 2^64 - 1 bytes
  Error error = {0};
  assert_false(tensors_read(&tensors, bytes + 1, size, "net.safetensors", &error));
  assert_non_null(strstr(error.text, "header of 18446744073709551615 bytes"));
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip_is_exact),
      cmocka_unit_test(test_written_layout),
      cmocka_unit_test(test_files_of_others),
      cmocka_unit_test(test_another_shape_is_named),
      cmocka_unit_test(test_bad_headers),
      cmocka_unit_test(test_bad_tensors),
      cmocka_unit_test(test_values_are_finite),
      cmocka_unit_test(test_at_most),
      cmocka_unit_test(test_cut_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
