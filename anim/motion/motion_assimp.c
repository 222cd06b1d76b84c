// Parses a file's bytes with assimp and picks one of its animations.
#include <assimp/cfileio.h>
#include <assimp/config.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/motion/assimp_library.h"
#include "anim/motion/motion_assimp_internal.h"

// ---- The file's bytes as the only file that assimp sees: it opens nothing on the disk ----

typedef struct Stream {
  const File *file;
  size_t at;
} Stream;

static size_t stream_read(struct aiFile *ai, char *bytes, size_t size, size_t count) {
  Stream *stream = (Stream *)ai->UserData;
  const size_t left = stream->file->size - stream->at, whole = size > 0 ? left / size : 0;
  const size_t taken = count < whole ? count : whole;
  memcpy(bytes, stream->file->bytes + stream->at, taken * size);
  stream->at += taken * size;
  return taken;
}

static size_t stream_write(struct aiFile *ai, const char *bytes, size_t size, size_t count) {
  (void)ai, (void)bytes, (void)size, (void)count;
  return 0;
}

static size_t stream_tell(struct aiFile *ai) { return ((Stream *)ai->UserData)->at; }
static size_t stream_size(struct aiFile *ai) { return ((Stream *)ai->UserData)->file->size; }
static void stream_flush(struct aiFile *ai) { (void)ai; }

static enum aiReturn stream_seek(struct aiFile *ai, size_t offset, enum aiOrigin origin) {
  Stream *stream = (Stream *)ai->UserData;
  const size_t size = stream->file->size;
  const size_t at = origin == aiOrigin_SET ? offset : origin == aiOrigin_CUR ? stream->at + offset : size - offset;
  if (at > size)
    return aiReturn_FAILURE;
  stream->at = at;
  return aiReturn_SUCCESS;
}

static void stream_close(struct aiFileIO *io, struct aiFile *ai) {
  (void)io;
  free(ai->UserData);
  free(ai);
}

static struct aiFile *stream_open(struct aiFileIO *io, const char *name, const char *mode) {
  const File *file = (const File *)(void *)io->UserData;
  if (strcmp(name, file->name) != 0 || strchr(mode, 'w'))
    return NULL;
  struct aiFile *ai = calloc(1, sizeof *ai);
  Stream *stream = calloc(1, sizeof *stream);
  if (!ai || !stream) {
    free(ai);
    free(stream);
    return NULL;
  }
  stream->file = file;
  *ai = (struct aiFile){.ReadProc = stream_read,
                        .WriteProc = stream_write,
                        .TellProc = stream_tell,
                        .FileSizeProc = stream_size,
                        .SeekProc = stream_seek,
                        .FlushProc = stream_flush,
                        .UserData = (char *)stream};
  return ai;
}

static const struct aiScene *import(const Assimp *assimp, const File *file, Error *error) {
  // assimp chooses the format by the ending of the name.
  char name[16] = "motion";
  const bool is_vrm = motion_has_ending(file->name, ".vrm") || motion_has_ending(file->name, ".vrma"); // glTF binaries
  const char *ending = is_vrm ? ".glb" : strrchr(file->name, '.');
  for (size_t i = 0; ending && ending[i] != '\0' && i < 8; i++)
    name[6 + i] = (char)tolower((unsigned char)ending[i]);
  File alias = *file;
  alias.name = name;
  struct aiFileIO io = {.OpenProc = stream_open, .CloseProc = stream_close, .UserData = (char *)&alias};
  struct aiPropertyStore *properties = assimp->aiCreatePropertyStore();
  assimp->aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
  assimp->aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
  const struct aiScene *ai = assimp->aiImportFileExWithProperties(name, 0, &io, properties);
  assimp->aiReleasePropertyStore(properties);
  if (!ai) {
    error_at(error, file->name, 0, 0, "cannot be read: %.200s", assimp->aiGetErrorString());
  } else if (!ai->mRootNode) {
    error_at(error, file->name, 0, 0, "there is nothing in it");
    assimp->aiReleaseImport(ai);
    ai = NULL;
  }
  return ai;
}

// ---- The file ----

static const char *short_name(const struct aiString *name) { // "Walk" of "CharacterArmature|Walk"
  const char *start = name->data; // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): an array is never NULL
  const char *bar = strrchr(start, '|');
  return bar ? bar + 1 : start;
}

static bool choose_animation(AssimpScene *scene, const char *wanted, Motion *motion) {
  const struct aiScene *ai = scene->ai;
  if (ai->mNumAnimations == 0) {
    if (wanted[0] != '\0')
      return error_at(scene->error, scene->file->name, 0, 0, "no animation '%s', there is none at all", wanted);
    motion_warn(motion, "There is no animation: one frame, the rest pose, stands for it.");
    return true;
  }
  for (int exactly = 1; exactly >= 0 && !scene->animation; exactly--)
    for (unsigned a = 0; a < ai->mNumAnimations && !scene->animation; a++) {
      const struct aiString *name = &ai->mAnimations[a]->mName;
      if (wanted[0] == '\0' || (exactly ? strncmp(name->data, wanted, MOTION_NAME_SIZE - 1) == 0
                                        : strcasecmp(short_name(name), wanted) == 0))
        scene->animation = ai->mAnimations[a];
    }
  if (!scene->animation) {
    char list[512] = "";
    for (unsigned a = 0; a < ai->mNumAnimations; a++)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", a > 0 ? ", " : "",
               short_name(&ai->mAnimations[a]->mName));
    return error_at(scene->error, scene->file->name, 0, 0, "no animation '%s', there are: %s", wanted, list);
  }
  snprintf(motion->name, sizeof motion->name, "%s", scene->animation->mName.data);
  scene->ticks = scene->animation->mTicksPerSecond > 0 ? scene->animation->mTicksPerSecond : 25;
  return true;
}

static double metadata_number(const struct aiMetadata *metadata, const char *key) {
  for (unsigned i = 0; metadata && i < metadata->mNumProperties; i++) {
    const struct aiMetadataEntry *entry = &metadata->mValues[i];
    if (strcmp(metadata->mKeys[i].data, key) == 0)
      return entry->mType == AI_DOUBLE  ? *(const double *)entry->mData
             : entry->mType == AI_FLOAT ? (double)*(const float *)entry->mData
             : entry->mType == AI_INT32 ? *(const int32_t *)entry->mData
                                        : 0;
  }
  return 0;
}

static void note_format(const AssimpScene *scene, Motion *motion, MotionSource *source) {
  const char *ending = strrchr(scene->file->name, '.');
  const char *format = strcasecmp(ending, ".bvh") == 0   ? "BVH"
                       : strcasecmp(ending, ".fbx") == 0 ? "FBX"
                       : strcasecmp(ending, ".dae") == 0 ? "Collada"
                                                         : "glTF";
  snprintf(motion->format, sizeof motion->format, "%s", format);
  const double factor = metadata_number(scene->ai->mMetaData, "UnitScaleFactor"); // cm
  if (strcmp(format, "glTF") == 0)
    source->declared_unit = 1;
  else if (strcmp(format, "FBX") == 0 && isfinite(factor))
    source->declared_unit = 0.01 * factor;
  source->has_animation = scene->animation != NULL;
}

static bool read_scene(AssimpScene *scene, const char *animation, Motion *motion, MotionSource *source) {
  if (!motion_assimp_find_joints(scene, motion) || !choose_animation(scene, animation, motion))
    return false;
  note_format(scene, motion, source);
  scene->wants_skin = source->wants_skin;
  scene->wants_mesh = source->wants_mesh;
  return motion_assimp_fill(scene, motion);
}

// Parses the file, in a repaired copy where necessary. Sentences about repairs are written to `notes`.
static const struct aiScene *parse(const Assimp *assimp, const File *file, char *notes, size_t notes_size,
                                   Error *error) {
  Error cause = {0};
  char *mended = motion_repair(file, notes, notes_size, &cause);
  if (cause.text[0] != '\0') {
    error_set(error, "%s", cause.text);
    return NULL;
  }
  File copy = *file;
  if (mended) {
    copy.bytes = mended;
    copy.size = strlen(mended);
  }
  const struct aiScene *ai = import(assimp, &copy, error);
  free(mended);
  return ai;
}

Motion *motion_from_assimp(const File *file, const char *animation, MotionSource *source, Error *error) {
  char notes[256];
  const Assimp *assimp = assimp_library(file->name, error);
  AssimpScene scene = {.file = file, .error = error};
  if (assimp)
    scene.ai = parse(assimp, file, notes, sizeof notes, error);
  if (!scene.ai)
    return NULL;
  Motion *motion = calloc(1, sizeof *motion);
  if (!motion) {
    motion_assimp_fail(&scene, "out of memory");
  } else {
    snprintf(motion->warnings, sizeof motion->warnings, "%s", notes);
    if (!read_scene(&scene, animation, motion, source)) {
      motion_free(motion);
      motion = NULL;
    }
  }
  free(scene.nodes);
  free(scene.by_name);
  assimp->aiReleaseImport(scene.ai);
  return motion;
}

int motion_list_here(const File *file, char (*names)[MOTION_NAME_SIZE], int most, Error *error) {
  if (motion_has_ending(file->name, ".json") || motion_has_ending(file->name, ".npz")) {
    snprintf(names[0], MOTION_NAME_SIZE, "Motion"); // such files have one motion
    return most > 0 ? 1 : 0;
  }
  char notes[256];
  const Assimp *assimp = assimp_library(file->name, error);
  const struct aiScene *ai = assimp ? parse(assimp, file, notes, sizeof notes, error) : NULL;
  if (!ai)
    return -1;
  int count = 0;
  for (unsigned a = 0; a < ai->mNumAnimations && count < most; a++)
    snprintf(names[count++], MOTION_NAME_SIZE, "%s", ai->mAnimations[a]->mName.data);
  assimp->aiReleaseImport(ai);
  return count;
}
