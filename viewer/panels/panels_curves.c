// Curves of the scene: chooses one, draws it, and passes what the mouse does to its keys on to the edits.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/panels/curve_canvas.h"
#include "viewer/panels/panels.h"

static const float HEIGHT = 10, REACH = 0.7f, KEY_SIZE = 0.32f; // heights of the text

// ---- The list ----

// Of many characters only the followed one's are shown, as parameters are.
static bool is_listed(const App *app, int index) {
  const Edits *edits = app_live(app)->edits;
  return edits_group(edits, edits_curve(edits, index)->group)->character == app->subject;
}

static void write_label(const Edits *edits, int index, char *label, size_t size) {
  const EditCurve *curve = edits_curve(edits, index);
  snprintf(label, size, "%s: %s%s##%d", edits_group(edits, curve->group)->title, curve->row->name,
           edits_curve_is_changed(edits, index) ? " *" : "", index);
}

// The chosen curve; -1: there is none.
static int choose_curve(App *app) {
  const Edits *edits = app_live(app)->edits;
  Panels *panels = app->panels;
  const int count = edits_curve_count(edits);
  if (panels->curve >= count || (panels->curve >= 0 && !is_listed(app, panels->curve)))
    panels->curve = -1;
  for (int i = 0; i < count && panels->curve < 0; i++)
    if (is_listed(app, i))
      panels->curve = i;
  if (panels->curve < 0)
    return -1;
  char label[192];
  write_label(edits, panels->curve, label, sizeof label);
  label[strcspn(label, "#")] = '\0';
  gui_next_width(-0.001f);
  if (gui_combo_begin("##curve", label)) {
    for (int i = 0; i < count; i++) {
      if (!is_listed(app, i))
        continue;
      write_label(edits, i, label, sizeof label);
      if (gui_selectable(label, i == panels->curve))
        panels->curve = i;
    }
    gui_combo_end();
  }
  gui_tooltip("Which curve; those with a star are changed");
  return panels->curve;
}

// ---- The picture ----

static void draw_line(const CurveCanvas *canvas, const Curve *curve, uint32_t color, float thickness) {
  enum { POINTS = 129 };
  float points[2 * POINTS];
  for (int i = 0; i < POINTS; i++) {
    const double x = canvas->x_from + (canvas->x_to - canvas->x_from) * i / (POINTS - 1);
    points[2 * i] = curve_canvas_x(canvas, x);
    points[2 * i + 1] = curve_canvas_y(canvas, curve_value(curve, x));
  }
  gui_draw_curve(points, POINTS, color, thickness);
}

// The part of the area in which keys are: numbers are at its left and below it.
static GuiRect inside(GuiRect rect) {
  const float em = gui_em();
  return (GuiRect){rect.x + 2.2f * em, rect.y + 0.6f * em, rect.width - 2.9f * em, rect.height - 2 * em};
}

static void draw_grid(const CurveCanvas *canvas) {
  const GuiRect rect = canvas->rect;
  const float em = gui_em();
  char text[32];
  const double x_step = panels_round_step(canvas->x_to - canvas->x_from, 5);
  for (int i = (int)ceil(canvas->x_from / x_step - 1e-9); i * x_step <= canvas->x_to + 1e-9; i++) {
    const float x = curve_canvas_x(canvas, i * x_step);
    gui_draw_line(x, rect.y, x, rect.y + rect.height, 0xFFFFFF18u, 1);
    snprintf(text, sizeof text, "%.4g", i * x_step);
    gui_draw_text(x - gui_text_width(text) / 2, rect.y + rect.height + 0.2f * em, GUI_DIM, text);
  }
  const double y_step = panels_round_step(canvas->y_to - canvas->y_from, 4);
  for (int i = (int)ceil(canvas->y_from / y_step - 1e-9); i * y_step <= canvas->y_to + 1e-9; i++) {
    const float y = curve_canvas_y(canvas, i * y_step);
    gui_draw_line(rect.x, y, rect.x + rect.width, y, 0xFFFFFF18u, 1);
    snprintf(text, sizeof text, "%.4g", i * y_step);
    gui_draw_text(rect.x - gui_text_width(text) - 0.4f * em, y - em / 2, GUI_DIM, text);
  }
}

static void draw_keys(const CurveCanvas *canvas, const Curve *curve, int marked) {
  const float size = KEY_SIZE * gui_em();
  for (int i = 0; i < curve->count; i++) {
    const float x = curve_canvas_x(canvas, curve->x[i]), y = curve_canvas_y(canvas, curve->y[i]);
    gui_draw_circle(x, y, i == marked ? 1.5f * size : size, i == marked ? GUI_WARM : GUI_ACCENT);
    if (i != marked)
      continue;
    char text[64];
    snprintf(text, sizeof text, "%.4g, %.4g", curve->x[i], curve->y[i]);
    gui_hint(x + 2 * size, y + 2 * size, text);
  }
}

// Moves, adds and removes keys. Returns the key that the mouse is at, -1: none.
static int handle_mouse(App *app, const GuiArea *area, const CurveCanvas *canvas, const CurveRow *row, Curve *curve) {
  Panels *panels = app->panels;
  const int under =
      area->hovered ? curve_canvas_hit(canvas, curve, area->mouse_x, area->mouse_y, REACH * gui_em()) : -1;
  if (area->pressed)
    panels->curve_key = under;
  if (area->double_clicked && under < 0) {
    panels->curve_key = curve_canvas_add(canvas, row, curve, area->mouse_x, area->mouse_y);
    if (panels->curve_key < 0)
      app_message(app, "no key fits there: a curve has at most %d, each at its own x", CURVE_MAX_KEYS);
  }
  if (area->right_pressed && under >= 0 && !area->held) {
    if (!curve_canvas_remove(row, curve, under))
      app_message(app, row->arch ? "both ends of the curve remain" : "the last key remains");
    panels->curve_key = -1;
    return -1;
  }
  if (!area->held)
    panels->curve_key = -1;
  else if (panels->curve_key >= 0 && panels->curve_key < curve->count && (area->drag_x != 0 || area->drag_y != 0))
    curve_canvas_move(canvas, row, curve, panels->curve_key, area->mouse_x, area->mouse_y);
  return panels->curve_key >= 0 ? panels->curve_key : under;
}

static void draw_canvas(App *app, int index) {
  const Edits *edits = app_live(app)->edits;
  Panels *panels = app->panels;
  const CurveRow *row = edits_curve(edits, index)->row;
  Curve curve = *edits_curve_now(edits, index);
  const GuiArea area = gui_area("curve", 0, HEIGHT * gui_em());
  if (panels->curve_key < 0) // while a key is dragged the scale stays
    panels->curve_canvas = curve_canvas(inside(area.rect), row, &curve, edits_curve_opened(edits, index));
  panels->curve_canvas.rect = inside(area.rect);
  if (!area.held)
    curve_history_close(&app->curve_history);
  const CurveCanvas *canvas = &panels->curve_canvas;
  const int marked = handle_mouse(app, &area, canvas, row, &curve);
  if (!curve_is_equal(&curve, edits_curve_now(edits, index)))
    app_set_curve(app, index, &curve);

  gui_draw_rect(area.rect, GUI_FIELD, 4);
  gui_clip_begin(area.rect);
  draw_grid(canvas);
  draw_line(canvas, edits_curve_opened(edits, index), 0xFFFFFF50u, 1);
  draw_line(canvas, &curve, GUI_ACCENT, 2);
  draw_keys(canvas, &curve, marked);
  gui_clip_end();
}

// ---- Below it ----

static void draw_buttons(App *app, int index) {
  const Live *live = app_live(app);
  const EditCurve *edit = edits_curve(live->edits, index);
  Curve curve = *edits_curve_now(live->edits, index);
  if (gui_checkbox("smooth", &curve.smooth))
    app_set_curve(app, index, &curve);
  gui_tooltip("Level at each key, instead of straight between them");
  gui_same_line();
  gui_disabled_begin(!edits_curve_is_changed(live->edits, index));
  if (gui_button("Back to file", -1)) {
    curve = *edits_curve_opened(live->edits, index);
    app_set_curve(app, index, &curve);
  }
  gui_disabled_end();
  char text[PANELS_PATH_SIZE + 160];
  snprintf(text, sizeof text, "Save into %s###save curves", panels_file_name(live->def->path));
  gui_disabled_begin(!edits_unsaved(live->edits));
  if (gui_button(text, -1))
    app_save(app, live->def->path);
  if (edit->line > 0)
    snprintf(text, sizeof text, "Writes all changes into %s, this curve at line %d; comments and layout stay",
             live->def->path, edit->line);
  else
    snprintf(text, sizeof text,
             "Writes all changes into %s, which does not have this curve yet; comments and layout stay",
             live->def->path);
  gui_tooltip(text);
  gui_disabled_end();
}

void panel_curves(App *app) {
  const Edits *edits = app_live(app)->edits;
  bool any = false;
  for (int i = 0; i < edits_curve_count(edits); i++)
    any = any || is_listed(app, i);
  if (!any || !gui_header("Curves", false))
    return;
  const int index = choose_curve(app);
  if (index < 0)
    return;
  const CurveRow *row = edits_curve(edits, index)->row;
  gui_dense_begin();
  draw_canvas(app, index);
  gui_text_wrapped("Up: %s; right: %s.", row->y_doc, row->x_doc);
  gui_text_dim("Double click adds, right removes a key. Ctrl + Z undoes.");
  draw_buttons(app, index);
  gui_dense_end();
}
