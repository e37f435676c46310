"""Refusals as messages between processes: every subclass of `PreauError` arrives as the class that was raised."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ...core.errors import PreauError


class RefusalMessage(msgspec.Struct, tag="refused", frozen=True):
    """A refusal that another process raised. `kinds` names its class and the base classes of that up to `PreauError`:
    a process that has not imported the class of a game's package still raises the nearest base class that it knows.
    """

    kinds: list[str]
    message: str
    rule: str = ""
    field: str = ""
    hint: str = ""
    key: str = ""
    params: dict[str, object] = {}

    @classmethod
    def of(cls, error: PreauError) -> RefusalMessage:
        """Return the message that says what an error says."""
        kinds = [_name(kind) for kind in type(error).__mro__ if issubclass(kind, PreauError)]
        return cls(kinds, error.message, error.rule, error.field, error.hint, error.key, error.params)

    def error(self) -> PreauError:
        """Return the error to raise in this process."""
        known = {_name(kind): kind for kind in error_classes()}
        kind = next(known[name] for name in self.kinds if name in known)
        return kind(self.message, rule=self.rule, field=self.field, hint=self.hint, key=self.key, params=self.params)


def error_classes(base: type[PreauError] = PreauError) -> Iterator[type[PreauError]]:
    """Yield `PreauError` and all its subclasses that have been imported so far.

    >>> from preau.core.errors import ActionError, IllegalAction
    >>> [kind.__name__ for kind in error_classes(ActionError)][:2], IllegalAction in error_classes()
    (['ActionError', 'MalformedAction'], True)
    """
    yield base
    for kind in base.__subclasses__():
        yield from error_classes(kind)


def _name(kind: type[PreauError]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
