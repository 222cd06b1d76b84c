// The method of stagger sweep: all trials of a study, a summary, and dose.csv where it applies.
#include <stdlib.h>

#include "scenes/sweep/dose.h"
#include "scenes/sweep/method.h"
#include "scenes/sweep/response_file.h"
#include "scenes/sweep/summary.h"

static bool accepts(const StudyDef *study, Error *error) {
  return study->optimise.parameter_count == 0 ||
         error_set(error, "%s: has a table 'optimise', whose parameters only stagger optimise sets", study->path);
}

static long *next(const StudyDef *study, const Table *table, long *count, Error *error) {
  TrialList list = {0};
  for (long cell = 0; cell < study->cell_count && !list.failed; cell++)
    trial_list_cell(&list, study, table, cell);
  return trial_list_take(&list, count, error);
}

static bool write_summary(const SweepFolder *folder, const Summary *summary, Error *error) {
  size_t size = 0;
  char *text = summary_csv(folder->study, summary, &size);
  return sweep_folder_take(folder, "summary.csv", text, size, error);
}

static bool write_dose(const SweepFolder *folder, const DoseTable *dose, Error *error) {
  size_t size = 0;
  char *text = dose_csv(dose, &size);
  return sweep_folder_take(folder, "dose.csv", text, size, error);
}

// Writes dose.csv and prints its most important figures.
static bool finish_dose(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  const StudyDef *study = folder->study;
  if (!dose_applies(study))
    return true;
  ResponseFile *responses = response_file_open(folder->path, study, error);
  DoseTable *dose = responses ? dose_create(study, table, responses, error) : NULL;
  const bool good = dose && write_dose(folder, dose, error);
  if (good && !quiet)
    dose_print(stdout, dose);
  dose_destroy(dose);
  response_file_close(responses);
  return good;
}

static bool finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  Summary *summary = summary_create(folder->study, table, error);
  const bool good = summary && write_summary(folder, summary, error);
  if (summary && !quiet)
    summary_print(stdout, folder->study, table, summary);
  summary_destroy(summary);
  return good && finish_dose(folder, table, quiet, error);
}

const SweepMethod sweep_method = {"sweep", accepts, next, NULL, finish};
