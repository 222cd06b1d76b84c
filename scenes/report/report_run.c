// Reads a trace for a report: metrics, hits, expectations and curves, and picks the hit that a report shows first.
#include "scenes/report/report_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double SAME_HIT = 0.025; // s, see MetricsHit

static bool read_time(ReportRun *run, Error *error) {
  if (run->frame_count < 1)
    return error_set(error, "the trace has no frames yet: there is nothing to report");
  run->time = calloc((size_t)run->frame_count, sizeof *run->time);
  if (!run->time)
    return error_set(error, "out of memory");
  return trace_read_column(run->reader, trace_time_channel.path, TRACE_FLOAT64, 0, run->frame_count, run->time, error);
}

// Of long runs every n-th frame is kept.
static void choose_frames(ReportRun *run, long most_frames) {
  long parts = 0;
  for (int i = 0; i < run->def->character_count; i++)
    parts += run->def->characters[i].body->part_count;
  const long by_parts = REPORT_MOST_POSES / (parts > 0 ? parts : 1);
  const long most = by_parts < 2 ? 2 : by_parts < most_frames ? by_parts : most_frames;
  run->stride = (int)((run->frame_count + most - 1) / most);
  run->kept_count = (run->frame_count - 1) / run->stride + 1;
}

static bool read_metrics(const ReportRun *run, ReportCharacter *character, Error *error) {
  character->metrics = calloc((size_t)metric_row_count, sizeof *character->metrics);
  if (!character->metrics)
    return error_set(error, "out of memory");
  for (int i = 0; i < metric_row_count; i++) {
    char name[2 * TRACE_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", character->def->name, metric_rows[i].name);
    name[TRACE_NAME_SIZE - 1] = '\0'; // as the trace cuts it
    if (trace_values(run->reader, "/metrics", name, &character->metrics[i], 1) != 1)
      character->metrics[i] = NAN;
  }
  return true;
}

double report_run_metric(const ReportCharacter *character, const char *name) {
  for (int i = 0; i < metric_row_count; i++)
    if (strcmp(metric_rows[i].name, name) == 0)
      return character->metrics[i];
  return NAN;
}

// Events that follow each other closely are one hit.
static bool group_events(ReportRun *run, Error *error) {
  run->hits = calloc((size_t)run->event_count, sizeof *run->hits);
  if (!run->hits)
    return error_set(error, "out of memory");
  double last[SCENE_MAX_CHARACTERS] = {0}, largest[SCENE_MAX_CHARACTERS] = {0};
  int open[SCENE_MAX_CHARACTERS] = {0};
  for (int i = 0; i < run->event_count; i++) {
    const TraceEvent *event = &run->events[i];
    const double impulse[3] = {(double)event->impulse[0], (double)event->impulse[1], (double)event->impulse[2]};
    const double size = length3(impulse);
    int who = 0;
    while (who < run->character_count && strcmp(run->characters[who].def->name, event->character) != 0)
      who++;
    if (who == run->character_count || size == 0)
      continue;
    const bool goes_on = largest[who] > 0 && event->time - last[who] <= SAME_HIT;
    if (!goes_on) {
      open[who] = run->hit_count++;
      HitRecord *hit = &run->hits[open[who]];
      snprintf(hit->character, sizeof hit->character, "%s", event->character);
      hit->hit = (MetricsHit){.time = event->time, .recovery_time = NAN, .peak_pose_error = NAN};
      largest[who] = 0;
    }
    MetricsHit *hit = &run->hits[open[who]].hit;
    hit->impulse += size;
    if (size > largest[who])
      snprintf(hit->part, sizeof hit->part, "%s", event->part);
    largest[who] = fmax(largest[who], size);
    last[who] = event->time;
  }
  return true;
}

static bool read_hits(ReportRun *run, Error *error) {
  run->events = trace_events(run->reader, &run->event_count);
  run->hits = hit_table_read(run->reader, &run->hit_count, error);
  run->hits_are_judged = run->hit_count > 0;
  if (run->hit_count == 0 && run->event_count > 0)
    return group_events(run, error);
  return run->hit_count >= 0;
}

static int severity(const MetricsHit *hit) {
  return strcmp(hit->strategy, "fall") == 0 ? 2 : isnan(hit->recovery_time) ? 1 : 0;
}

static bool is_worse(const MetricsHit *a, const MetricsHit *b) {
  if (severity(a) != severity(b))
    return severity(a) > severity(b);
  if (a->peak_com_displacement != b->peak_com_displacement)
    return a->peak_com_displacement > b->peak_com_displacement;
  return a->impulse > b->impulse;
}

const HitRecord *report_run_worst_hit(const ReportRun *run) {
  const HitRecord *worst = NULL;
  for (int i = 0; i < run->hit_count; i++)
    if (!worst || is_worse(&run->hits[i].hit, &worst->hit))
      worst = &run->hits[i];
  return worst;
}

// Worst first.
static void find_strategy(const ReportRun *run, ReportCharacter *character) {
  static const char *const order[] = {"fall", "steps", "step", "hip", "ankle"};
  for (int k = 0; k < 5 && run->hits_are_judged; k++)
    for (int i = 0; i < run->hit_count; i++)
      if (strcmp(run->hits[i].character, character->def->name) == 0 &&
          strcmp(run->hits[i].hit.strategy, order[k]) == 0) {
        snprintf(character->strategy, sizeof character->strategy, "%s", order[k]);
        return;
      }
}

static void judge(ReportRun *run) {
  run->expect_count = run->def->expect_count;
  for (int i = 0; i < run->expect_count; i++) {
    const Expect *expect = &run->def->expects[i];
    ReportExpect *verdict = &run->expects[i];
    verdict->text = expect->text;
    verdict->value = report_run_metric(&run->characters[expect->character], expect->metric);
    verdict->holds = expect_holds(expect, verdict->value);
    // Wall-clock time is not in traces.
    verdict->known = strcmp(expect->metric, "realtime_factor") != 0;
  }
}

bool report_run_is_complete(const ReportRun *run) { return strcmp(run->status, "complete") == 0; }

int report_run_failures(const ReportRun *run) {
  int failures = 0;
  for (int i = 0; i < run->expect_count; i++)
    failures += run->expects[i].known && !run->expects[i].holds;
  return failures;
}

static bool read_run(ReportRun *run, long most_frames, Error *error) {
  snprintf(run->name, sizeof run->name, "%s", run->def->name);
  snprintf(run->status, sizeof run->status, "%s", trace_text(run->reader, "status"));
  if (!read_time(run, error))
    return false;
  choose_frames(run, most_frames);
  run->frame_rate = trace_number(run->reader, "frame_rate");
  if (!(run->frame_rate > 0 && isfinite(run->frame_rate)))
    return error_set(error, "the trace is damaged: its attribute 'frame_rate' is %g", run->frame_rate);
  run->characters = calloc((size_t)run->def->character_count + 1, sizeof *run->characters);
  if (!run->characters)
    return error_set(error, "out of memory");
  run->character_count = run->def->character_count;
  for (int i = 0; i < run->character_count; i++) {
    run->characters[i].def = &run->def->characters[i];
    if (!read_metrics(run, &run->characters[i], error))
      return false;
  }
  if (!read_hits(run, error))
    return false;
  for (int i = 0; i < run->character_count; i++) {
    find_strategy(run, &run->characters[i]);
    if (!report_plots_read(run, &run->characters[i], error))
      return false;
  }
  judge(run);
  return true;
}

ReportRun *report_run_read(TraceReader *reader, SceneDef *def, long most_frames, Error *error) {
  ReportRun *run = calloc(1, sizeof *run);
  if (!run) {
    error_set(error, "out of memory");
    return NULL;
  }
  run->reader = reader;
  run->def = def;
  run->trial = -1;
  run->frame_count = trace_frame_count(reader);
  if (read_run(run, most_frames, error))
    return run;
  report_run_free(run);
  return NULL;
}

void report_run_free(ReportRun *run) {
  if (!run)
    return;
  for (int i = 0; i < run->character_count; i++) {
    report_plots_free(&run->characters[i]);
    free(run->characters[i].metrics);
  }
  free(run->characters);
  free(run->events);
  free(run->hits);
  free(run->time);
  free(run);
}
