// Triangles of boxes, capsules and balls, with normals, for exported bodies.
#include "scenes/export/body_mesh.h"

#include <assert.h>
#include <math.h>

enum { SEGMENTS = 24, RINGS = 6 }; // around the axis; from a pole to the equator

static uint16_t add_vertex(BodyMesh *mesh, vec3s position, vec3s normal) {
  assert(mesh->vertex_count < BODY_MESH_VERTICES);
  mesh->positions[mesh->vertex_count] = position;
  mesh->normals[mesh->vertex_count] = normal;
  return (uint16_t)mesh->vertex_count++;
}

static void add_triangle(BodyMesh *mesh, uint16_t a, uint16_t b, uint16_t c) {
  assert(mesh->index_count + 3 <= BODY_MESH_INDICES);
  mesh->indices[mesh->index_count++] = a;
  mesh->indices[mesh->index_count++] = b;
  mesh->indices[mesh->index_count++] = c;
}

// A vector from its components along an axis and the two that follow it cyclically, so that handedness is kept.
static vec3s along_axis(int axis, float a, float b, float c) {
  vec3s v;
  v.raw[axis] = a;
  v.raw[(axis + 1) % 3] = b;
  v.raw[(axis + 2) % 3] = c;
  return v;
}

static void add_box(BodyMesh *mesh, vec3s center, const double size[3]) {
  for (int face = 0; face < 6; face++) {
    int axis = face / 2;
    float sign = face % 2 == 0 ? 1 : -1;
    float h[3];
    for (int k = 0; k < 3; k++)
      h[k] = (float)(0.5 * size[(axis + k) % 3]);
    uint16_t corners[4];
    for (int i = 0; i < 4; i++) {
      float b = i == 0 || i == 3 ? -h[1] : h[1], c = i < 2 ? -h[2] : h[2];
      corners[i] = add_vertex(mesh, glms_vec3_add(center, along_axis(axis, sign * h[0], sign * b, c)),
                              along_axis(axis, sign, 0, 0));
    }
    add_triangle(mesh, corners[0], corners[1], corners[2]);
    add_triangle(mesh, corners[0], corners[2], corners[3]);
  }
}

// Adds a ring of a ball's surface at a latitude `angle`, shifted by `shift` along the axis.
static uint16_t add_ring(BodyMesh *mesh, vec3s center, int axis, float radius, float angle, float shift) {
  uint16_t first = (uint16_t)mesh->vertex_count;
  for (int s = 0; s < SEGMENTS; s++) {
    float turn = 2 * GLM_PIf * (float)s / SEGMENTS;
    vec3s normal = along_axis(axis, sinf(angle), cosf(angle) * cosf(turn), cosf(angle) * sinf(turn));
    vec3s position = glms_vec3_add(glms_vec3_scale(normal, radius), along_axis(axis, shift, 0, 0));
    add_vertex(mesh, glms_vec3_add(center, position), normal);
  }
  return first;
}

static void join_rings(BodyMesh *mesh, uint16_t lower, uint16_t upper) {
  for (int s = 0; s < SEGMENTS; s++) {
    int next = (s + 1) % SEGMENTS;
    add_triangle(mesh, (uint16_t)(lower + s), (uint16_t)(lower + next), (uint16_t)(upper + next));
    add_triangle(mesh, (uint16_t)(lower + s), (uint16_t)(upper + next), (uint16_t)(upper + s));
  }
}

static void add_pole(BodyMesh *mesh, vec3s center, int axis, float end, float sign, uint16_t ring) {
  uint16_t pole = add_vertex(mesh, glms_vec3_add(center, along_axis(axis, end, 0, 0)), along_axis(axis, sign, 0, 0));
  for (int s = 0; s < SEGMENTS; s++) {
    uint16_t a = (uint16_t)(ring + s), b = (uint16_t)(ring + (s + 1) % SEGMENTS);
    add_triangle(mesh, pole, sign > 0 ? a : b, sign > 0 ? b : a);
  }
}

// Adds rings from the lower to the upper pole. A capsule has two equators, with the cylinder between them.
static void add_capsule(BodyMesh *mesh, vec3s center, int axis, float radius, float length) {
  uint16_t first = 0, last = 0;
  for (int half = -1; half <= 1; half += 2) {
    for (int r = 0; r < RINGS; r++) {
      int step = half < 0 ? r + 1 - RINGS : r;
      if (length == 0 && half > 0 && r == 0)
        continue; // a ball has only one equator
      float angle = 0.5f * GLM_PIf * (float)step / RINGS;
      uint16_t ring = add_ring(mesh, center, axis, radius, angle, 0.5f * (float)half * length);
      if (half < 0 && r == 0)
        first = ring;
      else
        join_rings(mesh, last, ring);
      last = ring;
    }
  }
  float end = radius + 0.5f * length;
  add_pole(mesh, center, axis, -end, -1, first);
  add_pole(mesh, center, axis, end, 1, last);
}

// Turns the vertices from `first` on about a point.
static void turn_vertices(BodyMesh *mesh, int first, vec3s about, versors turn) {
  for (int i = first; i < mesh->vertex_count; i++) {
    mesh->positions[i] = glms_vec3_add(about, glms_quat_rotatev(turn, glms_vec3_sub(mesh->positions[i], about)));
    mesh->normals[i] = glms_quat_rotatev(turn, mesh->normals[i]);
  }
}

void body_mesh(const PartDef *part, BodyMesh *mesh) {
  mesh->vertex_count = mesh->index_count = 0;
  for (int i = 0; i < part->shape_count; i++) {
    const ShapeDef *shape = &part->shapes[i];
    vec3s center;
    for (int k = 0; k < 3; k++)
      center.raw[k] = (float)(shape->center_m[k] - part->joint.position[k]);
    float radius = (float)shape->size[0];
    const int first = mesh->vertex_count;
    if (shape->kind == SHAPE_BOX)
      add_box(mesh, center, shape->size);
    else if (shape->kind == SHAPE_CAPSULE)
      add_capsule(mesh, center, shape->axis, radius, (float)shape->size[1]);
    else
      add_capsule(mesh, center, 1, radius, 0);
    if (shape->turned)
      turn_vertices(mesh, first, center, shape_versor(shape));
  }
}
