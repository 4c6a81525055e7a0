# Winston (dogs): max^n for any number of players with every card known, for small positions.
#
# Plain depth-first search with a table of exact vectors relative to the points held. Pruning is left out: with more
# than two players it is only sound with bounds on the sum of the scores, and the dogs to come give none worth having.
"""Winston (dogs): native max^n."""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from exactplay.cython_core.winston_dogs cimport (
    MOST_MOVES, RING, SEATS, UNDER, Game, Position, is_over, list_moves, play_move, stuck_for_ever, xp_ctz64,
    xp_mix64,
)

from exactplay.cython_core.winston_dogs import loose

cdef enum:
    KEY_WORDS = 7
    KINDS = 12
    SEQUENCES = 1 << 12
    UNNUMBERED = 0xFFFF
    EXACT_DEPTH = 63
    LOOK_EVERY = 1 << 19
    LONGEST_RUN = 60


cdef struct Entry:
    uint64_t[KEY_WORDS] key
    int16_t[SEATS] gain
    uint8_t used


cdef struct Search:
    Entry* table
    uint64_t mask
    uint64_t used
    uint8_t[RING] ring
    uint16_t[SEQUENCES][KINDS] next_under
    Position[LONGEST_RUN] before
    int sequences
    bint loose
    int64_t nodes
    int64_t limit
    int64_t next_look
    void* owner
    bint stop


cdef inline uint16_t _follow(Search* s, uint16_t under, int kind) noexcept nogil:
    if under == UNNUMBERED:
        return UNNUMBERED
    if not s.next_under[under][kind]:
        if s.sequences == SEQUENCES:
            return UNNUMBERED
        s.next_under[under][kind] = <uint16_t> s.sequences
        s.sequences += 1
    return s.next_under[under][kind]


cdef inline void _key(const Position* p, uint16_t under, int depth, uint64_t* key) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        key[seat] = p.hand[seat] if seat < p.players else 0
    key[6] = p.table | <uint64_t> (depth + 1) << 48
    key[0] |= <uint64_t> (p.high - p.low) << 48 | <uint64_t> p.turn << 56
    key[1] |= <uint64_t> under << 48
    key[2] |= <uint64_t> p.longest << 48 | <uint64_t> p.shortest << 52
    key[3] |= <uint64_t> (p.bone + 1) << 48 | <uint64_t> (p.poo + 1) << 52
    key[4] |= <uint64_t> p.skips << 48


cdef inline Entry* _slot(Search* s, const uint64_t* key) noexcept nogil:
    cdef uint64_t hash = 0
    cdef int word
    for word in range(KEY_WORDS):
        hash = xp_mix64(hash ^ key[word])
    return &s.table[hash & s.mask]


cdef bint _repeats(Search* s, const Position* p, int run) noexcept nogil:
    """Whether the position stood before in the run; each one of the run is kept on the way."""
    cdef const Position* before
    cdef int i, j, size = p.high - p.low
    for i in range(run):
        before = &s.before[i]
        if before.turn == p.turn and not memcmp(before.hand, p.hand, p.players * sizeof(uint64_t)):
            for j in range(size):
                if s.ring[(before.low + j) & (RING - 1)] != s.ring[(p.low + j) & (RING - 1)]:
                    break
            else:
                return True
    s.before[run] = p[0]
    return False


cdef void _search(Search* s, const Position* p, uint16_t under, int run, int depth, int* gain) noexcept nogil:
    """Fill in what each seat still gains, bone and poo included, when everybody maximises his own score."""
    cdef uint64_t[MOST_MOVES] moves
    cdef uint64_t[KEY_WORDS] key
    cdef int[SEATS] found
    cdef Position child
    cdef Entry* slot
    cdef int number, i, seat, turn = p.turn, points, next_run
    cdef uint16_t next_under
    cdef bint keep = under != UNNUMBERED and not (s.loose and run)
    cdef uint8_t overwritten = s.ring[p.high & (RING - 1)]
    s.nodes += 1
    if s.nodes >= s.next_look:
        if s.nodes >= s.limit:
            s.stop = True
        else:
            s.next_look = min(s.nodes + LOOK_EVERY, s.limit)
            with gil:
                s.stop = (<MaxN> s.owner)._look_around()
        if s.stop:
            return
    for seat in range(p.players):
        gain[seat] = 6 * (p.bone == seat) - 6 * (p.poo == seat)
    if is_over(p) or depth == 0:
        return
    if keep:
        _key(p, under, depth, key)
        slot = _slot(s, key)
        if slot.used and not memcmp(slot.key, key, sizeof(key)):
            for seat in range(p.players):
                gain[seat] = slot.gain[seat]
            return
    number = list_moves(p, moves)
    if moves[0] & UNDER:
        if s.loose:
            if _repeats(s, p, run):
                return
            if run + 1 >= LONGEST_RUN:
                s.stop = True
                return
        elif stuck_for_ever(p, s.ring):
            return
    for i in range(number):
        child = p[0]
        play_move(&child, s.ring, moves[i])
        points = child.points[turn]
        child.points[turn] = 0
        if moves[i] & UNDER:
            next_under = _follow(s, under, xp_ctz64(moves[i] & ~UNDER) >> 2)
            next_run = run + 1
        else:
            next_under = under
            next_run = 0 if moves[i] else run
        _search(s, &child, next_under, next_run, depth - (depth != EXACT_DEPTH), found)
        found[turn] += points
        if s.stop:
            break
        # Of moves that are equal for the player on turn the first in text order is taken.
        if i == 0 or found[turn] > gain[turn]:
            for seat in range(p.players):
                gain[seat] = found[seat]
    s.ring[p.high & (RING - 1)] = overwritten
    if keep and not s.stop:
        slot = _slot(s, key)
        s.used += not slot.used
        memcpy(slot.key, key, sizeof(key))
        slot.used = 1
        for seat in range(p.players):
            slot.gain[seat] = <int16_t> gain[seat]


@cython.final
cdef class MaxN:
    """Max^n below one root position. ``table_bytes`` and ``look`` are as in the two-player search.

    Not for use by two threads at once.
    """

    cdef Search search
    cdef Game root
    cdef object look
    cdef object raised

    def __cinit__(self, Game root not None, int64_t table_bytes=1 << 27, look=None):
        cdef uint64_t slots = 1
        while 2 * slots * sizeof(Entry) <= <uint64_t> max(table_bytes, 0):
            slots *= 2
        self.root = root
        self.look = look
        self.search.owner = <void*> self
        self.search.mask = slots - 1
        self.search.table = <Entry*> calloc(slots, sizeof(Entry))
        if self.search.table == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.search.sequences = 1
        self.search.loose = loose(root)

    def __dealloc__(self):
        free(self.search.table)

    @property
    def nodes(self) -> int:
        """Nodes visited so far, by all questions together."""
        return self.search.nodes

    @property
    def fill(self) -> float:
        """The part of the table in use, 0 to 1."""
        return self.search.used / <double> (self.search.mask + 1)

    cdef bint _look_around(self) noexcept:
        try:
            PyErr_CheckSignals()
            return self.look is not None and bool(self.look(self.search.nodes))
        except BaseException as error:
            self.raised = error
            return True

    def vector(self, path=(), int depth=EXACT_DEPTH, int64_t nodes=1 << 62) -> tuple[int, ...] | None:
        """The final score of each seat after the moves of ``path``; None if the search was stopped.

        With a ``depth`` below 63 the game is cut after so many turns and counted as it stands: then no final scores.
        """
        cdef Search* s = &self.search
        cdef Position position = self.root.position
        cdef int[SEATS] gain
        cdef int[SEATS] held
        cdef uint16_t under = 0
        cdef int seat, run = 0, earlier, i
        memcpy(s.ring, self.root.ring, RING)
        earlier = <int> min(len(self.root.run), LONGEST_RUN - 1)
        for i in range(earlier):
            hands, _, turn = self.root.run[len(self.root.run) - earlier + i]
            s.before[i] = position
            for seat in range(position.players):
                s.before[i].hand[seat] = hands[seat]
            s.before[i].low, s.before[i].turn = position.low - earlier + i, turn
        run = earlier
        for move in path:
            if move & UNDER:
                if s.loose and run < LONGEST_RUN:
                    _repeats(s, &position, run)
                under = _follow(s, under, xp_ctz64(move & ~UNDER) >> 2)
                run += 1
            elif move:
                run = 0
            play_move(&position, s.ring, move)
        for seat in range(position.players):
            held[seat], position.points[seat] = position.points[seat], 0
        s.stop = False
        s.limit = s.nodes + min(nodes, (<int64_t> 1 << 62) - s.nodes)
        s.next_look = min(s.nodes + LOOK_EVERY, s.limit)
        if run >= LONGEST_RUN:
            return None
        with nogil:
            _search(s, &position, under, run, depth, gain)
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error
        if s.stop:
            return None
        return tuple([held[seat] + gain[seat] for seat in range(position.players)])
