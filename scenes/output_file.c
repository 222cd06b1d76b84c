#include "scenes/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The kinds, and the bytes that their files begin with.
static const struct {
  const char *name, *signature;
} kinds[] = {
    [OUTPUT_TRACE] = {"a trace", "\x89HDF\r\n\x1a\n"},
    [OUTPUT_JSON] = {"JSON", "{"},
    [OUTPUT_PNG] = {"a PNG picture", "\x89PNG\r\n\x1a\n"},
};

static bool write_error(const char *path, int cause, Error *error) {
  return error_set(error, "%s: cannot be written: %s", path, strerror(cause));
}

// The folder that a path lies in. The caller frees it; NULL: no memory.
static char *parent_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL)
    return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool check_folder(const char *path, Error *error) {
  char *folder = parent_folder(path);
  bool good = folder != NULL && access(folder, W_OK | X_OK) == 0;
  int cause = errno;
  free(folder);
  return good || write_error(path, cause, error);
}

static bool begins_with(const char *path, const char *signature) {
  char bytes[16];
  size_t length = strlen(signature);
  FILE *file = fopen(path, "rb");
  bool same = file != NULL && fread(bytes, 1, length, file) == length && memcmp(bytes, signature, length) == 0;
  if (file != NULL)
    fclose(file);
  return same;
}

bool output_check(const char *path, OutputKind kind, Error *error) {
  struct stat found;
  size_t length = strlen(path);
  if (length == 0 || path[length - 1] == '/')
    return error_set(error, "'%s' is not the name of a file", path);
  if (stat(path, &found) != 0)
    return errno == ENOENT ? check_folder(path, error) : write_error(path, errno, error);
  if (S_ISDIR(found.st_mode))
    return write_error(path, EISDIR, error);
  bool regular = S_ISREG(found.st_mode);
  if (regular ? found.st_size > 0 && !begins_with(path, kinds[kind].signature) : kind == OUTPUT_TRACE)
    return error_set(error, "%s: exists and is not %s, so it is not replaced", path, kinds[kind].name);
  if (access(path, W_OK) != 0)
    return write_error(path, errno, error);
  if (!regular || kind == OUTPUT_TRACE)
    return true;
  char *target = realpath(path, NULL);
  bool good = target != NULL ? check_folder(target, error) : write_error(path, errno, error);
  free(target);
  return good;
}

bool output_is_same(const char *a, const char *b) {
  struct stat first, second;
  if (strcmp(a, b) == 0)
    return true;
  if (stat(a, &first) == 0 && stat(b, &second) == 0)
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  // Neither is there yet: the same name in the same folder.
  const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
  char *folder_a = parent_folder(a), *folder_b = parent_folder(b);
  bool same = folder_a != NULL && folder_b != NULL &&
              strcmp(slash_a != NULL ? slash_a + 1 : a, slash_b != NULL ? slash_b + 1 : b) == 0 &&
              output_is_same(folder_a, folder_b);
  free(folder_a);
  free(folder_b);
  return same;
}

// Returns an errno, 0 when all is written.
static int write_all(FILE *file, const void *bytes, size_t size) {
  if (file == NULL)
    return errno;
  int cause = fwrite(bytes, 1, size, file) == size ? 0 : errno;
  return fclose(file) == 0 || cause != 0 ? cause : errno;
}

// Returns an errno.
static int replace_file(const char *path, const void *bytes, size_t size) {
  size_t length = strlen(path) + sizeof ".XXXXXX";
  char *temporary = malloc(length);
  if (temporary == NULL)
    return ENOMEM;
  snprintf(temporary, length, "%s.XXXXXX", path);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) {
    int cause = errno;
    free(temporary);
    return cause;
  }
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  int cause = write_all(fdopen(descriptor, "wb"), bytes, size);
  if (cause == 0 && rename(temporary, path) != 0)
    cause = errno;
  if (cause != 0)
    unlink(temporary);
  free(temporary);
  return cause;
}

bool output_write(const char *path, const void *bytes, size_t size, Error *error) {
  struct stat found;
  bool exists = stat(path, &found) == 0;
  int cause;
  if (exists && !S_ISREG(found.st_mode)) {
    cause = write_all(fopen(path, "wb"), bytes, size);
  } else {
    char *target = exists ? realpath(path, NULL) : strdup(path);
    cause = target != NULL ? replace_file(target, bytes, size) : errno;
    free(target);
  }
  return cause == 0 || write_error(path, cause, error);
}
