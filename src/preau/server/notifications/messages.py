"""What is said to whoever is called: that it is their turn, where and with whom, in their language. Nothing of the
game's secrets is in it, as nothing of the game is: what everybody sees of the table is all there is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...core.registry import find_game
from ...core.texts import Texts
from ...table import protocol
from ...table.table import DAY_MS, Table
from ..config import Config
from ..typography import typeset

NAMED = 4
"""Other people who are named."""
TEXTS = Path(__file__).parent / "texts"

Json = dict[str, Any]


@cache
def texts(language: str) -> Texts:
    """What a server says itself."""
    return Texts.read(TEXTS, language)


class TurnNotice(NamedTuple):
    """Somebody's turn."""

    table: Table
    seats: list[int]
    """Theirs, of those who are asked."""
    since: int
    ends: int


class Email(NamedTuple):
    """A mail."""

    subject: str
    text: str
    end: str = ""
    """Where one mail program can end it with one click (RFC 8058)."""


class NotificationTexts:
    """The words of one server."""

    def __init__(self, config: Config) -> None:
        self._base = config.origins[0].rstrip("/") if config.origins else f"http://127.0.0.1:{config.port}"

    def push(self, turn: TurnNotice, language: protocol.Language, tag: str) -> Json:
        """What a browser shows: words, and what it needs to fold calls and to open the table. It knows the zone."""
        say = texts(language)
        return {
            "title": typeset(find_game(turn.table.game).titles[language], language),
            "body": self._body(turn, language),
            "until": say.say("until", {"when": "{when}"}),
            "ends": turn.ends,
            "language": language,
            "table": turn.table.id,
            "tag": tag,
            "turn": turn.since,
        }

    def _body(self, turn: TurnNotice, language: str) -> str:
        say, seats = texts(language), turn.table.seats
        names = [seat.name for seat in seats]
        own = [seat for seat in turn.seats if names[seat]]
        mine = {seats[seat].holder for seat in turn.seats}
        others = [
            at for at, seat in enumerate(seats) if seat.kind == "person" and seat.holder not in mine and seat.name
        ]
        lines = [say.say("turn", {"own": own}, names)]
        if others:
            lines.append(say.say("others", {"others": others[:NAMED]}, names))
        return typeset(" ".join(lines), language)

    def mail(self, turn: TurnNotice, code: str, language: protocol.Language, now: int) -> Email:
        """The same as a mail, with a link that ends it."""
        say = texts(language)
        game = find_game(turn.table.game).titles[language]
        lines = [
            self._body(turn, language),
            say.say("mail.days", {"days": max(0, turn.ends - now) // DAY_MS}),
            say.say("mail.go", {"link": f"{self._base}/t/{turn.table.id}"}),
            say.say("mail.end", {"link": f"{self._base}/mail#{code}"}),
        ]
        subject = typeset(say.say("mail.subject", {"game": game}), language)
        return Email(subject, _paragraphs(lines, language), f"{self._base}/api/mail/{code}/end")

    def confirm(self, table: Table, code: str, language: protocol.Language) -> Email:
        """What a mailbox is asked before anything else is sent there. It tells nothing of who is at the table."""
        say = texts(language)
        game = {"game": find_game(table.game).titles[language]}
        lines = [
            say.say("mail.confirm", game),
            say.say("mail.confirm_go", {"link": f"{self._base}/mail#{code}"}),
            say.say("mail.confirm_not"),
        ]
        return Email(typeset(say.say("mail.confirm_subject", game), language), _paragraphs(lines, language))


def _paragraphs(lines: list[str], language: str) -> str:
    return "\n\n".join(typeset(line, language) for line in lines)
