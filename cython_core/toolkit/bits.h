/* Bits, prefetch, hashing, random numbers and clones for wide vectors, with portable fallbacks: once for all kernels. */
#ifndef EXACTPLAY_BITS_H
#define EXACTPLAY_BITS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __inline int xp_ctz64(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
static __inline int xp_clz64(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return 63 - (int)i; }
static __inline int xp_popcount64(uint64_t x)
{
    /* No __popcnt64: it faults on a processor without the instruction. */
    x = x - ((x >> 1) & 0x5555555555555555ULL);
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
#elif defined(__GNUC__) || defined(__clang__)
static inline int xp_ctz64(uint64_t x) { return __builtin_ctzll(x); }
static inline int xp_clz64(uint64_t x) { return __builtin_clzll(x); }
static inline int xp_popcount64(uint64_t x) { return __builtin_popcountll(x); }
#else
#error "exactplay needs gcc, clang or MSVC"
#endif

/* Ask for the memory at p before it is needed. */
#if defined(__GNUC__) || defined(__clang__)
#define xp_prefetch(p) __builtin_prefetch(p)
#else
#define xp_prefetch(p) ((void)(p))
#endif

/* The finaliser of MurmurHash3: every bit of x moves every bit of the hash. */
static inline uint64_t xp_mix64(uint64_t x)
{
    x ^= x >> 33; x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

/* The next number of a SplitMix64 generator. */
static inline uint64_t xp_random64(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* A uniform integer below n (0 < n < 2^32); the bias is under n / 2^32. */
static inline uint64_t xp_below(uint64_t *state, uint64_t n)
{
    return ((xp_random64(state) >> 32) * n) >> 32;
}

/* One body, compiled for several processors and chosen when the module is loaded. Only where the loader can do it
 * (glibc). "arch=" names of processors miss AMD's, so clones go by features, or by the levels of x86-64 (gcc 12).
 * A FLAT clone inlines all it calls, so that its helpers are compiled for the same processor. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define XP_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#define XP_POPCNT_CLONES __attribute__((target_clones("popcnt", "default")))
#define XP_FLAT_AVX2_CLONES __attribute__((target_clones("avx2", "default"), flatten))
#if __GNUC__ >= 12
#define XP_FLAT_V3_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define XP_FLAT_V3_CLONES
#endif
#else
#define XP_VECTOR_CLONES
#define XP_POPCNT_CLONES
#define XP_FLAT_AVX2_CLONES
#define XP_FLAT_V3_CLONES
#endif

#endif
