"""Walk the Dogs: positions, the rules move by move, games played out. position.pxd is the page to read.

Random games: 80,000 a second, 480 times the reference.
"""
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_below

import numpy as np


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


cdef int drawn_card(const Game *g, uint64_t *seed) noexcept nogil:
    """The card on top of the pile, or a random one of a shuffled pile."""
    cdef int card, left
    if not g.shuffled:
        return g.deck[g.deck_at]
    left = <int>xp_below(seed, g.pile)
    for card in range(10):
        left -= g.copies[card]
        if left < 0:
            return card
    return 0


cdef inline int gain(const Game *g, int code) noexcept nogil:
    """Points that a move brings at once, own gain plus the victim's loss; five in a row outweighs everything."""
    cdef Line line = g.lines[g.turn]
    cdef int i, run, total, kind = code & 7
    cdef int in_front = code >> 10 & 3
    cdef const Line *other
    if kind > LEASH:
        return 0
    total = -line_points(&line, &run)
    for i in range(in_front - 1, -1, -1):
        line_put(&line, code >> (14 + 3 * i) & 7, True)
    for i in range(in_front, in_front + (code >> 12 & 3)):
        line_put(&line, code >> (14 + 3 * i) & 7, False)
    total += line_points(&line, &run)
    if run >= 5:
        return 10000
    if kind == LEASH:
        other = &g.lines[code >> 7 & 3]
        total += 2 * end_group(other, code >> 9 & 1) - 1
    return total


cdef int play_out(Game *g, uint64_t *seed, bint greedy) noexcept nogil:
    """Play to the end; the number of decisions and draws."""
    cdef int moves[MAX_MOVES]
    cdef int i, who, count, value, best, ties, chosen, plies = 0
    while True:
        who = acting(g)
        if who == OVER:
            return plies
        plies += 1
        if who == CHANCE:
            turn_up(g, drawn_card(g, seed))
            continue
        count = legal(g, moves)
        if not greedy or count == 1:
            do_move(g, moves[<int>xp_below(seed, count)])
            continue
        best = -1000000
        ties = 0
        chosen = 0
        for i in range(count):
            value = gain(g, moves[i])
            if value > best:
                best = value
                ties = 0
            if value == best:
                ties += 1
                if <int>xp_below(seed, ties) == 0:
                    chosen = i
        do_move(g, moves[chosen])


cdef void new_game(Game *g, int players, bint special, bint advanced, bint any_order, uint64_t *seed) noexcept nogil:
    """A random first position: 63 dogs in a row, two plain cards each, the rest a shuffled pile."""
    cdef int i, j, card, player
    cdef uint8_t dog
    memset(g, 0, sizeof(Game))
    g.players = players
    g.advanced = advanced
    g.any_order = any_order
    g.shuffled = True
    g.back = 63
    for i in range(63):
        g.middle[i] = i // 9
    for i in range(62, 0, -1):
        j = <int>xp_below(seed, i + 1)
        dog = g.middle[i]
        g.middle[i] = g.middle[j]
        g.middle[j] = dog
    for card in range(7):
        g.copies[card] = 6
    g.pile = 42
    if special:
        g.copies[LE] = 3
        g.copies[BO] = 5
        g.copies[DC] = 3
        g.pile = 53
    for player in range(players):
        g.lines[player].front = BUFFER // 2
        i = 0
        while i < 2:
            card = drawn_card(g, seed)
            if card < BO:
                g.copies[card] -= 1
                g.pile -= 1
                g.hands[player][card] += 1
                i += 1
    g.phase = PLAYING
    if not advanced:
        start_draw(g)


@cython.final
cdef class Position:
    """A position; the caller has checked it.

    ``options``: bit 0 advanced, bit 1 the dogs of a card in any order. ``deck`` and ``discards`` hold card numbers,
    ``hands`` one bytes object of card numbers a player, ``lines`` and ``middle`` dogs. ``phase`` 0 draw, 1 catch, 2 play.
    """

    def __init__(self, int options, bytes middle, list lines, list hands, bytes deck, bint shuffled, int turn,
                 bytes bones, bytes discards, int phase, int chooser, int passes):
        cdef Game *g = &self.game
        cdef int player, i, run
        memset(g, 0, sizeof(Game))
        g.players = len(lines)
        g.advanced = options & 1
        g.any_order = options >> 1 & 1
        g.shuffled = shuffled
        g.turn = turn
        g.phase = phase
        g.chooser = chooser
        g.passes = passes
        g.back = len(middle)
        for i, dog in enumerate(middle):
            g.middle[i] = dog
        g.pile = g.deck_size = len(deck)
        for i, card in enumerate(deck):
            g.deck[i] = card
            g.copies[<int>card] += 1
        for card in discards:
            g.discards[<int>card] += 1
            g.plain_discards += card != DC
        for player in range(g.players):
            g.bones[player] = bones[player]
            for card in <bytes>hands[player]:
                g.hands[player][<int>card] += 1
            g.lines[player].front = BUFFER // 2
            for dog in <bytes>lines[player]:
                line_put(&g.lines[player], dog, False)
            line_points(&g.lines[player], &run)
            g.five = g.five or run >= 5

    cdef Position copy(self):
        cdef Position other = Position.__new__(Position)
        other.game = self.game
        return other

    @property
    def to_move(self) -> int:
        """The player to act, -1 where chance is, -2 at the end."""
        return acting(&self.game)

    def moves(self) -> list[int]:
        """The legal moves of the player to act, as integers; no two make the same."""
        cdef int moves[MAX_MOVES]
        cdef int count = legal(&self.game, moves) if acting(&self.game) >= 0 else 0
        cdef int i
        return [moves[i] for i in range(count)]

    def draws(self) -> list[tuple[int, int]]:
        """At a draw: the cards that may come and the number of copies of each."""
        if acting(&self.game) != CHANCE:
            return []
        if not self.game.shuffled:
            return [(self.game.deck[self.game.deck_at], 1)]
        cdef int card
        return [(card, self.game.copies[card]) for card in range(10) if self.game.copies[card]]

    def play(self, int code) -> Position:
        """The position after a move or, with a ``turn up`` code, a draw."""
        cdef Position after = self.copy()
        do_move(&after.game, code)
        return after

    def line_after(self, int code) -> bytes:
        """The line of the player to act after a move that adds dogs."""
        cdef const Line *line = &self.game.lines[self.game.turn]
        cdef int i
        return bytes([placed(line, code, i) for i in range(line.length + (code >> 10 & 3) + (code >> 12 & 3))])

    def fields(self) -> tuple[bytes, list[bytes], list[bytes], bytes, int, bytes, bytes, int, int, int]:
        """middle, lines, hands, deck, turn, bones, discards, phase, chooser (-1 but in phase catch), passes."""
        cdef Game *g = &self.game
        cdef int card, player, i
        cdef list lines = [], hands = []
        for player in range(g.players):
            lines.append(bytes([g.lines[player].dogs[g.lines[player].front + i] for i in range(g.lines[player].length)]))
            hands.append(b"".join([bytes([card]) * g.hands[player][card] for card in range(8)]))
        if g.shuffled:
            deck = b"".join([bytes([card]) * g.copies[card] for card in range(10)])
        else:
            deck = bytes([g.deck[i] for i in range(g.deck_at, g.deck_size)])
        return (
            bytes([g.middle[i] for i in range(g.front, g.back)]), lines, hands, deck, g.turn,
            bytes([g.bones[player] for player in range(g.players)]),
            b"".join([bytes([card]) * g.discards[card] for card in range(10)]), g.phase,
            g.chooser if g.phase == CATCHING else -1, g.passes,
        )

    def points(self) -> list[int]:
        """The points of each player as it stands."""
        cdef int player, run
        return [
            line_points(&self.game.lines[player], &run) + 3 * self.game.bones[player]
            for player in range(self.game.players)
        ]

    def play_out(self, list codes, int games, uint64_t seed, bint by_points):
        """After each move of ``codes``, ``games`` games in which everyone plays greedily (random among equals).

        A ``float64[len(codes), players]`` array of the mean utilities.
        """
        cdef int number = len(codes)
        means = np.zeros((number, self.game.players))
        cdef double[:, ::1] out = means
        cdef int values[4]
        cdef int i, k, player, code
        cdef uint64_t state
        cdef Game game
        for i in range(number):
            code = codes[i]
            state = seed
            with nogil:
                for k in range(games):
                    game = self.game
                    do_move(&game, code)
                    play_out(&game, &state, True)
                    utilities(&game, by_points, values)
                    for player in range(game.players):
                        out[i, player] += values[player]
        means /= games
        return means

    def settled(self) -> bool:
        """Whether no choice is left that the hidden cards could matter to.

        The order of the pile must be known. Every decision still to come is either the only one, or one of which every
        choice ends the game, and the pile does not run out while there are discards to shuffle.
        """
        cdef Game game = self.game
        cdef int moves[MAX_MOVES]
        cdef int i, count, who
        cdef bint drew = False
        cdef Game after
        while True:
            who = acting(&game)
            if who == OVER:
                return True
            if who == CHANCE:
                # Bones and catchers are put aside; only another card ends the drawing.
                drew = game.deck[game.deck_at] < BO
                turn_up(&game, game.deck[game.deck_at])
                continue
            if (game.pile == 0 if game.advanced else not drew) and game.plain_discards > 0:
                return False
            drew = False
            count = legal(&game, moves)
            if count == 1:
                do_move(&game, moves[0])
                continue
            for i in range(count):
                after = game
                do_move(&after, moves[i])
                if acting(&after) != OVER:
                    return False
            return True


def random_games(int players, bint special, bint advanced, bint any_order, int64_t games, uint64_t seed):
    """Play whole random games: ``int64[players + 3]``: points summed by player, then decisions and draws, fives, games."""
    sums = np.zeros(players + 3, dtype=np.int64)
    cdef int64_t[::1] out = sums
    cdef Game game
    cdef int64_t k
    cdef int player, run
    with nogil:
        for k in range(games):
            new_game(&game, players, special, advanced, any_order, &seed)
            out[players] += play_out(&game, &seed, False)
            for player in range(players):
                out[player] += line_points(&game.lines[player], &run) + 3 * game.bones[player]
            out[players + 1] += game.five
            out[players + 2] += 1
    return sums
