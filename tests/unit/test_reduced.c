// The reduced solver beside ODE's exact one: free motion, drives, limits of torque and motion, contacts.
#include "sim/base/numbers.h"
#include "sim/world/convert.h"
#include "sim/world/platform.h"
#include "sim/world/prop.h"
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

static void in_the_air(Fixture *f) {
  f->terrain_def.endless = false;
  f->terrain_def.height = -50;
  f->character_def.start.position[1] = 60;
}

static void hang(Fixture *f) {
  in_the_air(f);
  f->character_def.assist.enabled = true;
  f->character_def.assist.force = 20000;
  f->character_def.assist.torque = 20000;
  f->character_def.assist.frequency = 30;
  f->character_def.assist.turn_stiffness = 100000;
  f->character_def.assist.turn_damping = 10000;
}

static double kinetic_energy(const World *world) {
  double sum = 0;
  for (int i = 0; i < world->body_count; i++) {
    dBodyID body = world->bodies[i].ode;
    dMass mass;
    dVector3 w_l, spin_l;
    dBodyGetMass(body, &mass);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dBodyVectorFromWorld(body, w[0], w[1], w[2], w_l);
    dMultiply0_331(spin_l, mass.I, w_l);
    sum += 0.5 * mass.mass * dCalcVectorDot3(v, v) + 0.5 * dCalcVectorDot3(w_l, spin_l);
  }
  return sum;
}

// A limp body without limits or contacts that tumbles without gravity. Shares of energy and of angular momentum lost in
// 2 s, and the momentum gained without a cause, N s.
static void tumble(int solver, double rate, double *energy, double *angular, double *linear) {
  Fixture f;
  fixture_init(&f);
  in_the_air(&f);
  f.world_def.solver = solver;
  f.world_def.dt = 1 / rate;
  memset(f.world_def.gravity, 0, sizeof f.world_def.gravity);
  fixture_start(&f);
  Ragdoll *ragdoll = f.character->ragdoll;
  for (int i = 0; i < f.body->part_count; i++) {
    f.world->bodies[ragdoll->body[i]].collides = NULL;
    dBodySetLinearVel(ragdoll->ode[i], 0, 0, 0);
    dBodySetAngularVel(ragdoll->ode[i], 20 + 15 * sin(3 * i), 15 * cos(5 * i), 15 * sin(7 * i));
    if (i > 0 && ragdoll->joints[i].limit)
      dJointDisable(ragdoll->joints[i].limit);
    if (i > 0 && ragdoll->joints[i].axis_count == 1) {
      dJointSetHingeParam(ragdoll->joints[i].joint, dParamLoStop, -dInfinity);
      dJointSetHingeParam(ragdoll->joints[i].joint, dParamHiStop, dInfinity);
    }
  }
  for (int i = 0; i < (int)(rate / 4); i++)
    assert_true(world_step(f.world));
  double before = kinetic_energy(f.world), p0[3], l0[3], p1[3], l1[3], lost = 0, most = 0;
  fixture_momentum(f.world, p0, l0);
  for (int i = 0; i < (int)(2 * rate); i++)
    assert_true(world_step(f.world));
  fixture_momentum(f.world, p1, l1);
  *linear = 0;
  for (int k = 0; k < 3; k++) {
    lost += (l1[k] - l0[k]) * (l1[k] - l0[k]);
    most += l0[k] * l0[k];
    *linear += fabs(p1[k] - p0[k]);
  }
  *energy = kinetic_energy(f.world) / before - 1;
  *angular = sqrt(lost / most);
  fixture_end(&f);
}

static void keeps_energy_and_momentum_better_than_ode(void **state) {
  (void)state;
  static const double rates[] = {120, 240, 480};
  for (int i = 0; i < 3; i++) {
    double energy[2], angular[2], linear[2];
    tumble(SOLVER_STEP, rates[i], &energy[0], &angular[0], &linear[0]);
    tumble(SOLVER_REDUCED, rates[i], &energy[1], &angular[1], &linear[1]);
    print_message("%3.0f Hz: energy %+.3f %% (ODE %+.3f %%), angular momentum %.1e (%.1e), momentum %.0e N s (%.0e)\n",
                  rates[i], 100 * energy[1], 100 * energy[0], angular[1], angular[0], linear[1], linear[0]);
    assert_true(fabs(energy[1]) < fabs(energy[0]));
    assert_true(angular[1] < angular[0]);
    assert_true(linear[1] < 1e-9);
  }
}

// The RMS error in deg of all drives that follow a 1 Hz sweep, hanging, with that share of their strength; the largest
// torque as a share of its drive's limit.
static double track(int solver, double strength, double *largest) {
  Fixture f;
  fixture_init(&f);
  hang(&f);
  f.world_def.solver = solver;
  f.character_def.drive.strength = strength;
  fixture_start(&f);
  Character *c = f.character;
  double sum = 0;
  long count = 0;
  *largest = 0;
  Pose target = c->target, previous;
  JointGoal goals[BODY_MAX_PARTS];
  for (int i = 0; i < 3 * 240; i++) {
    double t = (i + 1) / 240.0, ease = fmin(t, 1);
    previous = target;
    for (int k = 1; k < f.body->part_count; k++) {
      const JointDef *joint = &f.body->parts[k].joint;
      double low = fmax(joint->limit[0][0], -30 * DEG), high = fmin(joint->limit[0][1], 30 * DEG);
      double half = fmin((high - low) / 2, 15 * DEG) * 0.9;
      double angle = ease * ((low + high) / 2 + half * sin(2 * 3.14159265358979 * t + k));
      target.rotation[k] = quat_exp((vec3s){{(float)angle, 0, 0}});
    }
    drive_follow(f.body, &target, &previous, f.world_def.dt, goals);
    drive_apply(&c->drive, c->ragdoll, goals, f.world_def.dt);
    assist_apply(&c->assist, c->ragdoll, &c->assist_target, f.world_def.dt);
    ragdoll_update_limits(c->ragdoll);
    assert_true(world_step(f.world));
    ragdoll_measure(c->ragdoll, &c->sensed.pose);
    ragdoll_read_torques(c->ragdoll);
    for (int k = 1; k < f.body->part_count; k++) {
      float error =
          glms_vec3_norm(quat_log(glms_quat_mul(target.rotation[k], glms_quat_conjugate(c->sensed.pose.rotation[k]))));
      double torque = length3(c->ragdoll->joints[k].torque_w);
      *largest = fmax(*largest, torque / (f.body->parts[k].joint.strength * strength));
      sum += i >= 240 ? error * error : 0;
      count += i >= 240;
    }
  }
  fixture_end(&f);
  return sqrt(sum / (double)count) / DEG;
}

static void tracks_as_ode_within_a_hundredth(void **state) {
  (void)state;
  double largest, exact = track(SOLVER_STEP, 1, &largest), reduced = track(SOLVER_REDUCED, 1, &largest);
  print_message("tracking: %.4f deg, ODE %.4f deg\n", reduced, exact);
  assert_true(fabs(reduced / exact - 1) < 0.01);
  assert_true(largest < 1);
}

// A fiftieth of the strength: most drives are at their limit most of the time.
static void never_exceeds_a_torque_limit(void **state) {
  (void)state;
  double largest, most, exact = track(SOLVER_STEP, 0.02, &most), reduced = track(SOLVER_REDUCED, 0.02, &largest);
  print_message("weak: %.3f deg, ODE %.3f deg; torque %.15f of the limit\n", reduced, exact, largest);
  assert_true(largest > 0.999 && largest < 1 + 1e-12);
  assert_true(fabs(reduced / exact - 1) < 0.05);
}

// How far a limp knee that is struck against its stop goes beyond its range, rad.
static double beyond_range(int solver) {
  Fixture f;
  fixture_init(&f);
  in_the_air(&f);
  f.world_def.solver = solver;
  f.character_def.drive.enabled = false;
  fixture_start(&f);
  Ragdoll *ragdoll = f.character->ragdoll;
  int knee = fixture_part(&f, "shin_l"), thigh = f.body->parts[knee].parent;
  const JointDef *joint = &f.body->parts[knee].joint;
  double most = 0;
  for (int i = 0; i < 60; i++) {
    if (i == 0)
      dBodyAddTorque(ragdoll->ode[knee], 600, 0, 0);
    if (!fixture_step(&f))
      fail_msg("solver %d: %s", solver, f.world->stop_reason);
    versors relative = glms_quat_mul(glms_quat_conjugate(quat_from_ode(dBodyGetQuaternion(ragdoll->ode[thigh]))),
                                     quat_from_ode(dBodyGetQuaternion(ragdoll->ode[knee])));
    double angle = (double)quat_log(relative).x;
    most = fmax(most, fmax(joint->limit[0][0] - angle, angle - joint->limit[0][1]));
  }
  fixture_end(&f);
  return most;
}

static void stops_joints_as_ode_does(void **state) {
  (void)state;
  double reduced = beyond_range(SOLVER_REDUCED), exact = beyond_range(SOLVER_STEP);
  print_message("beyond the knee's range: %.2f deg, ODE %.2f deg\n", reduced / DEG, exact / DEG);
  assert_true(reduced > 0.1 * DEG && exact > 0.1 * DEG); // it reached the stop
  assert_true(reduced < exact + 0.5 * DEG);
}

// Sum of contact forces = dP/dt - M g, in every step of a fall with limp drives.
static void contacts_account_for_all_momentum(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = SOLVER_REDUCED;
  f.character_def.drive.enabled = false;
  fixture_start(&f);
  double worst = 0;
  int most = 0;
  for (int i = 0; i < 3 * 240; i++) {
    double before[3], after[3], angular[3];
    fixture_momentum(f.world, before, angular);
    assert_true(fixture_step(&f));
    fixture_momentum(f.world, after, angular);
    double gained[3] = {0, f.body->mass * f.world_def.gravity[1] * f.world_def.dt, 0};
    for (int k = 0; k < f.world->contact_count; k++)
      for (int axis = 0; axis < 3 && f.world->contacts[k].other == WORLD_GROUND; axis++)
        gained[axis] += f.world->contacts[k].impulse[axis];
    for (int axis = 0; axis < 3; axis++)
      worst = fmax(worst, fabs(after[axis] - before[axis] - gained[axis]) / f.world_def.dt);
    most = f.world->contact_count > most ? f.world->contact_count : most;
  }
  print_message("unaccounted: %.1e N with up to %d contacts\n", worst, most);
  assert_true(most > 8);
  assert_true(worst < 1e-8);
  fixture_end(&f);
}

static World *world_with(int solver, const Terrain *terrain) {
  WorldDef def;
  Error error = {0};
  param_defaults(&world_params, &def);
  def.solver = solver;
  World *world = world_create(&def, terrain, 1, &error);
  fixture_check(&error);
  return world;
}

// A ball on a rod of 1 m, released at 0.5 rad: its swing against the elliptic integral's 2.0378 s.
static void swings_as_a_pendulum(void **state) {
  (void)state;
  World *world = world_with(SOLVER_REDUCED, NULL);
  Prop ball = {.name = "ball", .shape = PROP_BALL, .size = {0.02}, .mass = 1, .hangs = true, .anchor = {0, 2, 0}};
  ball.position[0] = sin(0.5);
  ball.position[1] = 2 - cos(0.5);
  int body = prop_create(world, &ball);
  assert_true(prop_release(world, body, (const double[]){0, 0, 0}));
  double last = sin(0.5), first_zero = 0, last_zero = 0, highest = 0;
  int zeros = 0;
  for (int i = 0; i < 10 * 240; i++) {
    assert_true(world_step(world));
    const dReal *p = dBodyGetPosition(world->bodies[body].ode);
    assert_true(fabs(sqrt(p[0] * p[0] + (p[1] - 2) * (p[1] - 2) + p[2] * p[2]) - 1) < 1e-9);
    if (last > 0 && p[0] <= 0) {
      last_zero = world->time - world->def.dt * p[0] / (p[0] - last);
      first_zero = zeros++ ? first_zero : last_zero;
    }
    highest = i > 8 * 240 ? fmax(highest, p[0]) : highest;
    last = p[0];
  }
  assert_int_equal(zeros, 5);
  assert_true(fabs((last_zero - first_zero) / (zeros - 1) - 2.0378) < 0.002);
  assert_true(highest > 0.99 * sin(0.5) * exp(-10 / 40.0)); // the spin of props fades in 20 s
  world_destroy(world);
}

// A ball that spins freely turns by its rate times the time, exactly, in steps too small or too large for a series.
static void spins_by_rate_times_time(void **state) {
  (void)state;
  static const double rates[] = {0.5, 12, 60, 110, 130, 300}; // rad/s, in steps of 1/240 s
  for (int i = 0; i < 6; i++) {
    World *world = world_with(SOLVER_REDUCED, NULL);
    Prop ball = {.name = "ball", .shape = PROP_BALL, .size = {0.1}, .mass = 1, .position = {0, 50, 0}};
    int index = prop_create(world, &ball);
    assert_true(prop_release(world, index, (const double[]){0, 0, 0}));
    dBodyID body = world->bodies[index].ode;
    dBodySetDamping(body, 0, 0);
    const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
    dBodySetAngularVel(body, rates[i] * axis[0], rates[i] * axis[1], rates[i] * axis[2]);
    for (int k = 0; k < 24; k++)
      assert_true(world_step(world));
    const dReal *q = dBodyGetQuaternion(body);
    double half = rates[i] * 0.1 / 2, sign = q[0] * cos(half) >= 0 ? 1 : -1;
    assert_true(fabs(sign * q[0] - cos(half)) < 1e-12);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(sign * q[1 + k] - sin(half) * axis[k]) < 1e-12);
    world_destroy(world);
  }
}

// Boxes on each other, on the ground, and a box on a platform that moves and turns.
static void stacks_and_carries(void **state) {
  (void)state;
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver += SOLVER_REDUCED) {
    Fixture f;
    Error error = {0};
    fixture_init(&f);
    f.terrain = terrain_create(&f.terrain_def, 1, &f.files, &error);
    fixture_check(&error);
    World *world = world_with(solver, f.terrain);
    int boxes[5], ride;
    for (int i = 0; i < 5; i++) {
      Prop box = {.name = "box", .size = {0.4, 0.3, 0.4}, .mass = 5, .position = {0, 0.15 + 0.3 * i, 0}};
      boxes[i] = prop_create(world, &box);
      assert_true(prop_release(world, boxes[i], (const double[]){0, 0, 0}));
    }
    Prop rider = {.name = "rider", .size = {0.4, 0.3, 0.4}, .mass = 5, .position = {5.5, 0.65, 0}};
    int platform = platform_create(world, "lift", (const double[]){3, 0.5, 3}, (const double[]){5, 0.25, 0},
                                   (const double[]){1, 0, 0, 0});
    ride = prop_create(world, &rider);
    assert_true(prop_release(world, ride, (const double[]){0, 0, 0}));
    for (int i = 0; i < 4 * 240; i++) {
      double t = (i + 1) / 240.0, ease = fmin(t, 1) / 2;
      double along = t < 1 ? t * t / 4 : 0.25 + (t - 1) / 2; // 0.5 m/s after a second
      (void)ease;
      assert_true(platform_move(world, platform, (const double[]){5, 0.25, along}, (const double[]){1, 0, 0, 0}));
      assert_true(world_step(world));
    }
    for (int i = 0; i < 5; i++) {
      const dReal *p = dBodyGetPosition(world->bodies[boxes[i]].ode);
      assert_true(hypot(p[0], p[2]) < 1e-3 && fabs(p[1] - 0.15 - 0.3 * i) < 2e-3);
    }
    const dReal *p = dBodyGetPosition(world->bodies[ride].ode);
    assert_true(fabs(p[2] - 1.75) < 0.01 && fabs(p[0] - 5.5) < 1e-3);
    world_destroy(world);
    terrain_destroy(f.terrain);
    body_free(f.body);
    files_free(&f.files);
  }
}

// A ball of 20 kg meets a standing man: the world gains the momentum of ground and gravity.
static void two_trees_exchange_momentum(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = SOLVER_REDUCED;
  fixture_start(&f);
  Prop ball = {.name = "ball", .shape = PROP_BALL, .size = {0.3}, .mass = 20, .position = {0, 1.2, 1.5}};
  int index = prop_create(f.world, &ball);
  assert_true(prop_release(f.world, index, (const double[]){0, 1, -4}));
  double worst = 0, given = 0;
  for (int i = 0; i < 240; i++) {
    double before[3], after[3], angular[3];
    fixture_momentum(f.world, before, angular);
    assert_true(fixture_step(&f));
    fixture_momentum(f.world, after, angular);
    double gained[3] = {0, (f.body->mass + 20) * f.world_def.gravity[1] * f.world_def.dt, 0};
    for (int k = 0; k < f.world->contact_count; k++) {
      const Contact *contact = &f.world->contacts[k];
      for (int axis = 0; axis < 3 && contact->other == WORLD_GROUND; axis++)
        gained[axis] += contact->impulse[axis];
      if (contact->other == index || contact->body == index)
        given += contact->other == WORLD_GROUND ? 0 : length3(contact->impulse);
    }
    for (int axis = 0; axis < 3; axis++)
      worst = fmax(worst, fabs(after[axis] - before[axis] - gained[axis]) / f.world_def.dt);
  }
  print_message("given %.1f N s, unaccounted %.1e N\n", given, worst);
  assert_true(given > 20);
  assert_true(worst < 1e-8);
  fixture_end(&f);
}

static uint64_t hash_of_fall(void) {
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = SOLVER_REDUCED;
  f.character_def.drive.strength = 0.2;
  fixture_start(&f);
  for (int i = 0; i < 480; i++)
    assert_true(fixture_step(&f));
  uint64_t hash = world_hash(f.world);
  fixture_end(&f);
  return hash;
}

static void is_deterministic(void **state) {
  (void)state;
  assert_true(hash_of_fall() == hash_of_fall());
}

// As a user may do, who compares them in the viewer.
static void solvers_change_over_between_steps(void **state) {
  (void)state;
  static const int order[] = {SOLVER_STEP, SOLVER_REDUCED, SOLVER_ITERATIVE, SOLVER_REDUCED};
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 4 * 240; i++) {
    WorldDef def = f.world->def;
    def.solver = order[i / 40 % 4];
    world_retune(f.world, &def);
    assert_true(fixture_step(&f));
  }
  assert_true(f.character->sensed.pose.position[0].y > 0.92f);
  fixture_end(&f);
}

// A joint that is disabled during a run releases its bodies.
static void notices_disabled_joints(void **state) {
  (void)state;
  World *world = world_with(SOLVER_REDUCED, NULL);
  Prop ball = {.name = "ball", .shape = PROP_BALL, .size = {0.2}, .mass = 1, .position = {0, 1, 0}, .hangs = true};
  ball.anchor[1] = 2;
  dBodyID body = world->bodies[prop_create(world, &ball)].ode;
  prop_release(world, 0, (const double[]){0, 0, 0});
  for (int i = 0; i < 120; i++) {
    if (i == 60)
      dJointDisable(dBodyGetJoint(body, 0));
    assert_true(world_step(world));
    assert_true(i >= 60 || fabs(dBodyGetPosition(body)[1] - 1) < 1e-9);
  }
  assert_true(fabs(dBodyGetPosition(body)[1] - (1 - 9.81 / 2 * 0.25 * 0.25)) < 0.01);
  world_destroy(world);
}

static void stops_with_a_reason_at_unknown_joints(void **state) {
  (void)state;
  World *world = world_with(SOLVER_REDUCED, NULL);
  Prop box = {.name = "box", .size = {1, 1, 1}, .mass = 1};
  int body = prop_create(world, &box);
  prop_release(world, body, (const double[]){0, 0, 0});
  dJointAttach(dJointCreateSlider(world->ode, 0), world->bodies[body].ode, 0);
  assert_false(world_step(world));
  assert_non_null(strstr(world->stop_reason, "world.solver: the reduced solver supports"));
  world_destroy(world);
}

// A box that begins 5 cm deep in the ground would leave it at 2.4 m/s; it leaves at the allowed speed.
static void comes_out_of_the_ground_no_faster_than_allowed(void **state) {
  (void)state;
  static const double speeds[] = {1, 0.3};
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver += SOLVER_REDUCED) {
    for (int i = 0; i < 2; i++) {
      Fixture f;
      Error error = {0};
      fixture_init(&f);
      f.terrain = terrain_create(&f.terrain_def, 1, &f.files, &error);
      fixture_check(&error);
      World *world = world_with(solver, f.terrain);
      WorldDef def = world->def;
      def.correction_speed = speeds[i];
      world_retune(world, &def);
      Prop box = {.name = "box", .size = {0.4, 0.3, 0.4}, .mass = 5, .position = {0, 0.10, 0}};
      int body = prop_create(world, &box);
      assert_true(prop_release(world, body, (const double[]){0, 0, 0}));
      assert_true(world_step(world));
      double rise = dBodyGetLinearVel(world->bodies[body].ode)[1];
      print_message("allowed %.1f m/s: %.4f m/s\n", speeds[i], rise);
      assert_true(fabs(rise - speeds[i]) < 0.02 * speeds[i]);
      world_destroy(world);
      terrain_destroy(f.terrain);
      body_free(f.body);
      files_free(&f.files);
    }
  }
}

// A box that rests on a grid of contacts, of as many rows as are still solved directly, and of three more: they carry
// its weight.
static void carries_a_box_on_many_contacts(void **state) {
  (void)state;
  enum { ROW = 9, MOST = ROW * ROW };
  const double h = 1.0 / 240, weight = 20 * 9.81;
  for (int count = MOST - 1; count <= MOST; count++) {
    static dJointFeedback feedback[MOST];
    Error error = {0};
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, -9.81, 0);
    dWorldSetCFM(world, 1e-6);
    dBodyID box = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 20, 1, 0.5, 1);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0, 0.25, 0);
    Reduced *reduced = reduced_create();
    for (int i = 0; i < count; i++) {
      const dContact contact = {
          .surface = {.mode = dContactApprox1, .mu = 0.5},
          .geom = {.pos = {0.1 * (i % ROW - 4), 0, 0.1 * (int)(i / ROW - 4)}, .normal = {0, 1, 0}}};
      assert_true(reduced_add_contact(reduced, 0, -1, box, NULL, &contact, &feedback[i]));
    }
    assert_true(reduced_step(reduced, world, &box, 1, h, &error));
    double force[3] = {0}, tilt[2] = {0};
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < 3; k++)
        force[k] += feedback[i].f1[k];
      tilt[0] += feedback[i].f1[1] * (i % ROW - 4);
      tilt[1] += feedback[i].f1[1] * (int)(i / ROW - 4);
    }
    assert_true(fabs(force[1] - weight) < 1e-3 * weight && hypot(force[0], force[2]) < 1e-3 * weight);
    assert_true(hypot(tilt[0], tilt[1]) < 1e-3 * weight);
    assert_true(fabs(dBodyGetLinearVel(box)[1]) < 1e-4);
    const ReducedStats stats = reduced_stats(reduced);
    assert_int_equal(stats.problems, 1);
    assert_int_equal(stats.swept > 0, count == MOST);
    reduced_destroy(reduced);
    dWorldDestroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_energy_and_momentum_better_than_ode),
      cmocka_unit_test(tracks_as_ode_within_a_hundredth),
      cmocka_unit_test(never_exceeds_a_torque_limit),
      cmocka_unit_test(stops_joints_as_ode_does),
      cmocka_unit_test(contacts_account_for_all_momentum),
      cmocka_unit_test(spins_by_rate_times_time),
      cmocka_unit_test(swings_as_a_pendulum),
      cmocka_unit_test(stacks_and_carries),
      cmocka_unit_test(two_trees_exchange_momentum),
      cmocka_unit_test(is_deterministic),
      cmocka_unit_test(solvers_change_over_between_steps),
      cmocka_unit_test(notices_disabled_joints),
      cmocka_unit_test(stops_with_a_reason_at_unknown_joints),
      cmocka_unit_test(comes_out_of_the_ground_no_faster_than_allowed),
      cmocka_unit_test(carries_a_box_on_many_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
