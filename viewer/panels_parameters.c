// Everything that has a parameter table: sliders for the scene's parameters and for the tools of the hand.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/panels.h"

// What printf shows of a value: four digits and the unit.
static void number_format(const Param *row, const char *number, char *format, size_t size) {
  bool has_unit = row->unit[0] != '\0' && strcmp(row->unit, "-") != 0;
  size_t length = (size_t)snprintf(format, size, "%s%s", number, has_unit ? " " : "");
  for (const char *c = row->unit; has_unit && *c != '\0' && length + 3 < size; c++) {
    if (*c == '%') // "%" is a unit as well
      format[length++] = '%';
    format[length++] = *c;
  }
  format[length] = '\0';
}

// Over more than three decades a slider moves by factors. A range that begins at 0 has as many decades as its default
// lies below its end.
static bool is_logarithmic(const Param *row) {
  double low = row->min > 0 ? row->min : fabs(strtod(row->default_text, NULL));
  return row->min >= 0 && low > 0 && row->max / low > 1000;
}

static bool real_widget(const Param *row, double value, char *text, size_t size) {
  char format[64];
  number_format(row, "%.4g", format, sizeof format);
  if (!gui_slider("##value", &value, row->min, row->max, format, is_logarithmic(row)))
    return false;
  snprintf(text, size, "%.6g", value);
  return true;
}

static bool int_widget(const Param *row, int value, char *text, size_t size) {
  char format[64];
  number_format(row, "%d", format, sizeof format);
  int min = (int)fmax(row->min, INT_MIN), max = (int)fmin(row->max, INT_MAX);
  if (!gui_slider_int("##value", &value, min, max, format, is_logarithmic(row)))
    return false;
  snprintf(text, size, "%d", value);
  return true;
}

// Two or three numbers to drag: a hundredth of their size at each pixel.
static bool list_widget(const Param *row, const double *now, int count, char *text, size_t size) {
  double values[3] = {0}, largest = 0;
  for (int i = 0; i < count; i++) {
    values[i] = now[i];
    largest = fmax(largest, fabs(now[i]));
  }
  double speed = fmax(largest / 100, fmin((row->max - row->min) / 1000, 0.01));
  if (!gui_drag("##value", values, count, row->min, row->max, speed, "%.4g"))
    return false;
  if (count == 2) { // low is not above high: the one that was moved takes the other along
    bool low_moved = values[0] != now[0];
    if (values[0] > values[1])
      values[low_moved ? 1 : 0] = values[low_moved ? 0 : 1];
    snprintf(text, size, "[%.6g, %.6g]", values[0], values[1]);
  } else {
    snprintf(text, size, "[%.6g, %.6g, %.6g]", values[0], values[1], values[2]);
  }
  return true;
}

static bool choice_widget(const Param *row, const void *values, char *text, size_t size) {
  char now[PARAM_TEXT_SIZE];
  param_write_row(row, values, now, sizeof now);
  bool changed = false;
  if (!gui_combo_begin("##value", now))
    return false;
  for (const char *choice = row->unit; *choice != '\0';) {
    char name[PARAM_TEXT_SIZE];
    size_t length = strcspn(choice, "|");
    snprintf(name, sizeof name, "%.*s", (int)length, choice);
    if (gui_selectable(name, strcmp(name, now) == 0)) {
      snprintf(text, size, "%s", name);
      changed = true;
    }
    choice += length + (choice[length] == '|');
  }
  gui_combo_end();
  return changed;
}

// In YAML's double quotes, as param_write_row does it: through a row of its own over a copy.
static bool text_widget(const Param *row, const char *now, char *text, size_t size) {
  char edited[PARAM_TEXT_SIZE];
  snprintf(edited, sizeof edited, "%s", now);
  if (!gui_input_whole("##value", edited, sizeof edited))
    return false;
  Param copy = *row;
  copy.offset = 0;
  param_write_row(&copy, edited, text, size);
  return true;
}

bool panels_parameter(const Param *row, const void *values, char *text, size_t size) {
  const void *field = (const char *)values + row->offset;
  gui_next_width(-0.001f);
  switch (row->type) {
  case PARAM_BOOL: {
    bool value = *(const bool *)field;
    if (!gui_checkbox("##value", &value))
      return false;
    snprintf(text, size, "%s", value ? "true" : "false");
    return true;
  }
  case PARAM_INT:
    return int_widget(row, *(const int *)field, text, size);
  case PARAM_REAL:
    return real_widget(row, *(const double *)field, text, size);
  case PARAM_RANGE:
    return list_widget(row, field, 2, text, size);
  case PARAM_VECTOR:
    return list_widget(row, field, 3, text, size);
  case PARAM_CHOICE:
    return choice_widget(row, values, text, size);
  case PARAM_TEXT:
    return text_widget(row, field, text, size);
  }
  return false;
}

void panels_parameter_tooltip(const Param *row, const char *more) {
  char text[512], range[96] = "";
  bool has_unit = row->type != PARAM_CHOICE && row->unit[0] != '\0' && strcmp(row->unit, "-") != 0;
  bool is_number = row->type != PARAM_BOOL && row->type != PARAM_CHOICE && row->type != PARAM_TEXT;
  if (is_number)
    snprintf(range, sizeof range, "\n%.6g to %.6g%s%s", row->min, row->max, has_unit ? " " : "",
             has_unit ? row->unit : "");
  snprintf(text, sizeof text, "%s\n%s%s%s%s", row->name, row->doc, range, more[0] != '\0' ? "\n" : "", more);
  gui_tooltip(text);
}

// Name, widget, and at the right what brings back the old value. Columns: shares of the width.
static bool begin_rows(const char *id, bool revertible) {
  float room = gui_room(), em = gui_em();
  float widths[3] = {0.44f * room, 0, 1.3f * em};
  return gui_table_begin(id, revertible ? 3 : 2, widths, false);
}

// Tools of the hand.

static const struct {
  const char *label, *prefix, *what; // prefix of its rows in poke_params
} TOOLS[TOOL_COUNT] = {
    [TOOL_DRAG] = {"Drag", "drag_", "Hold a part with the left button and pull it"},
    [TOOL_SHOOT] = {"Shoot", "impulse", "Click on a part: a bullet from the camera"},
    [TOOL_PUSH] = {"Push", "push_", "Click on a part: pushes it away from the camera for a while"},
    [TOOL_BALL] = {"Ball", "ball_", "Click: throws a ball from the camera"},
};

// Sets a row of a struct that no scene file knows of, through the same check as all rows.
static void set_row(App *app, const Param *row, void *values, const char *value) {
  char text[PARAM_TEXT_SIZE + 16];
  snprintf(text, sizeof text, "value: %s\n", value);
  Document document;
  Error error = {0};
  if (!document_parse(&document, row->name, text, &error)) {
    app_message(app, "%s", error.text);
    return;
  }
  if (!param_read_row(row, values, node_find(document.root, "value"), &error))
    app_message(app, "%s", error.text);
  document_free(&document);
}

void panel_poke(App *app) {
  PokeDef *def = &app_live(app)->poke.def;
  if (!gui_header("Poke", true))
    return;
  float width = (gui_room() - (TOOL_COUNT - 1) * 0.46f * gui_em()) / TOOL_COUNT;
  for (int i = 0; i < TOOL_COUNT; i++) {
    if (gui_toggle(TOOLS[i].label, (int)app->tool == i, i < TOOL_COUNT - 1 ? width : -1))
      app->tool = (PokeTool)i;
    char text[160];
    snprintf(text, sizeof text, "%s (%d)", TOOLS[i].what, i + 1);
    gui_tooltip(text);
    if (i < TOOL_COUNT - 1)
      gui_same_line();
  }
  gui_text_dim("%s.", TOOLS[app->tool].what);
  const char *prefix = TOOLS[app->tool].prefix;
  if (!begin_rows("poke", false))
    return;
  for (int i = 0; i < poke_params.count; i++) {
    const Param *row = &poke_params.rows[i];
    if (strncmp(row->name, prefix, strlen(prefix)) != 0)
      continue;
    gui_push_id(i);
    gui_cell();
    gui_text_align();
    gui_text("%s", row->name);
    panels_parameter_tooltip(row, "");
    gui_cell();
    char value[PARAM_TEXT_SIZE];
    if (panels_parameter(row, def, value, sizeof value))
      set_row(app, row, def, value);
    panels_parameter_tooltip(row, "");
    gui_pop_id();
  }
  gui_table_end();
}

// Parameters of the scene.

// A change of a row that acts at once goes on to the running scene.
static void hand_on(App *app, const EditGroup *group, const Param *row, bool ok, Error *error) {
  if (ok && edits_is_live(group, row))
    ok = live_retune(app_live(app), group, row, error);
  if (!ok)
    app_message(app, "%s", error->text);
}

// Numbers of a list carry no unit, their name does.
static void draw_name(const Param *row, bool changed) {
  gui_text_align();
  if (changed)
    gui_text_color(GUI_WARM, "%s", row->name);
  else
    gui_text("%s", row->name);
  bool is_list = row->type == PARAM_RANGE || row->type == PARAM_VECTOR;
  if (!is_list || row->unit[0] == '\0' || strcmp(row->unit, "-") == 0)
    return;
  gui_same_line();
  gui_text_dim("%s", row->unit);
}

static void draw_row(App *app, Edits *edits, int index, const Param *row) {
  const EditGroup *group = edits_group(edits, index);
  bool changed = edits_is_changed(edits, index, row);
  const char *more = edits_is_live(group, row) ? "" : "Takes effect at reset (R).";
  Error error = {0};
  gui_cell();
  draw_name(row, changed);
  panels_parameter_tooltip(row, more);
  gui_cell();
  char value[2 * PARAM_TEXT_SIZE];
  if (panels_parameter(row, group->values, value, sizeof value))
    hand_on(app, group, row, edits_set(edits, index, row, value, &error), &error);
  panels_parameter_tooltip(row, more);
  gui_cell();
  if (!changed)
    return;
  if (gui_button_small("x"))
    hand_on(app, group, row, edits_revert(edits, index, row, &error), &error);
  gui_tooltip("Back to the value of the scene file");
}

static bool row_matches(const EditGroup *group, const Param *row, const char *search) {
  if (!edits_is_offered(group, row))
    return false;
  bool in_doc = strlen(search) > 3 && panels_contains(row->doc, search); // short ones are in every sentence
  return in_doc || panels_contains(row->name, search) || panels_contains(group->title, search);
}

// The rows of a group that act at once, or those that wait for a reset.
static void draw_rows(App *app, Edits *edits, int index, bool live, const char *search) {
  const EditGroup *group = edits_group(edits, index);
  int count = 0;
  bool changed = false;
  for (int i = 0; i < group->table->count; i++) {
    const Param *row = &group->table->rows[i];
    if (edits_is_live(group, row) != live || !row_matches(group, row, search))
      continue;
    count++;
    changed |= edits_is_changed(edits, index, row);
  }
  if (count == 0)
    return;
  if (!live) {
    gui_text_dim("(at reset)");
    gui_tooltip("What follows takes effect when the run starts again");
  }
  if (!live && changed) {
    gui_same_line();
    if (gui_button_small("Reset now"))
      panels_wish(app, WISH_RESET, NULL, -1);
  }
  if (!begin_rows(live ? "live" : "at reset", true))
    return;
  for (int i = 0; i < group->table->count; i++) {
    const Param *row = &group->table->rows[i];
    if (edits_is_live(group, row) != live || !row_matches(group, row, search))
      continue;
    gui_push_id(i);
    draw_row(app, edits, index, row);
    gui_pop_id();
  }
  gui_table_end();
}

static bool group_matches(const EditGroup *group, const char *search) {
  for (int i = 0; i < group->table->count; i++)
    if (row_matches(group, &group->table->rows[i], search))
      return true;
  return false;
}

static bool group_is_changed(const Edits *edits, int index) {
  const EditGroup *group = edits_group(edits, index);
  for (int i = 0; i < group->table->count; i++)
    if (edits_is_changed(edits, index, &group->table->rows[i]))
      return true;
  return false;
}

void panel_parameters(App *app) {
  Edits *edits = app_live(app)->edits;
  const char *search = app->panels->parameter_search;
  if (!gui_header("Parameters", true))
    return;
  gui_next_width(-0.001f);
  gui_input("##search", "search, e.g. damping", app->panels->parameter_search, PANELS_SEARCH_SIZE);
  bool several = app->sources[0]->def->character_count > 1;
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    // Of many characters, the followed one's; a search goes through all.
    if (search[0] == '\0' && several && group->character >= 0 && group->character != app->subject)
      continue;
    if (!group_matches(group, search))
      continue;
    char label[160];
    snprintf(label, sizeof label, "%s%s##group", group->title, group_is_changed(edits, i) ? " *" : "");
    gui_push_id(i);
    if (search[0] != '\0')
      gui_next_open(true);
    bool open = gui_tree_begin(label);
    gui_tooltip(group->table->doc);
    if (open) {
      draw_rows(app, edits, i, true, search);
      draw_rows(app, edits, i, false, search);
      gui_tree_end();
    }
    gui_pop_id();
  }
}
