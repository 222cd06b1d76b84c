// The processes of a pool (see pool.h): what a keeper and its worker do, and the messages they share a socket for.
#ifndef STAGGER_SCENES_SWEEP_POOL_PROCESS_H
#define STAGGER_SCENES_SWEEP_POOL_PROCESS_H

#include <signal.h>
#include <sys/types.h>

#include "scenes/sweep/pool.h"

// To the worker a job goes as a bare long. Messages back have the job, but for deaths, and as much of the text as is
// used. SOCK_SEQPACKET keeps the messages' borders and their order.
typedef enum MessageKind { MESSAGE_BEGUN, MESSAGE_DONE, MESSAGE_DIED } MessageKind;

typedef struct Message {
  long job;
  MessageKind kind;
  char text[POOL_TEXT_SIZE];
} Message;

typedef struct PoolTask {
  PoolWork work;
  void *context;
  double time_limit; // s, 0: none
} PoolTask;

// From the pool to a keeper: kill the worker and end.
enum { KEEPER_STOP = SIGUSR1 };

// The life of a keeper. parent: the process that started the pool.
_Noreturn void keeper_run(const PoolTask *task, int socket, pid_t parent);

#endif
