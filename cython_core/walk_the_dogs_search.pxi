# Exact play of two with open hands and a known order of the pile: alpha-beta over positions that keep of each line only
# what can still matter. Included by walk_the_dogs.pyx.
#
# A line is a row of groups, one byte each (breed << 3 | number of dogs). Leashes and catchers still to come can take only
# so many groups off an end (Reach); of the rest, a WALL is left. Points are not part of a position: a value is what
# the difference of points will still change, so positions with other points held share their table entry. A group to
# which no dog of its breed can come any more is GONE: it keeps its size, as long as something can take it away.
# A line and its mirror image are one. FIVE is a value beyond all others and is never shifted.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define XP_PREFETCH(p) __builtin_prefetch(p)
    #else
    #define XP_PREFETCH(p) ((void)(p))
    #endif
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    /* Zeroed memory in huge pages where the system has them: a probe then rarely misses the address cache as well. */
    static void *walk_table(size_t bytes)
    {
        char *table = calloc(1, bytes);
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const size_t page = (size_t)2 << 20;
        if (table && bytes >= 2 * page) {
            char *first = (char *)(((size_t)table + page - 1) / page * page);
            madvise(first, (bytes - (size_t)(first - table)) / page * page, MADV_HUGEPAGE);
        }
    #endif
        return table;
    }
    """
    void XP_PREFETCH(const void *) noexcept nogil
    void *walk_table(size_t bytes) noexcept nogil

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
    bint advanced, any_order, by_points, ran_out
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


cdef int draw_on(const Search *s, int at, int who, int *cards, Reach *reach) noexcept nogil:
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


cdef void find_reach(const Search *s, const Node *n, Reach *reach) noexcept nogil:
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


cdef int canonical(const uint8_t *raw, int groups, const Reach *reach, int player, int breeds, uint8_t *row,
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
    bint untouched      # no leash and no catcher can come any more


cdef int drop_group(Search *s, Draft *d, int player, bint back) noexcept nogil:
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


cdef bint lose_from(Search *s, Draft *d, int player) noexcept nogil:
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


cdef void draw_until_choice(Search *s, Draft *d) noexcept nogil:
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
    s.ran_out = True
    if s.advanced:
        n.turn = 1 - n.turn


cdef void open_draft(const Node *n, Draft *d) noexcept nogil:
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


cdef void close_draft(const Search *s, Draft *d, Siblings *alike, int mover) noexcept nogil:
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
    d.untouched = alike.reach.catchers == 0 and alike.reach.leashes[0] + alike.reach.leashes[1] == 0
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


cdef inline void make_key(const Node *n, uint64_t *key) noexcept nogil:
    cdef int mover = acting_player(n)
    cdef int64_t more = 0
    memcpy(key, n.row[mover], ROW)
    memcpy(key + 2, n.row[1 - mover], ROW)
    key[4] = <uint64_t>n.hand[mover] << 32 | n.hand[1 - mover]
    if n.bones:
        more = -n.more_dogs if mover else n.more_dogs
    key[5] = (
        <uint64_t>n.front | <uint64_t>n.back << 8 | <uint64_t>n.deck << 16 | <uint64_t>n.stage << 24
        | <uint64_t>n.passes << 28 | <uint64_t>n.inner[mover] << 32 | <uint64_t>n.inner[1 - mover] << 36
        | <uint64_t>(more + 128) << 40
    )


cdef inline uint64_t hash_key(const uint64_t *key) noexcept nogil:
    cdef uint64_t h = 0x9E3779B97F4A7C15ULL
    cdef int i
    for i in range(6):
        h = (h ^ key[i]) * 0xD6E8FEB86659FD93ULL
        h ^= h >> 32
    return h


cdef inline Entry *bucket_of(const Search *s, uint64_t hashed) noexcept nogil:
    return s.table + 2 * (hashed & (s.buckets - 1))


cdef inline void address(const Search *s, Child *child) noexcept nogil:
    """Let the place in the table be fetched while the other moves are made."""
    make_key(&child.node, child.key)
    child.hash = hash_key(child.key)
    XP_PREFETCH(bucket_of(s, child.hash))


cdef void finish_child(Search *s, Draft *d, Siblings *alike, Child *child, int mover, int code) noexcept nogil:
    """After a play: the end, or the next player's draw."""
    cdef Node *n = &d.node
    cdef int runs[2]
    cdef int player
    child.code = code
    child.over = n.front == n.back or n.passes >= 2
    if child.over:
        # The end needs no lines, only what they are worth.
        child.gain = -d.gain if mover else d.gain
        child.value = s.scale * child.gain
        if not s.by_points:
            for player in range(2):
                runs[player] = longest_in(
                    &d.raw[player][d.first[player]], d.last[player] - d.first[player], n.inner[player]
                )
            child.value += longer_run(runs[mover], runs[1 - mover])
        return
    n.turn = 1 - n.turn
    if not s.advanced:
        draw_until_choice(s, d)
    close_draft(s, d, alike, mover)
    child.node = d.node
    child.gain = -d.gain if mover else d.gain
    child.rank = 2 * child.gain
    cdef int end = n.row[mover][0]
    if end != WALL and alike.breeds >> (end >> 3) & 1:
        child.rank += end & 7
    end = n.row[mover][n.groups[mover] - 1]
    if end != WALL and alike.breeds >> (end >> 3) & 1:
        child.rank += end & 7
    address(s, child)


cdef bint same_rows(const Node *a, const Node *b) noexcept nogil:
    return memcmp(a.row, b.row, 2 * ROW) == 0 and a.inner[0] == b.inner[0] and a.inner[1] == b.inner[1]


cdef inline int lack(int end, int rival, const int *left) noexcept nogil:
    """How many points more the rival end can still bring than an end, with so many dogs of each breed left."""
    cdef int more = rival & 7
    cdef int breed = rival >> 3
    if rival == WALL:
        return 0
    if end != WALL and end >> 3 == breed:
        more -= end & 7
    if more <= 0:
        return 0
    # (more + k) ** 2 - k ** 2 - more ** 2 for k dogs; five in a row would win.
    return 2 * more * left[breed] if (rival & 7) + left[breed] < 5 else 100000


cdef bint dominates(const Search *s, const Child *a, const Child *b, int mover, const int *left) noexcept nogil:
    """Whether one way to add the dogs of a card is sure to be worth at least another.

    Only where nothing can be taken off the lines any more: then every later dog can be added where the rival's would
    be, and loses at most what the rival's end can bring more.
    """
    cdef const uint8_t *row = a.node.row[mover]
    cdef int gap = a.gain - b.gain
    cdef int straight, crossed, ends[2], rivals[2]
    if gap < 0 or a.node.more_dogs != b.node.more_dogs:
        return False
    ends[0] = row[0]
    ends[1] = row[a.node.groups[mover] - 1]
    row = b.node.row[mover]
    rivals[0] = row[0]
    rivals[1] = row[b.node.groups[mover] - 1]
    straight = lack(ends[0], rivals[0], left) + lack(ends[1], rivals[1], left)
    crossed = lack(ends[0], rivals[1], left) + lack(ends[1], rivals[0], left)
    if crossed < straight:
        straight = crossed
    if s.by_points:
        return gap >= straight
    return gap > straight or (
        gap == straight == 0 and longest(&a.node, mover) >= longest(&b.node, mover)
    )


cdef int add_children(Search *s, const Draft *start, int card, int *code_base, const uint8_t *dogs, int number,
                      int mover, Child *children, int count, bint *five) noexcept nogil:
    """Every distinct way to add the dogs, as children; the new count."""
    cdef int first = count
    cdef int permutations = 1, ways, way, i, a, b, x, y, in_front, ahead, behind, kept
    cdef int left[8]
    cdef Siblings alike
    cdef uint8_t order[3]
    cdef Draft d
    alike.deck = -1
    memset(left, 0, sizeof(left))
    for i in range(start.node.front, start.node.back):
        left[s.middle[i]] += 1
    if s.any_order:
        permutations = 6 if number == 3 else number
        ways = permutations * (number + 1)
    else:
        ways = 1 << number
    for way in range(ways):
        if s.any_order:
            in_front = way // permutations
            a = way % permutations
            if number == 3:
                b = a // 2
                x = 1 if b == 0 else 0
                y = 1 if b == 2 else 2
                order[0] = dogs[b]
                order[1] = dogs[y] if a & 1 else dogs[x]
                order[2] = dogs[x] if a & 1 else dogs[y]
            elif number == 2:
                order[0] = dogs[a]
                order[1] = dogs[1 - a]
            else:
                order[0] = dogs[0]
        else:
            ahead = 0
            for i in range(number):
                ahead += way >> i & 1
            in_front = ahead
            behind = ahead
            for i in range(number):
                if way >> i & 1:
                    ahead -= 1
                    order[ahead] = dogs[i]
                else:
                    order[behind] = dogs[i]
                    behind += 1
        d = start[0]
        a = 0
        for i in range(in_front - 1, -1, -1):
            a += put_dog(d.raw[mover], &d.first[mover], &d.last[mover], order[i], True, five)
        for i in range(in_front, number):
            a += put_dog(d.raw[mover], &d.first[mover], &d.last[mover], order[i], False, five)
        if five[0]:
            return count
        d.gain += -a if mover else a
        d.node.more_dogs += -number if mover else number
        finish_child(s, &d, &alike, &children[count], mover, code_base[0] + way)
        if children[count].over:
            # Of several ends the best is all that counts.
            if count > first and children[first].value >= children[count].value:
                continue
            children[first] = children[count]
            count = first + 1
            continue
        if not d.untouched:
            for i in range(first, count):
                if children[i].gain == children[count].gain and same_rows(&children[i].node, &children[count].node):
                    break
            else:
                count += 1
            continue
        for i in range(first, count):
            if dominates(s, &children[i], &children[count], mover, left):
                break
        else:
            kept = first
            for i in range(first, count):
                if not dominates(s, &children[count], &children[i], mover, left):
                    if kept < i:
                        children[kept] = children[i]
                    kept += 1
            if kept < count:
                children[kept] = children[count]
            count = kept + 1
    code_base[0] += 32
    return count


cdef int expand(Search *s, const Node *n, Child *children, bint *five) noexcept nogil:
    """The children of a decision; their number. ``five`` is set where a move makes five in a row."""
    cdef int mover = acting_player(n)
    cdef int card, i, size, number, count = 0
    cdef int code = 0
    cdef uint8_t dogs[3]
    cdef Draft start, d
    cdef Siblings alike
    cdef bint back
    alike.deck = -1
    if n.stage:
        for i in range(2):
            open_draft(n, &d)
            drop_group(s, &d, mover, i)
            if n.stage == 1 and lose_from(s, &d, 1 - n.turn):
                d.node.stage = 2
            else:
                draw_until_choice(s, &d)
            alike.deck = -1
            close_draft(s, &d, &alike, mover)
            children[count].node = d.node
            children[count].gain = -d.gain if mover else d.gain
            children[count].rank = children[count].gain
            children[count].code = i
            children[count].over = False
            address(s, &children[count])
            count += 1
        return count
    for card in range(8):
        if in_hand(n.hand[mover], card) == 0:
            continue
        open_draft(n, &start)
        start.node.hand[mover] -= 1U << (4 * card)
        start.node.passes = 0
        if card != LE:
            if card == 6:
                number = 2 if n.back - n.front > 1 else 1
                dogs[0] = s.middle[n.front]
                dogs[1] = s.middle[n.back - 1]
                start.node.front += 1
                start.node.back -= number - 1
            else:
                number = card % 3 + 1
                if number > n.back - n.front:
                    number = n.back - n.front
                for i in range(number):
                    dogs[i] = s.middle[n.front + i] if card < 3 else s.middle[n.back - 1 - i]
                if card < 3:
                    start.node.front += number
                else:
                    start.node.back -= number
            count = add_children(s, &start, card, &code, dogs, number, mover, children, count, five)
            if five[0]:
                return count
            continue
        for back in range(2):
            if n.groups[1 - mover] == 0:
                continue
            i = 8 + n.groups[1 - mover] - 1 if back else 8
            if start.raw[1 - mover][i] == WALL:
                s.stop = 3
                return 0
            d = start
            size = d.raw[1 - mover][i] & 7
            dogs[0] = d.raw[1 - mover][i] >> 3
            if size == 1:
                if back:
                    d.last[1 - mover] -= 1
                else:
                    d.first[1 - mover] += 1
            else:
                d.raw[1 - mover][i] -= 1
            d.gain = -(2 * size - 1) if mover else 2 * size - 1
            d.node.more_dogs += -1 if mover else 1
            count = add_children(s, &d, card, &code, dogs, 1, mover, children, count, five)
            if five[0]:
                return count
    if s.advanced and n.deck < s.deck_size and (count == 0 or hand_size(n.hand[mover]) < 4):
        open_draft(n, &d)
        d.node.passes = 0
        draw_until_choice(s, &d)
        close_draft(s, &d, &alike, mover)
        children[count].node = d.node
        children[count].gain = -d.gain if mover else d.gain
        children[count].rank = -2
        children[count].code = code
        children[count].over = False
        address(s, &children[count])
        count += 1
    if count == 0:
        open_draft(n, &d)
        d.node.passes += 1
        finish_child(s, &d, &alike, &children[0], mover, 0)
        count = 1
    return count


cdef inline Entry *find(const Search *s, const uint64_t *key, uint64_t hashed) noexcept nogil:
    """The entry of a position, or NULL."""
    cdef Entry *bucket = bucket_of(s, hashed)
    cdef int i
    for i in range(2):
        if bucket[i].era == s.era and memcmp(bucket[i].key, key, 48) == 0:
            return &bucket[i]
    return NULL


cdef void grow(Search *s) noexcept nogil:
    """Double the table: a small search stays in the cache, and only a large one touches much memory."""
    cdef Entry *old = s.table
    cdef Entry *bucket
    cdef uint64_t i, size = 2 * s.buckets
    cdef Entry *table = <Entry *>walk_table(2 * size * sizeof(Entry)) if size <= s.most_buckets else NULL
    if table == NULL:
        s.most_buckets = s.buckets
        return
    for i in range(2 * s.buckets):
        if old[i].era == s.era:
            # The entries of one bucket come from one old bucket, so there is room for both.
            bucket = table + 2 * (hash_key(old[i].key) & (size - 1))
            if bucket.era == s.era:
                bucket += 1
            bucket[0] = old[i]
    free(old)
    s.table = table
    s.buckets = size


cdef void keep(Search *s, const uint64_t *key, uint64_t hashed, int low, int high, uint32_t code, int64_t effort) noexcept nogil:
    """Store what is known; of two other entries the one that cost less gives way."""
    cdef Entry *bucket = bucket_of(s, hashed)
    cdef Entry *entry = NULL
    cdef uint32_t weight = <uint32_t>effort if effort < 0xFFFFFFFFLL else 0xFFFFFFFFU
    cdef int i
    for i in range(2):
        if bucket[i].era == s.era and memcmp(bucket[i].key, key, 48) == 0:
            entry = &bucket[i]
            if low > entry.low:
                entry.low = low
            if high < entry.high:
                entry.high = high
            entry.code = code
            entry.effort = weight
            return
    for i in range(2):
        if bucket[i].era != s.era:
            entry = &bucket[i]
            s.filled += 1
            break
    if entry == NULL:
        entry = &bucket[0] if bucket[0].effort < bucket[1].effort else &bucket[1]
        # What stays loses weight, so that old entries do not block a bucket for good.
        (bucket if entry == bucket + 1 else bucket + 1).effort //= 2
    memcpy(entry.key, key, 48)
    entry.low = low
    entry.high = high
    entry.code = code
    entry.era = s.era
    entry.effort = weight
    if s.filled > <int64_t>s.buckets and s.buckets < s.most_buckets:
        grow(s)


cdef void look_up(Search *s) noexcept with gil:
    """Every so many nodes: limits, Ctrl-C, progress."""
    cdef Searcher owner = <Searcher>s.owner
    s.next_look = s.nodes + 50000
    if s.next_look > s.node_limit:
        s.next_look = s.node_limit
    if s.nodes >= s.node_limit or 0 < owner.ends_at < process_time():
        s.stop = 1
    try:
        PyErr_CheckSignals()
        if owner.progress is not None:
            owner.progress(s.nodes)
    except BaseException as error:
        owner.pending = error
        s.stop = 2


cdef int search(Search *s, const Child *at, int alpha, int beta, int ply) noexcept nogil:
    """The value for the player to act, relative to the points as they stand; fail-soft bounds outside alpha and beta."""
    cdef const Node *n = &at.node
    cdef Entry *entry
    cdef Child *children
    cdef Child swap
    cdef uint32_t best_code = 0xFFFFFFFFU
    cdef int mover = acting_player(n)
    cdef int i, j, count, value, change, low, high, best = LOWEST
    cdef int64_t before = s.nodes
    cdef bint five = False
    cdef bint same
    s.nodes += 1
    if s.nodes >= s.next_look:
        look_up(s)
    if s.stop:
        return 0
    low = LOWEST
    high = -LOWEST
    entry = find(s, at.key, at.hash)
    if entry != NULL:
        low = entry.low
        high = entry.high
        best_code = entry.code
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if low > alpha:
            alpha = low
        if high < beta:
            beta = high
    if ply >= DEPTH:
        s.stop = 3
        return 0
    children = s.arena[ply]
    count = expand(s, n, children, &five)
    if s.stop:
        return 0
    if five:
        return FIVE
    for i in range(count):
        if children[i].over:
            if children[i].value > best:
                best = children[i].value
        elif <uint32_t>children[i].code == best_code:
            children[i].rank = 10000
    low = alpha
    if best > low:
        low = best
    if low < beta:
        for i in range(count):
            if children[i].over:
                continue
            entry = find(s, children[i].key, children[i].hash)
            if entry == NULL:
                continue
            change = s.scale * children[i].gain
            if acting_player(&children[i].node) == mover:
                value = step_value(entry.low, change)
            else:
                value = step_value(-entry.high, change)
            if value >= beta:
                keep(s, at.key, at.hash, value, -LOWEST, children[i].code, 1)
                return value
    i = -1
    while low < beta:
        # The child of the highest rank comes next.
        j = -1
        for i in range(count):
            if not children[i].over and (j < 0 or children[i].rank > children[j].rank):
                j = i
        if j < 0:
            break
        change = s.scale * children[j].gain
        same = acting_player(&children[j].node) == mover
        children[j].over = True
        if best == LOWEST:
            if same:
                value = search(s, &children[j], step_value(low, -change), step_value(beta, -change), ply + 1)
            else:
                value = -search(s, &children[j], -step_value(beta, -change), -step_value(low, -change), ply + 1)
        else:
            if same:
                value = search(s, &children[j], step_value(low, -change), step_value(low, -change) + 1, ply + 1)
            else:
                value = -search(s, &children[j], -step_value(low, -change) - 1, -step_value(low, -change), ply + 1)
            if not s.stop and step_value(value, change) > low and step_value(value, change) < beta and beta > low + 1:
                if same:
                    value = search(s, &children[j], step_value(low, -change), step_value(beta, -change), ply + 1)
                else:
                    value = -search(s, &children[j], -step_value(beta, -change), -step_value(low, -change), ply + 1)
        if s.stop:
            return 0
        value = step_value(value, change)
        if value > best:
            best = value
            best_code = children[j].code
            if value > low:
                low = value
    if best >= beta:
        keep(s, at.key, at.hash, best, -LOWEST, best_code, s.nodes - before)
    elif best > alpha:
        keep(s, at.key, at.hash, best, best, best_code, s.nodes - before)
    else:
        keep(s, at.key, at.hash, LOWEST, best, best_code, s.nodes - before)
    return best


cdef class Searcher:
    """Searches positions of one game: one middle line, one order of the pile; owns the table."""

    cdef Search s
    cdef object progress
    cdef object pending
    cdef double ends_at

    def __cinit__(self, int64_t table_bytes):
        cdef int i
        self.s.most_buckets = 1
        while self.s.most_buckets * 4 * sizeof(Entry) <= <uint64_t>table_bytes:
            self.s.most_buckets *= 2
        self.s.buckets = min(self.s.most_buckets, <uint64_t>16384)
        self.s.table = <Entry *>walk_table(2 * self.s.buckets * sizeof(Entry))
        if self.s.table == NULL:
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.s.owner = <void *>self
        self.s.node_limit = 1LL << 62
        for i in range(DEPTH):
            self.s.arena[i] = NULL

    def __dealloc__(self):
        cdef int i
        free(self.s.table)
        for i in range(DEPTH):
            free(self.s.arena[i])

    def begin(self, Position root not None, bint by_points):
        """Start on another game: positions to be valued are the root or come from it by moves and draws."""
        cdef Game *g = &root.game
        cdef Search *s = &self.s
        cdef int i
        if g.players != 2 or g.shuffled:
            raise ValueError("the search is for two players and a known order of the pile")
        memcpy(s.middle, g.middle, 64)
        memcpy(s.deck, g.deck, 128)
        s.deck_size = g.deck_size
        s.advanced = g.advanced
        s.any_order = g.any_order
        s.by_points = by_points
        s.scale = 1 if by_points else 4
        s.ran_out = False
        s.era += 1
        s.filled = 0
        memset(s.catchers_from, 0, sizeof(s.catchers_from))
        memset(s.bones_from, 0, sizeof(s.bones_from))
        memset(s.leashes_from, 0, sizeof(s.leashes_from))
        for i in range(s.deck_size - 1, -1, -1):
            s.catchers_from[i] = s.catchers_from[i + 1] + (s.deck[i] == DC)
            s.bones_from[i] = s.bones_from[i + 1] + (s.deck[i] == BO)
            s.leashes_from[i] = s.leashes_from[i + 1] + (s.deck[i] == LE)
        if s.catchers_from[0] + s.leashes_from[0] + g.hands[0][LE] + g.hands[1][LE] > 6:
            raise ValueError("the search takes up to six leash and dog catcher cards together, as the box has")

    def limit(self, nodes=None, seconds=None, progress=None):
        """Stop after so many more nodes or CPU seconds (None: never); ``progress`` hears the nodes so far."""
        self.s.node_limit = 1LL << 62 if nodes is None else self.s.nodes + <int64_t>nodes
        self.ends_at = -1 if seconds is None else process_time() + seconds
        self.progress = progress
        self.s.next_look = min(self.s.nodes + 1000, self.s.node_limit)

    def bounds(self, Position at not None, int low, int high):
        """Bounds of the value for player 0, exact if strictly between ``low`` and ``high``; None where a limit struck.

        Of ``points``: own minus other's points, +-20000 for five in a row. Of ``outcome``: four times that difference,
        and +-1 for the longer run; its sign is the outcome.
        """
        cdef Search *s = &self.s
        cdef Game *g = &at.game
        cdef Draft d
        cdef Child root
        cdef int i, player, card, run, held, mover, value, alpha, beta
        cdef int row_from[2]
        if g.deck_size != s.deck_size or g.players != 2:
            raise ValueError("the position is not one of the game that begin() was told of")
        memset(&d, 0, sizeof(d))
        held = 0
        for player in range(2):
            run = line_points(&g.lines[player], &i)
            held += -run - 3 * g.bones[player] if player else run + 3 * g.bones[player]
            if i >= 5:
                value = -FIVE if player else FIVE
                return value, value
        if acting(g) == CHANCE:
            raise ValueError("a draw is due; play it first")
        for player in range(2):
            for card in range(8):
                d.node.hand[player] |= <uint32_t>g.hands[player][card] << (4 * card)
                if g.hands[player][card] > 15:
                    raise ValueError("the search takes up to 15 equal cards in a hand")
        d.node.front = g.front
        d.node.back = g.back
        d.node.deck = g.deck_at
        d.node.turn = g.turn
        d.node.passes = g.passes
        d.node.stage = 0 if g.phase != CATCHING else (1 if g.chooser == g.turn else 2)
        d.node.more_dogs = g.lines[0].length - g.lines[1].length
        self.load(g, &d.node)
        mover = acting_player(&d.node)
        if acting(g) == OVER:
            value = s.scale * held
            if not s.by_points:
                value += longer_run(longest(&d.node, 0), longest(&d.node, 1))
            return value, value
        for i in range(DEPTH):
            if s.arena[i] == NULL:
                s.arena[i] = <Child *>malloc(MOST_CHILDREN * sizeof(Child))
                if s.arena[i] == NULL:
                    raise MemoryError("no memory for the moves of a line of play")
        root.node = d.node
        address(s, &root)
        if low >= high:
            raise ValueError(f"no value lies between {low} and {high}")
        held *= s.scale
        low = max(low, -FIVE)
        high = min(high, FIVE)
        if mover:
            low, high = -high, -low
            held = -held
        alpha = step_value(low, -held)
        beta = step_value(high, -held)
        s.stop = 0
        with nogil:
            value = search(s, &root, alpha, beta, 0)
        if s.stop == 2:
            error, self.pending = self.pending, None
            raise error
        if s.stop == 3:
            raise RuntimeError("a line was cut too short: a fault of exactplay, please report the position")
        if s.stop:
            return None
        value = step_value(value, held)
        low_value = value if value > low or low == -FIVE else LOWEST
        high_value = value if value < high or high == FIVE else -LOWEST
        return (-high_value, -low_value) if mover else (low_value, high_value)

    cdef load(self, Game *g, Node *n):
        """Reduce whole lines to the groups that matter."""
        cdef Reach reach
        cdef uint8_t raw[128]
        cdef uint8_t short_row[RAW]
        cdef int player, i, groups, kept, breeds = 0
        find_reach(&self.s, n, &reach)
        n.bones = reach.bones
        for i in range(g.front, g.back):
            breeds |= 1 << g.middle[i]
        for player in range(2):
            groups = 0
            for i in range(g.lines[player].front, g.lines[player].front + g.lines[player].length):
                if groups and raw[groups - 1] >> 3 == g.lines[player].dogs[i]:
                    raw[groups - 1] += 1
                else:
                    raw[groups] = g.lines[player].dogs[i] << 3 | 1
                    groups += 1
            if groups > RAW - 2:
                # Nothing reaches beyond seven groups of an end.
                kept = RAW // 2 - 2
                memcpy(short_row, raw, kept)
                short_row[kept] = WALL
                memcpy(short_row + kept + 1, raw + groups - kept, kept)
                for i in range(kept, groups - kept):
                    if raw[i] & 7 > n.inner[player]:
                        n.inner[player] = raw[i] & 7
                memcpy(raw, short_row, 2 * kept + 1)
                groups = 2 * kept + 1
            n.groups[player] = canonical(raw, groups, &reach, player, breeds, n.row[player], &n.inner[player])
            if self.s.by_points:
                n.inner[player] = 0

    @property
    def nodes(self) -> int:
        """Decisions visited since the searcher was made."""
        return self.s.nodes

    @property
    def ran_out(self) -> bool:
        """Whether since begin() a line of play wanted to draw when nothing was left."""
        return self.s.ran_out

    @property
    def table_fill(self) -> float:
        """The share of the memory allowed that is in use, 0 to 1."""
        return self.s.filled / (2.0 * self.s.most_buckets)
