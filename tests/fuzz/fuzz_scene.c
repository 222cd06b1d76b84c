// How to run: ./dev fuzz
// Any bytes are read as a scene, which may name the bodies, clips, graphs, planners and images that come with Stagger.
#define _XOPEN_SOURCE 700 // nftw
#include <ftw.h>
#include <stdint.h>
#include <string.h>

#include "run_scene.h"

enum { STEPS = 3 };

static FileSet shipped;

static int add_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  const char *ending = strrchr(path, '.');
  const bool is_asset = ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".png") == 0);
  if (kind == FTW_F && place->level > 1 && is_asset)
    check(files_read(&shipped, path + strlen(files_scenes_folder()) + 1, NULL) != NULL);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!shipped.sealed)
    check(nftw(files_scenes_folder(), add_file, 8, FTW_PHYS) == 0);
  shipped.sealed = true;
  char *text = calloc(size + 1, 1);
  check(text != NULL);
  if (size > 0)
    memcpy(text, data, size);
  run_scene_text(text, &shipped, STEPS);
  free(text);
  return 0;
}
