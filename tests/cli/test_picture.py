from __future__ import annotations

import sys

import pytest

import preau
from preau.pictures import picture, png


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A short game in a file."""
    record = preau.play("cour", bots=["greedy", "greedy"], seed=3).record
    record.meta["names"] = ["Ann", "Bob"]
    path = tmp_path_factory.mktemp("picture") / "game.json"
    record.save(path)
    return path


def test_a_moment_as_svg_and_png(run, game, tmp_path):
    record = preau.Record.load(game)
    words = ("picture", game, "--at", 9, "--eyes", 1, "--lang", "fr", "--dark", "--out")
    drawn = picture(record, 9, eyes=1, language="fr", dark=True, names=["Ann", "Bob"])
    assert run(*words, tmp_path / "moment.svg").exit_code == 0
    assert (tmp_path / "moment.svg").read_text(encoding="utf-8") == drawn
    assert run(*words, tmp_path / "moment.PNG").exit_code == 0
    assert (tmp_path / "moment.PNG").read_bytes() == png(drawn)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--at", "9999"), "there is no step 9999"),
        (("--eyes", "2"), "Try one of 0 to 1, all or nobody."),
        (("--eyes", "Ann"), "nobody has the eyes 'Ann'"),
        (("--game", "2"), "there is no game 2"),
    ],
)
def test_wrong_wishes_get_a_sentence(run, game, tmp_path, words, why):
    refused = run("picture", game, *words, "--lang", "en", "--out", tmp_path / "no.svg")
    assert refused.exit_code == 2
    assert why in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_kind_or_one_that_is_there_is_refused(run, game, tmp_path):
    refused = run("picture", game, "--out", tmp_path / "moment.gif")
    assert refused.exit_code == 2
    assert "neither .svg nor .png" in refused.stderr
    (tmp_path / "mine.svg").write_text("mine", encoding="utf-8")
    refused = run("picture", game, "--out", tmp_path / "mine.svg")
    assert refused.exit_code == 2
    assert "already there" in refused.stderr
    assert (tmp_path / "mine.svg").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("missing", "file"), [("quickjs", "moment.svg"), ("resvg_py", "moment.png")])
def test_what_is_not_installed_is_named(run, game, tmp_path, monkeypatch, missing, file):
    monkeypatch.setitem(sys.modules, missing, None)
    refused = run("picture", game, "--out", tmp_path / file)
    assert refused.exit_code == 2
    assert f"{missing} is not installed" in refused.stderr
    assert "pip install 'preau[picture]'" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_game_that_nobody_has_drawn_has_a_picture_too(run, auction, tmp_path):
    """All that its view says, in words, and nothing that is hidden from those eyes."""
    match = preau.new(auction, seats=3, seed=1)
    match.apply(0, match.legal(0)[-1])
    match.record.save(tmp_path / "game.json")
    for eyes in ("nobody", "0", "all"):
        assert run("picture", tmp_path / "game.json", "--eyes", eyes, "--out", tmp_path / f"{eyes}.svg").exit_code == 0
    drawn = {eyes: (tmp_path / f"{eyes}.svg").read_text(encoding="utf-8") for eyes in ("nobody", "0", "all")}
    assert all("</svg>" in svg for svg in drawn.values())
    assert len(set(drawn.values())) == 3
