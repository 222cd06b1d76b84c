// Inner loops over doubles, four at a time, by what the machine has: x86-64 processors with AVX2 take four in one
// instruction, others two in two. Which it is turns out when the program begins. Products are never fused with sums
// (-ffp-contract=off) and sums go in the same order either way, so that all of them compute the same bits.
#ifndef STAGGER_SIM_BASE_WIDE_H
#define STAGGER_SIM_BASE_WIDE_H

// A function that is compiled for either. What it calls is so too only where it is inlined: WIDE_PART. Which of the two
// it is, code of the compiler's own asks before the thread sanitizer is there that it would report to.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#define WIDE_PART static inline __attribute__((always_inline))

typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
typedef double QuadInMemory __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

// A macro: a function that returned one would have to know how the machine passes it.
#define QUAD_AT(a) ((Quad)(*(const QuadInMemory *)(a)))

#endif
