"""What a link to this server says of itself before anybody opens it: a title, a sentence and a picture, in the head of
the page, where chats and search engines look for them.

Only what everybody may know is in it: which game, and whether it waits, goes on or is over. No names, for whoever shows
a preview keeps it. A code is not looked up here: codes may be tried only so often.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from ...core.errors import PreauError
from ...core.texts import LANGUAGES
from ...host.identifiers import LOCAL
from ...learn.challenge import FIRST, read_day, today
from ...learn.puzzles import puzzles
from ...table import protocol
from ...table.refusals import Unknown
from ..typography import typeset

TableLookup = Callable[[str], Awaitable[tuple[str, str]]]
"""The game and status of a table by its id; raises `Unknown`."""

LOOKUP_SECONDS = 1.0
"""A table is looked for so long, in seconds; the page is needed most where the database does not answer."""
PICTURE = "previews/{}.png"
"""Where the pictures are among the page's files: one for each game, and `home`."""
SIZE = ("1200", "630")

_TABLE = re.compile("[a-z0-9]{1,32}")
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "home": "Préau: school-yard games",
        "home.about": "School-yard games in the browser, against bots or with friends. No account, nothing to install.",
        "waiting": "Come and play {game}",
        "playing": "A game of {game} is on",
        "playing.about": "Watch it, or come back to your seat.",
        "over": "A game of {game} is over",
        "over.about": "See who won, and watch it again.",
        "replay": "{game}: a game to watch again",
        "replay.about": "Move by move, through anybody's eyes.",
        "file": "A game from a file",
        "with": "{game}: look at a game together",
        "with.about": "Whoever sent this link leads; you see what they show.",
        "learn": "Learn {game}",
        "learn.about": "Step by step, on the real table.",
        "puzzles": "Puzzles: {game}",
        "puzzle": "A puzzle: {game}",
        "puzzle.about": "Something can be found here. Can you see it?",
        "challenge": "Challenge of the day: {game}",
        "challenge.about": "A short game, the same for everybody who tries it. What can you reach?",
        "challenges": "Challenge of the day",
        "challenges.about": "A short game a day, the same for everybody.",
        "rules": "Rules: {game}",
        "new": "A table for {game}",
        "join": "Join a table",
        "watch": "Open tables",
        "move": "Continue here",
        "mail": "Mail when it is your turn",
        "me": "My record",
        "settings": "Settings",
        "help": "Keys and help",
        "lab": "The lab: what comes of the rules",
        "lost": "There is nothing here",
    },
    "fr": {
        "home": "Préau : des jeux de cour d'école",
        "home.about": "Des jeux de cour d'école dans le navigateur, contre des robots ou entre amis. Pas de compte, "
        "rien à installer.",
        "waiting": "Viens jouer à {game}",
        "playing": "Une partie est en cours : {game}",
        "playing.about": "Regarde-la, ou reviens à ta place.",
        "over": "La partie est finie : {game}",
        "over.about": "Vois qui a gagné, et revois la partie.",
        "replay": "Une partie à revoir : {game}",
        "replay.about": "Coup par coup, par les yeux de chacun.",
        "file": "Une partie d'un fichier",
        "with": "Une partie à revoir ensemble : {game}",
        "with.about": "La personne qui t'envoie ce lien guide ; tu vois ce qu'elle montre.",
        "learn": "Apprendre : {game}",
        "learn.about": "Pas à pas, sur la vraie table.",
        "puzzles": "Énigmes : {game}",
        "puzzle": "Une énigme : {game}",
        "puzzle.about": "Il y a quelque chose à trouver ici. Tu le vois ?",
        "challenge": "Défi du jour : {game}",
        "challenge.about": "Une petite partie, la même pour tous ceux qui la tentent. Tu feras combien ?",
        "challenges": "Défi du jour",
        "challenges.about": "Une petite partie par jour, la même pour tout le monde.",
        "rules": "Règles : {game}",
        "new": "Une table : {game}",
        "join": "Rejoindre une table",
        "watch": "Tables ouvertes",
        "move": "Continuer ici",
        "mail": "Un mail quand c'est à toi",
        "me": "Mon carnet",
        "settings": "Réglages",
        "help": "Touches et aide",
        "lab": "Le labo : ce que donnent les règles",
        "lost": "Il n'y a rien ici",
    },
}
_PLAIN = frozenset({"join", "watch", "move", "mail", "me", "settings", "help", "lab"})
"""Addresses of the page that are about nothing in particular."""


class LinkPreview(NamedTuple):
    """What an address is about: one of the words above, a game or none, and whether there is anything at all."""

    what: str
    game: str = ""

    @property
    def status(self) -> int:
        """Of the answer. The page is sent with either: it says in its own words that there is nothing."""
        return 404 if self.what == "lost" else 200


class LinkPreviews:
    """Previews for the addresses of the page, where these games are on offer."""

    def __init__(self, games: Sequence[protocol.GameInfo], look: TableLookup) -> None:
        self._games = {game.id: game for game in games}
        self._lookup = look

    async def of(self, path: str) -> LinkPreview:
        """What an address is about. The page reads its first three parts, and so does this."""
        first, second, third = [*(part for part in path.split("/") if part), "", "", ""][:3]
        if not first:
            return LinkPreview("home")
        if first == "replay" and (not second or second.startswith("file-")):
            return LinkPreview("file")
        if first in ("t", "replay") and second.startswith(LOCAL):
            return LinkPreview("home")  # it is on the reader's own device
        if first in ("t", "replay"):
            found = await self._table(first, second)
            return found._replace(what="with") if (found.what, third) == ("replay", "with") else found
        if first == "learn":
            game = self._games.get(second)
            return LinkPreview(first, second) if game and game.lesson else LinkPreview("lost")
        if first == "puzzles":
            return self._puzzles(second, third)
        if first == "challenge":
            return self._challenge(second, third)
        if first in ("rules", "new"):
            name = second or next(iter(self._games), "")
            return LinkPreview(first, name) if name in self._games else LinkPreview("lost")
        return LinkPreview(first if first in _PLAIN else "lost")

    def _puzzles(self, game: str, puzzle: str) -> LinkPreview:
        offered = self._games.get(game)
        if not offered or not offered.puzzles:
            return LinkPreview("lost")
        if puzzle and not any(one.id == puzzle for one in puzzles(game)):
            return LinkPreview("lost")
        return LinkPreview("puzzle" if puzzle else "puzzles", game)

    def _challenge(self, name: str, day: str) -> LinkPreview:
        if not name and any(game.challenge for game in self._games.values()):
            return LinkPreview("challenges")
        game = self._games.get(name)
        if game is None or game.challenge is None:
            return LinkPreview("lost")
        try:
            read_day(day or FIRST.isoformat(), today(time.time() * 1000))
        except PreauError:
            return LinkPreview("lost")
        return LinkPreview("challenge", name)

    async def _table(self, first: str, table: str) -> LinkPreview:
        if not _TABLE.fullmatch(table):
            return LinkPreview("lost")
        try:
            game, status = await asyncio.wait_for(self._lookup(table), LOOKUP_SECONDS)
        except Unknown:
            return LinkPreview("lost")
        except (PreauError, TimeoutError):  # the page says what is wrong, as soon as it asks itself
            return LinkPreview("home")
        return LinkPreview("replay" if first == "replay" and status == "over" else status, game)

    def head(self, preview: LinkPreview, language: str, base: str, path: str, pictures: frozenset[str]) -> str:
        """The tags for the head of the page; `base` is the public address of this server."""
        title, about = self._words(preview, language)
        picture = next((name for name in (preview.game, "home") if PICTURE.format(name) in pictures), "")
        tags = [f"<title>{escape(title)}</title>", _meta("name", "description", about)]
        if preview.status == 200:
            shown = {"title": title, "description": about}
            tags += [_meta("property", f"og:{name}", text) for name, text in shown.items()]
            tags += [_meta("name", f"twitter:{name}", text) for name, text in shown.items()]
            tags += [
                _meta("property", "og:type", "website"),
                _meta("property", "og:site_name", "Préau"),
                _meta("property", "og:locale", {"en": "en_GB", "fr": "fr_FR"}[language]),
                _meta("property", "og:url", base + quote(path)),
            ]
            if picture:
                address = f"{base}/static/{PICTURE.format(picture)}"
                tags += [
                    _meta("property", "og:image", address),
                    _meta("property", "og:image:width", SIZE[0]),
                    _meta("property", "og:image:height", SIZE[1]),
                    _meta("name", "twitter:image", address),
                ]
            tags.append(_meta("name", "twitter:card", "summary_large_image" if picture else "summary"))
        return "\n    ".join(tags)

    def _words(self, preview: LinkPreview, language: str) -> tuple[str, str]:
        """A title and a sentence; what has no sentence of its own has the game's, or that of the whole."""
        words = _WORDS[language]
        game = self._games.get(preview.game)
        title = words[preview.what].format(game=_in(game.titles, language) if game else preview.game)
        about = words.get(f"{preview.what}.about")
        if about is None:
            about = _in(game.about, language) if game and game.about else words["home.about"]
        return typeset(title, language), typeset(about, language)


def language_of(header: str) -> str:
    """The language a browser asks for (`Accept-Language`), among those there are."""
    best, most = LANGUAGES[0], 0.0
    for part in header[:200].lower().split(","):
        name, _, weight = part.partition(";")
        language = name.strip().partition("-")[0]
        found = re.fullmatch(r"q=(\d(?:\.\d{1,3})?)", weight.strip())
        worth = float(found[1]) if found else 1.0
        if language in LANGUAGES and worth > most:
            best, most = language, worth
    return best


def _in(words: protocol.Words, language: str) -> str:
    return words.fr if language == "fr" else words.en


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}" />'
