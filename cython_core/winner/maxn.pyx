"""Exact search over the full rules: max^n for three and four hands, alpha-beta where two hold cards.

This search supports every option and makes no use of equivalences, so it is the one that small positions of any kind are
solved by and the fast two-player search (proof_search.pyx) is checked against. Keys are kept in full: an entry is believed
only when all of its position is the same. A position inside a trick whose beaten combinations still count
(fours=into_hand) is not stored. What a ply needs, its moves and the position after one of them, lies on the heap: a thread
with a small stack can search.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from exactplay.cython_core.toolkit.bits cimport xp_mix64
from exactplay.cython_core.winner.position cimport (
    FOURS_INTO_HAND, IS_OVER, MoveList, OBJ_SCORE, OBJ_WIN, Position, Table, cards_in, copy_table, do_move,
    final_points, holders, list_moves, next_holder, sort_moves, to_move,
)

cdef enum:
    KEY_WORDS = 12
    MAX_PLY = 1024
    POLL = 1 << 16               # nodes and moves listed between two looks at signals and the limit of time
    LONGEST_LIST = 1 << 19       # moves of a position that is searched: their lists stay below 0.2 seconds
    ALL_LISTS = 1 << 21          # moves of all positions on the way, 64 MiB

cdef struct Entry:
    uint64_t key[KEY_WORDS]
    int16_t value[4]             # max^n: the vector; alpha-beta: value[0] lower, value[1] upper bound
    uint8_t used, tied

cdef struct Ply:
    MoveList moves
    Table child

cdef struct Search:
    Entry* table
    uint64_t mask                # entries - 1
    uint64_t filled
    Ply* plies[MAX_PLY]
    Py_ssize_t room              # moves that lists may still grow by
    uint64_t nodes, limit, work, next_poll
    int objective, pivot         # alpha-beta: values are for the seat `pivot`, the first that holds cards
    int aborted, failed, crowded # ended; out of memory; too many moves to list
    void* callback               # a borrowed object: None or a function of the nodes so far
    void* raised                 # a borrowed list: what a poll raised, until the search has unwound


cdef bint poll(Search* s) noexcept with gil:
    """Let Ctrl-C and the caller's clock in; True ends the search."""
    s.next_poll = s.work + POLL
    try:
        PyErr_CheckSignals()
        callback = <object>s.callback
        return callback is not None and callback(s.nodes)
    except BaseException as error:
        (<list>s.raised).append(error)
        return True


cdef inline bint stop(Search* s) noexcept nogil:
    s.nodes += 1
    s.work += 1
    if s.nodes >= s.limit or (s.work >= s.next_poll and poll(s)):
        s.aborted = 1
    return s.aborted


cdef void make_key(const Search* s, const Table* t, uint64_t* key) noexcept nogil:
    cdef int seat
    cdef uint64_t state
    for seat in range(4):
        key[seat] = t.a[seat] if seat < t.players else 0
        key[4 + seat] = t.b[seat] if seat < t.players else 0
    state = <uint64_t>t.turn | <uint64_t>(t.owner + 1) << 3 | <uint64_t>t.reversed_order << 6
    # History counts only where it can still be scored.
    if s.objective == OBJ_SCORE:
        state |= <uint64_t>t.played << 7
    for seat in range(t.n_out):
        state |= <uint64_t>(t.out[seat] + 1) << (11 + 3 * seat)
    key[8] = state
    key[9] = key[10] = key[11] = 0
    if t.depth:
        key[9] = (<uint64_t>t.stack[0].kind | <uint64_t>t.stack[0].length << 8 | <uint64_t>t.stack[0].height << 16
                  | <uint64_t>t.stack[0].suit << 24)
        if t.fours == FOURS_INTO_HAND:
            key[10], key[11] = t.stack[0].a, t.stack[0].b


cdef Entry* find(const Search* s, const uint64_t* key) noexcept nogil:
    """The slot of a key: of four neighbours the one that holds it, else one to write over."""
    cdef uint64_t h = 0
    cdef int i
    cdef Entry* entry
    for i in range(KEY_WORDS):
        h = xp_mix64(h ^ key[i]) + i
    cdef uint64_t base = h & s.mask & ~<uint64_t>3
    for i in range(4):
        entry = &s.table[base + i]
        if not entry.used:
            return entry
        if memcmp(entry.key, key, KEY_WORDS * sizeof(uint64_t)) == 0:
            return entry
    return &s.table[base + ((h >> 60) & 3)]


cdef void terminal(const Search* s, const Table* t, int* value) noexcept nogil:
    cdef int seat
    if s.objective == OBJ_WIN:
        for seat in range(t.players):
            value[seat] = 1 if seat == t.out[0] else 0
    else:
        final_points(t, value)


cdef bint decided(const Search* s, const Table* t) noexcept nogil:
    return to_move(t) == IS_OVER or (s.objective == OBJ_WIN and t.n_out > 0)


cdef Ply* moves_of(Search* s, const Table* t, int ply, bint in_order) noexcept nogil:
    """The legal moves of a position, in the memory of a ply; NULL where they do not fit."""
    cdef Ply* here
    cdef Py_ssize_t before
    if ply >= MAX_PLY:
        s.failed = s.aborted = 1
        return NULL
    here = s.plies[ply]
    if here == NULL:
        here = s.plies[ply] = <Ply*>calloc(1, sizeof(Ply))
        if here == NULL:
            s.failed = s.aborted = 1
            return NULL
    before = here.moves.room
    here.moves.most = min(<Py_ssize_t>LONGEST_LIST, before + s.room)
    if not list_moves(t, &here.moves):
        # Memory that ran out before the list was at its longest did so for good.
        s.crowded = here.moves.room >= here.moves.most
        s.failed = not s.crowded
        s.aborted = 1
        return NULL
    s.room -= here.moves.room - before
    s.work += here.moves.count
    if in_order:
        sort_moves(&here.moves)
    return here


cdef int duel(Search* s, const Table* t, int ply, int alpha, int beta) noexcept nogil:
    """Fail-soft alpha-beta; the value is the pivot's points minus the other's (win: 1 or -1; place: 1 or -1)."""
    cdef uint64_t key[KEY_WORDS]
    cdef Entry* entry = NULL
    cdef Ply* here
    cdef int points[4]
    cdef int seat = to_move(t), i, found, best, low = -32768, high = 32767, first_alpha = alpha, first_beta = beta
    cdef Py_ssize_t m
    cdef int rank, round_
    if decided(s, t):
        if s.objective == OBJ_SCORE:
            terminal(s, t, points)
            return points[s.pivot] - points[1 - s.pivot]
        # Win, or the place among the two that still held cards: the last one to go out is the better of them.
        return 1 if t.out[t.n_out - 1] == s.pivot else -1
    if stop(s):
        return 0
    cdef bint stored = t.depth <= 1 and t.exchange == 0
    if stored:
        make_key(s, t, key)
        entry = find(s, key)
        if entry.used and memcmp(entry.key, key, sizeof(key)) == 0:
            low, high = entry.value[0], entry.value[1]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
    here = moves_of(s, t, ply, False)
    if here == NULL:
        return 0
    cdef bint maximise = seat == s.pivot
    best = -32768 if maximise else 32767
    # Most cards first: the larger a combination, the sooner the hand is empty.
    for round_ in range(13, -1, -1):
        for m in range(here.moves.count):
            rank = min(13, cards_in(here.moves.moves[m].a, here.moves.moves[m].b))
            if rank != round_:
                continue
            copy_table(&here.child, t)
            do_move(&here.child, &here.moves.moves[m])
            found = duel(s, &here.child, ply + 1, alpha, beta)
            if s.aborted:
                return 0
            if maximise:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            if alpha >= beta:
                break
        if alpha >= beta:
            break
    if stored:
        entry = find(s, key)
        if not (entry.used and memcmp(entry.key, key, sizeof(key)) == 0):
            s.filled += not entry.used
            memcpy(entry.key, key, sizeof(key))
            entry.used = 1
            entry.value[0], entry.value[1] = -32768, 32767
        # Fail-soft: at or below alpha the value is an upper bound, at or above beta a lower one.
        if best > first_alpha:
            entry.value[0] = max(entry.value[0], best)
        if best < first_beta:
            entry.value[1] = min(entry.value[1], best)
    return best


cdef int maxn(Search* s, const Table* t, int ply, int* value) noexcept nogil:
    """The vector of max^n; among moves equal for the mover the first in text order. Returns whether a tie was broken
    between different vectors on the way."""
    cdef uint64_t key[KEY_WORDS]
    cdef Entry* entry = NULL
    cdef Ply* here
    cdef int found[4]
    cdef int seat = to_move(t), i, tied = 0, best = -32768
    cdef Py_ssize_t m
    if decided(s, t):
        terminal(s, t, value)
        return 0
    # Only places are still played for among the last two, and between them that is a game of two.
    if holders(t) == 2:
        for i in range(t.players):
            value[i] = 0
        for i in range(t.n_out):
            value[t.out[i]] = t.players - 1 - i
        s.pivot = next_holder(t, t.players - 1)
        found[0] = duel(s, t, ply, -1, 1)
        value[s.pivot if found[0] > 0 else next_holder(t, s.pivot)] = 1
        return 0
    if stop(s):
        return 0
    cdef bint stored = t.depth <= 1 and t.exchange == 0
    if stored:
        make_key(s, t, key)
        entry = find(s, key)
        if entry.used and memcmp(entry.key, key, sizeof(key)) == 0:
            for i in range(4):
                value[i] = entry.value[i]
            return entry.tied
    here = moves_of(s, t, ply, True)
    if here == NULL:
        return 0
    for m in range(here.moves.count):
        copy_table(&here.child, t)
        do_move(&here.child, &here.moves.moves[m])
        tied |= maxn(s, &here.child, ply + 1, found)
        if s.aborted:
            return 0
        if found[seat] > best:
            best = found[seat]
            for i in range(t.players):
                value[i] = found[i]
        elif found[seat] == best:
            for i in range(t.players):
                tied |= found[i] != value[i]
    if stored:
        # The slot is looked up again: deeper nodes may have taken it.
        entry = find(s, key)
        s.filled += not entry.used
        memcpy(entry.key, key, sizeof(key))
        entry.used, entry.tied = 1, tied
        for i in range(4):
            entry.value[i] = value[i] if i < t.players else 0
    return tied


@cython.final
cdef class MaxN:
    """The values of positions of one game; the table is kept from one to the next.

    Args:
        objective: 0 win, 1 score, 2 place.
        table_bytes: of the table, which has four entries at the least. Lists of moves take 64 MiB at the most besides.

    Two threads may not search with one object at the same time.
    """

    cdef Search s
    cdef bint busy

    def __cinit__(self, int objective, uint64_t table_bytes):
        cdef uint64_t entries = 4
        while 2 * entries * sizeof(Entry) <= table_bytes:
            entries *= 2
        self.s.table = <Entry*>calloc(entries, sizeof(Entry))
        if self.s.table == NULL:
            raise MemoryError
        self.s.mask = entries - 1
        self.s.objective = objective
        self.s.room = ALL_LISTS

    def __dealloc__(self):
        cdef int i
        free(self.s.table)
        for i in range(MAX_PLY):
            if self.s.plies[i] != NULL:
                free(self.s.plies[i].moves.moves)
                free(self.s.plies[i])

    @property
    def nodes(self) -> int:
        """Positions searched for the last question."""
        return self.s.nodes

    @property
    def fill(self) -> float:
        """The part of the table in use, 0 to 1."""
        return self.s.filled / <double>(self.s.mask + 1)

    @property
    def crowded(self) -> bool:
        """Whether the last question ended because a position has too many moves to list."""
        return bool(self.s.crowded)

    def values(self, Position position, uint64_t nodes, poll=None) -> list[tuple[tuple[int, ...], bool] | None]:
        """What each legal move leads to, in text order: (vector, tied), or None where a limit ended the search before.

        Where two hold cards the vector is (v,): for the seat to act its points minus the other's, or 1 for being out before
        the other, else -1. Else it is that of max^n, one number a seat; `tied` says that it rests on how ties were broken.
        No move at all is answered where the position has too many to list.

        Args:
            position: one in which the objective is not settled.
            nodes: searched at the most.
            poll: called now and then with the nodes so far; a true answer ends the search.
        """
        cdef Search* s = &self.s
        cdef const Table* t = &position.t
        cdef Ply* root
        cdef int value[4]
        cdef int i, found = 0, tied, two = holders(t) == 2, sign
        cdef Py_ssize_t m
        if self.busy:
            raise RuntimeError("this MaxN is at work in another thread; give each thread its own")
        if decided(s, t):
            raise ValueError("the objective is settled")
        s.nodes = s.work = 0
        s.limit, s.next_poll = nodes, POLL
        s.aborted = s.failed = s.crowded = 0
        s.pivot = next_holder(t, t.players - 1)
        sign = 1 if to_move(t) == s.pivot else -1
        raised: list[BaseException] = []
        s.callback, s.raised = <void*>poll, <void*>raised
        answers: list[tuple[tuple[int, ...], bool] | None] = []
        self.busy = True
        try:
            with nogil:
                root = moves_of(s, t, 0, True)
            if s.failed:
                raise MemoryError
            if root == NULL:
                return answers
            for m in range(root.moves.count):
                tied = 0
                with nogil:
                    copy_table(&root.child, t)
                    do_move(&root.child, &root.moves.moves[m])
                    if two:
                        found = sign * duel(s, &root.child, 1, -32768, 32767)
                    else:
                        tied = maxn(s, &root.child, 1, value)
                if s.failed:
                    raise MemoryError
                if raised:
                    raise raised[0]
                if s.aborted:
                    answers.append(None)
                else:
                    answers.append(((found,) if two else tuple(value[i] for i in range(t.players)), bool(tied)))
            return answers
        finally:
            self.busy = False
