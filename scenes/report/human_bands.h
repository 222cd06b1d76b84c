// What people showed in experiments and in falls that were filmed: one row for each figure that a metric of ours can be
// held against. Nothing here is a guess: a row is what its source says, or follows from it by arithmetic that the row
// names; figures recalled from memory are marked so, and never count.
#ifndef STAGGER_SCENES_REPORT_HUMAN_BANDS_H
#define STAGGER_SCENES_REPORT_HUMAN_BANDS_H

#include "scenes/description/scene_def.h"

typedef enum HumanConfidence {
  HUMAN_READ,    // stands in the text, table or abstract of the source
  HUMAN_DERIVED, // computed from such figures
  HUMAN_RECALLED // not read: shown, but never counted
} HumanConfidence;

typedef enum HumanKind {
  HUMAN_VALUE, // of a run; of a study the median of its trials
  HUMAN_SHARE, // of the falls of a study: those in which the metric has a value
  HUMAN_MOST,  // the largest of a study's trials
  HUMAN_FIT    // R2 of the metric on the impulse over the trials of a study
} HumanKind;

typedef struct HumanBand {
  const char *check;  // what is compared
  const char *metric; // see METRIC_ROWS
  const char *unit;
  double scale; // unit / unit of the metric
  HumanKind kind;
  double low, high;           // in `unit`: inside is inside both; of a mean and SD these are 2 SD away
  const char *shown;          // the band as its source has it: "2.14, SD 0.63"
  unsigned protocols;         // bits 1 << Protocol; 0: of all scenes, as far as the metric has a value
  const char *when;           // NULL, or a metric that must be within
  double when_low, when_high; // these
  bool twin;                  // the metric needs the same run without the hit
  const char *people;         // whose, and how many
  const char *source;
  HumanConfidence confidence;
} HumanBand;

extern const HumanBand human_bands[];
extern const int human_band_count;

extern const char *const human_confidence_names[]; // by HumanConfidence

// Whether a band is of a scene that names this protocol.
bool human_band_fits(const HumanBand *band, int protocol);

#endif
