"""Reading a data set back: tables as they are, and decisions as arrays.

    from preau.lab.dataset import Dataset

    data = Dataset("recess-hard")
    for batch in data.decisions():
        batch.observations, batch.masks, batch.actions, batch.won

What `preau dataset` writes is a folder: `dataset.json`, which says what everything means, and the tables `decisions`,
`games` and `outcomes`, each in parts (`decisions/part-00000.parquet`), as any reader of Parquet knows them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import DataError, SetupError
from ..core.state import Json
from .folders import read_json
from .needs import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = "preau-dataset/1"
ABOUT = "dataset.json"
META = "preau"
"""The name under which a part says what it is a part of."""
TABLES: dict[str, dict[str, str]] = {
    "decisions": {
        "game": "the number of the game",
        "step": "how many actions went before it in the game's record, those of chance included",
        "seat": "who decides",
        "observation": "what it sees, one byte a number, in the pieces named under observation",
        "legal": "the numbers of the actions it may take, rising",
        "action": "the number of the one it took",
        "values": "with --values: the chance to win that its search gave each; null where it did not search",
        "visits": "with --values: how often its search looked at each of them",
    },
    "games": {
        "game": "its number",
        "deal": "games of one deal have the same luck",
        "deal_seed": "the seed of that luck",
        "seed": "the seed of the bots' own chance",
        "bots": "who sits where",
        "options": "the options in force as JSON, with what was drawn by lot",
        "decisions": "how many there were",
        "ending": "what it ended by",
        "moves": "a checksum of all that was done",
    },
    "outcomes": {
        "game": "the number of the game",
        "seat": "whose",
        "bot": "who sat there; copies of one bot are numbered",
        "score": "its score",
        "rank": "its place from 1; those who share places have their mean",
        "won": "its part of the win: 1, a share, or 0",
    },
}
AT_ONCE = 8192
"""Decisions in a batch, if nothing else is said."""
AGAIN = "Delete it and run the command of the data set again: it makes what is missing."


def part_path(folder: Path, table: str, number: int) -> Path:
    """The file with one part of a table."""
    return folder / table / f"part-{number:05}.parquet"


def read_part(path: Path, identity: Json) -> Any:
    """A part's file, opened, if it is whole and of this data set."""
    parquet, lib = need("pyarrow.parquet"), need("pyarrow.lib")
    try:
        file = parquet.ParquetFile(path)
        said = json.loads((file.schema_arrow.metadata or {})[META.encode()])
    except FileNotFoundError:
        raise DataError(f"{path} is missing", field="data set", hint="Run the command of the data set again.") from None
    except (lib.ArrowException, OSError, KeyError, ValueError):
        raise DataError(f"{path} is cut off, or no part of a data set", field="data set", hint=AGAIN) from None
    if said.get("identity") != identity:
        raise DataError(f"{path} is a part of another data set", field="data set", hint=AGAIN)
    return file


@dataclass(frozen=True)
class Batch:
    """Some decisions as arrays, one a row; all of one part of the data set, in order."""

    games: NDArray[np.int32]
    steps: NDArray[np.int32]
    seats: NDArray[np.uint8]
    observations: NDArray[np.uint8]
    """Whole numbers; `Dataset.floats` divides them by their units, `Dataset.pieces` names them."""
    masks: NDArray[np.bool_]
    actions: NDArray[np.uint16]
    won: NDArray[np.float32]
    """What became of it: the part of the win that the seat that decides had in the end."""
    scores: NDArray[np.int32]
    values: NDArray[np.float32] | None
    """What a search thought of every action; not a number where it is not legal or nobody searched."""
    visits: NDArray[np.uint32] | None

    def __len__(self) -> int:
        return len(self.actions)


class Dataset:
    """A data set in a folder. Everything in it is checked to be there and whole when it is opened.

    >>> from tempfile import TemporaryDirectory
    >>> from preau.lab.plans import plan_for
    >>> from preau.lab.writing import write_dataset
    >>> with TemporaryDirectory() as folder:
    ...     written = write_dataset(plan_for("cour", "greedy", seats=3), 3, Path(folder) / "cour-greedy")
    ...     data = Dataset(Path(folder) / "cour-greedy")
    ...     batch = next(data.decisions())
    >>> data.game, len(batch) == len(batch.observations) == len(batch.masks)
    ('cour', True)
    >>> bool(batch.masks[0, batch.actions[0]])
    True
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        about = read_json(self.folder / ABOUT, FORMAT, "description of a data set")
        if about is None:
            raise DataError(f"there is no data set in {self.folder}", field="folder", hint=f"{ABOUT} is missing.")
        self.about = about
        """What `dataset.json` says."""
        self._np = need("numpy")
        self._parts = len(list((self.folder / "games").glob("part-*.parquet")))
        if not self._parts:
            raise DataError(
                f"no part of the data set in {self.folder} is whole yet",
                field="folder",
                hint="Run its command again: it goes on.",
            )
        for table in TABLES:
            for number in range(self._parts):
                self._part(table, number)
        self.units: NDArray[np.float32] = self._np.concatenate(
            [
                self._np.full(int(self._np.prod(piece["shape"])), piece["unit"], dtype=self._np.float32)
                for piece in about["observation"]
            ]
        )

    @property
    def game(self) -> str:
        """The game's id."""
        return str(self.about["identity"]["game"])

    @property
    def actions(self) -> list[str]:
        """The text of every action number."""
        return list(self.about["actions"])

    def table(self, name: str) -> Any:
        """A whole table: `games`, `outcomes`, or `decisions` if there is memory enough."""
        if name not in TABLES:
            raise SetupError(f"there is no table {name!r}", field="table", hint=f"There are {', '.join(TABLES)}.")
        arrow = need("pyarrow")
        return arrow.concat_tables([self._part(name, number).read() for number in range(self._parts)])

    def decisions(self, at_once: int = AT_ONCE) -> Iterator[Batch]:
        """All decisions in order, so many at a time; of each part what is read fits in memory easily."""
        if at_once < 1:
            raise SetupError(f"{at_once} is no number of decisions", field="at_once", hint="It takes 1 or more.")
        np = self._np
        for number in range(self._parts):
            outcomes = self._part("outcomes", number).read()
            first = int(outcomes["game"][0].as_py())
            seats = int(self.about["identity"]["seats"])
            won, scores = (outcomes[name].to_numpy().reshape(-1, seats) for name in ("won", "score"))
            for rows in self._part("decisions", number).iter_batches(at_once):
                games, seat = (rows.column(name).to_numpy() for name in ("game", "seat"))
                yield self._batch(rows, games, seat, won[games - first, seat], scores[games - first, seat], np)

    def _batch(self, rows: Any, games: Any, seats: Any, won: Any, scores: Any, np: Any) -> Batch:
        count = len(games)
        looks = rows.column("observation")
        width = self.about["numbers"]
        flat = np.frombuffer(looks.buffers()[1], dtype=np.uint8, count=count * width, offset=looks.offset * width)
        legal = rows.column("legal")
        masks = np.zeros((count, len(self.about["actions"])), dtype=bool)
        lengths = np.diff(legal.offsets.to_numpy())
        at = np.repeat(np.arange(count), lengths), legal.flatten().to_numpy()
        masks[at] = True
        values = visits = None
        if "values" in rows.schema.names:
            values = np.full(masks.shape, np.nan, dtype=np.float32)
            visits = np.zeros(masks.shape, dtype=np.uint32)
            there = np.repeat(rows.column("values").is_valid().to_numpy(zero_copy_only=False), lengths)
            where = at[0][there], at[1][there]
            values[where] = rows.column("values").flatten().to_numpy()
            visits[where] = rows.column("visits").flatten().to_numpy()
        steps, actions = (rows.column(name).to_numpy() for name in ("step", "action"))
        return Batch(games, steps, seats, flat.reshape(count, width), masks, actions, won, scores, values, visits)

    def floats(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Observations as numbers of the order of 1: each divided by its unit."""
        return (observations / self.units).astype(self.units.dtype)

    def pieces(self, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The named pieces of observations, one a row, as views into them."""
        found = {}
        for piece in self.about["observation"]:
            size = int(self._np.prod(piece["shape"]))
            part = observations[..., piece["start"] : piece["start"] + size]
            found[piece["name"]] = part.reshape(*observations.shape[:-1], *piece["shape"])
        return found

    def _part(self, table: str, number: int) -> Any:
        return read_part(part_path(self.folder, table, number), self.about["identity"])
