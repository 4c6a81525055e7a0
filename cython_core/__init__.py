"""Storey 2: the same rules, fast. Reached only through :mod:`exactplay.solvers`, which validates; it trusts its caller."""
