// Reads the triangles of binary glTF 2.0 files (Khronos 2021): of each mesh that a node of the scene shows, placed by
// its nodes. Materials, skins and animations do not matter to the ground. Compressed meshes are refused by name.
#include <cjson/cJSON.h>
#include <string.h>

#include "sim/terrain/level_internal.h"

enum { MAX_NODE_DEPTH = 64, TRIANGLES = 4 };
enum { UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };

typedef struct Glb {
  LevelReader *reader;
  const cJSON *meshes, *nodes, *accessors, *views;
  const unsigned char *binary;
  size_t binary_size;
  char element[64]; // that is being read, for errors
} Glb;

// A list of vectors or numbers in the binary part.
typedef struct Accessor {
  const unsigned char *bytes;
  size_t stride;
  long count;
  int type; // of a component
} Accessor;

// Rotation, scale and shear, and a translation.
typedef struct Placing {
  double axes[3][3], origin[3]; // axes[row][column]
} Placing;

static bool fail(const Glb *glb, const char *cause) {
  const bool named = glb->element[0] != '\0';
  return error_at(glb->reader->error, glb->reader->file->name, 0, 0, "%s%s%s", glb->element, named ? ": " : "", cause);
}

// A whole number of an object, `otherwise` when it is missing; -1 when it is none from 0 to 2^53.
static double whole(const cJSON *object, const char *key, double otherwise) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item)
    return otherwise;
  double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
  return number >= 0 && number <= 0x1p53 && number == floor(number) ? number : -1;
}

// The item of an array with the number that an object has under a key; NULL when there is none.
static const cJSON *refer(const cJSON *array, const cJSON *object, const char *key) {
  double index = whole(object, key, -1);
  return index >= 0 && index < cJSON_GetArraySize(array) ? cJSON_GetArrayItem(array, (int)index) : NULL;
}

// ---- The binary part ----

static size_t component_size(int type) { return type == UNSIGNED_BYTE ? 1 : type == UNSIGNED_SHORT ? 2 : 4; }

// components: for each element.
static bool open_accessor(const Glb *glb, const cJSON *object, const char *key, size_t components, Accessor *accessor) {
  const cJSON *item = refer(glb->accessors, object, key), *view = refer(glb->views, item, "bufferView");
  if (!item)
    return fail(glb, "it refers to an accessor that does not exist");
  if (!view || cJSON_GetObjectItemCaseSensitive(item, "sparse"))
    return fail(glb, "sparse accessors are not read");
  if (whole(view, "buffer", -1) != 0)
    return fail(glb, "its data is not in the file's own buffer");
  double type = whole(item, "componentType", -1), count = whole(item, "count", -1);
  accessor->type = (int)type;
  size_t size = component_size(accessor->type) * components;
  double stride = whole(view, "byteStride", (double)size);
  double view_offset = whole(view, "byteOffset", 0), view_size = whole(view, "byteLength", -1);
  double offset = whole(item, "byteOffset", 0);
  if (type < 0 || count < 1 || count > INT32_MAX || stride < (double)size || view_offset < 0 || view_size < 0 ||
      offset < 0)
    return fail(glb, "an accessor's numbers are missing or out of range");
  if (view_offset + view_size > (double)glb->binary_size || offset + (count - 1) * stride + (double)size > view_size)
    return fail(glb, "an accessor reaches beyond the end of its data");
  accessor->bytes = glb->binary + (size_t)view_offset + (size_t)offset;
  accessor->stride = (size_t)stride;
  accessor->count = (long)count;
  return true;
}

static uint32_t read_index(const Accessor *accessor, long place) {
  const unsigned char *at = accessor->bytes + (size_t)place * accessor->stride;
  uint32_t index = at[0];
  if (accessor->type != UNSIGNED_BYTE)
    index |= (uint32_t)at[1] << 8;
  if (accessor->type == UNSIGNED_INT)
    index |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  return index;
}

static bool read_vertex(const Glb *glb, const Accessor *positions, long place, const Placing *placing, double out[3]) {
  float local[3]; // glTF and all machines this runs on are little-endian
  memcpy(local, positions->bytes + (size_t)place * positions->stride, sizeof local);
  for (int axis = 0; axis < 3; axis++)
    out[axis] = placing->axes[axis][0] * (double)local[0] + placing->axes[axis][1] * (double)local[1] +
                placing->axes[axis][2] * (double)local[2] + placing->origin[axis];
  if (finite3(out))
    return true;
  char cause[64];
  snprintf(cause, sizeof cause, "vertex %ld is not finite", place);
  return fail(glb, cause);
}

// ---- Meshes ----

static bool read_primitive(Glb *glb, const cJSON *primitive, const Placing *placing, bool mirrored) {
  const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
  const cJSON *extensions = cJSON_GetObjectItemCaseSensitive(primitive, "extensions");
  Accessor positions, indices = {.count = 0};
  double mode = whole(primitive, "mode", TRIANGLES);
  if (mode >= 0 && mode < TRIANGLES)
    return true; // points and lines
  if (mode != TRIANGLES)
    return fail(glb, "strips and fans of triangles are not read; export plain triangles");
  if (cJSON_GetObjectItemCaseSensitive(extensions, "KHR_draco_mesh_compression"))
    return fail(glb, "it is compressed with Draco; export it without compression");
  if (!open_accessor(glb, attributes, "POSITION", 3, &positions))
    return false;
  if (positions.type != FLOAT)
    return fail(glb, "its positions are not floats; export it without quantization");
  bool indexed = cJSON_GetObjectItemCaseSensitive(primitive, "indices") != NULL;
  if (indexed && !open_accessor(glb, primitive, "indices", 1, &indices))
    return false;
  if (indexed && indices.type != UNSIGNED_BYTE && indices.type != UNSIGNED_SHORT && indices.type != UNSIGNED_INT)
    return fail(glb, "its indices are no unsigned whole numbers");
  long count = indexed ? indices.count : positions.count;
  if (count % 3 != 0)
    return fail(glb, "the number of its triangles' corners is no multiple of 3");
  for (long i = 0; i < count; i += 3) {
    double vertices[3][3];
    for (int v = 0; v < 3; v++) {
      uint32_t index = indexed ? read_index(&indices, i + v) : (uint32_t)(i + v);
      if (index >= (uint32_t)positions.count) {
        char cause[96];
        snprintf(cause, sizeof cause, "triangle %ld refers to vertex %u; there are %ld", i / 3, index, positions.count);
        return fail(glb, cause);
      }
      if (!read_vertex(glb, &positions, index, placing, vertices[v]))
        return false;
    }
    if (!level_add_triangle(glb->reader, vertices[0], vertices[mirrored ? 2 : 1], vertices[mirrored ? 1 : 2]))
      return false;
  }
  return true;
}

static bool read_mesh(Glb *glb, const cJSON *node, const Placing *placing) {
  if (!cJSON_GetObjectItemCaseSensitive(node, "mesh"))
    return true;
  const cJSON *mesh = refer(glb->meshes, node, "mesh"), *primitive;
  if (!mesh)
    return fail(glb, "it refers to a mesh that does not exist");
  double across[3];
  cross3(placing->axes[0], placing->axes[1], across);
  bool mirrored = dot3(across, placing->axes[2]) < 0;
  int number = 0;
  cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(mesh, "primitives")) {
    snprintf(glb->element, sizeof glb->element, "meshes[%d].primitives[%d]", (int)whole(node, "mesh", 0), number++);
    if (!read_primitive(glb, primitive, placing, mirrored))
      return false;
  }
  return true;
}

// ---- Nodes ----

// The numbers of an array. False when it is there but has other than `count` finite numbers.
static bool read_numbers(const cJSON *object, const char *key, int count, double *numbers) {
  const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key), *item;
  if (!array)
    return true;
  if (cJSON_GetArraySize(array) != count)
    return false;
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
      return false;
    *numbers++ = item->valuedouble;
  }
  return true;
}

static void turn(const double q[4], double axes[3][3]) { // x, y, z, w
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  memcpy(axes, rows, sizeof rows);
}

// A node's own placing: a matrix, column by column, or a translation, rotation and scale.
static bool read_placing(const cJSON *node, Placing *placing) {
  double matrix[16] = {0}, translation[3] = {0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
  if (cJSON_GetObjectItemCaseSensitive(node, "matrix")) {
    if (!read_numbers(node, "matrix", 16, matrix))
      return false;
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++)
        placing->axes[row][column] = matrix[4 * column + row];
      placing->origin[row] = matrix[12 + row];
    }
    return true;
  }
  if (!read_numbers(node, "translation", 3, translation) || !read_numbers(node, "rotation", 4, rotation) ||
      !read_numbers(node, "scale", 3, scale))
    return false;
  turn(rotation, placing->axes);
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      placing->axes[row][column] *= scale[column];
    placing->origin[row] = translation[row];
  }
  return true;
}

static void place(const Placing *parent, const Placing *own, Placing *out) {
  for (int row = 0; row < 3; row++) {
    const double *axes = parent->axes[row];
    for (int column = 0; column < 3; column++)
      out->axes[row][column] =
          axes[0] * own->axes[0][column] + axes[1] * own->axes[1][column] + axes[2] * own->axes[2][column];
    out->origin[row] = dot3(axes, own->origin) + parent->origin[row];
  }
}

static bool read_nodes(Glb *glb, const cJSON *list, const Placing *parent, int depth) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    const cJSON *node =
        number >= 0 && number < cJSON_GetArraySize(glb->nodes) ? cJSON_GetArrayItem(glb->nodes, (int)number) : NULL;
    if (!node)
      return fail(glb, "it refers to a node that does not exist");
    snprintf(glb->element, sizeof glb->element, "nodes[%d]", (int)number);
    if (depth == MAX_NODE_DEPTH)
      return fail(glb, "nodes are nested more than 64 deep");
    Placing own, placing;
    if (!read_placing(node, &own))
      return fail(glb, "its matrix, translation, rotation or scale is no list of finite numbers");
    place(parent, &own, &placing);
    if (!read_mesh(glb, node, &placing) ||
        !read_nodes(glb, cJSON_GetObjectItemCaseSensitive(node, "children"), &placing, depth + 1))
      return false;
  }
  return true;
}

// ---- The file ----

static uint32_t read_word(const char *bytes) {
  const unsigned char *at = (const unsigned char *)bytes;
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool read_document(Glb *glb, const cJSON *root) {
  static const Placing none = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  glb->meshes = cJSON_GetObjectItemCaseSensitive(root, "meshes");
  glb->nodes = cJSON_GetObjectItemCaseSensitive(root, "nodes");
  glb->accessors = cJSON_GetObjectItemCaseSensitive(root, "accessors");
  glb->views = cJSON_GetObjectItemCaseSensitive(root, "bufferViews");
  const cJSON *scenes = cJSON_GetObjectItemCaseSensitive(root, "scenes");
  const cJSON *scene = cJSON_GetArrayItem(scenes, (int)max_d(whole(root, "scene", 0), 0));
  return scene ? read_nodes(glb, cJSON_GetObjectItemCaseSensitive(scene, "nodes"), &none, 0)
               : fail(glb, "it has no scene");
}

// The JSON part, which begins at byte 20. 0 and its fault when it is unusable.
static size_t json_part(const File *file, const char **fault) {
  *fault = "it is no binary glTF 2.0 file";
  if (file->size < 20 || memcmp(file->bytes, "glTF", 4) != 0 || read_word(file->bytes + 4) != 2)
    return 0;
  *fault = "its JSON part is missing or cut off";
  size_t size = read_word(file->bytes + 12);
  return memcmp(file->bytes + 16, "JSON", 4) == 0 && size <= file->size - 20 ? size : 0;
}

int level_glb_count(const File *file, const char *list) {
  const char *fault;
  size_t size = json_part(file, &fault);
  cJSON *root = size > 0 ? cJSON_ParseWithLength(file->bytes + 20, size) : NULL;
  int count = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, list));
  cJSON_Delete(root);
  return count;
}

bool level_read_glb(LevelReader *reader) {
  Glb glb = {.reader = reader};
  const File *file = reader->file;
  const char *fault;
  size_t json_size = json_part(file, &fault), rest = file->size - 20;
  if (json_size == 0)
    return fail(&glb, fault);
  const char *chunk = file->bytes + 20 + json_size;
  rest -= json_size;
  if (rest >= 8 && memcmp(chunk + 4, "BIN", 4) == 0) {
    glb.binary = (const unsigned char *)chunk + 8;
    glb.binary_size = read_word(chunk);
    if (glb.binary_size > rest - 8)
      return fail(&glb, "its binary part is cut off");
  }
  cJSON *root = cJSON_ParseWithLength(file->bytes + 20, json_size);
  bool good = root ? read_document(&glb, root) : fail(&glb, "its JSON part cannot be read");
  cJSON_Delete(root);
  return good;
}
