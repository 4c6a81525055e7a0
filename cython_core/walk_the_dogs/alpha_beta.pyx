"""Walk the Dogs: exact play of two, alpha-beta with null windows over reduced positions (rows.pxd, children.pxd).

FIVE is a value beyond all others, which no change of points shifts. Bounds of a position are kept for one game (era):
one middle line and one order of the pile.

Measured over 26 searches of 18 and 20 dogs, deck of 30 (nodes, CPU seconds; each line beside the one above it):
  alpha-beta, table, rows cut to their reach, gain first      13.9 M  10.3 s
  gain and own ends that can still grow first                 12.2 M   9.8 s   (more dogs first: worse, 13.9 M)
  look the children up for a cutoff before any search          8.9 M  11.7 s   (from 8 dogs on only: 9.7 s)
  keys kept with the children, their memory fetched early      8.9 M   8.8 s
  reach and the other's row worked out once a card             8.9 M   8.2 s
  the table in huge pages (Linux)                              8.9 M   6.2 s
  dominated ways dropped although the mover holds a leash      8.5 M  6.3 s
A table that doubles as it fills: a search of 250,000 positions 0.38 s -> 0.13 s. Dropping dominated ways to add dogs: from
8277 to 1908 positions where no leash or catcher is left. Leaving out the rows where the game ends: nothing.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.walk_the_dogs.children cimport *
from exactplay.cython_core.walk_the_dogs.position cimport *
from exactplay.cython_core.walk_the_dogs.rows cimport *


cdef inline Entry *find(const Search *s, const uint64_t *key, uint64_t hashed) noexcept nogil:
    """The entry of a position, or NULL."""
    cdef Entry *bucket = bucket_of(s, hashed)
    cdef int i
    for i in range(2):
        if bucket[i].era == s.era and memcmp(bucket[i].key, key, 48) == 0:
            return &bucket[i]
    return NULL


cdef void grow(Search *s) noexcept nogil:
    """Double the table: a small search stays in the cache, and only a large one touches much memory."""
    cdef Entry *old = s.table
    cdef Entry *bucket
    cdef uint64_t i, size = 2 * s.buckets
    cdef Entry *table = <Entry *>xp_table_new(2 * size * sizeof(Entry)) if size <= s.most_buckets else NULL
    if table == NULL:
        s.most_buckets = s.buckets
        return
    for i in range(2 * s.buckets):
        if old[i].era == s.era:
            # The entries of one bucket come from one old bucket, so there is room for both.
            bucket = table + 2 * (hash_key(old[i].key) & (size - 1))
            if bucket.era == s.era:
                bucket += 1
            bucket[0] = old[i]
    xp_table_free(old, 2 * s.buckets * sizeof(Entry))
    s.table = table
    s.buckets = size


cdef void keep(Search *s, const uint64_t *key, uint64_t hashed, int low, int high, uint32_t code,
               int64_t effort) noexcept nogil:
    """Store what is known; of two other entries the one that cost less gives way."""
    cdef Entry *bucket = bucket_of(s, hashed)
    cdef Entry *entry = NULL
    cdef uint32_t weight = <uint32_t>effort if effort < 0xFFFFFFFFLL else 0xFFFFFFFFU
    cdef int i
    for i in range(2):
        if bucket[i].era == s.era and memcmp(bucket[i].key, key, 48) == 0:
            entry = &bucket[i]
            if low > entry.low:
                entry.low = low
            if high < entry.high:
                entry.high = high
            entry.code = code
            entry.effort = weight
            return
    for i in range(2):
        if bucket[i].era != s.era:
            entry = &bucket[i]
            s.filled += 1
            break
    if entry == NULL:
        entry = &bucket[0] if bucket[0].effort < bucket[1].effort else &bucket[1]
        # What stays loses weight, so that old entries do not block a bucket for good.
        (bucket if entry == bucket + 1 else bucket + 1).effort //= 2
    memcpy(entry.key, key, 48)
    entry.low = low
    entry.high = high
    entry.code = code
    entry.era = s.era
    entry.effort = weight
    if s.filled > <int64_t>s.buckets and s.buckets < s.most_buckets:
        grow(s)


cdef void look_up(Search *s) noexcept with gil:
    """Every so many nodes: limits and Ctrl-C."""
    cdef AlphaBeta owner = <AlphaBeta>s.owner
    s.next_look = s.nodes + 50000
    if s.next_look > s.node_limit:
        s.next_look = s.node_limit
    if s.nodes >= s.node_limit:
        s.stop = 1
    try:
        PyErr_CheckSignals()
        if owner.poll is not None and owner.poll(s.nodes - owner.limited_at):
            s.stop = 1
    except BaseException as error:
        owner.pending = error
        s.stop = 2


cdef int search(Search *s, const Child *at, int alpha, int beta, int ply) noexcept nogil:
    """The value for the player to act, relative to the points as they stand; fail-soft bounds outside alpha and beta."""
    cdef const Node *n = &at.node
    cdef Entry *entry
    cdef Child *children
    cdef Child swap
    cdef uint32_t best_code = 0xFFFFFFFFU
    cdef int mover = acting_player(n)
    cdef int i, j, count, value, change, low, high, best = LOWEST
    cdef int64_t before = s.nodes
    cdef bint five = False
    cdef bint same
    s.nodes += 1
    if s.nodes >= s.next_look:
        look_up(s)
    if s.stop:
        return 0
    low = LOWEST
    high = -LOWEST
    entry = find(s, at.key, at.hash)
    if entry != NULL:
        low = entry.low
        high = entry.high
        best_code = entry.code
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if low > alpha:
            alpha = low
        if high < beta:
            beta = high
    if ply >= DEPTH:
        s.stop = 3
        return 0
    children = s.arena[ply]
    count = expand(s, n, children, &five)
    if s.stop:
        return 0
    if five:
        return FIVE
    for i in range(count):
        if children[i].over:
            if children[i].value > best:
                best = children[i].value
        elif <uint32_t>children[i].code == best_code:
            children[i].rank = 10000
    low = alpha
    if best > low:
        low = best
    if low < beta:
        for i in range(count):
            if children[i].over:
                continue
            entry = find(s, children[i].key, children[i].hash)
            if entry == NULL:
                continue
            change = s.scale * children[i].gain
            if acting_player(&children[i].node) == mover:
                value = step_value(entry.low, change)
            else:
                value = step_value(-entry.high, change)
            if value >= beta:
                keep(s, at.key, at.hash, value, -LOWEST, children[i].code, 1)
                return value
    i = -1
    while low < beta:
        # The child of the highest rank comes next.
        j = -1
        for i in range(count):
            if not children[i].over and (j < 0 or children[i].rank > children[j].rank):
                j = i
        if j < 0:
            break
        change = s.scale * children[j].gain
        same = acting_player(&children[j].node) == mover
        children[j].over = True
        if best == LOWEST:
            if same:
                value = search(s, &children[j], step_value(low, -change), step_value(beta, -change), ply + 1)
            else:
                value = -search(s, &children[j], -step_value(beta, -change), -step_value(low, -change), ply + 1)
        else:
            if same:
                value = search(s, &children[j], step_value(low, -change), step_value(low, -change) + 1, ply + 1)
            else:
                value = -search(s, &children[j], -step_value(low, -change) - 1, -step_value(low, -change), ply + 1)
            if not s.stop and step_value(value, change) > low and step_value(value, change) < beta and beta > low + 1:
                if same:
                    value = search(s, &children[j], step_value(low, -change), step_value(beta, -change), ply + 1)
                else:
                    value = -search(s, &children[j], -step_value(beta, -change), -step_value(low, -change), ply + 1)
        if s.stop:
            return 0
        value = step_value(value, change)
        if value > best:
            best = value
            best_code = children[j].code
            if value > low:
                low = value
    if best >= beta:
        keep(s, at.key, at.hash, best, -LOWEST, best_code, s.nodes - before)
    elif best > alpha:
        keep(s, at.key, at.hash, best, best, best_code, s.nodes - before)
    else:
        keep(s, at.key, at.hash, LOWEST, best, best_code, s.nodes - before)
    return best


@cython.final
cdef class AlphaBeta:
    """Searches positions of one game: one middle line, one order of the pile; owns the table."""

    cdef Search s
    cdef object poll
    cdef object pending
    cdef int64_t limited_at
    cdef bint busy

    def __cinit__(self, int64_t table_bytes):
        cdef int i
        self.s.most_buckets = 1
        while self.s.most_buckets * 4 * sizeof(Entry) <= <uint64_t>table_bytes:
            self.s.most_buckets *= 2
        self.s.buckets = min(self.s.most_buckets, <uint64_t>16384)
        self.s.table = <Entry *>xp_table_new(2 * self.s.buckets * sizeof(Entry))
        if self.s.table == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.s.owner = <void *>self
        self.s.node_limit = 1LL << 62
        for i in range(DEPTH):
            self.s.arena[i] = NULL

    def __dealloc__(self):
        cdef int i
        xp_table_free(self.s.table, 2 * self.s.buckets * sizeof(Entry))
        for i in range(DEPTH):
            free(self.s.arena[i])

    def begin(self, Position root not None, bint by_points):
        """Start on another game: positions to be valued are the root or come from it by moves and draws."""
        cdef Game *g = &root.game
        cdef Search *s = &self.s
        cdef int i
        self.refuse_another_thread()
        if g.players != 2 or g.shuffled:
            raise ValueError("the search is for two players and a known order of the pile")
        memcpy(s.middle, g.middle, 64)
        memcpy(s.deck, g.deck, 128)
        s.deck_size = g.deck_size
        s.advanced = g.advanced
        s.any_order = g.any_order
        s.by_points = by_points
        s.scale = 1 if by_points else 4
        s.era += 1
        s.filled = 0
        memset(s.catchers_from, 0, sizeof(s.catchers_from))
        memset(s.bones_from, 0, sizeof(s.bones_from))
        memset(s.leashes_from, 0, sizeof(s.leashes_from))
        for i in range(s.deck_size - 1, -1, -1):
            s.catchers_from[i] = s.catchers_from[i + 1] + (s.deck[i] == DC)
            s.bones_from[i] = s.bones_from[i + 1] + (s.deck[i] == BO)
            s.leashes_from[i] = s.leashes_from[i + 1] + (s.deck[i] == LE)
        if s.catchers_from[0] + s.leashes_from[0] + g.hands[0][LE] + g.hands[1][LE] > 6:
            raise ValueError("the search takes up to six leash and dog catcher cards together, as the box has")

    cdef refuse_another_thread(self):
        if self.busy:
            raise RuntimeError("this AlphaBeta is at work in another thread; give each thread its own")

    def limit(self, nodes=None, poll=None):
        """Stop after so many more nodes (None: never), or when ``poll`` of the nodes since this call returns True."""
        self.refuse_another_thread()
        self.s.node_limit = 1LL << 62 if nodes is None else self.s.nodes + <int64_t>nodes
        self.poll = poll
        self.limited_at = self.s.nodes
        self.s.next_look = min(self.s.nodes + 1000, self.s.node_limit)

    def bounds(self, Position at not None, int low, int high):
        """Bounds of the value for player 0, exact if strictly between ``low`` and ``high``; None where a limit struck.

        Of ``points``: own minus other's points, +-20000 for five in a row. Of ``outcome``: four times that difference,
        and +-1 for the longer run; its sign is the outcome.
        """
        cdef Search *s = &self.s
        cdef Game *g = &at.game
        cdef Draft d
        cdef Child root
        cdef int i, player, card, run, held, mover, value, alpha, beta
        self.refuse_another_thread()
        if g.deck_size != s.deck_size or g.players != 2:
            raise ValueError("the position is not one of the game that begin() was told of")
        memset(&d, 0, sizeof(d))
        held = 0
        for player in range(2):
            run = line_points(&g.lines[player], &i)
            held += -run - 3 * g.bones[player] if player else run + 3 * g.bones[player]
            if i >= 5:
                value = -FIVE if player else FIVE
                return value, value
        if acting(g) == CHANCE:
            raise ValueError("a draw is due; play it first")
        for player in range(2):
            for card in range(8):
                d.node.hand[player] |= <uint32_t>g.hands[player][card] << (4 * card)
                if g.hands[player][card] > 15:
                    raise ValueError("the search takes up to 15 equal cards in a hand")
        d.node.front = g.front
        d.node.back = g.back
        d.node.deck = g.deck_at
        d.node.turn = g.turn
        d.node.passes = g.passes
        d.node.stage = 0 if g.phase != CATCHING else (1 if g.chooser == g.turn else 2)
        d.node.more_dogs = g.lines[0].length - g.lines[1].length
        self.load(g, &d.node)
        mover = acting_player(&d.node)
        if acting(g) == OVER:
            value = s.scale * held
            if not s.by_points:
                value += longer_run(longest(&d.node, 0), longest(&d.node, 1))
            return value, value
        for i in range(DEPTH):
            if s.arena[i] == NULL:
                s.arena[i] = <Child *>malloc(MOST_CHILDREN * sizeof(Child))
                if s.arena[i] == NULL:
                    raise MemoryError("no memory for the moves of a line of play")
        root.node = d.node
        address(s, &root)
        if low >= high:
            raise ValueError(f"no value lies between {low} and {high}")
        held *= s.scale
        low = max(low, -FIVE)
        high = min(high, FIVE)
        if mover:
            low, high = -high, -low
            held = -held
        alpha = step_value(low, -held)
        beta = step_value(high, -held)
        s.stop = 0
        self.busy = True
        with nogil:
            value = search(s, &root, alpha, beta, 0)
        self.busy = False
        if s.stop == 2:
            error, self.pending = self.pending, None
            raise error
        if s.stop == 3:
            raise RuntimeError("a line was cut too short: a fault of exactplay, please report the position")
        if s.stop:
            return None
        value = step_value(value, held)
        low_value = value if value > low or low == -FIVE else LOWEST
        high_value = value if value < high or high == FIVE else -LOWEST
        return (-high_value, -low_value) if mover else (low_value, high_value)

    cdef load(self, Game *g, Node *n):
        """Reduce whole lines to the groups that matter."""
        cdef Reach reach
        cdef uint8_t raw[128]
        cdef uint8_t short_row[RAW]
        cdef int player, i, groups, kept, breeds = 0
        find_reach(&self.s, n, &reach)
        n.bones = reach.bones
        for i in range(g.front, g.back):
            breeds |= 1 << g.middle[i]
        for player in range(2):
            groups = 0
            for i in range(g.lines[player].front, g.lines[player].front + g.lines[player].length):
                if groups and raw[groups - 1] >> 3 == g.lines[player].dogs[i]:
                    raw[groups - 1] += 1
                else:
                    raw[groups] = g.lines[player].dogs[i] << 3 | 1
                    groups += 1
            if groups > RAW - 2:
                # Nothing reaches beyond seven groups of an end.
                kept = RAW // 2 - 2
                memcpy(short_row, raw, kept)
                short_row[kept] = WALL
                memcpy(short_row + kept + 1, raw + groups - kept, kept)
                for i in range(kept, groups - kept):
                    if raw[i] & 7 > n.inner[player]:
                        n.inner[player] = raw[i] & 7
                memcpy(raw, short_row, 2 * kept + 1)
                groups = 2 * kept + 1
            n.groups[player] = canonical(raw, groups, &reach, player, breeds, n.row[player], &n.inner[player])
            if self.s.by_points:
                n.inner[player] = 0

    @property
    def nodes(self) -> int:
        """Decisions visited since the searcher was made."""
        return self.s.nodes

    @property
    def table_fill(self) -> float:
        """The share of the memory allowed that is in use, 0 to 1."""
        return self.s.filled / (2.0 * self.s.most_buckets)
