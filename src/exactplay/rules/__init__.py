"""Storey 1: what each game is. Pure Python, written to be read against the rulebooks."""
