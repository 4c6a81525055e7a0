"""One round of Winston 1984 in packed integers: a position, what is legal in it, and what a decision does to it.

A position of the round ("code") is one 64-bit word:

    bits  0..17  available dice: six fields of three bits in colour order R G B W Y P; 0 none, 1..6 a value,
                 7 a die that is about to be rolled
    bits 18..35  placed dice, likewise
    bits 36..38  value of the die in Room 101 (0: none)
    bits 39..41  colour of the die in Room 101
    bit  42      Maximum Security: the highest die must be given up before anything is placed

A decision is one 32-bit word: colour of the die in bits 0..2, a set of target colours in bits 3..8, bit 9 for the die
given up at Maximum Security.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_ctz64
from exactplay.cython_core.toolkit.hashmap cimport xp_map

cdef enum:
    RED = 0
    GREEN = 1
    BLUE = 2
    WHITE = 3
    YELLOW = 4
    PURPLE = 5
    ROLLED = 7                 # the value of a die about to be rolled
    ROOM101_IS_PLACED = 1      # bits of the option word
    WHITE_NEEDS_CHANGE = 2
    PURPLE_ALONE_OK = 4
    GIVE_UP = 512              # bit of a decision word
    MAX_DECISIONS = 64         # at most 5 x 5 targets and 10 subsets for Green, and one each for Red and Yellow
    RESULTS = 37               # the results 0..36 of a round

cdef extern from *:
    """
    #define XP84_AVAILABLE 0x3FFFFULL
    #define XP84_PLACED (0x3FFFFULL << 18)
    #define XP84_SECURITY (1ULL << 42)
    #define XP84_TIE 1e-11
    """
    const uint64_t AVAILABLE "XP84_AVAILABLE"
    const uint64_t PLACED "XP84_PLACED"
    const uint64_t SECURITY "XP84_SECURITY"
    const double TIE "XP84_TIE"      # values closer than this part of the best are one value in another rounding


cdef inline int available(uint64_t code, int colour) noexcept nogil:
    return <int>(code >> (3 * colour)) & 7


cdef inline int placed(uint64_t code, int colour) noexcept nogil:
    return <int>(code >> (18 + 3 * colour)) & 7


cdef inline int room101(uint64_t code) noexcept nogil:
    return <int>(code >> 36) & 7


cdef inline uint64_t with_available(uint64_t code, int colour, int value) noexcept nogil:
    return (code & ~(<uint64_t>7 << (3 * colour))) | (<uint64_t>value << (3 * colour))


cdef inline uint64_t with_placed(uint64_t code, int colour, int value) noexcept nogil:
    return (code & ~(<uint64_t>7 << (18 + 3 * colour))) | (<uint64_t>value << (18 + 3 * colour))


cdef inline uint64_t with_target(uint64_t code, int colour, int value) noexcept nogil:
    """The die of a colour, placed or available, shows another value (0: it is removed)."""
    if available(code, colour):
        return with_available(code, colour, value)
    return with_placed(code, colour, value)


cdef inline uint64_t rolled_dice(uint64_t code) noexcept nogil:
    """The lowest bit of the field of each die about to be rolled."""
    return code & (code >> 1) & (code >> 2) & <uint64_t>0o111111


cdef inline int first_rolled(uint64_t code) noexcept nogil:
    """The first colour that is about to be rolled; some is."""
    return xp_ctz64(rolled_dice(code)) // 3


cdef inline uint64_t roll_code(int64_t roll, int missing) noexcept nogil:
    """The position after a roll: its faces are the digits of the index, the lowest digit for the first colour."""
    cdef uint64_t code = 0
    cdef int colour
    for colour in range(6):
        if colour != missing:
            code = with_available(code, colour, 1 + <int>(roll % 6))
            roll //= 6
    return code


cdef inline int outcome_of(uint64_t code) noexcept nogil:
    """The result of a round without available dice: placed values minus Room 101, at least 0."""
    cdef int colour, total = -room101(code)
    for colour in range(6):
        total += placed(code, colour)
    return total if total > 0 else 0


cdef int legal(uint64_t code, int options, uint32_t* out) noexcept nogil          # every legal decision; their number
cdef uint64_t apply(uint64_t code, uint32_t decision, int options) noexcept nogil   # the position after a legal decision
cdef uint64_t canonical(uint64_t code) noexcept nogil     # forgets what the rest of the round cannot see
cdef uint64_t reach(xp_map* known, uint64_t code, int options) noexcept nogil       # the results without Green; 0: no memory


cdef class Position:
    cdef readonly uint64_t code
    cdef readonly int options
