"""Evaluation of the compiled structure of a round: eight utility vectors in one linear pass.

Design: (a) the passes are C (kernel_body.h), built for several widths of vector and chosen once; (b) Family
runs them over the rolls of one family, Security over those of Maximum Security, where the value of a roll is the best of
the five-dice rolls that giving up a highest die leaves; (c) ``follow`` fixes the optimal choices and says how probable each
result is, ``play`` plays given rolls out under them. A row is eight doubles, one for each utility vector. Everything is done in a fixed order, so
the same question gives the same bits on any flavour and in any thread.

Measured, one utility vector in a batch of eight, six dice, in ms:

    0.067   AVX2 or AVX-512; 0.103 with 16-byte vectors
    0.064   AVX-512 with two running maxima a row (kept)
    0.076   rows of values that straddle cache lines
    0.110   batches of four: the work is bound by instructions, not by memory
    0.064   no gain from ordering nodes or masks by frequency, entries by index, or rows so that neighbours share nodes
            naming pairs of nodes that many rows share would save a third of the entries and add a fifth as many lists
"""
cimport cython
from libc.float cimport DBL_MAX
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_below, xp_ctz64
from exactplay.cython_core.winston84.position cimport RESULTS, TIE

import numpy as np

cdef extern from "winston84/kernel.h" nogil:
    ctypedef struct Flavour "xp84_flavour":
        void (*masks)(double*, const uint64_t*, int64_t, const double*) noexcept nogil
        void (*nodes)(double*, int64_t, const uint32_t*, const uint8_t*, const uint32_t*, const double*) noexcept nogil
        void (*lists)(double*, int64_t, const uint16_t*, const uint32_t*, const uint16_t*, const double*,
                      const double*) noexcept nogil
        void (*sum)(double*, const double*, int64_t) noexcept nogil
    const Flavour* pick "xp84_pick" (int)
    const char* flavour_name "xp84_flavour_name" (int)

cdef enum:
    LANES = 8
    BLOCK = 216         # rows summed before they are added to the total: they fit the first cache
    ROLLS6 = 46656
    ROLLS5 = 7776
    BYTES = 5 * 256     # every value of each byte of a mask

cdef const Flavour* chosen = pick(0)


def set_flavour(level=None):
    """Choose the flavour of the kernels: 0 baseline, 1 AVX2, 2 AVX-512, None the widest there is. Returns its name."""
    global chosen
    cdef int i
    for i in ([2, 1, 0] if level is None else [level]):
        if pick(i) != NULL:
            chosen = pick(i)
            return flavour_name(i).decode()
    raise ValueError(f"this processor or build has no flavour {level}")


set_flavour()


cdef double[::1] aligned(int64_t rows):
    """Rows that each fill one cache line."""
    block = np.empty(LANES * (rows + 1))
    cdef int64_t skip = (LANES - <int64_t>block.ctypes.data // 8 % LANES) % LANES
    return block[skip:skip + LANES * rows]


cdef void byte_tables(double* tables, const double[:, ::1] utilities) noexcept nogil:
    """For each of the five bytes of a mask: the maximum of u over the bits of every value of that byte."""
    cdef int64_t byte, x, result, row, without
    cdef int lane
    for byte in range(5):
        for lane in range(LANES):
            tables[byte * 256 * LANES + lane] = -DBL_MAX
        for x in range(1, 256):
            row = (byte * 256 + x) * LANES
            without = (byte * 256 + (x & (x - 1))) * LANES
            result = 8 * byte + xp_ctz64(x)
            for lane in range(LANES):
                tables[row + lane] = tables[without + lane]
                if result < RESULTS and utilities[result, lane] > tables[row + lane]:
                    tables[row + lane] = utilities[result, lane]


@cython.final
cdef class Family:
    """The rolls of one family, ready to be evaluated. ``arrays``: as Compiler.add_family returns them; kept, not copied.

    One instance serves one thread at a time.
    """

    cdef const uint64_t[::1] masks
    cdef const uint32_t[::1] node_start, outcomes, row_start
    cdef const uint8_t[::1] node_dice
    cdef const uint16_t[::1] row_mask, entries, row_of_roll
    cdef double[::1] mask_value, node_value
    cdef double[::1] tables             # working memory of ``chance``: too much for the stack of a small thread
    cdef int64_t n
    # The policy fixed last, by mask, node and row. A choice is a chance node (>= 0), or -1 - r for the result r.
    cdef uint8_t[::1] best_result
    cdef double[::1] best_value, best_second, node_weight
    cdef double[::1] row_value, row_second, weight
    cdef int32_t[::1] choice

    def __init__(self, dict arrays not None):
        self.masks, self.node_start, self.outcomes = arrays["masks"], arrays["node_start"], arrays["outcomes"]
        self.node_dice, self.row_mask, self.row_start = arrays["node_dice"], arrays["row_mask"], arrays["row_start"]
        self.entries, self.row_of_roll = arrays["entries"], arrays["row_of_roll"]
        self.n = self.row_mask.shape[0]
        self.tables = aligned(BYTES)
        self.mask_value = aligned(self.masks.shape[0])
        self.node_value = aligned(self.node_dice.shape[0])
        self.best_result = np.zeros(self.masks.shape[0], np.uint8)
        self.best_value, self.best_second, self.node_weight = np.zeros((3, self.node_dice.shape[0]))
        self.row_value, self.row_second, self.weight = np.zeros((3, self.n))
        self.choice = np.zeros(self.n, np.int32)

    def evaluate(self, const double[:, ::1] utilities not None):
        """The mean over all rolls of the value of a roll, for eight utility vectors.

        utilities: float64[37, 8], finite; column j is a utility by result. Returns float64[8].
        """
        cdef double value[BLOCK * LANES]
        cdef double total[LANES]
        cdef int64_t block
        cdef int lane
        mean = np.empty(LANES)
        cdef double[::1] out = mean
        with nogil:
            self.chance(utilities, &self.tables[0])
            for lane in range(LANES):
                total[lane] = 0
            for block in range(self.n // BLOCK):
                self.rows(value, block * BLOCK, BLOCK)
                chosen.sum(total, value, BLOCK)
            for lane in range(LANES):
                out[lane] = total[lane] / self.n
        return mean

    def values(self, const double[:, ::1] utilities not None):
        """The value of every roll, for eight utility vectors as in ``evaluate``: float64[rolls, 8], by index of the roll."""
        out = np.empty((self.n, LANES))
        cdef double[:, ::1] value = out
        with nogil:
            self.chance(utilities, &self.tables[0])
            self.rows(&value[0, 0], 0, self.n)
        return out[np.asarray(self.row_of_roll)]

    cdef void chance(self, const double[:, ::1] utilities, double* tables) noexcept nogil:
        """Masks and chance nodes."""
        byte_tables(tables, utilities)
        chosen.masks(&self.mask_value[0], &self.masks[0], self.masks.shape[0], tables)
        if self.node_dice.shape[0]:
            chosen.nodes(&self.node_value[0], self.node_dice.shape[0], &self.node_start[0], &self.node_dice[0],
                         &self.outcomes[0], &self.mask_value[0])

    cdef void rows(self, double* value, int64_t first, int64_t n) noexcept nogil:
        """The values of n rows from the first on; ``chance`` comes before."""
        # A family without chance nodes has no entries either: their addresses are not used then.
        chosen.lists(value, n, &self.row_mask[first], &self.row_start[first],
                     &self.entries[0] if self.entries.shape[0] else NULL, &self.mask_value[0],
                     &self.node_value[0] if self.node_value.shape[0] else NULL)

    # ------------------------------------------------------------------ what the optimal policy brings about

    def follow(self, const double[::1] utility not None, const double[::1] second not None):
        """Fix the optimal choices for one utility vector, among equals those with the greater ``second`` utility.

        Both float64[37]. Returns (second, probability): the expected second utility under these choices, and how probable
        each result is, float64[37]. The choices stay fixed for ``play``.
        """
        cdef int64_t row
        out = np.zeros(RESULTS)
        cdef double[::1] probability = out
        with nogil:
            self.choose(utility, second)
            for row in range(self.n):
                self.weight[row] = 1
            self.spread(&probability[0])
        return float(np.asarray(self.row_second).mean()), out / self.n

    cdef void choose(self, const double[::1] utility, const double[::1] second) noexcept nogil:
        """The best result of every mask, the values of every node, the choice of every row."""
        cdef int order[RESULTS]
        cdef uint8_t rank_of_byte[BYTES]
        cdef int64_t i, byte, x
        cdef uint32_t k, end
        cdef uint64_t mask
        cdef int r, j, rank, pick_
        cdef double least, v, w, share, best
        # Results in falling order of (utility, second): the best result of a mask is its first in this order.
        for r in range(RESULTS):
            j = r
            while j > 0 and (utility[order[j - 1]] < utility[r] or (
                    utility[order[j - 1]] == utility[r] and second[order[j - 1]] < second[r])):
                order[j] = order[j - 1]
                j -= 1
            order[j] = r
        for byte in range(5):
            rank_of_byte[byte * 256] = RESULTS
            for x in range(1, 256):
                r = 8 * <int>byte + xp_ctz64(x)
                rank = RESULTS
                for j in range(RESULTS):
                    if order[j] == r:
                        rank = j
                rank_of_byte[byte * 256 + x] = <uint8_t>min(rank, rank_of_byte[byte * 256 + (x & (x - 1))])
        for i in range(1, self.masks.shape[0]):
            mask = self.masks[i]
            rank = rank_of_byte[mask & 255]
            for byte in range(1, 5):
                rank = min(rank, rank_of_byte[byte * 256 + (mask >> (8 * byte) & 255)])
            self.best_result[i] = <uint8_t>order[rank]
        for i in range(self.node_dice.shape[0]):
            v = w = 0
            share = 1
            for j in range(self.node_dice[i]):
                share /= 6
            for k in range(self.node_start[i], self.node_start[i + 1]):
                r = self.best_result[self.outcomes[k] >> 13]
                v += (self.outcomes[k] & 8191) * utility[r]
                w += (self.outcomes[k] & 8191) * second[r]
            self.best_value[i], self.best_second[i] = v * share, w * share
        for i in range(self.n):
            v = w = -DBL_MAX
            pick_ = -1
            if self.row_mask[i]:
                r = self.best_result[self.row_mask[i]]
                v, w, pick_ = utility[r], second[r], -1 - r
            best, end = v, self.row_start[i + 1]
            for k in range(self.row_start[i], end):
                best = max(best, self.best_value[self.entries[k]])
            least = best - TIE * fabs(best)
            if v < least:
                w = -DBL_MAX
            for k in range(self.row_start[i], end):
                if self.best_value[self.entries[k]] >= least and self.best_second[self.entries[k]] > w:
                    pick_ = self.entries[k]
                    w = self.best_second[pick_]
            self.row_value[i], self.row_second[i], self.choice[i] = best, w, pick_

    cdef void spread(self, double* probability) noexcept nogil:
        """Add to each result how often it comes under the choices, if row i comes ``weight[i]`` times."""
        cdef int64_t i
        cdef uint32_t k
        cdef double share
        cdef int d
        for i in range(self.node_dice.shape[0]):
            self.node_weight[i] = 0
        for i in range(self.n):
            if self.choice[i] < 0:
                probability[-1 - self.choice[i]] += self.weight[i]
            else:
                self.node_weight[self.choice[i]] += self.weight[i]
        for i in range(self.node_dice.shape[0]):
            if self.node_weight[i] == 0:
                continue
            share = self.node_weight[i]
            for d in range(self.node_dice[i]):
                share /= 6
            for k in range(self.node_start[i], self.node_start[i + 1]):
                probability[self.best_result[self.outcomes[k] >> 13]] += share * (self.outcomes[k] & 8191)

    def play(self, int32_t[::1] rolls not None, uint64_t[::1] state not None):
        """Play rounds out under the choices fixed last: each roll becomes the round's result.

        rolls: int32[n], indices of rolls (Compiler.add_family), overwritten; state: uint64[1], the random generator's,
        advanced.
        """
        cdef int64_t i
        with nogil:
            for i in range(rolls.shape[0]):
                rolls[i] = self.play_row(self.row_of_roll[rolls[i]], &state[0])

    cdef int play_row(self, int64_t row, uint64_t* state) noexcept nogil:
        cdef int32_t node = self.choice[row], left
        cdef uint32_t k
        cdef int d, faces = 1
        if node < 0:
            return -1 - node
        for d in range(self.node_dice[node]):
            faces *= 6
        left = <int32_t>xp_below(state, faces)
        k = self.node_start[node]
        while left >= <int32_t>(self.outcomes[k] & 8191):
            left -= <int32_t>(self.outcomes[k] & 8191)
            k += 1
        return self.best_result[self.outcomes[k] >> 13]


@cython.final
cdef class Security:
    """The rolls of Maximum Security: six dice are rolled, then a highest one is given up.

    families: the six five-dice families, by the colour of the missing die. Where several dice tie for highest, the
    player picks; the value of the roll is the best of these.
    """

    cdef list families
    cdef double[::1] value              # rows of all families, by family and row
    cdef uint16_t[::1] row_mask, entries
    cdef uint32_t[::1] row_start
    cdef double[::1] row_value, row_second, weight      # by entry: five-dice rolls
    cdef uint16_t[::1] choice           # by roll: the entry that is left

    def __init__(self, list families not None):
        cdef int64_t roll, rest, power, five, n = 0, i
        cdef int colour, digit, highest, d
        cdef int faces[6]
        self.families = families
        self.value = aligned(6 * ROLLS5)
        self.row_mask = np.zeros(ROLLS6, np.uint16)
        cdef uint32_t[::1] start = np.zeros(ROLLS6 + 1, np.uint32)
        cdef uint16_t[::1] entries = np.empty(6 * ROLLS6, np.uint16)
        rows = np.empty(6 * ROLLS5, np.uint16)
        for i in range(6):
            rows[i * ROLLS5:(i + 1) * ROLLS5] = np.asarray((<Family>families[i]).row_of_roll) + i * ROLLS5
        cdef uint16_t[::1] row_of = rows
        with nogil:
            for roll in range(ROLLS6):
                rest, highest = roll, 0
                for colour in range(6):
                    faces[colour] = <int>(rest % 6)
                    rest //= 6
                    highest = max(highest, faces[colour])
                for colour in range(6):
                    if faces[colour] == highest:
                        five, power = 0, 1
                        for d in range(6):
                            if d != colour:
                                five += faces[d] * power
                                power *= 6
                        entries[n] = row_of[colour * ROLLS5 + five]
                        n += 1
                start[roll + 1] = <uint32_t>n
        self.row_start, self.entries = start, entries[:n].copy()
        self.row_value, self.row_second, self.weight = np.zeros((3, 6 * ROLLS5))
        self.choice = np.zeros(ROLLS6, np.uint16)

    def evaluate(self, const double[:, ::1] utilities not None):
        """As Family.evaluate."""
        cdef double value[BLOCK * LANES]
        cdef double total[LANES]
        cdef int64_t block
        cdef int lane
        mean = np.empty(LANES)
        cdef double[::1] out = mean
        self.five_dice(utilities)
        with nogil:
            for lane in range(LANES):
                total[lane] = 0
            for block in range(ROLLS6 // BLOCK):
                self.rows(value, block * BLOCK, BLOCK)
                chosen.sum(total, value, BLOCK)
            for lane in range(LANES):
                out[lane] = total[lane] / ROLLS6
        return mean

    def values(self, const double[:, ::1] utilities not None):
        """As Family.values."""
        out = np.empty((ROLLS6, LANES))
        cdef double[:, ::1] value = out
        self.five_dice(utilities)
        with nogil:
            self.rows(&value[0, 0], 0, ROLLS6)
        return out

    cdef int five_dice(self, const double[:, ::1] utilities) except -1:
        """The rows of all families."""
        cdef double[::1] tables = (<Family>self.families[0]).tables
        cdef Family family
        cdef int i
        for i in range(6):
            family = self.families[i]
            with nogil:
                family.chance(utilities, &tables[0])
                family.rows(&self.value[i * ROLLS5 * LANES], 0, ROLLS5)
        return 0

    cdef void rows(self, double* value, int64_t first, int64_t n) noexcept nogil:
        """The values of n rolls from the first on; ``five_dice`` comes before."""
        cdef double nothing[LANES]
        cdef int lane
        for lane in range(LANES):
            nothing[lane] = -DBL_MAX
        chosen.lists(value, n, &self.row_mask[first], &self.row_start[first], &self.entries[0], nothing, &self.value[0])

    def follow(self, const double[::1] utility not None, const double[::1] second not None):
        """As Family.follow."""
        cdef double least, best, w, total = 0
        cdef int64_t row, k, pick_
        cdef int i
        cdef Family family
        out = np.zeros(RESULTS)
        cdef double[::1] probability = out
        for i in range(6):
            family = self.families[i]
            with nogil:
                family.choose(utility, second)
                for row in range(ROLLS5):
                    self.row_value[i * ROLLS5 + row] = family.row_value[row]
                    self.row_second[i * ROLLS5 + row] = family.row_second[row]
                    self.weight[i * ROLLS5 + row] = 0
        with nogil:
            for row in range(ROLLS6):
                best = w = -DBL_MAX
                pick_ = 0
                for k in range(self.row_start[row], self.row_start[row + 1]):
                    best = max(best, self.row_value[self.entries[k]])
                least = best - TIE * fabs(best)
                for k in range(self.row_start[row], self.row_start[row + 1]):
                    if self.row_value[self.entries[k]] >= least and self.row_second[self.entries[k]] > w:
                        pick_ = self.entries[k]
                        w = self.row_second[pick_]
                self.choice[row] = <uint16_t>pick_
                self.weight[pick_] += 1
                total += w
        for i in range(6):
            family = self.families[i]
            with nogil:
                for row in range(ROLLS5):
                    family.weight[row] = self.weight[i * ROLLS5 + row]
                family.spread(&probability[0])
        return total / ROLLS6, out / ROLLS6

    def play(self, int32_t[::1] rolls not None, uint64_t[::1] state not None):
        """As Family.play; the rolls are of six dice."""
        cdef int64_t i, row
        cdef Family family
        for i in range(rolls.shape[0]):
            row = self.choice[rolls[i]]
            family = self.families[row // ROLLS5]
            rolls[i] = family.play_row(row % ROLLS5, &state[0])
