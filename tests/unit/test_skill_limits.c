// How many joints a body may have for a skill: a network has 256 inputs and 64 outputs at most. Tables of bodies whose
// joints come in an unusual order, or are no pairs.
#include "ragdoll/skill/skill.h"
#include "tests/fixture.h"

// Whether a table fits a chain of links that hangs from a pelvis; `axes`: of all its joints but the last one, two or
// three of each; `last`: of the last one.
//
// Inputs are 16 for the pelvis, 12 for two legs, 6 for the command, 3 for the chain's end, 1 for each link, 2 for each
// axis and 1 for each action. Actions are the axes of all joints but the last one, whose link carries nothing, and the
// pace.
static bool make_table(const Fixture *f, int links, int axes, int last, SkillTable *table, Error *error) {
  static const JointKind kinds[] = {JOINT_HINGE, JOINT_UNIVERSAL, JOINT_BALL};
  static BodyDef chain;
  SkillParams params;
  param_defaults(&skill_params, &params);
  chain = *f->body;
  snprintf(chain.name, sizeof chain.name, "chain");
  chain.part_count = links + 1;
  for (int i = 1; i <= links; i++) {
    const int turning = i == links ? last : i <= axes - 2 * (links - 1) ? 3 : 2;
    chain.parts[i] = f->body->parts[1];
    chain.parts[i].parent = i - 1;
    chain.parts[i].twin = i;
    chain.parts[i].foot = false;
    chain.parts[i].joint.kind = kinds[turning - 1];
    snprintf(chain.parts[i].name, sizeof chain.parts[i].name, "link%d", i);
  }
  return skill_table_make(table, &chain, &params, error);
}

static void test_the_largest_bodies_fit(void **state) {
  const Fixture *f = *state;
  static SkillTable table;
  Error error = {0};
  assert_true(make_table(f, 31, 61, 2, &table, &error));
  assert_int_equal(table.input_count, 256);
  assert_int_equal(table.action_count, 62);
  assert_string_equal(table.inputs[255].name, "last pace");
  assert_true(make_table(f, 25, 63, 1, &table, &error));
  assert_int_equal(table.input_count, 254);
  assert_int_equal(table.action_count, 64);
}

static void test_larger_bodies_are_refused(void **state) {
  const Fixture *f = *state;
  static const struct {
    int links, axes, last;
    int inputs, actions;              // in the table, which has no place for more of these
  } large[] = {{31, 62, 1, 257, 63},  // one input too many
               {23, 64, 1, 253, 63},  // one action too many, so that the pace has none
               {31, 90, 3, 317, 63}}; // many more of both
  static SkillTable table;
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    Error error = {0};
    assert_false(make_table(f, large[i].links, large[i].axes, large[i].last, &table, &error));
    assert_string_equal(error.text, "chain: the body has too many joints for a skill, which has at most 256 inputs and "
                                    "64 actions");
    assert_int_equal(table.input_count, large[i].inputs);
    assert_int_equal(table.action_count, large[i].actions);
  }
}

static void check_channels(const SkillChannel channels[], int count) {
  for (int i = 0; i < count; i++) {
    assert_in_range(channels[i].twin, 0, count - 1);
    assert_int_equal(channels[channels[i].twin].twin, i);
  }
}

// The first joint is one of a pair; a joint without stiffness is turned by nothing. An action whose twin does not act,
// as the chest's if it were paired with the head, is its own.
static void test_unusual_pairs(void **state) {
  const Fixture *f = *state;
  static SkillTable table;
  static BodyDef body;
  SkillParams params;
  Error error = {0};
  param_defaults(&skill_params, &params);
  const int soft = fixture_part(f, "shin_l"), head = fixture_part(f, "head"), chest = fixture_part(f, "chest");
  body = *f->body;
  body.parts[1].twin = 2;
  body.parts[2].twin = 1;
  body.parts[2].joint = body.parts[1].joint;
  body.parts[soft].joint.stiffness = 0;
  assert_true(skill_table_make(&table, &body, &params, &error));
  int turned = 0;
  for (int i = 0; i < table.action_count - 1; i++)
    if (table.axis_part[table.action_axis[i]] == soft)
      turned += table.action_unit[i] == 0 ? 1 : 100;
  assert_int_equal(turned, 1);
  check_channels(table.inputs, table.input_count);
  check_channels(table.actions, table.action_count);
  assert_true(table.inputs[table.error_at].twin != table.error_at);
  body = *f->body;
  body.parts[head].twin = chest;
  body.parts[chest].twin = head;
  body.parts[head].joint = body.parts[chest].joint;
  assert_true(skill_table_make(&table, &body, &params, &error));
  check_channels(table.actions, table.action_count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_largest_bodies_fit),
      cmocka_unit_test(test_larger_bodies_are_refused),
      cmocka_unit_test(test_unusual_pairs),
  };
  return cmocka_run_group_tests(tests, fixture_set_up_body, fixture_tear_down_body);
}
