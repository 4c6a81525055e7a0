# Depth-first proof-number search of a two-player position. Included by winner_duel.pyx.

cdef enum:
    INF = 0x3FFFFFFF
    POLL = 1 << 18
    MAX_PLY = 256

cdef struct Place:
    # A position: the hands of side 0 and 1, who is to act, what is on the table (kind 0: nothing), the weakest answer to
    # it (own_answer), and a bit for each side that has played a card.
    uint64_t hand[2]
    uint8_t turn, kind, length, height, suit, played
    int8_t own

cdef struct Child:
    Place at
    uint32_t pn, dn
    DuelMove move

cdef struct Slot:
    uint64_t key0, key1
    uint32_t pn, dn
    int8_t threshold, low, high
    uint8_t work
    uint32_t spare

cdef struct Proof:
    Duel g
    Memo* memo
    Slot* table
    uint64_t mask
    uint64_t filled
    MoveList list_
    Child* children[MAX_PLY]
    int room[MAX_PLY]
    uint64_t nodes, made, limit, next_poll
    int score, threshold
    int aborted, failed
    void* callback
    void* raised
    int par[8]

cdef uint8_t FOLDED[256]                    # the order of owners within a rank, from both nibbles
cdef uint8_t UNFOLDED[256]


cdef void build_codes() noexcept:
    """31 codes for orders of owners, 81 for nibbles as they are."""
    cdef int mine, theirs, suit, order, raw
    for mine in range(16):
        for theirs in range(16):
            if mine & theirs:
                continue
            order, raw = 1, 0
            for suit in range(4):
                raw = 3 * raw + ((mine >> suit) & 1) + 2 * ((theirs >> suit) & 1)
                if ((mine | theirs) >> suit) & 1:
                    order = 2 * order + ((theirs >> suit) & 1)
            FOLDED[mine | theirs << 4] = order - 1
            UNFOLDED[mine | theirs << 4] = 31 + raw


build_codes()


cdef bint poll(Proof* s) noexcept with gil:
    s.next_poll = s.nodes + POLL
    try:
        PyErr_CheckSignals()
        callback = <object>s.callback
        return callback is not None and callback(s.nodes)
    except BaseException as error:
        (<list>s.raised).append(error)
        return True


cdef inline int penalty(const Proof* s, uint64_t hand, int any_card) noexcept nogil:
    """What the loser of a hand loses."""
    cdef int cards = xp_popcount64(hand)
    if not s.score:
        return 1
    return cards * (3 if not any_card else (2 if cards >= 10 else 1))


cdef void make_key(const Proof* s, const Place* p, uint64_t* key) noexcept nogil:
    """All of a position that its value depends on; exact, nothing is hashed away."""
    cdef uint64_t mine = p.hand[0], theirs = p.hand[1], low = 0, high = 0, bound, index
    cdef int rank, jokers
    cdef int kind = p.kind, length = p.length, own = p.own
    bound = bound_cards(mine) | bound_cards(theirs)
    cdef uint64_t code
    for rank in range(13):
        index = ((mine >> (4 * rank)) & 15) | ((theirs >> (4 * rank)) & 15) << 4
        code = UNFOLDED[index] if (bound >> (4 * rank)) & 15 else FOLDED[index]
        if rank < 9:
            low |= code << (7 * rank)
        else:
            high |= code << (7 * (rank - 9))
    jokers = <int>(mine >> 52) | <int>(theirs >> 52) << 2
    # A joker alone is the highest single, whichever it is.
    if jokers == 2 or jokers == 8:
        jokers >>= 1
    low |= <uint64_t>p.turn << 63
    high |= <uint64_t>jokers << 28
    if kind:
        if s.g.fours and (kind == BOMB or kind == LARGE_BOMB):
            own = 4 * p.height                  # the bomb may change hands, so its rank counts for both
        elif own < 0 and kind != LARGE_BOMB:
            kind, length = 15, 0                # only what beats every kind will do
        elif kind == SINGLE or kind == PAIR or kind == FULL_HOUSE or kind == BOMB or kind == LARGE_BOMB:
            length = 0
        high |= <uint64_t>kind << 32 | <uint64_t>length << 36 | <uint64_t>(own + 1) << 40
    if s.score:
        high |= <uint64_t>1 << 50 | <uint64_t>p.played << 48
    key[0], key[1] = low, high


cdef inline uint64_t base_of(const Proof* s, const uint64_t* key) noexcept nogil:
    return xp_mix64(key[0] + 0x9E3779B97F4A7C15ULL * xp_mix64(key[1])) & s.mask & ~<uint64_t>3


cdef Slot* probe(const Proof* s, const uint64_t* key) noexcept nogil:
    cdef uint64_t base = base_of(s, key)
    cdef int i
    for i in range(4):
        if s.table[base + i].key0 == key[0] and s.table[base + i].key1 == key[1] and s.table[base + i].work:
            return &s.table[base + i]
    return NULL


cdef void store(Proof* s, const uint64_t* key, uint32_t pn, uint32_t dn, uint64_t effort) noexcept nogil:
    cdef uint64_t base = base_of(s, key)
    cdef Slot* slot
    cdef Slot* worst = &s.table[base]
    cdef int i, work = min(255, 1 + 3 * (64 - xp_clz64(effort | 1)))
    for i in range(4):
        slot = &s.table[base + i]
        if slot.work == 0 or (slot.key0 == key[0] and slot.key1 == key[1]):
            worst = slot
            break
        if slot.work < worst.work:
            worst = slot
    if worst.work == 0 or worst.key0 != key[0] or worst.key1 != key[1]:
        s.filled += worst.work == 0
        worst.key0, worst.key1 = key[0], key[1]
        worst.low, worst.high, worst.work = -127, 127, 1
    if pn == 0:
        worst.low = max(<int>worst.low, s.threshold)
    elif dn == 0:
        worst.high = min(<int>worst.high, s.threshold - 1)
    worst.pn, worst.dn, worst.threshold = pn, dn, s.threshold
    worst.work = max(<int>worst.work, work)


cdef void guess(Proof* s, Child* c) noexcept nogil:
    """First proof and disproof numbers, from the plays that both hands need."""
    cdef int mine = fewest(s.memo, c.at.hand[0], 0), theirs = fewest(s.memo, c.at.hand[1], 0)
    cdef int lead = 1 if c.at.turn == 0 else -1
    cdef int d = s.par[0] * (mine - theirs) - s.par[1] * lead
    c.pn = 1 + max(0, s.par[2] + d)
    c.dn = 1 + max(0, s.par[2] - d)


cdef bint settle(Proof* s, Child* c) noexcept nogil:
    """Fill in a child's numbers; whether it is settled."""
    cdef int best = penalty(s, c.at.hand[1], c.at.played & 2), worst = -penalty(s, c.at.hand[0], c.at.played & 1)
    cdef uint64_t key[2]
    cdef Slot* slot
    # One combination left on lead ends the hand at once; and no later end is better for the winner than one now.
    if c.at.kind == 0:
        if c.at.turn == 0 and fewest(s.memo, c.at.hand[0], 0) == 1:
            worst = best
        elif c.at.turn == 1 and fewest(s.memo, c.at.hand[1], 0) == 1:
            best = worst
    if worst >= s.threshold:
        c.pn, c.dn = 0, INF
        return True
    if best < s.threshold:
        c.pn, c.dn = INF, 0
        return True
    make_key(s, &c.at, key)
    slot = probe(s, key)
    if slot != NULL:
        if slot.low >= s.threshold:
            c.pn, c.dn = 0, INF
            return True
        if slot.high < s.threshold:
            c.pn, c.dn = INF, 0
            return True
        if slot.threshold == s.threshold:
            c.pn, c.dn = slot.pn, slot.dn
            return False
    guess(s, c)
    return False


cdef bint apply(Proof* s, const Place* p, const DuelMove* move, Child* c) noexcept nogil:
    """The position after a move, forced passes skipped; settled numbers when the hand is over. Whether it is settled."""
    cdef int me = p.turn, other = 1 - me, value
    c.at = p[0]
    c.move = move[0]
    s.made += 1
    if move.kind == 0:
        c.at.turn, c.at.kind, c.at.own = other, 0, 0
        return settle(s, c)
    c.at.hand[me] ^= move.cards
    c.at.played |= 1 << me
    if c.at.hand[me] == 0:
        value = penalty(s, c.at.hand[other], c.at.played & (1 << other))
        if me == 1:
            value = -value
        if value >= s.threshold:
            c.pn, c.dn = 0, INF
        else:
            c.pn, c.dn = INF, 0
        return True
    if move.kind == JOKER_PAIR:
        c.at.kind = 0
        return settle(s, c)
    if move.kind != FOURS:
        c.at.kind, c.at.length, c.at.height, c.at.suit = move.kind, move.length, move.height, move.suit
    c.at.own = own_answer(&s.g, c.at.hand[other], c.at.kind, c.at.length, c.at.height, c.at.suit)
    if can_answer(&s.g, c.at.hand[other], c.at.kind, c.at.own, c.at.length, c.at.height, c.at.suit):
        c.at.turn = other
    else:
        c.at.kind, c.at.own = 0, 0
    return settle(s, c)


cdef void prove(Proof* s, const Place* p, int ply, uint32_t limit_pn, uint32_t limit_dn, uint32_t* out_pn,
                uint32_t* out_dn) noexcept nogil:
    """Search below a position until its numbers reach the limits or it is settled."""
    cdef uint64_t key[2]
    cdef uint64_t before = s.nodes
    cdef Child* grown
    cdef Child* c
    cdef Child* best
    cdef int count = 0, i
    cdef Py_ssize_t m
    cdef DuelMove passing
    cdef bint either = p.turn == 0            # an OR node for side 0
    cdef uint32_t pn, dn, second, most
    cdef uint64_t total
    cdef uint32_t child_pn, child_dn
    s.nodes += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)) or ply >= MAX_PLY:
        s.aborted = 1
        return
    if p.kind == 0:
        put_leads(&s.g, &s.list_, p.hand[p.turn], p.hand[1 - p.turn])
    else:
        put_answers(&s.g, &s.list_, p.hand[p.turn], p.hand[1 - p.turn], p.kind, p.length, p.height, p.suit)
        put(&s.list_, 0, 0, 0, 0, 0)
    if s.room[ply] < s.list_.count:
        grown = <Child*>realloc(s.children[ply], (s.list_.count + 32) * sizeof(Child))
        if grown == NULL:
            s.failed = 1
        else:
            s.children[ply] = grown
            s.room[ply] = s.list_.count + 32
    if s.failed or s.list_.failed:
        s.failed = s.aborted = 1
        return
    make_key(s, p, key)
    cdef Child* children = s.children[ply]
    for m in range(s.list_.count):
        c = &children[count]
        if apply(s, p, &s.list_.moves[m], c):
            if (c.pn == 0) == either:
                out_pn[0], out_dn[0] = c.pn, c.dn
                store(s, key, c.pn, c.dn, 1)
                return
            continue
        count += 1
    while True:
        # The numbers of this node from those of its children; settled children have left the list.
        best = NULL
        second, most, total = INF, 0, 0
        for i in range(count):
            c = &children[i]
            child_pn, child_dn = c.pn if either else c.dn, c.dn if either else c.pn
            if best == NULL or child_pn < (best.pn if either else best.dn):
                if best != NULL:
                    second = best.pn if either else best.dn
                best = c
            elif child_pn < second:
                second = child_pn
            total += child_dn
            most = max(most, child_dn)
        if best == NULL:
            pn, dn = INF if either else 0, 0 if either else INF
            break
        if s.par[3]:
            total = most + (count - 1) * s.par[4]
        total = min(total, <uint64_t>(INF - 1))
        if either:
            pn, dn = best.pn, <uint32_t>total
        else:
            pn, dn = <uint32_t>total, best.dn
        if pn >= limit_pn or dn >= limit_dn:
            break
        if either:
            child_pn = min(limit_pn, second + 1 + (second >> 2))
            child_dn = limit_dn - <uint32_t>total + best.dn
        else:
            child_dn = min(limit_dn, second + 1 + (second >> 2))
            child_pn = limit_pn - <uint32_t>total + best.pn
        prove(s, &best.at, ply + 1, child_pn, child_dn, &best.pn, &best.dn)
        if s.aborted:
            return
        if best.pn == 0 or best.dn == 0:
            if (best.pn == 0) == either:
                pn, dn = best.pn, best.dn
                break
            count -= 1
            best[0] = children[count]
    store(s, key, pn, dn, s.nodes - before)
    out_pn[0], out_dn[0] = pn, dn


cdef class Solver:
    """Answers questions about two-player positions of one rule set; keeps its table between them."""

    cdef Proof s

    def __cinit__(self, bint fours, bint tiebreak, bint bomb_variation, int table_mb):
        cdef uint64_t entries = 4
        memset(&self.s, 0, sizeof(Proof))
        self.s.g.fours, self.s.g.tiebreak, self.s.g.bomb_variation = fours, tiebreak, bomb_variation
        while 2 * entries * sizeof(Slot) <= <uint64_t>table_mb << 20:
            entries *= 2
        self.s.mask = entries - 1
        self.s.table = <Slot*>calloc(entries, sizeof(Slot))
        self.s.memo = <Memo*>malloc((1 << PLAYS_BITS) * sizeof(Memo))
        if self.s.table == NULL or self.s.memo == NULL:
            raise MemoryError
        memset(self.s.memo, 255, (1 << PLAYS_BITS) * sizeof(Memo))
        self.s.par = [1, 1, 1, 0, 1, 0, 0, 0]

    def __dealloc__(self):
        cdef int i
        free(self.s.table)
        free(self.s.memo)
        free(self.s.list_.moves)
        for i in range(MAX_PLY):
            free(self.s.children[i])

    def tune(self, *values):
        for i, v in enumerate(values):
            self.s.par[i] = v

    def clear(self):
        memset(self.s.table, 0, (self.s.mask + 1) * sizeof(Slot))
        self.s.filled = 0

    def at_least(self, uint64_t hand0, uint64_t hand1, int turn, table, int played, bint score, int threshold,
                 uint64_t limit, callback=None):
        """Whether side 0 gets `threshold` or more: True, False, or None when the limit or the callback ended it."""
        cdef Place p
        cdef Child c
        cdef uint32_t pn = 1, dn = 1
        cdef Proof* s = &self.s
        memset(&p, 0, sizeof(Place))
        p.hand[0], p.hand[1], p.turn, p.played = hand0, hand1, turn, played
        if table is not None:
            p.kind, p.length, p.height, p.suit = table
            p.own = own_answer(&s.g, p.hand[turn], p.kind, p.length, p.height, p.suit)
        s.score, s.threshold, s.limit, s.nodes, s.made = score, threshold, limit, 0, 0
        s.next_poll, s.aborted = POLL, 0
        raised = []
        s.callback, s.raised = <void*>callback, <void*>raised
        c.at = p
        with nogil:
            if settle(s, &c):
                pn, dn = c.pn, c.dn
            while pn and dn and not s.aborted:
                prove(s, &p, 0, INF, INF, &pn, &dn)
        if s.failed:
            raise MemoryError
        if raised:
            raise raised[0]
        return None if s.aborted else pn == 0

    @property
    def nodes(self):
        return self.s.nodes

    @property
    def made(self):
        return self.s.made

    @property
    def fill(self):
        return self.s.filled / <double>(self.s.mask + 1)

    def fewest_plays(self, uint64_t a, uint64_t b):
        return fewest(self.s.memo, a, b)

    def leads(self, uint64_t me, uint64_t opp):
        put_leads(&self.s.g, &self.s.list_, me, opp)
        return [self.s.list_.moves[i].cards for i in range(self.s.list_.count)]
