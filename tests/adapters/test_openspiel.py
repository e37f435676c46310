"""Every game at OpenSpiel, held to OpenSpiel's own checks and played by its algorithms."""

from __future__ import annotations

import json
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import preau
from preau.adapters.env_config import EnvConfig
from preau.bots.bot_match import BotMatch
from preau.bots.registry import make_bot
from preau.core import PositionError, SetupError
from preau.games.cour.data import shipped
from tests.core.auction import GAME as AUCTION

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not made for Windows")

from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

from preau.adapters import openspiel  # noqa: E402

TABLES = [(name, seats) for name in preau.game_ids() for seats in preau.game(name).seats]
ENDS = [(name, end(preau.game(name).seats)) for name in preau.game_ids() for end in (min, max)]


def through_deals(state: Any) -> Any:
    """The first position in which somebody is asked."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


@pytest.mark.parametrize(("game", "seats"), ENDS)
def test_their_checks(game, seats):
    pyspiel.random_sim_test(pyspiel.load_game(f"preau_{game}(players={seats})"), 1, serialize=True, verbose=False)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_their_checks_at_length(game, seats):
    pyspiel.random_sim_test(pyspiel.load_game(f"preau_{game}(players={seats})"), 20, serialize=True, verbose=False)


def test_a_game_that_brings_nothing_for_it():
    game = openspiel.game(AUCTION, 3, {"apples": 2}, reward="score")
    assert game.num_players() == 3
    state = game.new_initial_state()
    rng = Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.returns() == EnvConfig(AUCTION, 3, {"apples": 2}, reward="score", limit=None).rewards(state.position)


@pytest.mark.parametrize("name", preau.game_ids())
def test_the_same_game(name):
    """What is chosen there leads to the very position that it leads to here, and is worth the same."""
    game = pyspiel.load_game(f"preau_{name}")
    ours = preau.game(name).start(seed=0)
    state = game.new_initial_state()
    rng = Random(2)
    while not state.is_terminal():
        actor = ours.to_act[0]
        if actor == preau.NATURE:
            assert state.is_chance_node()
            assert state.chance_outcomes() == [(action.number, chance) for action, chance in ours.outcomes()]
        else:
            assert state.current_player() == actor
            assert state.legal_actions() == sorted(action.number for action in ours.legal(actor))
        action = rng.choice(ours.legal(actor))
        assert state.action_to_string(actor, action.number) == action.text
        state.apply_action(action.number)
        ours.advance(actor, action)
        assert state.position == ours
    winners = ours.ranking()[0]
    assert [seat for seat, worth in enumerate(state.returns()) if worth > 0] == list(winners)
    assert pickle.loads(pickle.dumps(game)).num_players() == game.num_players()


@pytest.mark.parametrize("name", preau.game_ids())
def test_what_a_seat_sees(name):
    """Numbers as everywhere else; texts that tell apart what a seat can tell apart, and nothing more."""
    game = pyspiel.load_game(f"preau_{name}")
    state = through_deals(game.new_initial_state())
    seen = make_observation(game)
    seen.set_from(state, 1)
    assert list(seen.tensor) == list(preau.game(name).observe(state.position, 1).values)
    assert seen.dict.keys() == {piece.name for piece in preau.game(name).layout(state.position).pieces}
    other = state.resample(1, Random(4))
    assert other.information_state_string(1) == state.information_state_string(1)
    assert other.observation_string(1) == state.observation_string(1)
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert recall.string_from(state, 1) == state.information_state_string(1)
    public = make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    )
    assert json.loads(public.string_from(state, 1)) == json.loads(json.dumps(state.position.view(None)))
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="nobody sees what all seats know"):
        game.make_py_observer(everything)
    if preau.game(name).secrets:
        assert any(state.resample(1, Random(seed)).position != state.position for seed in range(5))


def test_secret_choices_stay_secret():
    """Of two who bid at once the second does not see what the first one bid; both remember their own."""
    states = [openspiel.game(AUCTION, 2).new_initial_state() for _ in range(2)]
    for state, bid in zip(states, (1, 3), strict=True):
        state.apply_action(bid)
    one, other = states
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_string(0) != other.information_state_string(0)


def rollouts() -> Any:
    return mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))


@pytest.mark.parametrize(("name", "seats"), [("recess", 3), ("bagarre", 2), ("cour", 3)])
def test_their_search_sits_at_our_table(name, seats):
    """As one of our bots, from what its seat knows."""

    def sit(game: Any, seat: int) -> Any:
        rng = np.random.RandomState(seat)
        if preau.game(name).secrets:
            return ismcts.ISMCTSBot(game, rollouts(), 2.0, 4, max_world_samples=2, random_state=rng)
        return mcts.MCTSBot(game, 2.0, 4, rollouts(), random_state=rng)

    options = {"recess": {"turns": 3}, "bagarre": {"goal": 1}}.get(name, {})
    match = preau.new(name, seats, options=options, seed=3)
    others = {seat: make_bot("greedy") for seat in range(1, seats)}
    bots = BotMatch(match, {0: openspiel.SpielBot(sit), **others}, seed=1)
    for _ in range(30):
        if match.over:
            break
        bots.step()
    assert any(entry.actor == 0 for entry in match.record.entries)


def small_end(eyes: int = -1) -> Any:
    """The end of a game of cour with few cards, in which the first seat does not know the other's character."""
    cards = json.loads(json.dumps(shipped("reconstructed")))
    for toy, count in {"marble": 13, "brick": 1, "soldier": 1, "monster": 1, "car": 12}.items():
        cards["toys"][toy]["count"] = count
    cards["others"] = dict.fromkeys(cards["others"], 0)
    hands = [{"marble": 11, "brick": 1}, {"car": 9, "soldier": 1, "monster": 1}]
    held = [(seat, card) for seat in (1, 0) for card, count in hands[seat].items() for _ in range(count)]
    gains = [{"op": "gain", "seat": seat, "card": card} for seat, card in held]
    data = {"game": "cour", "seats": 2, "phase": "turn", "characters": ["queen", "boss"], "hands": hands}
    data |= {"ledger": gains, "options": {"first": 0, "cards": cards}}
    return openspiel.game("cour", position=data, eyes=eyes, worlds=3, reward="score")


def test_their_solver_solves_a_small_end():
    """CFR comes closer to where nobody gains by playing otherwise; several worlds look the same to the first seat."""
    game = small_end(eyes=0)
    worlds = [game.new_initial_state().child(number) for number, _ in game.new_initial_state().chance_outcomes()]
    assert len({world.information_state_string(0) for world in worlds}) == 1
    assert len({world.information_state_string(1) for world in worlds}) > 1
    solver = cfr.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    before = exploitability.nash_conv(game, UniformRandomPolicy(game))
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 2


def test_parameters(tmp_path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(preau.new("recess", 3, seed=1).state.to_json()), encoding="utf-8")
    assert pyspiel.load_game("preau_recess", {"position": str(file)}).num_players() == 3
    assert pyspiel.load_game("preau_recess(players=5,options=turns:6;first:1)").num_players() == 5
    file.write_text("[]", encoding="utf-8")
    for wrong, error, said in (
        ({"players": 9}, SetupError, "9"),
        ({"options": "turns"}, SetupError, "name:value"),
        ({"options": "turn:3"}, SetupError, "turn"),
        ({"reward": "fame"}, SetupError, "win, rank, score"),
        ({"position": str(tmp_path / "none")}, PositionError, "cannot be read"),
        ({"position": str(file)}, PositionError, "is no position"),
        ({"eyes": 7}, SetupError, "no seat 7"),
        ({"eyes": 1, "worlds": 0}, SetupError, "worlds"),
    ):
        with pytest.raises(error, match=said):
            pyspiel.load_game("preau_recess", wrong)
