// The options of the commands that run trials of a study.
#include "scenes/cli/study_command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/sweep/pool.h"

const UsageOption study_command_options[STUDY_COMMAND_OPTION_COUNT] = {
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
static bool read_options(SweepOptions *options, const Usage *usage, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  long count;
  for (int option; (option = cli_option(argc, argv, usage)) != -1;) {
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
      usage_print(usage, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
  }
  options->study = cli_only_argument(argc, argv, "study");
  return options->study != NULL;
}

int study_command(int argc, char **argv, const Usage *usage, const SweepMethod *method) {
  SweepOptions options = {.method = method};
  char *command = cli_command_line(argc, argv); // before getopt reorders the words
  options.command = command;
  int code;
  if (read_options(&options, usage, argc, argv, &code))
    code = (int)sweep_run(&options);
  free(command);
  return code;
}
