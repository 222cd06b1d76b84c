// Draws the sources into the window: side by side, or overlaid with one camera.
#include <math.h>
#include <stdio.h>

#include "viewer/app.h"

enum { VIEW_GAP = 2 }; // pixels between two views

double app_time(const App *app, const Source *source) {
  double end = source->live ? app->playback.last : source_end(source);
  return fmin(app->playback.time, end);
}

float app_pixel_density(const App *app) { return app->scale * gl_window_density(&app->gl); }

static int subject_of(const App *app, const Source *source) {
  int wanted = camera_rig_subject(&app->camera, source->def, app->subject);
  return wanted < source->def->character_count ? wanted : 0;
}

// Adds a source to the picture. When several are overlaid, bodies are tinted by run.
static bool add_source(App *app, int index, bool tinted, Error *error) {
  Source *source = app->sources[index];
  SourceLook look = {.subject = subject_of(app, source), .coloring = app->coloring, .skin = app->skin};
  if (tinted)
    look.tint = picture_source_tint(index);
  return source_picture(source, app_time(app, source), &look, app->picture, error);
}

// Draws the sources of a view: [first, end).
static bool draw_view(App *app, AppView *view, int first, int end, Error *error) {
  Picture *picture = app->picture;
  picture_clear(picture);
  // The first run is added last, so that caption and subject are from it.
  for (int i = end - 1; i >= first; i--)
    if (!add_source(app, i, end - first > 1, error))
      return false;
  float aspect = (float)view->part.width / (float)view->part.height;
  const Source *source = app->sources[first];
  unsigned layers = app->layers | source_layers(source);
  view->camera = camera_rig_camera(&app->camera, source->def, &picture->subject, aspect);
  if (!draw_picture_part(&app->drawer, picture, &view->camera, layers, &app->target, view->part, error))
    return false;
  app->triangles += drawer_triangles(&app->drawer);
  overlay_draw_labels(&app->overlay, picture, &view->camera, layers, &app->target, view->part);
  if (app->view_count > 1) { // the panels name the runs by the same letters
    snprintf(picture->who, sizeof picture->who, "%c", 'A' + first);
    overlay_draw_part(&app->overlay, picture, &view->camera, layers, false, &app->target, view->part);
  }
  return true;
}

// A single image takes the whole window; several are placed side by side in the area not covered by panels.
static void place_views(App *app, GuiRect room) {
  bool overlaid = app->layout == LAYOUT_OVERLAY;
  int count = app->view_count = overlaid && app->source_count > 0 ? 1 : app->source_count;
  app->views[0].part = gl_target_rect(&app->target);
  if (count < 2)
    return;
  float density = app_pixel_density(app);
  int from = (int)(density * room.x), width = (int)(density * room.width);
  for (int i = 0; i < count; i++) {
    int left = from + i * width / count, right = from + (i + 1) * width / count - (i + 1 < count ? VIEW_GAP : 0);
    app->views[i].part = (GlRect){left, 0, right > left ? right - left : 1, app->target.height};
  }
}

bool app_draw(App *app, GuiRect room, Error *error) {
  int width, height;
  gl_window_size(&app->gl, &width, &height);
  const int drawn_width = (int)fmaxf(1, roundf(app->scale * (float)width));
  const int drawn_height = (int)fmaxf(1, roundf(app->scale * (float)height));
  if (!gl_target_fit(&app->target, drawn_width, drawn_height, app->drawer.quality.samples, error))
    return false;
  place_views(app, room);
  app->triangles = 0;
  glBindFramebuffer(GL_FRAMEBUFFER, app->target.framebuffer);
  glClearColor(0.16f, 0.18f, 0.21f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  bool overlaid = app->view_count < app->source_count;
  for (int i = 0; i < app->view_count; i++)
    if (!draw_view(app, &app->views[i], i, overlaid ? app->source_count : i + 1, error))
      return false;
  gl_target_show(&app->target, width, height);
  return true;
}

bool app_ray(const App *app, float x, float y, double origin_w[3], double direction_w[3]) {
  float density = app_pixel_density(app);
  float px = x * density, py = y * density;
  for (int i = 0; i < app->view_count; i++) {
    const GlRect *part = &app->views[i].part;
    if (px < (float)part->x || px >= (float)(part->x + part->width))
      continue;
    vec3s origin, direction;
    camera_ray(&app->views[i].camera, px - (float)part->x, py - (float)part->y, part->width, part->height, &origin,
               &direction);
    for (int k = 0; k < 3; k++) {
      origin_w[k] = (double)origin.raw[k];
      direction_w[k] = (double)direction.raw[k];
    }
    return true;
  }
  return false;
}
