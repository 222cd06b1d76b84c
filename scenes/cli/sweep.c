// stagger sweep: runs the trials of a study.
#include "scenes/cli/study_command.h"

const Usage sweep_usage = {
    .name = "stagger sweep",
    .summary = "runs the trials of a study on all processors, or on a cluster",
    .forms = {"STUDY [options]"},
    .argument = "STUDY",
    .text = "Runs all trials of a study, each in a process of its own, and prints a summary. A study is a YAML file\n"
            "that names a scene, axes (values of its parameters, crossed) and repeats (seeds). STUDY is a file or\n"
            "the name of a study that comes with Stagger; its \".yaml\" may be left out.",
    STUDY_COMMAND_OPTIONS,
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

int command_sweep(int argc, char **argv) { return study_command(argc, argv, &sweep_usage, &sweep_method); }
