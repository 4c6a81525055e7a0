# Moves of the two-player search: one move a class.
#
# Suits order cards within a rank and make straight flushes, nothing else. Let a card be *bound* when it lies in a row of five
# or more of its suit in its own hand; all others are free. Two facts keep the tree small without changing any value:
#   - Of two hands that differ only in that one holds a higher card of the same rank for a free one, the one with the
#     higher card is at least as good: its owner can play as with the lower card, and the other side can then answer no
#     more often. So where the suits of the cards played do not matter (rows, triples, fours, the lower card of a pair),
#     only choices are tried from which no free card could be exchanged for a higher card chosen: SHED.
#   - Cards of one hand between which (in suit order) no card of the other hand lies are as good as each other when free.
#     One of them is tried, the highest: a lower one may be beaten by the very card on the table that it should beat.
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport realloc

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_ctz64, xp_popcount64
from exactplay.cython_core.winner.fewest_plays cimport counts_of
from exactplay.cython_core.winner.position cimport (
    BOMB, FOUR_RANK, FULL_HOUSE, JOKER_PAIR, LARGE_BOMB, PAIR, PAIR_STRAIGHT, SINGLE, STRAIGHT, STRAIGHT_FLUSH,
    TRIPLE_STRAIGHT,
)

cdef struct Place:
    # A position: the hands of side 0 and 1, who is to act, what is on the table (kind 0: nothing), the weakest answer to
    # it (own_answer), and a bit for each side that has played a card.
    uint64_t hand[2]
    uint8_t turn, kind, length, height, suit, played
    int8_t own

cdef struct DuelMove:
    uint64_t cards
    uint8_t kind, length, height, suit      # kind 0: pass; FOURS: fours on a bomb

cdef enum:
    FOURS = 11

cdef extern from "winner/shed.h" nogil:
    const uint8_t SHED "wn_shed"[5][16][16][8]              # [cards to choose][held][bound]: the choices, as nibbles
    const uint8_t SHED_NUMBER "wn_shed_number"[5][16][16]
    const int PLACE_SHIFT "wn_place_shift"[15]              # where the nibble of a place stands in a hand word
    const uint64_t PLAIN "WN_PLAIN"                         # the cards that are no jokers
    const uint64_t JOKERS "WN_JOKERS"
    void build_shed "wn_build_shed" ()                      # once, before the first use


cdef inline uint64_t natural(uint64_t hand) noexcept nogil:
    """The plain cards by place: the nibble of place p at p - 1, the Ace's at 0 and at 13."""
    cdef uint64_t h = hand & PLAIN
    return ((h << 8) | (h >> 44)) & 0xFFFFFFFFFFFFFFULL


cdef inline uint64_t bound_cards(uint64_t hand) noexcept nogil:
    cdef uint64_t n = natural(hand)
    cdef uint64_t row = n & (n >> 4) & (n >> 8) & (n >> 12) & (n >> 16)
    if row == 0:
        return 0
    row |= row << 4 | row << 8 | row << 12 | row << 16
    return (row >> 8) | (row & 0xFF) << 44


cdef inline uint64_t nibbles_with(uint64_t hand, int size) noexcept nogil:
    """A bit at the foot of every nibble of the plain cards that holds `size` cards or more."""
    cdef uint64_t c = counts_of(hand)
    return ((c + <uint64_t>(8 - size) * 0x1111111111111ULL) >> 3) & 0x1111111111111ULL


cdef struct DuelRules:
    int fours, tiebreak, bomb_variation


cdef struct Candidates:
    DuelMove* moves
    Py_ssize_t count, room
    int failed


cdef inline void put(Candidates* list_, uint64_t cards, int kind, int length, int height, int suit) noexcept nogil:
    cdef DuelMove* grown
    if list_.count == list_.room:
        grown = <DuelMove*>realloc(list_.moves, (2 * list_.room + 64) * sizeof(DuelMove))
        if grown == NULL:
            list_.failed = 1
            return
        list_.moves = grown
        list_.room = 2 * list_.room + 64
    cdef DuelMove* move = &list_.moves[list_.count]
    move.cards, move.kind, move.length, move.height, move.suit = cards, kind, length, height, suit
    list_.count += 1


cdef inline int choose_highest(int held, int theirs, int bound, int allowed, int* chosen) noexcept nogil:
    """Of the allowed cards of a rank one a class (see the head of this file): the suits, their number."""
    cdef int number = 0, suit, free_suit = -1, first = 0
    for suit in range(4):
        if (theirs >> suit) & 1:
            # A card of the other side ends a class; of a class with a free card only that is tried.
            if free_suit >= 0:
                number = first
                chosen[number] = free_suit
                number += 1
            first, free_suit = number, -1
        elif (allowed >> suit) & 1:
            if (bound >> suit) & 1:
                chosen[number] = suit
                number += 1
            else:
                free_suit = suit
    if free_suit >= 0:
        number = first
        chosen[number] = free_suit
        number += 1
    return number


cdef inline int suits_above(int suit) noexcept nogil:
    return (14 << suit) & 15


cdef inline void put_singles(Candidates* list_, uint64_t me, uint64_t opp, uint64_t bound, int height, int suit) noexcept nogil:
    cdef int rank, held, i, number, allowed
    cdef int chosen[4]
    cdef uint64_t jokers = me & JOKERS
    for rank in range(max(height, 0), 13):
        held = <int>(me >> (4 * rank)) & 15
        if held:
            allowed = held & suits_above(suit) if rank == height else held
            number = choose_highest(held, <int>(opp >> (4 * rank)) & 15, <int>(bound >> (4 * rank)) & 15, allowed, chosen)
            for i in range(number):
                put(list_, <uint64_t>1 << (4 * rank + chosen[i]), SINGLE, 1, rank, chosen[i])
    if jokers == JOKERS:
        if height < 13:
            put(list_, <uint64_t>1 << 52, SINGLE, 1, 13, 0)
        put(list_, <uint64_t>1 << 53, SINGLE, 1, 14, 0)
    elif jokers and xp_ctz64(jokers) - 39 > height:
        put(list_, jokers, SINGLE, 1, xp_ctz64(jokers) - 39, 0)


cdef inline void put_pairs(Candidates* list_, uint64_t me, uint64_t opp, uint64_t bound, int height, int suit) noexcept nogil:
    cdef int rank, held, i, j, number, allowed, bound_here, below, top
    cdef int chosen[4]
    for rank in range(max(height, 0), 13):
        held = <int>(me >> (4 * rank)) & 15
        allowed = held & (held - 1)
        if allowed == 0:
            continue
        bound_here = <int>(bound >> (4 * rank)) & 15
        if rank == height:
            allowed &= suits_above(suit)
        number = choose_highest(held, <int>(opp >> (4 * rank)) & 15, bound_here, allowed, chosen)
        for i in range(number):
            top = chosen[i]
            below = held & ((1 << top) - 1)
            for j in range(SHED_NUMBER[1][below][bound_here & below]):
                put(list_, <uint64_t>(SHED[1][below][bound_here & below][j] | 1 << top) << (4 * rank), PAIR, 1, rank, top)


cdef inline void put_same(Candidates* list_, uint64_t me, uint64_t bound, int size, int kind, int height) noexcept nogil:
    """Bombs (three) and large bombs (four) above a rank."""
    cdef int rank, held, b, i
    cdef uint64_t ranks = nibbles_with(me, size)
    while ranks:
        rank = xp_ctz64(ranks) >> 2
        ranks &= ranks - 1
        if rank > height:
            held, b = <int>(me >> (4 * rank)) & 15, <int>(bound >> (4 * rank)) & 15
            for i in range(SHED_NUMBER[size][held][b & held]):
                put(list_, <uint64_t>SHED[size][held][b & held][i] << (4 * rank), kind, 1, rank, 0)


cdef inline void put_full_houses(Candidates* list_, uint64_t me, uint64_t bound, int height) noexcept nogil:
    cdef int high, low, held, b, other, other_b, i, j
    cdef uint64_t triples = nibbles_with(me, 3), all_pairs = nibbles_with(me, 2), pairs
    while triples:
        high = xp_ctz64(triples) >> 2
        triples &= triples - 1
        if high <= height:
            continue
        held, b = <int>(me >> (4 * high)) & 15, <int>(bound >> (4 * high)) & 15
        pairs = all_pairs & ~(<uint64_t>1 << (4 * high))
        while pairs:
            low = xp_ctz64(pairs) >> 2
            pairs &= pairs - 1
            other, other_b = <int>(me >> (4 * low)) & 15, <int>(bound >> (4 * low)) & 15
            for i in range(SHED_NUMBER[3][held][b & held]):
                for j in range(SHED_NUMBER[2][other][other_b & other]):
                    put(list_, <uint64_t>SHED[3][held][b & held][i] << (4 * high)
                        | <uint64_t>SHED[2][other][other_b & other][j] << (4 * low), FULL_HOUSE, 2, high, 0)


cdef inline void put_run(const DuelRules* g, Candidates* list_, uint64_t me, uint64_t bound, int each, int kind, int shortest, int only,
                  int start, int place, uint64_t cards, int suits, int above) noexcept nogil:
    """Extend a row to `place` in every way that can pay; `above`: the suit to beat at the top (-1: any)."""
    cdef int shift = PLACE_SHIFT[place], held = <int>(me >> shift) & 15, b = <int>(bound >> shift) & 15 & held
    cdef int length = place - start + 1, i, choice, number = SHED_NUMBER[each][held][b]
    if number == 0:
        return
    if length >= shortest and (only == 0 or length == only) and not (length == 13 and start == 1):
        if kind == STRAIGHT and g.tiebreak:
            # The suit of the highest card counts here, so every card of its rank is tried.
            for i in range(4):
                if (held >> i) & 1 and i > above and not (suits >> i) & 1:
                    put(list_, cards | <uint64_t>1 << (shift + i), kind, length, start, i)
        else:
            for i in range(number):
                choice = SHED[each][held][b][i]
                if each > 1 or (suits & choice) == 0:
                    put(list_, cards | <uint64_t>choice << shift, kind, length, start, 0)
    if place < 14 and length < 13 and (only == 0 or length < only):
        for i in range(number):
            choice = SHED[each][held][b][i]
            put_run(g, list_, me, bound, each, kind, shortest, only, start, place + 1, cards | <uint64_t>choice << shift,
                    suits & choice, above)


cdef inline void put_runs(const DuelRules* g, Candidates* list_, uint64_t me, uint64_t bound, int each, int kind, int shortest, int only,
                   int height, int suit) noexcept nogil:
    """Rows of `each` cards of a rank, above a place; `only`: their length, or 0 for any."""
    cdef uint64_t full = nibbles_with(me, each), rows
    cdef int start, k, wanted = only if only else shortest
    full = ((full << 8) | (full >> 44)) & 0xFFFFFFFFFFFFFFULL
    rows = full
    for k in range(1, wanted):
        rows &= full >> (4 * k)
    while rows:
        start = (xp_ctz64(rows) >> 2) + 1
        rows &= rows - 1
        if start > height:
            put_run(g, list_, me, bound, each, kind, shortest, only, start, start, 0, 15, -1)
        elif start == height and g.tiebreak and kind == STRAIGHT:
            put_run(g, list_, me, bound, each, kind, shortest, only, start, start, 0, 15, suit)


cdef inline void put_flushes(const DuelRules* g, Candidates* list_, uint64_t bound, int only, int height, int suit) noexcept nogil:
    cdef int s, start, place, length
    cdef uint64_t cards
    for s in range(4):
        if not (bound >> s) & 0x1111111111111ULL:
            continue
        for start in range(max(height, 1), 11):
            if start == height and not (g.tiebreak and s > suit):
                continue
            cards = 0
            for place in range(start, 15):
                if not (bound >> (PLACE_SHIFT[place] + s)) & 1:
                    break
                cards |= <uint64_t>1 << (PLACE_SHIFT[place] + s)
                length = place - start + 1
                if length > 13:
                    break
                if length >= 5 and (only == 0 or length == only) and not (length == 13 and start == 1):
                    put(list_, cards, STRAIGHT_FLUSH, length, start, s)


cdef inline void put_leads(const DuelRules* g, Candidates* list_, uint64_t me, uint64_t opp) noexcept nogil:
    """What the leader may try."""
    cdef uint64_t bound = bound_cards(me)
    list_.count = 0
    put_singles(list_, me, opp, bound, -1, 0)
    put_pairs(list_, me, opp, bound, -1, 0)
    put_same(list_, me, bound, 3, BOMB, -1)
    put_same(list_, me, bound, 4, LARGE_BOMB, -1)
    put_full_houses(list_, me, bound, -1)
    put_runs(g, list_, me, bound, 1, STRAIGHT, 5, 0, 0, 0)
    put_runs(g, list_, me, bound, 2, PAIR_STRAIGHT, 2, 0, 0, 0)
    put_runs(g, list_, me, bound, 3, TRIPLE_STRAIGHT, 2, 0, 0, 0)
    if bound:
        put_flushes(g, list_, bound, 0, 0, 0)
    if me & JOKERS == JOKERS:
        put(list_, JOKERS, JOKER_PAIR, 1, 0, 0)


cdef inline void put_answers(const DuelRules* g, Candidates* list_, uint64_t me, uint64_t opp, int kind, int length, int height,
                      int suit) noexcept nogil:
    """What beats a combination, and fours on a bomb; the pass is left to the caller."""
    cdef uint64_t bound = bound_cards(me)
    cdef bint bombed = kind == LARGE_BOMB and g.bomb_variation
    cdef int held, b, i, size
    list_.count = 0
    if kind == SINGLE:
        put_singles(list_, me, opp, bound, height, suit)
    elif kind == PAIR:
        put_pairs(list_, me, opp, bound, height, suit)
    elif kind == BOMB:
        put_same(list_, me, bound, 3, BOMB, height)
    elif kind == FULL_HOUSE:
        put_full_houses(list_, me, bound, height)
    elif kind == STRAIGHT:
        put_runs(g, list_, me, bound, 1, STRAIGHT, 5, length, height, suit)
    elif kind == PAIR_STRAIGHT:
        put_runs(g, list_, me, bound, 2, PAIR_STRAIGHT, 2, length, height, 0)
    elif kind == TRIPLE_STRAIGHT:
        put_runs(g, list_, me, bound, 3, TRIPLE_STRAIGHT, 2, length, height, 0)
    if kind == LARGE_BOMB:
        put_same(list_, me, bound, 4, LARGE_BOMB, height)
    elif kind != STRAIGHT_FLUSH or g.bomb_variation:
        put_same(list_, me, bound, 4, LARGE_BOMB, -1)
    if bound and not bombed:
        if kind == STRAIGHT_FLUSH:
            put_flushes(g, list_, bound, length, height, suit)
        else:
            put_flushes(g, list_, bound, 0, 0, 0)
    if me & JOKERS == JOKERS and not bombed:
        put(list_, JOKERS, JOKER_PAIR, 1, 0, 0)
    if g.fours and (kind == BOMB or kind == LARGE_BOMB):
        size = 2 if kind == BOMB else 3
        held, b = <int>(me >> (4 * FOUR_RANK)) & 15, <int>(bound >> (4 * FOUR_RANK)) & 15
        for i in range(SHED_NUMBER[size][held][b & held]):
            put(list_, <uint64_t>SHED[size][held][b & held][i] << (4 * FOUR_RANK), FOURS, 0, 0, 0)


cdef inline bint row_above(uint64_t hand, int each, int length, int above, int* lowest) noexcept nogil:
    """Whether a hand has a row of `each` cards of a rank that starts above a place; the lowest such start."""
    cdef uint64_t full = nibbles_with(hand, each), rows
    cdef int k
    full = ((full << 8) | (full >> 44)) & 0xFFFFFFFFFFFFFFULL
    rows = full
    for k in range(1, length):
        rows &= full >> (4 * k)
    rows &= ~<uint64_t>0 << (4 * above)          # the start p stands in nibble p - 1
    if length == 13:
        rows &= ~<uint64_t>1
    if rows == 0:
        return False
    lowest[0] = (xp_ctz64(rows) >> 2) + 1
    return True


cdef inline int own_answer(const DuelRules* g, uint64_t hand, int kind, int length, int height, int suit) noexcept nogil:
    """The weakest answer of the same kind as 4 * height + how many cards of that height will do, or -1 for none.

    Two combinations with the same weakest answer leave the answerer the same choices, so this stands for what is on the
    table in a key. A pair's count is of its possible higher cards. May find a row that is really a straight flush.
    """
    cdef uint64_t rest
    cdef int rank, held, low
    if kind == SINGLE:
        rest = hand >> (4 * height + suit + 1) if height < 13 else (hand >> 53 if height == 13 else 0)
        if rest == 0:
            return -1
        low = xp_ctz64(rest) + (4 * height + suit + 1 if height < 13 else 53)
        if low >= 52:
            return 4 * (low - 39)
        rank = low >> 2
        held = (<int>(hand >> (4 * rank)) & 15) >> (low & 3)
        return 4 * rank + xp_popcount64(held) - 1
    if kind == PAIR:
        held = <int>(hand >> (4 * height)) & 15
        held = (held & (held - 1)) & suits_above(suit)
        if held:
            return 4 * height + xp_popcount64(held) - 1
        rest = nibbles_with(hand, 2) >> (4 * height) >> 4
        if rest == 0:
            return -1
        rank = height + 1 + (xp_ctz64(rest) >> 2)
        return 4 * rank + xp_popcount64(<uint64_t>(<int>(hand >> (4 * rank)) & 15)) - 2
    if kind == BOMB or kind == LARGE_BOMB:
        rest = nibbles_with(hand, 3 if kind == BOMB else 4) >> (4 * height) >> 4
        return -1 if rest == 0 else 4 * (height + 1 + (xp_ctz64(rest) >> 2))
    if kind == FULL_HOUSE:
        rest = nibbles_with(hand, 3) >> (4 * height) >> 4
        if rest == 0 or xp_popcount64(nibbles_with(hand, 2)) < 2:
            return -1
        return 4 * (height + 1 + (xp_ctz64(rest) >> 2))
    if kind == STRAIGHT and g.tiebreak:
        # Seldom played: the table is described as it is.
        return 4 * height + suit if row_above(hand, 1, length, height - 1, &low) else -1
    if kind == STRAIGHT or kind == PAIR_STRAIGHT or kind == TRIPLE_STRAIGHT:
        if row_above(hand, 1 if kind == STRAIGHT else (2 if kind == PAIR_STRAIGHT else 3), length, height, &low):
            return 4 * low
        return -1
    return 4 * height + suit                     # a straight flush: as it is


cdef inline bint can_answer(const DuelRules* g, uint64_t hand, int kind, int own, int length, int height, int suit) noexcept nogil:
    """Whether the other side may have more than a pass; `own` from own_answer. True may be a false alarm (a row that is
    a straight flush, a straight flush that is too low), never False."""
    cdef bint bombed = kind == LARGE_BOMB and g.bomb_variation
    if own >= 0 and kind != STRAIGHT_FLUSH:
        return True
    if hand & JOKERS == JOKERS and not bombed:
        return True
    if kind != LARGE_BOMB and (kind != STRAIGHT_FLUSH or g.bomb_variation) and nibbles_with(hand, 4):
        return True
    if g.fours and (kind == BOMB or kind == LARGE_BOMB):
        if xp_popcount64(<uint64_t>(<int>(hand >> (4 * FOUR_RANK)) & 15)) >= (2 if kind == BOMB else 3):
            return True
    return not bombed and bound_cards(hand) != 0


cdef inline uint64_t in_rows(uint64_t hand) noexcept nogil:
    """The foot bits of the ranks that some row of a hand may use: five ranks in a row, or two with a pair each."""
    cdef uint64_t one = nibbles_with(hand, 1), two = nibbles_with(hand, 2), row, rows
    one = ((one << 8) | (one >> 44)) & 0xFFFFFFFFFFFFFFULL
    two = ((two << 8) | (two >> 44)) & 0xFFFFFFFFFFFFFFULL
    row = one & (one >> 4) & (one >> 8) & (one >> 12) & (one >> 16)
    rows = row | row << 4 | row << 8 | row << 12 | row << 16
    row = two & (two >> 4)
    rows |= row | row << 4
    return (rows >> 8) | (rows & 0xFF) << 44
