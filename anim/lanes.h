// SIMD arithmetic for loops over poses: operations on four joints at once. These are GNU C vectors, which the compiler
// translates to instructions that every processor of an architecture has (SSE2 on x86-64). Loops that all poses pass
// through use eight lanes on processors with AVX2 (pose_loops_avx2.c). Each lane does the same operations there, so all
// processors of an architecture compute the same bits.
//
// A loop over a pose works on blocks of LANES joints. The function for a block is a LANES_BLOCK: it is inlined once for
// whole blocks, where `count` is the constant LANES, and once for the remaining joints. A block loads all its inputs
// before it stores results, so that poses can be changed in place.
#ifndef STAGGER_ANIM_LANES_H
#define STAGGER_ANIM_LANES_H

#include <cglm/struct.h>
#include <math.h>
#include <stdint.h>

#ifndef LANES
#define LANES 4 // 8 in pose_loops_avx2.c, which uses only what comes before "Four lanes"
#endif

#define LANES_BLOCK static inline __attribute__((always_inline))

typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t LaneBits __attribute__((vector_size(4 * LANES))); // result of a comparison: all bits set where it holds
typedef float LanesInMemory __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

// Selects lanes of a (0..3) and b (4..7) by index. With eight lanes, each half is selected from the same halves of a
// and b.
#if LANES == 4
#define LANES_INDICES(i, j, k, l) i, j, k, l
#else
#define LANES_LOW(i) ((i) % 4 + (i) / 4 * 8)
#define LANES_INDICES(i, j, k, l)                                                                                      \
  LANES_LOW(i), LANES_LOW(j), LANES_LOW(k), LANES_LOW(l), LANES_LOW(i) + 4, LANES_LOW(j) + 4, LANES_LOW(k) + 4,        \
      LANES_LOW(l) + 4
#endif
#ifdef __clang__
#define LANES_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, LANES_INDICES(i, j, k, l))
#else
#define LANES_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (LaneBits){LANES_INDICES(i, j, k, l)})
#endif

static inline Lanes lanes_all(float value) { return value - (Lanes){0}; }

static inline Lanes lanes_load(const float *from) { return *(const LanesInMemory *)from; }

static inline void lanes_store(float *to, Lanes v) { *(LanesInMemory *)to = v; }

static inline Lanes lanes_sqrt(Lanes v) {
  for (int i = 0; i < LANES; i++)
    v[i] = sqrtf(v[i]);
  return v;
}

// a where the bits are set, b elsewhere.
static inline Lanes lanes_select(LaneBits bits, Lanes a, Lanes b) {
  return (Lanes)(((LaneBits)a & bits) | ((LaneBits)b & ~bits));
}

// v, negated where `sign` is negative.
static inline Lanes lanes_flip(Lanes v, Lanes sign) { return (Lanes)((LaneBits)v ^ ((LaneBits)sign & INT32_MIN)); }

// ---- Arcs ----

// sin(angle) / angle within 5e-9, from the square of the angle; angle in 0 .. pi/2.
LANES_BLOCK Lanes sine_over_angle(Lanes square) {
  Lanes fourth = square * square;
  return (1 - 0.16666658f * square) + fourth * ((0.00833305106f - 0.000198090753f * square) + fourth * 2.60522491e-6f);
}

// cos(angle) within 1e-9, from the square of the angle.
LANES_BLOCK Lanes cosine_of_angle(Lanes square) {
  Lanes fourth = square * square;
  Lanes high = (-0.00138883614f + 2.47601614e-5f * square) - fourth * 2.60514953e-7f;
  return (1 - 0.499999994f * square) + fourth * (0.0416666363f + square * high);
}

// The square of the angle with this cosine (0 .. 1), within 1e-7. Unlike the angle, the square is smooth at 0.
LANES_BLOCK Lanes square_of_angle(Lanes cosine) {
  Lanes c = 1 - cosine, cc = c * c;
  Lanes low = (2 + 0.333344221f * c) + cc * (0.0886750292f + 0.0301588674f * c);
  Lanes high = (0.0044644899f + 0.0146078317f * c) + cc * (-0.00905629701f + 0.00520695828f * c);
  return c * (low + (cc * cc) * high);
}

// Weights of two rotations with this dot product on the shorter arc between them (slerp), t 0 .. 1. They are in the
// ratio of sin((1 - t) angle) to sin(t angle), but the weighted sum must still be normalised. The polynomials are
// fitted for the smallest maximum error; the result is within 5e-8 rad of the true rotation before rounding.
typedef struct ArcWeights {
  Lanes a, b;
} ArcWeights;

LANES_BLOCK ArcWeights arc_weights(Lanes cosine, Lanes t) {
  Lanes rest = 1 - t, square = square_of_angle(lanes_flip(cosine, cosine));
  Lanes wa = rest * sine_over_angle(rest * rest * square), wb = t * sine_over_angle(t * t * square);
  return (ArcWeights){wa, lanes_flip(wb, cosine)};
}

// ---- Four lanes ----

#if LANES == 4

// Loads `count` floats; lanes beyond them repeat the first.
static inline Lanes lanes_load_some(const float *from, int count) {
  if (count >= LANES)
    return lanes_load(from);
  return (Lanes){from[0], from[count > 1 ? 1 : 0], from[count > 2 ? 2 : 0], from[0]};
}

// Transposes a 4 x 4 matrix.
static inline void lanes_transpose(Lanes *a, Lanes *b, Lanes *c, Lanes *d) {
  Lanes ab_low = LANES_PICK(*a, *b, 0, 4, 1, 5), ab_high = LANES_PICK(*a, *b, 2, 6, 3, 7);
  Lanes cd_low = LANES_PICK(*c, *d, 0, 4, 1, 5), cd_high = LANES_PICK(*c, *d, 2, 6, 3, 7);
  *a = LANES_PICK(ab_low, cd_low, 0, 1, 4, 5);
  *b = LANES_PICK(ab_low, cd_low, 2, 3, 6, 7);
  *c = LANES_PICK(ab_high, cd_high, 0, 1, 4, 5);
  *d = LANES_PICK(ab_high, cd_high, 2, 3, 6, 7);
}

// ---- One point in the lanes x y z (the fourth is unused), or one quaternion ----

static inline Lanes lanes_from_point(vec3s p) { return (Lanes){p.x, p.y, p.z, 0}; }
static inline vec3s lanes_to_point(Lanes v) { return (vec3s){{v[0], v[1], v[2]}}; }

static inline Lanes lanes_cross(Lanes a, Lanes b) {
  Lanes zxy = a * LANES_PICK(b, b, 1, 2, 0, 3) - LANES_PICK(a, a, 1, 2, 0, 3) * b;
  return LANES_PICK(zxy, zxy, 1, 2, 0, 3);
}

// p rotated by the unit quaternion q: p + w t + v x t with t = 2 v x p, where v is the vector part of q.
static inline Lanes lanes_turn(Lanes q, Lanes p) {
  Lanes t = lanes_cross(q, p), w = LANES_PICK(q, q, 3, 3, 3, 3);
  t += t;
  return p + w * t + lanes_cross(q, t);
}

// The product of two quaternions, with the same bits as glms_quat_mul. The signs are applied to b, so that in a chain
// of products the wait for a is shorter.
static inline Lanes lanes_quat_mul(Lanes a, Lanes b) {
  const LaneBits minus_yw = {0, INT32_MIN, 0, INT32_MIN}, minus_zw = {0, 0, INT32_MIN, INT32_MIN},
                 minus_xw = {INT32_MIN, 0, 0, INT32_MIN};
  Lanes by_x = (Lanes)((LaneBits)LANES_PICK(b, b, 3, 2, 1, 0) ^ minus_yw);
  Lanes by_y = (Lanes)((LaneBits)LANES_PICK(b, b, 2, 3, 0, 1) ^ minus_zw);
  Lanes by_z = (Lanes)((LaneBits)LANES_PICK(b, b, 1, 0, 3, 2) ^ minus_xw);
  return LANES_PICK(a, a, 3, 3, 3, 3) * b + LANES_PICK(a, a, 0, 0, 0, 0) * by_x + LANES_PICK(a, a, 1, 1, 1, 1) * by_y +
         LANES_PICK(a, a, 2, 2, 2, 2) * by_z;
}

// Rotates a point by a joint's rotation, without the normalisation of glms_quat_rotatev.
static inline vec3s quat_turn(versors q, vec3s p) {
  return lanes_to_point(lanes_turn(lanes_load(q.raw), lanes_from_point(p)));
}

// ---- Four quaternions ----

typedef struct Quats {
  Lanes x, y, z, w;
} Quats;

// Loads the rotations of `count` joints; lanes beyond them repeat the first.
static inline Quats quats_load(const versors *from, int count) {
  versors padded[LANES];
  if (count < LANES) {
    for (int i = 0; i < LANES; i++)
      padded[i] = from[i < count ? i : 0];
    from = padded;
  }
  Quats q = {lanes_load(from[0].raw), lanes_load(from[1].raw), lanes_load(from[2].raw), lanes_load(from[3].raw)};
  lanes_transpose(&q.x, &q.y, &q.z, &q.w);
  return q;
}

// Loads the rotations of the joints with these indices.
static inline Quats quats_gather(const versors *from, const int *index, int count) {
  int padded[LANES];
  if (count < LANES) {
    for (int i = 0; i < LANES; i++)
      padded[i] = index[i < count ? i : 0];
    index = padded;
  }
  Quats q = {lanes_load(from[index[0]].raw), lanes_load(from[index[1]].raw), lanes_load(from[index[2]].raw),
             lanes_load(from[index[3]].raw)};
  lanes_transpose(&q.x, &q.y, &q.z, &q.w);
  return q;
}

static inline void quats_store(versors *to, int count, Quats q) {
  versors padded[LANES], *place = count < LANES ? padded : to;
  lanes_transpose(&q.x, &q.y, &q.z, &q.w);
  lanes_store(place[0].raw, q.x);
  lanes_store(place[1].raw, q.y);
  lanes_store(place[2].raw, q.z);
  lanes_store(place[3].raw, q.w);
  for (int i = 0; i < count && count < LANES; i++)
    to[i] = padded[i];
}

static inline Lanes quats_dot(Quats a, Quats b) { return (a.x * b.x + a.z * b.z) + (a.y * b.y + a.w * b.w); }

static inline Quats quats_scale(Quats q, Lanes s) { return (Quats){q.x * s, q.y * s, q.z * s, q.w * s}; }

// wa a + wb b
static inline Quats quats_mix(Quats a, Lanes wa, Quats b, Lanes wb) {
  return (Quats){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

static inline Quats quats_normalize(Quats q) { return quats_scale(q, 1 / lanes_sqrt(quats_dot(q, q))); }

static inline Quats quats_conjugate(Quats q) { return (Quats){-q.x, -q.y, -q.z, q.w}; }

static inline Quats quats_mul(Quats a, Quats b) {
  return (Quats){
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

static inline Quats quats_select(LaneBits bits, Quats a, Quats b) {
  return (Quats){lanes_select(bits, a.x, b.x), lanes_select(bits, a.y, b.y), lanes_select(bits, a.z, b.z),
                 lanes_select(bits, a.w, b.w)};
}

// ---- Four points ----

typedef struct Points {
  Lanes x, y, z;
} Points;

// Like quats_load. The three vectors hold x0 y0 z0 x1, y1 z1 x2 y2 and z2 x3 y3 z3.
static inline Points points_load(const vec3s *from, int count) {
  vec3s padded[LANES];
  if (count < LANES) {
    for (int i = 0; i < LANES; i++)
      padded[i] = from[i < count ? i : 0];
    from = padded;
  }
  const float *f = from[0].raw;
  Lanes a = lanes_load(f), b = lanes_load(f + 4), c = lanes_load(f + 8);
  Lanes yz01 = LANES_PICK(a, b, 1, 2, 4, 5), xy23 = LANES_PICK(b, c, 2, 3, 5, 6);
  return (Points){LANES_PICK(a, xy23, 0, 3, 4, 6), LANES_PICK(yz01, xy23, 0, 2, 5, 7), LANES_PICK(yz01, c, 1, 3, 4, 7)};
}

// Loads the points of the joints with these indices.
static inline Points points_gather(const vec3s *from, const int *index, int count) {
  const float *p[LANES];
  for (int i = 0; i < LANES; i++)
    p[i] = from[index[i < count ? i : 0]].raw;
  return (Points){
      {p[0][0], p[1][0], p[2][0], p[3][0]}, {p[0][1], p[1][1], p[2][1], p[3][1]}, {p[0][2], p[1][2], p[2][2], p[3][2]}};
}

static inline void points_store(vec3s *to, int count, Points p) {
  Lanes xy = LANES_PICK(p.x, p.y, 0, 2, 4, 6), zx = LANES_PICK(p.z, p.x, 0, 2, 5, 7),
        yz = LANES_PICK(p.y, p.z, 1, 3, 5, 7);
  vec3s padded[LANES], *place = count < LANES ? padded : to;
  float *f = place[0].raw;
  lanes_store(f, LANES_PICK(xy, zx, 0, 2, 4, 6));
  lanes_store(f + 4, LANES_PICK(yz, xy, 0, 2, 5, 7));
  lanes_store(f + 8, LANES_PICK(zx, yz, 1, 3, 5, 7));
  for (int i = 0; i < count && count < LANES; i++)
    to[i] = padded[i];
}

static inline Points points_add(Points a, Points b) { return (Points){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Points points_sub(Points a, Points b) { return (Points){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Points points_scale(Points p, Lanes s) { return (Points){p.x * s, p.y * s, p.z * s}; }
static inline Points points_cross(Points a, Points b) {
  return (Points){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline Points points_select(LaneBits bits, Points a, Points b) {
  return (Points){lanes_select(bits, a.x, b.x), lanes_select(bits, a.y, b.y), lanes_select(bits, a.z, b.z)};
}

// Like lanes_turn.
static inline Points points_turn(Quats q, Points p) {
  Points v = {q.x, q.y, q.z}, t = points_cross(v, p);
  t = points_add(t, t);
  return points_add(points_add(p, points_scale(t, q.w)), points_cross(v, t));
}

#endif // LANES == 4

#endif
