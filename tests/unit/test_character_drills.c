// What characters of all kinds come to with drawn parameters, on drawn ground, struck and led by drawn scripts: to nine
// digits. A drawing that is refused counts by its message.
#include "tests/unit/character_drill.h"
#include "tests/unit/drawn_drill.h"
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
    {"balance", MAN WALKS, 10, 0.8, 90, 1.4, true},
    {"balance at an edge", MAN WALKS ", intent: {speed: 0.7}", 12, 1.3, 50, 1.2, true},
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

enum { METRICS = CHARACTER_SUMS, REFUSED, DRAWN, SUMS };
static const char *const NAMES[SUMS] = {CHARACTER_SUM_NAMES, "metrics", "refused", "drawn"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {1.6213242437, 0.46800334585, -4.3257041295, 0.75891657846, 0.57587832969, -0.64454511174, -0.055219254629,
     3.2654713256, 0, 12.753164338},
    {5.4624768735, 0.44535248814, -4.7060194734, 0.61004137565, 0.97897762376, -0.7880168776, 0.04495887987,
     3.0289444492, 0, 15.362766411},
    {6.9881486423, 0.52984215939, 0.84737657457, 0.34498540525, 2.2875953093, 0, 2.6065445194, 0.24620171896, 0,
     38.650541867},
    {-3.7061316796, 0.44869956645, -1.3850436003, 0.74305471043, 2.3391351979, 0, 0.72924104837, 3.4910312206, 0,
     35.09929292},
    {-10.682396858, 0.62213165487, -0.28996682745, -0.60983816134, 0.38349440627, 0.14610122104, 1.3027279125,
     4.7077925658, 0, 8.0345096271},
    {7.3242950797, 0.3140296398, -1.6207747255, 0.4101348806, 2.5865681768, 0, 1.585894559, 3.3453654668, 0,
     17.204775924},
    {-9.2688031018, 0.54687492249, -6.2718951948, 0.48906025553, 2.5928764536, -0.57638336814, 0.1867151795,
     1.3181043594, 0, 18.567253293},
    {-0.23698825743, 0.64495855937, -0.035924755947, 1.0247187121, 2.2134461761, 1.842670654, 0.62643974315,
     5.0415635528, 0, 9.083052008},
    {20.801613763, -0.3171196305, -3.4816261707, -0.27379790608, -0.24644671353, 0, -0.058176723726, 2.5430613874, 0,
     110.55446801},
};

#define END_OF_FLOOR "terrain: {kind: mesh, file: floor.obj}\n"

// A floor that ends, with a step up and a hole in it.
static const char FLOOR[] =
    "v -0.9 0 -0.8\nv 0.9 0 -0.8\nv 0.9 0 0.35\nv -0.9 0 0.35\nv -0.9 0.08 0.35\nv 0.9 0.08 0.35\nv "
    "0.9 0.08 0.9\nv -0.9 0.08 0.9\nv -0.05 0 1.1\nv 1.2 0 1.1\nv 1.2 0 2.6\nv -0.05 0 2.6\n"
    "f 4 3 2 1\nf 5 6 3 4\nf 8 7 6 5\nf 12 11 10 9\n";

static const char *const GROUNDS[] = {
    "",
    "",
    "terrain: {kind: noise, amplitude: 0.05, wavelength: 0.7}\n",
    "terrain: {kind: slope, pitch: 6, roll: -3, start: -20}\n",
    "terrain: {kind: stairs, rise: 0.1, start: 0.3}\n",
    "terrain: {kind: blocks, amplitude: 0.04}\n",
    "platforms: [{name: p, size: [1.5, 0.2, 2], center: [0.3, 0.1, 1.2], radius: 0.3, period: 3, turn: 20}, {name: q, "
    "size: [0.4, 1, 0.4], center: [-0.8, 0.5, 1]}]\n",
    END_OF_FLOOR,
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
  const bool balances = strncmp(drill->name, "balance", 7) == 0, falls = strcmp(drill->name, "falls") == 0;
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
  files_put(&files, "floor.obj", FLOOR, sizeof FLOOR - 1);
  text_print(&text, "seed: %d\nduration: %g\nworld: {dt: 1/120}\n%s", rng_index(rng, 100), drill->seconds,
             strstr(drill->name, "edge") ? END_OF_FLOOR : GROUNDS[rng_index(rng, sizeof GROUNDS / sizeof *GROUNDS)]);
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

// Every tenth picture of a character.
static void add_drawn(const Character *character, long number, DrillSum *sum) {
  static DebugDraw draw;
  if (number % 10 != 0)
    return;
  debug_clear(&draw);
  character_debug(character, &draw);
  drill_add_drawn(sum, &draw);
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
    add_drawn(scene->characters[0], n, &sums[DRAWN]);
    means[DRAWN] += 10 * sums[DRAWN].sum / (double)(def->step_count * drill->scenes);
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
