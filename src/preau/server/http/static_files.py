"""The page: its built files, and its front page for every address that is neither the API's nor a file's.

The files are read once, when the server starts, so an address can name nothing that was not in the folder then. Large
files stay on the disk and are read piece by piece while they are sent (`downloads` limits how many at once). A `.br` or
`.gz` beside a file is the same file compressed, for browsers that take it. The front page holds the games on offer, so
that whoever comes sees them without asking again, and says in its head what the address is about (`preview`). An
address that leads nowhere gets the front page too, with the status 404. The service worker, which keeps the page on a
device, is told which version of it this is: browsers fetch the page anew when that changes.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...host.refusals import TooMuch
from ...table.refusals import Refusal, Unknown
from ..client_address import client_address
from ..logs import log
from ..transport.asgi_types import ABORT, App, Message, Receive, Scope, Send
from .download_limits import CHUNK_BYTES, DownloadLimits, download_cost, file_name
from .link_preview import LinkPreview, LinkPreviews, language_of
from .security import refuse

STATIC = Path(__file__).parents[1] / "static"
INDEX = "index.html"
FOR_EVER = "public, max-age=31536000, immutable"
"""For files whose name changes with their content."""

SLOT = b'<script type="application/json" id="games">'
"""Where the games go in the front page. Browsers do not run it, so the content policy has nothing against it."""

NEARBY = b'="./'
"""How the front page as it was built begins the addresses of its files, which are beside it."""
PYTHON = "offline.json"
SERVICE = "service.js"
VERSION = b"%VERSION%"
"""Where the service worker says which version of the page it keeps."""

HEAD = (b"<!-- preview -->", b"<!-- /preview -->")
"""Between these the front page says what it is about."""
LANGUAGE = b'<html lang="en">'
_OF_LANGUAGE = re.compile(rb'\s*<link [^>]*data-language="(\w+)"[^>]*>')
"""What the front page loads for readers of one language."""
LARGE = 200_000
"""Bytes of a file that is not kept in memory."""
BUILT = 64
"""Front pages that are kept, each for another address, language or status."""

_PACKED = ((".br", "br"), (".gz", "gzip"))
"""Endings of compressed files and what browsers call them, the smaller first."""
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}

PLAIN = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pr\xc3\xa9au</title>
<h1>Pr\xc3\xa9au</h1>
<p>The server is running. The page to play on is not installed with it.</p>
<p>Programs can play all the same: <a href="/api/games">games</a>, <a href="/api/health">health</a>,
<a href="/api/openapi.json">HTTP interface</a>.</p>
</html>
"""


class FileForm(NamedTuple):
    """The bytes of a file, plain or compressed."""

    encoding: str
    etag: str
    body: bytes
    """Empty if the file is read while it is sent."""
    file: Path | None = None
    size: int = 0
    changed: int = 0
    """When the file was last written, in nanoseconds."""

    async def read(self, at: int) -> bytes:
        """Return the piece of the body that begins `at` a place. Raise an `OSError` if the file has changed.

        The file is opened for each piece: a download that waits holds no file open.
        """
        if self.file is None:
            return self.body[at : at + CHUNK_BYTES]
        return await asyncio.to_thread(_read_piece, self.file, self, at)


class File(NamedTuple):
    """A file of the page in all its forms, the smallest first and the plain one last."""

    kind: str
    cache: str
    forms: list[FileForm]


class Changed(Refusal):
    """A file of the page is not as it was when the server started."""


class StaticFiles:
    """Answers for the page; passes everything else on."""

    def __init__(
        self,
        app: App,
        downloads: DownloadLimits,
        folder: Path = STATIC,
        games: bytes = b"",
        previews: LinkPreviews | None = None,
        origin: str = "",
    ) -> None:
        """`games` is JSON, `origin` the public address; without one it is the address that was asked."""
        self._app = app
        self._downloads = downloads
        self._files = read(folder)
        self._front = self._files.get(INDEX) or File(_kind(INDEX), "no-cache", [_form("", PLAIN)])
        if NEARBY in self._front.forms[-1].body or SLOT in self._front.forms[-1].body:
            self._front = self._files[INDEX] = finished(self._front, games, b"/static/")
        if SERVICE in self._files:
            self._files[SERVICE] = with_version(self._files[SERVICE], version(self._files))
        self._previews = previews
        self._origin = origin.rstrip("/")
        self._made = lru_cache(BUILT)(self._make)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http" or not download_cost(scope):
            await self._app(scope, receive, send)
            return
        name = file_name(scope["path"])
        if name is None:
            await self._answer_front(scope["path"], scope, receive, send)
        elif (found := self._files.get(name)) is None:
            await self._app(scope, receive, send)
        else:
            await self._answer(found, scope, receive, send)

    async def _answer_front(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        """The front page, with what it says of this address."""
        if self._previews is None:
            await self._answer(self._front, scope, receive, send)
            return
        asked = dict(scope["headers"])
        preview = await self._previews.of(path)
        language = language_of(asked.get(b"accept-language", b"").decode("latin-1"))
        base = self._origin or f"{scope['scheme']}://{asked.get(b'host', b'').decode('latin-1')}"
        where = path if preview.status == 200 else ""
        await self._answer(self._made(preview, language, base, where), scope, receive, send, preview.status)

    async def _answer(self, file: File, scope: Scope, receive: Receive, send: Send, status: int = 200) -> None:
        """Send a file in the smallest form that the client takes, or 304 if the client has it."""
        asked = dict(scope["headers"])
        accepted = accepted_encodings(asked.get(b"accept-encoding", b"").decode("latin-1"))
        form = next(form for form in file.forms if not form.encoding or form.encoding in accepted)
        vary = b"accept-encoding, accept-language" if file.kind.startswith("text/html") else b"accept-encoding"
        headers = [(b"cache-control", file.cache.encode()), (b"etag", form.etag.encode()), (b"vary", vary)]
        known = status == 200 and form.etag in asked.get(b"if-none-match", b"").decode("latin-1")
        if not known:
            headers += [(b"content-type", file.kind.encode()), (b"content-length", str(form.size).encode())]
            if form.encoding:
                headers.append((b"content-encoding", form.encoding.encode()))
        start = {"type": "http.response.start", "status": 304 if known else status, "headers": headers}
        if known or scope["method"] == "HEAD":
            await send(start)
            await send(_piece(b""))
        elif form.size <= CHUNK_BYTES:
            await send(start)
            await send(_piece(await form.read(0)))
        else:
            await self._stream(form, start, scope, receive, send)

    async def _stream(self, form: FileForm, start: Message, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a large body piece by piece, each once the client has taken those before it.

        What fails before the first piece is answered with a refusal. After that the connection is ended, so that the
        client does not take a part of the file for the whole.
        """
        gone = asyncio.create_task(_disconnected(receive), name="download")
        begun = False
        try:
            async with self._downloads.place(client_address(scope), gone) as place:
                for at in range(0, form.size, CHUNK_BYTES):
                    piece = await form.read(at)
                    if gone.done():
                        return
                    place.sending()
                    if not begun:
                        begun = True
                        await send(start)
                    await send(_piece(piece, more=at + CHUNK_BYTES < form.size))
        except TooMuch as error:
            await refuse(error, send)
        except TimeoutError:
            log.debug("slow download ended")
            await _abort(scope, gone)
        except OSError as error:
            log.error("file of the page", path=scope["path"], error=str(error))
            if begun:
                await _abort(scope, gone)
            elif isinstance(error, FileNotFoundError):
                await refuse(Unknown("there is no such file any more", hint="Load the page again."), send)
            else:
                await refuse(Changed("the file has changed", hint="Restart the server."), send, status=500)
        finally:
            gone.cancel()

    def _make(self, preview: LinkPreview, language: str, base: str, path: str) -> File:
        """The front page about an address."""
        if self._previews is None:
            return self._front
        head = self._previews.head(preview, language, base, path, frozenset(self._files)).encode()
        return with_head(self._front, head, language)


def read(folder: Path) -> dict[str, File]:
    """All files of a folder by their path in it."""
    paths = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    endings = tuple(ending for ending, _ in _PACKED)
    found = {}
    for name, path in paths.items():
        if name.endswith(endings) and name.rpartition(".")[0] in paths:
            continue
        packed = [_read(encoding, paths[name + ending]) for ending, encoding in _PACKED if name + ending in paths]
        cache = FOR_EVER if name.startswith("assets/") else "no-cache"
        found[name] = File(_kind(name), cache, [*packed, _read("", path)])
    return found


def finished(front: File, games: bytes, place: bytes) -> File:
    """The front page with the games in it, and with the place of its files. No text of a game can end the element that
    they stand in.
    """
    before, slot, after = front.forms[-1].body.replace(NEARBY, b'="' + place).partition(SLOT)
    return _with(front, before + slot + games.replace(b"<", b"\\u003c") + after if slot else before)


def version(files: Mapping[str, File]) -> bytes:
    """Changes with what no name of a file changes with: the front page, and the page's own Python."""
    parts = [files[name].forms[-1].etag for name in (INDEX, PYTHON) if name in files]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16].encode()


def with_version(service: File, version: bytes) -> File:
    """The service worker of a version of the page."""
    return _with(service, service.forms[-1].body.replace(VERSION, version))


def _with(file: File, body: bytes) -> File:
    return file._replace(forms=[_form("gzip", gzip.compress(body, mtime=0)), _form("", body)])


def with_head(front: File, head: bytes, language: str) -> File:
    """The front page with another head, in one language alone; as it is, if it has no place for one."""
    body = front.forms[-1].body
    before, slot, rest = body.partition(HEAD[0])
    _, end, after = rest.partition(HEAD[1])
    if not slot or not end:
        return front
    body = (before + head + after).replace(LANGUAGE, f'<html lang="{language}">'.encode(), 1)
    body = _OF_LANGUAGE.sub(lambda found: found[0] if found[1] == language.encode() else b"", body)
    return _with(front, body)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []


def _form(encoding: str, body: bytes) -> FileForm:
    return FileForm(encoding, f'"{hashlib.sha256(body).hexdigest()[:20]}"', body, None, len(body))


def _read(encoding: str, path: Path) -> FileForm:
    """A file as it is on disk; what is large is not kept."""
    with path.open("rb") as file:
        changed = os.fstat(file.fileno()).st_mtime_ns
        form = _form(encoding, file.read())
    return form._replace(body=b"", file=path, changed=changed) if form.size > LARGE else form


def _read_piece(path: Path, form: FileForm, at: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        piece = file.read(CHUNK_BYTES)
        found = os.fstat(file.fileno())
        if (found.st_size, found.st_mtime_ns) != (form.size, form.changed) or len(piece) != min(
            CHUNK_BYTES, form.size - at
        ):
            raise OSError(f"{path} has changed since the server started")
        return piece


def _kind(name: str) -> str:
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind == "image/svg+xml" else kind


def _piece(body: bytes, *, more: bool = False) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def _disconnected(receive: Receive) -> None:
    """Wait until the client has hung up. Whether one does that sends more than it may is not known: wait for ever."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except Refusal:
        await asyncio.get_running_loop().create_future()


async def _abort(scope: Scope, gone: asyncio.Future[None]) -> None:
    """End the connection of an answer that cannot be completed."""
    abort = scope.get("extensions", {}).get(ABORT)
    if abort is not None:
        abort()
        await asyncio.wait({gone}, timeout=1)


def accepted_encodings(header: str) -> set[str]:
    """The encodings a browser takes: those it names without refusing them (`q=0`)."""
    found = set()
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(name.strip())
    return found
