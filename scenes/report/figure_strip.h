// Moments of a run side by side as stick figures in SVG, drawn from the poses: they need neither a viewer nor a script.
#ifndef STAGGER_SCENES_REPORT_FIGURE_STRIP_H
#define STAGGER_SCENES_REPORT_FIGURE_STRIP_H

#include "scenes/report/html.h"
#include "scenes/report/report_run.h"

enum { STRIP_MOMENTS = 8 };

// The times of a strip's pictures, and their character.
typedef struct StripPlan {
  int character;               // index
  const HitRecord *hit;        // around which; NULL: evenly over the run
  double times[STRIP_MOMENTS]; // s, ascending, within the run
} StripPlan;

// Around the worst hit of a run: before it, as it strikes, and until after recovery or a fall.
StripPlan strip_plan(const ReportRun *run);

// The character from its right, as it was shown, over what its drives aimed at (thin), each picture with its time; the
// part that was hit is marked. False: no motion can be read, then nothing is added; the error tells why.
bool figure_strip(Html *html, const ReportRun *run, const StripPlan *plan, Error *error);

#endif
