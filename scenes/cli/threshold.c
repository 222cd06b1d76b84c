// stagger threshold: searches the largest blow, or any other value of an axis, that is withstood.
#include "scenes/search/threshold.h"
#include "scenes/cli/study_command.h"

const Usage threshold_usage = {
    .name = "stagger threshold",
    .summary = "searches the largest blow that is withstood, by direction and other axes",
    .forms = {"STUDY [options]"},
    .argument = "STUDY",
    .text =
        "Searches the largest value of an axis that is withstood, for each combination of the study's other axes: the\n"
        "largest blow by direction, the steepest slope by speed. The study is one of `stagger sweep` with a table:\n"
        "\n"
        "  threshold: {axis: impulse, withstood: man.fell == 0, share: 0.9, spacing: 4}\n"
        "\n"
        "axis: the name of an axis with growing numbers, its range and resolution. withstood: a condition on a column "
        "of\n"
        "the table, or a list of them that must all hold; trials that crash, fail or are stopped have not withstood. "
        "A\n"
        "value wins if at least `share` of the study's repeats withstand it. It counts only if every smaller value "
        "that\n"
        "was tried won as well, and of `spacing` neighbouring values below it at least one is tried: a single lucky "
        "value\n"
        "is no threshold. The search goes up until a value loses, bisects, and then tries the gaps below.",
    STUDY_COMMAND_OPTIONS,
    .notes =
        "DIR gets threshold.csv and .json: a row for each combination with the threshold, its 95 % interval by "
        "bootstrap\n"
        "of the repeats (low: withstood in all resamples but a tail, high: not withstood in all but a tail), the "
        "smallest\n"
        "value that lost, and islands, values that won above it; threshold_values.csv and .json: each tried value;\n"
        "study.yaml, scene.yaml, trials.csv, trials.h5 (every trial), sweep.json and traces/ as `stagger sweep "
        "--help`\n"
        "describes them. A second run writes the same bytes, for any number of workers or ranks. `stagger sweep STUDY\n"
        "--resume` in the same DIR runs the trials that the search left out.\n"
        "\n"
        "exit status: 0 done, 2 bad input, 3 trials crashed, failed, were stopped or given up, or results could not "
        "be\n"
        "written, 130 interrupted",
    .examples = {"stagger threshold threshold_stand --jobs 8 --out results"},
};

int command_threshold(int argc, char **argv) { return study_command(argc, argv, &threshold_usage, &threshold_method); }
