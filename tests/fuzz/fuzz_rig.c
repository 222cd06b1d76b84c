// How to run: ./dev fuzz
// Any bytes are read as a rig to write motion onto: the first says whether as a .glb, a .gltf, or the description in a
// sound .glb. A refused file must come with an error; of an accepted one the nodes are a tree of finite places.
#include <math.h>
#include <string.h>

#include "fuzzer.h"

#include "scenes/export/rig_file.h"

static void put_number(char *at, size_t number) {
  for (int i = 0; i < 4; i++)
    at[i] = (char)(number >> (8 * i));
}

// A .glb with this description and eight bytes of a buffer; size: in and out.
static char *wrap(const uint8_t *text, size_t *size) {
  const size_t padded = (*size + 3) & ~(size_t)3, whole = 12 + 8 + padded + 8 + 8;
  char *bytes = calloc(whole, 1);
  check(bytes != NULL);
  put_number(bytes, 0x46546c67); // "glTF"
  put_number(bytes + 4, 2);
  put_number(bytes + 8, whole);
  put_number(bytes + 12, padded);
  put_number(bytes + 16, 0x4e4f534a); // "JSON"
  memset(bytes + 20, ' ', padded);
  if (*size > 0)
    memcpy(bytes + 20, text, *size);
  put_number(bytes + 20 + padded, 8);
  put_number(bytes + 24 + padded, 0x004e4942); // "BIN"
  *size = whole;
  return bytes;
}

static void check_rig(const RigFile *rig) {
  check(rig->root && rig->count >= 0 && rig->count <= RIG_MAX_NODES);
  for (int i = 0; i < rig->count; i++) {
    const RigNode *node = &rig->nodes[i];
    check(node->parent >= -1 && node->parent < rig->count && node->parent != i);
    check(isfinite(glms_vec3_norm(node->position)) && fabsf(glms_quat_norm(node->rotation) - 1) < 1e-3f);
    for (int k = 0; k < 16; k++)
      check(isfinite(node->world.raw[k / 4][k % 4]));
    int steps = 0;
    for (int above = node->parent; above >= 0; above = rig->nodes[above].parent)
      check(++steps <= rig->count);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char names[][8] = {"a.glb", "a.gltf", "a.glb"};
  const int way = size > 0 ? data[0] % 3 : 0;
  data += size > 0 ? 1 : 0;
  size -= size > 0 ? 1 : 0;
  char *bytes = way == 2 ? wrap(data, &size) : calloc(size + 1, 1);
  check(bytes != NULL);
  if (way != 2 && size > 0)
    memcpy(bytes, data, size);
  const File file = {.name = names[way], .path = names[way], .bytes = bytes, .size = size};
  RigFile rig;
  Error error = {0};
  const bool good = rig_file_read(&rig, &file, &error);
  check(good == (error.text[0] == '\0'));
  if (good)
    check_rig(&rig);
  rig_file_free(&rig);
  free(bytes);
  return 0;
}
