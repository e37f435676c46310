"""A second, literal reading of the rules of La grande bagarre.

This file is kept apart from the game engine on purpose: it shares no code with it, and was written from the rules
alone, so that the two can be played against each other move by move. It is slow and plain: cards are strings ("T07",
"F6", "echange"), hands and piles are lists of them. The game is one long generator, told in the order of the rules,
that stops at every question: who is asked, and what each may answer. Each method names the rule (B1..B24) it reads.

    oracle = Oracle(4, **RECONSTRUCTED)
    while not oracle.over:
        actor = oracle.to_act()[0]
        oracle.apply(actor, random.choice(oracle.legal(actor)))
    print(oracle.position(), oracle.ranking())

Answers to a question put to several seats take effect, and placed cards leave the hands, once all of them are in.
Nature is actor -1. Run as a script, it checks itself with random games.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Generator, Iterable
from typing import Any, TypedDict, TypeVar

NATURE = -1
HAND = 5  # B6, B12
LAST_TURN = 400  # B14

Question = dict[int, list[str]]  # actor: the text forms it may answer with
Answers = dict[int, str]
Result = TypeVar("Result")
Asking = Generator[Question, Answers, Result]


class CardSet(TypedDict):
    """B4: what a card file says. Toys: value, value for Marie-Edwige, general fight mark."""

    toys: list[tuple[int, int, bool]]
    friends: dict[int, int]
    specials: dict[str, int]


TOYS = [  # B2, in the order of the table
    *[(1, 1, False)] * 2,  # T01 yo-yo, T02 spinning top
    *[(1, 2, False)] * 2,  # T03 knucklebones, T04 skipping rope
    *[(1, 1, False)] * 2,  # T05 pea whistle, T06 catapult
    *[(1, 2, False)] * 2,  # T07 harmonica, T08 box of crayons
    *[(1, 1, False)] * 3,  # T09 water pistol, T10 rubber ball, T11 pack of cards
    (2, 2, True),  # T12 football
    (2, 3, False),  # T13 kite
    *[(2, 2, False)] * 2,  # T14 torch, T15 fishing rod
    (2, 2, True),  # T16 tin soldiers
    *[(2, 3, False)] * 2,  # T17 doll, T18 tea set
    (3, 3, True),  # T19 racing car
    *[(3, 4, False)] * 2,  # T20 camera, T21 wristwatch
    *[(3, 3, True)] * 2,  # T22 roulette wheel, T23 musketeer costume
    *[(4, 4, True)] * 2,  # T24 electric train, T25 bicycle
]
FRIENDS = dict.fromkeys(range(1, 9), 5)  # B3
SPECIALS = {
    "maman": 4,
    "marie_edwige": 3,
    "surveillant": 2,
    "mamie": 2,
    "echange": 2,
    "partie_de_billes": 2,
    "championne": 1,
    "maitresse": 2,
    "cloche": 1,
}
RECONSTRUCTED: CardSet = {"toys": TOYS, "friends": FRIENDS, "specials": SPECIALS}
LEAFLET: CardSet = {"toys": TOYS, "friends": FRIENDS, "specials": {}}  # B4


class WonError(Exception):
    """B14: a seat has reached the goal; whatever was under way is over."""


def is_toy(card: str) -> bool:
    """ "T07"."""
    return card[0] == "T"


def is_friend(card: str) -> bool:
    """ "F6"."""
    return card[0] == "F"


def number_of(friend: str) -> int:
    """B3: only the number matters."""
    return int(friend[1:])


def texts(verb: str, things: Iterable[object]) -> list[str]:
    """ "discard" and a hand: "discard F6", "discard T07", each once."""
    return sorted({f"{verb} {thing}" for thing in things})


def named_in(text: str) -> str:
    """What an action names: "T07" in "lay T07"."""
    return text.split()[-1]


class Oracle:
    """One game. `legal` says what may be done, `apply` does it and takes by itself what is not asked."""

    def __init__(
        self,
        seats: int,
        *,
        toys: list[tuple[int, int, bool]],
        friends: dict[int, int],
        specials: dict[str, int],
        first: int = 0,
        goal: int = 10,
        may_forfeit: bool = False,
    ) -> None:
        """B1 to B4: the deck; then the deal starts."""
        if not 2 <= seats <= 6:
            raise ValueError(f"2 to 6 seats, not {seats}")
        self.seats = seats
        self.first = first
        self.goal = goal
        self.may_forfeit = may_forfeit
        self.value: dict[str, int] = {}
        self.second_value: dict[str, int] = {}
        self.general: set[str] = set()
        for place, (value, second_value, general) in enumerate(toys, start=1):
            toy = f"T{place:02d}"
            self.value[toy] = value
            self.second_value[toy] = second_value
            if general:
                self.general.add(toy)
        self.has_maman = specials.get("maman", 0) > 0  # B4: a set without Maman has no Maman window

        self.marbles = [0] * seats
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.front: list[list[str]] = [[] for _ in range(seats)]
        self.discard: list[str] = []
        self.pile: list[str] = list(self.value)
        for number, copies in friends.items():
            self.pile += [f"F{number}"] * copies
        for special, copies in specials.items():
            self.pile += [special] * copies
        self.down: dict[int, str] = {}  # friends lying face down: seat, card
        self.turned: list[str] = []  # friends turned in this fight, discarded at its end (B21)
        self.turn = 0  # 1 in the first turn
        self.active = first
        self.ban_by: int | None = None  # maitresse: the seat whose next turn ends the ban
        self.over = False

        self._question: Question = {}
        self._answers: Answers = {}
        self._story = self._game()
        self._question = next(self._story)

    # ------------------------------------------------------------------ asked from outside

    def to_act(self) -> tuple[int, ...]:
        """Those who still owe an answer."""
        return tuple(sorted(actor for actor in self._question if actor not in self._answers))

    def legal(self, actor: int) -> list[str]:
        """What this actor may answer; nothing if it owes no answer."""
        return sorted(self._question[actor]) if actor in self.to_act() else []

    def chances(self) -> dict[str, float]:
        """B6, B9, B12: nature draws each card of the pile alike."""
        if NATURE not in self._question:
            raise ValueError("nature is not asked")
        copies = Counter(self.pile)
        return {text: copies[named_in(text)] / len(self.pile) for text in self.legal(NATURE)}

    def apply(self, actor: int, text: str) -> None:
        """Take one legal answer; once all are in, go on to the next question."""
        meant = [one for one in self.legal(actor) if one.lower() == " ".join(text.lower().split())]
        if not meant:
            raise ValueError(f"illegal for {actor}: {text!r}; legal are {self.legal(actor)}")
        self._answers[actor] = meant[0]
        if self.to_act():
            return
        answers, self._answers = self._answers, {}
        try:
            self._question = self._story.send(answers)
        except StopIteration:
            self._question = {}

    def position(self) -> dict[str, Any]:
        """What lies where, as plain data. Friends placed in a fight that is not over are in `down` and `turned`."""
        return {
            "marbles": list(self.marbles),
            "hands": [sorted(hand) for hand in self.hands],
            "toys": [sorted(toys) for toys in self.front],
            "discard": sorted(self.discard),
            "pile": sorted(self.pile),
            "turn": self.turn,
            "active": self.active,
        }

    def ranking(self) -> list[list[int]]:
        """B14: groups of tied seats, best first: marbles (so the winner leads), then the value in front."""

        def merit(seat: int) -> tuple[int, int]:
            return (-self.marbles[seat], -sum(self.value[toy] for toy in self.front[seat]))

        merits = sorted({merit(seat) for seat in range(self.seats)})
        return [[seat for seat in range(self.seats) if merit(seat) == one] for one in merits]

    # ------------------------------------------------------------------ looking at the table

    def _clockwise(self, start: int) -> list[int]:
        """B6: all seats, clockwise, from this one on."""
        return [(start + step) % self.seats for step in range(self.seats)]

    def _others(self, seat: int) -> list[int]:
        """All other seats, clockwise from this seat's left."""
        return self._clockwise(seat)[1:]

    def _toys_in_hand(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if is_toy(card)]

    def _friends_in_hand(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if is_friend(card)]

    def _toys_of_others(self, seat: int) -> list[str]:
        return [toy for other in self._others(seat) for toy in self.front[other]]

    def _owner(self, toy: str) -> int:
        """The seat that has this toy in front of it."""
        return next(seat for seat in range(self.seats) if toy in self.front[seat])

    # ------------------------------------------------------------------ asking

    def _ask(self, seat: int, options: list[str]) -> Asking[str]:
        """A decision about a hidden hand: always asked, even with one answer."""
        answers = yield {seat: options}
        return answers[seat]

    def _ask_in_the_open(self, seat: int, options: list[str]) -> Asking[str]:
        """A decision about public things: taken without asking if there is one answer."""
        if len(options) == 1:
            return options[0]
        return (yield from self._ask(seat, options))

    def _ask_together(self, question: Question) -> Asking[Answers]:
        """A simultaneous secret choice about hidden hands."""
        if not question:
            return {}
        return (yield question)

    # ------------------------------------------------------------------ small doings

    def _draw(self, seat: int) -> Asking[None]:
        """B13: refill an empty pile from the discard now that a card is needed; then nature draws."""
        if not self.pile:
            self.pile, self.discard = self.discard, []
        text = yield from self._ask(NATURE, texts(f"deal {seat}", self.pile))
        self.pile.remove(named_in(text))
        self.hands[seat].append(named_in(text))

    def _throw(self, seat: int, card: str) -> None:
        """From the hand to the discard."""
        self.hands[seat].remove(card)
        self.discard.append(card)

    def _lay(self, seat: int, toy: str) -> None:
        """B10: from the hand to the front; no limit there."""
        self.hands[seat].remove(toy)
        self.front[seat].append(toy)

    def _remove_toy(self, toy: str) -> None:
        """From whomever it lies in front of to the discard."""
        self.front[self._owner(toy)].remove(toy)
        self.discard.append(toy)

    def _hand_over(self, toy: str, seat: int) -> None:
        """A toy in front of one seat goes in front of another."""
        self.front[self._owner(toy)].remove(toy)
        self.front[seat].append(toy)

    def _gain(self, seat: int, marbles: int) -> None:
        """B1: the supply has no limit. B14: the goal wins at once, checked after every gain."""
        self.marbles[seat] += marbles
        if self.marbles[seat] >= self.goal:
            raise WonError

    # ------------------------------------------------------------------ the game and the turn

    def _game(self) -> Asking[None]:
        """B6: the deal. Then turn after turn, clockwise. B14: until the goal, or the refill of the 400th turn."""
        for seat in self._clockwise(self.first):
            for _ in range(HAND):
                yield from self._draw(seat)
        try:
            while True:
                self.turn += 1
                yield from self._turn()
                yield from self._end_of_turn()
                if self.turn == LAST_TURN:
                    break
                self.active = self._clockwise(self.active)[1]
        except WonError:
            pass
        self.over = True

    def _turn(self) -> Asking[None]:
        """B7: convert, or draw and do exactly one thing."""
        me = self.active
        if self.ban_by == me:  # maitresse: until this turn
            self.ban_by = None
        choice = yield from self._ask_in_the_open(me, ["draw", *texts("convert", self.front[me])])
        if choice == "draw":
            yield from self._draw(me)
            yield from self._act()
        else:
            yield from self._convert(choice)

    def _convert(self, choice: str) -> Asking[None]:
        """B8: one toy after another until `done`, or until no toy is left."""
        me = self.active
        while choice != "done":
            toy = named_in(choice)
            self._remove_toy(toy)
            self._gain(me, self.value[toy])
            if not self.front[me]:
                return
            choice = yield from self._ask_in_the_open(me, ["done", *texts("convert", self.front[me])])

    def _act(self) -> Asking[None]:
        """B7, B9: exactly one of lay, fight, special, discard, with the drawn card in hand."""
        me = self.active
        options = texts("lay", self._toys_in_hand(me))  # B10
        if self._friends_in_hand(me) and self.ban_by is None:  # B15, maitresse
            options += texts("fight", self._toys_of_others(me))
        options += texts("special", [card for card in self.hands[me] if self._may_play(card)])
        options += texts("discard", self.hands[me])  # B11
        choice = yield from self._ask(me, options)
        verb, name = choice.split()
        if verb == "lay":
            self._lay(me, name)
        elif verb == "fight":
            yield from self._fight(name)
        elif verb == "special":
            yield from self._special(name)
        else:
            self._throw(me, name)

    def _end_of_turn(self) -> Asking[None]:
        """B12: seat by seat, from the active one on, discard down or draw up to five."""
        for seat in self._clockwise(self.active):
            while len(self.hands[seat]) > HAND:
                choice = yield from self._ask(seat, texts("discard", self.hands[seat]))
                self._throw(seat, named_in(choice))
            while len(self.hands[seat]) < HAND:
                yield from self._draw(seat)

    # ------------------------------------------------------------------ fights

    def _fight(self, toy: str) -> Asking[None]:
        """B15 to B22: the active seat wants a toy in front of another seat."""
        attacker = self.active
        owner = self._owner(toy)
        duel = toy not in self.general or self.seats == 2  # B22
        yield from self._place([attacker], None)  # B15
        called = [owner] if duel else self._others(attacker)  # B16, B17
        while True:
            ready = [seat for seat in called if self._friends_in_hand(seat)]  # the others say that they have none
            yield from self._place(ready, owner if duel else None)
            if (yield from self._maman({*self.down, owner})):
                self._take_back()
                return
            tied = self._turn_over()
            if len(tied) == 1:  # B19
                winner = tied[0]
                break
            able = [seat for seat in tied if self._friends_in_hand(seat)]  # B20
            if duel and attacker not in able:
                winner = owner
                break
            if duel and owner not in able:
                winner = attacker
                break
            if len(able) <= 1:
                winner = able[0] if able else owner
                break
            called = able
        if winner != owner:  # B19
            self._hand_over(toy, winner)
        self._discard_turned()

    def _place(self, seats: list[int], forfeiter: int | None) -> Asking[None]:
        """B15 to B17, B20: these seats place a friend each, at the same time; in a duel the owner may give up."""
        question: Question = {}
        for seat in seats:
            question[seat] = texts("place", self._friends_in_hand(seat))
            if seat == forfeiter and self.may_forfeit:  # B16
                question[seat].append("forfeit")
        answers = yield from self._ask_together(question)
        for seat, answer in answers.items():
            if answer != "forfeit":
                self.hands[seat].remove(named_in(answer))
                self.down[seat] = named_in(answer)

    def _maman(self, seats: Collection[int]) -> Asking[bool]:
        """B18: ask these seats secretly. Only the first yes, clockwise from the active seat's left, spends hers."""
        if not self.has_maman:  # B4
            return False
        question: Question = {}
        for seat in seats:
            question[seat] = ["maman no"]
            if "maman" in self.hands[seat]:
                question[seat].append("maman yes")
        answers = yield from self._ask_together(question)
        for seat in [*self._others(self.active), self.active]:
            if answers.get(seat) == "maman yes":
                self._throw(seat, "maman")
                return True
        return False

    def _turn_over(self) -> list[int]:
        """B19: turn all cards at once, a single one too; the seats with the highest number."""
        highest = max(number_of(card) for card in self.down.values())
        best = [seat for seat, card in self.down.items() if number_of(card) == highest]
        self.turned += self.down.values()
        self.down = {}
        return best

    def _take_back(self) -> None:
        """B21, after a Maman: friends face down go back to the hands, those turned earlier are discarded."""
        for seat, card in self.down.items():
            self.hands[seat].append(card)
        self.down = {}
        self._discard_turned()

    def _discard_turned(self) -> None:
        """B21: at the end of the fight all cards turned are discarded."""
        self.discard += self.turned
        self.turned = []

    # ------------------------------------------------------------------ special moves

    def _may_play(self, card: str) -> bool:
        """B23: is this a special move whose need is met?"""
        me = self.active
        if is_toy(card) or is_friend(card) or card == "maman":  # Maman is never an action
            return False
        if card == "marie_edwige":
            return bool(self.front[me])
        if card in ("surveillant", "championne"):
            return bool(self._toys_of_others(me))
        if card == "mamie":
            return bool(self._toys_in_hand(me))
        if card == "echange":
            return bool(self.front[me]) and bool(self._toys_of_others(me))
        if card == "partie_de_billes":
            return bool(self._friends_in_hand(me)) and any(self.marbles[seat] >= 1 for seat in self._others(me))
        return card in ("maitresse", "cloche")

    def _special(self, card: str) -> Asking[None]:
        """B23: the played special is discarded, then its choices follow in order."""
        self._throw(self.active, card)
        yield from getattr(self, f"_{card}")()  # the method of that name, below

    def _pick_own(self) -> Asking[str]:
        """`give`: one of the own toys in front, a public thing."""
        return named_in((yield from self._ask_in_the_open(self.active, texts("give", self.front[self.active]))))

    def _pick_other(self) -> Asking[str]:
        """`take`: a toy in front of another seat, a public thing."""
        options = texts("take", self._toys_of_others(self.active))
        return named_in((yield from self._ask_in_the_open(self.active, options)))

    def _may_lay(self, toys: list[str]) -> Asking[None]:
        """An optional toy: `lay` or `done`, always asked, since the hand is hidden."""
        choice = yield from self._ask(self.active, ["done", *texts("lay", toys)])
        if choice != "done":
            self._lay(self.active, named_in(choice))

    def _marie_edwige(self) -> Asking[None]:
        """Give her a toy for its second value in marbles."""
        toy = yield from self._pick_own()
        self._remove_toy(toy)
        self._gain(self.active, self.second_value[toy])

    def _surveillant(self) -> Asking[None]:
        """Another seat's toy is discarded; then one toy may be laid."""
        self._remove_toy((yield from self._pick_other()))
        yield from self._may_lay(self._toys_in_hand(self.active))

    def _mamie(self) -> Asking[None]:
        """Lay one toy of any value; after one worth 1 or 2 a second is asked for, of total value at most 3."""
        me = self.active
        toy = named_in((yield from self._ask(me, texts("lay", self._toys_in_hand(me)))))
        self._lay(me, toy)
        if self.value[toy] in (1, 2):
            fitting = [other for other in self._toys_in_hand(me) if self.value[toy] + self.value[other] <= 3]
            yield from self._may_lay(fitting)

    def _echange(self) -> Asking[None]:
        """Swap one of the own toys in front with another seat's."""
        given = yield from self._pick_own()
        taken = yield from self._pick_other()
        other = self._owner(taken)
        self._hand_over(given, other)
        self._hand_over(taken, self.active)

    def _partie_de_billes(self) -> Asking[None]:
        """Each places a friend, the seat without one counts 0; the higher takes a marble if the other has one."""
        me = self.active
        rich = [seat for seat in self._others(me) if self.marbles[seat] >= 1]
        other = int(named_in((yield from self._ask_in_the_open(me, texts("seat", rich)))))
        yield from self._place([me], None)
        yield from self._place([other] if self._friends_in_hand(other) else [], None)
        mine = number_of(self.down[me])
        theirs = number_of(self.down[other]) if other in self.down else 0
        self.discard += self.down.values()
        self.down = {}
        if mine != theirs:
            winner, loser = (me, other) if mine > theirs else (other, me)
            if self.marbles[loser] >= 1:
                self.marbles[loser] -= 1
                self._gain(winner, 1)

    def _championne(self) -> Asking[None]:
        """Take a toy without a fight; its owner is asked for Maman, who cancels it."""
        toy = yield from self._pick_other()
        if not (yield from self._maman([self._owner(toy)])):
            self._hand_over(toy, self.active)

    def _maitresse(self) -> Asking[None]:
        """A toy may be laid; no fight before this seat's next turn. The newest ban outlasts older ones."""
        self.ban_by = self.active
        yield from self._may_lay(self._toys_in_hand(self.active))

    def _cloche(self) -> Asking[None]:
        """All hands pass to the left, the next seat clockwise; then one toy may be laid."""
        self.hands = [self.hands[(seat - 1) % self.seats] for seat in range(self.seats)]
        yield from self._may_lay(self._toys_in_hand(self.active))


# ---------------------------------------------------------------------- self-check


def check_position(oracle: Oracle, deck: list[str]) -> None:
    """Every card is in exactly one place; nobody but the last winner has reached the goal."""
    places = [oracle.pile, oracle.discard, oracle.turned, list(oracle.down.values()), *oracle.hands, *oracle.front]
    assert sorted(card for place in places for card in place) == deck
    assert min(oracle.marbles) >= 0
    assert oracle.over or max(oracle.marbles) < oracle.goal
    assert bool(oracle.to_act()) != oracle.over
    if oracle.to_act() == (NATURE,):
        assert abs(sum(oracle.chances().values()) - 1) < 1e-9


def play(oracle: Oracle, deck: list[str], draw: random.Random) -> Counter[str]:
    """One random game, checked all along; how often each kind of answer was given."""
    seen: Counter[str] = Counter()
    turn = 0
    while not oracle.over:
        actor = draw.choice(oracle.to_act())
        text = draw.choice(oracle.legal(actor))
        if actor == NATURE:
            text = draw.choices(*zip(*oracle.chances().items(), strict=True))[0]
        seen[text if text.split()[0] in ("special", "maman", "done") else text.split()[0]] += 1
        oracle.apply(actor, text)
        check_position(oracle, deck)
        if oracle.turn != turn:  # a turn has begun, the last one has been refilled
            turn = oracle.turn
            assert [len(hand) for hand in oracle.hands] == [HAND] * oracle.seats
            assert oracle.active == (oracle.first + turn - 1) % oracle.seats
    assert sorted(seat for group in oracle.ranking() for seat in group) == list(range(oracle.seats))
    assert oracle.turn == LAST_TURN or max(oracle.marbles) >= oracle.goal
    return seen


def check(games: int = 40) -> None:
    """Play random games with both sets and all numbers of seats."""
    draw = random.Random(1)
    assert sum(toy[0] for toy in TOYS) == 48
    for name, cards, size in (("reconstructed", RECONSTRUCTED, 84), ("leaflet", LEAFLET, 65)):
        seen: Counter[str] = Counter()
        for seats in range(2, 7):
            turns = 0
            for game in range(games):
                oracle = Oracle(seats, first=game % seats, may_forfeit=game % 2 == 1, **cards)
                deck = sorted(oracle.pile)
                assert len(deck) == size
                seen += play(oracle, deck, draw)
                turns += oracle.turn
            print(f"{name}, {seats} seats: {games} random games, {turns / games:.0f} turns each, {size} cards kept")
        print(", ".join(f"{text} {times}" for text, times in sorted(seen.items())))
    for goal in (1, 60):  # 60: the net at turn 400 is mostly reached
        oracle = Oracle(3, goal=goal, **RECONSTRUCTED)
        play(oracle, sorted(oracle.pile), draw)
        print(f"goal {goal}: ended after turn {oracle.turn}, {oracle.marbles}, {oracle.ranking()}")


if __name__ == "__main__":
    check()
