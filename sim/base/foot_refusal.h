// Reasons why a foot does not stand at its planned place: one list from which the enumeration, the names in traces, and
// the metrics' rows are made.
#ifndef STAGGER_SIM_BASE_FOOT_REFUSAL_H
#define STAGGER_SIM_BASE_FOOT_REFUSAL_H

// X(argument, number in traces, enumerator, suffix of the metric's name, name, clause after "because")
#define FOOT_REFUSALS(X, argument)                                                                                     \
  X(argument, 1, FOOT_NO_GROUND, no_ground, "no ground", "there was no ground")                                        \
  X(argument, 2, FOOT_TOO_HIGH, too_high, "too high", "the ground was higher than a leg can step")                     \
  X(argument, 3, FOOT_TOO_LOW, too_low, "too low", "the ground was lower than a leg can step")                         \
  X(argument, 4, FOOT_TOO_STEEP, too_steep, "too steep", "the ground was too steep for a foot")                        \
  X(argument, 5, FOOT_OUT_OF_REACH, out_of_reach, "out of reach", "the leg could not reach the place")                 \
  X(argument, 6, FOOT_CROSSES, crossing, "crosses a leg", "the foot would have stood on the other side of another leg")

#define FOOT_REFUSAL_ENUMERATOR(argument, number, id, key, name, because) id = (number),
typedef enum FootRefusal {
  FOOT_NOT_REFUSED,
  FOOT_REFUSALS(FOOT_REFUSAL_ENUMERATOR, ) FOOT_REFUSAL_COUNT // one more than the last
} FootRefusal;
#undef FOOT_REFUSAL_ENUMERATOR

// ", 1 no ground, 2 ...": for descriptions of channels that contain the number.
#define FOOT_REFUSAL_LISTED(argument, number, id, key, name, because) ", " #number " " name

// "out of reach"; "" when not refused.
const char *foot_refusal_name(FootRefusal refusal);

#endif
