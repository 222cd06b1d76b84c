// stagger completion: prints the script by which a shell completes command lines.
#include "scenes/cli/cli.h"

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage completion_usage = {
    .name = "stagger completion",
    .summary = "prints a script that completes commands, options and names in a shell",
    .forms = {"bash|zsh"},
    .argument = "bash|zsh",
    .text =
        "Prints a script by which bash or zsh completes commands, options, files and the names of scenes. An "
        "installed\n"
        "Stagger below /usr has it in place; otherwise evaluate it, for example in ~/.bashrc. The viewer has its own:\n"
        "`stagger-view --completion bash`.",
    USAGE_OPTIONS(OPTIONS),
    .examples = {"eval \"$(stagger completion bash)\""},
};

int command_completion(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, &completion_usage, 1, 1, &code))
    return code;
  if (usage_complete(&cli_program, argv[optind], stdout))
    return EXIT_DONE;
  return cli_usage_error(argv[0], "there is no script for '%s', allowed are bash and zsh", argv[optind]);
}
