// stagger train: trains the planner of a scene, or a skill.
#include "scenes/train/train.h"
#include "scenes/train/skill_train.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"

enum { MAX_OVERRIDES = 64 };

static const UsageOption OPTIONS[] = {
    {.name = "out",
     .code = 'o',
     .letter = true,
     .value = "FILE",
     .doc = "file for the network (safetensors) or the policy (YAML). The network is rewritten every minute, and "
            "FILE.checkpoint too; the policy from time to time"},
    {.name = "curve",
     .code = 'c',
     .value = "FILE",
     .doc = "writes the learning curve, FILE.csv; of a skill also as a picture, FILE.svg"},
    {.name = "seed", .code = 'n', .value = "N", .doc = "seed of all random numbers"},
    {.name = "resume",
     .code = 'r',
     .doc = "continues from the files; the results are the same to the bit as without a stop"},
    {.name = "quiet", .code = 'q', .letter = true, .doc = "prints no progress"},
    USAGE_HELP_ROW,
    {.doc = "Of a skill:"},
    {.name = "from", .code = 'f', .value = "FILE.safetensors", .doc = "begins with the network of that file"},
    {.name = "minutes", .code = 'm', .value = "M", .doc = "stops after M minutes of wall time; --resume continues"},
    {.name = "threads",
     .code = 't',
     .value = "N",
     .doc = "number of threads; otherwise one for each processor. Under mpirun or srun: of each rank (default 1, or "
            "SLURM_CPUS_PER_TASK)"},
    {.doc = "Of a planner:"},
    {.name = "baseline",
     .code = 'b',
     .value = "FILE.yaml",
     .doc = "also trains a table over the whole state, without rules, as long, and compares the two"},
    {.name = "set", .code = 's', .value = "KEY=VALUE", .doc = "changes a parameter of the scene, as in `stagger run`"},
    {.name = "limit", .code = 'l', .value = "N", .doc = "learns from N moves, then stops; --resume continues"},
};

const Usage train_usage = {
    .name = "stagger train",
    .summary = "trains a skill, or a planner to choose the moves that lead to its goals",
    .forms = {"SKILL -o FILE [options]", "SKILL", "SCENE -o POLICY [options]"},
    .argument = "SKILL|SCENE",
    .text =
        "Trains a skill: a small network that moves a body as a clip wants it, by the joints alone. The description's\n"
        "`training` names the scene in which it learns, and stages: how much, at which speeds, under which hits, on "
        "which\n"
        "ground. Then it is tested by other random numbers, beside the network that scenes use at present; without -o "
        "it\n"
        "is only tested. One seed and number of environments give the same bits, whatever the number of threads and\n"
        "ranks. Several machines: mpirun -n 4 --hostfile hosts stagger train SKILL -o FILE.\n\n"
        "Or trains the planner of the first character of a scene that has one. In drills and random fields it learns "
        "which\n"
        "clip, or mirrored clip, should come next for the turn and the speed that its rules demand. Then it is tested "
        "on\n"
        "other fields, and in crowds of walkers that all use it. `nearest` in the table has the same rules without "
        "the\n"
        "policy: it takes the move nearest to the demand. The planner's file sets the length of the training and the\n"
        "fields, under `training` and `field`.",
    USAGE_OPTIONS(OPTIONS),
    .notes =
        "exit status: 0 done, 2 bad input (nothing was written), 3 a result could not be written, 130 interrupted\n"
        "(continue with --resume)",
    .examples = {"stagger train skills/run -o run.safetensors --curve run.csv",
                 "stagger train planners/field -o policy.yaml --baseline direct.yaml --curve curve.csv"},
};

// What may be given for either kind of training.
typedef struct Options {
  TrainOptions planner;
  SkillTrainOptions skill;
  const char *only_planner, *only_skill; // an option that has been given and belongs to one kind only
} Options;

// A whole number from `least` to `most`.
static bool read_number(const char *command, const char *option, const char *text, long least, long most,
                        long *number) {
  char *end;
  errno = 0;
  *number = strtol(text, &end, 10);
  if (errno == 0 && end != text && *end == '\0' && *number >= least && *number <= most)
    return true;
  cli_usage_error(command, "%s %s: allowed are whole numbers from %ld to %ld", option, text, least, most);
  return false;
}

static bool read_minutes(const char *command, const char *text, double *minutes) {
  char *end;
  *minutes = strtod(text, &end);
  if (end != text && *end == '\0' && *minutes > 0 && *minutes < 1e6)
    return true;
  cli_usage_error(command, "--minutes %s: allowed are numbers above 0", text);
  return false;
}

// Takes one option. False: its value is bad, or it is unknown; the error has been printed.
static bool take_option(Options *options, const char **overrides, const char *command, int option) {
  static char seed_text[64];
  TrainOptions *planner = &options->planner;
  SkillTrainOptions *skill = &options->skill;
  long number;
  if ((option == 's' || option == 'n') && planner->override_count == MAX_OVERRIDES) {
    cli_usage_error(command, "more than %d changes", MAX_OVERRIDES);
    return false;
  }
  switch (option) {
  case 'o':
    planner->policy = skill->out = optarg;
    return true;
  case 'c':
    planner->curve = skill->curve = optarg;
    return true;
  case 'n':
    snprintf(seed_text, sizeof seed_text, "--seed %s", optarg);
    overrides[planner->override_count++] = seed_text;
    skill->seed = read_number(command, "--seed", optarg, 0, INT_MAX, &number) ? (int)number : -1;
    return skill->seed >= 0;
  case 'r':
    planner->resume = skill->resume = true;
    return true;
  case 'q':
    planner->quiet = skill->quiet = true;
    return true;
  case 'b':
    options->only_planner = "--baseline";
    planner->baseline = optarg;
    return true;
  case 's':
    options->only_planner = "--set";
    overrides[planner->override_count++] = optarg;
    return true;
  case 'l':
    options->only_planner = "--limit";
    return read_number(command, "--limit", optarg, 1, INT_MAX, &planner->limit);
  case 'f':
    options->only_skill = "--from";
    skill->from = optarg;
    return true;
  case 'm':
    options->only_skill = "--minutes";
    return read_minutes(command, optarg, &skill->minutes);
  case 't':
    options->only_skill = "--threads";
    skill->threads = read_number(command, "--threads", optarg, 1, 256, &number) ? (int)number : 0;
    return skill->threads > 0;
  default:
    return false;
  }
}

// True to continue; otherwise *code is the exit code.
static bool read_options(Options *options, const char **overrides, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, &train_usage)) != -1;) {
    if (option == 'h') {
      usage_print(&train_usage, stdout);
      *code = EXIT_DONE;
      return false;
    }
    if (!take_option(options, overrides, argv[0], option))
      return false;
  }
  options->planner.overrides = overrides;
  options->planner.scene = options->skill.skill = cli_only_argument(argc, argv, "skill or scene");
  return options->planner.scene != NULL;
}

int command_train(int argc, char **argv) {
  Options options = {.skill.seed = -1};
  const char *overrides[MAX_OVERRIDES];
  int code;
  if (!read_options(&options, overrides, argc, argv, &code))
    return code;
  bool skill = skill_train_knows(options.skill.skill);
  const char *other = skill ? options.only_planner : options.only_skill;
  if (other) {
    cli_usage_error(argv[0], "%s belongs to the training of a %s, but %s is not one", other,
                    skill ? "planner" : "skill", options.skill.skill);
    return EXIT_BAD_INPUT;
  }
  if (skill)
    return (int)skill_train_run(&options.skill);
  if (!options.planner.policy) {
    cli_usage_error(argv[0], "-o POLICY is missing");
    return EXIT_BAD_INPUT;
  }
  return (int)train_run(&options.planner);
}
