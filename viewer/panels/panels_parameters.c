// Widgets for parameter tables: sliders for the scene's parameters and for the tools of interaction.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/panels/panels.h"

// The printf format of a value: a label, four digits and the unit.
static void number_format(const Param *row, const char *label, const char *number, char *format, size_t size) {
  bool has_unit = row->unit[0] != '\0' && strcmp(row->unit, "-") != 0;
  size_t length =
      (size_t)snprintf(format, size, "%s%s%s%s", label, label[0] != '\0' ? " " : "", number, has_unit ? " " : "");
  for (const char *c = row->unit; has_unit && *c != '\0' && length + 3 < size; c++) {
    if (*c == '%') // a unit may be "%"
      format[length++] = '%';
    format[length++] = *c;
  }
  format[length] = '\0';
}

// A range of more than three decades gets a logarithmic slider. A range that begins at 0 has as many decades as its
// default is below its end.
static bool is_logarithmic(const Param *row) {
  double low = row->min > 0 ? row->min : fabs(strtod(row->default_text, NULL));
  return row->min >= 0 && low > 0 && row->max / low > 1000;
}

// Factors and the like, from 0 to far beyond the default: most of the slider is around the default.
static bool is_centred(const Param *row, double usual) { return row->min == 0 && usual > 0 && row->max / usual >= 4; }

static bool real_widget(const Param *row, const char *label, double value, char *text, size_t size) {
  char format[64];
  double usual = strtod(row->default_text, NULL);
  number_format(row, label, "%.4g", format, sizeof format);
  GuiScale scale = is_logarithmic(row) ? GUI_LOGARITHMIC : is_centred(row, usual) ? GUI_CENTRED : GUI_LINEAR;
  if (!gui_slider("##value", &value, row->min, row->max, format, scale, usual))
    return false;
  snprintf(text, size, "%.6g", value);
  return true;
}

static bool int_widget(const Param *row, const char *label, int value, char *text, size_t size) {
  char format[64];
  number_format(row, label, "%d", format, sizeof format);
  int min = (int)fmax(row->min, INT_MIN), max = (int)fmin(row->max, INT_MAX);
  if (!gui_slider_int("##value", &value, min, max, format, is_logarithmic(row)))
    return false;
  snprintf(text, size, "%d", value);
  return true;
}

// Two or three numbers to drag: a hundredth of their size for each pixel.
static bool list_widget(const Param *row, const double *now, int count, char *text, size_t size) {
  double values[3] = {0}, largest = 0;
  for (int i = 0; i < count; i++) {
    values[i] = now[i];
    largest = fmax(largest, fabs(now[i]));
  }
  double speed = fmax(largest / 100, fmin((row->max - row->min) / 1000, 0.01));
  if (!gui_drag("##value", values, count, row->min, row->max, speed, "%.4g"))
    return false;
  if (count == 2) { // low <= high is kept: the value that is moved takes the other one along
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

// A text in YAML's double quotes, written by param_write_row through a copied row.
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

bool panels_parameter(const Param *row, const char *label, const void *values, char *text, size_t size) {
  const void *field = (const char *)values + row->offset;
  switch (row->type) {
  case PARAM_BOOL: {
    bool value = *(const bool *)field;
    if (!gui_checkbox("##value", &value))
      return false;
    snprintf(text, size, "%s", value ? "true" : "false");
    return true;
  }
  case PARAM_INT:
    return int_widget(row, label, *(const int *)field, text, size);
  case PARAM_REAL:
    return real_widget(row, label, *(const double *)field, text, size);
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

void panels_tell_clamped(App *app, const Param *row, const char *text) {
  double typed;
  if (gui_typed_beyond(&typed))
    app_message(app, "%s: %g is not within %g to %g, so it is %s", row->name, typed, row->min, row->max, text);
}

// Name, widget, and at the right a button that restores the old value. Columns: shares of the width.
static bool begin_rows(const char *id) {
  const float widths[3] = {0.44f * gui_room(), 0, 1.3f * gui_em()};
  return gui_table_begin(id, 3, widths, false);
}

// ---- Tools of interaction ----

static const struct {
  const char *label, *prefix, *what; // prefix: of its rows in poke_params
} TOOLS[TOOL_COUNT] = {
    [TOOL_DRAG] = {"Drag", "drag_", "Hold a part with the left button, pull it"},
    [TOOL_SHOOT] = {"Shoot", "impulse", "Click on a part: a bullet strikes it"},
    [TOOL_PUSH] = {"Push", "push_", "Click on a part: pushes it for a while"},
    [TOOL_BALL] = {"Ball", "ball_", "Click anywhere: throws a ball there"},
};

static const float GAP = 0.46f; // between two widgets of a line, in heights of the text

// Sets a row of a struct that is not part of a scene file, with the same checks as for all rows.
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

// The tool's parameters, always in one line, so that the layout does not change with the tool.
static void draw_tool(App *app) {
  PokeDef *def = &app_live(app)->poke.def;
  const char *prefix = TOOLS[app->tool].prefix;
  const Param *rows[4];
  int count = 0;
  for (int i = 0; i < poke_params.count && count < 4; i++)
    if (strncmp(poke_params.rows[i].name, prefix, strlen(prefix)) == 0)
      rows[count++] = &poke_params.rows[i];
  float width = (gui_room() - (float)(count - 1) * GAP * gui_em()) / (float)count;
  for (int i = 0; i < count; i++) {
    const char *name = rows[i]->name;
    const char *label = name[strlen(prefix)] != '\0' ? name + strlen(prefix) : name;
    gui_push_id((int)(rows[i] - poke_params.rows));
    gui_next_width(i < count - 1 ? width : -0.001f);
    char value[PARAM_TEXT_SIZE];
    // With three of them there is no room for names; units distinguish them.
    if (panels_parameter(rows[i], count < 3 ? label : "", def, value, sizeof value)) {
      set_row(app, rows[i], def, value);
      panels_tell_clamped(app, rows[i], value);
    }
    panels_parameter_tooltip(rows[i], "");
    gui_pop_id();
    if (i < count - 1)
      gui_same_line();
  }
}

// The value of a key in a text such as "{kind: push, time: 1}".
static void find_value(const char *event, const char *key, char *value, size_t size) {
  char start[32];
  snprintf(start, sizeof start, "%s: ", key);
  const char *found = strstr(event, start);
  found = found ? found + strlen(start) : "";
  snprintf(value, size, "%.*s", (int)strcspn(found, ",}"), found);
}

// Lists pokes that have become events of the scene, with buttons to remove them.
static void list_kept(Edits *edits) {
  int count = edits_event_count(edits), removed = -1;
  char label[48];
  if (count == 0)
    return;
  gui_same_line();
  snprintf(label, sizeof label, "%d kept###kept", count);
  if (gui_button_small(label))
    gui_popup_open("list");
  gui_tooltip("What is kept, to take it out again");
  if (!gui_popup_begin("list"))
    return;
  gui_text_dim("Events for the saved scene                ");
  if (gui_child_begin("events", fminf((float)count, 12) * 1.3f * gui_text_line())) {
    for (int i = 0; i < count; i++) {
      const char *event = edits_event(edits, i);
      char time[32], kind[32], part[64];
      find_value(event, "time", time, sizeof time);
      find_value(event, "kind", kind, sizeof kind);
      find_value(event, "part", part, sizeof part);
      gui_push_id(i);
      if (gui_button_small("x"))
        removed = i;
      gui_tooltip("Takes it out of what will be saved");
      gui_same_line();
      gui_text("%.2f s  %s  %s", strtod(time, NULL), kind, part);
      gui_tooltip(event);
      gui_pop_id();
    }
  }
  gui_child_end();
  gui_popup_end();
  if (removed >= 0)
    edits_remove_event(edits, removed);
}

void panel_poke(App *app) {
  if (!gui_header("Poke", true))
    return;
  float width = (gui_room() - (TOOL_COUNT - 1) * GAP * gui_em()) / TOOL_COUNT;
  for (int i = 0; i < TOOL_COUNT; i++) {
    if (gui_toggle(TOOLS[i].label, (int)app->tool == i, i < TOOL_COUNT - 1 ? width : -1))
      app->tool = (PokeTool)i;
    char text[160];
    snprintf(text, sizeof text, "%s (%d)", TOOLS[i].what, i + 1);
    gui_tooltip(text);
    if (i < TOOL_COUNT - 1)
      gui_same_line();
  }
  draw_tool(app);
  gui_dense_begin();
  gui_text_dim("%s.", TOOLS[app->tool].what);
  gui_checkbox("keep pokes as events", &app->keep_pokes);
  gui_tooltip("From now on bullets and pushes become events of the saved scene, so that it can be run again.\n"
              "Balls and what is dragged cannot be kept.");
  list_kept(app_live(app)->edits);
  gui_dense_end();
}

// ---- Parameters of the scene ----

// Applies a change to the running scene if the row is live.
static void hand_on(App *app, const EditGroup *group, const Param *row, bool ok, Error *error) {
  if (ok && edits_is_live(group, row))
    ok = live_retune(app_live(app), group, row, error);
  if (!ok)
    app_message(app, "%s", error->text);
}

// For a list of numbers the unit is shown with the name.
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

// The values of a row without the user's change: "default 1, scene 0.8", and when a change takes effect.
static void describe_origin(const Edits *edits, int index, const Param *row, char *text, size_t size) {
  const EditGroup *group = edits_group(edits, index);
  char opened[PARAM_TEXT_SIZE];
  param_write_row(row, edits_opened(edits, index), opened, sizeof opened);
  bool has_default = row->default_text && row->default_text[0] != '\0';
  snprintf(text, size, "%s%s%sin the scene %s%s", has_default ? "default " : "", has_default ? row->default_text : "",
           has_default ? ", " : "", opened, edits_is_live(group, row) ? "" : "\nTakes effect at reset (R).");
}

static void draw_row(App *app, Edits *edits, int index, const Param *row) {
  const EditGroup *group = edits_group(edits, index);
  bool changed = edits_is_changed(edits, index, row);
  char more[2 * PARAM_TEXT_SIZE];
  describe_origin(edits, index, row, more, sizeof more);
  Error error = {0};
  gui_cell();
  draw_name(row, changed);
  panels_parameter_tooltip(row, more);
  gui_cell();
  char value[2 * PARAM_TEXT_SIZE];
  gui_next_width(-0.001f);
  if (panels_parameter(row, "", group->values, value, sizeof value)) {
    hand_on(app, group, row, edits_set(edits, index, row, value, &error), &error);
    if (error.text[0] == '\0')
      panels_tell_clamped(app, row, value);
  }
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
  bool in_doc = strlen(search) > 3 && panels_contains(row->doc, search); // short patterns occur in every sentence
  return in_doc || panels_contains(row->name, search) || panels_contains(group->title, search);
}

// The rows of a group that act at once, or those that need a reset.
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
      panels_request(app, REQUEST_RESET, NULL, -1);
  }
  if (!begin_rows(live ? "live" : "at reset"))
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

static void search_and_revert(App *app, Edits *edits) {
  float button = 9 * gui_em();
  gui_next_width(-button - GAP * gui_em());
  gui_input("##search", "search, e.g. damping", app->panels->parameter_search, PANELS_SEARCH_SIZE);
  gui_same_line();
  int changes = edits_change_count(edits);
  Error error = {0};
  gui_disabled_begin(changes == 0);
  if (gui_button("Reset all to file", -1) && !edits_revert_all(edits, app_live(app)->scene, &error))
    app_message(app, "%s", error.text);
  gui_disabled_end();
  char text[96];
  snprintf(text, sizeof text, "Every parameter back to its value in the scene file; changed: %d", changes);
  gui_tooltip(text);
}

static void draw_groups(App *app, Edits *edits) {
  const char *search = app->panels->parameter_search;
  bool several = app->sources[0]->def->character_count > 1;
  int shown = 0;
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    // Of many characters only the followed one's are shown; a search includes all.
    if (search[0] == '\0' && several && group->character >= 0 && group->character != app->subject)
      continue;
    if (!group_matches(group, search))
      continue;
    shown++;
    char label[160];
    snprintf(label, sizeof label, "%s%s###group", group->title, group_is_changed(edits, i) ? " *" : "");
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
  if (shown == 0)
    gui_text_dim("nothing matches");
}

void panel_parameters(App *app) {
  Edits *edits = app_live(app)->edits;
  if (!gui_header("Parameters", true))
    return;
  search_and_revert(app, edits);
  // They scroll separately below the search field; in a low window with the whole panel.
  if (gui_child_begin("groups", fmaxf(gui_height_left(), 7 * gui_em()))) {
    gui_dense_begin();
    draw_groups(app, edits);
    gui_dense_end();
  }
  gui_child_end();
}
