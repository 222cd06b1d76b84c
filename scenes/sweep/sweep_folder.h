// The folder of a study's results on the disk, as rank 0 has it: see sweep.h for its files.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_FOLDER_H
#define STAGGER_SCENES_SWEEP_SWEEP_FOLDER_H

#include "scenes/sweep/sweep.h"

enum { SWEEP_PATH_SIZE = 1024 };

typedef struct SweepFolder {
  char path[512];
  const StudyDef *study;
  bool is_new;   // made, or found empty, by sweep_folder_open
  bool made;     // also the folder itself
  int lock;      // study.yaml, locked as long as it is open; -1: not open
  int rows;      // trials.csv, for appending; -1: not open
  size_t size;   // bytes of its whole lines
  double synced; // wall time of the last flush to the disk
  bool pending;  // rows have come since
} SweepFolder;

// Makes or finds the folder and locks it. Errors: it is neither empty nor a study's, it has another study or one with
// another scene, it has this one and `resume` is false, another sweep is at it.
bool sweep_folder_open(SweepFolder *folder, const char *path, const StudyDef *study, bool resume, Error *error);

// A path in the folder.
void sweep_folder_path(const char *folder, const char *name, char path[SWEEP_PATH_SIZE]);

// Whether a file is a table of a study's folder or tells of it ("push/trials.csv", "push/sweep.json"), and which folder
// that is ("push").
bool sweep_folder_of(const char *file, char folder[SWEEP_PATH_SIZE]);

// The rows so far; a line that a kill cut short is not one. Errors: not a table of the study's trials, a row whose
// cell, repeat, seed or values of axes are not those of its trial.
Table *sweep_folder_read(const SweepFolder *folder, Error *error);

// Opens trials.csv for appending, without a line that was cut short.
bool sweep_folder_append_to(SweepFolder *folder, Error *error);

// Appends a row, whole or not at all, and flushes rows to the disk once a second.
bool sweep_folder_append(SweepFolder *folder, const char *line, Error *error);
bool sweep_folder_flush(SweepFolder *folder, bool now, Error *error);

// A file of the folder, with a zero byte behind it. The caller frees it. NULL and errno: it cannot be read.
char *sweep_folder_text(const SweepFolder *folder, const char *name, size_t *size);

// Writes a file of the folder in whole or not at all.
bool sweep_folder_write(const SweepFolder *folder, const char *name, const char *text, size_t size, Error *error);

// Removes what is left of traces that did not become whole, or not those of their rows. No worker may be at one.
void sweep_folder_remove_parts(const SweepFolder *folder);

// Ends what sweep_folder_open began. discard: a new folder leaves no trace.
void sweep_folder_close(SweepFolder *folder, bool discard);

#endif
