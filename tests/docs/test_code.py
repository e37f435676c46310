"""What the documentation shows is run, or checked as far as that goes: blocks of code, commands, examples."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from preau.cli.app import app
from tests.docs.pages import DOCS, PAGES, ROOT, blocks, commands, name_of, read, spans

SOURCES = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
ELSEWHERE = {
    "py": "docs/protocol.md: a client, run against a server in tests/server/http/test_protocol.py",
    "console": "run with what they print in tests/cli/test_docs.py and tests/examples/test_guide.py; read here",
    "nginx": "docs/hosting.md: settings of the machine's own configuration",
    "text": "no code: pictures, tables, and what the lab printed (tests/cli/test_lab.py)",
}
"""Languages of blocks that are not run here, and where they are."""
CLI = get_command(app)
REFUSED: Any = typer.BadParameter.__base__
"""What the command line raises for words it does not understand."""
NOT_OURS = {"docker", "ray", "useradd", "cp", "ln", "systemctl", "nginx"}
NOT_OURS |= {"pg_dump", "dropdb", "createdb", "pg_restore"}
NOT_OURS |= {"apt-get", "caddy", "certbot", "curl", "find", "install", "until"}
"""Programs that are named, but not here to be asked."""


# Python.


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name_of)
def test_code_on_pages_runs(page, tmp_path, monkeypatch):
    """One block after the other; those with a title are files, which the guide's own test compares."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(page, "python"):
        if not block.title:
            exec(compile(block.text, str(page), "exec"), names)


def test_the_readme_has_code():
    assert len(blocks(ROOT / "README.md", "python")) >= 5


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    """Read from the source, because compiled modules keep no examples."""
    path = SOURCES.joinpath(*module.split("."))
    source = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
    text = source.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(_docstrings(text)), vars(importlib.import_module(module)).copy(), module, str(source), 0
    )
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0


def _docstrings(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text and ">>>" in text:
                found.append(text + "\n")
    return found


# Data.


def read_json(text: str) -> None:
    """What is sent and answered: lines with a path or a status, then JSON in which … stands for what is left out."""
    documents = re.split(r"^(?:[A-Z]+ /\S*|\d{3})$", text, flags=re.MULTILINE)
    for document in (one.strip() for one in documents):
        whole = re.sub(r'("(?:[^"\\]|\\.)*")|,\s*…(?=\s*[\]}])|(?<=[\[{])…|…', _filled, document)
        if whole:
            json.loads(whole)


def _filled(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    return "null" if found[0] == "…" and found.string[found.start() - 1] not in "[{" else ""


READ: dict[str, Callable[[str], object]] = {
    "json": read_json,
    "toml": tomllib.loads,
    "xml": ElementTree.fromstring,
}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name_of)
def test_every_block_is_run_or_read(page):
    """A block in a language that nothing here understands is refused: run it, or say why not."""
    for block in blocks(page):
        if block.title:  # a file of an example: tests/examples/test_guide.py
            continue
        if block.language in READ:
            READ[block.language](block.text)
        else:
            assert block.language in {"python", "sh", *ELSEWHERE}, block


@pytest.mark.parametrize("text", ['{"a": 1, …}', "{…}\n\n201\n[…]", 'POST /x\n{"a": …, "b": "1…"}', '["a", …]'])
def test_json_may_leave_something_out(text):
    read_json(text)


@pytest.mark.parametrize("text", ['{"a": 1, }', '{"a" 1}', '{"a": 1} {"b": 2}', "{a: …}"])
def test_json_must_be_json(text):
    with pytest.raises(json.JSONDecodeError):
        read_json(text)


# Commands.


def check_command(words: list[str], whole: bool = True) -> None:
    """Refuse a command that is not understood: no such program, target, option, extra or file."""
    if re.match(r"\w+=", words[0]):  # a variable of the shell
        return
    if words[:2] == ["sudo", "-u"]:
        words = words[3:]
    program, rest = Path(words[0]).name, words[1:]
    if program == "preau":
        check_preau(rest, whole)
    elif program == "make":
        check_make(rest)
    elif program in ("python", "python3"):
        check_python(rest)
    elif program == "pip":
        check_pip(rest)
    else:
        assert program in NOT_OURS, f"nothing here knows {program}"


def check_preau(words: list[str], whole: bool = True) -> None:
    """Have the command line read the words, without doing anything; in a text (not `whole`) some may be missing."""
    command: Any = CLI
    context: Any = None
    try:
        while words or whole:
            context = command.make_context(command.name, list(words), parent=context)
            if not isinstance(command, TyperGroup):
                break
            _, command, words = command.resolve_command(context, [*context._protected_args, *context.args])
    except typer.BadParameter:  # options are read before it is noticed that something is missing
        assert not whole, words


def check_make(words: list[str]) -> None:
    known = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    named = {word for word in words if "=" not in word}
    assert named <= known, named - known


def check_python(words: list[str]) -> None:
    """A module or a file of ours is there, and speaks of each option."""
    if words[0] == "-m" and words[1] in ("pytest", "venv"):
        return
    if words[0] == "-m" and words[1] == "preau":
        check_preau(words[2:])
        return
    source = read(_main_of(words[1]) if words[0] == "-m" else ROOT / words[0]).replace("-", "_")
    options = [word.partition("=")[0].strip("-") for word in words[1:] if word.startswith("--")]
    assert [option for option in options if option.replace("-", "_") not in source] == []


def _main_of(module: str) -> Path:
    """The file that runs as a module."""
    spec = importlib.util.find_spec(module)
    assert spec is not None, module
    if spec.submodule_search_locations is not None:
        return _main_of(f"{module}.__main__")
    assert spec.origin is not None, module
    return Path(spec.origin)


def check_pip(words: list[str]) -> None:
    """Extras are declared, files are there."""
    extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
    for word in words[1:]:
        if found := re.fullmatch(r"preau\[([\w,]+)\]", word):
            assert set(found[1].split(",")) <= set(extras), word
        elif word.startswith(("./", "requirements/")):
            assert (ROOT / word).exists(), word


def lines_of_shell(text: str) -> list[list[str]]:
    """The commands of a block of shell, cut where something is piped in or out."""
    joined = text.replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in joined.splitlines()]
    return [_before_pipes(line) for line in lines if line]


def _before_pipes(words: list[str]) -> list[str]:
    ends = [at for at, word in enumerate(words) if word in ("<", ">", "|", "&&")]
    return words[: ends[0]] if ends else words


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh", "console", "text")], ids=name_of)
def test_commands_are_understood(page):
    for block in blocks(page, "sh"):
        for words in lines_of_shell(block.text):
            check_command(words)
    if page.name == "add-a-game.md":
        return  # commands about a game that is not here: run in tests/examples/test_guide.py
    for block in blocks(page, "console", "text"):
        for command in commands(block.text):
            check_command(_before_pipes(command.words), whole=block.language == "console")


def test_commands_within_the_text_are_understood():
    """Command names and options; what stands for something (GAME) need not be there."""
    found = 0
    for page in PAGES:
        for span in spans(page):
            words = _before_pipes(_words(span))
            if len(words) > 1 and words[0] == "preau":
                found += 1
                check_preau([word for word in words[1:] if word != "..."], whole=False)
            elif len(words) > 1 and words[0] == "make":
                found += 1
                check_make(words[1:])
            elif words[:2] in (["python", "-m"], ["python3", "-m"]):
                found += 1
                check_python(words[1:])
    assert found > 80


def _words(span: str) -> list[str]:
    try:
        return shlex.split(span)
    except ValueError:  # an apostrophe: no command
        return []


@pytest.mark.parametrize(
    "line",
    [
        "preau dance",
        "preau play recess --wings",
        "preau play",
        "preau challenge dance",
        "make coffee",
        "pip install preau[cli]",
        "pip install ./examples/rain",
        "python -m benchmarks.nothing",
        "python -m benchmarks.review.nothing",
        "python examples/nothing.py",
        "python -m benchmarks.review calibration recess --wings 2",
        "reboot now",
        "sudo -u preau reboot now",
        "sudo -u preau /opt/preau/current/bin/preau dance",
    ],
)
def test_wrong_commands_are_noticed(line):
    with pytest.raises((AssertionError, REFUSED, ModuleNotFoundError, FileNotFoundError)):
        check_command(shlex.split(line))


# Promises.


def test_promises_name_tests_that_are_there():
    named = re.findall(r"`([a-z]+(?:/[a-z]+)?/test_[a-z_]+\.py)`", read(DOCS / "security.md"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "tests" / name).is_file()] == []
