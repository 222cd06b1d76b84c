// Writes roses and tables of the outcome of pushes from every direction.
#include "scenes/report/page_directions.h"

#include <stdio.h>
#include <string.h>

#include "scenes/report/svg_rose.h"

enum { MOST_APART = 6, TITLE_ROOM = 42 }; // letters that fit over half of the picture

// The expectations behind `ok`, e.g. "man.fell == 0, man.recovered_share == 1": as many of the expectations as the
// title has room for, and then "...".
static void tell_success(const StudyDef *study, char *text, size_t size) {
  const SceneDef *scene = study->scene;
  snprintf(text, size, "%s", scene->expect_count == 0 ? "he does not fall" : "");
  for (int i = 0; i < scene->expect_count; i++) {
    const size_t length = strlen(text), rest = i + 1 < scene->expect_count ? strlen(", ...") : 0;
    if (i > 0 && length + strlen(", ") + strlen(scene->expects[i].text) + rest > TITLE_ROOM) {
      snprintf(text + length, size - length, ", ...");
      return;
    }
    snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", scene->expects[i].text);
  }
}

static bool add_rose(Html *html, const ReportFolder *folder, bool alone) {
  DirectionTable *table = direction_table_create(folder->study, folder->table, -1);
  char success[256];
  if (!table)
    return false;
  tell_success(folder->study, success, sizeof success);
  svg_rose(html, table, success, alone);
  direction_table_destroy(table);
  return true;
}

// One small rose for each value of the axis over which the large one is.
static void add_roses(Html *html, const ReportFolder *folder) {
  const StudyDef *study = folder->study;
  const int other = direction_axes(study).other, count = other >= 0 ? study->axes[other].count : 0;
  if (count < 2 || count > MOST_APART)
    return;
  DirectionTable *tables[MOST_APART] = {NULL};
  char names[MOST_APART][160];
  const char *texts[MOST_APART];
  bool good = true;
  for (int i = 0; i < count; i++) {
    tables[i] = direction_table_create(study, folder->table, i);
    good = good && tables[i];
    const StudyAxis *axis = &study->axes[other];
    snprintf(names[i], sizeof names[i], "%s %s%s%s", axis->name, axis->values[i], axis->unit[0] != '\0' ? " " : "",
             axis->unit);
    texts[i] = names[i];
  }
  if (good)
    svg_roses(html, (const DirectionTable *const *)tables, texts, count);
  for (int i = 0; i < count; i++)
    direction_table_destroy(tables[i]);
}

void page_directions(Page *page, const ReportFolder *folder) {
  Html rose = {0};
  if (add_rose(&rose, folder, false)) {
    page_begin_section(page, "directions", "Over directions");
    html_add(&page->html, rose.bytes);
    html_add(&page->html,
             "<p class=\"note\">Seen from above: forward is up. A cell is one direction and one ring, over "
             "all other axes; pointing at it tells its trials.</p>\n");
    add_roses(&page->html, folder);
    page_end_section(page);
  }
  text_free(&rose);
}

bool page_directions_picture(Html *html, const ReportFolder *folder) { return add_rose(html, folder, true); }
