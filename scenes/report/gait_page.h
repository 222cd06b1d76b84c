// The section of a report's page that holds the gait of a run's characters against human gait.
#ifndef STAGGER_SCENES_REPORT_GAIT_PAGE_H
#define STAGGER_SCENES_REPORT_GAIT_PAGE_H

#include "scenes/report/gait_trace.h"
#include "scenes/report/html.h"

// What the trace is found to hold; false and an error: no memory.
bool gait_page_run(Html *html, const ReportRun *run, Error *error);

#endif
