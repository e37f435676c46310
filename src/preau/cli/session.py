"""A game at the terminal from the first question to the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from ..bots import BotMatch, make_bot
from ..core.errors import MalformedAction, PreauError
from ..core.match import Match
from ..core.state import NATURE, Event
from ..review import hint, say
from ..review.wording import chance
from .choices import listing, matching
from .common import find_rule, own_texts, rule_ids, sentence, writable
from .screen import Screen
from .showing import gloss, has_secrets, print_result, refusal, sentences


class Leave(Exception):
    """Somebody wants to stop."""


class Session:
    """One match, the people and bots in its seats, and the screen they share.

    A person is shown only what the position and the events have for that seat.
    """

    def __init__(
        self,
        match: Match,
        people: Sequence[int],
        bots: dict[int, str],
        names: Sequence[str],
        lang: str,
        *,
        seed: int | None = None,
        record: Path | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.people = tuple(people)
        self.bots = bots
        self.names = list(names)
        self.lang = lang
        self.texts = own_texts(lang)
        self.screen = Screen()
        self.secrets = has_secrets(match.state)
        self.record = record
        self._seed = seed
        self._table = self._new_table()
        self._news: dict[int | None, list[Event]] = {seat: [] for seat in (None, *self.people)}
        self._looking: int | None = None if self._curtains else self.people[0]
        self._hinted = (-1, 0)
        """After how many actions a hint was asked for last, and which idea is next."""
        match.record.meta = {"names": self.names, "bots": {str(seat): bot for seat, bot in bots.items()}}

    @property
    def _curtains(self) -> bool:
        return self.secrets and len(self.people) > 1

    def _new_table(self) -> BotMatch:
        return BotMatch(self.match, {seat: make_bot(bot) for seat, bot in self.bots.items()}, self._seed)

    def run(self) -> None:
        """Play to the end, or until somebody leaves."""
        try:
            self._greet()
            self._hear(self.match.opening)
            while not self.match.over:
                bot = self._table.waiting_bot()
                if bot is not None:
                    self._let_act(bot)
                else:
                    self._decide(next(seat for seat in self.match.to_act if seat in self.people))
            self._finish()
        except (Leave, EOFError):
            self._say_goodbye()
        except KeyboardInterrupt:
            self.screen.say()
            self._say_goodbye()
            raise typer.Exit(130) from None
        finally:
            self._table.close()

    def _let_act(self, seat: int) -> None:
        """Let a bot act; if it breaks down, do for it what is done for somebody absent."""
        try:
            with self.screen.waiting(self.texts.say("play.thinking", {"seat": seat}, self.names)):
                action = self._table.choose(seat)
        except PreauError as error:
            self._say("play.bot_failed", "red", seat=seat, error=str(error))
            action = self.match.state.zombie(seat)
        self._hear(self._table.apply(seat, action))

    # What is shown.

    def _say(self, key: str, style: str = "", **params: object) -> None:
        self.screen.say(self.texts.say(key, params, self.names), style)

    def _greet(self) -> None:
        self.screen.say(self.game.titles[self.lang], "bold")
        if len(self.people) == 1:
            others = [self.names[seat] for seat in self.bots]
            self._say("play.you", you=self.people[0], others=", ".join(others))
        else:
            self._say("play.table", names=", ".join(self.names))
        self._say("play.help_hint", "dim")

    def _hear(self, events: list[Event]) -> None:
        for news in self._news.values():
            news.extend(events)

    def _tell(self, seat: int | None) -> None:
        """What happened since this seat last looked; without secrets, since anybody did."""
        lines = sentences(self.game, self._news[seat], seat, self.lang, self.names)
        self._forget(seat)
        if lines:
            self.screen.say()
        for line in lines:
            self.screen.say(line)

    def _forget(self, seat: int | None) -> None:
        for one, news in self._news.items():
            if one == seat or not self.secrets:
                news.clear()

    def _show(self, seat: int) -> None:
        self.screen.say()
        self.screen.picture(self.match.state.diagram(seat))

    def _show_prompt(self, seat: int) -> None:
        prompt = self.match.state.prompt(seat)
        asked = sentence(self.game, self.lang, prompt["key"], prompt, self.names)
        self.screen.say()
        self.screen.say(asked if len(self.people) == 1 else f"{self.names[seat]}: {asked}", "bold")

    def _show_choices(self, actions: Sequence[str], places: Sequence[int]) -> None:
        for line in listing(actions, places, self.screen.width):
            self.screen.line(line)

    def _show_gloss(self, seat: int, actions: Sequence[str]) -> None:
        line = gloss(self.game, " ".join([*actions, self.match.state.diagram(seat)]), self.lang)
        if line:
            self.screen.say(line, "dim")

    # One decision.

    def _decide(self, seat: int) -> None:
        """Ask until this seat has acted or gone a step back."""
        if self._curtains and self._looking != seat:
            self.screen.curtain(self.texts.say("play.curtain", {"seat": seat}, self.names))
            self._looking = seat
        self._tell(seat)
        self._show(seat)
        self._show_prompt(seat)
        actions = [self.game.shown(action.text) for action in self.match.legal(seat)]
        self._show_choices(actions, range(len(actions)))
        self._show_gloss(seat, actions)
        while not self._answer(seat, actions, self.screen.ask("> ")):
            pass

    def _answer(self, seat: int, actions: list[str], typed: str) -> bool:
        """Deal with one line; whether the position has changed."""
        word, _, rest = typed.partition(" ")
        word, rest = word.lower(), rest.strip()
        if " ".join(typed.lower().split()) in (action.lower() for action in actions):
            return self._act(seat, actions, typed)
        if not typed or word in ("?", "help", "aide"):
            self._help(actions[-1])
        elif word in ("q", "quit", "exit"):
            raise Leave
        elif word in ("u", "undo"):
            return self._undo(seat)
        elif word == "s" and not rest:
            self._show(seat)
            self._show_prompt(seat)
            self._show_choices(actions, range(len(actions)))
            self._show_gloss(seat, actions)
        elif word in ("h", "hint", "indice") and not rest:
            self._hint(seat)
        elif word == "r":
            self._rule(rest)
        elif word == "w" and rest:
            self._why(seat, rest)
        elif word == "save":
            self._save_as(rest)
        elif typed.isdecimal():
            number = int(typed)
            if 1 <= number <= len(actions):
                return self._act(seat, actions, actions[number - 1])
            self._say("play.no_number", "red", number=number, last=len(actions))
        else:
            return self._act(seat, actions, typed)
        return False

    def _act(self, seat: int, actions: list[str], typed: str) -> bool:
        try:
            happened = self._table.apply(seat, self.game.typed(typed))
        except MalformedAction:
            places = matching(typed, actions)
            if places:
                self._say("play.matching", "dim", typed=typed, count=len(places), all=len(actions))
                self._show_choices(actions, places)
            else:
                self._say("play.malformed", "red", typed=typed)
            return False
        except PreauError as error:
            self.screen.say(refusal(self.game, error, self.lang, self.names), "red")
            if error.rule:
                self._say("play.rule_hint", "dim", rule=error.rule)
            return False
        self._hear(happened)
        self._keep()
        return True

    # Commands.

    def _help(self, example: str) -> None:
        rows = [("number", "1"), ("action", example), ("part", example.split(maxsplit=1)[0]), ("show", "s")]
        rows += [("hint", "h")] if len(self.people) == 1 else []
        rows += [("why", f"w {example}"), ("rule", f"r {rule_ids(self.game)[0]}"), ("undo", "u")]
        rows += [("save", "save game.json"), ("quit", "q")]
        indent = 4 + max(len(typed) for _, typed in rows)
        for key, typed in rows:
            self.screen.say(self.texts.say(f"help.{key}"), label=f"  {typed}", indent=indent)
        if "legend" in self.game.texts(self.lang):
            self.screen.say()
            self.screen.say(self.game.texts(self.lang).say("legend"))

    def _hint(self, seat: int) -> None:
        """What the strongest bot would do, and why; asked again, the next best idea. The record notes that."""
        if len(self.people) > 1:
            self._say("play.no_hint", "red")
            return
        record = self.match.record
        at, rank = self._hinted
        rank = rank if at == len(record.entries) else 0
        with self.screen.waiting(self.texts.say("play.pondering")):
            found = hint(self.match.state.view(seat), rank=rank)
        self._hinted = (len(record.entries), rank + 1 if found["more"] else 0)
        record.meta["hints"] = record.hints + 1
        self._keep()
        self.screen.say(" ".join([*say(found, self.lang, self.names), chance(found, self.lang)]))
        self._say("play.more_hints" if found["more"] else "play.do_hint", "dim", action=found["action"])

    def _rule(self, wanted: str) -> None:
        if not wanted:
            ids = rule_ids(self.game)
            self._say("play.rules", first=ids[0], last=ids[-1])
            return
        try:
            rule = find_rule(self.game, wanted)
        except PreauError:
            ids = rule_ids(self.game)
            self._say("play.no_rule", "red", rule=wanted, first=ids[0], last=ids[-1])
            return
        text = self.game.texts(self.lang).say(f"rule.{rule}")
        self.screen.say(text, label=rule, indent=len(rule) + 2)

    def _why(self, seat: int, typed: str) -> None:
        try:
            action = self.match.state.check(seat, self.game.typed(typed))
        except MalformedAction:
            self._say("play.malformed", "red", typed=typed)
        except PreauError as error:
            self.screen.say(refusal(self.game, error, self.lang, self.names))
            if error.rule:
                self._rule(error.rule)
        else:
            self._say("play.legal", action=self.game.shown(action.text))

    def _undo(self, seat: int) -> bool:
        steps = self._steps_back(seat)
        if not steps:
            self._say("play.no_undo", "red")
            return False
        self.match.undo(steps)
        self._table.close()
        self._table = self._new_table()
        for news in self._news.values():
            news.clear()
        self._keep()
        self._say("play.undone", "dim")
        return True

    def _steps_back(self, seat: int) -> int:
        """How many decisions to take back so that `seat` can decide anew; 0 if that would undo too much.

        Never past nature or another person. With secrets, only a last action that told nobody anything.
        """
        for steps, entry in enumerate(reversed(self.match.record.entries), 1):
            if entry.actor == seat:
                return 0 if self.secrets and (steps > 1 or self._told_something()) else steps
            if entry.actor == NATURE or entry.actor in self.people:
                return 0
        return 0

    def _told_something(self) -> bool:
        """Whether the last action told anybody at the table something that was hidden."""
        entries = self.match.record.entries
        before = self.match.record.replay(len(entries) - 1)
        return before.tells(entries[-1].actor, before.action(entries[-1].text))

    def _save_as(self, name: str) -> None:
        if not name:
            self._say("play.save_how", "red")
            return
        path = Path(name).expanduser()
        try:
            if path != self.record:
                writable(path, "save")
            self.match.record.save(path)
        except (PreauError, OSError) as error:
            self.screen.say(str(error), "red")
            return
        self._say("play.saved", file=str(path), count=len(self.match.record.entries))

    # Keeping the record, and the end.

    def _keep(self) -> None:
        """Write the record after every decision of a person, so that nothing is lost whatever happens."""
        if self.record is not None:
            self.match.record.save(self.record)

    def _say_goodbye(self) -> None:
        if self.record is not None:
            self._keep()
            self._say("play.kept", file=str(self.record), count=len(self.match.record.entries))
        self._say("play.bye")

    def _finish(self) -> None:
        seat = None if self._curtains else self.people[0]
        self._tell(seat)
        self.screen.say()
        self.screen.picture(self.match.state.diagram(seat))
        self.screen.say()
        print_result(self.screen.out, self.match.state, seat, self.names, self.lang)
        winners = self.match.result().winners
        if len(self.people) == 1 and seat in winners:
            self._say("play.won" if len(winners) == 1 else "play.shared", "bold green")
        if self.match.record.hints:
            self._say("practice", "dim", n=self.match.record.hints)
        self._keep()
        if self.record is not None:
            self._say("play.kept", file=str(self.record), count=len(self.match.record.entries))
