"""The reference: a page for each public package, made from docstrings by mkdocstrings when the site is built.

What is public stands in `__all__` of a package, and nowhere else. Of packages without one, those names are listed here
that their guides use.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).resolve().parent.parent / "src"
EXAMPLE = re.compile(r"^>>> .+(?:\n.+)*", re.MULTILINE)
"""From the first line of an example to the next empty one."""


class Page(NamedTuple):
    """A page: the package it is about, what comes first on it, and its modules with the names that are shown.

    No names are those in the module's `__all__`.
    """

    package: str
    guide: str
    modules: dict[str, tuple[str, ...]]

    @property
    def path(self) -> str:
        """Where it stands in the site."""
        return f"reference/{self.package}.md"

    def names(self) -> dict[str, tuple[str, ...]]:
        """All that is shown, by module."""
        return {module: names or exported(module) for module, names in self.modules.items()}

    def text(self) -> str:
        """The page for mkdocstrings: the module's own docstring, then what is public in it."""
        lines = [f"# {self.package}", "", self.guide, ""]
        for module, names in self.names().items():
            if module != self.package:
                lines += [f"## {module}", ""]
            level = 2 if module == self.package else 3
            lines += [f"::: {module}", "    options:", f"      heading_level: {level}", "      members:"]
            lines += [f"      - {name}" for name in names]
            lines.append("")
        return "\n".join(lines)


PAGES = (
    Page(
        "preau",
        "Guide: [Python](../python.md). `preau` has the classes of the contract, too: see [preau.core](preau.core.md). "
        "`preau.review_game(record)` and `preau.hint(view)` are in [preau.review](preau.review.md).",
        {"preau": ("new", "game", "play", "compiled")},
    ),
    Page(
        "preau.core",
        "Guides: [Python](../python.md), [add a game](../add-a-game.md).",
        {"preau.core": ()},
    ),
    Page(
        "preau.games",
        "Guide: [add a game](../add-a-game.md). Games are found by their ids, never imported: `preau.game(name)`, "
        "`preau.game_ids()`. Those of packages are found, too. Each has a page of its rules and one of its shapes.",
        {"preau.games": ("names",)},
    ),
    Page("preau.bots", "Guides: [bots](../bots.md), [add a bot](../add-a-bot.md).", {"preau.bots": ()}),
    Page("preau.arena", "Guide: [arena](../arena.md).", {"preau.arena": ()}),
    Page(
        "preau.review",
        "Guides: [reviews](../reviews.md), [hints](../bots.md#hints).",
        {
            "preau.review": ("review_game", "plan", "piece", "assemble", "ReviewedGame", "say", "Review"),
            "preau.review.hint": ("hint", "Hint", "Idea"),  # a module and a function of one name
        },
    ),
    Page(
        "preau.learn",
        "Guides: [puzzles](../play.md#puzzles), [the challenge of the day](../play.md#the-challenge-of-the-day).",
        {
            "preau.learn.puzzles": ("puzzles", "find", "Puzzle"),
            "preau.learn.solving": ("solve", "Solving", "Idea"),
            "preau.learn.practice": ("walk", "Walked", "Moment"),
            "preau.learn.challenge": ("by_date", "by_key", "Day", "verify", "Verdict"),
        },
    ),
    Page(
        "preau.adapters",
        "Guide: [environments for learning](../environments.md).",
        {
            "preau.adapters.pettingzoo": ("env", "parallel_env", "raw_env", "ParallelGame"),
            "preau.adapters.gymnasium": ("OneLearner", "env_id", "register_games"),
            "preau.adapters.vector": (),
            "preau.adapters.openspiel": ("game", "SpielGame", "SpielState", "SpielBot"),
        },
    ),
    Page(
        "preau.lab",
        "Guides: [the lab](../lab.md), [data sets](../datasets.md).",
        {
            "preau.lab.plans": ("plan_for",),
            "preau.lab.dataset": ("Dataset", "Batch"),
            "preau.lab.writing": ("write_dataset",),
            "preau.lab.study": ("Study", "play_study", "Arm"),
            "preau.lab.report": ("put_together", "write_page"),
            "preau.lab.printing": ("lines",),
            "preau.lab.published": ("studies",),
        },
    ),
    Page(
        "preau.pictures",
        "Guide: [pictures at the command line](../play.md#records).",
        {"preau.pictures": ()},
    ),
    Page(
        "preau.testing",
        "Guide: [add a game](../add-a-game.md).",
        {"preau.testing": ()},
    ),
)


def exported(module: str) -> tuple[str, ...]:
    """What a module says is public, read from its source: nothing is imported."""
    for node in ast.parse(source_of(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            found: list[str] = ast.literal_eval(node.value)
            return tuple(found)
    raise LookupError(f"{module} has no __all__: name in tools/docs_reference.py what is shown of it")


def source_of(module: str) -> Path:
    """The file of a module."""
    path = SOURCES.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def fenced(docstring: str) -> str:
    """A docstring with its examples as blocks of code, which Markdown would take for quotations."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", docstring)
