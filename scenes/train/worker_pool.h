// Threads that stay, among which independent jobs are shared out.
#ifndef STAGGER_SCENES_TRAIN_WORKER_POOL_H
#define STAGGER_SCENES_TRAIN_WORKER_POOL_H

#include "sim/base/error.h"

typedef struct WorkerPool WorkerPool;

// Job `index`, run by worker 0 .. workers - 1. Which worker gets a job depends on chance, so the result must not depend
// on it. Returns whether the job has more to do. Such a job waits until all others have begun, and is run again by the
// next worker that is free, if any: so those that are waiting go on in turns, and all workers end at about the same
// time. At most WORKER_TURNS jobs for each worker wait; beyond that the worker goes on with its job at once.
typedef bool (*WorkerJob)(void *context, int index, int worker);

enum { WORKER_TURNS = 2 };

// workers: 1 or more, the calling thread included. NULL with an error when a thread cannot be started.
WorkerPool *worker_pool_create(int workers, Error *error);
void worker_pool_destroy(WorkerPool *pool);

// Runs the jobs 0 .. count - 1 and waits for them. The calling thread is worker 0.
void worker_pool_run(WorkerPool *pool, int count, WorkerJob job, void *context);

#endif
