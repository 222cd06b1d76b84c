// When memory runs out while files are made and levels and rigs are taken in, at whichever allocation, there is an
// error and no crash.
#define _GNU_SOURCE // dladdr

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "anim/motion/motion_internal.h"
#include "anim/motion/npz.h"
#include "anim/retarget/retarget_back.h"
#include "ragdoll/body/body_def.h"
#include "ragdoll/body/body_write.h"
#include "scenes/export/body_glb.h"
#include "scenes/export/opensim_file.h"
#include "sim/terrain/level.h"
#include "tests/unit/motion_fixture.h"

#include "tests/unit/refusals.h"

typedef struct Rig {
  const BodyDef *body;
  const Motion *motion;
} Rig;

static bool take_rig(void *context, Error *error) {
  const Rig *rig = context;
  const Skeleton *skeleton = &rig->body->skeleton;
  RetargetMap map;
  RetargetBack *back = retarget_map(&map, rig->motion, skeleton, NULL, error)
                           ? retarget_back_create(rig->motion, &map, skeleton, error)
                           : NULL;
  if (back) { // without any of its lists no pose can be made
    Pose bind = pose_bind(skeleton);
    ModelPose model;
    vec3s positions[MOTION_MAX_JOINTS];
    versors rotations[MOTION_MAX_JOINTS];
    pose_to_model(skeleton, &bind, &model);
    retarget_back_pose(back, &model, positions, rotations);
  }
  retarget_back_destroy(back);
  return back != NULL;
}

// Finds the joints of a figure without telling names by its shape.
static bool map_by_shape(void *context, Error *error) {
  RetargetMap map;
  const Rig *rig = context;
  return retarget_map(&map, rig->motion, &rig->body->skeleton, NULL, error);
}

// Writes a body as a GLB file and as YAML.
static bool write_body(void *context, Error *error) {
  const Rig *rig = context;
  char *bytes = NULL;
  size_t size = 0;
  TextBuffer text = {0};
  body_write(rig->body, "a test", &text);
  const bool written = !text.failed, good = body_write_glb(rig->body, &bytes, &size);
  assert_true(good == (bytes != NULL));
  free(bytes);
  text_free(&text);
  return (good && written) || error_set(error, "out of memory");
}

static Rig read_rig(FileSet *files, BodyDef **body, Motion **motion) {
  Error error = {0};
  *body = body_read(files, "bodies/human.yaml", &error);
  Clip *walk = *body ? clip_read(files, "clips/walk.yaml", &(*body)->skeleton, &error) : NULL;
  if (!walk) {
    fail_msg("%s", error.text);
    exit(1);
  }
  *motion = motion_from_clip(walk, 1, 30, 1, 0, true);
  clip_free(walk);
  return (Rig){*body, *motion};
}

static void test_rigs_and_bodies(void **state) {
  (void)state;
  FileSet files = {.sealed = false};
  BodyDef *body;
  Motion *motion;
  Rig rig = read_rig(&files, &body, &motion);
  int good;
  assert_true(refuse_each(take_rig, &rig, &good) >= 6);
  assert_int_equal(good, 2); // without these the figure's posture is not compared
  assert_true(refuse_each(write_body, &rig, &good) > 5);
  assert_int_equal(good, 0);
  for (int j = 0; j < motion->joint_count; j++)
    snprintf(motion->joints[j].name, sizeof motion->joints[j].name, "n%d", 100 + j);
  assert_true(refuse_each(map_by_shape, &rig, &good) >= 5);
  assert_int_equal(good, 0);
  motion_free(motion);
  body_free(body);
  files_free(&files);
}

static bool make_level(void *context, Error *error) {
  (void)context;
  enum { COUNT = 40 };
  LevelTriangle *triangles = calloc(COUNT, sizeof *triangles);
  if (!triangles)
    return error_set(error, "out of memory");
  for (int i = 0; i < COUNT; i++)
    for (int v = 0; v < 3; v++) {
      triangles[i][v][0] = (float)(i + (v == 1));
      triangles[i][v][2] = (float)(v == 2);
    }
  Level *level = level_create(triangles, COUNT, error);
  level_destroy(level);
  return level != NULL;
}

static bool write_archive(void *context, Error *error) {
  (void)context;
  NpzWriter writer = {.count = 0};
  npz_put_texts(&writer, "names", 2, (const char *const[]){"left", "right"});
  npz_put_text(&writer, "what", "an archive");
  npz_put(&writer, "rate", "<f8", 0, NULL, &(double){60});
  const bool good = npz_finish(&writer, error);
  npz_writer_free(&writer);
  return good;
}

// A table of OpenSim with more columns than it has room for at first.
static bool make_table(void *context, Error *error) {
  (void)context;
  OpensimTable table = {0};
  bool good = true;
  for (int i = 0; i < 150 && good; i++) {
    const int column = opensim_add_column(&table, "column_%d", i);
    assert_true(column == i || column == -1);
    good = column >= 0;
  }
  good = good && opensim_allocate(&table, 3);
  opensim_free(&table);
  return good || error_set(error, "out of memory");
}

static void test_levels_and_archives(void **state) {
  (void)state;
  int good;
  assert_true(refuse_each(make_level, NULL, &good) > 3);
  assert_int_equal(good, 0);
  assert_true(refuse_each(write_archive, NULL, &good) > 3);
  assert_int_equal(good, 0);
  assert_int_equal(refuse_each(make_table, NULL, &good), 4);
  assert_int_equal(good, 0);
}

// A file of two joints, of which one turns, in this process. assimp, which reads it, is left alone.
static bool read_gltf(void *context, Error *error) {
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hip\","
      "\"children\":[1]},{\"name\":\"knee\",\"translation\":[0,-0.4,0]}],\"buffers\":[{\"byteLength\":40,\"uri\":"
      "\"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":40}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
      "\"count\":2,\"type\":\"SCALAR\"},{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,"
      "\"type\":\"VEC4\"}],\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":"
      "\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]}";
  char name[] = "node.gltf";
  const File file = {.name = name, .path = name, .bytes = (char *)(uintptr_t)text, .size = sizeof text - 1};
  Motion *motion = motion_read_here(&file, context, error);
  motion_free(motion);
  return motion != NULL;
}

static void test_motions(void **state) {
  (void)state;
  MotionOptions as_it_is = {.unit = 1, .up_axis = 1, .front_axis = 2};
  int good;
  const int count = refuse_each(read_gltf, &as_it_is, &good);
  assert_true(count > 20 && good < count); // assimp opens a file again that it could not open
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigs_and_bodies), cmocka_unit_test(test_motions),
                                     cmocka_unit_test(test_levels_and_archives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_is_skipped(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_is_skipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
