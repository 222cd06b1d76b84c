// Reads intents and their scripts, limits them to their ranges, and applies the steps of a script at their times.
#include "ragdoll/character/intent.h"

#include <math.h>
#include <stdio.h>

PARAM_TABLE(intent_params, Intent, INTENT_PARAMS, "intent", "What the character wants.")
PARAM_TABLE(jump_params, JumpGoal, JUMP_PARAMS, "jump", "A jump from both feet, in a step of a script.")

// s: a step counts as due this much before its time, since times of physics steps are sums.
static const double SLIVER = 1e-9;

static const double LONGEST = 360000; // s

// All rows of the table are of type REAL.
void intent_check(Intent *intent) {
  if (fabs(intent->heading) > 360)
    intent->heading = remainder(intent->heading, 360);
  for (int i = 0; i < intent_params.count; i++) {
    const Param *row = &intent_params.rows[i];
    double *value = (double *)(void *)((char *)intent + row->offset);
    *value = isfinite(*value) ? fmax(row->min, fmin(*value, row->max)) : 0;
  }
}

bool intent_is_equal(const Intent *a, const Intent *b) {
  for (int i = 0; i < intent_params.count; i++)
    if (!param_is_equal(&intent_params.rows[i], a, b))
      return false;
  return true;
}

static bool read_time(const Node *map, double before, double *time, Error *error) {
  const Node *node = node_find(map, "time");
  if (!node)
    return node_error(map, error, "'time' of the step is missing, in s");
  if (!node_real(node, time, error))
    return false;
  if (!(*time >= 0 && *time <= LONGEST))
    return node_error(node, error, "%g s is out of range, allowed is 0 to %g s", *time, LONGEST);
  return *time >= before || node_error(node, error, "%g s comes before %g s, the step above it", *time, before);
}

// Reads a map of names to values from `least` to 1.
static bool read_fades(IntentFade fades[], int *count, const Node *map, double least, Error *error) {
  if (!map)
    return true;
  if (map->kind != NODE_MAP || map->count > INTENT_MAX_FADES)
    return node_error(map, error, "'%s' is a map of up to %d names to their values", map->key, INTENT_MAX_FADES);
  for (const Node *item = map->first; item; item = item->next) {
    IntentFade *fade = &fades[(*count)++];
    snprintf(fade->name, sizeof fade->name, "%s", item->key);
    if (!node_real(item, &fade->weight, error))
      return false;
    if (!(fade->weight >= least && fade->weight <= 1))
      return node_error(item, error, "%g is out of range, allowed is %g to 1", fade->weight, least);
  }
  return true;
}

static bool read_step(IntentStep *step, const Node *map, double before, Error *error) {
  static const char *const other_keys[] = {"time", "event", "layers", "tones", "jump", NULL};
  *step = (IntentStep){0};
  param_defaults(&intent_params, &step->intent);
  if (map->kind != NODE_MAP)
    return node_error(map, error, "a step of a script is a map: {time: 2, speed: 1.3}");
  if (!param_read(&intent_params, &step->intent, map, other_keys, error) || !read_time(map, before, &step->time, error))
    return false;
  for (int i = 0; i < intent_params.count; i++)
    if (node_find(map, intent_params.rows[i].name))
      step->changed |= 1u << i;
  const Node *event = node_find(map, "event"), *jump = node_find(map, "jump");
  step->jumps = jump != NULL;
  param_defaults(&jump_params, &step->jump);
  if (jump && jump->kind != NODE_MAP)
    return node_error(jump, error, "'jump' is a map: {distance: 1.2, rise: 0.2}, in m");
  return (!jump || param_read(&jump_params, &step->jump, jump, NULL, error)) &&
         (!event || node_text(event, step->event, sizeof step->event, error)) &&
         read_fades(step->fades, &step->fade_count, node_find(map, "layers"), 0, error) &&
         read_fades(step->tones, &step->tone_count, node_find(map, "tones"), -1, error);
}

bool intent_script_read(IntentScript *script, const Node *list, Error *error) {
  script->count = 0;
  if (!list)
    return true;
  if (list->kind != NODE_LIST)
    return node_error(list, error, "'script' must be a list of steps: [{time: 2, speed: 1.3}]");
  if (list->count > INTENT_MAX_STEPS)
    return node_error(list, error, "%d steps, allowed are up to %d", list->count, INTENT_MAX_STEPS);
  double before = 0;
  for (const Node *item = list->first; item; item = item->next) {
    if (!read_step(&script->steps[script->count], item, before, error))
      return false;
    before = script->steps[script->count++].time;
  }
  return true;
}

void intent_script_apply(const IntentScript *script, double time, int *next, Intent *intent,
                         const IntentListener *listener) {
  for (; *next < script->count && script->steps[*next].time <= time + SLIVER; (*next)++) {
    const IntentStep *step = &script->steps[*next];
    for (int i = 0; i < intent_params.count; i++)
      if (step->changed >> i & 1)
        param_copy(&intent_params.rows[i], intent, &step->intent);
    if (step->event[0] != '\0' && listener->event)
      listener->event(listener->context, step->event);
    for (int i = 0; i < step->fade_count && listener->fade; i++)
      listener->fade(listener->context, step->fades[i].name, step->fades[i].weight);
    for (int i = 0; i < step->tone_count && listener->tone; i++)
      listener->tone(listener->context, step->tones[i].name, step->tones[i].weight);
    if (step->jumps && listener->jump)
      listener->jump(listener->context, &step->jump);
  }
}

void intent_state(Intent *intent, StateStream *stream) {
  STATE(stream, intent->speed, intent->strafe, intent->heading, intent->look_yaw, intent->look_pitch);
}
