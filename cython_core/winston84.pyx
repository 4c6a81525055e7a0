"""One round of Winston 1984 in the native core: legal decisions, their effects, and the value of every decision.

Design, from the bottom up: (a) ``legal`` and ``apply`` on packed codes (winston84.pxd); (b) ``canonical``, which forgets
what the rest of the round cannot see; (c) the raw-state induction, kept as the baseline of the benchmarks and as a
witness that uses no structure at all; the fast way is in winston84_structure and winston84_kernel.

Trusts its caller: codes come from validated states. See winston84.pxd for the layout of codes and decisions.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

import numpy as np


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


cdef inline int bit_count(int x) noexcept nogil:
    cdef int n = 0
    while x:
        x &= x - 1
        n += 1
    return n


cdef inline int lowest_bit(int x) noexcept nogil:
    cdef int n = 0
    while not x & 1:
        x >>= 1
        n += 1
    return n
