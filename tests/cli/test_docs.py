"""The examples in docs/play.md are what the program really prints, and in French those of its French page."""

from __future__ import annotations

import pytest

from tests.docs.pages import DOCS, blocks, commands, name_of, plain

LANGUAGES = {DOCS / "play.md": "C.UTF-8", DOCS / "fr" / "play.md": "fr_FR.UTF-8"}


@pytest.mark.parametrize("page", LANGUAGES, ids=name_of)
def test_the_page_shows_what_happens(page, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = [command for block in blocks(page, "console") for command in commands(block.text)]
    assert len(found) >= 10
    for (_, *words), typed, shown in found:
        result = run(*words, say=typed, env={"LC_ALL": LANGUAGES[page]})
        assert plain(result.output) == plain(shown), words
