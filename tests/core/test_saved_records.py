"""Records of earlier commits: they verify, with the same result and the same checksum."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from preau.core.errors import RecordError
from preau.core.record import Record
from tests.saved.files import FOLDER

FILES = sorted(FOLDER.glob("*/records/*"))


def texts(path: Path) -> list[str]:
    """Return the records in a file: one, or one in each line."""
    text = path.read_text(encoding="utf-8")
    return text.splitlines() if path.suffix == ".jsonl" else [text]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_a_saved_record_verifies(path):
    for text in texts(path):
        record, saved = Record.loads(text), json.loads(text)
        record.verify()
        assert record.to_json() == saved
        assert record.replay().result().to_json() == saved["result"]
        again = Record.loads(record.dumps())
        assert again.to_json()["check"] == saved["check"]


def test_each_game_has_saved_records():
    assert {json.loads(text)["game"] for path in FILES for text in texts(path)} == {"recess", "bagarre", "cour"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_an_altered_record_does_not_verify(path):
    saved = json.loads(texts(path)[0])
    saved["actions"].pop()
    with pytest.raises(RecordError):
        Record.from_json(saved).verify()
