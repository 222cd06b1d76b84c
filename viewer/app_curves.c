// Curves of the live scene: their changes, and how these are undone and redone.
#include "viewer/app.h"

// Sets a curve in the description and in the running scene.
static void apply(App *app, int index, const Curve *curve) {
  Live *live = app_live(app);
  const EditGroup *group = edits_group(live->edits, edits_curve(live->edits, index)->group);
  Error error = {0};
  bool ok = edits_set_curve(live->edits, index, curve, &error);
  live_touch(live);
  ok = ok && scene_retune_curve(live->scene, group, &error);
  if (!ok)
    app_message(app, "%s", error.text);
}

void app_set_curve(App *app, int index, const Curve *curve) {
  const Edits *edits = app_live(app)->edits;
  const Curve before = *edits_curve_now(edits, index);
  apply(app, index, curve);
  if (!curve_is_equal(edits_curve_now(edits, index), &before))
    curve_history_add(&app->curve_history, index, &before, edits_curve_now(edits, index));
}

// Whether a curve is still as the steps left it: another scene may be open, or all changes were taken back.
static bool is_as_left(const Edits *edits, int index, const Curve *left) {
  return index < edits_curve_count(edits) && curve_is_equal(edits_curve_now(edits, index), left);
}

void app_undo(App *app, bool redo) {
  if (!app_live(app))
    return;
  const Edits *edits = app_live(app)->edits;
  const CurveStep *step = redo ? curve_history_redo(&app->curve_history) : curve_history_undo(&app->curve_history);
  if (step && !is_as_left(edits, step->curve, redo ? &step->before : &step->after)) {
    app->curve_history = (CurveHistory){0};
    step = NULL;
  }
  if (!step) {
    app_message(app, "no change of a curve to %s", redo ? "redo" : "undo");
    return;
  }
  const EditCurve *curve = edits_curve(edits, step->curve);
  apply(app, step->curve, redo ? &step->after : &step->before);
  app_message(app, "%s: %s: %s", redo ? "redone" : "undone", edits_group(edits, curve->group)->title, curve->row->name);
}
