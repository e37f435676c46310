"""The contract of games as checks, for the games that ship and for those of packages.

Each check takes a game and a number of seats and raises an `AssertionError` that says what is wrong and where. The
checks need the standard library only, so they work with any test runner. With pytest a package writes

    from preau.testing import cases

    @pytest.mark.parametrize(("check", "seats"), cases(GAME))
    def test_the_contract(check, seats):
        check(GAME, seats)

They play random games and check:

- `playing`: who is to act, what is legal, chance, progress, the end;
- `positions`: copies, keys, JSON, types, action numbers, observations, refusals, records, undo;
- `secrets`: no seat learns what it may not know from views, events, prompts, legal actions, refusals or observations,
  also while several seats choose at once; samplers leave out no likely value of anything hidden, and no likely pair of
  what two seats chose at once;
- `contents`: texts in both languages, shapes, lessons, figures of the rule book, puzzles, gallery, tables of the lab.

What they cannot check are the rules themselves: write a test for each rule id.
"""

from __future__ import annotations

from ..core.game import Game
from . import rewriting  # noqa: F401, before the modules that it is about
from .contents import (
    counts_what_it_declares,
    has_every_text_that_is_asked_for,
    has_the_shapes_it_declares,
    has_words_for_how_games_end,
    its_lesson_can_be_followed,
    its_puzzles_can_be_played,
    its_rule_book_shows_what_it_says,
    its_texts_can_be_said,
    puts_actions_into_words,
    shows_what_is_in_its_box,
    texts_are_there_in_both_languages,
)
from .helpers import Check, some_games
from .playing import (
    absent_seats_do_something_legal,
    allows_what_it_lists,
    chances_add_up,
    draws_as_often_as_it_is_likely,
    draws_what_the_list_of_outcomes_gives,
    goes_on_until_it_is_over,
    plays_inside_as_outside,
    progress_goes_from_none_to_all,
)
from .positions import (
    answers_have_the_declared_types,
    copies_stand_alone,
    equal_keys_mean_equal_positions,
    json_keeps_everything,
    numbers_and_texts_belong_to_one_action,
    pickles,
    records_replay_without_a_seed,
    refusals_change_nothing,
    sees_the_same_on_a_slate_that_was_used,
    undo_goes_back_to_an_equal_position,
)
from .secrets import (
    choices_made_at_once_stay_secret,
    samplers_draw_every_possible_world,
    seats_learn_nothing_they_may_not_know,
    tells_nothing,
    what_tells_nothing_looks_the_same_in_all_worlds,
    whether_it_tells_is_no_secret,
)

__all__ = ["CHECKS", "cases", "some_games", "tells_nothing"]

AT_EVERY_TABLE: tuple[Check, ...] = (
    goes_on_until_it_is_over,
    progress_goes_from_none_to_all,
    chances_add_up,
    draws_what_the_list_of_outcomes_gives,
    draws_as_often_as_it_is_likely,
    allows_what_it_lists,
    plays_inside_as_outside,
    absent_seats_do_something_legal,
    answers_have_the_declared_types,
    json_keeps_everything,
    equal_keys_mean_equal_positions,
    copies_stand_alone,
    numbers_and_texts_belong_to_one_action,
    sees_the_same_on_a_slate_that_was_used,
    refusals_change_nothing,
    pickles,
    records_replay_without_a_seed,
    undo_goes_back_to_an_equal_position,
    seats_learn_nothing_they_may_not_know,
    choices_made_at_once_stay_secret,
    samplers_draw_every_possible_world,
    what_tells_nothing_looks_the_same_in_all_worlds,
    whether_it_tells_is_no_secret,
    texts_are_there_in_both_languages,
    has_words_for_how_games_end,
    counts_what_it_declares,
    has_the_shapes_it_declares,
)
"""Checks that are run with every number of seats, from the simple to the subtle."""

ONCE: tuple[Check, ...] = (
    its_texts_can_be_said,
    has_every_text_that_is_asked_for,
    puts_actions_into_words,
    shows_what_is_in_its_box,
    its_lesson_can_be_followed,
    its_rule_book_shows_what_it_says,
    its_puzzles_can_be_played,
)
"""Checks to which the number of seats makes no difference."""

CHECKS: tuple[Check, ...] = (*AT_EVERY_TABLE, *ONCE)
"""All checks."""


def cases(game: Game) -> list[tuple[Check, int]]:
    """List every check with every number of seats, or with one where the number makes no difference.

    >>> import preau
    >>> check, seats = cases(preau.game("recess"))[0]
    >>> check.__name__, seats
    ('goes_on_until_it_is_over', 3)
    >>> check(preau.game("recess"), seats)
    """
    return [(check, seats) for check in CHECKS for seats in (game.seats[:1] if check in ONCE else game.seats)]
