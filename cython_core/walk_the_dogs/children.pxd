# The moves of a reduced position: every distinct way to play each card, as positions with their place in the table.
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from exactplay.cython_core.toolkit.bits cimport xp_prefetch
from exactplay.cython_core.walk_the_dogs.position cimport LE
from exactplay.cython_core.walk_the_dogs.rows cimport *


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
    xp_prefetch(bucket_of(s, child.hash))


cdef inline void finish_child(Search *s, Draft *d, Siblings *alike, Child *child, int mover, int code) noexcept nogil:
    """After a play: the end, or the next player's draw."""
    cdef Node *n = &d.node
    cdef int runs[2]
    cdef int player, back, end
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
    for back in range(2 if n.groups[mover] else 0):
        end = n.row[mover][n.groups[mover] - 1 if back else 0]
        if end != WALL and alike.breeds >> (end >> 3) & 1:
            child.rank += end & 7
    address(s, child)


cdef inline bint same_rows(const Node *a, const Node *b) noexcept nogil:
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


cdef inline bint dominates(const Search *s, const Child *a, const Child *b, int mover, const int *left) noexcept nogil:
    """Whether one way to add the dogs of a card is sure to be worth at least another.

    Only where nothing can be taken off the mover's line any more: then every later dog can be added where the rival's
    would be, and loses at most what the rival's end can bring more. One group grows at one end as well as at both.
    """
    cdef const uint8_t *row = a.node.row[mover]
    cdef int gap = a.gain - b.gain
    cdef int straight, crossed
    cdef int ends[2]
    cdef int rivals[2]
    if gap < 0 or a.node.more_dogs != b.node.more_dogs:
        return False
    ends[0] = row[0]
    ends[1] = row[a.node.groups[mover] - 1] if a.node.groups[mover] > 1 else WALL
    row = b.node.row[mover]
    rivals[0] = row[0]
    rivals[1] = row[b.node.groups[mover] - 1] if b.node.groups[mover] > 1 else WALL
    straight = lack(ends[0], rivals[0], left) + lack(ends[1], rivals[1], left)
    crossed = lack(ends[0], rivals[1], left) + lack(ends[1], rivals[0], left)
    if crossed < straight:
        straight = crossed
    if s.by_points:
        return gap >= straight
    return gap > straight or (
        gap == straight == 0 and longest(&a.node, mover) >= longest(&b.node, mover)
    )


cdef inline int add_children(Search *s, const Draft *start, int card, int *code_base, const uint8_t *dogs, int number,
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
    if in_hand(start.node.hand[mover], LE) + s.leashes_from[start.node.deck]:
        for i in range(start.first[1 - mover], start.last[1 - mover]):
            if start.raw[1 - mover][i] != WALL:
                left[start.raw[1 - mover][i] >> 3] += start.raw[1 - mover][i] & 7
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
        if not d.safe:
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


cdef inline int expand(Search *s, const Node *n, Child *children, bint *five) noexcept nogil:
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
