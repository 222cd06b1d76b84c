// stagger sensitivity: which axes of a study move its metrics.
#include "scenes/cli/study_command.h"
#include "scenes/search/morris.h"

const Usage sensitivity_usage = {
    .name = "stagger sensitivity",
    .summary = "finds which axes of a study move its metrics",
    .forms = {"STUDY [options]"},
    .argument = "STUDY",
    .text =
        "Finds which axes of a study move its metrics, by elementary effects (Morris): trajectories through the axes'\n"
        "values, each of which changes every axis once, by half of its values. The study is one of `stagger sweep` "
        "with\n"
        "a table:\n"
        "\n"
        "  sensitivity: {trajectories: 10}\n"
        "\n"
        "With k axes that takes (k + 1) x trajectories x repeats trials, however many the crossed axes have.",
    STUDY_COMMAND_OPTIONS,
    .notes =
        "DIR gets sensitivity.csv and .json (for each metric and axis the mean size of the effects of the whole axis "
        "with\n"
        "its 95 % interval, their mean with sign, and their deviation: interactions and curves), and study.yaml,\n"
        "scene.yaml, trials.csv, trials.h5 (every trial), sweep.json and traces/ as `stagger sweep --help` describes\n"
        "them. A second run writes the same bytes, for any number of workers or ranks.\n"
        "\n"
        "exit status: 0 done, 2 bad input, 3 trials crashed, failed, were stopped or given up, or results could not "
        "be\n"
        "written, 130 interrupted",
    .examples = {"stagger sensitivity sensitivity_stand --jobs 8 --out results"},
};

int command_sensitivity(int argc, char **argv) {
  return study_command(argc, argv, &sensitivity_usage, &sensitivity_method);
}
