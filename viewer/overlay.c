#include "viewer/overlay.h"

#include <math.h>
#include <stb/stb_easy_font.h>
#include <stdio.h>
#include <string.h>

#include "viewer/shaders.h"

enum { MAX_RECTANGLES = 6000, MAX_LINES = 8, LINE_SIZE = 96, STRIP_UNITS = 19, STRIP_WIDTH_UNITS = 740 };

// Everything is laid out in units of the font: a capital letter is 7 units high.
static const float LINE_HEIGHT = 13, MARGIN = 8, PADDING = 6, SWATCH = 22;
static const vec4s PANEL = {{1, 1, 1, 0.72f}}, INK = {{0.10f, 0.13f, 0.16f, 1}}, WHITE = {{1, 1, 1, 1}};

typedef struct Vertex {
  float x, y;
  vec4s color;
} Vertex;

// The rectangles of one picture, in pixels from the top left corner.
typedef struct Sheet {
  Vertex vertices[MAX_RECTANGLES * 6];
  int count;   // vertices
  float scale; // pixels per unit
} Sheet;

// A line of text; in the legend most have a swatch whose colour runs from one to another.
typedef struct Line {
  char text[LINE_SIZE];
  bool swatch;
  vec4s from, to;
} Line;

bool overlay_open(Overlay *overlay, Error *error) {
  *overlay = (Overlay){.program = gl_program(SHADER_FLAT_VERTEX, NULL, SHADER_FLAT_FRAGMENT, error)};
  if (!overlay->program)
    return false;
  glGenVertexArrays(1, &overlay->vertex_array);
  glGenBuffers(1, &overlay->vertices);
  glBindVertexArray(overlay->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, overlay->vertices);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), NULL);
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex), (const void *)offsetof(Vertex, color));
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  return true;
}

void overlay_close(Overlay *overlay) {
  glDeleteProgram(overlay->program);
  glDeleteVertexArrays(1, &overlay->vertex_array);
  glDeleteBuffers(1, &overlay->vertices);
  *overlay = (Overlay){0};
}

// A rectangle, in units, whose colour runs from left to right.
static void add_rectangle(Sheet *sheet, float x, float y, float width, float height, vec4s left, vec4s right) {
  if (sheet->count + 6 > MAX_RECTANGLES * 6)
    return;
  float s = sheet->scale;
  Vertex a = {s * x, s * y, left}, b = {s * (x + width), s * y, right};
  Vertex c = {s * x, s * (y + height), left}, d = {s * (x + width), s * (y + height), right};
  const Vertex both[6] = {a, b, c, c, b, d};
  for (int i = 0; i < 6; i++)
    sheet->vertices[sheet->count++] = both[i];
}

// The font's letters are made of axis-parallel quads, four vertices of 16 bytes each.
static void add_text(Sheet *sheet, float x, float y, const char *text, vec4s color) {
  struct {
    float x, y, z;
    unsigned char color[4];
  } quads[LINE_SIZE * 64];
  char copy[LINE_SIZE]; // the font wants to be able to write
  snprintf(copy, sizeof copy, "%s", text);
  int count = stb_easy_font_print(0, 0, copy, NULL, quads, (int)sizeof quads);
  for (int i = 0; i < count; i++) {
    float left = quads[4 * i].x, top = quads[4 * i].y;
    float width = quads[4 * i + 2].x - left, height = quads[4 * i + 2].y - top;
    add_rectangle(sheet, x + left, y + top, width, height, color, color);
  }
}

static float text_width(const char *text) {
  char copy[LINE_SIZE];
  snprintf(copy, sizeof copy, "%s", text);
  return (float)stb_easy_font_width(copy);
}

static float lines_width(const Line *lines, int count) {
  float width = 0;
  for (int i = 0; i < count; i++)
    width = fmaxf(width, text_width(lines[i].text));
  return width;
}

// Adds a text, broken at blanks where it is wider than `width`.
static void add_text_lines(Line *lines, int *count, const char *text, float width) {
  while (*text && *count < MAX_LINES) {
    Line *line = &lines[(*count)++];
    *line = (Line){0};
    snprintf(line->text, sizeof line->text, "%s", text);
    char *blank;
    while (text_width(line->text) > width && (blank = strrchr(line->text, ' ')) != NULL)
      *blank = '\0';
    text += strlen(line->text);
    text += strspn(text, " ");
  }
}

static int write_caption(const Picture *picture, float width, Line *lines) {
  int count = 0;
  char text[2 * PICTURE_TEXT_SIZE];
  snprintf(text, sizeof text, "t = %.2f s   %s%s%.1f m/s", picture->time, picture->who, picture->who[0] ? ": " : "",
           (double)picture->speed);
  add_text_lines(lines, &count, text, width);
  add_text_lines(lines, &count, picture->event, width);
  return count;
}

static void add_swatch(Line *lines, int *count, vec4s from, vec4s to, const char *text) {
  Line *line = &lines[(*count)++];
  *line = (Line){.swatch = true, .from = from, .to = to};
  snprintf(line->text, sizeof line->text, "%s", text);
}

static int write_legend(const Overlay *overlay, unsigned layers, Line *lines) {
  int count = 0;
  if (layers & 1u << LAYER_OUTPUT)
    add_swatch(lines, &count, picture_output_color(0), picture_output_color(1), "output: clip to physics");
  if (layers & 1u << LAYER_TARGET)
    add_swatch(lines, &count, picture_layer_color(LAYER_TARGET), picture_layer_color(LAYER_TARGET), "target");
  if (layers & 1u << LAYER_MEASURED)
    add_swatch(lines, &count, picture_layer_color(LAYER_MEASURED), picture_layer_color(LAYER_MEASURED), "measured");
  bool arrows = (layers & 1u << LAYER_DEBUG) != 0, hits = arrows && overlay->has_hits;
  bool assist = arrows && overlay->has_assist;
  char text[LINE_SIZE];
  snprintf(text, sizeof text, "hit, %d N s per m", PICTURE_NEWTON_SECONDS_PER_METRE);
  if (hits)
    add_swatch(lines, &count, picture_hit_color(), picture_hit_color(), text);
  snprintf(text, sizeof text, "assist, %d N per m", PICTURE_NEWTONS_PER_METRE);
  if (assist)
    add_swatch(lines, &count, picture_assist_color(), picture_assist_color(), text);
  snprintf(text, sizeof text, "arrows up to %.1f m", (double)PICTURE_LONGEST_ARROW);
  if (hits || assist)
    add_text_lines(lines, &count, text, INFINITY);
  return count;
}

static void add_caption(Sheet *sheet, const Picture *picture, float picture_width) {
  Line lines[MAX_LINES];
  int count = write_caption(picture, picture_width - 2 * (MARGIN + PADDING), lines);
  float width = lines_width(lines, count), height = LINE_HEIGHT * (float)count;
  add_rectangle(sheet, MARGIN, MARGIN, width + 2 * PADDING, height + 2 * PADDING - 3, PANEL, PANEL);
  for (int i = 0; i < count; i++)
    add_text(sheet, MARGIN + PADDING, MARGIN + PADDING + LINE_HEIGHT * (float)i, lines[i].text, INK);
}

// At the lower left, unless the picture is so small that it would cover the subject.
static void add_legend(Sheet *sheet, const Overlay *overlay, unsigned layers, float picture_width,
                       float picture_height) {
  Line lines[MAX_LINES];
  int count = write_legend(overlay, layers, lines);
  if (count == 0)
    return;
  float width = lines_width(lines, count) + SWATCH + PADDING, height = LINE_HEIGHT * (float)count;
  if (width > 0.35f * picture_width)
    return;
  float top = picture_height - MARGIN - height - 2 * PADDING + 3;
  add_rectangle(sheet, MARGIN, top, width + 2 * PADDING, height + 2 * PADDING - 3, PANEL, PANEL);
  for (int i = 0; i < count; i++) {
    float y = top + PADDING + LINE_HEIGHT * (float)i;
    if (lines[i].swatch)
      add_rectangle(sheet, MARGIN + PADDING, y - 1, SWATCH, 9, lines[i].from, lines[i].to);
    add_text(sheet, MARGIN + 2 * PADDING + SWATCH, y, lines[i].text, INK);
  }
}

static void draw_sheet(const Overlay *overlay, const Sheet *sheet, const GlTarget *target) {
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glViewport(0, 0, target->width, target->height);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(overlay->program);
  glUniform2f(glGetUniformLocation(overlay->program, "size"), (float)target->width, (float)target->height);
  glBindVertexArray(overlay->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, overlay->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(Vertex) * sheet->count, sheet->vertices, GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, sheet->count);
  glDisable(GL_BLEND);
}

// Whole pixels keep the letters sharp; small pictures get small letters.
static float choose_scale(float width, float height) {
  return fmaxf(1, floorf(fminf(width / 190, height / 300 + 0.5f)));
}

void overlay_draw(Overlay *overlay, const Picture *picture, unsigned layers, bool legend, const GlTarget *target) {
  static Sheet sheet; // large
  overlay->has_hits = picture->has_hits;
  overlay->has_assist = picture->has_assist;
  sheet.count = 0;
  sheet.scale = choose_scale((float)target->width, (float)target->height);
  float width = (float)target->width / sheet.scale, height = (float)target->height / sheet.scale;
  add_caption(&sheet, picture, width);
  if (legend)
    add_legend(&sheet, overlay, layers, width, height);
  draw_sheet(overlay, &sheet, target);
}

static float strip_scale(int width) { return fmaxf(1, floorf((float)width / STRIP_WIDTH_UNITS)); }

int overlay_strip_height(int width) { return (int)(STRIP_UNITS * strip_scale(width)); }

void overlay_draw_strip(const Overlay *overlay, const char *scene, unsigned layers, const GlTarget *target) {
  static Sheet sheet; // large
  sheet.count = 0;
  sheet.scale = strip_scale(target->width);
  float width = (float)target->width / sheet.scale, y = PADDING;
  add_rectangle(&sheet, 0, 0, width, STRIP_UNITS, WHITE, WHITE);

  Line lines[MAX_LINES];
  int count = write_legend(overlay, layers, lines);
  float x = PADDING;
  for (int i = 0; i < count; i++) {
    if (lines[i].swatch) {
      add_rectangle(&sheet, x, y - 1, SWATCH, 9, lines[i].from, lines[i].to);
      x += SWATCH + PADDING;
    }
    add_text(&sheet, x, y, lines[i].text, INK);
    x += text_width(lines[i].text) + 2 * MARGIN;
  }
  // The scene's name goes to the right, if it has room there.
  float name_x = width - PADDING - text_width(scene);
  if (x < name_x)
    add_text(&sheet, name_x, y, scene, INK);
  draw_sheet(overlay, &sheet, target);
}
