// The folder of a study's results on the disk, on rank 0; see sweep.h for its files.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_FOLDER_H
#define STAGGER_SCENES_SWEEP_SWEEP_FOLDER_H

#include "scenes/sweep/sweep.h"

enum { SWEEP_PATH_SIZE = 1024 };

typedef struct SweepFolder {
  char path[512];
  const StudyDef *study;
  bool is_new;   // created, or found empty, by sweep_folder_open
  bool made;     // the folder itself was created, too
  int lock;      // descriptor of study.yaml, locked while it is open; -1: not open
  int rows;      // descriptor of trials.csv, for appending; -1: not open
  size_t size;   // bytes of its complete lines
  double synced; // wall time of the last flush to the disk
  bool pending;  // rows have been added since
} SweepFolder;

// Creates or finds the folder and locks it. Errors: it is neither empty nor a study's, it contains another study or the
// same with another scene, it contains this study and `resume` is false, another sweep uses it.
bool sweep_folder_open(SweepFolder *folder, const char *path, const StudyDef *study, bool resume, Error *error);

// The path of a file in the folder.
void sweep_folder_path(const char *folder, const char *name, char path[SWEEP_PATH_SIZE]);

// Whether a file is one of a study's folder that represents the study ("push/trials.csv", "push/sweep.json"); folder:
// receives that folder ("push").
bool sweep_folder_of(const char *file, char folder[SWEEP_PATH_SIZE]);

// Reads the rows so far; an incomplete last line is ignored. Errors: not a table of the study's trials, a row whose
// cell, repeat, seed or values of axes are not those planned for its trial.
Table *sweep_folder_read(const SweepFolder *folder, Error *error);

// Opens trials.csv for appending and removes an incomplete last line.
bool sweep_folder_append_to(SweepFolder *folder, Error *error);

// Appends a row, in whole or not at all, and flushes rows to the disk once a second.
bool sweep_folder_append(SweepFolder *folder, const char *line, Error *error);
bool sweep_folder_flush(SweepFolder *folder, bool now, Error *error);

// Reads a file of the folder and appends a zero byte. The caller frees it. NULL and errno: it cannot be read.
char *sweep_folder_text(const SweepFolder *folder, const char *name, size_t *size);

// Writes a file of the folder in whole or not at all.
bool sweep_folder_write(const SweepFolder *folder, const char *name, const char *text, size_t size, Error *error);

// The same for a text on the heap, which it frees. NULL: there was no memory for it.
bool sweep_folder_take(const SweepFolder *folder, const char *name, char *text, size_t size, Error *error);

// Removes incomplete traces, and those that do not match their rows. No worker may be writing one.
void sweep_folder_remove_parts(const SweepFolder *folder);

// Ends the work begun by sweep_folder_open. discard: a new folder is removed.
void sweep_folder_close(SweepFolder *folder, bool discard);

#endif
