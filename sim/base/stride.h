// What a stride is, for the metrics of a run and for the report on a recorded motion: from a foot's touch-down, after a
// swing that is no flicker of its contact, to its next touch-down, in a time in which nobody stands.
#ifndef STAGGER_SIM_BASE_STRIDE_H
#define STAGGER_SIM_BASE_STRIDE_H

// A foot off the ground for less than this has not swung: contacts flicker, feet bounce as they strike. s
#define STRIDE_SHORTEST_SWING 0.05
// From one touch-down to the next; in a longer time the character stood in between. s
#define STRIDE_LONGEST 3.0

// steps/min of a character with so many feet who makes so many strides in all, of all feet, which take `time` s in all:
// each of them is a step.
static inline double stride_cadence(int feet, int strides, double time) { return 60.0 * feet * strides / time; }

#endif
