// How the program ends when a library does not bear that memory or stack ran out.
#ifndef STAGGER_SCENES_CLI_CRASH_H
#define STAGGER_SCENES_CLI_CRASH_H

// From now on a crash of this thread (SIGSEGV, SIGBUS, SIGABRT) says what it comes of: where memory or the stack had
// run out the program ends with exit code 3, otherwise by the signal, as ever. So does a library that ends the program
// itself. Does nothing under the sanitizers, which have handlers of their own.
void crash_catch(void);

// The program ends with an exit code, and has said why.
void crash_forget(int code);

// Calls a function with at least 1 MB of stack: as it is, or in a thread of its own where the limit of the process
// (ulimit -s) is smaller.
int crash_with_stack(int (*function)(int argc, char **argv), int argc, char **argv);

#endif
