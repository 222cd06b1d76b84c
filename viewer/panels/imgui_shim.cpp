// Plain C functions for Dear ImGui: windows, widgets and layout.
#include "viewer/panels/gui.h"

#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <imgui.h>
#include <imgui_internal.h>
#include <new>

// Common fonts. If none is found, ImGui's built-in pixel font is used.
static const char *const FONTS[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};

static const float FONT_SIZE = 13; // points

enum { MOST_WAITING = 256 };

struct Gui {
  SDL_Window *window;
  ImGuiContext *context;
  // The state of the mouse according to events: SDL's own state does not include events that a test generates.
  float mouse_x, mouse_y;
  bool mouse_inside, held[3], pressed[3];
  // ImGui reads the keys once per frame. Events that it would miss wait here in their order.
  SDL_Event waiting[MOST_WAITING];
  int waiting_count;
};

static ImVec4 color_of(uint32_t color) {
  return ImVec4(float(color >> 24) / 255, float(color >> 16 & 255) / 255, float(color >> 8 & 255) / 255,
                float(color & 255) / 255);
}

// Calm, dark, translucent colours, so that the bright picture behind remains prominent.
static void set_style(float scale) {
  ImGui::StyleColorsDark();
  ImGuiStyle &style = ImGui::GetStyle();
  style.WindowRounding = style.ChildRounding = style.FrameRounding = style.PopupRounding = style.GrabRounding = 4;
  style.ScrollbarRounding = 4;
  style.WindowBorderSize = style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowPadding = ImVec2(9, 8);
  style.FramePadding = ImVec2(6, 3);
  style.ItemSpacing = ImVec2(6, 4);
  style.ItemInnerSpacing = ImVec2(5, 4);
  style.CellPadding = ImVec2(3, 2);
  style.IndentSpacing = 12;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 8;
  style.WindowTitleAlign = ImVec2(0, 0.5f);
  style.DisabledAlpha = 0.45f;
  style.ScaleAllSizes(scale);
  style.AntiAliasedLinesUseTex = true;

  const struct {
    ImGuiCol slot;
    uint32_t color;
  } colors[] = {{ImGuiCol_Text, GUI_INK},
                {ImGuiCol_TextDisabled, GUI_DIM},
                {ImGuiCol_WindowBg, 0x1B222BE0},
                {ImGuiCol_ChildBg, 0x00000000},
                {ImGuiCol_PopupBg, 0x1B222BFA},
                {ImGuiCol_Border, 0xFFFFFF1A},
                {ImGuiCol_FrameBg, 0x0E141BB0},
                {ImGuiCol_FrameBgHovered, 0x2C3946D0},
                {ImGuiCol_FrameBgActive, 0x33485CE0},
                {ImGuiCol_TitleBg, 0x141A21F0},
                {ImGuiCol_TitleBgActive, 0x141A21F0},
                {ImGuiCol_TitleBgCollapsed, 0x141A21C8},
                {ImGuiCol_ScrollbarBg, 0x00000000},
                {ImGuiCol_ScrollbarGrab, 0xFFFFFF28},
                {ImGuiCol_ScrollbarGrabHovered, 0xFFFFFF48},
                {ImGuiCol_ScrollbarGrabActive, 0xFFFFFF68},
                {ImGuiCol_CheckMark, GUI_ACCENT},
                {ImGuiCol_SliderGrab, 0x4FA3FF88},
                {ImGuiCol_SliderGrabActive, GUI_ACCENT},
                {ImGuiCol_Button, 0x34424FD0},
                {ImGuiCol_ButtonHovered, 0x466078F0},
                {ImGuiCol_ButtonActive, 0x3A7CC0FF},
                {ImGuiCol_Header, 0x2B3743C0},
                {ImGuiCol_HeaderHovered, 0x3A4C5DE0},
                {ImGuiCol_HeaderActive, 0x3A7CC0E0},
                {ImGuiCol_Separator, 0xFFFFFF1A},
                {ImGuiCol_ResizeGrip, 0xFFFFFF18},
                {ImGuiCol_ResizeGripHovered, 0x4FA3FF90},
                {ImGuiCol_ResizeGripActive, GUI_ACCENT},
                {ImGuiCol_TableRowBgAlt, 0xFFFFFF0A},
                {ImGuiCol_TextSelectedBg, 0x4FA3FF60},
                {ImGuiCol_NavHighlight, GUI_ACCENT}};
  for (const auto &entry : colors)
    style.Colors[entry.slot] = color_of(entry.color);
}

static void load_font(float pixels) {
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.SizePixels = pixels;
  config.OversampleH = 3;
  for (const char *path : FONTS) {
    FILE *file = fopen(path, "rb"); // ImGui asserts that the file exists
    if (file == nullptr)
      continue;
    fclose(file);
    // Latin-1 only, like the built-in font.
    if (atlas->AddFontFromFileTTF(path, pixels, &config, atlas->GetGlyphRangesDefault()) != nullptr)
      return;
  }
  config.OversampleH = 1;
  atlas->AddFontDefault(&config);
}

Gui *gui_open(SDL_Window *window, SDL_GLContext context, float scale) {
  Gui *gui = new (std::nothrow) Gui();
  if (gui == nullptr)
    return nullptr;
  gui->window = window;
  gui->context = ImGui::CreateContext();
  ImGui::SetCurrentContext(gui->context);
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  if (!(scale > 0.25f && scale < 8))
    scale = 1;
  // On displays with high density, several pixels may be one point of the window: the font is rasterised for pixels.
  int width, height, pixel_width, pixel_height;
  SDL_GetWindowSize(window, &width, &height);
  SDL_GL_GetDrawableSize(window, &pixel_width, &pixel_height);
  float density = width > 0 && pixel_width > 0 ? float(pixel_width) / float(width) : 1;
  load_font(FONT_SIZE * scale);
  io.FontGlobalScale = 1 / density;
  set_style(scale / density);
  if (!ImGui_ImplSDL2_InitForOpenGL(window, context)) {
    ImGui::DestroyContext(gui->context);
    delete gui;
    return nullptr;
  }
  if (!ImGui_ImplOpenGL3_Init("#version 330")) {
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(gui->context);
    delete gui;
    return nullptr;
  }
  return gui;
}

void gui_close(Gui *gui) {
  if (gui == nullptr)
    return;
  ImGui::SetCurrentContext(gui->context);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext(gui->context);
  delete gui;
}

static int button_of(Uint8 button) {
  return button == SDL_BUTTON_LEFT ? 0 : button == SDL_BUTTON_RIGHT ? 1 : button == SDL_BUTTON_MIDDLE ? 2 : -1;
}

static void move_mouse(Gui *gui, int x, int y) {
  gui->mouse_x = float(x);
  gui->mouse_y = float(y);
  gui->mouse_inside = true;
}

// Whether ImGui itself reacts to a key: keys that write nothing, and all keys with Ctrl.
static bool is_command(const SDL_KeyboardEvent &key) {
  SDL_Keycode code = key.keysym.sym;
  return (key.keysym.mod & KMOD_CTRL) != 0 || code < SDLK_SPACE || code >= SDLK_DELETE;
}

static bool is_modifier(SDL_Keycode code) { return code >= SDLK_LCTRL && code <= SDLK_RGUI; }

// Sets modifiers from the event, since SDL's own state may already be later.
static void take_key(const SDL_Event &event) {
  ImGui_ImplSDL2_ProcessEvent(&event);
  if (event.type == SDL_TEXTINPUT)
    return;
  ImGuiIO &io = ImGui::GetIO();
  Uint16 held = event.key.keysym.mod;
  io.KeyCtrl = (held & KMOD_CTRL) != 0;
  io.KeyShift = (held & KMOD_SHIFT) != 0;
  io.KeyAlt = (held & KMOD_ALT) != 0;
}

// Passes ImGui as many key events as it can distinguish in one frame: one command, and no letters after it. ImGui
// collects letters and handles them before the command.
static void take_keys(Gui *gui) {
  bool commanded = false, clicked = gui->pressed[0] || gui->pressed[1] || gui->pressed[2];
  int done = 0;
  for (; done < gui->waiting_count; done++) {
    const SDL_Event &event = gui->waiting[done];
    bool command = event.type == SDL_KEYDOWN && !is_modifier(event.key.keysym.sym) && is_command(event.key);
    // Released and pressed again: ImGui must see the released key for a frame.
    bool again =
        command && done > 0 && !event.key.repeat && ImGui::GetIO().KeysDownDuration[event.key.keysym.scancode] >= 0;
    if (again || commanded || (event.type == SDL_KEYUP && clicked && is_modifier(event.key.keysym.sym)))
      break;
    take_key(event);
    commanded = command;
  }
  gui->waiting_count -= done;
  memmove(gui->waiting, gui->waiting + done, size_t(gui->waiting_count) * sizeof gui->waiting[0]);
}

void gui_event(Gui *gui, const SDL_Event *event) {
  ImGui::SetCurrentContext(gui->context);
  if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP || event->type == SDL_TEXTINPUT) {
    if (gui->waiting_count < MOST_WAITING)
      gui->waiting[gui->waiting_count++] = *event;
    return;
  }
  ImGui_ImplSDL2_ProcessEvent(event);
  int button;
  switch (event->type) {
  case SDL_MOUSEMOTION:
    move_mouse(gui, event->motion.x, event->motion.y);
    break;
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    move_mouse(gui, event->button.x, event->button.y);
    button = button_of(event->button.button);
    if (button >= 0) {
      gui->held[button] = event->type == SDL_MOUSEBUTTONDOWN;
      gui->pressed[button] |= gui->held[button];
    }
    break;
  case SDL_WINDOWEVENT:
    if (event->window.event == SDL_WINDOWEVENT_LEAVE)
      gui->mouse_inside = false;
    break;
  default:
    break;
  }
}

// Whether a panel of the last frame covers a point, including the margin at which resizable panels can be dragged.
static bool is_covered(float x, float y) {
  const ImGuiContext &context = *ImGui::GetCurrentContext();
  for (const ImGuiWindow *window : context.Windows) {
    if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_NoMouseInputs) != 0)
      continue;
    bool fixed = (window->Flags & (ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize)) != 0;
    ImRect room = window->OuterRectClipped;
    room.Expand(fixed ? ImVec2(0, 0) : context.WindowsHoverPadding);
    if (room.Contains(ImVec2(x, y)))
      return true;
  }
  return false;
}

// While a button is held, the mouse belongs to what it was over when the button was pressed.
bool gui_wants_mouse(const Gui *gui) {
  ImGui::SetCurrentContext(gui->context);
  const ImGuiContext &context = *ImGui::GetCurrentContext();
  for (int i = 0; i < 3; i++)
    if (context.IO.MouseDown[i])
      return context.IO.WantCaptureMouse;
  return context.OpenPopupStack.Size > 0 || is_covered(gui->mouse_x, gui->mouse_y);
}

bool gui_wants_keyboard(const Gui *gui) {
  ImGui::SetCurrentContext(gui->context);
  // The flags are of the last frame: a field that is gone no longer wants input.
  const ImGuiContext &context = *ImGui::GetCurrentContext();
  return context.WantTextInputNextFrame == 1 || context.OpenPopupStack.Size > 0;
}

void gui_begin_frame(Gui *gui, double elapsed) {
  ImGui::SetCurrentContext(gui->context);
  take_keys(gui);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGuiIO &io = ImGui::GetIO();
  io.DeltaTime = elapsed > 1e-4 ? float(elapsed) : 1e-4f;
  bool any_held = false;
  for (int i = 0; i < 3; i++) { // a click that ends within the frame still counts
    io.MouseDown[i] = gui->held[i] || gui->pressed[i];
    any_held |= io.MouseDown[i];
    gui->pressed[i] = false;
  }
  bool known = gui->mouse_inside || any_held;
  io.MousePos = known ? ImVec2(gui->mouse_x, gui->mouse_y) : ImVec2(-FLT_MAX, -FLT_MAX);
  ImGui::NewFrame();
  bool escape = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
  if (escape && !io.WantTextInput && ImGui::GetCurrentContext()->OpenPopupStack.Size > 0)
    ImGui::ClosePopupToLevel(0, true);
}

void gui_end_frame(Gui *gui) {
  ImGui::SetCurrentContext(gui->context);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

GuiRect gui_screen(void) { return {0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y}; }
float gui_em(void) { return ImGui::GetFontSize(); }
float gui_height_left(void) { return ImGui::GetContentRegionAvail().y; }
float gui_text_line(void) { return ImGui::GetTextLineHeightWithSpacing(); }
float gui_room(void) { return ImGui::GetContentRegionAvail().x; }
float gui_text_width(const char *text) { return ImGui::CalcTextSize(text, nullptr, true).x; }

// ---- Windows ----

bool gui_window_begin(const char *title, GuiRect place, unsigned flags, bool *open) {
  ImGuiWindowFlags all = ImGuiWindowFlags_NoSavedSettings;
  if (flags & GUI_FRONT) // text to read: nearly opaque
    ImGui::SetNextWindowBgAlpha(0.97f);
  if (!(flags & GUI_FRONT))
    all |= ImGuiWindowFlags_NoFocusOnAppearing;
  else if (flags & GUI_PASSIVE) // in front without the focus, since taking it would end a drag or an input of the user
    all |= ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoFocusOnAppearing;
  if (flags & GUI_BARE)
    all |= ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
           ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (flags & GUI_PASSIVE)
    all |= ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav;
  ImGuiCond when = flags & (GUI_PLACE | GUI_BARE) ? ImGuiCond_Always : ImGuiCond_Once;
  if (flags & GUI_FIT) {
    all |= ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoResize;
    ImGui::SetNextWindowPos(ImVec2(place.x, place.y), when, ImVec2(0.5f, 0.5f));
  } else {
    ImGui::SetNextWindowPos(ImVec2(place.x, place.y), when);
    ImGui::SetNextWindowSize(ImVec2(place.width, place.height), when);
  }
  if (flags & (GUI_COLLAPSE | GUI_EXPAND))
    ImGui::SetNextWindowCollapsed((flags & GUI_COLLAPSE) != 0, ImGuiCond_Always);
  return ImGui::Begin(title, open, all);
}

void gui_window_end(void) { ImGui::End(); }

GuiRect gui_window_rect(void) {
  ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  return {at.x, at.y, size.x, size.y};
}

bool gui_child_begin(const char *id, float height) { return ImGui::BeginChild(id, ImVec2(0, height)); }
void gui_child_end(void) { ImGui::EndChild(); }

// ---- Layout ----

void gui_same_line(void) { ImGui::SameLine(); }

void gui_skip(float width) {
  ImGui::SameLine();
  ImGui::Dummy(ImVec2(width, 1));
  ImGui::SameLine();
}

void gui_space(void) { ImGui::Spacing(); }
void gui_separator(void) { ImGui::Separator(); }

void gui_next_width(float width) { ImGui::SetNextItemWidth(width); }

void gui_dense_begin(void) {
  const ImGuiStyle &style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(style.FramePadding.x, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(style.CellPadding.x, 1.5f));
}

void gui_dense_end(void) { ImGui::PopStyleVar(2); }
void gui_push_id(int id) { ImGui::PushID(id); }
void gui_pop_id(void) { ImGui::PopID(); }
void gui_disabled_begin(bool disabled) { ImGui::BeginDisabled(disabled); }
void gui_disabled_end(void) { ImGui::EndDisabled(); }

// ---- Texts ----

void gui_text(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ImGui::TextV(format, arguments);
  va_end(arguments);
}

void gui_text_align(void) { ImGui::AlignTextToFramePadding(); }

void gui_text_dim(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ImGui::TextDisabledV(format, arguments);
  va_end(arguments);
}

void gui_text_wrapped(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ImGui::TextWrappedV(format, arguments);
  va_end(arguments);
}

void gui_text_wrapped_color(uint32_t color, const char *text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(color));
  ImGui::TextWrapped("%s", text);
  ImGui::PopStyleColor();
}

void gui_text_break(float width, const char *text) {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
}

void gui_text_color(uint32_t color, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ImGui::TextColoredV(color_of(color), format, arguments);
  va_end(arguments);
}

void gui_text_right(const char *text) {
  float free = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
  if (free > 0)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + free);
  ImGui::TextUnformatted(text);
}

static void show_tooltip(const char *text) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// Places a tooltip beside the window of the widget, at the same height; for a wide window above or below it.
static void place_tooltip(void) {
  const ImGuiWindow *window = ImGui::GetCurrentContext()->CurrentWindow->RootWindow;
  ImVec2 screen = ImGui::GetIO().DisplaySize, item = ImGui::GetItemRectMin(), from = window->Pos, size = window->Size;
  float gap = 4;
  if (size.x > 0.6f * screen.x) {
    bool below = from.y + size.y < 0.8f * screen.y;
    ImGui::SetNextWindowPos(ImVec2(item.x, below ? from.y + size.y + gap : from.y - gap), ImGuiCond_Always,
                            ImVec2(0, below ? 0.0f : 1.0f));
  } else {
    bool right = from.x + size.x / 2 < screen.x / 2;
    ImGui::SetNextWindowPos(ImVec2(right ? from.x + size.x + gap : from.x - gap, item.y), ImGuiCond_Always,
                            ImVec2(right ? 0.0f : 1.0f, item.y > 0.8f * screen.y ? 0.8f : 0.0f));
  }
}

// Shows no tooltip for a widget that is being dragged or typed into.
void gui_tooltip(const char *text) {
  if (text[0] == '\0' || ImGui::IsItemActive() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    return;
  place_tooltip();
  show_tooltip(text);
}

void gui_hint(float x, float y, const char *text) {
  bool at_right = x > 0.75f * ImGui::GetIO().DisplaySize.x; // near the right edge the tooltip is on the left side
  ImGui::SetNextWindowPos(ImVec2(at_right ? x - 2 * ImGui::GetFontSize() : x, y), ImGuiCond_Always,
                          ImVec2(at_right ? 1.0f : 0.0f, 0));
  show_tooltip(text);
}

// ---- Buttons ----

bool gui_button(const char *label, float width) {
  return ImGui::Button(label, ImVec2(width < 0 ? -FLT_MIN : width, 0));
}

bool gui_button_small(const char *label) { return ImGui::SmallButton(label); }

bool gui_toggle(const char *label, bool on, float width) {
  if (on)
    ImGui::PushStyleColor(ImGuiCol_Button, color_of(0x2F6FB0F0));
  bool pressed = gui_button(label, width);
  if (on)
    ImGui::PopStyleColor();
  return pressed;
}

bool gui_checkbox(const char *label, bool *value) { return ImGui::Checkbox(label, value); }
bool gui_selectable(const char *label, bool selected) { return ImGui::Selectable(label, selected); }

bool gui_row(const char *label) { return ImGui::Selectable(label, false, ImGuiSelectableFlags_SpanAllColumns); }

// ---- Choices ----

bool gui_combo_begin(const char *label, const char *preview) {
  return ImGui::BeginCombo(label, preview, ImGuiComboFlags_HeightLarge);
}
void gui_combo_end(void) { ImGui::EndCombo(); }

// ---- Groups ----

bool gui_header(const char *label, bool open) {
  return ImGui::CollapsingHeader(label, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void gui_next_open(bool always) { ImGui::SetNextItemOpen(true, always ? ImGuiCond_Always : ImGuiCond_Once); }

bool gui_tree_begin(const char *label) { return ImGui::TreeNodeEx(label, ImGuiTreeNodeFlags_SpanAvailWidth); }

void gui_tree_end(void) { ImGui::TreePop(); }
bool gui_popup_begin(const char *id) { return ImGui::BeginPopup(id); }
void gui_popup_open(const char *id) { ImGui::OpenPopup(id); }
void gui_popup_end(void) { ImGui::EndPopup(); }

// ---- Tables ----

bool gui_table_begin(const char *id, int columns, const float *widths, bool striped) {
  if (!ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingFixedFit | (striped ? ImGuiTableFlags_RowBg : 0)))
    return false;
  for (int i = 0; i < columns; i++)
    ImGui::TableSetupColumn("", widths[i] > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                            widths[i]);
  return true;
}

void gui_cell(void) { ImGui::TableNextColumn(); }
void gui_table_end(void) { ImGui::EndTable(); }
