// Lines, shapes and text that panels draw themselves.
#include "viewer/panels/gui.h"

#include <imgui.h>

static ImU32 packed(uint32_t color) { return IM_COL32(color >> 24, color >> 16 & 255, color >> 8 & 255, color & 255); }

GuiArea gui_area(const char *id, float width, float height) {
  ImVec2 at = ImGui::GetCursorScreenPos();
  if (width <= 0)
    width = ImGui::GetContentRegionAvail().x;
  if (width < 1)
    width = 1;
  if (height < 1)
    height = 1;
  bool released = ImGui::InvisibleButton(id, ImVec2(width, height));
  const ImGuiIO &io = ImGui::GetIO();
  GuiArea area = {};
  area.rect = {at.x, at.y, width, height};
  area.hovered = ImGui::IsItemHovered();
  area.pressed = ImGui::IsItemActivated();
  area.held = ImGui::IsItemActive();
  area.released = released;
  area.double_clicked = area.hovered && ImGui::IsMouseDoubleClicked(0);
  area.right_pressed = area.hovered && ImGui::IsMouseClicked(1);
  area.mouse_x = io.MousePos.x;
  area.mouse_y = io.MousePos.y;
  area.drag_x = area.held ? io.MouseDelta.x : 0;
  area.drag_y = area.held ? io.MouseDelta.y : 0;
  area.wheel = area.hovered ? io.MouseWheel : 0;
  return area;
}

static ImDrawList *draw_list(void) { return ImGui::GetWindowDrawList(); }

void gui_clip_begin(GuiRect rect) {
  draw_list()->PushClipRect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.width, rect.y + rect.height), true);
}

void gui_clip_end(void) { draw_list()->PopClipRect(); }

void gui_draw_rect(GuiRect rect, uint32_t color, float rounding) {
  draw_list()->AddRectFilled(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.width, rect.y + rect.height), packed(color),
                             rounding);
}

void gui_draw_line(float x1, float y1, float x2, float y2, uint32_t color, float thickness) {
  draw_list()->AddLine(ImVec2(x1, y1), ImVec2(x2, y2), packed(color), thickness);
}

// Draws single lines, since ImGui's polylines fray where a curve turns sharply.
void gui_draw_curve(const float *xy, int count, uint32_t color, float thickness) {
  for (int i = 0; i + 1 < count; i++)
    draw_list()->AddLine(ImVec2(xy[2 * i], xy[2 * i + 1]), ImVec2(xy[2 * i + 2], xy[2 * i + 3]), packed(color),
                         thickness);
}

void gui_draw_triangle(float x1, float y1, float x2, float y2, float x3, float y3, uint32_t color) {
  draw_list()->AddTriangleFilled(ImVec2(x1, y1), ImVec2(x2, y2), ImVec2(x3, y3), packed(color));
}

void gui_draw_circle(float x, float y, float radius, uint32_t color) {
  draw_list()->AddCircleFilled(ImVec2(x, y), radius, packed(color));
}

void gui_draw_text(float x, float y, uint32_t color, const char *text) {
  draw_list()->AddText(ImVec2(x, y), packed(color), text);
}
