// Assigns jobs to worker processes, receives their replies, and redistributes the jobs of lost workers.
#include "scenes/sweep/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenes/sweep/pool_process.h"
#include "sim/base/wall_clock.h"

typedef struct Worker {
  pid_t keeper;
  int socket; // -1: the keeper has ended
  long at;    // the job that has been begun, -1: none
} Worker;

typedef struct Job {
  long number;
  int worker; // -1: none, when no worker is left
} Job;

struct Pool {
  int count;
  Worker *workers;
  struct pollfd *polls;
  int first; // the worker whose messages are read first; it rotates so that all are served
  Job *jobs; // assigned jobs without a reply, in order
  int job_count, job_capacity;
  Message message;
};

// ---- Workers ----

// Only the pool keeps its ends of all sockets open: a worker thus notices at its own socket that the pool has ended.
static _Noreturn void become_keeper(const Pool *pool, int worker, const PoolTask *task, int socket, pid_t parent) {
  for (int i = 0; i <= worker; i++)
    close(pool->workers[i].socket);
  keeper_run(task, socket, parent);
}

static bool start_worker(Pool *pool, int index, const PoolTask *task, Error *error) {
  Worker *worker = &pool->workers[index];
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    return error_set(error, "worker processes cannot be started: %s", strerror(errno));
  int room = 2 * (int)sizeof(Message);
  setsockopt(sockets[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  *worker = (Worker){.socket = sockets[0], .at = -1};
  pid_t parent = getpid();
  worker->keeper = fork();
  if (worker->keeper == 0)
    become_keeper(pool, index, task, sockets[1], parent);
  int cause = errno;
  close(sockets[1]);
  if (worker->keeper > 0)
    return true;
  close(worker->socket);
  return error_set(error, "worker processes cannot be started: %s", strerror(cause));
}

Pool *pool_start(int workers, PoolWork work, void *context, double time_limit, Error *error) {
  Pool *pool = calloc(1, sizeof *pool);
  if (pool) {
    pool->workers = calloc((size_t)workers, sizeof *pool->workers);
    pool->polls = calloc((size_t)workers, sizeof *pool->polls);
  }
  if (!pool || !pool->workers || !pool->polls) {
    error_set(error, "out of memory for %d workers", workers);
    pool_stop(pool, true);
    return NULL;
  }
  PoolTask task = {work, context, time_limit};
  fflush(NULL); // buffered output would otherwise be written by every child
  for (; pool->count < workers; pool->count++) {
    if (!start_worker(pool, pool->count, &task, error)) {
      pool_stop(pool, true);
      return NULL;
    }
  }
  return pool;
}

int pool_workers(const Pool *pool) {
  int alive = 0;
  for (int i = 0; i < pool->count; i++)
    alive += pool->workers[i].socket >= 0;
  return alive;
}

int pool_room(const Pool *pool) {
  int room = POOL_QUEUE * pool_workers(pool) - pool->job_count;
  return room > 0 ? room : 0;
}

void pool_stop(Pool *pool, bool now) {
  if (!pool)
    return;
  for (int i = 0; i < pool->count; i++) {
    if (pool->workers[i].socket < 0)
      continue;
    if (now)
      kill(pool->workers[i].keeper, KEEPER_STOP);
    close(pool->workers[i].socket);
  }
  for (int i = 0; i < pool->count; i++) {
    while (pool->workers[i].socket >= 0 && waitpid(pool->workers[i].keeper, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  free(pool->workers);
  free(pool->polls);
  free(pool->jobs);
  free(pool);
}

// ---- Jobs ----

static int jobs_of(const Pool *pool, int worker) {
  int count = 0;
  for (int i = 0; i < pool->job_count; i++)
    count += pool->jobs[i].worker == worker;
  return count;
}

// The worker with the fewest jobs; -1: none is left.
static int least_busy(const Pool *pool) {
  int best = -1, fewest = 0;
  for (int i = 0; i < pool->count; i++) {
    if (pool->workers[i].socket < 0)
      continue;
    int jobs = jobs_of(pool, i);
    if (best < 0 || jobs < fewest) {
      best = i;
      fewest = jobs;
    }
  }
  return best;
}

// A job that cannot be sent remains assigned; that the keeper has ended is detected when its socket is read.
static void assign_job(const Pool *pool, Job *job) {
  job->worker = least_busy(pool);
  if (job->worker >= 0)
    send(pool->workers[job->worker].socket, &job->number, sizeof job->number, MSG_NOSIGNAL);
}

bool pool_give(Pool *pool, long job) {
  if (pool->job_count == pool->job_capacity) {
    int capacity = 2 * pool->job_capacity + 2 * POOL_QUEUE;
    Job *grown = realloc(pool->jobs, (size_t)capacity * sizeof *grown);
    if (!grown)
      return false;
    pool->jobs = grown;
    pool->job_capacity = capacity;
  }
  Job *entry = &pool->jobs[pool->job_count];
  *entry = (Job){.number = job, .worker = -1};
  assign_job(pool, entry);
  pool->job_count++;
  return true;
}

// False: the pool does not have that job.
static bool remove_job(Pool *pool, long job) {
  for (int i = 0; i < pool->job_count; i++) {
    if (pool->jobs[i].number != job)
      continue;
    pool->job_count--;
    memmove(&pool->jobs[i], &pool->jobs[i + 1], (size_t)(pool->job_count - i) * sizeof pool->jobs[0]);
    return true;
  }
  return false;
}

// ---- Replies ----

static bool set_reply(Pool *pool, PoolReply *reply, long job, bool died, const char *text) {
  if (job < 0 || !remove_job(pool, job))
    return false;
  reply->job = job;
  reply->died = died;
  snprintf(reply->text, sizeof reply->text, "%s", text);
  return true;
}

// A keeper never ends by itself: it was killed, and its worker with it. The job in progress is lost, the others are
// assigned to other workers. True: there is a reply.
static bool bury(Pool *pool, int index, PoolReply *reply) {
  Worker *worker = &pool->workers[index];
  close(worker->socket);
  worker->socket = -1;
  kill(worker->keeper, SIGKILL);
  while (waitpid(worker->keeper, NULL, 0) < 0 && errno == EINTR) {
  }
  bool replied = set_reply(pool, reply, worker->at, true, "its keeper was killed");
  for (int i = 0; i < pool->job_count; i++)
    if (pool->jobs[i].worker == index)
      assign_job(pool, &pool->jobs[i]);
  return replied;
}

// Reads one message of a worker. True: it results in a reply.
static bool receive(Pool *pool, int index, PoolReply *reply) {
  Worker *worker = &pool->workers[index];
  Message *message = &pool->message;
  ssize_t size = recv(worker->socket, message, sizeof *message, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR))
    return false;
  if (size <= (ssize_t)offsetof(Message, text))
    return bury(pool, index, reply);
  message->text[size - (ssize_t)offsetof(Message, text) - 1] = '\0';
  if (message->kind == MESSAGE_BEGUN) {
    worker->at = message->job;
    return false;
  }
  long job = worker->at;
  worker->at = -1;
  return set_reply(pool, reply, job, message->kind == MESSAGE_DIED, message->text);
}

// Takes a job for which no worker is left.
static bool take_abandoned(Pool *pool, PoolReply *reply) {
  return pool->job_count > 0 && pool->jobs[0].worker < 0 &&
         set_reply(pool, reply, pool->jobs[0].number, true, "nobody is left to work");
}

// Waits for messages; false: the time is over, or a signal arrived.
static bool wait_for_messages(Pool *pool, double until) {
  for (int i = 0; i < pool->count; i++)
    pool->polls[i] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
  double left = until - wall_seconds();
  int milliseconds = left > 0 ? (int)(1000 * left) + 1 : 0;
  return poll(pool->polls, (nfds_t)pool->count, milliseconds) > 0;
}

bool pool_take(Pool *pool, int timeout_ms, PoolReply *reply) {
  double until = wall_seconds() + 1e-3 * timeout_ms;
  if (take_abandoned(pool, reply))
    return true;
  while (wait_for_messages(pool, until)) {
    for (int i = 0; i < pool->count; i++) {
      int index = (pool->first + i) % pool->count;
      if (pool->polls[index].revents != 0 && receive(pool, index, reply)) {
        pool->first = (index + 1) % pool->count;
        return true;
      }
    }
    if (take_abandoned(pool, reply))
      return true;
  }
  return false;
}
