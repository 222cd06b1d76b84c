// How hard a push from behind does a standing man withstand? Bisects the impulse, with one reset of the scene for each
// try, and prints a CSV. It uses the public interface alone.
#include <stagger/stagger.h>
#include <stdio.h>

enum { STEPS_BEFORE = 240, STEPS_AFTER = 1224, TRIES = 6 }; // of 1/240 s

// Whether the man stands after a push (N s, forward, over 0.1 s). False with an error if the scene cannot be run.
static bool try_push(StaggerScene *scene, int man, double impulse, bool *stands, StaggerError **error) {
  double fell = 1;
  if (!stagger_scene_reset(scene, -1, error))
    return false;
  stagger_scene_step(scene, STEPS_BEFORE);
  if (!stagger_push(scene, man, 0, (double[]){0, 0, impulse}, NULL, 0.1, error))
    return false;
  stagger_scene_step(scene, STEPS_AFTER);
  if (!stagger_scene_finish(scene, error) || !stagger_metric(scene, man, "fell", &fell, error))
    return false;
  *stands = fell == 0;
  return true;
}

int main(int argc, char **argv) {
  const char *const overrides[] = {"events=[]", "expect=[]"};
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open(argc > 1 ? argv[1] : "stand_push", overrides, 2, &error);
  bool good = scene != NULL;
  double least = 0, most = 320; // N s: he stands, he falls
  if (good)
    printf("impulse (N s),stands\n");
  for (int i = 0; i < TRIES && good; i++) {
    bool stands = false;
    double impulse = (least + most) / 2;
    good = try_push(scene, 0, impulse, &stands, &error);
    if (good)
      printf("%g,%s\n", impulse, stands ? "yes" : "no");
    *(stands ? &least : &most) = impulse;
  }
  if (!good)
    fprintf(stderr, "%s\n", stagger_error_text(error));
  stagger_error_free(error);
  stagger_scene_close(scene);
  return good ? 0 : 1;
}
