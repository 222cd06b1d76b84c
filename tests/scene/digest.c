// Prints what a run came to as four numbers, so that a short table tells which scenes a change alters, and in what:
// hashes of the state of all bodies after each physics step, of the poses that are shown, of all other channels, and of
// the metrics.
// Usage: digest TRACE.h5
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/error.h"
#include "sim/trace/trace.h"
#include "tests/scene/hash.h"

enum { MOST_VALUES = 64 };

typedef enum Column { BODIES, SHOWN, RECORDED, METRICS, COLUMN_COUNT } Column;

typedef struct Digest {
  TraceReader *reader;
  uint64_t hash[COLUMN_COUNT];
  bool failed;
} Digest;

static void add_text(uint64_t *hash, const char *text) { hash_add(hash, text, strlen(text) + 1); }

static Column column_of(const char *path) {
  if (strcmp(path, "/step_hash") == 0)
    return BODIES;
  return strstr(path, "/pose/output/") ? SHOWN : RECORDED;
}

static void add_channel(void *context, const char *path) {
  static const size_t sizes[] = {
      [TRACE_FLOAT32] = 4, [TRACE_FLOAT64] = 8, [TRACE_UINT8] = 1, [TRACE_INT32] = 4, [TRACE_UINT64] = 8};
  Digest *digest = context;
  TraceType type;
  long rows;
  int row_size;
  // Embedded files are not what a run comes to; events are no numbers.
  if (strncmp(path, "/files/", 7) == 0 || !trace_type(digest->reader, path, &type) ||
      !trace_shape(digest->reader, path, &rows, &row_size))
    return;
  const size_t size = (size_t)rows * (size_t)row_size * sizes[type];
  void *values = malloc(size + 1);
  Error error = {0};
  if (!values || (size > 0 && !trace_read(digest->reader, path, type, 0, rows, values, &error)))
    digest->failed = true;
  else {
    uint64_t *hash = &digest->hash[column_of(path)];
    add_text(hash, path);
    hash_add(hash, values, size);
  }
  free(values);
}

static void add_metric(void *context, const char *name) {
  Digest *digest = context;
  double values[MOST_VALUES];
  char text[TRACE_NAME_SIZE];
  if (strstr(name, "realtime")) // of the clock on the wall
    return;
  const int count = trace_values(digest->reader, "/metrics", name, values, MOST_VALUES);
  trace_value_text(digest->reader, "/metrics", name, text, sizeof text);
  add_text(&digest->hash[METRICS], name);
  hash_add(&digest->hash[METRICS], values, (size_t)count * sizeof *values);
  add_text(&digest->hash[METRICS], text);
}

int main(int argc, char **argv) {
  Error error = {0};
  Digest digest = {.reader = argc == 2 ? trace_open(argv[1], &error) : NULL};
  if (!digest.reader) {
    printf("%s\n", argc == 2 ? error.text : "digest TRACE.h5");
    return 1;
  }
  for (int i = 0; i < COLUMN_COUNT; i++)
    digest.hash[i] = HASH_START;
  trace_visit(digest.reader, add_channel, &digest);
  trace_visit_attributes(digest.reader, "/metrics", add_metric, &digest);
  trace_reader_close(digest.reader);
  for (int i = 0; i < COLUMN_COUNT; i++)
    printf("%08" PRIx32 "%c", (uint32_t)(digest.hash[i] ^ digest.hash[i] >> 32), i + 1 < COLUMN_COUNT ? ',' : '\n');
  return digest.failed;
}
