# Walk the Dogs on one struct: the rules, move by move, for two to four players under every option. Searches cimport it.
#
# Hands and piles are counted, lines lie in buffers that grow at both ends. Dogs are 0 to 6, cards 0 to 9
# (g1 g2 g3 r1 r2 r3 y le bo dc). A move is one integer: bits 0-2 kind, 3-6 card, 7-8 victim, 9 end (1: back), 10-11 number
# of dogs put in front, 12-13 number put behind, 14-22 these dogs as they will stand: the front part front first, then the
# back part. Two moves are the same when they make the same line, which is compared dog by dog only where the number of dogs
# put in front differs.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memmove

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

# what a card drawn brings
cdef void turn_up(Game *g, int card) noexcept nogil
# every distinct line that some dogs can make, as moves; the new count
cdef int add_ways(const Game *g, int kind, int card, int victim, bint back, const uint8_t *dogs, int number,
                  int *moves, int count) noexcept nogil
# the moves of the player to act, no two of which make the same; their number
cdef int legal(const Game *g, int *moves) noexcept nogil
# play a move
cdef void do_move(Game *g, int code) noexcept nogil
# what the end is worth to each player
cdef void utilities(const Game *g, bint by_points, int *values) noexcept nogil
# the card on top of the pile, or a random one of a shuffled pile
cdef int drawn_card(const Game *g, uint64_t *seed) noexcept nogil


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


cdef class Position:
    cdef Game game

    cdef Position copy(self)
