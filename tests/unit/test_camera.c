// The viewer's cameras: names, framing, and directions in the picture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer/draw/camera.h"

enum { WIDTH = 1280, HEIGHT = 720 };
static const Subject MAN = {.center_w = {{3, 1, 20}}, .heading = 0, .height = 1.8f, .width = 1.6f};

static const char *const NAMES[CAMERA_KIND_COUNT] = {"side", "front", "back", "top", "chase"};

static Camera wide_camera(CameraKind kind, const Subject *subject) {
  return camera_for(kind, subject, (float)WIDTH / HEIGHT);
}

static void project(const Camera *camera, vec3s offset, float *x, float *y) {
  assert_true(camera_project(camera, glms_vec3_add(camera->target_w, offset), WIDTH, HEIGHT, x, y));
}

static void every_camera_has_its_name(void **state) {
  (void)state;
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    CameraKind kind = CAMERA_KIND_COUNT;
    assert_true(camera_kind_from_name(NAMES[i], &kind));
    assert_int_equal(kind, i);
  }
  CameraKind kind = CAMERA_TOP;
  assert_false(camera_kind_from_name("sideways", &kind));
  assert_false(camera_kind_from_name("", &kind));
  assert_int_equal(kind, CAMERA_TOP);
}

static void subject_is_in_the_middle(void **state) {
  (void)state;
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    Camera camera = wide_camera((CameraKind)i, &MAN);
    float x, y;
    assert_true(camera_project(&camera, MAN.center_w, WIDTH, HEIGHT, &x, &y));
    assert_float_equal(x, WIDTH / 2.0f, 0.01f);
    assert_float_equal(y, HEIGHT / 2.0f, 0.01f);
  }
}

static void standing_subject_fills_its_share_of_the_height(void **state) {
  (void)state;
  const CameraKind level[] = {CAMERA_SIDE, CAMERA_FRONT, CAMERA_BACK};
  for (int i = 0; i < 3; i++) {
    Camera camera = wide_camera(level[i], &MAN);
    float x, head, feet;
    project(&camera, (vec3s){{0, 0.9f, 0}}, &x, &head);
    project(&camera, (vec3s){{0, -0.9f, 0}}, &x, &feet);
    assert_true(head < feet); // y points down
    assert_float_equal((feet - head) / HEIGHT, 0.62f, 0.02f);
  }
}

static void narrow_picture_holds_the_width(void **state) {
  (void)state;
  Camera camera = camera_for(CAMERA_FRONT, &MAN, 0.4f);
  float left = 0, right = 0, y;
  assert_true(camera_project(&camera, glms_vec3_add(MAN.center_w, (vec3s){{0.8f, 0, 0}}), 200, 500, &left, &y));
  assert_true(camera_project(&camera, glms_vec3_add(MAN.center_w, (vec3s){{-0.8f, 0, 0}}), 200, 500, &right, &y));
  assert_float_equal(fabsf(left - right) / 200, 0.86f, 0.02f);
}

static void forward_goes_to_the_right_seen_from_the_side(void **state) {
  (void)state;
  Camera camera = wide_camera(CAMERA_SIDE, &MAN);
  float x, y, from_x = WIDTH / 2.0f;
  project(&camera, (vec3s){{0, 0, 1}}, &x, &y);
  assert_true(x > from_x + 100);
  project(&camera, (vec3s){{0, 0, -1}}, &x, &y);
  assert_true(x < from_x - 100);
}

static void left_hand_is_right_in_front_and_left_from_behind(void **state) {
  (void)state;
  const vec3s left_hand = {{0.5f, 0, 0}};
  float x, y;
  Camera front = wide_camera(CAMERA_FRONT, &MAN), back = wide_camera(CAMERA_BACK, &MAN);
  project(&front, left_hand, &x, &y);
  assert_true(x > WIDTH / 2.0f + 50);
  project(&back, left_hand, &x, &y);
  assert_true(x < WIDTH / 2.0f - 50);
}

static void forward_is_up_from_above(void **state) {
  (void)state;
  Camera camera = wide_camera(CAMERA_TOP, &MAN);
  float x, y;
  project(&camera, (vec3s){{0, 0, 0.5f}}, &x, &y);
  assert_float_equal(x, WIDTH / 2.0f, 0.1f);
  assert_true(y < HEIGHT / 2.0f - 50);
}

static void camera_turns_with_the_heading(void **state) {
  (void)state;
  Subject turned = MAN;
  turned.heading = 1.2f;
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    Camera straight = wide_camera((CameraKind)i, &MAN), camera = wide_camera((CameraKind)i, &turned);
    const vec3s offset = {{0.2f, 0.4f, 0.5f}};
    float x, y, turned_x, turned_y;
    project(&straight, offset, &x, &y);
    project(&camera, glms_quat_rotatev(glms_quatv(turned.heading, (vec3s){{0, 1, 0}}), offset), &turned_x, &turned_y);
    assert_float_equal(x, turned_x, 0.05f);
    assert_float_equal(y, turned_y, 0.05f);
  }
}

static void points_behind_the_camera_have_no_pixel(void **state) {
  (void)state;
  Camera camera = wide_camera(CAMERA_FRONT, &MAN);
  vec3s behind = glms_vec3_add(camera.eye_w, glms_vec3_sub(camera.eye_w, camera.target_w));
  float x, y;
  assert_false(camera_project(&camera, behind, WIDTH, HEIGHT, &x, &y));
}

static void nearer_points_have_less_depth(void **state) {
  (void)state;
  Camera camera = wide_camera(CAMERA_SIDE, &MAN);
  mat4s matrix = glms_mat4_mul(camera_projection(&camera), camera_view(&camera));
  float last = -1;
  for (int i = 1; i <= 5; i++) {
    vec3s point = glms_vec3_lerp(camera.eye_w, camera.target_w, 0.3f * (float)i);
    vec4s clip = glms_mat4_mulv(matrix, (vec4s){{point.x, point.y, point.z, 1}});
    assert_true(clip.z / clip.w > last && clip.z / clip.w < 1);
    last = clip.z / clip.w;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_camera_has_its_name),
      cmocka_unit_test(subject_is_in_the_middle),
      cmocka_unit_test(standing_subject_fills_its_share_of_the_height),
      cmocka_unit_test(narrow_picture_holds_the_width),
      cmocka_unit_test(forward_goes_to_the_right_seen_from_the_side),
      cmocka_unit_test(left_hand_is_right_in_front_and_left_from_behind),
      cmocka_unit_test(forward_is_up_from_above),
      cmocka_unit_test(camera_turns_with_the_heading),
      cmocka_unit_test(points_behind_the_camera_have_no_pixel),
      cmocka_unit_test(nearer_points_have_less_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
