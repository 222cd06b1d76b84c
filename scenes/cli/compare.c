// stagger compare: compares two traces bit for bit.
#include "scenes/cli/cli.h"
#include "sim/trace/trace.h"

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage compare_usage = {
    .name = "stagger compare",
    .summary = "compares two traces bit for bit",
    .forms = {"A.h5 B.h5"},
    .argument = "TRACE.h5",
    .text = "Compares two traces bit for bit. If they differ, prints the first event and the first physics step that\n"
            "differ, the first frame and channel with the part or joint that differs the most there, and the largest\n"
            "difference in each channel.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 identical, 1 different, 2 not readable",
    .examples = {"stagger compare before.h5 after.h5"},
};

int command_compare(int argc, char **argv) {
  int code;
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
