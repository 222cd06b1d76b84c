// Pictures of a table of doses: curves over the size of a hit, a panel for each part; distances of the parts'
// responses, and part-dependence. They have all their style with them, so that they can stand alone.
#ifndef STAGGER_SCENES_REPORT_SVG_DOSE_H
#define STAGGER_SCENES_REPORT_SVG_DOSE_H

#include "scenes/report/html.h"
#include "scenes/sweep/dose.h"

// A measure over the size: in each panel the median of one part with its 95 % interval, those of the others in grey.
void svg_dose_curves(Html *html, const DoseTable *dose, DoseMeasure measure);

// Part-dependence over the size, from the front and over all directions.
void svg_dose_dependence(Html *html, const DoseTable *dose);

// Curves of the size of responses, the distances at the middle size, and part-dependence: a file of its own.
void svg_dose(Html *html, const DoseTable *dose);

#endif
