"""Proof-number search for two-player Winkeladvokat: "does the player to move still gain at least k?"

Gain is the change of (own score - opponent's score) from now to the end, so positions that differ only in points already
scored are one. Depth-first proof-number search over a bounded transposition table whose entries hold the whole position
(seen from the player to move, in one of its symmetric images) with proven bounds of the gain, which answer every k, and
with the proof and disproof number of the last k asked.

Measured against it, with the same ends, threats, symmetries, table and model for the order of moves, at most 20,000 nodes a
question, 74 endgames: alpha-beta with iterative deepening 12 times the nodes for "at least the value" and 8 times for "one
more" and 8 and 14 questions unanswered, without deepening 19 and 13 times and 18 and 30 unanswered; df-pn answered all.
Unanswered questions count 20,000, so the true ratios are larger. n = 5, "at least 3": 623 nodes against 8,224 and 55,107.
Other switches, nodes of the questions v and v + 1 of 100 endgames: numbers of another k as first numbers, 4 % fewer; a
quarter of the sum as slack in the proof threshold of a child, 7 % fewer (an eighth 6 %, a half 6 % more); half of all
disproof numbers but the largest instead of their sum, 32 % more. Answers about unsearched positions kept in a table of
0.5 to 16 MB: no gain at the smallest size and 15 to 35 % more time at the others. CPU time at the same nodes, 20 endgames:
hashes by corner, keys on a match of ten bits and captures only in the way of a single detour, 23 % less together; one list
of detours for both ends_well and first_numbers with one look a line for dead ends, 1 % less, left out.
"""
# cython: language_level=3
from libc.math cimport exp, floor, log

include "winkeladvokat_board.pxi"

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define WA_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
    #else
    #define WA_CLONES
    #endif
    static WA_CLONES int wa_list_children(void*, const void*, const void*, int, int*);

    #if defined(__GNUC__) || defined(__clang__)
    #define WA_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define WA_PREFETCH(address) ((void)0)
    #endif

    #if defined(__linux__)
    #include <sys/mman.h>
    /* Zeroed, in huge pages where the system has them: random probes then miss the TLB far less. */
    static void *wa_table_new(size_t bytes)
    {
        void *table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (table == MAP_FAILED) return NULL;
    #ifdef MADV_HUGEPAGE
        if (bytes >= (size_t)8 << 20) madvise(table, bytes, MADV_HUGEPAGE);
    #endif
        return table;
    }
    static void wa_table_free(void *table, size_t bytes) { if (table) munmap(table, bytes); }
    #else
    #include <stdlib.h>
    static void *wa_table_new(size_t bytes) { return calloc(bytes, 1); }
    static void wa_table_free(void *table, size_t bytes) { (void)bytes; free(table); }
    #endif
    """
    void prefetch "WA_PREFETCH" (const void*) noexcept nogil
    void* table_new "wa_table_new" (size_t) noexcept nogil
    void table_free "wa_table_free" (void*, size_t) noexcept nogil

cdef enum:
    INFINITE = 1 << 30
    LEAST = -32000  # bounds of a gain that nothing is known about
    MOST = 32000
    WAYS = 2
    FIRST_BUCKETS = 1 << 12
    MAX_THREATS = 24
    MAX_REPLIES = 255
    MIDDLE = 512  # of the tables of first numbers

cdef enum Stop:
    GOES_ON
    NODE_LIMIT
    POLLED
    SIGNALLED
    NO_MEMORY
    LAYERS_FULL
    POLL_RAISED

cdef struct Entry:
    # 32 bytes; `who` is never 0 in a used entry, as two Lawyers cannot stand on a1.
    u64 own
    u64 opposing
    uint32_t who  # own Lawyer, opposing Lawyer, own supply, opposing supply (6, 6, 5, 5 bits), 10 bits of the hash
    int16_t low
    int16_t high
    int16_t asked  # the k that the two numbers belong to
    uint16_t proof
    uint16_t disproof
    uint8_t effort  # 4 log2 of the nodes below
    uint8_t spare

cdef struct Hash:
    u64 lane[8]

cdef struct Key:
    u64 hash
    u64 own
    u64 opposing
    uint32_t who

cdef struct Child:
    Move move
    u64 hash
    int32_t gain
    uint32_t proof  # for the opponent, who is to move there
    uint32_t disproof
    uint8_t image

cdef struct Threat:
    int value
    u64 path

cdef struct Layer:
    # All places of the Lawyers for the same Articles, nothing left to place; see winkeladvokat_endless.pxi.
    u64 blue
    u64 red
    int16_t* value  # [turn][Blue's Lawyer][Red's Lawyer]: gain of the player to move


cdef struct Search:
    Game game
    bint setwise  # the default end of the game: ends are found for all squares at once
    int levels
    int level_value[64]  # descending
    u64 level_squares[64]  # squares of at least that value
    int images
    uint8_t image_square[8][64]
    int image_of_lane[8]
    Hash square_hash[2][2][64]  # colour, Article or Lawyer
    u64 supply_hash[32][32]
    Entry* table
    u64 buckets
    u64 most_buckets
    u64 used
    Child* children
    int children_used
    int children_room
    MoveList captures
    u64 nodes
    u64 node_limit
    u64 nodes_before
    int stop
    Layer* layers
    u64 layer_room
    u64 layers_used
    u64 next_look
    uint32_t root_proof
    uint32_t root_disproof
    void* owner

cdef u64 BETWEEN[64][64]


cdef void build_lines() noexcept:
    cdef int one, other, step, square
    for one in range(64):
        for other in range(64):
            BETWEEN[one][other] = 0
            if one == other or (one & 7 != other & 7 and one >> 3 != other >> 3):
                continue
            step = (8 if other > one else -8) if one & 7 == other & 7 else (1 if other > one else -1)
            square = one + step
            while square != other:
                BETWEEN[one][other] |= bit(square)
                square += step


build_lines()


include "winkeladvokat_table.pxi"
include "winkeladvokat_ends.pxi"


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
    cdef const Position* at = <const Position*>at_
    cdef const Hash* hash = <const Hash*>hash_
    cdef const Game* game = &search.game
    cdef int mover = at.turn, base = search.children_used, i, j, threat_count, line, corner, gain, kept
    cdef u64 empty = ~at.occupied, lifted = empty | bit(at.lawyer[mover]), corners, stops, dead
    cdef bint placing = at.supply[mover] > 0
    cdef Threat threats[MAX_THREATS]
    cdef Child* child
    cdef Position after
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
                        prefetch(bucket_of(search, child.hash))
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
        prefetch(bucket_of(search, child.hash))
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
            search.stop = (<WinkeladvokatSearch>search.owner).ask()


include "winkeladvokat_endless.pxi"


cdef void expand(
    Search* search, const Position* at, const Hash* hash, u64 canonical_hash, uint8_t which, int k,
    uint32_t proof_limit, uint32_t disproof_limit, uint32_t* proof, uint32_t* disproof, int* bound
) noexcept nogil:
    # Search until a number reaches its limit; `bound` is what is proven in the end, at least or at most. Nothing is stored
    # once `stop` is set.
    cdef int base = search.children_used, i, best, last, reply
    cdef u64 total, began = search.nodes
    cdef uint32_t least, second, inner_proof, inner_disproof
    cdef Position after
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


cdef class WinkeladvokatSearch:
    """A transposition table and the search over it, for one board and one set of options (as in WinkeladvokatPosition).

    Questions are asked about (turn, articles, lawyers, supply) of a position that is not finished and, with
    moves_without_placing, has Articles left to place; endless() answers the rest. The table grows to ``megabytes``.
    ``poll``, if set, is called every few thousand nodes with those of the question so far; it stops it by returning True.
    """

    cdef Search search
    cdef public object poll
    cdef object raised

    def __cinit__(self, int size, values, options, double megabytes=512.0):
        cdef int square
        cdef Game* game = &self.search.game
        game.size, game.players = size, 2
        for square in range(64):
            game.value[square] = values[square]
            if square >> 3 >= size or square & 7 >= size:
                game.wall |= bit(square)
        game.on_turn, game.no_step, game.without_placing, game.square_points = options[:4]
        game.first_jump = 4 if options[4] == 1 else 0
        game.end_jump = 4 if options[4] == 0 else 8
        self.search.setwise = not (game.on_turn or game.no_step)
        prepare(&self.search)
        self.search.most_buckets = max(<u64>1, <u64>(megabytes * 1048576) // (WAYS * sizeof(Entry)))
        self.search.buckets = min(<u64>FIRST_BUCKETS, self.search.most_buckets)
        self.search.table = <Entry*>table_new(self.search.buckets * WAYS * sizeof(Entry))
        self.search.children_room = 4096
        self.search.children = <Child*>malloc(self.search.children_room * sizeof(Child))
        self.search.layer_room = 1
        if game.without_placing:
            # At most half of the places are used, 16 KB each: as much again as the table.
            while self.search.layer_room * 8192 < megabytes * 1048576:
                self.search.layer_room *= 2
        self.search.layer_room = max(self.search.layer_room, <u64>4)
        self.search.layers = <Layer*>calloc(self.search.layer_room, sizeof(Layer))
        self.search.owner = <void*>self
        if self.search.table == NULL or self.search.children == NULL or self.search.layers == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef u64 i
        table_free(self.search.table, self.search.buckets * WAYS * sizeof(Entry))
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

    cdef int read(self, Position* at, position) except -1:
        cdef int player
        memset(at, 0, sizeof(Position))
        at.turn = position[0]
        at.occupied = self.search.game.wall
        for player in range(2):
            at.articles[player] = position[1][player]
            at.lawyer[player] = position[2][player]
            at.supply[player] = position[3][player]
            at.occupied |= at.articles[player] | bit(at.lawyer[player])
        return 0

    cdef Entry* look_up(self, position, Position* at, Hash* hash, Key* key, uint8_t* which) except? NULL:
        cdef u64 canonical_hash
        self.read(at, position)
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

    def prove(
        self, position: tuple[int, list[int], list[int], list[int]], int k, u64 nodes
    ) -> tuple[bool | None, int, int]:
        """Does the player to move still gain at least k? None where a limit was reached first; with both numbers.

        ``nodes`` limits this call. Raises what a signal handler or ``poll`` raised; the table stays sound: nothing is
        stored about a position whose search was stopped.
        """
        cdef Position at
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

    def bounds(self, position: tuple[int, list[int], list[int], list[int]]) -> tuple[int, int]:
        """The proven least and greatest gain of the player to move; -32000 and 32000 where nothing is proven."""
        cdef Position at
        cdef Hash hash
        cdef Key key
        cdef uint8_t which
        cdef Entry* entry = self.look_up(position, &at, &hash, &key, &which)
        if entry == NULL:
            return LEAST, MOST
        return entry.low, entry.high

    def numbers(self, position: tuple[int, list[int], list[int], list[int]], k: int) -> tuple[int, int] | None:
        """The proof and disproof number that the table has for the question; None where it has nothing about this k."""
        cdef Position at
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

    def endless(
        self, position: tuple[int, list[int], list[int], list[int]], seen_twice: list[int], u64 nodes
    ) -> int | None:
        """The exact gain where nothing is left to place; None where a limit (or the table's memory) was reached first.

        ``seen_twice`` holds the code() of each position that ends the game when it comes up again.
        """
        cdef Position at
        cdef int16_t* value
        cdef uint32_t* codes
        cdef int gain = 0, count = len(seen_twice), i
        self.read(&at, position)
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

    def add_entries(self, bytes content) -> None:
        """Take over entries() of a search of the same board and options."""
        cdef const Entry* given = <const Entry*><const char*>content
        cdef u64 i
        for i in range(len(content) // sizeof(Entry)):
            if self.search.used * 2 > self.search.buckets * WAYS and self.search.buckets < self.search.most_buckets:
                grow(&self.search)
            insert(&self.search, &given[i], hash_of_entry(&self.search, &given[i]))

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
