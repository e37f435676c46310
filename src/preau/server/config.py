"""How a server is set up. Every setting has a default that is safe on the open internet behind a proxy."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec

from ..host.body_limits import MESSAGE_BYTES, MOST_BYTES
from ..table.table import Table, TablePolicy
from .custom_bots import CustomBot

Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Rate = Annotated[float, msgspec.Meta(ge=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one user, one address or one connection may ask for. A rate of 0 switches that limit off.

    A user is a token. The limits of an address are as large as those of `people_per_address` users together, so that a
    class behind one address is not refused.
    """

    people_per_address: Positive = 60
    """Users at their limit that one address may be as busy as."""
    requests_per_second: Rate = 4
    """HTTP requests of one user to the API; 0: any number."""
    requests_burst: Positive = 40
    """The same at once."""
    refusal_ms: Count = 1_000
    """Milliseconds before a refusal of too many requests is sent, so that the client asks less often."""
    downloads_per_second: Rate = 200
    """Files of the page that one address may load. More wait for their turn; a front page counts as ten. 0: any
    number."""
    downloads_burst: Positive = 8_000
    """The same at once: a class of 40 loads some 6,000."""
    downloads_wait_ms: Positive = 10_000
    """Milliseconds that a file may wait for its turn by this rate. One that would have to wait longer is refused."""
    download_bytes: Count = 64_000_000
    """Bytes of large files that all clients together hold up by reading slowly; other downloads wait. 0: any number."""
    download_bytes_per_address: Count = 16_000_000
    """The same of one address."""
    download_bytes_wait_ms: Positive = 60_000
    """Milliseconds that a large file waits for its turn by these bytes before it is refused."""
    download_piece_ms: Positive = 10_000
    """Milliseconds in which a client must take 64 kB of a large file while others wait for its place. A slower download
    is ended: one of the address that has reached its limit, or of the one that holds most."""
    tables_per_minute: Rate = 60
    """Tables made by one address; 0: any number."""
    tables_burst: Positive = 120
    """The same at once: each pupil of three classes makes one."""
    tables_kept_per_address: Count = 5_000
    """Tables of the last 30 days that are kept of one address; 0: any number. 250 on each of 20 school days: a school
    of 800 at play in the same break every day. If all were played, some 150 MB."""
    guesses_per_minute: Rate = 30
    """Wrong codes and one-time links tried by one address. Right ones do not count. 0: any number."""
    guesses_burst: Positive = 60
    """The same at once."""
    connections: Count = 0
    """Open connections of all kinds in one process; 0: as many as the system allows files, less 128 for the server."""
    connections_per_address: Count = 500
    """The same of one address, counted from the moment it connects. Proxies are not counted. 0: any number."""
    sockets_per_address: Count = 400
    """Open WebSockets of one address; 0: any number."""
    sockets_per_user: Positive = 12
    """Open WebSockets of one user at one table: seats times devices."""
    spectators_per_table: Count = 60
    """Open WebSockets of spectators at one table."""
    people_per_table: Positive = 100
    """Users that one table remembers: those at the table and those whom the host has removed. No more can join."""
    messages_per_second: Rate = 15
    """WebSocket messages of one user at a table. Every kind of frame counts, and each kilobyte counts as one more. 0:
    any number."""
    messages_burst: Positive = 60
    """The same at once."""
    messages_share_per_second: Rate = 0.75
    """Messages that each WebSocket may still send when its address is at its limit; 0: any number."""
    messages_share_burst: Positive = 10
    """The same at once."""
    malformed_messages: Count = 60
    """Malformed messages of one WebSocket before it is closed."""
    chat_per_minute: Rate = 20
    """Chat messages of one user at a table; 0: any number."""
    chat_burst: Positive = 6
    """The same at once."""
    undo_per_minute: Rate = 30
    """Requests of one user at a table to take steps back; 0: any number."""
    undo_burst: Positive = 10
    """The same at once."""
    hints_per_minute: Rate = 30
    """Hints that one user at a table asks for. Each takes a bot's thinking time. 0: any number."""
    hints_burst: Positive = 10
    """The same at once."""
    shared_replays_per_table: Positive = 16
    """Shared replays of one table that are in use at the same time."""
    leads_per_second: Rate = 5
    """Steps that the leader of a shared replay shows to the others; 0: any number."""
    leads_burst: Positive = 20
    """The same at once."""
    waiting_per_address: Count = 100
    """Data files, replays and puzzles of one address that wait to be worked on; 0: any number."""
    reviews_per_address: Count = 20
    """Reviews asked for by one address that wait; 0: any number."""
    reviews_waiting: Count = 200
    """The same of all addresses together: some hours' work. 0: any number."""
    reviews_kept_per_address: Count = 500
    """Reviews of the last 30 days that are kept of one address; 0: any number."""
    calls_per_minute: Rate = 10
    """Requests of one user to be notified, in the browser or by mail; 0: any number."""
    calls_burst: Positive = 20
    """The same at once."""
    calls_per_person: Positive = 5
    """Devices of one user that are notified for one table; a new one replaces the oldest."""
    calls_per_address: Count = 500
    """Devices and mailboxes that are kept of one address; 0: any number."""
    mail_asks_per_day: Rate = 5
    """Mails that ask one mailbox whether its owner wants to be notified; 0: any number."""
    mail_asks_burst: Positive = 3
    """The same at once."""
    mail_asks_per_minute_per_address: Rate = 10
    """Such mails that one address has sent, to whichever mailboxes; 0: any number. Not multiplied by
    `people_per_address`: a new user costs nothing."""
    mail_asks_burst_per_address: Positive = 40
    """The same at once: each pupil of a class asks for one."""
    unattended_tables: Count = 4
    """Tables without viewers whose bots play on at once; the others take turns. 0: any number."""
    unattended_per_address: Count = 2
    """Those among them that were made from one address; 0: any number."""
    url_bytes: Positive = 2_048
    """Bytes of the address of a request."""
    headers: Positive = 64
    """Headers of a request."""
    header_bytes: Annotated[int, msgspec.Meta(ge=1, le=8_000)] = 8_000
    """Bytes of one header. The library for WebSockets takes no more than 8000."""
    head_bytes: Positive = 16_384
    """Bytes of all of a request before its body."""
    pipelined_requests: Positive = 8
    """Requests of one connection that wait behind one that is being answered."""
    body_bytes: Positive = MOST_BYTES
    """Bytes of the body of a request."""
    message_bytes: Positive = MESSAGE_BYTES
    """Bytes of a WebSocket message."""
    queue_messages: Positive = 256
    """Messages that wait for one slow client before it is disconnected."""
    queue_bytes: Positive = 500_000
    """The same in bytes: ten times the largest `hello`."""
    queue_bytes_per_address: Positive = 20_000_000
    """The same of all WebSockets of one address."""


class Config(TablePolicy, frozen=True, kw_only=True):
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
    bots: tuple[CustomBot, ...] = ()
    """Levels that do not ship. Where a table has one that is not here (any more), the house's `stand_in` plays."""
    bot_pause_ms: Count = 700
    """Milliseconds a bot takes at least while people are at the table. Its answers come at multiples of this."""
    bot_limit_ms: Positive = 20_000
    """Milliseconds a bot may think before another decides in its place. Waiting for its turn does not count."""
    bot_wait_ms: Count = 3_000
    """Milliseconds a bot that searches may wait for its turn at a table with people, before a bot that does not search
    decides in its place; 0: it waits."""
    desk_ms: Positive = 2_000
    """Milliseconds that checking a data file, replaying a game or judging a puzzle may take."""
    review_steps_back: Annotated[int, msgspec.Meta(ge=0, le=19)] = 19
    """Niceness of the process that works out reviews, from 0 to 19. With 19 it takes only the time others leave."""
    review_limit_ms: Positive = 120_000
    """Milliseconds that one piece of a review may take. On a free processor it takes about a second."""
    lease_ms: Positive = 30_000
    """Milliseconds for which a process claims a bot's move or an expired clock."""
    sweep_ms: Positive = 1_000
    """Milliseconds between the sweeps for due moves, expired clocks and steps of other processes."""
    grace_ms: Count = 120_000
    """Milliseconds a player may be away while others wait, before a bot plays for them."""
    silence_ms: Positive = 30_000
    """Milliseconds of silence after which a WebSocket is closed. The server pings in time, and a pong is enough."""
    request_ms: Positive = 10_000
    """Milliseconds until the head of a request must be there, and for which an answer may stand still."""
    body_ms: Positive = 20_000
    """Milliseconds until the body of a request must be there."""
    join_ms: Positive = 10_000
    """Milliseconds until a new WebSocket must send `join`."""
    idle_ms: Count = 120_000
    """Milliseconds until a table without viewers is removed from memory (not from the database)."""
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
    call_after_ms: Count = 15_000
    """Milliseconds of a turn before the player is notified: a player who is there acts meanwhile."""
    call_every_ms: Count = 60_000
    """Milliseconds between two notifications of a browser for one table, at least."""
    mail_every_ms: Count = 3_600_000
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
    """Whether log lines are JSON."""
    compression: bool = True
    """Whether API answers and WebSocket messages are compressed."""
    limits: Limits = Limits()

    def notify_at(self, table: Table, now: int) -> int | None:
        """Return when the players whose turn begins `now` are notified; None at tables without days for a move."""
        return now + self.call_after_ms if table.timer == "days" else None
