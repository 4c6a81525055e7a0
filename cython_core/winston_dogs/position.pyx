# Winston (dogs): one position, its moves, playing, and random games. The packed layout and the rules are in the .pxd.
#
# The turns of a hand are listed through the 31 subsets of five sorted cards in a fixed order, which is the order of their
# texts, so nothing is sorted. Measured: 590,000 random games of two a second from deal to end, about 3,000 times the
# reference (bench/speed/winston_dogs.py).
"""Winston (dogs): the native position. Cards and moves are packed words, see :class:`Position`."""
cimport cython
from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from exactplay.cython_core.toolkit.bits cimport xp_below, xp_ctz64


cdef tuple _rewind(Position at):
    """Hands, pile and turn before each stuck turn of the run, the earliest first."""
    cdef list hands = list(at.hands), found = []
    cdef int turn = at.packed.turn, last = at.packed.players - 1
    cdef bytes pile = at.pile
    for under, drawn in reversed(at.stuck):
        for _ in range(last + 1):
            turn = turn - 1 if turn else last
            if hands[turn]:
                break
        if not hands[turn] >> 4 * drawn & 15 or not pile.endswith(bytes([under])):
            raise ValueError(
                f"stuck: seat {turn} cannot have put kind {under} under the pile and drawn kind {drawn}: the one must be "
                "in its place in the pile and the other in his hand"
            )
        hands[turn] = hands[turn] + (1 << 4 * under) - (1 << 4 * drawn)
        pile = bytes([drawn]) + pile[:len(pile) - 1]
        found.append((tuple(hands), pile, turn))
    return tuple(reversed(found))


cdef enum:
    OVER = -2


@cython.final
cdef class Position:
    """One position; immutable.

    A multiset of cards is an integer with four bits for each kind of card, counted in the order of the texts: Bb Bh Gb Gh
    Kb Kh Ob Oh Sb Sh Wb Wh. A move is the multiset played; bit 63 marks the one card put under the pile; 0 is a skip.

    ``hands``: a multiset a seat (2 to 6). ``table``: the dogs, one multiset. ``pile``: kinds 0 to 11, top first.
    ``bone`` and ``poo`` are seats or -1. ``stuck``: (kind put under, kind drawn) of the stuck turns in succession.
    """

    def __cinit__(
        self, hands not None, uint64_t table=0, bytes pile not None=b"", int turn=0, int longest=0, int shortest=0,
        int bone=-1, int poo=-1, points=None, int skips=0, tuple stuck not None=(),
    ):
        cdef int seat
        cdef Py_ssize_t i, before = len(stuck)
        if not 2 <= len(hands) <= SEATS:
            raise ValueError(f"{len(hands)} hands; there are 2 to {SEATS} players")
        if len(pile) > 66:
            raise ValueError(f"a pile of {len(pile)} cards; the game has 66 cards")
        cdef Packed* position = &self.packed
        position.players = <int8_t> len(hands)
        for seat in range(position.players):
            position.hand[seat] = hands[seat]
            position.points[seat] = 0 if points is None else points[seat]
        position.table = table
        position.turn, position.skips = <int8_t> turn, <int8_t> skips
        position.longest, position.shortest = <int8_t> longest, <int8_t> shortest
        position.bone, position.poo = <int8_t> bone, <int8_t> poo
        position.low = <int> (before % RING)
        position.high = position.low + <int> len(pile)
        for i in range(len(pile)):
            self.ring[(position.low + i) & (RING - 1)] = pile[i]
        # The cards drawn earlier in the run lie before the pile, where the search looks for repeated positions.
        for i in range(max(0, before - 60), before):
            self.ring[i & (RING - 1)] = stuck[i][1]
        self.stuck = stuck
        self.run = _rewind(self)

    @property
    def hands(self) -> tuple[int, ...]:
        """The hand of each seat."""
        return tuple([self.packed.hand[seat] for seat in range(self.packed.players)])

    @property
    def table(self) -> int:
        """The dogs on the table."""
        return self.packed.table

    @property
    def pile(self) -> bytes:
        """The kinds of the pile, top first."""
        return bytes([self.ring[i & (RING - 1)] for i in range(self.packed.low, self.packed.high)])

    @property
    def turn(self) -> int:
        """The seat on turn."""
        return self.packed.turn

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the dogs collected, without bone and poo."""
        return tuple([self.packed.points[seat] for seat in range(self.packed.players)])

    @property
    def holders(self) -> tuple[int, int, int, int]:
        """Longest, shortest, bone, poo."""
        return self.packed.longest, self.packed.shortest, self.packed.bone, self.packed.poo

    @property
    def skips(self) -> int:
        """The skips in succession."""
        return self.packed.skips

    @property
    def to_move(self) -> int:
        """The seat on turn, or -2 when the game has ended, by a repeated position too."""
        if is_over(&self.packed):
            return OVER
        if self.stuck and self.packed.hand[self.packed.turn] and (self.hands, self.pile, self.turn) in self.run:
            return OVER
        return self.packed.turn

    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves in the order of their texts; none when the game is over."""
        cdef uint64_t[MOST_MOVES] moves
        cdef int number
        if self.to_move == OVER:
            return ()
        number = list_moves(&self.packed, moves)
        return tuple([moves[i] for i in range(number)])

    def play(self, uint64_t move) -> Position:
        """The position after a legal move; the caller has checked that it is."""
        cdef Position after = Position.__new__(Position, (0, 0))
        memcpy(&after.packed, &self.packed, sizeof(Packed))
        memcpy(after.ring, self.ring, RING)
        play_move(&after.packed, after.ring, move)
        if move & UNDER:
            drawn = self.ring[self.packed.low & (RING - 1)]
            after.stuck = (*self.stuck, ((xp_ctz64(move & ~UNDER)) >> 2, drawn))
            after.run = (*self.run, (self.hands, self.pile, self.turn))
        elif move == 0:
            after.stuck, after.run = self.stuck, self.run
        else:
            after.stuck = after.run = ()
        return after

    def scores(self) -> tuple[int, ...]:
        """The points with bone and poo."""
        cdef const Packed* position = &self.packed
        return tuple([
            position.points[seat] + 6 * (position.bone == seat) - 6 * (position.poo == seat)
            for seat in range(position.players)
        ])

    cdef bint loose(self):
        """Whether a hand of one to three cards stands beside a pile, so that a position may repeat in many ways."""
        cdef int seat
        for seat in range(self.packed.players):
            if 0 < count_cards(self.packed.hand[seat]) < 4 and self.packed.low < self.packed.high:
                return True
        return False


cdef int _random_game(Packed* position, uint8_t* ring, uint64_t* state) noexcept nogil:
    """Play evenly random moves to the end; returns the number of moves."""
    cdef uint64_t[MOST_MOVES] moves
    cdef int number, plies = 0
    while not is_over(position):
        number = list_moves(position, moves)
        if moves[0] & UNDER and stuck_for_ever(position, ring):
            break
        number = <int> xp_below(state, <uint64_t> number)
        play_move(position, ring, moves[number])
        plies += 1
    return plies


def random_games(Position start not None, uint64_t seed, int16_t[:, ::1] scores not None) -> int:
    """Play ``len(scores)`` games from a position to their ends, evenly random, each with a newly shuffled pile.

    ``scores`` (games x players) receives the final scores. Returns the number of moves played. Raises :class:`ValueError`
    for a position set up with a hand of one to three cards beside a pile, whose games may repeat positions.
    """
    cdef Packed position
    cdef uint8_t[RING] ring
    cdef uint64_t state = seed
    cdef int64_t plies = 0
    cdef Py_ssize_t i
    cdef int seat, low, high, other, swap
    if scores.shape[1] != start.packed.players:
        raise ValueError(f"scores has {scores.shape[1]} columns; the game has {start.packed.players} players")
    if start.loose():
        raise ValueError("random games need hands of four cards or more while there is a pile")
    low, high = start.packed.low, start.packed.high
    with nogil:
        memcpy(ring, start.ring, RING)
        for i in range(scores.shape[0]):
            position = start.packed
            memcpy(ring, start.ring, RING)
            for other in range(high - 1, low, -1):
                swap = low + <int> xp_below(&state, <uint64_t> (other - low + 1))
                ring[other & (RING - 1)], ring[swap & (RING - 1)] = ring[swap & (RING - 1)], ring[other & (RING - 1)]
            plies += _random_game(&position, ring, &state)
            for seat in range(position.players):
                scores[i, seat] = position.points[seat]
                if position.bone == seat:
                    scores[i, seat] += 6
                if position.poo == seat:
                    scores[i, seat] -= 6
    return plies
