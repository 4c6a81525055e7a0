/* Evaluation of the compiled structure for eight utility vectors at once: a row is eight doubles, one a vector.
 * The body is built for 16-byte vectors (or plain C), AVX2 and AVX-512 and chosen once by what the processor has. */
#ifndef EXACTPLAY_WINSTON84_KERNEL_H
#define EXACTPLAY_WINSTON84_KERNEL_H

#include <stdint.h>

typedef struct {
    void (*masks)(double *, const uint64_t *, int64_t, const double *);
    void (*nodes)(double *, int64_t, const uint32_t *, const uint8_t *, const uint32_t *, const double *);
    void (*lists)(double *, int64_t, const uint16_t *, const uint32_t *, const uint16_t *, const double *, const double *);
    void (*sum)(double *, const double *, int64_t);
} xp84_flavour;

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#define F(name) xp84_sse2_##name
#define V __m128d
#define VN 4
#define LOAD _mm_loadu_pd
#define STORE _mm_storeu_pd
#define SPLAT _mm_set1_pd
#define MUL _mm_mul_pd
#define ADD _mm_add_pd
#define MAX _mm_max_pd
#define XP84_BASELINE "sse2"
#define XP84_BASE_FLAVOUR xp84_sse2_flavour
#else
#define F(name) xp84_plain_##name
#define V double
#define VN 8
#define LOAD(p) (*(p))
#define STORE(p, x) (*(p) = (x))
#define SPLAT(w) (w)
#define MUL(a, b) ((a) * (b))
#define ADD(a, b) ((a) + (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define XP84_BASELINE "plain"
#define XP84_BASE_FLAVOUR xp84_plain_flavour
#endif
#include "kernel_body.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define XP84_WIDE 1
#pragma GCC push_options
#pragma GCC target("avx2")
#define F(name) xp84_avx2_##name
#define V __m256d
#define VN 2
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define SPLAT _mm256_set1_pd
#define MUL _mm256_mul_pd
#define ADD _mm256_add_pd
#define MAX _mm256_max_pd
#include "kernel_body.h"
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f")
#define F(name) xp84_avx512_##name
#define V __m512d
#define VN 1
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define SPLAT _mm512_set1_pd
#define MUL _mm512_mul_pd
#define ADD _mm512_add_pd
#define MAX _mm512_max_pd
#include "kernel_body.h"
#pragma GCC pop_options
#endif

/* Flavour by level: 0 baseline, 1 AVX2, 2 AVX-512; NULL where the processor or the compiler has none. */
static const xp84_flavour *xp84_pick(int level)
{
    if (level == 0) return &XP84_BASE_FLAVOUR;
#ifdef XP84_WIDE
    if (level == 1 && __builtin_cpu_supports("avx2")) return &xp84_avx2_flavour;
    if (level == 2 && __builtin_cpu_supports("avx512f")) return &xp84_avx512_flavour;
#endif
    return NULL;
}

static const char *xp84_flavour_name(int level)
{
    return level == 0 ? XP84_BASELINE : level == 1 ? "avx2" : "avx512f";
}

#endif
