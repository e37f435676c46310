"""Studies and their reports: every figure follows from the games, and the same games give the same page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from time import monotonic, sleep

import pytest

import preau
from preau.arena import play_game
from preau.core.errors import PreauError
from preau.core.texts import LANGUAGES
from preau.lab.figures import Counted
from preau.lab.plans import plan_for
from preau.lab.printing import lines
from preau.lab.report import put_together, write_page
from preau.lab.study import Ledger, Study, play_study
from preau.lab.words import OWN
from tests.support import PATIENCE

GAMES = 24


def study_of(game: str, out: Path, *options: dict[str, object], **more: object):
    out.mkdir(exist_ok=True)
    given = list(options) or [{}]
    plans = [plan_for(game, "greedy", options=one) for one in given]
    arms = play_study(Study.of(plans, GAMES), out, **more)  # type: ignore[arg-type]
    return arms, given


@pytest.fixture(scope="module", params=preau.game_ids())
def found(request, tmp_path_factory):
    """A study of each game."""
    arms, given = study_of(request.param, tmp_path_factory.mktemp(request.param))
    assert arms is not None
    return arms, put_together(arms, given, GAMES)


class Reader(HTMLParser):
    """Notes what stands in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags[tag] += 1
        self.ids += [found["id"]] if "id" in found else []
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href")]
        if tag not in ("meta", "br", "path", "use", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def test_shares_and_endings_are_those_of_the_games(found):
    (arm,), report = found
    figures = report["arms"][0]["figures"]
    games = report["arms"][0]["games"]
    assert games == len(arm.played) >= GAMES
    wins = [sum((seat in one.ranking[0]) / len(one.ranking[0]) for one in arm.played) for seat in range(arm.plan.seats)]
    assert [one[0] for one in figures["seats"]] == pytest.approx([one / games for one in wins], abs=1e-4)
    assert sum(one[0] for one in figures["score_bars"]) == pytest.approx(1, abs=2e-3)
    assert sum(one[0] for one in figures["length_bars"]) == pytest.approx(1, abs=2e-3)
    ended = Counter(one.reason for one in arm.played)
    assert {
        name: round(one[0] * games) for name, one in zip(report["endings"], figures["endings"], strict=True)
    } == ended
    for name, some in figures.items():
        for one in some:
            assert one is None or one[1] <= one[0] <= one[2], name


def test_what_is_counted_is_what_happened(found):
    (arm,), _ = found
    game = preau.game(arm.plan.game)
    played = play_game(arm.plan, 5, keep_record=True, summon=Ledger)
    assert played.seen == arm.played[5].seen
    assert played.record is not None
    state = preau.Record.from_json(played.record).start_state()
    watch = game.watch(state)
    for entry in preau.Record.from_json(played.record).entries:
        for event in state.apply(entry.actor, entry.text):
            watch.see(event)
    watch.end(state)
    assert list(watch.rows()) == played.seen
    counted = Counted(arm)
    assert sum(array[5].sum() for array in counted.counts.values()) == sum(row[4] for row in played.seen)
    if arm.tables:
        assert sum(array.sum() for array in counted.counts.values()) > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_stands_alone_and_says_all_in_words(found, language):
    _, report = found
    page = write_page(report, language)
    if language == "en":
        assert page == write_page(json.loads(json.dumps(report)), language)
    read = Reader(page)
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert {link for link in read.links if not link.startswith("#")} == set()
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert read.tags["svg"] == page.count('role="img"') >= 4
    assert read.tags["table"] >= read.tags["h2"] - 2
    assert read.tags["script"] == read.tags["img"] == 0
    assert not re.search(r"#0[1-4]0[1-4]0[1-4]|font-family: (?!system)|<metadata", page)
    assert f'<html lang="{language}">' in page
    assert report["command"] in page.replace("&#x27;", "'")
    assert "nan" not in re.sub(r"<[^>]*>", "", page)
    words = ["Is it good to begin?", "Choice against luck"] if language == "en" else ["Choix ou chance", "Le labo"]
    assert all(word in page for word in words)


def test_the_words_are_there_in_both_languages():
    keys = [set(json.loads((OWN / f"{language}.json").read_text(encoding="utf-8"))) for language in LANGUAGES]
    assert keys[0] == keys[1]


def test_two_sets_of_rules_stand_side_by_side(tmp_path):
    arms, given = study_of("recess", tmp_path, {"turns": "6"}, {"turns": "12"})
    assert arms is not None
    report = put_together(arms, given, GAMES)
    assert report["options"] == [{"turns": 6}, {"turns": 12}]
    (gap,) = report["differences"]["length"]
    assert gap[1] > 0
    first, second = (arm["figures"]["length"][0][0] for arm in report["arms"])
    assert gap[0] == pytest.approx(second - first, abs=1e-3)
    assert report["command"].endswith("--option turns=6 --against turns=12")
    printed = "\n".join(lines(report))
    assert "turns=6" in printed
    assert "difference" in printed
    assert "turns=12" in write_page(report, "fr")


def test_sets_of_cards_that_differ_can_be_compared(tmp_path):
    arms, given = study_of("bagarre", tmp_path, {}, {"cards": "leaflet"})
    assert arms is not None
    report = put_together(arms, given, GAMES)
    assert [len(arm["tables"]) for arm in report["arms"]] == [3, 2]
    assert "Maman" in write_page(report, "en")
    assert any(line.startswith("wins with: Maman") for line in lines(report))


def test_a_study_that_was_stopped_gives_the_same_report(tmp_path):
    whole, given = study_of("cour", tmp_path / "whole")
    assert whole is not None

    def stop(done: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    stopped, _ = study_of("cour", tmp_path / "parts", watch=stop)
    assert stopped is None
    journal = tmp_path / "parts" / "games-1.jsonl"
    journal.write_bytes(journal.read_bytes()[:-9])  # as a power cut leaves it
    rest, _ = study_of("cour", tmp_path / "parts", workers=2)
    assert rest is not None
    reports = [put_together(arms, given, GAMES) for arms in (whole, rest)]
    assert reports[0] == reports[1]
    assert write_page(reports[0], "en") == write_page(reports[1], "en")


def test_games_of_something_else_are_refused(tmp_path):
    study_of("cour", tmp_path)
    with pytest.raises(PreauError, match="its options is"):
        study_of("cour", tmp_path, {"pile": "bag"})
    with pytest.raises(PreauError, match="both sets of rules are the same"):
        Study.of([plan_for("cour", "greedy"), plan_for("cour", "greedy", options={"pile": "queue"})], 9)


def test_a_command_that_is_killed_and_started_again_writes_the_same_page(tmp_path):
    """Killed as hard as can be, once some of its games are kept."""
    command = [sys.executable, "-m", "preau", "lab", "cour", "--bots", "greedy", "--seats", "3", "--games", "90"]
    out, journal = tmp_path / "report", tmp_path / "report" / "games-1.jsonl"
    process = subprocess.Popen([*command, "--workers", "1", "--out", out])
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 5):
        sleep(0.01)
    process.kill()
    process.wait()
    assert not (out / "report.html").exists()
    kept = journal.read_bytes().count(b"\n")
    for folder in (out, tmp_path / "whole"):
        subprocess.run([*command, "--out", folder], check=True, capture_output=True)
    assert kept < 91
    for name in ("report.html", "report.json"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
