// stagger optimise: searches values of parameters that make a cost small.
#include "scenes/search/optimise.h"
#include "scenes/cli/study_command.h"

const Usage optimise_usage = {
    .name = "stagger optimise",
    .summary = "searches values of parameters that make a cost of metrics small",
    .forms = {"STUDY [options]"},
    .argument = "STUDY",
    .text =
        "Searches values of a scene's parameters with a small cost, a weighted sum of metrics, by CMA-ES. The study "
        "is\n"
        "one of `stagger sweep` with a table:\n"
        "\n"
        "  optimise:\n"
        "    parameters: {characters.man.drive.strength: {low: 0.5, high: 2, start: 1, scale: log}}\n"
        "    cost: [{metric: man.fell, weight: 10}, {metric: man.peak_torque, goal: 100, side: above, weight: 0.01}]\n"
        "    generations: 40\n"
        "\n"
        "Each candidate is run on all combinations of the study's axes and all repeats, with the same seeds; its cost "
        "is\n"
        "the mean over them. The first candidate is `start`. `stagger reference` lists the keys: population, restarts\n"
        "with a growing population, first deviation, tolerance, target, cost of a failure.",
    STUDY_COMMAND_OPTIONS,
    .notes =
        "DIR gets best.yaml (the scene with the best values, for `stagger run`), optimise.csv and .json (a row for "
        "each\n"
        "generation: its lowest and median cost, the largest standard deviation, and the best values so far), and\n"
        "study.yaml, scene.yaml, trials.csv, trials.h5 (every trial), sweep.json and traces/ as `stagger sweep "
        "--help`\n"
        "describes them. A second run writes the same bytes, for any number of workers or ranks.\n"
        "\n"
        "exit status: 0 done, 2 bad input, 3 trials crashed, failed, were stopped or given up, or results could not "
        "be\n"
        "written, 130 interrupted",
    .examples = {"stagger optimise optimise_stand --jobs 8 --out results"},
};

int command_optimise(int argc, char **argv) { return study_command(argc, argv, &optimise_usage, &optimise_method); }
