// Code common to the subcommands of `stagger`: exit codes, options, error messages.
#ifndef STAGGER_SCENES_CLI_CLI_H
#define STAGGER_SCENES_CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "scenes/output/progress.h"
#include "sim/base/error.h"

enum {
  EXIT_DONE = 0,          // success; the scene's expectations hold
  EXIT_UNEXPECTED = 1,    // an expectation does not hold, or two traces differ
  EXIT_BAD_INPUT = 2,     // wrong usage or input; nothing was written
  EXIT_STOPPED = 3,       // the simulation was stopped, or its results could not be written
  EXIT_INTERRUPTED = 130, // Ctrl-C; the trace has been closed properly
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
int command_threshold(int argc, char **argv);
int command_optimise(int argc, char **argv);
int command_sensitivity(int argc, char **argv);
int command_report(int argc, char **argv);
int command_export(int argc, char **argv);
int command_train(int argc, char **argv);

// getopt_long, which reports unknown options on stderr; this adds a hint at --help.
int cli_option(int argc, char **argv, const char *letters, const struct option *known);

// For a command whose only option is --help: checks that there are between `least` and `most` arguments. Returns true
// to continue with argv[optind]; otherwise *code is the exit code, after --help or wrong usage.
bool cli_arguments(int argc, char **argv, const char *help, int least, int most, int *code);

// Prints "stagger run: ..." and a hint at --help on stderr. Returns EXIT_BAD_INPUT.
int cli_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The single argument after the options; what: "scene". NULL, after a message on stderr, when there is none or more
// than one.
const char *cli_only_argument(int argc, char **argv, const char *what);

// The command line with words quoted where necessary. Must be called before getopt, which reorders the words. The
// caller frees it; NULL: no memory.
char *cli_command_line(int argc, char **argv);

// Prints the error on stderr. Returns EXIT_BAD_INPUT, or EXIT_STOPPED for a result that could not be written.
int cli_error(const Error *error);

#endif
