// Rounded shapes drawn by instancing: one mesh in several levels of detail, and one buffer of the shapes' data.
#ifndef STAGGER_VIEWER_DRAW_INSTANCES_H
#define STAGGER_VIEWER_DRAW_INSTANCES_H

#include <stdint.h>

#include "viewer/draw/gl.h"
#include "viewer/draw/picture.h"

enum {
  INSTANCE_LEVELS = 4,                                    // of detail, 0 the finest
  INSTANCES_MAX = PICTURE_MAX_SHAPES + 2 * DEBUG_DRAW_MAX // an arrow is two shapes
};

// As the vertex shader reads it.
typedef struct Instance {
  vec4s position_taper, rotation, half_size, radius, color;
} Instance;

// Shapes drawn together, sorted by level of detail.
typedef struct InstanceBatch {
  int first, counts[INSTANCE_LEVELS];
} InstanceBatch;

typedef struct Instances {
  GLuint vertex_array, mesh, indices, buffer;
  size_t level_start[INSTANCE_LEVELS]; // in the index buffer, bytes
  GLsizei level_count[INSTANCE_LEVELS];
  Instance *items, *unsorted; // [INSTANCES_MAX]
  uint8_t *levels;            // [INSTANCES_MAX] for the unsorted ones
  int count, unsorted_count;
} Instances;

// False when memory runs out; call instances_close even then.
bool instances_open(Instances *instances);
void instances_close(Instances *instances);

// Each frame: clear; add shapes and close their batch, for each batch; then upload all.
void instances_clear(Instances *instances);
void instances_add(Instances *instances, const PictureShape *shape, int level);
InstanceBatch instances_close_batch(Instances *instances);
void instances_upload(const Instances *instances);

// The coarsest level whose outline deviates by at most `tolerance`, m.
int instances_level(const PictureShape *shape, float tolerance);

// Draws a batch, each shape `coarser` levels below its own; returns the number of triangles.
long instances_draw(const Instances *instances, const InstanceBatch *batch, int coarser);

#endif
