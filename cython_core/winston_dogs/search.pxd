# Winston (dogs): what the searches of two and of more players have in common.
#
# The order of the pile is fixed by the root, so its size stands for it; the cards put under it since are numbered by a
# tree of their sequences, exactly. Arrays of a node lie in frames of their own memory and not on the stack, so that a
# search fits a thread with a stack of 128 KiB.
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcmp, memcpy

from exactplay.cython_core.winston_dogs.position cimport RING, SEATS, Position

cdef enum:
    KINDS = 12
    SEQUENCES = 1 << 12  # of cards put under the pile, numbered
    UNNUMBERED = 0xFFFF
    EXACT_DEPTH = 63  # a search to the end of the game
    LONGEST_RUN = 60  # stuck turns in succession whose positions are compared
    PLIES = 200  # turns that a search goes down at the most (464 bytes of stack each); most games end within 50
    LOOK_EVERY = 1 << 16  # nodes between two calls of poll


cdef struct Before:
    # a position of the current run of stuck turns
    uint64_t[SEATS] hand
    int low
    int8_t turn


cdef class Search:
    cdef uint8_t[RING] ring
    cdef uint16_t[SEQUENCES][KINDS] next_under
    cdef int sequences
    cdef int players
    cdef bint loose  # positions may repeat in many ways
    cdef Before[LONGEST_RUN + 4] before
    cdef readonly int64_t nodes
    cdef int64_t limit
    cdef int64_t next_look
    cdef bint stop
    cdef bint busy
    cdef Position root
    cdef object poll
    cdef object raised
    cdef int start(self, int most) except -1
    cdef int begin(self, int64_t nodes) except -1
    cdef int end(self) except -1
    cdef bint look_around(self) noexcept


cdef inline uint16_t follow(Search s, uint16_t under, int kind) noexcept nogil:
    """The number of a sequence of cards put under the pile, one card longer."""
    if under == UNNUMBERED:
        return UNNUMBERED
    if not s.next_under[under][kind]:
        if s.sequences == SEQUENCES:
            return UNNUMBERED
        s.next_under[under][kind] = <uint16_t> s.sequences
        s.sequences += 1
    return s.next_under[under][kind]


cdef inline bint repeats(Search s, const uint64_t* hand, int turn, int low, int high, int run) noexcept nogil:
    """Whether a position stood before in the run of stuck turns; each one of the run is kept on the way."""
    cdef Before* before
    cdef int i, j
    for i in range(run):
        before = &s.before[i]
        if before.turn == turn and not memcmp(before.hand, hand, s.players * sizeof(uint64_t)):
            for j in range(high - low):
                if s.ring[(before.low + j) & (RING - 1)] != s.ring[(low + j) & (RING - 1)]:
                    break
            else:
                return True
    before = &s.before[run]
    memcpy(before.hand, hand, s.players * sizeof(uint64_t))
    before.low, before.turn = low, <int8_t> turn
    return False


cdef inline bint must_stop(Search s) noexcept nogil:
    """Whether the search must end: the limit of nodes, or (looked at now and then) Ctrl-C and the caller's own wish."""
    if s.nodes >= s.limit:
        s.stop = True
    elif s.nodes >= s.next_look:
        s.next_look = min(s.nodes + LOOK_EVERY, s.limit)
        with gil:
            s.stop = s.look_around()
    return s.stop
