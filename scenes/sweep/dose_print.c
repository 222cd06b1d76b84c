// Writes a table of doses as CSV, and as a table for people.
#include "scenes/sweep/dose.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/text_buffer.h"

// ---- CSV ----

static void add_number(TextBuffer *text, double value, char end) {
  char number[TABLE_CELL_SIZE];
  table_number_text(value, number);
  text_print(text, "%s%c", number, end);
}

// size: N s; NAN: of all sizes. A figure that is unknown has no line.
static void add_line(TextBuffer *text, const char *name, const char *part, const char *other, double size,
                     const char *direction, const char *unit, const DoseFigure *figure) {
  if (isnan(figure->value))
    return;
  text_print(text, "%s,%s,%s,", name, part, other);
  add_number(text, size, ',');
  text_print(text, "%s,%s,%ld,", direction, unit, figure->count);
  add_number(text, figure->value, ',');
  add_number(text, figure->low, ',');
  add_number(text, figure->high, '\n');
}

static void add_value(TextBuffer *text, const char *name, const char *part, const char *other, double size,
                      const char *direction, const char *unit, double value) {
  add_line(text, name, part, other, size, direction, unit, &(DoseFigure){value, NAN, NAN, 0});
}

static void add_measures(TextBuffer *text, const DoseTable *dose) {
  for (int m = 0; m < DOSE_MEASURES; m++)
    for (int p = 0; p < dose->part_count; p++)
      for (int s = 0; s < dose->size_count; s++)
        add_line(text, dose_measures[m].metric, dose->parts[p], "", dose->sizes[s], "all", dose_measures[m].unit,
                 &dose->measures[m][p][s]);
}

static void add_distances(TextBuffer *text, const DoseTable *dose, const char *front) {
  for (int s = 0; s < dose->size_count; s++)
    for (int a = 0; a < dose->part_count; a++)
      for (int b = a + 1; b < dose->part_count; b++)
        add_value(text, "distance", dose->parts[a], dose->parts[b], dose->sizes[s], front, "deg",
                  dose->distance[s][a][b]);
}

static void add_rising(TextBuffer *text, const DoseTable *dose) {
  add_line(text, "rising", "", "", NAN, "all", "share", &dose->rising);
  for (int p = 0; p < dose->part_count; p++)
    add_line(text, "rising", dose->parts[p], "", NAN, "all", "share", &dose->rising_of[p]);
  for (int p = 0; p < dose->part_count; p++)
    for (int s = 0; s + 1 < dose->size_count; s++)
      add_line(text, "rising", dose->parts[p], "", dose->sizes[s], "all", "share", &dose->rising_from[p][s]);
  for (int p = 0; p < dose->part_count; p++)
    for (int d = 0; d < dose->direction_count; d++)
      add_line(text, "rising", dose->parts[p], "", NAN, dose->direction_axis->values[d], "share",
               &dose->rising_toward[p][d]);
}

static void add_joints(TextBuffer *text, const DoseTable *dose) {
  const double size = dose->sizes[dose->shown_size];
  for (int p = 0; p < dose->part_count; p++)
    for (int j = 0; j < dose->joint_count; j++) {
      add_value(text, "joint_peak", dose->parts[p], dose->joints[j], size, "all", "deg", dose->joint_peak[p][j]);
      add_value(text, "joint_peak_time", dose->parts[p], dose->joints[j], size, "all", "s",
                dose->joint_peak_time[p][j]);
    }
}

char *dose_csv(const DoseTable *dose, size_t *size) {
  const char *front = dose->has_front ? "front" : "all";
  TextBuffer text = {0};
  text_print(&text, "figure,part,other,impulse,direction,unit,count,value,low,high\n");
  for (int s = 0; s < dose->size_count; s++)
    add_line(&text, "part_dependence", "", "", dose->sizes[s], front, "", &dose->front[s]);
  for (int s = 0; s < dose->size_count && dose->has_front; s++)
    add_line(&text, "part_dependence", "", "", dose->sizes[s], "all", "", &dose->around[s]);
  add_rising(&text, dose);
  add_measures(&text, dose);
  add_distances(&text, dose, front);
  add_joints(&text, dose);
  if (text.failed) {
    text_free(&text);
    return NULL;
  }
  *size = text.size;
  return text.bytes;
}

// ---- For people ----

static void print_figures(FILE *out, const DoseTable *dose, const char *name, const DoseFigure *figures) {
  fprintf(out, "  %-22s", name);
  for (int s = 0; s < dose->size_count; s++)
    if (isfinite(figures[s].value))
      fprintf(out, " %7.2f", figures[s].value);
    else
      fprintf(out, " %7s", "-");
  fputs("\n", out);
}

void dose_print(FILE *out, const DoseTable *dose) {
  fprintf(out, "\nResponses over %s: median of the mean angle over joints and 0.8 s, deg\n  %-22s",
          dose->size_axis->name, "N s");
  for (int s = 0; s < dose->size_count; s++)
    fprintf(out, " %7g", dose->sizes[s]);
  fputs("\n", out);
  for (int p = 0; p < dose->part_count; p++)
    print_figures(out, dose, dose->parts[p], dose->measures[DOSE_SIZE][p]);
  fprintf(out, "Part-dependence: mean distance of responses to hits on two parts over their mean size\n");
  print_figures(out, dose, dose->has_front ? "from the front" : "all directions", dose->front);
  if (dose->has_front)
    print_figures(out, dose, "all directions", dose->around);
  if (dose->rising.count > 0)
    fprintf(out, "Of %ld neighbouring sizes %.1f %% rise (95 %%: %.1f to %.1f)\n", dose->rising.count,
            100 * dose->rising.value, 100 * dose->rising.low, 100 * dose->rising.high);
}
