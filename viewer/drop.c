// Finds out what a dropped file is, and makes the scene in which it is shown.
#include "viewer/drop.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "anim/motion/motion.h"
#include "scenes/output/explanations.h"
#include "viewer/panels/panels.h"
#include "viewer/source/level_place.h"
#include "viewer/source/motion_view.h"

enum { ASSIGNMENT_SIZE = PATH_MAX + 256, MOST_ASSIGNMENTS = 6, BODY_SIZE = PATH_MAX + 256 };

static const char ALLOWED[] = "a scene (.yaml), a trace (.h5), a motion (.bvh, .fbx, .gltf, .glb, .dae, .json, .npz or "
                              "a clip's .yaml) or a level (.glb, .obj)";

// A scene with assignments, in which the dropped file has its place.
typedef struct DropScene {
  char texts[MOST_ASSIGNMENTS][ASSIGNMENT_SIZE]; // KEY=VALUE
  const char *assignments[MOST_ASSIGNMENTS];
  int count;
} DropScene;

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), own = strlen(ending);
  return length > own && strcasecmp(path + length - own, ending) == 0;
}

static void assign(DropScene *scene, const char *key, const char *value) {
  char *text = scene->texts[scene->count];
  snprintf(text, ASSIGNMENT_SIZE, "%s=%s", key, value);
  scene->assignments[scene->count++] = text;
}

// The same for a text, which is quoted as YAML wants it.
static void assign_text(DropScene *scene, const char *key, const char *value) {
  char quoted[ASSIGNMENT_SIZE];
  size_t used = 0;
  quoted[used++] = '\'';
  for (const char *c = value; *c != '\0' && used < sizeof quoted - 3; c++) {
    if (*c == '\'')
      quoted[used++] = '\'';
    quoted[used++] = *c;
  }
  quoted[used++] = '\'';
  quoted[used] = '\0';
  assign(scene, key, quoted);
}

static bool open_scene(App *app, const char *name, const DropScene *scene, Error *error) {
  return app_open(app, name, scene->assignments, scene->count, error);
}

// ---- Levels ----

// Takes a camera from which the man is seen: no wall is between them.
static void see_subject(App *app) {
  static const char *const CAMERAS[] = {"side", "front", "back", "chase", "top"};
  const Level *level = app->sources[0]->terrain->level;
  for (size_t i = 0; i < sizeof CAMERAS / sizeof CAMERAS[0]; i++) {
    app_camera(app, CAMERAS[i]);
    Camera camera = camera_rig_camera(&app->camera, app->sources[0]->def, &app->picture->subject, 1);
    vec3s way = glms_vec3_sub(camera.eye_w, camera.target_w), ahead = glms_vec3_normalize(way);
    double from[3], direction[3], distance, normal[3], back[3];
    vec3_to_doubles(camera.target_w, from);
    vec3_to_doubles(ahead, direction);
    if (level_ray(level, from, direction, (double)glms_vec3_norm(way), &distance, normal))
      continue;
    vec3_to_doubles(camera.eye_w, from); // walls have a front and a back
    vec3_to_doubles(glms_vec3_negate(ahead), back);
    if (!level_ray(level, from, back, (double)glms_vec3_norm(way), &distance, normal))
      return;
  }
}

static bool drop_level(App *app, const char *path, Error *error) {
  FileSet files = {0};
  const File *file = files_read(&files, path, error);
  Level *level = file ? level_read(file, 1, 0, error) : NULL;
  double place[3], size[3];
  bool found = level && level_place(level, place);
  if (level && !found)
    error_set(error, "%s: there is no place in it where a man can stand: level ground, 2 m high",
              panels_file_name(path));
  int triangles = level ? level->count : 0;
  for (int i = 0; i < 3; i++)
    size[i] = level ? level->high[i] - level->low[i] : 0;
  level_destroy(level);
  files_free(&files);
  if (!found)
    return false;
  DropScene scene = {.count = 0};
  char text[256];
  snprintf(text, sizeof text, "A man stands in %.200s.", panels_file_name(path));
  assign_text(&scene, "purpose", text);
  assign(&scene, "world.dt", "1/240");
  assign(&scene, "terrain.kind", "mesh");
  assign_text(&scene, "terrain.file", path);
  snprintf(text, sizeof text, "[%.4f, %.4f, %.4f]", place[0], place[1], place[2]);
  assign(&scene, "characters.man.start.position", text);
  if (!open_scene(app, "stand_quiet", &scene, error))
    return false;
  see_subject(app);
  app_message(app, "%s: %d triangles, %.4g m x %.4g m, %.4g m high; W, S, A, D: the man walks", panels_file_name(path),
              triangles, size[0], size[2], size[1]);
  return true;
}

// ---- Motions ----

// A file that a scene names, so that another scene finds it, too: its whole path, or its name if that is enough.
static bool find_again(const SceneDef *def, const char *name, char *value, size_t size) {
  char whole[PATH_MAX];
  for (int i = 0; i < def->files.count; i++)
    if (strcmp(def->files.files[i].name, name) == 0 && realpath(def->files.files[i].path, whole)) {
      snprintf(value, size, "'%s'", whole);
      return !strchr(whole, '\'');
    }
  return false;
}

// Writes the measures of a body made by measure as YAML: {base: FILE, height: 1.62}.
static bool write_measures(const SceneDef *def, const Node *node, char *value, size_t size) {
  size_t used = (size_t)snprintf(value, size, "{");
  for (const Node *item = node->first; item; item = item->next) {
    char text[PATH_MAX];
    bool is_base = strcmp(item->key, "base") == 0;
    if (item->kind != NODE_SCALAR || (is_base && !find_again(def, item->text, text, sizeof text)))
      return false;
    used += (size_t)snprintf(value + used, size - used, "%s: %s%s", item->key, is_base ? text : item->text,
                             item->next ? ", " : "}");
    if (used >= size)
      return false;
  }
  return true;
}

// The body of the followed character as the value of `body` in another scene. False when there is none, or when it
// exists in a trace only.
static bool present_body(const App *app, char *value, size_t size) {
  const SceneDef *def = app->source_count > 0 ? app->sources[0]->def : NULL;
  Document document;
  if (!def || !def->text || app->subject >= def->character_count ||
      !document_parse(&document, def->path, def->text, NULL))
    return false;
  const Node *characters = node_find(document.root, "characters"), *character = NULL;
  if (characters && characters->kind == NODE_LIST)
    character = node_at(characters, app->subject);
  const Node *body = node_find(character, "body");
  bool found = body && (body->kind == NODE_MAP ? write_measures(def, body, value, size)
                                               : body->text && find_again(def, body->text, value, size));
  document_free(&document);
  return found;
}

// body: NULL for the scene's own, the human one.
static bool play_motion(App *app, const char *path, const char *body, Error *error) {
  DropScene scene = {.count = 0};
  char text[256];
  snprintf(text, sizeof text, "A physical body follows %.180s, with the help of a limited hidden hand.",
           panels_file_name(path));
  assign_text(&scene, "purpose", text);
  assign_text(&scene, "characters.man.animation.move", path);
  if (body)
    assign(&scene, "characters.man.body", body);
  return open_scene(app, "mocap", &scene, error);
}

// How the motion was understood, as `stagger run` says it, too.
static const char *motion_note(const App *app) {
  const SceneDef *def = app->sources[0]->def;
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].kind == ASSET_CLIP && def->assets[i].object == def->characters[0].move)
      return def->assets[i].note;
  return "";
}

static bool drop_motion(App *app, const char *path, Error *error) {
  char body[BODY_SIZE];
  Error problem = {0};
  bool own = present_body(app, body, sizeof body);
  if (own && play_motion(app, path, body, &problem)) {
    app_message(app, "%s on the present body. %s", panels_file_name(path), motion_note(app));
    return true;
  }
  if (!play_motion(app, path, NULL, error))
    return false;
  if (own)
    app_message(app, "%s on the human body, since the present one cannot play it: %s", panels_file_name(path),
                problem.text);
  else
    app_message(app, "%s on the human body. %s", panels_file_name(path), motion_note(app));
  return true;
}

// A .glb file may hold a figure, or a level, in which something may move, too.
static bool drop_glb(App *app, const char *path, Error *error) {
  FileSet files = {0};
  const File *file = files_read(&files, path, error);
  bool read = file != NULL, skin = read && level_glb_count(file, "skins") > 0;
  bool moves = read && level_glb_count(file, "animations") > 0;
  files_free(&files);
  if (!read)
    return false;
  Error problem = {0};
  if (moves && !skin && drop_motion(app, path, &problem))
    return true;
  return skin ? drop_motion(app, path, error) : drop_level(app, path, error);
}

// ---- All files ----

// Whether a file is a scene by its keys. An unreadable one counts as a scene, so that its errors are shown.
static bool is_scene(const char *path) {
  FileSet files = {0};
  const File *file = files_read(&files, path, NULL);
  Document document;
  bool scene = true;
  if (file && document_read(&document, path, file, NULL)) {
    scene = node_find(document.root, "characters") != NULL;
    document_free(&document);
  }
  files_free(&files);
  return scene;
}

static bool drop_trace(App *app, const char *path, Error *error) {
  bool together = app->dropped_traces > 0;
  if (!(together ? app_open_also(app, path, error) : app_open(app, path, NULL, 0, error)))
    return false;
  app->dropped_traces += app->dropping;
  return true;
}

static bool drop(App *app, const char *path, Error *error) {
  if (trace_is_hdf5(path) || has_ending(path, ".h5"))
    return drop_trace(app, path, error);
  if (has_ending(path, ".glb"))
    return drop_glb(app, path, error);
  if (has_ending(path, ".obj"))
    return drop_level(app, path, error);
  bool is_yaml = has_ending(path, ".yaml") || has_ending(path, ".yml");
  if (is_yaml && is_scene(path))
    return app_open(app, path, NULL, 0, error);
  if (motion_view_is_for(path))
    return drop_motion(app, path, error);
  return error_set(error, "%s cannot be shown; what can be dropped: %s", panels_file_name(path), ALLOWED);
}

void drop_file(App *app, const char *path) {
  Error error = {0};
  char whole[PATH_MAX]; // the scenes that show it have other folders
  bool good = realpath(path, whole) ? drop(app, whole, &error) : error_set(&error, "%s: there is no such file", path);
  if (good)
    return;
  app_message(app, "%s", error.text);
  explained_printf(stderr, "stagger-view: %s", error.text);
}

void drop_begin(App *app) {
  app->dropping = true;
  app->dropped_traces = 0;
}

void drop_end(App *app) {
  app->dropping = false;
  app->dropped_traces = 0;
}
