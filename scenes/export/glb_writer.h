// A glTF 2.0 binary (GLB) under construction: the JSON tree and the binary buffer behind it. What runs out of memory is
// remembered, so that callers check once, at the end.
// Format: Khronos Group, glTF 2.0 Specification, chapters 3 (concepts) and 4 (GLB).
#ifndef STAGGER_SCENES_EXPORT_GLB_WRITER_H
#define STAGGER_SCENES_EXPORT_GLB_WRITER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum GlbComponent { GLB_FLOAT = 5126, GLB_UINT16 = 5123 } GlbComponent; // numbers of the specification
typedef enum GlbTarget { GLB_NO_TARGET = 0, GLB_VERTICES = 34962, GLB_INDICES = 34963 } GlbTarget;

typedef struct GlbWriter {
  cJSON *root;
  unsigned char *bytes; // the buffer
  size_t size, capacity;
  bool failed; // no memory
} GlbWriter;

// generator: who writes it, "Stagger 0.1.0".
void glb_begin(GlbWriter *glb, const char *generator);

// A new object at the end of one of the root's lists ("nodes", "meshes"); its index in *index, which may be NULL.
// NULL when memory ran out: the functions below accept it.
cJSON *glb_add(GlbWriter *glb, const char *list, int *index);

// Members of an object, and objects in a list of it.
void glb_text(GlbWriter *glb, cJSON *object, const char *name, const char *text);
void glb_number(GlbWriter *glb, cJSON *object, const char *name, double value);
void glb_numbers(GlbWriter *glb, cJSON *object, const char *name, const float *values, int count);
cJSON *glb_object(GlbWriter *glb, cJSON *object, const char *name);
cJSON *glb_item(GlbWriter *glb, cJSON *object, const char *list);           // a new object at the end of the list
void glb_index(GlbWriter *glb, cJSON *object, const char *list, int index); // a number at the end of the list

// A node with a name that no other node has: a number is put behind one that is taken.
cJSON *glb_node(GlbWriter *glb, const char *name, int *index);

// Copies `count` elements of `width` components (1: scalars, 3: vectors, 4: quaternions) into the buffer. Returns the
// accessor's index. Bounds are written for floats of widths 1 and 3: times and positions need them.
int glb_accessor(GlbWriter *glb, GlbComponent component, int width, int count, const void *values, GlbTarget target);

// The file. The caller frees *bytes. False when memory ran out. Frees the tree and the buffer in either case.
bool glb_end(GlbWriter *glb, char **bytes, size_t *size);

#endif
