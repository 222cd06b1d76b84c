// The `stagger` command.
#include <errno.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/crash.h"
#include "scenes/output/explanations.h"
#include "sim/base/document.h"
#include "sim/base/files.h"

#define FUNCTION(NAME) command_##NAME,
static int (*const functions[])(int argc, char **argv) = {COMMANDS(FUNCTION)};
#undef FUNCTION

#define USAGE(NAME) &NAME##_usage,
static const Usage *const usages[] = {COMMANDS(USAGE)};
#undef USAGE

enum { COMMAND_COUNT = sizeof usages / sizeof usages[0] };

const UsageProgram cli_program = {
    .name = "stagger",
    .summary = "a physics-coupled ragdoll and locomotion simulator",
    .commands = usages,
    .command_count = COMMAND_COUNT,
    .notes =
        "exit status: 0 done and expectations held, 1 an expectation did not hold (or traces differ), 2 bad usage or\n"
        "input (nothing was written), 3 the simulation was stopped or its results could not be written, 130 "
        "interrupted",
};

static void print_help(void) {
  printf("Stagger: %s.\n\nusage: stagger COMMAND [ARGUMENTS]\n\n", cli_program.summary);
  for (int i = 0; i < COMMAND_COUNT; i++)
    printf("  %-11s %s\n", usage_command(usages[i]), usages[i]->summary);
  printf("\n`stagger COMMAND --help` lists the options of a command, `stagger help` the pages of the manual;\n"
         "`stagger --version` prints the version.\n\n%s\n\nexample: stagger run hit_run.yaml --trace hit_run.h5\n",
         cli_program.notes);
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; i++)
    names[i] = usage_command(usages[i]);
  return cli_usage_error("stagger", "there is no command '%s'%s", name, name_hint(name, names, COMMAND_COUNT).text);
}

int cli_run_command(int argc, char **argv) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(argv[0], usage_command(usages[i])) != 0)
      continue;
    char name[64];
    snprintf(name, sizeof name, "%s", usages[i]->name);
    argv[0] = name; // getopt's messages begin with it
    return functions[i](argc, argv);
  }
  return -1;
}

static int run_program(int argc, char **argv) {
  if (argc < 2)
    return cli_usage_error("stagger", "a command is missing");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help();
    return EXIT_DONE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("stagger " STAGGER_VERSION);
    return EXIT_DONE;
  }
  const int code = cli_run_command(argc - 1, argv + 1);
  return code >= 0 ? code : unknown_command(argv[1]);
}

// Whether all text was written to standard output. The errno of an earlier failed write is lost, but the next write
// fails for the same reason.
static bool output_is_whole(void) {
  bool failed = ferror(stdout) != 0;
  if (failed) {
    clearerr(stdout);
    putchar('\n');
  }
  errno = 0;
  return fflush(stdout) == 0 && !failed;
}

// Output that could not be written must result in an error.
int main(int argc, char **argv) {
  files_keep_streams();
  int code = crash_with_stack(run_program, argc, argv);
  crash_forget(code);
  if (output_is_whole())
    return code;
  explained_printf(stderr, "stagger: standard output cannot be written%s%s", errno != 0 ? ": " : "",
                   errno != 0 ? strerror(errno) : "");
  return code == EXIT_DONE || code == EXIT_UNEXPECTED ? EXIT_STOPPED : code;
}
