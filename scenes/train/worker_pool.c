// Workers take the next job as soon as they have ended one.
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
  int next, count; // next job, and number of jobs
  int running;     // jobs that have begun and not ended
  bool closing;
  int started; // workers with a thread of their own
  Worker workers[];
};

// Runs jobs until none is left. The lock is held on entry and return.
static void take_jobs(WorkerPool *pool, int worker) {
  while (pool->next < pool->count) {
    const int index = pool->next++;
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    pool->job(pool->context, index, worker);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
  }
  if (pool->running == 0)
    pthread_cond_signal(&pool->ended);
}

static void *work(void *argument) {
  const Worker *worker = argument;
  WorkerPool *pool = worker->pool;
  pthread_mutex_lock(&pool->lock);
  while (!pool->closing) {
    if (pool->next < pool->count)
      take_jobs(pool, worker->index);
    else
      pthread_cond_wait(&pool->begun, &pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

WorkerPool *worker_pool_create(int workers, Error *error) {
  WorkerPool *pool = calloc(1, sizeof *pool + (size_t)(workers - 1) * sizeof pool->workers[0]);
  if (!pool) {
    error_set(error, "out of memory");
    return NULL;
  }
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
  free(pool);
}

void worker_pool_run(WorkerPool *pool, int count, WorkerJob job, void *context) {
  pthread_mutex_lock(&pool->lock);
  pool->job = job;
  pool->context = context;
  pool->next = 0;
  pool->count = count;
  pthread_cond_broadcast(&pool->begun);
  take_jobs(pool, 0);
  while (pool->running > 0)
    pthread_cond_wait(&pool->ended, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
