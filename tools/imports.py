"""What a module imports, read from its source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Import(NamedTuple):
    """One imported name in full: `from preau.core import state` is `preau.core.state`."""

    line: int
    name: str
    typing_only: bool


def imports(source: str, module: str, *, package: bool = False) -> Iterator[Import]:
    """Every import in `source`, the text of `module` (a `package` when it is an `__init__.py`).

    >>> [i.name for i in imports("from . import deck; import json", "preau.games.cour.rules")]
    ['preau.games.cour.deck', 'json']
    """
    home = module.split(".") if package else module.split(".")[:-1]
    yield from _walk(ast.parse(source).body, home, typing_only=False)


def _walk(nodes: Iterable[ast.AST], home: list[str], *, typing_only: bool) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name, typing_only) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = home[: len(home) - node.level + 1] if node.level else []
            origin = ".".join([*base, node.module] if node.module else base)
            yield from (Import(node.lineno, f"{origin}.{alias.name}", typing_only) for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            yield from _walk(node.body, home, typing_only=True)
            yield from _walk(node.orelse, home, typing_only=typing_only)
        else:
            yield from _walk(ast.iter_child_nodes(node), home, typing_only=typing_only)
