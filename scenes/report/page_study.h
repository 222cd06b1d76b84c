// The page of a study, but for what surrounds every report.
#ifndef STAGGER_SCENES_REPORT_PAGE_STUDY_H
#define STAGGER_SCENES_REPORT_PAGE_STUDY_H

#include "scenes/report/page.h"
#include "scenes/report/study_results.h"

void page_study_facts(Page *page, const ReportFolder *folder); // provenance

// From the head to the last of the study's own sections. notes: a sentence is added for what cannot be drawn.
void page_study(Page *page, const StudyResults *results, const PageFiles *files, Html *notes);

#endif
