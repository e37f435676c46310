"""Files of a game's folder that hold one list of things with names: lessons, figures of the rule book."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from .errors import DataError
from .json_file import read_json


class Named(Protocol):
    """Something with a name of its own."""

    @property
    def name(self) -> str: ...


One = TypeVar("One", bound=Named)


def read_listed(path: Path, word: str, read: Callable[[Any, str], One]) -> tuple[One, ...]:
    """What is listed in a file under `<word>s`, each read by `read` with the name of its field; none without a file.
    Raises `DataError` for what is wrong with it.
    """
    if not path.is_file():
        return ()
    many = f"{word}s"
    try:
        data = read_json(path)
    except ValueError as error:
        raise DataError(f"it is no JSON: {error}", field=path.name) from None
    if not isinstance(data, dict) or set(data) != {many} or not isinstance(data[many], list):
        raise DataError(f"it is an object with a list of {many}", field=path.name)
    found = tuple(read(one, f"{many}[{at}]") for at, one in enumerate(data[many]))
    names = [one.name for one in found]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise DataError(f"there is a {word} {name!r} already", field=f"{path.name}: {many}[{at}].name")
    return found
