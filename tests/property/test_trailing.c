// Laws of trailing joints for random motion.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "anim/layers/trailing/trailing.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

static const double DEG = RAD_PER_DEGREE;

static void random_rotation(Rng *rng, double q[4]) {
  double axis[3], angle = rng_range(rng, -180, 180) * DEG;
  rng_direction(rng, axis);
  for (int k = 0; k < 3; k++)
    q[k] = axis[k] * sin(angle / 2);
  q[3] = cos(angle / 2);
}

static void multiply(const double a[4], const double b[4], double out[4]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[3] * b[k] + b[3] * a[k] + a[i] * b[j] - a[j] * b[i];
  }
  out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void rotate(const double q[4], const double v[3], double out[3]) {
  const double inverse[4] = {-q[0], -q[1], -q[2], q[3]}, vector[4] = {v[0], v[1], v[2], 0};
  double half[4], whole[4];
  multiply(q, vector, half);
  multiply(half, inverse, whole);
  memcpy(out, whole, 3 * sizeof *out);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The defaults of the layer, with a bone of any direction.
static TrailingJoint random_joint(Rng *rng) {
  TrailingDef def;
  param_defaults(&trailing_params, &def);
  TrailingJoint joint = {.damp_seconds = rng_range(rng, 0.05, 0.5),
                         .angle_limit = def.angle_limit * DEG,
                         .distance = {def.distance[0], def.distance[1]}};
  rng_direction(rng, joint.rest_offset);
  double length = rng_range(rng, 0.05, 0.5);
  for (int k = 0; k < 3; k++)
    joint.rest_offset[k] *= length;
  return joint;
}

// ---- limits ----

// Anything from trembling to leaps.
static void move_at_random(Rng *rng, double position[3], double rotation[4]) {
  double size = rng_index(rng, 50) ? 0.1 * rng_unit(rng) : 10, turn[4], turned[4];
  double step[3];
  rng_direction(rng, step);
  for (int k = 0; k < 3; k++)
    position[k] = rng_index(rng, 1000) ? position[k] + size * step[k] : 0;
  if (rng_index(rng, 50)) {
    for (int k = 0; k < 3; k++)
      turn[k] = 0.1 * rng_normal(rng);
    turn[3] = 1;
    multiply(rotation, turn, turned);
  } else {
    random_rotation(rng, turned);
  }
  double norm = sqrt(dot(turned, turned) + turned[3] * turned[3]);
  for (int k = 0; k < 4; k++)
    rotation[k] = turned[k] / norm;
}

// Checks that the particle is within the limits, and has no velocity out of them. Returns the limits.
static int check_limits(const TrailingJoint *joint, const double position[3], const double rotation[4],
                        const TrailingState *state) {
  double rest[3], offset[3], side[3], length = length3(joint->rest_offset);
  rotate(rotation, joint->rest_offset, rest);
  for (int k = 0; k < 3; k++)
    offset[k] = state->particle[k] - position[k];
  double ratio = length3(offset) / length;
  assert_true(ratio >= 0.666 - 1e-6 && ratio <= 1.333 + 1e-6);
  assert_true(ratio >= 2.0 / 3 - 1e-6 && ratio <= 4.0 / 3 + 1e-6);

  TrailingSwing swing = trailing_swing(joint, position, rotation, state);
  double along = dot(offset, rest) / length;
  for (int k = 0; k < 3; k++)
    side[k] = offset[k] - along * rest[k] / length; // from the cone's axis to the particle
  double angle = atan2(length3(side), along);
  assert_true(angle <= 30 * DEG + 1e-4 * DEG && fabs(swing.angle - angle) < 1e-7);
  double swung[4], tip[3];
  multiply(rotation, swing.rotation, swung);
  rotate(swung, joint->rest_offset, tip); // points at the particle
  assert_true(fabs(dot(tip, offset) / (length * length3(offset)) - 1) < 1e-12);

  int limits = 0;
  double radial = dot(state->velocity, offset) / length3(offset);
  if (ratio > 1.333 - 1e-12) {
    limits++;
    assert_true(-radial >= -1e-9);
  }
  if (ratio < 0.667 + 1e-12) {
    limits++;
    assert_true(radial >= -1e-9);
  }
  if (state->clamped) {
    double inward[3]; // at right angles to the cone
    for (int k = 0; k < 3; k++)
      inward[k] = sin(angle) * rest[k] / length - cos(angle) * side[k] / length3(side);
    limits++;
    assert_true(dot(state->velocity, inward) >= -1e-9);
  }
  return limits;
}

static void limits_over_a_million_frames(void **unused) {
  (void)unused;
  Rng rng = rng_make(5, "trailing");
  long limits = 0;
  for (int n = 0; n < 1000; n++) {
    TrailingJoint joint = random_joint(&rng);
    TrailingState state;
    double position[3] = {0}, rotation[4];
    random_rotation(&rng, rotation);
    trailing_reset(&joint, position, rotation, &state);
    for (int i = 0; i < 1000; i++) {
      move_at_random(&rng, position, rotation);
      double dt = rng_index(&rng, 20) ? rng_range(&rng, 1.0 / 240, 1.0 / 20) : rng_range(&rng, 1e-5, 1);
      trailing_step(&joint, position, rotation, dt, &state);
      assert_true(finite3(state.particle) && finite3(state.velocity));
      limits += check_limits(&joint, position, rotation, &state);
    }
  }
  assert_true(limits > 100000); // the limits were reached
}

static void any_split_of_a_step(void **unused) {
  (void)unused;
  Rng rng = rng_make(2, "trailing");
  for (int n = 0; n < 500; n++) {
    TrailingJoint joint = random_joint(&rng);
    joint.angle_limit = 180 * DEG;
    joint.distance[0] = 0;
    joint.distance[1] = 1e9;
    TrailingState once, often;
    double position[3] = {0}, rotation[4], left = rng_range(&rng, 0.01, 0.5);
    random_rotation(&rng, rotation);
    trailing_reset(&joint, position, rotation, &once);
    for (int k = 0; k < 3; k++) {
      once.particle[k] += 0.3 * rng_normal(&rng);
      once.velocity[k] += rng_normal(&rng);
    }
    often = once;
    trailing_step(&joint, position, rotation, left, &once);
    while (left > 1e-3) {
      double dt = rng_range(&rng, 1e-5, 1e-3);
      trailing_step(&joint, position, rotation, dt, &often);
      left -= dt;
    }
    trailing_step(&joint, position, rotation, left, &often);
    if (left >= 1e-5)
      for (int k = 0; k < 3; k++)
        assert_true(fabs(once.particle[k] - often.particle[k]) <= 1e-12);
  }
}

// ---- rates ----

// A joint that swings to and fro and turns, as on a lively character.
typedef struct Path {
  double size[6], rate[6], phase[6]; // m or rad, Hz, rad: x y z, then turns about up, to the side, forward
} Path;

static Path random_path(Rng *rng, double size, double turn, double rate) {
  Path path;
  for (int i = 0; i < 6; i++) {
    path.size[i] = rng_unit(rng) * (i < 3 ? size : turn);
    path.rate[i] = rng_range(rng, 0.2, rate);
    path.phase[i] = rng_range(rng, 0, 6.28);
  }
  return path;
}

static void path_at(const Path *path, double time, double position[3], double rotation[4]) {
  double value[6], q[4] = {0, 0, 0, 1};
  for (int i = 0; i < 6; i++)
    value[i] = path->size[i] * sin(RAD_PER_DEGREE * 360 * path->rate[i] * time + path->phase[i]);
  memcpy(position, value, 3 * sizeof *position);
  for (int i = 3; i < 6; i++) {
    double about[4] = {0, 0, 0, cos(value[i] / 2)}, turned[4];
    about[(i - 2) % 3] = sin(value[i] / 2);
    multiply(q, about, turned);
    memcpy(q, turned, sizeof q);
  }
  memcpy(rotation, q, sizeof q);
}

enum { SAMPLES = 300, SAMPLE_RATE = 30, LONGEST_TAIL = 6 }; // 10 s

// A body whose tail has joints of one length.
typedef struct Tail {
  Skeleton skeleton;
  TrailingDef def;
} Tail;

static void make_tail(Tail *tail, int count, double length, double whip) {
  memset(tail, 0, sizeof *tail);
  tail->skeleton.count = count + 1;
  tail->def.count = count;
  param_defaults(&trailing_params, &tail->def);
  tail->def.whip = whip;
  for (int i = 0; i <= count; i++) {
    tail->skeleton.parent[i] = i - 1;
    tail->skeleton.bind_position_l[i].z = i ? -(float)length : 0;
    tail->skeleton.bind_rotation_l[i] = glms_quat_identity();
    tail->def.is_needed[i] = true;
    if (i > 0)
      tail->def.members[i - 1] = (TrailingMember){.joint = i, .rest_offset = {0, 0, -length}, .angle_limit = -1};
  }
}

// The pose of a stiff body on a path.
static Pose pose_on_path(const Tail *tail, const Path *path, double time) {
  double position[3], rotation[4];
  Pose pose = pose_bind(&tail->skeleton);
  path_at(path, time, position, rotation);
  for (int k = 0; k < 3; k++)
    pose.position[0].raw[k] = (float)position[k];
  for (int k = 0; k < 4; k++)
    pose.rotation[0].raw[k] = (float)rotation[k];
  return pose;
}

// The swings at 30 Hz when the layer is stepped at `rate` Hz. Returns how many of them are at the limit, 0 .. 1.
static double swings_at(const Tail *tail, const Path *path, int rate, versors swings[LONGEST_TAIL][SAMPLES]) {
  static TrailingLayer layer;
  int clamped = 0, joints = tail->def.count;
  Pose pose = pose_on_path(tail, path, 0);
  LayerStep step = {.skeleton = &tail->skeleton, .dt = 1.0 / rate, .pose_w = &pose};
  trailing_layer.init(&tail->def, &layer, &step);
  for (int i = 1; i <= SAMPLES * rate / SAMPLE_RATE; i++) {
    pose = pose_on_path(tail, path, (double)i / rate);
    trailing_layer.apply(&tail->def, &layer, &step);
    for (int j = 0; j < joints && i % (rate / SAMPLE_RATE) == 0; j++) {
      swings[j][i * SAMPLE_RATE / rate - 1] = pose.rotation[j + 1];
      clamped += layer.joints[j].clamped;
    }
  }
  return (double)clamped / (joints * SAMPLES);
}

typedef struct Disagreement {
  double rms, largest; // deg
} Disagreement;

static Disagreement disagreement(const versors *a, const versors *b) {
  Disagreement d = {0};
  for (int i = 0; i < SAMPLES; i++) {
    double angle = (double)quat_angle_between(a[i], b[i]) / DEG;
    d.rms += angle * angle / SAMPLES;
    d.largest = fmax(d.largest, angle);
  }
  d.rms = sqrt(d.rms);
  return d;
}

// The worst joint on the worst of random paths, against 240 Hz.
static Disagreement worst_disagreement(const Tail *tail, const Path *paths, int path_count, int rate, double *clamped) {
  static versors coarse[LONGEST_TAIL][SAMPLES], fine[LONGEST_TAIL][SAMPLES];
  Disagreement worst = {0};
  *clamped = 0;
  for (int n = 0; n < path_count; n++) {
    swings_at(tail, &paths[n], rate, coarse);
    *clamped += swings_at(tail, &paths[n], 240, fine) / path_count;
    for (int j = 0; j < tail->def.count; j++) {
      Disagreement d = disagreement(coarse[j], fine[j]);
      worst.rms = fmax(worst.rms, d.rms);
      worst.largest = fmax(worst.largest, d.largest);
    }
  }
  return worst;
}

static void rates_agree(void **unused) {
  (void)unused;
  enum { PATHS = 8 };
  static const struct {
    const char *name;
    int joints;
    double length, whip, size, turn, rate; // m, -, m, rad, Hz
    double largest;                        // deg, allowed at any time
  } cases[] = {
      {"one joint, quiet", 1, 0.3, 1, 0.05, 0.3, 1, 1},
      {"one joint, lively", 1, 0.3, 1, 0.2, 0.7, 1.5, 1},
      {"one joint, wild", 1, 0.3, 1, 0.5, 1, 2, 180},
      {"tail of six, quiet", 6, 0.12, 1, 0.05, 0.3, 1, 180},
      {"tail of six, lively", 6, 0.12, 1, 0.2, 0.7, 1.5, 180},
      {"tail of six without whip, quiet", 6, 0.12, 0, 0.05, 0.3, 1, 1},
      {"tail of six without whip, lively", 6, 0.12, 0, 0.2, 0.7, 1.5, 180},
  };
  static Tail tail;
  Rng rng = rng_make(7, "trailing");
  for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); c++) {
    Path paths[PATHS];
    make_tail(&tail, cases[c].joints, cases[c].length, cases[c].whip);
    for (int n = 0; n < PATHS; n++)
      paths[n] = random_path(&rng, cases[c].size, cases[c].turn, cases[c].rate);
    for (int rate = 30; rate <= 120; rate *= 2) {
      double clamped;
      Disagreement d = worst_disagreement(&tail, paths, PATHS, rate, &clamped);
      print_message("%s, %d Hz against 240 Hz: RMS %.3f deg, largest %.3f deg, %.0f %% at the limit\n", cases[c].name,
                    rate, d.rms, d.largest, 100 * clamped);
      assert_true(d.rms <= 1 && d.largest <= cases[c].largest); // 2 would be enough
    }
  }
}

// ---- The layer ----

enum { JOINTS = 20 };

static Skeleton random_skeleton(Rng *rng) {
  Skeleton s = {.name = "random", .count = 1 + rng_index(rng, JOINTS)};
  for (int i = 0; i < s.count; i++) {
    double place[3], turn[4];
    rng_direction(rng, place);
    random_rotation(rng, turn);
    s.parent[i] = i ? rng_index(rng, i) : -1;
    for (int k = 0; k < 3; k++)
      s.bind_position_l[i].raw[k] = (float)(0.2 * place[k]);
    for (int k = 0; k < 4; k++)
      s.bind_rotation_l[i].raw[k] = (float)turn[k];
  }
  return s;
}

// About half of the joints trail.
static TrailingDef random_layer(Rng *rng, const Skeleton *skeleton) {
  TrailingDef def = {0};
  param_defaults(&trailing_params, &def);
  def.whip = rng_unit(rng);
  def.gravity = rng_index(rng, 2) ? 0 : 9.81;
  def.angle_limit = rng_range(rng, 0, 170);
  for (int i = 0; i < skeleton->count; i++) {
    def.is_needed[i] = true;
    if (rng_index(rng, 2))
      continue;
    TrailingMember *member = &def.members[def.count++];
    *member = (TrailingMember){.joint = i, .angle_limit = -1, .rest_offset = {0, 0.1, 0.1}};
  }
  return def;
}

static void pose_at(const Skeleton *skeleton, double time, Pose *pose) {
  *pose = pose_bind(skeleton);
  for (int i = 0; i < pose->count; i++) {
    vec3s turn = {{(float)sin(3 * time + i), (float)cos(2 * time + 2 * i), (float)sin(5 * time)}};
    pose->rotation[i] = glms_quat_mul(pose->rotation[i], quat_exp(turn));
  }
  pose->position[0].x += (float)(3 * time);
  pose->position[0].y += (float)sin(4 * time);
}

// Any layer: finite unit rotations within the limit; a second application without time gives the same bits; only the
// rotations of members change.
static void any_layer_twice_is_once(void **unused) {
  (void)unused;
  Rng rng = rng_make(8, "trailing");
  for (int n = 0; n < 200; n++) {
    Skeleton skeleton = random_skeleton(&rng);
    TrailingDef def = random_layer(&rng, &skeleton);
    static TrailingLayer layer, before;
    Pose animated, once, twice;
    LayerStep step = {.skeleton = &skeleton, .dt = rng_range(&rng, 1.0 / 240, 0.1)};
    pose_at(&skeleton, 0, &animated);
    memset(&layer, 0, sizeof layer);
    step.pose_w = &animated;
    trailing_layer.init(&def, &layer, &step);
    double dt = step.dt;
    for (int i = 1; i <= 50; i++) {
      pose_at(&skeleton, i * dt, &animated);
      step.teleported = rng_index(&rng, 20) == 0;
      once = twice = animated;
      step.dt = dt;
      step.pose_w = &once;
      trailing_layer.apply(&def, &layer, &step);
      before = layer;
      step.dt = 0;
      step.pose_w = &twice;
      trailing_layer.apply(&def, &layer, &step);
      assert_memory_equal(&once, &twice, sizeof once);
      assert_memory_equal(&layer, &before, sizeof layer);
      assert_memory_equal(once.position, animated.position, sizeof once.position);
      for (int j = 0; j < once.count; j++) {
        double angle = (double)quat_angle_between(once.rotation[j], animated.rotation[j]);
        assert_true(fabs((double)glms_quat_norm(once.rotation[j]) - 1) < 1e-6);
        assert_true(angle <= def.angle_limit * DEG + 0.01 * DEG);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_split_of_a_step),
      cmocka_unit_test(limits_over_a_million_frames),
      cmocka_unit_test(rates_agree),
      cmocka_unit_test(any_layer_twice_is_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
