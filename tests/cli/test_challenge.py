from __future__ import annotations

import json
from datetime import UTC, datetime

import preau
from preau.learn.challenge import by_secret
from tests.learn.daily_challenge import DATE, SECRET, random_attempt


def test_the_challenges_of_today_are_shown(run):
    before = datetime.now(UTC).date()
    rows = json.loads(run("challenge", "show", "--json").stdout)
    assert sorted(row["game"] for row in rows) == sorted(preau.game_ids())
    assert {row["day"] for row in rows} <= {str(before), str(datetime.now(UTC).date())}
    out = run("challenge", "show", "cour", "--day", "2026-11-02", "--lang", "fr").stdout
    assert "le défi du 2026-11-02" in out
    assert "Normal, Normal" in out
    assert "la date seule" in " ".join(out.split())


def test_a_try_at_the_terminal_is_kept_and_checked(run, tmp_path):
    file = tmp_path / "try.json"
    play = ("challenge", "play", "bagarre", "--day", "2026-11-02", "--record", file)
    out = run(*play, say="u\nh\n" + "1\n" * 300).stdout
    assert out.count("nothing is taken back, and there are no hints") == 2
    assert "La grande bagarre, 2026-11-02:" in out
    assert "from the date alone" in " ".join(out.split())
    record = preau.Record.load(file)
    assert record.challenge == ("2026-11-02", "date")
    assert not record.hints
    said = run("challenge", "check", file)
    assert said.exit_code == 0
    assert "La grande bagarre, 2026-11-02:" in said.stdout
    data = json.loads(run("challenge", "check", file, "--json").stdout)
    assert record.result is not None
    assert data["measure"] == record.result["scores"][0]
    again = tmp_path / "again.json"
    run(*play[:-1], again, say="1\n" * 300)
    assert preau.Record.load(again).entries == record.entries, "who does the same gets the same"


def test_a_try_at_a_server_is_checked_with_the_key_of_that_day(run, tmp_path):
    day = by_secret("recess", DATE, SECRET)
    file = tmp_path / "try.json"
    random_attempt(day).record.save(file)
    said = run("challenge", "check", file, "--key", day.key.hex(), "--lang", "fr")
    assert said.exit_code == 0
    assert "d'un secret du serveur" in said.stdout
    for key in ([], ["--key", "00" * 32]):
        said = run("challenge", "check", file, *key)
        assert said.exit_code == 2
        assert "that day" in said.stderr


def test_what_is_no_challenge_is_refused(run, auction):
    for words, said in (
        (("play", auction), "has no challenge of the day"),
        (("play", "recess", "--day", "2999-01-01"), "has not come"),
        (("show", "recess", "--day", "2020-01-01"), "there was no challenge"),
        (("show", "recess", "--day", "yesterday"), "is no day"),
    ):
        result = run("challenge", *words)
        assert result.exit_code == 2
        assert said in result.stderr
