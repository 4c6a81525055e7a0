# How likely the side to act is to win: a small network over what the hands look like. It orders proof numbers, it decides no
# value.
#
# Weights: weights.h, fitted by bench/rebuild/winner.py to positions that the search itself settled. Of positions of
# deals that the fit did not see it tells 9 of 10 right where 1 to 20 nodes settled them, 87 of 100 where up to 200 did.
# 32 hidden units on 120 more deals instead of 16 without them: 17 % fewer nodes (geometric mean, 500,000 at most) on the 18
# deals of 20 and 24 cards a side they were chosen by, 7 % fewer on 22 others, of which one less was solved: little or nothing.
# 16 units on half of those deals: 5 % fewer on the first.

from libc.stdint cimport uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_popcount64
from exactplay.cython_core.winner.candidates cimport JOKERS, Place, bound_cards, in_rows, nibbles_with
from exactplay.cython_core.winner.position cimport (
    BOMB, FULL_HOUSE, PAIR, PAIR_STRAIGHT, SINGLE, STRAIGHT,
)

cdef extern from "winner/weights.h" nogil:
    enum:
        TRAITS "WN_TRAITS"
        HIDDEN "WN_HIDDEN"
    const float WEIGHT "wn_weight"[][32]
    const float BIAS "wn_bias"[]
    const float OUT "wn_out"[]
    const float OUT_BIAS "wn_out_bias"


cdef inline void traits_of(const Place* p, int mine, int theirs, float* f) noexcept nogil:
    """What a position looks like to the side to act; `mine`, `theirs`: the fewest plays of the hands."""
    cdef uint64_t me = p.hand[p.turn], opp = p.hand[1 - p.turn], m1, m2, m3, m4, o1, o2, o3, o4, rest
    cdef int nm = xp_popcount64(me), no = xp_popcount64(opp), total, i
    for i in range(TRAITS):
        f[i] = 0
    m1, m2, m3, m4 = nibbles_with(me, 1), nibbles_with(me, 2), nibbles_with(me, 3), nibbles_with(me, 4)
    o1, o2, o3, o4 = nibbles_with(opp, 1), nibbles_with(opp, 2), nibbles_with(opp, 3), nibbles_with(opp, 4)
    f[0], f[1], f[2], f[3] = mine, theirs, nm, no
    f[4] = p.kind == 0
    f[5], f[6] = xp_popcount64(m4), xp_popcount64(o4)
    f[7], f[8] = me & JOKERS == JOKERS, opp & JOKERS == JOKERS
    f[9], f[10] = bound_cards(me) != 0, bound_cards(opp) != 0
    f[11] = xp_popcount64(me >> (64 - xp_clz64(opp)))
    f[12] = xp_popcount64(opp >> (64 - xp_clz64(me)))
    f[13], f[14] = xp_popcount64(m1), xp_popcount64(o1)
    total = 0
    rest = me
    while rest:
        total += xp_popcount64(opp & ((rest & (~rest + 1)) - 1))
        rest &= rest - 1
    f[15] = 4.0 * total / (nm * no)                # how often a card of mine is higher than one of theirs
    f[16], f[17] = xp_popcount64(m3), xp_popcount64(o3)
    f[18], f[19] = xp_popcount64(m2), xp_popcount64(o2)
    total = 0
    rest = m2
    while rest:
        total += xp_popcount64(o2 & ((rest & (~rest + 1)) - 1))
        rest &= rest - 1
    f[20] = 4.0 * (total + 0.5) / (xp_popcount64(m2) * xp_popcount64(o2) + 1)
    if p.kind:
        f[21] = p.own >= 0
        f[22] = p.kind == SINGLE
        f[23] = p.kind == PAIR
        f[24] = p.kind == BOMB or p.kind == FULL_HOUSE
        f[25] = p.kind == STRAIGHT or p.kind == PAIR_STRAIGHT
        f[26] = p.own / 4.0 if p.own >= 0 else 0
    f[27], f[28] = xp_popcount64(in_rows(me)), xp_popcount64(in_rows(opp))
    # Lone cards lower than the other side's best rank.
    f[29] = xp_popcount64(m1 & ~m2 & ((<uint64_t>1 << (63 - xp_clz64(o1 | 1))) - 1))
    f[30] = xp_popcount64(o1 & ~o2 & ((<uint64_t>1 << (63 - xp_clz64(m1 | 1))) - 1))
    f[31] = <int>(me >> 52 != 0) - <int>(opp >> 52 != 0)


cdef inline float guess(const Place* p, int mine, int theirs) noexcept nogil:
    """The log odds that the side to act wins."""
    cdef float f[TRAITS]
    cdef float h[HIDDEN]
    cdef float total = OUT_BIAS
    cdef int i, j
    traits_of(p, mine, theirs, f)
    for j in range(HIDDEN):
        h[j] = BIAS[j]
    for i in range(TRAITS):
        for j in range(HIDDEN):
            h[j] += f[i] * WEIGHT[i][j]
    for j in range(HIDDEN):
        total += OUT[j] * max(h[j], <float>0)
    return total
