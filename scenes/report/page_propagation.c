// Writes the section on how the momentum of hits went through the body, as heat maps over time.
#include "scenes/report/page_propagation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/report/svg_plot.h"
#include "sim/base/numbers.h"

enum { MOST_HITS = 12, MOST_COLUMNS = 40 };

// Parts in the order in which they are reached, the last one first: the picture's rows go up.
static int sort_parts(const Propagation *hit, int order[BODY_MAX_PARTS]) {
  const int count = hit->struck->body->part_count;
  PartArrival arrivals[BODY_MAX_PARTS];
  for (int i = 0; i < count; i++) {
    arrivals[i] = propagation_arrival(hit, i);
    if (isnan(arrivals[i].first))
      arrivals[i].first = HUGE_VAL;
    int place = i;
    while (place > 0 && (arrivals[order[place - 1]].first < arrivals[i].first ||
                         (arrivals[order[place - 1]].first <= arrivals[i].first &&
                          arrivals[order[place - 1]].peak > arrivals[i].peak))) {
      order[place] = order[place - 1];
      place--;
    }
    order[place] = i;
  }
  return count;
}

// The largest difference within each stretch of time.
static void draw_hit(Html *html, const Propagation *hit) {
  static double values[BODY_MAX_PARTS * MOST_COLUMNS];
  static char times[MOST_COLUMNS][32];
  const char *columns[MOST_COLUMNS], *rows[BODY_MAX_PARTS];
  int order[BODY_MAX_PARTS];
  const int parts = sort_parts(hit, order), stride = (hit->step_count + MOST_COLUMNS - 1) / MOST_COLUMNS;
  const int count = stride > 0 ? hit->step_count / stride : 0;
  for (int c = 0; c < count; c++) {
    snprintf(times[c], sizeof times[c], "%.0f", 1000 * (c + 1) * stride * hit->dt);
    columns[c] = times[c];
  }
  for (int r = 0; r < parts; r++) {
    rows[r] = hit->struck->body->parts[order[r]].name;
    for (int c = 0; c < count; c++) {
      double most = 0;
      for (int s = c * stride; s < (c + 1) * stride; s++)
        most = fmax(most, propagation_size(hit, s, order[r]));
      values[r * count + c] = most;
    }
  }
  char title[128];
  snprintf(title, sizeof title, "%.1f N s on %s at %.3f s", length3(hit->impulse),
           hit->struck->body->parts[hit->part].name, hit->time);
  if (count > 0)
    svg_heat(html, &(SvgHeat){.title = title,
                              .unit = "N s",
                              .column_axis = "ms after the hit",
                              .row_axis = "part",
                              .column_names = columns,
                              .row_names = rows,
                              .columns = count,
                              .rows = parts,
                              .values = values});
}

static void number(Html *html, double value, int digits) {
  if (isfinite(value))
    text_print(html, "<td class=\"number\">%.*f</td>", digits, value);
  else
    html_add(html, "<td class=\"number none\">\xe2\x80\x93</td>");
}

static void list_parts(Html *html, const Propagation *hit) {
  int order[BODY_MAX_PARTS] = {0};
  const int count = sort_parts(hit, order);
  html_add(html, "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">part</th>"
                 "<th scope=\"col\" class=\"number\">reached <span class=\"unit\">ms</span></th>"
                 "<th scope=\"col\" class=\"number\">most <span class=\"unit\">N s</span></th>"
                 "<th scope=\"col\" class=\"number\">after <span class=\"unit\">ms</span></th></tr></thead><tbody>\n");
  for (int i = count - 1; i >= 0; i--) {
    const PartArrival arrival = propagation_arrival(hit, order[i]);
    html_add(html, "<tr>");
    html_element(html, "td", NULL, hit->struck->body->parts[order[i]].name);
    number(html, 1000 * arrival.first, 1);
    number(html, arrival.peak, 3);
    number(html, 1000 * arrival.peak_time, 1);
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

void page_propagation(Html *html, const PropagationList *list) {
  if (list->count == 0) {
    html_add(html, "<p class=\"note\">Nobody was hit.</p>\n");
    return;
  }
  text_print(
      html,
      "<p class=\"note\">How much each part's momentum differs (N s, norm) from that of the same run without the "
      "hit, by the same seed. A part is reached when that is %.0f %% of the impulse.</p>\n",
      100 * PROPAGATION_ARRIVAL);
  for (int i = 0; i < list->count && i < MOST_HITS; i++) {
    draw_hit(html, &list->hits[i]);
    html_add(html, "<details><summary>When parts were reached</summary>\n");
    list_parts(html, &list->hits[i]);
    html_add(html, "</details>\n");
  }
  if (list->count + list->left_out > MOST_HITS)
    text_print(html, "<p class=\"note\">And %d more hits: <code>stagger run --propagation</code> writes them.</p>\n",
               list->count + list->left_out - MOST_HITS);
}
