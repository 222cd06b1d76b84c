// A .gltf file with buffers in files of their own becomes one that has them inside, so that its bytes alone are enough:
// for the reading child process, and for traces that contain it.
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_internal.h"
#include "sim/base/base64.h"

static const char DATA[] = "data:application/octet-stream;base64,";

static int hex_digit(char c) {
  return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

// The path of a uri such as "Cesium%20Man.bin" beside a file. False: it is too long, or an address of the net.
static bool path_of(const char *beside, const char *uri, char path[FILES_PATH_SIZE]) {
  if (strstr(uri, "://"))
    return false;
  const char *slash = uri[0] == '/' ? NULL : strrchr(beside, '/');
  size_t length = slash ? (size_t)(slash - beside) + 1 : 0;
  if (length + strlen(uri) >= FILES_PATH_SIZE)
    return false;
  memcpy(path, beside, length);
  for (const char *c = uri; *c != '\0'; c++) {
    const int high = *c == '%' ? hex_digit(c[1]) : -1, low = high >= 0 ? hex_digit(c[2]) : -1;
    path[length++] = low >= 0 ? (char)(16 * high + low) : *c;
    c += low >= 0 ? 2 : 0;
  }
  path[length] = '\0';
  return true;
}

// Puts a buffer's file into its uri.
static bool embed(cJSON *buffer, const File *file, Error *error) {
  const char *uri = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(buffer, "uri"));
  FileSet found = {0};
  char path[FILES_PATH_SIZE];
  Error cause = {0};
  const File *bytes = path_of(file->path, uri, path) ? files_read(&found, path, &cause) : NULL;
  if (!bytes) {
    if (cause.text[0] != '\0')
      error_at(error, file->name, 0, 0, "its buffer '%.200s' cannot be read: %.200s", uri, cause.text);
    else
      error_at(error, file->name, 0, 0, "its buffer '%.200s' cannot be read, it is no file", uri);
    files_free(&found);
    return false;
  }
  const size_t head = strlen(DATA);
  char *text = malloc(head + base64_size(bytes->size) + 1);
  bool good = text != NULL;
  if (text) {
    memcpy(text, DATA, head);
    base64_write(bytes->bytes, bytes->size, text + head);
    text[head + base64_size(bytes->size)] = '\0';
    good = cJSON_ReplaceItemInObjectCaseSensitive(buffer, "uri", cJSON_CreateString(text));
  }
  free(text);
  files_free(&found);
  return good || error_at(error, file->name, 0, 0, "out of memory");
}

static bool is_outside(const cJSON *buffer) {
  const char *uri = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(buffer, "uri"));
  return uri && uri[0] != '\0' && strncmp(uri, "data:", 5) != 0;
}

// Replaces the bytes of the set's file with that name.
static bool replace_bytes(FileSet *files, const char *name, char *bytes) {
  for (int i = 0; i < files->count; i++)
    if (strcmp(files->files[i].name, name) == 0) {
      free(files->files[i].bytes);
      files->files[i].bytes = bytes;
      files->files[i].size = strlen(bytes);
      return true;
    }
  return false;
}

const File *motion_gather(FileSet *files, const File *file, Error *error) {
  if (!file || !motion_has_ending(file->name, ".gltf"))
    return file;
  cJSON *root = cJSON_ParseWithLength(file->bytes, file->size), *buffer;
  bool changed = false, good = true;
  cJSON_ArrayForEach(buffer, cJSON_GetObjectItemCaseSensitive(root, "buffers")) {
    if (good && is_outside(buffer)) {
      good = embed(buffer, file, error);
      changed = true;
    }
  }
  char *text = good && changed ? cJSON_PrintUnformatted(root) : NULL;
  cJSON_Delete(root);
  if (good && changed && (!text || !replace_bytes(files, file->name, text))) {
    free(text);
    good = error_at(error, file->name, 0, 0, "out of memory");
  }
  return good ? file : NULL;
}
