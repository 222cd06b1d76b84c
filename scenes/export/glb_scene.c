// Puts characters, ground, objects and cameras of a trace into a glTF scene with one animation.
#include "scenes/export/glb_scene.h"

#include <math.h>
#include <stdlib.h>

static const float GROUND_ROUGHNESS = 0.95f;
static const float GROUND_COLORS[2][3] = {{0.36f, 0.37f, 0.36f}, {0.28f, 0.29f, 0.28f}}; // linear, as all colours in
                                                                                         // glTF

static const double CAMERA_WINDOW = 0.5; // s before and after over which a following camera's motion is averaged
static const float CAMERA_NEAR = 0.1f, CAMERA_FAR = 1000; // m

static void add_times(GlbScene *scene) {
  float *times = malloc((size_t)scene->frame_count * sizeof *times);
  if (!times) {
    scene->glb.failed = true;
    return;
  }
  for (int f = 0; f < scene->frame_count; f++)
    times[f] = (float)(scene->time[f] - scene->time[0]);
  scene->time_accessor = glb_accessor(&scene->glb, GLB_FLOAT, 1, scene->frame_count, times, GLB_NO_TARGET);
  free(times);
}

void glb_scene_animation(GlbScene *scene, const char *name, const double *time, int frame_count) {
  scene->time = time;
  scene->frame_count = frame_count;
  scene->animation = glb_add(&scene->glb, "animations", NULL);
  glb_text(&scene->glb, scene->animation, "name", name);
  add_times(scene);
}

bool glb_scene_times_differ(const TraceMotion *motion, Error *error) {
  for (int f = 1; f < motion->frame_count; f++)
    if (!((float)(motion->time[f] - motion->time[0]) > (float)(motion->time[f - 1] - motion->time[0])))
      return error_set(error,
                       "the run is too long for a GLB file, whose times are 32 bits wide: at %g s two frames at "
                       "%g Hz cannot be told apart",
                       motion->time[f], motion->frame_rate);
  return true;
}

void glb_scene_begin(GlbScene *scene, const char *name, const double *time, int frame_count) {
  *scene = (GlbScene){0};
  GlbWriter *glb = &scene->glb;
  glb_begin(glb, "Stagger " STAGGER_VERSION);
  glb_number(glb, glb->root, "scene", 0);
  scene->scene = glb_add(glb, "scenes", NULL);
  glb_text(glb, scene->scene, "name", name);
  glb_scene_animation(scene, name, time, frame_count);
}

int glb_scene_material(GlbScene *scene, const char *name, const float color[3], float roughness) {
  GlbWriter *glb = &scene->glb;
  int index;
  cJSON *material = glb_add(glb, "materials", &index);
  glb_text(glb, material, "name", name);
  cJSON *pbr = glb_object(glb, material, "pbrMetallicRoughness");
  glb_numbers(glb, pbr, "baseColorFactor", (const float[4]){color[0], color[1], color[2], 1}, 4);
  glb_number(glb, pbr, "metallicFactor", 0);
  glb_number(glb, pbr, "roughnessFactor", (double)roughness);
  return index;
}

int glb_scene_mesh(GlbScene *scene, const char *name, const GlbPrimitive *primitives, int count) {
  GlbWriter *glb = &scene->glb;
  int index;
  cJSON *mesh = glb_add(glb, "meshes", &index);
  glb_text(glb, mesh, "name", name);
  for (int i = 0; i < count; i++) {
    const GlbPrimitive *source = &primitives[i];
    cJSON *primitive = glb_item(glb, mesh, "primitives");
    cJSON *attributes = glb_object(glb, primitive, "attributes");
    glb_number(glb, attributes, "POSITION", source->positions);
    if (source->normals >= 0)
      glb_number(glb, attributes, "NORMAL", source->normals);
    glb_number(glb, primitive, "indices",
               glb_accessor(glb, GLB_UINT16, 1, source->index_count, source->indices, GLB_INDICES));
    glb_number(glb, primitive, "material", source->material);
  }
  return index;
}

static void keep_sides(versors *rotations, int count) {
  for (int i = 1; i < count; i++)
    if (glms_quat_dot(rotations[i - 1], rotations[i]) < 0)
      for (int k = 0; k < 4; k++)
        rotations[i].raw[k] = -rotations[i].raw[k];
}

void glb_scene_track(GlbScene *scene, int node, GlbPath path, void *values) {
  static const char *const PATHS[] = {"translation", "rotation", "scale"};
  GlbWriter *glb = &scene->glb;
  if (path == GLB_ROTATION)
    keep_sides(values, scene->frame_count);
  const int width = path == GLB_ROTATION ? 4 : 3;
  const int output = glb_accessor(glb, GLB_FLOAT, width, scene->frame_count, values, GLB_NO_TARGET);
  const int index = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(scene->animation, "samplers"));
  cJSON *sampler = glb_item(glb, scene->animation, "samplers");
  glb_number(glb, sampler, "input", scene->time_accessor);
  glb_number(glb, sampler, "output", output);
  glb_text(glb, sampler, "interpolation", path == GLB_SCALE ? "STEP" : "LINEAR");
  cJSON *channel = glb_item(glb, scene->animation, "channels");
  glb_number(glb, channel, "sampler", index);
  cJSON *target = glb_object(glb, channel, "target");
  glb_number(glb, target, "node", node);
  glb_text(glb, target, "path", PATHS[path]);
}

void glb_scene_ground(GlbScene *scene, const GroundMesh *ground, bool is_faceted) {
  static const char *const NAMES[2] = {"ground_light", "ground_dark"};
  GlbWriter *glb = &scene->glb;
  const int count = ground->columns * ground->rows;
  const int positions = glb_accessor(glb, GLB_FLOAT, 3, count, ground->positions, GLB_VERTICES);
  const int normals = is_faceted ? -1 : glb_accessor(glb, GLB_FLOAT, 3, count, ground->normals, GLB_VERTICES);
  GlbPrimitive primitives[2];
  int used = 0;
  for (int i = 0; i < 2; i++)
    if (ground->index_counts[i] > 0)
      primitives[used++] = (GlbPrimitive){positions, normals, ground->indices[i], ground->index_counts[i],
                                          glb_scene_material(scene, NAMES[i], GROUND_COLORS[i], GROUND_ROUGHNESS)};
  int node_index;
  const int mesh = glb_scene_mesh(scene, "ground", primitives, used);
  cJSON *node = glb_node(glb, "ground", &node_index);
  glb_number(glb, node, "mesh", mesh);
  glb_number(glb, glb_object(glb, node, "extras"), "spacing", ground->spacing);
  glb_index(glb, scene->scene, "nodes", node_index);
}

// In meshes of as many triangles as 16-bit indices allow.
void glb_scene_level(GlbScene *scene, const GroundMesh *ground) {
  enum { MOST = GROUND_MESH_VERTICES / 3 };
  GlbWriter *glb = &scene->glb;
  uint16_t *indices = malloc(3 * (size_t)MOST * sizeof *indices);
  if (!indices) {
    glb->failed = true;
    return;
  }
  for (int i = 0; i < 3 * MOST; i++)
    indices[i] = (uint16_t)i;
  const int material = glb_scene_material(scene, "ground_light", GROUND_COLORS[0], GROUND_ROUGHNESS);
  for (long first = 0; first < ground->triangle_count; first += MOST) {
    const long left = ground->triangle_count - first;
    const int corners = 3 * (int)(left < MOST ? left : MOST);
    const int positions = glb_accessor(glb, GLB_FLOAT, 3, corners, ground->triangles[first], GLB_VERTICES);
    int node_index;
    const int mesh = glb_scene_mesh(scene, "ground", &(GlbPrimitive){positions, -1, indices, corners, material}, 1);
    glb_number(glb, glb_node(glb, "ground", &node_index), "mesh", mesh);
    glb_index(glb, scene->scene, "nodes", node_index);
  }
  free(indices);
}

// ---- Cameras ----

// The rotation of a camera, which looks along its -Z with +Y up. When it looks straight down, `ahead` is up in the
// image.
static versors looking(vec3s eye, vec3s target, vec3s ahead) {
  const vec3s back = glms_vec3_normalize(glms_vec3_sub(eye, target));
  const vec3s up = fabsf(back.y) > 0.99999f ? ahead : (vec3s){{0, 1, 0}};
  const vec3s right = glms_vec3_normalize(glms_vec3_cross(up, back));
  return glms_quat_normalize(glms_mat3_quat((mat3s){.col = {right, glms_vec3_cross(back, right), back}}));
}

// The point of the ground below the character's root, averaged over some time so that steps do not shake the image.
static void steady_ground_points(const TraceMotion *motion, vec3s *points) {
  const int last = motion->frame_count - 1, reach = (int)fmin(CAMERA_WINDOW * motion->frame_rate, last);
  double sum[3] = {0, 0, 0};
  for (int f = 0, first = 0, end = 0; f <= last; f++) {
    int span = f < last - f ? f : last - f;
    span = span < reach ? span : reach;
    for (; end <= f + span; end++)
      for (int k = 0; k < 3; k++)
        sum[k] += (double)motion->root_position[end].raw[k];
    for (; first < f - span; first++)
      for (int k = 0; k < 3; k++)
        sum[k] -= (double)motion->root_position[first].raw[k];
    for (int k = 0; k < 3; k++)
      points[f].raw[k] = (float)(sum[k] / (2 * span + 1));
    points[f].y -= (float)motion->body->parts[0].joint.position[1];
  }
}

static int add_camera(GlbScene *scene, const CameraDef *camera, vec3s eye, versors rotation) {
  GlbWriter *glb = &scene->glb;
  int index, node_index;
  cJSON *item = glb_add(glb, "cameras", &index);
  glb_text(glb, item, "name", camera->name);
  glb_text(glb, item, "type", "perspective");
  cJSON *perspective = glb_object(glb, item, "perspective");
  glb_number(glb, perspective, "yfov", camera->fov * M_PI / 180);
  glb_number(glb, perspective, "znear", (double)CAMERA_NEAR);
  glb_number(glb, perspective, "zfar", (double)CAMERA_FAR);
  cJSON *node = glb_node(glb, camera->name, &node_index);
  glb_number(glb, node, "camera", index);
  glb_numbers(glb, node, "translation", eye.raw, 3);
  glb_numbers(glb, node, "rotation", rotation.raw, 4);
  glb_index(glb, scene->scene, "nodes", node_index);
  return node_index;
}

void glb_scene_camera(GlbScene *scene, const CameraDef *camera, const TraceMotion *subject, double heading) {
  const versors turn = glms_quatv(subject ? (float)(heading * M_PI / 180) : 0, (vec3s){{0, 1, 0}});
  const vec3s eye = glms_quat_rotatev(turn, vec3_from_doubles(camera->eye));
  const vec3s target = glms_quat_rotatev(turn, vec3_from_doubles(camera->target));
  const versors rotation = looking(eye, target, glms_quat_rotatev(turn, (vec3s){{0, 0, 1}}));
  if (!subject) {
    add_camera(scene, camera, eye, rotation);
    return;
  }
  vec3s *track = malloc((size_t)scene->frame_count * sizeof *track);
  if (!track) {
    scene->glb.failed = true;
    return;
  }
  steady_ground_points(subject, track);
  for (int f = 0; f < scene->frame_count; f++)
    track[f] = glms_vec3_add(track[f], eye);
  glb_scene_track(scene, add_camera(scene, camera, track[0], rotation), GLB_TRANSLATION, track);
  free(track);
}
