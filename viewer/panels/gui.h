// C interface to Dear ImGui with the widgets that the panels use. It is implemented by the project's only C++ files
// (imgui_*.cpp). All lengths are in the window's points. Of a text with "##" only the part before it is shown; the
// whole text identifies the widget within its window. Colours are 0xRRGGBBAA. Nothing is written to the disk.
#ifndef STAGGER_VIEWER_PANELS_GUI_H
#define STAGGER_VIEWER_PANELS_GUI_H

#include <SDL2/SDL.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Gui Gui;

// For a window with a current OpenGL context. scale: pixels per point of text, 1 on an ordinary display. NULL: no
// memory or no OpenGL.
Gui *gui_open(SDL_Window *window, SDL_GLContext context, float scale);
void gui_close(Gui *gui);

// gui_event passes an event on. The other functions: whether the panels use the mouse at its present place, or the
// keyboard (for a text field or an open list). Keys that arrive faster than frames are delayed to the next frame, so
// that none is lost.
void gui_event(Gui *gui, const SDL_Event *event);
bool gui_wants_mouse(const Gui *gui);
bool gui_wants_keyboard(const Gui *gui);

// elapsed: s since the last frame; given from outside so that tests are deterministic.
void gui_begin_frame(Gui *gui, double elapsed);
void gui_end_frame(Gui *gui); // draws into the current framebuffer

// ---- Functions of the present frame ----

typedef struct GuiRect {
  float x, y, width, height; // from the top left
} GuiRect;

GuiRect gui_screen(void);    // the whole window
float gui_em(void);          // height of the text; lengths of the layout are multiples of it
float gui_room(void);        // width left in this line
float gui_height_left(void); // height left in this window
float gui_text_line(void);   // height of a line of text including the gap below it
float gui_text_width(const char *text);

// Windows. What is drawn after gui_window_begin is inside, also if it returns false (then it is not visible).
enum {
  GUI_PLACE = 1,    // moves it to its place; otherwise the user may have moved it
  GUI_COLLAPSE = 2, // shows only the title until the user opens it
  GUI_EXPAND = 4,
  GUI_BARE = 8,    // no title, cannot be moved or resized
  GUI_FIT = 16,    // fits its content; place.x and .y are its middle
  GUI_FRONT = 64,  // in front of the others when it appears; passive ones stay there
  GUI_PASSIVE = 32 // ignores the mouse
};
bool gui_window_begin(const char *title, GuiRect place, unsigned flags,
                      bool *open); // open may be NULL: no close button
void gui_window_end(void);
GuiRect gui_window_rect(void);
bool gui_child_begin(const char *id, float height); // scrolls independently; height 0: all that is left
void gui_child_end(void);

// Layout.
void gui_same_line(void);
void gui_skip(float width); // in the same line
void gui_space(void);
void gui_separator(void);
void gui_next_width(float width); // of the next widget; < 0: up to this distance from the right edge
void gui_dense_begin(void);       // widgets hardly higher than their text
void gui_dense_end(void);
void gui_push_id(int id);
void gui_pop_id(void);
void gui_disabled_begin(bool disabled);
void gui_disabled_end(void);

// Texts.
void gui_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_text_align(void); // aligns the next text with that of a button beside it
void gui_text_dim(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_text_wrapped(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_text_wrapped_color(uint32_t color, const char *text);
void gui_text_break(float width, const char *text); // breaks at that width
void gui_text_color(uint32_t color, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gui_text_right(const char *text);             // aligned with the right edge of the cell
void gui_tooltip(const char *text);                // for the last widget; placed beside its window, so that it covers
                                                   // no other widget
void gui_hint(float x, float y, const char *text); // shows a tooltip at once, anywhere

// Buttons. width 0: as wide as the text; < 0: up to the right edge.
bool gui_button(const char *label, float width);
bool gui_button_small(const char *label);
bool gui_toggle(const char *label, bool on, float width); // a button that stays pressed; true when it was pressed now
bool gui_checkbox(const char *label, bool *value);
bool gui_selectable(const char *label, bool selected);
bool gui_row(const char *label); // the same for a whole row of a table

// Values. Dragging acts at once and gives three significant digits; a typed value (Ctrl + click) acts when the user has
// finished, clamped to the limits. format: of printf, with the unit.
typedef enum GuiScale {
  GUI_LINEAR,
  GUI_LOGARITHMIC,
  GUI_CENTRED // `middle` is in the middle: linear from min to it, logarithmic beyond; 0 <= min < middle < max
} GuiScale;
bool gui_slider(const char *label, double *value, double min, double max, const char *format, GuiScale scale,
                double middle); // middle: of GUI_CENTRED
bool gui_slider_int(const char *label, int *value, int min, int max, const char *format, bool logarithmic);
bool gui_drag(const char *label, double *values, int count, double min, double max, double speed,
              const char *format);    // label: "##" and a name
bool gui_typed_beyond(double *typed); // the last value was typed beyond the limits and clamped

void gui_focus(bool always); // puts the cursor into the next field; not always: only if its window has just opened
bool gui_input(const char *label, const char *hint, char *text, int size);
bool gui_entered(void);                                        // Enter was pressed in the last field
bool gui_input_whole(const char *label, char *text, int size); // true, with the text, only when the user has finished
bool gui_combo_begin(const char *label, const char *preview);
void gui_combo_end(void); // only if gui_combo_begin was true

// Groups.
bool gui_header(const char *label, bool open); // open: initially
void gui_next_open(bool always);               // the next tree or header is open initially, or always
bool gui_tree_begin(const char *label);
void gui_tree_end(void); // only if gui_tree_begin was true
bool gui_popup_begin(const char *id);
void gui_popup_open(const char *id);
void gui_popup_end(void); // only if gui_popup_begin was true

// Tables: a cell is filled after gui_cell. A column of width 0 takes the remaining width.
bool gui_table_begin(const char *id, int columns, const float *widths, bool striped);
void gui_cell(void);
void gui_table_end(void); // only if gui_table_begin was true

// A rectangle to draw into, and the mouse over it.
typedef struct GuiArea {
  GuiRect rect;
  bool hovered, pressed, held, released; // left button; pressed and released in this frame
  bool double_clicked, right_pressed;
  float mouse_x, mouse_y, drag_x, drag_y; // position of the mouse, motion since the last frame
  float wheel;
} GuiArea;

GuiArea gui_area(const char *id, float width, float height); // width 0: what is left
void gui_clip_begin(GuiRect rect);
void gui_clip_end(void);
void gui_draw_rect(GuiRect rect, uint32_t color, float rounding);
void gui_draw_line(float x1, float y1, float x2, float y2, uint32_t color, float thickness);
void gui_draw_curve(const float *xy, int count, uint32_t color, float thickness); // count points x y
void gui_draw_triangle(float x1, float y1, float x2, float y2, float x3, float y3, uint32_t color);
void gui_draw_circle(float x, float y, float radius, uint32_t color);
void gui_draw_text(float x, float y, uint32_t color, const char *text);

// Colours of the style.
#define GUI_INK 0xE8ECF0FFu
#define GUI_DIM 0x9AA6B2FFu
#define GUI_ACCENT 0x4FA3FFFFu
#define GUI_WARM 0xFFB45CFFu
#define GUI_RED 0xFF6B5EFFu
#define GUI_FIELD 0x10161DC0u // background of plots and bars

#ifdef __cplusplus
}
#endif

#endif
