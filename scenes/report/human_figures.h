// The figures of a run, or of the trials of a study, beside what people showed.
#ifndef STAGGER_SCENES_REPORT_HUMAN_FIGURES_H
#define STAGGER_SCENES_REPORT_HUMAN_FIGURES_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "scenes/report/html.h"
#include "scenes/report/human_bands.h"
#include "scenes/report/report_folder.h"
#include "scenes/report/report_run.h"

typedef struct HumanFigure {
  const HumanBand *band;
  const char *character;
  double value;     // in the band's unit: of a run; of a study the median, the share or R2
  double low, high; // of a study: the 10 % and 90 % quantiles over trials; else NAN
  long count;       // trials that have the metric; 1 of a run
  long inside;      // of these, those inside the band
  bool fits;        // the value is inside the band
} HumanFigure;

typedef struct HumanFigures {
  char protocol[32]; // "none": the scene names none
  bool is_study;
  HumanFigure *list; // of metrics that have a value
  int count;
  int counted, fitting; // the score: figures that were read or derived, and those of them that fit
} HumanFigures;

// rerun: for figures that need it, also runs the scene again, with and without its first hit. NULL and an error: no
// memory, or the scene cannot be built.
HumanFigures *human_figures_run(const ReportRun *run, bool rerun, Error *error);

// Of the columns that the study keeps. NULL and an error: no memory.
HumanFigures *human_figures_study(const StudyDef *study, const Table *table, Error *error);
void human_figures_free(HumanFigures *figures); // NULL is fine

// A table for people.
void human_figures_print(const HumanFigures *figures, FILE *file);

// {"protocol", "score": {"inside", "of"}, "figures": [{"check", "character", "metric", "unit", "value", "low", "high",
// "band": [low, high], "human", "inside", "trials", "trials_inside", "people", "source", "confidence", "counted"}]}.
// NULL: no memory.
cJSON *human_figures_json(const HumanFigures *figures);

// The section of a page, without its heading.
void human_figures_html(const HumanFigures *figures, Html *html);

#endif
