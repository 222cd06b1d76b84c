// What men come to that are pushed over: how they guard themselves, lie, and get up by their clips, on a slope, on
// bumps and at a platform, helped by the assist. To nine digits.
#include "tests/unit/drill.h"
#include "tests/unit/renewed_scene.h"

typedef struct Drill {
  const char *name, *world, *character, *events; // YAML; of each event without its character
  double seconds;
  bool gets_up;
} Drill;

#define MAN "body: bodies/human.yaml, assist: {enabled: true, force: 700, torque: 250}, "

#define CLIPS "{prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml, "

static const Drill DRILLS[] = {
    {"forward, on bumps", "terrain: {kind: noise, amplitude: 0.05, wavelength: 0.8}",
     MAN "animation: {move: clips/walk.yaml, stand: clips/idle.yaml}, fall: " CLIPS "patience: 0.3, pace: 2}",
     "{kind: push, character: man, part: chest, time: 0.1, direction: 10, impulse: 220, duration: 0.1}", 4, true},
    {"backward, down a slope", "terrain: {kind: slope, pitch: 12, start: -20}",
     MAN "animation: {graph: graphs/human.yaml}, fall: " CLIPS "patience: 0.4, match_rate: 300}",
     "{kind: push, character: man, part: chest, time: 0.1, direction: 170, impulse: 220, duration: 0.1}, {kind: "
     "impulse, "
     "character: man, part: thigh_l, time: 2.9, direction: 60, impulse: 40}",
     3.6, true},
    {"aside, over a platform", "platforms: [{name: p, size: [1, 0.3, 2], center: [1, 0.15, 0]}]",
     MAN
     "animation: {move: clips/walk.yaml, stand: clips/idle.yaml}, start: {heading: 90}, intent: {speed: 0.8}, fall: "
     "{get_up: false}",
     "{kind: push, character: man, part: abdomen, time: 0.2, direction: 80, impulse: 200, duration: 0.1}", 2, false},
    {"on a high floor", "platforms: [{name: floor, size: [12, 2, 12], center: [0, 1, 0]}]",
     MAN "start: {position: [0, 2, 0]}, animation: {move: clips/walk.yaml, stand: clips/idle.yaml}, fall: " CLIPS
         "reach: 0.5, patience: 0.3, pace: 2}",
     "{kind: push, character: man, part: chest, time: 0.1, direction: 200, impulse: 90, duration: 0.1}", 3, true},
    {"up from the front", "terrain: {kind: slope, pitch: -4, roll: 3, start: -20}",
     MAN "animation: {move: clips/walk.yaml, stand: clips/idle.yaml}, fall: " CLIPS "patience: 0.2, pace: 1.6}",
     "{kind: push, character: man, part: chest, time: 0.1, direction: 20, impulse: 220, duration: 0.1}", 9, true},
    {"up from the back", "terrain: {kind: noise, amplitude: 0.02, wavelength: 1.2}",
     MAN "animation: {graph: graphs/human.yaml}, fall: " CLIPS "patience: 0.2, pace: 2}",
     "{kind: push, character: man, part: chest, time: 0.1, direction: 175, impulse: 240, duration: 0.1}", 9, true},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { MACHINE, GUARD, RISING, TARGET, BODY, SUMS };
static const char *const NAMES[SUMS] = {"machine", "guard", "rising", "target", "body"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.21611434495, 1.6663904496, 2.2566866899, -2.0530745639, -0.329623317},
    {0.284676742, 3.4350643616, 0.7599868459, 0.045923944277, 1.6542690891},
    {-0.22920125592, 0.72817113623, 0.52072654578, -0.79726293713, 0.078812316338},
    {0.13127398856, 1.8395411762, 1.0752307758, -2.0005041061, 1.3218726081},
    {-1.7174300189, 0.075907344369, 2.6685952472, -2.4829140113, -0.68770455627},
    {-1.9813807464, 1.1885394679, 2.6440538202, 0.6208505394, 0.61927358994},
};

static Scene *begin(const Drill *drill, SceneDef **def) {
  FileSet files = {0};
  char text[1500];
  snprintf(text, sizeof text, "seed: 3\nduration: %g\n%s\ncharacters: [{name: man, %s}]\nevents: [%s]\n",
           drill->seconds, drill->world, drill->character, drill->events);
  *def = shipped_def(drill->name, text, &files);
  return small_scene(*def);
}

static void add_pose(DrillSum *sum, const Pose *pose) {
  drill_add_floats(sum, pose->position[0].raw, 3);
  for (int i = 0; i < pose->count; i++)
    drill_add_floats(sum, pose->rotation[i].raw, 4);
}

static void add(const Character *man, DrillSum sums[SUMS]) {
  const CharacterFall *fall = &man->fall;
  const FallMachine *machine = &fall->machine;
  const double states[] = {(double)machine->state, (double)machine->reason, machine->time,  machine->loaded,
                           machine->still,         machine->stuck,          machine->tries, man->down};
  drill_add_all(&sums[MACHINE], states, 8);
  const double guard[] = {fall->guards, fall->landed, fall->fall_direction[0], fall->fall_direction[1]};
  drill_add_all(&sums[GUARD], guard, 4);
  if (machine->state != FALL_UPRIGHT)
    add_pose(&sums[GUARD], &fall->held_pose);
  const double rising[] = {
      (double)fall->clip_time, fall->assisted, fall->lift, fall->clip_gap, fall->facing, fall->since, fall->match,
      (double)fall->strength};
  drill_add_all(&sums[RISING], rising, 8);
  drill_add_floats(&sums[RISING], fall->tilt.raw, 4);
  add_pose(&sums[TARGET], &man->target);
  add_pose(&sums[BODY], &man->sensed.pose);
  drill_add_all(&sums[BODY], man->root.position, 3);
  drill_add(&sums[BODY], man->root.heading);
}

static void run(const Drill *drill, double means[SUMS]) {
  SceneDef *def;
  Scene *scene = begin(drill, &def);
  long down = 0, rises = 0;
  for (long i = 0; i < def->step_count; i++) {
    DrillSum sums[SUMS] = {{0}};
    if (i % 300 == 150)
      scene = renewed_scene(scene, def);
    assert_true(scene_step(scene));
    down += scene->characters[0]->down;
    rises += scene->characters[0]->fall.machine.state == FALL_RISING;
    add(scene->characters[0], sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (double)def->step_count;
  }
  assert_true(down > 60 && (rises > 60) == drill->gets_up);
  scene_destroy(scene);
  scene_def_free(def);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
