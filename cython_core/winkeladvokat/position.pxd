# Winkeladvokat on bitboards: a position, its moves, what a move does to it, how the game ends. Searches cimport this page.
#
# A board of any size lies in the lower left corner of 8 x 8 bits, square = 8 * rank + file; what is outside is `wall`, which
# counts as occupied. A position is a struct, a move copies it and changes the copy (150 bytes; cheaper than undoing a capture
# chain); moves that lead to one position are listed once with the number of their paths.
#
# Slides: one table of 4 KB for ranks and one for files, indexed by the six inner bits of the line (the file's bits are
# gathered by a multiplication). Hyperbola quintessence for the files was as fast and needs a byte swap that is not portable.
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport qsort, realloc

from exactplay.cython_core.toolkit.bits cimport xp_ctz64, xp_popcount64

cdef extern from "winkeladvokat/lines.h" nogil:
    const uint64_t NOT_FILE_A "WA_NOT_FILE_A"
    const uint64_t NOT_FILE_H "WA_NOT_FILE_H"
    const uint64_t INNER_FILE "WA_INNER_FILE"
    const uint64_t GATHER_FILE "WA_GATHER_FILE"
    # A module calls wa_build_lines once before it uses them.
    uint64_t[8][64] RANK_REACH "wa_rank_reach"
    uint64_t[8][64] FILE_REACH "wa_file_reach"
    uint64_t[64] NEIGHBOURS "wa_neighbours"
    uint64_t[64][64] BETWEEN "wa_between"  # the squares between two on one line
    int[8][64] JUMP_OVER "wa_jump_over"  # -1 where the jump leaves the board
    int[8][64] JUMP_LANDING "wa_jump_landing"
    uint64_t[4][2][64] SQUARE_HASH "wa_square_hash"  # player, Article or Lawyer
    uint64_t[4][32] SUPPLY_HASH "wa_supply_hash"
    uint64_t[4] TURN_HASH "wa_turn_hash"
    void wa_build_lines()

ctypedef uint64_t u64

cdef struct Game:
    # The board and the options; constant during a search.
    int size
    int players
    u64 wall
    int value[64]
    bint on_turn
    bint no_step
    bint without_placing
    bint square_points
    int first_jump  # the jump directions in use are first_jump .. end_jump - 1; 0 to 3 orthogonal, 4 to 7 diagonal
    int end_jump

cdef struct Packed:
    u64 articles[4]
    int64_t captured[4]
    u64 occupied  # Articles, Lawyers and wall
    u64 hash
    int lawyer[4]
    int supply[4]
    int turn
    # With moves_without_placing: where in the trail the positions since the last Article placed or captured stand.
    int trail_start
    int trail_end

cdef struct Move:
    u64 taken  # Articles jumped; 0 of a detour
    int count  # paths that lead to this position
    uint8_t start
    uint8_t corner  # detour square
    uint8_t stop

cdef struct MoveList:
    Move* moves
    int length
    int capacity

cdef inline u64 bit(int square) noexcept nogil:
    return (<u64>1) << square


cdef inline u64 rank_reach(int square, u64 occupied) noexcept nogil:
    # Squares seen along the rank, the first obstacle on each side included.
    return RANK_REACH[square & 7][(occupied >> ((square & 56) + 1)) & 63] << (square & 56)


cdef inline u64 file_reach(int square, u64 occupied) noexcept nogil:
    return FILE_REACH[square >> 3][(((occupied >> (square & 7)) & INNER_FILE) * GATHER_FILE) >> 58] << (square & 7)


cdef inline u64 turns_off_rank(u64 empty) noexcept nogil:
    # Empty squares from which a Lawyer that comes along the rank can turn.
    return empty & ((empty << 8) | (empty >> 8))


cdef inline u64 turns_off_file(u64 empty) noexcept nogil:
    return empty & (((empty << 1) & NOT_FILE_A) | ((empty >> 1) & NOT_FILE_H))


cdef inline bint has_detour(int square, u64 empty) noexcept nogil:
    # `square` itself may be marked empty or not: no detour comes back to it.
    return (rank_reach(square, ~empty) & turns_off_rank(empty)) != 0 or (file_reach(square, ~empty) & turns_off_file(empty)) != 0


cdef inline u64 squares_with_detour(u64 empty) noexcept nogil:
    # Every square from which a Lawyer standing there has a detour: fills from the turning squares back along the line.
    cdef u64 east = turns_off_rank(empty), west = east, north = turns_off_file(empty), south = north
    cdef u64 through_east = empty & NOT_FILE_A, through_west = empty & NOT_FILE_H
    cdef u64 through_north = empty, through_south = empty
    east |= through_east & (east << 1)
    through_east &= through_east << 1
    east |= through_east & (east << 2)
    through_east &= through_east << 2
    east |= through_east & (east << 4)
    west |= through_west & (west >> 1)
    through_west &= through_west >> 1
    west |= through_west & (west >> 2)
    through_west &= through_west >> 2
    west |= through_west & (west >> 4)
    north |= through_north & (north << 8)
    through_north &= through_north << 8
    north |= through_north & (north << 16)
    through_north &= through_north << 16
    north |= through_north & (north << 32)
    south |= through_south & (south >> 8)
    through_south &= through_south >> 8
    south |= through_south & (south >> 16)
    through_south &= through_south >> 16
    south |= through_south & (south >> 32)
    return ((east << 1) & NOT_FILE_A) | ((west >> 1) & NOT_FILE_H) | (north << 8) | (south >> 8)


cdef inline bint blocked(const Game* game, const Packed* at, int player) noexcept nogil:
    cdef u64 empty = ~at.occupied
    if at.supply[player] == 0 and not game.without_placing:
        return True
    if game.no_step:
        return (NEIGHBOURS[at.lawyer[player]] & empty) == 0
    return not has_detour(at.lawyer[player], empty)


cdef inline bint anyone_blocked(const Game* game, const Packed* at) noexcept nogil:
    cdef int player
    if game.on_turn:
        return blocked(game, at, at.turn)
    for player in range(game.players):
        if blocked(game, at, player):
            return True
    return False


cdef inline uint32_t trail_code(const Game* game, const Packed* at) noexcept nogil:
    # Articles, supplies and points stand still along the trail: Lawyers and turn tell its positions apart.
    cdef uint32_t code = at.turn
    cdef int player
    for player in range(game.players):
        code = code << 6 | at.lawyer[player]
    return code


cdef inline bint repeated(const Game* game, const Packed* at, const uint32_t* trail) noexcept nogil:
    # The third occurrence.
    cdef uint32_t code
    cdef int i, seen = 0
    if at.trail_end - at.trail_start < 4:
        return False
    code = trail_code(game, at)
    for i in range(at.trail_start, at.trail_end):
        seen += trail[i] == code
    return seen >= 2


cdef inline u64 opposing_articles(const Game* game, const Packed* at) noexcept nogil:
    cdef u64 opposing = 0
    cdef int player
    for player in range(game.players):
        if player != at.turn:
            opposing |= at.articles[player]
    return opposing


cdef inline u64 jump_starts(const Game* game, u64 own, u64 opposing, u64 empty) noexcept nogil:
    # The Articles that have a first jump.
    cdef u64 starts = 0
    if game.first_jump == 0:
        starts |= (((opposing >> 1) & NOT_FILE_H) & (((empty >> 1) & NOT_FILE_H) >> 1 & NOT_FILE_H))
        starts |= (((opposing << 1) & NOT_FILE_A) & (((empty << 1) & NOT_FILE_A) << 1 & NOT_FILE_A))
        starts |= (opposing >> 8) & (empty >> 16)
        starts |= (opposing << 8) & (empty << 16)
    if game.end_jump == 8:
        starts |= ((opposing >> 9) & NOT_FILE_H) & ((((empty >> 9) & NOT_FILE_H) >> 9) & NOT_FILE_H)
        starts |= ((opposing >> 7) & NOT_FILE_A) & ((((empty >> 7) & NOT_FILE_A) >> 7) & NOT_FILE_A)
        starts |= ((opposing << 9) & NOT_FILE_A) & ((((empty << 9) & NOT_FILE_A) << 9) & NOT_FILE_A)
        starts |= ((opposing << 7) & NOT_FILE_H) & ((((empty << 7) & NOT_FILE_H) << 7) & NOT_FILE_H)
    return starts & own


cdef inline u64 count_jumps(const Game* game, int square, u64 opposing, u64 empty) noexcept nogil:
    # Capture paths that go on from `square`; the start of the path is marked empty.
    cdef u64 total = 0
    cdef int direction, over, landing
    for direction in range(game.first_jump, game.end_jump):
        over = JUMP_OVER[direction][square]
        if over >= 0 and opposing >> over & 1:
            landing = JUMP_LANDING[direction][square]
            if empty >> landing & 1:
                total += 1 + count_jumps(game, landing, opposing & ~bit(over), empty | bit(over))
    return total


cdef inline u64 count_captures(const Game* game, u64 own, u64 opposing, u64 empty) noexcept nogil:
    cdef u64 starts = jump_starts(game, own, opposing, empty), total = 0
    cdef int square
    while starts:
        square = xp_ctz64(starts)
        starts &= starts - 1
        total += count_jumps(game, square, opposing, empty | bit(square))
    return total


cdef inline Move* new_move(MoveList* moves) noexcept nogil:
    # The list grows as it must: 27,387 capture paths in one position have been met. NULL when memory is out.
    cdef Move* larger
    if moves.length == moves.capacity:
        larger = <Move*>realloc(moves.moves, (2 * moves.capacity + 256) * sizeof(Move))
        if larger == NULL:
            return NULL
        moves.moves = larger
        moves.capacity = 2 * moves.capacity + 256
    moves.length += 1
    return &moves.moves[moves.length - 1]


cdef inline bint add_jumps(
    const Game* game, MoveList* moves, int start, int square, u64 taken, u64 opposing, u64 empty
) noexcept nogil:
    cdef Move* move
    cdef int direction, over, landing
    for direction in range(game.first_jump, game.end_jump):
        over = JUMP_OVER[direction][square]
        if over >= 0 and opposing >> over & 1:
            landing = JUMP_LANDING[direction][square]
            if empty >> landing & 1:
                move = new_move(moves)
                if move == NULL:
                    return False
                move.taken, move.count = taken | bit(over), 1
                move.start, move.corner, move.stop = start, start, landing
                if not add_jumps(game, moves, start, landing, taken | bit(over), opposing & ~bit(over), empty | bit(over)):
                    return False
    return True


cdef inline int by_result(const void* one, const void* other) noexcept nogil:
    cdef const Move* a = <const Move*>one
    cdef const Move* b = <const Move*>other
    if a.taken != b.taken:
        return -1 if a.taken < b.taken else 1
    return <int>a.stop - <int>b.stop


cdef inline void merge_equal_captures(MoveList* moves, int first) noexcept nogil:
    # Paths of one Article with one end and one set of captured squares lead to one position.
    cdef int i, last = first
    if moves.length - first < 2:
        return
    qsort(&moves.moves[first], moves.length - first, sizeof(Move), by_result)
    for i in range(first + 1, moves.length):
        if by_result(&moves.moves[i], &moves.moves[last]) == 0:
            moves.moves[last].count += moves.moves[i].count
        else:
            last += 1
            moves.moves[last] = moves.moves[i]
    moves.length = last + 1


cdef inline bint add_captures(const Game* game, MoveList* moves, u64 own, u64 opposing, u64 empty) noexcept nogil:
    # One move a different result; False when memory is out.
    cdef u64 starts = jump_starts(game, own, opposing, empty)
    cdef int square, first
    while starts:
        square = xp_ctz64(starts)
        starts &= starts - 1
        first = moves.length
        if not add_jumps(game, moves, square, square, 0, opposing, empty | bit(square)):
            return False
        merge_equal_captures(moves, first)
    return True


cdef inline u64 count_detours(int lawyer, u64 empty) noexcept nogil:
    cdef u64 corners = rank_reach(lawyer, ~empty) & empty, total = 0
    while corners:
        total += xp_popcount64(file_reach(xp_ctz64(corners), ~empty) & empty)
        corners &= corners - 1
    corners = file_reach(lawyer, ~empty) & empty
    while corners:
        total += xp_popcount64(rank_reach(xp_ctz64(corners), ~empty) & empty)
        corners &= corners - 1
    return total


cdef inline bint add_detours(MoveList* moves, int lawyer, u64 empty, bint placing) noexcept nogil:
    # Without placing, detours to one square lead to one position.
    cdef u64 lines[2]
    cdef u64 stops
    cdef Move* move
    cdef int along, corner, stop, i, first = moves.length
    cdef bint known
    lines[0] = rank_reach(lawyer, ~empty) & empty
    lines[1] = file_reach(lawyer, ~empty) & empty
    for along in range(2):
        while lines[along]:
            corner = xp_ctz64(lines[along])
            lines[along] &= lines[along] - 1
            stops = (rank_reach(corner, ~empty) if along else file_reach(corner, ~empty)) & empty
            while stops:
                stop = xp_ctz64(stops)
                stops &= stops - 1
                known = False
                if not placing:
                    for i in range(first, moves.length):
                        if moves.moves[i].stop == stop:
                            moves.moves[i].count += 1
                            known = True
                            break
                if known:
                    continue
                move = new_move(moves)
                if move == NULL:
                    return False
                move.taken, move.count = 0, 1
                move.start, move.corner, move.stop = lawyer, corner, stop
    return True


cdef inline bint may_detour(const Game* game, const Packed* at) noexcept nogil:
    return at.supply[at.turn] > 0 or game.without_placing


cdef inline bint add_moves(const Game* game, const Packed* at, MoveList* moves) noexcept nogil:
    # The moves of the player to move in a position that is not finished, one a different result.
    if may_detour(game, at):
        if not add_detours(moves, at.lawyer[at.turn], ~at.occupied, at.supply[at.turn] > 0):
            return False
    return add_captures(game, moves, at.articles[at.turn], opposing_articles(game, at), ~at.occupied)


cdef inline void put(Packed* at, int player, int kind, int square) noexcept nogil:
    # Put a piece down or take it away: occupation and hash.
    at.occupied ^= bit(square)
    at.hash ^= SQUARE_HASH[player][kind][square]


cdef inline void play_move(const Game* game, Packed* at, const Move* move, uint32_t* trail) noexcept nogil:
    # With `trail` NULL earlier positions are not remembered.
    cdef int player = at.turn, square, other
    cdef u64 taken = move.taken
    cdef bint forgets = True
    if taken:
        put(at, player, 0, move.start)
        at.articles[player] ^= bit(move.start)
        put(at, player, 0, move.stop)
        at.articles[player] ^= bit(move.stop)
        while taken:
            square = xp_ctz64(taken)
            taken &= taken - 1
            at.captured[player] += game.value[square] if game.square_points else 1
            for other in range(game.players):
                if at.articles[other] >> square & 1:
                    at.articles[other] ^= bit(square)
                    put(at, other, 0, square)
                    break
    else:
        if at.supply[player] == 0:
            forgets = False
            if trail != NULL:
                trail[at.trail_end] = trail_code(game, at)
                at.trail_end += 1
        put(at, player, 1, move.start)
        put(at, player, 1, move.stop)
        at.lawyer[player] = move.stop
        if forgets:
            put(at, player, 0, move.corner)
            at.articles[player] |= bit(move.corner)
            at.hash ^= SUPPLY_HASH[player][at.supply[player]] ^ SUPPLY_HASH[player][at.supply[player] - 1]
            at.supply[player] -= 1
    if forgets:
        at.trail_start = at.trail_end
    at.hash ^= TURN_HASH[player]
    at.turn = player + 1 if player + 1 < game.players else 0
    at.hash ^= TURN_HASH[at.turn]


cdef inline bint finished(const Game* game, const Packed* at, const uint32_t* trail) noexcept nogil:
    if anyone_blocked(game, at) or (game.without_placing and repeated(game, at, trail)):
        return True
    # Without steps counting as blocked only, a player may have neither a detour nor a capture.
    return game.no_step and not (
        (may_detour(game, at) and has_detour(at.lawyer[at.turn], ~at.occupied))
        or jump_starts(game, at.articles[at.turn], opposing_articles(game, at), ~at.occupied) != 0
    )


cdef inline int64_t score(const Game* game, const Packed* at, int player) noexcept nogil:
    cdef int64_t total = at.captured[player]
    cdef u64 held = at.articles[player]
    while held:
        total += game.value[xp_ctz64(held)]
        held &= held - 1
    return total


cdef class Setting:
    cdef Game game


cdef class Position:
    cdef Setting setting
    cdef Packed at
    cdef uint32_t* trail
    cdef Position copy(self)
