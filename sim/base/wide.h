// Inner loops over four doubles or eight floats at a time: x86-64 processors with AVX2 handle them in one instruction,
// others use two for one half each. The choice is made when the program starts. Products are never fused with sums
// (-ffp-contract=off) and sums have the same order in both cases, so that the results have the same bits.
#ifndef STAGGER_SIM_BASE_WIDE_H
#define STAGGER_SIM_BASE_WIDE_H

#include <stdint.h>

// A function that is compiled for both. Functions called by it are compiled for both only if inlined: WIDE_PART. Not
// used with the thread sanitizer, since the resolver, which is the compiler's code, runs before the sanitizer is ready.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#define WIDE_PART static inline __attribute__((always_inline))

typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
typedef double QuadInMemory __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

// A macro, since returning a Quad from a function would depend on the machine's calling convention.
#define QUAD_AT(a) ((Quad)(*(const QuadInMemory *)(a)))
#define QUAD_PUT(a, quad) (*(QuadInMemory *)(a) = (quad))

// The numbers of a with these indices; and those of a (0 to 3) and b (4 to 7).
#ifdef __clang__
#define QUAD_PICK(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l)
#define QUAD_MIX(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int64_t QuadOrder __attribute__((vector_size(4 * sizeof(int64_t))));
#define QUAD_PICK(a, i, j, k, l) __builtin_shuffle(a, (QuadOrder){i, j, k, l})
#define QUAD_MIX(a, b, i, j, k, l) __builtin_shuffle(a, b, (QuadOrder){i, j, k, l})
#endif

// a x b of vectors in the first three numbers; a and b are evaluated twice.
#define QUAD_NEXT(a) QUAD_PICK(a, 1, 2, 0, 3)
#define QUAD_CROSS(a, b) QUAD_NEXT((a)*QUAD_NEXT(b) - QUAD_NEXT(a) * (b))

// out = a b, quaternions w x y z: quaternion_times of numbers.h, with its bits.
WIDE_PART void quad_quaternion_times(const double a[4], const double b[4], double out[4]) {
  const Quad p = QUAD_AT(a), q = QUAD_AT(b), sign = {-1, 1, 1, 1};
  const Quad second = QUAD_PICK(p, 1, 1, 2, 3) * QUAD_PICK(q, 1, 0, 0, 0) * sign;
  const Quad third = QUAD_PICK(p, 2, 2, 3, 1) * QUAD_PICK(q, 2, 3, 1, 2) * sign;
  const Quad fourth = QUAD_PICK(p, 3, 3, 1, 2) * QUAD_PICK(q, 3, 2, 3, 1);
  QUAD_PUT(out, QUAD_PICK(p, 0, 0, 0, 0) * q + second + third - fourth);
}

// out = a^-1 b, unit quaternions: the rotation b in the frame a. Equal to ODE's dQMultiply1 to the bit.
WIDE_PART void quad_quaternion_within(const double a[4], const double b[4], double out[4]) {
  const Quad p = QUAD_AT(a), q = QUAD_AT(b), sign = {1, -1, -1, -1};
  const Quad second = QUAD_PICK(p, 1, 1, 2, 3) * QUAD_PICK(q, 1, 0, 0, 0) * sign;
  const Quad third = QUAD_PICK(p, 2, 2, 3, 1) * QUAD_PICK(q, 2, 3, 1, 2) * sign;
  const Quad fourth = QUAD_PICK(p, 3, 3, 1, 2) * QUAD_PICK(q, 3, 2, 3, 1);
  QUAD_PUT(out, QUAD_PICK(p, 0, 0, 0, 0) * q + second + third + fourth);
}

typedef float Octet __attribute__((vector_size(8 * sizeof(float))));
typedef float OctetInMemory __attribute__((vector_size(8 * sizeof(float)), aligned(sizeof(float)), may_alias));

#define OCTET_AT(a) ((Octet)(*(const OctetInMemory *)(a)))
#define OCTET_PUT(a, octet) (*(OctetInMemory *)(a) = (octet))

#endif
