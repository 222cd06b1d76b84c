// Distributes jobs over the pools of all ranks: rank 0 assigns them and receives the replies.
#include "scenes/sweep/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/output/progress.h"
#include "scenes/sweep/mpi_link.h"

// Messages between ranks; rank 0 sends JOB and DISMISSED, the others all other kinds.
enum { TAG_JOB = 1, TAG_DISMISSED, TAG_REPLY, TAG_INTERRUPTED, TAG_NO_WORKER, TAG_BYE };

struct Ranks {
  Pool *pool; // the pool of this rank
  int number, count;
  int *workers;      // [count], on rank 0 only
  int *room;         // [count], on rank 0 only; its own room is that of its pool
  bool others_first; // replies of other ranks are read first this time
  bool interrupted;  // another rank was interrupted
  int without;       // a rank that has no worker left, -1: none
  int gone;          // number of ranks that have said goodbye
  PoolReply reply;   // buffer for a reply sent between ranks
};

Ranks *ranks_start(const Launch *launch, Pool *pool) {
  if (launch->mpi)
    link_start();
  Ranks *ranks = calloc(1, sizeof *ranks);
  int count = link_count();
  if (ranks) {
    *ranks = (Ranks){.pool = pool, .number = link_rank(), .count = count, .without = -1};
    ranks->workers = calloc((size_t)count, sizeof *ranks->workers);
    ranks->room = calloc((size_t)count, sizeof *ranks->room);
  }
  if (!ranks || !ranks->workers || !ranks->room) {
    if (count > 1)
      link_abort();
    pool_stop(pool, true);
    free(ranks);
    return NULL;
  }
  link_gather(pool ? pool_workers(pool) : 0, ranks->workers);
  for (int i = 0; i < count; i++)
    ranks->room[i] = POOL_QUEUE * ranks->workers[i];
  return ranks;
}

void ranks_end(Ranks *ranks) {
  if (!ranks)
    return;
  pool_stop(ranks->pool, true);
  link_end();
  free(ranks->workers);
  free(ranks->room);
  free(ranks);
}

int ranks_number(const Ranks *ranks) { return ranks->number; }

int ranks_count(const Ranks *ranks) { return ranks->count; }

int ranks_workers(const Ranks *ranks) {
  int workers = 0;
  for (int i = 0; i < ranks->count; i++)
    workers += ranks->workers[i];
  return workers;
}

char *ranks_share(const Ranks *ranks, const char *text) {
  size_t size = text ? strlen(text) + 1 : 0;
  link_share(0, &size, sizeof size);
  char *copy = malloc(size);
  if (!copy) {
    if (ranks->count > 1)
      link_abort();
    return NULL;
  }
  if (text)
    memcpy(copy, text, size);
  link_share(0, copy, size);
  return copy;
}

// ---- Rank 0 ----

// Reads messages of other ranks until one is a reply. False: there is none.
static bool hear_others(Ranks *ranks, PoolReply *reply) {
  int rank, tag;
  while (link_poll(reply, sizeof *reply, &rank, &tag)) {
    if (tag == TAG_REPLY) {
      ranks->room[rank]++;
      return true;
    }
    ranks->interrupted = ranks->interrupted || tag == TAG_INTERRUPTED;
    ranks->without = tag == TAG_NO_WORKER ? rank : ranks->without;
    ranks->gone += tag == TAG_BYE;
  }
  return false;
}

// The largest room of all ranks; using it keeps all ranks equally filled.
static int most_room(const Ranks *ranks, int *rank) {
  int most = pool_room(ranks->pool);
  *rank = 0;
  for (int i = 1; i < ranks->count; i++) {
    if (ranks->room[i] > most) {
      most = ranks->room[i];
      *rank = i;
    }
  }
  return most;
}

int ranks_room(const Ranks *ranks) {
  int rank;
  return most_room(ranks, &rank);
}

bool ranks_give(Ranks *ranks, long job) {
  int rank;
  most_room(ranks, &rank);
  if (rank == 0)
    return pool_give(ranks->pool, job);
  ranks->room[rank]--;
  link_send(rank, TAG_JOB, &job, sizeof job);
  return true;
}

bool ranks_take(Ranks *ranks, PoolReply *reply) {
  // ms; shorter if messages of other ranks, which do not end the waiting, must be read
  enum { PATIENCE = 100, PATIENCE_FOR_RANKS = 1 };
  ranks->others_first = !ranks->others_first;
  if (!ranks->others_first && pool_take(ranks->pool, 0, reply))
    return true;
  return hear_others(ranks, reply) || pool_take(ranks->pool, ranks->count > 1 ? PATIENCE_FOR_RANKS : PATIENCE, reply);
}

bool ranks_interrupted(const Ranks *ranks) { return ranks->interrupted || interrupt_requested(); }

bool ranks_can_work(const Ranks *ranks, Error *all) {
  if (ranks->without > 0)
    return error_set(all, "the worker processes of rank %d were all killed", ranks->without);
  return pool_workers(ranks->pool) > 0 || error_set(all, "the worker processes were all killed");
}

// A rank's goodbye is its last message, so that no message is left behind.
void ranks_dismiss(Ranks *ranks) {
  for (int rank = 1; rank < ranks->count; rank++)
    link_send(rank, TAG_DISMISSED, NULL, 0);
  while (ranks->gone < ranks->count - 1)
    if (!hear_others(ranks, &ranks->reply))
      usleep(1000);
}

// ---- The other ranks ----

// Handles a message of rank 0. False: dismissed.
static bool obey(Ranks *ranks) {
  long job;
  int rank, tag;
  while (link_poll(&job, sizeof job, &rank, &tag)) {
    if (tag == TAG_DISMISSED)
      return false;
    if (!pool_give(ranks->pool, job))
      link_abort();
  }
  return true;
}

// Reports an event to rank 0, once.
static void tell(bool happened, int tag, bool *told) {
  if (happened && !*told)
    link_send(0, tag, NULL, 0);
  *told = *told || happened;
}

void ranks_serve(Ranks *ranks) {
  bool interruption_told = false, loss_told = false;
  while (obey(ranks)) {
    PoolReply *reply = &ranks->reply;
    if (pool_take(ranks->pool, 1, reply))
      link_send(0, TAG_REPLY, reply, offsetof(PoolReply, text) + strlen(reply->text) + 1);
    tell(interrupt_requested(), TAG_INTERRUPTED, &interruption_told);
    tell(pool_workers(ranks->pool) == 0, TAG_NO_WORKER, &loss_told);
  }
  pool_stop(ranks->pool, true);
  ranks->pool = NULL;
  link_send(0, TAG_BYE, NULL, 0);
}
