// stagger inspect: describes a scene, with the parameters that differ from their defaults.
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/description/scene_def.h"

enum { MOST_BYTES = 1 << 14 };

void inspect_value(const Param *row, const void *values, char *text, size_t size) {
  const double *range = (const double *)(const void *)((const char *)values + row->offset);
  Param shown = *row;
  if (row->type == PARAM_RANGE && range[0] == range[1])
    shown.type = PARAM_REAL;
  param_write_row(&shown, values, text, size);
}

bool inspect_has_unit(const Param *row) {
  return row->type != PARAM_CHOICE && row->unit[0] != '\0' && strcmp(row->unit, "-") != 0;
}

void inspect_range(const Param *row, char *text, size_t size) {
  if (row->type == PARAM_CHOICE)
    snprintf(text, size, "%s", row->unit);
  else if (row->type == PARAM_BOOL || row->type == PARAM_TEXT)
    snprintf(text, size, row->type == PARAM_BOOL ? "true, false" : "text");
  else
    snprintf(text, size, "%.10g to %.10g", row->min, row->max);
}

// Prints a row, "speed = 1 m/s".
static void print_row(const Param *row, const void *values) {
  char value[INSPECT_VALUE_SIZE];
  inspect_value(row, values, value, sizeof value);
  bool has_unit = inspect_has_unit(row);
  printf("%s = %s%s%s", row->name, value, has_unit ? " " : "", has_unit ? row->unit : "");
}

void inspect_section(const char *title, const ParamTable *table, const void *values) {
  _Alignas(max_align_t) char defaults[MOST_BYTES] = {0};
  if (table->size > sizeof defaults)
    return;
  param_defaults(table, defaults);
  for (int i = 0; i < table->count; i++) {
    if (param_is_equal(&table->rows[i], values, defaults))
      continue;
    printf("  %s%s", title, title[0] != '\0' ? "." : "");
    print_row(&table->rows[i], values);
    putchar('\n');
  }
}

// Continues a line with the parameters that differ from their defaults: ", radius = 2 m".
static void print_changed(const ParamTable *table, const void *values) {
  _Alignas(max_align_t) char defaults[MOST_BYTES] = {0};
  if (table->size > sizeof defaults)
    return;
  param_defaults(table, defaults);
  for (int i = 0; i < table->count; i++) {
    if (param_is_equal(&table->rows[i], values, defaults) || strcmp(table->rows[i].name, "name") == 0)
      continue;
    printf(", ");
    print_row(&table->rows[i], values);
  }
}

static void print_graph(const GraphDef *graph, const double *values) {
  printf("    plays a graph\n");
  for (int i = 0; i < graph_parameter_count(graph); i++)
    printf("      parameter %s = %g\n", graph_parameter_name(graph, i), values[i]);
  for (int i = 0; i < graph_track_count(graph); i++) {
    char name[GRAPH_TRACK_NAME_SIZE];
    graph_track_name(graph, i, name);
    printf("      %s\n", name);
  }
  if (graph_warnings(graph)[0] != '\0')
    printf("    %s\n", graph_warnings(graph));
}

// Prints the joints, legs or arms of a layer; if there are many, only the first and the last.
static void print_rows(const LayerDef *layer, const Skeleton *skeleton) {
  int count = layer->kind->rows(layer->values);
  for (int i = 0; i < count; i++)
    if (count <= 4 || i == 0 || i == count - 1)
      printf("%s%s", i == 0 ? " of " : count <= 4 ? ", " : " ... ", layer->kind->row_name(layer->values, skeleton, i));
}

static void print_layers(const CharacterDef *character) {
  for (int i = 0; i < character->layers.count; i++) {
    const LayerDef *layer = &character->layers.layers[i];
    printf("    layer %s: %s", layer->name, layer->kind->name);
    print_rows(layer, &character->body->skeleton);
    print_changed(&layer_params, &layer->blend);
    print_changed(layer->kind->params, layer->values);
    putchar('\n');
  }
}

static void print_script(const IntentScript *script) {
  for (int i = 0; i < script->count; i++) {
    const IntentStep *step = &script->steps[i];
    printf("    from %g s", step->time);
    for (int k = 0; k < intent_params.count; k++) {
      if ((step->changed & 1u << k) == 0)
        continue;
      printf(", ");
      print_row(&intent_params.rows[k], &step->intent);
    }
    if (step->event[0] != '\0')
      printf(", event %s", step->event);
    for (int k = 0; k < step->fade_count; k++)
      printf(", layer %s to %g", step->fades[k].name, step->fades[k].weight);
    for (int k = 0; k < step->tone_count; k++)
      printf(", tone of %s to %g", step->tones[k].name, step->tones[k].weight);
    if (step->jumps) {
      printf(", jump:");
      for (int k = 0; k < jump_params.count; k++) {
        putchar(' ');
        print_row(&jump_params.rows[k], &step->jump);
      }
    }
    putchar('\n');
  }
}

static void print_character(const CharacterDef *character) {
  printf("  character %s: body %s, %.2f kg, %d parts\n", character->name, character->body->name, character->body->mass,
         character->body->part_count);
  if (character->graph)
    print_graph(character->graph, character->graph_values);
  if (character->move)
    printf("    plays %s, %.3f s\n", character->move->name, (double)character->move->duration);
  if (character->stand)
    printf("    at rest %s, %.3f s\n", character->stand->name, (double)character->stand->duration);
  if (character->jump)
    printf("    jumps by %s\n", character->jump->name);
  for (int i = 0; i < character->skill_count; i++)
    printf("    skill %s leads the body while the clip %s plays\n", character->skills[i]->name,
           character->skills[i]->clip->name);
  for (int i = 0; i < character_section_count; i++) {
    char title[96];
    snprintf(title, sizeof title, "  %s", character_sections[i].key);
    inspect_section(title, character_sections[i].table, (const char *)character + character_sections[i].offset);
  }
  print_layers(character);
  print_script(&character->script);
}

static void print_keys(const char *name, const MotionPath *keys) {
  if (keys->count > 0)
    printf(", %s of %d keys from %g to %g s", name, keys->count, keys->keys[0][0], keys->keys[keys->count - 1][0]);
}

static void print_target(const TargetDef *target) {
  printf("  target %s", target->name);
  print_changed(&target_params, target);
  print_keys("path", &target->path);
  putchar('\n');
}

static void print_platform(const PlatformDef *platform) {
  printf("  platform %s", platform->name);
  print_changed(&platform_params, platform);
  print_keys("path", &platform->path);
  print_keys("speeds", &platform->speeds);
  print_keys("tilts", &platform->tilts);
  putchar('\n');
}

static void print_event(int index, const EventDef *event, const BodyDef *body) {
  printf("  events.%d on ", index);
  for (int i = 0; i < event->part_count && event->part_count < body->part_count; i++)
    printf("%s%s", i > 0 ? ", " : "", body->parts[event->parts[i]].name);
  if (event->part_count == body->part_count)
    printf("any part");
  print_changed(&event_params, event);
  if (event->has_point)
    printf(", point [%g, %g, %g]", event->point[0], event->point[1], event->point[2]);
  putchar('\n');
}

int inspect_scene(const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  if (!def)
    return cli_error(&error);
  printf("%s: scene\n", path);
  printf("  %ld steps of %.6g s, a frame every %d steps\n", def->step_count, def->world.dt, def->steps_per_frame);
  inspect_section("", &run_params, &def->run);
  for (int i = 0; i < scene_section_count; i++)
    inspect_section(scene_sections[i].key, scene_sections[i].table, (const char *)def + scene_sections[i].offset);
  for (int i = 0; i < def->character_count; i++)
    print_character(&def->characters[i]);
  for (int i = 0; i < def->target_count; i++)
    print_target(&def->targets[i]);
  for (int i = 0; i < def->platform_count; i++)
    print_platform(&def->platforms[i]);
  for (int i = 0; i < def->prop_count; i++) {
    const PropDef *prop = &def->props[i];
    printf("  prop %s", prop->name);
    print_changed(&prop_params, prop);
    if (prop->hangs)
      printf(", anchor [%g, %g, %g]", prop->anchor[0], prop->anchor[1], prop->anchor[2]);
    putchar('\n');
  }
  for (int i = 0; i < def->rope_count; i++) {
    printf("  ropes.%d", i);
    print_changed(&rope_params, &def->ropes[i]);
    putchar('\n');
  }
  for (int i = 0; i < def->event_count; i++)
    print_event(i, &def->events[i], def->characters[def->events[i].target].body);
  for (int i = 0; i < def->camera_count; i++) {
    char title[32];
    snprintf(title, sizeof title, "cameras.%d", i);
    inspect_section(title, &camera_params, &def->cameras[i]);
  }
  for (int i = 0; i < def->expect_count; i++)
    printf("  expects %s\n", def->expects[i].text);
  for (int i = 0; i < def->files.count; i++)
    printf("  file %s, %zu bytes\n", def->files.files[i].name, def->files.files[i].size);
  scene_def_free(def);
  return EXIT_DONE;
}
