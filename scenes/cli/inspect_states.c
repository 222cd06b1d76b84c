// When the characters of a trace fell, lay and got up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/inspect.h"

typedef struct Timeline {
  double *time; // s
  int *state;
  int count;
} Timeline;

static const char *state_name(int state) {
  static const char *const names[] = {"upright", "lies", "falls", "gets up"};
  return state >= 0 && state < 4 ? names[state] : "?";
}

static bool read_timeline(TraceReader *reader, const char *path, Timeline *timeline) {
  Error error = {0};
  return trace_read_column(reader, "/time", TRACE_FLOAT64, 0, timeline->count, timeline->time, &error) &&
         trace_read_column(reader, path, TRACE_INT32, 0, timeline->count, timeline->state, &error);
}

static bool ever_down(const Timeline *timeline) {
  for (int i = 0; i < timeline->count; i++)
    if (timeline->state[i] != 0)
      return true;
  return false;
}

// Prints a character's states and when each began: "man: falls 0.933 s, lies 2.100 s, ...".
static void print_timeline(const char *name, int length, const Timeline *timeline) {
  printf("  %.*s:", length, name);
  const char *comma = "";
  int state = 0;
  for (int i = 0; i < timeline->count; i++)
    if (timeline->state[i] != state) {
      state = timeline->state[i];
      printf("%s %s %.3f s", comma, state_name(state), timeline->time[i]);
      comma = ",";
    }
  putchar('\n');
}

static void visit(void *context, const char *path) {
  static const char before[] = "/characters/", after[] = "/state";
  TraceReader *reader = context;
  size_t length = strlen(path), ends = sizeof before - 1 + sizeof after - 1;
  if (length <= ends || strncmp(path, before, sizeof before - 1) != 0 ||
      strchr(path + sizeof before - 1, '/') != path + length - (sizeof after - 1) ||
      strcmp(path + length - (sizeof after - 1), after) != 0)
    return;
  Timeline timeline = {.count = trace_frame_count(reader)};
  timeline.time = calloc((size_t)timeline.count + 1, sizeof *timeline.time);
  timeline.state = calloc((size_t)timeline.count + 1, sizeof *timeline.state);
  if (timeline.time && timeline.state && read_timeline(reader, path, &timeline) && ever_down(&timeline))
    print_timeline(path + sizeof before - 1, (int)(length - ends), &timeline);
  free(timeline.time);
  free(timeline.state);
}

void inspect_states(TraceReader *reader) { trace_visit(reader, visit, reader); }
