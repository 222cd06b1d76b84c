// The section of a study's page on how responses grow with the size of a hit and differ by the struck part.
#ifndef STAGGER_SCENES_REPORT_PAGE_DOSE_H
#define STAGGER_SCENES_REPORT_PAGE_DOSE_H

#include "scenes/report/page.h"
#include "scenes/report/report_folder.h"

// Nothing of a study that has no table of doses, see dose_applies. notes: a sentence when its responses are missing.
void page_dose(Page *page, const ReportFolder *folder, Html *notes);

// The picture alone, as a whole SVG file. False when there is none.
bool page_dose_picture(Html *html, const ReportFolder *folder);

#endif
