// A pool of processes for jobs: a job is a number, its reply a text. If a worker dies, only the job in progress is
// lost, which is reported, and a new worker replaces it. Each worker is the child of a keeper process, which is forked
// before MPI is started and does not use it, since processes that use MPI should not fork.
//
// None of these processes outlives the one that started the pool, even if that is killed. They ignore signals that a
// terminal or a batch system sends to all processes (SIGINT, SIGTERM, SIGHUP, SIGQUIT); the pool ends them. Their
// standard output and error are discarded.
#ifndef STAGGER_SCENES_SWEEP_POOL_H
#define STAGGER_SCENES_SWEEP_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum {
  POOL_TEXT_SIZE = 1 << 16,
  POOL_MAX_WORKERS = 1024,
  POOL_QUEUE = 2 // jobs of a worker: one in progress and the next one, so that a worker need not wait
};

#define POOL_TIME_LIMIT "time limit" // text of a reply when a job exceeded its time

// Does a job in a worker process and writes the reply's text, ended by a zero byte.
typedef void (*PoolWork)(void *context, long job, char *text, size_t size);

typedef struct PoolReply {
  long job;
  bool died; // the worker died; text is then the cause: "signal 6 (Aborted)", "exit status 1", POOL_TIME_LIMIT
  char text[POOL_TEXT_SIZE];
} PoolReply;

typedef struct Pool Pool;

// Forks the keepers and their workers. workers: 1 to POOL_MAX_WORKERS. time_limit: s of wall-clock time for a job, 0:
// none. Every worker has a copy of context as it is at the time of the call.
Pool *pool_start(int workers, PoolWork work, void *context, double time_limit, Error *error);

int pool_workers(const Pool *pool); // fewer than were started if keepers were killed; 0: none is left
int pool_room(const Pool *pool);    // number of jobs that can be given now: POOL_QUEUE for each worker, minus the
                                    // present jobs

// job: 0 or more, and not one that the pool has. Jobs beyond the room must wait in the pool. False: no memory.
bool pool_give(Pool *pool, long job);

// Waits up to timeout_ms for a reply; false: none came, or a signal arrived. Jobs whose worker died are returned as
// replies, too; when no worker is left, so are all remaining jobs.
bool pool_take(Pool *pool, int timeout_ms, PoolReply *reply);

// Ends the workers, after the job in progress or (now) at once, and waits for them.
void pool_stop(Pool *pool, bool now);

#endif
