// The processes of a worker and its keeper: the loop over jobs, the messages on their socket, and the report of a
// crash.
#include "scenes/sweep/pool_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// Reports of the sanitizers must be visible.
#ifdef __SANITIZE_ADDRESS__
enum { SILENCED = STDOUT_FILENO };
#else
enum { SILENCED = STDERR_FILENO };
#endif

// Makes the process die with its parent. If the system does not offer that, a worker ends after its job, when its
// socket has been closed.
static void die_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent)
    _exit(EXIT_FAILURE); // the parent ended before the call
}

static bool send_message(int socket, const Message *message) {
  size_t size = offsetof(Message, text) + strlen(message->text) + 1;
  ssize_t sent;
  do
    sent = send(socket, message, size, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)size;
}

// ---- The worker ----

static bool receive_job(int socket, long *job, int flags) {
  ssize_t size;
  do
    size = recv(socket, job, sizeof *job, flags);
  while (size < 0 && errno == EINTR);
  return size == (ssize_t)sizeof *job;
}

// SIGALRM ends the process when the time is over; the keeper reports the cause.
static void set_alarm(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)fmod(seconds * 1e6, 1e6);
  if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
    timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, NULL);
}

// A job is taken from the socket after its beginning has been reported: whenever the worker dies, the pool knows which
// job it was doing, and no job is lost.
static _Noreturn void worker_run(const PoolTask *task, int socket) {
  static Message message;
  long job;
  while (receive_job(socket, &job, MSG_PEEK)) {
    message.job = job;
    message.kind = MESSAGE_BEGUN;
    message.text[0] = '\0';
    if (!send_message(socket, &message) || !receive_job(socket, &job, 0))
      break;
    set_alarm(task->time_limit);
    task->work(task->context, job, message.text, sizeof message.text);
    set_alarm(0);
    message.kind = MESSAGE_DONE;
    if (!send_message(socket, &message))
      break;
  }
  _exit(EXIT_SUCCESS); // the pool has been closed
}

// ---- The keeper ----

// Waits until the worker ends, and kills it when the pool signals stop. False: the keeper must end, too.
static bool wait_for_worker(pid_t worker, pid_t parent, const sigset_t *signals, int *status) {
  bool going_on = true;
  while (waitpid(worker, status, WNOHANG) == 0) {
    siginfo_t info;
    if (sigwaitinfo(signals, &info) == KEEPER_STOP && info.si_pid == parent) {
      kill(worker, SIGKILL);
      going_on = false;
    }
  }
  return going_on;
}

static bool socket_is_closed(int socket) {
  char byte;
  return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void tell_death(int socket, int status) {
  static Message message = {.job = -1, .kind = MESSAGE_DIED};
  if (!WIFSIGNALED(status))
    snprintf(message.text, sizeof message.text, "exit status %d", WEXITSTATUS(status));
  else if (WTERMSIG(status) == SIGALRM)
    snprintf(message.text, sizeof message.text, POOL_TIME_LIMIT);
  else
    snprintf(message.text, sizeof message.text, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  send_message(socket, &message);
}

// Pauses, so that workers that die at once do not keep the machine busy. False: the pool signals stop.
static bool pause_briefly(pid_t parent) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, KEEPER_STOP);
  siginfo_t info;
  const struct timespec pause = {.tv_nsec = 20000000};
  return sigtimedwait(&stop, &info, &pause) != KEEPER_STOP || info.si_pid != parent;
}

static void prepare_process(pid_t parent) {
  die_with(parent);
  static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
    signal(ignored[i], SIG_IGN);
  signal(SIGALRM, SIG_DFL);
  int nowhere = open("/dev/null", O_RDWR);
  for (int descriptor = STDIN_FILENO; nowhere >= 0 && descriptor <= SILENCED; descriptor++)
    dup2(nowhere, descriptor);
  if (nowhere > STDERR_FILENO)
    close(nowhere);
}

_Noreturn void keeper_run(const PoolTask *task, int socket, pid_t parent) {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, KEEPER_STOP);
  sigprocmask(SIG_BLOCK, &signals, &before);
  signal(SIGCHLD, SIG_DFL);
  prepare_process(parent);
  pid_t keeper = getpid();
  bool going_on = true;
  while (going_on && !socket_is_closed(socket)) {
    pid_t worker = fork();
    if (worker == 0) {
      die_with(keeper);
      sigdelset(&before, SIGALRM);
      sigprocmask(SIG_SETMASK, &before, NULL);
      worker_run(task, socket);
    }
    int status = 0;
    if (worker > 0)
      going_on = wait_for_worker(worker, parent, &signals, &status);
    if (!going_on || socket_is_closed(socket))
      break;
    if (worker > 0)
      tell_death(socket, status);
    going_on = pause_briefly(parent);
  }
  _exit(EXIT_SUCCESS);
}
