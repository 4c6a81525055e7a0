"""The fast search for two players and one deck (`win` and `score`), and the fewest plays of a hand.

Design. One question, "does side 0 get the threshold or more?", is answered by proof numbers; a value is found by asking it
at several thresholds. A hand is one word of 54 bits, a position two of them and what is on the table. What made it fast, in
the order found (CPU time; see bench/winner.py for what it reaches):
  - one move a class (winner_moves.pxi); a pass that is forced is not a node;
  - moves ordered by 10 * plays left - 12 * cards played + height, the pass after what gains a play: 10 times faster than
    by plays left alone; at nodes with a refutation the first move refutes in 19 of 20 cases;
  - all children are looked up before the first is searched, their slots fetched ahead, equal children dropped;
  - keys that say no more than the value depends on (make_key): 4.5 times;
  - proof numbers above (winner_dfpn.pxi), depth first with a budget of 50 nodes below: twice as fast on 18 cards a side as
    depth first alone, with first numbers from the fewest plays;
  - first numbers from a small network besides (winner_guess.pxi): 2.7 times on 18 cards a side;
  - 1.5 times by a memo of plays in half the memory, the starts of rows told by one word, and two bodies of what makes the
    children (WN_CLONES; these alone 1.1 times).
Tried and left out: proof numbers alone: as fast as depth first alone; depth first with the network's order: slower, for what
wins is not what is shown soonest to win (mixed into the order of plays: a third fewer nodes, each twice as dear); counting the
other side's plays in the order, or a bonus for keeping the lead: 1.2 to 3 times slower; knowledge at one height to reach
carried over to others of the same position: no fewer nodes; positions answering for all others in which the same ranks only
lie higher or lower among the other side's: 20 % fewer nodes, each a third dearer. That the leader surely wins (sure_win)
saves 2 % of the nodes.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport exp
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef extern from "bits.h" nogil:
    int xp_ctz64(uint64_t x)
    int xp_clz64(uint64_t x)
    int xp_popcount64(uint64_t x)
    uint64_t xp_mix64(uint64_t x)
    void xp_prefetch(const void* p)

cdef extern from "winner_table.h" nogil:
    void* new_table "wn_new_table" (size_t size)
    void free_table "wn_free_table" (void* table, size_t size)

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define WN_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
    #else
    #define WN_CLONES
    #endif
    static WN_CLONES int wn_expand(void*, const void*, int);
    static WN_CLONES void wn_first_numbers(const void*, void*);
    """

cdef enum:
    SINGLE = 1, PAIR, PAIR_STRAIGHT, TRIPLE_STRAIGHT, FULL_HOUSE, STRAIGHT, BOMB, LARGE_BOMB, STRAIGHT_FLUSH, JOKER_PAIR
    FOUR_RANK = 1

include "winner_plays.pxi"
include "winner_moves.pxi"
include "winner_proof.pxi"
include "winner_guess.pxi"
include "winner_dfpn.pxi"


@cython.final
cdef class Solver:
    """Questions about two-player positions under one set of rules; the table is kept from one to the next.

    Args:
        fours: whether fours make a bomb one's own (else they do nothing).
        tiebreak: whether straights of equal place compare by suit.
        bomb_variation: whether four of a rank beats all but a higher four.
        table_mb: size of the table in MiB; 0: four entries, which hardly help.

    Not supported, and to be refused by the caller: two decks, fours=into_hand, revolution.
    """

    cdef Proof s
    cdef uint64_t[:, ::1] rows            # holds the memory that s.sample points into

    def __cinit__(self, bint fours, bint tiebreak, bint bomb_variation, int table_mb):
        cdef uint64_t entries = 4
        memset(&self.s, 0, sizeof(Proof))
        self.s.g.fours, self.s.g.tiebreak, self.s.g.bomb_variation = fours, tiebreak, bomb_variation
        while 2 * entries * sizeof(Slot) <= <uint64_t>table_mb << 20:
            entries *= 2
        self.s.mask = entries - 1
        self.s.table = <Slot*>new_table(entries * sizeof(Slot))
        self.s.memo = <Memo*>malloc((1 << PLAYS_BITS) * sizeof(Memo))
        if self.s.table == NULL or self.s.memo == NULL:
            raise MemoryError
        memset(self.s.memo, 255, (1 << PLAYS_BITS) * sizeof(Memo))

    def __dealloc__(self):
        cdef int i
        free_table(self.s.table, (self.s.mask + 1) * sizeof(Slot))
        free(self.s.memo)
        free(self.s.list_.moves)
        for i in range(MAX_PLY):
            free(self.s.children[i])

    def clear(self) -> None:
        """Forget everything."""
        # Fresh memory costs only what is used of it.
        free_table(self.s.table, (self.s.mask + 1) * sizeof(Slot))
        self.s.table = <Slot*>new_table((self.s.mask + 1) * sizeof(Slot))
        self.s.filled = 0
        if self.s.table == NULL:
            raise MemoryError

    def at_least(self, uint64_t hand0, uint64_t hand1, int turn, table, int played, bint score, int threshold,
                 uint64_t limit, callback=None) -> bool | None:
        """Whether side 0 gets `threshold` or more: True, False, or None when the limit or the callback ended it.

        Args:
            hand0, hand1: the cards of the sides, neither empty.
            turn: the side to act.
            table: None on lead, else (kind, length, height, suit) of the combination to beat.
            played: a bit for each side that has played a card.
            score: count what the loser loses (1 a card, 2 from ten cards on, 3 if he played none); else 1 for a win.
            threshold: the question.
            limit: nodes at most.
            callback: called now and then with the nodes so far; a true answer ends the search.
        """
        cdef Child root
        cdef Place* p = &root.at
        cdef int answer
        cdef Proof* s = &self.s
        memset(&root, 0, sizeof(Child))
        p.hand[0], p.hand[1], p.turn, p.played = hand0, hand1, turn, played
        if table is not None:
            p.kind, p.length, p.height, p.suit = table
            p.own = own_answer(&s.g, p.hand[turn], p.kind, p.length, p.height, p.suit)
        s.score, s.threshold, s.limit, s.nodes, s.made = score, threshold, limit, 0, 0
        s.next_poll, s.aborted = POLL, 0
        s.budget, s.spent = NO_BUDGET, 0
        raised: list[BaseException] = []
        s.callback, s.raised = <void*>callback, <void*>raised
        with nogil:
            answer = static_answer(s, p)
            if answer < 0:
                make_key(s, p, root.key)
                answer = probe(s, root.key)
            if answer < 0:
                answer = descend(s, &root, 0, INFINITE, INFINITE)
        if s.failed:
            raise MemoryError
        if raised:
            raise raised[0]
        # Numbers beyond all bounds prove nothing.
        return None if s.aborted or answer < 0 else bool(answer)

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

    def candidates(self, uint64_t me, uint64_t other, table) -> list[tuple[int, int]]:
        """The moves that the search tries, one a class: (action, cards); actions 0 play, 1 fours, 2 pass."""
        cdef MoveList* moves = &self.s.list_
        if table is None:
            put_leads(&self.s.g, moves, me, other)
        else:
            put_answers(&self.s.g, moves, me, other, table[0], table[1], table[2], table[3])
            put(moves, 0, 0, 0, 0, 0)
        if moves.failed:
            raise MemoryError
        return [(1 if moves.moves[i].kind == FOURS else (0 if moves.moves[i].kind else 2), moves.moves[i].cards)
                for i in range(moves.count)]

    def fewest_plays(self, uint64_t a, uint64_t b) -> int:
        """The least number of combinations that shed a hand (of up to two decks: b are the cards held twice)."""
        return fewest(self.s.memo, a, b)
