# Proof-number search.

cdef double HUGE_NUMBER = 1e30


cdef void first_numbers(const Proof* s, Child* c) noexcept nogil:
    """Proof and disproof number of a position that was not met, from what the hands look like."""
    cdef int p0 = fewest(s.memo, c.at.hand[0], 0), p1 = fewest(s.memo, c.at.hand[1], 0)
    cdef double adv = s.par[0] * (p1 - p0) + s.par[12] * (xp_popcount64(c.at.hand[1]) - xp_popcount64(c.at.hand[0])), odds
    cdef double lead = s.par[1] if c.at.kind == 0 else s.par[2]
    adv += lead if c.at.turn == 0 else -lead
    if s.par[11] > 0:
        adv += s.par[11] * odds_of(s, &c.at)
    odds = exp(adv)                              # for side 0
    c.pn = pow((1 + odds) / odds, s.par[3])
    c.dn = pow(1 + odds, s.par[3])


cdef inline Slot* find_slot(const Proof* s, const uint64_t* key) noexcept nogil:
    cdef uint64_t base = base_of(s, key)
    cdef int i
    for i in range(2):
        if s.table[base + i].key[0] == key[0] and s.table[base + i].key[1] == key[1] and s.table[base + i].work:
            return &s.table[base + i]
    return NULL


cdef void store_numbers(Proof* s, const uint64_t* key, double pn, double dn, uint64_t effort) noexcept nogil:
    cdef uint64_t base = base_of(s, key)
    cdef Slot* slot = &s.table[base]
    cdef int work = 64 - xp_clz64(effort | 1)
    if slot.work and not (slot.key[0] == key[0] and slot.key[1] == key[1]):
        if slot.work > work or (slot[1].work and slot[1].key[0] == key[0] and slot[1].key[1] == key[1]):
            slot = &s.table[base + 1]
    if slot.work == 0 or slot.key[0] != key[0] or slot.key[1] != key[1]:
        s.filled += slot.work == 0
        slot.key[0], slot.key[1] = key[0], key[1]
        slot.low, slot.high, slot.work = -127, 127, 1
    slot.pn, slot.dn, slot.asked = pn, dn, s.threshold
    slot.work = max(<int>slot.work, work)


cdef int descend(Proof* s, const Place* p, const uint64_t* key, int ply, double most_pn, double most_dn,
                 double* out_pn, double* out_dn) noexcept nogil:
    """1 or 0 when proven, else -1 with the numbers."""
    cdef uint64_t before = s.nodes
    cdef int count, i, j, r, best
    cdef bint either = p.turn == 0
    cdef Slot* slot
    cdef Child* c
    cdef double top, total, least, second, x, y, pn, dn, child_pn, child_dn, spread
    s.nodes += 1
    s.stat[0] += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)) or ply >= MAX_PLY:
        s.aborted = 1
        return -1
    count = expand(s, p, key, ply)
    if s.aborted:
        return -1
    if count < 0:
        store(s, key, s.found, 1)
        return s.found
    cdef Child* children = s.children[ply]
    for i in range(count):
        c = &children[i]
        slot = find_slot(s, c.key)
        if slot != NULL and slot.pn > 0 and slot.asked == s.threshold:
            c.pn, c.dn, c.known = slot.pn, slot.dn, 1
        else:
            first_numbers(s, c)
            c.known = 0
    while True:
        # For the side to act x is what it wants small and sums up for the other.
        top = total = 0
        least = second = HUGE_NUMBER
        best = -1
        for i in range(count):
            c = &children[i]
            if either:
                x, y = c.pn, c.dn
            else:
                x, y = c.dn, c.pn
            total += y
            top = max(top, y)
            if best < 0 or x < least or (x == least and c.order < children[best].order):
                second = least
                least, best = x, i
            elif x < second:
                second = x
        if count == 0:
            store(s, key, not either, s.nodes - before)
            record(s, p, not either, s.nodes - before)
            return not either
        spread = top + s.par[4] * (total - top)
        if either:
            pn, dn = least, spread
        else:
            pn, dn = spread, least
        if pn >= most_pn or dn >= most_dn:
            store_numbers(s, key, pn, dn, s.nodes - before)
            out_pn[0], out_dn[0] = pn, dn
            return -1
        c = &children[best]
        r = probe(s, c.key)
        if r < 0 and not c.known and s.par[5] > 0:
            s.budget = s.nodes + <uint64_t>s.par[5]
            s.spent = 0
            s.stat[1] += 1
            r = reach(s, &c.at, c.key, ply + 1)
            if s.aborted:
                return -1
            if s.spent:
                r = -1
                s.stat[2] += 1
            s.budget = ~<uint64_t>0
            s.spent = 0
            c.known = 1
            if r < 0:
                c.pn *= s.par[6]
                c.dn *= s.par[6]
                store_numbers(s, c.key, c.pn, c.dn, <uint64_t>s.par[5])
                continue
        if r < 0:
            x = second * s.par[7] + 0.01
            y = c.dn if either else c.pn
            if either:
                child_pn = min(most_pn, x)
                child_dn = most_dn - s.par[4] * (total - y)
            else:
                child_dn = min(most_dn, x)
                child_pn = most_pn - s.par[4] * (total - y)
            r = descend(s, &c.at, c.key, ply + 1, child_pn, child_dn, &c.pn, &c.dn)
            if s.aborted:
                return -1
            c = &children[best]
            c.known = 1
        if r == either:
            store(s, key, r, s.nodes - before)
            record(s, p, r, s.nodes - before)
            return r
        if r >= 0:
            count -= 1
            children[best] = children[count]
