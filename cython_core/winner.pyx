"""Winner (Zheng Shangyou) on packed bits: every rule option, two to four players, one or two decks.

Design: a hand is one word of 54 bits (a second word for second copies), a position a C struct that is copied, not undone:
a copy costs 15 ns and undoing costs as much in code. Combinations of a rank come from a table over its nibbles; rows are
extended rank by rank. Text order, which decides ties in max^n, is a table over cards, so that no text is made.

Two-player positions of one deck are solved by winner_duel.pyx; here are the rules, random play and the search that
supports everything.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

include "winner_rules.pxi"
include "winner_search.pxi"


@cython.final
cdef class Game:
    """A position and the way back from it.

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

    The caller has validated the position; numbers out of range are refused with ValueError.
    """

    cdef Position p
    cdef Position* history
    cdef int height, room
    cdef Buffer buffer

    def __cinit__(self, hands, int turn, stack, int owner, int played, out, bint reversed_order, exchange, rules):
        if not 2 <= len(hands) <= 4 or len(stack) > MAX_STACK or len(out) > 4 or not 0 <= turn < len(hands):
            raise ValueError("2 to 4 hands, a seat to act and a trick of possible length are needed")
        memset(&self.p, 0, sizeof(Position))
        self.p.players, self.p.turn, self.p.owner, self.p.played = len(hands), turn, owner, played
        for seat, (a, b) in enumerate(hands):
            self.p.a[seat], self.p.b[seat] = a, b
        for a, b, kind, length, height, suit in stack:
            self.p.stack[self.p.depth] = Move(a, b, ACT_PLAY, kind, length, height, suit)
            self.p.depth += 1
        for seat in out:
            self.p.out[self.p.n_out] = seat
            self.p.n_out += 1
        self.p.reversed_order = reversed_order
        if exchange is not None:
            self.p.ex_winner, self.p.ex_loser, self.p.offer_a, self.p.offer_b = exchange
            self.p.exchange = 2 if self.p.offer_a else 1
        self.p.fours, self.p.first_out, self.p.tiebreak, self.p.bomb_variation, self.p.revolution = rules
        self.buffer.moves = <Move*>malloc(64 * sizeof(Move))
        self.buffer.room = 64
        if self.buffer.moves == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.buffer.moves)
        free(self.history)

    @property
    def to_move(self) -> int:
        """The seat to act, or -2 when the hand is over."""
        return to_move(&self.p)

    cdef int fill(self) except -1:
        list_moves(&self.p, &self.buffer)
        if self.buffer.failed:
            raise MemoryError
        qsort(self.buffer.moves, self.buffer.count, sizeof(Move), text_order)
        return 0

    def moves(self) -> list[tuple[int, int, int]]:
        """The legal moves in text order, each (action, a, b); actions 0 play, 1 fours, 2 pass, 3 offer, 4 take."""
        self.fill()
        cdef Py_ssize_t i
        return [(self.buffer.moves[i].action, self.buffer.moves[i].a, self.buffer.moves[i].b)
                for i in range(self.buffer.count)]

    def play(self, int action, uint64_t a, uint64_t b) -> None:
        """Play a legal move; ValueError for any other."""
        cdef Position* grown
        cdef Py_ssize_t i
        list_moves(&self.p, &self.buffer)
        for i in range(self.buffer.count):
            if self.buffer.moves[i].action == action and self.buffer.moves[i].a == a and self.buffer.moves[i].b == b:
                break
        else:
            raise ValueError("not a legal move")
        if self.height == self.room:
            grown = <Position*>realloc(self.history, (2 * self.room + 8) * sizeof(Position))
            if grown == NULL:
                raise MemoryError
            self.history = grown
            self.room = 2 * self.room + 8
        self.history[self.height] = self.p
        self.height += 1
        do_move(&self.p, &self.buffer.moves[i])

    def undo(self) -> None:
        """Take the last move back; IndexError when there is none."""
        if self.height == 0:
            raise IndexError("no move to take back")
        self.height -= 1
        self.p = self.history[self.height]

    def scores(self) -> tuple[int, ...]:
        """At the end: points, or places where the hand goes on to the Loser."""
        cdef int points[4]
        if to_move(&self.p) != -2:
            raise ValueError("the hand is not over")
        final_points(&self.p, points)
        return tuple(points[seat] for seat in range(self.p.players))

    def fields(self) -> tuple[object, ...]:
        """(hands, turn, stack, owner, played, out, reversed_order, exchange) in the form of the constructor."""
        cdef Position* p = &self.p
        exchange = (p.ex_winner, p.ex_loser, p.offer_a, p.offer_b) if p.exchange else None
        return (
            [(p.a[seat], p.b[seat]) for seat in range(p.players)], p.turn,
            [(p.stack[i].a, p.stack[i].b, p.stack[i].kind, p.stack[i].length, p.stack[i].height, p.stack[i].suit)
             for i in range(p.depth)],
            p.owner, p.played, [p.out[i] for i in range(p.n_out)], bool(p.reversed_order), exchange,
        )

    def random_games(self, int games, uint64_t seed, int objective=-1) -> tuple[int, list[int]]:
        """Play games from here to their end with uniformly random moves.

        Returns the number of moves played and the sum of each seat's results: the scores, or of objective 0 the games in
        which it was first out.
        """
        cdef Position p
        cdef Move move
        cdef int points[4]
        cdef int64_t total[4]
        cdef int64_t plies = 0
        cdef int game, seat
        cdef uint64_t state = seed
        for seat in range(4):
            total[seat] = 0
        with nogil:
            for game in range(games):
                copy_position(&p, &self.p)
                while to_move(&p) != -2:
                    random_move(&p, &self.buffer, &state, &move)
                    if self.buffer.failed:
                        break
                    do_move(&p, &move)
                    plies += 1
                if self.buffer.failed:
                    break
                if objective == OBJ_WIN:
                    total[p.out[0]] += 1
                else:
                    final_points(&p, points)
                    for seat in range(p.players):
                        total[seat] += points[seat]
                if game & 1023 == 1023:
                    with gil:
                        PyErr_CheckSignals()
        if self.buffer.failed:
            raise MemoryError
        return plies, [total[seat] for seat in range(self.p.players)]

    def solve(self, int objective, uint64_t limit, int table_mb, callback=None):
        """The value of every legal move, in text order.

        Args:
            objective: 0 win, 1 score, 2 place.
            limit: nodes at most.
            table_mb: size of the table in MiB, at least 1.
            callback: called now and then with the nodes so far; a true answer ends the search.

        Returns:
            (values, nodes, fill): for each move None (not reached before the end) or (vector, tied). Where two hold cards the
            vector is (v,): for the seat to act its points minus the other's, or 1 for being out before the other, else -1.
            Else it is that of max^n, one number a seat; `tied` says that it rests on how ties were broken.
        """
        cdef Search s
        cdef Position child
        cdef int value[4]
        cdef int i, found = 0, tied, two
        cdef uint64_t entries = 4
        cdef Buffer roots
        cdef Py_ssize_t m
        memset(&s, 0, sizeof(Search))
        while 2 * entries * sizeof(Entry) <= <uint64_t>table_mb << 20:
            entries *= 2
        self.fill()
        two = holders(&self.p) == 2
        if objective == OBJ_WIN and self.p.n_out:
            raise ValueError("who wins is settled")
        s.table = <Entry*>calloc(entries, sizeof(Entry))
        s.ply_room = 1024
        s.buffers = <Buffer*>calloc(s.ply_room, sizeof(Buffer))
        roots.moves = <Move*>malloc((self.buffer.count + 1) * sizeof(Move))
        if s.table == NULL or s.buffers == NULL or roots.moves == NULL:
            free(s.table)
            free(s.buffers)
            free(roots.moves)
            raise MemoryError
        roots.count = self.buffer.count
        memcpy(roots.moves, self.buffer.moves, roots.count * sizeof(Move))
        s.mask = entries - 1
        s.limit, s.next_poll = limit, POLL
        s.objective, s.pivot = objective, to_move(&self.p)
        raised = []
        s.callback, s.raised = <void*>callback, <void*>raised
        values = []
        try:
            for m in range(roots.count):
                tied = 0
                with nogil:
                    copy_position(&child, &self.p)
                    do_move(&child, &roots.moves[m])
                    if two:
                        found = duel(&s, &child, 0, -32768, 32767)
                    else:
                        tied = maxn(&s, &child, 0, value)
                if s.failed:
                    raise MemoryError
                if raised:
                    raise raised[0]
                if s.aborted:
                    values.append(None)
                else:
                    values.append(((found,) if two else tuple(value[i] for i in range(self.p.players)), bool(tied)))
            return values, s.nodes, s.filled / <double>entries
        finally:
            for i in range(s.ply_room):
                free(s.buffers[i].moves)
            free(s.buffers)
            free(s.table)
            free(roots.moves)
