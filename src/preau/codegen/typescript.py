"""`python -m preau.codegen.typescript [GAME]`: TypeScript types for clients, of the messages or of what leaves a game.

Messages are made from the structs of `preau.table.protocol`, with what a review says (`preau.review.shapes`), a game's
types from its `shapes.py`.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

import msgspec
from msgspec import structs

from ..core.game import Game
from ..core.registry import find_game
from ..core.shapes import about, fields, reached
from ..review import Review
from ..table import protocol

HEAD = "// Made by `python -m preau.codegen.typescript{argument}` from {source}. Do not edit.\n"
JSON = "export type Json = { [name: string]: unknown };\n"


def main(arguments: list[str]) -> None:
    """Print the types of the messages, or of the game that is named."""
    print(of_game(find_game(arguments[0])) if arguments else of_wire(), end="")


# Messages.


def of_wire() -> str:
    """Return all messages as TypeScript."""
    parts = [HEAD.format(argument="", source=protocol.__name__.replace(".", "/")), JSON]
    parts += [_interface(one.__name__, about(one), _fields(one, {})) for one in reached([Review])]
    parts += [_struct(one) for one in _structs()]
    for name in ("ClientMessage", "ServerMessage"):
        members = " | ".join(one.__name__ for one in get_args(getattr(protocol, name)))
        parts.append(f"export type {name} = {members};\n")
    parts.append(f"export const PROTOCOL = {protocol.PROTOCOL};\n")
    return "\n".join(parts)


def _structs() -> list[type[msgspec.Struct]]:
    """Return the messages, module by module, each in the order of its source."""
    modules = [import_module(f"{protocol.__name__}.{one.name}") for one in iter_modules(protocol.__path__)]
    found = [one for module in modules for one in vars(module).values() if _is_struct_of(module, one)]
    return [one for one in found if one not in (protocol.Message, protocol.Answer)]


def _is_struct_of(module: types.ModuleType, found: object) -> bool:
    return inspect.isclass(found) and issubclass(found, msgspec.Struct) and found.__module__ == module.__name__


def _struct(struct: type[msgspec.Struct]) -> str:
    tag = struct.__struct_config__.tag
    lines = [f'  type: "{tag}";'] if tag is not None else []
    for field in structs.fields(struct):
        kind = _WORKED_OUT.get((struct, field.name), field.type)
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {_type(kind)};")
    return _interface(struct.__name__, inspect.getdoc(struct), lines)


_WORKED_OUT: dict[tuple[type[msgspec.Struct], str], Any] = {(protocol.ReviewInfo, "review"): Review | None}
"""What messages carry along of other parts, which say themselves what it is."""


# Games.


def of_game(game: Game) -> str:
    """What leaves a game, as TypeScript: `View`, `Options`, `Detail`, and unions `Event` and `Prompt` by their key."""
    shapes = game.part("shapes")
    words = {kind: name for name, kind in vars(shapes).items() if get_origin(kind) is Literal}
    parts = [HEAD.format(argument=f" {game.id}", source=_source(shapes)), JSON]
    parts += [f"export type {name} = {_type(kind)};\n" for kind, name in words.items()]
    drawn = [shapes.Picture] if hasattr(shapes, "Picture") else []
    kinds = [shapes.View, shapes.Options, shapes.Detail, *shapes.EVENTS.values(), *shapes.PROMPTS.values(), *drawn]
    named = reached(kinds)
    parts += [_interface(one.__name__, about(one), _fields(one, words)) for one in named if one.__name__ not in _UNIONS]
    parts.append(_union("Event", shapes.EVENTS, "; rule: string"))
    parts.append(_union("Prompt", shapes.PROMPTS, ""))
    parts.append(
        "export interface Shapes {\n  View: View;\n  Options: Options;\n  Detail: Detail;\n  Event: Event;\n"
        "  Prompt: Prompt;\n}\n"
    )
    return "\n".join(parts)


_UNIONS = ("Event", "Prompt")


def _union(name: str, shapes: Mapping[str, Any], more: str) -> str:
    members = [f'  | ({{ key: "{key}"{more} }} & {shape.__name__})' for key, shape in shapes.items()]
    return f"export type {name} =\n" + "\n".join(members) + ";\n"


def _fields(shape: Any, words: Mapping[Any, str]) -> list[str]:
    lines = []
    for name, (kind, always) in fields(shape).items():
        said = "Prompt" if (shape.__name__, name) == ("View", "prompt") else _type(kind, words)
        lines.append(f"  {name}{'' if always else '?'}: {said};")
    return lines


# Both.


def _source(module: Any) -> str:
    return f"{module.__name__.replace('.', '/')}.py"


def _interface(name: str, doc: str | None, lines: list[str]) -> str:
    head = [f"/** {' '.join(doc.split())} */"] if doc else []
    body = [f"export interface {name} {{", *lines, "}"] if lines else [f"export type {name} = Record<never, never>;"]
    return "\n".join([*head, *body]) + "\n"


_PLAIN: dict[Any, str] = {
    Any: "unknown",
    msgspec.Raw: "unknown",
    None: "null",
    type(None): "null",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
}


def _type(kind: Any, words: Mapping[Any, str] = MappingProxyType({})) -> str:
    """A type of Python's in TypeScript; `words` are the literals that have a name of their own there."""
    origin = get_origin(kind)
    if kind in words:
        return words[kind]
    if not origin and kind in _PLAIN:
        return _PLAIN[kind]
    if is_typeddict(kind) or (inspect.isclass(kind) and issubclass(kind, msgspec.Struct)):
        return str(kind.__name__)
    if origin is Literal:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in get_args(kind))
    if origin in (Union, types.UnionType):
        return " | ".join(_type(one, words) for one in get_args(kind))
    if origin is list:
        inner = _type(get_args(kind)[0], words)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(one, words) for one in get_args(kind))}]"
    if origin in (dict, Mapping):
        key, value = get_args(kind)
        if value is Any:
            return "Json"
        if get_origin(key) is Literal:
            return f"{{ [name in {_type(key, words)}]?: {_type(value, words)} }}"
        return f"{{ [name: string]: {_type(value, words)} }}"
    if hasattr(kind, "__metadata__"):
        return _type(kind.__origin__, words)
    raise TypeError(f"no TypeScript for {kind!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
