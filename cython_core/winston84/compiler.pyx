"""The compiled structure of a round of Winston 1984: built once for a setting of the options, evaluated for any utility.

Once Green has left the available dice nothing in the round is random, so such a position is worth the maximum of the
utility over the set of results it can still reach: a mask, one bit a result. Before that everything but placing Green is
free choice, and placing Green is a chance node: a weighted multiset of masks. So a roll is worth

    max(max of u over the roll's own mask, max over the roll's chance nodes of the weighted mean of their masks' maxima)

Build: masks by memoised search over canonical codes; chance nodes by running through the faces of their dice; the lists
of the rolls by merging the lists of the positions one decision further. Nodes with equal content are one node. A node is
dropped from a list when that is sound for every utility: all its outcomes lie within the position's own mask, or another
node of the list dominates it through a coupling in which each outcome contains its partner (a transport problem, solved
exactly by augmenting paths).

Output: plain arrays (see ``Compiler``), which are stored in a file and read by kernel.pyx.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_mix64, xp_popcount64
from exactplay.cython_core.toolkit.hashmap cimport xp_map, xp_map_free, xp_map_get, xp_map_init, xp_map_put
from exactplay.cython_core.winston84.position cimport (
    GREEN, MAX_DECISIONS, RESULTS, ROLLED, apply, available, canonical, legal, reach, roll_code, rolled_dice, with_available,
)

import numpy as np

cdef struct Words:              # a growing array
    uint32_t* data
    size_t n, capacity

cdef struct Node:               # a chance node; its outcomes stand in Compiler.outcomes from `start` on
    uint64_t union_mask         # every result that some outcome can reach
    uint32_t start, n
    uint32_t dice               # how many dice are rolled: weights sum to 6 ** dice
    uint32_t strength           # sum of the profile
    uint16_t profile[RESULTS]   # weight of the outcomes that can reach a result, in units of 6 ** -5

cdef struct Choice:             # a position with Green available
    uint64_t mask               # results that can be reached without placing Green
    uint32_t start, n           # its chance nodes, in Compiler.lists

cdef enum:
    NONE = 0x7FFFFFFF
    MAX_FACES = 7776

cdef int[6] POWER6 = [1, 6, 36, 216, 1296, 7776]


cdef inline bint push(Words* words, uint32_t value) noexcept nogil:
    cdef uint32_t* data
    if words.n == words.capacity:
        words.capacity = 2 * words.capacity + 1024
        data = <uint32_t*>realloc(words.data, words.capacity * sizeof(uint32_t))
        if data == NULL:
            return False
        words.data = data
    words.data[words.n] = value
    words.n += 1
    return True


@cython.final
cdef class Compiler:
    """Builds the structure of one setting of the options; ``add_family`` once for each family of rolls.

    options: bit 0 room101_is_placed, bit 1 white_needs_change, bit 2 purple_alone_ok.
    """

    cdef int options
    cdef bint failed                     # out of memory somewhere below
    cdef xp_map reach_of, mask_id, position_of, node_of, node_by_content, dominance
    cdef Words outcomes, lists, stamps, scratch
    cdef uint64_t* masks
    cdef size_t n_masks, masks_capacity
    cdef Node* nodes
    cdef size_t n_nodes, nodes_capacity
    cdef Choice* positions
    cdef size_t n_positions, positions_capacity
    cdef uint32_t stamp
    cdef uint32_t face_masks[MAX_FACES]
    cdef void* block                     # working memory of `coupling`
    cdef size_t block_words

    def __cinit__(self, int options):
        self.options = options
        if not (xp_map_init(&self.reach_of, 18) and xp_map_init(&self.mask_id, 12) and xp_map_init(&self.position_of, 16)
                and xp_map_init(&self.node_of, 14) and xp_map_init(&self.node_by_content, 14) and xp_map_init(&self.dominance, 18)):
            raise MemoryError
        self.mask_index(0)      # the empty mask has index 0; its value is below every utility

    def __dealloc__(self):
        xp_map_free(&self.reach_of)
        xp_map_free(&self.mask_id)
        xp_map_free(&self.position_of)
        xp_map_free(&self.node_of)
        xp_map_free(&self.node_by_content)
        xp_map_free(&self.dominance)
        free(self.outcomes.data)
        free(self.lists.data)
        free(self.stamps.data)
        free(self.scratch.data)
        free(self.masks)
        free(self.nodes)
        free(self.positions)
        free(self.block)

    # ------------------------------------------------------------------ results that can be reached without chance

    cdef uint64_t reach(self, uint64_t code) noexcept nogil:
        """The mask of results of a position in which Green is not available."""
        cdef uint64_t mask = reach(&self.reach_of, code, self.options)
        if mask == 0:
            self.failed = True
        return mask

    cdef uint32_t mask_index(self, uint64_t mask) noexcept nogil:
        cdef uint64_t* known = xp_map_get(&self.mask_id, mask)
        cdef uint64_t* grown
        if known != NULL:
            return <uint32_t>known[0]
        if self.n_masks == self.masks_capacity:
            self.masks_capacity = 2 * self.masks_capacity + 1024
            grown = <uint64_t*>realloc(self.masks, self.masks_capacity * sizeof(uint64_t))
            if grown == NULL:
                self.failed = True
                return 0
            self.masks = grown
        self.masks[self.n_masks] = mask
        if not (xp_map_put(&self.mask_id, mask, self.n_masks) and push(&self.stamps, 0)):
            self.failed = True
        self.n_masks += 1
        return <uint32_t>(self.n_masks - 1)

    # ------------------------------------------------------------------ chance nodes

    cdef uint32_t node(self, uint64_t code) noexcept nogil:
        """The chance node of a position in which dice are about to be rolled."""
        cdef uint64_t key = canonical(code), rest, face_code, hashed
        cdef uint64_t* known = xp_map_get(&self.node_of, key)
        cdef int dice = 0, colour, i, k
        cdef int colours[6]
        cdef uint32_t index, n = 0
        cdef size_t start
        cdef Node* grown
        cdef Node* node
        if known != NULL:
            return <uint32_t>known[0]
        for colour in range(6):
            if available(code, colour) == ROLLED:
                colours[dice] = colour
                dice += 1
        # Weigh the masks of all faces. `stamps` counts, and is zero again at the end.
        for i in range(POWER6[dice]):
            face_code = code
            rest = i
            for k in range(dice):
                face_code = with_available(face_code, colours[k], 1 + <int>(rest % 6))
                rest //= 6
            index = self.mask_index(self.reach(face_code))
            if self.failed:
                return 0
            if self.stamps.data[index] == 0:
                # Large masks first: the coupling below ships the demanding outcomes first.
                self.face_masks[n] = ((63 - xp_popcount64(self.masks[index])) << 19) | index
                n += 1
            self.stamps.data[index] += 1
        qsort(self.face_masks, n, sizeof(uint32_t), compare_words)
        start = self.outcomes.n
        hashed = dice
        for k in range(<int>n):
            index = self.face_masks[k] & 0x7FFFF
            # A weight of 7776 needs 13 bits; a mask index has 19.
            if not push(&self.outcomes, (index << 13) | self.stamps.data[index]):
                self.failed = True
                return 0
            hashed = xp_mix64(hashed ^ self.outcomes.data[start + k]) + 0x9E3779B97F4A7C15ULL
            self.stamps.data[index] = 0
        known = xp_map_get(&self.node_by_content, hashed >> 1)
        if known != NULL and self.same_content(<uint32_t>known[0], start, n, dice):
            self.outcomes.n = start
            index = <uint32_t>known[0]
        else:
            if self.n_nodes == self.nodes_capacity:
                self.nodes_capacity = 2 * self.nodes_capacity + 1024
                grown = <Node*>realloc(self.nodes, self.nodes_capacity * sizeof(Node))
                if grown == NULL:
                    self.failed = True
                    return 0
                self.nodes = grown
            index = <uint32_t>self.n_nodes
            self.n_nodes += 1
            node = &self.nodes[index]
            memset(node, 0, sizeof(Node))
            node.start, node.n, node.dice = <uint32_t>start, n, dice
            self.profile(node)
            if not xp_map_put(&self.node_by_content, hashed >> 1, index):
                self.failed = True
        if not xp_map_put(&self.node_of, key, index):
            self.failed = True
        return index

    cdef bint same_content(self, uint32_t index, size_t start, uint32_t n, int dice) noexcept nogil:
        cdef Node* node = &self.nodes[index]
        cdef uint32_t k
        if node.n != n or <int>node.dice != dice:
            return False
        for k in range(n):
            if self.outcomes.data[node.start + k] != self.outcomes.data[start + k]:
                return False
        return True

    cdef void profile(self, Node* node) noexcept nogil:
        cdef uint32_t k, weight, scale = POWER6[5 - node.dice]
        cdef uint64_t mask
        cdef int r
        for k in range(node.n):
            mask = self.masks[self.outcomes.data[node.start + k] >> 13]
            weight = self.outcomes.data[node.start + k] & 8191
            node.union_mask |= mask
            for r in range(RESULTS):
                if mask >> r & 1:
                    node.profile[r] += weight * scale
                    node.strength += weight * scale

    # ------------------------------------------------------------------ dominance

    cdef bint dominates(self, uint32_t better, uint32_t worse) noexcept nogil:
        """Whether the outcomes of ``worse`` can be coupled with those of ``better`` so that each lies within its partner."""
        cdef Node* b = &self.nodes[better]
        cdef Node* w = &self.nodes[worse]
        cdef uint64_t key = (<uint64_t>better << 32) | worse
        cdef uint64_t* known
        cdef int r
        cdef bint answer
        if w.union_mask & ~b.union_mask:
            return False
        for r in range(RESULTS):
            if w.profile[r] > b.profile[r]:
                return False
        known = xp_map_get(&self.dominance, key)
        if known != NULL:
            return known[0] == 1
        answer = self.coupling(b, w)
        if not xp_map_put(&self.dominance, key, 1 if answer else 0):
            self.failed = True
        return answer

    cdef bint coupling(self, Node* b, Node* w) noexcept nogil:
        """Solve the transport problem exactly, outcome by outcome: a greedy shipment, then augmenting paths for the rest.

        The outcomes stand with large masks first. So the demanding ones are shipped first, each to the least better
        outcome that will do; the greedy shipments nearly always decide, and failure shows early.
        """
        cdef uint32_t nb = b.n, nw = w.n, i, j, k, head, tail, u
        cdef int32_t amount, scale_b = POWER6[5 - b.dice], scale_w = POWER6[5 - w.dice]
        cdef uint64_t mask
        cdef uint32_t* ow = self.outcomes.data + w.start
        cdef uint32_t* ob = self.outcomes.data + b.start
        # One block: masks of better and worse; then supply[nw] demand[nb] parent[nw + nb] queue[nw + nb] flow[nw * nb]
        cdef size_t words = 2 * (<size_t>nw + nb) + 3 * (<size_t>nw + nb) + <size_t>nw * nb
        cdef uint64_t* better
        cdef uint64_t* worse
        cdef int32_t* supply
        cdef int32_t* demand
        cdef int32_t* parent
        cdef int32_t* queue
        cdef int32_t* flow
        if words > self.block_words:
            free(self.block)
            self.block_words = 0
            self.block = malloc(2 * words * sizeof(int32_t))
            if self.block == NULL:
                self.failed = True
                return False
            self.block_words = 2 * words
        better = <uint64_t*>self.block
        worse = better + nb
        supply = <int32_t*>(worse + nw)
        demand = supply + nw
        parent = demand + nb
        queue = parent + nw + nb
        flow = queue + nw + nb
        memset(flow, 0, <size_t>nw * nb * sizeof(int32_t))
        for j in range(nb):
            better[j] = ~self.masks[ob[j] >> 13]
            demand[j] = <int32_t>(ob[j] & 8191) * scale_b
        for i in range(nw):
            worse[i] = self.masks[ow[i] >> 13]
            supply[i] = <int32_t>(ow[i] & 8191) * scale_w
        for i in range(nw):
            mask = worse[i]
            j = nb
            while j and supply[i]:
                j -= 1
                if demand[j] and not mask & better[j]:
                    amount = min(supply[i], demand[j])
                    flow[i * nb + j] = amount
                    supply[i] -= amount
                    demand[j] -= amount
            while supply[i]:
                # Breadth-first from worse outcome i to any better outcome with demand left.
                for k in range(nw + nb):
                    parent[k] = -1
                head, tail = 0, 1
                queue[0] = i
                parent[i] = i
                u = NONE
                while head < tail and u == NONE:
                    k = queue[head]
                    head += 1
                    if k < nw:
                        mask = worse[k]
                        for j in range(nb):
                            if parent[nw + j] < 0 and not mask & better[j]:
                                parent[nw + j] = k
                                if demand[j]:
                                    u = nw + j
                                    break
                                queue[tail] = nw + j
                                tail += 1
                    else:
                        for j in range(nw):
                            if parent[j] < 0 and flow[j * nb + (k - nw)]:
                                parent[j] = k
                                queue[tail] = j
                                tail += 1
                if u == NONE:
                    return False
                amount = min(supply[i], demand[u - nw])
                k = u
                while k != i:
                    if k < nw:      # reached backwards over a shipment that can be taken back
                        amount = min(amount, flow[k * nb + (parent[k] - nw)])
                    k = parent[k]
                k = u
                supply[i] -= amount
                demand[u - nw] -= amount
                while k != i:
                    if k < nw:
                        flow[k * nb + (parent[k] - nw)] -= amount
                    else:
                        flow[parent[k] * nb + (k - nw)] += amount
                    k = parent[k]
        return True

    # ------------------------------------------------------------------ positions with Green available

    cdef uint32_t position(self, uint64_t code) noexcept nogil:
        """The index of the compiled position."""
        cdef uint32_t decisions[MAX_DECISIONS]
        cdef uint32_t child[MAX_DECISIONS]      # a position, or a node for Green
        cdef uint64_t after, mask = 0
        cdef uint64_t* known
        cdef int i, n
        cdef uint32_t k, index
        cdef Choice* grown
        cdef Choice* here
        cdef size_t start
        code = canonical(code)
        known = xp_map_get(&self.position_of, code)
        if known != NULL:
            return <uint32_t>known[0]
        n = legal(code, self.options, decisions)
        for i in range(n):
            after = apply(code, decisions[i], self.options)
            if rolled_dice(after):
                child[i] = self.node(after)
            elif available(after, GREEN):
                child[i] = self.position(after)
                mask |= self.positions[child[i]].mask if not self.failed else 0
            else:
                child[i] = NONE
                mask |= self.reach(after)
            if self.failed:
                return 0
        if n == 0:
            mask = 1
        # All children are known: from here on nothing recurses, so one set of stamps serves.
        while self.scratch.n < self.n_nodes:
            if not push(&self.scratch, 0):
                self.failed = True
                return 0
        self.stamp += 1
        start = self.lists.n
        for i in range(n):
            if child[i] == NONE:
                continue
            if (decisions[i] & 7) == GREEN:
                self.list_node(child[i], mask)
            else:
                here = &self.positions[child[i]]
                for k in range(here.n):
                    self.list_node(self.lists.data[here.start + k], mask)
        self.prune(start)
        if self.n_positions == self.positions_capacity:
            self.positions_capacity = 2 * self.positions_capacity + 1024
            grown = <Choice*>realloc(self.positions, self.positions_capacity * sizeof(Choice))
            if grown == NULL:
                self.failed = True
                return 0
            self.positions = grown
        index = <uint32_t>self.n_positions
        self.n_positions += 1
        here = &self.positions[index]
        here.mask, here.start, here.n = mask, <uint32_t>start, <uint32_t>(self.lists.n - start)
        if not xp_map_put(&self.position_of, code, index):
            self.failed = True
        return index

    cdef void list_node(self, uint32_t index, uint64_t mask) noexcept nogil:
        """Append a node to the list being built, unless it is there or cannot matter."""
        if self.scratch.data[index] == self.stamp or not self.nodes[index].union_mask & ~mask:
            return
        self.scratch.data[index] = self.stamp
        if not push(&self.lists, index):
            self.failed = True

    cdef void prune(self, size_t start) noexcept nogil:
        """Drop the nodes of the list from ``start`` on that another one of it dominates.

        A dominating node has the greater strength, so in falling order of strength each node needs comparing only with
        those already kept. Equal strength means that neither dominates, for equal nodes are one.
        """
        cdef uint32_t* list_ = self.lists.data + start
        cdef size_t n = self.lists.n - start, kept = 0, i, j
        cdef uint32_t index
        for i in range(1, n):           # insertion sort: children come sorted, so this is nearly a merge
            index = list_[i]
            j = i
            while j > 0 and self.nodes[list_[j - 1]].strength < self.nodes[index].strength:
                list_[j] = list_[j - 1]
                j -= 1
            list_[j] = index
        for i in range(n):
            index = list_[i]
            for j in range(kept):
                if self.dominates(list_[j], index):
                    break
            else:
                list_[kept] = index
                kept += 1
        self.lists.n = start + kept

    # ------------------------------------------------------------------ what Python sees

    def add_family(self, int missing):
        """Compile every roll of a family: all six dice (missing = -1), or without the die of a colour.

        Returns a dict of arrays, complete in itself and laid out for one linear pass: masks uint64[m]; node_start
        uint32[k + 1], node_dice uint8[k] and outcomes uint32[...] (mask << 13 | weight) of the chance nodes in use; for
        each row row_mask uint16[n], row_start uint32[n + 1] and entries uint16[...] (nodes), and row_of_roll uint16[n].
        The faces of roll i, in colour order, are the digits of i to the base 6 from the lowest one up.

        Measured: rows in order of their length, so that the loop's end is predicted, and masks in order of their use:
        lists 0.057 -> 0.050, nodes 0.033 -> 0.024 ms a utility vector. Sorting nodes by length brought nothing.
        """
        cdef int64_t n_rolls = 46656 if missing < 0 else 7776, i, j, total = 0
        cdef uint32_t[::1] roll_position = np.empty(n_rolls, np.uint32)
        lengths = np.empty(n_rolls, np.int64)
        cdef int64_t[::1] length = lengths
        cdef Choice* here
        cdef Node* node
        cdef uint32_t k, word
        with nogil:
            for i in range(n_rolls):
                roll_position[i] = self.position(roll_code(i, missing))
                if self.failed:
                    break
                self.mask_index(self.positions[roll_position[i]].mask)
                length[i] = self.positions[roll_position[i]].n
                total += length[i]
                if i & 255 == 255:
                    with gil:
                        PyErr_CheckSignals()
        if self.failed:
            raise MemoryError("not enough memory to compile the structure of a round")

        # Nodes are numbered by their first use in the order of the rolls, masks by their first use in the nodes.
        used_nodes = np.empty(self.n_nodes, np.uint32)
        used_masks = np.empty(self.n_masks, np.uint64)
        cdef uint32_t[::1] node_index = np.full(self.n_nodes, NONE, np.uint32), nodes = used_nodes
        cdef uint32_t[::1] local_mask = np.full(self.n_masks, NONE, np.uint32)
        cdef uint64_t[::1] masks = used_masks
        cdef uint32_t n_nodes = 0, n_masks = 1
        cdef size_t n_outcomes = 0, size = 0
        masks[0] = 0
        local_mask[0] = 0
        for i in range(n_rolls):
            here = &self.positions[roll_position[i]]
            for k in range(here.n):
                word = self.lists.data[here.start + k]
                if node_index[word] == NONE:
                    node_index[word] = n_nodes
                    nodes[n_nodes] = word
                    n_nodes += 1
                    n_outcomes += self.nodes[word].n
        cdef uint32_t[::1] node_start = np.empty(n_nodes + 1, np.uint32)
        cdef uint8_t[::1] node_dice = np.empty(n_nodes, np.uint8)
        cdef uint32_t[::1] outcomes = np.empty(n_outcomes, np.uint32)
        for i in range(n_nodes):
            node = &self.nodes[nodes[i]]
            node_start[i], node_dice[i] = <uint32_t>size, <uint8_t>node.dice
            for k in range(node.n):
                word = self.outcomes.data[node.start + k]
                if local_mask[word >> 13] == NONE:
                    local_mask[word >> 13] = n_masks
                    masks[n_masks] = self.masks[word >> 13]
                    n_masks += 1
                outcomes[size] = (local_mask[word >> 13] << 13) | (word & 8191)
                size += 1
        node_start[n_nodes] = <uint32_t>size

        cdef int64_t[::1] order = np.argsort(lengths, kind="stable")
        cdef uint16_t[::1] row_mask = np.empty(n_rolls, np.uint16)
        cdef uint32_t[::1] row_start = np.empty(n_rolls + 1, np.uint32)
        cdef uint16_t[::1] row_of_roll = np.empty(n_rolls, np.uint16)
        cdef uint16_t[::1] entries = np.empty(total, np.uint16)
        total = 0
        for j in range(n_rolls):
            i = order[j]
            here = &self.positions[roll_position[i]]
            word = self.mask_index(here.mask)
            if local_mask[word] == NONE:
                local_mask[word] = n_masks
                masks[n_masks] = here.mask
                n_masks += 1
            row_of_roll[i], row_mask[j], row_start[j] = <uint16_t>j, <uint16_t>local_mask[word], <uint32_t>total
            for k in range(here.n):
                entries[total] = <uint16_t>node_index[self.lists.data[here.start + k]]
                total += 1
        row_start[n_rolls] = <uint32_t>total
        if n_masks > 65535 or n_nodes > 65535:
            raise OverflowError("the structure of a round outgrew its 16-bit indices")
        return {"masks": used_masks[:n_masks].copy(), "node_start": np.asarray(node_start), "node_dice": np.asarray(node_dice),
                "outcomes": np.asarray(outcomes), "row_mask": np.asarray(row_mask), "row_start": np.asarray(row_start),
                "entries": np.asarray(entries), "row_of_roll": np.asarray(row_of_roll)}

    def tables(self):
        """What the families share, as a dict of arrays.

        masks uint64[m]; node_start uint32[k + 1], node_dice uint8[k], outcomes uint32[...]: mask index << 13 | weight, of
        all chance nodes; node_key uint64[c] (rising) and node_of_key uint32[c]: the node of every canonical position in
        which dice are about to be rolled.
        """
        cdef size_t i
        masks = np.empty(self.n_masks, np.uint64)
        starts = np.empty(self.n_nodes + 1, np.uint32)
        dice = np.empty(self.n_nodes, np.uint8)
        outcomes = np.empty(self.outcomes.n, np.uint32)
        keys = np.empty(self.node_of.count, np.uint64)
        ids = np.empty(self.node_of.count, np.uint32)
        cdef uint64_t[::1] masks_view = masks, keys_view = keys
        cdef uint32_t[::1] starts_view = starts, outcomes_view = outcomes, ids_view = ids
        cdef uint8_t[::1] dice_view = dice
        cdef size_t n = 0
        for i in range(self.n_masks):
            masks_view[i] = self.masks[i]
        for i in range(self.n_nodes):
            starts_view[i] = self.nodes[i].start
            dice_view[i] = <uint8_t>self.nodes[i].dice
        starts_view[self.n_nodes] = <uint32_t>self.outcomes.n
        for i in range(self.outcomes.n):
            outcomes_view[i] = self.outcomes.data[i]
        for i in range(self.node_of.mask + 1):
            if self.node_of.slots[i].key != <uint64_t>-1:
                keys_view[n] = self.node_of.slots[i].key
                ids_view[n] = <uint32_t>self.node_of.slots[i].value
                n += 1
        order = np.argsort(keys)
        return {"masks": masks, "node_start": starts, "node_dice": dice, "outcomes": outcomes,
                "node_key": keys[order], "node_of_key": ids[order]}


cdef int compare_words(const void* a, const void* b) noexcept nogil:
    cdef uint32_t x = (<const uint32_t*>a)[0], y = (<const uint32_t*>b)[0]
    return (x > y) - (x < y)
