// Reports: one HTML file that needs nothing beside it, of a trace or of a study's folder.
//
// The page is a template with the style, the plots and pictures that need no script, the data (see report_data.h) and,
// when it was built, the script that makes plots interactive and replays the motion (scenes/report/page, bundled with
// npm at build time). Without the script the page still says everything, in tables, SVG plots and pictures.
#ifndef STAGGER_SCENES_REPORT_REPORT_H
#define STAGGER_SCENES_REPORT_REPORT_H

#include "sim/base/error.h"

#include <stdbool.h>

typedef struct ReportOptions {
  const char *input;   // a trace or the folder of a study
  const char *output;  // the HTML file, or with `human` a JSON file of these figures alone
  const char *command; // as it was typed, for provenance
  bool pictures;       // film strip by stagger-view, when it is there and can draw
  bool propagation;    // of a trace: run its scene again, with and without each hit
  bool human;          // also prints the figures of people beside its own, for which a scene may be run again
} ReportOptions;

// Errors: neither a trace nor a study, not readable, the page cannot be written. notes (size bytes): sentences on what
// was left out and why, one a line ("no film strip: ...").
bool report_write(const ReportOptions *options, char *notes, int size, Error *error);

#endif
