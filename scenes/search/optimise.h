// The search for values of parameters with a small cost, by CMA-ES: generations of candidates, each of which is run on
// all cells and repeats of the study. Candidate k has the trials of cells k * n to k * n + n - 1, n being the number of
// combinations of the crossed axes; the seeds are the same for all candidates.
//
// A parameter's range is 0 to 1 for the search, evenly or by logarithms; points beyond are reflected into it. The first
// candidate of all is `start`. After a restart the mean is drawn evenly from the range, with twice the population
// (IPOP: Auger and Hansen 2005, A restart CMA evolution strategy with increasing population size, CEC 2005).
#ifndef STAGGER_SCENES_SEARCH_OPTIMISE_H
#define STAGGER_SCENES_SEARCH_OPTIMISE_H

#include "scenes/search/cma_es.h"
#include "scenes/sweep/method.h"

extern const SweepMethod optimise_method;

// The state of the search after some complete generations: it is always made anew from study and table.
typedef struct Optimisation {
  CmaEs cma;
  CmaVector points[CMA_MOST_POINTS]; // of the present generation, in units of the ranges
  double costs[CMA_MOST_POINTS];     // of the last complete generation
  long first;                        // number of the present generation's first candidate
  int generation, restart;           // number of complete generations and of restarts
  bool ended;
  long best; // candidate with the lowest cost so far; of equal ones the first; -1: none
  double best_cost;
  CmaVector best_values; // its parameters
} Optimisation;

void optimise_begin(Optimisation *state, const StudyDef *study);

// Completes the present generation, whose points have their costs in the sorted table, and begins the next one unless
// the search has ended. False: rows are missing, or, with an error, a row has another point than the search.
bool optimise_step(Optimisation *state, const StudyDef *study, const Table *table, Error *error);

// The values of the parameters of a point.
void optimise_values(const StudyDef *study, const CmaVector point, double *values);

// The cost of a trial's row: the sum of the weighted terms, or `failure`.
double optimise_row_cost(const StudyDef *study, const Table *table, long row);

// Writes optimise.csv and .json, a row for each generation, and best.yaml: the study's scene with its best values.
bool optimise_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error);

#endif
