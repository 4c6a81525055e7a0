"""One round of Winston 1984 in packed integers: the rules, as inline functions for the modules winston84*.

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
from libc.stdint cimport int32_t, uint32_t, uint64_t

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
    MAX_RESULT = 36

cdef extern from *:
    """
    #define XP84_AVAILABLE 0x3FFFFULL
    #define XP84_PLACED (0x3FFFFULL << 18)
    #define XP84_SECURITY (1ULL << 42)
    """
    const uint64_t AVAILABLE "XP84_AVAILABLE"
    const uint64_t PLACED "XP84_PLACED"
    const uint64_t SECURITY "XP84_SECURITY"


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


cdef inline int outcome_of(uint64_t code) noexcept nogil:
    """The result of a round without available dice: placed values minus Room 101, at least 0."""
    cdef int colour, total = -room101(code)
    for colour in range(6):
        total += placed(code, colour)
    return total if total > 0 else 0


cdef int legal(uint64_t code, int options, uint32_t* out) noexcept nogil
cdef uint64_t apply(uint64_t code, uint32_t decision, int options) noexcept nogil
cdef uint64_t canonical(uint64_t code) noexcept nogil
