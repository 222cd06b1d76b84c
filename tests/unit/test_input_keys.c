// The table of keys: every action has a key, no key has two meanings, and every line is in the help once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "viewer/input.h"

static void test_every_action_has_a_key(void **state) {
  (void)state;
  for (int action = INPUT_NONE + 1; action < INPUT_ACTION_COUNT; action++) {
    int keys = 0;
    for (int i = 0; i < input_row_count; i++)
      keys += (int)input_rows[i].action == action && input_rows[i].key != 0;
    assert_true(keys > 0);
  }
}

static void test_every_key_does_what_its_row_says(void **state) {
  (void)state;
  for (int i = 0; i < input_row_count; i++)
    if (input_rows[i].key != 0)
      assert_int_equal(input_action(input_rows[i].key, input_rows[i].with), input_rows[i].action);
}

static void test_a_modifier_changes_the_meaning(void **state) {
  (void)state;
  assert_int_equal(input_action(SDLK_q, KMOD_NONE), INPUT_STRAFE_LEFT);
  assert_int_equal(input_action(SDLK_q, KMOD_LCTRL), INPUT_QUIT);
  assert_int_equal(input_action(SDLK_q, KMOD_LSHIFT), INPUT_STRAFE_LEFT);
  assert_int_equal(input_action(SDLK_RIGHT, KMOD_RSHIFT), INPUT_FORWARD);
  assert_int_equal(input_action(SDLK_F11, KMOD_NONE), INPUT_NONE);
  assert_int_equal(input_action(0, KMOD_NONE), INPUT_NONE);
}

static void test_lines_are_complete_and_grouped(void **state) {
  (void)state;
  assert_true(input_rows[0].keys[0] != '\0');
  for (int i = 0; i < input_row_count; i++) {
    // A row with keys has a meaning; a row without keys continues the line above.
    assert_int_equal(input_rows[i].keys[0] == '\0', input_rows[i].what[0] == '\0');
    assert_true(input_rows[i].keys[0] != '\0' || input_rows[i].key != 0);
    for (int k = 0; k < i; k++) {
      bool same_group = strcmp(input_rows[i].group, input_rows[k].group) == 0;
      if (same_group) // nothing else between two rows of a group
        for (int between = k; between < i; between++)
          assert_string_equal(input_rows[between].group, input_rows[i].group);
      if (same_group && input_rows[i].keys[0] != '\0')
        assert_string_not_equal(input_rows[i].keys, input_rows[k].keys);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_action_has_a_key),
      cmocka_unit_test(test_every_key_does_what_its_row_says),
      cmocka_unit_test(test_a_modifier_changes_the_meaning),
      cmocka_unit_test(test_lines_are_complete_and_grouped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
