"""`preau games`: what there is to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import SetupError
from ..core.game import Game
from ..core.options import Option
from ..core.registry import broken, find_game, on_offer
from ..core.texts import Texts
from .common import (
    AsJson,
    Lang,
    complain,
    console,
    find_rule,
    language,
    own_texts,
    print_indented,
    print_json,
    rule_ids,
)

if TYPE_CHECKING:
    from rich.console import Console


def games(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Show this game.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Print all its rules.")] = False,
    rule: Annotated[str | None, typer.Option("--rule", metavar="ID", help="Print one rule.")] = None,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="List what is not on the rule sheet and who laid it down.")
    ] = False,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """List the games, or show one with its options and rules."""
    speech = language(lang)
    if game is None:
        if rules or rule or provenance:
            known = ", ".join(game.id for game in on_offer())
            raise SetupError("which game?", field="GAME", hint=f"There are {known}.")
        _list_all(speech, json)
        _name_the_broken(speech)
        return
    found = find_game(game)
    if rule is not None:
        one = find_rule(found, rule)
        _print_rules(found, [one], speech, json)
    elif rules:
        _print_rules(found, rule_ids(found), speech, json)
    elif provenance:
        _print_provenance(found, speech, json)
    elif json:
        print_json(_as_data(found, speech))
    else:
        _print_game(found, speech)


def _as_data(game: Game, lang: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.titles[lang],
        "seats": list(game.seats),
        "about": _about(game, lang),
        "rules": game.rules_version,
        "options": [option.to_json() for option in game.options],
    }


def _about(game: Game, lang: str) -> str:
    texts = game.texts(lang)
    return texts.say("about") if "about" in texts else ""


def _seats(game: Game, texts: Texts) -> str:
    return texts.say("games.seats", {"low": min(game.seats), "high": max(game.seats)})


def _list_all(lang: str, json: bool) -> None:
    shelf = on_offer()
    if json:
        print_json([_as_data(game, lang) for game in shelf])
        return
    texts = own_texts(lang)
    out = console()
    margin = 2 + max(len(game.id) for game in shelf)
    for game in shelf:
        print_indented(out, f"{game.titles[lang]}, {_seats(game, texts)}", margin, game.id)
        if about := _about(game, lang):
            print_indented(out, about, margin)
    out.print()
    out.print(texts.say("games.more"), style="dim")


def _name_the_broken(lang: str) -> None:
    """Say which installed packages are left out, beside the list and not in it."""
    for name, reason in broken().items():
        complain(own_texts(lang).say("games.broken", {"package": name, "reason": reason}))


def _print_game(game: Game, lang: str) -> None:
    texts = own_texts(lang)
    out = console()
    version = texts.say("games.version", {"version": game.rules_version})
    out.print(f"{game.titles[lang]} ({game.id})", style="bold")
    out.print(f"{_seats(game, texts)}, {version}")
    if about := _about(game, lang):
        out.print(about)
    out.print()
    out.print(texts.say("games.options"), style="bold")
    for option in game.options:
        _print_option(out, option, lang, texts)
    out.print()
    out.print(texts.say("games.rules", {"game": game.id}), style="dim")


def _print_option(out: Console, option: Option, lang: str, texts: Texts) -> None:
    from rich.text import Text

    head = Text(f"  {option.name}", style="bold cyan")
    head.append(f" = {_shown(option.default)}", style="not bold default")
    if option.rule:
        head.append(f"  [{option.rule}]", style="not bold dim")
    out.print(head)
    print_indented(out, option.fr if lang == "fr" else option.en, 4)
    if allowed := _allowed(option, lang, texts):
        print_indented(out, allowed, 4, style="dim")


def _allowed(option: Option, lang: str, texts: Texts) -> str:
    if option.choices:
        return texts.say("games.choices", {"values": ", ".join(_shown(value) for value in option.choices)})
    if option.low is not None and option.high is not None:
        return texts.say("games.range", {"low": option.low, "high": option.high})
    return texts.say("games.takes", {"values": option.allowed}) if lang == "en" else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _print_rules(game: Game, ids: list[str], lang: str, json: bool) -> None:
    texts = game.texts(lang)
    rules = {one: texts.say(f"rule.{one}") for one in ids}
    if json:
        print_json(rules)
        return
    _two_columns(list(rules.items()))


def _print_provenance(game: Game, lang: str, json: bool) -> None:
    facts = game.provenance()
    if json:
        print_json(facts)
        return
    laid_down = [fact for fact in facts if fact["source"] != "sheet"]
    texts = own_texts(lang)
    if not laid_down:
        console().print(texts.say("games.all_on_sheet"))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("rule", "what", "value", "source"):
        table.add_column(texts.say(f"games.{column}"), overflow="fold")
    for fact in laid_down:
        table.add_row(str(fact["rule"]), str(fact["what"]), _value(fact["value"], lang), str(fact["source"]))
    console().print(table)
    console().print(texts.say("games.on_sheet", {"n": len(facts) - len(laid_down)}))


def _value(value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return own_texts(lang).say("yes" if value else "no")
    if isinstance(value, dict):
        return str(value[lang]) if lang in value else ", ".join(f"{name} {one}" for name, one in value.items())
    return str(value)


def _two_columns(rows: list[tuple[str, str]]) -> None:
    out = console()
    margin = 2 + max(len(left) for left, _ in rows)
    for left, right in rows:
        print_indented(out, right, margin, left)
