// What the commands that run trials of a study have in common: their options, and how they run.
#ifndef STAGGER_SCENES_CLI_STUDY_COMMAND_H
#define STAGGER_SCENES_CLI_STUDY_COMMAND_H

#include "scenes/sweep/method.h"

// The lines of a command's help on these options.
#define STUDY_COMMAND_OPTIONS                                                                                          \
  "  --jobs N     number of worker processes (default: the usable processors). Under mpirun or srun: of each rank\n"   \
  "               (default: srun's --cpus-per-task, else 1)\n"                                                         \
  "  --out DIR    folder for the results (default: the study's name in the working folder)\n"                          \
  "  --limit N    runs N trials, then stops; --resume continues\n"                                                     \
  "  --resume     continues in DIR: trials that have a row are not run again. Without results in DIR it begins\n"      \
  "  --retry      the same, but trials that crashed, failed or were given up are run again as well\n"                  \
  "  --quiet      prints no progress and no summary\n"                                                                 \
  "  --help       this text\n\n"

// Reads the options and runs the study by the method. Returns the exit code.
int study_command(int argc, char **argv, const char *help, const SweepMethod *method);

#endif
