// Threads that stay, among which independent jobs are shared out.
#ifndef STAGGER_SCENES_TRAIN_WORKER_POOL_H
#define STAGGER_SCENES_TRAIN_WORKER_POOL_H

#include "sim/base/error.h"

typedef struct WorkerPool WorkerPool;

// Job `index`, run by worker 0 .. workers - 1. Which worker gets a job depends on chance, so the result must not depend
// on it.
typedef void (*WorkerJob)(void *context, int index, int worker);

// workers: 1 or more, the calling thread included. NULL with an error when a thread cannot be started.
WorkerPool *worker_pool_create(int workers, Error *error);
void worker_pool_destroy(WorkerPool *pool);

// Runs the jobs 0 .. count - 1 and waits for them. The calling thread is worker 0.
void worker_pool_run(WorkerPool *pool, int count, WorkerJob job, void *context);

#endif
