// stagger reference: prints every parameter, event, metric and channel from the tables that the program itself uses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/layer_kinds.h"
#include "ragdoll/body/body_measure.h"
#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/cli/reference_rows.h"
#include "scenes/description/scene_def.h"
#include "scenes/output/explanations.h"
#include "scenes/record/hit_table.h"
#include "scenes/record/record.h"
#include "scenes/run/trace_states.h"
#include "scenes/sweep/study.h"
#include "scenes/train/skill_train.h"
#include "scenes/train/training.h"

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage reference_usage = {
    .name = "stagger reference",
    .summary = "prints every parameter with unit, range and default",
    .forms = {"[TEXT]"},
    .text =
        "Prints every parameter of scene, body, study and skill files with its unit, range and default, the metrics,\n"
        "and the contents of traces, as Markdown; with TEXT, those rows of its tables that contain it, or whose\n"
        "heading does, in small or capital letters.",
    USAGE_OPTIONS(OPTIONS),
    .examples = {"stagger reference > reference.md", "stagger reference stiffness", "stagger reference hit_reaction"},
};

// Escapes |, which would end a cell of the table.
static void print_cell(const char *text) {
  fputs("| ", stdout);
  for (const char *c = text; *c != '\0'; c++)
    printf(*c == '|' ? "\\%c" : "%c", *c);
  putchar(' ');
}

static void print_rows(const ParamTable *table) {
  for (int i = 0; i < table->count; i++) {
    const Param *row = &table->rows[i];
    char range[INSPECT_VALUE_SIZE];
    inspect_range(row, range, sizeof range);
    bool choice = row->type == PARAM_CHOICE;
    printf("| `%s` ", row->name);
    print_cell(choice ? "" : row->unit);
    print_cell(range);
    print_cell(row->default_text);
    print_cell(row->doc);
    puts("|");
  }
}

static void print_heading(const char *title, const char *doc) {
  printf("\n## %s\n\n%s\n\n| key | unit | range | default | meaning |\n|---|---|---|---|---|\n", title, doc);
}

static void print_table(const char *title, const ParamTable *table) {
  print_heading(title, table->doc);
  print_rows(table);
}

static void print_keys(const EventKey *keys, int count) {
  for (int i = 0; i < count; i++) {
    printf("| `%s` ", keys[i].name);
    print_cell(keys[i].unit);
    print_cell("");
    print_cell(keys[i].default_text);
    print_cell(keys[i].doc);
    puts("|");
  }
}

// Keys of a character that are not numbers.
static const EventKey asset_keys[] = {
    {"name", "", "", "Name of the character in events, expectations, traces and reports: letters, digits, `_`, `-`."},
    {"body", "", "", "Body file, or a map of a human body's measures (see below)."},
    {"body.base", "", "", "Body file that is changed to the measures; it must have the parts of bodies/human.yaml."},
    {"animation.graph", "", "", "Animation graph file (scenes/graphs/README.md)."},
    {"animation.parameters", "", "the graph's", "Initial values of the graph's parameters: {name: value}."},
    {"animation.move", "", "",
     "Clip or motion file that the character plays; without it and without a graph it keeps the bind pose."},
    {"animation.stand", "", "",
     "Clip that plays while `move` rests, in place of the bind pose. A skill for each of the two hands over to the "
     "other "
     "when the wanted speed falls below half of the slowest of the skill of `move`, or rises above it."},
    {"animation.jump", "", "",
     "Clip with the posture of a jump, and the marks `crouched`, `take_off`, `touch_down` and `absorbed`: with it the "
     "character jumps, as a script says (`jump`) and over gaps (`root.jump`), and lands where it falls."},
    {"animation.stagger.left", "", "", "Clip file that is blended into the animation after a hit toward the left."},
    {"animation.stagger.forward", "", "", "The same for a hit forward."},
    {"animation.stagger.right", "", "", "The same for a hit toward the right."},
    {"animation.stagger.backward", "", "", "The same for a hit backward."},
    {"fall.prone", "", "",
     "Clip for getting up from lying on the face; without it and `supine` the character stays down."},
    {"fall.supine", "", "",
     "The same for lying on the back. Both are also used mirrored, and for lying on a side. One clip that rolls over "
     "may "
     "stand for both."},
    {"planner.def", "", "",
     "Planner with which the character finds its own way to its goals (scenes/planners/README.md)."},
    {"planner.policy", "", "",
     "Policy learnt by `stagger train`; without it the planner takes the move nearest to the demand."},
    {"planner.goals", "m", "", "Places [[x, z], ...] to go to, in order; the character stops at the last one."},
    {"skill", "", "none",
     "Skill file, or a list of at most 8 (scenes/skills/README.md): while the clip of a skill plays, as "
     "`animation.move` "
     "or to get up, the skill leads the body by the joints' torques."},
    {"script", "", "",
     "Changes of the intent over time: [{time: 2, speed: 1.3}, ...]. Items set rows of `intent`, `event: NAME`, "
     "`layers: {NAME: weight}`, the muscle tones `tones: {body: -0.5, forearm_l: 1}`, and `jump: {distance: 1.2}`."},
};

static const EventKey layer_keys[] = {
    {"kind", "", "", "What the layer does; each kind has a table below."},
    {"name", "", "its kind",
     "Name of the layer in scripts (`layers: {NAME: weight}`), traces and reports: letters, digits, `_`, `-`."},
};

static const EventKey target_keys[] = {
    {"path", "s, m", "",
     "Keys [[time, x, y, z], ...] relative to `center`, connected by straight lines; at two keys "
     "with the same time the target jumps."},
};

static const EventKey prop_keys[] = {
    {"anchor", "m", "",
     "Point [x, y, z] about which the prop swings, as on a rod without mass; without an anchor the prop falls."},
};

static const EventKey platform_keys[] = {
    {"path", "s, m", "",
     "Keys [[time, x, y, z], ...] relative to `center`; the platform comes to rest at each and moves smoothly to the "
     "next."},
    {"speeds", "s, m/s", "",
     "Keys [[time, x, y, z], ...] of a velocity that is added, as of a belt: it changes evenly from one to the next, "
     "and "
     "is that of the first key before and that of the last after them."},
    {"tilts", "s, deg", "",
     "Keys [[time, pitch, roll], ...]: it rises ahead and to the left, along its own axes, and comes to rest at each "
     "key "
     "as on a path."},
};

static const EventKey curve_keys[] = {
    {"strength_drop", "-", "",
     "Curve [[x, y], ...]: speed change of the struck part in m/s -> share of strength lost. Also {dv: CURVE, "
     "direction: CURVE}, as for `blend` and `stagger`: the curve `direction` gives a factor for the direction of the "
     "blow in deg, from 0 (forward) to 180."},
    {"blend", "-", "", "Curve: speed change in m/s -> physical share of the shown pose."},
    {"stagger", "-", "",
     "Curve: impulse divided by the mass of the whole body in m/s -> weight of the stagger animation."},
    {"mask", "-", "all", "Joints that lose strength and are shown as physics: a list, or a map to shares 0..1."},
    {"tones", "-", "", "Muscle tone of single joints, added to `tone`: a map from joint to -1 (slack) to 1 (tense)."},
};

// ---- Studies ----

static const EventKey study_keys[] = {
    {"scene", "", "", "The scene that is run: a file in the study's folder, or a name as for `stagger run`."},
    {"set", "", "", "Overrides for all trials: a list of `KEY=VALUE`, as after `stagger run --set`."},
    {"axes", "", "", "Parameters and their values: {KEY: values}, crossed in this order, the last one fastest."},
    {"metrics", "", "all", "Columns of the table: a list of `CHARACTER.METRIC`."},
    {"traces", "", "none", "Which trials keep a trace: a list."},
    {"threshold", "", "", "What `stagger threshold` searches: a table."},
    {"compare", "", "", "What `stagger compare STUDY` compares: a table."},
    {"sensitivity", "", "", "How `stagger sensitivity` finds what the axes do: a table."},
    {"optimise", "", "", "What `stagger optimise` searches: a table."},
};

static const EventKey axis_keys[] = {
    {"(a list)", "", "", "`KEY: [step, iterative]`: these values."},
    {"values", "", "", "The same as a map, which can also hold a name: `KEY: {values: [5, 10, 20], name: impulse}`."},
    {"from, to, steps", "", "", "Evenly spaced values including both ends; with `scale: log` spaced by equal factors."},
    {"random", "", "", "Random values, see below; without `count` every trial draws a new one."},
    {"name", "", "the path", "Name of the column in tables and reports."},
};

static const EventKey keep_keys[] = {
    {"repeats", "-", "", "`{repeats: 1}`: the first repeat of every cell."},
    {"trials", "-", "", "`{trials: [0, 17]}`: these trials."},
    {"where", "", "",
     "`{where: man.fell == 1, most: 10}`: the first trials that meet the condition, at most 1000 by default."},
    {"highest", "", "", "`{highest: man.peak_pose_error, most: 3}`: the trials with the highest values, 1 by default."},
    {"lowest", "", "", "The same with the lowest values."},
};

static const EventKey threshold_keys[] = {
    {"withstood", "", "", "`man.fell == 0`: the condition of a trial that has withstood the value, or a list of them."},
};

static const EventKey optimise_keys[] = {
    {"parameters", "", "", "Parameters that are varied: {KEY: {low, high}}, KEY as after `--set`."},
    {"cost", "", "", "A list of terms, whose sum is to be small."},
};

#define PRINT_KEYS(keys) print_keys(keys, (int)(sizeof(keys) / sizeof(keys)[0]))

static void print_studies(void) {
  print_table("Study files", &study_params);
  PRINT_KEYS(study_keys);
  print_heading("Study files: axes.KEY", "KEY is the path of a parameter, as after `--set`.");
  PRINT_KEYS(axis_keys);
  print_table("Study files: axes.KEY.random", &study_random_params);
  print_heading("Study files: an item of traces",
                "The trials are chosen when all have been run. A trial keeps its trace if any item chooses it.");
  PRINT_KEYS(keep_keys);
  print_table("Study files: threshold", &study_threshold_params);
  PRINT_KEYS(threshold_keys);
  print_table("Study files: compare", &study_compare_params);
  print_table("Study files: sensitivity", &study_sensitivity_params);
  print_table("Study files: optimise", &study_optimise_params);
  PRINT_KEYS(optimise_keys);
  print_table("Study files: optimise.parameters.KEY", &study_parameter_params);
  print_table("Study files: an item of optimise.cost", &study_cost_params);
}

// ---- Skills ----

static const EventKey skill_keys[] = {
    {"name", "", "", "Name of the skill: letters, digits, `_`, `-`."},
    {"body", "", "", "Body file; the skill is for characters with this body."},
    {"clip", "", "", "Clip file; the skill leads while this clip plays."},
    {"network", "", "", "File of the network (.safetensors), which `stagger train` writes."},
};

static const EventKey training_keys[] = {
    {"stages", "", "", "A list of 1 to 16 stages; each begins with the network of the one before."},
};

static void print_skills(void) {
  print_heading("Skill files", "The description of a skill, such as scenes/skills/run.yaml.");
  PRINT_KEYS(skill_keys);
  print_table("Skill files: control", &skill_params);
  print_table("Skill files: training", &skill_training_params);
  PRINT_KEYS(training_keys);
  print_table("Skill files: an item of training.stages", &skill_stage_params);
  print_table("Skill files: training.reward", &skill_reward_params);
  print_table("Skill files: training.learner", &learner_params);
}

// ---- Traces ----

static const char *const type_names[] = {
    [TRACE_FLOAT32] = "float32", [TRACE_FLOAT64] = "float64", [TRACE_UINT8] = "uint8",
    [TRACE_INT32] = "int32",     [TRACE_UINT64] = "uint64",
};

// The dimensions of a dataset: T is the number of frames.
static void print_dimensions(const RecordChannel *channel, const char *first) {
  static const char *const rows[] = {
      [ROWS_JOINTS] = ", joints", [ROWS_PARTS] = ", parts", [ROWS_FEET] = ", feet",
      [ROWS_TRACKS] = ", nodes",  [ROWS_GRAPH] = NULL,
  };
  printf("| [%s%s", first, rows[channel->rows] ? rows[channel->rows] : "");
  if (channel->width > 1)
    printf(", %d", channel->width);
  fputs("] ", stdout);
}

static void print_dataset(const RecordChannel *channel, const char *folder, const char *first) {
  printf("| `%s%s` ", folder, channel->path);
  print_cell(type_names[channel->type]);
  print_dimensions(channel, first);
  print_cell(channel->unit);
  print_cell(channel->description);
  puts("|");
}

static void print_channels(const RecordChannel *channels, int count, const char *folder, const char *first) {
  for (int i = 0; i < count; i++)
    print_dataset(&channels[i], folder, first);
}

// The first two have a row per frame, the last one a row per step; the others are lists.
static void print_world_channels(void) {
  for (int i = 0; i < world_channel_count; i++) {
    bool is_step = strcmp(world_channels[i].path, "/step_hash") == 0;
    print_dataset(&world_channels[i], "", i < 2 ? "T" : is_step ? "steps" : "contacts");
  }
}

static void print_state_lists(void) {
  for (int i = 0; i < STATE_LISTS; i++) {
    const TraceChannel *list = &state_channels[i];
    const RecordChannel row = {list->path, list->type, ROWS_ONE, 1, list->unit, list->description};
    print_dataset(&row, "", i == STATE_WORDS ? "words" : "states");
  }
}

static void print_datasets(void) {
  puts("\n### Datasets\n\n"
       "T is the number of frames; the first frame shows the state before the first step. Lists have lengths of their\n"
       "own. The contacts of frame i are rows first[i] to first[i] + count[i] - 1 of the other datasets in /contacts.\n"
       "Datasets of the graph, joints or feet are missing if the character plays no graph, or its body has only one\n"
       "part or no feet. An object's datasets begin with the first frame after it was created; a ball that is thrown\n"
       "again with another mass or size is a new object.\n\n"
       "| dataset | type | shape | unit | meaning |\n|---|---|---|---|---|");
  const RecordChannel time = {trace_time_channel.path, trace_time_channel.type,       ROWS_ONE, 1,
                              trace_time_channel.unit, trace_time_channel.description};
  print_dataset(&time, "", "T");
  print_channels(character_channels, character_channel_count, "/characters/NAME/", "T");
  print_world_channels();
  print_channels(object_channels, object_channel_count, "/objects/NAME/", "T");
  print_channels(&rope_channel, 1, "", "T, ropes");
  print_state_lists();
  print_channels(hit_channels, HIT_COLUMNS, "", "hits");
  const TraceChannel *events = &trace_events_channel, *files = &trace_files_channel;
  printf("| `%s` | record | [events] | %s | %s |\n", events->path, events->unit, events->description);
  printf("| `%s` | %s | [bytes] | %s | %s |\n", files->path, type_names[files->type], files->unit, files->description);
}

static void print_attributes(const TraceAttribute *attributes, int count) {
  for (int i = 0; i < count; i++) {
    printf("| %s | `%s` ", attributes[i].where, attributes[i].name);
    print_cell(attributes[i].type);
    print_cell(attributes[i].unit);
    print_cell(attributes[i].description);
    puts("|");
  }
}

static void print_layer_channels(void) {
  puts("\n### Datasets of layers\n\n"
       "The datasets of a layer that has a name are stored under this name instead of its kind. Rows are the layer's\n"
       "joints, legs or arms.\n\n"
       "| dataset | type | shape | unit | meaning |\n|---|---|---|---|---|\n"
       "| `/characters/NAME/layers/weight` | float32 | [T, layers] | - | Weight of each layer: 0 no effect, 1 full "
       "effect "
       "|");
  for (int i = 0; i < layer_kind_count; i++) {
    for (int k = 0; k < layer_kinds[i]->channel_count; k++) {
      const LayerChannel *channel = &layer_kinds[i]->channels[k];
      printf("| `/characters/NAME/layers/%s/%s` | float32 | [T, rows", layer_kinds[i]->name, channel->name);
      if (channel->width > 1)
        printf(", %d", channel->width);
      fputs("] ", stdout);
      print_cell(channel->unit);
      print_cell(channel->description);
      puts("|");
    }
  }
}

static void print_trace_tables(void) {
  print_datasets();
  puts("\n### Attributes\n\n| of | attribute | type | unit | meaning |\n|---|---|---|---|---|");
  print_attributes(trace_attributes, trace_attribute_count);
  print_attributes(record_attributes, record_attribute_count);
  puts("\n### Fields of /events\n\n| of | field | type | unit | meaning |\n|---|---|---|---|---|");
  print_attributes(trace_event_fields, trace_event_field_count);
  print_layer_channels();
}

static void print_trace_reading(void) {
  puts("\n### Balances\n\n"
       "The datasets suffice to check that momentum balances. From one frame to the next, the momentum of a\n"
       "character (mass times linear_velocity, summed over its parts) changes by\n\n"
       "- `gravity` times its mass times the time between the frames,\n"
       "- the impulses of the later frame's contacts, added where its part is `part`, subtracted where it is `other`,\n"
       "- the impulses of events of kind impulse, push, pull, drag and cable, from the time of the earlier frame up "
       "to, but "
       "not\n"
       "  including, the time of the later frame,\n"
       "- assist/force of the later frame times the time between the frames.\n\n"
       "The angular momentum about a fixed point changes by the moments of these impulses and forces, which act at\n"
       "/contacts/position, at the point of the event, at assist/point and, for gravity, at the mean centre of\n"
       "mass of the two frames; by /contacts/moment; and by assist/torque times the time between the frames. For\n"
       "kinematic bodies assist/force and assist/torque are computed from these balances, as what is missing in\n"
       "them. For physical bodies the balance of angular momentum has two errors: the integration of rotations,\n"
       "for each part at most h (|w| + |w'|)^2 (Imax - Imin) / 2 in a step, and the gaps of joints whose ends are\n"
       "apart. The same balances hold for objects that move freely. The trace does not contain the forces on\n"
       "platforms, and on props that hang, are fixed, or are not released yet.");
  puts("\n### Reading\n\n"
       "Traces are HDF5 files. h5py (Python) shows the shapes given above, MATLAB and Julia show the dimensions in\n"
       "reverse order:\n\n"
       "```matlab\n"
       "error = h5read('hit.h5', '/characters/runner/joints/error');            % joints x T\n"
       "names = h5readatt('hit.h5', '/characters/runner/joints/error', 'names');\n"
       "plot(h5read('hit.h5', '/time'), error(strcmp(names, 'upper_arm_l'), :))\n"
       "```\n\n"
       "```julia\n"
       "using HDF5\n"
       "h5open(\"hit.h5\") do trace\n"
       "    joints = trace[\"characters/runner/joints/error\"]\n"
       "    error = read(joints)                     # joints x T\n"
       "    names = read_attribute(joints, \"names\")\n"
       "    error[findfirst(==(\"upper_arm_l\"), names), :]\n"
       "end\n"
       "```");
}

static void print_strategies(void) {
  puts("\n### recovery_strategy\n\n"
       "How the character recovered: a label for each hit and, as the worst of these, for the character. Reports\n"
       "show it beside the metrics.\n\n"
       "| label | when |\n"
       "|---|---|\n"
       "| `ankle` | No step was taken, and the extrapolated centre of mass stayed over the base of support. |\n"
       "| `hip` | No step was taken, but the extrapolated centre of mass left the base of support: ankle torque alone "
       "cannot bring it back (Hof 2007). |\n"
       "| `step` | A foot touched down once, more than 3 cm from where it stood; steps of the gait count as well. |\n"
       "| `steps` | Feet touched down so more than once. |\n"
       "| `fall` | A part other than a foot bore weight, including the 10 s after recovery. |\n\n"
       "For a character that balances by itself the base of support is that of both soles where they stand. The\n"
       "steps that it begins until it has recovered are counted; those that then bring its feet side by side are\n"
       "not.");
}

// Prints the parameters of every layer, then those of each kind.
static void print_layers(void) {
  print_heading("characters.NAME.layers",
                "A list with one map for each layer; layers are applied in this order. The path of a layer is\n"
                "`characters.NAME.layers.NAME.KEY`, with the kind in place of a missing name: `--set "
                "characters.powered.layers.stepper.scale=0.1`.");
  print_rows(&layer_params);
  print_keys(layer_keys, (int)(sizeof layer_keys / sizeof layer_keys[0]));
  for (int i = 0; i < layer_kind_count; i++) {
    char title[64];
    snprintf(title, sizeof title, "layers: %s", layer_kinds[i]->name);
    print_heading(title, layer_kinds[i]->doc);
    print_rows(layer_kinds[i]->params);
    for (int k = 0; layer_kinds[i]->other_keys && layer_kinds[i]->other_keys[k]; k++)
      printf("| `%s` | | | | %s |\n", layer_kinds[i]->other_keys[k], layer_kinds[i]->other_docs[k]);
  }
}

// Prints the choices of world.solver and their differences.
static void print_solvers(void) {
  puts("\n## world.solver\n\n"
       "All solvers step the same ODE bodies, joints, motors and contacts; collision, terrain, props, drives,\n"
       "assists, events, impulses, metrics and traces use the same code for all. `step` is the reference.\n\n"
       "| | `step` | `iterative` | `reduced` |\n"
       "|---|---|---|---|\n"
       "| unknowns | forces of all joints, motors, contacts | the same, solved by sweeps | rates of the joints; forces "
       "of contacts, stops and saturated motors |\n"
       "| joints | typically open by 0.7 mm, by 2 mm in falls and steps | by 0.8 mm, by 7 mm | cannot open |\n"
       "| drives | implicit, with box constraints as limits | the same | the same, as part of the mass matrix |\n"
       "| torque limits | exact | exact | exact to rounding |\n"
       "| free motion | first order: a limp body loses energy | the same | second order; parts that turn by more than "
       "0.4 rad in a step lose energy |\n"
       "| contacts | exact; friction is bounded by the normal force found without friction, or, where the contact "
       "sticks, found with friction | solved by sweeps | as `step`, but always bounded by the former |\n"
       "| stops of joints | soft by ODE's ERP and CFM | the same | the same |\n\n"
       "The opening of a joint is the distance between its anchor points on the two parts. It was measured in\n"
       "every step of eight scenes for the joint that is open the most; `typically` is the median over the steps\n"
       "of the worst scene. A bullet that hits a light part opens its joint more, with `step` and with\n"
       "`iterative`: by 3.1 mm at the hand in 6 seeds of `hit_stand`, by 24 mm in 8 seeds of `hit_run`.\n\n"
       "All three use a friction pyramid: each of its two directions, which are the world's x and z on level\n"
       "ground, has a bound of its own. Friction is right along these directions and too strong between them. For\n"
       "a box that slides at 0, 10, 22.5 and 45 deg to x with a coefficient of 0.5, the initial friction was 0.50,\n"
       "0.51, 0.71 and 0.71 times the normal force. The box came to rest after 0.99, 0.96, 0.86 and 0.70 of the\n"
       "distance that Coulomb's law gives, and its path turned by 0, 8, 13 and 0 deg toward the nearer direction.\n"
       "On a slope that falls at 0, 22.5 and 45 deg to x a box stayed at rest up to slopes of 0.99, 1.08 and 1.42\n"
       "times the coefficient.\n\n"
       "`reduced` solves coupled sets of contact and stop rows by 60 sweeps if they have more than 240 rows, or if\n"
       "pivoting does not converge; even then forces are within their bounds, and momentum balances. It ends a run\n"
       "with an error where it does not apply: joints other than ball, universal and hinge joints and motors,\n"
       "loops of joints, joints to kinematic bodies, damped bodies with joints between them. It does not use\n"
       "`iterations`. Contacts chatter differently, so runs that depend on single impacts (falls, pushes that are\n"
       "barely withstood) diverge from those of `step` like runs with other seeds; characters stay up, and use\n"
       "each strategy, as often.\n\n"
       "Pushes from 16 sides as in the studies `push_table` (4 a side) and `push_table_walk` (4 moments a side),\n"
       "64 in each line; shares in % with 95 % intervals (Wilson). With both solvers a push was answered by the\n"
       "same strategy in 175 of 192 and 120 of 128 cases.\n\n"
       "| push | solver | stands | one step | more steps | falls |\n"
       "|---|---|---|---|---|---|\n"
       "| standing, 80 N s | `step` | 100 (94-100) | 89 (79-95) | 11 (5-21) | 0 (0-6) |\n"
       "| | `reduced` | 100 (94-100) | 91 (81-96) | 9 (4-19) | 0 (0-6) |\n"
       "| standing, 100 N s | `step` | 100 (94-100) | 86 (75-92) | 14 (8-25) | 0 (0-6) |\n"
       "| | `reduced` | 98 (92-100) | 83 (72-90) | 16 (9-26) | 2 (0-8) |\n"
       "| standing, 120 N s | `step` | 94 (85-98) | 12 (6-23) | 81 (70-89) | 6 (2-15) |\n"
       "| | `reduced` | 92 (83-97) | 19 (11-30) | 73 (62-83) | 8 (3-17) |\n"
       "| walking, 70 N s | `step` | 98 (92-100) | 0 (0-6) | 98 (92-100) | 2 (0-8) |\n"
       "| | `reduced` | 97 (89-99) | 0 (0-6) | 97 (89-99) | 3 (1-11) |\n"
       "| walking, 100 N s | `step` | 83 (72-90) | 0 (0-6) | 83 (72-90) | 17 (10-28) |\n"
       "| | `reduced` | 78 (67-86) | 0 (0-6) | 78 (67-86) | 22 (14-33) |\n\n"
       "`stands` is the success of the study: a character that has fallen, or has not recovered at the end, does\n"
       "not count.");
}

static void print_reference(void) {
  puts("# Reference\n\nGenerated by `stagger reference` from the tables in the program. Any key can be overridden by "
       "its path,\n"
       "for example `--set world.dt=1/480` or `--set characters.runner.drive.strength=0.5`.");
  print_table("Scene", &run_params);
  for (int i = 0; i < scene_section_count; i++)
    print_table(scene_sections[i].key, scene_sections[i].table);
  print_solvers();

  print_heading("characters", "A list with one map for each character.");
  print_keys(asset_keys, (int)(sizeof asset_keys / sizeof asset_keys[0]));
  print_table("characters.NAME.body", &measure_params);
  for (int i = 0; i < character_section_count; i++) {
    char title[64];
    snprintf(title, sizeof title, "characters.NAME.%s", character_sections[i].key);
    print_table(title, character_sections[i].table);
    if (strcmp(character_sections[i].key, "hit_reaction") == 0)
      print_keys(curve_keys, (int)(sizeof curve_keys / sizeof curve_keys[0]));
  }

  print_layers();
  print_table("characters.NAME.script: jump", &jump_params);
  print_table("events", &event_params);
  print_keys(event_keys, event_key_count);
  print_table("cameras", &camera_params);
  print_table("targets", &target_params);
  print_keys(target_keys, (int)(sizeof target_keys / sizeof target_keys[0]));
  print_table("platforms", &platform_params);
  print_keys(platform_keys, (int)(sizeof platform_keys / sizeof platform_keys[0]));
  print_table("props", &prop_params);
  print_keys(prop_keys, (int)(sizeof prop_keys / sizeof prop_keys[0]));
  print_table("ropes", &rope_params);
  print_table("Planner files: sense", &sense_params);
  print_table("Planner files: limits", &move_limit_params);
  print_table("Planner files: training", &training_params);
  print_table("Planner files: field", &field_params);
  print_table("Body files: parts", &part_params);
  print_table("Body files: joint of a part", &joint_params);
  print_studies();
  print_skills();

  puts("\n## Metrics\n\nFor `expect` (`<character>.<metric> op value`), reports and studies.\n\n"
       "| metric | unit | meaning |\n|---|---|---|");
  for (int i = 0; i < metric_row_count; i++) {
    printf("| `%s` ", metric_rows[i].name);
    print_cell(metric_rows[i].unit);
    print_cell(metric_rows[i].doc);
    puts("|");
  }

  print_strategies();

  puts("\n## Traces\n\nWhat `stagger run --trace FILE.h5` writes.");
  print_trace_tables();
  print_trace_reading();
}

int command_reference(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, &reference_usage, 0, 1, &code))
    return code;
  if (optind == argc) {
    print_reference();
    return EXIT_DONE;
  }
  char *reference = NULL;
  size_t size = 0;
  FILE *own = stdout, *memory = open_memstream(&reference, &size);
  if (memory) {
    stdout = memory; // which the GNU C library allows
    print_reference();
    stdout = own;
  }
  const bool good = memory && fclose(memory) == 0 && reference;
  code = good ? reference_print_rows(argv[optind], reference) : EXIT_BAD_INPUT;
  if (!good)
    fputs("stagger reference: out of memory\n", stderr);
  free(reference);
  return code;
}
