"""A game that is a package of its own, installed beside Préau: it is there wherever our own games are."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

import preau
from preau.bots.registry import BOTS, bots_for
from tests.examples.packages import announce, run
from tests.server.processes import Server

NOT_A_GAME = "GAME = 'a text'"
ANOTHER_NAME = """
from preau.games.recess.game import GAME
"""


def test_it_is_listed_and_described(soleil):
    listed = json.loads(run(soleil, "-m", "preau", "games", "--json").stdout)
    assert [game["id"] for game in listed] == ["recess", "bagarre", "cour", "soleil"]
    shown = run(soleil, "-m", "preau", "games", "soleil", "--lang", "fr")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Un, deux, trois, soleil !" in shown.stdout
    rules = run(soleil, "-m", "preau", "games", "soleil", "--rules").stdout
    assert [line.split()[0] for line in rules.splitlines() if line[0] != " "] == [f"S{n}" for n in range(1, 10)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_is_played_in_the_terminal(soleil, language, tmp_path):
    record = tmp_path / "game.json"
    words = ["play", "soleil", "--seats", 3, "--seed", 4, "--lang", language, "--record", record]
    played = run(soleil, "-m", "preau", *words, say="1\n" * 60)
    assert played.returncode == 0, played.stderr
    assert {"en": "Choose a card.", "fr": "Choisis une carte."}[language] in played.stdout
    checked = run(soleil, "-m", "preau", "check", record)
    assert checked.returncode == 0, checked.stderr
    replayed = run(soleil, "-m", "preau", "replay", record, "--lang", language)
    assert {"en": "Heads turn", "fr": "Le meneur se retourne"}[language] in replayed.stdout


@pytest.mark.parametrize(
    ("language", "practice", "named"),
    [
        ("en", "Practice game", r"(Stand still|Tiptoe, 1 step|Walk, 2 steps|Run, 3 steps)\."),
        ("fr", "Partie d'entraînement", r"(Ne pas bouger|À pas de loup, 1 pas|Marcher, 2 pas|Courir, 3 pas)\."),
    ],
)
def test_it_has_plain_hints(soleil, language, practice, named, tmp_path):
    """A hint of a game without `reasons.py` names the action by its text `action.play`, and says how likely it wins."""
    record = tmp_path / "game.json"
    words = ["play", "soleil", "--seats", 3, "--seed", 4, "--lang", language, "--record", record]
    played = run(soleil, "-m", "preau", *words, say="h\n" + "1\n" * 60)
    assert played.returncode == 0, played.stderr
    hint = next(line for line in played.stdout.splitlines() if line.endswith(" %."))
    assert re.match(named, hint.lstrip("> ")), hint
    assert practice in played.stdout


def test_it_is_simulated(soleil, tmp_path):
    records = tmp_path / "games.jsonl"
    done = run(soleil, "-m", "preau", "simulate", "soleil", "--games", 6, "--seed", 1, "--records", records)
    assert done.returncode == 0, done.stderr
    assert len(records.read_text(encoding="utf-8").splitlines()) == 6


def test_it_is_played_in_the_arena(soleil):
    """By its own greedy player, and by a level that thinks with the judge that knows scores only."""
    words = ["arena", "soleil", "--bots", "greedy,easy,random", "--seats", 3, "--games", 6, "--workers", 1]
    done = run(soleil, "-m", "preau", *words)
    assert done.returncode == 0, done.stderr
    assert {"greedy", "easy", "random"} <= {line.split()[0] for line in done.stdout.splitlines() if line}


def test_a_game_without_rules_of_thumb_is_not_offered_the_greedy_player():
    assert "greedy" in bots_for("recess")
    assert set(BOTS) - set(bots_for("auction")) == {"greedy"}


def test_the_server_offers_it(soleil, tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", packages=soleil)
    try:
        games = server.ask("GET", "/api/games").json()
        assert [game["id"] for game in games] == ["recess", "bagarre", "cour", "soleil"]
        found = games[-1]
        assert found["titles"] == {"en": "One, two, three, sun!", "fr": "Un, deux, trois, soleil !"}
        assert found["usual"] == {"seats": 4, "level": "normal", "options": {}}
        assert found["secrets"] is True
        assert found["settle_ties"] == "S9"
        assert "greedy" in found["bots"]
        assert [(part["name"], part["first"], part["title"]["fr"]) for part in found["chapters"]] == [
            ("start", "S1", "Sur la ligne"),
            ("round", "S3", "Une manche"),
            ("end", "S8", "La fin"),
        ]
        back = next(option for option in found["options"] if option["name"] == "back")
        assert back["values"]["three"] == {"en": "goes three steps back", "fr": "recule de trois pas"}
        picture = server.ask("GET", found["picture"])
        assert picture.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'; sandbox" in picture.headers["content-security-policy"]
        assert "immutable" in picture.headers["cache-control"]
        assert ElementTree.fromstring(picture.text).tag.endswith("svg")
        assert server.ask("GET", "/api/games/recess/picture").status_code == 404
    finally:
        server.stop()


UNTOLD = """
from preau.testing import CHECKS
from preau_soleil.game import GAME
from preau_soleil.rules import SoleilState


def test_the_contract():
    SoleilState.zombie = lambda self, seat: "nothing"
    next(check for check in CHECKS if check.__name__ == "absent_seats_do_something_legal")(GAME, 2)
"""


def test_a_failed_check_says_what_was_compared_in_the_tests_of_an_author(soleil, tmp_path):
    (tmp_path / "test_it.py").write_text(UNTOLD, encoding="utf-8")
    words = ["-m", "pytest", "-p", "no:cacheprovider", "-W", "error::pytest.PytestAssertRewriteWarning", "-q"]
    tried = run(soleil, *words, "test_it.py", cwd=tmp_path)
    assert tried.returncode == 1
    assert "AssertionError: assert 'nothing' in (<play " in tried.stdout


@pytest.fixture
def broken(soleil, tmp_path) -> str:
    """A folder with packages that cannot be used, each for another reason."""
    announce(tmp_path, "gone", "no_such_module:GAME")
    announce(tmp_path, "words", "preau_words:GAME")
    announce(tmp_path, "alias", "preau_alias:GAME")
    announce(tmp_path, "cour", "preau.games.cour.game:GAME")
    (tmp_path / "preau_words.py").write_text(NOT_A_GAME, encoding="utf-8")
    (tmp_path / "preau_alias.py").write_text(ANOTHER_NAME, encoding="utf-8")
    return str(tmp_path)


REASONS = {
    "gone": "No module named 'no_such_module'",
    "words": "preau_words:GAME is no Game",
    "alias": "the entry point is called 'alias' and the game 'recess'",
    "cour": "there is a game 'cour' already",
}


def test_packages_that_cannot_be_used_are_named_and_left_out(broken, tmp_path):
    listed = run(broken, "-m", "preau", "games", "--json")
    assert listed.returncode == 0
    assert [game["id"] for game in json.loads(listed.stdout)] == ["recess", "bagarre", "cour"]
    for name, reason in REASONS.items():
        assert any(f"of {name} " in line and reason in line for line in listed.stderr.splitlines()), name
    wanted = run(broken, "-m", "preau", "play", "gone")
    assert wanted.returncode == 2
    assert "cannot be used" in wanted.stderr
    played = run(broken, "-m", "preau", "simulate", "cour", "--games", 1, "--seats", 2)
    assert played.returncode == 0, played.stderr


def test_a_server_says_in_its_log_what_it_leaves_out(broken, tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", packages=broken)
    try:
        assert [game["id"] for game in server.ask("GET", "/api/games").json()] == ["recess", "bagarre", "cour"]
        logged = server.logged()
        assert all(name in logged and reason in logged for name, reason in REASONS.items()), logged
    finally:
        server.stop()


def test_without_packages_there_are_our_own_games():
    """What the tests above install is nowhere else."""
    assert preau.game_ids() == ["bagarre", "cour", "recess"]
    assert preau.core.broken() == {}
