// The bar at the bottom: the shown moment, the hits, the loop.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/panels/panels.h"

typedef enum Icon { ICON_PLAY, ICON_PAUSE, ICON_STEP, ICON_STEP_BACK, ICON_START, ICON_END, ICON_LOOP } Icon;

// A triangle that points to the right (direction 1) or to the left (-1).
static void draw_arrow(float x, float y, float size, float direction, uint32_t color) {
  // ImGui requires corners in clockwise order.
  float back = x - direction * size * 0.6f, tip = x + direction * size * 0.75f, turn = direction * size;
  gui_draw_triangle(back, y - turn, tip, y, back, y + turn, color);
}

static void draw_icon(Icon icon, float x, float y, float size, uint32_t color) {
  float bar = size * 0.34f;
  switch (icon) {
  case ICON_PLAY:
    draw_arrow(x, y, size, 1, color);
    break;
  case ICON_PAUSE:
    gui_draw_rect((GuiRect){x - size * 0.7f, y - size, bar * 1.4f, 2 * size}, color, 1);
    gui_draw_rect((GuiRect){x + size * 0.7f - bar * 1.4f, y - size, bar * 1.4f, 2 * size}, color, 1);
    break;
  case ICON_STEP:
  case ICON_STEP_BACK: {
    float direction = icon == ICON_STEP ? 1 : -1;
    draw_arrow(x + direction * size * 0.3f, y, size * 0.8f, direction, color);
    gui_draw_rect((GuiRect){x - direction * size * 0.75f - bar / 2, y - size * 0.8f, bar, 1.6f * size}, color, 1);
    break;
  }
  case ICON_START:
  case ICON_END: {
    float direction = icon == ICON_END ? 1 : -1;
    draw_arrow(x - direction * size * 0.3f, y, size * 0.8f, direction, color);
    gui_draw_rect((GuiRect){x + direction * size * 0.75f - bar / 2, y - size * 0.8f, bar, 1.6f * size}, color, 1);
    break;
  }
  case ICON_LOOP: {
    enum { STEPS = 20 };
    float points[2 * (STEPS + 1)];
    for (int i = 0; i <= STEPS; i++) {
      float angle = 0.9f + 5.0f * (float)i / STEPS;
      points[2 * i] = x + size * 0.85f * cosf(angle);
      points[2 * i + 1] = y + size * 0.85f * sinf(angle);
    }
    gui_draw_curve(points, STEPS + 1, color, size * 0.28f);
    gui_draw_triangle(points[2 * STEPS] - size * 0.1f, points[2 * STEPS + 1] + size * 0.62f,
                      points[2 * STEPS] - size * 0.55f, points[2 * STEPS + 1] - size * 0.25f,
                      points[2 * STEPS] + size * 0.5f, points[2 * STEPS + 1] - size * 0.15f, color);
    break;
  }
  }
}

static bool icon_button(const char *id, Icon icon, bool on, const char *tooltip) {
  float em = gui_em();
  GuiArea area = gui_area(id, 2.1f * em, 1.7f * em);
  uint32_t back = area.held ? 0x3A7CC0FFu : area.hovered ? 0x466078F0u : on ? 0x2F6FB0F0u : 0x34424FD0u;
  gui_draw_rect(area.rect, back, 4);
  draw_icon(icon, area.rect.x + area.rect.width / 2, area.rect.y + area.rect.height / 2, 0.42f * em, GUI_INK);
  gui_tooltip(tooltip);
  gui_same_line();
  return area.released;
}

// ---- Buttons, time and pace on the left, status on the right ----

static void pace_text(double pace, char *text, size_t size) {
  if (pace < 1)
    snprintf(text, size, "x1/%.0f", 1 / pace);
  else
    snprintf(text, size, "x%.3g", pace);
}

static void draw_recording(const App *app) {
  const Live *live = app_live(app);
  if (!live || !live->trace)
    return;
  float em = gui_em();
  GuiArea dot = gui_area("recording", 1.2f * em, 1.7f * em);
  gui_draw_circle(dot.rect.x + 0.6f * em, dot.rect.y + 0.85f * em, 0.4f * em, GUI_RED);
  gui_same_line();
  gui_text_color(GUI_RED, "REC %s", panels_file_name(live->trace_path));
  gui_tooltip(live->trace_path);
  gui_same_line();
}

static void choose_pace(Playback *playback) {
  static const double PACES[] = {1.0 / 16, 1.0 / 8, 0.25, 0.5, 1, 2, 4};
  char pace[16];
  pace_text(playback->pace, pace, sizeof pace);
  if (gui_button("-", 1.7f * gui_em()))
    playback_slower(playback);
  gui_tooltip("Slower (-)");
  gui_same_line();
  gui_next_width(5 * gui_em());
  if (gui_combo_begin("##pace", pace)) {
    for (size_t i = 0; i < sizeof PACES / sizeof PACES[0]; i++) {
      pace_text(PACES[i], pace, sizeof pace);
      if (gui_selectable(pace, playback->pace == PACES[i]))
        playback->pace = PACES[i];
    }
    gui_combo_end();
  }
  gui_tooltip("Simulated time per wall-clock time");
  gui_same_line();
  if (gui_button("+", 1.7f * gui_em()))
    playback_faster(playback);
  gui_tooltip("Faster (=)");
  gui_same_line();
}

static void draw_status(const App *app) {
  char text[160], pace[16];
  double fps = app->frame_time > 0 ? 1 / app->frame_time : 0;
  int length = 0;
  if (app_live(app) && app->playback.playing)
    length = snprintf(text, sizeof text, "%.2fx real time   ", app->realtime_share * app->playback.pace);
  bool millions = app->triangles >= 1000000;
  snprintf(text + length, sizeof text - (size_t)length, "%.0f fps   %.*f%s triangles", fps, millions ? 1 : 0,
           (double)app->triangles / (millions ? 1e6 : 1e3), millions ? "M" : "k");
  pace_text(app->playback.pace, pace, sizeof pace);
  float room = gui_room();
  if (room < gui_text_width(text)) {
    gui_text("%s", ""); // ends the line
    return;
  }
  // The run is slower than wanted, since the machine is too slow.
  bool late = app_live(app) && app->playback.playing && app->realtime_share < 0.95;
  gui_skip(room - gui_text_width(text) - 1.4f * gui_em());
  if (late)
    gui_text_color(GUI_WARM, "%s", text);
  else
    gui_text_dim("%s", text);
  char tooltip[160];
  snprintf(tooltip, sizeof tooltip, "Pictures per second, and what they are made of.%s%s%s",
           late ? "\nThe simulation is slower than the wanted pace of " : "", late ? pace : "", late ? "." : "");
  gui_tooltip(tooltip);
}

static void draw_controls(App *app) {
  Playback *playback = &app->playback;
  if (icon_button("start", ICON_START, false, "To the first moment (Home)"))
    panels_take_time(app, playback->first), panels_release_time(app);
  if (icon_button("back", ICON_STEP_BACK, false, "One step back (Left; with Shift ten)"))
    app_step(app, -1);
  if (icon_button("play", playback->playing ? ICON_PAUSE : ICON_PLAY, playback->playing,
                  playback->playing ? "Pause (Space)" : "Play (Space)"))
    playback_toggle(playback);
  if (icon_button("forward", ICON_STEP, false, "One step (Right; with Shift ten)"))
    app_step(app, 1);
  if (icon_button("end", ICON_END, false, playback->live ? "To the present (End)" : "To the last moment (End)"))
    playback_seek(playback, playback->last);
  if (!playback->live && icon_button("loop", ICON_LOOP, playback->looping,
                                     "Goes round in a loop; drag its ends, or drag with Shift to mark another"))
    playback_loop(playback, playback->first, playback->looping ? playback->first : playback->last);
  gui_skip(0.3f * gui_em());
  gui_text_align();
  gui_text("%.3f s", playback->time);
  gui_same_line();
  if (playback->live && playback->time < playback->last)
    gui_text_color(GUI_WARM, "of %.3f s: the past", playback->last);
  else if (playback->live)
    gui_text_dim("live");
  else
    gui_text_dim("of %.3f s", playback->last);
  gui_skip(0.3f * gui_em());
  choose_pace(playback);
  draw_recording(app);
  draw_status(app);
}

// ---- The bar ----

typedef struct Bar {
  GuiRect rect;
  double first, last; // s, at its ends
} Bar;

static float bar_x(const Bar *bar, double time) {
  double range = bar->last - bar->first;
  double share = range > 0 ? (time - bar->first) / range : 1;
  return bar->rect.x + bar->rect.width * (float)fmin(fmax(share, 0), 1);
}

static double bar_time(const Bar *bar, float x) {
  double share = fmin(fmax((double)((x - bar->rect.x) / bar->rect.width), 0), 1);
  return bar->first + (bar->last - bar->first) * share;
}

static void draw_ticks(const Bar *bar) {
  double range = bar->last - bar->first;
  float em = gui_em();
  double step = panels_round_step(range, (int)fmaxf(bar->rect.width / (5 * em), 1));
  if (!(range > 0))
    return;
  for (double i = ceil(bar->first / step); i * step <= bar->last; i++) {
    float x = bar_x(bar, i * step), bottom = bar->rect.y + bar->rect.height;
    char text[32];
    snprintf(text, sizeof text, step < 1 ? "%.2g" : "%.0f", i * step);
    gui_draw_line(x, bottom - 0.45f * em, x, bottom, 0xFFFFFF40u, 1);
    if (x + gui_text_width(text) + 4 < bar->rect.x + bar->rect.width)
      gui_draw_text(x + 3, bottom - 1.1f * em, 0xFFFFFF60u, text);
  }
}

static uint32_t hit_color(int source) {
  return source > 0 ? panels_source_color(source) : panels_color(picture_hit_color());
}

// Draws marks of the hits; returns the text of the hits at x, "" when there are none.
static void draw_hits(const App *app, const Bar *bar, float mouse_x, char *text, size_t size) {
  float em = gui_em(), half = 0.33f * em;
  size_t length = 0;
  text[0] = '\0';
  for (int s = 0; s < app->source_count; s++) {
    const Source *source = app->sources[s];
    for (int i = 0; i < source->hit_count; i++) {
      const HitMark *hit = &source->hits[i];
      const CharacterDef *character = &source->def->characters[hit->character];
      if (hit->start < bar->first || hit->start > bar->last)
        continue;
      float x = bar_x(bar, hit->start), top = bar->rect.y + 0.1f * em;
      bool near = fabsf(x - mouse_x) <= half;
      uint32_t color = hit_color(s);
      if (source->def->character_count > 1 && hit->character != app->subject)
        color = (color & 0xFFFFFF00u) | 0x70u;
      gui_draw_triangle(x - half, top, x + half, top, x, top + 0.75f * em, near ? 0xFFFFFFFFu : color);
      if (!near || length + 160 > size)
        continue;
      char what[128];
      hit_describe(hit, hit->start, source->def->character_count > 1 ? character->name : NULL,
                   character->body->parts[hit->part].name, what, sizeof what);
      char *age = strstr(what, ", +"); // without the age, since the mark is at the hit's own time
      if (age)
        *age = '\0';
      length += (size_t)snprintf(text + length, size - length, "\n%.3f s  %s%s", hit->start,
                                 app->source_count > 1 ? (const char *[]){"A: ", "B: ", "C: ", "D: "}[s] : "", what);
    }
  }
}

static void draw_loop(const Playback *playback, const Bar *bar) {
  if (!playback->looping)
    return;
  float from = bar_x(bar, playback->loop_from), to = bar_x(bar, playback->loop_to), em = gui_em();
  gui_draw_rect((GuiRect){from, bar->rect.y, to - from, bar->rect.height}, 0x4FA3FF38u, 0);
  gui_draw_rect((GuiRect){from, bar->rect.y, 0.3f * em, bar->rect.height}, GUI_ACCENT, 2);
  gui_draw_rect((GuiRect){to - 0.3f * em, bar->rect.y, 0.3f * em, bar->rect.height}, GUI_ACCENT, 2);
}

// What the mouse grabs when it is pressed at x.
static Grab grab_at(const Playback *playback, const Bar *bar, float x) {
  float reach = 0.5f * gui_em();
  if (!playback->live && (SDL_GetModState() & KMOD_SHIFT) != 0)
    return GRAB_NEW_LOOP;
  if (playback->looping && fabsf(x - bar_x(bar, playback->loop_from)) < reach)
    return GRAB_LOOP_FROM;
  if (playback->looping && fabsf(x - bar_x(bar, playback->loop_to)) < reach)
    return GRAB_LOOP_TO;
  return GRAB_TIME;
}

static void move_grabbed(App *app, const GuiArea *area, const Bar *bar) {
  Panels *panels = app->panels;
  Playback *playback = &app->playback;
  double time = bar_time(bar, area->mouse_x);
  if (area->pressed) {
    Grab grab = grab_at(playback, bar, area->mouse_x);
    panels->loop_start = time;
    if (grab == GRAB_TIME)
      panels_take_time(app, time);
    panels->grab = grab;
  }
  double shortest = (playback->last - playback->first) / 1000;
  switch (panels->grab) {
  case GRAB_NOTHING:
    break;
  case GRAB_TIME:
    panels_take_time(app, time);
    break;
  case GRAB_LOOP_FROM:
    playback_loop(playback, fmin(time, playback->loop_to - shortest), playback->loop_to);
    break;
  case GRAB_LOOP_TO:
    playback_loop(playback, playback->loop_from, fmax(time, playback->loop_from + shortest));
    break;
  case GRAB_NEW_LOOP:
    if (fabs(time - panels->loop_start) > shortest)
      playback_loop(playback, fmin(time, panels->loop_start), fmax(time, panels->loop_start));
    break;
  }
}

static void draw_bar(App *app) {
  Playback *playback = &app->playback;
  float em = gui_em();
  GuiArea area = gui_area("bar", 0, 2.1f * em);
  Bar bar = {.rect = area.rect, .first = playback->first, .last = playback->last};
  if (area.held)
    move_grabbed(app, &area, &bar);
  else if (app->panels->grab != GRAB_NOTHING && !app->panels->plot_held)
    panels_release_time(app);

  gui_draw_rect(area.rect, GUI_FIELD, 4);
  float x = bar_x(&bar, playback->time);
  gui_draw_rect((GuiRect){area.rect.x, area.rect.y, x - area.rect.x, area.rect.height}, 0x4FA3FF26u, 4);
  draw_loop(playback, &bar);
  draw_ticks(&bar);
  char text[1024];
  draw_hits(app, &bar, area.hovered ? area.mouse_x : -1e6f, text, sizeof text);
  gui_draw_line(x, area.rect.y, x, area.rect.y + area.rect.height, 0xFFFFFFFFu, fmaxf(1.5f, 0.12f * em));
  gui_draw_circle(x, area.rect.y + area.rect.height - 0.3f * em, 0.38f * em, 0xFFFFFFFFu);
  if (!area.hovered)
    return;
  char tooltip[1100];
  snprintf(tooltip, sizeof tooltip, "%.3f s%s", bar_time(&bar, area.mouse_x), text);
  int lines = 1;
  for (const char *c = text; *c != '\0'; c++)
    lines += *c == '\n';
  gui_hint(area.mouse_x + em, area.rect.y - (float)(lines + 2) * 1.1f * em, tooltip);
}

void panel_timeline(App *app) {
  draw_controls(app);
  draw_bar(app);
}
