"""Reading what any game's question may be written in."""
from __future__ import annotations

import json
from typing import Any

from exactplay.rules.contract import BadText


def read_object(line: str) -> dict[str, Any]:
    """One JSON object from a line; raises :class:`BadText`."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadText(f"not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise BadText("not JSON that can be read: a number is too long or it is nested too deeply") from None
    if not isinstance(data, dict):
        raise BadText(f"a question is a JSON object, not {type(data).__name__}")
    return data
