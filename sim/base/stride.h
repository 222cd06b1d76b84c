// The definition of a stride for the metrics of a run and for the report on a recorded motion: from a foot's touchdown,
// after a real swing, to its next touchdown, while the character does not stand.
#ifndef STAGGER_SIM_BASE_STRIDE_H
#define STAGGER_SIM_BASE_STRIDE_H

// s: a foot that is off the ground for less has not swung; contacts may be interrupted briefly, and feet may bounce.
#define STRIDE_SHORTEST_SWING 0.05
// s: longest time between two touchdowns; in a longer time the character stood in between.
#define STRIDE_LONGEST 3.0

// Cadence, steps/min, of a character with `feet` feet, from the number of strides of all feet and their total time in
// s: each stride is a step of its foot.
static inline double stride_cadence(int feet, int strides, double time) { return 60.0 * feet * strides / time; }

#endif
