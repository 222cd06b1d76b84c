// The sections of a report's page about a study.
#ifndef STAGGER_SCENES_REPORT_PAGE_STUDY_H
#define STAGGER_SCENES_REPORT_PAGE_STUDY_H

#include "scenes/report/html.h"
#include "scenes/report/report_folder.h"

enum { PAGE_MOST_MEASURES = 6 };

// The most important columns of a study, at most PAGE_MOST_MEASURES, yes-or-no ones first.
typedef struct Measures {
  int columns[PAGE_MOST_MEASURES], count;
} Measures;

Measures page_study_measures(const ReportFolder *folder);

// A column's name as shown: without the character's if the scene has only one.
const char *page_study_column(const ReportFolder *folder, const char *column);

void page_study_badges(Html *html, const ReportFolder *folder);
void page_study_figures(Html *html, const ReportFolder *folder, const Measures *measures);
void page_study_plots(Html *html, const ReportFolder *folder, const Measures *measures); // within #study-plots
void page_study_tables(Html *html, const ReportFolder *folder, const Measures *measures);
void page_study_trials(Html *html, const ReportFolder *folder, const Measures *measures); // within #trials
void page_study_traces(Html *html, const ReportFolder *folder, Html *notes);

#endif
