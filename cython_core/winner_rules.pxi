# The rules of Winner on packed bits: combinations from tables, play, the end. Included by winner.pyx.
#
# A card is a bit: rank * 4 + suit in climbing order, the black joker 52, the red one 53. A set of cards is two words, `a`
# for the cards there at least once and `b` for those there twice (two decks); b is always within a. The four cards of a
# rank are a nibble of each, and every choice of 1 to 4 cards of a rank comes from a table indexed by both nibbles.

cdef extern from "bits.h" nogil:
    int xp_ctz64(uint64_t x)
    int xp_clz64(uint64_t x)
    int xp_popcount64(uint64_t x)
    uint64_t xp_mix64(uint64_t x)

cdef enum:
    SINGLE = 1, PAIR, PAIR_STRAIGHT, TRIPLE_STRAIGHT, FULL_HOUSE, STRAIGHT, BOMB, LARGE_BOMB, STRAIGHT_FLUSH, JOKER_PAIR

cdef enum:
    ACT_PLAY = 0, ACT_FOURS, ACT_PASS, ACT_OFFER, ACT_TAKE

cdef enum:
    FOURS_OFF = 0, FOURS_OWN, FOURS_INTO_HAND

cdef enum:
    MAX_STACK = 110  # no trick is longer: every combination but the last costs a card
    BLACK_JOKER = 52
    RED_JOKER = 53
    FOUR_RANK = 1

cdef struct Move:
    uint64_t a, b
    uint8_t action, kind, length, height, suit

cdef struct Position:
    uint64_t a[4]
    uint64_t b[4]
    uint64_t offer_a, offer_b
    int players, turn, owner
    int depth                     # entries of the stack; 0 on lead
    int played                    # bit mask of seats
    int n_out
    int out[4]
    int reversed_order
    int exchange                  # 0 none, 1 the Winner is to offer, 2 the Loser is to take
    int ex_winner, ex_loser
    int fours, first_out, tiebreak, bomb_variation, revolution
    Move stack[MAX_STACK]

cdef struct Buffer:
    Move* moves
    Py_ssize_t count, room
    int failed                    # out of memory: the caller raises

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


cdef void push(Buffer* buffer, uint64_t a, uint64_t b, int action, int kind, int length, int height, int suit) noexcept nogil:
    cdef Move* grown
    if buffer.count == buffer.room:
        grown = <Move*>realloc(buffer.moves, 2 * buffer.room * sizeof(Move))
        if grown == NULL:
            buffer.failed = 1
            return
        buffer.moves = grown
        buffer.room *= 2
    cdef Move* move = &buffer.moves[buffer.count]
    move.a, move.b = a, b
    move.action, move.kind, move.length, move.height, move.suit = action, kind, length, height, suit
    buffer.count += 1


cdef inline int high_suit(uint64_t nibble) noexcept nogil:
    return 63 - xp_clz64(nibble)


cdef inline int turned(int height, int reversed_order) noexcept nogil:
    return 12 - height if reversed_order and height < 13 else height


cdef inline bint own_kind_beats(const Position* p, int kind, int height, int suit, const Move* current) noexcept nogil:
    """Whether a height and suit beat those of the current combination of the same kind and length."""
    cdef int new = height, old = current.height
    if kind == STRAIGHT or kind == STRAIGHT_FLUSH:
        return new > old or (new == old and p.tiebreak and suit > current.suit)
    if kind != PAIR_STRAIGHT and kind != TRIPLE_STRAIGHT:
        new, old = turned(new, p.reversed_order), turned(old, p.reversed_order)
    return new > old or (new == old and (kind == SINGLE or kind == PAIR) and suit > current.suit)


cdef void extend_run(
    const Position* p, Buffer* buffer, const Move* current, uint64_t a, uint64_t b, int each, int kind, int shortest,
    int only_length, int start, int place, uint64_t sum_a, uint64_t sum_b, int suits,
) noexcept nogil:
    """Add the rank at `place` to a row that starts at `start`, emit what is long enough, go on to the next place."""
    cdef int rank = NATURAL[place], length = place - start + 1
    cdef int code = code_of(a, b, rank), number = CHOICE_NUMBER[each][code], first = CHOICE_START[each][code]
    cdef int i, choice, all_suits
    cdef uint64_t now_a, now_b
    for i in range(number):
        choice = CHOICE_LIST[each][first + i]
        now_a = sum_a | <uint64_t>(choice & 15) << (4 * rank)
        now_b = sum_b | <uint64_t>(choice >> 4) << (4 * rank)
        all_suits = suits & (choice & 15)
        # A row of thirteen is emitted once, from place 2; a row of one suit is a straight flush, emitted elsewhere.
        if length >= shortest and (only_length == 0 or length == only_length) and not (length == 13 and start == 1):
            if each > 1 or all_suits == 0:
                if current == NULL or own_kind_beats(p, kind, start, high_suit(choice & 15), current):
                    push(buffer, now_a, now_b, ACT_PLAY, kind, length, start,
                         high_suit(choice & 15) if each == 1 else 0)
        if place < 14 and length < 13 and (only_length == 0 or length < only_length):
            extend_run(p, buffer, current, a, b, each, kind, shortest, only_length, start, place + 1, now_a, now_b,
                       all_suits)


cdef void add_runs(const Position* p, Buffer* buffer, uint64_t a, uint64_t b, int each, int kind, int shortest,
                   const Move* current) noexcept nogil:
    cdef int start, place, only = 0 if current == NULL else current.length
    cdef int wanted = shortest if only == 0 else only
    for start in range(1, 16 - wanted):
        if current != NULL and start + (1 if p.tiebreak and each == 1 else 0) <= current.height:
            continue
        # A row that breaks off before its shortest length is not begun: it would be tried with every choice of suits.
        for place in range(start, start + wanted):
            if CHOICE_NUMBER[each][code_of(a, b, NATURAL[place])] == 0:
                break
        else:
            extend_run(p, buffer, current, a, b, each, kind, shortest, only, start, start, 0, 0, 15)


cdef void add_flushes(const Position* p, Buffer* buffer, uint64_t a, const Move* current) noexcept nogil:
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
                                       and own_kind_beats(p, STRAIGHT_FLUSH, start, suit, current)):
                    push(buffer, row, 0, ACT_PLAY, STRAIGHT_FLUSH, length, start, suit)


cdef void add_sets(const Position* p, Buffer* buffer, uint64_t a, uint64_t b, int size, int kind,
                   const Move* current) noexcept nogil:
    """Singles, pairs, bombs and large bombs: `size` cards of one rank."""
    cdef int rank, code, i, choice, suit, card
    for rank in range(13):
        code = code_of(a, b, rank)
        for i in range(CHOICE_NUMBER[size][code]):
            choice = CHOICE_LIST[size][CHOICE_START[size][code] + i]
            suit = high_suit(choice & 15) if size <= 2 else 0
            if current == NULL or own_kind_beats(p, kind, rank, suit, current):
                push(buffer, <uint64_t>(choice & 15) << (4 * rank), <uint64_t>(choice >> 4) << (4 * rank), ACT_PLAY, kind,
                     1, rank, suit)
    if size == 1:
        for card in range(BLACK_JOKER, RED_JOKER + 1):
            rank = card - BLACK_JOKER + 13
            if (a >> card) & 1 and (current == NULL or own_kind_beats(p, kind, rank, 0, current)):
                push(buffer, <uint64_t>1 << card, 0, ACT_PLAY, kind, 1, rank, 0)


cdef void add_full_houses(const Position* p, Buffer* buffer, uint64_t a, uint64_t b, const Move* current) noexcept nogil:
    cdef int high, low, i, j, high_code, low_code, three, two
    cdef uint64_t sum_a, sum_b
    for high in range(13):
        high_code = code_of(a, b, high)
        if CHOICE_NUMBER[3][high_code] == 0 or (current != NULL and not own_kind_beats(p, FULL_HOUSE, high, 0, current)):
            continue
        for low in range(13):
            low_code = code_of(a, b, low)
            if low == high or CHOICE_NUMBER[2][low_code] == 0:
                continue
            for i in range(CHOICE_NUMBER[3][high_code]):
                three = CHOICE_LIST[3][CHOICE_START[3][high_code] + i]
                for j in range(CHOICE_NUMBER[2][low_code]):
                    two = CHOICE_LIST[2][CHOICE_START[2][low_code] + j]
                    sum_a = <uint64_t>(three & 15) << (4 * high) | <uint64_t>(two & 15) << (4 * low)
                    sum_b = <uint64_t>(three >> 4) << (4 * high) | <uint64_t>(two >> 4) << (4 * low)
                    push(buffer, sum_a, sum_b, ACT_PLAY, FULL_HOUSE, 2, high, 0)


cdef void add_kind(const Position* p, Buffer* buffer, uint64_t a, uint64_t b, int kind, const Move* current) noexcept nogil:
    """All combinations of one kind; with `current`, a combination of that kind, only those that beat it."""
    if kind == SINGLE:
        add_sets(p, buffer, a, b, 1, kind, current)
    elif kind == PAIR:
        add_sets(p, buffer, a, b, 2, kind, current)
    elif kind == BOMB:
        add_sets(p, buffer, a, b, 3, kind, current)
    elif kind == LARGE_BOMB:
        add_sets(p, buffer, a, b, 4, kind, current)
    elif kind == PAIR_STRAIGHT:
        add_runs(p, buffer, a, b, 2, kind, 2, current)
    elif kind == TRIPLE_STRAIGHT:
        add_runs(p, buffer, a, b, 3, kind, 2, current)
    elif kind == STRAIGHT:
        add_runs(p, buffer, a, b, 1, kind, 5, current)
    elif kind == FULL_HOUSE:
        add_full_houses(p, buffer, a, b, current)
    elif kind == STRAIGHT_FLUSH:
        add_flushes(p, buffer, a, current)
    elif (a >> BLACK_JOKER) & 3 == 3:
        push(buffer, <uint64_t>3 << BLACK_JOKER, 0, ACT_PLAY, JOKER_PAIR, 1, 0, 0)


cdef int add_answers(const Position* p, Buffer* buffer, uint64_t a, uint64_t b, const Move* current) noexcept nogil:
    """The combinations of a hand that beat the current one."""
    cdef bint bombed = current.kind == LARGE_BOMB
    if not (p.bomb_variation and bombed) and current.kind != JOKER_PAIR:
        add_kind(p, buffer, a, b, JOKER_PAIR, NULL)
    if current.kind == STRAIGHT_FLUSH:
        add_kind(p, buffer, a, b, STRAIGHT_FLUSH, current)
    elif not (p.bomb_variation and bombed) and current.kind != JOKER_PAIR:
        add_kind(p, buffer, a, b, STRAIGHT_FLUSH, NULL)
    if bombed:
        add_kind(p, buffer, a, b, LARGE_BOMB, current)
    elif current.kind != JOKER_PAIR and (p.bomb_variation or current.kind != STRAIGHT_FLUSH):
        add_kind(p, buffer, a, b, LARGE_BOMB, NULL)
    if current.kind != STRAIGHT_FLUSH and not bombed and current.kind != JOKER_PAIR:
        add_kind(p, buffer, a, b, current.kind, current)
    return 0


cdef int to_move(const Position* p) noexcept nogil:
    """The seat to act, or -2 when the hand is over."""
    if p.exchange:
        return p.ex_winner if p.exchange == 1 else p.ex_loser
    if p.n_out >= (1 if p.first_out else p.players - 1):
        return -2
    return p.turn


cdef void list_moves(const Position* p, Buffer* buffer) noexcept nogil:
    """Every legal move, in no particular order."""
    cdef int seat = to_move(p), kind, size, code, i, choice
    cdef uint64_t a, b, rest_a, rest_b, left_a, left_b, first, second
    buffer.count = 0
    if seat < 0:
        return
    a, b = p.a[seat], p.b[seat]
    if p.exchange == 2:
        rest_a = p.offer_a
        while rest_a:
            push(buffer, rest_a & (0 - rest_a), 0, ACT_TAKE, 0, 0, 0, 0)
            rest_a &= rest_a - 1
        return
    if p.exchange == 1:
        rest_a = a
        while rest_a:
            first = rest_a & (0 - rest_a)
            rest_a ^= first
            if b & first:
                push(buffer, first, first, ACT_OFFER, 0, 0, 0, 0)
            left_a = rest_a
            while left_a:
                second = left_a & (0 - left_a)
                left_a ^= second
                push(buffer, first | second, 0, ACT_OFFER, 0, 0, 0, 0)
        return
    if p.depth == 0:
        for kind in range(SINGLE, JOKER_PAIR + 1):
            add_kind(p, buffer, a, b, kind, NULL)
        return
    cdef const Move* current = &p.stack[p.depth - 1]
    add_answers(p, buffer, a, b, current)
    if p.fours != FOURS_OFF and (current.kind == BOMB or current.kind == LARGE_BOMB):
        size = 2 if current.kind == BOMB else 3
        code = code_of(a, b, FOUR_RANK)
        for i in range(CHOICE_NUMBER[size][code]):
            choice = CHOICE_LIST[size][CHOICE_START[size][code] + i]
            push(buffer, <uint64_t>(choice & 15) << (4 * FOUR_RANK), <uint64_t>(choice >> 4) << (4 * FOUR_RANK), ACT_FOURS,
                 0, 0, 0, 0)
    push(buffer, 0, 0, ACT_PASS, 0, 0, 0, 0)


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


cdef void random_move(const Position* p, Buffer* buffer, uint64_t* state, Move* move) noexcept nogil:
    """A legal move, all equally likely.

    Straights, thousands in a whole hand, are counted instead of listed (listing them: 7,600 games a second of two whole
    hands). A row of one suit is drawn along with them and drawn again.
    """
    cdef int start, length, kind, place, suit, suits
    cdef uint64_t number[14]
    cdef uint64_t a, total = 0, chosen, nibble
    if p.depth or p.exchange:
        list_moves(p, buffer)
        if not buffer.failed:
            move[0] = buffer.moves[choose(state, buffer.count)]
        return
    a = p.a[p.turn]
    buffer.count = 0
    for kind in range(SINGLE, JOKER_PAIR + 1):
        if kind != STRAIGHT:
            add_kind(p, buffer, a, p.b[p.turn], kind, NULL)
    if buffer.failed:
        return
    for start in range(1, 11):
        total += straights_from(a, start, number)
    while True:
        chosen = choose(state, buffer.count + total)
        if chosen < <uint64_t>buffer.count:
            move[0] = buffer.moves[chosen]
            return
        chosen -= buffer.count
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


cdef inline int next_holder(const Position* p, int seat) noexcept nogil:
    cdef int step
    for step in range(1, p.players + 1):
        if p.a[(seat + step) % p.players]:
            return (seat + step) % p.players
    return seat


cdef void give_lead(Position* p) noexcept nogil:
    """The trick is over: its last player leads, or whoever holds cards after him."""
    p.turn = p.owner if p.a[p.owner] else next_holder(p, p.owner)
    p.depth = 0
    p.owner = -1


cdef void after_spending(Position* p, int seat, bint trick_over) noexcept nogil:
    p.owner = seat
    if p.a[seat] == 0:
        p.out[p.n_out] = seat
        p.n_out += 1
    if to_move(p) == -2:
        p.depth = 0
        p.owner = -1
    elif trick_over:
        give_lead(p)
    else:
        p.turn = next_holder(p, seat)


cdef void do_move(Position* p, const Move* move) noexcept nogil:
    """Play a legal move."""
    cdef int seat = to_move(p), following, step, to_owner, gift
    cdef uint64_t bit
    if move.action == ACT_OFFER:
        p.offer_a, p.offer_b = move.a, move.b
        p.exchange = 2
        return
    if move.action == ACT_TAKE:
        gift = 63 - xp_clz64(p.a[p.ex_loser])
        bit = <uint64_t>1 << gift
        take_cards(&p.a[p.ex_loser], &p.b[p.ex_loser], bit, 0)
        take_cards(&p.a[p.ex_winner], &p.b[p.ex_winner], move.a, 0)
        add_cards(&p.a[p.ex_winner], &p.b[p.ex_winner], bit, 0)
        add_cards(&p.a[p.ex_loser], &p.b[p.ex_loser], move.a, 0)
        p.exchange = 0
        p.offer_a = p.offer_b = 0
        return
    if move.action == ACT_PASS:
        following = next_holder(p, seat)
        step = (following - seat + p.players) % p.players
        to_owner = (p.owner - seat + p.players) % p.players
        if step == 0 or step >= to_owner:
            give_lead(p)
        else:
            p.turn = following
        return
    take_cards(&p.a[seat], &p.b[seat], move.a, move.b)
    p.played |= 1 << seat
    if move.action == ACT_FOURS:
        if p.fours == FOURS_OWN:
            after_spending(p, seat, False)
            return
        p.depth -= 1
        add_cards(&p.a[seat], &p.b[seat], p.stack[p.depth].a, p.stack[p.depth].b)
        if p.depth:
            p.owner = seat
            p.turn = next_holder(p, seat)
        else:
            p.owner = -1
            p.turn = seat
        return
    if p.fours != FOURS_INTO_HAND:
        p.depth = 0
    p.stack[p.depth] = move[0]
    p.depth += 1
    if p.revolution and move.kind == LARGE_BOMB:
        p.reversed_order ^= 1
    after_spending(p, seat, move.kind == JOKER_PAIR)


cdef inline void copy_position(Position* target, const Position* source) noexcept nogil:
    # The unused end of the stack is not worth its copying.
    memcpy(target, source, sizeof(Position) - (MAX_STACK - source.depth) * sizeof(Move))


cdef void final_points(const Position* p, int* points) noexcept nogil:
    """The score of a hand that is over: points if it ends with the Winner, else places."""
    cdef int seat, each, cards, total = 0, winner = p.out[0]
    if not p.first_out:
        for seat in range(p.players):
            points[seat] = 0
        for seat in range(p.n_out):
            points[p.out[seat]] = p.players - 1 - seat
        return
    for seat in range(p.players):
        cards = cards_in(p.a[seat], p.b[seat])
        each = 2 if cards >= (12 if p.players == 3 else 10) else 1
        if not (p.played >> seat) & 1 or (p.players == 3 and cards >= 17):
            each = 3
        points[seat] = -each * cards
        if seat != winner:
            total += points[seat]
    points[winner] = -total


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
