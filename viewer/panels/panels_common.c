// What several panels use: colours, texts, requests to the viewer, and the hold of the mouse on the time.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/panels/panels.h"

uint32_t panels_color(vec4s color) {
  const float parts[4] = {color.x, color.y, color.z, color.w};
  uint32_t packed = 0;
  for (int i = 0; i < 4; i++)
    packed = packed << 8 | (uint32_t)lroundf(fminf(fmaxf(parts[i], 0), 1) * 255);
  return packed;
}

uint32_t panels_mix(uint32_t from, uint32_t to, float share) {
  vec4s mixed = glms_vec4_lerp(picture_hex_color(from), picture_hex_color(to), share);
  return panels_color(mixed);
}

uint32_t panels_source_color(int index) {
  vec4s tint = picture_source_tint(index);
  bool tinted = tint.w > 0;
  tint.w = 1;
  return tinted ? panels_mix(panels_color(tint), 0xFFFFFFFFu, 0.35f) : GUI_INK;
}

const char *panels_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool panels_contains(const char *text, const char *pattern) {
  size_t length = strlen(pattern);
  for (; length > 0 && *text != '\0'; text++) {
    size_t same = 0;
    while (same < length && tolower((unsigned char)text[same]) == tolower((unsigned char)pattern[same]))
      same++;
    if (same == length)
      return true;
  }
  return length == 0;
}

double panels_round_step(double range, int most) {
  if (!(range > 0) || !isfinite(range) || most < 1)
    return 1;
  double raw = range / most, power = pow(10, floor(log10(raw)));
  return raw <= power ? power : raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
}

void panels_request(App *app, PanelRequest request, const char *path, int seed) {
  Panels *panels = app->panels;
  panels->request = request;
  panels->request_seed = seed;
  snprintf(panels->request_path, sizeof panels->request_path, "%s", path ? path : "");
}

// A live run is paused, since it would move away from the moment under the mouse; a trace continues to play afterwards.
void panels_take_time(App *app, double time) {
  Panels *panels = app->panels;
  if (panels->grab == GRAB_NOTHING)
    panels->was_playing = app->playback.playing && !app->playback.live;
  panels->grab = GRAB_TIME;
  app->playback.playing = false;
  playback_seek(&app->playback, time);
}

void panels_release_time(App *app) {
  Panels *panels = app->panels;
  if (panels->grab == GRAB_TIME && panels->was_playing)
    app->playback.playing = true;
  panels->grab = GRAB_NOTHING;
}
