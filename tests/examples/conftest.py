"""The game of examples/soleil, installed once."""

from __future__ import annotations

import pytest

from tests.examples.packages import SOLEIL, install


@pytest.fixture(scope="session")
def soleil(tmp_path_factory) -> str:
    """The folder it is installed in."""
    return install(SOLEIL, tmp_path_factory.mktemp("soleil"))
