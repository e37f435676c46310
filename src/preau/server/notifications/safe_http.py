"""Calling an address that a stranger has named: a https address of the public internet and nothing else, however its
name is resolved, without following anywhere, for a bounded time and a bounded answer.

The name is resolved here, once for each call, every address of it is looked at, and the connection is made to one that
was looked at: a name that means something else a moment later (DNS rebinding) leads nowhere. TLS is held to the name.
"""

from __future__ import annotations

import asyncio
import email.utils
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from ..._version import version
from ...table.refusals import Refusal

SECONDS = 10.0
"""For a whole call: finding the address, connecting, asking, hearing the answer."""
HEAD = 16_384
"""Bytes of an answer that are read; its body is not."""
LONGEST = 1_024
"""Letters of an address."""

_HOST = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""A name with a dot in it; no bare IP address."""
_PATH = re.compile(r"/[!#-;=?-_a-z|~]*")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""Where a network translates to IPv4: the last 32 bits are what is meant."""

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(Exception):
    """An address that may not be called: it leads into somebody's own network."""


class Address(NamedTuple):
    """A web address in its parts."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Whose it is."""
        usual = 443 if self.scheme == "https" else 80
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == usual else f":{self.port}")


class HttpAnswer(NamedTuple):
    """What was answered."""

    status: int
    wait: int
    """For how many seconds the other side does not want to be called again."""


def read_address(text: str, *, anywhere: bool = False) -> Address:
    """An address that somebody has named, or a refusal. `anywhere` takes http, other ports and bare IP addresses."""
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise _refused() from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if len(text) > LONGEST or parts.fragment or "@" in parts.netloc or not _PATH.fullmatch(path):
        raise _refused()
    if anywhere:
        if parts.scheme not in ("http", "https") or not re.fullmatch(r"[a-z0-9.:-]+", host):
            raise _refused()
    elif parts.scheme != "https" or port not in (None, 443) or not _HOST.fullmatch(host):
        raise _refused()
    return Address(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path)


def _refused() -> Refusal:
    return Refusal(
        "that is no address that a push service has",
        field="endpoint",
        key="call_address",
        hint="Send what the browser's push subscription says: https, the usual port, a public name.",
    )


def is_public(ip: Ip) -> bool:
    """Whether an address is one of the public internet, with all ways to write IPv4 as IPv6."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(ip.ipv4_mapped)
        if ip in _TRANSLATED:
            return is_public(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF))
        if ip.sixtofour is not None or ip.teredo is not None or ip.is_site_local or ip.scope_id:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip.is_loopback)


Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """What the system says a name means; blocks."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class SafeHttpClient:
    """Calls addresses outside."""

    def __init__(self, *, anywhere: bool = False, resolve: Resolve = resolve) -> None:
        self._anywhere = anywhere
        self._resolve = resolve
        self._threads = ThreadPoolExecutor(8, "resolve")
        """Of their own: a resolver that hangs holds up nothing else."""
        self._tls: ssl.SSLContext | None = None

    def close(self) -> None:
        """Nobody is called any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def read(self, text: str) -> Address:
        """An address that somebody has named, or a refusal."""
        return read_address(text, anywhere=self._anywhere)

    async def find(self, address: Address) -> list[str]:
        """Resolve a name. Raise `ForbiddenAddress` if an address may not be called, OSError if there is none."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, self._resolve, address.host, address.port)
        if not found:
            raise OSError("the name means nothing")
        if not self._anywhere and not all(is_public(ipaddress.ip_address(one)) for one in found):
            raise ForbiddenAddress(address.host)
        return found

    async def post(self, address: Address, headers: Mapping[str, str], body: bytes) -> HttpAnswer:
        """Send a body, return the answer. Raise OSError after the time limit, `ForbiddenAddress` for a private one."""
        try:
            async with asyncio.timeout(SECONDS):
                found = await self.find(address)
                return await self._post(found, address, headers, body)
        except TimeoutError:
            raise OSError("no answer in time") from None
        except OSError:
            raise
        except (EOFError, asyncio.LimitOverrunError, ValueError, IndexError) as error:
            raise OSError(f"no answer that makes sense: {type(error).__name__}") from error

    async def _post(self, found: list[str], address: Address, headers: Mapping[str, str], body: bytes) -> HttpAnswer:
        reader, writer = await self._connect(found, address)
        try:
            host = address.origin.partition("://")[2]
            usual = {"Host": host, "User-Agent": f"preau/{version()}", "Content-Length": str(len(body))}
            lines = [f"{name}: {value}" for name, value in {**usual, "Connection": "close", **headers}.items()]
            head = "\r\n".join([f"POST {address.path} HTTP/1.1", *lines, "", ""])
            writer.write(head.encode("ascii") + body)
            await writer.drain()
            while True:
                heard = _heard(await reader.readuntil(b"\r\n\r\n"))
                if heard.status >= 200:  # before that, it only says that it goes on
                    return heard
        finally:
            writer.transport.abort()

    async def _connect(self, found: list[str], address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A line to the first of these IP addresses that answers."""
        tls = self._context() if address.scheme == "https" else None
        name = address.host if tls else None
        error: OSError = OSError("nobody answers")
        for ip in found[:4]:
            try:
                return await asyncio.open_connection(ip, address.port, ssl=tls, server_hostname=name, limit=HEAD)
            except OSError as failed:
                error = failed
        raise error

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        return self._tls


def _heard(head: bytes) -> HttpAnswer:
    first, *lines = head.decode("latin-1").split("\r\n")
    protocol, status = first.split()[:2]
    if not protocol.startswith("HTTP/1.") or len(status) != 3:
        raise ValueError(first)
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return HttpAnswer(int(status), seconds(fields.get("retry-after", ""), fields.get("date", "")))


def seconds(text: str, date: str = "") -> int:
    """What `Retry-After` says, as a number of seconds or as a time by the other side's own clock (`date`)."""
    if text.isascii() and text.isdigit():
        return int(text[:9])
    with suppress(ValueError):
        later = email.utils.parsedate_to_datetime(text)
        now = email.utils.parsedate_to_datetime(date)
        return max(0, int((later - now).total_seconds()))
    return 0
