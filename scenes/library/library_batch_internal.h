// What the files of batches share: the copies of a scene, and work on all of them by the pool's threads.
#ifndef STAGGER_SCENES_LIBRARY_LIBRARY_BATCH_INTERNAL_H
#define STAGGER_SCENES_LIBRARY_LIBRARY_BATCH_INTERNAL_H

#include "scenes/library/library_internal.h"
#include "scenes/run/scene_state.h"

// A turn of the work on a copy: units from .. to - 1 of `length`, such as steps.
typedef struct BatchTurn {
  int64_t from, to, length;
} BatchTurn;

struct StaggerBatch {
  SceneDef *def; // lends its assets to all copies
  StaggerScene **copies;
  StaggerError **errors; // of the present work on each copy
  BatchTurn *turns;      // of the present work on each copy
  bool *apart;           // copies that the calling thread works on, since they record
  int count;
  struct WorkerPool *pool;
  int threads;
  bool *prepared; // for each thread: it has ODE's data
};

enum { BATCH_LEAST_STEPS = 8 }; // of a turn

// Work on one copy. Returns false with an error; copies are worked on at the same time.
typedef bool (*BatchWork)(StaggerBatch *batch, int copy, void *context, StaggerError **error);

// Does the work on all copies. False with the error of the first copy that has one.
bool batch_run(StaggerBatch *batch, BatchWork work, void *context, StaggerError **error);

// The same for long work, each copy's in one or several turns of `least` units or more. The caller has stored the
// `length` of each copy's turn, 0 or more.
bool batch_run_in_turns(StaggerBatch *batch, BatchWork work, int64_t least, void *context, StaggerError **error);

// Checks [count, parts, 3] offsets of the joints of a character, and sets those of a copy.
bool batch_check_offsets(const StaggerBatch *batch, int character, const double *offsets, size_t count,
                         StaggerError **error);
void batch_set_offsets(StaggerScene *copy, int character, const double *offsets);

// Finds a view of all copies, one in each of `views` [copies], which the caller frees. NULL and an error when there is
// none, or no memory for it.
StaggerView *batch_find_views(StaggerBatch *batch, int character, const char *name, StaggerError **error);
size_t view_size(const StaggerView *view); // bytes

#endif
