"""The page of the documentation that shows what leaves a game: views, prompts, events, options, refusals."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

import preau
from preau.core.shapes import about, fields, reached


def page(game: str) -> str:
    """The shapes of a game as a page of Markdown."""
    shapes = preau.game(game).part("shapes")
    notes = _notes(inspect.getsource(shapes))
    title = preau.game(game).titles["en"]
    lines = [
        f"# What leaves {title}",
        "",
        f"Declared in `{shapes.__name__.replace('.', '/')}.py`; the tests let nothing else pass, and the page's types",
        "are made from it. `?` marks what is not always there.",
        "",
    ]
    for name, where in (("View", "`state.view(seat)`"), ("Options", "`state.options`"), ("Detail", "`result.detail`")):
        lines += [f"## {name}", "", f"{where}.", ""]
        for shape in reversed(reached([getattr(shapes, name)])):
            if shape is not shapes.Options or name == "Options":
                lines += _table(shape, notes, alone=shape.__name__ == name)
    for name, where, shapes_of in (
        ("Events", "`event.seen_by(seat)`, besides `key` and `rule`", shapes.EVENTS),
        ("Prompts", "`state.prompt(seat)`, besides `key`", shapes.PROMPTS),
        ("Reasons", "`error.params` of a refusal, by `error.key`", shapes.REASONS),
        ("Hints", "`preau.hint(view)`: what it says, besides `key`", getattr(shapes, "HINTS", {})),
    ):
        lines += [f"## {name}", "", f"{where}.", "", "| key | fields |", "|---|---|"]
        lines += [f"| `{key}` | {_inline(shape)} |" for key, shape in shapes_of.items()]
        lines.append("")
    return "\n".join(lines)


def _table(shape: Any, notes: Mapping[str, str], *, alone: bool) -> list[str]:
    lines = [] if alone else [f"**{shape.__name__}** {about(shape).partition(chr(10))[0]}", ""]
    if not fields(shape):
        return [*lines, "Nothing.", ""]
    lines += ["| field | type | |", "|---|---|---|"]
    for name, (kind, always) in fields(shape).items():
        note = next((notes[f"{base.__name__}.{name}"] for base in _family(shape, notes, name)), "")
        lines.append(f"| `{name}{'' if always else '?'}` | {_type(kind)} | {note} |")
    return [*lines, ""]


def _family(shape: Any, notes: Mapping[str, str], name: str) -> list[Any]:
    """The shape itself and those it was made from, where they say something about the field."""
    bases = [shape, *getattr(shape, "__orig_bases__", ())]
    bases += [base for one in bases[1:] for base in getattr(one, "__orig_bases__", ())]
    return [base for base in bases if f"{getattr(base, '__name__', '')}.{name}" in notes]


def _inline(shape: Any) -> str:
    return ", ".join(f"`{name}{'' if always else '?'}` {_type(kind)}" for name, (kind, always) in fields(shape).items())


def _type(kind: Any) -> str:
    """A type in short: shapes by their name, words as they are."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f'"{word}"' if isinstance(word, str) else str(word) for word in inside)
    if origin in (Union, types.UnionType):
        return " or ".join(_type(one) for one in inside)
    if origin is not None:
        return f"{origin.__name__}[{', '.join(_type(one) for one in inside)}]"
    return "None" if kind is type(None) else str(getattr(kind, "__name__", kind))


def _notes(source: str) -> dict[str, str]:
    """What the source says below fields, by class and field."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            for field, note in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(field.target, ast.Name)
                    and isinstance(note, ast.Expr)
                    and isinstance(note.value, ast.Constant)
                ):
                    found[f"{node.name}.{field.target.id}"] = " ".join(str(note.value.value).split())
    return found
