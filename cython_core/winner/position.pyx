"""Winner (Zheng Shangyou) on packed bits: every rule option, two to four players, one or two decks.

Design: position.pxd holds the struct and what a move does to it; here are the lists of moves and random play. The four
cards of a rank are a nibble of each word, and every choice of 1 to 4 cards of a rank comes from a table indexed by both
nibbles; rows are extended rank by rank. Text order, which decides ties in max^n, is a table over cards, so that no text is
made. The straights of a hand of 54 cards are billions: a list has a most, beyond which it fails.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_ctz64, xp_mix64, xp_popcount64

# choices of `size` cards of a rank: CHOICES[size][start .. start + number) for the nibbles a | b << 4
cdef uint8_t CHOICE_LIST[5][2048]
cdef uint16_t CHOICE_START[5][256]
cdef uint8_t CHOICE_NUMBER[5][256]
cdef int NATURAL[15]              # rank (climbing) at each place 1 .. 14
cdef uint8_t TEXT_ORDER[54]       # the place of a card among all cards sorted by their text


cdef void build_tables() noexcept:
    cdef int size, code, a, b, chosen_a, chosen_b, at, rank, card
    for size in range(1, 5):
        at = 0
        for code in range(256):
            a, b = code & 15, code >> 4
            CHOICE_START[size][code] = at
            CHOICE_NUMBER[size][code] = 0
            if b & ~a:
                continue
            for chosen_b in range(16):
                for chosen_a in range(16):
                    if (chosen_b & ~chosen_a) or (chosen_a & ~a) or (chosen_b & ~b):
                        continue
                    if xp_popcount64(chosen_a) + xp_popcount64(chosen_b) != size:
                        continue
                    CHOICE_LIST[size][at] = chosen_a | chosen_b << 4
                    CHOICE_NUMBER[size][code] += 1
                    at += 1
    for rank in range(13):
        NATURAL[3 + rank if rank < 11 else rank - 10] = rank     # Three is place 3; Ace 1, Two 2
    NATURAL[14] = 11
    names = ["3456789TJQKA2"[card // 4] + "DCHS"[card % 4] for card in range(52)] + ["BJ", "RJ"]
    for place, card in enumerate(sorted(range(54), key=names.__getitem__)):
        TEXT_ORDER[card] = place


build_tables()


cdef inline int code_of(uint64_t a, uint64_t b, int rank) noexcept nogil:
    return <int>((a >> (4 * rank)) & 15) | <int>((b >> (4 * rank)) & 15) << 4


cdef void push(MoveList* moves, uint64_t a, uint64_t b, int action, int kind, int length, int height, int suit) noexcept nogil:
    cdef Move* grown
    if moves.count == moves.room:
        grown = NULL
        if moves.room < moves.most:
            grown = <Move*>realloc(moves.moves, (2 * moves.room + 64) * sizeof(Move))
        if grown == NULL:
            moves.failed = 1
            return
        moves.moves = grown
        moves.room = 2 * moves.room + 64
    cdef Move* move = &moves.moves[moves.count]
    move.a, move.b = a, b
    move.action, move.kind, move.length, move.height, move.suit = action, kind, length, height, suit
    moves.count += 1


cdef inline int high_suit(uint64_t nibble) noexcept nogil:
    return 63 - xp_clz64(nibble)


cdef inline int turned(int height, int reversed_order) noexcept nogil:
    return 12 - height if reversed_order and height < 13 else height


cdef inline bint own_kind_beats(const Table* t, int kind, int height, int suit, const Move* current) noexcept nogil:
    """Whether a height and suit beat those of the current combination of the same kind and length."""
    cdef int new = height, old = current.height
    if kind == STRAIGHT or kind == STRAIGHT_FLUSH:
        return new > old or (new == old and t.tiebreak and suit > current.suit)
    if kind != PAIR_STRAIGHT and kind != TRIPLE_STRAIGHT:
        new, old = turned(new, t.reversed_order), turned(old, t.reversed_order)
    return new > old or (new == old and (kind == SINGLE or kind == PAIR) and suit > current.suit)


cdef void extend_run(
    const Table* t, MoveList* moves, const Move* current, uint64_t a, uint64_t b, int each, int kind, int shortest,
    int only_length, int start, int place, uint64_t sum_a, uint64_t sum_b, int suits,
) noexcept nogil:
    """Add the rank at `place` to a row that starts at `start`, emit what is long enough, go on to the next place."""
    cdef int rank = NATURAL[place], length = place - start + 1
    cdef int code = code_of(a, b, rank), number = CHOICE_NUMBER[each][code], first = CHOICE_START[each][code]
    cdef int i, choice, all_suits
    cdef uint64_t now_a, now_b
    cdef Py_ssize_t before = moves.count
    for i in range(number):
        if moves.failed or (moves.one_a_shape and i and moves.count > before):
            return
        choice = CHOICE_LIST[each][first + i]
        now_a = sum_a | <uint64_t>(choice & 15) << (4 * rank)
        now_b = sum_b | <uint64_t>(choice >> 4) << (4 * rank)
        all_suits = suits & (choice & 15)
        # A row of thirteen is emitted once, from place 2; a row of one suit is a straight flush, emitted elsewhere.
        if length >= shortest and (only_length == 0 or length == only_length) and not (length == 13 and start == 1):
            if each > 1 or all_suits == 0:
                if current == NULL or own_kind_beats(t, kind, start, high_suit(choice & 15), current):
                    push(moves, now_a, now_b, ACT_PLAY, kind, length, start,
                         high_suit(choice & 15) if each == 1 else 0)
        if place < 14 and length < 13 and (only_length == 0 or length < only_length):
            extend_run(t, moves, current, a, b, each, kind, shortest, only_length, start, place + 1, now_a, now_b,
                       all_suits)


cdef void add_runs(const Table* t, MoveList* moves, uint64_t a, uint64_t b, int each, int kind, int shortest,
                   const Move* current) noexcept nogil:
    cdef int start, place, only = 0 if current == NULL else current.length
    cdef int wanted = shortest if only == 0 else only
    for start in range(1, 16 - wanted):
        if current != NULL and start + (1 if t.tiebreak and each == 1 else 0) <= current.height:
            continue
        # A row that breaks off before its shortest length is not begun: it would be tried with every choice of suits.
        for place in range(start, start + wanted):
            if CHOICE_NUMBER[each][code_of(a, b, NATURAL[place])] == 0:
                break
        else:
            extend_run(t, moves, current, a, b, each, kind, shortest, only, start, start, 0, 0, 15)


cdef void add_flushes(const Table* t, MoveList* moves, uint64_t a, const Move* current) noexcept nogil:
    """Rows of five and more of one suit; `current` is the straight flush to beat, or NULL."""
    cdef int suit, start, place, length
    cdef uint64_t row
    for suit in range(4):
        for start in range(1, 11):
            row = 0
            for place in range(start, 15):
                if not (a >> (4 * NATURAL[place] + suit)) & 1:
                    break
                row |= <uint64_t>1 << (4 * NATURAL[place] + suit)
                length = place - start + 1
                if length > 13 or length < 5 or (length == 13 and start == 1):
                    continue
                if current == NULL or (length == current.length
                                       and own_kind_beats(t, STRAIGHT_FLUSH, start, suit, current)):
                    push(moves, row, 0, ACT_PLAY, STRAIGHT_FLUSH, length, start, suit)


cdef void add_sets(const Table* t, MoveList* moves, uint64_t a, uint64_t b, int size, int kind,
                   const Move* current) noexcept nogil:
    """Singles, pairs, bombs and large bombs: `size` cards of one rank."""
    cdef int rank, code, i, choice, suit, card
    for rank in range(13):
        code = code_of(a, b, rank)
        for i in range(CHOICE_NUMBER[size][code]):
            choice = CHOICE_LIST[size][CHOICE_START[size][code] + i]
            suit = high_suit(choice & 15) if size <= 2 else 0
            if current == NULL or own_kind_beats(t, kind, rank, suit, current):
                push(moves, <uint64_t>(choice & 15) << (4 * rank), <uint64_t>(choice >> 4) << (4 * rank), ACT_PLAY, kind,
                     1, rank, suit)
    if size == 1:
        for card in range(BLACK_JOKER, RED_JOKER + 1):
            rank = card - BLACK_JOKER + 13
            if (a >> card) & 1 and (current == NULL or own_kind_beats(t, kind, rank, 0, current)):
                push(moves, <uint64_t>1 << card, 0, ACT_PLAY, kind, 1, rank, 0)


cdef void add_full_houses(const Table* t, MoveList* moves, uint64_t a, uint64_t b, const Move* current) noexcept nogil:
    cdef int high, low, i, j, high_code, low_code, three, two
    cdef uint64_t sum_a, sum_b
    for high in range(13):
        high_code = code_of(a, b, high)
        if CHOICE_NUMBER[3][high_code] == 0 or (current != NULL and not own_kind_beats(t, FULL_HOUSE, high, 0, current)):
            continue
        for low in range(13):
            low_code = code_of(a, b, low)
            if low == high or CHOICE_NUMBER[2][low_code] == 0:
                continue
            for i in range(1 if moves.one_a_shape else CHOICE_NUMBER[3][high_code]):
                three = CHOICE_LIST[3][CHOICE_START[3][high_code] + i]
                for j in range(1 if moves.one_a_shape else CHOICE_NUMBER[2][low_code]):
                    two = CHOICE_LIST[2][CHOICE_START[2][low_code] + j]
                    sum_a = <uint64_t>(three & 15) << (4 * high) | <uint64_t>(two & 15) << (4 * low)
                    sum_b = <uint64_t>(three >> 4) << (4 * high) | <uint64_t>(two >> 4) << (4 * low)
                    push(moves, sum_a, sum_b, ACT_PLAY, FULL_HOUSE, 2, high, 0)


cdef void add_kind(const Table* t, MoveList* moves, uint64_t a, uint64_t b, int kind, const Move* current) noexcept nogil:
    """All combinations of one kind; with `current`, a combination of that kind, only those that beat it."""
    if kind == SINGLE:
        add_sets(t, moves, a, b, 1, kind, current)
    elif kind == PAIR:
        add_sets(t, moves, a, b, 2, kind, current)
    elif kind == BOMB:
        add_sets(t, moves, a, b, 3, kind, current)
    elif kind == LARGE_BOMB:
        add_sets(t, moves, a, b, 4, kind, current)
    elif kind == PAIR_STRAIGHT:
        add_runs(t, moves, a, b, 2, kind, 2, current)
    elif kind == TRIPLE_STRAIGHT:
        add_runs(t, moves, a, b, 3, kind, 2, current)
    elif kind == STRAIGHT:
        add_runs(t, moves, a, b, 1, kind, 5, current)
    elif kind == FULL_HOUSE:
        add_full_houses(t, moves, a, b, current)
    elif kind == STRAIGHT_FLUSH:
        add_flushes(t, moves, a, current)
    elif (a >> BLACK_JOKER) & 3 == 3:
        push(moves, <uint64_t>3 << BLACK_JOKER, 0, ACT_PLAY, JOKER_PAIR, 1, 0, 0)


cdef void add_answers(const Table* t, MoveList* moves, uint64_t a, uint64_t b, const Move* current) noexcept nogil:
    """The combinations of a hand that beat the current one."""
    cdef bint bombed = current.kind == LARGE_BOMB
    if not (t.bomb_variation and bombed) and current.kind != JOKER_PAIR:
        add_kind(t, moves, a, b, JOKER_PAIR, NULL)
    if current.kind == STRAIGHT_FLUSH:
        add_kind(t, moves, a, b, STRAIGHT_FLUSH, current)
    elif not (t.bomb_variation and bombed) and current.kind != JOKER_PAIR:
        add_kind(t, moves, a, b, STRAIGHT_FLUSH, NULL)
    if bombed:
        add_kind(t, moves, a, b, LARGE_BOMB, current)
    elif current.kind != JOKER_PAIR and (t.bomb_variation or current.kind != STRAIGHT_FLUSH):
        add_kind(t, moves, a, b, LARGE_BOMB, NULL)
    if current.kind != STRAIGHT_FLUSH and not bombed and current.kind != JOKER_PAIR:
        add_kind(t, moves, a, b, current.kind, current)


cdef bint list_moves(const Table* t, MoveList* moves) noexcept nogil:
    put_moves(t, moves)
    return not moves.failed


cdef void put_moves(const Table* t, MoveList* moves) noexcept nogil:
    cdef int seat = to_move(t), kind, size, code, i, choice
    cdef uint64_t a, b, rest_a, rest_b, left_a, left_b, first, second
    moves.count = 0
    moves.failed = 0
    if seat < 0:
        return
    a, b = t.a[seat], t.b[seat]
    if t.exchange == 2:
        rest_a = t.offer_a
        while rest_a:
            push(moves, rest_a & (0 - rest_a), 0, ACT_TAKE, 0, 0, 0, 0)
            rest_a &= rest_a - 1
        return
    if t.exchange == 1:
        rest_a = a
        while rest_a:
            first = rest_a & (0 - rest_a)
            rest_a ^= first
            if b & first:
                push(moves, first, first, ACT_OFFER, 0, 0, 0, 0)
            left_a = rest_a
            while left_a:
                second = left_a & (0 - left_a)
                left_a ^= second
                push(moves, first | second, 0, ACT_OFFER, 0, 0, 0, 0)
        return
    if t.depth == 0:
        for kind in range(SINGLE, JOKER_PAIR + 1):
            add_kind(t, moves, a, b, kind, NULL)
        return
    cdef const Move* current = &t.stack[t.depth - 1]
    add_answers(t, moves, a, b, current)
    if t.fours != FOURS_OFF and (current.kind == BOMB or current.kind == LARGE_BOMB):
        size = 2 if current.kind == BOMB else 3
        code = code_of(a, b, FOUR_RANK)
        for i in range(CHOICE_NUMBER[size][code]):
            choice = CHOICE_LIST[size][CHOICE_START[size][code] + i]
            push(moves, <uint64_t>(choice & 15) << (4 * FOUR_RANK), <uint64_t>(choice >> 4) << (4 * FOUR_RANK), ACT_FOURS,
                 0, 0, 0, 0)
    push(moves, 0, 0, ACT_PASS, 0, 0, 0, 0)


cdef uint64_t choose(uint64_t* state, uint64_t number) noexcept nogil:
    """A random number below `number` (at most 2^32)."""
    state[0] += 0x9E3779B97F4A7C15ULL
    # The high half of a product: as even as 32 bits of chance allow, without a division.
    return ((xp_mix64(state[0]) >> 32) * number) >> 32


cdef uint64_t straights_from(uint64_t a, int start, uint64_t* number) noexcept nogil:
    """How many choices of cards make a row of 5, 6, ... ranks from a place on: number[length], and their sum."""
    cdef int place, length
    cdef uint64_t product = 1, total = 0
    for length in range(1, 14):
        place = start + length - 1
        number[length] = 0
        if place <= 14:
            product *= xp_popcount64((a >> (4 * NATURAL[place])) & 15)
            if length >= 5 and not (length == 13 and start == 1):
                number[length] = product
                total += product
        else:
            product = 0
    return total


cdef void random_move(const Table* t, MoveList* room, uint64_t* chance, Move* move) noexcept nogil:
    """A legal move, all equally likely, or one of those listed where they do not fit.

    Straights, thousands in a whole hand, are counted instead of listed (listing them: 7,600 games a second of two whole
    hands). A row of one suit is drawn along with them and drawn again.
    """
    cdef int start, length, kind, place, suit, suits
    cdef uint64_t number[14]
    cdef uint64_t a, total = 0, chosen, nibble
    if t.depth or t.exchange:
        list_moves(t, room)
        if room.count:
            move[0] = room.moves[choose(chance, room.count)]
        return
    a = t.a[t.turn]
    room.count = 0
    room.failed = 0
    for kind in range(SINGLE, JOKER_PAIR + 1):
        if kind != STRAIGHT:
            add_kind(t, room, a, t.b[t.turn], kind, NULL)
    for start in range(1, 11):
        total += straights_from(a, start, number)
    while True:
        chosen = choose(chance, room.count + total)
        if chosen < <uint64_t>room.count:
            move[0] = room.moves[chosen]
            return
        chosen -= room.count
        start = 1
        while True:
            nibble = straights_from(a, start, number)
            if chosen < nibble:
                break
            chosen -= nibble
            start += 1
        length = 5
        while chosen >= number[length]:
            chosen -= number[length]
            length += 1
        memset(move, 0, sizeof(Move))
        suits = 15
        for place in range(start, start + length):
            nibble = (a >> (4 * NATURAL[place])) & 15
            suit = <int>(chosen % xp_popcount64(nibble))
            chosen //= xp_popcount64(nibble)
            while suit:
                nibble &= nibble - 1
                suit -= 1
            nibble &= 0 - nibble
            suits &= <int>nibble
            move.a |= nibble << (4 * NATURAL[place])
            move.suit = high_suit(nibble)
        if suits == 0:
            move.kind, move.length, move.height = STRAIGHT, length, start
            return


cdef void final_points(const Table* t, int* points) noexcept nogil:
    """The score of a hand that is over: points if it ends with the Winner, else places."""
    cdef int seat, each, cards, total = 0, winner = t.out[0]
    if not t.first_out:
        for seat in range(t.players):
            points[seat] = 0
        for seat in range(t.n_out):
            points[t.out[seat]] = t.players - 1 - seat
        return
    for seat in range(t.players):
        cards = cards_in(t.a[seat], t.b[seat])
        each = 2 if cards >= (12 if t.players == 3 else 10) else 1
        if not (t.played >> seat) & 1 or (t.players == 3 and cards >= 17):
            each = 3
        points[seat] = -each * cards
        if seat != winner:
            total += points[seat]
    points[winner] = -total


cdef void sort_moves(MoveList* moves) noexcept nogil:
    qsort(moves.moves, moves.count, sizeof(Move), text_order)


cdef int text_order(const void* left, const void* right) noexcept nogil:
    """Compare two moves by their text: combinations, then fours, offer, pass, take, which begin with small letters."""
    cdef const Move* x = <const Move*>left
    cdef const Move* y = <const Move*>right
    cdef uint64_t xa = x.a, xb = x.b, ya = y.a, yb = y.b, bit
    cdef int first, second
    first = x.action if x.action < ACT_PASS else (3 if x.action == ACT_PASS else (2 if x.action == ACT_OFFER else 4))
    second = y.action if y.action < ACT_PASS else (3 if y.action == ACT_PASS else (2 if y.action == ACT_OFFER else 4))
    if first != second:
        return first - second
    while xa and ya:
        first, second = xp_ctz64(xa), xp_ctz64(ya)
        if first != second:
            return <int>TEXT_ORDER[first] - <int>TEXT_ORDER[second]
        bit = xa & (0 - xa)
        # The first copy goes first: a card held twice stays for another round.
        if xb & bit:
            xb ^= bit
        else:
            xa ^= bit
        if yb & bit:
            yb ^= bit
        else:
            ya ^= bit
    return (1 if xa else 0) - (1 if ya else 0)


cdef bint find_move(const Table* t, MoveList* room, int action, uint64_t a, uint64_t b, Move* move) noexcept nogil:
    """The legal move of these cards. Only what they alone can make is listed, which is little."""
    cdef Table held
    cdef int seat = to_move(t), cards = cards_in(a, b), kind
    cdef Py_ssize_t i
    if seat < 0:
        return False
    copy_table(&held, t)
    if t.exchange == 0:
        if (a & ~t.a[seat]) or (b & ~t.b[seat]):
            return False
        held.a[seat], held.b[seat] = a, b
    if t.depth or t.exchange:
        put_moves(&held, room)
    else:
        room.count = room.failed = 0
        for kind in range(SINGLE, JOKER_PAIR + 1):
            if not (kind == STRAIGHT and cards > 13):
                add_kind(&held, room, a, b, kind, NULL)
    for i in range(room.count):
        if room.moves[i].action == action and room.moves[i].a == a and room.moves[i].b == b:
            move[0] = room.moves[i]
            return True
    return False


class TooManyMoves(Exception):
    """A list of moves would be longer than was allowed."""


@cython.final
cdef class Position:
    """A position. The caller has validated it; numbers out of range are refused with ValueError.

    Args:
        hands: for each seat the two words of its cards (bit rank * 4 + suit; jokers 52 and 53; the second word: held twice).
        turn: the seat to act, or to lead after an exchange.
        stack: combinations on the table, bottom first, each (a, b, kind, length, height, suit).
        owner: the seat that the top of the stack belongs to, or -1.
        played: bit mask of the seats that have played a card.
        out: the seats without cards in their order.
        reversed_order: whether a revolution has turned the ranks round.
        exchange: None, or (winner, loser, a, b) with the words of the cards offered.
        rules: (fours 0 off 1 own 2 into_hand, first_out, tiebreak, bomb_variation, revolution).
    """

    def __init__(self, hands, int turn, stack, int owner, int played, out, bint reversed_order, exchange, rules):
        cdef Table* t = &self.t
        if not 2 <= len(hands) <= 4 or len(stack) > MAX_STACK or len(out) > 4 or not 0 <= turn < len(hands):
            raise ValueError("2 to 4 hands, a seat to act and a trick of possible length are needed")
        memset(t, 0, sizeof(Table))
        t.players, t.turn, t.owner, t.played = len(hands), turn, owner, played
        for seat, (a, b) in enumerate(hands):
            t.a[seat], t.b[seat] = a, b
        for a, b, kind, length, height, suit in stack:
            t.stack[t.depth] = Move(a, b, ACT_PLAY, kind, length, height, suit)
            t.depth += 1
        for seat in out:
            t.out[t.n_out] = seat
            t.n_out += 1
        t.reversed_order = reversed_order
        if exchange is not None:
            t.ex_winner, t.ex_loser, t.offer_a, t.offer_b = exchange
            t.exchange = 2 if t.offer_a else 1
        t.fours, t.first_out, t.tiebreak, t.bomb_variation, t.revolution = rules

    @property
    def to_move(self) -> int:
        """The seat to act, or -2 when the hand is over."""
        return to_move(&self.t)

    def moves(self, Py_ssize_t most=1 << 40, *, bint one_a_shape=False) -> list[tuple[int, int, int]]:
        """The legal moves in text order, each (action, a, b); actions 0 play, 1 fours, 2 pass, 3 offer, 4 take.

        `one_a_shape`: of rows and full houses that differ in their suits alone only one. Raises TooManyMoves where there are more than
        `most`.
        """
        cdef MoveList found
        cdef Py_ssize_t i
        memset(&found, 0, sizeof(MoveList))
        found.most, found.one_a_shape = most, one_a_shape
        try:
            with nogil:
                list_moves(&self.t, &found)
                if not found.failed:
                    sort_moves(&found)
            if found.count > most or (found.failed and found.room >= most):
                raise TooManyMoves
            if found.failed:
                raise MemoryError
            return [(found.moves[i].action, found.moves[i].a, found.moves[i].b) for i in range(found.count)]
        finally:
            free(found.moves)

    def play(self, int action, uint64_t a, uint64_t b) -> Position:
        """The position after a legal move; ValueError for any other."""
        cdef Position after = Position.__new__(Position)
        cdef MoveList room
        cdef Move move
        cdef bint found
        memset(&room, 0, sizeof(MoveList))
        room.most = 1 << 20
        found = find_move(&self.t, &room, action, a, b, &move)
        free(room.moves)
        if not found:
            raise ValueError("not a legal move")
        copy_table(&after.t, &self.t)
        do_move(&after.t, &move)
        return after

    def scores(self) -> tuple[int, ...]:
        """At the end: points, or places where the hand goes on to the Loser."""
        cdef int points[4]
        if to_move(&self.t) != IS_OVER:
            raise ValueError("the hand is not over")
        final_points(&self.t, points)
        return tuple(points[seat] for seat in range(self.t.players))

    def fields(self) -> tuple[object, ...]:
        """(hands, turn, stack, owner, played, out, reversed_order, exchange) in the form of the constructor."""
        cdef Table* t = &self.t
        exchange = (t.ex_winner, t.ex_loser, t.offer_a, t.offer_b) if t.exchange else None
        return (
            [(t.a[seat], t.b[seat]) for seat in range(t.players)], t.turn,
            [(t.stack[i].a, t.stack[i].b, t.stack[i].kind, t.stack[i].length, t.stack[i].height, t.stack[i].suit)
             for i in range(t.depth)],
            t.owner, t.played, [t.out[i] for i in range(t.n_out)], bool(t.reversed_order), exchange,
        )

    def random_games(self, int games, uint64_t seed, int objective=-1) -> tuple[int, list[int]]:
        """Play games from here to their end with random moves, all equally likely.

        Returns the number of moves played and the sum of each seat's results: the scores, or of objective 0 the games in
        which it was first out.
        """
        cdef Table t
        cdef Move move
        cdef MoveList room
        cdef int points[4]
        cdef int64_t total[4]
        cdef int64_t plies = 0
        cdef int game, seat
        cdef uint64_t chance = seed
        memset(&room, 0, sizeof(MoveList))
        room.most = 1 << 14
        for seat in range(4):
            total[seat] = 0
        try:
            with nogil:
                for game in range(games):
                    copy_table(&t, &self.t)
                    while to_move(&t) != IS_OVER:
                        random_move(&t, &room, &chance, &move)
                        if room.moves == NULL:
                            with gil:
                                raise MemoryError
                        do_move(&t, &move)
                        plies += 1
                    if objective == OBJ_WIN:
                        total[t.out[0]] += 1
                    else:
                        final_points(&t, points)
                        for seat in range(t.players):
                            total[seat] += points[seat]
                    if game & 1023 == 1023:
                        with gil:
                            PyErr_CheckSignals()
            return plies, [total[seat] for seat in range(self.t.players)]
        finally:
            free(room.moves)
