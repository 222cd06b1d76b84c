// stagger report: makes an HTML file about a trace or a study.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenes/cli/cli.h"
#include "scenes/report/report.h"
#include "scenes/sweep/sweep_folder.h"

static const UsageOption OPTIONS[] = {
    {.name = "out",
     .code = 'o',
     .letter = true,
     .value = "FILE",
     .doc =
         "the page (default: the input's name with .html, in the working folder). FILE.svg: for a study with an axis "
         "of directions, only the picture over directions; for a study of responses, only the curves over impulses "
         "and the distances of parts"},
    {.name = "propagation",
     .code = 'i',
     .doc =
         "for a trace: adds the momentum that each bullet and push brought to each part, and the time after which it "
         "did. For this the scene is run again, once without each of them"},
    {.name = "human",
     .code = 'u',
     .doc = "prints the figures beside those of people in the experiment that the scene's `protocol` names, with "
            "sources and the number that are inside; the page has them too. For some the scene of a trace is run "
            "again, without its first hit. -o FILE.json: these figures alone"},
    {.name = "no-pictures", .code = 'p', .doc = "leaves out the film strip, which stagger-view draws"},
    USAGE_HELP_ROW,
};

const Usage report_usage = {
    .name = "stagger report",
    .summary = "writes a report on a trace or a study as one HTML file",
    .forms = {"TRACE.h5 | STUDY_DIR [-o FILE.html] [OPTION...]"},
    .argument = "TRACE.h5|DIR",
    .text =
        "Writes one HTML file that needs no other files: key figures, hits, curves, metrics, expectations, pictures, "
        "a\n"
        "replay in 3-D, the scene and its sources. For the folder of a study: shares and medians with intervals over\n"
        "every axis, the trials, and the traces that were kept. An older report of the same name is replaced.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 written, 2 bad usage or input, nothing was written, 3 the page could not be written",
    .examples = {"stagger report hit.h5 -o report.html", "stagger report fall.h5 --human -o fall.json"},
};

typedef struct ReportArguments {
  ReportOptions options;
  char folder[SWEEP_PATH_SIZE]; // folder of a study, when its table is given
  char output[512];
} ReportArguments;

// "runs/hit.h5" -> "hit.html", "studies/push/" -> "push.html". False: the input contains no name.
static bool name_output(const char *input, char *output, size_t size) {
  size_t end = strlen(input);
  while (end > 0 && input[end - 1] == '/')
    end--;
  size_t start = end;
  while (start > 0 && input[start - 1] != '/')
    start--;
  const size_t length = end - start;
  if (length == 0 || strncmp(input + start, "..", length) == 0 || length + sizeof ".html" > size)
    return false;
  snprintf(output, size, "%.*s", (int)length, input + start);
  char *dot = strrchr(output, '.');
  if (dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0))
    *dot = '\0';
  strncat(output, ".html", size - strlen(output) - 1);
  return true;
}

// True to continue; otherwise *code is the exit code.
static bool read_arguments(ReportArguments *arguments, int argc, char **argv, int *code) {
  ReportOptions *options = &arguments->options;
  options->pictures = true;
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, &report_usage)) != -1;) {
    if (option == 'o')
      options->output = optarg;
    else if (option == 'p')
      options->pictures = false;
    else if (option == 'i')
      options->propagation = true;
    else if (option == 'u')
      options->human = true;
    else if (option == 'h') {
      usage_print(&report_usage, stdout);
      *code = EXIT_DONE;
      return false;
    } else
      return false;
  }
  if (argc - optind != 1) {
    cli_usage_error(argv[0], argc == optind ? "a trace or the folder of a study is missing" : "more than one input: %s",
                    argc == optind ? "" : argv[optind + 1]);
    return false;
  }
  options->input = sweep_folder_of(argv[optind], arguments->folder) ? arguments->folder : argv[optind];
  if (options->output && strcmp(options->output, "-") == 0) {
    cli_usage_error(argv[0], "--out -: a page needs a file");
    return false;
  }
  if (!options->output && !name_output(options->input, arguments->output, sizeof arguments->output)) {
    cli_usage_error(argv[0], "'%s' gives no name for the page: use --out FILE", options->input);
    return false;
  }
  if (!options->output)
    options->output = arguments->output;
  return true;
}

int command_report(int argc, char **argv) {
  ReportArguments arguments = {0};
  int code;
  char *command = cli_command_line(argc, argv); // before getopt reorders the words
  if (read_arguments(&arguments, argc, argv, &code)) {
    Error error = {0};
    char notes[4096];
    struct stat written;
    arguments.options.command = command ? command : "";
    if (report_write(&arguments.options, notes, sizeof notes, &error)) {
      fputs(notes, stderr);
      if (stat(arguments.options.output, &written) == 0 && S_ISREG(written.st_mode))
        printf(written.st_size < 1000000 ? "%s: %.0f kB\n" : "%s: %.1f MB\n", arguments.options.output,
               (double)written.st_size / (written.st_size < 1000000 ? 1e3 : 1e6));
      code = EXIT_DONE;
    } else {
      code = cli_error(&error);
    }
  }
  free(command);
  return code;
}
