// Skins on bodies: a rig that is an export of the body itself moves as the body does, rigid and bent, at any size; what
// has no mesh or does not fit says so.
#include "tests/unit/recorded_run.h"

#include "scenes/export/export.h"
#include "viewer/source/skin.h"

static char rig_path[40];
static RecordedRun run;
static Picture picture;

static int record(void **state) {
  (void)state;
  Error error = {0};
  ExportResult result = {0};
  const ExportOptions options = {.pose = TRACE_POSE_OUTPUT};
  recorded_run(&run, "stand", "duration=0.1");
  assert_true(export_glb(run.reader, run.def, &options, &result, &error));
  small_file(rig_path);
  remove(rig_path);
  strcat(rig_path, ".glb");
  FILE *file = fopen(rig_path, "wb");
  assert_non_null(file);
  fwrite(result.bytes, 1, result.size, file);
  assert_int_equal(fclose(file), 0);
  free(result.bytes);
  return 0;
}

static int end(void **state) {
  (void)state;
  remove(rig_path);
  recorded_run_end(&run);
  return 0;
}

static const BodyDef *body(void) { return run.def->characters[0].body; }

static Skin *open_skin(const char *path) {
  Error error = {0};
  Skin *skin = skin_create(path, &error);
  if (!skin)
    fail_msg("%s", error.text);
  return skin;
}

// The vertices for a pose, which the caller frees; *count: of them.
static vec3s *vertices_of(Skin *skin, const BodyDef *def, const Pose *pose, int *count) {
  Error error = {0};
  picture_clear(&picture);
  assert_true(skin_show(skin, def, pose, &picture, &error));
  assert_int_equal(picture.skin_count, 1);
  const PictureSkin *shown = &picture.skins[0];
  *count = shown->vertex_count;
  assert_true(shown->index_count >= 3 && shown->index_count % 3 == 0);
  vec3s *places = malloc((size_t)*count * sizeof *places);
  for (int v = 0; v < *count; v++)
    places[v] = shown->vertices[v].position_w;
  return places;
}

static void test_a_skin_moves_with_its_body(void **state) {
  (void)state;
  Skin *skin = open_skin(rig_path);
  Pose pose = pose_bind(&body()->skeleton);
  int count;
  vec3s *rest = vertices_of(skin, body(), &pose, &count);
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (int v = 0; v < count; v++) {
    low = fminf(low, rest[v].y);
    high = fmaxf(high, rest[v].y);
  }
  assert_float_equal(low, 0, 2e-3); // on the ground, and as tall as he is
  assert_float_equal(high, 1.75, 5e-3);

  // As a rigid body.
  const versors turn = quat_exp((vec3s){{0.3f, 1.1f, -0.2f}});
  const vec3s way = {{3, 0.5f, -2}};
  pose_transform(&pose, way, turn);
  vec3s *moved = vertices_of(skin, body(), &pose, &count);
  const float lift = moved[0].y - glms_vec3_add(way, glms_quat_rotatev(turn, rest[0])).y; // soles are kept level
  assert_true(fabsf(lift) < 2e-3f);
  for (int v = 0; v < count; v++) {
    vec3s want = glms_vec3_add(way, glms_quat_rotatev(turn, rest[v]));
    want.y += lift;
    assert_true(glms_vec3_distance(moved[v], want) < 1e-4f);
  }
  free(moved);

  // A bent elbow moves what is below it, and nothing else.
  pose = pose_bind(&body()->skeleton);
  const int forearm = skeleton_find(&body()->skeleton, "forearm_l");
  pose.rotation[forearm] = quat_exp((vec3s){{-1, 0, 0}});
  vec3s *bent = vertices_of(skin, body(), &pose, &count);
  const float elbow = (float)body()->parts[forearm].joint.position[1], side = 0.12f;
  int far = 0;
  for (int v = 0; v < count; v++) {
    const bool is_below = rest[v].x > side && rest[v].y < elbow - 0.05f && rest[v].y > 0.6f;
    const float distance = glms_vec3_distance(bent[v], rest[v]);
    far += distance > 0.02f;
    assert_true(distance < 1e-3f || is_below || (rest[v].x > side && rest[v].y < elbow + 0.06f));
  }
  assert_true(far > 20);
  free(bent);
  free(rest);
  skin_destroy(skin);
}

// Normals have the length of areas, point outward, and the output's shapes are known to be under the skin.
static void test_what_a_picture_gets(void **state) {
  (void)state;
  Error error = {0};
  Skin *skin = open_skin(rig_path);
  const Pose pose = pose_bind(&body()->skeleton);
  picture_clear(&picture);
  picture_add_character(&picture, &(PictureCharacter){.body = body(), .output = &pose, .target = &pose});
  assert_true(skin_show(skin, body(), &pose, &picture, &error));
  int under = 0;
  for (int i = 0; i < picture.shape_count; i++) {
    assert_int_equal(picture.shapes[i].under_skin, picture.shapes[i].layer == LAYER_OUTPUT);
    under += picture.shapes[i].under_skin;
  }
  assert_true(under >= body()->part_count);
  const PictureSkin *shown = &picture.skins[0];
  double outward = 0, length = 0;
  const vec3s middle = {{0, 1.1f, 0}};
  for (int v = 0; v < shown->vertex_count; v++) {
    const vec3s normal = shown->vertices[v].normal;
    const vec3s from = glms_vec3_sub(shown->vertices[v].position_w, middle);
    outward += (double)(glms_vec3_dot(normal, from) / glms_vec3_norm(from));
    length += (double)glms_vec3_norm(normal);
  }
  assert_true(outward > 0.1 * length);

  // A second character has vertices of its own; no more than there is room for.
  for (int i = 1; i < PICTURE_MAX_SKINS + 2; i++)
    assert_true(skin_show(skin, body(), &pose, &picture, &error));
  assert_int_equal(picture.skin_count, PICTURE_MAX_SKINS);
  assert_ptr_not_equal(picture.skins[0].vertices, picture.skins[1].vertices);
  skin_destroy(skin);
}

static void test_another_size(void **state) {
  (void)state;
  Error error = {0};
  Skin *skin = open_skin(rig_path);
  const char *overrides[] = {"characters.stander.body={base: bodies/human.yaml, height: 1.4}"};
  SceneDef *def = scene_def_read("stand", overrides, 1, &error);
  assert_non_null(def);
  const BodyDef *small = def->characters[0].body;
  const Pose pose = pose_bind(&small->skeleton);
  int count;
  vec3s *places = vertices_of(skin, small, &pose, &count);
  float high = 0;
  for (int v = 0; v < count; v++)
    high = fmaxf(high, places[v].y);
  assert_float_equal(high, 1.4, 0.03);
  free(places);
  scene_def_free(def);
  skin_destroy(skin);
}

static void test_what_is_no_skin(void **state) {
  (void)state;
  Error error = {0};
  assert_null(skin_create("missing.glb", &error));
  assert_non_null(strstr(error.text, "missing.glb"));
  Skin *skin = open_skin(rig_path);
  error = (Error){0};
  assert_true(skin_check(skin, run.def, &error));
  SceneDef *lizard = scene_def_read("lizard", NULL, 0, &error);
  assert_non_null(lizard);
  assert_false(skin_check(skin, lizard, &error));
  assert_memory_equal(error.text, rig_path, strlen(rig_path));
  scene_def_free(lizard);
  skin_destroy(skin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_skin_moves_with_its_body),
      cmocka_unit_test(test_what_a_picture_gets),
      cmocka_unit_test(test_another_size),
      cmocka_unit_test(test_what_is_no_skin),
  };
  return cmocka_run_group_tests(tests, record, end);
}
