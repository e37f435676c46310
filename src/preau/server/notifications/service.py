"""Calling people when it is their turn, at tables with days for a move: in their browser (Web Push) or by mail.

Who wants to be called stands in `calls`, a row for each table and device, and the same rows are the queue. A step marks
the rows of its table in its own transaction, so none is forgotten whatever dies. A while later a process claims what
is marked (a lease, as with bots), looks whose turn it is *now*, and calls if that turn was not told yet. So what came
meanwhile folds into one call, and nobody is called for a turn that was taken. A process that dies with a call on its
way leaves it to another, which calls again: under the same topic, so that the device shows one.

What cannot be delivered is tried again later and later, as the other side wishes, for as long as the turn lasts.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from ...core.errors import PreauError, RecordError
from ...host.identifiers import hash_secret, new_id
from ...host.refusals import TooMuch, busy, too_many
from ...table import protocol
from ...table.refusals import Refusal, TooLate, Unknown
from ...table.table import DAY_MS
from ..config import Config
from ..logs import log, short
from ..metrics import Metrics
from ..storage import leases, schema
from ..storage.store import Store
from ..tables.credentials import Credentials
from ..tables.repository import TableRepository
from ..tables.table_entry import TableEntry
from ..token_buckets import Buckets, RateLimit
from .email import EmailSender
from .messages import NotificationTexts, TurnNotice
from .safe_http import ForbiddenAddress, SafeHttpClient

try:
    from . import web_push
except ModuleNotFoundError:  # the server was installed without `preau[push]`
    web_push = None  # type: ignore[assignment]

AT_ONCE = 16
"""Calls that a process makes side by side."""
ASKS_AT_ONCE = 100
"""Requests to ask a mailbox that are dealt with at once: mails go out one after the other."""
ASKS_SECONDS = 60
"""When to try again while there are so many."""
FIRST_WAIT_MS, LONGEST_WAIT_MS = 30_000, 6 * 3_600_000
"""How long to wait after a call in vain: twice as long each time, this long at most."""
LONGEST_WISH_MS = DAY_MS
"""How far the other side can put us off."""
LONGEST_TTL = 28 * 86_400
"""How long a push service is asked to keep a call for a device that is off, in seconds."""
GONE = (404, 410)
LATER = (408, 425, 429)


class Claimed(NamedTuple):
    """A row that this process has to itself for a while."""

    id: str
    table_id: str
    holder: str
    kind: str
    endpoint: str
    key: str
    auth: str
    language: protocol.Language
    confirmed: bool
    told: int
    marks: int
    tries: int


class Notifications:
    """Who is called, and the calling of this process."""

    def __init__(
        self,
        config: Config,
        now: Callable[[], int],
        process: str,
        tables: TableRepository,
        store: Store,
        credentials: Credentials,
        metrics: Metrics,
    ) -> None:
        self._config = config
        self._limits = config.limits
        self._now = now
        self._process = process
        self._tables = tables
        self._store = store
        self._credentials = credentials
        self._metrics = metrics
        self._http = SafeHttpClient(anywhere=config.push_anywhere)
        self.mails = EmailSender(self._config)
        self._saying = NotificationTexts(self._config)
        self._asked = Buckets(self._limits.mail_asks_per_day / 86_400, self._limits.mail_asks_burst)
        """Mailboxes that were asked lately."""
        self._askers = RateLimit(
            "calls", self._limits.mail_asks_per_minute_per_address / 60, self._limits.mail_asks_burst_per_address
        )
        """Addresses that had mailboxes asked lately."""
        self._asking = 0
        self._sender: Any = None
        self._topics = b""
        self._running: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Read this server's own key, or make it once."""
        self._topics = self._credentials.secret_of("topics")
        self.mails.open(self._credentials.secret_of("mails"))
        if self._config.push and web_push is not None:
            kept = await self._store.setting("vapid", web_push.new_key)
            self._sender = web_push.PushSender(kept, _contact(self._config))

    async def close(self) -> None:
        """Stop; what is on its way is left to others."""
        self._closed = True
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._http.close()
        self.mails.close()

    def about(self) -> protocol.Calling:
        """What this server can do."""
        return protocol.Calling(key=self._sender.public if self._sender is not None else "", mail=self.mails.can)

    # Asking for it.

    async def ask(self, entry: TableEntry, holder: str, wish: protocol.CallMe, maker: str) -> None:
        """Call a browser from now on when it is this person's turn. The same again renews it."""
        if self._sender is None:
            raise TooLate("this server calls nobody", key="no_push", hint="Its host has not set that up.")
        if not web_push.is_point(wish.p256dh):
            raise Refusal("that is no key", field="p256dh", key="call_key", hint="Send what the browser says.")
        address = self._http.read(wish.endpoint)
        try:
            async with asyncio.timeout(5):
                await self._http.find(address)
        except ForbiddenAddress:
            raise self._private() from None
        except (OSError, TimeoutError, UnicodeError):
            pass  # it may be found later, and is looked at again then
        values = {"key": wish.p256dh.rstrip("="), "auth": wish.auth.rstrip("="), "language": wish.language}
        await self._keep(entry, holder, "push", wish.endpoint, maker, values)

    async def ask_mail(self, entry: TableEntry, holder: str, wish: protocol.WriteMe, maker: str) -> None:
        """Ask a mailbox whether its owner wants to be written to when it is this person's turn.

        Mails go out one at a time, so a request beyond `ASKS_AT_ONCE` is refused.
        """
        if not self.mails.can:
            raise TooLate("this server writes no mails", key="no_mail", hint="Its host has not set that up.")
        address = self.mails.read(wish.address)
        if self._asking >= ASKS_AT_ONCE:
            raise busy("many mails wait to be sent", ASKS_SECONDS)
        self._count_ask(maker, address.lower())
        self._asking += 1
        try:
            await self._ask_mailbox(entry, holder, address, wish.language, maker)
        finally:
            self._asking -= 1

    def _count_ask(self, maker: str, mailbox: str) -> None:
        """Count a mail of an address and to a mailbox; refuse it if either has had enough."""
        self._askers.spend(maker)
        if not self._asked.take(mailbox):
            self._askers.give_back(maker)
            raise too_many("calls", self._asked.of(mailbox).wait(), of="to this mailbox", key="mail_asked")

    async def _ask_mailbox(
        self, entry: TableEntry, holder: str, address: str, language: protocol.Language, maker: str
    ) -> None:
        values = {"language": language, "confirmed": False}
        made = await self._keep(entry, holder, "mail", address, maker, values)
        if made is None:
            return
        call = self._saying.confirm(entry.table, self.mails.code(made), language)
        try:
            await self.mails.send(address, call)
        except OSError as error:
            await self._store.write(lambda connection: _delete(connection, made))
            log.warning("mail failed", error=str(error)[:200])
            raise TooLate("the mail could not be sent", key="mail_failed", hint="Try again later.") from None

    def _private(self) -> Refusal:
        return Refusal(
            "that address is not one of the public internet",
            field="endpoint",
            key="call_private",
            hint="The host of this server can allow it: --push-anywhere.",
        )

    async def _keep(
        self, entry: TableEntry, holder: str, kind: str, endpoint: str, maker: str, values: dict[str, Any]
    ) -> str | None:
        """Write down whom to call; the name of the row, or None if there is nothing new. Turns that have begun already
        are known to whoever asks: they are there.
        """
        if entry.table.timer != "days":
            raise TooLate("only at tables with days for a move", key="no_calls", hint="At others, people stay.")
        if entry.status == "over":
            raise TooLate("the game is over", key="over", hint="There is nothing to wait for.")
        now, name, proof = self._now(), new_id(), hash_secret(endpoint)

        def work(connection: sa.Connection) -> str | None:
            calls = schema.calls
            connection.execute(sa.select(schema.holders.c.id).where(schema.holders.c.id == holder).with_for_update())
            mine = sa.and_(calls.c.holder == holder, calls.c.endpoint_hash == proof)
            known = connection.execute(sa.select(calls.c.id, calls.c.confirmed).where(mine)).first()
            if known is not None:
                kept = {key: value for key, value in values.items() if key != "confirmed"}
                connection.execute(sa.update(calls).where(mine).values(**kept))
                return known.id if known.id == name else None  # else the answer of an earlier try was lost
            self._make_room(connection, holder, kind, maker)
            row = {"id": name, "table_id": entry.id, "holder": holder, "kind": kind, "maker": maker, "created": now}
            row |= {"endpoint": endpoint, "endpoint_hash": proof, "told": now, **values}
            connection.execute(sa.insert(calls), [row])
            return name

        return await self._store.write(work)

    def _make_room(self, connection: sa.Connection, holder: str, kind: str, maker: str) -> None:
        """Forget this person's oldest devices (of mailboxes there is one), and refuse one more of too many."""
        calls, limits = schema.calls, self._limits
        most = 1 if kind == "mail" else limits.calls_per_person
        own = sa.select(calls.c.id).where(calls.c.holder == holder, calls.c.kind == kind)
        for old in connection.execute(own.order_by(calls.c.created.desc()).offset(most - 1)).scalars().all():
            _delete(connection, old)
        if limits.calls_per_address and _count(connection, calls.c.maker == maker) >= limits.calls_per_address:
            raise TooMuch(
                "too many devices of this address are notified already",
                key="calls_full",
                params={"most": limits.calls_per_address},
                hint=f"At most {limits.calls_per_address}. Switch notifications off at other tables first.",
            )

    async def end(self, holder: str, endpoint: str) -> None:
        """Do not call a browser any more for this person."""
        calls = schema.calls
        mine = sa.and_(calls.c.holder == holder, calls.c.endpoint_hash == hash_secret(endpoint))
        await self._store.write(lambda connection: connection.execute(sa.delete(calls).where(mine)).rowcount)

    # Mailboxes.

    async def mail(self, holder: str) -> protocol.Mail:
        """Whether this person is written to."""
        calls = schema.calls
        mine = sa.select(calls.c.confirmed).where(calls.c.holder == holder, calls.c.kind == "mail")
        found = await self._store.read(lambda connection: connection.execute(mine).scalar())
        return protocol.Mail(state="off" if found is None else "on" if found else "asked")

    async def end_mail(self, holder: str) -> None:
        """Do not write to this person any more."""
        calls = schema.calls
        mine = sa.and_(calls.c.holder == holder, calls.c.kind == "mail")
        await self._store.write(lambda connection: connection.execute(sa.delete(calls).where(mine)).rowcount)

    async def confirm(self, code: str) -> str:
        """The owner of a mailbox wants to be written to; the table it is about."""
        name, calls = self._named(code), schema.calls

        def work(connection: sa.Connection) -> str | None:
            connection.execute(sa.update(calls).where(calls.c.id == name).values(confirmed=True))
            return connection.execute(sa.select(calls.c.table_id).where(calls.c.id == name)).scalar()

        found = await self._store.write(work)
        if found is None:
            raise self._unknown()
        return found

    async def end_code(self, code: str) -> None:
        """The owner of a mailbox wants no more. Whoever says so twice is not told that it was done already."""
        name = self._named(code)
        await self._store.write(lambda connection: _delete(connection, name))

    def _named(self, code: str) -> str:
        name = self.mails.name(code)
        if name is None:
            raise self._unknown()
        return name

    def _unknown(self) -> Unknown:
        return Unknown("this link has ended", field="code", key="mail_code", hint="Ask for mails at the table again.")

    # Calling.

    def poll(self) -> None:
        """See whether somebody is to be called."""
        if self._running is None and not self._closed and (self._sender is not None or self.mails.can):
            self._running = asyncio.create_task(self._run(), name="calls")

    async def settle(self) -> None:
        """Until all is called that is due now."""
        self.poll()
        while self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while claimed := await self._claim():
                failed = await asyncio.gather(*(self._work(one) for one in claimed), return_exceptions=True)
                for error in failed:
                    if error is not None:
                        raise error
        except PreauError as error:
            log.warning("calls put off", error=str(error))
        except Exception as error:
            log.error("calls failed", exc_info=error)
        finally:
            self._running = None

    async def _claim(self) -> list[Claimed]:
        """Some of what is due and no other process has, for this one alone for a while."""
        now, process = self._now(), self._process
        until = now + self._config.lease_ms
        due = await self._store.read(lambda connection: _due(connection, now, until))
        if not due:
            return []
        return await self._store.write(lambda connection: _claimed(connection, due, process, now, until))

    async def _work(self, one: Claimed) -> None:
        """Deal with one row; what goes wrong there keeps no other waiting."""
        try:
            await self._call(one)
        except Unknown:  # the table, the person or the game is no more
            await self._store.write(lambda connection: _delete(connection, one.id))
        except RecordError as error:  # a game this program cannot replay; perhaps another one can
            log.warning("call put off", table=short(one.table_id), error=str(error))
            await self._later(one, 0, "put_off")

    async def _call(self, one: Claimed) -> None:
        """Call somebody, if it is their turn and they do not know."""
        turn = await self._turn(one)
        if turn is None or turn.since <= one.told:
            await self._settled(one)
        elif one.kind == "push" and self._sender is not None:
            await self._push(one, turn)
        elif one.kind == "mail" and self.mails.can and one.confirmed:
            await self._mail(one, turn)
        else:
            await self._settled(one)

    async def _turn(self, one: Claimed) -> TurnNotice | None:
        """This person's turn as the log has it now, whichever process made the last step; None if it is not theirs."""
        entry = await self._tables.get(one.table_id)
        if entry.status == "over" or not entry.table.seats_of(one.holder):
            raise Unknown("there is nothing to wait for")
        if entry.status != "playing":
            return None
        async with entry.lock:
            await self._tables.live(entry)
            await self._tables.catch_up(entry)
            live, table = await self._tables.live(entry), entry.table
            if live.state.over:
                raise Unknown("there is nothing to wait for")
            mine = [seat for seat in table.seats_of(one.holder) if table.bot_of(seat, self._config) is None]
            since = [live.since[seat] for seat in mine if seat in live.since]
        if not since:
            return None
        return TurnNotice(table, [seat for seat in mine if seat in live.since], max(since), min(since) + table.timer_ms)

    async def _push(self, one: Claimed, turn: TurnNotice) -> None:
        now = self._now()
        topic = web_push.b64(hmac.digest(self._topics, one.table_id.encode(), "sha256"))[:24]
        body = msgspec.json.encode(self._saying.push(turn, one.language, topic))
        headers = {"TTL": str(max(0, min(LONGEST_TTL, (turn.ends - now) // 1000))), "Topic": topic, "Urgency": "normal"}
        headers |= {"Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm"}
        try:
            address = self._http.read(one.endpoint)
            headers["Authorization"] = self._sender.authorization(address.origin, now // 1000)
            sealed = web_push.encrypt(web_push.padded(body), one.key, one.auth)
            heard = await self._http.post(address, headers, sealed)
        except (ForbiddenAddress, Refusal):
            log.warning("call refused", reason="address", table=short(one.table_id))
            await self._gone(one, "private")
        except OSError:
            await self._later(one, 0, "unreachable")
        else:
            if 200 <= heard.status < 300:
                await self._told(one, turn, self._config.call_every_ms, "sent")
            elif heard.status in GONE:
                await self._gone(one, "gone")
            elif heard.status in LATER or heard.status >= 500:
                await self._later(one, heard.wait * 1000, "later")
            else:
                log.warning("call refused", status=heard.status, service=address.host)
                await self._told(one, turn, self._config.call_every_ms, "refused")

    async def _mail(self, one: Claimed, turn: TurnNotice) -> None:
        call = self._saying.mail(turn, self.mails.code(one.id), one.language, self._now())
        try:
            await self.mails.send(one.endpoint, call)
        except OSError as error:
            log.warning("mail failed", error=str(error)[:200])
            await self._later(one, 0, "mail_failed")
        else:
            await self._told(one, turn, self._config.mail_every_ms, "mailed")

    # What came of it.

    async def _settled(self, one: Claimed, *, done: bool = True, **values: Any) -> None:
        """Let go of a row. If it is `done` and its table was not marked again meanwhile, nobody need look at it."""
        calls, process = schema.calls, self._process

        def work(connection: sa.Connection) -> None:
            mine = sa.and_(calls.c.id == one.id, calls.c.lease_by == process)
            if done:
                connection.execute(sa.update(calls).where(mine, calls.c.marks == one.marks).values(due=None))
            connection.execute(sa.update(calls).where(mine).values(lease_by=None, lease_until=0, **values))

        await self._store.write(work)

    async def _told(self, one: Claimed, turn: TurnNotice, every: int, how: str) -> None:
        """This turn is told, and the next not at once."""
        self._metrics.calls.labels(how).inc()
        await self._settled(one, told=turn.since, tries=0, wait_until=self._now() + every)

    async def _later(self, one: Claimed, wish: int, how: str) -> None:
        """It could not be told now: again later, not sooner than the other side wishes."""
        self._metrics.calls.labels(how).inc()
        wait = max(min(LONGEST_WAIT_MS, FIRST_WAIT_MS << min(one.tries, 20)), min(wish, LONGEST_WISH_MS))
        await self._settled(one, done=False, tries=one.tries + 1, wait_until=self._now() + wait)

    async def _gone(self, one: Claimed, how: str) -> None:
        """Nobody is there any more."""
        self._metrics.calls.labels(how).inc()
        await self._store.write(lambda connection: _delete(connection, one.id))


def _contact(config: Config) -> str:
    """Where a push service can ask about this server."""
    public = next((origin for origin in config.origins if origin.startswith("https://")), "")
    return config.push_contact or public or "mailto:nobody@localhost"


# In the database.


def _delete(connection: sa.Connection, name: str) -> None:
    connection.execute(sa.delete(schema.calls).where(schema.calls.c.id == name))


def _count(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(schema.calls).where(which)).scalar_one()


def _due(connection: sa.Connection, now: int, until: int) -> list[str]:
    """What is to be looked at and no living process has, the oldest first. Whatever lies further ahead than anybody
    could have put it was put there by a clock that was set back since.
    """
    calls = schema.calls.c
    furthest = now + LONGEST_WISH_MS + leases.SKEW_MS
    waited = sa.or_(calls.wait_until <= now, calls.wait_until > furthest)
    due = sa.or_(calls.due <= now, calls.due > furthest)
    free = sa.select(calls.id).where(due, waited, leases.is_free(schema.calls, now, until))
    return list(connection.execute(free.order_by(calls.due).limit(AT_ONCE)).scalars())


def _claimed(connection: sa.Connection, ids: list[str], process: str, now: int, until: int) -> list[Claimed]:
    calls = schema.calls
    won = []
    for one in sorted(ids):
        mine = sa.and_(calls.c.id == one, calls.c.due.is_not(None), leases.is_free(calls, now, until))
        if connection.execute(sa.update(calls).where(mine).values(lease_by=process, lease_until=until)).rowcount:
            won.append(one)
    rows = connection.execute(sa.select(*(calls.c[name] for name in Claimed._fields)).where(calls.c.id.in_(won)))
    return [Claimed(*row) for row in rows]


def forget_mailboxes(connection: sa.Connection, now: int) -> None:
    """Forget mailboxes whose owners have not answered for a day."""
    calls = schema.calls
    unanswered = sa.and_(calls.c.confirmed.is_(sa.false()), calls.c.created < now - DAY_MS)
    connection.execute(sa.delete(calls).where(unanswered))
