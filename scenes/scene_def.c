#include "scenes/scene_def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hit_reaction_read.h"
#include "scenes/lookup.h"
#include "scenes/scene_assets.h"
#include "sim/numbers.h"

PARAM_TABLE(run_params, RunDef, RUN_PARAMS, "", "The run as a whole, at the top level of a scene file.")
PARAM_TABLE(record_params, RecordDef, RECORD_PARAMS, "trace", "What is recorded.")

const SceneSection scene_sections[] = {
    {"world", &world_params, offsetof(SceneDef, world)},
    {"terrain", &terrain_params, offsetof(SceneDef, terrain)},
    {"trace", &record_params, offsetof(SceneDef, record)},
};
const int scene_section_count = (int)(sizeof scene_sections / sizeof scene_sections[0]);

// hit_reaction has keys beside its table: hit_reaction_read.
const SceneSection character_sections[] = {
    {"start", &start_params, offsetof(CharacterDef, start)},
    {"root", &root_params, offsetof(CharacterDef, root)},
    {"intent", &intent_params, offsetof(CharacterDef, intent)},
    {"drive", &drive_params, offsetof(CharacterDef, drive)},
    {"assist", &assist_params, offsetof(CharacterDef, assist)},
    {"balance", &balance_params, offsetof(CharacterDef, balance)},
    {"fall", &fall_params, offsetof(CharacterDef, fall)},
    {"hit_reaction", &hit_reaction_params, offsetof(CharacterDef, hit_reaction)},
};
const int character_section_count = (int)(sizeof character_sections / sizeof character_sections[0]);

static const char *const scene_keys[] = {"world",   "terrain",   "trace", "characters", "events", "cameras",
                                         "targets", "platforms", "props", "expect",     NULL};
static const char *const character_keys[] = {"name",  "body",   "start",   "root", "animation",    "intent", "script",
                                             "drive", "assist", "balance", "fall", "hit_reaction", "layers", NULL};
static const char *const animation_keys[] = {"graph", "parameters", "move", "stagger", NULL};
static const char *const fall_keys[] = {"prone", "supine", NULL};
static const char *const stagger_keys[] = {"left", "forward", "right", "backward", NULL};

static bool expect_kind(const Node *node, NodeKind kind, const char *what, Error *error) {
  static const char *const kinds[] = {"a value", "a list", "a map of keys and values"};
  return node->kind == kind || node_error(node, error, "'%s' must be %s", what, kinds[kind]);
}

// Sections by table: defaults, then what the map says.
static bool read_section(const SceneSection *section, char *values, const Node *map, const char *const *other_keys,
                         Error *error) {
  const Node *node = node_find(map, section->key);
  return node == NULL || (expect_kind(node, NODE_MAP, section->key, error) &&
                          param_read(section->table, values + section->offset, node, other_keys, error));
}

// Characters.

static bool check_name(const SceneDef *def, const char *name, const Node *node, Error *error) {
  if (!node_check_name(node, name, error))
    return false;
  for (int i = 0; i < def->character_count; i++)
    if (strcmp(def->characters[i].name, name) == 0)
      return node_error(node, error, "there is a character '%s' already", name);
  return true;
}

static bool read_clip(SceneDef *def, const Node *map, const char *key, const Skeleton *skeleton, const Clip **clip,
                      Error *error) {
  const Node *node = node_find(map, key);
  if (node == NULL)
    return true;
  *clip = scene_clip(def, node, skeleton, error);
  return *clip != NULL;
}

// Values of a graph's parameters; the others begin at the graph's own defaults.
static bool read_parameters(CharacterDef *character, const Node *map, Error *error) {
  int count = character->graph != NULL ? graph_parameter_count(character->graph) : 0;
  for (int i = 0; i < count; i++)
    character->graph_values[i] = graph_parameter_default(character->graph, i);
  if (map == NULL)
    return true;
  if (character->graph == NULL)
    return node_key_error(map, error, "'parameters' belong to a 'graph'");
  if (!expect_kind(map, NODE_MAP, "parameters", error))
    return false;
  const char *names[GRAPH_MAX_PARAMETERS + 1] = {NULL};
  for (int i = 0; i < count; i++)
    names[i] = graph_parameter_name(character->graph, i);
  if (!node_check_keys(map, names, error))
    return false;
  for (const Node *item = map->first; item != NULL; item = item->next) {
    int parameter = graph_parameter(character->graph, item->key);
    double value, range[2];
    if (!node_real(item, &value, error))
      return false;
    graph_parameter_range(character->graph, parameter, range);
    if (value < range[0] || value > range[1])
      return node_error(item, error, "%g is out of range, allowed is %g to %g", value, range[0], range[1]);
    character->graph_values[parameter] = value;
  }
  return true;
}

static bool read_animation(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  if (map == NULL)
    return true;
  if (!expect_kind(map, NODE_MAP, "animation", error) || !node_check_keys(map, animation_keys, error))
    return false;
  const Skeleton *skeleton = &character->body->skeleton;
  const Node *graph = node_find(map, "graph"), *move = node_find(map, "move");
  if (graph != NULL && move != NULL)
    return node_key_error(graph, error, "either 'graph' or 'move' plays, not both");
  if (graph != NULL)
    character->graph = scene_graph(def, graph, skeleton, error);
  if (graph != NULL && character->graph == NULL)
    return false;
  if (!read_parameters(character, node_find(map, "parameters"), error) ||
      !read_clip(def, map, "move", skeleton, &character->move, error))
    return false;
  const Node *stagger = node_find(map, "stagger");
  if (stagger == NULL)
    return true;
  if (!expect_kind(stagger, NODE_MAP, "stagger", error) || !node_check_keys(stagger, stagger_keys, error))
    return false;
  if (character->move == NULL)
    return node_error(stagger, error, "'stagger' varies 'move', which is missing");
  for (int i = 0; i < STAGGER_COUNT; i++)
    if (!read_clip(def, stagger, stagger_keys[i], skeleton, &character->stagger[i], error))
      return false;
  return true;
}

// The clips by which it gets up.
static bool read_fall(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  const Node *fall = node_find(map, "fall");
  for (int i = 0; i < GET_UP_COUNT; i++)
    if (!read_clip(def, fall, fall_keys[i], &character->body->skeleton, &character->get_up[i], error))
      return false;
  return !character->get_up[GET_UP_PRONE] == !character->get_up[GET_UP_SUPINE] ||
         node_error(fall, error, "'prone' and 'supine' go together: it may come to lie on its face or on its back");
}

// A body without the default part is fine as long as nothing asks for it.
static bool check_assist(const CharacterDef *character, const Node *map, Error *error) {
  const Node *section = node_find(map, "assist"), *part = node_find(section, "part");
  if (!character->assist.enabled && part == NULL)
    return true;
  return lookup_part(character->assist.part, character->body, part != NULL ? part : section, error) >= 0;
}

// The layers that a script fades.
static bool check_fades(const CharacterDef *character, const Node *script, Error *error) {
  const LayerListDef *layers = &character->layers;
  const char *names[LAYERS_MAX + 1] = {NULL};
  for (int i = 0; i < layers->count; i++)
    names[i] = layers->layers[i].name;
  for (const Node *step = script != NULL ? script->first : NULL; step != NULL; step = step->next) {
    const Node *fades = node_find(step, "layers");
    if (fades != NULL && !node_check_keys(fades, names, error))
      return false;
  }
  return true;
}

// The joints whose tone a script changes.
static bool check_tones(const CharacterDef *character, const Node *script, Error *error) {
  for (const Node *step = script != NULL ? script->first : NULL; step != NULL; step = step->next) {
    const Node *tones = node_find(step, "tones");
    for (const Node *item = tones != NULL ? tones->first : NULL; item != NULL; item = item->next)
      if (strcmp(item->key, INTENT_WHOLE_BODY) != 0 && lookup_part(item->key, character->body, item, error) < 0)
        return false;
  }
  return true;
}

static bool read_layers(const SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  const Node *list = node_find(map, "layers");
  return layer_list_read(&character->layers, list, &character->body->skeleton, error) &&
         target_def_find(&character->layers, list, def->targets, def->target_count, error) &&
         check_fades(character, node_find(map, "script"), error);
}

static bool read_character(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  if (!expect_kind(map, NODE_MAP, "characters", error) || !node_check_keys(map, character_keys, error))
    return false;
  const Node *name = node_find(map, "name"), *body = node_find(map, "body");
  if (name == NULL || body == NULL)
    return node_error(map, error, "a character needs a '%s'", name == NULL ? "name" : "body");
  if (!node_text(name, character->name, sizeof character->name, error) ||
      !check_name(def, character->name, name, error))
    return false;
  character->body = scene_body(def, body, error);
  if (character->body == NULL)
    return false;

  character->hit_reaction = hit_reaction_def_default();
  for (int i = 0; i < character_section_count; i++) {
    const SceneSection *section = &character_sections[i];
    param_defaults(section->table, (char *)character + section->offset);
    const char *const *more = section->table == &hit_reaction_params ? hit_reaction_keys
                              : section->table == &fall_params       ? fall_keys
                                                                     : NULL;
    if (!read_section(section, (char *)character, map, more, error))
      return false;
  }
  return intent_script_read(&character->script, node_find(map, "script"), error) &&
         hit_reaction_read(&character->hit_reaction, node_find(map, "hit_reaction"), character->body, error) &&
         read_fall(def, character, map, error) && check_tones(character, node_find(map, "script"), error) &&
         check_assist(character, map, error) && read_animation(def, character, node_find(map, "animation"), error) &&
         read_layers(def, character, map, error);
}

static bool read_characters(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "characters");
  if (list == NULL)
    return node_error(root, error, "'characters' is missing: a list with at least one character");
  if (!expect_kind(list, NODE_LIST, "characters", error))
    return false;
  if (list->count == 0 || list->count > SCENE_MAX_CHARACTERS)
    return node_error(list, error, "%d characters, allowed are 1 to %d", list->count, SCENE_MAX_CHARACTERS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!read_character(def, &def->characters[def->character_count], item, error))
      return false;
    def->character_count++;
  }
  return true;
}

// Terrain, events, cameras, expectations, times.

// An image is read now, so that an error names its place.
static bool read_image(SceneDef *def, const Node *root, Error *error) {
  const Node *terrain = node_find(root, "terrain"), *image = node_find(terrain, "image");
  if (def->terrain.kind != TERRAIN_IMAGE)
    return true;
  return image != NULL ? scene_file(def, image, error) != NULL
                       : node_error(terrain, error, "'image' is missing: a terrain of kind image needs a PNG file");
}

static bool read_events(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "events");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "events", error))
    return false;
  if (list->count > EVENTS_MAX)
    return node_error(list, error, "%d events, allowed are up to %d", list->count, EVENTS_MAX);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_kind(item, NODE_MAP, "events", error) ||
        !event_def_read(&def->events[def->event_count], item, def->characters, def->character_count, error))
      return false;
    def->event_count++;
  }
  return true;
}

static bool read_cameras(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "cameras");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "cameras", error))
    return false;
  if (list->count > SCENE_MAX_CAMERAS)
    return node_error(list, error, "%d cameras, allowed are up to %d", list->count, SCENE_MAX_CAMERAS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_kind(item, NODE_MAP, "cameras", error) ||
        !camera_def_read(def->cameras, def->camera_count, item, def->characters, def->character_count, error))
      return false;
    def->camera_count++;
  }
  return true;
}

// Before the characters, whose layers name them.
static bool read_targets(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "targets");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "targets", error))
    return false;
  if (list->count > SCENE_MAX_TARGETS)
    return node_error(list, error, "%d targets, allowed are up to %d", list->count, SCENE_MAX_TARGETS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_kind(item, NODE_MAP, "targets", error) ||
        !target_def_read(def->targets, def->target_count, item, error))
      return false;
    def->target_count++;
  }
  return true;
}

static bool read_platforms(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "platforms");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "platforms", error))
    return false;
  if (list->count > SCENE_MAX_PLATFORMS)
    return node_error(list, error, "%d platforms, allowed are up to %d", list->count, SCENE_MAX_PLATFORMS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_kind(item, NODE_MAP, "platforms", error) ||
        !platform_def_read(def->platforms, def->platform_count, item, error))
      return false;
    def->platform_count++;
  }
  return true;
}

static bool read_props(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "props");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "props", error))
    return false;
  if (list->count > SCENE_MAX_PROPS)
    return node_error(list, error, "%d props, allowed are up to %d", list->count, SCENE_MAX_PROPS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_kind(item, NODE_MAP, "props", error) ||
        !prop_def_read(def->props, def->prop_count, item, def->platforms, def->platform_count, error))
      return false;
    double speed = length3(def->props[def->prop_count].velocity);
    if (speed > def->world.max_speed)
      return node_error(node_find(item, "velocity"), error, "%g m/s is more than world.max_speed, %g m/s", speed,
                        def->world.max_speed);
    def->prop_count++;
  }
  return true;
}

// After the characters, since targets may follow them.
static bool resolve_targets(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "targets");
  for (int i = 0; i < def->target_count; i++)
    if (!target_def_resolve(&def->targets[i], node_at(list, i), def->characters, def->character_count, error))
      return false;
  return true;
}

static bool read_expects(SceneDef *def, const Node *root, Error *error) {
  const Node *list = node_find(root, "expect");
  if (list == NULL)
    return true;
  if (!expect_kind(list, NODE_LIST, "expect", error))
    return false;
  if (list->count > SCENE_MAX_EXPECTS)
    return node_error(list, error, "%d expectations, allowed are up to %d", list->count, SCENE_MAX_EXPECTS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    if (!expect_read(&def->expects[def->expect_count], item, def->characters, def->character_count, error))
      return false;
    def->expect_count++;
  }
  return true;
}

// Frames fall on whole steps, as near to the wanted rate as that allows; the run is at least one step long.
static bool check_times(SceneDef *def, const Node *root, Error *error) {
  double dt = def->world.dt, steps = 1 / (def->record.rate * dt);
  const Node *rate = node_find(node_find(root, "trace"), "rate");
  if (rate != NULL && steps < 1 - 1e-5)
    return node_error(rate, error, "trace.rate: %g Hz is faster than the steps of %g s; largest is %.9g",
                      def->record.rate, dt, 1 / dt);
  def->steps_per_frame = (int)fmax(1, round(steps));
  def->step_count = (long)fmax(1, round(def->run.duration / dt));
  return true;
}

// Other files of ours that were taken for a scene, by a key that they all have.
static bool refuse_other_files(const Node *root, Error *error) {
  static const char *const files[][2] = {
      {"parts", "a body"}, {"joints", "a clip"}, {"import", "a clip"}, {"output", "a graph"}};
  for (size_t i = 0; i < sizeof files / sizeof files[0] && node_find(root, "characters") == NULL; i++) {
    const Node *node = node_find(root, files[i][0]);
    if (node != NULL)
      return node_key_error(node, error, "this is %s, not a scene, which has 'characters'%s", files[i][1],
                            strcmp(files[i][0], "output") == 0 ? ": a scene that plays it checks it"
                                                               : ": 'stagger inspect' reads it");
  }
  return true;
}

static bool read_scene(SceneDef *def, const Node *root, Error *error) {
  param_defaults(&run_params, &def->run);
  if (!refuse_other_files(root, error) || !param_read(&run_params, &def->run, root, scene_keys, error))
    return false;
  for (int i = 0; i < scene_section_count; i++) {
    param_defaults(scene_sections[i].table, (char *)def + scene_sections[i].offset);
    if (!read_section(&scene_sections[i], (char *)def, root, NULL, error))
      return false;
  }
  return check_times(def, root, error) && read_image(def, root, error) && read_targets(def, root, error) &&
         read_platforms(def, root, error) && read_props(def, root, error) && read_characters(def, root, error) &&
         resolve_targets(def, root, error) && read_events(def, root, error) && read_cameras(def, root, error) &&
         read_expects(def, root, error);
}

// "scenes/hit_run.yaml" -> "hit_run"
static void name_scene(SceneDef *def, const char *path) {
  const char *slash = strrchr(path, '/');
  snprintf(def->path, sizeof def->path, "%s", path);
  snprintf(def->name, sizeof def->name, "%s", slash != NULL ? slash + 1 : path);
  char *dot = strrchr(def->name, '.');
  if (dot != NULL && dot != def->name)
    *dot = '\0';
}

static bool keep_source(SceneDef *def, const char *text, const char *const *overrides, int count) {
  def->source = strdup(text);
  def->overrides = calloc((size_t)count + 1, sizeof *def->overrides);
  bool good = def->source != NULL && def->overrides != NULL;
  for (; good && overrides != NULL && def->override_count < count; def->override_count++) {
    def->overrides[def->override_count] = strdup(overrides[def->override_count]);
    good = def->overrides[def->override_count] != NULL;
  }
  return good;
}

// The assets of another description, at the front of its own lists.
static void borrow_assets(SceneDef *def, const SceneDef *lender) {
  memcpy(def->bodies, lender->bodies, sizeof def->bodies);
  memcpy(def->body_files, lender->body_files, sizeof def->body_files);
  memcpy(def->graphs, lender->graphs, sizeof def->graphs);
  memcpy(def->graph_files, lender->graph_files, sizeof def->graph_files);
  memcpy(def->graph_skeletons, lender->graph_skeletons, sizeof def->graph_skeletons);
  memcpy(def->clips, lender->clips, sizeof def->clips);
  memcpy(def->clip_files, lender->clip_files, sizeof def->clip_files);
  def->body_count = def->borrowed_bodies = lender->body_count;
  def->graph_count = def->borrowed_graphs = lender->graph_count;
  def->clip_count = def->borrowed_clips = lender->clip_count;
}

// lender: whose assets are borrowed, may be NULL.
static SceneDef *read_text(const char *path, const char *text, FileSet *files, const SceneDef *lender,
                           const char *const *overrides, int override_count, Error *error) {
  SceneDef *def = calloc(1, sizeof *def);
  if (def == NULL) {
    files_free(files);
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  def->files = *files;
  *files = (FileSet){0};
  name_scene(def, path);
  if (lender != NULL)
    borrow_assets(def, lender);

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
    def->text = document_write(&document);
    good = (def->text != NULL && keep_source(def, text, overrides, override_count)) ||
           error_set(error, "%s: out of memory", path);
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

const File *scene_find(FileSet *found, const char *path, Error *error) {
  Error cause = {0};
  const File *file = files_read(found, path, &cause);
  char full[1024];
  if (file == NULL && path[0] != '\0' && snprintf(full, sizeof full, "%s.yaml", path) < (int)sizeof full)
    file = files_read(found, full, NULL);
  if (file == NULL)
    error_set(error, "%s", cause.text);
  else if (strlen(file->path) >= sizeof((SceneDef *)NULL)->path) {
    error_set(error, "%.60s...: the path is %zu bytes long, at most %zu are allowed", file->path, strlen(file->path),
              sizeof((SceneDef *)NULL)->path - 1);
    return NULL;
  }
  return file;
}

bool scene_folder(const char *path, char *folder, size_t size) {
  const char *slash = strrchr(path, '/');
  int length = slash == NULL ? 0 : slash == path ? 1 : (int)(slash - path);
  return snprintf(folder, size, "%.*s", length, path) < (int)size;
}

SceneDef *scene_def_read(const char *path, const char *const *overrides, int override_count, Error *error) {
  FileSet found = {0}, files = {0};
  const File *file = scene_find(&found, path, error);
  if (file == NULL) {
    files_free(&found);
    return NULL;
  }
  scene_folder(file->path, files.folder, sizeof files.folder);
  SceneDef *def = scene_def_from_text(file->name, file->bytes, &files, overrides, override_count, error);
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
  FileSet files = {0};
  if (!trace_files(reader, &files, error)) {
    files_free(&files);
    return NULL;
  }
  const char *name = trace_text(reader, "scene_name");
  char path[512];
  snprintf(path, sizeof path, "%s", name[0] != '\0' ? name : "scene");
  char *text = strdup(trace_text(reader, "scene"));
  if (text == NULL) {
    files_free(&files);
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  SceneDef *def = scene_def_from_text(path, text, &files, NULL, 0, error);
  free(text);
  return def;
}

void scene_def_free(SceneDef *def) {
  if (def == NULL)
    return;
  for (int i = def->borrowed_graphs; i < def->graph_count; i++)
    graph_free(def->graphs[i]);
  for (int i = def->borrowed_clips; i < def->clip_count; i++)
    clip_free(def->clips[i]);
  for (int i = def->borrowed_bodies; i < def->body_count; i++)
    body_free(def->bodies[i]);
  for (int i = 0; i < SCENE_MAX_CHARACTERS; i++)
    layer_list_free(&def->characters[i].layers);
  files_free(&def->files);
  for (int i = 0; i < def->override_count; i++)
    free(def->overrides[i]);
  free(def->overrides);
  free(def->source);
  free(def->text);
  free(def);
}
