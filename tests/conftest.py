"""Settings for all tests."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.sharing import Shared

# Helper modules hold assertions too. Without this, a failure there would not show the values compared.
pytest.register_assert_rewrite("tests.page", "tests.recess", "tests.server", "tests.table")

# In the background of a shell Ctrl-C is ignored, also by the programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis: always the same examples in `make test`, so that no change is blamed for what chance found; new ones in
# `make nightly`.
ANYWHERE = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
"""No test fails because the machine is slow."""
settings.register_profile("fixed", ANYWHERE, derandomize=True)
settings.register_profile("nightly", ANYWHERE)
settings.load_profile("fixed")


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Shared:
    """Where several processes share the tests."""
    return Shared(config, log)
