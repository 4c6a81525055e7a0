"""Long questions, one module a game: what runs in the worker processes."""
