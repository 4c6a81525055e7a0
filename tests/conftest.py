"""Profiles of hypothesis and the one fixture of the contract battery."""
from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("exactplay-dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# On CI the same examples every time: a red run is a reason to look at the change.
settings.register_profile("exactplay-ci", parent=settings.get_profile("exactplay-dev"), derandomize=True)
settings.load_profile("exactplay-ci" if os.environ.get("CI") else "exactplay-dev")
