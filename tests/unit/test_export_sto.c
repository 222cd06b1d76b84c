// OpenSim's files: names and signs of joint angles, turns beyond half a turn, the files' form, moments, ground forces.
#include "tests/unit/trace_fixture.h"

#include "scenes/export/ground_reaction.h"
#include "scenes/export/joint_angles.h"
#include "scenes/export/opensim_file.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

enum { HUMAN_PARTS = 16 };

static SceneDef *human_def(void) {
  Error error = {0};
  SceneDef *def = scene_def_read("stand.yaml", NULL, 0, &error);
  trace_check(&error);
  return def;
}

// A table of an exported file, found by label.
typedef struct Sheet {
  char (*labels)[OPENSIM_LABEL_SIZE];
  double *values;
  int rows, columns;
  bool in_degrees;
} Sheet;

static Sheet read_sheet(const char *text) {
  Error error = {0};
  OpensimReader reader;
  Sheet sheet = {0};
  if (!opensim_read_header(&reader, text, &error)) {
    fail_msg("%s", error.text);
    exit(1); // not reached
  }
  sheet = (Sheet){.rows = reader.rows, .columns = reader.columns, .in_degrees = reader.in_degrees};
  sheet.labels = calloc((size_t)sheet.columns, sizeof *sheet.labels);
  sheet.values = calloc((size_t)sheet.rows * (size_t)sheet.columns, sizeof *sheet.values);
  char label[OPENSIM_LABEL_SIZE];
  int labels = 0;
  for (; opensim_read_label(&reader, label); labels++) {
    assert_true(labels < sheet.columns);
    memcpy(sheet.labels[labels], label, sizeof label);
  }
  assert_int_equal(labels, sheet.columns);
  for (int r = 0; r < sheet.rows; r++)
    assert_true(opensim_read_row(&reader, &sheet.values[r * sheet.columns]));
  assert_string_equal(reader.cursor, "");
  return sheet;
}

static void sheet_free(Sheet *sheet) {
  free(sheet->labels);
  free(sheet->values);
}

static double cell(const Sheet *sheet, int row, const char *label) {
  for (int c = 0; c < sheet->columns; c++)
    if (strcmp(sheet->labels[c], label) == 0)
      return sheet->values[row * sheet->columns + c];
  fail_msg("no column %s", label);
  return NAN;
}

// A trace of the measured pose of a man whose joints a test turns about x, y or z one by one.
typedef struct Posed {
  TraceFixture trace;
  SceneDef *def;
  int position, root, rotation;
} Posed;

static void posed_start(Posed *posed) {
  posed->def = human_def();
  TraceFixture *t = &posed->trace;
  trace_fixture_start(t, 10);
  char path[128];
  const char *name = posed->def->characters[0].name;
  snprintf(path, sizeof path, "/characters/%s/pose/measured/root_position", name);
  posed->position = trace_fixture_channel(t, path, TRACE_FLOAT32, 3, 0, "m", NULL);
  snprintf(path, sizeof path, "/characters/%s/pose/measured/root_rotation", name);
  posed->root = trace_fixture_channel(t, path, TRACE_FLOAT32, 4, 0, "", NULL);
  snprintf(path, sizeof path, "/characters/%s/pose/measured/rotation", name);
  posed->rotation = trace_fixture_channel(t, path, TRACE_FLOAT32, HUMAN_PARTS - 1, 4, "", NULL);
  assert_int_equal(posed->def->characters[0].body->part_count, HUMAN_PARTS);
}

static void posed_begin_frame(Posed *posed, vec3s position) {
  TraceWriter *writer = posed->trace.writer;
  memcpy(trace_row(writer, posed->position), position.raw, sizeof position);
  ((float *)trace_row(writer, posed->root))[3] = 1;
  for (int j = 0; j < HUMAN_PARTS - 1; j++)
    ((float *)trace_row(writer, posed->rotation))[4 * j + 3] = 1;
}

// Turns a joint further, about an axis of its parent (0 x, 1 y, 2 z), by an angle in degrees.
static void posed_turn(Posed *posed, const char *part, int axis, double degrees) {
  const int joint = skeleton_find(&posed->def->characters[0].body->skeleton, part);
  assert_true(joint >= 0);
  TraceWriter *writer = posed->trace.writer;
  float *at =
      joint == 0 ? trace_row(writer, posed->root) : (float *)trace_row(writer, posed->rotation) + 4 * (joint - 1);
  versors q, turn = {{0, 0, 0, (float)cos(degrees * RAD_PER_DEGREE / 2)}};
  turn.raw[axis] = (float)sin(degrees * RAD_PER_DEGREE / 2);
  memcpy(q.raw, at, sizeof q);
  q = glms_quat_mul(turn, q);
  memcpy(at, q.raw, sizeof q);
}

static Sheet posed_export(Posed *posed, char told[256]) {
  trace_fixture_read(&posed->trace);
  char *text =
      trace_fixture_export(&posed->trace, export_mot, posed->def, (ExportOptions){.pose = TRACE_POSE_MEASURED}, told);
  Sheet sheet = read_sheet(text);
  free(text);
  trace_fixture_end(&posed->trace);
  scene_def_free(posed->def);
  return sheet;
}

// Limbs raised forward, knees and elbows bent, feet drawn up: all positive on both sides. Outward is negative, inward
// positive, so that a mirrored pose has the same numbers.
static void test_names_and_signs(void **state) {
  (void)state;
  static const struct {
    const char *part;
    int axis;
    double turned; // deg, in Stagger's frame
    const char *label;
    double expected;
  } cases[] = {
      {"pelvis", 0, 10, "pelvis_tilt", -10},
      {"pelvis", 2, 10, "pelvis_list", 10},
      {"pelvis", 1, 10, "pelvis_rotation", 10},
      {"thigh_r", 0, -30, "hip_flexion_r", 30},
      {"thigh_l", 0, -30, "hip_flexion_l", 30},
      {"thigh_r", 2, -10, "hip_adduction_r", -10},
      {"thigh_l", 2, 10, "hip_adduction_l", -10},
      {"thigh_r", 1, 15, "hip_rotation_r", 15},
      {"thigh_l", 1, -15, "hip_rotation_l", 15},
      {"shin_r", 0, 50, "knee_angle_r", 50},
      {"shin_l", 0, 50, "knee_angle_l", 50},
      {"foot_r", 0, -12, "ankle_angle_r", 12},
      {"foot_l", 0, -12, "ankle_angle_l", 12},
      {"foot_r", 2, 5, "subtalar_angle_r", 5},
      {"foot_l", 2, -5, "subtalar_angle_l", 5},
      {"upper_arm_r", 0, -40, "arm_flex_r", 40},
      {"upper_arm_l", 2, 20, "arm_add_l", -20},
      {"upper_arm_r", 2, -20, "arm_add_r", -20},
      {"upper_arm_l", 1, -30, "arm_rot_l", 30},
      {"forearm_r", 0, -90, "elbow_flex_r", 90},
      {"forearm_l", 0, -90, "elbow_flex_l", 90},
      {"hand_l", 2, 7, "hand_l_x", 7},
      {"hand_r", 0, 7, "hand_r_z", -7},
      {"head", 1, 25, "head_y", 25},
      {"chest", 0, 12, "chest_z", -12},
      {"chest", 0, 12, "lumbar_extension", -12},
      {"abdomen", 0, 12, "lumbar_extension", -12},
      {"abdomen", 2, 8, "lumbar_bending", 8},
      {"abdomen", 1, 9, "lumbar_rotation", 9},
  };
  enum { CASES = sizeof cases / sizeof cases[0] };
  Posed posed;
  posed_start(&posed);
  for (int i = 0; i < CASES; i++) {
    posed_begin_frame(&posed, (vec3s){{1, 2, 3}});
    posed_turn(&posed, cases[i].part, cases[i].axis, cases[i].turned);
    trace_end_frame(posed.trace.writer, 0.1 * i);
  }
  Sheet sheet = posed_export(&posed, NULL);
  assert_true(sheet.in_degrees);
  assert_int_equal(sheet.rows, CASES);
  for (int i = 0; i < CASES; i++) {
    int moved = 0;
    for (int c = 4; c < sheet.columns; c++)
      moved += fabs(sheet.values[i * sheet.columns + c]) > 1e-4 && strncmp(sheet.labels[c], "lumbar", 6) != 0;
    if (moved != 1 || !(fabs(cell(&sheet, i, cases[i].label) - cases[i].expected) < 1e-4))
      fail_msg("%s about %d by %g: %d angles moved, %s is %g", cases[i].part, cases[i].axis, cases[i].turned, moved,
               cases[i].label, cell(&sheet, i, cases[i].label));
    assert_near(cell(&sheet, i, "time"), 0.1 * i, 0);
    assert_near(cell(&sheet, i, "pelvis_tx"), 3, 0);
    assert_near(cell(&sheet, i, "pelvis_ty"), 2, 0);
    assert_near(cell(&sheet, i, "pelvis_tz"), -1, 0);
  }
  sheet_free(&sheet);
}

// Body-fixed z, x, y: later rotations are about axes that earlier ones have turned.
static void test_the_sequence(void **state) {
  (void)state;
  Posed posed;
  posed_start(&posed);
  posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
  // About the parent's axes the last rotation of the sequence comes first.
  posed_turn(&posed, "thigh_r", 1, 20);
  posed_turn(&posed, "thigh_r", 2, 30);
  posed_turn(&posed, "thigh_r", 0, -70);
  trace_end_frame(posed.trace.writer, 0);
  Sheet sheet = posed_export(&posed, NULL);
  assert_near(cell(&sheet, 0, "hip_flexion_r"), 70, 1e-4);
  assert_near(cell(&sheet, 0, "hip_adduction_r"), 30, 1e-4);
  assert_near(cell(&sheet, 0, "hip_rotation_r"), 20, 1e-4);
  sheet_free(&sheet);
}

// The distance of the pose from the file's, as the sentence reports it.
typedef struct Worst {
  double degrees, millimetres, turned_at, moved_at; // s
  char turned[32], moved[32];                       // joints
} Worst;

static Worst read_worst(const char *told) {
  Worst worst;
  const char *within = strstr(told, "within");
  assert_non_null(within);
  assert_int_equal(sscanf(within, "within %lf deg (%31s at %lf s) and %lf mm (%31s at %lf s)", &worst.degrees,
                          worst.turned, &worst.turned_at, &worst.millimetres, worst.moved, &worst.moved_at),
                   6);
  return worst;
}

// A pirouette goes beyond 360 degrees, an arm goes over the head through the side without a jump, and the poses are
// recovered where angles alone are ambiguous.
static void test_angles_do_not_jump(void **state) {
  (void)state;
  enum { FRAMES = 90 };
  Posed posed;
  char told[256];
  posed_start(&posed);
  for (int i = 0; i < FRAMES; i++) {
    posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
    posed_turn(&posed, "pelvis", 1, 10.0 * i);
    posed_turn(&posed, "upper_arm_l", 2, 2.0 * i); // 90 at frame 45
    posed_turn(&posed, "forearm_r", 0, -5.0 * i);
    trace_end_frame(posed.trace.writer, 0.1 * i);
  }
  Sheet sheet = posed_export(&posed, told);
  for (int i = 0; i < FRAMES; i++) {
    assert_near(cell(&sheet, i, "pelvis_rotation"), 10 * i, 1e-3);
    assert_near(cell(&sheet, i, "elbow_flex_r"), 5 * i, 1e-3);
    assert_near(cell(&sheet, i, "arm_add_l"), -2 * i, 0.05);
    // Beside the pose at which they are ambiguous, and at it.
    assert_near(cell(&sheet, i, "arm_flex_l"), 0, 0.05);
    assert_near(cell(&sheet, i, "arm_rot_l"), 0, 0.05);
  }
  const Worst worst = read_worst(told);
  assert_true(worst.degrees < 1e-3 && worst.millimetres < 1e-2);
  sheet_free(&sheet);
}

// The turn from one rotation to another, rad; exact for small ones.
static double turn_between(versors a, versors b) {
  const versors turn = glms_quat_mul(glms_quat_inv(a), b);
  return 2 * atan2(sqrt((double)(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z)), fabs((double)turn.w));
}

// Angles of a sequence; every other middle angle is at 90 deg, where the outer ones are ambiguous, or close to it.
static versors sequence_rotation(Rng *rng, const int axes[3], int count, int frame) {
  static const double beside[] = {0, 1e-7, 1e-6, 1e-4, 1e-2};
  versors turned = {{0, 0, 0, 1}};
  for (int n = 0; n < count; n++) {
    double angle = rng_range(rng, -M_PI, M_PI);
    if (n == 1 && frame % 2 == 0)
      angle = (frame % 4 == 0 ? M_PI / 2 : -M_PI / 2) + beside[frame / 4 % 5];
    versors turn = {{0, 0, 0, (float)cos(angle / 2)}};
    turn.raw[axes[n]] = (float)sin(angle / 2);
    turned = glms_quat_mul(turned, turn);
  }
  return glms_quat_normalize(turned);
}

// Whatever a joint can do by its own axes comes back from the angles: any rotation of ball joints and of the root.
static void test_rotations_are_rebuilt(void **state) {
  (void)state;
  enum { FRAMES = 400 };
  SceneDef *def = human_def();
  const BodyDef *body = def->characters[0].body;
  JointAngles angles;
  joint_angles_init(&angles, body);
  TraceMotion motion = {.body = body, .frame_count = FRAMES, .joint_count = HUMAN_PARTS};
  motion.rotation = calloc(FRAMES * HUMAN_PARTS, sizeof *motion.rotation);
  double *values = calloc((size_t)FRAMES * (size_t)angles.count, sizeof *values), worst = 0;
  Rng rng = rng_make(5, "rotations");
  for (int f = 0; f < FRAMES; f++)
    for (int g = 0; g < angles.group_count; g++) {
      const AngleGroup *group = &angles.groups[g];
      if (!group->is_extra)
        motion.rotation[f * HUMAN_PARTS + group->joint] = sequence_rotation(&rng, group->axes, group->count, f);
    }
  joint_angles_measure(&angles, &motion, NULL, values, (size_t)angles.count);
  // In pieces, each of which continues the one before, they are the same.
  double *pieces = calloc((size_t)FRAMES * (size_t)angles.count, sizeof *pieces);
  for (int first = 0; first < FRAMES; first += 90) {
    TraceMotion piece = motion;
    piece.frame_count = FRAMES - first < 90 ? FRAMES - first : 90;
    piece.rotation += first * HUMAN_PARTS;
    double *rows = &pieces[first * angles.count];
    joint_angles_measure(&angles, &piece, first > 0 ? rows - angles.count : NULL, rows, (size_t)angles.count);
  }
  assert_memory_equal(pieces, values, (size_t)FRAMES * (size_t)angles.count * sizeof *values);
  free(pieces);
  for (int f = 0; f < FRAMES; f++) {
    versors rebuilt[BODY_MAX_PARTS];
    joint_angles_rebuild(&angles, &values[f * angles.count], rebuilt);
    for (int j = 0; j < HUMAN_PARTS; j++)
      worst = fmax(worst, turn_between(motion.rotation[f * HUMAN_PARTS + j], rebuilt[j]));
  }
  if (!(worst < 0.001 * RAD_PER_DEGREE))
    fail_msg("a rotation comes back %g deg off", worst / RAD_PER_DEGREE);
  free(values);
  free(motion.rotation);
  scene_def_free(def);
}

// A joint's rotation about other axes is not in the file, and the sentence reports its size.
static void test_what_is_lost_is_reported(void **state) {
  (void)state;
  Posed posed;
  char told[256];
  posed_start(&posed);
  posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
  trace_end_frame(posed.trace.writer, 0);
  posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
  posed_turn(&posed, "shin_r", 2, 3); // a knee that opens to the side by 3 degrees
  trace_end_frame(posed.trace.writer, 0.5);
  Sheet sheet = posed_export(&posed, told);
  const Worst worst = read_worst(told);
  assert_near(worst.degrees, 3, 0.051);
  assert_string_equal(worst.turned, "shin_r");
  assert_near(worst.turned_at, 0.5, 1e-9);
  assert_near(worst.millimetres, 431 * 3 * RAD_PER_DEGREE, 0.6); // the ankle is 0.431 m below the knee
  assert_string_equal(worst.moved, "foot_r");
  assert_near(worst.moved_at, 0.5, 1e-9);
  sheet_free(&sheet);
}

// The rotation of the part with the arms, relative to the root, is told in addition if a joint is between the two.
static void test_a_back_of_several_joints(void **state) {
  (void)state;
  static const struct {
    const char *part, *parent;
    bool is_told;
  } cases[] = {
      {"chest", "abdomen", true}, {"chest", "pelvis", false}, {"arms", "abdomen", false}, {"arms", "pelvis", false}};
  SceneDef *def = human_def();
  const Skeleton *skeleton = &def->characters[0].body->skeleton;
  for (int i = 0; i < 4; i++) {
    BodyDef body = *def->characters[0].body;
    const int parent = skeleton_find(skeleton, cases[i].parent);
    if (strcmp(cases[i].part, "chest") == 0)
      body.parts[skeleton_find(skeleton, "chest")].parent = parent;
    else
      body.parts[skeleton_find(skeleton, "upper_arm_l")].parent =
          body.parts[skeleton_find(skeleton, "upper_arm_r")].parent = parent;
    JointAngles angles;
    joint_angles_init(&angles, &body);
    assert_int_equal(angles.group_count, HUMAN_PARTS + cases[i].is_told);
    const AngleGroup *last = &angles.groups[angles.group_count - 1];
    assert_int_equal(last->is_extra, cases[i].is_told);
    if (!cases[i].is_told)
      continue;
    assert_true(last->joint == skeleton_find(skeleton, "chest") && last->base == 0);
    assert_string_equal(angles.names[last->first], "lumbar_extension");
  }
  scene_def_free(def);
}

static void test_the_files_form(void **state) {
  (void)state;
  static const char *const start = "small_stander_measured\nversion=1\nnRows=1\nnColumns=";
  Posed posed;
  posed_start(&posed);
  posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
  trace_end_frame(posed.trace.writer, 0.5);
  trace_fixture_read(&posed.trace);
  char *text =
      trace_fixture_export(&posed.trace, export_mot, posed.def, (ExportOptions){.pose = TRACE_POSE_MEASURED}, NULL);
  char *end = strstr(text, "\nendheader\n");
  assert_int_equal(strncmp(text, start, strlen(start)), 0);
  assert_non_null(end);
  assert_non_null(strstr(text, "\ninDegrees=yes\n"));
  *end = '\0';
  int keys = 0; // a comment with "=" would be one for OpenSim
  for (const char *c = text; (c = strchr(c, '=')); c++)
    keys++;
  assert_int_equal(keys, 4);
  const char *labels = end + strlen("\nendheader\n"), *values = strchr(labels, '\n') + 1;
  assert_int_equal(strncmp(labels, "time\tpelvis_tx\tpelvis_ty\tpelvis_tz\tpelvis_tilt\t", 47), 0);
  assert_int_equal(strncmp(values, "0.5\t0\t1\t0\t0\t0\t0\t", 16), 0);
  assert_int_equal(values[strlen(values) - 1], '\n');
  free(text);
  trace_fixture_end(&posed.trace);
  scene_def_free(posed.def);
}

// Two parts may make the same label, which OpenSim refuses: later ones get numbers from 2 on.
static void test_equal_labels_get_numbers(void **state) {
  (void)state;
  static const char *const given[] = {"time", "knee", "knee", "hip", "knee", "hip"}, *const expected[] = {
                                                                                         "time", "knee",   "knee_2",
                                                                                         "hip",  "knee_3", "hip_2"};
  OpensimTable table = {0};
  for (int i = 0; i < 6; i++) {
    assert_int_equal(opensim_add_column(&table, "%s", given[i]), i);
    assert_string_equal(table.labels[i], expected[i]);
  }
  opensim_free(&table);
}

static void test_reading_bad_files(void **state) {
  (void)state;
  OpensimReader reader;
  Error error = {0};
  double row[2];
  assert_false(opensim_read_header(&reader, "a\nnRows=1\nnColumns=2\n", &error));
  error.text[0] = '\0';
  assert_false(opensim_read_header(&reader, "a\nnRows=1\nendheader\n", &error));
  static const char *const rows[] = {"1\n", "1\t2\t3\n", "1\tx\n", ""};
  for (int i = 0; i < 4; i++) {
    char text[64];
    snprintf(text, sizeof text, "a\nnRows=1\nnColumns=2\nendheader\ntime\tb\n%s", rows[i]);
    assert_true(opensim_read_header(&reader, text, &error));
    char label[OPENSIM_LABEL_SIZE];
    while (opensim_read_label(&reader, label))
      ;
    assert_false(opensim_read_row(&reader, row));
  }
}

// The axis of a coordinate is the one about which the joint's child turns when the coordinate changes.
static void test_axes_are_those_of_the_angles(void **state) {
  (void)state;
  static const double STEP = 1e-3;
  SceneDef *def = human_def();
  JointAngles angles;
  joint_angles_init(&angles, def->characters[0].body);
  double values[ANGLES_MAX];
  for (int i = 0; i < angles.count; i++)
    values[i] = 0.3 + 0.05 * i - 0.07 * (i % 5);
  const versors base = glms_quat_normalize((versors){{0.3f, -0.2f, 0.5f, 0.8f}});
  for (int g = 0; g < angles.group_count; g++) {
    const AngleGroup *group = &angles.groups[g];
    double axes[3][3];
    joint_angles_axes(&angles, group, values, base, axes);
    for (int n = 0; n < group->count && !group->is_extra; n++) {
      versors before[BODY_MAX_PARTS], after[BODY_MAX_PARTS];
      double moved[ANGLES_MAX];
      memcpy(moved, values, sizeof moved);
      moved[group->first + n] -= STEP;
      joint_angles_rebuild(&angles, moved, before);
      moved[group->first + n] += 2 * STEP;
      joint_angles_rebuild(&angles, moved, after);
      const versors turn = glms_quat_mul(glms_quat_mul(base, after[group->joint]),
                                         glms_quat_inv(glms_quat_mul(base, before[group->joint])));
      for (int k = 0; k < 3; k++)
        assert_near(2 * (double)turn.raw[k] / (2 * STEP), axes[n][k], 2e-3);
    }
  }
  scene_def_free(def);
}

// Two contacts under the left foot, one of a hand; on other bodies, and by others, nothing.
static void test_ground_reactions(void **state) {
  (void)state;
  static const char *const names[] = {"man/foot_l", "man/hand_r", "man/foot_r", "you/foot_l"};
  SceneDef *def = human_def();
  const BodyDef *body = def->characters[0].body;
  TraceFixture trace;
  trace_fixture_start(&trace, 10);
  const int first = trace_fixture_channel(&trace, "/contacts/first", TRACE_INT32, 0, 0, "-", NULL);
  const int count = trace_fixture_channel(&trace, "/contacts/count", TRACE_INT32, 0, 0, "-", NULL);
  const int lists[] = {trace_fixture_list(&trace, "/contacts/part", TRACE_INT32, 0, "-", names, 4),
                       trace_fixture_list(&trace, "/contacts/other", TRACE_INT32, 0, "-", names, 4),
                       trace_fixture_list(&trace, "/contacts/position", TRACE_FLOAT64, 3, "m", NULL, 0),
                       trace_fixture_list(&trace, "/contacts/impulse", TRACE_FLOAT64, 3, "N s", NULL, 0)};
  for (int f = 0; f < 3; f++) {
    *(int32_t *)trace_row(trace.writer, first) = f < 2 ? 0 : 5;
    *(int32_t *)trace_row(trace.writer, count) = f == 1 ? 5 : f == 2 ? 1 : 0;
    trace_end_frame(trace.writer, 0.1 * f);
  }
  const int32_t part[] = {0, 0, 1, 2, 3, 2}, other[] = {-1, -1, -1, 3, -1, -1};
  const double position[6][3] = {{0.1, 0, 60}, {0.1, 0, 60.2}, {0, 1, 61}, {1, 0, 1}, {1, 0, 1}, {0.5, 0.3, 59}};
  const double impulse[6][3] = {{2, 30, 0}, {0, 10, 0}, {0, 5, 0}, {0, 77, 0}, {0, 88, 0}, {0, 1, -20}};
  trace_append(trace.writer, lists[0], part, 6);
  trace_append(trace.writer, lists[1], other, 6);
  trace_append(trace.writer, lists[2], position, 6);
  trace_append(trace.writer, lists[3], impulse, 6);
  trace_fixture_read(&trace);
  static const double time[3] = {0, 0.1, 0.2}, places[9][3] = {{9, 9, 9}, {8, 8, 8}, {7, 7, 7}};
  Error error = {0};
  GroundReactions *reactions = ground_reactions_read(trace.reader, "man", body, time, places, &error);
  trace_check(&error);
  assert_int_equal(reactions->frame_count, 3);
  assert_int_equal(reactions->group_count, 3);
  const GroundReaction *none = &reactions->values[0], *foot = &reactions->values[3], *right = &reactions->values[4],
                       *rest = &reactions->values[5], *wall = &reactions->values[7];
  assert_near(none->force[1], 0, 0);
  assert_near(none->point[0], 9, 0);
  // Three quarters of the force are at the first point; the push to the left there turns about the vertical.
  assert_near(foot->force[0], 20, 1e-9);
  assert_near(foot->force[1], 400, 1e-9);
  assert_near(foot->point[0], 0.1, 1e-9);
  assert_near(foot->point[1], 0, 1e-9);
  assert_near(foot->point[2], 60.05, 1e-9);
  assert_near(foot->torque[0], 0, 1e-9);
  assert_near(foot->torque[1], -20 * 0.05, 1e-9);
  assert_near(foot->torque[2], 0, 1e-9);
  assert_near(right->force[1], 0, 0);
  assert_near(rest->force[1], 50, 1e-9);
  assert_near(rest->point[1], 1, 1e-9);
  // A kick against a wall stays where it was.
  assert_near(wall->force[2], -200, 1e-9);
  for (int k = 0; k < 3; k++)
    assert_near(wall->point[k], position[5][k], 1e-9);
  ground_reactions_free(reactions);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// From the file alone: ground, hand, hits and weight explain how the centre of mass changes its speed, and on average
// the ground carries the weight that the hand does not.
static void test_a_run_balances(void **state) {
  (void)state;
  static const char *const override = "duration=4";
  Error error = {0};
  SceneDef *def = scene_def_read("hit_run.yaml", &override, 1, &error);
  trace_check(&error);
  TraceFixture trace;
  trace_fixture_run(&trace, def);
  char told[256];
  char *text = trace_fixture_export(&trace, export_sto, def, (ExportOptions){.pose = TRACE_POSE_OUTPUT}, told);
  Sheet sheet = read_sheet(text);
  assert_false(sheet.in_degrees);
  assert_non_null(strstr(told, " numbers, all the same bits; the pose made from them is within "));
  int event_count;
  TraceEvent *events = trace_events(trace.reader, &event_count);
  assert_true(event_count > 0);
  const double mass = def->characters[0].body->mass, weight = mass * 9.81;
  double ground = 0, help = 0, hits = 0;
  for (int r = 1; r < sheet.rows; r++) {
    const double before = cell(&sheet, r - 1, "time"), now = cell(&sheet, r, "time");
    const double force = cell(&sheet, r, "foot_l_ground_force_vy") + cell(&sheet, r, "foot_r_ground_force_vy") +
                         cell(&sheet, r, "other_ground_force_vy");
    const double assist = cell(&sheet, r, "pelvis_assist_force_vy");
    double given = (force + assist - weight) * (now - before), struck = 0;
    for (int n = 0; n < event_count; n++)
      if (events[n].time > before - 1e-6 && events[n].time < now - 1e-6)
        struck += (double)events[n].impulse[1];
    const double change = cell(&sheet, r, "center_of_mass_Y_u") - cell(&sheet, r - 1, "center_of_mass_Y_u");
    assert_near(mass * change, given + struck, 1e-4);
    ground += force * (now - before);
    help += assist * (now - before);
    hits += struck;
  }
  const double duration = cell(&sheet, sheet.rows - 1, "time");
  const double gained =
      mass * (cell(&sheet, sheet.rows - 1, "center_of_mass_Y_u") - cell(&sheet, 0, "center_of_mass_Y_u"));
  assert_true(ground / duration > 0.8 * weight && ground / duration < 1.1 * weight);
  assert_near(ground + help + hits - gained, weight * duration, 1e-2);
  free(events);
  free(text);
  sheet_free(&sheet);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

static void test_errors(void **state) {
  (void)state;
  Posed posed;
  posed_start(&posed);
  posed_begin_frame(&posed, (vec3s){{0, 1, 0}});
  trace_end_frame(posed.trace.writer, 0);
  trace_fixture_read(&posed.trace);
  static const struct {
    MakeExport *make;
    ExportOptions options;
    const char *error;
  } cases[] = {
      {export_mot, {.pose = TRACE_POSE_TARGET}, "pose/target/root_position"},
      {export_mot, {.pose = TRACE_POSE_MEASURED, .character = "woman"}, "'woman'"},
      {export_sto, {.pose = TRACE_POSE_MEASURED}, "joints/torque"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    ExportResult result = {0};
    assert_false(cases[i].make(posed.trace.reader, posed.def, &cases[i].options, &result, &error));
    assert_null(result.bytes);
    if (!strstr(error.text, cases[i].error))
      fail_msg("\"%s\" is not in \"%s\"", cases[i].error, error.text);
  }
  trace_fixture_end(&posed.trace);
  scene_def_free(posed.def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_and_signs),
      cmocka_unit_test(test_the_sequence),
      cmocka_unit_test(test_angles_do_not_jump),
      cmocka_unit_test(test_rotations_are_rebuilt),
      cmocka_unit_test(test_what_is_lost_is_reported),
      cmocka_unit_test(test_a_back_of_several_joints),
      cmocka_unit_test(test_the_files_form),
      cmocka_unit_test(test_equal_labels_get_numbers),
      cmocka_unit_test(test_reading_bad_files),
      cmocka_unit_test(test_axes_are_those_of_the_angles),
      cmocka_unit_test(test_ground_reactions),
      cmocka_unit_test(test_a_run_balances),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
