# How likely the side to act is to win: a small network over what the hands look like. It orders moves and gives first proof numbers, never values.

cdef void traits_of(const Proof* s, const Place* p, int mine, int theirs, float* f) noexcept nogil:
    cdef uint64_t me = p.hand[p.turn], opp = p.hand[1 - p.turn], m1, m2, m3, m4, o1, o2, o3, o4, rest, c
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
    i = 64 - xp_clz64(opp)
    f[11] = xp_popcount64(me >> i)
    i = 64 - xp_clz64(me)
    f[12] = xp_popcount64(opp >> i)
    f[13], f[14] = xp_popcount64(m1), xp_popcount64(o1)
    total = 0
    rest = me
    while rest:
        total += xp_popcount64(opp & ((rest & (~rest + 1)) - 1))
        rest &= rest - 1
    f[15] = 4.0 * total / (nm * no)
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
    # Lone cards under the other side's best pairs and cards
    c = (m1 & ~m2)
    rest = o1
    f[29] = xp_popcount64(c & ((<uint64_t>1 << (63 - xp_clz64(o1 | 1))) - 1))
    c = (o1 & ~o2)
    f[30] = xp_popcount64(c & ((<uint64_t>1 << (63 - xp_clz64(m1 | 1))) - 1))
    f[31] = (me >> 52 != 0) - <int>(opp >> 52 != 0)


cdef float guess(const Network* n, const float* f) noexcept nogil:
    """The log odds that the side to act wins."""
    cdef float h[HIDDEN]
    cdef float x, total = n.out_bias
    cdef int i, j
    for j in range(HIDDEN):
        h[j] = n.bias[j]
    for i in range(TRAITS):
        x = f[i]
        for j in range(HIDDEN):
            h[j] += x * n.weight[i][j]
    for j in range(HIDDEN):
        total += n.out[j] * (h[j] if h[j] > 0 else 0)
    return total
