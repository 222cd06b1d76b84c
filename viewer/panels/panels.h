// The panels' own business: each subject in its file, drawn by panels_draw.
#ifndef STAGGER_VIEWER_PANELS_PANELS_H
#define STAGGER_VIEWER_PANELS_PANELS_H

#include "scenes/description/scene_list.h"
#include "viewer/app.h"

enum { PANELS_PATH_SIZE = 512, PANELS_SEARCH_SIZE = 64, METRIC_COLUMNS = 4, METRIC_MOST_ROWS = 128 };

// What the mouse holds in the timeline.
typedef enum Grab { GRAB_NOTHING, GRAB_TIME, GRAB_LOOP_FROM, GRAB_LOOP_TO, GRAB_NEW_LOOP } Grab;

// One column of the metrics: a character of a source.
typedef struct MetricColumn {
  int source, character;
  double values[METRIC_MOST_ROWS];
} MetricColumn;

// What a button has asked for that replaces sources: done after the panels are drawn, for they point into the sources.
typedef enum PanelRequest { WISH_NOTHING, WISH_LOAD, WISH_ADD, WISH_RESET, WISH_RECORD } PanelRequest;

// What the panels remember from frame to frame.
typedef struct Panels {
  GuiRect screen; // what the panels were placed for
  float em;
  GuiRect view;   // what they leave free
  bool narrow;    // too small for panels on both sides: they begin closed
  unsigned shown; // bits of the panels that were there

  SceneList scenes;
  char scenes_problem[ERROR_TEXT_SIZE];
  char open_path[PANELS_PATH_SIZE], record_path[PANELS_PATH_SIZE];
  char saved_path[PANELS_PATH_SIZE];   // what was last saved from here: that may be written again
  char replace_path[PANELS_PATH_SIZE]; // "": nothing that has to be agreed to
  bool focus_path;                     // the path gets the cursor again
  char parameter_search[PANELS_SEARCH_SIZE], channel_search[PANELS_SEARCH_SIZE];

  PanelRequest wish;
  char wish_path[PANELS_PATH_SIZE];
  int wish_seed; // < 0: as it is

  Grab grab;
  bool was_playing;          // before the mouse took hold of the time
  double loop_start;         // s, where a new loop begins
  double plot_from, plot_to; // s, of the plots while the mouse holds the time in one of them
  bool plot_held;
  char curves_of[PANELS_PATH_SIZE]; // path of the source for which curves were chosen
  bool own_curves;                  // by the user

  MetricColumn columns[METRIC_COLUMNS];
  int column_count;
  double metrics_age; // s since they were computed
} Panels;

// Inside of a window.
void panel_scene(App *app);      // what runs and how: scene, run, character
void panel_plays(App *app);      // what the animation's graph plays
void panel_view(App *app);       // camera, layers, colours
void panel_poke(App *app);       // tools and what they have left; live only
void panel_files(App *app);      // save and record; live only
void panel_parameters(App *app); // all the room that is left; live only
void panel_timeline(App *app);
void panel_metrics(App *app);
void panel_plots(App *app);

// Windows of their own.
void panel_scenes_offer(App *app); // while nothing is open
void panel_help(App *app);
void panel_message(App *app);

// Asks for one of the wishes. path: NULL for a reset, and to end a recording; seed: for a reset.
void panels_wish(App *app, PanelRequest wish, const char *path, int seed);

// The mouse holds the time and points at that moment; it lets go.
void panels_take_time(App *app, double time);
void panels_release_time(App *app);

// A widget for a parameter. label: what stands in it before a number, may be "". True when the user has changed it:
// text is then its new value in YAML.
bool panels_parameter(const Param *row, const char *label, const void *values, char *text, size_t size);
void panels_parameter_tooltip(const Param *row, const char *more); // of the last widget; more: last lines, may be ""

// Says so when the last widget has clamped what was typed into it.
void panels_tell_clamped(App *app, const Param *row, const char *text);

// The panel of plots begins with curves that say something of any run; again with another scene until the user chooses.
void panels_first_curves(App *app);

// Colours: 0xRRGGBBAA.
uint32_t panels_color(vec4s color);
uint32_t panels_source_color(int index); // of the index-th run, light enough for text on the panels
uint32_t panels_mix(uint32_t from, uint32_t to, float share);

// The name of a file without its folder, and whether a text contains a pattern, whatever the case; "" is in all.
const char *panels_file_name(const char *path);
bool panels_contains(const char *text, const char *pattern);

// A round step of 1, 2 or 5 times a power of ten, of which at most `most` fit into a range.
double panels_round_step(double range, int most);

// All panels of a frame, called between gui_begin_frame and gui_end_frame.
void panels_draw(App *app);
void panels_free(App *app);

// The part of the window (points) that no panel covers, as of the last frame.
GuiRect panels_view(const App *app);

#endif
