// The list of a scene's parameters that can be changed while it runs: values are set, restored, applied to the running
// scene, and written as overrides.
#include "scenes/run/edits_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/layer_kinds.h"
#include "ragdoll/character/character_layers.h"

// Tables whose changes act at once, each with the rows that do not. All other changes act with the next reset.
static const struct {
  const ParamTable *table;
  const char *at_reset[4];
} live_tables[] = {
    {&world_params, {"dt"}}, // everything in the running scene has been computed with it
    {&root_params, {NULL}},
    {&intent_params, {NULL}},
    {&drive_params, {"kinematic"}},
    {&assist_params, {"part"}}, // the motors of the assist are created once
    {&responses_params, {NULL}},
    {&hit_reaction_params, {NULL}},
    {&event_params, {"time", "from", "count"}}, // drawn or counted at the beginning
    {&balance_params, {"enabled"}},             // with balance the root's motion follows the body instead of leading
                                                // it, which needs another start
};

// Layers read their numbers in every step; names, however, are looked up once.
bool edits_is_of_layer(const ParamTable *table) {
  for (int i = 0; i < layer_kind_count; i++)
    if (layer_kinds[i]->params == table)
      return true;
  return table == &layer_params;
}

bool edits_is_live(const EditGroup *group, const Param *row) {
  if (edits_is_of_layer(group->table))
    return row->type != PARAM_TEXT;
  for (size_t i = 0; i < sizeof live_tables / sizeof live_tables[0]; i++) {
    if (live_tables[i].table != group->table)
      continue;
    for (int k = 0; k < 4 && live_tables[i].at_reset[k]; k++)
      if (strcmp(row->name, live_tables[i].at_reset[k]) == 0)
        return false;
    return true;
  }
  return false;
}

bool edits_is_offered(const EditGroup *group, const Param *row) {
  if (group->table != &event_params)
    return true;
  const EventDef *event = group->values;
  return strcmp(row->name, "character") != 0 && event_def_has(event, row->name);
}

// ---- The list of groups ----

static void add_group(Edits *edits, const char *path, const char *title, int character, const ParamTable *table,
                      void *values) {
  EditGroup *group = &edits->groups[edits->group_count++];
  *group = (EditGroup){.character = character, .table = table, .values = values};
  snprintf(group->path, sizeof group->path, "%s", path);
  snprintf(group->title, sizeof group->title, "%s", title);
}

// Two groups for each layer: the parameters of every layer, and those of its kind.
static int count_groups(const SceneDef *def) {
  int count = 1 + scene_section_count + def->character_count * character_section_count + def->event_count;
  for (int i = 0; i < def->character_count; i++)
    count += 2 * def->characters[i].layers.count;
  return count;
}

static void list_layers(Edits *edits, SceneDef *def, int character) {
  LayerListDef *layers = &def->characters[character].layers;
  const char *name = def->characters[character].name;
  char path[160], title[96];
  for (int i = 0; i < layers->count; i++) {
    LayerDef *layer = &layers->layers[i];
    snprintf(path, sizeof path, "characters.%s.layers.%d", name, i);
    snprintf(title, sizeof title, "%s: layer %s", name, layer->name);
    add_group(edits, path, title, character, &layer_params, &layer->blend);
    snprintf(title, sizeof title, "%s: %s", name, layer->name);
    add_group(edits, path, title, character, layer->kind->params, layer->values);
  }
}

static void list_groups(Edits *edits, SceneDef *def) {
  edits->def = def;
  edits->group_count = 0;
  add_group(edits, "", "run", -1, &run_params, &def->run);
  for (int i = 0; i < scene_section_count; i++) {
    const SceneSection *section = &scene_sections[i];
    add_group(edits, section->key, section->key, -1, section->table, (char *)def + section->offset);
  }
  char path[160], title[96];
  for (int c = 0; c < def->character_count; c++)
    for (int i = 0; i < character_section_count; i++) {
      const SceneSection *section = &character_sections[i];
      const char *name = def->characters[c].name;
      snprintf(path, sizeof path, "characters.%s.%s", name, section->key);
      snprintf(title, sizeof title, "%s: %s", name, section->key);
      add_group(edits, path, title, c, section->table, (char *)&def->characters[c] + section->offset);
    }
  for (int c = 0; c < def->character_count; c++)
    list_layers(edits, def, c);
  for (int i = 0; i < def->event_count; i++) {
    snprintf(path, sizeof path, "events.%d", i);
    snprintf(title, sizeof title, "event %d", i);
    add_group(edits, path, title, def->events[i].target, &event_params, &def->events[i]);
  }
}

int edits_group_count(const Edits *edits) { return edits->group_count; }
const EditGroup *edits_group(const Edits *edits, int group) { return &edits->groups[group]; }

static bool prepare(Edits *edits, SceneDef *def) {
  int count = count_groups(def);
  edits->groups = calloc((size_t)count, sizeof *edits->groups);
  edits->opened = calloc((size_t)count, sizeof *edits->opened);
  edits->events = calloc(EVENTS_MAX, sizeof *edits->events);
  if (!edits->groups || !edits->opened || !edits->events)
    return false;
  list_groups(edits, def);
  if (!edits_list_curves(edits))
    return false;
  int rows = edits->curve_count;
  for (int i = 0; i < count; i++) {
    const EditGroup *group = &edits->groups[i];
    rows += group->table->count;
    edits->opened[i] = malloc(group->table->size);
    if (!edits->opened[i])
      return false;
    memcpy(edits->opened[i], group->values, group->table->size);
  }
  edits->overrides = calloc((size_t)def->override_count + (size_t)rows + 1, sizeof *edits->overrides);
  for (int i = 0; edits->overrides && i < def->override_count; i++) {
    char *copy = strdup(def->overrides[i]);
    if (!copy)
      return false;
    edits->overrides[edits->override_count++] = copy;
  }
  edits->own_count = edits->override_count;
  return edits->overrides != NULL;
}

Edits *edits_create(SceneDef *def, Error *error) {
  Edits *edits = calloc(1, sizeof *edits);
  if (!edits || !prepare(edits, def)) {
    edits_destroy(edits);
    error_set(error, "%s: out of memory", def->path);
    return NULL;
  }
  return edits;
}

void edits_destroy(Edits *edits) {
  if (!edits)
    return;
  for (int i = 0; i < edits->group_count && edits->opened; i++)
    free(edits->opened[i]);
  for (int i = 0; i < edits->override_count; i++)
    free(edits->overrides[i]);
  for (int i = 0; i < edits->event_count; i++)
    free(edits->events[i]);
  free(edits->opened);
  free(edits->curves);
  free(edits->groups);
  free(edits->overrides);
  free(edits->events);
  free(edits);
}

SceneDef *edits_reread(const Edits *edits, const char *const *overrides, int count, Error *error) {
  const char **all = calloc((size_t)edits->override_count + (size_t)count + 1, sizeof *all);
  if (!all) {
    error_set(error, "%s: out of memory", edits->def->path);
    return NULL;
  }
  for (int i = 0; i < edits->override_count; i++)
    all[i] = edits->overrides[i];
  for (int i = 0; i < count; i++)
    all[edits->override_count + i] = overrides[i];
  SceneDef *def = scene_def_reread(edits->def, all, edits->override_count + count, error);
  free(all);
  return def;
}

bool edits_attach(Edits *edits, SceneDef *def, Error *error) {
  bool same = strcmp(def->source, edits->def->source) == 0 && count_groups(def) == edits->group_count;
  if (!same)
    return error_set(error, "%s: is another scene than the one that was edited", def->path);
  list_groups(edits, def);
  return true;
}

// ---- Changes ----

// "characters.runner.drive.strength=" and a text.
static char *make_override(const EditGroup *group, const Param *row, const char *text) {
  size_t size = strlen(group->path) + strlen(row->name) + strlen(text) + 3;
  char *override = malloc(size);
  if (override)
    snprintf(override, size, "%s%s%s=%s", group->path, group->path[0] != '\0' ? "." : "", row->name, text);
  return override;
}

// Index of the override for a row; the number of overrides when there is none.
static int find_override(const Edits *edits, const EditGroup *group, const Param *row) {
  char start[sizeof group->path + 128];
  snprintf(start, sizeof start, "%s%s%s=", group->path, group->path[0] != '\0' ? "." : "", row->name);
  int i = edits->own_count;
  while (i < edits->override_count && strncmp(edits->overrides[i], start, strlen(start)) != 0)
    i++;
  return i;
}

// Whether a row depends on other rows: values that a reset reads, and the part that an assist holds.
static bool needs_whole_scene(const EditGroup *group, const Param *row) {
  return !edits_is_live(group, row) || (group->table == &assist_params && strcmp(row->name, "enabled") == 0);
}

// Reads the row from the scene's source with all overrides into the description. Errors name the row's place among the
// overrides.
static bool read_row(Edits *edits, const EditGroup *group, const Param *row, Error *error) {
  SceneDef *def = edits->def;
  Document document;
  if (!document_parse(&document, def->path, def->source, error))
    return false;
  bool good = true;
  for (int i = 0; i < edits->override_count && good; i++)
    good = document_set(&document, edits->overrides[i], error);
  const Node *map = group->path[0] != '\0' ? node_path(document.root, group->path) : document.root;
  const Node *node = node_find(map, row->name);
  if (good && node) {
    Node named = *node;
    if (named.line == 0)
      named.file = group->path[0] != '\0' ? group->path : group->title;
    good = param_read_row(row, group->values, &named, error);
  }
  if (good && group->table == &event_params) {
    EventDef event;
    good = event_def_read(&event, map, def->characters, def->character_count, error);
  }
  document_free(&document);
  return good;
}

// Applies the present overrides to a row, which without any has the value with which the scene was opened. On failure
// the row keeps its value.
static bool take_row(Edits *edits, int group_index, const Param *row, Error *error) {
  const EditGroup *group = &edits->groups[group_index];
  char before[PARAM_TEXT_SIZE];
  memcpy(before, (const char *)group->values + row->offset, param_size(row));
  param_copy(row, group->values, edits->opened[group_index]);
  bool good = read_row(edits, group, row, error);
  if (good && needs_whole_scene(group, row)) {
    SceneDef *whole = edits_reread(edits, NULL, 0, error);
    good = whole != NULL;
    scene_def_free(whole);
  }
  if (!good)
    memcpy((char *)group->values + row->offset, before, param_size(row));
  return good;
}

// Moves an override from the list to the place behind its end.
char *edits_take_out(Edits *edits, int index) {
  char *override = edits->overrides[index];
  edits->override_count--;
  for (int i = index; i < edits->override_count; i++)
    edits->overrides[i] = edits->overrides[i + 1];
  edits->overrides[edits->override_count] = NULL;
  return override;
}

bool edits_set(Edits *edits, int group_index, const Param *row, const char *text, Error *error) {
  const EditGroup *group = &edits->groups[group_index];
  if (!edits_is_offered(group, row))
    return error_set(error, "%s: %s cannot be changed in the running scene", group->path, row->name);
  char *override = make_override(group, row, text);
  if (!override)
    return error_set(error, "%s: out of memory", edits->def->path);
  // The latest edit is put last, as if it had been given after the others on a command line.
  int index = find_override(edits, group, row);
  char *older = index < edits->override_count ? edits_take_out(edits, index) : NULL;
  edits->overrides[edits->override_count++] = override;
  if (!take_row(edits, group_index, row, error)) {
    free(override);
    edits->overrides[edits->override_count - 1] = older;
    edits->override_count -= !older;
    return false;
  }
  free(older);
  if (param_is_equal(row, group->values, edits->opened[group_index]))
    free(edits_take_out(edits, edits->override_count - 1));
  return true;
}

bool edits_revert(Edits *edits, int group_index, const Param *row, Error *error) {
  const EditGroup *group = &edits->groups[group_index];
  int index = find_override(edits, group, row);
  if (index == edits->override_count)
    return true;
  char *older = edits_take_out(edits, index);
  if (take_row(edits, group_index, row, error)) {
    free(older);
    return true;
  }
  edits->overrides[edits->override_count++] = older;
  return false;
}

bool edits_is_changed(const Edits *edits, int group, const Param *row) {
  return find_override(edits, &edits->groups[group], row) < edits->override_count;
}

int edits_overrides(const Edits *edits, const char *const **overrides) {
  *overrides = (const char *const *)edits->overrides;
  return edits->override_count;
}

int edits_change_count(const Edits *edits) { return edits->override_count - edits->own_count; }
const void *edits_opened(const Edits *edits, int group) { return edits->opened[group]; }

// Restores the whole description first, since checks may read several rows of it; then passes the changes on to the
// running scene.
bool edits_revert_all(Edits *edits, Scene *scene, Error *error) {
  bool good = true;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < edits->group_count; i++) {
      const EditGroup *group = &edits->groups[i];
      for (int k = 0; k < group->table->count; k++) {
        const Param *row = &group->table->rows[k];
        if (!edits_is_changed(edits, i, row))
          continue;
        if (pass == 0)
          param_copy(row, group->values, edits->opened[i]);
        else if (scene)
          good = scene_retune(scene, group, row, error) && good;
      }
    }
  good = edits_revert_curves(edits, scene, error) && good;
  while (edits->override_count > edits->own_count)
    free(edits_take_out(edits, edits->override_count - 1));
  return good;
}

// ---- Events ----

static const char APPEND[] = "events.+=";

int edits_event_count(const Edits *edits) { return edits->event_count; }
const char *edits_event(const Edits *edits, int index) { return edits->events[index] + sizeof APPEND - 1; }

void edits_remove_event(Edits *edits, int index) {
  free(edits->events[index]);
  edits->event_count--;
  for (int i = index; i < edits->event_count; i++)
    edits->events[i] = edits->events[i + 1];
}

bool edits_add_event(Edits *edits, const char *text, Error *error) {
  const SceneDef *def = edits->def;
  if (def->event_count + edits->event_count >= EVENTS_MAX)
    return error_set(error, "%s: %d events, allowed are up to %d", def->path, EVENTS_MAX + 1, EVENTS_MAX);
  Document document;
  if (!document_parse(&document, "event", text, error))
    return false;
  EventDef event;
  bool good = event_def_read(&event, document.root, def->characters, def->character_count, error);
  document_free(&document);
  size_t size = sizeof APPEND + strlen(text);
  char *assignment = good ? malloc(size) : NULL;
  if (!assignment)
    return error_set(error, "%s: out of memory", def->path); // keeps an earlier error
  snprintf(assignment, size, "%s%s", APPEND, text);
  edits->events[edits->event_count++] = assignment;
  return true;
}

// ---- The running scene ----

bool scene_retune(Scene *scene, const EditGroup *group, const Param *row, Error *error) {
  if (!edits_is_live(group, row))
    return true;
  if (group->table == &world_params) {
    world_retune(scene->world, &scene->def->world);
  } else if (group->table == &intent_params) {
    Character *character = scene->characters[group->character];
    param_copy(row, &character->intent, &character->def->intent);
  } else if (edits_is_of_layer(group->table)) { // layers read their numbers by themselves, except for the fade
    character_layers_want(scene->characters[group->character]);
  } else if (group->table != &event_params) { // rows of an event are read when it begins
    return character_retune(scene->characters[group->character], error);
  }
  return true;
}
