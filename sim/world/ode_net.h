// Isolates the process from failures in ODE, which ends the process when it finds an error, and crashes when there is
// no memory. Inside a net the work is ended instead, and the reason is recorded; a long solution can also be
// interrupted from outside.
#ifndef STAGGER_SIM_WORLD_ODE_NET_H
#define STAGGER_SIM_WORLD_ODE_NET_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>

// Initialises ODE for the process, once, and for this thread, and sets its handlers. ODE is never shut down, since
// worlds are created and destroyed at any time. False without memory.
bool ode_prepare(void);

// Does the work inside a net. False when ODE reported an error, found no memory, or was interrupted: `reason` says
// which; the work is left unfinished, and memory that it held is lost. messages: counter of ODE's messages; NULL: not
// counted. Nets may be nested: the innermost one catches. Outside all nets an error of ODE aborts the process, and lack
// of memory ends it with a message and exit code 3.
bool ode_guard(void (*work)(void *context), void *context, long *messages, char *reason, size_t reason_size);

// dWorldStep and dWorldQuickStep, which ode_break can interrupt. False without memory for the step: nothing has moved
// then.
bool ode_step(dWorldID world, double dt);
bool ode_quick_step(dWorldID world, double dt);

// Interrupts the step above that this thread is executing, if any: its net catches that, and the world cannot be used
// any more. For handlers of signals; does not return then. A handler that is left in this way must not block its own
// signal (SA_NODEFER).
void ode_break(void);

#endif
