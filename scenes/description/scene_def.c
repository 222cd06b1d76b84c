// Reads a whole scene: finds the file, applies overrides, reads all sections and lists, and makes the checks that
// involve several of them.
#include "scenes/description/scene_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/description/scene_assets.h"
#include "scenes/description/scene_character.h"
#include "sim/base/numbers.h"
#include "sim/base/state.h"

PARAM_TABLE(run_params, RunDef, RUN_PARAMS, "", "The run as a whole, at the top level of a scene file.")
PARAM_TABLE(record_params, RecordDef, RECORD_PARAMS, "trace", "What is recorded.")
PARAM_TABLE(protocol_params, ProtocolDef, PROTOCOL_PARAMS, "protocol", "An experiment that the scene copies.")

const SceneSection scene_sections[] = {
    {"world", &world_params, offsetof(SceneDef, world)},
    {"terrain", &terrain_params, offsetof(SceneDef, terrain)},
    {"trace", &record_params, offsetof(SceneDef, record)},
    {"protocol", &protocol_params, offsetof(SceneDef, protocol)},
};
const int scene_section_count = (int)(sizeof scene_sections / sizeof scene_sections[0]);

static const char *const scene_keys[] = {"world",   "terrain",   "trace", "protocol", "characters", "events", "cameras",
                                         "targets", "platforms", "props", "ropes",    "expect",     NULL};

// Whether to continue after an error: yes if errors are collected in a list.
static bool may_go_on(bool good, Error *error) { return good || error_next(error); }

// ---- Characters ----

static bool read_characters(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "characters");
  if (!list)
    return node_error(root, error, "'characters' is missing: a list with at least one character");
  if (!scene_expect_kind(list, NODE_LIST, "characters", error))
    return false;
  if (list->count == 0 || list->count > SCENE_MAX_CHARACTERS)
    return node_error(list, error, "%d characters, allowed are 1 to %d", list->count, SCENE_MAX_CHARACTERS);
  def->characters = calloc((size_t)list->count, sizeof *def->characters);
  if (!def->characters)
    return error_set(error, "%s: out of memory for %d characters", def->path, list->count);
  bool good = true;
  for (const Node *item = list->first; item; item = item->next) {
    CharacterDef *character = &def->characters[def->character_count];
    if (scene_character_read(def, character, item, error)) {
      def->character_count++;
      continue;
    }
    layer_list_free(&character->layers);
    *character = (CharacterDef){0};
    good = false;
    if (!error_next(error))
      return false;
  }
  return good;
}

// ---- Terrain, events, cameras, expectations, times ----

// The image or level is read here so that an error can name its place in the file.
static bool read_terrain_file(SceneDef *def, const Node *root, Error *error) {
  const Node *terrain = node_find(root, "terrain"), *image = node_find(terrain, "image");
  const Node *level = node_find(terrain, "file");
  if (def->terrain.kind == TERRAIN_IMAGE)
    return image ? scene_file(def, image, error) != NULL
                 : node_error(terrain, error, "'image' is missing: a terrain of kind image needs a PNG file");
  if (def->terrain.kind == TERRAIN_MESH)
    return level ? scene_file(def, level, error) != NULL
                 : node_error(terrain, error, "'file' is missing: a terrain of kind mesh needs a .glb or .obj file");
  return true;
}

static bool read_event(SceneDef *def, const Node *map, Error *error) {
  return event_def_read(&def->events[def->event_count], map, def->characters, def->character_count, error);
}

static bool read_camera(SceneDef *def, const Node *map, Error *error) {
  return camera_def_read(def->cameras, def->camera_count, map, def->characters, def->character_count, error);
}

static bool read_target(SceneDef *def, const Node *map, Error *error) {
  return target_def_read(def->targets, def->target_count, map, error);
}

static bool read_platform(SceneDef *def, const Node *map, Error *error) {
  return platform_def_read(def->platforms, def->platform_count, map, error);
}

static bool read_prop(SceneDef *def, const Node *map, Error *error) {
  PropDef *prop = &def->props[def->prop_count];
  if (!prop_def_read(def->props, def->prop_count, map, def->platforms, def->platform_count, error))
    return false;
  double speed = length3(prop->velocity);
  return speed <= def->world.max_speed ||
         node_error(node_find(map, "velocity"), error, "%g m/s is more than world.max_speed, %g m/s", speed,
                    def->world.max_speed);
}

static bool read_rope(SceneDef *def, const Node *map, Error *error) {
  return rope_def_read(&def->ropes[def->rope_count], map, def->platforms, def->platform_count, def->props,
                       def->prop_count, error);
}

static bool read_expect(SceneDef *def, const Node *node, Error *error) {
  return expect_read(&def->expects[def->expect_count], node, def->characters, def->character_count, error);
}

// The lists of a scene in the order of reading: characters refer to targets, and the other lists to characters.
typedef struct ListOf {
  const char *key;
  size_t count; // offset of an int in SceneDef
  int most;
  bool (*read)(SceneDef *def, const Node *item, Error *error); // reads the item as the list's last one
  const char *texts;                                           // what items are that need not be maps
} ListOf;

static const ListOf lists_before[] = {
    {"targets", offsetof(SceneDef, target_count), SCENE_MAX_TARGETS, read_target, NULL},
    {"platforms", offsetof(SceneDef, platform_count), SCENE_MAX_PLATFORMS, read_platform, NULL},
    {"props", offsetof(SceneDef, prop_count), SCENE_MAX_PROPS, read_prop, NULL},
    {"ropes", offsetof(SceneDef, rope_count), SCENE_MAX_ROPES, read_rope, NULL},
};
static const ListOf lists_after[] = {
    {"events", offsetof(SceneDef, event_count), EVENTS_MAX, read_event, NULL},
    {"cameras", offsetof(SceneDef, camera_count), SCENE_MAX_CAMERAS, read_camera, NULL},
    {"expect", offsetof(SceneDef, expect_count), SCENE_MAX_EXPECTS, read_expect, "expectations"},
};

static bool read_list(SceneDef *def, const Node *root, const ListOf *list, Error *error) {
  const Node *node = node_find(root, list->key);
  int *count = (int *)((char *)def + list->count);
  if (!node)
    return true;
  if (!scene_expect_kind(node, NODE_LIST, list->key, error))
    return false;
  if (node->count > list->most)
    return node_error(node, error, "%d %s, allowed are up to %d", node->count, list->texts ? list->texts : list->key,
                      list->most);
  bool good = true;
  for (const Node *item = node->first; item; item = item->next) {
    if ((list->texts || scene_expect_kind(item, NODE_MAP, list->key, error)) && list->read(def, item, error)) {
      ++*count;
      continue;
    }
    good = false;
    if (!error_next(error))
      return false;
  }
  return good;
}

static bool read_lists(SceneDef *def, const Node *root, const ListOf *lists, size_t count, Error *error) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    good = read_list(def, root, &lists[i], error) && good;
    if (!may_go_on(good, error))
      return false;
  }
  return good;
}

// Called after the characters have been read, since targets may follow them.
static bool resolve_targets(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "targets");
  for (int i = 0; i < def->target_count; i++)
    if (!target_def_resolve(&def->targets[i], node_at(list, i), def->characters, def->character_count, error))
      return false;
  return true;
}

// The interval of frames is a whole number of steps, the nearest to the wanted rate; the run has at least one step.
static bool check_times(SceneDef *def, const Node *root, Error *error) {
  double dt = def->world.dt, steps = 1 / (def->record.rate * dt);
  const Node *rate = node_find(node_find(root, "trace"), "rate");
  if (rate && steps < 1 - 1e-5)
    return node_error(rate, error, "trace.rate: %g Hz is faster than the steps of %g s; largest is %.9g",
                      def->record.rate, dt, 1 / dt);
  def->steps_per_frame = (int)fmax(1, round(steps));
  def->step_count = (long)fmax(1, round(def->run.duration / dt));
  double frames = round(def->record.states / (dt * def->steps_per_frame));
  def->steps_per_state = def->record.states > 0 ? (long)fmax(1, frames) * def->steps_per_frame : 0;
  return true;
}

// Recognises other kinds of our files by a key that all of them have, for a clearer error.
static bool refuse_other_files(const Node *root, Error *error) {
  static const char inspect[] = "'stagger inspect' reads it", check[] = "a scene that plays it checks it";
  static const char *const files[][3] = {{"parts", "a body", inspect},
                                         {"joints", "a clip", inspect},
                                         {"import", "a clip", inspect},
                                         {"network", "a skill", inspect},
                                         {"axes", "a study", "'stagger sweep' runs its trials"},
                                         {"output", "a graph", check},
                                         {"fuzzy", "a planner", check},
                                         {"policy", "a policy", check}};
  for (size_t i = 0; i < sizeof files / sizeof files[0] && !node_find(root, "characters"); i++) {
    const Node *node = node_find(root, files[i][0]);
    if (node)
      return node_key_error(node, error, "this is %s, not a scene, which has 'characters': %s", files[i][1],
                            files[i][2]);
  }
  return true;
}

static bool read_tables(SceneDef *def, const Node *root, Error *error) {
  param_defaults(&run_params, &def->run);
  bool good = param_read(&run_params, &def->run, root, scene_keys, error);
  for (int i = 0; i < scene_section_count && may_go_on(good, error); i++) {
    param_defaults(scene_sections[i].table, (char *)def + scene_sections[i].offset);
    good = scene_read_section(&scene_sections[i], (char *)def, root, NULL, error) && good;
  }
  return good && check_times(def, root, error) && read_terrain_file(def, root, error);
}

static bool read_scene(SceneDef *def, const Node *root, Error *error) {
  if (!refuse_other_files(root, error))
    return false;
  const size_t before = sizeof lists_before / sizeof lists_before[0];
  const size_t after = sizeof lists_after / sizeof lists_after[0];
  bool good = read_tables(def, root, error);
  if (!may_go_on(good, error))
    return false;
  good = read_lists(def, root, lists_before, before, error) && good;
  if (!may_go_on(good, error))
    return false;
  good = read_characters(def, root, error) && good;
  if (!may_go_on(good, error))
    return false;
  // After errors, references to characters or targets are not checked, since those may be the ones that could not be
  // read.
  return good && resolve_targets(def, root, error) && read_lists(def, root, lists_after, after, error);
}

// "scenes/hit_run.yaml" -> "hit_run"
static void name_scene(SceneDef *def, const char *path) {
  const char *slash = strrchr(path, '/');
  snprintf(def->path, sizeof def->path, "%s", path);
  snprintf(def->name, sizeof def->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(def->name, '.');
  if (dot && dot != def->name)
    *dot = '\0';
}

static bool keep_source(SceneDef *def, const char *text, const char *const *overrides, int count) {
  def->source = strdup(text);
  def->overrides = calloc((size_t)count + 1, sizeof *def->overrides);
  bool good = def->source && def->overrides;
  for (; good && overrides && def->override_count < count; def->override_count++) {
    def->overrides[def->override_count] = strdup(overrides[def->override_count]);
    good = def->overrides[def->override_count] != NULL;
  }
  return good;
}

// ---- The hash of a description, by which a saved state identifies scenes that it fits ----

// Keys that do not affect the simulation; they may differ when a state is restored.
static const char *const said_keys[] = {"duration", "purpose", "trace", "expect", "cameras", NULL};

static uint64_t text_hash(const char *text) { return text ? state_checksum(text, strlen(text)) : 0; }

static uint64_t node_hash(const Node *node) {
  uint64_t hash = (uint64_t)node->kind + text_hash(node->text);
  for (const Node *child = node->first; child; child = child->next)
    hash = (hash ^ text_hash(child->key) ^ node_hash(child)) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
  return hash;
}

static bool is_said(const char *key) {
  for (int i = 0; said_keys[i]; i++)
    if (strcmp(key, said_keys[i]) == 0)
      return true;
  return false;
}

// The hash does not depend on the order of keys and files.
static uint64_t scene_hash(const SceneDef *def, const Node *root) {
  uint64_t hash = 0;
  for (const Node *child = root->first; child; child = child->next)
    if (!is_said(child->key))
      hash += (text_hash(child->key) ^ (node_hash(child) >> 1)) * UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; i < def->files.count; i++) {
    const File *file = &def->files.files[i];
    hash += (text_hash(file->name) ^ (state_checksum(file->bytes, file->size) >> 1)) * UINT64_C(0xD6E8FEB86659FD93);
  }
  return hash;
}

// lender: a description whose assets are borrowed; may be NULL.
static SceneDef *read_text(const char *path, const char *text, FileSet *files, const SceneDef *lender,
                           const char *const *overrides, int override_count, Error *error) {
  SceneDef *def = calloc(1, sizeof *def);
  if (!def) {
    files_free(files);
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  def->files = *files;
  *files = (FileSet){0};
  name_scene(def, path);
  if (lender) {
    memcpy(def->assets, lender->assets, sizeof def->assets);
    def->asset_count = def->borrowed_assets = lender->asset_count;
  }

  Document document;
  if (!document_parse(&document, path, text, error)) {
    scene_def_free(def);
    return NULL;
  }
  bool good = true;
  for (int i = 0; i < override_count && good; i++)
    good = document_set(&document, overrides[i], error);
  good = good && read_scene(def, document.root, error);
  if (good) {
    def->hash = scene_hash(def, document.root);
    def->text = document_write(&document);
    good =
        (def->text && keep_source(def, text, overrides, override_count)) || error_set(error, "%s: out of memory", path);
  }
  document_free(&document);
  if (!good) {
    scene_def_free(def);
    return NULL;
  }
  return def;
}

SceneDef *scene_def_from_text(const char *path, const char *text, FileSet *files, const char *const *overrides,
                              int override_count, Error *error) {
  return read_text(path, text, files, NULL, overrides, override_count, error);
}

// The error for a scene that does not exist, with a similar name.
static void missing_scene(const char *path, const char *cause, Error *error) {
  const char *const folders[] = {"", files_scenes_folder()};
  char close[1024];
  const bool found = lookup_file(path, folders, 2, true, close, sizeof close);
  error_set(error, "%s%s%s%s", cause, found ? "; did you mean '" : "", found ? close : "", found ? "'?" : "");
}

const File *scene_find(FileSet *found, const char *path, Error *error) {
  Error cause = {0};
  const File *file = files_read(found, path, &cause);
  char full[1024];
  Error of_full = {0};
  if (!file && path[0] != '\0' && snprintf(full, sizeof full, "%s.yaml", path) < (int)sizeof full)
    file = files_read(found, full, &of_full);
  if (!file && strstr(of_full.text, ": cannot be read: ")) // the file exists
    error_set(error, "%s", of_full.text);
  else if (!file && error)
    missing_scene(path, cause.text, error);
  else if (file && strlen(file->path) >= sizeof((SceneDef *)NULL)->path) {
    error_set(error, "%.60s...: the path is %zu bytes long, at most %zu are allowed", file->path, strlen(file->path),
              sizeof((SceneDef *)NULL)->path - 1);
    return NULL;
  }
  return file;
}

bool scene_folder(const char *path, char *folder, size_t size) {
  const char *slash = files_is_stream(path) ? NULL : strrchr(path, '/');
  int length = !slash ? 0 : slash == path ? 1 : (int)(slash - path);
  return snprintf(folder, size, "%.*s", length, path) < (int)size;
}

SceneDef *scene_def_read(const char *path, const char *const *overrides, int override_count, Error *error) {
  FileSet found = {0}, files = {0};
  const File *file = scene_find(&found, path, error);
  if (!file) {
    files_free(&found);
    return NULL;
  }
  scene_folder(file->path, files.folder, sizeof files.folder);
  SceneDef *def = document_is_text(file->name, file, error)
                      ? scene_def_from_text(file->name, file->bytes, &files, overrides, override_count, error)
                      : NULL;
  files_free(&found);
  return def;
}

static SceneDef *read_again(const SceneDef *def, const SceneDef *lender, const char *const *overrides,
                            int override_count, Error *error) {
  FileSet files;
  if (!files_copy(&files, &def->files)) {
    error_set(error, "%s: out of memory", def->path);
    return NULL;
  }
  return read_text(def->path, def->source, &files, lender, overrides, override_count, error);
}

SceneDef *scene_def_reread(const SceneDef *def, const char *const *overrides, int override_count, Error *error) {
  return read_again(def, NULL, overrides, override_count, error);
}

SceneDef *scene_def_variant(const SceneDef *def, const char *const *overrides, int override_count, Error *error) {
  return read_again(def, def, overrides, override_count, error);
}

SceneDef *scene_def_from_trace(TraceReader *reader, Error *error) {
  return scene_def_from_trace_with(reader, NULL, 0, error);
}

SceneDef *scene_def_from_trace_with(TraceReader *reader, const char *const *overrides, int override_count,
                                    Error *error) {
  FileSet files = {0};
  if (!trace_files(reader, &files, error)) {
    files_free(&files);
    return NULL;
  }
  const char *name = trace_text(reader, "scene_name");
  char path[512];
  snprintf(path, sizeof path, "%s", name[0] != '\0' ? name : "scene");
  char *text = strdup(trace_text(reader, "scene"));
  if (!text) {
    files_free(&files);
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  SceneDef *def = scene_def_from_text(path, text, &files, overrides, override_count, error);
  free(text);
  return def;
}

void scene_def_free(SceneDef *def) {
  if (!def)
    return;
  while (def->asset_count > def->borrowed_assets)
    scene_asset_free(&def->assets[--def->asset_count]);
  for (int i = 0; i < def->character_count; i++)
    layer_list_free(&def->characters[i].layers);
  free(def->characters);
  files_free(&def->files);
  for (int i = 0; i < def->override_count; i++)
    free(def->overrides[i]);
  free(def->overrides);
  free(def->source);
  free(def->text);
  free(def);
}
