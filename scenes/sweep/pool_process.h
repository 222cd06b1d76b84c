// The processes of a pool (see pool.h): the functions of a keeper and its worker, and the messages on their socket.
#ifndef STAGGER_SCENES_SWEEP_POOL_PROCESS_H
#define STAGGER_SCENES_SWEEP_POOL_PROCESS_H

#include <signal.h>
#include <sys/types.h>

#include "scenes/sweep/pool.h"

// A job is sent to a worker as a plain long. Messages back contain the job (except for deaths) and the used part of the
// text. SOCK_SEQPACKET preserves the boundaries and the order of messages.
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

// Signal from the pool to a keeper: kill the worker and end.
enum { KEEPER_STOP = SIGUSR1 };

// The main function of a keeper. parent: the process that started the pool.
_Noreturn void keeper_run(const PoolTask *task, int socket, pid_t parent);

#endif
