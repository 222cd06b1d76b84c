// Whose contacts the library tells of: those of characters, with their parts, and those of things, which have neither.
#include "tests/unit/small_scene.h"

#include <stagger/stagger.h>

static void things_are_nobodys(void **state) {
  (void)state;
  static const char *const overrides[] = {"props.1.release=0", "props.1.center=[2, 0.3, 2]"};
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open("hit_props", overrides, 2, &error);
  if (!scene)
    fail_msg("%s", stagger_error_text(error));
  stagger_scene_step(scene, 240);
  StaggerContact contacts[64];
  int feet = 0, crate = 0;
  for (int step = 0; step < 24; step++) {
    stagger_scene_step(scene, 1);
    const int count = stagger_scene_contacts(scene, contacts, 64);
    assert_true(count > 0 && count <= 64);
    for (int i = 0; i < count; i++) {
      const StaggerContact *contact = &contacts[i];
      const bool at_the_crate = hypot(contact->position[0] - 2, contact->position[2] - 2) < 0.5;
      assert_int_equal(contact->character, at_the_crate ? -1 : 0);
      assert_true(at_the_crate ? contact->part == -1 : contact->part > 0);
      assert_true(contact->other_character == -1 && contact->other_part == -1);
      assert_near(contact->position[1], 0, 0.01);
      assert_near(contact->normal[1], 1, 1e-6);
      feet += !at_the_crate;
      crate += at_the_crate;
    }
  }
  assert_true(feet > 24 && crate >= 24);
  stagger_scene_close(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(things_are_nobodys)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
