// Joints with axes of their own, with strengths by axis and with armature: read, mirrored, written; they turn, pull and
// resist as said, in all solvers; what is impossible is refused.
#include "tests/fixture.h"

#include "ragdoll/body/body_write.h"
#include "ragdoll/body/inverse_dynamics.h"
#include "sim/base/numbers.h"

// Two rods on a base, without gravity: an oblique hinge, its image, and an oblique ball.
static const char BODY[] =
    "name: rods\n"
    "parts:\n"
    "  - {name: base, mass: 4, com: [0, 1, 0], inertia: [0.2, 0.3, 0.4], joint: {kind: root, position: [0, 1, 0]},\n"
    "     shapes: [{sphere: 0.05, center: [0, 1, 0]}]}\n"
    "  - {name: left, mirror: right, parent: base, mass: 1, com: [0.5, 1, 0], inertia: [0.02, 0.03, 0.04],\n"
    "     joint: {kind: hinge, position: [0.5, 1, 0], turn: [20, 30, 40], twist_axis: x, x: [-40, 70], strength: 50,\n"
    "             armature: [0.1, 0, 0]}, shapes: [{sphere: 0.05, center: [0.8, 1, 0]}]}\n"
    "  - {name: top, parent: base, mass: 2, com: [0, 1.5, 0], inertia: [0.05, 0.02, 0.06],\n"
    "     joint: {kind: ball, position: [0, 1.5, 0], turn: [10, -50, 60], x: [-30, 30], y: [-30, 30], z: [-30, 30],\n"
    "             strength: 100, axis_strength: [5, 7, 9], armature: [0.1, 0.2, 0.3]},\n"
    "     shapes: [{sphere: 0.05, center: [0, 1.9, 0]}]}\n";

static const char *const SOLVERS[] = {"step", "iterative", "reduced"};

static BodyDef *read_text(const char *text, Error *error) {
  FileSet files = {.sealed = true};
  assert_non_null(files_put(&files, "b.yaml", text, strlen(text)));
  BodyDef *body = body_read(&files, "b.yaml", error);
  files_free(&files);
  return body;
}

static BodyDef *read_good(const char *text) {
  Error error = {0};
  BodyDef *body = read_text(text, &error);
  fixture_check(&error);
  return body;
}

static void near(double value, double expected, double tolerance, const char *what) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%s is %.9g, not %.9g", what, value, expected);
}

// ---- The format ----

static void frames_are_those_of_the_turn(void **state) {
  (void)state;
  BodyDef *body = read_good(BODY);
  const JointDef *hinge = &body->parts[1].joint, *image = &body->parts[2].joint, *root = &body->parts[0].joint;
  double axis[3], other[3], back[3];
  joint_axis(hinge, 0, axis);
  // Rodrigues: x cos + (k x x) sin + k (k . x) (1 - cos), for the angle |turn| about k.
  const double length = sqrt(20. * 20 + 30 * 30 + 40 * 40), angle = length * RAD_PER_DEGREE;
  const double k[3] = {20 / length, 30 / length, 40 / length}, rest = 1 - cos(angle);
  near(axis[0], cos(angle) + k[0] * k[0] * rest, 1e-12, "x");
  near(axis[1], k[2] * sin(angle) + k[1] * k[0] * rest, 1e-12, "y");
  near(axis[2], -k[1] * sin(angle) + k[2] * k[0] * rest, 1e-12, "z");
  // In a mirror the axis of a rotation keeps its part across the mirror.
  joint_axis(image, 0, other);
  near(other[0], axis[0], 1e-12, "x of the image");
  near(other[1], -axis[1], 1e-12, "y of the image");
  near(other[2], -axis[2], 1e-12, "z of the image");
  joint_vector_in(hinge, axis, back);
  near(back[0], 1, 1e-12, "the axis in its own frame");
  assert_false(root->turned);
  joint_axis(root, 1, axis);
  near(axis[1], 1, 0, "an axis that is not turned");
  body_free(body);
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  BodyDef *body = read_good(BODY);
  TextBuffer text = {0};
  body_write(body, NULL, &text);
  assert_non_null(strstr(text.bytes, "mirror: right"));
  BodyDef *read = read_good(text.bytes);
  assert_int_equal(read->part_count, 4);
  for (int i = 1; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      near(read->parts[i].joint.turn[k], body->parts[i].joint.turn[k], 1e-5, "turn");
      near(read->parts[i].joint.axis_strength[k], body->parts[i].joint.axis_strength[k], 1e-6, "axis_strength");
      near(read->parts[i].joint.armature[k], body->parts[i].joint.armature[k], 1e-9, "armature");
    }
  text_free(&text);
  body_free(read);
  body_free(body);
}

// Twins that are no exact images are written each by itself, and stay twins.
static void twins_may_differ(void **state) {
  (void)state;
  BodyDef *body = read_good(BODY);
  body->parts[2].mass = 1.001;
  TextBuffer text = {0};
  body_write(body, NULL, &text);
  assert_null(strstr(text.bytes, "mirror:"));
  assert_non_null(strstr(text.bytes, "twin: left"));
  BodyDef *read = read_good(text.bytes);
  near(read->parts[1].mass, 1, 0, "mass of the left");
  near(read->parts[2].mass, 1.001, 1e-9, "mass of the right");
  assert_int_equal(read->parts[1].twin, 2);
  assert_int_equal(read->parts[2].twin, 1);
  assert_int_equal(read->skeleton.twin[1], 2);
  near(read->parts[2].joint.turn[1], -30, 1e-5, "turn");
  text_free(&text);
  body_free(read);
  body_free(body);
}

static void errors_say_what_is_allowed(void **state) {
  (void)state;
  static const struct {
    const char *old, *by, *error;
  } cases[] = {
      {"turn: [20, 30, 40]", "turn: [100, 100, 140]", "'turn' is a rotation vector of at most 180 deg"},
      {"turn: [20, 30, 40]", "turn: [200, 0, 0]", "turn is [200, 0, 0], allowed are"},
      {"armature: [0.1, 0, 0]", "armature: [0.1, 0, 1]", "turn about z, so it has no armature there"},
      {"armature: [0.1, 0, 0]", "armature: [-1, 0, 0]", "armature is [-1, 0, 0], allowed are"},
      {"armature: [0.1, 0, 0]", "axis_strength: [0, 4, 0]", "turn about y, so it has no torque there"},
      {"mirror: right", "mirror: right, twin: left", "a part with a mirror image has no twin beside"},
      {"name: base,", "name: base, twin: base,", "the first part has no twin beside"},
      {"name: top,", "name: top, twin: none,", "no part 'none' above this line"},
      {"name: top,", "name: top, twin: left,", "'left' cannot be its twin"},
      {"name: top,", "name: top, twin: base,", "'base' cannot be its twin"},
      {"name: top,", "name: top, twin: top,", "'top' cannot be its twin"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[sizeof BODY + 64];
    const char *at = strstr(BODY, cases[i].old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - BODY), BODY, cases[i].by, at + strlen(cases[i].old));
    Error error = {0};
    assert_null(read_text(text, &error));
    if (!strstr(error.text, cases[i].error) || strncmp(error.text, "b.yaml:", 7) != 0)
      fail_msg("case %zu: %s", i, error.text);
  }
}

// ---- In the world ----

typedef struct Rig {
  Fixture f;
  World *world;
  Ragdoll *ragdoll;
  Drive drive;
} Rig;

// The body in the air without gravity. change: may change the body; NULL: as it is.
static void rig_start(Rig *rig, int solver, void (*change)(BodyDef *)) {
  Fixture *f = &rig->f;
  Error error = {0};
  fixture_init(f);
  body_free(f->body);
  f->character_def.body = f->body = read_good(BODY);
  if (change)
    change(f->body);
  f->terrain_def.endless = false;
  f->terrain_def.height = -50;
  f->world_def.solver = solver;
  memset(f->world_def.gravity, 0, sizeof f->world_def.gravity);
  f->terrain = terrain_create(&f->terrain_def, 1, &f->files, &error);
  rig->world = world_create(&f->world_def, f->terrain, 1, &error);
  fixture_check(&error);
  const Pose bind = pose_bind(&f->body->skeleton);
  rig->ragdoll = ragdoll_create(f->body, rig->world, 0, &bind, &error);
  fixture_check(&error);
  drive_init(&rig->drive, &f->character_def.drive);
}

static void rig_step(Rig *rig, const JointGoal goals[]) {
  const double h = rig->world->def.dt;
  drive_apply(&rig->drive, rig->ragdoll, goals, h);
  ragdoll_update_limits(rig->ragdoll);
  ragdoll_hold_rotors(rig->ragdoll, h);
  assert_true(world_step(rig->world));
  ragdoll_read_torques(rig->ragdoll);
}

static void rig_end(Rig *rig) {
  ragdoll_destroy(rig->ragdoll);
  world_destroy(rig->world);
  terrain_destroy(rig->f.terrain);
  body_free(rig->f.body);
  files_free(&rig->f.files);
}

static void limp(JointGoal goals[]) {
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    goals[i] = (JointGoal){.rotation = GLMS_QUAT_IDENTITY};
}

static void relative_spin(const Rig *rig, int part, double spin[3]) {
  const dReal *child = dBodyGetAngularVel(rig->ragdoll->ode[part]), *parent = dBodyGetAngularVel(rig->ragdoll->ode[0]);
  for (int k = 0; k < 3; k++)
    spin[k] = child[k] - parent[k];
}

// A drive turns the hinge about its own axis and stops at its range.
static void a_hinge_turns_about_its_axis(void **state) {
  (void)state;
  for (int solver = 0; solver < 3; solver++) {
    Rig rig;
    rig_start(&rig, solver, NULL);
    const JointDef *def = &rig.f.body->parts[1].joint;
    double axis[3];
    joint_axis(def, 0, axis);
    JointGoal goals[BODY_MAX_PARTS];
    limp(goals);
    goals[1] = (JointGoal){
        .rotation = quat_exp((vec3s){{(float)(0.5 * axis[0]), (float)(0.5 * axis[1]), (float)(0.5 * axis[2])}}),
        .stiffness = 200,
        .damping = 20};
    for (int i = 0; i < 480; i++)
      rig_step(&rig, goals);
    versors rotation[BODY_MAX_PARTS];
    ragdoll_joint_rotations(rig.ragdoll, rotation);
    vec3s turn = quat_log(rotation[1]);
    for (int k = 0; k < 3; k++)
      near((double)turn.raw[k], 0.5 * axis[k], solver == SOLVER_ITERATIVE ? 2e-3 : 2e-4, SOLVERS[solver]);
    for (int k = 0; k < 3; k++) // beyond the range of 70 deg
      goals[1].rotation = quat_exp((vec3s){{(float)(2.5 * axis[0]), (float)(2.5 * axis[1]), (float)(2.5 * axis[2])}});
    for (int i = 0; i < 480; i++)
      rig_step(&rig, goals);
    ragdoll_joint_rotations(rig.ragdoll, rotation);
    turn = quat_log(rotation[1]);
    for (int k = 0; k < 3; k++)
      near((double)turn.raw[k], 70 * RAD_PER_DEGREE * axis[k], 0.02, SOLVERS[solver]);
    rig_end(&rig);
  }
}

// A torque about any of the ball's own axes turns it as far as its range, 30 deg, to both sides.
static void a_ball_stops_at_its_ranges(void **state) {
  (void)state;
  for (int i = 0; i < 18; i++) {
    const int axis = i / 2 % 3;
    Rig rig;
    rig_start(&rig, i / 6, NULL);
    const JointDef *def = &rig.f.body->parts[3].joint;
    vec3s torque = {{0, 0, 0}};
    torque.raw[axis] = i % 2 ? -3 : 3;
    JointGoal goals[BODY_MAX_PARTS];
    limp(goals);
    goals[3] = (JointGoal){
        .rotation = GLMS_QUAT_IDENTITY, .stiffness = 1, .damping = 2, .feed_forward_l = joint_point_out(def, torque)};
    for (int k = 0; k < 720; k++)
      rig_step(&rig, goals);
    versors rotation[BODY_MAX_PARTS];
    ragdoll_joint_rotations(rig.ragdoll, rotation);
    const vec3s turn = quat_log(rotation[3]);
    double own[3];
    joint_vector_in(def, (const double[]){(double)turn.x, (double)turn.y, (double)turn.z}, own);
    for (int k = 0; k < 3; k++)
      near(own[k], k == axis ? (i % 2 ? -30 : 30) * RAD_PER_DEGREE : 0, 0.005, SOLVERS[i / 6]);
    rig_end(&rig);
  }
}

static void weaken(BodyDef *body) { body->parts[3].joint.strength = 1000; }

// A goal that is far away about all axes: about each axis the torque is its own limit, exactly.
static void torques_keep_the_limits_of_their_axes(void **state) {
  (void)state;
  for (int solver = 0; solver < 3; solver++) {
    Rig rig;
    rig_start(&rig, solver, weaken);
    const JointDef *def = &rig.f.body->parts[3].joint;
    JointGoal goals[BODY_MAX_PARTS];
    limp(goals);
    goals[3] = (JointGoal){.rotation = GLMS_QUAT_IDENTITY,
                           .stiffness = 1,
                           .damping = 1e-3,
                           .feed_forward_l = joint_point_out(def, (vec3s){{-50, 3, 80}})};
    rig_step(&rig, goals);
    double own[3];
    joint_vector_in(def, rig.ragdoll->joints[3].torque_w, own);
    const double wanted[3] = {-5, 3, 9};
    for (int k = 0; k < 3; k++)
      near(own[k], wanted[k], 0.02, SOLVERS[solver]); // 3: less what spring and damper take
    near(own[0], -5, 1e-5, "the torque about x");
    rig_end(&rig);
  }
}

// Both limits hold: with a norm of 6 N m no torque is larger.
static void tighten(BodyDef *body) { body->parts[3].joint.strength = 6; }

static void the_norm_holds_beside_them(void **state) {
  (void)state;
  Rig rig;
  rig_start(&rig, SOLVER_REDUCED, tighten);
  JointGoal goals[BODY_MAX_PARTS];
  limp(goals);
  goals[3] = (JointGoal){.rotation = GLMS_QUAT_IDENTITY,
                         .stiffness = 1,
                         .damping = 1e-3,
                         .feed_forward_l = joint_point_out(&rig.f.body->parts[3].joint, (vec3s){{50, 50, 50}})};
  rig_step(&rig, goals);
  near(length3(rig.ragdoll->joints[3].torque_w), 6, 1e-5, "the norm");
  double own[3];
  joint_vector_in(&rig.f.body->parts[3].joint, rig.ragdoll->joints[3].torque_w, own);
  assert_true(fabs(own[0]) <= 5 + 1e-9);
  rig_end(&rig);
}

static void on_the_axis(BodyDef *body) {
  for (int i = 0; i < 3; i++) // a spin about the hinge's own axis, which is a principal one of all parts
    for (int k = 0; k < 3; k++)
      body->parts[i].com[k] = body->parts[1].joint.position[k];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      body->parts[i].inertia[k] = i == 0 ? 0.3 : 0.04;
}

// A torque between two parts of inertia I and J with the armature A: relative acceleration torque / (I J / (I + J) +
// A).
static void armature_resists_acceleration(void **state) {
  (void)state;
  for (int solver = 0; solver < 3; solver++) {
    Rig rig;
    rig_start(&rig, solver, on_the_axis);
    // The other parts move with the base, about other places: only base and left are looked at, the rest is cut off.
    for (int i = 2; i < 4; i++) {
      dJointDisable(rig.ragdoll->joints[i].joint);
      dJointDisable(rig.ragdoll->joints[i].motor);
      dJointDisable(rig.ragdoll->joints[i].rotor);
      if (rig.ragdoll->joints[i].limit)
        dJointDisable(rig.ragdoll->joints[i].limit);
    }
    double axis[3], spin[3], linear[3], angular[3];
    const double torque = 2, h = rig.world->def.dt, joined = 0.3 * 0.04 / (0.3 + 0.04);
    joint_axis(&rig.f.body->parts[1].joint, 0, axis);
    for (int step = 1; step <= 24; step++) {
      JointGoal goals[BODY_MAX_PARTS];
      limp(goals);
      ragdoll_hold_rotors(rig.ragdoll, h);
      ragdoll_update_limits(rig.ragdoll);
      dBodyAddTorque(rig.ragdoll->ode[1], torque * axis[0], torque * axis[1], torque * axis[2]);
      dBodyAddTorque(rig.ragdoll->ode[0], -torque * axis[0], -torque * axis[1], -torque * axis[2]);
      assert_true(world_step(rig.world));
      relative_spin(&rig, 1, spin);
      const double rate = step * h * torque / (joined + 0.1);
      near(dot3(spin, axis), rate, solver == SOLVER_ITERATIVE ? 1e-3 * rate : 1e-7 * rate, SOLVERS[solver]);
    }
    // The rotors' torques are between two parts: they change no momentum of the whole.
    const double about[3] = {0.5, 1, 0};
    ragdoll_momentum(rig.ragdoll, about, linear, angular);
    near(length3(linear), 0, 1e-9, "momentum");
    near(length3(angular), 0, 1e-9, "angular momentum");
    rig_end(&rig);
  }
}

static double energy(const Rig *rig) {
  double sum = 0;
  for (int i = 0; i < rig->f.body->part_count; i++) {
    dBodyID body = rig->ragdoll->ode[i];
    dMass mass;
    dVector3 w_l, spin_l;
    dBodyGetMass(body, &mass);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dBodyVectorFromWorld(body, w[0], w[1], w[2], w_l);
    dMultiply0_331(spin_l, mass.I, w_l);
    sum += (mass.mass * dCalcVectorDot3(v, v) + dCalcVectorDot3(w_l, spin_l)) / 2;
    const JointDef *def = &rig->f.body->parts[i].joint;
    double relative[3], own[3];
    dVector3 local;
    if (i == 0)
      continue;
    relative_spin(rig, i, relative);
    dBodyVectorFromWorld(rig->ragdoll->ode[0], relative[0], relative[1], relative[2], local);
    joint_vector_in(def, local, own);
    for (int k = 0; k < 3; k++)
      sum += def->armature[k] * own[k] * own[k] / 2;
  }
  return sum;
}

static void without_ranges(BodyDef *body) {
  for (int i = 1; i < body->part_count; i++) {
    body->parts[i].joint.limited = false;
    for (int k = 0; k < 3; k++) {
      body->parts[i].joint.limit[k][0] = -INFINITY;
      body->parts[i].joint.limit[k][1] = INFINITY;
    }
  }
}

// A limp body that tumbles: with the energy of its rotors, what it has stays within 0.1 % over a second in the reduced
// solver, and the momentum of the whole exactly.
static void energy_and_momentum_stay(void **state) {
  (void)state;
  Rig rig;
  rig_start(&rig, SOLVER_REDUCED, without_ranges);
  for (int i = 0; i < 4; i++)
    rig.world->bodies[rig.ragdoll->body[i]].collides = NULL;
  const double pushes[4][3] = {{30, 0, 20}, {0, 40, 0}, {0, -10, 20}, {20, 0, -30}};
  JointGoal goals[BODY_MAX_PARTS];
  limp(goals);
  for (int i = 0; i < 4; i++)
    dBodyAddTorque(rig.ragdoll->ode[i], pushes[i][0], pushes[i][1], pushes[i][2]);
  rig_step(&rig, goals);
  double before = energy(&rig), p0[3], l0[3], p1[3], l1[3];
  assert_true(before > 0.1);
  fixture_momentum(rig.world, p0, l0);
  for (int i = 0; i < 240; i++)
    rig_step(&rig, goals);
  fixture_momentum(rig.world, p1, l1);
  for (int k = 0; k < 3; k++) {
    near(p1[k], p0[k], 1e-9, "momentum");
    near(l1[k], l0[k], 0.01 * length3(l0), "angular momentum");
  }
  near(energy(&rig) / before, 1, 1e-3, "energy");
  rig_end(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_those_of_the_turn),
      cmocka_unit_test(what_is_written_reads_back),
      cmocka_unit_test(twins_may_differ),
      cmocka_unit_test(errors_say_what_is_allowed),
      cmocka_unit_test(a_hinge_turns_about_its_axis),
      cmocka_unit_test(a_ball_stops_at_its_ranges),
      cmocka_unit_test(torques_keep_the_limits_of_their_axes),
      cmocka_unit_test(the_norm_holds_beside_them),
      cmocka_unit_test(armature_resists_acceleration),
      cmocka_unit_test(energy_and_momentum_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
