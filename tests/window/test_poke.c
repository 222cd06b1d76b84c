// The user's hand in a live scene: shooting, dragging, pushing, throwing balls, and what it leaves in the saved file.
#include "tests/window/window.h"

// The impulses of a kind on one part, over that many steps of one frame each.
static double impulse_on(App *app, const char *part, ImpulseSource source, int steps) {
  int body = find_body(app, part);
  vec3s sum = {{0, 0, 0}};
  for (int i = 0; i < steps; i++) {
    assert_true(shell_frame(app, WINDOW_STEP));
    const World *world = world_of(app);
    for (int k = 0; k < world->impulse_count; k++)
      if (world->impulses[k].source == source && world->impulses[k].body == body)
        sum = glms_vec3_add(sum, vec3_from_ode(world->impulses[k].impulse));
  }
  return (double)glms_vec3_norm(sum);
}

static void a_shot_strikes_what_the_cursor_is_on(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  frames(app, 10);
  app_live(app)->poke.def.impulse = 12.5;
  float x, y;
  mouse_to_part(app, "chest", &x, &y);
  assert_false(is_hit(look_at(app, x, y)));
  type_key(SDLK_f, KMOD_NONE);
  assert_near(impulse_on(app, "chest", IMPULSE_BULLET, 12), 12.5, 1e-5);
  assert_near(metric(app, "hits"), 1, 0);

  // Its mark lies along the shot, with its tip at the point of impact.
  const Live *live = app_live(app);
  assert_int_equal(live->hit_count, 1);
  const HitMark *hit = &live->hits[0];
  assert_near(glms_vec3_norm(hit->impulse_w), 12.5, 1e-4);
  dBodyID chest = world_of(app)->bodies[find_body(app, "chest")].ode;
  dVector3 struck;
  dBodyGetRelPointPos(chest, (double)hit->offset_l.x, (double)hit->offset_l.y, (double)hit->offset_l.z, struck);
  vec3s back = glms_vec3_scale(glms_vec3_normalize(hit->impulse_w), -0.3f);
  project(app, glms_vec3_add(vec3_from_ode(struck), back), &x, &y);
  assert_true(is_hit(look_at(app, x, y)));
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  app->layers &= ~(1u << (LAYER_DEBUG + DEBUG_HITS));
  frames(app, 1);
  assert_false(is_hit(look_at(app, x, y)));
  window_close(app);
}

static void nothing_is_struck_beside_the_body(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  move_mouse(20, 20, 0, 0);
  type_key(SDLK_f, KMOD_NONE);
  frames(app, 10);
  assert_int_equal(app_live(app)->hit_count, 0);
  assert_true(world_hash(world_of(app)) == undisturbed("standing.yaml", NULL, 40));
  window_close(app);
}

// Shots that are kept are events of the saved scene, which then runs exactly as it did when they were made.
static void kept_shots_are_saved(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  app->keep_pokes = true;
  frames(app, 7);
  float x, y;
  mouse_to_part(app, "head", &x, &y);
  type_key(SDLK_f, KMOD_NONE);
  frames(app, 8);
  type_key(SDLK_3, KMOD_NONE); // a push
  mouse_to_part(app, "abdomen", &x, &y);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, x, y);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, x, y);
  frames(app, 15);
  assert_int_equal(app->tool, TOOL_PUSH);
  assert_int_equal(app_live(app)->hit_count, 2);
  assert_true(app_live(app)->hits[1].push);
  assert_true(edits_unsaved(app_live(app)->edits));
  uint64_t hash = world_hash(world_of(app));
  assert_int_equal(world_of(app)->steps, 120);
  snprintf(app->save_path, sizeof app->save_path, "shot.yaml");
  type_key(SDLK_F5, KMOD_NONE);
  frames(app, 1);
  assert_false(edits_unsaved(app_live(app)->edits));
  window_close(app);

  Error error = {0};
  SceneDef *def = scene_def_read("shot.yaml", NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    return;
  }
  assert_int_equal(def->event_count, 2);
  scene_def_free(def);
  assert_true(undisturbed("shot.yaml", NULL, 120) == hash);
  assert_true(undisturbed("standing.yaml", NULL, 120) != hash);
}

// The hand that is seen at its projected position, and nothing in front of it.
static const char *visible_hand(App *app, float *x, float *y) {
  const char *hands[] = {"hand_l", "hand_r"};
  for (int i = 0; i < 2; i++) {
    double origin[3], direction[3];
    WorldHit hit;
    project(app, body_position(app, hands[i]), x, y);
    if (app_ray(app, *x, *y, origin, direction) && poke_pick(app_live(app)->scene, origin, direction, 100, &hit) &&
        hit.body == find_body(app, hands[i]))
      return hands[i];
  }
  fail_msg("no hand is seen");
  return NULL;
}

static void a_hand_is_dragged_up(void **state) {
  (void)state;
  App *app = window_open("weak.yaml");
  window_settle(app);
  type_key(SDLK_4, KMOD_NONE);
  type_key(SDLK_1, KMOD_NONE);
  frames(app, 2);
  float x, y;
  const char *hand = visible_hand(app, &x, &y);
  double before = (double)body_position(app, hand).y;
  CameraRig camera = app->camera;
  move_mouse(x, y, 0, 0);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, x, y);
  frames(app, 1);
  const Drag *drag = &app_live(app)->poke.drag;
  assert_true(app->dragging && drag->active);
  assert_int_equal(drag->body, find_body(app, hand));
  double strongest = 0;
  for (int i = 1; i <= 50; i++) {
    move_mouse(x, y - 4 * fminf((float)i, 25), 0, i <= 25 ? -4 : 0);
    assert_true(impulse_on(app, hand, IMPULSE_DRAG, 1) > 0);
    strongest = fmax(strongest, sqrt(dCalcVectorDot3(drag->force_w, drag->force_w)));
    frames(app, 1);
  }
  assert_true(strongest > 10 && strongest <= app_live(app)->poke.def.drag_force * (1 + 1e-9));
  assert_true((double)body_position(app, hand).y > before + 0.2);
  assert_false(app->orbiting);
  assert_memory_equal(&camera, &app->camera, sizeof camera);
  assert_near(metric(app, "hits"), 0, 0);

  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, x, y - 100);
  assert_near(impulse_on(app, hand, IMPULSE_DRAG, 1), 0, 0);
  assert_false(app->dragging || drag->active);
  window_close(app);
}

// A reset releases the body from the hand.
static void a_reset_lets_go(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  float x, y;
  mouse_to_part(app, "chest", &x, &y);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, x, y);
  frames(app, 3);
  assert_true(app->dragging);
  type_key(SDLK_r, KMOD_NONE);
  move_mouse(x + 80, y, 80, 0);
  frames(app, 10);
  assert_false(app->dragging);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, x + 80, y);
  frames(app, 1);
  assert_true(world_hash(world_of(app)) == undisturbed("standing.yaml", NULL, 44));
  window_close(app);
}

static void the_mouse_turns_moves_and_zooms_the_camera(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  CameraRig before = app->camera;
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 30, 60); // the sky
  move_mouse(80, 60, 50, 0);
  frames(app, 1);
  assert_true(app->orbiting);
  // Half a turn for the height of the picture; the picture follows the mouse.
  assert_near(fabs((double)(app->camera.azimuth - before.azimuth)), M_PI * 50 / WINDOW_HEIGHT, 1e-4);
  assert_near(app->camera.elevation, before.elevation, 1e-6);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 80, 60);
  move_mouse(120, 90, 40, 30);
  frames(app, 1);
  CameraRig turned = app->camera;
  assert_false(app->orbiting);
  assert_near(fabs((double)(turned.azimuth - before.azimuth)), M_PI * 50 / WINDOW_HEIGHT, 1e-4);

  float x, y, moved_x, moved_y;
  project(app, body_position(app, "chest"), &x, &y);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 30, 60);
  move_mouse(50, 60, 20, 0);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_MIDDLE, 50, 60);
  frames(app, 1);
  project(app, body_position(app, "chest"), &moved_x, &moved_y);
  assert_near(moved_x - x, 20, 4); // what is in the middle follows the mouse
  assert_near(moved_y, y, 2);

  float eye = glms_vec3_distance(app->views[0].camera.eye_w, app->views[0].camera.target_w);
  push_wheel(1);
  frames(app, 1);
  assert_near(glms_vec3_distance(app->views[0].camera.eye_w, app->views[0].camera.target_w), 0.88f * eye, 1e-3);
  assert_int_equal(world_of(app)->steps, 0);
  window_close(app);
}

static void a_ball_is_thrown_seen_and_felt(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  Poke *poke = &app_live(app)->poke;
  poke->def.ball_speed = 25;
  float x, y;
  mouse_to_part(app, "chest", &x, &y);
  type_key(SDLK_b, KMOD_NONE);
  frames(app, 2);
  assert_int_equal(poke->balls.count, 1);
  int ball = poke->balls.bodies[0];
  vec3s flying = vec3_from_ode(dBodyGetPosition(world_of(app)->bodies[ball].ode));
  project(app, flying, &x, &y);
  Spot spot = look_at(app, x, y);
  assert_true(!is_skin(spot) && spot.blue < 140 && spot.red < spot.blue); // dark

  // All parts together get the momentum that the ball loses: it nearly stops.
  vec3s felt = {{0, 0, 0}};
  bool touched = false;
  for (int i = 0; i < 80; i++) {
    assert_true(shell_frame(app, WINDOW_STEP));
    const World *world = world_of(app);
    for (int k = 0; k < world->impulse_count; k++)
      if (world->impulses[k].source == IMPULSE_CONTACT)
        felt = glms_vec3_add(felt, vec3_from_ode(world->impulses[k].impulse));
    for (int k = 0; k < world->contact_count; k++)
      touched |= (world->contacts[k].body == ball && world->contacts[k].other >= 0) || world->contacts[k].other == ball;
  }
  assert_true(touched);
  assert_near(glms_vec3_norm(felt), 3 * 25, 10);
  assert_true(metric(app, "hits") >= 1);
  type_key(SDLK_r, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app_live(app)->poke.balls.count, 0);
  window_close(app);
}

// A poke while the past is shown acts on the present, and shows it.
static void a_poke_goes_to_the_present(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  frames(app, 10);
  type_key(SDLK_SPACE, KMOD_NONE);
  type_key(SDLK_HOME, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 0, 0);
  float x, y;
  mouse_to_part(app, "chest", &x, &y);
  type_key(SDLK_f, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, app->playback.last, 0);
  assert_int_equal(world_of(app)->steps, 40);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shot_strikes_what_the_cursor_is_on),
      cmocka_unit_test(nothing_is_struck_beside_the_body),
      cmocka_unit_test(kept_shots_are_saved),
      cmocka_unit_test(a_hand_is_dragged_up),
      cmocka_unit_test(a_reset_lets_go),
      cmocka_unit_test(the_mouse_turns_moves_and_zooms_the_camera),
      cmocka_unit_test(a_ball_is_thrown_seen_and_felt),
      cmocka_unit_test(a_poke_goes_to_the_present),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
