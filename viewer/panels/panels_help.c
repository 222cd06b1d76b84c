// Panels in front of all others: the help and the messages.
#include <math.h>
#include <string.h>

#include "viewer/input.h"
#include "viewer/panels/panels.h"

// Number of lines of the table, without rows that have no text.
static int count_lines(void) {
  int lines = 0;
  for (int i = 0; i < input_row_count; i++) {
    lines += input_rows[i].keys[0] != '\0';
    lines += i == 0 || strcmp(input_rows[i].group, input_rows[i - 1].group) != 0;
  }
  return lines;
}

// Writes the lines of the groups from `first` on, until `most` lines are written; a group is never divided. Returns
// where it stopped.
static int draw_lines(int first, int most) {
  int i = first, lines = 0;
  const char *group = NULL;
  bool open = false;
  float widths[2] = {15 * gui_em(), 23 * gui_em()};
  for (; i < input_row_count; i++) {
    const InputRow *row = &input_rows[i];
    if (!group || strcmp(row->group, group) != 0) {
      if (lines >= most)
        break;
      if (open)
        gui_table_end();
      group = row->group;
      gui_space();
      gui_text_color(GUI_ACCENT, "%s", group);
      open = gui_table_begin(group, 2, widths, true);
      lines++;
    }
    if (row->keys[0] == '\0' || !open)
      continue;
    gui_cell();
    gui_text_color(GUI_WARM, "%s", row->keys);
    gui_cell();
    gui_text("%s", row->what);
    lines++;
  }
  if (open)
    gui_table_end();
  return i;
}

void panel_help(App *app) {
  if (!app->show_help)
    return;
  GuiRect screen = gui_screen();
  float em = gui_em();
  bool wide = screen.width > 80 * em;
  GuiRect place = {screen.width / 2, screen.height / 2, 0, 0};
  unsigned flags = GUI_FIT | GUI_PLACE;
  if (!wide || screen.height < 40 * em) { // scrolls
    float width = fminf((wide ? 79 : 40) * em, screen.width - 2 * em), height = fminf(34 * em, screen.height - 2 * em);
    place = (GuiRect){(screen.width - width) / 2, (screen.height - height) / 2, width, height};
    flags = GUI_PLACE;
  }
  if (gui_window_begin("Keys, mouse and gamepad", place, flags | GUI_FRONT, &app->show_help)) {
    float columns[2] = {38.5f * em, 38.5f * em};
    if (!wide) {
      draw_lines(0, count_lines());
    } else if (gui_table_begin("halves", 2, columns, false)) {
      gui_cell();
      int rest = draw_lines(0, count_lines() / 2 - 3);
      gui_cell();
      draw_lines(rest, count_lines());
      gui_table_end();
    }
  }
  gui_window_end();
}

void panel_message(App *app) {
  if (app->message_left <= 0 || app->message[0] == '\0')
    return;
  GuiRect screen = gui_screen();
  float em = gui_em();
  GuiRect place = {screen.width / 2, 3 * em, 0, 0};
  if (gui_window_begin("Message", place, GUI_BARE | GUI_FIT | GUI_PASSIVE | GUI_FRONT, NULL)) {
    // Long messages (a file, a line and what is allowed there) are broken.
    float most = fminf(48 * em, screen.width - 4 * em);
    gui_text_break(most, app->message);
  }
  gui_window_end();
}
