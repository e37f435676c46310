"""How positions, events, refusals and results are put before a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from re import findall
from typing import TYPE_CHECKING

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import NATURE, REFEREE, Event, Json, State
from ..core.texts import Texts
from .common import own_texts, sentence

if TYPE_CHECKING:
    from rich.console import Console


def has_secrets(state: State) -> bool:
    """Whether seats know different things: the game says so, or a seat's view has more in it than a spectator's."""
    said: bool | None = getattr(state.game, "secrets", None)
    if said is not None:
        return said

    def known(seat: int | None) -> Json:
        return {field: value for field, value in state.view(seat).items() if field not in ("seat", "prompt")}

    return any(known(seat) != known(None) for seat in range(state.seats))


def actor_name(actor: int, names: Sequence[str], texts: Texts) -> str:
    """Who acts, in words; `texts` are the command line's own."""
    if actor == NATURE:
        return texts.say("nature")
    if actor == REFEREE:
        return texts.say("referee")
    return names[actor] if actor < len(names) else texts.say("seat", {"seat": actor})


def sentences(game: Game, events: Iterable[Event], seat: int | None, lang: str, names: Sequence[str]) -> list[str]:
    """What `seat` sees of the events, a sentence each."""
    return [sentence(game, lang, f"event.{event.key}", event.seen_by(seat), names) for event in events]


def gloss(game: Game, shown: str, lang: str) -> str:
    """The reader's names for the words of a picture or a list that the game has under `card.`, in one line."""
    names = game.texts(lang).messages
    found = [(word, names.get(f"card.{word}", "{")) for word in dict.fromkeys(findall(r"\w+", shown))]
    pairs = [f"{word} {name}" for word, name in found if "{" not in name and name.lower() != word.lower()]
    return " · ".join(pair.replace(" ", "\u00a0") for pair in pairs)


def refusal(game: Game, error: PreauError, lang: str, names: Sequence[str]) -> str:
    """Why an action is refused, in the reader's language where the game has words for it, with the rule."""
    why = error.message
    if error.key and f"why.{error.key}" in game.texts(lang):
        why = sentence(game, lang, f"why.{error.key}", error.params, names)
    return f"{why[:1].upper()}{why[1:]}" + (f" [{error.rule}]." if error.rule else ".")


def print_result(out: Console, state: State, seat: int | None, names: Sequence[str], lang: str) -> None:
    """How a game ended: the sentence, the ranking with scores, the tie-break if one was needed."""
    texts = own_texts(lang)
    result = state.result()
    prompt = state.prompt(seat)
    out.print(sentence(state.game, lang, prompt["key"], prompt, names), style="bold")
    shown = [actor_name(one, names, texts) for one in range(state.seats)]
    widest, longest = max(map(len, shown)), max(len(str(score)) for score in result.scores)
    place = 1
    for group in result.ranking:
        for one in group:
            line = f"  {place}. {shown[one]:<{widest}}  {result.scores[one]:>{longest}}"
            out.print(line, style="bold" if place == 1 else "", soft_wrap=True)
        place += len(group)
    if result.tie_break:
        key = f"tie_break.{result.tie_break}"
        known = key in state.game.texts(lang)
        how = state.game.texts(lang).say(key) if known else result.tie_break
        out.print(texts.say("result.tie_break", {"how": how}))
