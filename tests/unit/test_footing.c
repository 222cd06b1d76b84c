// The footing layer: steps of a clip on uneven ground.
#include "anim/layers/footing.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

typedef struct Walk {
  Fixture f;
  Clip *clip;
  Terrain *terrain;
  Ground ground;
  Footing footing;
  FootRoot root;
  double time;
} Walk;

static void begin(Walk *w, const TerrainDef *terrain_def) {
  Error error = {0};
  memset(w, 0, sizeof *w);
  fixture_init(&w->f);
  w->clip = clip_read(&w->f.files, "clips/run.yaml", &w->f.body->skeleton, &error);
  fixture_check(&error);
  w->terrain = terrain_create(terrain_def ? terrain_def : &w->f.terrain_def, 1, &w->f.files, &error);
  fixture_check(&error);
  w->ground = terrain_ground(w->terrain);
  w->root.rotation = glms_quat_identity();
  w->root.velocity[2] = (double)w->clip->root_velocity_l.z;
}

static void end(Walk *w) {
  terrain_destroy(w->terrain);
  clip_free(w->clip);
  body_free(w->f.body);
  files_free(&w->f.files);
}

static Pose plain_pose(const Walk *w) {
  Pose pose;
  clip_sample(w->clip, (float)w->time, &pose);
  vec3s place = {{(float)w->root.position[0], (float)w->root.position[1], (float)w->root.position[2]}};
  pose_place(&pose, place, w->root.rotation);
  return pose;
}

// One step ahead: the pose with its feet on the ground.
static Pose step(Walk *w, double sag) {
  w->root.position[2] += w->root.velocity[2] * DT;
  w->time = fmod(w->time + DT, (double)w->clip->duration);
  Pose pose = plain_pose(w);
  if (w->footing.from[0] == 0 && w->footing.from[1] == 0)
    footing_init(&w->footing, w->clip, &pose, &w->ground);
  footing_apply(&w->footing, w->clip, w->time, 1, &w->root, sag, &w->ground, &pose);
  return pose;
}

// Height of the lower end of a leg's sole over the ground beneath it.
static double clearance(const Walk *w, const Pose *pose, int index) {
  const Leg *leg = &w->f.body->skeleton.legs[index];
  ModelPose model;
  pose_to_model(&w->f.body->skeleton, pose, &model);
  double lowest = HUGE_VAL;
  const vec3s ends[2] = {leg->heel_l, leg->toe_l};
  for (int i = 0; i < 2; i++) {
    vec3s p = glms_vec3_add(model.position[leg->ankle], glms_quat_rotatev(model.rotation[leg->ankle], ends[i]));
    double height;
    assert_true(w->ground.height(w->ground.context, (double)p.x, (double)p.z, &height, NULL));
    lowest = fmin(lowest, (double)p.y - height);
  }
  return lowest;
}

static void test_flat_ground_changes_nothing_to_see(void **state) {
  (void)state;
  Walk w;
  begin(&w, NULL);
  for (int i = 0; i < 400; i++) {
    Pose placed = step(&w, 0), plain = plain_pose(&w);
    ModelPose a, b;
    pose_to_model(&w.f.body->skeleton, &placed, &a);
    pose_to_model(&w.f.body->skeleton, &plain, &b);
    for (int k = 0; k < 2; k++) {
      int ankle = w.f.body->skeleton.legs[k].ankle;
      assert_true(glms_vec3_distance(a.position[ankle], b.position[ankle]) < 2e-4f);
    }
  }
  end(&w);
}

// On steps of 3 cm each way a standing foot rests on the highest ground under it, and never deep inside any.
static void test_standing_feet_rest_on_the_ground(void **state) {
  (void)state;
  TerrainDef blocks;
  param_defaults(&terrain_params, &blocks);
  blocks.kind = TERRAIN_NOISE;
  blocks.amplitude = 0.03;
  blocks.wavelength = 1;
  blocks.cell = 0.1;
  blocks.z[1] = 60;
  Walk w;
  begin(&w, &blocks);
  int stood = 0;
  for (int i = 0; i < 2400; i++) {
    Pose pose = step(&w, 0);
    for (int k = 0; k < 2; k++) {
      if (!clip_contact(w.clip, k, (float)w.time) || i < 240)
        continue;
      double c = clearance(&w, &pose, k);
      assert_true(c > -0.012 && c < 0.03); // the rigid foot lies on its highest point of a bumpy patch
      stood++;
    }
  }
  assert_true(stood > 1000);
  end(&w);
}

static void test_feet_move_without_a_jump(void **state) {
  (void)state;
  TerrainDef noise;
  param_defaults(&terrain_params, &noise);
  noise.kind = TERRAIN_NOISE;
  noise.amplitude = 0.03;
  noise.cell = 0.1;
  noise.z[1] = 60;
  Walk w;
  begin(&w, &noise);
  vec3s before[2] = {0};
  for (int i = 0; i < 2400; i++) {
    Pose pose = step(&w, 0);
    ModelPose model;
    pose_to_model(&w.f.body->skeleton, &pose, &model);
    for (int k = 0; k < 2; k++) {
      vec3s ankle = model.position[w.f.body->skeleton.legs[k].ankle];
      double speed = (double)glms_vec3_distance(ankle, before[k]) / DT;
      assert_true(i == 0 || speed < 3 * 3.5 + 2); // m/s: three times the body's speed and 2 more
      before[k] = ankle;
    }
  }
  end(&w);
}

// A body that hangs 5 cm low lifts its swinging foot by 5 cm in mid-swing and leaves the standing one where it is.
static void test_sag_lifts_the_swinging_foot(void **state) {
  (void)state;
  Walk low, normal;
  begin(&low, NULL);
  begin(&normal, NULL);
  double most = 0;
  for (int i = 0; i < 400; i++) {
    Pose a = step(&low, 0.05), b = step(&normal, 0);
    for (int k = 0; k < 2; k++) {
      double lift = clearance(&low, &a, k) - clearance(&normal, &b, k);
      most = fmax(most, lift);
      assert_true(lift > -1e-4 && lift < 0.0501);
      if (clip_contact(low.clip, k, (float)low.time))
        assert_true(lift < 1e-4);
    }
  }
  assert_true(most > 0.049);
  end(&low);
  end(&normal);
}

// Ground that drops by 1 m at z = 2, or ends there.
static bool cliff_height(const void *context, double x, double z, double *height, double normal[3]) {
  (void)x;
  bool ends = *(const bool *)context;
  *height = z > 2 ? -1 : 0;
  if (normal != NULL)
    memcpy(normal, (double[3]){0, 1, 0}, 3 * sizeof normal[0]);
  return !(ends && z > 2);
}

// Runs off the cliff until a foot is refused; returns which, or -1.
static int run_until_refused(Walk *w, FootRefusal refusal) {
  for (int i = 0; i < 480; i++) {
    step(w, 0);
    for (int k = 0; k < 2; k++)
      if (w->footing.placed[k].refusal == refusal)
        return k;
  }
  return -1;
}

static bool has_label(const DebugDraw *draw, DebugGroup group, const char *text) {
  for (int i = 0; i < draw->count; i++)
    if (draw->items[i].shape == DEBUG_LABEL && draw->items[i].group == group && strcmp(draw->items[i].text, text) == 0)
      return true;
  return false;
}

static void test_refusals_have_reasons(void **state) {
  (void)state;
  bool ends = false;
  for (int i = 0; i < 2; i++, ends = true) {
    Walk w;
    begin(&w, NULL);
    w.ground = (Ground){.context = &ends, .height = cliff_height};
    FootRefusal refusal = ends ? FOOT_NO_GROUND : FOOT_OUT_OF_REACH;
    int foot = run_until_refused(&w, refusal);
    assert_true(foot >= 0);
    const FootPlacement *placed = &w.footing.placed[foot];
    assert_true(placed->hit[2] > 2); // over there, not here
    if (!ends) {                     // a metre too low; it hangs in the air
      assert_true(placed->hit[1] == -1 && placed->missing > 0.3f && w.footing.standing[foot]);
      assert_true(glms_vec3_distance(placed->hip, placed->ankle_goal) > 0.8f);
    }
    DebugDraw *draw = calloc(1, sizeof *draw);
    Pose pose = plain_pose(&w);
    footing_debug(&w.footing, &w.f.body->skeleton, &pose, draw);
    assert_true(has_label(draw, DEBUG_FEET, ends ? "no ground" : "out of reach"));
    free(draw);
    end(&w);
  }
}

// On flat ground: a ray from the hips to the ground for each leg, nothing refused, and the goals where the ankles are.
static void test_debug_shows_rays_and_goals(void **state) {
  (void)state;
  Walk w;
  begin(&w, NULL);
  Pose pose;
  for (int i = 0; i < 200; i++)
    pose = step(&w, 0);
  ModelPose model;
  pose_to_model(&w.f.body->skeleton, &pose, &model);
  DebugDraw *draw = calloc(1, sizeof *draw);
  footing_debug(&w.footing, &w.f.body->skeleton, &pose, draw);
  assert_int_equal(draw->count, 10); // each leg: ray, hit, normal; goal and pole
  for (int k = 0; k < 2; k++) {
    const Leg *leg = &w.f.body->skeleton.legs[k];
    const DebugItem *items = &draw->items[5 * k];
    vec3s hip = model.position[leg->hip], ankle = model.position[leg->ankle], knee = model.position[leg->knee];
    assert_int_equal(items[0].shape, DEBUG_LINE);
    assert_int_equal(items[0].group, DEBUG_FEET);
    assert_true(fabsf(items[0].a[1] - hip.y) < 1e-6f && items[0].b[1] == 0 && items[0].a[0] == items[0].b[0]);
    assert_true(items[2].shape == DEBUG_ARROW && fabsf(items[2].b[1] - 0.12f) < 1e-6f); // up, out of the ground
    assert_true(items[3].group == DEBUG_IK);
    assert_true(glms_vec3_distance((vec3s){{items[3].a[0], items[3].a[1], items[3].a[2]}}, ankle) < 1e-3f);
    assert_true(items[4].shape == DEBUG_ARROW && items[4].b[2] > items[4].a[2]); // knees point forward
    assert_true(glms_vec3_distance((vec3s){{items[4].a[0], items[4].a[1], items[4].a[2]}}, knee) < 1e-6f);
  }
  free(draw);
  end(&w);
}

// A body that stands still stands on the ground right below its feet, whatever its clip would step on.
static void test_still_feet_stand_on_what_is_below(void **state) {
  (void)state;
  Walk w;
  begin(&w, NULL);
  bool ends = false;
  w.ground = (Ground){.context = &ends, .height = cliff_height};
  for (int i = 0; i < 60; i++)
    step(&w, 0);
  w.root.position[2] = 1;
  w.root.still = 1;
  Pose pose = pose_bind(&w.f.body->skeleton);
  pose_place(&pose, (vec3s){{0, 0, 1}}, w.root.rotation);
  footing_apply(&w.footing, w.clip, w.time, 0, &w.root, 0.1, &w.ground, &pose);
  for (int k = 0; k < 2; k++)
    assert_true(fabs(clearance(&w, &pose, k)) < 2e-3);
  end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat_ground_changes_nothing_to_see),
      cmocka_unit_test(test_standing_feet_rest_on_the_ground),
      cmocka_unit_test(test_feet_move_without_a_jump),
      cmocka_unit_test(test_sag_lifts_the_swinging_foot),
      cmocka_unit_test(test_refusals_have_reasons),
      cmocka_unit_test(test_debug_shows_rays_and_goals),
      cmocka_unit_test(test_still_feet_stand_on_what_is_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
