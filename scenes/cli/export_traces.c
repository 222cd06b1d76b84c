// Lists the traces of a folder, and what a study has set for each.
#include "scenes/cli/export_traces.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/output/output_file.h"
#include "scenes/report/report_folder.h"
#include "scenes/sweep/sweep_folder.h"

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool add_path(ExportTraces *traces, const char *folder, const char *name) {
  char **grown = realloc(traces->paths, ((size_t)traces->count + 1) * sizeof *grown);
  if (!grown)
    return false;
  traces->paths = grown;
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder, name, path);
  grown[traces->count] = strdup(path);
  return grown[traces->count] && ++traces->count > 0;
}

static bool list_folder(ExportTraces *traces, const char *folder, Error *error) {
  DIR *opened = opendir(folder);
  if (!opened)
    return error_at(error, folder, 0, 0, "cannot be read: %s", strerror(errno));
  bool good = true;
  for (const struct dirent *entry; good && (entry = readdir(opened));)
    if (output_has_ending(entry->d_name, ".h5"))
      good = add_path(traces, folder, entry->d_name);
  closedir(opened);
  if (!good)
    return error_set(error, "out of memory");
  if (traces->count == 0)
    return error_at(error, folder, 0, 0,
                    "there is nothing in it to export, no trace (.h5); a study keeps those that its `traces` say");
  qsort(traces->paths, (size_t)traces->count, sizeof *traces->paths, compare_names);
  return true;
}

// The values of a trial's axes, in one line.
static char *describe_trial(const StudyDef *study, const char *path) {
  long trial;
  char text[1024] = "";
  const char *name = strrchr(path, '/');
  if (!study || !name || sscanf(name, "/trial_%ld.h5", &trial) != 1 || trial < 0 || trial >= study->trial_count)
    return strdup("");
  for (int a = 0; a < study->axis_count; a++) {
    const StudyAxis *axis = &study->axes[a];
    const size_t length = strlen(text);
    char value[PARAM_TEXT_SIZE];
    study_value(study, a, trial, value);
    snprintf(text + length, sizeof text - length, "%s%s %s%s%s", a > 0 ? ", " : "", axis->name, value,
             axis->unit[0] != '\0' ? " " : "", axis->unit);
  }
  return strdup(text);
}

static bool describe(ExportTraces *traces, const StudyDef *study, Error *error) {
  traces->settings = calloc((size_t)traces->count, sizeof *traces->settings);
  bool good = traces->settings != NULL;
  for (int i = 0; i < traces->count && good; i++) {
    traces->settings[i] = describe_trial(study, traces->paths[i]);
    good = traces->settings[i] != NULL;
  }
  return good || error_set(error, "out of memory");
}

bool export_traces_find(ExportTraces *traces, const char *folder, Error *error) {
  *traces = (ExportTraces){0};
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder, "study.yaml", path);
  if (access(path, F_OK) != 0)
    return list_folder(traces, folder, error) && describe(traces, NULL, error);
  sweep_folder_path(folder, "traces", path);
  ReportFolder *study = report_folder_open(folder, error);
  const bool good = study && list_folder(traces, path, error) && describe(traces, study->study, error);
  report_folder_close(study);
  return good;
}

void export_traces_free(ExportTraces *traces) {
  for (int i = 0; i < traces->count; i++) {
    free(traces->paths[i]);
    if (traces->settings)
      free(traces->settings[i]);
  }
  free(traces->paths);
  free(traces->settings);
  *traces = (ExportTraces){0};
}
