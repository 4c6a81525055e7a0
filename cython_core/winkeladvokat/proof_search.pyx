# Proof-number search for two-player Winkeladvokat: "does the player to move still gain at least k?"
#
# Gain is the change of (own score - opponent's score) from now to the end, so positions that differ only in points already
# scored are one. Depth-first proof-number search over a bounded transposition table whose entries hold the whole position
# (seen from the player to move, in one of its symmetric images) with proven bounds of the gain, which answer every k, and
# with the proof and disproof number of the last k asked.
#
# Measured against it, with the same ends, threats, symmetries, table and model for the order of moves, at most 20,000 nodes a
# question, 74 endgames: alpha-beta with iterative deepening 12 times the nodes for "at least the value" and 8 times for "one
# more" and 8 and 14 questions unanswered, without deepening 19 and 13 times and 18 and 30 unanswered; df-pn answered all.
# Unanswered questions count 20,000, so the true ratios are larger. n = 5, "at least 3": 623 nodes against 8,224 and 55,107.
# Other switches, nodes of the questions v and v + 1 of 100 endgames: numbers of another k as first numbers, 4 % fewer; a
# quarter of the sum as slack in the proof threshold of a child, 7 % fewer (an eighth 6 %, a half 6 % more); half of all
# disproof numbers but the largest instead of their sum, 32 % more. Answers about unsearched positions kept in a table of
# 0.5 to 16 MB: no gain at the smallest size and 15 to 35 % more time at the others. CPU time at the same nodes, 20 endgames:
# hashes by corner, keys on a match of ten bits and captures only in the way of a single detour, 23 % less together; one list
# of detours for both ends_well and first_numbers with one look a line for dead ends, 1 % less, left out.
"""Winkeladvokat: proof-number search for two players; does the player to move still gain at least k?"""
from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free as c_free, malloc, realloc
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_ctz64, xp_mix64, xp_prefetch
from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.winkeladvokat.ends cimport (
    MAX_THREATS, Threat, a_detour, build_model, dead_ends, drop_refuted, ends_well, find_threats, first_numbers, gain_of,
)
from exactplay.cython_core.winkeladvokat.position cimport (
    Game, MoveList, Packed, Position, Setting, add_captures, add_detours, bit, file_reach, finished, has_detour,
    may_detour, play_move, rank_reach, u64, wa_build_lines,
)
from exactplay.cython_core.winkeladvokat.table cimport (
    FIRST_BUCKETS, GOES_ON, INFINITE, LAYERS_FULL, LEAST, MOST, NODE_LIMIT, NO_MEMORY, POLLED, POLL_RAISED, SIGNALLED, WAYS,
    Child, Entry, Hash, Key, Layer, Search, bucket_of, canonical, find, grow, hash_after, hash_of, hash_of_entry,
    hash_of_supplies, insert, key_of, may_be_there, prepare, store, toggle, unpack,
)

cdef extern from *:
    """
    static XP_FLAT_V3_CLONES int wa_list_children(void*, const void*, const void*, int, int*);
    """

cdef extern from "Python.h":
    # Declared without `except`: a kernel that must not raise looks at the answer itself.
    int signalled "PyErr_CheckSignals" () noexcept
    void* PyErr_Occurred() noexcept

wa_build_lines()
build_model()


cdef inline Child* new_child(Search* search) noexcept nogil:
    cdef Child* larger
    if search.children_used == search.children_room:
        larger = <Child*>realloc(search.children, 2 * search.children_room * sizeof(Child))
        if larger == NULL:
            search.stop = NO_MEMORY
            return NULL
        search.children, search.children_room = larger, 2 * search.children_room
    search.children_used += 1
    return &search.children[search.children_used - 1]


cdef int list_children "wa_list_children" (
    void* search_, const void* at_, const void* hash_, int k, int* bound
) noexcept nogil:
    # The moves that are not refuted at once, on top of the stack of children, and the most that the refuted ones gain; or 1
    # if a move proves the position, and what it gains at least.
    cdef Search* search = <Search*>search_
    cdef const Packed* at = <const Packed*>at_
    cdef const Hash* hash = <const Hash*>hash_
    cdef const Game* game = &search.game
    cdef int mover = at.turn, base = search.children_used, i, j, threat_count, line, corner, gain, kept
    cdef u64 empty = ~at.occupied, lifted = empty | bit(at.lawyer[mover]), corners, stops, dead
    cdef bint placing = at.supply[mover] > 0
    cdef Threat threats[MAX_THREATS]
    cdef Child* child
    cdef Packed after
    cdef Hash below, lifted_hash, cornered
    cdef Key key
    cdef Entry* entry
    cdef u64 supplies, put_down, theirs
    cdef bint ended
    cdef int asked, reply, listed, most = LEAST
    search.captures.length = 0
    if search.setwise and placing:
        if at.supply[mover] > 1 or game.without_placing:
            threat_count = find_threats(search, at, 1 - k, threats)
            supplies = search.supply_hash[at.supply[1 - mover]][at.supply[mover] - 1]
            lifted_hash = hash[0]
            toggle(&lifted_hash, &search.square_hash[mover][1][at.lawyer[mover]])
            for line in range(2):
                corners = (file_reach(at.lawyer[mover], ~empty) if line else rank_reach(at.lawyer[mover], ~empty)) & empty
                while corners:
                    corner = xp_ctz64(corners)
                    corners &= corners - 1
                    stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                    if stops:
                        dead = dead_ends(stops, lifted & ~bit(corner))
                        if dead:
                            # They end the game with less than k: what ends it with k has been looked for before.
                            most = max(most, game.value[corner])
                            stops &= ~dead
                        most = max(most, drop_refuted(threats, threat_count, game.value[corner], k, corner, &stops))
                    if stops == 0:
                        continue
                    cornered = lifted_hash
                    toggle(&cornered, &search.square_hash[mover][0][corner])
                    while stops:
                        child = new_child(search)
                        if child == NULL:
                            return 0
                        child.move.taken, child.move.start, child.move.corner = 0, at.lawyer[mover], corner
                        child.move.stop = xp_ctz64(stops)
                        stops &= stops - 1
                        below = cornered
                        toggle(&below, &search.square_hash[mover][1][child.move.stop])
                        child.hash = canonical(search, &below, 1 - mover, supplies, &child.image)
                        xp_prefetch(bucket_of(search, child.hash))
        else:
            most = k - 1  # the last Article ends the game
    elif may_detour(game, at):
        if not add_detours(&search.captures, at.lawyer[mover], empty, placing):
            search.stop = NO_MEMORY
    listed = search.children_used
    if not add_captures(game, &search.captures, at.articles[mover], at.articles[1 - mover], empty):
        search.stop = NO_MEMORY
    for i in range(search.captures.length):
        child = new_child(search)
        if child == NULL:
            return 0
        child.move = search.captures.moves[i]
    # All hashes first, so that the table's lines are on their way when they are asked for.
    for i in range(listed, search.children_used):
        child = &search.children[i]
        below = hash[0]
        hash_after(search, &child.move, mover, placing, &below)
        supplies = search.supply_hash[at.supply[1 - mover]][at.supply[mover] - (child.move.taken == 0 and placing)]
        child.hash = canonical(search, &below, 1 - mover, supplies, &child.image)
        xp_prefetch(bucket_of(search, child.hash))
    kept = base
    after = at[0]
    after.turn = 1 - mover
    after.supply[mover] -= 1
    theirs = a_detour(at.lawyer[1 - mover], empty, 0)
    for i in range(base, search.children_used):
        child = &search.children[i]
        child.gain = gain = gain_of(game, &child.move, placing)
        asked = gain - k + 1
        if i < listed:
            # The parts of play_move that matter here; the mover's own stop is known to be no dead end.
            put_down = bit(child.move.corner) | bit(child.move.stop)
            after.articles[mover] = at.articles[mover] | bit(child.move.corner)
            after.lawyer[mover] = child.move.stop
            after.occupied = at.occupied ^ bit(child.move.start) | put_down
            ended = theirs & put_down != 0 and not has_detour(at.lawyer[1 - mover], ~after.occupied)
        else:
            after = at[0]
            play_move(game, &after, &child.move, NULL)
            ended = finished(game, &after, NULL)
        if ended:
            if gain >= k:
                search.children_used, bound[0] = base, gain
                return 1
            most = max(most, gain)
            continue
        if endless(game, &after):
            reply = endless_value(search, &after)
            if reply < asked and not search.stop:
                search.children_used, bound[0] = base, gain - reply
                return 1
            most = max(most, gain - reply)
            continue
        entry = NULL
        if may_be_there(search, child.hash):
            key_of(search, &after, child.hash, child.image, &key)
            entry = find(search, &key)
        if entry != NULL and entry.low >= asked:
            most = max(most, gain - entry.low)
            continue
        if entry != NULL and entry.high < asked:
            search.children_used, bound[0] = base, gain - entry.high
            return 1
        if entry != NULL and entry.asked == asked:
            child.proof, child.disproof = unpack(entry.proof), unpack(entry.disproof)
        else:
            child.proof = child.disproof = 1
            if search.setwise:
                reply = ends_well(search, &after, asked)
                if reply >= asked:
                    most = max(most, gain - reply)
                    continue
                reply = first_numbers(search, &after, asked, child)
                if child.disproof == 0:
                    search.children_used, bound[0] = base, gain - reply
                    return 1
            if entry != NULL and entry.proof and entry.disproof:
                # The numbers of another k are nearer than the model's.
                child.proof, child.disproof = unpack(entry.proof), unpack(entry.disproof)
        search.children[kept] = child[0]
        kept += 1
    search.children_used, bound[0] = kept, most
    return 0


cdef void look_around(Search* search) noexcept nogil:
    # Limits, signals and progress, every few thousand nodes.
    if search.nodes >= search.node_limit:
        search.stop = NODE_LIMIT
        return
    search.next_look = min(search.node_limit, search.nodes + 4096)
    with gil:
        if signalled() != 0:
            search.stop = SIGNALLED
        else:
            search.stop = (<ProofSearch>search.owner).ask()


# Positions in which nothing is placed any more: moves_without_placing with both supplies empty. Here alone positions can
# come back, so their values may not hang on the path that led to them (the graph-history problem).
#
# Between two captures the scores stand still: whatever ends the game there, a blocked Lawyer or the third occurrence of a
# position, ends it with a gain of 0. So the value is that of the game in which going on for ever is worth 0. Who can force
# more than 0 can do so with a distance to the capture that falls at each of his moves: he comes to no position twice, and
# third occurrences do not touch him. Who cannot be forced stays out for ever, and the third occurrence gives him his 0.
# Occurrences before the position asked about matter only where a position has been seen twice: coming there ends the game.
#
# One layer is all places of the two Lawyers for the same Articles. Its values grow from 0 until nothing changes; captures
# lead to layers with fewer Articles.

cdef inline int place_in_layer(const Packed* at) noexcept nogil:
    return at.turn << 12 | at.lawyer[0] << 6 | at.lawyer[1]


cdef inline bint endless(const Game* game, const Packed* at) noexcept nogil:
    return game.without_placing and at.supply[0] == 0 and at.supply[1] == 0


cdef Layer* layer_of(Search* search, u64 blue, u64 red) noexcept nogil:
    cdef u64 i = xp_mix64(blue ^ xp_mix64(red)) & (search.layer_room - 1)
    while search.layers[i].value != NULL and (search.layers[i].blue != blue or search.layers[i].red != red):
        i = (i + 1) & (search.layer_room - 1)
    return &search.layers[i]


cdef int endless_value(Search* search, const Packed* at) noexcept nogil:
    # The gain of the player to move in a position that has not occurred before; 0 once `stop` is set.
    cdef Layer* layer = layer_of(search, at.articles[0], at.articles[1])
    cdef int16_t* value
    if layer.value == NULL:
        if search.layers_used * 2 >= search.layer_room:
            search.stop = LAYERS_FULL
            return 0
        value = <int16_t*>malloc(8192 * sizeof(int16_t))
        if value == NULL:
            search.stop = NO_MEMORY
            return 0
        fill_layer(search, at, NULL, 0, value)
        if search.stop:
            c_free(value)
            return 0
        # Filling it may have added others.
        layer = layer_of(search, at.articles[0], at.articles[1])
        layer.blue, layer.red, layer.value = at.articles[0], at.articles[1], value
        search.layers_used += 1
    return layer.value[place_in_layer(at)]


cdef void fill_layer(
    Search* search, const Packed* any_place, const uint32_t* over_there, int over_count, int16_t* value
) noexcept nogil:
    # `over_there` holds the trail codes of positions that end the game when they come up again.
    cdef const Game* game = &search.game
    cdef Packed at = any_place[0]
    cdef Packed after
    cdef MoveList moves
    cdef u64 bare = any_place.articles[0] | any_place.articles[1] | game.wall
    cdef u64 stops, corners, empty
    cdef u64* reach = <u64*>calloc(8192, sizeof(u64))
    cdef int16_t* exits = <int16_t*>malloc(8192 * sizeof(int16_t))
    cdef uint8_t* open_places = <uint8_t*>calloc(8192, 1)
    cdef int blue, red, turn, place, i, line, best, lawyer
    cdef bint changed = True
    memset(&moves, 0, sizeof(moves))
    memset(value, 0, 8192 * sizeof(int16_t))
    if reach == NULL or exits == NULL or open_places == NULL:
        search.stop = NO_MEMORY
    for place in range(8192):
        if search.stop:
            break
        turn, blue, red = place >> 12, place >> 6 & 63, place & 63
        if blue == red or bare >> blue & 1 or bare >> red & 1:
            continue
        at.turn, at.lawyer[0], at.lawyer[1] = turn, blue, red
        at.occupied = bare | bit(blue) | bit(red)
        empty = ~at.occupied
        if finished(game, &at, NULL):
            continue
        open_places[place], exits[place] = 1, LEAST
        search.nodes += 1
        lawyer = at.lawyer[turn]
        for line in range(2):
            corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty
            while corners:
                i = xp_ctz64(corners)
                corners &= corners - 1
                reach[place] |= (rank_reach(i, ~empty) if line else file_reach(i, ~empty)) & empty
        moves.length = 0
        if not add_captures(game, &moves, at.articles[turn], at.articles[1 - turn], empty):
            search.stop = NO_MEMORY
        for i in range(moves.length):
            after = at
            play_move(game, &after, &moves.moves[i], NULL)
            best = gain_of(game, &moves.moves[i], False) - endless_value(search, &after)
            if search.stop:
                break
            exits[place] = max(exits[place], <int16_t>best)
    if search.nodes >= search.next_look and not search.stop:
        look_around(search)
    for i in range(over_count):
        # With two players the code of a position is its place in the layer.
        open_places[over_there[i]] = 0
    while changed and not search.stop:
        changed = False
        for place in range(8192):
            if not open_places[place]:
                continue
            turn, best = place >> 12, exits[place]
            stops = reach[place]
            while stops:
                i = xp_ctz64(stops)
                stops &= stops - 1
                if turn:
                    best = max(best, -value[place & 0xFC0 | i])
                else:
                    best = max(best, -value[0x1000 | i << 6 | (place & 63)])
            if best != value[place]:
                value[place] = best
                changed = True
    c_free(moves.moves)
    c_free(reach)
    c_free(exits)
    c_free(open_places)


cdef void expand(
    Search* search, const Packed* at, const Hash* hash, u64 canonical_hash, uint8_t which, int k,
    uint32_t proof_limit, uint32_t disproof_limit, uint32_t* proof, uint32_t* disproof, int* bound
) noexcept nogil:
    # Search until a number reaches its limit; `bound` is what is proven in the end, at least or at most. Nothing is stored
    # once `stop` is set.
    cdef int base = search.children_used, i, best, last, reply
    cdef u64 total, began = search.nodes
    cdef uint32_t least, second, inner_proof, inner_disproof
    cdef Packed after
    cdef Hash below
    cdef Child* child
    cdef Key key
    search.nodes += 1
    if search.nodes >= search.next_look:
        look_around(search)
    if search.stop:
        return
    if list_children(search, at, hash, k, bound):
        proof[0], disproof[0] = 0, INFINITE
    else:
        last = search.children_used
        while not search.stop:
            total, least, second, best = 0, INFINITE, INFINITE, -1
            for i in range(base, last):
                child = &search.children[i]
                total += child.proof
                if child.disproof < least:
                    second, least, best = least, child.disproof, i
                elif child.disproof < second:
                    second = child.disproof
            proof[0], disproof[0] = least, <uint32_t>min(total, <u64>INFINITE - 1)
            if best < 0:
                proof[0], disproof[0] = INFINITE, 0
                break
            if least == 0:
                disproof[0] = INFINITE
                break
            if base == 0:
                search.root_proof, search.root_disproof = proof[0], disproof[0]
            if least >= proof_limit or total >= disproof_limit:
                break
            child = &search.children[best]
            inner_proof = INFINITE
            if disproof_limit < INFINITE:
                # The slack saves visits that only learn that the next child is as good.
                inner_proof = <uint32_t>min(<u64>INFINITE - 1, disproof_limit - (total - child.proof) + total // 4)
            inner_disproof = min(proof_limit, <uint32_t>min(<u64>second + second // 4 + 1, <u64>INFINITE))
            after = at[0]
            below = hash[0]
            hash_after(search, &child.move, at.turn, at.supply[at.turn] > 0, &below)
            play_move(&search.game, &after, &child.move, NULL)
            expand(
                search, &after, &below, child.hash, child.image, child.gain - k + 1, inner_proof, inner_disproof,
                &inner_proof, &inner_disproof, &reply,
            )
            if search.stop:
                break
            child = &search.children[best]  # the stack may have moved
            child.proof, child.disproof = inner_proof, inner_disproof
            if inner_disproof == 0:
                bound[0] = child.gain - reply
            if inner_proof == 0:
                # Refuted: the opponent gains enough.
                bound[0] = max(bound[0], child.gain - reply)
                last -= 1
                search.children[best] = search.children[last]
            search.children_used = last
    search.children_used = base
    if not search.stop:
        key_of(search, at, canonical_hash, which, &key)
        store(search, &key, k, proof[0], disproof[0], bound[0], search.nodes - began)


cdef Packed bare(Position position) noexcept:
    # Points and earlier positions have no part in what a position still gains.
    cdef Packed at = position.at
    memset(at.captured, 0, sizeof(at.captured))
    at.trail_start = at.trail_end = 0
    return at


cdef bint makes_sense(const Game* game, const Entry* entry) noexcept:
    # An entry of a position of this board, with bounds that do not contradict each other.
    cdef int own = entry.who >> 26, opposing = entry.who >> 20 & 63
    cdef u64 lawyers = bit(own) | bit(opposing)
    return (
        own != opposing and entry.own & entry.opposing == 0
        and (entry.own | entry.opposing) & (lawyers | game.wall) == 0 and lawyers & game.wall == 0
        and entry.low <= entry.high
    )


cdef int raise_pending() except -1:
    # What a kernel stopped for: the exception of a signal handler, or no memory.
    if PyErr_Occurred() == NULL:
        raise MemoryError
    return -1


cdef class ProofSearch:
    """A transposition table and the search over it, for one board and one set of options.

    Questions are asked about a position of two players that is not finished and, with moves_without_placing, has Articles
    left to place; endless() answers the rest. The table grows to ``table_bytes``. ``poll``, if set, is called every few
    thousand nodes with those of the question so far; it stops it by returning True.
    """

    cdef Search search
    cdef public object poll
    cdef object raised

    def __cinit__(self, Setting setting not None, u64 table_bytes):
        cdef const Game* game = &setting.game
        self.search.game = setting.game
        self.search.setwise = not (game.on_turn or game.no_step)
        prepare(&self.search)
        self.search.most_buckets = max(<u64>1, table_bytes // (WAYS * sizeof(Entry)))
        self.search.buckets = min(<u64>FIRST_BUCKETS, self.search.most_buckets)
        self.search.table = <Entry*>xp_table_new(self.search.buckets * WAYS * sizeof(Entry))
        self.search.children_room = 4096
        self.search.children = <Child*>malloc(self.search.children_room * sizeof(Child))
        self.search.layer_room = 1
        if game.without_placing:
            # At most half of the places are used, 16 KB each: as much again as the table.
            while self.search.layer_room * 8192 < table_bytes:
                self.search.layer_room *= 2
        self.search.layer_room = max(self.search.layer_room, <u64>4)
        self.search.layers = <Layer*>calloc(self.search.layer_room, sizeof(Layer))
        self.search.owner = <void*>self
        if self.search.table == NULL or self.search.children == NULL or self.search.layers == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef u64 i
        xp_table_free(self.search.table, self.search.buckets * WAYS * sizeof(Entry))
        c_free(self.search.children)
        c_free(self.search.captures.moves)
        if self.search.layers != NULL:
            for i in range(self.search.layer_room):
                c_free(self.search.layers[i].value)
        c_free(self.search.layers)

    cdef int ask(self) noexcept:
        # What poll says: go on, stop, or what it raised.
        try:
            return POLLED if self.poll is not None and self.poll(self.search.nodes - self.search.nodes_before) else GOES_ON
        except BaseException as error:
            self.raised = error
            return POLL_RAISED

    cdef Entry* look_up(self, Position position, Packed* at, Hash* hash, Key* key, uint8_t* which) except? NULL:
        cdef u64 canonical_hash
        at[0] = bare(position)
        hash_of(&self.search, at, hash)
        canonical_hash = canonical(&self.search, hash, at.turn, hash_of_supplies(&self.search, at), which)
        key_of(&self.search, at, canonical_hash, which[0], key)
        return find(&self.search, key)

    cdef int begin(self, u64 nodes) except -1:
        self.search.stop = GOES_ON
        self.search.root_proof = self.search.root_disproof = 1
        self.search.node_limit = self.search.nodes + nodes
        self.search.next_look = min(self.search.node_limit, self.search.nodes + 4096)
        self.search.nodes_before = self.search.nodes
        return 0

    cdef int end(self) except -1:
        # Raise what stopped the search, unless it was a limit.
        self.search.children_used = 0
        if self.search.stop == POLL_RAISED:
            raised, self.raised = self.raised, None
            raise raised
        if self.search.stop == SIGNALLED or self.search.stop == NO_MEMORY:
            raise_pending()
        return 0

    def prove(self, Position position not None, int k, u64 nodes) -> tuple[bool | None, int, int]:
        """Does the player to move still gain at least k? None where a limit was reached first; with both numbers.

        ``nodes`` limits this call. Raises what a signal handler or ``poll`` raised; the table stays sound: nothing is
        stored about a position whose search was stopped.
        """
        cdef Packed at
        cdef Hash hash
        cdef Key key
        cdef uint8_t which
        cdef uint32_t proof = 1, disproof = 1
        cdef int bound = LEAST
        cdef Entry* entry = self.look_up(position, &at, &hash, &key, &which)
        if entry != NULL and entry.low >= k:
            return True, 0, INFINITE
        if entry != NULL and entry.high < k:
            return False, INFINITE, 0
        self.begin(nodes)
        with nogil:
            if self.search.setwise:
                bound = ends_well(&self.search, &at, k)
            if bound >= k:
                store(&self.search, &key, k, 0, INFINITE, bound, 1)
                proof, disproof = 0, INFINITE
            else:
                expand(&self.search, &at, &hash, key.hash, which, k, INFINITE, INFINITE, &proof, &disproof, &bound)
        self.end()
        if self.search.stop:
            return None, self.search.root_proof, self.search.root_disproof
        return proof == 0, proof, disproof

    def bounds(self, Position position not None) -> tuple[int, int]:
        """The proven least and greatest gain of the player to move; -32000 and 32000 where nothing is proven."""
        cdef Packed at
        cdef Hash hash
        cdef Key key
        cdef uint8_t which
        cdef Entry* entry = self.look_up(position, &at, &hash, &key, &which)
        if entry == NULL:
            return LEAST, MOST
        return entry.low, entry.high

    def numbers(self, Position position not None, int k) -> tuple[int, int] | None:
        """The proof and disproof number that the table has for the question; None where it has nothing about this k."""
        cdef Packed at
        cdef Hash hash
        cdef Key key
        cdef uint8_t which
        cdef Entry* entry = self.look_up(position, &at, &hash, &key, &which)
        if entry == NULL:
            return None
        if entry.low >= k:
            return 0, INFINITE
        if entry.high < k:
            return INFINITE, 0
        return (unpack(entry.proof), unpack(entry.disproof)) if entry.asked == k else None

    def endless(self, Position position not None, list seen_twice not None, u64 nodes) -> int | None:
        """The exact gain where nothing is left to place; None where a limit (or the table's memory) was reached first.

        ``seen_twice`` holds the code of each position that ends the game when it comes up again.
        """
        cdef Packed at
        cdef int16_t* value
        cdef uint32_t* codes
        cdef int gain = 0, count = len(seen_twice), i
        at = bare(position)
        self.begin(nodes)
        if count == 0:
            with nogil:
                gain = endless_value(&self.search, &at)
        else:
            value = <int16_t*>malloc(8192 * sizeof(int16_t))
            codes = <uint32_t*>malloc(count * sizeof(uint32_t))
            if value == NULL or codes == NULL:
                c_free(value)
                c_free(codes)
                raise MemoryError
            for i in range(count):
                codes[i] = seen_twice[i]
            with nogil:
                fill_layer(&self.search, &at, codes, count, value)
                gain = value[place_in_layer(&at)]
            c_free(value)
            c_free(codes)
        self.end()
        return None if self.search.stop else gain

    def entries(self, int least_effort) -> bytes:
        """The entries of the table that cost at least 2 ** (least_effort / 4) nodes, or that many bytes of them."""
        cdef u64 i, used = 0
        cdef Entry* kept
        for i in range(self.search.buckets * WAYS):
            used += self.search.table[i].who != 0 and self.search.table[i].effort >= least_effort
        content = bytearray(used * sizeof(Entry))
        if used == 0:
            return bytes(content)
        kept = <Entry*><char*>content
        used = 0
        for i in range(self.search.buckets * WAYS):
            if self.search.table[i].who != 0 and self.search.table[i].effort >= least_effort:
                kept[used] = self.search.table[i]
                used += 1
        return bytes(content)

    def add_entries(self, bytes content) -> bool:
        """Take over entries() of a search of the same board and options; False where they cannot be such, and none is taken."""
        cdef const Entry* given = <const Entry*><const char*>content
        cdef u64 i, count = len(content) // sizeof(Entry)
        if len(content) % sizeof(Entry):
            return False
        for i in range(count):
            if not makes_sense(&self.search.game, &given[i]):
                return False
        for i in range(count):
            if self.search.used * 2 > self.search.buckets * WAYS and self.search.buckets < self.search.most_buckets:
                grow(&self.search)
            insert(&self.search, &given[i], hash_of_entry(&self.search, &given[i]))
        return True

    @property
    def numbers_now(self) -> tuple[int, int]:
        """Proof and disproof number of the question that is being asked, or was last."""
        return self.search.root_proof, self.search.root_disproof

    @property
    def nodes(self) -> int:
        """Positions searched since the beginning."""
        return self.search.nodes

    @property
    def full(self) -> bool:
        """Whether the last question ended because positions without Articles to place took all their memory."""
        return self.search.stop == LAYERS_FULL

    @property
    def fill(self) -> float:
        """The part of the table's limit that is in use."""
        return <double>self.search.used / (self.search.most_buckets * WAYS)
