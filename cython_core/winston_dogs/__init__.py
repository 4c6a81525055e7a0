"""Winston, the dog cards, fast: a position (:mod:`.position`), and its searches for two players and for more."""
