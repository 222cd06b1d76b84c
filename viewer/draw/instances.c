// Meshes of rounded shapes in several levels of detail, and the buffer of their instances.
#include "viewer/draw/instances.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// Number of patches along an edge of the cube from which the sphere mesh is made, even.
static const int PATCHES[INSTANCE_LEVELS] = {10, 6, 4, 2};

enum {
  MOST_SIDE = 12, // vertices along an edge of the finest level
  MOST_VERTICES = INSTANCE_LEVELS * 6 * MOST_SIDE * MOST_SIDE,
  MOST_INDICES = INSTANCE_LEVELS * 36 * (MOST_SIDE - 1) * (MOST_SIDE - 1)
};

typedef struct ShapeMesh {
  float vertices[MOST_VERTICES][6]; // direction, sign of the octant
  GLuint indices[MOST_INDICES];
  int vertex_count, index_count;
} ShapeMesh;

// Adds a side of a cube projected onto a sphere, cut along its octants so that the shape shader can move these apart.
static void add_side(ShapeMesh *mesh, int axis, float front, int patches) {
  GLuint first = (GLuint)mesh->vertex_count;
  GLuint side = (GLuint)patches + 2;
  for (int r = 0; r < patches + 2; r++) {
    for (int c = 0; c < patches + 2; c++) {
      // The middle row and column occur twice: once for each octant.
      int steps[2] = {r <= patches / 2 ? r : r - 1, c <= patches / 2 ? c : c - 1};
      float u = tanf(((float)steps[0] / (float)patches - 0.5f) * 1.57079633f);
      float v = tanf(((float)steps[1] / (float)patches - 0.5f) * 1.57079633f);
      vec3s direction, corner;
      direction.raw[axis] = corner.raw[axis] = front;
      direction.raw[(axis + 1) % 3] = u;
      direction.raw[(axis + 2) % 3] = v * front;
      corner.raw[(axis + 1) % 3] = r <= patches / 2 ? -1 : 1;
      corner.raw[(axis + 2) % 3] = (c <= patches / 2 ? -1 : 1) * front;
      direction = glms_vec3_normalize(direction);
      float *vertex = mesh->vertices[mesh->vertex_count++];
      for (int i = 0; i < 3; i++) {
        vertex[i] = direction.raw[i];
        vertex[3 + i] = corner.raw[i];
      }
    }
  }
  for (GLuint r = 0; r + 1 < side; r++) {
    for (GLuint c = 0; c + 1 < side; c++) {
      GLuint a = first + r * side + c;
      const GLuint cell[6] = {a, a + side, a + 1, a + 1, a + side, a + side + 1};
      for (int i = 0; i < 6; i++)
        mesh->indices[mesh->index_count++] = cell[i];
    }
  }
}

static void upload_mesh(Instances *instances) {
  static ShapeMesh mesh; // large
  mesh.vertex_count = mesh.index_count = 0;
  for (int level = 0; level < INSTANCE_LEVELS; level++) {
    int start = mesh.index_count;
    for (int face = 0; face < 6; face++)
      add_side(&mesh, face % 3, face < 3 ? 1 : -1, PATCHES[level]);
    instances->level_start[level] = (size_t)start * sizeof(GLuint);
    instances->level_count[level] = mesh.index_count - start;
  }
  glBindBuffer(GL_ARRAY_BUFFER, instances->mesh);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof mesh.vertices[0] * mesh.vertex_count, mesh.vertices, GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, instances->indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(GLuint) * mesh.index_count, mesh.indices, GL_STATIC_DRAW);
  for (GLuint i = 0; i < 2; i++) {
    glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, sizeof mesh.vertices[0], (const void *)(3 * i * sizeof(float)));
    glEnableVertexAttribArray(i);
  }
}

bool instances_open(Instances *instances) {
  *instances = (Instances){.items = malloc(INSTANCES_MAX * sizeof(Instance)),
                           .unsorted = malloc(INSTANCES_MAX * sizeof(Instance)),
                           .levels = malloc(INSTANCES_MAX)};
  if (!instances->items || !instances->unsorted || !instances->levels)
    return false;
  glGenVertexArrays(1, &instances->vertex_array);
  glGenBuffers(1, &instances->mesh);
  glGenBuffers(1, &instances->indices);
  glGenBuffers(1, &instances->buffer);
  glBindVertexArray(instances->vertex_array);
  upload_mesh(instances);
  for (GLuint i = 2; i < 7; i++) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }
  return true;
}

void instances_close(Instances *instances) {
  if (instances->vertex_array) {
    glDeleteVertexArrays(1, &instances->vertex_array);
    glDeleteBuffers(1, &instances->mesh);
    glDeleteBuffers(1, &instances->indices);
    glDeleteBuffers(1, &instances->buffer);
  }
  free(instances->items);
  free(instances->unsorted);
  free(instances->levels);
  *instances = (Instances){0};
}

void instances_clear(Instances *instances) { instances->count = instances->unsorted_count = 0; }

void instances_add(Instances *instances, const PictureShape *shape, int level) {
  if (instances->count + instances->unsorted_count >= INSTANCES_MAX)
    return;
  versors q = shape->rotation;
  instances->levels[instances->unsorted_count] = (uint8_t)level;
  instances->unsorted[instances->unsorted_count++] = (Instance){
      .position_taper = glms_vec4(shape->position_w, shape->taper),
      .rotation = {{q.x, q.y, q.z, q.w}},
      .half_size = glms_vec4(shape->half_size, 0),
      .radius = glms_vec4(shape->radius, 0),
      .color = shape->color,
  };
}

InstanceBatch instances_close_batch(Instances *instances) {
  InstanceBatch batch = {.first = instances->count};
  for (int level = 0; level < INSTANCE_LEVELS; level++) {
    for (int i = 0; i < instances->unsorted_count; i++) {
      if (instances->levels[i] == level) {
        instances->items[instances->count++] = instances->unsorted[i];
        batch.counts[level]++;
      }
    }
  }
  instances->unsorted_count = 0;
  return batch;
}

void instances_upload(const Instances *instances) {
  glBindBuffer(GL_ARRAY_BUFFER, instances->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(Instance) * instances->count, instances->items, GL_STREAM_DRAW);
}

int instances_level(const PictureShape *shape, float tolerance) {
  float radius = glms_vec3_max(shape->radius);
  int level = INSTANCE_LEVELS - 1;
  // A quarter of a circle as n chords: the outline deviates by r (1 - cos(45 degrees / n)).
  while (level > 0 && radius * (1 - cosf(0.785398163f / (float)PATCHES[level])) > tolerance)
    level--;
  return level;
}

long instances_draw(const Instances *instances, const InstanceBatch *batch, int coarser) {
  long triangles = 0;
  size_t start = (size_t)batch->first * sizeof(Instance);
  glBindVertexArray(instances->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, instances->buffer);
  for (int i = 0; i < INSTANCE_LEVELS; i++) {
    if (batch->counts[i] == 0)
      continue;
    for (GLuint k = 0; k < 5; k++)
      glVertexAttribPointer(2 + k, 4, GL_FLOAT, GL_FALSE, sizeof(Instance), (const void *)(start + k * sizeof(vec4s)));
    int level = i + coarser < INSTANCE_LEVELS ? i + coarser : INSTANCE_LEVELS - 1;
    glDrawElementsInstanced(GL_TRIANGLES, instances->level_count[level], GL_UNSIGNED_INT,
                            (const void *)instances->level_start[level], batch->counts[i]);
    triangles += (long)batch->counts[i] * instances->level_count[level] / 3;
    start += (size_t)batch->counts[i] * sizeof(Instance);
  }
  return triangles;
}
