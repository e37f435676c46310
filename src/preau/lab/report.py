"""A report on a study: one page that needs nothing else, with a picture and a table for every figure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..arena.engine import engine
from ..arena.schedule import original
from ..core.state import Json
from .figures import Arm, figures
from .plots import Pictures
from .words import Words

FORMAT = "preau-lab/1"
STYLE = Path(__file__).parent / "report.css"
TOP = 12
"""How many places of a map stand in its table."""


def put_together(arms: Sequence[Arm], given: Sequence[Mapping[str, Any]], games: int) -> Json:
    """All that a report says, as data. `given` are the options of each arm as they were asked for."""
    plan = arms[0].plan
    bots = [original(name) for name in plan.line_ups[0]] if not plan.mirror else [plan.entrants[0].name]
    return {
        "format": FORMAT,
        "command": _command(arms, given, games),
        "game": plan.game,
        "rules": plan.rules,
        "seats": plan.seats,
        "seed": plan.seed,
        "bots": list(dict.fromkeys(bots)),
        "engine": engine(plan.game),
        "options": _differing(arms, given),
        **figures(arms),
    }


def _differing(arms: Sequence[Arm], given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each arm what sets it apart: all that was asked for, or where there are two, what they differ in."""
    if len(arms) == 1:
        options = arms[0].plan.options
        return [{name: options[name] for name in given[0] if name in options}]
    first, second = (arm.plan.options for arm in arms)
    names = [name for name in first if first[name] != second[name]]
    return [{name: options[name] for name in names} for options in (first, second)]


def _command(arms: Sequence[Arm], given: Sequence[Mapping[str, Any]], games: int) -> str:
    """What makes this report again, without what makes no difference to it."""
    plan = arms[0].plan
    bots = plan.entrants[0].name if plan.mirror else ",".join(plan.line_ups[0])
    words = ["preau", "lab", plan.game, "--bots", bots, "--seats", str(plan.seats), "--games", str(games)]
    words += ["--seed", str(plan.seed)]
    for flag, options in zip(("--option", "--against"), given, strict=False):
        base = given[0] if flag == "--against" else {}
        for name, value in options.items():
            if name not in base or base[name] != value:
                words += [flag, f"{name}={value}" if isinstance(value, str | int) else f"{name}=@file.json"]
    return shlex.join(words)


class Page:
    """Writes the page in one language."""

    def __init__(self, report: Json, language: str) -> None:
        self.report = report
        parts = {part for arm in report["arms"] for table in arm["tables"] for part in table["parts"]}
        self.words = Words(report["game"], language, parts)
        self.arms: list[Json] = report["arms"]
        self.names = [self.words.options(one) for one in report["options"]]
        self.two = len(self.arms) > 1
        self._pictures = Pictures()
        self._sections: list[tuple[str, str]] = []

    def html(self) -> str:
        """The whole page."""
        say, language = self.words.say, self.words.language
        body = "\n".join(self._body())
        links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in self._sections)
        title = f"{self.words.title} · {say('lab')}"
        return (
            f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n'
            f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<header>\n<h1>{escape(title)}</h1>\n{self._lead()}\n</header>\n"
            f'<nav aria-label="{escape(say("contents"))}"><ul>{links}</ul></nav>\n'
            f"<main>\n{body}\n</main>\n</body>\n</html>\n"
        )

    def _body(self) -> Iterator[str]:
        yield self._short()
        yield self._seats()
        if "bots" in self.arms[0]["figures"]:
            yield self._bots()
        yield self._distribution("scores", "score", "of_scores")
        yield self._distribution("lengths", "length", "of_games")
        yield self._endings()
        for name in dict.fromkeys(table["name"] for arm in self.arms for table in arm["tables"]):
            yield self._table(name)
        yield self._luck()
        yield self._method()

    def _lead(self) -> str:
        report, words = self.report, self.words
        arm = self.arms[0]
        said = words.say(
            "lead_two" if self.two else "lead",
            games=words.number(arm["games"]),
            title=words.title,
            bots=", ".join(report["bots"]),
            seats=report["seats"],
        )
        played = words.say(
            "games_played.value",
            games=words.number(arm["games"]),
            deals=words.number(arm["deals"]),
            decisions=words.number(sum(one["decisions"] for one in self.arms)),
        )
        source = ", ".join(f"{value}" for value in report["engine"].values())
        rows = [
            ("command", f"<code>{escape(report['command'])}</code>"),
            ("rules", " · ".join(self._key(at) for at in range(len(self.arms)))),
            ("games_played", escape(played)),
            ("seed", str(report["seed"])),
            ("engine", f"Préau {escape(source)}"),
        ]
        facts = "".join(f"<dt>{escape(words.say(key))}</dt><dd>{value}</dd>" for key, value in rows)
        return f"<p>{escape(said)}</p>\n<dl>{facts}</dl>"

    def _key(self, at: int) -> str:
        mark = f'<span class="mark m{at + 1}" aria-hidden="true"></span>' if self.two else ""
        return f"{mark}{escape(self.names[at])}"

    # Sections.

    def _section(self, name: str, title: str, about: str, *inside: str) -> str:
        self._sections.append((name, title))
        said = f"<p>{escape(about)}</p>\n" if about else ""
        return f'<section id="{name}">\n<h2>{escape(title)}</h2>\n{said}{"".join(inside)}\n</section>'

    def _short(self) -> str:
        words = self.words
        lines = [line for at in range(len(self.arms)) for line in self._shortly(at)] if not self.two else []
        if self.two:
            lines = self._gaps()
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        return self._section("short", words.say("short"), "", f"<ul>{items}</ul>")

    def _shortly(self, at: int) -> Iterator[str]:
        words, found, fair = self.words, self.arms[at]["figures"], self.arms[at]["fair"]
        first = found["seats"][0]
        key = "short.first_none" if first[1] <= fair <= first[2] else "short.first"
        yield words.say(key, value=self._said("seats", first), fair=f"{words.number(100 * fair, 1)}\u202f%")
        yield words.say("short.length", value=self._said("length", found["length"][0]))
        most = max(range(len(found["endings"])), key=lambda one: found["endings"][one][0])
        ending = words.ending(self.report["endings"][most])
        yield words.say("short.ending", ending=ending, value=self._said("endings", found["endings"][most]))
        if "blind" in found:
            yield words.say("short.blind", value=self._said("blind", found["blind"][0]))

    def _gaps(self) -> list[str]:
        """What differs beyond doubt, of the figures for whole games."""
        words, gaps = self.words, self.report["differences"]
        named = [
            *(("seats", seat, f"{words.say('share')}, {words.seat(seat)}") for seat in range(self.report["seats"])),
            ("shared", 0, words.say("shared")),
            ("score", 0, words.say("mean_score")),
            ("length", 0, words.say("decisions")),
            *(("endings", at, words.ending(name)) for at, name in enumerate(self.report["endings"])),
        ]
        first, second = self.names
        lines = [
            words.say("short.gap", what=what, value=self._said(name, gap, signed=True), first=first, second=second)
            for name, at, what in named
            if (gap := gaps[name][at]) is not None and (gap[1] > 0 or gap[2] < 0)
        ]
        return lines or [words.say("short.no_gap")]

    def _seats(self) -> str:
        words = self.words
        labels = [words.seat(seat) for seat in range(self.report["seats"])]
        picture = self._points("seats", labels, words.say("alt.seats"), self.arms[0]["fair"])
        table = self._figures(words.say("seats.column"), labels, [("seats", "")])
        shared = " / ".join(self._said("shared", arm["figures"]["shared"][0]) for arm in self.arms)
        note = f"<p>{escape(words.say('shared.about', value=shared))}</p>"
        return self._section(
            "seats", words.say("seats"), words.say("seats.about"), _beside(picture, table + note, self._legend())
        )

    def _bots(self) -> str:
        words = self.words
        picture = self._points("bots", self.report["bots"], words.say("alt.bots"), None)
        table = self._figures(words.say("bot"), self.report["bots"], [("bots", "")])
        return self._section(
            "bots", words.say("bots_section"), words.say("bots_section.about"), _beside(picture, table, self._legend())
        )

    def _distribution(self, name: str, figure: str, of: str) -> str:
        words = self.words
        bars = self.report["bars"][figure]
        label = words.say("score" if figure == "score" else "decisions")
        series = [arm["figures"][f"{figure}_bars"] for arm in self.arms]
        picture = self._pictures.bars(bars, series, title=words.say(f"alt.{name}"), label=label)
        labels = [
            words.number(low) if low == high else f"{words.number(low)} – {words.number(high)}" for low, high in bars
        ]
        table = self._figures(label, labels, [(f"{figure}_bars", words.say(of))])
        return self._section(
            name, words.say(name), "", *self._about(name, figure), _beside(picture, table, self._legend())
        )

    def _about(self, name: str, figure: str) -> Iterator[str]:
        words = self.words
        for at, arm in enumerate(self.arms):
            found = arm["figures"]
            said = words.say(
                f"{name}.about",
                mean=self._said(figure, found[figure][0]),
                winning=self._said(figure, found["winning_score"][0]),
                **{part: words.number(value) for part, value in arm["lengths"].items() if part.startswith("p")},
            )
            front = f"{self._key(at)}{words.colon}" if self.two else ""
            yield f"<p>{front}{escape(said)}</p>\n"

    def _endings(self) -> str:
        words = self.words
        labels = [words.ending(one) for one in self.report["endings"]]
        picture = self._points("endings", labels, words.say("alt.endings"), None)
        table = self._figures(words.say("ending"), labels, [("endings", words.say("of_games"))])
        return self._section(
            "endings", words.say("endings"), words.say("endings.about"), _beside(picture, table, self._legend())
        )

    def _table(self, name: str) -> str:
        words = self.words
        title = words.of_game(name)
        shown = [table for arm in self.arms for table in arm["tables"] if table["name"] == name]
        about = words.of_game(f"{name}.about")
        if shown[0]["width"]:
            return self._section(name, title, about, *(self._maps(shown[0], column) for column in shown[0]["columns"]))
        things = list(dict.fromkeys(thing for table in shown for thing in table["things"]))
        labels = [words.thing(shown[0], thing) for thing in things]
        columns = [(f"{name}.{column}", words.of_game(f"column.{column}")) for column in shown[0]["columns"]]
        inside = []
        if shown[0]["brings"]:
            series = [self._of_things(arm, name, f"{name}:wins", things) for arm in self.arms]
            inside.append(
                self._pictures.points(
                    labels,
                    series,
                    title=words.say("alt.wins", title=title),
                    fair=self.arms[0]["fair"],
                    per_cent=True,
                )
            )
            columns += [(f"{name}:wins", words.say("wins_with")), (f"{name}:gap", words.say("gap"))]
        table_html = self._things(name, things, labels, columns)
        return self._section(name, title, about, _beside("".join(inside), table_html, self._legend(), wide=True))

    def _maps(self, table: Json, column: str) -> str:
        words = self.words
        name = f"{table['name']}.{column}"
        series = [arm["figures"][name] for arm in self.arms]
        most = max((one[0] for some in series for one in some if one is not None), default=0.0)
        title = words.of_game(f"column.{column}")
        alt = words.say("alt.map", title=words.of_game(table["name"]), column=title)
        pictures = "".join(
            f"<figure>{self._map(table, some, alt, most, at)}"
            + (f"<figcaption>{self._key(at)}</figcaption>" if self.two else "")
            + "</figure>"
            for at, some in enumerate(series)
        )
        busiest = sorted(range(len(table["things"])), key=lambda at: (-series[0][at][0], at))[:TOP]
        busiest = [at for at in busiest if series[0][at][0] > 0]
        places = [table["things"][at] for at in busiest]
        rows = [[self._said(name, some[at]) for some in series] + self._gap(name, at) for at in busiest]
        heads = [words.say("map.column"), *self._heads(title)]
        return f"<h3>{escape(title)}</h3>" + _beside(pictures, _html_table(heads, places, rows, title), "")

    def _map(self, table: Json, values: Any, alt: str, most: float, at: int) -> str:
        return self._pictures.map(
            table["things"], table["width"], values, table["blank"], title=alt, most=most, two=at > 0
        )

    def _luck(self) -> str:
        words = self.words
        blind = "blind" in self.arms[0]["figures"]
        labels = [words.say("luck.deal"), *([words.say("luck.blind")] if blind else [])]
        rows = [
            [self._said(name, arm["figures"].get(name, [None])[0]) for arm in self.arms]
            for name in ("deal", *(["blind"] if blind else []))
        ]
        about = words.say(
            "luck.about" if blind else "luck.no_blind", games=words.number(self.arms[0].get("blind_games", 0))
        )
        heads = [words.say("luck.column"), *(self.names if self.two else [words.say("value")])]
        return self._section("luck", words.say("luck"), about, _html_table(heads, labels, rows, words.say("luck")))

    def _method(self) -> str:
        words = self.words
        repeats = "".join(f"<p>{escape(self._repeats(arm))}</p>" for arm in self.arms if _repeated(arm))
        end = f"<p>{escape(words.say('to_file'))}</p>"
        return self._section("method", words.say("method"), words.say("method.about"), repeats, end)

    def _repeats(self, arm: Json) -> str:
        words = self.words
        games, different = (words.number(arm[name]) for name in ("games", "different_games"))
        return words.say("method.repeats", games=games, different=different)

    # Parts of sections.

    def _said(self, name: str, one: Sequence[float] | None, *, signed: bool = False) -> str:
        """A figure with its interval, in one piece."""
        return self.words.estimate(name, one, signed=signed).replace(" ", "\u00a0")

    def _legend(self) -> str:
        if not self.two:
            return ""
        return f'<p class="legend">{" ".join(f"<span>{self._key(at)}</span>" for at in range(2))}</p>'

    def _points(self, name: str, labels: Sequence[str], alt: str, fair: float | None) -> str:
        series = [arm["figures"][name] for arm in self.arms]
        return self._pictures.points(labels, series, title=alt, fair=fair, per_cent=self.words.is_share(name))

    def _heads(self, title: str) -> list[str]:
        """The heads of the columns of a figure."""
        if not self.two:
            return [title or self.words.say("share")]
        front = f"{title}, " if title else ""
        return [*(f"{front}{name}" for name in self.names), self.words.say("difference")]

    def _gap(self, name: str, at: int) -> list[str]:
        if not self.two:
            return []
        gaps = self.report["differences"].get(name)
        return [self._said(name, gaps[at], signed=True) if gaps else "–"]

    def _figures(self, head: str, labels: Sequence[str], columns: Sequence[tuple[str, str]]) -> str:
        """A table with a row for each label and a column for each figure, arm by arm."""
        heads, rows = [head], [list[str]() for _ in labels]
        for name, title in columns:
            heads += self._heads(title)
            for at in range(len(rows)):
                rows[at] += [self._said(name, arm["figures"][name][at]) for arm in self.arms] + self._gap(name, at)
        return _html_table(heads, labels, rows, head)

    def _of_things(self, arm: Json, table: str, name: str, things: Sequence[str]) -> list[Any]:
        """A figure for all things, nothing where an arm does not have them."""
        own: list[str] = next((one["things"] for one in arm["tables"] if one["name"] == table), [])
        found = arm["figures"].get(name, [])
        return [found[own.index(thing)] if thing in own else None for thing in things]

    def _things(
        self, table: str, things: Sequence[str], labels: Sequence[str], columns: Sequence[tuple[str, str]]
    ) -> str:
        heads, rows = [self.words.say("thing")], [list[str]() for _ in things]
        for name, title in columns:
            heads += [f"{title}, {one}" for one in self.names] if self.two else [title]
            for arm in self.arms:
                for row, one in zip(rows, self._of_things(arm, table, name, things), strict=True):
                    row.append(self._said(name, one))
        return _html_table(heads, labels, rows, self.words.of_game(table))


def _repeated(arm: Json) -> bool:
    different: int = arm["different_games"]
    return different < int(arm["games"])


def _html_table(heads: Sequence[str], labels: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> str:
    """A table that can be pushed aside where the screen is narrow."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>' + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>"
        for label, row in zip(labels, rows, strict=True)
    )
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="{escape(name)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    """A figure, its interval smaller."""
    value, bracket, interval = text.partition("\u00a0(")
    return f"{escape(value)} <small>({escape(interval)}</small>" if bracket else escape(text)


def _beside(picture: str, table: str, legend: str, *, wide: bool = False) -> str:
    kind = "beside wide" if wide else "beside"
    drawn = f'<div class="picture">{legend}{picture}</div>' if picture else ""
    return f'<div class="{kind}">{drawn}<div class="words">{table}</div></div>\n'


def write_page(report: Json, language: str) -> str:
    """The page for a report."""
    return Page(report, language).html()
