"""Looking at one step of a game: the chances before it, and what the step was worth.

What a seat chose is judged from its view alone, and seeded from that view alone: two games that looked the same to it
get the same best action and the same regret, whatever the others held. Which action is best is found by one search, and
how much better it is than the action taken by a comparison of its own, for the most promising one of many has also been
lucky.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from ..bots.base import Budget
from ..bots.evaluate import judges
from ..bots.search.think import think
from ..bots.search.thought import OpenThought, Opinion, Thought
from ..core.game import Sampler
from ..core.intervals import Z95
from ..core.state import NATURE, REFEREE, Action, Json, State
from .chances import Ahead, Chances, Mean, seed_of, sharpened
from .reasons import for_it, told
from .shapes import DIGITS, Decision, Looked, Luck
from .strength import UNMEASURED, Strength, known

INACCURACY = 0.02
MISTAKE = 0.05
"""How much chance to win must have been lost beyond doubt for a decision to be called so."""
CONTENDERS = 3
"""Of what the search likes best, so many actions are compared with each other before one is called the best."""
TALES = 0
"""The seed of the tales that reasons are found in, as in hints."""


class StepAnalyser(ABC):
    """Looks at the steps of one game."""

    def __init__(self, game: str, strength: Strength, seed: int) -> None:
        self.strength = strength
        self.seed = seed
        self.known = known(game)
        self.judge = judges.judge(game)

    @abstractmethod
    def analyse(self, step: int, state: State, actor: int, action: Action) -> Looked:
        """What there is to say of an action before it is taken."""

    def think(self, state: State, seat: int, view: Json) -> Thought:
        """What a search makes of a decision, from the view of the seat that owes it."""
        rng = Random(seed_of(self.seed, "best", view))
        budget = Budget(max(1, int(self.strength.simulations * self.known.share)))
        return think(state.game, seat, view, budget, rng, self.judge, None)


class OpenStepAnalyser(StepAnalyser):
    """Looks where everything is known: a search says what a position is worth."""

    def analyse(self, step: int, state: State, actor: int, action: Action) -> Looked:
        seat = state.to_act[0]
        thought = self._thought(state)
        looked: Looked = {
            "step": step,
            "chances": sharpened(thought.average(), state, self.known.sharpness),
            "errors": [self.known.errors.get(self.strength.name, UNMEASURED)[0]] * state.seats,
            "decision": None,
            "behind": [],
            "luck": None,
        }
        legal = state.legal(seat)
        if actor == REFEREE or len(legal) < 2:
            return looked
        opinions = sorted(thought.opinions(), key=Opinion.rank, reverse=True)
        best = opinions[0]
        usual = sum(self._worth(one.value, state) for one in opinions) / len(opinions)
        decision = decided(step, state, actor, action, best.action, thought)
        decision["chance"] = looked["chances"][seat]
        decision["stake"] = max(0.0, self._worth(best.value, state) - usual)
        if best.action.text != action.text:
            after = state.copy()
            after.advance(seat, best.action)
            looked["behind"] = self._chances(after)
        looked["decision"] = decision
        return looked

    def _worth(self, value: float, state: State) -> float:
        """A chance of one seat, sharpened, the others being alike."""
        other = (1.0 - value) / (state.seats - 1)
        return sharpened([value, *[other] * (state.seats - 1)], state, self.known.sharpness)[0]

    def _chances(self, state: State) -> Chances:
        """What a search of the same strength makes of a position."""
        if state.over:
            return self.judge.values(state)
        return sharpened(self._thought(state).average(), state, self.known.sharpness)

    def _thought(self, state: State) -> OpenThought:
        seat = state.to_act[0]
        thought = self.think(state, seat, state.view(seat))
        assert isinstance(thought, OpenThought)
        return thought


class HiddenStepAnalyser(StepAnalyser):
    """Looks where there is chance, or much that is not known: by playing on many times."""

    def __init__(self, game: str, strength: Strength, seed: int) -> None:
        super().__init__(game, strength, seed)
        self._ahead = Ahead(game, self.known)

    def analyse(self, step: int, state: State, actor: int, action: Action) -> Looked:
        rng = Random(seed_of(self.seed, "chances", state.to_json()))
        before, changes = Mean(state.seats), Mean(state.seats)
        drawn = actor == NATURE and len(state.legal(NATURE)) > 1
        for _ in range(self.strength.playouts):
            luck = rng.getrandbits(32)
            world = state.copy()
            other = world.draw(rng) if drawn else None
            if other is not None:
                world.advance(NATURE, other)
            values = self._ahead.values(world, luck)
            before.add(values)
            if drawn:
                changes.add(self._change(state, action, luck, values) if other is not action else [0.0] * state.seats)
        return {
            "step": step,
            "chances": before.means(),
            "errors": [max(one, 1.0 / before.count) for one in before.errors()],  # nothing is certain before the end
            "decision": self._decision(step, state, actor, action) if actor not in (NATURE, REFEREE) else None,
            "behind": [],
            "luck": lucky(step, state, changes) if drawn else None,
        }

    def _change(self, state: State, action: Action, luck: int, values: Chances) -> Chances:
        """How much better for each seat what chance did was than what it might have done, on the same luck later."""
        world = state.copy()
        world.advance(NATURE, action)
        return [one - other for one, other in zip(self._ahead.values(world, luck), values, strict=True)]

    def _decision(self, step: int, state: State, seat: int, action: Action) -> Decision | None:
        if len(state.legal(seat)) < 2:
            return None
        view = state.view(seat)
        sampler = state.game.sampler(view)
        thought = self.think(state, seat, view)
        best = self._best(thought, sampler, seat, view)
        decision = decided(step, state, seat, action, best, thought)
        rng = Random(seed_of(self.seed, "regret", view))
        found = Mean(3)
        for _ in range(self.strength.draws):
            world = sampler.draw(rng)
            luck = rng.getrandbits(32)
            legal = world.legal(seat)
            blind = legal[int(rng.random() * len(legal))]
            good = self._worth(world, seat, best, luck)
            gap = good - self._worth(world, seat, action, luck) if action.text != best.text else 0.0
            stake = good - self._worth(world, seat, blind, luck) if blind.text != best.text else 0.0
            found.add((good, gap, stake))
        chance, gap, stake = found.means()
        decision.update({"chance": chance, "stake": stake})
        return measured(decision, gap, found.errors()[1])

    def _best(self, thought: Thought, sampler: Sampler, seat: int, view: Json) -> Action:
        """The best of what the search likes best, by trying those few side by side."""
        opinions = sorted(thought.opinions(), key=Opinion.rank, reverse=True)
        few = [one.action for one in opinions[:CONTENDERS]]
        rng = Random(seed_of(self.seed, "contenders", view))
        found = Mean(len(few))
        for _ in range(max(1, self.strength.draws // 2)):
            world = sampler.draw(rng)
            luck = rng.getrandbits(32)
            found.add([self._worth(world, seat, one, luck) for one in few])
        means = found.means()
        return few[means.index(max(means))]

    def _worth(self, world: State, seat: int, action: Action, luck: int) -> float:
        after = world.copy()
        after.advance(seat, action)
        return self._ahead.values(after, luck)[seat]


def eye_for(game: str, strength: Strength, seed: int) -> StepAnalyser:
    """Who looks at the steps of a game."""
    return (OpenStepAnalyser if judges.judge(game).open else HiddenStepAnalyser)(game, strength, seed)


def lucky(step: int, state: State, changes: Mean) -> Luck:
    """What chance has changed."""
    delays = dict.fromkeys(range(state.seats), 1)
    race = state.fastest(delays, Random(0)) is not None
    return {"step": step, "changes": changes.means(), "errors": changes.errors(), "race": race}


def decided(step: int, state: State, seat: int, action: Action, best: Action, thought: Thought) -> Decision:
    """A decision, what was best and why; nothing is measured yet."""
    decision: Decision = {
        "step": step,
        "seat": seat,
        "action": action.text,
        "legal": len(state.legal(seat)),
        "best": best.text,
        "chance": 0.0,
        "stake": 0.0,
        "gap": 0.0,
        "regret": 0.0,
        "error": 0.0,
        "low": 0.0,
        "high": 0.0,
        "called": "best",
        "do": None,
        "line": [(actor, one.text) for actor, one in thought.line(best)],
        "reasons": [],
        "but": False,
    }
    if best.text != action.text:
        about = told(state.game, state.game.sampler(state.view(seat)), seat, decision["line"], TALES)
        why = for_it(about.reasons)
        decision.update({"do": about.do, "reasons": why.said, "but": why.but})
    return decision


def measured(decision: Decision, gap: float, error: float) -> Decision:
    """The decision with what the action taken has cost, and what that is called."""
    low = gap - Z95 * error
    decision.update({"gap": gap, "regret": max(0.0, gap), "error": error, "low": low, "high": gap + Z95 * error})
    if gap <= 0.0:
        decision["called"] = "best"
    elif low > MISTAKE:
        decision["called"] = "mistake"
    else:
        decision["called"] = "inaccuracy" if low > INACCURACY else "good"
    return decision


def rounded(value: float) -> float:
    """A figure as it is said; nothing is ever -0."""
    return round(value, DIGITS) + 0.0
