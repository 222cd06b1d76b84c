// stagger inspect --keys: prints each key that --set takes in a scene, with its present value.
#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/description/scene_def.h"

enum { PATH_SIZE = 256 };

// path: of the section that the row belongs to; "" at the top level.
static void print_key(const char *path, const Param *row, const void *values) {
  char value[INSPECT_VALUE_SIZE], range[INSPECT_VALUE_SIZE];
  inspect_value(row, values, value, sizeof value);
  inspect_range(row, range, sizeof range);
  const bool has_unit = inspect_has_unit(row);
  printf("%s%s%s=%s  # %s%s%s: %s\n", path, path[0] != '\0' ? "." : "", row->name, value, range, has_unit ? " " : "",
         has_unit ? row->unit : "", row->doc);
}

static void print_section(const char *path, const ParamTable *table, const void *values) {
  for (int i = 0; i < table->count; i++)
    print_key(path, &table->rows[i], values);
}

// An event has keys of its kind only.
static void print_events(const SceneDef *def) {
  for (int i = 0; i < def->event_count; i++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "events.%d", i);
    for (int k = 0; k < event_params.count; k++)
      if (event_def_has(&def->events[i], event_params.rows[k].name))
        print_key(path, &event_params.rows[k], &def->events[i]);
  }
}

static void print_layers(const CharacterDef *character) {
  for (int i = 0; i < character->layers.count; i++) {
    const LayerDef *layer = &character->layers.layers[i];
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "characters.%s.layers.%d", character->name, i);
    print_section(path, &layer_params, &layer->blend);
    print_section(path, layer->kind->params, layer->values);
  }
}

static void print_character(const CharacterDef *character) {
  for (int i = 0; i < character_section_count; i++) {
    const SceneSection *section = &character_sections[i];
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "characters.%s.%s", character->name, section->key);
    print_section(path, section->table, (const char *)character + section->offset);
  }
  print_layers(character);
}

// Items of a list of the scene, which are told by their place in it.
static void print_items(const char *list, const ParamTable *table, const void *items, size_t size, int count) {
  for (int i = 0; i < count; i++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.%d", list, i);
    print_section(path, table, (const char *)items + (size_t)i * size);
  }
}

int inspect_keys(const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  if (!def)
    return cli_error(&error);
  print_section("", &run_params, &def->run);
  for (int i = 0; i < scene_section_count; i++)
    print_section(scene_sections[i].key, scene_sections[i].table, (const char *)def + scene_sections[i].offset);
  for (int i = 0; i < def->character_count; i++)
    print_character(&def->characters[i]);
  print_events(def);
  print_items("props", &prop_params, def->props, sizeof *def->props, def->prop_count);
  print_items("platforms", &platform_params, def->platforms, sizeof *def->platforms, def->platform_count);
  print_items("ropes", &rope_params, def->ropes, sizeof *def->ropes, def->rope_count);
  print_items("targets", &target_params, def->targets, sizeof *def->targets, def->target_count);
  print_items("cameras", &camera_params, def->cameras, sizeof *def->cameras, def->camera_count);
  scene_def_free(def);
  return EXIT_DONE;
}
