"""Actions, events and positions: the part of the contract that every game's rules are written against.

This module and each game's `rules.py` are compiled with mypyc where a C compiler exists and run as they are
where none does; both give the same results.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from .errors import IllegalAction, NotYourTurn
from .mypyc_shims import i64, mypyc_attr
from .slate import Slate

if TYPE_CHECKING:
    from .game import Game

NATURE: Final = -1
"""The actor at a chance node: dice, shuffles, blind draws."""

REFEREE: Final = -2
"""The actor for what only a server may do: ending a turn whose time is up."""

HIDDEN: Final = "hidden"
"""In the place of a card, a character or an answer: there is one, but the reader does not know it."""

Json = dict[str, Any]


@mypyc_attr(allow_interpreted_subclasses=True)
class Action:
    """One thing an actor can do. Made once per game, shared by all positions, compared by identity.

    `number` is its place in the game's fixed numbering, `text` its short, stable, language-free form.
    """

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __str__(self) -> str:
        return self.text


class Event:
    """Something that happened: a `key`, the `rule` behind it, and parameters. Never a sentence.

    `data` is what everybody sees; what is hidden in it reads `HIDDEN`. `secret` says, for some seats, what they see
    instead.

    >>> drawn = Event("draw", "B9", {"seat": 2, "card": HIDDEN}, {2: {"card": "F6"}})
    >>> drawn.seen_by(2)
    {'key': 'draw', 'rule': 'B9', 'seat': 2, 'card': 'F6'}
    >>> drawn.seen_by(0)
    {'key': 'draw', 'rule': 'B9', 'seat': 2, 'card': 'hidden'}
    """

    def __init__(
        self,
        key: str,
        rule: str,
        data: Mapping[str, object],
        secret: Mapping[int, Mapping[str, object]] | None = None,
    ) -> None:
        self.key = key
        self.rule = rule
        self.data = data
        self.secret = secret

    def seen_by(self, seat: int | None) -> Json:
        """The event as `seat` sees it (None: a spectator)."""
        seen: Json = {"key": self.key, "rule": self.rule}
        seen.update(self.data)
        if self.secret is not None and seat is not None:
            seen.update(self.secret.get(seat, {}))
        return seen

    def to_json(self) -> Json:
        """The whole event, secrets included: for logs of the server and for tests, never for a client."""
        whole: Json = {"key": self.key, "rule": self.rule}
        whole.update(self.data)
        if self.secret:
            whole["secret"] = {str(seat): dict(extra) for seat, extra in self.secret.items()}
        return whole

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.data.items())
        return f"{self.key}[{self.rule}]({inside})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.key, self.rule, repr(sorted(self.data.items(), key=str))))


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One position of one game. It changes by `apply`; `copy` is cheap and independent.

    A position never holds the future: no generator, no order of unseen cards. What is not decided yet is decided
    by nature when it is needed, and that is an action like any other.

    >>> import preau
    >>> state = preau.game("recess").start(seats=3)
    >>> [action.text for action in state.legal(0)][:3]
    ['pass', 'b1 a1', 'b1 b1']
    >>> [event.key for event in state.apply(0, "b1 a3")]
    ['walk']
    >>> state.apply(0, "b1 a5")
    Traceback (most recent call last):
    preau.core.errors.IllegalAction: action 'b1 a5': Boy 1 has already moved in this turn [R15]. Legal here: ...
    """

    game: Game
    """The game this is a position of."""
    seats: int
    options: Mapping[str, Any]
    """The options in force, complete and explicit."""
    events: list[Event] | None
    """Where the rules write what happens while an action is carried out; None when nobody listens."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.events = None

    # Who acts, and what they may do.

    @property
    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision now, `(NATURE,)` at a chance node, `()` when the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.to_act

    @abstractmethod
    def legal(self, seat: int) -> tuple[Action, ...]:
        """What `seat` (or NATURE) may do now, in the game's fixed order; empty if it owes no decision."""

    def mark(self, seat: int, slate: Slate) -> None:
        """Write 1 on a slate at the number of every action that `seat` may take now; a game may do without the list."""
        for action in self.legal(seat):
            slate.one(action.number)

    def write(self, seat: int, slate: Slate) -> None:
        """Write the position, seen from a seat, on the row that a slate is turned to (`observe.py`)."""
        self.game.part("observe").write(self, seat, slate)

    def outcomes(self) -> list[tuple[Action, float]]:
        """At a chance node, what nature may do and how likely each is; they sum to 1."""
        actions = self.legal(NATURE)
        return [(action, 1.0 / len(actions)) for action in actions]

    def draw(self, rng: Random) -> Action:
        """At a chance node, what nature does: one of `outcomes`, drawn with its probability and one random number.

        A game may draw without listing them all; the same number must then fall on the same outcome.
        """
        outcomes = self.outcomes()
        if not outcomes:
            raise self.not_now(NATURE)
        return pick(outcomes, rng)

    def racers(self) -> tuple[int, ...]:
        """The seats that are asked to be quick: whoever hosts a live table measures how long each takes to answer."""
        return ()

    def fastest(self, delays: Mapping[int, int], rng: Random) -> Action | None:
        """At a chance node that a race decides: the outcome that names the fastest, given the measured milliseconds of
        each seat; between equal ones a fair draw. None where no race decides, or nobody was measured.
        """
        return None

    def referee(self) -> tuple[Action, ...]:
        """What the REFEREE may do now: a time-out, where the game knows one."""
        return ()

    @abstractmethod
    def action(self, text: str) -> Action:
        """The action with this text form; case and spacing do not matter. Raises `MalformedAction`."""

    # Acting.

    def apply(self, actor: int, action: Action | str) -> list[Event]:
        """Carry out `action` (or its text form) for `actor` and return what happened.

        An action that is not legal here raises an `ActionError` naming the rule, and changes nothing.
        """
        chosen = self.check(actor, action)
        happened: list[Event] = []
        self.events = happened
        try:
            self.advance(actor, chosen)
        finally:
            self.events = None
        return happened

    def say(
        self,
        key: str,
        rule: str,
        data: Mapping[str, object],
        secret: Mapping[int, Mapping[str, object]] | None = None,
    ) -> None:
        """Note that something happened, if anybody listens: what all may know of it, and what some seats know instead.

        Rules call it from one method for each kind of event (`telling.py`), which looks at `events` before it puts the
        data together: in a search nobody listens, and nothing is put together.
        """
        if self.events is not None:
            self.events.append(Event(key, rule, data, secret))

    def tells(self, seat: int, action: Action) -> bool:
        """Whether this legal decision, carried out, tells anybody something that was hidden: the one who takes it,
        somebody else, or all. What tells nothing can be taken back without asking; in doubt a decision tells.

        The answer is seen by all, so it must follow from what all know: the position as a spectator sees it, and what
        a spectator sees of the decision. What nature does next, and the end of the game, are not looked at.

        With nothing hidden nothing is told; a game with secrets says more in `telling.py`, or every decision tells.
        """
        return self.game.secrets

    @abstractmethod
    def advance(self, actor: int, action: Action) -> None:
        """Carry out an action that `legal` gave for this very position: no checks, no events. For search."""

    def check(self, actor: int, action: Action | str) -> Action:
        """The legal action meant by `action`, or an `ActionError` that says why it is none."""
        chosen = self.action(action) if isinstance(action, str) else action
        if self.allows(actor, chosen):
            return chosen
        chosen = self.action(chosen.text)  # the same action out of another process, or one of another game
        if self.allows(actor, chosen):
            return chosen
        if self.over or (actor != REFEREE and actor not in self.to_act):
            raise self.not_now(actor)
        raise self.why_not(actor, chosen)

    def allows(self, actor: int, action: Action) -> bool:
        """Whether `action` is on the list of what `actor` may do now; a game may look it up without the list."""
        for one in self.referee() if actor == REFEREE else self.legal(actor):  # noqa: SIM110, `any` makes a generator
            if one is action:
                return True
        return False

    def not_now(self, actor: int) -> NotYourTurn:
        """The error for an actor that owes no decision."""
        if self.over:
            return NotYourTurn(
                "The game is over", rule=self.game.turn_rule, key="over", hint="No action is possible any more."
            )
        waiting = ", ".join("nature" if one == NATURE else f"seat {one}" for one in self.to_act)
        return NotYourTurn(
            f"{who(actor)} owes no decision now",
            rule=self.game.turn_rule,
            key="not_now",
            params={"seat": actor, "waiting": list(self.to_act)},
            hint=f"Waiting for {waiting}.",
        )

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        """The error, with its rule id, for an action that is not legal here although `actor` is to act (`why.py`)."""
        error: IllegalAction = self.game.part("why").why_not(self, actor, action)
        return error

    @abstractmethod
    def zombie(self, seat: int) -> Action:
        """What an absent seat does: a legal action that neither helps nor spoils."""

    # Copying and comparing.

    @abstractmethod
    def copy(self) -> State:
        """An independent copy."""

    def forget(self) -> None:
        """Keep no memory from here on that only views and samplers need: nobody will ask this position or its copies
        for them. For many games in a row; a game without such a memory has nothing to do.
        """

    @abstractmethod
    def key(self) -> tuple[object, ...]:
        """Everything that makes this position differ from another one, as a hashable tuple."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        from .registry import load_position

        return (load_position, (self.game.id, self.to_json()))

    # What people and programs see. How a game puts it stands in the parts of its folder named here.

    def to_json(self) -> Json:
        """The whole position as JSON data (`views.py`); `game.load` reads it back without loss."""
        data: Json = self.game.part("views").to_json(self)
        return data

    def view(self, seat: int | None) -> Json:
        """What `seat` knows (None: a spectator), as JSON data (`views.py`)."""
        data: Json = self.game.part("views").view(self, seat)
        return data

    def views(self, eyes: Sequence[int | None]) -> tuple[Json, list[Json]]:
        """The views of several seats: what all of them see alike, and what each sees besides, its seat at least.
        Together they are its `view`. A game in which seats see much alike puts that together once (`views.py`).
        """
        return {}, [self.view(seat) for seat in eyes]

    def prompt(self, seat: int | None) -> Json:
        """What `seat` is asked, or whom it waits for: a key and parameters, like an event (`views.py`)."""
        data: Json = self.game.part("views").prompt(self, seat)
        return data

    def diagram(self, seat: int | None = None) -> str:
        """The position as a text picture, as `seat` sees it (`diagram.py`)."""
        picture: str = self.game.part("diagram").diagram(self, seat)
        return picture

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The score of every seat as it stands."""

    @abstractmethod
    def result(self) -> Result:
        """Scores, ranking, winners, and how the game ended; also of a game that is still going on."""

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from best to worst; seats that share a rank stand together."""
        return self.result().ranking

    @abstractmethod
    def progress(self) -> float:
        """How far the game has come, from 0 to 1."""

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns how many actions that took, nature's not counted."""
        count = 0
        while True:
            actors = self.to_act
            if not actors:
                return count
            actor = actors[0]
            if actor == NATURE:
                self.advance(actor, self.draw(rng))
            else:
                actions = self.legal(actor)
                self.advance(actor, actions[int(rng.random() * len(actions))])
                count += 1


class Result:
    """How a game ended: `scores`, `ranking` (groups of seats, best first), `reason`, and the `tie_break` used."""

    def __init__(
        self,
        scores: Sequence[int],
        ranking: Sequence[Sequence[int]],
        reason: str,
        tie_break: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> None:
        self.scores: tuple[int, ...] = tuple(scores)
        self.ranking: tuple[tuple[int, ...], ...] = tuple([tuple(group) for group in ranking])
        self.reason = reason
        self.tie_break = tie_break
        self.detail: Json = dict(detail) if detail is not None else {}

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first rank."""
        return self.ranking[0]

    def to_json(self) -> Json:
        """The result as JSON data."""
        data: Json = {
            "scores": list(self.scores),
            "ranking": [list(group) for group in self.ranking],
            "reason": self.reason,
        }
        if self.tie_break:
            data["tie_break"] = self.tie_break
        if self.detail:
            data["detail"] = self.detail
        return data

    def __repr__(self) -> str:
        return f"Result({self.to_json()})"


def rank(order: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Group the seats by their sort keys, best (smallest) first. The keys are numbers, or tuples of numbers.

    >>> rank([(-3, 1), (-5, 0), (-3, 1)])
    ((1,), (0, 2))
    >>> rank([4, 4, 2])
    ((2,), (0, 1))
    """
    seats = sorted(range(len(order)), key=order.__getitem__)
    groups: list[list[int]] = []
    for seat in seats:
        if groups and order[groups[-1][0]] == order[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    return tuple(tuple(group) for group in groups)


def pick(outcomes: list[tuple[Action, float]], rng: Random) -> Action:
    """One of the outcomes of a chance node, drawn with its probability."""
    drawn = rng.random()
    for action, chance in outcomes:
        drawn -= chance
        if drawn < 0.0:
            return action
    return outcomes[-1][0]


def pick_counted(counts: list[int], start: i64, width: i64, total: i64, rng: Random) -> i64:
    """Which of the `width` counts from `start` on, adding up to `total`, is drawn, each as likely as it is large.

    The same random number falls on the same one as with `pick` and the chances `count / total`.
    """
    return fall_counted(counts, start, width, total, rng.random())


def fall_counted(counts: list[int], start: i64, width: i64, total: i64, drawn: float) -> i64:
    """The same, for a random number that was drawn already."""
    found: i64 = 0
    before: i64 = 0
    share = 0.0
    for number in range(width):
        count: i64 = counts[start + number]
        if count:
            found = number
            if count != before:  # many are alike, and to divide takes long
                before = count
                share = float(count) / float(total)
            drawn -= share
            if drawn < 0.0:
                break
    return found


def who(actor: int) -> str:
    """An actor in words, for errors."""
    if actor == NATURE:
        return "Nature"
    if actor == REFEREE:
        return "The referee"
    return f"Seat {actor}"
