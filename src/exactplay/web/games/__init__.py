"""The API under each page, one module a game: reads the question, asks, sends the answer of ``exactplay.questions``."""
