// The camera under the user's control: names, following without shaking, mouse movements, rays through pixels.
#include "tests/unit/small_scene.h"

#include "viewer/draw/camera_rig.h"

enum { WIDTH = 1280, HEIGHT = 720 };
#define ASPECT ((float)WIDTH / HEIGHT)
#define PI 3.14159265f

static const Subject MAN = {.center_w = {{3, 1, 20}},
                            .heading = 0.4f,
                            .height = 1.8f,
                            .width = 1.6f,
                            .has_head = true,
                            .head_w = {{3, 1.65f, 20.1f}},
                            .head_rotation = {{0, 0, 0, 1}}};

static SceneDef *scene;

static int open_scene(void **state) {
  (void)state;
  scene = small_def("characters:\n"
                    "  - {name: a, body: boxes.yaml}\n"
                    "  - {name: b, body: boxes.yaml, start: {heading: 90}}\n"
                    "cameras:\n"
                    "  - {name: gate, eye: [1, 2, 3], target: [4, 2, 7], fov: 60}\n"
                    "  - {name: beside_b, follow: b, eye: [2, 1.5, 0], target: [0, 1, 1]}\n"
                    "  - {name: above_a, follow: a, eye: [0, 6, 0], target: [0, 0, 0]}\n");
  return 0;
}

static int close_scene(void **state) {
  (void)state;
  scene_def_free(scene);
  return 0;
}

static void check_vec(vec3s v, float x, float y, float z, float tolerance) {
  assert_near((double)v.x, (double)x, (double)tolerance);
  assert_near((double)v.y, (double)y, (double)tolerance);
  assert_near((double)v.z, (double)z, (double)tolerance);
}

static CameraRig rig_named(const char *name) {
  CameraRig rig;
  if (!camera_rig_from_name(&rig, name, scene, &MAN))
    fail_msg("no camera %s", name);
  return rig;
}

static Camera camera_of(const CameraRig *rig, const Subject *subject) {
  return camera_rig_camera(rig, scene, subject, ASPECT);
}

static void fixed_kinds_are_as_ever(void **state) {
  (void)state;
  for (int i = 0; i < CAMERA_KIND_COUNT; i++) {
    CameraRig rig = rig_named(camera_style((CameraKind)i).name);
    Camera camera = camera_of(&rig, &MAN), fixed = camera_for((CameraKind)i, &MAN, ASPECT);
    assert_int_equal(rig.mode, RIG_FOLLOW);
    assert_memory_equal(&camera, &fixed, sizeof camera);
  }
}

// A scene cannot take the name of a camera of the viewer.
static void names_of_the_viewer_are_reserved(void **state) {
  (void)state;
  int found = 0;
  for (int i = 0; camera_reserved_names[i]; i++) {
    CameraRig rig;
    const char *name = camera_reserved_names[i];
    if (strcmp(name, "follow") == 0) // for people only
      continue;
    assert_true(camera_rig_from_name(&rig, name, NULL, &MAN));
    found++;
  }
  assert_int_equal(found, CAMERA_KIND_COUNT + 2); // orbit and first_person
}

static void unknown_names_are_none(void **state) {
  (void)state;
  CameraRig rig = {.azimuth = 7};
  assert_false(camera_rig_from_name(&rig, "sideways", scene, &MAN));
  assert_false(camera_rig_from_name(&rig, "gate", NULL, &MAN));
  assert_false(camera_rig_from_name(&rig, "", scene, &MAN));
  assert_true(rig.azimuth == 7);
}

static void names_go_back_and_forth(void **state) {
  (void)state;
  static const char *const names[] = {"orbit", "first_person", "gate", "beside_b", "above_a", "side", "chase"};
  for (int i = 0; i < 7; i++) {
    CameraRig rig = rig_named(names[i]);
    assert_string_equal(camera_rig_name(&rig, scene), names[i]);
  }
  CameraRig side = rig_named("side");
  Camera now = camera_of(&side, &MAN);
  camera_rig_zoom(&side, &now, 0.5f);
  assert_string_equal(camera_rig_name(&side, scene), "side");
  camera_rig_turn(&side, &now, 10, 0, 100);
  assert_string_equal(camera_rig_name(&side, scene), "follow");
}

// The direction stays, whatever the subject does; the eye moves with the subject.
static void following_keeps_its_direction(void **state) {
  (void)state;
  CameraRig rig = rig_named("side");
  Camera before = camera_of(&rig, &MAN);
  Subject moved = MAN;
  moved.heading += 1;
  moved.center_w.z += 5;
  Camera after = camera_of(&rig, &moved);
  vec3s way = glms_vec3_sub(after.eye_w, before.eye_w);
  check_vec(way, 0, 0, 5, 1e-5f);
}

static void orbit_stands_still(void **state) {
  (void)state;
  CameraRig rig = rig_named("orbit");
  Camera before = camera_of(&rig, &MAN);
  Subject moved = MAN;
  moved.center_w.z += 5;
  Camera after = camera_of(&rig, &moved);
  assert_memory_equal(&before, &after, sizeof before);
}

static void first_person_looks_out_of_the_head(void **state) {
  (void)state;
  CameraRig rig = rig_named("first_person");
  Camera camera = camera_of(&rig, &MAN);
  vec3s forward = glms_vec3_normalize(glms_vec3_sub(camera.target_w, camera.eye_w));
  check_vec(forward, 0, 0, 1, 1e-6f);
  assert_true(camera.eye_w.z > MAN.head_w.z);
  // No point of a head of 12 cm around its middle is in front of the near plane.
  assert_true(camera.eye_w.z + camera.near_plane > MAN.head_w.z + 0.12f);

  Subject turned = MAN;
  turned.head_rotation = glms_quatv(PI / 2, (vec3s){{0, 1, 0}});
  camera = camera_of(&rig, &turned);
  forward = glms_vec3_normalize(glms_vec3_sub(camera.target_w, camera.eye_w));
  check_vec(forward, 1, 0, 0, 1e-6f);

  Subject headless = MAN;
  headless.has_head = false;
  camera = camera_of(&rig, &headless);
  forward = glms_vec3_normalize(glms_vec3_sub(camera.target_w, camera.eye_w));
  check_vec(forward, sinf(0.4f), 0, cosf(0.4f), 1e-6f);
}

static void cameras_of_the_scene_stand_where_it_says(void **state) {
  (void)state;
  CameraRig rig = rig_named("gate");
  Camera camera = camera_of(&rig, &MAN);
  check_vec(camera.eye_w, 1, 2, 3, 0);
  check_vec(camera.target_w, 4, 2, 7, 0);
  assert_near((double)camera.fov_y, M_PI / 3, 1e-6);
  assert_int_equal(camera_rig_subject(&rig, scene, 1), 1);
}

// b faces to the left (+X) at first: its own left is -Z, its forward +X. Its middle is 1 m up, its ground at 0.1 m.
static void following_cameras_go_with_their_character(void **state) {
  (void)state;
  CameraRig rig = rig_named("beside_b");
  assert_int_equal(camera_rig_subject(&rig, scene, 0), 1);
  Camera camera = camera_of(&rig, &MAN);
  check_vec(camera.eye_w, 3, 0.1f + 1.5f, 20 - 2, 1e-5f);
  check_vec(camera.target_w, 3 + 1, 0.1f + 1, 20, 1e-5f);

  // Neither the heading nor the head move it.
  Subject moved = MAN;
  moved.heading = 2;
  moved.head_w.y = 0.3f;
  Camera after = camera_of(&rig, &moved);
  assert_memory_equal(&camera, &after, sizeof camera);
}

static void straight_down_is_a_view_too(void **state) {
  (void)state;
  CameraRig rig = rig_named("above_a");
  Camera camera = camera_of(&rig, &MAN);
  float x, y;
  vec3s ahead = {{MAN.center_w.x + 0.5f * sinf(MAN.heading), 0, MAN.center_w.z + 0.5f * cosf(MAN.heading)}};
  assert_true(camera_project(&camera, ahead, WIDTH, HEIGHT, &x, &y));
  assert_near((double)x, WIDTH / 2.0, 0.1);
  assert_true(y < HEIGHT / 2.0f - 30);
}

static void next_goes_round(void **state) {
  (void)state;
  CameraRig rig = rig_named("side");
  float azimuth = rig.azimuth;
  static const char *const order[] = {"orbit", "first_person", "gate", "beside_b", "above_a", "side", "orbit"};
  for (int i = 0; i < 7; i++) {
    camera_rig_next(&rig, scene, &MAN);
    assert_string_equal(camera_rig_name(&rig, scene), order[i]);
  }
  assert_true(rig.azimuth == azimuth);

  // Without a head and without cameras of the scene there are two.
  Subject headless = MAN;
  headless.has_head = false;
  rig = rig_named("side");
  camera_rig_next(&rig, NULL, &headless);
  assert_int_equal(rig.mode, RIG_ORBIT);
  camera_rig_next(&rig, NULL, &headless);
  assert_int_equal(rig.mode, RIG_FOLLOW);
}

// The view changes into following without a change of the picture.
static void next_does_not_jump(void **state) {
  (void)state;
  CameraRig rig = rig_named("chase");
  rig.offset_w = (vec3s){{0.5f, 0.25f, 0}};
  Camera before = camera_of(&rig, &MAN);
  camera_rig_next(&rig, scene, &MAN);
  Camera after = camera_of(&rig, &MAN);
  assert_memory_equal(&before, &after, sizeof before);
}

// A camera that does not exist any more (the scene was replaced) leads to no read beyond the list.
static void a_lost_camera_follows(void **state) {
  (void)state;
  CameraRig rig = rig_named("above_a");
  Camera camera = camera_rig_camera(&rig, NULL, &MAN, ASPECT);
  check_vec(camera.target_w, MAN.center_w.x, MAN.center_w.y, MAN.center_w.z, 0);
  assert_string_equal(camera_rig_name(&rig, NULL), "side");
  assert_int_equal(camera_rig_subject(&rig, NULL, 1), 1);
}

static void turning_by_the_height_is_half_a_turn(void **state) {
  (void)state;
  CameraRig rig = rig_named("front");
  Camera before = camera_of(&rig, &MAN);
  camera_rig_turn(&rig, &before, HEIGHT, 0, HEIGHT);
  Camera after = camera_of(&rig, &MAN);
  // The eye is on the other side, as high as before.
  vec3s there = glms_vec3_sub(before.eye_w, before.target_w), here = glms_vec3_sub(after.eye_w, after.target_w);
  check_vec(here, -there.x, there.y, -there.z, 1e-4f);
}

static void turning_moves_the_scene_with_the_mouse(void **state) {
  (void)state;
  const vec3s near = {{3 + 0.5f * sinf(0.4f), 1, 20 + 0.5f * cosf(0.4f)}}; // between the man and the camera
  CameraRig rig = rig_named("front");
  Camera camera = camera_of(&rig, &MAN);
  float x0, y0, x1, y1;
  assert_true(camera_project(&camera, near, WIDTH, HEIGHT, &x0, &y0));
  camera_rig_turn(&rig, &camera, 40, 20, HEIGHT);
  camera = camera_of(&rig, &MAN);
  assert_true(camera_project(&camera, near, WIDTH, HEIGHT, &x1, &y1));
  assert_true(x1 > x0 + 5 && y1 > y0 + 2);
}

static void turning_stops_at_the_poles(void **state) {
  (void)state;
  CameraRig rig = rig_named("front");
  for (int i = -1; i <= 1; i += 2) {
    Camera camera = camera_of(&rig, &MAN);
    camera_rig_turn(&rig, &camera, 3, (float)i * 10 * HEIGHT, HEIGHT);
    assert_true(fabsf(rig.elevation) < PI / 2 && fabsf(rig.elevation) > 1.5f);
    camera = camera_of(&rig, &MAN);
    mat4s view = camera_view(&camera);
    for (int k = 0; k < 16; k++)
      assert_true(isfinite(((const float *)&view)[k]));
  }
}

// The point under the mouse stays there.
static void panning_holds_the_scene(void **state) {
  (void)state;
  static const char *const names[] = {"side", "orbit", "gate"};
  for (int i = 0; i < 3; i++) {
    CameraRig rig = rig_named(names[i]);
    Camera before = camera_of(&rig, &MAN);
    camera_rig_pan(&rig, &before, 100, -60, HEIGHT);
    Camera after = camera_of(&rig, &MAN);
    float x, y;
    assert_true(camera_project(&after, before.target_w, WIDTH, HEIGHT, &x, &y));
    assert_near((double)x, WIDTH / 2.0 + 100, 0.1);
    assert_near((double)y, HEIGHT / 2.0 - 60, 0.1);
  }
  CameraRig rig = rig_named("side");
  Camera before = camera_of(&rig, &MAN);
  camera_rig_pan(&rig, &before, 10, 0, HEIGHT);
  assert_int_equal(rig.mode, RIG_FOLLOW); // it still follows
}

static void zooming_changes_the_distance(void **state) {
  (void)state;
  CameraRig rig = rig_named("side");
  Camera before = camera_of(&rig, &MAN);
  camera_rig_zoom(&rig, &before, 0.5f);
  Camera after = camera_of(&rig, &MAN);
  float distance = glms_vec3_distance(before.eye_w, before.target_w);
  assert_near((double)glms_vec3_distance(after.eye_w, after.target_w), (double)distance / 2, 1e-4);
  for (int i = 0; i < 100; i++)
    camera_rig_zoom(&rig, &after, 0.5f);
  after = camera_of(&rig, &MAN);
  camera_rig_zoom(&rig, &after, 1e-9f);
  assert_true(rig.distance > 0.1f);
  camera_rig_zoom(&rig, &after, 1e9f);
  assert_true(rig.distance < after.far_plane);
}

// Moving a named or first-person camera begins where it stands.
static void letting_go_does_not_jump(void **state) {
  (void)state;
  static const char *const names[] = {"gate", "beside_b", "first_person"};
  for (int i = 0; i < 3; i++) {
    CameraRig rig = rig_named(names[i]);
    Camera before = camera_of(&rig, &MAN);
    camera_rig_turn(&rig, &before, 0, 0, HEIGHT);
    Camera after = camera_of(&rig, &MAN);
    assert_int_equal(rig.mode, RIG_ORBIT);
    check_vec(after.eye_w, before.eye_w.x, before.eye_w.y, before.eye_w.z, 1e-3f);
    check_vec(after.target_w, before.target_w.x, before.target_w.y, before.target_w.z, 1e-3f);
    assert_true(after.fov_y == before.fov_y);
  }
  // Straight down, what was up in the picture stays up.
  CameraRig rig = rig_named("above_a");
  Camera before = camera_of(&rig, &MAN);
  camera_rig_turn(&rig, &before, 0, 0, HEIGHT);
  Camera after = camera_of(&rig, &MAN);
  vec3s point = {{MAN.center_w.x + 1, 0.1f, MAN.center_w.z + 0.5f}};
  float x0, y0, x1, y1;
  assert_true(camera_project(&before, point, WIDTH, HEIGHT, &x0, &y0));
  assert_true(camera_project(&after, point, WIDTH, HEIGHT, &x1, &y1));
  assert_near((double)x0, (double)x1, 3);
  assert_near((double)y0, (double)y1, 3);
}

static void rays_go_through_their_pixels(void **state) {
  (void)state;
  static const char *const names[] = {"side", "top", "gate", "first_person", "above_a"};
  static const float pixels[][2] = {{640, 360}, {0, 0}, {1280, 720}, {100, 650}};
  for (int i = 0; i < 5; i++) {
    CameraRig rig = rig_named(names[i]);
    Camera camera = camera_of(&rig, &MAN);
    for (int k = 0; k < 4; k++) {
      vec3s origin, direction;
      camera_ray(&camera, pixels[k][0], pixels[k][1], WIDTH, HEIGHT, &origin, &direction);
      assert_near((double)glms_vec3_norm(direction), 1, 1e-6);
      check_vec(origin, camera.eye_w.x, camera.eye_w.y, camera.eye_w.z, 0);
      float x, y;
      vec3s point = glms_vec3_add(origin, glms_vec3_scale(direction, 4));
      assert_true(camera_project(&camera, point, WIDTH, HEIGHT, &x, &y));
      assert_near((double)x, (double)pixels[k][0], 0.05);
      assert_near((double)y, (double)pixels[k][1], 0.05);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_kinds_are_as_ever),
      cmocka_unit_test(names_of_the_viewer_are_reserved),
      cmocka_unit_test(unknown_names_are_none),
      cmocka_unit_test(names_go_back_and_forth),
      cmocka_unit_test(following_keeps_its_direction),
      cmocka_unit_test(orbit_stands_still),
      cmocka_unit_test(first_person_looks_out_of_the_head),
      cmocka_unit_test(cameras_of_the_scene_stand_where_it_says),
      cmocka_unit_test(following_cameras_go_with_their_character),
      cmocka_unit_test(straight_down_is_a_view_too),
      cmocka_unit_test(next_goes_round),
      cmocka_unit_test(next_does_not_jump),
      cmocka_unit_test(a_lost_camera_follows),
      cmocka_unit_test(turning_by_the_height_is_half_a_turn),
      cmocka_unit_test(turning_moves_the_scene_with_the_mouse),
      cmocka_unit_test(turning_stops_at_the_poles),
      cmocka_unit_test(panning_holds_the_scene),
      cmocka_unit_test(zooming_changes_the_distance),
      cmocka_unit_test(letting_go_does_not_jump),
      cmocka_unit_test(rays_go_through_their_pixels),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
