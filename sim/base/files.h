// The text and image files that a scene names. A FileSet stores the contents of every file it has read, so that a trace
// can contain them and a replay needs no other files.
#ifndef STAGGER_SIM_BASE_FILES_H
#define STAGGER_SIM_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum { FILES_MAX = 1024, FILES_PATH_SIZE = 4096 }; // files in a set; length of a path

typedef struct File {
  char *name;  // name in the scene, e.g. "bodies/human.yaml"
  char *path;  // where it was read from
  char *bytes; // a zero byte follows, so that text can be used as a string
  size_t size; // bytes
} File;

// Zero-initialise, set `folder`, free with files_free.
typedef struct FileSet {
  char folder[512]; // names are looked up here first (the scene's folder), then in the installed scenes folder
  bool sealed;      // true: only the files in the set exist (replay)
  File *files;
  int count;
} FileSet;

// The file with that name, which is read only once. NULL and an error with the file's name and the cause when it cannot
// be read. The pointer is valid until files_free.
const File *files_read(FileSet *set, const char *name, Error *error);

// For programs that read their command's files more than once: from now on the content of a pipe or a device
// (/dev/stdin, a shell's <(command)) is stored, and later reads of that path use the stored content.
void files_keep_streams(void);

// Whether the path is that of a pipe or a device.
bool files_is_stream(const char *path);

// Puts a copy of the bytes into the set under a name, as if they had been read. If the name exists, its bytes are kept.
// NULL when the set is full.
const File *files_put(FileSet *set, const char *name, const char *bytes, size_t size);

// Makes a set of the same files with its own copies. False when memory runs out; the copy is then empty.
bool files_copy(FileSet *copy, const FileSet *set);

void files_free(FileSet *set);

// A folder installed with the program, or with the library that this code is part of: below_prefix
// ("/share/stagger/scenes") appended to the prefix of its bin or lib folder. False, and an empty text, when there is
// none.
bool files_installed_folder(const char *below_prefix, char folder[FILES_PATH_SIZE]);

// The folder of the scenes that come with Stagger: $STAGGER_SCENES, or else the one installed with the program
// (PREFIX/bin, PREFIX/share/stagger/scenes), or else that of the source tree.
const char *files_scenes_folder(void);

#endif
