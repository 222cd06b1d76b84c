// Says of each message that ends a run, and of each warning, why it comes and what helps: one row for each.
#include "scenes/cli/explain.h"

#include <stdio.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "sim/base/document.h"

typedef struct Explanation {
  const char *code;
  const char *words; // what the message contains and no other does, as it stands in the source
  const char *cause, *cure;
} Explanation;

static const Explanation ROWS[] = {
    // What ends a run (exit status 3):
    {"runaway", "runaway at",
     "A part moved or turned faster than world.max_speed and world.max_angular_speed allow: the simulation diverges, "
     "or "
     "a blow was harder than the part bears. Light parts, such as hands and feet, are the first.",
     "Look at the trace, which is kept to that moment. Try a shorter world.dt (1/480), a blow that is spread over time "
     "(kind: push with a duration, or hit_reaction.spread), softer drives (drive.stiffness), start positions that do "
     "not "
     "overlap. Where the speed is meant, raise the limit."},
    {"fallen_off", "fallen off the terrain",
     "A part fell 20 m below the lowest place of the terrain: the character went over its edge, or through a hole of a "
     "level.",
     "Make the terrain longer or wider (terrain.x, terrain.z), turn the character (start.heading, a script), or end "
     "the "
     "run before (duration). Flat ground is endless unless terrain.endless is false."},
    {"reduced_solver", "world.solver: %s",
     "The reduced solver cannot do what the scene needs; the message goes on with what that is.",
     "Use world.solver: step. `stagger reference world.solver` compares the solvers."},
    {"ode_error", "ODE error", "ODE itself ended the step, mostly after numbers had become too large to be solved.",
     "As for runaway: a shorter world.dt, softer drives, weaker blows. See whether world.solver: reduced does it."},
    {"memory", "out of memory",
     "A step needed more memory than there was: with the exact solver a heap of bodies with many contacts takes the "
     "square "
     "of their number.",
     "Use world.solver: reduced, fewer bodies, or world.contacts_per_pair: 2."},
    {"trace_unwritten", "the trace cannot be written", "The disk is full, or the file was taken away during the run.",
     "Make room, record less (trace.rate, trace.states), or write elsewhere. What was written can be read."},
    {"state_unrestored", "a state could not be restored",
     "A saved state did not fit the scene into which it was to be brought, although its check had passed: it is "
     "damaged.",
     "Save it again, or start the run from its beginning."},
    {"broken_off", "broken off in the middle of a step", "The run was interrupted while a long step was solved.",
     "Nothing is wrong with the scene. For steps that take seconds see memory."},
    {"not_reached", "not reached: the run was",
     "An expectation could not be decided, since the run ended before its time.",
     "See why the run was stopped; the message is above the expectations."},
    {"not_applicable", "does not apply to this run",
     "The metric of an expectation has no value here: a recovery_time without a hit, a time_of_fall without a fall, "
     "the slip "
     "of feet that a body does not have.",
     "Expect something that is defined (hits == 1 first), or leave the expectation out."},
    {"long_step", "for heaps of bodies 'world.solver: reduced'",
     "A single step took more than a second: with the exact solver the time grows with the third power of the "
     "contacts.",
     "Use world.solver: reduced, or iterative."},

    // Warnings of a scene:
    {"starts_inside", "inside of",
     "Two bodies overlap before the first step, or one is in the ground. They are driven apart, which can look like a "
     "blow.",
     "Move one of them: start.position of a character (its y is the height above the ground), center of a prop or a "
     "platform."},
    {"foot_without_leg", "is a foot, but the body has no legs",
     "The part may bear weight, but clips, foot placement and the metrics of feet need a leg (hip, knee and ankle).",
     "Add `legs` to the body file if it has any; else the warning may stand."},
    {"terrain_key", "of kind %s does not read it",
     "A key of terrain is set that its kind does not use: a slip, or a leftover.",
     "Take the key out, or choose the kind that reads it: `stagger help terrain`."},
    {"event_never", "never happens", "An event begins when the run is over.",
     "Raise duration, or bring the event forward."},
    {"script_never", "never comes", "A step of a script lies beyond the end of the run.",
     "Raise duration, or bring the step forward."},
    {"script_event", "has no effect: its animation has no such event",
     "A script sends an event to which the character's graph does not listen.",
     "See the events of the graph (`event`, `on` in its file), or play another graph."},
    {"speed_range", "a character that balances by itself walks at",
     "More speed is wanted than balance can walk: it goes at its limit instead.",
     "Want less, or let a skill run (`stagger help skills`)."},
    {"nothing_moves", "but nothing moves its legs",
     "A speed is wanted of a character that has neither animation nor balance, planner, biped or stepper.",
     "Give it one of them, or no speed."},
    {"stands_still", "stands still: its 'move' keeps step",
     "A clip of walking or running plays, but the wanted speed is set to 0, and a clip keeps step with it.",
     "Take intent out, for the clip's own speed, or set intent.speed."},
    {"layer_missing", "fades a layer", "A state of the graph fades a layer that the character's list does not have.",
     "Add the layer, or name the one that was meant."},
    {"layers_equal", "move the same", "Two layers of one kind move the same joints all the time: the later one wins.",
     "Take one out, give them other joints, or fade them by a script."},
    {"recording_ranges", "the recording goes beyond the ranges of the joints",
     "A recorded motion bends joints farther than the body's ranges: there the clip was bent to the range.",
     "See with `stagger-view FILE` whether it matters; widen the ranges in the body, or match other joints by `joints` "
     "of "
     "the import."},
    {"mass_ratio", "the iterative solver",
     "Neighbouring parts differ in mass by more than a factor of 3: the iterative solver then converges slowly.",
     "Use world.solver: step or reduced, raise world.iterations, or give the lighter part more mass."},
    {"drive_stiffness", "reaches the strength of",
     "A drive reaches its largest torque at a very small or a very large error: the first acts like a switch, the "
     "second never "
     "comes near its strength.",
     "Take the stiffness that the message suggests, which reaches the strength at about 3 deg."},
    {"node_unused", "is not used", "A node of a graph is named nowhere, so that it never plays.",
     "Name it where it belongs, or take it out."},
    {"not_symmetric", "that is not symmetric in its bind pose",
     "A mirrored node needs a body whose left and right sides are images of each other.",
     "Write the sides with `mirror` in the body file, or do without the node."},
    {"state_unreachable", "no transition leads to the state", "A state of a machine can never be entered.",
     "Add a transition to it, or take it out."},

    {"skill_body", "may need a training of its own",
     "The skill was trained with another body of the same joints, and may not fit this one's lengths, mass and "
     "strength.",
     "Try it; if he falls, train a copy of the description with that `body` (`stagger help skills`)."},
    // Warnings of a study or a skill:
    {"set_overridden", "sets it in every trial", "A parameter is in `set` and is an axis, which wins.",
     "Take one of them out."},
    {"set_twice", "comes after it", "A parameter is in `set` twice; the last one wins.", "Take one of them out."},
    {"axis_equal", "so many cells are the same trials", "An axis has the same value more than once.",
     "Take the copies out; more repeats make more trials."},
    {"responses_without_events", "responses does nothing",
     "With `responses: true` each trial is compared with the same run without its hit, but nobody is hit.",
     "Add an event to the scene, or take `responses` out."},
    {"responses_needed", "it needs 'responses: true'",
     "A metric of responses is kept, which only such a study measures.", "Add `responses: true` to the study."},
    {"folder_unlocked", "see that no other sweep runs there",
     "The disk of the folder does not allow locks, so that two sweeps could write there at the same time.",
     "See to it that only one does, or use a folder on a local disk."},
    {"network_missing", "its network is missing", "A skill's network has not been learnt yet, or lies elsewhere.",
     "Train it (`stagger help skills`), or correct `network` in its description."},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

// Whether the message contains the words; "%s" among them stands for anything.
static bool is_of(const Explanation *row, const char *message) {
  const char *gap = strstr(row->words, "%s");
  if (!gap)
    return strstr(message, row->words) != NULL;
  char begin[64];
  snprintf(begin, sizeof begin, "%.*s", (int)(gap - row->words), row->words);
  const char *found = strstr(message, begin);
  return found && strstr(found + strlen(begin), gap + strlen("%s"));
}

// The row of a message: the one whose words are the longest, since short ones may be among the others'.
static const Explanation *find(const char *message) {
  const Explanation *best = NULL;
  for (int i = 0; i < ROW_COUNT; i++)
    if (is_of(&ROWS[i], message) && (!best || strlen(ROWS[i].words) > strlen(best->words)))
      best = &ROWS[i];
  return best;
}

const char *explain_code(const char *message) {
  const Explanation *row = find(message);
  return row ? row->code : NULL;
}

static void print_row(const Explanation *row) {
  printf("## %s\n\nMessage: ... %s ...\n\nCause: %s\n\nCure: %s\n", row->code, row->words, row->cause, row->cure);
}

int explain_print(const char *command, const char *text) {
  const char *names[ROW_COUNT];
  const bool all = strcmp(text, "all") == 0;
  const Explanation *row = NULL;
  for (int i = 0; i < ROW_COUNT; i++) {
    names[i] = ROWS[i].code;
    if (all && i > 0)
      putchar('\n');
    if (all)
      print_row(&ROWS[i]);
    if (strcmp(text, ROWS[i].code) == 0)
      row = &ROWS[i];
  }
  if (!row && !all)
    row = find(text);
  if (row)
    print_row(row);
  if (row || all)
    return EXIT_DONE;
  const char *close = closest_name(text, names, ROW_COUNT);
  return cli_usage_error(command, "--explain: '%s' is no code and no message that has one%s%s%s; 'all' explains all",
                         text, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}
