// Writes Foxglove's messages and describes them.
#include "scenes/export/foxglove.h"

#include <math.h>
#include <string.h>

#include "anim/pose.h"

// ---- Schema ----

// Numbers of FieldDescriptorProto.Type.
typedef enum FieldType { DOUBLE = 1, INT64 = 3, INT32 = 5, FIXED32 = 7, BOOL = 8, TEXT = 9, MESSAGE = 11 } FieldType;

// A field of a message; those of a message follow each other.
typedef struct Field {
  const char *message, *name;
  int number;
  FieldType type;
  const char *type_name; // of a message
  bool repeated;
} Field;

static const Field timestamp_fields[] = {{"Timestamp", "seconds", 1, INT64, NULL, false},
                                         {"Timestamp", "nanos", 2, INT32, NULL, false}};
static const Field duration_fields[] = {{"Duration", "seconds", 1, INT64, NULL, false},
                                        {"Duration", "nanos", 2, INT32, NULL, false}};

#define TIMESTAMP ".google.protobuf.Timestamp"

static const Field foxglove_fields[] = {
    {"Vector3", "x", 1, DOUBLE, NULL, false},
    {"Vector3", "y", 2, DOUBLE, NULL, false},
    {"Vector3", "z", 3, DOUBLE, NULL, false},
    {"Point3", "x", 1, DOUBLE, NULL, false},
    {"Point3", "y", 2, DOUBLE, NULL, false},
    {"Point3", "z", 3, DOUBLE, NULL, false},
    {"Quaternion", "x", 1, DOUBLE, NULL, false},
    {"Quaternion", "y", 2, DOUBLE, NULL, false},
    {"Quaternion", "z", 3, DOUBLE, NULL, false},
    {"Quaternion", "w", 4, DOUBLE, NULL, false},
    {"Pose", "position", 1, MESSAGE, ".foxglove.Vector3", false},
    {"Pose", "orientation", 2, MESSAGE, ".foxglove.Quaternion", false},
    {"Color", "r", 1, DOUBLE, NULL, false},
    {"Color", "g", 2, DOUBLE, NULL, false},
    {"Color", "b", 3, DOUBLE, NULL, false},
    {"Color", "a", 4, DOUBLE, NULL, false},
    {"FrameTransform", "timestamp", 1, MESSAGE, TIMESTAMP, false},
    {"FrameTransform", "parent_frame_id", 2, TEXT, NULL, false},
    {"FrameTransform", "child_frame_id", 3, TEXT, NULL, false},
    {"FrameTransform", "translation", 4, MESSAGE, ".foxglove.Vector3", false},
    {"FrameTransform", "rotation", 5, MESSAGE, ".foxglove.Quaternion", false},
    {"FrameTransforms", "transforms", 1, MESSAGE, ".foxglove.FrameTransform", true},
    {"ArrowPrimitive", "pose", 1, MESSAGE, ".foxglove.Pose", false},
    {"ArrowPrimitive", "shaft_length", 2, DOUBLE, NULL, false},
    {"ArrowPrimitive", "shaft_diameter", 3, DOUBLE, NULL, false},
    {"ArrowPrimitive", "head_length", 4, DOUBLE, NULL, false},
    {"ArrowPrimitive", "head_diameter", 5, DOUBLE, NULL, false},
    {"ArrowPrimitive", "color", 6, MESSAGE, ".foxglove.Color", false},
    {"CubePrimitive", "pose", 1, MESSAGE, ".foxglove.Pose", false},
    {"CubePrimitive", "size", 2, MESSAGE, ".foxglove.Vector3", false},
    {"CubePrimitive", "color", 3, MESSAGE, ".foxglove.Color", false},
    {"SpherePrimitive", "pose", 1, MESSAGE, ".foxglove.Pose", false},
    {"SpherePrimitive", "size", 2, MESSAGE, ".foxglove.Vector3", false},
    {"SpherePrimitive", "color", 3, MESSAGE, ".foxglove.Color", false},
    {"CylinderPrimitive", "pose", 1, MESSAGE, ".foxglove.Pose", false},
    {"CylinderPrimitive", "size", 2, MESSAGE, ".foxglove.Vector3", false},
    {"CylinderPrimitive", "bottom_scale", 3, DOUBLE, NULL, false},
    {"CylinderPrimitive", "top_scale", 4, DOUBLE, NULL, false},
    {"CylinderPrimitive", "color", 5, MESSAGE, ".foxglove.Color", false},
    {"TriangleListPrimitive", "pose", 1, MESSAGE, ".foxglove.Pose", false},
    {"TriangleListPrimitive", "points", 2, MESSAGE, ".foxglove.Point3", true},
    {"TriangleListPrimitive", "color", 3, MESSAGE, ".foxglove.Color", false},
    {"TriangleListPrimitive", "colors", 4, MESSAGE, ".foxglove.Color", true},
    {"TriangleListPrimitive", "indices", 5, FIXED32, NULL, true},
    {"SceneEntity", "timestamp", 1, MESSAGE, TIMESTAMP, false},
    {"SceneEntity", "frame_id", 2, TEXT, NULL, false},
    {"SceneEntity", "id", 3, TEXT, NULL, false},
    {"SceneEntity", "lifetime", 4, MESSAGE, ".google.protobuf.Duration", false},
    {"SceneEntity", "frame_locked", 5, BOOL, NULL, false},
    {"SceneEntity", "arrows", 7, MESSAGE, ".foxglove.ArrowPrimitive", true},
    {"SceneEntity", "cubes", 8, MESSAGE, ".foxglove.CubePrimitive", true},
    {"SceneEntity", "spheres", 9, MESSAGE, ".foxglove.SpherePrimitive", true},
    {"SceneEntity", "cylinders", 10, MESSAGE, ".foxglove.CylinderPrimitive", true},
    {"SceneEntity", "triangles", 12, MESSAGE, ".foxglove.TriangleListPrimitive", true},
    {"SceneUpdate", "entities", 2, MESSAGE, ".foxglove.SceneEntity", true},
};

static void add_field(TextBuffer *message, const Field *field) {
  TextBuffer described = {0};
  protobuf_text(&described, 1, field->name);
  protobuf_integer(&described, 3, (uint64_t)field->number);
  protobuf_integer(&described, 4, field->repeated ? 3 : 1);
  protobuf_integer(&described, 5, (uint64_t)field->type);
  if (field->type_name)
    protobuf_text(&described, 6, field->type_name);
  protobuf_message(message, 2, &described);
}

static void add_file(TextBuffer *set, const char *name, const char *package, const char *const *imports,
                     const Field *fields, int count) {
  TextBuffer file = {0};
  protobuf_text(&file, 1, name);
  protobuf_text(&file, 2, package);
  for (; *imports; imports++)
    protobuf_text(&file, 3, *imports);
  for (int i = 0; i < count;) {
    const char *message_name = fields[i].message;
    TextBuffer message = {0};
    protobuf_text(&message, 1, message_name);
    for (; i < count && strcmp(fields[i].message, message_name) == 0; i++)
      add_field(&message, &fields[i]);
    protobuf_message(&file, 4, &message);
  }
  protobuf_text(&file, 12, "proto3");
  protobuf_message(set, 1, &file);
}

void foxglove_schema(TextBuffer *schema) {
  static const char *const none[] = {NULL};
  static const char *const imports[] = {"google/protobuf/timestamp.proto", "google/protobuf/duration.proto", NULL};
  add_file(schema, imports[0], "google.protobuf", none, timestamp_fields, 2);
  add_file(schema, imports[1], "google.protobuf", none, duration_fields, 2);
  add_file(schema, "foxglove/stagger.proto", "foxglove", imports, foxglove_fields,
           sizeof foxglove_fields / sizeof foxglove_fields[0]);
}

// ---- Messages ----

// Seconds and nanoseconds, of a Timestamp or a Duration.
static void add_time(TextBuffer *message, int field, uint64_t time_ns) {
  TextBuffer time = {0};
  protobuf_integer(&time, 1, time_ns / 1000000000);
  protobuf_integer(&time, 2, time_ns % 1000000000);
  protobuf_message(message, field, &time);
}

static void add_numbers(TextBuffer *message, int field, const double *values, int count) {
  TextBuffer numbers = {0};
  for (int i = 0; i < count; i++)
    protobuf_double(&numbers, i + 1, values[i]);
  protobuf_message(message, field, &numbers);
}

static void add_vector(TextBuffer *message, int field, vec3s v) {
  add_numbers(message, field, (const double[]){(double)v.z, (double)v.x, (double)v.y}, 3);
}

static void add_quaternion(TextBuffer *message, int field, versors q) {
  add_numbers(message, field, (const double[]){(double)q.z, (double)q.x, (double)q.y, (double)q.w}, 4);
}

static void add_pose(TextBuffer *message, vec3s position, versors rotation) {
  TextBuffer pose = {0};
  add_vector(&pose, 1, position);
  add_quaternion(&pose, 2, rotation);
  protobuf_message(message, 1, &pose);
}

void foxglove_add_transform(TextBuffer *transforms, uint64_t time_ns, const char *child, vec3s position,
                            versors rotation) {
  TextBuffer transform = {0};
  add_time(&transform, 1, time_ns);
  protobuf_text(&transform, 2, "world");
  protobuf_text(&transform, 3, child);
  add_vector(&transform, 4, position);
  add_quaternion(&transform, 5, rotation);
  protobuf_message(transforms, 1, &transform);
}

static TextBuffer begin_entity(uint64_t time_ns, const char *frame, const char *id) {
  TextBuffer entity = {0};
  add_time(&entity, 1, time_ns);
  protobuf_text(&entity, 2, frame);
  protobuf_text(&entity, 3, id);
  return entity;
}

enum { ARROWS = 7, CUBES = 8, SPHERES = 9, CYLINDERS = 10, TRIANGLES = 12 }; // fields of SceneEntity

static const double BODY[] = {0.9, 0.8, 0.65, 1}, GROUND[] = {0.45, 0.47, 0.45, 1}; // colours
static const double HIT[] = {0.9, 0.15, 0.1, 1}, CONTACT[] = {0.15, 0.6, 0.9, 1};

static void add_solid(TextBuffer *entity, int kind, vec3s center, versors rotation, vec3s size, const double color[4]) {
  TextBuffer solid = {0};
  add_pose(&solid, center, rotation);
  add_vector(&solid, 2, size);
  if (kind == CYLINDERS) {
    protobuf_double(&solid, 3, 1);
    protobuf_double(&solid, 4, 1);
  }
  add_numbers(&solid, kind == CYLINDERS ? 5 : 3, color, 4);
  protobuf_message(entity, kind, &solid);
}

// A cylinder, which stands upright unless it is turned, between two spheres.
static void add_capsule(TextBuffer *entity, const ShapeDef *shape, vec3s center) {
  const float diameter = 2 * (float)shape->size[0], length = (float)shape->size[1];
  const vec3s size = {{diameter, length, diameter}}, round = {{diameter, diameter, diameter}};
  vec3s axis = {{0, 0, 0}};
  axis.raw[shape->axis] = 1;
  if (shape->turned)
    axis = glms_quat_rotatev(shape_versor(shape), axis);
  add_solid(entity, CYLINDERS, center, quat_shortest_arc((vec3s){{0, 1, 0}}, axis), size, BODY);
  for (int end = -1; end <= 1; end += 2)
    add_solid(entity, SPHERES, glms_vec3_add(center, glms_vec3_scale(axis, (float)end * length / 2)),
              glms_quat_identity(), round, BODY);
}

static void add_shape(TextBuffer *entity, const ShapeDef *shape, vec3s center) {
  const float radius = (float)shape->size[0];
  switch (shape->kind) {
  case SHAPE_BOX:
    add_solid(entity, CUBES, center, shape_versor(shape), vec3_from_doubles(shape->size), BODY);
    break;
  case SHAPE_CAPSULE:
    add_capsule(entity, shape, center);
    break;
  case SHAPE_SPHERE:
    add_solid(entity, SPHERES, center, glms_quat_identity(), (vec3s){{2 * radius, 2 * radius, 2 * radius}}, BODY);
    break;
  }
}

void foxglove_add_part(TextBuffer *update, uint64_t time_ns, const char *frame, const PartDef *part) {
  TextBuffer entity = begin_entity(time_ns, frame, frame);
  protobuf_integer(&entity, 5, 1); // moves with its frame
  for (int i = 0; i < part->shape_count; i++) {
    const vec3s center = vec3_from_doubles(part->shapes[i].center_m);
    add_shape(&entity, &part->shapes[i], glms_vec3_sub(center, vec3_from_doubles(part->joint.position)));
  }
  protobuf_message(update, 2, &entity);
}

// An arrow from a point.
static void add_arrow(TextBuffer *entity, vec3s from, vec3s forward, double length, double thickness,
                      const double color[4]) {
  const double head = fmin(0.08, 0.4 * length);
  TextBuffer arrow = {0};
  add_pose(&arrow, from, quat_shortest_arc((vec3s){{0, 0, 1}}, forward));
  protobuf_double(&arrow, 2, length - head);
  protobuf_double(&arrow, 3, thickness);
  protobuf_double(&arrow, 4, head);
  protobuf_double(&arrow, 5, 2 * thickness);
  add_numbers(&arrow, 6, color, 4);
  protobuf_message(entity, ARROWS, &arrow);
}

void foxglove_add_hit(TextBuffer *update, uint64_t time_ns, const char *id, vec3s point, vec3s impulse) {
  static const float SHORTEST = 0.2f, PER_IMPULSE = 0.02f; // m, m/(N s)
  const float size = glms_vec3_norm(impulse), length = SHORTEST + PER_IMPULSE * size;
  if (!(size > 0))
    return;
  const vec3s forward = glms_vec3_scale(impulse, 1 / size);
  TextBuffer entity = begin_entity(time_ns, "world", id);
  add_time(&entity, 4, 500000000);
  add_arrow(&entity, glms_vec3_sub(point, glms_vec3_scale(forward, length)), forward, (double)length, 0.02, HIT);
  protobuf_message(update, 2, &entity);
}

void foxglove_add_box(TextBuffer *update, const char *frame, vec3s size) {
  TextBuffer entity = begin_entity(0, frame, frame);
  protobuf_integer(&entity, 5, 1); // moves with its frame
  add_solid(&entity, CUBES, GLMS_VEC3_ZERO, glms_quat_identity(), size, GROUND);
  protobuf_message(update, 2, &entity);
}

void foxglove_add_vertex(TextBuffer *triangles, vec3s place) { add_vector(triangles, 2, place); }

void foxglove_add_indices(TextBuffer *triangles, const uint16_t *indices, int count) {
  TextBuffer packed = {0};
  for (int i = 0; i < count; i++) {
    const uint32_t index = indices[i]; // machines are little-endian
    text_append(&packed, (const char *)&index, sizeof index);
  }
  protobuf_message(triangles, 5, &packed);
}

void foxglove_add_ground(TextBuffer *update, TextBuffer *triangles) {
  TextBuffer entity = begin_entity(0, "world", "ground");
  add_pose(triangles, GLMS_VEC3_ZERO, glms_quat_identity());
  add_numbers(triangles, 3, GROUND, 4);
  protobuf_message(&entity, TRIANGLES, triangles);
  protobuf_message(update, 2, &entity);
}

TextBuffer foxglove_begin_contacts(uint64_t time_ns) { return begin_entity(time_ns, "world", "contacts"); }

void foxglove_add_contact(TextBuffer *contacts, vec3s place, vec3s force) {
  static const float PER_FORCE = 0.001f; // m/N
  const float size = glms_vec3_norm(force);
  if (size > 0 && isfinite(size))
    add_arrow(contacts, place, glms_vec3_scale(force, 1 / size), (double)(PER_FORCE * size), 0.015, CONTACT);
}

void foxglove_end_contacts(TextBuffer *update, TextBuffer *contacts) { protobuf_message(update, 2, contacts); }
