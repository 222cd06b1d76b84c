// How to run: ./dev fuzz
// Any bytes are read as a keyframe clip of a small skeleton. A refused clip must come with an error; an accepted one
// must give finite poses of unit rotations at any time, and contacts.
#include "small_figure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const float times[] = {0, 0.3f, -1, 1e9f, NAN, INFINITY};
  FileSet files = {.sealed = true};
  Error error = {0};
  files_put(&files, "fuzz.yaml", (const char *)data, size);
  Clip *clip = clip_read(&files, "fuzz.yaml", small_skeleton(), &error);
  check((clip != NULL) == (error.text[0] == '\0'));
  for (size_t i = 0; clip && i < sizeof times / sizeof times[0]; i++) {
    Pose pose;
    clip_sample(clip, times[i], &pose);
    check_pose(&pose);
    for (int leg = 0; leg < 2; leg++)
      clip_contact(clip, leg, times[i]);
  }
  clip_free(clip);
  files_free(&files);
  return 0;
}
