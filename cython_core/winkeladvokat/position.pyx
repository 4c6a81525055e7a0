# The class, and what can be asked of a position without a search: perft and random games. The rules are in the .pxd.
#
# Measured, perft 5 from the 8 x 8 start (2,322,452,808 paths, CPU seconds): the last two plies counted at once 0.22, the last
# ply alone 1.6; 350,000 random games a second.
"""Winkeladvokat: a native position; every option, two to four players; perft and random games."""
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free as c_free, malloc, realloc
from libc.string cimport memcpy, memset

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_ctz64, xp_mix64, xp_popcount64

cdef extern from *:
    """
    static XP_FLAT_AVX2_CLONES uint64_t wa_count_two_plies(const void*, const void*);
    static XP_FLAT_AVX2_CLONES uint64_t wa_count_one_ply(const void*, const void*);
    """

cdef extern from "Python.h":
    # Declared without `except`: a kernel that must not raise looks at the answer itself.
    int signalled "PyErr_CheckSignals" () noexcept
    void* PyErr_Occurred() noexcept

wa_build_lines()


cdef int raise_pending() except -1:
    # What a kernel stopped for: the exception of a signal handler, or no memory.
    if PyErr_Occurred() == NULL:
        raise MemoryError
    return -1


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
    cdef const Packed* at = <const Packed*>at_
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
            near = (rank_turns << 1 & NOT_FILE_A) | (rank_turns >> 1 & NOT_FILE_H) | file_turns << 8 | file_turns >> 8
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
    cdef const Packed* at = <const Packed*>at_
    cdef u64 total = count_captures(game, at.articles[at.turn], opposing_articles(game, at), ~at.occupied)
    if may_detour(game, at):
        total += count_detours(at.lawyer[at.turn], ~at.occupied)
    return total


cdef u64 perft_below(Walk* walk, const Packed* at, int depth) noexcept nogil:
    cdef MoveList moves
    cdef Packed after
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
    if walk.steps & 0x3FFF == 0:
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


cdef inline u64 below(u64* state, u64 n) noexcept nogil:
    # A random number below n. The toolkit has another generator; the games of a seed shall stay what they were.
    state[0] += 0x9E3779B97F4A7C15ULL
    return ((xp_mix64(state[0]) >> 32) * n) >> 32


cdef inline int nth_square(u64 squares, int n) noexcept nogil:
    while n:
        squares &= squares - 1
        n -= 1
    return xp_ctz64(squares)


cdef bint random_move(const Game* game, const Packed* at, MoveList* buffer, u64* state, Move* chosen) noexcept nogil:
    # Every legal path with equal chance; False when memory is out.
    cdef u64 empty = ~at.occupied, opposing = opposing_articles(game, at), detours = 0, captures, corners, stops, pick
    cdef int line, corner, count
    if may_detour(game, at):
        detours = count_detours(at.lawyer[at.turn], empty)
    captures = count_captures(game, at.articles[at.turn], opposing, empty)
    pick = below(state, detours + captures)
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
    chosen.taken, chosen.count, chosen.start, chosen.corner, chosen.stop = 0, 1, at.lawyer[at.turn], 0, 0
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
    const Game* game, const Packed* start, u64 games, u64* state, int player, u64 most_plies, Sample* sample
) noexcept nogil:
    cdef MoveList buffer
    cdef Packed at
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


NOTHING = (0, 0, 0, 0)


def in_order_of_texts(move):
    """The file of a square comes before its rank in its name, and "-" before "x"."""
    first, *rest = [(square & 7) << 3 | square >> 3 for square in move[1]]
    return first, move[0], *rest


cdef int add_paths(const Game* game, list found, tuple path, u64 opposing, u64 empty) except -1:
    cdef int direction, over, landing, square = path[len(path) - 1]
    for direction in range(game.first_jump, game.end_jump):
        over, landing = JUMP_OVER[direction][square], JUMP_LANDING[direction][square]
        if over >= 0 and opposing >> over & 1 and empty >> landing & 1:
            longer = (*path, landing)
            found.append((True, longer))
            add_paths(game, found, longer, opposing & ~bit(over), empty | bit(over))
    return 0


cdef enum:
    OVER = -2


cdef class Setting:
    """A board's numbers and the options; constant in a game.

    ``values`` holds 64 numbers, square = 8 * rank + file whatever the size of the board. ``directions``: an Article jumps
    orthogonally (0), diagonally (1) or both (2).
    """

    def __cinit__(
        self, int size, int players, values, *, bint on_turn=False, bint no_step=False, bint without_placing=False,
        bint square_points=False, int directions=0,
    ):
        cdef int square
        cdef Game* game = &self.game
        game.size, game.players = size, players
        for square in range(64):
            game.value[square] = values[square]
            if square >> 3 >= size or square & 7 >= size:
                game.wall |= bit(square)
        game.on_turn, game.no_step, game.without_placing, game.square_points = on_turn, no_step, without_placing, square_points
        game.first_jump = 4 if directions == 1 else 0
        game.end_jump = 4 if directions == 0 else 8


cdef class Position:
    """One position; immutable. A move is (whether it is a capture, its squares). Trusts its caller.

    ``articles`` holds 64 bits a player. ``earlier`` holds ``code`` of the earlier positions that can still come back.
    """

    def __cinit__(self, Setting setting not None, int turn, articles, lawyers, supply, captured, earlier=()):
        cdef int player, square, i
        cdef Packed* at = &self.at
        self.setting = setting
        at.turn, at.occupied, at.hash = turn, setting.game.wall, TURN_HASH[turn]
        for player in range(setting.game.players):
            at.articles[player], at.lawyer[player] = articles[player], lawyers[player]
            at.supply[player], at.captured[player] = supply[player], captured[player]
            at.hash ^= SUPPLY_HASH[player][at.supply[player]]
            put(at, player, 1, at.lawyer[player])
            for square in range(64):
                if at.articles[player] >> square & 1:
                    put(at, player, 0, square)
        # One more than it holds: a move without placing adds this position.
        self.trail = <uint32_t*>malloc((len(earlier) + 1) * sizeof(uint32_t))
        if self.trail == NULL:
            raise MemoryError
        for i in range(<int>len(earlier)):
            self.trail[i] = earlier[i]
        at.trail_end = len(earlier)

    def __dealloc__(self):
        c_free(self.trail)

    cdef Position copy(self):
        cdef Position after = Position.__new__(Position, self.setting, 0, NOTHING, NOTHING, NOTHING, NOTHING, self.earlier)
        cdef int kept = self.at.trail_end - self.at.trail_start
        after.at = self.at
        after.at.trail_start, after.at.trail_end = 0, kept
        return after

    @property
    def turn(self) -> int:
        """The player on turn."""
        return self.at.turn

    @property
    def articles(self) -> tuple[int, ...]:
        """The squares of each player's Articles, as bits."""
        return tuple([self.at.articles[i] for i in range(self.setting.game.players)])

    @property
    def lawyers(self) -> tuple[int, ...]:
        """The square of each Lawyer."""
        return tuple([self.at.lawyer[i] for i in range(self.setting.game.players)])

    @property
    def supply(self) -> tuple[int, ...]:
        """The Articles that each player may still place."""
        return tuple([self.at.supply[i] for i in range(self.setting.game.players)])

    @property
    def captured(self) -> tuple[int, ...]:
        """The points that each player has captured."""
        return tuple([self.at.captured[i] for i in range(self.setting.game.players)])

    @property
    def code(self) -> int:
        """The Lawyers and the turn as one number, which tells positions apart while nothing is placed or captured."""
        return trail_code(&self.setting.game, &self.at)

    @property
    def earlier(self) -> tuple[int, ...]:
        """The code of each earlier position that can still come back, in order."""
        return tuple([self.trail[i] for i in range(self.at.trail_start, self.at.trail_end)])

    @property
    def hash_value(self) -> int:
        """The hash that moves have kept up to date; 64 bits."""
        return self.at.hash

    @property
    def to_move(self) -> int:
        """The player to move, or -2 when the game is over."""
        return OVER if finished(&self.setting.game, &self.at, self.trail) else self.at.turn

    def scores(self) -> tuple[int, ...]:
        """The score of each player."""
        return tuple([score(&self.setting.game, &self.at, player) for player in range(self.setting.game.players)])

    def pieces(self) -> bytes:
        """All but the captured points and the earlier positions, as a key."""
        cdef uint64_t[5] key
        cdef int player
        memset(key, 0, sizeof(key))
        for player in range(self.setting.game.players):
            key[player] = self.at.articles[player]
            key[4] |= (<u64>self.at.lawyer[player] << 5 | self.at.supply[player]) << 11 * player
        key[4] |= <u64>self.at.turn << 44
        return (<char*>key)[:sizeof(key)]

    def key(self) -> tuple[object, ...]:
        """All that a position is, in any order of the earlier positions."""
        return self.pieces(), self.captured, tuple(sorted(self.earlier))

    def legal_moves(self) -> list[tuple[bool, tuple[int, ...]]]:
        """Every legal move in the order of their texts."""
        cdef const Game* game = &self.setting.game
        cdef u64 empty = ~self.at.occupied, corners, stops, starts
        cdef int line, corner, lawyer = self.at.lawyer[self.at.turn]
        found = []
        if finished(game, &self.at, self.trail):
            return found
        if may_detour(game, &self.at):
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
            add_paths(game, found, (line,), opposing_articles(game, &self.at), empty | bit(line))
        found.sort(key=in_order_of_texts)
        return found

    def play(self, tuple given not None) -> Position:
        """The position after a legal move."""
        cdef Position after = self.copy()
        cdef Move move
        cdef int i
        cdef tuple squares = given[1]
        move.taken, move.count = 0, 1
        move.start, move.corner, move.stop = squares[0], squares[1], squares[len(squares) - 1]
        if given[0]:
            for i in range(<int>len(squares) - 1):
                move.taken |= bit((<int>squares[i] + <int>squares[i + 1]) // 2)
        play_move(&self.setting.game, &after.at, &move, after.trail)
        return after

    def successors(self) -> list[tuple[list[tuple[bool, tuple[int, ...]]], Position]]:
        """The positions that can come next, each with all moves that lead to it, in the order of the first texts."""
        cdef Position after
        found = {}
        for move in self.legal_moves():
            after = self.play(move)
            # The earlier positions are the same after moves that lead to the same pieces.
            found.setdefault((after.pieces(), after.captured), ([], after))[0].append(move)
        return list(found.values())

    def perft(self, int depth, bint distinct=False, bint bulk=True) -> int:
        """The number of paths of ``depth`` plies, or of different results at each step when ``distinct``.

        Without ``bulk`` the last two plies are not counted together, a check of one counting by the other.
        """
        cdef Walk walk
        cdef u64 total
        cdef const Game* game = &self.setting.game
        cdef Packed start = self.at
        start.trail_start, start.trail_end = 0, self.at.trail_end - self.at.trail_start
        walk.game, walk.distinct, walk.failed, walk.steps = game, distinct, False, 0
        walk.bulk = bulk and not (distinct or game.players > 2 or game.on_turn or game.no_step or game.without_placing)
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
            fine = play_random_games(&self.setting.game, &self.at, games, &seed, player, most_plies, &sample)
        if not fine:
            raise_pending()
        return sample.games, sample.plies, sample.total, sample.squares
