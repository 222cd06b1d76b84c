// What the viewer shows and does: sources, clock, camera, and the user's hand in them. The loop around it is shell.h's.
#ifndef STAGGER_VIEWER_APP_H
#define STAGGER_VIEWER_APP_H

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

typedef struct AppOptions {
  const char *const *inputs; // one scene, or up to APP_MAX_SOURCES traces; none: the list of scenes is offered
  int input_count;
  const char *const *overrides; // of a scene's parameters, "KEY=VALUE"
  int override_count;
  int width, height;  // of the window, in points
  const char *camera; // name of a camera, NULL: the first
  const char *follow; // name of a character, NULL: the first
  unsigned layers;    // 0: DEFAULT_LAYERS
  PictureColoring coloring;
  AppLayout layout;
  const char *trace; // records a live run into this file; NULL: not
  bool paused;
} AppOptions;

// A part of the window that shows one picture: of one source, or of all of them over each other.
typedef struct AppView {
  GlRect part;   // pixels
  Camera camera; // of the picture drawn last
} AppView;

typedef struct App {
  GlContext gl;
  Drawer drawer;
  Overlay overlay;
  GlTarget target;  // of the window's size
  Picture *picture; // of the view drawn last
  Gui *gui;
  struct Panels *panels; // what the panels remember; NULL: nothing yet

  Source *sources[APP_MAX_SOURCES]; // several: all of them traces
  int source_count;
  Playback playback;
  double step_budget; // s of wall-clock time that a frame may spend on physics; what is late then is dropped

  // What is shown.
  unsigned layers;
  PictureColoring coloring;
  AppLayout layout;
  int subject; // index of the character that is followed and driven
  CameraRig camera;
  AppView views[APP_MAX_SOURCES];
  int view_count;
  Plots plots;
  bool show_panels, show_help, show_metrics, show_plots;

  // The user's hand.
  PokeTool tool;
  bool keep_pokes;                   // bullets and pushes become events of the scene when it is saved
  bool keys_down[SDL_NUM_SCANCODES]; // by the events, without those that went into a text field
  float cursor_x, cursor_y;          // points, by the events
  bool dragging, orbiting, panning;
  double drag_depth;         // m, of the dragged point before the eye
  bool strafing, stick_used; // by keys, by the gamepad: letting go means to stop
  SDL_GameController *gamepad;

  bool was_down[SCENE_MAX_CHARACTERS]; // who had fallen
  int idle_frames;                     // since the last event
  bool quit;
  double frame_time;              // s, smoothed wall-clock time of a frame
  double realtime_share;          // of the wanted pace that the simulation reaches, 1: all
  long triangles;                 // drawn in the last frame
  char message[APP_MESSAGE_SIZE]; // shown for a while
  double message_left;            // s
  char screenshot[512];           // where the picture of this frame goes; "": nowhere
  char save_path[512];            // where the panel saves the scene to
} App;

// Opens window and inputs. NULL and an error.
App *app_create(const AppOptions *options, Error *error);

// See shell_close. The panels' own memory is freed before.
bool app_destroy(App *app);

// Lets time (s) pass: the clock moves on, and a scene that runs does the steps that are due.
void app_advance(App *app, double elapsed);

// What panels and keys do. Errors are shown as messages.
bool app_load(App *app, const char *path); // instead of all sources
bool app_add(App *app, const char *path);  // one more trace
void app_reset(App *app, int seed);        // live: starts again; seed < 0: the same. Traces: back to the beginning
void app_step(App *app, int direction);    // one physics step, or one frame of a trace; pauses
void app_follow(App *app, int subject);
bool app_camera(App *app, const char *name); // see camera_rig_from_name
void app_save(App *app, const char *path);
void app_record(App *app, const char *path);
void app_message(App *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Takes notice of what has changed in the sources: new frames, hits that were poked.
void app_refresh(App *app);

// Whether the next frame would be like the last one, as far as nobody touches anything.
bool app_is_idle(const App *app);

// The live run, or NULL.
Live *app_live(const App *app);

// A PNG of the window as it is at the end of this frame. NULL: into a new file stagger-N.png.
void app_screenshot(App *app, const char *path);

// Writes it, once the window's picture is whole and before it is shown, for then its pixels are gone.
void app_take_screenshot(App *app);

// Makes all OpenGL objects anew in a new context, after the old one was lost. False: there is none to be had.
bool app_restore(App *app, Error *error);

// viewer/app_view.c: draws the sources into the window, below the panels. room: what these leave free (points).
bool app_draw(App *app, GuiRect room, Error *error);

// The moment of a source that the clock shows, s: shorter ones stay at their end.
double app_time(const App *app, const Source *source);

// The ray from the eye through a point of the window (points, not pixels). False when no view is there.
bool app_ray(const App *app, float x, float y, double origin_w[3], double direction_w[3]);

#endif
