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

cdef inline int place_in_layer(const Position* at) noexcept nogil:
    return at.turn << 12 | at.lawyer[0] << 6 | at.lawyer[1]


cdef inline bint endless(const Game* game, const Position* at) noexcept nogil:
    return game.without_placing and at.supply[0] == 0 and at.supply[1] == 0


cdef Layer* layer_of(Search* search, u64 blue, u64 red) noexcept nogil:
    cdef u64 i = xp_mix64(blue ^ xp_mix64(red)) & (search.layer_room - 1)
    while search.layers[i].value != NULL and (search.layers[i].blue != blue or search.layers[i].red != red):
        i = (i + 1) & (search.layer_room - 1)
    return &search.layers[i]


cdef int endless_value(Search* search, const Position* at) noexcept nogil:
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
    Search* search, const Position* any_place, const uint32_t* over_there, int over_count, int16_t* value
) noexcept nogil:
    # `over_there` holds the trail codes of positions that end the game when they come up again.
    cdef const Game* game = &search.game
    cdef Position at = any_place[0]
    cdef Position after
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
