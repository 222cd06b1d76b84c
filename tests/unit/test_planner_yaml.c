// Files of planners and policies: errors that name the place and what is allowed.
#include "planner_fixture.h"

#define LIMITS "limits: {slip: 1, shift: 1, jump: 10}\nmoves:\n"
#define STAND "  - {name: stand, clip: clips/idle.yaml, hold: true, phase: standing}\n"

static const char PLANNER[] =
    "planner: small\n"      // 1
    "sense: {horizon: 3}\n" // 2
    "fuzzy:\n"              // 3
    "  inputs:\n"           // 4
    "    way: {range: [-180, 180], terms: {right: [-180, -180, 0, 0], left: [0, 0, 180, 180]}}\n"
    "  outputs:\n"                                                             // 6
    "    turn: {range: [-90, 90], terms: {right: -45, left: 45}}\n"            // 7
    "    speed: {range: [0, 2], terms: {slow: 1}}\n"                           // 8
    "  rules:\n"                                                               // 9
    "    - {if: {way: right}, then: {turn: right, speed: slow}}\n"             // 10
    "    - {if: {way: left}, then: {turn: left}}\n"                            // 11
    "demand: {turn: [-45, 45], speed: [0, 1]}\n"                               // 12
    LIMITS                                                                     // 13, 14
        STAND                                                                  // 15
    "  - {name: walk, clip: clips/walk.yaml, mirror: true, phase: left_mid}\n" // 16
    "blends: [0.1, 0.25]\n"                                                    // 17
    "direct: {goal_sectors: 4, goal_distances: [1], obstacle_sectors: 4, obstacle_distances: [1, 2]}\n";

// A replacement in the text, and the error that it causes.
typedef struct ErrorCase {
  const char *old, *new, *error;
} ErrorCase;

static const ErrorCase PLANNER_ERRORS[] = {
    {"planner: small", "planer: small", ":1:1: unknown key 'planer'"},
    {"planner: small\n", "", ":1:1: 'planner', the name of the planner, is missing here"},
    {"planner: small", "planner: a/b", ":1:10: "},
    {"fuzzy:\n", "training:\n", ":1:1: 'fuzzy' is missing here"},
    {"\nmoves:\n", "\nfield:\n", ":1:1: 'moves' is missing here"},
    {"horizon: 3", "horizon: -3", ":2:18: "},
    {"horizon: 3", "horzon: 3", ":2:9: "},
    {"slip: 1", "slip: 2", ":13:16: "},
    // Rules (more of them: test_fuzzy.c).
    {"    way: {", "    wya: {", ":10:13: unknown variable 'way', did you mean 'wya'?"},
    {"    speed: {range: [0, 2], terms: {slow: 1}}\n", "", ":9:46: unknown variable 'speed'"},
    {"    turn: {range", "    trun: {range", ":10:33: unknown variable 'turn'"},
    {"{way: left}", "{way: lfet}", ":11:18: 'way' has no term 'lfet', did you mean 'left'?"},
    {"{way: left}", "{way: {a: b}}", ":11:18: expected a term, 'not' a term, or a list of terms"},
    {"{way: left}", "{way: [[left]]}", ":11:19: expected a term"},
    {"{way: left}", "{way: not rihgt}", ":11:18: 'way' has no term 'rihgt', did you mean 'right'?"},
    {"then: {turn: left}", "then: {turn: [left]}", ":11:38: expected a term"},
    {"{way: left}, then", "{way: left}, weight: 0, then", ":11:33: a weight must be above 0 and at most 1"},
    {"{way: left}, then", "{way: left}, weight: .nan, then", ":11:33: expected a number"},
    {"- {if: {way: left}, then: {turn: left}}", "- 5", ":11:7: expected a rule"},
    {"range: [0, 2]", "range: [0]", ":8:20: expected a list of 2 numbers, got a list of 1"},
    {"range: [0, 2]", "range: [0, .inf]", ":8:24: expected a"},
    {"{slow: 1}", "{slow: 9}", ":8:42: the term lies outside of the range 0 .. 2"},
    {"{slow: 1}", "{}", ":8:35: expected 1 to 12 terms"},
    {"{slow: 1}", "{not: 1}", ":8:36: 'not' cannot be the name of a term"},
    {"{slow: 1}", "{a_name_that_is_longer_than_31_bytes: 1}", ":8:36: the name is too long; at most 31 characters"},
    // Levels.
    {"speed: [0, 1]}", "speed: [1, 0]}", ":12:38: the numbers of 'speed' must rise and lie in -10 .. 10"},
    {"turn: [-45, 45]", "turn: [-45, 400]", ":12:22: the numbers of 'turn' must rise and lie in -360 .. 360"},
    {"turn: [-45, 45]", "turn: []", ":12:16: 'turn' must be a list of 1 to"},
    {"turn: [-45, 45], ", "", ":12:9: 'turn' is missing here"},
    {"demand: {turn: [-45, 45], speed: [0, 1]}", "demand: 5", ":12:9: 'demand' must be a map of keys and values"},
    {"blends: [0.1, 0.25]", "blends: [0.1, 9]", ":17:15: the numbers of 'blends' must rise and lie in 0.02 .. 2"},
    {"blends: [0.1, 0.25]\n", "", ":1:1: 'blends' is missing here"},
    {"goal_sectors: 4", "goal_sectors: 65", ":18:24: 'goal_sectors' must be 1 to 64"},
    {"goal_sectors: 4", "goal_sectors: 4.5", ":18:24: expected a whole number"},
    {"goal_sectors: 4, ", "", ":18:9: 'goal_sectors' is missing here"},
    {"[1, 2]}", "[2, 2]}", ":18:93: the numbers of 'obstacle_distances' must rise"},
    // Moves.
    {"clip: clips/walk.yaml, ", "", ":16:5: a move needs a 'clip'"},
    {"clips/walk.yaml", "wlak", ":16:24: there is no clip 'wlak'"},
    {", phase: left_mid", "", ":16:5: a move needs a 'phase'"},
    {"name: walk, ", "", ":16:5: a move needs a 'name'"},
    {"name: walk", "name: a.b", ":16:12: "},
    {"mirror: true", "mirror: 2", ":16:49: expected true or false"},
    {"mirror: true", "pace: 9", ":16:47: 9 is out of range, allowed is -4 to 4"},
    {"mirror: true", "pace: [1, 0]", ":16:47: a pace must be 0.05 to 4"},
    {"mirror: true", "pace: []", ":16:47: expected 1 to 16 numbers"},
    {"mirror: true", "bend: fast", ":16:47: expected a number"},
    {"mirror: true", "from: left_strkie", ":16:47: the clip has no mark 'left_strkie', did you mean 'left_strike'?"},
    {"mirror: true", "to: 99", ":16:5: a span must be 0 <= from < cancel <= to in a clip of"},
    {"mirror: true", "form: 0", ":16:41: unknown key 'form'"},
    {", hold: true", "", ":15:5: the planner begins with the first move: it needs 'hold: true'"},
    {LIMITS STAND,
     "limits: {slip: 0, shift: 0, jump: 0}\nmoves:\n" STAND
     "  - {name: half, clip: clips/walk.yaml, from: 0, to: 0.3, phase: a}\n",
     ":15:3: no move can follow 'half': feet or speed would jump"},
    {"moves:\n", "moves: 5\nmovse:\n", ":15:1: unknown key 'movse'"},
    {"  - {name: walk, clip: clips/walk.yaml, mirror: true, phase: left_mid}", "  - walk", ":16:5: expected a move"},
};

// The text with the first occurrence of one part replaced. The caller frees it.
static char *replaced(const char *text, const char *old, const char *new) {
  const char *place = strstr(text, old);
  if (!place)
    fail_msg("there is no %s", old);
  const size_t size = strlen(text) + strlen(new) + 1;
  char *result = malloc(size);
  assert_non_null(result);
  snprintf(result, size, "%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
  return result;
}

static PlannerDef *read_planner(GraphFixture *f, const char *text, Error *error) {
  char name[64];
  snprintf(name, sizeof name, "planner%d.yaml", f->text_count++);
  files_put(&f->files, name, text, strlen(text));
  return planner_def_read(&f->files, name, f->skeleton, fixture_find_clip, f, error);
}

static void planners_are_refused_with_a_place(void **state) {
  GraphFixture *f = *state;
  Error error = {0};
  PlannerDef *def = read_planner(f, PLANNER, &error);
  if (!def)
    fail_msg("%s", error.text);
  planner_def_free(def);
  for (size_t i = 0; i < sizeof PLANNER_ERRORS / sizeof PLANNER_ERRORS[0]; i++) {
    const ErrorCase *c = &PLANNER_ERRORS[i];
    error = (Error){0};
    char *text = replaced(PLANNER, c->old, c->new);
    def = read_planner(f, text, &error);
    if (def || !strstr(error.text, c->error))
      fail_msg("%s instead of %s\nshould say %s\nbut says %s", c->new, c->old, c->error, def ? "nothing" : error.text);
    free(text);
  }
}

static void too_many_moves_are_refused(void **state) {
  GraphFixture *f = *state;
  Error error = {0};
  const char *paces =
      "mirror: true, pace: [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4], bend: [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5]";
  char *text = replaced(PLANNER, "mirror: true", paces);
  assert_null(read_planner(f, text, &error));
  assert_non_null(strstr(error.text, "more than 192 moves"));
  free(text);
}

// The mirror image of steps to the left goes to the right, at the same speed.
static void mirrored_moves_go_to_the_other_side(void **state) {
  GraphFixture *f = *state;
  Error error = {0};
  fixture_make_clip(f, "sideways", true, 1, 2)->root_velocity_l = (vec3s){{0.4f, 0, 0.3f}};
  char *text = replaced(PLANNER, "clip: clips/walk.yaml", "clip: sideways");
  PlannerDef *def = read_planner(f, text, &error);
  free(text);
  if (!def) {
    fail_msg("%s", error.text);
    return;
  }
  const Move *found[2] = {NULL, NULL};
  for (int i = 0; i < def->moves.count; i++)
    if (strncmp(def->moves.moves[i].name, "walk", 4) == 0)
      found[def->moves.moves[i].mirrored] = &def->moves.moves[i];
  if (!found[0] || !found[1]) {
    fail_msg("no move and mirror image");
    return;
  }
  assert_true(fabs(found[0]->left - 0.4) < 1e-6 && found[1]->left == -found[0]->left);
  assert_true(found[1]->forward == found[0]->forward);
  planner_def_free(def);
}

// ---- Policies ----

static const char POLICY[] =
    "policy: fuzzy\n"                                      // 1
    "planner: small\n"                                     // 2
    "scene: \"field\"\n"                                   // 3
    "seed: 1\n"                                            // 4
    "version: \"1\"\n"                                     // 5
    "decisions: 30\n"                                      // 6
    "planned: 40\n"                                        // 7
    "episodes: 4\n"                                        // 8
    "reward: [-0.5, 3]\n"                                  // 9
    "inputs:\n"                                            // 10
    "  - {file: \"a.yaml\", hash: \"0123456789abcdef\"}\n" // 11
    "curve:\n"                                             // 12
    "  - [15, 2, 0.5, 0.25, 1.25, -0.5]\n"                 // 13
    "actions: [stand/0.1, stand/0.25, walk/0.1, walk/0.25, walk.mirrored/0.1, walk.mirrored/0.25]\n"
    "states: 12\n" // 15
    "table:\n"     // 16
    "  - {state: 2, is: \"x\", best: walk/0.1, values: [[0, -0.5, 3], [2, 0.5, 9]]}\n"
    "  - {state: 7, is: \"y\", best: stand/0.1, values: [[0, 1, 1]]}\n";

static const ErrorCase POLICY_ERRORS[] = {
    {"policy: fuzzy", "policy: fuzy", ":1:9: 'policy' must be fuzzy or direct"},
    {"policy: fuzzy", "policy: direct", ":15:9: the policy has 12 states, the planner 'small' has"},
    {"planner: small", "planner: \"a: b\"", ":2:10: 'a: b' cannot be a name"},
    {"seed: 1", "seed: -1", ":4:7: 'seed' must lie in 0 .. 2147483647, not -1"},
    {"decisions: 30", "decisions: 3e1", ":6:12: expected a whole number"},
    {"planned: 40", "planned: 99999999999", ":7:10: expected a whole number"},
    {"episodes: 4\n", "", ":1:1: 'episodes' is missing here"},
    {"reward: [-0.5, 3]", "reward: [-0.5]", ":9:9: expected a list of 2 numbers, got a list of 1"},
    {"reward: [-0.5, 3]", "reward: [.nan, 3]", ":9:10: expected a"},
    {"reward: [-0.5, 3]", "reward: [-0.5, 1e300]",
     ":9:16: the count of them must be a whole number in 0 .. 2147483647"},
    {"0123456789abcdef", "0123456789abcdeg", ":11:28: 'hash' must be 16 digits of 0 to 9 and a to f"},
    {"0123456789abcdef", "0123", ":11:28: 'hash' must be 16 digits"},
    {"file: \"a.yaml\"", "fil: \"a.yaml\"", ":11:6: unknown key 'fil'"},
    {"- {file: \"a.yaml\", hash: \"0123456789abcdef\"}", "- 5", ":11:5: expected {file, hash}"},
    {"[15, 2", "[-15, 2", ":13:6: the decisions must be a whole number in 0 .. 2147483647, not -15"},
    {"[15, 2", "[15, 2.5", ":13:10: the episodes must be a whole number in 0 .. 2147483647, not 2.5"},
    {"0.5, 0.25", "1.5, 0.25", ":13:13: the share of successes must be a number in 0 .. 1, not 1.5"},
    {"0.5, 0.25", "0.5, -0.25", ":13:18: the share of touches must be a number in 0 .. 1, not -0.25"},
    {"1.25, -0.5", "-1.25, -0.5", ":13:24: the path over the shortest must be a number in 0 .. "},
    {", -0.5]\n", "]\n", ":13:5: expected a list of 6 numbers, got a list of 5"},
    {"stand/0.25, ", "", ":14:10: the policy has other moves than the planner 'small', which has 6: train it anew"},
    {"[stand/0.1", "[sit/0.1", ":14:11: the policy's move 0 is not the planner's, 'stand/0.1': train it anew"},
    {"states: 12", "states: 11", ":15:9: the policy has 11 states, the planner 'small' has 12: train it anew"},
    {"states: 12", "states: -1", ":15:9: the policy has -1 states"},
    {"state: 2", "state: 12", ":17:13: 'state' must lie in 0 .. 11, not 12"},
    {"state: 2", "state: -2", ":17:13: 'state' must lie in 0 .. 11, not -2"},
    {"state: 2", "state: 7", ":18:13: states must rise, but 7 follows 7"},
    {"best: stand", "bset: stand", ":18:25: unknown key 'bset'"},
    {"[0, -0.5, 3]", "[6, -0.5, 3]", ":17:51: the action must be a whole number in 0 .. 5, not 6"},
    {"[0, -0.5, 3]", "[0.5, -0.5, 3]", ":17:51: the action must be a whole number in 0 .. 5, not 0.5"},
    {"[0, -0.5, 3]", "[0, -1e39, 3]", ":17:54: the value must be a number in -1e+36 .. 1e+36, not -1e+39"},
    {"[0, -0.5, 3]", "[0, -0.5, 5e9]", ":17:60: the count of visits must be a whole number in 0 .. 4294967295"},
    {"[0, -0.5, 3]", "[2, -0.5, 3]", ":17:65: actions must rise, but 2 follows 2"},
    {"[[0, 1, 1]]", "5", ":18:5: expected {state, is, best, values"},
    {"[[0, 1, 1]]", "[5]", ":18:51: expected a list of 3 numbers"},
    {"states: 12", "states: 12\nextra: 1", ":16:1: unknown key 'extra'"},
};

// The last values that are allowed, and lists without items.
static const char *const POLICY_ALLOWED[][2] = {
    {"inputs:\n  - {file: \"a.yaml\", hash: \"0123456789abcdef\"}\n", "inputs:\n"},
    {"inputs:\n  - {file: \"a.yaml\", hash: \"0123456789abcdef\"}\n", "inputs: []\n"},
    {"curve:\n  - [15, 2, 0.5, 0.25, 1.25, -0.5]\n", "curve:\n"},
    {"seed: 1", "seed: 2147483647"},
    {"planned: 40", "planned: 0"},
    {"reward: [-0.5, 3]", "reward: [-1e300, 2147483647]"},
    {"15, 2, 0.5, 0.25, 1.25, -0.5", "2147483647, 0, 1, 0, 0, -1e300"},
    {"15, 2, 0.5, 0.25, 1.25, -0.5", "0, 2147483647, 0, 1, 1e300, 1e300"},
    {"state: 2", "state: 0"},
    {"state: 7", "state: 11"},
    {"[2, 0.5, 9]", "[5, -1e36, 4294967295]"},
    {"[2, 0.5, 9]", "[5, 1e36, 0]"},
    {"[[0, 1, 1]]", "[]"},
};

static void policies_at_their_limits_are_read(void **state) {
  GraphFixture *f = *state;
  Error error = {0};
  PlannerDef *def = read_planner(f, PLANNER, &error);
  assert_non_null(def);
  for (size_t i = 0; i < sizeof POLICY_ALLOWED / sizeof POLICY_ALLOWED[0]; i++) {
    Policy policy;
    char *text = replaced(POLICY, POLICY_ALLOWED[i][0], POLICY_ALLOWED[i][1]);
    if (!policy_read(&policy, def, "policy.yaml", text, &error))
      fail_msg("%s: %s", POLICY_ALLOWED[i][1], error.text);
    policy_free(&policy);
    free(text);
  }
  planner_def_free(def);
}

static void policies_are_refused_with_a_place(void **state) {
  GraphFixture *f = *state;
  Error error = {0};
  PlannerDef *def = read_planner(f, PLANNER, &error);
  assert_non_null(def);
  Policy policy;
  if (!policy_read(&policy, def, "policy.yaml", POLICY, &error))
    fail_msg("%s", error.text);
  assert_true(*q_value(&policy.table, 2, 2) == 0.5f && *q_visits(&policy.table, 2, 2) == 9);
  policy_free(&policy);
  for (size_t i = 0; i < sizeof POLICY_ERRORS / sizeof POLICY_ERRORS[0]; i++) {
    const ErrorCase *c = &POLICY_ERRORS[i];
    error = (Error){0};
    char *text = replaced(POLICY, c->old, c->new);
    const bool good = policy_read(&policy, def, "policy.yaml", text, &error);
    if (good || !strstr(error.text, c->error) || !strstr(error.text, "policy.yaml"))
      fail_msg("%s instead of %s\nshould say %s\nbut says %s", c->new, c->old, c->error, good ? "nothing" : error.text);
    free(text);
  }
  planner_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planners_are_refused_with_a_place),   cmocka_unit_test(too_many_moves_are_refused),
      cmocka_unit_test(mirrored_moves_go_to_the_other_side), cmocka_unit_test(policies_at_their_limits_are_read),
      cmocka_unit_test(policies_are_refused_with_a_place),
  };
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
