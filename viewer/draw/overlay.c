// Draws captions, labels and the legend over an image.
#include "viewer/draw/overlay.h"

#include <math.h>
#include <stb/stb_easy_font.h>
#include <stdio.h>
#include <string.h>

#include "viewer/draw/shaders.h"

enum { MAX_RECTANGLES = 12000, MAX_LINES = 8, LINE_SIZE = 96, MAX_LABELS = 128 };
enum { STRIP_UNITS = 19, STRIP_WIDTH_UNITS = 800 };

// Lengths are in units of the font: a capital letter is 7 units high.
static const float LINE_HEIGHT = 13, MARGIN = 8, PADDING = 6, SWATCH = 22;
static const float LABEL_HEIGHT = 11, LABEL_SHIFT = 8, LABEL_BAR = 2;
static const vec4s PANEL = {{1, 1, 1, 0.72f}}, LABEL_PANEL = {{1, 1, 1, 0.82f}};
static const uint32_t NAME_COLOR = 0x8a949eff, SUBJECT_COLOR = 0x2d6fd2ff;
static const vec4s INK = {{0.10f, 0.13f, 0.16f, 1}}, WHITE = {{1, 1, 1, 1}};

typedef struct Vertex {
  float x, y;
  vec4s color;
} Vertex;

// The rectangles of one image, in pixels from the top left corner.
typedef struct Sheet {
  Vertex vertices[MAX_RECTANGLES * 6];
  int count;   // vertices
  float scale; // pixels per unit
} Sheet;

// A line of text; in the legend most lines have a swatch with a gradient of three colours.
typedef struct Line {
  char text[LINE_SIZE];
  bool swatch;
  vec4s colors[3];
} Line;

bool overlay_open(Overlay *overlay, Error *error) {
  *overlay = (Overlay){.program = gl_program(SHADER_FLAT_VERTEX, NULL, SHADER_FLAT_FRAGMENT, error)};
  if (!overlay->program)
    return false;
  overlay->size = glGetUniformLocation(overlay->program, "size");
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
  if (!overlay->program)
    return;
  glDeleteProgram(overlay->program);
  glDeleteVertexArrays(1, &overlay->vertex_array);
  glDeleteBuffers(1, &overlay->vertices);
  *overlay = (Overlay){0};
}

// Adds a rectangle, in units, with a horizontal gradient.
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

// The same in pixels.
static void add_box(Sheet *sheet, float left, float top, float right, float bottom, vec4s color) {
  if (sheet->count + 6 > MAX_RECTANGLES * 6)
    return;
  Vertex a = {left, top, color}, b = {right, top, color}, c = {left, bottom, color}, d = {right, bottom, color};
  const Vertex both[6] = {a, b, c, c, b, d};
  for (int i = 0; i < 6; i++)
    sheet->vertices[sheet->count++] = both[i];
}

// The font's letters consist of axis-parallel quads of four vertices with 16 bytes each; strokes are one unit wide.
// They are rounded to whole pixels with equal strokes at any scale.
static void add_text(Sheet *sheet, float x, float y, const char *text, vec4s color) {
  struct {
    float x, y, z;
    unsigned char color[4];
  } quads[LINE_SIZE * 64];
  char copy[LINE_SIZE]; // the font's function takes a pointer to non-const
  snprintf(copy, sizeof copy, "%s", text);
  int count = stb_easy_font_print(0, 0, copy, NULL, quads, (int)sizeof quads);
  float scale = sheet->scale, from_x = roundf(scale * x), from_y = roundf(scale * y), stroke = roundf(scale);
  for (int i = 0; i < count; i++) {
    float width = quads[4 * i + 2].x - quads[4 * i].x, height = quads[4 * i + 2].y - quads[4 * i].y;
    float left = from_x + roundf(scale * quads[4 * i].x), top = from_y + roundf(scale * quads[4 * i].y);
    float right = width > 1 ? from_x + roundf(scale * quads[4 * i + 2].x) : left + stroke;
    float bottom = height > 1 ? from_y + roundf(scale * quads[4 * i + 2].y) : top + stroke;
    add_box(sheet, left, top, right, bottom, color);
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

// Adds a text, broken at spaces where it is wider than `width`.
static void add_text_lines(Line *lines, int *count, const char *text, float width) {
  while (*text && *count < MAX_LINES) {
    Line *line = &lines[(*count)++];
    *line = (Line){0};
    snprintf(line->text, sizeof line->text, "%s", text);
    char *blank;
    while (text_width(line->text) > width && (blank = strrchr(line->text, ' ')))
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
  add_text_lines(lines, &count, picture->lead, width);
  add_text_lines(lines, &count, picture->event, width);
  return count;
}

static Line *add_swatch(Line *lines, int *count, vec4s color, const char *text) {
  Line *line = &lines[(*count)++];
  *line = (Line){.swatch = true, .colors = {color, color, color}};
  snprintf(line->text, sizeof line->text, "%s", text);
  return line;
}

static void draw_swatch(Sheet *sheet, const Line *line, float x, float y) {
  const float half = 0.5f * SWATCH;
  add_rectangle(sheet, x, y - 1, half, 9, line->colors[0], line->colors[1]);
  add_rectangle(sheet, x + half, y - 1, half, 9, line->colors[1], line->colors[2]);
}

// The meaning of the ends of the body's colour scale.
static const char *output_text(PictureColoring coloring) {
  switch (coloring) {
  case COLORING_BLEND:
    return "output: clip to physics";
  case COLORING_TORQUE:
    return "output: torque, 0 to limit";
  case COLORING_STRENGTH:
    return "output: strength lost, 0 to all";
  case COLORING_ERROR:
    return "output: error, 0 to 20 degrees";
  default:
    return "output";
  }
}

static bool group_is_shown(unsigned layers, DebugGroup group) { return (layers >> (LAYER_DEBUG + group) & 1u) != 0; }

static int write_legend(const Overlay *overlay, unsigned layers, Line *lines) {
  int count = 0;
  bool blend = overlay->coloring == COLORING_BLEND;
  if (layers & 1u << LAYER_OUTPUT && (overlay->has_blend || !blend)) {
    Line *line = add_swatch(lines, &count, picture_heat_color(overlay->coloring, 0), output_text(overlay->coloring));
    line->colors[1] = picture_heat_color(overlay->coloring, 0.5f);
    line->colors[2] = picture_heat_color(overlay->coloring, 1);
  }
  if (layers & 1u << LAYER_OUTPUT && overlay->has_free && blend) {
    vec4s calm = picture_free_tint();
    calm.w = 1;
    add_swatch(lines, &count, calm, "by its joints alone");
  }
  if (layers & 1u << LAYER_TARGET)
    add_swatch(lines, &count, picture_layer_color(LAYER_TARGET), "target");
  if (layers & 1u << LAYER_MEASURED)
    add_swatch(lines, &count, picture_layer_color(LAYER_MEASURED), "measured");
  bool hits = overlay->has_hits && group_is_shown(layers, DEBUG_HITS);
  bool assist = overlay->has_assist && group_is_shown(layers, DEBUG_ASSIST);
  char text[LINE_SIZE];
  snprintf(text, sizeof text, "hit, %d N s per m", PICTURE_NEWTON_SECONDS_PER_METRE);
  if (hits)
    add_swatch(lines, &count, picture_hit_color(), text);
  snprintf(text, sizeof text, "assist, %d N per m", PICTURE_NEWTONS_PER_METRE);
  if (assist)
    add_swatch(lines, &count, picture_assist_color(), text);
  snprintf(text, sizeof text, "arrows up to %.1f m", (double)PICTURE_LONGEST_ARROW);
  if (hits || assist)
    add_text_lines(lines, &count, text, INFINITY);
  return count;
}

// A rectangle of an image, in units.
typedef struct Box {
  float x, y, width, height;
} Box;

// The region of the subject's head: a square around the upper fifth of the subject. Empty when it is not visible.
static Box find_head(const Picture *picture, const Camera *camera, float width, float height) {
  const Subject *subject = &picture->subject;
  vec3s top = subject->center_w, chin = subject->center_w;
  top.y += 0.5f * subject->height;
  chin.y += 0.3f * subject->height;
  float x, y, chin_x, chin_y;
  if (!camera_project(camera, top, 1, 1, &x, &y) || !camera_project(camera, chin, 1, 1, &chin_x, &chin_y))
    return (Box){0};
  const float side = fabsf(chin_y - y) * height;
  return (Box){x * width - 0.5f * side, y * height, side, side};
}

static bool boxes_touch(Box a, Box b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// The first corner in which a panel does not cover the head; the first corner when there is none.
static Box free_corner(Box panel, Box head, float picture_width, float picture_height) {
  for (int i = 0; i < 4; i++) {
    Box corner = panel;
    corner.x = i % 2 ? picture_width - MARGIN - panel.width : MARGIN;
    corner.y = i / 2 ? picture_height - MARGIN - panel.height : MARGIN;
    if (!boxes_touch(corner, head))
      return corner;
  }
  return panel;
}

static void add_caption(Sheet *sheet, const Picture *picture, Box head, float picture_width, float picture_height) {
  Line lines[MAX_LINES];
  int count = write_caption(picture, picture_width - 2 * (MARGIN + PADDING), lines);
  float width = lines_width(lines, count), height = LINE_HEIGHT * (float)count;
  Box panel = {MARGIN, MARGIN, width + 2 * PADDING, height + 2 * PADDING - 3};
  panel = free_corner(panel, head, picture_width, picture_height);
  add_rectangle(sheet, panel.x, panel.y, panel.width, panel.height, PANEL, PANEL);
  for (int i = 0; i < count; i++)
    add_text(sheet, panel.x + PADDING, panel.y + PADDING + LINE_HEIGHT * (float)i, lines[i].text, INK);
}

// At the lower left, unless the image is so small that the legend would cover the subject.
static void add_legend(Sheet *sheet, const Overlay *overlay, unsigned layers, float picture_width,
                       float picture_height) {
  Line lines[MAX_LINES];
  int count = write_legend(overlay, layers, lines);
  if (count == 0)
    return;
  float width = lines_width(lines, count) + SWATCH + PADDING, height = LINE_HEIGHT * (float)count;
  if (width > 0.3f * picture_width)
    return;
  float top = picture_height - MARGIN - height - 2 * PADDING + 3;
  add_rectangle(sheet, MARGIN, top, width + 2 * PADDING, height + 2 * PADDING - 3, PANEL, PANEL);
  for (int i = 0; i < count; i++) {
    float y = top + PADDING + LINE_HEIGHT * (float)i;
    if (lines[i].swatch)
      draw_swatch(sheet, &lines[i], MARGIN + PADDING, y);
    add_text(sheet, MARGIN + 2 * PADDING + SWATCH, y, lines[i].text, INK);
  }
}

static void draw_sheet(const Overlay *overlay, const Sheet *sheet, const GlTarget *target, GlRect part) {
  if (sheet->count == 0)
    return;
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  gl_target_viewport(target, part);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(overlay->program);
  glUniform2f(overlay->size, (float)part.width, (float)part.height);
  glBindVertexArray(overlay->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, overlay->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(Vertex) * sheet->count, sheet->vertices, GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, sheet->count);
  glDisable(GL_BLEND);
}

// An integer scale keeps the letters sharp; small images get small letters.
static float choose_scale(GlRect part) {
  return fmaxf(1, floorf(fminf((float)part.width / 190, (float)part.height / 300 + 0.5f)));
}

// Labels are many and inside the image, so they are smaller; also an integer scale.
static float choose_label_scale(GlRect part) {
  return fmaxf(1, roundf(0.25f + 0.5f * fminf((float)part.width / 190, (float)part.height / 300 + 0.5f)));
}

static void remember(Overlay *overlay, const Picture *picture) {
  overlay->has_hits = picture->has_hits;
  overlay->has_assist = picture->has_assist;
  overlay->has_free = picture->has_free;
  overlay->has_blend = picture->has_blend;
  overlay->coloring = picture->coloring;
}

void overlay_draw_part(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers, bool legend,
                       const GlTarget *target, GlRect part) {
  static Sheet sheet; // static because of its size
  remember(overlay, picture);
  sheet.count = 0;
  sheet.scale = choose_scale(part);
  float width = (float)part.width / sheet.scale, height = (float)part.height / sheet.scale;
  if (layers & 1u << LAYER_LABELS)
    add_caption(&sheet, picture, find_head(picture, camera, width, height), width, height);
  if (legend)
    add_legend(&sheet, overlay, layers, width, height);
  draw_sheet(overlay, &sheet, target, part);
}

void overlay_draw(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers, bool legend,
                  const GlTarget *target) {
  overlay_draw_part(overlay, picture, camera, layers, legend, target, gl_target_rect(target));
}

// ---- Labels ----

// A label's panel, in units, and the point that it belongs to, if it is drawn with a line to it.
typedef struct Label {
  const char *text;
  uint32_t color;
  float x, y, width;
  bool has_point;
  float point_x, point_y;
} Label;

static bool labels_touch(const Label *a, const Label *b) {
  return fabsf(a->y - b->y) < LABEL_HEIGHT && a->x < b->x + b->width && b->x < a->x + a->width;
}

// Moves a label up or down to the nearest place where it overlaps no other label. Such a place is always at the edge of
// another label.
static void find_room(Label *label, const Label *others, int count, float picture_height) {
  float wanted = label->y, best = wanted, best_shift = INFINITY;
  for (int candidate = -1; candidate < 2 * count; candidate++) {
    label->y = candidate < 0 ? wanted : others[candidate / 2].y + (candidate % 2 ? LABEL_HEIGHT : -LABEL_HEIGHT);
    bool free = label->y >= 0 && label->y + LABEL_HEIGHT <= picture_height;
    for (int i = 0; i < count && free; i++)
      free = !labels_touch(label, &others[i]);
    if (free && fabsf(label->y - wanted) < best_shift) {
      best = label->y;
      best_shift = fabsf(label->y - wanted);
    }
  }
  label->y = best;
}

// Names are in the middle over their heads; those that are behind others give way to them.
static int place_names(const Picture *picture, const Camera *camera, float width, float height,
                       Label labels[MAX_LABELS]) {
  int count = 0;
  for (int i = 0; i < picture->name_count && count < MAX_LABELS; i++) {
    const PictureName *name = &picture->names[i];
    float x, y;
    if (!camera_project(camera, name->place_w, 1, 1, &x, &y) || x < 0 || x > 1 || y < 0 || y > 1)
      continue;
    Label label = {.text = name->text, .color = name->is_subject ? SUBJECT_COLOR : NAME_COLOR};
    label.width = text_width(label.text) + LABEL_BAR + PADDING;
    label.x = fmaxf(0, fminf(x * width - 0.5f * label.width, width - label.width));
    label.y = fminf(fmaxf(y * height - LABEL_HEIGHT, 0), fmaxf(height - LABEL_HEIGHT, 0));
    find_room(&label, labels, count, height);
    labels[count++] = label;
  }
  return count;
}

// Adds the labels of debug items to `count` labels.
static int place_labels(const Picture *picture, const Camera *camera, unsigned layers, float width, float height,
                        int count, Label labels[MAX_LABELS]) {
  for (int i = 0; i < picture->debug.count && count < MAX_LABELS; i++) {
    const DebugItem *item = &picture->debug.items[i];
    vec3s point = {{item->a[0], item->a[1], item->a[2]}};
    float x, y;
    if (item->shape != DEBUG_LABEL || !group_is_shown(layers, item->group) ||
        !camera_project(camera, point, 1, 1, &x, &y) || x < 0 || x > 1 || y < 0 || y > 1)
      continue;
    Label label = {.text = item->text,
                   .color = item->color,
                   .has_point = true,
                   .point_x = roundf(x * width),
                   .point_y = roundf(y * height)};
    label.width = text_width(item->text) + LABEL_BAR + PADDING;
    label.x = fminf(label.point_x + LABEL_SHIFT, fmaxf(width - label.width, 0));
    label.y = fminf(fmaxf(label.point_y - 0.5f * (LABEL_HEIGHT + 1), 0), fmaxf(height - LABEL_HEIGHT, 0));
    find_room(&label, labels, count, height);
    labels[count++] = label;
  }
  return count;
}

// A thin line, in units.
static void add_line(Sheet *sheet, float x0, float y0, float x1, float y1, vec4s color) {
  float length = hypotf(x1 - x0, y1 - y0), s = sheet->scale;
  if (length <= 0 || sheet->count + 6 > MAX_RECTANGLES * 6)
    return;
  float dx = -0.5f * (y1 - y0) / length, dy = 0.5f * (x1 - x0) / length;
  Vertex a = {s * (x0 + dx), s * (y0 + dy), color}, b = {s * (x0 - dx), s * (y0 - dy), color};
  Vertex c = {s * (x1 + dx), s * (y1 + dy), color}, d = {s * (x1 - dx), s * (y1 - dy), color};
  const Vertex both[6] = {a, b, c, c, b, d};
  for (int i = 0; i < 6; i++)
    sheet->vertices[sheet->count++] = both[i];
}

void overlay_draw_labels(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers,
                         const GlTarget *target, GlRect part) {
  static Sheet sheet; // static because of its size
  if (!(layers & 1u << LAYER_LABELS))
    return;
  sheet.count = 0;
  sheet.scale = choose_label_scale(part);
  Label labels[MAX_LABELS];
  float width = (float)part.width / sheet.scale, height = (float)part.height / sheet.scale;
  int count = layers & 1u << LAYER_WHO ? place_names(picture, camera, width, height, labels) : 0;
  count = place_labels(picture, camera, layers, width, height, count, labels);
  for (int i = 0; i < count; i++) {
    const Label *label = &labels[i];
    if (!label->has_point)
      continue;
    add_line(&sheet, label->point_x, label->point_y, label->x, label->y + 0.5f * (LABEL_HEIGHT - 1),
             picture_hex_color(label->color));
  }
  for (int i = 0; i < count; i++) {
    const Label *label = &labels[i];
    vec4s color = picture_hex_color(label->color);
    add_rectangle(&sheet, label->x, label->y, label->width, LABEL_HEIGHT - 1, LABEL_PANEL, LABEL_PANEL);
    add_rectangle(&sheet, label->x, label->y, LABEL_BAR, LABEL_HEIGHT - 1, color, color);
    add_text(&sheet, label->x + LABEL_BAR + 0.5f * PADDING, label->y + 2, label->text, INK);
  }
  draw_sheet(overlay, &sheet, target, part);
}

// ---- Strip ----

static float strip_scale(int width) { return fmaxf(1, floorf((float)width / STRIP_WIDTH_UNITS)); }

int overlay_strip_height(int width) { return (int)(STRIP_UNITS * strip_scale(width)); }

void overlay_draw_strip(const Overlay *overlay, const char *scene, unsigned layers, const GlTarget *target) {
  static Sheet sheet; // static because of its size
  sheet.count = 0;
  sheet.scale = strip_scale(target->width);
  float width = (float)target->width / sheet.scale, y = PADDING;
  add_rectangle(&sheet, 0, 0, width, STRIP_UNITS, WHITE, WHITE);

  Line lines[MAX_LINES];
  int count = write_legend(overlay, layers, lines);
  float x = PADDING;
  for (int i = 0; i < count; i++) {
    if (lines[i].swatch) {
      draw_swatch(&sheet, &lines[i], x, y);
      x += SWATCH + PADDING;
    }
    add_text(&sheet, x, y, lines[i].text, INK);
    x += text_width(lines[i].text) + 2 * MARGIN;
  }
  // The scene's name is at the right, if there is room.
  float name_x = width - PADDING - text_width(scene);
  if (x < name_x)
    add_text(&sheet, name_x, y, scene, INK);
  draw_sheet(overlay, &sheet, target, gl_target_rect(target));
}
