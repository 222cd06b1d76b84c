// The trees of the reduced solver against a dense reference: random trees of ODE bodies and joints.
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/reduced/articulated.h"
#include "tests/fixture.h"

enum { MOST = 24, MOST_DOFS = 6 + 3 * MOST };

typedef struct Tree {
  dWorldID world;
  dBodyID bodies[MOST];
  int count;
  Forest forest;
  double u[MOST_DOFS];
} Tree;

static double between(Rng *rng, double low, double high) { return rng_range(rng, low, high); }

static dBodyID random_body(dWorldID world, Rng *rng) {
  dBodyID body = dBodyCreate(world);
  dMass mass;
  dMassSetParameters(&mass, between(rng, 0.3, 5), 0, 0, 0, between(rng, 0.02, 0.04), between(rng, 0.02, 0.04),
                     between(rng, 0.02, 0.04), 0.003, -0.002, 0.001);
  dBodySetMass(body, &mass);
  dQuaternion turn = {between(rng, 0.1, 1), between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1)};
  dNormalize4(turn);
  dBodySetQuaternion(body, turn);
  dBodySetPosition(body, between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1));
  dBodySetLinearVel(body, between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1));
  dBodySetAngularVel(body, between(rng, -2, 2), between(rng, -2, 2), between(rng, -2, 2));
  return body;
}

// Kind 0 ball, 1 universal, 2 hinge. parent NULL: the world.
static void random_joint(dWorldID world, Rng *rng, int kind, dBodyID child, dBodyID parent) {
  double anchor[3] = {between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1)};
  double a = between(rng, 0, 6);
  if (kind == 0) {
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, child, parent);
    dJointSetBallAnchor(joint, anchor[0], anchor[1], anchor[2]);
  } else if (kind == 1) {
    dJointID joint = dJointCreateUniversal(world, 0);
    dJointAttach(joint, child, parent);
    dJointSetUniversalAnchor(joint, anchor[0], anchor[1], anchor[2]);
    dJointSetUniversalAxis1(joint, cos(a), sin(a), 0);
    dJointSetUniversalAxis2(joint, -sin(a), cos(a), 0);
  } else {
    dJointID joint = dJointCreateHinge(world, 0);
    dJointAttach(joint, child, parent);
    dJointSetHingeAnchor(joint, anchor[0], anchor[1], anchor[2]);
    dJointSetHingeAxis(joint, cos(a), 0, sin(a));
  }
}

static Tree random_tree(uint64_t seed, int count, bool on_world) {
  Tree tree = {.world = dWorldCreate(), .count = count};
  Rng rng = rng_make(seed, "tree");
  for (int i = 0; i < count; i++) {
    tree.bodies[i] = random_body(tree.world, &rng);
    int parent = i > 0 ? rng_index(&rng, i) : 0, kind = rng_index(&rng, 3);
    if (i > 0)
      random_joint(tree.world, &rng, kind, tree.bodies[i], tree.bodies[parent]);
  }
  if (on_world)
    random_joint(tree.world, &rng, 0, tree.bodies[count / 2], 0);
  Error error = {0};
  if (!forest_build(&tree.forest, tree.bodies, count, &error))
    fail_msg("%s", error.text);
  assert_int_equal(tree.forest.body_count, count);
  forest_read(&tree.forest, 1.0 / 240, tree.u);
  return tree;
}

static void tree_end(Tree *tree) {
  forest_free(&tree->forest);
  dWorldDestroy(tree->world);
}

// Velocities of all bodies at unit rate of one dof, by traversing the joints: v of the centres of mass, w.
static void unit_velocities(const Forest *forest, int dof, double v[][3], double w[][3]) {
  for (int i = 0; i < forest->body_count; i++) {
    const ForestBody *body = &forest->bodies[i];
    bool own = dof >= body->first && dof < body->first + body->dofs;
    const double *axis = forest->dofs[dof].motion;
    memset(v[i], 0, sizeof v[i]);
    memset(w[i], 0, sizeof w[i]);
    if (body->joint == FOREST_FREE) {
      int k = dof - body->first;
      if (own)
        *(k < 3 ? &v[i][k] : &w[i][k - 3]) = 1;
      continue;
    }
    double arm[3], turn[3];
    if (body->parent >= 0) {
      memcpy(v[i], v[body->parent], sizeof v[i]);
      memcpy(w[i], w[body->parent], sizeof w[i]);
      for (int k = 0; k < 3; k++)
        arm[k] = body->pivot[k] - forest->bodies[body->parent].center[k];
      cross3(w[i], arm, turn);
      for (int k = 0; k < 3; k++)
        v[i][k] += turn[k];
    }
    for (int k = 0; k < 3; k++) {
      w[i][k] += own ? axis[k] : 0;
      arm[k] = body->center[k] - body->pivot[k];
    }
    cross3(w[i], arm, turn);
    for (int k = 0; k < 3; k++)
      v[i][k] += turn[k];
  }
}

// J^T M J by the velocities above, and J^T of the bodies' momenta.
static void dense_reference(const Tree *tree, double matrix[MOST_DOFS][MOST_DOFS]) {
  static double v[MOST_DOFS][MOST][3], w[MOST_DOFS][MOST][3];
  const Forest *forest = &tree->forest;
  for (int k = 0; k < forest->dof_count; k++)
    unit_velocities(forest, k, v[k], w[k]);
  for (int a = 0; a < forest->dof_count; a++)
    for (int b = 0; b < forest->dof_count; b++) {
      double sum = 0;
      for (int i = 0; i < forest->body_count; i++) {
        dMass mass;
        dVector3 wa, wb, spin;
        dBodyGetMass(forest->bodies[i].ode, &mass);
        dBodyVectorFromWorld(forest->bodies[i].ode, w[a][i][0], w[a][i][1], w[a][i][2], wa);
        dBodyVectorFromWorld(forest->bodies[i].ode, w[b][i][0], w[b][i][1], w[b][i][2], wb);
        dMultiply0_331(spin, mass.I, wb);
        for (int k = 0; k < 3; k++)
          sum += mass.mass * v[a][i][k] * v[b][i][k] + wa[k] * spin[k];
      }
      matrix[a][b] = sum;
    }
}

// The rates caused by a drive of each dof, against the dense equations.
static void check_rates(const Tree *tree, double dense[MOST_DOFS][MOST_DOFS], const double *stiffness) {
  const Forest *forest = &tree->forest;
  double wrenches[6 * MOST] = {0}, motions[6 * MOST], drive[MOST_DOFS], z[MOST_DOFS], u[MOST_DOFS];
  static double v[MOST_DOFS][MOST][3], w[MOST_DOFS][MOST][3];
  for (int k = 0; k < forest->dof_count; k++)
    drive[k] = sin(k + 1.0);
  articulated_gather(forest, wrenches, drive, z);
  articulated_spread(forest, z, motions, u);
  for (int a = 0; a < forest->dof_count; a++) {
    double sum = stiffness[a] * u[a];
    for (int b = 0; b < forest->dof_count; b++)
      sum += dense[a][b] * u[b];
    assert_true(fabs(sum - drive[a]) < 1e-9);
    unit_velocities(forest, a, v[a], w[a]);
  }
  for (int i = 0; i < forest->body_count; i++)
    for (int k = 0; k < 3; k++) {
      double turning = 0;
      for (int a = 0; a < forest->dof_count; a++)
        turning += u[a] * w[a][i][k];
      assert_true(fabs(turning - motions[6 * i + k]) < 1e-9 * (1 + fabs(turning)));
    }
}

// A wrench on one body: its effect on this body is the square of its whitened row.
static void check_row(const Tree *tree, int body) {
  const Forest *forest = &tree->forest;
  double wrenches[6 * MOST] = {0}, motions[6 * MOST], drive[MOST_DOFS] = {0}, z[MOST_DOFS], u[MOST_DOFS];
  double row[MOST_DOFS] = {0}, wrench[6], rate = 0, square = 0;
  for (int k = 0; k < 6; k++)
    wrench[k] = wrenches[6 * body + k] = cos(3 * k + body);
  articulated_gather(forest, wrenches, drive, z);
  articulated_spread(forest, z, motions, u);
  const ForestBody *on = &forest->bodies[body];
  articulated_whiten(forest, body, 1, (const double *[]){wrench}, (double *[]){row});
  for (int k = 0; k < 6; k++)
    rate += wrench[k] * motions[6 * body + k];
  for (int k = 0; k < on->depth; k++)
    square += row[k] * row[k];
  assert_true(rate > 0 && fabs(rate - square) < 1e-9 * (1 + rate));
}

static void check_tree(uint64_t seed, int count, bool on_world) {
  static double dense[MOST_DOFS][MOST_DOFS];
  double stiffness[MOST_DOFS] = {0};
  Tree tree = random_tree(seed, count, on_world);
  for (int k = 0; k < tree.forest.dof_count; k++)
    stiffness[k] = k % 3 == 0 ? 0 : 2 + sin(k);
  dense_reference(&tree, dense);
  articulated_factor(&tree.forest, stiffness);
  check_rates(&tree, dense, stiffness);
  for (int i = 0; i < count; i++)
    check_row(&tree, i);
  tree_end(&tree);
}

static void articulated_bodies_agree_with_a_dense_matrix(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    check_tree(seed, 1 + (int)(seed % MOST), false);
    check_tree(100 + seed, 1 + (int)(seed % MOST), true);
  }
}

static const char *build_error(dWorldID world, const dBodyID bodies[], int count) {
  static Error error;
  Forest forest = {0};
  error = (Error){0};
  bool built = forest_build(&forest, bodies, count, &error);
  assert_true(built == (error.text[0] == '\0'));
  forest_free(&forest);
  dWorldDestroy(world);
  return error.text;
}

static void refuses_what_it_does_not_know(void **state) {
  (void)state;
  Rng rng = rng_make(5, "tree");
  for (int what = 0; what < 5; what++) {
    dWorldID world = dWorldCreate();
    dBodyID bodies[3];
    for (int i = 0; i < 3; i++)
      bodies[i] = random_body(world, &rng);
    random_joint(world, &rng, 0, bodies[1], bodies[0]);
    random_joint(world, &rng, 2, bodies[2], bodies[1]);
    const char *expected = "";
    if (what == 1) {
      expected = "loops";
      random_joint(world, &rng, 0, bodies[0], bodies[2]);
    } else if (what == 2) {
      expected = "loops";
      random_joint(world, &rng, 0, bodies[0], 0);
      random_joint(world, &rng, 0, bodies[2], 0);
    } else if (what == 3) {
      expected = "ball, universal and hinge";
      dJointAttach(dJointCreateSlider(world, 0), bodies[0], 0);
    } else if (what == 4) {
      expected = "damping";
      dBodySetAngularDamping(bodies[1], 0.1);
    }
    const char *text = build_error(world, bodies, 3);
    assert_true(what == 0 ? text[0] == '\0' : strstr(text, expected) != NULL);
  }
}

int main(void) {
  dInitODE();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(articulated_bodies_agree_with_a_dense_matrix),
      cmocka_unit_test(refuses_what_it_does_not_know),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
