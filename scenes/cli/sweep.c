// stagger sweep: runs the trials of a study.
#include "scenes/sweep/sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/sweep/pool.h"

static const char HELP[] =
    "usage: stagger sweep STUDY [options]\n\n"
    "Runs all trials of a study, each in a process of its own, and prints what they come to. A study is a YAML file\n"
    "that names a scene, axes (values of its parameters, crossed) and repeats (seeds). It is looked up as it stands,\n"
    "then in the folder studies of the scenes; its \".yaml\" may be left out.\n\n"
    "  --jobs N     worker processes; as many as usable processors without it. Under mpirun or srun: of each rank,\n"
    "               where without it srun's --cpus-per-task counts, else there is one\n"
    "  --out DIR    the study's folder; without it the study's name, here\n"
    "  --limit N    runs N trials, then stops in good order\n"
    "  --resume     goes on with what DIR has: trials that have a row are not run again. Begins when there is nothing\n"
    "  --retry      the same, but trials that crashed, failed or were given up are run again, too\n"
    "  --quiet      no progress and no summary\n"
    "  --help       this text\n\n"
    "DIR gets study.yaml and scene.yaml (what was run), trials.csv (a row a trial, as they come; at the end in "
    "order),\n"
    "trials.h5 (the same), summary.csv (shares and medians with 95 % intervals), sweep.json (how it was run) and\n"
    "traces/ (of the trials that the study keeps a trace of: they are run once more when all have a row, and must "
    "come\n"
    "to the same row again). The table is the same, to the byte, whoever runs the trials and in whatever order.\n\n"
    "After a kill or Ctrl-C, go on with --resume; only the trials under way are lost. A trial that crashes, or takes\n"
    "longer than the study's time_limit, is a row that says so.\n\n"
    "Several machines: mpirun -n 64 --hostfile hosts stagger sweep STUDY --out DIR, or srun in a Slurm job, as in\n"
    "studies/slurm.sh beside the scenes. All ranks share the trials; DIR must be on a disk that all machines share.\n\n"
    "exit status: 0 done (whether expectations held is the column `ok`), 2 bad input, 3 trials crashed, failed, were\n"
    "stopped or given up, or results could not be written, 130 interrupted\n\n"
    "example: stagger sweep hit_stand --jobs 8 --out results\n";

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
  static const struct option known[] = {
      {"jobs", required_argument, NULL, 'j'},  {"out", required_argument, NULL, 'o'},
      {"limit", required_argument, NULL, 'l'}, {"resume", no_argument, NULL, 'r'},
      {"retry", no_argument, NULL, 't'},       {"quiet", no_argument, NULL, 'q'},
      {"help", no_argument, NULL, 'h'},        {0},
  };
  *code = EXIT_BAD_INPUT;
  long count;
  for (int option; (option = cli_option(argc, argv, "hqj:o:", known)) != -1;) {
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
      fputs(HELP, stdout);
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
