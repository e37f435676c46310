"""Lines that break: reconnecting, sending again, and questions that have changed meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
import zlib

from websockets.extensions.permessage_deflate import PerMessageDeflate

from preau.server.config import Config
from preau.server.services import Services
from preau.server.transport import websocket_protocol
from tests.server.in_process_server import frame
from tests.server.players import ME, OPEN, Api, Player, bot, connect_to_table, run
from tests.support import PATIENCE


def test_a_gap_is_filled(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 12}, start=True)
            table, token = made["table"]["id"], made["token"]
            watcher = Player(default_server.url, table)
            await watcher.open()
            seen = watcher.number
            await watcher.close()
            rng = random.Random(5)
            async with Player(default_server.url, table, token) as player:
                for _ in range(6):
                    seat = player.to_act[0]
                    await player.send({"type": "look", "seat": seat})
                    await player.until("hello")
                    await player.act(rng.choice(player.legal), seat=seat)
                await watcher.open(last=seen)
                assert watcher.hello["gap"] is False
                assert [step["number"] for step in watcher.hello["log"]] == list(range(seen + 1, player.number + 1))
                assert watcher.number == player.number
                await watcher.close()
                await watcher.open(last=player.number)
                assert watcher.hello["log"] == []
                await watcher.close()

    run(story())


def test_an_action_sent_twice_happens_once(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, OPEN], options={"turns": 12})
            table = made["table"]["id"]
            for _ in range(2):
                await api.ok("POST", f"/tables/{table}/join", {"name": "x"})
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            async with Player(server.url, table, made["token"]) as player:
                before = player.number
                first = await player.act(player.legal[0], name="once", at=before)
                assert first["type"] == "step"
                again = await player.act("b1 zz", name="once", at=before)
                assert again == {"type": "ack", "id": "once", "number": first["first"]}
                await player.close()
                await player.open(last=before)
                again = await player.act("whatever", name="once", at=before)
                assert again["number"] == first["first"]

    run(story())


def test_an_answer_to_an_old_question_is_refused_and_changes_nothing(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 12}, start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                while len(player.legal) and player.to_act == [0]:
                    old = player.number
                    await player.act(player.legal[-1])
                    if player.to_act == [0]:
                        refused = await player.act(player.legal[0], at=old)
                        assert (refused["type"], refused["key"]) == ("refused", "stale")
                        assert refused["number"] == player.number
                        break
                ahead = await player.act(player.legal[0], at=player.number + 50)
                assert (ahead["type"], ahead["key"]) == ("refused", "ahead")

    run(story())


def test_simultaneous_answers_do_not_make_each_other_stale(server):
    """Others may answer first; the question to this seat is still the same one."""

    async def story() -> None:
        async with Api(server.url) as api:
            seats = [ME, ME, ME, ME]
            for _ in range(6):
                made = await api.create("cour", seats, start=True)
                async with Player(server.url, made["table"]["id"], made["token"]) as player:
                    rng = random.Random(7)
                    for _ in range(200):
                        if player.result is not None:
                            break
                        if len(player.to_act) > 1:
                            at = player.number
                            await look(player, player.to_act[0])
                            await player.act(player.legal[0], seat=player.to_act[0])
                            assert player.number > at
                            late = player.to_act[0]
                            await look(player, late)
                            answer = await player.act(player.legal[0], seat=late, at=at)
                            assert answer["type"] == "step"
                            return
                        await look(player, player.to_act[0])
                        await player.act(rng.choice(player.legal), seat=player.to_act[0])
            raise AssertionError("no simultaneous choice came up")

    run(story())


async def look(player: Player, seat: int) -> None:
    if player.hello["seat"] != seat:
        await player.send({"type": "look", "seat": seat})
        await player.until("hello")


def test_a_refused_move_names_the_rule(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], start=True)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                refused = await player.act("b1 l12")
                assert refused["type"] == "refused"
                assert refused["rule"].startswith("R")
                assert refused["key"]
                assert refused["message"].endswith(".")
                garbled = await player.act("sing")
                assert garbled["error"] == "MalformedAction"

    run(story())


def test_ping_and_presence_and_chat(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()])
            table = made["table"]["id"]
            joined = await api.ok("POST", f"/tables/{table}/join", {"name": "Léa"})
            async with Player(default_server.url, table, made["token"]) as one:
                await one.send({"type": "ping", "n": 7})
                assert (await one.until("pong"))["n"] == 7
                async with Player(default_server.url, table, joined["token"]) as other:
                    while (await one.until("presence"))["here"] != [0, 1]:
                        pass
                    await other.send({"type": "say", "text": "salut \u202e!"})
                    line = (await one.until("chat"))["line"]
                    assert (line["seat"], line["name"], line["text"]) == (1, "Léa", "salut !")
                    await one.send({"type": "say", "phrase": "good_luck"})
                    await other.until("chat")
                    assert (await other.until("chat"))["line"]["phrase"] == "good_luck"
                while (await one.until("presence"))["here"] != [0]:
                    pass
                async with Player(default_server.url, table) as watcher:
                    assert [line.get("text", "") for line in watcher.hello["chat"]] == ["salut !", ""]
                    await watcher.send({"type": "say", "text": "hi"})
                    assert (await watcher.until("refused"))["key"] == "seat_needed"

    run(story())


def test_compressed_lines_carry_the_same(server):
    """As browsers ask for it: what comes out is what a plain line carries, and the heart-beat is not compressed."""

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, ME, ME], options={"turns": 12}, start=True)
            table, token = made["table"]["id"], made["token"]
            plain = Player(server.url, table, token, seat=0)
            await plain.open()
            async with connect_to_table(server.url, table, compression="deflate") as socket:
                [agreed] = socket.protocol.extensions
                assert isinstance(agreed, PerMessageDeflate)
                assert agreed.local_no_context_takeover, "the server keeps nothing of what clients send"
                assert not agreed.remote_no_context_takeover
                await socket.send(json.dumps({"type": "join", "token": token, "seat": 0}))
                packed = [json.loads(await socket.recv())]
                assert packed[0]["view"] == plain.view
                while plain.legal:
                    await plain.act(plain.legal[-1])
                    while packed[-1]["type"] != "step" or packed[-1]["number"] < plain.number:
                        packed.append(json.loads(await socket.recv()))
                steps = [message for message in plain.traffic if message["type"] == "step"]
                assert [message for message in packed if message["type"] == "step"] == steps
                assert len(steps) >= 2
            await plain.close()

    run(story())


def test_a_compressor_put_away_is_not_missed(monkeypatch):
    """A line rests after half a minute without long messages; what follows is understood all the same."""
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    packer, client = websocket_protocol.Compressor(12), zlib.decompressobj(wbits=-12)

    def told(message: bytes) -> int:
        packed = packer.compress(message) + packer.flush(zlib.Z_SYNC_FLUSH)
        assert client.decompress(packed) == message
        return len(packed)

    message = json.dumps({"view": list(range(300))}).encode()
    first, second = told(message), told(message)
    assert second < first / 5, "the second is told by the help of the first"
    clock[0] += websocket_protocol.IDLE_SECONDS - 1
    packer.rest()
    assert told(message) < first / 5
    clock[0] += websocket_protocol.IDLE_SECONDS + 1
    packer.rest()
    assert told(message) == first, "begun afresh"
    assert told(message) == second


def test_a_line_that_is_full_makes_messages_wait(tmp_path):
    """What cannot leave at once waits in order, and leaves when there is room."""

    class Narrow:
        def __init__(self) -> None:
            self.open, self.sent, self.unsent = True, list[bytes](), 0
            self.pace = self.ear = None

        def push(self, data: bytes) -> bool:
            if self.open:
                self.sent.append(data)
            return self.open

    async def story() -> None:
        narrow, audience = Narrow(), asyncio.Event()
        audience.set()

        async def send(message):
            await audience.wait()
            narrow.sent.append(message["text"].encode())

        sockets = Services(Config(database=f"sqlite:///{tmp_path}/preau.db")).connections
        socket = sockets.make(None, send, "here", narrow)  # type: ignore[arg-type]
        socket.push(b"1")
        narrow.open = False
        audience.clear()
        socket.push(b"2")
        await asyncio.sleep(0)
        narrow.open = True
        socket.push(b"3")
        assert narrow.sent == [b"1"], "3 must not pass 2"
        audience.set()
        await socket.finish()
        assert narrow.sent == [b"1", b"2", b"3"]
        socket.push(b"4")
        assert narrow.sent == [b"1", b"2", b"3", b"4"]

    run(story())


async def raw_line(server, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection to a table's socket, after the handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def next_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The next frame, other than the server's pings: they come when they like."""
    while b'"type":"ping"' in (found := await any_frame(reader))[1]:
        pass
    return found


async def any_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, size = await asyncio.wait_for(reader.readexactly(2), PATIENCE)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    elif size == 127:
        size = int.from_bytes(await reader.readexactly(8), "big")
    return first, await reader.readexactly(size)


async def pongs(reader: asyncio.StreamReader, count: int) -> list[int]:
    """The numbers of the next so many pongs."""
    found: list[int] = []
    while len(found) < count:
        message = json.loads((await next_frame(reader))[1])
        if message["type"] == "pong":
            found.append(message["n"])
    return found


def ping(n: int, more: str = "") -> bytes:
    return json.dumps({"type": "ping", "n": n, **({"é": more} if more else {})}, ensure_ascii=False).encode()


def test_messages_arrive_however_they_are_cut(server):
    """Whole, many at once, byte by byte, in fragments with a control frame between them: all are heard, in order."""

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()])
        reader, writer = await raw_line(server, made["table"]["id"])
        writer.write(frame(b'{"type":"join"}'))
        while b'"type":"presence"' not in (await next_frame(reader))[1]:
            pass
        writer.write(b"".join(frame(ping(n)) for n in range(1, 60)))
        assert await pongs(reader, 59) == list(range(1, 60))
        for byte in frame(ping(60)) + frame(ping(61)):
            writer.write(bytes((byte,)))
            await writer.drain()
        assert await pongs(reader, 2) == [60, 61]
        text = ping(62)
        writer.write(frame(text[:5], first=0x01) + frame(b"hi", first=0x89) + frame(text[5:], first=0x80))
        assert await next_frame(reader) == (0x8A, b"hi")
        assert await pongs(reader, 1) == [62]
        writer.write(frame(ping(63, "à")) + frame(ping(64)) + frame(b" " * 900 + ping(65), mask=b"\0\0\0\0"))
        messages = [json.loads((await next_frame(reader))[1]) for _ in range(3)]
        assert [message["key"] for message in messages if message["type"] == "refused"] == ["malformed"]
        assert [message["n"] for message in messages if message["type"] == "pong"] == [64, 65]
        writer.write(frame(b"\x03\xe8", first=0x88))
        assert (await next_frame(reader))[0] == 0x88
        writer.close()

    run(story())


def test_frames_against_the_rules_close_the_line(server):
    before = len(server.logged())

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()])
        for bad, code in [
            (b"\x81\x02hi", 1002),  # not masked
            (b"\x89\x02hi", 1002),
            (b"\x81\x7e\x10\x00" + b"a" * 4_096, 1002),
            (b"\x81\x02hi" + frame(b"{}") * 20, 1002),
            (frame(b"{}", first=0xB1), 1002),  # bits that mean nothing yet
            (frame(b"hi", first=0x09), 1002),  # a ping in pieces
            (frame(b"x" * 200, first=0x89), 1002),  # a ping too long
            (frame(b"\x03", first=0x88), 1002),  # half a code
            (frame(b"{", first=0x01) + frame(b"\x03\xe8", first=0x88), 1002),  # the end within a message
            (frame(b"\x03\xe8\xff", first=0x88), 1007),
            (frame(b'{"\xff', first=0x01) + frame(b'":1}', first=0x80), 1007),
            (frame(b"{}", first=0xC1), 1002),  # compressed, which nobody offered
            (frame(b"{}", first=0x83), 1002),  # no such kind
            (frame(b"{}", first=0x80), 1002),  # goes on, but nothing began
            (frame(b"{", first=0x01) + frame(b"}"), 1002),  # begins anew within a message
            (frame(b'{"\xff":1}'), 1007),  # not UTF-8
            (frame(b" " * 9_000), 1009),
            (frame(b" " * 9_000)[:20], 1009),
            (b"\x81\xff" + b"\xff" * 8, 1009),
            (frame(b" " * 5_000, first=0x01) + frame(b" " * 5_000, first=0x80), 1009),
        ]:
            for first in (frame(b'{"type":"join"}'), b""):
                reader, writer = await raw_line(server, made["table"]["id"])
                writer.write(first)
                await writer.drain()
                writer.write(bad)
                while (got := await next_frame(reader))[0] != 0x88:
                    pass
                assert int.from_bytes(got[1][:2], "big") == code, bad[:20]
                assert await reader.read() == b""
                writer.close()

    run(story())
    assert "Traceback" not in server.logged()[before:], "a client cannot fill the log"
