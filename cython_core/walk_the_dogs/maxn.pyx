"""Walk the Dogs: max^n of three or four with open hands and a known order of the pile, each position once.

Each player takes what is best for himself; where several moves are, the others' values depend on which he takes. So
a position has a low and a high value for every player, the same wherever ties do not matter; what any way of
breaking ties gives lies between them. A line and its mirror image are one position.

What a ply needs, its moves, their values and the position after one of them, lies on the heap: a thread with a small
stack can search.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from exactplay.cython_core.walk_the_dogs.position cimport *

cdef enum:
    KEY = 64            # bytes
    WORDS = 8

cdef struct Known:
    uint8_t key[KEY]
    int16_t low[4]
    int16_t high[4]
    bint used

cdef struct Ply:
    Game after          # the position after one of the moves
    int moves[MAX_MOVES]
    int lows[MAX_MOVES][4]
    int highs[MAX_MOVES][4]
    Ply *next           # NULL where no line has come so far yet

cdef struct Maxn:
    Ply *plies
    Known *table
    int64_t size, filled, limit
    int64_t nodes, node_limit, next_look
    bint by_points
    int stop            # 1: limit, 2: exception
    void *owner


cdef void maxn_key(const Game *g, uint8_t *key) noexcept nogil:
    """Hands 16 bytes, 9 of the turn, lengths 4, bones 4; the dogs of all lines, 8 in 3 bytes."""
    cdef int player, i, at = 33, bit = 0, card
    cdef uint8_t first, second
    cdef const Line *line
    cdef bint reverse
    memset(key, 0, KEY)
    for player in range(g.players):
        for card in range(8):
            key[4 * player + card // 2] |= g.hands[player][card] << (4 * (card & 1))
        line = &g.lines[player]
        key[25 + player] = line.length
        key[29 + player] = g.bones[player]
        reverse = False
        for i in range(line.length // 2):
            first = line.dogs[line.front + i]
            second = line.dogs[line.front + line.length - 1 - i]
            if first != second:
                reverse = first > second
                break
        for i in range(line.length):
            first = line.dogs[line.front + (line.length - 1 - i if reverse else i)]
            key[at + bit // 8] |= <uint8_t>(first << (bit % 8))
            if bit % 8 > 5:
                key[at + bit // 8 + 1] |= first >> (8 - bit % 8)
            bit += 3
    key[16] = g.front
    key[17] = g.back
    key[18] = g.deck_at
    key[19] = g.turn
    key[20] = g.phase
    key[21] = g.chooser if g.phase == CATCHING else 0
    key[22] = g.passes


cdef uint64_t hash_bytes(const uint8_t *key) noexcept nogil:
    cdef uint64_t words[WORDS]
    cdef uint64_t h = 0x9E3779B97F4A7C15ULL
    cdef int i
    memcpy(words, key, KEY)
    for i in range(WORDS):
        h = (h ^ words[i]) * 0xD6E8FEB86659FD93ULL
        h ^= h >> 32
    return h


cdef Known *known_place(Known *table, int64_t size, const uint8_t *key) noexcept nogil:
    """The entry of a key, or the free one where it belongs."""
    cdef int64_t at = <int64_t>(hash_bytes(key) % <uint64_t>size)
    while table[at].used and memcmp(table[at].key, key, KEY) != 0:
        at = at + 1 if at + 1 < size else 0
    return &table[at]


cdef void know(Maxn *m, const uint8_t *key, const int *low, const int *high) noexcept nogil:
    """Store a position; the table doubles when it is two thirds full."""
    cdef Known *larger
    cdef Known *entry
    cdef int64_t i
    if 3 * m.filled >= 2 * m.size:
        larger = <Known *>calloc(2 * m.size, sizeof(Known)) if m.size < m.limit else NULL
        if larger == NULL:
            m.stop = 1
            return
        for i in range(m.size):
            if m.table[i].used:
                memcpy(known_place(larger, 2 * m.size, m.table[i].key), &m.table[i], sizeof(Known))
        free(m.table)
        m.table = larger
        m.size *= 2
    entry = known_place(m.table, m.size, key)
    memcpy(entry.key, key, KEY)
    for i in range(4):
        entry.low[i] = low[i]
        entry.high[i] = high[i]
    entry.used = True
    m.filled += 1


cdef void maxn_look(Maxn *m) noexcept with gil:
    cdef MaxN owner = <MaxN>m.owner
    m.next_look = m.nodes + 50000
    if m.next_look > m.node_limit:
        m.next_look = m.node_limit
    if m.nodes >= m.node_limit:
        m.stop = 1
    try:
        PyErr_CheckSignals()
        if owner.poll is not None and owner.poll(m.nodes - owner.limited_at):
            m.stop = 1
    except BaseException as error:
        owner.pending = error
        m.stop = 2


cdef void maxn(Maxn *m, Game *game, Ply **place, int *low, int *high) noexcept nogil:
    """The low and high value of every player; draws that are due are played in ``game``; ``place`` is the ply's memory."""
    cdef Ply *ply = place[0]
    cdef uint8_t key[KEY]
    cdef int i, player, count, most, who = acting(game)
    cdef Known *entry
    while who == CHANCE:
        turn_up(game, game.deck[game.deck_at])
        who = acting(game)
    if who == OVER:
        utilities(game, m.by_points, low)
        utilities(game, m.by_points, high)
        return
    maxn_key(game, key)
    entry = known_place(m.table, m.size, key)
    if entry.used:
        for player in range(4):
            low[player] = entry.low[player]
            high[player] = entry.high[player]
        return
    m.nodes += 1
    if m.nodes >= m.next_look:
        maxn_look(m)
    if m.stop:
        return
    if ply == NULL:
        ply = place[0] = <Ply *>malloc(sizeof(Ply))
        if ply == NULL:
            m.stop = 1
            return
        ply.next = NULL
    count = legal(game, ply.moves)
    most = -30000
    for i in range(count):
        ply.after = game[0]
        do_move(&ply.after, ply.moves[i])
        maxn(m, &ply.after, &ply.next, ply.lows[i], ply.highs[i])
        if m.stop:
            return
        if ply.lows[i][who] > most:
            most = ply.lows[i][who]
    for player in range(4):
        low[player] = 30000
        high[player] = -30000
    for i in range(count):
        if ply.highs[i][who] < most:
            continue
        for player in range(game.players):
            if ply.lows[i][player] < low[player]:
                low[player] = ply.lows[i][player]
            if ply.highs[i][player] > high[player]:
                high[player] = ply.highs[i][player]
    low[who] = most
    know(m, key, low, high)


@cython.final
cdef class MaxN:
    """Max^n of positions of one game; owns the table of positions known."""

    cdef Maxn m
    cdef object poll
    cdef object pending
    cdef int64_t limited_at
    cdef bint busy

    def __cinit__(self, bint by_points, int64_t table_bytes):
        self.m.size = 4096
        self.m.limit = table_bytes // (2 * sizeof(Known))
        self.m.table = <Known *>calloc(self.m.size, sizeof(Known))
        if self.m.table == NULL:
            raise MemoryError("no memory for a table of positions")
        self.m.by_points = by_points
        self.m.node_limit = 1LL << 62
        self.m.owner = <void *>self

    def __dealloc__(self):
        cdef Ply *ply
        free(self.m.table)
        while self.m.plies != NULL:
            ply = self.m.plies
            self.m.plies = ply.next
            free(ply)

    cdef refuse_another_thread(self):
        if self.busy:
            raise RuntimeError("this MaxN is at work in another thread; give each thread its own")

    def limit(self, nodes=None, poll=None):
        """Stop after so many more positions (None: never), or when ``poll`` of those since this call returns True."""
        self.refuse_another_thread()
        self.m.node_limit = 1LL << 62 if nodes is None else self.m.nodes + <int64_t>nodes
        self.poll = poll
        self.limited_at = self.m.nodes
        self.m.next_look = min(self.m.nodes + 1000, self.m.node_limit)

    def values(self, Position at not None):
        """The low and high values of all players, two tuples; None where a limit struck. One order of the pile only."""
        cdef Game root = at.game
        cdef int low[4]
        cdef int high[4]
        cdef int player
        self.refuse_another_thread()
        if at.game.shuffled:
            raise ValueError("max^n needs a known order of the pile")
        for player in range(at.game.players):
            for card in range(8):
                if at.game.hands[player][card] > 15:
                    raise ValueError("max^n takes up to 15 equal cards in a hand")
        self.m.stop = 0
        self.busy = True
        with nogil:
            maxn(&self.m, &root, &self.m.plies, low, high)
        self.busy = False
        if self.m.stop == 2:
            error, self.pending = self.pending, None
            raise error
        if self.m.stop:
            return None
        return (
            tuple([low[player] for player in range(at.game.players)]),
            tuple([high[player] for player in range(at.game.players)]),
        )

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return self.m.nodes
