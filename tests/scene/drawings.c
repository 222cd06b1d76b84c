// Prints a hash of what the viewer would draw over scenes: lines, points and labels of layers, feet, gaze, balance,
// hits and assist. The pictures themselves depend on the graphics card's driver. Usage: drawings SCENE...
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/error.h"
#include "tests/scene/hash.h"
#include "viewer/source/source.h"

static const double EVERY = 0.7, LAST = 2.8; // s

static void add_items(uint64_t *hash, const DebugDraw *draw) {
  for (int i = 0; i < draw->count; i++) {
    const DebugItem *item = &draw->items[i];
    const bool has_end = item->shape == DEBUG_LINE || item->shape == DEBUG_ARROW, is_label = item->shape == DEBUG_LABEL;
    char line[512];
    snprintf(line, sizeof line, "%d %d %08" PRIx32 " %.9g %.9g %.9g %.9g %.9g %.9g %.9g %s\n", (int)item->shape,
             (int)item->group, item->color, (double)item->a[0], (double)item->a[1], (double)item->a[2],
             has_end ? (double)item->b[0] : 0, has_end ? (double)item->b[1] : 0, has_end ? (double)item->b[2] : 0,
             is_label ? 0 : (double)item->size, is_label ? item->text : "");
    hash_add(hash, line, strlen(line));
  }
}

static bool print_scene(const char *path, Picture *picture, Error *error) {
  uint64_t hash = HASH_START;
  Source *source = source_open(path, NULL, 0, error);
  if (!source)
    return false;
  const SourceLook look = {0};
  bool good = true;
  for (double time = EVERY; good && time <= LAST && time <= source_end(source); time += EVERY) {
    memset(picture, 0, sizeof *picture);
    good = source_run_to(source, time, error) && source_refresh(source, error) &&
           source_picture(source, time, &look, picture, error);
    add_items(&hash, &picture->debug);
  }
  good = source_close(source, error) && good;
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  if (good)
    printf("%.*s,%08" PRIx32 "\n", (int)strcspn(name, "."), name, (uint32_t)(hash ^ hash >> 32));
  return good;
}

int main(int argc, char **argv) {
  Picture *picture = calloc(1, sizeof *picture);
  Error error = {0};
  int failed = !picture;
  for (int i = 1; i < argc && picture; i++) {
    if (!print_scene(argv[i], picture, &error)) {
      printf("%s: %s\n", argv[i], error.text);
      failed = 1;
    }
  }
  free(picture);
  return failed;
}
