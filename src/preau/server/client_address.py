"""The address that a request counts for, and the proxies whose word on it is trusted."""

from __future__ import annotations

import ipaddress
from typing import Any

_PASSED_ON = (b"forwarded", b"via", b"x-real-ip")
"""Headers that proxies add to a request, besides `x-forwarded-...`."""


def client_address(scope: Any) -> str:
    """Whose request it is: an IPv4 address, or the /64 an IPv6 address lies in."""
    host = (scope.get("client") or ("unknown", 0))[0]
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if ip.version == 6 and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


class TrustedProxies:
    """The addresses whose word on where a request comes from is believed, written as uvicorn takes them."""

    def __init__(self, written: str) -> None:
        names = [name.strip() for name in written.split(",") if name.strip()]
        self._all = "*" in names
        self._networks = [network for name in names if (network := _network(name)) is not None]

    def __contains__(self, host: str) -> bool:
        """Whether this address is one of them."""
        if self._all:
            return True
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(ip in network for network in self._networks)


def _network(name: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(name, strict=False)
    except ValueError:
        return None


def is_local(scope: Any) -> bool:
    """Whether the request comes from this machine itself: not through a proxy on it, which says so in some header."""
    if any(name in _PASSED_ON or name.startswith(b"x-forwarded-") for name, _ in scope["headers"]):
        return False
    try:
        return ipaddress.ip_address((scope.get("client") or ("", 0))[0]).is_loopback
    except ValueError:
        return False
