// Writes and reads sweep.json: the version, machine, time and outcome of each session of a sweep.
#include "scenes/sweep/sweep_info.h"
#include "scenes/sweep/method.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HASH_SIZE = 17 };

// FNV-1a with 64 bits. Lengths are hashed, too, so that moving bytes from one text to the next changes the hash.
static void add_bytes(uint64_t *hash, const void *bytes, size_t size) {
  const unsigned char *parts[] = {(const unsigned char *)&size, bytes};
  const size_t sizes[] = {sizeof size, size};
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < sizes[part]; i++)
      *hash = (*hash ^ parts[part][i]) * 0x100000001b3;
}

static void hash_inputs(const StudyDef *study, char text[HASH_SIZE]) {
  uint64_t hash = 0xcbf29ce484222325;
  add_bytes(&hash, study->text, strlen(study->text));
  add_bytes(&hash, study->scene->text, strlen(study->scene->text));
  const FileSet *files = &study->scene->files;
  for (int i = 0; i < files->count; i++) {
    add_bytes(&hash, files->files[i].name, strlen(files->files[i].name));
    add_bytes(&hash, files->files[i].bytes, files->files[i].size);
  }
  snprintf(text, HASH_SIZE, "%016" PRIx64, hash);
}

static const char *text_of(const cJSON *object, const char *name) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  return text ? text : "";
}

bool sweep_info_is_of(const char *text, const StudyDef *study) {
  char hash[HASH_SIZE];
  hash_inputs(study, hash);
  cJSON *info = cJSON_Parse(text);
  bool same = strcmp(text_of(info, "inputs"), hash) == 0;
  cJSON_Delete(info);
  return same;
}

// Reads the folder's information, NULL: none yet. Rows of two program versions, or of two scenes, must not be in one
// table.
static bool read_info(const SweepFolder *folder, cJSON **info, Error *error) {
  size_t size;
  char *text = sweep_folder_text(folder, "sweep.json", &size);
  *info = text != NULL ? cJSON_Parse(text) : NULL;
  bool same = !*info || sweep_info_is_of(text, folder->study);
  free(text);
  if (!*info)
    return true;
  const char *version = text_of(*info, "stagger_version");
  if (strcmp(version, STAGGER_VERSION) != 0)
    error_set(error, "%s: its trials were run by stagger %s, this is %s: name another folder with --out", folder->path,
              version, STAGGER_VERSION);
  else if (!same)
    error_set(error,
              "%s: a file that the scene names (a body, a clip, a graph) is not what it was when the trials were run: "
              "name another folder with --out",
              folder->path);
  else
    return true;
  cJSON_Delete(*info);
  return false;
}

static cJSON *new_info(const StudyDef *study, const char *method) {
  char hash[HASH_SIZE];
  hash_inputs(study, hash);
  cJSON *info = cJSON_CreateObject();
  cJSON_AddStringToObject(info, "format", "stagger-sweep");
  cJSON_AddStringToObject(info, "stagger_version", STAGGER_VERSION);
  cJSON_AddStringToObject(info, "method", method);
  cJSON_AddStringToObject(info, "study", study->name);
  cJSON_AddStringToObject(info, "study_file", study->path);
  cJSON_AddStringToObject(info, "scene_file", study->scene_path);
  cJSON_AddStringToObject(info, "inputs", hash);
  cJSON_AddNumberToObject(info, "trials", (double)study->trial_count);
  cJSON_AddStringToObject(info, "status", "running");
  cJSON_AddArrayToObject(info, "runs");
  return info;
}

static void set_text(cJSON *object, const char *name, const char *text) {
  cJSON_ReplaceItemInObjectCaseSensitive(object, name, cJSON_CreateString(text));
}

static void set_number(cJSON *object, const char *name, double number) {
  cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name), number);
}

static cJSON *new_run(const SweepOptions *options, int ranks, int workers) {
  char host[256] = "", started[32];
  gethostname(host, sizeof host - 1);
  time_t now = time(NULL);
  strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  cJSON *run = cJSON_CreateObject();
  cJSON_AddStringToObject(run, "command", options->command ? options->command : "");
  cJSON_AddStringToObject(run, "host", host);
  cJSON_AddNumberToObject(run, "process", getpid());
  cJSON_AddStringToObject(run, "started", started);
  cJSON_AddNumberToObject(run, "ranks", ranks);
  cJSON_AddNumberToObject(run, "workers", workers);
  cJSON_AddStringToObject(run, "status", "running");
  cJSON_AddNumberToObject(run, "trials", 0);
  cJSON_AddNumberToObject(run, "traces", 0);
  cJSON_AddNumberToObject(run, "wall_time", 0);
  return run;
}

cJSON *sweep_info_begin(const SweepFolder *folder, const SweepOptions *options, int ranks, int workers, Error *error) {
  cJSON *info;
  if (!read_info(folder, &info, error))
    return NULL;
  if (!info)
    info = new_info(folder->study, options->method->name);
  cJSON *runs = cJSON_GetObjectItemCaseSensitive(info, "runs"), *earlier;
  cJSON_ArrayForEach(earlier, runs) if (strcmp(text_of(earlier, "status"), "running") == 0)
      set_text(earlier, "status", "killed");
  set_text(info, "status", "running");
  cJSON *run = new_run(options, ranks, workers);
  if (run && cJSON_AddItemToArray(runs, run))
    return info;
  error_set(error, "%s: out of memory, or its sweep.json is damaged", folder->path);
  cJSON_Delete(run);
  cJSON_Delete(info);
  return NULL;
}

void sweep_info_end(cJSON *info, const char *status, long trials, long traces, double wall_time) {
  cJSON *runs = cJSON_GetObjectItemCaseSensitive(info, "runs");
  cJSON *run = cJSON_GetArrayItem(runs, cJSON_GetArraySize(runs) - 1);
  set_text(info, "status", status);
  set_text(run, "status", status);
  set_number(run, "trials", (double)trials);
  set_number(run, "traces", (double)traces);
  set_number(run, "wall_time", wall_time);
}

char *sweep_info_text(const cJSON *info) {
  char *text = cJSON_Print(info);
  size_t length = text ? strlen(text) : 0;
  char *whole = text ? realloc(text, length + 2) : NULL;
  if (!whole) {
    free(text);
    return NULL;
  }
  memcpy(whole + length, "\n", 2);
  return whole;
}
