// User input: keys, mouse and gamepad become commands, the intent of the followed character, and pokes.
#include "viewer/input.h"

#include <math.h>

#include "scenes/output/output_file.h"
#include "sim/base/numbers.h"
#include "viewer/app.h"

static const double WALK_SPEED = 1.6, RUN_SPEED = 5, BACK_SPEED = -1.5, STRAFE_SPEED = 0.25; // m/s
static const double ACCELERATION = 2;                                                        // m/s^2
static const double TURN_RATE = 45, LOOK_RATE = 60;                                          // deg/s
static const double REACH = 500, BALL_REACH = 40;                                            // m, of a click
static const float ZOOM_STEP = 0.88f;
static const int MANY_STEPS = 10, DEAD_ZONE = 6000;

static double mouse_scale(const App *app) { return (double)app_pixel_density(app); }

static bool shift_is_held(void) { return (SDL_GetModState() & KMOD_SHIFT) != 0; }

// The line along which the user shoots: the ray under a point of the window. False without a live run.
typedef struct Aim {
  Live *live;
  double origin[3], direction[3];
} Aim;

static bool take_aim(App *app, float x, float y, Aim *aim) {
  aim->live = app_live(app);
  return aim->live && app_ray(app, x, y, aim->origin, aim->direction);
}

static bool aim_at_cursor(App *app, Aim *aim) { return take_aim(app, app->cursor_x, app->cursor_y, aim); }

// A poke acts on the present. If the past is shown, the present is shown first, since what the user points at has
// moved.
static bool sees_present(App *app) {
  Playback *playback = &app->playback;
  if (playback->time >= playback->last)
    return true;
  playback_seek(playback, playback->last);
  app_message(app, "that was the past; this is the present");
  return false;
}

typedef bool Strike(const Poke *poke, Scene *scene, const WorldHit *hit, const double direction[3], char *event_text,
                    size_t size);

static void strike(App *app, const Aim *aim, const WorldHit *hit, Strike *how) {
  live_touch(aim->live);
  char event[512];
  Error error = {0};
  if (!how(&aim->live->poke, aim->live->scene, hit, aim->direction, event, sizeof event))
    app_message(app, "nothing there that feels it");
  else if (app->keep_pokes && !edits_add_event(aim->live->edits, event, &error))
    app_message(app, "%s", error.text);
  app_refresh(app); // shows the hit even while paused
}

static bool pick(const Aim *aim, WorldHit *hit) {
  return poke_pick(aim->live->scene, aim->origin, aim->direction, REACH, hit) && hit->body != WORLD_GROUND;
}

static void shoot(App *app, const Aim *aim) {
  WorldHit hit;
  if (pick(aim, &hit))
    strike(app, aim, &hit, poke_shoot);
}

// Throws a ball at the object under the cursor, or into the air.
static void throw_ball(App *app, const Aim *aim) {
  live_touch(aim->live);
  Poke *poke = &aim->live->poke;
  Scene *scene = aim->live->scene;
  WorldHit hit;
  bool thrown = poke_pick(scene, aim->origin, aim->direction, BALL_REACH, &hit)
                    ? poke_throw_at(poke, scene, aim->origin, &hit)
                    : poke_throw(poke, scene, aim->origin, aim->direction);
  if (!thrown)
    app_message(app, "no ball can be thrown here");
}

static double depth(const App *app, const double point[3]) {
  const Camera *camera = &app->views[0].camera;
  vec3s forward = glms_vec3_normalize(glms_vec3_sub(camera->target_w, camera->eye_w));
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += (double)forward.raw[i] * (point[i] - (double)camera->eye_w.raw[i]);
  return sum;
}

static void begin_drag(App *app, const Aim *aim, const WorldHit *hit) {
  live_touch(aim->live);
  poke_drag_begin(&aim->live->poke, aim->live->scene, hit);
  app->dragging = aim->live->poke.drag.active;
  app->drag_depth = depth(app, hit->point);
}

// Velocity at which the view moves with the subject.
static const double *picture_velocity(const App *app, const Scene *scene) {
  static const double STILL[3] = {0};
  bool follows = app->camera.mode == RIG_FOLLOW || app->camera.mode == RIG_FIRST_PERSON;
  return follows && app->subject < scene->character_count ? scene->characters[app->subject]->root.velocity : STILL;
}

// The dragged point follows the cursor at its distance from the eye, also when the camera moves.
static void move_drag(App *app) {
  Aim aim;
  if (!app->dragging || !aim_at_cursor(app, &aim))
    return;
  double ahead[3], goal[3];
  for (int i = 0; i < 3; i++)
    ahead[i] = aim.origin[i] + aim.direction[i];
  double slope = depth(app, ahead);
  if (!(slope > 0.05))
    return;
  for (int i = 0; i < 3; i++)
    goal[i] = aim.origin[i] + aim.direction[i] * app->drag_depth / slope;
  poke_drag_move(&aim.live->poke, goal);
  poke_drag_carry(&aim.live->poke, picture_velocity(app, aim.live->scene));
}

static void end_drag(App *app) {
  Live *live = app_live(app);
  if (app->dragging && live)
    poke_drag_end(&live->poke);
  app->dragging = false;
}

// False when there is no suitable object under the cursor: a body, or for a ball anything.
static bool use_tool(App *app, float x, float y) {
  Aim aim;
  WorldHit hit = {.body = WORLD_GROUND};
  if (!take_aim(app, x, y, &aim) || (!pick(&aim, &hit) && app->tool != TOOL_BALL))
    return false;
  if (!sees_present(app))
    return true;
  if (app->tool == TOOL_DRAG)
    begin_drag(app, &aim, &hit);
  else if (app->tool == TOOL_SHOOT)
    strike(app, &aim, &hit, poke_shoot);
  else if (app->tool == TOOL_PUSH)
    strike(app, &aim, &hit, poke_push);
  else
    throw_ball(app, &aim);
  return true;
}

// ---- The mouse ----

static void press(App *app, const SDL_MouseButtonEvent *button) {
  app->cursor_x = (float)button->x;
  app->cursor_y = (float)button->y;
  if (button->button == SDL_BUTTON_MIDDLE || (button->button == SDL_BUTTON_RIGHT && shift_is_held()))
    app->panning = true;
  else if (button->button == SDL_BUTTON_RIGHT ||
           (button->button == SDL_BUTTON_LEFT && !use_tool(app, (float)button->x, (float)button->y)))
    app->orbiting = true;
}

static void release(App *app, const SDL_MouseButtonEvent *button) {
  if (button->button == SDL_BUTTON_LEFT)
    end_drag(app);
  app->orbiting = app->panning = false;
}

static void move(App *app, const SDL_MouseMotionEvent *motion) {
  app->cursor_x = (float)motion->x;
  app->cursor_y = (float)motion->y;
  if (app->view_count == 0)
    return;
  const AppView *view = &app->views[0];
  float scale = (float)mouse_scale(app), dx = scale * (float)motion->xrel, dy = scale * (float)motion->yrel;
  if (app->orbiting)
    camera_rig_turn(&app->camera, &view->camera, dx, dy, view->part.height);
  if (app->panning)
    camera_rig_pan(&app->camera, &view->camera, dx, dy, view->part.height);
}

// ---- Keys ----

static void next_coloring(App *app) {
  app->coloring = (PictureColoring)((app->coloring + 1) % COLORING_COUNT);
  app_message(app, "colours: %s", picture_coloring_name(app->coloring));
}

static void toggle_ghosts(App *app) {
  unsigned ghosts = 1u << LAYER_TARGET | 1u << LAYER_MEASURED;
  app->layers = (app->layers & ghosts) != 0 ? app->layers & ~ghosts : app->layers | ghosts;
}

static const SceneDef *scene_of(const App *app) { return app->source_count > 0 ? app->sources[0]->def : NULL; }

static void next_camera(App *app) {
  camera_rig_next(&app->camera, scene_of(app), &app->picture->subject);
  app_message(app, "camera: %s", camera_rig_name(&app->camera, scene_of(app)));
}

static void toggle_first_person(App *app) {
  app_camera(app, app->camera.mode == RIG_FIRST_PERSON ? "side" : "first_person");
}

// Seeds are consecutive, so that resets are repeatable.
static void new_seed(App *app) {
  Live *live = app_live(app);
  if (live)
    app_reset(app, live->def->run.seed < INT32_MAX ? live->def->run.seed + 1 : 1);
}

static void poke_at_cursor(App *app, void (*how)(App *app, const Aim *aim)) {
  Aim aim;
  if (aim_at_cursor(app, &aim) && sees_present(app))
    how(app, &aim);
}

static void stop_subject(App *app) {
  Live *live = app_live(app);
  if (!live || app->subject >= live->scene->character_count)
    return;
  Intent *intent = &live->scene->characters[app->subject]->intent;
  intent->speed = intent->strafe = intent->look_yaw = intent->look_pitch = 0;
  live_touch(live);
}

// Actions that are repeated while the key is held down; all others happen once.
static bool repeats(InputAction action) {
  return action == INPUT_FORWARD || action == INPUT_BACK || action == INPUT_SHOOT || action == INPUT_THROW ||
         action == INPUT_UNDO || action == INPUT_REDO;
}

// Does not overwrite the scene's own file; that can be done in the panel.
static void save(App *app) {
  if (app_live(app) && output_is_same(app_live(app)->def->path, app->save_path))
    app_message(app, "%s is the scene itself; the panel replaces it", app->save_path);
  else
    app_save(app, app->save_path);
}

static void press_key(App *app, const SDL_KeyboardEvent *key) {
  int steps = (key->keysym.mod & KMOD_SHIFT) != 0 ? MANY_STEPS : 1;
  InputAction action = input_action(key->keysym.sym, (SDL_Keymod)key->keysym.mod);
  if (key->repeat && !repeats(action))
    return;
  switch (action) {
  case INPUT_PLAY:
    playback_toggle(&app->playback);
    break;
  case INPUT_FORWARD:
    app_step(app, steps);
    break;
  case INPUT_BACK:
    app_step(app, -steps);
    break;
  case INPUT_HOME:
    playback_seek(&app->playback, app->playback.first);
    break;
  case INPUT_END:
    playback_seek(&app->playback, app->playback.last);
    break;
  case INPUT_RESET:
    app_reset(app, -1);
    break;
  case INPUT_NEW_SEED:
    new_seed(app);
    break;
  case INPUT_SLOWER:
    playback_slower(&app->playback);
    break;
  case INPUT_FASTER:
    playback_faster(&app->playback);
    break;
  case INPUT_PANELS:
    app->show_panels = !app->show_panels;
    break;
  case INPUT_HELP:
    app->show_help = !app->show_help;
    break;
  case INPUT_CLOSE:
    app->show_help = false;
    break;
  case INPUT_CAMERA_NEXT:
    next_camera(app);
    break;
  case INPUT_FIRST_PERSON:
    toggle_first_person(app);
    break;
  case INPUT_CHARACTER_PREVIOUS:
    app_follow(app, app->subject - 1);
    break;
  case INPUT_CHARACTER_NEXT:
    app_follow(app, app->subject + 1);
    break;
  case INPUT_STOP:
    stop_subject(app);
    break;
  case INPUT_TOOL_DRAG:
  case INPUT_TOOL_SHOOT:
  case INPUT_TOOL_PUSH:
  case INPUT_TOOL_BALL:
    app->tool = (PokeTool)(action - INPUT_TOOL_DRAG);
    break;
  case INPUT_SHOOT:
    poke_at_cursor(app, shoot);
    break;
  case INPUT_THROW:
    poke_at_cursor(app, throw_ball);
    break;
  case INPUT_GHOSTS:
    toggle_ghosts(app);
    break;
  case INPUT_NAMES:
    app->layers ^= 1u << LAYER_WHO;
    break;
  case INPUT_SKIN:
    app->layers ^= 1u << LAYER_SKIN;
    break;
  case INPUT_COLORING:
    next_coloring(app);
    break;
  case INPUT_LAYOUT:
    app->layout = app->layout == LAYOUT_OVERLAY ? LAYOUT_SIDE_BY_SIDE : LAYOUT_OVERLAY;
    break;
  case INPUT_SAVE:
    save(app);
    break;
  case INPUT_PICTURE:
    app_screenshot(app, NULL);
    break;
  case INPUT_FILM:
    app_film(app);
    break;
  case INPUT_UNDO:
  case INPUT_REDO:
    app_undo(app, action == INPUT_REDO);
    break;
  case INPUT_QUIT:
    app->quit = true;
    break;
  default: // no action, or a held one: see input_held
    break;
  }
}

// ---- The gamepad ----

static void press_pad(App *app, const SDL_ControllerButtonEvent *button) {
  Aim aim;
  int width, height;
  switch (button->button) {
  case SDL_CONTROLLER_BUTTON_A:
    app_follow(app, app->subject + 1);
    break;
  case SDL_CONTROLLER_BUTTON_B: // the camera looks at the subject's middle
    SDL_GetWindowSize(app->gl.window, &width, &height);
    if (take_aim(app, 0.5f * (float)width, 0.5f * (float)height, &aim) && sees_present(app))
      shoot(app, &aim);
    break;
  case SDL_CONTROLLER_BUTTON_X:
    app_reset(app, -1);
    break;
  case SDL_CONTROLLER_BUTTON_START:
    playback_toggle(&app->playback);
    break;
  case SDL_CONTROLLER_BUTTON_LEFTSHOULDER:
    playback_slower(&app->playback);
    break;
  case SDL_CONTROLLER_BUTTON_RIGHTSHOULDER:
    playback_faster(&app->playback);
    break;
  default:
    break;
  }
}

static void change_gamepad(App *app, const SDL_Event *event) {
  if (event->type == SDL_CONTROLLERDEVICEADDED && !app->gamepad)
    app->gamepad = SDL_GameControllerOpen(event->cdevice.which);
  if (event->type == SDL_CONTROLLERDEVICEREMOVED && app->gamepad) {
    SDL_GameControllerClose(app->gamepad);
    app->gamepad = NULL;
  }
}

void input_event(App *app, const SDL_Event *event) {
  switch (event->type) {
  case SDL_KEYDOWN:
  case SDL_KEYUP:
    app->keys_down[event->key.keysym.scancode] = event->type == SDL_KEYDOWN;
    if (event->type == SDL_KEYDOWN)
      press_key(app, &event->key);
    break;
  case SDL_MOUSEBUTTONDOWN:
    press(app, &event->button);
    break;
  case SDL_MOUSEBUTTONUP:
    release(app, &event->button);
    break;
  case SDL_MOUSEMOTION:
    move(app, &event->motion);
    break;
  case SDL_MOUSEWHEEL:
    if (app->view_count > 0)
      camera_rig_zoom(&app->camera, &app->views[0].camera, powf(ZOOM_STEP, (float)event->wheel.y));
    break;
  case SDL_CONTROLLERBUTTONDOWN:
    press_pad(app, &event->cbutton);
    break;
  case SDL_CONTROLLERDEVICEADDED:
  case SDL_CONTROLLERDEVICEREMOVED:
    change_gamepad(app, event);
    break;
  default:
    break;
  }
}

// ---- Held keys ----

static double axis(const App *app, SDL_GameControllerAxis which) {
  int value = SDL_GameControllerGetAxis(app->gamepad, which);
  return abs(value) < DEAD_ZONE ? 0 : (double)value / 32767;
}

// 1, -1 or 0 for two opposite keys.
static double pair(const App *app, InputAction more, InputAction less) {
  return (input_is_held(more, app->keys_down) ? 1.0 : 0.0) - (input_is_held(less, app->keys_down) ? 1.0 : 0.0);
}

static void steer_by_keys(App *app, Intent *intent, double elapsed) {
  double faster = pair(app, INPUT_WALK_FASTER, INPUT_WALK_SLOWER);
  // A running character is not slowed to a walk; with Shift a walking one runs.
  double most = fmax(input_is_held(INPUT_RUN, app->keys_down) ? RUN_SPEED : WALK_SPEED, intent->speed);
  if (faster != 0)
    intent->speed = fmax(BACK_SPEED, fmin(intent->speed + faster * ACCELERATION * elapsed, most));
  intent->heading += pair(app, INPUT_TURN_LEFT, INPUT_TURN_RIGHT) * TURN_RATE * elapsed;
  double strafe = pair(app, INPUT_STRAFE_LEFT, INPUT_STRAFE_RIGHT);
  if (strafe != 0 || app->strafing)
    intent->strafe = strafe * STRAFE_SPEED;
  app->strafing = strafe != 0;
  intent->look_yaw += pair(app, INPUT_LOOK_LEFT, INPUT_LOOK_RIGHT) * LOOK_RATE * elapsed;
  intent->look_pitch += pair(app, INPUT_LOOK_UP, INPUT_LOOK_DOWN) * LOOK_RATE * elapsed;
}

// Releasing a stick that was used means stop.
static void steer_by_pad(App *app, Intent *intent, double elapsed) {
  double forward = -axis(app, SDL_CONTROLLER_AXIS_LEFTY), side = -axis(app, SDL_CONTROLLER_AXIS_LEFTX);
  bool used = forward != 0 || side != 0;
  if (used || app->stick_used) {
    double run = axis(app, SDL_CONTROLLER_AXIS_TRIGGERRIGHT);
    intent->speed = forward > 0 ? forward * (WALK_SPEED + run * (RUN_SPEED - WALK_SPEED)) : -forward * BACK_SPEED;
    intent->strafe = side * STRAFE_SPEED;
  }
  app->stick_used = used;
  intent->heading -= axis(app, SDL_CONTROLLER_AXIS_RIGHTX) * TURN_RATE * elapsed;
  intent->look_pitch -= axis(app, SDL_CONTROLLER_AXIS_RIGHTY) * LOOK_RATE * elapsed;
}

void input_held(App *app, double elapsed) {
  move_drag(app);
  // Steering uses simulated time: nothing changes while the run is paused.
  elapsed *= app->playback.playing ? app->playback.pace : 0;
  Live *live = app_live(app);
  if (!live || app->subject >= live->scene->character_count)
    return;
  Intent *intent = &live->scene->characters[app->subject]->intent, before = *intent;
  if (!gui_wants_keyboard(app->gui) && (SDL_GetModState() & (KMOD_CTRL | KMOD_ALT)) == 0)
    steer_by_keys(app, intent, elapsed);
  if (app->gamepad)
    steer_by_pad(app, intent, elapsed);
  intent_check(intent);
  if (!intent_is_equal(&before, intent))
    live_touch(live);
}
