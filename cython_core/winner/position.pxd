# Winner on packed bits: a position, what a move does to it, and who acts. Searches cimport this page.
#
# A card is a bit: rank * 4 + suit in climbing order, the black joker 52, the red one 53. A set of cards is two words, `a`
# for the cards there at least once and `b` for those there twice (two decks); b is always within a. A position is a struct
# that is copied, not undone: a copy costs 15 ns, and undoing costs as much in code.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_popcount64

cdef enum Kind:
    SINGLE = 1, PAIR, PAIR_STRAIGHT, TRIPLE_STRAIGHT, FULL_HOUSE, STRAIGHT, BOMB, LARGE_BOMB, STRAIGHT_FLUSH, JOKER_PAIR

cdef enum Action:
    ACT_PLAY = 0, ACT_FOURS, ACT_PASS, ACT_OFFER, ACT_TAKE

cdef enum Fours:
    FOURS_OFF = 0, FOURS_OWN, FOURS_INTO_HAND

cdef enum Objective:
    OBJ_WIN = 0, OBJ_SCORE, OBJ_PLACE

cdef enum:
    IS_OVER = -2                  # instead of the seat to act
    MAX_STACK = 110               # no trick is longer: every combination but the last costs a card
    BLACK_JOKER = 52
    RED_JOKER = 53
    FOUR_RANK = 1

cdef struct Move:
    uint64_t a, b
    uint8_t action, kind, length, height, suit   # of a combination also what decides whether it beats another

cdef struct Table:                # everything about a position
    uint64_t a[4]                 # the hands
    uint64_t b[4]
    uint64_t offer_a, offer_b     # the cards that the Winner offers
    int players, turn, owner      # owner: of the current combination, or -1
    int depth                     # combinations of the trick that are kept; 0 on lead
    int played                    # a bit for each seat that has played a card
    int n_out                     # seats without cards, in `out` in their order
    int out[4]
    int reversed_order            # a revolution has turned the ranks round
    int exchange                  # 0 none, 1 the Winner is to offer, 2 the Loser is to take
    int ex_winner, ex_loser
    int fours, first_out, tiebreak, bomb_variation, revolution   # the rules
    Move stack[MAX_STACK]         # the trick, bottom first

cdef struct MoveList:
    Move* moves
    Py_ssize_t count, room
    Py_ssize_t most               # no list grows beyond: the straights of a huge hand are millions
    bint one_a_shape              # of rows and full houses that differ in suits alone list one
    int failed                    # it did not fit

cdef bint list_moves(const Table* t, MoveList* moves) noexcept nogil      # every legal move, unsorted; False: it did not fit
cdef void sort_moves(MoveList* moves) noexcept nogil                      # by their text
cdef void random_move(const Table* t, MoveList* room, uint64_t* chance, Move* move) noexcept nogil
cdef void final_points(const Table* t, int* points) noexcept nogil        # the scores of a hand that is over


cdef inline int cards_in(uint64_t a, uint64_t b) noexcept nogil:
    return xp_popcount64(a) + xp_popcount64(b)


cdef inline void add_cards(uint64_t* a, uint64_t* b, uint64_t more_a, uint64_t more_b) noexcept nogil:
    # A card never comes to three copies, so each is in the second word exactly when it is held twice afterwards.
    cdef uint64_t twice = (a[0] & more_a) | b[0] | more_b
    a[0] |= more_a
    b[0] = twice


cdef inline void take_cards(uint64_t* a, uint64_t* b, uint64_t less_a, uint64_t less_b) noexcept nogil:
    # One copy of each card of less_a, a second one of each of less_b.
    cdef uint64_t left_a = (a[0] & ~less_a) | (b[0] & ~less_b)
    cdef uint64_t left_b = b[0] & ~less_a
    a[0] = left_a
    b[0] = left_b


cdef inline int to_move(const Table* t) noexcept nogil:
    """The seat to act, or IS_OVER."""
    if t.exchange:
        return t.ex_winner if t.exchange == 1 else t.ex_loser
    if t.n_out >= (1 if t.first_out else t.players - 1):
        return IS_OVER
    return t.turn


cdef inline int next_holder(const Table* t, int seat) noexcept nogil:
    cdef int step
    for step in range(1, t.players + 1):
        if t.a[(seat + step) % t.players]:
            return (seat + step) % t.players
    return seat


cdef inline void give_lead(Table* t) noexcept nogil:
    """The trick is over: its last player leads, or whoever holds cards after him."""
    t.turn = t.owner if t.a[t.owner] else next_holder(t, t.owner)
    t.depth = 0
    t.owner = -1


cdef inline void after_spending(Table* t, int seat, bint trick_over) noexcept nogil:
    t.owner = seat
    if t.a[seat] == 0:
        t.out[t.n_out] = seat
        t.n_out += 1
    if to_move(t) == IS_OVER:
        t.depth = 0
        t.owner = -1
    elif trick_over:
        give_lead(t)
    else:
        t.turn = next_holder(t, seat)


cdef inline void do_move(Table* t, const Move* move) noexcept nogil:
    """Play a legal move."""
    cdef int seat = to_move(t), following, step, to_owner, gift
    cdef uint64_t bit
    if move.action == ACT_OFFER:
        t.offer_a, t.offer_b = move.a, move.b
        t.exchange = 2
        return
    if move.action == ACT_TAKE:
        gift = 63 - xp_clz64(t.a[t.ex_loser])
        bit = <uint64_t>1 << gift
        take_cards(&t.a[t.ex_loser], &t.b[t.ex_loser], bit, 0)
        take_cards(&t.a[t.ex_winner], &t.b[t.ex_winner], move.a, 0)
        add_cards(&t.a[t.ex_winner], &t.b[t.ex_winner], bit, 0)
        add_cards(&t.a[t.ex_loser], &t.b[t.ex_loser], move.a, 0)
        t.exchange = 0
        t.offer_a = t.offer_b = 0
        return
    if move.action == ACT_PASS:
        following = next_holder(t, seat)
        step = (following - seat + t.players) % t.players
        to_owner = (t.owner - seat + t.players) % t.players
        if step == 0 or step >= to_owner:
            give_lead(t)
        else:
            t.turn = following
        return
    take_cards(&t.a[seat], &t.b[seat], move.a, move.b)
    t.played |= 1 << seat
    if move.action == ACT_FOURS:
        if t.fours == FOURS_OWN:
            after_spending(t, seat, False)
            return
        t.depth -= 1
        add_cards(&t.a[seat], &t.b[seat], t.stack[t.depth].a, t.stack[t.depth].b)
        if t.depth:
            t.owner = seat
            t.turn = next_holder(t, seat)
        else:
            t.owner = -1
            t.turn = seat
        return
    if t.fours != FOURS_INTO_HAND:
        t.depth = 0
    t.stack[t.depth] = move[0]
    t.depth += 1
    if t.revolution and move.kind == LARGE_BOMB:
        t.reversed_order ^= 1
    after_spending(t, seat, move.kind == JOKER_PAIR)


cdef inline void copy_table(Table* target, const Table* source) noexcept nogil:
    # The unused end of the stack is not worth its copying.
    memcpy(target, source, sizeof(Table) - (MAX_STACK - source.depth) * sizeof(Move))


cdef inline int holders(const Table* t) noexcept nogil:
    """How many seats hold cards."""
    cdef int seat, number = 0
    for seat in range(t.players):
        number += t.a[seat] != 0
    return number


cdef class Position:
    cdef Table t
