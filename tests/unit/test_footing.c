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
  FootingRoot root;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat_ground_changes_nothing_to_see),
      cmocka_unit_test(test_standing_feet_rest_on_the_ground),
      cmocka_unit_test(test_feet_move_without_a_jump),
      cmocka_unit_test(test_sag_lifts_the_swinging_foot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
