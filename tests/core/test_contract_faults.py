"""The contract suite finds deliberate faults: each test makes one fault in a game and names the check that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

import preau
from preau.core import Action, Game, IllegalAction, Slate, State, Texts
from preau.core import game as game_module
from preau.core.state import Json
from preau.learn.puzzles import puzzles
from preau.testing import contents, positions, secrets
from preau.testing.helpers import Check

from .auction import ACTIONS, GAME, PURSE, AuctionSampler, AuctionState

SEATS = 3
VIEW, ADVANCE, LEGAL, WRITE = AuctionState.view, AuctionState.advance, AuctionState.legal, AuctionState.write
DRAW = AuctionSampler.draw


def fails(check: Check, words: str, game: Game = GAME, seats: int = SEATS) -> None:
    """Require that a check fails with these words, and that it names nothing else."""
    with pytest.raises(AssertionError, match=words):
        check(game, seats)


# Choices of several seats at once.


def view_with_all_bids(state: AuctionState, seat: int | None) -> Json:
    return {**VIEW(state, seat), "bids": list(state.bids)}


def view_with_all_bids_for_spectators(state: AuctionState, seat: int | None) -> Json:
    return VIEW(state, seat) if seat is not None else view_with_all_bids(state, seat)


def view_with_the_highest_bid(state: AuctionState, seat: int | None) -> Json:
    return {**VIEW(state, seat), "highest": max((bid for bid in state.bids if bid is not None), default=None)}


def prompt_with_the_highest_bid(state: AuctionState, seat: int | None) -> Json:
    highest = max((bid for bid in state.bids if bid is not None), default=None)
    return {"key": "prompt.bid", "seats": list(state.to_act), "highest": highest}


def event_that_tells_all(state: AuctionState, actor: int, action: Action) -> None:
    ADVANCE(state, actor, action)
    state.say("shown", "A1", {"seat": actor, "action": action.text})


def event_that_tells_one_seat(state: AuctionState, actor: int, action: Action) -> None:
    ADVANCE(state, actor, action)
    if actor >= 0:
        state.say("whispered", "A1", {"seat": actor}, {(actor + 1) % state.seats: {"action": action.text}})


def event_that_tells_the_bids_before(state: AuctionState, actor: int, action: Action) -> None:
    state.say("shown", "A1", {"bids": list(state.bids)})
    ADVANCE(state, actor, action)


def observation_of_the_next_bid(state: AuctionState, seat: int, slate: Slate) -> None:
    WRITE(state, seat, slate)
    slate.put(3, state.bids[(seat + 1) % state.seats] or 0)


def legal_unless_bid_by_another(state: AuctionState, seat: int) -> tuple[Action, ...]:
    others = [bid for other, bid in enumerate(state.bids) if other != seat]
    legal = LEGAL(state, seat)
    return tuple(one for one in legal if one.number not in others) if seat >= 0 else legal


def refusal_with_the_bids(state: AuctionState, actor: int, action: Action) -> IllegalAction:
    return IllegalAction(f"the bids are {state.bids}", rule="A1")


def diagram_with_all_bids(state: AuctionState, seat: int | None = None) -> str:
    return f"bids {state.bids}"


def nobody_answers_after_the_whole_purse(state: AuctionState) -> tuple[int, ...]:
    if not state.left:
        return ()
    waiting = tuple(seat for seat in range(state.seats) if state.bids[seat] is None)
    return () if PURSE in state.bids else waiting or (-1,)


def draw_what_the_view_shows(sampler: AuctionSampler, rng: Random) -> State:
    """Draw a position that agrees with a view that shows too much, so that only the leak itself is a fault."""
    state = DRAW(sampler, rng)
    assert isinstance(state, AuctionState)
    if "bids" in sampler.view:
        state.bids = list(sampler.view["bids"])
    return state


@pytest.mark.parametrize(
    ("method", "fault", "words"),
    [
        ("view", view_with_all_bids, r"seat \d can tell them apart: view.bids\[\d\] is \d or \d"),
        ("view", view_with_all_bids_for_spectators, r"a spectator can tell them apart: view.bids\[\d\] is \d or \d"),
        ("view", view_with_the_highest_bid, r"can tell them apart: view.highest is \d or \d"),
        ("prompt", prompt_with_the_highest_bid, r"can tell them apart: prompt.highest is \d or \d"),
        ("advance", event_that_tells_all, r"can tell them apart: event.shown.action is 'bid \d' or 'bid \d'"),
        ("advance", event_that_tells_one_seat, r"seat \d can tell them apart: event.whispered.action is 'bid"),
        ("advance", event_that_tells_the_bids_before, r"can tell them apart: event.shown.bids\[\d\] is \d or \d"),
        ("write", observation_of_the_next_bid, r"can tell them apart: observation.scores\[\d\] is \d.* or \d"),
        ("legal", legal_unless_bid_by_another, r"can tell them apart: legal.* is "),
        ("why_not", refusal_with_the_bids, r"can tell them apart: refusal.message is "),
        ("diagram", diagram_with_all_bids, r"can tell them apart: diagram is "),
        ("to_act", property(nobody_answers_after_the_whole_purse), r"after bid 4 of seat \d the seats to act are \[\]"),
    ],
)
def test_a_simultaneous_choice_that_is_shown_too_soon_is_found(monkeypatch, method, fault, words):
    monkeypatch.setattr(AuctionState, method, fault)
    monkeypatch.setattr(AuctionSampler, "draw", draw_what_the_view_shows)
    fails(secrets.choices_made_at_once_stay_secret, words)


# Samplers.


def draw_with_bids(bid: Callable[[int, Random], int]) -> Callable[[AuctionSampler, Random], State]:
    def draw(sampler: AuctionSampler, rng: Random) -> State:
        state = AuctionState(sampler.view["options"], sampler.view["seats"])
        state.purses, state.apples = list(sampler.view["purses"]), list(sampler.view["apples"])
        state.left = sampler.view["left"]
        for seat, answered in enumerate(sampler.view["answered"]):
            if answered:
                state.bids[seat] = bid(state.purses[seat], rng)
        if sampler.view.get("seat") is not None:
            state.bids[sampler.view["seat"]] = sampler.view["bid"]
        return state

    return draw


@pytest.mark.parametrize(
    ("bid", "words"),
    [
        (lambda purse, rng: 0, r"never draws 1, .* for view of seat \d.bid, only 0"),
        (lambda purse, rng: rng.randint(0, max(0, purse - 1)), r"never draws 4 for view of seat \d.bid"),
    ],
)
def test_a_sampler_that_leaves_out_what_is_possible_is_found(monkeypatch, bid, words):
    monkeypatch.setattr(AuctionSampler, "draw", draw_with_bids(bid))
    fails(secrets.samplers_draw_every_possible_world, words)


def test_a_sampler_that_draws_everything_passes(monkeypatch):
    """Rarely is often enough."""
    rarely = lambda purse, rng: purse if rng.random() < 0.01 else rng.randint(0, purse)  # noqa: E731
    monkeypatch.setattr(AuctionSampler, "draw", draw_with_bids(rarely))
    secrets.samplers_draw_every_possible_world(GAME, SEATS)


# Keys, JSON and types.


@pytest.mark.parametrize(
    ("forgotten", "words"),
    [
        ("bids", r"the key is that of another position, but position.(bids|answered)\[\d\] is "),
        ("purses", r"the key is that of another position, but (position|view.None).purses\[\d\] is "),
    ],
)
def test_a_key_that_forgets_something_is_found(monkeypatch, forgotten, words):
    def key(state: AuctionState) -> tuple[object, ...]:
        parts: dict[str, list[Any]] = {"purses": state.purses, "apples": state.apples, "bids": state.bids}
        return (state.seats, state.left, *(tuple(part) for name, part in parts.items() if name != forgotten))

    monkeypatch.setattr(AuctionState, "key", key)
    fails(positions.equal_keys_mean_equal_positions, words)


def test_json_that_loses_what_the_key_forgets_too_is_found(monkeypatch):
    monkeypatch.setattr(AuctionState, "key", lambda state: (state.left, tuple(state.purses), tuple(state.apples)))
    monkeypatch.setattr(AuctionState, "to_json", lambda state: VIEW(state, None))
    fails(positions.json_keeps_everything, r"written as JSON and read back, .* is ")


@pytest.mark.parametrize(
    ("method", "fault", "words"),
    [
        ("legal", lambda state, seat: list(LEGAL(state, seat)), r"legal\(0\) is \[.*\], not tuple\[Action, \.\.\.\]"),
        ("scores", lambda state: list(state.apples), r"scores\(\) is \[0, 0, 0\], not tuple\[int, \.\.\.\]"),
        ("key", lambda state: [state.left, *state.purses], r"key\(\) is \[3, 4, 4, 4\], not tuple"),
        ("outcomes", lambda state: (), r"outcomes\(\) is \(\), not list\[tuple\[Action, float\]\]"),
        ("tells", lambda state, seat, action: 0, r"tells\(\d, bid \d\) is 0, not bool"),
        ("progress", lambda state: "0", r"progress\(\) is '0', not float"),
    ],
)
def test_an_answer_of_another_type_is_found(monkeypatch, method, fault, words):
    """Compiled callers refuse it; plain ones may not notice."""
    monkeypatch.setattr(AuctionState, method, fault)
    fails(positions.answers_have_the_declared_types, words)


def test_a_slate_that_is_given_another_sequence_is_found(monkeypatch):
    def write(state: AuctionState, seat: int, slate: Slate) -> None:
        slate.fill(0, tuple(state.apples), 0, state.seats)  # type: ignore[arg-type]

    monkeypatch.setattr(AuctionState, "write", write)
    with pytest.raises((AssertionError, TypeError), match="list"):
        positions.sees_the_same_on_a_slate_that_was_used(GAME, SEATS)


# Texts.


def without(monkeypatch, name: str, key: str) -> Game:
    """Take a text out of both languages of a game."""
    game = preau.game(name)
    texts = {language: game.texts(language) for language in preau.core.LANGUAGES}
    assert all(key in one for one in texts.values())
    for language, one in texts.items():
        left = {name: text for name, text in one.messages.items() if name != key}
        monkeypatch.setitem(game_module._TEXTS[name], language, Texts(language, left))
    return game


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("recess", "about"),
        ("recess", "seat"),
        ("recess", "points"),
        ("recess", "option.turns"),
        ("recess", "option.exits.corner"),
        ("recess", "option.layout.random"),
        ("recess", "option.first.random"),
        ("recess", "chapter.fights"),
        ("recess", "rule.R36"),
        ("recess", "challenge.about"),
        ("recess", "puzzle.kiss.task"),
        ("recess", "event.kiss"),
        ("recess", "prompt.nun"),
        ("recess", "why.skip"),
        ("cour", "option.cards.reconstructed"),
    ],
)
def test_a_missing_text_is_found(monkeypatch, name, key):
    game = without(monkeypatch, name, key)
    fails(contents.has_every_text_that_is_asked_for, f"en: there is no text '{key}', for .*fr: there is no", game)


def test_a_missing_text_of_a_tie_break_is_found(monkeypatch):
    game = without(monkeypatch, "cour", "tie_break.shared")
    fails(contents.has_words_for_how_games_end, "en: there is no text 'tie_break.shared'", game)


def test_a_missing_text_of_an_ending_is_found(monkeypatch):
    """Reports find it in the game's texts for the lab, or else in all others."""
    monkeypatch.setattr(contents, "_lab_texts", lambda game, language: Texts(language, {}))
    fails(contents.has_words_for_how_games_end, r"en: there is no text 'ending\.\w+', for reports", preau.game("cour"))


@pytest.mark.parametrize("text", ["move {1, no_such_word}", "move {3}"])
def test_an_action_text_that_cannot_be_said_is_found(monkeypatch, text):
    game = preau.game("recess")
    texts = Texts("en", {**game.texts("en").messages, "action.b1": text})
    monkeypatch.setitem(game_module._TEXTS["recess"], "en", texts)
    fails(contents.puts_actions_into_words, "en: action.b1 cannot be said of b1 a1: ", game)


# Data files.


def test_a_lesson_with_an_illegal_way_is_found(monkeypatch):
    game = preau.game("recess")
    first, *others = game.lessons
    monkeypatch.setitem(game.__dict__, "lessons", (first._replace(way=("b1 e9", *first.way[1:])), *others))
    fails(contents.its_lesson_can_be_followed, f"lessons.json: {first.name}: after b1 e9", game)


def test_a_figure_that_claims_what_is_not_so_is_found(monkeypatch):
    game = preau.game("recess")
    figure = next(figure for figure in game.book if figure.open)
    wrong = figure._replace(refused={figure.open[0]: "R1"})
    monkeypatch.setitem(game.__dict__, "book", tuple(wrong if one is figure else one for one in game.book))
    fails(contents.its_rule_book_shows_what_it_says, f"book.json: {figure.name}: .* is legal", game)


@pytest.mark.parametrize("field", ["best", "line"])
def test_a_puzzle_with_an_illegal_solution_is_found(monkeypatch, field):
    changed: Mapping[str, Any] = {field: ("timeout",)}
    wrong = puzzles("recess")[0]._replace(**changed)
    monkeypatch.setattr(contents, "puzzles_of", lambda game: (wrong,))
    fails(contents.its_puzzles_can_be_played, f"puzzles.json: {wrong.id}: 'timeout' is not legal", preau.game("recess"))


def test_the_faults_are_faults_of_a_sound_game():
    """Without them the same checks pass."""
    assert len(ACTIONS) == PURSE + 1 + 4
    for check in (
        secrets.choices_made_at_once_stay_secret,
        secrets.samplers_draw_every_possible_world,
        positions.equal_keys_mean_equal_positions,
        positions.json_keeps_everything,
        positions.answers_have_the_declared_types,
    ):
        check(GAME, SEATS)
