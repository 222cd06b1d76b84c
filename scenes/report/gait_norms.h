// Human gait, from the literature: joint curves over the gait cycle with standard deviations, and normal ranges of
// figures. Sources are named beside the figures in gait_norms.c.
#ifndef STAGGER_SCENES_REPORT_GAIT_NORMS_H
#define STAGGER_SCENES_REPORT_GAIT_NORMS_H

#include "scenes/report/gait.h"

typedef struct GaitNorm {
  const char *name;   // "free speed"
  const char *source; // authors and journal
  const char *of;     // whose mean and SD these are
  double most;        // walking: v / sqrt(g l) up to which it is taken
  double pelvis_tilt; // deg: what the source's pelvis is tilted forward upright, and its hip therefore flexed
  const GaitCurves *mean, *deviation;
  const char *second_name; // a second reference, its mean alone; NULL: none
  const GaitCurves *second;
  double second_tilt; // deg
  bool has_arms;      // its curves are those of arms, too
} GaitNorm;

// What people show at that speed (m/s). leg: height of the hip joints upright, m.
const GaitNorm *gait_norm(bool runs, double speed, double leg);

bool gait_norm_has(const GaitNorm *norm, GaitJoint joint);

// A joint's curve, its standard deviation and the second reference's curve as a body has them whose pelvis is not
// tilted upright, deg. NANs where there is none.
void gait_norm_curve(const GaitNorm *norm, GaitJoint joint, double mean[GAIT_POINTS], double deviation[GAIT_POINTS],
                     double second[GAIT_POINTS]);

typedef struct GaitRange {
  double low, high;
  const char *source; // NULL: there is no range
} GaitRange;

// The normal range of a figure at that speed; of angles: the norm's peak -+ 2 SD, of running: from one
// reference's to the other's.
GaitRange gait_norm_range(GaitFigure figure, const GaitNorm *norm, bool runs, double speed);

#endif
