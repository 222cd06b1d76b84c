// What a course of an animated body comes to, held to nine digits: a number that depends on the whole pose, and the
// comparison of means with those that are kept.
#ifndef STAGGER_TESTS_DRILL_H
#define STAGGER_TESTS_DRILL_H

#include "anim/pose.h"
#include "sim/base/state.h"

// A number that depends on all joints, on each in another way. origin: m, what the places in `shown` are taken from.
static inline double drill_fold(const Pose *pose, const ModelPose *shown, const double origin[3]) {
  double sum = 0;
  for (int i = 0; i < pose->count; i++)
    for (int k = 0; k < 3; k++) {
      double off = (double)shown->position[i].raw[k] - origin[k];
      sum += off * cos(1 + i + 0.3 * k) + (double)pose->rotation[i].raw[k] * sin(1 + i + 0.7 * k);
    }
  return sum;
}

// A sum in which each value counts in another way, so that none makes up for another.
typedef struct DrillSum {
  double sum;
  long count;
} DrillSum;

static inline void drill_add(DrillSum *to, double value) { to->sum += value * cos(0.9 * (double)++to->count); }

static inline void drill_add_all(DrillSum *to, const double values[], int count) {
  for (int i = 0; i < count; i++)
    drill_add(to, values[i]);
}

static inline void drill_add_floats(DrillSum *to, const float values[], int count) {
  for (int i = 0; i < count; i++)
    drill_add(to, (double)values[i]);
}

// Replaces a thing by a fresh one that gets its state: a drill then comes to the same. `save(thing, stream)` saves or
// restores.
#define DRILL_RENEW(thing, fresh, save)                                                                                \
  do {                                                                                                                 \
    static unsigned char bytes[1 << 20];                                                                               \
    StateStream saved = state_stream_save(bytes, sizeof bytes, NULL);                                                  \
    save(thing, &saved);                                                                                               \
    StateStream restored = state_stream_restore(bytes, saved.at, NULL);                                                \
    save(fresh, &restored);                                                                                            \
    assert_false(saved.failed || restored.failed);                                                                     \
  } while (false)

// Whether the means are those that are kept, within 1e-9 of their size; prints those that are not.
static inline bool drill_matches(const char *drill, const char *const names[], const double means[],
                                 const double kept[], int count) {
  const double exact = 1e-9;
  bool same = true;
  for (int k = 0; k < count; k++)
    if (!(fabs(means[k] - kept[k]) <= exact * fmax(1, fabs(kept[k])))) {
      printf("%s: the mean %s is %.11g, not %.11g\n", drill, names[k], means[k], kept[k]);
      same = false;
    }
  return same;
}

// The means in braces, as the table has them.
static inline void drill_print(const double means[], int count) {
  for (int k = 0; k < count; k++)
    printf("%s%.11g", k > 0 ? ", " : "{", means[k]);
  printf("}");
}

// Whether the means are those that are kept; prints what differs, and the row that the table would have.
static inline bool drill_is_kept(const char *drill, const char *const names[], const double means[],
                                 const double kept[], int count) {
  if (drill_matches(drill, names, means, kept, count))
    return true;
  printf("    ");
  drill_print(means, count);
  printf(",\n");
  return false;
}

// Runs the drills of a table, and asserts that each comes to its row of OUTCOMES: run(&DRILLS[i], means) finds the
// SUMS means that NAMES names.
#define DRILLS_COME_TO(run)                                                                                            \
  do {                                                                                                                 \
    int wrong = 0;                                                                                                     \
    for (int i = 0; i < DRILL_COUNT; i++) {                                                                            \
      double means[SUMS] = {0};                                                                                        \
      run(&DRILLS[i], means);                                                                                          \
      wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);                                        \
    }                                                                                                                  \
    assert_int_equal(wrong, 0);                                                                                        \
  } while (false)

#endif
