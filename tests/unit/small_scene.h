// A body of two boxes and scenes of it, without any file on the disk.
#ifndef STAGGER_TESTS_SMALL_SCENE_H
#define STAGGER_TESTS_SMALL_SCENE_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/run/scene.h"

static const char BOXES[] = "name: boxes\n"
                            "parts:\n"
                            "  - name: base\n"
                            "    mass: 4\n"
                            "    com: [0, 1, 0]\n"
                            "    inertia: [0.05, 0.06, 0.07]\n"
                            "    joint: {kind: root, position: [0, 1, 0]}\n"
                            "    shapes: [{box: [0.2, 0.4, 0.3], center: [0, 1, 0]}]\n"
                            "  - name: top\n"
                            "    parent: base\n"
                            "    mass: 2\n"
                            "    com: [0, 1.4, 0]\n"
                            "    inertia: [0.02, 0.02, 0.02]\n"
                            "    joint: {kind: ball, position: [0, 1.2, 0], twist_axis: y, strength: 50}\n"
                            "    shapes: [{sphere: 0.1, center: [0, 1.4, 0]}]\n";

static const char NOD[] = "name: nod\n"
                          "loop: true\n"
                          "duration: 1\n"
                          "root_position: [[0, 1, 0], [0, 1, 0]]\n"
                          "joints: {top: [[0, 0, 0], [20, 0, 0]]}\n";

// An empty file of its own for a test, by its name; the caller removes it.
static inline void small_file(char path[32]) {
  snprintf(path, 32, "/tmp/stagger_test_XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
}

// The scene of a text; NULL and an error if it cannot be read.
static inline SceneDef *small_def_try(const char *text, const char *const *overrides, int count, Error *error) {
  FileSet files = {.sealed = false};
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  files_put(&files, "nod.yaml", NOD, sizeof NOD - 1);
  files.sealed = true;
  return scene_def_from_text("small.yaml", text, &files, overrides, count, error);
}

static inline SceneDef *small_def(const char *text) {
  Error error = {0};
  SceneDef *def = small_def_try(text, NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  return def;
}

// The scene of a text, whose files are among `files` and those that come with Stagger; name: for a failure.
static inline SceneDef *shipped_def(const char *name, const char *text, FileSet *files) {
  Error error = {0};
  snprintf(files->folder, sizeof files->folder, "%s", files_scenes_folder());
  SceneDef *def = scene_def_from_text("drill.yaml", text, files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s: %s\n%s", name, error.text, text);
    exit(1);
  }
  return def;
}

static inline Scene *small_scene(SceneDef *def) {
  Error error = {0};
  Scene *scene = scene_create(def, &error);
  if (!scene) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return scene;
}

// cmocka's own comparison works in single precision.
#define assert_near(a, b, tolerance) check_near(a, b, tolerance, __FILE__, __LINE__)
static inline void check_near(double a, double b, double tolerance, const char *file, int line) {
  if (!(fabs(a - b) <= tolerance)) {
    print_error("%.17g is not within %g of %.17g\n", a, tolerance, b);
    _fail(file, line);
  }
}

// Weightless and high above the ground: only the events act.
#define SMALL_FLIGHT                                                                                                   \
  "world: {gravity: [0, 0, 0]}\n"                                                                                      \
  "characters:\n"                                                                                                      \
  "  - {name: doll, body: boxes.yaml, start: {position: [0, 5, 0]}, drive: {enabled: false}}\n"

#endif
