// The table of keys: the action of each key, with its modifiers.
#include "viewer/input.h"

static const char RUN[] = "Run", VIEW[] = "View", POKE[] = "Poke", MOUSE[] = "Mouse", DRIVE[] = "Drive the character",
                  GAMEPAD[] = "Gamepad", FILES[] = "Files";

const InputRow input_rows[] = {
    {RUN, "Space", "Play or pause", INPUT_PLAY, SDLK_SPACE, KMOD_NONE},
    {RUN, "Right / Left", "One step or frame; with Shift ten", INPUT_FORWARD, SDLK_RIGHT, KMOD_NONE},
    {RUN, "", "", INPUT_BACK, SDLK_LEFT, KMOD_NONE},
    {RUN, "Home / End", "To the first or the last moment", INPUT_HOME, SDLK_HOME, KMOD_NONE},
    {RUN, "", "", INPUT_END, SDLK_END, KMOD_NONE},
    {RUN, "- / =", "Slower, faster", INPUT_SLOWER, SDLK_MINUS, KMOD_NONE},
    {RUN, "", "", INPUT_SLOWER, SDLK_KP_MINUS, KMOD_NONE},
    {RUN, "", "", INPUT_FASTER, SDLK_EQUALS, KMOD_NONE},
    {RUN, "", "", INPUT_FASTER, SDLK_PLUS, KMOD_NONE},
    {RUN, "", "", INPUT_FASTER, SDLK_KP_PLUS, KMOD_NONE},
    {RUN, "R", "Reset: start again with all changes", INPUT_RESET, SDLK_r, KMOD_NONE},
    {RUN, "N", "Reset with a new seed", INPUT_NEW_SEED, SDLK_n, KMOD_NONE},

    {VIEW, "Tab", "Hide or show all panels", INPUT_PANELS, SDLK_TAB, KMOD_NONE},
    {VIEW, "F1, Esc", "This help; closes it", INPUT_HELP, SDLK_F1, KMOD_NONE},
    {VIEW, "", "", INPUT_CLOSE, SDLK_ESCAPE, KMOD_NONE},
    {VIEW, "C", "Next camera", INPUT_CAMERA_NEXT, SDLK_c, KMOD_NONE},
    {VIEW, "V", "Through the character's eyes, and back", INPUT_FIRST_PERSON, SDLK_v, KMOD_NONE},
    {VIEW, "[ / ]", "Previous or next character", INPUT_CHARACTER_PREVIOUS, SDLK_LEFTBRACKET, KMOD_NONE},
    {VIEW, "", "", INPUT_CHARACTER_NEXT, SDLK_RIGHTBRACKET, KMOD_NONE},
    {VIEW, "G", "Ghosts of target and measured pose", INPUT_GHOSTS, SDLK_g, KMOD_NONE},
    {VIEW, "H", "Names over the heads of several characters", INPUT_NAMES, SDLK_h, KMOD_NONE},
    {VIEW, "M", "The mesh of --skin, or the body's shapes", INPUT_SKIN, SDLK_m, KMOD_NONE},
    {VIEW, "T", "Next colouring of the body", INPUT_COLORING, SDLK_t, KMOD_NONE},
    {VIEW, "O", "Several traces: one over the other, or side by side", INPUT_LAYOUT, SDLK_o, KMOD_NONE},

    {POKE, "1  2  3  4", "Tool: drag, shoot, push, throw a ball", INPUT_TOOL_DRAG, SDLK_1, KMOD_NONE},
    {POKE, "", "", INPUT_TOOL_SHOOT, SDLK_2, KMOD_NONE},
    {POKE, "", "", INPUT_TOOL_PUSH, SDLK_3, KMOD_NONE},
    {POKE, "", "", INPUT_TOOL_BALL, SDLK_4, KMOD_NONE},
    {POKE, "F", "Shoot at the cursor", INPUT_SHOOT, SDLK_f, KMOD_NONE},
    {POKE, "B", "Throw a ball at the cursor", INPUT_THROW, SDLK_b, KMOD_NONE},

    {MOUSE, "Left on a body", "Use the tool", INPUT_NONE, 0, KMOD_NONE},
    {MOUSE, "Left drag elsewhere, right drag", "Turn the camera", INPUT_NONE, 0, KMOD_NONE},
    {MOUSE, "Middle drag, Shift + right drag", "Move the camera", INPUT_NONE, 0, KMOD_NONE},
    {MOUSE, "Wheel", "Zoom", INPUT_NONE, 0, KMOD_NONE},
    {MOUSE, "Drop a file", "Show a scene, trace, motion or level", INPUT_NONE, 0, KMOD_NONE},
    {MOUSE, "Ctrl + click on a slider", "Type a value", INPUT_NONE, 0, KMOD_NONE},

    {DRIVE, "W / S", "Faster, slower", INPUT_WALK_FASTER, SDLK_w, KMOD_NONE},
    {DRIVE, "", "", INPUT_WALK_SLOWER, SDLK_s, KMOD_NONE},
    {DRIVE, "A / D", "Turn left, right", INPUT_TURN_LEFT, SDLK_a, KMOD_NONE},
    {DRIVE, "", "", INPUT_TURN_RIGHT, SDLK_d, KMOD_NONE},
    {DRIVE, "Q / E", "Strafe left, right", INPUT_STRAFE_LEFT, SDLK_q, KMOD_NONE},
    {DRIVE, "", "", INPUT_STRAFE_RIGHT, SDLK_e, KMOD_NONE},
    {DRIVE, "Shift", "Run", INPUT_RUN, SDLK_LSHIFT, KMOD_NONE},
    {DRIVE, "", "", INPUT_RUN, SDLK_RSHIFT, KMOD_NONE},
    {DRIVE, "X", "Stop", INPUT_STOP, SDLK_x, KMOD_NONE},
    {DRIVE, "I  J  K  L", "Look up, left, down, right", INPUT_LOOK_UP, SDLK_i, KMOD_NONE},
    {DRIVE, "", "", INPUT_LOOK_LEFT, SDLK_j, KMOD_NONE},
    {DRIVE, "", "", INPUT_LOOK_DOWN, SDLK_k, KMOD_NONE},
    {DRIVE, "", "", INPUT_LOOK_RIGHT, SDLK_l, KMOD_NONE},

    {GAMEPAD, "Left stick", "Walk and strafe", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "Right stick", "Turn and look", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "A", "Next character", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "B", "A bullet from the camera at the chest", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "X", "Reset", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "Start", "Play or pause", INPUT_NONE, 0, KMOD_NONE},
    {GAMEPAD, "Shoulder buttons", "Slower, faster", INPUT_NONE, 0, KMOD_NONE},

    {FILES, "F5", "Save the scene with all changes", INPUT_SAVE, SDLK_F5, KMOD_NONE},
    {FILES, "F9", "Begin or end a film of the picture (MP4)", INPUT_FILM, SDLK_F9, KMOD_NONE},
    {FILES, "F12", "Picture of the window as PNG", INPUT_PICTURE, SDLK_F12, KMOD_NONE},
    {FILES, "Ctrl + Z / Ctrl + Y", "Undo, redo a change of a curve", INPUT_UNDO, SDLK_z, KMOD_CTRL},
    {FILES, "", "", INPUT_REDO, SDLK_y, KMOD_CTRL},
    {FILES, "Ctrl + Q", "Quit", INPUT_QUIT, SDLK_q, KMOD_CTRL},
};

const int input_row_count = (int)(sizeof input_rows / sizeof input_rows[0]);

// A row that requires a modifier precedes the row that does not: Ctrl + Q is not Q.
InputAction input_action(SDL_Keycode key, SDL_Keymod held) {
  InputAction action = INPUT_NONE;
  for (int i = 0; i < input_row_count; i++) {
    const InputRow *row = &input_rows[i];
    if (key == 0 || row->key != key)
      continue;
    if (row->with != KMOD_NONE && (row->with & held) != 0)
      return row->action;
    if (row->with == KMOD_NONE && action == INPUT_NONE)
      action = row->action;
  }
  return action;
}

bool input_is_held(InputAction action, const bool *keys_down) {
  for (int i = 0; i < input_row_count; i++) {
    const InputRow *row = &input_rows[i];
    SDL_Scancode code = row->key != 0 ? SDL_GetScancodeFromKey(row->key) : SDL_SCANCODE_UNKNOWN;
    if (row->action == action && code != SDL_SCANCODE_UNKNOWN && keys_down[code])
      return true;
  }
  return false;
}
