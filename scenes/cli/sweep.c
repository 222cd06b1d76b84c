// stagger sweep: runs the trials of a study.
#include "scenes/sweep/sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/sweep/pool.h"

static const UsageOption OPTIONS[] = {
    {.name = "jobs",
     .code = 'j',
     .letter = true,
     .value = "N",
     .doc = "number of worker processes (default: the usable processors). Under mpirun or srun: of each rank (default: "
            "srun's --cpus-per-task, else 1)"},
    {.name = "out",
     .code = 'o',
     .letter = true,
     .value = "DIR",
     .doc = "folder for the results (default: the study's name in the working folder)"},
    {.name = "limit", .code = 'l', .value = "N", .doc = "runs N trials, then stops; --resume continues"},
    {.name = "resume",
     .code = 'r',
     .doc = "continues in DIR: trials that have a row are not run again. Without results in DIR it begins"},
    {.name = "retry",
     .code = 't',
     .doc = "the same, but trials that crashed, failed or were given up are run again as well"},
    {.name = "quiet", .code = 'q', .letter = true, .doc = "prints no progress and no summary"},
    USAGE_HELP_ROW,
};

const Usage sweep_usage = {
    .name = "stagger sweep",
    .summary = "runs the trials of a study on all processors, or on a cluster",
    .forms = {"STUDY [options]"},
    .argument = "STUDY",
    .text = "Runs all trials of a study, each in a process of its own, and prints a summary. A study is a YAML file\n"
            "that names a scene, axes (values of its parameters, crossed) and repeats (seeds). STUDY is a file or\n"
            "the name of a study that comes with Stagger; its \".yaml\" may be left out.",
    USAGE_OPTIONS(OPTIONS),
    .notes =
        "DIR gets study.yaml and scene.yaml (copies of the input), trials.csv (a row for each trial, sorted at the "
        "end),\n"
        "trials.h5 (the same), summary.csv (shares and medians with 95 % intervals), sweep.json (how it was run) and\n"
        "traces/ (of the trials whose trace the study keeps: they are run again after all others, and must give the\n"
        "same row); of a study with `responses` also responses.bin (what each hit changed in the shown pose; the same "
        "is\n"
        "in trials.h5) and, over parts and impulses, dose.csv (medians, distances of parts). The table has the same\n"
        "bytes for any number of workers and any order of trials.\n\n"
        "After a kill or Ctrl-C, continue with --resume; only the running trials are lost. A trial that crashes, or "
        "takes\n"
        "longer than the study's time_limit, gets a row that says so.\n\n"
        "Several machines: mpirun -n 64 --hostfile hosts stagger sweep STUDY --out DIR, or srun in a Slurm job, as in\n"
        "studies/slurm.sh in the folder of the scenes. All ranks share the trials; DIR must be on a disk that all\n"
        "machines share.\n\n"
        "exit status: 0 done (whether expectations held is the column `ok`), 2 bad input, 3 trials crashed, failed, "
        "were\n"
        "stopped or given up, or results could not be written, 130 interrupted",
    .examples = {"stagger sweep hit_stand --jobs 8 --out results"},
};

// Reads an integer from 1 to `most`. False, with a message, when the text is not one.
static bool read_count(const char *command, const char *option, const char *text, long most, long *count) {
  char *end;
  errno = 0;
  *count = strtol(text, &end, 10);
  if (errno == 0 && end != text && *end == '\0' && *count >= 1 && *count <= most)
    return true;
  cli_usage_error(command, "%s %s: allowed are whole numbers from 1 to %ld", option, text, most);
  return false;
}

// True to continue; otherwise *code is the exit code.
static bool read_options(SweepOptions *options, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  long count;
  for (int option; (option = cli_option(argc, argv, &sweep_usage)) != -1;) {
    switch (option) {
    case 'j':
      if (!read_count(argv[0], "--jobs", optarg, POOL_MAX_WORKERS, &count))
        return false;
      options->jobs = (int)count;
      break;
    case 'o':
      options->out = optarg;
      break;
    case 'l':
      if (!read_count(argv[0], "--limit", optarg, STUDY_MAX_TRIALS, &options->limit))
        return false;
      break;
    case 'r':
      options->resume = true;
      break;
    case 't':
      options->retry = true;
      break;
    case 'q':
      options->quiet = true;
      break;
    case 'h':
      usage_print(&sweep_usage, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
  }
  options->study = cli_only_argument(argc, argv, "study");
  return options->study != NULL;
}

int command_sweep(int argc, char **argv) {
  SweepOptions options = {0};
  char *command = cli_command_line(argc, argv); // before getopt reorders the words
  options.command = command;
  int code;
  if (read_options(&options, argc, argv, &code))
    code = (int)sweep_run(&options);
  free(command);
  return code;
}
