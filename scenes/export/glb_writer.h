// A glTF 2.0 binary (GLB) under construction: the JSON tree and the binary buffer. If memory runs out `failed` is set,
// so that callers need to check only once, at the end.
// Format: Khronos Group, glTF 2.0 Specification, chapters 3 (concepts) and 4 (GLB).
#ifndef STAGGER_SCENES_EXPORT_GLB_WRITER_H
#define STAGGER_SCENES_EXPORT_GLB_WRITER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum GlbComponent { GLB_FLOAT = 5126, GLB_UINT16 = 5123 } GlbComponent; // values from the specification
typedef enum GlbTarget { GLB_NO_TARGET = 0, GLB_VERTICES = 34962, GLB_INDICES = 34963 } GlbTarget;

typedef struct GlbWriter {
  cJSON *root;
  unsigned char *bytes; // the binary buffer
  size_t size, capacity;
  bool failed; // no memory
} GlbWriter;

// generator: the program that writes it, "Stagger 0.1.0".
void glb_begin(GlbWriter *glb, const char *generator);

// Goes on with a file: its JSON tree, which the writer then owns, and the bytes of its first buffer, which are copied.
void glb_resume(GlbWriter *glb, cJSON *root, const void *bytes, size_t size);

// Appends an object to one of the root's lists ("nodes", "meshes"); its index is written to *index, which may be NULL.
// Returns NULL when memory ran out, which the functions below accept.
cJSON *glb_add(GlbWriter *glb, const char *list, int *index);

// Add members to an object, and objects to a list of it.
void glb_text(GlbWriter *glb, cJSON *object, const char *name, const char *text);
void glb_number(GlbWriter *glb, cJSON *object, const char *name, double value);
void glb_numbers(GlbWriter *glb, cJSON *object, const char *name, const float *values, int count);
void glb_reals(GlbWriter *glb, cJSON *object, const char *name, const double *values, int count);
cJSON *glb_object(GlbWriter *glb, cJSON *object, const char *name);
cJSON *glb_item(GlbWriter *glb, cJSON *object, const char *list);                 // appends an object to the list
void glb_index(GlbWriter *glb, cJSON *object, const char *list, int index);       // appends a number to the list
void glb_name(GlbWriter *glb, cJSON *object, const char *list, const char *name); // appends a text to the list

// Adds a node with a unique name: a number is appended to a name that is taken.
cJSON *glb_node(GlbWriter *glb, const char *name, int *index);

// Copies `count` elements of `width` components (1: scalars, 3: vectors, 4: quaternions) into the buffer. Returns the
// accessor's index. For floats of width 1 and 3 the bounds are written, which times and positions require.
int glb_accessor(GlbWriter *glb, GlbComponent component, int width, int count, const void *values, GlbTarget target);

// Makes the file, which the caller frees. False when memory ran out. Frees tree and buffer in either case.
bool glb_end(GlbWriter *glb, char **bytes, size_t *size);

#endif
