// stagger check: validates scenes, studies and skills, and all files that they name.
#include "scenes/cli/cli.h"
#include "scenes/description/scene_skill.h"
#include "scenes/description/scene_warnings.h"
#include "scenes/output/explanations.h"
#include "scenes/run/scene.h"
#include "scenes/run/start_warnings.h"
#include "scenes/sweep/study.h"
#include "scenes/sweep/study_warnings.h"
#include "scenes/train/skill_file.h"
#include "scenes/train/skill_train.h"
#include "sim/trace/trace.h"

static const UsageOption OPTIONS[] = {
    {.name = "set",
     .code = 's',
     .value = "KEY=VALUE",
     .doc = "checks scenes with a parameter changed, as in `stagger run`; may be repeated"},
    USAGE_HELP_ROW,
};

const Usage check_usage = {
    .name = "stagger check",
    .summary = "validates scenes, studies and skills without running them",
    .forms = {"[OPTION...] SCENE|STUDY|SKILL..."},
    .argument = "SCENE|STUDY|SKILL",
    .text = "Validates scenes and every file that they name, without running them; for studies also checks that the\n"
            "values of every axis can be set; for skills that the network fits the description, and that the training\n"
            "which it describes can begin. All errors of a scene are reported, in the order of its lines. Warnings\n"
            "go to standard error.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 all files are valid, 2 at least one is not",
    .examples = {"stagger check scenes/*.yaml"},
};

enum { MOST_OVERRIDES = 64 };

typedef struct Overrides {
  const char *texts[MOST_OVERRIDES];
  int count;
} Overrides;

// Prints all collected errors, then the one that ended the reading.
static void print_errors(const Error *error) {
  if (error->list) {
    error_list_sort(error->list);
    for (int i = 0; i < error->list->count; i++)
      explained_print(stderr, error->list->texts[i]);
    if (error->list->left_out > 0)
      fprintf(stderr, "and %d more\n", error->list->left_out);
  }
  if (error->text[0] != '\0')
    cli_error(error);
}

// def: NULL when there is an error.
static bool check_def(const char *path, SceneDef *def, Error *error) {
  Scene *scene = def ? scene_create(def, error) : NULL;
  bool good = scene != NULL;
  if (good)
    printf("%s: good\n", path);
  else
    print_errors(error);
  if (good) {
    scene_warnings(def, stderr);
    start_warnings(scene, stderr);
  }
  scene_destroy(scene);
  return good;
}

static bool check_scene(const char *path, const Overrides *overrides) {
  static ErrorList list; // static because of its size
  list.count = list.left_out = 0;
  Error error = {.list = &list};
  SceneDef *def = NULL;
  if (trace_is_hdf5(path))
    error_set(&error, "%s: is a trace, not a scene: 'stagger inspect %s' describes it", path, path);
  else
    def = scene_def_read(path, overrides->texts, overrides->count, &error);
  error_next(&error);
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

// A skill whose network has not been learnt yet is good, with a warning.
static bool check_network(const char *path, SceneDef *def, SkillDef *skill, const char *network, Error *error) {
  Error missing = {0};
  const File *file = files_read(&def->files, network, &missing);
  if (file)
    return skill_file_read(file->path, skill, error);
  explained_printf(stderr, "%s: warning: its network is missing: %s; 'stagger train %s -o FILE' makes it", path,
                   missing.text, path);
  return true;
}

static bool check_skill(const char *path) {
  Error error = {0};
  SkillDef *skill;
  char network[512];
  SceneDef *def = scene_skill_alone(path, &skill, network, &error);
  bool good = def && skill_train_check(path, &error) && check_network(path, def, skill, network, &error);
  if (good)
    printf("%s: good\n", path);
  else
    print_errors(&error);
  scene_skill_free(skill);
  scene_def_free(def);
  return good;
}

static bool check_file(const char *path, const Overrides *overrides) {
  if (study_is_study(path))
    return check_study(path);
  return skill_train_knows(path) ? check_skill(path) : check_scene(path, overrides);
}

// True to continue; otherwise *code is the exit code.
static bool read_options(Overrides *overrides, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, &check_usage)) != -1;) {
    if (option == 'h') {
      usage_print(&check_usage, stdout);
      *code = EXIT_DONE;
    }
    if (option != 's')
      return false;
    if (overrides->count == MOST_OVERRIDES) {
      *code = cli_usage_error(argv[0], "--set: at most %d are allowed", MOST_OVERRIDES);
      return false;
    }
    overrides->texts[overrides->count++] = optarg;
  }
  if (optind == argc)
    cli_usage_error(argv[0], "a file is missing");
  return optind < argc;
}

int command_check(int argc, char **argv) {
  int code;
  Overrides overrides = {0};
  if (!read_options(&overrides, argc, argv, &code))
    return code;
  for (int i = optind; i < argc; i++)
    if (overrides.count > 0 && study_is_study(argv[i]))
      return cli_usage_error(argv[0], "--set: %s is a study, which sets its values itself", argv[i]);
    else if (overrides.count > 0 && skill_train_knows(argv[i]))
      return cli_usage_error(argv[0], "--set: %s is a skill, not a scene", argv[i]);
  bool good = true;
  for (int i = optind; i < argc; i++)
    good = check_file(argv[i], &overrides) && good;
  return good ? EXIT_DONE : EXIT_BAD_INPUT;
}
