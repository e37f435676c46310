"""Who may ask what: hosts and origins, rates, sizes and headers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

from ...host.identifiers import hash_secret
from ...host.refusals import TooLarge, TooMuch, retry_after, status_of
from ...table import protocol
from ...table.refusals import Forbidden, Refusal, Unknown
from ..client_address import client_address, is_local
from ..config import Config
from ..logs import log
from ..metrics import Metrics
from ..token_buckets import RateLimit
from ..transport.asgi_types import REFUSED, App, Message, Receive, Scope, Send
from .download_limits import DownloadLimits, download_cost

SocketHandler = Callable[[Scope, Receive, Send, str], Awaitable[None]]

_SOCKET = re.compile("/api/tables/([a-z0-9]{1,32})/socket")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:(?P<port>[0-9]{1,5}))?")
CLIENT_CLOSED = "499"
"""The status under which a request is counted whose client hung up before the answer, as nginx does."""
SLOWED = 50
"""Requests of one address that wait to be refused."""


# Hosts and origins.


class OriginPolicy:
    """Which names this server answers to, and which pages may talk to it.

    A foreign name that is made to mean this machine (DNS rebinding) is never among them: nobody can give away
    localhost or a bare IP address.
    """

    def __init__(self, config: Config) -> None:
        self._origins = {origin.rstrip("/").lower() for origin in config.origins}
        self._hosts = {urlsplit(origin).netloc for origin in self._origins}
        self.https = any(origin.startswith("https://") for origin in self._origins)

    def host_is_ours(self, host: str, *, local: bool) -> bool:
        """A configured name; or localhost or a bare IP address, if none is configured or the request is `local`."""
        host = host.lower()
        return host in self._hosts or ((local or not self._hosts) and is_bare(host))

    def origin_is_ours(self, origin: str, host: str) -> bool:
        """A configured origin, or the very host that was asked."""
        origin = origin.rstrip("/").lower()
        if origin in self._origins:
            return True
        parts = origin.partition("://")
        return parts[0] in ("http", "https") and parts[2] == host.lower() and host.lower() not in self._hosts

    def check(self, scope: Scope, *, unsafe: bool) -> None:
        """Refuse a foreign host, and a foreign page that wants to change something or open a socket."""
        host = _once(scope, b"host") or ""
        if not self.host_is_ours(host, local=is_local(scope)):
            raise Forbidden("this server does not answer to that name", field="Host", key="host")
        origin = _once(scope, b"origin")
        if unsafe and origin is not None and not self.origin_is_ours(origin, host):
            raise Forbidden("that page may not talk to this server", field="Origin", key="origin")


def is_bare(host: str) -> bool:
    """Whether a Host header, in small letters, says localhost or an IP address, with a port there is or none."""
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > 65_535:
        return False
    name = found["name"].strip("[]")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return (ipaddress.ip_address(name).version == 6) == host.startswith("[")
    except ValueError:
        return False


def _once(scope: Scope, name: bytes) -> str | None:
    """A header that decides something, and so may not be there twice with one of us reading the other one."""
    found = [value for key, value in scope["headers"] if key == name]
    if len(found) > 1:
        raise Refusal("the header is there twice", field=name.decode().title(), key="malformed")
    return found[0].decode("latin-1") if found else None


def headers(*, https: bool) -> list[tuple[bytes, bytes]]:
    """The headers of every answer. The content policy allows what this server serves itself and nothing else.

    Style attributes are allowed, as the page places and moves things with them; style sheets and scripts inside the
    page are not. A socket to the same host counts as 'self'. Pictures may be `data:`, for QR codes.
    """
    policy = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    found = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    if https:
        found["strict-transport-security"] = "max-age=31536000"
    return [(name.encode(), value.encode()) for name, value in found.items()]


class SecurityMiddleware:
    """The outermost layer: checks every request before anything else reads it, and adds the headers."""

    def __init__(
        self,
        app: App,
        socket: SocketHandler,
        config: Config,
        gate: OriginPolicy,
        metrics: Metrics,
        downloads: DownloadLimits,
    ) -> None:
        limits = config.limits
        self.app = app
        self._door = socket
        self._gate = gate
        self.metrics = metrics
        self._downloads = downloads
        self._requests = RateLimit(
            "requests", limits.requests_per_second, limits.requests_burst, limits.people_per_address
        )
        self._moment = limits.refusal_ms / 1_000
        self._slowed: Counter[str] = Counter()
        """Requests of each address that wait to be refused."""
        self._body = limits.body_bytes
        self._headers = headers(https=gate.https)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        answered = gone = False

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._count_answer(scope, CLIENT_CLOSED if gone else str(message["status"]))
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() != b"server"]
                message["headers"] = [*kept, *self._headers]
                if str(scope["path"]).startswith("/api/") and not any(name == b"cache-control" for name, _ in kept):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        found = dict(scope["headers"])
        try:
            where, cost = client_address(scope), download_cost(scope)
            if cost:
                await self._downloads.begin(where, cost)
            else:
                await self._count(where, _user(found))
            self._gate.check(scope, unsafe=scope["method"] not in ("GET", "HEAD", "OPTIONS"))
            length = found.get(b"content-length", b"0")
            if not length.isdigit() or int(length[:12]) > self._body:
                raise TooLarge("the request is too large", key="size", hint=f"At most {self._body} bytes.")
        except Refusal as error:
            await refuse(error, send_with_headers)
            return

        def hung_up() -> None:
            nonlocal gone
            gone = True

        await self.app(scope, self._counted(receive, hung_up), send_with_headers)
        if not answered:
            self._count_answer(scope, CLIENT_CLOSED)

    def _count_answer(self, scope: Scope, status: str) -> None:
        """Count a request for the metrics by the status of its answer, unless its connection has answered it."""
        if REFUSED in scope.get("extensions", ()):
            return
        if status == CLIENT_CLOSED:
            log.debug("client hung up", method=scope["method"])
        self.metrics.requests.labels(status).inc()

    async def _count(self, where: str, user: str = "") -> None:
        """Count a request of an address and, if it has a token, of a user.

        A refusal is sent after a moment: waiting costs the server nothing, and the client asks less often. If many
        refusals of an address wait already, it is sent at once.
        """
        try:
            self._requests.spend(where, user)
        except TooMuch:
            if self._slowed[where] < SLOWED:
                self._slowed[where] += 1
                try:
                    await asyncio.sleep(self._moment)
                finally:
                    self._slowed[where] -= 1
                    if not self._slowed[where]:
                        del self._slowed[where]
            raise

    def _counted(self, receive: Receive, hung_up: Callable[[], None]) -> Receive:
        """Count a body that comes in pieces while it comes, and say so if the client hangs up."""
        size = 0

        async def receive_counted() -> Message:
            nonlocal size
            message = await receive()
            if message["type"] == "http.disconnect":
                hung_up()
            size += len(message.get("body", b""))
            if size > self._body:
                raise TooLarge("the request is too large", key="size", hint=f"At most {self._body} bytes.")
            return message

        return receive_counted

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _SOCKET.fullmatch(scope["path"])
        try:
            await self._count(client_address(scope))
            self._gate.check(scope, unsafe=True)
            if found is None:
                raise Unknown("there is no socket here")
        except Refusal as error:
            await receive()
            if "websocket.http.response" in scope.get("extensions", ()):
                await refuse(error, send, "websocket.http.response")
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": error.key})
            return
        await self._door(scope, receive, send, found[1])


def _user(headers: Mapping[bytes, bytes]) -> str:
    """Return what tells one user's requests from another's: a hash of the token, or nothing without one."""
    kind, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return hash_secret(token.strip()) if kind.lower() == "bearer" else ""


async def refuse(error: Refusal, send: Send, kind: str = "http.response", status: int = 0) -> None:
    """Answer with a refusal, by default with its own status. A client that asks too much loses the connection as well:
    to ask on over it would cost nothing.
    """
    body = protocol.encode(error.to_json())
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    seconds = retry_after(error)
    if seconds is not None:
        head.append((b"retry-after", str(seconds).encode()))
    if isinstance(error, (TooMuch, TooLarge)):
        head.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": status or status_of(error), "headers": head})
    await send({"type": f"{kind}.body", "body": body, "more_body": False})
