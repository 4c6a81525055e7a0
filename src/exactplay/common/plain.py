"""Plain data as JSON: one reader, one writer."""
from __future__ import annotations

import json
from typing import Any

from exactplay.common.errors import BadText, quoted


def read_json(text: str) -> Any:
    """Any JSON value; raises :class:`BadText`."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise BadText(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise BadText("not JSON that can be read: it is nested too deeply") from None
    except BadText:
        raise
    except ValueError:
        raise BadText("not JSON that can be read: a number is too long") from None


def read_object(text: str) -> dict[str, Any]:
    """One JSON object; raises :class:`BadText`."""
    data = read_json(text)
    if not isinstance(data, dict):
        raise BadText(f"a question is a JSON object, not {type(data).__name__}")
    return data


def to_line(data: Any) -> str:
    """One line of JSON in ASCII, which every stream can carry."""
    return json.dumps(data, allow_nan=False)


def _refuse(name: str) -> Any:
    raise BadText(f"not JSON: {quoted(name)} is no number of JSON")
