"""The least number of combinations that shed a hand, of any rules: they say what beats what, not what is a combination."""
cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


@cython.final
cdef class FewestPlays:
    """Counts plays, and remembers what it counted."""

    def __cinit__(self):
        self.memo = <Memo*>malloc((1 << PLAYS_BITS) * sizeof(Memo))
        if self.memo == NULL:
            raise MemoryError
        memset(self.memo, 255, (1 << PLAYS_BITS) * sizeof(Memo))

    def __dealloc__(self):
        free(self.memo)

    def count(self, uint64_t a, uint64_t b) -> int:
        """The least number of combinations that shed a hand (of up to two decks: b are the cards held twice)."""
        return fewest(self.memo, a, b)
