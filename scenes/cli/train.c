// stagger train: trains the planner of a scene.
#include "scenes/train/skill_train.h"
#include "scenes/train/train.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"

enum { MAX_OVERRIDES = 64 };

static const char HELP[] =
    "usage: stagger train SCENE -o POLICY [options]\n\n"
    "Trains the planner of the first character with a planner. In drills and random fields it learns which clip,\n"
    "or mirrored clip, should come next for the turn and the speed that its rules demand. Then it is tested on other\n"
    "fields, and in crowds of walkers that all use it. `nearest` in the table has the same rules without the policy:\n"
    "it takes the move nearest to the demand. The planner's file sets the length of the training and the fields,\n"
    "under `training` and `field`.\n\n"
    "  -o, --out POLICY    file for the policy (YAML); it is rewritten from time to time during training\n"
    "  --baseline FILE     also trains a table over the whole state, without rules, as long, and compares the two\n"
    "  --curve FILE.csv    writes the learning curves\n"
    "  --seed N            the same as --set seed=N\n"
    "  --set KEY=VALUE     changes a parameter of the scene, as in `stagger run`\n"
    "  --limit N           learns from N moves, then stops; --resume continues\n"
    "  --resume            continues from the files; the results are the same to the bit as without a stop\n"
    "  --quiet             prints no progress\n"
    "  --help              this text\n\n"
    "exit status: 0 done, 2 bad input (nothing was written), 3 a result could not be written, 130 interrupted\n"
    "(continue with --resume)\n\n"
    "example: stagger train planners/field -o policy.yaml --baseline direct.yaml --curve curve.csv\n";

static bool read_limit(const char *command, const char *text, long *limit) {
  char *end;
  errno = 0;
  *limit = strtol(text, &end, 10);
  if (errno == 0 && end != text && *end == '\0' && *limit >= 1 && *limit <= INT_MAX)
    return true;
  cli_usage_error(command, "--limit %s: allowed are whole numbers from 1 to %d", text, INT_MAX);
  return false;
}

// True to continue; otherwise *code is the exit code.
static bool read_options(TrainOptions *options, const char **overrides, int argc, char **argv, int *code) {
  static const struct option known[] = {
      {"out", required_argument, NULL, 'o'},   {"baseline", required_argument, NULL, 'b'},
      {"curve", required_argument, NULL, 'c'}, {"seed", required_argument, NULL, 'n'},
      {"set", required_argument, NULL, 's'},   {"limit", required_argument, NULL, 'l'},
      {"resume", no_argument, NULL, 'r'},      {"quiet", no_argument, NULL, 'q'},
      {"help", no_argument, NULL, 'h'},        {0},
  };
  static char seed[64];
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, "hqo:", known)) != -1;) {
    if ((option == 's' || option == 'n') && options->override_count == MAX_OVERRIDES) {
      cli_usage_error(argv[0], "more than %d changes", MAX_OVERRIDES);
      return false;
    }
    switch (option) {
    case 'o':
      options->policy = optarg;
      break;
    case 'b':
      options->baseline = optarg;
      break;
    case 'c':
      options->curve = optarg;
      break;
    case 'n':
      snprintf(seed, sizeof seed, "--seed %s", optarg);
      overrides[options->override_count++] = seed;
      break;
    case 's':
      overrides[options->override_count++] = optarg;
      break;
    case 'l':
      if (!read_limit(argv[0], optarg, &options->limit))
        return false;
      break;
    case 'r':
      options->resume = true;
      break;
    case 'q':
      options->quiet = true;
      break;
    case 'h':
      fputs(HELP, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
  }
  options->overrides = overrides;
  options->scene = cli_only_argument(argc, argv, "scene");
  if (options->scene && !options->policy)
    cli_usage_error(argv[0], "-o POLICY is missing");
  return options->scene && options->policy;
}

int command_train(int argc, char **argv) {
  if (getenv("SKT")) {
    SkillTrainOptions o = {.skill = argv[1], .out = argv[2], .curve = argc > 3 ? argv[3] : NULL, .from = argc > 4 ? argv[4] : NULL, .seed = -1};
    return (int)skill_train_run(&o);
  }
  TrainOptions options = {0};
  const char *overrides[MAX_OVERRIDES];
  int code;
  if (!read_options(&options, overrides, argc, argv, &code))
    return code;
  return (int)train_run(&options);
}
