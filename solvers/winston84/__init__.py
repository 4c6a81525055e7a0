"""Winston 1984, solved: the outer table, advice within a round, simulation, trade-off."""
