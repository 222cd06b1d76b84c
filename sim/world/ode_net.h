// What stands between ODE and the rest of the process. ODE ends the process when it finds something wrong, and crashes
// when it finds no memory. Work inside of a net ends instead, and its reason is recorded; so does a long solution that
// is broken off from outside.
#ifndef STAGGER_SIM_WORLD_ODE_NET_H
#define STAGGER_SIM_WORLD_ODE_NET_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>

// Initialises ODE for the process, once, and for this thread, and sets its handlers. It is never shut down: worlds come
// and go. False without memory.
bool ode_prepare(void);

// Does the work inside of a net. False when ODE gave an error, found no memory, or was broken off: `reason` says which,
// what the work had begun stays as it is then, and memory that it held is lost. messages: where ODE's messages are
// counted; NULL: nowhere. Nets may stand inside of each other: the innermost catches. Outside of all of them an error
// of ODE aborts the process, and missing memory ends it with a message and exit code 3.
bool ode_guard(void (*work)(void *context), void *context, long *messages, char *reason, size_t reason_size);

// dWorldStep and dWorldQuickStep, which ode_break can end. False without memory for the step: nothing has moved then.
bool ode_step(dWorldID world, double dt);
bool ode_quick_step(dWorldID world, double dt);

// Breaks off the step above in which this thread is, if it is in one: its net catches that, and the world is of no use
// any more. For handlers of signals; does not return then. A handler that is left this way must not block its own
// signal (SA_NODEFER).
void ode_break(void);

#endif
