#include "viewer/overlay.h"

#include <math.h>
#include <stb/stb_easy_font.h>
#include <stdio.h>

#include "viewer/shaders.h"

enum { MAX_RECTANGLES = 6000, MAX_LINES = 8, LINE_SIZE = 96, STRIP_UNITS = 19, STRIP_WIDTH_UNITS = 700 };

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

// A line of text; in the legend with a swatch whose colour runs from one to another.
typedef struct Line {
  char text[LINE_SIZE];
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

static void add_line(Line *lines, int *count, vec4s from, vec4s to, const char *text) {
  Line *line = &lines[(*count)++];
  line->from = from;
  line->to = to;
  snprintf(line->text, sizeof line->text, "%.*s", LINE_SIZE - 1, text);
}

static int write_caption(const Picture *picture, Line *lines) {
  int count = 0;
  char text[LINE_SIZE];
  snprintf(text, sizeof text, "t = %.2f s   %.1f m/s", picture->time, (double)picture->speed);
  add_line(lines, &count, INK, INK, text);
  if (picture->event[0])
    add_line(lines, &count, INK, INK, picture->event);
  return count;
}

static int write_legend(unsigned layers, Line *lines) {
  int count = 0;
  if (layers & 1u << LAYER_OUTPUT)
    add_line(lines, &count, picture_output_color(0), picture_output_color(1), "output: clip to physics");
  if (layers & 1u << LAYER_TARGET)
    add_line(lines, &count, picture_layer_color(LAYER_TARGET), picture_layer_color(LAYER_TARGET), "target");
  if (layers & 1u << LAYER_MEASURED)
    add_line(lines, &count, picture_layer_color(LAYER_MEASURED), picture_layer_color(LAYER_MEASURED), "measured");
  if (layers & 1u << LAYER_DEBUG) {
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "hit, %d N s per m", PICTURE_NEWTON_SECONDS_PER_METRE);
    add_line(lines, &count, picture_hit_color(), picture_hit_color(), text);
    snprintf(text, sizeof text, "assist, %d N per m", PICTURE_NEWTONS_PER_METRE);
    add_line(lines, &count, picture_assist_color(), picture_assist_color(), text);
  }
  return count;
}

static void add_caption(Sheet *sheet, const Picture *picture) {
  Line lines[MAX_LINES];
  int count = write_caption(picture, lines);
  float width = lines_width(lines, count), height = LINE_HEIGHT * (float)count;
  add_rectangle(sheet, MARGIN, MARGIN, width + 2 * PADDING, height + 2 * PADDING - 3, PANEL, PANEL);
  for (int i = 0; i < count; i++)
    add_text(sheet, MARGIN + PADDING, MARGIN + PADDING + LINE_HEIGHT * (float)i, lines[i].text, INK);
}

// At the lower left, unless the picture is so small that it would cover the subject.
static void add_legend(Sheet *sheet, unsigned layers, float picture_width, float picture_height) {
  Line lines[MAX_LINES];
  int count = write_legend(layers, lines);
  if (count == 0)
    return;
  float width = lines_width(lines, count) + SWATCH + PADDING, height = LINE_HEIGHT * (float)count;
  if (width > 0.35f * picture_width)
    return;
  float top = picture_height - MARGIN - height - 2 * PADDING + 3;
  add_rectangle(sheet, MARGIN, top, width + 2 * PADDING, height + 2 * PADDING - 3, PANEL, PANEL);
  for (int i = 0; i < count; i++) {
    float y = top + PADDING + LINE_HEIGHT * (float)i;
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

void overlay_draw(const Overlay *overlay, const Picture *picture, unsigned layers, bool legend,
                  const GlTarget *target) {
  static Sheet sheet; // large
  sheet.count = 0;
  sheet.scale = choose_scale((float)target->width, (float)target->height);
  add_caption(&sheet, picture);
  if (legend)
    add_legend(&sheet, layers, (float)target->width / sheet.scale, (float)target->height / sheet.scale);
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
  int count = write_legend(layers, lines);
  float x = PADDING;
  for (int i = 0; i < count; i++) {
    add_rectangle(&sheet, x, y - 1, SWATCH, 9, lines[i].from, lines[i].to);
    add_text(&sheet, x + SWATCH + PADDING, y, lines[i].text, INK);
    x += SWATCH + PADDING + text_width(lines[i].text) + 2 * MARGIN;
  }
  // The scene's name goes to the right, if it has room there.
  float name_x = width - PADDING - text_width(scene);
  if (x < name_x)
    add_text(&sheet, name_x, y, scene, INK);
  draw_sheet(overlay, &sheet, target);
}
