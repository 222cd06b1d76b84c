// Internals of the panels: each subject is in a file of its own, and is drawn by panels_draw.
#ifndef STAGGER_VIEWER_PANELS_PANELS_H
#define STAGGER_VIEWER_PANELS_PANELS_H

#include "scenes/description/scene_list.h"
#include "viewer/app.h"
#include "viewer/panels/curve_canvas.h"

enum { PANELS_PATH_SIZE = 512, PANELS_SEARCH_SIZE = 64, METRIC_COLUMNS = 4 };

// What the mouse drags in the timeline.
typedef enum Grab { GRAB_NOTHING, GRAB_TIME, GRAB_LOOP_FROM, GRAB_LOOP_TO, GRAB_NEW_LOOP } Grab;

// One column of the metrics: a character of a source.
typedef struct MetricColumn {
  int source, character;
  double values[METRIC_ROW_COUNT];
} MetricColumn;

// A request by a button to replace sources. It is executed after the panels are drawn, since they point into the
// sources.
typedef enum PanelRequest { REQUEST_NOTHING, REQUEST_LOAD, REQUEST_ADD, REQUEST_RESET, REQUEST_RECORD } PanelRequest;

// State of the panels between frames.
typedef struct Panels {
  GuiRect screen; // window for which the panels were placed
  float em;
  GuiRect view;   // the area not covered by panels
  bool narrow;    // too small for panels on both sides: they are initially collapsed
  unsigned shown; // bits of the panels that were shown

  SceneList scenes;
  char scenes_problem[ERROR_TEXT_SIZE];
  char open_path[PANELS_PATH_SIZE], record_path[PANELS_PATH_SIZE];
  char saved_path[PANELS_PATH_SIZE];   // the file last saved from here, which may be overwritten
  char replace_path[PANELS_PATH_SIZE]; // file for which the user is asked to confirm overwriting; "": none
  bool focus_path;                     // puts the cursor into the path again
  char parameter_search[PANELS_SEARCH_SIZE], channel_search[PANELS_SEARCH_SIZE];

  PanelRequest request;
  char request_path[PANELS_PATH_SIZE];
  int request_seed; // < 0: the present seed

  Grab grab;
  bool was_playing;          // before the mouse began to drag the time
  double loop_start;         // s, beginning of a new loop
  double plot_from, plot_to; // s, range of the plots while the mouse drags the time in one of them
  bool plot_held;
  char curves_of[PANELS_PATH_SIZE]; // path of the source for which default curves were chosen
  bool own_curves;                  // chosen by the user

  int curve;                // of the scene's curves: the one that is shown; -1: none yet
  int curve_key;            // its key that the mouse drags, -1: none
  CurveCanvas curve_canvas; // its picture, which keeps its scale while a key is dragged

  MetricColumn columns[METRIC_COLUMNS];
  int column_count;
  double metrics_age; // s since they were computed
} Panels;

// Inside a window.
void panel_scene(App *app);      // scene, run, character
void panel_plays(App *app);      // what the animation graph plays, and the skill that leads
void panel_view(App *app);       // camera, layers, colours
void panel_poke(App *app);       // tools and kept pokes; live only
void panel_files(App *app);      // save and record; live only
void panel_curves(App *app);     // live only
void panel_parameters(App *app); // takes the remaining height; live only
void panel_timeline(App *app);
void panel_metrics(App *app);
void panel_reasons(App *app); // part of the metrics' window
void panel_plots(App *app);

// Panels that are windows of their own.
void panel_scenes_offer(App *app); // shown while nothing is open
void panel_help(App *app);
void panel_message(App *app);

// Makes a request. path: NULL for a reset, and to end a recording; seed: for a reset.
void panels_request(App *app, PanelRequest request, const char *path, int seed);

// The mouse drags the time to a moment; the mouse is released.
void panels_take_time(App *app, double time);
void panels_release_time(App *app);

// A widget for a parameter. label: text shown before a number, may be "". True when the user has changed the value;
// text is then the new value in YAML.
bool panels_parameter(const Param *row, const char *label, const void *values, char *text, size_t size);
void panels_parameter_tooltip(const Param *row, const char *more); // for the last widget; more: additional lines at the
                                                                   // end, may be ""

// Shows a message when the last widget has clamped a typed value.
void panels_tell_clamped(App *app, const Param *row, const char *text);

// Sets default curves for the panel of plots that are useful for any run; again for another scene, unless the user has
// chosen curves.
void panels_first_curves(App *app);

// Colours: 0xRRGGBBAA.
uint32_t panels_color(vec4s color);
uint32_t panels_source_color(int index); // of run `index`, light enough for text on the panels
uint32_t panels_mix(uint32_t from, uint32_t to, float share);

// panels_file_name: the name of a file without its folder. panels_contains: whether a text contains a pattern, ignoring
// case; every text contains "".
const char *panels_file_name(const char *path);
bool panels_contains(const char *text, const char *pattern);

// A round step of 1, 2 or 5 times a power of ten, such that at most `most` steps fit into a range.
double panels_round_step(double range, int most);

// Draws all panels of a frame; called between gui_begin_frame and gui_end_frame.
void panels_draw(App *app);
void panels_free(App *app);

// The part of the window (points) that was not covered by panels in the last frame.
GuiRect panels_view(const App *app);

#endif
