"""Walk the Dogs: the best ways to add dogs to a line."""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from exactplay.cython_core.walk_the_dogs.position cimport (
    BUFFER, MAX_MOVES, PLAY, Game, Line, add_ways, end_group, line_points, line_put, placed,
)


def best_additions(bytes line, bytes dogs, bint any_order):
    """The best lines that one card's dogs (up to three) can make: points, the lines, whether five in a row is possible.

    Five in a row is best whatever the points.
    """
    cdef Game game
    cdef Line *grown
    cdef uint8_t taken[3]
    cdef int moves[MAX_MOVES]
    cdef int i, k, code, count, own, run, best = -1
    cdef bint five = False
    if len(dogs) > 3 or len(line) > 63:
        raise ValueError("one card gives at most three dogs, and a line has at most 63")
    memset(&game, 0, sizeof(Game))
    game.any_order = any_order
    grown = &game.lines[0]
    grown.front = BUFFER // 2
    for dog in line:
        line_put(grown, dog, False)
    for i in range(len(dogs)):
        taken[i] = dogs[i]
    count = add_ways(&game, PLAY, 0, 0, False, taken, len(dogs), moves, 0) if dogs else 0
    if not dogs:
        moves[0] = 0
        count = 1
    lines = []
    for i in range(count):
        code = moves[i]
        made = bytes([placed(grown, code, k) for k in range(grown.length + len(dogs))])
        game.lines[1].front = BUFFER // 2
        game.lines[1].length = 0
        for dog in made:
            line_put(&game.lines[1], dog, False)
        own = line_points(&game.lines[1], &run)
        if run >= 5:
            five = True
        # Points of a line stay below 100000.
        own += 100000 * (run >= 5)
        if own > best:
            best = own
            lines = []
        if own == best:
            lines.append(made)
    return best % 100000, lines, five


cdef int most_in_order(const uint8_t *dogs, int number, int *end_dog, int *end_size, bint single) noexcept nogil:
    """The most points that dogs added in order can bring; ends are (dog, size) of front and back."""
    cdef int best[2][8][10][8][10]
    cdef int i, a, b, c, e, now = 0, gain, dog, value, total = 0
    cdef int fixed = 0
    # As long as the line is one group, dogs of its breed have one place; the first other makes two ends.
    while fixed < number and single and (end_size[0] == 0 or dogs[fixed] == end_dog[0]):
        end_dog[0] = dogs[fixed]
        end_size[0] += 1
        total += 2 * end_size[0] - 1
        fixed += 1
    if fixed == number:
        return total
    for a in range(8):
        for b in range(10):
            for c in range(8):
                for e in range(10):
                    best[0][a][b][c][e] = -1
    if single:
        best[0][dogs[fixed]][1][end_dog[0]][end_size[0]] = total + 1
        fixed += 1
    else:
        best[0][end_dog[0]][end_size[0]][end_dog[1]][end_size[1]] = 0
    for i in range(fixed, number):
        dog = dogs[i]
        for a in range(8):
            for b in range(10):
                for c in range(8):
                    for e in range(10):
                        best[1 - now][a][b][c][e] = -1
        for a in range(7):
            for b in range(1, 10):
                for c in range(7):
                    for e in range(1, 10):
                        value = best[now][a][b][c][e]
                        if value < 0:
                            continue
                        gain = 2 * b + 1 if a == dog else 1
                        if value + gain > best[1 - now][dog][b + 1 if a == dog else 1][c][e]:
                            best[1 - now][dog][b + 1 if a == dog else 1][c][e] = value + gain
                        gain = 2 * e + 1 if c == dog else 1
                        if value + gain > best[1 - now][a][b][dog][e + 1 if c == dog else 1]:
                            best[1 - now][a][b][dog][e + 1 if c == dog else 1] = value + gain
        now = 1 - now
    total = 0
    for a in range(7):
        for b in range(1, 10):
            for c in range(7):
                for e in range(1, 10):
                    if best[now][a][b][c][e] > total:
                        total = best[now][a][b][c][e]
    return total


def most_points(bytes line, bytes dogs, bint any_order):
    """The most points of a line after adding all the dogs, any number of them; at most nine of a breed altogether.

    In any order, all dogs of a breed stand best together: as a group of their own, or with the larger end group of
    their breed (the squares make a split worse). In the order given, the two end groups are all that counts of the
    past: dynamic programming over them.
    """
    cdef Line held
    cdef int run, i, size, best, total
    cdef int counts[7]
    cdef int end_dog[2]
    cdef int end_size[2]
    cdef uint8_t given[64]
    for i in range(7):
        counts[i] = 0
        if line.count(i) + dogs.count(i) > 9:
            raise ValueError("there are at most nine dogs of a breed")
    held.front = BUFFER // 2
    held.length = 0
    for dog in line:
        line_put(&held, dog, False)
    for i in range(len(dogs)):
        given[i] = dogs[i]
        counts[given[i]] += 1
    total = line_points(&held, &run)
    for i in range(2):
        end_size[i] = end_group(&held, i)
        end_dog[i] = held.dogs[held.front + (held.length - 1 if i else 0)] if held.length else 0
    if not any_order:
        return total + most_in_order(given, len(dogs), end_dog, end_size, end_size[0] == held.length)
    for i in range(7):
        best = counts[i] * counts[i]
        for run in range(2):
            size = end_size[run]
            if size and end_dog[run] == i and counts[i] * (counts[i] + 2 * size) > best:
                best = counts[i] * (counts[i] + 2 * size)
        total += best
    return total
