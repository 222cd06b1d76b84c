// The meaning of keys, mouse and gamepad: one table for the window's input, its help and the README.
#ifndef STAGGER_VIEWER_INPUT_H
#define STAGGER_VIEWER_INPUT_H

#include <SDL2/SDL.h>
#include <stdbool.h>

typedef enum InputAction {
  INPUT_NONE, // a line for the help only, or a key without an action
  INPUT_PLAY,
  INPUT_FORWARD, // one step; Shift: ten
  INPUT_BACK,
  INPUT_HOME,
  INPUT_END,
  INPUT_RESET,
  INPUT_NEW_SEED,
  INPUT_SLOWER,
  INPUT_FASTER,
  INPUT_PANELS,
  INPUT_HELP,
  INPUT_CLOSE,
  INPUT_CAMERA_NEXT,
  INPUT_FIRST_PERSON,
  INPUT_CHARACTER_PREVIOUS,
  INPUT_CHARACTER_NEXT,
  INPUT_WALK_FASTER,  // held
  INPUT_WALK_SLOWER,  // held
  INPUT_TURN_LEFT,    // held
  INPUT_TURN_RIGHT,   // held
  INPUT_STRAFE_LEFT,  // held
  INPUT_STRAFE_RIGHT, // held
  INPUT_RUN,          // held
  INPUT_STOP,
  INPUT_LOOK_UP,    // held
  INPUT_LOOK_LEFT,  // held
  INPUT_LOOK_DOWN,  // held
  INPUT_LOOK_RIGHT, // held
  INPUT_TOOL_DRAG,
  INPUT_TOOL_SHOOT,
  INPUT_TOOL_PUSH,
  INPUT_TOOL_BALL,
  INPUT_SHOOT, // at the cursor
  INPUT_THROW, // at the cursor
  INPUT_GHOSTS,
  INPUT_NAMES,
  INPUT_SKIN,
  INPUT_COLORING,
  INPUT_LAYOUT,
  INPUT_SAVE,
  INPUT_PICTURE,
  INPUT_FILM,
  INPUT_UNDO,
  INPUT_REDO,
  INPUT_QUIT,
  INPUT_ACTION_COUNT
} InputAction;

// Lines of a group are consecutive. A line with several keys, "W / S", has one row for each; all but the first have no
// text, keys "".
typedef struct InputRow {
  const char *group, *keys, *what;
  InputAction action;
  SDL_Keycode key; // 0: mouse or gamepad
  SDL_Keymod with; // must be held as well, KMOD_NONE: any
} InputRow;

extern const InputRow input_rows[];
extern const int input_row_count;

// The action of a key with the held modifiers.
InputAction input_action(SDL_Keycode key, SDL_Keymod held);

// Whether a key of an action is held down. keys_down: [SDL_NUM_SCANCODES].
bool input_is_held(InputAction action, const bool *keys_down);

// For the app in the window: input_event handles an event that the panels have not used, input_held the held keys, once
// per frame.
typedef struct App App;
void input_event(App *app, const SDL_Event *event);
void input_held(App *app, double elapsed);

#endif
