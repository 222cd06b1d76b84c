// Writes glTF 2.0 binaries: JSON objects and arrays, the binary buffer with its views and accessors, and the file that
// contains both.
#include "scenes/export/glb_writer.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stores a failure when cJSON returns NULL, which means that memory ran out.
static cJSON *keep(GlbWriter *glb, cJSON *item) {
  glb->failed |= !item;
  return item;
}

void glb_begin(GlbWriter *glb, const char *generator) {
  *glb = (GlbWriter){0};
  glb->root = keep(glb, cJSON_CreateObject());
  cJSON *asset = glb_object(glb, glb->root, "asset");
  glb_text(glb, asset, "version", "2.0");
  glb_text(glb, asset, "generator", generator);
}

void glb_text(GlbWriter *glb, cJSON *object, const char *name, const char *text) {
  keep(glb, cJSON_AddStringToObject(object, name, text));
}

void glb_number(GlbWriter *glb, cJSON *object, const char *name, double value) {
  keep(glb, cJSON_AddNumberToObject(object, name, value));
}

static void add_array(GlbWriter *glb, cJSON *object, const char *name, cJSON *array) {
  if (!cJSON_AddItemToObject(object, name, keep(glb, array))) {
    cJSON_Delete(array);
    glb->failed = true;
  }
}

void glb_numbers(GlbWriter *glb, cJSON *object, const char *name, const float *values, int count) {
  add_array(glb, object, name, cJSON_CreateFloatArray(values, count));
}

void glb_reals(GlbWriter *glb, cJSON *object, const char *name, const double *values, int count) {
  add_array(glb, object, name, cJSON_CreateDoubleArray(values, count));
}

cJSON *glb_object(GlbWriter *glb, cJSON *object, const char *name) {
  return keep(glb, cJSON_AddObjectToObject(object, name));
}

static void append(GlbWriter *glb, cJSON *object, const char *name, cJSON *item) {
  cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!list)
    list = keep(glb, cJSON_AddArrayToObject(object, name));
  if (!cJSON_AddItemToArray(list, item)) {
    cJSON_Delete(item);
    glb->failed = true;
  }
}

cJSON *glb_item(GlbWriter *glb, cJSON *object, const char *list) {
  cJSON *item = keep(glb, cJSON_CreateObject());
  append(glb, object, list, item);
  return glb->failed ? NULL : item;
}

void glb_index(GlbWriter *glb, cJSON *object, const char *list, int index) {
  append(glb, object, list, keep(glb, cJSON_CreateNumber(index)));
}

void glb_name(GlbWriter *glb, cJSON *object, const char *list, const char *name) {
  append(glb, object, list, keep(glb, cJSON_CreateString(name)));
}

cJSON *glb_add(GlbWriter *glb, const char *list, int *index) {
  cJSON *item = glb_item(glb, glb->root, list);
  if (index)
    *index = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(glb->root, list)) - 1;
  return item;
}

static bool is_taken(const GlbWriter *glb, const char *name) {
  const cJSON *node;
  cJSON_ArrayForEach(node, cJSON_GetObjectItemCaseSensitive(glb->root, "nodes")) {
    const char *other = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(node, "name"));
    if (other && strcmp(other, name) == 0)
      return true;
  }
  return false;
}

cJSON *glb_node(GlbWriter *glb, const char *name, int *index) {
  char unique[256];
  snprintf(unique, sizeof unique, "%s", name);
  for (int i = 2; is_taken(glb, unique); i++)
    snprintf(unique, sizeof unique, "%.200s_%d", name, i);
  cJSON *node = glb_add(glb, "nodes", index);
  glb_text(glb, node, "name", unique);
  return node;
}

// Every accessor begins at a multiple of four, which satisfies the alignment of all component types.
static bool put_bytes(GlbWriter *glb, const void *bytes, size_t size) {
  size_t padded = (size + 3) & ~(size_t)3;
  if (glb->capacity - glb->size < padded) {
    size_t capacity = 2 * glb->capacity + padded;
    unsigned char *grown = realloc(glb->bytes, capacity);
    if (!grown) {
      glb->failed = true;
      return false;
    }
    glb->bytes = grown;
    glb->capacity = capacity;
  }
  memcpy(glb->bytes + glb->size, bytes, size);
  memset(glb->bytes + glb->size + size, 0, padded - size);
  glb->size += padded;
  return true;
}

void glb_resume(GlbWriter *glb, cJSON *root, const void *bytes, size_t size) {
  *glb = (GlbWriter){.root = root};
  if (size > 0)
    put_bytes(glb, bytes, size);
}

static int add_view(GlbWriter *glb, size_t offset, size_t length, GlbTarget target) {
  int index;
  cJSON *view = glb_add(glb, "bufferViews", &index);
  glb_number(glb, view, "buffer", 0);
  glb_number(glb, view, "byteOffset", (double)offset);
  glb_number(glb, view, "byteLength", (double)length);
  if (target != GLB_NO_TARGET)
    glb_number(glb, view, "target", target);
  return index;
}

static void add_bounds(GlbWriter *glb, cJSON *accessor, int width, int count, const float *values) {
  float low[4], high[4];
  for (int k = 0; k < width; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
    for (int i = 0; i < count; i++) {
      low[k] = fminf(low[k], values[(size_t)i * (size_t)width + (size_t)k]);
      high[k] = fmaxf(high[k], values[(size_t)i * (size_t)width + (size_t)k]);
    }
  }
  glb_numbers(glb, accessor, "min", low, width);
  glb_numbers(glb, accessor, "max", high, width);
}

int glb_accessor(GlbWriter *glb, GlbComponent component, int width, int count, const void *values, GlbTarget target) {
  static const char *const TYPES[] = {NULL, "SCALAR", NULL, "VEC3", "VEC4"};
  size_t length = (size_t)count * (size_t)width * (component == GLB_FLOAT ? sizeof(float) : sizeof(uint16_t));
  size_t offset = glb->size;
  if (!put_bytes(glb, values, length))
    return -1;
  int index, view = add_view(glb, offset, length, target);
  cJSON *accessor = glb_add(glb, "accessors", &index);
  glb_number(glb, accessor, "bufferView", view);
  glb_number(glb, accessor, "componentType", component);
  glb_number(glb, accessor, "count", count);
  glb_text(glb, accessor, "type", TYPES[width]);
  if (component == GLB_FLOAT && width != 4)
    add_bounds(glb, accessor, width, count, values);
  return index;
}

// ---- The container: a header of 12 bytes, then chunks of a length, a type and bytes; all numbers little endian ----

static unsigned char *put_number(unsigned char *at, uint32_t number) {
  for (int i = 0; i < 4; i++)
    *at++ = (unsigned char)(number >> (8 * i));
  return at;
}

static unsigned char *put_chunk(unsigned char *at, const char *type, const void *bytes, size_t size, char padding) {
  size_t padded = (size + 3) & ~(size_t)3;
  at = put_number(at, (uint32_t)padded);
  memcpy(at, type, 4);
  memcpy(at + 4, bytes, size);
  memset(at + 4 + size, padding, padded - size);
  return at + 4 + padded;
}

static char *pack(const GlbWriter *glb, const char *json, size_t *size) {
  size_t length = strlen(json);
  *size = 12 + 8 + ((length + 3) & ~(size_t)3) + 8 + glb->size;
  char *bytes = *size <= UINT32_MAX ? malloc(*size) : NULL;
  if (!bytes)
    return NULL;
  unsigned char *at = (unsigned char *)bytes;
  memcpy(at, "glTF", 4);
  at = put_number(put_number(at + 4, 2), (uint32_t)*size);
  at = put_chunk(at, "JSON", json, length, ' ');
  put_chunk(at, "BIN", glb->bytes, glb->size, 0); // including the zero that ends "BIN"
  return bytes;
}

bool glb_end(GlbWriter *glb, char **bytes, size_t *size) {
  *bytes = NULL;
  *size = 0;
  cJSON *buffer = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(glb->root, "buffers"), 0);
  if (!buffer)
    buffer = glb_add(glb, "buffers", NULL);
  cJSON_DeleteItemFromObjectCaseSensitive(buffer, "byteLength");
  glb_number(glb, buffer, "byteLength", (double)glb->size);
  char *json = glb->failed ? NULL : cJSON_PrintUnformatted(glb->root);
  if (json)
    *bytes = pack(glb, json, size);
  cJSON_free(json);
  cJSON_Delete(glb->root);
  free(glb->bytes);
  *glb = (GlbWriter){0};
  return *bytes != NULL;
}
