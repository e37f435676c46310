"""How Hypothesis looks for examples: always the same ones in `make test`, so that no change is blamed for what chance
found; new ones in `make nightly`.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

ANYWHERE = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
"""No test fails because the machine is slow."""
settings.register_profile("fixed", ANYWHERE, derandomize=True)
settings.register_profile("nightly", ANYWHERE)
settings.load_profile("fixed")
