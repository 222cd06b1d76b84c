// Curves of any channel over time: the user's choice, and the values to draw. Independent of the source; the panel
// (panels_plots.c) draws them.
#ifndef STAGGER_VIEWER_PANELS_PLOTS_H
#define STAGGER_VIEWER_PANELS_PLOTS_H

#include "viewer/source/frames.h"

enum { PLOTS_MAX_CURVES = 16, PLOTS_MAX_POINTS = 2048 };

// One value of a channel of every source.
typedef struct PlotCurve {
  char channel[160]; // path
  int row, column;   // of the frame's values; column FRAMES_NORM (-1): the norm of the row
  bool degrees;      // shows rad as degrees
} PlotCurve;

typedef struct Plots {
  PlotCurve curves[PLOTS_MAX_CURVES];
  int count;
  double span; // s of a live run to show
} Plots;

void plots_init(Plots *plots);                        // no curves, 10 s
bool plots_add(Plots *plots, const PlotCurve *curve); // false: there are too many, or it exists already
void plots_remove(Plots *plots, int index);

// The name of a curve for people, "runner joints/error upper_arm_l", and its unit as shown ("deg" for "rad"). If the
// frames lack the channel or the row: numbers instead of names, and no unit.
void plots_label(const PlotCurve *curve, Frames *frames, char *text, size_t size, char unit[32]);

// The points of a curve between two times (both included), thinned out so that every peak is kept: from each group of
// frames the smallest and the largest value, in order of time. The groups do not change while a run continues, so that
// its curve does not flicker. A frame without a value (NAN) is a point, which makes a gap; gaps shorter than a group of
// thinned frames are closed. Returns the number of points, at most `most` (2 or more); -1 when the frames lack the
// channel or cannot be read. The whole curve is read once and then cached with the frames (frames_series).
int plots_points(const PlotCurve *curve, Frames *frames, double from, double to, int most, float *times, float *values);

// Reads "channel[row,column]", "channel[row]" or, for a single row, "channel": for options and tests. The leading
// "/characters/" may be omitted; row and column are numbers or names ("runner/joints/torque[thigh_l,x]"); without a
// column the norm of a vector is meant. Angles are shown in degrees. False with an error that says what is allowed.
bool plots_parse(const char *text, Frames *frames, PlotCurve *curve, Error *error);

#endif
