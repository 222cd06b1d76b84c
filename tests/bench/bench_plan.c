// Cost of a planner's step among 12 obstacles at rest and 3 that move: of all steps, and of those in which it decides.
// Prints CSV: median and smallest time of a window, per step.
//
//   bench_plan                  times
//   bench_plan --instructions   the same: instructions are not counted
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/planner/planner.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/wall_clock.h"
#include "tests/bench/measure.h"

enum { STEPS = 2000, WINDOWS = 15, MAX_CLIPS = 16 };

typedef struct Library {
  FileSet files;
  BodyDef *body;
  Clip *clips[MAX_CLIPS];
  int count;
} Library;

static const Clip *find_clip(void *context, const Node *node, Error *error) {
  Library *library = context;
  if (library->count == MAX_CLIPS)
    return NULL;
  Clip *clip = clip_read(&library->files, node->text, &library->body->skeleton, error);
  if (clip)
    library->clips[library->count++] = clip;
  return clip;
}

// A character that walks through a wood without end.
static Sense look(const Planner *planner, SensePlace *place, int step) {
  static const double at_rest[2] = {0, 0};
  double goal[2] = {place->x + 3, place->z + 12};
  Sense sense = sense_make(place, goal, planner->def->moves.moves[planner->move].forward);
  for (int i = 0; i < 15; i++) {
    double angle = 2.4 * i, distance = 1.2 + 0.3 * i;
    double position[2] = {place->x + distance * sin(angle), place->z + distance * cos(angle)};
    double velocity[2] = {0.5 * sin(0.01 * step + i), 0.5 * cos(0.01 * step + i)};
    sense_add(&sense, place, position, i < 12 ? at_rest : velocity, 0.4);
  }
  return sense;
}

static void run_window(Planner *planner, SensePlace *place, double *all, double *deciding) {
  double sums[2] = {0, 0};
  int counts[2] = {0, 0};
  for (int i = 0; i < STEPS; i++) {
    Sense sense = look(planner, place, i);
    double begin = wall_seconds();
    PlannerStep step = planner_step(planner, &sense, 1.0 / 60);
    double time = wall_seconds() - begin;
    place->heading += step.turn / 60;
    for (int k = 0; k < (step.decided ? 2 : 1); k++) {
      sums[k] += time;
      counts[k]++;
    }
  }
  *all = sums[0] / counts[0];
  *deciding = sums[1] / counts[1];
}

int main(void) {
  Library library = {0};
  Error error = {0};
  snprintf(library.files.folder, sizeof library.files.folder, "%s", files_scenes_folder());
  library.body = body_read(&library.files, "bodies/human.yaml", &error);
  PlannerDef *def = library.body ? planner_def_read(&library.files, "planners/human.yaml", &library.body->skeleton,
                                                    find_clip, &library, &error)
                                 : NULL;
  if (!def) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  QTable table;
  if (!q_table_init(&table, planner_states(def, false), planner_actions(def)))
    return 1;
  Planner planner = planner_make(def, &table, false);
  SensePlace place = {0};
  double all[WINDOWS], deciding[WINDOWS];
  for (int i = 0; i < WINDOWS; i++)
    run_window(&planner, &place, &all[i], &deciding[i]);
  qsort(all, WINDOWS, sizeof all[0], compare_doubles);
  qsort(deciding, WINDOWS, sizeof deciding[0], compare_doubles);
  puts("benchmark,variant,unit,median,min,instructions");
  printf("plan,step,us,%.2f,%.2f,\n", 1e6 * all[WINDOWS / 2], 1e6 * all[0]);
  printf("plan,decision,us,%.2f,%.2f,\n", 1e6 * deciding[WINDOWS / 2], 1e6 * deciding[0]);
  q_table_free(&table);
  planner_def_free(def);
  for (int i = 0; i < library.count; i++)
    clip_free(library.clips[i]);
  body_free(library.body);
  files_free(&library.files);
  return 0;
}
