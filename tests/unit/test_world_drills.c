// What short falls, pushes and rides come to by every solver: bodies of two parts and of men, objects, platforms with a
// mass, on ropes and on axles, joints with rotors, contacts of all kinds, from the middle on in another scene
// that gets the state. To nine digits.
#include "ragdoll/body/ragdoll.h"
#include "tests/unit/drill.h"
#include "tests/unit/renewed_scene.h"

typedef struct Drill {
  const char *name, *text; // YAML: of the scene, without its solver
  double seconds;
} Drill;

// A hinge and a universal joint with rotors behind their gears, of which one axis has none, and a ball without any.
static const char GEARED[] =
    "name: geared\n"
    "parts:\n"
    "  - name: base\n"
    "    mass: 3\n"
    "    com: [0, 1, 0]\n"
    "    inertia: [0.05, 0.06, 0.07]\n"
    "    products: [0.01, -0.01, 0.005]\n"
    "    joint: {kind: root, position: [0, 1, 0]}\n"
    "    shapes: [{box: [0.2, 0.3, 0.3], center: [0, 1, 0], turn: [10, 0, 20]}]\n"
    "  - name: arm\n"
    "    parent: base\n"
    "    mass: 1\n"
    "    com: [0, 1.4, 0]\n"
    "    inertia: [0.02, 0.02, 0.02]\n"
    "    joint: {kind: universal, position: [0, 1.2, 0], twist_axis: y, x: [-60, 40], z: [-30, 50], stiffness: 40, "
    "damping: 2, strength: 8, armature: [0.05, 0, 0]}\n"
    "    shapes: [{capsule: [0.05, 0.2], axis: y, center: [0, 1.4, 0]}]\n"
    "  - name: hand\n"
    "    parent: arm\n"
    "    mass: 0.5\n"
    "    com: [0, 1.65, 0]\n"
    "    inertia: [0.003, 0.003, 0.003]\n"
    "    joint: {kind: hinge, position: [0, 1.55, 0], twist_axis: x, x: [-90, 20], stiffness: 10, damping: 1, "
    "strength: 3, armature: [0.02, 0, 0]}\n"
    "    shapes: [{sphere: 0.08, center: [0, 1.65, 0]}]\n"
    "  - name: tail\n"
    "    parent: base\n"
    "    mass: 0.7\n"
    "    com: [0, 0.7, -0.2]\n"
    "    inertia: [0.004, 0.004, 0.004]\n"
    "    joint: {kind: ball, position: [0, 0.85, -0.1], twist_axis: x, x: [-20, 30], y: [-25, 10], z: [-10, 35], "
    "strength: 5}\n"
    "    shapes: [{box: [0.1, 0.2, 0.1], center: [0, 0.7, -0.2]}]\n";

#define NO_GRAVITY "gravity: [0, 0, 0], "

static const Drill DRILLS[] = {
    {"two parts in flight",
     "world: {" NO_GRAVITY
     "%s}\nevents: [{kind: impulse, time: 0.02, character: a, part: top, impulse: 5, direction: 50, "
     "elevation: 30}]\ncharacters: [{name: a, body: boxes.yaml, start: {position: [0, 2, 0]}, drive: {enabled: "
     "false}}]",
     0.5},
    {"gears in flight",
     "world: {" NO_GRAVITY "%s}\nevents: [{kind: impulse, time: 0.02, character: a, part: hand, impulse: 2, direction: "
     "-70, elevation: 20}]\ncharacters: [{name: a, body: geared.yaml, start: {position: [0, 2, 0], heading: 30}}]",
     0.5},
    {"falls and stacks",
     "world: {%s}\nterrain: {kind: stairs, rise: 0.1, start: 0.2, cell: 0.1}\ncharacters: [{name: a, body: "
     "geared.yaml, "
     "start: {position: [0, 0.1, 0.1]}}, {name: b, body: boxes.yaml, start: {position: [0.3, 0.4, 0], heading: 40}, "
     "drive: {enabled: false}}]\nprops: [{name: p, size: [0.5, 0.2, 0.4], mass: 2, center: [0.1, 2.2, 0.1]}, {name: q, "
     "shape: ball, size: [0.3, 0.3, 0.3], mass: 1, center: [-0.1, 2.7, 0]}]",
     0.6},
    {"rides and swings",
     "world: {%s, friction: 0.3, contact_erp: 0.4, contacts_per_pair: 2}\nplatforms: [{name: l, size: [1, 0.1, 1], "
     "center: "
     "[0, 0.3, 0], radius: 0.3, turn: 60, ease: 0.2}, {name: s, size: [1, 0.1, 2], center: [3, 0.4, 0], mass: 8, "
     "hinge: "
     "[0, 0, 0.1], axle: [1, 0, 0.2], decay: 0.5}, {name: r, size: [0.8, 0.1, 0.8], center: [-3, 0.6, 0], mass: 5}]\n"
     "ropes: [{from: r, at: [0.4, 0, 0.4], to: post, to_at: [0, 0, 0], stiffness: 2e4, damping: 100}]\nprops: [{name: "
     "post, "
     "size: [0.1, 2, 0.1], center: [-2.6, 1, 0.4], fixed: true}, {name: w, size: [0.3, 0.3, 0.3], mass: 4, center: [3, "
     "0.8, "
     "0.6]}, {name: bag, shape: ball, size: [0.4, 0.4, 0.4], mass: 5, center: [0.5, 1.5, 0.8], anchor: [0, 2.5, 0]}]\n"
     "characters: [{name: a, body: boxes.yaml, start: {position: [0, 0.35, 0]}}]",
     0.6},
    {"a man falls",
     "world: {%s, dt: 1/120}\nterrain: {kind: noise, amplitude: 0.1}\nevents: [{kind: push, time: 0.02, character: a, "
     "part: chest, impulse: 80, duration: 0.05, direction: 200}]\ncharacters: [{name: a, body: bodies/human.yaml, "
     "drive: "
     "{enabled: false}, start: {position: [0, 0.1, 0]}}]",
     0.7},
    {"a man is driven",
     "world: {%s}\nevents: [{kind: impulse, time: 0.05, character: a, part: upper_arm_l, impulse: 12, direction: 90}]\n"
     "characters: [{name: a, body: bodies/human.yaml, animation: {move: clips/walk.yaml}, intent: {speed: 1.2}, "
     "assist: "
     "{enabled: true}, actual: {mass: 1.2}}]",
     0.3},
    {"a man with slow muscles who is unsure",
     "world: {%s}\nevents: [{kind: impulse, time: 0.05, character: a, part: shin_r, impulse: 8, direction: -90}]\n"
     "characters: [{name: a, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3}, assist: "
     "{enabled: true}, drive: {muscle_rise: 0.03, muscle_fall: 0.05, muscle_rate: 20, noise_joints: 2, noise_trunk: 1, "
     "noise_turn: 3, noise_time: 0.05, reflex_delay: 0.04, feed_forward: 0.7, stiffness: 1.5, damping: 0.8}}]",
     0.4},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS, SOLVERS = 4 };

static const char *const SOLVED[SOLVERS] = {"solver: step", "solver: step, motor_limits: always",
                                            "solver: iterative, iterations: 30", "solver: reduced"};

enum { PLACES, TURNS, RATES, FORCES, CONTACTS, SUMS };
static const char *const NAMES[SUMS] = {"places", "turns", "rates", "forces", "contacts"};
static const double OUTCOMES[DRILL_COUNT][SOLVERS][SUMS] = {
    {
        {-1.522887081, 0.49671930551, -4.4895207447, 0.0010697691525, 0},
        {-1.522887081, 0.49671930551, -4.4895207447, 0.0010697691525, 0},
        {-1.522887081, 0.49671930551, -4.4895207447, 0.0010697691525, 0},
        {-1.522759894, 0.49679685907, -4.4952392028, 0.0010697690836, 0},
    },
    {
        {-1.9264478542, 0.73995330471, -0.89558309272, -0.030625117119, 0},
        {-1.9264478542, 0.73995330471, -0.89558309272, -0.030625117119, 0},
        {-1.9264478543, 0.73995330656, -0.89558312028, -0.03062511692, 0},
        {-1.926884071, 0.74012530669, -0.89861660757, -0.030606843046, 0},
    },
    {
        {0.39306008282, 0.71556143564, 1.1336042105, 0.12503882405, 0.16847834206},
        {0.39305942098, 0.7155775957, 1.1336189496, 0.12503571683, 0.16847870584},
        {0.39272546772, 0.67932040804, 1.3386609373, 0.11350759711, 0.2214084244},
        {0.39740797281, 0.73124626391, 1.0226884647, 0.12118299573, 0.34173246313},
    },
    {
        {-6.0853250482, 0.59851170287, -2.8848314919, 0.010743631628, -1.328682064},
        {-6.0853250482, 0.59851170287, -2.8848314919, 0.010743631628, -1.328682064},
        {-6.0845240648, 0.6004399636, -2.8502365809, 0.010606722714, -1.3574744376},
        {-6.0865173704, 0.59745620049, -2.8922706127, 0.010609992066, -0.98671817369},
    },
    {
        {-0.081490722075, 1.51332014, 5.497783879, 0.61188633076, -0.47449053634},
        {-0.081046712151, 1.5062141899, 5.220463781, 0.61188633076, -0.52376319342},
        {-0.12827830343, 1.707760061, 4.4415874833, 0.61188633076, -1.3787706788},
        {-0.078111772695, 1.6752949468, 3.3251293041, 0.61186875666, -0.39170166131},
    },
    {
        {-2.0051542589, 1.0665291678, -2.8877462395, 0.075688261625, -8.0558699303},
        {-2.0051542589, 1.0665291678, -2.8877462395, 0.075688261625, -8.0558699303},
        {-2.005554534, 1.0627272006, -2.9045154539, 0.15811423968, -8.4012433473},
        {-2.0043028196, 1.0664256252, -2.8883802691, 0.065609905392, -8.2437778741},
    },
    {
        {-0.96553174299, 0.95476343713, -4.0653466783, -1.0486390955, -2.9101147743},
        {-0.96553176913, 0.95476346638, -4.0653364888, -1.0486383193, -2.9101015692},
        {-0.9714459673, 0.97053565379, -3.9279490266, -0.96227293482, -4.2080092817},
        {-0.96413449955, 0.95303077969, -4.0736059934, -1.0512960711, -3.2463175168},
    }};

static SceneDef *read_drill(const Drill *drill, int solver) {
  FileSet files = {0};
  char text[2500];
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  files_put(&files, "geared.yaml", GEARED, sizeof GEARED - 1);
  const char *at = strstr(drill->text, "%s");
  snprintf(text, sizeof text, "seed: 2\nduration: %g\n%.*s%s%s\n", drill->seconds, (int)(at - drill->text), drill->text,
           SOLVED[solver], at + 2);
  return shipped_def(drill->name, text, &files);
}

static void add(const Scene *scene, DrillSum sums[SUMS]) {
  const World *world = scene->world;
  for (int i = 0; i < world->body_count; i++) {
    dBodyID body = world->bodies[i].ode;
    drill_add_all(&sums[PLACES], dBodyGetPosition(body), 3);
    drill_add_all(&sums[TURNS], dBodyGetQuaternion(body), 4);
    drill_add_all(&sums[RATES], dBodyGetLinearVel(body), 3);
    drill_add_all(&sums[RATES], dBodyGetAngularVel(body), 3);
  }
  for (int c = 0; c < scene->character_count; c++) {
    const Ragdoll *ragdoll = scene->characters[c]->ragdoll;
    for (int i = 1; i < ragdoll->def->part_count; i++) {
      const dJointFeedback *feedback = &ragdoll->joints[i].feedback;
      for (int k = 0; k < 3; k++)
        drill_add(&sums[FORCES], (feedback->t1[k] + 0.3 * feedback->t2[k]) / 100);
    }
  }
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    drill_add(&sums[FORCES], impulse->body + 0.1 * (double)impulse->source + 0.01 * impulse->event);
    drill_add_all(&sums[FORCES], impulse->point, 3);
    drill_add_all(&sums[FORCES], impulse->impulse, 3);
  }
  drill_add(&sums[CONTACTS], world->contact_count);
  for (int i = 0; i < world->contact_count; i++) {
    drill_add(&sums[CONTACTS], world->contacts[i].body + 0.1 * world->contacts[i].other);
    drill_add_all(&sums[CONTACTS], world->contacts[i].position, 3);
    drill_add_all(&sums[CONTACTS], world->contacts[i].impulse, 3);
  }
}

static void run(const Drill *drill, int solver, double means[SUMS]) {
  SceneDef *def = read_drill(drill, solver);
  Scene *scene = small_scene(def);
  for (long i = 0; i < def->step_count; i++) {
    DrillSum sums[SUMS] = {{0}};
    if (i == def->step_count / 2)
      scene = renewed_scene(scene, def);
    if (!scene_step(scene))
      fail_msg("%s, %s: %s", drill->name, SOLVED[solver], scene->world->stop_reason);
    add(scene, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (double)def->step_count;
  }
  scene_destroy(scene);
  scene_def_free(def);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++)
    for (int s = 0; s < SOLVERS; s++) {
      char name[128];
      double means[SUMS] = {0};
      snprintf(name, sizeof name, "%s, %s", DRILLS[i].name, SOLVED[s]);
      run(&DRILLS[i], s, means);
      wrong += !drill_is_kept(name, NAMES, means, OUTCOMES[i][s], SUMS);
    }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
