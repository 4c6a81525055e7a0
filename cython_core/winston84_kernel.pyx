"""Evaluation of the compiled structure of a round: eight utility vectors in one linear pass.

Design: (a) the passes are C (winston84_kernel_body.h), built for several widths of vector and chosen once; (b) Family
runs them over the rolls of one family, Security over those of Maximum Security, where the value of a roll is the best of
the five-dice rolls that giving up a highest die leaves; (c) ``policy`` and ``spread`` follow the optimal choices and say
which result comes how often. A row is eight doubles, one for each utility vector. Everything is done in a fixed order, so
the same question gives the same bits on any flavour and in any thread.

Measured, one utility vector in a batch of eight, six dice: rows that straddle cache lines cost 1.14 times as much; 16-byte
vectors 1.3 times as much as AVX2; AVX-512 gains nothing over AVX2, for the second-level cache is the limit.
"""
from libc.float cimport DBL_MAX
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

cdef extern from "winston84_kernel.h" nogil:
    ctypedef struct Flavour "xp84_flavour":
        void (*masks)(double*, const uint64_t*, int64_t, const double*) noexcept nogil
        void (*nodes)(double*, int64_t, const uint32_t*, const uint8_t*, const uint32_t*, const double*) noexcept nogil
        void (*lists)(double*, int64_t, const uint16_t*, const uint32_t*, const uint16_t*, const double*,
                      const double*) noexcept nogil
        void (*sum)(double*, const double*, int64_t) noexcept nogil
    const Flavour* pick "xp84_pick" (int)
    const char* flavour_name "xp84_flavour_name" (int)

cdef extern from "bits.h" nogil:
    int lowest_bit "xp_ctz64" (uint64_t)

cdef enum:
    LANES = 8
    RESULTS = 37        # results 0..36
    BLOCK = 216         # rows summed before they are added to the total: they fit the first cache
    ROLLS6 = 46656
    ROLLS5 = 7776

cdef double TIE = 1e-11     # values closer than this, relative to the largest utility, are one value in another rounding

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
            result = 8 * byte + lowest_bit(x)
            for lane in range(LANES):
                tables[row + lane] = tables[without + lane]
                if result < RESULTS and utilities[result, lane] > tables[row + lane]:
                    tables[row + lane] = utilities[result, lane]


cdef class Family:
    """The rolls of one family, ready to be evaluated. ``arrays``: as Compiler.add_family returns them; kept, not copied.

    One instance serves one thread at a time.
    """

    cdef const uint64_t[::1] masks
    cdef const uint32_t[::1] node_start, outcomes, row_start
    cdef const uint8_t[::1] node_dice
    cdef const uint16_t[::1] row_mask, entries, row_of_roll
    cdef double[::1] mask_value, node_value
    cdef int64_t n
    # the policy of the last call of `policy`, by mask, node and row
    cdef uint8_t[::1] best_result
    cdef double[::1] best_value, best_second
    cdef int32_t[::1] choice

    def __init__(self, dict arrays not None):
        self.masks, self.node_start, self.outcomes = arrays["masks"], arrays["node_start"], arrays["outcomes"]
        self.node_dice, self.row_mask, self.row_start = arrays["node_dice"], arrays["row_mask"], arrays["row_start"]
        self.entries, self.row_of_roll = arrays["entries"], arrays["row_of_roll"]
        self.n = self.row_mask.shape[0]
        self.mask_value = aligned(self.masks.shape[0])
        self.node_value = aligned(self.node_dice.shape[0])

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
            self.chance(utilities)
            for lane in range(LANES):
                total[lane] = 0
            for block in range(self.n // BLOCK):
                self.rows(value, block * BLOCK, BLOCK)
                chosen.sum(total, value, BLOCK)
            for lane in range(LANES):
                out[lane] = total[lane] / self.n
        return mean

    cdef void chance(self, const double[:, ::1] utilities) noexcept nogil:
        """Masks and chance nodes."""
        cdef double tables[5 * 256 * LANES]
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

    def policy(self, const double[::1] utility not None, const double[::1] second not None):
        """Fix the optimal choices for one utility vector, among equals those with the greater ``second`` utility.

        Both float64[37]. Returns (value, second, choice) by roll: the roll's value, its expected second utility under
        these choices, and the choice, int32: a chance node (>= 0) or -1 - r for the result r that is steered for.
        """
        cdef int64_t i, n_masks = self.masks.shape[0], n_nodes = self.node_dice.shape[0]
        cdef uint32_t k
        cdef uint64_t mask
        cdef int r, best
        cdef double tie = 0, share
        cdef int32_t pick_
        self.best_result = np.empty(n_masks, np.uint8)
        self.best_value, self.best_second = np.empty(n_nodes), np.empty(n_nodes)
        self.choice = np.empty(self.n, np.int32)
        values, seconds = np.empty(self.n), np.empty(self.n)
        cdef double[::1] value = values, value2 = seconds
        cdef double v, w
        with nogil:
            for r in range(RESULTS):
                tie = max(tie, TIE * fabs(utility[r]))
            for i in range(1, n_masks):
                mask = self.masks[i]
                best = lowest_bit(mask)
                mask &= mask - 1
                while mask:
                    r = lowest_bit(mask)
                    mask &= mask - 1
                    if utility[r] > utility[best] or (utility[r] == utility[best] and second[r] > second[best]):
                        best = r
                self.best_result[i] = <uint8_t>best
            for i in range(n_nodes):
                v = w = 0
                share = 1
                for k in range(self.node_dice[i]):
                    share *= 6
                for k in range(self.node_start[i], self.node_start[i + 1]):
                    r = self.best_result[self.outcomes[k] >> 13]
                    v += (self.outcomes[k] & 8191) * utility[r]
                    w += (self.outcomes[k] & 8191) * second[r]
                self.best_value[i], self.best_second[i] = v / share, w / share
            for i in range(self.n):
                r = self.best_result[self.row_mask[i]]
                v, w, pick_ = utility[r], second[r], -1 - r
                if self.row_mask[i] == 0:
                    v = w = -DBL_MAX
                for k in range(self.row_start[i], self.row_start[i + 1]):
                    if self.best_value[self.entries[k]] > v + tie or (
                            self.best_value[self.entries[k]] > v - tie and self.best_second[self.entries[k]] > w + tie):
                        pick_ = self.entries[k]
                        v, w = max(v, self.best_value[pick_]), self.best_second[pick_]
                value[i], value2[i], self.choice[i] = v, w, pick_
        rows = np.asarray(self.row_of_roll)
        return values[rows], seconds[rows], np.asarray(self.choice)[rows]

    def spread(self, const double[::1] weight not None):
        """How often each result comes under the policy fixed last, if roll i comes ``weight[i]`` times. float64[37]."""
        cdef int64_t i, row
        cdef uint32_t k
        cdef double share
        cdef int d
        counts = np.zeros(self.node_dice.shape[0])
        results = np.zeros(RESULTS)
        cdef double[::1] count = counts, out = results
        with nogil:
            for i in range(self.n):
                row = self.row_of_roll[i]
                if self.choice[row] < 0:
                    out[-1 - self.choice[row]] += weight[i]
                else:
                    count[self.choice[row]] += weight[i]
            for i in range(self.node_dice.shape[0]):
                if count[i] == 0:
                    continue
                share = count[i]
                for d in range(self.node_dice[i]):
                    share /= 6
                for k in range(self.node_start[i], self.node_start[i + 1]):
                    out[self.best_result[self.outcomes[k] >> 13]] += share * (self.outcomes[k] & 8191)
        return results

    def play(self, int32_t[::1] choices not None, uint64_t[::1] state not None):
        """Play out choices (as ``policy`` gives them) under the policy fixed last: each becomes the round's result.

        choices: int32[n], overwritten; state: uint64[1], the random generator's, advanced.
        """
        cdef int64_t i
        cdef uint32_t k
        cdef int32_t node, left
        cdef int d, faces
        with nogil:
            for i in range(choices.shape[0]):
                node = choices[i]
                if node < 0:
                    choices[i] = -1 - node
                    continue
                faces = 1
                for d in range(self.node_dice[node]):
                    faces *= 6
                left = <int32_t>below(&state[0], faces)
                k = self.node_start[node]
                while left >= <int32_t>(self.outcomes[k] & 8191):
                    left -= <int32_t>(self.outcomes[k] & 8191)
                    k += 1
                choices[i] = self.best_result[self.outcomes[k] >> 13]


cdef uint64_t below(uint64_t* state, uint64_t n) noexcept nogil:
    """A uniform integer below n (n < 2 ** 32): SplitMix64 and multiplication; the bias is under n / 2 ** 32."""
    cdef uint64_t z
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    z ^= z >> 31
    return ((z >> 32) * n) >> 32


cdef class Security:
    """The rolls of Maximum Security: six dice are rolled, then a highest one is given up.

    families: the six five-dice families, by the colour of the missing die. Where several dice tie for highest, the
    player picks; the value of the roll is the best of these.
    """

    cdef list families
    cdef double[::1] value              # rows of all families, by family and row
    cdef uint16_t[::1] row_mask, entries
    cdef uint32_t[::1] row_start
    cdef int64_t[::1] order             # roll of each row

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

    def evaluate(self, const double[:, ::1] utilities not None):
        """As Family.evaluate."""
        cdef double value[BLOCK * LANES]
        cdef double total[LANES]
        cdef double nothing[LANES]
        cdef int64_t block
        cdef int lane, i
        cdef Family family
        mean = np.empty(LANES)
        cdef double[::1] out = mean
        for i in range(6):
            family = self.families[i]
            with nogil:
                family.chance(utilities)
                family.rows(&self.value[i * ROLLS5 * LANES], 0, ROLLS5)
        with nogil:
            for lane in range(LANES):
                total[lane] = 0
                nothing[lane] = -DBL_MAX
            for block in range(ROLLS6 // BLOCK):
                chosen.lists(value, BLOCK, &self.row_mask[block * BLOCK], &self.row_start[block * BLOCK], &self.entries[0],
                             nothing, &self.value[0])
                chosen.sum(total, value, BLOCK)
            for lane in range(LANES):
                out[lane] = total[lane] / ROLLS6
        return mean

    def owners(self):
        """(start uint32[46657], family uint8[...], roll uint16[...]): the five-dice rolls that each roll may leave."""
        families = np.asarray(self.entries) // ROLLS5
        rolls = np.empty(self.entries.shape[0], np.uint16)
        for i in range(6):
            inverse = np.empty(ROLLS5, np.uint16)
            inverse[np.asarray((<Family>self.families[i]).row_of_roll)] = np.arange(ROLLS5)
            mine = families == i
            rolls[mine] = inverse[np.asarray(self.entries)[mine] - i * ROLLS5]
        return np.asarray(self.row_start), families.astype(np.uint8), rolls
