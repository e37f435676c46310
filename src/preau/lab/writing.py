"""Writing a data set: games are played as in the arena, and every part of them becomes a file of each table.

A part takes its name when it is whole. A run that was stopped goes on with the first part that is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..arena import Plan, Played
from ..arena.cluster import import_ray
from ..arena.engine import engine
from ..arena.journal import refuse_other
from ..arena.summary import part_of_win, rank_of
from ..core.errors import DataError, SetupError
from ..core.registry import find_game
from ..core.state import Json
from .dataset import ABOUT, FORMAT, META, TABLES, part_path, read_part
from .decisions import Clerks, Decisions
from .folders import FIELD, as_json, draft, held, read_json, save
from .needs import need
from .plans import watched

PART = 100
"""How many games are in a part, if nothing else is said."""
MOST_PART = 100_000


class Written(NamedTuple):
    """What came of a run: how many games there are now, how many were there before, and whether that is all."""

    games: int
    before: int
    decisions: int
    whole: bool


def write_dataset(
    plan: Plan,
    games: int,
    out: Path,
    *,
    values: bool = False,
    part: int = PART,
    workers: int = 0,
    ray: str = "",
    fresh: bool = False,
    command: str = "",
    watch: Callable[[int], None] = lambda done: None,
) -> Written:
    """Play the first `games` games of a plan, rounded up to whole deals, and write them into the folder `out`.

    `values` also writes what bots that search thought of every legal action. `part` games go into each file. Ctrl-C
    ends the run; what is whole stays, and the same call goes on from there unless `fresh`.
    """
    arrow = _Arrow()
    if not 1 <= part <= MOST_PART:
        raise SetupError(f"{part} is no number of games", field="--part", hint=f"It takes 1 to {MOST_PART}.")
    if ray:
        import_ray()
    games, part = plan.whole(games), plan.whole(part)
    about = describe(plan, values, part, command)
    with held(out):
        _take_over(out, about, fresh)
        parts = list(_parts(games, part))
        there = [_there(out, number, about["identity"]) for number in range(len(parts))]
        missing = [number for number, numbers in enumerate(parts) if there[number] < len(numbers)]
        before = sum(min(there[number], len(numbers)) for number, numbers in enumerate(parts) if number not in missing)
        watch(before)
        left = [index for number in missing for index in parts[number]]
        whole, done, decisions, waiting = True, before, 0, dict[int, list[Played]]()
        try:
            with watched(plan, left, Clerks(values), workers, ray) as played:
                for game in played:
                    number = game.index // part
                    waiting.setdefault(number, []).append(game)
                    decisions += game.decisions
                    done += 1
                    if len(waiting[number]) == len(parts[number]):
                        arrow.write(out, number, sorted(waiting.pop(number), key=lambda one: one.index), about)
                    watch(done)
        except KeyboardInterrupt:
            whole = False
        kept = done - sum(len(some) for some in waiting.values())
    return Written(kept, before, decisions, whole)


def describe(plan: Plan, values: bool, part: int, command: str) -> Json:
    """What `dataset.json` says: what the games were, what the numbers mean, and where they come from."""
    game = find_game(plan.game)
    start = game.start(plan.seats, plan.options, seed=0)
    layout = game.layout(start)
    described: Json = {
        "format": FORMAT,
        "title": game.titles["en"],
        "command": command,
        "identity": plan.to_json() | {"engine": engine(plan.game), "values": values, "part": part},
        "provenance": {
            "data": "made by the command above with the engine named in identity; nothing of it comes from people",
            "rules": game.provenance(),
            "licence": "MIT, as Préau",
        },
        "observation": [
            {"name": piece.name, "shape": list(piece.shape), "start": piece.start, "unit": piece.unit}
            for piece in layout.pieces
        ],
        "numbers": layout.size,
        "actions": [action.text for action in game.actions(start.options)],
        "tables": TABLES,
    }
    plain: Json = json.loads(json.dumps(described))
    return plain


def _take_over(out: Path, about: Json, fresh: bool) -> None:
    """Make sure that the folder is new, or holds parts of this very data set."""
    path = out / ABOUT
    found = read_json(path, FORMAT, "data set")
    if found is None:
        strange = sorted(one.name for one in out.iterdir() if not one.name.startswith("."))
        if strange:
            raise DataError(
                f"{out} holds other things ({', '.join(strange[:3])})", field=FIELD, hint="Name an empty folder."
            )
    elif fresh:
        for old in sorted(out.glob("*/part-*.parquet")):
            old.unlink()
    else:
        refuse_other(out, found["identity"], about["identity"], FIELD)
        return
    save(path, as_json(about))


def _parts(games: int, part: int) -> Iterator[range]:
    for first in range(0, games, part):
        yield range(first, min(games, first + part))


def _there(out: Path, number: int, identity: Json) -> int:
    """How many games of a part are there already. The table of games is written last."""
    if not part_path(out, "games", number).exists():
        return 0
    counts = {table: read_part(part_path(out, table, number), identity).metadata.num_rows for table in TABLES}
    return int(counts["games"])


class _Arrow:
    """What turns games into files."""

    def __init__(self) -> None:
        self._np = need("numpy")
        self._pa = need("pyarrow")
        self._parquet = need("pyarrow.parquet")

    def write(self, out: Path, number: int, games: list[Played], about: Json) -> None:
        """Write a part, the table of games last: then it counts."""
        meta = {META: json.dumps({"format": FORMAT, "part": number, "identity": about["identity"]}, sort_keys=True)}
        tables = {
            "decisions": self._decisions(games, about["numbers"]),
            "outcomes": self._outcomes(games),
            "games": self._games(games),
        }
        part_path(out, "games", number).unlink(missing_ok=True)  # a shorter one, of a run that wanted fewer
        for name, table in tables.items():
            with draft(part_path(out, name, number)) as made:
                self._parquet.write_table(table.replace_schema_metadata(meta), made, compression="zstd")

    def _decisions(self, games: list[Played], numbers: int) -> Any:
        pa, np = self._pa, self._np
        found: list[Decisions] = [game.seen for game in games]
        of_game = np.repeat([game.index for game in games], [len(one.steps) for one in found])
        many = np.concatenate([np.frombuffer(one.many, dtype=np.int32) for one in found])
        ends = np.concatenate([[0], np.cumsum(many)])
        rows = len(many)
        columns = {
            "game": pa.array(of_game, pa.int32()),
            "step": self._flat(found, "steps", pa.int32()),
            "seat": self._flat(found, "seats", pa.uint8()),
            "observation": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(numbers), rows, [None, pa.py_buffer(b"".join(one.observations for one in found))]
            ),
            "legal": pa.ListArray.from_arrays(pa.array(ends, pa.int32()), self._flat(found, "legal", pa.uint16())),
            "action": self._flat(found, "actions", pa.uint16()),
        }
        if any(len(one.thought) for one in found):
            thought = np.concatenate([np.frombuffer(one.thought, dtype=np.uint8) for one in found]).astype(bool)
            ends = np.concatenate([[0], np.cumsum(np.where(thought, many, 0))]).astype(np.int32)
            for name, kind in (("values", pa.float32()), ("visits", pa.uint32())):
                columns[name] = pa.ListArray.from_arrays(
                    pa.array(ends, pa.int32()), self._flat(found, name, kind), mask=pa.array(~thought)
                )
        return pa.table(columns)

    def _flat(self, found: list[Decisions], name: str, kind: Any) -> Any:
        """A column of all games, one after another."""
        arrays = [getattr(one, name) for one in found]
        numbers = self._np.concatenate([self._np.frombuffer(one, dtype=one.typecode) for one in arrays])
        return self._pa.array(numbers).cast(kind)

    def _games(self, games: list[Played]) -> Any:
        pa = self._pa
        return pa.table(
            {
                "game": pa.array([one.index for one in games], pa.int32()),
                "deal": pa.array([one.deal for one in games], pa.int32()),
                "deal_seed": pa.array([one.deal_seed for one in games], pa.int64()),
                "seed": pa.array([one.seed for one in games], pa.int64()),
                "bots": pa.array([list(one.names) for one in games], pa.list_(pa.string())),
                "options": pa.array([_text(one.seen.options) for one in games], pa.string()),
                "decisions": pa.array([one.decisions for one in games], pa.int32()),
                "ending": pa.array([one.reason for one in games], pa.string()),
                "moves": pa.array([one.moves for one in games], pa.string()),
            }
        )

    def _outcomes(self, games: list[Played]) -> Any:
        pa = self._pa
        rows = [(game, seat) for game in games for seat in range(len(game.names))]
        return pa.table(
            {
                "game": pa.array([game.index for game, _ in rows], pa.int32()),
                "seat": pa.array([seat for _, seat in rows], pa.uint8()),
                "bot": pa.array([game.names[seat] for game, seat in rows], pa.string()),
                "score": pa.array([game.scores[seat] for game, seat in rows], pa.int32()),
                "rank": pa.array([rank_of(game, seat) for game, seat in rows], pa.float32()),
                "won": pa.array([part_of_win(game, [seat]) for game, seat in rows], pa.float32()),
            }
        )


def _text(options: Any) -> str:
    return json.dumps(options, ensure_ascii=False, sort_keys=True)
