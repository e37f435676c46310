"""The reference has what is public, and all of it says what it is."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tools.docs_reference import PAGES, exported, fenced, source_of

NOT_PUBLIC = {"cli", "codegen", "browser", "host", "server", "table"}
"""Packages that are used from outside by commands and the protocol only."""
FIRST_STEPS = {
    "preau": ("game", "new", "play"),
    "preau.core": ("find_game", "Game", "State", "Match", "Record", "Event", "PreauError", "Layout", "Texts"),
    "preau.bots": ("make_bot", "play", "BotMatch", "explain"),
    "preau.arena": ("enter", "make_plan", "run", "play_game"),
    "preau.review": ("review_game",),
    "preau.review.hint": ("hint",),
    "preau.learn.puzzles": ("puzzles",),
    "preau.learn.solving": ("solve",),
    "preau.learn.challenge": ("by_date",),
    "preau.adapters.pettingzoo": ("env", "parallel_env"),
    "preau.adapters.gymnasium": ("OneLearner", "env_id"),
    "preau.adapters.vector": ("Games", "LearnerGames"),
    "preau.adapters.openspiel": ("game", "SpielBot"),
    "preau.lab.plans": ("plan_for",),
    "preau.lab.dataset": ("Dataset",),
    "preau.lab.study": ("Study",),
    "preau.testing": ("cases",),
}
"""What people use first: each has an example that runs (test_code.py)."""


def defined(module: str, name: str) -> ast.ClassDef | ast.FunctionDef | None:
    """Where something public is written down, which compiled modules do not tell; None for a value."""
    found: Any = getattr(importlib.import_module(module), name)
    home = getattr(found, "__module__", "")
    if not home.startswith("preau") or not (inspect.isroutine(found) or isinstance(found, type)):
        return None
    tree = ast.parse(Path(source_of(home)).read_text(encoding="utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return next(node for node in nodes if node.name == name)


SHOWN = [(module, name) for page in PAGES for module, names in page.names().items() for name in names]
if sys.platform == "win32":
    SHOWN = [(module, name) for module, name in SHOWN if "openspiel" not in module]


@pytest.mark.parametrize(("module", "name"), SHOWN)
def test_what_is_shown_says_what_it_is(module, name):
    node = defined(module, name)
    if node is None:
        return
    assert ast.get_docstring(node)
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    assert [one.name for one in methods if not ast.get_docstring(one)] == []


@pytest.mark.parametrize("module", FIRST_STEPS)
def test_first_steps_have_an_example(module):
    for name in FIRST_STEPS[module]:
        node = defined(module, name)
        assert node is not None
        assert ">>> " in ast.unparse(node), name


def test_every_public_package_has_a_page():
    folder = ROOT / "src" / "preau"
    packages = {path.parent.name for path in folder.glob("*/__init__.py")} - NOT_PUBLIC
    assert {page.package for page in PAGES} == {"preau", "preau.testing", *(f"preau.{name}" for name in packages)}


def test_all_that_packages_export_is_shown():
    shown = {name for _, name in SHOWN}
    found = [page.package for page in PAGES if "__all__ = " in source_of(page.package).read_text(encoding="utf-8")]
    assert len(found) >= 6
    missing = [f"{package}.{name}" for package in found for name in exported(package) if name not in shown]
    assert missing == ["preau.games"]  # a package with a page of its own


def test_a_module_that_lists_nothing_is_refused():
    with pytest.raises(LookupError, match=r"preau.learn has no __all__"):
        exported("preau.learn")


def test_examples_become_blocks_of_code():
    assert fenced("What.\n\n>>> 1 + 1\n2\n>>> 2\n2\n\nMore: `a >>> b`.\n\n>>> 3\n3") == (
        "What.\n\n```pycon\n>>> 1 + 1\n2\n>>> 2\n2\n```\n\nMore: `a >>> b`.\n\n```pycon\n>>> 3\n3\n```"
    )
