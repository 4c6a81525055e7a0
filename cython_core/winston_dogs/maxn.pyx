# Winston (dogs): max^n for any number of players with every card known, for small positions.
#
# Plain depth-first search with a table of exact vectors relative to the points held. Pruning is left out: with more
# than two players it is only sound with bounds on the sum of the scores, and the dogs to come give none worth having.
"""Winston (dogs): native max^n."""
cimport cython
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from exactplay.cython_core.toolkit.bits cimport xp_ctz64, xp_mix64
from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.winston_dogs.position cimport (
    MOST_MOVES, RING, SEATS, UNDER, Packed, Position, is_over, list_moves, play_move, stuck_for_ever,
)
from exactplay.cython_core.winston_dogs.search cimport (
    EXACT_DEPTH, LONGEST_RUN, PLIES, UNNUMBERED, Search, follow, must_stop, repeats,
)

cdef enum:
    KEY_WORDS = 7


cdef struct Entry:
    uint64_t[KEY_WORDS] key
    int16_t[SEATS] gain
    uint8_t used


cdef struct Frame:
    # the arrays of one node
    uint64_t[MOST_MOVES] moves
    uint64_t[KEY_WORDS] key
    Packed child
    int[SEATS] found


cdef inline void _key(const Packed* p, uint16_t under, int depth, uint64_t* key) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        key[seat] = p.hand[seat] if seat < p.players else 0
    key[6] = p.table | <uint64_t> (depth + 1) << 48
    key[0] |= <uint64_t> (p.high - p.low) << 48 | <uint64_t> p.turn << 56
    key[1] |= <uint64_t> under << 48
    key[2] |= <uint64_t> p.longest << 48 | <uint64_t> p.shortest << 52
    key[3] |= <uint64_t> (p.bone + 1) << 48 | <uint64_t> (p.poo + 1) << 52
    key[4] |= <uint64_t> p.skips << 48


cdef inline Entry* _slot(MaxN s, const uint64_t* key) noexcept nogil:
    cdef uint64_t hash = 0
    cdef int word
    for word in range(KEY_WORDS):
        hash = xp_mix64(hash ^ key[word])
    return &s.table[hash & s.mask]


cdef void _search(
    MaxN s, Frame* frame, const Packed* p, uint16_t under, int run, int depth, int* gain
) noexcept nogil:
    """Fill in what each seat still gains, bone and poo included, when everybody maximises his own score."""
    cdef uint64_t* moves = frame.moves
    cdef int* found = frame.found
    cdef Entry* slot
    cdef int number, i, seat, turn = p.turn, points, next_run
    cdef uint16_t next_under
    cdef bint keep = under != UNNUMBERED and not (s.loose and run)
    cdef uint8_t overwritten = s.ring[p.high & (RING - 1)]
    s.nodes += 1
    if s.nodes >= s.next_look and must_stop(s):
        return
    for seat in range(p.players):
        gain[seat] = 6 * (p.bone == seat) - 6 * (p.poo == seat)
    if is_over(p) or depth == 0:
        return
    if keep:
        _key(p, under, depth, frame.key)
        slot = _slot(s, frame.key)
        if slot.used and not memcmp(slot.key, frame.key, sizeof(frame.key)):
            for seat in range(p.players):
                gain[seat] = slot.gain[seat]
            return
    if frame == s.last_frame:
        s.stop = True
        return
    number = list_moves(p, moves)
    if moves[0] & UNDER:
        if s.loose:
            if repeats(s, p.hand, turn, p.low, p.high, run):
                return
            if run + 1 >= LONGEST_RUN:
                s.stop = True
                return
        elif stuck_for_ever(p, s.ring):
            return
    for i in range(number):
        frame.child = p[0]
        play_move(&frame.child, s.ring, moves[i])
        points = frame.child.points[turn]
        frame.child.points[turn] = 0
        if moves[i] & UNDER:
            next_under = follow(s, under, xp_ctz64(moves[i] & ~UNDER) >> 2)
            next_run = run + 1
        else:
            next_under = under
            next_run = 0 if moves[i] else run
        _search(s, frame + 1, &frame.child, next_under, next_run, depth - (depth != EXACT_DEPTH), found)
        found[turn] += points
        if s.stop:
            break
        # Of moves that are equal for the player on turn the first in text order is taken.
        if i == 0 or found[turn] > gain[turn]:
            for seat in range(p.players):
                gain[seat] = found[seat]
    s.ring[p.high & (RING - 1)] = overwritten
    if keep and not s.stop:
        slot = _slot(s, frame.key)
        s.used += not slot.used
        memcpy(slot.key, frame.key, sizeof(frame.key))
        slot.used = 1
        for seat in range(p.players):
            slot.gain[seat] = <int16_t> gain[seat]


@cython.final
cdef class MaxN(Search):
    """Max^n below a position of any number of players. Arguments as of the base class."""

    cdef Entry* table
    cdef uint64_t mask  # slots - 1
    cdef uint64_t used
    cdef Frame* frames
    cdef Frame* last_frame

    def __cinit__(self, Position root not None, int64_t table_bytes=1 << 27, poll=None):
        cdef uint64_t slots = 1
        while 2 * slots * sizeof(Entry) <= <uint64_t> max(table_bytes, 0):
            slots *= 2
        self.mask = slots - 1
        self.table = <Entry*> xp_table_new(slots * sizeof(Entry))
        self.frames = <Frame*> calloc(PLIES, sizeof(Frame))
        if self.table == NULL or self.frames == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.last_frame = &self.frames[PLIES - 1]

    def __dealloc__(self):
        xp_table_free(self.table, (self.mask + 1) * sizeof(Entry))
        free(self.frames)

    @property
    def fill(self) -> float:
        """The part of the table in use, 0 to 1."""
        return self.used / <double> (self.mask + 1)

    def vector(self, path=(), int depth=EXACT_DEPTH, int64_t nodes=1 << 62) -> tuple[int, ...] | None:
        """The final score of each seat after the moves of ``path``; None if the search was stopped.

        With a ``depth`` below 63 the game is cut after so many turns and counted as it stands: then no final scores.
        """
        cdef Packed position = self.root.packed
        cdef int[SEATS] gain
        cdef int[SEATS] held
        cdef uint16_t under = 0
        cdef int seat, run
        self.begin(nodes)
        run = self.start(LONGEST_RUN - 1)
        for move in path:
            if move & UNDER:
                if self.loose and run < LONGEST_RUN:
                    repeats(self, position.hand, position.turn, position.low, position.high, run)
                under = follow(self, under, xp_ctz64(move & ~UNDER) >> 2)
                run += 1
            elif move:
                run = 0
            play_move(&position, self.ring, move)
        for seat in range(position.players):
            held[seat], position.points[seat] = position.points[seat], 0
        if run >= LONGEST_RUN:
            self.stop = True
        else:
            self.busy = True
        with nogil:
                _search(self, self.frames, &position, under, run, depth, gain)
        self.end()
        if self.stop:
            return None
        return tuple([held[seat] + gain[seat] for seat in range(position.players)])
