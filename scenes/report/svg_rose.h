// Roses: the outcome of pushes to every side, as a picture around a character seen from above. Directions go around, 0
// deg up and 90 deg to the left; rings go outward. The pictures have all their style with them, so that they can stand
// alone.
#ifndef STAGGER_SCENES_REPORT_SVG_ROSE_H
#define STAGGER_SCENES_REPORT_SVG_ROSE_H

#include "scenes/report/direction_table.h"
#include "scenes/report/html.h"

// Two roses: the share of successes as colour, each cell between two stripes in the colours of the ends of its
// interval; and the strategies, each cell divided outward by their shares, mildest inside. Without strategies only the
// first. success: what counts as one. alone: as a file of its own, not within a page.
void svg_rose(Html *html, const DirectionTable *table, const char *success, bool alone);

// Small roses of successes beside each other, one for each value of another axis. names: "7 s" ...
void svg_roses(Html *html, const DirectionTable *const tables[], const char *const names[], int count);

// The colour of a share from 0 to 1 as "#rrggbb".
void svg_rose_color(double share, char color[8]);

#endif
