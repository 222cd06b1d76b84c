// Draws roses as SVG: one sector for each direction and size of a push, coloured by its outcome.
#include "scenes/report/svg_rose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PANEL = 440, HEIGHT = 500;               // px
static const double RADIUS = 172, HOLE = 40, CENTRE_Y = 236; // of a large rose
static const double SMALL = 205, SMALL_RADIUS = 84, SMALL_HOLE = 18;

// These colours differ also for people who cannot tell red from green, on white and on black.
static const double SHARE_COLORS[][3] = {
    {0x9e, 0x1f, 0x2f}, {0xe5, 0x8a, 0x62}, {0xf3, 0xe6, 0xcf}, {0x7f, 0xb3, 0xd3}, {0x1b, 0x5a, 0x9a}};
static const char *const STRATEGY_COLORS[DIRECTION_STRATEGIES] = {"#1b5a9a", "#5aa9c9", "#8fc07a", "#f0b445",
                                                                  "#a92b34"};
static const char *const STRATEGY_NAMES[DIRECTION_STRATEGIES] = {"ankle", "hip", "one step", "several steps", "fall"};

// Variables of the page's style, with the colours for files of their own after the commas.
static const char STYLE[] =
    "<style>.rose text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;"
    "fill:var(--soft,#5c6773)}"
    ".rose .rose-title{font-size:14px;font-weight:600;fill:var(--ink,#1b2128)}"
    ".rose .rose-ring{font-size:10px;font-weight:600;fill:#1b2128;stroke:#fff;stroke-width:2.6px;"
    "stroke-linejoin:round;paint-order:stroke}"
    ".rose .rose-paper{fill:var(--paper,#fff)}"
    ".rose .rose-cell{stroke:var(--paper,#fff);stroke-width:1;fill:none}"
    ".rose .rose-none{fill:var(--panel,#f0f2f4)}"
    ".rose .rose-man{fill:var(--soft,#5c6773)}</style>";

void svg_rose_color(double share, char color[8]) {
  enum { STOPS = sizeof SHARE_COLORS / sizeof SHARE_COLORS[0] };
  const double place = fmax(0, fmin(1, share)) * (STOPS - 1);
  const int low = (int)fmin(floor(place), STOPS - 2);
  unsigned rgb[3];
  for (int i = 0; i < 3; i++)
    rgb[i] = (unsigned)lround(SHARE_COLORS[low][i] + (place - low) * (SHARE_COLORS[low + 1][i] - SHARE_COLORS[low][i]));
  snprintf(color, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

// One rose on the picture, px.
typedef struct Rose {
  const DirectionTable *table;
  double x, y, hole, radius;
} Rose;

static double ring_radius(const Rose *rose, double ring) {
  return rose->hole + (rose->radius - rose->hole) * ring / rose->table->ring_count;
}

static void add_point(Html *html, const Rose *rose, const char *command, double degrees, double radius) {
  const double angle = degrees * (M_PI / 180);
  text_print(html, "%s%.1f %.1f", command, rose->x - radius * sin(angle), rose->y - radius * cos(angle));
}

// From one direction in deg counterclockwise to another, between two rings, which need not be whole.
static void add_patch(Html *html, const Rose *rose, double from, double to, double inner, double outer) {
  const double low = ring_radius(rose, inner), high = ring_radius(rose, outer);
  add_point(html, rose, "M", from, low);
  add_point(html, rose, "L", from, high);
  text_print(html, "A%.1f %.1f 0 0 0", high, high);
  add_point(html, rose, " ", to, high);
  add_point(html, rose, "L", to, low);
  text_print(html, "A%.1f %.1f 0 0 1", low, low);
  add_point(html, rose, " ", from, low);
  html_add(html, "Z");
}

static void add_fill(Html *html, const Rose *rose, double from, double to, double inner, double outer,
                     const char *color) {
  text_print(html, "<path fill=\"%s\" d=\"", color);
  add_patch(html, rose, from, to, inner, outer);
  html_add(html, "\"/>");
}

static double sector_width(const DirectionTable *table) { return 360.0 / table->sector_count; }

static void add_place(Html *html, const DirectionTable *table, int ring, int sector) {
  html_text(html, table->turn->name);
  text_print(html, " %g deg", table->directions[sector]);
  if (!table->outward)
    return;
  html_add(html, ", ");
  html_text(html, table->outward->name);
  html_add(html, " ");
  html_text(html, table->outward->values[ring]);
  html_add(html, " ");
  html_text(html, table->outward->unit);
}

// The share between the lower and the upper end of its interval.
static void add_share_cell(Html *html, const Rose *rose, const DirectionCell *cell, int ring, double from) {
  static const double STRIPE = 0.2; // of a cell's width
  const double width = sector_width(rose->table);
  const double ends[] = {0, STRIPE, 1 - STRIPE, 1};
  const double values[] = {cell->interval.low, (double)cell->successes / (double)cell->count, cell->interval.high};
  for (int i = 0; i < 3; i++) {
    char color[8];
    svg_rose_color(values[i], color);
    add_fill(html, rose, from + width * (1 - ends[i + 1]), from + width * (1 - ends[i]), ring, ring + 1, color);
  }
}

static void add_strategy_cell(Html *html, const Rose *rose, const DirectionCell *cell, int ring, double from) {
  const double width = sector_width(rose->table);
  long below = 0;
  for (int i = 0; i < DIRECTION_STRATEGIES; i++) {
    if (cell->strategies[i] == 0)
      continue;
    const double inner = ring + (double)below / (double)cell->told;
    below += cell->strategies[i];
    add_fill(html, rose, from, from + width, inner, ring + (double)below / (double)cell->told, STRATEGY_COLORS[i]);
  }
}

static void tell_share(Html *html, const DirectionCell *cell) {
  text_print(html, ": %ld of %ld, 95 %% interval %.1f to %.1f %%", cell->successes, cell->count,
             100 * cell->interval.low, 100 * cell->interval.high);
}

static void tell_strategies(Html *html, const DirectionCell *cell) {
  for (int i = 0; i < DIRECTION_STRATEGIES; i++)
    if (cell->strategies[i] > 0)
      text_print(html, ", %s %ld of %ld", STRATEGY_NAMES[i], cell->strategies[i], cell->told);
}

static void add_cell(Html *html, const Rose *rose, int ring, int sector, bool strategies) {
  const DirectionCell *cell = &rose->table->cells[ring * rose->table->sector_count + sector];
  const double width = sector_width(rose->table), from = rose->table->directions[sector] - width / 2;
  const bool known = (strategies ? cell->told : cell->count) > 0;
  html_add(html, "<g><title>");
  add_place(html, rose->table, ring, sector);
  if (known)
    (strategies ? tell_strategies : tell_share)(html, cell);
  html_add(html, "</title>");
  if (known)
    (strategies ? add_strategy_cell : add_share_cell)(html, rose, cell, ring, from);
  text_print(html, "<path class=\"rose-cell%s\" d=\"", known ? "" : " rose-none");
  add_patch(html, rose, from, from + width, ring, ring + 1);
  html_add(html, "\"/></g>");
}

// The pushed character from above: shoulders, head and nose.
static void add_man(Html *html, const Rose *rose) {
  const double size = rose->hole / 40;
  text_print(html,
             "<g class=\"rose-man\" transform=\"translate(%.1f %.1f) scale(%.2f)\"><ellipse rx=\"21\" ry=\"8\" "
             "opacity=\".45\"/><circle r=\"9\"/><path d=\"M-3.5 -7L0 -14L3.5 -7Z\"/></g>",
             rose->x, rose->y, size);
}

static void add_cells(Html *html, const Rose *rose, bool strategies) {
  for (int ring = 0; ring < rose->table->ring_count; ring++)
    for (int sector = 0; sector < rose->table->sector_count; sector++)
      add_cell(html, rose, ring, sector, strategies);
  add_man(html, rose);
}

static void add_text(Html *html, const char *kind, double x, double y, const char *anchor, const char *text) {
  text_print(html, "<text%s%s%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", kind[0] != '\0' ? " class=\"" : "", kind,
             kind[0] != '\0' ? "\"" : "", x, y, anchor);
  html_text(html, text);
  html_add(html, "</text>");
}

// Names of the sides around it, values of the rings between two sectors.
static void add_names(Html *html, const Rose *rose) {
  add_text(html, "", rose->x, rose->y - rose->radius - 7, "middle", "forward 0\xc2\xb0");
  add_text(html, "", rose->x, rose->y + rose->radius + 16, "middle", "back 180\xc2\xb0");
  add_text(html, "", rose->x - rose->radius - 6, rose->y, "end", "left");
  add_text(html, "", rose->x - rose->radius - 6, rose->y + 13, "end", "90\xc2\xb0");
  add_text(html, "", rose->x + rose->radius + 6, rose->y, "start", "right");
  add_text(html, "", rose->x + rose->radius + 6, rose->y + 13, "start", "270\xc2\xb0");
  const double angle = (rose->table->directions[0] - sector_width(rose->table) / 2) * (M_PI / 180);
  for (int ring = 0; rose->table->outward && ring < rose->table->ring_count; ring++) {
    const double radius = ring_radius(rose, ring + 0.5);
    add_text(html, "rose-ring", rose->x - radius * sin(angle), rose->y - radius * cos(angle) + 3.5, "middle",
             rose->table->outward->values[ring]);
  }
}

static void begin_picture(Html *html, double width, double height, const char *title, bool alone) {
  text_print(html, "<svg%s class=\"rose\" viewBox=\"0 0 %g %g\" style=\"max-width:%gpx\" role=\"img\">",
             alone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height, width);
  html_element(html, "title", NULL, title);
  html_add(html, STYLE);
  text_print(html, "<rect class=\"rose-paper\" width=\"%g\" height=\"%g\"/>", width, height);
}

// "from inside: impulse, N s"
static void add_outward(Html *html, double x, double y, const DirectionTable *table) {
  if (!table->outward)
    return;
  text_print(html, "<text x=\"%.1f\" y=\"%.1f\">outward: ", x, y);
  html_text(html, table->outward->name);
  if (table->outward->unit[0] != '\0') {
    html_add(html, ", ");
    html_text(html, table->outward->unit);
  }
  html_add(html, "</text>");
}

// Colours from 0 to 100 %, and how a cell is read.
static void add_share_key(Html *html, double x, double y) {
  enum { STEPS = 40 };
  for (int i = 0; i < STEPS; i++) {
    char color[8];
    svg_rose_color((i + 0.5) / STEPS, color);
    text_print(html, "<rect x=\"%.1f\" y=\"%.1f\" width=\"5.2\" height=\"10\" fill=\"%s\"/>", x + 5 * i, y, color);
  }
  add_text(html, "", x, y + 23, "start", "0 %");
  add_text(html, "", x + 100, y + 23, "middle", "50");
  add_text(html, "", x + 200, y + 23, "end", "100");
  const double left = x + 236, ends[] = {0, 9, 36, 45}, shares[] = {0.6, 0.85, 0.96};
  for (int i = 0; i < 3; i++) {
    char color[8];
    svg_rose_color(shares[i], color);
    text_print(html, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>", left + ends[i], y - 2,
               ends[i + 1] - ends[i], color);
  }
  add_text(html, "", left + 52, y + 5, "start", "low | share | high end");
  add_text(html, "", left + 52, y + 18, "start", "of its 95 % interval");
}

static void add_strategy_key(Html *html, double x, double y) {
  static const double widths[DIRECTION_STRATEGIES] = {62, 48, 76, 100, 0};
  for (int i = 0; i < DIRECTION_STRATEGIES; i++) {
    text_print(html, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, y, STRATEGY_COLORS[i]);
    add_text(html, "", x + 17, y + 10, "start", STRATEGY_NAMES[i]);
    x += widths[i];
  }
}

static void add_panel(Html *html, const DirectionTable *table, double left, bool strategies) {
  const Rose rose = {table, left + PANEL / 2, CENTRE_Y, HOLE, RADIUS};
  add_cells(html, &rose, strategies);
  add_names(html, &rose);
  add_outward(html, left + 12, 42, table);
  (strategies ? add_strategy_key : add_share_key)(html, left + 30, HEIGHT - 46);
}

void svg_rose(Html *html, const DirectionTable *table, const char *success, bool alone) {
  begin_picture(html, table->has_strategies ? 2 * PANEL : PANEL, HEIGHT, "Directions", alone);
  html_add(html, "<text class=\"rose-title\" x=\"12\" y=\"22\">Success: ");
  html_text(html, success);
  html_add(html, "</text>");
  add_panel(html, table, 0, false);
  if (table->has_strategies) {
    add_text(html, "rose-title", PANEL + 12, 22, "start", "Strategy, by shares within each ring");
    add_panel(html, table, PANEL, true);
  }
  html_add(html, "</svg>\n");
}

void svg_roses(Html *html, const DirectionTable *const tables[], const char *const names[], int count) {
  begin_picture(html, SMALL * count, SMALL + 24, "Directions, apart", false);
  for (int i = 0; i < count; i++) {
    const Rose rose = {tables[i], SMALL * (i + 0.5), 24 + SMALL / 2, SMALL_HOLE, SMALL_RADIUS};
    add_text(html, "rose-title", rose.x, 16, "middle", names[i]);
    add_cells(html, &rose, false);
  }
  html_add(html, "</svg>\n");
}
