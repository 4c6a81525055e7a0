"""One round of Winston 1984 in the native core: legal decisions, their effects, and the value of every decision.

Design, from the bottom up: (a) ``legal`` and ``apply`` on packed codes (winston84.pxd); (b) ``canonical``, which forgets
what the rest of the round cannot see; (c) the raw-state induction, kept as the baseline of the benchmarks and as a
witness that uses no structure at all; the fast way is in winston84_structure and winston84_kernel; (d) random play.

Trusts its caller: codes come from validated states. See winston84.pxd for the layout of codes and decisions.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

cdef extern from "toolkit/bits.h" nogil:
    int bit_count "xp_popcount64" (uint64_t)
    int lowest_bit "xp_ctz64" (uint64_t)
    uint64_t below "xp_below" (uint64_t*, uint64_t)

cdef extern from "toolkit/hashmap.h" nogil:
    ctypedef struct Map "xp_map":
        uint64_t count
    bint map_init "xp_map_init" (Map*, unsigned int)
    void map_free "xp_map_free" (Map*)
    uint64_t* map_get "xp_map_get" (const Map*, uint64_t)
    bint map_put "xp_map_put" (Map*, uint64_t, uint64_t)


# ---------------------------------------------------------------------------------------------- the rules

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
            if bit_count(subset) == available(code, GREEN):
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
        other = lowest_bit(targets)
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


# ---------------------------------------------------------------------------------------------- for Python

def legal_decisions(uint64_t code, int options):
    """The legal decision words of a position, as a list of int, in no particular order."""
    cdef uint32_t out[MAX_DECISIONS]
    cdef int n = legal(code, options, out)
    return [out[i] for i in range(n)]


def play(uint64_t code, uint32_t decision, int options):
    """The position after a legal decision; dice that Green rolls again have the value 7."""
    return apply(code, decision, options)


def result(uint64_t code):
    """Placed values minus Room 101, at least 0."""
    return outcome_of(code)


@cython.final
cdef class RawInduction:
    """Backward induction over raw positions, without structure: the baseline of the benchmarks and an independent witness.

    options: bit 0 room101_is_placed, bit 1 white_needs_change, bit 2 purple_alone_ok. utility: float64[37].
    """

    cdef Map values
    cdef int options
    cdef bint failed
    cdef double utility[MAX_RESULT + 1]

    def __cinit__(self, int options, const double[::1] utility not None):
        cdef int i
        self.options = options
        for i in range(MAX_RESULT + 1):
            self.utility[i] = utility[i]
        if not map_init(&self.values, 20):
            raise MemoryError

    def __dealloc__(self):
        map_free(&self.values)

    @property
    def states(self):
        """Positions visited so far, chance nodes included."""
        return self.values.count

    def value(self, uint64_t code):
        """The expected utility of a position under best play."""
        cdef double answer
        with nogil:
            answer = self.solve(code)
        if self.failed:
            raise MemoryError("not enough memory for the raw induction")
        return answer

    def mean(self):
        """The mean value over all 46,656 rolls of six dice."""
        return sum(self.value(roll_of(index)) for index in range(46656)) / 46656

    cdef double solve(self, uint64_t code) noexcept nogil:
        cdef uint32_t decisions[MAX_DECISIONS]
        cdef uint64_t* known
        cdef uint64_t bits
        cdef double best, value
        cdef int i, n, colour, face
        known = map_get(&self.values, code)
        if known != NULL:
            memcpy(&best, known, sizeof(double))
            return best
        if rolled_dice(code):
            # One die at a time: the mean of means over its faces.
            best = 0
            for colour in range(6):
                if available(code, colour) == ROLLED:
                    for face in range(1, 7):
                        best += self.solve(with_available(code, colour, face))
                    break
            best /= 6
        else:
            n = legal(code, self.options, decisions)
            if n == 0:
                best = self.utility[0 if code & AVAILABLE else outcome_of(code)]
            else:
                best = self.solve(apply(code, decisions[0], self.options))
                for i in range(1, n):
                    value = self.solve(apply(code, decisions[i], self.options))
                    if value > best:
                        best = value
        memcpy(&bits, &best, sizeof(double))
        if not map_put(&self.values, code, bits):
            self.failed = True
        return best


cdef uint64_t roll_of(int64_t index) noexcept nogil:
    """The position after a roll of six dice; the lowest digit to the base 6 is the first colour's."""
    cdef uint64_t code = 0
    cdef int colour
    for colour in range(6):
        code = with_available(code, colour, 1 + <int>(index % 6))
        index //= 6
    return code


cdef uint64_t random_round(uint64_t code, int options, uint64_t* state) noexcept nogil:
    """Play a round with uniformly random decisions; return the final position."""
    cdef uint32_t decisions[MAX_DECISIONS]
    cdef int n, colour
    while True:
        if rolled_dice(code):
            for colour in range(6):
                if available(code, colour) == ROLLED:
                    code = with_available(code, colour, 1 + <int>below(state, 6))
        n = legal(code, options, decisions)
        if n == 0:
            return code
        code = apply(code, decisions[below(state, n)], options)


def random_rounds(const uint64_t[::1] codes not None, int options, uint64_t[::1] state not None):
    """Play rounds from their starts (dice about to be rolled: 7) to the end with uniformly random decisions.

    codes: uint64[n]; state: uint64[1], the random generator's, advanced. Returns the results, int32[n].
    """
    out = np.empty(codes.shape[0], np.int32)
    cdef int32_t[::1] results = out
    cdef uint64_t code
    cdef int64_t i
    with nogil:
        for i in range(codes.shape[0]):
            code = random_round(codes[i], options, &state[0])
            results[i] = 0 if code & AVAILABLE else outcome_of(code)
    return out
