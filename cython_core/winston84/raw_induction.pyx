"""Backward induction over the raw positions of a round, without any structure.

The baseline of the benchmarks, and a witness that knows nothing but the rules; the fast way is compiler and kernel.
"""
cimport cython
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from exactplay.cython_core.toolkit.hashmap cimport xp_map, xp_map_free, xp_map_get, xp_map_init, xp_map_put
from exactplay.cython_core.winston84.position cimport (
    AVAILABLE, MAX_DECISIONS, RESULTS,
    Position, apply, first_rolled, legal, outcome_of, roll_code, rolled_dice, with_available,
)


@cython.final
cdef class RawInduction:
    """Answers for one setting of the options (those of Position) and one utility vector, float64[37]."""

    cdef xp_map values
    cdef int options
    cdef bint failed
    cdef double utility[RESULTS]

    def __cinit__(self, int options, const double[::1] utility not None):
        cdef int i
        self.options = options
        for i in range(RESULTS):
            self.utility[i] = utility[i]
        if not xp_map_init(&self.values, 20):
            raise MemoryError

    def __dealloc__(self):
        xp_map_free(&self.values)

    @property
    def states(self):
        """Positions visited so far, chance nodes included."""
        return self.values.count

    def value(self, Position position not None):
        """The expected utility of a position under best play."""
        cdef double answer
        with nogil:
            answer = self.solve(position.code)
        if self.failed:
            raise MemoryError("not enough memory for the raw induction")
        return answer

    def mean(self):
        """The mean value over all 46,656 rolls of six dice."""
        return sum(self.value(Position(roll_code(index, -1))) for index in range(46656)) / 46656

    cdef double solve(self, uint64_t code) noexcept nogil:
        cdef uint32_t decisions[MAX_DECISIONS]
        cdef uint64_t* known
        cdef uint64_t bits
        cdef double best, value
        cdef int i, n, face
        known = xp_map_get(&self.values, code)
        if known != NULL:
            memcpy(&best, known, sizeof(double))
            return best
        if rolled_dice(code):
            # One die at a time: the mean of means over its faces.
            best = 0
            for face in range(1, 7):
                best += self.solve(with_available(code, first_rolled(code), face))
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
        if not xp_map_put(&self.values, code, bits):
            self.failed = True
        return best
