// Finds the style and the script of reports, installed or in the build, and reads them.
#include "scenes/report/page_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The build says where its own files are.
#ifndef STAGGER_SOURCE_REPORT
#define STAGGER_SOURCE_REPORT "scenes/report"
#endif
#ifndef STAGGER_BUILD_REPORT_PAGE
#define STAGGER_BUILD_REPORT_PAGE "report_page"
#endif

static const char INSTALLED[] = "/share/stagger/report";

static const File *read_from(PageFiles *page, const char *folder, const char *name) {
  char path[PATH_MAX], *full = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  // An absolute path is not looked up in the folder of the scenes.
  if (folder[0] != '\0')
    full = realpath(path, NULL);
  const File *file = full ? files_read(&page->files, full, NULL) : NULL;
  free(full);
  return file;
}

// The first folder that has the file.
static const File *find(PageFiles *page, const char *first, const char *second, const char *name) {
  const File *file = read_from(page, first, name);
  return file ? file : read_from(page, second, name);
}

void page_files_read(PageFiles *page) {
  *page = (PageFiles){0};
  char installed[FILES_PATH_SIZE];
  files_installed_folder(INSTALLED, installed);
  page->style = find(page, installed, STAGGER_SOURCE_REPORT, "report.css");
  const char *chosen = getenv("STAGGER_REPORT_PAGE");
  const bool is_chosen = chosen && chosen[0] != '\0';
  const char *first = is_chosen ? chosen : installed, *second = is_chosen ? "" : STAGGER_BUILD_REPORT_PAGE;
  page->script = find(page, first, second, "page.js");
  page->script_style = find(page, first, second, "page.css");
}

void page_files_free(PageFiles *page) { files_free(&page->files); }
