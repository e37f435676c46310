"""Entry points of installed packages, and what is said of a package that cannot be used.

A malformed `entry_points.txt` makes `importlib.metadata.entry_points` fail for all packages. The packages are then read
one by one, and only the malformed one is left out. Libraries that read entry points can be given the same list.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import DataError, PreauError

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

LISTED = "entry_points.txt"


class Installed(NamedTuple):
    """The entry points of one group, and by the name of their package the reasons why others cannot be read."""

    entries: list[EntryPoint]
    faults: dict[str, str]


def installed(group: str) -> Installed:
    """Read the entry points of a group."""
    from importlib.metadata import entry_points  # it brings in threads, which not every place has

    try:
        return Installed(list(entry_points(group=group)), {})
    except Exception:  # whatever is wrong with one file
        found = _one_by_one(group)
        return Installed([entry for entry in found.entries if entry.group == group], found.faults)


@contextmanager
def without_malformed() -> Iterator[None]:
    """Let libraries that are imported in the block read the entry points of all packages but malformed ones."""
    from importlib import metadata

    strict = metadata.entry_points

    def sound(**wanted: Any) -> Any:
        try:
            return strict(**wanted)
        except Exception:  # whatever is wrong with one file
            return metadata.EntryPoints(_one_by_one().entries).select(**wanted)

    metadata.entry_points = sound
    try:
        yield
    finally:
        metadata.entry_points = strict


def _one_by_one(group: str = "") -> Installed:
    """Read all entry points of each package on its own; of packages with the same name the first one counts. Packages
    that cannot be read are named if they may have this group.
    """
    from importlib.metadata import distributions

    found = Installed([], {})
    names = set[str]()
    for distribution in distributions():
        name = _name(distribution)
        if name in names:
            continue
        names.add(name)
        try:
            found.entries.extend(distribution.entry_points)
        except Exception as error:  # whatever is wrong with it
            if _mentions(distribution, group):
                found.faults[name] = f"{LISTED}: it cannot be read: {reason_of(error)}"
    return found


def _name(distribution: Distribution) -> str:
    """Return the name of an installed package; that of its first files, where its metadata cannot be read."""
    try:
        return str(distribution.metadata["Name"])
    except Exception:
        return repr(distribution)


def _mentions(distribution: Distribution, group: str) -> bool:
    """Whether a malformed list of entry points has this group; one that cannot be decoded may have it."""
    try:
        return f"[{group}]" in (distribution.read_text(LISTED) or "")
    except Exception:
        return True


@contextmanager
def reading(file: str, package: str = "") -> Iterator[None]:
    """Name the file in any error that is raised in the block, with the source file of the package that raised it."""
    try:
        yield
    except (Exception, SystemExit) as error:
        reason = reason_of(error, package)
        named = reason.startswith(f"{file}: ") or (isinstance(error, PreauError) and file in reason)
        raise DataError(reason, field="" if named else file) from error


def reason_of(error: BaseException, package: str = "") -> str:
    """Say why something cannot be used: what a refusal says, else the error and the source file that raised it.

    >>> reason_of(DataError("it is no JSON", field="lessons.json")), reason_of(SystemExit(3))
    ('lessons.json: it is no JSON.', 'SystemExit: 3')
    """
    if isinstance(error, PreauError):
        said, source = str(error), ""
    else:
        said, source = f"{type(error).__name__}: {error}", _source(error, package) if package else ""
    reason = said if not source or source in said else f"{source}: {said}"
    return reason.encode(errors="backslashreplace").decode()  # half a character can be shown nowhere


def package_of(entry: EntryPoint) -> str:
    """Return the package that an entry point is in: `preau_soleil` of `preau_soleil.game:GAME`."""
    return entry.value.partition(":")[0].partition(".")[0].strip()


def _source(error: BaseException, package: str) -> str:
    """Return the name of the last source file of a package (`preau_soleil`) that an error came through, if any."""
    if isinstance(error, SyntaxError):
        return Path(error.filename).name if error.filename else _with_null_bytes(package)
    files = [Path(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__)]
    return next((file.name for file in reversed(files) if package in (file.stem, *file.parts)), "")


def _with_null_bytes(package: str) -> str:
    """Return the first source file of a package with null bytes: the only syntax error that names no file."""
    spec = find_spec(package)
    folders = [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec is not None else []
    sources = (path for folder in folders for path in sorted(folder.glob("*.py")))
    return next((path.name for path in sources if b"\0" in path.read_bytes()), "")
