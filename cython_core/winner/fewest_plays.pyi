from typing import final

@final
class FewestPlays:
    def count(self, a: int, b: int) -> int: ...
