// What skills see and do with each body, by name and to the letter: inputs, actions, their twins in the mirror and
// their units, for shipped bodies and for some without twins or stiffness.
#include "tests/fixture.h"

#include "ragdoll/skill/skill.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *body;
  double reach, farthest, leg_gain;
  bool lopsided, slack; // the first twins are none; joints without stiffness
  uint64_t table;       // digest
} Drill;

#define ARM(side, x)                                                                                                   \
  "  - name: arm_" side "\n    parent: base\n    mass: 1\n    com: [" x ", 1.2, 0]\n    inertia: [0.01, 0.01, 0.01]\n" \
  "    joint: {kind: universal, position: [" x ", 1, 0], twist_axis: y, stiffness: 50, damping: 1, strength: 9}\n"     \
  "    shapes: [{sphere: 0.1, center: [" x ", 1.2, 0]}]\n"

// Its first joint is that of an arm, and only the left arm carries a hand.
static const char PAIR[] =
    "name: pair\nparts:\n"
    "  - name: base\n    mass: 4\n    com: [0, 1, 0]\n    inertia: [0.05, 0.06, 0.07]\n"
    "    joint: {kind: root, position: [0, 1, 0]}\n    shapes: [{sphere: 0.2, center: [0, 1, 0]}]\n" ARM("l", "0.3")
        ARM("r", "-0.3") "    twin: arm_l\n"
                         "  - name: hand_l\n    parent: arm_l\n    mass: 0.3\n    com: [0.3, 1.4, 0]\n"
                         "    inertia: [0.002, 0.002, 0.002]\n"
                         "    joint: {kind: hinge, position: [0.3, 1.3, 0], twist_axis: x, strength: 3}\n"
                         "    shapes: [{sphere: 0.05, center: [0.3, 1.4, 0]}]\n";

static const Drill DRILLS[] = {
    {"pair", 0.5, 1, 1, false, false, 0x4713d00fbc6895d2},   {"human", 0.5, 1, 1, false, false, 0xe77119647a8d5476},
    {"human", 2, 0.4, 3, true, false, 0xc362600e2624272f},   {"human", 1, 5, 1, false, true, 0x80c5f8859d62419a},
    {"lizard", 0.5, 1, 2, false, false, 0xe8bf9ac75eed1e56}, {"lizard", 0.5, 1, 2, true, true, 0xe8bf9ac75eed1e56},
    {"spider", 1, 1, 1, false, false, 0xd9649052b22eaf5d},   {"winged", 1, 3, 1, false, false, 0x708167ca8e2de937},
    {"winged", 1, 3, 1, true, false, 0xbf668f923ff5f1ed},    {"human_scarf", 1, 1, 1, false, false, 0x728b92cf0e8e6034},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static void tell_channels(TextBuffer *text, const SkillChannel *channels, int count) {
  for (int i = 0; i < count; i++)
    text_print(text, "%s: %d %g\n", channels[i].name, channels[i].twin, (double)channels[i].sign);
}

static void tell_table(TextBuffer *text, const SkillTable *table) {
  tell_channels(text, table->inputs, table->input_count);
  tell_channels(text, table->actions, table->action_count);
  text_print(text, "%d %d %d, %.6g\n", table->error_at, table->rate_at, table->end_at, table->length);
  for (int i = 0; i < table->end_count; i++)
    text_print(text, "end %d\n", table->ends[i]);
  for (int i = 0; i < table->axis_count; i++)
    text_print(text, "axis %d %d\n", table->axis_part[i], table->axis[i]);
  for (int i = 0; i + 1 < table->action_count; i++)
    text_print(text, "unit %d %.6g\n", table->action_axis[i], (double)table->action_unit[i]);
}

static void alter(BodyDef *body, const Drill *drill) {
  int left = 0;
  for (int i = 1; i < body->part_count; i++) {
    if (drill->lopsided && body->parts[i].twin != i && left++ < 4)
      body->parts[i].twin = i;
    if (drill->slack && i % 3 == 0)
      body->parts[i].joint.stiffness = 0;
  }
}

static bool is_as_kept(const Drill *drill) {
  Error error = {0};
  FileSet files = {0};
  static SkillTable table;
  SkillParams params;
  TextBuffer text = {0};
  char path[64];
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  files_put(&files, "bodies/pair.yaml", PAIR, sizeof PAIR - 1);
  snprintf(path, sizeof path, "bodies/%s.yaml", drill->body);
  BodyDef *body = body_read(&files, path, &error);
  fixture_check(&error);
  alter(body, drill);
  param_defaults(&skill_params, &params);
  params.reach = drill->reach;
  params.farthest = drill->farthest;
  params.leg_gain = drill->leg_gain;
  if (skill_table_make(&table, body, &params, &error))
    tell_table(&text, &table);
  else
    text_print(&text, "%s", error.text);
  const uint64_t digest = text_digest(text.bytes);
  if (digest != drill->table)
    printf("%s: 0x%016llx\n%.200s\n", drill->body, (unsigned long long)digest, text.bytes);
  text_free(&text);
  body_free(body);
  files_free(&files);
  return digest == drill->table;
}

static void tables_to_the_letter(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++)
    wrong += !is_as_kept(&DRILLS[i]);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_to_the_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
