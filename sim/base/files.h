// The text and image files that a scene names. A FileSet remembers the bytes of every file it has read, so that a
// trace can carry them along and a replay can use them in place of the disk: a trace stands alone.
#ifndef STAGGER_SIM_BASE_FILES_H
#define STAGGER_SIM_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum { FILES_MAX = 1024, FILES_PATH_SIZE = 4096 }; // files in a set; longest path

typedef struct File {
  char *name;  // as the scene names it, e.g. "bodies/human.yaml"
  char *path;  // where it was read from
  char *bytes; // followed by a zero byte, so that text can be used as a string
  size_t size; // bytes
} File;

// Zero-initialise, set `folder`, free with files_free.
typedef struct FileSet {
  char folder[512]; // names are looked up here first (the scene's own folder), then in the installed scenes folder
  bool sealed;      // true: only the files already in the set exist (replay)
  File *files;
  int count;
} FileSet;

// The file of that name, read once. NULL and an error that names the file and the cause when it cannot be read.
// The pointer stays good until files_free.
const File *files_read(FileSet *set, const char *name, Error *error);

// For programs that look at what their command names more than once: from now on what is read from a pipe or a device
// (/dev/stdin, a shell's <(command)) is kept, and read again from memory by that path.
void files_keep_streams(void);

// Whether the path is that of a pipe or a device.
bool files_is_stream(const char *path);

// Puts bytes into the set under a name, as if they had been read (copies them). A name that is there already keeps its
// bytes. NULL when the set is full.
const File *files_put(FileSet *set, const char *name, const char *bytes, size_t size);

// A set of the same files with bytes of its own. False when memory runs out; the copy is empty then.
bool files_copy(FileSet *copy, const FileSet *set);

void files_free(FileSet *set);

// A folder that was installed with the program, or with the library that this code is part of: below_prefix
// ("/share/stagger/scenes") behind the prefix of its bin or lib folder. False, and an empty text, when there is none.
bool files_installed_folder(const char *below_prefix, char folder[FILES_PATH_SIZE]);

// The folder of the scenes that come with Stagger: $STAGGER_SCENES, else the one installed beside the program
// (PREFIX/bin, PREFIX/share/stagger/scenes), else the source tree's.
const char *files_scenes_folder(void);

#endif
