// The options of the commands that run trials of a study.
#include "scenes/cli/study_command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/sweep/pool.h"

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
static bool read_options(SweepOptions *options, const char *help, int argc, char **argv, int *code) {
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
      fputs(help, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
  }
  options->study = cli_only_argument(argc, argv, "study");
  return options->study != NULL;
}

int study_command(int argc, char **argv, const char *help, const SweepMethod *method) {
  SweepOptions options = {.method = method};
  char *command = cli_command_line(argc, argv); // before getopt reorders the words
  options.command = command;
  int code;
  if (read_options(&options, help, argc, argv, &code))
    code = (int)sweep_run(&options);
  free(command);
  return code;
}
