"""A bot that looks for the true position everywhere it can think of does not find it.

The cheat is a bot from a file, so it runs in a process of its own. It goes through everything it is handed, all frames
of all threads, everything the garbage collector knows, all loaded modules, what its process inherited, and it plays on
what its sampler gives. The secret it looks for is a deal that no list of seeds gives back.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from random import Random
from typing import Any

import pytest

from preau.bots import BotMatch, Seen, make_bot
from preau.core import Match
from preau.core.registry import find_game
from tests.core import auction

CHEAT = '''
import gc, json, os, sys, threading
from pathlib import Path

from preau.bots import Bot, BotMatch
from preau.core import Match, Record, State


class Cheat(Bot):
    """Writes down what it finds and plays its first action."""

    def choose(self, seen):
        start = [seen, self, *sys._current_frames().values(), *threading.enumerate(), sys.modules]
        frame = sys._getframe()
        while frame is not None:
            start += [frame, frame.f_locals, frame.f_globals]
            frame = frame.f_back
        reached = _everything(start + gc.get_objects())
        found = {
            "objects": len(reached),
            "states": [json.dumps(_whole(one), sort_keys=True) for one in reached if issubclass(type(one), State)],
            "matches": sum(issubclass(type(one), (BotMatch, Match, Record)) for one in reached),
            "texts": sorted(set(one for one in reached if type(one) is str and "SECRET" in one)),
            "environment": sorted(os.environ),
            "arguments": sys.argv[1:],
            "files": _open_files(),
        }
        with Path(__file__).with_suffix(".found").open("a") as out:
            out.write(json.dumps(found) + "\\n")
        return seen.legal[0]


def _whole(state):
    try:
        return state.to_json()
    except Exception as error:
        return repr(error)


def _everything(start):
    """Return all objects that can be reached from these, by any way Python knows.

    The module _asyncio is asked for its names only. Until Python 3.12.6 its referents include freed objects that it
    will hand out again, and a reference to one of them leads to a double free (CPython issue 122695).
    """
    known, waiting = {}, list(start)
    while waiting:
        one = waiting.pop()
        if id(one) in known:
            continue
        known[id(one)] = one
        is_asyncio = type(one) is type(sys) and one.__name__ == "_asyncio"
        waiting += [vars(one)] if is_asyncio else gc.get_referents(one)
    return list(known.values())


def _open_files():
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return []
    names = []
    for number in folder.iterdir():
        try:
            if int(number.name) > 2:
                names.append(os.readlink(number))
        except OSError:
            pass
    return [name for name in names if name.startswith("/") and not name.startswith(("/dev", "/proc"))]
'''


@pytest.fixture
def cheat(tmp_path):
    path = tmp_path / "cheat.py"
    path.write_text(CHEAT, encoding="utf-8")
    return path


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_a_cheat_finds_no_true_position(game, cheat, monkeypatch):
    monkeypatch.setenv("PREAU_SECRET", "SECRET in the environment")
    match = Match.new(find_game(game), 3, {}, secrets.randbits(64))
    match.record.meta["note"] = "SECRET in the record"
    bot = make_bot(f"{cheat}:Cheat")
    table = BotMatch(match, {0: bot, 1: make_bot("random"), 2: make_bot("random")}, secrets.randbits(64))
    truths: list[str] = []
    while len(truths) < 3 and not match.over:
        if match.to_act[0] == 0:
            truths.append(json.dumps(match.state.to_json(), sort_keys=True))
        table.step()
    table.close()
    found = [json.loads(line) for line in cheat.with_suffix(".found").read_text(encoding="utf-8").splitlines()]
    assert len(found) == len(truths) >= 1
    for look, truth in zip(found, truths, strict=True):
        assert look["objects"] > 10_000, "it looked at next to nothing"
        assert truth not in look["states"]
        assert look["states"] == []
        assert look["matches"] == 0
        assert [text for text in look["texts"] if text.startswith("SECRET in")] == []
        assert "PREAU_SECRET" not in look["environment"]
        assert [word for word in look["arguments"] if word not in (str(cheat), "Cheat")] == []
        assert [name for name in look["files"] if not name.endswith((".found", ".so"))] == []


def loaded(cheat) -> dict[str, Any]:
    """Run the file of the cheat in this process and return its names."""
    names: dict[str, Any] = {"__file__": str(cheat), "__name__": "cheat"}
    exec(compile(CHEAT, str(cheat), "exec"), names)
    return names


def test_the_search_does_not_touch_freed_objects_of_asyncio(cheat):
    """With Python 3.12.1 it did, and the process crashed or hung many tests later."""

    async def wait() -> None:
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, None)
        await future

    async def wait_often() -> None:
        await asyncio.gather(*(wait() for _ in range(50)))

    asyncio.run(wait_often())
    reached = loaded(cheat)["_everything"]([sys.modules["_asyncio"]])
    assert any(one is asyncio.Future for one in reached)
    assert [one for one in map(type, reached) if one.__name__ == "FutureIter"] == []


def test_what_a_cheat_would_find_if_the_position_were_there(cheat, tmp_path):
    """The same search does find the position where it can be found: in the process of the table."""
    names = loaded(cheat)
    match = Match.new(find_game("bagarre"), 3, {}, 1)
    BotMatch(match, {seat: names["Cheat"]() for seat in range(3)}, 1).step()
    (look,) = [json.loads(line) for line in cheat.with_suffix(".found").read_text(encoding="utf-8").splitlines()]
    assert look["matches"] > 0


@pytest.mark.parametrize("game", ["bagarre", "cour", "recess"])
def test_what_a_bot_is_handed_is_plain_data(game):
    """In one process too: nothing in a `Seen` leads to a position, a match or a table by attributes and items."""
    handed: list[Seen] = []

    class Collector(type(make_bot("easy"))):  # type: ignore[misc]
        wants_events = True

        def choose(self, seen):
            handed.append(seen)
            return seen.legal[0]

    match = Match.new(find_game(game), 3, {}, 3)
    table = BotMatch(match, {seat: Collector("easy") for seat in range(3)}, 3)
    for _ in range(25):
        table.step()
    for seen in handed:
        for data in (seen.view, *seen.events, *seen.history):
            assert _is_plain(data)


def test_two_worlds_that_look_alike_get_the_same_choice():
    """A level's choice depends on nothing but what its seat knows: other seats' secret bids change nothing."""
    game = auction.GAME
    state = game.start(3)
    chosen = []
    for bids in ([1, 2], [4, 0], [0, 3]):
        world = state.copy()
        for seat, bid in zip((1, 2), bids, strict=True):
            world.apply(seat, f"bid {bid}")
        bot = make_bot("normal")
        chosen.append(bot.choose(Seen(game, 0, world.view(0), world.legal(0), (), Random(7))).text)
    assert len(set(chosen)) == 1


def _is_plain(data: Any) -> bool:
    if type(data) is dict:
        return all(type(name) is str and _is_plain(value) for name, value in data.items())
    if type(data) is list:
        return all(_is_plain(value) for value in data)
    return data is None or type(data) in (str, int, float, bool)
