"""The fast search for two players and one deck, `win` and `score`.

Design. One question, "does side 0 get the threshold or more?", is answered by proof numbers; a value is found by asking it
at several thresholds. A hand is one word of 54 bits, a position two of them and what is on the table. What made it fast, in
the order found (CPU time; see bench/winner.py for what it reaches):
  - one move a class (candidates.pxd); a pass that is forced is not a node;
  - moves ordered by 10 * plays left - 12 * cards played + height, the pass after what gains a play: 10 times faster than
    by plays left alone; at nodes with a refutation the first move refutes in 19 of 20 cases;
  - all children are looked up before the first is searched, their slots fetched ahead, equal children dropped;
  - keys that say no more than the value depends on (make_key): 4.5 times;
  - proof numbers above (descend), depth first with a budget of 50 nodes below: twice as fast on 18 cards a side as
    depth first alone, with first numbers from the fewest plays;
  - first numbers from a small network besides (guess.pxd): 2.7 times on 18 cards a side;
  - 1.5 times by a memo of plays in half the memory, the starts of rows told by one word, and two bodies of what makes the
    children (XP_FLAT_V3_CLONES; these alone 1.1 times).
Tried and left out: proof numbers alone: as fast as depth first alone; depth first with the network's order: slower, for what
wins is not what is shown soonest to win (mixed into the order of plays: a third fewer nodes, each twice as dear); counting the
other side's plays in the order, or a bonus for keeping the lead: 1.2 to 3 times slower; knowledge at one height to reach
carried over to others of the same position: no fewer nodes; positions answering for all others in which the same ranks only
lie higher or lower among the other side's: 20 % fewer nodes, each a third dearer. That the leader surely wins (sure_win)
saves 2 % of the nodes.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.math cimport exp
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from exactplay.cython_core.toolkit.bits cimport xp_clz64, xp_mix64, xp_popcount64, xp_prefetch
from exactplay.cython_core.toolkit.memory cimport xp_table_free, xp_table_new
from exactplay.cython_core.winner.candidates cimport (
    JOKERS, PLAIN, Candidates, DuelMove, DuelRules, FOURS, Place, bound_cards, build_shed, can_answer, in_rows,
    nibbles_with, own_answer, put, put_answers, put_leads,
)
from exactplay.cython_core.winner.fewest_plays cimport PLAYS_BITS, Memo, fewest
from exactplay.cython_core.winner.guess cimport guess, traits_of
from exactplay.cython_core.winner.position cimport (
    ACT_FOURS, ACT_PASS, ACT_PLAY, BOMB, FOURS_INTO_HAND, FOURS_OWN, FOUR_RANK, IS_OVER, JOKER_PAIR, LARGE_BOMB,
    Move, PAIR, PAIR_STRAIGHT, Position, SINGLE, STRAIGHT, STRAIGHT_FLUSH, TRIPLE_STRAIGHT, Table, final_points,
    holders, to_move,
)

cdef extern from *:
    """
    static XP_FLAT_V3_CLONES int wn_expand(void*, const void*, int);
    static XP_FLAT_V3_CLONES void wn_first_numbers(const void*, void*);
    """

build_shed()

cdef uint64_t NO_BUDGET = ~<uint64_t>0

cdef enum:
    POLL = 1 << 12               # nodes between two looks at signals and the caller's clock
    MAX_PLY = 256

cdef struct Child:
    Place at
    uint64_t key[2]
    double pn, dn                # proof and disproof number, of the proof-number search
    int order                    # the lowest is searched first
    bint met                     # whether its numbers rest on a search

cdef struct Slot:
    uint64_t key[2]
    float pn, dn                 # proof and disproof number of the question `asked`; 0: none
    int8_t low, high             # proven bounds of what side 0 gets
    int8_t asked                 # whose pn and dn these are: they guide only
    uint8_t work                 # 0: empty; grows with the size of the tree below

cdef struct Proof:
    DuelRules g
    Memo* memo
    Slot* table
    uint64_t mask, filled
    Candidates list_
    Child* children[MAX_PLY]
    int room[MAX_PLY]
    uint64_t nodes, made, limit, next_poll
    uint64_t budget              # the count of nodes at which a depth-first search gives up
    int score, threshold
    int aborted, failed
    int spent                    # it gave up
    int found                    # the answer that expand() came upon
    uint64_t* sample             # rows of four words, see Solver.watch; NULL: none
    Py_ssize_t sampled, sample_room
    uint64_t chance
    void* callback
    void* raised

cdef uint8_t FOLDED[256]                    # the order of owners within a rank, from both nibbles; 0: nobody's
cdef uint8_t EXACT[256]                     # both nibbles as they are
cdef uint8_t OWNER[256]                     # 1 or 2 where one side holds all cards of the rank, else 0


cdef void build_codes() noexcept:
    """31 codes for orders of owners, 81 for nibbles as they are."""
    cdef int mine, theirs, suit, order, raw
    for mine in range(16):
        for theirs in range(16):
            if mine & theirs:
                continue
            order, raw = 1, 0
            for suit in range(4):
                raw = 3 * raw + ((mine >> suit) & 1) + 2 * ((theirs >> suit) & 1)
                if ((mine | theirs) >> suit) & 1:
                    order = 2 * order + ((theirs >> suit) & 1)
            FOLDED[mine | theirs << 4] = order - 1
            EXACT[mine | theirs << 4] = raw
            OWNER[mine | theirs << 4] = (1 if theirs == 0 else 0) + (2 if mine == 0 else 0)


build_codes()


cdef bint poll(Proof* s) noexcept with gil:
    s.next_poll = s.nodes + POLL
    try:
        PyErr_CheckSignals()
        callback = <object>s.callback
        return callback is not None and callback(s.nodes)
    except BaseException as error:
        (<list>s.raised).append(error)
        return True


cdef inline int penalty(const Proof* s, uint64_t hand, int any_card) noexcept nogil:
    """What the loser of a hand loses."""
    cdef int cards = xp_popcount64(hand)
    if not s.score:
        return 1
    return cards * (3 if not any_card else (2 if cards >= 10 else 1))


cdef void make_key(const Proof* s, const Place* p, uint64_t* key) noexcept nogil:
    """All that the value of a position depends on, and nothing else; exact, nothing is hashed away.

    A rank that some row may use, and the fours while they may take a bomb, keep their place. Any other rank counts only
    by its order: it moves down next to its neighbour, and ranks of one owner side by side are sorted by their numbers of
    cards, except across the height that an answer must reach.
    """
    cdef uint64_t mine = p.hand[0], theirs = p.hand[1], low = 0, high = 0, bound, fixed, index
    cdef int rank, jokers, fours, at = 0, block = 0, block_owner = 0, i, owner, held
    cdef int kind = p.kind, length = p.length, own = p.own, divide = 99, part = 0, slot = 13
    cdef bint steal = False
    cdef uint8_t code[16]
    bound = bound_cards(mine) | bound_cards(theirs)
    fixed = in_rows(mine) | in_rows(theirs)
    if s.g.fours:
        fours = max(xp_popcount64(mine >> 4 & 15), xp_popcount64(theirs >> 4 & 15))
        if fours >= 2 and (kind == BOMB or kind == LARGE_BOMB or nibbles_with(mine, 3) or nibbles_with(theirs, 3)):
            steal = True
            fixed |= 1 << 4
    if kind:
        if steal and (kind == BOMB or kind == LARGE_BOMB):
            divide = p.height + 1               # the bomb may change hands, so its rank counts for both
        elif own < 0 and kind != LARGE_BOMB:
            kind, length = 15, 0                # only what beats every kind will do
        elif kind == STRAIGHT or kind == PAIR_STRAIGHT or kind == TRIPLE_STRAIGHT or kind == STRAIGHT_FLUSH:
            slot = own
        elif own >= 0:
            length = 0
            divide = own >> 2
            if divide < 13 and (kind == SINGLE or kind == PAIR):
                held = xp_popcount64((p.hand[p.turn] >> (4 * divide)) & 15)
                if (own & 3) + (1 if kind == SINGLE else 2) < held:
                    part = (own & 3) + 1
    for i in range(16):
        code[i] = 0
    for rank in range(13):
        index = ((mine >> (4 * rank)) & 15) | ((theirs >> (4 * rank)) & 15) << 4
        if rank == divide:
            # Groups below and above the height to reach are not to be mixed.
            if at < rank and (fixed >> (4 * rank)) & 1:
                at = rank
            slot = at
            block, block_owner = at, 0
        if (fixed >> (4 * rank)) & 1:
            code[rank] = 62 + EXACT[index] if (bound >> (4 * rank)) & 15 else 31 + FOLDED[index]
            at = rank + 1
            block, block_owner = at, 0
        elif index:
            owner = OWNER[index]
            held = xp_popcount64(index)
            if (steal and held >= 3) or (part and rank == divide):
                owner = 0
            if owner == 0 or owner != block_owner:
                block, block_owner = at, owner
            # Insert into the sorted block.
            i = at
            while i > block and code[i - 1] > FOLDED[index]:
                code[i] = code[i - 1]
                i -= 1
            code[i] = FOLDED[index]
            at += 1
    for rank in range(8):
        low |= <uint64_t>code[rank] << (8 * rank)
    for rank in range(8, 13):
        high |= <uint64_t>code[rank] << (8 * (rank - 8))
    jokers = <int>(mine >> 52) | <int>(theirs >> 52) << 2
    # A joker alone is the highest single, whichever it is.
    if jokers == 2 or jokers == 8:
        jokers >>= 1
    high |= <uint64_t>jokers << 40 | <uint64_t>p.turn << 44
    high |= <uint64_t>kind << 45 | <uint64_t>length << 49
    if kind and kind != 15:
        high |= <uint64_t>(slot | part << 4) << 53
    if s.score:
        high |= <uint64_t>1 << 60 | <uint64_t>p.played << 61
    key[0], key[1] = low, high


cdef inline uint64_t base_of(const Proof* s, const uint64_t* key) noexcept nogil:
    return xp_mix64(key[0] + 0x9E3779B97F4A7C15ULL * xp_mix64(key[1])) & s.mask & ~<uint64_t>1


cdef inline Slot* find(const Proof* s, const uint64_t* key) noexcept nogil:
    """The slot of a key, or NULL."""
    cdef Slot* slot = &s.table[base_of(s, key)]
    cdef int i
    for i in range(2):
        if slot[i].key[0] == key[0] and slot[i].key[1] == key[1] and slot[i].work:
            return &slot[i]
    return NULL


cdef inline int probe(const Proof* s, const uint64_t* key) noexcept nogil:
    """1 or 0 where the table knows whether side 0 reaches the threshold, else -1."""
    cdef const Slot* slot = find(s, key)
    if slot != NULL:
        if slot.low >= s.threshold:
            return 1
        if slot.high < s.threshold:
            return 0
    return -1


cdef Slot* claim(Proof* s, const uint64_t* key, uint64_t effort) noexcept nogil:
    """The slot to write a key to. Of its two the second is always taken, the first only by trees as large as the one it
    knows."""
    cdef Slot* slot = &s.table[base_of(s, key)]
    cdef int work = 64 - xp_clz64(effort | 1)
    if slot.work and not (slot.key[0] == key[0] and slot.key[1] == key[1]):
        if slot.work > work or (slot[1].work and slot[1].key[0] == key[0] and slot[1].key[1] == key[1]):
            slot += 1
    if slot.work == 0 or slot.key[0] != key[0] or slot.key[1] != key[1]:
        s.filled += slot.work == 0
        slot.key[0], slot.key[1] = key[0], key[1]
        slot.low, slot.high, slot.work = -127, 127, 1
        slot.pn = slot.dn = 0
    slot.work = max(<int>slot.work, work)
    return slot


cdef inline void store(Proof* s, const uint64_t* key, bint reaches, uint64_t effort) noexcept nogil:
    cdef Slot* slot = claim(s, key, effort)
    if reaches:
        slot.low = max(<int>slot.low, s.threshold)
    else:
        slot.high = min(<int>slot.high, s.threshold - 1)


cdef inline void store_numbers(Proof* s, const Child* c, uint64_t effort) noexcept nogil:
    cdef Slot* slot = claim(s, c.key, effort)
    slot.pn, slot.dn, slot.asked = c.pn, c.dn, s.threshold


cdef inline int static_answer(Proof* s, const Place* p) noexcept nogil:
    """1 or 0 where the hands alone tell whether side 0 reaches the threshold, else -1."""
    cdef int best = penalty(s, p.hand[1], p.played & 2), worst = -penalty(s, p.hand[0], p.played & 1)
    # No later end is better for the winner than one now; the loser's cards only get fewer.
    if worst >= s.threshold:
        return 1
    if best < s.threshold:
        return 0
    return -1


cdef bint sure_win(const Proof* s, uint64_t me, uint64_t opp) noexcept nogil:
    """Whether the leader can go out with leads that nobody can answer, but for the last. True is proven, False is not.

    The hand is taken as its ranks: at most one of them may be beaten (a pair may go with an unbeaten triple). The other
    side then only passes, so that this is also the best score there is.
    """
    cdef uint64_t opp_two, opp_three, one, two, three, four, cards
    cdef int best, losers, rank, lost_pairs, lost_triples, triples, held, fours
    if opp & JOKERS == JOKERS or nibbles_with(opp, 4) or bound_cards(opp):
        return False
    one, two, three, four = nibbles_with(me, 1), nibbles_with(me, 2), nibbles_with(me, 3), nibbles_with(me, 4)
    best = 63 - xp_clz64(opp)
    cards = me & PLAIN & ((one & ~two) * 15)
    if me & JOKERS != JOKERS:
        cards |= me & JOKERS
    losers = xp_popcount64(cards & ((<uint64_t>1 << best) - 1))
    if losers > 1:
        return False
    opp_two, opp_three = nibbles_with(opp, 2), nibbles_with(opp, 3)
    lost_pairs = 0
    if opp_two:
        rank = (63 - xp_clz64(opp_two)) >> 2
        cards = two & ~three
        lost_pairs = xp_popcount64(cards & ((<uint64_t>1 << (4 * rank)) - 1))
        if (cards >> (4 * rank)) & 1:
            held = <int>(me >> (4 * rank)) & 15
            lost_pairs += held < (<int>(opp >> (4 * rank)) & 15)
    triples = xp_popcount64(three & ~four)
    fours = xp_popcount64(<uint64_t>(<int>(opp >> (4 * FOUR_RANK)) & 15)) if s.g.fours else 0
    if fours >= 3 and four:
        return False
    lost_triples = 0
    if opp_three:
        rank = (63 - xp_clz64(opp_three)) >> 2
        lost_triples = xp_popcount64(three & ~four & ((<uint64_t>1 << (4 * rank)) - 1))
    # An unbeaten triple takes a lost pair along. Alone it is a bomb, which two fours would take.
    held = min(lost_pairs, triples - lost_triples)
    lost_pairs -= held
    if fours >= 2:
        lost_triples = triples - held
    return losers + lost_pairs + lost_triples <= 1


cdef int apply(Proof* s, const Place* p, const DuelMove* move, int plays, Child* c) noexcept nogil:
    """The position after a move, forced passes skipped. 1 or 0 where it is clear whether side 0 reaches the threshold,
    else -1. `plays`: the plays that the hand of the side to act needs now."""
    cdef int me = p.turn, other = 1 - me, value, reaches
    c.at = p[0]
    s.made += 1
    if move.kind == 0:
        c.at.turn, c.at.kind, c.at.own = other, 0, 0
        c.order = 10 * plays + 20
        if fewest(s.memo, c.at.hand[other], 0) == 1 or sure_win(s, c.at.hand[other], c.at.hand[me]):
            value = penalty(s, c.at.hand[me], c.at.played & (1 << me))
            return (value if other == 0 else -value) >= s.threshold
        return static_answer(s, &c.at)
    c.at.hand[me] ^= move.cards
    c.at.played |= 1 << me
    value = penalty(s, c.at.hand[other], c.at.played & (1 << other))
    if me == 1:
        value = -value
    if c.at.hand[me] == 0:
        return value >= s.threshold
    if move.kind != FOURS:
        c.at.kind, c.at.length, c.at.height, c.at.suit = move.kind, move.length, move.height, move.suit
    c.at.own = own_answer(&s.g, c.at.hand[other], c.at.kind, c.at.length, c.at.height, c.at.suit)
    if move.kind != JOKER_PAIR and can_answer(&s.g, c.at.hand[other], c.at.kind, c.at.own, c.at.length, c.at.height,
                                              c.at.suit):
        c.at.turn = other
    else:
        c.at.kind, c.at.own = 0, 0
    plays = fewest(s.memo, c.at.hand[me], 0)
    # One combination left, and the lead: the hand ends with it.
    if c.at.kind == 0 and (plays == 1 or sure_win(s, c.at.hand[me], c.at.hand[other])):
        return value >= s.threshold
    c.order = 10 * plays - 12 * xp_popcount64(move.cards) + move.height
    return static_answer(s, &c.at)


cdef int expand "wn_expand" (void* search, const void* place, int ply) noexcept nogil:
    """Make the children of a position that are not settled, each once. Their number, or -1: one of them answers the question
    (s.found)."""
    cdef Proof* s = <Proof*>search
    cdef const Place* p = <const Place*>place
    cdef Child* grown
    cdef Child* c
    cdef int count = 0, i, j, r, plays
    cdef Py_ssize_t m
    cdef bint either = p.turn == 0            # one move that reaches it is enough for side 0
    if p.kind == 0:
        put_leads(&s.g, &s.list_, p.hand[p.turn], p.hand[1 - p.turn])
    else:
        put_answers(&s.g, &s.list_, p.hand[p.turn], p.hand[1 - p.turn], p.kind, p.length, p.height, p.suit)
        put(&s.list_, 0, 0, 0, 0, 0)
    if s.room[ply] < s.list_.count:
        grown = <Child*>realloc(s.children[ply], (s.list_.count + 32) * sizeof(Child))
        if grown == NULL:
            s.failed = 1
        else:
            s.children[ply] = grown
            s.room[ply] = s.list_.count + 32
    if s.failed or s.list_.failed:
        s.failed = s.aborted = 1
        return 0
    cdef Child* children = s.children[ply]
    plays = fewest(s.memo, p.hand[p.turn], 0)
    for m in range(s.list_.count):
        c = &children[count]
        r = apply(s, p, &s.list_.moves[m], plays, c)
        if r == either:
            s.found = r
            return -1
        if r < 0:
            make_key(s, &c.at, c.key)
            xp_prefetch(&s.table[base_of(s, c.key)])
            count += 1
    # What the table knows of any of them comes before the search of the first.
    m = 0
    for i in range(count):
        c = &children[i]
        r = probe(s, c.key)
        if r == either:
            s.found = r
            return -1
        if r < 0:
            for j in range(m):
                if children[j].key[0] == c.key[0] and children[j].key[1] == c.key[1]:
                    break
            else:
                if m != i:
                    children[m] = c[0]
                m += 1
    return m


cdef void settle(Proof* s, const Place* p, const uint64_t* key, bint reaches, uint64_t effort) noexcept nogil:
    """Store an answer; where somebody watches, one in 1,024 of small trees, in 32 or 8 of larger ones, all of 1,000 nodes."""
    cdef uint64_t* row
    store(s, key, reaches, effort)
    if s.sample == NULL or s.sampled == s.sample_room:
        return
    s.chance = s.chance * 6364136223846793005ULL + 1442695040888963407ULL
    if effort < 1000 and (s.chance >> 40) & <uint64_t>(1023 if effort < 20 else (31 if effort < 200 else 7)):
        return
    row = s.sample + 4 * s.sampled
    row[0], row[1] = p.hand[0], p.hand[1]
    row[2] = (<uint64_t>p.turn | <uint64_t>p.kind << 8 | <uint64_t>p.length << 16 | <uint64_t>p.height << 24
              | <uint64_t>p.suit << 32 | <uint64_t>reaches << 40)
    row[3] = effort
    s.sampled += 1


cdef int reach(Proof* s, const Place* p, const uint64_t* key, int ply) noexcept nogil:
    """Whether side 0 reaches the threshold, depth first; no answer where it aborted or spent its budget."""
    cdef uint64_t before = s.nodes
    cdef Child* c
    cdef Child swap
    cdef int count, i, j, r
    cdef bint either = p.turn == 0
    s.nodes += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)) or ply >= MAX_PLY:
        s.aborted = 1
        return 0
    if s.nodes >= s.budget:
        s.spent = 1
        return 0
    count = expand(s, p, ply)
    if s.aborted:
        return 0
    if count < 0:
        store(s, key, s.found, 1)
        return s.found
    cdef Child* children = s.children[ply]
    for i in range(count):
        r = i
        for j in range(i + 1, count):
            if children[j].order < children[r].order:
                r = j
        if r != i:
            swap = children[i]
            children[i] = children[r]
            children[r] = swap
        c = &children[i]
        r = probe(s, c.key) if i else -1      # it may have been met below an earlier move
        if r < 0:
            r = reach(s, &c.at, c.key, ply + 1)
        if s.aborted or s.spent:
            return 0
        if r == either:
            settle(s, p, key, r, s.nodes - before)
            return r
    settle(s, p, key, not either, s.nodes - before)
    return not either


# Depth-first proof-number search: it spreads its effort over all moves of all positions on the way, so that no poor first
# move swallows a search as it does in reach(). 
#
# A position is first tried by reach() with a few nodes: a third of them are settled so. The first numbers of
# those that are not come from how likely a win is. A sum of the numbers of all moves counts what they share again and
# again; but the most difficult move alone forgets how many there are, so the others count a little (OTHERS).
#
# It ends whatever the table forgets: the numbers it goes on with are those of `children`, not the table's. A move is searched
# until its own number is 1.2 times the second least, so more than it was, or reaches the limit of the position, or its other
# number makes the position's reach its limit (SLACK keeps rounding from hiding that). Limits are finite and numbers at least
# 1, so only so many turns go by before the call returns; and no line of play is endless.

cdef enum:
    TRIAL = 50                   # nodes; 50 and 100 alike; 1,000 or none: twice the time of 100 on 18 cards a side

cdef double INFINITE = 1e30
cdef double OTHERS = 0.03        # 0.03 and 0.1 alike; 1 (the sum): three times as much without trials
cdef double PATIENCE = 1.2       # how far a move may grow beyond the second best before that is tried
cdef double SLACK = 1 + 1e-9
cdef double PLAY = 0.4           # log odds: a play that a hand needs less
cdef double LEAD = 0.4           # to lead
cdef double ANSWER = 0.2         # to answer
cdef double GUESS = 0.5          # the network's log odds; alone they find long ways: over 5 times as much time


cdef void first_numbers "wn_first_numbers" (const void* search, void* child) noexcept nogil:
    """Numbers of a position that was not met: the inverse chances of either answer."""
    cdef const Proof* s = <const Proof*>search
    cdef Child* c = <Child*>child
    cdef int plays[2]
    cdef double odds
    plays[0] = fewest(s.memo, c.at.hand[0], 0)
    plays[1] = fewest(s.memo, c.at.hand[1], 0)
    odds = GUESS * guess(&c.at, plays[c.at.turn], plays[1 - c.at.turn]) + (ANSWER if c.at.kind else LEAD)
    odds = exp((odds if c.at.turn == 0 else -odds) + PLAY * (plays[1] - plays[0]))
    c.pn, c.dn = 1 + 1 / odds, 1 + odds


cdef inline void take_numbers(const Proof* s, Child* c) noexcept nogil:
    """Numbers from the table, or first ones."""
    cdef const Slot* slot = find(s, c.key)
    c.met = slot != NULL and slot.pn > 0 and slot.asked == s.threshold
    if c.met:
        c.pn, c.dn = slot.pn, slot.dn
    else:
        first_numbers(s, c)


cdef int descend(Proof* s, Child* at, int ply, double most_pn, double most_dn) noexcept nogil:
    """Search a position until its proof or disproof number reaches a limit: 1 or 0 where side 0's reaching the threshold
    is settled, else -1 with the numbers left in `at` and in the table."""
    cdef uint64_t before = s.nodes
    cdef Place* p = &at.at
    cdef const uint64_t* key = at.key
    cdef bint either = p.turn == 0            # one move that reaches it is enough for side 0
    cdef int count, i, r, best
    cdef Child* children
    cdef Child* c
    # `own`: the number that one move brings down; `other`: the one to which all moves contribute.
    cdef double own, other, hardest, total, least, second
    s.nodes += 1
    if s.nodes >= s.limit or (s.nodes >= s.next_poll and poll(s)) or ply >= MAX_PLY:
        s.aborted = 1
        return -1
    count = expand(s, p, ply)
    if s.aborted:
        return -1
    if count < 0:
        store(s, key, s.found, 1)
        return s.found
    children = s.children[ply]
    for i in range(count):
        take_numbers(s, &children[i])
    while count:
        hardest, total, least, second, best = 0, 0, INFINITE, INFINITE, 0
        for i in range(count):
            c = &children[i]
            if either:
                own, other = c.pn, c.dn
            else:
                own, other = c.dn, c.pn
            total += other
            hardest = max(hardest, other)
            if own < least or (own == least and c.order < children[best].order):
                second, least, best = least, own, i
            elif own < second:
                second = own
        if either:
            at.pn, at.dn = least, hardest + OTHERS * (total - hardest)
        else:
            at.pn, at.dn = hardest + OTHERS * (total - hardest), least
        if at.pn >= most_pn or at.dn >= most_dn:
            store_numbers(s, at, s.nodes - before)
            return -1
        c = &children[best]
        r = probe(s, c.key)                   # it may have been met below another move
        if r < 0 and not c.met:
            c.met = True
            s.budget = s.nodes + TRIAL
            r = reach(s, &c.at, c.key, ply + 1)
            s.budget = NO_BUDGET
            if s.spent:
                s.spent = 0
                store_numbers(s, c, TRIAL)
                continue
        elif r < 0:
            second = PATIENCE * second + 0.01
            if either:
                r = descend(s, c, ply + 1, min(most_pn, second), SLACK * (most_dn - OTHERS * (total - c.dn)))
            else:
                r = descend(s, c, ply + 1, SLACK * (most_pn - OTHERS * (total - c.pn)), min(most_dn, second))
        if s.aborted:
            return -1
        if r == either:
            settle(s, p, key, r, s.nodes - before)
            return r
        if r >= 0:
            count -= 1
            children[best] = children[count]
    settle(s, p, key, not either, s.nodes - before)
    return not either


@cython.final
cdef class ProofSearch:
    """Questions about the positions of one game of two; the table is kept from one to the next.

    Args:
        game: a position in which two seats hold cards: side 0 is the first of them. It names the rules.
        score: count what the loser loses (1 a card, 2 from ten cards on, 3 if he played none); else 1 for a win.
        table_bytes: of the table, which has four entries at the least.

    Not supported, and refused with ValueError: cards that are there twice, fours=into_hand, revolution, an open exchange.
    Two threads may not search with one object at the same time.
    """

    cdef Proof s
    cdef int seats[2]
    cdef bint busy
    cdef uint64_t[:, ::1] rows            # holds the memory that s.sample points into

    def __cinit__(self, Position game, bint score, uint64_t table_bytes):
        cdef uint64_t entries = 4
        cdef const Table* t = &game.t
        cdef int seat, side = 0
        if holders(t) != 2 or t.exchange or t.fours == FOURS_INTO_HAND or t.revolution:
            raise ValueError("two seats hold cards, under rules that the search knows")
        for seat in range(t.players):
            if t.b[seat]:
                raise ValueError("a card is there twice")
            if t.a[seat]:
                self.seats[side] = seat
                side += 1
        self.s.g.fours, self.s.g.tiebreak, self.s.g.bomb_variation = t.fours == FOURS_OWN, t.tiebreak, t.bomb_variation
        self.s.score = score
        while 2 * entries * sizeof(Slot) <= table_bytes:
            entries *= 2
        self.s.mask = entries - 1
        self.s.table = <Slot*>xp_table_new(entries * sizeof(Slot))
        self.s.memo = <Memo*>xp_table_new((1 << PLAYS_BITS) * sizeof(Memo))
        if self.s.table == NULL or self.s.memo == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef int i
        if self.s.table != NULL:
            xp_table_free(self.s.table, (self.s.mask + 1) * sizeof(Slot))
        xp_table_free(self.s.memo, (1 << PLAYS_BITS) * sizeof(Memo))
        free(self.s.list_.moves)
        for i in range(MAX_PLY):
            free(self.s.children[i])

    cdef void place_of(self, const Table* t, Place* p) noexcept nogil:
        cdef const Move* current
        memset(p, 0, sizeof(Place))
        p.hand[0], p.hand[1] = t.a[self.seats[0]], t.a[self.seats[1]]
        p.turn = t.turn == self.seats[1]
        p.played = (t.played >> self.seats[0] & 1) | (t.played >> self.seats[1] & 1) << 1
        if t.depth:
            current = &t.stack[t.depth - 1]
            p.kind, p.length, p.height, p.suit = current.kind, current.length, current.height, current.suit
            p.own = own_answer(&self.s.g, p.hand[p.turn], p.kind, p.length, p.height, p.suit)

    def at_least(self, Position position, int threshold, uint64_t nodes, poll=None) -> bool | None:
        """Whether side 0 gets `threshold` or more: True, False, or None when a limit ended the search.

        Args:
            position: of the same game, later or the same.
            threshold: the question.
            nodes: searched at the most.
            poll: called now and then with the nodes so far; a true answer ends the search.
        """
        cdef Child root
        cdef Place* p = &root.at
        cdef int answer
        cdef Proof* s = &self.s
        cdef bint over = to_move(&position.t) == IS_OVER
        if self.busy:
            raise RuntimeError("this ProofSearch is at work in another thread; give each thread its own")
        memset(&root, 0, sizeof(Child))
        self.place_of(&position.t, p)
        s.threshold, s.limit, s.nodes, s.made = threshold, nodes, 0, 0
        s.next_poll, s.aborted = POLL, 0
        s.budget, s.spent = NO_BUDGET, 0
        raised: list[BaseException] = []
        s.callback, s.raised = <void*>poll, <void*>raised
        if over:
            answer = penalty(s, p.hand[1], p.played & 2) if p.hand[0] == 0 else -penalty(s, p.hand[0], p.played & 1)
            return answer >= threshold
        self.busy = True
        with nogil:
            answer = static_answer(s, p)
            if answer < 0:
                make_key(s, p, root.key)
                answer = probe(s, root.key)
            if answer < 0:
                answer = descend(s, &root, 0, INFINITE, INFINITE)
        self.busy = False
        if s.failed:
            raise MemoryError
        if raised:
            raise raised[0]
        # Numbers beyond all bounds prove nothing.
        return None if s.aborted or answer < 0 else bool(answer)

    def candidates(self, Position position) -> list[tuple[int, int, int]]:
        """The moves that the search tries, one a class, promising ones first: (action, cards, 0) as Position has them."""
        cdef Candidates* moves = &self.s.list_
        cdef Place p
        cdef uint64_t mine
        if self.busy:
            raise RuntimeError("this ProofSearch is at work in another thread; give each thread its own")
        self.place_of(&position.t, &p)
        mine = p.hand[p.turn]
        if p.kind == 0:
            put_leads(&self.s.g, moves, mine, p.hand[1 - p.turn])
        else:
            put_answers(&self.s.g, moves, mine, p.hand[1 - p.turn], p.kind, p.length, p.height, p.suit)
            put(moves, 0, 0, 0, 0, 0)
        if moves.failed:
            raise MemoryError
        found = []
        for i in range(moves.count):
            cards = moves.moves[i].cards
            promise = 10 * fewest(self.s.memo, mine & ~moves.moves[i].cards, 0) - 12 * xp_popcount64(moves.moves[i].cards)
            action = ACT_FOURS if moves.moves[i].kind == FOURS else (ACT_PLAY if moves.moves[i].kind else ACT_PASS)
            found.append((promise, cards, action))
        return [(action, cards, 0) for _, cards, action in sorted(found)]

    def watch(self, uint64_t[:, ::1] rows) -> None:
        """Fill rows of four words with a sample of the positions settled from now on: hand of side 0, of side 1, what else
        there is (packed, for traits()), nodes."""
        self.rows = rows
        self.s.sample, self.s.sampled, self.s.sample_room = &rows[0, 0], 0, rows.shape[0]

    @property
    def watched(self) -> int:
        """The rows filled."""
        return self.s.sampled

    def traits(self, const uint64_t[:, ::1] rows, float[:, ::1] out) -> list[bool]:
        """What the network is told of the positions in `rows`, to `out`; whether the side to act won each."""
        cdef Place p
        cdef Py_ssize_t i
        won = []
        for i in range(rows.shape[0]):
            memset(&p, 0, sizeof(Place))
            p.hand[0], p.hand[1], p.turn, p.kind = rows[i, 0], rows[i, 1], rows[i, 2] & 255, rows[i, 2] >> 8 & 255
            p.length, p.height, p.suit = rows[i, 2] >> 16 & 255, rows[i, 2] >> 24 & 255, rows[i, 2] >> 32 & 255
            if p.kind:
                p.own = own_answer(&self.s.g, p.hand[p.turn], p.kind, p.length, p.height, p.suit)
            traits_of(&p, fewest(self.s.memo, p.hand[p.turn], 0), fewest(self.s.memo, p.hand[1 - p.turn], 0), &out[i, 0])
            won.append(bool(rows[i, 2] >> 40) == (p.turn == 0))
        return won

    @property
    def nodes(self) -> int:
        """Positions searched for the last question."""
        return self.s.nodes

    @property
    def made(self) -> int:
        """Positions made and looked up for the last question, those searched among them."""
        return self.s.made

    @property
    def fill(self) -> float:
        """The part of the table in use, 0 to 1."""
        return self.s.filled / <double>(self.s.mask + 1)
