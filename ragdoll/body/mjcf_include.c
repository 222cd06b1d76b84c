// Puts the files that an MJCF file includes in the place of their <include> elements.
#include <stdio.h>
#include <string.h>

#include "ragdoll/body/mjcf_read.h"

enum { MOST_INCLUDES = 64, MOST_ELEMENTS = 50000 };

static XmlNode *find_include(XmlNode *node) {
  for (XmlNode *child = node->first; child; child = child->next) {
    XmlNode *found = xml_is(child, "include") ? child : find_include(child);
    if (found)
      return found;
  }
  return NULL;
}

// A path relative to the folder of a file; absolute ones stay. False: it is too long.
static bool beside(const char *file, const char *path, char whole[FILES_PATH_SIZE]) {
  const char *slash = path[0] == '/' ? NULL : strrchr(file, '/');
  const int folder = slash ? (int)(slash - file + 1) : 0;
  return snprintf(whole, FILES_PATH_SIZE, "%.*s%s", folder, file, path) < FILES_PATH_SIZE;
}

// As MuJoCo does, paths are those from the folder of the first file; other programs take that of the including one.
static const File *read_included(FileSet *files, const XmlNode *include, const char *main_file, const char *path,
                                 char whole[FILES_PATH_SIZE]) {
  Error none = {0};
  const File *file = beside(main_file, path, whole) ? files_read(files, whole, &none) : NULL;
  if (!file && beside(include->file, path, whole))
    file = files_read(files, whole, &none);
  return file;
}

// Takes an element out of the tree.
static bool drop(XmlDocument *document, XmlNode *element, Error *error) {
  static const char nothing[] = "<mujoco/>";
  return xml_replace(document, element, "", nothing, strlen(nothing), error);
}

bool mjcf_include(LinkModel *model, XmlDocument *document, FileSet *files, Error *error) {
  const char *main_file = document->root->file;
  XmlNode *include;
  for (int count = 0; (include = find_include(document->root)); count++) {
    if (count == MOST_INCLUDES || xml_count(document->root) > MOST_ELEMENTS)
      return xml_error(include, error, "more than %d files are included, or they include each other", MOST_INCLUDES);
    const char *path = xml_attribute(include, "file");
    if (!path)
      return xml_error(include, error, "'file' is missing");
    char whole[FILES_PATH_SIZE];
    const File *file = read_included(files, include, main_file, path, whole);
    if (!file)
      link_note(model, "%s:%d: the included file '%s' is not there, and what it has is left out", include->file,
                include->line, path);
    const bool good =
        file ? xml_replace(document, include, whole, file->bytes, file->size, error) : drop(document, include, error);
    if (!good)
      return false;
  }
  return true;
}
