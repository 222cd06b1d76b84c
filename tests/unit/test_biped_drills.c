// What drills of the biped come to: means over all steps of courses through all of its gaits, starts, stops, turns and
// limits, to nine digits. They change with any figure of the gait; which of them, and by how much, says what it does.
#include "tests/unit/biped_test.h"
#include "tests/unit/drill.h"

#define DT (1.0 / 240) // s

// A part of a course: seconds at a velocity in the body's frame and a turn rate, reached at once.
typedef struct Part {
  double seconds, aside, ahead, turn; // s, m/s to the left, m/s, rad/s to the left
} Part;

enum { PARTS = 8 };

// How a course begins: at a velocity, with feet in their swing at a progress, or on the ground (-1) at a place ahead.
typedef struct Start {
  double aside, ahead;                            // m/s
  double progress[BIPED_LEGS], place[BIPED_LEGS]; // -, m
  double heading, turn;                           // rad, rad/s
} Start;

typedef struct Drill {
  const char *name, *yaml;
  double dt;        // s
  double ground[2]; // m/s of the ground, x and z
  Start start;
  Part parts[PARTS];
} Drill;

enum { ROOT_HEIGHT, LEFT_LIFT, RIGHT_EXTRA, PITCH, RAISE, SUNK, STRETCH, ASYMMETRY, GAP, HANDS, POSE, TIME_LEFT, SUMS };
static const char *const NAMES[SUMS] = {"root height", "lift",      "extra",   "pitch", "raise", "sunk",
                                        "stretch",     "asymmetry", "landing", "hands", "pose",  "time left"};

static const Drill DRILLS[] = {
    {.name = "walk", .yaml = "", .dt = DT, .parts = {{1, 0, 0, 0}, {3, 0, 1.3, 0}, {1, 0, 0.06, 0}, {2, 0, 0, 0}}},
    {.name = "run",
     .yaml = "",
     .dt = DT,
     .parts = {{1, 0, 1, 0}, {2, 0, 3.5, 0}, {2, 0, 1.5, 0}, {2, 0, 5, 0}, {2, 0, 0, 0}}},
    {.name = "back and aside",
     .yaml = "",
     .dt = DT,
     .parts = {{2, 0, -0.8, 0}, {2, 0.6, 0, 0}, {2, -0.5, 0.5, 0}, {2, 0, 0, 0}}},
    {.name = "turns",
     .yaml = "",
     .dt = DT,
     .parts = {{2, 0, 0, 1.5}, {2, 0, 1.3, 0.8}, {2, 0, 0, 0}, {2, 0, 1.2, -2.5}, {2, 0, 0, 0}}},
    {.name = "creeping",
     .yaml = "",
     .dt = DT,
     .parts = {{3, 0, 0.07, 0}, {2, 0, 0.09, 0}, {1, 0, 0.3, 0}, {2, 0, 0, 0.07}, {2, 0, 0, 0.12}}},
    {.name = "turned and aside",
     .yaml = "",
     .dt = DT,
     .parts = {{1.5, 0, 0, 1},
               {2, 0, 0, 0},
               {1, 0.5, 0.1, 0},
               {2, 0, 0, 0},
               {1, -0.5, 0, 0},
               {2, 0, 0, 0},
               {1, 0.1, 0.2, -0.3}}},
    {.name = "short of sink",
     .yaml = "{sink: 0.01}",
     .dt = DT,
     .parts = {{2, 0, 1.3, 0}, {1, 0, 3, 0}, {1, 0, 0.4, 0}, {1, 0, 4, 1}, {2, 0, 0, 0}}},
    {.name = "published",
     .yaml = "{swing: published, stompiness: 0.6, lean: 2}",
     .dt = DT,
     .parts = {{2, 0, 1.3, 0.3}, {2, 0, 3, 0}, {1, 0, 0, 0}}},
    {.name = "long steps in time",
     .yaml = "{stompiness: 0.8, cadence: 1.3, width: 0.9, arm_swing: 2}",
     .dt = 1.0 / 30,
     .parts = {{2, 0, 1.3, 0}, {2, 0, 2.6, -0.4}, {2, 0, 0, 0}}},
    {.name = "on a ferry",
     .yaml = "{step_lead: 0.2, bounce: 2, sway: 3, twist: 2, roll: 0.5}",
     .dt = 1.0 / 120,
     .ground = {0.5, -0.3},
     .parts = {{1, 0, 0, 0}, {2, 0, 1.3, 0}, {1, 0.4, 0, 0}, {1, 0, 0, 0}}},
    {.name = "far too fast",
     .yaml = "{sink: 0.2}",
     .dt = DT,
     .parts = {{1, 0, 13, 0}, {1, 0, -4, 0}, {1, 3, 0, 0}, {1, 0, 1, 5}, {1, 0, 0, 0}}},
    {.name = "begins in a swing",
     .yaml = "",
     .dt = DT,
     .start = {0, 1.3, {-1, 0.3}, {0.2, 0.4}, 0, 0},
     .parts = {{2, 0, 1.3, 0}}},
    {.name = "begins with both feet down",
     .yaml = "",
     .dt = DT,
     .start = {0, 1.3, {-1, -1}, {-0.3, 0.3}, 0, 0},
     .parts = {{2, 0, 1.3, 0}}},
    {.name = "begins in a run",
     .yaml = "",
     .dt = DT,
     .start = {0, 3.5, {0.1, 0.6}, {0.5, 0.2}, 0, 0},
     .parts = {{2, 0, 3.5, 0}}},
    {.name = "begins backward",
     .yaml = "",
     .dt = DT,
     .start = {0.3, -3, {0.7, -1}, {-0.5, 0.2}, 0, 0},
     .parts = {{2, 0.3, -3, 0}}},
    {.name = "begins to the right, in a curve",
     .yaml = "",
     .dt = DT,
     .start = {0, 1.3, {0.6, 0.2}, {0.2, 0.4}, -1.1, 0.7},
     .parts = {{2, 0, 1.3, 0.7}}},
    {.name = "begins behind, in a fast run",
     .yaml = "",
     .dt = DT,
     .start = {0.5, 4.5, {0.2, -1}, {0.2, 0.4}, 2.5, -0.5},
     .parts = {{2, 0.5, 4.5, -0.5}}},
    {.name = "rolls and twists more",
     .yaml = "{roll: 2, twist: 3, step_height: 2, toe_out: 20, arm_swing: 3}",
     .dt = DT,
     .parts = {{3, 0, 1.6, 0}, {2, 0, 3.4, 0}, {1, 0, -0.6, 0}}},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

// Touchdowns, feet that let go, and the means, in the order of their names.
typedef struct Outcome {
  long steps, unpinned;
  double means[SUMS];
} Outcome;

static const Outcome OUTCOMES[DRILL_COUNT] = {
    {9,
     1,
     {0.90922863185, 0.0055315651684, 0.00053347844384, -0.13065628801, -0.034876171239, 0.0020657960366, 0.96967785771,
      -0.1016921822, 0.41704613059, 0.0096298875049, 0.26565147873, 0.05690053942}},
    {22,
     6,
     {0.87981742063, 0.038994086639, 0.0024839556281, -0.36770923737, -0.046717017018, 0.0034723071612, 0.9072193757,
      -0.22101764702, 0.81318429935, -0.025362581439, -0.20089080283, 0.097354196678}},
    {14,
     3,
     {0.90332742836, 0.0066470770105, 0.00072873824074, -0.07067050776, -0.041042780736, 0.003742504018, 0.97043889048,
      -0.10796992511, 0.36567979673, 0.01292229763, 0.13123931043, 0.085148233172}},
    {21,
     4,
     {0.90428747629, 0.0065071853289, 0.00085197517612, -0.090058339572, -0.042479485181, 0.0083331531585,
      0.96521795722, -0.14387880356, 0.35806918243, -0.00045622755989, 0.87113706924, 0.051406784785}},
    {10,
     0,
     {0.91916844619, 0.005337682218, 0.00099083903284, -0.023998378813, -0.016702505062, 1.1653474355e-06,
      0.97695309126, -0.0085728397468, 0.20299396755, 0.00047870882878, 0.46848622288, 0.094587155889}},
    {14,
     0,
     {0.91652802839, 0.0039444202165, 0.00074219327416, -0.017287780626, -0.017238925641, 0.00053676776054,
      0.97901746809, -0.0063739898297, 0.21962147125, 1.0002152094e-05, 0.91793805427, 0.04044696109}},
    {14,
     7,
     {0.89277019632, 0.024768447412, 0.0011797674025, -0.26320523721, -0.040804852845, 0.00098123900198, 0.93581698882,
      -0.092884360168, 0.57620164441, -0.0069043502436, 0.078803856567, 0.14262319394}},
    {12,
     4,
     {0.88161168938, 0.014777075343, 0.00067126962045, -0.30523145268, -0.058690981514, 0.0059418292651, 0.91905320489,
      -0.1622801485, 0.61615810678, -0.0060473732064, 0.01697724386, 0.079060789752}},
    {13,
     1,
     {0.89716101653, 0.028050731707, 0.00011307377935, -0.22351448184, -0.031938543535, 0.0014873314758, 0.91318303413,
      -0.11642912862, 0.51745218089, -0.0025520340064, -0.149218429, 0.065551315651}},
    {8,
     3,
     {0.89823427856, 0.006690429568, 0.00048324598302, -0.083832971884, -0.044698369483, 0.0059855985577, 0.97138956304,
      -0.1420969879, 0.40807304636, 0.011920631254, 0.24836606891, 0.068040128859}},
    {16,
     11,
     {0.80848251233, 0.034274497643, 0.031973067972, -0.25027512958, -0.032529491799, 0.031497097523, 0.87872178355,
      -0.17787731596, 0.92381328652, 0.003538527905, 0.20752332016, 0.10966990259}},
    {4,
     0,
     {0.90044839494, 0.0097351136812, 0.0015569913314, -0.29183795128, -0.047318562058, 0.0002474541886, 0.94979339885,
      -0.20811651047, 0.69985493135, 0.022132239271, 0.06963301958, 0.08305607753}},
    {3,
     1,
     {0.89653729101, 0.0097323468494, 0.0029456445251, -0.27299822091, -0.03372014236, 0.0046637174128, 0.93749095505,
      0.012671687958, 0.70887694175, 0.022134530346, 0.18080552597, 0.083008741728}},
    {6,
     0,
     {0.85728772779, 0.08757388883, 0.00047541668771, -0.69449234169, -0.0010624662565, 0, 0.80807331455,
      -0.20769936935, 1.2213085148, -0.08705923, -0.64798692007, 0.14799623595}},
    {7,
     0,
     {0.63196134927, 0.012208577451, 0.00072539194787, -0.14907023037, 0, 0, 0.73768325361, -0.18018055828,
      0.93839267761, 0.01684644979, 0.72499409943, 0.058933171648}},
    {4,
     0,
     {0.89707478993, 0.0082028466188, 0.0012100158301, -0.24961158277, -0.043031248261, 0.002967906629, 0.95218535417,
      -0.14726462884, 0.66311643948, 0.045762049286, -0.13179072589, 0.070301366228}},
    {6,
     0,
     {0.85656643324, 0.090202634516, 0.00057263356514, -0.74039840925, -0.015131129114, 0.00026267911728, 0.85322529348,
      -0.30074541317, 1.5067769634, 0.1571333735, -0.14858791852, 0.15757829487}},
    {13,
     13,
     {0.88163822099, 0.065135655341, 4.0437856414e-05, -0.58415273492, -0.063454846719, 0.020482493107, 0.87859619676,
      -0.51934386423, 0.87338218827, 0.020697468025, -0.21656206989, 0.17355101988}},
};

static BipedWalk walk;

static void add(double sums[SUMS]) {
  const BipedFoot *left = &walk.biped.feet[0], *right = &walk.biped.feet[1];
  sums[ROOT_HEIGHT] += (double)walk.pose.position[0].y - walk.step.root_position[1];
  sums[LEFT_LIFT] += left->lift;
  sums[RIGHT_EXTRA] += right->extra;
  sums[PITCH] += left->pitch;
  sums[RAISE] += left->raise + 2 * right->raise;
  sums[SUNK] += walk.biped.sunk;
  sums[STRETCH] += left->stretch;
  sums[ASYMMETRY] += left->asymmetry + right->asymmetry;
  sums[GAP] += hypot(left->landing[0] - right->landing[0], left->landing[1] - right->landing[1]);
  for (int i = 0; i < walk.def.arm_count; i++)
    sums[HANDS] += (double)walk.shown.position[walk.def.arms[i].lower.joint].z - walk.step.root_position[2];
  sums[POSE] += drill_fold(&walk.pose, &walk.shown, walk.step.root_position);
  sums[TIME_LEFT] += walk.plans[0].time_left;
}

static void begin(const Drill *drill) {
  biped_start(&walk, man, drill->yaml);
  if (drill->start.ahead == 0)
    return;
  const Start *start = &drill->start;
  const double c = cos(start->heading), s = sin(start->heading);
  walk.step.heading = start->heading;
  walk.step.turn_rate = start->turn;
  walk.step.root_velocity[0] = c * start->aside + s * start->ahead;
  walk.step.root_velocity[2] = c * start->ahead - s * start->aside;
  place_bind(&walk);
  for (int i = 0; i < BIPED_LEGS; i++) {
    const double progress = start->progress[i], place = start->place[i];
    walk.plans[i] =
        (FootPlan){.known = true, .standing = progress < 0, .progress = progress, .landing = {s * place, c * place}};
  }
  biped_init(&walk.def, &walk.biped, &walk.step);
}

static void run(const Drill *drill, double sums[SUMS]) {
  begin(drill);
  walk.step.ground_velocity[0] = drill->ground[0];
  walk.step.ground_velocity[2] = drill->ground[1];
  memset(sums, 0, SUMS * sizeof *sums);
  long steps = 0;
  for (int i = 0; i < PARTS; i++) {
    const Part *part = &drill->parts[i];
    for (int k = 0; k < (int)lround(part->seconds / drill->dt); k++, steps++) {
      const double c = cos(walk.step.heading), s = sin(walk.step.heading);
      biped_go(&walk, drill->dt, c * part->aside + s * part->ahead, c * part->ahead - s * part->aside, part->turn);
      add(sums);
    }
  }
  for (int i = 0; i < SUMS; i++)
    sums[i] /= (double)steps;
}

static void print_row(const double sums[SUMS]) {
  printf("    {%ld, %ld, ", walk.biped.steps, walk.biped.unpinned);
  drill_print(sums, SUMS);
  printf("},\n");
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    const Outcome *outcome = &OUTCOMES[i];
    double sums[SUMS];
    run(&DRILLS[i], sums);
    bool same = drill_matches(DRILLS[i].name, NAMES, sums, outcome->means, SUMS);
    same &= walk.biped.steps == outcome->steps && walk.biped.unpinned == outcome->unpinned;
    if (!same)
      print_row(sums);
    wrong += !same;
  }
  assert_int_equal(wrong, 0);
}

// A step of 10 us and less advances nothing, nor does it set a standing body out.
static void shortest_step(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    biped_start(&walk, man, "");
    const Biped before = walk.biped;
    biped_go(&walk, i == 0 ? 1e-5 : 0, 0, 1, 0.5);
    assert_true(walk.biped.standing && walk.biped.velocity[1].value == 0);
    assert_true(walk.biped.hip_phase == before.hip_phase && walk.biped.steps == 0);
  }
  biped_start_at(&walk, man, "", 1.0 / 240, 1.3);
  const double phase = walk.biped.hip_phase;
  biped_go(&walk, 1e-5, 0, 1.3, 0);
  assert_true(walk.biped.hip_phase == phase);
  biped_go(&walk, 1.01e-5, 0, 1.3, 0);
  assert_true(walk.biped.hip_phase > phase);
}

// Read once more into the same definition, it is the same.
static void read_twice(void **state) {
  (void)state;
  static BipedDef def, once;
  Error error = {0};
  param_defaults(&biped_params, &def);
  assert_true(biped_read(&def, NULL, &man->skeleton, &error));
  once = def;
  assert_int_equal(def.arm_count, 2);
  assert_true(biped_read(&def, NULL, &man->skeleton, &error));
  assert_memory_equal(&def, &once, sizeof def);
}

// What the human's trunk and arms are.
static void parts_are_found(void **state) {
  (void)state;
  static const char *const arms[2][2] = {{"upper_arm_l", "forearm_l"}, {"upper_arm_r", "forearm_r"}};
  BipedDef def;
  Error error = {0};
  assert_true(read_biped(&def, &man->skeleton, "", &error));
  assert_int_equal(def.head.joint, skeleton_find(&man->skeleton, "head"));
  assert_int_equal(def.spine[def.spine_count - 1].joint, skeleton_find(&man->skeleton, "chest"));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(def.arms[i].upper.joint, skeleton_find(&man->skeleton, arms[i][0]));
    assert_int_equal(def.arms[i].lower.joint, skeleton_find(&man->skeleton, arms[i][1]));
    assert_true(def.arms[i].side == (i == 0 ? 1 : -1));
  }
}

// Arms without elbows are none, nor are pairs that hang on the pelvis; those that hang on its lowest joint are arms.
static void arms_hang_on_the_trunk(void **state) {
  (void)state;
  static BipedDef def;
  Error error = {0};
  for (int part = 0; part < 2; part++) {
    Skeleton skeleton = man->skeleton;
    for (int i = 0; i < skeleton.count; i++)
      if (strstr(skeleton.names[i], part == 0 ? "forearm" : "upper_arm"))
        skeleton.parent[i] = part;
    assert_true(read_biped(&def, &skeleton, "", &error));
    assert_int_equal(def.arm_count, 2 * part);
    assert_int_equal(def.spine_count, part);
    assert_true(part == 0 || def.spine[0].joint == 1);
  }
}

// A body whose arms are no pair has neither trunk nor arms to move; one whose legs have no length is refused.
static void bodies_that_lack_something(void **state) {
  (void)state;
  static BipedDef def;
  Skeleton skeleton = man->skeleton;
  Error error = {0};
  for (int i = 0; i < skeleton.count; i++)
    if (strstr(skeleton.names[i], "arm") || strstr(skeleton.names[i], "hand"))
      skeleton.twin[i] = i;
  assert_true(read_biped(&def, &skeleton, "", &error));
  assert_int_equal(def.arm_count, 0);
  assert_int_equal(def.spine_count, 0);
  assert_int_equal(def.head.joint, -1);
  for (int i = 0; i < BIPED_LEGS; i++) {
    skeleton.bind_position_l[skeleton.legs[i].knee] = glms_vec3_zero();
    skeleton.bind_position_l[skeleton.legs[i].ankle] = glms_vec3_zero();
  }
  assert_false(read_biped(&def, &skeleton, "", &error));
  assert_non_null(strstr(error.text, "have no length"));
}

// Displaced in the middle of a step together with its body, it walks on as it would have, elsewhere.
static void displaced_as_a_whole(void **state) {
  (void)state;
  static BipedWalk other;
  for (int swing = 0; swing < 2; swing++) {
    const char *yaml = swing == 0 ? "" : "{swing: published}";
    const RootRebase rebase = {.pivot = {0.3, 0, 0.5}, .turn = 1.2, .shift = {2, 0, -1}};
    biped_start_at(&walk, man, yaml, DT, 1.3);
    for (int k = 0; k < 20; k++)
      biped_go(&walk, DT, 0.1, 1.3 + 0.01 * k, 0.5);
    other = walk;
    other.step.skeleton = &other.skeleton;
    other.step.pose_w = &other.pose;
    other.step.plans = other.plans;
    biped_layer.rebase(&other.def, &other.biped, &rebase);
    root_rebase_point(&rebase, other.step.root_position);
    other.step.heading += rebase.turn;
    const double c = cos(rebase.turn), s = sin(rebase.turn);
    for (int k = 0; k < 120; k++) {
      biped_go(&walk, DT, 0.2, 1.5, 0.5);
      biped_go(&other, DT, c * 0.2 + s * 1.5, c * 1.5 - s * 0.2, 0.5);
      for (int i = 0; i < BIPED_LEGS; i++) {
        double place[3] = {walk.biped.feet[i].place[0], 0, walk.biped.feet[i].place[1]};
        double landing[3] = {walk.biped.feet[i].landing[0], 0, walk.biped.feet[i].landing[1]};
        root_rebase_point(&rebase, place);
        root_rebase_point(&rebase, landing);
        for (int n = 0; n < 2; n++) {
          assert_near(other.biped.feet[i].place[n], place[2 * n], 1e-4);
          assert_near(other.biped.feet[i].landing[n], landing[2 * n], 1e-4);
        }
        assert_near(wrap_angle(other.biped.feet[i].yaw - walk.biped.feet[i].yaw - rebase.turn), 0, 1e-4);
        assert_near(other.biped.feet[i].extra, walk.biped.feet[i].extra, 1e-4);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(shortest_step),
      cmocka_unit_test(read_twice),
      cmocka_unit_test(parts_are_found),
      cmocka_unit_test(arms_hang_on_the_trunk),
      cmocka_unit_test(bodies_that_lack_something),
      cmocka_unit_test(displaced_as_a_whole),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
