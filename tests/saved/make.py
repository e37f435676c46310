"""Make the saved files of a commit. README.md beside this file says what they are and how to run it.

`python make.py OUT [--worker MODULE:CLASS]`, with the Python and in the folder of the checkout of that commit. Only
the public interfaces of the checkout are used: the server by HTTP and WebSocket, the command `preau`, and what the page
calls in its worker.
"""

from __future__ import annotations

import argparse
import atexit
import base64
import contextlib
import importlib
import itertools
import json
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]

NOW = 1_800_000_000_000
"""The time at which the answers are noted, in milliseconds: the middle of the day 2027-01-15 in UTC."""
DAY_MS = 86_400_000
MAKING_MS = 400_000
"""The clock of the server begins so long before `NOW`. Making takes less, and a one-time link is valid for longer."""
PATIENCE = 120.0
"""Seconds that any answer may take."""
ME: Json = {"kind": "me", "name": "Zoé"}
OPEN: Json = {"kind": "open"}
NAMES = ("Malo", "Inès", "Tom", "Lou")
PAGE_SAVES = ("reviewed_recess", "series_1_bagarre", "over_cour")
"""The tables whose records are also written as the files that the page saves."""
SHOWN = 3
"""Steps of a replay that are noted from its beginning, and from its end."""
IDS = itertools.count(1)
"""Numbers for the ids of actions. A seat must not use an id twice."""
RATES = (
    *("requests_per_second", "tables_per_minute", "guesses_per_minute", "messages_per_second", "chat_per_minute"),
    *("undo_per_minute", "calls_per_minute", "sockets_per_address", "tables_kept_per_address"),
)


def bot(level: str = "random") -> Json:
    """Return the wish for a bot's seat."""
    return {"kind": "bot", "level": level}


# The server.


class Server:
    """A server process of the checkout, with a clock of its own."""

    def __init__(self, database: Path, now: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.clock = database.with_suffix(".clock")
        self.clock.write_text(str(now - time.time_ns() // 1_000_000))
        config = {
            "port": self.port,
            "database": f"sqlite:///{database}",
            "bot_pause_ms": 0,
            "bot_workers": 1,
            "sweep_ms": 200,
            "lease_ms": 3_000,
            "desk_ms": 600_000,
            "log_level": "warning",
            "limits": dict.fromkeys(RATES, 0),
        }
        command = [sys.executable, "-m", "tests.server.launch", json.dumps(config), "--clock", str(self.clock)]
        self.process = subprocess.Popen(command)
        atexit.register(self.process.kill)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api", timeout=PATIENCE, trust_env=False)
        for _ in range(600):
            with contextlib.suppress(httpx.TransportError):
                if self.http.get("/health").status_code == 200:
                    return
            time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.clock.unlink()

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Send a request. Return the status and the body of the answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.http.request(method, path, json=body, headers=headers)
        return answer.status_code, answer.json() if answer.content else None

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Send a request that must succeed. Return the body of the answer."""
        status, found = self.ask(method, path, body, token)
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {found}")
        return found

    def create(self, game: str, seats: list[Json], **more: Any) -> Json:
        """Create a table where seat 0 begins. Return the answer, with the token of the host."""
        options = {} if "from" in more else {"options": {"first": 0, **more.pop("options", {})}}
        made: Json = self.call("POST", "/tables", {"game": game, "seats": seats, **options, **more})
        return made


class Viewer:
    """A client at one table."""

    def __init__(self, server: Server, table: str, token: str | None = None, **wish: Any) -> None:
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        self.socket: ClientConnection = connect(address, proxy=None, max_size=None, ping_interval=None, close_timeout=5)
        self.messages: list[Json] = []
        self.count = 0
        self.send("join", **wish, **({"token": token} if token else {}))
        self.until("hello")

    def send(self, type: str, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": type, **message}))

    def next(self) -> Json:
        """Receive a message."""
        message: Json = json.loads(self.socket.recv(PATIENCE))
        if message["type"] == "ping":
            self.send("pong", n=message["n"])
        else:
            self.messages.append(message)
        return message

    def until(self, *kinds: str) -> Json:
        """Receive until a message of one of these types."""
        while (message := self.next())["type"] not in kinds:
            if message["type"] in ("bye", "refused"):
                raise SystemExit(f"{message} instead of {kinds}")
        return message

    def catch_up(self) -> None:
        """Receive all messages that the server has sent so far."""
        self.count += 1
        self.send("ping", n=self.count)
        while (message := self.next())["type"] != "pong" or message["n"] != self.count:
            pass

    @property
    def now(self) -> Json:
        """The newest hello or step."""
        return [one for one in self.messages if one["type"] in ("hello", "step")][-1]

    def act(self, action: str, **more: Any) -> bool:
        """Act. Return whether that was accepted."""
        name = f"a{next(IDS)}"
        self.send("act", id=name, at=self.now["number"], action=action, **more)
        while (message := self.next()).get("id") != name or message["type"] not in ("step", "ack", "refused"):
            pass
        self.catch_up()
        return bool(message["type"] != "refused")

    def close(self) -> None:
        """Disconnect."""
        self.socket.close()


class Table:
    """A table with the tokens of its people."""

    def __init__(self, server: Server, made: Json, note: str) -> None:
        self.server = server
        self.id: str = made["table"]["id"]
        self.note = note
        """What is special about the table."""
        self.tokens: dict[str, str] = {str(seat): made["token"] for seat in made["seats"]}
        """The token that opens each seat, by its number."""
        self.more: Json = {}
        """What a test needs to know besides."""
        self.rng = random.Random(note)

    def join(self, name: str) -> None:
        """Let a new person take the first open seat."""
        made = self.server.call("POST", f"/tables/{self.id}/join", {"name": name})
        self.tokens[str(made["seats"][0])] = made["token"]

    def start(self) -> None:
        """Begin the game."""
        self.server.call("POST", f"/tables/{self.id}/start", token=self.tokens["0"])

    def info(self) -> Json:
        """Return the table as everybody sees it."""
        found: Json = self.server.call("GET", f"/tables/{self.id}")
        return found

    def viewer(self, seat: int) -> Viewer:
        """Connect a person."""
        return Viewer(self.server, self.id, self.tokens[str(seat)], seat=seat)

    def rest(self) -> Json:
        """Wait until nothing happens without a person. Return the table."""
        for _ in range(2_000):
            info = self.info()
            owing = [info["seats"][seat] for seat in info.get("to_act", [])]
            people = [one for one in owing if one["kind"] == "person" and not one.get("stand_in")]
            wait = people if info.get("challenge") else owing  # in a challenge bots act after people
            if info["status"] != "playing" or (people and people == wait):
                return info
            time.sleep(0.03)
        raise SystemExit(f"{self.note}: the bots do not finish")

    def play(self, decisions: int = 100_000, among: tuple[str, ...] = ()) -> None:
        """Let the people act at random, so many decisions or to the end. `among` are preferred kinds of actions."""
        viewers: dict[int, Viewer] = {}
        for _ in range(decisions):
            info = self.rest()
            if info["status"] == "over":
                break
            seat = next(one for one in info["to_act"] if str(one) in self.tokens)
            if seat not in viewers:
                viewers[seat] = self.viewer(seat)
            viewer = viewers[seat]
            viewer.catch_up()
            legal = viewer.now.get("legal", [])
            if not legal:
                continue
            wanted = [action for action in legal if action.startswith(among)] if among else []
            racing = any(action.startswith("point") for action in legal)
            viewer.act(self.rng.choice(wanted or legal), seat=seat, **({"delay": 700} if racing else {}))
        self.rest()
        for viewer in viewers.values():
            viewer.close()

    def note_down(self, name: str) -> Json:
        """Return what a test needs to know of the table before it is opened again."""
        return {"name": name, "note": self.note, "id": self.id, "tokens": self.tokens, **self.more}


# Tables that wait.


def waiting_recess(server: Server) -> Table:
    made = server.create(
        "recess",
        [ME, OPEN, bot("greedy")],
        options={"turns": 6, "exits": "corner", "layout": "random"},
        visibility="listed",
        newcomers=False,
    )
    table = Table(server, made, "a listed table with an open seat, a bot, options and chat")
    viewer = table.viewer(0)
    viewer.send("say", text="Qui joue ? 🙂")
    viewer.send("say", phrase="hello")
    viewer.catch_up()
    viewer.close()
    return table


def waiting_bagarre(server: Server) -> Table:
    made = server.create("bagarre", [ME, bot("easy"), OPEN], timer={"kind": "turn", "amount": 3_600}, hints=False)
    table = Table(server, made, "a table with sand for each turn, without hints")
    table.join("Malo")
    return table


def waiting_cour(server: Server) -> Table:
    made = server.create("cour", [ME, OPEN, OPEN])
    table = Table(server, made, "three people, two of whom have swapped seats, and a one-time link")
    table.join("Malo")
    table.join("Inès")
    server.call("POST", f"/tables/{table.id}/swap", {"one": 1, "other": 2}, table.tokens["0"])
    table.tokens["1"], table.tokens["2"] = table.tokens["2"], table.tokens["1"]
    table.more["link"] = server.call("POST", f"/tables/{table.id}/move", token=table.tokens["2"])["code"]
    table.more["link_seat"] = 2
    return table


# Tables under way.


def three_people(server: Server, game: str, note: str, **more: Any) -> Table:
    """Start a table of three people."""
    table = Table(server, server.create(game, [ME, OPEN, OPEN], **more), note)
    table.join("Malo")
    table.join("Inès")
    table.start()
    return table


def undo_recess(server: Server) -> Table:
    table = three_people(server, "recess", "an open question to take a decision back, and chat")
    table.play(9)
    viewers = [table.viewer(seat) for seat in range(3)]
    acted = viewers[0].now["to_act"][0]
    before = acted
    while before == acted:  # until another seat is to act: taking back then needs consent
        viewers[acted].act(table.rng.choice(viewers[acted].now["legal"]))
        before = viewers[acted].now["to_act"][0]
    viewers[before].catch_up()
    viewers[before].act(viewers[before].now["legal"][0])
    for viewer in viewers:
        viewer.catch_up()
    at = viewers[acted].now["number"]
    viewers[acted].send("undo", at=at)
    viewers[acted].until("asks")
    agrees = next(seat for seat in range(3) if seat not in (acted, before))
    viewers[agrees].catch_up()
    viewers[agrees].send("agree", at=at, yes=True)
    viewers[agrees].catch_up()
    viewers[before].send("say", text="Moment…")
    viewers[before].catch_up()
    table.more["votes"] = {"at": at, "by": acted, "agreed": agrees, "missing": before}
    for viewer in viewers:
        viewer.close()
    return table


def hints_bagarre(server: Server) -> Table:
    made = server.create("bagarre", [ME, bot("greedy"), bot("normal")], start=True)
    table = Table(server, made, "a person and two bots, with two hints")
    table.play(4)
    viewer = table.viewer(0)
    for rank in (0, 0):
        viewer.send("hint", at=viewer.now["number"], rank=rank)
        viewer.until("hinted")
    viewer.close()
    return table


def left_cour(server: Server) -> Table:
    made = server.create("cour", [ME, OPEN, OPEN, bot()])
    table = Table(server, made, "a seat that was left, one with a bot that sits in, and one agreement")
    table.join("Malo")
    table.join("Inès")
    table.start()
    table.play(8)
    server.call("POST", f"/tables/{table.id}/leave", token=table.tokens["1"])
    table.more["left"] = {"seat": 1, "token": table.tokens.pop("1")}
    server.call("PUT", f"/tables/{table.id}/seats/2", {"kind": "bot", "level": "greedy"}, table.tokens["2"])
    server.call("PUT", f"/tables/{table.id}/seats/1", {"kind": "open"}, table.tokens["0"])
    table.more["stand_in"] = 2
    table.rest()
    return table


def days_bagarre(server: Server, out: Json) -> Table:
    made = server.create("bagarre", [ME, OPEN], timer={"kind": "days", "amount": 2})
    table = Table(server, made, "days for a move, and a browser that is notified of seat 1's turns")
    table.join("Malo")
    table.start()
    table.play(5)
    while table.rest()["to_act"] != [0]:
        table.play(1)
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    auth = random.Random(5).randbytes(16)
    wish = {"endpoint": "https://push.example/one", "p256dh": b64(point), "auth": b64(auth), "language": "fr"}
    server.call("POST", f"/tables/{table.id}/calls", wish, table.tokens["1"])
    table.more["browser"] = {**wish, "seat": 1, "private": f"{key.private_numbers().private_value:064x}"}
    out["push_key"] = server.call("GET", "/calls")["key"]
    return table


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def one_device_recess(server: Server) -> Table:
    made = server.create("recess", [ME, {"kind": "me", "name": "Tom"}, bot("easy")], start=True, options={"turns": 8})
    table = Table(server, made, "pass and play: one token has two seats")
    table.play(7)
    return table


def race_cour(server: Server) -> Table:
    made = server.create("cour", [ME, bot("easy"), bot("hard")], options={"reaction": "live"}, start=True)
    table = Table(server, made, "races measured at the table")
    table.play(9)
    return table


def turn_recess(server: Server) -> Table:
    timer = {"kind": "turn", "amount": 3_600}
    table = three_people(server, "recess", "sand for each turn", timer=timer, options={"equal_turns": True})
    table.play(12)
    viewer = table.viewer(table.rest()["to_act"][0])
    if viewer.act(viewer.now["legal"][-1]) and viewer.now.get("undo"):
        viewer.send("undo", at=viewer.now["number"])
        viewer.until("step")
    viewer.close()
    return table


def challenge_of(server: Server, out: Json) -> Table:
    day = server.call("GET", "/challenges")["today"]
    out["day"] = day
    made = server.call("POST", f"/challenges/bagarre/{day}", {"name": "Zoé"})
    table = Table(server, made, "the challenge of a day")
    table.play(6)
    return table


def fork_cour(server: Server, origin: Table) -> Table:
    wish = {"table": origin.id, "step": 12, "eyes": 0}
    made = server.create("cour", [ME, bot("greedy"), bot()], start=True, **{"from": wish})
    table = Table(server, made, "played on from a step of a finished table, from what one seat saw")
    table.play(3)
    return table


def fork_recess(server: Server, origin: Table) -> Table:
    record = server.call("GET", f"/tables/{origin.id}/record")
    made = server.create("recess", [ME, bot(), bot()], start=True, **{"from": {"record": record, "step": 1}})
    table = Table(server, made, "played on from a step of a record")
    table.play(1)
    return table


def puzzle_bagarre(server: Server) -> Table:
    puzzle = next(one for one in server.call("GET", "/games/bagarre/puzzles"))
    for seats in range(2, 7):
        wish = {"game": "bagarre", "seats": [ME] * seats, "start": True, "from": {"puzzle": puzzle["id"]}}
        status, made = server.ask("POST", "/tables", wish)
        if status == 201:
            break
    table = Table(server, made, "played on from a puzzle")
    table.play(1)
    return table


# Tables that are over.


def tied_recess(server: Server) -> Table:
    made = server.create("recess", [ME, OPEN, OPEN], options={"turns": 1})
    table = Table(server, made, "a tie, for which one of three people wants to arm wrestle")
    table.join("Malo")
    table.join("Inès")
    table.start()
    viewers = [table.viewer(seat) for seat in range(3)]
    while viewers[0].now.get("result") is None:
        seat = viewers[0].now["to_act"][0]
        viewers[seat].catch_up()
        viewers[seat].act(viewers[seat].now["legal"][0])
        viewers[0].catch_up()
    viewers[1].send("wrestle", yes=True)
    viewers[1].until("contest")
    for viewer in viewers:
        viewer.close()
    return table


def wrestled_recess(server: Server) -> Table:
    table = tied_recess(server)
    table.note = "a tie that was decided by arm wrestling"
    viewers = [table.viewer(seat) for seat in range(3)]
    for seat in (0, 2):
        viewers[seat].send("wrestle", yes=True)
    while (found := viewers[0].until("contest")["contest"])["phase"] != "pulling":
        pass
    last = found
    for count in range(100):
        if last["phase"] == "over":
            break
        for seat, viewer in enumerate(viewers):
            viewer.send("pull", round=1, count=count * (seat + 1) // 4)  # refused while it is too early
            viewer.catch_up()
        last = [one["contest"] for one in viewers[0].messages if one["type"] == "contest"][-1]
        time.sleep(0.2)
    if last["phase"] != "over" or last.get("winner") != 2:
        raise SystemExit(f"the arm wrestling did not end: {last}")
    for viewer in viewers:
        viewer.close()
    return table


def over_cour(server: Server) -> Table:
    made = server.create("cour", [ME, bot(), bot("greedy")], options={"agent_min": 2}, start=True)
    table = Table(server, made, "a finished game")
    table.play()
    return table


def series_bagarre(server: Server) -> list[Table]:
    made = server.create("bagarre", [ME, OPEN, bot()], options={"goal": 3})
    first = Table(server, made, "a finished game with a rematch")
    first.join("Malo")
    first.start()
    first.play()
    tables = [first]
    for note, decisions in (
        ("the finished second game of a series", 100_000),
        ("the third game of a series, under way", 5),
    ):
        again = server.call("POST", f"/tables/{tables[-1].id}/rematch", token=tables[-1].tokens["0"])["id"]
        tables.append(rematch(server, tables[-1], again, note))
        tables[-1].play(decisions)
    return tables


def rematch(server: Server, before: Table, table: str, note: str) -> Table:
    """Return the table of a rematch with the tokens by their new seats."""
    found = Table(server, {"table": {"id": table}, "seats": [], "token": ""}, note)
    for token in set(before.tokens.values()):
        viewer = Viewer(server, table, token)
        for seat in viewer.now["seats"]:
            found.tokens[str(seat)] = token
        viewer.close()
    return found


def reviewed_recess(server: Server) -> Table:
    made = server.create("recess", [ME, bot(), bot()], options={"turns": 2}, start=True)
    table = Table(server, made, "a finished game with its review")
    table.play()
    table.more["review"] = review(server, f"/tables/{table.id}/review", {})
    return table


def review(server: Server, path: str, body: Json | None = None) -> Json:
    """Wait for a review, after asking for it if there is a body. Return it."""
    if body is not None:
        server.call("POST", path, body or None)
    while (found := server.call("GET", path))["status"] != "done":
        if found["status"] == "failed":
            raise SystemExit(f"{path}: {found}")
        time.sleep(0.1)
    return dict(found)


def half_reviewed_bagarre(server: Server) -> Table:
    made = server.create("bagarre", [ME, bot()], options={"goal": 2}, start=True)
    table = Table(server, made, "a finished game with a review that is not done")
    table.play()
    return table


def kill_during_review(server: Server, table: Table) -> None:
    """Ask for the review of a table, and kill the server when most of its pieces are done."""
    path = f"/tables/{table.id}/review"
    left = server.call("POST", path)["of"] - 4
    while (found := server.call("GET", path)).get("done", 0) < left:
        if found["status"] == "done":
            raise SystemExit(f"the review was done too soon: {found}")
    table.more["pieces"] = found["done"]
    server.stop(signal.SIGKILL)


# Noting the answers.


def note(server: Server, table: Json) -> Json:
    """Return what the server answers about a table: requests, then the hello of a spectator, then of each seat."""
    base = f"/tables/{table['id']}"
    found: Json = {"info": server.call("GET", base)}
    found["code"] = server.call("GET", f"/codes/{found['info']['code']}")
    status, record = server.ask("GET", f"{base}/record")
    found["record"] = [status, record]
    status, replay = server.ask("GET", f"{base}/replay?seat=0&first=0&count={SHOWN}")
    found["replay"] = [status, replay]
    if status == 200:
        last = max(0, replay["total"] - SHOWN)
        found["replay_end"] = server.call("GET", f"{base}/replay?first={last}&count={SHOWN}")
    if "review" not in table:
        found["review"] = list(server.ask("GET", f"{base}/review"))
    found["hello"] = {}
    for seat in ("", *sorted(table["tokens"])):
        wish = {"seat": int(seat), "opening": True} if seat else {}
        viewer = Viewer(server, table["id"], table["tokens"].get(seat), **wish)
        found["hello"][seat or "spectator"] = {**viewer.now, "now": 0}
        viewer.close()
        time.sleep(0.05)
    return found


@contextlib.contextmanager
def copy_of(database: Path, now: int) -> Iterator[Server]:
    """Start a server on a copy of a database."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "preau.db")
        shutil.copyfile(database, copy)
        server = Server(copy, now)
        try:
            yield server
        finally:
            server.stop()


def make_database(out: Path) -> None:
    """Write `preau.db` and `preau.json`."""
    with tempfile.TemporaryDirectory() as folder:
        make_database_in(Path(folder), out)


def make_database_in(folder: Path, out: Path) -> None:
    """Write them, with a server that has its files in a folder."""
    database = folder / "preau.db"
    server = Server(database, NOW - MAKING_MS)
    about: Json = {"now": NOW}
    tables: dict[str, Table] = {}
    tables["waiting_recess"] = waiting_recess(server)
    tables["waiting_bagarre"] = waiting_bagarre(server)
    tables["undo_recess"] = undo_recess(server)
    tables["hints_bagarre"] = hints_bagarre(server)
    tables["left_cour"] = left_cour(server)
    tables["days_bagarre"] = days_bagarre(server, about)
    tables["one_device_recess"] = one_device_recess(server)
    tables["race_cour"] = race_cour(server)
    tables["turn_recess"] = turn_recess(server)
    tables["challenge_bagarre"] = challenge_of(server, about)
    tables["tied_recess"] = tied_recess(server)
    tables["wrestled_recess"] = wrestled_recess(server)
    tables["over_cour"] = over_cour(server)
    tables["fork_cour"] = fork_cour(server, tables["over_cour"])
    for name, one in zip(("series_1", "series_2", "series_3"), series_bagarre(server), strict=True):
        tables[f"{name}_bagarre"] = one
    tables["reviewed_recess"] = reviewed_recess(server)
    tables["fork_recess"] = fork_recess(server, tables["reviewed_recess"])
    tables["puzzle_bagarre"] = puzzle_bagarre(server)
    tables["half_reviewed_bagarre"] = half_reviewed_bagarre(server)
    tables["waiting_cour"] = waiting_cour(server)
    for table in tables.values():
        table.rest()
    time.sleep(1)
    kill_during_review(server, tables["half_reviewed_bagarre"])
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copyfile(database, out / "preau.db")
    about["tables"] = [table.note_down(name) for name, table in tables.items()]
    with copy_of(database, NOW) as old:
        about["listed"] = old.call("GET", "/tables")
        about["challenges"] = {**old.call("GET", "/challenges"), "now": 0}
        half = next(one for one in about["tables"] if one["name"] == "half_reviewed_bagarre")
        half["review"] = review(old, f"/tables/{half['id']}/review")
    with copy_of(database, NOW) as old:
        for table in about["tables"]:
            table["answers"] = note(old, table)
    with copy_of(database, NOW + DAY_MS) as old:
        about["challenge_key"] = old.call("GET", f"/challenges/bagarre/{about['day']}")["key"]
    records = out / "records"
    records.mkdir(exist_ok=True)
    for table in about["tables"]:
        if table["name"] in PAGE_SAVES:
            game = table["answers"]["info"]["game"]
            save(records / f"{game}-page.json", table["answers"]["record"][1])
    write(out / "preau.json", about)


def save(path: Path, record: Json) -> None:
    """Write a record as the page does: what `JSON.stringify` makes of the server's answer."""
    path.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def write(path: Path, value: Json) -> None:
    """Write a file of JSON with one line for each table."""
    tables = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in value.pop("tables")]
    head = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    path.write_text(head[:-1] + ',"tables":[\n' + ",\n".join(tables) + "\n]}\n", encoding="utf-8")


# Records.


def make_records(out: Path) -> None:
    """Write records of simulated games."""
    records = out / "records"
    records.mkdir(parents=True, exist_ok=True)
    options = {
        "recess": ["--option", "turns=20", "--option", "layout=random", "--bots", "greedy,random,easy"],
        "bagarre": ["--option", "may_forfeit=on", "--seats", "4", "--bots", "greedy"],
        "cour": ["--option", "slap_pick=choose", "--option", "pile=bag", "--seats", "5"],
    }
    for game, more in options.items():
        file = records / f"{game}.jsonl"
        command = [sys.executable, "-m", "preau", "simulate", game, "-n", "3", "--seed", "34", *more]
        subprocess.run([*command, "--records", str(file), "--force"], check=True, stdout=subprocess.DEVNULL)


# The tables of a device.


class Device:
    """The tables of a browser, stored as the page stores them."""

    def __init__(self, worker: type) -> None:
        self._class = worker
        self.now = NOW
        self.stored: dict[str, Json] = {}
        self.worker = self.new_worker()
        self.messages: dict[str, list[Json]] = {}
        self.count = 0

    def new_worker(self) -> Any:
        """Return a worker that knows no tables, as after a reload of the page."""
        return self._class("[]", lambda: self.now)

    def do(self, **what: Any) -> Json:
        """Call the worker, then store, deliver and compute what follows."""
        found: Json = json.loads(self.worker.do(json.dumps(what)))
        effects = found["effects"]
        for one in effects.get("writes", []):
            known = self.stored.setdefault(one["table"], {"about": None, "rows": []})
            known["rows"] += one.get("rows") or []
            known["about"] = one.get("about") or known["about"]
            if one.get("review") is not None:
                known["review"] = one["review"]
        for line, text in effects.get("sent", []):
            self.messages.setdefault(line, []).append(json.loads(text))
        for ask in effects.get("asks", []):
            self.do(do="think", number=ask["number"], question=ask["question"])
        if (wake := effects.get("wake")) is not None and self._plays(wake):
            self.now = max(self.now, wake)
            self.do(do="look")
        return found

    def _plays(self, wake: int) -> bool:
        return wake < self.now + 2_000

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Any:
        """Send a request to the worker."""
        text = "" if body is None else json.dumps(body)
        found = self.do(do="call", method=method, address=path, token=token, body=text)
        answer = json.loads(found["body"]) if found.get("body") else None
        if found["status"] >= 300:
            raise SystemExit(f"{method} {path}: {found['status']} {answer}")
        return answer

    def open(self, table: str, token: str | None = None, **wish: Any) -> str:
        """Join a table. Return the name of the connection."""
        self.count += 1
        line = f"line{self.count}"
        self.do(do="open", line=line, table=table)
        self.send(line, "join", **wish, **({"token": token} if token else {}))
        return line

    def send(self, line: str, type: str, **message: Any) -> None:
        """Send a message."""
        self.do(do="hear", line=line, text=json.dumps({"type": type, **message}), pause=100)

    def shown(self, line: str) -> Json:
        """Return the newest hello or step of a connection."""
        return [one for one in self.messages[line] if one["type"] in ("hello", "step")][-1]

    def act(self, line: str, action: str | None = None, **more: Any) -> None:
        """Act, by default with the first legal action."""
        self.count += 1
        shown = self.shown(line)
        text = shown["legal"][0] if action is None else action
        self.send(line, "act", id=f"a{self.count}", at=shown["number"], action=text, **more)

    def hang_up(self, line: str) -> None:
        """Close a connection."""
        self.do(do="hang_up", line=line)

    def play(self, line: str, decisions: int) -> None:
        """Act for the seats of a connection."""
        rng = random.Random(line)
        for _ in range(decisions):
            shown = self.shown(line)
            if shown.get("result") or not shown.get("legal"):
                return
            self.act(line, rng.choice(shown["legal"]))


def local_tables(device: Device) -> list[Json]:
    """Make the tables. Return the name, the id and the tokens of each."""
    found: list[Json] = []

    def make(name: str, game: str, seats: list[Json], **more: Any) -> tuple[Json, str, str]:
        wish = {"game": game, "seats": seats, "options": {"first": 0, **more.pop("options", {})}, **more}
        made = device.call("POST", "/tables", wish)
        table = {
            "name": name,
            "id": made["table"]["id"],
            "tokens": {str(seat): made["token"] for seat in made["seats"]},
        }
        found.append(table)
        return table, table["id"], made["token"]

    def join(table: Json, name: str) -> None:
        made = device.call("POST", f"/tables/{table['id']}/join", {"name": name})
        table["tokens"][str(made["seats"][0])] = made["token"]

    for game in ("recess", "bagarre", "cour"):
        table, _, token = make(f"waiting_{game}", game, [ME, OPEN, bot("greedy")])
        line = device.open(table["id"], token)
        device.send(line, "say", text="Salut !")
        device.hang_up(line)

    table, name, token = make("undo_recess", "recess", [ME, OPEN, OPEN])
    join(table, "Malo")
    join(table, "Inès")
    device.call("POST", f"/tables/{name}/start", token=token)
    lines = [device.open(name, table["tokens"][str(seat)]) for seat in range(3)]
    seat = 0
    while seat == 0:
        device.act(lines[0])
        seat = device.shown(lines[0])["to_act"][0]
    device.act(lines[seat])
    at = device.shown(lines[0])["number"]
    device.send(lines[0], "undo", at=at)
    agrees = 3 - seat
    device.send(lines[agrees], "agree", at=at, yes=True)
    table["votes"] = {"at": at, "by": 0, "agreed": agrees, "missing": seat}
    for line in lines:
        device.hang_up(line)

    table, name, token = make("hints_bagarre", "bagarre", [ME, bot("normal"), bot("easy")], start=True)
    line = device.open(name, token)
    device.play(line, 5)
    device.send(line, "hint", at=device.shown(line)["number"])
    device.send(line, "say", phrase="oops")
    device.hang_up(line)

    table, name, token = make("left_cour", "cour", [ME, OPEN, bot()], options={"reaction": "live"})
    join(table, "Malo")
    device.call("POST", f"/tables/{name}/start", token=token)
    line = device.open(name, token)
    device.play(line, 8)
    left = table["tokens"].pop("1")
    device.call("POST", f"/tables/{name}/leave", token=left)
    table["left"] = {"seat": 1, "token": left}
    device.play(line, 3)
    device.hang_up(line)

    table, name, token = make(
        "bots_turn_recess", "recess", [ME, bot("greedy"), bot()], options={"first": 1}, start=True
    )

    table, name, token = make("one_device_cour", "cour", [ME, {"kind": "me", "name": "Tom"}], start=True)
    line = device.open(name, token)
    device.play(line, 9)
    device.hang_up(line)

    table, name, token = make("tied_recess", "recess", [ME, OPEN, OPEN], options={"turns": 1})
    join(table, "Malo")
    join(table, "Inès")
    device.call("POST", f"/tables/{name}/start", token=token)
    lines = [device.open(name, table["tokens"][str(seat)]) for seat in range(3)]
    while not device.shown(lines[0]).get("result"):
        device.act(lines[device.shown(lines[0])["to_act"][0]])
    device.send(lines[1], "wrestle", yes=True)
    for line in lines:
        device.hang_up(line)

    table, name, token = make("reviewed_bagarre", "bagarre", [ME, bot()], options={"goal": 1}, start=True)
    line = device.open(name, token)
    device.play(line, 10_000)
    device.call("POST", f"/tables/{name}/review")
    device.hang_up(line)

    table, name, token = make("series_cour", "cour", [ME, bot("greedy"), bot()], start=True)
    line = device.open(name, token)
    device.play(line, 10_000)
    again = device.call("POST", f"/tables/{name}/rematch", token=token)["id"]
    device.hang_up(line)
    line = device.open(again, token)
    seats = device.shown(line)["seats"]
    found.append({"name": "series_2_cour", "id": again, "tokens": {str(seat): token for seat in seats}})
    device.play(line, 4)
    device.hang_up(line)

    wish = {"game": "cour", "seats": [ME, bot(), bot()], "start": True, "from": {"table": name, "step": 9, "eyes": 0}}
    made = device.call("POST", "/tables", wish)
    found.append({"name": "fork_cour", "id": made["table"]["id"], "tokens": {"0": made["token"]}})
    line = device.open(made["table"]["id"], made["token"])
    device.play(line, 3)
    device.hang_up(line)
    return found


def make_local_tables(out: Path, worker: type) -> None:
    """Write `local-tables.json`."""
    device = Device(worker)
    tables = local_tables(device)
    now = device.now
    for table in tables:
        table["stored"] = json.loads(json.dumps(device.stored[table["id"]]))
    for table in tables:
        for seat in ("", *sorted(table["tokens"])):
            reader = Device(worker)
            reader.now = now
            reader.do(do="restore", stored=table["stored"])
            answers = table.setdefault("answers", {"info": reader.call("GET", f"/tables/{table['id']}"), "hello": {}})
            if answers["info"]["status"] == "over" and "record" not in answers:
                answers["record"] = reader.call("GET", f"/tables/{table['id']}/record")
            if table["stored"].get("review") and "review" not in answers:
                answers["review"] = reader.call("GET", f"/tables/{table['id']}/review")
            wish = {"seat": int(seat)} if seat else {}
            line = reader.open(table["id"], table["tokens"].get(seat), **wish)
            answers["hello"][seat or "spectator"] = reader.messages[line][0]
    write(out / "local-tables.json", {"now": now, "tables": tables})


def main() -> None:
    """Make all files, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--worker", default="preau.browser.worker_entry:HostWorker", help="what the page calls in its worker"
    )
    parser.add_argument("--only", choices=("database", "records", "local"))
    wish = parser.parse_args()
    wish.out.mkdir(parents=True, exist_ok=True)
    if wish.only in (None, "records"):
        make_records(wish.out)
    if wish.only in (None, "local"):
        module, _, name = wish.worker.partition(":")
        make_local_tables(wish.out, getattr(importlib.import_module(module), name))
    if wish.only in (None, "database"):
        make_database(wish.out)


if __name__ == "__main__":
    main()
