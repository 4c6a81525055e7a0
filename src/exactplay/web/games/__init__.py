"""What only one page has: its drawings, own numbers, the course of a game of 1984."""
