// The `stagger` command.
#include <errno.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/crash.h"
#include "sim/base/document.h"
#include "sim/base/files.h"

static const Command commands[] = {
    {"run", "runs a scene, with trace and metrics", command_run},
    {"sweep", "runs the trials of a study on all processors, or on a cluster", command_sweep},
    {"threshold", "searches the largest blow that is withstood, by direction and other axes", command_threshold},
    {"optimise", "searches values of parameters that make a cost of metrics small", command_optimise},
    {"sensitivity", "finds which axes of a study move its metrics", command_sensitivity},
    {"train", "trains a planner to choose the moves that lead to its goals", command_train},
    {"report", "writes a report on a trace or a study as one HTML file", command_report},
    {"export", "writes the motion of a trace for other programs: glTF, BVH, CSV, OpenSim", command_export},
    {"check", "validates scenes, studies and skills without running them", command_check},
    {"inspect", "describes the contents of a scene, study, body, clip, skill or trace", command_inspect},
    {"list", "lists the scenes and studies that come with Stagger", command_list},
    {"reference", "prints every parameter with unit, range and default", command_reference},
    {"compare", "compares two traces bit for bit, or two controllers in a study", command_compare},
    {"replay", "runs the scene of a trace again and compares every step and channel", command_replay},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void) {
  puts("Stagger: a physics-coupled ragdoll and locomotion simulator.\n\n"
       "usage: stagger COMMAND [ARGUMENTS]\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    printf("  %-11s %s\n", commands[i].name, commands[i].summary);
  puts("\n`stagger COMMAND --help` lists the options of a command; `stagger --version` prints the version.\n\n"
       "exit status: 0 done and expectations held, 1 an expectation did not hold (or traces differ), 2 bad usage or\n"
       "input (nothing was written), 3 the simulation was stopped or its results could not be written, 130 "
       "interrupted\n\n"
       "example: stagger run hit_run.yaml --trace hit_run.h5");
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT];
  for (int i = 0; i < COMMAND_COUNT; i++)
    names[i] = commands[i].name;
  return cli_usage_error("stagger", "there is no command '%s'%s", name, name_hint(name, names, COMMAND_COUNT).text);
}

static int run_command(int argc, char **argv) {
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
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(argv[1], commands[i].name) != 0)
      continue;
    char name[64];
    snprintf(name, sizeof name, "stagger %s", commands[i].name);
    argv[1] = name; // getopt's messages begin with it
    return commands[i].run(argc - 1, argv + 1);
  }
  return unknown_command(argv[1]);
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
  int code = crash_with_stack(run_command, argc, argv);
  crash_forget(code);
  if (output_is_whole())
    return code;
  fprintf(stderr, "stagger: standard output cannot be written%s%s\n", errno != 0 ? ": " : "",
          errno != 0 ? strerror(errno) : "");
  return code == EXIT_DONE || code == EXIT_UNEXPECTED ? EXIT_STOPPED : code;
}
