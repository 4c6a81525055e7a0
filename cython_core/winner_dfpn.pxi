# Depth-first proof-number search: it spreads its effort over all moves of all positions on the way, so that no poor first
# move swallows a search as it does in reach(). Included by winner_duel.pyx.
#
# A position is first tried by reach() with a few nodes: a third of them are settled so. The first numbers of
# those that are not come from how likely a win is. A sum of the numbers of all moves counts what they share again and
# again; but the most difficult move alone forgets how many there are, so the others count a little (OTHERS).
#
# It ends whatever the table forgets: the numbers it goes on with are those of `children`, not the table's. A move is searched
# until its own number is 1.2 times the second least, so more than it was, or reaches the limit of the position, or its other
# number makes the position's reach its limit (SLACK keeps rounding from hiding that). Limits are finite and numbers at least
# 1, so only so many turns go by before the call returns; and no line of play is endless.

cdef enum:
    TRIAL = 50                   # nodes; 50 and 100 alike; 1,000 or none: twice the time of 100 on 18 cards a side

cdef double INFINITE = 1e30
cdef double OTHERS = 0.03        # 0.03 and 0.1 alike; 1 (the sum): three times as much without trials
cdef double PATIENCE = 1.2       # how far a move may grow beyond the second best before that is tried
cdef double SLACK = 1 + 1e-9
cdef double PLAY = 0.4           # log odds: a play that a hand needs less
cdef double LEAD = 0.4           # to lead
cdef double ANSWER = 0.2         # to answer
cdef double GUESS = 0.5          # the network's log odds; alone they find long ways: over 5 times as much time


cdef void first_numbers "wn_first_numbers" (const void* search, void* child) noexcept nogil:
    """Numbers of a position that was not met: the inverse chances of either answer."""
    cdef const Proof* s = <const Proof*>search
    cdef Child* c = <Child*>child
    cdef int plays[2]
    cdef double odds
    plays[0] = fewest(s.memo, c.at.hand[0], 0)
    plays[1] = fewest(s.memo, c.at.hand[1], 0)
    odds = GUESS * guess(&c.at, plays[c.at.turn], plays[1 - c.at.turn]) + (ANSWER if c.at.kind else LEAD)
    odds = exp((odds if c.at.turn == 0 else -odds) + PLAY * (plays[1] - plays[0]))
    c.pn, c.dn = 1 + 1 / odds, 1 + odds


cdef inline void take_numbers(const Proof* s, Child* c) noexcept nogil:
    """Numbers from the table, or first ones."""
    cdef const Slot* slot = find(s, c.key)
    c.met = slot != NULL and slot.pn > 0 and slot.asked == s.threshold
    if c.met:
        c.pn, c.dn = slot.pn, slot.dn
    else:
        first_numbers(s, c)


cdef int descend(Proof* s, Child* at, int ply, double most_pn, double most_dn) noexcept nogil:
    """Search a position until its proof or disproof number reaches a limit: 1 or 0 where side 0's reaching the threshold
    is settled, else -1 with the numbers left in `at` and in the table."""
    cdef uint64_t before = s.nodes
    cdef Place* p = &at.at
    cdef const uint64_t* key = at.key
    cdef bint either = p.turn == 0            # one move that reaches it is enough for side 0
    cdef int count, i, r, best
    cdef Child* children
    cdef Child* c
    # `own`: the number that one move brings down; `other`: the one to which all moves contribute.
    cdef double own, other, hardest, total, least, second
    s.nodes += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)) or ply >= MAX_PLY:
        s.aborted = 1
        return -1
    count = expand(s, p, ply)
    if s.aborted:
        return -1
    if count < 0:
        store(s, key, s.found, 1)
        return s.found
    children = s.children[ply]
    for i in range(count):
        take_numbers(s, &children[i])
    while count:
        hardest, total, least, second, best = 0, 0, INFINITE, INFINITE, 0
        for i in range(count):
            c = &children[i]
            if either:
                own, other = c.pn, c.dn
            else:
                own, other = c.dn, c.pn
            total += other
            hardest = max(hardest, other)
            if own < least or (own == least and c.order < children[best].order):
                second, least, best = least, own, i
            elif own < second:
                second = own
        if either:
            at.pn, at.dn = least, hardest + OTHERS * (total - hardest)
        else:
            at.pn, at.dn = hardest + OTHERS * (total - hardest), least
        if at.pn >= most_pn or at.dn >= most_dn:
            store_numbers(s, at, s.nodes - before)
            return -1
        c = &children[best]
        r = probe(s, c.key)                   # it may have been met below another move
        if r < 0 and not c.met:
            c.met = True
            s.budget = s.nodes + TRIAL
            r = reach(s, &c.at, c.key, ply + 1)
            s.budget = NO_BUDGET
            if s.spent:
                s.spent = 0
                store_numbers(s, c, TRIAL)
                continue
        elif r < 0:
            second = PATIENCE * second + 0.01
            if either:
                r = descend(s, c, ply + 1, min(most_pn, second), SLACK * (most_dn - OTHERS * (total - c.dn)))
            else:
                r = descend(s, c, ply + 1, SLACK * (most_pn - OTHERS * (total - c.pn)), min(most_dn, second))
        if s.aborted:
            return -1
        if r == either:
            settle(s, p, key, r, s.nodes - before)
            return r
        if r >= 0:
            count -= 1
            children[best] = children[count]
    settle(s, p, key, not either, s.nodes - before)
    return not either
