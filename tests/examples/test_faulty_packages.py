"""A package with one faulty file is left out, with its name, the file and the reason; all other games work."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.examples.packages import SOLEIL, announce, run
from tests.server.services import Server

SOUND = ["recess", "bagarre", "cour", "control", "soleil"]
"""The games that ship, the sound package, and a copy of it without a fault."""


class Fault(NamedTuple):
    """A file of a game as it should not be, and what is said of it."""

    file: str
    text: str
    reason: str
    brought: Mapping[str, str] = {}
    """What the package brings for bots; `{}` stands for the package."""


FAULTS = {
    "lesson_syntax": Fault("lessons.json", "{", "lessons.json: it is no JSON"),
    "lesson_field": Fault("lessons.json", '{"exercises": [{"nam": "x"}]}', "lessons.json: exercises[0]: it has only"),
    "challenge_syntax": Fault("challenge.json", "[", "challenge.json: it is no JSON"),
    "challenge_level": Fault("challenge.json", '{"bots": ["godlike"]}', "challenge.json: bots: there is no bot"),
    "challenge_option": Fault(
        "challenge.json", '{"bots": ["easy"], "options": {"stepps": 3}}', "challenge.json: options: One, two, three"
    ),
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
    "lab_text": Fault("texts/lab/en.json", "{", "lab/en.json: it is no JSON"),
    "picture": Fault("picture.svg", "<svg", "picture.svg: ParseError"),
    "picture_kind": Fault("picture.svg", "<html/>", "picture.svg: it is no SVG picture"),
    "gallery": Fault("gallery.py", "def gallery():\n    raise ValueError('empty')\n", "gallery.py: ValueError: empty"),
    "theme": Fault("themes.py", "THEMES = 3\n", "themes.py: TypeError"),
    "sampler": Fault("sampler.py", "import nothing_there\n", "sampler.py: ModuleNotFoundError: No module named"),
    "observation": Fault("observe.py", "def layout(state)\n", "observe.py: SyntaxError"),
    "greedy": Fault("greedy.py", "choose = 3\n", "it is no function", {"greedy": "{}.greedy:choose"}),
    "judge": Fault("judge.py", "import nothing_there\n", "nothing_there", {"judges": "{}.judge"}),
}


@pytest.fixture(scope="module")
def packages(soleil, tmp_path_factory) -> str:
    """The folders of a sound package and of many copies of it with other names, each with one fault."""
    folder = tmp_path_factory.mktemp("faulty")
    source = SOLEIL / "src" / "preau_soleil"
    control = Fault("lessons.json", '{"exercises": []}', "")
    for name, fault in {**FAULTS, "control": control}.items():
        package = folder / f"preau_{name}"
        shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
        path = package / fault.file
        path.parent.mkdir(exist_ok=True)
        path.write_text(fault.text, encoding="utf-8")
        game = package / "game.py"
        game.write_text(game.read_text(encoding="utf-8").replace('id = "soleil"', f'id = "{name}"'), encoding="utf-8")
        brought = {group: value.format(package.name) for group, value in fault.brought.items()}
        announce(folder, name, f"{package.name}.game:GAME", **brought)
    return os.pathsep.join((soleil, str(folder)))


def test_the_command_line_names_what_it_leaves_out(packages):
    listed = run(packages, "-m", "preau", "games", "--json")
    assert listed.returncode == 0
    assert [game["id"] for game in json.loads(listed.stdout)] == SOUND
    for name, fault in FAULTS.items():
        (line,) = (line for line in listed.stderr.splitlines() if f"The package of {name} is left out" in line)
        assert fault.reason in line
    doctor = run(packages, "-m", "preau", "doctor", "--json")
    found = {row["what"]: row for row in json.loads(doctor.stdout)}
    for name, fault in FAULTS.items():
        assert fault.reason in found[name]["said"]
    wanted = run(packages, "-m", "preau", "play", "lesson_syntax")
    assert wanted.returncode == 2
    assert "lessons.json: it is no JSON" in wanted.stderr


def test_a_server_starts_names_what_it_leaves_out_and_serves_the_rest(packages, tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", packages=packages)
    try:
        assert [game["id"] for game in server.ask("GET", "/api/games").json()] == SOUND
        logged = server.logged().splitlines()
        for name, fault in FAULTS.items():
            (line,) = (line for line in logged if f"game={name} " in line or f'"game": "{name}"' in line)
            assert fault.reason in line
    finally:
        server.stop()
