# Positions of two players with open hands and a known order of the pile, reduced to what can still matter, and the draws
# between two decisions.
#
# A line is a row of groups, one byte each (breed << 3 | number of dogs). Leashes and catchers still to come can take only
# so many groups off an end (Reach); of the rest, a WALL is left. Points are not part of a position: a value is what
# the difference of points will still change, so positions with other points held share their table entry. A group to
# which no dog of its breed can come any more is GONE: it keeps its size, as long as something can take it away.
# A line and its mirror image are one.

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from exactplay.cython_core.walk_the_dogs.position cimport BO, DC, LE

cdef enum:
    WALL = 0x80
    GONE = 7
    FIVE = 20000
    BORDER = 10000      # beyond all points, four times over
    LOWEST = -32000
    ROW = 16            # bytes of a line in a position
    RAW = 32
    MOST_CHILDREN = 112
    DEPTH = 192

cdef struct Node:
    uint8_t row[2][ROW]
    uint8_t groups[2]
    uint8_t front, back, deck, turn, stage, passes     # stage 0: turn plays; 1: turn, 2: the other picks a group to lose
    uint8_t bones                                      # how many may still come
    uint8_t inner[2]                                   # the longest run no longer in the row
    int16_t more_dogs                                  # dogs of player 0 minus dogs of player 1
    uint32_t hand[2]                                   # four bits a card

cdef struct Reach:
    int catchers, bones
    int leashes[2]

cdef struct Entry:
    uint64_t key[6]
    int16_t low, high
    uint32_t code
    uint32_t era
    uint32_t effort

cdef struct Child:
    Node node
    uint64_t key[6]
    uint64_t hash
    int gain            # change of the mover's points minus the other's
    int value           # at the end of the game: its value
    int rank
    int code
    bint over, five

cdef struct Search:
    uint8_t middle[64]
    uint8_t deck[128]
    int deck_size
    int catchers_from[129]
    int bones_from[129]
    int leashes_from[129]
    bint advanced, any_order, by_points
    int scale
    Entry *table
    uint64_t buckets, most_buckets
    uint32_t era
    int64_t nodes, node_limit, next_look, filled
    int stop            # 1: limit, 2: exception, 3: a row was too short (a fault of this program)
    void *owner
    Child *arena[DEPTH]


cdef inline int step_value(int value, int change) noexcept nogil:
    """Shift a value or a window's edge by a change of points; five in a row, and an edge beside it, stays what it is."""
    if value >= BORDER or value <= -BORDER:
        return value
    return value + change


cdef inline int in_hand(uint32_t hand, int card) noexcept nogil:
    return hand >> (4 * card) & 15


cdef inline int hand_size(uint32_t hand) noexcept nogil:
    cdef uint32_t pairs = (hand & 0x0F0F0F0FU) + (hand >> 4 & 0x0F0F0F0FU)
    return (pairs * 0x01010101U) >> 24


cdef inline int fewest_dogs(const int *cards, int plays) noexcept nogil:
    """The fewest dogs that a number of plays takes, of cards[i] cards that take i dogs."""
    cdef int size, some, total = 0
    for size in range(4):
        some = cards[size] if cards[size] < plays else plays
        total += some * size
        plays -= some
    return total


cdef inline void sort_hand(uint32_t hand, int *cards) noexcept nogil:
    cards[0] = in_hand(hand, LE)
    cards[1] = in_hand(hand, 0) + in_hand(hand, 3)
    cards[2] = in_hand(hand, 1) + in_hand(hand, 4) + in_hand(hand, 6)
    cards[3] = in_hand(hand, 2) + in_hand(hand, 5)


cdef inline int draw_on(const Search *s, int at, int who, int *cards, Reach *reach) noexcept nogil:
    """Let a player draw in the count of what is to come; the place in the pile after it."""
    cdef int card
    while at < s.deck_size:
        card = s.deck[at]
        at += 1
        if card == DC:
            reach.catchers += 1
        elif card == BO:
            reach.bones += 1
        else:
            if card == LE:
                reach.leashes[who] += 1
                cards[0] += 1
            elif card == 6:
                cards[2] += 1
            else:
                cards[card % 3 + 1] += 1
            break
    return at


cdef inline void find_reach(const Search *s, const Node *n, Reach *reach) noexcept nogil:
    """At most how many catchers, bones and leashes can still come into play.

    A draw comes only while dogs are left, and whoever plays takes at least the dogs of his smallest cards.
    """
    cdef int at = n.deck, who = n.turn, dogs = n.back - n.front
    cdef int cards[2][4]
    cdef int plays[2]
    reach.catchers = 1 if n.stage else 0
    reach.bones = 0
    reach.leashes[0] = in_hand(n.hand[0], LE)
    reach.leashes[1] = in_hand(n.hand[1], LE)
    if s.catchers_from[at] + s.bones_from[at] + s.leashes_from[at] == 0:
        return
    if (
        s.advanced
        # Whoever holds nothing but leashes may pass and take no dog.
        or reach.leashes[who] + s.leashes_from[at] >= hand_size(n.hand[who])
        or reach.leashes[1 - who] + s.leashes_from[at] > hand_size(n.hand[1 - who])
    ):
        reach.catchers += s.catchers_from[at]
        reach.bones += s.bones_from[at]
        reach.leashes[0] += s.leashes_from[at]
        reach.leashes[1] += s.leashes_from[at]
        return
    sort_hand(n.hand[0], cards[0])
    sort_hand(n.hand[1], cards[1])
    plays[0] = plays[1] = 0
    if n.stage:
        at = draw_on(s, at, who, cards[who], reach)
    while True:
        plays[who] += 1
        if at >= s.deck_size or fewest_dogs(cards[0], plays[0]) + fewest_dogs(cards[1], plays[1]) >= dogs:
            return
        who = 1 - who
        at = draw_on(s, at, who, cards[who], reach)


cdef inline int kept_groups(const uint8_t *row, int groups, int step, int catchers, int leashes) noexcept nogil:
    """How many groups of an end can still be touched: those that can be taken off, and the next."""
    cdef int i, size, rest, kept = 0
    cdef int largest[7]
    cdef int total = 0, spared = 0
    for i in range(groups):
        kept += 1
        size = row[0] & 7
        row += step
        if catchers == 0:
            total += size
            if total > leashes:
                break
            continue
        # Each catcher takes a whole group, whatever its size; leashes take the dogs of the others one by one.
        total += size
        if i < catchers:
            largest[i] = size
            spared += size
        else:
            for rest in range(catchers):
                if largest[rest] < size:
                    spared += size - largest[rest]
                    size, largest[rest] = largest[rest], size
        if total - spared > leashes:
            break
    return kept


cdef inline int canonical(const uint8_t *raw, int groups, const Reach *reach, int player, int breeds, uint8_t *row,
                   uint8_t *inner) noexcept nogil:
    """Write what matters of a line, of it and its mirror image the first; the number of bytes."""
    cdef uint8_t full[RAW]
    cdef int i, wall = -1, ahead, behind, size, number = 0
    cdef int taken = reach.leashes[1 - player]
    cdef bint no_leash = reach.leashes[0] + reach.leashes[1] == 0
    cdef bint untouched = no_leash and reach.catchers == 0
    for i in range(groups):
        full[i] = raw[i]
        if raw[i] == WALL:
            wall = i
        elif no_leash and not breeds >> (raw[i] >> 3) & 1:
            full[i] = GONE << 3 | (raw[i] & 7)
    ahead = kept_groups(full, groups if wall < 0 else wall, 1, reach.catchers, taken)
    behind = kept_groups(full + groups - 1, groups if wall < 0 else groups - 1 - wall, -1, reach.catchers, taken)
    if wall < 0 and groups < 2 and untouched:
        # One group grows at one end as well as at both; none is as good as the wall.
        if groups == 1 and full[0] >> 3 != GONE:
            row[0] = full[0]
            number = 1
        elif groups == 1 and (full[0] & 7) > inner[0]:
            inner[0] = full[0] & 7
        row[number] = WALL
        number += 1
    elif wall < 0 and (groups == 0 or ahead + behind > groups):
        memcpy(row, full, groups)
        number = groups
    else:
        for i in range(ahead, groups - behind):
            size = full[i] & 7
            if size > inner[0]:
                inner[0] = size
        for i in range(ahead):
            # An end that nothing can join and nothing can take is no better than the wall.
            if untouched and full[i] >> 3 == GONE:
                if (full[i] & 7) > inner[0]:
                    inner[0] = full[i] & 7
                continue
            row[number] = full[i]
            number += 1
        row[number] = WALL
        number += 1
        for i in range(groups - behind, groups):
            if untouched and full[i] >> 3 == GONE:
                if (full[i] & 7) > inner[0]:
                    inner[0] = full[i] & 7
                continue
            row[number] = full[i]
            number += 1
    memset(row + number, 0, ROW - number)
    for i in range(number // 2):
        if row[i] != row[number - 1 - i]:
            if row[i] > row[number - 1 - i]:
                for size in range(number // 2):
                    row[size], row[number - 1 - size] = row[number - 1 - size], row[size]
            break
    return number


cdef inline int put_dog(uint8_t *raw, int *first, int *last, int dog, bint at_front, bint *five) noexcept nogil:
    """Add a dog to a row that has room at both ends; the points it brings."""
    cdef uint8_t *end = raw + first[0] if at_front else raw + last[0] - 1
    if last[0] > first[0] and end[0] != WALL and end[0] >> 3 == dog:
        end[0] += 1
        if end[0] & 7 >= 5:
            five[0] = True
        return 2 * (end[0] & 7) - 1
    if at_front:
        first[0] -= 1
        raw[first[0]] = dog << 3 | 1
    else:
        raw[last[0]] = dog << 3 | 1
        last[0] += 1
    return 1


cdef struct Draft:
    # A position on its way to the next decision, with lines that may still grow at both ends.
    Node node
    uint8_t raw[2][RAW]
    int first[2]
    int last[2]
    int gain            # change of player 0's points minus player 1's
    bint safe           # nothing can be taken off the mover's line any more


cdef inline int drop_group(Search *s, Draft *d, int player, bint back) noexcept nogil:
    """Take the group off an end of a row; its size."""
    cdef int at = d.last[player] - 1 if back else d.first[player]
    cdef int size
    if d.last[player] == d.first[player]:
        return 0
    if d.raw[player][at] == WALL:
        s.stop = 3
        return 0
    size = d.raw[player][at] & 7
    if back:
        d.last[player] -= 1
    else:
        d.first[player] += 1
    d.gain += size * size if player else -size * size
    d.node.more_dogs += size if player else -size
    return size


cdef inline bint lose_from(Search *s, Draft *d, int player) noexcept nogil:
    """A catcher for one player; True where he has to choose."""
    cdef int front, back, groups = d.last[player] - d.first[player]
    if groups == 0:
        return False
    front = d.raw[player][d.first[player]] & 7
    back = d.raw[player][d.last[player] - 1] & 7
    if groups > 1 and front == back:
        return True
    drop_group(s, d, player, back > front)
    return False


cdef inline void draw_until_choice(Search *s, Draft *d) noexcept nogil:
    """Draw for the player whose turn it is until he holds a new card or somebody has to choose."""
    cdef Node *n = &d.node
    cdef int card, gets
    n.stage = 0
    while n.deck < s.deck_size:
        card = s.deck[n.deck]
        n.deck += 1
        if card == BO:
            gets = n.turn if n.more_dogs == 0 else (1 if n.more_dogs > 0 else 0)
            d.gain += -3 if gets else 3
        elif card == DC:
            if lose_from(s, d, n.turn):
                n.stage = 1
                return
            if lose_from(s, d, 1 - n.turn):
                n.stage = 2
                return
        else:
            n.hand[n.turn] += 1U << (4 * card)
            if s.advanced:
                n.turn = 1 - n.turn
            return
    if s.advanced:
        n.turn = 1 - n.turn


cdef inline void open_draft(const Node *n, Draft *d) noexcept nogil:
    cdef int player
    d.node = n[0]
    d.gain = 0
    for player in range(2):
        d.first[player] = 8
        d.last[player] = 8 + n.groups[player]
        memcpy(&d.raw[player][8], n.row[player], n.groups[player])


cdef struct Siblings:
    # What the ways to add the dogs of one card have in common, as long as the draws after them end at one place.
    Reach reach
    int deck, stage     # -1: nothing is known yet
    int breeds
    int first, last     # of the other player's row, for which the reduced row is known
    uint8_t row[ROW]
    uint8_t groups, inner


cdef inline void close_draft(const Search *s, Draft *d, Siblings *alike, int mover) noexcept nogil:
    """Reduce the lines to what matters from here on."""
    cdef Node *n = &d.node
    cdef int i, player, other = 1 - mover
    if alike.deck != n.deck or alike.stage != n.stage:
        alike.deck = n.deck
        alike.stage = n.stage
        alike.first = -1
        find_reach(s, n, &alike.reach)
        alike.breeds = 0
        for i in range(n.front, n.back):
            alike.breeds |= 1 << s.middle[i]
    n.bones = alike.reach.bones
    d.safe = alike.reach.catchers == 0 and alike.reach.leashes[other] == 0
    for player in range(2):
        if player == other and alike.first == d.first[other] and alike.last == d.last[other]:
            memcpy(n.row[other], alike.row, ROW)
            n.groups[other] = alike.groups
            n.inner[other] = alike.inner
            continue
        n.groups[player] = canonical(
            &d.raw[player][d.first[player]], d.last[player] - d.first[player], &alike.reach, player, alike.breeds,
            n.row[player], &n.inner[player],
        )
        if s.by_points:
            n.inner[player] = 0
    alike.first = d.first[other]
    alike.last = d.last[other]
    memcpy(alike.row, n.row[other], ROW)
    alike.groups = n.groups[other]
    alike.inner = n.inner[other]


cdef inline int longest_in(const uint8_t *row, int groups, int most) noexcept nogil:
    """The longest run of a row and what it no longer shows."""
    cdef int i
    for i in range(groups):
        if row[i] != WALL and row[i] & 7 > most:
            most = row[i] & 7
    return most


cdef inline int longest(const Node *n, int player) noexcept nogil:
    return longest_in(n.row[player], n.groups[player], n.inner[player])


cdef inline int longer_run(int mine, int other) noexcept nogil:
    """With ``outcome`` the longer run breaks a tie of points."""
    return (mine > other) - (mine < other)


cdef inline int acting_player(const Node *n) noexcept nogil:
    return 1 - n.turn if n.stage == 2 else n.turn
