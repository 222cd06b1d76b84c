// Reads files into sets, and finds the folders installed with the program or the library.
#define _GNU_SOURCE // memrchr, dladdr

#include "sim/base/files.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The build defines where the scenes are.
#ifndef STAGGER_SOURCE_SCENES
#define STAGGER_SOURCE_SCENES "scenes"
#endif

enum { LARGEST_FILE = 256 << 20 }; // bytes

static const File *files_find(const FileSet *set, const char *name) {
  for (int i = 0; i < set->count; i++)
    if (strcmp(set->files[i].name, name) == 0)
      return &set->files[i];
  return NULL;
}

// Takes over path and bytes (both from malloc), also on failure. NULL when the set is full.
static const File *files_adopt(FileSet *set, const char *name, char *path, char *bytes, size_t size) {
  // All entries are allocated at once: a growing array would move files to which others point.
  if (!set->files)
    set->files = calloc(FILES_MAX, sizeof *set->files);
  char *own_name = strdup(name);
  if (!set->files || set->count >= FILES_MAX || !own_name || !path || !bytes) {
    free(own_name);
    free(path);
    free(bytes);
    return NULL;
  }
  File *file = &set->files[set->count++];
  *file = (File){.name = own_name, .path = path, .bytes = bytes, .size = size};
  return file;
}

// "folder/name", or the name alone when it is absolute or there is no folder. The caller frees it.
static char *path_join(const char *folder, const char *name) {
  if (name[0] == '/' || folder[0] == '\0')
    return strdup(name);
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
  return path;
}

// Reads an open file and appends a zero byte. NULL with errno set.
static char *read_all(FILE *stream, size_t *size) {
  char *bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  do {
    if (*size + 1 >= capacity) {
      capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
      char *grown = capacity > LARGEST_FILE ? NULL : realloc(bytes, capacity);
      if (!grown) {
        free(bytes);
        errno = capacity > LARGEST_FILE ? EFBIG : ENOMEM;
        return NULL;
      }
      bytes = grown;
    }
    *size += fread(bytes + *size, 1, capacity - *size - 1, stream);
  } while (!feof(stream) && !ferror(stream));
  if (ferror(stream)) {
    free(bytes);
    return NULL;
  }
  bytes[*size] = '\0';
  return bytes;
}

static bool keeps_streams;
static FileSet streams; // contents of streams, by path

void files_keep_streams(void) { keeps_streams = true; }

bool files_is_stream(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISCHR(found.st_mode) || S_ISSOCK(found.st_mode));
}

// Reads a file and appends a zero byte. NULL and errno; ENOENT or ENOTDIR: there is no such file.
static char *read_path(const char *path, size_t *size) {
  const bool is_stream = keeps_streams && files_is_stream(path);
  const File *kept = is_stream ? files_find(&streams, path) : NULL;
  if (kept) {
    char *copy = malloc(kept->size + 1);
    *size = kept->size;
    return copy ? memcpy(copy, kept->bytes, kept->size + 1) : NULL;
  }
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return NULL;
  char *bytes = read_all(stream, size);
  const int cause = errno;
  fclose(stream);
  errno = cause;
  if (bytes && is_stream)
    files_put(&streams, path, bytes, *size);
  return bytes;
}

const File *files_read(FileSet *set, const char *name, Error *error) {
  const File *known = files_find(set, name);
  if (known)
    return known;
  if (set->sealed) {
    error_set(error, "%s: is not among the files in the trace", name);
    return NULL;
  }
  const char *folders[] = {set->folder, files_scenes_folder()};
  for (int i = 0; i < 2 && name[0] != '\0'; i++) {
    char *path = path_join(folders[i], name);
    size_t size = 0;
    char *bytes = !path ? NULL : read_path(path, &size);
    int cause = errno;
    if (path && !bytes && (cause == ENOENT || cause == ENOTDIR)) {
      free(path);
      continue;
    }
    if (!bytes) {
      error_set(error, "%s: cannot be read: %s", !path ? name : path, strerror(cause));
      free(path);
      return NULL;
    }
    const File *file = files_adopt(set, name, path, bytes, size);
    if (!file)
      error_set(error, "%s: too many files, at most %d", name, (int)FILES_MAX);
    return file;
  }
  if (name[0] == '/')
    error_set(error, "%s: there is no such file", name);
  else
    error_set(error, "%s: there is no such file in %s or %s", name, set->folder[0] == '\0' ? "." : set->folder,
              files_scenes_folder());
  return NULL;
}

const File *files_put(FileSet *set, const char *name, const char *bytes, size_t size) {
  const File *known = files_find(set, name);
  if (known)
    return known;
  char *copy = size == SIZE_MAX ? NULL : malloc(size + 1);
  if (copy) {
    if (size > 0)
      memcpy(copy, bytes, size);
    copy[size] = '\0';
  }
  return files_adopt(set, name, strdup(name), copy, size);
}

bool files_copy(FileSet *copy, const FileSet *set) {
  *copy = (FileSet){.sealed = set->sealed};
  memcpy(copy->folder, set->folder, sizeof copy->folder);
  for (int i = 0; i < set->count; i++) {
    const File *file = &set->files[i];
    char *bytes = malloc(file->size + 1);
    if (bytes)
      memcpy(bytes, file->bytes, file->size + 1);
    if (!files_adopt(copy, file->name, strdup(file->path), bytes, file->size)) {
      files_free(copy);
      return false;
    }
  }
  return true;
}

void files_free(FileSet *set) {
  for (int i = 0; i < set->count; i++) {
    free(set->files[i].name);
    free(set->files[i].path);
    free(set->files[i].bytes);
  }
  free(set->files);
  set->files = NULL;
  set->count = 0;
  set->sealed = false;
}

// Whether the folder exists, relative to the prefix of a program (PREFIX/bin/stagger) or of a library
// (PREFIX/lib/x86_64-linux-gnu/libstagger.so.0); if so it is written to `place`.
static bool find_above(char place[FILES_PATH_SIZE], size_t length, const char *below_prefix) {
  const size_t below = strlen(below_prefix) + 1;
  for (int level = 0; level < 4; level++) {
    const char *slash = memrchr(place, '/', length);
    if (!slash)
      return false;
    length = (size_t)(slash - place);
    if (level == 0 || length + below > FILES_PATH_SIZE)
      continue;
    memcpy(place + length, below_prefix, below);
    if (access(place, R_OK | X_OK) == 0)
      return true;
    place[length] = '\0';
  }
  return false;
}

// An object whose address is in this library, or in the program that it is part of.
static const char anchor;

bool files_installed_folder(const char *below_prefix, char folder[FILES_PATH_SIZE]) {
  Dl_info library;
  const ssize_t length = readlink("/proc/self/exe", folder, FILES_PATH_SIZE - 1);
  if (length > 0 && find_above(folder, (size_t)length, below_prefix))
    return true;
  if (dladdr(&anchor, &library) && library.dli_fname && realpath(library.dli_fname, folder) &&
      find_above(folder, strlen(folder), below_prefix))
    return true;
  folder[0] = '\0';
  return false;
}

const char *files_scenes_folder(void) {
  static char installed[FILES_PATH_SIZE];
  const char *chosen = getenv("STAGGER_SCENES");
  if (chosen && chosen[0] != '\0')
    return chosen;
  if (installed[0] == '\0')
    files_installed_folder("/share/stagger/scenes", installed);
  return installed[0] != '\0' ? installed : STAGGER_SOURCE_SCENES;
}
