"""How a server is set up. Every setting has a default that is safe on the open internet behind a proxy."""

from __future__ import annotations

import os

import msgspec

from ..hosting.bodies import MESSAGE_BYTES, MOST_BYTES
from ..table.table import House
from .own_bots import OwnBot


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one address or one connection may ask for. A rate of 0 switches that limit off."""

    requests_per_second: float = 20
    """HTTP requests of one address."""
    requests_burst: int = 100
    refusal_ms: int = 1_000
    """Whoever has asked more than that is told so after this long."""
    tables_per_minute: float = 20
    """Tables made by one address."""
    tables_burst: int = 20
    tables_kept_per_address: int = 5_000
    """Tables of the last 30 days that are kept of one address: 250 on each of 20 school days, which is a school of 800
    at play in the same break every day; if all were played, some 150 MB."""
    guesses_per_minute: float = 20
    """Codes and one-time links tried by one address."""
    guesses_burst: int = 20
    connections: int = 0
    """Open connections of all kinds in all; 0: as many as the system allows files, less some for the server itself."""
    connections_per_address: int = 500
    """The same of one address, counted before anything is asked; a proxy is nobody's address."""
    sockets_per_address: int = 400
    """Open sockets of one address: a whole school may share one."""
    spectators_per_table: int = 60
    messages_per_second: float = 15
    """Socket messages of one person at a table; every kind of frame counts, and each kilobyte."""
    messages_burst: int = 60
    people_per_address: int = 20
    """An address may send as much as so many people at their limit: a school whose people do what people do."""
    chat_per_minute: float = 20
    chat_burst: int = 6
    undo_per_minute: float = 30
    """Everybody at the table may have to be asked."""
    undo_burst: int = 10
    hints_per_minute: float = 30
    """Each takes a bot's thinking time."""
    hints_burst: int = 10
    waiting_per_address: int = 30
    """Data files of one address to be checked, and its replays, that wait at once."""
    reviews_per_address: int = 5
    """Reviews asked for by one address that wait at once."""
    reviews_waiting: int = 200
    """The same of all together, some hours' work."""
    reviews_kept_per_address: int = 500
    """Reviews of the last 30 days that are kept of one address."""
    calls_per_minute: float = 10
    """How often somebody of one address may ask to be called at a table, or written to."""
    calls_burst: int = 20
    calls_per_person: int = 5
    """Devices of one person that are called at one table; the oldest makes room."""
    calls_per_address: int = 500
    """Those that are kept of one address."""
    mail_asks_per_day: float = 5
    """How often one mailbox is asked whether its owner wants to be written to."""
    mail_asks_burst: int = 3
    unattended_tables: int = 4
    """Tables nobody looks at whose bots play on at once; the others take turns. 0: any number."""
    unattended_per_address: int = 2
    """Those among them that were made from one address."""
    body_bytes: int = MOST_BYTES
    message_bytes: int = MESSAGE_BYTES
    queue_messages: int = 256
    """Messages waiting for one slow client before it is dropped."""
    queue_bytes: int = 500_000
    """The same in bytes: ten times the largest `hello`."""
    queue_bytes_per_address: int = 20_000_000


class Config(House, frozen=True, kw_only=True):
    """The settings of one server process, with those that hold for all its tables."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "sqlite:///preau.db"
    redis: str = ""
    origins: tuple[str, ...] = ()
    """Public addresses of this server, such as https://play.example.org. Their hosts are the only names it answers to;
    without any, localhost and bare IP addresses. This machine itself may always use those."""
    proxies: str = "127.0.0.1"
    """Addresses of proxies whose X-Forwarded-For is believed."""
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)
    bots: tuple[OwnBot, ...] = ()
    """Levels that do not ship. Where a table has one that is not here (any more), the house's `stand_in` plays."""
    bot_pause_ms: int = 700
    """How long a bot takes at least when people are at the table; its answers come at multiples of this."""
    bot_limit_ms: int = 20_000
    """A bot that thinks for longer is replaced for that decision; waiting for its turn does not count."""
    bot_wait_ms: int = 3_000
    """Where people are and a bot that searches would have to wait for longer than this before it can think, the
    house's `quick` one makes that decision for it. 0: it waits."""
    desk_ms: int = 2_000
    """How long it may take to check data that somebody brings along, or to replay a game (`desk`)."""
    review_steps_back: int = 19
    """How far the process that works out reviews steps back behind all others; with 19 it has what time they leave."""
    lease_ms: int = 30_000
    """How long a process that claimed a bot's move or an expired clock keeps it to itself."""
    sweep_ms: int = 1_000
    """How often each process looks for due moves that nobody plays, and for news it missed."""
    grace_ms: int = 120_000
    """How long a seat may be deserted, if others wait, before a bot sits in."""
    silence_ms: int = 30_000
    """A socket that says nothing for so long is closed."""
    request_ms: int = 10_000
    """A connection that has not asked a whole question after so long is closed, and one that takes no answer."""
    body_ms: int = 20_000
    """How long the body of a request may take to arrive."""
    join_ms: int = 10_000
    """How long a new socket may take to say `join`."""
    idle_ms: int = 120_000
    """A table without sockets is forgotten (not deleted) after this."""
    keep_waiting_days: int = 30
    """A table that waits for its start is deleted after so many days without a touch; 0: never."""
    keep_unfinished_days: int = 365
    """The same of a game under way."""
    keep_finished_days: int = 365
    """The same of a game that is over, with its record."""
    push: bool = True
    """Whether people may have their browsers called when it is their turn, at tables with days for a move."""
    push_anywhere: bool = False
    """Whether browsers may name any address to be called at: also plain http, any port, and this machine's own network.
    """
    push_contact: str = ""
    """Where a push service can ask about this server: mailto:… or https://…; by default the first of `origins`."""
    call_after_ms: int = 15_000
    """How long somebody's turn lasts before they are called: whoever is there acts meanwhile."""
    call_every_ms: int = 60_000
    """A browser is called for one table once in this time at most."""
    mail_every_ms: int = 3_600_000
    """The same of mails."""
    smtp: str = ""
    """Who takes mail: smtps://user:password@host or smtp://host (with STARTTLS). Without it no mail is written."""
    mail_from: str = ""
    """The address that mails are from."""
    metrics: str = "loopback"
    """Who may read /metrics without a token: loopback (nobody, if there are `origins`), all; or nobody at all: off."""
    metrics_token: str = ""
    """With one, /metrics is for whoever sends it as a bearer token, from anywhere, and for nobody else."""
    log_level: str = "info"
    log_json: bool = True
    compression: bool = True
    limits: Limits = Limits()
