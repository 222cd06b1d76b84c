// The section of a run's page on how the momentum of its hits spread through the body.
#ifndef STAGGER_SCENES_REPORT_PAGE_PROPAGATION_H
#define STAGGER_SCENES_REPORT_PAGE_PROPAGATION_H

#include "scenes/report/html.h"
#include "scenes/run/propagation.h"

// For each hit a picture of parts and time, and a table of first arrivals and peaks.
void page_propagation(Html *html, const PropagationList *list);

#endif
