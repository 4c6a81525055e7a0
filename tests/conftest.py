"""Profiles of hypothesis; and tests keep out of the user's own folders."""
from __future__ import annotations

import os
import signal
import tempfile

from hypothesis import HealthCheck, settings

settings.register_profile("exactplay-dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# On CI the same examples every time: a red run is a reason to look at the change.
settings.register_profile("exactplay-ci", parent=settings.get_profile("exactplay-dev"), derandomize=True)
settings.load_profile("exactplay-ci" if os.environ.get("CI") else "exactplay-dev")

# Set before anything is imported, and for every process that a test starts. The folder outlives the run: compiled
# structures of rare options are kept in it as they would be for a user.
_HOME = os.path.join(tempfile.gettempdir(), "exactplay-tests")  # noqa: PTH118
os.environ["XDG_CACHE_HOME"] = os.path.join(_HOME, "cache")  # noqa: PTH118
os.environ["XDG_STATE_HOME"] = os.path.join(_HOME, "state")  # noqa: PTH118

# A shell that starts the tests in the background lets them ignore Ctrl-C, and every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.tools.browser"]
