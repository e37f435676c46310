"""`python -m preau.server.typescript`: the page's types, made from the wire structs."""

from __future__ import annotations

import inspect
import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import structs

from ..table import wire

HEAD = """// Made by `python -m preau.server.typescript` from preau/table/wire.py. Do not edit.

export type Json = { [name: string]: unknown };
"""


def main() -> None:
    """Print the types."""
    print(generate(), end="")


def generate() -> str:
    """All messages as TypeScript."""
    parts = [HEAD]
    for struct in _structs():
        parts.append(_interface(struct))
    for name in ("ClientMessage", "ServerMessage"):
        members = " | ".join(one.__name__ for one in get_args(getattr(wire, name)))
        parts.append(f"export type {name} = {members};\n")
    parts.append(f"export const PROTOCOL = {wire.PROTOCOL};\n")
    return "\n".join(parts)


def _structs() -> list[type[msgspec.Struct]]:
    found = [
        one
        for one in vars(wire).values()
        if inspect.isclass(one) and issubclass(one, msgspec.Struct) and one.__module__ == wire.__name__
    ]
    return [one for one in found if one not in (wire.Message, wire.Answer)]


def _interface(struct: type[msgspec.Struct]) -> str:
    lines = [f"/** {' '.join((inspect.getdoc(struct) or '').split())} */", f"export interface {struct.__name__} {{"]
    tag = struct.__struct_config__.tag
    if tag is not None:
        lines.append(f'  type: "{tag}";')
    for field in structs.fields(struct):
        optional = "?" if not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _type(kind: Any) -> str:
    origin = get_origin(kind)
    if kind is Any or kind is msgspec.Raw:
        return "unknown"
    if kind is type(None) or kind is None:
        return "null"
    if kind is bool:
        return "boolean"
    if kind in (int, float):
        return "number"
    if kind is str:
        return "string"
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        return kind.__name__
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in get_args(kind))
    if origin in (Union, types.UnionType):
        return " | ".join(_type(one) for one in get_args(kind))
    if origin is list:
        inner = _type(get_args(kind)[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return "Json" if get_args(kind)[1] is Any else f"{{ [name: string]: {_type(get_args(kind)[1])} }}"
    if hasattr(kind, "__metadata__"):
        return _type(kind.__origin__)
    raise TypeError(f"no TypeScript for {kind!r}")


if __name__ == "__main__":
    main()
