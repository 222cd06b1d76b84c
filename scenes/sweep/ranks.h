// The processes of a sweep: this one alone, or the ranks of an MPI job (mpirun, srun). Each has a pool of workers; rank
// 0 assigns jobs to all of them and receives all replies, which the other ranks forward.
//
// If a worker dies a job is lost, see pool.h. If a rank dies, MPI ends all of them.
#ifndef STAGGER_SCENES_SWEEP_RANKS_H
#define STAGGER_SCENES_SWEEP_RANKS_H

#include "scenes/sweep/launch.h"
#include "scenes/sweep/pool.h"

typedef struct Ranks Ranks;

// Starts MPI if the launch says so; the pool's processes must have been forked before. pool: of this rank; it is taken
// over, also on error. NULL when it could not be started; the ranks must then agree to end. Returns NULL without
// memory.
Ranks *ranks_start(const Launch *launch, Pool *pool);

int ranks_number(const Ranks *ranks); // number of this rank, 0 .. ranks_count - 1
int ranks_count(const Ranks *ranks);
int ranks_workers(const Ranks *ranks); // of all ranks, as they were started; valid on rank 0

// Called by all ranks together: distributes rank 0's text; the others pass NULL. The caller frees the result. NULL: no
// memory, only on a single rank.
char *ranks_share(const Ranks *ranks, const char *text);

// For rank 0: as in pool.h, with the workers of all ranks.
int ranks_room(const Ranks *ranks);
bool ranks_give(Ranks *ranks, long job);
bool ranks_take(Ranks *ranks, PoolReply *reply); // waits briefly

bool ranks_interrupted(const Ranks *ranks);          // SIGINT or SIGTERM arrived at any rank
bool ranks_can_work(const Ranks *ranks, Error *all); // false: some rank has no worker left

// For the other ranks: work until rank 0 dismisses them.
void ranks_serve(Ranks *ranks);
void ranks_dismiss(Ranks *ranks);

// Called by all ranks together: ends the pool at once, and MPI.
void ranks_end(Ranks *ranks);

#endif
