"""What runs in the worker processes: an ask of a game's face. Does not import the web framework."""
from __future__ import annotations

from typing import Any

from exactplay.questions import face_of
from exactplay.questions.answers import answered
from exactplay.questions.asks import asks_of
from exactplay.questions.face import Report
from exactplay.web.worker import Data, Tell


def answer(tell: Tell, *, game: str, ask: str, position: Any, options: Data) -> Data:
    """The answer of an ask about a position (None: about none), as its command prints it with ``--json``."""
    face = face_of(game)

    def hear(report: Report) -> None:
        total = {} if report.total is None else {"total": report.total}
        tell.progress(**report.counts, **total)
        if report.partial is not None:
            tell.partial(answered(face, position, report.partial, options.get("objective", face.objectives[0])).data)

    about = () if position is None else (position,)
    data: Data = asks_of(face)[ask].answer(*about, hear, **options).data
    return data
