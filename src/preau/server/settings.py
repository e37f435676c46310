"""The settings of `preau serve --set`: every limit and time limit, read from `Config` and `Limits`.

A setting is a field of one of them whose value is a number or a switch, and that has no option of its own. Its meaning
is the docstring of the field.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple, get_origin, get_type_hints

import msgspec

from ..core.errors import SetupError, said
from .config import Config, Limits

OWN_OPTIONS = {"port", "bot_workers", "push", "push_anywhere"}
"""Fields of `Config` that have an option of their own, and so have those that begin with `keep_`."""
MOST = 10**12
"""The largest value of a setting."""
SWITCH = {"on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False}


class Setting(NamedTuple):
    """A setting: its name, the type and the least and largest value, the default, the meaning, where it belongs."""

    name: str
    kind: type
    least: int
    most: int
    default: Any
    meaning: str
    of_limits: bool

    def read(self, text: str) -> Any:
        """Return the value that a text says, or refuse it."""
        if self.kind is bool:
            if text.lower() not in SWITCH:
                raise self._refusal(text, "Say on or off.")
            return SWITCH[text.lower()]
        try:
            value = self.kind(text)
        except ValueError:
            value = -1
        if not self.least <= value <= self.most or not text.isascii():  # nan is refused as well
            whole = "a whole number" if self.kind is int else "a number"
            raise self._refusal(text, f"It takes {whole} from {self.least} to {self.most}.")
        return value

    def _refusal(self, text: str, hint: str) -> SetupError:
        return SetupError(f"{said(text)} is not a valid value", field=f"--set {self.name}", hint=hint)

    @property
    def shown(self) -> str:
        """The default, as it is written."""
        return ("on" if self.default else "off") if self.kind is bool else str(self.default)


@cache
def settings() -> dict[str, Setting]:
    """Return all settings by name: those of `Limits` first."""
    found = {}
    for struct in (Limits, Config):
        hints = get_type_hints(struct, include_extras=True)
        meanings = {name: text for part in reversed(struct.__mro__) for name, text in _meanings(part).items()}
        for field in msgspec.structs.fields(struct):
            kind, bounds = _kind(hints[field.name])
            if kind is None or field.name in OWN_OPTIONS or field.name.startswith("keep_"):
                continue
            least, most = bounds.ge if bounds.ge is not None else 0, bounds.le if bounds.le is not None else MOST
            found[field.name] = Setting(
                field.name, kind, int(least), int(most), field.default, meanings[field.name], struct is Limits
            )
    return found


def read_settings(words: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read `NAME=VALUE` words; return the values for `Limits` and for `Config`."""
    limits: dict[str, Any] = {}
    config: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        setting = settings().get(name)
        if setting is None:
            near = get_close_matches(name, settings(), 1)
            hint = f"Do you mean {near[0]}? " if near else ""
            raise SetupError(f"there is no setting {said(name)}", field="--set", hint=f"{hint}`--settings` lists all.")
        if not equals:
            raise SetupError("the value is missing", field=f"--set {name}", hint=f"Write {name}={setting.shown}.")
        (limits if setting.of_limits else config)[name] = setting.read(value.strip())
    return limits, config


def _kind(hint: Any) -> tuple[type | None, msgspec.Meta]:
    """Return the type of a setting and its bounds; no type for a field that is none."""
    bounds = msgspec.Meta()
    if get_origin(hint) is not None and hasattr(hint, "__metadata__"):
        hint, bounds = hint.__origin__, hint.__metadata__[0]
    return (hint if hint in (int, float, bool) else None), bounds


def _meanings(struct: type) -> dict[str, str]:
    """Return the docstrings of the fields that a class defines, each on one line."""
    if not issubclass(struct, msgspec.Struct) or struct is msgspec.Struct:
        return {}
    [node] = ast.parse(inspect.getsource(struct)).body
    assert isinstance(node, ast.ClassDef)
    found = {}
    for field, text in zip(node.body, node.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            assert isinstance(field.target, ast.Name)
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found
