# Exact search over the full rules: max^n for three and four hands, alpha-beta where two hold cards. Included by winner.pyx.
#
# This search supports every option and makes no use of equivalences, so it is the one that small positions of any kind are
# solved by and the fast two-player search (winner_duel.pyx) is checked against. Keys are kept in full: an entry is
# believed only when all of its position is the same. A position inside a trick whose beaten combinations still count
# (fours=into_hand) is not stored.

cdef enum:
    OBJ_WIN = 0, OBJ_SCORE, OBJ_PLACE

cdef enum:
    KEY_WORDS = 12
    POLL = 1 << 18               # nodes between two looks at signals and the limit of time

cdef struct Entry:
    uint64_t key[KEY_WORDS]
    int16_t value[4]             # max^n: the vector; alpha-beta: value[0] lower, value[1] upper bound
    uint8_t used, tied

cdef struct Search:
    Entry* table
    uint64_t mask                # entries - 1
    uint64_t filled
    Buffer* buffers              # one a ply
    int ply_room
    uint64_t nodes, limit, next_poll
    int objective, pivot         # alpha-beta: values are for the seat `pivot`
    int aborted, failed
    void* callback               # a borrowed object: None or a function of the nodes so far
    void* raised                 # a borrowed list: what a poll raised, until the search has unwound


cdef bint poll(Search* s) noexcept with gil:
    """Let Ctrl-C and the caller's clock in; True ends the search."""
    s.next_poll = s.nodes + POLL
    try:
        PyErr_CheckSignals()
        callback = <object>s.callback
        return callback is not None and callback(s.nodes)
    except BaseException as error:
        (<list>s.raised).append(error)
        return True


cdef inline bint stop(Search* s) noexcept nogil:
    s.nodes += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)):
        s.aborted = 1
    return s.aborted


cdef void make_key(const Search* s, const Position* p, uint64_t* key) noexcept nogil:
    cdef int seat
    cdef uint64_t state
    for seat in range(4):
        key[seat] = p.a[seat] if seat < p.players else 0
        key[4 + seat] = p.b[seat] if seat < p.players else 0
    state = <uint64_t>p.turn | <uint64_t>(p.owner + 1) << 3 | <uint64_t>p.reversed_order << 6
    # History counts only where it can still be scored.
    if s.objective == OBJ_SCORE:
        state |= <uint64_t>p.played << 7
    for seat in range(p.n_out):
        state |= <uint64_t>(p.out[seat] + 1) << (11 + 3 * seat)
    key[8] = state
    key[9] = key[10] = key[11] = 0
    if p.depth:
        key[9] = (<uint64_t>p.stack[0].kind | <uint64_t>p.stack[0].length << 8 | <uint64_t>p.stack[0].height << 16
                  | <uint64_t>p.stack[0].suit << 24)
        if p.fours == FOURS_INTO_HAND:
            key[10], key[11] = p.stack[0].a, p.stack[0].b


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


cdef void terminal(const Search* s, const Position* p, int* value) noexcept nogil:
    cdef int seat
    if s.objective == OBJ_WIN:
        for seat in range(p.players):
            value[seat] = 1 if seat == p.out[0] else 0
    else:
        final_points(p, value)


cdef bint decided(const Search* s, const Position* p) noexcept nogil:
    return to_move(p) == -2 or (s.objective == OBJ_WIN and p.n_out > 0)


cdef Buffer* ply_buffer(Search* s, int ply) noexcept nogil:
    if ply >= s.ply_room:
        s.failed = s.aborted = 1
        return NULL
    cdef Buffer* buffer = &s.buffers[ply]
    if buffer.room == 0:
        buffer.moves = <Move*>malloc(64 * sizeof(Move))
        buffer.room = 64 if buffer.moves != NULL else 0
        if buffer.moves == NULL:
            s.failed = s.aborted = 1
            return NULL
    return buffer


cdef int holders(const Position* p) noexcept nogil:
    cdef int seat, number = 0
    for seat in range(p.players):
        number += p.a[seat] != 0
    return number


cdef int duel(Search* s, const Position* p, int ply, int alpha, int beta) noexcept nogil:
    """Fail-soft alpha-beta; the value is the pivot's points minus the other's (win: 1 or -1; place: 1 or -1)."""
    cdef uint64_t key[KEY_WORDS]
    cdef Entry* entry = NULL
    cdef Buffer* buffer
    cdef Position child
    cdef int points[4]
    cdef int seat = to_move(p), i, found, best, low = -32768, high = 32767, first_alpha = alpha, first_beta = beta
    cdef Py_ssize_t m
    cdef int rank, round_
    if decided(s, p):
        if s.objective == OBJ_SCORE:
            terminal(s, p, points)
            return points[s.pivot] - points[1 - s.pivot]
        # Win, or the place among the two that still held cards: the last one to go out is the better of them.
        return 1 if p.out[p.n_out - 1] == s.pivot else -1
    if stop(s):
        return 0
    cdef bint stored = p.depth <= 1 and p.exchange == 0
    if stored:
        make_key(s, p, key)
        entry = find(s, key)
        if entry.used and memcmp(entry.key, key, sizeof(key)) == 0:
            low, high = entry.value[0], entry.value[1]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
    buffer = ply_buffer(s, ply)
    if buffer == NULL:
        return 0
    list_moves(p, buffer)
    if buffer.failed:
        s.failed = s.aborted = 1
        return 0
    cdef bint maximise = seat == s.pivot
    best = -32768 if maximise else 32767
    # Most cards first: the larger a combination, the sooner the hand is empty.
    for round_ in range(13, -1, -1):
        for m in range(buffer.count):
            rank = min(13, cards_in(buffer.moves[m].a, buffer.moves[m].b))
            if rank != round_:
                continue
            copy_position(&child, p)
            do_move(&child, &buffer.moves[m])
            found = duel(s, &child, ply + 1, alpha, beta)
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


cdef int maxn(Search* s, const Position* p, int ply, int* value) noexcept nogil:
    """The vector of max^n; among moves equal for the mover the first in text order. Returns whether a tie was broken
    between different vectors on the way."""
    cdef uint64_t key[KEY_WORDS]
    cdef Entry* entry = NULL
    cdef Buffer* buffer
    cdef Position child
    cdef int found[4]
    cdef int seat = to_move(p), i, tied = 0, best = -32768
    cdef Py_ssize_t m
    if decided(s, p):
        terminal(s, p, value)
        return 0
    # Only places are still played for among the last two, and between them that is a game of two.
    if holders(p) == 2:
        for i in range(p.players):
            value[i] = 0
        for i in range(p.n_out):
            value[p.out[i]] = p.players - 1 - i
        s.pivot = next_holder(p, p.players - 1)
        found[0] = duel(s, p, ply, -1, 1)
        value[s.pivot if found[0] > 0 else next_holder(p, s.pivot)] = 1
        return 0
    if stop(s):
        return 0
    cdef bint stored = p.depth <= 1 and p.exchange == 0
    if stored:
        make_key(s, p, key)
        entry = find(s, key)
        if entry.used and memcmp(entry.key, key, sizeof(key)) == 0:
            for i in range(4):
                value[i] = entry.value[i]
            return entry.tied
    buffer = ply_buffer(s, ply)
    if buffer == NULL:
        return 0
    list_moves(p, buffer)
    if buffer.failed:
        s.failed = s.aborted = 1
        return 0
    qsort(buffer.moves, buffer.count, sizeof(Move), text_order)
    for m in range(buffer.count):
        copy_position(&child, p)
        do_move(&child, &buffer.moves[m])
        tied |= maxn(s, &child, ply + 1, found)
        if s.aborted:
            return 0
        if found[seat] > best:
            best = found[seat]
            for i in range(p.players):
                value[i] = found[i]
        elif found[seat] == best:
            for i in range(p.players):
                tied |= found[i] != value[i]
    if stored:
        # The slot is looked up again: deeper nodes may have taken it.
        entry = find(s, key)
        s.filled += not entry.used
        memcpy(entry.key, key, sizeof(key))
        entry.used, entry.tied = 1, tied
        for i in range(4):
            entry.value[i] = value[i] if i < p.players else 0
    return tied
