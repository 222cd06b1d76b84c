// The files that a report's page is made with: report.css, and page.js and page.css, which a build with npm makes.
#ifndef STAGGER_SCENES_REPORT_PAGE_FILES_H
#define STAGGER_SCENES_REPORT_PAGE_FILES_H

#include "sim/base/files.h"

typedef struct PageFiles {
  FileSet files;
  const File *style, *script, *script_style; // NULL: not found
} PageFiles;

// report.css: installed beside the program, or of the source tree. The script: of $STAGGER_REPORT_PAGE, else installed
// beside the program, else of the build folder.
void page_files_read(PageFiles *page);
void page_files_free(PageFiles *page);

#endif
