# Winston (dogs): exact search for two players with every card known.
#
# Negamax with null windows (MTD(f)) on values relative to the points held, so that positions reached with different points
# share one entry. Entries hold the whole key (three words); a bucket is one cache line of two entries, the first for the
# larger subtree. See search.pxd for what is shared with max^n, the search of more players (maxn.pyx).
#
# Measured on 24 positions with a pile of 22 (nodes or CPU time, after against before):
#   looking at the children's entries before any is searched   0.48 of the nodes
#   ordering by cards played beside gain and threat            0.35 of the nodes (weight 4; 1 to 6 are alike, -1 doubles them)
#   keys of the children computed once, entries fetched ahead  0.76 of the time
#   huge pages for tables of 64 MiB and more                   0.50 of the time
# Tried without gain: doubling the step between null windows, bisection, the mover's own threats in the ordering (fewer nodes,
# more time), a bound of the points to come that is tighter than the sum over the colours (unsoundly tight: under 0.1).
"""Winston (dogs): native search for two players."""
cimport cython
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from exactplay.cython_core.toolkit.bits cimport xp_ctz64, xp_mix64, xp_prefetch
from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.winston_dogs.position cimport (
    BODY_BITS, COMPLETE, HAND, MOST_MOVES, RING, TOP_BITS, UNDER, Packed, Position, count_cards, draw, has_head, is_stuck,
    list_turns, list_unders, one_card,
)
from exactplay.cython_core.winston_dogs.search cimport (
    EXACT_DEPTH, LONGEST_RUN, PLIES, UNNUMBERED, Search, follow, must_stop, repeats,
)

cdef enum:
    INFINITE = 10_000
    WIDEST = 1_000  # above any difference of scores
    MORE_CARDS = 4  # what a card more is worth when turns are ordered


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


cdef struct Frame:
    # the arrays of one node, an entry a move
    uint64_t[MOST_MOVES] moves
    Node[MOST_MOVES] children
    uint64_t[MOST_MOVES][3] keys
    int[MOST_MOVES] gains
    int[MOST_MOVES] rank
    int[MOST_MOVES] order


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


cdef inline int _play(AlphaBeta s, const Node* node, uint64_t move, Node* child) noexcept nogil:
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
        child.under = follow(s, node.under, kind)
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


cdef inline void _key(const Node* node, uint64_t* key) noexcept nogil:
    key[0] = (
        node.mine | <uint64_t> (node.high - node.low) << 48 | <uint64_t> node.longest << 56 | <uint64_t> node.shortest << 60
    )
    key[1] = node.other | <uint64_t> node.under << 48
    key[2] = (
        node.table | <uint64_t> node.bone << 48 | <uint64_t> node.poo << 50 | <uint64_t> node.skips << 52
        | <uint64_t> node.depth << 54
    )


cdef inline Entry* _bucket(AlphaBeta s, const uint64_t* key) noexcept nogil:
    return &s.table[2 * (xp_mix64(key[0] ^ xp_mix64(key[1] ^ xp_mix64(key[2]))) & s.mask)]


cdef inline bint _same(const Entry* entry, const uint64_t* key) noexcept nogil:
    return entry.key[0] == key[0] and entry.key[1] == key[1] and entry.key[2] == key[2]


cdef inline Entry* _find(AlphaBeta s, const uint64_t* key) noexcept nogil:
    cdef Entry* bucket = _bucket(s, key)
    if _same(bucket, key):
        return bucket
    return bucket + 1 if _same(bucket + 1, key) else NULL


cdef void _store(AlphaBeta s, const uint64_t* key, int value, bint reached, int best, int64_t nodes) noexcept nogil:
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


cdef inline bint _all_stuck(const Node* node) noexcept nogil:
    """As ``stuck_for_ever`` of the game, for a player on turn who is stuck."""
    if node.other and not is_stuck(node.other, node.table):
        return False
    return not (node.pile & BODY_BITS) and not (has_head(node.pile) & ~node.table)


cdef bint _repeats(AlphaBeta s, const Node* node) noexcept nogil:
    """Whether the position stood before in the run."""
    cdef uint64_t[2] hand
    hand[node.seat], hand[1 - node.seat] = node.mine, node.other
    return repeats(s, hand, node.seat, node.low, node.high, node.run)


cdef int _search(AlphaBeta s, Frame* frame, const Node* node, const uint64_t* key, int gamma) noexcept nogil:
    """A bound of the value for the player on turn, relative to the points held: one from below if it is gamma or more,
    else one from above. ``key`` is the node's own."""
    cdef uint64_t* moves = frame.moves
    cdef int* gains = frame.gains
    cdef int* rank = frame.rank
    cdef int* order = frame.order
    cdef Entry* entry
    cdef Node* child
    cdef int number, i, j, top, value, best = -INFINITE, chosen = 0, first = 0, settle = _settle(node), most
    cdef int64_t nodes = s.nodes
    cdef bint keep = node.under != UNNUMBERED and not (s.loose and node.run), under
    cdef uint8_t overwritten = s.ring[node.high & (RING - 1)]
    s.nodes += 1
    if s.nodes >= s.next_look and must_stop(s):
        return 0
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
    if keep:
        entry = _find(s, key)
        if entry != NULL:
            if entry.low >= gamma:
                return entry.low
            if entry.high < gamma:
                return entry.high
            first = entry.best
    if frame == s.last_frame:
        s.stop = True
        return 0
    number = list_turns(node.mine, node.table, moves)
    if number == 0:
        if node.mine and node.low < node.high:
            if s.loose:
                if _repeats(s, node):
                    return settle
                if node.run >= LONGEST_RUN:
                    s.stop = True
                    return 0
            elif _all_stuck(node):
                return settle
            number = list_unders(node.mine, node.table, moves)
        else:
            moves[0] = 0
            number = 1
    under = moves[0] & UNDER != 0
    for i in range(number):
        child = &frame.children[i]
        gains[i] = _play(s, node, moves[i], child)
        _key(child, frame.keys[i])
        xp_prefetch(_bucket(s, frame.keys[i]))
        order[i] = i
        rank[i] = gains[i] - _gain_of_all(child.table, child.mine) + MORE_CARDS * count_cards(moves[i])
        if child.bone == 2 and node.bone != 1:
            rank[i] += 6
        if child.poo == 2 and node.poo != 1:
            rank[i] -= 6
    if not under:
        for i in range(number):
            entry = _find(s, frame.keys[i])
            if entry == NULL:
                continue
            value = gains[i] - entry.high
            if value >= gamma:
                if keep:
                    _store(s, key, value, True, i + 1, 1)  # from here on the entry may be another one
                return value
    if first:
        rank[first - 1] = INFINITE
    for i in range(number):
        top = i
        for j in range(i + 1, number):
            if rank[order[j]] > rank[order[top]]:
                top = j
        order[i], order[top] = order[top], order[i]
        j = order[i]
        if under:  # the next slot of the pile holds another child's card
            _play(s, node, moves[j], &frame.children[j])
        value = gains[j] - _search(s, frame + 1, &frame.children[j], frame.keys[j], gains[j] - gamma + 1)
        if s.stop:
            break
        if value > best:
            best = value
            chosen = j + 1
            if best >= gamma:
                break
    if under:
        s.ring[node.high & (RING - 1)] = overwritten
    if s.stop:
        return 0
    if keep:
        _store(s, key, best, best >= gamma, chosen, s.nodes - nodes)
    return best


@cython.final
cdef class AlphaBeta(Search):
    """The search below a position of two players. Arguments as of the base class."""

    cdef Entry* table
    cdef uint64_t mask  # buckets - 1
    cdef uint64_t used
    cdef Frame* frames
    cdef Frame* last_frame

    def __cinit__(self, Position root not None, int64_t table_bytes=1 << 27, poll=None):
        cdef uint64_t buckets = 1
        if self.players != 2:
            raise ValueError(f"the search is for 2 players, not {self.players}")
        while 4 * buckets * sizeof(Entry) <= <uint64_t> max(table_bytes, 0):
            buckets *= 2
        self.mask = buckets - 1
        self.table = <Entry*> xp_table_new(buckets * 2 * sizeof(Entry))
        self.frames = <Frame*> calloc(PLIES, sizeof(Frame))
        if self.table == NULL or self.frames == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.last_frame = &self.frames[PLIES - 1]

    def __dealloc__(self):
        xp_table_free(self.table, (self.mask + 1) * 2 * sizeof(Entry))
        free(self.frames)

    @property
    def fill(self) -> float:
        """The part of the table in use, 0 to 1."""
        return self.used / <double> (2 * (self.mask + 1))

    cdef int _descend(self, path, int depth, Node* node) except? -1:
        """Fill in the node after the moves of ``path``; returns seat 0's points less seat 1's there."""
        cdef const Packed* position = &self.root.packed
        cdef Node child
        cdef int seat = position.turn, held = position.points[0] - position.points[1], i
        node.run = <int8_t> self.start(LONGEST_RUN)
        node.mine, node.other, node.table, node.pile = position.hand[seat], position.hand[1 - seat], position.table, 0
        node.low, node.high, node.under = position.low, position.high, 0
        for i in range(node.low, node.high):
            node.pile += one_card(self.ring[i & (RING - 1)])
        node.longest, node.shortest = position.longest, position.shortest
        node.bone = <int8_t> (0 if position.bone < 0 else 1 if position.bone == seat else 2)
        node.poo = <int8_t> (0 if position.poo < 0 else 1 if position.poo == seat else 2)
        node.skips, node.depth, node.seat = position.skips, EXACT_DEPTH, <int8_t> seat
        for move in path:
            if self.loose and move & UNDER and node.run < LONGEST_RUN:
                _repeats(self, node)
            held += (1 - 2 * node.seat) * _play(self, node, move, &child)
            node[0] = child
        node.depth = <int8_t> depth
        return held

    cdef int _probe(self, const Node* node, int gamma) noexcept nogil:
        cdef uint64_t[3] key
        _key(node, key)
        return _search(self, self.frames, node, key, gamma)

    def value(self, path=(), int guess=0, int depth=EXACT_DEPTH, int64_t nodes=1 << 62) -> tuple[int, int]:
        """Bounds of seat 0's final score less seat 1's after the moves of ``path``, equal unless the search was stopped.

        ``guess`` saves time when it is near. ``nodes`` limits those of this question. A ``depth`` below 63 ends the search
        after so many turns with a rule of thumb: the two numbers are then no bounds but one estimate, twice.
        """
        cdef Node node
        cdef int low = -WIDEST, high = WIDEST, held, sign, gamma, value, near
        self.begin(nodes)
        held = self._descend(path, depth, &node)
        sign = 1 - 2 * node.seat
        near = min(max(sign * (guess - held), low), high)
        self.busy = True
        with nogil:
            while low < high:
                gamma = near + (near == low)
                value = self._probe(&node, gamma)
                if self.stop:
                    break
                if value >= gamma:
                    low = value
                else:
                    high = value
                near = value
        self.end()
        return (held + low, held + high) if sign > 0 else (held - high, held - low)

    def reaches(self, int bound, path=(), int64_t nodes=1 << 62) -> bool | None:
        """Whether seat 0's final score less seat 1's is ``bound`` or more after ``path``; None if the search was stopped."""
        cdef Node node
        cdef int held, gamma, value
        self.begin(nodes)
        held = self._descend(path, EXACT_DEPTH, &node)
        gamma = bound - held if node.seat == 0 else held - bound + 1
        self.busy = True
        with nogil:
            value = self._probe(&node, gamma)
        self.end()
        if self.stop:
            return None
        return bool((value >= gamma) == (node.seat == 0))
