// Files of glTF whose buffers are files beside them: they are put inside.
#include "tests/fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "anim/motion/motion_internal.h"
#include "sim/base/base64.h"

static char folder[] = "/tmp/stagger_gather_XXXXXX";

static void write_file(const char *name, const void *bytes, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(bytes, 1, size, stream), size);
  fclose(stream);
}

// The text of a file with two buffers, as it stands in the set after it was gathered; NULL and an error.
static char *gathered(const char *name, const char *one, const char *other, Error *error) {
  char text[512];
  snprintf(text, sizeof text,
           "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,\"uri\":\"%s\"},"
           "{\"byteLength\":4,\"uri\":\"%s\"}],\"nodes\":[{\"rotation\":[0.1,0,0.70710678118654757,1]}]}",
           one, other);
  write_file(name, text, strlen(text));
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", folder);
  const File *file = files_read(&files, name, error);
  assert_non_null(file);
  const File *whole = motion_gather(&files, file, error);
  assert_true(!whole || whole == file);
  assert_int_equal(files.count, 1);
  char *copy = whole ? strdup(whole->bytes) : NULL;
  if (whole)
    assert_int_equal(strlen(whole->bytes), whole->size);
  files_free(&files);
  return copy;
}

static void buffers_beside_are_put_inside(void **state) {
  (void)state;
  Error error = {0};
  char *text = gathered("walk.gltf", "walk.bin", "more%20of%20it.bin", &error);
  fixture_check(&error);
  assert_string_equal(text, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,"
                            "\"uri\":\"data:application/octet-stream;base64,AQL/\"},"
                            "{\"byteLength\":4,\"uri\":\"data:application/octet-stream;base64,AAECAw==\"}],"
                            "\"nodes\":[{\"rotation\":[0.1,0,0.70710678118654757,1]}]}");
  free(text);
}

static void what_is_inside_stays(void **state) {
  (void)state;
  Error error = {0};
  char *text = gathered("inside.gltf", "data:,a", "data:application/octet-stream;base64,AQL/", &error);
  fixture_check(&error);
  assert_non_null(strstr(text, "\"uri\":\"data:,a\""));
  free(text);
  text = gathered("walk.json", "walk.bin", "walk.bin", &error); // another format
  assert_non_null(strstr(text, "\"uri\":\"walk.bin\""));
  free(text);
}

static void missing_buffers_are_named(void **state) {
  (void)state;
  static const struct {
    const char *uri, *error, *file; // what it looks for
  } cases[] = {{"none.bin", "bad.gltf: its buffer 'none.bin' cannot be read: ", "/none.bin: "},
               {"https://example.org/a.bin",
                "bad.gltf: its buffer 'https://example.org/a.bin' cannot be read, it is no file", ""},
               {"%", "bad.gltf: its buffer '%' cannot be read: ", "/%: "},
               {"%6x.bin", "bad.gltf: its buffer '%6x.bin' cannot be read: ", "/%6x.bin: "},
               {"%g1.bin", "bad.gltf: its buffer '%g1.bin' cannot be read: ", "/%g1.bin: "},
               {"%4A%4a.bin", "bad.gltf: its buffer '%4A%4a.bin' cannot be read: ", "/JJ.bin: "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Error error = {0};
    char *text = gathered("bad.gltf", "walk.bin", cases[i].uri, &error);
    assert_null(text);
    free(text);
    if (strncmp(error.text, cases[i].error, strlen(cases[i].error)) != 0 || !strstr(error.text, cases[i].file))
      fail_msg("'%s' is not '%s'", error.text, cases[i].error);
  }
}

static void base64_has_three_ends(void **state) {
  (void)state;
  static const char *const texts[] = {"", "AQ==", "AQL/", "/w=="};
  static const unsigned char bytes[] = {1, 2, 255, 255};
  static const size_t from[] = {0, 0, 0, 3}, sizes[] = {0, 1, 3, 1};
  for (int i = 0; i < 4; i++) {
    char *text = base64_text(bytes + from[i], sizes[i]);
    assert_string_equal(text, texts[i]);
    assert_int_equal(base64_size(sizes[i]), strlen(texts[i]));
    free(text);
  }
}

int main(void) {
  if (!mkdtemp(folder))
    return 1;
  write_file("walk.bin", "\x01\x02\xff", 3);
  write_file("more of it.bin", "\x00\x01\x02\x03", 4);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_beside_are_put_inside),
      cmocka_unit_test(what_is_inside_stays),
      cmocka_unit_test(missing_buffers_are_named),
      cmocka_unit_test(base64_has_three_ends),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  static const char *const names[] = {"walk.bin",    "more of it.bin", "walk.gltf",
                                      "inside.gltf", "walk.json",      "bad.gltf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
  return failed;
}
