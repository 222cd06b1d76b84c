// The panels of scene, run and character, and of the output files.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "viewer/panels/panels.h"

static void list_scenes(App *app, const char *current) {
  Panels *panels = app->panels;
  if (panels->scenes_problem[0] != '\0')
    gui_text_wrapped("%s", panels->scenes_problem);
  for (int i = 0; i < panels->scenes.count; i++) {
    SceneEntry scene = panels->scenes.entries[i];
    gui_disabled_begin(scene.problem != NULL);
    if (gui_selectable(scene.name, strcmp(scene.name, current) == 0))
      panels_request(app, REQUEST_LOAD, scene.name, -1);
    gui_disabled_end();
    gui_tooltip(scene.problem ? scene.problem : scene.purpose);
  }
}

// A path to type for files that are not in the list. Traces can be compared: Add opens one in addition to those open.
static void open_file(App *app) {
  Panels *panels = app->panels;
  bool can_add = app->source_count > 0 && !app_live(app) && app->source_count < APP_MAX_SOURCES;
  float button = 3.4f * gui_em();
  gui_next_width(-(can_add ? 2 * button + gui_em() : button + 0.5f * gui_em()));
  gui_focus(panels->focus_path);
  panels->focus_path = false;
  gui_input("##path", "scene.yaml or trace.h5", panels->open_path, sizeof panels->open_path);
  if (gui_entered() && panels->open_path[0] != '\0') {
    panels_request(app, REQUEST_LOAD, panels->open_path, -1);
    panels->focus_path = app->source_count == 0; // keeps the cursor there when it cannot be opened
  }
  gui_tooltip(
      "Path of a scene or of a recorded trace. Files can also be dropped onto the window, motions and levels, too");
  gui_disabled_begin(panels->open_path[0] == '\0');
  gui_same_line();
  if (gui_button("Open", can_add ? button : -1))
    panels_request(app, REQUEST_LOAD, panels->open_path, -1);
  if (can_add) {
    gui_same_line();
    if (gui_button("Add", -1))
      panels_request(app, REQUEST_ADD, panels->open_path, -1);
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

// For several traces: shows the colour of each.
static void list_sources(App *app) {
  if (app_live(app))
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
  if (!app->sources[0]->reader)
    return;
  if (gui_button("Run its scene live", -1))
    panels_request(app, REQUEST_LOAD, app->sources[0]->def->path, -1);
  gui_tooltip("A trace is only shown. Opens the scene that it was recorded from, to change and to poke it.");
}

static int new_seed(const App *app) {
  // Any other seed; a certain one can be typed in the parameters.
  unsigned mixed = (unsigned)app_live(app)->def->run.seed * 1664525u + 1013904223u + (unsigned)time(NULL);
  return (int)(mixed % 1000000);
}

static void control_run(App *app) {
  Live *live = app_live(app);
  float quarter = (gui_room() - 3 * 0.46f * gui_em()) / 4;
  if (gui_toggle(app->playback.playing ? "Pause###play" : "Play###play", app->playback.playing, quarter))
    playback_toggle(&app->playback);
  gui_tooltip("Space");
  gui_same_line();
  if (gui_button("Step", quarter))
    app_step(app, 1);
  gui_tooltip(live ? "One physics step (Right)" : "One frame (Right)");
  gui_same_line();
  if (!live) {
    if (gui_button("To the start", -1))
      panels_request(app, REQUEST_RESET, NULL, -1);
    gui_tooltip("Shows the first moment (R)");
    return;
  }
  if (gui_button("Reset", quarter))
    panels_request(app, REQUEST_RESET, NULL, -1);
  gui_tooltip("Starts again with all changes and the same seed (R)");
  gui_same_line();
  if (gui_button("Seed", -1))
    panels_request(app, REQUEST_RESET, NULL, new_seed(app));
  char text[64];
  snprintf(text, sizeof text, "Starts again with another seed than %d (N)", live->def->run.seed);
  gui_tooltip(text);
  if (live->stopped)
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

// Asks for confirmation before it overwrites a file that it has not written itself.
static void save_scene(App *app) {
  Panels *panels = app->panels;
  bool taken = access(app->save_path, F_OK) == 0 && strcmp(app->save_path, panels->saved_path) != 0;
  if (taken && strcmp(app->save_path, panels->replace_path) != 0) {
    snprintf(panels->replace_path, sizeof panels->replace_path, "%s", app->save_path);
    return;
  }
  panels->replace_path[0] = '\0';
  app_save(app, app->save_path);
  if (!edits_unsaved(app_live(app)->edits))
    snprintf(panels->saved_path, sizeof panels->saved_path, "%s", app->save_path);
}

static void draw_save(App *app, float button) {
  Panels *panels = app->panels;
  gui_next_width(-button - 0.5f * gui_em());
  if (gui_input("##save path", "scene.yaml", app->save_path, sizeof app->save_path))
    panels->replace_path[0] = '\0'; // a new path needs a new confirmation
  bool entered = gui_entered();
  gui_tooltip("Path of a scene file: the scene with all changes");
  gui_same_line();
  gui_disabled_begin(app->save_path[0] == '\0');
  bool pressed = gui_button("Save", -1);
  gui_tooltip("Writes the scene with all changes (F5)");
  gui_disabled_end();
  if ((pressed || entered) && app->save_path[0] != '\0')
    save_scene(app);
  if (panels->replace_path[0] == '\0')
    return;
  char text[PANELS_PATH_SIZE + 32];
  snprintf(text, sizeof text, "Replace %s?###replace", panels_file_name(panels->replace_path));
  if (gui_button(text, -1))
    save_scene(app);
  snprintf(text, sizeof text, "There is already a file %s", panels->replace_path);
  gui_tooltip(text);
}

static void draw_record(App *app, float button) {
  Live *live = app_live(app);
  Panels *panels = app->panels;
  if (live->trace) {
    gui_text_color(GUI_RED, "Recording %s", panels_file_name(live->trace_path));
    if (gui_button("End recording", -1))
      panels_request(app, REQUEST_RECORD, NULL, -1);
    return;
  }
  gui_next_width(-button - 0.5f * gui_em());
  gui_input("##record path", "trace.h5", panels->record_path, sizeof panels->record_path);
  gui_tooltip("Path of a trace file");
  gui_same_line();
  gui_disabled_begin(panels->record_path[0] == '\0');
  if (gui_button("Record", -1))
    panels_request(app, REQUEST_RECORD, panels->record_path, -1);
  gui_tooltip("Starts again and records the run into a trace, until Reset");
  gui_disabled_end();
}

// Output files: by default in the working folder, named after the scene.
void panel_files(App *app) {
  Live *live = app_live(app);
  Panels *panels = app->panels;
  if (!gui_header(edits_unsaved(live->edits) ? "Save and record  (unsaved changes)###files" : "Save and record###files",
                  false))
    return;
  if (panels->record_path[0] == '\0')
    snprintf(panels->record_path, sizeof panels->record_path, "%s.h5", live->def->name);
  float button = 5 * gui_em();
  draw_save(app, button);
  draw_record(app, button);
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
        gui_text_wrapped("%s", scene.problem ? scene.problem : scene.purpose);
        if (chosen)
          panels_request(app, REQUEST_LOAD, scene.name, -1);
      }
      gui_table_end();
    }
    gui_space();
    open_file(app);
  }
  gui_window_end();
}
