// What the subcommands of `stagger` share: exit codes, options, progress, interruption.
#ifndef STAGGER_SCENES_CLI_CLI_H
#define STAGGER_SCENES_CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "scenes/output/progress.h"
#include "sim/base/error.h"

enum {
  EXIT_DONE = 0,          // and the scene's expectations held
  EXIT_UNEXPECTED = 1,    // an expectation did not hold; two traces differ
  EXIT_BAD_INPUT = 2,     // bad usage or input, nothing was written
  EXIT_STOPPED = 3,       // the simulation was stopped, or its results could not be written
  EXIT_INTERRUPTED = 130, // Ctrl-C; the trace is closed properly
};

// A subcommand: argv[0] is its name. Returns an exit code.
typedef struct Command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
} Command;

int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_inspect(int argc, char **argv);
int command_list(int argc, char **argv);
int command_reference(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_report(int argc, char **argv);
int command_export(int argc, char **argv);
int command_train(int argc, char **argv);

// getopt_long, which has told on stderr what it does not take; here with a hint at --help behind it.
int cli_option(int argc, char **argv, const char *letters, const struct option *known);

// Options of a command that has only --help, and between `least` and `most` arguments after it. Returns true to go on
// with argv[optind]; else *code is the exit code: help was asked for, or the usage is bad.
bool cli_arguments(int argc, char **argv, const char *help, int least, int most, int *code);

// "stagger run: ..." and a hint at --help on stderr. Returns EXIT_BAD_INPUT.
int cli_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The one argument behind the options; what: "scene". NULL, said on stderr, when there is none or another one.
const char *cli_only_argument(int argc, char **argv, const char *what);

// The command as it was typed, words with blanks and the like in quotes: to be asked for before getopt moves words. The
// caller frees it; NULL: no memory.
char *cli_command_line(int argc, char **argv);

// The error's text on stderr. Returns EXIT_BAD_INPUT, of a result that could not be written EXIT_STOPPED.
int cli_error(const Error *error);

#endif
