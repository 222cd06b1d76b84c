// Studies of a small scene, without any file on the disk.
#ifndef STAGGER_TESTS_STUDY_FIXTURE_H
#define STAGGER_TESTS_STUDY_FIXTURE_H

#include "tests/unit/small_scene.h"

#include "scenes/sweep/trial.h"

static const char STUDY_SCENE[] = "duration: 0.2\n"
                                  "characters:\n"
                                  "  - {name: doll, body: boxes.yaml, animation: {move: nod.yaml}}\n"
                                  "events: [{time: 0.1, part: top, impulse: 0.5, direction: [-90, 90]}]\n"
                                  "expect: [doll.peak_pose_error < 90]\n";

static const char STUDY_TWO[] = "characters:\n"
                                "  - {name: a, body: boxes.yaml}\n"
                                "  - {name: b, body: boxes.yaml, start: {position: [3, 0, 0]}}\n";

// Writes a file into a folder on the disk.
static inline void study_write_file(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline StudyDef *study_try(const char *text, Error *error) {
  FileSet files = {.sealed = false};
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  files_put(&files, "nod.yaml", NOD, sizeof NOD - 1);
  files_put(&files, "small.yaml", STUDY_SCENE, sizeof STUDY_SCENE - 1);
  files_put(&files, "two.yaml", STUDY_TWO, sizeof STUDY_TWO - 1);
  files.sealed = true;
  return study_from_text("push.yaml", text, &files, error);
}

static inline StudyDef *study_of(const char *text) {
  Error error = {0};
  StudyDef *study = study_try(text, &error);
  if (!study) {
    fail_msg("%s", error.text);
    exit(1); // not reached
  }
  return study;
}

#endif
