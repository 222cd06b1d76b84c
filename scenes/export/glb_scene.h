// A glTF scene under construction, for export_glb.c: characters, ground, objects and cameras, with one animation whose
// keys are the trace's frames. glTF's frame and units are our own: Y up, +Z forward, m. Memory that runs out is
// remembered in the writer.
#ifndef STAGGER_SCENES_EXPORT_GLB_SCENE_H
#define STAGGER_SCENES_EXPORT_GLB_SCENE_H

#include "scenes/description/trace_motion.h"
#include "scenes/export/glb_writer.h"
#include "scenes/export/ground_mesh.h"

typedef struct GlbScene {
  GlbWriter glb;
  cJSON *scene, *animation;
  const double *time; // [frame_count] s, of the trace; keys count from the first
  int frame_count;
  int time_accessor; // that all tracks share
} GlbScene;

// name: of the scene and the animation.
void glb_scene_begin(GlbScene *scene, const char *name, const double *time, int frame_count);

// linear base colour. Returns the material's index.
int glb_scene_material(GlbScene *scene, const char *name, const float color[3], float roughness);

typedef struct GlbPrimitive {
  int positions, normals;  // accessors; normals -1: every triangle is shown flat
  const uint16_t *indices; // [index_count] three a triangle
  int index_count, material;
} GlbPrimitive;

int glb_scene_mesh(GlbScene *scene, const char *name, const GlbPrimitive *primitives, int count);

typedef enum GlbPath { GLB_TRANSLATION, GLB_ROTATION, GLB_SCALE } GlbPath;

// values: [frame_count], 3 floats each, 4 of rotations. Rotations and translations go straight from key to key (a
// rotation is first put on the side of the one before it, in place), scales jump.
void glb_scene_track(GlbScene *scene, int node, GlbPath path, void *values);

// A character: a node with its name, its joints under that, a mesh under each joint. who: its number, for its colour;
// prefix: before the names of its joints, "" when it is alone.
void glb_scene_character(GlbScene *scene, const TraceMotion *motion, int who, const char *prefix);

// The balls of the trace, of which *count are ever there. While one is not, its scale is 0. False with an error when
// they cannot be read.
bool glb_scene_objects(GlbScene *scene, TraceReader *reader, int *count, Error *error);

void glb_scene_ground(GlbScene *scene, const GroundMesh *ground, bool is_faceted);

// subject: whom it follows, NULL when it stands still; heading: of the subject at the start, deg.
void glb_scene_camera(GlbScene *scene, const CameraDef *camera, const TraceMotion *subject, double heading);

#endif
