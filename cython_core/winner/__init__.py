"""Winner, fast: positions and their moves, and one file a search."""
