// The position of the sun and the area of its shadow map.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer/draw/sun.h"

enum { MAP = 1024 };

static Picture picture; // large

static void add_body(float x, float z) {
  picture.shapes[picture.shape_count++] = (PictureShape){.layer = LAYER_OUTPUT,
                                                         .position_w = {{x, 1, z}},
                                                         .rotation = glms_quat_identity(),
                                                         .half_size = {{0.2f, 0.9f, 0.2f}},
                                                         .radius = {{0.1f, 0.1f, 0.1f}},
                                                         .taper = 1};
}

static Camera stand_back(float distance) {
  return (Camera){.eye_w = {{0, 2, -distance}},
                  .target_w = {{0, 1, 0}},
                  .up_w = {{0, 1, 0}},
                  .fov_y = 0.8f,
                  .aspect = 1.6f,
                  .near_plane = 0.1f,
                  .far_plane = 400};
}

static int set_up(void **state) {
  (void)state;
  picture.shape_count = 0;
  picture.subject = (Subject){.center_w = {{0, 1, 0}}, .height = 1.8f, .width = 1};
  add_body(0, 0);
  return 0;
}

static vec3s on_map(const Sun *sun, vec3s point) { return glms_mat4_mulv3(sun->view_projection, point, 1); }

static bool covers(const Sun *sun, vec3s point) {
  vec3s at = on_map(sun, point);
  return fabsf(at.x) < 1 && fabsf(at.y) < 1 && fabsf(at.z) < 1;
}

static void light_comes_from_behind_and_left(void **state) {
  (void)state;
  Camera camera = stand_back(6); // looks along +Z: left is +X
  Sun sun = sun_shine(sun_azimuth(&camera), &picture, &camera, MAP);
  assert_true(sun.to_sun.z < 0 && sun.to_sun.x > 0 && sun.to_sun.y > 0);
  assert_float_equal(glms_vec3_norm(sun.to_sun), 1, 1e-6);
  // The map looks against it: a point nearer to the sun has less depth.
  vec3s above = glms_vec3_add(sun.center, sun.to_sun);
  assert_true(on_map(&sun, above).z < on_map(&sun, sun.center).z);
  assert_float_equal(on_map(&sun, above).x, on_map(&sun, sun.center).x, 1e-5);
}

static void subject_is_in_the_middle(void **state) {
  (void)state;
  Camera camera = stand_back(6);
  Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_float_equal(sun.radius, SUN_SMALLEST_RADIUS, 1e-6);
  assert_float_equal(sun.pixel, 2 * sun.radius / MAP, 1e-9);
  vec3s at = on_map(&sun, picture.subject.center_w);
  assert_true(fabsf(at.x) <= 1.01f / MAP && fabsf(at.y) <= 1.01f / MAP);
}

static void neighbours_widen_the_map(void **state) {
  (void)state;
  Camera camera = stand_back(20);
  add_body(5, 3);
  Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_true(sun.radius > 6 && sun.radius < 9);
  assert_true(covers(&sun, (vec3s){{5.2f, 1.9f, 3}}));
}

static void far_and_hidden_bodies_do_not(void **state) {
  (void)state;
  Camera camera = stand_back(6);
  add_body(0, 60);  // far beyond
  add_body(0, -12); // behind the camera
  Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_float_equal(sun.radius, SUN_SMALLEST_RADIUS, 1e-6);
}

static void a_camera_that_turned_away_gets_its_shadows(void **state) {
  (void)state;
  Camera camera = stand_back(6);
  camera.eye_w = (vec3s){{40, 3, 0}};
  camera.target_w = (vec3s){{50, 0, 0}};
  Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_float_equal(sun.center.x, 50, 1e-6); // no body there: the point it looks at
  add_body(52, 1);
  sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_float_equal(sun.center.x, 52, 1e-6);
  assert_float_equal(sun.center.z, 1, 1e-6);
}

static void map_moves_by_whole_pixels(void **state) {
  (void)state;
  Camera camera = stand_back(6);
  vec3s still = {{0.7f, 0, 0.4f}};
  vec3s before = on_map(&(Sun){.view_projection = sun_shine(0.3f, &picture, &camera, MAP).view_projection}, still);
  for (int i = 1; i <= 20; i++) {
    picture.subject.center_w = (vec3s){{0.0137f * (float)i, 1, 0.0071f * (float)i}};
    Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
    vec3s now = on_map(&sun, still);
    for (int axis = 0; axis < 2; axis++) {
      float pixels = (now.raw[axis] - before.raw[axis]) * MAP / 2;
      assert_float_equal(pixels, roundf(pixels), 0.01);
    }
  }
}

static void casters_are_where_bodies_are(void **state) {
  (void)state;
  Camera camera = stand_back(6);
  Sun sun = sun_shine(0.3f, &picture, &camera, MAP);
  for (int end = -1; end <= 1; end++) {
    vec3s at = on_map(&sun, (vec3s){{0, 1 + 0.9f * (float)end, 0}});
    float u = 0.5f + 0.5f * at.x, v = 0.5f + 0.5f * at.y;
    assert_true(u > sun.casters.x && u < sun.casters.z && v > sun.casters.y && v < sun.casters.w);
  }
  assert_true(sun.casters.z - sun.casters.x < 0.4f);
  picture.shapes[0].layer = LAYER_TARGET; // ghosts cast none
  sun = sun_shine(0.3f, &picture, &camera, MAP);
  assert_true(sun.casters.z < sun.casters.x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(light_comes_from_behind_and_left, set_up),
      cmocka_unit_test_setup(subject_is_in_the_middle, set_up),
      cmocka_unit_test_setup(neighbours_widen_the_map, set_up),
      cmocka_unit_test_setup(far_and_hidden_bodies_do_not, set_up),
      cmocka_unit_test_setup(a_camera_that_turned_away_gets_its_shadows, set_up),
      cmocka_unit_test_setup(map_moves_by_whole_pixels, set_up),
      cmocka_unit_test_setup(casters_are_where_bodies_are, set_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
