# Winston (dogs): exact two-player search with every card known, and max^n for more players.
#
# Two players: negamax with null windows (MTD(f)) on values relative to the points held, so that positions reached with
# different points share one entry. Entries hold the whole key (three words); a bucket is one cache line of two entries, the
# first for the larger subtree. The order of the pile is fixed by the root, so its size stands for it; cards put under
# it are numbered by a tree of their sequences, exactly.
"""Winston (dogs): native search."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from exactplay.cython_core.winston_dogs cimport (
    BODY_BITS, HAND, HEAD_ONES, COMPLETE, MOST_MOVES, RING, SEATS, TOP_BITS, UNDER, Game, Position, count_cards, draw,
    has_head, is_over, is_stuck, list_moves, list_turns, list_unders, one_card, play_move, stuck_for_ever, xp_ctz64, xp_mix64,
)

import time

from exactplay.cython_core.winston_dogs import loose

cdef enum:
    KINDS = 12
    SEQUENCES = 1 << 12  # of cards put under the pile, numbered
    UNNUMBERED = 0xFFFF
    EXACT_DEPTH = 63  # a search to the end of the game
    INFINITE = 10_000
    ETC = 1
    CHECK_EVERY = 1 << 20  # nodes between looks at signals and the clock
    LONGEST_RUN = 60  # stuck turns in succession whose positions are compared


cdef struct Node:
    # seats are relative: 1 is the player on turn, 2 the other, 0 nobody
    uint64_t mine
    uint64_t other
    uint64_t table
    uint64_t pile  # its cards as a multiset
    int low
    int high
    uint16_t under  # number of the sequence of cards put under the pile since the root
    int8_t longest
    int8_t shortest
    int8_t bone
    int8_t poo
    int8_t skips
    int8_t depth
    int8_t seat
    int8_t run  # stuck turns in succession


cdef struct Entry:
    uint64_t[3] key
    int16_t low
    int16_t high
    uint8_t best  # index of the best move in text order, plus one; 0: none
    uint8_t work  # log2 of the nodes below
    uint8_t[2] unused


cdef struct Before:
    # a position of the current run of stuck turns
    uint64_t[2] hand
    int low
    int high
    int8_t seat


cdef struct Search:
    Entry* table
    uint64_t mask  # buckets - 1
    uint64_t used
    uint8_t[RING] ring
    uint16_t[SEQUENCES][KINDS] next_under
    int sequences
    bint loose
    Before[LONGEST_RUN + 4] before
    int64_t nodes
    int64_t limit
    bint stop


cdef uint8_t[32][64] GAIN  # [dog][hand of that colour]: points if all of it is played
cdef uint8_t[2][64] MOST  # [dog has a head][all cards of the colour left]: the most points they can still bring


cdef void _build_tables() noexcept:
    cdef int dog, hand, bodies, first, best, heads
    for dog in range(32):
        for hand in range(64):
            bodies = (dog & 15) + (hand & 15)
            GAIN[dog][hand] = <uint8_t> (bodies * (bodies + 1) // 2 if (dog >> 4 or hand >> 4) and 2 <= bodies <= 8 else 0)
    for hand in range(64):
        bodies, heads = hand & 15, hand >> 4
        if not heads or bodies < 2 or bodies > 8:
            continue
        # Without a head on the table all bodies may go to one dog, which is most, the points being convex.
        MOST[0][hand] = <uint8_t> (bodies * (bodies + 1) // 2)
        # A dog with a head is taken at the end of the turn that brings it to two bodies: one, and then a hand of five.
        best = 0
        for first in range(2, min(bodies, 1 + HAND) + 1):
            dog = first * (first + 1) // 2
            if heads > 1 and bodies - first >= 2:
                dog += (bodies - first) * (bodies - first + 1) // 2
            best = max(best, dog)
        MOST[1][hand] = <uint8_t> best


_build_tables()


cdef inline int _settle(const Node* node) noexcept nogil:
    """The points of bone and poo for the player on turn, less those of the other."""
    return 6 * ((node.bone == 1) - (node.bone == 2)) - 6 * ((node.poo == 1) - (node.poo == 2))


cdef inline int _gain_of_all(uint64_t table, uint64_t hand) noexcept nogil:
    """The points of a player who plays all that helps him, dog by dog."""
    cdef int shift, total = 0
    for shift in range(0, 48, 8):
        total += GAIN[(table >> shift) & 31][(hand >> shift) & 63]
    return total


cdef inline int _most(const Node* node) noexcept nogil:
    """An upper bound of the points that all dogs still to come can bring together."""
    cdef uint64_t left = node.mine + node.other + node.table + node.pile
    cdef int shift, total = 0
    for shift in range(0, 48, 8):
        total += MOST[(node.table >> (shift + 4)) & 1][(left >> shift) & 63]
    return total


cdef inline int _play(Search* s, const Node* node, uint64_t move, Node* child) noexcept nogil:
    """Fill in the child after a whole turn; returns the points gained."""
    cdef uint64_t done, shift, mine = node.mine - (move & ~UNDER), drawn
    cdef int bodies, gain = 0, bone = node.bone, poo = node.poo, kind
    child[0] = node[0]
    child.mine = node.other
    child.seat = 1 - node.seat
    child.depth = node.depth - (node.depth != EXACT_DEPTH)
    if move == 0:
        child.skips += 1
    elif move & UNDER:
        child.skips = 0
        child.run += 1
        kind = xp_ctz64(move & ~UNDER) >> 2
        s.ring[node.high & (RING - 1)] = <uint8_t> kind
        child.high += 1
        child.under = _follow(s, node.under, kind)
        drawn = draw(s.ring, &child.low, child.high, 1)
        mine += drawn
        child.pile = node.pile + one_card(kind) - drawn
    else:
        child.skips = 0
        child.run = 0
        child.table += move
        done = (child.table + COMPLETE) & TOP_BITS
        while done:
            shift = xp_ctz64(done) - 7
            done &= done - 1
            bodies = <int> (child.table >> shift) & 15
            child.table &= ~(<uint64_t> 0xFF << shift)
            gain += bodies * (bodies + 1) // 2
            if child.longest == 0 or bodies >= child.longest:
                child.longest = <int8_t> bodies
                bone = 1
            if child.shortest == 0 or bodies <= child.shortest:
                child.shortest = <int8_t> bodies
                poo = 1
        drawn = draw(s.ring, &child.low, child.high, HAND - count_cards(mine))
        mine += drawn
        child.pile -= drawn
    child.other = mine
    child.bone = <int8_t> (3 - bone if bone else 0)
    child.poo = <int8_t> (3 - poo if poo else 0)
    return gain


cdef inline uint16_t _follow(Search* s, uint16_t under, int kind) noexcept nogil:
    """The number of a sequence of cards put under the pile, one card longer."""
    if under == UNNUMBERED:
        return UNNUMBERED
    if not s.next_under[under][kind]:
        if s.sequences == SEQUENCES:
            return UNNUMBERED
        s.next_under[under][kind] = <uint16_t> s.sequences
        s.sequences += 1
    return s.next_under[under][kind]


cdef inline void _key(const Node* node, uint64_t* key) noexcept nogil:
    key[0] = (
        node.mine | <uint64_t> (node.high - node.low) << 48 | <uint64_t> node.longest << 56 | <uint64_t> node.shortest << 60
    )
    key[1] = node.other | <uint64_t> node.under << 48
    key[2] = (
        node.table | <uint64_t> node.bone << 48 | <uint64_t> node.poo << 50 | <uint64_t> node.skips << 52
        | <uint64_t> node.depth << 54
    )


cdef inline Entry* _bucket(Search* s, const uint64_t* key) noexcept nogil:
    return &s.table[2 * (xp_mix64(key[0] ^ xp_mix64(key[1] ^ xp_mix64(key[2]))) & s.mask)]


cdef inline bint _same(const Entry* entry, const uint64_t* key) noexcept nogil:
    return entry.key[0] == key[0] and entry.key[1] == key[1] and entry.key[2] == key[2]


cdef inline Entry* _find(Search* s, const uint64_t* key) noexcept nogil:
    cdef Entry* bucket = _bucket(s, key)
    if _same(bucket, key):
        return bucket
    return bucket + 1 if _same(bucket + 1, key) else NULL


cdef void _store(Search* s, const uint64_t* key, int value, bint reached, int best, int64_t nodes) noexcept nogil:
    """Keep a bound; an entry of the same position is narrowed, else the smaller subtree of the bucket goes."""
    cdef Entry* entry = _bucket(s, key)
    cdef uint8_t work = 0
    while nodes > 1 and work < 255:
        nodes >>= 1
        work += 1
    if not _same(entry, key):
        if _same(entry + 1, key):
            entry += 1
        else:
            if entry.work > work and entry.low <= entry.high:
                entry += 1
            s.used += entry.key[2] == 0
            memcpy(entry.key, key, sizeof(entry.key))
            entry.low, entry.high, entry.best = -INFINITE, INFINITE, 0
    entry.work = work
    if reached:
        entry.low = <int16_t> value
        entry.best = <uint8_t> best
    else:
        entry.high = <int16_t> value
        if entry.best == 0:
            entry.best = <uint8_t> best


cdef inline bint _all_stuck(Search* s, const Node* node) noexcept nogil:
    """As ``stuck_for_ever`` of the game, for a player on turn who is stuck."""
    if node.other and not is_stuck(node.other, node.table):
        return False
    return not (node.pile & BODY_BITS) and not (has_head(node.pile) & ~node.table)


cdef bint _repeats(Search* s, const Node* node) noexcept nogil:
    """Whether the position stood before in the run; each one of the run is kept on the way."""
    cdef uint64_t[2] hand
    cdef Before* before
    cdef int i, j, size = node.high - node.low
    hand[node.seat], hand[1 - node.seat] = node.mine, node.other
    for i in range(node.run):
        before = &s.before[i]
        if before.seat == node.seat and before.hand[0] == hand[0] and before.hand[1] == hand[1]:
            for j in range(size):
                if s.ring[(before.low + j) & (RING - 1)] != s.ring[(node.low + j) & (RING - 1)]:
                    break
            else:
                return True
    before = &s.before[node.run]
    memcpy(before.hand, hand, sizeof(hand))
    before.low, before.high, before.seat = node.low, node.high, node.seat
    return False


cdef int _look_around(Search* s) noexcept with gil:
    """Ctrl-C, the limit of CPU time, progress; returns whether to stop."""
    return 0


cdef int _search(Search* s, const Node* node, int gamma) noexcept nogil:
    """A bound of the value for the player on turn, relative to the points held: one from below if it is gamma or more,
    else one from above."""
    cdef uint64_t[MOST_MOVES] moves
    cdef int[MOST_MOVES] rank
    cdef int[MOST_MOVES] order
    cdef uint64_t[3] key
    cdef Node[MOST_MOVES] children
    cdef int[MOST_MOVES] gains
    cdef uint64_t[3] key2
    cdef Node* child
    cdef Entry* entry
    cdef int number, i, j, best = -INFINITE, value, gain, first = 0, chosen = 0, most, settle, top
    cdef int64_t nodes = s.nodes
    cdef bint keep
    cdef uint8_t overwritten
    s.nodes += 1
    if s.nodes >= s.limit:
        s.stop = True
        return 0
    settle = _settle(node)
    if (node.mine | node.other) == 0 or node.skips >= 2:
        return settle
    most = _most(node)
    if most == 0:
        return settle
    if most + 12 < gamma:
        return most + 12
    if -most - 12 >= gamma:
        return -most - 12
    if node.depth == 0:
        return settle + _gain_of_all(node.table, node.mine) - _gain_of_all(node.table, node.other) // 2
    keep = node.under != UNNUMBERED and not (s.loose and node.run)
    if keep:
        _key(node, key)
        entry = _find(s, key)
        if entry != NULL:
            if entry.low >= gamma:
                return entry.low
            if entry.high < gamma:
                return entry.high
            first = entry.best
    number = list_turns(node.mine, node.table, moves)
    if number == 0:
        if node.mine and node.low < node.high:
            if s.loose:
                if _repeats(s, node):
                    return settle
                if node.run >= LONGEST_RUN:
                    s.stop = True
                    return 0
            elif _all_stuck(s, node):
                return settle
            number = list_unders(node.mine, node.table, moves)
        else:
            moves[0] = 0
            number = 1
    if moves[0] & UNDER or number == 1:
        for i in range(number):
            overwritten = s.ring[node.high & (RING - 1)]
            gain = _play(s, node, moves[i], &children[0])
            value = gain - _search(s, &children[0], gain - gamma + 1)
            s.ring[node.high & (RING - 1)] = overwritten
            if s.stop:
                return 0
            if value > best:
                best = value
                chosen = i + 1
                if best >= gamma:
                    break
    else:
        for i in range(number):
            child = &children[i]
            gains[i] = gain = _play(s, node, moves[i], child)
            rank[i] = gain - _gain_of_all(child.table, child.mine) + 4 * count_cards(moves[i])
            if child.bone == 2 and node.bone != 1:
                rank[i] += 6
            if child.poo == 2 and node.poo != 1:
                rank[i] -= 6
            order[i] = i
            if ETC:
                _key(child, key2)
                entry = _find(s, key2)
                if entry != NULL:
                    if gain - entry.high >= gamma:
                        best = gain - entry.high
                        if keep:
                            _store(s, key, best, True, i + 1, 1)
                        return best
        if first:
            rank[first - 1] = INFINITE
        for i in range(number):
            top = i
            for j in range(i + 1, number):
                if rank[order[j]] > rank[order[top]]:
                    top = j
            order[i], order[top] = order[top], order[i]
            j = order[i]
            value = gains[j] - _search(s, &children[j], gains[j] - gamma + 1)
            if s.stop:
                return 0
            if value > best:
                best = value
                chosen = j + 1
                if best >= gamma:
                    break
    if keep:
        _store(s, key, best, best >= gamma, chosen, s.nodes - nodes)
    return best


cdef class Searcher:
    """The search below one root position of two players; its table serves every question about it."""

    cdef Search search
    cdef Game root
    cdef int64_t bytes

    def __cinit__(self, Game root not None, int64_t table_bytes=1 << 28):
        cdef int64_t buckets = 1
        while 2 * buckets * 2 * <int64_t> sizeof(Entry) <= table_bytes:
            buckets *= 2
        self.root = root
        self.search.mask = <uint64_t> buckets - 1
        self.search.table = <Entry*> calloc(buckets, 2 * sizeof(Entry))
        if self.search.table == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.search.sequences = 1
        self.search.loose = loose(root)
        memcpy(self.search.ring, root.ring, RING)

    def __dealloc__(self):
        free(self.search.table)

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return self.search.nodes

    @property
    def fill(self) -> float:
        """The part of the table in use."""
        return self.search.used / <double> (2 * (self.search.mask + 1))

    def value(self, path=(), int low=-400, int high=400, int guess=0, int depth=EXACT_DEPTH, int64_t nodes=-1) -> tuple[int, int]:
        """Bounds of seat 0's final score less seat 1's after the moves of ``path``; equal when the search ended."""
        cdef Node node, child
        cdef Position* position = &self.root.position
        cdef Search* s = &self.search
        cdef int seat = position.turn, held, value, gamma, sign, i
        node.mine, node.other = position.hand[seat], position.hand[1 - seat]
        node.table = position.table
        node.pile = 0
        for i in range(position.low, position.high):
            node.pile += one_card(s.ring[i & (RING - 1)])
        node.low, node.high, node.under = position.low, position.high, 0
        node.longest, node.shortest = position.longest, position.shortest
        node.bone = 0 if position.bone < 0 else (1 if position.bone == seat else 2)
        node.poo = 0 if position.poo < 0 else (1 if position.poo == seat else 2)
        node.skips, node.depth, node.seat, node.run = position.skips, depth, seat, 0
        held = position.points[0] - position.points[1]
        for move in path:
            sign = 1 - 2 * node.seat
            held += sign * _play(s, &node, move, &child)
            node = child
        sign = 1 - 2 * node.seat
        # From here on for the player on turn, relative to the points held.
        if sign > 0:
            low, high, guess = low - held, high - held, guess - held
        else:
            low, high, guess = held - high, held - low, held - guess
        guess = min(max(guess, low), high)
        s.stop = False
        s.limit = s.nodes + nodes if nodes >= 0 else 1 << 62
        with nogil:
            while low < high:
                gamma = guess + (guess == low)
                value = _search(s, &node, gamma)
                if s.stop:
                    break
                if value >= gamma:
                    low = value
                else:
                    high = value
                guess = value
        if sign > 0:
            return low + held, high + held
        return held - high, held - low
