// Writes the motion of traces onto the bones of a rig. For each of its joints a channel is written only of what moves
// or stands otherwise than in the file.
#include "scenes/export/export_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/retarget/retarget_back.h"
#include "scenes/export/glb_scene.h"
#include "scenes/export/rig_file.h"
#include "scenes/export/round_trip.h"

static const float STILL_TURN = 2e-4f; // rad
static const float STILL_WAY = 1e-4f;  // m of the rig

// The rig, and what it takes to pose it.
typedef struct Rig {
  RigFile file;
  Motion *motion;
  Document document; // of the table of joints
  const Node *joints;
  int *nodes;    // [joint_count] the file's node for each joint, -1: none
  versors turn;  // from our frame to the file's
  FileSet files; // the rig and the table
} Rig;

// One trace's motion on the rig.
typedef struct Take {
  TraceReader *reader;
  SceneDef *def;
  TraceMotion *motion;
  RetargetMap map;
  RetargetBack *back;
} Take;

// ---- The rig ----

static vec3s axis_vector(int axis) {
  vec3s v = {{0, 0, 0}};
  v.raw[axis % 3] = axis < 3 ? 1 : -1;
  return v;
}

static bool read_table(Rig *rig, const char *path, Error *error) {
  const File *file = path ? files_read(&rig->files, path, error) : NULL;
  if (!file || !document_read(&rig->document, path, file, error))
    return !path;
  rig->joints = node_find(rig->document.root, "joints");
  return rig->joints || node_error(rig->document.root, error, "missing 'joints', a table such as {thigh_l: Bone_017}");
}

static bool read_rig(Rig *rig, const RigExport *options, Error *error) {
  MotionOptions how = motion_options_default();
  how.skin = true;
  const File *file = motion_gather(&rig->files, files_read(&rig->files, options->rig, error), error);
  if (!file || !rig_file_read(&rig->file, file, error) || !(rig->motion = motion_read(file, &how, error)))
    return false;
  rig->nodes = calloc((size_t)rig->motion->joint_count, sizeof *rig->nodes);
  if (!rig->nodes)
    return error_set(error, "out of memory");
  rig_file_match(&rig->file, rig->motion, rig->nodes);
  const vec3s up = axis_vector(rig->motion->found.up_axis), front = axis_vector(rig->motion->found.front_axis);
  rig->turn = glms_mat3_quat((mat3s){.col = {glms_vec3_cross(up, front), up, front}});
  return read_table(rig, options->joints, error);
}

static void free_rig(Rig *rig) {
  rig_file_free(&rig->file);
  motion_free(rig->motion);
  if (rig->document.root)
    document_free(&rig->document);
  free(rig->nodes);
  files_free(&rig->files);
}

// ---- A trace ----

static void close_take(Take *take) {
  retarget_back_destroy(take->back);
  trace_motion_free(take->motion);
  scene_def_free(take->def);
  trace_reader_close(take->reader);
}

static bool is_mirrored(const RigNode *node) {
  return !(node->world_scale.x > 0 && node->world_scale.y > 0 && node->world_scale.z > 0);
}

// Every matched joint needs its node, and so does each one that moves, unless it hangs on a mirrored one, below which
// nodes are left as they are.
static bool check_nodes(const Rig *rig, const Take *take, const char *name, Error *error) {
  bool is_matched[MOTION_MAX_JOINTS] = {false};
  for (int i = 0; i < take->motion->joint_count; i++)
    if (take->map.source[i] >= 0)
      is_matched[take->map.source[i]] = true;
  for (int j = 0; j < rig->motion->joint_count; j++) {
    const char *joint = rig->motion->joints[j].name;
    if ((is_matched[j] || retarget_back_moves(take->back, j)) && rig->nodes[j] < 0)
      return error_at(error, name, 0, 0, "no joint was found among its nodes with the name '%s'", joint);
    if (is_matched[j] && is_mirrored(&rig->file.nodes[rig->nodes[j]]))
      return error_at(error, name, 0, 0,
                      "its joint '%s' has a scale with no length that makes sense: it is mirrored or flat", joint);
  }
  return true;
}

// Errors in the rig's joints name its file, unless they name the table of joints.
static bool fit_rig(Take *take, const Rig *rig, const RigExport *options, Error *error) {
  const Skeleton *skeleton = &take->motion->body->skeleton;
  Error cause = {0};
  if (retarget_map(&take->map, rig->motion, skeleton, rig->joints, &cause) &&
      (take->back = retarget_back_create(rig->motion, &take->map, skeleton, &cause)))
    return check_nodes(rig, take, options->rig, error);
  if (options->joints && strncmp(cause.text, options->joints, strlen(options->joints)) == 0)
    return error_set(error, "%s", cause.text);
  return error_at(error, options->rig, 0, 0, "%s", cause.text);
}

static bool open_take(Take *take, const char *trace, const Rig *rig, const RigExport *options, Error *error) {
  Error cause = {0};
  take->reader = trace_open(trace, error);
  take->def = take->reader ? scene_def_from_trace(take->reader, error) : NULL;
  if (!take->def)
    return false;
  take->motion = trace_motion_read(take->reader, take->def, options->character, options->pose, &cause);
  if (!take->motion || !glb_scene_times_differ(take->motion, &cause))
    return strncmp(cause.text, trace, strlen(trace)) == 0 ? error_set(error, "%s", cause.text)
                                                          : error_at(error, trace, 0, 0, "%s", cause.text);
  return fit_rig(take, rig, options, error);
}

// ---- Channels ----

// The rig's joints in all frames, in its own metres and our frame.
typedef struct Places {
  int frame_count, joint_count;
  vec3s *positions; // [frame_count * joint_count]
  versors *rotations;
  vec3s *ways; // [frame_count] of one joint in the frame of its node's parent, in the file's units
  versors *turns;
} Places;

static void free_places(Places *places) {
  free(places->positions);
  free(places->rotations);
  free(places->ways);
  free(places->turns);
}

static bool fill_places(Places *places, const Take *take, int joint_count) {
  const size_t frames = (size_t)take->motion->frame_count, samples = frames * (size_t)joint_count;
  *places = (Places){.frame_count = (int)frames,
                     .joint_count = joint_count,
                     .positions = malloc(samples * sizeof *places->positions),
                     .rotations = malloc(samples * sizeof *places->rotations),
                     .ways = malloc(frames * sizeof *places->ways),
                     .turns = malloc(frames * sizeof *places->turns)};
  if (!places->positions || !places->rotations || !places->ways || !places->turns)
    return false;
  for (int f = 0; f < places->frame_count; f++) {
    Pose local;
    ModelPose world;
    trace_motion_pose(take->motion, f, &local);
    pose_to_model(&take->motion->body->skeleton, &local, &world);
    const size_t first = (size_t)f * (size_t)joint_count;
    retarget_back_pose(take->back, &world, places->positions + first, places->rotations + first);
  }
  return true;
}

// A joint's place in the frame of the node above it, in all frames. The node of the highest joint that moves hangs on
// nodes that stand still.
static void find_locals(Places *places, const Rig *rig, const Take *take, int joint) {
  const RigNode *nodes = rig->file.nodes;
  const int parent = rig->motion->joints[joint].parent, above = nodes[rig->nodes[joint]].parent;
  const bool is_first = parent < 0 || !retarget_back_moves(take->back, parent);
  const float to_file = (float)(1 / rig->motion->found.unit);
  const vec3s scale = above >= 0 ? nodes[above].world_scale : (vec3s){{1, 1, 1}};
  for (int f = 0; f < places->frame_count; f++) {
    const size_t first = (size_t)f * (size_t)places->joint_count;
    vec3s way = places->positions[first + (size_t)joint];
    versors turn = places->rotations[first + (size_t)joint];
    versors base;
    if (is_first) {
      way = glms_quat_rotatev(rig->turn, way);
      way = glms_vec3_sub(glms_vec3_scale(way, to_file),
                          above >= 0 ? glms_vec3(nodes[above].world.col[3]) : glms_vec3_zero());
      turn = glms_quat_mul(rig->turn, turn);
      base = above >= 0 ? nodes[above].world_rotation : glms_quat_identity();
    } else {
      way = glms_vec3_scale(glms_vec3_sub(way, places->positions[first + (size_t)parent]), to_file);
      base = places->rotations[first + (size_t)parent];
    }
    const versors back = glms_quat_conjugate(base);
    places->ways[f] = glms_vec3_div(glms_quat_rotatev(back, way), scale);
    places->turns[f] = glms_quat_normalize(glms_quat_mul(back, turn));
  }
}

// A node that an animation moves must not have a matrix.
static void split_matrix(GlbWriter *glb, const RigNode *node, int index) {
  if (!cJSON_GetObjectItemCaseSensitive(node->item, "matrix"))
    return;
  cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(glb->root, "nodes"), index);
  if (!cJSON_GetObjectItemCaseSensitive(item, "matrix"))
    return;
  cJSON_DeleteItemFromObjectCaseSensitive(item, "matrix");
  glb_numbers(glb, item, "translation", node->position.raw, 3);
  glb_numbers(glb, item, "rotation", node->rotation.raw, 4);
  glb_numbers(glb, item, "scale", node->scale.raw, 3);
}

// How a track is written: not at all, since the node stands so already; with one key; or with a key for each frame.
typedef enum Keys { KEYS_NONE, KEYS_ONE, KEYS_ALL } Keys;

static Keys keys_of(float from_node, float most) { return most > 1 ? KEYS_ALL : from_node > 1 ? KEYS_ONE : KEYS_NONE; }

static void write_track(GlbScene *scene, int node, GlbPath path, void *values, Keys keys, int one_key) {
  const int frame_count = scene->frame_count, times = scene->time_accessor;
  if (keys == KEYS_ONE) {
    scene->frame_count = 1;
    scene->time_accessor = one_key;
  }
  if (keys != KEYS_NONE)
    glb_scene_track(scene, node, path, values);
  scene->frame_count = frame_count;
  scene->time_accessor = times;
}

static void write_joint(GlbScene *scene, const Rig *rig, Places *places, int joint, int one_key) {
  const int index = rig->nodes[joint];
  const RigNode *node = &rig->file.nodes[index];
  const RigNode *above = node->parent >= 0 ? &rig->file.nodes[node->parent] : NULL;
  const float metres = (float)rig->motion->found.unit * (above ? above->world_scale.x : 1);
  float way = 0, turn = 0;
  for (int f = 1; f < places->frame_count; f++) {
    way = fmaxf(way, glms_vec3_distance(places->ways[f], places->ways[0]) * metres);
    turn = fmaxf(turn, quat_angle_between(places->turns[f], places->turns[0]));
  }
  const float way_off = glms_vec3_distance(places->ways[0], node->position) * metres;
  const float turn_off = quat_angle_between(places->turns[0], node->rotation);
  const Keys ways = keys_of(way_off / STILL_WAY, way / STILL_WAY);
  const Keys turns = keys_of(turn_off / STILL_TURN, turn / STILL_TURN);
  if (ways != KEYS_NONE || turns != KEYS_NONE)
    split_matrix(&scene->glb, node, index);
  write_track(scene, index, GLB_TRANSLATION, places->ways, ways, one_key);
  write_track(scene, index, GLB_ROTATION, places->turns, turns, one_key);
}

static void write_provenance(GlbScene *scene, const Take *take, const char *settings) {
  cJSON *extras = glb_object(&scene->glb, scene->animation, "extras");
  glb_text(&scene->glb, extras, "scene", take->def->name);
  glb_number(&scene->glb, extras, "seed", take->def->run.seed);
  if (settings[0] != '\0')
    glb_text(&scene->glb, extras, "settings", settings);
  glb_text(&scene->glb, extras, "character", take->motion->character);
  glb_text(&scene->glb, extras, "pose", trace_pose_names[take->motion->pose]);
  glb_text(&scene->glb, extras, "status", trace_text(take->reader, "status"));
  glb_number(&scene->glb, extras, "start_time", take->motion->time[0]);
}

static void write_take(GlbScene *scene, const Rig *rig, const Take *take, const char *name, const char *settings) {
  static const float BEGIN = 0;
  Places places;
  glb_scene_animation(scene, name, take->motion->time, take->motion->frame_count);
  const int one_key = glb_accessor(&scene->glb, GLB_FLOAT, 1, 1, &BEGIN, GLB_NO_TARGET);
  scene->glb.failed |= !fill_places(&places, take, rig->motion->joint_count);
  for (int j = 0; j < rig->motion->joint_count && !scene->glb.failed; j++)
    if (retarget_back_moves(take->back, j) && !is_mirrored(&rig->file.nodes[rig->nodes[j]])) {
      find_locals(&places, rig, take, j);
      write_joint(scene, rig, &places, j, one_key);
    }
  write_provenance(scene, take, settings);
  free_places(&places);
}

// ---- The file ----

// Moves all members of an object behind those of another one.
static void move_members(cJSON *from, cJSON *to) {
  while (from && from->child) {
    cJSON *item = cJSON_DetachItemViaPointer(from, from->child);
    cJSON_AddItemToObject(to, item->string, item);
  }
  cJSON_Delete(from);
}

// The rig's tree without its animations. Stagger is its generator, and stands at its beginning, where it is looked for
// before a file is replaced.
static void begin_file(GlbScene *scene, const Rig *rig) {
  *scene = (GlbScene){0};
  GlbWriter *glb = &scene->glb;
  glb_resume(glb, cJSON_CreateObject(), rig->file.bytes, rig->file.size);
  cJSON *old = cJSON_Duplicate(rig->file.root, true), *asset = glb_object(glb, glb->root, "asset");
  glb->failed |= !old;
  cJSON_DeleteItemFromObjectCaseSensitive(old, "animations");
  cJSON *old_asset = cJSON_DetachItemFromObjectCaseSensitive(old, "asset");
  const char *before = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(old_asset, "generator"));
  char generator[256];
  snprintf(generator, sizeof generator, "Stagger " STAGGER_VERSION "%s%s", before ? ", of a rig by " : "",
           before ? before : "");
  glb_text(glb, asset, "generator", generator);
  cJSON_DeleteItemFromObjectCaseSensitive(old_asset, "generator");
  move_members(old_asset, asset);
  move_members(old, glb->root);
}

// "hit_run" of "traces/hit_run.h5".
static void name_take(const char *trace, char name[MOTION_NAME_SIZE]) {
  const char *slash = strrchr(trace, '/'), *base = slash ? slash + 1 : trace;
  snprintf(name, MOTION_NAME_SIZE, "%s", base);
  char *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = '\0';
}

static bool end_file(GlbScene *scene, char **bytes, size_t *size, Error *error) {
  return glb_end(&scene->glb, bytes, size) ||
         error_set(error, "out of memory, or over the 4 GB that a GLB file can have");
}

// ---- Reading back ----

enum { MOST_READ_BACK = 8 }; // traces, evenly taken; each costs as much as reading the rig

// Which joint that was read back is each joint of the rig that has one of ours. False: one is missing.
static bool find_back(const Rig *rig, const Take *take, const Motion *back, int *joints, Error *error) {
  for (int i = 0; i < take->motion->joint_count; i++) {
    const int source = take->map.source[i];
    if (source < 0)
      continue;
    int k = 0;
    while (k < back->joint_count && strcmp(back->joints[k].name, rig->motion->joints[source].name) != 0)
      k++;
    if (k == back->joint_count)
      return error_set(error, "joint '%s' is missing", rig->motion->joints[source].name);
    joints[source] = k;
  }
  return true;
}

static bool compare_back(const Rig *rig, const Take *take, const Motion *back, RetargetDeviation *deviation,
                         Error *error) {
  int joints[MOTION_MAX_JOINTS] = {0}, frame = 0; // 0 where none of ours is: those are not compared
  vec3s positions[MOTION_MAX_JOINTS], placed[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS], turned[MOTION_MAX_JOINTS];
  if (!find_back(rig, take, back, joints, error))
    return false;
  const int dropped = round_trip_dropped(back, take->motion, error);
  for (int f = 0; dropped >= 0 && f < back->frame_count; f++) {
    ModelPose body;
    round_trip_place(take->motion, (f + dropped) / back->frame_rate, &frame, &body);
    motion_place(back, f, positions, rotations);
    for (int j = 0; j < rig->motion->joint_count; j++) {
      placed[j] = positions[joints[j]];
      turned[j] = rotations[joints[j]];
    }
    retarget_back_compare(take->back, &body, placed, turned, deviation);
  }
  return dropped >= 0;
}

// Reads a file with this trace alone, as a user of it would.
static bool read_back(const Rig *rig, const Take *take, RetargetDeviation *deviation, Error *error) {
  GlbScene scene;
  char name[] = "export.glb", *bytes = NULL;
  size_t size;
  begin_file(&scene, rig);
  write_take(&scene, rig, take, "read_back", "");
  if (!end_file(&scene, &bytes, &size, error))
    return false;
  const File file = {.name = name, .path = name, .bytes = bytes, .size = size};
  MotionOptions as_written = rig->motion->found;
  as_written.animation[0] = '\0';
  Motion *back = motion_read(&file, &as_written, error);
  const bool good = back && compare_back(rig, take, back, deviation, error);
  motion_free(back);
  free(bytes);
  return good;
}

// ---- The whole ----

typedef struct Whole {
  const Rig *rig;
  GlbScene scene;
  RetargetDeviation deviation;
  Error problem; // of reading back
  char body[SKELETON_NAME_SIZE], character[TRACE_NAME_SIZE];
  double scale;   // of the first trace
  int incomplete; // traces
  long frames;
} Whole;

static bool add_trace(Whole *whole, const char *trace, const char *settings, bool is_compared, const RigExport *options,
                      Error *error) {
  Take take = {0};
  char name[MOTION_NAME_SIZE];
  name_take(trace, name);
  const bool good = open_take(&take, trace, whole->rig, options, error);
  if (good) {
    write_take(&whole->scene, whole->rig, &take, name, settings);
    if (is_compared && whole->problem.text[0] == '\0')
      read_back(whole->rig, &take, &whole->deviation, &whole->problem);
    if (whole->frames == 0) {
      snprintf(whole->body, sizeof whole->body, "%s", take.motion->body->name);
      snprintf(whole->character, sizeof whole->character, "%s", take.motion->character);
      whole->scale = retarget_back_scale(take.back);
    }
    whole->frames += take.motion->frame_count;
    whole->incomplete += strncmp(trace_text(take.reader, "status"), "complete", strlen("complete")) != 0;
  }
  close_take(&take);
  return good;
}

static void describe(const Whole *whole, int trace_count, const RigExport *options, ExportResult *result) {
  char incomplete[64] = "";
  if (whole->incomplete > 0)
    snprintf(incomplete, sizeof incomplete, ", %d of an incomplete run", whole->incomplete);
  snprintf(result->contents, sizeof result->contents,
           "%d animation%s of %s (%s), %s pose, %ld frames%s; %d joints, scaled by %.3f", trace_count,
           trace_count > 1 ? "s" : "", whole->character, whole->body, trace_pose_names[options->pose], whole->frames,
           incomplete, whole->rig->motion->joint_count, 1 / whole->scale);
  if (whole->problem.text[0] != '\0') {
    snprintf(result->round_trip, sizeof result->round_trip, "could not be read back to compare it: %.200s",
             whole->problem.text);
    return;
  }
  const RetargetDeviation *off = &whole->deviation;
  snprintf(
      result->round_trip, sizeof result->round_trip,
      "read back through assimp: bones and feet turned within %.2g deg of the body's; knees and ankles, from the "
      "hips, within %.2g mm; elbows and wrists, from the shoulders, within %.2g mm; heights of feet within %.2g mm",
      off->angle * 180 / M_PI, 1000 * off->legs, 1000 * off->arms, 1000 * off->ground);
}

bool export_rig(const char *const *traces, const char *const *settings, int trace_count, const RigExport *options,
                ExportResult *result, Error *error) {
  Rig rig = {0};
  bool good = read_rig(&rig, options, error);
  if (good) {
    Whole whole = {.rig = &rig};
    const int stride = (trace_count + MOST_READ_BACK - 1) / MOST_READ_BACK;
    begin_file(&whole.scene, &rig);
    for (int i = 0; i < trace_count && good; i++)
      good = add_trace(&whole, traces[i], settings ? settings[i] : "", i % stride == 0, options, error);
    good = end_file(&whole.scene, &result->bytes, &result->size, error) && good;
    if (good)
      describe(&whole, trace_count, options, result);
    else
      free(result->bytes);
    result->bytes = good ? result->bytes : NULL;
  }
  free_rig(&rig);
  return good;
}
