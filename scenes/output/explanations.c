// Says of each message that ends a run, of each warning and of errors why it comes and what helps: one row for each.
// The code of a message is found by its words, so that the places that raise errors need not know of codes.
#include "scenes/output/explanations.h"

#include <stdbool.h>
#include <string.h>

static const Explanation ROWS[] = {
    // What ends a run (exit status 3):
    {"runaway",
     {"runaway at"},
     "A part moved or turned faster than world.max_speed and world.max_angular_speed allow: the simulation diverges, "
     "or "
     "a blow was harder than the part bears. Light parts, such as hands and feet, are the first.",
     "Look at the trace, which is kept to that moment. Try a shorter world.dt (1/480), a blow that is spread over time "
     "(kind: push with a duration, or hit_reaction.spread), softer drives (drive.stiffness), start positions that do "
     "not "
     "overlap. Where the speed is meant, raise the limit."},
    {"fallen_off",
     {"fallen off the terrain"},
     "A part fell 20 m below the lowest place of the terrain: the character went over its edge, or through a hole of a "
     "level.",
     "Make the terrain longer or wider (terrain.x, terrain.z), turn the character (start.heading, a script), or end "
     "the "
     "run before (duration). Flat ground is endless unless terrain.endless is false."},
    {"reduced_solver",
     {"world.solver: %s"},
     "The reduced solver cannot do what the scene needs; the message goes on with what that is.",
     "Use world.solver: step. `stagger reference world.solver` compares the solvers."},
    {"ode_error",
     {"ODE error"},
     "ODE itself ended the step, mostly after numbers had become too large to be solved.",
     "As for runaway: a shorter world.dt, softer drives, weaker blows. See whether world.solver: reduced does it."},
    {"memory",
     {"out of memory"},
     "A step needed more memory than there was: with the exact solver a heap of bodies with many contacts takes the "
     "square "
     "of their number.",
     "Use world.solver: reduced, fewer bodies, or world.contacts_per_pair: 2."},
    {"trace_unwritten",
     {"the trace cannot be written"},
     "The disk is full, or the file was taken away during the run.",
     "Make room, record less (trace.rate, trace.states), or write elsewhere. What was written can be read."},
    {"state_unrestored",
     {"a state could not be restored"},
     "A saved state did not fit the scene into which it was to be brought, although its check had passed: it is "
     "damaged.",
     "Save it again, or start the run from its beginning."},
    {"broken_off",
     {"broken off in the middle of a step"},
     "The run was interrupted while a long step was solved.",
     "Nothing is wrong with the scene. For steps that take seconds see memory."},
    {"not_reached",
     {"not reached: the run was"},
     "An expectation could not be decided, since the run ended before its time.",
     "See why the run was stopped; the message is above the expectations."},
    {"not_applicable",
     {"does not apply to this run"},
     "The metric of an expectation has no value here: a recovery_time without a hit, a time_of_fall without a fall, "
     "the slip "
     "of feet that a body does not have.",
     "Expect something that is defined (hits == 1 first), or leave the expectation out."},
    {"long_step",
     {"for heaps of bodies 'world.solver: reduced'"},
     "A single step took more than a second: with the exact solver the time grows with the third power of the "
     "contacts.",
     "Use world.solver: reduced, or iterative."},

    // Warnings of a scene:
    {"starts_inside",
     {"inside of"},
     "Two bodies overlap before the first step, or one is in the ground. They are driven apart, which can look like a "
     "blow.",
     "Move one of them: start.position of a character (its y is the height above the ground), center of a prop or a "
     "platform."},
    {"foot_without_leg",
     {"is a foot, but the body has no legs"},
     "The part may bear weight, but clips, foot placement and the metrics of feet need a leg (hip, knee and ankle).",
     "Add `legs` to the body file if it has any; else the warning may stand."},
    {"terrain_key",
     {"of kind %s does not read it"},
     "A key of terrain is set that its kind does not use: a slip, or a leftover.",
     "Take the key out, or choose the kind that reads it: `stagger help terrain`."},
    {"event_never",
     {"never happens"},
     "An event begins when the run is over.",
     "Raise duration, or bring the event forward."},
    {"script_never",
     {"never comes"},
     "A step of a script lies beyond the end of the run.",
     "Raise duration, or bring the step forward."},
    {"script_event",
     {"has no effect: its animation has no such event"},
     "A script sends an event to which the character's graph does not listen.",
     "See the events of the graph (`event`, `on` in its file), or play another graph."},
    {"speed_range",
     {"a character that balances by itself walks at"},
     "More speed is wanted than balance can walk: it goes at its limit instead.",
     "Want less, or let a skill run (`stagger help skills`)."},
    {"nothing_moves",
     {"but nothing moves its legs"},
     "A speed is wanted of a character that has neither animation nor balance, planner, biped or stepper.",
     "Give it one of them, or no speed."},
    {"stands_still",
     {"stands still: its 'move' keeps step"},
     "A clip of walking or running plays, but the wanted speed is set to 0, and a clip keeps step with it.",
     "Take intent out, for the clip's own speed, or set intent.speed."},
    {"layer_missing",
     {"fades a layer"},
     "A state of the graph fades a layer that the character's list does not have.",
     "Add the layer, or name the one that was meant."},
    {"layers_equal",
     {"move the same"},
     "Two layers of one kind move the same joints all the time: the later one wins.",
     "Take one out, give them other joints, or fade them by a script."},
    {"recording_ranges",
     {"the recording goes beyond the ranges of the joints"},
     "A recorded motion bends joints farther than the body's ranges: there the clip was bent to the range.",
     "See with `stagger-view FILE` whether it matters; widen the ranges in the body, or match other joints by `joints` "
     "of "
     "the import."},
    {"mass_ratio",
     {"the iterative solver"},
     "Neighbouring parts differ in mass by more than a factor of 3: the iterative solver then converges slowly.",
     "Use world.solver: step or reduced, raise world.iterations, or give the lighter part more mass."},
    {"drive_stiffness",
     {"reaches the strength of"},
     "A drive reaches its largest torque at a very small or a very large error: the first acts like a switch, the "
     "second never "
     "comes near its strength.",
     "Take the stiffness that the message suggests, which reaches the strength at about 3 deg."},
    {"node_unused",
     {"is not used"},
     "A node of a graph is named nowhere, so that it never plays.",
     "Name it where it belongs, or take it out."},
    {"not_symmetric",
     {"that is not symmetric in its bind pose"},
     "A mirrored node needs a body whose left and right sides are images of each other.",
     "Write the sides with `mirror` in the body file, or do without the node."},
    {"state_unreachable",
     {"no transition leads to the state"},
     "A state of a machine can never be entered.",
     "Add a transition to it, or take it out."},

    {"skill_body",
     {"may need a training of its own"},
     "The skill was trained with another body of the same joints, and may not fit this one's lengths, mass and "
     "strength.",
     "Try it; if he falls, train a copy of the description with that `body` (`stagger help skills`)."},
    // Warnings of a study or a skill:
    {"set_overridden",
     {"sets it in every trial"},
     "A parameter is in `set` and is an axis, which wins.",
     "Take one of them out."},
    {"set_twice", {"comes after it"}, "A parameter is in `set` twice; the last one wins.", "Take one of them out."},
    {"axis_equal",
     {"so many cells are the same trials"},
     "An axis has the same value more than once.",
     "Take the copies out; more repeats make more trials."},
    {"responses_without_events",
     {"responses does nothing"},
     "With `responses: true` each trial is compared with the same run without its hit, but nobody is hit.",
     "Add an event to the scene, or take `responses` out."},
    {"responses_needed",
     {"it needs 'responses: true'"},
     "A metric of responses is kept, which only such a study measures.",
     "Add `responses: true` to the study."},
    {"folder_unlocked",
     {"see that no other sweep runs there"},
     "The disk of the folder does not allow locks, so that two sweeps could write there at the same time.",
     "See to it that only one does, or use a folder on a local disk."},
    {"network_missing",
     {"its network is missing"},
     "A skill's network has not been learnt yet, or lies elsewhere.",
     "Train it (`stagger help skills`), or correct `network` in its description."},

    // Errors of files and command lines (exit status 2):
    {"file_missing",
     {"there is no such"},
     "A file, scene or study is neither at the path, nor beside the file that names it, nor in the folder of scenes.",
     "Take the name that the message suggests, or correct the path: it is relative to the file that names it. "
     "`stagger list` lists the scenes."},
    {"file_unreadable",
     {"cannot be read: %s", "is damaged", "is cut short", "not an HDF5 file", "broken file"},
     "The file is there, but is not what was expected, was cut short in copying, or may not be read.",
     "`stagger inspect FILE` says what it is. Make it or copy it again; see its permissions."},
    {"file_kind",
     {"is a trace, not a scene", "not a scene, which has 'characters'", "wanted is a trace", "this is %s, not a"},
     "The file is good, but of another kind than the command takes.",
     "Use the command that the message names; `stagger inspect FILE` describes any kind."},
    {"file_empty",
     {"the file is empty, expected keys and values", "the file is empty"},
     "There is nothing in the file.",
     "`stagger new scene NAME` (or study, body, layer) writes one to begin with."},
    {"unwritable",
     {"cannot be written: %s", "cannot write trace", "a trace needs a file", "another run is writing it"},
     "A result cannot be written there: the folder is missing, the disk is full, permissions forbid it, or something "
     "else "
     "has the name. The end of the message is what the system says.",
     "Make the folder, make room, or write elsewhere. Nothing that was there has been touched."},
    {"not_replaced",
     {"so it is not replaced", "name the same file", "was changed on the disk since it was read"},
     "A file of another kind, or one that somebody else has changed, would have been lost.",
     "Give another name, or remove the file yourself."},
    {"yaml_syntax",
     {"not valid YAML", "a tab cannot indent", "anchors (&), aliases (*) and tags (!)", "nested too deeply",
      "allowed is text in UTF-8"},
     "The text is no YAML, or uses a part of it that scenes do without. The place is where reading ended; the slip is "
     "there "
     "or just before.",
     "Look for a bracket or quote that is not closed, a missing blank after a colon, a line that is indented by a tab "
     "or "
     "less than its neighbours. Quote texts that contain ': '."},
    {"key_unknown",
     {"unknown key"},
     "A key is misspelt, stands in another section than it belongs to, or does not exist.",
     "Take the name that the message suggests. `stagger reference WORD` and `stagger inspect SCENE --keys` list the "
     "keys."},
    {"key_twice",
     {"appears twice"},
     "The same key stands twice in a map, so that one of them would be lost.",
     "Take one out."},
    {"key_missing",
     {"is missing: ", "is missing here", "which is missing", " needs a '", "' is missing"},
     "A key without which the rest has no meaning is not there.",
     "Add it; the message says what it holds. `stagger help scene` explains a scene line by line."},
    {"key_misplaced",
     {"belongs to a", ", not both", "it needs 'every'"},
     "A key stands beside another one with which it does not go, or without the one that it needs.",
     "Keep the one that you mean; the message says what goes together."},
    {"structure",
     {"expected keys and values", "must be a map", "must be a list", "expected a ", "expected [", "expected {",
      "expected %s, got"},
     "A list stands where a map should, a value where a list should, or an item has another form than others of its "
     "list.",
     "Write it in the form of the message. {a: 1, b: 2} is a map, [1, 2] a list."},
    {"value",
     {" allowed are ", " allowed is ", "is out of range", "is faster than the steps of", "must be above", "must lie",
      "is not finite"},
     "A value is of the wrong type (a word for a number), beyond its range, or none of the choices.",
     "Take one that the message allows. `stagger reference KEY` tells unit, range and default of a key."},
    {"order",
     {"must increase from key to key", "is before 'from'", "low must not be above high", "must rise",
      "comes before the beginning"},
     "Numbers that belong together are in the wrong order: keys of a curve, the ends of a range, a beginning and an "
     "end.",
     "Exchange them."},
    {"name_unknown",
     {"there is no %s '", "there is no '", "no item '", "unknown joint", "unknown variable", "has no joint",
      "no animation '", "there is no trial"},
     "A part, joint, character, metric, clip or item that is named does not exist, or not in this body or scene.",
     "Take a name that the message suggests or allows. `stagger inspect FILE` lists the names in a body, clip, scene "
     "or trace."},
    {"name_form",
     {"cannot be a name", "the name is too long"},
     "Names are parts of paths (characters.NAME.drive, NAME.metric), so that not every text can be one.",
     "Begin with a letter; then letters, digits, _ and - may follow."},
    {"name_taken",
     {"' already", "is named twice"},
     "Two things have one name, or one thing is named twice in a list.",
     "Rename one of them, or take it out."},
    {"whose",
     {"with several characters, say"},
     "The scene has several characters, and it is not said which one is meant.",
     "Put the character's name: `character: NAME` in an event, NAME.metric in an expectation."},
    {"expectation",
     {"expected 'metric op value'"},
     "An expectation is no comparison of a metric with a number.",
     "Write `NAME.metric op value`, e.g. `runner.distance > 60`; `stagger reference metrics` lists the metrics."},
    {"assignment",
     {"expected path=value", "expected an assignment KEY=VALUE"},
     "What follows --set, or stands in `set` of a study, is no assignment.",
     "Write KEY=VALUE without blanks around =, e.g. --set world.dt=1/480; quote it for the shell if it has brackets."},
    {"states_missing",
     {"the trace has no states", "the trace has no state at"},
     "A run can only be continued from a moment whose full state the trace has.",
     "Record it again with --set trace.states=1, which saves a state every second."},
    {"state_other",
     {"the state is of another", "the state is of version", "the state was saved by", "the state is damaged"},
     "A saved state fits only the same scene with the same parameters, run by the same version.",
     "Run the scene again, and save the state with this version."},
    {"policy_other",
     {"train it anew"},
     "A policy was learnt for another planner or other moves than the scene has.",
     "Train it anew (`stagger train`), or name the planner for which it was learnt."},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

int explanations_count(void) { return ROW_COUNT; }
const Explanation *explanations_at(int index) { return &ROWS[index]; }

// Whether the message contains the words; "%s" among them stands for anything.
static bool contains(const char *message, const char *words) {
  const char *gap = strstr(words, "%s");
  if (!gap)
    return strstr(message, words) != NULL;
  char begin[64];
  snprintf(begin, sizeof begin, "%.*s", (int)(gap - words), words);
  const char *found = strstr(message, begin);
  return found && strstr(found + strlen(begin), gap + strlen("%s"));
}

// The longest words win, since short ones may be among the others'.
const Explanation *explanation_of(const char *message) {
  const Explanation *best = NULL;
  size_t longest = 0;
  for (int i = 0; i < ROW_COUNT; i++)
    for (int k = 0; k < EXPLANATION_WORDS && ROWS[i].words[k]; k++) {
      const char *words = ROWS[i].words[k];
      if (strlen(words) <= longest || !contains(message, words))
        continue;
      best = &ROWS[i];
      longest = strlen(words);
    }
  return best;
}

void explained_print(FILE *out, const char *message) {
  const Explanation *row = explanation_of(message);
  if (row)
    fprintf(out, "%s [%s]\n", message, row->code);
  else
    fprintf(out, "%s\n", message);
}
