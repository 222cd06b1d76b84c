// The stream under saved states: it restores what was written, and refuses what does not fit without changing anything.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/state.h"

typedef struct Thing {
  double number, place[3];
  int index, *list, count, room;
  bool yes, flags[3];
  enum { RED, GREEN, BLUE } color;
  char name[8];
  float weights[2][3];
} Thing;

static void thing_state(Thing *thing, StateStream *stream) {
  state_section(stream, "thing", 2);
  STATE(stream, thing->number, thing->yes, thing->flags, thing->weights);
  state_finite(stream, thing->place, 3);
  state_int(stream, &thing->index, -1, 9);
  STATE_CHOICE(stream, thing->color, BLUE + 1);
  state_text(stream, thing->name, sizeof thing->name);
  state_array(stream, &thing->list, &thing->count, &thing->room, sizeof *thing->list);
}

static Thing a_thing(void) {
  Thing thing = {.number = (double)NAN,
                 .place = {1, -2, 3e300},
                 .index = -1,
                 .count = 3,
                 .room = 3,
                 .yes = true,
                 .flags = {true, false, true},
                 .color = BLUE,
                 .name = "seven..",
                 .weights = {{1, 2, 3}, {4, 5, 6}}};
  thing.list = malloc(3 * sizeof(int));
  memcpy(thing.list, (int[]){7, 8, 9}, 3 * sizeof(int));
  return thing;
}

static size_t save(Thing *thing, unsigned char *bytes, size_t room) {
  StateStream counter = state_stream_count(), stream = state_stream_save(bytes, room, NULL);
  thing_state(thing, &counter);
  thing_state(thing, &stream);
  assert_false(stream.failed);
  assert_int_equal(counter.at, stream.at);
  return stream.at;
}

// The error of restoring a thing, "" if it is restored.
static const char *refusal(Thing *thing, const unsigned char *bytes, size_t size) {
  static Error error;
  error = (Error){0};
  StateStream stream = state_stream_restore(bytes, size, &error);
  thing_state(thing, &stream);
  assert_true(stream.failed == (error.text[0] != '\0'));
  assert_true(stream.at <= size);
  return error.text;
}

static void test_written_values_are_restored(void **state) {
  (void)state;
  unsigned char bytes[512], again[512];
  Thing thing = a_thing(), other = {.count = 0};
  size_t size = save(&thing, bytes, sizeof bytes);
  assert_string_equal(refusal(&other, bytes, size), "");
  assert_true(isnan(other.number) && other.place[2] == 3e300 && other.index == -1 && other.color == BLUE);
  assert_true(other.yes && other.flags[0] && !other.flags[1] && other.flags[2]);
  assert_string_equal(other.name, "seven..");
  assert_true(other.weights[1][2] == 6);
  assert_int_equal(other.count, 3);
  assert_memory_equal(other.list, thing.list, 3 * sizeof(int));
  assert_int_equal(save(&other, again, sizeof again), size);
  assert_memory_equal(bytes, again, size);
  free(thing.list);
  free(other.list);
}

static void test_every_truncation_is_detected(void **state) {
  (void)state;
  unsigned char bytes[512];
  Thing thing = a_thing();
  size_t size = save(&thing, bytes, sizeof bytes);
  for (size_t shorter = 0; shorter < size; shorter++) {
    Thing other = {.count = 0};
    unsigned char *exact = malloc(shorter + 1); // so that a sanitizer detects a byte too many
    memcpy(exact, bytes, shorter);
    assert_non_null(strstr(refusal(&other, exact, shorter), "damaged in section thing"));
    free(exact);
    free(other.list);
  }
  StateStream small = state_stream_save(bytes, 10, NULL);
  thing_state(&thing, &small);
  assert_true(small.failed);
  free(thing.list);
}

// The offset of the thing's values behind the section's tag.
enum { TAG = 16, YES = TAG + 8, PLACE = YES + 1 + 3 + 24, INDEX = PLACE + 24, COLOR = INDEX + 4, NAME = COLOR + 4 };

static void test_values_out_of_range_are_refused(void **state) {
  (void)state;
  unsigned char good[512], bytes[512];
  Thing thing = a_thing();
  size_t size = save(&thing, good, sizeof good);
  const int ten = 10, three = 3, minus = -5, many = 1 << 30;
  const double none = (double)INFINITY;
  struct {
    size_t at, size;
    const void *value;
    const char *text;
  } wrong[] = {
      {YES, 1, "\2", "2 is neither true nor false"},
      {YES + 2, 1, "\377", "255 is neither true nor false"},
      {PLACE + 8, 8, &none, "a number is not finite"},
      {INDEX, 4, &ten, "10 is out of range, allowed is -1 to 9"},
      {COLOR, 4, &three, "3 is out of range, allowed is 0 to 2"},
      {COLOR, 4, &minus, "-5 is out of range, allowed is 0 to 2"},
      {NAME, 4, &ten, "10 is out of range, allowed is 0 to 7"},
      {NAME + 4 + 7, 4, &many, "a list of 1073741824 cannot be there"},
      {NAME + 4 + 7, 4, &minus, "-5 is out of range"},
      {0, 1, "x", "something else stands where it should begin"},
      {12, 1, "\3", "it is of another version than 2"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Thing other = {.index = 5, .color = GREEN};
    memcpy(bytes, good, size);
    memcpy(bytes + wrong[i].at, wrong[i].value, wrong[i].size);
    const char *text = refusal(&other, bytes, size);
    if (!strstr(text, wrong[i].text))
      fail_msg("'%s' where '%s' was expected", text, wrong[i].text);
    assert_true(other.index == 5 || other.index == -1);
    assert_true(other.color == GREEN || other.color == BLUE);
    assert_true(other.count == 0);
    free(other.list);
  }
  free(thing.list);
}

static void test_facts_must_be_equal(void **state) {
  (void)state;
  unsigned char bytes[64];
  Error error = {0};
  StateStream saved = state_stream_save(bytes, sizeof bytes, NULL);
  state_same(&saved, 12, "legs");
  StateStream same = state_stream_restore(bytes, saved.at, NULL), other = state_stream_restore(bytes, saved.at, &error);
  state_same(&same, 12, "legs");
  state_same(&other, 13, "legs");
  assert_false(same.failed);
  assert_true(other.failed);
  assert_non_null(strstr(error.text, "legs: 12 there, 13 here"));
}

static void test_checksums_tell_bits_apart(void **state) {
  (void)state;
  unsigned char bytes[100];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(7 * i);
  for (size_t size = 0; size < sizeof bytes; size++) {
    uint64_t sum = state_checksum(bytes, size);
    assert_true(sum != state_checksum(bytes, size + 1));
    for (size_t bit = 0; bit < 8 * size; bit++) {
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
      assert_true(sum != state_checksum(bytes, size));
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
  }
}

// A list without items may have no memory at all.
static void test_nothing_is_saved_of_nothing(void **state) {
  (void)state;
  unsigned char bytes[8] = {7};
  StateStream saved = state_stream_save(bytes, sizeof bytes, NULL);
  state_bytes(&saved, NULL, 0);
  StateStream restored = state_stream_restore(bytes, sizeof bytes, NULL);
  state_bytes(&restored, NULL, 0);
  StateStream counted = state_stream_count();
  state_bytes(&counted, NULL, 0);
  assert_false(saved.failed || restored.failed || counted.failed);
  assert_true(saved.at == 0 && restored.at == 0 && counted.at == 0 && bytes[0] == 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_written_values_are_restored),     cmocka_unit_test(test_every_truncation_is_detected),
      cmocka_unit_test(test_values_out_of_range_are_refused), cmocka_unit_test(test_facts_must_be_equal),
      cmocka_unit_test(test_checksums_tell_bits_apart),       cmocka_unit_test(test_nothing_is_saved_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
