// Steps of changed curves in one list: those before `done` can be undone, those behind it redone.
#include "viewer/curve_history.h"

#include <string.h>

void curve_history_add(CurveHistory *history, int curve, const Curve *before, const Curve *after) {
  CurveStep *last = history->done > 0 ? &history->steps[history->done - 1] : NULL;
  history->count = history->done;
  if (history->open && last && last->curve == curve) {
    last->after = *after;
    return;
  }
  if (history->count == CURVE_HISTORY_MOST) {
    memmove(history->steps, history->steps + 1, sizeof history->steps - sizeof history->steps[0]);
    history->count--;
  }
  history->steps[history->count++] = (CurveStep){curve, *before, *after};
  history->done = history->count;
  history->open = true;
}

void curve_history_close(CurveHistory *history) { history->open = false; }

const CurveStep *curve_history_undo(CurveHistory *history) {
  history->open = false;
  return history->done > 0 ? &history->steps[--history->done] : NULL;
}

const CurveStep *curve_history_redo(CurveHistory *history) {
  history->open = false;
  return history->done < history->count ? &history->steps[history->done++] : NULL;
}
