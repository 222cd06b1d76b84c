// Processes that do jobs: a job is a number, its reply a text. A worker that dies costs the job it was at, which is
// told; a new one takes its place. Each worker is the child of a keeper process, which was forked before MPI was
// started and knows nothing of it: MPI does not like forks.
//
// None of these processes outlives the one that started the pool, even if that is killed. They ignore what a terminal
// or a batch system sends to all processes alike (SIGINT, SIGTERM, SIGHUP, SIGQUIT): who ends them is the pool. They
// have nowhere to write to: standard output and error lead nowhere.
#ifndef STAGGER_SCENES_SWEEP_POOL_H
#define STAGGER_SCENES_SWEEP_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum {
  POOL_TEXT_SIZE = 1 << 16,
  POOL_MAX_WORKERS = 1024,
  POOL_QUEUE = 2 // jobs of a worker: the one it is at, and the next, so that it never waits for one
};

#define POOL_TIME_LIMIT "time limit" // what died of it

// Does a job in a worker process: writes the reply's text, which ends with a zero byte.
typedef void (*PoolWork)(void *context, long job, char *text, size_t size);

typedef struct PoolReply {
  long job;
  bool died; // then text says of what: "signal 6 (Aborted)", "exit status 1", POOL_TIME_LIMIT
  char text[POOL_TEXT_SIZE];
} PoolReply;

typedef struct Pool Pool;

// Forks the keepers and their workers. workers: 1 to POOL_MAX_WORKERS. time_limit: s of wall time for a job, 0: none.
// context is what it is at the time of the call, in every worker.
Pool *pool_start(int workers, PoolWork work, void *context, double time_limit, Error *error);

int pool_workers(const Pool *pool); // fewer than were started when keepers were killed; 0: nobody is left to work
int pool_room(const Pool *pool);    // jobs that it takes now: POOL_QUEUE for each worker, less those that it has

// job: 0 or more, and not one that the pool has. A job beyond the room waits, too. False: no memory.
bool pool_give(Pool *pool, long job);

// Waits up to timeout_ms for a reply; false: none came, or a signal did. Jobs that workers died of come as replies,
// too, and when nobody is left to work, all other ones.
bool pool_take(Pool *pool, int timeout_ms, PoolReply *reply);

// Ends the workers, after the job they are at or (now) at once, and waits for them.
void pool_stop(Pool *pool, bool now);

#endif
