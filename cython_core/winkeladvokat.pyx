"""Bitboard core of Winkeladvokat: positions, moves, perft, random games; every option, 2 to 4 players.

Design: a position is a C struct, a move copies it and changes the copy (150 bytes; cheaper than undoing a capture chain);
moves that lead to one position are listed once with the number of their paths. The kernels are in
winkeladvokat_board.pxi. Measured, perft 5 from the 8 x 8 start (2,322,452,808 paths, CPU seconds): the last two plies counted
at once 0.22, the last ply alone 1.6; 350,000 random games a second.
"""
# cython: language_level=3
include "winkeladvokat_board.pxi"

cdef extern from *:
    """
    /* A cloned function inlines all it calls, so that its helpers are compiled for the same processor. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
    #define WA_CLONES __attribute__((target_clones("avx2", "default"), flatten))
    #else
    #define WA_CLONES
    #endif
    static WA_CLONES uint64_t wa_count_two_plies(const void*, const void*);
    static WA_CLONES uint64_t wa_count_one_ply(const void*, const void*);
    """


cdef struct Walk:
    # What a walk through the tree carries.
    const Game* game
    uint32_t* trail
    bint distinct
    bint bulk  # count_two_plies may be used
    bint failed  # memory is out, or a signal handler raised
    u64 steps


cdef inline int spread(int lawyer, u64 empty, bint on_file, int* through) noexcept nogil:
    # Fill through[square] with the number of detours that begin along one line of the Lawyer and pass the square; the sum.
    cdef u64 line = (file_reach(lawyer, ~empty) if on_file else rank_reach(lawyer, ~empty)) & empty
    cdef u64 sides[2]
    cdef u64 ends, part
    cdef int side, corner, passing, weight, total = 0
    sides[0] = line & (bit(lawyer) - 1)
    sides[1] = line ^ sides[0]
    for side in range(2):
        passing = 0
        while sides[side]:
            # From the farthest corner inwards: a corner is passed by its own detours and by those of all farther ones.
            corner = 63 - xp_clz64(sides[side]) if side else xp_ctz64(sides[side])
            sides[side] &= ~bit(corner)
            ends = (rank_reach(corner, ~empty) if on_file else file_reach(corner, ~empty)) & empty
            part = ends & (bit(corner) - 1)
            weight = 0
            while part:
                weight += 1
                through[xp_ctz64(part)] = weight
                part &= part - 1
            passing += weight
            part = ends & ~(bit(corner) - 1)
            weight = xp_popcount64(part)
            passing += weight
            while part:
                through[xp_ctz64(part)] = weight
                weight -= 1
                part &= part - 1
            through[corner] = passing
        total += passing
    return total


cdef u64 count_two_plies "wa_count_two_plies" (const void* game_, const void* at_) noexcept nogil:
    # Paths of two plies that begin with a detour: 2 players, default end of the game, more than one Article in supply.
    #
    # Let the opponent have c detours with the mover's Lawyer lifted off. A detour that puts an Article on d and the Lawyer
    # on t takes away those through d and those through t, and those through both were taken away twice. d and t stand on
    # one line with nothing between them, so a detour through both goes along that line: all that pass the farther one
    # do, the smaller of the two numbers, unless the opponent's own line lies between d and t.
    cdef const Game* game = <const Game*>game_
    cdef const Position* at = <const Position*>at_
    cdef int mover = at.turn, lawyer = at.lawyer[1 - mover]
    cdef u64 empty = ~at.occupied | bit(at.lawyer[mover]), own = at.articles[mover], opposing = at.articles[1 - mover]
    cdef u64 over = 0, corners, stops, left, rank_turns, file_turns, near, below, above, apart
    cdef int along_rank[64]
    cdef int along_file[64]
    cdef int* same_line
    cdef int all_detours, without, paths, line, corner, stop, direction, square
    cdef u64 found = 0
    cdef bint can_capture
    memset(along_rank, 0, sizeof(along_rank))
    memset(along_file, 0, sizeof(along_file))
    all_detours = spread(lawyer, empty, False, along_rank) + spread(lawyer, empty, True, along_file)
    can_capture = jump_starts(game, opposing, own, empty) != 0
    left = opposing
    while left:
        square = xp_ctz64(left)
        left &= left - 1
        for direction in range(game.first_jump, game.end_jump):
            if JUMP_OVER[direction][square] >= 0 and empty >> JUMP_LANDING[direction][square] & 1:
                over |= bit(JUMP_OVER[direction][square])
    for line in range(2):
        corners = (file_reach(at.lawyer[mover], ~empty) if line else rank_reach(at.lawyer[mover], ~empty)) & empty
        while corners:
            corner = xp_ctz64(corners)
            corners &= corners - 1
            stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
            rank_turns = turns_off_rank(empty & ~bit(corner))
            file_turns = turns_off_file(empty & ~bit(corner))
            near = (rank_turns << 1 & WA_NOT_FILE_A) | (rank_turns >> 1 & WA_NOT_FILE_H) | file_turns << 8 | file_turns >> 8
            if stops & ~near:
                stops &= squares_with_detour(empty & ~bit(corner))
            without = all_detours - along_rank[corner] - along_file[corner]
            if line:
                same_line = &along_rank[0] if corner >> 3 == lawyer >> 3 else &along_file[0]
                below = (bit(lawyer & 7) - 1) * 0x0101010101010101ULL
                above = ~(below | 0x0101010101010101ULL << (lawyer & 7))
                apart = below if corner & 7 > lawyer & 7 else above if corner & 7 < lawyer & 7 else 0
            else:
                same_line = &along_file[0] if corner & 7 == lawyer & 7 else &along_rank[0]
                below = bit(lawyer & 56) - 1
                above = ~(below | 0xFFULL << (lawyer & 56))
                apart = below if corner >> 3 > lawyer >> 3 else above if corner >> 3 < lawyer >> 3 else 0
            while stops:
                stop = xp_ctz64(stops)
                stops &= stops - 1
                paths = without - along_rank[stop] - along_file[stop]
                if not apart >> stop & 1:
                    paths += min(same_line[corner], same_line[stop])
                if paths > 0:
                    found += paths
                    if can_capture or over >> corner & 1:
                        found += count_captures(game, opposing, own | bit(corner), empty & ~bit(corner) & ~bit(stop))
    return found


cdef u64 count_one_ply "wa_count_one_ply" (const void* game_, const void* at_) noexcept nogil:
    cdef const Game* game = <const Game*>game_
    cdef const Position* at = <const Position*>at_
    cdef u64 total = count_captures(game, at.articles[at.turn], opposing_articles(game, at), ~at.occupied)
    if may_detour(game, at):
        total += count_detours(at.lawyer[at.turn], ~at.occupied)
    return total


cdef u64 perft_below(Walk* walk, const Position* at, int depth) noexcept nogil:
    cdef MoveList moves
    cdef Position after
    cdef u64 total = 0
    cdef int i
    if depth == 0:
        return 1
    if finished(walk.game, at, walk.trail):
        return 0
    if depth == 1 and not walk.distinct:
        return count_one_ply(walk.game, at)
    memset(&moves, 0, sizeof(moves))
    if depth == 1 and at.supply[at.turn] > 0:
        # Detours that place lead to different positions.
        walk.failed |= not add_captures(walk.game, &moves, at.articles[at.turn], opposing_articles(walk.game, at), ~at.occupied)
        total = moves.length + count_detours(at.lawyer[at.turn], ~at.occupied)
        c_free(moves.moves)
        return total
    walk.steps += 1
    if walk.steps & 0xFFFFF == 0:
        with gil:
            walk.failed = signalled() != 0
    if walk.failed:
        return 0
    if depth == 2 and walk.bulk:
        if at.supply[at.turn] > 1:
            total = count_two_plies(walk.game, at)
        walk.failed |= not add_captures(walk.game, &moves, at.articles[at.turn], opposing_articles(walk.game, at), ~at.occupied)
    else:
        walk.failed |= not add_moves(walk.game, at, &moves)
    if depth == 1:
        total = moves.length
    else:
        for i in range(moves.length):
            after = at[0]
            play_move(walk.game, &after, &moves.moves[i], walk.trail)
            total += perft_below(walk, &after, depth - 1) * (1 if walk.distinct else moves.moves[i].count)
    c_free(moves.moves)
    return total


cdef inline u64 next_random(u64* state) noexcept nogil:
    state[0] += 0x9E3779B97F4A7C15ULL
    return xp_mix64(state[0])


cdef inline int nth_square(u64 squares, int n) noexcept nogil:
    while n:
        squares &= squares - 1
        n -= 1
    return xp_ctz64(squares)


cdef bint random_move(const Game* game, const Position* at, MoveList* buffer, u64* state, Move* chosen) noexcept nogil:
    # Every legal path with equal chance; False when memory is out.
    cdef u64 empty = ~at.occupied, opposing = opposing_articles(game, at), detours = 0, captures, corners, stops, pick
    cdef int line, corner, count
    if may_detour(game, at):
        detours = count_detours(at.lawyer[at.turn], empty)
    captures = count_captures(game, at.articles[at.turn], opposing, empty)
    pick = ((next_random(state) >> 32) * (detours + captures)) >> 32
    if pick >= detours:
        pick -= detours
        buffer.length = 0
        if not add_captures(game, buffer, at.articles[at.turn], opposing, empty):
            return False
        line = 0
        while pick >= <u64>buffer.moves[line].count:
            pick -= buffer.moves[line].count
            line += 1
        chosen[0] = buffer.moves[line]
        return True
    chosen.taken, chosen.count, chosen.start = 0, 1, at.lawyer[at.turn]
    for line in range(2):
        corners = (file_reach(at.lawyer[at.turn], ~empty) if line else rank_reach(at.lawyer[at.turn], ~empty)) & empty
        while corners:
            corner = xp_ctz64(corners)
            corners &= corners - 1
            stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
            count = xp_popcount64(stops)
            if pick < <u64>count:
                chosen.corner, chosen.stop = corner, nth_square(stops, <int>pick)
                return True
            pick -= count
    return True


cdef struct Sample:
    u64 games
    u64 plies
    double total  # of the margin: own score less the best other score
    double squares


cdef bint play_random_games(
    const Game* game, const Position* start, u64 games, u64* state, int player, u64 most_plies, Sample* sample
) noexcept nogil:
    cdef MoveList buffer
    cdef Position at
    cdef Move move
    cdef u64 played, plies
    cdef int64_t margin, best
    cdef int other, room = start.trail_end + 256
    cdef uint32_t* trail = NULL
    cdef uint32_t* larger
    cdef bint fine = True
    memset(&buffer, 0, sizeof(buffer))
    if game.without_placing:
        trail = <uint32_t*>malloc(room * sizeof(uint32_t))
        fine = trail != NULL
    for played in range(games):
        at = start[0]
        at.trail_start = at.trail_end = 0
        plies = 0
        while fine and plies < most_plies and not finished(game, &at, trail):
            if game.without_placing and at.trail_end == room:
                larger = <uint32_t*>realloc(trail, 2 * room * sizeof(uint32_t))
                if larger == NULL:
                    fine = False
                    break
                trail, room = larger, 2 * room
            fine = random_move(game, &at, &buffer, state, &move)
            if fine:
                play_move(game, &at, &move, trail)
                plies += 1
        best = -1
        for other in range(game.players):
            if other != player:
                best = max(best, score(game, &at, other))
        margin = score(game, &at, player) - best
        sample.games += 1
        sample.plies += plies
        sample.total += <double>margin
        sample.squares += <double>margin * <double>margin
        if not fine:
            break
        if played & 0xFFF == 0xFFF:
            with gil:
                fine = signalled() == 0
            if not fine:
                break
    c_free(buffer.moves)
    c_free(trail)
    return fine


cdef class WinkeladvokatPosition:
    """A position. Squares are 8 * rank + file whatever the size of the board; colours in turn order.

    ``values`` holds 64 numbers, ``options`` five truth values: end check on turn only; blocked when no step; an empty
    supply moves without placing; captured Articles count by their square; then the jump directions, 0 orthogonal,
    1 diagonal, 2 both. ``trail`` holds ``code()`` of the earlier positions that can still come back. Trusts its caller.
    """

    cdef Game game
    cdef Position at
    cdef uint32_t* trail

    def __cinit__(
        self, int size, int turn, articles, lawyers, supply, captured, values, options, trail=()
    ):
        cdef int i, player, square
        self.game.size, self.game.players = size, len(lawyers)
        for square in range(64):
            self.game.value[square] = values[square]
            if square >> 3 >= size or square & 7 >= size:
                self.game.wall |= bit(square)
        self.game.on_turn, self.game.no_step, self.game.without_placing, self.game.square_points = options[:4]
        self.game.first_jump = 4 if options[4] == 1 else 0
        self.game.end_jump = 4 if options[4] == 0 else 8
        self.at.turn = turn
        self.at.occupied = self.game.wall
        self.at.hash = TURN_HASH[turn]
        for player in range(self.game.players):
            self.at.articles[player] = articles[player]
            self.at.lawyer[player] = lawyers[player]
            self.at.supply[player] = supply[player]
            self.at.captured[player] = captured[player]
            self.at.hash ^= SUPPLY_HASH[player][supply[player]]
            put(&self.at, player, 1, lawyers[player])
            for square in range(64):
                if self.at.articles[player] >> square & 1:
                    put(&self.at, player, 0, square)
        self.set_trail(trail)

    cdef int set_trail(self, codes) except -1:
        cdef int i
        # One more than it holds: a move without placing adds this position.
        self.trail = <uint32_t*>malloc((len(codes) + 1) * sizeof(uint32_t))
        if self.trail == NULL:
            raise MemoryError
        for i in range(<int>len(codes)):
            self.trail[i] = codes[i]
        self.at.trail_start, self.at.trail_end = 0, len(codes)
        return 0

    def __dealloc__(self):
        c_free(self.trail)

    def code(self) -> int:
        """The Lawyers and the turn as one number, which tells positions apart while nothing is placed or captured."""
        return trail_code(&self.game, &self.at)

    def earlier(self) -> list[int]:
        """The code() of each earlier position that can still come back, in order."""
        return [self.trail[i] for i in range(self.at.trail_start, self.at.trail_end)]

    def fields(self) -> tuple[int, list[int], list[int], list[int], list[int]]:
        """Turn, Articles as 64 bits a colour, Lawyers, supplies, captured points."""
        cdef int players = self.game.players
        return (
            self.at.turn, [self.at.articles[i] for i in range(players)], [self.at.lawyer[i] for i in range(players)],
            [self.at.supply[i] for i in range(players)], [self.at.captured[i] for i in range(players)],
        )

    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(finished(&self.game, &self.at, self.trail))

    def scores(self) -> list[int]:
        """The score of each player."""
        return [score(&self.game, &self.at, player) for player in range(self.game.players)]

    def hash_value(self) -> int:
        """The hash that moves have kept up to date; 64 bits."""
        return self.at.hash

    def moves(self) -> list[tuple[bool, tuple[int, ...]]]:
        """Every legal move: whether it is a capture, and its squares."""
        cdef u64 empty = ~self.at.occupied, corners, stops, starts
        cdef int line, corner, lawyer = self.at.lawyer[self.at.turn]
        found = []
        if finished(&self.game, &self.at, self.trail):
            return found
        if may_detour(&self.game, &self.at):
            for line in range(2):
                corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty
                while corners:
                    corner = xp_ctz64(corners)
                    corners &= corners - 1
                    stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                    while stops:
                        found.append((False, (lawyer, corner, xp_ctz64(stops))))
                        stops &= stops - 1
        starts = self.at.articles[self.at.turn]
        while starts:
            line = xp_ctz64(starts)
            starts &= starts - 1
            self.add_paths(found, (line,), opposing_articles(&self.game, &self.at), empty | bit(line))
        return found

    cdef int add_paths(self, list found, tuple path, u64 opposing, u64 empty) except -1:
        cdef int direction, over, landing, square = path[len(path) - 1]
        for direction in range(self.game.first_jump, self.game.end_jump):
            over, landing = JUMP_OVER[direction][square], JUMP_LANDING[direction][square]
            if over >= 0 and opposing >> over & 1 and empty >> landing & 1:
                longer = (*path, landing)
                found.append((True, longer))
                self.add_paths(found, longer, opposing & ~bit(over), empty | bit(over))
        return 0

    def play(self, bint capture, squares: tuple[int, ...]) -> WinkeladvokatPosition:
        """The position after a legal move."""
        cdef WinkeladvokatPosition after = WinkeladvokatPosition.__new__(
            WinkeladvokatPosition, self.game.size, self.at.turn, [0] * self.game.players, [0] * self.game.players,
            [0] * self.game.players, [0] * self.game.players, [0] * 64, [0] * 5,
            [self.trail[i] for i in range(self.at.trail_start, self.at.trail_end)],
        )
        cdef Move move
        cdef int i
        cdef int kept = self.at.trail_end - self.at.trail_start
        move.taken, move.count = 0, 1
        move.start, move.corner, move.stop = squares[0], squares[1], squares[len(squares) - 1]
        if capture:
            for i in range(<int>len(squares) - 1):
                move.taken |= bit((<int>squares[i] + <int>squares[i + 1]) // 2)
        after.game, after.at = self.game, self.at
        after.at.trail_start, after.at.trail_end = 0, kept
        play_move(&after.game, &after.at, &move, after.trail)
        return after

    def perft(self, int depth, bint distinct=False, bint bulk=True) -> int:
        """The number of paths of ``depth`` plies, or of different results at each step when ``distinct``.

        Without ``bulk`` the last two plies are not counted together, a check of one counting by the other.
        """
        cdef Walk walk
        cdef u64 total
        cdef Position start = self.at
        start.trail_start, start.trail_end = 0, self.at.trail_end - self.at.trail_start
        walk.game, walk.distinct, walk.failed, walk.steps = &self.game, distinct, False, 0
        walk.bulk = bulk and not (
            distinct or self.game.players > 2 or self.game.on_turn or self.game.no_step or self.game.without_placing
        )
        walk.trail = <uint32_t*>malloc((start.trail_end + depth + 1) * sizeof(uint32_t))
        if walk.trail == NULL:
            raise MemoryError
        memcpy(walk.trail, self.trail + self.at.trail_start, start.trail_end * sizeof(uint32_t))
        try:
            with nogil:
                total = perft_below(&walk, &start, depth)
            if walk.failed:
                raise_pending()
        finally:
            c_free(walk.trail)
        return total

    def random_games(
        self, u64 games, u64 seed, int player, u64 most_plies=10_000
    ) -> tuple[int, int, float, float]:
        """Play ``games`` games to the end, every path with equal chance (no memory of positions before this one).

        Returns the games and plies played, the sum and the sum of squares of the margin of ``player``: his score less the
        best other score.
        """
        cdef Sample sample
        cdef bint fine
        memset(&sample, 0, sizeof(sample))
        with nogil:
            fine = play_random_games(&self.game, &self.at, games, &seed, player, most_plies, &sample)
        if not fine:
            raise_pending()
        return sample.games, sample.plies, sample.total, sample.squares
