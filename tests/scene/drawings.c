// Prints a hash of what the viewer would draw over scenes: lines, points and labels of layers, feet, gaze, balance,
// hits and assist. The pictures themselves depend on the graphics card's driver. Usage: drawings SCENE...
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/error.h"
#include "viewer/source/source.h"

static const double EVERY = 0.7, LAST = 2.8; // s

// FNV-1a of 64 bits (Fowler, Noll and Vo).
static void add(uint64_t *hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
}

static void add_items(uint64_t *hash, const DebugDraw *draw) {
  for (int i = 0; i < draw->count; i++) {
    const DebugItem *item = &draw->items[i];
    add(hash, &(int32_t[2]){(int32_t)item->shape, (int32_t)item->group}, 2 * sizeof(int32_t));
    add(hash, &item->color, sizeof item->color);
    add(hash, item->a, sizeof item->a);
    if (item->shape == DEBUG_LINE || item->shape == DEBUG_ARROW)
      add(hash, item->b, sizeof item->b);
    if (item->shape == DEBUG_LABEL)
      add(hash, item->text, strlen(item->text));
    else
      add(hash, &item->size, sizeof item->size);
  }
}

static bool print_scene(const char *path, Picture *picture, Error *error) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
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
