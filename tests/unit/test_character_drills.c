// What characters of all kinds come to with drawn parameters, on drawn ground, struck and led by drawn scripts: to nine
// digits. A drawing that is refused counts by its message.
#include "tests/unit/character_drill.h"
#include "tests/unit/renewed_scene.h"

#include "ragdoll/reaction/hit_reaction.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *character; // YAML
  int scenes;
  double seconds, impulse, speed; // s; N s of the strongest push, m/s
  bool walks;                     // its script changes speed and heading
} Drill;

#define MAN "body: bodies/human.yaml, "
#define WALKS "animation: {move: clips/walk.yaml, stand: clips/idle.yaml, jump: clips/jump.yaml}"
#define GRAPH "animation: {graph: graphs/human.yaml}"
#define FEET ", layers: [{kind: foot_placement}, {kind: look_at, chain: [chest, head]}]"

static const Drill DRILLS[] = {
    {"balance", MAN WALKS, 8, 0.8, 90, 1.2, true},
    {"animated", MAN GRAPH FEET ", drive: {kinematic: true}", 6, 1, 60, 3, true},
    {"driven", MAN GRAPH FEET, 8, 0.8, 150, 3, true},
    {"falls", MAN WALKS ", start: {position: [0, 0.6, 0]}", 6, 1.2, 250, 0.5, true},
    {"biped", MAN "layers: [{kind: biped}]", 5, 0.8, 60, 1.5, true},
    {"skill", MAN "animation: {move: clips/walk.yaml}, skill: skills/walk.yaml", 5, 0.8, 60, 1, true},
    {"planner",
     MAN "planner: {def: planners/human.yaml, policy: planners/human_policy.yaml, goals: [[0, 3], [-1, -1]]}", 6, 1, 40,
     0, false},
    {"lizard",
     "body: bodies/lizard.yaml, layers: [{kind: stepper, spine: [spine_1, spine_2, chest]}, {kind: trailing, name: "
     "tail, chain: {from: tail_1, to: tail_6}, damp_seconds: 0.12}]",
     4, 0.6, 3, 0.6, true},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { METRICS = CHARACTER_SUMS, REFUSED, SUMS };
static const char *const NAMES[SUMS] = {CHARACTER_SUM_NAMES, "metrics", "refused"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.91159729709, 0.37582891982, -2.9952779501, 0.2845060068, 0.82482214375, -0.54412685158, 0.022876787237,
     3.3265826906, 0},
    {6.7517175379, 1.0842206057, 0.6836683757, 1.0944963742, 0.97274140943, 0, 2.56106709, -0.080765696065, 0},
    {-3.7496304606, 0.58337461619, -1.4919339214, 0.81393994084, 1.8739384945, 0, 0.60700113164, 3.3051278373, 0},
    {-10.552068556, 0.3389620774, -0.40920969807, -0.74225465514, 1.2418358436, 0.14756711347, 1.3206459785,
     4.8805537445, 0},
    {7.1884351605, 0.51877460159, -0.85371448657, 0.70278781254, 2.0175038239, 0, 1.5714538896, 3.417422866, 0},
    {-9.2652632611, 0.52765476373, -6.1027850818, 0.49213982137, 2.6748706075, -0.54431476023, 0.23634711827,
     1.6246189479, 0},
    {0.041900475741, 0.22010442993, 0.043272824369, 0.57567192917, 3.341545677, 1.7633307588, 0.452896706, 5.276094356,
     0},
    {20.796653284, -0.30209515638, -4.7175284306, -0.24294305619, -0.55122176265, 0, -0.23631171089, 3.365580719, 0},
};

static const char *const GROUNDS[] = {
    "",
    "",
    "terrain: {kind: noise, amplitude: 0.05, wavelength: 0.7}\n",
    "terrain: {kind: slope, pitch: 6, roll: -3, start: -20}\n",
    "terrain: {kind: stairs, rise: 0.1, start: 0.3}\n",
    "terrain: {kind: blocks, amplitude: 0.04}\n",
    "platforms: [{name: p, size: [1.5, 0.2, 2], center: [0.3, 0.1, 1.2], radius: 0.3, period: 3, turn: 20}, {name: q, "
    "size: [0.4, 1, 0.4], center: [-0.8, 0.5, 1]}]\n",
    "props: [{name: q, size: [0.3, 0.9, 0.3], mass: 4, center: [0.1, 0.45, 0.7]}, {name: r, size: [0.5, 2, 0.5], "
    "center: [0.9, 1, 1.4], fixed: true}]\n",
};

// A section of parameters of which some are drawn, a third to three times of their default.
static void add_section(TextBuffer *text, const ParamTable *table, const char *first, Rng *rng) {
  union {
    BalanceDef balance;
    FallDef fall;
    HitReactionDef hit;
    ResponsesDef responses;
    DriveDef drive;
    RootDef root;
    AssistDef assist;
  } values;
  param_defaults(table, &values);
  text_print(text, ", %s: {%s", table->name, first);
  int count = first[0] != '\0';
  for (int i = 0; i < table->count; i++) {
    const Param *row = &table->rows[i];
    const double share = rng_unit(rng), wanted = rng_unit(rng);
    if (row->type != PARAM_REAL || wanted > 0.3 || strcmp(row->name, "height") == 0)
      continue;
    double value;
    memcpy(&value, (const char *)&values + row->offset, sizeof value);
    value = value != 0 ? value * pow(3, 2 * share - 1) : row->min + share * fmin(row->max - row->min, 0.5);
    text_print(text, "%s%s: %.4g", count++ > 0 ? ", " : "", row->name, fmax(row->min, fmin(row->max, value)));
  }
  text_print(text, "}");
}

static void add_sections(TextBuffer *text, const Drill *drill, Rng *rng) {
  const bool balances = strcmp(drill->name, "balance") == 0, falls = strcmp(drill->name, "falls") == 0;
  if (!strstr(drill->character, "kinematic"))
    add_section(text, &drive_params, "", rng);
  add_section(text, &root_params, "", rng);
  if (rng_index(rng, 3) == 0)
    add_section(text, &assist_params, "enabled: true", rng);
  if (balances)
    add_section(text, &balance_params, "enabled: true", rng);
  if (falls)
    add_section(text, &fall_params, "prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml", rng);
  if (rng_index(rng, 2))
    add_section(text, &hit_reaction_params, "", rng);
  if (rng_index(rng, 2))
    add_section(text, &responses_params, "enabled: true", rng);
}

static void add_script(TextBuffer *text, const Drill *drill, Rng *rng) {
  text_print(text, ", script: [{time: 0, speed: %.4g, strafe: %.4g}", drill->speed * rng_range(rng, -0.4, 1),
             0.2 * drill->speed * rng_range(rng, -1, 1));
  for (int i = 1; i < 5; i++) {
    text_print(text, ", {time: %.4g, ", 0.2 * drill->seconds * i);
    const int kind = rng_index(rng, 5);
    if (kind < 2)
      text_print(text, "heading: %.4g}", rng_range(rng, -180, 180));
    else if (kind == 2)
      text_print(text, "look_yaw: %.4g, look_pitch: %.4g}", rng_range(rng, -80, 80), rng_range(rng, -50, 50));
    else if (kind == 3 && strstr(drill->character, "jump.yaml") && !strstr(drill->name, "balance"))
      text_print(text, "jump: {distance: %.4g}}", rng_range(rng, 0.2, 1));
    else
      text_print(text, "speed: %.4g}", drill->speed * rng_range(rng, -0.3, 1));
  }
  text_print(text, "]");
}

static SceneDef *draw_scene(const Drill *drill, Rng *rng, double *refused) {
  TextBuffer text = {0};
  FileSet files = {0};
  Error error = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  text_print(&text, "seed: %d\nduration: %g\nworld: {dt: 1/120}\n%s", rng_index(rng, 100), drill->seconds,
             GROUNDS[rng_index(rng, sizeof GROUNDS / sizeof *GROUNDS)]);
  text_print(&text, "characters: [{name: man, %s", drill->character);
  add_sections(&text, drill, rng);
  if (drill->walks)
    add_script(&text, drill, rng);
  text_print(&text, "}]\nevents: [");
  for (int i = 0; i < 2; i++)
    text_print(&text, "%s{character: man, kind: %s, direction: %.4g, elevation: %.4g, time: %.4g, impulse: %.4g}",
               i > 0 ? ", " : "", rng_index(rng, 2) ? "push" : "impulse", rng_range(rng, -180, 180),
               rng_range(rng, -20, 40), drill->seconds * rng_range(rng, 0, 0.6), drill->impulse * rng_unit(rng));
  text_print(&text, "]\n");
  SceneDef *def = scene_def_from_text("drill.yaml", text.bytes, &files, NULL, 0, &error);
  if (!def)
    *refused += (double)(text_digest(error.text) % 1000) / 1000;
  text_free(&text);
  return def;
}

static void run_one(const Drill *drill, Rng *rng, double means[SUMS]) {
  SceneDef *def = draw_scene(drill, rng, &means[REFUSED]);
  if (!def)
    return;
  Scene *scene = small_scene(def);
  for (long n = 0; n < def->step_count; n++) {
    DrillSum sums[SUMS] = {{0}};
    if (n == def->step_count / 2)
      scene = renewed_scene(scene, def);
    if (!scene_step(scene))
      break;
    drill_add_character(scene->characters[0], sums);
    for (int k = 0; k < CHARACTER_SUMS; k++)
      means[k] += sums[k].sum / (double)(def->step_count * drill->scenes);
  }
  scene_finish(scene);
  means[METRICS] += drill_metrics(scene->characters[0]) / drill->scenes;
  scene_destroy(scene);
  scene_def_free(def);
}

static void run(const Drill *drill, double means[SUMS]) {
  Rng rng = rng_make(1, drill->name);
  for (int i = 0; i < drill->scenes; i++)
    run_one(drill, &rng, means);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
