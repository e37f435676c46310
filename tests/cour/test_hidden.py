"""Secrets: what a seat sees, what it can work out, and what the sampler makes of it (C10, C20)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from preau.core import NATURE, Action
from preau.core.errors import ViewError
from preau.games.cour import memory as book
from preau.games.cour.game import GAME
from preau.games.cour.position import LOSING, RACING, TRADING
from preau.games.cour.rules import CourState
from preau.games.cour.tally import CHESTNUT, LEAF, empty
from tests.cour.positions import OPTION_SETS, at, choose, deck, per_card, seen, steps

SMALL = deck(marble=8, brick=6, car=3, leaf=8, chestnut=5, friend=2, glue=1, spider=9, butterfly=5, king=2)
"""A deck with many events and leaves, so that much is stolen and traded."""


def plain(data: Any) -> Any:
    return json.loads(json.dumps(data))


# The tally (C10).


def test_C10_the_tally_by_hand():
    tally = empty(3)
    assert not tally.gain(0, LEAF)
    assert not tally.gain(0, LEAF)
    assert not tally.gain(1, -1)
    assert tally.steal(0, 1) == 0  # seat 1 cannot hold a leaf
    assert tally.most == [2, 0, 0, 0, 0, 0]
    assert not tally.gain(1, LEAF)
    assert tally.steal(0, 1) == 1 << LEAF  # it may have been the leaf
    assert tally.most == [3, 0, 0, 0, 0, 0]
    tally.trade(0, LEAF)
    assert tally.most == [0, 0, 0, 0, 0, 0]
    assert tally.sizes == [1, 0, 0]


def test_C10_the_tally_is_never_more_than_the_hand():
    tally = empty(2)
    for _ in range(3):
        tally.gain(0, CHESTNUT)
    tally.gain(1, -1)
    assert tally.steal(1, 0) == 0
    assert tally.most == [0, 2, 0, 1]
    assert tally.steal(1, 0) == 0
    assert tally.most == [0, 1, 0, 2]
    assert tally.steal(1, 0) == 1 << CHESTNUT
    assert tally.most == [0, 0, 0, 3]


@pytest.mark.parametrize(
    "options", [{"cards": SMALL}, {"cards": SMALL, "slap_pick": "choose"}], ids=["blind", "choose"]
)
def test_C10_the_tally_follows_from_what_a_spectator_sees_and_is_never_too_low(options):
    asked = 0
    for seats in (2, 3, 5):
        for seed in range(10):
            for state, _, _ in steps(seats, seed, options):
                rows = state.view(None)["ledger"]
                masked = [book.entry(book.OPS.index(row["op"]), row["seat"], row.get("victim", 0), _kind(state, row))
                          for row in rows]  # fmt: skip
                public = book.public_tally(state.deck, seats, masked)
                assert public.most == state.tally.most
                assert public.sizes == state.sizes
                for seat in range(seats):
                    hand = state.hand(seat)
                    assert hand[state.deck.leaf] <= state.tally.most[2 * seat]
                    assert hand[state.deck.chestnut] <= state.tally.most[2 * seat + 1]
                    assert sum(hand) == state.sizes[seat]
                asked += state.phase == TRADING
    assert asked > 40


def _kind(state: CourState, row: Any) -> int:
    return book.UNKNOWN if row["card"] is None else state.deck.numbers[row["card"]]


def test_C10_nobody_who_can_trade_is_passed_over():
    """Whenever a gain brings three of a kind that may be traded, the question is put."""
    found = 0
    for seed in range(60):
        for state, actor, action in steps(3, seed, {"cards": SMALL}):
            before = len(state.memory)
            after = state.copy()
            after.apply(actor, action)
            if len(after.memory) != before + 1 or book.op_of(after.memory[-1]) == book.TRADE:
                continue
            gainer, kind = book.seat_of(after.memory[-1]), book.kind_of(after.memory[-1])
            if kind in (after.deck.leaf, after.deck.chestnut) and after.hand(gainer)[kind] >= 3:
                possible = after.others_hold(gainer) if kind == after.deck.leaf else after.man < 0
                assert (after.phase == TRADING) >= possible
                found += possible
    assert found > 30


# Non-interference (C20).


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("cards", ["reconstructed", SMALL], ids=["whole", "small"])
def test_C20_worlds_that_differ_in_secrets_look_the_same(options, cards):
    compared = 0
    for seats in (2, 3, 5):
        for seed in range(2):
            rng = Random(seed)
            for turn, (state, actor, action) in enumerate(steps(seats, seed, {**options, "cards": cards})):
                if turn % 4 != seed:
                    continue
                seat = rng.choice([None, *range(seats)])
                view = plain(state.view(seat))
                other = GAME.sampler(view).draw(rng)
                assert isinstance(other, CourState)
                _look_alike(state, other, seat, view)
                one, two = state.copy(), other.copy()
                two.answers = one.answers.copy()  # the action may be the one that shows all answers
                theirs = _counterpart(one, two, seat, actor, action, rng)
                if theirs is None:
                    continue
                happened = seen(one.apply(actor, action), seat), seen(two.apply(actor, theirs), seat)
                if not one.over:
                    assert happened[0] == happened[1]
                    _look_alike(one, two, seat, plain(one.view(seat)))
                    compared += one.memory != two.memory or one.characters != two.characters
    assert compared > 20


def _look_alike(one: CourState, two: CourState, seat: int | None, view: Any) -> None:
    assert plain(two.view(seat)) == view
    assert two.prompt(seat) == one.prompt(seat)
    assert two.to_act == one.to_act
    assert two.diagram(seat) == one.diagram(seat)
    if seat is not None:
        assert two.legal(seat) == one.legal(seat)
        assert two.zombie(seat) is one.zombie(seat) if seat in one.to_act else True
        assert GAME.observe(two, seat) == GAME.observe(one, seat)
        for action in one.setup.actions.all[::7]:
            if seat in one.to_act and action not in one.legal(seat):
                assert str(one.why_not(seat, action)) == str(two.why_not(seat, action))


def _counterpart(
    one: CourState, two: CourState, seat: int | None, actor: int, action: Any, rng: Random
) -> Action | None:
    """What happens in the other world: the same, or where the seat cannot tell, something else."""
    if actor == NATURE and one.phase == LOSING and seat not in (one.gainer, one.victim):
        return rng.choice(two.legal(NATURE))
    if one.setup.choose and one.phase == RACING and action.seat == seat:
        return None  # the seat is about to see a hand, and learns something
    return action if action in two.legal(actor) else None


def test_C20_swapping_two_unknown_cards_goes_unnoticed():
    base = {"op": "gain", "card": "leaf"}
    ledger = [{**base, "seat": 1, "card": "car"}, {**base, "seat": 1, "card": "brick"}, {**base, "seat": 0}]
    worlds = [
        at(4, ledger=[*ledger, {"op": "lose", "seat": 2, "victim": 1, "card": card}]) for card in ("car", "brick")
    ]
    assert worlds[0] != worlds[1]
    for seat in (None, 0, 3):
        assert worlds[0].view(seat) == worlds[1].view(seat)
    for seat in (1, 2):
        assert worlds[0].view(seat) != worlds[1].view(seat)


# Memory.


def test_memory_is_sound_and_exact_for_oneself():
    for options in ({"cards": SMALL}, {"cards": SMALL, "slap_pick": "choose"}):
        for seed in range(12):
            for turn, (state, _, _) in enumerate(steps(4, seed, options)):
                if turn % 9:
                    continue
                for seat in (None, *range(4)):
                    memory = state.view(seat)["memory"]
                    for other in range(4):
                        sure = book.hand_of(state.deck, memory[other]["sure"])
                        assert all(known <= held for known, held in zip(sure, state.hand(other), strict=True))
                        assert sum(sure) + memory[other]["unsure"] == state.sizes[other]
                    if seat is not None:
                        assert memory[seat] == {"sure": book.cards(state.deck, state.hand(seat)), "unsure": 0}


@pytest.mark.parametrize(
    "options", [{}, {"slap_pick": "choose"}, {"cards": per_card()}], ids=["", "choose", "per card"]
)
def test_numbers_are_sure_of_what_the_memory_is_sure_of(options):
    for turn, (state, _, _) in enumerate(steps(4, 3, options)):
        if turn % 5:
            continue
        for seat in range(4):
            numbers = GAME.observe(state, seat)
            for other, known in enumerate(state.view(seat)["memory"]):
                away = (other - seat) % 4
                sure = [0] * 7
                for kind, count in enumerate(book.hand_of(state.deck, known["sure"])):
                    sure[state.deck.groups[kind]] += count
                assert numbers.piece("sure")[7 * away : 7 * away + 7].tolist() == sure
                assert numbers.piece("unsure")[away] == known["unsure"]
                assert numbers.piece("sizes")[away] == state.sizes[other]
                if other == seat:
                    assert numbers.piece("hand").tolist() == sure


# The sampler against the tree of everything that can have happened.

Step = tuple[int, str] | None
"""Who does what; None for a blind draw of nature."""


def start(hands: list[dict[str, int]], **options: Any) -> CourState:
    """Three or four seats with hands gained openly, and a drawer who turns over one spider after another."""
    return at(len(hands), hands=hands, options={"cards": SMALL, **options})


def slap(thief: int, victim: int, seats: int) -> list[Step]:
    """A spider that lets one seat rob another."""
    points = [(seat, f"point {victim if seat == thief else (seat + 1) % seats}") for seat in range(seats)]
    return [(NATURE, "turn spider"), *points, (NATURE, f"fastest {thief}")]


def worlds_of(state: CourState, script: list[Step], weight: float = 1.0) -> Iterator[tuple[CourState, float]]:
    """All ways in which a script can come true, with nature's blind draws left open (`None`), and their chances."""
    state = state.copy()
    for place, step in enumerate(script):
        if step is None:
            for action, chance in state.outcomes():
                branch = state.copy()
                branch.apply(NATURE, action)
                yield from worlds_of(branch, script[place + 1 :], weight * chance)
            return
        actor, text = step
        if text == "take":
            for action in state.legal(actor):
                branch = state.copy()
                card = state.deck.numbers[action.text.split()[1]]
                share = state.hand(state.victim)[card] / state.sizes[state.victim]
                branch.apply(actor, action)
                yield from worlds_of(branch, script[place + 1 :], weight * share)
            return
        if text not in [action.text for action in state.legal(actor)]:
            if text == "trade no" and state.phase != TRADING:
                continue
            return
        state.apply(actor, text)
    yield state, weight


FOUR: list[dict[str, int]] = [
    {"car": 1},
    {"leaf": 2, "brick": 1},
    {"leaf": 2, "marble": 2},
    {"marble": 1, "leaf": 1, "chestnut": 1},
]
SCRIPTS: dict[str, list[Step]] = {
    "one theft": [*slap(1, 2, 4), None, (1, "trade no")],
    "a chain": [*slap(3, 2, 4), None, (3, "trade no"), *slap(1, 3, 4), None, (1, "trade no")],
    "there and back": [*slap(1, 2, 4), None, (1, "trade no"), *slap(2, 1, 4), None, (2, "trade no")],
    "robbed": [*slap(1, 2, 4), None, (1, "trade no"), *slap(2, 0, 4), None, (2, "trade no")],
    "own theft": [*slap(1, 2, 4), None, (1, "trade no"), *slap(0, 1, 4), None, (0, "trade no")],
    "two own thefts": [
        *slap(1, 2, 4), None, (1, "trade no"), *slap(0, 1, 4), None, (0, "trade no"),
        *slap(3, 1, 4), None, (3, "trade no"), *slap(0, 3, 4), None, (0, "trade no"),
    ],
    "a trade proves a theft": [*slap(1, 2, 4), None, (1, "trade yes"), (1, "steal 3"), None, (1, "trade no")],
    "a trade proves an older theft": [
        *slap(3, 2, 4), None, (3, "trade no"), *slap(2, 3, 4), None, (2, "trade no"), *slap(3, 1, 4), None,
        (3, "trade yes"), (3, "steal 1"), None, (3, "trade no"),
    ],
}  # fmt: skip


def check_frequencies(
    state: CourState, script: list[Step], seat: int | None, draws: int = 2500
) -> dict[str, dict[tuple[int, ...], float]]:
    """For every way the script can look to a seat, the sampler's frequencies against the exact chances."""
    groups: dict[str, dict[tuple[int, ...], float]] = {}
    views: dict[str, Any] = {}
    for world, weight in worlds_of(state, script):
        view = plain(world.view(seat))
        key = json.dumps(view, sort_keys=True)
        views[key] = view
        group = groups.setdefault(key, {})
        ledger = tuple(world.memory)
        group[ledger] = group.get(ledger, 0.0) + weight
    assert groups
    for key, exact in groups.items():
        total = sum(exact.values())
        sampler = GAME.sampler(views[key])
        rng = Random(len(key))
        found = Counter(tuple(sampler.draw(rng).memory) for _ in range(draws))  # type: ignore[attr-defined]
        assert set(found) <= set(exact)
        distance = 0.0
        for ledger, weight in exact.items():
            expected = draws * weight / total
            distance += (found[ledger] - expected) ** 2 / expected
        freedom = len(exact) - 1
        assert distance < freedom + 5 * (2 * freedom) ** 0.5 + 5
    return groups


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("seat", [0, 3, None])
def test_the_sampler_is_exact(name, seat):
    groups = check_frequencies(start(FOUR), SCRIPTS[name], seat)
    if seat is None:
        assert max(len(group) for group in groups.values()) > 1


def test_the_sampler_is_exact_when_hands_are_seen():
    script = [*slap(1, 2, 4), (1, "take"), (1, "trade no"), *slap(0, 1, 4), (0, "take"), (0, "trade no")]
    script += [*slap(3, 1, 4), (3, "take"), (3, "trade no")]
    for seat in (0, 2, None):
        check_frequencies(start(FOUR, slap_pick="choose"), script, seat, draws=1500)


def test_the_sampler_is_exact_after_open_gains_and_trades():
    state = at(
        4,
        hands=[{}, {"leaf": 1, "brick": 1}, {"leaf": 2, "marble": 1}, {"car": 1}],
        options={"cards": SMALL},
    )
    script = [*slap(1, 2, 4), None, *slap(2, 3, 4), None, (2, "trade no")]
    script += [(NATURE, "turn leaf"), (NATURE, "turn leaf"), (NATURE, "turn brick")]
    script += [(0, "keep brick"), (0, "give leaf 1"), (1, "trade no")]
    script += [(NATURE, "turn leaf"), (NATURE, "turn marble"), (NATURE, "turn car"), (1, "keep leaf"), (1, "trade yes")]
    script += [(1, "steal 2"), None, (1, "trade no")]
    for seat in (0, 3, None):
        groups = check_frequencies(state, script, seat)
        assert sum(len(group) for group in groups.values()) > 1


def test_characters_are_dealt_alike():
    state = at(3, characters=["queen", "boss", "minx"])
    sampler = GAME.sampler(state.view(0))
    rng = Random(2)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(4200):
        drawn = sampler.draw(rng)
        assert isinstance(drawn, CourState)
        found[tuple(drawn.characters[1:])] += 1
    assert len(found) == 42
    assert all(60 < count < 145 for count in found.values())


def test_answers_not_yet_shown_are_drawn_at_random():
    state = at(4, hands=[{"car": 1}, {}, {}, {}])
    state.apply(NATURE, "turn spider")
    state.apply(2, "point 3")
    sampler = GAME.sampler(state.view(0))
    found = Counter(sampler.draw(Random(seed)).answers[2] for seed in range(300))  # type: ignore[attr-defined]
    assert set(found) == {0, 1, 3}
    assert GAME.sampler(state.view(2)).draw(Random(1)).answers[2] == 3  # type: ignore[attr-defined]


def test_samples_agree_with_the_view_and_can_be_played_out():
    for options in OPTION_SETS:
        for seats in (2, 4, 8):
            rng = Random(seats)
            for turn, (state, _, _) in enumerate(steps(seats, 3, {**options, "cards": SMALL})):
                if turn % 40 != 7:
                    continue
                seat = rng.randrange(seats)
                view = plain(state.view(seat))
                sampler = GAME.sampler(view)
                for _ in range(3):
                    drawn = sampler.draw(rng)
                    assert isinstance(drawn, CourState)
                    assert plain(drawn.view(seat)) == view
                    assert GAME.load(plain(drawn.to_json())) == drawn
                    drawn.playout(rng)
                    assert drawn.over


def test_a_finished_game_has_nothing_to_guess():
    for state, actor, action in steps(3, 5):
        last = state.copy()
        last.apply(actor, action)
    assert GAME.sampler(plain(last.view(0))).draw(Random(1)) == last


def test_a_view_nobody_could_have_is_refused():
    state = start(FOUR)
    choose(state, Random(1))
    view = plain(state.view(0))
    for wrong in ({}, {**view, "phase": "lunch"}, {**view, "ledger": [{"op": "gain"}]}, {**view, "pool": 3}):
        with pytest.raises(ViewError):
            GAME.sampler(wrong)
    proof = [
        *view["ledger"],
        {"op": "lose", "seat": 1, "victim": 2, "card": None},
        {"op": "trade", "seat": 1, "card": "chestnut"},
    ]
    with pytest.raises(ViewError):
        GAME.sampler({**view, "ledger": proof})
