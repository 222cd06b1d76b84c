// stagger list: the scenes that come with Stagger.
#include <glob.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "sim/document.h"
#include "sim/files.h"

static const char HELP[] =
    "usage: stagger list\n\n"
    "Lists the scenes that come with Stagger with their purpose. `stagger run` takes their names from\n"
    "any folder. $STAGGER_SCENES names another folder to look in.\n\n"
    "example: stagger list\n";

static void print_scene(FileSet *files, const char *path) {
  const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  Error error = {0};
  Document document;
  const File *file = files_read(files, path, &error);
  if (file == NULL || !document_parse(&document, name, file->bytes, &error)) {
    printf("%-24s (%s)\n", name, error.text);
    return;
  }
  const Node *purpose = node_find(document.root, "purpose");
  if (node_find(document.root, "characters") != NULL)
    printf("%-24s %s\n", name, purpose != NULL && purpose->kind == NODE_SCALAR ? purpose->text : "");
  document_free(&document);
}

int command_list(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, HELP, 0, 0, &code))
    return code;
  char pattern[1024];
  snprintf(pattern, sizeof pattern, "%s/*.yaml", files_scenes_folder());
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) {
    fprintf(stderr, "%s: there are no scenes\n", files_scenes_folder());
    return EXIT_BAD_INPUT;
  }
  FileSet files = {0};
  for (size_t i = 0; i < found.gl_pathc; i++)
    print_scene(&files, found.gl_pathv[i]);
  files_free(&files);
  globfree(&found);
  return EXIT_DONE;
}
