"""A second, literal reading of the rules of Dans la cour d'école.

This file is kept apart from the game engine on purpose: it shares no code with it, and was written from the rules
alone, so that the two can be played against each other move by move. It is slow and plain: cards are strings
("marble", "leaf", "king", "glue"), hands and piles are lists of them. The game is one long generator, told in the order
of the rules, that stops at every question: who is asked, and what each may answer. Each method names the rule
(C1..C22) it reads.

    oracle = Oracle(4)
    while not oracle.over:
        actor = oracle.to_act()[0]
        oracle.apply(actor, random.choice(oracle.legal(actor)))
    print(oracle.position(), oracle.scores(), oracle.ranking())

What is asked: `trade` (where C10 puts it) and `take` are about a hidden hand and are always asked, even with one
answer. Everything else (keep, give, glue, point, challenge, throw, steal, friend) is about public things: cards lying
open, seats, signs of the hand. It is taken without a question if there is one answer. Nature, actor -1, is always
asked. Answers to a question put to several seats take effect once all of them are in.

Run as a script, it checks itself with random games.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any, TypeVar

NATURE = -1
THRESHOLD = 7  # C15
LAST_ROUND = 15  # C15
DRAWS = 10  # C9: so many draws in a row, then nature names the winner

EVENTS = {"spider": 6, "butterfly": 6, "king": 6}  # C1
TOYS = {"marble": 21, "brick": 16, "soldier": 10, "monster": 6, "car": 5}  # C1, C19
PILE = {**EVENTS, "leaf": 11, "friend": 6, "chestnut": 6, "glue": 1, **TOYS}
CHARACTERS = ["agent", "boss", "minx", "architect", "queen", "lucky", "herbalist", "general"]  # C3
TRADED = ["leaf", "chestnut"]  # C10, C11: three of a kind may be traded

FULL = {"marble": 0, "brick": 1, "soldier": 1, "monster": 2, "car": 3}  # C2; all others 0
LEFT = {"marble": "B", "brick": "M", "soldier": "HMB", "monster": "H", "car": "HM"}  # C2: half-stars at the left edge
RIGHT = {"marble": "B", "brick": "M", "soldier": "M", "monster": "H", "car": "HM"}
for _character in CHARACTERS:
    LEFT[_character] = RIGHT[_character] = "HM"
for _blank in TRADED:
    LEFT[_blank] = RIGHT[_blank] = ""

BONUS = {  # C17: stars per hand card; the agent is counted apart
    "boss": {"car": 1},
    "minx": {"brick": 1, "marble": 1},
    "architect": {"brick": 1},
    "queen": {"marble": 2},
    "lucky": {"monster": 2},
    "herbalist": {"chestnut": 4, "leaf": 2},
    "general": {"soldier": 1},
}
BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}  # C9

Question = dict[int, list[str]]  # actor: the text forms it may answer with
Answers = dict[int, str]
Result = TypeVar("Result")
Asking = Generator[Question, Answers, Result]


def texts(verb: str, things: Iterable[object]) -> list[str]:
    """ "keep" and three cards: "keep brick", "keep marble", each once."""
    return sorted({f"{verb} {thing}" for thing in things})


def named_in(text: str) -> str:
    """What an action names last: "brick" in "keep brick", "2" in "give brick 2"."""
    return text.split()[-1]


def shares(verb: str, cards: list[str]) -> dict[str, float]:
    """One of these cards, each alike: the probability of each kind."""
    return {f"{verb} {kind}": copies / len(cards) for kind, copies in Counter(cards).items()}


def alike(outcomes: list[str]) -> dict[str, float]:
    """These outcomes, each alike."""
    return dict.fromkeys(outcomes, 1 / len(outcomes))


def joins(left: str, right: str) -> int:
    """C16: the places where two neighbours both have a half-star at the edge between them."""
    return len(set(RIGHT[left]) & set(LEFT[right]))


def row_score(row: list[str]) -> int:
    """C16: all full stars, and the half-stars completed between neighbours."""
    return sum(FULL.get(card, 0) for card in row) + sum(joins(*pair) for pair in itertools.pairwise(row))


def best_row(cards: list[str]) -> int:
    """C16: the score of the best row of all these cards, by trying every next kind, remembered per multiset."""
    kinds = sorted(set(cards))

    @functools.cache
    def best(left: tuple[int, ...], last: str | None) -> int:
        scores = [0]
        for place, kind in enumerate(kinds):
            if left[place] > 0:
                rest = (*left[:place], left[place] - 1, *left[place + 1 :])
                join = 0 if last is None else joins(last, kind)
                scores.append(join + best(rest, kind))
        return max(scores)

    return sum(FULL.get(card, 0) for card in cards) + best(tuple(cards.count(kind) for kind in kinds), None)


class Oracle:
    """One game. `legal` says what may be done, `apply` does it and takes by itself what is not asked."""

    def __init__(
        self,
        seats: int,
        *,
        first: int = 0,
        pile: str = "queue",
        slap_pick: str = "blind",
        reaction: str = "random",
        agent_min: int = 1,
    ) -> None:
        """C1, C3, C4: the pile, nothing else known; then the characters are dealt."""
        if not 2 <= seats <= len(CHARACTERS):
            raise ValueError(f"2 to 8 seats, not {seats}")
        if pile not in ("queue", "bag") or slap_pick not in ("blind", "choose"):
            raise ValueError(f"no such option: {pile}, {slap_pick}")
        if reaction not in ("random", "off", "live"):
            raise ValueError(f"no such option: {reaction}")
        self.seats = seats
        self.first = first
        self.bag = pile == "bag"
        self.slap_pick = slap_pick
        self.reaction = reaction
        self.agent_min = agent_min

        self.unknown = [card for card, copies in PILE.items() for _ in range(copies)]  # the shuffled part of the pile
        self.queue: list[str] = []  # the known cards under it, in the order put back (C4)
        self.box: list[str] = []  # spiders, butterflies and chestnuts that are out of the game
        self.turned: list[str] = []  # cards before the active seat, events not among them (C5)
        self.event: str | None = None  # the event card being resolved
        self.draws = 0  # C9: draws in a row in the challenge under way
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.characters: list[str | None] = [None] * seats
        self.kings = [0] * seats
        self.friends: list[list[int]] = [[] for _ in range(seats)]  # the seats that the cards in front point to
        self.laying: int | None = None  # the seat that is about to turn a friend card toward somebody
        self.chestnut_man: int | None = None
        self.glue: int | None = None  # the seat with the pot in front
        self.most = [dict.fromkeys(TRADED, 0) for _ in range(seats)]  # C10: what a hand can hold, as the public knows
        self.round = 0  # 1 in the first round
        self.active = first
        self.ending = False  # C15: the threshold has been reached
        self.over = False
        self.reason = ""

        self._odds: dict[str, float] = {}
        self._answers: Answers = {}
        self._story = self._game()
        self._question: Question = next(self._story)

    # ------------------------------------------------------------------ asked from outside

    def to_act(self) -> tuple[int, ...]:
        """Those who still owe an answer."""
        return tuple(sorted(actor for actor in self._question if actor not in self._answers))

    def legal(self, actor: int) -> list[str]:
        """What this actor may answer; nothing if it owes no answer."""
        return sorted(self._question[actor]) if actor in self.to_act() else []

    def chances(self) -> dict[str, float]:
        """The probability of each outcome, when nature is asked."""
        if NATURE not in self._question:
            raise ValueError("nature is not asked")
        return dict(self._odds)

    def apply(self, actor: int, text: str) -> None:
        """Take one legal answer; once all are in, go on to the next question."""
        meant = " ".join(text.lower().split())
        if meant not in self.legal(actor):
            raise ValueError(f"illegal for {actor}: {text!r}; legal are {self.legal(actor)}")
        self._answers[actor] = meant
        if self.to_act():
            return
        answers, self._answers = self._answers, {}
        try:
            self._question = self._story.send(answers)
        except StopIteration:
            self._question = {}

    def position(self) -> dict[str, Any]:
        """What lies where, as plain data. An event that is being resolved lies open, so it is in `turned` too."""
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "characters": list(self.characters),
            "kings": list(self.kings),
            "chestnut_man": self.chestnut_man,
            "friends": [sorted(pointed_at) for pointed_at in self.friends],
            "laying": self.laying,
            "glue": self.glue,
            "turned": sorted(self.turned + ([self.event] if self.event else [])),
            "event": self.event,
            "draws": self.draws,
            "queue": list(self.queue),
            "unknown": sorted(self.unknown),
            "box": sorted(self.box),
            "round": self.round,
            "active": self.active,
        }

    def scores(self) -> list[int]:
        """C16, C17: the best row, cards in front, and the bonus of the character."""
        return [self._row(seat) + self._front(seat) + self._bonus(seat) for seat in range(self.seats)]

    def ranking(self) -> list[list[int]]:
        """C18: groups of tied seats, most stars first."""
        stars = self.scores()
        return [[seat for seat in range(self.seats) if stars[seat] == one] for one in sorted(set(stars), reverse=True)]

    # ------------------------------------------------------------------ stars

    def _row(self, seat: int) -> int:
        """C16: the hand and the character in one row."""
        character = self.characters[seat]
        return best_row(self.hands[seat] + ([character] if character else []))

    def _front(self, seat: int) -> int:
        """C9: 2 per king. C11: 4 for the chestnut man. C12: per friend the largest collection of that seat's hand."""
        stars = 2 * self.kings[seat]
        if self.chestnut_man == seat:
            stars += 4
        for friend in self.friends[seat]:
            stars += max(self.hands[friend].count(toy) for toy in TOYS)
        return stars

    def _bonus(self, seat: int) -> int:
        """C17: hand cards only."""
        hand = self.hands[seat]
        character = self.characters[seat]
        if character is None:
            return 0
        if character == "agent":
            return sum(2 for toy in TOYS if hand.count(toy) >= max(1, self.agent_min))
        return sum(stars * hand.count(card) for card, stars in BONUS[character].items())

    # ------------------------------------------------------------------ looking at the table

    def _clockwise(self, start: int) -> list[int]:
        """All seats, clockwise, from this one on."""
        return [(start + step) % self.seats for step in range(self.seats)]

    def _others(self, seat: int) -> list[int]:
        """C14: "a seat" as a target is always another seat."""
        return self._clockwise(seat)[1:]

    def _others_with_cards(self, seat: int) -> list[int]:
        """The other seats with a card in hand."""
        return [other for other in self._others(seat) if self.hands[other]]

    # ------------------------------------------------------------------ asking

    def _ask(self, seat: int, options: list[str]) -> Asking[str]:
        """A decision about a hidden hand: always asked, even with one answer."""
        answers = yield {seat: options}
        return answers[seat]

    def _ask_in_the_open(self, question: Question) -> Asking[Answers]:
        """A decision about public things, by one seat or by several at once: one answer is taken without asking."""
        open_to = {seat: options for seat, options in question.items() if len(options) > 1}
        answers = {seat: options[0] for seat, options in question.items() if len(options) == 1}
        if open_to:
            answers |= yield open_to
        return answers

    def _choose(self, seat: int, options: list[str]) -> Asking[str]:
        """A decision about public things by one seat."""
        return (yield from self._ask_in_the_open({seat: options}))[seat]

    def _nature(self, odds: dict[str, float]) -> Asking[str]:
        """A draw of nature: always a chance node, also with one outcome."""
        self._odds = odds
        return (yield from self._ask(NATURE, list(odds)))

    # ------------------------------------------------------------------ the game and the turn

    def _game(self) -> Asking[None]:
        """C3: characters in seat order from seat 0. Then round after round (C7, C15)."""
        spare = list(CHARACTERS)
        for seat in range(self.seats):
            character = named_in((yield from self._nature(shares(f"character {seat}", spare))))
            spare.remove(character)
            self.characters[seat] = character
        while not self.reason:
            self.round += 1
            for seat in self._clockwise(self.first):
                self.active = seat
                yield from self._turn()
                if all(len(hand) >= THRESHOLD for hand in self.hands):  # C15: it stays set
                    self.ending = True
            self.reason = self._reason_to_end()
        self.over = True

    def _reason_to_end(self) -> str:
        """C7, C15: after a round, why no other one begins; "" if one does."""
        if self.ending:
            return "threshold"
        if sum(1 for card in self.unknown + self.queue if card not in EVENTS) < 2 * self.seats + 1:
            return "pile"
        return "cap" if self.round == LAST_ROUND else ""

    def _turn(self) -> Asking[None]:
        """C5, C6, C13: turn over three cards; keep one, give one, put one back; or with the pot keep two."""
        me = self.active
        while len(self.turned) < 3:
            yield from self._turn_over()
        pot = self.glue == me  # gained before this turn
        used = pot and (yield from self._choose(me, ["glue no", "glue yes"])) == "glue yes"
        for _ in range(2 if used else 1):
            yield from self._keep()
        yield from self._give()
        if not used:
            self._put_back(self.turned.pop())
        if pot:
            self.glue = None
            self._put_back("glue")

    def _turn_over(self) -> Asking[None]:
        """C4: from the top; the known cards come last, in their order. C5: an event is resolved as it appears."""
        source = self.unknown or self.queue
        on_top = self.unknown or self.queue[:1]
        card = named_in((yield from self._nature(shares("turn", on_top))))
        source.remove(card)  # the first of that kind: in the queue this is its head
        if card not in EVENTS:
            self.turned.append(card)
            return
        self.event = card
        if card == "king":
            self.kings[(yield from self._challenge())] += 1
        else:
            yield from self._slap()
            self.box.append(card)
        self.event = None

    def _put_back(self, card: str) -> None:
        """C4: under the pile; with `bag` every draw is uniform, so that no place in it means anything."""
        if self.bag:
            self.unknown.append(card)
        else:
            self.queue.append(card)

    def _keep(self) -> Asking[None]:
        """C6: one of the cards lying open goes to the active seat."""
        card = named_in((yield from self._choose(self.active, texts("keep", self.turned))))
        self.turned.remove(card)
        yield from self._gain(self.active, card)

    def _give(self) -> Asking[None]:
        """C6: one of the cards lying open goes to another seat."""
        options = [f"give {card} {seat}" for card in sorted(set(self.turned)) for seat in self._others(self.active)]
        _, card, seat = (yield from self._choose(self.active, options)).split()
        self.turned.remove(card)
        yield from self._gain(int(seat), card)

    # ------------------------------------------------------------------ events

    def _slap(self) -> Asking[None]:
        """C8: targets in secret, then the fastest takes a card from the hand it pointed at, if there is one."""
        pointing = [self.active] if self.reaction == "off" else self._clockwise(self.active)
        if not any(self._others_with_cards(seat) for seat in pointing):
            return
        question = {seat: texts("point", self._others(seat)) for seat in pointing}
        if self.reaction == "live":
            question = {seat: [*options, "point none"] for seat, options in question.items()}
        answers = yield from self._ask_in_the_open(question)
        targets = {seat: int(named_in(text)) for seat, text in answers.items() if text != "point none"}
        text = yield from self._nature(alike(texts("fastest", targets or ["none"])))
        if text == "fastest none":
            return
        fastest = int(named_in(text))
        if self.hands[targets[fastest]]:
            yield from self._rob(fastest, targets[fastest], blind=self.slap_pick == "blind")

    def _challenge(self) -> Asking[int]:
        """C9: the drawer challenges a seat; throws until one wins. Stakes change hands; who takes the new card?"""
        me = self.active
        other = int(named_in((yield from self._choose(me, texts("challenge", self._others(me))))))
        winner: int | None = None
        self.draws = 0
        while winner is None and self.draws < DRAWS:
            question = {seat: texts("throw", BEATS) for seat in (me, other)}
            answers = yield from self._ask_in_the_open(question)
            mine, theirs = named_in(answers[me]), named_in(answers[other])
            if mine == theirs:
                self.draws += 1
            else:
                winner = me if BEATS[mine] == theirs else other
        if winner is None:
            winner = int(named_in((yield from self._nature(alike(texts("win", [me, other]))))))
        self.draws = 0
        loser = other if winner == me else me
        if self.kings[loser] > 0:  # its stake; the winner's own stake comes back to it
            self.kings[loser] -= 1
            self.kings[winner] += 1
        return winner

    def _rob(self, thief: int, victim: int, *, blind: bool) -> Asking[None]:
        """C8, C10: a card from a hand that is not empty: drawn by nature, or with `choose` picked by the thief."""
        if blind:
            text = yield from self._nature(shares("lose", self.hands[victim]))
        else:
            text = yield from self._ask(thief, texts("take", self.hands[victim]))
        card = named_in(text)
        possible = [kind for kind in TRADED if self.most[victim][kind] >= 1]  # as far as the public knows
        self.hands[victim].remove(card)
        self._hand_changed(victim)
        yield from self._into_hand(thief, card, possible)

    # ------------------------------------------------------------------ gains

    def _gain(self, seat: int, card: str) -> Asking[None]:
        """C14: a card kept or received, in the open. C12, C13: friends and the pot never come into a hand."""
        if card == "friend":
            yield from self._lay_friend(seat)
        elif card == "glue":
            self.glue = seat
        else:
            yield from self._into_hand(seat, card, [card] if card in TRADED else [])

    def _lay_friend(self, seat: int) -> Asking[None]:
        """C12: turned toward another seat, each to a different one; under the pile if there is none."""
        free = [other for other in self._others(seat) if other not in self.friends[seat]]
        if not free:
            self._put_back("friend")
            return
        self.laying = seat
        self.friends[seat].append(int(named_in((yield from self._choose(seat, texts("friend", free))))))
        self.laying = None

    def _into_hand(self, seat: int, card: str, possible: list[str]) -> Asking[None]:
        """C10, C11, C14: a card comes into a hand; one question if it may have made three of a kind to trade."""
        self.hands[seat].append(card)
        for kind in possible:
            self.most[seat][kind] += 1
        self._hand_changed(seat)
        if not any(self.most[seat][kind] >= 3 and self._trade_open(seat, kind) for kind in possible):
            return
        options = ["trade no"]
        if card in TRADED and self.hands[seat].count(card) >= 3 and self._trade_open(seat, card):
            options.append("trade yes")
        if (yield from self._ask(seat, options)) == "trade yes":
            yield from self._trade(seat, card)

    def _hand_changed(self, seat: int) -> None:
        """C10: never more of a kind than there are cards in the hand."""
        for kind in TRADED:
            self.most[seat][kind] = min(self.most[seat][kind], len(self.hands[seat]))

    def _trade_open(self, seat: int, kind: str) -> bool:
        """C10: leaves only while another seat has a card. C11: chestnuts only while the man is there. Both public."""
        if kind == "leaf":
            return bool(self._others_with_cards(seat))
        return self.chestnut_man is None

    def _trade(self, seat: int, kind: str) -> Asking[None]:
        """C10: three leaves go under the pile for a blind theft. C11: three chestnuts to the box for the man."""
        for _ in range(3):
            self.hands[seat].remove(kind)
            if kind == "leaf":
                self._put_back(kind)
            else:
                self.box.append(kind)
        self.most[seat][kind] -= 3
        self._hand_changed(seat)
        if kind == "chestnut":
            self.chestnut_man = seat
            return
        victim = int(named_in((yield from self._choose(seat, texts("steal", self._others_with_cards(seat))))))
        yield from self._rob(seat, victim, blind=True)


# ---------------------------------------------------------------------- self-check


def check_position(oracle: Oracle) -> None:
    """Every card is in exactly one place; the public counts hold; questions are neither empty nor telling."""
    now = oracle.position()
    cards = [*now["turned"], *now["queue"], *now["unknown"], *now["box"], *itertools.chain(*now["hands"])]
    cards += ["king"] * sum(now["kings"]) + ["friend"] * sum(len(seats) for seats in now["friends"])
    cards += ["glue"] * (now["glue"] is not None) + ["friend"] * (now["laying"] is not None)
    assert len(cards) == 100
    assert Counter(cards) == Counter(PILE)
    dealt = [character for character in now["characters"] if character]
    assert len(set(dealt) & set(CHARACTERS)) == len(dealt)
    assert now["box"].count("chestnut") == 3 * (now["chestnut_man"] is not None)
    assert not oracle.bag or not now["queue"]
    for seat, hand in enumerate(oracle.hands):
        assert not set(hand) & {*EVENTS, "friend", "glue"}
        assert all(hand.count(kind) <= oracle.most[seat][kind] <= len(hand) for kind in TRADED)
        assert len(set(oracle.friends[seat]) - {seat}) == len(oracle.friends[seat])
    assert bool(oracle.to_act()) != oracle.over == bool(oracle.reason)
    if oracle.to_act() == (NATURE,):
        assert sorted(oracle.chances()) == oracle.legal(NATURE)
        assert abs(sum(oracle.chances().values()) - 1) < 1e-9
        assert min(oracle.chances().values()) > 0
        return
    for seat in oracle.to_act():
        options = oracle.legal(seat)
        assert len(set(options)) == len(options)
        assert len(options) > 1 or options == ["trade no"] or options[0].startswith("take ")


def pick(options: list[str], style: str, draw: random.Random) -> str:
    """An answer: any; or rather leaves and chestnuts and every trade; or always the first, so that throws are drawn."""
    if style == "stubborn" and options[0].startswith("throw"):
        return options[0]
    liked = [text for text in options if set(text.split()) & {"leaf", "chestnut", "yes"}]
    return draw.choice(liked if style == "hoarding" and liked else options)


def play(oracle: Oracle, style: str, draw: random.Random) -> Counter[str]:
    """One game, checked all along; how often each kind of answer was given."""
    seen: Counter[str] = Counter()
    while not oracle.over:
        actor = draw.choice(oracle.to_act())
        options = oracle.legal(actor)
        text = pick(options, style, draw)
        if actor == NATURE:
            text = draw.choices(*zip(*oracle.chances().items(), strict=True))[0]
        word, name = text.split()[0], named_in(text)
        seen[text if word in ("trade", "glue") or name == "none" else word] += 1
        if options == ["trade no"]:
            seen["trade no, the only answer"] += 1
        oracle.apply(actor, text)
        check_position(oracle)
    assert not oracle.position()["turned"]
    assert oracle.round <= LAST_ROUND
    assert None not in oracle.characters
    assert sorted(seat for group in oracle.ranking() for seat in group) == list(range(oracle.seats))
    return seen


def check_example() -> None:
    """The worked example: 22 stars for this row, and no other order does better than 20 before the bonus."""
    assert sum(PILE.values()) == 100
    assert sum(TOYS.values()) == 58
    row = ["monster", "soldier", "car", "boss", "car", "soldier", "brick", "marble"]
    assert [joins(*pair) for pair in itertools.pairwise(row)] == [1, 1, 2, 2, 2, 1, 0]
    assert row_score(row) == best_row(row) == max(row_score(list(other)) for other in itertools.permutations(row)) == 20
    oracle = Oracle(2)
    oracle.characters = ["boss", "agent"]
    oracle.hands = [[card for card in row if card != "boss"], ["marble", "marble", "leaf"]]
    oracle.friends = [[1], [0]]
    oracle.kings = [0, 1]
    assert oracle._row(0) + oracle._bonus(0) == 22
    assert oracle.scores() == [22 + 2, 1 + 2 + 2 + 2]  # one join, a king, two soldiers or cars, one collection
    draw = random.Random(2)
    for _ in range(60):
        cards = draw.choices([*TOYS, "leaf", "boss"], k=6)
        assert best_row(cards) == max(row_score(list(other)) for other in itertools.permutations(cards))
    print("worked example: 22 stars")


def check(games: int = 2) -> None:
    """Play games with all numbers of seats and several options."""
    check_example()
    draw = random.Random(1)
    seen: Counter[str] = Counter()
    options: list[dict[str, Any]] = [
        {},
        {"pile": "bag", "agent_min": 2},
        {"slap_pick": "choose"},
        {"reaction": "off"},
        {"reaction": "live", "slap_pick": "choose"},
    ]
    for seats in range(2, 9):
        rounds: dict[str, list[int]] = {"any": [], "hoarding": [], "stubborn": []}
        for game, chosen, style in itertools.product(range(games), options, rounds):
            oracle = Oracle(seats, first=game % seats, **chosen)
            seen += play(oracle, style, draw)
            seen[f"ended by {oracle.reason}"] += 1
            rounds[style].append(oracle.round)
        averages = ", ".join(f"{style} {sum(some) / len(some):.1f}" for style, some in rounds.items())
        print(f"{seats} seats: {len(options) * games} games per style, 100 cards kept, rounds {averages}")
    print(", ".join(f"{text} {times}" for text, times in sorted(seen.items())))


if __name__ == "__main__":
    check()
