// stagger list: the scenes that come with Stagger.
#include "scenes/cli/cli.h"
#include "scenes/scene_list.h"

static const char HELP[] =
    "usage: stagger list\n\n"
    "Lists the scenes that come with Stagger with their purpose. `stagger run` takes their names from\n"
    "any folder. $STAGGER_SCENES names another folder to look in.\n\n"
    "example: stagger list\n";

int command_list(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, HELP, 0, 0, &code))
    return code;
  Error error = {0};
  SceneList list;
  if (!scene_list_read(&list, &error))
    return cli_error(&error);
  for (int i = 0; i < list.count; i++) {
    const SceneEntry *scene = &list.entries[i];
    if (scene->problem != NULL)
      printf("%-24s (%s)\n", scene->name, scene->problem);
    else
      printf("%-24s %s\n", scene->name, scene->purpose);
  }
  scene_list_free(&list);
  return EXIT_DONE;
}
