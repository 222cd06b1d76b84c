// Plots: curves of any channel over time. Curves with the same unit share an axis.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/panels/panels.h"

enum { MOST_POINTS = 600, MOST_UNITS = PLOTS_MAX_CURVES };

static const uint32_t CURVE_COLORS[] = {0x6CB4FFFFu, 0xFFB45CFFu, 0x7BDC8EFFu, 0xFF7F73FFu,
                                        0xC59BFFFFu, 0xF2E06BFFu, 0x5FD9D3FFu, 0xFF9AC8FFu};
enum { COLOR_COUNT = sizeof CURVE_COLORS / sizeof CURVE_COLORS[0] };

// The colour of a curve: its own in the first run, mixed with the run's tint in others.
static uint32_t curve_color(int curve, int source) {
  uint32_t own = CURVE_COLORS[curve % COLOR_COUNT];
  if (source == 0)
    return own;
  return panels_mix(own, panels_source_color(source), 0.8f);
}

// ---- Choosing a curve ----

// Default curves of the first character: support by the assist, contact with the ground, tracking error.
void panels_first_curves(App *app) {
  static const char *const CURVES[] = {"assist/force", "com/support_margin", "joints/error[chest]"};
  Panels *panels = app->panels;
  const Source *source = app->sources[0];
  if (panels->own_curves || source->def->character_count == 0 || strcmp(panels->curves_of, source->path) == 0)
    return;
  snprintf(panels->curves_of, sizeof panels->curves_of, "%s", source->path);
  while (app->plots.count > 0)
    plots_remove(&app->plots, 0);
  for (size_t i = 0; i < sizeof CURVES / sizeof CURVES[0]; i++) {
    char text[160];
    PlotCurve curve;
    Error error = {0}; // for example, a body without a chest
    snprintf(text, sizeof text, "%s/%s", source->def->characters[0].name, CURVES[i]);
    if (plots_parse(text, source->frames, &curve, &error))
      plots_add(&app->plots, &curve);
  }
}

static void add_curve(App *app, const FrameChannel *channel, int row, int column) {
  app->panels->own_curves = true;
  PlotCurve curve = {.row = row, .column = column, .degrees = true};
  snprintf(curve.channel, sizeof curve.channel, "%s", channel->path);
  if (!plots_add(&app->plots, &curve))
    app_message(app, "There are already %d curves, or this one is among them.", app->plots.count);
}

static const char *row_name(const FrameChannel *channel, int row, char number[16]) {
  snprintf(number, 16, "%d", row);
  return channel->names ? channel->names[row] : number;
}

// A row of a channel: one entry for a single number, otherwise a small button for each component.
static void choose_component(App *app, const FrameChannel *channel, int row) {
  static const char *const NAMES[] = {"x", "y", "z", "w"};
  char number[16];
  const char *name = channel->rows > 1 || channel->names ? row_name(channel, row, number) : "value";
  if (channel->width == 1) {
    if (gui_selectable(name, false))
      add_curve(app, channel, row, 0);
    return;
  }
  for (int column = 0; column < channel->width && column < 8; column++) {
    char label[16];
    snprintf(label, sizeof label, "%d", column);
    gui_push_id(column);
    if (gui_button_small(channel->width <= 4 ? NAMES[column] : label))
      add_curve(app, channel, row, column);
    gui_pop_id();
    gui_same_line();
  }
  if (channel->width <= 3) {
    if (gui_button_small("norm"))
      add_curve(app, channel, row, FRAMES_NORM);
    gui_same_line();
  }
  gui_text("%s", name);
}

static bool row_matches(const FrameChannel *channel, int row, const char *search) {
  char number[16];
  return panels_contains(channel->path, search) || panels_contains(row_name(channel, row, number), search);
}

static bool channel_matches(const FrameChannel *channel, const char *search) {
  for (int row = 0; row < channel->rows; row++)
    if (row_matches(channel, row, search))
      return true;
  return false;
}

// Splits "/characters/runner/joints/error" into the owner "runner" and the rest "joints/error". Other channels have the
// owner "".
static const char *split_path(const char *path, char owner[64]) {
  static const char PREFIX[] = "/characters/";
  owner[0] = '\0';
  if (strncmp(path, PREFIX, sizeof PREFIX - 1) != 0)
    return path[0] == '/' ? path + 1 : path;
  path += sizeof PREFIX - 1;
  size_t length = strcspn(path, "/");
  snprintf(owner, 64, "%.*s", (int)length, path);
  return path[length] == '/' ? path + length + 1 : path;
}

static void choose_row(App *app, const FrameChannel *channel, const char *label, const char *search) {
  char title[224], unit[32], name[256];
  PlotCurve curve = {.degrees = true}; // to get the unit as the plot shows it
  snprintf(curve.channel, sizeof curve.channel, "%s", channel->path);
  plots_label(&curve, app->sources[0]->frames, name, sizeof name, unit);
  bool has_unit = unit[0] != '\0' && strcmp(unit, "-") != 0;
  snprintf(title, sizeof title, has_unit ? "%s  (%s)###channel" : "%s###channel", label, unit);
  if (search[0] != '\0')
    gui_next_open(true);
  bool open = gui_tree_begin(title);
  gui_tooltip(channel->description);
  if (!open)
    return;
  for (int row = 0; row < channel->rows; row++) {
    if (!row_matches(channel, row, search))
      continue;
    gui_push_id(row);
    choose_component(app, channel, row);
    gui_pop_id();
  }
  gui_tree_end();
}

// Channels of one owner are consecutive, since they are sorted by path.
static void choose_channels(App *app) {
  Frames *frames = app->sources[0]->frames;
  const char *search = app->panels->channel_search;
  const char *subject = app->sources[0]->def->characters[app->subject].name;
  char group[64] = "";
  bool open = true, begun = false, any = false;
  for (int i = 0; i < frames_channel_count(frames); i++) {
    const FrameChannel *channel = frames_channel(frames, i);
    char owner[64];
    const char *label = split_path(channel->path, owner);
    if (!channel_matches(channel, search))
      continue;
    any = true;
    if (strcmp(owner, group) != 0) {
      if (begun)
        gui_tree_end();
      snprintf(group, sizeof group, "%s", owner);
      if (search[0] != '\0' || strcmp(owner, subject) == 0)
        gui_next_open(search[0] != '\0');
      open = owner[0] == '\0' || gui_tree_begin(owner);
      begun = open && owner[0] != '\0';
    }
    gui_push_id(i);
    if (open)
      choose_row(app, channel, label, search);
    gui_pop_id();
  }
  if (begun)
    gui_tree_end();
  if (!any)
    gui_text_dim("nothing matches");
}

static void offer_curves(App *app) {
  if (gui_button("Add curve...", 0)) {
    app->panels->channel_search[0] = '\0';
    gui_popup_open("curves");
  }
  gui_tooltip("Every quantity that a trace holds");
  if (!gui_popup_begin("curves"))
    return;
  gui_next_width(26 * gui_em());
  gui_focus(false);
  gui_input("##search", "search, e.g. torque, foot, assist", app->panels->channel_search, PANELS_SEARCH_SIZE);
  if (gui_child_begin("channels", 18 * gui_em()))
    choose_channels(app);
  gui_child_end();
  gui_popup_end();
}

// ---- Time ----

// The shown range of time, `span` seconds: the latest part of a running live run; otherwise a window that stays until
// the shown moment leaves it.
static void choose_times(App *app) {
  Panels *panels = app->panels;
  const Playback *playback = &app->playback;
  double range = playback->last - playback->first, span = fmin(app->plots.span, range), time = playback->time;
  double from = panels->plot_from;
  bool inside = time >= from && time <= from + span;
  if (playback->live && playback->playing)
    from = time - span;
  else if (fabs(panels->plot_to - from - span) > 1e-9) // for another span, the moment keeps its place in the plot
    from = time - span * fmin(fmax((time - from) / fmax(panels->plot_to - from, 1e-9), 0), 1);
  else if (!inside)
    from = time - (time > from ? 0.1 : 0.9) * span;
  panels->plot_from = fmin(fmax(from, playback->first), playback->last - span);
  panels->plot_to = panels->plot_from + span;
}

// ---- One axis ----

typedef struct Axis {
  GuiRect rect;
  double from, to; // s
  double low, high;
} Axis;

static float axis_x(const Axis *axis, double time) {
  double range = axis->to - axis->from;
  return axis->rect.x + axis->rect.width * (float)(range > 0 ? (time - axis->from) / range : 1);
}

static float axis_y(const Axis *axis, double value) {
  double share = (value - axis->low) / (axis->high - axis->low);
  return axis->rect.y + axis->rect.height * (float)(1 - fmin(fmax(share, -10), 11));
}

// The points of one curve of one source, and the limits that they extend.
typedef struct CurvePoints {
  int count;
  float times[MOST_POINTS], values[MOST_POINTS];
} CurvePoints;

static void read_points(const App *app, int curve, int source, const Axis *axis, CurvePoints *points) {
  int most = (int)fminf(fmaxf(axis->rect.width, 16), MOST_POINTS);
  points->count = plots_points(&app->plots.curves[curve], app->sources[source]->frames, axis->from, axis->to, most,
                               points->times, points->values);
}

static void widen_limits(const CurvePoints *points, double *low, double *high) {
  for (int i = 0; i < points->count; i++) {
    if (!isfinite(points->values[i]))
      continue;
    *low = fmin(*low, (double)points->values[i]);
    *high = fmax(*high, (double)points->values[i]);
  }
}

// Draws pieces between missing values.
static void draw_points(const Axis *axis, const CurvePoints *points, uint32_t color) {
  static float xy[2 * MOST_POINTS];
  int length = 0;
  float thickness = fmaxf(1.2f, 0.11f * gui_em());
  for (int i = 0; i <= points->count; i++) {
    bool there = i < points->count && isfinite(points->values[i]);
    if (there) {
      xy[2 * length] = axis_x(axis, (double)points->times[i]);
      xy[2 * length + 1] = axis_y(axis, (double)points->values[i]);
      length++;
    } else {
      if (length > 1)
        gui_draw_curve(xy, length, color, thickness);
      else if (length == 1)
        gui_draw_circle(xy[0], xy[1], thickness, color);
      length = 0;
    }
  }
}

static void draw_grid(const Axis *axis) {
  float em = gui_em();
  double step = panels_round_step(axis->high - axis->low, (int)fmaxf(axis->rect.height / (2.2f * em), 1));
  for (double i = ceil(axis->low / step); i * step <= axis->high; i++) {
    float y = axis_y(axis, i * step);
    char text[32];
    snprintf(text, sizeof text, "%.4g", fabs(i) < 0.5 ? 0 : i * step);
    gui_draw_line(axis->rect.x, y, axis->rect.x + axis->rect.width, y, fabs(i) < 0.5 ? 0xFFFFFF40u : 0xFFFFFF18u, 1);
    if (y - em * 0.5f > axis->rect.y && y + 0.5f * em < axis->rect.y + axis->rect.height)
      gui_draw_text(axis->rect.x + 3, y - 0.5f * em, 0xFFFFFF70u, text);
  }
}

static void draw_hits(const App *app, const Axis *axis) {
  for (int s = 0; s < app->source_count; s++) {
    const Source *source = app->sources[s];
    for (int i = 0; i < source->hit_count; i++) {
      const HitMark *hit = &source->hits[i];
      if (hit->character != app->subject || hit->start < axis->from || hit->start > axis->to)
        continue;
      uint32_t color = s == 0 ? panels_color(picture_hit_color()) : panels_source_color(s);
      float x = axis_x(axis, hit->start);
      gui_draw_line(x, axis->rect.y, x, axis->rect.y + axis->rect.height, (color & 0xFFFFFF00u) | 0x80u, 1);
    }
  }
}

// The mouse in a plot: dragging moves the time, the wheel zooms.
static void handle_mouse(App *app, const GuiArea *area, const Axis *axis) {
  Panels *panels = app->panels;
  if (area->wheel != 0) {
    double range = fmax(app->playback.last - app->playback.first, 0.1);
    app->plots.span = fmin(fmax(fmin(app->plots.span, range) * pow(0.8, (double)area->wheel), 0.05), range * 1.01);
  }
  if (!area->held)
    return;
  panels->plot_held = true;
  double share = fmin(fmax((double)((area->mouse_x - axis->rect.x) / axis->rect.width), 0), 1);
  panels_take_time(app, axis->from + share * (axis->to - axis->from));
}

// The value at the shown moment, from a single frame.
static bool value_now(const App *app, int curve, int source, float *value) {
  Frames *frames = app->sources[source]->frames;
  float times[2], values[2];
  if (frames_end(frames) <= frames_first(frames))
    return false;
  double time = frames_time(frames, frames_near(frames, app->playback.time));
  int count = plots_points(&app->plots.curves[curve], frames, time, time, 2, times, values);
  *value = count > 0 ? values[0] : NAN;
  return count > 0;
}

// Colour, name, present value, and a button that removes the curve. False when that was pressed.
static bool draw_legend(const App *app, int curve) {
  char label[256], unit[32];
  float em = gui_em();
  plots_label(&app->plots.curves[curve], app->sources[0]->frames, label, sizeof label, unit);
  gui_push_id(curve);
  bool keep = !gui_button_small("x");
  gui_tooltip("Takes the curve away");
  gui_same_line();
  char values[96] = "";
  size_t length = 0;
  for (int s = 0; s < app->source_count; s++) {
    float value;
    if (!value_now(app, curve, s, &value) || length >= sizeof values)
      continue;
    char number[24] = "-"; // as in tables: it does not apply now
    if (isfinite(value))
      snprintf(number, sizeof number, "%.4g", (double)value);
    length += (size_t)snprintf(values + length, sizeof values - length, "%s%s", s > 0 ? " | " : "", number);
  }
  // The name is shortened from its beginning, since its end is most informative.
  float room = gui_room() - gui_text_width(values) - em;
  const char *shown = label;
  while (gui_text_width(shown) > room && shown[strcspn(shown, " /")] != '\0')
    shown += strcspn(shown, " /") + 1;
  gui_text_color(curve_color(curve, 0), "%s", shown);
  gui_tooltip(label);
  gui_same_line();
  gui_text_right(values);
  gui_pop_id();
  return keep;
}

// Draws all curves with the same unit.
static void draw_axis(App *app, const int *curves, int count, const char *unit, float height) {
  static CurvePoints points[APP_MAX_SOURCES];
  float em = gui_em();
  GuiArea area = gui_area("plot", 0, height);
  Axis axis = {.rect = area.rect,
               .from = app->panels->plot_from,
               .to = app->panels->plot_to,
               .low = INFINITY,
               .high = -INFINITY};
  // Two passes over the points, which are cached with the frames: the limits, then the curves.
  for (int i = 0; i < count; i++)
    for (int s = 0; s < app->source_count; s++) {
      read_points(app, curves[i], s, &axis, &points[s]);
      widen_limits(&points[s], &axis.low, &axis.high);
    }
  if (!(axis.low <= axis.high))
    axis.low = 0, axis.high = 1;
  double margin = fmax(0.06 * (axis.high - axis.low), 1e-6 * fmax(fabs(axis.high), 1));
  axis.low -= margin;
  axis.high += margin;

  handle_mouse(app, &area, &axis);
  gui_draw_rect(area.rect, GUI_FIELD, 4);
  gui_clip_begin(area.rect);
  draw_grid(&axis);
  draw_hits(app, &axis);
  for (int s = app->source_count - 1; s >= 0; s--)
    for (int i = 0; i < count; i++) {
      read_points(app, curves[i], s, &axis, &points[s]);
      draw_points(&axis, &points[s], curve_color(curves[i], s));
    }
  float now = axis_x(&axis, app->playback.time);
  gui_draw_line(now, area.rect.y, now, area.rect.y + height, 0xFFFFFFC0u, 1);
  gui_draw_text(area.rect.x + area.rect.width - gui_text_width(unit) - 0.4f * em, area.rect.y + 2, GUI_DIM, unit);
  if (area.hovered && !area.held) {
    char text[32];
    double share = (double)((area.mouse_x - area.rect.x) / area.rect.width);
    snprintf(text, sizeof text, "%.3f s", axis.from + share * (axis.to - axis.from));
    gui_draw_line(area.mouse_x, area.rect.y, area.mouse_x, area.rect.y + height, 0xFFFFFF50u, 1);
    gui_draw_text(area.mouse_x + 4, area.rect.y + height - 1.2f * em, GUI_DIM, text);
  }
  gui_clip_end();
}

static void draw_times(const App *app) {
  const Panels *panels = app->panels;
  float em = gui_em();
  GuiArea area = gui_area("times", 0, em);
  Axis axis = {.rect = area.rect, .from = panels->plot_from, .to = panels->plot_to, .high = 1};
  double range = axis.to - axis.from, step = panels_round_step(range, (int)fmaxf(area.rect.width / (4 * em), 1));
  for (double i = ceil(axis.from / step); range > 0 && i * step <= axis.to; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.4g s", i * step);
    float x = axis_x(&axis, i * step) - gui_text_width(text) / 2;
    if (x >= area.rect.x && x + gui_text_width(text) <= area.rect.x + area.rect.width)
      gui_draw_text(x, area.rect.y, GUI_DIM, text);
  }
}

void panel_plots(App *app) {
  Plots *plots = &app->plots;
  Panels *panels = app->panels;
  bool held = panels->plot_held; // in the previous frame
  panels->plot_held = false;
  offer_curves(app);
  gui_same_line();
  gui_text_dim(plots->count > 0 ? "wheel zooms, drag scrubs" : "any quantity over time");
  if (!held) // while the mouse is held the range stays
    choose_times(app);

  char units[PLOTS_MAX_CURVES][32], label[256];
  int axis_count = 0;
  const char *names[MOST_UNITS];
  for (int i = 0; i < plots->count; i++) {
    plots_label(&plots->curves[i], app->sources[0]->frames, label, sizeof label, units[i]);
    int axis = 0;
    while (axis < axis_count && strcmp(names[axis], units[i]) != 0)
      axis++;
    if (axis == axis_count)
      names[axis_count++] = units[i];
  }
  if (gui_child_begin("axes", 0) && axis_count > 0) {
    float em = gui_em(), height = gui_height_left() - 1.6f * em;
    float legend = (float)plots->count * gui_text_line();
    float each = fmaxf((height - legend) / (float)axis_count - 0.5f * em, 3.2f * em);
    int removed = -1;
    for (int axis = 0; axis < axis_count; axis++) {
      int curves[PLOTS_MAX_CURVES], count = 0;
      for (int i = 0; i < plots->count; i++) {
        if (strcmp(units[i], names[axis]) != 0)
          continue;
        curves[count++] = i;
        if (!draw_legend(app, i))
          removed = i;
      }
      gui_push_id(axis);
      draw_axis(app, curves, count, names[axis], each);
      gui_pop_id();
    }
    draw_times(app);
    if (removed >= 0) {
      plots_remove(plots, removed);
      panels->own_curves = true;
    }
  }
  gui_child_end();
}
