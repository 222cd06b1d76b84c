// Checks whether a file may be written, and writes it by way of a temporary file that replaces it when complete.
#define _GNU_SOURCE // memmem
#include "scenes/output/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/document.h"
#include "sim/base/files.h"
#include "sim/trace/trace.h"

// The kinds of files, and the bytes with which such files begin or which they have at an offset. In formats that other
// programs write, too, a word within the first 4096 bytes shows that Stagger has written the file. Some kinds cannot be
// written to a pipe.
static const struct {
  const char *name, *signature;
  int offset;
  bool regular;
  const char *word;
} kinds[] = {
    [OUTPUT_TRACE] = {"a trace", NULL, 0, true, NULL}, // recognised by an attribute of its root
    [OUTPUT_JSON] = {"a run's metrics", "{", 0, false, "\"realtime_factor\""},
    [OUTPUT_HUMAN] = {"a list of figures beside people's", "{", 0, false, "\"stagger-human\""},
    [OUTPUT_PNG] = {"a PNG picture", "\x89PNG\r\n\x1a\n", 0, false, NULL},
    [OUTPUT_MP4] = {"an MP4 film", "ftyp", 4, true, NULL},
    [OUTPUT_MATROSKA] = {"a Matroska or WebM film", "\x1a\x45\xdf\xa3", 0, true, NULL},
    [OUTPUT_GIF] = {"a GIF picture", "GIF8", 0, true, NULL},
    [OUTPUT_SCENE] = {"a scene", NULL, 0, true, NULL}, // a text, see is_scene
    [OUTPUT_GLB] = {"a glTF binary of Stagger", "glTF", 0, false, "\"Stagger "},
    [OUTPUT_BVH] = {"a BVH file", "HIERARCHY", 0, false, NULL},
    [OUTPUT_CSV] = {"a CSV table", NULL, 0, false, NULL}, // see is_csv
    [OUTPUT_HTML] = {"a report of Stagger", "<!DOCTYPE html>", 0, false, "content=\"Stagger "},
    [OUTPUT_POLICY] = {"a policy", "# What `stagger train` learnt", 0, true, NULL},
    [OUTPUT_SVG] = {"an SVG picture", "<svg xmlns=", 0, false, NULL},
    [OUTPUT_TENSORS] = {"a skill of Stagger", "{", 8, true, "\"Stagger "},
    [OUTPUT_MJCF] = {"a model of MuJoCo by Stagger", "<!-- A body made by `stagger body`", 0, true, NULL},
    [OUTPUT_BODY] = {"a body of Stagger", "# A body made by `stagger body`", 0, true, NULL},
    [OUTPUT_STO] = {"an OpenSim storage file", NULL, 0, false, NULL}, // see is_sto
    [OUTPUT_TRC] = {"a TRC file", "PathFileType\t", 0, false, NULL},
    [OUTPUT_C3D] = {"a C3D file of Stagger", "\x02\x50", 0, false, "\x07Stagger"},
    [OUTPUT_NPZ] = {"a NumPy archive of Stagger", "PK\3\4", 0, false, "stagger_version.npy"},
    [OUTPUT_MCAP] = {"an MCAP file of Stagger", "\x89MCAP0\r\n", 0, false, "Stagger "},
};

static bool write_error(const char *path, int cause, Error *error) {
  return error_set(error, "%s: cannot be written: %s", path, strerror(cause));
}

// The error for a place that was checked before but could not be written.
static bool write_failed(const char *path, int cause, Error *error) {
  write_error(path, cause, error);
  return error_unwritten(error);
}

// The folder of a path. The caller frees it; NULL: no memory.
static char *parent_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool check_folder(const char *path, Error *error) {
  char *folder = parent_folder(path);
  bool good = folder && access(folder, W_OK | X_OK) == 0;
  int cause = errno;
  free(folder);
  return good || write_error(path, cause, error);
}

// Whether the file is YAML with characters. An absolute path is not looked up in the scenes folder.
static bool is_scene(const char *path) {
  FileSet files = {0};
  Document document;
  char *full = realpath(path, NULL);
  const File *file = full ? files_read(&files, full, NULL) : NULL;
  bool scene = file && document_read(&document, path, file, NULL);
  if (scene) {
    scene = node_find(document.root, "characters") != NULL;
    document_free(&document);
  }
  files_free(&files);
  free(full);
  return scene;
}

// Reads the beginning of a text file and terminates it with a zero.
static void read_start(const char *path, char *text, size_t size) {
  memset(text, 0, size);
  FILE *file = fopen(path, "rb");
  text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
  if (file)
    fclose(file);
}

static int count_commas(const char *line, const char *end) {
  int count = 0;
  bool quoted = false;
  for (const char *c = line; c < end; c++) {
    quoted ^= *c == '"';
    count += *c == ',' && !quoted;
  }
  return count;
}

// Whether the file begins with a line of column names, which are words, and a line with as many cells. A single column
// must hold a number.
static bool is_csv(const char *path) {
  static const char NAMES[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/,\"";
  char text[1 << 14];
  read_start(path, text, sizeof text);
  const char *first_end = text + strspn(text, NAMES);
  if (first_end == text || (*first_end != '\n' && *first_end != '\r'))
    return false;
  const char *second = first_end + strspn(first_end, "\r\n"), *second_end = second + strcspn(second, "\r\n");
  int commas = count_commas(text, first_end);
  if (commas > 0)
    return second == second_end || count_commas(second, second_end) == commas;
  char *number_end;
  strtod(second, &number_end);
  return number_end > second && number_end == second_end;
}

// Whether the file has a header of names and values, ended by a certain word in a line of its own.
static bool is_sto(const char *path) {
  char text[4096];
  read_start(path, text, sizeof text);
  return strstr(text, "\nendheader") != NULL;
}

// Whether the file has the kind's signature, and its word if it has one.
static bool has_signature(const char *path, OutputKind kind) {
  char bytes[4097] = "";
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
  if (file)
    fclose(file);
  const size_t start = (size_t)kinds[kind].offset, length = strlen(kinds[kind].signature);
  const char *word = kinds[kind].word;
  return size >= start + length && memcmp(bytes + start, kinds[kind].signature, length) == 0 &&
         (!word || memmem(bytes, size, word, strlen(word)));
}

static bool is_of_kind(const char *path, OutputKind kind) {
  switch (kind) {
  case OUTPUT_TRACE:
    return trace_is_trace(path) || trace_is_remnant(path);
  case OUTPUT_SCENE:
    return is_scene(path);
  case OUTPUT_CSV:
    return is_csv(path);
  case OUTPUT_STO:
    return is_sto(path);
  default:
    return has_signature(path, kind);
  }
}

// Whether memory is insufficient to read a file; then its kind cannot be determined.
static bool lacks_memory(void) {
  enum { LOOK = 4 << 20 };            // bytes, more than HDF5 needs to open a file
  void *volatile room = malloc(LOOK); // volatile, since a compiler may otherwise assume success
  bool lacks = !room;
  free(room);
  return lacks;
}

// Whether the file belongs to the results of a study that `stagger sweep` stores in a folder.
static bool is_of_study(const char *path) {
  static const char *const names[] = {"study.yaml",  "scene.yaml", "trials.csv",    "trials.h5",
                                      "summary.csv", "sweep.json", "responses.bin", "dose.csv"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const int folder = (int)(name - path);
  bool known = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    known = known || strcmp(name, names[i]) == 0;
  char beside[4096];
  bool has_all = known && strlen(path) + 16 < sizeof beside;
  for (int i = 0; i < 3 && has_all; i++) {
    snprintf(beside, sizeof beside, "%.*s%s", folder, path, names[i]);
    has_all = access(beside, F_OK) == 0;
  }
  return has_all;
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
  if (regular && kind == OUTPUT_TRACE && trace_is_written(path))
    return error_set(error, "%s: another run is writing it", path);
  if (regular && is_of_study(path))
    return error_set(error, "%s: belongs to the results of a study, so it is not replaced", path);
  if (regular ? found.st_size > 0 && !is_of_kind(path, kind) : kinds[kind].regular)
    return lacks_memory() ? error_set(error, "%s: out of memory to see what it is", path)
                          : error_set(error, "%s: exists and is not %s, so it is not replaced", path, kinds[kind].name);
  if (access(path, W_OK) != 0)
    return write_error(path, errno, error);
  if (!regular || kind == OUTPUT_TRACE)
    return true; // traces are not written by way of a temporary file
  char *target = realpath(path, NULL);
  bool good = target ? check_folder(target, error) : write_error(path, errno, error);
  free(target);
  return good;
}

bool output_has_ending(const char *path, const char *ending) {
  const char *dot = strrchr(path, '.');
  return dot && strcmp(dot, ending) == 0;
}

bool output_is_same(const char *a, const char *b) {
  struct stat first, second;
  if (strcmp(a, b) == 0)
    return true;
  if (stat(a, &first) == 0 && stat(b, &second) == 0)
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  // Neither file exists: they are the same if name and folder are the same.
  const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
  char *folder_a = parent_folder(a), *folder_b = parent_folder(b);
  bool same = folder_a && folder_b && strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0 &&
              output_is_same(folder_a, folder_b);
  free(folder_a);
  free(folder_b);
  return same;
}

// What is written: bytes, or the whole of an open file.
typedef struct Content {
  const void *bytes;
  size_t size;
  FILE *file; // NULL: the bytes
} Content;

// Returns 0 when everything is copied, otherwise an errno.
static int copy_file(FILE *from, FILE *to) {
  char block[1 << 16];
  size_t size;
  rewind(from);
  while ((size = fread(block, 1, sizeof block, from)) > 0)
    if (fwrite(block, 1, size, to) != size)
      return errno;
  return ferror(from) ? EIO : 0;
}

// Returns 0 when everything is written, otherwise an errno.
static int write_all(FILE *file, const Content *content) {
  if (!file)
    return errno;
  int cause = content->file                                                     ? copy_file(content->file, file)
              : fwrite(content->bytes, 1, content->size, file) == content->size ? 0
                                                                                : errno;
  return fclose(file) == 0 || cause != 0 ? cause : errno;
}

// Creates and opens an empty file in the same folder. NULL and errno on error.
static char *make_temporary(const char *path, int *descriptor) {
  size_t length = strlen(path) + sizeof ".XXXXXX";
  char *temporary = malloc(length);
  if (!temporary)
    return NULL;
  snprintf(temporary, length, "%s.XXXXXX", path);
  *descriptor = mkstemp(temporary);
  if (*descriptor < 0) {
    int cause = errno;
    free(temporary);
    errno = cause;
    return NULL;
  }
  mode_t mask = umask(0);
  umask(mask);
  fchmod(*descriptor, 0666 & ~mask);
  return temporary;
}

// Returns an errno.
static int replace_file(const char *path, const Content *content) {
  int descriptor;
  char *temporary = make_temporary(path, &descriptor);
  if (!temporary)
    return errno;
  int cause = write_all(fdopen(descriptor, "wb"), content);
  if (cause == 0 && rename(temporary, path) != 0)
    cause = errno;
  if (cause != 0)
    unlink(temporary);
  free(temporary);
  return cause;
}

// The file to which a path refers after following links. The caller frees it; NULL and errno on error.
static char *real_target(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? realpath(path, NULL) : strdup(path);
}

char *output_temporary(const char *path, Error *error) {
  int descriptor;
  char *target = real_target(path), *temporary = target ? make_temporary(target, &descriptor) : NULL;
  int cause = errno;
  free(target);
  if (temporary)
    close(descriptor);
  else
    write_failed(path, cause, error);
  return temporary;
}

bool output_replace(const char *temporary, const char *path, Error *error) {
  char *target = real_target(path);
  bool good = target && rename(temporary, target) == 0;
  int cause = errno;
  free(target);
  if (good)
    return true;
  unlink(temporary);
  return write_failed(path, cause, error);
}

static bool write_content(const char *path, const Content *content, Error *error) {
  struct stat found;
  bool exists = stat(path, &found) == 0;
  int cause;
  if (exists && !S_ISREG(found.st_mode)) {
    cause = write_all(fopen(path, "wb"), content);
  } else {
    char *target = real_target(path);
    cause = target ? replace_file(target, content) : errno;
    free(target);
  }
  return cause == 0 || write_failed(path, cause, error);
}

bool output_write(const char *path, const void *bytes, size_t size, Error *error) {
  return write_content(path, &(Content){.bytes = bytes, .size = size}, error);
}

bool output_copy(const char *path, FILE *from, Error *error) {
  return write_content(path, &(Content){.file = from}, error);
}
