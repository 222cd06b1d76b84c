// The learning curve of a skill: its points, as a table and as a picture.
#include "scenes/train/skill_train_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/output_file.h"
#include "scenes/train/learning_curve.h"
#include "sim/base/reserve.h"

bool skill_train_add_point(TrainingRun *training, double samples, Error *error) {
  skill_task_gather(&training->task);
  if (!reserve(&training->points, &training->point_capacity, training->point_count + 1, sizeof *training->points))
    return error_set(error, "no memory for the learning curve");
  CurvePoint *point = &training->points[training->point_count++];
  *point = (CurvePoint){.samples = training->samples_before + samples,
                        .minutes = skill_train_minutes(training),
                        .seconds_to_failure =
                            training->decisions / training->skill->params.rate / fmax(1, training->failures),
                        .reward = training->reward_sum / fmax(1, training->decisions),
                        .help = training->task.assist,
                        .hit_share = training->task.hit_share,
                        .stage = training->stage};
  skill_task_terms(&training->task, point->terms);
  training->decisions = training->failures = training->reward_sum = 0;
  return true;
}

// The curve as a table. NULL: no memory.
static char *curve_table(const TrainingRun *training) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "stage,samples,minutes,seconds_to_failure,reward");
  for (int k = 0; k < SKILL_TERMS; k++)
    fprintf(out, ",%s", skill_term_names[k]);
  fprintf(out, ",help,hit_share\n");
  for (int i = 0; i < training->point_count; i++) {
    const CurvePoint *p = &training->points[i];
    fprintf(out, "%d,%.0f,%.3f,%.3f,%.5f", p->stage + 1, p->samples, p->minutes, p->seconds_to_failure, p->reward);
    for (int k = 0; k < SKILL_TERMS; k++)
      fprintf(out, ",%.5g", p->terms[k]);
    fprintf(out, ",%.4f,%.4f\n", p->help, p->hit_share);
  }
  return fclose(out) == 0 ? text : NULL;
}

// The curve as a picture, of the terms that lie between 0 and 1. NULL: no memory.
static char *curve_picture(const TrainingRun *training) {
  LearningStage stages[MAX_STAGES];
  LearningCurve curve = {.title = training->skill->name,
                         .row_count = training->point_count,
                         .term_names = skill_term_names,
                         .term_count = SKILL_TERM_CHANGE,
                         .stages = stages};
  LearningRow *rows = calloc((size_t)training->point_count + 1, sizeof *rows);
  if (!rows)
    return NULL;
  for (int i = 0; i < training->point_count; i++) {
    const CurvePoint *p = &training->points[i];
    rows[i] = (LearningRow){p->samples, p->minutes, p->seconds_to_failure, p->reward, {0}};
    memcpy(rows[i].terms, p->terms, SKILL_TERM_CHANGE * sizeof *p->terms);
    if (i == 0 || p->stage != training->points[i - 1].stage)
      stages[curve.stage_count++] =
          (LearningStage){training->stages[p->stage].name, i == 0 ? 0 : training->points[i - 1].samples};
  }
  curve.rows = rows;
  char *picture = learning_curve_svg(&curve);
  free(rows);
  return picture;
}

bool skill_train_is_picture(const char *path) {
  const char *ending = strrchr(path, '.');
  return ending && strcmp(ending, ".svg") == 0;
}

bool skill_train_write_curve(const TrainingRun *training, Error *error) {
  const char *path = training->options->curve;
  if (!path)
    return true;
  char *text = skill_train_is_picture(path) ? curve_picture(training) : curve_table(training);
  bool good =
      text ? output_write(path, text, strlen(text), error) : error_set(error, "no memory for the learning curve");
  free(text);
  return good;
}
