// What was changed on the scene's curves since it was opened, step by step, to undo and redo it.
#ifndef STAGGER_VIEWER_CURVE_HISTORY_H
#define STAGGER_VIEWER_CURVE_HISTORY_H

#include "anim/curve.h"

enum { CURVE_HISTORY_MOST = 64 };

typedef struct CurveStep {
  int curve; // its index, see edits_curve
  Curve before, after;
} CurveStep;

// Zero-initialised it has no steps. Of more than CURVE_HISTORY_MOST the last ones are kept.
typedef struct CurveHistory {
  CurveStep steps[CURVE_HISTORY_MOST];
  int count, done; // steps; those of them that are not undone
  bool open;       // the last step is not over: the mouse still drags
} CurveHistory;

// Adds a change, which takes away the steps that could be redone. While a step is open, further changes of its curve
// belong to it.
void curve_history_add(CurveHistory *history, int curve, const Curve *before, const Curve *after);
void curve_history_close(CurveHistory *history);

// The step to be undone (its curve becomes `before`) or redone (`after`), valid until the next call; NULL: there is
// none.
const CurveStep *curve_history_undo(CurveHistory *history);
const CurveStep *curve_history_redo(CurveHistory *history);

#endif
