// The viewer's state and actions: sources, clock, camera, interaction. The main loop is in shell.h.
#ifndef STAGGER_VIEWER_APP_H
#define STAGGER_VIEWER_APP_H

#include "viewer/curve_history.h"
#include "viewer/draw/camera_rig.h"
#include "viewer/draw/draw.h"
#include "viewer/draw/overlay.h"
#include "viewer/panels/gui.h"
#include "viewer/panels/plots.h"
#include "viewer/playback.h"
#include "viewer/source/source.h"

enum { APP_MAX_SOURCES = 4, APP_MESSAGE_SIZE = 512 };

typedef enum AppLayout { LAYOUT_SIDE_BY_SIDE, LAYOUT_OVERLAY } AppLayout;

typedef enum PokeTool { TOOL_DRAG, TOOL_SHOOT, TOOL_PUSH, TOOL_BALL, TOOL_COUNT } PokeTool;

static const double APP_LEAST_SCALE = 0.25;

typedef struct AppOptions {
  const char *const *inputs; // one scene, or up to APP_MAX_SOURCES traces; none: the list of scenes is offered
  int input_count;
  const char *const *overrides; // of a scene's parameters, "KEY=VALUE"
  int override_count;
  int width, height;  // of the window, in points
  const char *camera; // name of a camera, NULL: the first
  const char *follow; // name of a character, NULL: the first
  const char *skin;   // a rig whose meshes are drawn on bodies, NULL: none
  unsigned layers;    // 0: DEFAULT_LAYERS
  PictureColoring coloring;
  AppLayout layout;
  const char *trace; // records a live run into this file; NULL: no recording
  bool paused;
  double scale; // drawn pixels for each pixel of the window, APP_LEAST_SCALE to 1; 0: 1
} AppOptions;

// A part of the window that shows one image: of one source, or of all of them overlaid.
typedef struct AppView {
  GlRect part;   // pixels
  Camera camera; // of the last drawn image
} AppView;

typedef struct AppFilm AppFilm; // in app_film.c

#define APP_TITLE "Stagger"

typedef struct App {
  GlContext gl;
  Drawer drawer;
  Overlay overlay;
  GlTarget target; // of the window's size times `scale`
  float scale;
  Picture *picture; // of the last drawn view
  Skin *skin;       // NULL: none
  Gui *gui;
  CurveHistory curve_history;
  struct Panels *panels; // state of the panels; NULL: none yet

  Source *sources[APP_MAX_SOURCES]; // if there are several, all are traces
  int source_count;
  Playback playback;
  double step_budget; // s of wall-clock time per frame for physics; steps beyond it are dropped

  // What is shown.
  unsigned layers;
  PictureColoring coloring;
  AppLayout layout;
  int subject; // index of the character that is followed and steered
  CameraRig camera;
  AppView views[APP_MAX_SOURCES];
  int view_count;
  Plots plots;
  bool show_panels, show_help, show_metrics, show_plots;

  // Interaction.
  PokeTool tool;
  bool keep_pokes;                   // bullets and pushes become events of the scene when it is saved
  bool keys_down[SDL_NUM_SCANCODES]; // from events, except for those that went to a text field
  float cursor_x, cursor_y;          // points, from events
  bool dragging, orbiting, panning;
  bool dropping;             // files of one drop are arriving
  int dropped_traces;        // of that drop, which are shown together
  double drag_depth;         // m, distance of the dragged point from the eye
  bool strafing, stick_used; // by keys, by the gamepad: releasing them means stop
  SDL_GameController *gamepad;

  bool was_down[SCENE_MAX_CHARACTERS]; // whether they had fallen
  int idle_frames;                     // number of frames since the last event
  bool quit;
  double frame_time;              // s, smoothed wall-clock time of a frame
  double realtime_share;          // share of the wanted pace that the simulation reaches, 1: all
  long triangles;                 // drawn in the last frame
  char message[APP_MESSAGE_SIZE]; // shown for a while
  double message_left;            // s until it disappears
  char screenshot[512];           // file for the image of this frame; "": none
  AppFilm *film;                  // that is being made of the window; NULL: none
  char save_path[512];            // file to which the panel saves the scene
} App;

// Opens window and inputs. NULL and an error.
App *app_create(const AppOptions *options, Error *error);

// See shell_close; the panels' memory must have been freed before.
bool app_destroy(App *app);

// Advances by `elapsed` s: the clock advances, and a running scene makes the steps that are due.
void app_advance(App *app, double elapsed);

// Actions of panels and keys. Errors are shown as messages.
bool app_load(App *app, const char *path); // replaces all sources
bool app_add(App *app, const char *path);  // one more trace

// The same without messages. assignments: of a scene's parameters, "KEY=VALUE". On error what is open stays.
bool app_open(App *app, const char *path, const char *const *assignments, int count, Error *error);
bool app_open_also(App *app, const char *path, Error *error);

void app_reset(App *app, int seed);     // live: restarts; seed < 0: the same seed. Traces: back to the beginning
void app_step(App *app, int direction); // one physics step, or one frame of a trace; pauses
void app_follow(App *app, int subject);
bool app_camera(App *app, const char *name); // see camera_rig_from_name
void app_save(App *app, const char *path);

// Sets a curve of the live scene (see edits_curve), as a step that app_undo takes back. app_undo also redoes the last
// step that it took back; it reports what it did, or that there is nothing to do.
void app_set_curve(App *app, int index, const Curve *curve);
void app_undo(App *app, bool redo);

void app_record(App *app, const char *path);
void app_message(App *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Updates the app after changes in the sources: new frames, hits by the user.
void app_refresh(App *app);

// Whether the next frame would be the same as the last one unless the user acts.
bool app_is_idle(const App *app);

// The live run, or NULL.
Live *app_live(const App *app);

// Requests a PNG of the window at the end of this frame. NULL: a new file stagger-N.png.
void app_screenshot(App *app, const char *path);

// Writes it; to be called when the window's image is complete and before it is shown.
void app_take_screenshot(App *app);

// Begins a film of the window, stagger-N.mp4, or ends it: the picture without panels and messages, 30 frames a second.
// Without ffmpeg a message says so. It ends as well when the window's size changes, and at the end of the viewer.
void app_film(App *app);

// Adds what is drawn to the film, if one is being made; to be called before the panels are drawn.
void app_film_frame(App *app, double elapsed);

// Ends the film, if there is one. False when it could not be written.
bool app_film_end(App *app);

// An unused name in the working folder, stagger-N with that ending ("png").
const char *app_free_name(const char *ending, char path[64]);

// Recreates all OpenGL objects in a new context after the old one was lost. False: no context can be created.
bool app_restore(App *app, Error *error);

// viewer/app_view.c: draws the sources into the window, below the panels. room: area not covered by panels (points).
bool app_draw(App *app, GuiRect room, Error *error);

// The time of a source for the clock's time, s: shorter sources stay at their end.
double app_time(const App *app, const Source *source);

// Pixels of the drawn picture for each point of the window, in which the mouse and the panels count.
float app_pixel_density(const App *app);

// The ray from the eye through a point of the window (points, not pixels). False when there is no view at that point.
bool app_ray(const App *app, float x, float y, double origin_w[3], double direction_w[3]);

#endif
