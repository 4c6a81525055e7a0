# The state of a proof-number search; symmetry, hashing and its transposition table.
#
# A position is hashed in all its images at once, eight lanes of which the least is its key. Entries hold the whole position,
# so no answer rests on a hash. A bucket is one cache line of two entries; with four the search took 7 % longer.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_ctz64, xp_mix64
from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.winkeladvokat.position cimport Game, Move, MoveList, Packed, bit, u64

cdef enum:
    INFINITE = 1 << 30
    LEAST = -32000  # bounds of a gain that nothing is known about
    MOST = 32000
    WAYS = 2
    FIRST_BUCKETS = 1 << 12

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

cdef struct Layer:
    # All places of the Lawyers for the same Articles, nothing left to place; see proof_search.pyx.
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


cdef inline void prepare(Search* search) noexcept:
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


cdef inline void hash_of(const Search* search, const Packed* at, Hash* hash) noexcept nogil:
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


cdef inline u64 canonical(const Search* search, const Hash* hash, int turn, u64 supplies, uint8_t* chosen) noexcept nogil:
    # The least of the hashes of the images, seen from the player to move, and which image that is. The three lowest bits
    # make room for the number of the lane, so that eight lanes are compared without a branch.
    cdef u64 x[8]
    cdef int lane
    if turn:
        for lane in range(8):
            x[lane] = swap_halves(hash.lane[lane]) & ~<u64>7 | lane
    else:
        for lane in range(8):
            x[lane] = hash.lane[lane] & ~<u64>7 | lane
    for lane in range(4):
        x[lane] = min(x[lane], x[lane + 4])
    for lane in range(2):
        x[lane] = min(x[lane], x[lane + 2])
    lane = min(x[0], x[1]) & 7
    chosen[0] = search.image_of_lane[lane]
    return (swap_halves(hash.lane[lane]) if turn else hash.lane[lane]) ^ supplies


cdef inline u64 hash_of_supplies(const Search* search, const Packed* at) noexcept nogil:
    return search.supply_hash[at.supply[at.turn]][at.supply[1 - at.turn]]


# ---- the table

cdef inline Entry* bucket_of(const Search* search, u64 hash) noexcept nogil:
    return &search.table[((hash >> 32) * search.buckets >> 32) * WAYS]


cdef inline void key_of(const Search* search, const Packed* at, u64 hash, uint8_t which, Key* key) noexcept nogil:
    cdef int mover = at.turn, other = 1 - at.turn
    key.hash = hash
    key.own = image(which, at.articles[mover], search.game.size)
    key.opposing = image(which, at.articles[other], search.game.size)
    key.who = (
        <uint32_t>search.image_square[which][at.lawyer[mover]] << 26 | <uint32_t>search.image_square[which][at.lawyer[other]] << 20
        | <uint32_t>at.supply[mover] << 15 | <uint32_t>at.supply[other] << 10 | <uint32_t>(hash & 1023)
    )


cdef inline bint may_be_there(const Search* search, u64 hash) noexcept nogil:
    # Ten bits of the hash tell most positions that are not in the table before a key is made.
    cdef const Entry* entry = bucket_of(search, hash)
    cdef int way
    for way in range(WAYS):
        if (entry[way].who ^ <uint32_t>hash) & 1023 == 0:
            return True
    return False


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


cdef inline u64 hash_of_entry(const Search* search, const Entry* entry) noexcept nogil:
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


cdef inline void insert(Search* search, const Entry* new, u64 hash) noexcept nogil:
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


cdef inline void grow(Search* search) noexcept nogil:
    # Small questions stay in the cache; the table grows as it fills, up to its limit.
    cdef Entry* old = search.table
    cdef u64 old_buckets = search.buckets, i
    cdef u64 buckets = min(8 * old_buckets, search.most_buckets)
    cdef Entry* table = <Entry*>xp_table_new(buckets * WAYS * sizeof(Entry))
    if table == NULL:
        search.most_buckets = old_buckets
        return
    search.table, search.buckets, search.used = table, buckets, 0
    for i in range(old_buckets * WAYS):
        if old[i].who:
            insert(search, &old[i], hash_of_entry(search, &old[i]))
    xp_table_free(old, old_buckets * WAYS * sizeof(Entry))


cdef inline void store(
    Search* search, const Key* key, int asked, uint32_t proof, uint32_t disproof, int bound, u64 nodes
) noexcept nogil:
    # `bound` is what has been proven where a number is 0.
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
        new.low = max(new.low, <int16_t>bound)
    elif disproof == 0:
        new.high = min(new.high, <int16_t>bound)
    new.proof, new.disproof = pack(proof), pack(disproof)
    if old != NULL:
        old[0] = new
        return
    if search.used * 2 > search.buckets * WAYS and search.buckets < search.most_buckets:
        grow(search)
    insert(search, &new, key.hash)
