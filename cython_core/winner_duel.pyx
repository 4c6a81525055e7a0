"""The fast search for two players and one deck (`win` and `score`), and the fewest plays of a hand.

Question asked of a position: does side 0 get at least t? A position is searched by depth-first proof numbers.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from "bits.h" nogil:
    int xp_ctz64(uint64_t x)
    int xp_clz64(uint64_t x)
    int xp_popcount64(uint64_t x)
    uint64_t xp_mix64(uint64_t x)
    void xp_prefetch(const void* p)

cdef enum:
    SINGLE = 1, PAIR, PAIR_STRAIGHT, TRIPLE_STRAIGHT, FULL_HOUSE, STRAIGHT, BOMB, LARGE_BOMB, STRAIGHT_FLUSH, JOKER_PAIR
    FOUR_RANK = 1

include "winner_plays.pxi"
include "winner_moves.pxi"
include "winner_proof.pxi"
