# A whole game of Walk the Dogs in one C struct: the rules, move by move, for 2 to 4 players under every option.
# Included by the modules that play games out move by move. Dogs are 0 to 6, cards 0 to 9 (g1 g2 g3 r1 r2 r3 y le bo dc).
#
# A move is one integer: bits 0-2 kind, 3-6 card, 7-8 victim, 9 end (1: back), 10-11 number of dogs put in front,
# 12-13 number put behind, 14-22 these dogs as they will stand: the front part front first, then the back part.

cdef enum:
    PLAY = 0
    LEASH = 1
    LOSE = 2
    DRAW = 3
    PASS = 4
    TURN_UP = 5

    DRAWING = 0
    CATCHING = 1
    PLAYING = 2

    LE = 7
    BO = 8
    DC = 9

    MAX_MOVES = 256
    BUFFER = 256
    CHANCE = -1
    OVER = -2

cdef struct Line:
    int front           # dogs[front : front + length]
    int length
    uint8_t dogs[BUFFER]

cdef struct Game:
    int players, turn, phase, chooser, passes, front, back
    bint shuffled, advanced, any_order, five
    int deck_at, deck_size          # known order: deck[deck_at : deck_size]
    int pile, plain_discards        # cards in the pile; cards in the discards that are no catchers
    uint8_t middle[64]              # middle[front : back]
    uint8_t deck[128]
    uint8_t copies[10]              # shuffled: how many of each card the pile holds
    uint8_t discards[10]
    uint8_t hands[4][8]
    uint8_t bones[4]
    Line lines[4]


cdef inline void line_put(Line *line, int dog, bint at_front) noexcept nogil:
    if line.front == 0 or line.front + line.length == BUFFER:
        memmove(&line.dogs[(BUFFER - line.length) // 2], &line.dogs[line.front], line.length)
        line.front = (BUFFER - line.length) // 2
    if at_front:
        line.front -= 1
        line.dogs[line.front] = dog
    else:
        line.dogs[line.front + line.length] = dog
    line.length += 1


cdef inline int end_group(const Line *line, bint back) noexcept nogil:
    """The length of the group at an end."""
    cdef int at = line.front + line.length - 1 if back else line.front
    cdef int step = -1 if back else 1
    cdef int dog, length = 0
    if line.length == 0:
        return 0
    dog = line.dogs[at]
    while length < line.length and line.dogs[at] == dog:
        length += 1
        at += step
    return length


cdef inline int line_points(const Line *line, int *longest) noexcept nogil:
    cdef int i, run = 0, total = 0
    cdef int most = 0
    for i in range(line.front, line.front + line.length):
        if i > line.front and line.dogs[i] == line.dogs[i - 1]:
            run += 1
        else:
            run = 1
        total += 2 * run - 1        # k * k is the sum of the first k odd numbers
        if run > most:
            most = run
    longest[0] = most
    return total


cdef inline int acting(const Game *g) noexcept nogil:
    """The player to act, CHANCE or OVER."""
    if g.front == g.back or g.five or g.passes >= g.players:
        return OVER
    if g.phase == DRAWING:
        return CHANCE
    return g.chooser if g.phase == CATCHING else g.turn


cdef inline bint can_draw(const Game *g) noexcept nogil:
    return g.pile > 0 or (g.shuffled and g.plain_discards > 0)


cdef void next_turn(Game *g) noexcept nogil:
    if acting(g) == OVER:
        return
    g.turn = g.turn + 1 if g.turn + 1 < g.players else 0
    if g.advanced:
        g.phase = PLAYING
    else:
        start_draw(g)


cdef void start_draw(Game *g) noexcept nogil:
    cdef int card
    if not can_draw(g):
        g.phase = PLAYING
        if g.advanced:
            next_turn(g)
        return
    g.phase = DRAWING
    if g.pile == 0:
        for card in range(10):
            g.copies[card] = g.discards[card]
            g.pile += g.discards[card]
            g.discards[card] = 0
        g.plain_discards = 0


cdef void lose_group(Game *g, int player, bint back) noexcept nogil:
    cdef Line *line = &g.lines[player]
    cdef int length = end_group(line, back)
    if not back:
        line.front += length
    line.length -= length


cdef void catch_from(Game *g, int done) noexcept nogil:
    cdef int step, player, front, back
    for step in range(done, g.players):
        player = (g.turn + step) % g.players
        front = end_group(&g.lines[player], False)
        back = end_group(&g.lines[player], True)
        if front == back and front < g.lines[player].length:
            g.phase = CATCHING
            g.chooser = player
            return
        lose_group(g, player, back > front)
    start_draw(g)


cdef void turn_up(Game *g, int card) noexcept nogil:
    cdef int step, player, gets
    g.pile -= 1
    if g.shuffled:
        g.copies[card] -= 1
    else:
        g.deck_at += 1
    if card == BO:
        gets = g.turn
        for step in range(1, g.players):
            player = (g.turn + step) % g.players
            if g.lines[player].length < g.lines[gets].length:
                gets = player
        g.bones[gets] += 1
        start_draw(g)
    elif card == DC:
        g.discards[DC] += 1
        catch_from(g, 0)
    else:
        g.hands[g.turn][card] += 1
        g.phase = PLAYING
        if g.advanced:
            next_turn(g)


cdef inline int pack(int kind, int card, int victim, bint back, int in_front, int behind, const uint8_t *dogs) noexcept nogil:
    cdef int i, code = kind | card << 3 | victim << 7 | back << 9 | in_front << 10 | behind << 12
    for i in range(in_front + behind):
        code |= dogs[i] << (14 + 3 * i)
    return code


cdef inline int placed(const Line *line, int code, int at) noexcept nogil:
    """The dog at a place of the line that a move makes."""
    cdef int in_front = code >> 10 & 3
    if at < in_front:
        return code >> (14 + 3 * at) & 7
    if at < in_front + line.length:
        return line.dogs[line.front + at - in_front]
    return code >> (14 + 3 * (at - line.length)) & 7


cdef bint same_line(const Line *line, int a, int b) noexcept nogil:
    cdef int i, length = line.length + (a >> 10 & 3) + (a >> 12 & 3)
    if (a ^ b) >> 10 & 3 == 0:
        return a == b
    for i in range(length):
        if placed(line, a, i) != placed(line, b, i):
            return False
    return True


cdef int add_ways(const Game *g, int kind, int card, int victim, bint back, const uint8_t *dogs, int number,
                  int *moves, int count) noexcept nogil:
    """Every distinct line that these dogs can make, as moves; the new count."""
    cdef const Line *line = &g.lines[g.turn]
    cdef uint8_t order[3]
    cdef int first = count
    cdef int in_front, ways, way, i, j, ahead, behind, code
    cdef int a, b
    cdef int permutations = 1
    if g.any_order:
        permutations = 6 if number == 3 else number
        ways = permutations * (number + 1)
    else:
        ways = 1 << number
    for way in range(ways):
        if g.any_order:
            in_front = way // permutations
            a = way % permutations
            if number == 3:
                # a // 2 names the first dog, a % 2 the order of the other two.
                b = a // 2
                order[0] = dogs[b]
                i = 1 if b == 0 else 0
                j = 1 if b == 2 else 2
                order[1] = dogs[j] if a & 1 else dogs[i]
                order[2] = dogs[i] if a & 1 else dogs[j]
            elif number == 2:
                order[0] = dogs[a]
                order[1] = dogs[1 - a]
            else:
                order[0] = dogs[0]
        else:
            # Bit i of way: dog i, in the order taken, goes to the front.
            ahead = 0
            for i in range(number):
                ahead += way >> i & 1
            in_front = ahead
            behind = ahead
            for i in range(number):
                if way >> i & 1:
                    ahead -= 1
                    order[ahead] = dogs[i]
                else:
                    order[behind] = dogs[i]
                    behind += 1
        code = pack(kind, card, victim, back, in_front, number - in_front, order)
        for i in range(first, count):
            if same_line(line, moves[i], code):
                break
        else:
            moves[count] = code
            count += 1
    return count


cdef int taken_dogs(const Game *g, int card, uint8_t *dogs) noexcept nogil:
    cdef int i, number, have = g.back - g.front
    if card == 6:
        dogs[0] = g.middle[g.front]
        if have > 1:
            dogs[1] = g.middle[g.back - 1]
        return 2 if have > 1 else 1
    number = card % 3 + 1
    if number > have:
        number = have
    for i in range(number):
        dogs[i] = g.middle[g.front + i] if card < 3 else g.middle[g.back - 1 - i]
    return number


cdef int legal(const Game *g, int *moves) noexcept nogil:
    """The moves of the player to act, no two of which make the same; their number."""
    cdef int count = 0
    cdef int card, victim, held = 0
    cdef uint8_t dogs[3]
    cdef const Line *other
    if g.phase == CATCHING:
        moves[0] = pack(LOSE, 0, 0, False, 0, 0, NULL)
        moves[1] = pack(LOSE, 0, 0, True, 0, 0, NULL)
        return 2
    for card in range(8):
        held += g.hands[g.turn][card]
        if g.hands[g.turn][card] == 0:
            continue
        if card != LE:
            count = add_ways(g, PLAY, card, 0, False, dogs, taken_dogs(g, card, dogs), moves, count)
            continue
        for victim in range(g.players):
            other = &g.lines[victim]
            if victim == g.turn or other.length == 0:
                continue
            dogs[0] = other.dogs[other.front]
            count = add_ways(g, LEASH, LE, victim, False, dogs, 1, moves, count)
            if other.length > 1:
                dogs[0] = other.dogs[other.front + other.length - 1]
                count = add_ways(g, LEASH, LE, victim, True, dogs, 1, moves, count)
    if g.advanced and can_draw(g) and (count == 0 or held < 4):
        moves[count] = DRAW
        count += 1
    if count == 0:
        moves[0] = PASS
        return 1
    return count


cdef void do_move(Game *g, int code) noexcept nogil:
    cdef int kind = code & 7
    cdef int card = code >> 3 & 15
    cdef int i, in_front, behind
    cdef bint back = code >> 9 & 1
    cdef Line *line
    if kind == TURN_UP:
        turn_up(g, card)
        return
    if kind == LOSE:
        lose_group(g, g.chooser, back)
        catch_from(g, (g.chooser - g.turn + g.players) % g.players + 1)
        return
    if kind == DRAW:
        g.passes = 0
        start_draw(g)
        return
    if kind == PASS:
        g.passes += 1
        next_turn(g)
        return
    in_front = code >> 10 & 3
    behind = code >> 12 & 3
    if kind == LEASH:
        line = &g.lines[code >> 7 & 3]
        if not back:
            line.front += 1
        line.length -= 1
    elif card == 6:
        g.front += 1
        if g.back > g.front:
            g.back -= 1
    elif card < 3:
        g.front += in_front + behind
    else:
        g.back -= in_front + behind
    line = &g.lines[g.turn]
    # Five in a row counts even if a later dog of the same card stands before it.
    for i in range(in_front - 1, -1, -1):
        line_put(line, code >> (14 + 3 * i) & 7, True)
        g.five = g.five or end_group(line, False) >= 5
    for i in range(in_front, in_front + behind):
        line_put(line, code >> (14 + 3 * i) & 7, False)
        g.five = g.five or end_group(line, True) >= 5
    g.hands[g.turn][card] -= 1
    g.discards[card] += 1
    g.plain_discards += 1
    g.passes = 0
    next_turn(g)


cdef void utilities(const Game *g, bint by_points, int *values) noexcept nogil:
    """What the end is worth to each player, as the reference's State.utilities says."""
    cdef int player, run, own, best = -1, many = 0
    cdef int rank[4]
    cdef int total[4]
    cdef bint five = False
    for player in range(g.players):
        own = line_points(&g.lines[player], &run)
        total[player] = own + 3 * g.bones[player]
        rank[player] = total[player] * 64 + run
        if run >= 5:
            rank[player] = 1 << 30
            five = True
    for player in range(g.players):
        if rank[player] > best:
            best = rank[player]
            many = 0
        many += rank[player] == best
    for player in range(g.players):
        if not by_points:
            if g.players == 2:
                values[player] = 0 if many == 2 else (1 if rank[player] == best else -1)
            else:
                values[player] = 12 // many if rank[player] == best else 0
        elif five:
            values[player] = 1000 if rank[player] == best else -1000
        elif g.players == 2:
            values[player] = total[player] - total[1 - player]
        else:
            values[player] = total[player]


cdef inline uint64_t random_bits(uint64_t *seed) noexcept nogil:
    """splitmix64."""
    seed[0] += 0x9E3779B97F4A7C15ULL
    cdef uint64_t z = seed[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline int below(uint64_t *seed, int number) noexcept nogil:
    return <int>((random_bits(seed) >> 32) * <uint64_t>number >> 32)


cdef int drawn_card(const Game *g, uint64_t *seed) noexcept nogil:
    """The card on top of the pile, or a random one of a shuffled pile."""
    cdef int card, left
    if not g.shuffled:
        return g.deck[g.deck_at]
    left = below(seed, g.pile)
    for card in range(10):
        left -= g.copies[card]
        if left < 0:
            return card
    return 0
