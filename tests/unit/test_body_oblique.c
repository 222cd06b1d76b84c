// Oblique shapes and products of inertia: read, mirrored, written, in ODE, as meshes; what is impossible is refused.
#include "tests/fixture.h"

#include "ragdoll/body/body_write.h"
#include "scenes/export/body_mesh.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

static const char POST[] =
    "name: post\n"
    "absent: [hand_l]\n"
    "parts:\n"
    "  - {name: base, mass: 5, com: [0, 1, 0], inertia: [0.2, 0.3, 0.4], products: [0.05, -0.06, 0.07],\n"
    "     joint: {kind: root, position: [0, 1, 0]}, shapes: [{box: [0.2, 0.6, 0.4], center: [0, 1, 0], turn: [10, -50, "
    "70]}]}\n"
    "  - {name: left, mirror: right, parent: base, mass: 1, com: [0.5, 1, 0], inertia: [0.2, 0.3, 0.4],\n"
    "     products: [0.01, 0.02, 0.03], joint: {position: [0.4, 1, 0]},\n"
    "     shapes: [{capsule: [0.05, 0.4], axis: y, center: [0.6, 1, 0.1], turn: [20, 30, 40]}]}\n";

static BodyDef *read_text(const char *text, Error *error) {
  FileSet files = {.sealed = true};
  assert_non_null(files_put(&files, "b.yaml", text, strlen(text)));
  BodyDef *body = body_read(&files, "b.yaml", error);
  files_free(&files);
  return body;
}

static BodyDef *read_post(void) {
  Error error = {0};
  BodyDef *body = read_text(POST, &error);
  fixture_check(&error);
  return body;
}

static void near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.9g is not %.9g", value, expected);
}

static void the_image_is_mirrored(void **state) {
  (void)state;
  BodyDef *body = read_post();
  const PartDef *left = &body->parts[1], *right = &body->parts[2];
  static const double signs[3] = {-1, -1, 1}, turns[3] = {1, -1, -1};
  double to_left[4], to_right[4], a[3] = {0, 1, 0}, b[3] = {0, 1, 0};
  for (int i = 0; i < 3; i++) {
    near(right->products[i], signs[i] * left->products[i], 0);
    near(right->shapes[0].turn[i], turns[i] * left->shapes[0].turn[i], 0);
  }
  shape_rotation(&left->shapes[0], to_left);
  shape_rotation(&right->shapes[0], to_right);
  quaternion_turn(to_left, a, a);
  quaternion_turn(to_right, b, b);
  near(b[0], -a[0], 1e-12);
  near(b[1], a[1], 1e-12);
  near(b[2], a[2], 1e-12);
  body_free(body);
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  BodyDef *body = read_post();
  TextBuffer text = {0};
  Error error = {0};
  body_write(body, NULL, &text);
  BodyDef *read = read_text(text.bytes, &error);
  fixture_check(&error);
  assert_true(skeleton_lacks(&read->skeleton, "hand_l"));
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < 3; k++) {
      near(read->parts[i].products[k], body->parts[i].products[k], 1e-9);
      near(read->parts[i].shapes[0].turn[k], body->parts[i].shapes[0].turn[k], 1e-7);
    }
  text_free(&text);
  body_free(read);
  body_free(body);
}

// ODE's bounding boxes of the bind pose, the meshes of exports, and shape_half_size agree.
static void shapes_reach_as_far_everywhere(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  body_free(f.body);
  f.character_def.body = f.body = read_post();
  Error error = {0};
  f.terrain = terrain_create(&f.terrain_def, 1, &f.files, &error);
  World *world = world_create(&f.world_def, f.terrain, 1, &error);
  fixture_check(&error);
  const Pose bind = pose_bind(&f.body->skeleton);
  Ragdoll *ragdoll = ragdoll_create(f.body, world, 0, &bind, &error);
  fixture_check(&error);
  static BodyMesh mesh;
  for (int i = 0; i < f.body->part_count; i++) {
    const PartDef *part = &f.body->parts[i];
    dReal box[6];
    dGeomGetAABB(dBodyGetFirstGeom(ragdoll->ode[i]), box);
    body_mesh(part, &mesh);
    for (int axis = 0; axis < 3; axis++) {
      const double half = shape_half_size(&part->shapes[0], axis), center = part->shapes[0].center_m[axis];
      near(box[2 * axis], center - half, 1e-6);
      near(box[2 * axis + 1], center + half, 1e-6);
      double most = -1;
      for (int v = 0; v < mesh.vertex_count; v++)
        most = fmax(most, (double)mesh.positions[v].raw[axis] + part->joint.position[axis]);
      near(most, center + half, part->shapes[0].kind == SHAPE_BOX ? 1e-6 : 1e-3);
    }
  }
  // The angular momentum is the tensor times the spin.
  const double spin[3] = {1, 2, 3}, about[3] = {0, 1, 0};
  double linear[3], angular[3];
  ragdoll_add_spin(ragdoll, 0, spin);
  ragdoll_momentum(ragdoll, about, linear, angular);
  near(angular[0], 0.2 * 1 + 0.05 * 2 - 0.06 * 3, 1e-9);
  near(angular[1], 0.05 * 1 + 0.3 * 2 + 0.07 * 3, 1e-9);
  near(angular[2], -0.06 * 1 + 0.07 * 2 + 0.4 * 3, 1e-9);
  dMass mass;
  dBodyGetMass(ragdoll->ode[0], &mass);
  near(mass.I[1], 0.05, 0);
  near(mass.I[2], -0.06, 0);
  near(mass.I[6], 0.07, 0);
  ragdoll_destroy(ragdoll);
  world_destroy(world);
  terrain_destroy(f.terrain);
  body_free(f.body);
  files_free(&f.files);
}

static void errors_say_what_is_allowed(void **state) {
  (void)state;
  static const struct {
    const char *old, *by, *error;
  } cases[] = {
      {"turn: [20, 30, 40]", "turn: [100, 100, 140]", "'turn' is a rotation vector of at most 180 deg"},
      {"capsule: [0.05, 0.4], axis: y", "sphere: 0.1", "a sphere has no turn"},
      {"products: [0.05, -0.06, 0.07]", "products: [0.05, -0.06, 0.9]",
       "no body has the moments and products of inertia of 'base'"},
      {"absent: [hand_l]", "absent: [left]", "the body has a part 'left'"},
      {"absent: [hand_l]", "absent: hand_l", "'absent' is a list of up to 16 names of parts"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[sizeof POST + 64];
    const char *at = strstr(POST, cases[i].old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - POST), POST, cases[i].by, at + strlen(cases[i].old));
    Error error = {0};
    assert_null(read_text(text, &error));
    if (!strstr(error.text, cases[i].error) || strncmp(error.text, "b.yaml:", 7) != 0)
      fail_msg("%s", error.text);
  }
}

// The moments and products of a body whose mass is spread with these mean squares along its axes, which are drawn or,
// every third time, two of the frame's turned about the third.
static bool is_accepted(Rng *rng, int number, const double squares[3]) {
  double axis[3], spread[3][3] = {{0}};
  rng_direction(rng, axis);
  if (number % 3 == 0)
    for (int k = 0; k < 3; k++)
      axis[k] = k == number / 3 % 3;
  const double angle = rng_range(rng, 0.3, 1.2), s = sin(angle / 2),
               turn[4] = {cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
  for (int i = 0; i < 3; i++) {
    double along[3] = {i == 0, i == 1, i == 2};
    quaternion_turn(turn, along, along);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        spread[r][c] += squares[i] * along[r] * along[c];
  }
  const double whole = spread[0][0] + spread[1][1] + spread[2][2];
  char text[600];
  snprintf(text, sizeof text,
           "name: b\nparts:\n  - {name: base, mass: 5, com: [0, 1, 0], inertia: [%.17g, %.17g, %.17g],\n"
           "     products: [%.17g, %.17g, %.17g], joint: {kind: root, position: [0, 1, 0]},\n"
           "     shapes: [{sphere: 0.1, center: [0, 1, 0]}]}\n",
           whole - spread[0][0], whole - spread[1][1], whole - spread[2][2], -spread[0][1], -spread[0][2],
           -spread[1][2]);
  Error error = {0};
  BodyDef *body = read_text(text, &error);
  body_free(body);
  return body != NULL;
}

// Mass lies along axes as a sheet, a rod or a cloud, but nowhere less than not at all.
static void tensors_of_bodies_are_accepted(void **state) {
  (void)state;
  Rng rng = rng_make(1, "tensors");
  for (int n = 0; n < 300; n++) {
    const int flat = rng_index(&rng, 3);
    double squares[3];
    for (int k = 0; k < 3; k++)
      squares[k] = k == flat ? 0 : rng_range(&rng, 0.02, 0.5);
    if (!is_accepted(&rng, n, squares))
      fail_msg("sheet %d is refused", n);
    squares[flat] = rng_range(&rng, 0, 0.3);
    if (!is_accepted(&rng, n, squares))
      fail_msg("body %d is refused", n);
    squares[flat] = -2e-3;
    if (is_accepted(&rng, n, squares))
      fail_msg("what is no body, %d, is accepted", n);
    for (int other = 0; other < 2; other++) { // beside a sheet's thickness, and twice
      squares[(flat + 1) % 3] = other == 0 ? 0 : -2e-3;
      if (is_accepted(&rng, n, squares))
        fail_msg("what is no body in two ways, %d, is accepted", n);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_image_is_mirrored),          cmocka_unit_test(what_is_written_reads_back),
      cmocka_unit_test(shapes_reach_as_far_everywhere), cmocka_unit_test(errors_say_what_is_allowed),
      cmocka_unit_test(tensors_of_bodies_are_accepted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
