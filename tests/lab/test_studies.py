"""The published studies: their pages show the figures that are kept, and say nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from preau.lab.published import studies
from tools.studies import BLOCK, PAGES, block, result, runs

STUDIES = [page for page in sorted(PAGES.glob("*.md")) if page.name != "README.md"]
FIGURE = re.compile(r"\d+\.\d+")


@pytest.mark.parametrize("page", STUDIES, ids=lambda page: page.stem)
def test_a_page_shows_what_the_command_prints(page: Path):
    text = page.read_text(encoding="utf-8")
    shown = [(found[0], found[1]) for found in BLOCK.finditer(text)]
    assert shown
    for whole, name in shown:
        assert whole == block(name)
        assert result(name)["command"].startswith(f"preau lab {runs()[name][0]} ")


@pytest.mark.parametrize("page", STUDIES, ids=lambda page: page.stem)
def test_every_figure_in_the_words_stands_in_a_block(page: Path):
    text = page.read_text(encoding="utf-8")
    blocks = "\n".join(found[2] for found in BLOCK.finditer(text))
    words = BLOCK.sub("", text)
    assert FIGURE.search(words)
    assert [figure for figure in FIGURE.findall(words) if figure not in FIGURE.findall(blocks)] == []


def test_every_run_is_published():
    assert set(studies()) == set(runs())
    listed = (PAGES / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in STUDIES if page.name not in listed] == []
