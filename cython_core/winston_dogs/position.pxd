# Winston (dogs): the packed position and the rules on it, for the class and the searches.
#
# A multiset of cards is one word: a byte a colour in the order of the text (B G K O S W), the low nibble counting bodies,
# the high nibble heads. Hands, the dogs on the table, the pile's content and a turn have this one layout, so that playing
# is an addition, and the complete dogs are found by one more: a byte is 0x12 (a head, two bodies) or above.
# A card is its kind, 2 * colour + head; kinds are in text order.
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

from exactplay.cython_core.toolkit.bits cimport xp_ctz64

cdef extern from *:
    """
    #define WD_BODY_BITS 0x0F0F0F0F0F0FULL
    #define WD_HEAD_ONES 0x101010101010ULL
    #define WD_COMPLETE 0x6E6E6E6E6E6EULL
    #define WD_TOP_BITS 0x808080808080ULL
    #define WD_UNDER 0x8000000000000000ULL
    /* The subsets of m sorted cards in the order of their texts, for m = 0 .. 5; those of m begin at 2^m - 1 - m. */
    static const unsigned char WD_SUBSETS[57] = {
        1, 1, 3, 2, 1, 3, 7, 5, 2, 6, 4, 1, 3, 7, 15, 11, 5, 13, 9, 2, 6, 14, 10, 4, 12, 8,
        1, 3, 7, 15, 31, 23, 11, 27, 19, 5, 13, 29, 21, 9, 25, 17, 2, 6, 14, 30, 22, 10, 26, 18, 4, 12, 28, 20, 8, 24, 16
    };
    """
    const uint64_t BODY_BITS "WD_BODY_BITS"
    const uint64_t HEAD_ONES "WD_HEAD_ONES"
    const uint64_t COMPLETE "WD_COMPLETE"
    const uint64_t TOP_BITS "WD_TOP_BITS"
    const uint64_t UNDER "WD_UNDER"  # marks a move that puts a card under the pile
    const uint8_t[57] SUBSETS "WD_SUBSETS"

cdef enum:
    SEATS = 6
    HAND = 5
    RING = 128  # slots of a pile, a power of two above 66 + the stuck turns in succession that are undone
    MOST_MOVES = 32


cdef struct Packed:
    uint64_t[SEATS] hand
    uint64_t table
    int16_t[SEATS] points
    int8_t players
    int8_t turn
    int8_t longest
    int8_t shortest
    int8_t bone  # -1: nobody
    int8_t poo
    int8_t skips
    int low  # the pile is ring[low .. high), indices modulo RING
    int high


cdef inline int count_cards(uint64_t cards) noexcept nogil:
    """The number of cards in a multiset."""
    return <int> ((((cards & BODY_BITS) + ((cards >> 4) & BODY_BITS)) * <uint64_t> 0x0101010101010101ULL) >> 56) & 0xFF


cdef inline uint64_t one_card(int kind) noexcept nogil:
    """The multiset of one card."""
    return (<uint64_t> 1) << (4 * kind)


cdef inline uint64_t has_head(uint64_t cards) noexcept nogil:
    """The lowest head bit of every colour with one head or more (at most three)."""
    return (cards | (cards >> 1)) & HEAD_ONES


cdef inline int list_turns(uint64_t hand, uint64_t table, uint64_t* turns) noexcept nogil:
    """Fill in the turns that a hand can play, in text order; returns their number, 0 for a player who is stuck."""
    cdef uint64_t playable = (hand & BODY_BITS) | (has_head(hand) & ~table)
    cdef uint64_t[32] total
    cdef uint64_t copies
    cdef int cards = 0, repeated = 0, kind, number, found = 0, subset, least, i, subsets
    total[0] = 0
    while playable:
        kind = xp_ctz64(playable) >> 2
        copies = (playable >> (4 * kind)) & 15
        playable &= ~(<uint64_t> 15 << (4 * kind))
        for number in range(<int> copies):
            # The sums of all subsets with this card: those without it, and the card.
            for i in range(1 << cards):
                total[(1 << cards) + i] = total[i] + one_card(kind)
            if number:
                repeated |= 1 << cards
            cards += 1
    least = count_cards(hand)
    if least > 2:
        least = 2
    if cards < least or cards == 0:
        return 0
    subsets = (1 << cards) - 1
    for i in range(subsets - cards, 2 * subsets - cards):
        subset = SUBSETS[i]
        # Of equal cards the first ones are taken, so that each multiset comes once.
        if (subset & repeated) & ~(subset << 1):
            continue
        if least == 2 and not (subset & (subset - 1)):
            continue
        turns[found] = total[subset]
        found += 1
    return found


cdef inline int list_unders(uint64_t hand, uint64_t table, uint64_t* moves) noexcept nogil:
    """The moves of a stuck player with a pile: heads whose dog has one, or any card if he has no such head."""
    cdef uint64_t spare = has_head(hand) & table
    cdef int found = 0, kind
    if not spare:
        spare = hand
    while spare:
        kind = xp_ctz64(spare) >> 2
        spare &= ~(<uint64_t> 15 << (4 * kind))
        moves[found] = UNDER | one_card(kind)
        found += 1
    return found


cdef inline int list_moves(const Packed* position, uint64_t* moves) noexcept nogil:
    """All moves in text order; a skip is the move 0."""
    cdef uint64_t hand = position.hand[position.turn]
    cdef int found = list_turns(hand, position.table, moves)
    if found:
        return found
    if not hand or position.low == position.high:
        moves[0] = 0
        return 1
    return list_unders(hand, position.table, moves)


cdef inline uint64_t draw(const uint8_t* ring, int* low, int high, int number) noexcept nogil:
    """Take up to ``number`` cards off the pile."""
    cdef uint64_t drawn = 0
    while number > 0 and low[0] < high:
        drawn += one_card(ring[low[0] & (RING - 1)])
        low[0] += 1
        number -= 1
    return drawn


cdef inline void play_move(Packed* position, uint8_t* ring, uint64_t move) noexcept nogil:
    """Play a whole turn, the drawing included."""
    cdef int seat = position.turn, bodies
    cdef uint64_t done, shift
    position.turn = <int8_t> (seat + 1 if seat + 1 < position.players else 0)
    if move == 0:
        position.skips += 1
        return
    position.skips = 0
    if move & UNDER:
        move &= ~UNDER
        position.hand[seat] -= move
        ring[position.high & (RING - 1)] = <uint8_t> (xp_ctz64(move) >> 2)
        position.high += 1
        position.hand[seat] += draw(ring, &position.low, position.high, 1)
        return
    position.hand[seat] -= move
    position.table += move
    done = (position.table + COMPLETE) & TOP_BITS
    while done:
        shift = xp_ctz64(done) - 7
        done &= done - 1
        bodies = <int> (position.table >> shift) & 15
        position.table &= ~(<uint64_t> 0xFF << shift)
        position.points[seat] += <int16_t> (bodies * (bodies + 1) // 2)
        if position.longest == 0 or bodies >= position.longest:
            position.longest = <int8_t> bodies
            position.bone = <int8_t> seat
        if position.shortest == 0 or bodies <= position.shortest:
            position.shortest = <int8_t> bodies
            position.poo = <int8_t> seat
    position.hand[seat] += draw(ring, &position.low, position.high, HAND - count_cards(position.hand[seat]))


cdef inline bint is_over(const Packed* position) noexcept nogil:
    """Nobody holds a card, or every player in turn skipped. Repetition is seen by :func:`stuck_for_ever`."""
    cdef uint64_t cards = 0
    cdef int seat
    for seat in range(position.players):
        cards |= position.hand[seat]
    return cards == 0 or position.skips >= position.players


cdef inline bint is_stuck(uint64_t hand, uint64_t table) noexcept nogil:
    """Whether a hand has no turn to play."""
    cdef int size = count_cards(hand)
    cdef uint64_t playable = (hand & BODY_BITS) | (has_head(hand) & ~table)
    return count_cards(playable) < (size if size < 2 else 2)


cdef inline bint stuck_for_ever(const Packed* position, const uint8_t* ring) noexcept nogil:
    """Whether nobody can play any more although there is a pile, so that the position must repeat.

    Holds for hands of four or more cards (or none) while the pile lasts: a stuck one then always has a head to put under,
    so a card that can be played, once drawn, stays in the hand. If the pile has none, nothing ever changes; if it has
    one, no position can repeat.
    """
    cdef uint64_t content = 0
    cdef int seat, i
    for seat in range(position.players):
        if position.hand[seat] and not is_stuck(position.hand[seat], position.table):
            return False
    for i in range(position.low, position.high):
        content |= one_card(ring[i & (RING - 1)])
    return position.low < position.high and not (content & BODY_BITS) and not (content & HEAD_ONES & ~position.table)


cdef class Position:
    cdef Packed packed
    cdef uint8_t[RING] ring
    cdef tuple run  # the (hands, pile, turn) before each of the stuck turns in succession
    cdef readonly tuple stuck
    cdef bint loose(self)
