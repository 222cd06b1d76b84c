// stagger check: validates scenes and studies and all files that they name.
#include <limits.h>

#include "scenes/cli/cli.h"
#include "scenes/description/scene_warnings.h"
#include "scenes/run/scene.h"
#include "scenes/sweep/study.h"
#include "scenes/sweep/study_warnings.h"

static const char HELP[] =
    "usage: stagger check SCENE|STUDY...\n\n"
    "Validates scenes and every file that they name, without running them; of studies also that every\n"
    "axis' values can be set. What is odd but allowed is told on standard error.\n\n"
    "exit status: 0 all are good, 2 at least one is not\n\n"
    "example: stagger check scenes/*.yaml\n";

// def: NULL with an error.
static bool check_def(const char *path, SceneDef *def, Error *error) {
  Scene *scene = def ? scene_create(def, error) : NULL;
  bool good = scene != NULL;
  if (good)
    printf("%s: good\n", path);
  else
    cli_error(error);
  if (good)
    scene_warnings(def, stderr);
  scene_destroy(scene);
  return good;
}

static bool check_scene(const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  bool good = check_def(path, def, &error);
  scene_def_free(def);
  return good;
}

static bool check_study(const char *path) {
  Error error = {0};
  StudyDef *study = study_read(path, &error);
  bool good = check_def(path, study ? study->scene : NULL, &error);
  if (good && !study_warnings(study, stderr))
    fprintf(stderr, "%s: out of memory to look for equal values\n", path);
  study_free(study);
  return good;
}

int command_check(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, HELP, 1, INT_MAX, &code))
    return code;
  bool good = true;
  for (int i = optind; i < argc; i++)
    good = (study_is_study(argv[i]) ? check_study(argv[i]) : check_scene(argv[i])) && good;
  return good ? EXIT_DONE : EXIT_BAD_INPUT;
}
