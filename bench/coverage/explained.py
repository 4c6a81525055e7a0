"""Why lines of the core are not run by the tests: reason -> file -> the first line of each such block, in full."""
from __future__ import annotations

#: what happens where the system, or a table's limit, has no memory left; the process then ends with one line
_MEMORY = {
    "walk_the_dogs_maxn.pxi": ['raise MemoryError("no memory for a table of positions")'],
    "walk_the_dogs_search.pxi": [
        "s.most_buckets = s.buckets", 'raise MemoryError(f"no memory for a table of {table_bytes} bytes")',
        'raise MemoryError("no memory for the moves of a line of play")',
    ],
    "winkeladvokat.pyx": ["raise MemoryError", "return False", "fine = False", "break"],
    "winkeladvokat_board.pxi": ["raise MemoryError", "return NULL", "return False"],
    "winkeladvokat_dfpn.pyx": [
        "search.stop = NO_MEMORY", "raise MemoryError", "return 0", "return NULL", "c_free(value)",
    ],
    "winkeladvokat_endless.pxi": ["search.stop = NO_MEMORY"],
    "winkeladvokat_ends.pxi": ["search.stop = NO_MEMORY"],
    "winkeladvokat_table.pxi": ["search.most_buckets = old_buckets"],
    "winner.pyx": ["raise MemoryError", "break", "free(s.table)"],
    "winner_duel.pyx": ["raise MemoryError"],
    "winner_moves.pxi": ["list_.failed = 1"],
    "winner_proof.pxi": ["s.failed = 1", "s.failed = s.aborted = 1"],
    "winner_rules.pxi": ["buffer.failed = 1", "return"],
    "winner_search.pxi": ["s.failed = s.aborted = 1", "return 0"],
    "winston84.pyx": [
        "raise MemoryError", 'raise MemoryError("not enough memory for the raw induction")', "self.failed = True",
    ],
    "winston84_advice.pyx": [
        "raise MemoryError", 'raise MemoryError("not enough memory to value a position")', "self.failed = True",
    ],
    "winston84_structure.pyx": [
        "raise MemoryError", 'raise MemoryError("not enough memory to compile the structure of a round")',
        "self.failed = True", "return False", "return 0", "break",
    ],
    "winston_dogs_search.pyx": ['raise MemoryError(f"no memory for a table of {table_bytes} bytes")'],
}
#: what the rules or their readers do not let through; the core does not rely on it
_NEVER = {
    "walk_the_dogs_children.pxi": ["s.stop = 3"],  # a line that was cut too short: asserted never to be
    "walk_the_dogs_game.pxi": ["return 0"],  # no card drawn
    "walk_the_dogs_maxn.pxi": ['raise ValueError("max^n takes up to 15 equal cards in a hand")'],
    "walk_the_dogs_rows.pxi": ["return 0", "s.stop = 3"],
    "walk_the_dogs_search.pxi": [
        "s.stop = 3", 'raise ValueError("a draw is due; play it first")',
        'raise ValueError("the search takes up to 15 equal cards in a hand")',
        'raise RuntimeError("a line was cut too short: a fault of exactplay, please report the position")', "return 0",
    ],
    "winkeladvokat.pyx": ["return True"],  # no move drawn
    "winner_rules.pxi": ["return seat"],  # nobody holds cards
    "winston84.pyx": ["return 0"],  # decisions of dice that are about to be rolled
    "winston84_structure.pyx": ['raise OverflowError("the structure of a round outgrew its 16-bit indices")'],
}
#: what takes larger games, or more luck, than tests have; bench runs them
_RARE = {
    "walk_the_dogs_game.pxi": ["memmove(&line.dogs[(BUFFER - line.length) // 2], &line.dogs[line.front], line.length)"],
    "walk_the_dogs_search.pxi": [
        "alpha = low",
        "value = search(s, &children[j], step_value(low, -change), step_value(beta, -change), ply + 1)",
    ],
    "winkeladvokat_dfpn.pyx": [
        "larger = <Child*>realloc(search.children, 2 * search.children_room * sizeof(Child))", "if larger == NULL:",
        "search.children, search.children_room = larger, 2 * search.children_room",
        "search.stop = SIGNALLED", "raise_pending()",  # Ctrl-C: tests/test_interrupts.py and bench/interrupts.py
    ],
    "winkeladvokat_ends.pxi": ["return found"],  # 24 threats at once
    "winner_dfpn.pxi": ["return -1"],
    "winner_duel.pyx": ["return self.s.made"],  # for bench
    "winner_proof.pxi": ["return False", "return 0"],
    "winston84_structure.pyx": ["return False"],  # two nodes of one 64-bit hash
    "winston_dogs.pyx": ["turn = turn - 1 if turn else last"],  # a seat that skipped within a run of stuck turns
    "winston_dogs_maxn.pyx": [  # more than 4,096 sequences of cards put under the pile, runs of 60 stuck turns
        "return UNNUMBERED", "s.stop = True", "elif stuck_for_ever(p, s.ring):", "return", "return None",
    ],
    "winston_dogs_search.pyx": [
        "return UNNUMBERED", "return not (node.pile & BODY_BITS) and not (has_head(node.pile) & ~node.table)", "break",
        "s.stop = True", "return settle",
    ],
}
#: what depends on the processor
_PROCESSOR = {"winston84_kernel.h": ["return NULL;"]}

EXPLAINED = {"no memory": _MEMORY, "never": _NEVER, "rare": _RARE, "processor": _PROCESSOR}
