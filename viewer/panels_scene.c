// The panels of what runs: scene, run, character, and where it is written to.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "viewer/panels.h"

static void list_scenes(App *app, const char *current) {
  Panels *panels = app->panels;
  if (panels->scenes_problem[0] != '\0')
    gui_text_wrapped("%s", panels->scenes_problem);
  for (int i = 0; i < panels->scenes.count; i++) {
    SceneEntry scene = panels->scenes.entries[i];
    gui_disabled_begin(scene.problem != NULL);
    if (gui_selectable(scene.name, strcmp(scene.name, current) == 0))
      panels_wish(app, WISH_LOAD, scene.name, -1);
    gui_disabled_end();
    gui_tooltip(scene.problem != NULL ? scene.problem : scene.purpose);
  }
}

// A path to type, for whatever is not in the list. Traces can be compared: Add puts one beside those that are open.
static void open_file(App *app) {
  Panels *panels = app->panels;
  bool can_add = app->source_count > 0 && app_live(app) == NULL && app->source_count < APP_MAX_SOURCES;
  float button = 3.4f * gui_em();
  gui_next_width(-(can_add ? 2 * button + gui_em() : button + 0.5f * gui_em()));
  gui_input("##path", "scene.yaml or trace.h5", panels->open_path, sizeof panels->open_path);
  gui_tooltip("Path of a scene or of a recorded trace; files can also be dropped onto the window");
  gui_disabled_begin(panels->open_path[0] == '\0');
  gui_same_line();
  if (gui_button("Open", can_add ? button : -1))
    panels_wish(app, WISH_LOAD, panels->open_path, -1);
  if (can_add) {
    gui_same_line();
    if (gui_button("Add", -1))
      panels_wish(app, WISH_ADD, panels->open_path, -1);
    gui_tooltip("One more trace of the same scene, to compare");
  }
  gui_disabled_end();
}

static void choose_scene(App *app) {
  const Source *source = app->sources[0];
  const char *name = panels_file_name(source->path);
  gui_next_width(-0.001f);
  if (gui_combo_begin("##scene", name)) {
    list_scenes(app, name);
    gui_separator();
    open_file(app);
    gui_combo_end();
  }
  gui_tooltip("Choose another scene, or open a file");
  const char *purpose = source->def->run.purpose;
  if (purpose[0] != '\0')
    gui_text_wrapped("%s", purpose);
}

// Several traces: which colour is which.
static void list_sources(App *app) {
  if (app_live(app) != NULL)
    return;
  for (int i = 0; app->source_count > 1 && i < app->source_count; i++) {
    gui_text_color(panels_source_color(i), "%c  %s", 'A' + i, panels_file_name(app->sources[i]->path));
    gui_tooltip(app->sources[i]->path);
  }
  if (app->source_count > 1) {
    float half = (gui_room() - 0.46f * gui_em()) / 2;
    if (gui_toggle("Side by side", app->layout == LAYOUT_SIDE_BY_SIDE, half))
      app->layout = LAYOUT_SIDE_BY_SIDE;
    gui_same_line();
    if (gui_toggle("Overlaid", app->layout == LAYOUT_OVERLAY, -1))
      app->layout = LAYOUT_OVERLAY;
  }
  if (gui_button("Run its scene live", -1))
    panels_wish(app, WISH_LOAD, app->sources[0]->def->path, -1);
  gui_tooltip("A trace is only shown. Opens the scene that it was recorded from, to change and to poke it.");
}

static int new_seed(const App *app) {
  // Any other one; a user who wants a certain seed types it in the parameters.
  unsigned mixed = (unsigned)app_live(app)->def->run.seed * 1664525u + 1013904223u + (unsigned)time(NULL);
  return (int)(mixed % 1000000);
}

static void choose_pace(App *app) {
  static const struct {
    double pace;
    const char *label;
  } PACES[] = {{1.0 / 16, "1/16"}, {1.0 / 8, "1/8"}, {0.25, "1/4"}, {0.5, "1/2"}, {1, "x1"}, {2, "x2"}, {4, "x4"}};
  enum { COUNT = sizeof PACES / sizeof PACES[0] };
  float width = (gui_room() - 6 * 0.46f * gui_em()) / COUNT;
  for (int i = 0; i < COUNT; i++) {
    if (gui_toggle(PACES[i].label, app->playback.pace == PACES[i].pace, i < COUNT - 1 ? width : -1))
      app->playback.pace = PACES[i].pace;
    if (i == 0)
      gui_tooltip("Simulated time per wall-clock time (- and = make it slower and faster)");
    if (i < COUNT - 1)
      gui_same_line();
  }
}

static void control_run(App *app) {
  Live *live = app_live(app);
  float quarter = (gui_room() - 3 * 0.46f * gui_em()) / 4;
  if (gui_toggle(app->playback.playing ? "Pause##play" : "Play##play", app->playback.playing, quarter))
    playback_toggle(&app->playback);
  gui_tooltip("Space");
  gui_same_line();
  if (gui_button("Step", quarter))
    app_step(app, 1);
  gui_tooltip(live != NULL ? "One physics step (Right)" : "One frame (Right)");
  gui_same_line();
  if (gui_button("Reset", live != NULL ? quarter : -1))
    panels_wish(app, WISH_RESET, NULL, -1);
  gui_tooltip(live != NULL ? "Starts again with all changes and the same seed (R)" : "Back to the beginning (R)");
  if (live != NULL) {
    gui_same_line();
    if (gui_button("Seed", -1))
      panels_wish(app, WISH_RESET, NULL, new_seed(app));
    char text[64];
    snprintf(text, sizeof text, "Starts again with another seed than %d (N)", live->def->run.seed);
    gui_tooltip(text);
  }
  choose_pace(app);
  if (live != NULL && live->stopped)
    gui_text_color(GUI_RED, "Stopped: %s", live->stop_reason);
}

static void choose_character(App *app) {
  const SceneDef *def = app->sources[0]->def;
  if (def->character_count < 2 || app->subject < 0 || app->subject >= def->character_count)
    return;
  gui_next_width(-5.5f * gui_em());
  if (gui_combo_begin("character", def->characters[app->subject].name)) {
    for (int i = 0; i < def->character_count; i++) {
      gui_push_id(i);
      if (gui_selectable(def->characters[i].name, i == app->subject))
        app_follow(app, i);
      gui_pop_id();
    }
    gui_combo_end();
  }
  gui_tooltip("Who is followed, measured and driven ([ and ])");
}

void panel_scene(App *app) {
  choose_scene(app);
  list_sources(app);
  control_run(app);
  choose_character(app);
}

// Where things are written to: the present folder, named after the scene until the user says else.
void panel_files(App *app) {
  Live *live = app_live(app);
  Panels *panels = app->panels;
  if (live == NULL || !gui_header("Save and record", false))
    return;
  if (app->save_path[0] == '\0')
    snprintf(app->save_path, sizeof app->save_path, "%s_edited.yaml", live->def->name);
  if (panels->record_path[0] == '\0')
    snprintf(panels->record_path, sizeof panels->record_path, "%s.h5", live->def->name);
  float button = 5 * gui_em();
  gui_next_width(-button - 0.5f * gui_em());
  gui_input("##save path", "scene.yaml", app->save_path, sizeof app->save_path);
  gui_tooltip("Path of a scene file: the scene with all changes");
  gui_same_line();
  gui_disabled_begin(app->save_path[0] == '\0');
  if (gui_button("Save", -1))
    app_save(app, app->save_path);
  gui_tooltip("Writes the scene with all changes (F5)");
  gui_disabled_end();
  gui_checkbox("keep pokes as events", &app->keep_pokes);
  gui_tooltip("Bullets and pushes of the mouse become events of the saved scene, so that it can be run again");
  if (edits_unsaved(live->edits))
    gui_text_color(GUI_WARM, "There are changes that are not saved.");

  if (live->trace != NULL) {
    gui_text_color(GUI_RED, "Recording %s", panels_file_name(live->trace_path));
    if (gui_button("End recording", -1))
      panels_wish(app, WISH_RECORD, NULL, -1);
    return;
  }
  gui_next_width(-button - 0.5f * gui_em());
  gui_input("##record path", "trace.h5", panels->record_path, sizeof panels->record_path);
  gui_tooltip("Path of a trace file");
  gui_same_line();
  gui_disabled_begin(panels->record_path[0] == '\0');
  if (gui_button("Record", -1))
    panels_wish(app, WISH_RECORD, panels->record_path, -1);
  gui_tooltip("Starts again and records the run into a trace, until Reset");
  gui_disabled_end();
}

void panel_scenes_offer(App *app) {
  GuiRect screen = gui_screen();
  float em = gui_em();
  GuiRect middle = {screen.width / 2, screen.height / 2, 0, 0};
  if (gui_window_begin("Stagger: choose a scene", middle, GUI_FIT | GUI_PLACE, NULL)) {
    float widths[2] = {9 * em, fminf(34 * em, screen.width - 14 * em)};
    Panels *panels = app->panels;
    if (panels->scenes_problem[0] != '\0')
      gui_text_wrapped("%s", panels->scenes_problem);
    if (gui_table_begin("scenes", 2, widths, true)) {
      for (int i = 0; i < panels->scenes.count; i++) {
        SceneEntry scene = panels->scenes.entries[i];
        gui_cell();
        gui_disabled_begin(scene.problem != NULL);
        bool chosen = gui_row(scene.name);
        gui_disabled_end();
        gui_cell();
        gui_text_wrapped("%s", scene.problem != NULL ? scene.problem : scene.purpose);
        if (chosen)
          panels_wish(app, WISH_LOAD, scene.name, -1);
      }
      gui_table_end();
    }
    gui_space();
    open_file(app);
  }
  gui_window_end();
}
