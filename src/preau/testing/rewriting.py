"""Let pytest say what was compared where an assertion of a check fails, without a line in the author's tests.

Import this before the modules that hold checks. With other test runners it does nothing.
"""

from __future__ import annotations

import sys

CHECKED = ("contents", "helpers", "playing", "positions", "secrets")

if "pytest" in sys.modules:
    sys.modules["pytest"].register_assert_rewrite(*(f"{__package__}.{name}" for name in CHECKED))
