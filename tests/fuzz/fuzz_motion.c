// How to run: ./dev fuzz
// Broken motion files: the first byte says how the others are used, as a whole file or as edits of a valid one. BVH and
// the formats without assimp are read in this process, which the fuzzer observes; the others as users read them, in a
// child process, since assimp is known to crash on some. An accepted file must be finite, and BVH must be the same when
// written and read again; a refused file must come with an error.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzer.h"

#include "anim/motion/motion_internal.h"

static const char BVH[] =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    " JOINT LeftUpLeg\n {\n  OFFSET 8 0 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n  JOINT LeftFoot\n  {\n"
    "   OFFSET 0 -80 0\n   CHANNELS 3 Xrotation Zrotation Yrotation\n   End Site\n   {\n    OFFSET 0 -5 15\n   }\n  "
    "}\n }\n"
    " JOINT RightUpLeg\n {\n  OFFSET -8 0 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n  JOINT RightFoot\n  {\n"
    "   OFFSET 0 -80 0\n   CHANNELS 3 Xrotation Zrotation Yrotation\n  }\n }\n JOINT Head\n {\n  OFFSET 0 70 0\n"
    "  CHANNELS 0\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.0333333\n0 90 0 0 0 0 5 0 0 0 1 0 0 2 0 0 9 0\n"
    "0 90 1 0 0 0 15 0 0 0 1 0 0 2 0 0 9 0\n0 90 2 0 0 0 25 0 0 0 1 0 0 2 0 0 9 0\n";

static const char GLTF[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hip\","
    "\"children\":[1]},"
    "{\"name\":\"knee\",\"translation\":[0,-40,0]}],\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/"
    "octet-stream;"
    "base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/"
    "AAAAAA==\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":40}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},{\"bufferView\":0,"
    "\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],\"animations\":[{\"channels\":[{"
    "\"sampler\":0,"
    "\"target\":{\"node\":0,\"path\":\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]}";

static Motion *read_file(char *name, char *bytes, size_t size, bool here) {
  const File file = {.name = name, .path = name, .bytes = bytes, .size = size};
  const MotionOptions options = motion_options_default();
  Error error = {0};
  Motion *motion = here ? motion_read_here(&file, &options, &error) : motion_read(&file, &options, &error);
  check((motion != NULL) == (error.text[0] == '\0'));
  return motion;
}

static void check_motion(const Motion *motion) {
  check(motion->joint_count >= 1 && motion->joint_count <= MOTION_MAX_JOINTS && motion->frame_count >= 1);
  check(motion->found.unit > 0 && isfinite(motion->frame_rate) && motion->frame_rate > 0);
  for (int j = 0; j < motion->joint_count; j++)
    check(motion->joints[j].parent < j);
  const size_t samples = (size_t)motion->frame_count * (size_t)motion->joint_count;
  for (size_t i = 0; i < samples; i++)
    check(isfinite(glms_vec3_norm(motion->position_l[i])) && fabsf(glms_quat_norm(motion->rotation_l[i]) - 1) < 1e-3f);
}

// The sample with bytes replaced: each edit is a place (2 bytes) and a byte.
static char *edit_sample(const char *sample, const uint8_t *edits, size_t size, size_t *length) {
  *length = strlen(sample);
  char *text = malloc(*length + 1);
  check(text != NULL);
  memcpy(text, sample, *length + 1);
  for (size_t i = 0; i + 2 < size; i += 3)
    text[(edits[i] | (size_t)edits[i + 1] << 8) % *length] = (char)edits[i + 2];
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// assimp leaks what it has built when it rejects a file; the child process in which users read ends with it.
const char *__lsan_default_suppressions(void) { return "leak:libassimp\nleak:libstdc++"; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char names[][8] = {"a.bvh", "a.gltf", "a.dae", "a.fbx", "a.glb", "a.json", "a.npz"};
  const unsigned way = size > 0 ? data[0] % 10 : 0;
  data += size > 0 ? 1 : 0;
  size -= size > 0 ? 1 : 0;
  char *name = way < 4 ? names[0] : names[way - 3], *bytes;
  size_t length = size;
  if (way >= 1 && way < 5) {
    bytes = edit_sample(way < 4 ? BVH : GLTF, data, size, &length);
  } else {
    bytes = malloc(size + 1);
    check(bytes != NULL);
    if (size > 0)
      memcpy(bytes, data, size);
    bytes[size] = '\0';
  }
  Motion *motion = read_file(name, bytes, length, way < 4 || way > 7);
  if (motion) {
    check_motion(motion);
    char *text = motion_write_bvh(motion);
    check(text != NULL);
    Motion *again = read_file(names[0], text, strlen(text), true);
    check(again != NULL);
    free(text);
    motion_free(again);
  }
  motion_free(motion);
  free(bytes);
  return 0;
}
