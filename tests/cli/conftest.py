"""A command line to call, and a small game with secrets to play on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from preau.cli.app import app
from tests.core.auction import GAME as AUCTION
from tests.support import PATIENCE, registered

PLAIN = {"NO_COLOR": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
Run = Callable[..., Any]

TEXTS = {
    "event.bid": "{seat, seat} has bid.",
    "event.sold": "Sold to {seat, seat}.",
    "prompt.bid": "What do you bid?",
    "wait.bid": "Waiting for {seats, seats}.",
    "rule.A1": "Bids come out of the purse.",
    "rule.A2": "The highest bid wins.",
}


@pytest.fixture
def run() -> Run:
    """Run a command in this process; anything but a clean exit fails the test."""

    def call(*words: object, say: str = "", env: dict[str, str] | None = None) -> Any:
        result = CliRunner().invoke(app, [str(word) for word in words], input=say, env=PLAIN | (env or {}))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def shell() -> Run:
    """Run a command in a process of its own."""

    def call(*words: object, say: str | bytes = "", env: dict[str, str] | None = None) -> Any:
        command = [sys.executable, "-m", "preau", *(str(word) for word in words)]
        say = say.encode() if isinstance(say, str) else say
        surroundings = os.environ | PLAIN | (env or {})
        done = subprocess.run(command, input=say, capture_output=True, env=surroundings, timeout=PATIENCE, check=False)
        assert b"Traceback" not in done.stderr
        return done

    return call


@pytest.fixture
def auction(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The id of a game of secret bids, with texts."""
    folder = tmp_path_factory.mktemp("auction")
    (folder / "texts").mkdir()
    for language in ("en", "fr"):
        (folder / "texts" / f"{language}.json").write_text(json.dumps(TEXTS), encoding="utf-8")
    monkeypatch.setattr(AUCTION, "folder", folder, raising=False)
    monkeypatch.delitem(AUCTION.__dict__, "_texts", raising=False)
    with registered(AUCTION):
        yield AUCTION.id
    AUCTION.__dict__.pop("_texts", None)
