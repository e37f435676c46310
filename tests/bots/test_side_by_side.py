"""Thinking side by side, and the rules of thumb games are played out by, in Dans la cour d'école."""

from __future__ import annotations

from random import Random

import pytest

import preau
from preau.bots import Budget, GreedyBot, LevelBot, Seen
from preau.bots.evaluate import judges
from preau.bots.evaluate.base import Player
from preau.bots.search.side_by_side import FEW, TOO_FEW, SideBySide
from preau.bots.search.think import begin
from preau.bots.search.thought import PORTION
from preau.core import Match, State
from preau.core.registry import find_game


def positions(seats: int, seed: int):
    """The positions of a random game at which somebody has a choice."""
    rng = Random(seed)
    match = Match.new(find_game("cour"), seats, {}, seed)
    while not match.over:
        seat = match.to_act[0]
        if len(match.legal(seat)) > 1:
            yield match.state.copy(), seat
        match.apply(seat, rng.choice(match.legal(seat)))


def judge() -> Player:
    made = judges.judge("cour")
    assert isinstance(made, Player)
    return made


def thought(state: State, seat: int, budget: Budget) -> SideBySide:
    made = begin("cour", seat, state.game.sampler(state.view(seat)), Random(1), judge(), None)
    assert isinstance(made, SideBySide)
    made.spend(budget)
    return made


def test_the_rules_of_thumb_are_those_of_greedy():
    """While no theft has hidden a card, greedy does what the judge's policy likes best."""
    compared = set()
    for seed in range(12):
        for state, seat in positions(2 + seed % 5, seed):
            view = state.view(seat)
            if view["phase"] == "throw" or any(row["op"] == "lose" for row in view["ledger"]):
                continue
            legal = state.legal(seat)
            likings = judge().policy(state, seat, legal)
            chosen = GreedyBot().choose(Seen(state.game, seat, view, legal, (), Random(seed)))
            assert likings[legal.index(chosen)] > max(likings) - 1e-9, (view, chosen)
            compared.add(view["phase"])
    assert compared >= {"keep", "give", "point", "challenge", "friend"}


def test_the_same_luck_gives_the_same_end():
    ends = set()
    for state, _ in list(positions(4, 3))[:6]:
        for luck in (1, 2):
            once, again = state.copy(), state.copy()
            judge().play_out(once, luck)
            judge().play_out(again, luck)
            assert once.over
            assert once == again
            ends.add(once.scores())
    assert len(ends) > 6


def test_luck_is_that_of_its_number_whatever_was_played_before():
    used = judge()
    ends: dict[tuple[int, int], State] = {}
    starts = [state for state, _ in list(positions(4, 3))[:3]]
    for luck in (5, 6, 7, 5):
        for number, state in enumerate(starts):
            new = judges.judge("cour", used.weights)
            assert isinstance(new, Player)
            for one in (used, new):
                played = state.copy()
                one.play_out(played, luck)
                assert ends.setdefault((luck, number), played) == played


def test_the_same_luck_turns_the_same_cards_whatever_is_done():
    state = next(state for state, _ in positions(4, 5) if state.view(None)["phase"] == "keep")
    seat = state.to_act[0]
    pools = set()
    for action in state.legal(seat):
        after = state.copy()
        after.advance(seat, action)
        judge().play_out(after, 9)
        view = after.view(None)
        pools.add((view["round"], tuple(sorted(view["pool"].items()))))
    rounds = [one for one, _ in pools]
    assert len(pools) == len(set(rounds))  # games of the same length used up the same cards


def test_the_worse_half_is_left_out_round_by_round():
    state, seat = next((state, seat) for state, seat in positions(4, 1) if len(state.legal(seat)) == 6)
    opinions = thought(state, seat, Budget(600)).opinions()
    visits = sorted(one.visits for one in opinions)
    assert visits == [33, 33, 33, 99, 199, 199]
    assert max(opinions, key=lambda one: one.rank()).visits == 199


def test_what_hardly_matters_gets_little_thought():
    state, seat = next((state, seat) for state, seat in positions(4, 1) if state.view(None)["phase"] == "point")
    assert thought(state, seat, Budget(6000)).simulations <= FEW
    assert thought(state, seat, Budget(TOO_FEW)).simulations >= TOO_FEW // 2
    by_policy = thought(state, seat, Budget(TOO_FEW - 1))
    assert by_policy.simulations == 0
    likings = judge().policy(state, seat, state.legal(seat))
    values = [one.value for one in by_policy.opinions()]
    assert [value == max(values) for value in values] == [liking == max(likings) for liking in likings]


class Timed(Player):
    """A judge for whom every game that is played out takes a second, of a clock that nothing else moves."""

    def __init__(self) -> None:
        super().__init__(judge().weights)
        self.real = judge()
        self.seconds = 0.0

    def clock(self) -> float:
        return self.seconds

    def policy(self, state, seat, legal):
        return self.real.policy(state, seat, legal)

    def values(self, state):
        return self.real.values(state)

    def play_out(self, state, luck):
        self.seconds += 1.0
        self.real.play_out(state, luck)

    def final(self, state):
        return self.real.final(state)


@pytest.mark.parametrize("seconds", [1, 40, 90, 200])
def test_time_is_kept_to(seconds):
    """Thinking ends with the first look at the clock after the time is up, which is never more than a portion later."""
    state, seat = next((state, seat) for state, seat in positions(4, 1) if len(state.legal(seat)) == 6)
    timed = Timed()
    made = SideBySide(seat, state.game.sampler(state.view(seat)), Random(1), timed)
    made.spend(Budget(seconds=seconds), timed.clock)
    assert made.simulations == timed.seconds
    assert seconds <= timed.seconds < seconds + PORTION
    assert min(one.visits for one in made.opinions()) > 0


def test_few_simulations_do_not_outweigh_the_rules_of_thumb():
    """With one simulation an action a far better card is still kept."""
    state = preau.game("cour").load(
        {
            "seats": 3,
            "active": 1,
            "phase": "keep",
            "open": ["car", "leaf", "marble"],
            "characters": ["agent", "boss", "minx"],
        }
    )
    for seed in range(10):
        seen = Seen(state.game, 1, state.view(1), state.legal(1), (), Random(seed))
        assert LevelBot("expert", Budget(3)).choose(seen).text == "keep car"
