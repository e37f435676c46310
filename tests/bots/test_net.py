"""Networks as bots: they see what their seat sees and nothing else, and files that will not do are refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

import preau
from preau.adapters.vector import Games
from preau.arena import enter, make_plan
from preau.bots import BotMatch, Seen, make_bot
from preau.bots.base import BotError
from preau.bots.net import KEY, NetBot, label, observed
from preau.cli.app import app
from preau.core.errors import SetupError
from tests.nets import write_net
from tests.support import says_what_to_do

GAMES = ("recess", "bagarre", "cour")


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    """A network for every game."""
    folder = tmp_path_factory.mktemp("nets")
    return {game: str(write_net(folder / f"{game}.onnx", game)) for game in GAMES}


def positions(game: str, seed: int, steps: int = 60, every: int = 4):
    """Positions of a game at random, now and then, in which a seat has a choice."""
    match = preau.new(game, seed=seed)
    rng = Random(seed)
    for step in range(steps):
        if match.over:
            return
        seat = match.to_act[0]
        if step % every == 0:
            yield match.state, seat
        match.apply(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("game", GAMES)
def test_it_is_shown_what_it_learned_from(game):
    """The same numbers as in an environment, made from the view."""
    found = preau.game(game)
    for state, seat in positions(game, 3):
        assert observed(found, state.view(seat), seat).tolist() == pytest.approx(
            list(found.observe(state, seat).values)
        )


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_what_is_hidden_makes_no_difference(game, nets):
    """Positions that look alike to a seat are alike to its network, whatever lies hidden in them."""
    found, rng = preau.game(game), Random(5)
    bot, different = make_bot(nets[game]), 0
    for state, seat in positions(game, 4):
        view = state.view(seat)
        seen = observed(found, view, seat)
        for _ in range(3):
            other = found.sampler(view).draw(rng)
            assert np.array_equal(observed(found, other.view(seat), seat), seen)
            if other.to_json() != state.to_json():
                different += 1
                legal = other.legal(seat)
                choices = {
                    bot.choose(Seen(found, seat, one.view(seat), legal, (), Random(1))).text for one in (state, other)
                }
                assert len(choices) == 1
    assert different > 10


def test_of_what_is_legal_it_does_what_the_network_likes_best(nets):
    """As an environment would tell it, with the weights that are in the file."""
    with Games("cour", 4) as games:
        games.reset(seed=2)
        weights = np.random.default_rng(1).standard_normal((games.layout.size, games.masks.shape[1]))
        likes = np.where(games.masks, games.floats() @ weights.astype(np.float32), -np.inf)
        best = likes.argmax(axis=1)
    match = preau.new("cour", seed=2)
    table = BotMatch(match, {match.to_act[0]: make_bot(nets["cour"])}, 1)
    assert table.waiting_bot() is not None
    assert table.choose(match.to_act[0]).number in {int(number) for number in best}


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_whole_games_with_any_number_of_seats(game, nets):
    seats = preau.game(game).seats[0]
    match = preau.play(game, [nets[game], *["random"] * (seats - 1)], seed=1)
    assert match.over
    again = preau.play(game, [nets[game], *["random"] * (seats - 1)], seed=1)
    assert [entry.text for entry in again.record.entries] == [entry.text for entry in match.record.entries]


def about(**changes: object) -> dict[str, str]:
    return {KEY: json.dumps(json.loads(label("cour")[KEY]) | changes)}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"about": {}}, "does not say which game"),
        ({"about": {KEY: "{"}}, "label that cannot be read"),
        ({"about": {KEY: "[]"}}, "label that cannot be read"),
        ({"about": about(format="preau-net/9")}, "right format"),
        ({"about": about(seats="four")}, "right seats"),
        ({"about": about(pieces=[["hand"]])}, "right pieces"),
        ({"wider": 1}, "takes seen"),
        ({"more": -1}, "gives likes"),
    ],
)
def test_a_file_that_will_not_do_is_refused_in_words(made, words, tmp_path):
    path = write_net(tmp_path / "net.onnx", **made)
    with pytest.raises(SetupError, match=words) as refusal:
        make_bot(str(path))
    assert says_what_to_do(refusal.value)
    assert str(path) in str(refusal.value)


@pytest.mark.parametrize("part", [0, 10, 1000, -1])
def test_a_file_that_is_cut_off_is_refused(part, nets, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(Path(nets["cour"]).read_bytes()[:part])
    with pytest.raises(SetupError, match=r"is no whole ONNX file|does not say which game"):
        make_bot(str(path))


def test_what_is_no_file_of_a_network_is_refused(tmp_path, monkeypatch):
    with pytest.raises(SetupError, match="there is no file"):
        make_bot(str(tmp_path / "net.onnx"))
    (tmp_path / "text.onnx").write_text("Not a network.", encoding="utf-8")
    with pytest.raises(SetupError, match="is no whole ONNX file"):
        make_bot(str(tmp_path / "text.onnx"))
    monkeypatch.setattr("preau.bots.net.MOST_BYTES", 5)
    with pytest.raises(SetupError, match="has 14 bytes"):
        make_bot(str(tmp_path / "text.onnx"))


def test_another_file_under_its_name_is_another_network(tmp_path):
    path = write_net(tmp_path / "net.onnx", "cour")
    first = make_bot(str(path))
    assert isinstance(first, NetBot)
    assert first.net is make_bot(str(path)).net  # type: ignore[attr-defined]
    write_net(path, "bagarre")
    assert make_bot(str(path)).net.game == "bagarre"  # type: ignore[attr-defined]


def test_without_the_library_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(SetupError, match=r"pip install 'preau\[net\]'"):
        make_bot(str(write_net(tmp_path / "net.onnx")))


def test_other_games_and_house_rules_are_refused_before_anything_is_played(nets, tmp_path):
    with pytest.raises(SetupError, match="plays cour, not bagarre"):
        preau.play("bagarre", [nets["cour"], "random"])
    with pytest.raises(SetupError, match=r"marbles \[6\] by 10, here it is marbles \[6\] by 7"):
        preau.play("bagarre", [nets["bagarre"], "random"], options={"goal": 7})
    with pytest.raises(SetupError, match="plays cour, not bagarre"):
        make_plan("bagarre", enter(f"{nets['cour']},random"))
    old = write_net(tmp_path / "old.onnx", about=about(rules="0"))
    with pytest.raises(SetupError, match="by its rules 0"):
        preau.play("cour", [str(old), "random"])
    goal = write_net(tmp_path / "seven.onnx", "bagarre", options={"goal": 7})
    assert preau.play("bagarre", [str(goal), "random"], options={"goal": 7}, seed=1).over


def test_something_that_is_no_number_is_no_choice(tmp_path):
    path = write_net(tmp_path / "net.onnx", fill=float("nan"))
    with pytest.raises(BotError, match="no number"):
        preau.play("cour", [str(path), "random"], seed=1)


def test_in_the_arena_it_has_the_name_of_its_file_and_carries_it(nets, tmp_path):
    net, greedy = enter(f"{nets['cour']},greedy")
    assert (net.name, greedy.name) == ("cour", "greedy")
    [named] = enter("", [f"mine={nets['cour']}"])
    assert (named.name, named.digest) == ("mine", net.digest)
    elsewhere = net._replace(spec=str(tmp_path / "gone.onnx"))
    assert isinstance(elsewhere.make(), NetBot), "a copy of what it carries"
    other = enter(str(write_net(tmp_path / "cour.onnx", fill=0.0)))[0]
    assert other.digest != net.digest


@pytest.mark.parametrize(
    "words",
    [
        ["arena", "bagarre", "--bots", "{cour},random"],
        ["simulate", "bagarre", "--bots", "{cour}"],
        ["play", "bagarre", "--bot", "{cour}"],
        ["play", "bagarre", "--bot", "{bagarre}", "--option", "goal=7"],
        ["arena", "cour", "--bot", "net=nowhere.onnx"],
    ],
)
def test_on_the_command_line_what_will_not_do_ends_with_2(words, nets):
    done = CliRunner().invoke(app, [word.format(**nets) for word in words])
    assert done.exit_code == 2 or isinstance(done.exception, SetupError)


def test_at_the_terminal_it_is_called_as_its_file(nets):
    done = CliRunner().invoke(app, ["play", "cour", "--bot", nets["cour"], "--lang", "en", "--seed", "1"], input="q\n")
    assert "Cour 1" in done.output
