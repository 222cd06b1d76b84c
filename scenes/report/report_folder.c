// Opens the folder of a study's results and reads what a report needs of it: the plan, the trials, their summary and
// traces.
#include "scenes/report/report_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/sweep/sweep_folder.h"

// Traces.

static int compare_trials(const void *a, const void *b) {
  const long p = *(const long *)a, q = *(const long *)b;
  return p < q ? -1 : p > q;
}

// The trials that have a trace, ascending. The caller frees them; NULL: none, or no memory.
static long *find_traces(const char *folder, int *count) {
  char path[SWEEP_PATH_SIZE];
  long *trials = NULL;
  *count = 0;
  sweep_folder_path(folder, "traces", path);
  DIR *opened = opendir(path);
  for (const struct dirent *entry; opened && (entry = readdir(opened));) {
    char name[64], wanted[80];
    long trial;
    if (sscanf(entry->d_name, "trial_%ld.h5", &trial) != 1 || trial < 0)
      continue;
    study_trace_name(trial, name, sizeof name);
    snprintf(wanted, sizeof wanted, "traces/%.60s", entry->d_name);
    long *grown = strcmp(name, wanted) == 0 ? realloc(trials, (size_t)(*count + 1) * sizeof *grown) : NULL;
    if (!grown)
      continue;
    trials = grown;
    trials[(*count)++] = trial;
  }
  if (opened)
    closedir(opened);
  if (trials)
    qsort(trials, (size_t)*count, sizeof *trials, compare_trials);
  return trials;
}

static void free_trace(ReportTrace *trace) {
  report_run_free(trace->run);
  scene_def_free(trace->def);
  trace_reader_close(trace->reader);
  *trace = (ReportTrace){0};
}

static bool read_trace(ReportTrace *trace, const char *path, long trial, long most_frames, Error *error) {
  trace->reader = trace_open(path, error);
  trace->def = trace->reader ? scene_def_from_trace(trace->reader, error) : NULL;
  trace->run = trace->def ? report_run_read(trace->reader, trace->def, most_frames, error) : NULL;
  if (!trace->run) {
    free_trace(trace);
    return false;
  }
  trace->run->trial = trial;
  snprintf(trace->run->name, sizeof trace->run->name, "trial %ld", trial);
  return true;
}

static void read_traces(ReportFolder *folder, Html *notes) {
  long *trials = find_traces(folder->path, &folder->kept_count);
  const int most = folder->kept_count < REPORT_MOST_TRACES ? folder->kept_count : REPORT_MOST_TRACES;
  for (int i = 0; i < most; i++) {
    // Evenly from the first to the last.
    const long trial = trials[most > 1 ? (long)i * (folder->kept_count - 1) / (most - 1) : 0];
    char name[64], path[SWEEP_PATH_SIZE];
    Error error = {0};
    study_trace_name(trial, name, sizeof name);
    sweep_folder_path(folder->path, name, path);
    if (read_trace(&folder->traces[folder->trace_count], path, trial, REPORT_MOST_STUDY_FRAMES / most, &error)) {
      folder->trace_count++;
      continue;
    }
    text_print(notes, "no replay of trial %ld: ", trial);
    html_add(notes, error.text);
    html_add(notes, "\n");
  }
  free(trials);
}

// The study.

// The files that the first trace carries, which were run.
static void gather_embedded(FileSet *files, const ReportFolder *folder) {
  int count;
  long *trials = find_traces(folder->path, &count);
  char name[64], path[SWEEP_PATH_SIZE];
  FileSet embedded = {0};
  study_trace_name(trials ? trials[0] : 0, name, sizeof name);
  sweep_folder_path(folder->path, name, path);
  TraceReader *reader = trials ? trace_open(path, NULL) : NULL;
  if (reader && trace_files(reader, &embedded, NULL))
    for (int i = 0; i < embedded.count; i++)
      files_put(files, embedded.files[i].name, embedded.files[i].bytes, embedded.files[i].size);
  files_free(&embedded);
  trace_reader_close(reader);
  free(trials);
}

// The files that the scene names: those of a trace, else those of the disk, found from where the scene was.
static void gather_files(FileSet *files, const ReportFolder *folder) {
  gather_embedded(files, folder);
  const char *scene = cJSON_GetStringValue(cJSON_GetObjectItem(folder->info, "scene_file"));
  scene_folder(scene ? scene : folder->path, files->folder, sizeof files->folder);
}

// The study of study.yaml with the scene of scene.yaml, which may have been changed since where it came from.
static StudyDef *read_study(const ReportFolder *folder, const char *path, const char *text, const char *scene,
                            Error *error) {
  Document document;
  if (!document_parse(&document, path, text, error))
    return NULL;
  FileSet files = {0};
  const Node *name = node_find(document.root, "scene");
  if (name && name->kind == NODE_SCALAR)
    files_put(&files, name->text, scene, strlen(scene));
  gather_files(&files, folder);
  StudyDef *study = study_from_text(path, text, &files, error);
  document_free(&document);
  return study;
}

static char *read_text(const ReportFolder *folder, const char *name, Error *error) {
  SweepFolder place = {.lock = -1, .rows = -1};
  size_t size;
  snprintf(place.path, sizeof place.path, "%s", folder->path);
  char *text = sweep_folder_text(&place, name, &size);
  if (!text)
    error_set(error, "%s: is not the folder of a study: it has no %s that can be read", folder->path, name);
  return text;
}

static bool read_plan(ReportFolder *folder, Error *error) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, "study.yaml", path);
  char *text = read_text(folder, "study.yaml", error);
  char *scene = text ? read_text(folder, "scene.yaml", error) : NULL;
  if (scene)
    folder->study = read_study(folder, path, text, scene, error);
  free(text);
  free(scene);
  return folder->study != NULL;
}

static bool read_rows(ReportFolder *folder, Error *error) {
  SweepFolder place = {.study = folder->study, .lock = -1, .rows = -1};
  snprintf(place.path, sizeof place.path, "%s", folder->path);
  folder->table = sweep_folder_read(&place, error);
  return folder->table && table_sort(folder->table, error);
}

static bool sum_up(ReportFolder *folder, Error *error) {
  if (folder->table->row_count == 0)
    return error_set(error, "%s: no trial of the study has been run yet", folder->path);
  folder->summary = summary_create(folder->study, folder->table, error);
  return folder->summary != NULL;
}

// The name that the sweep gave it, else that of its folder.
static void name_study(ReportFolder *folder) {
  const char *known = cJSON_GetStringValue(cJSON_GetObjectItem(folder->info, "study"));
  char *full = realpath(folder->path, NULL);
  const char *slash = full ? strrchr(full, '/') : NULL;
  snprintf(folder->name, sizeof folder->name, "%s",
           known != NULL               ? known
           : slash && slash[1] != '\0' ? slash + 1
                                       : "study");
  free(full);
}

static void read_info(ReportFolder *folder) {
  char *text = read_text(folder, "sweep.json", NULL);
  folder->info = text ? cJSON_Parse(text) : NULL;
  free(text);
}

ReportFolder *report_folder_open(const char *path, Error *error) {
  ReportFolder *folder = calloc(1, sizeof *folder);
  if (!folder || strlen(path) >= sizeof folder->path) {
    error_set(error, "%.100s: %s", path, !folder ? "out of memory" : "the path is too long");
    free(folder);
    return NULL;
  }
  snprintf(folder->path, sizeof folder->path, "%s", path);
  read_info(folder);
  name_study(folder);
  free(find_traces(path, &folder->kept_count));
  if (read_plan(folder, error) && read_rows(folder, error))
    return folder;
  report_folder_close(folder);
  return NULL;
}

ReportFolder *report_folder_read(const char *path, Html *notes, Error *error) {
  ReportFolder *folder = report_folder_open(path, error);
  if (!folder)
    return NULL;
  read_traces(folder, notes);
  if (sum_up(folder, error))
    return folder;
  report_folder_close(folder);
  return NULL;
}

void report_folder_close(ReportFolder *folder) {
  if (!folder)
    return;
  for (int i = 0; i < folder->trace_count; i++)
    free_trace(&folder->traces[i]);
  summary_destroy(folder->summary);
  table_free(folder->table);
  study_free(folder->study);
  cJSON_Delete(folder->info);
  free(folder);
}

const char *report_folder_status(const ReportFolder *folder) {
  const char *told = cJSON_GetStringValue(cJSON_GetObjectItem(folder->info, "status"));
  if (told)
    return told;
  return folder->table->row_count >= folder->study->trial_count ? "complete" : "partial";
}

bool report_folder_is_complete(const ReportFolder *folder) {
  return strcmp(report_folder_status(folder), "complete") == 0 ||
         folder->table->row_count >= folder->study->trial_count;
}

const SummaryRow *report_folder_whole(const ReportFolder *folder, const char *column, const char *label) {
  const int index = table_find(folder->table, column);
  for (int i = 0; i < folder->summary->count && folder->summary->rows[i].scope == SUMMARY_ALL; i++)
    if (folder->summary->rows[i].column == index && strcmp(folder->summary->rows[i].label, label) == 0)
      return &folder->summary->rows[i];
  return NULL;
}
