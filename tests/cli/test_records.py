from __future__ import annotations

import json

import pytest

import preau


@pytest.fixture
def record(tmp_path):
    file = tmp_path / "game.json"
    preau.play("recess", ["greedy", "random", "random"], options={"turns": 6}, seed=1).record.save(file)
    return file


@pytest.fixture
def games(tmp_path, run):
    file = tmp_path / "games.jsonl"
    run("simulate", "recess", "--games", "5", "--seed", "2", "--option", "turns=6", "--records", file)
    return file


def test_a_log(run, record):
    out = run("replay", record).stdout
    entries = preau.Record.load(record).entries
    assert "Recess! 3 seats" in out
    assert f" 1  Seat 0  {entries[0].text}" in out
    assert f"{len(entries)}  Seat" in out
    assert "Minute 2 of 6: seat 1." in out
    assert "Winner:" in out


def test_a_log_in_french(run, record):
    out = run("replay", record, "--lang", "fr").stdout
    assert " 1  Siège 0" in out
    assert "Minute 2 sur 6" in out


def test_a_position(run, record):
    middle = preau.Record.load(record).replay(4)
    out = run("replay", record, "--at", "4").stdout
    assert "After 4 of" in out
    assert middle.diagram() in "\n".join(line.rstrip() for line in out.splitlines()) or middle.diagram() in out
    assert "After 0 of" in run("replay", record, "--at", "0").stdout


def test_a_position_as_data(run, record):
    middle = preau.Record.load(record).replay(4)
    assert json.loads(run("replay", record, "--at", "4", "--json").stdout) == middle.to_json()
    assert json.loads(run("replay", record, "--at", "4", "--json", "--seat", "1").stdout) == middle.view(1)


def test_one_game_of_many(run, games):
    last = [json.loads(line) for line in games.read_text().splitlines()][4]
    out = run("replay", games, "--game", "5").stdout
    assert f" 1  Seat 0  {last['actions'][0][1]}" in out


def test_a_log_keeps_secrets(run, auction, tmp_path):
    match = preau.new(auction, seats=2, seed=1)
    for seat, bid in ((0, 3), (1, 2)):
        match.apply(seat, f"bid {bid}")
    match.record.save(tmp_path / "auction.json")
    spectator = run("replay", tmp_path / "auction.json").stdout
    assert "bid 3" not in spectator
    assert "bid 2" not in spectator
    own = run("replay", tmp_path / "auction.json", "--seat", "1").stdout
    assert "bid 2" in own
    assert "bid 3" not in own
    assert "The record ends here, after 3 actions" in own


def test_all_is_well(run, record, games):
    result = run("check", record, games)
    assert result.exit_code == 0
    assert result.stdout == f"{record}: OK\n{games}: OK, 5 games\n2 files, all OK\n"


def test_an_altered_record_fails_with_its_line_and_what_was_legal(run, record):
    rows = record.read_text().split("\n")
    at = next(number for number, row in enumerate(rows) if '"actions"' in row) + 3
    _, text = json.loads(rows[at].strip().rstrip(","))
    rows[at] = rows[at].replace(text, "nun 0 a1")
    record.write_text("\n".join(rows))
    result = run("check", record)
    assert result.exit_code == 2
    assert f"line {at + 1}: " in result.stderr
    assert "Legal there: " in result.stderr
    report = json.loads(run("check", record, "--json").stdout)[0]["bad"][0]
    assert (report["line"], report["action"]) == (at + 1, 3)
    assert text in report["legal"]


def test_an_impossible_action_without_marks(run, record):
    data = json.loads(record.read_text())
    del data["check"]
    data["actions"][1][1] = "b1 l1"
    record.write_text(json.dumps(data))
    result = run("check", record)
    assert result.exit_code == 2
    assert "action 2, 'b1 l1'" in result.stderr
    assert "Legal there: " in result.stderr


def test_the_rest_is_still_looked_at(run, games, record, tmp_path):
    rows = games.read_text().split("\n")
    rows[1] = rows[1].replace('"b1 ', '"b2 ', 1).replace('"g1 ', '"g2 ', 1)
    rows[3] = rows[3][:200]
    games.write_text("\n".join(rows))
    result = run("check", tmp_path / "none.json", games, record)
    assert result.exit_code == 2
    assert "none.json cannot be read" in result.stderr
    assert f"{games}: line 2: " in result.stderr
    assert f"{games}: line 4: the record breaks off" in result.stderr
    assert f"{games}: 2 of 5 games with errors" in result.stdout
    assert f"{record}: OK" in result.stdout
    assert "3 files, 2 with errors" in result.stdout


def test_very_many_errors_are_counted(run, tmp_path):
    file = tmp_path / "bad.jsonl"
    file.write_text("{}\n" * 30)
    result = run("check", file)
    assert result.stderr.count("unknown format") == 10
    assert "and 20 more" in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.json", b"", "is empty"),
        ("empty.jsonl", b"\n\n", "there is no record in it"),
        ("broken.json", b'{"format": "preau-record/1", ', "breaks off"),
        ("binary.json", bytes(range(256)), "not UTF-8 text"),
        ("binary.jsonl", bytes(range(128, 256)), "not UTF-8 text"),
        ("list.json", b"[]", "a record is a JSON object"),
        ("deep.json", b"[" * 100_000, "nested too deeply"),
        ("deep.jsonl", b"[" * 100_000, "nested too deeply"),
        ("long.json", b'{"seats": ' + b"9" * 5000 + b"}", "too long"),
        ("lines.json", b"{}\n{}\n", "must be called .jsonl"),
        ("version.json", b'{"format": "preau-record/9"}', "This version reads"),
        (
            "rules.json",
            b'{"format":"preau-record/1","game":"recess","rules":"77","seats":3,"options":{},"actions":[]}',
            "rules version '77'",
        ),
        (
            "game.json",
            b'{"format":"preau-record/1","game":"chess","rules":"1","seats":2,"options":{},"actions":[]}',
            "no game 'chess'",
        ),
    ],
)
def test_what_is_no_record(run, tmp_path, name, content, says):
    file = tmp_path / name
    file.write_bytes(content)
    for command in ("check", "replay"):
        result = run(command, file)
        assert result.exit_code == 2
        if command == "check" or "jsonl" not in name:
            assert says in result.stderr
        assert "Traceback" not in result.stderr
