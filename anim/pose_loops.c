// The inner loops over all joints of a pose, with four joints at once for any processor; pose_loops_avx2.c compiles
// them for eight.
#include "anim/pose_loops.h"

#include "anim/lanes.h"
#include "anim/pose.h"
#include "anim/skeleton.h"

// LANES rotations as they are in memory: with four lanes a row has one rotation, with eight lanes two, one in each
// half. A number for each rotation is stored in one vector: for row k in lane k of its half.
typedef struct Rows {
  Lanes row[4];
} Rows;

// Loads `count` rotations; rows beyond them repeat the first.
LANES_BLOCK Rows rows_load(const versors *from, int count) {
  versors padded[LANES];
  if (count < LANES) {
    for (int i = 0; i < LANES; i++)
      padded[i] = from[i < count ? i : 0];
    from = padded;
  }
  Rows rows;
  for (int k = 0; k < 4; k++)
    rows.row[k] = lanes_load(from[k * LANES / 4].raw);
  return rows;
}

LANES_BLOCK void rows_store(versors *to, int count, Rows rows) {
  versors padded[LANES], *place = count < LANES ? padded : to;
  for (int k = 0; k < 4; k++)
    lanes_store(place[k * LANES / 4].raw, rows.row[k]);
  for (int i = 0; i < count && count < LANES; i++)
    to[i] = padded[i];
}

// Dot products, added in the order of quats_dot: (x x + z z) + (y y + w w).
LANES_BLOCK Lanes rows_dot(Rows a, Rows b) {
  Lanes p = a.row[0] * b.row[0], q = a.row[1] * b.row[1], r = a.row[2] * b.row[2], s = a.row[3] * b.row[3];
  Lanes pq = LANES_PICK(p, q, 0, 1, 4, 5) + LANES_PICK(p, q, 2, 3, 6, 7);
  Lanes rs = LANES_PICK(r, s, 0, 1, 4, 5) + LANES_PICK(r, s, 2, 3, 6, 7);
  return LANES_PICK(pq, rs, 0, 2, 4, 6) + LANES_PICK(pq, rs, 1, 3, 5, 7);
}

LANES_BLOCK Rows rows_scale(Rows a, Lanes s) {
  return (Rows){{a.row[0] * LANES_PICK(s, s, 0, 0, 0, 0), a.row[1] * LANES_PICK(s, s, 1, 1, 1, 1),
                 a.row[2] * LANES_PICK(s, s, 2, 2, 2, 2), a.row[3] * LANES_PICK(s, s, 3, 3, 3, 3)}};
}

LANES_BLOCK Rows rows_add(Rows a, Rows b) {
  return (Rows){{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2], a.row[3] + b.row[3]}};
}

LANES_BLOCK Rows rows_normalize(Rows a) { return rows_scale(a, 1 / lanes_sqrt(rows_dot(a, a))); }

// ---- Loops ----

static void lerp(const vec3s *a, const vec3s *b, float t, int count, vec3s *out) {
  const float *from = a[0].raw, *to = b[0].raw;
  float *result = out[0].raw;
  int i = 0;
  for (; i + LANES <= 3 * count; i += LANES) {
    Lanes start = lanes_load(from + i);
    lanes_store(result + i, start + t * (lanes_load(to + i) - start));
  }
  for (; i < 3 * count; i++)
    result[i] = from[i] + t * (to[i] - from[i]);
}

// Processes the joints that do not fill a block: with four lanes in a padded block, with eight lanes by the loops for
// four.
#if LANES == 4
#define REST(loop, ...) loop##_block(__VA_ARGS__)
#else
#define REST(loop, ...) pose_loops_4.loop(__VA_ARGS__)
#endif

LANES_BLOCK void mix_block(const versors *a, const versors *b, float t, int count, versors *out) {
  Rows from = rows_load(a, count), to = rows_load(b, count);
  Lanes to_weight = lanes_flip(lanes_all(t), rows_dot(from, to));
  rows_store(out, count, rows_normalize(rows_add(rows_scale(from, lanes_all(1 - t)), rows_scale(to, to_weight))));
}

static void mix(const versors *a, const versors *b, float t, int count, versors *out) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    mix_block(a + i, b + i, t, LANES, out + i);
  if (i < count)
    REST(mix, a + i, b + i, t, count - i, out + i);
}

LANES_BLOCK ArcWeights weights_block(const versors *a, const versors *b, float t, int count) {
  return arc_weights(rows_dot(rows_load(a, count), rows_load(b, count)), lanes_all(t));
}

LANES_BLOCK void weigh_block(const versors *a, const versors *b, ArcWeights w, int count, versors *out) {
  Rows sum = rows_add(rows_scale(rows_load(a, count), w.a), rows_scale(rows_load(b, count), w.b));
  rows_store(out, count, rows_normalize(sum));
}

LANES_BLOCK void slerp_block(const versors *a, const versors *b, float t, int count, versors *out) {
  weigh_block(a, b, weights_block(a, b, t, count), count, out);
}

// Two loops, since with all operations of a whole block in one loop a processor would overlap too few blocks.
static void slerp(const versors *a, const versors *b, float t, int count, versors *out) {
  ArcWeights weights[SKELETON_MAX_JOINTS / LANES];
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    weights[i / LANES] = weights_block(a + i, b + i, t, LANES);
  if (i < count)
    REST(slerp, a + i, b + i, t, count - i, out + i);
  for (i = 0; i + LANES <= count; i += LANES)
    weigh_block(a + i, b + i, weights[i / LANES], LANES, out + i);
}

LANES_BLOCK void normalize_block(versors *q, int count) { rows_store(q, count, rows_normalize(rows_load(q, count))); }

static void normalize(versors *q, int count) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    normalize_block(q + i, LANES);
  if (i < count)
    REST(normalize, q + i, count - i);
}

// Rows of x, y, z and w of each rotation to all x, all y, all z and all w, and back.
LANES_BLOCK Rows rows_transpose(Rows rows) {
  const Lanes *r = rows.row;
  Lanes ab_low = LANES_PICK(r[0], r[1], 0, 4, 1, 5), ab_high = LANES_PICK(r[0], r[1], 2, 6, 3, 7);
  Lanes cd_low = LANES_PICK(r[2], r[3], 0, 4, 1, 5), cd_high = LANES_PICK(r[2], r[3], 2, 6, 3, 7);
  return (Rows){{LANES_PICK(ab_low, cd_low, 0, 1, 4, 5), LANES_PICK(ab_low, cd_low, 2, 3, 6, 7),
                 LANES_PICK(ab_high, cd_high, 0, 1, 4, 5), LANES_PICK(ab_high, cd_high, 2, 3, 6, 7)}};
}

// Angles whose halves have this sine and cosine, as quat_angle_of_half.
LANES_BLOCK Lanes angles_of_half(Lanes sine, Lanes cosine) {
  Lanes s2 = sine * sine;
  Lanes angle =
      2 * sine *
      (1 + s2 * (1.0f / 6 + s2 * (3.0f / 40 + s2 * (15.0f / 336 + s2 * (105.0f / 3456 + s2 * (945.0f / 42240))))));
  float most = 0;
  for (int i = 0; i < LANES; i++)
    most = sine[i] > most ? sine[i] : most;
  for (int i = 0; i < LANES && most > 0.3f; i++)
    angle[i] = quat_angle_of_half(sine[i], cosine[i]);
  return angle;
}

// With the bits of quat_log(glms_quat_mul(b, glms_quat_conjugate(a))).
LANES_BLOCK void turns_block(const versors *a, const versors *b, int count, vec3s *out) {
  Rows to = rows_transpose(rows_load(b, count)), from = rows_transpose(rows_load(a, count));
  Lanes x = -from.row[0], y = -from.row[1], z = -from.row[2], w = from.row[3];
  Lanes tx = to.row[0], ty = to.row[1], tz = to.row[2], tw = to.row[3];
  Lanes v[3] = {tw * x + tx * w + ty * z - tz * y, tw * y - tx * z + ty * w + tz * x,
                tw * z + tx * y - ty * x + tz * w};
  Lanes cosine = tw * w - tx * x - ty * y - tz * z;
  LaneBits far = cosine < 0;
  cosine = lanes_select(far, -cosine, cosine);
  for (int k = 0; k < 3; k++)
    v[k] = lanes_select(far, -v[k], v[k]);
  Lanes sine = lanes_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  Lanes scale = lanes_select(sine > 1e-6f, angles_of_half(sine, cosine) / sine, lanes_all(2));
  versors turns[LANES];
  rows_store(turns, LANES, rows_transpose((Rows){{v[0] * scale, v[1] * scale, v[2] * scale, scale}}));
  for (int i = 0; i < count; i++)
    out[i] = (vec3s){{turns[i].x, turns[i].y, turns[i].z}};
}

static void turns(const versors *a, const versors *b, int count, vec3s *out) {
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    turns_block(a + i, b + i, LANES, out + i);
  if (i < count)
    REST(turns, a + i, b + i, count - i, out + i);
}

#if LANES == 8
const PoseLoops pose_loops_8 = {lerp, mix, slerp, normalize, turns};
#else
const PoseLoops pose_loops_4 = {lerp, mix, slerp, normalize, turns};

const PoseLoops *pose_loops(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    return &pose_loops_8;
#endif
  return &pose_loops_4;
}
#endif
