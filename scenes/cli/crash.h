// How the program ends when a library crashes because memory or stack ran out.
#ifndef STAGGER_SCENES_CLI_CRASH_H
#define STAGGER_SCENES_CLI_CRASH_H

// From now on a crash of this thread (SIGSEGV, SIGBUS, SIGABRT) prints its cause: if memory or stack ran out the
// program ends with exit code 3, otherwise by the signal as usual. A library that ends the program is treated likewise.
// Does nothing under the sanitizers, which have handlers of their own.
void crash_catch(void);

// Call before the program ends with an exit code after its own message.
void crash_forget(int code);

// Calls a function with at least 1 MB of stack: directly, or in a new thread if the limit of the process (ulimit -s) is
// smaller.
int crash_with_stack(int (*function)(int argc, char **argv), int argc, char **argv);

#endif
