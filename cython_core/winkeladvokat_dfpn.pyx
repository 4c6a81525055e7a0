"""Proof-number search for two-player Winkeladvokat: "does the player to move still gain at least k?"

Gain is the change of (own score - opponent's score) from now to the end, so positions that differ only in points already
scored are one. Depth-first proof-number search over a bounded transposition table whose entries hold the whole position
(seen from the player to move, in one of its symmetric images) with proven bounds of the gain, which answer every k, and
with the proof and disproof number of the last k asked.
"""
# cython: language_level=3
from libc.math cimport exp, floor, log
from libc.time cimport CLOCKS_PER_SEC, clock

include "winkeladvokat_board.pxi"

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define WA_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
    #else
    #define WA_CLONES
    #endif
    static WA_CLONES int wa_list_children(void*, const void*, const void*, int);

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
    TIME_LIMIT
    SIGNALLED
    NO_MEMORY
    LAYERS_FULL
    LISTENER_RAISED

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
    double clock_limit
    int stop
    Layer* layers
    u64 layer_room
    u64 layers_used
    u64 next_look
    u64 looks
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


# ---- symmetry and hashing

cdef inline u64 mirror(u64 x) noexcept nogil:
    x = (x >> 1 & 0x5555555555555555ULL) | (x & 0x5555555555555555ULL) << 1
    x = (x >> 2 & 0x3333333333333333ULL) | (x & 0x3333333333333333ULL) << 2
    return (x >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (x & 0x0F0F0F0F0F0F0F0FULL) << 4


cdef inline u64 upside_down(u64 x) noexcept nogil:
    x = (x >> 8 & 0x00FF00FF00FF00FFULL) | (x & 0x00FF00FF00FF00FFULL) << 8
    x = (x >> 16 & 0x0000FFFF0000FFFFULL) | (x & 0x0000FFFF0000FFFFULL) << 16
    return x >> 32 | x << 32


cdef inline u64 transpose(u64 x) noexcept nogil:
    cdef u64 t = (x ^ x << 28) & 0x0F0F0F0F00000000ULL
    x ^= t ^ t >> 28
    t = (x ^ x << 14) & 0x3333000033330000ULL
    x ^= t ^ t >> 14
    t = (x ^ x << 7) & 0x5500550055005500ULL
    return x ^ t ^ t >> 7


cdef inline u64 image(int which, u64 squares, int size) noexcept nogil:
    if which & 4:
        squares = transpose(squares)
    if which & 1:
        squares = mirror(squares) >> (8 - size)
    if which & 2:
        squares = upside_down(squares) >> 8 * (8 - size)
    return squares


cdef inline u64 swap_halves(u64 x) noexcept nogil:
    # Exchanges the colours of a hash: those of Red are those of Blue with their halves exchanged.
    return x >> 32 | x << 32


cdef void prepare(Search* search) noexcept:
    # Which of the eight symmetries the numbers have, the hashes of their images, and the squares by value.
    cdef int which, square, to, kind, lane, level
    cdef u64 seed = 2026, x, best
    cdef bint symmetric
    search.images = 0
    for which in range(8):
        symmetric = True
        for square in range(64):
            if search.game.wall >> square & 1:
                continue
            to = xp_ctz64(image(which, bit(square), search.game.size))
            search.image_square[which][square] = to
            if search.game.value[to] != search.game.value[square]:
                symmetric = False
        if symmetric:
            search.image_of_lane[search.images] = which
            search.images += 1
    for lane in range(search.images, 8):
        search.image_of_lane[lane] = 0
    for kind in range(2):
        for square in range(64):
            seed += 0x9E3779B97F4A7C15ULL
            x = xp_mix64(seed)
            for lane in range(8):
                for to in range(64):
                    if not search.game.wall >> to & 1 and search.image_square[search.image_of_lane[lane]][to] == square:
                        search.square_hash[0][kind][to].lane[lane] = x
                        search.square_hash[1][kind][to].lane[lane] = swap_halves(x)
    for square in range(32):
        for to in range(32):
            seed += 0x9E3779B97F4A7C15ULL
            search.supply_hash[square][to] = xp_mix64(seed)
    search.levels = 0
    best = ~search.game.wall
    while best:
        level = 0
        for square in range(64):
            if best >> square & 1:
                level = max(level, search.game.value[square])
        search.level_value[search.levels] = level
        search.level_squares[search.levels] = 0
        for square in range(64):
            if not search.game.wall >> square & 1 and search.game.value[square] >= level:
                search.level_squares[search.levels] |= bit(square)
        best &= ~search.level_squares[search.levels]
        search.levels += 1


cdef inline u64 squares_worth(const Search* search, int least) noexcept nogil:
    cdef int level = search.levels - 1
    while level >= 0:
        if search.level_value[level] >= least:
            return search.level_squares[level]
        level -= 1
    return 0


cdef inline void toggle(Hash* hash, const Hash* piece) noexcept nogil:
    cdef int lane
    for lane in range(8):
        hash.lane[lane] ^= piece.lane[lane]


cdef inline void hash_of(const Search* search, const Position* at, Hash* hash) noexcept nogil:
    cdef int player
    cdef u64 held
    memset(hash, 0, sizeof(Hash))
    for player in range(2):
        toggle(hash, &search.square_hash[player][1][at.lawyer[player]])
        held = at.articles[player]
        while held:
            toggle(hash, &search.square_hash[player][0][xp_ctz64(held)])
            held &= held - 1


cdef inline void hash_after(const Search* search, const Move* move, int mover, bint placing, Hash* hash) noexcept nogil:
    cdef u64 taken = move.taken
    if taken:
        toggle(hash, &search.square_hash[mover][0][move.start])
        toggle(hash, &search.square_hash[mover][0][move.stop])
        while taken:
            toggle(hash, &search.square_hash[1 - mover][0][xp_ctz64(taken)])
            taken &= taken - 1
    else:
        toggle(hash, &search.square_hash[mover][1][move.start])
        toggle(hash, &search.square_hash[mover][1][move.stop])
        if placing:
            toggle(hash, &search.square_hash[mover][0][move.corner])


cdef inline u64 canonical(const Search* search, const Hash* hash, const Position* at, uint8_t* chosen) noexcept nogil:
    # The least of the hashes of the images, seen from the player to move, and which image that is.
    cdef u64 least = ~(<u64>0), x
    cdef int lane
    chosen[0] = 0
    for lane in range(search.images):
        x = swap_halves(hash.lane[lane]) if at.turn else hash.lane[lane]
        if x < least:
            least, chosen[0] = x, search.image_of_lane[lane]
    return least ^ search.supply_hash[at.supply[at.turn]][at.supply[1 - at.turn]]


# ---- the table

cdef inline Entry* bucket_of(const Search* search, u64 hash) noexcept nogil:
    return &search.table[((hash >> 32) * search.buckets >> 32) * WAYS]


cdef inline void key_of(const Search* search, const Position* at, u64 hash, uint8_t which, Key* key) noexcept nogil:
    cdef int mover = at.turn, other = 1 - at.turn
    key.hash = hash
    key.own = image(which, at.articles[mover], search.game.size)
    key.opposing = image(which, at.articles[other], search.game.size)
    key.who = (
        <uint32_t>search.image_square[which][at.lawyer[mover]] << 26 | <uint32_t>search.image_square[which][at.lawyer[other]] << 20
        | <uint32_t>at.supply[mover] << 15 | <uint32_t>at.supply[other] << 10 | <uint32_t>(hash & 1023)
    )


cdef inline Entry* find(const Search* search, const Key* key) noexcept nogil:
    cdef Entry* entry = bucket_of(search, key.hash)
    cdef int way
    for way in range(WAYS):
        if entry[way].who == key.who and entry[way].own == key.own and entry[way].opposing == key.opposing:
            return &entry[way]
    return NULL


cdef inline uint16_t pack(uint32_t number) noexcept nogil:
    # 11 bits of mantissa, 5 of exponent, rounded down: only a hint for the next visit.
    cdef int shift = 0
    while number >> shift > 2047:
        shift += 1
    return shift << 11 | number >> shift


cdef inline uint32_t unpack(uint16_t packed) noexcept nogil:
    return (<uint32_t>packed & 2047) << (packed >> 11)


cdef inline uint8_t effort_of(u64 nodes) noexcept nogil:
    cdef int top
    if nodes < 2:
        return 0
    top = 63 - xp_clz64(nodes)
    return 4 * top + (nodes >> (top - 2) & 3 if top >= 2 else 0)


cdef u64 hash_of_entry(const Search* search, const Entry* entry) noexcept nogil:
    # An entry is its own canonical image: lane 0 of the hash, Blue the player to move.
    cdef u64 hash = search.square_hash[0][1][entry.who >> 26].lane[0] ^ search.square_hash[1][1][entry.who >> 20 & 63].lane[0]
    cdef u64 held = entry.own
    while held:
        hash ^= search.square_hash[0][0][xp_ctz64(held)].lane[0]
        held &= held - 1
    held = entry.opposing
    while held:
        hash ^= search.square_hash[1][0][xp_ctz64(held)].lane[0]
        held &= held - 1
    return hash ^ search.supply_hash[entry.who >> 15 & 31][entry.who >> 10 & 31]


cdef void insert(Search* search, const Entry* new, u64 hash) noexcept nogil:
    # Into an empty place of the bucket or over the entry with the least effort.
    cdef Entry* entry = bucket_of(search, hash)
    cdef int way, worst = 0
    for way in range(WAYS):
        if entry[way].who == 0:
            entry[way] = new[0]
            search.used += 1
            return
        if entry[way].effort < entry[worst].effort:
            worst = way
    entry[worst] = new[0]


cdef void grow(Search* search) noexcept nogil:
    # Small questions stay in the cache; the table grows as it fills, up to its limit.
    cdef Entry* old = search.table
    cdef u64 old_buckets = search.buckets, i
    cdef u64 buckets = min(8 * old_buckets, search.most_buckets)
    cdef Entry* table = <Entry*>table_new(buckets * WAYS * sizeof(Entry))
    if table == NULL:
        search.most_buckets = old_buckets
        return
    search.table, search.buckets, search.used = table, buckets, 0
    for i in range(old_buckets * WAYS):
        if old[i].who:
            insert(search, &old[i], hash_of_entry(search, &old[i]))
    table_free(old, old_buckets * WAYS * sizeof(Entry))


cdef void store(Search* search, const Key* key, int asked, uint32_t proof, uint32_t disproof, u64 nodes) noexcept nogil:
    cdef Entry new
    cdef Entry* old = find(search, key)
    cdef uint8_t effort = effort_of(nodes)
    new.own, new.opposing, new.who = key.own, key.opposing, key.who
    new.low, new.high, new.spare, new.effort = LEAST, MOST, 0, effort
    if old != NULL:
        new.low, new.high = old.low, old.high
        new.effort = max(old.effort, effort)
    new.asked = asked
    if proof == 0:
        new.low = max(new.low, <int16_t>asked)
    elif disproof == 0:
        new.high = min(new.high, <int16_t>(asked - 1))
    new.proof, new.disproof = pack(proof), pack(disproof)
    if old != NULL:
        old[0] = new
        return
    if search.used * 2 > search.buckets * WAYS and search.buckets < search.most_buckets:
        grow(search)
    insert(search, &new, key.hash)


# ---- what ends the game

cdef inline u64 near_a_turn(u64 empty) noexcept nogil:
    # Squares beside an empty square from which to turn: a Lawyer there has a detour. The quick part of squares_with_detour.
    cdef u64 along_rank = turns_off_rank(empty), along_file = turns_off_file(empty)
    return (
        ((along_rank << 1) & WA_NOT_FILE_A) | ((along_rank >> 1) & WA_NOT_FILE_H) | along_file << 8 | along_file >> 8
    )


cdef inline u64 dead_ends(u64 stops, u64 empty) noexcept nogil:
    # Those of `stops` on which a Lawyer has no detour.
    if stops & ~near_a_turn(empty) == 0:
        return 0
    return stops & ~squares_with_detour(empty)


cdef inline int gain_of(const Game* game, const Move* move, bint placing) noexcept nogil:
    cdef u64 taken = move.taken
    cdef int gain, square
    if taken == 0:
        return game.value[move.corner] if placing else 0
    gain = game.value[move.stop] - game.value[move.start]
    while taken:
        square = xp_ctz64(taken)
        taken &= taken - 1
        gain += game.value[square] + (game.value[square] if game.square_points else 1)
    return gain


cdef inline u64 a_detour(int lawyer, u64 empty, u64 avoiding) noexcept nogil:
    # The squares of a short detour within `empty` that keeps off `avoiding`, 0 if none is found.
    cdef u64 usable = empty & ~avoiding, turns, side
    cdef int corner, half
    turns = rank_reach(lawyer, ~usable) & turns_off_rank(usable)
    for half in range(2):
        side = turns & (bit(lawyer) - 1) if half else turns & ~(bit(lawyer) - 1)
        if side:
            corner = 63 - xp_clz64(side) if half else xp_ctz64(side)
            side = usable & (bit(corner) << 8)
            return BETWEEN[lawyer][corner] | bit(corner) | (side if side else usable & (bit(corner) >> 8))
    turns = file_reach(lawyer, ~usable) & turns_off_file(usable)
    for half in range(2):
        side = turns & (bit(lawyer) - 1) if half else turns & ~(bit(lawyer) - 1)
        if side:
            corner = 63 - xp_clz64(side) if half else xp_ctz64(side)
            side = usable & (bit(corner) << 1) & WA_NOT_FILE_A
            return BETWEEN[lawyer][corner] | bit(corner) | (side if side else usable & (bit(corner) >> 1) & WA_NOT_FILE_H)
    return 0


cdef bint ends_well(Search* search, const Position* at, int k) noexcept nogil:
    # Whether the player to move can end the game at once with a gain of at least k.
    cdef const Game* game = &search.game
    cdef int mover = at.turn, other = 1 - at.turn, lawyer = at.lawyer[mover], opponent = at.lawyer[other]
    cdef u64 empty = ~at.occupied, lifted = empty | bit(lawyer), corners, stops, left, first, second
    cdef u64 worth = squares_worth(search, k)
    cdef int line, corner, i
    cdef bint last = at.supply[mover] == 1 and not game.without_placing
    cdef Position after
    if not game.without_placing or at.supply[mover] > 0:
        first = a_detour(opponent, lifted, 0)
        second = a_detour(opponent, lifted, first) if first else 0
        for line in range(2):
            corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty & worth
            while corners:
                corner = xp_ctz64(corners)
                corners &= corners - 1
                stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                if stops == 0:
                    continue
                if last:
                    return True
                left = lifted & ~bit(corner)
                if dead_ends(stops, left):
                    return True
                # Only a move that touches every detour of the opponent can block him.
                if not first & bit(corner):
                    stops &= first
                if second and not second & bit(corner):
                    stops &= second
                while stops:
                    if not has_detour(opponent, left & ~(stops & (~stops + 1))):
                        return True
                    stops &= stops - 1
    if jump_starts(game, at.articles[mover], at.articles[other], empty):
        search.captures.length = 0
        if not add_captures(game, &search.captures, at.articles[mover], at.articles[other], empty):
            search.stop = NO_MEMORY
            return False
        for i in range(search.captures.length):
            if gain_of(game, &search.captures.moves[i], False) >= k:
                left = (empty | bit(search.captures.moves[i].start) | search.captures.moves[i].taken) & ~bit(search.captures.moves[i].stop)
                if not has_detour(lawyer, left) or not has_detour(opponent, left):
                    return True
    return False


cdef int find_threats(Search* search, const Position* at, int least, Threat* threats) noexcept nogil:
    # Ways in which the opponent can end the game with a gain of at least `least` whatever detour the mover makes, as long
    # as it puts nothing on the path: the Lawyer's stop is dead even with the mover's Lawyer gone from its square.
    cdef const Game* game = &search.game
    cdef int mover = at.turn, other = 1 - at.turn, lawyer = at.lawyer[other]
    cdef u64 empty = ~at.occupied | bit(at.lawyer[mover]), corners, stops
    cdef u64 worth = squares_worth(search, least)
    cdef int line, corner, stop, found = 0
    if at.supply[other] == 0:
        return 0
    for line in range(2):
        corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty & worth
        while corners:
            corner = xp_ctz64(corners)
            corners &= corners - 1
            stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
            if at.supply[other] > 1 or game.without_placing:
                stops = dead_ends(stops, (empty | bit(lawyer)) & ~bit(corner))
            else:
                # His last Article: the nearest stops are the hardest to forbid.
                stops &= (bit(corner) << 1 | bit(corner) >> 1) if line else (bit(corner) << 8 | bit(corner) >> 8)
            while stops:
                if found == MAX_THREATS:
                    return found
                stop = xp_ctz64(stops)
                stops &= stops - 1
                threats[found].value = game.value[corner]
                threats[found].path = BETWEEN[lawyer][corner] | bit(corner) | BETWEEN[corner][stop] | bit(stop)
                found += 1
    return found


# ---- the search

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


# First numbers of a leaf. A logistic model of "the player to move will be proven to gain k", fitted to 13,500 leaves of
# searches on 6 x 6, 7 x 7 and 8 x 8 that were then solved (log loss 0.42; the share of proven ones alone 0.65), in
# sixteenths: the replies that survive the opponent's threats count most. Sum of nodes of 23 endgames and CPU seconds:
# all numbers 1: 7.66 million, 28 s; proof 1, disproof the number of replies: 2.64 million, 6.5 s; with k: 1.72 million,
# 6.2 s; this model: 1.50 million, 5.5 s. Six other scales of the two numbers were within 15 % of it.
cdef int WEIGHT_REPLIES[MAX_REPLIES + 1]
cdef int WEIGHT_K[61]
cdef uint32_t FIRST_PROOF[2 * MIDDLE]
cdef uint32_t FIRST_DISPROOF[2 * MIDDLE]
cdef enum:
    WEIGHT_CONSTANT = -6
    WEIGHT_OWN_SLIDES = 2
    WEIGHT_OTHER_SLIDES = -2
    WEIGHT_OWN_CAPTURES = 11
    WEIGHT_OTHER_CAPTURES = -5


cdef void build_model() noexcept:
    cdef int i
    for i in range(MAX_REPLIES + 1):
        WEIGHT_REPLIES[i] = <int>(16 * 0.736 * log(1 + i))
    for i in range(61):
        WEIGHT_K[i] = <int>floor(16 * (-0.132 * (i - 30) - 0.081 * max(0, i - 30)))
    for i in range(2 * MIDDLE):
        FIRST_PROOF[i] = <uint32_t>max(1.0, min(1e6, 4 * exp(-0.7 * (i - MIDDLE) / 16.0)))
        FIRST_DISPROOF[i] = <uint32_t>max(1.0, min(1e6, 30 * exp(0.7 * (i - MIDDLE) / 16.0)))


build_model()


cdef inline int slides(int lawyer, u64 empty) noexcept nogil:
    return xp_popcount64((rank_reach(lawyer, ~empty) | file_reach(lawyer, ~empty)) & empty)


cdef inline void first_numbers(Search* search, const Position* at, int k, Child* child) noexcept nogil:
    # Proof and disproof number of a position that has not been searched; disproved where no move survives.
    cdef const Game* game = &search.game
    cdef int mover = at.turn, i, line, corner, threat_count, likely, replies = 0, lawyer = at.lawyer[mover]
    cdef u64 empty = ~at.occupied, corners, stops, captures
    cdef Threat threats[MAX_THREATS]
    threat_count = find_threats(search, at, 1 - k, threats)
    captures = jump_starts(game, at.articles[mover], at.articles[1 - mover], empty)
    if at.supply[mover] > 1 or game.without_placing:
        for line in range(2):
            corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty
            while corners:
                corner = xp_ctz64(corners)
                corners &= corners - 1
                stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                for i in range(threat_count):
                    if threats[i].value > game.value[corner] - k and not threats[i].path >> corner & 1:
                        stops &= threats[i].path
                replies += xp_popcount64(stops)
    if replies == 0 and captures == 0:
        child.proof, child.disproof = INFINITE, 0
        return
    likely = MIDDLE + WEIGHT_CONSTANT + WEIGHT_REPLIES[min(replies, <int>MAX_REPLIES)] + WEIGHT_K[max(-30, min(30, k)) + 30]
    likely += WEIGHT_OWN_SLIDES * slides(lawyer, empty) + WEIGHT_OTHER_SLIDES * slides(at.lawyer[1 - mover], empty)
    likely += WEIGHT_OWN_CAPTURES * xp_popcount64(captures)
    likely += WEIGHT_OTHER_CAPTURES * xp_popcount64(jump_starts(game, at.articles[1 - mover], at.articles[mover], empty))
    likely = max(0, min(2 * MIDDLE - 1, likely))
    child.proof, child.disproof = FIRST_PROOF[likely], FIRST_DISPROOF[likely]


cdef int list_children "wa_list_children" (void* search_, const void* at_, const void* hash_, int k) noexcept nogil:
    # The moves that are not refuted at once, on top of the stack of children; 1 if one of them proves the position.
    cdef Search* search = <Search*>search_
    cdef const Position* at = <const Position*>at_
    cdef const Hash* hash = <const Hash*>hash_
    cdef const Game* game = &search.game
    cdef int mover = at.turn, base = search.children_used, i, j, threat_count, line, corner, gain, kept
    cdef u64 empty = ~at.occupied, lifted = empty | bit(at.lawyer[mover]), corners, stops
    cdef bint placing = at.supply[mover] > 0
    cdef Threat threats[MAX_THREATS]
    cdef Child* child
    cdef Position after
    cdef Hash below
    cdef Key key
    cdef Entry* entry
    cdef int asked
    search.captures.length = 0
    if search.setwise and placing:
        if at.supply[mover] > 1 or game.without_placing:
            threat_count = find_threats(search, at, 1 - k, threats)
            for line in range(2):
                corners = (file_reach(at.lawyer[mover], ~empty) if line else rank_reach(at.lawyer[mover], ~empty)) & empty
                while corners:
                    corner = xp_ctz64(corners)
                    corners &= corners - 1
                    stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                    for i in range(threat_count):
                        if threats[i].value > game.value[corner] - k and not threats[i].path >> corner & 1:
                            stops &= threats[i].path
                    if stops:
                        stops &= ~dead_ends(stops, lifted & ~bit(corner))
                    while stops:
                        child = new_child(search)
                        if child == NULL:
                            return 0
                        child.move.taken, child.move.start, child.move.corner = 0, at.lawyer[mover], corner
                        child.move.stop = xp_ctz64(stops)
                        stops &= stops - 1
    elif may_detour(game, at):
        if not add_detours(&search.captures, at.lawyer[mover], empty, placing):
            search.stop = NO_MEMORY
    if not add_captures(game, &search.captures, at.articles[mover], at.articles[1 - mover], empty):
        search.stop = NO_MEMORY
    for i in range(search.captures.length):
        child = new_child(search)
        if child == NULL:
            return 0
        child.move = search.captures.moves[i]
    # All hashes first, so that the table's lines are on their way when they are asked for.
    for i in range(base, search.children_used):
        child = &search.children[i]
        below = hash[0]
        hash_after(search, &child.move, mover, placing, &below)
        after.turn = 1 - mover
        after.supply[0], after.supply[1] = at.supply[0], at.supply[1]
        if child.move.taken == 0 and placing:
            after.supply[mover] -= 1
        child.hash = canonical(search, &below, &after, &child.image)
        prefetch(bucket_of(search, child.hash))
    kept = base
    for i in range(base, search.children_used):
        child = &search.children[i]
        child.gain = gain = gain_of(game, &child.move, placing)
        asked = gain - k + 1
        after = at[0]
        play_move(game, &after, &child.move, NULL)
        if finished(game, &after, NULL):
            if gain >= k:
                search.children_used = base
                return 1
            continue
        if endless(game, &after):
            if endless_value(search, &after) < asked and not search.stop:
                search.children_used = base
                return 1
            continue
        key_of(search, &after, child.hash, child.image, &key)
        entry = find(search, &key)
        if entry != NULL and entry.low >= asked:
            continue
        if entry != NULL and entry.high < asked:
            search.children_used = base
            return 1
        if entry != NULL and entry.asked == asked:
            child.proof, child.disproof = unpack(entry.proof), unpack(entry.disproof)
        else:
            if search.setwise and ends_well(search, &after, asked):
                continue
            child.proof = child.disproof = 1
            if search.setwise:
                first_numbers(search, &after, asked, child)
            if child.disproof == 0:
                search.children_used = base
                return 1
        search.children[kept] = child[0]
        kept += 1
    search.children_used = kept
    return 0


cdef void look_around(Search* search) noexcept nogil:
    # Limits, signals and progress, every few thousand nodes.
    if search.nodes >= search.node_limit:
        search.stop = NODE_LIMIT
        return
    search.next_look = min(search.node_limit, search.nodes + 4096)
    search.looks += 1
    if <double>clock() / CLOCKS_PER_SEC >= search.clock_limit:
        search.stop = TIME_LIMIT
    elif search.looks & 15 == 0:
        with gil:
            if signalled() != 0:
                search.stop = SIGNALLED
            elif not (<WinkeladvokatSearch>search.owner).report():
                search.stop = LISTENER_RAISED


include "winkeladvokat_endless.pxi"


cdef void expand(
    Search* search, const Position* at, const Hash* hash, u64 canonical_hash, uint8_t which, int k,
    uint32_t proof_limit, uint32_t disproof_limit, uint32_t* proof, uint32_t* disproof
) noexcept nogil:
    # Search until a number reaches its limit. Nothing is stored once `stop` is set.
    cdef int base = search.children_used, i, best, last
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
    if list_children(search, at, hash, k):
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
                inner_proof = <uint32_t>(disproof_limit - (total - child.proof))
            inner_disproof = min(proof_limit, <uint32_t>min(<u64>second + second // 4 + 1, <u64>INFINITE))
            after = at[0]
            below = hash[0]
            hash_after(search, &child.move, at.turn, at.supply[at.turn] > 0, &below)
            play_move(&search.game, &after, &child.move, NULL)
            expand(
                search, &after, &below, child.hash, child.image, child.gain - k + 1, inner_proof, inner_disproof,
                &inner_proof, &inner_disproof,
            )
            if search.stop:
                break
            child = &search.children[best]  # the stack may have moved
            child.proof, child.disproof = inner_proof, inner_disproof
            if inner_proof == 0:
                # Refuted: the opponent gains enough.
                last -= 1
                search.children[best] = search.children[last]
            search.children_used = last
    search.children_used = base
    if not search.stop:
        key_of(search, at, canonical_hash, which, &key)
        store(search, &key, k, proof[0], disproof[0], search.nodes - began)


cdef class WinkeladvokatSearch:
    """A transposition table and the search over it, for one board and one set of options (as in WinkeladvokatPosition).

    Questions are asked about (turn, articles, lawyers, supply) of a position that is not finished and, with
    moves_without_placing, has Articles left to place; endless() answers the rest. The table grows to ``megabytes``.
    ``listener``, if set, is called a few times a second with (nodes, proof number, disproof number) of the question.
    """

    cdef Search search
    cdef public object listener
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
        self.search.most_buckets = max(1, <u64>(megabytes * 1048576) // (WAYS * sizeof(Entry)))
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

    cdef bint report(self) noexcept:
        if self.listener is not None:
            try:
                self.listener(self.search.nodes, self.search.root_proof, self.search.root_disproof)
            except BaseException as error:
                self.raised = error
                return False
        return True

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
        canonical_hash = canonical(&self.search, hash, at, which)
        key_of(&self.search, at, canonical_hash, which[0], key)
        return find(&self.search, key)

    cdef int begin(self, u64 nodes, double seconds) except -1:
        self.search.stop = GOES_ON
        self.search.root_proof = self.search.root_disproof = 1
        self.search.node_limit = self.search.nodes + nodes
        self.search.next_look = min(self.search.node_limit, self.search.nodes + 4096)
        self.search.clock_limit = <double>clock() / CLOCKS_PER_SEC + seconds
        return 0

    cdef int end(self) except -1:
        # Raise what stopped the search, unless it was a limit.
        self.search.children_used = 0
        if self.search.stop == LISTENER_RAISED:
            raised, self.raised = self.raised, None
            raise raised
        if self.search.stop == SIGNALLED or self.search.stop == NO_MEMORY:
            raise_pending()
        return 0

    def prove(
        self, position: tuple[int, list[int], list[int], list[int]], int k, u64 nodes, double seconds
    ) -> tuple[bool | None, int, int]:
        """Does the player to move still gain at least k? None where a limit was reached first; with both numbers.

        ``nodes`` and ``seconds`` (CPU) limit this call. Raises what a signal handler or the listener raised; the table
        stays sound: nothing is stored about a position whose search was stopped.
        """
        cdef Position at
        cdef Hash hash
        cdef Key key
        cdef uint8_t which
        cdef uint32_t proof = 1, disproof = 1
        cdef Entry* entry = self.look_up(position, &at, &hash, &key, &which)
        if entry != NULL and entry.low >= k:
            return True, 0, INFINITE
        if entry != NULL and entry.high < k:
            return False, INFINITE, 0
        self.begin(nodes, seconds)
        with nogil:
            if self.search.setwise and ends_well(&self.search, &at, k):
                store(&self.search, &key, k, 0, INFINITE, 1)
                proof, disproof = 0, INFINITE
            else:
                expand(&self.search, &at, &hash, key.hash, which, k, INFINITE, INFINITE, &proof, &disproof)
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

    def endless(
        self, position: tuple[int, list[int], list[int], list[int]], seen_twice: list[int], u64 nodes, double seconds
    ) -> int | None:
        """The exact gain where nothing is left to place; None where a limit (or the table's memory) was reached first.

        ``seen_twice`` holds the code() of each position that ends the game when it comes up again.
        """
        cdef Position at
        cdef int16_t* value
        cdef uint32_t* codes
        cdef int gain = 0, count = len(seen_twice), i
        self.read(&at, position)
        self.begin(nodes, seconds)
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
    def nodes(self) -> int:
        """Positions searched since the beginning."""
        return self.search.nodes

    @property
    def fill(self) -> float:
        """The part of the table's limit that is in use."""
        return <double>self.search.used / (self.search.most_buckets * WAYS)
