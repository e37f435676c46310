"""A package with one faulty file is left out, with its name, the file and the reason; all other games work."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.examples.packages import SOLEIL, announce, run
from tests.server.processes import DefaultServer, Server

SOUND = ["recess", "bagarre", "cour", "control", "soleil"]
"""The games that ship, the sound package, and a copy of it without a fault."""


class Fault(NamedTuple):
    """A file of a game as it should not be, and what is said of it."""

    file: str
    text: str | bytes
    reason: str
    brought: Mapping[str, str] = {}
    """What the package brings for bots; `{}` stands for the package."""


class Text(NamedTuple):
    """A message of both languages as it should not be, and what is said of it."""

    key: str
    text: str
    reason: str


class Change(NamedTuple):
    """A piece of a source file that is replaced by another, and what is said of it."""

    file: str
    old: str
    new: str
    reason: str


FAULTS: Mapping[str, Fault | Text | Change] = {
    "lesson_syntax": Fault("lessons.json", "{", "lessons.json: it is no JSON"),
    "lesson_field": Fault("lessons.json", '{"exercises": [{"nam": "x"}]}', "lessons.json: exercises[0]: it has only"),
    "challenge_syntax": Fault("challenge.json", "[", "challenge.json: it is no JSON"),
    "challenge_level": Fault("challenge.json", '{"bots": ["godlike"]}', "challenge.json: bots: there is no bot"),
    "challenge_option": Fault(
        "challenge.json", '{"bots": ["easy"], "options": {"stepps": 3}}', "challenge.json: options: One, two, three"
    ),
    "lesson_deep": Fault("lessons.json", "[" * 100_000, "lessons.json: RecursionError"),
    "lesson_bytes": Fault("lessons.json", b"\xff\xfe{", "lessons.json: it is no JSON: 'utf-8' codec can't decode"),
    "puzzle_field": Fault(
        "puzzles.json",
        '{"game": "puzzle_field", "rules": "1", "made_by": "", "puzzles": [{"id": "a"}]}',
        "puzzles.json: puzzles[0]: this is no puzzle",
    ),
    "puzzle_deep": Fault("puzzles.json", "[" * 100_000, "puzzles.json: RecursionError"),
    "puzzle_syntax": Fault("puzzles.json", "{", "puzzles.json is no JSON"),
    "puzzle_game": Fault(
        "puzzles.json",
        '{"game": "recess", "rules": "1", "made_by": "", "puzzles": []}',
        "puzzles.json holds puzzles of 'recess'",
    ),
    "fact_syntax": Fault("facts.json", "{", "facts.json: it is no JSON"),
    "fact_level": Fault("facts.json", '{"usual": {"level": "godlike"}}', "facts.json: usual.level: there is no bot"),
    "fact_option": Fault("facts.json", '{"usual": {"options": {"steps": 900}}}', "facts.json: usual: option steps"),
    "book_syntax": Fault("book.json", "{", "book.json: it is no JSON"),
    "text_syntax": Fault("texts/fr.json", "{", "texts/fr.json: it is no JSON"),
    "text_list": Fault("texts/en.json", "[]", "texts/en.json: it is an object with a text for each key"),
    "text_parameter": Text("option.back.line", "goes back {steps} steps", "wants a parameter 'steps'"),
    "text_brace": Text("chapter.start", "on the {line", "a brace is never closed in the text 'on the {line'"),
    "text_plural": Text("about", "{n, plural, one {x", "a brace is never closed"),
    "text_event": Text("event.word", "“{word, select, un {one} other {{word}” Heads turn!", "a brace is never closed"),
    "text_cut": Fault("texts/fr.json", '{"about": "Smile \\ud83d"}', "texts/fr.json: it is no JSON: there is half a"),
    "fact_cut": Fault("facts.json", '{"settle_ties": "\\ud83d"}', "facts.json: it is no JSON: there is half a"),
    "lesson_cut": Fault("lessons.json", '{"exercises": ["\\ud83d"]}', "lessons.json: it is no JSON: there is half a"),
    "title_cut": Change("game.py", '"fr": "Un', '"fr": "\\ud83d Un', "game.py: titles: fr: there is half a character"),
    "option_cut": Change("game.py", 'en="After', 'en="\\ud83d After', "game.py: options: rounds: there is half a"),
    "error_cut": Fault("sampler.py", "raise ValueError('\\ud83d')\n", "sampler.py: ValueError: "),
    "text_deep": Fault("texts/fr.json", "[" * 100_000, "texts/fr.json: RecursionError"),
    "lab_text": Fault("texts/lab/en.json", "{", "lab/en.json: it is no JSON"),
    "picture": Fault("picture.svg", "<svg", "picture.svg: ParseError"),
    "picture_kind": Fault("picture.svg", "<html/>", "picture.svg: it is no SVG picture"),
    "gallery": Fault("gallery.py", "def gallery():\n    raise ValueError('empty')\n", "gallery.py: ValueError: empty"),
    "theme": Fault("themes.py", "THEMES = 3\n", "themes.py: TypeError"),
    "sampler": Fault("sampler.py", "import nothing_there\n", "sampler.py: ModuleNotFoundError: No module named"),
    "observation": Fault("observe.py", "def layout(state)\n", "observe.py: SyntaxError"),
    "rule_syntax": Fault("rules.py", "def advance(\n", "SyntaxError: '(' was never closed (rules.py, line 1)"),
    "rule_bytes": Fault("rules.py", b"x = '\xe9'\n", "(rules.py, line "),
    "rule_null": Fault("rules.py", b"x = 1\0\n", "rules.py: SyntaxError: source code string cannot contain null bytes"),
    "rule_import": Fault("position.py", "import nothing_there\n", "position.py: ModuleNotFoundError: No module named"),
    "rule_exit": Fault(
        "rules.py", "raise SystemExit('Python 4 is needed')\n", "rules.py: SystemExit: Python 4 is needed"
    ),
    "part_exit": Fault("sampler.py", "raise SystemExit(3)\n", "sampler.py: SystemExit: 3"),
    "part_of_part": Fault("diagram.py", "from . import nothing_there\n", "diagram.py: ImportError: cannot import name"),
    "no_view": Change("views.py", "def view(", "def vieww(", "views.py: AttributeError: module"),
    "no_prompt": Change("views.py", "def prompt(", "def prompts(", "views.py: NameError: name 'prompt'"),
    "no_load": Change("views.py", "def load(", "def loads(", "views.py: AttributeError: module"),
    "no_diagram": Change("diagram.py", "def diagram(", "def picture(", "diagram.py: AttributeError: module"),
    "no_write": Change("observe.py", "def write(", "def writes(", "observe.py: AttributeError: module"),
    "no_sampler": Change("sampler.py", "def sampler(", "def samplers(", "sampler.py: AttributeError: module"),
    "wrong_view": Change(
        "views.py",
        "def view(",
        "def view(state, seat):\n    raise KeyError('hands')\n\n\ndef vieww(",
        "views.py: KeyError: 'hands'",
    ),
    "undeclared": Change("game.py", "    secrets = True\n", "", "game.py: secrets: it is a bool, not nothing"),
    "wrong_seats": Change("game.py", "= (2, 3, 4, 5)", "= ('2',)", "game.py: seats: it lists the numbers of seats"),
    "wrong_title": Change("game.py", '"fr": "Un', '"de": "Un', "game.py: titles: fr: there is no title"),
    "wrong_start": Change(
        "position.py", 'options["steps"]', 'options["step"]', "facts.json: usual: position.py: KeyError"
    ),
    "wrong_name": Change("game.py", 'id = "wrong_name"', 'id = "other"', "called 'wrong_name' and the game 'other'"),
    "greedy_exit": Fault("greedy.py", "raise SystemExit\n", "greedy.py: SystemExit", {"greedy": "{}.greedy:choose"}),
    "greedy": Fault("greedy.py", "choose = 3\n", "it is no function", {"greedy": "{}.greedy:choose"}),
    "judge": Fault("judge.py", "import nothing_there\n", "nothing_there", {"judges": "{}.judge"}),
}


SAID = {
    name: f"texts/en.json: {fault.key}: " if isinstance(fault, Text) else fault.reason for name, fault in FAULTS.items()
}
"""What is said of each package."""

LISTED = {
    "preau-unequal": (b"[preau.games]\nunequal\n", "entry_points.txt: it cannot be read: TypeError"),
    "preau-latin": (b"[preau.games]\nlatin = a:G\xc9\n", "entry_points.txt: it cannot be read: UnicodeDecodeError"),
    "no_object": (b"[preau.games]\nno_object = a game:GAME\n", "a game:GAME is no Game"),
}
"""Faults of `entry_points.txt` itself, by the name that the package is reported under, and what is said of them."""


@pytest.fixture(scope="module")
def packages(soleil, tmp_path_factory) -> str:
    """The folders of a sound package and of many copies of it with other names, each with one fault."""
    folder = tmp_path_factory.mktemp("faulty")
    for name, fault in {**FAULTS, "control": Fault("lessons.json", '{"exercises": []}', "")}.items():
        package = soleil_as(folder, f"preau_{name}", name)
        spoil(package, fault)
        brought = {group: value.format(package.name) for group, value in getattr(fault, "brought", {}).items()}
        announce(folder, name, f"{package.name}.game:GAME", **brought)
    return os.pathsep.join((soleil, str(folder)))


def soleil_as(folder: Path, package: str, name: str) -> Path:
    """Copy the package of soleil under another name, with another id of the game."""
    copy = folder / package
    shutil.copytree(SOLEIL / "src" / "preau_soleil", copy, ignore=shutil.ignore_patterns("__pycache__"))
    replace(copy / "game.py", 'id = "soleil"', f'id = "{name}"')
    replace(copy / "views.py", '"game": "soleil"', f'"game": "{name}"')
    return copy


def spoil(package: Path, fault: Fault | Text | Change) -> None:
    """Make the fault."""
    if isinstance(fault, Change):
        replace(package / fault.file, fault.old, fault.new)
    elif isinstance(fault, Text):
        for path in (package / "texts").glob("*.json"):
            messages = json.loads(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps({**messages, fault.key: fault.text}), encoding="utf-8")
    else:
        path = package / fault.file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(fault.text if isinstance(fault.text, bytes) else fault.text.encode())


def replace(path: Path, old: str, new: str) -> None:
    """Replace a piece of a source file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_command_line_names_what_it_leaves_out(packages):
    listed = run(packages, "-m", "preau", "games", "--json")
    assert listed.returncode == 0
    assert [game["id"] for game in json.loads(listed.stdout)] == SOUND
    for name, reason in SAID.items():
        (line,) = (line for line in listed.stderr.splitlines() if f"The package of {name} is left out" in line)
        assert reason in line
    for name, fault in FAULTS.items():
        assert not isinstance(fault, Text) or fault.reason in listed.stderr, name
    doctor = run(packages, "-m", "preau", "doctor", "--json")
    found = {row["what"]: row for row in json.loads(doctor.stdout)}
    for name, reason in SAID.items():
        assert reason in found[name]["said"]
    wanted = run(packages, "-m", "preau", "play", "lesson_syntax")
    assert wanted.returncode == 2
    assert "lessons.json: it is no JSON" in wanted.stderr


def test_a_server_starts_names_what_it_leaves_out_and_serves_the_rest(packages, tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", packages=packages)
    try:
        assert [game["id"] for game in server.ask("GET", "/api/games").json()] == SOUND
        logged = server.logged().splitlines()
        for name, reason in SAID.items():
            (line,) = (line for line in logged if f"game={name} " in line or f'"game": "{name}"' in line)
            assert reason in line
    finally:
        server.stop()


def test_a_malformed_list_of_entry_points_spoils_no_other_package(soleil, tmp_path):
    for name, (points, _) in LISTED.items():
        plain = name.removeprefix("preau-")
        announce(tmp_path, plain, "")
        (tmp_path / f"preau_{plain}-1.0.dist-info" / "entry_points.txt").write_bytes(points)
    packages = os.pathsep.join((str(tmp_path), soleil))
    listed = run(packages, "-m", "preau", "games", "--json")
    assert [game["id"] for game in json.loads(listed.stdout)] == ["recess", "bagarre", "cour", "soleil"]
    for name, (_, reason) in LISTED.items():
        assert f"The package of {name} is left out, because it cannot be used: {reason}" in listed.stderr
    played = run(packages, "-m", "preau", "simulate", "soleil", "--games", 1, "--bots", "greedy")
    assert played.returncode == 0, played.stderr
    server = DefaultServer(tmp_path, packages=packages)
    try:
        assert [game["id"] for game in server.ask("GET", "/api/games").json()] == [
            "recess",
            "bagarre",
            "cour",
            "soleil",
        ]
        logged = server.logged().splitlines()
        for name, (_, reason) in LISTED.items():
            (line,) = (line for line in logged if f"game={name} " in line or f'"game": "{name}"' in line)
            assert reason in line
    finally:
        server.stop()
    kept = run(packages, "-m", "preau", "backup", "copy.db", cwd=tmp_path)
    assert kept.returncode == 0, kept.stderr


def test_a_package_with_the_id_of_a_game_that_ships_changes_nothing_of_it(soleil, tmp_path):
    soleil_as(tmp_path, "preau_recess", "recess")
    announce(tmp_path, "recess", "preau_recess.game:GAME")
    words = ["-c", "import preau; preau.game_ids(); print(preau.game('recess').texts().messages)"]
    foreign, own = run(str(tmp_path), *words), run("", *words)
    assert foreign.stdout == own.stdout
    assert "The package of recess is left out, because it cannot be used: there is a game 'recess' already" in (
        run(str(tmp_path), "-m", "preau", "games").stderr
    )


def test_of_two_packages_with_one_id_the_sound_one_has_its_own_texts(tmp_path):
    """The first one fails after its texts were read."""
    for name, about in (("first", "Not me"), ("second", "A sound game")):
        package = soleil_as(tmp_path / name, f"preau_{name}", "twin")
        spoil(package, Text("about", about, ""))
        announce(tmp_path / name, name, f"preau_{name}.game:GAME")
        replace(tmp_path / name / f"preau_{name}-1.0.dist-info" / "entry_points.txt", f"{name} =", "twin =")
    spoil(tmp_path / "first" / "preau_first", Fault("puzzles.json", "{", ""))
    shown = run(os.pathsep.join((str(tmp_path / "first"), str(tmp_path / "second"))), "-m", "preau", "games", "twin")
    assert shown.returncode == 0, shown.stderr
    assert "A sound game" in shown.stdout
