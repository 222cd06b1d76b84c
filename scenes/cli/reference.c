// stagger reference: every parameter, event, metric and channel, from the tables that the program itself works with.
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/record.h"
#include "scenes/scene_def.h"

static const char HELP[] =
    "usage: stagger reference\n\n"
    "Prints every parameter of scene and body files with its unit, range and default, the metrics, and\n"
    "the channels of a trace, as Markdown.\n\n"
    "example: stagger reference > reference.md\n";

// A | would end the cell.
static void print_cell(const char *text) {
  fputs("| ", stdout);
  for (const char *c = text; *c != '\0'; c++)
    printf(*c == '|' ? "\\%c" : "%c", *c);
  putchar(' ');
}

static void print_rows(const ParamTable *table) {
  for (int i = 0; i < table->count; i++) {
    const Param *row = &table->rows[i];
    char range[64] = "";
    if (row->type == PARAM_BOOL)
      snprintf(range, sizeof range, "true, false");
    else if (row->type == PARAM_TEXT)
      snprintf(range, sizeof range, "text");
    else if (row->type != PARAM_CHOICE)
      snprintf(range, sizeof range, "%.10g to %.10g", row->min, row->max);
    bool choice = row->type == PARAM_CHOICE;
    printf("| `%s` ", row->name);
    print_cell(choice ? "" : row->unit);
    print_cell(choice ? row->unit : range);
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

// Keys of a character that are no numbers.
static const EventKey asset_keys[] = {
    {"name", "", "", "What events, expectations, traces and reports call the character: letters, digits, `_`, `-`."},
    {"body", "", "", "Body file."},
    {"animation.graph", "", "", "Graph file that decides what plays (scenes/graphs/README.md)."},
    {"animation.parameters", "", "the graph's", "Values of the graph's parameters at first: {name: value}."},
    {"animation.move", "", "", "Clip or motion file that the character plays; without it and a graph the bind pose."},
    {"animation.stagger.left", "", "", "Clip file into which a hit toward the left moves the animation."},
    {"animation.stagger.forward", "", "", "The same for a hit forward."},
    {"animation.stagger.right", "", "", "The same for a hit toward the right."},
    {"script", "", "",
     "How the intent changes: [{time: 2, speed: 1.3}, ...], any rows of `intent`, and `event: NAME`."},
};

static const EventKey curve_keys[] = {
    {"strength_drop", "-", "",
     "Curve [[x, y], ...]: speed change of the struck part in m/s -> share of strength lost."},
    {"blend", "-", "", "Curve: speed change in m/s -> physical share of the shown pose."},
};

static void print_channels(const RecordChannel *channels, int count, const char *folder) {
  static const char *const types[] = {"float32", "float64", "uint8", "int32", "uint64"};
  static const char *const rows[] = {"", "joints", "parts", "feet", "nodes"};
  for (int i = 0; i < count; i++) {
    const RecordChannel *channel = &channels[i];
    char width[16] = "", shape[64];
    if (channel->width > 1)
      snprintf(width, sizeof width, "%d", channel->width);
    bool both = rows[channel->rows][0] != '\0' && width[0] != '\0';
    snprintf(shape, sizeof shape, "%s%s%s", rows[channel->rows], both ? " x " : "", width);
    printf("| `%s%s` ", folder, channel->path);
    print_cell(types[channel->type]);
    print_cell(shape[0] != '\0' ? shape : "1");
    print_cell(channel->unit);
    print_cell(channel->description);
    puts("|");
  }
}

static void print_strategies(void) {
  puts(
      "\n### recovery_strategy\n\nHow a hit was taken, for each hit and, as the worst of all, for a character; reports "
      "have it beside the metrics.\n\n"
      "| label | when |\n|---|---|\n"
      "| `ankle` | No foot touched down anew, and the extrapolated centre of mass stayed over the base of support. |\n"
      "| `hip` | No foot touched down anew, but the extrapolated centre of mass left the base of support. |\n"
      "| `step` | One foot touched down, those of the gait count as well. |\n"
      "| `steps` | Feet touched down several times. |\n"
      "| `fall` | A part other than a foot bore weight. |");
}

// What a trace holds beside the channels of characters and contacts.
static void print_trace_rest(void) {
  puts("\n`/events` has a row for every impulse that events gave in a step:\n\n"
       "| field | type | unit | meaning |\n|---|---|---|---|\n"
       "| `time` | float64 | s | When the step begins. |\n"
       "| `kind` | text | | What it was, such as `impulse` or `push`. |\n"
       "| `character` | text | | Who was struck. |\n"
       "| `part` | text | | Where. |\n"
       "| `point` | float32 x 3 | m | Where, world. |\n"
       "| `impulse` | float32 x 3 | N s | How much, world. |\n\n"
       "Attributes:\n\n"
       "| at | name | meaning |\n|---|---|---|\n"
       "| all datasets | `unit`, `description` | As in the table above. |\n"
       "| rows of joints, parts, feet | `names` | Names of the rows. |\n"
       "| `/contacts/part`, `/contacts/other` | `names` | What the indices stand for. |\n"
       "| `parts/*` | `mass` | kg, of each part. |\n"
       "| `parts/*` | `inertia` | kg m^2, three of each part, about its own axes. |\n"
       "| `joints/*` | `limit` | N m, strength of each joint. |\n"
       "| `/metrics` | `NAME.METRIC` | The metrics at the end of the run. |\n"
       "| `/files/...` | `name` | Name of the file as the scene has it. |\n"
       "| the root | `format`, `format_version`, `stagger_version`, `scene_name`, `scene` (its text after overrides), "
       "`seed`, `dt`, `frame_rate`, `up_axis`, `units`, `status` | The run. |");
}

int command_reference(int argc, char **argv) {
  int code;
  if (!cli_arguments(argc, argv, HELP, 0, 0, &code))
    return code;
  puts("# Reference\n\nGenerated by `stagger reference` from the tables in the program. Any key can be overridden by "
       "its path,\n"
       "for example `--set world.dt=1/480` or `--set characters.runner.drive.strength=0.5`.");
  print_table("Scene", &run_params);
  for (int i = 0; i < scene_section_count; i++)
    print_table(scene_sections[i].key, scene_sections[i].table);

  print_heading("characters", "A list with one map for each character.");
  print_keys(asset_keys, (int)(sizeof asset_keys / sizeof asset_keys[0]));
  for (int i = 0; i < character_section_count; i++) {
    char title[64];
    snprintf(title, sizeof title, "characters.NAME.%s", character_sections[i].key);
    print_table(title, character_sections[i].table);
    if (strcmp(character_sections[i].key, "hit_reaction") == 0)
      print_keys(curve_keys, (int)(sizeof curve_keys / sizeof curve_keys[0]));
  }

  print_table("events", &event_params);
  print_keys(event_keys, event_key_count);
  print_table("cameras", &camera_params);
  print_table("Body files: parts", &part_params);
  print_table("Body files: joint of a part", &joint_params);

  puts("\n## Metrics\n\nFor `expect` (`<character>.<metric> op value`), reports and studies.\n\n"
       "| metric | unit | meaning |\n|---|---|---|");
  for (int i = 0; i < metric_row_count; i++) {
    printf("| `%s` ", metric_rows[i].name);
    print_cell(metric_rows[i].unit);
    print_cell(metric_rows[i].doc);
    puts("|");
  }

  print_strategies();

  puts("\n## Trace channels\n\nOne row a frame, but for the lists below /contacts, /step_hash and /events.\n\n"
       "| dataset | type | values | unit | meaning |\n|---|---|---|---|---|");
  puts("| `/time` | float64 | 1 | s | Time of each frame |");
  print_channels(character_channels, character_channel_count, "/characters/NAME/");
  print_channels(world_channels, world_channel_count, "");
  puts("| `/events` | record | see below | | Events and the steps of pushes |\n"
       "| `/files/...` | uint8 | bytes | byte | The files that the scene names |\n"
       "| `/metrics` | group | | | Its attributes are the final metrics |");
  print_trace_rest();
  return EXIT_DONE;
}
