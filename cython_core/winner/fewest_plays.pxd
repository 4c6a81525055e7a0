# The least number of combinations that shed a hand.
#
# Suits do not matter (a row of one suit is a row), so a hand is a word of counts, a nibble a rank in natural order: place 2
# (the Two) in nibble 0, place 3 in nibble 1, ... place 14 (the Ace, also place 1) in nibble 12. Rows are taken from the
# lowest place upward; what no row takes is split into sets, where a triple and a pair of another rank make one play.
# Measured on random 27-card hands: see bench/winner.py; a dynamic programme over open rows has 10 times the states.
from libc.stdint cimport uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_ctz64, xp_mix64, xp_popcount64

cdef enum:
    PLAYS_BITS = 20              # entries of the memo: 2^20, 8 MiB

cdef extern from *:
    """
    #define WN_MEMO_KEY 0xFFFFFFFFFFFFFFULL
    #define WN_COUNT_MASK 0xFFFFFFFFFFFFFULL
    #define WN_FEET 0x1111111111111ULL
    """
    const uint64_t MEMO_KEY "WN_MEMO_KEY"
    const uint64_t COUNT_MASK "WN_COUNT_MASK"
    const uint64_t FEET "WN_FEET"            # the lowest bit of every nibble

# An entry of the memo: counts, above them the place from which rows may still start (52 bits on), above it the plays (56 on).
ctypedef uint64_t Memo



cdef inline uint64_t counts_of(uint64_t hand) noexcept nogil:
    """The nibble counts of one word of a hand, ranks in climbing order; jokers are left out."""
    cdef uint64_t c = hand & COUNT_MASK
    c = c - ((c >> 1) & 0x5555555555555555ULL)
    return (c & 0x3333333333333333ULL) + ((c >> 2) & 0x3333333333333333ULL)


cdef inline uint64_t to_natural(uint64_t counts) noexcept nogil:
    """Climbing order (3 ... K A 2) to places 2 ... 14 (2 3 ... K A)."""
    return ((counts << 4) | (counts >> 48)) & COUNT_MASK


cdef inline int nibbles_at_least(uint64_t c, int n) noexcept nogil:
    """How many nibbles (each at most 8) hold n or more."""
    return xp_popcount64((c + <uint64_t>(8 - n) * 0x1111111111111ULL) & 0x8888888888888ULL)


cdef inline int plays_of_sets(uint64_t c) noexcept nogil:
    """One deck: the plays of ranks with these counts when no row is made.

    A triple takes a pair along in a full house; failing pairs, two triples take along the two halves of a four.
    """
    cdef int ge1 = nibbles_at_least(c, 1), ge2 = nibbles_at_least(c, 2), ge3 = nibbles_at_least(c, 3)
    cdef int fours = nibbles_at_least(c, 4)
    cdef int triples = ge3 - fours, pairs = ge2 - ge3, saved = min(triples, pairs)
    return ge1 - saved - min((triples - saved) >> 1, fours)


cdef inline int plays_of_big_sets(uint64_t c, int rank, int triples, int pairs, int widest, int plays) noexcept nogil:
    """Two decks: as plays_of_sets, where a rank may hold up to eight.

    Five and more of a rank are split in every way that can pay (a single beside a pair or a triple never does). `widest` is
    the most triples and pairs that one rank brings: they cannot make full houses among themselves.
    """
    cdef int held, best = 99, found, q, t, p, left, ge1, ge2, ge3, fours, saved
    while rank < 13:
        held = <int>((c >> (4 * rank)) & 15)
        if held > 4:
            c &= ~(<uint64_t>15 << (4 * rank))
            for q in range(held // 4 + 1):
                for t in range((held - 4 * q) // 3 + 1):
                    left = held - 4 * q - 3 * t
                    p = left // 2
                    if left & 1 and (t or p):
                        continue
                    found = plays_of_big_sets(c, rank + 1, triples + t, pairs + p, max(widest, t + p),
                                              plays + q + t + p + (left & 1))
                    best = min(best, found)
            return best
        rank += 1
    ge1, ge2, ge3 = nibbles_at_least(c, 1), nibbles_at_least(c, 2), nibbles_at_least(c, 3)
    fours = nibbles_at_least(c, 4)
    triples += ge3 - fours
    pairs += ge2 - ge3
    saved = min(min(triples, pairs), max(0, triples + pairs - widest))
    return plays + ge1 - saved - min((triples - saved) >> 1, fours)


cdef inline uint64_t row_starts(uint64_t c) noexcept nogil:
    """A bit at the foot of nibble p - 1 for every place p from which a row of five ranks or of two pairs goes up."""
    cdef uint64_t one = (c + 7 * FEET) >> 3 & FEET, two = (c + 6 * FEET) >> 3 & FEET
    one = one << 4 | one >> 48                   # the Ace is place 14, and place 1 as well
    two = two << 4 | two >> 48
    return (one & one >> 4 & one >> 8 & one >> 12 & one >> 16) | (two & two >> 4)


cdef inline int plays_from(Memo* memo, uint64_t c, int start) noexcept nogil:
    """The fewest plays for natural counts c when rows start at place `start` or above."""
    cdef int best, place, length, each, shortest, found
    cdef uint64_t left, unit, key, row
    cdef Memo* entry
    # Where no row can start the answer is at hand; go straight to the first place where one can.
    left = row_starts(c) & ~<uint64_t>0 << (4 * (start - 1))
    if left == 0:
        return plays_of_big_sets(c, 0, 0, 0, 0, 0) if nibbles_at_least(c, 5) else plays_of_sets(c)
    start = (xp_ctz64(left) >> 2) + 1
    key = c | <uint64_t>start << 52
    entry = &memo[xp_mix64(key) & ((1 << PLAYS_BITS) - 1)]
    if entry[0] & MEMO_KEY == key:
        return <int>(entry[0] >> 56)
    best = plays_from(memo, c, start + 1)
    for each in range(1, 4):
        shortest = 5 if each == 1 else 2
        left = c
        for length in range(1, 14):
            place = start + length - 1
            if place > 14:
                break
            unit = <uint64_t>each << (4 * ((place + 11) % 13))
            if ((left >> (4 * ((place + 11) % 13))) & 15) < <uint64_t>each:
                break
            left -= unit
            if length >= shortest:
                found = 1 + plays_from(memo, left, start)
                if found < best:
                    best = found
    entry[0] = key | <uint64_t>best << 56
    return best


cdef inline int fewest(Memo* memo, uint64_t a, uint64_t b) noexcept nogil:
    """The fewest plays of a hand of two words."""
    cdef uint64_t c = to_natural(counts_of(a) + counts_of(b))
    cdef int black = <int>((a >> 52) & 1) + <int>((b >> 52) & 1), red = <int>((a >> 53) & 1) + <int>((b >> 53) & 1)
    return plays_from(memo, c, 1) + max(black, red)


cdef class FewestPlays:
    cdef Memo* memo
