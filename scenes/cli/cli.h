// Code common to the subcommands of `stagger`: exit codes, options, error messages.
#ifndef STAGGER_SCENES_CLI_CLI_H
#define STAGGER_SCENES_CLI_CLI_H

#include <getopt.h> // optarg, optind
#include <stdbool.h>
#include <stdio.h>

#include "scenes/output/progress.h"
#include "scenes/usage/usage.h"
#include "sim/base/error.h"

enum {
  EXIT_DONE = 0,          // success; the scene's expectations hold
  EXIT_UNEXPECTED = 1,    // an expectation does not hold, or two traces differ
  EXIT_BAD_INPUT = 2,     // wrong usage or input; nothing was written
  EXIT_STOPPED = 3,       // the simulation was stopped, or its results could not be written
  EXIT_INTERRUPTED = 130, // Ctrl-C; the trace has been closed properly
};

// The subcommands, in the order of the list: of each there is a table NAME_usage and a function command_NAME.
#define COMMANDS(ROW)                                                                                                  \
  ROW(run)                                                                                                             \
  ROW(sweep)                                                                                                           \
  ROW(threshold)                                                                                                       \
  ROW(optimise)                                                                                                        \
  ROW(sensitivity)                                                                                                     \
  ROW(train)                                                                                                           \
  ROW(report)                                                                                                          \
  ROW(export)                                                                                                          \
  ROW(body)                                                                                                            \
  ROW(check)                                                                                                           \
  ROW(inspect)                                                                                                         \
  ROW(list)                                                                                                            \
  ROW(reference)                                                                                                       \
  ROW(compare)                                                                                                         \
  ROW(replay)                                                                                                          \
  ROW(new)                                                                                                             \
  ROW(help)                                                                                                            \
  ROW(completion)

// command_NAME: argv[0] is "stagger NAME". Returns an exit code.
#define DECLARE_COMMAND(NAME)                                                                                          \
  extern const Usage NAME##_usage;                                                                                     \
  int command_##NAME(int argc, char **argv);
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

// The program with its commands, for completion and the manual page.
extern const UsageProgram cli_program;

// Runs the command that argv[0] names. -1: there is no such command.
int cli_run_command(int argc, char **argv);

// The next option of a command, see usage_next. Unknown ones are reported on stderr, with a hint at --help.
int cli_option(int argc, char **argv, const Usage *usage);

// For a command whose only option is --help: checks that there are between `least` and `most` arguments. Returns true
// to continue with argv[optind]; otherwise *code is the exit code, after --help or wrong usage.
bool cli_arguments(int argc, char **argv, const Usage *usage, int least, int most, int *code);

// Prints "stagger run: ..." and a hint at --help on stderr. Returns EXIT_BAD_INPUT.
int cli_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The single argument after the options; what: "scene". NULL, after a message on stderr, when there is none or more
// than one.
const char *cli_only_argument(int argc, char **argv, const char *what);

// The command line with words quoted where necessary. Must be called before getopt, which reorders the words. The
// caller frees it; NULL: no memory.
char *cli_command_line(int argc, char **argv);

// Prints the error on stderr, with its code (see explanations.h). Returns EXIT_BAD_INPUT, or EXIT_STOPPED for a result
// that could not be written.
int cli_error(const Error *error);

#endif
