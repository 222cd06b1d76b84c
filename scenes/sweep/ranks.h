// The processes that share a sweep: this one alone, or the ranks of an MPI job (mpirun, srun). Each has a pool of
// workers; rank 0 gives all of them their jobs and takes all replies, the others pass them on.
//
// A worker that dies costs a job, see pool.h. A rank that dies ends all of them: that is MPI's way.
#ifndef STAGGER_SCENES_SWEEP_RANKS_H
#define STAGGER_SCENES_SWEEP_RANKS_H

#include "scenes/sweep/launch.h"
#include "scenes/sweep/pool.h"

typedef struct Ranks Ranks;

// Starts MPI when the launch says so; the pool's processes were forked before. pool: of this rank, which becomes the
// ranks', also on error; NULL when it could not be started, then the ranks must agree to end. NULL: no memory.
Ranks *ranks_start(const Launch *launch, Pool *pool);

int ranks_number(const Ranks *ranks); // of this one, 0 .. ranks_count - 1
int ranks_count(const Ranks *ranks);
int ranks_workers(const Ranks *ranks); // of all ranks, as they were started; known to rank 0

// Called by all ranks together. True when none of them has an error; else `all` becomes the first one's.
bool ranks_agree(const Ranks *ranks, const Error *mine, Error *all);

// Called by all ranks together: rank 0's text for all; the others have NULL. The caller frees it; NULL: no memory, on a
// single rank.
char *ranks_share(const Ranks *ranks, const char *text);

// Rank 0: as in pool.h, with the workers of all ranks.
int ranks_room(const Ranks *ranks);
bool ranks_give(Ranks *ranks, long job);
bool ranks_take(Ranks *ranks, PoolReply *reply); // waits a little

bool ranks_interrupted(const Ranks *ranks);          // SIGINT or SIGTERM came to any rank
bool ranks_can_work(const Ranks *ranks, Error *all); // false: some rank has no worker left

// The other ranks: work until rank 0 dismisses them.
void ranks_serve(Ranks *ranks);
void ranks_dismiss(Ranks *ranks);

// Called by all ranks together: ends the pool, at once, and MPI.
void ranks_end(Ranks *ranks);

#endif
