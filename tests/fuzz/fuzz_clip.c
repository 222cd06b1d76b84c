// How to run: ./dev fuzz
// Any bytes are read as a keyframe clip of a small skeleton. Whatever is refused must come with an error; whatever is
// accepted must give finite poses of unit rotations at any time, and contacts that can be asked for.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "anim/clip.h"

static void check(bool ok) {
  if (!ok)
    abort();
}

static const Skeleton *skeleton(void) {
  static Skeleton s;
  static const char *const names[] = {"pelvis", "chest", "thigh_l", "thigh_r"};
  for (int i = 0; s.count < 4; i++, s.count++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = i > 0 ? 0 : -1;
    s.twin[i] = i < 2 ? i : 5 - i;
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.legs[0] = (Leg){.name = "left", .hip = 2, .knee = 2, .ankle = 2};
  s.legs[1] = (Leg){.name = "right", .hip = 3, .knee = 3, .ankle = 3};
  s.leg_count = 2;
  return &s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const float times[] = {0, 0.3f, -1, 1e9f, NAN, INFINITY};
  FileSet files = {.sealed = true};
  Error error = {0};
  files_put(&files, "fuzz.yaml", (const char *)data, size);
  Clip *clip = clip_read(&files, "fuzz.yaml", skeleton(), &error);
  check((clip != NULL) == (error.text[0] == '\0'));
  for (size_t i = 0; clip && i < sizeof times / sizeof times[0]; i++) {
    Pose pose;
    clip_sample(clip, times[i], &pose);
    for (int j = 0; j < pose.count; j++)
      check(fabsf(glms_quat_norm(pose.rotation[j]) - 1) < 1e-3f && isfinite(glms_vec3_norm(pose.position[j])));
    for (int leg = 0; leg < 2; leg++)
      clip_contact(clip, leg, times[i]);
  }
  clip_free(clip);
  files_free(&files);
  return 0;
}
