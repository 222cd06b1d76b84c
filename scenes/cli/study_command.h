// What the commands that run trials of a study have in common: their options, and how they run.
#ifndef STAGGER_SCENES_CLI_STUDY_COMMAND_H
#define STAGGER_SCENES_CLI_STUDY_COMMAND_H

#include "scenes/cli/cli.h"
#include "scenes/sweep/method.h"

enum { STUDY_COMMAND_OPTION_COUNT = 7 };
extern const UsageOption study_command_options[STUDY_COMMAND_OPTION_COUNT];

// The options in the table of such a command.
#define STUDY_COMMAND_OPTIONS .options = study_command_options, .option_count = STUDY_COMMAND_OPTION_COUNT

// Reads the options and runs the study by the method. Returns the exit code.
int study_command(int argc, char **argv, const Usage *usage, const SweepMethod *method);

#endif
