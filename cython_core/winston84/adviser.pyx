"""The value of every decision at any point of a round of Winston 1984, for one utility vector.

Positions with Green available are searched with memory; a chance node is looked up by its canonical code in the compiled
structure, and where the structure does not have it (a position that no roll of the eight families leads to) its faces are
run through. Positions without Green are worth the best of the results they can reach. A second utility vector says which of
equal choices is followed; its values are looked for only where a distribution is asked for.
"""
cimport cython
from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from exactplay.cython_core.toolkit.bits cimport xp_ctz64
from exactplay.cython_core.toolkit.hashmap cimport xp_map, xp_map_free, xp_map_get, xp_map_init, xp_map_put
from exactplay.cython_core.winston84.position cimport (
    GREEN, MAX_DECISIONS, RESULTS, SECURITY, TIE,
    Position, apply, available, canonical, first_rolled, legal, reach, rolled_dice, with_available,
)

import numpy as np


@cython.final
cdef class Adviser:
    """Answers for one utility vector. ``tables``: as Compiler.tables returns them; options as there; utility float64[37];
    second float64[37] or None.

    One instance serves one thread at a time.
    """

    cdef const uint64_t[::1] masks, node_key
    cdef const uint32_t[::1] node_start, outcomes, node_of_key
    cdef const uint8_t[::1] node_dice
    cdef int options
    cdef xp_map values, seconds, reachable
    cdef bint failed
    cdef double utility[RESULTS]
    cdef double second[RESULTS]

    def __cinit__(
        self, dict tables not None, int options, const double[::1] utility not None, const double[::1] second=None
    ):
        cdef int r
        self.masks, self.node_key, self.node_of_key = tables["masks"], tables["node_key"], tables["node_of_key"]
        self.node_start, self.node_dice, self.outcomes = tables["node_start"], tables["node_dice"], tables["outcomes"]
        self.options = options
        for r in range(RESULTS):
            self.utility[r] = utility[r]
            self.second[r] = 0 if second is None else second[r]
        if not (xp_map_init(&self.values, 10) and xp_map_init(&self.seconds, 10) and xp_map_init(&self.reachable, 10)):
            raise MemoryError

    def __dealloc__(self):
        xp_map_free(&self.values)
        xp_map_free(&self.seconds)
        xp_map_free(&self.reachable)

    @property
    def states(self):
        """Positions visited so far."""
        return self.values.count + self.reachable.count

    def decisions(self, Position position not None):
        """The value of every legal decision: a list of (decision word, value), in no particular order."""
        cdef uint32_t decision[MAX_DECISIONS]
        cdef double value[MAX_DECISIONS]
        cdef int i, n
        with nogil:
            n = legal(position.code, self.options, decision)
            for i in range(n):
                value[i] = self.value_of(apply(position.code, decision[i], self.options))
        self.check()
        return [(decision[i], value[i]) for i in range(n)]

    def value(self, Position position not None):
        """The expected utility of a position, dice about to be rolled (7) included."""
        cdef double answer
        with nogil:
            answer = self.value_of(position.code)
        self.check()
        return answer

    def distribution(self, Position position not None):
        """The probability of each result from a position on under best play, float64[37].

        Among decisions and results that tie those with the greater second utility are followed; without one, the first
        decision of the native order and the lowest result.
        """
        out = np.zeros(RESULTS)
        cdef double[::1] probability = out
        with nogil:
            self.follow(position.code, 1.0, &probability[0])
        self.check()
        return out

    cdef int check(self) except -1:
        if self.failed:
            raise MemoryError("not enough memory to value a position")
        return 0

    cdef uint64_t reach(self, uint64_t code) noexcept nogil:
        """The results that a position without Green can reach."""
        cdef uint64_t mask = reach(&self.reachable, code, self.options)
        if mask == 0:
            self.failed = True
            return 1
        return mask

    cdef int best_of(self, uint64_t mask) noexcept nogil:
        """The result of a mask with the greatest utility, of equal ones with the greatest second utility."""
        cdef int best = xp_ctz64(mask), r
        mask &= mask - 1
        while mask:
            r = xp_ctz64(mask)
            mask &= mask - 1
            if self.utility[r] > self.utility[best] or (
                    self.utility[r] == self.utility[best] and self.second[r] > self.second[best]):
                best = r
        return best

    cdef int64_t node_at(self, uint64_t code) noexcept nogil:
        """The compiled chance node of a canonical code, or -1."""
        cdef int64_t low = 0, high = self.node_key.shape[0], middle
        while low < high:
            middle = (low + high) // 2
            if self.node_key[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low < self.node_key.shape[0] and self.node_key[low] == code:
            return self.node_of_key[low]
        return -1

    cdef double value_of(self, uint64_t code) noexcept nogil:
        cdef uint32_t decision[MAX_DECISIONS]
        cdef uint64_t* known
        cdef uint64_t bits
        cdef double best, value
        cdef int64_t node
        cdef uint32_t k
        cdef int i, n
        if not (rolled_dice(code) or available(code, GREEN)):
            return self.utility[self.best_of(self.reach(code))]
        code = canonical(code)
        known = xp_map_get(&self.values, code)
        if known != NULL:
            memcpy(&best, known, sizeof(double))
            return best
        if rolled_dice(code):
            node = -1 if code & SECURITY else self.node_at(code)
            best = 0
            if node >= 0:
                for k in range(self.node_start[node], self.node_start[node + 1]):
                    best += (self.outcomes[k] & 8191) * self.utility[self.best_of(self.masks[self.outcomes[k] >> 13])]
                for i in range(self.node_dice[node]):
                    best /= 6
            else:
                for i in range(1, 7):
                    best += self.value_of(with_available(code, first_rolled(code), i))
                best /= 6
        else:
            n = legal(code, self.options, decision)
            best = self.utility[0]      # a failed round marks nothing, as a result of 0 does
            for i in range(n):
                value = self.value_of(apply(code, decision[i], self.options))
                if i == 0 or value > best:
                    best = value
        memcpy(&bits, &best, sizeof(double))
        if not xp_map_put(&self.values, code, bits):
            self.failed = True
        return best

    cdef int choice(self, uint64_t code, const uint32_t* decision, int n) noexcept nogil:
        """The place of the decision to follow: of those that tie for best the first with the greatest second value."""
        cdef double best = self.value_of(code), most = 0, second
        cdef int i, chosen = -1
        for i in range(n):
            if self.value_of(apply(code, decision[i], self.options)) >= best - TIE * fabs(best):
                second = self.second_of(apply(code, decision[i], self.options))
                if chosen < 0 or second > most:
                    chosen, most = i, second
        return chosen

    cdef double second_of(self, uint64_t code) noexcept nogil:
        """The expected second utility of a position under the choices that are followed."""
        cdef uint32_t decision[MAX_DECISIONS]
        cdef uint64_t* known
        cdef uint64_t bits
        cdef double expected = 0
        cdef int64_t node
        cdef uint32_t k
        cdef int i, n
        if not (rolled_dice(code) or available(code, GREEN)):
            return self.second[self.best_of(self.reach(code))]
        code = canonical(code)
        known = xp_map_get(&self.seconds, code)
        if known != NULL:
            memcpy(&expected, known, sizeof(double))
            return expected
        if rolled_dice(code):
            node = -1 if code & SECURITY else self.node_at(code)
            if node >= 0:
                for k in range(self.node_start[node], self.node_start[node + 1]):
                    expected += (self.outcomes[k] & 8191) * self.second[self.best_of(self.masks[self.outcomes[k] >> 13])]
                for i in range(self.node_dice[node]):
                    expected /= 6
            else:
                for i in range(1, 7):
                    expected += self.second_of(with_available(code, first_rolled(code), i))
                expected /= 6
        else:
            n = legal(code, self.options, decision)
            if n == 0:
                expected = self.second[0]
            else:
                expected = self.second_of(apply(code, decision[self.choice(code, decision, n)], self.options))
        memcpy(&bits, &expected, sizeof(double))
        if not xp_map_put(&self.seconds, code, bits):
            self.failed = True
        return expected

    cdef void follow(self, uint64_t code, double probability, double* out) noexcept nogil:
        """Spread a probability over the results that best play from a position brings about."""
        cdef uint32_t decision[MAX_DECISIONS]
        cdef int64_t node
        cdef uint32_t k
        cdef int i, n
        if rolled_dice(code):
            node = -1 if code & SECURITY else self.node_at(canonical(code))
            if node >= 0:
                for i in range(self.node_dice[node]):
                    probability /= 6
                for k in range(self.node_start[node], self.node_start[node + 1]):
                    out[self.best_of(self.masks[self.outcomes[k] >> 13])] += (self.outcomes[k] & 8191) * probability
            else:
                for i in range(1, 7):
                    self.follow(with_available(code, first_rolled(code), i), probability / 6, out)
        elif available(code, GREEN) or code & SECURITY:
            n = legal(code, self.options, decision)
            if n == 0:
                out[0] += probability
            else:
                self.follow(apply(code, decision[self.choice(code, decision, n)], self.options), probability, out)
        else:
            out[self.best_of(self.reach(code))] += probability
