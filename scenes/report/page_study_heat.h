// Heat maps of studies with three axes: one picture over two of them for each value of the third.
#ifndef STAGGER_SCENES_REPORT_PAGE_STUDY_HEAT_H
#define STAGGER_SCENES_REPORT_PAGE_STUDY_HEAT_H

#include "scenes/report/html.h"
#include "scenes/report/report_folder.h"

// An axis with its unit, for people.
void page_study_axis(const StudyAxis *axis, char *name, size_t size);

// One picture over two axes. values: by rows of `up`, [up->count * across->count].
void page_study_map(Html *html, const char *title, const StudyAxis *across, const StudyAxis *up, const double *values,
                    const char *unit, bool is_share);

// The share or median of a column in each cell. Nothing where other than three axes have several values.
void page_study_heat(Html *html, const ReportFolder *folder, int column);

// Strategies after hits, if the trials have them (`recovery_strategy`): the mean rank, ankle to fall, in each cell.
void page_study_heat_strategy(Html *html, const ReportFolder *folder);

#endif
