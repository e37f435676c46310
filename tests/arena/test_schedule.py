"""Who sits where: everybody equally often everywhere, and always the same for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest

import preau
from preau.arena import Entrant, enter, make_plan
from preau.arena.schedule import derive

from .command import plan


@pytest.mark.parametrize(
    ("bots", "game", "seats"),
    [("a,b,c", "recess", 3), ("a,b", "recess", 5), ("a,a,b,c", "recess", 4), ("a,b,c,d", "recess", 3)],
)
def test_within_a_deal_everybody_sits_everywhere_once(bots, game, seats):
    made = plan(bots, game, seats)
    for deal in range(4):
        block = [made.seating(deal * made.block + place) for place in range(made.block)]
        assert {one.deal for one in block} == {deal}
        assert len({one.deal_seed for one in block}) == 1
        assert len({one.seed for one in block}) == made.block
        per_seat = [Counter(one.names[seat] for one in block) for seat in range(seats)]
        assert all(count == per_seat[0] for count in per_seat)


def test_over_the_deals_everybody_sits_behind_everybody():
    made = plan("a,b,c,d", "recess", 4)
    behind: Counter[tuple[str, str]] = Counter()
    for index in range(6 * made.block):  # there are 6 orders of four around a table
        names = made.seating(index).names
        behind.update(zip(names, names[1:] + names[:1], strict=True))
    assert len(behind) == 12
    assert set(behind.values()) == {6 * made.block * 4 // 12}


def test_the_last_bot_fills_the_table():
    assert plan("a,b", seats=4).line_ups == (("a", "b", "b", "b"),)
    assert [one.name for one in enter("greedy*2, random")] == ["greedy", "greedy", "random"]
    assert plan("a,a,b", seats=3).line_ups == (("a", "a", "b"),)


def test_more_bots_than_seats_meet_in_every_choice_of_them():
    made = plan("a,b,c,d", seats=3)
    assert [set(line_up) for line_up in made.line_ups] == [set("abc"), set("abd"), set("acd"), set("bcd")]
    assert made.block == 12
    assert plan("a,a,a,b", seats=3).line_ups == (("a", "a", "b"),)


def test_a_mirror_seats_a_bot_against_its_copies():
    made = plan("a,b", seats=3, mirror=True)
    assert made.line_ups == (("a#1", "a#2", "a#3"), ("b#1", "b#2", "b#3"))
    assert made.entrant("b#2").name == "b"
    assert made.names == ["a#1", "a#2", "a#3", "b#1", "b#2", "b#3"]


def test_games_are_rounded_up_to_whole_deals():
    made = plan("a,b,c", seats=3)
    assert [made.whole(games) for games in (1, 3, 4, 600)] == [3, 3, 6, 600]


def test_seats_follow_the_number_of_bots():
    assert plan("a,b,c,d").seats == 4
    assert plan("a,b").seats == min(preau.game("recess").seats)
    assert plan("a,b,c,d,e,f").seats == max(preau.game("recess").seats)


def test_a_game_depends_on_seed_and_number_only():
    made, again, other = plan("a,b,c,d", seed=5), plan("a,b,c,d", seed=5), plan("a,b,c,d", seed=6)
    assert [made.seating(index) for index in (40, 3, 17)] == [again.seating(index) for index in (40, 3, 17)]
    assert made.seating(3).seed != other.seating(3).seed
    assert made.seating(3).deal_seed != other.seating(3).deal_seed
    assert len({derive(1, what, number) for what in ("deal", "game") for number in range(500)}) == 1000


@pytest.mark.parametrize(
    ("bots", "files", "word"),
    [
        ("", (), "nobody"),
        ("greedy,,random", (), "no bot"),
        ("greedy*0", (), "no bot"),
        ("greedy*x", (), "no bot"),
        ("greedy*²", (), "no bot"),
        ("grumpy", (), "grumpy"),
        ("greedy", ("nowhere.py:Bot",), "nowhere.py"),
        ("greedy", ("nowhere",), "no bot's file"),
        ("greedy", ("a b=nowhere.py:Bot",), "no name"),
    ],
)
def test_wrong_names_are_refused(bots, files, word):
    with pytest.raises(preau.PreauError, match=word) as caught:
        enter(bots, files)
    assert caught.value.field in ("--bots", "--bot")


def test_a_bot_alone_is_refused():
    with pytest.raises(preau.PreauError, match="--mirror"):
        plan("a", seats=3)


def test_bots_from_files_come_first_and_carry_their_text(tmp_path):
    text = (
        "from preau.bots import Bot\n\n\nclass Mine(Bot):\n    def choose(self, seen):\n        return seen.legal[0]\n"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    spec = f"{tmp_path / 'mine.py'}:Mine"
    mine, greedy = enter("greedy", [spec])
    assert (mine.name, mine.source.decode(), greedy) == ("Mine", text, Entrant("greedy", "greedy"))
    assert [one.name for one in enter("greedy,first", [f"first={spec}"])] == ["greedy", "first"]
    before = make_plan("recess", [mine, greedy]).to_json()
    (tmp_path / "other.py").write_text(text.replace("[0]", "[-1]"), encoding="utf-8")
    with pytest.raises(preau.PreauError, match="two bots are called Mine"):
        enter("greedy", [spec, f"{tmp_path / 'other.py'}:Mine"])
    (tmp_path / "other.py").replace(tmp_path / "mine.py")
    assert make_plan("recess", enter("greedy", [spec])).to_json() != before
    bot = mine.make()  # from a copy of the text it was entered with
    try:
        assert str(tmp_path) not in repr(vars(bot)["spec"])
    finally:
        bot.close()
