// Reads the container, the first buffer and the nodes of a glTF file.
#include "scenes/export/rig_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool fail(const File *file, Error *error, const char *cause) {
  return error_at(error, file->name, 0, 0, "%s", cause);
}

// ---- The container ----

static uint32_t number_at(const char *bytes) {
  const unsigned char *b = (const unsigned char *)bytes;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// The chunk that begins at an offset, which is moved behind it. False at the end, or where the file is cut.
static bool next_chunk(const File *file, size_t *at, const char **bytes, size_t *size, uint32_t *type) {
  if (file->size - *at < 8)
    return false;
  *size = number_at(file->bytes + *at);
  *type = number_at(file->bytes + *at + 4);
  *bytes = file->bytes + *at + 8;
  if (*size > file->size - *at - 8)
    return false;
  *at += 8 + *size;
  return true;
}

static bool keep_bytes(RigFile *rig, const void *bytes, size_t size) {
  rig->bytes = malloc(size + 1);
  if (rig->bytes)
    memcpy(rig->bytes, bytes, size);
  rig->size = rig->bytes ? size : 0;
  return rig->bytes != NULL;
}

static bool read_glb(RigFile *rig, const File *file, Error *error) {
  static const uint32_t JSON = 0x4e4f534a, BIN = 0x004e4942;
  const char *bytes;
  size_t at = 12, size;
  uint32_t type;
  if (file->size < 12 || number_at(file->bytes + 4) != 2)
    return fail(file, error, "is not of a known format: a rig is a file of glTF, version 2");
  if (!next_chunk(file, &at, &bytes, &size, &type) || type != JSON)
    return fail(file, error, "is cut short: its description has no end");
  rig->root = cJSON_ParseWithLength(bytes, size);
  if (next_chunk(file, &at, &bytes, &size, &type) && type == BIN && !keep_bytes(rig, bytes, size))
    return fail(file, error, "out of memory");
  return true;
}

// ---- The first buffer ----

static int digit_of(char c) {
  static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *found = c != '\0' ? strchr(DIGITS, c) : NULL;
  return found ? (int)(found - DIGITS) : -1;
}

// Four digits of base64 stand for three bytes; the text ends at padding or at any other character.
static bool decode_base64(RigFile *rig, const char *text) {
  rig->bytes = malloc(strlen(text) / 4 * 3 + 4);
  uint32_t bits = 0;
  int have = 0;
  for (const char *c = text; rig->bytes && digit_of(*c) >= 0; c++) {
    bits = bits << 6 | (uint32_t)digit_of(*c);
    have += 6;
    if (have < 8)
      continue;
    have -= 8;
    rig->bytes[rig->size++] = (unsigned char)(bits >> have);
  }
  return rig->bytes != NULL;
}

// The first buffer becomes the binary's, wherever it was; further ones stay as they are.
static bool read_buffer(RigFile *rig, const File *file, Error *error) {
  cJSON *buffer = cJSON_GetArrayItem(member(rig->root, "buffers"), 0);
  const char *uri = cJSON_GetStringValue(member(buffer, "uri"));
  if (uri) {
    const char *data = strncmp(uri, "data:", 5) == 0 ? strstr(uri, ";base64,") : NULL;
    if (!data || rig->bytes)
      return error_at(error, file->name, 0, 0,
                      "'%.80s' is not in the file's own buffer: save it as .glb, with all in one file", uri);
    if (!decode_base64(rig, data + strlen(";base64,")))
      return fail(file, error, "out of memory");
    cJSON_DeleteItemFromObjectCaseSensitive(buffer, "uri");
  }
  const cJSON *length = member(buffer, "byteLength");
  if (buffer && !(cJSON_IsNumber(length) && length->valuedouble >= 0 && length->valuedouble <= (double)rig->size))
    return fail(file, error, "is cut short: its first buffer is shorter than it says");
  rig->size = buffer ? (size_t)length->valuedouble : 0; // without the padding of the chunk
  return true;
}

// ---- Nodes ----

// Reads up to 16 numbers; `otherwise` where the member is missing.
static bool read_numbers(const cJSON *item, const char *name, const float *otherwise, int count, float *values) {
  const cJSON *list = member(item, name), *value;
  for (int i = 0; i < count; i++)
    values[i] = otherwise[i];
  if (!list)
    return true;
  int i = 0;
  cJSON_ArrayForEach(value, list) {
    if (i == count || !cJSON_IsNumber(value) || !isfinite((float)value->valuedouble))
      return false;
    values[i++] = (float)value->valuedouble;
  }
  return i == count;
}

static bool split_matrix(RigNode *node, const float values[16]) {
  mat4s m;
  memcpy(m.raw, values, sizeof m.raw);
  node->position = glms_vec3(m.col[3]);
  mat3s turn;
  for (int c = 0; c < 3; c++) {
    node->scale.raw[c] = glms_vec3_norm(glms_vec3(m.col[c]));
    if (!(node->scale.raw[c] > 0))
      return false;
    turn.col[c] = glms_vec3_scale(glms_vec3(m.col[c]), 1 / node->scale.raw[c]);
  }
  node->rotation = glms_mat3_quat(turn);
  return glms_mat3_det(turn) > 0;
}

static bool read_node(RigNode *node, cJSON *item) {
  static const float NOTHING[3] = {0, 0, 0}, ONES[3] = {1, 1, 1}, UPRIGHT[4] = {0, 0, 0, 1};
  float values[16] = {0};
  node->item = item;
  node->parent = -1;
  if (member(item, "matrix")) {
    if (!read_numbers(item, "matrix", values, 16, values) || !split_matrix(node, values))
      return false;
  } else if (!read_numbers(item, "translation", NOTHING, 3, node->position.raw) ||
             !read_numbers(item, "scale", ONES, 3, node->scale.raw) ||
             !read_numbers(item, "rotation", UPRIGHT, 4, node->rotation.raw)) {
    return false;
  }
  const float norm = glms_quat_norm(node->rotation);
  node->rotation = glms_quat_normalize(node->rotation);
  return fabsf(norm - 1) < 0.1f;
}

// Writes the number of the node above each one. False: a number that is no node's, or a node that is below two.
static bool find_parents(RigFile *rig) {
  for (int i = 0; i < rig->count; i++) {
    const cJSON *child;
    cJSON_ArrayForEach(child, member(rig->nodes[i].item, "children")) {
      const int index = cJSON_IsNumber(child) ? child->valueint : -1;
      if (index < 0 || index >= rig->count || rig->nodes[index].parent >= 0)
        return false;
      rig->nodes[index].parent = i;
    }
  }
  return true;
}

static void place_node(RigFile *rig, int index) {
  RigNode *node = &rig->nodes[index];
  mat4s local = glms_quat_mat4(node->rotation);
  for (int c = 0; c < 3; c++)
    local.col[c] = glms_vec4_scale(local.col[c], node->scale.raw[c]);
  local.col[3] = glms_vec4(node->position, 1);
  const RigNode *parent = node->parent >= 0 ? &rig->nodes[node->parent] : NULL;
  node->world = parent ? glms_mat4_mul(parent->world, local) : local;
  node->world_rotation =
      parent ? glms_quat_normalize(glms_quat_mul(parent->world_rotation, node->rotation)) : node->rotation;
  node->world_scale = parent ? glms_vec3_mul(parent->world_scale, node->scale) : node->scale;
}

static const float FARTHEST = 1e9f; // units of the file: squares of it are still numbers

static bool is_finite(const RigNode *node) {
  bool good = true;
  for (int i = 0; i < 3; i++)
    good &= fabsf(node->world_scale.raw[i]) <= FARTHEST && fabsf(node->scale.raw[i]) <= FARTHEST &&
            fabsf(node->position.raw[i]) <= FARTHEST;
  for (int i = 0; i < 16; i++)
    good &= fabsf(node->world.raw[i / 4][i % 4]) <= FARTHEST;
  return good;
}

// Places every node after those above it, which may stand behind it in the file. False: a circle, a place that is not
// finite, or no memory.
static bool place_nodes(RigFile *rig) {
  bool *placed = calloc(RIG_MAX_NODES, sizeof *placed);
  int *chain = calloc(RIG_MAX_NODES, sizeof *chain); // a node and those above it that are not placed yet
  bool good = placed && chain;
  for (int i = 0; good && i < rig->count; i++) {
    int length = 0, node = i;
    for (; node >= 0 && !placed[node] && length < rig->count; node = rig->nodes[node].parent)
      chain[length++] = node;
    good = node < 0 || placed[node];
    while (good && length > 0) {
      place_node(rig, chain[--length]);
      placed[chain[length]] = true;
      good = is_finite(&rig->nodes[chain[length]]);
    }
  }
  free(placed);
  free(chain);
  return good;
}

static bool read_nodes(RigFile *rig, const File *file, Error *error) {
  const cJSON *list = member(rig->root, "nodes");
  const int count = cJSON_GetArraySize(list);
  if (count == 0 || count > RIG_MAX_NODES)
    return error_at(error, file->name, 0, 0, "has %d nodes, allowed are 1 to %d", count, RIG_MAX_NODES);
  rig->nodes = calloc((size_t)count, sizeof *rig->nodes);
  if (!rig->nodes)
    return fail(file, error, "out of memory");
  for (cJSON *item = list->child; item; item = item->next)
    if (!read_node(&rig->nodes[rig->count++], item))
      return error_at(error, file->name, 0, 0,
                      "node %d: its place must be a translation, a unit rotation and a scale of finite numbers, or a "
                      "matrix that is not mirrored",
                      rig->count - 1);
  return (find_parents(rig) && place_nodes(rig)) ||
         fail(file, error, "broken file: its nodes are no tree of finite places");
}

bool rig_file_read(RigFile *rig, const File *file, Error *error) {
  *rig = (RigFile){0};
  const bool is_binary = file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0;
  if (is_binary && !read_glb(rig, file, error))
    return false;
  if (!is_binary)
    rig->root = cJSON_ParseWithLength(file->bytes, file->size);
  const char *version = cJSON_GetStringValue(member(member(rig->root, "asset"), "version"));
  if (!version || version[0] != '2')
    return fail(file, error, "is not of a known format: a rig is a file of glTF, version 2");
  return read_buffer(rig, file, error) && read_nodes(rig, file, error);
}

void rig_file_free(RigFile *rig) {
  cJSON_Delete(rig->root);
  free(rig->bytes);
  free(rig->nodes);
  *rig = (RigFile){0};
}

// ---- Joints ----

// Nodes without a name are called "nodes[3]" by assimp.
static bool has_name(const RigNode *node, int index, const char *name) {
  const char *own = cJSON_GetStringValue(member(node->item, "name"));
  char by_number[32];
  snprintf(by_number, sizeof by_number, "nodes[%d]", index);
  return strncmp(own && own[0] != '\0' ? own : by_number, name, MOTION_NAME_SIZE - 1) == 0;
}

static bool is_below(const RigFile *rig, int node, int above) {
  while (node >= 0 && node != above)
    node = rig->nodes[node].parent;
  return node >= 0;
}

void rig_file_match(const RigFile *rig, const Motion *motion, int *nodes) {
  for (int j = 0; j < motion->joint_count; j++) {
    const int parent = motion->joints[j].parent;
    nodes[j] = -1;
    for (int i = 0; i < rig->count && nodes[j] < 0; i++)
      if (has_name(&rig->nodes[i], i, motion->joints[j].name) &&
          (parent < 0 || nodes[parent] < 0 || is_below(rig, rig->nodes[i].parent, nodes[parent])))
        nodes[j] = i;
  }
}
