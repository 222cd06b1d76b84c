// Characters and objects of a glTF scene: trees of nodes with rigid meshes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/body_mesh.h"
#include "scenes/export/glb_scene.h"

static const float ROUGHNESS = 0.7f;
static const float BODY_COLORS[][3] = {{0.55f, 0.50f, 0.45f}, {0.42f, 0.50f, 0.40f}, {0.50f, 0.42f, 0.52f}};
static const float SIDE_TINT[3][3] = {{0, 0, 0}, {-0.10f, 0, 0.12f}, {0.12f, 0, -0.10f}}; // middle, left, right
static const float OBJECT_COLOR[3] = {0.60f, 0.25f, 0.08f};
enum { BODY_COLOR_COUNT = sizeof BODY_COLORS / sizeof BODY_COLORS[0] };

static int add_mesh(GlbScene *scene, const char *name, const BodyMesh *mesh, int material) {
  GlbWriter *glb = &scene->glb;
  const GlbPrimitive primitive = {glb_accessor(glb, GLB_FLOAT, 3, mesh->vertex_count, mesh->positions, GLB_VERTICES),
                                  glb_accessor(glb, GLB_FLOAT, 3, mesh->vertex_count, mesh->normals, GLB_VERTICES),
                                  mesh->indices, mesh->index_count, material};
  return glb_scene_mesh(scene, name, &primitive, 1);
}

// ---- Characters ----

// The side of a part: 0 middle, 1 left, 2 right.
static int side_of(const BodyDef *body, int part) {
  const PartDef *def = &body->parts[part];
  if (def->twin == part)
    return 0;
  return def->joint.position[0] > body->parts[def->twin].joint.position[0] ? 1 : 2;
}

static void add_materials(GlbScene *scene, const TraceMotion *motion, int who, const char *prefix, int materials[3]) {
  static const char *const SIDES[] = {"middle", "left", "right"};
  bool used[3] = {false};
  for (int j = 0; j < motion->joint_count; j++)
    used[side_of(motion->body, j)] = true;
  for (int side = 0; side < 3; side++) {
    char name[2 * TRACE_NAME_SIZE];
    float color[3];
    for (int k = 0; k < 3; k++)
      color[k] = BODY_COLORS[who % BODY_COLOR_COUNT][k] + SIDE_TINT[side][k];
    snprintf(name, sizeof name, "%s%s", prefix, SIDES[side]);
    materials[side] = used[side] ? glb_scene_material(scene, name, color, ROUGHNESS) : -1;
  }
}

static void add_part(GlbScene *scene, cJSON *joint, const char *name, const PartDef *part, int material) {
  BodyMesh shape;
  body_mesh(part, &shape);
  if (shape.index_count == 0)
    return;
  // The mesh has a node of its own, since readers that look for skeletons do not take nodes with meshes for joints.
  char node_name[4 * TRACE_NAME_SIZE];
  int node_index;
  const int mesh = add_mesh(scene, name, &shape, material);
  snprintf(node_name, sizeof node_name, "%s_shape", name);
  glb_number(&scene->glb, glb_node(&scene->glb, node_name, &node_index), "mesh", mesh);
  glb_index(&scene->glb, joint, "children", node_index);
}

static void add_tracks(GlbScene *scene, const TraceMotion *motion, const int nodes[]) {
  const size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
  versors *rotations = calloc(frames, sizeof *rotations);
  if (!rotations) {
    scene->glb.failed = true;
    return;
  }
  for (size_t j = 0; j < joints; j++) {
    for (size_t f = 0; f < frames; f++)
      rotations[f] = motion->rotation[f * joints + j];
    glb_scene_track(scene, nodes[j], GLB_ROTATION, rotations);
  }
  free(rotations);
  glb_scene_track(scene, nodes[0], GLB_TRANSLATION, motion->root_position);
}

void glb_scene_character(GlbScene *scene, const TraceMotion *motion, int who, const char *prefix) {
  GlbWriter *glb = &scene->glb;
  const Skeleton *skeleton = &motion->body->skeleton;
  cJSON *joints[SKELETON_MAX_JOINTS] = {NULL};
  int nodes[SKELETON_MAX_JOINTS] = {0}, materials[3], root;
  char name[2 * TRACE_NAME_SIZE];
  for (int j = 0; j < skeleton->count; j++) {
    snprintf(name, sizeof name, "%s%s", prefix, skeleton->names[j]);
    joints[j] = glb_node(glb, name, &nodes[j]);
    glb_numbers(glb, joints[j], "translation", skeleton->bind_position_l[j].raw, 3);
    glb_numbers(glb, joints[j], "rotation", skeleton->bind_rotation_l[j].raw, 4);
    if (j > 0)
      glb_index(glb, joints[skeleton->parent[j]], "children", nodes[j]);
  }
  add_tracks(scene, motion, nodes);
  add_materials(scene, motion, who, prefix, materials);
  for (int j = 0; j < skeleton->count; j++) {
    snprintf(name, sizeof name, "%s%s", prefix, skeleton->names[j]);
    add_part(scene, joints[j], name, &motion->body->parts[j], materials[side_of(motion->body, j)]);
  }
  cJSON *character = glb_node(glb, motion->character, &root);
  glb_index(glb, character, "children", nodes[0]);
  glb_text(glb, glb_object(glb, character, "extras"), "body", motion->body->name);
  glb_index(glb, scene->scene, "nodes", root);
}

// ---- Objects ----

typedef struct ObjectNames {
  char (*names)[TRACE_NAME_SIZE];
  int count;
  bool failed; // no memory
} ObjectNames;

// Called for each "/objects/NAME/position".
static void note_object(void *context, const char *path) {
  ObjectNames *objects = context;
  char name[TRACE_NAME_SIZE], rest[16];
  if (sscanf(path, "/objects/%63[^/]/%15s", name, rest) != 2 || strcmp(rest, "position") != 0 || objects->failed)
    return;
  char(*grown)[TRACE_NAME_SIZE] = realloc(objects->names, ((size_t)objects->count + 1) * sizeof *grown);
  objects->failed = !grown;
  if (!grown)
    return;
  objects->names = grown;
  memcpy(grown[objects->count++], name, sizeof name);
}

typedef struct ObjectTrack {
  vec3s *positions, *scales;
  versors *rotations;
  double *values; // [4 * frames] in the order of reading
} ObjectTrack;

// While an object does not exist (NaN) it has scale 0 at its next or last position. False: it never exists.
static bool fill_track(ObjectTrack *track, int frames) {
  int seen = -1;
  for (int f = 0; f < frames; f++) {
    const bool is_there = isfinite(track->positions[f].x + track->positions[f].y + track->positions[f].z) &&
                          fabsf(glms_quat_norm(track->rotations[f]) - 1) < 1e-3f;
    const float size = is_there ? 1 : 0;
    track->scales[f] = (vec3s){{size, size, size}};
    if (!is_there && seen >= 0) {
      track->positions[f] = track->positions[seen];
      track->rotations[f] = track->rotations[seen];
    }
    for (int i = 0; is_there && seen < 0 && i < f; i++) {
      track->positions[i] = track->positions[f];
      track->rotations[i] = track->rotations[f];
    }
    seen = is_there ? f : seen;
  }
  return seen >= 0;
}

static bool read_channel(TraceReader *reader, const char *object, const char *channel, int width, int frames,
                         ObjectTrack *track, float *to, Error *error) {
  char path[2 * TRACE_NAME_SIZE];
  int shape[2];
  snprintf(path, sizeof path, "/objects/%s/%s", object, channel);
  if (!trace_channel_shape(reader, path, shape) || shape[0] != width || shape[1] != 0)
    return error_set(error, "the trace's %s has not %d numbers a frame", path, width);
  if (!trace_read(reader, path, TRACE_FLOAT64, 0, frames, track->values, error))
    return false;
  for (int i = 0; i < width * frames; i++)
    to[i] = (float)track->values[i];
  return true;
}

// Adds a ball or a box.
static void add_object(GlbScene *scene, const char *name, const double size[3], bool is_box, int material,
                       ObjectTrack *track) {
  PartDef part = {.shapes = {{.kind = SHAPE_SPHERE, .size = {0.5 * size[0]}}}, .shape_count = 1};
  if (is_box)
    part.shapes[0] = (ShapeDef){.kind = SHAPE_BOX, .size = {size[0], size[1], size[2]}};
  BodyMesh mesh;
  int node;
  body_mesh(&part, &mesh);
  glb_number(&scene->glb, glb_node(&scene->glb, name, &node), "mesh", add_mesh(scene, name, &mesh, material));
  glb_index(&scene->glb, scene->scene, "nodes", node);
  glb_scene_track(scene, node, GLB_TRANSLATION, track->positions);
  glb_scene_track(scene, node, GLB_ROTATION, track->rotations);
  glb_scene_track(scene, node, GLB_SCALE, track->scales);
}

static bool add_objects(GlbScene *scene, TraceReader *reader, const ObjectNames *objects, ObjectTrack *track,
                        int *count, Error *error) {
  const int frames = scene->frame_count, material = glb_scene_material(scene, "object", OBJECT_COLOR, ROUGHNESS);
  for (int i = 0; i < objects->count; i++) {
    char group[2 * TRACE_NAME_SIZE];
    double size[3] = {0};
    char shape[16];
    snprintf(group, sizeof group, "/objects/%s", objects->names[i]);
    if (!read_channel(reader, objects->names[i], "position", 3, frames, track, track->positions[0].raw, error) ||
        !read_channel(reader, objects->names[i], "rotation", 4, frames, track, track->rotations[0].raw, error))
      return false;
    trace_value_text(reader, group, "shape", shape, sizeof shape);
    bool has_size = trace_values(reader, group, "size", size, 3) == 3 && size[0] > 0 && size[1] > 0 && size[2] > 0;
    if (has_size && fill_track(track, frames)) {
      add_object(scene, objects->names[i], size, strcmp(shape, "box") == 0, material, track);
      (*count)++;
    }
  }
  return true;
}

bool glb_scene_objects(GlbScene *scene, TraceReader *reader, int *count, Error *error) {
  const size_t frames = (size_t)scene->frame_count;
  ObjectNames objects = {0};
  trace_visit(reader, note_object, &objects);
  *count = 0;
  if (objects.count == 0 && !objects.failed)
    return true;
  ObjectTrack track = {.positions = calloc(frames, sizeof *track.positions),
                       .scales = calloc(frames, sizeof *track.scales),
                       .rotations = calloc(frames, sizeof *track.rotations),
                       .values = calloc(frames, 4 * sizeof *track.values)};
  bool good = !objects.failed && track.positions && track.scales && track.rotations && track.values != NULL;
  good = good ? add_objects(scene, reader, &objects, &track, count, error) : error_set(error, "out of memory");
  free(track.positions);
  free(track.scales);
  free(track.rotations);
  free(track.values);
  free(objects.names);
  return good;
}
