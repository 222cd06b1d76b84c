// Motion on the floor: which parts a clip brings to the ground, and that these do not make its character one that fell.
#include "ragdoll/character/character_floor.h"
#include "tests/unit/skill_fixture.h"

#define FOLLOWER(clip)                                                                                                 \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, animation: {move: clips/" clip ".yaml},\n"                                 \
  "     assist: {enabled: true, force: 600, torque: 300}}\n"

// The parts on the floor, in the body's order.
static void check_parts(const char *text, const char *parts) {
  SceneDef *def = read_scene_text(text);
  const CharacterDef *man = &def->characters[0];
  char found[512] = "";
  for (int i = 0; i < man->body->part_count; i++)
    if (man->on_floor[i]) {
      strcat(found, man->body->parts[i].name);
      strcat(found, " ");
    }
  assert_string_equal(found, parts);
  assert_true(character_floor_goes(man) == (parts[0] != '\0'));
  scene_def_free(def);
}

static void test_parts_that_come_to_the_ground(void **state) {
  (void)state;
  check_parts(FOLLOWER("walk"), "");
  check_parts(FOLLOWER("get_up_prone"), "pelvis abdomen chest head hand_l hand_r thigh_l thigh_r shin_l shin_r ");
  check_parts(FOLLOWER("get_up_supine"),
              "pelvis abdomen chest head upper_arm_r forearm_r hand_l hand_r thigh_l thigh_r shin_l shin_r ");
}

// From lying on the face to hands and knees.
static void test_who_follows_his_clip_has_not_fallen(void **state) {
  (void)state;
  for (int follows = 1; follows >= 0; follows--) {
    SceneDef *def = read_scene_text(FOLLOWER("get_up_prone"));
    if (!follows)
      memset(def->characters[0].on_floor, 0, sizeof def->characters[0].on_floor);
    Error error = {0};
    Scene *scene = scene_create(def, &error);
    fixture_check(&error);
    step_scene(scene, 300);
    assert_true((scene->characters[0]->fall.machine.state == FALL_UPRIGHT) == (follows == 1));
    scene_destroy(scene);
    scene_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts_that_come_to_the_ground),
      cmocka_unit_test(test_who_follows_his_clip_has_not_fallen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
