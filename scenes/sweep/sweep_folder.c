// The files of a study's results: they are opened, locked, read, and written in whole or not at all.
#include "scenes/sweep/sweep_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenes/output/explanations.h"
#include "scenes/output/output_file.h"
#include "scenes/sweep/trial.h"
#include "sim/base/wall_clock.h"

static const char STUDY[] = "study.yaml", SCENE[] = "scene.yaml", ROWS[] = "trials.csv";

void sweep_folder_path(const char *folder, const char *name, char path[SWEEP_PATH_SIZE]) {
  snprintf(path, SWEEP_PATH_SIZE, "%s/%s", folder, name);
}

bool sweep_folder_of(const char *file, char folder[SWEEP_PATH_SIZE]) {
  static const char *const names[] = {"trials.csv", "trials.h5", "summary.csv", "dose.csv", "sweep.json"};
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const int length = slash ? (int)(slash - file) : 1;
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    known = known || strcmp(name, names[i]) == 0;
  if (!known || snprintf(folder, SWEEP_PATH_SIZE, "%.*s", length, slash ? file : ".") >= SWEEP_PATH_SIZE)
    return false;
  char study[SWEEP_PATH_SIZE + sizeof STUDY];
  snprintf(study, sizeof study, "%s/%s", folder, STUDY);
  return access(study, F_OK) == 0;
}

// ---- Files ----

// Reads a file and appends a zero byte. NULL and errno when it cannot be read.
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  struct stat found;
  char *bytes = NULL;
  if (file && fstat(fileno(file), &found) == 0 && (bytes = malloc((size_t)found.st_size + 1))) {
    *size = fread(bytes, 1, (size_t)found.st_size, file);
    bytes[*size] = '\0';
  }
  int cause = errno;
  if (file)
    fclose(file);
  errno = cause;
  return bytes;
}

char *sweep_folder_text(const SweepFolder *folder, const char *name, size_t *size) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, name, path);
  return read_file(path, size);
}

// Appends all bytes to a file, or restores its former size. Returns an errno.
static int append_bytes(int file, size_t before, const char *bytes, size_t size) {
  size_t written = 0;
  while (written < size) {
    ssize_t count = write(file, bytes + written, size - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      int cause = count < 0 ? errno : ENOSPC;
      return ftruncate(file, (off_t)before) == 0 ? cause : errno;
    }
    written += (size_t)count;
  }
  return 0;
}

static bool failed(const char *path, int cause, Error *error) {
  error_set(error, "%s: cannot be written: %s", path, strerror(cause));
  return cause == ENOSPC || cause == EDQUOT || cause == EIO ? error_unwritten(error) : false;
}

bool sweep_folder_write(const SweepFolder *folder, const char *name, const char *text, size_t size, Error *error) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, name, path);
  return output_write(path, text, size, error);
}

bool sweep_folder_take(const SweepFolder *folder, const char *name, char *text, size_t size, Error *error) {
  bool good =
      text ? sweep_folder_write(folder, name, text, size, error) : error_set(error, "%s: out of memory", folder->path);
  free(text);
  return good;
}

// ---- Opening ----

static bool is_empty(DIR *folder) {
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      return false;
  return true;
}

// Creates the folder, or checks that it is empty or contains a study.
static bool find_folder(SweepFolder *folder, Error *error) {
  folder->made = mkdir(folder->path, 0777) == 0;
  folder->is_new = folder->made;
  if (folder->made)
    return true;
  if (errno != EEXIST)
    return failed(folder->path, errno, error);
  DIR *opened = opendir(folder->path);
  if (!opened)
    return error_set(error, "%s: cannot be used as the study's folder: %s", folder->path, strerror(errno));
  folder->is_new = is_empty(opened);
  closedir(opened);
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, STUDY, path);
  return folder->is_new || access(path, F_OK) == 0 ||
         error_set(error, "%s: is neither empty nor a study's folder (it has no %s): name another one with --out",
                   folder->path, STUDY);
}

// Reserves the folder for this sweep by a lock that ends with the process.
static bool lock_folder(SweepFolder *folder, Error *error) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, STUDY, path);
  folder->lock = open(path, O_RDWR | O_CLOEXEC | (folder->is_new ? O_CREAT | O_EXCL : 0), 0666);
  if (folder->lock < 0) {
    bool taken = folder->is_new && errno == EEXIST; // another sweep has created it since it was examined
    folder->is_new = folder->made = false;
    return taken ? error_set(error, "%s: another sweep has just begun there", folder->path)
                 : failed(path, errno, error);
  }
  if (flock(folder->lock, LOCK_EX | LOCK_NB) == 0)
    return true;
  if (errno == EWOULDBLOCK) {
    folder->is_new = folder->made = false;
    return error_set(error, "%s: another sweep is running there", folder->path);
  }
  explained_printf(stderr, "%s: warning: cannot be locked (%s): see that no other sweep runs there", folder->path,
                   strerror(errno));
  return true;
}

static bool write_inputs(SweepFolder *folder, Error *error) {
  const StudyDef *study = folder->study;
  int cause = append_bytes(folder->lock, 0, study->text, strlen(study->text));
  if (cause != 0)
    return failed(folder->path, cause, error);
  return sweep_folder_write(folder, SCENE, study->scene->text, strlen(study->scene->text), error);
}

// Checks that a file of the folder has this text. A file left empty or incomplete by a killed process gets it.
static bool check_input(const SweepFolder *folder, const char *name, const char *text, const char *what, Error *error) {
  size_t size = 0;
  char *found = sweep_folder_text(folder, name, &size);
  bool whole = found && size > 0, same = whole && size == strlen(text) && memcmp(found, text, size) == 0;
  free(found);
  if (!whole && strcmp(name, STUDY) == 0) // rewritten in place, since it is the file that is locked
    return append_bytes(folder->lock, 0, text, strlen(text)) == 0 || failed(folder->path, errno, error);
  if (!whole)
    return sweep_folder_write(folder, name, text, strlen(text), error);
  return same || error_set(error, "%s/%s: %s: name another folder with --out", folder->path, name, what);
}

static bool check_inputs(const SweepFolder *folder, bool resume, Error *error) {
  const StudyDef *study = folder->study;
  return check_input(folder, STUDY, study->text, "is another study, or this one before it was changed", error) &&
         check_input(folder, SCENE, study->scene->text, "the study's scene was another one", error) &&
         (resume ||
          error_set(error, "%s: has trials of this study: go on with --resume, or name another folder with --out",
                    folder->path));
}

bool sweep_folder_open(SweepFolder *folder, const char *path, const StudyDef *study, bool resume, Error *error) {
  *folder = (SweepFolder){.study = study, .lock = -1, .rows = -1};
  if (strlen(path) >= sizeof folder->path)
    return error_set(error, "the path of the study's folder is too long: %.100s...", path);
  snprintf(folder->path, sizeof folder->path, "%s", path);
  return find_folder(folder, error) && lock_folder(folder, error) &&
         (folder->is_new ? write_inputs(folder, error) : check_inputs(folder, resume, error));
}

void sweep_folder_close(SweepFolder *folder, bool discard) {
  static const char *const names[] = {"traces", "sweep.json", ROWS, SCENE, STUDY};
  if (folder->rows >= 0)
    close(folder->rows);
  for (int i = 0; i < 5 && discard && folder->is_new && folder->lock >= 0; i++) {
    char path[SWEEP_PATH_SIZE];
    sweep_folder_path(folder->path, names[i], path);
    remove(path);
  }
  if (discard && folder->made)
    rmdir(folder->path);
  if (folder->lock >= 0)
    close(folder->lock);
  folder->rows = folder->lock = -1;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

void sweep_folder_remove_parts(const SweepFolder *folder) {
  char traces[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, "traces", traces);
  DIR *opened = opendir(traces);
  for (const struct dirent *entry; opened && (entry = readdir(opened));)
    if (ends_with(entry->d_name, TRIAL_PART))
      unlinkat(dirfd(opened), entry->d_name, 0);
  if (opened)
    closedir(opened);
}

// ---- Rows ----

static bool check_trials(const SweepFolder *folder, const Table *table, const char *path, Error *error) {
  for (long row = 0; row < table->row_count; row++) {
    double trial = table_number(table, row, 0);
    char difference[256];
    if (!(trial >= 0 && trial < (double)folder->study->trial_count && trial == (double)(long)trial))
      return error_set(error, "%s:%ld: %g is not a trial of the study, which has 0 to %ld", path, row + 2, trial,
                       folder->study->trial_count - 1);
    if (!trial_fits_plan(folder->study, table, row, difference, sizeof difference))
      return error_set(error, "%s:%ld: %s", path, row + 2, difference);
  }
  return true;
}

Table *sweep_folder_read(const SweepFolder *folder, Error *error) {
  const StudyDef *study = folder->study;
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, ROWS, path);
  size_t size = 0;
  char *text = read_file(path, &size);
  if (!text && errno != ENOENT) {
    error_set(error, "%s: %s", path, strerror(errno));
    return NULL;
  }
  // Without a complete line of column names there is no row yet.
  bool begun = text && memchr(text, '\n', size);
  char *header = begun ? NULL : table_header(study->columns, study->column_count);
  size_t length = header ? strlen(header) : 0;
  if (header)
    header[length] = '\n'; // replaces the zero byte; the length is passed on
  Table *table = NULL;
  if (begun || header)
    table =
        table_parse(path, begun ? text : header, begun ? size : length + 1, study->columns, study->column_count, error);
  else
    error_set(error, "%s: out of memory", path);
  free(header);
  free(text);
  if (table && !check_trials(folder, table, path, error)) {
    table_free(table);
    return NULL;
  }
  return table;
}

// The length of a file up to the end of its last complete line, searched backward.
static off_t whole_lines(int file, off_t size) {
  char block[4096];
  while (size > 0) {
    off_t start = size > (off_t)sizeof block ? size - (off_t)sizeof block : 0;
    ssize_t count = pread(file, block, (size_t)(size - start), start);
    if (count <= 0)
      return 0;
    for (off_t i = count; i > 0; i--)
      if (block[i - 1] == '\n')
        return start + i;
    size = start;
  }
  return 0;
}

bool sweep_folder_append_to(SweepFolder *folder, Error *error) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, ROWS, path);
  struct stat found;
  folder->rows = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (folder->rows < 0 || fstat(folder->rows, &found) != 0)
    return failed(path, errno, error);
  folder->size = (size_t)whole_lines(folder->rows, found.st_size);
  if (ftruncate(folder->rows, (off_t)folder->size) != 0)
    return failed(path, errno, error);
  if (folder->size > 0)
    return true;
  char *header = table_header(folder->study->columns, folder->study->column_count);
  bool good = header ? sweep_folder_append(folder, header, error) : error_set(error, "%s: out of memory", path);
  free(header);
  return good && sweep_folder_flush(folder, true, error);
}

bool sweep_folder_append(SweepFolder *folder, const char *line, Error *error) {
  size_t size = strlen(line) + 1; // including the end of the line
  char *whole = malloc(size + 1);
  int cause = ENOMEM;
  if (whole) {
    snprintf(whole, size + 1, "%s\n", line);
    cause = append_bytes(folder->rows, folder->size, whole, size);
    free(whole);
  }
  if (cause != 0) {
    char path[SWEEP_PATH_SIZE];
    sweep_folder_path(folder->path, ROWS, path);
    return failed(path, cause, error);
  }
  folder->size += size;
  folder->pending = true;
  return sweep_folder_flush(folder, false, error);
}

bool sweep_folder_flush(SweepFolder *folder, bool now, Error *error) {
  if (!folder->pending || (!now && wall_seconds() - folder->synced < 1))
    return true;
  folder->pending = false;
  // Some files cannot be flushed to a disk (EINVAL): pipes, files of some networks.
  if (fdatasync(folder->rows) != 0 && errno != EINVAL && errno != ENOSYS) {
    char path[SWEEP_PATH_SIZE];
    sweep_folder_path(folder->path, ROWS, path);
    return failed(path, errno, error);
  }
  folder->synced = wall_seconds();
  return true;
}
