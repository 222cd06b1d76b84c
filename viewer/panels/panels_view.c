// The panels of the view: camera, layers, colours.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/panels/panels.h"

// Cameras available in every scene, by the names of camera_rig_from_name.
static const struct {
  const char *name, *label, *what;
} CAMERAS[] = {{"side", "Side", "From the right and a little from the front, goes along"},
               {"front", "Front", "From the front, goes along"},
               {"back", "Back", "From behind, goes along"},
               {"top", "Top", "From above, goes along"},
               {"chase", "Chase", "From behind and above, goes along"},
               {"orbit", "Orbit", "Stands still; the mouse turns it about a point of the world"},
               {"first_person", "First person", "Out of the character's eyes (V)"}};

// The present camera's name in the list.
static const char *camera_label(const App *app, const SceneDef *def) {
  const char *name = camera_rig_name(&app->camera, def);
  if (app->camera.mode != RIG_NAMED)
    for (size_t i = 0; i < sizeof CAMERAS / sizeof CAMERAS[0]; i++)
      if (strcmp(CAMERAS[i].name, name) == 0)
        return CAMERAS[i].label;
  return app->camera.mode == RIG_NAMED ? name : "Turned, goes along";
}

static void choose_camera(App *app) {
  const SceneDef *def = app->sources[0]->def;
  const char *now = camera_label(app, def);
  gui_next_width(0.55f * gui_room());
  if (gui_combo_begin("##camera", now)) {
    for (size_t i = 0; i < sizeof CAMERAS / sizeof CAMERAS[0]; i++) {
      if (gui_selectable(CAMERAS[i].label, app->camera.mode != RIG_NAMED && strcmp(CAMERAS[i].label, now) == 0))
        app_camera(app, CAMERAS[i].name);
      gui_tooltip(CAMERAS[i].what);
    }
    if (def->camera_count > 0)
      gui_separator();
    for (int i = 0; i < def->camera_count; i++) {
      gui_push_id(i);
      if (gui_selectable(def->cameras[i].name, app->camera.mode == RIG_NAMED && app->camera.named == i))
        app_camera(app, def->cameras[i].name);
      gui_tooltip("A camera of the scene");
      gui_pop_id();
    }
    gui_combo_end();
  }
  gui_tooltip("Camera: C takes the next one. Drag with the mouse to turn, wheel to zoom.");
  gui_same_line();
  double degrees = (double)app->camera.fov_y * 180 / M_PI;
  gui_next_width(-0.001f);
  gui_disabled_begin(app->camera.mode == RIG_NAMED);
  if (gui_slider("##fov", &degrees, 10, 110, "fov %.0f deg", GUI_LINEAR, 0))
    app->camera.fov_y = (float)(degrees * M_PI / 180);
  gui_tooltip("Vertical field of view");
  gui_disabled_end();
}

static const char *const LAYER_TEXTS[LAYER_COUNT] = {
    [LAYER_OUTPUT] = "The pose that is shown: physics where it acts, animation elsewhere",
    [LAYER_TARGET] = "Ghost of the animation's pose, which the drives aim at",
    [LAYER_MEASURED] = "Ghost of the bodies of the physics",
    [LAYER_DEBUG + DEBUG_HITS] = "Impulses of bullets, pushes and balls",
    [LAYER_DEBUG + DEBUG_ASSIST] = "The hidden hand's force",
    [LAYER_DEBUG + DEBUG_SKELETON] = "Joints and bones of the shown pose",
    [LAYER_DEBUG + DEBUG_BALANCE] = "Centre of mass, where it is headed, base of support, margin",
    [LAYER_DEBUG + DEBUG_CONTACTS] = "Contact points and forces",
    [LAYER_DEBUG + DEBUG_FEET] = "Rays of foot placement, their hits and refusals",
    [LAYER_DEBUG + DEBUG_IK] = "Targets and hints of arms and legs",
    [LAYER_DEBUG + DEBUG_LOOK] = "Goal of the gaze",
    [LAYER_DEBUG + DEBUG_PATH] = "Where it means to go",
    [LAYER_DEBUG + DEBUG_POKE] = "The mouse's spring and its force",
    [LAYER_LABELS] = "Numbers and names in the picture",
    [LAYER_SKIN] = "The mesh of --skin in place of the body's shapes (M)",
    [LAYER_WHO] = "Names over the heads of several characters (H); without labels they are hidden, too",
};

// Layers that a trace does not contain: states of controllers and the user's actions.
static const unsigned LIVE_LAYERS = 1u << (LAYER_DEBUG + DEBUG_FEET) | 1u << (LAYER_DEBUG + DEBUG_IK) |
                                    1u << (LAYER_DEBUG + DEBUG_LOOK) | 1u << (LAYER_DEBUG + DEBUG_PATH) |
                                    1u << (LAYER_DEBUG + DEBUG_POKE);

static void choose_layers(App *app) {
  static const float WIDTHS[3] = {0, 0, 0};
  if (!gui_table_begin("layers", 3, WIDTHS, false))
    return;
  for (int layer = 0; layer < LAYER_COUNT; layer++) {
    unsigned bit = 1u << layer;
    bool shown = (app->layers & bit) != 0;
    bool missing = !app_live(app) && (bit & LIVE_LAYERS) != 0;
    gui_cell();
    gui_disabled_begin(missing);
    if (gui_checkbox(picture_layer_name((PictureLayer)layer), &shown))
      app->layers ^= bit;
    gui_disabled_end();
    if (missing)
      gui_tooltip("Live only: a trace does not hold it");
    else if (LAYER_TEXTS[layer])
      gui_tooltip(LAYER_TEXTS[layer]);
  }
  gui_table_end();
}

static const char *const COLORING_TEXTS[COLORING_COUNT] = {
    [COLORING_BLEND] = "How much of the shown pose is physics: 0 animation, 1 all physics",
    [COLORING_TORQUE] = "Torque of each joint's drive as a share of its limit",
    [COLORING_STRENGTH] = "Strength that hits have taken from each joint",
    [COLORING_ERROR] = "Angle between each joint and its target, full colour at 20 degrees",
    [COLORING_NONE] = "The body's own colours",
};

static const char *const HEAT_ENDS[COLORING_COUNT][2] = {
    [COLORING_BLEND] = {"clip", "physics"},
    [COLORING_TORQUE] = {"0", "limit"},
    [COLORING_STRENGTH] = {"0", "all lost"},
    [COLORING_ERROR] = {"0", "20 deg"},
};

// Draws a strip of the colours from 0 to 1, and their meaning.
static void show_heat(PictureColoring coloring) {
  enum { STRIPES = 32 };
  float em = gui_em();
  GuiArea area = gui_area("heat", 0, 1.45f * em);
  float width = area.rect.width / STRIPES;
  for (int i = 0; i < STRIPES; i++) {
    GuiRect stripe = {area.rect.x + width * (float)i, area.rect.y + 1.1f * em, width + 0.5f, 0.35f * em};
    gui_draw_rect(stripe, panels_color(picture_heat_color(coloring, (float)i / (STRIPES - 1))) | 0xFF, 0);
  }
  const char *const *ends = HEAT_ENDS[coloring];
  if (ends[0] && ends[1]) {
    gui_draw_text(area.rect.x, area.rect.y, GUI_DIM, ends[0]);
    gui_draw_text(area.rect.x + area.rect.width - gui_text_width(ends[1]), area.rect.y, GUI_DIM, ends[1]);
  }
  if (COLORING_TEXTS[coloring])
    gui_tooltip(COLORING_TEXTS[coloring]);
}

static void choose_coloring(App *app) {
  gui_next_width(0.55f * gui_room());
  char now[64];
  snprintf(now, sizeof now, "colour: %s", picture_coloring_name(app->coloring));
  if (gui_combo_begin("##colour", now)) {
    for (int i = 0; i < COLORING_COUNT; i++) {
      if (gui_selectable(picture_coloring_name((PictureColoring)i), i == (int)app->coloring))
        app->coloring = (PictureColoring)i;
      if (COLORING_TEXTS[i])
        gui_tooltip(COLORING_TEXTS[i]);
    }
    gui_combo_end();
  }
  gui_tooltip("What the colour of the shown body tells (T)");
  if (app->coloring == COLORING_NONE)
    return;
  gui_same_line();
  show_heat(app->coloring);
}

void panel_view(App *app) {
  if (!gui_header("View", true))
    return;
  choose_camera(app);
  choose_coloring(app);
  gui_dense_begin();
  choose_layers(app);
  gui_dense_end();
}
