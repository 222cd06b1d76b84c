// Lays the panels out, draws them in order, and fulfils what they request of the viewer.
#include "viewer/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fulfil_request(App *app) {
  Panels *panels = app->panels;
  PanelRequest request = panels->request;
  panels->request = REQUEST_NOTHING;
  switch (request) {
  case REQUEST_NOTHING:
    break;
  case REQUEST_LOAD:
    app_load(app, panels->request_path);
    break;
  case REQUEST_ADD:
    app_add(app, panels->request_path);
    break;
  case REQUEST_RESET:
    app_reset(app, panels->request_seed);
    break;
  case REQUEST_RECORD:
    app_record(app, panels->request_path[0] != '\0' ? panels->request_path : NULL);
    break;
  }
}

// Places of the windows, in heights of the text.
static const float LEFT_WIDTH = 21.5f, RIGHT_WIDTH = 24.5f, TIMELINE_HEIGHT = 5.3f, NARROW_WIDTH = 66, GAP = 0.5f;

enum { SHOWN_METRICS = 1, SHOWN_PLOTS = 2, SHOWN_LEFT = 4 };

// Subtracts the area of an open panel at the left (side < 0) or right border from the view.
static void cover(GuiRect *view, int side) {
  GuiRect window = gui_window_rect();
  float end = window.x + window.width, view_end = view->x + view->width;
  if (side < 0 && window.x < window.width / 2) {
    view->width = view_end - fmaxf(view->x, end);
    view->x = fmaxf(view->x, end);
  } else if (side > 0 && end > view_end - window.width / 2) {
    view->width = fminf(view_end, window.x) - view->x;
  }
}

// The left column, with all settings.
static void draw_left(App *app, GuiRect place, unsigned flags, GuiRect *view) {
  if (gui_window_begin("Stagger##left", place, flags, NULL)) {
    cover(view, -1);
    float quarter = (gui_room() - 3 * 0.46f * gui_em()) / 4;
    if (gui_toggle("Metrics", app->show_metrics, quarter))
      app->show_metrics = !app->show_metrics;
    gui_tooltip("Why the followed character is where it is, and the run so far in numbers");
    gui_same_line();
    if (gui_toggle("Plots", app->show_plots, quarter))
      app->show_plots = !app->show_plots;
    gui_tooltip("Any recorded quantity over time");
    gui_same_line();
    if (gui_toggle("Film", app->film != NULL, quarter))
      app_film(app);
    gui_tooltip("Begins and ends a film of the window without panels, stagger-N.mp4 in the working folder (F9)");
    gui_same_line();
    if (gui_toggle("Help", app->show_help, -1))
      app->show_help = !app->show_help;
    gui_tooltip("All keys and what the mouse does (F1)");
    panel_scene(app);
    panel_plays(app);
    if (app_live(app))
      panel_poke(app);
    panel_view(app);
    if (app_live(app)) {
      panel_files(app);
      panel_curves(app);
      panel_parameters(app);
    }
  }
  gui_window_end();
}

// Whether a panel has to be moved to its place, and opened or closed. In a small window panels are initially collapsed;
// one that the user opens covers the image.
static unsigned window_flags(const Panels *panels, unsigned shown, bool begins, bool resized, unsigned which) {
  unsigned flags = begins || resized || (which != SHOWN_LEFT && shown != panels->shown) ? GUI_PLACE : 0;
  if (begins)
    return flags | (panels->narrow ? GUI_COLLAPSE : GUI_EXPAND);
  unsigned fresh = shown & ~panels->shown;
  if ((fresh & which) != 0)
    return flags | GUI_EXPAND;
  return flags | (panels->narrow && fresh != 0 ? GUI_COLLAPSE : 0);
}

// Motion files have no metrics.
static bool shows_metrics(const App *app) { return app->show_metrics && app->sources[0]->def->character_count > 0; }

static void draw_right(App *app, GuiRect column, unsigned metrics, unsigned plots, GuiRect *view) {
  Panels *panels = app->panels;
  float em = gui_em(), gap = GAP * em;
  GuiRect upper = column, lower = column;
  if (shows_metrics(app) && app->show_plots) {
    upper.height = (column.height - gap) / 2;
    // Under the title of the other one if both are collapsed.
    lower.y += panels->narrow ? 2 * em : upper.height + gap;
    lower.height = column.y + column.height - lower.y;
  }
  GuiRect whole = *view;
  if (shows_metrics(app)) {
    if (gui_window_begin("Metrics", upper, metrics, &app->show_metrics)) {
      cover(view, 1);
      panel_metrics(app);
    }
    gui_window_end();
  }
  if (!app->show_plots) {
    panels->plot_held = false;
    return;
  }
  if (gui_window_begin("Plots", lower, plots, &app->show_plots)) {
    GuiRect rest = whole;
    cover(&rest, 1);
    view->width = fminf(view->width, rest.width);
    panel_plots(app);
  }
  gui_window_end();
}

static void draw_windows(App *app) {
  Panels *panels = app->panels;
  GuiRect screen = gui_screen();
  float em = gui_em(), gap = GAP * em;
  bool narrow = screen.width < NARROW_WIDTH * em;
  bool begins = panels->shown == 0 || narrow != panels->narrow || em != panels->em;
  bool resized = screen.width != panels->screen.width || screen.height != panels->screen.height;
  unsigned shown = SHOWN_LEFT | (shows_metrics(app) ? SHOWN_METRICS : 0u) | (app->show_plots ? SHOWN_PLOTS : 0u);
  panels->narrow = narrow;
  unsigned left = window_flags(panels, shown, begins, resized, SHOWN_LEFT);
  unsigned metrics = window_flags(panels, shown, begins, resized, SHOWN_METRICS);
  unsigned plots = window_flags(panels, shown, begins, resized, SHOWN_PLOTS);
  panels->screen = screen;
  panels->em = em;
  panels->shown = shown;

  float timeline = TIMELINE_HEIGHT * em, height = screen.height - timeline - 3 * gap;
  float most = narrow ? screen.width / 2 - 1.5f * gap : screen.width;
  float left_width = fminf(LEFT_WIDTH * em, most), right_width = fminf(RIGHT_WIDTH * em, most);
  GuiRect view = {0, 0, screen.width, screen.height - timeline - gap};
  draw_left(app, (GuiRect){gap, gap, left_width, height}, left, &view);
  draw_right(app, (GuiRect){screen.width - right_width - gap, gap, right_width, height}, metrics, plots, &view);
  // Too little room between them: the image is behind the panels.
  panels->view = view.width < 0.35f * screen.width ? (GuiRect){0, 0, screen.width, view.height} : view;

  GuiRect bottom = {gap, screen.height - timeline - gap, screen.width - 2 * gap, timeline};
  if (gui_window_begin("Timeline", bottom, GUI_BARE, NULL))
    panel_timeline(app);
  gui_window_end();
}

GuiRect panels_view(const App *app) {
  bool covered = app->panels && app->panels->shown != 0 && app->show_panels && app->source_count > 0;
  int width, height;
  SDL_GetWindowSize(app->gl.window, &width, &height);
  return covered ? app->panels->view : (GuiRect){0, 0, (float)width, (float)height};
}

// All panels are hidden: shows how to get them back.
static void draw_hint(void) {
  float em = gui_em();
  GuiRect screen = gui_screen(), corner = {5.5f * em, screen.height - 1.6f * em, 0, 0};
  if (gui_window_begin("Hint", corner, GUI_BARE | GUI_FIT | GUI_PASSIVE, NULL))
    gui_text_dim("Tab: panels");
  gui_window_end();
}

void panels_draw(App *app) {
  if (!app->panels) {
    app->panels = calloc(1, sizeof *app->panels);
    if (!app->panels)
      return;
    app->panels->curve = app->panels->curve_key = -1;
    Error error = {0};
    if (!scene_list_read(&app->panels->scenes, &error))
      snprintf(app->panels->scenes_problem, sizeof app->panels->scenes_problem, "%s", error.text);
  }
  if (app->source_count > 0)
    panels_first_curves(app);
  if (app->source_count == 0)
    panel_scenes_offer(app);
  else if (app->show_panels)
    draw_windows(app);
  else
    draw_hint();
  panel_help(app);
  panel_message(app);
  fulfil_request(app);
}

void panels_free(App *app) {
  if (app->panels)
    scene_list_free(&app->panels->scenes);
  free(app->panels);
  app->panels = NULL;
}
