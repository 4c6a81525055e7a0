# What ends the game at once, what threatens to, and the first numbers of a position that follow from it.
from libc.math cimport exp, floor, log
from libc.stdint cimport uint32_t

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_ctz64, xp_popcount64
from exactplay.cython_core.winkeladvokat.position cimport (
    BETWEEN, NOT_FILE_A, NOT_FILE_H, Game, Move, Packed, add_captures, bit, file_reach, has_detour, jump_starts, rank_reach,
    squares_with_detour, turns_off_file, turns_off_rank, u64,
)
from exactplay.cython_core.winkeladvokat.table cimport INFINITE, LEAST, MOST, NO_MEMORY, Child, Search, squares_worth

cdef enum:
    MAX_THREATS = 24

cdef struct Threat:
    int value
    u64 path

cdef inline u64 near_a_turn(u64 empty) noexcept nogil:
    # Squares beside an empty square from which to turn: a Lawyer there has a detour. The quick part of squares_with_detour.
    cdef u64 along_rank = turns_off_rank(empty), along_file = turns_off_file(empty)
    return (
        ((along_rank << 1) & NOT_FILE_A) | ((along_rank >> 1) & NOT_FILE_H) | along_file << 8 | along_file >> 8
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
            side = usable & (bit(corner) << 1) & NOT_FILE_A
            return BETWEEN[lawyer][corner] | bit(corner) | (side if side else usable & (bit(corner) >> 1) & NOT_FILE_H)
    return 0


cdef inline int ends_well(Search* search, const Packed* at, int k) noexcept nogil:
    # A gain of at least k with which the player to move can end the game at once; LEAST if there is none.
    cdef const Game* game = &search.game
    cdef int mover = at.turn, other = 1 - at.turn, lawyer = at.lawyer[mover], opponent = at.lawyer[other]
    cdef u64 empty = ~at.occupied, lifted = empty | bit(lawyer), corners, stops, left, first = 0, second = 0
    cdef u64 worth = squares_worth(search, k)
    cdef int line, corner, i, gain
    cdef bint last = at.supply[mover] == 1 and not game.without_placing, looked, looked_twice
    if not game.without_placing or at.supply[mover] > 0:
        looked = looked_twice = False
        for line in range(2):
            corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty & worth
            while corners:
                corner = xp_ctz64(corners)
                corners &= corners - 1
                stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                if stops == 0:
                    continue
                if last:
                    return game.value[corner]
                left = lifted & ~bit(corner)
                if dead_ends(stops, left):
                    return game.value[corner]
                # Only a move that touches every detour of the opponent can block him.
                if not looked:
                    first = a_detour(opponent, lifted, 0)
                    looked = True
                if not first & bit(corner):
                    stops &= first
                if stops == 0:
                    continue
                if not looked_twice:
                    second = a_detour(opponent, lifted, first) if first else 0
                    looked_twice = True
                if second and not second & bit(corner):
                    stops &= second
                while stops:
                    if not has_detour(opponent, left & ~(stops & (~stops + 1))):
                        return game.value[corner]
                    stops &= stops - 1
    if jump_starts(game, at.articles[mover], at.articles[other], empty):
        # A capture occupies one square more, its stop: only in the way of the one detour of a Lawyer can it end the game.
        first = a_detour(opponent, empty, 0)
        second = a_detour(lawyer, empty, 0)
        stops = 0
        if first and not a_detour(opponent, empty, first):
            stops |= first
        if second and not a_detour(lawyer, empty, second):
            stops |= second
        if stops == 0:
            return LEAST
        search.captures.length = 0
        if not add_captures(game, &search.captures, at.articles[mover], at.articles[other], empty):
            search.stop = NO_MEMORY
            return LEAST
        for i in range(search.captures.length):
            gain = gain_of(game, &search.captures.moves[i], False)
            if gain >= k:
                left = (empty | bit(search.captures.moves[i].start) | search.captures.moves[i].taken) & ~bit(search.captures.moves[i].stop)
                if not has_detour(lawyer, left) or not has_detour(opponent, left):
                    return gain
    return LEAST


cdef inline int find_threats(Search* search, const Packed* at, int least, Threat* threats) noexcept nogil:
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


cdef inline int drop_refuted(const Threat* threats, int count, int value, int k, int corner, u64* stops) noexcept nogil:
    # Drop the stops of detours by way of `corner` that a threat answers; the most that one of those still gains, unless it
    # ends the game.
    cdef int i, most = LEAST
    cdef u64 kept
    for i in range(count):
        if threats[i].value > value - k and not threats[i].path >> corner & 1:
            kept = stops[0] & threats[i].path
            if kept != stops[0]:
                most = max(most, value - threats[i].value)
            stops[0] = kept
    return most


# First numbers of a leaf. A logistic model of "the player to move will be proven to gain k", fitted to 13,500 leaves of
# searches on 6 x 6, 7 x 7 and 8 x 8 that were then solved (log loss 0.42; the share of proven ones alone 0.65), in
# sixteenths: the replies that survive the opponent's threats count most. Sum of nodes of 23 endgames and CPU seconds:
# all numbers 1: 7.66 million, 28 s; proof 1, disproof the number of replies: 2.64 million, 6.5 s; with k: 1.72 million,
# 6.2 s; this model: 1.50 million, 5.5 s. Six other scales of the two numbers were within 15 % of it.
cdef extern from *:
    """
    static int wa_weight_replies[256], wa_weight_k[61];
    static uint32_t wa_first_proof[2 * 512], wa_first_disproof[2 * 512];
    """
    int[256] WEIGHT_REPLIES "wa_weight_replies"
    int[61] WEIGHT_K "wa_weight_k"
    uint32_t[1024] FIRST_PROOF "wa_first_proof"
    uint32_t[1024] FIRST_DISPROOF "wa_first_disproof"

cdef enum:
    MAX_REPLIES = 255
    MIDDLE = 512  # of the tables of first numbers
    WEIGHT_CONSTANT = -6
    WEIGHT_OWN_SLIDES = 2
    WEIGHT_OTHER_SLIDES = -2
    WEIGHT_OWN_CAPTURES = 11
    WEIGHT_OTHER_CAPTURES = -5


cdef inline void build_model() noexcept:
    # A module calls it once before it asks for first numbers.
    cdef int i
    for i in range(MAX_REPLIES + 1):
        WEIGHT_REPLIES[i] = <int>(16 * 0.736 * log(1 + i))
    for i in range(61):
        WEIGHT_K[i] = <int>floor(16 * (-0.132 * (i - 30) - 0.081 * max(0, i - 30)))
    for i in range(2 * MIDDLE):
        FIRST_PROOF[i] = <uint32_t>max(1.0, min(1e6, 4 * exp(-0.7 * (i - MIDDLE) / 16.0)))
        FIRST_DISPROOF[i] = <uint32_t>max(1.0, min(1e6, 30 * exp(0.7 * (i - MIDDLE) / 16.0)))


cdef inline int slides(int lawyer, u64 empty) noexcept nogil:
    return xp_popcount64((rank_reach(lawyer, ~empty) | file_reach(lawyer, ~empty)) & empty)


cdef inline int first_numbers(Search* search, const Packed* at, int k, Child* child) noexcept nogil:
    # Proof and disproof number of a position that has not been searched; disproved where no move survives, and then the
    # answer is the most that the player to move still gains.
    cdef const Game* game = &search.game
    cdef int mover = at.turn, i, line, corner, threat_count, likely, replies = 0, lawyer = at.lawyer[mover], most = LEAST
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
                most = max(most, drop_refuted(threats, threat_count, game.value[corner], k, corner, &stops))
                replies += xp_popcount64(stops)
    if replies == 0 and captures == 0:
        child.proof, child.disproof = INFINITE, 0
        if most == LEAST:
            return k - 1
        for line in range(2):
            corners = (file_reach(lawyer, ~empty) if line else rank_reach(lawyer, ~empty)) & empty
            while corners:
                corner = xp_ctz64(corners)
                corners &= corners - 1
                if game.value[corner] > most:
                    stops = (rank_reach(corner, ~empty) if line else file_reach(corner, ~empty)) & empty
                    if stops and dead_ends(stops, (empty | bit(lawyer)) & ~bit(corner)):
                        most = game.value[corner]
        return most
    likely = MIDDLE + WEIGHT_CONSTANT + WEIGHT_REPLIES[min(replies, <int>MAX_REPLIES)] + WEIGHT_K[max(-30, min(30, k)) + 30]
    likely += WEIGHT_OWN_SLIDES * slides(lawyer, empty) + WEIGHT_OTHER_SLIDES * slides(at.lawyer[1 - mover], empty)
    likely += WEIGHT_OWN_CAPTURES * xp_popcount64(captures)
    likely += WEIGHT_OTHER_CAPTURES * xp_popcount64(jump_starts(game, at.articles[1 - mover], at.articles[mover], empty))
    likely = max(0, min(2 * MIDDLE - 1, likely))
    child.proof, child.disproof = FIRST_PROOF[likely], FIRST_DISPROOF[likely]
    return MOST
