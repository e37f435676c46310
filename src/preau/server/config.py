"""How a server is set up. Every setting has a default that is safe on the open internet behind a proxy."""

from __future__ import annotations

import os

import msgspec

from ..table.table import House


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one address or one connection may ask for. A rate of 0 switches that limit off."""

    requests_per_second: float = 20
    """HTTP requests of one address."""
    requests_burst: int = 100
    tables_per_minute: float = 20
    """Tables made by one address."""
    tables_burst: int = 20
    guesses_per_minute: float = 20
    """Codes and one-time links tried by one address."""
    guesses_burst: int = 20
    sockets_per_address: int = 400
    """Open sockets of one address: a whole school may share one."""
    spectators_per_table: int = 60
    messages_per_second: float = 15
    """Socket messages of one connection."""
    messages_burst: int = 60
    chat_per_minute: float = 20
    chat_burst: int = 6
    undo_per_minute: float = 30
    """Undoing is looked into thoroughly and costs time."""
    undo_burst: int = 10
    body_bytes: int = 65_536
    message_bytes: int = 8_192
    queue_messages: int = 256
    """Messages waiting for one slow client before it is dropped."""


class Config(House, frozen=True, kw_only=True):
    """The settings of one server process, with those that hold for all its tables."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "sqlite:///preau.db"
    redis: str = ""
    origins: tuple[str, ...] = ()
    """Public addresses of this server, such as https://play.example.org. Their hosts are the only names it answers to,
    besides localhost and bare IP addresses."""
    proxies: str = "127.0.0.1"
    """Addresses of proxies whose X-Forwarded-For is believed."""
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)
    bot_pause_ms: int = 700
    """How long a bot takes at least when people are at the table; its answers come at multiples of this."""
    bot_limit_ms: int = 20_000
    """A bot that takes longer is replaced by the game's stand-in for that decision."""
    lease_ms: int = 30_000
    """How long a process that claimed a bot's move or an expired clock keeps it to itself."""
    sweep_ms: int = 1_000
    """How often each process looks for due moves that nobody plays, and for news it missed."""
    grace_ms: int = 120_000
    """How long a seat may be deserted, if others wait, before a bot sits in."""
    silence_ms: int = 30_000
    """A socket that says nothing for so long is closed."""
    idle_ms: int = 120_000
    """A table without sockets is forgotten (not deleted) after this."""
    keep_waiting_days: int = 30
    """A table that waits for its start is deleted after so many days without a touch; 0: never."""
    keep_unfinished_days: int = 365
    """The same of a game under way."""
    keep_finished_days: int = 365
    """The same of a game that is over, with its record."""
    metrics: str = "loopback"
    """Who may read /metrics: loopback, all, or off."""
    log_level: str = "info"
    log_json: bool = True
    compression: bool = True
    limits: Limits = Limits()
