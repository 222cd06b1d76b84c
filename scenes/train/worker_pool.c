// Workers take the next job as soon as they have ended one, and then the jobs that are not done yet, in turns.
#include "scenes/train/worker_pool.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Worker {
  WorkerPool *pool;
  int index;
  pthread_t thread;
} Worker;

struct WorkerPool {
  pthread_mutex_t lock; // of everything below
  pthread_cond_t begun, ended;
  WorkerJob job;
  void *context;
  int next, count;                  // next job, and number of jobs
  int *waiting;                     // jobs that have begun and have more to do, from the oldest on, in a ring
  int oldest, wait_count, capacity; // of the ring
  int running;                      // jobs that a worker runs
  bool closing;
  int started; // workers with a thread of their own
  Worker workers[];
};

enum { NONE = -1 };

static bool has_jobs(const WorkerPool *pool) { return pool->next < pool->count || pool->wait_count > 0; }

// Has a job wait for its next turn, unless too many do.
static bool put_back(WorkerPool *pool, int job) {
  if (pool->wait_count == pool->capacity)
    return false;
  pool->waiting[(pool->oldest + pool->wait_count++) % pool->capacity] = job;
  return true;
}

// The next job of a worker whose last one, unless NONE, has more to do. NONE if it has to take none: each job that is
// not done then is run by a worker, who goes on with it.
static int next_job(WorkerPool *pool, int unfinished) {
  if (unfinished != NONE && !put_back(pool, unfinished))
    return unfinished;
  if (pool->next < pool->count)
    return pool->next++;
  if (pool->wait_count == 0)
    return NONE;
  const int job = pool->waiting[pool->oldest];
  pool->oldest = (pool->oldest + 1) % pool->capacity;
  pool->wait_count--;
  return job;
}

// Runs jobs until there is none to take. The lock is held on entry and return.
static void take_jobs(WorkerPool *pool, int worker) {
  int job = next_job(pool, NONE);
  while (job != NONE) {
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    const bool more = pool->job(pool->context, job, worker);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    job = next_job(pool, more ? job : NONE);
  }
  if (pool->running == 0)
    pthread_cond_signal(&pool->ended);
}

static void *work(void *argument) {
  const Worker *worker = argument;
  WorkerPool *pool = worker->pool;
  pthread_mutex_lock(&pool->lock);
  while (!pool->closing) {
    if (has_jobs(pool))
      take_jobs(pool, worker->index);
    else
      pthread_cond_wait(&pool->begun, &pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

WorkerPool *worker_pool_create(int workers, Error *error) {
  WorkerPool *pool = calloc(1, sizeof *pool + (size_t)(workers - 1) * sizeof pool->workers[0]);
  int *waiting = calloc((size_t)workers, WORKER_TURNS * sizeof *waiting);
  if (!pool || !waiting) {
    free(pool);
    free(waiting);
    error_set(error, "out of memory");
    return NULL;
  }
  pool->waiting = waiting;
  pool->capacity = WORKER_TURNS * workers;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->ended, NULL);
  for (int i = 1; i < workers; i++) {
    Worker *worker = &pool->workers[i - 1];
    *worker = (Worker){.pool = pool, .index = i};
    if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
      error_set(error, "thread %d of %d could not be started", i + 1, workers);
      worker_pool_destroy(pool);
      return NULL;
    }
    pool->started++;
  }
  return pool;
}

void worker_pool_destroy(WorkerPool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->lock);
  pool->closing = true;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->started; i++)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->ended);
  pthread_mutex_destroy(&pool->lock);
  free(pool->waiting);
  free(pool);
}

void worker_pool_run(WorkerPool *pool, int count, WorkerJob job, void *context) {
  pthread_mutex_lock(&pool->lock);
  pool->job = job;
  pool->context = context;
  pool->next = 0;
  pool->count = count;
  if (count > 1)
    pthread_cond_broadcast(&pool->begun);
  take_jobs(pool, 0);
  while (pool->running > 0)
    pthread_cond_wait(&pool->ended, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
