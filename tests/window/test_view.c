// How things are shown: cameras, colours, layers, panels, the window's size, and a lost OpenGL context.
#include "tests/window/window.h"

static void the_next_character_is_followed(void **state) {
  (void)state;
  App *app = window_open("two.yaml");
  window_settle(app);
  frames(app, 2);
  float first = app->views[0].camera.target_w.x;
  type_key(SDLK_RIGHTBRACKET, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->subject, 1);
  assert_near(app->views[0].camera.target_w.x - first, 2, 0.05);
  assert_string_equal(app->picture->who, "second");
  type_key(SDLK_RIGHTBRACKET, KMOD_NONE); // round and round
  frames(app, 1);
  assert_int_equal(app->subject, 0);
  type_key(SDLK_LEFTBRACKET, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->subject, 1);
  window_close(app);
}

static void cameras_follow_each_other(void **state) {
  (void)state;
  App *app = window_open("two.yaml");
  window_settle(app);
  const RigMode modes[] = {RIG_ORBIT, RIG_FIRST_PERSON, RIG_NAMED, RIG_FOLLOW};
  for (int i = 0; i < 4; i++) {
    type_key(SDLK_c, KMOD_NONE);
    frames(app, 1);
    assert_int_equal(app->camera.mode, modes[i]);
    if (modes[i] == RIG_NAMED)
      assert_near(glms_vec3_distance(app->views[0].camera.eye_w, (vec3s){{0, 1, 6}}), 0, 1e-6);
  }
  type_key(SDLK_v, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->camera.mode, RIG_FIRST_PERSON);
  vec3s head = vec3_from_ode(dBodyGetPosition(world_of(app)->bodies[find_body(app, "head")].ode));
  assert_true(glms_vec3_distance(app->views[0].camera.eye_w, head) < 0.25f);
  type_key(SDLK_v, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->camera.mode, RIG_FOLLOW);
  window_close(app);
}

// Half the pixels in both directions; what is under the mouse stays.
static void scaled_window_shows_the_same(void **state) {
  (void)state;
  double eye[3], ways[2][3];
  for (int i = 0; i < 2; i++) {
    App *app = window_open_with((AppOptions){.scale = i == 0 ? 1 : 0.5}, "standing.yaml", NULL);
    window_settle(app);
    frames(app, 1);
    int width, height;
    gl_window_size(&app->gl, &width, &height);
    assert_int_equal(app->target.width, i == 0 ? width : (width + 1) / 2);
    assert_int_equal(app->target.height, i == 0 ? height : (height + 1) / 2);
    assert_true(app_ray(app, 0.7f * (float)width, 0.4f * (float)height, eye, ways[i]));
    window_close(app);
  }
  for (int k = 0; k < 3; k++)
    assert_near(ways[0][k], ways[1][k], 1e-5);
}

static void colours_tell_the_torque(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  frames(app, 5);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  float x, y;
  project(app, body_position(app, "chest"), &x, &y);
  assert_true(is_skin(look_at(app, x, y)));
  assert_int_equal(count_spots(app, is_blue), 0);
  type_key(SDLK_t, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->coloring, COLORING_TORQUE);
  assert_true(is_blue(look_at(app, x, y))); // hardly any: the cold end of the scale
  assert_int_equal(count_spots(app, is_skin), 0);
  for (int i = COLORING_TORQUE; i < COLORING_COUNT; i++)
    type_key(SDLK_t, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->coloring, COLORING_BLEND);
  window_close(app);
}

static void ghosts_come_and_go(void **state) {
  (void)state;
  App *app = window_open("limp.yaml");
  window_settle(app);
  frames(app, 45); // he lies, his target stands
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  assert_true(count_spots(app, is_blue) > 200);
  type_key(SDLK_g, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(count_spots(app, is_blue), 0);
  assert_true(count_spots(app, is_body) > 500);
  type_key(SDLK_g, KMOD_NONE);
  frames(app, 1);
  assert_true(count_spots(app, is_blue) > 200);
  window_close(app);
}

static void check_size(App *app, int width, int height) {
  SDL_SetWindowSize(app->gl.window, width, height);
  for (int i = 0; i < 20 && app->target.width != width; i++)
    frames(app, 1);
  frames(app, 1);
  assert_int_equal(app->target.width, width);
  assert_int_equal(app->target.height, height);
  assert_int_equal(app->views[0].part.width, width);
  assert_near(app->views[0].camera.aspect, (double)width / height, 1e-6);
  float x, y;
  project(app, body_position(app, "chest"), &x, &y);
  assert_true(is_skin(look_at(app, x, y)));
  assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void the_picture_follows_the_window(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  type_key(SDLK_SPACE, KMOD_NONE);
  app->show_panels = app->show_plots = true;
  check_size(app, 640, 480);
  check_size(app, 1000, 900);
  check_size(app, 120, 40); // panels without any room
  check_size(app, WINDOW_WIDTH, WINDOW_HEIGHT);
  assert_string_equal(app->message, "");
  window_close(app);
}

static void a_lost_context_is_made_anew(void **state) {
  (void)state;
  App *app = window_open("limp.yaml");
  window_settle(app);
  frames(app, 30);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  Shot before = take_shot(app);
  uint64_t hash = world_hash(world_of(app));
  Error error = {0};
  if (!app_restore(app, &error))
    fail_msg("%s", error.text);
  frames(app, 1);
  Shot after = take_shot(app);
  assert_int_equal(count_changes(&before, &after, 3), 0);
  assert_true(world_hash(world_of(app)) == hash);
  type_key(SDLK_SPACE, KMOD_NONE);
  app->show_panels = true;
  frames(app, 5);
  assert_true(world_hash(world_of(app)) == undisturbed("limp.yaml", NULL, 140));
  free_shot(&before);
  free_shot(&after);
  window_close(app);
}

// The one slider of the tool: found by moving the mouse over the panel, line by line, until its value changes.
static void a_slider_is_moved_with_the_mouse(void **state) {
  (void)state;
  App *app = window_open_with((AppOptions){.width = 900, .height = 400, .paused = true}, "standing.yaml", NULL);
  app->show_panels = true;
  window_settle(app);
  type_key(SDLK_2, KMOD_NONE);
  CameraRig camera = app->camera;
  Poke *poke = &app_live(app)->poke;
  double first = poke->def.impulse, low = first, high = first;
  for (float y = 80; y < 330 && high == first; y += 9) {
    move_mouse(60, y, 0, 0);
    frames(app, 1);
    push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 60, y);
    frames(app, 1);
    low = poke->def.impulse;
    move_mouse(250, y, 190, 0);
    frames(app, 1);
    high = poke->def.impulse;
    push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 250, y);
    frames(app, 1);
  }
  assert_true(low >= 0.1 && low < first && high > first && high <= 500);
  move_mouse(150, 200, -100, 0); // it has let go
  frames(app, 1);
  assert_near(poke->def.impulse, high, 0);
  assert_int_equal(world_of(app)->steps, 0);
  assert_int_equal(app_live(app)->hit_count, 0);
  assert_memory_equal(&camera, &app->camera, sizeof camera);

  // The picture between the panels still reacts to the tool.
  float x, y;
  mouse_to_part(app, "chest", &x, &y);
  frames(app, 1);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, x, y);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, x, y);
  frames(app, 1);
  type_key(SDLK_RIGHT, KMOD_LSHIFT);
  frames(app, 1);
  assert_int_equal(app_live(app)->hit_count, 1);
  assert_near(glms_vec3_norm(app_live(app)->hits[0].impulse_w), high, 1e-3 * high);
  window_close(app);
}

static void panels_help_and_picture(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  type_key(SDLK_SPACE, KMOD_NONE);
  type_key(SDLK_TAB, KMOD_NONE);
  frames(app, 1);
  assert_true(app->show_panels);
  type_key(SDLK_F1, KMOD_NONE);
  frames(app, 1);
  assert_true(app->show_help);
  app_screenshot(app, "help.png");
  frames(app, 1);
  assert_true(access("help.png", R_OK) == 0);
  type_key(SDLK_F12, KMOD_NONE);
  type_key(SDLK_F12, KMOD_NONE);
  frames(app, 1);
  assert_true(access("stagger-1.png", R_OK) == 0);
  type_key(SDLK_F12, KMOD_NONE);
  frames(app, 1);
  assert_true(access("stagger-2.png", R_OK) == 0);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_next_character_is_followed),
      cmocka_unit_test(cameras_follow_each_other),
      cmocka_unit_test(scaled_window_shows_the_same),
      cmocka_unit_test(colours_tell_the_torque),
      cmocka_unit_test(ghosts_come_and_go),
      cmocka_unit_test(the_picture_follows_the_window),
      cmocka_unit_test(a_lost_context_is_made_anew),
      cmocka_unit_test(a_slider_is_moved_with_the_mouse),
      cmocka_unit_test(panels_help_and_picture),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
