"""Wrong records of a game are refused with the field and the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import preau
from preau import Record, read_records
from preau.core import RecordError
from tests.recess.playthrough import FOLDER
from tests.recess.positions import GAME, Json
from tests.support import is_sentence, says_what_to_do

# ------------------------------------------------------------------ records


@pytest.fixture(scope="module")
def golden() -> str:
    return (FOLDER / "3-seats.json").read_text(encoding="utf-8")


def altered_data(golden: str, **changes: Any) -> Json:
    data: Json = json.loads(golden)
    data.update(changes)
    return data


def test_a_record_that_breaks_off(golden):
    lines = golden.splitlines(keepends=True)
    for cut in (0, 1, 3, 8, 40, len(lines) - 1):
        with pytest.raises(RecordError, match="breaks off") as caught:
            Record.loads("".join(lines[:cut]))
        assert abs(caught.value.line - max(cut, 1)) <= 1
    for cut in range(10, len(golden) - 2, 97):
        with pytest.raises(RecordError):
            Record.loads(golden[:cut])


def test_a_record_whose_last_actions_are_missing(golden):
    data = altered_data(golden)
    del data["actions"][-5:]
    with pytest.raises(RecordError, match="actions were written") as caught:
        Record.from_json(data).verify()
    assert caught.value.field == "check"
    del data["check"]
    with pytest.raises(RecordError, match="not over after") as caught:
        Record.from_json(data).verify()
    assert caught.value.field == "result"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "preau-record/2"}, "format"),
        ({"format": None}, "format"),
        ({"rules": "99"}, "rules"),
        ({"rules": 1}, "rules"),
        ({"game": "chess"}, "game"),
        ({"game": None}, "game"),
        ({"seats": "3"}, "seats"),
        ({"seats": True}, "seats"),
        ({"seats": 7}, "seats"),
        ({"options": []}, "options"),
        ({"options": {"colour": "red"}}, "options"),
        ({"options": {"layout": "A0"}}, "option layout"),
        ({"options": {"layout": "random"}}, "options"),
        ({"options": {"first": "random"}}, "options"),
        ({"actions": {}}, "actions"),
        ({"actions": [[0]]}, "actions"),
        ({"actions": [["0", "pass"]]}, "actions"),
        ({"actions": [[0, 5]]}, "actions"),
        ({"actions": ["pass"]}, "actions"),
        ({"times": [1]}, "times"),
        ({"check": 5}, "check"),
        ({"result": []}, "result"),
        ({"start": []}, "start"),
        ({"start": {"seats": 3, "coins": [1, 2, 3]}}, "coins"),
        ({"start": {"seats": 4}, "actions": [], "check": ""}, "seats"),
        ({"winner": 0}, "winner"),
    ],
)
def test_a_record_with_a_wrong_field(golden, changes, field):
    with pytest.raises(RecordError) as caught:
        Record.from_json(altered_data(golden, **changes)).verify()
    assert caught.value.field == field
    assert says_what_to_do(caught.value)


def test_a_record_with_another_result(golden):
    data = altered_data(golden)
    data["result"]["scores"].reverse()
    with pytest.raises(RecordError, match="not the one these actions lead to") as caught:
        Record.from_json(data).verify()
    assert caught.value.field == "result"
    del data["result"]
    with pytest.raises(RecordError, match="result is missing"):
        Record.from_json(data).verify()


def test_one_action_altered_at_every_place(golden):
    """Legal or not, the line of the altered action is named; without the marks too, if it is illegal."""
    lines = golden.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith('  "actions"')) + 1
    record = Record.loads(golden)
    state = record.start_state()
    legal_tried = illegal_tried = 0
    for number, entry in enumerate(record.entries):
        offered = [action.text for action in state.legal(state.to_act[0]) if action.text != entry.text]
        wrong = next(action.text for action in GAME.actions() if action not in state.legal(state.to_act[0]))
        actor = state.to_act[0]
        for text, is_legal in [(offered[number % len(offered)], True), (wrong, False), ("rubbish", False)]:
            comma = "," if number + 1 < len(record.entries) else ""
            changed_lines = list(lines)
            changed_lines[first + number] = f"    {json.dumps([actor, text])}{comma}\n"
            with pytest.raises(RecordError) as caught:
                Record.loads("".join(changed_lines)).verify()
            assert caught.value.line == first + number + 1, (number, text)
            assert caught.value.number == number + 1
            assert is_sentence(str(caught.value))
            legal_tried += is_legal
            if not is_legal:
                illegal_tried += 1
                unmarked = [line for line in changed_lines if not line.startswith('  "check"')]
                with pytest.raises(RecordError) as caught:
                    Record.loads("".join(unmarked)).verify()
                assert caught.value.line == first + number + 1
                assert caught.value.legal == tuple(action.text for action in state.legal(actor))
                assert repr(text) in str(caught.value)
        state.apply(entry.actor, entry.text)
    assert legal_tried == len(record.entries)
    assert illegal_tried == 2 * len(record.entries)


def test_an_action_by_somebody_else_in_a_record(golden):
    data = altered_data(golden)
    data["actions"][4][0] = (data["actions"][4][0] + 1) % 3
    del data["check"]
    with pytest.raises(RecordError, match="owes no decision") as caught:
        Record.from_json(data).verify()
    assert caught.value.number == 5
    assert caught.value.legal


def test_many_games_in_one_file(tmp_path, golden):
    good = Record.loads(golden).dump_line()
    bad = good.replace('"pass"', '"pas"', 1) if '"pass"' in good else good.replace('"b1 ', '"b9 ', 1)
    path = tmp_path / "games.jsonl"
    path.write_text(good + "\n" + bad + good[:200] + "\n", encoding="utf-8")
    found = read_records(path)
    next(found).verify()
    with pytest.raises(RecordError) as caught:
        next(found).verify()
    assert caught.value.line == 3
    with pytest.raises(RecordError, match="breaks off") as caught:
        next(found)
    assert caught.value.line == 4


@pytest.mark.parametrize("name", ["A\u2028B", "A\u2029B", "A\x85B", "A\x1cB"])
def test_any_name_may_stand_in_a_line(tmp_path, name):
    """JSON Lines are lines by line feeds only; a name can hold what Python else takes for the end of a line."""
    match = preau.new("recess", 3, {"turns": 1})
    match.apply(0, "pass")
    match.record.meta = {"names": [name, "Béa", "Cy"]}
    path = tmp_path / "games.jsonl"
    path.write_text(match.record.dump_line() * 2, encoding="utf-8")
    assert [record.meta["names"][0] for record in read_records(path)] == [name, name]


def test_files_that_are_no_records(tmp_path):
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(tmp_path / "missing.json")
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(RecordError, match="UTF-8"):
        Record.load(tmp_path / "picture.json")
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RecordError, match="0 games"):
        Record.load(tmp_path / "empty.jsonl")
    (tmp_path / "list.json").write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(RecordError, match="JSON object"):
        Record.load(tmp_path / "list.json")


def test_replaying_too_far(golden):
    record = Record.loads(golden)
    with pytest.raises(RecordError, match="no action 9999"):
        record.replay(9999)
    with pytest.raises(RecordError):
        record.replay(-1)
    assert record.replay(0) == record.start_state()


def test_a_saved_record_replaces_the_old_one_whole(tmp_path: Path, golden):
    path = tmp_path / "game.json"
    path.write_text("old", encoding="utf-8")
    Record.loads(golden).save(path)
    assert path.read_text(encoding="utf-8") == golden
    assert [one.name for one in tmp_path.iterdir()] == ["game.json"]
