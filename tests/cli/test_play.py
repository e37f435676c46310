from __future__ import annotations

import json
import re

import pytest

import preau
from preau.cli.choices import listing, matching
from preau.cli.common import own_texts
from preau.cli.session import Session
from preau.core.match import Match
from tests.support import parameters

SHORT = ("play", "recess", "--seats", "3", "--seed", "5", "--option", "turns=6")


def test_a_whole_game_through_stdin(run, tmp_path):
    file = tmp_path / "game.json"
    result = run(*SHORT, "--record", file, say="1\n" * 200)
    assert result.exit_code == 0
    assert "Recess is over. Winner:" in result.stdout
    assert re.search(r"^  1\. ", result.stdout, re.MULTILINE)
    record = preau.Record.load(file)
    assert record.verify().over
    assert record.meta["names"] == ["Player 0", "Greedy 1", "Greedy 2"]
    assert not list(tmp_path.glob("*.part"))


def test_in_french(run):
    out = run(*SHORT, "--lang", "fr", say="?\nzz\nb1 l9\nb1\n" + "1\n" * 200).stdout
    assert "Tu es Joueur 0" in out
    assert "prendre le choix 1" in out
    assert "n'est pas une action ici" in out
    assert "[R14]" in out
    assert " gagne." in out
    for english in ("Player", "Greedy", "Taken", "Winner", "choices", "shows"):
        assert english not in out


def test_both_languages_have_the_same_messages():
    english, french = own_texts("en").messages, own_texts("fr").messages
    assert list(english) == list(french)
    for key, text in english.items():
        assert parameters(text) == parameters(french[key]), key


def test_by_number_by_text_and_by_part(run, tmp_path):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--record", file, say="2\n  B2   A3 \ng1\nq\n").stdout
    assert [entry.text for entry in preau.Record.load(file).entries][:2] == ["b1 a1", "b2 a3"]
    assert '"g1":' in out


def test_people_count_the_nuns_from_one(run, tmp_path):
    """In the list, in the picture and in what they type; the record counts from 0 as ever."""
    file = tmp_path / "game.json"
    walk = "b1 a2\nb2 a2\ng1 k12\n"
    out = run(*SHORT, "--option", "first=0", "--record", file, say=f"{walk}w nun 1 a8\nnun 2\nNun 2  l8\nq\n").stdout
    assert [entry.text for entry in preau.Record.load(file).entries][:4] == ["b1 a2", "b2 a2", "g1 k12", "nun 1 l8"]
    assert re.search(r"^ 1  N1 ", out, re.MULTILINE)
    assert "nun 1 a8 is legal" in out
    assert '"nun 2":' in out
    assert "nun 2 from l12 to l8" in out
    assert not re.search(r"\b(nun |N)0\b", out, re.IGNORECASE)
    log = run("replay", file).stdout
    assert "nun 2 l8" in log
    assert not re.search(r"\b(nun |N)0\b", log, re.IGNORECASE)


def test_an_illegal_action_names_its_rule_and_loses_nothing(run, tmp_path):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--record", file, say="b1 a3\nb1 a4\nnonsense\n0\n999\nw b1 a4\nb2 a1\nq\n").stdout
    assert "Boy 1 has already moved in this turn [R15]." in out
    assert "r R15 shows the rule." in out
    assert '"nonsense" is no action here.' in out
    assert "There is no choice 999" in out
    assert "R15  No child makes two movements" in out
    assert [entry.text for entry in preau.Record.load(file).entries][:2] == ["b1 a3", "b2 a1"]


def test_commands(run, tmp_path):
    file = tmp_path / "kept.json"
    say = f"?\n\ns\nr\nr r14\nr R99\nr x\nw b1 a3\nw zz\nsave\nsave {file}\nsave {file}\nsave {tmp_path}\nq\n"
    out = run(*SHORT, say=say).stdout
    assert out.count("take choice 1") == 2
    assert out.count("Move one of your children exactly 3 steps.") == 2
    assert "The rules are R1 to R38" in out
    assert "R14  A child walks" in out
    assert "There is no rule R99" in out
    assert "b1 a3 is legal" in out
    words = " ".join(out.split())  # long paths break the lines anywhere
    assert "Saved to" in words
    assert "is already there" in words
    assert "is a folder" in words
    assert preau.Record.load(file).entries == []


def test_undo_within_a_turn_and_across_bots(run, tmp_path):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--record", file, say="u\nb1 a3\nu\nb1 a4\npass\nu\nq\n").stdout
    assert out.count("There is nothing you can take back") == 1
    assert out.count("Taken back.") == 2
    assert preau.Record.load(file).entries == []
    out = run(*SHORT, "--record", file, "--force", say="pass\nu\nb2 a3\nq\n").stdout
    assert "Minute 4 of 6: Player 0." in out
    assert [entry.text for entry in preau.Record.load(file).entries] == ["b2 a3"]


def test_undo_stops_at_another_person(run):
    out = run("play", "recess", "--seats", "3", "--hot-seat", say="pass\nu\nq\n").stdout
    assert "There is nothing you can take back" in out
    out = run("play", "recess", "--seats", "3", "--hot-seat", "-b", "random", say="pass\npass\nu\nq\n").stdout
    assert "There is nothing you can take back" in out


def test_another_seat_other_bots_and_a_name(run):
    out = run(*SHORT, "--seat", "2", "--bot", "random", "--bot", "greedy", "--name", "Zoé", say="q\n").stdout
    assert "You are Zoé, in seat 2. With you: Random 0, Greedy 1." in out
    assert "Minute 2 of 6: Greedy 1." in out


def test_a_wide_list_and_a_narrow_one(run):
    for columns, least in ((60, 8), (200, 4)):
        out = run(*SHORT, say="?\nzz\nr r28\nb1 l9\npass\nq\n", env={"COLUMNS": str(columns)}).stdout
        assert max(map(len, out.splitlines())) <= columns
        assert len([line for line in out.splitlines() if re.match(r"  (b1|b2|g1|g2|  )  ? ?\d", line)]) >= least


def test_no_colour_and_colour(run):
    assert "\x1b" not in run(*SHORT, say="q\n").stdout
    coloured = {"NO_COLOR": "", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert "\x1b[36m" in run(*SHORT, say="q\n", env=coloured).stdout


def test_the_end_of_the_input_is_a_polite_end(run, tmp_path):
    file = tmp_path / "game.json"
    result = run(*SHORT, "--record", file, say="b1 a3\n")
    assert result.exit_code == 0
    assert " ".join(result.stdout.split()).endswith(f"The record is in {file} (1 action). Bye!")
    preau.Record.load(file).verify()


def test_a_game_from_a_position(run, tmp_path):
    position, file = tmp_path / "position.json", tmp_path / "game.json"
    position.write_text(json.dumps({"seats": 3, "active": 1, "children": {"1b1": "e6"}}), encoding="utf-8")
    out = run("play", "recess", "--load", position, "--seat", "1", "--record", file, say="b1 e7\nq\n").stdout
    assert "You are Player 1" in out
    record = preau.Record.load(file)
    assert record.entries[0][:2] == (1, "b1 e7")
    record.verify()


def test_an_option_from_a_file_and_words_for_numbers(run, tmp_path):
    file = tmp_path / "game.json"
    words = ["--option", "nun_may_stay=on", "--option", "equal_turns=FALSE", "--option", "shove=4"]
    words += ["--option", "layout=B1 A0 D2 C3"]
    assert run("play", "recess", *words, "--record", file, say="q\n").exit_code == 0
    options = preau.Record.load(file).options
    assert (options["nun_may_stay"], options["equal_turns"], options["shove"]) == (True, False, 4)
    sections = tmp_path / "sections.json"
    sections.write_bytes((preau.game("recess").folder / "data" / "sections.json").read_bytes())
    assert run("play", "recess", "--option", f"sections=@{sections}", say="q\n").exit_code == 0
    assert run("play", "recess", "--option", f"sections={sections.read_text()}", say="q\n").exit_code == 0


# Secrets.


def test_only_what_the_seat_sees(run, auction):
    out = run("play", auction, "--seats", "3", "--seed", "1", say="1\nbid 9\nbid 4\nq\n").stdout
    assert "With you: Random 1, Random 2." in out  # there are no rules of thumb for this game
    assert "Random 1 has bid." in out
    assert "Sold to" in out
    assert "bid 3" not in out.split("Sold to")[0].split("> 1")[1]


def test_the_curtain_hides_what_the_other_did(run, auction):
    out = run("play", auction, "--hot-seat", "--name", "Ann", "--name", "Bob", say="\nbid 3\n\nq\n").stdout
    assert "Ann: take the screen and press Enter." in out
    after = out.split("Bob: take the screen and press Enter.")[1]
    assert "Ann has bid." in after
    assert "bid 3" in after  # as a choice of Bob's
    assert "3" not in after.split("Ann has bid.")[0].replace("\n", "")


def test_no_curtain_without_secrets(run):
    out = run("play", "recess", "--seats", "3", "--hot-seat", say="pass\npass\npass\nq\n").stdout
    assert "press Enter" not in out
    assert "At the table: Player 0, Player 1, Player 2." in out
    assert out.count("Player 0 passes.") == 1


def test_no_undo_of_what_chance_or_others_did(run, auction):
    out = run("play", auction, "--seed", "1", say="1\nu\nq\n").stdout
    assert "There is nothing you can take back" in out


def test_no_undo_of_an_action_that_shows_something(auction):
    """Alone at the end of a secret choice one could look and go back."""
    match = Match.new(preau.game(auction), 3, seed=1)
    session = Session(match, (0,), {1: "random", 2: "random"}, ["You", "B", "C"], "en")
    match.apply(0, "bid 1")
    assert session.secrets
    assert session._steps_back(0) == 1  # two bids are still to come: nothing was shown
    match.apply(1, "bid 1")
    assert session._steps_back(0) == 0


@pytest.mark.parametrize("game", preau.game_ids())
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_can_be_played(run, game, lang):
    """Whatever is asked has a sentence: no message falls back to its key."""
    numbers = "".join(f"{1 + number * 7 % 3}\n1\n" for number in range(400))
    out = run("play", game, "--seed", "3", "--lang", lang, "--bot", "random", say=numbers).stdout
    assert not re.search(r"^(event|prompt|wait|why)\.", out, re.MULTILINE)
    assert re.search(r"^  1\. ", out, re.MULTILINE)


def test_words_of_the_game_are_explained(run, auction, monkeypatch):
    texts = preau.game(auction).texts("en").messages
    monkeypatch.setitem(texts, "card.purses", "fat purses")
    monkeypatch.setitem(texts, "card.bid", "Bid")
    out = run("play", auction, say="q\n").stdout
    assert "\npurses\u00a0fat\u00a0purses\n" in out


# The list of choices.


def test_parts_of_actions():
    actions = ["pass", "b1 a1", "b1 a10", "b2 a1", "point 1", "point 12"]
    assert matching("P", actions) == [0, 4, 5]
    assert matching("b1", actions) == [1, 2]
    assert matching("a1", actions) == [1, 3]
    assert matching("point 1", actions) == [4]
    assert matching("a1 b2", actions) == [3]
    assert matching("zz", actions) == []
    assert matching("  ", actions) == []


def test_every_choice_is_listed_once_with_its_number():
    actions = [f"{who} {where}" for who in ("b1", "g2") for where in range(30)] + ["pass"]
    text = "\n".join(line.plain for line in listing(actions, range(61), 50))
    assert [int(number) for number in re.findall(r"(\d+)\)", text)] == list(range(1, 62))
    assert max(map(len, text.splitlines())) <= 50


@pytest.mark.parametrize(
    ("language", "word", "more", "practice"),
    [
        ("en", "hint", "or h for another idea", "Practice game: hints were asked 2 times."),
        ("fr", "indice", "ou h pour une autre idée", "Partie d'entraînement : 2 indices demandés."),
    ],
)
def test_a_hint_says_what_to_do_and_the_record_notes_it(run, tmp_path, language, word, more, practice):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--lang", language, "--record", file, say=f"{word}\nh\n" + "1\n" * 200).stdout
    assert more in out
    assert " % " in out or " %." in out
    assert practice in out
    record = preau.Record.load(file)
    assert record.verify().over
    assert record.hints == 2
    assert practice in run("replay", file, "--lang", language).stdout
    assert "OK; practice game: hints were asked 2 times" in run("check", file).stdout
    assert json.loads(run("check", file, "--json").stdout)[0]["hints"] == 2


def test_a_hint_can_be_followed(run, tmp_path):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--record", file, say="h\nq\n").stdout
    told = re.search(r"Type (.+?) to do it", out)
    assert told is not None
    again = tmp_path / "again.json"
    run(*SHORT, "--record", again, say=f"{told[1]}\nq\n")
    assert preau.Record.load(again).entries[0].text == told[1]


def test_two_people_get_no_hint(run, tmp_path):
    file = tmp_path / "game.json"
    out = run(*SHORT, "--hot-seat", "--record", file, say="h\nq\n").stdout
    assert "There are hints only where everybody else is a bot." in out
    assert preau.Record.load(file).hints == 0
