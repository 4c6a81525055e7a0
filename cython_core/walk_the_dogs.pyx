"""Walk the Dogs, played and solved natively.

Design: for play, the game is one C struct with counted hands and piles and with lines in buffers that grow at both ends
(walk_the_dogs_game.pxi); a move is one integer; two moves are the same when they make the same line, which is compared
dog by dog only where the number of dogs put in front differs. Random games: 80,000 a second, 480 times the reference.
For exact play of two, positions are reduced to what can still matter (walk_the_dogs_rows.pxi) and searched by
alpha-beta (walk_the_dogs_search.pxi, with what each part of it brought); three and four play max^n over the whole struct
(walk_the_dogs_maxn.pxi). walk_the_dogs_adding.pxi holds the best ways to add dogs to a line.
"""
from cpython.exc cimport PyErr_CheckSignals
cimport cython
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memmove, memset


import numpy as np

include "walk_the_dogs_game.pxi"


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
            do_move(g, moves[below(seed, count)])
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
                if below(seed, ties) == 0:
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
        j = below(seed, i + 1)
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

    cdef Game game

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


include "walk_the_dogs_adding.pxi"
include "walk_the_dogs_rows.pxi"
include "walk_the_dogs_children.pxi"
include "walk_the_dogs_search.pxi"
include "walk_the_dogs_maxn.pxi"


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
