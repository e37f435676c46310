"""From the raw rounds to the figures, the tables, and the figures we want."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from benchmarks.install import ROOT
from benchmarks.ours import STEPS

Round = dict[str, Any]


@dataclass(frozen=True)
class Spread:
    """A median with what it was taken from."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread | None":
        return cls(median(values), min(values), max(values)) if values else None


def middle(spread: Spread | None) -> float | None:
    return spread.median if spread else None


@dataclass(frozen=True)
class Line:
    """One way of driving one game: a row of the table."""

    name: str
    ours: bool
    decisions: Spread
    games: Spread
    decisions_per_game: float
    chance_per_game: float
    legal: float
    forced: float
    inside: Spread | None
    copy_us: Spread | None
    per_work: list[float | None]
    """Decisions per step of the calibration loop, one for each round."""


@dataclass(frozen=True)
class Want:
    """A figure we want, and what this run says about it."""

    text: str
    bound: float
    value: Spread | None
    at_least: bool = True

    def holds(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound

    @property
    def verdict(self) -> str:
        """By the median; and whether all rounds agree with it."""
        if self.value is None:
            return "not measured"
        reached = self.holds(self.value.median)
        agreed = self.holds(self.value.low) == self.holds(self.value.high)
        return ("reached" if reached else "NOT REACHED") + ("" if agreed else ", rounds differ")


@dataclass
class Run:
    """All that one run measured."""

    rounds: dict[str, list[Round | None]] = field(default_factory=dict)
    """By name; ours are called as in 'recess compiled'. None is a failed round."""
    start_up: dict[str, dict[str, Spread]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    failed: bool = False
    """Whether our own engine broke (not: is absent)."""

    def problem(self, text: str) -> None:
        self.problems.append(text.replace(str(ROOT), "."))

    def lines(self) -> list[Line]:
        found: list[Line] = []
        for name, rounds in self.rounds.items():
            for step in ("driven", *STEPS):
                if any(one and step in one for one in rounds):
                    found.append(line(name, step, rounds))
        return found


def rate(counts: Round, what: str) -> float:
    return float(counts[what] / counts["seconds"])


def line(name: str, step: str, rounds: Sequence[Round | None]) -> Line:
    good = [one for one in rounds if one and step in one]
    driven = [one[step] for one in good]
    decisions = Spread.of([rate(d, "decisions") for d in driven])
    games = Spread.of([rate(d, "games") for d in driven])
    assert decisions
    assert games
    played = sum(d["games"] for d in driven)
    return Line(
        name=name if step == "driven" else f"{name} {step}",
        ours=step != "driven",
        decisions=decisions,
        games=games,
        decisions_per_game=sum(d["decisions"] for d in driven) / played,
        chance_per_game=sum(d["chance"] for d in driven) / played,
        legal=median([one["census"]["legal_per_decision"] for one in good]),
        forced=median([one["census"]["forced_share"] for one in good]),
        inside=Spread.of([rate(o["inside"], "games") for o in good if "inside" in o]),
        copy_us=Spread.of([one["copy_us"] for one in good]),
        per_work=[one[step]["decisions"] / one[step]["work"] if one and step in one else None for one in rounds],
    )


def ratio(ours: Line, peer: Line) -> Spread | None:
    """How many times the peer's decisions per second. Compared round by round, each
    side counted in steps of the calibration loop, so that a machine that changes
    speed between two processes does not count."""
    pairs = zip(ours.per_work, peer.per_work, strict=True)
    return Spread.of([a / b for a, b in pairs if a is not None and b is not None])


def wants(run: Run) -> list[Want]:
    """What we want, judged by this run. Absolute figures are judged as measured."""
    lines = {one.name: one for one in run.lines()}

    def speed(name: str) -> Spread | None:
        return lines[name].decisions if name in lines else None

    def times(name: str, peer: str) -> Spread | None:
        if name not in lines or peer not in lines:
            return None
        return ratio(lines[name], lines[peer])

    def start_up(name: str) -> Spread | None:
        found = run.start_up.get(name)
        return found["cpu_ms"] if found else None

    found: list[Want] = []
    for step in STEPS:
        name = f"recess compiled {step}"
        found += [
            Want(f"{name}: decisions/s", 200_000, speed(name)),
            Want(f"{name}: times OpenSpiel chess", 2, times(name, "openspiel-chess")),
            Want(f"{name}: times catanatron", 10, times(name, "catanatron")),
        ]
    for step in STEPS:
        name = f"recess plain {step}"
        found.append(Want(f"{name}: decisions/s", 60_000, speed(name)))
    recess = lines.get("recess compiled apply")
    inside = recess.inside if recess else None
    copy_us = recess.copy_us if recess else None
    found += [
        Want("recess compiled: random games/s inside", 3_000, inside),
        Want("recess compiled: microseconds a copy", 1, copy_us, at_least=False),
    ]
    for build in ("compiled", "plain"):
        name = f"recess {build}"
        text = f"{name}: import to first legal list, ms"
        found.append(Want(text, 100, start_up(name), at_least=False))
    for game in ("bagarre", "cour"):
        for step in STEPS:
            name = f"{game} compiled {step}"
            found += [
                Want(f"{name}: decisions/s", 250_000, speed(name)),
                Want(f"{name}: times RLCard uno", 8, times(name, "rlcard-uno")),
                Want(
                    f"{name}: times OpenSpiel hearts",
                    1,
                    times(name, "openspiel-hearts"),
                ),
            ]
    return found


def number(value: float | None) -> str:
    """Three digits that count, and no more."""
    if value is None:
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Plain text: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    out = []
    for row in (head, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def speed_table(lines: Sequence[Line], machine: float) -> str:
    """The main table. `machine` is the usual speed of the calibration loop: the column
    "steadied" says what decisions/s would be, had the machine always run at it."""
    head = (
        *("engine and game", "decisions/s", "min", "max", "steadied", "games/s"),
        *("decisions+chance", "legal", "forced", "inside games/s", "copy us"),
    )
    return table(
        head,
        [
            [
                one.name,
                number(one.decisions.median),
                number(one.decisions.low),
                number(one.decisions.high),
                number(median([w * machine for w in one.per_work if w is not None])),
                number(one.games.median),
                f"{one.decisions_per_game:.0f}+{one.chance_per_game:.0f}",
                f"{one.legal:.1f}",
                f"{one.forced:.0%}",
                number(middle(one.inside)),
                number(middle(one.copy_us)),
            ]
            for one in lines
        ],
    )


def ratio_table(lines: Sequence[Line]) -> str:
    """Each of ours against each peer."""
    ours = [one for one in lines if one.ours]
    peers = [one for one in lines if not one.ours]
    rows = []
    for one in ours:
        found = [ratio(one, peer) for peer in peers]
        rows.append([one.name, *(f"{number(r.median)}x" if r else "-" for r in found)])
    return table(["", *(peer.name for peer in peers)], rows) if ours and peers else ""


def start_up_table(start_up: dict[str, dict[str, Spread]]) -> str:
    head = ("start", "CPU ms", "min", "max", "wall ms")
    rows = []
    for name, found in start_up.items():
        cpu = found["cpu_ms"]
        rows.append([name, *map(number, (cpu.median, cpu.low, cpu.high))])
        rows[-1].append(number(found["wall_ms"].median))
    return table(head, rows)


def wants_table(found: Sequence[Want]) -> str:
    rows = []
    for want in found:
        sign = ">=" if want.at_least else "<="
        rows.append([want.text, f"{sign} {want.bound:,}", number(middle(want.value)), want.verdict])
    return table(["wanted", "figure", "measured", ""], rows)


def as_json(run: Run) -> dict[str, object]:
    lines = run.lines()
    return {
        "lines": [asdict(one) for one in lines],
        "ratios": {
            one.name: {peer.name: asdict(found) for peer in lines if not peer.ours and (found := ratio(one, peer))}
            for one in lines
            if one.ours
        },
        "start_up": {
            name: {what: asdict(spread) for what, spread in found.items()} for name, found in run.start_up.items()
        },
        "wants": [asdict(want) | {"verdict": want.verdict} for want in wants(run)],
        "problems": run.problems,
        "rounds": run.rounds,
    }
