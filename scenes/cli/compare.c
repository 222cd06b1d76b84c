// stagger compare: compares two traces bit for bit, or two controllers in a study.
#include "scenes/search/compare.h"

#include <sys/stat.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/study_command.h"
#include "sim/trace/trace.h"

const Usage compare_usage = {
    .name = "stagger compare",
    .summary = "compares two traces bit for bit, or two controllers in a study",
    .forms = {"A.h5 B.h5", "STUDY [options]"},
    .argument = "TRACE.h5|STUDY",
    .text =
        "Compares two traces bit for bit. If they differ, prints the first event and the first physics step that\n"
        "differ, the first frame and channel with the part or joint that differs the most there, and the largest\n"
        "difference in each channel.\n"
        "\n"
        "Of a study (its name comes first) compares two controllers on the same blows: the two values of an axis, in\n"
        "pairs of trials with equal seeds. The study is one of `stagger sweep` with a table:\n"
        "\n"
        "  compare: {axis: controller, metric: man.fell, block: 10, margin: 0}\n"
        "\n"
        "After every `block` of repeats the difference of the metric, second value minus first, is looked at, and the\n"
        "comparison ends when it is decided. `margin`: differences within it count as none.",
    STUDY_COMMAND_OPTIONS,
    .notes =
        "DIR gets compare.csv and .json (for each metric the means of both, the difference and its 95 % interval by\n"
        "bootstrap of the repeats), and study.yaml, scene.yaml, trials.csv, trials.h5 (every trial), sweep.json and\n"
        "traces/ as `stagger sweep --help` describes them. A second run writes the same bytes.\n"
        "\n"
        "exit status: of traces 0 identical, 1 different, 2 not readable; of a study 0 done, 2 bad input, 3 trials\n"
        "crashed, failed, were stopped or given up, or results could not be written, 130 interrupted",
    .examples = {"stagger compare before.h5 after.h5"},
};

// A pipe would wait for its writer, and a trace may be too large to be looked at as a description.
static bool names_study(const char *word) {
  struct stat status;
  const bool exists = stat(word, &status) == 0;
  return !(exists && (!S_ISREG(status.st_mode) || trace_is_hdf5(word))) && study_is_study(word);
}

int command_compare(int argc, char **argv) {
  int code;
  if (argc > 1 && names_study(argv[1]))
    return study_command(argc, argv, &compare_usage, &compare_method);
  if (!cli_arguments(argc, argv, &compare_usage, 2, 2, &code))
    return code;
  Error error = {0};
  TraceReader *a = trace_open(argv[optind], &error);
  TraceReader *b = a ? trace_open(argv[optind + 1], &error) : NULL;
  if (b) {
    static char report[1 << 16];
    bool same = trace_compare(a, b, report, sizeof report);
    fputs(report, stdout);
    code = same ? EXIT_DONE : EXIT_UNEXPECTED;
  } else {
    code = cli_error(&error);
  }
  trace_reader_close(a);
  trace_reader_close(b);
  return code;
}
