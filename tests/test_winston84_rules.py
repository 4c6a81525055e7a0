"""Winston: Nineteen Eighty-Four: what the rules' modules offer, word for word, beside the cases of test_winston84."""
from __future__ import annotations

from types import ModuleType

from exactplay.rules import winston84


def test_the_package_offers_what_it_imports() -> None:
    offered = {
        name for name, value in vars(winston84).items() if not (name.startswith("_") or isinstance(value, ModuleType))
    }
    assert set(winston84.__all__) == offered
