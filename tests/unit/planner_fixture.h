// What tests of planners need: the human planner with its clips.
#ifndef STAGGER_TESTS_PLANNER_FIXTURE_H
#define STAGGER_TESTS_PLANNER_FIXTURE_H

#include "graph_fixture.h"

#include "anim/planner/policy.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

typedef struct PlannerFixture {
  GraphFixture clips;
  PlannerDef *def;
} PlannerFixture;

static inline int planner_set_up(void **state) {
  static PlannerFixture f;
  Error error = {0};
  graph_fixture_init(&f.clips);
  f.def =
      planner_def_read(&f.clips.files, "planners/human.yaml", f.clips.skeleton, fixture_find_clip, &f.clips, &error);
  if (!f.def)
    fail_msg("%s", error.text);
  *state = &f;
  return 0;
}

static inline int planner_tear_down(void **state) {
  PlannerFixture *f = *state;
  planner_def_free(f->def);
  graph_fixture_end(&f->clips);
  return 0;
}

#endif
