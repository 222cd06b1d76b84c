// The results of a study without script, where the page's script was not built: plots and pictures as SVG, and tables.
#ifndef STAGGER_SCENES_REPORT_STUDY_PLAIN_H
#define STAGGER_SCENES_REPORT_STUDY_PLAIN_H

#include "scenes/report/html.h"
#include "scenes/report/study_results.h"

void study_plain_directions(Html *html, const StudyResults *results);
void study_plain_plots(Html *html, const StudyResults *results); // of the main measures
void study_plain_tables(Html *html, const StudyResults *results);

#endif
