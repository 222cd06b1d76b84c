// Reads a trace and explains every frame's change of momentum and angular momentum of every character. Exit status 1 if
// more remains than rounding and time steps explain.
// Usage: check_balance TRACE.h5 ARM, m: how far joints may stand open, see balance_allowed_angular.
#include "tests/trace_balance.h"

enum { MOST_NAMES = 2048 };

// The worst frame of a character, as a share of what is allowed.
typedef struct Worst {
  double share, rest, allowed, time;
} Worst;

static void raise_to(Worst *worst, double rest, double allowed, double time) {
  const double share = rest / allowed;
  if (!(share <= worst->share)) // NaN counts as the worst
    *worst = (Worst){share, rest, allowed, time};
}

static bool is_good(const Worst *worst) { return worst->share <= 1; }

static bool check_character(const BalanceTrace *trace, const char *name, int first_number, double arm) {
  BalanceBodies bodies = balance_character(trace, name, first_number);
  Worst linear = {0}, angular = {0};
  for (int i = 1; i < trace->frames; i++) {
    const BalanceFrame frame = balance_frame(trace, &bodies, i);
    raise_to(&linear, length3(frame.rest.linear), balance_allowed_linear(&frame), trace->time[i]);
    raise_to(&angular, length3(frame.rest.angular), balance_allowed_angular(&frame, arm), trace->time[i]);
  }
  const bool good = bodies.count > 0 && is_good(&linear) && is_good(&angular);
  printf("%s %s: of momentum %.2g N s unexplained at %g s (allowed %.2g), of angular momentum %.2g N m s at %g s "
         "(allowed %.2g)\n",
         good ? "good" : "BAD", name, linear.rest, linear.time, linear.allowed, angular.rest, angular.time,
         angular.allowed);
  balance_free(&bodies);
  return good;
}

// Names are CHARACTER/PART, those of a character one after another.
static int check_characters(const BalanceTrace *trace, double arm) {
  static char names[MOST_NAMES][TRACE_NAME_SIZE];
  const int count = trace_row_names(trace->reader, "/contacts/part", names, MOST_NAMES);
  int characters = 0, bad = 0;
  const char *before = "";
  for (int i = 0; i < count; i++) {
    char *slash = strchr(names[i], '/');
    if (!slash)
      continue; // an object
    *slash = '\0';
    if (strcmp(names[i], before) != 0) {
      characters++;
      bad += !check_character(trace, names[i], i, arm);
    }
    before = names[i];
  }
  return characters > 0 && trace->frames > 1 ? bad : -1;
}

int main(int argc, char **argv) {
  Error error = {0};
  TraceReader *reader = argc == 3 ? trace_open(argv[1], &error) : NULL;
  if (!reader) {
    printf("%s\n", argc == 3 ? error.text : "check_balance TRACE.h5 ARM");
    return 1;
  }
  BalanceTrace trace = balance_open(reader);
  const int bad = check_characters(&trace, strtod(argv[2], NULL));
  if (bad < 0)
    printf("%s: no character, or no step\n", argv[1]);
  balance_close(&trace);
  trace_reader_close(reader);
  return bad != 0;
}
