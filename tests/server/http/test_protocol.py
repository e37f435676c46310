"""The protocol is documented, its example runs, and its types come out in TypeScript."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from preau.codegen.typescript import of_wire
from preau.learn.puzzles import puzzles
from preau.table import protocol
from tests.server.players import Api, Player, run
from tests.server.processes import ROOT, Server, free_port, wait_for
from tests.server.tables_over_http import short_record, wait_for_review
from tests.support import PATIENCE

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_the_example_client_plays_a_game(default_server, tmp_path):
    program = re.search(r"```py\n(.*?)```", PAGE, re.DOTALL)
    assert program is not None
    script = tmp_path / "client.py"
    script.write_text(program[1].replace("127.0.0.1:8000", f"127.0.0.1:{default_server.port}"), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=PATIENCE, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "'scores'" in done.stdout


PINGS = 6
"""The server pings at least three times in the time after which it closes a silent connection."""


def test_the_example_client_waits_for_a_slow_person(tmp_path):
    """It only answers pings while another person thinks for twice as long as it may be silent; then it goes on."""
    found = re.search(r"```py\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    server = Server(f"sqlite:///{tmp_path}/preau.db", silence_ms=12_000, sweep_ms=100)
    client: subprocess.Popen[str] | None = None

    async def story() -> None:
        nonlocal client
        async with Api(server.url) as api:
            made = await api.create("recess", [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "level": "random"}])
            table = made["table"]["id"]
            second = await api.ok("POST", f"/tables/{table}/join", {"name": "Zoé"})
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            program, replaced = re.subn(r'made = post\("/tables", .*\)', f"made = {made!r}", found[1])
            assert replaced == 1
            script = tmp_path / "client.py"
            script.write_text(program.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}"), encoding="utf-8")
            async with Player(server.url, table, second["token"]) as slow:
                environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
                client = subprocess.Popen([sys.executable, str(script)], env=environment, text=True)
                while not slow.legal:
                    await slow.next()
                for _ in range(PINGS):
                    await slow.until("ping")
                thought = slow.number
                while not any(step["actor"] == 0 and step["number"] > thought for step in slow.log):
                    await (slow.act(slow.legal[0]) if slow.legal else slow.next())

    try:
        run(story())
    finally:
        if client is not None:
            client.kill()
            client.wait()
        server.stop()


@pytest.mark.parametrize("union", [protocol.ClientMessage, protocol.ServerMessage], ids=["client", "server"])
def test_every_message_is_documented(union):
    for message in get_args(union):
        assert re.search(rf'[`"]{message.__struct_config__.tag}[`" ]', PAGE), message


def test_every_route_is_documented(server):
    described = server.ask("GET", "/api/openapi.json").json()
    assert len(described["paths"]) > 15
    for path in described["paths"]:
        last = [part for part in path.split("/") if part and not part.startswith("{")][-1]
        assert f"/{last}" in PAGE or last == "token", path


def test_the_command_serves(tmp_path):
    """`preau serve`, as the command line runs it."""
    port = free_port()
    program = (
        "import typer; from preau.cli.common import polite; from preau.cli.serve import serve; "
        "app = typer.Typer(); app.command()(polite(serve)); app()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", program, "--port", str(port), "--database", f"sqlite:///{tmp_path}/preau.db"]
    wrong = subprocess.run(
        [*command, "--metrics", "sometimes"], check=False, capture_output=True, text=True, env=environment
    )
    assert wrong.returncode == 2
    assert "--metrics" in wrong.stderr
    short = {**environment, "PREAU_METRICS_TOKEN": "short"}
    wrong = subprocess.run(command, check=False, capture_output=True, text=True, env=short)
    assert wrong.returncode == 2
    assert "16 to 80" in wrong.stderr
    nowhere = [*command[:-1], f"sqlite:///{tmp_path}/no/such/folder.db"]
    wrong = subprocess.run(nowhere, check=False, capture_output=True, text=True, env=environment)
    assert wrong.returncode == 2
    assert "the database cannot be opened" in wrong.stderr
    assert "Traceback" not in wrong.stderr
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=2).status == 200)
        finally:
            process.terminate()
            process.wait(PATIENCE)
    assert (tmp_path / "preau.db").is_file()


def test_every_message_survives_a_round_trip():
    samples = [
        protocol.Join(token="x" * 32, last=4),
        protocol.Act(id="a1", at=3, action="pass", seat=2, delay=300),
        protocol.Undo(at=3),
        protocol.Agree(at=3, yes=False),
        protocol.AskHint(at=3, seat=0, rank=1),
        protocol.Wrestle(yes=True, seat=1),
        protocol.Pull(round=2, count=31),
        protocol.Look(seat=1),
        protocol.Resync(),
        protocol.Say(text="salut"),
        protocol.Follow(together="w3kz"),
        protocol.Lead(
            together="w3kz", key="x" * 40, step=3, eyes=1, marks=[protocol.Mark(kind="arrow", at="b1", to="d4")]
        ),
        protocol.Ping(n=1),
        protocol.Pong(n=1),
    ]
    assert {type(sample) for sample in samples} == set(get_args(protocol.ClientMessage))
    for sample in samples:
        assert protocol.decode(protocol.encode(sample)) == sample


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"type":"act"}',
        '{"type":"act","id":"a b","at":1,"action":"pass"}',
        '{"type":"act","id":"a","at":-1,"action":"pass"}',
        '{"type":"act","id":"a","at":1,"action":"pass","extra":1}',
        '{"type":"step","number":1}',
        '{"type":"say","phrase":"rude"}',
        '{"type":"join","token":"short"}',
        '{"type":"wrestle"}',
        '{"type":"pull","round":1,"count":-1}',
        '{"type":"pull","round":0,"count":1}',
        '{"type":"follow","together":"W3"}',
        '{"type":"lead","together":"w3kz","step":1}',
    ],
)
def test_what_is_no_message_is_refused(text):
    with pytest.raises(msgspec.MsgspecError):
        protocol.decode(text)


def test_typescript_has_every_message():
    made = of_wire()
    for union in (protocol.ClientMessage, protocol.ServerMessage):
        for message in get_args(union):
            assert f'export interface {message.__name__} {{\n  type: "{message.__struct_config__.tag}";' in made
    assert "view: Json | null;" in made
    assert 'reason: "unknown" | "token"' in made
    printed = subprocess.run(
        [sys.executable, "-m", "preau.codegen.typescript"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(protocol.__file__).parents[3])},
    )
    assert printed.stdout == made


class Types:
    """The generated interfaces, read back, to hold what the server really sends against them."""

    def __init__(self) -> None:
        self.fields: dict[str, dict[str, tuple[bool, str]]] = {}
        for name, body in re.findall(r"export interface (\w+) \{\n(.*?)\n\}", of_wire(), re.DOTALL):
            lines = re.findall(r"^  (\w+)(\??): (.*);$", body, re.MULTILINE)
            self.fields[name] = {field: (mark == "?", kind) for field, mark, kind in lines}
        self.seen: set[str] = set()

    def check(self, value: Any, kind: str) -> None:
        """Fail unless the value is of this type: nothing missing, nothing more."""
        if kind.startswith("[") and not kind.endswith("[]"):
            parts = kind[1:-1].split(", ")
            assert isinstance(value, list)
            assert len(value) == len(parts), (value, kind)
            for one, part in zip(value, parts, strict=True):
                self.check(one, part)
        elif kind.endswith("[]"):
            assert isinstance(value, list), kind
            for one in value:
                self.check(one, kind[:-2].strip("()"))
        elif " | " in kind:
            one = next((one for one in kind.split(" | ") if one in self.fields or one.endswith("[]")), None)
            if value is None:
                assert "null" in kind.split(" | ")
            elif one is not None:
                self.check(value, one)
            else:
                assert any(self.is_plain(value, part) for part in kind.split(" | ")), (value, kind)
        elif kind in self.fields:
            self.seen.add(kind)
            known = self.fields[kind]
            assert set(value) <= set(known), (kind, set(value) - set(known))
            missing = {field for field, (optional, _) in known.items() if not optional} - set(value)
            assert not missing, (kind, missing)
            for field, one in value.items():
                self.check(one, known[field][1])
        else:
            assert self.is_plain(value, kind), (value, kind)

    def is_plain(self, value: Any, kind: str) -> bool:
        if kind.startswith('"'):
            return bool(value == kind.strip('"'))
        if kind == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        wanted = {"string": str, "boolean": bool, "Json": dict, "unknown": object}.get(kind, dict)
        return isinstance(value, wanted)


def test_typescript_says_what_the_server_sends(server):
    """A game with everything around it: each message and answer has all fields its type demands, and no other."""
    types = Types()

    async def story() -> None:
        async with Api(server.url) as api:
            seats = [{"kind": "me", "name": "Zoé"}, {"kind": "me"}, {"kind": "open"}]
            made = await api.create("recess", seats, options={"turns": 4}, timer={"kind": "turn", "amount": 600})
            table, token = made["table"]["id"], made["token"]
            types.check(made, "Seated")
            player = Player(server.url, table, token, seat=0)
            await player.open()
            types.check(await api.ok("POST", f"/tables/{table}/join", {"name": "x"}, token), "Seated")
            await api.ok("POST", f"/tables/{table}/start", token=token)
            await player.until("hello")
            late = Player(server.url, table, token)
            types.check(await late.open(opening=True), "HelloMessage")
            await late.close()
            await player.send({"type": "say", "text": "salut"})
            await player.send({"type": "ping", "n": 3})
            await player.send({"type": "nothing"})
            await player.until("refused")
            first = await player.act(player.legal[0], name="one")
            await player.act("again", name="one")
            await player.send({"type": "undo", "at": first["number"]})
            assert (await player.until("step"))["undone"] == 0
            await player.send({"type": "undo", "at": player.number + 5})
            await player.until("refused")
            while player.result is None:
                await player.send({"type": "look", "seat": player.to_act[0]})
                await player.until("hello")
                await player.act(player.legal[0])
                if player.number == 9:
                    await player.send({"type": "undo", "at": 3})
                    await player.until("refused")
            await player.send({"type": "agree", "at": player.number, "yes": False})
            await player.until("asks")
            for seat in range(3):
                await player.send({"type": "wrestle", "yes": True, "seat": seat})
            await player.until("pulls")
            link = await api.ok("POST", f"/tables/{table}/together")
            types.check(link, "TogetherLink")
            await player.send({"type": "follow", "together": link["id"]})
            marks = [{"kind": "ring", "at": "b1"}]
            await player.send(
                {"type": "lead", "together": link["id"], "key": link["key"], "step": 2, "eyes": 1, "marks": marks}
            )
            while not (await player.until("led"))["leading"]:
                pass
            again = await api.ok("POST", f"/tables/{table}/rematch", token=token)
            types.check(again, "Found")
            types.check(await api.ok("GET", f"/tables/{again['id']}"), "TableInfo")
            await player.until("table")
            wish = {"game": "recess", "seats": [{"kind": "me"}] * 3, "from": {"table": table, "step": 1}}
            types.check(await api.ok("POST", "/tables", wish), "Seated")
            asked = await api.ok("POST", "/reviews", {"record": short_record().to_json()})
            types.check(asked, "ReviewInfo")
            types.check(await wait_for_review(api, f"/reviews/{asked['id']}"), "ReviewInfo")
            types.check(await api.ok("POST", f"/tables/{table}/move", token=token), "Moving")
            await api.ok("POST", f"/tables/{table}/leave", token=token)
            await player.until("bye")
            slow = await api.create("recess", [{"kind": "me"}] * 3, timer={"kind": "days", "amount": 3})
            types.check(await api.ok("GET", f"/tables/{slow['table']['id']}/mail", token=slow["token"]), "Mail")
            alone = await api.create("recess", [{"kind": "me"}, *2 * [{"kind": "bot"}]], start=True)
            async with Player(server.url, alone["table"]["id"], alone["token"]) as learner:
                await learner.send({"type": "hint", "at": 0})
                await learner.until("hinted")
            members = {message.__struct_config__.tag: message.__name__ for message in get_args(protocol.ServerMessage)}
            traffic = player.traffic + learner.traffic
            for message in traffic:
                types.check(message, members[message["type"]])
            assert {message["type"] for message in traffic} == set(members)
            for path, kind in [
                (f"/tables/{table}", "TableInfo"),
                ("/tables", "TableInfo[]"),
                (f"/tables/{table}/invitation", "Invitation"),
                (f"/tables/{table}/replay", "Replay"),
                ("/games", "GameInfo[]"),
                ("/games/cour/rules/fr", "RuleTexts"),
                ("/games/cour/texts/en", "GameTexts"),
                ("/games/recess/book", "Book"),
                ("/games/cour/gallery", "Gallery"),
                ("/games/cour/puzzles", "PuzzleInfo[]"),
                ("/studies/en", "StudyInfo[]"),
                ("/health", "Health"),
                ("/calls", "Calling"),
                ("/challenges", "Challenges"),
                ("/challenges/cour/2026-11-02", "Challenge"),
            ]:
                types.check(await api.ok("GET", path), kind)
            wish = {"game": "cour", "exercise": "dig", "actions": ["keep car"]}
            types.check(await api.ok("POST", "/practice", wish), "Practised")
            wish = {"game": "cour", "id": puzzles("cour")[0].id, "wish": "solution"}
            types.check(await api.ok("POST", "/puzzle", wish), "Practised")
            for path in ("/tables/none", "/nowhere", "/games/cour/rules/xx"):
                types.check((await api.call("GET", path)).json(), "Problem")

    run(story())
    assert "Decision" in types.seen, "what a review says has types of its own"
    sent = {name for name in types.fields if issubclass(getattr(protocol, name, protocol.Message), protocol.Answer)}
    assert sent - types.seen == {"Asking"}


def test_a_plain_page_stands_in_for_the_missing_one(server):
    from preau.server.http.static_files import STATIC

    answer = server.ask("GET", "/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert ("The server is running" in answer.text) is not (STATIC / "index.html").is_file()
