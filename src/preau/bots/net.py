"""A network in a file (ONNX) as a bot.

Such a file takes observations, each a row of floats as `preau.adapters.vector.Games.floats` gives them, and its first
output has a number for every action: of the legal ones the greatest is done. A label in its metadata (`label`) says
which game it plays and what it is to be shown, so that no network is asked about numbers that it does not know.

What it is shown is made from the view of its seat alone: from any position that agrees with it, for all of them look
the same from there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ..core.errors import SetupError
from ..core.game import Game
from ..core.observation import Layout
from ..core.registry import find_game
from ..core.slate import Slate
from ..core.state import Action, Json
from .base import Bot, BotError, Seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

ENDING = ".onnx"
KEY = "preau"
"""Where the label is in the file's metadata."""
FORMAT = "preau-net/1"
MOST_BYTES = 100_000_000
KEPT = 16
"""Files that one process keeps in memory."""
FIELDS = {"format": str, "game": str, "rules": str, "seats": int, "options": dict, "pieces": list, "actions": int}
"""What a label holds."""
WRITTEN = "Train one with examples/learn.py, or label your own: docs/train-a-bot.md says how."


def is_net(spec: str) -> bool:
    """Whether the word for a bot means a network in a file.

    >>> is_net("runs/Mine.ONNX"), is_net("hard")
    (True, False)
    """
    return spec.strip().lower().endswith(ENDING)


def label(game: str | Game, seats: int | None = None, options: Mapping[str, Any] | None = None) -> dict[str, str]:
    """What a file says of a network that learned a game with so many seats and these house rules, for its metadata:
    `onnx.helper.set_model_props(model, label("cour", 4))`.
    """
    found = find_game(game) if isinstance(game, str) else game
    given = dict(options or {})
    start = found.start(seats, given, seed=0)
    about = {"format": FORMAT, "game": found.id, "rules": found.rules_version, "seats": start.seats, "options": given}
    return {KEY: json.dumps({**about, **_numbers(found.layout(start))}, ensure_ascii=False)}


def _numbers(layout: Layout) -> Json:
    """What must be the same for a network to read observations and answer with actions."""
    pieces = [[piece.name, list(piece.shape), piece.unit] for piece in layout.pieces]
    return {"pieces": pieces, "actions": layout.actions}


class NetBot(Bot):
    """A network from a file, in a seat."""

    wants_events = False

    def __init__(self, path: str | Path) -> None:
        self.net = load(path)

    def check(self, game: Game, seats: int, options: Mapping[str, Any]) -> None:
        """Refuse another game than its own, and house rules with which that game has other numbers."""
        self.net.check_game(game)
        self.net.check_layout(game.layout(game.start(seats, dict(options), seed=0)))

    def choose(self, seen: Seen) -> Action:
        """What the network likes best."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        assert seen.view is not None
        self.net.check_game(seen.game)
        likes = self.net.judge(*_observed(seen.game, seen.view, seen.seat))
        best = max(seen.legal, key=lambda action: likes[action.number])
        if likes[best.number] != likes[best.number]:
            raise BotError(f"{self.net.path} gives something that is no number", field="bot", hint=WRITTEN)
        return best

    def __repr__(self) -> str:
        return f"NetBot({self.net.path})"


def observed(game: Game, view: Json, seat: int) -> Floats:
    """What a seat sees as a row of floats: from its view, and so from nothing that it does not know."""
    return _observed(game, view, seat)[1]


def _observed(game: Game, view: Json, seat: int) -> tuple[Layout, Floats]:
    import numpy as np

    state = game.sampler(view).draw(Random(0))
    layout = game.layout(state)
    slate = Slate(1, layout.size)
    state.write(seat, slate)
    row = np.frombuffer(slate.numbers, dtype=np.uint8).astype(np.float32)
    row *= (1 / np.array(layout.units(), dtype=np.float32)).astype(np.float32)
    return layout, row


class Net:
    """A network that was read, with what its label says."""

    def __init__(self, path: Path, session: Any, about: Json) -> None:
        self.path = path
        self.game: str = about["game"]
        self.seats: int = about["seats"]
        """How many seats there were where it learned; it sits down with any number."""
        self.options: Json = about["options"]
        self._about = about
        self._session = session
        self._input: str = session.get_inputs()[0].name
        self._output: str = session.get_outputs()[0].name
        self._fitting: Layout | None = None
        """The layout that was last found to be its own: games hand out the same one again and again."""

    def check_game(self, game: Game) -> None:
        """Refuse another game."""
        if game.id != self.game:
            raise SetupError(
                f"{self.path} plays {self.game}, not {game.id}", field="bot", hint=f"Seat it at a table of {self.game}."
            )
        if game.rules_version != self._about["rules"]:
            raise SetupError(
                f"{self.path} learned {self.game} by its rules {self._about['rules']}, not {game.rules_version}",
                field="bot",
                hint="Train it anew.",
            )

    def check_layout(self, layout: Layout) -> None:
        """Refuse observations that are not laid out as those it learned from."""
        if layout is self._fitting:
            return
        wanted = _numbers(layout)
        if wanted != {name: self._about[name] for name in wanted}:
            rules = ", ".join(f"{name}={value}" for name, value in self.options.items()) or "no house rules"
            raise SetupError(
                f"{self.path} learned from other observations: {_difference(self._about, wanted)}",
                field="bot",
                hint=f"It learned {self.game} with {rules}: play it so, or train it anew.",
            )
        self._fitting = layout

    def judge(self, layout: Layout, row: Floats) -> list[float]:
        """A number for every action."""
        self.check_layout(layout)
        likes: list[float] = self._session.run([self._output], {self._input: row[None, :]})[0][0].tolist()
        return likes


def load(path: str | Path) -> Net:
    """The network in a file, read once. What is no such file is refused: what is wrong, and what would be right."""
    found = Path(path)
    try:
        status = found.stat()
    except OSError:
        raise SetupError(f"there is no file {path}", field="bot", hint=WRITTEN) from None
    return _load(found, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=KEPT)
def _load(path: Path, changed: int, size: int) -> Net:
    """`changed` and `size` tell a file from what was there before under its name."""
    try:
        import onnxruntime
    except ModuleNotFoundError as missing:
        raise SetupError(
            f"a network needs {missing.name}", field="bot", hint="Install it with: pip install 'preau[net]'"
        ) from None
    if size > MOST_BYTES:
        raise _refused(path, f"has {size:,} bytes", f"It takes {MOST_BYTES:,} at most.")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1  # whoever has many bots has many processes
    settings.log_severity_level = 4  # what is wrong is said below
    try:
        session = onnxruntime.InferenceSession(path.read_bytes(), settings, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from None
    except Exception as error:  # the library has a class of its own for every way to fail
        why = " ".join(str(error).split())[:200]
        raise _refused(path, f"is no whole ONNX file: {why}") from None
    about = _read_label(path, session.get_modelmeta().custom_metadata_map.get(KEY))
    _check_ends(path, session, about)
    return Net(path, session, about)


def _read_label(path: Path, text: str | None) -> Json:
    if text is None:
        raise _refused(path, "does not say which game it plays")
    try:
        about: Json = json.loads(text)
        wrong = [name for name, kind in FIELDS.items() if not isinstance(about.get(name), kind)]
    except (ValueError, AttributeError):
        raise _refused(path, "has a label that cannot be read") from None
    if wrong or about["format"] != FORMAT:
        raise _refused(path, f"has a label without the right {wrong[0] if wrong else 'format'}")
    return about


def _check_ends(path: Path, session: Any, about: Json) -> None:
    """Refuse a network that takes or gives something else than its label says."""
    inputs, outputs = session.get_inputs(), session.get_outputs()
    try:
        size = Layout([(name, tuple(shape), unit) for name, shape, unit in about["pieces"]]).size
    except (TypeError, ValueError):
        raise _refused(path, "has a label without the right pieces") from None
    if len(inputs) != 1 or not _takes(inputs[0], size):
        given = ", ".join(f"{one.name} {one.type} {one.shape}" for one in inputs)
        raise _refused(path, f"takes {given}", f"It takes one input, tensor(float) ['rows', {size}].")
    if not _takes(outputs[0], about["actions"]):
        given = f"{outputs[0].name} {outputs[0].type} {outputs[0].shape}"
        raise _refused(path, f"gives {given}", f"Its first output is tensor(float) ['rows', {about['actions']}].")


def _takes(end: Any, width: int) -> bool:
    """Whether an end of a network is for rows of so many floats; one row is enough."""
    if end.type != "tensor(float)" or len(end.shape) != 2:
        return False
    rows, columns = end.shape
    return columns == width and (rows in (1, None) or isinstance(rows, str))


def _difference(told: Json, wanted: Json) -> str:
    """The first thing in which two layouts differ."""
    if told["actions"] != wanted["actions"]:
        return f"{told['actions']} actions, here there are {wanted['actions']}"
    for mine, yours in zip(told["pieces"], wanted["pieces"], strict=False):
        if mine != yours:
            return f"{mine[0]} {mine[1]} by {mine[2]}, here it is {yours[0]} {yours[1]} by {yours[2]}"
    return f"{len(told['pieces'])} pieces, here there are {len(wanted['pieces'])}"


def _refused(path: Path, what: str, hint: str = "") -> SetupError:
    return SetupError(f"{path} {what}", field="bot", hint=hint or WRITTEN)
