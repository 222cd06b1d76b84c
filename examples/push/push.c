// How hard a push from behind does a standing man bear? Bisects the impulse, one fresh scene a try, and prints a CSV.
#include <stdio.h>
#include <string.h>

#include "scenes/run/outcome.h"
#include "scenes/run/scene.h"

enum { STEPS_BEFORE = 240, STEPS_PUSHED = 24, STEPS_AFTER = 1200, TRIES = 6 }; // of 1/240 s

// An equal part of the impulse (N s), forward, at the middle of the pelvis.
static bool push(Scene *scene, double impulse) {
  const Character *man = scene->characters[0];
  int body = man->ragdoll->body[skeleton_find(&man->ragdoll->def->skeleton, "pelvis")];
  Impulse part = {.body = body, .impulse = {0, 0, impulse / STEPS_PUSHED}, .source = IMPULSE_PUSH};
  memcpy(part.point, dBodyGetPosition(scene->world->bodies[body].ode), sizeof part.point);
  return world_apply_impulse(scene->world, &part);
}

// Whether he stands and has not fallen. False with an error when the scene cannot be run.
static bool try_push(const char *path, double impulse, bool *stands, Error *error) {
  const char *overrides[] = {"events=[]", "expect=[]"};
  SceneDef *def = scene_def_read(path, overrides, 2, error);
  Scene *scene = !def ? NULL : scene_create(def, error);
  double fell = 1;
  if (scene) {
    bool good = true;
    for (int step = 0; good && step < STEPS_BEFORE + STEPS_PUSHED + STEPS_AFTER; step++) {
      if (step >= STEPS_BEFORE && step < STEPS_BEFORE + STEPS_PUSHED)
        good = push(scene, impulse);
      good = good && scene_step(scene);
    }
    scene_finish(scene);
    if (!good || !metrics_value(scene->characters[0]->metrics, "fell", &fell))
      error_set(error, "%s: stopped: %s", path, scene->world->stop_reason);
  }
  *stands = fell == 0;
  scene_destroy(scene);
  scene_def_free(def);
  return error->text[0] == '\0';
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : SCENES "/stand_push.yaml";
  double least = 0, most = 320; // N s: he stands, he falls
  printf("impulse (N s),stands\n");
  for (int i = 0; i < TRIES; i++) {
    Error error = {0};
    bool stands;
    double impulse = (least + most) / 2;
    if (!try_push(path, impulse, &stands, &error)) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    printf("%g,%s\n", impulse, stands ? "yes" : "no");
    *(stands ? &least : &most) = impulse;
  }
  return 0;
}
