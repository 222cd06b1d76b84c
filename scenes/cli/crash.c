// The message when the program crashes. HDF5, which writes traces, crashes when it runs out of memory, often later and
// in another function. That cannot be prevented here, but the user must learn the cause.
#include "scenes/cli/crash.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "scenes/cli/cli.h"

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { HANDLER_STACK = 32 << 10, ENOUGH_STACK = 1 << 20 }; // bytes

// A process that cannot allocate this much more has run out of memory: ODE allocates more than this at once.
enum { LEAST_LEFT = 16 << 20 }; // bytes

static volatile sig_atomic_t finished, final_code;
static pid_t process; // the process itself, not those forked from it
static char handler_stack[HANDLER_STACK];
static _Thread_local uintptr_t stack_top;

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return; // a forked process stays silent
}

static bool memory_is_out(void) {
  void *probe = mmap(NULL, LEAST_LEFT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    return true;
  munmap(probe, LEAST_LEFT);
  return false;
}

// Whether an address is at the end of a stack that has grown to its limit.
static bool stack_is_full(const void *address) {
  struct rlimit limit;
  const uintptr_t at = (uintptr_t)address;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || at >= stack_top)
    return false;
  const uintptr_t size = limit.rlim_cur < ENOUGH_STACK ? ENOUGH_STACK : limit.rlim_cur; // see crash_with_stack
  return stack_top - at > size / 2 && stack_top - at < 2 * size;
}

static void tell_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  if (finished && final_code != EXIT_DONE) // a library must not end the program once a message has been printed
    _exit(final_code);
  if (number == SIGSEGV && stack_is_full(info->si_addr)) {
    say("stagger: the stack is full (ulimit -s): what was recorded so far is kept\n");
    _exit(EXIT_STOPPED);
  }
  if (memory_is_out()) {
    say("stagger: out of memory (ulimit -v, or of the machine), and a library crashed: what was recorded so far is "
        "kept\n");
    _exit(EXIT_STOPPED);
  }
  say("stagger: crashed because of a bug in the program\n");
  raise(number); // SA_RESETHAND: with the default action
}

// Called when a library has ended the program.
static void tell_exit(int status, void *unused) {
  (void)unused;
  if (finished || status == EXIT_STOPPED || getpid() != process)
    return;
  say("stagger: a library has ended the program, out of memory\n");
  _exit(EXIT_STOPPED);
}

void crash_catch(void) {
  if (SANITIZED)
    return;
  stack_top = (uintptr_t)__builtin_frame_address(0);
  const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = tell_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  static const int caught[] = {SIGSEGV, SIGBUS, SIGABRT};
  for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
    sigaction(caught[i], &action, NULL);
  process = getpid();
  on_exit(tell_exit, NULL);
}

void crash_forget(int code) {
  final_code = code;
  finished = 1;
}

// ---- A stack of one's own ----

typedef struct Call {
  int (*function)(int argc, char **argv);
  int argc;
  char **argv;
  int result;
} Call;

static void *make_call(void *context) {
  Call *call = context;
  crash_catch();
  call->result = call->function(call->argc, call->argv);
  return NULL;
}

// Signals are handled by the working thread.
static bool call_in_thread(Call *call) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  const bool started = pthread_attr_setstacksize(&attributes, ENOUGH_STACK) == 0 &&
                       pthread_create(&thread, &attributes, make_call, call) == 0;
  pthread_attr_destroy(&attributes);
  if (!started)
    return false;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  return pthread_join(thread, NULL) == 0;
}

int crash_with_stack(int (*function)(int argc, char **argv), int argc, char **argv) {
  Call call = {function, argc, argv, EXIT_STOPPED};
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < ENOUGH_STACK && call_in_thread(&call))
    return call.result;
  make_call(&call);
  return call.result;
}
