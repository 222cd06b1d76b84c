// Processes that do jobs: a job is a number, its reply a text. A worker that dies costs one job, which is told; a new
// one takes its place. Each worker is a child of a keeper process that was forked before MPI was started and knows
// nothing of it: MPI does not like forks.
#ifndef STAGGER_SCENES_SWEEP_POOL_H
#define STAGGER_SCENES_SWEEP_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"

enum { POOL_TEXT_SIZE = 1 << 16 };

// Does a job in a worker process. False: interrupted, there is no reply. The text ends with a zero byte.
typedef bool (*PoolWork)(void *context, long job, char *text, size_t size);

typedef struct PoolReply {
  long job;
  bool died; // then text says of what: "signal 6 (Aborted)", "exit status 1", "time limit"
  char text[POOL_TEXT_SIZE];
} PoolReply;

typedef struct Pool Pool;

// Forks the keepers and their workers. time_limit: s of wall time for a job, 0: none. context is what it is at the time
// of the call, in every worker.
Pool *pool_start(int workers, PoolWork work, void *context, double time_limit, Error *error);

int pool_workers(const Pool *pool);
int pool_room(const Pool *pool); // jobs that it takes now: two for each worker, less those that it has
void pool_give(Pool *pool, long job);

// Waits up to timeout_ms for a reply; false: none came. Died workers' jobs come as replies too.
bool pool_take(Pool *pool, int timeout_ms, PoolReply *reply);

// Ends the workers, after the job they are at or (now) at once, and waits for them.
void pool_stop(Pool *pool, bool now);

#endif
