"""The page's own unit tests, its types against the server's messages, and the list of its packages."""

from __future__ import annotations

import json

from tools import typescript
from tools.page import LOCK, npm


def test_the_types_are_those_of_the_server():
    """`make format` writes them anew."""
    assert typescript.main(["--check"]) == 0


def test_the_unit_tests_pass():
    assert npm("run", "--silent", "test") == 0


def test_the_packages_are_pinned_for_every_platform():
    """npm leaves out what it did not find on the day, and then refuses its own list."""
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    pinned = {path.rpartition("node_modules/")[2] for path in packages}
    wanted = {
        name
        for one in packages.values()
        for kind in ("dependencies", "optionalDependencies")
        for name in one.get(kind, ())
    }
    assert len(wanted) > 50
    assert wanted - pinned == set()
