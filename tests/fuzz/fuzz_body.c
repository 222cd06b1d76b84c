// How to run: ./dev fuzz
// Any bytes are read as a body, which then falls onto the ground with its drives on.
#include <stdint.h>
#include <string.h>

#include "run_scene.h"

static const char SCENE[] = "characters: [{name: man, body: body.yaml, hit_reaction: {enabled: true}}]\n"
                            "events: [{time: 0.01, part: any, impulse: 5}]\n";

enum { STEPS = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FileSet files = {0};
  check(files_put(&files, "body.yaml", (const char *)data, size) != NULL);
  files.sealed = true;
  run_scene_text(SCENE, &files, STEPS);
  files_free(&files);
  return 0;
}
