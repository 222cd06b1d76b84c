// ODE's handlers of errors, messages and memory, which are global to the process, and the nets in which their errors
// are caught. A net is a target for longjmp; each thread has its own list of them, since a jump into another thread's
// net would land on a foreign stack.
#include "sim/world/ode_net.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_NO_MEMORY = 3 };
enum { FAILED = 1, BROKEN_OFF }; // values passed by longjmp

typedef struct Net {
  struct Net *outer;
  sigjmp_buf place;
  long *messages;
  char *reason;
  size_t reason_size;
} Net;

static _Thread_local Net *innermost;

// solving: a step can be interrupted; allocating: not at present, since the allocator's locks would remain locked
static _Thread_local volatile sig_atomic_t solving, allocating;

static void count_message(int number, const char *format, va_list arguments) {
  (void)number, (void)format, (void)arguments;
  if (innermost && innermost->messages)
    ++*innermost->messages;
}

static void escape_error(int number, const char *format, va_list arguments) {
  if (!innermost) { // outside a net the input has been checked, so this is a programming error
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    abort();
  }
  char text[160];
  vsnprintf(text, sizeof text, format, arguments);
  snprintf(innermost->reason, innermost->reason_size, "ODE error %d: %s", number, text);
  siglongjmp(innermost->place, FAILED);
}

// ODE does not check whether allocation succeeded.
static void *check_memory(void *memory, size_t size) {
  if (memory || size == 0)
    return memory;
  if (innermost) {
    snprintf(innermost->reason, innermost->reason_size, "out of memory: ODE asked for %zu bytes", size);
    siglongjmp(innermost->place, FAILED);
  }
  fprintf(stderr, "out of memory: ODE asked for %zu bytes\n", size);
  exit(EXIT_NO_MEMORY);
}

static void *allocate(dsizeint size) {
  allocating = 1;
  void *memory = malloc(size);
  allocating = 0;
  return check_memory(memory, size);
}

static void *reallocate(void *memory, dsizeint old_size, dsizeint size) {
  (void)old_size;
  allocating = 1;
  void *moved = realloc(memory, size);
  allocating = 0;
  return check_memory(moved, size);
}

static void release(void *memory, dsizeint size) {
  (void)size;
  allocating = 1;
  free(memory);
  allocating = 0;
}

static void prepare(void *context) {
  static bool ready;
  if (!ready) {
    dSetAllocHandler(allocate);
    dSetReallocHandler(reallocate);
    dSetFreeHandler(release);
  }
  ready = ready || dInitODE2(0);
  if (!ready || !dAllocateODEDataForThread((unsigned)dAllocateMaskAll))
    return;
  dSetMessageHandler(count_message);
  dSetErrorHandler(escape_error);
  dSetDebugHandler(escape_error);
  *(bool *)context = true;
}

bool ode_guard(void (*work)(void *context), void *context, long *messages, char *reason, size_t reason_size) {
  Net net = {.outer = innermost, .messages = messages, .reason = reason, .reason_size = reason_size};
  const int jumped = sigsetjmp(net.place, 0);
  if (jumped == 0) {
    innermost = &net;
    work(context);
  }
  innermost = net.outer;
  solving = 0;
  if (jumped == BROKEN_OFF)
    snprintf(reason, reason_size, "broken off in the middle of a step");
  return jumped == 0;
}

// One thread at a time: scenes may be opened by several. In a net of its own, as a jump out of it would leave the lock.
bool ode_prepare(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  bool good = false;
  char reason[160];
  pthread_mutex_lock(&lock);
  const bool ended = ode_guard(prepare, &good, NULL, reason, sizeof reason);
  pthread_mutex_unlock(&lock);
  return ended && good;
}

bool ode_step(dWorldID world, double dt) {
  solving = innermost != NULL;
  const int done = dWorldStep(world, dt);
  solving = 0;
  return done != 0;
}

bool ode_quick_step(dWorldID world, double dt) {
  solving = innermost != NULL;
  const int done = dWorldQuickStep(world, dt);
  solving = 0;
  return done != 0;
}

void ode_break(void) {
  if (solving && !allocating)
    siglongjmp(innermost->place, BROKEN_OFF);
}
