// The panels of how it is looked at: camera, layers, colours.
#include <math.h>
#include <stdio.h>

#include "viewer/panels.h"

// Cameras that every scene has, by the names of camera_rig_from_name.
static const struct {
  const char *name, *label, *what;
} CAMERAS[] = {{"side", "Side", "From the right and a little from the front, goes along"},
               {"front", "Front", "From the front, goes along"},
               {"back", "Back", "From behind, goes along"},
               {"top", "Top", "From above, goes along"},
               {"chase", "Chase", "From behind and above, goes along"},
               {"orbit", "Orbit", "Stands still; the mouse turns it about a point of the world"},
               {"first_person", "First person", "Out of the character's eyes (V)"}};

static void choose_camera(App *app) {
  const SceneDef *def = app->sources[0]->def;
  gui_next_width(-5.5f * gui_em());
  if (gui_combo_begin("camera", camera_rig_name(&app->camera, def))) {
    for (size_t i = 0; i < sizeof CAMERAS / sizeof CAMERAS[0]; i++) {
      if (gui_selectable(CAMERAS[i].label, false))
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
  gui_tooltip("C takes the next one. Drag with the mouse to turn, wheel to zoom.");
  double degrees = (double)app->camera.fov_y * 180 / M_PI;
  gui_next_width(-5.5f * gui_em());
  gui_disabled_begin(app->camera.mode == RIG_NAMED);
  if (gui_slider("fov", &degrees, 10, 110, "%.0f deg", false))
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
};

static void choose_layers(App *app) {
  static const float WIDTHS[3] = {0, 0, 0};
  if (!gui_table_begin("layers", 3, WIDTHS, false))
    return;
  for (int layer = 0; layer < LAYER_COUNT; layer++) {
    unsigned bit = 1u << layer;
    bool shown = (app->layers & bit) != 0;
    gui_cell();
    if (gui_checkbox(picture_layer_name((PictureLayer)layer), &shown))
      app->layers ^= bit;
    if (LAYER_TEXTS[layer] != NULL)
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

// A strip of the colours from 0 to 1.
static void show_heat(PictureColoring coloring) {
  enum { STRIPES = 32 };
  GuiArea area = gui_area("heat", 0, 0.4f * gui_em());
  float width = area.rect.width / STRIPES;
  for (int i = 0; i < STRIPES; i++) {
    GuiRect stripe = {area.rect.x + width * (float)i, area.rect.y, width + 0.5f, area.rect.height};
    gui_draw_rect(stripe, panels_color(picture_heat_color(coloring, (float)i / (STRIPES - 1))) | 0xFF, 0);
  }
  if (COLORING_TEXTS[coloring] != NULL)
    gui_tooltip(COLORING_TEXTS[coloring]);
}

static void choose_coloring(App *app) {
  gui_next_width(-5.5f * gui_em());
  if (gui_combo_begin("colour", picture_coloring_name(app->coloring))) {
    for (int i = 0; i < COLORING_COUNT; i++) {
      if (gui_selectable(picture_coloring_name((PictureColoring)i), i == (int)app->coloring))
        app->coloring = (PictureColoring)i;
      if (COLORING_TEXTS[i] != NULL)
        gui_tooltip(COLORING_TEXTS[i]);
    }
    gui_combo_end();
  }
  gui_tooltip("What the colour of the shown body tells (T)");
  if (app->coloring != COLORING_NONE)
    show_heat(app->coloring);
}

void panel_view(App *app) {
  if (!gui_header("View", true))
    return;
  choose_camera(app);
  choose_coloring(app);
  choose_layers(app);
}
