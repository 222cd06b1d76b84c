// Sliders and number fields: determines when typed or dragged values take effect.
#include "viewer/panels/gui.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <imgui.h>
#include <imgui_internal.h>

// The text that is being typed into a slider: ImGui would report a change at every key.
static struct {
  ImGuiID id;
  int frame;
  double value, beyond;
  bool is_beyond;
} typed_number;

// Returns whether the value of a widget has changed for good: `before` is its value before the widget, `now` after it.
// typing: the widget was a text field before. A typed value is clamped, a dragged one is rounded to three significant
// digits.
static bool finish_number(ImGuiID id, bool typing, double before, double *now, double min, double max, bool whole) {
  int frame = ImGui::GetFrameCount();
  bool left = !typing && typed_number.id == id && typed_number.frame == frame - 1;
  typed_number.is_beyond = false;
  if (ImGui::TempInputIsActive(id)) {
    typed_number = {id, frame, *now, 0, false};
    return false;
  }
  if (typing || left) {
    typed_number.id = 0;
    if (left) // another widget has taken the focus
      *now = typed_number.value;
    double value = *now;
    if (!(value == value))
      return false;
    *now = value < min ? min : value > max ? max : value;
    typed_number.is_beyond = *now != value;
    typed_number.beyond = value;
    return *now != before;
  }
  bool changed = *now != before;
  if (changed && !whole && *now != 0) {
    double step = std::pow(10, std::floor(std::log10(std::fabs(*now))) - 2);
    double rounded = std::round(*now / step) * step;
    *now = rounded < min ? min : rounded > max ? max : rounded;
  }
  return changed;
}

bool gui_typed_beyond(double *typed) {
  *typed = typed_number.beyond;
  return typed_number.is_beyond;
}

static double share_of(double value, double min, double middle, double max) {
  double share = value <= middle ? 0.5 * (value - min) / (middle - min)
                                 : 0.5 + 0.5 * std::log(value / middle) / std::log(max / middle);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double value_at(double share, double min, double middle, double max) {
  return share <= 0.5 ? min + 2 * share * (middle - min) : middle * std::pow(max / middle, 2 * share - 1);
}

// A slider over the share that shows the value. Text that is typed into it is the value.
static bool centred_slider(const char *label, double *value, double min, double middle, double max,
                           const char *format) {
  ImGuiID id = ImGui::GetID(label);
  char text[64], escaped[128];
  snprintf(text, sizeof text, format, *value);
  size_t length = 0;
  for (const char *c = text; *c != '\0' && length + 2 < sizeof escaped; c++) {
    if (*c == '%')
      escaped[length++] = '%';
    escaped[length++] = *c;
  }
  escaped[length] = '\0';
  bool typing = ImGui::TempInputIsActive(id);
  double least = 0, most = 1, share = share_of(*value, min, middle, max), now = typing ? *value : share;
  ImGui::SliderScalar(label, ImGuiDataType_Double, &now, &least, &most, escaped, ImGuiSliderFlags_NoRoundToFormat);
  if (!typing)
    now = now == share || ImGui::TempInputIsActive(id) ? *value : value_at(now, min, middle, max);
  bool changed = finish_number(id, typing, *value, &now, min, max, false);
  if (changed)
    *value = now;
  return changed;
}

bool gui_slider(const char *label, double *value, double min, double max, const char *format, GuiScale scale,
                double middle) {
  if (scale == GUI_CENTRED)
    return centred_slider(label, value, min, middle, max, format);
  ImGuiSliderFlags flags =
      ImGuiSliderFlags_NoRoundToFormat | (scale == GUI_LOGARITHMIC ? ImGuiSliderFlags_Logarithmic : 0);
  ImGuiID id = ImGui::GetID(label);
  bool typing = ImGui::TempInputIsActive(id);
  double now = *value;
  ImGui::SliderScalar(label, ImGuiDataType_Double, &now, &min, &max, format, flags);
  bool changed = finish_number(id, typing, *value, &now, min, max, false);
  if (changed)
    *value = now;
  return changed;
}

bool gui_slider_int(const char *label, int *value, int min, int max, const char *format, bool logarithmic) {
  // ImGui's sliders for whole numbers take at most half of the type's range.
  const int most = INT32_MAX / 2;
  ImGuiID id = ImGui::GetID(label);
  bool typing = ImGui::TempInputIsActive(id);
  int now = *value;
  if (max > most || min < -most)
    ImGui::DragInt(label, &now, 1, min, max, format);
  else
    ImGui::SliderInt(label, &now, min, max, format, logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
  double number = now;
  bool changed = finish_number(id, typing, *value, &number, min, max, true);
  if (changed)
    *value = int(number);
  return changed;
}

bool gui_drag(const char *label, double *values, int count, double min, double max, double speed, const char *format) {
  bool changed = false, beyond = false;
  ImGui::BeginGroup();
  ImGui::PushID(label);
  ImGui::PushMultiItemsWidths(count, ImGui::CalcItemWidth());
  for (int i = 0; i < count; i++) {
    ImGui::PushID(i);
    if (i > 0)
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGuiID id = ImGui::GetID("");
    bool typing = ImGui::TempInputIsActive(id);
    double now = values[i];
    ImGui::DragScalar("", ImGuiDataType_Double, &now, float(speed), &min, &max, format,
                      ImGuiSliderFlags_NoRoundToFormat);
    if (finish_number(id, typing, values[i], &now, min, max, false)) {
      values[i] = now;
      changed = true;
    }
    beyond |= typed_number.is_beyond;
    ImGui::PopID();
    ImGui::PopItemWidth();
  }
  ImGui::PopID();
  ImGui::EndGroup();
  typed_number.is_beyond = beyond;
  return changed;
}

void gui_focus(bool always) {
  if (always || ImGui::IsWindowAppearing())
    ImGui::SetKeyboardFocusHere();
}

bool gui_entered(void) {
  return ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
                                        ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false));
}

bool gui_input(const char *label, const char *hint, char *text, int size) {
  return ImGui::InputTextWithHint(label, hint, text, size_t(size));
}

// The text that is being typed must survive the frame in which another widget takes the focus.
static struct {
  ImGuiID id;
  char text[512];
} typing;

bool gui_input_whole(const char *label, char *text, int size) {
  ImGuiID id = ImGui::GetID(label);
  char edited[sizeof typing.text];
  snprintf(edited, sizeof edited, "%s", typing.id == id ? typing.text : text);
  ImGui::InputText(label, edited, size < int(sizeof edited) ? size_t(size) : sizeof edited);
  if (ImGui::IsItemActive()) {
    typing.id = id;
    memcpy(typing.text, edited, sizeof edited);
    return false;
  }
  if (typing.id != id)
    return false;
  typing.id = 0;
  bool changed = strcmp(edited, text) != 0;
  snprintf(text, size_t(size), "%s", edited);
  return changed;
}
