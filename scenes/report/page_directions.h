// The section of a study's page on the outcome by direction, and the same as a picture of its own.
#ifndef STAGGER_SCENES_REPORT_PAGE_DIRECTIONS_H
#define STAGGER_SCENES_REPORT_PAGE_DIRECTIONS_H

#include "scenes/report/page.h"
#include "scenes/report/report_folder.h"

// Adds nothing if no axis of the study is of directions over a full turn.
void page_directions(Page *page, const ReportFolder *folder);

// The picture alone, as a whole SVG file. False when there is none.
bool page_directions_picture(Html *html, const ReportFolder *folder);

#endif
