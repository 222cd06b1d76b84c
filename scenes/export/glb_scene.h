// A glTF scene under construction, for export_glb.c: characters, ground, objects and cameras, with one animation whose
// keys are the trace's frames. glTF's frame and units equal ours: Y up, +Z forward, m. If memory runs out, the writer's
// `failed` is set.
#ifndef STAGGER_SCENES_EXPORT_GLB_SCENE_H
#define STAGGER_SCENES_EXPORT_GLB_SCENE_H

#include "scenes/description/trace_motion.h"
#include "scenes/export/glb_writer.h"
#include "scenes/export/ground_mesh.h"

typedef struct GlbScene {
  GlbWriter glb;
  cJSON *scene, *animation;
  const double *time; // [frame_count] s, of the trace; keys are relative to the first
  int frame_count;
  int time_accessor; // index of the accessor of times, which all tracks share
} GlbScene;

// Whether the frames' times, counted from the first, still increase as the floats that glTF has. Error: they do not.
bool glb_scene_times_differ(const TraceMotion *motion, Error *error);

// name: for the scene and the animation.
void glb_scene_begin(GlbScene *scene, const char *name, const double *time, int frame_count);

// Begins another animation, with keys at these times.
void glb_scene_animation(GlbScene *scene, const char *name, const double *time, int frame_count);

// color: linear. Returns the material's index.
int glb_scene_material(GlbScene *scene, const char *name, const float color[3], float roughness);

typedef struct GlbPrimitive {
  int positions, normals;  // accessors; normals -1: flat shading
  const uint16_t *indices; // [index_count] three for each triangle
  int index_count, material;
} GlbPrimitive;

int glb_scene_mesh(GlbScene *scene, const char *name, const GlbPrimitive *primitives, int count);

typedef enum GlbPath { GLB_TRANSLATION, GLB_ROTATION, GLB_SCALE } GlbPath;

// values: [frame_count], 3 floats each, for rotations 4. Rotations and translations are interpolated linearly (signs of
// quaternions are first changed in place so that neighbours are close); scales change in steps.
void glb_scene_track(GlbScene *scene, int node, GlbPath path, void *values);

// Adds a character: a node with its name, its joints below that, a mesh below each joint. who: its number, which
// selects its colour; prefix: for the names of its joints, "" when it is the only character.
void glb_scene_character(GlbScene *scene, const TraceMotion *motion, int who, const char *prefix);

// Adds the objects of the trace; *count: how many of them ever exist. While an object does not exist its scale is 0.
// False with an error when they cannot be read.
bool glb_scene_objects(GlbScene *scene, TraceReader *reader, int *count, Error *error);

void glb_scene_ground(GlbScene *scene, const GroundMesh *ground, bool is_faceted);
void glb_scene_level(GlbScene *scene, const GroundMesh *ground); // the triangles of a level

// subject: the character that the camera follows, NULL without one; heading: of the subject at the start, deg.
void glb_scene_camera(GlbScene *scene, const CameraDef *camera, const TraceMotion *subject, double heading);

#endif
