// stagger list: the scenes and studies that come with Stagger, and the bodies, clips, graphs, planners and skills they
// use.
#include "scenes/cli/cli.h"
#include "scenes/description/scene_list.h"

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage list_usage = {
    .name = "stagger list",
    .summary = "lists the scenes and studies that come with Stagger",
    .forms = {""},
    .text = "Lists the scenes that come with Stagger with their purpose, those that copy experiments with people\n"
            "(\"laboratory/\"), then the studies, whose names begin with \"studies/\", then the bodies, clips, graphs, "
            "planners and skills that scenes can name, and the\n"
            "scenes in which skills are trained. `stagger run`, `sweep` and `train` accept these names in any working\n"
            "folder.\n"
            "$STAGGER_SCENES names another folder to look in.",
    USAGE_OPTIONS(OPTIONS),
    .examples = {"stagger list"},
};

static void print_list(const SceneList *list) {
  for (int i = 0; i < list->count; i++) {
    const SceneEntry *entry = &list->entries[i];
    if (entry->problem)
      printf("%-24s (%s)\n", entry->name, entry->problem);
    else
      printf("%-24s %s\n", entry->name, entry->purpose);
  }
}

int command_list(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, &list_usage, 0, 0, &code))
    return code;
  Error error = {0};
  SceneList scenes, laboratory = {0}, studies = {0};
  if (!scene_list_read(&scenes, &error))
    return cli_error(&error);
  bool good = laboratory_list_read(&laboratory, &error) && study_list_read(&studies, &error);
  print_list(&scenes);
  print_list(&laboratory);
  print_list(&studies);
  scene_list_free(&scenes);
  scene_list_free(&laboratory);
  scene_list_free(&studies);
  static const char *const folders[] = {"bodies", "clips", "graphs", "planners", "skills"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0] && good; i++) {
    SceneList assets;
    good = asset_list_read(&assets, folders[i], &error);
    print_list(&assets);
    scene_list_free(&assets);
  }
  return good ? EXIT_DONE : cli_error(&error);
}
