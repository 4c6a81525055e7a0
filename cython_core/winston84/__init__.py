"""Winston 1984, fast: the positions of a round, the compiled structure of all rolls, and what decisions are worth."""
