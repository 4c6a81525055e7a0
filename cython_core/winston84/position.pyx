"""One round of Winston 1984 in the native core: legal decisions, their effects, what can be reached, random play.

Trusts its caller: codes come from validated states. See position.pxd for the layout of codes and decisions.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_below, xp_ctz64, xp_popcount64
from exactplay.cython_core.toolkit.hashmap cimport xp_map, xp_map_get, xp_map_put

import numpy as np


cdef int legal(uint64_t code, int options, uint32_t* out) noexcept nogil:
    """Write every legal decision to ``out`` (MAX_DECISIONS words); return their number. Dice about to be rolled: none."""
    cdef int colour, other, value, n = 0, others = 0, highest = 0, subset
    cdef int value_of[6]
    cdef int count[8]
    cdef bint on_table
    if rolled_dice(code):
        return 0
    for colour in range(6):
        value_of[colour] = available(code, colour) | placed(code, colour)
    if code & SECURITY:
        for colour in range(6):
            if value_of[colour] > highest:
                highest = value_of[colour]
        for colour in range(6):
            if highest and value_of[colour] == highest:
                out[n] = colour | GIVE_UP
                n += 1
        return n

    if available(code, RED):
        if code & PLACED or (options & ROOM101_IS_PLACED and room101(code)):
            out[n] = RED
            n += 1

    if available(code, GREEN):
        for colour in range(6):
            if colour != GREEN and available(code, colour):
                others |= 1 << colour
        # Every set of exactly g of the other available dice: the subsets of `others`, counted down.
        subset = others
        while subset:
            if xp_popcount64(subset) == available(code, GREEN):
                out[n] = GREEN | (subset << 3)
                n += 1
            subset = (subset - 1) & others

    if available(code, BLUE):
        for other in range(6):
            if other != BLUE and other != YELLOW and value_of[other] > value_of[BLUE]:
                out[n] = BLUE | (8 << other)
                n += 1

    if available(code, WHITE):
        for value in range(8):
            count[value] = 0
        for other in range(6):
            if other != WHITE:
                count[value_of[other]] += 1
        if options & ROOM101_IS_PLACED and room101(code):
            count[room101(code)] += 1
        for other in range(6):
            value = value_of[other]
            if other != WHITE and value and count[value] >= 2:
                if not (options & WHITE_NEEDS_CHANGE and value == value_of[WHITE]):
                    out[n] = WHITE | (8 << other)
                    n += 1

    if available(code, YELLOW):
        value = value_of[YELLOW]
        if value == 5 or placed(code, value - 1):
            out[n] = YELLOW
            n += 1

    if available(code, PURPLE):
        on_table = False
        for other in range(6):
            if other != PURPLE and value_of[other]:
                on_table = True
                out[n] = PURPLE | (8 << other)
                n += 1
        if not on_table or options & PURPLE_ALONE_OK:
            out[n] = PURPLE
            n += 1
    return n


cdef uint64_t apply(uint64_t code, uint32_t decision, int options) noexcept nogil:
    """The position after a legal decision; Green leaves its dice marked as about to be rolled."""
    cdef int die = decision & 7, targets = (decision >> 3) & 63, other = 0, lowest, value
    if decision & GIVE_UP:
        return with_available(code, die, 0) & ~SECURITY
    if targets:
        other = xp_ctz64(targets)
    value = available(code, die)
    code = with_available(code, die, 0)
    if die == RED:
        lowest = room101(code) if options & ROOM101_IS_PLACED and room101(code) else 7
        for other in range(6):
            if placed(code, other) and placed(code, other) < lowest:
                lowest = placed(code, other)
        return with_placed(code, RED, lowest)
    if die == GREEN:
        for other in range(6):
            if targets >> other & 1:
                code = with_available(code, other, ROLLED)
        return with_placed(code, GREEN, value)
    if die == BLUE:
        return with_placed(with_target(code, other, 0), BLUE, value)
    if die == WHITE:
        return with_placed(with_target(code, other, value), WHITE, value)
    if die == YELLOW:
        if value == 5:
            return code | (<uint64_t>5 << 36) | (<uint64_t>YELLOW << 39)
        other = value - 1
        code |= (<uint64_t>placed(code, other) << 36) | (<uint64_t>other << 39)
        return with_placed(with_placed(code, other, 0), YELLOW, value)
    if targets:
        code = with_target(code, other, 7 - (available(code, other) | placed(code, other)))
    return with_placed(code, PURPLE, 7 - value)


cdef uint64_t canonical(uint64_t code) noexcept nogil:
    """Forget what the rest of the round cannot see; positions with one canonical code have one set of futures.

    While Yellow is available everything stays: its value may still be changed to name any space. Once it is not, the
    placed dice are a multiset: their values are sorted into the spaces of dice that are not available. A placed Yellow
    keeps its place while Blue is available, for Blue may not remove it.
    """
    cdef int colour, i, n = 0, m = 0, value
    cdef int values[6]
    cdef int spaces[6]
    code &= ~(<uint64_t>7 << 39)
    if available(code, YELLOW):
        return code
    for colour in range(6):
        if available(code, colour) or (colour == YELLOW and available(code, BLUE)):
            continue
        spaces[m] = colour
        m += 1
        value = placed(code, colour)
        if value:
            i = n
            while i > 0 and values[i - 1] > value:
                values[i] = values[i - 1]
                i -= 1
            values[i] = value
            n += 1
            code = with_placed(code, colour, 0)
    for i in range(n):
        code = with_placed(code, spaces[i], values[i])
    return code


cdef uint64_t reach(xp_map* known, uint64_t code, int options) noexcept nogil:
    """The mask of results, one bit each, that a position without Green can reach; 0 where there is no memory to keep it."""
    cdef uint32_t decisions[MAX_DECISIONS]
    cdef uint64_t* found
    cdef uint64_t mask = 0, more
    cdef int i, n
    if not code & AVAILABLE:
        return <uint64_t>1 << outcome_of(code)
    code = canonical(code)
    found = xp_map_get(known, code)
    if found != NULL:
        return found[0]
    n = legal(code, options, decisions)
    for i in range(n):
        more = reach(known, apply(code, decisions[i], options), options)
        if more == 0:
            return 0
        mask |= more
    if n == 0:
        mask = 1            # a failed round marks nothing, as a result of 0 does
    return mask if xp_map_put(known, code, mask) else 0


cdef uint64_t random_round(uint64_t code, int options, uint64_t* state) noexcept nogil:
    """Play a round with uniformly random decisions; return the final position."""
    cdef uint32_t decisions[MAX_DECISIONS]
    cdef int n, colour
    while True:
        if rolled_dice(code):
            for colour in range(6):
                if available(code, colour) == ROLLED:
                    code = with_available(code, colour, 1 + <int>xp_below(state, 6))
        n = legal(code, options, decisions)
        if n == 0:
            return code
        code = apply(code, decisions[xp_below(state, n)], options)


@cython.final
cdef class Position:
    """One position of a round; immutable.

    ``code`` is the packed word, in which a die about to be rolled has the value 7. options: bit 0 room101_is_placed, bit 1
    white_needs_change, bit 2 purple_alone_ok.
    """

    def __cinit__(self, uint64_t code, int options=0):
        self.code, self.options = code, options

    @property
    def to_move(self):
        """0 while the player decides, -1 where dice are about to be rolled, -2 at the end of the round."""
        cdef uint32_t decisions[MAX_DECISIONS]
        if rolled_dice(self.code):
            return -1
        return 0 if legal(self.code, self.options, decisions) else -2

    @property
    def result(self):
        """Of a round that is over: placed values minus Room 101, at least 0; 0 where a die is left."""
        return 0 if self.code & AVAILABLE else outcome_of(self.code)

    def moves(self):
        """The legal decision words, in no particular order."""
        cdef uint32_t decisions[MAX_DECISIONS]
        cdef int i, n = legal(self.code, self.options, decisions)
        return [decisions[i] for i in range(n)]

    def play(self, uint32_t decision):
        """The position after a legal decision; dice that Green rolls again have the value 7."""
        return Position(apply(self.code, decision, self.options), self.options)

    def roll(self, *faces):
        """The position after the dice about to be rolled show these faces, in colour order."""
        cdef uint64_t code = self.code
        cdef int face
        for face in faces:
            code = with_available(code, first_rolled(code), face)
        return Position(code, self.options)

    def random_rounds(self, int64_t rounds, uint64_t[::1] state not None):
        """Play rounds from here to their end with uniformly random decisions.

        state: uint64[1], the random generator's, advanced. Returns the results, int32[rounds].
        """
        cdef int32_t[::1] results = np.empty(rounds, np.int32)
        cdef uint64_t code
        cdef int64_t i
        with nogil:
            for i in range(rounds):
                code = random_round(self.code, self.options, &state[0])
                results[i] = 0 if code & AVAILABLE else outcome_of(code)
        return np.asarray(results)
