# Bits, hashing, random numbers: see bits.h, whose XP_*_CLONES macros stand before a function's declaration in C.
from libc.stdint cimport uint64_t

cdef extern from "toolkit/bits.h" nogil:
    int xp_ctz64(uint64_t x)  # place of the lowest bit; x is not 0
    int xp_clz64(uint64_t x)  # zeros above the highest bit; x is not 0
    int xp_popcount64(uint64_t x)
    void xp_prefetch(const void* p)
    uint64_t xp_mix64(uint64_t x)  # every bit of x moves every bit of the hash
    uint64_t xp_random64(uint64_t* state)  # the next of SplitMix64
    uint64_t xp_below(uint64_t* state, uint64_t n)  # a random number below n, which is at most 2^32
